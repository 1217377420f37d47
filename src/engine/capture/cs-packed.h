/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-event-file.h"

G_BEGIN_DECLS

/* What came of opening a block. */
typedef enum
{
  CS_PACKED_OPEN,       /* it can be decoded */
  CS_PACKED_DAMAGED,    /* its check is wrong: what its header says may be wrong, too */
  CS_PACKED_UNDEFINED,  /* it is whole, but definitions of a block before it are missing */
  CS_PACKED_SHORT,      /* the file has become shorter */
  CS_PACKED_UNREADABLE, /* the operating system refused; errno */
} CsPackedResult;

/* Decodes blocks of packed files and tails. One thread at a time. It keeps the dictionaries of a few
 * chains, so that blocks of a file in order cost each definition once, also when files take turns. */
typedef struct _CsPackedDecoder CsPackedDecoder;

CsPackedDecoder *cs_packed_decoder_new (void);
void cs_packed_decoder_free (CsPackedDecoder *self);
CsPackedResult cs_packed_decoder_open (CsPackedDecoder *self, const CsEventFile *file, int fd, guint block);
gsize cs_packed_decoder_next (CsPackedDecoder *self, struct trace_event *events, gsize n, guint32 *offsets);
gboolean cs_packed_decoder_skip (CsPackedDecoder *self, guint32 n);
guint32 cs_packed_decoder_count_events (const CsPackedDecoder *self);
gboolean cs_packed_decoder_is_damaged (const CsPackedDecoder *self, guint64 *lost);
gssize cs_packed_decoder_read_at (CsPackedDecoder *self, const CsEventFile *file, int fd, guint block,
                                  guint32 offset, guint64 ts, guint32 tid, struct trace_event *events, gsize n);

guint cs_packed_find_block (const CsEventFile *file, guint64 record);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsPackedDecoder, cs_packed_decoder_free)

G_END_DECLS
