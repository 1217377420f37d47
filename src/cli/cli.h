/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/cs-report.h"

G_BEGIN_DECLS

/* What an exit status says; the same for all subcommands. */
#define CLI_DONE 0
#define CLI_BAD_INPUT 2   /* usage, or input that can't be read */
#define CLI_NOT_STARTED 3 /* the traced program could not be started */

/* Where names and sources come from, and how they are shown. */
typedef struct
{
  char *addr2line;
  char **source_maps;
  int template_depth; /* -1: everything is shown */
  gboolean debuginfod;
} CliSymbols;

#define CLI_SYMBOLS_ENTRIES(symbols)                                                               \
  { "addr2line", 0, 0, G_OPTION_ARG_STRING, &(symbols).addr2line,                                  \
    "Let this program read the symbols (CALLSIGHT_ADDR2LINE)", "CMD" },                            \
  { "source-map", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(symbols).source_maps,                       \
    "Show sources in the folder OLD as in NEW; may be repeated", "OLD=NEW" },                      \
  { "template-depth", 0, 0, G_OPTION_ARG_INT, &(symbols).template_depth,                           \
    "Show N levels of C++ template arguments; 0 for none", "N" },                                  \
  { "debuginfod", 0, 0, G_OPTION_ARG_NONE, &(symbols).debuginfod,                                  \
    "Fetch what is missing from the servers in DEBUGINFOD_URLS", NULL }

/* What analyze and run have in common: how a recording becomes a report. */
typedef struct
{
  char *exe;
  char *format_name;
  char *sort_name;
  char *out;
  char *bundle;
  char **debug_dirs;
  char *sysroot;
  int top;
  gboolean quiet;
  CliSymbols symbols;

  CsReportFormat format;
  CsReportSort sort;
  CsSymbolizer *symbolizer;
  CsReportProgram *program; /* (nullable): what was run */
} CliReport;

#define CLI_REPORT_INIT { .top = 20, .symbols.template_depth = -1 }

/* The entries of GOption for a CliReport. */
#define CLI_REPORT_ENTRIES(report)                                                                 \
  { "exe", 0, 0, G_OPTION_ARG_FILENAME, &(report).exe,                                             \
    "The binary that was recorded, if it isn't where it was", "BIN" },                             \
  { "debug-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(report).debug_dirs,                          \
    "Look for debug files in DIR first; may be given more than once", "DIR" },                     \
  { "sysroot", 0, 0, G_OPTION_ARG_FILENAME, &(report).sysroot,                                     \
    "Look for binaries and their debug files under DIR first", "DIR" },                            \
  { "top", 0, 0, G_OPTION_ARG_INT, &(report).top, "Rows of a table (20); 0 shows all", "N" },      \
  { "format", 0, 0, G_OPTION_ARG_STRING, &(report).format_name,                                    \
    "text (default), json, folded, chrome or callers", "FMT" },                                    \
  { "sort", 0, 0, G_OPTION_ARG_STRING, &(report).sort_name,                                        \
    "Order by self (default), incl, total, calls or max", "COL" },                                 \
  { "out", 0, 0, G_OPTION_ARG_FILENAME, &(report).out,                                             \
    "Write to FILE, which stays as it is if anything fails", "FILE" },                             \
  { "bundle", 0, 0, G_OPTION_ARG_FILENAME, &(report).bundle,                                       \
    "Copy recording, binaries and sources into the new folder OUT instead", "OUT" },               \
  CLI_SYMBOLS_ENTRIES ((report).symbols),                                                          \
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

gboolean cli_symbols_apply (CliSymbols *self, CsSymbolizer *symbolizer, GError **error);
void cli_symbols_clear (CliSymbols *self);

gboolean cli_report_check (CliReport *self);
int cli_report_make (CliReport *self, const char *const *paths, GError **not_found);
void cli_report_clear (CliReport *self);

int cli_analyze (int argc, char **argv);
int cli_run (int argc, char **argv);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliOutput, cli_output_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliReport, cli_report_clear)

G_END_DECLS
