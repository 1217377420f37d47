/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "selection/cs-heuristic-scan.h"
#include "selection/cs-implied-names.h"
#include "selection/cs-selection-private.h"

static gboolean
is_cplusplus (const CsSourceFunction *functions, gsize first, gsize count)
{
  for (gsize i = first; i < first + count; i++)
    if ((functions[i].flags & CS_FUNCTION_CPLUSPLUS) != 0)
      return TRUE;
  return FALSE;
}

/* The constructors, destructor and assignments of a class. */
static void
add_members (GPtrArray *names, const CsScanFile *scanned, const CsScanEntry *entry, GHashTable *written)
{
  const char *class_name = scanned->texts->str + entry->name;
  const char *scope = scanned->texts->str + entry->scope;
  g_autofree char *inside = *scope != '\0' ? g_strconcat (scope, "::", class_name, NULL) : g_strdup (class_name);
  g_autofree char *destructor = g_strconcat ("~", class_name, NULL);
  const char *const members[] = { class_name, destructor, "operator=" };

  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const CsSourceFunction member = { .name = members[i], .scope = inside, .flags = (CsFunctionFlags) entry->flags };
      g_autoptr (GPtrArray) printed = g_ptr_array_new_with_free_func (g_free);

      cs_selection_append_variants (printed, &member);
      for (guint k = 0; k < printed->len; k++)
        if (g_hash_table_add (written, g_strdup (printed->pdata[k])))
          g_ptr_array_add (names, g_strdup (printed->pdata[k]));
    }
}

/**
 * cs_implied_names:
 * @index: the functions of a source tree
 * @file: one of its files
 *
 * Lists functions that a compiler may add to a C++ file although nobody wrote them: constructors, destructors and
 * assignments of its classes, as far as the file defines none of that name, and what runs before main() for its
 * variables. In a file of which only some functions are chosen these are among the others, and would carry hooks.
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

  functions = cs_function_index_get_functions (index, &total);
  cs_function_index_get_of_file (index, file, &first, &count);
  if (!is_cplusplus (functions, first, count))
    return names;
  text = cs_scan_read_file (path, &length, NULL);
  if (text == NULL)
    return names;
  cs_heuristic_scan (text, length, TRUE, scanned);
  for (gsize i = first; i < first + count; i++)
    {
      g_autoptr (GPtrArray) printed = g_ptr_array_new_with_free_func (g_free);

      cs_selection_append_variants (printed, &functions[i]);
      for (guint k = 0; k < printed->len; k++)
        g_hash_table_add (written, g_strdup (printed->pdata[k]));
    }
  for (guint i = 0; i < scanned->classes->len; i++)
    add_members (names, scanned, &g_array_index (scanned->classes, CsScanEntry, i), written);
  if (!source->is_header)
    {
      g_ptr_array_add (names, g_strdup ("__static_initialization_and_destruction"));
      g_ptr_array_add (names, g_strdup ("_GLOBAL__"));
    }
  return names;
}
