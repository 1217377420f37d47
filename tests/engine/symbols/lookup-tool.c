/* SPDX-License-Identifier: MIT */

/* Answers addresses, one hexadecimal number a line on the standard input, with
 * a line each: innermost function, function, file:line, separated by tabs, in
 * addr2line's notation for what is not known.  "-n" prints the notice behind them, "-c"
 * prints demangled names, "-i" prints for each the chain of inlined functions with their calls,
 * "-s" looks up one by one, "--cache DIR" keeps what was found, "--debug-dir DIR" and
 * "--sysroot DIR" are those of callsight-cli. */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/cs-binary.h"

static gboolean notice, demangle, chain, singly;
static char *cache, *sysroot, *file;
static char **debug_dirs;

static const GOptionEntry entries[] = {
  { "notice", 'n', 0, G_OPTION_ARG_NONE, &notice, NULL, NULL },
  { "demangle", 'c', 0, G_OPTION_ARG_NONE, &demangle, NULL, NULL },
  { "inlined", 'i', 0, G_OPTION_ARG_NONE, &chain, NULL, NULL },
  { "singly", 's', 0, G_OPTION_ARG_NONE, &singly, NULL, NULL },
  { "cache", 0, 0, G_OPTION_ARG_FILENAME, &cache, NULL, NULL },
  { "debug-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &debug_dirs, NULL, NULL },
  { "sysroot", 0, 0, G_OPTION_ARG_FILENAME, &sysroot, NULL, NULL },
  { NULL }
};

static void
print_place (const char *path, guint line)
{
  printf ("%s:", path != NULL ? path : "??");
  if (line != 0)
    printf ("%u", line);
  else
    putchar ('?');
}

static void
print_symbol (const CsSymbol *symbol)
{
  const char *innermost = symbol->n_inlined > 0 ? symbol->inlined[0].linkage_name : NULL;

  if (innermost == NULL)
    innermost = symbol->linkage_name;
  printf ("%s\t%s\t", innermost != NULL ? innermost : "??",
          symbol->name == NULL ? "??" : demangle ? symbol->name : symbol->linkage_name);
  print_place (symbol->file, symbol->line);
  for (guint i = 0; chain && i < symbol->n_inlined; i++)
    {
      const CsInlinedFrame *frame = &symbol->inlined[i];

      printf ("\t%s from ", frame->name != NULL ? demangle ? frame->name : frame->linkage_name : "??");
      print_place (frame->call_file, frame->call_line);
    }
  putchar ('\n');
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GOptionContext) context = g_option_context_new ("FILE < ADDRESSES");
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) addresses = g_array_new (FALSE, FALSE, sizeof (guint64));
  CsDebugPlaces places = { g_ptr_array_new (), NULL };
  CsBinary *binary;
  char line[64];

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2)
    {
      fprintf (stderr, "%s\n", error != NULL ? error->message : "usage: lookup-tool [OPTION…] FILE < ADDRESSES");
      return 2;
    }
  file = argv[1];
  for (char **dir = debug_dirs; dir != NULL && *dir != NULL; dir++)
    g_ptr_array_add (places.debug_dirs, *dir);
  places.sysroot = sysroot;
  binary = cs_binary_open_with (file, NULL, &places, cache, &error);
  if (binary == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  while (fgets (line, sizeof line, stdin) != NULL)
    {
      guint64 address = strtoull (line, NULL, 16);

      g_array_append_val (addresses, address);
    }
  if (!singly && addresses->len > 0)
    cs_binary_prepare (binary, (const guint64 *) (gpointer) addresses->data, addresses->len);
  for (guint i = 0; i < addresses->len; i++)
    {
      CsSymbol symbol;

      cs_binary_lookup (binary, g_array_index (addresses, guint64, i), &symbol);
      print_symbol (&symbol);
    }
  if (notice)
    printf ("%s\n", cs_binary_get_notice (binary) != NULL ? cs_binary_get_notice (binary) : "");
  cs_binary_save (binary);
  cs_binary_unref (binary);
  g_ptr_array_unref (places.debug_dirs);
  return 0;
}
