/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tables/cs-export.h"
#include "tables/cs-function-copy.h"
#include "tables/cs-hotspots-view.h"
#include "test-display.h"
#include "window/cs-window.h"

/* A program that is built and recorded, with names that have to be handled with care. */
static const char source[] =
  "#include <sys/prctl.h>\n"
  "int strange (int n) __asm__ (\"\\\"<b>&str\\377ange\\\"\");\n"
  "int strange (int n) { return n > 0 ? strange (n - 1) + 1 : 0; }\n"
  "static int leaf (int n) { return n * 3; }\n"
  "int middle (int n)\n"
  "{\n"
  "  int sum = 0;\n"
  "  for (int i = 0; i < n; i++)\n"
  "    sum += leaf (i);\n" /* line 9 */
  "  sum += leaf (n);\n"   /* line 10 */
  "  return sum;\n"
  "}\n"
  "int main (void)\n"
  "{\n"
  "  prctl (PR_SET_NAME, \"<i>&\\377\");\n"
  "  return (middle (99) + strange (5)) == 0;\n"
  "}\n";

static gboolean have_program;
static char *project, *recording;

#define SKIP_WITHOUT_PROGRAM()                                                                     \
  SKIP_WITHOUT_DISPLAY ()                                                                          \
  if (!have_program)                                                                               \
    {                                                                                              \
      g_test_skip ("no compiler");                                                                 \
      return;                                                                                      \
    }

static gboolean G_GNUC_PRINTF (1, 2)
run (const char *format, ...)
{
  va_list arguments;
  g_autofree char *command = NULL;
  int status;

  va_start (arguments, format);
  command = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return g_spawn_command_line_sync (command, NULL, NULL, &status, NULL) && status == 0;
}

static void
make_recording (void)
{
  g_autofree char *file = NULL;
  g_autofree char *config = NULL;

  project = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  file = g_build_filename (project, "program.c", NULL);
  config = g_build_filename (project, "trace.config", NULL);
  recording = g_build_filename (project, "traces", NULL);
  g_assert_true (g_file_set_contents (file, source, -1, NULL));
  g_assert_true (g_file_set_contents (config, "# mine\ninclude program.c\n", -1, NULL));
  have_program = run ("sh -c 'cd %s && cc -c -g -O0 -finstrument-functions program.c'", project)
                 && run ("cc -c -O2 " SOURCE_ROOT "/runtime/trace.c -o %s/trace.o", project)
                 && run ("cc %s/program.o %s/trace.o -o %s/program -pthread", project, project, project)
                 && run ("env TRACE_ENABLE=1 TRACE_DIR=%s %s/program", recording, project);
}

typedef struct
{
  CsWindow *window;
  CsSession *session;
  CsHotspotsView *view;
  CsFunctionTable *table;
  CsFunctionModel *model;
} Fixture;

static void
iterate_while (gboolean (*condition) (Fixture *), Fixture *fixture)
{
  while (condition (fixture))
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
is_reading (Fixture *fixture)
{
  CsSessionState state = cs_session_get_state (fixture->session);

  return state < CS_SESSION_READY || cs_function_model_get_busy (fixture->model);
}

static void
open_recording (Fixture *fixture)
{
  const char *paths[] = { recording, NULL };

  fixture->window = cs_window_new (NULL);
  fixture->session = cs_window_get_session (fixture->window);
  fixture->view = CS_HOTSPOTS_VIEW (cs_window_get_view (fixture->window, "hotspots"));
  fixture->table = cs_hotspots_view_get_table (fixture->view);
  fixture->model = cs_function_table_get_model (fixture->table);
  gtk_window_present (GTK_WINDOW (fixture->window));
  cs_session_open_recording (fixture->session, paths);
  cs_session_show_view (fixture->session, "hotspots");
  iterate_while (is_reading, fixture);
  g_assert_cmpint (cs_session_get_state (fixture->session), ==, CS_SESSION_READY);
}

static void
close_recording (Fixture *fixture)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
}

static guint
find (Fixture *fixture, const char *name)
{
  CsHotspotRows *rows = cs_function_model_get_rows (fixture->model);

  for (guint i = 0; i < cs_hotspot_rows_get_n (rows); i++)
    {
      g_autofree char *text = cs_hotspot_rows_dup_text (rows, i, CS_COLUMN_FUNCTION);

      if (strstr (text, name) != NULL)
        return i;
    }
  g_assert_not_reached ();
}

