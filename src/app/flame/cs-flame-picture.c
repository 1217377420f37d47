/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "flame/cs-flame-picture.h"

struct _CsFlamePicture
{
  gatomicrefcount refs;
  CsProfile *profile;
  CsFlameLayout *layout;
  CsFlameChoice choice;
  guint32 *widest; /* by function: its widest frame; CS_FLAME_NONE: it has none */
};

/* What a picture is made of, until it is there. */
typedef struct
{
  CsProfile *profile;
  CsFlameChoice choice;
  guint8 *marks; /* (nullable) */
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_object_unref (request->profile);
  g_free (request->marks);
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

/**
 * cs_flame_picture_new:
 * @profile: a profile with a call tree
 * @choice: how its calls are shown
 * @marks: (nullable): a CsFlameMark for each function
 * @cancellable: (nullable): to give up early
 *
 * Lays a profile's calls out, which takes time that grows with them.
 *
 * Returns: (transfer full) (nullable): the picture; %NULL: cancelled
 */
CsFlamePicture *
cs_flame_picture_new (CsProfile *profile, const CsFlameChoice *choice, const guint8 *marks, GCancellable *cancellable)
{
  const CsFlameOptions options = { .kind = choice->kind, .order = choice->order, .collapse = choice->collapse,
                                   .marks = marks };
  guint n_nodes, n_functions;
  const CsCallNode *nodes = cs_profile_get_tree (profile, &n_nodes);
  const CsFunction *functions = cs_profile_get_functions (profile, &n_functions);
  CsFlameLayout *layout = cs_flame_layout_new (&options, nodes, n_nodes, functions, n_functions, cancellable);
  CsFlamePicture *self;

  if (layout == NULL)
    return NULL;
  self = g_new0 (CsFlamePicture, 1);
  g_atomic_ref_count_init (&self->refs);
  self->profile = g_object_ref (profile);
  self->layout = layout;
  self->choice = *choice;
  find_widest (self);
  return self;
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Request *request = data;
  CsFlamePicture *self = cs_flame_picture_new (request->profile, &request->choice, request->marks, cancellable);

  if (self != NULL)
    g_task_return_pointer (task, self, (GDestroyNotify) cs_flame_picture_unref);
  else
    g_task_return_error_if_cancelled (task);
}

/**
 * cs_flame_picture_new_async:
 * @profile: a profile with a call tree
 * @choice: how its calls are shown
 * @marks: (nullable) (transfer full): a CsFlameMark for each function
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when it is there
 * @user_data: for @callback
 *
 * Does what cs_flame_picture_new() does, in a thread.
 */
void
cs_flame_picture_new_async (CsProfile *profile, const CsFlameChoice *choice, guint8 *marks, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Request *request = g_new0 (Request, 1);

  request->profile = g_object_ref (profile);
  request->choice = *choice;
  request->marks = marks;
  g_task_set_source_tag (task, cs_flame_picture_new_async);
  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, run);
}

/**
 * cs_flame_picture_new_finish:
 * @result: what the callback got
 * @error: where to say why there is none
 *
 * Returns: (transfer full) (nullable): the picture; %NULL: cancelled
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
 * Returns: (transfer full) (element-type guint): the functions of the frames from below the root to @node
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
      g_array_append_val (functions, function);
    }
  return functions;
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
