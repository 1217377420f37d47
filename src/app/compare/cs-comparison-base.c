/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "compare/cs-comparison-private.h"

#define PROGRESS_MS 100

/* A base that is read. */
typedef struct
{
  char *path, *title, *project;
  guint64 done, total; /* bytes */
} Reading;

/**
 * cs_comparison_finish_job:
 * @self: a comparison
 *
 * Nothing is read any more.
 */
void
cs_comparison_finish_job (CsComparison *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->job != NULL)
    cs_job_finish (self->job);
  g_clear_object (&self->job);
  self->progress = -1;
}

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_free (reading->path);
  g_free (reading->title);
  g_free (reading->project);
  g_free (reading);
}

static void
run_reading (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Reading *reading = data;
  GError *error = NULL;
  CsCompareBase *base = cs_compare_base_read (reading->path, reading->title, reading->project, &reading->done,
                                              &reading->total, cancellable, &error);

  if (base != NULL)
    g_task_return_pointer (task, base, (GDestroyNotify) cs_compare_base_release);
  else
    g_task_return_error (task, error);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsComparison *self = CS_COMPARISON (source);
  gboolean current = g_task_get_cancellable (G_TASK (result)) == self->reading;
  g_autoptr (GError) error = NULL;
  CsCompareBase *base = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *stopped = NULL;

  if (!current)
    {
      g_clear_pointer (&base, cs_compare_base_release);
      return;
    }
  g_clear_object (&self->reading);
  cs_comparison_finish_job (self);
  if (base == NULL)
    {
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        stopped = g_strdup_printf (_("Reading “%s” was stopped. Try again, or choose another recording."), self->title);
      cs_comparison_set_error (self, stopped != NULL ? stopped : error->message);
      return;
    }
  self->base = base;
  cs_comparison_bring_together (self);
  g_signal_emit_by_name (self, "changed");
}

/* Runs until the reading's task lets go of it. */
static gboolean
on_timer (gpointer data)
{
  GTask *task = data;
  CsComparison *self = g_task_get_source_object (task);
  Reading *reading = g_task_get_task_data (task);
  guint64 total = __atomic_load_n (&reading->total, __ATOMIC_RELAXED);

  if (total > 0 && self->job != NULL)
    {
      self->progress = (double) __atomic_load_n (&reading->done, __ATOMIC_RELAXED) / (double) total;
      cs_job_set_progress (self->job, self->progress);
      g_signal_emit_by_name (self, "changed");
    }
  return G_SOURCE_CONTINUE;
}

/**
 * cs_comparison_read_base:
 * @self: a comparison with a base's path that nobody reads
 *
 * Begins to read the base. When it is there both sides are brought together.
 */
void
cs_comparison_read_base (CsComparison *self)
{
  g_autofree char *name = g_strdup_printf (_("Reading “%s” to compare"), self->title);
  g_autoptr (GTask) task = NULL;
  Reading *reading = g_new0 (Reading, 1);

  self->reading = g_cancellable_new ();
  self->job = cs_jobs_begin (self->jobs, name, self->reading);
  reading->path = g_strdup (self->path);
  reading->title = g_strdup (self->title);
  reading->project = g_strdup (self->project);
  task = g_task_new (self, self->reading, on_read, NULL);
  g_task_set_task_data (task, reading, reading_free);
  self->timer = g_timeout_add_full (G_PRIORITY_DEFAULT, PROGRESS_MS, on_timer, g_object_ref (task), g_object_unref);
  g_task_run_in_thread (task, run_reading);
}
