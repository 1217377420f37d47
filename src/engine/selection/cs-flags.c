/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-flags-private.h"

static void
clear_unit (gpointer unit)
{
  g_free (((FlagsUnit *) unit)->path);
}

static void
free_by_name (gpointer data)
{
  FlagsByName *by_name = data;

  g_free (by_name->name);
  g_free (by_name->entry);
  g_free (by_name->inside);
  g_free (by_name);
}

static void
work_clear (FlagsWork *work)
{
  g_free (work->folder);
  g_array_unref (work->units);
  g_hash_table_unref (work->numbers);
  g_ptr_array_unref (work->files);
  g_ptr_array_unref (work->functions);
  g_ptr_array_unref (work->by_name);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FlagsWork, work_clear)

static void
work_init (FlagsWork *work)
{
  GPtrArray *files = cs_selection_get_files (work->selection);

  work->folder = g_get_current_dir ();
  work->units = g_array_new (FALSE, FALSE, sizeof (FlagsUnit));
  g_array_set_clear_func (work->units, clear_unit);
  work->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  work->files = g_ptr_array_new_with_free_func (g_free);
  work->functions = g_ptr_array_new_with_free_func (g_free);
  work->by_name = g_ptr_array_new_with_free_func (free_by_name);
  for (guint i = 0; i < files->len; i++)
    g_hash_table_insert (work->numbers, ((CsSourceFile *) files->pdata[i])->path, GUINT_TO_POINTER (i + 1));
}

/* The words of a list, with commas as the compiler wants them. */
static char *
join_entries (const char *option, GPtrArray *entries)
{
  GString *text = g_string_new (option);

  for (guint i = 0; i < entries->len; i++)
    {
      if (i > 0)
        g_string_append_c (text, ',');
      for (const char *p = entries->pdata[i]; *p != '\0'; p++)
        {
          if (*p == ',')
            g_string_append_c (text, '\\');
          g_string_append_c (text, *p);
        }
    }
  return g_string_free (text, FALSE);
}

/* One file of which not all is chosen. */
static const FlagsUnit *
find_incomplete (const FlagsWork *work, guint *number)
{
  const FlagsUnit *first = NULL;

  *number = 0;
  for (guint i = 0; i < work->units->len; i++)
    {
      const FlagsUnit *unit = &g_array_index (work->units, FlagsUnit, i);

      if (unit->choice == CS_FILE_CHOSEN)
        continue;
      *number += 1;
      if (first == NULL)
        first = unit;
    }
  return first;
}

#define CLANG_WHY                                                                                                      \
  "clang has no options that leave functions or files out (LLVM issue 15627)"
#define CLANG_HOW "compile with gcc, or with the launcher callsight-cc, which chooses by file"

/* What clang can do with one string of options for all sources: hook everything or nothing. */
static char **
new_for_clang (FlagsWork *work, GError **error)
{
  const CsFlagsOptions *options = work->options;
  const CsTraceConfig *config = cs_selection_get_config (work->selection);
  guint n_incomplete;
  const FlagsUnit *unit = find_incomplete (work, &n_incomplete);
  const char *words[2] = { "-finstrument-functions", NULL };

  if (unit != NULL)
    {
      g_set_error (error, CS_SELECTION_ERROR, CS_SELECTION_ERROR_COMPILER,
                   "%s: not everything is chosen (%s: %s, %u of %u source%s), but " CLANG_WHY " — " CLANG_HOW,
                   cs_trace_config_get_name (config), unit->given,
                   unit->choice == CS_FILE_PARTLY_CHOSEN ? "some functions" : "nothing", n_incomplete, work->units->len,
                   work->units->len == 1 ? "" : "s");
      return NULL;
    }
  if (cs_trace_config_has (config, CS_DIRECTIVE_EXCLUDE_FUNC))
    {
      g_set_error (error, CS_SELECTION_ERROR, CS_SELECTION_ERROR_COMPILER,
                   "%s: a rule leaves functions out, but " CLANG_WHY " — " CLANG_HOW,
                   cs_trace_config_get_name (config));
      return NULL;
    }
  if (options->after_inlining)
    words[0] = "-finstrument-functions-after-inlining";
  return g_strdupv ((char **) words);
}

static char **
new_for_gcc (FlagsWork *work, GError **error)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_autofree char *files = NULL;
  g_autofree char *functions = NULL;
  gsize size;

  cs_flags_list_files (work);
  cs_flags_list_functions (work);
  files = join_entries ("-finstrument-functions-exclude-file-list=", work->files);
  functions = join_entries ("-finstrument-functions-exclude-function-list=", work->functions);
  size = strlen (files) + strlen (functions);
  if (size > CS_FLAGS_MAX)
    {
      g_set_error (error, CS_SELECTION_ERROR, CS_SELECTION_ERROR_SIZE,
                   "%s: the compiler would get %" G_GSIZE_FORMAT " KiB of options (%u file%s and %u function%s to "
                   "leave out), and more than %d KiB end it — compile with the launcher callsight-cc, which gives each file "
                   "what that needs, or choose whole folders",
                   cs_trace_config_get_name (cs_selection_get_config (work->selection)), size / 1024,
                   work->files->len, work->files->len == 1 ? "" : "s", work->functions->len,
                   work->functions->len == 1 ? "" : "s", CS_FLAGS_MAX / 1024);
      return NULL;
    }
  g_strv_builder_add (words, "-finstrument-functions");
  if (work->files->len > 0)
    g_strv_builder_add (words, files);
  if (work->functions->len > 0)
    g_strv_builder_add (words, functions);
  return g_strv_builder_end (words);
}

