/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "flame-view-fixture.h"

/* The line below tells how much is on view, however one came there. */
static void
test_status (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;

  open_flame (&fixture, write_recording ());
  wait_for_text (&fixture, "600 ns · 10 frames · 3 deep");
  cs_flame_chart_zoom (fixture.chart, -1, 2, FALSE);
  wait_for_text (&fixture, "300 ns of 600 ns (50.0 %) · 10 frames · 3 deep");
  cs_flame_chart_pan (fixture.chart, 40, 0);
  cs_flame_chart_zoom (fixture.chart, -1, 2, TRUE);
  wait_for_text (&fixture, "150 ns of 600 ns (25.0 %) · 10 frames · 3 deep");
  /* A table lists all of the focus. */
  act (&fixture, "flame-graph.table");
  wait_for_text (&fixture, "600 ns · 10 frames · 3 deep");
  act (&fixture, "flame-graph.table");
  cs_flame_chart_fit (fixture.chart, FALSE);
  wait_for_text (&fixture, "600 ns · 10 frames · 3 deep");
  g_signal_emit_by_name (fixture.chart, "focus-requested", get_frame (&fixture, OUTER));
  wait_for_text (&fixture, "30 ns of 600 ns (5.0 %) · 10 frames · 3 deep");
  close_flame (&fixture);
}

/* A long path is shortened in the middle. */
static void
test_deep (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  guint32 last;

  open_flame (&fixture, write_deep (1000));
  last = cs_flame_layout_get_n_nodes (get_layout (&fixture)) - 1;
  g_assert_cmpuint (last, ==, 1000);
  g_signal_emit_by_name (fixture.chart, "focus-requested", last);
  settle (&fixture);
  {
    g_autofree char *text = cs_flame_crumbs_dup_text (cs_flame_view_get_crumbs (fixture.view));

    g_assert_cmpstr (text, ==, "all threads › … › 0x4e40 › 0x4e50 › 0x4e60 › 0x4e70");
  }
  act (&fixture, "flame-graph.up-to(uint32 2)");
  assert_focus (&fixture, MAIN + 16, "all threads › 0x1000 › 0x1010");
  close_flame (&fixture);
}

/* A summary of one function. */
static char *
write_summary (void)
{
  struct trace_summary_header header = { TRACE_SUMMARY_MAGIC, TRACE_SUMMARY_VERSION, TRACE_SUMMARY_RECORD_SIZE,
                                         TRACE_SUMMARY_HEADER_SIZE, .pid = 7, .tid = 7, .records = 1, .span = 100 };
  struct trace_summary_record record = { .func = MAIN, .calls = 1, .incl = 6, .self = 6, .min = 6, .max = 6, .hist = { [6] = 1 } };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  char *folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "trace.summary.7.7.bin", NULL);

  g_byte_array_append (bytes, (const guint8 *) &header, sizeof header);
  g_byte_array_append (bytes, (const guint8 *) &record, sizeof record);
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, (gssize) bytes->len, NULL));
  return folder;
}

static void
test_summary (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  g_autofree char *path = NULL;

  open_flame (&fixture, write_summary ());
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "nothing");
  g_assert_true (has_text (GTK_WIDGET (fixture.view), "No Call Paths"));
  g_assert_true (has_text (GTK_WIDGET (fixture.view), "Show Hotspots"));
  path = g_build_filename (fixture.base.folder, "trace.summary.7.7.bin", NULL);
  g_unlink (path);
  close_flame (&fixture);
}

/* Where there is nothing to see, it is said why. */
static void
test_nothing (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  GByteArray *instant = test_recording_new ();

  open_flame (&fixture, write_recording ());
  cs_session_set_range (fixture.base.session, TRUE, 650, 700);
  settle (&fixture);
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "nothing");
  g_assert_true (has_text (GTK_WIDGET (fixture.view), "No Calls"));
  act (&fixture, "flame-graph.clear-filters");
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "chart");
  close_flame (&fixture);

  test_recording_add (instant, 5, MAIN, TRACE_KIND_ENTER);
  test_recording_add (instant, 5, MAIN, TRACE_KIND_EXIT);
  open_flame (&fixture, test_recording_write (instant));
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "nothing");
  g_assert_true (has_text (GTK_WIDGET (fixture.view), "No Time"));
  act (&fixture, "flame-graph.table");
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "table");
  g_assert_cmpuint (get_n_rows (&fixture), ==, 1);
  close_flame (&fixture);
}

