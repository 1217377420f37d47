/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/cs-report-calls.h"

/**
 * cs_report_names_init:
 * @self: to be set
 * @profile: a profile, which must live longer
 */
void
cs_report_names_init (CsReportNames *self, CsProfile *profile)
{
  *self = (CsReportNames){ .profile = profile };
  self->functions = cs_profile_get_functions (profile, &self->n_functions);
}

/**
 * cs_report_names_clear:
 * @self: names
 */
void
cs_report_names_clear (CsReportNames *self)
{
  guint n;

  if (self->labels == NULL)
    return;
  cs_profile_get_threads (self->profile, &n);
  for (guint i = 0; i < n; i++)
    g_free (self->labels[i]);
  g_clear_pointer (&self->labels, g_free);
}

/**
 * cs_report_names_get:
 * @self: names
 * @function: what a node has for a function: a thread's too
 *
 * Returns: (transfer none): the function's name, or the thread's label
 */
const char *
cs_report_names_get (CsReportNames *self, guint32 function)
{
  guint n, row = function - CS_CALL_NODE_THREAD;

  if (!cs_call_node_is_thread (function))
    return self->functions[function].location.name;
  cs_profile_get_threads (self->profile, &n);
  if (self->labels == NULL)
    self->labels = g_new0 (char *, n);
  if (self->labels[row] == NULL)
    self->labels[row] = cs_profile_dup_thread_label (self->profile, row);
  return self->labels[row];
}

/**
 * cs_report_names_get_location:
 * @self: names
 * @function: what a node has for a function
 *
 * Returns: (transfer none) (nullable): where the function is; %NULL: it is a thread
 */
const CsLocation *
cs_report_names_get_location (const CsReportNames *self, guint32 function)
{
  return cs_call_node_is_thread (function) ? NULL : &self->functions[function].location;
}

/**
 * cs_report_calls_init:
 * @self: to be set
 * @profile: a profile of events, which must live longer
 * @options: which of its trees
 * @writer: fails where there is none
 *
 * Returns: whether there is one; @self is to be cleared in any case
 */
gboolean
cs_report_calls_init (CsReportCalls *self, CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer)
{
  GError *error = NULL;

  *self = (CsReportCalls){ 0 };
  cs_report_names_init (&self->names, profile);
  if (!options->by_thread)
    {
      self->nodes = cs_profile_get_tree (profile, &self->n);
      return TRUE;
    }
  self->by_thread = cs_thread_tree_new (profile, options->bytes_done, cs_report_writer_get_cancellable (writer), &error);
  if (self->by_thread == NULL)
    {
      cs_report_writer_fail (writer, error);
      return FALSE;
    }
  self->nodes = cs_thread_tree_get_nodes (self->by_thread, &self->n);
  return TRUE;
}

/**
 * cs_report_calls_clear:
 * @self: a call tree
 */
void
cs_report_calls_clear (CsReportCalls *self)
{
  cs_report_names_clear (&self->names);
  g_clear_pointer (&self->by_thread, cs_thread_tree_unref);
}
