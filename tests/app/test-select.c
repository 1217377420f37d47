/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "select-fixture.h"
#include "test-display.h"

#define CONFIG                                                                                     \
  "# What to trace; ask before you change this.\n"                                                 \
  "include src/   # all of it\n"                                                                   \
  "\n"                                                                                             \
  "# noise\n"                                                                                      \
  "exclude src/util/rng.c\n"

/* Five files with seven functions: three in src, in a folder of its own each, and two beside these. */
static void
open_project (Fixture *fixture)
{
  char *folder = fixture_new_folder ();

  fixture_write (folder, "trace.config", CONFIG);
  fixture_write (folder, "src/main.c", "#include \"util/rng.h\"\n\nint\nmain (void)\n{\n  return (int) draw ();\n}\n");
  fixture_write (folder, "src/matrix/deep/matrix.c",
                 "static int\nblock (int n)\n{\n  return n;\n}\n\nint\nmatrix_multiply (int n)\n{\n  return block (n);\n}\n\n"
                 "int\nmatrix_invert (int n)\n{\n  return matrix_multiply (n);\n}\n");
  fixture_write (folder, "src/util/rng.c", "unsigned\ndraw (void)\n{\n  return 4;\n}\n");
  fixture_write (folder, "src/util/timer.c", "void\ntimer_start (void)\n{\n}\n\nvoid\ntimer_stop (void)\n{\n}\n");
  fixture_write (folder, "README", "no source\n");
  fixture_write (folder, "docs/index.md", "no source\n");
  fixture_open (fixture, folder);
  fixture_wait_ready (fixture);
  WAIT_FOR (fixture_find_file (fixture, "src/util/timer.c, 2 functions") != NULL);
  WAIT_FOR (fixture_find_function (fixture, "timer_stop,") != NULL);
}

static CsBox
get_box (CsChoiceRow *row)
{
  GtkCheckButton *box;

  g_assert_nonnull (row);
  box = GTK_CHECK_BUTTON (cs_choice_row_get_box (row));
  if (gtk_check_button_get_inconsistent (box))
    return CS_BOX_PARTLY;
  return gtk_check_button_get_active (box) ? CS_BOX_ON : CS_BOX_OFF;
}

static const char *
get_summary (Fixture *fixture)
{
  return cs_select_summary_get_text (cs_select_view_get_summary (fixture->view));
}

static void
wait_for_summary (Fixture *fixture, const char *text)
{
  WAIT_FOR (g_str_equal (get_summary (fixture), text));
}

static void
assert_file (Fixture *fixture, const char *text)
{
  g_autofree char *now = fixture_read (fixture->folder, "trace.config");

  g_assert_cmpstr (now, ==, text);
}

static void
save (Fixture *fixture)
{
  WAIT_FOR (fixture_is_enabled (fixture, "save"));
  fixture_activate (fixture, "select.save");
  WAIT_FOR (!cs_chooser_get_dirty (fixture->chooser));
  g_assert_false (fixture_is_enabled (fixture, "save"));
}

static guint
count_rows (Fixture *fixture)
{
  CsFileTree *tree = cs_files_pane_get_tree (cs_select_view_get_files (fixture->view));

  return g_list_model_get_n_items (G_LIST_MODEL (cs_file_tree_get_rows (tree)));
}

static void
test_tree (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };

  open_project (&fixture);
  g_assert_cmpstr (cs_select_view_get_page (fixture.view), ==, "panes");
  wait_for_summary (&fixture, "4 sources: 3 instrumented, 1 excluded · 6 of 7 functions chosen");

  /* src, matrix/deep in one row, its file, util, its two files, main.c; no docs. */
  g_assert_cmpuint (count_rows (&fixture), ==, 7);
  g_assert_null (fixture_find_file (&fixture, "docs"));
  g_assert_nonnull (fixture_find_file (&fixture, "Trace src/matrix/deep, 3 functions, wholly"));
  g_assert_cmpint (get_box (fixture_find_file (&fixture, "Trace src, 7 functions, partly")), ==, CS_BOX_PARTLY);
  g_assert_cmpint (get_box (fixture_find_file (&fixture, "Trace src/util, 3 functions, partly")), ==, CS_BOX_PARTLY);
  g_assert_cmpint (get_box (fixture_find_file (&fixture, "Trace src/util/timer.c, 2 functions, wholly")), ==, CS_BOX_ON);
  g_assert_cmpint (get_box (fixture_find_file (&fixture, "Trace src/util/rng.c, 1 function, not chosen")), ==, CS_BOX_OFF);

  /* The functions of the chosen files: not of rng.c. */
  g_assert_nonnull (fixture_find_function (&fixture, "matrix_invert, src/matrix/deep/matrix.c line 14, chosen, trace, not recorded"));
  g_assert_null (fixture_find_function (&fixture, "draw"));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (
                        cs_functions_pane_get_rows (cs_select_view_get_functions (fixture.view)))), ==, 3 + 6);
  fixture_close (&fixture);
}

