/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/cs-report-paths.h"
#include "report/cs-report-private.h"
#include "report/cs-report-resources.h"

/* A flame graph as one SVG file: callers above what they call, as wide as their time, most time to
 * the left. It is laid out for WIDTH and readable as it is; flame.js makes it as wide as its window,
 * zooms and searches. */

#define WIDTH 1200
#define MARGIN 16
#define ROW 20
#define HEAD 64         /* above the notices and the frames */
#define LINE 18         /* of a notice */
#define GLYPH 73        /* width of a character of 12 px, in tenths of a pixel */
#define SANS_GLYPH 70   /* the same of 13 px sans serif, rather too much */
#define COLORS 12       /* in flame.css */

typedef struct
{
  CsReportWriter *writer;
  guint top;        /* y of the first row */
  guint64 *left;    /* ns, by node: where it begins */
  guint64 *used;    /* ns, by node: of its time, what children took that have been drawn */
  const char *name; /* of the root */
} Svg;

/* Text of XML: valid UTF-8 without what XML 1.0 can't hold. @max: longest, in columns; 0: any length. */
static void
put_text (CsReportWriter *writer, const char *text, guint max)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  glong length = g_utf8_strlen (valid, -1);
  guint column = 0;

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      column += g_unichar_iswide (c) ? 2 : 1;
      if (max > 0 && (column > max || (column == max && --length > 0 && *g_utf8_next_char (p) != '\0')))
        {
          cs_report_writer_puts (writer, "…");
          return;
        }
      if (c == '<')
        cs_report_writer_puts (writer, "&lt;");
      else if (c == '>')
        cs_report_writer_puts (writer, "&gt;");
      else if (c == '&')
        cs_report_writer_puts (writer, "&amp;");
      else if (c == '"')
        cs_report_writer_puts (writer, "&quot;");
      else if (g_unichar_iscntrl (c) || c == 0xFFFE || c == 0xFFFF)
        cs_report_writer_puts (writer, "?");
      else
        cs_report_writer_put_bytes (writer, p, (gsize) (g_utf8_next_char (p) - p));
    }
}

/* Hundredths of a pixel. */
static void
put_pixels (CsReportWriter *writer, guint64 hundredths)
{
  cs_report_writer_printf (writer, "%" G_GUINT64_FORMAT ".%02u", hundredths / 100, (guint) (hundredths % 100));
}

static guint64
to_pixels (const CsReportPaths *paths, guint64 time)
{
  if (paths->time[0] == 0)
    return 0;
  return (guint64) ((double) time / (double) paths->time[0] * 100 * (WIDTH - 2 * MARGIN) + 0.5);
}

static void
put_time (Svg *self, const char *what, guint64 time, guint64 whole)
{
  guint hundredths = whole > 0 ? (guint) ((double) time * 10000 / (double) whole + 0.5) : 0;

  cs_report_writer_puts (self->writer, what);
  cs_report_writer_put_duration (self->writer, time, 0);
  cs_report_writer_printf (self->writer, " (%u.%02u %%)", hundredths / 100, hundredths % 100);
}

/* The first line is the name, which flame.js searches. */
static void
put_title (Svg *self, const CsReportPaths *paths, guint32 index)
{
  CsReportWriter *writer = self->writer;
  const CsCallNode *node = &paths->nodes[index];

  cs_report_writer_puts (writer, "<title>");
  if (index == 0)
    {
      put_text (writer, self->name, 0);
      put_time (self, "\nall calls ", paths->time[0], paths->time[0]);
    }
  else
    {
      const CsLocation *location = &paths->functions[node->function].location;

      put_text (writer, location->name, 0);
      if (location->file != NULL)
        {
          cs_report_writer_puts (writer, "\n");
          put_text (writer, location->file, 0);
          if (location->line > 0)
            cs_report_writer_printf (writer, ":%u", location->line);
        }
      put_time (self, "\ninclusive ", paths->time[index], paths->time[0]);
      put_time (self, "\nself ", node->self, paths->time[0]);
      cs_report_writer_printf (writer, "\n%" G_GUINT64_FORMAT " call%s", node->calls, node->calls == 1 ? "" : "s");
      if (node->open > 0)
        cs_report_writer_printf (writer, "\n%" G_GUINT64_FORMAT " still open", node->open);
    }
  cs_report_writer_puts (writer, "</title>");
}

