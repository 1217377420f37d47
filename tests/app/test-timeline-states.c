/* SPDX-License-Identifier: MIT */
/* The timeline's widget: threads and how they are shown, recordings that are large, empty, grow, vanish or are replaced. */
#include "config.h"

#include <string.h>

#include "timeline-fixture.h"

static void
write_process (Recording *recording, guint pid, guint n_threads, guint depth)
{
  for (guint i = 0; i < n_threads; i++)
    {
      begin_thread (recording, pid, pid + i);
      for (guint k = 0; k < depth; k++)
        enter (recording, k, MAIN + k);
      for (guint k = depth; k > 0; k--)
        leave (recording, 2000 - k, MAIN + k - 1);
    }
}

/* The tracks from the top, as text. */
static char *
dup_order (Fixture *fixture)
{
  GString *text = g_string_new (NULL);
  guint n;
  g_autofree guint *order = cs_timeline_chart_dup_order (fixture->chart, &n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? " " : "", order[i]);
  return g_string_free (text, FALSE);
}

static void
assert_order (Fixture *fixture, const char *expected)
{
  g_autofree char *order = dup_order (fixture);

  g_assert_cmpstr (order, ==, expected);
}

static void
set_track (Fixture *fixture, guint track, CsTimelineTrackSettings settings)
{
  cs_timeline_chart_set_track (fixture->chart, track, &settings);
  settle (fixture);
}

/* Rows of a track that have something painted. */
static guint
count_rows (Fixture *fixture, guint track)
{
  g_autoptr (GArray) painted = list_painted (fixture);
  guint n = 0;

  for (guint depth = 0; depth < 20; depth++)
    {
      g_autoptr (GArray) row = NULL;
      double y, last = -1;

      if (!cs_timeline_rows_get_y (cs_timeline_chart_get_rows (fixture->chart), track, depth, &y))
        break;
      if (depth > 0)
        cs_timeline_rows_get_y (fixture->chart->rows, track, depth - 1, &last);
      if (y <= last)
        break;
      row = find_row (fixture, painted, get_row_y (fixture, track, depth));
      n += row->len > 0;
    }
  return n;
}

static void
test_tracks (void)
{
  Fixture fixture = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  begin_recording (&fixture.recording);
  write_process (&fixture.recording, 100, 3, 6);
  write_process (&fixture.recording, 200, 2, 6);
  open_chart (&fixture, 900, 860);
  show_recording (&fixture);
  assert_order (&fixture, "0 1 2 3 4");
  g_assert_cmpuint (count_rows (&fixture, 1), ==, 6);
  set_track (&fixture, 1, (CsTimelineTrackSettings){ .depth_limit = 2 });
  g_assert_cmpuint (count_rows (&fixture, 1), ==, 2);
  set_track (&fixture, 1, (CsTimelineTrackSettings){ .collapsed = TRUE });
  g_assert_cmpuint (count_rows (&fixture, 1), ==, 1);
  set_track (&fixture, 0, (CsTimelineTrackSettings){ .order = 5 });
  assert_order (&fixture, "1 2 0 3 4");
  set_track (&fixture, 4, (CsTimelineTrackSettings){ .pinned = TRUE });
  assert_order (&fixture, "4 1 2 0 3");
  set_track (&fixture, 2, (CsTimelineTrackSettings){ .hidden = TRUE });
  assert_order (&fixture, "4 1 0 3");
  /* A pinned thread stays when its process is collapsed. */
  cs_timeline_chart_set_process_collapsed (fixture.chart, 1, TRUE);
  assert_order (&fixture, "4 1 0");
  g_assert_cmpuint (fixture.n_tracks, ==, 0);

  /* Triangles: of a thread and of a process. */
  click (&fixture, 8, get_row_y (&fixture, 1, 0) + 9, 1);
  g_assert_cmpuint (fixture.n_tracks, ==, 1);
  settle (&fixture);
  g_assert_cmpuint (count_rows (&fixture, 1), ==, 6);
  click (&fixture, 8, get_row_y (&fixture, 1, 0) - 10, 1);
  g_assert_cmpuint (fixture.n_tracks, ==, 2);
  g_assert_true (cs_timeline_chart_get_process_collapsed (fixture.chart, 0));
  assert_order (&fixture, "4");
  set_track (&fixture, 4, (CsTimelineTrackSettings){ .hidden = TRUE });
  for (guint i = 0; i < 4; i++)
    set_track (&fixture, i, (CsTimelineTrackSettings){ .hidden = TRUE });
  assert_order (&fixture, "");
  assert_text (&fixture, GTK_ACCESSIBLE_PROPERTY_LABEL, "Timeline: 5 threads\n0 ns – 1.999 µs (2.00 µs)\nAll threads are hidden.");
  close_chart (&fixture);
}

