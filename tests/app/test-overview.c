/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "charts-fixture.h"
#include "profile/cs-timeline-open.h"
#include "test-pointer.h"
#include "test-recording.h"

static void
test_overview (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  guint64 from, to, from2, to2;

  /* 500 px for a ms: 2 µs a pixel. */
  open_window (&fixture, make_overview (1), 500, 60);
  g_assert_cmpint (gtk_widget_get_width (fixture.widget), ==, 500);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_LABEL,
               "Activity over time: 9900 events in 1 ms on 1 thread");
  drag (&fixture, 100, 200);
  check_near (&fixture, 200000, 400000, 1000);
  g_assert_cmpuint (fixture.n_changed, ==, 1);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
               "Selected: 200 µs – 400 µs (200 µs)");
  cs_range_chart_get_range (fixture.chart, &from, &to);
  drag (&fixture, 150, 250); /* all of it */
  cs_range_chart_get_range (fixture.chart, &from2, &to2);
  g_assert_cmpuint (to2 - from2, ==, to - from);
  check_near (&fixture, 400000, 600000, 1000);
  drag (&fixture, 250, 2000);
  check_near (&fixture, 800000, 1000000, 1000);
  drag (&fixture, 400, 350); /* an end */
  check_near (&fixture, 700000, 1000000, 1000);
  g_assert_cmpuint (fixture.n_changed, ==, 4);
  cs_range_chart_press (fixture.chart, 400); /* a click within it is none */
  cs_range_chart_release (fixture.chart, 401, 1);
  check_near (&fixture, 700000, 1000000, 1000);
  g_assert_cmpuint (fixture.n_changed, ==, 4);
  cs_range_chart_press (fixture.chart, 100); /* one beside it clears it */
  cs_range_chart_release (fixture.chart, 101, 1);
  assert_range (&fixture, 0, 0);
  g_assert_cmpuint (fixture.n_changed, ==, 5);
  drag (&fixture, 100, -100);
  check_near (&fixture, 0, 200000, 1000);
  cs_range_chart_press (fixture.chart, 50);
  cs_range_chart_release (fixture.chart, 50, 2);
  assert_range (&fixture, 0, 0);
  /* One that was set for more than there is reaches to the end, which can be dragged. */
  cs_range_chart_set_range (fixture.chart, 500000, G_MAXUINT64);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
               "200 µs – 205 µs: 20 events\nSelected: 500 µs – 1 ms (500 µs)");
  cairo_surface_destroy (render (fixture.widget));
  drag (&fixture, 499, 400);
  check_near (&fixture, 500000, 800000, 2000);
  close_window (&fixture);
}

/* With a real pointer the gesture tells of an end, too, when Esc gives it up. */
static void
test_escape_drag (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;

  open_window (&fixture, make_overview (1), 500, 60);
  if (test_point ("mousemove 100 40 mousedown 1 mousemove 150 40 mousemove 300 40"))
    {
      g_assert_true (cs_range_chart_get_shown_range (fixture.chart, NULL, NULL));
      test_point ("key Escape mouseup 1");
      g_assert_false (cs_range_chart_get_shown_range (fixture.chart, NULL, NULL));
      assert_range (&fixture, 0, 0);
      g_assert_cmpuint (fixture.n_changed, ==, 0);
      /* Without Esc it is a range. */
      test_point ("mousemove 100 40 mousedown 1 mousemove 150 40 mousemove 300 40 mouseup 1");
      check_near (&fixture, 200000, 600000, 3000);
      g_assert_cmpuint (fixture.n_changed, ==, 1);
    }
  close_window (&fixture);
}

/* What the person was doing ends with the chart's sight, and with a range that is set. */
static void
test_ended (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;

  open_window (&fixture, make_overview (1), 500, 60);
  cs_range_chart_press (fixture.chart, 100);
  cs_range_chart_drag (fixture.chart, 200);
  g_assert_true (cs_range_chart_get_shown_range (fixture.chart, NULL, NULL));
  gtk_widget_set_visible (fixture.widget, FALSE);
  g_assert_false (cs_range_chart_get_shown_range (fixture.chart, NULL, NULL));
  cs_range_chart_release (fixture.chart, 200, 1);
  assert_range (&fixture, 0, 0);
  gtk_widget_set_visible (fixture.widget, TRUE);
  draw ();
  cs_range_chart_set_range (fixture.chart, 200000, 400000);
  press_key (&fixture, GDK_KEY_plus, 0);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "Selected: 190 µs – 410 µs (220 µs)");
  /* Although it is the range that was there before. */
  cs_range_chart_set_range (fixture.chart, 200000, 400000);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "Selected: 200 µs – 400 µs (200 µs)");
  close_window (&fixture);
}

