/* SPDX-License-Identifier: MIT */
/* The timeline's widget: what it paints of a recording that is known to the ns, and what pointer and keys do. */
#include "config.h"

#include "test-pointer.h"
#include "timeline-fixture.h"

static void
assert_near (double a, double b)
{
  g_assert_cmpfloat_with_epsilon (a, b, 1.51);
}

/* A rectangle from one time to another, with a pixel left free at its end. */
static void
assert_box (Fixture *fixture, GArray *row, guint i, gint64 from, gint64 to)
{
  const Painted *box;
  double x0 = get_time_x (fixture, from), x1 = get_time_x (fixture, to);

  g_assert_cmpuint (i, <, row->len);
  box = &g_array_index (row, Painted, i);
  assert_near (box->bounds.origin.x, MIN (x0, x1));
  assert_near (box->bounds.origin.x + box->bounds.size.width, MAX (x0, x1));
}

static gboolean
same_color (const GdkRGBA *a, const GdkRGBA *b)
{
  return gdk_rgba_equal (a, b);
}

static void
test_rectangles (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GArray) painted = NULL, row = NULL, inner = NULL, other = NULL;
  const GdkRGBA *grey;

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  assert_window (&fixture, 0, 120000);
  painted = list_painted (&fixture);
  row = find_row (&fixture, painted, get_row_y (&fixture, 0, 0));
  g_assert_cmpuint (row->len, ==, 1);
  assert_box (&fixture, row, 0, 0, 120000);
  g_clear_pointer (&row, g_array_unref);
  row = find_row (&fixture, painted, get_row_y (&fixture, 0, 1));
  g_assert_cmpuint (row->len, ==, 2);
  assert_box (&fixture, row, 0, 10000, 40000);
  assert_box (&fixture, row, 1, 60000, 100000);
  g_assert_false (same_color (&g_array_index (row, Painted, 0).color, &g_array_index (row, Painted, 1).color));

  /* The thousand are one grey block. */
  inner = find_row (&fixture, painted, get_row_y (&fixture, 0, 2));
  g_assert_cmpuint (inner->len, ==, 2);
  assert_box (&fixture, inner, 0, 70000, 80000);
  assert_box (&fixture, inner, 1, 82000, 91995);
  grey = cs_timeline_chart_get_style_color (fixture.chart, 0, FALSE);
  g_assert_true (same_color (&g_array_index (inner, Painted, 1).color, grey));

  /* What has no end is ragged there: three pieces. */
  other = find_row (&fixture, painted, get_row_y (&fixture, 1, 0));
  g_assert_cmpuint (other->len, ==, 3);
  assert_near (g_array_index (other, Painted, 0).bounds.origin.x, get_time_x (&fixture, 20000));
  g_assert_cmpfloat (g_array_index (other, Painted, 2).bounds.origin.x + g_array_index (other, Painted, 2).bounds.size.width,
                     <, get_time_x (&fixture, 110000));
  close_chart (&fixture);
}

static void
test_mirrored (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GArray) left = NULL, right = NULL;
  double width;

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  width = gtk_widget_get_width (GTK_WIDGET (fixture.chart));
  g_clear_pointer (&left, g_array_unref);
  left = list_painted (&fixture);
  gtk_widget_set_direction (GTK_WIDGET (fixture.chart), GTK_TEXT_DIR_RTL);
  settle (&fixture);
  right = list_painted (&fixture);
  for (guint depth = 0; depth < 3; depth++)
    {
      g_autoptr (GArray) a = find_row (&fixture, left, get_row_y (&fixture, 0, depth));
      g_autoptr (GArray) b = find_row (&fixture, right, get_row_y (&fixture, 0, depth));

      g_assert_cmpuint (a->len, ==, b->len);
      for (guint i = 0; i < a->len; i++)
        {
          const Painted *x = &g_array_index (a, Painted, i), *y = &g_array_index (b, Painted, i);

          assert_near (x->bounds.origin.x, width - y->bounds.origin.x - y->bounds.size.width);
          assert_near (x->bounds.size.width, y->bounds.size.width);
          g_assert_true (same_color (&x->color, &y->color));
        }
    }
  /* Later is to the left, for the keys and the pointer too. */
  g_assert_cmpfloat (get_time_x (&fixture, 0), >, get_time_x (&fixture, 1000));
  click (&fixture, get_time_x (&fixture, 20000), get_row_y (&fixture, 0, 1) + 4, 1);
  assert_call (&fixture, 0, LEFT, 10000);
  press_key (&fixture, GDK_KEY_Left, 0);
  assert_call (&fixture, 0, RIGHT, 60000);
  cs_timeline_chart_set_window (fixture.chart, T0 + 20000, T0 + 40000, FALSE);
  drag (&fixture, 400, 200, 500, 200, 0);
  {
    gint64 from;

    cs_timeline_chart_get_window (fixture.chart, &from, NULL);
    g_assert_cmpint (from, >, T0 + 20000);
  }
  close_chart (&fixture);
}

