/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "profile/cs-profile-builder.h"
#include "profile/cs-profile-bundles.h"

struct _CsProfile
{
  GObject parent_instance;

  CsRecording *recording;
  CsProfileData data;
};

G_DEFINE_QUARK (cs-profile-error-quark, cs_profile_error)
G_DEFINE_FINAL_TYPE (CsProfile, cs_profile, G_TYPE_OBJECT)

static void
cs_profile_finalize (GObject *object)
{
  CsProfile *self = CS_PROFILE (object);

  cs_profile_data_clear (&self->data);
  g_clear_object (&self->recording);

  G_OBJECT_CLASS (cs_profile_parent_class)->finalize (object);
}

static void
cs_profile_class_init (CsProfileClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_profile_finalize;
}

static void
cs_profile_init (CsProfile *self)
{
}

/**
 * cs_profile_new:
 * @recording: what was captured
 * @symbolizer: what names addresses
 * @options: what to hold
 * @bytes_done: (nullable): counts the bytes read, atomically, for a progress display
 * @cancellable: (nullable): to give up early
 * @error: where to say why there is no profile
 *
 * Reads the recording once, a worker thread a core, and sums it up: functions, call tree,
 * call sites, threads, notices. All of them come from the same pass and agree to the
 * nanosecond. A recording of summaries has functions, threads and notices only. Where the recording
 * lies in a bundle, @symbolizer looks there first. Blocks; see cs_profile_new_async().
 *
 * Returns: (transfer full) (nullable): the profile, which never changes
 */
