/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-flags-private.h"
#include "selection/cs-implied-names.h"
#include "selection/cs-selection-private.h"
#include "selection/cs-substrings.h"

/* Instead of a function's number. */
#define IMPLIED G_MAXUINT32

/* An entry for a function that isn't chosen. */
typedef struct
{
  char *entry;
  char *guess;      /* (nullable): one to try where the entry takes something chosen: it may take nothing */
  guint32 function; /* or IMPLIED: nobody wrote it */
} Entry;

static void
clear_entry (gpointer entry)
{
  g_free (((Entry *) entry)->entry);
  g_free (((Entry *) entry)->guess);
}

/**
 * cs_flags_list_by_name:
 * @work: the options to be made
 * @name: a file that isn't chosen
 * @file: its number; -1: it isn't in the tree
 * @entry: what would be its entry in the list of files
 * @inside: (nullable): something chosen that contains @entry
 *
 * Has the functions of the file listed.
 */
void
cs_flags_list_by_name (FlagsWork *work, const char *name, gssize file, const char *entry, const char *inside)
{
  FlagsByName *by_name = g_new0 (FlagsByName, 1);

  by_name->name = g_strdup (name);
  by_name->entry = g_strdup (entry);
  by_name->inside = g_strdup (inside);
  by_name->file = file;
  g_ptr_array_add (work->by_name, by_name);
}

static void
add_entry (GArray *entries, char *text, guint32 function)
{
  const Entry entry = { text, NULL, function };

  g_array_append_val (entries, entry);
}

/* The function's name behind its scope, as far as it is known how gcc prints it. */
static char *
dup_own_name (const CsSourceFunction *function)
{
  if (cs_selection_is_conversion (function))
    return g_strdup ("operator ");
  if ((function->flags & CS_FUNCTION_TEMPLATE) != 0)
    return g_strconcat (function->name, "<", NULL);
  return cs_selection_dup_printed (function->name);
}

/* Whether gcc prints no other conversion of its class in a way that begins with this one's type: types of several words
 * are put in another order. */
static gboolean
is_guess_safe (const CsSourceFunction *function)
{
  static const char *const words[] = { "const", "volatile", "unsigned", "signed", "long", "short", "char", "int", "double" };
  const char *type = function->name + strlen ("operator ");

  if (!cs_selection_is_conversion (function) || (function->flags & CS_FUNCTION_TEMPLATE) != 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (type, words[i]))
      return FALSE;
  return TRUE;
}

/* What every name of the function that gcc may print contains. The arguments of a template aren't known, nor which of
 * the classes around a function has them: the innermost, or one around that. */
static void
add_function (const FlagsWork *work, GArray *entries, guint32 number, GString *printed)
{
  const CsSourceFunction *function;
  g_autofree char *own = NULL;
  const char *colons;
  gsize total;

  function = &cs_function_index_get_functions (cs_selection_get_index (work->selection), &total)[number];
  g_string_truncate (printed, 0);
  cs_selection_append_printed (printed, function);
  if (cs_selection_is_name_excluded (work->selection, printed->str))
    return;
  own = dup_own_name (function);
  if ((function->flags & CS_FUNCTION_SCOPE_TEMPLATE) == 0 || function->scope == NULL)
    {
      const char *scope = function->scope != NULL ? function->scope : "";

      add_entry (entries, g_strconcat (scope, *scope != '\0' ? "::" : "", own, NULL), number);
      if (is_guess_safe (function))
        g_array_index (entries, Entry, entries->len - 1).guess = g_strdup (printed->str);
      return;
    }
  add_entry (entries, g_strconcat (">::", own, NULL), number);
  colons = g_strrstr (function->scope, "::");
  if (colons != NULL)
    add_entry (entries, g_strconcat (colons, "::", own, NULL), number);
}

