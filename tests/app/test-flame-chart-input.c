/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "flame-chart-fixture.h"

static double
get_ns_at (Chart *self, double x)
{
  const CsFlamePart *part = &self->chart->part;

  return (double) part->x0 + part->fraction + x / self->chart->plot_width * part->width;
}

/* What is under the pointer stays there, down to where a nanosecond has ten pixels; the window never leaves the graph. */
static void
test_zoom (void)
{
  SKIP_WITHOUT_DISPLAY ();
  static const double xs[] = { 0, 123.4, 300, 599, 600 };
  Chart chart;
  CsFlameWindow window;

  open_chart (&chart, make_small (), &(CsFlameOptions){ 0 });
  for (guint i = 0; i < G_N_ELEMENTS (xs); i++)
    {
      double ns = get_ns_at (&chart, xs[i]);

      cs_flame_chart_fit (chart.chart, FALSE);
      ns = get_ns_at (&chart, xs[i]);
      for (guint k = 0; k < 30; k++)
        {
          cs_flame_chart_zoom (chart.chart, xs[i], 1.5, FALSE);
          g_assert_cmpfloat_with_epsilon (get_ns_at (&chart, xs[i]), ns, 1e-3);
        }
      g_assert_cmpfloat_with_epsilon (chart.chart->part.width, WIDTH / 10.0, 1e-6);
      for (guint k = 0; k < 25; k++)
        {
          cs_flame_chart_zoom (chart.chart, xs[i], 0.5, FALSE);
          cs_flame_chart_get_window (chart.chart, &window);
          g_assert_cmpuint (window.x1, <=, 150000);
          g_assert_cmpuint (window.x0, <, window.x1);
          g_assert_cmpfloat (get_ns_at (&chart, 600), <=, 150000.001);
        }
      g_assert_cmpuint (window.x0, ==, 0);
      g_assert_cmpuint (window.x1, ==, 150000);
    }
  /* Half of it, from the middle. */
  cs_flame_chart_zoom (chart.chart, -1, 2, FALSE);
  cs_flame_chart_get_window (chart.chart, &window);
  g_assert_cmpuint (window.x0, ==, 37500);
  g_assert_cmpuint (window.x1, ==, 112500);
  g_assert_cmpfloat_with_epsilon (window.pixels, WIDTH, 1e-6);
  cs_flame_chart_pan (chart.chart, 60, 0);
  cs_flame_chart_get_window (chart.chart, &window);
  g_assert_cmpuint (window.x0, ==, 45000);
  cs_flame_chart_pan (chart.chart, 1e9, 1e9);
  cs_flame_chart_get_window (chart.chart, &window);
  g_assert_cmpuint (window.x1, ==, 150000);
  g_assert_cmpfloat_with_epsilon (get_ns_at (&chart, 600), 150000, 1e-6);
  g_assert_cmpuint (window.depth0, ==, 0);
  cs_flame_chart_pan (chart.chart, -1e300, -1e300);
  cs_flame_chart_get_window (chart.chart, &window);
  g_assert_cmpuint (window.x0, ==, 0);
  g_assert_cmpuint (chart.n_window, >, 100);
  close_chart (&chart);
}

static void
scroll (Chart *self, double dx, double dy)
{
  gboolean handled = FALSE;

  g_signal_emit_by_name (find_controller (self, GTK_TYPE_EVENT_CONTROLLER_SCROLL), "scroll", dx, dy, &handled);
  g_assert_true (handled);
}

