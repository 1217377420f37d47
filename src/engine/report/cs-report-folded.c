/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/cs-report-calls.h"
#include "report/cs-report-private.h"

static int
compare_by_self (gconstpointer a, gconstpointer b, gpointer data)
{
  const CsCallNode *nodes = data;
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  if (nodes[x].self != nodes[y].self)
    return nodes[x].self < nodes[y].self ? 1 : -1;
  return x < y ? -1 : x > y;
}

/**
 * cs_report_write_folded:
 * @profile: what to report
 * @options: whether by thread
 * @writer: where to
 *
 * Writes a line for each path of the call tree that has self time, highest first. By thread, paths begin with
 * the thread.
 *
 * Returns: whether it wasn't cancelled
 */
gboolean
cs_report_write_folded (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer)
{
  g_auto (CsReportCalls) calls = { 0 };
  g_autofree guint32 *order = NULL;
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));
  const CsCallNode *nodes;
  guint used = 0;

  if (!cs_report_calls_init (&calls, profile, options, writer))
    return FALSE;
  nodes = calls.nodes;
  order = g_new (guint32, calls.n);
  for (guint32 i = 1; i < calls.n; i++)
    if (nodes[i].self > 0)
      order[used++] = i;
  g_qsort_with_data (order, (gint) used, sizeof *order, compare_by_self, (gpointer) nodes);

  for (guint i = 0; i < used; i++)
    {
      if (cs_report_writer_should_stop (writer))
        return FALSE;
      g_array_set_size (path, 0);
      for (guint32 node = order[i]; node != 0; node = nodes[node].parent)
        g_array_append_val (path, nodes[node].function);
      for (guint j = path->len; j-- > 0;)
        {
          cs_report_writer_put_plain (writer, cs_report_names_get (&calls.names, g_array_index (path, guint32, j)), ':');
          cs_report_writer_puts (writer, j > 0 ? ";" : " ");
        }
      cs_report_writer_put_number (writer, nodes[order[i]].self);
      cs_report_writer_puts (writer, "\n");
    }
  return TRUE;
}
