/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-track-private.h"

static CsPassStack *
stack_new (guint64 id, guint32 root)
{
  CsPassStack *self = g_new0 (CsPassStack, 1);

  self->id = id;
  self->size = 8;
  self->frames = g_new (CsPassFrame, self->size);
  self->frames[0] = (CsPassFrame){ .address = CS_PASS_NO_ADDRESS, .node = root };
  self->top = self->frames;
  return self;
}

static void
stack_free (gpointer data)
{
  CsPassStack *self = data;

  g_free (self->frames);
  g_free (self);
}

void
cs_track_thread_free (gpointer data)
{
  CsPassThread *self = data;

  g_clear_pointer (&self->stacks, g_hash_table_unref);
  g_byte_array_unref (self->called);
  g_clear_pointer (&self->index, cs_track_builder_free);
  g_free (self);
}

static void
add_stack (CsPassThread *thread, CsPassStack *stack)
{
  g_hash_table_insert (thread->stacks, &stack->id, stack);
}

/**
 * cs_track_hash:
 * @data: a guint64
 *
 * A hash whose collisions nobody can choose: GLib's of such numbers has their lower half alone.
 *
 * Returns: the hash
 */
guint
cs_track_hash (gconstpointer data)
{
  static gsize seed;
  guint64 key = *(const guint64 *) data;

  if (g_once_init_enter (&seed))
    g_once_init_leave (&seed, (gsize) g_random_int () << 1 | 1);
  key = (key ^ seed) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  key = (key ^ key >> 32) * G_GUINT64_CONSTANT (0xD6E8FEB86659FD93);
  return (guint) (key >> 32);
}

static GHashTable *
stacks_new (void)
{
  return g_hash_table_new_full (cs_track_hash, g_int64_equal, NULL, stack_free);
}

static CsPassThread *
thread_new (const Track *track, guint tid, guint64 seq)
{
  CsTrackPass *self = track->pass;
  const CsProcess *process = track->process;
  CsPassThread *thread = g_new0 (CsPassThread, 1);

  if (self->filter != NULL && !cs_pass_filter_takes_thread (self->filter, process, tid, seq))
    thread->phase = CS_PASS_LEFT_OUT;
  else if (self->filter == NULL || self->filter->from == G_MININT64)
    thread->phase = CS_PASS_WITHIN;
  thread->process = process;
  thread->tid = tid;
  thread->seq = seq;
  thread->serial = 1 + (guint) g_atomic_int_add (self->next_serial, 1);
  thread->first = G_MAXINT64;
  thread->last = G_MININT64;
  if (self->by_thread)
    thread->root = cs_pass_counts_add_thread (track->counts, thread->serial);
  thread->stack = stack_new (0, thread->root);
  thread->stacks = stacks_new ();
  add_stack (thread, thread->stack);
  thread->called = g_byte_array_new ();
  return thread;
}

/* Takes the time in which a stack did not run out of the self time of its innermost frame. */
static void
skip_time (CsPassThread *thread, CsPassStack *stack, gint64 ns)
{
  guint64 away = (guint64) ns - (guint64) stack->left;

  if (stack_depth (stack) == 0)
    return;
  stack->top->children += away;
  thread->busy -= away;
}

/* Ends the calls of all contexts of a thread at a time. Those that don't run are forgotten: if one
 * goes on, it has nothing open. */
void
cs_track_close_all (Track *track, CsPassThread *thread, gint64 ns, CsCallEnd how)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, thread->stacks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      CsPassStack *stack = value;

      if (stack != thread->stack)
        {
          skip_time (thread, stack, ns);
          stack->left = ns;
        }
      while (stack_depth (stack) > 0)
        cs_track_close_without_exit (track, thread, stack, ns, how);
      stack->top->ghosts = 0;
      if (stack != thread->stack)
        {
          thread->busy += stack->frames[0].children;
          g_hash_table_iter_remove (&iter);
        }
    }
}

gboolean
cs_track_have_open_calls (const CsPassThread *thread)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, thread->stacks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (stack_depth (value) > 0)
      return TRUE;
  return FALSE;
}

