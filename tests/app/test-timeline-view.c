/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "timeline-fixture.h"
#include "timeline/cs-timeline-private.h"
#include "timeline/cs-timeline-save.h"
#include "timeline/cs-timeline-view.h"
#include "window/cs-window.h"

enum { WORK = 0x2000, PART = 0x3000, SLEEP = 0x4000, N_CALLS = 9 };

/* Three threads of a process, known to the ns:
 *   main 0–10,000: WORK nine times, at 1,000 i for 100 (i + 1)
 *   helper: WORK nine times, at 500 + 1,000 i for 50 (i + 1), in each PART from 10 on for 20
 *   sleeper: SLEEP 3,000–8,000 */
static void
write_work (Recording *self)
{
  begin_recording (self);
  begin_thread (self, 7, 11);
  enter (self, 0, MAIN);
  for (gint64 i = 0; i < N_CALLS; i++)
    add_call (self, 1000 * i, 1000 * i + 100 * (i + 1), WORK);
  leave (self, 10000, MAIN);
  begin_thread (self, 7, 12);
  for (gint64 i = 0; i < N_CALLS; i++)
    {
      enter (self, 500 + 1000 * i, WORK);
      add_call (self, 510 + 1000 * i, 530 + 1000 * i, PART);
      leave (self, 500 + 1000 * i + 50 * (i + 1), WORK);
    }
  begin_thread (self, 7, 13);
  add_call (self, 3000, 8000, SLEEP);
  end_thread (self);
}

typedef struct
{
  CsWindow *window;
  CsSession *session;
  CsTimelineView *view;
  CsTimelineChart *chart;
  CsTimelineTracks *tracks;
  Recording recording;
} ViewFixture;

/* Until nothing is read, looked for or moves. */
static void
wait_until_still (ViewFixture *fixture)
{
  CsTimelineChart *chart = fixture->chart;
  gboolean busy;

  do
    {
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_object_get (fixture->session, "busy", &busy, NULL);
      busy |= cs_timeline_view_get_busy (fixture->view) || cs_timeline_longer_get_busy (cs_timeline_view_get_longer (fixture->view))
              || chart->animating || (gtk_widget_get_mapped (GTK_WIDGET (chart)) && (chart->asking || chart->rows_changed));
      if (busy)
        g_main_context_iteration (NULL, TRUE);
    }
  while (busy || g_main_context_pending (NULL));
}

static gboolean
is_reading (ViewFixture *fixture)
{
  CsSessionState state = cs_session_get_state (fixture->session);

  return state != CS_SESSION_READY && state != CS_SESSION_FAILED;
}

/* What is in the folder is read, and the timeline shown. */
static void
open_view (ViewFixture *fixture)
{
  g_autoptr (GFile) file = g_file_new_for_path (fixture->recording.path);

  fixture->window = cs_window_new (NULL);
  fixture->session = cs_window_get_session (fixture->window);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1200, 800);
  gtk_window_present (GTK_WINDOW (fixture->window));
  cs_window_open_files (fixture->window, &file, 1);
  while (is_reading (fixture))
    g_main_context_iteration (NULL, TRUE);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.view", "s", "timeline");
  fixture->view = CS_TIMELINE_VIEW (cs_window_get_view (fixture->window, "timeline"));
  fixture->chart = cs_timeline_view_get_chart (fixture->view);
  fixture->tracks = cs_timeline_view_get_tracks (fixture->view);
  while (!gtk_widget_get_mapped (GTK_WIDGET (fixture->view)))
    g_main_context_iteration (NULL, TRUE);
  wait_until_still (fixture);
}

static void
open_work (ViewFixture *fixture)
{
  write_work (&fixture->recording);
  open_view (fixture);
}

static void
close_view (ViewFixture *fixture)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  remove_folder (fixture->recording.path);
  g_free (fixture->recording.path);
}

static gboolean
is_enabled (ViewFixture *fixture, const char *name)
{
  return g_action_group_get_action_enabled (cs_view_get_actions (CS_VIEW (fixture->view)), name);
}

static void
act (ViewFixture *fixture, const char *name)
{
  g_autofree char *full = g_strconcat ("timeline.", name, NULL);

  g_assert_true (is_enabled (fixture, name));
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (fixture->window), full, NULL));
  wait_until_still (fixture);
}

/* Sends one to a call as other views do. */
static void
send_to (ViewFixture *fixture, guint tid, guint64 address, gint64 start, gint64 end)
{
  const CsSessionCall call = { .tid = tid, .start = T0 + start, .end = T0 + end, .address = address,
                               .depth = G_MAXUINT32 };

  cs_session_set_call (fixture->session, &call);
  wait_until_still (fixture);
}

static void
assert_selected (ViewFixture *fixture, guint tid, guint64 address, gint64 start)
{
  const CsTimelineCall *call = cs_timeline_chart_get_call (fixture->chart);

  g_assert_nonnull (call);
  g_assert_cmpuint (cs_timeline_get_track_info (cs_session_get_timeline (fixture->session), call->track)->tid, ==, tid);
  g_assert_cmphex (call->span.address, ==, address);
  g_assert_cmpint (call->span.start, ==, T0 + start);
}

static guint
find_track (ViewFixture *fixture, guint tid)
{
  CsTimeline *timeline = cs_session_get_timeline (fixture->session);

  for (guint i = 0; i < cs_timeline_get_n_tracks (timeline); i++)
    if (cs_timeline_get_track_info (timeline, i)->tid == tid)
      return i;
  g_assert_not_reached ();
}

/* The threads from the top. */
static char *
dup_shown (ViewFixture *fixture)
{
  CsTimeline *timeline = cs_session_get_timeline (fixture->session);
  GString *text = g_string_new (NULL);
  guint n;
  g_autofree guint *order = cs_timeline_chart_dup_order (fixture->chart, &n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? " " : "", cs_timeline_get_track_info (timeline, order[i])->tid);
  return g_string_free (text, FALSE);
}

static void
assert_shown (ViewFixture *fixture, const char *expected)
{
  g_autofree char *shown = NULL;

  wait_until_still (fixture);
  shown = dup_shown (fixture);
  g_assert_cmpstr (shown, ==, expected);
}