static void
test_tick_and_save (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };
  g_autofree char *diff = NULL;

  open_project (&fixture);
  g_assert_false (fixture_is_enabled (&fixture, "save"));
  fixture_click_box (fixture_find_file (&fixture, "src/util/timer.c"));
  wait_for_summary (&fixture, "4 sources: 2 instrumented, 2 excluded · 4 of 7 functions chosen");
  g_assert_cmpint (get_box (fixture_find_file (&fixture, "src/util/timer.c")), ==, CS_BOX_OFF);
  g_assert_cmpint (get_box (fixture_find_file (&fixture, "Trace src/util,")), ==, CS_BOX_OFF);
  WAIT_FOR (fixture_find_function (&fixture, "timer_start") == NULL);

  /* What saving would change is shown, with signs; the file waits for it. */
  WAIT_FOR ((g_free (diff), diff = cs_select_summary_dup_diff (cs_select_view_get_summary (fixture.view)),
             strstr (diff, "+ exclude") != NULL));
  assert_file (&fixture, CONFIG);
  save (&fixture);
  assert_file (&fixture,
               "# What to trace; ask before you change this.\n"
               "include src/   # all of it\n"
               "\n"
               "# noise\n"
               "exclude src/util/rng.c\n"
               "exclude src/util/timer.c\n");
  WAIT_FOR ((g_free (diff), diff = cs_select_summary_dup_diff (cs_select_view_get_summary (fixture.view)), *diff == '\0'));

  /* Undone after saving, and saved again: as it was. */
  fixture_activate (&fixture, "select.undo");
  fixture_settle (&fixture);
  wait_for_summary (&fixture, "4 sources: 3 instrumented, 1 excluded · 6 of 7 functions chosen");
  save (&fixture);
  assert_file (&fixture, CONFIG);
  fixture_close (&fixture);
}

static void
test_function (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };

  open_project (&fixture);
  fixture_click_box (fixture_find_function (&fixture, "matrix_invert"));
  wait_for_summary (&fixture, "4 sources: 3 instrumented, 1 excluded · 5 of 7 functions chosen");
  g_assert_cmpint (get_box (fixture_find_file (&fixture, "src/matrix/deep/matrix.c")), ==, CS_BOX_PARTLY);
  g_assert_nonnull (fixture_find_function (&fixture, "matrix_invert, src/matrix/deep/matrix.c line 14, not chosen, exclude"));
  fixture_click_box (fixture_find_function (&fixture, "matrix_invert"));
  wait_for_summary (&fixture, "4 sources: 3 instrumented, 1 excluded · 6 of 7 functions chosen");
  g_assert_cmpstr (cs_chooser_get_text (fixture.chooser), ==, CONFIG);
  fixture_close (&fixture);
}

static void
filter_files (Fixture *fixture, const char *text)
{
  CsFilesPane *files = cs_select_view_get_files (fixture->view);

  cs_files_pane_set_filter (files, text);
  WAIT_FOR (!cs_file_tree_get_filtering (cs_files_pane_get_tree (files)));
}