/* Rows beyond a limit: the header tells how many, and a click or going there shows them. */
static void
test_more_rows (void)
{
  Fixture fixture = { 0 };
  g_autofree char *tip = NULL;
  double y;

  SKIP_WITHOUT_DISPLAY ();
  begin_recording (&fixture.recording);
  write_process (&fixture.recording, 100, 2, 9);
  open_chart (&fixture, 900, 860);
  show_recording (&fixture);
  set_track (&fixture, 0, (CsTimelineTrackSettings){ .depth_limit = 4 });
  g_assert_cmpuint (count_rows (&fixture, 0), ==, 4);
  g_assert_cmpuint (count_rows (&fixture, 1), ==, 9);
  y = get_row_y (&fixture, 0, 3) + 5;
  tip = cs_timeline_chart_dup_tooltip (fixture.chart, 40, y);
  g_assert_true (g_str_has_suffix (tip, "18 events, 4 of 9 rows"));
  click (&fixture, 40, y - fixture.chart->row_height, 1);
  g_assert_cmpuint (fixture.n_tracks, ==, 0);
  click (&fixture, 40, y, 1);
  settle (&fixture);
  g_assert_cmpuint (fixture.n_tracks, ==, 1);
  g_assert_cmpuint (count_rows (&fixture, 0), ==, 9);
  /* At the same place it is taken back. */
  click (&fixture, 40, y, 1);
  settle (&fixture);
  g_assert_cmpuint (fixture.n_tracks, ==, 2);
  g_assert_cmpuint (count_rows (&fixture, 0), ==, 4);
  /* A thread without more rows has no such place. */
  click (&fixture, 40, get_row_y (&fixture, 1, 3) + 5, 1);
  g_assert_cmpuint (fixture.n_tracks, ==, 2);

  click (&fixture, 500, get_row_y (&fixture, 0, 3) + 5, 1);
  g_assert_cmpuint (cs_timeline_chart_get_call (fixture.chart)->span.depth, ==, 3);
  press_key (&fixture, GDK_KEY_Down, 0);
  settle (&fixture);
  g_assert_cmpuint (cs_timeline_chart_get_call (fixture.chart)->span.depth, ==, 4);
  g_assert_cmpuint (fixture.n_tracks, ==, 3);
  g_assert_cmpuint (count_rows (&fixture, 0), ==, 9);
  close_chart (&fixture);
}

/* Pinned threads stay where the others scroll. */
static void
test_pinned (void)
{
  Fixture fixture = { 0 };
  CsTimelinePoint point;
  CsTimelineCall call = { .track = 18 };

  SKIP_WITHOUT_DISPLAY ();
  begin_recording (&fixture.recording);
  write_process (&fixture.recording, 100, 20, 4);
  open_chart (&fixture, 900, 500);
  show_recording (&fixture);
  set_track (&fixture, 9, (CsTimelineTrackSettings){ .pinned = TRUE });
  cs_timeline_chart_scroll_to (fixture.chart, 19, 3);
  settle (&fixture);
  g_assert_cmpfloat (gtk_adjustment_get_value (fixture.chart->adjustment), >, 500);
  cs_timeline_chart_hit (fixture.chart, 500, fixture.chart->ruler_height + 5, &point);
  g_assert_cmpuint (point.track, ==, 9);
  g_assert_true (point.has_span);
  cs_timeline_chart_hit (fixture.chart, 500, 480, &point);
  g_assert_cmpuint (point.track, ==, 19);
  /* A call that is selected from elsewhere is scrolled to. */
  g_assert_true (cs_timeline_get_call_at (fixture.chart->timeline, 0, T0 + 1000, 3, &call.span, NULL));
  call.track = 0;
  cs_timeline_chart_set_call (fixture.chart, &call, TRUE);
  settle (&fixture);
  cs_timeline_chart_hit (fixture.chart, 500, fixture.chart->ruler_height + fixture.chart->pinned + 40, &point);
  g_assert_cmpuint (point.track, ==, 0);
  g_assert_cmpuint (fixture.n_selected, ==, 0);
  close_chart (&fixture);
}