static void
test_blocks (void)
{
  Fixture fixture = { 0 };
  CsTimelinePoint point;
  CsTimelineCall call;
  g_autofree char *label = NULL, *tooltip = NULL;
  g_autoptr (GArray) visible = NULL;
  guint n = 0;

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  hit (&fixture, 85000, 0, 2, &point);
  g_assert_true (point.has_span);
  g_assert_cmpuint ((point.span.n_events + 1) / 2, ==, 1000);
  g_assert_cmpuint (point.span.address, ==, 0);
  call = (CsTimelineCall){ 0, point.span };
  label = cs_timeline_chart_dup_label (fixture.chart, &call);
  g_assert_true (g_str_has_prefix (label, "≈1") && g_str_has_suffix (label, "000"));
  tooltip = cs_timeline_chart_dup_tooltip (fixture.chart, get_time_x (&fixture, 85000), get_row_y (&fixture, 0, 2) + 5);
  g_assert_nonnull (strstr (tooltip, "000 calls, of all depths together"));

  /* It is not a call that could be selected, but can be zoomed to. */
  click (&fixture, get_time_x (&fixture, 85000), get_row_y (&fixture, 0, 2) + 5, 1);
  g_assert_null (cs_timeline_chart_get_call (fixture.chart));
  click (&fixture, get_time_x (&fixture, 85000), get_row_y (&fixture, 0, 2) + 5, 2);
  settle (&fixture);
  cs_timeline_chart_set_window (fixture.chart, T0 + 82000, T0 + 82400, FALSE);
  settle (&fixture);
  visible = cs_timeline_chart_dup_visible (fixture.chart);
  for (guint i = 0; i < visible->len; i++)
    n += g_array_index (visible, CsTimelineCall, i).span.address == TINY;
  /* From 82,000 to 82,400: one every 10 ns, the last of them at the edge. */
  g_assert_cmpuint (n, ==, 41);
  close_chart (&fixture);
}

/* Calls inside each other that are too short to be drawn: one block over all their rows, since it counts all of them. */
static void
test_joined_blocks (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GArray) painted = NULL;
  guint n_high = 0;
  double y, height;

  SKIP_WITHOUT_DISPLAY ();
  begin_recording (&fixture.recording);
  begin_thread (&fixture.recording, 7, 11);
  for (gint64 i = 0; i < 20000; i++)
    {
      enter (&fixture.recording, 100 * i, LEFT);
      enter (&fixture.recording, 100 * i + 20, RIGHT);
      add_call (&fixture.recording, 100 * i + 40, 100 * i + 50, INNER);
      leave (&fixture.recording, 100 * i + 70, RIGHT);
      leave (&fixture.recording, 100 * i + 90, LEFT);
    }
  open_chart (&fixture, 1000, 500);
  show_recording (&fixture);
  painted = list_painted (&fixture);
  y = get_row_y (&fixture, 0, 0);
  height = 3 * fixture.chart->row_height - 1;
  for (guint i = 0; i < painted->len; i++)
    {
      const Painted *at = &g_array_index (painted, Painted, i);

      n_high += at->type == GSK_COLOR_NODE && ABS (at->bounds.origin.y - y) < 0.5 && ABS (at->bounds.size.height - height) < 0.5;
    }
  g_assert_cmpuint (n_high, ==, 1);
  g_assert_cmpuint (fixture.chart->stats.n_labels, ==, 1);
  for (guint depth = 0; depth < 3; depth++)
    {
      g_autoptr (GArray) row = find_row (&fixture, painted, get_row_y (&fixture, 0, depth));

      g_assert_cmpuint (row->len, ==, 0);
    }
  /* Zoomed in each call is a rectangle of its own row. */
  cs_timeline_chart_set_window (fixture.chart, T0, T0 + 1000, FALSE);
  settle (&fixture);
  g_array_unref (painted);
  painted = list_painted (&fixture);
  for (guint depth = 0; depth < 3; depth++)
    {
      g_autoptr (GArray) row = find_row (&fixture, painted, get_row_y (&fixture, 0, depth));

      g_assert_cmpuint (row->len, >=, 10);
    }
  close_chart (&fixture);
}

