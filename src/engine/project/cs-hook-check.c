/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "project/cs-build-log.h"
#include "project/cs-hook-check-private.h"
#include "selection/cs-function-name.h"
#include "selection/cs-selection-file.h"
#include "symbols/cs-binary.h"
#include "symbols/cs-demangle.h"
#include "symbols/cs-elf.h"
#include "symbols/cs-object-hooks.h"

/* What is known of a function that the selection lists. */
typedef struct
{
  guint32 entry;
  guint32 index; /* in the entry's functions */
  gboolean has_code;
  gboolean hooked;
} Listed;

/* What is known of a file of the selection. */
typedef struct
{
  gboolean compiled; /* there is a line in the log */
  gboolean known;    /* an object of it was read */
  gboolean unknown;  /* an object of it can't be read, or tells nothing */
} File;

/* Where the functions of a linked file come from, by its debug information. */
typedef struct
{
  CsBinary *binary;
  CsElf *elf;
  GHashTable *symbols; /* linkage name → CsElfSymbol */
} Output;

typedef struct
{
  CsSelectionFile *selection;
  const CsSelectionFileEntry *entries;
  gsize n_entries;
  File *files;           /* by entry */
  GArray *listed;        /* Listed, by entry and index */
  GHashTable *by_name;   /* reduced name → GArray of guint in listed */
  GHashTable *by_scope;  /* reduced name of what lies around a function → whether any of it is chosen, + 1 */
  GPtrArray *outputs;    /* Output */
  GHashTable *not_listed; /* linkage name → 1: hooked, and of no function that is listed, and looked at */
  CsHookCheck *check;
} Checker;

static void
output_free (gpointer data)
{
  Output *output = data;

  g_hash_table_unref (output->symbols);
  g_clear_pointer (&output->elf, cs_elf_free);
  g_clear_pointer (&output->binary, cs_binary_unref);
  g_free (output);
}

static char *
dup_scope (const char *name)
{
  const char *end = NULL;

  for (const char *p = name; (p = strstr (p, "::")) != NULL; p += 2)
    end = p;
  return end != NULL && end > name ? g_strndup (name, (gsize) (end - name)) : NULL;
}

static void
list_functions (Checker *self)
{
  for (guint32 i = 0; i < self->n_entries; i++)
    for (guint32 j = 0; j < self->entries[i].n_functions; j++)
      {
        const CsSelectionFileFunction *function = &self->entries[i].functions[j];
        char *name = cs_function_name_reduce (function->name, NULL);
        char *scope = dup_scope (name);
        GArray *same = g_hash_table_lookup (self->by_name, name);
        Listed listed = { .entry = i, .index = j };

        if (scope != NULL && g_hash_table_lookup (self->by_scope, scope) != GINT_TO_POINTER (TRUE + 1))
          g_hash_table_insert (self->by_scope, g_steal_pointer (&scope), GINT_TO_POINTER (function->chosen + 1));
        g_free (scope);
        if (same == NULL)
          {
            same = g_array_new (FALSE, FALSE, sizeof (guint));
            g_hash_table_insert (self->by_name, g_steal_pointer (&name), same);
          }
        g_free (name);
        g_array_append_val (same, self->listed->len);
        g_array_append_val (self->listed, listed);
      }
}

static Output *
open_output (const char *path)
{
  g_autoptr (CsBinary) binary = cs_binary_open (path, NULL);
  g_autoptr (CsElf) elf = binary != NULL && cs_binary_has_debug_info (binary) ? cs_elf_open (path, NULL) : NULL;
  Output *output;

  if (elf == NULL || !cs_elf_load_symbols (elf, elf))
    return NULL;
  output = g_new0 (Output, 1);
  output->binary = g_steal_pointer (&binary);
  output->symbols = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < elf->symbols->len; i++)
    {
      CsElfSymbol *symbol = &g_array_index (elf->symbols, CsElfSymbol, i);

      g_hash_table_insert (output->symbols, (gpointer) symbol->name, symbol);
    }
  output->elf = g_steal_pointer (&elf);
  return output;
}

static void
open_outputs (Checker *self, const CsBuildLog *log)
{
  for (guint i = 0; i < log->links->len; i++)
    {
      Output *output = open_output (((CsBuildLink *) log->links->pdata[i])->output);

      if (output != NULL)
        g_ptr_array_add (self->outputs, output);
    }
}

