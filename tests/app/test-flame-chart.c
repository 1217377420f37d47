/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <adwaita.h>
#include <math.h>

#include "charts-fixture.h"
#include "flame-fixture.h"
#include "flame/cs-flame-chart-private.h"

/* A chart of a made-up tree, 600 pixels wide, and what it told. */
typedef struct
{
  Fixture window;
  CsFlameChart *chart;
  CsFlameLayout *layout;
  TestTree tree;
  guint n_focus, n_out, n_cursor, n_menu, n_window;
  guint32 asked, menu;
  double menu_x, menu_y;
} Chart;

enum { WIDTH = 600, HEIGHT = 300 };

/* Of the small tree, by name: rows from the left. */
enum { ROOT, F0, F4, F1, F2, F3, N_SMALL };

static void
on_focus_requested (CsFlameChart *chart, guint node, Chart *self)
{
  self->n_focus++;
  self->asked = node;
}

static void
on_menu_requested (CsFlameChart *chart, guint node, double x, double y, Chart *self)
{
  self->n_menu++;
  self->menu = node;
  self->menu_x = x;
  self->menu_y = y;
}

static void
set_animations (gboolean enabled)
{
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", enabled, NULL);
}

static void
show (Chart *self, const CsFlameOptions *options)
{
  self->layout = flame_show_tree (self->chart, &self->tree, options);
  iterate ();
  wait_for_ms (30);
}

/* Takes the tree. */
static void
open_chart (Chart *self, TestTree tree, const CsFlameOptions *options)
{
  *self = (Chart){ .tree = tree };
  set_animations (FALSE);
  self->chart = CS_FLAME_CHART (cs_flame_chart_new ());
  g_signal_connect (self->chart, "focus-requested", G_CALLBACK (on_focus_requested), self);
  g_signal_connect (self->chart, "menu-requested", G_CALLBACK (on_menu_requested), self);
  g_signal_connect_swapped (self->chart, "step-out", G_CALLBACK (count), &self->n_out);
  g_signal_connect_swapped (self->chart, "cursor-changed", G_CALLBACK (count), &self->n_cursor);
  g_signal_connect_swapped (self->chart, "window-changed", G_CALLBACK (count), &self->n_window);
  open_window (&self->window, GTK_WIDGET (self->chart), WIDTH, HEIGHT);
  show (self, options);
}

static void
close_chart (Chart *self)
{
  close_window (&self->window);
  test_tree_clear (&self->tree);
}

/*        root 150
 *   f0 100          f4 50
 * f1 60   f2 30
 * f3 40                      a unit of 1 µs: four pixels */
static TestTree
make_small (void)
{
  TestTree tree = test_tree_new (5);
  guint32 f0 = test_tree_add (&tree, 0, 0, 10000, 0), f1 = test_tree_add (&tree, f0, 1, 20000, 0);

  test_tree_add (&tree, f0, 2, 30000, 0);
  test_tree_add (&tree, f1, 3, 40000, 0);
  test_tree_add (&tree, 0, 4, 50000, 0);
  return tree;
}

static TestTree
make_random (guint n, guint n_functions)
{
  TestTree tree = test_tree_new (n_functions);
  GRand *random = g_rand_new_with_seed (7);

  for (guint32 i = 1; i < n; i++)
    test_tree_add (&tree, (guint32) g_rand_int_range (random, 0, (gint32) i), (guint32) g_rand_int_range (random, 0, (gint32) n_functions),
                   (guint64) g_rand_int_range (random, 0, 100000), i);
  g_rand_free (random);
  return tree;
}

/* What was painted. */
typedef struct
{
  GArray *colors, *texts, *borders; /* graphene_rect_t in the widget */
  guint longest; /* glyphs */
} Painted;