static void
test_filter (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };
  CsFunctionsPane *functions;

  open_project (&fixture);
  filter_files (&fixture, "TIMER");
  WAIT_FOR (count_rows (&fixture) == 3); /* src, util, timer.c */
  g_assert_null (fixture_find_file (&fixture, "main.c"));
  fixture_activate (&fixture, "select.none-files");
  wait_for_summary (&fixture, "4 sources: 2 instrumented, 2 excluded · 4 of 7 functions chosen");
  fixture_activate (&fixture, "select.undo");
  wait_for_summary (&fixture, "4 sources: 3 instrumented, 1 excluded · 6 of 7 functions chosen");

  /* Nothing matches; and all come back. */
  filter_files (&fixture, "no such file");
  g_assert_cmpuint (count_rows (&fixture), ==, 0);
  filter_files (&fixture, "");
  WAIT_FOR (count_rows (&fixture) == 7);

  functions = cs_select_view_get_functions (fixture.view);
  cs_functions_pane_set_filter (functions, "matrix_");
  WAIT_FOR (!cs_source_rows_get_filtering (cs_functions_pane_get_rows (functions)));
  g_assert_cmpuint (cs_source_rows_get_n_functions (cs_functions_pane_get_rows (functions)), ==, 2);
  fixture_activate (&fixture, "select.none-functions");
  wait_for_summary (&fixture, "4 sources: 3 instrumented, 1 excluded · 4 of 7 functions chosen");
  g_assert_nonnull (fixture_find_function (&fixture, "matrix_multiply"));
  fixture_activate (&fixture, "select.all-functions");
  wait_for_summary (&fixture, "4 sources: 3 instrumented, 1 excluded · 6 of 7 functions chosen");

  /* A file's path is found, too: all of it is shown. */
  cs_functions_pane_set_filter (functions, "deep/matrix");
  WAIT_FOR (!cs_source_rows_get_filtering (cs_functions_pane_get_rows (functions)));
  g_assert_cmpuint (cs_source_rows_get_n_functions (cs_functions_pane_get_rows (functions)), ==, 3);
  fixture_close (&fixture);
}

static GtkTextBuffer *
get_buffer (Fixture *fixture)
{
  return gtk_text_view_get_buffer (cs_config_editor_get_text_view (cs_select_view_get_editor (fixture->view)));
}

static char *
dup_buffer (Fixture *fixture)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (get_buffer (fixture), &start, &end);
  return gtk_text_buffer_get_text (get_buffer (fixture), &start, &end, TRUE);
}

static void
assert_buffer (Fixture *fixture, const char *text)
{
  g_autofree char *now = dup_buffer (fixture);

  g_assert_cmpstr (now, ==, text);
  g_assert_cmpstr (cs_chooser_get_text (fixture->chooser), ==, text);
}

static void
test_text (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };
  GtkTextIter end;
  GtkTextTagTable *tags;

  open_project (&fixture);
  fixture_activate (&fixture, "select.edit-text");
  assert_buffer (&fixture, CONFIG);

  /* Typed: the boxes follow. */
  gtk_text_buffer_get_end_iter (get_buffer (&fixture), &end);
  gtk_text_buffer_insert (get_buffer (&fixture), &end, "exclude src/main.c # début\n", -1);
  wait_for_summary (&fixture, "4 sources: 2 instrumented, 2 excluded · 5 of 7 functions chosen");
  g_assert_cmpint (get_box (fixture_find_file (&fixture, "src/main.c")), ==, CS_BOX_OFF);

  /* Ticked: the text follows, and what isn't about it stays, the cursor, too. */
  gtk_text_buffer_get_start_iter (get_buffer (&fixture), &end);
  gtk_text_buffer_place_cursor (get_buffer (&fixture), &end);
  fixture_click_box (fixture_find_file (&fixture, "src/util/timer.c"));
  wait_for_summary (&fixture, "4 sources: 1 instrumented, 3 excluded · 3 of 7 functions chosen");
  assert_buffer (&fixture, cs_chooser_get_text (fixture.chooser));
  g_assert_true (g_str_has_prefix (cs_chooser_get_text (fixture.chooser), "# What to trace; ask before you change this.\n"));
  g_assert_nonnull (strstr (cs_chooser_get_text (fixture.chooser), "exclude src/main.c # début\n"));
  gtk_text_buffer_get_iter_at_mark (get_buffer (&fixture), &end, gtk_text_buffer_get_insert (get_buffer (&fixture)));
  g_assert_cmpint (gtk_text_iter_get_offset (&end), ==, 0);

  /* One history for both. */
  fixture_activate (&fixture, "select.undo");
  fixture_activate (&fixture, "select.undo");
  assert_buffer (&fixture, CONFIG);
  g_assert_false (fixture_is_enabled (&fixture, "undo"));
  fixture_activate (&fixture, "select.redo");
  wait_for_summary (&fixture, "4 sources: 2 instrumented, 2 excluded · 5 of 7 functions chosen");

  /* A line that can't be used is marked, and nothing is saved or ticked until it is mended. */
  gtk_text_buffer_get_end_iter (get_buffer (&fixture), &end);
  gtk_text_buffer_insert (get_buffer (&fixture), &end, "inclood src/\n", -1);
  WAIT_FOR (cs_chooser_get_text_error (fixture.chooser) != NULL);
  tags = gtk_text_buffer_get_tag_table (get_buffer (&fixture));
  gtk_text_buffer_get_iter_at_line (get_buffer (&fixture), &end, 6);
  g_assert_true (gtk_text_iter_has_tag (&end, gtk_text_tag_table_lookup (tags, "error")));
  gtk_text_buffer_get_iter_at_line (get_buffer (&fixture), &end, 5);
  g_assert_false (gtk_text_iter_has_tag (&end, gtk_text_tag_table_lookup (tags, "error")));
  g_assert_false (fixture_is_enabled (&fixture, "save"));
  g_assert_false (fixture_is_enabled (&fixture, "all-files"));
  WAIT_FOR (!gtk_widget_is_sensitive (cs_choice_row_get_box (fixture_find_file (&fixture, "src/main.c"))));
  fixture_activate (&fixture, "select.undo");
  WAIT_FOR (cs_chooser_get_text_error (fixture.chooser) == NULL);
  WAIT_FOR (gtk_widget_is_sensitive (cs_choice_row_get_box (fixture_find_file (&fixture, "src/main.c"))));
  fixture_close (&fixture);
}