static void
test_zoom (void)
{
  Fixture fixture = { 0 };
  gint64 from, to, before, after;
  double axis;

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  axis = cs_timeline_chart_get_axis_width (fixture.chart);
  /* What is at the pointer stays there. */
  for (guint i = 0; i < 12; i++)
    {
      before = cs_timeline_window_get_time (&fixture.chart->window, axis * 0.3);
      cs_timeline_chart_zoom (fixture.chart, axis * 0.3, i % 3 == 2 ? 0.7 : 1.6, FALSE);
      after = cs_timeline_window_get_time (&fixture.chart->window, axis * 0.3);
      g_assert_cmpint (ABS (after - before), <=, 1);
    }
  /* Never more than there is, never less than 10 ns. */
  cs_timeline_chart_zoom (fixture.chart, -1, 1e9, FALSE);
  cs_timeline_chart_get_window (fixture.chart, &from, &to);
  g_assert_cmpint (to - from, <=, 11);
  cs_timeline_chart_zoom (fixture.chart, -1, 1e-9, FALSE);
  assert_window (&fixture, 0, 120000);

  /* The wheel does it, with an animation; with Shift it pans. */
  fixture.chart->has_pointer = TRUE;
  fixture.chart->pointer_x = get_time_x (&fixture, 60000);
  g_assert_true (cs_timeline_chart_scroll (fixture.chart, 0, -1, 0, FALSE));
  settle (&fixture);
  cs_timeline_chart_get_window (fixture.chart, &from, &to);
  g_assert_cmpint (to - from, <, 100000);
  g_assert_cmpint (ABS ((from + to) / 2 - T0 - 60000), <, 200);
  g_assert_true (cs_timeline_chart_scroll (fixture.chart, 0, 1, GDK_SHIFT_MASK, FALSE));
  settle (&fixture);
  cs_timeline_chart_get_window (fixture.chart, &before, NULL);
  g_assert_cmpint (before, >, from);
  /* A drag takes what is under the pointer along. */
  drag (&fixture, 500, 100, 450, 100, 0);
  settle (&fixture);
  cs_timeline_chart_get_window (fixture.chart, &from, NULL);
  g_assert_cmpint (from, >, before);
  click (&fixture, 600, get_row_y (&fixture, 1, 1) + 60, 2);
  settle (&fixture);
  assert_window (&fixture, 0, 120000);
  close_chart (&fixture);
}

static void
test_range (void)
{
  Fixture fixture = { 0 };
  double x0, x1;
  gint64 from, to;

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  x0 = get_time_x (&fixture, 30000);
  x1 = get_time_x (&fixture, 90000);
  cs_timeline_chart_press (fixture.chart, x0, 4, 0);
  cs_timeline_chart_drag_to (fixture.chart, (x0 + x1) / 2, 4);
  g_assert_cmpuint (fixture.n_range, ==, 0);
  g_assert_false (cs_timeline_chart_get_range (fixture.chart, NULL, NULL));
  cs_timeline_chart_release (fixture.chart, x1, 4, 1);
  g_assert_cmpuint (fixture.n_range, ==, 1);
  g_assert_true (cs_timeline_chart_get_range (fixture.chart, &from, &to));
  /* To a pixel, which has some 140 ns. */
  g_assert_cmpint (ABS (from - T0 - 30000), <, 150);
  g_assert_cmpint (ABS (to - T0 - 90000), <, 150);
  /* The window doesn't move with it. */
  assert_window (&fixture, 0, 120000);

  /* An end is taken, and passes the other one. */
  drag (&fixture, x1, 4, get_time_x (&fixture, 10000), 4, 0);
  cs_timeline_chart_get_range (fixture.chart, &from, &to);
  g_assert_cmpint (ABS (from - T0 - 10000), <, 300);
  g_assert_cmpint (ABS (to - T0 - 30000), <, 300);
  /* All of it is moved, and stays within the recording. */
  drag (&fixture, get_time_x (&fixture, 20000), 4, get_time_x (&fixture, 120000), 4, 0);
  cs_timeline_chart_get_range (fixture.chart, &from, &to);
  g_assert_cmpint (to, ==, T0 + 120001);
  g_assert_cmpuint (fixture.n_range, ==, 3);

  /* Esc gives a drag up; a click clears. */
  cs_timeline_chart_press (fixture.chart, get_time_x (&fixture, 5000), 4, 0);
  cs_timeline_chart_drag_to (fixture.chart, get_time_x (&fixture, 50000), 4);
  press_key (&fixture, GDK_KEY_Escape, 0);
  cs_timeline_chart_release (fixture.chart, get_time_x (&fixture, 50000), 4, 1);
  g_assert_cmpuint (fixture.n_range, ==, 3);
  click (&fixture, get_time_x (&fixture, 5000), 4, 1);
  g_assert_false (cs_timeline_chart_get_range (fixture.chart, NULL, NULL));
  g_assert_cmpuint (fixture.n_range, ==, 4);

  /* What the owner sets isn't told. */
  cs_timeline_chart_set_range (fixture.chart, TRUE, T0 + 10, T0 + 20);
  g_assert_cmpuint (fixture.n_range, ==, 4);
  close_chart (&fixture);
}