static void
test_range (void)
{
  ViewFixture fixture = { 0 };
  const CsProfileFilter *filter;
  gint64 from, to;

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  /* From the session. */
  g_assert_false (cs_timeline_chart_get_range (fixture.chart, &from, &to));
  g_assert_false (is_enabled (&fixture, "zoom-range"));
  cs_session_set_range (fixture.session, TRUE, 1500, 4700);
  wait_until_still (&fixture);
  g_assert_true (cs_timeline_chart_get_range (fixture.chart, &from, &to));
  g_assert_cmpint (from, ==, T0 + 1500);
  g_assert_cmpint (to, ==, T0 + 4700);
  act (&fixture, "zoom-range");
  cs_timeline_chart_get_window (fixture.chart, &from, &to);
  g_assert_cmpint (from, ==, T0 + 1500);
  g_assert_cmpint (to, ==, T0 + 4700);
  g_assert_true (cs_session_get_visible (fixture.session, &from, &to));
  g_assert_cmpint (from, ==, 1500);
  g_assert_cmpint (to, ==, 4700);
  act (&fixture, "clear-range");
  g_assert_false (cs_timeline_chart_get_range (fixture.chart, &from, &to));
  /* To the session: by the keys of the chart, and of a call. */
  send_to (&fixture, 11, WORK, 2000, 2300);
  g_assert_true (cs_timeline_chart_press_key (fixture.chart, GDK_KEY_bracketleft, 0));
  g_assert_true (cs_timeline_chart_press_key (fixture.chart, GDK_KEY_bracketright, 0));
  wait_until_still (&fixture);
  filter = cs_session_get_filter (fixture.session);
  g_assert_true (filter->has_from && filter->has_to && filter->relative);
  g_assert_cmpint (filter->from, ==, 2000);
  g_assert_true (cs_timeline_chart_get_range (fixture.chart, &from, &to));
  g_assert_cmpint (filter->to, ==, to - T0);
  send_to (&fixture, 12, WORK, 3500, 3700);
  act (&fixture, "select-call-range");
  filter = cs_session_get_filter (fixture.session);
  g_assert_cmpint (filter->from, ==, 3500);
  g_assert_cmpint (filter->to, ==, 3701);
  cs_session_back (fixture.session);
  wait_until_still (&fixture);
  g_assert_true (cs_timeline_chart_get_range (fixture.chart, &from, &to));
  g_assert_cmpint (from, ==, T0 + 2000);
  /* Elsewhere nothing of the time is in sight; nor is it a part where everything is. */
  act (&fixture, "fit");
  g_assert_false (cs_session_get_visible (fixture.session, &from, &to));
  act (&fixture, "zoom-in");
  g_assert_true (cs_session_get_visible (fixture.session, &from, &to));
  gtk_widget_activate_action (GTK_WIDGET (fixture.window), "win.view", "s", "hotspots");
  wait_until_still (&fixture);
  g_assert_false (cs_session_get_visible (fixture.session, &from, &to));
  close_view (&fixture);
}

/* WORK's calls of both threads take turns. */
static void
test_next (void)
{
  ViewFixture fixture = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  g_assert_false (is_enabled (&fixture, "next-call"));
  send_to (&fixture, 11, WORK, 0, 100);
  for (gint64 i = 0; i < N_CALLS; i++)
    {
      assert_selected (&fixture, 11, WORK, 1000 * i);
      act (&fixture, "next-call");
      assert_selected (&fixture, 12, WORK, 1000 * i + 500);
      act (&fixture, "next-call");
    }
  /* There is none behind the last one. */
  assert_selected (&fixture, 12, WORK, 8500);
  act (&fixture, "previous-call");
  assert_selected (&fixture, 11, WORK, 8000);
  act (&fixture, "previous-in-thread");
  assert_selected (&fixture, 11, WORK, 7000);
  act (&fixture, "next-in-thread");
  assert_selected (&fixture, 11, WORK, 8000);
  /* Threads that aren't shown are passed over. */
  cs_timeline_tracks_set_hidden (fixture.tracks, find_track (&fixture, 12), TRUE);
  act (&fixture, "previous-call");
  assert_selected (&fixture, 11, WORK, 7000);
  /* All views know. */
  g_assert_cmpint (cs_session_get_call (fixture.session)->start, ==, T0 + 7000);
  g_assert_cmpint (cs_session_get_call (fixture.session)->end, ==, T0 + 7800);
  g_assert_cmpuint (cs_session_get_call (fixture.session)->tid, ==, 11);
  act (&fixture, "clear-call");
  g_assert_null (cs_timeline_chart_get_call (fixture.chart));
  g_assert_null (cs_session_get_call (fixture.session));
  close_view (&fixture);
}

static void
assert_text_has (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("“%s” doesn’t have “%s”", text, part);
}

static void
assert_details (ViewFixture *fixture, const char *duration, const char *facts)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  /* The caller comes a little later. */
  do
    {
      g_clear_pointer (&text, g_free);
      g_main_context_iteration (NULL, FALSE);
      text = cs_timeline_details_dup_text (cs_timeline_view_get_details (fixture->view));
    }
  while (strstr (facts, " in ") != NULL && strstr (text, " in ") == NULL);
  lines = g_strsplit (text, "\n", 3);
  g_assert_cmpstr (lines[1], ==, duration);
  g_assert_cmpstr (lines[2], ==, facts);
}

/* What was looked for before another call was chosen doesn't take its place. */
static void
test_late (void)
{
  ViewFixture fixture = { 0 };
  CsTimelineCall other;
  const guint *path;
  guint n;

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  send_to (&fixture, 12, PART, 5510, 5530);
  other = *cs_timeline_chart_get_call (fixture.chart);
  send_to (&fixture, 11, MAIN, 0, 10000);
  send_to (&fixture, 12, PART, 510, 530);
  gtk_widget_activate_action (GTK_WIDGET (fixture.window), "timeline.previous-in-thread", NULL);
  gtk_widget_activate_action (GTK_WIDGET (fixture.window), "timeline.next-call", NULL);
  cs_timeline_view_show_call (fixture.view, &other);
  wait_until_still (&fixture);
  assert_selected (&fixture, 12, PART, 5510);
  /* Nor does one go to the flame graph for a call that was left. */
  gtk_widget_activate_action (GTK_WIDGET (fixture.window), "timeline.show-flame-graph", NULL);
  cs_timeline_chart_press_key (fixture.chart, GDK_KEY_Escape, 0);
  wait_until_still (&fixture);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (fixture.view)));
  cs_timeline_view_show_call (fixture.view, &other);
  wait_until_still (&fixture);
  gtk_widget_activate_action (GTK_WIDGET (fixture.window), "timeline.show-flame-graph", NULL);
  while (gtk_widget_get_mapped (GTK_WIDGET (fixture.view)))
    g_main_context_iteration (NULL, TRUE);
  path = cs_session_get_path (fixture.session, &n);
  g_assert_nonnull (path);
  g_assert_cmpuint (n, ==, 2);
  close_view (&fixture);
}

