/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli.h"

/**
 * cli_analyze:
 * @argc: number of arguments, the subcommand first
 * @argv: the arguments
 *
 * analyze [DIR…]: reports a recording.
 *
 * Returns: the exit status
 */
int
cli_analyze (int argc, char **argv)
{
  g_auto (CliReport) report = CLI_REPORT_INIT;
  g_auto (CliFilter) filter = { 0 };
  const GOptionEntry entries[] = { CLI_REPORT_ENTRIES (report), CLI_FILTER_ENTRIES (filter), G_OPTION_ENTRY_NULL };
  g_autoptr (GOptionContext) context = g_option_context_new ("[DIR…]");
  static const char *const default_paths[] = { "traces", NULL };

  g_option_context_set_summary (context,
                                "Reports the recording in trace directories or event files (./traces).");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!cli_parse (context, "analyze", &argc, &argv) || !cli_report_check (&report) ||
      !cli_filter_check (&filter, &report.filter))
    return CLI_BAD_INPUT;
  if (argc > 1 && g_str_equal (argv[1], "--"))
    argv++, argc--;
  return cli_report_make (&report, argc > 1 ? (const char *const *) argv + 1 : default_paths, NULL);
}