/* With a real pointer the gesture tells of an end, too, when Esc gives it up; and of none when the chart is hidden. */
static void
test_drag_ends (void)
{
  Fixture fixture = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  if (test_point ("mousemove 400 8 mousedown 1 mousemove 450 8 mousemove 600 8"))
    {
      g_assert_cmpuint (fixture.chart->drag, ==, CS_TIMELINE_DRAG_RANGE);
      test_point ("key Escape mouseup 1");
      g_assert_cmpuint (fixture.n_range, ==, 0);
      g_assert_false (cs_timeline_chart_get_range (fixture.chart, NULL, NULL));
      test_point ("mousemove 400 8 mousedown 1 mousemove 450 8 mousemove 600 8");
      g_assert_true (fixture.chart->has_pointer);
      gtk_widget_set_visible (GTK_WIDGET (fixture.chart), FALSE);
      g_assert_cmpuint (fixture.chart->drag, ==, CS_TIMELINE_DRAG_NONE);
      test_point ("mouseup 1");
      g_assert_false (fixture.chart->has_pointer);
      g_assert_cmpuint (fixture.n_range, ==, 0);
      gtk_widget_set_visible (GTK_WIDGET (fixture.chart), TRUE);
      wait_for_ms (60);
      settle (&fixture);
      /* Without either it is a range. */
      test_point ("mousemove 400 8 mousedown 1 mousemove 450 8 mousemove 600 8 mouseup 1");
      g_assert_cmpuint (fixture.n_range, ==, 1);
    }
  close_chart (&fixture);
}

/* Whichever way the wheel is turned sideways, it goes the same way. */
static void
test_wheel (gconstpointer direction)
{
  Fixture fixture = { 0 };
  gboolean rtl = GPOINTER_TO_INT (direction) == GTK_TEXT_DIR_RTL;
  static const struct { double dx, dy; GdkModifierType state; } turns[] = { { 1, 0, 0 }, { 0, 1, GDK_SHIFT_MASK },
                                                                          { 1, 0, GDK_SHIFT_MASK } };

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  gtk_widget_set_direction (GTK_WIDGET (fixture.chart), GPOINTER_TO_INT (direction));
  settle (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (turns); i++)
    {
      gint64 before, after;

      cs_timeline_chart_set_window (fixture.chart, T0 + 40000, T0 + 60000, FALSE);
      settle (&fixture);
      cs_timeline_chart_get_window (fixture.chart, &before, NULL);
      g_assert_true (cs_timeline_chart_scroll (fixture.chart, turns[i].dx, turns[i].dy, turns[i].state, FALSE));
      settle (&fixture);
      cs_timeline_chart_get_window (fixture.chart, &after, NULL);
      g_assert_true (rtl ? after < before : after > before);
    }
  close_chart (&fixture);
}

