/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-chooser-private.h"

/* Steps to undo: more, and more bytes, aren't kept. */
#define MOST_STEPS 500
#define MOST_BYTES (32 * 1024 * 1024)
/* What is typed with less time between is one step. */
#define TYPING_US (3 * G_USEC_PER_SEC)

static void
clear_steps (CsChooser *self, GQueue *steps)
{
  for (const GList *step = steps->head; step != NULL; step = step->next)
    self->undo_size -= strlen (step->data);
  g_queue_clear_full (steps, g_free);
}

static void
push_step (CsChooser *self, GQueue *steps, const char *text)
{
  g_queue_push_head (steps, g_strdup (text));
  self->undo_size += strlen (text);
  while (steps->length > 1 && (steps->length > MOST_STEPS || self->undo_size > MOST_BYTES))
    {
      g_autofree char *oldest = g_queue_pop_tail (steps);

      self->undo_size -= strlen (oldest);
    }
}

static char *
pop_step (CsChooser *self, GQueue *steps)
{
  char *text = g_queue_pop_head (steps);

  self->undo_size -= strlen (text);
  return text;
}

/**
 * chooser_set_text_step:
 * @self: a chooser
 * @text: another text
 *
 * Takes it as a step that can be undone.
 */
void
chooser_set_text_step (CsChooser *self, const char *text)
{
  clear_steps (self, &self->redo);
  push_step (self, &self->undo, self->text);
  self->typed_at = G_MAXSIZE;
  chooser_take_text (self, g_strdup (text));
}

/* Where two texts differ: @first bytes at the beginning and @last at the end are the same. */
static void
find_difference (const char *before, const char *after, gsize *first, gsize *last)
{
  gsize n_before = strlen (before), n_after = strlen (after), most = MIN (n_before, n_after);

  for (*first = 0; *first < most && before[*first] == after[*first]; ++*first)
    continue;
  for (*last = 0; *last < most - *first && before[n_before - 1 - *last] == after[n_after - 1 - *last]; ++*last)
    continue;
}

/* Whether a text goes on with what was typed before, and notes where it ends. */
static gboolean
goes_on (CsChooser *self, const char *text)
{
  gsize first, last, taken, added;
  gint64 now = g_get_monotonic_time ();
  gboolean same, insert;

  find_difference (self->text, text, &first, &last);
  taken = strlen (self->text) - first - last;
  added = strlen (text) - first - last;
  insert = taken == 0;
  same = self->typed_at != G_MAXSIZE && now - self->typed_time < TYPING_US && (taken == 0 || added == 0) &&
         insert == self->typed_insert && !g_queue_is_empty (&self->undo) &&
         (insert ? first == self->typed_at : first + taken == self->typed_at || first == self->typed_at);
  /* A line is a step. */
  if (insert && first > 0 && text[first - 1] == '\n')
    same = FALSE;
  self->typed_at = first + (insert ? added : 0);
  self->typed_time = now;
  self->typed_insert = insert;
  return same;
}

/**
 * cs_chooser_set_text:
 * @self: a chooser
 * @text: what an editor holds now
 *
 * Goes the same way as ticks do. What is typed in one go is one step to undo. CsChooser:text is notified also for the
 * caller; the same text again does nothing. Before the file is loaded, and while it can't be used, it does nothing.
 */
void
cs_chooser_set_text (CsChooser *self, const char *text)
{
  g_return_if_fail (CS_IS_CHOOSER (self) && text != NULL);

  if (self->is_closed || !self->is_text_loaded || self->load_error != NULL || g_str_equal (text, self->text) ||
      !g_utf8_validate (text, -1, NULL))
    return;
  clear_steps (self, &self->redo);
  if (!goes_on (self, text))
    push_step (self, &self->undo, self->text);
  chooser_take_text (self, g_strdup (text));
}

/**
 * cs_chooser_undo:
 * @self: a chooser
 *
 * Takes back the last step: a tick, what was typed in one go, or a file that was loaded anew. Without one it does
 * nothing.
 */
void
cs_chooser_undo (CsChooser *self)
{
  g_return_if_fail (CS_IS_CHOOSER (self));

  if (!cs_chooser_get_can_undo (self))
    return;
  push_step (self, &self->redo, self->text);
  self->typed_at = G_MAXSIZE;
  chooser_take_text (self, pop_step (self, &self->undo));
}

/**
 * cs_chooser_redo:
 * @self: a chooser
 *
 * Does again what was undone last. Without that it does nothing.
 */
void
cs_chooser_redo (CsChooser *self)
{
  g_return_if_fail (CS_IS_CHOOSER (self));

  if (!cs_chooser_get_can_redo (self))
    return;
  push_step (self, &self->undo, self->text);
  self->typed_at = G_MAXSIZE;
  chooser_take_text (self, pop_step (self, &self->redo));
}

/**
 * cs_chooser_get_can_undo:
 * @self: a chooser
 *
 * Returns: CsChooser:can-undo
 */
gboolean
cs_chooser_get_can_undo (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), FALSE);

  return !self->is_closed && !g_queue_is_empty (&self->undo);
}

/**
 * cs_chooser_get_can_redo:
 * @self: a chooser
 *
 * Returns: CsChooser:can-redo
 */
gboolean
cs_chooser_get_can_redo (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), FALSE);

  return !self->is_closed && !g_queue_is_empty (&self->redo);
}

/**
 * chooser_clear_steps:
 * @self: a chooser
 *
 * Forgets what could be undone and done again.
 */
void
chooser_clear_steps (CsChooser *self)
{
  clear_steps (self, &self->undo);
  clear_steps (self, &self->redo);
  self->typed_at = G_MAXSIZE;
}