/* Names that look like markup, or aren't UTF-8, are shown as they are. */
static void
test_names (void)
{
  SKIP_WITHOUT_PROGRAM ();
  Fixture fixture;
  g_autoptr (GArray) columns = NULL;
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree char *csv = NULL;
  guint index;

  open_recording (&fixture);
  cs_function_table_set_shown (fixture.table, CS_COLUMN_MODULE, TRUE);
  cs_function_table_set_shown (fixture.table, CS_COLUMN_LOCATION, TRUE);
  index = find (&fixture, "<b>&str\357\277\275ange");
  cs_function_table_select (fixture.table, index);
  cs_session_set_search (fixture.session, "<B>&STR", FALSE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture.model)), ==, 1);
  for (guint i = 0; i < 50; i++)
    g_main_context_iteration (NULL, FALSE);
  columns = cs_function_table_dup_columns (fixture.table);
  g_array_append_val (functions, index);
  csv = cs_function_copy_csv (cs_function_model_get_rows (fixture.model), functions, columns);
  g_assert_true (g_utf8_validate (csv, -1, NULL));
  /* "program.c:3" and the program are found, too. */
  cs_session_set_search (fixture.session, "program.c:3", FALSE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture.model)), ==, 1);
  cs_session_set_search (fixture.session, "^program$", TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture.model)), ==, 4);
  cs_session_set_search (fixture.session, "", FALSE);
  cs_function_table_reset (fixture.table);
  close_recording (&fixture);
}

static void
append_texts (GtkWidget *widget, GString *text)
{
  if (GTK_IS_LABEL (widget))
    g_string_append_printf (text, "%s|", gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    append_texts (child, text);
}

static void
assert_panel_has (Fixture *fixture, const char *part)
{
  GString *text = g_string_new (NULL);

  append_texts (GTK_WIDGET (cs_hotspots_view_get_panel (fixture->view)), text);
  if (strstr (text->str, part) == NULL)
    g_error ("“%s” isn't in the panel: %s", part, text->str);
  g_string_free (text, TRUE);
}

/* 100 calls, 99 of them from line 9 and one from line 10. */
static void
test_panel (void)
{
  SKIP_WITHOUT_PROGRAM ();
  Fixture fixture;

  open_recording (&fixture);
  cs_function_table_select (fixture.table, find (&fixture, "leaf"));
  assert_panel_has (&fixture, "leaf|program.c:4|");
  assert_panel_has (&fixture, "100 Calls by Duration|");
  assert_panel_has (&fixture, "middle|100 %|program.c:9 99.0 %, program.c:10 1.0 %|");
  assert_panel_has (&fixture, "It calls no recorded function.|");
  assert_panel_has (&fixture, "<i>&\357\277\275 ");
  cs_function_table_select (fixture.table, find (&fixture, "middle"));
  assert_panel_has (&fixture, "main|100 %|program.c:16|");
  assert_panel_has (&fixture, "leaf|");
  g_assert_true (g_action_group_get_action_enabled (cs_view_get_actions (CS_VIEW (fixture.view)), "open-editor"));
  close_recording (&fixture);
}

static gboolean
has_jobs (Fixture *fixture)
{
  return g_list_model_get_n_items (G_LIST_MODEL (cs_session_get_jobs (fixture->session))) > 0;
}

/* The same bytes as the command line writes. */
static void
test_export (void)
{
  SKIP_WITHOUT_PROGRAM ();
  static const char *const names[] = {
    [CS_REPORT_TEXT] = "text",           [CS_REPORT_JSON] = "json",         [CS_REPORT_FOLDED] = "folded",
    [CS_REPORT_CHROME] = "chrome",       [CS_REPORT_CALLERS] = "callers",   [CS_REPORT_TREE] = "tree",
    [CS_REPORT_PERFETTO] = "perfetto",   [CS_REPORT_SPEEDSCOPE] = "speedscope",
    [CS_REPORT_CALLGRIND] = "callgrind", [CS_REPORT_CSV] = "csv",           [CS_REPORT_SVG] = "svg",
    [CS_REPORT_SLOWEST] = "slowest",
  };
  Fixture fixture;
  guint n;
  const CsExportFormat *formats = cs_export_get_formats (&n);
  g_autofree char *path = g_build_filename (project, "exported", NULL);
  g_autofree char *reference = g_build_filename (project, "reference", NULL);

  g_assert_cmpuint (n, ==, G_N_ELEMENTS (names));
  open_recording (&fixture);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *exported = NULL;
      g_autofree char *written = NULL;
      gsize exported_length, written_length;

      g_test_message ("%s", names[formats[i].format]);
      cs_export_start (fixture.session, &formats[i], path);
      g_assert_true (has_jobs (&fixture));
      iterate_while (has_jobs, &fixture);
      g_assert_true (run ("%s/src/cli/callsight-cli analyze --format %s --out %s %s", g_getenv ("CALLSIGHT_BUILD"),
                          names[formats[i].format], reference, recording));
      g_assert_true (g_file_get_contents (path, &exported, &exported_length, NULL));
      g_assert_true (g_file_get_contents (reference, &written, &written_length, NULL));
      g_assert_cmpmem (exported, exported_length, written, written_length);
      g_unlink (path);
    }
  close_recording (&fixture);
}

