/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "compare/cs-comparison-private.h"

enum { CHANGED, ROWS_CHANGED, FLAME_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsComparison, cs_comparison, G_TYPE_OBJECT)

static void
cancel (GCancellable **cancellable)
{
  if (*cancellable != NULL)
    g_cancellable_cancel (*cancellable);
  g_clear_object (cancellable);
}

/**
 * cs_comparison_set_error:
 * @self: a comparison
 * @text: (nullable): why there is none, and what to do; %NULL: nothing is wrong
 *
 * Says so.
 */
void
cs_comparison_set_error (CsComparison *self, const char *text)
{
  g_free (self->error);
  self->error = text != NULL ? g_utf8_make_valid (text, -1) : NULL;
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
forget_flame (CsComparison *self)
{
  cancel (&self->laying);
  g_clear_pointer (&self->flame_sides, cs_compare_sides_release);
  if (self->flame == NULL)
    return;
  g_clear_pointer (&self->flame, cs_flame_diff_unref);
  g_signal_emit (self, signals[FLAME_CHANGED], 0);
}

/* Nothing of the two sides is valid any more. */
static void
forget_results (CsComparison *self)
{
  cancel (&self->pairing);
  cancel (&self->comparing);
  g_clear_pointer (&self->sides, cs_compare_sides_release);
  if (self->rows != NULL)
    {
      g_clear_pointer (&self->rows, cs_delta_rows_release);
      g_signal_emit (self, signals[ROWS_CHANGED], 0);
    }
  forget_flame (self);
}

/* A flame graph that is laid out. */
typedef struct
{
  CsCompareSides *sides;
  CsFlameOptions options;
  CsFlameShape shape;
} Layout;

static void
layout_free (gpointer data)
{
  Layout *layout = data;

  cs_compare_sides_release (layout->sides);
  g_free (layout);
}

static void
run_layout (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Layout *layout = data;
  CsFlameDiff *flame = cs_compare_sides_lay_out (layout->sides, &layout->options, layout->shape, cancellable);

  if (flame != NULL)
    g_task_return_pointer (task, flame, (GDestroyNotify) cs_flame_diff_unref);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
}

static void
on_laid_out (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsComparison *self = CS_COMPARISON (source);
  Layout *layout = g_task_get_task_data (G_TASK (result));
  gboolean current = g_task_get_cancellable (G_TASK (result)) == self->laying;
  CsFlameDiff *flame = g_task_propagate_pointer (G_TASK (result), NULL);

  if (flame == NULL)
    return;
  if (!current)
    {
      cs_flame_diff_unref (flame);
      return;
    }
  g_clear_object (&self->laying);
  g_clear_pointer (&self->flame, cs_flame_diff_unref);
  g_clear_pointer (&self->flame_sides, cs_compare_sides_release);
  self->flame = flame;
  self->flame_sides = g_atomic_rc_box_acquire (layout->sides);
  g_signal_emit (self, signals[FLAME_CHANGED], 0);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
lay_out (CsComparison *self)
{
  g_autoptr (GTask) task = NULL;
  Layout *layout;

  cancel (&self->laying);
  if (self->sides == NULL)
    return;
  if (cs_compare_sides_get_flame_obstacle (self->sides) != NULL)
    {
      forget_flame (self);
      g_signal_emit (self, signals[FLAME_CHANGED], 0);
      return;
    }
  self->laying = g_cancellable_new ();
  layout = g_new0 (Layout, 1);
  layout->sides = g_atomic_rc_box_acquire (self->sides);
  layout->options = self->options;
  layout->shape = self->shape;
  g_signal_emit (self, signals[CHANGED], 0);
  task = g_task_new (self, self->laying, on_laid_out, NULL);
  g_task_set_task_data (task, layout, layout_free);
  g_task_run_in_thread (task, run_layout);
}

/* A table that is made. */
typedef struct
{
  CsCompareSides *sides;
  char *key;
  double threshold;
} Table;

static void
table_free (gpointer data)
{
  Table *table = data;

  cs_compare_sides_release (table->sides);
  g_free (table->key);
  g_free (table);
}

static void
run_table (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Table *table = data;
  GError *error = NULL;
  CsDeltaRows *rows = cs_delta_rows_new (table->sides, table->key, table->threshold, &error);

  if (rows != NULL)
    g_task_return_pointer (task, rows, (GDestroyNotify) cs_delta_rows_release);
  else
    g_task_return_error (task, error);
}

static void
on_table_made (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsComparison *self = CS_COMPARISON (source);
  gboolean current = g_task_get_cancellable (G_TASK (result)) == self->comparing;
  g_autoptr (GError) error = NULL;
  CsDeltaRows *rows = g_task_propagate_pointer (G_TASK (result), &error);

  if (!current)
    {
      g_clear_pointer (&rows, cs_delta_rows_release);
      return;
    }
  g_clear_object (&self->comparing);
  if (rows == NULL)
    {
      cs_comparison_set_error (self, error->message);
      return;
    }
  g_clear_pointer (&self->rows, cs_delta_rows_release);
  self->rows = rows;
  g_signal_emit (self, signals[ROWS_CHANGED], 0);
  cs_comparison_set_error (self, NULL);
}

static void
compare (CsComparison *self)
{
  g_autoptr (GTask) task = NULL;
  Table *table;

  cancel (&self->comparing);
  if (self->sides == NULL)
    return;
  if (self->sides->base->report->rows->len == 0 || self->sides->report->rows->len == 0)
    {
      g_autofree char *text = self->sides->report->rows->len == 0
          ? g_strdup (_("What is shown of this recording holds no calls. Remove a filter, or open another recording."))
          : g_strdup_printf (_("“%s” holds no calls. Choose another recording as the base."), self->title);

      forget_results (self);
      cs_comparison_set_error (self, text);
      return;
    }
  self->comparing = g_cancellable_new ();
  table = g_new0 (Table, 1);
  table->sides = g_atomic_rc_box_acquire (self->sides);
  table->key = g_strdup (cs_compare_sides_has_key (self->sides, self->key) ? self->key : "self_ms");
  table->threshold = self->threshold;
  task = g_task_new (self, self->comparing, on_table_made, NULL);
  g_task_set_task_data (task, table, table_free);
  g_task_run_in_thread (task, run_table);
}

/* Two sides that are brought together. */
typedef struct
{
  CsCompareBase *base;
  CsProfile *profile;
  char *title;
} Pairing;

static void
pairing_free (gpointer data)
{
  Pairing *pairing = data;

  cs_compare_base_release (pairing->base);
  g_object_unref (pairing->profile);
  g_free (pairing->title);
  g_free (pairing);
}

static void
run_pairing (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Pairing *pairing = data;

  if (!g_task_return_error_if_cancelled (task))
    g_task_return_pointer (task, cs_compare_sides_new (pairing->base, pairing->profile, pairing->title),
                           (GDestroyNotify) cs_compare_sides_release);
}

static void
on_paired (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsComparison *self = CS_COMPARISON (source);
  gboolean current = g_task_get_cancellable (G_TASK (result)) == self->pairing;
  CsCompareSides *sides = g_task_propagate_pointer (G_TASK (result), NULL);

  if (sides == NULL)
    return;
  if (!current)
    {
      cs_compare_sides_release (sides);
      return;
    }
  g_clear_object (&self->pairing);
  g_clear_pointer (&self->sides, cs_compare_sides_release);
  self->sides = sides;
  compare (self);
  lay_out (self);
}

/**
 * cs_comparison_bring_together:
 * @self: a comparison
 *
 * Compares what is there by now, if both sides are.
 */
void
cs_comparison_bring_together (CsComparison *self)
{
  g_autoptr (GTask) task = NULL;
  Pairing *pairing;

  cancel (&self->pairing);
  if (self->base == NULL || self->profile == NULL)
    return;
  self->pairing = g_cancellable_new ();
  pairing = g_new0 (Pairing, 1);
  pairing->base = g_atomic_rc_box_acquire (self->base);
  pairing->profile = g_object_ref (self->profile);
  pairing->title = g_strdup (self->new_title);
  task = g_task_new (self, self->pairing, on_paired, NULL);
  g_task_set_task_data (task, pairing, pairing_free);
  g_task_run_in_thread (task, run_pairing);
}

static void
cs_comparison_dispose (GObject *object)
{
  cs_comparison_close (CS_COMPARISON (object));
  G_OBJECT_CLASS (cs_comparison_parent_class)->dispose (object);
}

static void
cs_comparison_finalize (GObject *object)
{
  CsComparison *self = CS_COMPARISON (object);

  g_free (self->path);
  g_free (self->title);
  g_free (self->project);
  g_free (self->new_title);
  g_free (self->key);
  g_free (self->error);
  G_OBJECT_CLASS (cs_comparison_parent_class)->finalize (object);
}

static void
cs_comparison_class_init (CsComparisonClass *klass)
{
  static const char *const names[] = { "changed", "rows-changed", "flame-changed" };

  G_OBJECT_CLASS (klass)->dispose = cs_comparison_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_comparison_finalize;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], CS_TYPE_COMPARISON, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
cs_comparison_init (CsComparison *self)
{
  self->key = g_strdup ("self_ms");
  self->progress = -1;
}

/**
 * cs_comparison_new:
 * @jobs: where reading is shown
 *
 * Returns: (transfer full): a comparison of nothing
 */
CsComparison *
cs_comparison_new (CsJobs *jobs)
{
  CsComparison *self = g_object_new (CS_TYPE_COMPARISON, NULL);

  self->jobs = g_object_ref (jobs);
  return self;
}

/**
 * cs_comparison_close:
 * @self: a comparison
 *
 * Gives up whatever is under way; nothing is signalled any more.
 */
void
cs_comparison_close (CsComparison *self)
{
  cancel (&self->reading);
  cancel (&self->pairing);
  cancel (&self->comparing);
  cancel (&self->laying);
  cs_comparison_finish_job (self);
  g_clear_pointer (&self->sides, cs_compare_sides_release);
  g_clear_pointer (&self->rows, cs_delta_rows_release);
  g_clear_pointer (&self->flame, cs_flame_diff_unref);
  g_clear_pointer (&self->flame_sides, cs_compare_sides_release);
  g_clear_pointer (&self->base, cs_compare_base_release);
  g_clear_object (&self->profile);
  g_clear_object (&self->jobs);
}

/**
 * cs_comparison_set_project:
 * @self: a comparison
 * @folder: (nullable) (type filename): the folder from which sources are named, of bases that are read from now on
 */
void
cs_comparison_set_project (CsComparison *self, const char *folder)
{
  g_return_if_fail (CS_IS_COMPARISON (self));

  g_free (self->project);
  self->project = g_strdup (folder);
}

/**
 * cs_comparison_set_base:
 * @self: a comparison
 * @path: (nullable): of a recording or a report; %NULL: none
 * @title: (nullable): what to call it
 *
 * Reads it in the background; what was being read before is given up.
 */
void
cs_comparison_set_base (CsComparison *self, const char *path, const char *title)
{
  if (g_strcmp0 (self->path, path) == 0)
    return;
  g_free (self->path);
  g_free (self->title);
  self->path = g_strdup (path);
  self->title = title != NULL ? g_utf8_make_valid (title, -1) : NULL;
  cs_comparison_retry (self);
}

/**
 * cs_comparison_retry:
 * @self: a comparison
 *
 * Reads the base again.
 */
void
cs_comparison_retry (CsComparison *self)
{
  cancel (&self->reading);
  cs_comparison_finish_job (self);
  g_clear_pointer (&self->base, cs_compare_base_release);
  forget_results (self);
  if (self->path != NULL && self->jobs != NULL)
    cs_comparison_read_base (self);
  cs_comparison_set_error (self, NULL);
}

/**
 * cs_comparison_cancel:
 * @self: a comparison
 *
 * Stops reading the base.
 */
void
cs_comparison_cancel (CsComparison *self)
{
  if (self->reading != NULL)
    g_cancellable_cancel (self->reading);
}

/**
 * cs_comparison_set_profile:
 * @self: a comparison
 * @profile: (nullable): what is compared with the base
 * @title: (nullable): what to call it; UTF-8
 *
 * What was there is shown until the new comparison is.
 */
void
cs_comparison_set_profile (CsComparison *self, CsProfile *profile, const char *title)
{
  if (!g_set_object (&self->profile, profile))
    return;
  g_free (self->new_title);
  self->new_title = g_strdup (title != NULL ? title : "");
  if (self->base != NULL)
    {
      if (profile == NULL)
        forget_results (self);
      else
        cs_comparison_bring_together (self);
      cs_comparison_set_error (self, NULL);
      return;
    }
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * cs_comparison_set_key:
 * @self: a comparison
 * @key: which numbers are compared; self_ms in place of one that a side doesn't have
 * @threshold: smaller changes don't matter; in the key's unit
 */
void
cs_comparison_set_key (CsComparison *self, const char *key, double threshold)
{
  if (g_str_equal (self->key, key) && !(self->threshold < threshold) && !(self->threshold > threshold))
    return;
  if (self->key != key)
    {
      g_free (self->key);
      self->key = g_strdup (key);
    }
  self->threshold = threshold;
  compare (self);
}

/**
 * cs_comparison_set_flame:
 * @self: a comparison
 * @shape: whose frames the flame graph has
 * @options: how it is laid out; without marks
 */
void
cs_comparison_set_flame (CsComparison *self, CsFlameShape shape, const CsFlameOptions *options)
{
  self->shape = shape;
  self->options = *options;
  lay_out (self);
}

/**
 * cs_comparison_get_state:
 * @self: a comparison
 *
 * Returns: how far it is
 */
CsComparisonState
cs_comparison_get_state (CsComparison *self)
{
  if (self->error != NULL)
    return CS_COMPARISON_FAILED;
  if (self->path == NULL || self->profile == NULL)
    return CS_COMPARISON_EMPTY;
  return self->rows != NULL ? CS_COMPARISON_READY : CS_COMPARISON_READING;
}

/**
 * cs_comparison_get_error:
 * @self: a comparison
 *
 * Returns: (transfer none) (nullable): why there is none, and what to do
 */
const char *
cs_comparison_get_error (CsComparison *self)
{
  return self->error;
}

/**
 * cs_comparison_get_progress:
 * @self: a comparison
 *
 * Returns: how much of the base is read, 0 to 1; negative: that isn't known
 */
double
cs_comparison_get_progress (CsComparison *self)
{
  return self->progress;
}

/**
 * cs_comparison_get_base_path:
 * @self: a comparison
 *
 * Returns: (transfer none) (nullable): of the base
 */
const char *
cs_comparison_get_base_path (CsComparison *self)
{
  return self->path;
}

/**
 * cs_comparison_get_base_title:
 * @self: a comparison
 *
 * Returns: (transfer none) (nullable): what to call the base
 */
const char *
cs_comparison_get_base_title (CsComparison *self)
{
  return self->title;
}

/**
 * cs_comparison_get_rows:
 * @self: a comparison
 *
 * Returns: (transfer none) (nullable): the table
 */
CsDeltaRows *
cs_comparison_get_rows (CsComparison *self)
{
  return self->rows;
}

/**
 * cs_comparison_get_flame:
 * @self: a comparison
 *
 * Returns: (transfer none) (nullable): the flame graph; it may come before or after the table
 */
CsFlameDiff *
cs_comparison_get_flame (CsComparison *self)
{
  return self->flame;
}

/**
 * cs_comparison_get_flame_sides:
 * @self: a comparison
 *
 * Returns: (transfer none) (nullable): the two sides that the flame graph was made of
 */
CsCompareSides *
cs_comparison_get_flame_sides (CsComparison *self)
{
  return self->flame_sides;
}

/**
 * cs_comparison_get_sides:
 * @self: a comparison
 *
 * Returns: (transfer none) (nullable): the two sides
 */
CsCompareSides *
cs_comparison_get_sides (CsComparison *self)
{
  return self->sides;
}

/**
 * cs_comparison_is_busy:
 * @self: a comparison
 *
 * Returns: whether anything is under way
 */
gboolean
cs_comparison_is_busy (CsComparison *self)
{
  return self->reading != NULL || self->pairing != NULL || self->comparing != NULL || self->laying != NULL;
}
