/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cs-gtk-compat.h"

G_GNUC_BEGIN_IGNORE_DEPRECATIONS

/* A dialog that is shown; the window that it belongs to lives on. */
typedef struct
{
  GtkWindow *parent;
  GtkNativeDialog *dialog; /* (nullable) */
  CsFilesChosen chosen;
  gpointer user_data;
} Choice;

static void
choice_free (Choice *choice)
{
  g_signal_handlers_disconnect_by_data (choice->parent, choice);
  g_object_unref (choice->parent);
  g_object_unref (choice->dialog);
  g_free (choice);
}

/* There is no response then. */
static void
on_parent_closed (Choice *choice)
{
  gtk_native_dialog_destroy (choice->dialog);
  choice_free (choice);
}

static void
on_response (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  Choice *choice = user_data;

  /* What is chosen may close the window. */
  g_signal_handlers_disconnect_by_data (choice->parent, choice);
  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GListModel) files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));

      choice->chosen (files, choice->user_data);
    }
  gtk_native_dialog_destroy (dialog);
  choice_free (choice);
}

static void
choose (GtkWindow *parent, const char *title, GtkFileChooserAction action, const char *name, CsFilesChosen chosen,
        gpointer user_data)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (title, parent, action, NULL, NULL);
  Choice *choice = g_new0 (Choice, 1);

  choice->parent = g_object_ref (parent);
  choice->dialog = GTK_NATIVE_DIALOG (dialog);
  choice->chosen = chosen;
  choice->user_data = user_data;
  if (name != NULL)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (dialog), action == GTK_FILE_CHOOSER_ACTION_OPEN);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect (dialog, "response", G_CALLBACK (on_response), choice);
  g_signal_connect_swapped (parent, "destroy", G_CALLBACK (on_parent_closed), choice);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

/**
 * cs_compat_choose_folder:
 * @parent: the window that asks
 * @title: what is asked for
 * @chosen: (scope async): called with the folder
 * @user_data: for @chosen; lives as long as @parent
 */
void
cs_compat_choose_folder (GtkWindow *parent, const char *title, CsFilesChosen chosen, gpointer user_data)
{
  choose (parent, title, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, NULL, chosen, user_data);
}

/**
 * cs_compat_choose_files:
 * @parent: the window that asks
 * @title: what is asked for
 * @chosen: (scope async): called with one file or more
 * @user_data: for @chosen; lives as long as @parent
 */
void
cs_compat_choose_files (GtkWindow *parent, const char *title, CsFilesChosen chosen, gpointer user_data)
{
  choose (parent, title, GTK_FILE_CHOOSER_ACTION_OPEN, NULL, chosen, user_data);
}

/**
 * cs_compat_choose_save:
 * @parent: the window that asks
 * @title: what is asked for
 * @name: the file's name, as it is proposed
 * @chosen: (scope async): called with the file to write
 * @user_data: for @chosen; lives as long as @parent
 */
void
cs_compat_choose_save (GtkWindow *parent, const char *title, const char *name, CsFilesChosen chosen, gpointer user_data)
{
  choose (parent, title, GTK_FILE_CHOOSER_ACTION_SAVE, name, chosen, user_data);
}

typedef struct
{
  CsAnswered answered;
  gpointer user_data;
} Question;

static void
on_answer (AdwMessageDialog *dialog, const char *answer, gpointer user_data)
{
  const Question *question = user_data;

  question->answered (answer, question->user_data);
}

static void
free_question (gpointer data, GClosure *closure)
{
  g_free (data);
}

/**
 * cs_compat_ask:
 * @parent: the window that asks
 * @heading: the question
 * @body: (nullable): what the answers mean, as plain text
 * @extra: (nullable): shown below it
 * @answers: (array length=n_answers): the first is taken when the dialog is closed; the last is the default
 * @n_answers: how many there are
 * @answered: (scope notified): called with the id of the answer
 * @user_data: for @answered; lives as long as @parent, or until it destroys the question
 *
 * Returns: (transfer none): the question, until it is answered or @parent goes; who destroys it gets no answer
 */
GtkWindow *
cs_compat_ask (GtkWindow *parent, const char *heading, const char *body, GtkWidget *extra, const CsAnswer *answers,
               guint n_answers, CsAnswered answered, gpointer user_data)
{
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (parent, heading, body));
  Question *question = g_new (Question, 1);

  question->answered = answered;
  question->user_data = user_data;
  for (guint i = 0; i < n_answers; i++)
    {
      adw_message_dialog_add_response (dialog, answers[i].id, answers[i].label);
      adw_message_dialog_set_response_appearance (dialog, answers[i].id, answers[i].appearance);
    }
  adw_message_dialog_set_close_response (dialog, answers[0].id);
  adw_message_dialog_set_default_response (dialog, answers[n_answers - 1].id);
  if (extra != NULL)
    adw_message_dialog_set_extra_child (dialog, extra);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_answer), question, free_question, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  return GTK_WINDOW (dialog);
}

G_GNUC_END_IGNORE_DEPRECATIONS
