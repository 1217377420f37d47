/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/cs-report.h"

G_BEGIN_DECLS

/* What an exit status says; the same for all subcommands. */
#define CLI_DONE 0
#define CLI_BAD_INPUT 2   /* usage, or input that can't be read */
#define CLI_NOT_STARTED 3 /* the traced program could not be started */

/* What analyze and run have in common: how a recording becomes a report. */
typedef struct
{
  char *exe;
  char *format_name;
  char *sort_name;
  char *out;
  int top; /* CLI_TOP_DEFAULT: not given */
  double min_share;
  gboolean quiet;

  CsReportFormat format;
  CsReportSort sort;
  CsReportProgram *program; /* (nullable): what was run */
} CliReport;

#define CLI_TOP_DEFAULT G_MININT
#define CLI_REPORT_INIT { .top = CLI_TOP_DEFAULT }

/* The entries of GOption for a CliReport. */
#define CLI_REPORT_ENTRIES(report)                                                                 \
  { "exe", 0, 0, G_OPTION_ARG_FILENAME, &(report).exe,                                             \
    "The binary that was recorded, if it isn't where it was", "BIN" },                             \
  { "top", 0, 0, G_OPTION_ARG_INT, &(report).top,                                                  \
    "Rows of a table (20; csv: all), paths of tree (100) and svg (10000); 0 shows all", "N" },     \
  { "min-share", 0, 0, G_OPTION_ARG_DOUBLE, &(report).min_share,                                   \
    "Least share of the time that a path of tree and svg has (0)", "PERCENT" },                    \
  { "format", 0, 0, G_OPTION_ARG_STRING, &(report).format_name,                                    \
    "text (default), json, csv, tree, folded, callers, callgrind, svg, chrome, perfetto or speedscope", "FMT" }, \
  { "sort", 0, 0, G_OPTION_ARG_STRING, &(report).sort_name,                                        \
    "Order by self (default), incl, total, calls or max", "COL" },                                 \
  { "out", 0, 0, G_OPTION_ARG_FILENAME, &(report).out,                                             \
    "Write to FILE, which stays as it is if anything fails", "FILE" },                             \
  { "quiet", 'q', 0, G_OPTION_ARG_NONE, &(report).quiet, "No progress display", NULL }

gboolean cli_parse (GOptionContext *context, const char *command, int *argc, char ***argv);
void cli_error (const char *format, ...) G_GNUC_PRINTF (1, 2);
void cli_keep_result (GObject *source, GAsyncResult *result, gpointer user_data);
GAsyncResult *cli_wait (GAsyncResult **result);

typedef struct _CliOutput CliOutput;

CliOutput *cli_output_open (const char *path, GError **error);
GOutputStream *cli_output_get_stream (CliOutput *self);
gboolean cli_output_commit (CliOutput *self, GError **error);
void cli_output_free (CliOutput *self);

gboolean cli_report_check (CliReport *self);
int cli_report_make (CliReport *self, const char *const *paths, GError **not_found);
void cli_report_clear (CliReport *self);

int cli_analyze (int argc, char **argv);
int cli_run (int argc, char **argv);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliOutput, cli_output_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliReport, cli_report_clear)

G_END_DECLS