static void
test_pointer (gconstpointer direction)
{
  SKIP_WITHOUT_DISPLAY ();
  gboolean rtl = GPOINTER_TO_INT (direction) == GTK_TEXT_DIR_RTL;
  GtkEventController *motion, *drag;
  Chart chart;
  double ns;

  open_chart (&chart, make_small (), &(CsFlameOptions){ 0 });
  gtk_widget_set_direction (GTK_WIDGET (chart.chart), GPOINTER_TO_INT (direction));
  motion = find_controller (&chart, GTK_TYPE_EVENT_CONTROLLER_MOTION);
  drag = find_controller (&chart, GTK_TYPE_GESTURE_DRAG);
  g_signal_emit_by_name (motion, "motion", rtl ? WIDTH - 200.0 : 200.0, 30.0);
  ns = get_ns_at (&chart, 200);
  scroll (&chart, 0, -2);
  g_assert_cmpfloat (chart.chart->part.width, <, 100000);
  g_assert_cmpfloat_with_epsilon (get_ns_at (&chart, 200), ns, 1e-3);
  /* To the right: later, or earlier where time runs to the left. */
  ns = get_ns_at (&chart, 0);
  scroll (&chart, 0.5, 0);
  g_assert_true (rtl ? get_ns_at (&chart, 0) < ns : get_ns_at (&chart, 0) > ns);
  ns = get_ns_at (&chart, rtl ? WIDTH - 100 : 100);
  g_signal_emit_by_name (drag, "drag-begin", 100.0, 100.0);
  g_signal_emit_by_name (drag, "drag-update", 2.0, 0.0);
  g_assert_cmpfloat_with_epsilon (get_ns_at (&chart, rtl ? WIDTH - 100 : 100), ns, 1e-6);
  g_signal_emit_by_name (drag, "drag-update", 20.0, 0.0);
  g_assert_cmpfloat_with_epsilon (get_ns_at (&chart, rtl ? WIDTH - 120 : 120), ns, 1e-3);
  g_signal_emit_by_name (drag, "drag-update", -5.0, 0.0);
  g_signal_emit_by_name (drag, "drag-end", -5.0, 0.0);
  g_assert_cmpfloat_with_epsilon (get_ns_at (&chart, rtl ? WIDTH - 95 : 95), ns, 1e-3);
  g_assert_cmpuint (chart.n_focus, ==, 0);
  /* A drag ends with the chart's sight. */
  g_signal_emit_by_name (drag, "drag-begin", 100.0, 100.0);
  g_signal_emit_by_name (drag, "drag-update", 20.0, 0.0);
  g_assert_true (chart.chart->dragged);
  gtk_widget_set_visible (GTK_WIDGET (chart.chart), FALSE);
  g_assert_false (chart.chart->dragged);
  close_chart (&chart);
}

static void
check_cursor_at (Chart *self, guint keyval, guint32 node)
{
  press (self, keyval, 0);
  g_assert_cmpuint (cs_flame_chart_get_cursor (self->chart), ==, node);
}

