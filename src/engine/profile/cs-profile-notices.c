/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "capture/cs-tail.h"
#include "profile/cs-profile-builder.h"

/* Adds up what the workers saw of one process. */
static CsPassMarks
sum_marks (GPtrArray *passes, guint process)
{
  CsPassMarks sum = { 0 };

  for (guint i = 0; i < passes->len; i++)
    {
      const CsTrackPass *pass = g_ptr_array_index (passes, i);
      const CsPassMarks *marks = &g_array_index (pass->marks, CsPassMarks, process);

      for (guint code = 0; code < G_N_ELEMENTS (sum.stopped); code++)
        if (marks->stopped_seen[code])
          {
            sum.stopped_seen[code] = TRUE;
            sum.stopped[code] = MAX (sum.stopped[code], marks->stopped[code]);
          }
      sum.wraps += marks->wraps;
      sum.wrapped_events += marks->wrapped_events;
      sum.skipped_hooks += marks->skipped_hooks;
      sum.landings += marks->landings;
      sum.unclear_landings += marks->unclear_landings;
      sum.damaged_events += marks->damaged_events;
      sum.gap_events += marks->gap_events;
      sum.told += marks->told;
      sum.ring_drops = MAX (sum.ring_drops, marks->ring_drops);
      sum.gap_bytes += marks->gap_bytes;
      sum.closed |= marks->closed;
      sum.toggled_off += marks->toggled_off;
      if (marks->switched_off > 0 && marks->switched_off == sum.switched_off)
        sum.off_ns = MAX (sum.off_ns, marks->off_ns);
      else if (marks->switched_off > sum.switched_off)
        {
          sum.switched_off = marks->switched_off;
          sum.off_ns = marks->off_ns;
        }
      sum.switched_on = MAX (sum.switched_on, marks->switched_on);
      sum.away_ns = MAX (sum.away_ns, marks->away_ns);
      sum.cut_calls += marks->cut_calls;
      sum.unseen_exits += marks->unseen_exits;
      sum.anchor_ns = MAX (sum.anchor_ns, marks->anchor_ns);
      sum.unknown_kinds += marks->unknown_kinds;
      sum.unknown_markers += marks->unknown_markers;
      sum.last_unknown_kind = MAX (sum.last_unknown_kind, marks->last_unknown_kind);
      sum.last_unknown_marker = MAX (sum.last_unknown_marker, marks->last_unknown_marker);
    }
  return sum;
}

static void
add_modules (CsNotices *notices, const CsProcess *process)
{
  guint n = process->section != NULL ? cs_module_map_get_n_unclear (process->section->map) : 0;

  if (n > 0)
    cs_notices_add_detail (notices, CS_NOTICE_SYMBOLS,
                           "%u libraries of process %u took the place of one whose unloading was noted later: "
                           "calls between may bear the name of the wrong one",
                           n, process->pid);
}

/* How often recording was switched off and for how long. */
static void
add_switches (CsNotices *notices, const CsProcess *process, const CsPassMarks *marks)
{
  gboolean ended_off = marks->switched_off > marks->switched_on;
  guint64 away = marks->away_ns;

  if (marks->switched_off > 0)
    {
      if (ended_off && marks->closed && (gint64) marks->anchor_ns > marks->off_ns)
        away += marks->anchor_ns - (guint64) marks->off_ns;
      cs_notices_add_detail (notices, CS_NOTICE_STOPPED,
                             "recording of process %u was switched off %" G_GUINT64_FORMAT
                             " times, for %.6f s in all%s: what was called then is not in this report",
                             process->pid, marks->switched_off, (double) away / 1e9,
                             ended_off ? " and to its end" : "");
    }
  if (marks->toggled_off > 0)
    cs_notices_add_detail (notices, CS_NOTICE_STOPPED,
                           "threads of process %u were not recorded under some of their names (%" G_GUINT64_FORMAT
                           " times, TRACE_THREADS)",
                           process->pid, marks->toggled_off);
  if (marks->cut_calls + marks->unseen_exits > 0)
    cs_notices_add_detail (notices, CS_NOTICE_REPAIRED,
                           "%" G_GUINT64_FORMAT " calls of process %u were open when recording was switched off and end "
                           "there; %" G_GUINT64_FORMAT " exits of these and of calls begun meanwhile count for nothing",
                           marks->cut_calls, process->pid, marks->unseen_exits);
}

