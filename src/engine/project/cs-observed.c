/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "profile/cs-profile.h"
#include "project/cs-observed.h"
#include "selection/cs-function-name.h"
#include "symbols/cs-symbol-cache.h"

/* How sure it is that a recorded path and one of the sources are the same file's. */
typedef enum
{
  PATH_OTHER,
  PATH_ENDS_SO, /* a copy, or what was built elsewhere */
  PATH_SAME,
} PathMatch;

static gboolean
has_tail (const char *path, const char *tail)
{
  gsize n = strlen (path), m = strlen (tail);

  return m > 0 && n >= m && g_str_equal (path + n - m, tail) && (n == m || path[n - m - 1] == '/' || *tail == '/');
}

static PathMatch
match_path (const char *root, const char *path, const char *recorded)
{
  g_autofree char *plain = NULL;
  gsize n = strlen (root);

  if (recorded == NULL)
    return PATH_ENDS_SO;
  plain = g_canonicalize_filename (recorded, "/");
  if (g_path_is_absolute (recorded) && g_str_has_prefix (plain, root) && plain[n] == '/' && g_str_equal (plain + n + 1, path))
    return PATH_SAME;
  /* "/" was put before a relative one. */
  return has_tail (plain, path) || (!g_path_is_absolute (recorded) && has_tail (path, plain + 1)) ? PATH_ENDS_SO : PATH_OTHER;
}

static const char *
last_part (const char *name)
{
  const char *colons = g_strrstr (name, "::");
  const char *conversion = strstr (name, "operator");

  /* What a conversion is to may have a scope. */
  if (conversion != NULL && (conversion == name || conversion[-1] == ':'))
    return conversion;
  return colons != NULL ? colons + 2 : name;
}

/* The functions of that name that lie in the recorded file, or may do so. */
static GArray *
find_by_name (CsFunctionIndex *index, const char *name, const CsLocation *location)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint32));
  GPtrArray *files = cs_function_index_get_files (index);
  const CsSourceFunction *functions;
  const guint32 *candidates;
  PathMatch best = PATH_ENDS_SO;
  gsize count, total;

  functions = cs_function_index_get_functions (index, &total);
  candidates = cs_function_index_find (index, last_part (name), &count);
  for (gsize i = 0; i < count; i++)
    {
      const CsSourceFunction *function = &functions[candidates[i]];
      const CsSourceFile *file = g_ptr_array_index (files, function->file);
      g_autofree char *qualified = cs_function_dup_qualified_name (function);
      g_autofree char *reduced = cs_function_name_reduce (qualified, NULL);
      PathMatch match = match_path (cs_function_index_get_root (index), file->path,
                                    location->source != NULL ? location->source : location->file);

      if (match < best || !g_str_equal (reduced, name))
        continue;
      if (match > best)
        g_array_set_size (found, 0);
      best = match;
      g_array_append_val (found, candidates[i]);
    }
  return found;
}

/* Of functions that a name and a file don't tell apart the one in whose lines the recorded one lies. */
static void
choose_by_line (CsFunctionIndex *index, GArray *found, guint line)
{
  const CsSourceFunction *functions;
  gsize total;

  functions = cs_function_index_get_functions (index, &total);
  for (guint i = 0; line > 0 && found->len > 1 && i < found->len; i++)
    {
      guint32 function = g_array_index (found, guint32, i);

      if (functions[function].line <= line && line <= MAX (functions[function].line, functions[function].end))
        {
          g_array_index (found, guint32, 0) = function;
          g_array_set_size (found, 1);
        }
    }
}

/**
 * cs_observed_find:
 * @index: functions
 * @location: of a recorded function
 *
 * Finds which function of the sources was recorded: by its name and its file, and where these don't tell by its line.
 *
 * Returns: (transfer full) (element-type guint32): the numbers of those that it may be
 */
GArray *
cs_observed_find (CsFunctionIndex *index, const CsLocation *location)
{
  g_autofree char *enclosing = NULL;
  g_autofree char *name = cs_function_name_reduce (location->name, &enclosing);
  GArray *found = find_by_name (index, name, location);

  /* What a lambda calls, the function around it calls. */
  if (found->len == 0 && enclosing != NULL)
    {
      g_array_unref (found);
      found = find_by_name (index, enclosing, location);
    }
  choose_by_line (index, found, location->line);
  return found;
}

static void
add_edges (CsProfile *profile, GPtrArray *found, CsCallGraph *graph, CsObserved *observed)
{
  guint n;
  const CsCallEdge *edges = cs_profile_get_edges (profile, &n);

  for (guint i = 0; i < n; i++)
    {
      const GArray *callers, *callees;

      if (edges[i].caller == G_MAXUINT)
        continue;
      callers = g_ptr_array_index (found, edges[i].caller);
      callees = g_ptr_array_index (found, edges[i].callee);
      observed->n_edges += callers->len > 0 && callees->len > 0;
      for (guint j = 0; j < callers->len; j++)
        for (guint k = 0; k < callees->len; k++)
          {
            guint32 caller = g_array_index (callers, guint32, j), callee = g_array_index (callees, guint32, k);

            /* A lambda's function is the one around it. */
            observed->n_added += caller != callee && cs_call_graph_add_edge (graph, caller, callee);
          }
    }
}

static CsProfile *
read_profile (const char *const *paths, GCancellable *cancellable, GError **error)
{
  g_autoptr (CsRecording) recording = cs_recording_open (paths, cancellable, error);
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autofree char *cache = cs_symbol_cache_get_default_folder ();
  CsProfileOptions options = { 0 };

  if (recording == NULL)
    return NULL;
  if (cs_recording_get_summaries (recording)->len > 0)
    {
      g_set_error (error, CS_PROFILE_ERROR, CS_PROFILE_ERROR_FILTER,
                   "%s: a summary doesn't tell what called what — record events, without TRACE_MODE=summary", paths[0]);
      return NULL;
    }
  cs_symbolizer_set_cancellable (symbolizer, cancellable);
  cs_symbolizer_set_cache (symbolizer, cache);
  return cs_profile_new (recording, symbolizer, &options, NULL, cancellable, error);
}

/**
 * cs_observed_add:
 * @paths: (array zero-terminated=1): trace directories or event files
 * @index: functions
 * @graph: (inout): what they call
 * @observed: (out): what became of the recording's calls
 * @cancellable: (nullable): stops it
 * @error: where to say why the recording can't be read
 *
 * Adds the calls that a recording saw to what the text of the sources tells: through pointers to functions, to virtual
 * functions, from libraries. A function is known by its name and its file. Calls that went through functions without
 * hooks are the caller's of these.
 *
 * Returns: whether it was read
 */
gboolean
cs_observed_add (const char *const *paths, CsFunctionIndex *index, CsCallGraph *graph, CsObserved *observed,
                 GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (CsProfile) profile = read_profile (paths, cancellable, error);
  const CsFunction *functions;
  guint n;

  *observed = (CsObserved){ 0 };
  if (profile == NULL)
    return FALSE;
  functions = cs_profile_get_functions (profile, &n);
  observed->n_functions = n;
  for (guint i = 0; i < n; i++)
    {
      GArray *same = cs_observed_find (index, &functions[i].location);

      observed->n_missing += same->len == 0;
      g_ptr_array_add (found, same);
    }
  add_edges (profile, found, graph, observed);
  return TRUE;
}
