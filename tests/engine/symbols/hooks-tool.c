/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>

#include "symbols/cs-object-hooks.h"

/* Prints the functions of object files: `+ name` hooked, `- name` not, `? file` not known. */
int
main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CsObjectHooks) hooks = cs_object_hooks_read (argv[i], &error);
      const CsObjectFunction *functions;
      guint n;

      if (hooks == NULL)
        {
          fprintf (stderr, "%s\n", error->message);
          return 2;
        }
      functions = cs_object_hooks_get_functions (hooks, &n);
      for (guint j = 0; j < n; j++)
        printf ("%c %s\n", functions[j].hooked ? '+' : '-', functions[j].name);
      if (!cs_object_hooks_is_known (hooks))
        printf ("? %s\n", argv[i]);
    }
  return 0;
}
