/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-profile-builder.h"

/* One function in one process, summed over its threads in the unit of its files: each sum
 * becomes ns once. */
typedef struct
{
  guint64 calls, recorded;
  guint64 incl, self;
  guint64 min, max;
  guint n_threads;
  guint last_thread; /* the file that told of it last, its number + 1 */
  CsHistogram histogram; /* ns */
} Sum;

typedef struct
{
  CsProfileData *data;
  CsLocations *locations;
  GArray *functions;     /* (element-type CsFunction), in the order of their discovery */
  GHashTable *by_location; /* number + 1 → index in functions + 1 */
  const CsProcess *process;
  CsPassCounts *counts;  /* of the process, for the modules that its addresses lie in */
  GHashTable *sums;      /* address as the counts have it → Sum */
  CsThreadRow *thread;   /* whose file is being read */
  guint64 thread_self;   /* in the unit of the file */
  guint file;            /* its number */
  guint n_unclear;
} Builder;

static void
sum_free (gpointer data)
{
  cs_histogram_clear (&((Sum *) data)->histogram);
  g_free (data);
}

/* A duration in ns, or a sum of durations. */
static guint64
to_ns (const Builder *builder, guint64 duration)
{
  gboolean exact;

  return cs_clock_scale (&builder->data->clocks[builder->process->index], duration, &exact);
}

/* Counts a bucket's calls as durations of its middle: at most an eighth from what they were,
 * which is as much as four buckets an octave can tell. */
static void
add_bucket (const Builder *builder, Sum *sum, const CsSummaryRecord *record, guint bucket)
{
  guint64 start = cs_summary_bucket_start (bucket);
  guint64 end = bucket + 1 < CS_SUMMARY_BUCKETS ? cs_summary_bucket_start (bucket + 1) - 1
                                                : MAX (start, record->max);
  guint64 middle = MAX (record->min, MIN (start + (end - start) / 2, record->max));

  cs_histogram_add_many (&sum->histogram, to_ns (builder, middle), record->buckets[bucket]);
  sum->recorded += record->buckets[bucket];
}

/* The sum of a function; new where there is none yet. Records don't tell when: of libraries that
 * lay at one address in turn, the last one is taken. */
static Sum *
find_sum (Builder *builder, guint64 address)
{
  guint64 tagged = address;
  gboolean is_new;
  Sum *sum;

  if (builder->counts->tagged)
    tagged = cs_pass_counts_tag_address (builder->counts, address, G_MAXUINT64);
  sum = g_hash_table_lookup (builder->sums, &tagged);
  is_new = sum == NULL;
  if (is_new)
    {
      sum = g_new0 (Sum, 1);
      sum->min = G_MAXUINT64;
      g_hash_table_insert (builder->sums, g_memdup2 (&tagged, sizeof tagged), sum);
      builder->n_unclear += tagged != address;
    }
  return sum;
}

static void
take_record (const CsSummaryRecord *record, gpointer user_data)
{
  Builder *builder = user_data;
  Sum *sum = find_sum (builder, record->func);

  sum->calls += record->calls;
  sum->incl += record->incl;
  sum->self += record->self;
  sum->min = MIN (sum->min, record->min);
  sum->max = MAX (sum->max, record->max);
  sum->n_threads += sum->last_thread != builder->file + 1;
  sum->last_thread = builder->file + 1;
  for (guint i = 0; i < CS_SUMMARY_BUCKETS; i++)
    if (record->buckets[i] > 0)
      add_bucket (builder, sum, record, i);

  builder->thread->enters += record->calls;
  builder->thread->exits += record->calls;
  builder->thread_self += record->self;
}

