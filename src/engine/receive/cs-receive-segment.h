/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "trace.h"

G_BEGIN_DECLS

/* The most that a marker takes in a file, with a header before it. */
#define CS_RECEIVE_MARK_MOST 256

/* An event file of a stream that is being written. What is added is in the producer's byte order. */
typedef struct
{
  int fd; /* -1: none is open */
  gboolean packed, swapped;
  guint64 size; /* bytes, all of them whole records or blocks */
  guint64 last; /* size without the last block */
  gboolean known; /* whose event the last one was, as below */
  guint8 ts[8], tid[4]; /* as they were sent */
} CsReceiveSegment;

gboolean cs_receive_segment_open (CsReceiveSegment *self, int folder, const char *name, const struct trace_header *header);
gboolean cs_receive_segment_add (CsReceiveSegment *self, const guint8 *bytes, gsize n);
void cs_receive_segment_note_record (CsReceiveSegment *self, const guint8 *record);
void cs_receive_segment_note_block (CsReceiveSegment *self, const guint8 *block);
gsize cs_receive_segment_mark (CsReceiveSegment *self, guint64 code, guint64 payload);
guint64 cs_receive_segment_back_up (CsReceiveSegment *self, guint64 *events);
void cs_receive_segment_close (CsReceiveSegment *self);
guint64 cs_receive_count_events (const guint8 *records, gsize n);

G_END_DECLS
