/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "flame-view-fixture.h"

static void
test_options (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  CsFlameView *second;
  g_autofree char *kind = NULL;
  g_autofree char *order = NULL;

  open_flame (&fixture, write_recording ());
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "chart");
  assert_frames (&fixture, "1:598 8:2 / 3:275 2:30 4:30 6:12 7:1 5:1 / 5:21 6:8");
  act (&fixture, "flame-graph.order::name");
  assert_frames (&fixture, "1:598 8:2 / 2:30 3:275 4:30 6:12 7:1 5:1 / 5:21 6:8");
  act (&fixture, "flame-graph.order::first-call");
  assert_frames (&fixture, "1:598 8:2 / 2:30 3:275 4:30 6:12 7:1 5:1 / 5:21 6:8");
  act (&fixture, "flame-graph.collapse");
  assert_frames (&fixture, "1:598 8:2 / 2:30 3:275 4:30 6:12 7:1 5:1 / 5:21");
  act (&fixture, "flame-graph.order::time");
  act (&fixture, "flame-graph.kind::callers");
  assert_frames (&fixture, "3:275 1:250 2:30 5:22 6:12 4:9 7:1 8:1 / 1:275 1:30 4:21 8:1 1:12 1:9 1:1 / 1:21");
  act (&fixture, "flame-graph.collapse");
  act (&fixture, "flame-graph.kind::tree");
  assert_frames (&fixture, "1:598 8:2 / 3:275 2:30 4:30 6:12 7:1 5:1 / 5:21 6:8");
  /* Another window begins with what was chosen last; this one stays as it is. */
  g_settings_set_string (cs_settings_get (), "flame-order", "name"); /* in another window */
  act (&fixture, "flame-graph.shape::flame");
  act (&fixture, "flame-graph.kind::callers");
  order = g_settings_get_string (cs_settings_get (), "flame-order");
  g_assert_cmpstr (order, ==, "name");
  second = g_object_ref_sink (g_object_new (CS_TYPE_FLAME_VIEW, NULL));
  g_action_group_get_action_state (cs_view_get_actions (CS_VIEW (second)), "kind");
  g_variant_get (g_action_group_get_action_state (cs_view_get_actions (CS_VIEW (second)), "kind"), "s", &kind);
  g_assert_cmpstr (kind, ==, "callers");
  g_object_unref (second);
  close_flame (&fixture);
}

