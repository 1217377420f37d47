/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where source files lie now that were compiled elsewhere. */
typedef struct _CsSourceMap CsSourceMap;

CsSourceMap *cs_source_map_new (void);
void cs_source_map_free (CsSourceMap *self);
void cs_source_map_add_folder (CsSourceMap *self, const char *folder);
gboolean cs_source_map_add (CsSourceMap *self, const char *text, GError **error);
char *cs_source_map_apply (const CsSourceMap *self, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsSourceMap, cs_source_map_free)

G_END_DECLS