static void
add_process (CsNotices *notices, const CsProcess *process, const CsPassMarks *marks, gboolean anchored)
{
  guint pid = process->pid;

  if (marks->stopped_seen[TRACE_MARK_BUDGET])
    cs_notices_add_detail (notices, CS_NOTICE_STOPPED,
                    "the recording of process %u stopped at its budget of %" G_GUINT64_FORMAT
                    " bytes (TRACE_MAX_MB): what came later is not in this report",
                    pid, marks->stopped[TRACE_MARK_BUDGET]);
  if (marks->stopped_seen[TRACE_MARK_NOSPACE])
    cs_notices_add_detail (notices, CS_NOTICE_STOPPED,
                    "the recording of process %u stopped with %" G_GUINT64_FORMAT
                    " bytes free on the disk (TRACE_MIN_FREE_MB): what came later is not in this report",
                    pid, marks->stopped[TRACE_MARK_NOSPACE]);
  if (marks->stopped_seen[TRACE_MARK_WRITE_ERROR])
    cs_notices_add_detail (notices, CS_NOTICE_STOPPED,
                    "the recording of process %u stopped on a write error (%s): what came later is not in this report",
                    pid, g_strerror ((int) marks->stopped[TRACE_MARK_WRITE_ERROR]));
  if (marks->stopped_seen[TRACE_MARK_MAX_EVENTS])
    cs_notices_add_detail (notices, CS_NOTICE_STOPPED,
                    "the recording of process %u stopped at %" G_GUINT64_FORMAT
                    " events (TRACE_MAX): what came later is not in this report",
                    pid, marks->stopped[TRACE_MARK_MAX_EVENTS]);
  if (marks->wraps > 0)
    cs_notices_add_detail (notices, CS_NOTICE_LOST,
                    "process %u kept the end of its run only (TRACE_FULL=wrap): %" G_GUINT64_FORMAT
                    " segments with %" G_GUINT64_FORMAT " events were discarded",
                    pid, marks->wraps, marks->wrapped_events);
  if (marks->ring_drops > 0)
    cs_notices_add_detail (notices, CS_NOTICE_LOST,
                    "the device dropped %" G_GUINT64_FORMAT " events of process %u: its ring was full",
                    marks->ring_drops, pid);
  if (marks->gap_bytes > 0)
    cs_notices_add_detail (notices, CS_NOTICE_LOST,
                    "%" G_GUINT64_FORMAT " bytes of the stream of process %u were lost",
                    marks->gap_bytes, pid);
  if (marks->gap_events > 0)
    cs_notices_add_detail (notices, CS_NOTICE_LOST,
                    "%" G_GUINT64_FORMAT " events of process %u are lost: they were damaged where its files were packed",
                    marks->gap_events, pid);
  if (marks->skipped_hooks > 0)
    cs_notices_add_detail (notices, CS_NOTICE_LOST,
                    "%" G_GUINT64_FORMAT
                    " hooks of process %u came while another hook of their thread was at work and were not recorded",
                    marks->skipped_hooks, pid);
  if (marks->unclear_landings > 0)
    cs_notices_add_detail (notices, CS_NOTICE_REPAIRED,
                    "at %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                    " landings of exceptions and longjmp in process %u no debug information tells which inlined "
                    "functions they left: these end with the function that they were inlined into — build with -g, and "
                    "keep the binary and its debug files",
                    marks->unclear_landings, marks->landings, pid);
  add_switches (notices, process, marks);
  if (marks->unknown_kinds > 0)
    cs_notices_add_detail (notices, CS_NOTICE_UNKNOWN,
                    "%" G_GUINT64_FORMAT " records of process %u are of a kind unknown to this version (%"
                    G_GUINT64_FORMAT ") and were skipped",
                    marks->unknown_kinds, pid, marks->last_unknown_kind);
  if (marks->unknown_markers > 0)
    cs_notices_add_detail (notices, CS_NOTICE_UNKNOWN,
                    "%" G_GUINT64_FORMAT " markers of process %u are unknown to this version (code %"
                    G_GUINT64_FORMAT ") and were skipped",
                    marks->unknown_markers, pid, marks->last_unknown_marker);
  if (process->ticks && !anchored)
    cs_notices_add_detail (notices, CS_NOTICE_CLOCK,
                           "process %u did not come to its end (it was killed, or still runs): events that its "
                           "threads held back may be missing, and times use the rate measured at its start",
                           pid);
  add_modules (notices, process);
}