/* All of it with keys, as it is painted: to the right or left, up or down. */
static void
test_keys (gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  gboolean rtl = GPOINTER_TO_INT (data) & 1, flame = (GPOINTER_TO_INT (data) & 2) != 0;
  guint next = rtl ? GDK_KEY_Left : GDK_KEY_Right, previous = rtl ? GDK_KEY_Right : GDK_KEY_Left;
  guint in = flame ? GDK_KEY_Up : GDK_KEY_Down, out = flame ? GDK_KEY_Down : GDK_KEY_Up;
  Chart chart;
  double ns;

  open_chart (&chart, make_small (), &(CsFlameOptions){ 0 });
  gtk_widget_set_direction (GTK_WIDGET (chart.chart), rtl ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
  cs_flame_chart_set_flame (chart.chart, flame);
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (chart.chart)));
  g_assert_cmpuint (cs_flame_chart_get_cursor (chart.chart), ==, CS_FLAME_NONE);
  g_assert_false (cs_flame_chart_press_key (chart.chart, GDK_KEY_Return, 0));
  check_cursor_at (&chart, in, ROOT);
  check_cursor_at (&chart, in, F0);
  check_cursor_at (&chart, next, F4);
  check_cursor_at (&chart, next, F4);
  check_cursor_at (&chart, in, F4); /* called nothing */
  check_cursor_at (&chart, previous, F0);
  check_cursor_at (&chart, previous, F0);
  check_cursor_at (&chart, in, F1);
  check_cursor_at (&chart, GDK_KEY_End, F2);
  check_cursor_at (&chart, GDK_KEY_Home, F1);
  check_cursor_at (&chart, flame ? GDK_KEY_Page_Down : GDK_KEY_Page_Up, ROOT);
  check_cursor_at (&chart, flame ? GDK_KEY_Page_Up : GDK_KEY_Page_Down, F3);
  check_cursor_at (&chart, out, F1);
  check_cursor_at (&chart, next, F2);
  assert_text (GTK_WIDGET (chart.chart), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "f2: self 30.0 µs, inclusive 30.0 µs");
  g_assert_true (chart.chart->readout != NULL && gtk_widget_get_visible (chart.chart->readout));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (chart.chart->readout_label)), ==,
                   "f2\nself 30.0 µs\ninclusive 30.0 µs\n4 calls");
  g_assert_cmpuint (chart.n_focus, ==, 0);
  press (&chart, GDK_KEY_Return, 0);
  g_assert_cmpuint (chart.asked, ==, F2);
  press (&chart, GDK_KEY_F10, GDK_SHIFT_MASK);
  g_assert_cmpuint (chart.menu, ==, F2);
  g_assert_cmpfloat_with_epsilon (chart.menu_x, rtl ? WIDTH - 299.5 : 299.5, 1);
  press (&chart, GDK_KEY_Menu, 0);
  g_assert_cmpuint (chart.n_menu, ==, 2);
  press (&chart, GDK_KEY_Escape, 0);
  g_assert_cmpuint (chart.n_out, ==, 1);
  g_assert_false (gtk_widget_get_visible (chart.chart->readout));
  /* + zooms at the cursor, whose middle stays. */
  press (&chart, GDK_KEY_plus, 0);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.width, 100000, 1e-6);
  g_assert_cmpfloat_with_epsilon (get_ns_at (&chart, 299.5), 74875, 150);
  press (&chart, GDK_KEY_minus, 0);
  press (&chart, GDK_KEY_minus, 0);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.width, 150000, 1e-6);
  press (&chart, GDK_KEY_plus, 0);
  press (&chart, GDK_KEY_0, 0);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.width, 150000, 1e-6);
  /* With Shift, arrows move what is shown. */
  press (&chart, GDK_KEY_plus, 0);
  ns = get_ns_at (&chart, 0);
  press (&chart, next, GDK_SHIFT_MASK);
  g_assert_cmpfloat (get_ns_at (&chart, 0), >, ns);
  press (&chart, previous, GDK_SHIFT_MASK);
  g_assert_cmpfloat_with_epsilon (get_ns_at (&chart, 0), ns, 1e-3);
  press (&chart, in, GDK_SHIFT_MASK);
  g_assert_cmpuint (cs_flame_chart_get_cursor (chart.chart), ==, F2);
  /* Keys that are others' are left to them. */
  g_assert_false (cs_flame_chart_press_key (chart.chart, GDK_KEY_Left, GDK_ALT_MASK));
  g_assert_false (cs_flame_chart_press_key (chart.chart, GDK_KEY_f, GDK_CONTROL_MASK));
  g_assert_false (cs_flame_chart_press_key (chart.chart, GDK_KEY_F10, 0));
  g_assert_false (cs_flame_chart_press_key (chart.chart, GDK_KEY_a, 0));
  close_chart (&chart);
}

static void
test_focus (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Chart chart;
  double row;

  open_chart (&chart, make_small (), &(CsFlameOptions){ 0 });
  row = chart.chart->row_height;
  cs_flame_chart_click (chart.chart, 50, row * 2.5, 1);
  g_assert_cmpuint (chart.asked, ==, F1);
  g_assert_cmpuint (cs_flame_chart_get_cursor (chart.chart), ==, F1);
  g_assert_cmpuint (cs_flame_chart_get_focus (chart.chart), ==, 0);
  cs_flame_chart_set_focus (chart.chart, chart.asked, TRUE);
  g_assert_cmpuint (cs_flame_chart_get_focus (chart.chart), ==, F1);
  cs_flame_chart_set_cursor (chart.chart, CS_FLAME_NONE);
  {
    g_auto (Painted) painted = paint (&chart);

    g_assert_cmpuint (painted.colors->len, ==, 4);
    /* What is above has the full width, too. */
    for (guint i = 0; i < 3; i++)
      check_rect (&chart, get_rect (painted.colors, i), i, 0, 600);
    check_rect (&chart, get_rect (painted.colors, 3), 3, 0, 399);
    g_assert_cmpuint (painted.texts->len, ==, 4);
  }
  /* A double click beside all frames fits the focus again. */
  cs_flame_chart_zoom (chart.chart, 10, 0.5, FALSE);
  g_assert_cmpfloat (chart.chart->part.width, >, 100000);
  cs_flame_chart_click (chart.chart, 590, row * 6, 1);
  g_assert_cmpfloat (chart.chart->part.width, >, 100000);
  cs_flame_chart_click (chart.chart, 590, row * 6, 2);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.width, 60000, 1e-6);
  g_assert_cmpuint (chart.n_focus, ==, 1);
  close_chart (&chart);
}

