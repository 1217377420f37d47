/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>

#include "cli.h"
#include "project/cs-doctor.h"
#include "report/cs-report-writer.h"
#include "selection/cs-source-tree.h"

static GPtrArray *
look (const CsDoctorOptions *options)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *findings;
  CliInterrupt interrupt;

  cli_interrupt_begin (&interrupt);
  cs_doctor_look_async (options, interrupt.cancellable, cli_keep_result, &result);
  findings = cs_doctor_look_finish (cli_wait (&result), &error);
  cli_interrupt_end (&interrupt, error);
  return findings;
}

static guint
count (GPtrArray *findings, CsFindingState state)
{
  guint n = 0;

  for (guint i = 0; i < findings->len; i++)
    n += ((CsFinding *) g_ptr_array_index (findings, i))->state == state;
  return n;
}

static void
print_text (GPtrArray *findings)
{
  guint problems = count (findings, CS_FINDING_PROBLEM);
  guint warnings = count (findings, CS_FINDING_WARNING);

  for (guint i = 0; i < findings->len; i++)
    {
      const CsFinding *finding = g_ptr_array_index (findings, i);

      printf ("%-8s %-20s %s%s%s\n", cs_finding_state_get_name (finding->state), finding->check, finding->text,
              finding->advice != NULL ? " — " : "", finding->advice != NULL ? finding->advice : "");
    }
  printf ("\n%u problem%s, %u warning%s\n", problems, problems == 1 ? "" : "s", warnings, warnings == 1 ? "" : "s");
}

static void
print_json (GPtrArray *findings)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "{\n  \"tool\": \"callsight\",\n  \"version\": \"" CS_VERSION "\",\n"
                                "  \"problems\": %u,\n  \"warnings\": %u,\n  \"checks\": [",
                          count (findings, CS_FINDING_PROBLEM), count (findings, CS_FINDING_WARNING));
  for (guint i = 0; i < findings->len; i++)
    {
      const CsFinding *finding = g_ptr_array_index (findings, i);

      g_string_append_printf (text, "%s\n    {\"check\": \"%s\", \"state\": \"%s\", \"text\": ", i > 0 ? "," : "",
                              finding->check, cs_finding_state_get_name (finding->state));
      cs_report_append_json_string (text, finding->text);
      g_string_append (text, ", \"advice\": ");
      if (finding->advice != NULL)
        cs_report_append_json_string (text, finding->advice);
      else
        g_string_append (text, "null");
      g_string_append_c (text, '}');
    }
  printf ("%s\n  ]\n}\n", text->str);
}

/**
 * cli_doctor:
 * @argc: number of arguments, the subcommand first
 * @argv: the arguments
 *
 * doctor [DIR]: looks whether all that is needed is here.
 *
 * Returns: the exit status
 */
int
cli_doctor (int argc, char **argv)
{
  g_autofree char *config = NULL;
  g_autofree char *traces = NULL;
  g_autofree char *compiler = NULL;
  g_autofree char *format = NULL;
  const GOptionEntry entries[] = {
    { "config", 0, 0, G_OPTION_ARG_FILENAME, &config, "What to trace (DIR/trace.config)", "FILE" },
    { "dir", 0, 0, G_OPTION_ARG_FILENAME, &traces, "Trace directory (TRACE_DIR, or DIR/traces)", "DIR" },
    { "compiler-cmd", 0, 0, G_OPTION_ARG_STRING, &compiler, "The compiler's command (CC, or cc)", "CC" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &format, "text (default) or json", "FMT" },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("[DIR]");
  g_autoptr (GPtrArray) findings = NULL;
  CsDoctorOptions options = { 0 };
  g_autoptr (GError) error = NULL;

  g_option_context_set_summary (context,
                                "Looks whether all is here that choosing, building, recording and reporting need, in the\n"
                                "project DIR (the working directory) and on this machine. Nothing is changed.");
  g_option_context_set_description (context,
                                    "Each line begins with ok, warn (something can't be done, or less well) or problem, and\n"
                                    "ends with what to do. The exit status is 1 if there is a problem.\n");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!cli_parse (context, "doctor", &argc, &argv))
    return CLI_BAD_INPUT;
  if (argc > 1 && g_str_equal (argv[1], "--"))
    argv++, argc--;
  if (argc > 2)
    {
      cli_error ("doctor: %s: one folder is looked at — see callsight-cli doctor --help", argv[2]);
      return CLI_BAD_INPUT;
    }
  if (format != NULL && !g_str_equal (format, "text") && !g_str_equal (format, "json"))
    {
      cli_error ("--format %s: no such thing — use one of text, json", format);
      return CLI_BAD_INPUT;
    }
  if (argc == 2 && !cs_source_tree_check_folder (argv[1], &error))
    {
      cli_error ("doctor: %s", error->message);
      return CLI_BAD_INPUT;
    }
  options = (CsDoctorOptions){ .folder = argc == 2 ? argv[1] : NULL, .config = config, .trace_folder = traces,
                               .compiler = compiler };
  findings = look (&options);
  if (findings == NULL)
    return CLI_BAD_INPUT;
  if (format != NULL && g_str_equal (format, "json"))
    print_json (findings);
  else
    print_text (findings);
  return count (findings, CS_FINDING_PROBLEM) > 0 ? CLI_NO : CLI_DONE;
}