/* Says whose last events are not from event files. */
static void
add_tails (CsNotices *notices, CsRecording *recording, const CsProcess *process, gboolean ended)
{
  GPtrArray *tracks = cs_recording_get_tracks (recording);
  gboolean alive = FALSE;
  guint64 records = 0;
  guint threads = 0;

  for (guint i = 0; i < tracks->len; i++)
    {
      const CsThreadTrack *track = g_ptr_array_index (tracks, i);

      for (guint j = 0; track->process == process && j < track->files->len; j++)
        {
          const CsEventFile *file = g_ptr_array_index (track->files, j);

          if (!file->tail || file->n_events == 0)
            continue;
          records += file->n_events;
          threads++;
          alive = alive || (!ended && cs_tail_is_alive (file));
        }
    }
  if (records == 0)
    return;
  if (ended)
    cs_notices_add_detail (notices, CS_NOTICE_STOPPED,
                           "%u threads of process %u still ran when it ended: their last %" G_GUINT64_FORMAT
                           " records come from tails",
                           threads, process->pid, records);
  else
    cs_notices_add_detail (notices, CS_NOTICE_STOPPED,
                           "process %u %s: the last %" G_GUINT64_FORMAT " records of %u of its threads come from tails",
                           process->pid, alive ? "still runs" : "was killed or still runs", records, threads);
}

/* Sentences about everything, which stand before those about single processes. */
static void
add_totals (CsNotices *notices, const CsProfileData *data, guint64 told_lost, guint64 told, guint64 cut_calls)
{
  const CsProfileTotals *totals = &data->totals;
  guint gaps = 0;

  for (guint i = 0; i < data->n_threads; i++)
    gaps += data->threads[i].lost > 0;
  /* Events that a wrap discarded, or that damaged blocks had, are told of as such. */
  if (totals->lost > told_lost)
    cs_notices_add (notices, CS_NOTICE_LOST,
                    "%" G_GUINT64_FORMAT " events of %u threads are missing before or between their files",
                    totals->lost - told_lost, gaps);
  if (totals->clamped > 0)
    cs_notices_add (notices, CS_NOTICE_CLOCK,
                    "%" G_GUINT64_FORMAT
                    " timestamps went backwards within their thread and were taken as equal to the one before",
                    totals->clamped);
  if (totals->unmatched > 0)
    cs_notices_add (notices, CS_NOTICE_REPAIRED,
                    "%" G_GUINT64_FORMAT " exits have no enter in the recording and count for nothing",
                    totals->unmatched);
  if (told > 0)
    cs_notices_add (notices, CS_NOTICE_REPAIRED,
                    "%" G_GUINT64_FORMAT
                    " calls were left by an exception or longjmp: they end there, and no minimum, maximum or percentile has them",
                    told);
  /* What was switched off is told of as such, too. */
  if (totals->repaired > told + cut_calls)
    cs_notices_add (notices, CS_NOTICE_REPAIRED,
                    "%" G_GUINT64_FORMAT
                    " calls have no exit (a way out of them that is not known, lost events) and end where the "
                    "next event shows it: until then time and calls count for them that are others'",
                    totals->repaired - told - cut_calls);
}

/* A time after the recording's start, or a time of CLOCK_MONOTONIC. */
static char *
dup_time (gint64 ns)
{
  return g_strdup_printf ("%s%" G_GINT64_FORMAT ".%09u s", ns < 0 ? "-" : "", (gint64) (ABS (ns) / 1000000000),
                          (guint) (ABS (ns) % 1000000000));
}