static void
test_details (void)
{
  ViewFixture fixture = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  send_to (&fixture, 11, WORK, 8000, 8900);
  assert_details (&fixture, "900 ns — the slowest of 18", "Thread 11 · starts 0.000 008 000 s · depth 2 · in 0x1000");
  send_to (&fixture, 11, WORK, 7000, 7800);
  assert_details (&fixture, "800 ns — number 2 of 18, slowest first",
                  "Thread 11 · starts 0.000 007 000 s · depth 2 · in 0x1000");
  send_to (&fixture, 13, SLEEP, 3000, 8000);
  assert_details (&fixture, "5.00 µs — the only one", "Thread 13 · starts 0.000 003 000 s · depth 1");
  send_to (&fixture, 12, PART, 2510, 2530);
  assert_details (&fixture, "20 ns — the slowest of 9", "Thread 12 · starts 0.000 002 510 s · depth 2 · in 0x2000");
  /* Where it is in other views. */
  act (&fixture, "show-flame-graph");
  {
    guint n = 0;
    const guint *path = NULL;
    const CsFunction *functions = cs_profile_get_functions (cs_session_get_profile (fixture.session), &(guint){ 0 });

    while ((path = cs_session_get_path (fixture.session, &n)) == NULL)
      g_main_context_iteration (NULL, TRUE);
    g_assert_cmpuint (n, ==, 2);
    g_assert_cmphex (functions[path[0]].location.address, ==, WORK);
    g_assert_cmphex (functions[path[1]].location.address, ==, PART);
  }
  act (&fixture, "show-hotspots");
  {
    const CsFunction *functions = cs_profile_get_functions (cs_session_get_profile (fixture.session), &(guint){ 0 });

    g_assert_cmphex (functions[cs_session_get_function (fixture.session)].location.address, ==, PART);
  }
  close_view (&fixture);
}

/* What the search for long calls found: "tid:duration", in the order of the rows. */
static char *
dup_longer (ViewFixture *fixture, const char *duration, gboolean of_function)
{
  CsTimelineLonger *longer = cs_timeline_view_get_longer (fixture->view);
  GListModel *model = cs_timeline_table_get_model (cs_timeline_longer_get_table (longer));
  GString *text = g_string_new (NULL);

  cs_timeline_longer_search (longer, duration, of_function);
  wait_until_still (fixture);
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (CsTimelineRow) row = g_list_model_get_item (model, i);
      const CsTimelineCall *call = cs_timeline_row_get_call (row);
      CsTimeline *timeline = cs_session_get_timeline (fixture->session);

      g_string_append_printf (text, "%s%u:%" G_GINT64_FORMAT, i > 0 ? " " : "",
                              cs_timeline_get_track_info (timeline, call->track)->tid, call->span.end - call->span.start);
    }
  return g_string_free (text, FALSE);
}

static void
assert_longer (ViewFixture *fixture, const char *duration, gboolean of_function, const char *expected, const char *status)
{
  g_autofree char *found = dup_longer (fixture, duration, of_function);

  g_assert_cmpstr (found, ==, expected);
  assert_text_has (cs_timeline_longer_get_status (cs_timeline_view_get_longer (fixture->view)), status);
}

static void
test_longer (void)
{
  ViewFixture fixture = { 0 };
  g_autofree char *text = NULL;

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  assert_longer (&fixture, "600 ns", FALSE, "11:10000 13:5000 11:900 11:800 11:700 11:600", "6 calls");
  assert_longer (&fixture, "0.0007 ms", FALSE, "11:10000 13:5000 11:900 11:800 11:700", "5 calls");
  assert_longer (&fixture, "1 s", FALSE, "", "No call took that long");
  assert_longer (&fixture, "soon", FALSE, "", "Not a duration");
  assert_longer (&fixture, "5 parsecs", FALSE, "", "Not a duration");
  assert_longer (&fixture, "", FALSE, "", "");
  /* Of one function, and in the selected range. */
  send_to (&fixture, 12, WORK, 500, 550);
  assert_longer (&fixture, "400 ns", TRUE, "11:900 11:800 11:700 11:600 11:500 12:450 11:400 12:400", "8 calls");
  cs_session_set_range (fixture.session, TRUE, 4000, 7000);
  assert_longer (&fixture, "300 ns", TRUE, "11:700 11:600 11:500 12:350 12:300", "5 calls");
  assert_longer (&fixture, "800 ns", TRUE, "", "No call in the selected range");
  cs_session_set_range (fixture.session, FALSE, 0, 0);
  /* One of them. */
  cs_timeline_view_popup_longer (fixture.view);
  assert_longer (&fixture, "600 ns", FALSE, "11:10000 13:5000 11:900 11:800 11:700 11:600", "6 calls");
  text = cs_timeline_table_dup_text (cs_timeline_longer_get_table (cs_timeline_view_get_longer (fixture.view)), 2,
                                     CS_TIMELINE_COLUMN_START);
  g_assert_cmpstr (text, ==, "0.000 008 s");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (cs_timeline_view_get_longer (fixture.view))));
  g_signal_emit_by_name (cs_timeline_table_get_view (cs_timeline_longer_get_table (cs_timeline_view_get_longer (fixture.view))),
                         "activate", 2);
  wait_until_still (&fixture);
  assert_selected (&fixture, 11, WORK, 8000);
  while (gtk_widget_get_mapped (GTK_WIDGET (cs_timeline_view_get_longer (fixture.view)))
         || !gtk_widget_has_focus (GTK_WIDGET (fixture.chart)))
    g_main_context_iteration (NULL, TRUE);
  close_view (&fixture);
}

