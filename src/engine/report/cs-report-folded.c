/* SPDX-License-Identifier: MIT */
#include "config.h"

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
 * @writer: where to
 *
 * Writes a line for each path of the call tree that has self time, highest first.
 *
 * Returns: whether it wasn't cancelled
 */
gboolean
cs_report_write_folded (CsProfile *profile, CsReportWriter *writer)
{
  guint n_functions, n;
  const CsFunction *functions = cs_profile_get_functions (profile, &n_functions);
  const CsCallNode *nodes = cs_profile_get_tree (profile, &n);
  g_autofree guint32 *order = g_new (guint32, n);
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint used = 0;

  for (guint32 i = 1; i < n; i++)
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
          cs_report_writer_put_plain (writer, functions[g_array_index (path, guint32, j)].location.name, ':');
          cs_report_writer_puts (writer, j > 0 ? ";" : " ");
        }
      cs_report_writer_put_number (writer, nodes[order[i]].self);
      cs_report_writer_puts (writer, "\n");
    }
  return TRUE;
}
