/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <adwaita.h>

#include "charts/cs-label-cache.h"

typedef struct
{
  GtkWidget *window, *widget;
  CsLabelCache *cache;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->window = gtk_window_new ();
  f->widget = gtk_label_new (NULL);
  gtk_window_set_child (GTK_WINDOW (f->window), f->widget);
  f->cache = cs_label_cache_new (f->widget, 1);
  cs_label_cache_begin_frame (f->cache);
  cs_label_cache_begin_frame (f->cache);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  cs_label_cache_free (f->cache);
  gtk_window_destroy (GTK_WINDOW (f->window));
}

static void
test_whole (Fixture *f, gconstpointer data)
{
  g_autoptr (PangoLayout) expected = gtk_widget_create_pango_layout (f->widget, "quicksort");
  PangoLayout *layout;
  int width, height, w, h;

  pango_layout_get_pixel_size (expected, &w, &h);
  layout = cs_label_cache_get (f->cache, "quicksort", w, &width, &height);
  g_assert_cmpstr (pango_layout_get_text (layout), ==, "quicksort");
  g_assert_cmpint (width, ==, w);
  g_assert_cmpint (height, ==, h);
  g_assert_true (cs_label_cache_get (f->cache, "quicksort", 10000, NULL, NULL) == layout);
  g_assert_cmpuint (cs_label_cache_begin_frame (f->cache), ==, 1);
  g_assert_true (cs_label_cache_get (f->cache, "quicksort", w + .5, NULL, NULL) == layout);
  g_assert_cmpuint (cs_label_cache_begin_frame (f->cache), ==, 0);
}

/* Whatever the width, what comes back fits into it, and is the longest beginning that does. */
static void
test_cut (Fixture *f, gconstpointer data)
{
  static const char *const texts[] = { "workload_sort_everything", "שלום עולם ומלואו", "naïve_größe_fünf_日本語" };

  for (guint t = 0; t < G_N_ELEMENTS (texts); t++)
    {
      int full, before = 0;

      cs_label_cache_get (f->cache, texts[t], 10000, &full, NULL);
      for (int max = 1; max < full; max++)
        {
          int width;
          PangoLayout *layout = cs_label_cache_get (f->cache, texts[t], max, &width, NULL);
          const char *text;

          if (layout == NULL)
            {
              g_assert_cmpint (max, <, 60);
              g_assert_cmpint (before, ==, 0);
              continue;
            }
          text = pango_layout_get_text (layout);
          g_assert_true (g_str_has_suffix (text, "…"));
          g_assert_true (g_utf8_validate (text, -1, NULL));
          g_assert_cmpint (strncmp (text, texts[t], strlen (text) - strlen ("…")), ==, 0);
          g_assert_cmpint (width, <=, max + 1);
          g_assert_cmpint (width, >=, before);
          before = width;
        }
      g_assert_cmpint (before, >, full / 2);
    }
  /* Not more than a label for each character. */
  g_assert_cmpuint (cs_label_cache_begin_frame (f->cache), <, 70);
}

static void
test_long (Fixture *f, gconstpointer data)
{
  g_autofree char *name = g_strnfill (4000, 'x');
  g_autoptr (GString) long_wide = g_string_new (NULL);
  PangoLayout *layout = cs_label_cache_get (f->cache, name, 1e6, NULL, NULL);

  g_assert_cmpint (g_utf8_strlen (pango_layout_get_text (layout), -1), ==, 201);
  g_assert_true (g_str_has_suffix (pango_layout_get_text (layout), "…"));
  /* What has as many as are shown isn't cut; and one has nothing of the other. */
  name[200] = '\0';
  g_assert_cmpstr (pango_layout_get_text (cs_label_cache_get (f->cache, name, 1e6, NULL, NULL)), ==, name);
  for (guint i = 0; i < 4000; i++)
    g_string_append (long_wide, "日");
  layout = cs_label_cache_get (f->cache, long_wide->str, 1e6, NULL, NULL);
  g_assert_cmpint (g_utf8_strlen (pango_layout_get_text (layout), -1), ==, 201);
}

