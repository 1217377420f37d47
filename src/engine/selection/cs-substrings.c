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
  gssize found;    /* the first text that has the needle; -1: none */
  guchar byte;
  gboolean is_needle;
} State;

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
build_trie (const char *const *needles, gsize n_needles, guint32 *ends)
{
  GArray *array = g_array_new (FALSE, FALSE, sizeof (State));
  State root = { .found = -1 };

  g_array_append_val (array, root);
  for (gsize i = 0; i < n_needles; i++)
    {
      guint32 at = 0;

      for (const guchar *p = (const guchar *) needles[i]; *p != '\0'; p++)
        {
          guint32 next = find_child ((State *) (gpointer) array->data, at, *p);

          if (next == 0)
            {
              State state = { .byte = *p, .sibling = g_array_index (array, State, at).child, .found = -1 };

              next = array->len;
              g_array_append_val (array, state);
              g_array_index (array, State, at).child = next;
            }
          at = next;
        }
      ends[i] = at;
      g_array_index (array, State, at).is_needle = at != 0;
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
          states[child].output = states[child].is_needle ? child : states[next].output;
          queue[tail++] = child;
        }
    }
}

static void
search (State *states, const char *text, gsize number)
{
  guint32 at = 0;

  for (const guchar *p = (const guchar *) text; *p != '\0'; p++)
    {
      guint32 next;

      while ((next = find_child (states, at, *p)) == 0 && at != 0)
        at = states[at].fail;
      at = next;
      /* Shorter needles are found with the longer one that ends here. */
      for (guint32 output = states[at].output; output != 0 && states[output].found < 0;
           output = states[states[output].fail].output)
        states[output].found = (gssize) number;
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
  g_autofree guint32 *ends = g_new (guint32, n_needles + 1);
  gssize *found = g_new (gssize, n_needles + 1);
  g_autoptr (GArray) array = build_trie (needles, n_needles, ends);
  State *states = (State *) (gpointer) array->data;

  link_failures (states, array->len);
  for (gsize i = 0; i < n_texts; i++)
    search (states, texts[i], i);
  for (gsize i = 0; i < n_needles; i++)
    found[i] = states[ends[i]].found;
  return found;
}