/* The file in which debug information says that a function is defined; NULL: it doesn't. */
static const char *
find_file (Checker *self, const char *linkage_name)
{
  for (guint i = 0; i < self->outputs->len; i++)
    {
      Output *output = self->outputs->pdata[i];
      const CsElfSymbol *symbol = g_hash_table_lookup (output->symbols, linkage_name);
      CsSymbol found;

      if (symbol != NULL && cs_binary_lookup (output->binary, symbol->start, &found) && found.file != NULL)
        return found.file;
    }
  return NULL;
}

static gboolean
is_listed_chosen (const Checker *self, const Listed *listed)
{
  return self->entries[listed->entry].functions[listed->index].chosen;
}

/* Of functions of one name in several files, keeps that of the file in which debug information says that this one
 * lies. Without it, one with hooks was chosen. */
static void
keep_meant (Checker *self, GPtrArray *found, const char *linkage_name, gboolean hooked)
{
  const char *path = linkage_name != NULL ? find_file (self, linkage_name) : NULL;
  const CsSelectionFileEntry *file = path != NULL ? cs_selection_file_find (self->selection, path) : NULL;
  gboolean in_file = FALSE;
  gboolean any_chosen = FALSE;

  for (guint i = 0; i < found->len; i++)
    {
      const Listed *listed = found->pdata[i];

      in_file |= &self->entries[listed->entry] == file;
      any_chosen |= is_listed_chosen (self, listed);
    }
  for (guint i = found->len; i-- > 0;)
    {
      const Listed *listed = found->pdata[i];

      if (in_file ? &self->entries[listed->entry] != file : hooked && any_chosen && !is_listed_chosen (self, listed))
        g_ptr_array_remove_index (found, i);
    }
}

/* The functions that a name of an object may mean: of its source, otherwise of headers, otherwise of files that it
 * may include. Marks them. */
static gboolean
mark_listed (Checker *self, const CsSelectionFileEntry *source, const char *name, const char *linkage_name,
             gboolean hooked)
{
  const GArray *same = g_hash_table_lookup (self->by_name, name);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  guint best = 2; /* a file that is compiled by itself isn't included by another */

  for (guint i = 0; same != NULL && i < same->len; i++)
    {
      Listed *listed = &g_array_index (self->listed, Listed, g_array_index (same, guint, i));
      guint rank = &self->entries[listed->entry] == source ? 3 : !self->files[listed->entry].compiled ? 2 : 1;

      if (rank > best)
        g_ptr_array_set_size (found, 0);
      best = MAX (best, rank);
      if (rank == best)
        g_ptr_array_add (found, listed);
    }
  if (best == 2 && found->len > 1)
    keep_meant (self, found, linkage_name, hooked);
  for (guint i = 0; i < found->len; i++)
    {
      Listed *listed = found->pdata[i];

      listed->has_code = TRUE;
      listed->hooked |= hooked;
    }
  return found->len > 0;
}

/* Whether a hooked function that isn't listed (what macros make, what C++ adds to classes) was chosen. */
static gboolean
is_chosen (Checker *self, const CsSelectionFileEntry *source, const char *linkage_name, const char *name,
           const char *enclosing, const char **path)
{
  g_autofree char *scope = dup_scope (name);
  const char *file;
  int known;

  *path = NULL;
  if (enclosing != NULL && mark_listed (self, source, enclosing, NULL, FALSE))
    return TRUE;
  file = find_file (self, linkage_name);
  if (file != NULL)
    {
      const CsSelectionFileEntry *entry = cs_selection_file_find (self->selection, file);

      *path = entry != NULL ? entry->path : file;
      return entry != NULL && entry->choice != CS_FILE_NOT_CHOSEN;
    }
  known = scope != NULL ? GPOINTER_TO_INT (g_hash_table_lookup (self->by_scope, scope)) : 0;
  if (known != 0)
    return known > 1;
  return !g_str_has_prefix (name, "std::") && !g_str_has_prefix (name, "__gnu_cxx::") && source != NULL &&
         source->choice != CS_FILE_NOT_CHOSEN;
}

/* Debug information spells folders as the compiler was told them. */
static void
add_not_chosen (Checker *self, const char *path, const char *name)
{
  g_autofree char *plain = path != NULL && g_path_is_absolute (path) ? g_canonicalize_filename (path, "/") : NULL;

  cs_hook_check_add (self->check, CS_HOOK_FATE_NOT_CHOSEN, plain != NULL ? plain : path, name);
}

