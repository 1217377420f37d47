/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli.h"

/**
 * cli_slowest:
 * @argc: number of arguments, the subcommand first
 * @argv: the arguments
 *
 * slowest [DIR…]: the longest single calls.
 *
 * Returns: the exit status
 */
int
cli_slowest (int argc, char **argv)
{
  g_auto (CliReport) report = CLI_REPORT_INIT;
  g_auto (CliFilter) filter = { 0 };
  g_autofree char *format = NULL;
  const GOptionEntry entries[] = {
    { "number", 'n', 0, G_OPTION_ARG_INT, &report.top, "How many calls (20)", "N" },
    { "function", 0, 0, G_OPTION_ARG_STRING, &report.function,
      "Only calls of functions of that name, which may have * and ?", "GLOB" },
    CLI_RANGE_ENTRIES (filter),
    { "format", 0, 0, G_OPTION_ARG_STRING, &format, "text (default) or json", "FMT" },
    CLI_INPUT_ENTRIES (report),
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("[DIR…]");
  static const char *const default_paths[] = { "traces", NULL };

  g_option_context_set_summary (context, "Lists the longest single calls: when, in which thread, by which path.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!cli_parse (context, "slowest", &argc, &argv))
    return CLI_BAD_INPUT;
  if (format != NULL && !g_str_equal (format, "text") && !g_str_equal (format, "json"))
    {
      cli_error ("--format %s: no such format — use text or json", format);
      return CLI_BAD_INPUT;
    }
  if (report.top != CLI_TOP_DEFAULT && (report.top < 1 || report.top > CLI_MOST_SLOWEST))
    {
      cli_error ("-n %d: not a number of calls from 1 to %d", report.top, CLI_MOST_SLOWEST);
      return CLI_BAD_INPUT;
    }
  report.json = g_strcmp0 (format, "json") == 0;
  report.format_name = g_strdup ("slowest");
  if (!cli_report_check (&report) || !cli_filter_check (&filter, &report.filter))
    return CLI_BAD_INPUT;
  if (argc > 1 && g_str_equal (argv[1], "--"))
    argv++, argc--;
  return cli_report_make (&report, argc > 1 ? (const char *const *) argv + 1 : default_paths, NULL);
}
