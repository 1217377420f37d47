/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-selection-file.h"

G_BEGIN_DECLS

struct _CsSelectionFile
{
  char *text; /* the file; its lines are unescaped in place and the strings below lie in it */
  const char *root;
  const char *config;
  gint64 config_mtime_ns;
  guint64 config_size;
  CsSelectionFileOptions options;
  GPtrArray *mirrors;       /* with a last NULL */
  GPtrArray *exclude_funcs; /* rules, in the order of the file */
  GArray *entries;          /* CsSelectionFileEntry, by path */
  GArray *functions;        /* CsSelectionFileFunction, by entry */
  GHashTable *by_basename;  /* name without folders → GArray of guint entries */

  GMutex mutex;             /* of what is below */
  GHashTable *reduced;      /* entry → (reduced name → CsChoice) */
};

G_END_DECLS