static void
test_deep (void)
{
  enum { DEPTH = 100000 };
  Fixture fixture = { 0 };
  CsTimelineCall call = { 0 };
  g_autoptr (GArray) painted = NULL, visible = NULL;

  SKIP_WITHOUT_DISPLAY ();
  begin_recording (&fixture.recording);
  begin_thread (&fixture.recording, 7, 7);
  for (guint i = 0; i < DEPTH; i++)
    enter (&fixture.recording, i, MAIN + i % 50);
  for (guint i = 0; i < DEPTH; i++)
    leave (&fixture.recording, DEPTH + i, MAIN + (DEPTH - 1 - i) % 50);
  open_chart (&fixture, 900, 600);
  show_recording (&fixture);
  g_assert_true (cs_timeline_get_call_at (fixture.chart->timeline, 0, T0 + DEPTH, 54321, &call.span, NULL));
  cs_timeline_chart_set_call (fixture.chart, &call, TRUE);
  settle (&fixture);
  g_assert_cmpfloat (gtk_adjustment_get_value (fixture.chart->adjustment), >, 500000);
  visible = cs_timeline_chart_dup_visible (fixture.chart);
  g_assert_cmpuint (visible->len, >, 20);
  g_assert_cmpuint (visible->len, <, 200);
  painted = list_painted (&fixture);
  g_assert_cmpuint (count_painted (painted, GSK_COLOR_NODE), >, 20);
  press_key (&fixture, GDK_KEY_Down, 0);
  g_assert_cmpuint (cs_timeline_chart_get_call (fixture.chart)->span.depth, ==, 54322);
  press_key (&fixture, GDK_KEY_Up, 0);
  press_key (&fixture, GDK_KEY_Up, 0);
  g_assert_cmpuint (cs_timeline_chart_get_call (fixture.chart)->span.depth, ==, 54320);
  close_chart (&fixture);
}

static void
test_many_threads (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GArray) painted = NULL;
  CsTimelinePoint point;

  SKIP_WITHOUT_DISPLAY ();
  begin_recording (&fixture.recording);
  write_process (&fixture.recording, 10, 5000, 2);
  open_chart (&fixture, 900, 600);
  show_recording (&fixture);
  cs_timeline_chart_scroll_to (fixture.chart, 4999, 1);
  settle (&fixture);
  painted = list_painted (&fixture);
  g_assert_cmpuint (count_painted (painted, GSK_COLOR_NODE), <, 1000);
  cs_timeline_chart_hit (fixture.chart, 500, 560, &point);
  g_assert_cmpuint (point.track, >, 4990);
  close_chart (&fixture);
}

/* Rows that are full from one end to the other: what is painted stays within bounds. */
static void
test_full (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GArray) painted = NULL;

  SKIP_WITHOUT_DISPLAY ();
  begin_recording (&fixture.recording);
  begin_thread (&fixture.recording, 7, 7);
  for (guint i = 0; i < 115; i++)
    {
      for (guint depth = 0; depth < 60; depth++)
        enter (&fixture.recording, 10000 * i + depth, MAIN + i % 7);
      for (guint depth = 60; depth > 0; depth--)
        leave (&fixture.recording, 10000 * (i + 1) - depth, MAIN + i % 7);
    }
  open_chart (&fixture, 1280, 860);
  show_recording (&fixture);
  for (guint i = 0; i < 6; i++)
    {
      g_clear_pointer (&painted, g_array_unref);
      painted = list_painted (&fixture);
      g_assert_cmpuint (count_painted (painted, GSK_COLOR_NODE), <=, 5300);
      g_assert_cmpuint (count_painted (painted, GSK_COLOR_NODE), >, 100);
      g_assert_cmpuint (cs_timeline_chart_get_stats (fixture.chart)->n_rects, <=, 5000);
      g_assert_cmpuint (cs_timeline_chart_get_stats (fixture.chart)->n_labels, <=, 200);
      cs_timeline_chart_zoom (fixture.chart, -1, 1.5, FALSE);
      if (i % 2 == 0)
        settle (&fixture);
    }
  close_chart (&fixture);
}