static void
take_function (Checker *self, const CsSelectionFileEntry *source, const CsObjectFunction *function)
{
  g_autofree char *shown = cs_demangle (function->name);
  g_autofree char *enclosing = NULL;
  g_autofree char *name = cs_function_name_reduce (shown != NULL ? shown : function->name, &enclosing);
  const char *path;

  if (mark_listed (self, source, name, function->name, function->hooked) || !function->hooked ||
      !g_hash_table_add (self->not_listed, g_strdup (function->name)))
    return;
  if (!is_chosen (self, source, function->name, name, enclosing, &path))
    add_not_chosen (self, path, name);
}

static void
take_object (Checker *self, const CsBuildUnit *unit)
{
  const CsSelectionFileEntry *source = cs_selection_file_find (self->selection, unit->source);
  g_autoptr (CsObjectHooks) hooks = cs_object_hooks_read (unit->object, NULL);
  const CsObjectFunction *functions;
  guint n;

  if (hooks == NULL || !cs_object_hooks_is_known (hooks))
    {
      if (source != NULL)
        self->files[source - self->entries].unknown = TRUE;
      return;
    }
  if (source != NULL)
    self->files[source - self->entries].known = TRUE;
  functions = cs_object_hooks_get_functions (hooks, &n);
  for (guint i = 0; i < n; i++)
    take_function (self, source, &functions[i]);
}

/* Without parameters, which compilers don't compare with exclude-func. */
static char *
dup_without_parameters (const char *shown)
{
  const char *p = strrchr (shown, ')');
  guint depth = 0;

  for (; p != NULL && p > shown; p--)
    {
      depth += *p == ')';
      if (*p == '(' && --depth == 0)
        return g_strndup (shown, (gsize) (p - shown));
    }
  return g_strdup (shown);
}

/* Functions with inlined copies: reduced names, and whether a copy's name with template arguments is one that
 * exclude-func doesn't take, + 1. */
static GHashTable *
list_inlined (Checker *self)
{
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->outputs->len; i++)
    {
      g_autoptr (GHashTable) inlined = cs_binary_list_inlined (((Output *) self->outputs->pdata[i])->binary);
      GHashTableIter iter;
      gpointer name;

      if (inlined == NULL)
        continue;
      g_hash_table_iter_init (&iter, inlined);
      while (g_hash_table_iter_next (&iter, &name, NULL))
        {
          g_autofree char *shown = cs_demangle (name);
          g_autofree char *plain = dup_without_parameters (shown != NULL ? shown : name);
          char *reduced = cs_function_name_reduce (shown != NULL ? shown : name, NULL);
          gboolean hooked = !cs_selection_file_excludes_name (self->selection, plain) ||
                            g_hash_table_lookup (names, reduced) == GINT_TO_POINTER (TRUE + 1);

          g_hash_table_replace (names, reduced, GINT_TO_POINTER (hooked + 1));
        }
    }
  return names;
}

/* What list_inlined() tells of a function; 0: it has no copies. A C++ function's debug information may have no linkage
 * name: then its name has no scope. */
static int
find_copies (GHashTable *inlined, const char *name)
{
  const char *last = g_strrstr (name, "::");
  int found = GPOINTER_TO_INT (g_hash_table_lookup (inlined, name));

  return found == 0 && last != NULL ? GPOINTER_TO_INT (g_hash_table_lookup (inlined, last + 2)) : found;
}

static char *
dup_variants_key (const Checker *self, const Listed *listed)
{
  GString *key = g_string_new (self->entries[listed->entry].functions[listed->index].name);

  g_string_replace (key, "<>::", "::", 0);
  g_string_append_printf (key, "\t%u", listed->entry);
  return g_string_free (key, FALSE);
}

/* Of classes inside each other it isn't known which has parameters: a method has a line for each of them, and is
 * one function. Returns: (element-type utf8 Listed): the line of it that there is most of. */
static GHashTable *
choose_variants (const Checker *self)
{
  GHashTable *best = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->listed->len; i++)
    {
      Listed *listed = &g_array_index (self->listed, Listed, i);
      char *key = dup_variants_key (self, listed);
      const Listed *other = g_hash_table_lookup (best, key);

      if (other == NULL || listed->hooked > other->hooked ||
          (listed->hooked == other->hooked && listed->has_code > other->has_code))
        g_hash_table_replace (best, key, listed);
      else
        g_free (key);
    }
  return best;
}