static void
test_overview_keys (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;

  open_window (&fixture, make_overview (3), 500, 100);
  cs_overview_add_notice (CS_OVERVIEW (fixture.widget), 730000, "The budget was reached");
  cs_overview_add_notice (CS_OVERVIEW (fixture.widget), 250000, "Events were lost");
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_LABEL,
               "Activity over time: 35700 events in 1 ms on 3 threads, 2 notices");
  press_key (&fixture, GDK_KEY_Right, 0);
  check_cursor (&fixture, 0);
  press_key (&fixture, GDK_KEY_Right, 0);
  check_cursor (&fixture, 10000);
  press_key (&fixture, GDK_KEY_Right, GDK_CONTROL_MASK);
  check_cursor (&fixture, 250000);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
               "250 µs – 255 µs: 105 events\nEvents were lost");
  press_key (&fixture, GDK_KEY_Right, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  cs_range_chart_commit (fixture.chart);
  assert_range (&fixture, 250000, 730000);
  press_key (&fixture, GDK_KEY_plus, 0);
  cs_range_chart_commit (fixture.chart);
  assert_range (&fixture, 240000, 740000);
  press_key (&fixture, GDK_KEY_minus, 0);
  press_key (&fixture, GDK_KEY_minus, 0);
  cs_range_chart_commit (fixture.chart);
  assert_range (&fixture, 260000, 720000);
  press_key (&fixture, GDK_KEY_End, 0);
  check_cursor (&fixture, 1000000);
  press_key (&fixture, GDK_KEY_Left, GDK_SHIFT_MASK);
  cs_range_chart_commit (fixture.chart);
  assert_range (&fixture, 990000, 1000000);
  press_key (&fixture, GDK_KEY_Home, GDK_SHIFT_MASK);
  cs_range_chart_commit (fixture.chart);
  assert_range (&fixture, 0, 1000000);
  press_key (&fixture, GDK_KEY_Escape, 0);
  assert_range (&fixture, 0, 0);
  cs_overview_clear_notices (CS_OVERVIEW (fixture.widget));
  close_window (&fixture);
}

/* Rows are there where there is height, and their tooltips tell whose they are. */
static void
test_overview_rows (void)
{
  SKIP_WITHOUT_DISPLAY ();
  const CsDensity *density;
  Fixture fixture;
  g_autofree char *first = NULL, *rest = NULL, *all = NULL;
  int minimum, natural;

  open_window (&fixture, make_overview (30), 500, 120);
  density = cs_overview_get_density (CS_OVERVIEW (fixture.widget));
  g_assert_cmpuint (density->n_rows, ==, 12);
  g_assert_cmpuint (density->n_rest, ==, 19);
  g_assert_cmpuint (density->n_columns, ==, N_COLUMNS);
  all = cs_range_chart_dup_tooltip (fixture.chart, 1, 30);
  rest = cs_range_chart_dup_tooltip (fixture.chart, 1, 118);
  first = cs_range_chart_dup_tooltip (fixture.chart, 1, 120 - 12 * 5 + 2);
  g_assert_cmpstr (all, ==, "0 ns – 5 µs: 4350 events");
  g_assert_cmpstr (first, ==, "Thread 20\n0 ns – 5 µs: 190 events");
  g_assert_cmpstr (rest, ==, "19 other threads\n0 ns – 5 µs: 1710 events");
  gtk_widget_measure (fixture.widget, GTK_ORIENTATION_VERTICAL, -1, &minimum, &natural, NULL, NULL);
  GTK_WIDGET_GET_CLASS (fixture.widget)->size_allocate (fixture.widget, 500, minimum, -1);
  g_assert_cmpint (natural, >, minimum);
  close_window (&fixture);
}

static void
test_overview_extremes (void)
{
  SKIP_WITHOUT_DISPLAY ();
  static const guint64 spans[] = { 1, 2, 99, G_MAXINT64, G_MAXUINT64 };
  static const guint64 events[] = { 0, G_MAXUINT64 / 4, 1, 0, 0, 0 };
  Fixture fixture;

  open_window (&fixture, cs_overview_new (), 300, 60);
  check_extremes (&fixture);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_LABEL,
               "Activity over time");
  cs_overview_set_message (CS_OVERVIEW (fixture.widget), "Nothing is <open>");
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_LABEL,
               "Activity over time: Nothing is <open>");
  for (guint i = 0; i < G_N_ELEMENTS (spans); i++)
    {
      cs_overview_set_density (CS_OVERVIEW (fixture.widget), spans[i], events, 3, 2);
      cs_overview_add_notice (CS_OVERVIEW (fixture.widget), 0, "at the start");
      cs_overview_add_notice (CS_OVERVIEW (fixture.widget), G_MAXUINT64, "\xff");
      check_extremes (&fixture);
    }
  cs_overview_set_density (CS_OVERVIEW (fixture.widget), 1000, events, 1, 1); /* no event */
  check_extremes (&fixture);
  cs_overview_set_density (CS_OVERVIEW (fixture.widget), 0, NULL, 0, 0);
  cs_overview_set_timeline (CS_OVERVIEW (fixture.widget), NULL);
  check_extremes (&fixture);
  close_window (&fixture);
}