static CsFunction *
find_function (Builder *builder, guint location)
{
  gpointer index = g_hash_table_lookup (builder->by_location, GUINT_TO_POINTER (location + 1));
  CsFunction function = { .min = G_MAXUINT64 };

  if (index == NULL)
    {
      cs_locations_name (builder->locations, location, CS_NAME_FUNCTION, &function.location);
      g_array_append_val (builder->functions, function);
      index = GUINT_TO_POINTER (builder->functions->len);
      g_hash_table_insert (builder->by_location, GUINT_TO_POINTER (location + 1), index);
    }
  return &g_array_index (builder->functions, CsFunction, GPOINTER_TO_UINT (index) - 1);
}

/* Adds a process's sums to the functions. */
static void
end_process (Builder *builder)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, builder->sums);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const Sum *sum = value;
      guint location = cs_locations_intern (builder->locations, builder->counts, *(guint64 *) key);
      CsFunction *to = find_function (builder, location);

      to->calls += sum->calls;
      to->recorded += sum->recorded;
      to->incl += to_ns (builder, sum->incl);
      to->self += to_ns (builder, sum->self);
      to->min = MIN (to->min, to_ns (builder, sum->min));
      to->max = MAX (to->max, to_ns (builder, sum->max));
      to->n_threads += sum->n_threads;
      cs_histogram_merge (&to->histogram, &sum->histogram);
    }
  g_hash_table_remove_all (builder->sums);
  g_clear_pointer (&builder->counts, cs_pass_counts_free);
}

static void
begin_process (Builder *builder, const CsProcess *process)
{
  builder->process = process;
  builder->counts = cs_pass_counts_new (process, NULL, 0);
}

/* A summary tells how long a thread was at work, not since when: it is placed at the start of
 * its process. */
static void
read_thread (Builder *builder, const CsThreadSummary *summary, CsNotices *notices)
{
  const CsProcess *process = summary->process;
  CsProfileTotals *totals = &builder->data->totals;
  CsThreadRow *thread = builder->thread;
  CsSummaryFile *file = summary->file;
  const char *name = cs_process_get_thread_name (process, file->tid, file->parts.seq);

  *thread = (CsThreadRow){ .process = process->index, .pid = process->pid, .tid = file->tid,
                           .seq = file->parts.seq, .first = (gint64) process->t0_ns };
  if (name != NULL)
    thread->name = g_string_chunk_insert_const (builder->data->strings, name);
  builder->thread_self = 0;
  cs_summary_file_read (file, take_record, builder, notices);
  thread->self = to_ns (builder, builder->thread_self);
  thread->last = (gint64) (process->t0_ns + to_ns (builder, file->span));
  totals->events += thread->enters + thread->exits;
  totals->first = MIN (totals->first, thread->first);
  totals->last = MAX (totals->last, thread->last);
}

static gboolean
read_all (Builder *builder, GPtrArray *summaries, CsNotices *notices, guint64 *bytes_done, GCancellable *cancellable)
{
  for (guint i = 0; i < summaries->len; i++)
    {
      const CsThreadSummary *summary = g_ptr_array_index (summaries, i);

      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      if (builder->process != summary->process)
        {
          if (builder->process != NULL)
            end_process (builder);
          begin_process (builder, summary->process);
        }
      builder->file = i;
      builder->thread = &builder->data->threads[i];
      read_thread (builder, summary, notices);
      __atomic_fetch_add (bytes_done, summary->file->n_records * summary->file->record_size, __ATOMIC_RELAXED);
    }
  if (builder->process != NULL)
    end_process (builder);
  return TRUE;
}

static int
compare_functions (gconstpointer a, gconstpointer b)
{
  return cs_profile_compare_functions (a, b);
}

/* Moves the functions into the profile, most self time first. */
static void
finish_functions (Builder *builder)
{
  CsProfileData *data = builder->data;

  g_array_sort (builder->functions, compare_functions);
  data->n_functions = builder->functions->len;
  data->functions = g_array_steal (builder->functions, NULL);
  for (guint i = 0; i < data->n_functions; i++)
    {
      CsFunction *function = &data->functions[i];

      data->totals.self += function->self;
      function->sum = function->incl;
      function->mean = function->recorded > 0 ? (double) function->incl / (double) function->recorded : 0;
      function->deviation = -1;
    }
  /* The root alone. */
  data->n_nodes = 1;
  data->nodes = g_new0 (CsCallNode, 1);
}