static void
collect (GskRenderNode *node, float x, float y, Painted *painted)
{
  graphene_rect_t bounds;
  float dx, dy;

  gsk_render_node_get_bounds (node, &bounds);
  graphene_rect_offset (&bounds, x, y);
  switch ((int) gsk_render_node_get_node_type (node))
    {
    case GSK_CONTAINER_NODE:
      for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
        collect (gsk_container_node_get_child (node, i), x, y, painted);
      break;
    case GSK_TRANSFORM_NODE:
      gsk_transform_to_translate (gsk_transform_node_get_transform (node), &dx, &dy);
      collect (gsk_transform_node_get_child (node), x + dx, y + dy, painted);
      break;
    case GSK_COLOR_NODE:
      g_array_append_val (painted->colors, bounds);
      break;
    case GSK_TEXT_NODE:
      g_array_append_val (painted->texts, bounds);
      painted->longest = MAX (painted->longest, gsk_text_node_get_num_glyphs (node));
      break;
    case GSK_BORDER_NODE:
      g_array_append_val (painted->borders, bounds);
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
painted_clear (Painted *painted)
{
  g_array_unref (painted->colors);
  g_array_unref (painted->texts);
  g_array_unref (painted->borders);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Painted, painted_clear)

static Painted
paint (Chart *self)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GskRenderNode *node;
  Painted painted = { g_array_new (FALSE, FALSE, sizeof (graphene_rect_t)),
                      g_array_new (FALSE, FALSE, sizeof (graphene_rect_t)),
                      g_array_new (FALSE, FALSE, sizeof (graphene_rect_t)), 0 };

  cs_flame_chart_paint (self->chart, snapshot);
  node = gtk_snapshot_free_to_node (snapshot);
  if (node != NULL)
    {
      collect (node, 0, 0, &painted);
      gsk_render_node_unref (node);
    }
  return painted;
}

static const graphene_rect_t *
get_rect (GArray *rects, guint i)
{
  g_assert_cmpuint (i, <, rects->len);
  return &g_array_index (rects, graphene_rect_t, i);
}

/* In pixels of a row, from its start and end without the gap behind it. */
static void
check_rect (Chart *self, const graphene_rect_t *rect, guint row, float x0, float x1)
{
  float row_height = (float) self->chart->row_height, y = (float) row * row_height;

  if (gtk_widget_get_direction (GTK_WIDGET (self->chart)) == GTK_TEXT_DIR_RTL)
    {
      float swap = x0;

      x0 = WIDTH - x1;
      x1 = WIDTH - swap;
    }
  if (self->chart->flame)
    y = HEIGHT - row_height - y;
  g_assert_cmpfloat_with_epsilon (rect->origin.x, x0, 0.01f);
  g_assert_cmpfloat_with_epsilon (rect->origin.x + rect->size.width, x1, 0.01f);
  g_assert_cmpfloat_with_epsilon (rect->origin.y, y, 0.01f);
  g_assert_cmpfloat_with_epsilon (rect->size.height, row_height - 1, 0.01f);
}

static void
check_small (Chart *self)
{
  g_auto (Painted) painted = paint (self);

  g_assert_cmpuint (painted.colors->len, ==, N_SMALL);
  g_assert_cmpuint (painted.texts->len, ==, N_SMALL);
  g_assert_cmpuint (painted.borders->len, ==, 0);
  check_rect (self, get_rect (painted.colors, ROOT), 0, 0, 600);
  check_rect (self, get_rect (painted.colors, F0), 1, 0, 399);
  check_rect (self, get_rect (painted.colors, F4), 1, 400, 600);
  check_rect (self, get_rect (painted.colors, F1), 2, 0, 239);
  check_rect (self, get_rect (painted.colors, F2), 2, 240, 359);
  check_rect (self, get_rect (painted.colors, F3), 3, 0, 159);
  /* Each label lies in its frame, at its start. */
  for (guint i = 0; i < N_SMALL; i++)
    {
      const graphene_rect_t *label = get_rect (painted.texts, i), *frame = get_rect (painted.colors, i);

      g_assert_cmpfloat (label->origin.y + label->size.height / 2, >, frame->origin.y);
      g_assert_cmpfloat (label->origin.y + label->size.height / 2, <, frame->origin.y + frame->size.height);
      if (gtk_widget_get_direction (GTK_WIDGET (self->chart)) == GTK_TEXT_DIR_RTL)
        g_assert_cmpfloat_with_epsilon (label->origin.x + label->size.width, frame->origin.x + frame->size.width - 6, 4);
      else
        g_assert_cmpfloat_with_epsilon (label->origin.x, frame->origin.x + 6, 4);
    }
  g_assert_cmpuint (cs_flame_chart_get_stats (self->chart)->n_rects, ==, N_SMALL);
  g_assert_cmpuint (cs_flame_chart_get_stats (self->chart)->n_labels, ==, N_SMALL);
}

static void
test_places (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Chart chart;

  open_chart (&chart, make_small (), &(CsFlameOptions){ 0 });
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (chart.chart)), ==, WIDTH);
  g_assert_cmpint (chart.chart->row_height, >=, 18);
  check_small (&chart);
  gtk_widget_set_direction (GTK_WIDGET (chart.chart), GTK_TEXT_DIR_RTL);
  wait_for_ms (30);
  check_small (&chart);
  cs_flame_chart_set_flame (chart.chart, TRUE);
  check_small (&chart);
  gtk_widget_set_direction (GTK_WIDGET (chart.chart), GTK_TEXT_DIR_LTR);
  wait_for_ms (30);
  check_small (&chart);
  close_chart (&chart);
}

