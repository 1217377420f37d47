/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "selection/cs-substrings.h"

/* A state of the automaton of Aho and Corasick (Efficient string matching, 1975): the beginning of a needle. */
typedef struct
{
  guint32 child;   /* first of a list; 0: none, as the root is nobody's child */
  guint32 sibling;
  guint32 fail;    /* the longest end of this that is a beginning, too */
  guint32 output;  /* the longest end, or this, that is a needle; 0: none */
  guint32 needle;  /* the last of those that it is, and 1; 0: it is none */
  guchar byte;
} State;

struct _CsSubstrings
{
  GArray *states; /* of State, the root first */
  guint32 *same;  /* of each needle an earlier one that is the same, and 1; 0: none */
};

static guint32
find_child (const State *states, guint32 state, guchar byte)
{
  guint32 child = states[state].child;

  while (child != 0 && states[child].byte != byte)
    child = states[child].sibling;
  return child;
}

/* The states, and which is whose. */
static GArray *
build_trie (const char *const *needles, gsize n_needles, guint32 *same)
{
  GArray *array = g_array_new (FALSE, FALSE, sizeof (State));
  State root = { 0 };

  g_array_append_val (array, root);
  for (gsize i = 0; i < n_needles; i++)
    {
      guint32 at = 0;

      for (const guchar *p = (const guchar *) needles[i]; *p != '\0'; p++)
        {
          guint32 next = find_child ((State *) (gpointer) array->data, at, *p);

          if (next == 0)
            {
              State state = { .byte = *p, .sibling = g_array_index (array, State, at).child };

              next = array->len;
              g_array_append_val (array, state);
              g_array_index (array, State, at).child = next;
            }
          at = next;
        }
      same[i] = g_array_index (array, State, at).needle;
      if (at != 0)
        g_array_index (array, State, at).needle = (guint32) i + 1;
    }
  return array;
}

/* Breadth first, so that what a state fails to is done before. */
static void
link_failures (State *states, guint n_states)
{
  g_autofree guint32 *queue = g_new (guint32, n_states);
  guint head = 0, tail = 0;

  queue[tail++] = 0;
  while (head < tail)
    {
      guint32 state = queue[head++];

      for (guint32 child = states[state].child; child != 0; child = states[child].sibling)
        {
          guint32 fail = states[state].fail, next = 0;

          if (state != 0)
            while ((next = find_child (states, fail, states[child].byte)) == 0 && fail != 0)
              fail = states[fail].fail;
          states[child].fail = next;
          states[child].output = states[child].needle != 0 ? child : states[next].output;
          queue[tail++] = child;
        }
    }
}

/**
 * cs_substrings_new:
 * @needles: what to look for; the empty string is in no text
 * @n_needles: how many
 *
 * Returns: (transfer full): them, for texts of any number
 */
CsSubstrings *
cs_substrings_new (const char *const *needles, gsize n_needles)
{
  CsSubstrings *self = g_new (CsSubstrings, 1);

  self->same = g_new (guint32, n_needles + 1);
  self->states = build_trie (needles, n_needles, self->same);
  link_failures ((State *) (gpointer) self->states->data, self->states->len);
  return self;
}

/**
 * cs_substrings_free:
 * @self: (transfer full): needles
 */
void
cs_substrings_free (CsSubstrings *self)
{
  g_array_unref (self->states);
  g_free (self->same);
  g_free (self);
}

/* The state that a byte leads to. */
static guint32
follow (const State *states, guint32 at, guchar byte)
{
  guint32 next;

  while ((next = find_child (states, at, byte)) == 0 && at != 0)
    at = states[at].fail;
  return next;
}

/**
 * cs_substrings_each:
 * @self: needles
 * @text: where to look
 * @func: called for each place at which a needle ends; needles that are the same one after another
 * @user_data: for @func
 *
 * Takes time that grows with the length of @text and the number of calls.
 */
void
cs_substrings_each (const CsSubstrings *self, const char *text, CsSubstringsFunc func, gpointer user_data)
{
  const State *states = (const State *) (gconstpointer) self->states->data;
  guint32 at = 0;

  for (const guchar *p = (const guchar *) text; *p != '\0'; p++)
    {
      at = follow (states, at, *p);
      for (guint32 output = states[at].output; output != 0; output = states[states[output].fail].output)
        for (guint32 needle = states[output].needle; needle != 0; needle = self->same[needle - 1])
          if (!func (needle - 1, user_data))
            return;
    }
}

static void
search (const State *states, const char *text, gssize number, gssize *found)
{
  guint32 at = 0;

  for (const guchar *p = (const guchar *) text; *p != '\0'; p++)
    {
      at = follow (states, at, *p);
      /* Shorter needles are found with the longer one that ends here. */
      for (guint32 output = states[at].output; output != 0 && found[states[output].needle - 1] < 0;
           output = states[states[output].fail].output)
        found[states[output].needle - 1] = number;
    }
}

/**
 * cs_substrings_find:
 * @needles: what to look for; the empty string is in no text
 * @n_needles: how many
 * @texts: where to look
 * @n_texts: how many
 *
 * Looks for all at once, in time that grows with the lengths of needles and texts, not with their product.
 *
 * Returns: (transfer full) (array length=n_needles): of each needle the number of the first text that contains it,
 *   or -1
 */
gssize *
cs_substrings_find (const char *const *needles, gsize n_needles, const char *const *texts, gsize n_texts)
{
  g_autoptr (CsSubstrings) self = cs_substrings_new (needles, n_needles);
  gssize *found = g_new (gssize, n_needles + 1);

  for (gsize i = 0; i < n_needles; i++)
    found[i] = -1;
  for (gsize i = 0; i < n_texts; i++)
    search ((const State *) (gconstpointer) self->states->data, texts[i], (gssize) i, found);
  /* The last of those that are the same has it; an earlier one is told by a later one. */
  for (gsize i = n_needles; i-- > 0;)
    if (self->same[i] != 0)
      found[self->same[i] - 1] = found[i];
  return found;
}
