/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-recording.h"
#include "timeline/cs-timeline.h"

G_BEGIN_DECLS

/* Makes the index of one thread while a pass reads it. The pass says how deep the stack is: runs of
 * records that do what their kinds say are added as a whole, the others are noted before. */
typedef struct _CsTrackBuilder CsTrackBuilder;

/* What the pass keeps of a run of records in its inner loop. */
typedef struct
{
  guint32 lo, hi; /* depths that the records lead to and pass */
  guint32 low;    /* the lowest since the last switch of contexts */
} CsTrackRun;

/* Where a record lies that a leaf begins with. */
typedef struct
{
  guint file;     /* index in the timeline */
  guint64 record; /* number in the file */
  /* In a packed file: */
  guint32 block;  /* number of the block */
  guint32 offset; /* byte of the block at which the record begins */
  guint64 ticks;  /* as recorded, of the first enter or exit from there on */
  guint32 tid;    /* whose that is */
  gboolean open;  /* neither is known yet */
} CsTrackPlace;

CsTrackBuilder *cs_track_builder_new (guint process, guint tid, guint64 seq);
CsTrackBuilder *cs_track_builder_copy (const CsTrackBuilder *self);
void cs_track_builder_free (CsTrackBuilder *self);
void cs_track_builder_begin_leaf (CsTrackBuilder *self, const CsTrackPlace *place, gint64 ns, guint32 depth,
                                  gboolean can_start, gboolean unseen, guint64 lost);
void cs_track_builder_place_leaf (CsTrackBuilder *self, const CsTrackPlace *place);
void cs_track_builder_end_leaf (CsTrackBuilder *self);
gboolean cs_track_builder_needs_leaf (CsTrackBuilder *self, guint file, guint32 block, guint64 record, guint *room);
void cs_track_builder_note_depth (CsTrackBuilder *self, gsize i, guint32 after, gboolean cut);
void cs_track_builder_note_switch (CsTrackBuilder *self, gsize i, guint64 from, guint64 to, guint32 depth_from,
                                   guint32 depth_to, guint32 low);
void cs_track_builder_add (CsTrackBuilder *self, gsize n_records, gsize n_events, const CsTrackRun *run);
gpointer cs_track_builder_snapshot (CsTrackBuilder *self, gint64 first, gint64 last);
void cs_track_builder_set_process (CsTrackBuilder *self, guint process);
gpointer cs_track_builder_copy_track (gconstpointer track);
guint cs_track_builder_get_process (gconstpointer track);
void cs_track_builder_move_track (gpointer track, guint process);
void cs_track_builder_free_track (gpointer track);

GHashTable *cs_timeline_index_files (CsRecording *recording);
CsTimeline *cs_timeline_new (CsRecording *recording, GPtrArray *files, const CsClock *clocks, GPtrArray *tracks);

/**
 * cs_timeline_has_time:
 * @event: a record
 *
 * Returns: whether its time moves its thread's clock on: not that of a marker which tells
 *   something else there
 */
static inline gboolean
cs_timeline_has_time (const struct trace_event *event)
{
  return event->kind <= TRACE_KIND_EXIT ||
         (event->kind == TRACE_KIND_MARKER &&
          (event->func == TRACE_MARK_OFF || event->func == TRACE_MARK_DEPTH || event->func == TRACE_MARK_CONTEXT));
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsTrackBuilder, cs_track_builder_free)

G_END_DECLS