/* The index of a recording of a thread with n calls of 3 ns, 10 ns apart; its folder is to be removed. */
static CsTimeline *
open_timeline (guint n, char **folder)
{
  GByteArray *bytes = test_recording_new ();
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (CsRecording) recording = NULL;
  g_autoptr (GError) error = NULL;
  CsTimeline *timeline;

  for (guint i = 0; i < 2 * n; i++)
    test_recording_add (bytes, 5000 + 10 * (i / 2) + (i % 2 ? 3 : 0), 0x2000, i % 2);
  *folder = test_recording_write (bytes);
  recording = cs_recording_open ((const char *const[]){ *folder, NULL }, NULL, &error);
  g_assert_no_error (error);
  timeline = cs_timeline_open (recording, symbolizer, NULL, NULL, &error);
  g_assert_no_error (error);
  return timeline;
}

static void
wait_for_density (CsOverview *overview)
{
  while (cs_overview_is_reading (overview))
    g_main_context_iteration (NULL, TRUE);
}

static guint64
sum_columns (CsOverview *overview)
{
  const CsDensity *density = cs_overview_get_density (overview);
  guint64 sum = 0;

  for (guint i = 0; i < density->n_columns; i++)
    sum += density->total[i];
  return sum;
}

static void
test_overview_timeline (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *large_folder = NULL, *small_folder = NULL;
  g_autoptr (CsTimeline) large = open_timeline (100000, &large_folder);
  g_autoptr (CsTimeline) small = open_timeline (7, &small_folder);
  g_autofree char *text = NULL;
  CsOverview *overview;
  Fixture fixture;

  open_window (&fixture, cs_overview_new (), 500, 60);
  overview = CS_OVERVIEW (fixture.widget);
  cs_overview_set_timeline (overview, large);
  g_assert_true (cs_overview_is_reading (overview));
  g_assert_cmpuint (cs_overview_get_span (overview), ==, 10 * 99999 + 3 + 1);
  g_assert_cmpint (cs_overview_get_start (overview), ==, cs_timeline_get_track_info (large, 0)->first);
  wait_for_density (overview);
  g_assert_cmpuint (sum_columns (overview), ==, 200000);
  g_assert_cmpuint (cs_overview_get_density (overview)->n_columns, ==, 250);
  text = cs_range_chart_dup_tooltip (fixture.chart, 250, 30);
  g_assert_nonnull (strstr (text, " events"));

  /* Another width has other columns; the old ones are painted until these are there. */
  GTK_WIDGET_GET_CLASS (fixture.widget)->size_allocate (fixture.widget, 500, 60, -1);
  g_assert_false (cs_overview_is_reading (overview));
  gtk_widget_set_margin_end (fixture.widget, 200);
  while (gtk_widget_get_width (fixture.widget) == 500)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (cs_overview_get_density (overview));
  wait_for_density (overview);
  g_assert_cmpuint (sum_columns (overview), ==, 200000);
  g_assert_cmpuint (cs_overview_get_density (overview)->n_columns, ==, 150);

  /* What is superseded while it is read never shows. */
  cs_overview_set_timeline (overview, small);
  cs_overview_set_timeline (overview, large);
  cs_overview_set_timeline (overview, small);
  wait_for_density (overview);
  draw ();
  g_assert_cmpuint (sum_columns (overview), ==, 14);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_LABEL, "Activity over time: 14 events in 64 ns on 1 thread");
  cs_overview_set_timeline (overview, large);
  cs_overview_set_timeline (overview, NULL);
  draw ();
  g_assert_null (cs_overview_get_density (overview));
  cs_overview_set_timeline (overview, large);
  close_window (&fixture); /* while it is read */
  draw ();
  test_recording_remove (large_folder);
  test_recording_remove (small_folder);
}

