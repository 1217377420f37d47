/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "calls/cs-call-log-model.h"

/* So many lines are opened at once below a line, about. */
#define MOST_TO_EXPAND 2000

/* A line, or what stands for lines that aren't read. */
typedef struct Node Node;

struct Node
{
  Node *parent;    /* (nullable) */
  GPtrArray *children; /* (element-type Node) (nullable): not read yet */
  guint index;     /* among the parent's */
  guint level;
  CsCallLogRowKind kind;
  gboolean expanded, kept;
  gboolean has_self, member;
  guint64 self;
  CsCallLogEntry entry; /* of a line */
  CsCallLogWalk walk;   /* what else stands for */
};

/* Something that is being read. */
typedef struct
{
  CsCallLogModel *model;
  CsCallLogJob *job;
  Node *slot;        /* (nullable): stands where lines come */
  GPtrArray *levels; /* (element-type GPtrArray of Node): lines that have come, by level */
  GPtrArray *slots;  /* (element-type Node) (nullable elements): the same of each level */
  gboolean reveals;
  gboolean finds;    /* it looks for any call of some functions */
  gboolean fold;     /* the line that the call is in will do */
  guint64 position;  /* of the call that is to be revealed */
} Reading;

struct _CsCallLogModel
{
  GObject parent_instance;

  CsCallLogSource source; /* timeline is NULL: there is none */
  CsPlaces *places;
  Node *root;         /* whose children are the outermost calls */
  GPtrArray *rows;    /* (element-type Node): that are shown */
  GPtrArray *gone;    /* (element-type Node): that rows may still be there for */
  GPtrArray *readings; /* (element-type Reading) */
  Reading *revealing; /* (nullable): of these, the one that looks for a call */
  GArray *path;       /* (element-type CsCallLogEntry) (nullable): is followed when what is read there has come */
  gboolean fold_path; /* the line that its call is in will do */
};

enum
{
  PROP_BUSY = 1,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

enum
{
  CHANGING,
  CHANGED,
  REVEALED,
  MISSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsCallLogModel, cs_call_log_model, G_TYPE_OBJECT)

static const CsCallLogListener listener;

static Node *
node_new (Node *parent, CsCallLogRowKind kind)
{
  Node *node = g_new0 (Node, 1);

  node->parent = parent;
  node->kind = kind;
  node->level = parent != NULL && parent->parent != NULL ? parent->level + 1 : 0;
  return node;
}

/* Trees may be 100,000 calls deep. */
static void
node_free (Node *root)
{
  GPtrArray *left = g_ptr_array_new ();

  g_ptr_array_add (left, root);
  while (left->len > 0)
    {
      Node *node = g_ptr_array_steal_index_fast (left, left->len - 1);

      if (node->children != NULL)
        {
          g_ptr_array_extend (left, node->children, NULL, NULL);
          g_ptr_array_unref (node->children);
        }
      g_free (node);
    }
  g_ptr_array_unref (left);
}

static gboolean
is_expandable (const Node *node)
{
  return node->kind == CS_CALL_LOG_ROW_LINE && node->entry.kind == CS_CALL_LOG_CALLS && (node->entry.n > 1 || node->entry.nested);
}

static void
renumber (Node *parent, guint from)
{
  for (guint i = from; i < parent->children->len; i++)
    ((Node *) parent->children->pdata[i])->index = i;
}

static void
insert_child (Node *parent, guint index, Node *child)
{
  g_ptr_array_insert (parent->children, (gint) index, child);
  renumber (parent, index);
}

/* It is freed once no row is there for it. */
static void
remove_child (CsCallLogModel *self, Node *child)
{
  Node *parent = child->parent;
  guint index = child->index;

  g_ptr_array_remove_index (parent->children, index);
  renumber (parent, index);
  g_ptr_array_add (self->gone, child);
}

/* The rows that are to be shown. */
static GPtrArray *
list_rows (CsCallLogModel *self)
{
  GPtrArray *rows = g_ptr_array_new ();
  Node *node = self->root;

  for (;;)
    {
      if (node->expanded && node->children != NULL && node->children->len > 0)
        node = node->children->pdata[0];
      else
        {
          while (node->parent != NULL && node->index + 1 == node->parent->children->len)
            node = node->parent;
          if (node->parent == NULL)
            return rows;
          node = node->parent->children->pdata[node->index + 1];
        }
      g_ptr_array_add (rows, node);
    }
}

/* Shows what is open by now. first: rows before this one stayed as they were */
static void
show (CsCallLogModel *self, guint first)
{
  GPtrArray *rows = list_rows (self), *old = self->rows;
  guint same = 0;

  while (same < MIN (rows->len, old->len) && same < first && rows->pdata[same] == old->pdata[same])
    same++;
  g_signal_emit (self, signals[CHANGING], 0);
  self->rows = rows;
  g_ptr_array_unref (old);
  g_ptr_array_set_size (self->gone, 0);
  cs_places_update (self->places, rows->len, same);
  g_signal_emit (self, signals[CHANGED], 0);
}

static guint
find_row (CsCallLogModel *self, const Node *node)
{
  guint position;

  return g_ptr_array_find (self->rows, node, &position) ? position : G_MAXUINT;
}

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  cs_call_log_job_cancel (reading->job);
  cs_call_log_job_unref (reading->job);
  g_ptr_array_unref (reading->levels);
  g_ptr_array_unref (reading->slots);
  g_free (reading);
}

