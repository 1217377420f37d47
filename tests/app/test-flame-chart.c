/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "flame-chart-fixture.h"

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

/* Each pixel that a frame is painted on is the frame's, up to its edges, whichever way the graph goes. */
static void
test_edges (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Chart chart;

  open_chart (&chart, make_small (), &(CsFlameOptions){ 0 });
  for (guint way = 0; way < 8; way++)
    {
      gtk_widget_set_direction (GTK_WIDGET (chart.chart), way & 1 ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
      cs_flame_chart_set_flame (chart.chart, (way & 2) != 0);
      cs_flame_chart_fit (chart.chart, FALSE);
      /* Edges between pixels. */
      if (way & 4)
        cs_flame_chart_zoom (chart.chart, 100, 1.037, FALSE);
      cs_flame_chart_query (chart.chart);
      for (guint i = 0; i < chart.chart->rects->len; i++)
        {
          const CsFlameRect rect = g_array_index (chart.chart->rects, CsFlameRect, i);
          graphene_rect_t bounds;
          double x1, y1;

          cs_flame_chart_place (chart.chart, &rect, &bounds);
          x1 = bounds.origin.x + bounds.size.width - 1;
          y1 = bounds.origin.y + bounds.size.height - 1;
          g_assert_cmpuint (cs_flame_chart_hit (chart.chart, bounds.origin.x, bounds.origin.y), ==, rect.node);
          g_assert_cmpuint (cs_flame_chart_hit (chart.chart, x1, bounds.origin.y), ==, rect.node);
          g_assert_cmpuint (cs_flame_chart_hit (chart.chart, bounds.origin.x, y1), ==, rect.node);
          g_assert_cmpuint (cs_flame_chart_hit (chart.chart, x1 + 0.9, y1 + 0.9), ==, rect.node);
        }
    }
  close_chart (&chart);
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
}

/* Ten days, of 5000 threads: more than a double tells apart, down to a nanosecond. */
static void
test_ten_days (void)
{
  SKIP_WITHOUT_DISPLAY ();
  TestTree tree = test_tree_new (2);
  Chart chart;

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
  /* The window may have given it its own size meanwhile. */
  GTK_WIDGET_GET_CLASS (chart.chart)->size_allocate (GTK_WIDGET (chart.chart), 900, 900, -1);
  /* A picture that is saved isn't followed by another. */
  cs_label_cache_clear (chart.chart->labels);
  cs_flame_chart_set_plain (chart.chart, TRUE);
  {
    g_auto (Painted) painted = paint (&chart);

    g_assert_cmpuint (painted.texts->len, ==, 141);
    g_assert_cmpuint (chart.chart->refine, ==, 0);
  }
  close_chart (&chart);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/flame-chart/places", test_places);
  g_test_add_func ("/flame-chart/hit", test_hit);
  g_test_add_func ("/flame-chart/edges", test_edges);
  g_test_add_func ("/flame-chart/random", test_random);
  g_test_add_func ("/flame-chart/found", test_found);
  g_test_add_func ("/flame-chart/found-many", test_found_many);
  g_test_add_func ("/flame-chart/outlines", test_outlines);
  g_test_add_func ("/flame-chart/bounds", test_bounds);
  g_test_add_func ("/flame-chart/extremes", test_extremes);
  g_test_add_func ("/flame-chart/ten-days", test_ten_days);
  g_test_add_func ("/flame-chart/shapes", test_shapes);
  g_test_add_func ("/flame-chart/refining", test_refining);
  return g_test_run ();
}
