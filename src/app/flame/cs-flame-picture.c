/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "flame/cs-flame-picture.h"

struct _CsFlamePicture
{
  gatomicrefcount refs;
  CsProfile *profile;
  CsThreadTree *threads; /* (nullable): once it was needed */
  CsFlameLayout *layout;
  CsFlameChoice choice;
  guint32 *widest; /* by function: its widest frame; CS_FLAME_NONE: it has none */
};

/* What a picture is made of, until it is there. */
typedef struct
{
  CsProfile *profile;
  CsFlameChoice choice;
  guint8 *marks;         /* (nullable) */
  CsThreadTree *threads; /* (nullable) */
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_object_unref (request->profile);
  g_free (request->marks);
  g_clear_pointer (&request->threads, cs_thread_tree_unref);
  g_free (request);
}

static void
find_widest (CsFlamePicture *self)
{
  guint32 n = cs_flame_layout_get_n_nodes (self->layout);
  guint n_functions;
  g_autofree guint64 *widths = NULL;

  cs_profile_get_functions (self->profile, &n_functions);
  widths = g_new0 (guint64, MAX (n_functions, 1));
  self->widest = g_new (guint32, MAX (n_functions, 1));
  for (guint i = 0; i < n_functions; i++)
    self->widest[i] = CS_FLAME_NONE;
  for (guint32 i = 1; i < n; i++)
    {
      CsFlameNode node;

      cs_flame_layout_get_node (self->layout, i, &node);
      if (node.function < n_functions
          && (self->widest[node.function] == CS_FLAME_NONE || node.width > widths[node.function]))
        {
          self->widest[node.function] = i;
          widths[node.function] = node.width;
        }
    }
}

/* In a thread. */
static CsFlamePicture *
make_picture (Request *request, GCancellable *cancellable, GError **error)
{
  const CsFlameOptions options = { .kind = request->choice.kind, .order = request->choice.order,
                                   .collapse = request->choice.collapse, .marks = request->marks };
  guint n_nodes, n_functions;
  const CsFunction *functions = cs_profile_get_functions (request->profile, &n_functions);
  const CsCallNode *nodes = cs_profile_get_tree (request->profile, &n_nodes);
  CsFlameLayout *layout;
  CsFlamePicture *self;

  if (request->choice.by_thread)
    {
      /* It is read from the recording again. */
      if (request->threads == NULL)
        request->threads = cs_thread_tree_new (request->profile, NULL, cancellable, error);
      if (request->threads == NULL)
        return NULL;
      nodes = cs_thread_tree_get_nodes (request->threads, &n_nodes);
    }
  layout = cs_flame_layout_new (&options, nodes, n_nodes, functions, n_functions, cancellable);
  if (layout == NULL)
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  self = g_new0 (CsFlamePicture, 1);
  g_atomic_ref_count_init (&self->refs);
  self->profile = g_object_ref (request->profile);
  self->threads = request->threads != NULL ? cs_thread_tree_ref (request->threads) : NULL;
  self->layout = layout;
  self->choice = request->choice;
  find_widest (self);
  return self;
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  CsFlamePicture *self = make_picture (data, cancellable, &error);

  if (self != NULL)
    g_task_return_pointer (task, self, (GDestroyNotify) cs_flame_picture_unref);
  else
    g_task_return_error (task, error);
}

/**
 * cs_flame_picture_new_async:
 * @profile: a profile with a call tree
 * @choice: how its calls are shown
 * @marks: (nullable) (transfer full): a CsFlameMark for each function
 * @threads: (nullable): the profile's tree by thread, if it is there already
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when it is there
 * @user_data: for @callback
 *
 * Lays a profile's calls out in a thread, which takes time that grows with them.
 */
void
cs_flame_picture_new_async (CsProfile *profile, const CsFlameChoice *choice, guint8 *marks, CsThreadTree *threads,
                            GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Request *request = g_new0 (Request, 1);

  request->profile = g_object_ref (profile);
  request->choice = *choice;
  request->marks = marks;
  request->threads = threads != NULL ? cs_thread_tree_ref (threads) : NULL;
  g_task_set_source_tag (task, cs_flame_picture_new_async);
  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, run);
}