static void
notify_busy (CsCallLogModel *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void
end_reading (Reading *reading)
{
  CsCallLogModel *self = reading->model;

  if (self->revealing == reading)
    self->revealing = NULL;
  g_ptr_array_remove (self->readings, reading);
  notify_busy (self);
}

static Reading *
reading_new (CsCallLogModel *self, Node *slot)
{
  Reading *reading = g_new0 (Reading, 1);

  reading->model = self;
  reading->slot = slot;
  reading->levels = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  reading->slots = g_ptr_array_new ();
  g_ptr_array_add (self->readings, reading);
  return reading;
}

static Reading *
find_reading (CsCallLogJob *job, gpointer user_data)
{
  CsCallLogModel *self = user_data;

  for (guint i = 0; i < self->readings->len; i++)
    if (((Reading *) self->readings->pdata[i])->job == job)
      return self->readings->pdata[i];
  g_assert_not_reached ();
}

/* Where lines of a level come: before its slot. */
static Node *
begin_level (Reading *reading, const CsCallLogPiece *piece)
{
  Node *slot = reading->slot, *parent;
  GPtrArray *above;

  if (piece->parent != G_MAXUINT)
    {
      above = reading->levels->pdata[piece->parent];
      parent = above->pdata[piece->line];
      /* Somebody else may read it, too; that one is dropped. */
      if (parent->children != NULL)
        return NULL;
      parent->children = g_ptr_array_new ();
      parent->expanded = TRUE;
      slot = node_new (parent, CS_CALL_LOG_ROW_WAIT);
      insert_child (parent, 0, slot);
    }
  return slot;
}

static void
take_piece (Reading *reading, const CsCallLogPiece *piece)
{
  GPtrArray *lines;
  Node *slot, *parent;

  if (piece->level >= reading->levels->len)
    {
      g_ptr_array_add (reading->levels, g_ptr_array_new ());
      g_ptr_array_add (reading->slots, begin_level (reading, piece));
    }
  lines = reading->levels->pdata[piece->level];
  slot = reading->slots->pdata[piece->level];
  if (slot == NULL)
    return;
  parent = slot->parent;
  if (piece->first == 0 && piece->before.next != G_MAXUINT64 && lines->len == 0)
    {
      Node *rest = node_new (parent, CS_CALL_LOG_ROW_REST);

      rest->walk = piece->before;
      insert_child (parent, slot->index, rest);
    }
  for (guint i = 0; i < piece->entries->len; i++)
    {
      const CsCallLogEntry *entry = &g_array_index (piece->entries, CsCallLogEntry, i);
      Node *node;

      if (piece->first + i < lines->len)
        node = lines->pdata[piece->first + i];
      else
        {
          node = node_new (parent, CS_CALL_LOG_ROW_LINE);
          node->member = parent->entry.n > 1;
          node->index = slot->index++;
          g_ptr_array_insert (parent->children, (gint) node->index, node);
          g_ptr_array_add (lines, node);
        }
      node->entry = *entry;
    }
  renumber (parent, slot->index);
  if (!piece->done)
    return;
  reading->slots->pdata[piece->level] = NULL;
  if (piece->rest.next != G_MAXUINT64)
    {
      slot->kind = CS_CALL_LOG_ROW_REST;
      slot->walk = piece->rest;
    }
  else
    remove_child (reading->model, slot);
  if (piece->level == 0)
    reading->slot = NULL;
}

static void
on_pieces (CsCallLogJob *job, GPtrArray *pieces, gpointer user_data)
{
  CsCallLogModel *self = user_data;
  Reading *reading = find_reading (job, self);
  guint first = reading->slot != NULL ? find_row (self, reading->slot) : 0;

  for (guint i = 0; i < pieces->len; i++)
    take_piece (reading, pieces->pdata[i]);
  /* The line before may have grown. */
  show (self, first != G_MAXUINT && first > 0 ? first - 1 : first);
}

static void
on_selves (CsCallLogJob *job, GArray *selves, gpointer user_data)
{
  CsCallLogModel *self = user_data;
  Reading *reading = find_reading (job, self);
  guint first = G_MAXUINT;

  for (guint i = 0; i < selves->len; i++)
    {
      const CsCallLogSelf *found = &g_array_index (selves, CsCallLogSelf, i);
      GPtrArray *lines = found->level < reading->levels->len ? reading->levels->pdata[found->level] : NULL;
      Node *node = lines != NULL && found->line < lines->len ? lines->pdata[found->line] : NULL;

      if (node == NULL)
        continue;
      node->self = found->self;
      node->has_self = TRUE;
      if (first == G_MAXUINT)
        first = find_row (self, node);
    }
  if (first != G_MAXUINT)
    cs_places_update (self->places, self->rows->len, first);
}

/* Gives up on what didn't come. */
static void
fail (Reading *reading, const char *text)
{
  CsCallLogModel *self = reading->model;
  Node *slot = reading->slot;

  end_reading (reading);
  if (slot != NULL)
    {
      slot->kind = CS_CALL_LOG_ROW_REST;
      show (self, 0);
    }
  g_signal_emit (self, signals[MISSED], 0, text);
}

static void
miss (CsCallLogModel *self)
{
  g_signal_emit (self, signals[MISSED], 0, _("The call isn’t in what is shown of the recording. Remove a filter to see more."));
}

/* The child that a call is in, among those that are there. */
static Node *
find_child (Node *parent, guint64 position, Node **rest)
{
  *rest = NULL;
  for (guint i = 0; parent->children != NULL && i < parent->children->len; i++)
    {
      Node *node = parent->children->pdata[i];

      if (node->kind == CS_CALL_LOG_ROW_LINE && node->entry.kind == CS_CALL_LOG_CALLS && node->entry.position <= position
          && position < node->entry.behind)
        return node;
      if (node->kind != CS_CALL_LOG_ROW_LINE && node->walk.next <= position && position < node->walk.end)
        *rest = node;
    }
  return NULL;
}

static void
init_walk (CsCallLogModel *self, const Node *node, CsCallLogWalk *walk)
{
  const CsCallLogSource *source = &self->source;

  if (node->entry.n > 1)
    cs_call_log_walk_init_members (walk, source->timeline, source->track, &node->entry, source->t0, source->t1);
  else
    cs_call_log_walk_init (walk, source->timeline, source->track, node->parent != NULL ? &node->entry : NULL, source->t0, source->t1);
}

/* What stands for all that is in a line. */
static Node *
add_slot (CsCallLogModel *self, Node *node)
{
  Node *slot = node_new (node, CS_CALL_LOG_ROW_WAIT);

  init_walk (self, node, &slot->walk);
  node->children = g_ptr_array_new ();
  insert_child (node, 0, slot);
  return slot;
}

static Reading *
read_slot (CsCallLogModel *self, Node *slot)
{
  Reading *reading = reading_new (self, slot);

  slot->kind = CS_CALL_LOG_ROW_WAIT;
  reading->job = cs_call_log_job_read (&self->source, &slot->walk, &listener, self);
  notify_busy (self);
  return reading;
}

static void
reveal_node (CsCallLogModel *self, Node *node)
{
  guint position;

  for (Node *parent = node->parent; parent != NULL; parent = parent->parent)
    parent->expanded = TRUE;
  show (self, G_MAXUINT);
  position = find_row (self, node);
  cs_places_complete (self->places);
  g_signal_emit (self, signals[REVEALED], 0, position);
}

/* Goes along a path through what is there, and has the rest read. */
static void
follow_path (CsCallLogModel *self, const GArray *path, gboolean fold)
{
  Node *node = self->root, *rest;
  guint64 wanted = g_array_index (path, CsCallLogEntry, path->len - 1).position;
  Reading *reading;

  for (guint i = 0; i < path->len;)
    {
      const CsCallLogEntry *entry = &g_array_index (path, CsCallLogEntry, i);
      Node *child = find_child (node, entry->position, &rest);

      if (child != NULL)
        {
          node = child;
          if (node->entry.n > 1 && !node->expanded && fold && i + 1 == path->len)
            break;
          i += node->entry.n == 1;
          continue;
        }
      if (rest == NULL)
        {
          if (node->children != NULL)
            break;
          rest = add_slot (self, node);
        }
      else if (rest->kind == CS_CALL_LOG_ROW_WAIT)
        {
          self->path = g_array_copy ((GArray *) path);
          self->fold_path = fold;
          return;
        }
      rest->kind = CS_CALL_LOG_ROW_WAIT;
      node->expanded = TRUE;
      reading = reading_new (self, rest);
      reading->reveals = TRUE;
      reading->fold = fold;
      reading->position = wanted;
      reading->job = cs_call_log_job_reveal (&self->source, &rest->walk, node->entry.n > 1, fold, entry, path->len - i, &listener, self);
      self->revealing = reading;
      notify_busy (self);
      return;
    }
  if (node != self->root && node->entry.position <= wanted && wanted < node->entry.behind
      && (node->entry.n > 1 || node->entry.position == wanted))
    reveal_node (self, node);
  else
    miss (self);
}

/* The revealed call has been read. */
static void
end_path (CsCallLogModel *self, Reading *reading)
{
  GPtrArray *last = reading->levels->len > 0 ? reading->levels->pdata[reading->levels->len - 1] : NULL;

  for (guint i = 0; last != NULL && i < last->len; i++)
    {
      Node *node = last->pdata[i];

      if (node->entry.kind == CS_CALL_LOG_CALLS && node->entry.position <= reading->position
          && reading->position < node->entry.behind && (reading->fold || node->entry.position == reading->position))
        {
          reveal_node (self, node);
          return;
        }
    }
  miss (self);
}

/* Where one outermost call holds everything it is opened. */
static void
open_single (CsCallLogModel *self)
{
  Node *first = self->root->children->len == 1 ? self->root->children->pdata[0] : NULL;

  if (first != NULL && is_expandable (first) && !first->expanded && first->children == NULL)
    cs_call_log_model_set_expanded (self, 0, TRUE);
}

static void
on_ready (CsCallLogJob *job, const GError *error, gpointer user_data)
{
  CsCallLogModel *self = user_data;
  Reading *reading = find_reading (job, self);
  const GArray *path = cs_call_log_job_get_path (job);

  if (error != NULL)
    fail (reading, error->message);
  else if (self->revealing == reading)
    {
      self->revealing = NULL;
      if (reading->reveals)
        end_path (self, reading);
      else if (path->len > 0)
        {
          const CsCallLogEntry *call = &g_array_index (path, CsCallLogEntry, path->len - 1);

          if (call->start < self->source.t1 && (call->end > self->source.t0 || call->start >= self->source.t0))
            follow_path (self, path, reading->fold);
          else
            miss (self);
        }
      else if (reading->finds)
        g_signal_emit (self, signals[MISSED], 0, NULL);
      else
        miss (self);
    }
  else if (self->path != NULL)
    {
      g_autoptr (GArray) waiting = g_steal_pointer (&self->path);

      follow_path (self, waiting, self->fold_path);
    }
  else
    open_single (self);
}

static void
on_ended (CsCallLogJob *job, gpointer user_data)
{
  end_reading (find_reading (job, user_data));
}

static const CsCallLogListener listener = { on_pieces, on_selves, on_ready, on_ended };

static void
clear (CsCallLogModel *self)
{
  self->revealing = NULL;
  g_clear_pointer (&self->path, g_array_unref);
  g_ptr_array_set_size (self->readings, 0);
  if (self->root != NULL)
    g_ptr_array_add (self->gone, self->root);
  self->root = node_new (NULL, CS_CALL_LOG_ROW_LINE);
  self->root->expanded = TRUE;
}

static void
cs_call_log_model_dispose (GObject *object)
{
  CsCallLogModel *self = CS_CALL_LOG_MODEL (object);

  g_ptr_array_set_size (self->readings, 0);

  G_OBJECT_CLASS (cs_call_log_model_parent_class)->dispose (object);
}

static void
cs_call_log_model_finalize (GObject *object)
{
  CsCallLogModel *self = CS_CALL_LOG_MODEL (object);

  g_clear_pointer (&self->root, node_free);
  g_ptr_array_unref (self->gone);
  g_ptr_array_unref (self->rows);
  g_ptr_array_unref (self->readings);
  g_clear_pointer (&self->path, g_array_unref);
  g_object_unref (self->places);
  g_clear_pointer (&self->source.timeline, cs_timeline_unref);

  G_OBJECT_CLASS (cs_call_log_model_parent_class)->finalize (object);
}

static void
cs_call_log_model_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_BUSY)
    g_value_set_boolean (value, cs_call_log_model_get_busy (CS_CALL_LOG_MODEL (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
cs_call_log_model_class_init (CsCallLogModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GType type = CS_TYPE_CALL_LOG_MODEL;

  object_class->dispose = cs_call_log_model_dispose;
  object_class->finalize = cs_call_log_model_finalize;
  object_class->get_property = cs_call_log_model_get_property;
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[CHANGING] = g_signal_new ("changing", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[REVEALED] = g_signal_new ("revealed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[MISSED] = g_signal_new ("missed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
cs_call_log_model_init (CsCallLogModel *self)
{
  self->places = cs_places_new ();
  self->rows = g_ptr_array_new ();
  self->gone = g_ptr_array_new_with_free_func ((GDestroyNotify) node_free);
  self->readings = g_ptr_array_new_with_free_func (reading_free);
  clear (self);
}

/**
 * cs_call_log_model_new:
 *
 * Returns: (transfer full): a log of nothing
 */
CsCallLogModel *
cs_call_log_model_new (void)
{
  return g_object_new (CS_TYPE_CALL_LOG_MODEL, NULL);
}

/**
 * cs_call_log_model_set_source:
 * @self: a log
 * @source: (nullable): whose calls to show; copied
 */
void
cs_call_log_model_set_source (CsCallLogModel *self, const CsCallLogSource *source)
{
  CsTimeline *old;

  g_return_if_fail (CS_IS_CALL_LOG_MODEL (self));

  old = self->source.timeline;
  if (source != NULL)
    {
      self->source = *source;
      cs_timeline_ref (self->source.timeline);
    }
  else
    self->source = (CsCallLogSource){ NULL };
  clear (self);
  if (source != NULL)
    read_slot (self, add_slot (self, self->root));
  show (self, 0);
  notify_busy (self);
  g_clear_pointer (&old, cs_timeline_unref);
}

/**
 * cs_call_log_model_get_source:
 * @self: a log
 *
 * Returns: (transfer none) (nullable): whose calls are shown
 */
const CsCallLogSource *
cs_call_log_model_get_source (CsCallLogModel *self)
{
  return self->source.timeline != NULL ? &self->source : NULL;
}

/**
 * cs_call_log_model_get_places:
 * @self: a log
 *
 * Returns: (transfer none): the list of its rows
 */
CsPlaces *
cs_call_log_model_get_places (CsCallLogModel *self)
{
  return self->places;
}

/**
 * cs_call_log_model_get_busy:
 * @self: a log
 *
 * Returns: whether something is being read
 */
gboolean
cs_call_log_model_get_busy (CsCallLogModel *self)
{
  return self->readings->len > 0;
}

/**
 * cs_call_log_model_get_n:
 * @self: a log
 *
 * Returns: how many rows it has
 */
guint
cs_call_log_model_get_n (CsCallLogModel *self)
{
  return self->rows->len;
}

/**
 * cs_call_log_model_get_row:
 * @self: a log
 * @position: of a row; where there is none the row waits
 * @row: (out): what is there, until something changes
 */
void
cs_call_log_model_get_row (CsCallLogModel *self, guint position, CsCallLogRow *row)
{
  const Node *node;

  *row = (CsCallLogRow){ .kind = CS_CALL_LOG_ROW_WAIT };
  if (position >= self->rows->len)
    return;
  node = self->rows->pdata[position];
  row->kind = node->kind;
  row->entry = node->kind == CS_CALL_LOG_ROW_LINE ? &node->entry : NULL;
  row->level = node->level;
  row->expandable = is_expandable (node);
  row->expanded = row->expandable && node->expanded;
  row->member = node->member;
  row->has_self = node->has_self;
  row->self = node->self;
}

/**
 * cs_call_log_model_get_parent:
 * @self: a log
 * @position: of a row
 *
 * Returns: position of the row that it stands in; G_MAXUINT: none
 */
guint
cs_call_log_model_get_parent (CsCallLogModel *self, guint position)
{
  const Node *node;

  if (position >= self->rows->len)
    return G_MAXUINT;
  node = self->rows->pdata[position];
  return node->parent->parent != NULL ? find_row (self, node->parent) : G_MAXUINT;
}

/**
 * cs_call_log_model_set_expanded:
 * @self: a log
 * @position: of a row
 * @expanded: whether to show what is in it
 *
 * Returns: whether that is something else than before
 */
gboolean
cs_call_log_model_set_expanded (CsCallLogModel *self, guint position, gboolean expanded)
{
  Node *node;

  if (position >= self->rows->len)
    return FALSE;
  node = self->rows->pdata[position];
  if (!is_expandable (node) || node->expanded == expanded)
    return FALSE;
  node->expanded = expanded;
  if (expanded && node->children == NULL)
    read_slot (self, add_slot (self, node));
  show (self, position);
  return TRUE;
}

/**
 * cs_call_log_model_expand_below:
 * @self: a log
 * @position: of a row
 *
 * Shows what is in it, and in that, up to some number of rows.
 */
void
cs_call_log_model_expand_below (CsCallLogModel *self, guint position)
{
  Reading *reading;
  Node *node;

  if (position >= self->rows->len)
    return;
  node = self->rows->pdata[position];
  if (!is_expandable (node))
    return;
  node->expanded = TRUE;
  /* What is there already is opened a level further. */
  if (node->children != NULL)
    {
      guint n = 0;

      for (guint i = 0; i < node->children->len && n < MOST_TO_EXPAND / 10; i++)
        {
          Node *child = node->children->pdata[i];

          if (!is_expandable (child))
            continue;
          child->expanded = TRUE;
          if (child->children == NULL)
            {
              read_slot (self, add_slot (self, child));
              n++;
            }
        }
    }
  else
    {
      reading = reading_new (self, add_slot (self, node));
      reading->job = cs_call_log_job_expand (&self->source, &node->entry, MOST_TO_EXPAND, &listener, self);
      notify_busy (self);
    }
  show (self, position);
}

/**
 * cs_call_log_model_collapse_all:
 * @self: a log
 *
 * Shows the outermost calls alone.
 */
void
cs_call_log_model_collapse_all (CsCallLogModel *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    ((Node *) self->rows->pdata[i])->expanded = FALSE;
  show (self, 0);
}

/**
 * cs_call_log_model_load:
 * @self: a log
 * @position: of a row that stands for more rows
 *
 * Reads some of these.
 */
void
cs_call_log_model_load (CsCallLogModel *self, guint position)
{
  Node *node;

  if (position >= self->rows->len)
    return;
  node = self->rows->pdata[position];
  if (node->kind != CS_CALL_LOG_ROW_REST)
    return;
  read_slot (self, node);
  show (self, position);
}

/* Of what looks for a call only the last goes on. */
static Reading *
begin_search (CsCallLogModel *self)
{
  Reading *old = self->revealing;

  g_clear_pointer (&self->path, g_array_unref);
  if (old != NULL && old->slot == NULL)
    end_reading (old);
  return self->revealing = reading_new (self, NULL);
}

/**
 * cs_call_log_model_reveal:
 * @self: a log
 * @call: a call, as cs_call_log_job_path() has it
 * @fold: whether a line with many calls of which it is one will do
 *
 * Opens all rows that a call is in. "revealed" or "missed" follows.
 */
void
cs_call_log_model_reveal (CsCallLogModel *self, const CsTimelineSpan *call, gboolean fold)
{
  Reading *reading;

  if (self->source.timeline == NULL)
    return;
  reading = begin_search (self);
  reading->fold = fold;
  reading->job = cs_call_log_job_path (&self->source, call, &listener, self);
  notify_busy (self);
}

/**
 * cs_call_log_model_find:
 * @self: a log
 * @from: position of the row to begin at; G_MAXUINT: none
 * @skip: whether all calls of that row are left out
 * @backwards: whether the call before it is wanted
 * @match: says which functions are looked for; called in a thread
 * @match_data: for @match
 * @free_match: frees it
 *
 * Looks for the nearest call of some functions, and opens all rows that it is in, but not one with many calls of which it
 * is one. "revealed" or "missed" follows, with NULL where there is none.
 */
void
cs_call_log_model_find (CsCallLogModel *self, guint from, gboolean skip, gboolean backwards, CsCallLogMatch match, gpointer match_data,
                   GDestroyNotify free_match)
{
  guint64 position = G_MAXUINT64;
  Reading *reading;

  if (self->source.timeline == NULL)
    {
      free_match (match_data);
      return;
    }
  if (from < self->rows->len)
    {
      const Node *node = self->rows->pdata[from];

      position = node->kind == CS_CALL_LOG_ROW_LINE ? node->entry.position : node->walk.next;
      if (skip && !backwards && node->kind == CS_CALL_LOG_ROW_LINE && node->entry.n > 1)
        position = node->entry.behind - 1;
    }
  reading = begin_search (self);
  reading->fold = reading->finds = TRUE;
  reading->job = cs_call_log_job_find (&self->source, position, backwards, match, match_data, free_match, &listener, self);
  notify_busy (self);
}

/**
 * cs_call_log_model_keep:
 * @self: a log
 * @positions: of rows
 *
 * Remembers which rows are there, wherever they go: see cs_call_log_model_dup_kept().
 */
void
cs_call_log_model_keep (CsCallLogModel *self, const GtkBitset *positions)
{
  GtkBitsetIter iter;
  guint position;

  for (guint i = 0; i < self->rows->len; i++)
    ((Node *) self->rows->pdata[i])->kept = FALSE;
  for (gboolean more = gtk_bitset_iter_init_first (&iter, positions, &position); more;
       more = gtk_bitset_iter_next (&iter, &position))
    if (position < self->rows->len)
      ((Node *) self->rows->pdata[position])->kept = TRUE;
}

/**
 * cs_call_log_model_dup_kept:
 * @self: a log
 *
 * Returns: (transfer full): where the rows are that were to be kept
 */
GtkBitset *
cs_call_log_model_dup_kept (CsCallLogModel *self)
{
  GtkBitset *positions = gtk_bitset_new_empty ();

  for (guint i = 0; i < self->rows->len; i++)
    if (((Node *) self->rows->pdata[i])->kept)
      gtk_bitset_add (positions, i);
  return positions;
}