static void
test_outside (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };

  open_project (&fixture);

  /* Without changes here the file is taken at once. */
  fixture_write (fixture.folder, "trace.config", "include src/main.c\n");
  wait_for_summary (&fixture, "4 sources: 1 instrumented, 3 excluded · 1 of 7 functions chosen");
  g_assert_false (cs_select_view_get_banner_shown (fixture.view));

  /* With changes here the person decides, and saving overwrites nothing meanwhile. */
  fixture_click_box (fixture_find_file (&fixture, "src/util/timer.c"));
  wait_for_summary (&fixture, "4 sources: 2 instrumented, 2 excluded · 3 of 7 functions chosen");
  fixture_write (fixture.folder, "trace.config", "# theirs\n");
  WAIT_FOR (cs_select_view_get_banner_shown (fixture.view));
  if (fixture_is_enabled (&fixture, "save"))
    fixture_activate (&fixture, "select.save");
  for (guint i = 0; i < 100; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  assert_file (&fixture, "# theirs\n");
  g_assert_true (cs_select_view_get_banner_shown (fixture.view));

  fixture_activate (&fixture, "select.keep");
  WAIT_FOR (!cs_select_view_get_banner_shown (fixture.view));
  g_assert_nonnull (strstr (cs_chooser_get_text (fixture.chooser), "include src/main.c\n"));
  assert_file (&fixture, "# theirs\n");
  save (&fixture);
  assert_file (&fixture, cs_chooser_get_text (fixture.chooser));

  fixture_click_box (fixture_find_file (&fixture, "src/util/timer.c"));
  WAIT_FOR (cs_chooser_get_dirty (fixture.chooser));
  fixture_settle (&fixture);
  fixture_write (fixture.folder, "trace.config", "include src/util/\n");
  WAIT_FOR (cs_select_view_get_banner_shown (fixture.view));
  fixture_activate (&fixture, "select.reload");
  wait_for_summary (&fixture, "4 sources: 2 instrumented, 2 excluded · 3 of 7 functions chosen");
  g_assert_false (cs_select_view_get_banner_shown (fixture.view));
  g_assert_cmpstr (cs_chooser_get_text (fixture.chooser), ==, "include src/util/\n");
  fixture_close (&fixture);
}

static void
focus_row (Fixture *fixture, CsChoiceRow *row)
{
  g_assert_nonnull (row);
  gtk_widget_grab_focus (gtk_widget_get_parent (GTK_WIDGET (row)));
  g_assert_true (cs_choice_row_find_focused (GTK_WIDGET (cs_files_pane_get_list (cs_select_view_get_files (fixture->view))))
                     == row
                 || cs_choice_row_find_focused (GTK_WIDGET (
                        cs_functions_pane_get_list (cs_select_view_get_functions (fixture->view)))) == row);
}