/* Returns: (transfer container): those of the processes and threads that are wanted */
static GPtrArray *
choose_summaries (CsProfileData *data, CsRecording *recording)
{
  GPtrArray *summaries = cs_recording_get_summaries (recording);
  g_autoptr (CsPassFilter) filter = cs_pass_filter_new (&data->filter, 0, NULL, NULL);
  GPtrArray *chosen = g_ptr_array_new ();

  for (guint i = 0; i < summaries->len; i++)
    {
      const CsThreadSummary *summary = g_ptr_array_index (summaries, i);

      if (cs_pass_filter_takes_thread (filter, summary->process, summary->file->tid, summary->file->parts.seq))
        g_ptr_array_add (chosen, (gpointer) summary);
    }
  return chosen;
}

static void
builder_clear (Builder *builder)
{
  for (guint i = 0; builder->functions != NULL && i < builder->functions->len; i++)
    cs_histogram_clear (&g_array_index (builder->functions, CsFunction, i).histogram);
  g_clear_pointer (&builder->functions, g_array_unref);
  g_clear_pointer (&builder->counts, cs_pass_counts_free);
  g_clear_pointer (&builder->sums, g_hash_table_unref);
  g_clear_pointer (&builder->by_location, g_hash_table_unref);
  g_clear_pointer (&builder->locations, cs_locations_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Builder, builder_clear)

/**
 * cs_profile_data_build_summary:
 * @data: (out): what the profile will hold
 * @recording: a recording of summaries
 * @symbolizer: what names addresses
 * @options: its filter, which may choose processes and threads
 * @bytes_done: counts the bytes read, atomically
 * @cancellable: (nullable): to give up early
 * @error: where to say why there is no profile
 *
 * Merges summary files into functions and threads. Durations are summed in the unit of their
 * process and become ns once, floored: the sum over functions and the sum over threads may
 * differ by a nanosecond a function and thread. On failure @data can be cleared.
 *
 * Returns: whether it is complete
 */
gboolean
cs_profile_data_build_summary (CsProfileData *data, CsRecording *recording, CsSymbolizer *symbolizer,
                               const CsProfileOptions *options, guint64 *bytes_done, GCancellable *cancellable, GError **error)
{
  GPtrArray *summaries;
  g_autoptr (GPtrArray) chosen = NULL;
  g_autoptr (CsNotices) notices = cs_notices_new ();
  g_auto (Builder) builder = { .data = data };

  if (options->filter.has_from || options->filter.has_to || options->filter.function != NULL)
    {
      g_set_error_literal (error, CS_PROFILE_ERROR, CS_PROFILE_ERROR_FILTER,
                           "this recording is a summary, which tells neither when calls were made nor from where: "
                           "it has no part by time or by caller — record with TRACE_MODE=events, or choose processes "
                           "and threads");
      return FALSE;
    }
  cs_profile_data_init (data, recording, &options->filter);
  chosen = choose_summaries (data, recording);
  summaries = chosen;
  data->n_threads = summaries->len;
  data->threads = g_new0 (CsThreadRow, data->n_threads);
  builder.locations = cs_locations_new (symbolizer, data->strings);
  builder.functions = g_array_new (FALSE, FALSE, sizeof (CsFunction));
  builder.by_location = g_hash_table_new (NULL, NULL);
  builder.sums = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, sum_free);
  if (!read_all (&builder, summaries, notices, bytes_done, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return FALSE;
    }
  finish_functions (&builder);
  if (data->n_threads > 0)
    qsort (data->threads, data->n_threads, sizeof *data->threads, cs_profile_compare_threads);
  cs_profile_add_summary_notices (notices, recording, data, builder.n_unclear);
  data->notices = cs_profile_finish_notices (notices, symbolizer, builder.locations);
  return TRUE;
}
