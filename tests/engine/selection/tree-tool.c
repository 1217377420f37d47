/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>

#include "selection/cs-source-tree.h"

/* Prints the files of a tree, a line each: h or c, size, path. */
int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CsSourceTree) tree = argc == 2 ? cs_source_tree_new_sync (argv[1], NULL, &error) : NULL;
  g_autoptr (GPtrArray) files = NULL;
  g_auto (GStrv) warnings = NULL;

  if (tree == NULL)
    {
      fprintf (stderr, "%s\n", error != NULL ? error->message : "tree-tool DIR");
      return 2;
    }
  files = cs_source_tree_ref_files (tree);
  for (guint i = 0; i < files->len; i++)
    {
      const CsSourceFile *file = g_ptr_array_index (files, i);

      printf ("%c %" G_GUINT64_FORMAT " %s\n", file->is_header ? 'h' : 'c', file->size, file->path);
    }
  warnings = cs_source_tree_dup_warnings (tree);
  for (guint i = 0; warnings[i] != NULL; i++)
    fprintf (stderr, "%s\n", warnings[i]);
  return 0;
}
