/* SPDX-License-Identifier: MIT */
#pragma once

#include "select/cs-choice-row.h"
#include "select/cs-file-tree.h"

G_BEGIN_DECLS

/* What is chosen of files and folders, as rows show and change it. */
void cs_file_choice_show (CsChooser *chooser, CsFileItem *item, CsChoiceRow *row);
void cs_file_choice_set (CsChooser *chooser, CsFileTree *tree, CsFileItem *item, gboolean on);
void cs_file_choice_set_folder (CsChooser *chooser, CsFileTree *tree, guint32 folder, gboolean on);
gboolean cs_file_choice_is_on (CsChooser *chooser, CsFileTree *tree, CsFileItem *item);

G_END_DECLS