static void
test_path (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  const guint *path;
  guint n;

  open_flame (&fixture, write_recording ());
  assert_focus (&fixture, 0, "all threads");
  /* A frame that is clicked is the session's, and can be gone back from. */
  g_signal_emit_by_name (fixture.chart, "focus-requested", get_frame (&fixture, INNER));
  settle (&fixture);
  path = cs_session_get_path (fixture.base.session, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (path[0], ==, find (&fixture.base, MAIN));
  g_assert_cmpuint (path[1], ==, find (&fixture.base, OUTER));
  g_assert_cmpuint (path[2], ==, find (&fixture.base, INNER));
  assert_focus (&fixture, INNER, "all threads › 0x1000 › 0x4000 › 0x5000");
  g_signal_emit_by_name (fixture.chart, "step-out");
  settle (&fixture);
  assert_focus (&fixture, OUTER, "all threads › 0x1000 › 0x4000");
  act (&fixture, "flame-graph.up-to(uint32 0)");
  assert_focus (&fixture, 0, "all threads");
  act (&fixture, "win.back");
  assert_focus (&fixture, OUTER, "all threads › 0x1000 › 0x4000");
  act (&fixture, "win.back");
  assert_focus (&fixture, INNER, "all threads › 0x1000 › 0x4000 › 0x5000");
  act (&fixture, "win.forward");
  assert_focus (&fixture, OUTER, "all threads › 0x1000 › 0x4000");
  /* It is found again in another layout and in another profile. */
  act (&fixture, "flame-graph.order::name");
  assert_focus (&fixture, OUTER, "all threads › 0x1000 › 0x4000");
  cs_session_set_range (fixture.base.session, TRUE, 550, 583);
  settle (&fixture);
  assert_focus (&fixture, OUTER, "all threads › 0x1000 › 0x4000");
  assert_frames (&fixture, "1:33 / 4:30 / 5:21");
  act (&fixture, "win.back");
  /* In a tree of callers the focus is the view's own. */
  act (&fixture, "flame-graph.kind::callers");
  assert_focus (&fixture, 0, "all threads");
  g_signal_emit_by_name (fixture.chart, "focus-requested", get_frame (&fixture, INNER));
  settle (&fixture);
  assert_focus (&fixture, INNER, "all threads › 0x5000");
  cs_session_get_path (fixture.base.session, &n);
  g_assert_cmpuint (n, ==, 2);
  act (&fixture, "flame-graph.order::time");
  assert_focus (&fixture, INNER, "all threads › 0x5000");
  cs_session_set_range (fixture.base.session, TRUE, 550, 583);
  settle (&fixture);
  assert_focus (&fixture, INNER, "all threads › 0x5000");
  act (&fixture, "win.back");
  assert_focus (&fixture, INNER, "all threads › 0x5000");
  g_signal_emit_by_name (fixture.chart, "step-out");
  assert_focus (&fixture, 0, "all threads");
  act (&fixture, "flame-graph.kind::tree");
  assert_focus (&fixture, OUTER, "all threads › 0x1000 › 0x4000");
  close_flame (&fixture);
}

/* What the tooltip and the readout say of a frame. */
static void
test_texts (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  CsFlameTexts *texts;
  g_autofree char *text = NULL;
  g_autofree char *mirrored = NULL;

  open_flame (&fixture, write_recording ());
  texts = cs_flame_texts_new (cs_flame_view_get_picture (fixture.view));
  text = cs_flame_texts_get_table ()->dup_text (get_frame (&fixture, OUTER), texts);
  g_assert_cmpstr (text, ==, "0x4000\nSelf: 9 ns (1.5 %)\nInclusive: 30 ns (5.0 %)\nCalls: 3\n"
                             "Function in all: 30 ns, p50 10 ns, p99 10 ns, max 10 ns");
  /* Read from the right, a number and its unit stay one piece. */
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  mirrored = cs_flame_texts_get_table ()->dup_text (get_frame (&fixture, OUTER), texts);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
  g_assert_nonnull (strstr (mirrored, "\nSelf: \u20669 ns\u2069 (\u20661.5 %\u2069)\n"));
  cs_flame_texts_free (texts);
  close_flame (&fixture);
}

/* Where there is no frame the menu has what can be done without one. */
static void
test_menus (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  GtkWidget *view, *menu;

  open_flame (&fixture, write_recording ());
  view = GTK_WIDGET (fixture.view);
  g_signal_emit_by_name (fixture.chart, "menu-requested", CS_FLAME_NONE, 1.0, 1.0);
  wait_for_text (&fixture, "Export…");
  g_assert_true (has_text (view, "Show as Table"));
  g_assert_false (has_text (view, "Show All Again"));
  g_assert_false (has_text (view, "Copy Name"));
  set_cursor (&fixture, LOST);
  act (&fixture, "flame-graph.hide-function");
  g_signal_emit_by_name (fixture.chart, "menu-requested", CS_FLAME_NONE, 1.0, 1.0);
  wait_for_text (&fixture, "Show All Again");
  g_assert_false (has_text (view, "Copy Name"));
  g_signal_emit_by_name (fixture.chart, "menu-requested", get_frame (&fixture, OUTER), 1.0, 1.0);
  wait_for_text (&fixture, "Copy Name");
  /* One that is open when the window is closed isn't kept. */
  menu = fixture.view->frame_menu;
  g_object_add_weak_pointer (G_OBJECT (menu), (gpointer *) &menu);
  close_flame (&fixture);
  for (guint i = 0; menu != NULL && i < 100; i++)
    {
      g_usleep (5000);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  g_assert_null (menu);
}

static void
on_text_read (GObject *clipboard, GAsyncResult *result, gpointer user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

static void
assert_clipboard (FlameFixture *fixture, const char *expected)
{
  g_autofree char *text = NULL;

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (fixture->view)), NULL, on_text_read, &text);
  while (text == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (text, ==, expected);
}

static void
assert_view (FlameFixture *fixture, const char *name)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (fixture->base.window), "view");

  g_assert_cmpstr (g_variant_get_string (state, NULL), ==, name);
}