static void
put_frame (const CsReportPaths *paths, guint32 index, guint depth, gpointer user_data)
{
  Svg *self = user_data;
  CsReportWriter *writer = self->writer;
  guint32 parent = paths->nodes[index].parent;
  const char *name = index == 0 ? self->name : paths->functions[paths->nodes[index].function].location.name;
  guint y = self->top + depth * ROW;
  guint64 from, to, room;

  if (index != 0)
    {
      self->left[index] = self->left[parent] + self->used[parent];
      self->used[parent] += paths->time[index];
    }
  from = to_pixels (paths, self->left[index]);
  to = to_pixels (paths, self->left[index] + paths->time[index]);
  room = to - from > 800 ? (to - from - 800) / (GLYPH * 10) : 0;
  cs_report_writer_printf (writer, "<g class=\"f\" data-x=\"%" G_GUINT64_FORMAT "\" data-w=\"%" G_GUINT64_FORMAT "\" data-d=\"%u\">",
                           self->left[index], paths->time[index], depth);
  put_title (self, paths, index);
  if (index == 0)
    cs_report_writer_puts (writer, "<rect class=\"root\" x=\"");
  else
    cs_report_writer_printf (writer, "<rect class=\"c%u\" x=\"", g_str_hash (name) % COLORS);
  put_pixels (writer, from + 100 * MARGIN);
  cs_report_writer_printf (writer, "\" y=\"%u\" width=\"", y);
  put_pixels (writer, MAX (to - from, 10));
  cs_report_writer_printf (writer, "\" height=\"%d\" rx=\"2\"/>", ROW - 1);
  if (room >= 3)
    {
      cs_report_writer_puts (writer, "<text x=\"");
      put_pixels (writer, from + 100 * MARGIN + 400);
      cs_report_writer_printf (writer, "\" y=\"%u\">", y + 14);
      put_text (writer, name, (guint) room);
      cs_report_writer_puts (writer, "</text>");
    }
  cs_report_writer_puts (writer, "</g>\n");
}

static void
find_depth (const CsReportPaths *paths, guint32 index, guint depth, gpointer user_data)
{
  guint *deepest = user_data;

  *deepest = MAX (*deepest, depth);
}