CsProfile *
cs_profile_new (CsRecording *recording, CsSymbolizer *symbolizer, const CsProfileOptions *options,
                guint64 *bytes_done, GCancellable *cancellable, GError **error)
{
  g_autoptr (CsProfile) self = NULL;
  guint64 unwatched = 0;
  gboolean complete;

  g_return_val_if_fail (CS_IS_RECORDING (recording), NULL);
  g_return_val_if_fail (CS_IS_SYMBOLIZER (symbolizer), NULL);
  g_return_val_if_fail (options->index == NULL || cs_timeline_get_recording (options->index) == recording, NULL);

  self = g_object_new (CS_TYPE_PROFILE, NULL);
  self->recording = g_object_ref (recording);
  bytes_done = bytes_done != NULL ? bytes_done : &unwatched;
  cs_symbolizer_lock (symbolizer);
  cs_profile_use_bundles (recording, symbolizer);
  cs_symbolizer_unlock (symbolizer);
  if (cs_profile_get_mode (self) == CS_PROFILE_SUMMARY)
    complete = cs_profile_data_build_summary (&self->data, recording, symbolizer, options, bytes_done, cancellable, error);
  else
    complete = cs_profile_data_build (&self->data, recording, symbolizer, options, bytes_done, cancellable, error);
  if (!complete)
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * cs_profile_new_take:
 * @recording: what was captured
 * @data: (transfer full): what the profile holds; cleared
 *
 * Returns: (transfer full): a profile
 */
CsProfile *
cs_profile_new_take (CsRecording *recording, CsProfileData *data)
{
  CsProfile *self = g_object_new (CS_TYPE_PROFILE, NULL);

  self->recording = g_object_ref (recording);
  self->data = *data;
  memset (data, 0, sizeof *data);
  return self;
}

/* A pass that runs in a thread while the caller's main loop shows how far it is. */
typedef struct
{
  CsRecording *recording;
  CsSymbolizer *symbolizer;
  CsProfileOptions options;
  guint64 bytes_done;
  GFileProgressCallback progress;
  gpointer progress_data;
  GSource *timer;
  CsProfilePartialFunc partial;
  gpointer partial_data;
  GMainContext *context;
  GSource *told; /* (nullable): tells the caller of the last partial profile */
} Job;

/* The caller is told of nothing any more. */
static void
stop_progress (Job *job)
{
  if (job->timer != NULL)
    g_source_destroy (job->timer);
  if (job->told != NULL)
    g_source_destroy (job->told);
}

static void
job_free (gpointer data)
{
  Job *job = data;

  stop_progress (job);
  g_clear_pointer (&job->timer, g_source_unref);
  g_clear_pointer (&job->told, g_source_unref);
  g_main_context_unref (job->context);
  g_object_unref (job->recording);
  g_object_unref (job->symbolizer);
  cs_profile_filter_clear (&job->options.filter);
  g_clear_pointer (&job->options.index, cs_timeline_unref);
  g_free (job);
}

static gboolean
show_progress (gpointer data)
{
  Job *job = data;
  guint64 done = __atomic_load_n (&job->bytes_done, __ATOMIC_RELAXED);

  job->progress ((goffset) done, (goffset) cs_recording_get_n_bytes (job->recording),
                 job->progress_data);
  return G_SOURCE_CONTINUE;
}

/* A partial profile on its way to the caller's main context. */
typedef struct
{
  CsProfile *profile;
  CsProfilePartialFunc func;
  gpointer user_data;
} Telling;

static void
telling_free (gpointer data)
{
  Telling *telling = data;

  g_object_unref (telling->profile);
  g_free (telling);
}

static gboolean
tell_partial (gpointer data)
{
  const Telling *telling = data;

  telling->func (telling->profile, telling->user_data);
  return G_SOURCE_REMOVE;
}

/* One that the caller has had no time for is superseded. */
static void
on_partial (CsProfile *profile, gpointer user_data)
{
  Job *job = user_data;
  Telling *telling = g_new (Telling, 1);

  *telling = (Telling){ g_object_ref (profile), job->partial, job->partial_data };
  if (job->told != NULL)
    g_source_destroy (job->told);
  g_clear_pointer (&job->told, g_source_unref);
  job->told = g_idle_source_new ();
  g_source_set_priority (job->told, G_PRIORITY_DEFAULT);
  g_source_set_callback (job->told, tell_partial, telling, telling_free);
  g_source_attach (job->told, job->context);
}

static void
run_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  CsProfile *self = cs_profile_new (job->recording, job->symbolizer, &job->options, &job->bytes_done,
                                    cancellable, &error);

  stop_progress (job);
  /* Here, since whoever holds the last reference may not live to free it, and may have a window. */
  if (self == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  cs_symbolizer_lock (job->symbolizer);
  cs_symbolizer_save (job->symbolizer);
  cs_symbolizer_unlock (job->symbolizer);
  g_task_return_pointer (task, self, g_object_unref);
}

/**
 * cs_profile_new_async:
 * @recording: what was captured
 * @symbolizer: what names addresses; not to be used by others until @callback is called
 * @options: what to hold; copied. Of partial profiles it is told in the caller's main context and not after @callback
 * @cancellable: (nullable): to give up early
 * @progress: (nullable) (scope async): called in the caller's main context, ten times a second
 *   and not after @callback, with the bytes read and the bytes there are
 * @progress_data: for @progress
 * @callback: (scope async): called when the profile is done, or not
 * @user_data: for @callback
 *
 * cs_profile_new() in a thread, which also keeps the names for later runs; see cs_symbolizer_save().
 */
void
cs_profile_new_async (CsRecording *recording, CsSymbolizer *symbolizer, const CsProfileOptions *options,
                      GCancellable *cancellable, GFileProgressCallback progress, gpointer progress_data,
                      GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  g_task_set_source_tag (task, cs_profile_new_async);
  job->recording = g_object_ref (recording);
  job->symbolizer = g_object_ref (symbolizer);
  job->options = *options;
  cs_profile_filter_copy (&job->options.filter, &options->filter);
  if (options->index != NULL)
    cs_timeline_ref (options->index);
  job->context = g_main_context_ref (g_task_get_context (task));
  job->partial = options->partial;
  job->partial_data = options->partial_data;
  if (options->partial != NULL)
    {
      job->options.partial = on_partial;
      job->options.partial_data = job;
    }
  job->progress = progress;
  job->progress_data = progress_data;
  if (progress != NULL)
    {
      job->timer = g_timeout_source_new (100);
      g_source_set_callback (job->timer, show_progress, job, NULL);
      g_source_attach (job->timer, g_task_get_context (task));
    }
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run_job);
}

/**
 * cs_profile_new_finish:
 * @result: what the callback got
 * @error: where to say why there is no profile
 *
 * Returns: (transfer full) (nullable): the profile
 */
CsProfile *
cs_profile_new_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cs_profile_get_recording:
 * @self: a profile
 *
 * Returns: (transfer none): what it was made from
 */
CsRecording *
cs_profile_get_recording (CsProfile *self)
{
  return self->recording;
}

/**
 * cs_profile_get_mode:
 * @self: a profile
 *
 * Returns: what it was made from, and so what it can tell
 */
