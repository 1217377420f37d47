/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-track-pass.h"

G_BEGIN_DECLS

/* What one track's events need at hand, and how far they are read. */
typedef struct
{
  CsTrackPass *pass;
  const CsProcess *process;
  const CsClock *clock;
  CsPassCounts *counts;
  CsPassMarks *marks;
  guint tid;            /* whose files they are; 0: a stream's */
  CsPassThread *thread; /* of the last event */
  GHashTable *threads;  /* tid → CsPassThread: those that haven't ended */
  GHashTable *absent;   /* (node, function) of exits that were unmatched, as indices */
  gboolean begun;       /* some of it is read */
  gboolean paused;      /* there may be more, and its turn was over */
  gboolean unplaced;    /* a leaf of its index may have been begun before an enter or exit was seen */
  gboolean in_tail;     /* the last records were a tail's */
  guint64 seq;          /* number of the segment that is read */
  guint64 done;         /* records of that segment, and of the tail behind it, that are read */
  /* What was read from a tail comes again when it has been flushed: into the segment, or behind the
   * first markers of a new one. */
  struct trace_event tail_first; /* of the tail that was read last */
  guint64 tail_seq, tail_start;  /* where it lies, should it be flushed there */
  guint64 again;                 /* so many records of it will come again */
  guint detour;      /* records of a packed block that are decoded where words can't be taken as they are */
  GPtrArray *damage; /* (element-type CsEventDamage): of its files */
} Track;

/* A call whose exit is recorded, counted in the call tree. */
typedef struct
{
  guint64 duration; /* ns */
  gint64 start;
  guint32 node;
  guint32 function; /* index */
} CsTrackExit;

static inline gsize
stack_depth (const CsPassStack *self)
{
  return (gsize) (self->top - self->frames);
}

/* Makes a call the innermost one. */
static inline __attribute__ ((always_inline)) void
cs_track_open_frame (CsPassFrame *frame, guint64 address, guint32 node, gint64 ns)
{
  frame->address = address;
  frame->start = ns;
  frame->children = 0;
  frame->node = node;
  frame->ghosts = 0;
}

/* Counts in its node a call that exits, and has its function's memory fetched. node: its number is `index'. */
static inline __attribute__ ((always_inline)) CsTrackExit
cs_track_count_in_node (const CsPassCounts *counts, CsPassNode *node, guint32 index, const CsPassFrame *frame, gint64 ns)
{
  guint64 duration = (guint64) ns - (guint64) frame->start;

  __builtin_prefetch (&counts->functions[node->function], 1);
  node->incl += duration;
  node->self += duration - frame->children;
  node->calls++;
  return (CsTrackExit){ duration, frame->start, index, node->function };
}

/* Whether a call from `caller' is one of a function that was inlined into that of the frame below it: the hooks of both
 * were told the same return address, that of the code that holds both. A recursive call is none. */
static inline gboolean
cs_track_is_inlined (const CsPassCounts *counts, const CsPassFrame *below, guint64 function, guint64 caller)
{
  return below->site != 0 && counts->sites[below->site - 1].caller == caller && below->address != function;
}

/* The index of the call site of a call above a frame, new or known. */
static inline guint32
cs_track_add_site (CsPassCounts *counts, const CsPassFrame *below, guint64 function, guint64 caller)
{
  return cs_pass_counts_add_site (counts, function, caller,
                                  cs_track_is_inlined (counts, below, function, caller) ? below->address
                                                                                        : CS_PASS_NO_ADDRESS);
}

/* cs-track-pass.c has what events do, cs-track-plain.c the same where that is little,
 * cs-track-packed.c that without making records of packed blocks,
 * cs-track-marks.c what each marker means, and cs-track-threads.c the threads of a track and their
 * stacks. */
void cs_track_close_without_exit (Track *track, CsPassThread *thread, CsPassStack *stack, gint64 ns,
                                  CsCallEnd how);
void cs_track_repair_to (Track *track, CsPassThread *thread, CsPassStack *stack, gsize depth, gint64 ns);
void cs_track_stack_grow (CsPassStack *self);
void cs_track_cut (Track *track, CsPassThread *thread, CsCutKind kind, guint64 n);
Track *cs_track_begin (CsTrackPass *pass, const CsThreadTrack *track);
gboolean cs_track_read (Track *self, const CsThreadTrack *track, guint64 *n_read, GCancellable *cancellable);
Track *cs_track_dup (const Track *self, CsTrackPass *pass);
void cs_track_end (Track *self);
void cs_track_discard (gpointer data);
guint cs_track_hash (gconstpointer data);
CsPassThread *cs_track_thread_dup (const CsPassThread *thread);
void cs_track_thread_free (gpointer data);
void cs_track_end_thread (Track *track, CsPassThread *thread);
gboolean cs_track_have_open_calls (const CsPassThread *thread);
void cs_track_close_all (Track *track, CsPassThread *thread, gint64 ns, CsCallEnd how);
CsPassThread *cs_track_select_thread (Track *track, guint tid, guint64 seq, gboolean starts);
void cs_track_take_events (Track *track, const CsEventBlock *block);
void cs_track_tell_enter (const CsTrackPass *pass, const CsPassCounts *counts, const CsPassThread *thread,
                          const CsPassStack *stack, const CsPassFrame *frame);
void cs_track_push_call (Track *track, CsPassThread *thread, guint64 function, guint64 caller, gint64 ns);
gboolean cs_track_skip_to_range (Track *self, const CsThreadTrack *track);
void cs_track_expect_again (Track *self);
void cs_track_note_tail (Track *self, const CsEventFile *file, guint64 start);
guint64 cs_track_leave_out_again (Track *self, CsEventBlock *block, guint64 position);
gint64 cs_track_move_to (Track *track, CsPassThread *thread, gint64 ns);
void cs_track_select_context (CsPassThread *thread, guint64 id, gint64 ns);

guint32 cs_track_find_node (CsPassCounts *counts, guint32 parent, guint32 last_child, guint64 function);
void cs_track_count_exits (CsPassCounts *counts, CsPassThread *thread, const CsTrackExit *exits, gsize n);
guint64 cs_track_take_words (Track *track);
void cs_track_note_called (CsPassThread *thread, CsPassFunction *function, guint32 index);
const struct trace_event *cs_track_take_plain (Track *track, const struct trace_event *event,
                                               const struct trace_event *end, CsTrackRun *run);

void cs_track_place_leaves (Track *track, const CsEventBlock *block);
void cs_track_begin_run (Track *track, CsPassThread *thread, const CsEventBlock *block,
                         const struct trace_event *event, gsize *n, CsTrackRun *run);
void cs_track_end_run (CsPassThread *thread, gsize n_records, guint64 n_events, const CsTrackRun *run);
void cs_track_note_other_kind (CsPassThread *thread, const CsPassStack *before, gsize depth, gsize i,
                               CsTrackRun *run);
void cs_track_note_depth (CsPassThread *thread, gsize i, gsize before, gsize after, gboolean cut, CsTrackRun *run);
void cs_track_finish_index (CsTrackPass *pass, CsPassThread *thread);
void cs_track_forget_indices (CsTrackPass *pass, guint process);
void cs_track_move_indices (CsTrackPass *pass, const guint *now, guint n);
void cs_track_break_index (CsPassThread *thread);

void cs_track_note_gap (Track *track);
void cs_track_take_other_kind (Track *track, CsPassThread *thread, const struct trace_event *event, guint64 seq);

G_END_DECLS
