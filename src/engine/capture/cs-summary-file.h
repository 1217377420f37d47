/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-event-file.h"
#include "capture/cs-notices.h"

G_BEGIN_DECLS

/* Four buckets an octave; the last one also takes what is longer. */
#define CS_SUMMARY_BUCKETS TRACE_SUMMARY_BUCKETS

/* What one thread did in one function. Times in ticks or ns, as the process has it. */
typedef struct
{
  guint64 func; /* address as the hook saw it */
  guint64 calls;
  guint64 incl, self;
  guint64 min, max;
  guint32 buckets[CS_SUMMARY_BUCKETS]; /* calls by duration */
} CsSummaryRecord;

/* One summary file, or the table of a thread that didn't end cleanly. */
typedef struct
{
  char *path;
  char *folder; /* that it lies in */
  char *name;   /* the last part of the path */
  CsTraceNameParts parts;
  gboolean swapped; /* the producer's byte order is not this machine's */
  struct trace_header header; /* what summary and event files both tell */
  guint record_size;
  guint tid;
  guint64 told;      /* records, as the header says; of a table its slots, also free ones */
  guint64 n_records; /* that are there */
  guint64 span;      /* from the thread's first event to its last */
  guint64 truncated; /* calls deeper than the thread's stack could hold */
  guint64 device, inode;
} CsSummaryFile;

typedef void (*CsSummaryFunc) (const CsSummaryRecord *record, gpointer user_data);

CsSummaryFile *cs_summary_file_open (const char *path, GError **error);
void cs_summary_file_free (CsSummaryFile *self);
gboolean cs_summary_file_is_table (const CsSummaryFile *self);
int cs_summary_file_compare (const CsSummaryFile *a, const CsSummaryFile *b);
void cs_summary_file_add_notices (const CsSummaryFile *self, CsNotices *notices);
void cs_summary_file_read (CsSummaryFile *self, CsSummaryFunc take, gpointer user_data, CsNotices *notices);
guint64 cs_summary_bucket_start (guint bucket);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsSummaryFile, cs_summary_file_free)

G_END_DECLS
