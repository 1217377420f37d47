/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/layout/test-trees.h"
#include "flame/cs-flame-chart.h"
#include "shared/cs-format.h"

/* What a chart says of the frames of a made-up tree. */

typedef struct
{
  TestTree *tree; /* outlives the chart */
  CsFlameLayout *layout;
  guint8 *colors; /* of functions */
} FlameSource;

static inline const char *
flame_get_name (guint32 node, gpointer data)
{
  const FlameSource *source = data;
  guint32 function = cs_flame_layout_get_function (source->layout, node);

  return function == CS_FLAME_NONE ? "all threads" : source->tree->functions[function].location.name;
}

static inline char *
flame_dup_label (guint32 node, gpointer data)
{
  return g_strdup (flame_get_name (node, data));
}

static inline char *
flame_dup_text (guint32 node, gpointer data)
{
  const FlameSource *source = data;
  CsFlameNode frame = test_get_node (source->layout, node);
  g_autofree char *self = cs_format_duration (frame.self), *inclusive = cs_format_duration (frame.width);

  return g_strdup_printf ("%s\nself %s\ninclusive %s\n%" G_GUINT64_FORMAT " calls", flame_get_name (node, data), self,
                          inclusive, frame.calls);
}

static inline char *
flame_dup_sentence (guint32 node, gpointer data)
{
  const FlameSource *source = data;
  CsFlameNode frame = test_get_node (source->layout, node);
  g_autofree char *self = cs_format_duration (frame.self), *inclusive = cs_format_duration (frame.width);

  return g_strdup_printf ("%s: self %s, inclusive %s", flame_get_name (node, data), self, inclusive);
}

static inline void
flame_get_color (guint32 node, const CsChartColors *colors, GdkRGBA *color, gpointer data)
{
  const FlameSource *source = data;
  guint32 function = cs_flame_layout_get_function (source->layout, node);

  *color = colors->functions[function == CS_FLAME_NONE ? 0 : source->colors[function]];
}

static inline void
flame_source_free (gpointer data)
{
  FlameSource *source = data;

  cs_flame_layout_unref (source->layout);
  g_free (source->colors);
  g_free (source);
}

/* Shows the tree in the chart. */
static inline CsFlameLayout *
flame_show_tree (CsFlameChart *chart, TestTree *tree, const CsFlameOptions *options)
{
  static const CsFlameChartTexts texts = { flame_dup_label, flame_dup_text, flame_dup_sentence, flame_get_color };
  FlameSource *source = g_new0 (FlameSource, 1);

  source->tree = tree;
  source->layout = test_tree_lay_out (tree, options);
  source->colors = g_new (guint8, tree->n_functions);
  for (guint i = 0; i < tree->n_functions; i++)
    source->colors[i] = (guint8) cs_flame_colour_index (tree->functions[i].location.name, CS_CHART_N_FUNCTION_COLORS);
  cs_flame_chart_set_layout (chart, source->layout, &texts, source, flame_source_free);
  return source->layout;
}
