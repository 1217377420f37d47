/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-recording.h"
#include "timeline/cs-timeline.h"

G_BEGIN_DECLS

/* The range min-max tree of a track (Navarro & Sadakane, "Fully functional static and dynamic
 * succinct trees", 2014). A leaf stands for up to 128 records of the thread, 16 leaves for a node
 * of level 1, 16 of these for one of level 2; 4,096 leaves are a chunk, which never changes once
 * it is full.
 *
 * The depths of a leaf are those that its records lead to, and those that they pass on the way:
 * an enter that first ends what a gap left open passes 0. So a call at depth k (1: outermost) lasts
 * as long as the lowest depth is at least k. */
#define CS_LEAF_RECORDS 128u
#define CS_NODE_CHILDREN 16u
#define CS_CHUNK_LEAVES 4096u
/* How far, in records of a file or of a block of it, the records of a leaf may lie apart. */
#define CS_LEAF_REACH 16384u

#define CS_NO_POSITION G_MAXUINT64
#define CS_NO_SAVED G_MAXUINT32

typedef enum
{
  CS_EXCEPTION_DEPTH = 1 << 0,    /* the depth after the record isn't what its kind says */
  CS_EXCEPTION_CUT = 1 << 1,      /* everything ends at it, and what is open after it begins */
  CS_EXCEPTION_CONTEXT = 1 << 2,  /* another context runs from here on */
  CS_EXCEPTION_NO_START = 1 << 3, /* a pass can't begin at this leaf; of its first record */
} CsExceptionFlags;

/* A record that does something else than its kind says. */
typedef struct
{
  guint16 leaf; /* in the chunk */
  guint8 record; /* in the leaf */
  guint8 flags;
  guint32 after; /* depth after it */
  guint32 saved; /* of a context that goes on: where its open calls began; or CS_NO_SAVED */
} CsException;

/* Leaves that follow each other in a file, or in one block of a packed file, at intervals of 128
 * records. In a block they begin within 2^32 ticks. */
typedef struct
{
  guint32 leaf; /* the first, in the chunk */
  guint32 file; /* index in the timeline */
  guint64 record;
  guint64 lost; /* enters and exits of the thread known to be missing before */
  /* In a packed file: */
  guint64 ticks; /* of the first enter or exit */
  guint32 block; /* number */
  guint32 tid;   /* whose enters and exits follow where a leaf begins */
} CsExtent;

/* What was open in a context when another one took over: the calls from depth `low' up began since
 * the context had gone on before, and are found from the record at which it was left; the others
 * are those of `parent'. */
typedef struct
{
  guint32 parent; /* number of a saved stack, or CS_NO_SAVED */
  guint32 low;
  guint32 leaf; /* in the track */
  guint32 record;
} CsSavedStack;

/* What is said of a chunk as a whole; stored as it is. */
typedef struct
{
  guint32 n_leaves;
  guint32 wide; /* depths have 32 bits, not 16 */
  guint32 n_exceptions, n_extents, n_saved;
  guint32 first_saved; /* saved stacks in earlier chunks of the track */
  guint32 lo, hi;
  guint32 n_events;
  guint32 packed; /* some leaves lie in packed files */
} CsChunkHead;

/* All arrays of a chunk lie in one block of memory. */
typedef struct
{
  gatomicrefcount refs;
  gpointer owned; /* NULL: mapped */
  CsChunkHead head;
  const gint64 *times; /* ns, of each leaf's first record */
  const CsExtent *extents;
  const CsSavedStack *saved;
  const CsException *exceptions; /* in the order of the records */
  /* By leaf, where some are packed: its first byte in its block, and the time of its first enter or exit,
   * as recorded, since that of its extent. */
  const guint32 *offsets, *ticks;
  const void *before;             /* depths, by leaf */
  const void *lo[3], *hi[3];      /* depths, by node of levels 0 to 2 */
  const guint16 *events[3];       /* by node of levels 1 and 2; [0] is not used */
  const guint8 *records;          /* by leaf: how many, less one; bit 7: it has exceptions */
  const guint8 *leaf_events;
} CsChunk;

gsize cs_chunk_get_size (const CsChunkHead *head);
CsChunk *cs_chunk_new (const CsChunkHead *head, const void *bytes, gboolean take);
CsChunk *cs_chunk_ref (CsChunk *self);
void cs_chunk_unref (CsChunk *self);
const CsExtent *cs_chunk_find_extent (const CsChunk *self, guint leaf);
gboolean cs_chunk_is_valid (const CsChunk *self, GPtrArray *files, guint64 first_leaf);
gint cs_chunk_find_last_below (const CsChunk *self, guint end, guint32 depth);
gint cs_chunk_find_first_below (const CsChunk *self, guint from, guint32 depth);
gint cs_chunk_find_last_reaching (const CsChunk *self, guint end, guint32 depth);
gint cs_chunk_find_first_reaching (const CsChunk *self, guint from, guint32 depth);

static inline guint32
cs_chunk_depth (const CsChunk *self, const void *depths, guint i)
{
  return self->head.wide ? ((const guint32 *) depths)[i] : ((const guint16 *) depths)[i];
}

static inline guint
cs_chunk_n_nodes (const CsChunkHead *head, guint level)
{
  return level == 0 ? head->n_leaves : (head->n_leaves + (1u << 4 * level) - 1) >> 4 * level;
}