/* A chosen function's name, in each of the ways it may be printed. */
static char *
print_chosen (const CsSourceFunction *function)
{
  g_autoptr (GPtrArray) variants = g_ptr_array_new_with_free_func (g_free);
  GString *text = g_string_new (NULL);

  cs_selection_append_variants (variants, function);
  for (guint i = 0; i < variants->len; i++)
    g_string_append_printf (text, "%s%s\n", (const char *) variants->pdata[i],
                            (function->flags & CS_FUNCTION_TEMPLATE) != 0 ? "<>" : "");
  if ((function->flags & CS_FUNCTION_SCOPE_TEMPLATE) != 0 && function->scope != NULL)
    {
      g_autofree char *own = cs_selection_dup_printed (function->name);

      g_string_append_printf (text, "%s::%s\n", function->scope, own);
    }
  g_string_truncate (text, text->len - 1);
  return g_string_free (text, FALSE);
}

/* What nobody wrote, nor chose. */
static void
add_implied (const FlagsWork *work, GArray *entries, guint file)
{
  g_autoptr (GPtrArray) names = cs_implied_names (cs_selection_get_index (work->selection), file);

  for (guint i = 0; i < names->len; i++)
    {
      const char *arguments = strstr (names->pdata[i], "<>::");

      add_entry (entries, g_strdup (arguments != NULL ? arguments + 1 : names->pdata[i]), IMPLIED);
    }
}

static void
add_unchosen (const FlagsWork *work, GArray *entries, guint file, GString *printed)
{
  gsize first, count;

  cs_function_index_get_of_file (cs_selection_get_index (work->selection), file, &first, &count);
  for (gsize i = first; i < first + count; i++)
    if (!cs_selection_has_function (work->selection, (guint32) i))
      add_function (work, entries, (guint32) i, printed);
}

static void
add_chosen (const FlagsWork *work, GPtrArray *names, guint file)
{
  const CsSourceFunction *functions;
  gsize first, count, total;

  functions = cs_function_index_get_functions (cs_selection_get_index (work->selection), &total);
  cs_function_index_get_of_file (cs_selection_get_index (work->selection), file, &first, &count);
  for (gsize i = first; i < first + count; i++)
    if (cs_selection_has_function (work->selection, (guint32) i))
      g_ptr_array_add (names, print_chosen (&functions[i]));
}

/* The files whose functions the compiler sees, each once, as far as it is known. */
static GHashTable *
list_seen (const FlagsWork *work)
{
  GPtrArray *files = cs_selection_get_files (work->selection);
  GHashTable *seen = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < work->units->len; i++)
    {
      gssize file = g_array_index (work->units, FlagsUnit, i).file;

      if (file >= 0)
        g_hash_table_add (seen, GUINT_TO_POINTER ((guint) file));
    }
  for (guint i = 0; i < files->len; i++)
    if (((CsSourceFile *) files->pdata[i])->is_header)
      g_hash_table_add (seen, GUINT_TO_POINTER (i));
  return seen;
}

static void
warn_of_function (const FlagsWork *work, const Entry *entry, const char *chosen, gboolean guessed)
{
  CsFunctionIndex *index = cs_selection_get_index (work->selection);
  GPtrArray *files = cs_selection_get_files (work->selection);
  const CsSourceFunction *function;
  g_autofree char *name = NULL;
  gsize total;

  function = &cs_function_index_get_functions (index, &total)[entry->function];
  name = cs_function_dup_qualified_name (function);
  g_ptr_array_add (work->warnings,
                   g_strdup_printf ("%s: %s isn't chosen, but %s hooked: to leave out '%s' would take %.*s, too, which is "
                                    "chosen",
                                    ((CsSourceFile *) files->pdata[function->file])->path, name,
                                    guessed ? "may be" : "is", entry->entry,
                                    (int) strcspn (chosen, "\n"), chosen));
}

/* Adds what may be the name of a function that nothing sure can be said of. */
static gboolean
take_guess (FlagsWork *work, const Entry *entry, GPtrArray *chosen)
{
  if (entry->guess == NULL)
    return FALSE;
  for (guint i = 0; i < chosen->len; i++)
    if (strstr (chosen->pdata[i], entry->guess) != NULL)
      return FALSE;
  g_ptr_array_add (work->functions, g_strdup (entry->guess));
  return TRUE;
}

