/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/cs-report-paths.h"
#include "report/cs-report-private.h"

/* Deeper than this, rows are told their depth instead of being moved further to the right. */
#define INDENT_MAX 40

static void
put_indent (CsReportWriter *writer, guint depth)
{
  cs_report_writer_printf (writer, "%*s", 2 * (int) MIN (depth, INDENT_MAX) - 2, "");
  if (depth > INDENT_MAX)
    cs_report_writer_printf (writer, "[%u] ", depth);
}

static void
put_share (CsReportWriter *writer, const CsReportPaths *paths, guint64 time)
{
  /* Tenths of a percent, rounded half up. */
  guint64 whole = paths->time[0];
  guint tenths = whole > 0 ? (guint) ((double) time * 1000 / (double) whole + 0.5) : 0;

  cs_report_writer_printf (writer, "%5u.%u  ", tenths / 10, tenths % 10);
}

static void
put_node (CsReportPaths *paths, guint32 index, guint depth, gpointer user_data)
{
  CsReportWriter *writer = user_data;
  const CsCallNode *node = &paths->nodes[index];
  const CsLocation *location;

  if (index == 0)
    return;
  location = cs_report_names_get_location (&paths->calls.names, node->function);
  if (location != NULL)
    cs_report_writer_printf (writer, "%10" G_GUINT64_FORMAT, node->calls);
  else
    cs_report_writer_printf (writer, "%10s", "");
  cs_report_put_ms (writer, node->incl, 13);
  cs_report_put_ms (writer, node->self, 13);
  put_share (writer, paths, paths->time[index]);
  put_indent (writer, depth);
  cs_report_writer_put_plain (writer, cs_report_names_get (&paths->calls.names, node->function), ';');
  if (location != NULL)
    cs_report_put_location (writer, location);
  if (node->open > 0)
    cs_report_writer_printf (writer, "  +%" G_GUINT64_FORMAT " open", node->open);
  cs_report_writer_puts (writer, "\n");
}

/* Says, behind what a node called, what of it is left out. */
static void
put_left_out (CsReportPaths *paths, guint32 index, guint depth, gpointer user_data)
{
  CsReportWriter *writer = user_data;
  CsReportLeftOut left_out = cs_report_paths_get_left_out (paths, index);

  if (left_out.n == 0)
    return;
  cs_report_writer_printf (writer, "%10" G_GUINT64_FORMAT, left_out.calls);
  cs_report_put_ms (writer, left_out.time, 13);
  cs_report_writer_printf (writer, "%13s", "");
  put_share (writer, paths, left_out.time);
  put_indent (writer, depth + 1);
  cs_report_writer_printf (writer, "… %u more function%s\n", left_out.n, left_out.n > 1 ? "s" : "");
}

/**
 * cs_report_write_tree:
 * @profile: what to report
 * @options: how many paths, and of what least share
 * @writer: where to
 *
 * Writes the call tree, merged over all threads or thread by thread: callees below their callers, most time first.
 *
 * Returns: whether it wasn't cancelled
 */
gboolean
cs_report_write_tree (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer)
{
  g_auto (CsReportPaths) paths = { 0 };

  if (!cs_report_paths_init (&paths, profile, options, writer))
    return FALSE;
  cs_report_put_notices (writer, profile, options);
  cs_report_writer_puts (writer, "     calls      incl_ms      self_ms      %  call tree\n");
  cs_report_paths_walk (&paths, put_node, put_left_out, writer);
  if (paths.n_shown < paths.n - 1)
    cs_report_writer_printf (writer, "%u of %u paths, those with most time (--top 0 --min-share 0 shows all)\n",
                             paths.n_shown, paths.n - 1);
  return !cs_report_writer_should_stop (writer);
}