/* One thread's index. Immutable. */
typedef struct
{
  CsTimelineTrackInfo info;
  guint64 n_leaves;
  guint64 start_limit; /* leaves at which a pass may begin at all */
  guint64 unseen_from; /* at this leaf and later ones recording had been off */
  guint n_chunks;
  CsChunk **chunks;
  gint64 *chunk_times;    /* of their first leaves */
  guint64 *events_before; /* by chunk; n_chunks + 1 elements */
} CsTrack;

CsTrack *cs_track_new (const CsTimelineTrackInfo *info, CsChunk **chunks, guint n_chunks);
void cs_track_free (CsTrack *self);
int cs_track_compare (gconstpointer a, gconstpointer b);

static inline const CsChunk *
cs_track_chunk (const CsTrack *self, guint64 leaf, guint *i)
{
  *i = leaf % CS_CHUNK_LEAVES;
  return self->chunks[leaf / CS_CHUNK_LEAVES];
}

static inline gint64
cs_track_leaf_time (const CsTrack *self, guint64 leaf)
{
  guint i;

  if (leaf >= self->n_leaves)
    return self->info.last;
  return cs_track_chunk (self, leaf, &i)->times[i];
}

static inline guint
cs_track_leaf_records (const CsTrack *self, guint64 leaf)
{
  guint i;
  const CsChunk *chunk = cs_track_chunk (self, leaf, &i);

  return (chunk->records[i] & 0x7F) + 1u;
}

guint64 cs_track_find_leaf (const CsTrack *self, gint64 ns);
guint64 cs_track_count_before (const CsTrack *self, guint64 leaf);
const CsSavedStack *cs_track_get_saved (const CsTrack *self, guint32 number);

/* A decoded leaf. Exits in packed files may have neither function nor call site. */
typedef struct
{
  const CsTrack *track;
  guint64 leaf;
  guint n;
  guint32 before;
  gint64 ns[CS_LEAF_RECORDS];
  guint32 after[CS_LEAF_RECORDS]; /* depth after the record */
  guint32 low[CS_LEAF_RECORDS];   /* lowest depth on the way there */
  struct trace_event events[CS_LEAF_RECORDS];
} CsLeaf;

typedef struct _CsLeafReader CsLeafReader;

struct _CsTimeline
{
  gatomicrefcount refs;
  CsRecording *recording;
  CsClock *clocks;   /* by process index */
  guint n_processes;
  GPtrArray *files;  /* (element-type CsEventFile), of the recording */
  GPtrArray *tracks; /* (element-type CsTrack) */
  GMappedFile *mapped; /* (nullable): what chunks lie in */
  GMutex mutex;      /* of the readers */
  GPtrArray *readers; /* (element-type CsLeafReader): those that nobody uses */
};

CsTimeline *cs_timeline_new_from_tracks (CsRecording *recording, GPtrArray *files, const CsClock *clocks,
                                         GPtrArray *tracks, GMappedFile *mapped);
GPtrArray *cs_timeline_list_files (CsRecording *recording);
const CsTrack *cs_timeline_get_track (const CsTimeline *self, guint track);

CsLeafReader *cs_timeline_take_reader (CsTimeline *self);
gboolean cs_timeline_give_back (CsTimeline *self, CsLeafReader *reader, GError **error);
void cs_leaf_reader_free (CsLeafReader *self);
const CsLeaf *cs_leaf_reader_get (CsLeafReader *self, const CsTrack *track, guint64 leaf);
gsize cs_leaf_reader_get_events (CsLeafReader *self, const CsTrack *track, guint64 leaf, struct trace_event *events);
gboolean cs_leaf_reader_find_call (CsLeafReader *self, const CsTrack *track, guint64 *leaf, guint64 address);
const CsException *cs_leaf_reader_find_exception (const CsTrack *track, guint64 position);

/* Positions are record numbers within a track: 128 times the leaf, plus the number in the leaf. */
guint64 cs_find_last_below (CsLeafReader *reader, const CsTrack *track, guint64 end, guint32 depth);
guint64 cs_find_first_below (CsLeafReader *reader, const CsTrack *track, guint64 from, guint32 depth);
guint64 cs_find_last_reaching (CsLeafReader *reader, const CsTrack *track, guint64 end, guint32 depth);
guint64 cs_find_first_reaching (CsLeafReader *reader, const CsTrack *track, guint64 from, guint32 depth);
guint64 cs_find_at (CsLeafReader *reader, const CsTrack *track, gint64 ns);
guint64 cs_find_begin (CsLeafReader *reader, const CsTrack *track, guint64 inside, guint32 depth);
gboolean cs_find_enter (CsLeafReader *reader, const CsTrack *track, guint64 begin, guint32 depth,
                        struct trace_event *enter);
gboolean cs_find_span (CsLeafReader *reader, const CsTrack *track, guint64 inside, guint64 after, guint32 depth,
                       CsTimelineSpan *span, guint64 *behind);
gint64 cs_position_time (CsLeafReader *reader, const CsTrack *track, guint64 position);
guint64 cs_position_next (const CsTrack *track, guint64 position);
guint64 cs_position_previous (const CsTrack *track, guint64 position);

G_END_DECLS