static void
test_extremes (void)
{
  static const int sizes[][2] = { { 0, 0 }, { 1, 1 }, { 3, 500 }, { 2000, 10 }, { 400, 150 } };
  const gint64 day = G_GINT64_CONSTANT (86400000000000);
  Fixture fixture = { 0 };
  CsTimelinePoint point;
  CsTimelineCall call;
  gint64 from, to;

  SKIP_WITHOUT_DISPLAY ();
  begin_recording (&fixture.recording);
  begin_thread (&fixture.recording, 7, 7);
  enter (&fixture.recording, 0, MAIN);
  add_call (&fixture.recording, 5, 5, TINY);
  add_call (&fixture.recording, 5 * day, 5 * day, TINY);
  leave (&fixture.recording, 10 * day, MAIN);
  open_chart (&fixture, 900, 300);
  show_recording (&fixture);
  assert_window (&fixture, 0, 10 * day);
  hit (&fixture, 5 * day, 0, 1, &point);
  g_assert_true (point.has_span);
  cs_timeline_chart_set_window (fixture.chart, T0 + 5 * day - 5, T0 + 5 * day + 5, FALSE);
  settle (&fixture);
  hit (&fixture, 5 * day, 0, 1, &point);
  g_assert_true (point.has_span);
  g_assert_cmpint (point.span.start, ==, T0 + 5 * day);
  g_array_unref (list_painted (&fixture));
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      GTK_WIDGET_GET_CLASS (fixture.chart)->size_allocate (GTK_WIDGET (fixture.chart), sizes[i][0], sizes[i][1], -1);
      g_array_unref (list_painted (&fixture));
      cs_timeline_chart_zoom (fixture.chart, -1, 3, FALSE);
      cs_timeline_chart_fit (fixture.chart, TRUE);
      settle (&fixture);
    }
  /* The keys that put the ends of a range take a call of 0 ns, too, and of what ends at the end of time. */
  call = (CsTimelineCall){ 0, { .start = T0 + 5, .end = T0 + 5, .depth = 1, .position = 1, .address = TINY } };
  cs_timeline_chart_set_call (fixture.chart, &call, FALSE);
  press_key (&fixture, GDK_KEY_bracketleft, 0);
  press_key (&fixture, GDK_KEY_bracketright, 0);
  g_assert_true (cs_timeline_chart_get_range (fixture.chart, &from, &to));
  g_assert_cmpint (from, ==, T0 + 5);
  g_assert_cmpint (to, ==, T0 + 6);
  call.span.start = G_MININT64;
  call.span.end = G_MAXINT64;
  cs_timeline_chart_set_call (fixture.chart, &call, TRUE);
  settle (&fixture);
  cs_timeline_chart_set_window (fixture.chart, G_MININT64, G_MAXINT64, FALSE);
  cs_timeline_chart_get_window (fixture.chart, &from, &to);
  g_assert_cmpint (from, ==, T0);
  cs_timeline_chart_set_range (fixture.chart, TRUE, G_MININT64, G_MAXINT64);
  cs_timeline_chart_set_marks (fixture.chart, &(CsTimelineMark){ G_MAXUINT, G_MININT64, G_MAXINT64,
                                                                CS_TIMELINE_MARK_OFF, "all" }, 1);
  g_array_unref (list_painted (&fixture));
  close_chart (&fixture);
}