static gboolean
is_anything_chosen (const FlagsWork *work)
{
  for (guint i = 0; i < work->units->len; i++)
    if (g_array_index (work->units, FlagsUnit, i).choice != CS_FILE_NOT_CHOSEN)
      return TRUE;
  return FALSE;
}

static void
tell_result (FlagsWork *work)
{
  work->result->excluded = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < work->units->len; i++)
    {
      const FlagsUnit *unit = &g_array_index (work->units, FlagsUnit, i);

      if (unit->choice == CS_FILE_NOT_CHOSEN)
        g_ptr_array_add (work->result->excluded, g_strdup (unit->given));
      work->result->partly += unit->choice == CS_FILE_PARTLY_CHOSEN;
    }
}

/**
 * cs_flags_new:
 * @selection: what is chosen
 * @options: for which compiler and sources
 * @result: (out): what came of the sources; clear it with cs_flags_result_clear()
 * @warnings: (element-type utf8): gets a sentence of each thing that the compiler will do otherwise
 * @error: where to say why there are none
 *
 * Makes the options that have a compiler hook what is chosen and nothing else, the same for all sources: gcc's lists of
 * files and functions to leave out. gcc leaves out what contains an entry, so an entry that is part of something chosen
 * is made longer, or replaced by names of functions, or isn't used, which is warned of; exclude-func rules go
 * into the list as they are written. The compiler is taken to run in the current folder.
 *
 * Returns: (transfer full) (nullable): the options as words, none of them if of these sources nothing is chosen;
 *   %NULL with %CS_SELECTION_ERROR_COMPILER or %CS_SELECTION_ERROR_SIZE
 */
char **
cs_flags_new (CsSelection *selection, const CsFlagsOptions *options, CsFlagsResult *result, GPtrArray *warnings,
              GError **error)
{
  g_auto (FlagsWork) work = { .selection = selection, .options = options, .result = result, .warnings = warnings };

  *result = (CsFlagsResult){ NULL };
  work_init (&work);
  cs_flags_find_units (&work);
  tell_result (&work);
  if (options->after_inlining && options->compiler != CS_COMPILER_CLANG)
    {
      g_set_error (error, CS_SELECTION_ERROR, CS_SELECTION_ERROR_COMPILER,
                   "--after-inlining: only clang can hook functions after inlining — leave it away, or compile with "
                   "clang");
      return NULL;
    }
  if (!is_anything_chosen (&work) && cs_selection_get_counts (selection)->headers_chosen == 0)
    return g_new0 (char *, 1);
  return options->compiler == CS_COMPILER_CLANG ? new_for_clang (&work, error) : new_for_gcc (&work, error);
}

/**
 * cs_flags_result_clear:
 * @self: what came of sources
 *
 * Frees what it holds.
 */
void
cs_flags_result_clear (CsFlagsResult *self)
{
  g_clear_pointer (&self->excluded, g_ptr_array_unref);
}

/**
 * cs_flags_quote_shell:
 * @words: options
 *
 * Returns: (transfer full): the words in a line for a shell
 */
char *
cs_flags_quote_shell (const char *const *words)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; words[i] != NULL; i++)
    {
      gboolean plain = *words[i] != '\0';

      for (const char *p = words[i]; *p != '\0' && plain; p++)
        plain = g_ascii_isalnum (*p) || strchr ("-_./,=+:@%^", *p) != NULL || (guchar) *p >= 0x80;
      if (i > 0)
        g_string_append_c (text, ' ');
      if (plain)
        g_string_append (text, words[i]);
      else
        {
          g_autofree char *quoted = g_shell_quote (words[i]);

          g_string_append (text, quoted);
        }
    }
  return g_string_free (text, FALSE);
}

/**
 * cs_flags_quote_make:
 * @words: options
 *
 * Returns: (transfer full): the words as the value of a variable of make, for the shell of a recipe
 */
char *
cs_flags_quote_make (const char *const *words)
{
  g_autofree char *line = cs_flags_quote_shell (words);
  GString *text = g_string_new (NULL);

  for (const char *p = line; *p != '\0'; p++)
    {
      if (*p == '$')
        g_string_append_c (text, '$');
      else if (*p == '#')
        g_string_append_c (text, '\\');
      g_string_append_c (text, *p);
    }
  return g_string_free (text, FALSE);
}
