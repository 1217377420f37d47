/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "flame/cs-flame-chart-private.h"
#include "shared/cs-format.h"

/* Characters of a line that is shown beside the chart. */
#define MAX_LINE 200
/* Pixels beside a popover. */
#define ARROW 12

/* Lines that are too long to be shown are cut; they end where they ended. */
static char *
cut_lines (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_auto (GStrv) lines = g_strsplit (valid, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    if (g_utf8_strlen (*line, -1) > MAX_LINE)
      {
        g_autofree char *beginning = g_utf8_substring (*line, 0, MAX_LINE);

        g_free (*line);
        *line = g_strconcat (beginning, "…", NULL);
      }
  return g_strjoinv ("\n", lines);
}

static char *
describe_block (const CsFlameRect *rect)
{
  g_autofree char *count = cs_format_count (rect->n), *time = cs_format_duration (rect->time);

  /* Translators: frames that are too narrow to be drawn one by one, and a duration */
  return g_strdup_printf (ngettext ("%s narrow frame, %s together", "%s narrow frames, %s together", rect->n), count,
                          time);
}

static char *
dup_text (CsFlameChart *self, const CsFlameRect *rect)
{
  g_autofree char *text = NULL;

  if (rect->n > 1)
    return describe_block (rect);
  if (self->texts.dup_text != NULL)
    text = self->texts.dup_text (rect->node, self->data);
  return text != NULL ? cut_lines (text) : NULL;
}

static void
get_area (CsFlameChart *self, const CsFlameRect *rect, GdkRectangle *area)
{
  graphene_rect_t bounds;

  cs_flame_chart_place (self, rect, &bounds);
  *area = (GdkRectangle){ (int) bounds.origin.x, (int) bounds.origin.y, (int) MAX (bounds.size.width, 1),
                          (int) bounds.size.height };
}

/* What the tooltip says at a place, and of what; %NULL: nothing. */
char *
cs_flame_chart_dup_tooltip (CsFlameChart *self, double x, double y, GdkRectangle *area)
{
  const CsFlameRect *rect = cs_flame_chart_find_rect_at (self, x, y);

  if (rect == NULL || self->dragged)
    return NULL;
  get_area (self, rect, area);
  return dup_text (self, rect);
}

/* Tells assistive technology what is under the cursor, if that is something else now. */
void
cs_flame_chart_update_description (CsFlameChart *self)
{
  const CsFlameRect *rect = NULL;
  g_autofree char *text = NULL;
  guint32 node = self->cursor, n = 1;

  if (node != CS_FLAME_NONE)
    rect = cs_flame_chart_find_rect (self, node);
  if (rect != NULL && rect->n > 1)
    {
      node = rect->node;
      n = rect->n;
    }
  if (node == self->told_node && n == self->told_n)
    return;
  self->told_node = node;
  self->told_n = n;
  if (n > 1)
    text = describe_block (rect);
  else if (node != CS_FLAME_NONE && self->texts.dup_sentence != NULL)
    text = self->texts.dup_sentence (node, self->data);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text != NULL ? text : "",
                                  -1);
}

/* Tells assistive technology what is shown. */
void
cs_flame_chart_update_accessible (CsFlameChart *self)
{
  const char *name = self->flame ? _("Flame graph") : _("Icicle graph");
  guint n = self->layout != NULL ? cs_flame_layout_get_n_nodes (self->layout) - 1 : 0;
  g_autofree char *text = NULL;

  if (n == 0)
    text = g_strdup_printf (_("%s: nothing to show"), name);
  else
    {
      g_autofree char *count = cs_format_count (n), *time = cs_format_duration (self->total);

      /* Translators: "Flame graph", a number, and a duration */
      text = g_strdup_printf (ngettext ("%s: %s frame, %s in total", "%s: %s frames, %s in total", n), name, count,
                              time);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  self->told_n = 0;
  cs_flame_chart_update_description (self);
}

static void
make_readout (CsFlameChart *self)
{
  self->readout_label = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->readout_label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->readout_label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (self->readout_label), 60);
  gtk_label_set_xalign (GTK_LABEL (self->readout_label), 0);
  self->readout = gtk_popover_new ();
  gtk_popover_set_child (GTK_POPOVER (self->readout), self->readout_label);
  gtk_popover_set_autohide (GTK_POPOVER (self->readout), FALSE);
  gtk_widget_set_can_focus (self->readout, FALSE);
  gtk_widget_set_can_target (self->readout, FALSE);
  gtk_widget_add_css_class (self->readout, "readout");
  gtk_widget_set_parent (self->readout, GTK_WIDGET (self));
}

/* Shows what is at the cursor, as a tooltip would at the pointer. */
void
cs_flame_chart_show_readout (CsFlameChart *self)
{
  const CsFlameRect *rect = NULL;
  g_autofree char *text = NULL;
  int height;
  GdkRectangle area, plot = { (int) self->plot_x, 0, (int) self->plot_width, (int) self->plot_height };

  if (self->cursor != CS_FLAME_NONE && gtk_widget_get_mapped (GTK_WIDGET (self)))
    rect = cs_flame_chart_find_rect (self, self->cursor);
  if (rect != NULL)
    text = dup_text (self, rect);
  if (text == NULL)
    {
      cs_flame_chart_hide_readout (self);
      return;
    }
  if (self->readout == NULL)
    make_readout (self);
  gtk_label_set_text (GTK_LABEL (self->readout_label), text);
  get_area (self, rect, &area);
  if (!gdk_rectangle_intersect (&area, &plot, &area))
    area = plot;
  /* What isn't visible has no size, but what is in it has. */
  gtk_widget_measure (gtk_widget_get_parent (self->readout_label), GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  height += ARROW;
  /* Not over what is above the chart. */
  gtk_popover_set_position (GTK_POPOVER (self->readout),
                            area.y + area.height + height <= plot.height || area.y < height ? GTK_POS_BOTTOM : GTK_POS_TOP);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->readout), &area);
  gtk_popover_popup (GTK_POPOVER (self->readout));
}

void
cs_flame_chart_hide_readout (CsFlameChart *self)
{
  if (self->readout != NULL)
    gtk_popover_popdown (GTK_POPOVER (self->readout));
}
