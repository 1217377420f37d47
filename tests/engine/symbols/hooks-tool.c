/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>

#include "project/cs-hook-check.h"
#include "symbols/cs-code-hooks.h"
#include "symbols/cs-object-hooks.h"

/* --check LOG SELECTION: compares hooks with what was chosen. */
static int
check (const char *log, const char *selection)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CsHookCheck) found = cs_hook_check_new (log, selection, NULL, &error);
  g_autofree char *json = NULL;

  if (found == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 2;
    }
  json = cs_hook_check_to_json (found);
  printf ("%s\n", json);
  return 0;
}

/* --linked FILE: prints the functions of a program or library, `+ name` hooked, `- name` not. */
static int
print_linked (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CsBinary) binary = cs_binary_open (path, &error);
  const CsCodeFunction *functions;
  CsCodeHooks *hooks;
  guint n;

  if (binary == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 2;
    }
  hooks = cs_code_hooks_new (binary);
  functions = cs_code_hooks_get_functions (hooks, &n);
  for (guint i = 0; i < n; i++)
    printf ("%c %s\n", cs_code_hooks_has_hook (hooks, i) ? '+' : '-', functions[i].name);
  cs_code_hooks_free (hooks);
  return 0;
}

/* Prints the functions of object files: `+ name` hooked, `- name` not, `? file` not known. */
int
main (int argc, char **argv)
{
  if (argc == 4 && g_str_equal (argv[1], "--check"))
    return check (argv[2], argv[3]);
  if (argc == 3 && g_str_equal (argv[1], "--linked"))
    return print_linked (argv[2]);
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
