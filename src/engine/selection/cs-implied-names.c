/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-heuristic-scan.h"
#include "selection/cs-implied-names.h"
#include "selection/cs-selection-private.h"

/* What names of lambdas begin with behind the scope. */
#define LAMBDA "<lambda"

static gboolean
is_cplusplus (const CsSourceFunction *functions, gsize first, gsize count)
{
  for (gsize i = first; i < first + count; i++)
    if ((functions[i].flags & CS_FUNCTION_CPLUSPLUS) != 0)
      return TRUE;
  return FALSE;
}

static gboolean
has_lambdas (const char *text)
{
  return strstr (text, "[]") != NULL || strstr (text, "[=") != NULL || strstr (text, "[&") != NULL;
}

static void
add_new (GPtrArray *names, const CsSourceFunction *function, GHashTable *known)
{
  g_autoptr (GPtrArray) printed = g_ptr_array_new_with_free_func (g_free);

  cs_selection_append_variants (printed, function);
  for (guint i = 0; i < printed->len; i++)
    if (g_hash_table_add (known, g_strdup (printed->pdata[i])))
      g_ptr_array_add (names, g_strdup (printed->pdata[i]));
}

/* The constructors, destructor and assignments of a class, and lambdas that its variables begin with. */
static void
add_members (GPtrArray *names, const CsScanFile *scanned, const CsScanEntry *entry, gboolean lambdas, GHashTable *written)
{
  const char *class_name = scanned->texts->str + entry->name;
  const char *scope = scanned->texts->str + entry->scope;
  g_autofree char *inside = *scope != '\0' ? g_strconcat (scope, "::", class_name, NULL) : g_strdup (class_name);
  g_autofree char *destructor = g_strconcat ("~", class_name, NULL);
  const char *const members[] = { class_name, destructor, "operator=", LAMBDA };

  for (gsize i = 0; i < G_N_ELEMENTS (members) - !lambdas; i++)
    {
      const CsSourceFunction member = { .name = members[i], .scope = inside, .flags = (CsFunctionFlags) entry->flags };

      add_new (names, &member, written);
    }
}

/* Lambdas that variables of namespaces begin with, as far as the file defines functions in these. A lambda of a function
 * has that before its own name. */
static void
add_lambdas (GPtrArray *names, const CsSourceFunction *functions, gsize count, GHashTable *known)
{
  for (gsize i = 0; i < count; i++)
    {
      const CsSourceFunction lambda = { .name = LAMBDA, .scope = functions[i].scope, .flags = CS_FUNCTION_CPLUSPLUS };

      if ((functions[i].flags & CS_FUNCTION_NAMESPACE) != 0)
        add_new (names, &lambda, known);
    }
}

/**
 * cs_implied_names:
 * @index: the functions of a source tree
 * @file: one of its files
 *
 * Lists functions that a compiler may add to a C++ file although nobody wrote them: constructors, destructors and
 * assignments of its classes, as far as the file defines none of that name, what runs before main() for its
 * variables, and lambdas that variables of classes and namespaces begin with. In a file of which only some functions are
 * chosen these are among the others, and would carry hooks. Of a lambda outside of any scope no such name is known.
 *
 * Returns: (transfer full) (element-type utf8): names as gcc prints them; none of a file in C, or that can't be read
 */
GPtrArray *
cs_implied_names (CsFunctionIndex *index, guint file)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const CsSourceFile *source = cs_function_index_get_files (index)->pdata[file];
  g_autofree char *path = g_build_filename (cs_function_index_get_root (index), source->path, NULL);
  g_autoptr (CsScanFile) scanned = cs_scan_file_new ();
  g_autoptr (GHashTable) written = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *text = NULL;
  const CsSourceFunction *functions;
  gsize first, count, total, length;
  gboolean lambdas;

  functions = cs_function_index_get_functions (index, &total);
  cs_function_index_get_of_file (index, file, &first, &count);
  if (!is_cplusplus (functions, first, count))
    return names;
  text = cs_scan_read_file (path, &length, NULL);
  if (text == NULL)
    return names;
  cs_heuristic_scan (text, length, TRUE, scanned);
  lambdas = has_lambdas (text);
  for (gsize i = first; i < first + count; i++)
    {
      g_autoptr (GPtrArray) printed = g_ptr_array_new_with_free_func (g_free);

      cs_selection_append_variants (printed, &functions[i]);
      for (guint k = 0; k < printed->len; k++)
        g_hash_table_add (written, g_strdup (printed->pdata[k]));
    }
  for (guint i = 0; i < scanned->classes->len; i++)
    add_members (names, scanned, &g_array_index (scanned->classes, CsScanEntry, i), lambdas, written);
  if (lambdas)
    add_lambdas (names, functions + first, count, written);
  if (!source->is_header)
    {
      g_ptr_array_add (names, g_strdup ("__static_initialization_and_destruction"));
      g_ptr_array_add (names, g_strdup ("_GLOBAL__"));
    }
  return names;
}