/**
 * cs_flame_picture_new_finish:
 * @result: what the callback got
 * @error: where to say why there is none
 *
 * Returns: (transfer full) (nullable): the picture
 */
CsFlamePicture *
cs_flame_picture_new_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cs_flame_picture_ref:
 * @self: a picture
 *
 * Returns: (transfer full): @self
 */
CsFlamePicture *
cs_flame_picture_ref (CsFlamePicture *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cs_flame_picture_unref:
 * @self: (transfer full): a picture
 */
void
cs_flame_picture_unref (CsFlamePicture *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  cs_flame_layout_unref (self->layout);
  g_clear_pointer (&self->threads, cs_thread_tree_unref);
  g_object_unref (self->profile);
  g_free (self->widest);
  g_free (self);
}

/**
 * cs_flame_picture_get_profile:
 * @self: a picture
 *
 * Returns: (transfer none): what it shows
 */
CsProfile *
cs_flame_picture_get_profile (CsFlamePicture *self)
{
  return self->profile;
}

/**
 * cs_flame_picture_get_layout:
 * @self: a picture
 *
 * Returns: (transfer none): its frames
 */
CsFlameLayout *
cs_flame_picture_get_layout (CsFlamePicture *self)
{
  return self->layout;
}

/**
 * cs_flame_picture_get_choice:
 * @self: a picture
 *
 * Returns: (transfer none): how it shows them
 */
const CsFlameChoice *
cs_flame_picture_get_choice (CsFlamePicture *self)
{
  return &self->choice;
}

/**
 * cs_flame_choice_equal:
 * @a: a choice
 * @b: another one
 *
 * Returns: whether they show calls in the same way
 */
gboolean
cs_flame_choice_equal (const CsFlameChoice *a, const CsFlameChoice *b)
{
  return a->kind == b->kind && a->order == b->order && a->collapse == b->collapse && a->by_thread == b->by_thread;
}

/**
 * cs_flame_picture_get_function:
 * @self: a picture
 * @node: a frame, or %CS_FLAME_NONE
 *
 * Returns: (transfer none) (nullable): its function; %NULL: there is none, as of the root
 */
const CsFunction *
cs_flame_picture_get_function (CsFlamePicture *self, guint32 node)
{
  CsFlameNode frame;
  guint n;
  const CsFunction *functions = cs_profile_get_functions (self->profile, &n);

  if (node >= cs_flame_layout_get_n_nodes (self->layout))
    return NULL;
  cs_flame_layout_get_node (self->layout, node, &frame);
  return frame.function < n ? &functions[frame.function] : NULL;
}

/**
 * cs_flame_picture_get_threads:
 * @self: a picture
 *
 * Returns: (transfer none) (nullable): its profile's tree by thread, where it was needed
 */
CsThreadTree *
cs_flame_picture_get_threads (CsFlamePicture *self)
{
  return self->threads;
}

/**
 * cs_flame_picture_get_thread:
 * @self: a picture
 * @node: a frame
 *
 * Returns: row in the profile's threads of the one that the frame belongs to; %CS_FLAME_NO_THREAD: to all of them
 */
guint
cs_flame_picture_get_thread (CsFlamePicture *self, guint32 node)
{
  CsFlameNode frame;

  if (!self->choice.by_thread || node == 0)
    return CS_FLAME_NO_THREAD;
  do
    {
      cs_flame_layout_get_node (self->layout, node, &frame);
      node = frame.parent;
    }
  while (node != 0);
  return cs_call_node_is_thread (frame.function) ? frame.function - CS_CALL_NODE_THREAD : CS_FLAME_NO_THREAD;
}

/* Of the frame and those below it, as much as there is of a path. */
static guint32
follow (CsFlamePicture *self, guint32 node, const guint *functions, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      CsFlameNode frame, child;
      guint32 next = CS_FLAME_NONE;

      cs_flame_layout_get_node (self->layout, node, &frame);
      for (guint32 j = frame.first_child; j < frame.first_child + frame.n_children && next == CS_FLAME_NONE; j++)
        {
          cs_flame_layout_get_node (self->layout, j, &child);
          if (child.function == functions[i])
            next = j;
        }
      if (next == CS_FLAME_NONE)
        break;
      node = next;
    }
  return node;
}