static void
test_empty (void)
{
  Fixture fixture = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  begin_recording (&fixture.recording);
  begin_thread (&fixture.recording, 7, 7);
  open_chart (&fixture, 600, 300);
  g_array_unref (list_painted (&fixture));
  g_assert_false (cs_timeline_chart_press_key (fixture.chart, GDK_KEY_Down, 0));
  show_recording (&fixture);
  g_assert_false (cs_timeline_chart_get_extent (fixture.chart, NULL, NULL));
  assert_text (&fixture, GTK_ACCESSIBLE_PROPERTY_LABEL, "Timeline\nNo calls were recorded.");
  g_array_unref (list_painted (&fixture));
  cs_timeline_chart_fit (fixture.chart, TRUE);
  cs_timeline_chart_zoom (fixture.chart, 10, 2, TRUE);
  click (&fixture, 300, 100, 1);
  drag (&fixture, 300, 3, 400, 3, 0);
  g_assert_false (cs_timeline_chart_scroll (fixture.chart, 0, 1, 0, FALSE));
  cs_timeline_chart_set_timeline (fixture.chart, NULL);
  g_array_unref (list_painted (&fixture));
  close_chart (&fixture);
}

/* Files that are cut off or gone while the chart is open: a sentence, and what could be read. */
static void
test_damaged (void)
{
  Fixture fixture = { 0 };
  g_autofree char *path = NULL, *label = NULL;
  g_autoptr (CsTimeline) timeline = NULL;
  FILE *file;

  SKIP_WITHOUT_DISPLAY ();
  write_known (&fixture.recording);
  timeline = read_timeline (fixture.recording.path);
  open_chart (&fixture, 900, 400);
  path = g_build_filename (fixture.recording.path, "trace.7.11.0.bin", NULL);
  file = fopen (path, "r+");
  g_assert_cmpint (ftruncate (fileno (file), 4000), ==, 0);
  fclose (file);
  cs_timeline_chart_set_timeline (fixture.chart, timeline);
  cs_timeline_chart_set_window (fixture.chart, T0 + 81000, T0 + 93000, FALSE);
  settle (&fixture);
  g_assert_nonnull (cs_timeline_chart_get_error (fixture.chart));
  g_test_message ("%s", cs_timeline_chart_get_error (fixture.chart));
  label = g_strdup_printf ("Timeline: 2 threads\n81 µs – 93 µs (12.0 µs)\nNot all of the recording can be read any more: %s",
                           cs_timeline_chart_get_error (fixture.chart));
  assert_text (&fixture, GTK_ACCESSIBLE_PROPERTY_LABEL, label);
  g_array_unref (list_painted (&fixture));
  press_key (&fixture, GDK_KEY_Down, 0);
  press_key (&fixture, GDK_KEY_Down, 0);
  press_key (&fixture, GDK_KEY_Page_Down, 0);

  remove_folder (fixture.recording.path);
  cs_timeline_chart_set_window (fixture.chart, T0 + 10000, T0 + 12000, FALSE);
  settle (&fixture);
  g_assert_nonnull (cs_timeline_chart_get_error (fixture.chart));
  press_key (&fixture, GDK_KEY_Right, 0);
  g_array_unref (list_painted (&fixture));
  close_chart (&fixture);
}

