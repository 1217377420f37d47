/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "tables/cs-function-columns.h"
#include "tables/cs-search-texts.h"

/* Whether it was given up is looked at once in so many rows. */
#define CHECK_EVERY 256

struct _CsSearchTexts
{
  guint n;
  GStringChunk *texts;
  const char **searched; /* by row */
  const char **folded;   /* the same, in one case */
};

/**
 * cs_search_texts_new:
 * @n: how many rows there are
 *
 * Returns: (transfer full): their texts, all to be set
 */
CsSearchTexts *
cs_search_texts_new (guint n)
{
  CsSearchTexts *self = g_new0 (CsSearchTexts, 1);

  self->n = n;
  self->texts = g_string_chunk_new (1 << 16);
  self->searched = g_new0 (const char *, (gsize) n + 1);
  self->folded = g_new0 (const char *, (gsize) n + 1);
  return self;
}

/**
 * cs_search_texts_free:
 * @self: (transfer full) (nullable): texts
 */
void
cs_search_texts_free (CsSearchTexts *self)
{
  if (self == NULL)
    return;
  g_string_chunk_free (self->texts);
  g_free (self->searched);
  g_free (self->folded);
  g_free (self);
}

/**
 * cs_search_texts_set:
 * @self: texts
 * @row: number of a row
 * @text: what is searched of it, as valid UTF-8: a line for each of its columns that is
 */
void
cs_search_texts_set (CsSearchTexts *self, guint row, const char *text)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);

  self->searched[row] = g_string_chunk_insert (self->texts, text);
  self->folded[row] = g_string_chunk_insert (self->texts, folded);
}

/**
 * cs_search_texts_keep:
 * @self: texts
 * @text: one that many rows may have
 *
 * Returns: (transfer none): the same, as long as @self is there
 */
const char *
cs_search_texts_keep (CsSearchTexts *self, const char *text)
{
  return g_string_chunk_insert_const (self->texts, text);
}

/**
 * cs_search_texts_find:
 * @self: texts
 * @search: what they contain, in any case; empty: all are found
 * @regex: (nullable): what they match instead
 * @cancellable: (nullable): to give up early
 *
 * Returns: (transfer full) (element-type guint32) (nullable): the rows that are found; %NULL: it was cancelled
 */
GArray *
cs_search_texts_find (const CsSearchTexts *self, const char *search, GRegex *regex, GCancellable *cancellable)
{
  g_autofree char *needle = g_utf8_casefold (search, -1);
  g_autoptr (GArray) found = g_array_sized_new (FALSE, FALSE, sizeof (guint32), self->n);

  for (guint32 i = 0; i < self->n; i++)
    {
      if (i % CHECK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
        return NULL;
      if (regex != NULL ? g_regex_match (regex, self->searched[i], 0, NULL) : strstr (self->folded[i], needle) != NULL)
        g_array_append_val (found, i);
    }
  return g_steal_pointer (&found);
}

/**
 * cs_search_dup_text:
 * @location: of a function
 *
 * Returns: (transfer full): what is searched of a function: its name, place and module, a line each
 */
char *
cs_search_dup_text (const CsLocation *location)
{
  g_autofree char *name = g_utf8_make_valid (location->name, -1);
  g_autofree char *place = cs_location_dup_file (location);
  g_autofree char *module = cs_location_dup_module (location);

  return g_strjoin ("\n", name, place, module, NULL);
}

/**
 * cs_search_matches:
 * @location: of a function
 * @needle: what its text contains, by g_utf8_casefold()
 * @regex: (nullable): what it matches instead
 *
 * Returns: whether it is found, as in a table of functions
 */
gboolean
cs_search_matches (const CsLocation *location, const char *needle, GRegex *regex)
{
  g_autofree char *text = cs_search_dup_text (location);
  g_autofree char *folded = regex == NULL ? g_utf8_casefold (text, -1) : NULL;

  return regex != NULL ? g_regex_match (regex, text, 0, NULL) : strstr (folded, needle) != NULL;
}

typedef struct
{
  const char *text;
  char *key;
  guint row;
} RankedText;

static int
compare_ranked (gconstpointer a, gconstpointer b)
{
  const RankedText *x = a, *y = b;
  int order = strcmp (x->key, y->key);

  return order != 0 ? order : strcmp (x->text, y->text);
}

/**
 * cs_search_rank:
 * @texts: (array length=n): valid UTF-8
 * @n: how many there are
 * @ranks: (out caller-allocates) (array length=n): the place of each in the order of all, as the person's language has it;
 *   from 1 on, the same for the same text
 */
void
cs_search_rank (const char *const *texts, guint n, guint64 *ranks)
{
  g_autofree RankedText *ranked = g_new (RankedText, (gsize) n + 1);
  guint64 rank = 0;

  for (guint i = 0; i < n; i++)
    ranked[i] = (RankedText){ texts[i], g_utf8_collate_key (texts[i], -1), i };
  if (n > 0)
    qsort (ranked, n, sizeof *ranked, compare_ranked);
  for (guint i = 0; i < n; i++)
    {
      if (i == 0 || compare_ranked (&ranked[i - 1], &ranked[i]) != 0)
        rank++;
      ranks[ranked[i].row] = rank;
    }
  for (guint i = 0; i < n; i++)
    g_free (ranked[i].key);
}

/**
 * cs_search_make_regex:
 * @pattern: a regular expression, as a person types it
 * @error: where to say what is wrong with it
 *
 * Returns: (transfer full) (nullable): the expression; case doesn't matter, and ^ and $ are a line's
 */
GRegex *
cs_search_make_regex (const char *pattern, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  GRegex *regex = g_regex_new (pattern, G_REGEX_CASELESS | G_REGEX_MULTILINE | G_REGEX_OPTIMIZE, 0, &local_error);

  if (regex == NULL)
    g_set_error (error, G_REGEX_ERROR, local_error->code, _("Not a regular expression: %s — what was found before stays shown"),
                 local_error->message);
  return regex;
}

/**
 * cs_search_get_hint:
 * @search: what was searched for, and isn't there
 * @regex: whether as a regular expression
 *
 * Returns: (transfer none) (nullable): how it may have been meant, for a person
 */
const char *
cs_search_get_hint (const char *search, gboolean regex)
{
  g_autoptr (GRegex) meant = NULL;

  if (regex || strpbrk (search, "|*+?[^$\\") == NULL)
    return NULL;
  meant = cs_search_make_regex (search, NULL);
  return meant != NULL ? _("No match — as a regular expression? Press .*") : NULL;
}