void
cs_track_end_thread (Track *track, CsPassThread *thread)
{
  GHashTableIter iter;
  gpointer value;

  if (track->pass->filter == NULL)
    thread->end = thread->last;
  cs_track_close_all (track, thread, thread->end, CS_CALL_OPEN);
  g_hash_table_iter_init (&iter, thread->stacks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    thread->busy += ((CsPassStack *) value)->frames[0].children;
  g_clear_pointer (&thread->stacks, g_hash_table_unref);
  thread->stack = NULL;

  /* Of some there is nothing but a marker, perhaps in somebody else's file. */
  if (thread->enters + thread->exits + thread->lost + thread->clipped ==
      thread->other_enters + thread->other_exits + thread->other_lost)
    cs_track_thread_free (thread);
  else
    {
      cs_track_finish_index (track->pass, thread);
      g_ptr_array_add (track->pass->threads, thread);
    }
}

static CsPassStack *
stack_dup (const CsPassStack *stack)
{
  CsPassStack *copy = g_memdup2 (stack, sizeof *stack);

  copy->frames = g_memdup2 (stack->frames, stack->size * sizeof *stack->frames);
  copy->top = copy->frames + stack_depth (stack);
  return copy;
}

/**
 * cs_track_thread_dup:
 * @thread: a thread, ended or not
 *
 * Returns: (transfer full): a copy
 */
CsPassThread *
cs_track_thread_dup (const CsPassThread *thread)
{
  CsPassThread *copy = g_memdup2 (thread, sizeof *thread);
  GHashTableIter iter;
  gpointer stack;

  if (thread->index != NULL)
    copy->index = cs_track_builder_copy (thread->index);
  copy->called = g_byte_array_sized_new (thread->called->len);
  g_byte_array_append (copy->called, thread->called->data, thread->called->len);
  if (thread->stacks == NULL)
    return copy;
  copy->stacks = stacks_new ();
  g_hash_table_iter_init (&iter, thread->stacks);
  while (g_hash_table_iter_next (&iter, NULL, &stack))
    {
      CsPassStack *own = stack_dup (stack);

      add_stack (copy, own);
      if (stack == thread->stack)
        copy->stack = own;
    }
  return copy;
}

/**
 * cs_track_dup:
 * @self: a track
 * @pass: a copy of its pass
 *
 * Returns: (transfer full): a copy that can be read on and ended
 */
Track *
cs_track_dup (const Track *self, CsTrackPass *pass)
{
  Track *copy = g_memdup2 (self, sizeof *self);
  guint index = self->process->index;
  GHashTableIter iter;
  gpointer tid, thread;

  copy->pass = pass;
  copy->counts = pass->counts->pdata[index];
  copy->marks = &g_array_index (pass->marks, CsPassMarks, index);
  copy->thread = NULL;
  copy->threads = g_hash_table_new_full (NULL, NULL, NULL, cs_track_thread_free);
  /* What is unmatched is found out once more: nodes that the copy adds are its own. */
  copy->absent = g_hash_table_new_full (cs_track_hash, g_int64_equal, g_free, NULL);
  copy->damage = cs_event_damage_dup (self->damage);
  g_hash_table_iter_init (&iter, self->threads);
  while (g_hash_table_iter_next (&iter, &tid, &thread))
    g_hash_table_insert (copy->threads, tid, cs_track_thread_dup (thread));
  return copy;
}

/* Makes the thread with this id the current one; a new one where there is none, or where one
 * starts. */
CsPassThread *
cs_track_select_thread (Track *track, guint tid, guint64 seq, gboolean starts)
{
  CsPassThread *thread = g_hash_table_lookup (track->threads, GUINT_TO_POINTER (tid));

  if (thread != NULL && starts && (thread->enters + thread->exits + thread->lost > 0 || thread->seq != seq))
    {
      g_hash_table_steal (track->threads, GUINT_TO_POINTER (tid));
      cs_track_end_thread (track, thread);
      thread = NULL;
    }
  if (thread == NULL)
    {
      thread = thread_new (track, tid, seq);
      g_hash_table_insert (track->threads, GUINT_TO_POINTER (tid), thread);
    }
  return track->thread = thread;
}

void
cs_track_select_context (CsPassThread *thread, guint64 id, gint64 ns)
{
  CsPassStack *stack = g_hash_table_lookup (thread->stacks, &id);

  if (stack == thread->stack)
    return;
  thread->stack->left = ns;
  if (stack == NULL)
    {
      stack = stack_new (id, thread->root);
      add_stack (thread, stack);
    }
  else
    skip_time (thread, stack, ns);
  thread->stack = stack;
}