/* The way is gone in steps, with the system's leave; what comes meanwhile ends it. */
static void
test_animation (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Chart chart;
  double before;

  open_chart (&chart, make_small (), &(CsFlameOptions){ 0 });
  cs_flame_chart_set_focus (chart.chart, F3, TRUE);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.width, 40000, 1e-6);
  set_animations (TRUE);
  cs_flame_chart_set_focus (chart.chart, 0, TRUE);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.width, 40000, 1e-6);
  g_assert_cmpuint (cs_flame_chart_get_focus (chart.chart), ==, 0);
  /* The middle of the way is where both have been zoomed by as much. */
  cs_flame_chart_move (0.5, chart.chart);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.width, sqrt (40000.0 * 150000.0), 1);
  for (guint i = 0; i < 300 && chart.chart->part.width < 149999; i++)
    wait_for_ms (10);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.width, 150000, 1e-6);

  cs_flame_chart_set_focus (chart.chart, F3, TRUE);
  wait_for_ms (40);
  before = chart.chart->part.width;
  cs_flame_chart_pan (chart.chart, 5, 0);
  wait_for_ms (300);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.width, before, 40000);
  g_assert_cmpint (adw_animation_get_state (chart.chart->animation), !=, ADW_ANIMATION_PLAYING);

  /* A wheel's steps add up, each from where the one before leads to. */
  cs_flame_chart_fit (chart.chart, FALSE);
  before = chart.chart->part.width;
  scroll (&chart, 0, 1);
  scroll (&chart, 0, 1);
  g_assert_cmpfloat (chart.chart->part.width, <, before * 1.25);
  wait_for_ms (300);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.width, before * 1.25 * 1.25, 1);

  /* Another graph comes while it is moving. */
  cs_flame_chart_set_focus (chart.chart, F2, TRUE);
  cs_flame_chart_set_layout (chart.chart, NULL, NULL, NULL, NULL);
  wait_for_ms (300);
  set_animations (FALSE);
  close_chart (&chart);
}

