/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "charts/cs-chart-colors.h"
#include "charts/cs-chart-image.h"
#include "charts-fixture.h"

static GdkPixbuf *
decode (GBytes *bytes)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
  g_autoptr (GError) error = NULL;
  GdkPixbuf *pixbuf = gdk_pixbuf_new_from_stream (stream, NULL, &error);

  g_assert_no_error (error);
  return pixbuf;
}

static guint32
get_rgb (GdkPixbuf *pixbuf, int x, int y)
{
  const guint8 *p = gdk_pixbuf_read_pixels (pixbuf) + y * gdk_pixbuf_get_rowstride (pixbuf) + x * gdk_pixbuf_get_n_channels (pixbuf);

  return (guint32) p[0] << 16 | (guint32) p[1] << 8 | p[2];
}

static guint
count_colours (GdkPixbuf *pixbuf)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (int y = 0; y < gdk_pixbuf_get_height (pixbuf); y++)
    for (int x = 0; x < gdk_pixbuf_get_width (pixbuf); x++)
      g_hash_table_add (seen, GUINT_TO_POINTER (get_rgb (pixbuf, x, y) + 1));
  return g_hash_table_size (seen);
}

static void
test_render (void)
{
  SKIP_WITHOUT_DISPLAY ();
  static const double scales[] = { 1, 2, 1.5 };
  Fixture fixture;
  CsChartColors colors;
  const GdkRGBA *back = &colors.colors[CS_CHART_BACKGROUND];
  guint32 background;

  open_window (&fixture, make_histogram (), 700, 200);
  cs_chart_colors_load (&colors, fixture.widget);
  background = (guint32) (back->red * 255 + 0.5) << 16 | (guint32) (back->green * 255 + 0.5) << 8 |
               (guint32) (back->blue * 255 + 0.5);
  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = cs_chart_image_render (fixture.widget, scales[i], &error);
      g_autoptr (GdkPixbuf) pixbuf = NULL;

      g_assert_no_error (error);
      pixbuf = decode (bytes);
      g_assert_cmpint (gdk_pixbuf_get_width (pixbuf), ==, (int) (gtk_widget_get_width (fixture.widget) * scales[i]));
      g_assert_cmpint (gdk_pixbuf_get_height (pixbuf), ==, (int) (gtk_widget_get_height (fixture.widget) * scales[i]));
      g_assert_cmphex (get_rgb (pixbuf, 0, 0), ==, background);
      g_assert_cmpuint (count_colours (pixbuf), >, 10); /* bars, and texts with their edges */
    }
  gtk_window_destroy (GTK_WINDOW (fixture.window));
}

static void
test_too_large (void)
{
  SKIP_WITHOUT_DISPLAY ();
  GtkWidget *widget = gtk_drawing_area_new ();
  Fixture fixture;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkPixbuf) pixbuf = NULL;

  gtk_widget_set_valign (widget, GTK_ALIGN_START);
  gtk_widget_set_size_request (widget, -1, 2);
  open_window (&fixture, widget, 400, 60);
  bytes = cs_chart_image_render (fixture.widget, 1000, &error);
  g_assert_no_error (error);
  pixbuf = decode (bytes);
  g_assert_cmpint (gdk_pixbuf_get_width (pixbuf), <=, 32767);
  g_assert_cmpint (gdk_pixbuf_get_width (pixbuf), >, 32000);
  gtk_window_destroy (GTK_WINDOW (fixture.window));
}

static void
keep (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static gboolean
save (GtkWidget *widget, const char *path, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  cs_chart_image_save_async (widget, 2, path, NULL, keep, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return cs_chart_image_save_finish (result, error);
}

static void
test_save (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *folder = g_dir_make_tmp ("chart-image-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.png", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "no", "a.png", NULL);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;
  GtkWidget *unseen = g_object_ref_sink (make_histogram ());
  Fixture fixture;
  gsize length;

  open_window (&fixture, make_histogram (), 700, 200);
  bytes = cs_chart_image_render (fixture.widget, 2, NULL);
  g_assert_true (save (fixture.widget, path, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  g_assert_cmpmem (contents, length, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));

  g_assert_false (save (fixture.widget, nowhere, &error));
  g_assert_nonnull (strstr (error->message, nowhere));
  g_clear_error (&error);
  g_assert_false (save (fixture.widget, "/dev/full", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  g_clear_error (&error);
  g_assert_false (save (unseen, path, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);

  g_object_unref (unseen);
  gtk_window_destroy (GTK_WINDOW (fixture.window));
  g_remove (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/chart-image/render", test_render);
  g_test_add_func ("/chart-image/too-large", test_too_large);
  g_test_add_func ("/chart-image/save", test_save);
  return g_test_run ();
}
