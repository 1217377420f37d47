/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <adwaita.h>
#include <string.h>

#include "shared/cs-format.h"
#include "tables/cs-export-job.h"
#include "tables/cs-export-question.h"
#include "tables/cs-menu-lines.h"
#include "tables/cs-number-cell.h"
#include "test-display.h"

/* Where a character of the label is painted. */
static int
get_x (GtkWidget *label, const char *part)
{
  PangoLayout *layout = gtk_label_get_layout (GTK_LABEL (label));
  const char *text = pango_layout_get_text (layout), *at = strstr (text, part);
  PangoRectangle place;

  g_assert_nonnull (at);
  pango_layout_index_to_pos (layout, (int) (at - text), &place);
  return MIN (place.x, place.x + place.width);
}

/* A sign stands before its number and a unit behind it, whichever way the words beside it run. */
static void
test_numbers (gconstpointer direction)
{
  SKIP_WITHOUT_DISPLAY ();
  static const struct { const char *text, *sign, *unit; } numbers[] = { { "−12.5 %", "−", "%" }, { "+7", "+", "7" },
                                                                      { "⚠ 12.5 %", "12", "%" }, { "-3 ms", "-", "ms" } };

  gtk_widget_set_default_direction (GPOINTER_TO_INT (direction));
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      GtkWidget *label = g_object_ref_sink (gtk_label_new (NULL));

      cs_number_cell_show (label, numbers[i].text);
      g_assert_cmpint (get_x (label, numbers[i].sign), <, get_x (label, numbers[i].unit));
      g_object_unref (label);
    }
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

static void
assert_menu (GMenuModel *menu, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);

      g_string_append (text, i > 0 ? " |" : "");
      for (int k = 0; k < g_menu_model_get_n_items (section); k++)
        {
          g_autofree char *action = NULL;

          g_menu_model_get_item_attribute (section, k, G_MENU_ATTRIBUTE_ACTION, "s", &action);
          g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", action);
        }
    }
  g_assert_cmpstr (text->str, ==, expected);
  g_object_unref (menu);
}

static void
test_menus (void)
{
  enum { ONE = 1, OTHER = 2 };
  static const CsMenuLine lines[] = { { "_First", "a.first", ONE }, { NULL, NULL, ONE }, { "_Both", "a.both" },
                                      { NULL, NULL }, { "_Second", "a.second", OTHER }, { "_Also", "a.also" } };

  assert_menu (cs_menu_lines_make (lines, G_N_ELEMENTS (lines), ONE), "a.first | a.both | a.also");
  assert_menu (cs_menu_lines_make (lines, G_N_ELEMENTS (lines), OTHER), "a.both | a.second a.also");
  assert_menu (cs_menu_lines_make (lines, 1, OTHER), "");
}

static const CsExportKind kinds[] = { { "One", "For one", "one" }, { "Two", "For two", "two.txt" } };
static char *chosen; /* a format and a path */

static void
on_chosen (gpointer view, const CsExportKind *kind, const char *path)
{
  g_assert_true (GTK_IS_BUTTON (view));
  g_free (chosen);
  chosen = g_strdup_printf ("%s %s", kind->title, path);
}

static gpointer
wait_for_window (GType type)
{
  for (guint i = 0; i < 1000; i++)
    {
      GListModel *windows = gtk_window_get_toplevels ();

      while (g_main_context_iteration (NULL, FALSE))
        ;
      for (guint k = 0; k < g_list_model_get_n_items (windows); k++)
        {
          g_autoptr (GtkWidget) window = g_list_model_get_item (windows, k);

          if (G_TYPE_CHECK_INSTANCE_TYPE (window, type) && gtk_widget_get_visible (window))
            return window;
        }
      g_usleep (5000);
    }
  g_assert_not_reached ();
}

/* The format is asked for, with what it is good for, and then the file. */
static void
test_export_question (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autoptr (CsSession) session = cs_session_new ();
  GtkWidget *window = gtk_window_new (), *view = gtk_button_new ();
  GPtrArray *all = g_ptr_array_new ();
  g_autofree char *name = NULL;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "other.txt", NULL);
  g_autofree char *expected = g_strconcat ("Two ", path, NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (g_get_tmp_dir ());
  GtkWidget *box, *dialog;

  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_ptr_array_add (all, (gpointer) &kinds[i]);
  cs_export_question_ask (view, session, "What?", "All of it", all, on_chosen);
  dialog = wait_for_window (ADW_TYPE_MESSAGE_DIALOG);
  g_assert_cmpstr (adw_message_dialog_get_heading (ADW_MESSAGE_DIALOG (dialog)), ==, "What?");
  box = adw_message_dialog_get_extra_child (ADW_MESSAGE_DIALOG (dialog));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_widget_get_last_child (box))), ==, "For one");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (gtk_widget_get_first_child (box)), 1);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_widget_get_last_child (box))), ==, "For two");
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (dialog), "export");
  dialog = wait_for_window (GTK_TYPE_FILE_CHOOSER_DIALOG);
  name = gtk_file_chooser_get_current_name (GTK_FILE_CHOOSER (dialog));
  g_assert_cmpstr (name, ==, "recording.two.txt");
  g_assert_true (gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), folder, NULL));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "other.txt");
  for (guint i = 0; chosen == NULL && i < 200; i++)
    {
      gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_usleep (5000);
    }
  g_assert_cmpstr (chosen, ==, expected);
  g_clear_pointer (&chosen, g_free);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
