/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <unistd.h>

#include "selection/cs-chooser-private.h"

/* What somebody waits for. */
typedef struct
{
  ChooserWaiter *waiter;
  char *config_path;
  CsFunctionIndex *index;
  CsCallGraph *graph; /* (nullable) */

  /* Afterwards. */
  gpointer result;
  GError *error;
} Serving;

static void
waiter_free (ChooserWaiter *waiter)
{
  g_clear_object (&waiter->task);
  g_free (waiter->name);
  g_free (waiter);
}

static void
serving_free (gpointer data)
{
  Serving *job = data;

  if (job->waiter != NULL)
    waiter_free (job->waiter);
  g_free (job->config_path);
  cs_function_index_unref (job->index);
  g_clear_pointer (&job->graph, cs_call_graph_unref);
  g_clear_error (&job->error);
  g_free (job);
}

/* What the file chooses. %NULL without an error: calls must be known first. */
static CsSelection *
choose_saved (Serving *job)
{
  g_autoptr (CsTraceConfig) config = NULL;

  if (access (job->config_path, F_OK) != 0 && errno == ENOENT)
    config = cs_trace_config_new ();
  else
    config = cs_trace_config_load (job->config_path, &job->error);
  if (config == NULL || (job->graph == NULL && cs_selection_needs_graph (config)))
    return NULL;
  return cs_selection_new (config, job->index, job->graph, &job->error);
}

static void
serve_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Serving *job = data;

  if (job->waiter->kind == CHOOSER_WAITER_SUBTREE)
    job->result = cs_subtree_new (job->index, job->graph, job->waiter->name, job->waiter->depth, &job->error);
  else
    job->result = choose_saved (job);
  g_task_return_boolean (task, TRUE);
}

static GDestroyNotify
get_destroy (const ChooserWaiter *waiter)
{
  return waiter->kind == CHOOSER_WAITER_SUBTREE ? (GDestroyNotify) cs_subtree_free : (GDestroyNotify) cs_selection_unref;
}

static void
on_served (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsChooser) self = chooser_take_link (user_data);
  Serving *job = g_task_get_task_data (G_TASK (result));
  ChooserWaiter *waiter = job->waiter;

  if (job->result == NULL && job->error == NULL && self != NULL)
    {
      waiter->needs_graph = TRUE;
      g_ptr_array_add (self->waiters, g_steal_pointer (&job->waiter));
      chooser_pump (self);
      return;
    }
  if (job->result != NULL)
    g_task_return_pointer (waiter->task, g_steal_pointer (&job->result), get_destroy (waiter));
  else if (job->error != NULL)
    g_task_return_error (waiter->task, g_steal_pointer (&job->error));
  else
    g_task_return_new_error (waiter->task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the project was closed");
}

/**
 * chooser_serve:
 * @self: a chooser
 *
 * Gives those who wait what is there, or says that it won't be.
 */
void
chooser_serve (CsChooser *self)
{
  gboolean is_ready = self->index != NULL && !self->is_reading && self->next_sources == NULL;

  for (guint i = self->waiters->len; i > 0; i--)
    {
      ChooserWaiter *waiter = i <= self->waiters->len ? self->waiters->pdata[i - 1] : NULL;
      CsCallGraph *graph = chooser_get_graph (self, self->index);
      g_autoptr (GTask) task = NULL;
      Serving *job;

      /* Whoever is told may end the waiting of others. */
      if (waiter == NULL)
        continue;
      if (g_cancellable_is_cancelled (g_task_get_cancellable (waiter->task)) || self->state == CS_CHOOSER_FAILED)
        {
          g_ptr_array_remove_index (self->waiters, i - 1);
          if (!g_task_return_error_if_cancelled (waiter->task))
            g_task_return_new_error (waiter->task, CS_CHOOSER_ERROR, CS_CHOOSER_ERROR_GONE, "%s", self->error);
          waiter_free (waiter);
          continue;
        }
      if (!is_ready)
        continue;
      if (graph == NULL && waiter->needs_graph)
        {
          chooser_need_graph (self);
          continue;
        }
      g_ptr_array_remove_index (self->waiters, i - 1);
      job = g_new0 (Serving, 1);
      job->waiter = waiter;
      job->config_path = g_strdup (self->config_path);
      job->index = cs_function_index_ref (self->index);
      job->graph = graph != NULL ? cs_call_graph_ref (graph) : NULL;
      task = chooser_task_new (self, on_served);
      g_task_set_task_data (task, job, serving_free);
      g_task_run_in_thread (task, serve_in_thread);
    }
}

