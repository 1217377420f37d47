/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-scan-file.h"

G_BEGIN_DECLS

/* What an earlier scan of a project found, by file. */
typedef struct _CsScanCache CsScanCache;

char *cs_scan_cache_get_default_folder (void);
CsScanCache *cs_scan_cache_open (const char *folder, const char *root, const char *scanner);
CsScanFile *cs_scan_cache_find (const CsScanCache *self, const CsSourceFile *file);
void cs_scan_cache_save (const CsScanCache *self, GPtrArray *files, CsScanFile *const *found, gint64 started_ns);
void cs_scan_cache_free (CsScanCache *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsScanCache, cs_scan_cache_free)

G_END_DECLS
