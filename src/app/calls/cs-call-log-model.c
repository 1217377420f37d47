/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "calls/cs-call-log-model-private.h"

/* So many lines are opened at once below a line, about. */
#define MOST_TO_EXPAND 2000

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

/* What is selected and isn't shown any more leaves that to what came instead, or to the row that was folded. */
static void
bequeath (CsCallLogModel *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      CsCallLogNode *node = self->rows->pdata[i], *heir = node->heir != NULL ? node->heir : node;

      if (!node->kept)
        continue;
      for (CsCallLogNode *parent = heir->parent; parent != NULL; parent = parent->parent)
        if (!parent->expanded)
          heir = parent;
      node->kept = FALSE;
      heir->kept = TRUE;
    }
}

/**
 * cs_call_log_model_show:
 * @self: a log
 * @first: rows before this one stayed as they were
 *
 * Shows what is open by now.
 */
void
cs_call_log_model_show (CsCallLogModel *self, guint first)
{
  GPtrArray *rows = cs_call_log_node_list_rows (self->root), *old = self->rows;
  guint same = 0;

  while (same < MIN (rows->len, old->len) && same < first && rows->pdata[same] == old->pdata[same])
    same++;
  g_signal_emit (self, signals[CHANGING], 0);
  bequeath (self);
  self->rows = rows;
  g_ptr_array_unref (old);
  g_ptr_array_set_size (self->gone, 0);
  cs_places_update (self->places, rows->len, same);
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * cs_call_log_model_find_row:
 * @self: a log
 * @node: a node
 *
 * Returns: position of its row; %G_MAXUINT: it isn't shown
 */
guint
cs_call_log_model_find_row (CsCallLogModel *self, const CsCallLogNode *node)
{
  guint position;

  return g_ptr_array_find (self->rows, node, &position) ? position : G_MAXUINT;
}

static void
reading_free (gpointer data)
{
  CsCallLogReading *reading = data;

  cs_call_log_job_cancel (reading->job);
  cs_call_log_job_unref (reading->job);
  g_ptr_array_unref (reading->levels);
  g_ptr_array_unref (reading->slots);
  g_free (reading);
}

/**
 * cs_call_log_model_notify_busy:
 * @self: a log
 *
 * Tells that reading began or ended.
 */
void
cs_call_log_model_notify_busy (CsCallLogModel *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

/**
 * cs_call_log_model_end:
 * @reading: (transfer full): a reading
 *
 * Gives it up, or is done with it.
 */
void
cs_call_log_model_end (CsCallLogReading *reading)
{
  CsCallLogModel *self = reading->model;

  if (self->revealing == reading)
    self->revealing = NULL;
  g_ptr_array_remove (self->readings, reading);
  cs_call_log_model_notify_busy (self);
}

/**
 * cs_call_log_model_begin:
 * @self: a log
 * @slot: (nullable): stands where lines come
 *
 * Returns: (transfer none): a reading that still needs its job
 */
CsCallLogReading *
cs_call_log_model_begin (CsCallLogModel *self, CsCallLogNode *slot)
{
  CsCallLogReading *reading = g_new0 (CsCallLogReading, 1);

  reading->model = self;
  reading->slot = slot;
  reading->levels = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  reading->slots = g_ptr_array_new ();
  g_ptr_array_add (self->readings, reading);
  return reading;
}

static CsCallLogReading *
find_reading (CsCallLogJob *job, gpointer user_data)
{
  CsCallLogModel *self = user_data;

  for (guint i = 0; i < self->readings->len; i++)
    if (((CsCallLogReading *) self->readings->pdata[i])->job == job)
      return self->readings->pdata[i];
  g_assert_not_reached ();
}

static void
on_pieces (CsCallLogJob *job, GPtrArray *pieces, gpointer user_data)
{
  CsCallLogModel *self = user_data;
  CsCallLogReading *reading = find_reading (job, self);
  guint first = reading->slot != NULL ? cs_call_log_model_find_row (self, reading->slot) : 0;

  for (guint i = 0; i < pieces->len; i++)
    cs_call_log_reading_take (reading, pieces->pdata[i]);
  /* The line before may have grown. */
  cs_call_log_model_show (self, reading->reveals ? 0 : first != G_MAXUINT && first > 0 ? first - 1 : first);
}

static void
on_selves (CsCallLogJob *job, GArray *selves, gpointer user_data)
{
  CsCallLogModel *self = user_data;
  CsCallLogReading *reading = find_reading (job, self);
  guint first = G_MAXUINT;

  for (guint i = 0; i < selves->len; i++)
    {
      const CsCallLogSelf *found = &g_array_index (selves, CsCallLogSelf, i);
      GPtrArray *lines = found->level < reading->levels->len ? reading->levels->pdata[found->level] : NULL;
      CsCallLogNode *node = lines != NULL && found->line < lines->len ? lines->pdata[found->line] : NULL;

      if (node == NULL)
        continue;
      node->self = found->self;
      node->has_self = TRUE;
      if (first == G_MAXUINT)
        first = cs_call_log_model_find_row (self, node);
    }
  if (first != G_MAXUINT)
    cs_places_update (self->places, self->rows->len, first);
}

/* Gives up on what didn't come. */
static void
fail (CsCallLogReading *reading, const char *text)
{
  CsCallLogModel *self = reading->model;
  CsCallLogNode *slot = reading->slot;

  g_clear_pointer (&self->path, g_array_unref);
  cs_call_log_model_end (reading);
  if (slot != NULL)
    {
      slot->kind = CS_CALL_LOG_ROW_REST;
      cs_call_log_model_show (self, 0);
    }
  g_signal_emit (self, signals[MISSED], 0, text);
}

static void
init_walk (CsCallLogModel *self, const CsCallLogNode *node, CsCallLogWalk *walk)
{
  const CsCallLogSource *source = &self->source;

  if (node->entry.n > 1)
    cs_call_log_walk_init_members (walk, source->timeline, source->track, &node->entry, source->t0, source->t1);
  else
    cs_call_log_walk_init (walk, source->timeline, source->track, node->parent != NULL ? &node->entry : NULL, source->t0, source->t1);
}

/**
 * cs_call_log_model_add_slot:
 * @self: a log
 * @node: a node of which nothing was read
 *
 * Returns: (transfer none): a new node that stands for all that is in it
 */
CsCallLogNode *
cs_call_log_model_add_slot (CsCallLogModel *self, CsCallLogNode *node)
{
  CsCallLogNode *slot = cs_call_log_node_new (node, CS_CALL_LOG_ROW_WAIT);

  init_walk (self, node, &slot->walk);
  node->children = g_ptr_array_new ();
  cs_call_log_node_insert (node, 0, slot);
  return slot;
}

static CsCallLogReading *
read_slot (CsCallLogModel *self, CsCallLogNode *slot)
{
  CsCallLogReading *reading = cs_call_log_model_begin (self, slot);

  slot->kind = CS_CALL_LOG_ROW_WAIT;
  slot->heir = NULL;
  reading->job = cs_call_log_job_read (&self->source, &slot->walk, &cs_call_log_model_listener, self);
  cs_call_log_model_notify_busy (self);
  return reading;
}

/* Where one outermost call holds everything it is opened. */
static void
open_single (CsCallLogModel *self)
{
  CsCallLogNode *first = self->root->children->len == 1 ? self->root->children->pdata[0] : NULL;

  if (first != NULL && cs_call_log_node_is_expandable (first) && !first->expanded && first->children == NULL)
    cs_call_log_model_set_expanded (self, 0, TRUE);
}

static void
on_ready (CsCallLogJob *job, const GError *error, gpointer user_data)
{
  CsCallLogModel *self = user_data;
  CsCallLogReading *reading = find_reading (job, self);
  const GArray *path = cs_call_log_job_get_path (job);

  if (error != NULL)
    fail (reading, error->message);
  else if (self->revealing == reading)
    {
      self->revealing = NULL;
      if (reading->reveals)
        cs_call_log_model_end_path (self, reading);
      else if (path->len > 0)
        {
          const CsCallLogEntry *call = &g_array_index (path, CsCallLogEntry, path->len - 1);

          if (call->start < self->source.t1 && (call->end > self->source.t0 || call->start >= self->source.t0))
            cs_call_log_model_follow_path (self, path, reading->fold);
          else
            cs_call_log_model_miss (self);
        }
      else if (reading->finds)
        g_signal_emit (self, signals[MISSED], 0, NULL);
      else
        cs_call_log_model_miss (self);
    }
  else if (self->path != NULL)
    {
      g_autoptr (GArray) waiting = g_steal_pointer (&self->path);

      cs_call_log_model_follow_path (self, waiting, self->fold_path);
    }
  else
    open_single (self);
}

static void
on_ended (CsCallLogJob *job, gpointer user_data)
{
  cs_call_log_model_end (find_reading (job, user_data));
}

const CsCallLogListener cs_call_log_model_listener = { on_pieces, on_selves, on_ready, on_ended };

static void
clear (CsCallLogModel *self)
{
  self->revealing = NULL;
  g_clear_pointer (&self->path, g_array_unref);
  g_ptr_array_set_size (self->readings, 0);
  if (self->root != NULL)
    g_ptr_array_add (self->gone, self->root);
  self->root = cs_call_log_node_new (NULL, CS_CALL_LOG_ROW_LINE);
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

  g_clear_pointer (&self->root, cs_call_log_node_free);
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
  self->gone = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_call_log_node_free);
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
    read_slot (self, cs_call_log_model_add_slot (self, self->root));
  cs_call_log_model_show (self, 0);
  cs_call_log_model_notify_busy (self);
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
  const CsCallLogNode *node;

  *row = (CsCallLogRow){ .kind = CS_CALL_LOG_ROW_WAIT };
  if (position >= self->rows->len)
    return;
  node = self->rows->pdata[position];
  row->kind = node->kind;
  row->entry = node->kind == CS_CALL_LOG_ROW_LINE ? &node->entry : NULL;
  row->level = node->level;
  row->expandable = cs_call_log_node_is_expandable (node);
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
  const CsCallLogNode *node;

  if (position >= self->rows->len)
    return G_MAXUINT;
  node = self->rows->pdata[position];
  return node->parent->parent != NULL ? cs_call_log_model_find_row (self, node->parent) : G_MAXUINT;
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
  CsCallLogNode *node;

  if (position >= self->rows->len)
    return FALSE;
  node = self->rows->pdata[position];
  if (!cs_call_log_node_is_expandable (node) || node->expanded == expanded)
    return FALSE;
  node->expanded = expanded;
  if (expanded && node->children == NULL)
    read_slot (self, cs_call_log_model_add_slot (self, node));
  cs_call_log_model_show (self, position);
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
  CsCallLogReading *reading;
  CsCallLogNode *node;

  if (position >= self->rows->len)
    return;
  node = self->rows->pdata[position];
  if (!cs_call_log_node_is_expandable (node))
    return;
  node->expanded = TRUE;
  /* What is there already is opened a level further. */
  if (node->children != NULL)
    {
      guint n = 0;

      for (guint i = 0; i < node->children->len && n < MOST_TO_EXPAND / 10; i++)
        {
          CsCallLogNode *child = node->children->pdata[i];

          if (!cs_call_log_node_is_expandable (child))
            continue;
          child->expanded = TRUE;
          if (child->children == NULL)
            {
              read_slot (self, cs_call_log_model_add_slot (self, child));
              n++;
            }
        }
    }
  else
    {
      reading = cs_call_log_model_begin (self, cs_call_log_model_add_slot (self, node));
      reading->job = cs_call_log_job_expand (&self->source, &node->entry, MOST_TO_EXPAND, &cs_call_log_model_listener, self);
      cs_call_log_model_notify_busy (self);
    }
  cs_call_log_model_show (self, position);
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
    ((CsCallLogNode *) self->rows->pdata[i])->expanded = FALSE;
  cs_call_log_model_show (self, 0);
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
  CsCallLogNode *node;

  if (position >= self->rows->len)
    return;
  node = self->rows->pdata[position];
  if (node->kind != CS_CALL_LOG_ROW_REST)
    return;
  read_slot (self, node);
  cs_call_log_model_show (self, position);
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
    ((CsCallLogNode *) self->rows->pdata[i])->kept = FALSE;
  for (gboolean more = gtk_bitset_iter_init_first (&iter, positions, &position); more;
       more = gtk_bitset_iter_next (&iter, &position))
    if (position < self->rows->len)
      ((CsCallLogNode *) self->rows->pdata[position])->kept = TRUE;
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
    if (((CsCallLogNode *) self->rows->pdata[i])->kept)
      gtk_bitset_add (positions, i);
  return positions;
}
