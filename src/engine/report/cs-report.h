/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"
#include "report/cs-report-chosen.h"

G_BEGIN_DECLS

#define CS_REPORT_ERROR (cs_report_error_quark ())

typedef enum
{
  CS_REPORT_ERROR_FORMAT,  /* no such format or column */
  CS_REPORT_ERROR_SUMMARY, /* the format needs what a summary doesn't hold */
  CS_REPORT_ERROR_INPUT,   /* what was to be read back is no report */
  CS_REPORT_ERROR_SIZE,    /* it is too large */
} CsReportError;

GQuark cs_report_error_quark (void);

typedef enum
{
  CS_REPORT_TEXT,
  CS_REPORT_JSON,
  CS_REPORT_FOLDED,
  CS_REPORT_CHROME,
  CS_REPORT_CALLERS,
  CS_REPORT_TREE,
  CS_REPORT_PERFETTO,
  CS_REPORT_SPEEDSCOPE,
  CS_REPORT_CALLGRIND,
  CS_REPORT_CSV,
  CS_REPORT_SVG,
  CS_REPORT_SLOWEST,
} CsReportFormat;

/* How the program that was recorded ended; see cs-run.h. */
typedef struct
{
  const char *const *command;
  int exit_status; /* -1: it was ended by a signal */
  int signal;      /* 0: none */
  gboolean timed_out;
} CsReportProgram;

/* What the first table of functions is ordered by, most first. */
typedef enum
{
  CS_SORT_SELF,
  CS_SORT_INCL,
  CS_SORT_TOTAL,
  CS_SORT_CALLS,
  CS_SORT_MIN,
  CS_SORT_MEAN,
  CS_SORT_P50,
  CS_SORT_P90,
  CS_SORT_P99,
  CS_SORT_P999,
  CS_SORT_MAX,
  CS_SORT_DEVIATION,
  CS_SORT_THREADS,
  CS_SORT_CALLERS,
  CS_SORT_CALLEES,
} CsReportSort;

typedef struct
{
  CsReportSort sort;
  guint top; /* rows of a table, paths of tree and svg; 0: all */
  double min_share; /* percent: paths of less time are left out of tree and svg */
  guint64 *bytes_done; /* (nullable): counts the bytes that are read again, atomically */
  const CsReportProgram *program; /* (nullable) */
  const char *function; /* (nullable): glob for the functions whose details text and JSON tell, and whose
                           calls slowest is about */
  gboolean json;        /* slowest as JSON */
  gboolean by_thread;   /* folded, tree and svg: the call tree thread by thread, for which the recording is
                           read again */
  const CsReportChosen *chosen; /* (nullable): marks what wasn't chosen to be recorded */
  const char *const *notices;   /* (nullable): in place of the profile's */
} CsReportOptions;

/* How many of its longest calls a function's details have: what a profile needs to hold for them. */
#define CS_REPORT_DETAILS_SLOWEST 10

gboolean cs_report_format_parse (const char *name, CsReportFormat *format, GError **error);
guint cs_report_format_get_top (CsReportFormat format);
gboolean cs_report_format_reads_again (CsReportFormat format);
gboolean cs_report_format_shows_notices (CsReportFormat format);
gboolean cs_report_format_shows_call_sites (CsReportFormat format);
gboolean cs_report_format_shows_threads (CsReportFormat format);
gboolean cs_report_sort_parse (const char *name, CsReportSort *sort, GError **error);
gboolean cs_report_write (CsProfile *profile, CsReportFormat format, const CsReportOptions *options,
                          GOutputStream *stream, GCancellable *cancellable, GError **error);
void cs_report_write_async (CsProfile *profile, CsReportFormat format, const CsReportOptions *options,
                            GOutputStream *stream, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data);
gboolean cs_report_write_finish (GAsyncResult *result, GError **error);

G_END_DECLS
