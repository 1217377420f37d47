/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-selection.h"

G_BEGIN_DECLS

/* A selection file that was read back: what a build was made with. It never changes. */
typedef struct _CsSelectionFile CsSelectionFile;

typedef enum
{
  CS_CHOICE_UNKNOWN, /* no file of the selection */
  CS_CHOICE_NO,
  CS_CHOICE_YES,
} CsChoice;

/* A function as the file lists it. */
typedef struct
{
  const char *name; /* as gcc prints it */
  gboolean chosen;
} CsSelectionFileFunction;

/* A source or header. Strings and functions belong to the CsSelectionFile. */
typedef struct
{
  const char *path; /* relative to the root */
  CsFileChoice choice;
  gint64 mtime_ns; /* 0 with a size of 0: not told */
  guint64 size;
  const CsSelectionFileFunction *functions; /* (nullable); of a source that isn't chosen there are none */
  gsize n_functions;
} CsSelectionFileEntry;

CsSelectionFile *cs_selection_file_load (const char *path, GError **error);
void cs_selection_file_free (CsSelectionFile *self);
const char *cs_selection_file_get_root (const CsSelectionFile *self);
const char *cs_selection_file_get_config (const CsSelectionFile *self);
const CsSelectionFileEntry *cs_selection_file_get_entries (const CsSelectionFile *self, gsize *count);
const CsSelectionFileEntry *cs_selection_file_find (const CsSelectionFile *self, const char *path);
const CsSelectionFileOptions *cs_selection_file_get_options (const CsSelectionFile *self);
gint64 cs_selection_file_find_change (const CsSelectionFile *self);
gboolean cs_selection_file_is_stale (const CsSelectionFile *self);
gboolean cs_selection_file_excludes_name (const CsSelectionFile *self, const char *name);
CsChoice cs_selection_file_get_choice (const CsSelectionFile *self, const char *path, const char *function);
GPtrArray *cs_selection_file_compare (const CsSelectionFile *before, const CsSelectionFile *after, gboolean *all);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsSelectionFile, cs_selection_file_free)

G_END_DECLS