/* Says which part of a recording a report is about. */
static void
add_filter (CsNotices *notices, const CsProfileData *data)
{
  const CsProfileFilter *filter = &data->filter;
  g_autoptr (GString) parts = g_string_new (NULL);
  g_autofree char *from = dup_time (filter->from);
  g_autofree char *to = dup_time (filter->to);

  if (cs_profile_filter_is_empty (filter))
    return;
  if (filter->has_from)
    g_string_append_printf (parts, ", from %s%s", from, filter->relative ? " after its start" : "");
  if (filter->has_to)
    g_string_append_printf (parts, ", to %s%s", to, filter->relative ? " after its start" : "");
  if (filter->pid != 0)
    g_string_append_printf (parts, ", process %u", filter->pid);
  if (filter->thread != NULL)
    g_string_append_printf (parts, ", thread %s", filter->thread);
  if (filter->function != NULL)
    g_string_append_printf (parts, ", calls of %s and what they call", filter->function);
  cs_notices_add (notices, CS_NOTICE_FILTER, "this is a part of the recording: %s", parts->str + 2);
  if (data->totals.clipped > 0)
    cs_notices_add (notices, CS_NOTICE_FILTER,
                    data->totals.clipped == 1
                      ? "%" G_GUINT64_FORMAT " call reaches over an edge of that time: it is counted as clipped, not as "
                        "a call, and of its time what lies inside"
                      : "%" G_GUINT64_FORMAT " calls reach over an edge of that time: they are counted as clipped, not as "
                        "calls, and of their time what lies inside",
                    data->totals.clipped);
  if (data->totals.events + data->totals.clipped == 0)
    cs_notices_add (notices, CS_NOTICE_FILTER, "nothing of the recording is in it");
}

/**
 * cs_profile_count_filter_notices:
 * @data: a profile, complete but for the notices
 *
 * Returns: how many sentences say which part of the recording it is about
 */
guint
cs_profile_count_filter_notices (const CsProfileData *data)
{
  if (cs_profile_filter_is_empty (&data->filter))
    return 0;
  return 1 + (data->totals.clipped > 0) + (data->totals.events + data->totals.clipped == 0);
}

static void
add_partial (CsNotices *notices, const CsProfileData *data)
{
  if (data->done < 1)
    cs_notices_add (notices, CS_NOTICE_FILTER,
                    "only %.0f %% of the recording have been read: calls are missing, and those that were open there "
                    "end there",
                    floor (data->done * 100));
}

static void
add_hooks (CsNotices *notices, CsRecording *recording)
{
  if (cs_recording_has_hooks_after_inlining (recording))
    cs_notices_add (notices, CS_NOTICE_HOOKS,
                    "hooks were placed after inlining: calls that the compiler inlined are part of their callers");
}

/**
 * cs_profile_add_notices:
 * @notices: where to add sentences
 * @recording: what was read
 * @passes: (element-type CsTrackPass): the workers that read it
 * @data: the profile, complete but for the notices
 *
 * Says in what respect the numbers are less than the whole truth.
 */
void
cs_profile_add_notices (CsNotices *notices, CsRecording *recording, GPtrArray *passes,
                        const CsProfileData *data)
{
  GPtrArray *processes = cs_recording_get_processes (recording);
  g_autofree CsPassMarks *marks = g_new (CsPassMarks, processes->len);
  g_autoptr (GPtrArray) damage = cs_event_damage_new ();
  guint64 told_lost = 0, told = 0, cut_calls = 0;

  for (guint i = 0; i < processes->len; i++)
    {
      marks[i] = sum_marks (passes, i);
      told_lost += marks[i].wrapped_events + marks[i].damaged_events + marks[i].gap_events;
      told += marks[i].told;
      cut_calls += marks[i].cut_calls;
    }
  add_partial (notices, data);
  add_filter (notices, data);
  add_hooks (notices, recording);
  add_totals (notices, data, told_lost, told, cut_calls);
  cs_notices_add_all (notices, cs_recording_get_notices (recording));
  for (guint i = 0; i < passes->len; i++)
    {
      const CsTrackPass *pass = g_ptr_array_index (passes, i);

      cs_notices_add_all (notices, pass->notices);
      cs_event_damage_add_all (damage, pass->damage);
    }
  cs_event_damage_add_notices (damage, notices);
  for (guint i = 0; i < processes->len; i++)
    {
      /* How a process ended isn't known before its end is read. */
      if (data->done >= 1)
        add_tails (notices, recording, g_ptr_array_index (processes, i), marks[i].closed);
      add_process (notices, g_ptr_array_index (processes, i), &marks[i], data->anchored[i] || data->done < 1);
    }
}