/* The function of a profile isn't looked for in another one. */
static void
test_longer_of_another (void)
{
  ViewFixture fixture = { 0 };
  g_autoptr (CsTimelineNames) names = NULL;
  CsTimelineLonger *longer;

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  longer = cs_timeline_view_get_longer (fixture.view);
  send_to (&fixture, 11, WORK, 1000, 1200);
  cs_timeline_longer_search (longer, "100ns", TRUE);
  wait_until_still (&fixture);
  g_assert_cmpuint (g_list_model_get_n_items (cs_timeline_table_get_model (cs_timeline_longer_get_table (longer))), >, 0);
  names = cs_timeline_names_new (cs_session_get_timeline (fixture.session), cs_session_get_profile (fixture.session), T0);
  cs_timeline_longer_set_names (longer, names);
  g_assert_false (cs_timeline_longer_get_busy (longer));
  g_assert_cmpuint (g_list_model_get_n_items (cs_timeline_table_get_model (cs_timeline_longer_get_table (longer))), ==, 0);
  cs_timeline_longer_set_function (longer, 0, "x");
  g_assert_true (cs_timeline_longer_get_busy (longer));
  wait_until_still (&fixture);
  close_view (&fixture);
}

/* Of a call that another view sends one to enough is seen, also where its thread was hidden. */
static void
test_call (void)
{
  ViewFixture fixture = { 0 };
  gint64 from, to;

  SKIP_WITHOUT_DISPLAY ();
  write_work (&fixture.recording);
  begin_thread (&fixture.recording, 7, 14);
  add_call (&fixture.recording, 0, G_GINT64_CONSTANT (60000000000), SLEEP);
  end_thread (&fixture.recording);
  open_view (&fixture);
  cs_timeline_tracks_set_hidden (fixture.tracks, find_track (&fixture, 12), TRUE);
  send_to (&fixture, 12, PART, 4510, 4530);
  assert_selected (&fixture, 12, PART, 4510);
  g_assert_true (cs_timeline_tracks_get_shown (fixture.tracks, find_track (&fixture, 12)));
  cs_timeline_chart_get_window (fixture.chart, &from, &to);
  g_assert_cmpint (from, <, T0 + 4510);
  g_assert_cmpint (to, >, T0 + 4530);
  g_assert_cmpint (to - from, <, 1000);
  /* A long one is shown whole. */
  send_to (&fixture, 13, SLEEP, 3000, 8000);
  cs_timeline_chart_get_window (fixture.chart, &from, &to);
  g_assert_cmpint (from, <=, T0 + 3000);
  g_assert_cmpint (to, >=, T0 + 8000);
  g_assert_cmpint (to - from, <, 10000);
  /* One that isn't there changes nothing. */
  send_to (&fixture, 13, SLEEP, 3001, 8000);
  assert_selected (&fixture, 13, SLEEP, 3000);
  send_to (&fixture, 99, SLEEP, 3000, 8000);
  assert_selected (&fixture, 13, SLEEP, 3000);
  close_view (&fixture);
}

static void
test_tracks (void)
{
  ViewFixture fixture = { 0 };
  CsProfileFilter filter = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  assert_shown (&fixture, "11 12 13");
  cs_timeline_tracks_set_hidden (fixture.tracks, find_track (&fixture, 12), TRUE);
  assert_shown (&fixture, "11 13");
  cs_timeline_tracks_move (fixture.tracks, find_track (&fixture, 13), -1);
  assert_shown (&fixture, "13 11");
  g_assert_false (cs_timeline_tracks_can_move (fixture.tracks, find_track (&fixture, 13), -1));
  act (&fixture, "show-all-threads");
  assert_shown (&fixture, "13 11 12");
  cs_timeline_tracks_move (fixture.tracks, find_track (&fixture, 13), 1);
  cs_timeline_tracks_move (fixture.tracks, find_track (&fixture, 13), 1);
  assert_shown (&fixture, "11 12 13");
  cs_timeline_tracks_set_pinned (fixture.tracks, find_track (&fixture, 12), TRUE);
  assert_shown (&fixture, "12 11 13");
  cs_timeline_tracks_set_pinned (fixture.tracks, find_track (&fixture, 12), FALSE);
  /* What is typed, the session's filter, and the range. */
  cs_timeline_tracks_set_text (fixture.tracks, "TID 13");
  assert_shown (&fixture, "13");
  g_assert_cmpuint (cs_timeline_tracks_get_n_shown (fixture.tracks), ==, 1);
  cs_timeline_tracks_set_text (fixture.tracks, "");
  filter.thread = (char *) "12";
  cs_session_set_filter (fixture.session, &filter);
  assert_shown (&fixture, "12");
  send_to (&fixture, 12, WORK, 500, 550);
  cs_session_back (fixture.session);
  assert_shown (&fixture, "11 12 13");
  act (&fixture, "filter-thread");
  g_assert_cmpstr (cs_session_get_filter (fixture.session)->thread, ==, "12");
  cs_session_back (fixture.session);
  cs_timeline_tracks_set_only_in_range (fixture.tracks, TRUE);
  assert_shown (&fixture, "11 12 13");
  cs_session_set_range (fixture.session, TRUE, 0, 1200);
  while (cs_timeline_tracks_get_shown (fixture.tracks, find_track (&fixture, 13)))
    g_main_context_iteration (NULL, TRUE);
  assert_shown (&fixture, "11 12");
  /* SLEEP is open there, WORK isn't. */
  cs_session_set_range (fixture.session, TRUE, 4300, 4400);
  while (!cs_timeline_tracks_get_shown (fixture.tracks, find_track (&fixture, 13)))
    g_main_context_iteration (NULL, TRUE);
  assert_shown (&fixture, "11 13");
  cs_session_set_range (fixture.session, FALSE, 0, 0);
  assert_shown (&fixture, "11 12 13");
  close_view (&fixture);
}

static guint
count_rows (ViewFixture *fixture, guint tid)
{
  guint n;
  const CsTimelineItem *items = cs_timeline_rows_get_items (cs_timeline_chart_get_rows (fixture->chart), &n);

  for (guint i = 0; i < n; i++)
    if (!items[i].header && items[i].track == find_track (fixture, tid))
      return items[i].n_rows;
  g_assert_not_reached ();
}