/* A thread's name has the room that there is now. */
static void
test_titles (void)
{
  Fixture fixture = { 0 };
  static const int widths[] = { 240, 1000, 240 };
  double found[3] = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (GArray) painted = NULL;

      gtk_widget_size_allocate (GTK_WIDGET (fixture.chart), &(GtkAllocation){ 0, 0, widths[i], 500 }, -1);
      settle (&fixture);
      painted = list_painted (&fixture);
      for (guint k = 0; k < painted->len; k++)
        {
          const Painted *at = &g_array_index (painted, Painted, k);

          if (at->type == GSK_TEXT_NODE && at->bounds.origin.x < 24 && at->bounds.origin.y > fixture.chart->ruler_height)
            found[i] = MAX (found[i], (double) at->bounds.size.width);
        }
    }
  g_assert_cmpfloat (found[1], >, found[0] + 4);
  g_assert_cmpfloat_with_epsilon (found[2], found[0], 0.1);
  close_chart (&fixture);
}

static void
assert_measure (Fixture *fixture, gint64 from, gint64 to)
{
  gint64 measured_from, measured_to;

  g_assert_true (cs_timeline_chart_get_measure (fixture->chart, &measured_from, &measured_to));
  g_assert_cmpint (measured_from, ==, T0 + from);
  g_assert_cmpint (measured_to, ==, T0 + to);
}

/* Ends are exact although pixels are not. */
static void
test_measure (void)
{
  Fixture fixture = { 0 };
  double y;

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  y = get_row_y (&fixture, 0, 1) + 5;
  drag (&fixture, get_time_x (&fixture, 40000) + 5, y, get_time_x (&fixture, 60000) - 6, y, GDK_CONTROL_MASK);
  assert_measure (&fixture, 40000, 60000);
  g_assert_cmpuint (fixture.n_measure, >=, 1);
  assert_window (&fixture, 0, 120000);
  /* Another row has other edges, and the later end may be taken first. */
  cs_timeline_chart_set_measuring (fixture.chart, TRUE);
  drag (&fixture, get_time_x (&fixture, 80000) + 3, get_row_y (&fixture, 0, 2) + 5, get_time_x (&fixture, 30000) - 3,
        get_row_y (&fixture, 1, 1) + 5, 0);
  assert_measure (&fixture, 30000, 80000);
  g_array_unref (list_painted (&fixture));
  press_key (&fixture, GDK_KEY_Escape, 0);
  g_assert_false (cs_timeline_chart_get_measure (fixture.chart, NULL, NULL));
  g_assert_false (cs_timeline_chart_get_measuring (fixture.chart));

  /* With keys: from where the selected call begins to where the next one does. */
  click (&fixture, get_time_x (&fixture, 20000), y, 1);
  press_key (&fixture, GDK_KEY_m, 0);
  g_assert_true (cs_timeline_chart_get_measuring (fixture.chart));
  assert_measure (&fixture, 10000, 40000);
  press_key (&fixture, GDK_KEY_Right, 0);
  assert_measure (&fixture, 10000, 60000);
  press_key (&fixture, GDK_KEY_m, 0);
  g_assert_false (cs_timeline_chart_get_measure (fixture.chart, NULL, NULL));
  close_chart (&fixture);
}

