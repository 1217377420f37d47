/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-packed.h"
#include "capture/cs-recording.h"

G_BEGIN_DECLS

/* A run of records of one file, in this machine's byte order, valid until the next call. */
typedef struct
{
  const struct trace_event *events;
  gsize n;
  const CsEventFile *file;
  guint64 done;   /* records of the file before these */
  gboolean first; /* the file's first records */
  guint64 bytes;  /* of the file, that are read with these */
  gboolean cut;   /* the rest of the file can't be read, or isn't there any more */
  int error;      /* of what can't be read: the errno */

  /* Of packed files: */
  guint packed;           /* number of the block that has these */
  const guint32 *offsets; /* (nullable): bytes of that block at which the records begin; not of others */
  guint64 index;    /* where that block begins with these: of its first enter or exit in the thread's capture,
                       plus one; 0: not told */
  gboolean damaged; /* records before these are damaged and left out */
  guint64 lost;     /* so many enters and exits among them, as far as that is known */
} CsEventBlock;

/* What of a packed file is damaged. */
typedef struct
{
  char *path, *name;
  guint n_blocks; /* or places where no block is */
  guint64 lost;   /* enters and exits */
  gboolean unknown; /* there are more, whose number nothing tells */
} CsEventDamage;

typedef struct _CsEventReader CsEventReader;

CsEventReader *cs_event_reader_new (void);
void cs_event_reader_free (CsEventReader *self);
void cs_event_reader_set_track (CsEventReader *self, const CsThreadTrack *track);
void cs_event_reader_set_offsets (CsEventReader *self, gboolean wanted);
void cs_event_reader_collect_damage (CsEventReader *self, GPtrArray *damage);
void cs_event_reader_seek (CsEventReader *self, guint file, guint64 record);
void cs_event_reader_leave (CsEventReader *self, CsNotices *notices);
gboolean cs_event_reader_next (CsEventReader *self, CsEventBlock *block, CsNotices *notices);

CsPackedWords *cs_event_reader_get_words (CsEventReader *self, guint32 *left);
void cs_event_reader_note_taken (CsEventReader *self, guint32 n);
void cs_event_reader_limit_packed (CsEventReader *self, guint most);

GPtrArray *cs_event_damage_new (void);
GPtrArray *cs_event_damage_dup (const GPtrArray *damage);
void cs_event_damage_add_all (GPtrArray *damage, const GPtrArray *other);
void cs_event_damage_add_notices (const GPtrArray *damage, CsNotices *notices);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsEventReader, cs_event_reader_free)

G_END_DECLS