/* A thread that is deep for a moment leaves room for the others, until one wants to see it. */
static void
test_rows (void)
{
  ViewFixture fixture = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  begin_recording (&fixture.recording);
  for (guint thread = 0; thread < 2; thread++)
    {
      begin_thread (&fixture.recording, 7, 11 + thread);
      for (guint i = 0; i < 40 + thread; i++)
        enter (&fixture.recording, i, MAIN + i);
      for (guint i = 40 + thread; i > 0; i--)
        leave (&fixture.recording, 1000 - i, MAIN + i - 1);
    }
  end_thread (&fixture.recording);
  open_view (&fixture);
  g_assert_cmpuint (count_rows (&fixture, 11), ==, 12);
  g_assert_cmpuint (count_rows (&fixture, 12), ==, 12);
  /* The thread of a call that one is sent to has all its rows; others stay. */
  send_to (&fixture, 12, MAIN + 30, 30, 1000 - 31);
  g_assert_cmpuint (count_rows (&fixture, 11), ==, 12);
  g_assert_cmpuint (count_rows (&fixture, 12), ==, 41);
  act (&fixture, "full-thread");
  g_assert_cmpuint (count_rows (&fixture, 12), ==, 12);
  act (&fixture, "full-thread");
  g_assert_cmpuint (count_rows (&fixture, 12), ==, 41);
  cs_timeline_tracks_set_depth_limit (fixture.tracks, 5);
  g_assert_cmpuint (count_rows (&fixture, 12), ==, 5);
  cs_timeline_tracks_set_depth_limit (fixture.tracks, 0);
  g_assert_cmpuint (count_rows (&fixture, 11), ==, 40);
  g_assert_false (is_enabled (&fixture, "full-thread"));
  close_view (&fixture);

  /* One that is alone has the room. */
  fixture = (ViewFixture){ 0 };
  begin_recording (&fixture.recording);
  begin_thread (&fixture.recording, 7, 11);
  for (guint i = 0; i < 40; i++)
    enter (&fixture.recording, i, MAIN + i);
  end_thread (&fixture.recording);
  open_view (&fixture);
  g_assert_cmpuint (count_rows (&fixture, 11), ==, 40);
  close_view (&fixture);
}

static void
test_search (void)
{
  ViewFixture fixture = { 0 };
  GtkWidget *focus;

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  /* Other views show what is searched, too, and leave the focus where one types. */
  cs_view_start_search (CS_VIEW (fixture.view));
  focus = gtk_root_get_focus (GTK_ROOT (fixture.window));
  g_assert_true (gtk_widget_is_ancestor (focus, GTK_WIDGET (fixture.view)));
  cs_session_set_search (fixture.session, "x", FALSE);
  wait_until_still (&fixture);
  g_assert_true (gtk_root_get_focus (GTK_ROOT (fixture.window)) == focus);
  cs_session_set_search (fixture.session, "", FALSE);
  g_assert_false (is_enabled (&fixture, "next-match"));
  cs_session_set_search (fixture.session, "0X3000", FALSE);
  wait_until_still (&fixture);
  g_assert_cmpstr (cs_timeline_view_get_found (fixture.view), ==, "1 function · 9 calls");
  for (gint64 i = 0; i < N_CALLS; i++)
    {
      act (&fixture, "next-match");
      assert_selected (&fixture, 12, PART, 1000 * i + 510);
    }
  act (&fixture, "previous-match");
  assert_selected (&fixture, 12, PART, 7510);
  /* The window's keys, wherever the focus is. */
  gtk_widget_activate_action (GTK_WIDGET (fixture.window), "win.next-match", NULL);
  wait_until_still (&fixture);
  assert_selected (&fixture, 12, PART, 8510);
  gtk_widget_activate_action (GTK_WIDGET (fixture.window), "win.previous-match", NULL);
  wait_until_still (&fixture);
  assert_selected (&fixture, 12, PART, 7510);
  /* Of two functions. */
  cs_session_set_search (fixture.session, "0x[13]000", TRUE);
  wait_until_still (&fixture);
  g_assert_cmpstr (cs_timeline_view_get_found (fixture.view), ==, "2 functions · 10 calls");
  send_to (&fixture, 12, PART, 510, 530);
  act (&fixture, "previous-match");
  assert_selected (&fixture, 11, MAIN, 0);
  act (&fixture, "next-match");
  assert_selected (&fixture, 12, PART, 510);
  /* What a pan brings into view stands out, too, though nothing has to be read for it. */
  cs_session_set_search (fixture.session, "0x3000", FALSE);
  cs_timeline_chart_set_window (fixture.chart, T0 + 1000, T0 + 2000, FALSE);
  wait_until_still (&fixture);
  g_assert_cmpuint (fixture.chart->found->len, ==, 1);
  cs_timeline_chart_pan (fixture.chart, cs_timeline_chart_get_axis_width (fixture.chart), 0, FALSE);
  g_assert_true (cs_timeline_chart_get_sharp (fixture.chart));
  wait_until_still (&fixture);
  g_assert_cmpuint (fixture.chart->found->len, ==, 1);
  g_assert_cmpint (g_array_index (fixture.chart->found, CsTimelineCall, 0).span.start, ==, T0 + 2510);
  /* All is pale where nothing of it is in sight, and as it was without a search. */
  cs_timeline_chart_set_window (fixture.chart, T0 + 2700, T0 + 2900, FALSE);
  wait_until_still (&fixture);
  g_assert_cmpuint (fixture.chart->found->len, ==, 0);
  g_assert_nonnull (fixture.chart->found_index);
  cs_session_set_search (fixture.session, "", FALSE);
  wait_until_still (&fixture);
  g_assert_null (fixture.chart->found_index);
  cs_session_set_search (fixture.session, "[", TRUE);
  wait_until_still (&fixture);
  assert_text_has (cs_timeline_view_get_found (fixture.view), "Not a regular expression");
  g_assert_false (is_enabled (&fixture, "next-match"));
  cs_session_set_search (fixture.session, "nowhere", FALSE);
  wait_until_still (&fixture);
  g_assert_cmpstr (cs_timeline_view_get_found (fixture.view), ==, "No function matches");
  close_view (&fixture);
}