/* Layouts that are no longer wanted when they are there are never shown. */
static void
test_superseded (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  GtkWidget *window;
  CsFlamePicture *old;

  open_flame (&fixture, write_deep (400));
  window = GTK_WIDGET (fixture.base.window);
  for (guint i = 0; i < 10; i++)
    {
      old = cs_flame_view_get_picture (fixture.view);
      gtk_widget_activate_action (window, "flame-graph.kind", "s", "callers");
      /* It may be ready by now, but nobody has been told. */
      g_usleep (i * 500);
      gtk_widget_activate_action (window, "flame-graph.order", "s", "name");
      gtk_widget_activate_action (window, "flame-graph.kind", "s", "tree");
      gtk_widget_activate_action (window, "flame-graph.order", "s", i % 2 == 0 ? "first-call" : "time");
      while (cs_flame_view_get_busy (fixture.view))
        {
          CsFlamePicture *picture = cs_flame_view_get_picture (fixture.view);

          g_assert_true (picture == old);
          g_assert_true (cs_flame_chart_get_layout (fixture.chart) == cs_flame_picture_get_layout (old));
          g_main_context_iteration (NULL, TRUE);
          if (cs_flame_view_get_picture (fixture.view) != old)
            break;
        }
      settle (&fixture);
      g_assert_cmpint (cs_flame_picture_get_choice (cs_flame_view_get_picture (fixture.view))->kind, ==, CS_FLAME_CALL_TREE);
      g_assert_cmpint (cs_flame_picture_get_choice (cs_flame_view_get_picture (fixture.view))->order, ==,
                       i % 2 == 0 ? CS_FLAME_BY_FIRST_CALL : CS_FLAME_BY_TIME);
    }
  /* A recording that is closed meanwhile leaves nothing behind. */
  gtk_widget_activate_action (window, "flame-graph.kind", "s", "callers");
  cs_session_close_recording (fixture.base.session);
  settle (&fixture);
  g_assert_null (cs_flame_view_get_picture (fixture.view));
  close_flame (&fixture);
}

/* A recording that is being received: a call of `fives' of 60 µs and one of `threes' of 30 µs, so many times. */
static void
add_to_stream (const char *folder, guint64 from, guint64 to)
{
  g_autofree char *path = g_build_filename (folder, "trace.stream.dev.0.bin", NULL);
  g_autoptr (GByteArray) bytes = from == 0 ? test_recording_new () : g_byte_array_new ();
  FILE *file = fopen (path, "ab");

  for (guint64 i = from; i < to; i++)
    {
      test_recording_add (bytes, i * 100000, FIVES, TRACE_KIND_ENTER);
      test_recording_add (bytes, i * 100000 + 60000, FIVES, TRACE_KIND_EXIT);
      test_recording_add (bytes, i * 100000 + 60000, THREES, TRACE_KIND_ENTER);
      test_recording_add (bytes, i * 100000 + 90000, THREES, TRACE_KIND_EXIT);
    }
  g_assert_cmpuint (fwrite (bytes->data, 1, bytes->len, file), ==, bytes->len);
  fclose (file);
  test_stream_set_live (path, TRUE);
}

static void
wait_for_total (FlameFixture *fixture, guint64 total)
{
  while (cs_flame_layout_get_total (get_layout (fixture)) != total)
    g_main_context_iteration (NULL, TRUE);
  settle (fixture);
}

/* The session has another profile than the picture for now. */
static void
on_profile (CsSession *session, GParamSpec *pspec, FlameFixture *fixture)
{
  GActionGroup *actions = cs_view_get_actions (CS_VIEW (fixture->view));

  g_signal_handlers_disconnect_by_func (session, on_profile, fixture);
  g_assert_true (cs_flame_picture_get_profile (cs_flame_view_get_picture (fixture->view)) != cs_session_get_profile (session));
  g_signal_emit_by_name (fixture->chart, "focus-requested", get_frame (fixture, THREES));
  g_action_group_activate_action (actions, "select-function", NULL);
}