/* Which frame is where, in all four directions. */
static void
test_hit (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Chart chart;

  open_chart (&chart, make_small (), &(CsFlameOptions){ 0 });
  for (guint i = 0; i < 4; i++)
    {
      double row = chart.chart->row_height;
      struct { double x, row; guint32 node; } at[] = {
        { 1, 0, ROOT }, { 599, 0, ROOT }, { 398, 1, F0 }, { 401, 1, F4 }, { 300, 2, F2 }, { 361, 2, CS_FLAME_NONE },
        { 158, 3, F3 }, { 162, 3, CS_FLAME_NONE }, { 10, 4, CS_FLAME_NONE }, { -1, 0, CS_FLAME_NONE },
        { 601, 0, CS_FLAME_NONE },
      };

      gtk_widget_set_direction (GTK_WIDGET (chart.chart), i & 1 ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
      cs_flame_chart_set_flame (chart.chart, i & 2);
      for (guint k = 0; k < G_N_ELEMENTS (at); k++)
        {
          double y = (at[k].row + 0.5) * row;

          g_assert_cmpuint (cs_flame_chart_hit (chart.chart, i & 1 ? WIDTH - at[k].x : at[k].x, i & 2 ? HEIGHT - y : y),
                            ==, at[k].node);
        }
    }
  close_chart (&chart);
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const graphene_rect_t *x = a, *y = b;

  if (fabsf (x->origin.y - y->origin.y) > 4)
    return x->origin.y < y->origin.y ? -1 : 1;
  return x->origin.x < y->origin.x ? -1 : x->origin.x > y->origin.x;
}

/* Each is in a frame that is wide enough. */
static void
check_labels (Painted *painted)
{
  for (guint i = 0; i < painted->texts->len; i++)
    {
      const graphene_rect_t *text = get_rect (painted->texts, i);
      graphene_point_t middle;
      gboolean within = FALSE;

      graphene_rect_get_center (text, &middle);
      for (guint k = 0; k < painted->colors->len && !within; k++)
        {
          const graphene_rect_t *rect = get_rect (painted->colors, k);

          within = graphene_rect_contains_point (rect, &middle) && rect->size.width >= 30 &&
                   text->size.width <= rect->size.width;
        }
      g_assert_true (within);
    }
}

/* Wherever one looks, frames don't overlap, are in the plot, and lie over what called them. */
static void
check_random (Chart *self)
{
  g_auto (Painted) painted = paint (self);
  float row_height = (float) self->chart->row_height, width = (float) self->chart->plot_width;
  guint before = 0;

  g_assert_cmpuint (painted.colors->len, >, 10);
  check_labels (&painted);
  g_assert_cmpuint (painted.colors->len, <=, CS_FLAME_CHART_MAX_RECTS);
  g_assert_cmpuint (cs_flame_chart_get_stats (self->chart)->n_labels, <=, CS_FLAME_CHART_MAX_LABELS);
  g_array_sort (painted.colors, compare_places);
  for (guint i = 0; i < painted.colors->len; i++)
    {
      const graphene_rect_t *rect = get_rect (painted.colors, i), *last = i > 0 ? get_rect (painted.colors, i - 1) : NULL;

      g_assert_cmpfloat (rect->origin.x, >=, 0);
      g_assert_cmpfloat (rect->origin.x + rect->size.width, <=, width + 0.01f);
      g_assert_cmpfloat (rect->size.width, >=, 1);
      if (last != NULL && fabsf (rect->origin.y - last->origin.y) <= 4)
        g_assert_cmpfloat (rect->origin.x, >=, last->origin.x + last->size.width - 1.01f);
      /* The row above is whole before this one. */
      while (before < i && get_rect (painted.colors, before)->origin.y < rect->origin.y - row_height - 4)
        before++;
      if (rect->origin.y < row_height - 4)
        continue;
      for (;; before++)
        {
          const graphene_rect_t *above = get_rect (painted.colors, before);

          g_assert_cmpuint (before, <, i);
          if (above->origin.y > rect->origin.y - 4)
            break;
          if (above->origin.x + above->size.width + 3 >= rect->origin.x + MIN (rect->size.width, 2))
            {
              g_assert_cmpfloat (above->origin.x, <=, rect->origin.x + 3);
              break;
            }
        }
    }
}

static void
test_random (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Chart chart;

  open_chart (&chart, make_random (20000, 300), &(CsFlameOptions){ .order = CS_FLAME_BY_TIME });
  for (guint i = 0; i < 60; i++)
    {
      check_random (&chart);
      cs_flame_chart_zoom (chart.chart, (double) (i * 37 % WIDTH), i % 20 < 12 ? 1.4 : 0.5, FALSE);
      cs_flame_chart_pan (chart.chart, i % 3 == 0 ? 40.5 : -13, i % 4 == 0 ? 50 : -20);
    }
  close_chart (&chart);
}

static double
get_ns_at (Chart *self, double x)
{
  const CsFlamePart *part = &self->chart->part;

  return (double) part->x0 + part->fraction + x / self->chart->plot_width * part->width;
}

static GtkEventController *
find_controller (Chart *self, GType type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (self->chart));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (G_OBJECT_TYPE (controller) == type)
        return controller;
    }
  g_assert_not_reached ();
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
  close_chart (&chart);
}