on_message (CsSession *session, const char *text, const char *label, const char *action, char **told)
{
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_free (*told);
  *told = g_strdup (text);
}

/* How writing a file went is told once, also of a file whose name isn't text. */
static void
test_export_job (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autoptr (CsSession) session = cs_session_new ();
  g_autoptr (GError) stopped = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "Stopped");
  g_autoptr (GError) full = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_NO_SPACE, "“/tmp/a\xff”: no space");
  g_autofree char *told = NULL, *name = cs_export_job_dup_name (session, "svg"), *bare = cs_export_job_dup_name (session, NULL);
  g_autoptr (CsJob) shown = NULL;
  CsExportJob *job;

  g_signal_connect (session, "message", G_CALLBACK (on_message), &told);
  g_assert_cmpstr (name, ==, "recording.svg");
  g_assert_cmpstr (bare, ==, "recording");
  job = cs_export_job_begin (session, "/tmp/a\xff.svg");
  g_assert_cmpstr (cs_export_job_get_path (job), ==, "/tmp/a\xff.svg");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (cs_session_get_jobs (session))), ==, 1);
  shown = g_list_model_get_item (G_LIST_MODEL (cs_session_get_jobs (session)), 0);
  g_assert_cmpstr (cs_job_get_title (shown), ==, "Exporting a\uFFFD.svg");
  cs_export_job_end (job, NULL);
  g_assert_cmpstr (told, ==, "Exported to /tmp/a\uFFFD.svg");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (cs_session_get_jobs (session))), ==, 0);
  cs_export_job_end (cs_export_job_begin (session, "/tmp/b"), stopped);
  g_assert_cmpstr (told, ==, "Export stopped — /tmp/b is as it was");
  cs_export_job_end (cs_export_job_begin (session, "/tmp/b"), full);
  g_assert_cmpstr (told, ==, "Not exported: “/tmp/a\uFFFD”: no space — choose another place");
}

/* No line of a tooltip is wider than a screen. */
static void
test_tooltip (void)
{
  g_autofree char *nothing = cs_format_tooltip (NULL);
  g_autofree char *plain = cs_format_tooltip ("main\nsrc/main.c:1");
  g_autofree char *name = cs_format_tooltip ("load_all(std::vector<std::__cxx11::basic_string<char, std::char_traits<char>, "
                                             "std::allocator<char> >, std::allocator<char> > const&, int)\nsrc/load.cpp:57");
  g_autofree char *parts = cs_format_tooltip ("a_namespace_without_end::a_namespace_without_end::a_namespace_without_end::"
                                              "a_namespace_without_end::a_namespace_without_end");
  g_autofree char *run = g_strnfill (2000, 'x');
  g_autofree char *cut = cs_format_tooltip (run);
  g_auto (GStrv) lines = g_strsplit (cut, "\n", -1);

  g_assert_null (nothing);
  g_assert_cmpstr (plain, ==, "main\nsrc/main.c:1");
  g_assert_cmpstr (name, ==, "load_all(std::vector<std::__cxx11::basic_string<char, std::char_traits<char>, \n"
                             "std::allocator<char> >, std::allocator<char> > const&, int)\nsrc/load.cpp:57");
  g_assert_cmpstr (parts, ==, "a_namespace_without_end::a_namespace_without_end::a_namespace_without_end::\n"
                              "a_namespace_without_end::a_namespace_without_end");
  g_assert_cmpuint (g_strv_length (lines), ==, 8);
  for (guint i = 0; lines[i] != NULL; i++)
    g_assert_cmpint (g_utf8_strlen (lines[i], -1), <=, 91);
  g_assert_true (g_str_has_suffix (cut, "x…"));
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_data_func ("/app/table-cells/numbers", GINT_TO_POINTER (GTK_TEXT_DIR_LTR), test_numbers);
  g_test_add_data_func ("/app/table-cells/numbers-rtl", GINT_TO_POINTER (GTK_TEXT_DIR_RTL), test_numbers);
  g_test_add_func ("/app/table-cells/export-question", test_export_question);
  g_test_add_func ("/app/table-cells/menus", test_menus);
  g_test_add_func ("/app/table-cells/export-job", test_export_job);
  g_test_add_func ("/app/table-cells/tooltip", test_tooltip);
  return g_test_run ();
}