static void
test_actions (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  GActionGroup *actions;
  const CsSessionCall *call;
  guint n;

  open_flame (&fixture, write_recording ());
  actions = cs_view_get_actions (CS_VIEW (fixture.view));
  cs_flame_chart_set_cursor (fixture.chart, CS_FLAME_NONE);
  settle (&fixture);
  g_assert_false (g_action_group_get_action_enabled (actions, "hide-function"));
  g_assert_false (g_action_group_get_action_enabled (actions, "show-timeline"));
  g_assert_false (g_action_group_get_action_enabled (actions, "find-next"));
  g_assert_false (g_action_group_get_action_enabled (actions, "show-all"));
  set_cursor (&fixture, INNER);
  settle (&fixture);
  g_assert_true (g_action_group_get_action_enabled (actions, "hide-function"));
  g_assert_false (g_action_group_get_action_enabled (actions, "open-editor")); /* no sources */
  g_assert_false (g_action_group_get_action_enabled (actions, "exclude"));     /* no project */
  act (&fixture, "flame-graph.copy-name");
  assert_clipboard (&fixture, "0x5000");
  act (&fixture, "flame-graph.copy-stack");
  assert_clipboard (&fixture, "0x1000\n0x4000\n0x5000");
  act (&fixture, "flame-graph.focus");
  cs_session_get_path (fixture.base.session, &n);
  g_assert_cmpuint (n, ==, 3);
  act (&fixture, "flame-graph.up");
  cs_session_get_path (fixture.base.session, &n);
  g_assert_cmpuint (n, ==, 2);
  act (&fixture, "flame-graph.select-function");
  g_assert_cmpuint (cs_session_get_function (fixture.base.session), ==, find (&fixture.base, INNER));
  assert_view (&fixture, "flame-graph");
  /* The first of the longest calls of the path. */
  act (&fixture, "flame-graph.show-timeline");
  while (cs_session_get_call (fixture.base.session) == NULL)
    g_main_context_iteration (NULL, TRUE);
  call = cs_session_get_call (fixture.base.session);
  g_assert_cmpuint (call->tid, ==, 7);
  g_assert_cmpint (call->end - call->start, ==, 7);
  g_assert_cmpuint (call->address, ==, INNER);
  g_assert_cmpuint (call->depth, ==, 2);
  assert_view (&fixture, "timeline");
  act (&fixture, "flame-graph.show-hotspots");
  assert_view (&fixture, "hotspots");
  act (&fixture, "win.view::flame-graph");
  act (&fixture, "flame-graph.filter-function");
  g_assert_cmpstr (cs_session_get_filter (fixture.base.session)->function, ==, "0x5000");
  assert_frames (&fixture, "5:22");
  close_flame (&fixture);
}

/* What is selected elsewhere has the cursor here. */
static void
test_function (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;

  open_flame (&fixture, write_recording ());
  cs_session_set_function (fixture.base.session, find (&fixture.base, INNER));
  g_assert_cmpuint (cs_flame_chart_get_cursor (fixture.chart), ==, 9); /* of 21 ns, not that of 1 */
  act (&fixture, "flame-graph.kind::callers");
  g_assert_cmpuint (cs_flame_chart_get_cursor (fixture.chart), ==, get_frame (&fixture, INNER));
  close_flame (&fixture);
}

static guint32
get_row_node (FlameFixture *fixture, guint i)
{
  g_autoptr (CsFlameRow) row = g_list_model_get_item (cs_flame_table_get_model (cs_flame_view_get_table (fixture->view)), i);

  g_assert_nonnull (row);
  return cs_flame_row_get_node (row);
}

static void
test_table (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  CsFlameTable *table;
  static const guint32 expected[] = { 1, 3, 4, 5, 9, 6, 10, 2, 7, 8 }; /* by width, then from the top and the left */

  open_flame (&fixture, write_recording ());
  table = cs_flame_view_get_table (fixture.view);
  g_assert_cmpuint (get_n_rows (&fixture), ==, 0);
  set_cursor (&fixture, OUTER);
  act (&fixture, "flame-graph.table");
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "table");
  g_assert_cmpuint (get_n_rows (&fixture), ==, N_NODES - 1);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpuint (get_row_node (&fixture, i), ==, expected[i]);
  g_assert_cmpuint (cs_flame_table_get_selected (table), ==, get_frame (&fixture, OUTER));
  g_assert_true (has_text (GTK_WIDGET (table), "0x4000"));
  g_assert_true (has_text (GTK_WIDGET (table), "21 ns"));
  g_assert_true (has_text (GTK_WIDGET (table), "5.0 %")); /* 30 of 600 */
  /* Enter zooms; what is listed is at the focus and below. */
  g_signal_emit_by_name (table, "activated", get_frame (&fixture, OUTER));
  settle (&fixture);
  assert_focus (&fixture, OUTER, "all threads › 0x1000 › 0x4000");
  g_assert_cmpuint (get_n_rows (&fixture), ==, 2);
  g_assert_cmpuint (get_row_node (&fixture, 0), ==, 5);
  g_assert_cmpuint (get_row_node (&fixture, 1), ==, 9);
  cs_flame_table_select (table, 9);
  act (&fixture, "flame-graph.table");
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "chart");
  g_assert_cmpuint (cs_flame_chart_get_cursor (fixture.chart), ==, 9);
  g_assert_cmpuint (get_n_rows (&fixture), ==, 0);
  close_flame (&fixture);
}

