/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "project/cs-observed.h"
#include "select/cs-last-run.h"

struct _CsLastRun
{
  GHashTable *functions; /* number in the index + 1 → CsLastRunCalls */
  guint64 span;          /* ns */
};

typedef struct
{
  CsProfile *profile;
  CsFunctionIndex *index;
} Work;

static void
work_free (Work *work)
{
  g_object_unref (work->profile);
  cs_function_index_unref (work->index);
  g_free (work);
}

/* One function may be recorded several times, as an inline one of a header: the median is that of the one with the most
 * calls. */
typedef struct
{
  CsLastRunCalls calls;
  guint64 most;
  guint64 begun; /* calls, those that didn't end among them */
} Sum;

static void
add_function (GHashTable *functions, guint32 number, const CsFunction *function)
{
  gpointer key = GUINT_TO_POINTER (number + 1);
  Sum *sum = g_hash_table_lookup (functions, key);

  if (sum == NULL)
    {
      sum = g_new0 (Sum, 1);
      g_hash_table_insert (functions, key, sum);
    }
  sum->calls.calls += function->calls;
  sum->begun += function->calls + function->open + function->clipped;
  if (function->recorded == 0 || function->recorded <= sum->most)
    return;
  sum->most = function->recorded;
  sum->calls.has_median = TRUE;
  sum->calls.median = cs_histogram_percentile (&function->histogram, function->recorded, 500, function->min, function->max);
}

static void
find_functions (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work *work = data;
  CsLastRun *self = g_new0 (CsLastRun, 1);
  const CsProfileTotals *totals = cs_profile_get_totals (work->profile);
  const CsFunction *functions;
  guint n;

  self->functions = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->span = cs_profile_span (totals->first, totals->last);
  functions = cs_profile_get_functions (work->profile, &n);
  for (guint i = 0; i < n && !g_cancellable_is_cancelled (cancellable); i++)
    {
      g_autoptr (GArray) found = cs_observed_find (work->index, &functions[i].location);

      /* Of several that it may be none is told wrong things about. */
      if (found->len == 1)
        add_function (self->functions, g_array_index (found, guint32, 0), &functions[i]);
    }
  g_task_return_pointer (task, self, (GDestroyNotify) cs_last_run_free);
}

/**
 * cs_last_run_new_async:
 * @profile: of a recording
 * @index: functions of the sources
 * @cancellable: (nullable): to give up
 * @callback: what to call
 * @user_data: for @callback
 *
 * Finds in a thread which functions of the sources were recorded.
 */
void
cs_last_run_new_async (CsProfile *profile, CsFunctionIndex *index, GCancellable *cancellable,
                       GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Work *work = g_new0 (Work, 1);

  work->profile = g_object_ref (profile);
  work->index = cs_function_index_ref (index);
  g_task_set_task_data (task, work, (GDestroyNotify) work_free);
  g_task_run_in_thread (task, find_functions);
}

/**
 * cs_last_run_new_finish:
 * @result: what the callback was given
 * @error: set when it was given up
 *
 * Returns: (transfer full) (nullable): what is known
 */
CsLastRun *
cs_last_run_new_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cs_last_run_free:
 * @self: (transfer full): what was known
 */
void
cs_last_run_free (CsLastRun *self)
{
  g_hash_table_unref (self->functions);
  g_free (self);
}

/**
 * cs_last_run_get:
 * @self: what is known
 * @function: number in the index
 *
 * Returns: (transfer none) (nullable): the function's calls; %NULL: it wasn't recorded
 */
const CsLastRunCalls *
cs_last_run_get (const CsLastRun *self, guint32 function)
{
  const Sum *sum = g_hash_table_lookup (self->functions, GUINT_TO_POINTER (function + 1));

  return sum != NULL ? &sum->calls : NULL;
}

/**
 * cs_last_run_estimate:
 * @self: what is known
 * @selection: a selection of the same index
 *
 * Returns: events a second of the functions that are chosen now, as far as they were recorded; 0: not known
 */
double
cs_last_run_estimate (const CsLastRun *self, const CsSelection *selection)
{
  guint64 begun = 0;
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, self->functions);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (cs_selection_has_function (selection, GPOINTER_TO_UINT (key) - 1))
      begun += ((const Sum *) value)->begun;
  return self->span > 0 ? 2e9 * (double) begun / (double) self->span : 0;
}
