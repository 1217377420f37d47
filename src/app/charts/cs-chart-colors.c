/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <adwaita.h>

#include "charts/cs-chart-colors.h"
#include "layout/cs-flame-layout.h"
#include "layout/cs-palette.h"

static GdkRGBA
make_color (guint32 rgb, float alpha)
{
  return (GdkRGBA){ (float) (rgb >> 16 & 0xff) / 255, (float) (rgb >> 8 & 0xff) / 255, (float) (rgb & 0xff) / 255,
                    alpha };
}

static GdkRGBA
with_alpha (GdkRGBA color, float alpha)
{
  color.alpha *= alpha;
  return color;
}

/**
 * cs_chart_colors_set_style:
 * @self: (out): colours
 * @dark: whether they are for a dark background
 * @high_contrast: whether contrast is to be high
 *
 * Fills in what doesn't depend on a widget: text is black or white, and the accent is blue.
 */
void
cs_chart_colors_set_style (CsChartColors *self, gboolean dark, gboolean high_contrast)
{
  GdkRGBA text = make_color (dark ? 0xffffff : 0x000000, dark || high_contrast ? 1 : 0.85f);
  GdkRGBA accent = make_color (!high_contrast ? 0x3584e4 : dark ? 0x99c1f1 : 0x1a5fb4, 1);

  self->dark = dark;
  self->high_contrast = high_contrast;
  for (guint i = 0; i < CS_CHART_N_FUNCTION_COLORS; i++)
    self->functions[i] = make_color (cs_palette_get_function (i, dark), 1);
  self->function_label = make_color (cs_palette_get_function_label (dark), 1);
  /* Red and blue, which nobody takes for each other; a label on any mixture of two of them has 4.5:1. */
  self->more = make_color (dark ? 0xb8402f : 0xf07f6a, 1);
  self->same = make_color (dark ? 0x474747 : 0xe3e3e3, 1);
  self->less = make_color (dark ? 0x2f69b8 : 0x74acf0, 1);
  self->colors[CS_CHART_TEXT] = text;
  self->colors[CS_CHART_BACKGROUND] = make_color (dark ? 0x242424 : 0xffffff, 1);
  self->colors[CS_CHART_OUTLIER] = make_color (dark ? 0xff7800 : high_contrast ? 0xa33b00 : 0xd35400, 1);
  self->colors[CS_CHART_NOTICE] = make_color (dark ? 0xf8e45c : high_contrast ? 0x6b4900 : 0x9c6e03, 1);
  self->colors[CS_CHART_BAR] = self->colors[CS_CHART_HANDLE] = accent;
}

/* What follows from others. */
static void
derive (CsChartColors *self)
{
  GdkRGBA text = self->colors[CS_CHART_TEXT], bar = self->colors[CS_CHART_BAR];
  gboolean strong = self->high_contrast;

  self->colors[CS_CHART_DIM_TEXT] = with_alpha (text, strong ? 1 : 0.7f);
  self->colors[CS_CHART_TROUGH] = with_alpha (text, strong ? 0 : 0.05f);
  self->colors[CS_CHART_BORDER] = with_alpha (text, strong ? 0.8f : 0.2f);
  self->colors[CS_CHART_GRID] = with_alpha (text, strong ? 0.4f : 0.12f);
  self->colors[CS_CHART_SOFT_BAR] = with_alpha (bar, strong ? 0.75f : 0.55f);
  self->colors[CS_CHART_REST_BAR] = with_alpha (bar, strong ? 0.5f : 0.45f);
  self->colors[CS_CHART_BAND] = with_alpha (bar, strong ? 0.3f : 0.25f);
}

/**
 * cs_chart_colors_load:
 * @self: (out): colours
 * @widget: a widget, whose style they fit
 *
 * Follows the system's style and its contrast, and what the style sheet says of the accent.
 */
void
cs_chart_colors_load (CsChartColors *self, GtkWidget *widget)
{
  AdwStyleManager *manager = adw_style_manager_get_for_display (gtk_widget_get_display (widget));
  GtkStyleContext *context = gtk_widget_get_style_context (widget);
  GdkRGBA color;

  cs_chart_colors_set_style (self, adw_style_manager_get_dark (manager),
                             adw_style_manager_get_high_contrast (manager));
  gtk_style_context_get_color (context, &self->colors[CS_CHART_TEXT]);
  if (gtk_style_context_lookup_color (context, "window_bg_color", &color))
    self->colors[CS_CHART_BACKGROUND] = color;
  if (!self->high_contrast && gtk_style_context_lookup_color (context, "accent_bg_color", &color))
    self->colors[CS_CHART_BAR] = self->colors[CS_CHART_HANDLE] = color;
  derive (self);
}

/**
 * cs_chart_colors_get_function:
 * @self: colours
 * @name: (nullable): a function's or a module's
 *
 * Returns: (transfer none): its colour, which depends on the name alone
 */
const GdkRGBA *
cs_chart_colors_get_function (const CsChartColors *self, const char *name)
{
  return &self->functions[cs_flame_colour_index (name, CS_CHART_N_FUNCTION_COLORS)];
}

/**
 * cs_chart_colors_get_change:
 * @self: colours
 * @change: from -1, much less, over 0, the same, to 1, much more; what is beyond is as if at the end
 * @color: (out): its colour, for labels as functions' colours have them
 *
 * The scale is symmetric: as much more as less is as far from what didn't change.
 */
void
cs_chart_colors_get_change (const CsChartColors *self, double change, GdkRGBA *color)
{
  const GdkRGBA *end = change < 0 ? &self->less : &self->more;
  float part = (float) MIN (ABS (change), 1);

  color->red = self->same.red + part * (end->red - self->same.red);
  color->green = self->same.green + part * (end->green - self->same.green);
  color->blue = self->same.blue + part * (end->blue - self->same.blue);
  color->alpha = 1;
}

/**
 * cs_chart_colors_follow:
 * @widget: a chart that has a display now
 * @changed: called with it when the system's style is another
 *
 * Until cs_chart_colors_unfollow(): to be called by root() and unroot().
 */
void
cs_chart_colors_follow (GtkWidget *widget, GCallback changed)
{
  AdwStyleManager *manager = adw_style_manager_get_for_display (gtk_widget_get_display (widget));

  g_signal_connect_object (manager, "notify::dark", changed, widget, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", changed, widget, G_CONNECT_SWAPPED);
}

/**
 * cs_chart_colors_unfollow:
 * @widget: a chart
 */
void
cs_chart_colors_unfollow (GtkWidget *widget)
{
  g_signal_handlers_disconnect_by_data (adw_style_manager_get_for_display (gtk_widget_get_display (widget)), widget);
}
