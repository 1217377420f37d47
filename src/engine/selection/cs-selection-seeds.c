/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-selection-private.h"

/* How many names are proposed for one that no function has. */
#define MOST_PROPOSED 3
/* Longer names are compared up to here. */
#define MOST_COMPARED 64

/* The name without the arguments of its classes: "Ring<int>::pop" → "Ring::pop". "operator<" keeps its own; "operator
 * new []" is "operator new[]". */
static char *
without_arguments (const char *name)
{
  GString *text = g_string_new (NULL);

  for (const char *p = name; *p != '\0';)
    {
      const char *q = p;
      guint depth = 0;

      if (*p == '<')
        {
          do
            depth += *q == '<' ? 1u : *q == '>' ? -1u : 0;
          while (*q++ != '\0' && depth > 0);
          if (depth == 0 && g_str_has_prefix (q, "::"))
            {
              p = q;
              continue;
            }
        }
      if (g_str_has_prefix (p, " []"))
        p++;
      g_string_append_c (text, *p++);
    }
  return g_string_free (text, FALSE);
}

/* What comes behind the last "::". */
static const char *
last_part (const char *name)
{
  const char *colons = g_strrstr (name, "::");
  const char *conversion = strstr (name, "operator");

  /* A conversion may have a scope in its type: "C::operator std::string". */
  if (conversion != NULL && colons > conversion)
    {
      g_autofree char *head = g_strndup (name, (gsize) (conversion - name));

      colons = g_strrstr (head, "::");
      return colons != NULL ? name + (colons - head) + 2 : name;
    }
  return colons != NULL ? colons + 2 : name;
}

/* Whether the name is the function's qualified name or a trailing part of it, cut at "::". */
static gboolean
is_named (const CsSourceFunction *function, const char *name, gsize length)
{
  gsize own = strlen (function->name), scope, rest;

  if (length < own || memcmp (name + length - own, function->name, own) != 0)
    return FALSE;
  if (length == own)
    return TRUE;
  rest = length - own;
  if (rest < 3 || memcmp (name + rest - 2, "::", 2) != 0 || function->scope == NULL)
    return FALSE;
  rest -= 2;
  scope = strlen (function->scope);
  if (rest > scope || memcmp (function->scope + scope - rest, name, rest) != 0)
    return FALSE;
  return rest == scope || (scope - rest >= 2 && memcmp (function->scope + scope - rest - 2, "::", 2) == 0);
}

/**
 * cs_selection_find_seeds:
 * @index: functions
 * @name: a function's name, or any trailing part of its qualified name
 *
 * Returns: (transfer full) (element-type guint32): the numbers of the functions that have it
 */
GArray *
cs_selection_find_seeds (CsFunctionIndex *index, const char *name)
{
  g_autofree char *plain = without_arguments (name[0] == ':' && name[1] == ':' ? name + 2 : name);
  GArray *seeds = g_array_new (FALSE, FALSE, sizeof (guint32));
  const CsSourceFunction *functions;
  const guint32 *found;
  gsize total, count;

  functions = cs_function_index_get_functions (index, &total);
  found = cs_function_index_find (index, last_part (plain), &count);
  for (gsize i = 0; i < count; i++)
    if (is_named (&functions[found[i]], plain, strlen (plain)))
      g_array_append_val (seeds, found[i]);
  return seeds;
}

/**
 * cs_selection_is_seed:
 * @index: functions
 * @function: number of one
 * @name: as for cs_selection_find_seeds()
 *
 * Returns: whether it is among the functions that have the name
 */
gboolean
cs_selection_is_seed (CsFunctionIndex *index, guint32 function, const char *name)
{
  g_autofree char *plain = without_arguments (name[0] == ':' && name[1] == ':' ? name + 2 : name);
  gsize total;

  return is_named (&cs_function_index_get_functions (index, &total)[function], plain, strlen (plain));
}