/* The same process with more events, and another thread that comes first in the order. */
static void
test_grows (void)
{
  Fixture fixture = { 0 };
  g_autoptr (CsTimeline) timeline = NULL;
  CsTimelineTrackSettings settings = { .depth_limit = 3, .order = 7 };
  g_autoptr (GArray) painted = NULL, row = NULL;
  gint64 from, to;

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  cs_timeline_chart_set_track (fixture.chart, 1, &settings);
  click (&fixture, get_time_x (&fixture, 70000), get_row_y (&fixture, 1, 0) + 5, 1);
  assert_call (&fixture, 1, OPEN, 20000);
  cs_timeline_chart_set_window (fixture.chart, T0 + 10000, T0 + 59000, FALSE);
  cs_timeline_chart_set_range (fixture.chart, TRUE, T0 + 1, T0 + 2);
  cs_timeline_chart_take_measure (fixture.chart, TRUE, T0 + 20000, T0 + 30000, 1, 0);
  settle (&fixture);

  begin_thread (&fixture.recording, 7, 5);
  add_call (&fixture.recording, -5000, 300000, LEFT);
  end_thread (&fixture.recording);
  timeline = read_timeline (fixture.recording.path);
  g_assert_cmpuint (cs_timeline_get_track_info (timeline, 0)->tid, ==, 5);
  cs_timeline_chart_set_timeline (fixture.chart, timeline);
  /* What was read is still there, before anything of the newer one was read. */
  g_assert_false (cs_timeline_chart_get_sharp (fixture.chart));
  painted = list_painted (&fixture);
  row = find_row (&fixture, painted, get_row_y (&fixture, 1, 1));
  g_assert_cmpuint (row->len, ==, 1);
  settle (&fixture);
  g_assert_true (cs_timeline_chart_get_sharp (fixture.chart));
  assert_window (&fixture, 10000, 59000);
  assert_call (&fixture, 2, OPEN, 20000);
  cs_timeline_chart_get_track (fixture.chart, 2, &settings);
  g_assert_cmpuint (settings.depth_limit, ==, 3);
  g_assert_true (cs_timeline_chart_get_range (fixture.chart, NULL, NULL));
  g_assert_cmpuint (fixture.chart->measure_track, ==, 2);
  g_assert_cmpuint (fixture.n_selected, ==, 1);

  /* Following: the end stays at the end, until one goes back. */
  cs_timeline_chart_set_follow (fixture.chart, TRUE);
  cs_timeline_chart_get_window (fixture.chart, &from, &to);
  g_assert_cmpint (to, ==, T0 + 300000);
  g_assert_cmpint (ABS (to - from - 49000), <=, 1);
  begin_thread (&fixture.recording, 7, 5);
  add_call (&fixture.recording, -5000, 400000, LEFT);
  show_recording (&fixture);
  cs_timeline_chart_get_window (fixture.chart, &from, &to);
  g_assert_cmpint (to, ==, T0 + 400000);
  cs_timeline_chart_pan (fixture.chart, -300, 0, FALSE);
  g_assert_false (cs_timeline_chart_get_follow (fixture.chart));

  /* What showed everything does so again. */
  cs_timeline_chart_fit (fixture.chart, FALSE);
  begin_thread (&fixture.recording, 7, 5);
  add_call (&fixture.recording, -5000, 500000, LEFT);
  show_recording (&fixture);
  assert_window (&fixture, -5000, 500000);
  close_chart (&fixture);
}

/* Another recording while the first one is being read: nothing of the first is ever painted, nor selected. */
static void
test_replaced (void)
{
  Fixture fixture = { 0 };
  Recording other;
  g_autoptr (CsTimeline) first = NULL, second = NULL;

  SKIP_WITHOUT_DISPLAY ();
  write_known (&fixture.recording);
  first = read_timeline (fixture.recording.path);
  begin_recording (&other);
  begin_thread (&other, 99, 99);
  add_call (&other, 0, 77000, TINY);
  end_thread (&other);
  second = read_timeline (other.path);
  open_chart (&fixture, 900, 400);
  for (guint i = 0; i < 20; i++)
    {
      cs_timeline_chart_set_timeline (fixture.chart, first);
      if (i % 2 == 0)
        settle (&fixture);
      cs_timeline_chart_press_key (fixture.chart, GDK_KEY_Down, 0);
      cs_timeline_chart_press_key (fixture.chart, GDK_KEY_Down, 0);
      cs_timeline_chart_zoom (fixture.chart, 10, 2, TRUE);
      cs_timeline_chart_set_timeline (fixture.chart, second);
      g_assert_null (cs_timeline_chart_get_call (fixture.chart));
      while (!cs_timeline_chart_get_sharp (fixture.chart))
        {
          g_autoptr (GArray) visible = cs_timeline_chart_dup_visible (fixture.chart);

          g_assert_cmpuint (visible->len, ==, 0);
          g_main_context_iteration (NULL, TRUE);
        }
      settle (&fixture);
      g_assert_null (cs_timeline_chart_get_call (fixture.chart));
      g_assert_true (fixture.chart->answer->timeline == second);
      assert_window (&fixture, 0, 77000);
    }
  /* It may be gone while a worker reads. */
  cs_timeline_chart_set_timeline (fixture.chart, first);
  close_chart (&fixture);
  remove_folder (other.path);
  g_free (other.path);
}

