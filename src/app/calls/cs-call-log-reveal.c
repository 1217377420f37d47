/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "calls/cs-call-log-model-private.h"

/**
 * cs_call_log_model_miss:
 * @self: a log
 *
 * Says that the call that is looked for isn't there.
 */
void
cs_call_log_model_miss (CsCallLogModel *self)
{
  g_signal_emit_by_name (self, "missed", _("The call isn’t in what is shown of the recording. Remove a filter to see more."));
}

static void
reveal_node (CsCallLogModel *self, CsCallLogNode *node)
{
  guint position;

  for (CsCallLogNode *parent = node->parent; parent != NULL; parent = parent->parent)
    parent->expanded = TRUE;
  /* Rows that stay were folded. */
  cs_call_log_model_show (self, 0);
  position = cs_call_log_model_find_row (self, node);
  cs_places_complete (self->places);
  g_signal_emit_by_name (self, "revealed", position);
}

/**
 * cs_call_log_model_follow_path:
 * @self: a log
 * @path: (element-type CsCallLogEntry): calls in each other, outermost first
 * @fold: whether a line with many calls of which the last one is one will do
 *
 * Goes along them through what is there, and has the rest read.
 */
void
cs_call_log_model_follow_path (CsCallLogModel *self, const GArray *path, gboolean fold)
{
  CsCallLogNode *node = self->root, *rest;
  guint64 wanted = g_array_index (path, CsCallLogEntry, path->len - 1).position;
  CsCallLogReading *reading;

  for (guint i = 0; i < path->len;)
    {
      const CsCallLogEntry *entry = &g_array_index (path, CsCallLogEntry, i);
      CsCallLogNode *child = cs_call_log_node_find (node, entry->position, &rest);

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
          rest = cs_call_log_model_add_slot (self, node);
        }
      else if (rest->kind == CS_CALL_LOG_ROW_WAIT)
        {
          self->path = g_array_copy ((GArray *) path);
          self->fold_path = fold;
          return;
        }
      rest->kind = CS_CALL_LOG_ROW_WAIT;
      node->expanded = TRUE;
      reading = cs_call_log_model_begin (self, rest);
      reading->reveals = TRUE;
      reading->fold = fold;
      reading->position = wanted;
      reading->job = cs_call_log_job_reveal (&self->source, &rest->walk, node->entry.n > 1, fold, entry, path->len - i, &cs_call_log_model_listener, self);
      self->revealing = reading;
      cs_call_log_model_notify_busy (self);
      return;
    }
  if (node != self->root && node->entry.position <= wanted && wanted < node->entry.behind
      && (node->entry.n > 1 || node->entry.position == wanted))
    reveal_node (self, node);
  else
    cs_call_log_model_miss (self);
}

/**
 * cs_call_log_model_end_path:
 * @self: a log
 * @reading: of the rest of a path, which has been read
 *
 * Shows the call.
 */
void
cs_call_log_model_end_path (CsCallLogModel *self, CsCallLogReading *reading)
{
  GPtrArray *last = reading->levels->len > 0 ? reading->levels->pdata[reading->levels->len - 1] : NULL;

  for (guint i = 0; last != NULL && i < last->len; i++)
    {
      CsCallLogNode *node = last->pdata[i];

      if (node->entry.kind == CS_CALL_LOG_CALLS && node->entry.position <= reading->position
          && reading->position < node->entry.behind && (reading->fold || node->entry.position == reading->position))
        {
          reveal_node (self, node);
          return;
        }
    }
  cs_call_log_model_miss (self);
}

/* Of what looks for a call only the last goes on. */
static CsCallLogReading *
begin_search (CsCallLogModel *self)
{
  CsCallLogReading *old = self->revealing;

  g_clear_pointer (&self->path, g_array_unref);
  if (old != NULL && old->slot == NULL)
    cs_call_log_model_end (old);
  return self->revealing = cs_call_log_model_begin (self, NULL);
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
  CsCallLogReading *reading;

  if (self->source.timeline == NULL)
    return;
  reading = begin_search (self);
  reading->fold = fold;
  reading->job = cs_call_log_job_path (&self->source, call, &cs_call_log_model_listener, self);
  cs_call_log_model_notify_busy (self);
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
  CsCallLogReading *reading;

  if (self->source.timeline == NULL)
    {
      free_match (match_data);
      return;
    }
  if (from < self->rows->len)
    {
      const CsCallLogNode *node = self->rows->pdata[from];

      position = node->kind == CS_CALL_LOG_ROW_LINE ? node->entry.position : node->walk.next;
      if (skip && !backwards && node->kind == CS_CALL_LOG_ROW_LINE && node->entry.n > 1)
        position = node->entry.behind - 1;
    }
  reading = begin_search (self);
  reading->fold = reading->finds = TRUE;
  reading->job = cs_call_log_job_find (&self->source, position, backwards, match, match_data, free_match, &cs_call_log_model_listener, self);
  cs_call_log_model_notify_busy (self);
}
