/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-function-index.h"
#include "selection/cs-scan-cache.h"
#include "selection/cs-scan-run.h"

#define BUILT_IN "built-in scan"
/* Changes when the same files would give other functions. */
#define SCAN_VERSION 1

struct _CsFunctionIndex
{
  gatomicrefcount refs;
  char *root, *scanner;
  GPtrArray *files;
  char **warnings;
  CsScanFile **scans;    /* one a file: they hold the texts */
  CsSourceFunction *functions; /* file by file, by line */
  gsize n_functions;
  gsize *first;          /* of a file's functions; one more than files */
  GHashTable *names;     /* name → its number */
  guint32 *name_first;   /* of a name in @by_name; one more than names */
  guint32 *by_name;      /* functions, by name */
};

static void
add_functions (CsFunctionIndex *self)
{
  gsize n = 0;

  self->first = g_new (gsize, self->files->len + 1);
  for (guint i = 0; i < self->files->len; i++)
    {
      self->first[i] = n;
      n += self->scans[i]->entries->len;
    }
  self->first[self->files->len] = self->n_functions = n;
  self->functions = g_new (CsSourceFunction, MAX (n, 1));
  for (guint i = 0; i < self->files->len; i++)
    cs_scan_file_list (self->scans[i], i, self->functions + self->first[i]);
}

/* A function that is defined as "ns::f" doesn't tell what ns is; others do. */
static void
find_namespaces (CsFunctionIndex *self)
{
  g_autoptr (GHashTable) namespaces = g_hash_table_new (g_str_hash, g_str_equal);

  for (gsize i = 0; i < self->n_functions; i++)
    if ((self->functions[i].flags & CS_FUNCTION_NAMESPACE) != 0)
      g_hash_table_add (namespaces, (gpointer) self->functions[i].scope);
  for (gsize i = 0; i < self->n_functions && g_hash_table_size (namespaces) > 0; i++)
    if (self->functions[i].scope != NULL && g_hash_table_contains (namespaces, self->functions[i].scope))
      self->functions[i].flags |= CS_FUNCTION_NAMESPACE;
}

/* Sorts the functions by name: they are counted, then put in place. */
static void
add_names (CsFunctionIndex *self)
{
  g_autofree guint32 *numbers = g_new (guint32, MAX (self->n_functions, 1));
  guint32 n_names;

  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  for (gsize i = 0; i < self->n_functions; i++)
    {
      const char *name = self->functions[i].name;
      gpointer number;

      if (!g_hash_table_lookup_extended (self->names, name, NULL, &number))
        {
          number = GUINT_TO_POINTER (g_hash_table_size (self->names));
          g_hash_table_insert (self->names, (gpointer) name, number);
        }
      numbers[i] = GPOINTER_TO_UINT (number);
    }
  n_names = g_hash_table_size (self->names);
  self->name_first = g_new0 (guint32, n_names + 2);
  self->by_name = g_new (guint32, MAX (self->n_functions, 1));
  for (gsize i = 0; i < self->n_functions; i++)
    self->name_first[numbers[i] + 2]++;
  for (guint32 i = 2; i < n_names + 2; i++)
    self->name_first[i] += self->name_first[i - 1];
  for (gsize i = 0; i < self->n_functions; i++)
    self->by_name[self->name_first[numbers[i] + 1]++] = (guint32) i;
}

/* What a person should know of how the files were scanned. */
static void
tell (CsFunctionIndex *self, const CsScanRun *run, const GError *none)
{
  g_autoptr (GStrvBuilder) warnings = g_strv_builder_new ();

  if (none != NULL && !run->options->built_in)
    {
      g_autofree char *text = g_strdup_printf ("%s: the built-in scan serves — install Universal Ctags for a more exact one",
                                               none->message);

      g_strv_builder_add (warnings, text);
    }
  if (run->gave_up)
    {
      g_autofree char *text = g_strdup_printf ("%s failed again and again (%s): the built-in scan took its place for %u file%s",
                                               run->program->path, run->problem, run->n_built_in,
                                               run->n_built_in == 1 ? "" : "s");

      g_strv_builder_add (warnings, text);
    }
  else if (run->n_built_in > 0)
    {
      g_autofree char *text =
          g_strdup_printf ("%u of %u file%s %s scanned by the built-in scan, since ctags can't: %s", run->n_built_in,
                           self->files->len, self->files->len == 1 ? "" : "s", run->n_built_in == 1 ? "was" : "were",
                           run->problem != NULL ? run->problem : "it failed with them before, or their names are no UTF-8 or too long");

      g_strv_builder_add (warnings, text);
    }
  for (guint i = 0; i < run->unread->len; i++)
    g_strv_builder_add (warnings, g_ptr_array_index (run->unread, i));
  self->warnings = g_strv_builder_end (warnings);
}