static CsTimeline *
read_two_threads (gint64 end)
{
  Recording recording;
  CsTimeline *timeline;

  begin_recording (&recording);
  begin_thread (&recording, 7, 11);
  add_call (&recording, 0, 100000, MAIN);
  begin_thread (&recording, 7, 12);
  add_call (&recording, 1000, end, LEFT);
  end_thread (&recording);
  timeline = read_timeline (recording.path);
  remove_folder (recording.path);
  g_free (recording.path);
  return timeline;
}

/* More of a recording whose first part had the whole time already: one thread was read to its end before another. */
static void
test_same_time (void)
{
  Fixture fixture = { 0 };
  g_autoptr (CsTimeline) part = NULL, whole = NULL;

  SKIP_WITHOUT_DISPLAY ();
  write_known (&fixture.recording);
  part = read_two_threads (20000);
  whole = read_two_threads (90000);
  open_chart (&fixture, 900, 400);
  cs_timeline_chart_set_timeline (fixture.chart, part);
  settle (&fixture);
  g_assert_true (fixture.chart->answer->timeline == part);
  cs_timeline_chart_set_timeline (fixture.chart, whole);
  settle (&fixture);
  g_assert_true (fixture.chart->answer->timeline == whole);
  close_chart (&fixture);
}

/* While a worker reads, what was read last is painted where it is now; then it is sharp. */
static void
test_immediate (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GArray) painted = NULL, row = NULL;

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  cs_timeline_chart_set_window (fixture.chart, T0 + 50000, T0 + 110000, FALSE);
  g_assert_false (cs_timeline_chart_get_sharp (fixture.chart));
  painted = list_painted (&fixture);
  row = find_row (&fixture, painted, get_row_y (&fixture, 0, 1));
  g_assert_cmpuint (row->len, ==, 1);
  g_assert_cmpfloat_with_epsilon (g_array_index (row, Painted, 0).bounds.origin.x, get_time_x (&fixture, 60000), 1.5);
  settle (&fixture);
  g_assert_true (cs_timeline_chart_get_sharp (fixture.chart));
  /* What lies beside it was read, too: a pan is sharp at once. */
  cs_timeline_chart_pan (fixture.chart, 50, 0, FALSE);
  g_assert_true (cs_timeline_chart_get_sharp (fixture.chart));
  close_chart (&fixture);
}

static void
test_found_and_marks (void)
{
  Fixture fixture = { 0 };
  CsTimelineCall found = { .track = 0 };
  const CsTimelineMark marks[] = {
    { G_MAXUINT, T0 + 50000, T0 + 50000, CS_TIMELINE_MARK_STOPPED, "It stopped." },
    { 0, T0 + 104000, T0 + 112000, CS_TIMELINE_MARK_OFF, "It was off." },
    { 1, T0 + 5000, 0, CS_TIMELINE_MARK_DROPPED, "Some are missing." },
  };
  g_autoptr (GArray) before = NULL, after = NULL, a = NULL, b = NULL;
  g_autofree char *sign = NULL, *zone = NULL;

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  before = list_painted (&fixture);
  g_assert_true (cs_timeline_get_call_at (fixture.chart->timeline, 0, T0 + 20000, 1, &found.span, NULL));
  cs_timeline_chart_set_found (fixture.chart, &found, 1);
  cs_timeline_chart_set_marks (fixture.chart, marks, G_N_ELEMENTS (marks));
  after = list_painted (&fixture);
  a = find_row (&fixture, before, get_row_y (&fixture, 0, 1));
  b = find_row (&fixture, after, get_row_y (&fixture, 0, 1));
  g_assert_true (gdk_rgba_equal (&g_array_index (a, Painted, 0).color, &g_array_index (b, Painted, 0).color));
  g_assert_false (gdk_rgba_equal (&g_array_index (a, Painted, 1).color, &g_array_index (b, Painted, 1).color));
  g_assert_cmpuint (count_painted (after, GSK_BORDER_NODE), ==, count_painted (before, GSK_BORDER_NODE) + 1);
  g_assert_cmpuint (count_painted (after, GSK_REPEATING_LINEAR_GRADIENT_NODE), ==, 1);
  sign = cs_timeline_chart_dup_tooltip (fixture.chart, get_time_x (&fixture, 50000), 10);
  g_assert_cmpstr (sign, ==, "It stopped.");
  zone = cs_timeline_chart_dup_tooltip (fixture.chart, get_time_x (&fixture, 108000), get_row_y (&fixture, 0, 1) + 5);
  g_assert_cmpstr (zone, ==, "It was off.");
  cs_timeline_chart_set_found (fixture.chart, NULL, 0);
  cs_timeline_chart_set_marks (fixture.chart, NULL, 0);
  g_clear_pointer (&after, g_array_unref);
  after = list_painted (&fixture);
  g_assert_cmpuint (after->len, ==, before->len);
  close_chart (&fixture);
}