static void
test_keys (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };
  GtkListView *files, *functions;

  open_project (&fixture);
  files = cs_files_pane_get_list (cs_select_view_get_files (fixture.view));
  functions = cs_functions_pane_get_list (cs_select_view_get_functions (fixture.view));

  focus_row (&fixture, fixture_find_file (&fixture, "src/util/timer.c"));
  g_assert_true (fixture_press (files, GDK_KEY_space, 0));
  wait_for_summary (&fixture, "4 sources: 2 instrumented, 2 excluded · 4 of 7 functions chosen");
  focus_row (&fixture, fixture_find_file (&fixture, "src/util/timer.c"));
  g_assert_true (fixture_press (files, GDK_KEY_space, 0));
  wait_for_summary (&fixture, "4 sources: 3 instrumented, 1 excluded · 6 of 7 functions chosen");

  focus_row (&fixture, fixture_find_file (&fixture, "Trace src/util,"));
  g_assert_true (fixture_press (files, GDK_KEY_Left, 0));
  g_assert_cmpuint (count_rows (&fixture), ==, 5);
  focus_row (&fixture, fixture_find_file (&fixture, "Trace src/util,"));
  g_assert_true (fixture_press (files, GDK_KEY_Right, 0));
  g_assert_cmpuint (count_rows (&fixture), ==, 7);

  focus_row (&fixture, fixture_find_function (&fixture, "block,"));
  g_assert_true (fixture_press (functions, GDK_KEY_space, 0));
  wait_for_summary (&fixture, "4 sources: 3 instrumented, 1 excluded · 5 of 7 functions chosen");
  focus_row (&fixture, fixture_find_function (&fixture, "block,"));
  g_assert_true (fixture_press (functions, GDK_KEY_F10, GDK_SHIFT_MASK));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (functions), "function.action", "s", "count"));
  WAIT_FOR (fixture_find_function (&fixture, "block, src/matrix/deep/matrix.c line 2, chosen, count") != NULL);
  fixture_close (&fixture);
}

static void
test_subtree (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };
  CsFunctionsPane *functions;
  GtkListView *list;

  open_project (&fixture);
  functions = cs_select_view_get_functions (fixture.view);
  list = cs_functions_pane_get_list (functions);
  focus_row (&fixture, fixture_find_function (&fixture, "matrix_invert,"));
  g_assert_true (fixture_press (list, GDK_KEY_Menu, 0));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (list), "function.preview", NULL));

  /* It calls matrix_multiply, which calls block: all in one file. Looking changes nothing. */
  WAIT_FOR (g_str_equal (cs_subtree_popover_get_summary (cs_functions_pane_get_preview (functions)), "3 functions in 1 file"));
  g_assert_false (cs_chooser_get_dirty (fixture.chooser));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (list), "function.action", "s", "subtree"));
  WAIT_FOR (fixture_find_function (&fixture, "matrix_invert, src/matrix/deep/matrix.c line 14, chosen, subtree") != NULL);
  g_assert_nonnull (strstr (cs_chooser_get_text (fixture.chooser), "include-func matrix_invert\n"));
  fixture_close (&fixture);
}

/* What was opened and closed stays so when a file comes or goes. */
static void
test_files_come (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };
  GtkListView *files;
  g_autofree char *path = NULL;

  open_project (&fixture);
  files = cs_files_pane_get_list (cs_select_view_get_files (fixture.view));
  focus_row (&fixture, fixture_find_file (&fixture, "Trace src/matrix/deep,"));
  g_assert_true (fixture_press (files, GDK_KEY_Left, 0));
  g_assert_cmpuint (count_rows (&fixture), ==, 6);

  fixture_write (fixture.folder, "src/util/added.c", "int\nadded (void)\n{\n  return 1;\n}\n");
  WAIT_FOR (fixture_find_file (&fixture, "src/util/added.c, 1 function") != NULL);
  g_assert_cmpuint (count_rows (&fixture), ==, 7);
  wait_for_summary (&fixture, "5 sources: 4 instrumented, 1 excluded · 7 of 8 functions chosen");
  WAIT_FOR (fixture_find_function (&fixture, "added,") != NULL);

  path = g_build_filename (fixture.folder, "src/util/added.c", NULL);
  g_assert_no_errno (g_unlink (path));
  WAIT_FOR (fixture_find_file (&fixture, "src/util/added.c") == NULL);
  g_assert_cmpuint (count_rows (&fixture), ==, 6);
  wait_for_summary (&fixture, "4 sources: 3 instrumented, 1 excluded · 6 of 7 functions chosen");
  fixture_close (&fixture);
}

