/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-profile-builder.h"
#include "profile/cs-profile-nodes.h"
#include "profile/cs-thread-tree.h"

struct _CsThreadTree
{
  gatomicrefcount refs;
  CsCallNode *nodes;
  guint n;
};

typedef struct
{
  CsProfile *profile;
  CsPassCounts *all; /* the address of a function is its index, of a thread CS_CALL_NODE_THREAD + row */
  GHashTable *rows; /* serial number → row + 1 */
} Builder;

static void
set_changed (GError **error)
{
  g_set_error_literal (error, CS_PROFILE_ERROR, CS_PROFILE_ERROR_CHANGED,
                       "the recording changed while it was read — wait until the program has ended");
}

static gboolean
is_same_thread (const CsThreadRow *a, const CsThreadRow *b)
{
  return a->process == b->process && a->tid == b->tid && a->seq == b->seq && a->first == b->first &&
         a->self == b->self;
}

/* Which rows of the profile the threads of these passes are. Serial numbers are given in the order in
 * which workers come to them, so they are told by what rows are ordered by. */
static gboolean
find_rows (Builder *builder, GPtrArray *passes, GError **error)
{
  g_autoptr (GArray) threads = g_array_new (FALSE, TRUE, sizeof (CsThreadRow));
  const CsThreadRow *rows;
  guint n;

  rows = cs_profile_get_threads (builder->profile, &n);
  for (guint i = 0; i < passes->len; i++)
    {
      const CsTrackPass *pass = g_ptr_array_index (passes, i);

      for (guint j = 0; j < pass->threads->len; j++)
        {
          const CsPassThread *from = g_ptr_array_index (pass->threads, j);
          const CsThreadRow row = { .process = from->process->index, .tid = from->tid, .seq = from->seq,
                                    .serial = from->serial, .first = from->first, .self = from->busy };

          g_array_append_val (threads, row);
        }
    }
  g_array_sort (threads, cs_profile_compare_threads);
  for (guint i = 0; i < threads->len; i++)
    {
      const CsThreadRow *row = &g_array_index (threads, CsThreadRow, i);

      if (threads->len != n || !is_same_thread (row, &rows[i]))
        {
          set_changed (error);
          return FALSE;
        }
      g_hash_table_insert (builder->rows, GUINT_TO_POINTER (row->serial), GUINT_TO_POINTER (i + 1));
    }
  return TRUE;
}

/* The node of a thread. */
static guint32
add_thread (Builder *builder, const CsPassCounts *counts, guint32 node)
{
  guint serial = (guint) counts->nodes[node].address;
  guint row = GPOINTER_TO_UINT (g_hash_table_lookup (builder->rows, GUINT_TO_POINTER (serial))) - 1;

  return cs_pass_counts_add_node (builder->all, 0, CS_CALL_NODE_THREAD + row);
}

/* Adds what a worker counted in a process. What the filter chooses may lie below calls that it doesn't:
 * that comes directly under the thread. */
static gboolean
merge_counts (Builder *builder, const CsPassCounts *counts, GError **error)
{
  g_autofree guint *functions = g_new0 (guint, counts->function_table.n + 1); /* index + 1; 0: not known yet */
  g_autofree guint32 *thread_of = g_new0 (guint32, counts->node_table.n);
  g_autofree guint32 *node_of = g_new0 (guint32, counts->node_table.n);

  for (guint32 i = 1; i < counts->node_table.n; i++)
    {
      const CsPassNode *node = &counts->nodes[i];
      guint32 parent = counts->node_rests[i].parent;

      thread_of[i] = parent != 0 ? thread_of[parent] : i;
      if (parent == 0 || !cs_profile_node_counts (counts, i))
        continue;
      if (functions[node->function] == 0)
        functions[node->function] = cs_profile_find_counted (builder->profile, counts, node->address) + 1;
      if (functions[node->function] == 0)
        {
          set_changed (error);
          return FALSE;
        }
      if (node_of[parent] == 0)
        parent = thread_of[i];
      if (node_of[parent] == 0)
        node_of[parent] = add_thread (builder, counts, parent);
      node_of[i] = cs_pass_counts_add_node (builder->all, node_of[parent], functions[node->function] - 1);
      cs_profile_merge_node (builder->all, node_of[i], counts, i);
    }
  return TRUE;
}

/* Tells threads, and the root, what their calls took. */
static void
sum_threads (CsThreadTree *self)
{
  g_autofree guint32 *thread_of = g_new0 (guint32, self->n);

  for (guint32 i = 1; i < self->n; i++)
    {
      CsCallNode *node = &self->nodes[i], *thread;

      thread_of[i] = node->parent != 0 ? thread_of[node->parent] : i;
      thread = &self->nodes[thread_of[i]];
      thread->first_ns = MIN (thread->first_ns, node->first_ns);
      thread->incl += node->self;
      self->nodes[0].incl += node->self;
    }
}

static CsThreadTree *
tree_new (CsCallNode *nodes, guint n)
{
  CsThreadTree *self = g_new0 (CsThreadTree, 1);

  g_atomic_ref_count_init (&self->refs);
  self->nodes = nodes;
  self->n = n;
  return self;
}