/* Right to left, the strip is what it is from left to right, mirrored. */
static void
test_mirrored (void)
{
  SKIP_WITHOUT_DISPLAY ();
  cairo_surface_t *ltr, *rtl;
  Fixture fixture;
  guint n = 0, first;

  open_window (&fixture, make_overview (3), 400, 90);
  cs_overview_add_notice (CS_OVERVIEW (fixture.widget), 300000, "here");
  ltr = render (fixture.widget);
  gtk_widget_set_direction (fixture.widget, GTK_TEXT_DIR_RTL);
  iterate ();
  rtl = render (fixture.widget);
  for (int y = 40; y < 85; y++) /* but for the round corners */
    for (int x = 0; x < 400; x++)
      {
        g_assert_true (is_like (get_pixel (ltr, x, y), get_pixel (rtl, 399 - x, y)));
        n += !is_like (get_pixel (ltr, x, y), get_pixel (ltr, 399 - x, y));
      }
  g_assert_cmpuint (n, >, 1000);
  cairo_surface_destroy (ltr);
  cairo_surface_destroy (rtl);

  /* What is at the right is the beginning. */
  drag (&fixture, 399, 300);
  check_near (&fixture, 0, 250000, 3000);
  press_key (&fixture, GDK_KEY_Home, 0);
  press_key (&fixture, GDK_KEY_Left, 0);
  check_cursor (&fixture, 10000);
  close_window (&fixture);

  open_window (&fixture, make_histogram (), 1200, 200);
  gtk_widget_set_direction (fixture.widget, GTK_TEXT_DIR_RTL);
  iterate ();
  drag (&fixture, get_bar_x (&fixture, 8, 0.5), get_bar_x (&fixture, 14, 0.5));
  assert_range (&fixture, 8, 15);
  first = (guint) get_bar_x (&fixture, 4, 0.5);
  g_assert_cmpuint (first, >, get_bar_x (&fixture, 8, 0.5));
  close_window (&fixture);
}

static void
run_xdotool (const char *arguments)
{
  g_autofree char *command = g_strdup_printf ("xdotool %s", arguments);
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_command_line_sync (command, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  draw ();
}

/* The pointer and keys themselves, from the display. */
static void
test_events (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *tool = g_find_program_in_path ("xdotool"), *command = NULL, *command_twice = NULL;
  GtkSettings *settings = gtk_settings_get_default ();
  guint64 value;
  Fixture fixture;
  int ms;

  if (tool == NULL)
    {
      g_test_skip ("no xdotool");
      return;
    }
  open_window (&fixture, make_overview (1), 500, 60);
  draw ();
  run_xdotool ("mousemove 100 40 mousedown 1");
  run_xdotool ("mousemove 150 40");
  run_xdotool ("mousemove 200 40");
  g_assert_cmpuint (fixture.n_changed, ==, 0);
  run_xdotool ("mouseup 1");
  check_near (&fixture, 200000, 400000, 5000);
  g_assert_cmpuint (fixture.n_changed, ==, 1);
  g_assert_true (gtk_widget_has_focus (fixture.widget));
  run_xdotool ("mousemove 200 40 mousedown 1");
  run_xdotool ("mousemove 300 40");
  run_xdotool ("mouseup 1");
  check_near (&fixture, 200000, 600000, 8000);
  run_xdotool ("key Escape");
  assert_range (&fixture, 0, 0);
  run_xdotool ("key Home");
  run_xdotool ("key shift+Right");
  g_assert_true (cs_range_chart_get_cursor (fixture.chart, &value));
  g_assert_cmpuint (value, ==, 10000);
  assert_range (&fixture, 0, 10000);
  close_window (&fixture);

  /* A click selects a bar, and a double click doesn't do so twice. */
  open_window (&fixture, make_histogram (), 1200, 200);
  draw ();
  g_object_get (settings, "gtk-double-click-time", &ms, NULL);
  g_object_set (settings, "gtk-double-click-time", 50, NULL);
  command = g_strdup_printf ("mousemove %.0f 150 click 1", get_bar_x (&fixture, 8, 0.5));
  run_xdotool (command);
  assert_range (&fixture, 8, 9);
  wait_for_ms (150); /* a click shortly before, elsewhere, would make GTK count anew */
  g_object_set (settings, "gtk-double-click-time", 20000, NULL); /* however busy the machine is */
  command_twice = g_strdup_printf ("mousemove %.0f 150 click --repeat 2 --delay 30 1", get_bar_x (&fixture, 14, 0.5));
  run_xdotool (command_twice);
  draw ();
  assert_range (&fixture, 0, 0);
  g_object_set (settings, "gtk-double-click-time", ms, NULL);
  close_window (&fixture);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);

  g_test_add_func ("/charts/overview", test_overview);
  g_test_add_func ("/charts/overview-escape-drag", test_escape_drag);
  g_test_add_func ("/charts/overview-ended", test_ended);
  g_test_add_func ("/charts/overview-keys", test_overview_keys);
  g_test_add_func ("/charts/overview-rows", test_overview_rows);
  g_test_add_func ("/charts/overview-extremes", test_overview_extremes);
  g_test_add_func ("/charts/overview-timeline", test_overview_timeline);
  g_test_add_func ("/charts/mirrored", test_mirrored);
  g_test_add_func ("/charts/events", test_events);
  return g_test_run ();
}
