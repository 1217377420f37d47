/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>

#include "cli.h"
#include "project/cs-provision.h"

static char *
fetch (const char *url, const char *sha256, gboolean quiet, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  GError *local = NULL;
  char *path;
  CliInterrupt interrupt;
  CliProgress progress;

  cli_progress_begin (&progress, "fetching", quiet);
  cli_interrupt_begin (&interrupt);
  cs_provision_async (url, sha256, &progress.done, interrupt.cancellable, cli_keep_result, &result);
  path = cs_provision_finish (cli_wait (&result), &local);
  cli_progress_end (&progress);
  cli_interrupt_end (&interrupt, local);
  if (local != NULL)
    g_propagate_error (error, local);
  return path;
}

/* Which ctags serves the scan, or how one is had. */
static int
tell (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *scanner = cs_provision_dup_scanner (&error);
  g_autofree char *id = g_get_os_info (G_OS_INFO_KEY_ID);
  g_autofree char *like = g_get_os_info ("ID_LIKE");
  const char *command = cs_provision_get_install_command (id, like);

  if (scanner != NULL)
    {
      printf ("%s serves the scan\n", scanner);
      return CLI_DONE;
    }
  printf ("The built-in scan serves, which knows less of C++ than Universal Ctags: %s\n", error->message);
  if (command != NULL)
    printf ("To install Universal Ctags here: %s\n", command);
  else
    printf ("To install Universal Ctags here: take the package that this system has of it\n");
  printf ("Or let this command fetch one:   callsight-cli provision --from URL --sha256 HEX\n");
  return CLI_NO;
}

/**
 * cli_provision:
 * @argc: number of arguments, the subcommand first
 * @argv: the arguments
 *
 * provision [--from URL --sha256 HEX]: says which ctags serves the scan, or fetches one.
 *
 * Returns: the exit status
 */
int
cli_provision (int argc, char **argv)
{
  g_autofree char *url = NULL;
  g_autofree char *sha256 = NULL;
  gboolean quiet = FALSE;
  const GOptionEntry entries[] = {
    { "from", 0, 0, G_OPTION_ARG_STRING, &url, "Fetch a Universal Ctags from here: https, http or file", "URL" },
    { "sha256", 0, 0, G_OPTION_ARG_STRING, &sha256, "Its checksum, without which nothing is fetched", "HEX" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "No progress display", NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  g_option_context_set_summary (context,
                                "Says which ctags finds the functions of a source tree, and how to install one here; or\n"
                                "fetches one and puts it where the scan looks when PATH has none.");
  g_option_context_set_description (context,
                                    "The scan takes the ctags that CALLSIGHT_CTAGS names, or else one of PATH, or else\n"
                                    "the one that was fetched: callsight/bin/ctags in XDG_DATA_HOME (~/.local/share).\n"
                                    "The file is a program, not an archive, of at most 64 MiB. It is run only if its\n"
                                    "checksum is right. The exit status is 1 if no ctags serves.\n");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!cli_parse (context, "provision", &argc, &argv))
    return CLI_BAD_INPUT;
  if (argc > 1)
    {
      cli_error ("provision: %s: no argument is taken — see callsight-cli provision --help", argv[1]);
      return CLI_BAD_INPUT;
    }
  if (url == NULL && sha256 == NULL)
    return tell ();
  path = fetch (url, sha256, quiet, &error);
  if (path == NULL)
    {
      cli_error ("provision: %s", error->message);
      return CLI_BAD_INPUT;
    }
  printf ("Installed: %s\n", path);
  return tell ();
}
