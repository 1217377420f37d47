/* SPDX-License-Identifier: MIT */
#pragma once

#include "receive/cs-receive-chunk.h"
#include "receive/cs-receive-store.h"

G_BEGIN_DECLS

/* What became of a stream so far. */
typedef struct
{
  guint64 events;    /* enters and exits that were written */
  guint64 bytes;     /* of records and blocks that were written */
  guint64 dropped;   /* events, as the device told */
  guint64 gaps, gap_bytes;
  guint64 discarded; /* bytes that came when nothing more was written */
  guint stopped;     /* TRACE_MARK_* that says why nothing more is written; 0: it is */
  guint64 stopped_at; /* what that marker says */
  gboolean gone;     /* the folder was removed */
} CsReceiveStats;

char *cs_receive_stats_dup_sums (const CsReceiveStats *self);
char *cs_receive_stats_dup_stop (const CsReceiveStats *self, const char *folder);
char *cs_receive_stats_dup_end (const CsReceiveStats *self, const char *folder);

/* The folder that a stream is written to. One thread at a time. */
typedef struct _CsReceiveWriter CsReceiveWriter;

CsReceiveWriter *cs_receive_writer_open (CsReceiveStore *store, const CsReceiveHello *hello, GError **error);
gboolean cs_receive_writer_take (CsReceiveWriter *self, const CsReceiveChunk *chunk, GError **error);
void cs_receive_writer_close (CsReceiveWriter *self, gboolean forget);
const CsReceiveStats *cs_receive_writer_get_stats (const CsReceiveWriter *self);
const char *cs_receive_writer_get_folder (const CsReceiveWriter *self);
gboolean cs_receive_writer_is_continued (const CsReceiveWriter *self);

G_END_DECLS