CsProfileMode
cs_profile_get_mode (CsProfile *self)
{
  return cs_recording_get_summaries (self->recording)->len > 0 ? CS_PROFILE_SUMMARY : CS_PROFILE_EVENTS;
}

/**
 * cs_profile_get_done:
 * @self: a profile
 *
 * Returns: what part of the recording had been read when it was made, at most 1
 */
double
cs_profile_get_done (CsProfile *self)
{
  return self->data.done;
}

/**
 * cs_profile_is_partial:
 * @self: a profile
 *
 * Returns: whether there is more in the recording: calls are missing then, those that go on were taken to end, and
 *   call sites aren't told
 */
gboolean
cs_profile_is_partial (CsProfile *self)
{
  return self->data.done < 1;
}

/**
 * cs_profile_check_whole:
 * @self: a profile
 * @error: where to say that it is partial
 *
 * For what reads the recording once more and has to find what the profile knows.
 *
 * Returns: whether all of the recording had been read
 */
gboolean
cs_profile_check_whole (CsProfile *self, GError **error)
{
  if (!cs_profile_is_partial (self))
    return TRUE;
  g_set_error (error, CS_PROFILE_ERROR, CS_PROFILE_ERROR_CHANGED,
               "only %.0f %% of the recording have been read — wait until all is read, or read it again",
               floor (cs_profile_get_done (self) * 100));
  return FALSE;
}

/**
 * cs_profile_get_totals:
 * @self: a profile
 *
 * Returns: (transfer none): sums over everything
 */
const CsProfileTotals *
cs_profile_get_totals (CsProfile *self)
{
  return &self->data.totals;
}

/**
 * cs_profile_get_functions:
 * @self: a profile
 * @n: (out): how many
 *
 * Returns: (transfer none) (array length=n): its functions, most self time first
 */
const CsFunction *
cs_profile_get_functions (CsProfile *self, guint *n)
{
  *n = self->data.n_functions;
  return self->data.functions;
}

/**
 * cs_profile_get_tree:
 * @self: a profile
 * @n: (out): how many nodes, at least 1
 *
 * Returns: (transfer none) (array length=n): the call tree merged over all threads, by
 *   function; siblings are linked in the order of their first call
 */
const CsCallNode *
cs_profile_get_tree (CsProfile *self, guint *n)
{
  *n = self->data.n_nodes;
  return self->data.nodes;
}

/**
 * cs_profile_get_call_sites:
 * @self: a profile
 * @n: (out): how many
 *
 * Returns: (transfer none) (array length=n): the recorded call sites, most inclusive time
 *   first; none unless the options asked for them
 */
const CsCallSite *
cs_profile_get_call_sites (CsProfile *self, guint *n)
{
  *n = self->data.n_sites;
  return self->data.sites;
}

/**
 * cs_profile_get_edges:
 * @self: a profile
 * @n: (out): how many
 *
 * Returns: (transfer none) (array length=n): which function calls which, by callee and
 *   caller
 */
const CsCallEdge *
cs_profile_get_edges (CsProfile *self, guint *n)
{
  *n = self->data.n_edges;
  return self->data.edges;
}

/**
 * cs_profile_get_slowest:
 * @self: a profile
 * @function: index of a function
 * @n: (out): how many
 *
 * Returns: (transfer none) (array length=n): the longest of its calls whose exit is
 *   recorded, longest first, of equal ones the earlier; as many as the options asked for
 */
const CsSlowCall *
cs_profile_get_slowest (CsProfile *self, guint function, guint *n)
{
  *n = self->data.functions[function].n_slowest;
  return self->data.slowest != NULL ? self->data.slowest + self->data.functions[function].first_slowest : NULL;
}

/**
 * cs_profile_get_filter:
 * @self: a profile
 *
 * Returns: (transfer none): what of the recording it is about
 */
const CsProfileFilter *
cs_profile_get_filter (CsProfile *self)
{
  return &self->data.filter;
}

/**
 * cs_profile_get_pass_filter:
 * @self: a profile
 *
 * Returns: (transfer none) (nullable): the same for another pass over the recording
 */
CsPassFilter *
cs_profile_get_pass_filter (CsProfile *self)
{
  return self->data.pass_filter;
}

/**
 * cs_profile_get_threads:
 * @self: a profile
 * @n: (out): how many
 *
 * Returns: (transfer none) (array length=n): its threads, by process and first event
 */
