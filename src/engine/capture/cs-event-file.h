/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "trace.h"

G_BEGIN_DECLS

#define CS_CAPTURE_ERROR (cs_capture_error_quark ())

typedef enum
{
  CS_CAPTURE_ERROR_NOT_FOUND, /* there is no recording at that place */
  CS_CAPTURE_ERROR_SHORT,     /* the file ends inside its header */
  CS_CAPTURE_ERROR_FORMAT,    /* the file is not one of ours, or damaged */
  CS_CAPTURE_ERROR_VERSION,   /* the file is of a version or layout that this one can't read */
  CS_CAPTURE_ERROR_READ,      /* the operating system refused */
  CS_CAPTURE_ERROR_CLOCK,     /* raw ticks without anything that says their rate */
} CsCaptureError;

GQuark cs_capture_error_quark (void);

/* What a file name of a trace directory says. */
typedef enum
{
  CS_TRACE_NAME_OTHER,
  CS_TRACE_NAME_EVENTS,  /* trace.<pid>.<tid>.<seq>.bin */
  CS_TRACE_NAME_STREAM,  /* trace.stream.<id>.<seq>.bin */
  CS_TRACE_NAME_SUMMARY, /* trace.summary.<pid>.<tid>[.<n>].bin */
  CS_TRACE_NAME_PROCESS, /* trace.<pid>.process */
  CS_TRACE_NAME_TAIL,    /* trace.<pid>.<tid>.<seq>.tail */
  CS_TRACE_NAME_SUMMARY_TAIL, /* trace.summary.<pid>.<tid>[.<n>].tail */
} CsTraceName;

typedef struct
{
  CsTraceName kind;
  guint pid;
  guint tid;
  guint64 seq;
} CsTraceNameParts;

CsTraceName cs_trace_name_parse (const char *name, CsTraceNameParts *parts);

/* One event file: its header in this machine's byte order, and where its events lie. Or a tail,
 * the buffer of a thread that didn't end cleanly: what its segment doesn't hold of it was copied
 * when it was opened, so that it reads like a further file of the track. */
typedef struct
{
  char *path;
  char *folder; /* that it lies in */
  char *name;   /* the last part of the path */
  char *stream; /* the <id> of a stream's file; empty for others */
  CsTraceNameParts parts;
  gboolean swapped; /* the producer's byte order is not this machine's */
  struct trace_header header;
  guint64 events_offset; /* bytes */
  guint64 n_events;      /* whole records when the file was opened */
  guint rest;            /* bytes after the last whole record */
  guint64 device, inode;

  gboolean tail;
  guint8 *window;         /* of a tail: its records, as they were written; otherwise NULL */
  guint64 window_offset;  /* of a tail: the byte of its segment at which the buffer began */
  guint64 anchor_ticks, anchor_ns; /* of a tail: its last anchor; 0: none */
  gboolean gap;           /* events are missing before the first one, it isn't known how many */
} CsEventFile;

CsEventFile *cs_event_file_open (const char *path, GError **error);
gssize cs_event_file_read (const CsEventFile *self, int fd, guint64 first, struct trace_event *events, gsize n);
void cs_event_file_free (CsEventFile *self);
gboolean cs_event_file_find_anchor (CsEventFile *self, guint64 max_records, guint64 *ticks, guint64 *ns);
int cs_trace_header_compare_process (const struct trace_header *a, const char *a_folder,
                                     const struct trace_header *b, const char *b_folder);
int cs_event_file_compare_process (const CsEventFile *a, const CsEventFile *b);
int cs_event_file_compare_track (const CsEventFile *a, const CsEventFile *b);
int cs_event_file_compare (const CsEventFile *a, const CsEventFile *b);

void cs_events_swap (struct trace_event *events, gsize n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsEventFile, cs_event_file_free)

G_END_DECLS