/* Of a graph that has grown, what was seen of the focus is seen. */
static void
test_place (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Chart chart;
  CsFlamePlace place;
  CsFlameWindow window;
  TestTree grown = test_tree_new (6);
  guint32 f0 = test_tree_add (&grown, 0, 0, 30000, 0), f1 = test_tree_add (&grown, f0, 1, 60000, 0);

  test_tree_add (&grown, f0, 2, 90000, 0);
  test_tree_add (&grown, f1, 3, 120000, 0);
  test_tree_add (&grown, 0, 4, 50000, 0);
  test_tree_add (&grown, 0, 5, 500000, 0);
  open_chart (&chart, make_small (), &(CsFlameOptions){ 0 });
  /* From a quarter of f0's 100 µs to three quarters. */
  cs_flame_chart_set_focus (chart.chart, F0, FALSE);
  cs_flame_chart_zoom (chart.chart, -1, 2, FALSE);
  cs_flame_chart_set_cursor (chart.chart, F1);
  gtk_widget_grab_focus (GTK_WIDGET (chart.chart));
  press (&chart, GDK_KEY_Up, 0);
  press (&chart, GDK_KEY_Down, 0);
  cs_flame_chart_get_place (chart.chart, &place);
  test_tree_clear (&chart.tree);
  chart.tree = grown;
  show (&chart, &(CsFlameOptions){ .order = CS_FLAME_BY_TIME });
  g_assert_false (gtk_widget_get_visible (chart.chart->readout));
  cs_flame_chart_set_focus (chart.chart, 2, FALSE); /* behind f5, which is wider */
  cs_flame_chart_set_cursor (chart.chart, 4);
  cs_flame_chart_set_place (chart.chart, &place);
  cs_flame_chart_get_window (chart.chart, &window);
  g_assert_cmpuint (window.x0, ==, 500000 + 75000);
  g_assert_cmpuint (window.x1, ==, 500000 + 225000);
  g_assert_true (gtk_widget_get_visible (chart.chart->readout));
  /* What was all of the focus is all of it again. */
  cs_flame_chart_fit (chart.chart, FALSE);
  cs_flame_chart_get_place (chart.chart, &place);
  cs_flame_chart_set_focus (chart.chart, 0, FALSE);
  cs_flame_chart_set_place (chart.chart, &place);
  cs_flame_chart_get_window (chart.chart, &window);
  g_assert_cmpuint (window.x0, ==, 0);
  g_assert_cmpuint (window.x1, ==, 850000);
  /* Nothing has a place, too. */
  cs_flame_chart_set_layout (chart.chart, NULL, NULL, NULL, NULL);
  cs_flame_chart_get_place (chart.chart, &place);
  cs_flame_chart_set_place (chart.chart, &place);
  close_chart (&chart);
}

/* What is said of the cursor is below its frame as long as there is room in the chart. */
static void
test_readout (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Chart chart;

  open_chart (&chart, make_small (), &(CsFlameOptions){ 0 });
  /* Only who walks with the keys sees it: the focus comes back from menus, too. */
  cs_flame_chart_set_cursor (chart.chart, F0);
  gtk_window_set_focus (GTK_WINDOW (chart.window.window), NULL);
  gtk_window_set_focus_visible (GTK_WINDOW (chart.window.window), TRUE);
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (chart.chart)));
  g_assert_true (chart.chart->readout == NULL);
  press (&chart, GDK_KEY_Down, 0);
  g_assert_true (gtk_widget_get_visible (chart.chart->readout));
  for (guint flame = 0; flame < 2; flame++)
    {
      cs_flame_chart_set_flame (chart.chart, flame == 1);
      cs_flame_chart_set_cursor (chart.chart, ROOT);
      cs_flame_chart_show_readout (chart.chart);
      g_assert_cmpint (gtk_popover_get_position (GTK_POPOVER (chart.chart->readout)), ==, flame ? GTK_POS_TOP : GTK_POS_BOTTOM);
    }
  close_chart (&chart);
}

static void
test_tooltip (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Chart chart;
  GdkRectangle area;
  g_autofree char *text = NULL, *none = NULL;

  open_chart (&chart, make_small (), &(CsFlameOptions){ 0 });
  text = cs_flame_chart_dup_tooltip (chart.chart, 50, chart.chart->row_height * 2.5, &area);
  g_assert_cmpstr (text, ==, "f1\nself 20.0 µs\ninclusive 60.0 µs\n3 calls");
  g_assert_cmpint (area.x, ==, 0);
  g_assert_cmpint (area.width, ==, 239);
  g_assert_cmpint (area.y, ==, chart.chart->row_height * 2);
  none = cs_flame_chart_dup_tooltip (chart.chart, 50, chart.chart->row_height * 5, &area);
  g_assert_null (none);
  close_chart (&chart);
}

static void
press_secondary (Chart *self, double x, double y)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (self->chart));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_CLICK (controller)
          && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) == GDK_BUTTON_SECONDARY)
        g_signal_emit_by_name (controller, "pressed", 1, x, y);
    }
}

