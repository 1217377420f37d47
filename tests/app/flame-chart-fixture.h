/* SPDX-License-Identifier: MIT */
#pragma once

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

static inline void
on_focus_requested (CsFlameChart *chart, guint node, Chart *self)
{
  self->n_focus++;
  self->asked = node;
}

static inline void
on_menu_requested (CsFlameChart *chart, guint node, double x, double y, Chart *self)
{
  self->n_menu++;
  self->menu = node;
  self->menu_x = x;
  self->menu_y = y;
}

static inline void
set_animations (gboolean enabled)
{
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", enabled, NULL);
}

static inline void
show (Chart *self, const CsFlameOptions *options)
{
  self->layout = flame_show_tree (self->chart, &self->tree, options);
  iterate ();
  wait_for_ms (30);
}

/* Takes the tree. */
static inline void
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

static inline void
close_chart (Chart *self)
{
  close_window (&self->window);
  test_tree_clear (&self->tree);
}

/*        root 150
 *   f0 100          f4 50
 * f1 60   f2 30
 * f3 40                      a unit of 1 µs: four pixels */
static inline TestTree
make_small (void)
{
  TestTree tree = test_tree_new (5);
  guint32 f0 = test_tree_add (&tree, 0, 0, 10000, 0), f1 = test_tree_add (&tree, f0, 1, 20000, 0);

  test_tree_add (&tree, f0, 2, 30000, 0);
  test_tree_add (&tree, f1, 3, 40000, 0);
  test_tree_add (&tree, 0, 4, 50000, 0);
  return tree;
}

/* What was painted. */
typedef struct
{
  GArray *colors, *texts, *borders; /* graphene_rect_t in the widget */
  guint longest; /* glyphs */
} Painted;

static inline void
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

static inline void
painted_clear (Painted *painted)
{
  g_array_unref (painted->colors);
  g_array_unref (painted->texts);
  g_array_unref (painted->borders);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Painted, painted_clear)

static inline Painted
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
static inline void
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

static inline GtkEventController *
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

static inline void
press (Chart *self, guint keyval, GdkModifierType state)
{
  gboolean handled = FALSE;

  g_signal_emit_by_name (find_controller (self, GTK_TYPE_EVENT_CONTROLLER_KEY), "key-pressed", keyval, 0, state, &handled);
  g_assert_true (handled);
}