static CsScanCache *
open_cache (CsFunctionIndex *self, const CsScanOptions *options, const CsCtagsProgram *program)
{
  g_autofree char *folder = options->cache_folder != NULL ? g_strdup (options->cache_folder)
                                                          : cs_scan_cache_get_default_folder ();
  /* What a header is read as depends on the tree. */
  g_autofree char *scanner = g_strdup_printf ("%d %d %s", SCAN_VERSION, cs_scan_has_cplusplus (self->files),
                                              program != NULL ? program->identity : BUILT_IN);

  return cs_scan_cache_open (folder, self->root, scanner);
}

/* Takes what is known of files that haven't changed. Returns whether that is all. */
static gboolean
take_cached (CsFunctionIndex *self, CsScanCache *cache, CsScanRun *run)
{
  gboolean all = TRUE;

  for (guint i = 0; cache != NULL && i < self->files->len; i++)
    {
      self->scans[i] = cs_scan_cache_find (cache, g_ptr_array_index (self->files, i));
      all &= self->scans[i] != NULL;
      run->n_built_in += self->scans[i] != NULL && self->scans[i]->fell_back;
    }
  return all;
}

/**
 * cs_function_index_new_sync:
 * @tree: the sources
 * @options: how to scan them
 * @cancellable: (nullable): to stop
 * @error: where to say that it was stopped
 *
 * Finds the functions that the files of a tree define. What can't be read or scanned is no error:
 * cs_function_index_get_warnings() tells.
 *
 * Returns: (transfer full) (nullable): them
 */
CsFunctionIndex *
cs_function_index_new_sync (CsSourceTree *tree, const CsScanOptions *options, GCancellable *cancellable,
                            GError **error)
{
  g_autoptr (GPtrArray) files = cs_source_tree_ref_files (tree);

  return cs_function_index_new_of_files_sync (cs_source_tree_get_root (tree), files, options, cancellable, error);
}

/**
 * cs_function_index_new_of_files_sync:
 * @root: the folder that paths are relative to
 * @files: (element-type CsSourceFile): files as a tree lists them, which may have changed since
 * @options: how to scan them
 * @cancellable: (nullable): to stop
 * @error: where to say that it was stopped
 *
 * Does what cs_function_index_new_sync() does, for the files of one moment.
 *
 * Returns: (transfer full) (nullable): the functions
 */
CsFunctionIndex *
cs_function_index_new_of_files_sync (const char *root, GPtrArray *files, const CsScanOptions *options,
                                     GCancellable *cancellable, GError **error)
{
  g_autoptr (CsFunctionIndex) self = g_new0 (CsFunctionIndex, 1);
  g_autoptr (CsCtagsProgram) program = NULL;
  g_autoptr (GError) none = NULL;
  g_autoptr (GPtrArray) unread = g_ptr_array_new_with_free_func (g_free);
  CsScanRun run = { .options = options, .unread = unread };
  g_autoptr (CsScanCache) cache = NULL;
  const gint64 started_ns = g_get_real_time () * 1000;
  gboolean scanned, changed;

  g_atomic_ref_count_init (&self->refs);
  self->root = g_strdup (root);
  self->files = g_ptr_array_ref (files);
  self->scans = g_new0 (CsScanFile *, self->files->len + 1);
  program = cs_ctags_find (options, &none);
  self->scanner = program != NULL ? g_strdup_printf ("Universal Ctags %s", program->version) : g_strdup (BUILT_IN);
  run.root = self->root;
  run.files = self->files;
  run.program = program;
  run.results = self->scans;
  if (!options->no_cache)
    cache = open_cache (self, options, program);
  changed = !take_cached (self, cache, &run);
  scanned = cs_scan_run (&run, cancellable, error);
  if (scanned)
    {
      if (cache != NULL && changed && !run.gave_up)
        cs_scan_cache_save (cache, self->files, self->scans, started_ns);
      tell (self, &run, none);
      add_functions (self);
      find_namespaces (self);
      add_names (self);
    }
  g_free (run.problem);
  return scanned ? g_steal_pointer (&self) : NULL;
}

