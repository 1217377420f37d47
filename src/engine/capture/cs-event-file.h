/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "capture/cs-notices.h"
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

/* What the header of a block of a packed file says. Nothing has been checked but that it may be one. */
typedef struct
{
  guint64 offset; /* in the file; of a tail, whose window begins with the block: 0 */
  guint64 first;  /* records of the file before it */
  guint64 index;  /* of its first enter or exit in the thread's capture, plus one; 0: not told */
  guint64 base;   /* time that the first dt counts from */
  guint32 bytes;  /* of header, words and definitions; of a tail: of header and words */
  guint32 records;
  guint32 events; /* enters and exits among them */
  guint32 tid;
  guint32 first_site, sites; /* definitions, which lie at its end */
  guint32 check;
  guint32 chain; /* number of the block at which its dictionary begins; G_MAXUINT32: that isn't there */
  gboolean hole; /* between it and the block before, or the file's header, lies something damaged */
} CsPackedBlock;

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
  guint64 n_events;      /* whole records when the file was opened; of a packed one, those that
                            its blocks' headers tell */
  guint rest;            /* bytes after the last whole record or block, of one that was being written */
  guint64 damaged;       /* of a packed file: bytes after its last block that are not the beginning of one */
  int error;             /* errno: of a packed one, why parts of it could not be looked at; 0 */
  guint64 device, inode;

  gboolean packed;       /* records are packed in blocks; see cs-packed.h */
  CsPackedBlock *blocks; /* (array length=n_blocks): of a packed file, in order; of a packed tail, one */
  guint n_blocks;

  gboolean tail;
  guint8 *window;         /* of a tail: its records, as they were written; otherwise NULL */
  struct trace_definition *definitions; /* (array length=n_definitions): of a packed tail: site with id 1 and on,
                                           in this machine's byte order */
  guint n_definitions;
  guint64 skipped;        /* of a packed tail: the first records of its block, which its segment has */
  guint64 window_offset;  /* of a tail: the byte of its segment at which the buffer began */
  guint64 anchor_ticks, anchor_ns; /* of a tail: its last anchor; 0: none */
  gboolean gap;           /* events are missing before the first one, it isn't known how many */
} CsEventFile;

CsEventFile *cs_event_file_open (const char *path, GError **error);
CsEventFile *cs_event_file_open_cancellable (const char *path, GCancellable *cancellable, GError **error);
gssize cs_event_file_read (const CsEventFile *self, int fd, guint64 first, struct trace_event *events, gsize n);
void cs_event_file_add_notices (const CsEventFile *self, CsNotices *notices);
guint64 cs_event_file_get_n_bytes (const CsEventFile *self);
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
