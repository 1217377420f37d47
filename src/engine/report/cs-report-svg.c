/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "layout/cs-flame-layout.h"
#include "layout/cs-palette.h"
#include "report/cs-picture.h"
#include "report/cs-report-paths.h"
#include "report/cs-report-private.h"

/* A flame graph as one SVG file: callers above what they call, as wide as their time, most time to
 * the left. It is laid out for WIDTH and readable as it is; flame.js makes it as wide as its window,
 * zooms and searches. */

#define WIDTH 1200
#define MARGIN CS_PICTURE_MARGIN
#define ROW CS_PICTURE_ROW
#define LINE CS_PICTURE_LINE
#define HEAD 64 /* above the notices and the frames */

typedef struct
{
  CsReportWriter *writer;
  guint top;        /* y of the first row */
  guint64 *left;    /* ns, by node: where it begins */
  guint64 *used;    /* ns, by node: of its time, what children took that have been drawn */
  const char *name; /* of the root */
} Svg;

static void
put_time (Svg *self, const char *what, guint64 time, guint64 whole)
{
  guint hundredths = whole > 0 ? (guint) ((double) time * 10000 / (double) whole + 0.5) : 0;

  cs_report_writer_puts (self->writer, what);
  cs_report_writer_put_duration (self->writer, time, 0);
  cs_report_writer_printf (self->writer, " (%u.%02u %%)", hundredths / 100, hundredths % 100);
}

static void
put_title (Svg *self, CsReportPaths *paths, guint32 index, const char *name)
{
  CsReportWriter *writer = self->writer;
  const CsCallNode *node = &paths->nodes[index];
  const CsLocation *location = index != 0 ? cs_report_names_get_location (&paths->calls.names, node->function) : NULL;

  cs_picture_put_text (writer, name);
  if (location == NULL)
    {
      put_time (self, "\nall calls ", paths->time[index], paths->time[0]);
      return;
    }
  if (location->file != NULL)
    {
      cs_report_writer_puts (writer, "\n");
      cs_picture_put_text (writer, location->file);
      if (location->line > 0)
        cs_report_writer_printf (writer, ":%u", location->line);
    }
  put_time (self, "\ninclusive ", paths->time[index], paths->time[0]);
  put_time (self, "\nself ", node->self, paths->time[0]);
  cs_report_writer_printf (writer, "\n%" G_GUINT64_FORMAT " call%s", node->calls, node->calls == 1 ? "" : "s");
  if (node->open > 0)
    cs_report_writer_printf (writer, "\n%" G_GUINT64_FORMAT " still open", node->open);
}

/* A time as pixels. */
static double
to_pixels (CsReportPaths *paths, guint64 time)
{
  return paths->time[0] > 0 ? (double) time / (double) paths->time[0] * (WIDTH - 2 * MARGIN) : 0;
}

static void
put_frame (CsReportPaths *paths, guint32 index, guint depth, gpointer user_data)
{
  Svg *self = user_data;
  const CsCallNode *node = &paths->nodes[index];
  guint32 parent = node->parent;
  const char *name = index == 0 ? self->name : cs_report_names_get (&paths->calls.names, node->function);
  CsPictureRect rect = { .y = self->top + depth * ROW, .height = ROW - 1, .label = name, .zooms = TRUE,
                         .length = paths->time[index], .depth = depth };

  if (index != 0)
    {
      self->left[index] = self->left[parent] + self->used[parent];
      self->used[parent] += paths->time[index];
    }
  rect.from = self->left[index];
  rect.x = MARGIN + to_pixels (paths, rect.from);
  rect.width = to_pixels (paths, rect.length);
  rect.colour = index == 0 || cs_call_node_is_thread (node->function) ? CS_PICTURE_PLAIN
                                                                      : cs_flame_colour_index (name, CS_PALETTE_N_FUNCTIONS);
  cs_picture_begin_rect (self->writer, &rect);
  put_title (self, paths, index, name);
  cs_picture_end_rect (self->writer, &rect);
}

static void
find_depth (CsReportPaths *paths, guint32 index, guint depth, gpointer user_data)
{
  guint *deepest = user_data;

  *deepest = MAX (*deepest, depth);
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
  cs_picture_add_text (writer, MARGIN, 30, CS_PICTURE_HEAD, self->name, WIDTH / 2);
  cs_picture_begin_text (writer, MARGIN, 50, CS_PICTURE_INFO);
  cs_report_writer_put_duration (writer, totals->self, 0);
  cs_report_writer_printf (writer, " in %" G_GUINT64_FORMAT " calls of %u functions, %u thread%s",
                           calls, n_functions, n_threads, n_threads == 1 ? "" : "s");
  cs_picture_end_text (writer);
  for (guint i = 0; notices[i] != NULL; i++)
    cs_picture_add_notice (writer, MARGIN, HEAD + LINE * i + 10, notices[i], WIDTH - 2 * MARGIN);
}

/* Says what is not drawn. */
static void
put_foot (Svg *self, CsReportPaths *paths, guint y)
{
  CsReportWriter *writer = self->writer;
  guint left_out = paths->n - 1 - paths->n_shown;
  guint64 time = 0;

  if (left_out == 0)
    return;
  for (guint32 i = 1; i < paths->n; i++)
    if (!paths->shown[i] && paths->shown[paths->nodes[i].parent])
      time += paths->time[i];
  cs_picture_begin_text (writer, MARGIN, y, CS_PICTURE_SOFT_NOTE);
  cs_report_writer_printf (writer, "Not drawn and not searched: %u of %u paths, those with least time", left_out,
                           paths->n - 1);
  put_time (self, ", ", time, paths->time[0]);
  cs_report_writer_puts (writer, " of all");
  cs_picture_end_text (writer);
}

/**
 * cs_report_write_svg:
 * @profile: what to report
 * @options: how many paths, and of what least share
 * @writer: where to
 *
 * Writes the call tree, merged over all threads or thread by thread, as a flame graph.
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
  guint deepest = 0, bottom;

  if (!cs_report_paths_init (&paths, profile, options, writer))
    return FALSE;
  self.left = left = g_new0 (guint64, paths.n);
  self.used = used = g_new0 (guint64, paths.n);
  cs_report_paths_walk (&paths, find_depth, NULL, &deepest);
  bottom = self.top + (deepest + 1) * ROW;

  cs_picture_begin (writer, name, WIDTH, bottom + 2 * LINE, 0);
  put_head (&self, profile, options);
  cs_report_paths_walk (&paths, put_frame, NULL, &self);
  put_foot (&self, &paths, bottom + LINE);
  cs_picture_end (writer, TRUE);
  return !cs_report_writer_should_stop (writer);
}