/**
 * cs_function_index_ref:
 * @self: an index
 *
 * Returns: (transfer full): it, once more
 */
CsFunctionIndex *
cs_function_index_ref (CsFunctionIndex *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cs_function_index_unref:
 * @self: (transfer full): an index
 */
void
cs_function_index_unref (CsFunctionIndex *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  for (guint i = 0; i < self->files->len; i++)
    cs_scan_file_free (self->scans[i]);
  g_free (self->scans);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_free (self->name_first);
  g_free (self->by_name);
  g_free (self->first);
  g_free (self->functions);
  g_ptr_array_unref (self->files);
  g_strfreev (self->warnings);
  g_free (self->scanner);
  g_free (self->root);
  g_free (self);
}

/**
 * cs_function_index_get_root:
 * @self: an index
 *
 * Returns: the folder that paths are relative to
 */
const char *
cs_function_index_get_root (const CsFunctionIndex *self)
{
  return self->root;
}

/**
 * cs_function_index_get_scanner:
 * @self: an index
 *
 * Returns: what found the functions, as in “Universal Ctags 5.9.0” or “built-in scan”
 */
const char *
cs_function_index_get_scanner (const CsFunctionIndex *self)
{
  return self->scanner;
}

/**
 * cs_function_index_get_warnings:
 * @self: an index
 *
 * Returns: sentences on what couldn't be done as it should, ended by %NULL; none are good
 */
const char *const *
cs_function_index_get_warnings (const CsFunctionIndex *self)
{
  return (const char *const *) self->warnings;
}

/**
 * cs_function_index_get_files:
 * @self: an index
 *
 * Returns: (transfer none) (element-type CsSourceFile): the files that were scanned
 */
GPtrArray *
cs_function_index_get_files (const CsFunctionIndex *self)
{
  return self->files;
}

/**
 * cs_function_index_get_functions:
 * @self: an index
 * @count: (out): how many
 *
 * Returns: (array length=count): all functions, file by file and by line
 */
const CsSourceFunction *
cs_function_index_get_functions (const CsFunctionIndex *self, gsize *count)
{
  *count = self->n_functions;
  return self->functions;
}

/**
 * cs_function_index_get_of_file:
 * @self: an index
 * @file: the number of a file
 * @first: (out): its first function
 * @count: (out): how many it defines
 */
void
cs_function_index_get_of_file (const CsFunctionIndex *self, guint file, gsize *first, gsize *count)
{
  g_return_if_fail (file < self->files->len);

  *first = self->first[file];
  *count = self->first[file + 1] - *first;
}

/**
 * cs_function_index_find:
 * @self: an index
 * @name: a name without scope
 * @count: (out): how many functions have it
 *
 * Returns: (array length=count) (nullable): their numbers, ascending
 */
const guint32 *
cs_function_index_find (const CsFunctionIndex *self, const char *name, gsize *count)
{
  gpointer number;

  *count = 0;
  if (!g_hash_table_lookup_extended (self->names, name, NULL, &number))
    return NULL;
  *count = self->name_first[GPOINTER_TO_UINT (number) + 1] - self->name_first[GPOINTER_TO_UINT (number)];
  return self->by_name + self->name_first[GPOINTER_TO_UINT (number)];
}

/**
 * cs_function_dup_qualified_name:
 * @function: a function
 *
 * Returns: (transfer full): its name with its scope
 */
char *
cs_function_dup_qualified_name (const CsSourceFunction *function)
{
  return function->scope != NULL ? g_strconcat (function->scope, "::", function->name, NULL)
                                 : g_strdup (function->name);
}