/* 1000 frames in 600 pixels are blocks; there they are told together, and shown nearer when they are asked for. */
static void
test_blocks (void)
{
  SKIP_WITHOUT_DISPLAY ();
  TestTree tree = test_tree_new (2);
  guint32 above = test_tree_add (&tree, 0, 0, 0, 0);
  Chart chart;
  g_autofree char *text = NULL;
  const CsFlameRect *rect;
  GdkRectangle area;
  double row;

  for (guint i = 0; i < 1000; i++)
    test_tree_add (&tree, above, 1, 1000, i);
  open_chart (&chart, tree, &(CsFlameOptions){ 0 });
  row = chart.chart->row_height;
  {
    g_auto (Painted) painted = paint (&chart);

    /* Lower than a frame. */
    g_assert_cmpuint (painted.colors->len, ==, 3);
    g_assert_cmpfloat (get_rect (painted.colors, 2)->size.width, >=, 599);
    g_assert_cmpfloat (get_rect (painted.colors, 2)->size.height, <, row - 4);
    g_assert_cmpuint (painted.texts->len, ==, 3);
  }
  text = cs_flame_chart_dup_tooltip (chart.chart, 300, row * 2.3, &area);
  g_assert_cmpstr (text, ==, "1000 narrow frames, 1.00 ms together");
  press (&chart, GDK_KEY_Down, 0);
  press (&chart, GDK_KEY_Down, 0);
  press (&chart, GDK_KEY_Down, 0);
  g_assert_cmpuint (cs_flame_chart_get_cursor (chart.chart), ==, 2);
  assert_text (GTK_WIDGET (chart.chart), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text);
  /* Nothing is behind it. */
  check_cursor_at (&chart, GDK_KEY_Right, 2);
  /* It fills the chart: there is nothing but to ask for the frame. */
  press (&chart, GDK_KEY_Return, 0);
  g_assert_cmpuint (chart.asked, ==, 2);
  /* Seen near enough, it is a frame and said to be one. */
  for (guint i = 0; i < 10; i++)
    press (&chart, GDK_KEY_plus, 0);
  rect = cs_flame_chart_find_rect (chart.chart, cs_flame_chart_get_cursor (chart.chart));
  if (rect == NULL)
    cs_flame_chart_set_cursor (chart.chart, 500);
  rect = cs_flame_chart_find_rect (chart.chart, cs_flame_chart_get_cursor (chart.chart));
  g_assert_nonnull (rect);
  g_assert_cmpuint (rect->n, ==, 1);
  assert_text (GTK_WIDGET (chart.chart), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "f1: self 1.00 µs, inclusive 1.00 µs");
  close_chart (&chart);

  /* A small block of ten narrow ones beside a wide frame. */
  tree = test_tree_new (2);
  for (guint i = 0; i < 10; i++)
    test_tree_add (&tree, 0, 1, 1000, 1 + i);
  test_tree_add (&tree, 0, 0, 590000, 0);
  open_chart (&chart, tree, &(CsFlameOptions){ .order = CS_FLAME_BY_FIRST_CALL });
  /* A menu is of one frame, or of none. */
  press_secondary (&chart, 300, row * 1.5);
  g_assert_cmpuint (chart.menu, ==, 1);
  press_secondary (&chart, 595, row * 1.5);
  g_assert_cmpuint (chart.n_menu, ==, 2);
  g_assert_cmpuint (chart.menu, ==, CS_FLAME_NONE);
  /* The keyboard's cursor, as a search puts it, is at one of them. */
  cs_flame_chart_set_cursor (chart.chart, 5);
  press (&chart, GDK_KEY_Menu, 0);
  g_assert_cmpuint (chart.n_menu, ==, 3);
  g_assert_cmpuint (chart.menu, ==, 5);
  cs_flame_chart_click (chart.chart, 595, row * 1.5, 1);
  g_assert_cmpuint (chart.n_focus, ==, 0);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.width, 20000, 1e-6);
  rect = cs_flame_chart_find_rect (chart.chart, 5);
  g_assert_nonnull (rect);
  g_assert_cmpuint (rect->n, ==, 1);
  close_chart (&chart);
}

