/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/cs-report.h"

G_BEGIN_DECLS

/* What an exit status says; the same for all subcommands. */
#define CLI_DONE 0
#define CLI_NO 1          /* the answer is no: a regression, a problem */
#define CLI_BAD_INPUT 2   /* usage, or input that can't be read */
#define CLI_NOT_STARTED 3 /* the traced program could not be started */

/* Where names and sources come from, and how they are shown. */
typedef struct
{
  char *addr2line;
  char **source_maps;
  int template_depth; /* CLI_DEPTH_DEFAULT: everything is shown */
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
  int top; /* CLI_TOP_DEFAULT: not given */
  double min_share;
  gboolean by_thread;
  gboolean quiet;
  CliSymbols symbols;

  CsReportFormat format;
  CsReportSort sort;
  CsProfileFilter filter;
  char *function; /* (nullable): glob of the functions to tell more of */
  gboolean json;  /* slowest as JSON */
  CsSymbolizer *symbolizer;
  CsReportProgram *program; /* (nullable): what was run */
  char *selection;          /* (nullable): the file that says what was chosen; "none": don't look for one */
  CsReportChosen *chosen;   /* (nullable) */
  GPtrArray *notices;       /* (nullable): the profile's and those about what was chosen, with a last NULL */
} CliReport;

#define CLI_TOP_DEFAULT G_MININT
#define CLI_DEPTH_DEFAULT G_MININT
/* More of each function's calls would be a trace, not a list. */
#define CLI_MOST_SLOWEST 1000
#define CLI_REPORT_INIT { .top = CLI_TOP_DEFAULT, .symbols.template_depth = CLI_DEPTH_DEFAULT }