static void
test_odd (Fixture *f, gconstpointer data)
{
  g_autofree char *bad = g_strnfill (500, '\xf0');

  g_assert_null (cs_label_cache_get (f->cache, "", 100, NULL, NULL));
  g_assert_null (cs_label_cache_get (f->cache, NULL, 100, NULL, NULL));
  g_assert_null (cs_label_cache_get (f->cache, "main", 0, NULL, NULL));
  g_assert_null (cs_label_cache_get (f->cache, "main", -5, NULL, NULL));
  g_assert_null (cs_label_cache_get (f->cache, "main", 3, NULL, NULL));
  for (guint i = 0; i < 2; i++)
    {
      g_assert_nonnull (cs_label_cache_get (f->cache, bad, 1000, NULL, NULL));
      g_assert_nonnull (cs_label_cache_get (f->cache, "a\xff\xfe z", 1000, NULL, NULL));
      g_assert_cmpint (pango_layout_get_line_count (cs_label_cache_get (f->cache, "a\nb\r\nc", 1000, NULL, NULL)), ==, 1);
    }
  bad[199] = '\0';
  g_assert_nonnull (cs_label_cache_get (f->cache, bad, 1000, NULL, NULL));
}

/* What was asked for long ago is forgotten when there is a lot; what is asked for stays. */
static void
test_forget (Fixture *f, gconstpointer data)
{
  PangoLayout *kept = NULL;
  gpointer gone;
  guint shaped = 0;

  gone = cs_label_cache_get (f->cache, "gone", 1000, NULL, NULL);
  g_object_add_weak_pointer (G_OBJECT (gone), &gone);
  for (guint i = 0; i < 40; i++)
    {
      cs_label_cache_begin_frame (f->cache);
      for (guint j = 0; j < 100; j++)
        {
          g_autofree char *name = g_strdup_printf ("function_%u", i * 100 + j);

          cs_label_cache_get (f->cache, name, 1000, NULL, NULL);
        }
      if (kept != NULL)
        g_assert_true (cs_label_cache_get (f->cache, "kept", 1000, NULL, NULL) == kept);
      kept = cs_label_cache_get (f->cache, "kept", 1000, NULL, NULL);
    }
  g_assert_null (gone);
  cs_label_cache_begin_frame (f->cache);
  for (guint j = 0; j < 100; j++)
    {
      g_autofree char *name = g_strdup_printf ("function_%u", j);

      cs_label_cache_get (f->cache, name, 1000, NULL, NULL);
    }
  shaped = cs_label_cache_begin_frame (f->cache);
  g_assert_cmpuint (shaped, ==, 100);
}

/* While one zooms, a long name isn't kept in all its lengths; those of the last frames are. */
static void
test_forget_parts (Fixture *f, gconstpointer data)
{
  g_autofree char *name = g_strnfill (150, 'm');
  int full, width, first = 0;
  guint kept = 0;

  cs_label_cache_get (f->cache, name, 1e6, &full, NULL);
  cs_label_cache_begin_frame (f->cache);
  for (guint i = 0; i < 100; i++)
    {
      g_assert_nonnull (cs_label_cache_get (f->cache, name, full / 4 + full * (i + 1) / 150, &width, NULL));
      g_assert_cmpint (width, >, first);
      first = i == 0 ? width - 1 : first;
      g_assert_cmpuint (cs_label_cache_begin_frame (f->cache), ==, 1);
    }
  /* Asked for again, the last ones are there; none is taken from the frame that it is of. */
  for (guint i = 100; i > 0; i--)
    {
      PangoLayout *layout = cs_label_cache_get (f->cache, name, full / 4 + full * i / 150, NULL, NULL);
      g_autofree char *text = g_strdup (pango_layout_get_text (layout));

      kept += cs_label_cache_begin_frame (f->cache) == 0;
      g_assert_cmpuint (strlen (text), >, 10);
    }
  g_assert_cmpuint (kept, >=, 16);
  g_assert_cmpuint (kept, <, 60);
  /* So many in one frame are all there until it ends. */
  {
    PangoLayout *layouts[60];

    for (guint i = 0; i < 60; i++)
      layouts[i] = cs_label_cache_get (f->cache, name, full / 4 + full * (i + 1) / 100, NULL, NULL);
    for (guint i = 0; i < 60; i++)
      g_assert_true (cs_label_cache_get (f->cache, name, full / 4 + full * (i + 1) / 100, NULL, NULL) == layouts[i]);
  }
}

