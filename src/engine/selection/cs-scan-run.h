/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-ctags.h"
#include "selection/cs-scan-file.h"

G_BEGIN_DECLS

/* What to scan, and what came of it. */
typedef struct
{
  const char *root;
  GPtrArray *files;              /* (element-type CsSourceFile) */
  const CsScanOptions *options;
  const CsCtagsProgram *program; /* (nullable): the built-in scan is for all */
  CsScanFile **results;          /* one a file; what is there already isn't scanned */

  /* Afterwards. */
  guint n_built_in;              /* files for which ctags was there, and the built-in scan served */
  gboolean gave_up;              /* ctags failed so often that it wasn't asked any more */
  char *problem;                 /* (nullable): what was wrong with ctags first */
  GPtrArray *unread;             /* (element-type utf8): files that couldn't be read, and why */
} CsScanRun;

CsFoundFunctions *cs_found_functions_new (CsScanFile *const *scans, guint *files, guint n_files);
gboolean cs_scan_run (CsScanRun *run, GCancellable *cancellable, GError **error);
gboolean cs_scan_has_cplusplus (GPtrArray *files);
gboolean cs_scan_path_is_cplusplus (const char *path, gboolean headers_are);

G_END_DECLS
