/* SPDX-License-Identifier: MIT */
/* Prints the functions of a source tree, for the tests in Python: a line each, fields separated by tabs. */
#include <locale.h>

#include "selection/cs-ctags.h"
#include "selection/cs-function-index.h"

static int
fail (const GError *error)
{
  g_printerr ("%s\n", error->message);
  return 2;
}

static void
print_field (const char *text)
{
  g_autofree char *escaped = g_strescape (text != NULL ? text : "", NULL);

  g_print ("%s\t", escaped);
}

static void
print_functions (const CsFunctionIndex *index)
{
  GPtrArray *files = cs_function_index_get_files (index);

  for (guint i = 0; i < files->len; i++)
    {
      const CsSourceFile *file = g_ptr_array_index (files, i);
      gsize first, count, all;

      cs_function_index_get_of_file (index, i, &first, &count);
      for (gsize j = first; j < first + count; j++)
        {
          const CsSourceFunction *function = cs_function_index_get_functions (index, &all) + j;
          g_autofree char *name = cs_function_dup_qualified_name (function);

          print_field (file->path);
          print_field (name);
          print_field (function->signature);
          g_print ("%u\t%u\t%s%s%s%s\n", function->line, function->end,
                   (function->flags & CS_FUNCTION_STATIC) != 0 ? "s" : "",
                   (function->flags & CS_FUNCTION_CPLUSPLUS) != 0 ? "c" : "",
                   (function->flags & CS_FUNCTION_TEMPLATE) != 0 ? "t" : "",
                   (function->flags & CS_FUNCTION_SCOPE_TEMPLATE) != 0 ? "T" : "");
        }
    }
}

static void
print_progress (gsize done, gsize total, gpointer user_data)
{
  (void) user_data;
  g_printerr ("progress %" G_GSIZE_FORMAT " %" G_GSIZE_FORMAT "\n", done, total);
}

int
main (int argc, char **argv)
{
  g_autofree char *ctags = NULL;
  g_autofree char *cache = NULL;
  gboolean built_in = FALSE;
  gboolean progress = FALSE;
  gboolean quiet = FALSE;
  gboolean find = FALSE;
  int timeout_ms = 0;
  int workers = 0;
  const GOptionEntry entries[] = {
    { "ctags", 0, 0, G_OPTION_ARG_FILENAME, &ctags, "the ctags to use", "PROGRAM" },
    { "cache", 0, 0, G_OPTION_ARG_FILENAME, &cache, "keep what was found here", "FOLDER" },
    { "built-in", 0, 0, G_OPTION_ARG_NONE, &built_in, "don't look for ctags", NULL },
    { "progress", 0, 0, G_OPTION_ARG_NONE, &progress, "tell how far it is", NULL },
    { "quiet", 0, 0, G_OPTION_ARG_NONE, &quiet, "print no functions", NULL },
    { "find", 0, 0, G_OPTION_ARG_NONE, &find, "only say which ctags serves", NULL },
    { "timeout", 0, 0, G_OPTION_ARG_INT, &timeout_ms, "for one file", "MS" },
    { "workers", 0, 0, G_OPTION_ARG_INT, &workers, "ctags processes", "N" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("DIR");
  g_autoptr (CsSourceTree) tree = NULL;
  g_autoptr (CsFunctionIndex) index = NULL;
  g_autoptr (GError) error = NULL;
  CsScanOptions options = { 0 };
  const char *const *warnings;
  gsize count;

  setlocale (LC_ALL, "");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return fail (error);
  options.ctags = ctags;
  options.built_in = built_in;
  options.no_cache = cache == NULL;
  options.cache_folder = cache;
  options.workers = (guint) MAX (workers, 0);
  options.timeout_ms = (guint) MAX (timeout_ms, 0);
  options.progress = progress ? print_progress : NULL;
  if (find)
    {
      g_autoptr (CsCtagsProgram) program = cs_ctags_find (&options, &error);

      if (program == NULL)
        return fail (error);
      g_print ("%s\t%s\t%s\n", program->path, program->version, program->features);
      return 0;
    }
  tree = cs_source_tree_new_sync (argc > 1 ? argv[1] : ".", NULL, &error);
  if (tree == NULL)
    return fail (error);
  index = cs_function_index_new_sync (tree, &options, NULL, &error);
  if (index == NULL)
    return fail (error);
  g_print ("scanner\t%s\n", cs_function_index_get_scanner (index));
  warnings = cs_function_index_get_warnings (index);
  for (guint i = 0; warnings[i] != NULL; i++)
    {
      g_print ("warning\t");
      print_field (warnings[i]);
      g_print ("\n");
    }
  cs_function_index_get_functions (index, &count);
  g_print ("count\t%" G_GSIZE_FORMAT "\n", count);
  if (!quiet)
    print_functions (index);
  return 0;
}
