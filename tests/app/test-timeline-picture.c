/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "timeline-fixture.h"
#include "timeline/cs-timeline-picture.h"

/* The rectangles of an SVG file by their titles' first lines. */
typedef struct
{
  GHashTable *widths; /* name → double */
  guint n;
  GString *text;
  gboolean in_title;
} Reader;

static void
start (GMarkupParseContext *context, const char *element, const char **names, const char **values, gpointer data,
       GError **error)
{
  Reader *reader = data;
  const char *width = NULL;

  reader->in_title = g_str_equal (element, "title");
  if (reader->in_title)
    g_string_truncate (reader->text, 0);
  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], "width"))
      width = values[i];
  if (g_str_equal (element, "rect") && !g_str_equal (values[0], "page"))
    {
      char *name = g_strndup (reader->text->str, strcspn (reader->text->str, "\n"));

      g_hash_table_insert (reader->widths, name, g_memdup2 (&(double){ g_ascii_strtod (width, NULL) }, sizeof (double)));
      reader->n++;
    }
}

static void
text (GMarkupParseContext *context, const char *text, gsize n, gpointer data, GError **error)
{
  Reader *reader = data;

  if (reader->in_title)
    g_string_append_len (reader->text, text, (gssize) n);
}

static void
keep (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static CsTimelineNames *
make_names (Fixture *fixture)
{
  CsTimeline *timeline = cs_timeline_chart_get_timeline (fixture->chart);
  const CsProfileOptions options = { 0 };
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (CsProfile) profile = cs_profile_new (cs_timeline_get_recording (timeline), symbolizer, &options, NULL, NULL, NULL);

  return cs_timeline_names_new (timeline, profile, cs_timeline_chart_get_origin (fixture->chart));
}

static gboolean
save (Fixture *fixture, CsTimelineNames *names, const char *path, GError **error)
{
  static const char *const notes[] = { "<&>", NULL };
  g_autoptr (GAsyncResult) result = NULL;

  cs_timeline_picture_save_async (fixture->chart, names, "known & more", notes, NULL, path, NULL, keep, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return cs_timeline_picture_save_finish (result, error);
}

static double
get_width (Reader *reader, const char *name)
{
  const double *width = g_hash_table_lookup (reader->widths, name);

  if (width == NULL)
    g_error ("no call of %s", name);
  return *width;
}

/* What is painted is in the file, as wide as it took. */
static void
test_svg (void)
{
  SKIP_WITHOUT_DISPLAY ();
  static const GMarkupParser parser = { .start_element = start, .text = text };
  Reader reader = { .widths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free), .text = g_string_new (NULL) };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &reader, NULL);
  g_autoptr (CsTimelineNames) names = NULL;
  g_autoptr (GArray) visible = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL, *nowhere = NULL, *path = NULL;
  Fixture fixture;
  gsize length;
  double main_width;

  open_known (&fixture);
  names = make_names (&fixture);
  cs_timeline_names_give (names, fixture.chart);
  settle (&fixture);
  visible = cs_timeline_chart_dup_visible (fixture.chart);
  path = g_build_filename (fixture.recording.path, "x.svg", NULL);
  nowhere = g_build_filename (path, "y.svg", NULL);
  g_assert_true (save (&fixture, names, path, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  g_assert_true (g_markup_parse_context_parse (context, contents, (gssize) length, &error));
  g_assert_no_error (error);

  g_assert_cmpuint (visible->len, >, 5);
  g_assert_cmpuint (reader.n, ==, visible->len);
  main_width = get_width (&reader, "0x1000");
  g_assert_cmpfloat_with_epsilon (get_width (&reader, "0x2000"), main_width * 30 / 120, 0.05);
  g_assert_cmpfloat_with_epsilon (get_width (&reader, "0x3000"), main_width * 40 / 120, 0.05);
  g_assert_nonnull (strstr (contents, "known &amp; more"));
  g_assert_nonnull (strstr (contents, "&lt;&amp;&gt;"));

  g_assert_false (save (&fixture, names, nowhere, &error));
  g_assert_nonnull (strstr (error->message, "y.svg"));
  close_chart (&fixture);
  g_hash_table_unref (reader.widths);
  g_string_free (reader.text, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  have_display = gtk_init_check ();
  if (have_display)
    adw_init ();
  g_test_add_func ("/timeline-picture/svg", test_svg);
  return g_test_run ();
}