/* A hundred thousand rows: all of them are reached, the cursor's is in sight, and the scrollbar follows. */
static void
test_deep (gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  enum { DEPTH = 100000 };
  gboolean flame = GPOINTER_TO_INT (data);
  TestTree tree = test_tree_new (7);
  guint32 parent = 0;
  Chart chart;
  double y;

  for (guint i = 0; i < DEPTH; i++)
    parent = test_tree_add (&tree, parent, i % 7, 1000, i);
  open_chart (&chart, tree, &(CsFlameOptions){ 0 });
  cs_flame_chart_set_flame (chart.chart, flame);
  g_assert_true (gtk_widget_get_child_visible (chart.chart->scrollbar));
  g_assert_cmpfloat (chart.chart->plot_width, <, WIDTH);
  cs_flame_chart_set_cursor (chart.chart, DEPTH);
  {
    const CsFlameRect *rect = cs_flame_chart_find_rect (chart.chart, DEPTH);
    graphene_rect_t bounds;
    g_auto (Painted) painted = paint (&chart);

    g_assert_nonnull (rect);
    cs_flame_chart_place (chart.chart, rect, &bounds);
    g_assert_cmpfloat (bounds.origin.y, >=, -0.01);
    g_assert_cmpfloat (bounds.origin.y + bounds.size.height, <=, HEIGHT + 0.01);
    g_assert_cmpuint (painted.colors->len, >=, HEIGHT / 30);
    g_assert_cmpuint (painted.colors->len, <=, HEIGHT / 18 + 2);
  }
  g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (chart.chart->adjustment),
                                  flame ? 0 : (double) (DEPTH + 1) * chart.chart->row_height - HEIGHT, 1);
  /* By the scrollbar to the other end. */
  gtk_adjustment_set_value (chart.chart->adjustment, flame ? 1e9 : 0);
  g_assert_nonnull (cs_flame_chart_find_rect (chart.chart, 0));
  g_assert_null (cs_flame_chart_find_rect (chart.chart, DEPTH));
  cs_flame_chart_set_cursor (chart.chart, 0);
  /* What is under a finger follows it. */
  gtk_adjustment_set_value (chart.chart->adjustment, 5000);
  y = chart.chart->part.y;
  g_signal_emit_by_name (find_controller (&chart, GTK_TYPE_GESTURE_DRAG), "drag-begin", 100.0, 100.0);
  g_signal_emit_by_name (find_controller (&chart, GTK_TYPE_GESTURE_DRAG), "drag-update", 0.0, 50.0);
  g_signal_emit_by_name (find_controller (&chart, GTK_TYPE_GESTURE_DRAG), "drag-end", 0.0, 50.0);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.y, flame ? y + 50 : y - 50, 1e-3);
  g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (chart.chart->adjustment), 4950, 1e-3);
  press (&chart, flame ? GDK_KEY_Page_Up : GDK_KEY_Page_Down, 0);
  g_assert_cmpuint (cs_flame_chart_get_cursor (chart.chart), >=, HEIGHT / 30 - 1);
  cs_flame_chart_set_focus (chart.chart, DEPTH / 2, FALSE);
  g_assert_nonnull (cs_flame_chart_find_rect (chart.chart, DEPTH / 2));
  g_assert_nonnull (cs_flame_chart_find_rect (chart.chart, DEPTH / 2 + 3));
  cs_flame_chart_set_focus (chart.chart, 0, FALSE);
  g_assert_nonnull (cs_flame_chart_find_rect (chart.chart, 0));
  wait_for_ms (30);
  close_chart (&chart);
}

