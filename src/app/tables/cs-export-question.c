/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "shared/cs-gtk-compat.h"
#include "tables/cs-export-job.h"
#include "tables/cs-export-question.h"

/* On a view: what is asked for last. */
#define QUESTION "callsight-export-question"

typedef struct
{
  GtkWidget *view;
  CsSession *session;
  GPtrArray *kinds;         /* (element-type CsExportKind) (nullable): to choose from */
  const CsExportKind *kind; /* (nullable): the one that was chosen */
  GtkDropDown *list;
  CsExportChosen chosen;
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  g_object_unref (question->session);
  g_clear_pointer (&question->kinds, g_ptr_array_unref);
  g_free (question);
}

static Question *
question_new (GtkWidget *view, CsSession *session, CsExportChosen chosen)
{
  Question *question = g_new0 (Question, 1);

  question->view = view;
  question->session = g_object_ref (session);
  question->chosen = chosen;
  return question;
}

static GtkWindow *
get_window (GtkWidget *view)
{
  GtkRoot *root = gtk_widget_get_root (view);

  return GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
}

static void
on_place_chosen (GListModel *files, gpointer view)
{
  const Question *question = g_object_get_data (view, QUESTION);
  g_autoptr (GFile) file = g_list_model_get_item (files, 0);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (path != NULL)
    question->chosen (view, question->kind, path);
  else
    cs_session_tell (question->session, _("That place is not on this machine — choose another one"));
}

/**
 * cs_export_question_ask_place:
 * @view: what is to be written
 * @session: what it shows
 * @kind: how it is to be written
 * @chosen: called with the file
 *
 * Asks for the file.
 */
void
cs_export_question_ask_place (GtkWidget *view, CsSession *session, const CsExportKind *kind, CsExportChosen chosen)
{
  g_autofree char *name = cs_export_job_dup_name (session, kind->extension);
  Question *question = question_new (view, session, chosen);

  question->kind = kind;
  g_object_set_data_full (G_OBJECT (view), QUESTION, question, question_free);
  cs_compat_choose_save (get_window (view), _("Export"), name, on_place_chosen, view);
}

static const CsExportKind *
get_selected (const Question *question)
{
  return question->kinds->pdata[gtk_drop_down_get_selected (question->list)];
}

static void
on_answered (const char *answer, gpointer user_data)
{
  const Question *question = user_data;

  if (g_str_equal (answer, "export"))
    cs_export_question_ask_place (question->view, question->session, get_selected (question), question->chosen);
}

static void
show_use (GtkDropDown *list, GParamSpec *pspec, GtkLabel *label)
{
  gtk_label_set_text (label, _(get_selected (g_object_get_data (G_OBJECT (list), QUESTION))->use));
}

/**
 * cs_export_question_ask:
 * @view: what is to be written
 * @session: what it shows
 * @title: the question
 * @text: what of it is written
 * @kinds: (transfer full) (element-type CsExportKind): the formats that it can be written in
 * @chosen: called with one of them and the file
 *
 * Asks for the format, and then for the file.
 */
void
cs_export_question_ask (GtkWidget *view, CsSession *session, const char *title, const char *text, GPtrArray *kinds,
                        CsExportChosen chosen)
{
  const CsAnswer answers[] = {
    { "cancel", _("Cancel"), ADW_RESPONSE_DEFAULT },
    { "export", _("Export…"), ADW_RESPONSE_SUGGESTED },
  };
  Question *question = question_new (view, session, chosen);
  GtkStringList *titles = gtk_string_list_new (NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *use = gtk_label_new (NULL);

  question->kinds = kinds;
  for (guint i = 0; i < kinds->len; i++)
    gtk_string_list_append (titles, _(((const CsExportKind *) kinds->pdata[i])->title));
  question->list = GTK_DROP_DOWN (gtk_drop_down_new (G_LIST_MODEL (titles), NULL));
  gtk_accessible_update_property (GTK_ACCESSIBLE (question->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Format"), -1);
  g_object_set_data_full (G_OBJECT (question->list), QUESTION, question, question_free);
  gtk_label_set_wrap (GTK_LABEL (use), TRUE);
  gtk_widget_add_css_class (use, "dim-label");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (question->list));
  gtk_box_append (GTK_BOX (box), use);
  g_signal_connect (question->list, "notify::selected", G_CALLBACK (show_use), use);
  show_use (question->list, NULL, GTK_LABEL (use));
  cs_compat_ask (get_window (view), title, text, box, answers, G_N_ELEMENTS (answers), on_answered, question);
}