static void
test_keyboard (void)
{
  Fixture fixture = { 0 };
  gint64 from, to;

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  /* Without a call, the first one on view. */
  press_key (&fixture, GDK_KEY_Right, 0);
  assert_call (&fixture, 0, MAIN, 0);
  press_key (&fixture, GDK_KEY_Down, 0);
  assert_call (&fixture, 0, LEFT, 10000);
  press_key (&fixture, GDK_KEY_Right, 0);
  assert_call (&fixture, 0, RIGHT, 60000);
  press_key (&fixture, GDK_KEY_Down, 0);
  press_key (&fixture, GDK_KEY_Right, 0);
  /* Within a block, too. */
  assert_call (&fixture, 0, TINY, 82000);
  press_key (&fixture, GDK_KEY_Right, 0);
  assert_call (&fixture, 0, TINY, 82010);
  press_key (&fixture, GDK_KEY_Left, 0);
  press_key (&fixture, GDK_KEY_Left, 0);
  assert_call (&fixture, 0, INNER, 70000);
  /* There is none before it. */
  press_key (&fixture, GDK_KEY_Left, 0);
  assert_call (&fixture, 0, INNER, 70000);
  press_key (&fixture, GDK_KEY_Up, 0);
  assert_call (&fixture, 0, RIGHT, 60000);
  press_key (&fixture, GDK_KEY_Page_Down, 0);
  assert_call (&fixture, 1, INNER, 30000);
  press_key (&fixture, GDK_KEY_Up, GDK_CONTROL_MASK);
  g_assert_cmpuint (cs_timeline_chart_get_call (fixture.chart)->track, ==, 0);
  g_assert_cmpuint (fixture.n_selected, >=, 9);

  /* Keys that come faster than calls are found are not lost. */
  cs_timeline_chart_set_call (fixture.chart, NULL, FALSE);
  press_key (&fixture, GDK_KEY_Down, 0);
  g_assert_true (cs_timeline_chart_press_key (fixture.chart, GDK_KEY_Down, 0));
  g_assert_true (cs_timeline_chart_press_key (fixture.chart, GDK_KEY_Right, 0));
  g_assert_true (cs_timeline_chart_press_key (fixture.chart, GDK_KEY_Down, 0));
  settle (&fixture);
  assert_call (&fixture, 0, INNER, 70000);

  press_key (&fixture, GDK_KEY_Return, 0);
  g_assert_cmpuint (fixture.n_activated, ==, 1);
  cs_timeline_chart_get_window (fixture.chart, &from, &to);
  g_assert_cmpint (from, <=, T0 + 70000);
  g_assert_cmpint (from, >, T0 + 69000);
  g_assert_cmpint (to, <, T0 + 81000);
  press_key (&fixture, GDK_KEY_bracketleft, 0);
  press_key (&fixture, GDK_KEY_bracketright, 0);
  g_assert_true (cs_timeline_chart_get_range (fixture.chart, &from, &to));
  g_assert_cmpint (from, ==, T0 + 70000);
  g_assert_cmpint (to, ==, T0 + 80000);
  press_key (&fixture, GDK_KEY_f, 0);
  assert_window (&fixture, 0, 120000);
  press_key (&fixture, GDK_KEY_w, 0);
  press_key (&fixture, GDK_KEY_plus, 0);
  press_key (&fixture, GDK_KEY_Home, 0);
  cs_timeline_chart_get_window (fixture.chart, &from, &to);
  g_assert_cmpint (from, ==, T0);
  press_key (&fixture, GDK_KEY_d, 0);
  press_key (&fixture, GDK_KEY_End, 0);
  cs_timeline_chart_get_window (fixture.chart, &from, &to);
  g_assert_cmpint (to, ==, T0 + 120000);
  press_key (&fixture, GDK_KEY_F10, GDK_SHIFT_MASK);
  g_assert_cmpuint (fixture.n_menu, ==, 1);

  /* Out, one after the other; then the key is someone else's. */
  press_key (&fixture, GDK_KEY_Escape, 0);
  g_assert_null (cs_timeline_chart_get_call (fixture.chart));
  press_key (&fixture, GDK_KEY_Escape, 0);
  g_assert_false (cs_timeline_chart_get_range (fixture.chart, NULL, NULL));
  g_assert_false (cs_timeline_chart_press_key (fixture.chart, GDK_KEY_Escape, 0));
  g_assert_false (cs_timeline_chart_press_key (fixture.chart, GDK_KEY_Left, GDK_ALT_MASK));
  close_chart (&fixture);
}

/* The controllers that GTK gives keys and the pointer to. */
static void
test_controllers (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GListModel) controllers = NULL;
  gboolean handled = FALSE;

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  controllers = gtk_widget_observe_controllers (GTK_WIDGET (fixture.chart));
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
        g_signal_emit_by_name (controller, "key-pressed", (guint) GDK_KEY_Down, 0u, (GdkModifierType) 0, &handled);
      if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
        g_signal_emit_by_name (controller, "motion", get_time_x (&fixture, 20000), 50.0);
    }
  g_assert_true (handled);
  settle (&fixture);
  assert_call (&fixture, 0, MAIN, 0);
  g_assert_true (fixture.chart->has_pointer);
  g_assert_true (gtk_widget_get_focusable (GTK_WIDGET (fixture.chart)));
  close_chart (&fixture);
}

/* As a finger does that stays where it is. */
static void
hold_finger (CsTimelineChart *chart, double x, double y)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (chart));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_LONG_PRESS (controller))
        g_signal_emit_by_name (controller, "pressed", x, y);
    }
}

