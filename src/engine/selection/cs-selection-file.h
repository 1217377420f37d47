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

CsSelectionFile *cs_selection_file_load (const char *path, GError **error);
void cs_selection_file_free (CsSelectionFile *self);
const char *cs_selection_file_get_root (const CsSelectionFile *self);
const CsSelectionFileOptions *cs_selection_file_get_options (const CsSelectionFile *self);
gboolean cs_selection_file_is_stale (const CsSelectionFile *self);
CsChoice cs_selection_file_get_choice (const CsSelectionFile *self, const char *path, const char *function);
GPtrArray *cs_selection_file_compare (const CsSelectionFile *before, const CsSelectionFile *after, gboolean *all);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsSelectionFile, cs_selection_file_free)

G_END_DECLS
