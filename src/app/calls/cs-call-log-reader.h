/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "timeline/cs-call-log.h"

G_BEGIN_DECLS

/* What is read of a log, in a thread. */
typedef struct _CsCallLogJob CsCallLogJob;

/* Lines of one level that were read. */
typedef struct
{
  guint level;      /* number of it in the job, from 0 */
  guint parent;     /* the level with the line that these are in; G_MAXUINT: what the job was asked for */
  guint line;       /* of that level */
  gboolean members; /* they are the calls of that line, which has several */
  guint first;      /* of these lines in the level; those that came before and are here have grown */
  GArray *entries;  /* (element-type CsCallLogEntry) */
  CsCallLogWalk before; /* what lies before the first line and wasn't read; next is G_MAXUINT64: nothing */
  CsCallLogWalk rest;   /* the same, behind the last line */
  gboolean done;    /* nothing more of the level is read */
} CsCallLogPiece;

/* The time that a line's calls spent in themselves. */
typedef struct
{
  guint level, line;
  guint64 self;
} CsCallLogSelf;

/* What a job found so far; called in the main loop, not once it was cancelled. */
typedef struct
{
  void (*pieces) (CsCallLogJob *job, GPtrArray *pieces, gpointer user_data); /* (element-type CsCallLogPiece) */
  void (*selves) (CsCallLogJob *job, GArray *selves, gpointer user_data);    /* (element-type CsCallLogSelf) */
  /* Everything wanted is there, but what lines spent in themselves; error: why not */
  void (*ready) (CsCallLogJob *job, const GError *error, gpointer user_data);
  void (*ended) (CsCallLogJob *job, gpointer user_data);
} CsCallLogListener;

/* Where calls are looked for. */
typedef struct
{
  CsTimeline *timeline;
  guint track;
  gint64 t0, t1; /* ns */
} CsCallLogSource;

CsCallLogJob *cs_call_log_job_read (const CsCallLogSource *source, const CsCallLogWalk *walk, const CsCallLogListener *listener,
                           gpointer user_data);
CsCallLogJob *cs_call_log_job_expand (const CsCallLogSource *source, const CsCallLogEntry *entry, guint most, const CsCallLogListener *listener,
                             gpointer user_data);
CsCallLogJob *cs_call_log_job_path (const CsCallLogSource *source, const CsTimelineSpan *call, const CsCallLogListener *listener,
                           gpointer user_data);
CsCallLogJob *cs_call_log_job_find (const CsCallLogSource *source, guint64 position, gboolean backwards, CsCallLogMatch match,
                           gpointer match_data, GDestroyNotify free_match, const CsCallLogListener *listener,
                           gpointer user_data);
CsCallLogJob *cs_call_log_job_reveal (const CsCallLogSource *source, const CsCallLogWalk *walk, gboolean members, gboolean fold,
                             const CsCallLogEntry *path, guint n, const CsCallLogListener *listener, gpointer user_data);
CsCallLogJob *cs_call_log_job_ref (CsCallLogJob *self);
void cs_call_log_job_unref (CsCallLogJob *self);
void cs_call_log_job_cancel (CsCallLogJob *self);
const GArray *cs_call_log_job_get_path (CsCallLogJob *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsCallLogJob, cs_call_log_job_unref)

G_END_DECLS