static void
on_message (Fixture *fixture, const char *text, const char *label, const char *action, CsSession *session)
{
  g_object_set_data_full (G_OBJECT (session), "test-message", g_strdup (text), g_free);
}

static const char *
get_message (Fixture *fixture)
{
  return g_object_get_data (G_OBJECT (fixture->session), "test-message");
}

static GMutex gate;

static void
wait_at_gate (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  g_mutex_lock (&gate);
  g_mutex_unlock (&gate);
  g_task_return_boolean (task, TRUE);
}

/* Nothing is done in threads as long as the gate is locked: all of them wait there. */
static void
lock_gate (void)
{
  g_mutex_lock (&gate);
  for (guint i = 0; i < 32; i++)
    {
      g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

      g_task_run_in_thread (task, wait_at_gate);
    }
}

/* What fails or is stopped leaves what was there, and no pieces. */
static void
test_export_fails (void)
{
  SKIP_WITHOUT_PROGRAM ();
  Fixture fixture;
  guint n;
  const CsExportFormat *formats = cs_export_get_formats (&n);
  g_autofree char *path = g_build_filename (project, "old", NULL);
  g_autofree char *pipe = g_build_filename (project, "pipe", NULL);
  g_autofree char *report = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GDir) folder = NULL;

  g_assert_true (g_file_set_contents (path, "old", -1, NULL));
  open_recording (&fixture);
  g_signal_connect_swapped (fixture.session, "message", G_CALLBACK (on_message), &fixture);
  lock_gate ();
  cs_export_start (fixture.session, &formats[0], path);
  cs_jobs_cancel_all (cs_session_get_jobs (fixture.session));
  g_mutex_unlock (&gate);
  iterate_while (has_jobs, &fixture);
  g_assert_true (g_str_has_prefix (get_message (&fixture), "Export stopped"));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "old");
  cs_export_start (fixture.session, &formats[0], "/no/such/folder/file");
  iterate_while (has_jobs, &fixture);
  g_assert_nonnull (strstr (get_message (&fixture), "can't be written"));

  /* A pipe that nobody reads holds up nothing else. */
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  cs_export_start (fixture.session, &formats[0], pipe);
  for (guint i = 0; i < 20; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_true (has_jobs (&fixture));
  g_assert_true (g_file_get_contents (pipe, &report, NULL, NULL));
  g_assert_nonnull (strstr (report, "leaf"));
  iterate_while (has_jobs, &fixture);
  g_remove (pipe);
  folder = g_dir_open (project, 0, NULL);
  for (const char *name = g_dir_read_name (folder); name != NULL; name = g_dir_read_name (folder))
    g_assert_false (g_str_has_prefix (name, ".callsight-"));
  g_signal_handlers_disconnect_by_data (fixture.session, &fixture);
  close_recording (&fixture);
}

static gboolean
is_scanning (Fixture *fixture)
{
  CsChooser *chooser = cs_project_get_chooser (cs_session_get_project (fixture->session));

  return cs_chooser_get_state (chooser) != CS_CHOOSER_READY || cs_chooser_get_choosing (chooser)
         || cs_chooser_get_editing (chooser) || cs_chooser_get_selection (chooser) == NULL;
}

static CsFunctionAction
get_action (Fixture *fixture, const char *name)
{
  CsChooser *chooser = cs_project_get_chooser (cs_session_get_project (fixture->session));
  guint file = cs_chooser_find_file (chooser, "program.c"), n;
  const CsSourceFunction *functions = cs_chooser_get_functions (chooser, file, &n);
  CsFunctionAction action = CS_FUNCTION_OFF;

  for (guint i = 0; i < n; i++)
    if (g_str_equal (functions[i].name, name))
      cs_chooser_get_function (chooser, file, i, NULL, &action, NULL);
  return action;
}

