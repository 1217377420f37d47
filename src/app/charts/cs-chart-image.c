/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/cs-save-file.h"
#include "charts/cs-chart-colors.h"
#include "charts/cs-chart-image.h"

/* cairo's images, and many viewers, take no longer edge; of the area it is memory. */
#define LONGEST_EDGE 32767
#define MOST_PIXELS (1 << 25)

static cairo_status_t
append (void *to, const unsigned char *data, unsigned int n)
{
  g_byte_array_append (to, data, n);
  return CAIRO_STATUS_SUCCESS;
}

/* What the widget paints, on its background. No surface and no GPU is needed. */
static GskRenderNode *
snapshot_chart (GtkWidget *chart, int width, int height)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  CsChartColors colors;
  graphene_rect_t bounds;

  cs_chart_colors_load (&colors, chart);
  graphene_rect_init (&bounds, 0, 0, (float) width, (float) height);
  gtk_snapshot_append_color (snapshot, &colors.colors[CS_CHART_BACKGROUND], &bounds);
  gtk_snapshot_push_clip (snapshot, &bounds);
  GTK_WIDGET_GET_CLASS (chart)->snapshot (chart, snapshot);
  gtk_snapshot_pop (snapshot);
  return gtk_snapshot_free_to_node (snapshot);
}

/**
 * cs_chart_image_render:
 * @chart: a widget that paints itself and has been given its size
 * @scale: pixels of the image a pixel of the widget; less where the image would be too large
 * @error: where to say why there is no image
 *
 * Paints a widget as it is, on the colour that lies behind it.
 *
 * Returns: (transfer full) (nullable): a PNG file
 */
GBytes *
cs_chart_image_render (GtkWidget *chart, double scale, GError **error)
{
  int width = gtk_widget_get_width (chart), height = gtk_widget_get_height (chart);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GskRenderNode) node = NULL;
  cairo_surface_t *surface;
  cairo_status_t status;
  cairo_t *cr;

  g_return_val_if_fail (GTK_IS_WIDGET (chart), NULL);
  g_return_val_if_fail (scale > 0, NULL);

  if (width <= 0 || height <= 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, _("There is no picture yet — show the chart first"));
      return NULL;
    }
  scale = MIN (scale, (double) LONGEST_EDGE / MAX (width, height));
  scale = MIN (scale, sqrt (MOST_PIXELS / ((double) width * height)));
  node = snapshot_chart (chart, width, height);
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, MAX (1, (int) (width * scale)), MAX (1, (int) (height * scale)));
  cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  status = cairo_surface_write_to_png_stream (surface, append, bytes);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _("The picture can't be made (%s)"), cairo_status_to_string (status));
      return NULL;
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (cs_save_file_write_finish (result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * cs_chart_image_save_async:
 * @chart: as for cs_chart_image_render()
 * @scale: the same
 * @path: a file; on an error it is as it was
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when it is saved, or not
 * @user_data: for @callback
 *
 * Saves what a widget shows as a PNG file. It is painted now, and written in a thread.
 */
void
cs_chart_image_save_async (GtkWidget *chart, double scale, const char *path, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (chart, cancellable, callback, user_data);
  g_autoptr (GBytes) bytes = NULL;
  GError *error = NULL;

  g_task_set_source_tag (task, cs_chart_image_save_async);
  bytes = cs_chart_image_render (chart, scale, &error);
  if (bytes != NULL)
    {
      cs_save_file_write_async (path, bytes, cancellable, on_written, task);
      return;
    }
  g_task_return_error (task, error);
  g_object_unref (task);
}

/**
 * cs_chart_image_save_finish:
 * @result: what the callback got
 * @error: where to say why it isn't saved
 *
 * Returns: whether it is
 */
gboolean
cs_chart_image_save_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