/* The number of letters to add, take away, replace or swap with the next. */
static guint
edit_distance (const char *a, const char *b)
{
  guint rows[3][MOST_COMPARED + 1];
  guint *older = rows[0], *old = rows[1], *row = rows[2];
  gsize n = MIN (strlen (a), MOST_COMPARED), m = MIN (strlen (b), MOST_COMPARED);

  for (gsize j = 0; j <= m; j++)
    old[j] = (guint) j;
  for (gsize i = 1; i <= n; i++)
    {
      guint *freed = older;

      row[0] = (guint) i;
      for (gsize j = 1; j <= m; j++)
        {
          guint replaced = old[j - 1] + (g_ascii_tolower (a[i - 1]) != g_ascii_tolower (b[j - 1]));

          row[j] = MIN (replaced, MIN (row[j - 1], old[j]) + 1);
          if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            row[j] = MIN (row[j], older[j - 2] + 1);
        }
      older = old, old = row, row = freed;
    }
  return old[m];
}

/* The names that are nearest, "a, b or c"; NULL if none is near. */
static char *
propose (CsFunctionIndex *index, const char *name)
{
  const char *best[MOST_PROPOSED];
  guint distances[MOST_PROPOSED], n_best = 0;
  const char *last = last_part (name);
  gsize length = strlen (last);
  guint near = length < 4 ? 1 : (guint) MAX (2, length / 3);
  const CsSourceFunction *functions;
  GString *text;
  gsize total;

  functions = cs_function_index_get_functions (index, &total);
  for (gsize i = 0; i < total; i++)
    {
      guint distance, at;
      gboolean known = FALSE;

      if (ABS ((gssize) strlen (functions[i].name) - (gssize) length) > (gssize) near)
        continue;
      distance = edit_distance (functions[i].name, last);
      if (distance > near || (n_best == MOST_PROPOSED && distance >= distances[n_best - 1]))
        continue;
      for (guint j = 0; j < n_best && !known; j++)
        known = g_str_equal (best[j], functions[i].name);
      if (known)
        continue;
      at = n_best < MOST_PROPOSED ? n_best++ : n_best - 1;
      for (; at > 0 && distances[at - 1] > distance; at--)
        best[at] = best[at - 1], distances[at] = distances[at - 1];
      best[at] = functions[i].name, distances[at] = distance;
    }
  if (n_best == 0)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < n_best; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : i + 1 == n_best ? " or " : ", ", best[i]);
  return g_string_free (text, FALSE);
}

/* A function of which the name without scope is right. */
static char *
propose_scope (CsFunctionIndex *index, const char *name)
{
  const CsSourceFunction *functions;
  const guint32 *found;
  gsize total, count;

  functions = cs_function_index_get_functions (index, &total);
  found = cs_function_index_find (index, last_part (name), &count);
  return count > 0 ? cs_function_dup_qualified_name (&functions[found[0]]) : NULL;
}

/**
 * cs_selection_propose:
 * @index: functions
 * @name: a name that none of them has
 *
 * Returns: (transfer full) (nullable): the names that are nearest, at most three: "a, b or c"; %NULL: none is near
 */
char *
cs_selection_propose (CsFunctionIndex *index, const char *name)
{
  char *near = propose_scope (index, name);

  return near != NULL ? near : propose (index, name);
}

/**
 * cs_selection_set_seed_error:
 * @index: functions
 * @config: the rules
 * @rule: one that names no function of @index
 * @error: (out): gets the sentence, with the nearest names
 */
void
cs_selection_set_seed_error (CsFunctionIndex *index, const CsTraceConfig *config, const CsDirective *rule,
                             GError **error)
{
  g_autofree char *near = cs_selection_propose (index, rule->value);

  if (near != NULL)
    g_set_error (error, CS_SELECTION_ERROR, CS_SELECTION_ERROR_SEED,
                 "%s:%u: %s: no function of the sources is named '%s' — the nearest: %s",
                 cs_trace_config_get_name (config), rule->line, cs_directive_kind_get_name (rule->kind), rule->value,
                 near);
  else
    g_set_error (error, CS_SELECTION_ERROR, CS_SELECTION_ERROR_SEED,
                 "%s:%u: %s: no function of the sources is named '%s' — name one that is defined below %s",
                 cs_trace_config_get_name (config), rule->line, cs_directive_kind_get_name (rule->kind), rule->value,
                 cs_function_index_get_root (index));
}
