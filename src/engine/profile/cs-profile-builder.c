/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "profile/cs-profile-partial.h"
#include "timeline/cs-timeline-cache.h"

typedef struct
{
  guint process;
  const CsModule *module; /* of an address at which modules took turns */
  guint64 address;
} FunctionKey;

static guint
function_key_hash (gconstpointer data)
{
  const FunctionKey *key = data;

  return (guint) (((key->address ^ ((guint64) key->process << 48) ^ (guint64) (guintptr) key->module << 16) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15)) >> 32);
}

static gboolean
function_key_equal (gconstpointer a, gconstpointer b)
{
  const FunctionKey *x = a, *y = b;

  return x->address == y->address && x->process == y->process && x->module == y->module;
}

/* Takes anchors that only the pass found. Returns whether a rate changed. */
static gboolean
take_anchors (CsProfileData *data, CsRecording *recording, GPtrArray *passes, guint64 *anchors)
{
  GPtrArray *processes = cs_recording_get_processes (recording);
  gboolean changed = FALSE;

  for (guint i = 0; i < passes->len * processes->len; i++)
    {
      const CsTrackPass *pass = g_ptr_array_index (passes, i / processes->len);
      guint index = i % processes->len;
      const CsPassMarks *marks = &g_array_index (pass->marks, CsPassMarks, index);
      const CsProcess *process = g_ptr_array_index (processes, index);

      if (!process->ticks || marks->anchor_ns <= MAX (process->anchor_ns, anchors[index]) ||
          marks->anchor_ns <= process->t0_ns || marks->anchor_ticks <= process->t0_ticks ||
          !cs_clock_init_ticks (&data->clocks[index], process->t0_ticks, process->t0_ns,
                                marks->anchor_ns - process->t0_ns,
                                marks->anchor_ticks - process->t0_ticks))
        continue;
      anchors[index] = marks->anchor_ns;
      data->anchored[index] = changed = TRUE;
    }
  return changed;
}

static void
set_filter (CsProfileData *data, CsRecording *recording, const CsProfileOptions *options)
{
  g_clear_pointer (&data->pass_filter, cs_pass_filter_free);
  if (cs_profile_filter_is_empty (&options->filter))
    return;
  data->totals.origin = cs_recording_find_start (recording, data->clocks);
  data->pass_filter = cs_pass_filter_new (&options->filter, data->totals.origin, data->landings, data->timeline);
}

/* The clocks of an index are those that its pass ended with. */
static void
take_clocks (CsProfileData *data, CsRecording *recording)
{
  for (guint i = 0; i < cs_recording_get_processes (recording)->len; i++)
    {
      const CsClock *clock = cs_timeline_get_clock (data->timeline, i);

      data->anchored[i] |= memcmp (clock, &data->clocks[i], sizeof *clock) != 0;
      data->clocks[i] = *clock;
    }
}

/* Reads everything, a second time if the first found a better rate than the ends of the files
 * told. */
static gboolean
run_passes (CsProfileData *data, CsRecording *recording, CsSymbolizer *symbolizer, const CsProfileOptions *options,
            GPtrArray *passes, guint64 *bytes_done, GCancellable *cancellable)
{
  g_autoptr (CsPartial) partial = NULL;
  g_autofree guint64 *anchors = g_new0 (guint64, cs_recording_get_processes (recording)->len);
  guint next_serial = 0;

  if (options->partial != NULL && cs_profile_filter_is_empty (&options->filter))
    partial = cs_partial_new (recording, symbolizer, data, options, bytes_done);
  do
    {
      g_ptr_array_set_size (passes, 0);
      __atomic_store_n (bytes_done, 0, __ATOMIC_RELAXED);
      set_filter (data, recording, options);
      if (!cs_profile_run_passes (recording, data, options, partial, passes, &next_serial, bytes_done, cancellable))
        return FALSE;
    }
  while (take_anchors (data, recording, passes, anchors));
  return TRUE;
}

/* Puts the passes' indices together. That of a recording of which debug information would tell more
 * is not kept: it may be there the next time. */
static void
build_timeline (CsProfileData *data, CsRecording *recording, GPtrArray *passes, gboolean keep)
{
  for (guint i = 0; i < passes->len; i++)
    {
      const CsTrackPass *pass = g_ptr_array_index (passes, i);

      for (guint j = 0; j < pass->marks->len; j++)
        keep = keep && g_array_index (pass->marks, CsPassMarks, j).unclear_landings == 0;
    }
  data->timeline = cs_timeline_new (recording, NULL, data->clocks, cs_track_steal_indices (passes));
  if (keep)
    cs_timeline_save (data->timeline);
}

/* Makes the index of the whole recording that a part of it begins with. */
static gboolean
index_whole (CsProfileData *data, CsRecording *recording, CsSymbolizer *symbolizer, const CsProfileOptions *options,
             guint64 *bytes_done, GCancellable *cancellable, GError **error)
{
  const CsProfileOptions whole = { .timeline = TRUE, .no_cache = options->no_cache };
  g_autoptr (CsProfile) profile = cs_profile_new (recording, symbolizer, &whole, bytes_done, cancellable, error);

  if (profile == NULL)
    return FALSE;
  data->timeline = cs_timeline_ref (cs_profile_get_timeline (profile));
  return TRUE;
}

/**
 * cs_profile_data_build:
 * @data: (out): what the profile will hold
 * @recording: what was captured
 * @symbolizer: what names addresses
 * @options: what to hold
 * @bytes_done: counts the bytes read, atomically
 * @cancellable: (nullable): to give up early
 * @error: where to say why there is no profile
 *
 * The pass and the summing up. On failure @data can be cleared.
 *
 * Returns: whether it is complete
 */