/* A list makes widgets for about 200 rows: what a filter takes away begins before these and ends among them. */
static void
test_filter_scrolled (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };
  char *folder = fixture_new_folder ();
  GtkTreeListModel *rows;
  GtkWidget *list;

  for (guint i = 0; i < 600; i++)
    {
      g_autofree char *name = g_strdup_printf ("src/group%u/file%03u.c", i / 30, i);

      fixture_write (folder, name, "int\nf (void)\n{\n  return 1;\n}\n");
    }
  fixture_open (&fixture, folder);
  fixture_wait_ready (&fixture);
  filter_files (&fixture, ".c");
  rows = cs_file_tree_get_rows (cs_files_pane_get_tree (cs_select_view_get_files (fixture.view)));
  WAIT_FOR (g_list_model_get_n_items (G_LIST_MODEL (rows)) >= 400);
  list = GTK_WIDGET (cs_files_pane_get_list (cs_select_view_get_files (fixture.view)));
  for (guint position = 0; position < 400; position += 100)
    {
      gtk_widget_activate_action (list, "list.scroll-to-item", "u", position);
      for (guint i = 0; i < 20; i++)
        {
          g_main_context_iteration (NULL, FALSE);
          g_usleep (1000);
        }
    }
  filter_files (&fixture, "");
  WAIT_FOR (g_list_model_get_n_items (G_LIST_MODEL (rows)) < 100);

  /* All widgets show the row that is at their place. */
  for (GtkWidget *child = gtk_widget_get_first_child (list); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkListItem *item = cs_choice_row_get_list_item (CS_CHOICE_ROW (gtk_widget_get_first_child (child)));
      g_autoptr (GtkTreeListRow) row = NULL;

      if (item == NULL)
        continue;
      row = g_list_model_get_item (G_LIST_MODEL (rows), gtk_list_item_get_position (item));
      g_assert_true (gtk_list_item_get_item (item) == row);
    }
  fixture_close (&fixture);
}

static void
test_scope (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };
  GtkSelectionModel *model;
  CsSourceRows *rows;

  open_project (&fixture);
  rows = cs_functions_pane_get_rows (cs_select_view_get_functions (fixture.view));
  model = gtk_list_view_get_model (cs_files_pane_get_list (cs_select_view_get_files (fixture.view)));
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (model)); i++)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (model), i);
      g_autoptr (CsFileItem) item = gtk_tree_list_row_get_item (row);

      if (g_str_equal (cs_file_item_get_path (item), "src/util/rng.c"))
        gtk_selection_model_select_item (model, i, TRUE);
    }

  /* Of a file that is selected functions are shown also when none is chosen. */
  WAIT_FOR (cs_source_rows_get_n_functions (rows) == 1);
  WAIT_FOR (fixture_find_function (&fixture, "draw, src/util/rng.c line 2, not chosen") != NULL);
  fixture_activate (&fixture, "select.show-chosen");
  WAIT_FOR (cs_source_rows_get_n_functions (rows) == 6);
  fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/select/tree", test_tree);
  g_test_add_func ("/app/select/tick-and-save", test_tick_and_save);
  g_test_add_func ("/app/select/function", test_function);
  g_test_add_func ("/app/select/filter", test_filter);
  g_test_add_func ("/app/select/text", test_text);
  g_test_add_func ("/app/select/outside", test_outside);
  g_test_add_func ("/app/select/keys", test_keys);
  g_test_add_func ("/app/select/subtree", test_subtree);
  g_test_add_func ("/app/select/files-come", test_files_come);
  g_test_add_func ("/app/select/filter-scrolled", test_filter_scrolled);
  g_test_add_func ("/app/select/scope", test_scope);
  return g_test_run ();
}