/* Entries that are in no chosen name go into the list. */
static void
take_entries (FlagsWork *work, GArray *entries, GPtrArray *chosen)
{
  g_autoptr (GPtrArray) needles = g_ptr_array_new ();
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree gssize *found = NULL;

  for (guint i = 0; i < entries->len; i++)
    g_ptr_array_add (needles, g_array_index (entries, Entry, i).entry);
  found = cs_substrings_find ((const char *const *) needles->pdata, needles->len, (const char *const *) chosen->pdata,
                              chosen->len);
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);

      if (found[i] >= 0 && entry->function == IMPLIED)
        continue;
      if (found[i] >= 0)
        warn_of_function (work, entry, chosen->pdata[found[i]], take_guess (work, entry, chosen));
      else if (g_hash_table_add (taken, entry->entry))
        g_ptr_array_add (work->functions, g_strdup (entry->entry));
    }
}

static gboolean
has_functions (const FlagsWork *work, gssize file)
{
  gsize first, count;

  if (file < 0 || cs_selection_get_index (work->selection) == NULL)
    return FALSE;
  cs_function_index_get_of_file (cs_selection_get_index (work->selection), (guint) file, &first, &count);
  return count > 0;
}

/* Files that can't be named are told by their functions; of those that have none it is said. */
static void
add_by_name (FlagsWork *work, GArray *entries, GString *printed)
{
  for (guint i = 0; i < work->by_name->len; i++)
    {
      const FlagsByName *by_name = work->by_name->pdata[i];

      if (has_functions (work, by_name->file))
        {
          add_unchosen (work, entries, (guint) by_name->file, printed);
          continue;
        }
      if (by_name->file >= 0 && cs_selection_get_index (work->selection) == NULL)
        work->result->lacks_functions = TRUE;
      g_ptr_array_add (work->warnings,
                       g_strdup_printf ("%s isn't chosen, but is hooked: to leave out '%s' would take %s, too, which is "
                                        "chosen",
                                        by_name->name, by_name->entry,
                                        by_name->inside != NULL ? by_name->inside : "another file"));
    }
}

/**
 * cs_flags_list_functions:
 * @work: the options to be made, whose list of files is made
 *
 * Makes the list of functions to leave out: exclude-func rules as they are written, then what isn't chosen in files of
 * which something is.
 */
void
cs_flags_list_functions (FlagsWork *work)
{
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_autoptr (GPtrArray) chosen = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) printed = g_string_new (NULL);
  g_autoptr (GHashTable) seen = NULL;
  GPtrArray *files = cs_selection_get_files (work->selection);
  const CsDirective *rules;
  gsize n_rules;

  g_array_set_clear_func (entries, clear_entry);
  rules = cs_trace_config_get_directives (cs_selection_get_config (work->selection), &n_rules);
  for (gsize i = 0; i < n_rules; i++)
    if (rules[i].kind == CS_DIRECTIVE_EXCLUDE_FUNC)
      g_ptr_array_add (work->functions, cs_selection_dup_printed (rules[i].value));
  add_by_name (work, entries, printed);
  if (cs_selection_get_index (work->selection) == NULL)
    return;
  seen = list_seen (work);
  for (guint i = 0; i < files->len; i++)
    {
      CsFileChoice choice = cs_selection_get_file (work->selection, i);

      if (choice == CS_FILE_NOT_CHOSEN || !g_hash_table_contains (seen, GUINT_TO_POINTER (i)))
        continue;
      if (choice == CS_FILE_PARTLY_CHOSEN)
        {
          add_unchosen (work, entries, i, printed);
          add_implied (work, entries, i);
        }
      add_chosen (work, chosen, i);
    }
  take_entries (work, entries, chosen);
}