/* One scrolls as far as there is something to see, and keeps one's height when going over what is lower. */
static void
test_scroll (void)
{
  SKIP_WITHOUT_DISPLAY ();
  TestTree tree = test_tree_new (2);
  guint32 parent = 0;
  Chart chart;

  for (guint i = 0; i < 100; i++)
    parent = test_tree_add (&tree, parent, 0, i == 99 ? 1000000 : 0, 1);
  test_tree_add (&tree, 0, 1, 1000000, 0);
  open_chart (&chart, tree, &(CsFlameOptions){ .order = CS_FLAME_BY_FIRST_CALL });
  /* Only the low one. */
  cs_flame_chart_zoom (chart.chart, 0, 4, FALSE);
  cs_flame_chart_pan (chart.chart, 0, 500);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.y, 0, 1e-6);
  cs_flame_chart_pan (chart.chart, 1e6, 500);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.y, 500, 1e-6);
  cs_flame_chart_pan (chart.chart, -1e6, 0);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.y, 500, 1e-6);
  cs_flame_chart_pan (chart.chart, 0, 10);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.y, 500, 1e-6);
  cs_flame_chart_pan (chart.chart, 0, -10);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.y, 490, 1e-6);
  cs_flame_chart_fit (chart.chart, FALSE);
  cs_flame_chart_pan (chart.chart, 0, 1e9);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.y, 101.0 * chart.chart->row_height - HEIGHT, 1e-6);
  close_chart (&chart);
}

static void
test_accessible (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Chart chart;

  open_chart (&chart, make_small (), &(CsFlameOptions){ 0 });
  gtk_test_accessible_assert_role (chart.chart, GTK_ACCESSIBLE_ROLE_IMG);
  assert_text (GTK_WIDGET (chart.chart), GTK_ACCESSIBLE_PROPERTY_LABEL, "Icicle graph: 5 frames, 150 µs in total");
  assert_text (GTK_WIDGET (chart.chart), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "");
  cs_flame_chart_set_flame (chart.chart, TRUE);
  assert_text (GTK_WIDGET (chart.chart), GTK_ACCESSIBLE_PROPERTY_LABEL, "Flame graph: 5 frames, 150 µs in total");
  cs_flame_chart_set_cursor (chart.chart, F1);
  assert_text (GTK_WIDGET (chart.chart), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "f1: self 20.0 µs, inclusive 60.0 µs");
  g_assert_cmpuint (chart.n_cursor, ==, 1);
  cs_flame_chart_set_cursor (chart.chart, F1);
  g_assert_cmpuint (chart.n_cursor, ==, 1);
  /* Another graph has no cursor. */
  show (&chart, &(CsFlameOptions){ .kind = CS_FLAME_CALLERS });
  g_assert_cmpuint (cs_flame_chart_get_cursor (chart.chart), ==, CS_FLAME_NONE);
  assert_text (GTK_WIDGET (chart.chart), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "");
  g_assert_cmpuint (chart.n_cursor, ==, 2);
  close_chart (&chart);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/flame-chart-input/zoom", test_zoom);
  g_test_add_data_func ("/flame-chart-input/pointer", GINT_TO_POINTER (GTK_TEXT_DIR_LTR), test_pointer);
  g_test_add_data_func ("/flame-chart-input/pointer-rtl", GINT_TO_POINTER (GTK_TEXT_DIR_RTL), test_pointer);
  g_test_add_data_func ("/flame-chart-input/keys", GINT_TO_POINTER (0), test_keys);
  g_test_add_data_func ("/flame-chart-input/keys-rtl", GINT_TO_POINTER (1), test_keys);
  g_test_add_data_func ("/flame-chart-input/keys-flame", GINT_TO_POINTER (2), test_keys);
  g_test_add_data_func ("/flame-chart-input/keys-flame-rtl", GINT_TO_POINTER (3), test_keys);
  g_test_add_func ("/flame-chart-input/focus", test_focus);
  g_test_add_func ("/flame-chart-input/animation", test_animation);
  g_test_add_func ("/flame-chart-input/place", test_place);
  g_test_add_func ("/flame-chart-input/readout", test_readout);
  g_test_add_func ("/flame-chart-input/tooltip", test_tooltip);
  g_test_add_func ("/flame-chart-input/blocks", test_blocks);
  g_test_add_data_func ("/flame-chart-input/deep", GINT_TO_POINTER (FALSE), test_deep);
  g_test_add_data_func ("/flame-chart-input/deep-flame", GINT_TO_POINTER (TRUE), test_deep);
  g_test_add_func ("/flame-chart-input/scroll", test_scroll);
  g_test_add_func ("/flame-chart-input/accessible", test_accessible);
  return g_test_run ();
}
