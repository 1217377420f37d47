/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-event-reader.h"
#include "profile/cs-cuts.h"
#include "profile/cs-landings.h"
#include "profile/cs-pass-counts.h"
#include "profile/cs-pass-filter.h"
#include "timeline/cs-timeline-builder.h"

G_BEGIN_DECLS

/* How a call ended. */
typedef enum
{
  CS_CALL_EXITED,   /* its exit was recorded */
  CS_CALL_REPAIRED, /* closed by an event that could not have come while it was open */
  CS_CALL_OPEN,     /* open at the end of its thread's recording */
  CS_CALL_CLIPPED,  /* begun before a time range or not ended in it; its times are what lies inside */
} CsCallEnd;

typedef struct
{
  guint64 address;
  gint64 start; /* ns */
  guint64 children; /* ns in calls made from here that have ended */
  guint32 node;
  guint32 site; /* number of the call site, plus one, where they are counted */
  guint32 last_child; /* node of the call that ended last; 0: none has */
  guint32 next_child; /* node of the call that is expected next; 0: unknown */
  guint32 ghosts; /* calls directly above that were ended by a landing and that the runtime,
                     which reads no debug information, still has open */
} CsPassFrame;

/* The open calls of a thread or context. frames[0] is the bottom, no call but the parent of
 * the outermost ones. */
typedef struct
{
  guint64 id;
  CsPassFrame *frames;
  CsPassFrame *top; /* innermost */
  gsize size;
  gsize clipped; /* so many of the outermost began before the filter's time range */
  gint64 left; /* ns: when another context took over; only while it doesn't run */
} CsPassStack;

/* Where a thread is with respect to the filter. */
typedef enum
{
  CS_PASS_BEFORE, /* the time range begins later */
  CS_PASS_WITHIN,
  CS_PASS_AFTER, /* the time range has ended */
  CS_PASS_LEFT_OUT, /* its thread is not wanted */
} CsPassPhase;

/* One thread of the recording, and what the report says of it. */
typedef struct
{
  const CsProcess *process;
  guint tid;
  guint64 seq; /* of its first file */
  guint serial; /* unique in the recording */
  guint64 enters, exits;
  gint64 first, last; /* ns; first > last: no events */
  gint64 end;         /* ns: of `last' what lies within the filter's time range */
  guint64 busy;       /* ns in which it had a frame open; told at its end */
  guint64 unmatched, repaired, open, clamped;
  guint64 lost;       /* enters and exits known to be missing before or between its files */
  CsPassPhase phase;
  guint64 other_enters, other_exits, other_lost; /* of these, what the filter leaves out */
  guint64 clipped;
  gboolean gap;       /* the next event shows what a gap closed */
  guint cut;          /* number of a cut that ends with the next event; 0: none */
  guint64 depth;      /* what the last marker 264 told */
  guint64 depth_at;   /* enters and exits at it, plus one; 0: there was none */
  guint64 landing;    /* where the program lands with the next one; 0: nowhere */
  guint64 landing_ts; /* when, as recorded */
  gboolean jumped;    /* by a jump, not an exception */
  guint64 switched;   /* times that recording was switched off, by the last marker that says so */
  gboolean unseen;    /* recording was off: exits may be those of calls that began meanwhile */
  guint32 root;       /* node that its outermost calls are under */
  CsPassStack *stack; /* the running one */
  GHashTable *stacks; /* context id → CsPassStack */
  GByteArray *called; /* a bit for each function of the counts: whether the thread called it */
  CsTrackBuilder *index; /* (nullable): of its time, where one is made */
  gboolean haunted;      /* there may be ghosts on the stack; only kept for the index */
} CsPassThread;

/* What markers and unknown records say of one process. */
typedef struct
{
  guint64 stopped[TRACE_MARK_MAX_EVENTS + 1]; /* payload of the marker, by code; 0: not seen */
  gboolean stopped_seen[TRACE_MARK_MAX_EVENTS + 1];
  guint64 wraps, wrapped_events;
  guint64 skipped_hooks, ring_drops, gap_bytes;
  guint64 toggled_off; /* threads by themselves: by their names */
  guint64 switched_off, switched_on; /* times the whole process was; `on' never more than `off' */
  gint64 off_ns;          /* when it was switched off last */
  guint64 away_ns;        /* for how long, until it was switched on last */
  guint64 cut_calls;      /* that were open when recording was switched off */
  guint64 unseen_exits;   /* of these, and of calls that began while it was off */
  guint64 landings, unclear_landings; /* the latter: nothing is known of what was inlined there */
  guint64 damaged_events; /* lost with blocks of packed files */
  guint64 gap_events;     /* the same, before these became files of records */
  guint64 told;           /* repaired calls that a landing ended */
  guint64 unknown_kinds, unknown_markers;
  guint64 last_unknown_kind, last_unknown_marker;
  gboolean closed; /* the marker that a process writes at its end was seen */
  guint64 anchor_ticks, anchor_ns;
} CsPassMarks;

/* One call: when it is closed, children before their parents, or when it is entered; end and how
 * are then not known. Times in ns. */
typedef struct
{
  guint64 address;  /* the function's, as CsPassCounts has it */
  guint64 context;  /* id of the stack that it ran on */
  guint32 function; /* index in CsPassCounts */
  gint64 start, end;
  CsCallEnd how;
} CsPassCall;

typedef void (*CsCallFunc) (const CsPassThread *thread, const CsPassCall *call, gpointer user_data);

/* Reads tracks, one after the other. */
typedef struct
{
  const CsClock *clocks; /* by process index */
  CsLandings *landings;
  CsPassFilter *filter; /* (nullable) */
  guint n_slowest;
  gboolean no_sites; /* to be set before the first track: call sites aren't counted */
  gboolean by_thread; /* likewise: each thread has a node under the root, and its call tree there */
  GPtrArray *counts; /* (element-type CsPassCounts) (nullable elements), by process index */
  GArray *marks;     /* (element-type CsPassMarks), by process index */
  GPtrArray *threads; /* (element-type CsPassThread), finished */
  CsNotices *notices;
  GPtrArray *damage; /* (element-type CsEventDamage): of tracks that have ended */
  GArray *cuts;      /* (element-type CsCut) */
  CsEventReader *reader;
  CsCallFunc on_enter; /* (nullable) */
  CsCallFunc on_call;  /* (nullable): when it is closed */
  gpointer on_call_data; /* for both */
  gboolean (*between) (guint64 n_read, gpointer user_data); /* (nullable): called between blocks with the number of
                          records that were read of the track in this turn; FALSE: it's the next one's */
  gpointer between_data;
  guint *next_serial; /* shared by all passes over a recording, atomic */
  guint64 *bytes_done; /* shared, atomic */
  GHashTable *files;   /* (nullable): numbers of the event files, to make an index of time; shared */
  GPtrArray *indices;  /* (element-type CsTrack): of the finished threads, where they are made */
} CsTrackPass;

CsTrackPass *cs_track_pass_new (CsRecording *recording, const CsClock *clocks, CsLandings *landings,
                                CsPassFilter *filter, guint n_slowest, guint *next_serial,
                                guint64 *bytes_done);
CsTrackPass *cs_track_pass_dup (const CsTrackPass *self);
void cs_track_pass_free (CsTrackPass *self);
GPtrArray *cs_track_steal_indices (GPtrArray *passes);
gboolean cs_track_pass_run (CsTrackPass *self, const CsThreadTrack *track, GCancellable *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsTrackPass, cs_track_pass_free)

G_END_DECLS