static void
put_style_or_script (CsReportWriter *writer, const char *element, const char *path)
{
  g_autoptr (GBytes) bytes = g_resource_lookup_data (cs_report_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  gsize n;
  const char *text = g_bytes_get_data (bytes, &n);

  cs_report_writer_printf (writer, "<%s><![CDATA[\n", element);
  cs_report_writer_put_bytes (writer, text, n);
  cs_report_writer_printf (writer, "]]></%s>\n", element);
}

static char *
dup_name (CsProfile *profile)
{
  GPtrArray *processes = cs_recording_get_processes (cs_profile_get_recording (profile));
  const CsProcess *process = processes->len > 0 ? g_ptr_array_index (processes, 0) : NULL;

  if (process != NULL && process->section != NULL && process->section->exe != NULL)
    return g_path_get_basename (process->section->exe);
  return g_strdup ("all threads");
}

static void
put_head (Svg *self, CsProfile *profile, const CsReportOptions *options)
{
  CsReportWriter *writer = self->writer;
  const CsProfileTotals *totals = cs_profile_get_totals (profile);
  const char *const *notices = cs_report_get_notices (profile, options);
  guint n_functions, n_threads;
  guint64 calls = 0;
  const CsFunction *functions = cs_profile_get_functions (profile, &n_functions);

  cs_profile_get_threads (profile, &n_threads);
  for (guint i = 0; i < n_functions; i++)
    calls += functions[i].calls + functions[i].open;
  cs_report_writer_printf (writer, "<text class=\"head\" x=\"%d\" y=\"30\">", MARGIN);
  put_text (writer, self->name, 60);
  /* flame.js shows here what the pointer is at. */
  cs_report_writer_printf (writer, "</text>\n<text class=\"note soft info\" x=\"%d\" y=\"50\">", MARGIN);
  cs_report_writer_put_duration (writer, totals->self, 0);
  cs_report_writer_printf (writer,
                           " in %" G_GUINT64_FORMAT " calls of %u functions, %u thread%s</text>\n",
                           calls, n_functions, n_threads, n_threads == 1 ? "" : "s");
  for (guint i = 0; notices[i] != NULL; i++)
    {
      cs_report_writer_puts (writer, "<g><title>");
      put_text (writer, notices[i], 0);
      cs_report_writer_printf (writer, "</title><text class=\"note\" x=\"%d\" y=\"%u\">⚠ ", MARGIN, HEAD + LINE * i + 10);
      put_text (writer, notices[i], (WIDTH - 2 * MARGIN) * 10 / SANS_GLYPH - 2);
      cs_report_writer_puts (writer, "</text></g>\n");
    }
}

/* Says what is not drawn. */
static void
put_foot (Svg *self, const CsReportPaths *paths, guint y)
{
  CsReportWriter *writer = self->writer;
  guint left_out = paths->n - 1 - paths->n_shown;
  guint64 time = 0;

  if (left_out == 0)
    return;
  for (guint32 i = 1; i < paths->n; i++)
    if (!paths->shown[i] && paths->shown[paths->nodes[i].parent])
      time += paths->time[i];
  cs_report_writer_printf (writer,
                           "<text class=\"note soft\" x=\"%d\" y=\"%u\">Not drawn and not searched: %u of %u paths, those with "
                           "least time",
                           MARGIN, y, left_out, paths->n - 1);
  put_time (self, ", ", time, paths->time[0]);
  cs_report_writer_puts (writer, " of all</text>\n");
}

/**
 * cs_report_write_svg:
 * @profile: what to report
 * @options: how many paths, and of what least share
 * @writer: where to
 *
 * Writes the call tree, merged over all threads, as a flame graph.
 *
 * Returns: whether it wasn't cancelled
 */
gboolean
cs_report_write_svg (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer)
{
  g_auto (CsReportPaths) paths = { 0 };
  g_autofree char *name = dup_name (profile);
  g_autofree guint64 *left = NULL, *used = NULL;
  guint n_notices = g_strv_length ((char **) cs_report_get_notices (profile, options));
  Svg self = { .writer = writer, .name = name, .top = HEAD + n_notices * LINE };
  guint deepest = 0, height, bottom;

  cs_report_paths_init (&paths, profile, options->top, options->min_share);
  self.left = left = g_new0 (guint64, paths.n);
  self.used = used = g_new0 (guint64, paths.n);
  cs_report_paths_walk (&paths, find_depth, NULL, &deepest);
  bottom = self.top + (deepest + 1) * ROW;
  height = bottom + 2 * LINE;

  cs_report_writer_printf (writer,
                           "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                           "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" width=\"%d\" height=\"%u\" "
                           "role=\"group\" aria-label=\"Flame graph\">\n<title>",
                           WIDTH, height);
  put_text (writer, name, 0);
  cs_report_writer_puts (writer, "</title>\n");
  put_style_or_script (writer, "style", "/callsight/report/flame.css");
  cs_report_writer_printf (writer, "<rect class=\"page\" width=\"%d\" height=\"%u\"/>\n", WIDTH, height);
  put_head (&self, profile, options);
  cs_report_paths_walk (&paths, put_frame, NULL, &self);
  put_foot (&self, &paths, bottom + LINE);
  put_style_or_script (writer, "script", "/callsight/report/flame.js");
  cs_report_writer_puts (writer, "</svg>\n");
  return !cs_report_writer_should_stop (writer);
}