/* What became of a chosen function that has no code of its own. */
static CsHookFate
find_fate_without_code (const Checker *self, const Listed *listed, int copies)
{
  const File *file = &self->files[listed->entry];
  gboolean is_header = FALSE;

  /* Where hooks come before inlining, copies have them: not these. */
  if (copies != 0)
    return cs_selection_file_get_options (self->selection)->after_inlining ? CS_HOOK_FATE_INLINED
                                                                           : CS_HOOK_FATE_NOT_HOOKED;
  cs_source_path_is_source (self->entries[listed->entry].path, &is_header);
  if (!is_header && !file->compiled)
    return CS_HOOK_FATE_NOT_COMPILED;
  return file->unknown && !file->known ? CS_HOOK_FATE_UNKNOWN : CS_HOOK_FATE_LEFT_OUT;
}

static void
sort_out (Checker *self)
{
  g_autoptr (GHashTable) inlined = NULL;
  g_autoptr (GHashTable) variants = choose_variants (self);

  for (guint i = 0; i < self->listed->len; i++)
    {
      const Listed *listed = &g_array_index (self->listed, Listed, i);
      const CsSelectionFileEntry *entry = &self->entries[listed->entry];
      const CsSelectionFileFunction *function = &entry->functions[listed->index];
      g_autofree char *key = dup_variants_key (self, listed);
      g_autofree char *name = NULL;
      CsHookFate fate;
      int copies = 0;

      if (!function->chosen && listed->hooked)
        cs_hook_check_add (self->check, CS_HOOK_FATE_NOT_CHOSEN, entry->path, function->name);
      if (!function->chosen || g_hash_table_lookup (variants, key) != listed)
        continue;
      name = cs_function_name_reduce (function->name, NULL);
      if (!listed->has_code && inlined == NULL)
        inlined = list_inlined (self);
      if (!listed->has_code)
        copies = find_copies (inlined, name);
      if (listed->hooked)
        fate = CS_HOOK_FATE_HOOKED;
      else if (listed->has_code)
        fate = CS_HOOK_FATE_NOT_HOOKED;
      else if (copies == FALSE + 1)
        continue; /* not chosen, as it is made */
      else
        fate = find_fate_without_code (self, listed, copies);
      cs_hook_check_add (self->check, fate, entry->path, function->name);
    }
}

static gboolean
run (Checker *self, const CsBuildLog *log, GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < log->units->len; i++)
    {
      const CsSelectionFileEntry *entry =
        cs_selection_file_find (self->selection, ((CsBuildUnit *) log->units->pdata[i])->source);

      if (entry != NULL)
        self->files[entry - self->entries].compiled = TRUE;
    }
  open_outputs (self, log);
  for (guint i = 0; i < log->units->len; i++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      take_object (self, log->units->pdata[i]);
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  sort_out (self);
  cs_hook_check_sort (self->check);
  return TRUE;
}

/**
 * cs_hook_check_new:
 * @log: the launcher's log of a build (docs/formats.md, Selection)
 * @selection: the selection file that it was built with
 * @cancellable: (nullable): to stop it
 * @error: return location for a #GError
 *
 * Reads the objects that the log names and compares the functions that carry hooks with those that are
 * chosen. Functions are told apart by file and name, as in the selection file: overloads are one. What
 * the compiler inlined without hooks, and where functions lie that the selection doesn't list, is known only by the
 * debug information of what was linked.
 *
 * Returns: (transfer full) (nullable): the comparison, or %NULL with @error set
 */
CsHookCheck *
cs_hook_check_new (const char *log, const char *selection, GCancellable *cancellable, GError **error)
{
  g_autoptr (CsBuildLog) lines = NULL;
  g_autoptr (CsSelectionFile) file = NULL;
  g_autoptr (CsHookCheck) check = NULL;
  Checker self = { NULL };
  gboolean done;

  g_return_val_if_fail (log != NULL && selection != NULL, NULL);

  file = cs_selection_file_load (selection, error);
  if (file == NULL || (lines = cs_build_log_load (log, error)) == NULL)
    return NULL;
  check = cs_hook_check_new_empty ();
  self.check = check;
  self.selection = file;
  self.entries = cs_selection_file_get_entries (file, &self.n_entries);
  self.files = g_new0 (File, self.n_entries + 1);
  self.listed = g_array_new (FALSE, FALSE, sizeof (Listed));
  self.by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  self.by_scope = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self.not_listed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self.outputs = g_ptr_array_new_with_free_func (output_free);
  list_functions (&self);
  done = run (&self, lines, cancellable, error);

  g_ptr_array_unref (self.outputs);
  g_hash_table_unref (self.not_listed);
  g_hash_table_unref (self.by_scope);
  g_hash_table_unref (self.by_name);
  g_array_unref (self.listed);
  g_free (self.files);
  return done ? g_steal_pointer (&check) : NULL;
}