static void
press (Chart *self, guint keyval, GdkModifierType state)
{
  gboolean handled = FALSE;

  g_signal_emit_by_name (find_controller (self, GTK_TYPE_EVENT_CONTROLLER_KEY), "key-pressed", keyval, 0, state, &handled);
  g_assert_true (handled);
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
test_found (void)
{
  SKIP_WITHOUT_DISPLAY ();
  static const guint32 nodes[] = { F4, F1, F3 };
  Chart chart;

  open_chart (&chart, make_small (), &(CsFlameOptions){ 0 });
  cs_flame_chart_set_found (chart.chart, nodes, G_N_ELEMENTS (nodes));
  {
    g_auto (Painted) painted = paint (&chart);

    /* An outline and what it is around. */
    g_assert_cmpuint (painted.colors->len, ==, N_SMALL + 3);
    check_rect (&chart, get_rect (painted.colors, 2), 1, 400, 600);
    g_assert_cmpfloat_with_epsilon (get_rect (painted.colors, 3)->size.width, 196, 0.01);
    check_rect (&chart, get_rect (painted.colors, 4), 2, 0, 239);
    check_rect (&chart, get_rect (painted.colors, 7), 3, 0, 159);
    g_assert_cmpuint (painted.texts->len, ==, N_SMALL);
  }
  cs_flame_chart_set_found (chart.chart, NULL, 0);
  check_small (&chart);
  close_chart (&chart);
}

/* As many as there are outlines, whatever is found and on view. */
static void
test_found_many (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  Chart chart;

  open_chart (&chart, make_random (30000, 300), &(CsFlameOptions){ 0 });
  for (guint round = 0; round < 4; round++)
    {
      static const gint32 every[] = { 1, 2, 50, 5000 };

      g_array_set_size (found, 0);
      for (guint32 i = 0; i < 30000; i++)
        if (g_rand_int_range (random, 0, every[round]) == 0)
          g_array_append_val (found, i);
      cs_flame_chart_set_found (chart.chart, (guint32 *) (gpointer) found->data, found->len);
      for (guint step = 0; step < 12; step++)
        {
          guint expected = 0;
          g_auto (Painted) painted = paint (&chart);

          for (guint i = 0; i < chart.chart->rects->len; i++)
            {
              const CsFlameRect *rect = &g_array_index (chart.chart->rects, CsFlameRect, i);
              graphene_rect_t bounds;
              gboolean any = FALSE;

              for (guint k = 0; k < found->len && !any; k++)
                any = g_array_index (found, guint32, k) - rect->node < rect->n;
              cs_flame_chart_place (chart.chart, rect, &bounds);
              expected += any && bounds.size.width >= 6 ? 2 : 1;
            }
          g_assert_cmpuint (painted.colors->len, ==, expected);
          g_assert_cmpuint (painted.colors->len, <=, CS_FLAME_CHART_MAX_RECTS);
          cs_flame_chart_zoom (chart.chart, 400, 1.7, FALSE);
          cs_flame_chart_pan (chart.chart, 0, 30);
        }
      cs_flame_chart_fit (chart.chart, FALSE);
    }
  close_chart (&chart);
}

/* The way from the root to what is under the pointer is outlined, and so is the cursor. */
static void
test_outlines (void)
{
  SKIP_WITHOUT_DISPLAY ();
  GtkEventController *motion;
  Chart chart;

  open_chart (&chart, make_small (), &(CsFlameOptions){ 0 });
  motion = find_controller (&chart, GTK_TYPE_EVENT_CONTROLLER_MOTION);
  g_signal_emit_by_name (motion, "motion", 50.0, chart.chart->row_height * 3.5);
  {
    g_auto (Painted) painted = paint (&chart);

    g_assert_cmpuint (painted.borders->len, ==, 4);
    check_rect (&chart, get_rect (painted.borders, 0), 3, 0, 159);
    check_rect (&chart, get_rect (painted.borders, 1), 2, 0, 239);
    check_rect (&chart, get_rect (painted.borders, 2), 1, 0, 399);
    check_rect (&chart, get_rect (painted.borders, 3), 0, 0, 600);
  }
  g_signal_emit_by_name (motion, "leave");
  check_small (&chart);
  cs_flame_chart_set_cursor (chart.chart, F2);
  {
    g_auto (Painted) painted = paint (&chart);

    g_assert_cmpuint (painted.borders->len, ==, 2);
    check_rect (&chart, get_rect (painted.borders, 0), 2, 240, 359);
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

/* However much there is to see. */
static void
test_bounds (void)
{
  SKIP_WITHOUT_DISPLAY ();
  enum { N = 60000 };
  g_autofree guint32 *all = g_new (guint32, N);
  TestTree tree = test_tree_new (50);
  GRand *random = g_rand_new_with_seed (5);
  guint most[2] = { 0 };
  Chart chart;

  for (guint32 i = 1; i < N; i++)
    test_tree_add (&tree, i - 1 - (guint32) g_rand_int_range (random, 0, (gint32) MIN (i, 400)),
                   (guint32) g_rand_int_range (random, 0, 50), (guint64) g_rand_int_range (random, 0, 1000), i);
  g_rand_free (random);
  for (guint32 i = 0; i < N; i++)
    all[i] = i;
  open_chart (&chart, tree, &(CsFlameOptions){ 0 });
  GTK_WIDGET_GET_CLASS (chart.chart)->size_allocate (GTK_WIDGET (chart.chart), 3000, 2500, -1);
  for (guint i = 0; i < 2; i++)
    {
      cs_flame_chart_set_found (chart.chart, all, i == 0 ? 0 : N);
      cs_flame_chart_fit (chart.chart, FALSE);
      for (guint k = 0; k < 12; k++)
        {
          g_auto (Painted) painted = paint (&chart);

          g_assert_cmpuint (painted.colors->len, <=, 5000);
          g_assert_cmpuint (painted.texts->len, <=, 200);
          most[0] = MAX (most[0], painted.colors->len);
          most[1] = MAX (most[1], painted.texts->len);
          cs_flame_chart_zoom (chart.chart, 700, 1.5, FALSE);
          cs_flame_chart_pan (chart.chart, 0, 300);
        }
      g_assert_cmpuint (most[0], >, 2500);
    }
  g_assert_cmpuint (most[1], ==, 200);
  close_chart (&chart);
}

static void
poke (Chart *self)
{
  static const guint keys[] = { GDK_KEY_Down, GDK_KEY_Down, GDK_KEY_Right, GDK_KEY_End, GDK_KEY_plus, GDK_KEY_Up,
                                GDK_KEY_Home, GDK_KEY_Page_Down, GDK_KEY_Return, GDK_KEY_minus, GDK_KEY_0, GDK_KEY_Menu,
                                GDK_KEY_Page_Up, GDK_KEY_Escape };

  for (guint i = 0; i < 40; i++)
    {
      g_auto (Painted) G_GNUC_UNUSED painted = paint (self);
      GdkRectangle area;

      cs_flame_chart_press_key (self->chart, keys[i % G_N_ELEMENTS (keys)], 0);
      g_free (cs_flame_chart_dup_tooltip (self->chart, i * 15, i * 7, &area));
      cs_flame_chart_click (self->chart, i * 15, i * 7, i % 3);
      cs_flame_chart_zoom (self->chart, i * 15, i % 5 == 0 ? 1e-9 : 3, FALSE);
      cs_flame_chart_pan (self->chart, i * 10.0 - 200, i % 2 == 0 ? 1e6 : -1e6);
      if (self->layout != NULL)
        cs_flame_chart_set_focus (self->chart, cs_flame_layout_get_n_nodes (self->layout) - 1, FALSE);
      cs_flame_chart_set_flame (self->chart, i & 1);
    }
  wait_for_ms (30);
}

static void
check_sizes (Chart *self)
{
  static const int sizes[][2] = { { 0, 0 }, { 1, 1 }, { 3, 500 }, { 2000, 10 }, { 400, 150 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      gtk_widget_measure (GTK_WIDGET (self->chart), GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
      GTK_WIDGET_GET_CLASS (self->chart)->size_allocate (GTK_WIDGET (self->chart), sizes[i][0], sizes[i][1], -1);
      poke (self);
    }
}

static void
test_extremes (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Chart chart;
  TestTree tree;
  g_autofree char *name = g_strnfill (4000, 'n');

  /* Nothing at all. */
  open_chart (&chart, test_tree_new (1), &(CsFlameOptions){ 0 });
  assert_text (GTK_WIDGET (chart.chart), GTK_ACCESSIBLE_PROPERTY_LABEL, "Icicle graph: nothing to show");
  {
    g_auto (Painted) painted = paint (&chart);

    g_assert_cmpuint (painted.colors->len, ==, 1);
    check_rect (&chart, get_rect (painted.colors, 0), 0, 0, 600);
  }
  g_assert_cmpuint (cs_flame_chart_hit (chart.chart, 300, 5), ==, 0);
  poke (&chart);
  cs_flame_chart_set_layout (chart.chart, NULL, NULL, NULL, NULL);
  chart.layout = NULL;
  g_assert_cmpuint (cs_flame_chart_hit (chart.chart, 300, 5), ==, CS_FLAME_NONE);
  g_assert_false (cs_flame_chart_press_key (chart.chart, GDK_KEY_Down, 0));
  poke (&chart);
  check_sizes (&chart);
  close_chart (&chart);

  /* One frame, with a name that nobody reads to its end; and without any text. */
  tree = test_tree_new (1);
  g_free ((char *) tree.functions[0].location.name);
  tree.functions[0].location.name = g_strdup (name);
  test_tree_add (&tree, 0, 0, 1, 0);
  open_chart (&chart, tree, &(CsFlameOptions){ 0 });
  assert_text (GTK_WIDGET (chart.chart), GTK_ACCESSIBLE_PROPERTY_LABEL, "Icicle graph: 1 frame, 1 ns in total");
  {
    g_auto (Painted) painted = paint (&chart);
    GdkRectangle area;
    g_autofree char *text = cs_flame_chart_dup_tooltip (chart.chart, 300, chart.chart->row_height * 1.5, &area);

    g_assert_cmpuint (painted.texts->len, ==, 2);
    g_assert_cmpuint (painted.longest, >, 30);
    g_assert_cmpuint (painted.longest, <=, 201);
    g_assert_cmpfloat (get_rect (painted.texts, 1)->size.width, <=, 590);
    g_assert_cmpuint (g_utf8_strlen (text, -1), <, 300);
    g_assert_true (g_str_has_suffix (text, "2 calls"));
  }
  check_sizes (&chart);
  cs_flame_chart_set_layout (chart.chart, chart.layout, NULL, NULL, NULL);
  poke (&chart);
  close_chart (&chart);

  /* Frames of 0 ns, with others and alone. */
  for (guint i = 0; i < 2; i++)
    {
      tree = test_tree_new (3);
      for (guint k = 0; k < 50; k++)
        test_tree_add (&tree, k / 3, k % 3, i == 0 && k % 5 == 0 ? 100 : 0, k);
      open_chart (&chart, tree, &(CsFlameOptions){ 0 });
      {
        g_auto (Painted) painted = paint (&chart);

        g_assert_cmpuint (painted.colors->len, >=, i == 0 ? 4 : 1);
      }
      check_sizes (&chart);
      close_chart (&chart);
    }

  /* Ten days, of 5000 threads: more than a double tells apart, down to a nanosecond. */
  tree = test_tree_new (2);
  for (guint k = 0; k < 5000; k++)
    test_tree_add (&tree, 0, k % 2, G_GUINT64_CONSTANT (864000000000000) + k, k);
  open_chart (&chart, tree, &(CsFlameOptions){ .order = CS_FLAME_BY_FIRST_CALL });
  cs_flame_chart_set_cursor (chart.chart, 3000);
  for (guint i = 0; i < 120; i++)
    press (&chart, GDK_KEY_plus, 0);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.width, WIDTH / 10.0, 1e-6);
  g_assert_nonnull (cs_flame_chart_find_rect (chart.chart, 3000));
  for (guint i = 0; i < 1000; i++)
    cs_flame_chart_pan (chart.chart, 1, 0);
  g_assert_cmpfloat_with_epsilon (chart.chart->part.width, WIDTH / 10.0, 1e-6);
  /* The end of a frame is exactly where it is: 1 ns is 10 pixels. */
  {
    CsFlameNode node = test_get_node (chart.layout, 3000);
    CsFlamePart part = { .x0 = node.start + node.width - 30, .width = WIDTH / 10.0 };
    graphene_rect_t bounds;

    cs_flame_chart_show_part (chart.chart, &part, FALSE);
    cs_flame_chart_place (chart.chart, cs_flame_chart_find_rect (chart.chart, 3001), &bounds);
    g_assert_cmpfloat_with_epsilon (bounds.origin.x, 300, 0.01);
  }
  check_sizes (&chart);
  close_chart (&chart);
}

/* Frames above those that alone are wanted, and those whose callers are left out, have another shape. */
static void
test_shapes (void)
{
  SKIP_WITHOUT_DISPLAY ();
  static const guint8 marks[5] = { [1] = CS_FLAME_ONLY };
  Chart chart;

  open_chart (&chart, make_small (), &(CsFlameOptions){ .marks = marks });
  {
    g_auto (Painted) painted = paint (&chart);

    /* Root, f0 hollow, f1, f3. */
    g_assert_cmpuint (painted.colors->len, ==, 5);
    check_rect (&chart, get_rect (painted.colors, 1), 1, 0, 600);
    g_assert_cmpfloat_with_epsilon (get_rect (painted.colors, 2)->size.width, 596, 0.01);
  }
  show (&chart, &(CsFlameOptions){ .kind = CS_FLAME_CALLERS, .max_nodes = 6 });
  g_assert_true (cs_flame_layout_is_folded (chart.layout));
  {
    g_auto (Painted) painted = paint (&chart);
    guint n = 0;

    for (guint i = 0; i < painted.colors->len; i++)
      n += get_rect (painted.colors, i)->size.height < 4;
    g_assert_cmpuint (n, >, 0);
  }
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

/* A graph whose names are all new is labelled in a few frames, none of which takes long. */
static void
test_refining (void)
{
  SKIP_WITHOUT_DISPLAY ();
  TestTree tree = test_tree_new (140);
  guint32 row[7];
  Chart chart;

  for (guint i = 0; i < 140; i++)
    row[i % 7] = test_tree_add (&tree, i < 7 ? 0 : row[i % 7], i, i < 133 ? 0 : 1000, i % 7);
  open_chart (&chart, tree, &(CsFlameOptions){ .order = CS_FLAME_BY_FIRST_CALL });
  GTK_WIDGET_GET_CLASS (chart.chart)->size_allocate (GTK_WIDGET (chart.chart), 900, 900, -1);
  cs_label_cache_clear (chart.chart->labels);
  for (guint i = 0, before = 0; i < 10; i++)
    {
      g_auto (Painted) painted = paint (&chart);

      g_assert_cmpuint (painted.texts->len, >=, before);
      before = painted.texts->len;
      /* The next frame is asked for. */
      if (i == 0)
        {
          g_assert_cmpuint (chart.chart->refine, !=, 0);
          g_assert_cmpuint (painted.texts->len, <, 100);
        }
      else
        g_assert_cmpuint (cs_flame_chart_get_stats (chart.chart)->n_shaped, <, 100);
      if (i == 9)
        g_assert_cmpuint (painted.texts->len, ==, 141);
    }
  iterate ();
  g_assert_cmpuint (chart.chart->refine, ==, 0);
  close_chart (&chart);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/flame-chart/places", test_places);
  g_test_add_func ("/flame-chart/hit", test_hit);
  g_test_add_func ("/flame-chart/random", test_random);
  g_test_add_func ("/flame-chart/zoom", test_zoom);
  g_test_add_data_func ("/flame-chart/pointer", GINT_TO_POINTER (GTK_TEXT_DIR_LTR), test_pointer);
  g_test_add_data_func ("/flame-chart/pointer-rtl", GINT_TO_POINTER (GTK_TEXT_DIR_RTL), test_pointer);
  g_test_add_data_func ("/flame-chart/keys", GINT_TO_POINTER (0), test_keys);
  g_test_add_data_func ("/flame-chart/keys-rtl", GINT_TO_POINTER (1), test_keys);
  g_test_add_data_func ("/flame-chart/keys-flame", GINT_TO_POINTER (2), test_keys);
  g_test_add_data_func ("/flame-chart/keys-flame-rtl", GINT_TO_POINTER (3), test_keys);
  g_test_add_func ("/flame-chart/focus", test_focus);
  g_test_add_func ("/flame-chart/animation", test_animation);
  g_test_add_func ("/flame-chart/place", test_place);
  g_test_add_func ("/flame-chart/readout", test_readout);
  g_test_add_func ("/flame-chart/found", test_found);
  g_test_add_func ("/flame-chart/found-many", test_found_many);
  g_test_add_func ("/flame-chart/outlines", test_outlines);
  g_test_add_func ("/flame-chart/tooltip", test_tooltip);
  g_test_add_func ("/flame-chart/blocks", test_blocks);
  g_test_add_data_func ("/flame-chart/deep", GINT_TO_POINTER (FALSE), test_deep);
  g_test_add_data_func ("/flame-chart/deep-flame", GINT_TO_POINTER (TRUE), test_deep);
  g_test_add_func ("/flame-chart/scroll", test_scroll);
  g_test_add_func ("/flame-chart/bounds", test_bounds);
  g_test_add_func ("/flame-chart/extremes", test_extremes);
  g_test_add_func ("/flame-chart/shapes", test_shapes);
  g_test_add_func ("/flame-chart/accessible", test_accessible);
  g_test_add_func ("/flame-chart/refining", test_refining);
  return g_test_run ();
}