/* The main thread is first, the others follow by name with numbers as such; what a person moved stays. */
static void
test_order (void)
{
  static const guint tids[] = { 3, 100, 20, 7, 5 };
  ViewFixture fixture = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  begin_recording (&fixture.recording);
  for (guint i = 0; i < G_N_ELEMENTS (tids); i++)
    {
      begin_thread (&fixture.recording, 7, tids[i]);
      add_call (&fixture.recording, 100 * i, 1000, WORK);
    }
  end_thread (&fixture.recording);
  open_view (&fixture);
  assert_shown (&fixture, "7 3 5 20 100");
  cs_timeline_tracks_move (fixture.tracks, find_track (&fixture, 100), -1);
  assert_shown (&fixture, "7 3 5 100 20");
  close_view (&fixture);
}

static void
count_call (guint *n)
{
  ++*n;
}

/* What isn't known of a call that one is sent to is told to the other views when it has been found, once. */
static void
test_complete (void)
{
  ViewFixture fixture = { 0 };
  CsSessionCall call = { .tid = 12, .start = T0 + 4500, .end = T0 + 4750, .depth = G_MAXUINT32 };
  const CsTimelineCall *selected;
  guint n = 0;

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  g_signal_connect_swapped (fixture.session, "notify::call", G_CALLBACK (count_call), &n);
  cs_session_set_call (fixture.session, &call);
  wait_until_still (&fixture);
  assert_selected (&fixture, 12, WORK, 4500);
  selected = cs_timeline_chart_get_call (fixture.chart);
  g_assert_cmpuint (n, ==, 2);
  call = *cs_session_get_call (fixture.session);
  g_assert_cmphex (call.address, ==, WORK);
  g_assert_cmpuint (call.depth, ==, 0);
  g_assert_cmpuint (call.position, ==, selected->span.position);
  g_assert_cmpint (call.start, ==, T0 + 4500);
  g_assert_cmpint (call.end, ==, T0 + 4750);
  g_assert_cmpuint (call.tid, ==, 12);
  /* Of one that is known nothing more is told. */
  cs_session_set_call (fixture.session, &call);
  wait_until_still (&fixture);
  g_assert_cmpuint (n, ==, 3);
  close_view (&fixture);
}

/* A filter that the timeline doesn't apply is told of as long as it is there. */
static void
test_function_filter (void)
{
  ViewFixture fixture = { 0 };
  char function[] = "0x3000";
  const CsProfileFilter filter = { .function = function }, none = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  g_assert_null (strstr (cs_timeline_view_get_status (fixture.view), "filter"));
  cs_session_set_filter (fixture.session, &filter);
  wait_until_still (&fixture);
  assert_text_has (cs_timeline_view_get_status (fixture.view), "“In 0x3000” applies to other views, not here · Grey blocks hold");
  cs_session_set_filter (fixture.session, &none);
  wait_until_still (&fixture);
  g_assert_cmpstr (cs_timeline_view_get_status (fixture.view), ==, "Grey blocks hold calls too short to draw — zoom in");
  close_view (&fixture);
}

/* A match that is less than a pixel wide is zoomed to. */
static void
test_near (void)
{
  ViewFixture fixture = { 0 };
  gint64 from, to;

  SKIP_WITHOUT_DISPLAY ();
  write_work (&fixture.recording);
  begin_thread (&fixture.recording, 7, 14);
  add_call (&fixture.recording, 0, G_GINT64_CONSTANT (60000000000), SLEEP);
  end_thread (&fixture.recording);
  open_view (&fixture);
  cs_session_set_search (fixture.session, "0x3000", FALSE);
  wait_until_still (&fixture);
  act (&fixture, "next-match");
  assert_selected (&fixture, 12, PART, 510);
  cs_timeline_chart_get_window (fixture.chart, &from, &to);
  g_assert_cmpint (from, <, T0 + 510);
  g_assert_cmpint (to, >, T0 + 530);
  g_assert_cmpfloat (20 * cs_timeline_chart_get_axis_width (fixture.chart) / (double) (to - from), >=, 20);
  /* The next one is as wide already. */
  {
    gint64 span = to - from;

    act (&fixture, "next-match");
    assert_selected (&fixture, 12, PART, 1510);
    cs_timeline_chart_get_window (fixture.chart, &from, &to);
    g_assert_cmpint (ABS (to - from - span), <=, 2);
  }
  close_view (&fixture);
}

static void
test_table (void)
{
  ViewFixture fixture = { 0 };
  CsTimelineTable *table;
  g_autofree char *text = NULL;

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  table = cs_timeline_view_get_table (fixture.view);
  act (&fixture, "table");
  g_assert_cmpstr (cs_timeline_view_get_page (fixture.view), ==, "table");
  g_assert_cmpuint (g_list_model_get_n_items (cs_timeline_table_get_model (table)), ==, 1 + N_CALLS + 2 * N_CALLS + 1);
  /* What is in sight, also where it began before: MAIN, SLEEP, and from 5,000 on WORK three times, in one of them PART. */
  cs_timeline_chart_set_window (fixture.chart, T0 + 5000, T0 + 6100, FALSE);
  wait_until_still (&fixture);
  g_assert_cmpuint (g_list_model_get_n_items (cs_timeline_table_get_model (table)), ==, 2 + 3 + 1);
  g_assert_cmpstr (cs_timeline_view_get_status (fixture.view), ==, "6 calls in sight");
  cs_timeline_table_sort (table, CS_TIMELINE_COLUMN_DURATION, GTK_SORT_ASCENDING);
  text = cs_timeline_table_dup_text (table, 0, CS_TIMELINE_COLUMN_FUNCTION);
  g_assert_cmpstr (text, ==, "0x3000");
  g_clear_pointer (&text, g_free);
  text = cs_timeline_table_dup_text (table, 0, CS_TIMELINE_COLUMN_START);
  g_assert_cmpstr (text, ==, "0.000 005 510 s");
  g_signal_emit_by_name (cs_timeline_table_get_view (table), "activate", 0);
  wait_until_still (&fixture);
  g_assert_cmpstr (cs_timeline_view_get_page (fixture.view), ==, "chart");
  assert_selected (&fixture, 12, PART, 5510);
  close_view (&fixture);
}

