/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "record/cs-record-ask.h"

/* Lines of a text in a question. */
#define MOST_LINES 400

/* A text that can be scrolled. */
static GtkWidget *
make_text (GtkTextBuffer *buffer, const char *label)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *view = gtk_text_view_new_with_buffer (buffer);

  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_cursor_visible (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 6);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 6);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 6);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 6);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 240);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_widget_set_size_request (scrolled, 420, -1);
  gtk_widget_add_css_class (scrolled, "frame");
  return scrolled;
}

/**
 * cs_record_has_foreign_folder:
 * @project: (type filename): a project's folder
 *
 * Returns: whether there is a callsight/ in it that a build would use
 */
gboolean
cs_record_has_foreign_folder (const char *project)
{
  g_autofree char *runtime = g_build_filename (project, "callsight", "trace.c", NULL);

  return g_file_test (runtime, G_FILE_TEST_EXISTS);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

static GtkTextBuffer *
list_folder (const char *project)
{
  g_autofree char *path = g_build_filename (project, "callsight", NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = NULL;
  GtkTextBuffer *buffer = gtk_text_buffer_new (NULL);
  const char *name;

  while (dir != NULL && names->len < MOST_LINES && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_filename_display_name (name));
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  text = g_strjoinv ("\n", (char **) names->pdata);
  gtk_text_buffer_set_text (buffer, text, -1);
  return buffer;
}

/**
 * cs_record_ask_trust:
 * @parent: the window that asks
 * @project: (type filename): the project's folder
 * @answered: (scope notified): gets "go" or "cancel"
 * @user_data: for @answered
 *
 * Asks whether to build with the callsight/ that came with a project, and lists it.
 *
 * Returns: (transfer none): the question, until it is answered
 */
GtkWindow *
cs_record_ask_trust (GtkWindow *parent, const char *project, CsAnswered answered, gpointer user_data)
{
  const CsAnswer answers[] = { { CS_ANSWER_CANCEL, _("Cancel"), ADW_RESPONSE_DEFAULT },
                               { CS_ANSWER_GO, _("Build"), ADW_RESPONSE_SUGGESTED } };
  g_autoptr (GtkTextBuffer) buffer = list_folder (project);

  return cs_compat_ask (parent, _("Build with the Project’s callsight Folder?"),
                        _("The folder callsight came with the project. Its trace.c becomes a part of the program, and a build runs what "
                          "the project says. Build only what you would build without Callsight, too. This is asked once."),
                        make_text (buffer, _("Files in callsight")), answers, G_N_ELEMENTS (answers), answered, user_data);
}

/**
 * cs_record_ask_system:
 * @parent: the window that asks
 * @systems: the build systems of the project
 * @answered: (scope notified): gets the name of one, or "cancel"
 * @user_data: for @answered
 *
 * Asks which build system to take.
 *
 * Returns: (transfer none): the question, until it is answered
 */
GtkWindow *
cs_record_ask_system (GtkWindow *parent, const CsBuildSystems *systems, CsAnswered answered, gpointer user_data)
{
  static const char *const titles[] = { [CS_BUILD_SYSTEM_MAKE] = "Make", [CS_BUILD_SYSTEM_CMAKE] = "CMake",
                                        [CS_BUILD_SYSTEM_MESON] = "Meson", [CS_BUILD_SYSTEM_AUTOTOOLS] = "Autotools" };
  CsAnswer answers[1 + G_N_ELEMENTS (systems->systems)] = { { CS_ANSWER_CANCEL, _("Cancel"), ADW_RESPONSE_DEFAULT } };
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  guint n = 1;

  /* The first one is the default, and that is the last answer. */
  for (guint i = systems->count; i > 0; i--)
    {
      char *label = g_strdup_printf ("%s (%s)", titles[systems->systems[i - 1]], systems->files[i - 1]);

      g_ptr_array_add (labels, label);
      answers[n++] = (CsAnswer){ cs_build_system_get_name (systems->systems[i - 1]), label,
                                 i == 1 ? ADW_RESPONSE_SUGGESTED : ADW_RESPONSE_DEFAULT };
    }
  return cs_compat_ask (parent, _("How Is the Project Built?"),
                        _("There is more than one build system in it. The build options remember which one is taken."), NULL, answers, n,
                        answered, user_data);
}

/**
 * cs_record_ask_adopt:
 * @parent: the window that asks
 * @has_config: whether there is a trace.config, which stays
 * @answered: (scope notified): gets "go" or "cancel"
 * @user_data: for @answered
 *
 * Asks whether to put the runtime into a project.
 *
 * Returns: (transfer none): the question, until it is answered
 */
GtkWindow *
cs_record_ask_adopt (GtkWindow *parent, gboolean has_config, CsAnswered answered, gpointer user_data)
{
  const CsAnswer answers[] = { { CS_ANSWER_CANCEL, _("Cancel"), ADW_RESPONSE_DEFAULT },
                               { CS_ANSWER_GO, _("Add and Build"), ADW_RESPONSE_SUGGESTED } };

  return cs_compat_ask (parent, _("Add Callsight to This Project?"),
                        has_config ? _("The build needs the folder callsight, with the runtime. It is written into the project’s folder; no file "
                                       "that is there changes. What is traced is what trace.config says.")
                                   : _("The build needs the folder callsight, with the runtime, and the file trace.config, which says what is "
                                       "traced — all of it at first. Both are written into the project’s folder; no file that is there "
                                       "changes."),
                        NULL, answers, G_N_ELEMENTS (answers), answered, user_data);
}

static GtkTextBuffer *
make_diff (CsChooser *chooser)
{
  g_autoptr (GPtrArray) lines = cs_chooser_dup_diff (chooser, 2);
  GtkTextBuffer *buffer = gtk_text_buffer_new (NULL);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GtkTextTag *added = gtk_text_buffer_create_tag (buffer, NULL, "foreground", dark ? "#8ff0a4" : "#1b6b2c", NULL);
  GtkTextTag *removed = gtk_text_buffer_create_tag (buffer, NULL, "foreground", dark ? "#ff8a80" : "#a51d2d", NULL);
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (buffer, &end);
  for (guint i = 0; lines != NULL && i < MIN (lines->len, MOST_LINES); i++)
    {
      const CsConfigDiffLine *line = lines->pdata[i];
      g_autofree char *text = line->sign == '@' ? g_strdup ("…\n") : g_strdup_printf ("%c %s\n", line->sign, line->text);

      gtk_text_buffer_insert_with_tags (buffer, &end, text, -1,
                                        line->sign == '+'   ? added
                                        : line->sign == '-' ? removed
                                                            : NULL,
                                        NULL);
    }
  return buffer;
}

/**
 * cs_record_ask_save:
 * @parent: the window that asks
 * @chooser: a choice that isn't saved
 * @answered: (scope notified): gets "go" (save it), "without" or "cancel"
 * @user_data: for @answered
 *
 * Asks what to do with changes of trace.config before a build, and shows them.
 *
 * Returns: (transfer none): the question, until it is answered
 */
GtkWindow *
cs_record_ask_save (GtkWindow *parent, CsChooser *chooser, CsAnswered answered, gpointer user_data)
{
  const CsAnswer answers[] = { { CS_ANSWER_CANCEL, _("Cancel"), ADW_RESPONSE_DEFAULT },
                               { CS_ANSWER_WITHOUT, _("Build Without"), ADW_RESPONSE_DEFAULT },
                               { CS_ANSWER_GO, _("Save and Build"), ADW_RESPONSE_SUGGESTED } };
  g_autoptr (GtkTextBuffer) buffer = make_diff (chooser);

  return cs_compat_ask (parent, _("Save the Changed Selection?"),
                        _("A build takes what trace.config says. These lines of it aren’t saved:"),
                        make_text (buffer, _("Changes of trace.config")), answers, G_N_ELEMENTS (answers), answered, user_data);
}

/**
 * cs_record_ask_rate:
 * @parent: the window that asks
 * @warning: that the budget will be used up soon
 * @answered: (scope notified): gets "go" (record all the same), "wrap", "summary" or "cancel"
 * @user_data: for @answered
 *
 * Asks how to record a program that called too much last time.
 *
 * Returns: (transfer none): the question, until it is answered
 */
GtkWindow *
cs_record_ask_rate (GtkWindow *parent, const char *warning, CsAnswered answered, gpointer user_data)
{
  const CsAnswer answers[] = { { CS_ANSWER_CANCEL, _("Cancel"), ADW_RESPONSE_DEFAULT },
                               { CS_ANSWER_SUMMARY, _("Sums Only"), ADW_RESPONSE_DEFAULT },
                               { CS_ANSWER_WRAP, _("Keep the End"), ADW_RESPONSE_DEFAULT },
                               { CS_ANSWER_GO, _("Record Anyway"), ADW_RESPONSE_SUGGESTED } };

  return cs_compat_ask (parent, _("Record That Many Calls?"), warning, NULL, answers, G_N_ELEMENTS (answers), answered, user_data);
}