/* What the process file tells in place of the markers of event files. An ending is there once a
 * thread whose sums were not written. */
static CsPassMarks
read_marks (const CsProcess *process, guint *n_unwritten)
{
  CsPassMarks marks = { 0 };

  for (guint i = 0; process->section != NULL && i < process->section->marks->len; i++)
    {
      const CsProcessMark *mark = &g_array_index (process->section->marks, CsProcessMark, i);

      if (mark->code == TRACE_MARK_SKIPPED)
        marks.skipped_hooks += mark->payload;
      else if (mark->code < G_N_ELEMENTS (marks.stopped))
        ++*n_unwritten;
    }
  return marks;
}

/* What one process's summaries say beside their numbers. */
static void
add_summary_process (CsNotices *notices, const CsProcess *process, guint64 truncated, gboolean running)
{
  guint n_unwritten = 0;
  CsPassMarks marks = read_marks (process, &n_unwritten);

  if (n_unwritten > 0)
    cs_notices_add_detail (notices, CS_NOTICE_LOST,
                           "%u threads of process %u are not in this report: there was no room for their sums "
                           "(TRACE_MAX_MB, TRACE_MIN_FREE_MB), or they could not be written",
                           n_unwritten, process->pid);
  if (running)
    cs_notices_add_detail (notices, CS_NOTICE_LOST,
                           "process %u was killed or still runs: calls that were open are not in its summary, and "
                           "of each thread one call may be counted in part",
                           process->pid);
  if (truncated > 0)
    cs_notices_add_detail (notices, CS_NOTICE_LOST,
                           "%" G_GUINT64_FORMAT
                           " calls of process %u lay deeper than its summary followed: they are counted nowhere, "
                           "and their time is their callers' self time",
                           truncated, process->pid);
  add_process (notices, process, &marks, TRUE);
}

/**
 * cs_profile_add_summary_notices:
 * @notices: where to add sentences
 * @recording: what was read, a recording of summaries
 * @data: the profile, complete but for the notices
 * @n_unclear: functions at addresses where several libraries lay in turn
 *
 * Says in what respect the numbers are less than the whole truth.
 */
void
cs_profile_add_summary_notices (CsNotices *notices, CsRecording *recording, const CsProfileData *data,
                                guint n_unclear)
{
  GPtrArray *processes = cs_recording_get_processes (recording);
  GPtrArray *summaries = cs_recording_get_summaries (recording);

  add_filter (notices, data);
  add_hooks (notices, recording);
  cs_notices_add_all (notices, cs_recording_get_notices (recording));
  if (n_unclear > 0)
    cs_notices_add (notices, CS_NOTICE_SYMBOLS,
                    "%u function%s where several libraries lay in turn: a summary doesn't tell when it was "
                    "called, so that each bears the name of the last library's",
                    n_unclear, n_unclear == 1 ? " lies" : "s lie");
  for (guint i = 0; i < processes->len; i++)
    {
      guint64 truncated = 0;
      gboolean running = FALSE;

      for (guint j = 0; j < summaries->len; j++)
        {
          const CsThreadSummary *summary = g_ptr_array_index (summaries, j);

          if (summary->process->index != i)
            continue;
          truncated += summary->file->truncated;
          running |= cs_summary_file_is_table (summary->file);
        }
      add_summary_process (notices, g_ptr_array_index (processes, i), truncated, running);
    }
}

/**
 * cs_profile_finish_notices:
 * @notices: what there is to say of the recording
 * @symbolizer: what named addresses
 * @locations: the addresses
 *
 * Adds what there is to say of names.
 *
 * Returns: (transfer full) (array zero-terminated=1): all sentences
 */
char **
cs_profile_finish_notices (CsNotices *notices, CsSymbolizer *symbolizer, CsLocations *locations)
{
  g_auto (GStrv) symbols = cs_symbolizer_dup_notices (symbolizer);

  for (guint i = 0; symbols[i] != NULL; i++)
    cs_notices_add_detail (notices, CS_NOTICE_SYMBOLS, "%s", symbols[i]);
  if (cs_locations_have_nameless_process (locations))
    cs_notices_add (notices, CS_NOTICE_SYMBOLS,
                    "nothing in the recording names its binary: addresses stay unnamed — give it with --exe");
  return cs_notices_dup_texts (notices);
}