/* The entries of GOption for what every report has: where names come from, where it goes. */
#define CLI_INPUT_ENTRIES(report)                                                                  \
  { "exe", 0, 0, G_OPTION_ARG_FILENAME, &(report).exe,                                             \
    "The binary that was recorded, if it isn't where it was", "BIN" },                             \
  { "debug-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(report).debug_dirs,                          \
    "Look for debug files in DIR first; may be given more than once", "DIR" },                     \
  { "sysroot", 0, 0, G_OPTION_ARG_FILENAME, &(report).sysroot,                                     \
    "Look for binaries and their debug files under DIR first", "DIR" },                            \
  { "out", 0, 0, G_OPTION_ARG_FILENAME, &(report).out,                                             \
    "Write to FILE, which stays as it is if anything fails", "FILE" },                             \
  CLI_SYMBOLS_ENTRIES ((report).symbols),                                                          \
  { "quiet", 'q', 0, G_OPTION_ARG_NONE, &(report).quiet, "No progress display", NULL }

/* The entries of GOption for a CliReport. */
#define CLI_REPORT_ENTRIES(report)                                                                 \
  { "top", 0, 0, G_OPTION_ARG_INT, &(report).top,                                                  \
    "Rows of a table (20; csv: all), paths of tree (100) and svg (10000); 0 shows all", "N" },     \
  { "min-share", 0, 0, G_OPTION_ARG_DOUBLE, &(report).min_share,                                   \
    "Least share of the time that a path of tree and svg has (0)", "PERCENT" },                    \
  { "by-thread", 0, 0, G_OPTION_ARG_NONE, &(report).by_thread,                                     \
    "Show the call tree thread by thread (folded, tree and svg)", NULL },                          \
  { "format", 0, 0, G_OPTION_ARG_STRING, &(report).format_name,                                    \
    "text (default), json, csv, tree, folded, callers, callgrind, svg, chrome, perfetto, "         \
    "speedscope or slowest", "FMT" },                                                              \
  { "sort", 0, 0, G_OPTION_ARG_STRING, &(report).sort_name,                                        \
    "Order by self (default), incl, total, calls, min, mean, p50, p90, p99, p99.9, max, stddev, "  \
    "threads, callers or callees", "COL" },                                                        \
  { "details", 0, 0, G_OPTION_ARG_STRING, &(report).function,                                      \
    "Histogram, callers, callees and slowest calls of functions of that name (text, json)",        \
    "GLOB" },                                                                                      \
  { "selection", 0, 0, G_OPTION_ARG_FILENAME, &(report).selection,                                 \
    "Mark what wasn't chosen by this selection file (that of the program's build); none: don't",   \
    "FILE" },                                                                                      \
  { "bundle", 0, 0, G_OPTION_ARG_FILENAME, &(report).bundle,                                       \
    "Copy recording, binaries and sources into the new folder OUT instead", "OUT" },               \
  CLI_INPUT_ENTRIES (report)

gboolean cli_parse (GOptionContext *context, const char *command, int *argc, char ***argv);
gboolean cli_check_name (const char *option, const char *name);
void cli_error (const char *format, ...) G_GNUC_PRINTF (1, 2);
void cli_notice (const char *notice);
void cli_keep_result (GObject *source, GAsyncResult *result, gpointer user_data);
GAsyncResult *cli_wait (GAsyncResult **result);

/* What the signals do that are meant to end the program, and which of them came. */
typedef struct
{
  GCancellable *cancellable;
  int number;
  guint sources[3];
} CliInterrupt;

void cli_interrupt_begin (CliInterrupt *self);
void cli_interrupt_end (CliInterrupt *self, const GError *error);

/* A line that tells how far something is. */
typedef struct
{
  const char *what;
  guint64 done; /* bytes; may be changed in another thread, atomically */
  gint64 start; /* monotonic µs */
  guint timer;  /* 0: nothing is shown */
  gboolean shown;
} CliProgress;

void cli_progress_begin (CliProgress *self, const char *what, gboolean quiet);
void cli_progress_end (CliProgress *self);

typedef struct _CliOutput CliOutput;

char *cli_quote (const char *word);
char *cli_show_path (const char *path);
CliOutput *cli_output_open (const char *path, GError **error);
GOutputStream *cli_output_get_stream (CliOutput *self);
gboolean cli_output_commit (CliOutput *self, GError **error);
void cli_output_free (CliOutput *self);

/* Which part of a recording, as given. */
typedef struct
{
  char *from, *to, *thread, *function;
  int pid;
} CliFilter;

/* The entries of GOption for a CliFilter, but for the function. */
#define CLI_RANGE_ENTRIES(filter)                                                                  \
  { "from", 0, 0, G_OPTION_ARG_STRING, &(filter).from,                                             \
    "Only what happened from T after the start on (1.5, 20ms, 300us …)", "T" },                    \
  { "to", 0, 0, G_OPTION_ARG_STRING, &(filter).to, "Only what happened before T", "T" },           \
  { "thread", 0, 0, G_OPTION_ARG_STRING, &(filter).thread,                                         \
    "Only threads of that name, which may have * and ?, or the one with that id", "GLOB" },        \
  { "pid", 0, 0, G_OPTION_ARG_INT, &(filter).pid, "Only the process with that id", "N" }

/* The entries of GOption for a CliFilter. */
#define CLI_FILTER_ENTRIES(filter)                                                                 \
  CLI_RANGE_ENTRIES (filter),                                                                      \
  { "function", 0, 0, G_OPTION_ARG_STRING, &(filter).function,                                     \
    "Only calls of functions of that name, which may have * and ?, and what they call", "GLOB" }

gboolean cli_filter_check (const CliFilter *self, CsProfileFilter *filter);
void cli_filter_clear (CliFilter *self);
gboolean cli_symbols_apply (CliSymbols *self, CsSymbolizer *symbolizer, GError **error);
void cli_symbols_clear (CliSymbols *self);

gboolean cli_report_check (CliReport *self);
int cli_report_make (CliReport *self, const char *const *paths, GError **not_found);
void cli_report_clear (CliReport *self);

int cli_init (int argc, char **argv);
int cli_build (int argc, char **argv);
int cli_analyze (int argc, char **argv);
int cli_select (int argc, char **argv);
int cli_slowest (int argc, char **argv);
int cli_convert (int argc, char **argv);
int cli_diff (int argc, char **argv);
int cli_counters (int argc, char **argv);
int cli_doctor (int argc, char **argv);
int cli_flags (int argc, char **argv);
int cli_provision (int argc, char **argv);
int cli_run (int argc, char **argv);
int cli_scan (int argc, char **argv);
int cli_serve (int argc, char **argv);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliOutput, cli_output_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliReport, cli_report_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliFilter, cli_filter_clear)

G_END_DECLS