/* More than anybody reads is counted in a last row. */
static void
test_many_rows (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  g_autoptr (CsFlameRow) last = NULL;

  open_flame (&fixture, write_deep (CS_FLAME_TABLE_MOST + 10));
  act (&fixture, "flame-graph.table");
  g_assert_cmpuint (get_n_rows (&fixture), ==, CS_FLAME_TABLE_MOST + 1);
  g_assert_cmpuint (get_row_node (&fixture, 0), ==, 1);
  g_assert_cmpuint (get_row_node (&fixture, CS_FLAME_TABLE_MOST - 1), ==, CS_FLAME_TABLE_MOST);
  last = g_list_model_get_item (cs_flame_table_get_model (cs_flame_view_get_table (fixture.view)), CS_FLAME_TABLE_MOST);
  g_assert_cmpuint (cs_flame_row_get_node (last), ==, CS_FLAME_NONE);
  g_assert_cmpstr (cs_flame_row_get_remark (last), ==, "and 10 more frames, which took less time");
  act (&fixture, "flame-graph.table");
  close_flame (&fixture);
}

static void
save (FlameFixture *fixture, CsFlameSaveFormat format, const char *path, char **contents, gsize *length)
{
  GListModel *jobs = G_LIST_MODEL (cs_session_get_jobs (fixture->base.session));

  cs_flame_save_start (fixture->view, format, path);
  g_assert_cmpuint (g_list_model_get_n_items (jobs), ==, 1);
  while (g_list_model_get_n_items (jobs) > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (g_file_get_contents (path, contents, length, NULL));
  g_unlink (path);
}

/* What is shown is saved: of the frame in focus, without what is hidden. */
static void
test_save (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  g_autofree char *folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "file", NULL);
  g_autofree char *folded = NULL;
  g_autofree char *focused = NULL;
  g_autofree char *svg = NULL;
  g_autofree char *png = NULL;
  g_autofree char *walked = NULL;
  g_auto (GStrv) lines = NULL;
  guint64 sum = 0;
  gsize length, walked_length;

  /* What slides in makes the chart lower, for as long as it slides. */
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  open_flame (&fixture, write_recording ());
  set_cursor (&fixture, LOST);
  act (&fixture, "flame-graph.hide-function");
  save (&fixture, CS_FLAME_SAVE_FOLDED, path, &folded, &length);
  lines = g_strsplit (folded, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      sum += g_ascii_strtoull (strrchr (lines[i], ' ') + 1, NULL, 10);
  g_assert_cmpuint (sum, ==, 600);
  g_assert_nonnull (strstr (folded, "0x1000;0x4000;0x5000 21\n"));
  g_assert_null (strstr (folded, "0x7000"));
  g_signal_emit_by_name (fixture.chart, "focus-requested", get_frame (&fixture, OUTER));
  settle (&fixture);
  save (&fixture, CS_FLAME_SAVE_FOLDED, path, &focused, &length);
  g_assert_null (strstr (focused, "0x3000"));
  g_assert_nonnull (strstr (focused, "0x1000;0x4000 9\n"));
  cs_session_set_search (fixture.base.session, "0x5000", FALSE);
  settle (&fixture);
  save (&fixture, CS_FLAME_SAVE_SVG, path, &svg, &length);
  g_assert_nonnull (strstr (svg, "<svg"));
  g_assert_nonnull (strstr (svg, "0x5000"));
  g_assert_nonnull (strstr (svg, "Without 0x7000"));
  g_assert_nonnull (strstr (svg, "Found: 0x5000"));
  g_assert_null (strstr (svg, "0x3000"));
  cs_flame_chart_fit (fixture.chart, FALSE);
  cs_flame_chart_set_cursor (fixture.chart, CS_FLAME_NONE);
  test_wait_frames (GTK_WIDGET (fixture.chart));
  save (&fixture, CS_FLAME_SAVE_PNG, path, &png, &length);
  g_assert_cmpuint (length, >, 1000);
  g_assert_cmpmem (png, 8, "\x89PNG\r\n\x1a\n", 8);
  /* Where one is isn't in the picture. */
  set_cursor (&fixture, INNER);
  test_wait_frames (GTK_WIDGET (fixture.chart));
  save (&fixture, CS_FLAME_SAVE_PNG, path, &walked, &walked_length);
  g_assert_cmpmem (walked, walked_length, png, length);
  g_rmdir (folder);
  close_flame (&fixture);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/flame-view/options", test_options);
  g_test_add_func ("/app/flame-view/path", test_path);
  g_test_add_func ("/app/flame-view/texts", test_texts);
  g_test_add_func ("/app/flame-view/menus", test_menus);
  g_test_add_func ("/app/flame-view/actions", test_actions);
  g_test_add_func ("/app/flame-view/function", test_function);
  g_test_add_func ("/app/flame-view/table", test_table);
  g_test_add_func ("/app/flame-view/many-rows", test_many_rows);
  g_test_add_func ("/app/flame-view/save", test_save);
  return g_test_run ();
}
