/* SPDX-License-Identifier: MIT */
#pragma once

#include "symbols/cs-binary.h"

G_BEGIN_DECLS

/* What a debuginfod server has of a build. */
typedef enum
{
  CS_DEBUGINFOD_DEBUGINFO,  /* its separate debug file */
  CS_DEBUGINFOD_EXECUTABLE, /* the program or library */
} CsDebuginfodKind;

/* Fetches files by build id from debuginfod servers, into the cache of the debuginfod client. */
typedef struct _CsDebuginfod CsDebuginfod;

CsDebuginfod *cs_debuginfod_new (const char *urls, GError **error);
void cs_debuginfod_free (CsDebuginfod *self);
void cs_debuginfod_set_cancellable (CsDebuginfod *self, GCancellable *cancellable);
char *cs_debuginfod_find (CsDebuginfod *self, const char *build_id, CsDebuginfodKind kind, const char *what);
guint64 cs_debuginfod_get_n_bytes (CsDebuginfod *self);
char **cs_debuginfod_dup_notices (CsDebuginfod *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsDebuginfod, cs_debuginfod_free)

G_END_DECLS