/* What is looked at stays where it is while there is more and more of it, and can be clicked at any time. */
static void
test_growing (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  CsFlameWindow window;
  GtkPopover *menu;
  GtkWidget *crumb;
  char *folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "trace.stream.dev.0.bin", NULL);

  add_to_stream (folder, 0, 10);
  open_flame (&fixture, folder);
  while (!cs_session_get_growing (fixture.base.session))
    g_main_context_iteration (NULL, TRUE);
  fixture.base.session->least_look_us = 20000;
  settle (&fixture);
  assert_frames (&fixture, "3:600000 2:300000");
  /* `fives' is in focus: the second quarter of it is seen. */
  g_signal_emit_by_name (fixture.chart, "focus-requested", get_frame (&fixture, FIVES));
  cs_session_set_search (fixture.base.session, "0x3000", FALSE);
  settle (&fixture);
  act (&fixture, "flame-graph.find-next");
  cs_flame_chart_fit (fixture.chart, FALSE);
  cs_flame_chart_zoom (fixture.chart, gtk_widget_get_width (GTK_WIDGET (fixture.chart)) / 3.0, 4, FALSE);
  cs_flame_chart_get_window (fixture.chart, &window);
  g_assert_cmpuint (window.x0, ==, 150000);
  g_assert_cmpuint (window.x1, ==, 300000);
  menu = gtk_menu_button_get_popover (fixture.view->kind_button);
  crumb = gtk_widget_get_first_child (GTK_WIDGET (cs_flame_view_get_crumbs (fixture.view)));
  add_to_stream (folder, 10, 30);
  wait_for_total (&fixture, 2700000);
  cs_flame_chart_get_window (fixture.chart, &window);
  g_assert_cmpuint (window.x0, ==, 450000);
  g_assert_cmpuint (window.x1, ==, 900000);
  g_assert_cmpuint (cs_flame_chart_get_cursor (fixture.chart), ==, get_frame (&fixture, FIVES));
  g_assert_cmpuint (cs_flame_search_get_position (fixture.search), ==, 0);
  /* A menu that is open isn't taken away. */
  g_assert_true (gtk_menu_button_get_popover (fixture.view->kind_button) == menu);
  g_assert_true (gtk_widget_get_first_child (GTK_WIDGET (cs_flame_view_get_crumbs (fixture.view))) == crumb);
  cs_session_set_search (fixture.base.session, "0x", FALSE);
  settle (&fixture);
  g_assert_cmpuint (cs_flame_search_get_position (fixture.search), ==, G_MAXUINT);
  /* So does what is selected in the table. */
  act (&fixture, "flame-graph.up");
  act (&fixture, "flame-graph.table");
  cs_flame_table_select (cs_flame_view_get_table (fixture.view), get_frame (&fixture, THREES));
  g_signal_connect (fixture.base.session, "notify::profile", G_CALLBACK (on_profile), &fixture);
  add_to_stream (folder, 30, 40);
  wait_for_total (&fixture, 3600000);
  assert_focus (&fixture, THREES, "all threads › 0x2000");
  g_assert_cmpuint (cs_session_get_function (fixture.base.session), ==, find (&fixture.base, THREES));
  g_assert_cmpuint (cs_flame_table_get_selected (cs_flame_view_get_table (fixture.view)), ==, get_frame (&fixture, THREES));
  act (&fixture, "flame-graph.table");
  /* Another part is shown as a whole. */
  act (&fixture, "flame-graph.up");
  cs_flame_chart_zoom (fixture.chart, 0, 2, FALSE);
  cs_session_set_range (fixture.base.session, TRUE, 0, 200000);
  wait_for_total (&fixture, 180000);
  cs_flame_chart_get_window (fixture.chart, &window);
  g_assert_cmpuint (window.x1 - window.x0, ==, 180000);
  g_unlink (path);
  close_flame (&fixture);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/flame-states/status", test_status);
  g_test_add_func ("/app/flame-states/deep", test_deep);
  g_test_add_func ("/app/flame-states/summary", test_summary);
  g_test_add_func ("/app/flame-states/nothing", test_nothing);
  g_test_add_func ("/app/flame-states/superseded", test_superseded);
  g_test_add_func ("/app/flame-states/growing", test_growing);
  return g_test_run ();
}
