/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fnmatch.h>

#include "profile/cs-pass-filter.h"

/**
 * cs_pass_filter_new:
 * @filter: what a profile is to be about
 * @start: ns of the recording's first event
 * @names: (nullable): what names functions while the pass runs; must outlive the filter
 * @index: (nullable): the recording's index of time, so that not all before a range is read
 *
 * Returns: (transfer full): the same for a pass
 */
CsPassFilter *
cs_pass_filter_new (const CsProfileFilter *filter, gint64 start, CsLandings *names, CsTimeline *index)
{
  CsPassFilter *self = g_new0 (CsPassFilter, 1);
  gint64 base = filter->relative ? start : 0;
  guint64 tid;

  self->from = G_MININT64;
  self->to = G_MAXINT64;
  /* A stream's first event may lie behind later ones. */
  if (filter->has_from && (filter->from > 0 || !filter->relative) &&
      __builtin_add_overflow (base, filter->from, &self->from))
    self->from = G_MAXINT64;
  if (filter->has_to && __builtin_add_overflow (base, filter->to, &self->to))
    self->to = G_MAXINT64;
  self->pid = filter->pid;
  self->thread = g_strdup (filter->thread);
  if (self->thread != NULL && g_ascii_string_to_unsigned (self->thread, 10, 1, G_MAXUINT, &tid, NULL))
    self->tid = (guint) tid;
  self->function = g_strdup (filter->function);
  self->names = names;
  self->index = index != NULL ? cs_timeline_ref (index) : NULL;
  return self;
}

/**
 * cs_pass_filter_dup:
 * @self: a filter
 * @names: what names functions while the pass runs; must outlive the copy
 *
 * Returns: (transfer full): a copy
 */
CsPassFilter *
cs_pass_filter_dup (const CsPassFilter *self, CsLandings *names)
{
  CsPassFilter *copy = g_memdup2 (self, sizeof *self);

  copy->thread = g_strdup (self->thread);
  copy->function = g_strdup (self->function);
  copy->names = names;
  copy->index = self->index != NULL ? cs_timeline_ref (self->index) : NULL;
  return copy;
}

/**
 * cs_pass_filter_free:
 * @self: (transfer full): a filter
 */
void
cs_pass_filter_free (CsPassFilter *self)
{
  g_free (self->thread);
  g_free (self->function);
  g_clear_pointer (&self->index, cs_timeline_unref);
  g_free (self);
}

/**
 * cs_pass_filter_takes_thread:
 * @self: a filter
 * @process: a process of the recording
 * @tid: id of a thread of it
 * @seq: number of the thread's first file
 *
 * Returns: whether the thread's events count, so far as it is its thread that decides
 */
gboolean
cs_pass_filter_takes_thread (const CsPassFilter *self, const CsProcess *process, guint tid, guint64 seq)
{
  const char *name;

  if (self->pid != 0 && self->pid != process->pid)
    return FALSE;
  if (self->thread == NULL || (self->tid != 0 && self->tid == tid))
    return TRUE;
  name = cs_process_get_thread_name (process, tid, seq);
  return name != NULL && fnmatch (self->thread, name, 0) == 0;
}

/**
 * cs_pass_filter_takes_track:
 * @self: a filter
 * @track: a track of the recording
 *
 * Returns: whether it may hold events of threads that count
 */
gboolean
cs_pass_filter_takes_track (const CsPassFilter *self, const CsThreadTrack *track)
{
  if (self->pid != 0 && self->pid != track->process->pid)
    return FALSE;
  if (self->thread == NULL || track->tid == 0)
    return TRUE;
  for (guint i = 0; i < track->files->len; i++)
    {
      const CsEventFile *file = g_ptr_array_index (track->files, i);

      if (cs_pass_filter_takes_thread (self, track->process, track->tid, file->parts.seq))
        return TRUE;
    }
  return FALSE;
}

/**
 * cs_pass_filter_takes_function:
 * @self: a filter
 * @counts: the counts of a process
 * @address: a function's address as the counts have it
 *
 * Returns: whether calls of the function, and what they call, count
 */
gboolean
cs_pass_filter_takes_function (const CsPassFilter *self, const CsPassCounts *counts, guint64 address)
{
  g_autofree char *name = NULL;

  if (self->function == NULL)
    return TRUE;
  name = cs_landings_dup_name (self->names, counts, address);
  return cs_function_name_matches (self->function, name);
}
