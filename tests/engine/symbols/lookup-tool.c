/* SPDX-License-Identifier: MIT */

/* Answers addresses, one hexadecimal number a line on the standard input, with
 * a line each: innermost function, function, file:line, separated by tabs, in
 * addr2line's notation for what is not known.  "-n" prints the notice, "-c"
 * prints demangled names. */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/cs-binary.h"

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CsBinary) binary = NULL;
  gboolean notice = argc > 2 && strcmp (argv[1], "-n") == 0;
  gboolean demangle = argc > 2 && strcmp (argv[1], "-c") == 0;
  char line[64];

  if (argc < 2)
    {
      fprintf (stderr, "usage: lookup-tool [-n|-c] FILE < ADDRESSES\n");
      return 2;
    }
  binary = cs_binary_open (argv[argc - 1], &error);
  if (binary == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  while (fgets (line, sizeof line, stdin) != NULL)
    {
      guint64 address = strtoull (line, NULL, 16);
      CsSymbol symbol;
      const char *innermost = cs_binary_lookup_innermost (binary, address);

      cs_binary_lookup (binary, address, &symbol);
      printf ("%s\t%s\t%s:", innermost != NULL ? innermost : "??",
              symbol.name == NULL ? "??" : demangle ? symbol.name : symbol.linkage_name,
              symbol.file != NULL ? symbol.file : "??");
      if (symbol.line != 0)
        printf ("%u\n", symbol.line);
      else
        printf ("?\n");
    }
  if (notice)
    printf ("%s\n", cs_binary_get_notice (binary) != NULL ? cs_binary_get_notice (binary) : "");
  return 0;
}
