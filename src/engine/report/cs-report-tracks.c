/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/cs-report-private.h"
#include "report/cs-report-tracks.h"

/* Whether an earlier process with this pid ran at the same time. */
static gboolean
pid_is_taken (const CsReportProcess *rows, guint index)
{
  for (guint i = 0; i < index; i++)
    if (rows[i].process->pid == rows[index].process->pid && rows[i].first < rows[index].last &&
        rows[index].first < rows[i].last)
      return TRUE;
  return FALSE;
}

/**
 * cs_report_tracks_init:
 * @self: to be set
 * @profile: a profile
 */
void
cs_report_tracks_init (CsReportTracks *self, CsProfile *profile)
{
  g_autofree CsReportProcess *rows = cs_report_dup_processes (profile, &self->n_processes);
  guint n_threads, next_pid = 0;
  const CsThreadRow *threads = cs_profile_get_threads (profile, &n_threads);

  self->processes = g_new0 (CsReportTrackProcess, self->n_processes + 1);
  self->next_tid = 0;
  for (guint i = 0; i < n_threads; i++)
    self->next_tid = MAX (self->next_tid, threads[i].tid);
  self->next_tid++;
  for (guint i = 0; i < self->n_processes; i++)
    next_pid = MAX (next_pid, rows[i].process->pid);
  for (guint i = 0; i < self->n_processes; i++)
    {
      const CsProcess *process = rows[i].process;
      g_autofree char *base = process->section != NULL && process->section->exe != NULL
                                  ? g_path_get_basename (process->section->exe)
                                  : g_strdup_printf ("process %u", process->pid);
      gboolean taken = pid_is_taken (rows, i);

      self->processes[i].pid = taken ? ++next_pid : process->pid;
      self->processes[i].name = taken ? g_strdup_printf ("%s (another one with pid %u)", base, process->pid)
                                      : g_steal_pointer (&base);
    }
}

/**
 * cs_report_tracks_clear:
 * @self: tracks
 */
void
cs_report_tracks_clear (CsReportTracks *self)
{
  for (guint i = 0; i < self->n_processes; i++)
    g_free (self->processes[i].name);
  g_free (self->processes);
}

/**
 * cs_report_tracks_get_tid:
 * @self: tracks
 * @lane: a lane; asked once
 *
 * Returns: the thread id to tell for it: its own or, for a further stack of a thread, a free one
 */
guint
cs_report_tracks_get_tid (CsReportTracks *self, const CsCallLane *lane)
{
  return lane->context == 0 ? lane->tid : self->next_tid++;
}

/**
 * cs_report_tracks_dup_name:
 * @lane: a lane
 *
 * Returns: (transfer full) (nullable): what to call it; %NULL where nothing but its thread id is known
 */
char *
cs_report_tracks_dup_name (const CsCallLane *lane)
{
  g_autofree char *thread = NULL;

  if (lane->context == 0)
    return g_strdup (lane->name);
  thread = lane->name != NULL ? g_strdup (lane->name) : g_strdup_printf ("thread %u", lane->tid);
  return g_strdup_printf ("%s, stack 0x%" G_GINT64_MODIFIER "x", thread, lane->context);
}

/**
 * cs_report_visit_calls:
 * @profile: a profile of events
 * @visitor: what to call
 * @user_data: for it
 * @options: where to count the bytes read
 * @writer: what is cancelled, and told what went wrong
 *
 * cs_profile_visit_calls() for a format.
 *
 * Returns: whether all calls were visited
 */
gboolean
cs_report_visit_calls (CsProfile *profile, const CsCallVisitor *visitor, gpointer user_data,
                       const CsReportOptions *options, CsReportWriter *writer)
{
  GError *error = NULL;
  gboolean complete = cs_profile_visit_calls (profile, visitor, user_data, options->bytes_done,
                                              cs_report_writer_get_cancellable (writer), &error);

  if (error != NULL)
    cs_report_writer_fail (writer, error);
  return complete;
}
