/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-recording.h"

G_BEGIN_DECLS

/* A run of records of one file, in this machine's byte order, valid until the next call. */
typedef struct
{
  const struct trace_event *events;
  gsize n;
  const CsEventFile *file;
  guint64 record; /* number of the first in the file */
  gboolean first; /* the file's first records */
} CsEventBlock;

typedef struct _CsEventReader CsEventReader;

CsEventReader *cs_event_reader_new (void);
void cs_event_reader_free (CsEventReader *self);
void cs_event_reader_set_track (CsEventReader *self, const CsThreadTrack *track);
gboolean cs_event_reader_next (CsEventReader *self, CsEventBlock *block, CsNotices *notices);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsEventReader, cs_event_reader_free)

G_END_DECLS
