/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/cs-report-paths.h"

/**
 * cs_report_dup_times:
 * @nodes: (array length=n): a call tree
 * @n: how many
 *
 * Returns: (transfer container) (array length=n): the self time at and below each node, ns
 */
guint64 *
cs_report_dup_times (const CsCallNode *nodes, guint n)
{
  guint64 *time = g_new0 (guint64, n);

  /* Parents come before their children. */
  for (guint i = n - 1; i > 0; i--)
    {
      time[i] += nodes[i].self;
      time[nodes[i].parent] += time[i];
    }
  return time;
}

static int
compare_by_time (gconstpointer a, gconstpointer b, gpointer data)
{
  const guint64 *time = data;
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  if (time[x] != time[y])
    return time[x] < time[y] ? 1 : -1;
  return x < y ? -1 : x > y;
}

/**
 * cs_report_paths_init:
 * @self: to be set
 * @profile: a profile of events, which must live longer
 * @options: which tree, how many paths, and of what least share
 * @writer: fails where there is no such tree
 *
 * A path that is shown has its callers shown: no call takes longer than the one around it.
 *
 * Returns: whether there is one; @self is to be cleared in any case
 */
gboolean
cs_report_paths_init (CsReportPaths *self, CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer)
{
  guint top = options->top;
  g_autofree guint32 *order = NULL;
  double least;

  if (!cs_report_calls_init (&self->calls, profile, options, writer))
    return FALSE;
  self->nodes = self->calls.nodes;
  self->n = self->calls.n;
  self->time = cs_report_dup_times (self->nodes, self->n);
  self->shown = g_new0 (guint8, self->n);
  self->first = g_new0 (guint32, self->n);
  self->next = g_new0 (guint32, self->n);
  self->n_shown = 0;

  order = g_new (guint32, self->n);
  for (guint32 i = 1; i < self->n; i++)
    order[i - 1] = i;
  g_qsort_with_data (order, (gint) self->n - 1, sizeof *order, compare_by_time, self->time);
  least = (double) self->time[0] * options->min_share / 100;
  while (self->n_shown < self->n - 1 && (top == 0 || self->n_shown < top) &&
         (double) self->time[order[self->n_shown]] >= least)
    self->n_shown++;
  self->shown[0] = TRUE;
  for (guint i = self->n_shown; i-- > 0;)
    {
      guint32 parent = self->nodes[order[i]].parent;

      self->shown[order[i]] = TRUE;
      self->next[order[i]] = self->first[parent];
      self->first[parent] = order[i];
    }
  return TRUE;
}

/**
 * cs_report_paths_clear:
 * @self: paths
 */
void
cs_report_paths_clear (CsReportPaths *self)
{
  cs_report_calls_clear (&self->calls);
  g_free (self->time);
  g_free (self->shown);
  g_free (self->first);
  g_free (self->next);
}

/**
 * cs_report_paths_get_left_out:
 * @self: paths
 * @node: one that is shown
 *
 * Returns: the sum of its children that are not
 */
CsReportLeftOut
cs_report_paths_get_left_out (const CsReportPaths *self, guint32 node)
{
  CsReportLeftOut left_out = { 0 };

  for (guint32 child = self->nodes[node].first_child; child != 0; child = self->nodes[child].next_sibling)
    if (!self->shown[child])
      {
        left_out.n++;
        left_out.calls += self->nodes[child].calls;
        left_out.time += self->time[child];
      }
  return left_out;
}

/**
 * cs_report_paths_walk:
 * @self: paths
 * @enter: called with a node before the ones below it
 * @leave: (nullable): called with it after them
 * @user_data: for both
 *
 * Goes through the paths that are shown, from the root.
 */
void
cs_report_paths_walk (CsReportPaths *self, CsReportPathFunc enter, CsReportPathFunc leave,
                      gpointer user_data)
{
  guint32 node = 0;
  guint depth = 0;

  for (;;)
    {
      enter (self, node, depth, user_data);
      if (self->first[node] != 0)
        {
          node = self->first[node];
          depth++;
          continue;
        }
      for (;;)
        {
          if (leave != NULL)
            leave (self, node, depth, user_data);
          if (node == 0)
            return;
          if (self->next[node] != 0)
            break;
          node = self->nodes[node].parent;
          depth--;
        }
      node = self->next[node];
    }
}