static void
test_menu (void)
{
  Fixture fixture = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  hold_finger (fixture.chart, get_time_x (&fixture, 50000), get_row_y (&fixture, 0, 0) + 5);
  g_assert_cmpuint (fixture.n_menu, ==, 1);
  assert_call (&fixture, 0, MAIN, 0);
  fixture.n_menu = 0;
  cs_timeline_chart_request_menu (fixture.chart, get_time_x (&fixture, 20000), get_row_y (&fixture, 0, 1) + 5);
  g_assert_cmpuint (fixture.n_menu, ==, 1);
  g_assert_cmpint (fixture.point.area, ==, CS_TIMELINE_AREA_TRACK);
  g_assert_true (fixture.point.has_span);
  g_assert_cmphex (fixture.point.span.address, ==, LEFT);
  assert_call (&fixture, 0, LEFT, 10000);
  cs_timeline_chart_request_menu (fixture.chart, 40, get_row_y (&fixture, 1, 0) + 5);
  g_assert_cmpint (fixture.point.area, ==, CS_TIMELINE_AREA_HEADER);
  g_assert_cmpuint (fixture.point.track, ==, 1);
  cs_timeline_chart_request_menu (fixture.chart, 500, 3);
  g_assert_cmpint (fixture.point.area, ==, CS_TIMELINE_AREA_RULER);
  cs_timeline_chart_request_menu (fixture.chart, 500, 480);
  g_assert_cmpint (fixture.point.area, ==, CS_TIMELINE_AREA_NONE);
  close_chart (&fixture);
}

static void
test_accessible (void)
{
  Fixture fixture = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  gtk_test_accessible_assert_role (fixture.chart, GTK_ACCESSIBLE_ROLE_IMG);
  assert_text (&fixture, GTK_ACCESSIBLE_PROPERTY_LABEL, "Timeline: 2 threads\n0 ns – 120 µs (120 µs)");
  assert_text (&fixture, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "");
  click (&fixture, get_time_x (&fixture, 20000), get_row_y (&fixture, 0, 1) + 5, 1);
  assert_text (&fixture, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "0x2000\n30.0 µs\nstarts at 10 µs\nThread 11, depth 2");
  cs_timeline_chart_set_range (fixture.chart, TRUE, T0 + 20000, T0 + 60000);
  assert_text (&fixture, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
               "0x2000\n30.0 µs\nstarts at 10 µs\nThread 11, depth 2\nSelected: 20 µs – 60 µs (40.0 µs)");
  close_chart (&fixture);
}

/* With nothing to do no frame is painted and nobody is woken. */
static void
test_idle (void)
{
  Fixture fixture = { 0 };
  guint n_frames = 0;

  SKIP_WITHOUT_DISPLAY ();
  open_known (&fixture);
  cs_timeline_chart_zoom (fixture.chart, 100, 2, TRUE);
  settle (&fixture);
  wait_for_ms (300);
  g_signal_connect_swapped (gtk_widget_get_frame_clock (fixture.window), "paint", G_CALLBACK (count), &n_frames);
  wait_for_ms (300);
  g_assert_cmpuint (n_frames, ==, 0);
  g_assert_true (cs_timeline_chart_get_sharp (fixture.chart));
  close_chart (&fixture);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);

  g_test_add_func ("/timeline-chart/rectangles", test_rectangles);
  g_test_add_func ("/timeline-chart/mirrored", test_mirrored);
  g_test_add_func ("/timeline-chart/blocks", test_blocks);
  g_test_add_func ("/timeline-chart/joined-blocks", test_joined_blocks);
  g_test_add_func ("/timeline-chart/zoom", test_zoom);
  g_test_add_func ("/timeline-chart/range", test_range);
  g_test_add_func ("/timeline-chart/drag-ends", test_drag_ends);
  g_test_add_data_func ("/timeline-chart/wheel", GINT_TO_POINTER (GTK_TEXT_DIR_LTR), test_wheel);
  g_test_add_data_func ("/timeline-chart/wheel-rtl", GINT_TO_POINTER (GTK_TEXT_DIR_RTL), test_wheel);
  g_test_add_func ("/timeline-chart/titles", test_titles);
  g_test_add_func ("/timeline-chart/measure", test_measure);
  g_test_add_func ("/timeline-chart/keyboard", test_keyboard);
  g_test_add_func ("/timeline-chart/controllers", test_controllers);
  g_test_add_func ("/timeline-chart/menu", test_menu);
  g_test_add_func ("/timeline-chart/accessible", test_accessible);
  g_test_add_func ("/timeline-chart/idle", test_idle);

  return g_test_run ();
}