static void
add_waiter (CsChooser *self, ChooserWaiter *waiter)
{
  if (self->is_closed)
    {
      g_task_return_new_error (waiter->task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the project was closed");
      waiter_free (waiter);
      return;
    }
  g_ptr_array_add (self->waiters, waiter);
  chooser_pump (self);
}

/**
 * cs_chooser_preview_subtree_async:
 * @self: a chooser
 * @name: a function's name, or any trailing part of its qualified name
 * @depth: calls to follow, or %CS_DEPTH_FULL
 * @cancellable: (nullable): to give up, as when another preview is asked for
 * @callback: what to call
 * @user_data: for @callback
 *
 * Finds what a function calls, in a thread. It waits for the functions and for the call graph, which is built for the
 * first one.
 */
void
cs_chooser_preview_subtree_async (CsChooser *self, const char *name, int depth, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  ChooserWaiter *waiter;

  g_return_if_fail (CS_IS_CHOOSER (self) && name != NULL);

  waiter = g_new0 (ChooserWaiter, 1);
  waiter->kind = CHOOSER_WAITER_SUBTREE;
  waiter->task = g_task_new (self, cancellable, callback, user_data);
  waiter->name = g_strdup (name);
  waiter->depth = depth < 0 ? CS_DEPTH_FULL : depth;
  waiter->needs_graph = TRUE;
  add_waiter (self, waiter);
}

/**
 * cs_chooser_preview_subtree_finish:
 * @self: a chooser
 * @result: what the callback was given
 * @error: where to say why there is none
 *
 * Returns: (transfer full) (nullable): the subtree; its functions are numbers of cs_chooser_get_index()
 */
CsSubtree *
cs_chooser_preview_subtree_finish (CsChooser *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cs_chooser_choose_saved_async:
 * @self: a chooser
 * @cancellable: (nullable): to give up
 * @callback: what to call
 * @user_data: for @callback
 *
 * Loads the config from the file as it is then, for a build, and chooses by it. It waits for the functions, and for the
 * call graph if the config asks for calls. A file that isn't there chooses everything.
 */
void
cs_chooser_choose_saved_async (CsChooser *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  ChooserWaiter *waiter;

  g_return_if_fail (CS_IS_CHOOSER (self));

  waiter = g_new0 (ChooserWaiter, 1);
  waiter->kind = CHOOSER_WAITER_SAVED;
  waiter->task = g_task_new (self, cancellable, callback, user_data);
  add_waiter (self, waiter);
}

/**
 * cs_chooser_choose_saved_finish:
 * @self: a chooser
 * @result: what the callback was given
 * @error: where to say what is wrong with the file or the sources
 *
 * Returns: (transfer full) (nullable): what the saved config chooses, with an index
 */
CsSelection *
cs_chooser_choose_saved_finish (CsChooser *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * chooser_close_waiters:
 * @self: a chooser
 *
 * Tells those who wait that nothing comes.
 */
void
chooser_close_waiters (CsChooser *self)
{
  while (self->waiters->len > 0)
    {
      ChooserWaiter *waiter = g_ptr_array_steal_index (self->waiters, self->waiters->len - 1);

      g_task_return_new_error (waiter->task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the project was closed");
      waiter_free (waiter);
    }
}
