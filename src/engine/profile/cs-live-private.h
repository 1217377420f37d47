/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-live-files.h"
#include "profile/cs-live.h"
#include "profile/cs-profile-builder.h"
#include "profile/cs-track-private.h"

G_BEGIN_DECLS

/* A process as its files tell of it, from one refresh to the next. */
typedef struct
{
  struct trace_header header; /* of one of its files */
  char *folder;
  guint index;      /* in the recording of the last refresh; G_MAXUINT: not there any more */
  CsClock clock;    /* what its times have been read with */
  guint64 anchor;   /* ns: the anchor of that clock; 0: none */
  guint64 n_read;   /* records, in this refresh */
  guint64 n_events; /* of all its files, where an index is made */
  guint64 n_before; /* the same at the last refresh */
  gboolean grown;   /* the two differ */
  gboolean whole;   /* modules take turns in it: it is read from its beginning each time */
} LiveProcess;

/* A track, which one worker reads. */
typedef struct
{
  LiveProcess *process;
  char *stream;
  guint tid;
  guint worker;
  Track *track;
  const CsThreadTrack *files; /* of the last refresh's recording; NULL: not there any more */
  CsThreadTrack flushed;      /* where an index is made, these without their tail, which is read in copies */
} LiveTrack;

struct _CsLive
{
  GObject parent_instance;

  char **paths;
  CsSymbolizer *symbolizer;
  CsProfileOptions options;

  CsRecording *recording; /* of the last refresh */
  CsLandings *landings;
  CsPassFilter *filter;
  CsLiveFiles *files;   /* (nullable): where an index of time is made */
  gint64 start;         /* ns: that of the recording, as the filter has it; 0: there are no events yet */
  GPtrArray *passes;    /* (element-type CsTrackPass): one a worker */
  GPtrArray *processes; /* (element-type LiveProcess) */
  GPtrArray *tracks;    /* (element-type LiveTrack) */
  CsClock *clocks;      /* by index in the recording */
  guint next_serial;
  guint64 bytes_done;
  guint64 n_read;
};

/* cs-live-take.c */
void cs_live_take_recording (CsLive *self, CsRecording *recording);
void cs_live_reset_process (CsLive *self, LiveProcess *process);
void cs_live_find_range (CsLive *self, gboolean clocks_changed);

G_END_DECLS