static char *
dup_long (guint function, gpointer data)
{
  char *name = g_strnfill (4000, 'x');

  name[2] = (char) 0xff; /* not valid */
  return name;
}

static guint
get_zero (guint process, guint64 address, guint64 ts, gpointer data)
{
  ++*(guint *) data;
  return 0;
}

static char *
dup_markup (guint track, gpointer data)
{
  return g_strdup ("<b>\xff & co");
}

static void
test_texts (void)
{
  const CsTimelineChartTexts texts = { .get_function = get_zero, .dup_label = dup_long, .dup_track_title = dup_markup };
  Fixture fixture = { 0 };
  CsTimelinePoint point;
  CsTimelineCall call;
  g_autofree char *label = NULL, *tooltip = NULL;
  guint n_asked = 0, before;

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  cs_timeline_chart_set_texts (fixture.chart, &texts, &n_asked, NULL);
  settle (&fixture);
  g_array_unref (list_painted (&fixture));
  g_assert_cmpuint (n_asked, >, 0);
  before = n_asked;
  cs_timeline_chart_pan (fixture.chart, 1, 0, FALSE);
  g_array_unref (list_painted (&fixture));
  g_assert_cmpuint (n_asked, ==, before);
  hit (&fixture, 20000, 0, 1, &point);
  call = (CsTimelineCall){ 0, point.span };
  label = cs_timeline_chart_dup_label (fixture.chart, &call);
  g_assert_true (g_utf8_validate (label, -1, NULL));
  g_assert_cmpint (g_utf8_strlen (label, -1), <=, 201);
  tooltip = cs_timeline_chart_dup_tooltip (fixture.chart, 30, get_row_y (&fixture, 0, 0) + 5);
  g_assert_true (g_str_has_prefix (tooltip, "<b>\357\277\275 & co"));
  close_chart (&fixture);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);

  g_test_add_func ("/timeline-states/tracks", test_tracks);
  g_test_add_func ("/timeline-states/pinned", test_pinned);
  g_test_add_func ("/app/timeline-states/more-rows", test_more_rows);
  g_test_add_func ("/timeline-states/deep", test_deep);
  g_test_add_func ("/timeline-states/many-threads", test_many_threads);
  g_test_add_func ("/timeline-states/full", test_full);
  g_test_add_func ("/timeline-states/extremes", test_extremes);
  g_test_add_func ("/timeline-states/empty", test_empty);
  g_test_add_func ("/timeline-states/damaged", test_damaged);
  g_test_add_func ("/timeline-states/grows", test_grows);
  g_test_add_func ("/timeline-states/replaced", test_replaced);
  g_test_add_func ("/timeline-states/same-time", test_same_time);
  g_test_add_func ("/timeline-states/immediate", test_immediate);
  g_test_add_func ("/timeline-states/found-and-marks", test_found_and_marks);
  g_test_add_func ("/timeline-states/texts", test_texts);

  return g_test_run ();
}