/* Makes the tree of what the passes counted, which is used up. */
static CsThreadTree *
build (Builder *builder, GPtrArray *passes, GCancellable *cancellable, GError **error)
{
  g_autofree guint32 *place = NULL;
  CsThreadTree *self;
  CsCallNode *nodes;
  guint n;

  if (!find_rows (builder, passes, error))
    return NULL;
  for (guint i = 0; i < passes->len; i++)
    {
      const CsTrackPass *pass = g_ptr_array_index (passes, i);

      for (guint process = 0; process < pass->counts->len; process++)
        {
          g_autoptr (CsPassCounts) counts = g_steal_pointer (&pass->counts->pdata[process]);

          if (g_cancellable_set_error_if_cancelled (cancellable, error))
            return NULL;
          if (counts != NULL && !merge_counts (builder, counts, error))
            return NULL;
        }
    }
  n = builder->all->node_table.n;
  nodes = cs_profile_build_nodes (builder->all);
  for (guint i = 1; i < n; i++)
    nodes[i].function = (guint32) builder->all->nodes[i].address;
  place = cs_profile_sort_nodes (&nodes, n);
  self = tree_new (nodes, n);
  sum_threads (self);
  return self;
}

/**
 * cs_thread_tree_new:
 * @profile: a profile
 * @bytes_done: (nullable): counts the bytes read, atomically, for a progress display
 * @cancellable: (nullable): to give up early
 * @error: where to say why there is no tree
 *
 * Reads the recording again, or as much of it as the profile is about, a worker thread a core. Summed over
 * the threads, each path has exactly the numbers that it has in cs_profile_get_tree(), and each thread's
 * inclusive time is the `self' of its row. A summary, which tells of no paths, has the root alone. Takes as
 * much memory as the call trees of all threads. There is none of a partial profile. Blocks.
 *
 * Returns: (transfer full) (nullable): the call tree by thread
 */
CsThreadTree *
cs_thread_tree_new (CsProfile *profile, guint64 *bytes_done, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) passes = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_track_pass_free);
  g_autoptr (CsPassCounts) all = cs_pass_counts_new (NULL, NULL, 0);
  g_autoptr (GHashTable) rows = g_hash_table_new (NULL, NULL);
  Builder builder = { .profile = profile, .all = all, .rows = rows };
  const CsProfileOptions options = { 0 };
  const CsProfileData data = { .clocks = (CsClock *) cs_profile_get_clocks (profile),
                               .landings = cs_profile_get_landings (profile),
                               .pass_filter = cs_profile_get_pass_filter (profile), .by_thread = TRUE };
  guint64 uncounted = 0;
  guint next_serial = 0;

  g_return_val_if_fail (CS_IS_PROFILE (profile), NULL);

  if (cs_profile_get_mode (profile) == CS_PROFILE_SUMMARY)
    return tree_new (g_new0 (CsCallNode, 1), 1);
  if (!cs_profile_check_whole (profile, error))
    return NULL;
  if (!cs_profile_run_passes (cs_profile_get_recording (profile), &data, &options, NULL, passes, &next_serial,
                              bytes_done != NULL ? bytes_done : &uncounted, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  return build (&builder, passes, cancellable, error);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  CsThreadTree *self = cs_thread_tree_new (data, NULL, cancellable, &error);

  if (self != NULL)
    g_task_return_pointer (task, self, (GDestroyNotify) cs_thread_tree_unref);
  else
    g_task_return_error (task, error);
}

/**
 * cs_thread_tree_new_async:
 * @profile: a profile
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when the tree is done, or not
 * @user_data: for @callback
 *
 * cs_thread_tree_new() in a thread.
 */
void
cs_thread_tree_new_async (CsProfile *profile, GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, cs_thread_tree_new_async);
  g_task_set_task_data (task, g_object_ref (profile), g_object_unref);
  g_task_run_in_thread (task, run);
}

/**
 * cs_thread_tree_new_finish:
 * @result: what the callback got
 * @error: where to say why there is no tree
 *
 * Returns: (transfer full) (nullable): the call tree by thread
 */
CsThreadTree *
cs_thread_tree_new_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cs_thread_tree_ref:
 * @self: a tree
 *
 * Returns: (transfer full): @self
 */
CsThreadTree *
cs_thread_tree_ref (CsThreadTree *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cs_thread_tree_unref:
 * @self: (transfer full): a tree
 */
void
cs_thread_tree_unref (CsThreadTree *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_free (self->nodes);
  g_free (self);
}

/**
 * cs_thread_tree_get_nodes:
 * @self: a tree
 * @n: (out): how many nodes, at least 1
 *
 * Returns: (transfer none) (array length=n): its nodes, linked and ordered as those of
 *   cs_profile_get_tree() are
 */
const CsCallNode *
cs_thread_tree_get_nodes (CsThreadTree *self, guint *n)
{
  *n = self->n;
  return self->nodes;
}

/**
 * cs_profile_dup_thread_label:
 * @profile: a profile
 * @thread: a row of its threads
 *
 * Returns: (transfer full): what the thread is called: its name and tid and, where the profile has several
 *   processes, its pid
 */
char *
cs_profile_dup_thread_label (CsProfile *profile, guint thread)
{
  guint n;
  const CsThreadRow *rows = cs_profile_get_threads (profile, &n);
  const CsThreadRow *row = &rows[thread];
  const char *name = row->name != NULL ? row->name : "thread";

  g_return_val_if_fail (thread < n, NULL);
  if (rows[0].process != rows[n - 1].process)
    return g_strdup_printf ("%s, pid %u, tid %u", name, row->pid, row->tid);
  return g_strdup_printf ("%s, tid %u", name, row->tid);
}
