/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "layout/cs-palette.h"

G_BEGIN_DECLS

#define CS_CHART_N_FUNCTION_COLORS CS_PALETTE_N_FUNCTIONS

typedef enum
{
  CS_CHART_TEXT,
  CS_CHART_DIM_TEXT,
  CS_CHART_BACKGROUND, /* of the window or view that the chart lies on */
  CS_CHART_TROUGH,     /* what a strip is drawn on */
  CS_CHART_BORDER,
  CS_CHART_GRID,
  CS_CHART_BAR,
  CS_CHART_SOFT_BAR,   /* where shapes count more than single bars */
  CS_CHART_REST_BAR,   /* beside a selected range */
  CS_CHART_OUTLIER,
  CS_CHART_NOTICE,
  CS_CHART_BAND,       /* laid over a selected range */
  CS_CHART_HANDLE,
  CS_CHART_N_COLORS,
} CsChartColor;

/* All colours that charts are painted with, as they are for a widget now. */
typedef struct
{
  GdkRGBA colors[CS_CHART_N_COLORS];
  GdkRGBA functions[CS_CHART_N_FUNCTION_COLORS];
  GdkRGBA function_label; /* on any of these */
  GdkRGBA less, same, more; /* of differences */
  gboolean dark, high_contrast;
} CsChartColors;

void cs_chart_colors_follow (GtkWidget *widget, GCallback changed);
void cs_chart_colors_unfollow (GtkWidget *widget);
void cs_chart_colors_load (CsChartColors *self, GtkWidget *widget);
void cs_chart_colors_set_style (CsChartColors *self, gboolean dark, gboolean high_contrast);
void cs_chart_colors_get_change (const CsChartColors *self, double change, GdkRGBA *color);
const GdkRGBA *cs_chart_colors_get_function (const CsChartColors *self, const char *name);

G_END_DECLS