/* The key's action, where the view has it. */
static const char *
find_key (GtkWidget *widget, guint keyval, GdkModifierType state)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      for (guint j = 0; GTK_IS_SHORTCUT_CONTROLLER (controller) && j < g_list_model_get_n_items (G_LIST_MODEL (controller)); j++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), j);
          GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

          if (GTK_IS_KEYVAL_TRIGGER (trigger) && gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) == keyval
              && gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) == state)
            return gtk_named_action_get_action_name (GTK_NAMED_ACTION (gtk_shortcut_get_action (shortcut)));
        }
    }
  return NULL;
}

static gpointer
find_widget (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      gpointer found = find_widget (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* The nearest widget above that has the key. */
static const char *
find_key_from (GtkWidget *widget, guint keyval)
{
  for (; widget != NULL && !GTK_IS_WINDOW (widget); widget = gtk_widget_get_parent (widget))
    {
      const char *action = find_key (widget, keyval, 0);

      if (action != NULL)
        return action;
    }
  return NULL;
}

static void
test_keys (void)
{
  ViewFixture fixture = { 0 };
  GtkWidget *entry;

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  g_assert_cmpstr (find_key_from (GTK_WIDGET (fixture.chart), GDK_KEY_period), ==, "timeline.next-call");
  g_assert_cmpstr (find_key_from (GTK_WIDGET (fixture.chart), GDK_KEY_comma), ==, "timeline.previous-call");
  g_assert_cmpstr (find_key_from (GTK_WIDGET (fixture.chart), GDK_KEY_p), ==, "timeline.pin-thread");
  /* Entries aren't inside what has these keys. */
  entry = find_widget (GTK_WIDGET (fixture.view), GTK_TYPE_SEARCH_ENTRY);
  g_assert_nonnull (entry);
  g_assert_null (find_key_from (entry, GDK_KEY_period));
  g_assert_null (find_key_from (find_widget (GTK_WIDGET (cs_timeline_view_get_longer (fixture.view)), GTK_TYPE_ENTRY),
                                GDK_KEY_period));
  /* By the keys of the chart alone: into the first call, along its row, zoomed to, left again. */
  gtk_widget_grab_focus (GTK_WIDGET (fixture.view));
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (fixture.chart)));
  g_assert_true (cs_timeline_chart_press_key (fixture.chart, GDK_KEY_Down, 0));
  while (cs_timeline_chart_get_call (fixture.chart) == NULL)
    g_main_context_iteration (NULL, TRUE);
  assert_selected (&fixture, 11, MAIN, 0);
  act (&fixture, "pin-thread");
  g_assert_true (cs_track_item_get_pinned (cs_timeline_tracks_get_item (fixture.tracks, find_track (&fixture, 11))));
  act (&fixture, "hide-thread");
  assert_shown (&fixture, "12 13");
  close_view (&fixture);
}

/* The button of the bar with the text. */
static GtkWidget *
find_button (GtkWidget *widget, const char *label)
{
  if (GTK_IS_LABEL (widget) && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), label))
    return gtk_widget_get_ancestor (widget, GTK_TYPE_BUTTON);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_button (child, label);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* Using the bar leaves the keys to the chart. */
static void
test_focus (void)
{
  static const char *const labels[] = { "Measure", "Longer Than…", "3 threads" };
  ViewFixture fixture = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      GtkWidget *button = find_button (GTK_WIDGET (fixture.view), labels[i]);

      g_assert_nonnull (button);
      g_assert_false (gtk_widget_get_focus_on_click (button));
      g_assert_cmpstr (find_key_from (button, GDK_KEY_period), ==, "timeline.next-call");
    }
  gtk_widget_grab_focus (GTK_WIDGET (fixture.view));
  cs_timeline_view_popup_longer (fixture.view);
  wait_until_still (&fixture);
  g_assert_true (GTK_IS_TEXT (gtk_root_get_focus (GTK_ROOT (fixture.window))));
  g_assert_nonnull (gtk_widget_get_ancestor (gtk_root_get_focus (GTK_ROOT (fixture.window)), CS_TYPE_TIMELINE_LONGER));
  gtk_popover_popdown (GTK_POPOVER (gtk_widget_get_ancestor (GTK_WIDGET (cs_timeline_view_get_longer (fixture.view)),
                                                            GTK_TYPE_POPOVER)));
  while (!gtk_widget_has_focus (GTK_WIDGET (fixture.chart)))
    g_main_context_iteration (NULL, TRUE);
  /* The strip with a call's details goes away with the focus in it. */
  send_to (&fixture, 12, PART, 4510, 4530);
  gtk_widget_child_focus (GTK_WIDGET (cs_timeline_view_get_details (fixture.view)), GTK_DIR_TAB_FORWARD);
  g_assert_false (gtk_widget_has_focus (GTK_WIDGET (fixture.chart)));
  act (&fixture, "clear-call");
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (fixture.chart)));
  close_view (&fixture);
}

