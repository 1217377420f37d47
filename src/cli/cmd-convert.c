/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <signal.h>
#include <stdio.h>

#include "cli.h"
#include "project/cs-convert.h"

static CsConvertResult *
convert (const char *folder, CsConvertFormat format, const char *out, gboolean quiet, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  GError *local = NULL;
  CsConvertResult *done;
  CliInterrupt interrupt;
  CliProgress progress;

  cli_progress_begin (&progress, "converting", quiet);
  cli_interrupt_begin (&interrupt);
  cs_convert_async (folder, format, out, &progress.done, interrupt.cancellable, cli_keep_result, &result);
  done = cs_convert_finish (cli_wait (&result), &local);
  cli_progress_end (&progress);
  cli_interrupt_end (&interrupt, local);
  if (local != NULL)
    g_propagate_error (error, local);
  return done;
}

static void
tell (const CsConvertResult *result, CsConvertFormat format, const char *out)
{
  g_autofree char *before = g_format_size (result->bytes_before);
  g_autofree char *after = g_format_size (result->bytes_after);

  for (char **notice = result->notices; *notice != NULL; notice++)
    cli_notice (*notice);
  printf ("%s: event files %s: %u (%" G_GUINT64_FORMAT " records, %s → %s); others copied: %u\n", out,
          format == CS_CONVERT_PACKED ? "packed" : "unpacked", result->n_converted, result->n_records, before, after,
          result->n_copied);
}

/**
 * cli_convert:
 * @argc: number of arguments, the subcommand first
 * @argv: the arguments
 *
 * convert DIR --to records|packed: copies a recording with the other kind of event files.
 *
 * Returns: the exit status
 */
int
cli_convert (int argc, char **argv)
{
  g_autofree char *to = NULL;
  g_autofree char *out = NULL;
  gboolean quiet = FALSE;
  const GOptionEntry entries[] = {
    { "to", 0, 0, G_OPTION_ARG_STRING, &to, "records: 32 bytes an event, or packed: a tenth of that", "FORMAT" },
    { "out", 0, 0, G_OPTION_ARG_FILENAME, &out, "Make the copy here, a new or empty folder (DIR.records, DIR.packed)",
      "DIR" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "No progress display", NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("DIR");
  g_autoptr (CsConvertResult) result = NULL;
  g_autoptr (GError) error = NULL;
  CsConvertFormat format;

  g_option_context_set_summary (context,
                                "Copies a recording, with its event files in the other of two formats: the same\n"
                                "events, to the tick, and reports say the same. Nothing is lost either way but what is\n"
                                "damaged, which standard error then tells.");
  g_option_context_set_description (context,
                                    "Other files of the recording are copied as they are. The folder DIR is not changed. Of a\n"
                                    "program that still runs, the copy has what it recorded up to now. Where all event files\n"
                                    "are of that format already, no copy is made, and the exit status is 2.\n");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!cli_parse (context, "convert", &argc, &argv))
    return CLI_BAD_INPUT;
  if (argc > 1 && g_str_equal (argv[1], "--"))
    argv++, argc--;
  if (argc != 2 || *argv[1] == '\0')
    {
      cli_error ("convert: one folder is converted, not %d — callsight-cli convert DIR --to packed", MAX (argc - 1, 0));
      return CLI_BAD_INPUT;
    }
  if (to == NULL)
    {
      cli_error ("convert: no format given — add --to packed or --to records");
      return CLI_BAD_INPUT;
    }
  if (!cli_check_name ("convert: --out", out))
    return CLI_BAD_INPUT;
  signal (SIGPIPE, SIG_IGN);
  if (cs_convert_format_parse (to, &format, &error))
    {
      if (out == NULL)
        out = cs_convert_get_default_target (argv[1], format);
      result = convert (argv[1], format, out, quiet, &error);
    }
  if (result == NULL)
    {
      cli_error ("%s", error->message);
      return CLI_BAD_INPUT;
    }
  tell (result, format, out);
  return CLI_DONE;
}