/**
 * cs_flame_picture_find_path:
 * @self: a picture
 * @thread: row of the thread that is preferred where threads lie beside each other; %CS_FLAME_NO_THREAD: any
 * @functions: (array length=n) (nullable): indices, the outermost first
 * @n: how many
 *
 * Returns: the frame with that path, or as much of it as there is: at worst the root, or the thread's frame
 */
guint32
cs_flame_picture_find_path (CsFlamePicture *self, guint thread, const guint *functions, guint n)
{
  CsFlameNode root, frame;
  guint32 best = 0;
  guint64 most = 0; /* twice the depth, and one for the preferred thread */

  if (!self->choice.by_thread)
    return cs_flame_layout_find_path (self->layout, functions, n);
  cs_flame_layout_get_node (self->layout, 0, &root);
  for (guint32 i = root.first_child; i < root.first_child + root.n_children; i++)
    {
      gboolean preferred;
      guint32 node;

      cs_flame_layout_get_node (self->layout, i, &frame);
      preferred = thread != CS_FLAME_NO_THREAD && frame.function == CS_CALL_NODE_THREAD + thread;
      if (!preferred && n == 0)
        continue;
      node = follow (self, i, functions, n);
      cs_flame_layout_get_node (self->layout, node, &frame);
      if ((preferred || frame.depth > 1) && 2 * (guint64) frame.depth + preferred > most)
        {
          best = node;
          most = 2 * (guint64) frame.depth + preferred;
        }
    }
  return best;
}

/**
 * cs_flame_picture_find_widest:
 * @self: a picture
 * @function: index in the profile
 *
 * Returns: the function's widest frame; %CS_FLAME_NONE: it has none
 */
guint32
cs_flame_picture_find_widest (CsFlamePicture *self, guint function)
{
  guint n;

  cs_profile_get_functions (self->profile, &n);
  return function < n ? self->widest[function] : CS_FLAME_NONE;
}

/**
 * cs_flame_picture_dup_functions:
 * @self: a picture
 * @node: a frame
 *
 * Returns: (transfer full) (element-type guint): the functions of the frames from below the root, or the thread's, to @node
 */
GArray *
cs_flame_picture_dup_functions (CsFlamePicture *self, guint32 node)
{
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));
  GArray *functions = g_array_new (FALSE, FALSE, sizeof (guint));

  cs_flame_layout_get_path (self->layout, node, path);
  for (guint i = 1; i < path->len; i++)
    {
      CsFlameNode frame;
      guint function;

      cs_flame_layout_get_node (self->layout, g_array_index (path, guint32, i), &frame);
      function = frame.function;
      if (!cs_call_node_is_thread (frame.function))
        g_array_append_val (functions, function);
    }
  return functions;
}

/* Longer paths aren't looked for in another profile. */
#define MOST_TRANSLATED 1000

static gboolean
translate (const CsFunction *function, const CsFunction *others, guint n_others, guint *index)
{
  /* Profiles of one recording mostly number functions alike. */
  for (guint i = 0; i < n_others; i++)
    {
      guint j = (*index + i) % n_others;

      if (others[j].location.address == function->location.address
          && g_strcmp0 (others[j].location.module, function->location.module) == 0)
        {
          *index = j;
          return TRUE;
        }
    }
  return FALSE;
}

/**
 * cs_flame_picture_translate:
 * @self: a picture
 * @profile: another profile of the recording
 * @functions: (element-type guint): indices of functions in the profile of @self; made those in @profile
 *
 * Returns: whether @profile has them all
 */