static char *
save (ViewFixture *fixture, gboolean image, gsize *size)
{
  g_autofree char *path = g_build_filename (fixture->recording.path, "picture", NULL);
  char *text = NULL;

  cs_timeline_save_start (fixture->view, image, path);
  while (g_list_model_get_n_items (G_LIST_MODEL (cs_session_get_jobs (fixture->session))) > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (g_file_get_contents (path, &text, size, NULL));
  return text;
}

static guint
count_texts (const char *text, const char *part)
{
  guint n = 0;

  for (const char *at = strstr (text, part); at != NULL; at = strstr (at + 1, part))
    n++;
  return n;
}

static void
test_save (void)
{
  ViewFixture fixture = { 0 };
  const CsTimelineMark marks[] = { { 1, T0 + 5000, T0 + 6000, CS_TIMELINE_MARK_OFF, "was off" },
                                   { 2, T0 + 5000, T0 + 5000, CS_TIMELINE_MARK_STOPPED, "hidden one" } };
  g_autofree char *svg = NULL;
  g_autofree char *png = NULL;
  gsize size;

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  cs_timeline_tracks_set_hidden (fixture.tracks, find_track (&fixture, 13), TRUE);
  cs_timeline_chart_set_window (fixture.chart, T0 + 4900, T0 + 7950, FALSE);
  wait_until_still (&fixture);
  cs_timeline_chart_set_marks (fixture.chart, marks, G_N_ELEMENTS (marks));
  svg = save (&fixture, FALSE, &size);
  g_assert_true (g_str_has_prefix (svg, "<?xml"));
  assert_text_has (svg, ">Thread 11<");
  assert_text_has (svg, ">Thread 12<");
  g_assert_null (strstr (svg, ">Thread 13<"));
  /* MAIN, and WORK and PART three times each thread. */
  g_assert_cmpuint (count_texts (svg, "<title>0x1000"), ==, 1);
  g_assert_cmpuint (count_texts (svg, "<title>0x2000"), ==, 6);
  g_assert_cmpuint (count_texts (svg, "<title>0x3000"), ==, 3);
  /* A cut is in the ruler, and at both ends over the thread; those of hidden threads are left out. */
  g_assert_cmpuint (count_texts (svg, "<title>was off</title>"), ==, 3);
  g_assert_null (strstr (svg, "hidden one"));
  png = save (&fixture, TRUE, &size);
  g_assert_cmpuint (size, >, 1000);
  g_assert_cmpint (memcmp (png, "\x89PNG", 4), ==, 0);
  close_view (&fixture);
}

/* A summary of one function. */
static void
write_summary (Recording *recording)
{
  struct trace_summary_header header = { TRACE_SUMMARY_MAGIC, TRACE_SUMMARY_VERSION, TRACE_SUMMARY_RECORD_SIZE,
                                         TRACE_SUMMARY_HEADER_SIZE, .pid = 7, .tid = 7, .records = 1 };
  struct trace_summary_record record = { .func = MAIN, .calls = 1, .incl = 6, .self = 6, .min = 6, .max = 6, .hist = { [6] = 1 } };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *path = NULL;

  begin_recording (recording);
  path = g_build_filename (recording->path, "trace.summary.7.7.bin", NULL);
  g_byte_array_append (bytes, (const guint8 *) &header, sizeof header);
  g_byte_array_append (bytes, (const guint8 *) &record, sizeof record);
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
}

static void
test_nothing (void)
{
  ViewFixture fixture = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  write_summary (&fixture.recording);
  open_view (&fixture);
  g_assert_cmpstr (cs_timeline_view_get_page (fixture.view), ==, "nothing");
  g_assert_false (is_enabled (&fixture, "fit"));
  g_assert_false (is_enabled (&fixture, "table"));
  g_assert_false (is_enabled (&fixture, "next-call"));
  close_view (&fixture);
  /* No events at all. */
  fixture = (ViewFixture){ 0 };
  begin_recording (&fixture.recording);
  begin_thread (&fixture.recording, 7, 11);
  end_thread (&fixture.recording);
  open_view (&fixture);
  g_assert_cmpstr (cs_timeline_view_get_page (fixture.view), ==, "nothing");
  close_view (&fixture);
  /* A single call of no length. */
  fixture = (ViewFixture){ 0 };
  begin_recording (&fixture.recording);
  begin_thread (&fixture.recording, 7, 11);
  add_call (&fixture.recording, 0, 0, MAIN);
  end_thread (&fixture.recording);
  open_view (&fixture);
  g_assert_cmpstr (cs_timeline_view_get_page (fixture.view), ==, "chart");
  send_to (&fixture, 11, MAIN, 0, 0);
  assert_selected (&fixture, 11, MAIN, 0);
  act (&fixture, "next-call");
  act (&fixture, "zoom-call");
  act (&fixture, "select-call-range");
  close_view (&fixture);
}

/* A recording that is closed while calls are looked for. */
static void
test_close (void)
{
  ViewFixture fixture = { 0 };
  const CsSessionCall call = { .tid = 12, .start = T0 + 510, .end = T0 + 530, .address = PART, .depth = G_MAXUINT32 };

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  for (guint i = 0; i < 5; i++)
    {
      cs_session_set_search (fixture.session, i % 2 == 0 ? "0x" : "3", FALSE);
      cs_session_set_call (fixture.session, &call);
      cs_timeline_longer_search (cs_timeline_view_get_longer (fixture.view), "1 ns", FALSE);
      g_main_context_iteration (NULL, FALSE);
      cs_session_close_recording (fixture.session);
      g_assert_null (cs_timeline_chart_get_timeline (fixture.chart));
      g_assert_null (cs_timeline_chart_get_call (fixture.chart));
      cs_session_open_recording (fixture.session, (const char *[]){ fixture.recording.path, NULL });
      while (is_reading (&fixture))
        g_main_context_iteration (NULL, TRUE);
      wait_until_still (&fixture);
      g_assert_null (cs_timeline_chart_get_call (fixture.chart));
      assert_shown (&fixture, "11 12 13");
      gtk_widget_activate_action (GTK_WIDGET (fixture.window), "win.view", "s", "timeline");
    }
  close_view (&fixture);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/timeline-view/range", test_range);
  g_test_add_func ("/app/timeline-view/next", test_next);
  g_test_add_func ("/app/timeline-view/late", test_late);
  g_test_add_func ("/app/timeline-view/details", test_details);
  g_test_add_func ("/app/timeline-view/longer", test_longer);
  g_test_add_func ("/app/timeline-view/longer-of-another", test_longer_of_another);
  g_test_add_func ("/app/timeline-view/call", test_call);
  g_test_add_func ("/app/timeline-view/tracks", test_tracks);
  g_test_add_func ("/app/timeline-view/order", test_order);
  g_test_add_func ("/app/timeline-view/complete", test_complete);
  g_test_add_func ("/app/timeline-view/function-filter", test_function_filter);
  g_test_add_func ("/app/timeline-view/rows", test_rows);
  g_test_add_func ("/app/timeline-view/search", test_search);
  g_test_add_func ("/app/timeline-view/near", test_near);
  g_test_add_func ("/app/timeline-view/table", test_table);
  g_test_add_func ("/app/timeline-view/keys", test_keys);
  g_test_add_func ("/app/timeline-view/focus", test_focus);
  g_test_add_func ("/app/timeline-view/save", test_save);
  g_test_add_func ("/app/timeline-view/nothing", test_nothing);
  g_test_add_func ("/app/timeline-view/close", test_close);
  return g_test_run ();
}
