/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "timeline/cs-timeline-chart-private.h"

#define PALE 0.7f /* how much of the background a call has that was not found */

static void
clear_style (gpointer data)
{
  g_free (((CsTimelineStyle *) data)->label);
}

/**
 * cs_timeline_chart_forget_styles:
 * @self: a chart
 *
 * The texts say something else now.
 */
void
cs_timeline_chart_forget_styles (CsTimelineChart *self)
{
  const CsTimelineStyle block = { .function = CS_TIMELINE_NO_FUNCTION };

  if (self->styles == NULL)
    {
      self->styles = g_array_new (FALSE, TRUE, sizeof (CsTimelineStyle));
      g_array_set_clear_func (self->styles, clear_style);
      self->by_function = g_hash_table_new (NULL, NULL);
      self->by_address = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
    }
  g_array_set_size (self->styles, 0);
  g_hash_table_remove_all (self->by_function);
  g_hash_table_remove_all (self->by_address);
  /* 0 says that a style was not looked up. */
  g_array_append_val (self->styles, block);
  for (CsTimelineAnswer *answer = self->answer; answer != NULL;
       answer = answer == self->answer ? self->previous : NULL)
    for (guint i = 0; i < answer->fills->len; i++)
      {
        CsTimelineFill *fill = &g_array_index (answer->fills, CsTimelineFill, i);

        if (fill->spans->len > 0)
          memset (fill->styles, 0, fill->spans->len * sizeof *fill->styles);
      }
}

/**
 * cs_timeline_chart_update_colors:
 * @self: a chart
 *
 * Follows the system's style.
 */
void
cs_timeline_chart_update_colors (CsTimelineChart *self)
{
  CsChartColors colors;

  memset (&colors, 0, sizeof colors);
  cs_chart_colors_load (&colors, GTK_WIDGET (self));
  if (memcmp (&colors, &self->colors, sizeof colors) == 0)
    return;
  self->colors = colors;
  for (guint i = 0; i < self->styles->len; i++)
    g_array_index (self->styles, CsTimelineStyle, i).colored = FALSE;
  g_clear_pointer (&self->picture, gsk_render_node_unref);
}

static guint32
add_style (CsTimelineChart *self, guint function, guint64 address)
{
  const CsTimelineStyle style = { .function = function, .address = address };

  g_array_append_val (self->styles, style);
  return self->styles->len - 1;
}

/**
 * cs_timeline_chart_find_style:
 * @self: a chart
 * @track: number of a track
 * @span: a call of it
 *
 * Returns: how its function looks, more than 0
 */
guint32
cs_timeline_chart_find_style (CsTimelineChart *self, guint track, const CsTimelineSpan *span)
{
  guint process = cs_timeline_get_track_info (self->timeline, track)->process, function = CS_TIMELINE_NO_FUNCTION;
  guint32 style;

  if (self->texts.get_function != NULL)
    function = self->texts.get_function (process, span->address, span->ts, self->texts_data);
  if (function == CS_TIMELINE_NO_FUNCTION)
    {
      style = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_address, &span->address));
      if (style == 0)
        {
          style = add_style (self, function, span->address);
          g_hash_table_insert (self->by_address, g_memdup2 (&span->address, sizeof span->address),
                               GUINT_TO_POINTER (style));
        }
      return style;
    }
  style = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_function, GUINT_TO_POINTER (function)));
  if (style == 0)
    {
      style = add_style (self, function, span->address);
      g_hash_table_insert (self->by_function, GUINT_TO_POINTER (function), GUINT_TO_POINTER (style));
    }
  return style;
}

/**
 * cs_timeline_chart_dup_valid:
 * @text: (transfer full) (nullable): a text of the owner's
 *
 * Returns: (transfer full) (nullable): the text, valid and short enough to be shaped
 */
char *
cs_timeline_chart_dup_valid (char *text)
{
  char *valid;

  if (text == NULL)
    return NULL;
  valid = g_utf8_make_valid (text, -1);
  g_free (text);
  if (g_utf8_strlen (valid, -1) > CS_TIMELINE_MAX_TEXT)
    {
      g_autofree G_GNUC_UNUSED char *all = valid;
      g_autofree char *start = g_utf8_substring (valid, 0, CS_TIMELINE_MAX_TEXT);

      valid = g_strconcat (start, "…", NULL);
    }
  return valid;
}

/**
 * cs_timeline_chart_get_style_label:
 * @self: a chart
 * @style: of a function
 *
 * Returns: (transfer none): the function's name
 */
const char *
cs_timeline_chart_get_style_label (CsTimelineChart *self, guint32 style)
{
  CsTimelineStyle *at = &g_array_index (self->styles, CsTimelineStyle, style);

  if (at->label == NULL && at->function != CS_TIMELINE_NO_FUNCTION && self->texts.dup_label != NULL)
    at->label = cs_timeline_chart_dup_valid (self->texts.dup_label (at->function, self->texts_data));
  if (at->label == NULL)
    at->label = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", at->address);
  return at->label;
}

static GdkRGBA
mix (const GdkRGBA *a, const GdkRGBA *b, float part)
{
  return (GdkRGBA){ a->red + (b->red - a->red) * part, a->green + (b->green - a->green) * part,
                    a->blue + (b->blue - a->blue) * part, 1 };
}

/**
 * cs_timeline_chart_get_style_color:
 * @self: a chart
 * @style: of a function; 0: of blocks
 * @pale: as those look that were not found
 *
 * Returns: (transfer none): the colour that it is painted with
 */
const GdkRGBA *
cs_timeline_chart_get_style_color (CsTimelineChart *self, guint32 style, gboolean pale)
{
  CsTimelineStyle *at = &g_array_index (self->styles, CsTimelineStyle, style);
  const GdkRGBA *background = &self->colors.colors[CS_CHART_BACKGROUND];

  if (!at->colored)
    {
      if (style == 0)
        at->color = mix (background, &self->colors.colors[CS_CHART_TEXT], self->colors.high_contrast ? 0.45f : 0.28f);
      else if (at->function != CS_TIMELINE_NO_FUNCTION && self->texts.get_color != NULL)
        self->texts.get_color (at->function, &self->colors, &at->color, self->texts_data);
      else
        at->color = *cs_chart_colors_get_function (&self->colors, cs_timeline_chart_get_style_label (self, style));
      at->pale = mix (&at->color, background, PALE);
      at->colored = TRUE;
    }
  return pale ? &at->pale : &at->color;
}

/**
 * cs_timeline_chart_paint_layout:
 * @self: a chart
 * @snapshot: where to paint
 * @layout: a text
 * @x: pixels from the time axis's start, where it begins
 * @width: its width
 * @y: its upper edge in the widget
 * @color: its colour
 */
void
cs_timeline_chart_paint_layout (CsTimelineChart *self, GtkSnapshot *snapshot, PangoLayout *layout, double x,
                                double width, double y, const GdkRGBA *color)
{
  graphene_rect_t rect;

  cs_timeline_chart_place (self, x, width, y, 1, &rect);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &rect.origin);
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}