gboolean
cs_profile_data_build (CsProfileData *data, CsRecording *recording, CsSymbolizer *symbolizer,
                       const CsProfileOptions *options, guint64 *bytes_done,
                       GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) passes = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_track_pass_free);

  cs_profile_data_init (data, recording, &options->filter);
  data->landings = cs_landings_new (symbolizer);
  if (options->index != NULL)
    data->timeline = cs_timeline_ref (options->index);
  else if (options->timeline && !options->no_cache)
    data->timeline = cs_timeline_load (recording);
  if (options->timeline && data->timeline == NULL)
    {
      if (cs_profile_filter_is_empty (&options->filter))
        data->files = cs_timeline_index_files (recording);
      else if (!index_whole (data, recording, symbolizer, options, bytes_done, cancellable, error))
        return FALSE;
    }
  if (data->timeline != NULL)
    take_clocks (data, recording);
  if (!run_passes (data, recording, symbolizer, options, passes, bytes_done, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return FALSE;
    }
  if (data->files != NULL)
    build_timeline (data, recording, passes, !options->no_cache);
  return cs_profile_data_sum (data, recording, symbolizer, options, passes, cancellable, error);
}

/**
 * cs_profile_data_init:
 * @data: (out): what a profile will hold
 * @recording: what was captured
 * @filter: what of it counts
 *
 * Sets up what every profile has, with the clocks as the ends of the files tell them.
 */
void
cs_profile_data_init (CsProfileData *data, CsRecording *recording, const CsProfileFilter *filter)
{
  GPtrArray *processes = cs_recording_get_processes (recording);

  data->done = 1;
  cs_profile_filter_copy (&data->filter, filter);
  data->strings = g_string_chunk_new (4096);
  data->index = g_hash_table_new_full (function_key_hash, function_key_equal, g_free, NULL);
  data->totals.first = data->totals.origin = G_MAXINT64;
  data->totals.last = G_MININT64;
  data->clocks = g_new (CsClock, processes->len);
  data->cuts = g_array_new (FALSE, TRUE, sizeof (CsCut));
  data->anchored = g_new (gboolean, processes->len);
  for (guint i = 0; i < processes->len; i++)
    {
      const CsProcess *process = g_ptr_array_index (processes, i);

      data->clocks[i] = process->clock;
      data->anchored[i] = process->anchor_ns != 0;
      data->totals.hook_ns = MAX (data->totals.hook_ns, process->hook_ns);
    }
}

/**
 * cs_profile_data_clear:
 * @data: what a profile holds
 */
void
cs_profile_data_clear (CsProfileData *data)
{
  for (guint i = 0; i < data->n_functions; i++)
    cs_histogram_clear (&data->functions[i].histogram);
  g_free (data->functions);
  g_free (data->nodes);
  g_free (data->sites);
  g_free (data->threads);
  g_clear_pointer (&data->cuts, g_array_unref);
  g_free (data->slowest);
  g_free (data->edges);
  cs_profile_filter_clear (&data->filter);
  g_clear_pointer (&data->pass_filter, cs_pass_filter_free);
  g_strfreev (data->notices);
  g_free (data->clocks);
  g_free (data->anchored);
  g_clear_pointer (&data->landings, cs_landings_free);
  g_clear_pointer (&data->files, g_hash_table_unref);
  g_clear_pointer (&data->timeline, cs_timeline_unref);
  g_clear_pointer (&data->index, g_hash_table_unref);
  g_clear_pointer (&data->strings, g_string_chunk_free);
}

/**
 * cs_profile_data_note:
 * @data: what a profile holds
 * @process: index of a process of the recording
 * @module: (nullable): where modules lay at the address in turn: the function's
 * @address: a function's run-time address
 * @index: the function's
 *
 * Notes which function lies at an address.
 */
void
cs_profile_data_note (CsProfileData *data, guint process, const CsModule *module, guint64 address, guint index)
{
  const FunctionKey key = { process, module, address };

  g_hash_table_insert (data->index, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (index));
}

/**
 * cs_profile_data_find:
 * @data: what a profile holds
 * @process: index of a process of the recording
 * @module: (nullable): as for cs_profile_data_note()
 * @address: a function's run-time address
 *
 * Returns: the function's index, or %G_MAXUINT
 */
guint
cs_profile_data_find (const CsProfileData *data, guint process, const CsModule *module, guint64 address)
{
  FunctionKey key = { process, module, address };

  return GPOINTER_TO_UINT (g_hash_table_lookup (data->index, &key)) - 1u;
}

static int
compare_addresses (gconstpointer a, gconstpointer b)
{
  const CsFunctionAddress *x = a, *y = b;

  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  return x->address < y->address ? -1 : x->address > y->address;
}

/**
 * cs_profile_data_dup_addresses:
 * @data: what a profile holds
 * @index: a function's
 *
 * Returns: (transfer full) (element-type CsFunctionAddress): where it lies, by process and address; one at which modules
 *   took turns may be another function's, too
 */
GArray *
cs_profile_data_dup_addresses (const CsProfileData *data, guint index)
{
  GArray *addresses = g_array_new (FALSE, FALSE, sizeof (CsFunctionAddress));
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, data->index);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (GPOINTER_TO_UINT (value) == index + 1)
      {
        const FunctionKey *found = key;
        const CsFunctionAddress address = { found->process, found->address };

        g_array_append_val (addresses, address);
      }
  g_array_sort (addresses, compare_addresses);
  return addresses;
}
