/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* What newer versions of GTK and libadwaita replaced: this is the only place that uses it. */

/* Gets what was chosen, GFiles; nothing is called when the person gave up. */
typedef void (*CsFilesChosen) (GListModel *files, gpointer user_data);

void cs_compat_choose_folder (GtkWindow *parent, const char *title, CsFilesChosen chosen, gpointer user_data);
void cs_compat_choose_files (GtkWindow *parent, const char *title, CsFilesChosen chosen, gpointer user_data);
void cs_compat_choose_save (GtkWindow *parent, const char *title, const char *name, CsFilesChosen chosen,
                            gpointer user_data);

/* Gets the id of the answer. */
typedef void (*CsAnswered) (const char *answer, gpointer user_data);

/* An answer of a question. */
typedef struct
{
  const char *id;
  const char *label;             /* with a mnemonic */
  AdwResponseAppearance appearance;
} CsAnswer;

GtkWindow *cs_compat_ask (GtkWindow *parent, const char *heading, const char *body, GtkWidget *extra, const CsAnswer *answers,
                    guint n_answers, CsAnswered answered, gpointer user_data);

G_END_DECLS
