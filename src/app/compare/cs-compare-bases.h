/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "session/cs-recordings-model.h"

G_BEGIN_DECLS

/* Something to compare with. Property: title. */
#define CS_TYPE_COMPARE_CHOICE (cs_compare_choice_get_type ())
G_DECLARE_FINAL_TYPE (CsCompareChoice, cs_compare_choice, CS, COMPARE_CHOICE, GObject)

const char *cs_compare_choice_get_path (CsCompareChoice *self);
const char *cs_compare_choice_get_title (CsCompareChoice *self);

/* What there is to compare with: a project's recordings but the open one, and what was opened besides. */
GListStore *cs_compare_bases_new (void);
void cs_compare_bases_fill (GListStore *self, CsRecordingsModel *recordings, const char *open, const char *base);
guint cs_compare_bases_find (GListStore *self, const char *path);
char *cs_compare_bases_dup_title (CsRecordingsModel *recordings, const char *path);
char *cs_compare_bases_dup_earlier (CsRecordingsModel *recordings, const char *open);
GtkListItemFactory *cs_compare_bases_make_factory (gboolean details);

G_END_DECLS