const CsThreadRow *
cs_profile_get_threads (CsProfile *self, guint *n)
{
  *n = self->data.n_threads;
  return self->data.threads;
}

/**
 * cs_profile_get_cuts:
 * @self: a profile
 * @n: (out): how many there are
 *
 * Returns: (transfer none) (array length=n): the times in which threads weren't recorded, in order
 */
const CsCut *
cs_profile_get_cuts (CsProfile *self, guint *n)
{
  *n = self->data.cuts->len;
  return (const CsCut *) (gpointer) self->data.cuts->data;
}

/**
 * cs_profile_get_notices:
 * @self: a profile
 *
 * Returns: (transfer none) (array zero-terminated=1): what has to be known before any
 *   number is believed, a sentence each
 */
const char *const *
cs_profile_get_notices (CsProfile *self)
{
  return (const char *const *) self->data.notices;
}

/**
 * cs_profile_get_filter_notices:
 * @self: a profile
 * @first: (out): the first one's index among cs_profile_get_notices()
 *
 * Returns: how many of the notices say which part of the recording the profile is about: the filter, and then what that
 *   leaves out
 */
guint
cs_profile_get_filter_notices (CsProfile *self, guint *first)
{
  /* Before them is how much was read. */
  *first = cs_profile_is_partial (self);
  return cs_profile_count_filter_notices (&self->data);
}

/**
 * cs_profile_get_clocks:
 * @self: a profile
 *
 * Returns: (transfer none): the clocks that its times come from, by process index of the
 *   recording
 */
const CsClock *
cs_profile_get_clocks (CsProfile *self)
{
  return self->data.clocks;
}

/**
 * cs_profile_get_landings:
 * @self: a profile of events
 *
 * Returns: (transfer none): what its pass learned of where exceptions and jumps landed
 */
CsLandings *
cs_profile_get_landings (CsProfile *self)
{
  return self->data.landings;
}

/**
 * cs_profile_get_timeline:
 * @self: a profile
 *
 * Returns: (transfer none) (nullable): the index of time, whose tracks are the profile's threads in
 *   the same order; %NULL unless the options asked for it, and of a summary
 */
CsTimeline *
cs_profile_get_timeline (CsProfile *self)
{
  return self->data.timeline;
}

/**
 * cs_profile_get_function_index:
 * @self: a profile
 * @process: index of a process of the recording
 * @address: a function's run-time address, at which a single module lay
 *
 * See cs_profile_find_function().
 *
 * Returns: the function's index, or %G_MAXUINT where the profile has no such function
 */
guint
cs_profile_get_function_index (CsProfile *self, guint process, guint64 address)
{
  return cs_profile_data_find (&self->data, process, NULL, address);
}

/**
 * cs_profile_find_function:
 * @self: a profile
 * @process: index of a process of the recording
 * @address: a function's run-time address
 * @ts: when it was called, as recorded: modules may have lain at the address in turn
 *
 * Returns: the function's index, or %G_MAXUINT where the profile has no such function
 */
guint
cs_profile_find_function (CsProfile *self, guint process, guint64 address, guint64 ts)
{
  const CsProcess *of = g_ptr_array_index (cs_recording_get_processes (self->recording), process);
  const CsModule *module = NULL;
  gboolean in_turn = FALSE;

  if (of->section != NULL && cs_module_map_has_turns (of->section->map))
    module = cs_module_map_find (of->section->map, address, ts, &in_turn);
  return cs_profile_data_find (&self->data, process, in_turn ? module : NULL, address);
}

/**
 * cs_profile_find_counted:
 * @self: a profile
 * @counts: what a pass over one of its recording's processes counts
 * @address: a function's address as the counts have it
 *
 * Returns: the function's index, or %G_MAXUINT where the profile has no such function
 */
guint
cs_profile_find_counted (CsProfile *self, const CsPassCounts *counts, guint64 address)
{
  const CsModule *module;
  guint64 at = cs_pass_counts_untag (counts, address, &module);

  return cs_profile_data_find (&self->data, counts->process->index, module, at);
}

/**
 * cs_profile_dup_addresses:
 * @self: a profile
 * @function: index of a function
 *
 * Returns: (transfer full) (element-type CsFunctionAddress): where the function lies, by process and address. Where modules
 *   took turns, other functions may lie there at other times: see cs_profile_find_function()
 */
GArray *
cs_profile_dup_addresses (CsProfile *self, guint function)
{
  return cs_profile_data_dup_addresses (&self->data, function);
}