gboolean
cs_flame_picture_translate (CsFlamePicture *self, CsProfile *profile, GArray *functions)
{
  guint n, n_others;
  const CsFunction *all = cs_profile_get_functions (self->profile, &n);
  const CsFunction *others = cs_profile_get_functions (profile, &n_others);

  if (self->profile == profile)
    return TRUE;
  if (functions->len > MOST_TRANSLATED)
    return FALSE;
  for (guint i = 0; i < functions->len; i++)
    {
      guint *index = &g_array_index (functions, guint, i);

      if (*index >= n || !translate (&all[*index], others, n_others, index))
        return FALSE;
    }
  return TRUE;
}

/**
 * cs_flame_picture_translate_thread:
 * @self: a picture
 * @profile: another profile of the recording
 * @thread: row of a thread in the profile of @self, or %CS_FLAME_NO_THREAD
 *
 * Returns: its row in @profile; %CS_FLAME_NO_THREAD: it has none there
 */
guint
cs_flame_picture_translate_thread (CsFlamePicture *self, CsProfile *profile, guint thread)
{
  guint n, n_others;
  const CsThreadRow *rows = cs_profile_get_threads (self->profile, &n);
  const CsThreadRow *others = cs_profile_get_threads (profile, &n_others);

  for (guint i = 0; thread < n && i < n_others; i++)
    if (others[i].process == rows[thread].process && others[i].tid == rows[thread].tid && others[i].seq == rows[thread].seq)
      return i;
  return CS_FLAME_NO_THREAD;
}

/* A frame among those that are compared by width. */
typedef struct
{
  guint64 width;
  guint32 node;
} Candidate;

static gboolean
is_behind (const Candidate *a, const Candidate *b)
{
  return a->width != b->width ? a->width < b->width : a->node > b->node;
}

/* A heap with the narrowest on top. */
static void
sink (Candidate *heap, guint n)
{
  for (guint i = 0;;)
    {
      guint child = 2 * i + 1;
      Candidate swap = heap[i];

      if (child + 1 < n && is_behind (&heap[child + 1], &heap[child]))
        child++;
      if (child >= n || !is_behind (&heap[child], &heap[i]))
        return;
      heap[i] = heap[child];
      heap[child] = swap;
      i = child;
    }
}

static void
rise (Candidate *heap, guint i)
{
  while (i > 0 && is_behind (&heap[i], &heap[(i - 1) / 2]))
    {
      Candidate swap = heap[i];

      heap[i] = heap[(i - 1) / 2];
      heap[(i - 1) / 2] = swap;
      i = (i - 1) / 2;
    }
}

/**
 * cs_flame_picture_list_widest:
 * @self: a picture
 * @node: a frame
 * @most: how many to list
 * @n_all: (out): how many frames there are at and below it
 * @cancellable: (nullable): to give up early
 *
 * Returns: (transfer full) (element-type guint32): the widest frames at and below @node, the widest first; the root isn't
 *   one of them
 */
GArray *
cs_flame_picture_list_widest (CsFlamePicture *self, guint32 node, guint most, guint32 *n_all, GCancellable *cancellable)
{
  g_autofree Candidate *heap = g_new (Candidate, MAX (most, 1));
  GArray *list;
  guint32 first = node, end = node + 1;
  guint n = 0;

  *n_all = 0;
  /* Of each row it is a range of neighbours. */
  while (first < end && !g_cancellable_is_cancelled (cancellable))
    {
      CsFlameNode frame = { 0 };
      guint32 next = 0;

      for (guint32 i = first; i < end; i++)
        {
          Candidate candidate;

          cs_flame_layout_get_node (self->layout, i, &frame);
          if (i == first)
            next = frame.first_child;
          if (i == 0)
            continue;
          ++*n_all;
          candidate = (Candidate){ frame.width, i };
          if (n < most)
            {
              heap[n] = candidate;
              rise (heap, n++);
            }
          else if (most > 0 && is_behind (&heap[0], &candidate))
            {
              heap[0] = candidate;
              sink (heap, n);
            }
        }
      first = next;
      end = frame.first_child + frame.n_children;
    }
  list = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n);
  g_array_set_size (list, n);
  for (; n > 0; n--)
    {
      g_array_index (list, guint32, n - 1) = heap[0].node;
      heap[0] = heap[n - 1];
      sink (heap, n - 1);
    }
  return list;
}
