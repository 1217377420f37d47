/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline-view-fixture.h"
#include "timeline/cs-timeline-listing.h"

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

static void
on_listed (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

/* The longest calls of some threads: "tid:duration" with a + behind when there are more. */
static void
assert_listed (ViewFixture *fixture, const guint *tids, guint n, guint limit, const char *expected)
{
  CsTimeline *timeline = cs_session_get_timeline (fixture->session);
  g_autoptr (GArray) tracks = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GArray) calls = NULL;
  gboolean more;

  for (guint i = 0; i < n; i++)
    {
      guint track = find_track (fixture, tids[i]);

      g_array_append_val (tracks, track);
    }
  cs_timeline_list_async (cs_session_get_profile (fixture->session), timeline, tracks, T0, T0 + 20000, limit, NULL, on_listed, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  calls = cs_timeline_list_finish (result, &more, NULL);
  g_assert_nonnull (calls);
  for (guint i = 0; i < calls->len; i++)
    {
      const CsTimelineCall *call = &g_array_index (calls, CsTimelineCall, i);

      g_string_append_printf (text, "%s%u:%" G_GINT64_FORMAT, i > 0 ? " " : "",
                              cs_timeline_get_track_info (timeline, call->track)->tid, call->span.end - call->span.start);
    }
  g_string_append (text, more ? " +" : "");
  g_assert_cmpstr (text->str, ==, expected);
}

/* What threads leave out that aren't listed makes room for calls of those that are. */
static void
test_longest_of_shown (void)
{
  ViewFixture fixture = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  assert_listed (&fixture, (const guint[]){ 11, 12, 13 }, 3, 3, "11:10000 13:5000 11:900 +");
  assert_listed (&fixture, (const guint[]){ 12, 13 }, 2, 3, "13:5000 12:450 12:400 +");
  assert_listed (&fixture, (const guint[]){ 13 }, 1, 3, "13:5000");
  assert_listed (&fixture, NULL, 0, 3, "");
  close_view (&fixture);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/timeline-lists/details", test_details);
  g_test_add_func ("/app/timeline-lists/longer", test_longer);
  g_test_add_func ("/app/timeline-lists/longer-of-another", test_longer_of_another);
  g_test_add_func ("/app/timeline-lists/tracks", test_tracks);
  g_test_add_func ("/app/timeline-lists/order", test_order);
  g_test_add_func ("/app/timeline-lists/rows", test_rows);
  g_test_add_func ("/app/timeline-lists/table", test_table);
  g_test_add_func ("/app/timeline-lists/longest-of-shown", test_longest_of_shown);
  return g_test_run ();
}