static void
test_exclude (void)
{
  SKIP_WITHOUT_PROGRAM ();
  Fixture fixture;
  GActionGroup *actions;
  CsChooser *chooser;
  g_autoptr (GArray) selected = NULL;

  open_recording (&fixture);
  actions = cs_view_get_actions (CS_VIEW (fixture.view));
  g_signal_connect_swapped (fixture.session, "message", G_CALLBACK (on_message), &fixture);
  g_assert_false (g_action_group_get_action_enabled (actions, "exclude"));
  cs_session_open_project (fixture.session, project);
  chooser = cs_project_get_chooser (cs_session_get_project (fixture.session));
  iterate_while (is_scanning, &fixture);
  g_assert_cmpint (get_action (&fixture, "leaf"), ==, CS_FUNCTION_TRACE);
  cs_function_table_select (fixture.table, find (&fixture, "leaf"));
  g_assert_true (g_action_group_get_action_enabled (actions, "exclude"));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture.window), "hotspots.exclude", NULL));
  iterate_while (is_scanning, &fixture);
  g_assert_cmpint (get_action (&fixture, "leaf"), ==, CS_FUNCTION_EXCLUDE);
  g_assert_cmpint (get_action (&fixture, "middle"), ==, CS_FUNCTION_TRACE);
  g_assert_nonnull (strstr (get_message (&fixture), "leaf"));
  g_assert_nonnull (strstr (cs_chooser_get_text (chooser), "exclude-func"));
  g_assert_true (g_str_has_prefix (cs_chooser_get_text (chooser), "# mine\n"));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture.window), "hotspots.undo-exclude", NULL));
  iterate_while (is_scanning, &fixture);
  g_assert_cmpint (get_action (&fixture, "leaf"), ==, CS_FUNCTION_TRACE);

  /* The one in focus, which the search hides: none is selected. */
  cs_session_set_function (fixture.session, find (&fixture, "leaf"));
  cs_hotspots_view_set_search (fixture.view, "middle");
  selected = cs_function_table_dup_selected (fixture.table);
  g_assert_cmpuint (selected->len, ==, 0);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture.window), "hotspots.exclude", NULL));
  iterate_while (is_scanning, &fixture);
  g_assert_cmpint (get_action (&fixture, "leaf"), ==, CS_FUNCTION_EXCLUDE);
  g_assert_cmpint (get_action (&fixture, "middle"), ==, CS_FUNCTION_TRACE);
  g_assert_nonnull (strstr (get_message (&fixture), "leaf"));
  cs_hotspots_view_set_search (fixture.view, "");
  g_signal_handlers_disconnect_by_data (fixture.session, &fixture);
  close_recording (&fixture);
}

/* Totals alone: no single calls, callers and callees. */
static void
test_summary (void)
{
  SKIP_WITHOUT_PROGRAM ();
  Fixture fixture;
  g_autofree char *events = g_steal_pointer (&recording);
  g_autoptr (GArray) columns = NULL;

  recording = g_build_filename (project, "summary", NULL);
  g_assert_true (run ("env TRACE_ENABLE=1 TRACE_MODE=summary TRACE_DIR=%s %s/program", recording, project));
  open_recording (&fixture);
  cs_function_table_set_shown (fixture.table, CS_COLUMN_TOTAL, TRUE);
  columns = cs_function_table_dup_columns (fixture.table);
  for (guint i = 0; i < columns->len; i++)
    g_assert_false (cs_column_get (g_array_index (columns, CsColumnId, i))->of_events);
  cs_function_table_select (fixture.table, find (&fixture, "leaf"));
  assert_panel_has (&fixture, "This recording is a summary");
  assert_panel_has (&fixture, "100 Calls by Duration|");
  g_assert_false (g_action_group_get_action_enabled (cs_view_get_actions (CS_VIEW (fixture.view)), "filter-function"));
  for (guint column = 0; column < CS_N_COLUMNS; column++)
    cs_function_table_sort (fixture.table, column, FALSE);
  cs_function_table_reset (fixture.table);
  close_recording (&fixture);
  g_free (recording);
  recording = g_steal_pointer (&events);
}

int
main (int argc, char **argv)
{
  int status;

  test_init_display (&argc, &argv);
  make_recording ();
  g_test_add_func ("/app/hotspots-program/names", test_names);
  g_test_add_func ("/app/hotspots-program/panel", test_panel);
  g_test_add_func ("/app/hotspots-program/export", test_export);
  g_test_add_func ("/app/hotspots-program/export-fails", test_export_fails);
  g_test_add_func ("/app/hotspots-program/exclude", test_exclude);
  g_test_add_func ("/app/hotspots-program/summary", test_summary);
  status = g_test_run ();
  run ("rm -rf %s", project);
  return status;
}