/* With a bound, a frame has what was known and some more; what isn't whole yet has the longest that is known. */
static void
test_bound (Fixture *f, gconstpointer data)
{
  const char *name = "workload_sort_everything";
  int full, width, half;

  cs_label_cache_get (f->cache, name, 1000, &full, NULL);
  g_assert_nonnull (cs_label_cache_get (f->cache, name, full / 2, &half, NULL));
  cs_label_cache_set_max_shaped (f->cache, 3);
  cs_label_cache_begin_frame (f->cache);
  g_assert_false (cs_label_cache_is_short (f->cache));
  g_assert_nonnull (cs_label_cache_get (f->cache, "a1", 1000, NULL, NULL));
  g_assert_nonnull (cs_label_cache_get (f->cache, "a2", 1000, NULL, NULL));
  g_assert_nonnull (cs_label_cache_get (f->cache, "a3", 1000, NULL, NULL));
  g_assert_false (cs_label_cache_is_short (f->cache));
  g_assert_null (cs_label_cache_get (f->cache, "a4", 1000, NULL, NULL));
  g_assert_true (cs_label_cache_is_short (f->cache));
  g_assert_nonnull (cs_label_cache_get (f->cache, "a1", 1000, NULL, NULL));
  g_assert_nonnull (cs_label_cache_get (f->cache, name, full * 3 / 4, &width, NULL));
  g_assert_cmpint (width, ==, half);
  g_assert_cmpuint (cs_label_cache_begin_frame (f->cache), ==, 3);
  g_assert_false (cs_label_cache_is_short (f->cache));
  g_assert_nonnull (cs_label_cache_get (f->cache, "a4", 1000, NULL, NULL));
  g_assert_nonnull (cs_label_cache_get (f->cache, name, full * 3 / 4, &width, NULL));
  g_assert_cmpint (width, >, half);
}

/* The style is looked at again before the next frame. */
static void
wait_for_other_width (Fixture *f, int width)
{
  int now = width;

  for (guint i = 0; now == width && i < 500; i++)
    {
      while (g_main_context_iteration (NULL, FALSE))
        ;
      cs_label_cache_begin_frame (f->cache);
      cs_label_cache_get (f->cache, "quicksort", 1000, &now, NULL);
      g_usleep (10000);
    }
}

static void
test_font (Fixture *f, gconstpointer data)
{
  int small, large, same;

  gtk_window_present (GTK_WINDOW (f->window));

  cs_label_cache_get (f->cache, "quicksort", 1000, &small, NULL);
  cs_label_cache_begin_frame (f->cache);
  g_object_set (gtk_widget_get_settings (f->widget), "gtk-xft-dpi", 192 * 1024, NULL);
  wait_for_other_width (f, small);
  cs_label_cache_begin_frame (f->cache);
  cs_label_cache_get (f->cache, "quicksort", 1000, &large, NULL);
  g_assert_cmpint (large, >, small * 3 / 2);
  gtk_settings_reset_property (gtk_widget_get_settings (f->widget), "gtk-xft-dpi");
  wait_for_other_width (f, large);
  cs_label_cache_begin_frame (f->cache);
  cs_label_cache_get (f->cache, "quicksort", 1000, &same, NULL);
  g_assert_cmpint (same, ==, small);
  cs_label_cache_free (f->cache);
  f->cache = cs_label_cache_new (f->widget, .5);
  cs_label_cache_get (f->cache, "quicksort", 1000, &small, NULL);
  g_assert_cmpint (small, <, same * 2 / 3);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
#define ADD(path, function) g_test_add ("/label-cache/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("whole", test_whole);
  ADD ("cut", test_cut);
  ADD ("long", test_long);
  ADD ("odd", test_odd);
  ADD ("forget", test_forget);
  ADD ("forget-parts", test_forget_parts);
  ADD ("bound", test_bound);
  ADD ("font", test_font);
#undef ADD
  return g_test_run ();
}
