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

/* Words of a block, and what decoding them needs to know. */
typedef struct
{
  const guint8 *block; /* what offsets count from */
  const guint8 *p;     /* the next record */
  const guint8 *end;
  const struct trace_definition *definitions; /* by id, less one */
  guint32 n_definitions;
  guint64 chain;       /* a number of the dictionary: of no other one that was ever read */
  guint16 *frames; /* frames[1] to frames[depth] are known; frames[0] is 0 */
  gsize depth;
  guint64 base;
  guint32 tid;
  guint32 others;    /* records that were neither enters nor exits */
  gboolean swapped;
  gboolean lenient;  /* frames may be open that are not known */
  gboolean absolute; /* base was told */
  gboolean raw;      /* the last record that took the long way was a raw one */
} CsPackedWords;

/* Decodes blocks of packed files and tails. One thread at a time. It keeps the dictionaries of a few
 * chains, so that blocks of a file in order cost each definition once, also when files take turns. */
typedef struct _CsPackedDecoder CsPackedDecoder;

CsPackedDecoder *cs_packed_decoder_new (void);
void cs_packed_decoder_free (CsPackedDecoder *self);
CsPackedResult cs_packed_decoder_open (CsPackedDecoder *self, const CsEventFile *file, int fd, guint block);
gsize cs_packed_decoder_next (CsPackedDecoder *self, struct trace_event *events, gsize n, guint32 *offsets);
CsPackedWords *cs_packed_decoder_get_words (CsPackedDecoder *self, guint32 *left);
void cs_packed_decoder_note_taken (CsPackedDecoder *self, guint32 n);
gboolean cs_packed_decoder_skip (CsPackedDecoder *self, guint32 n);
guint32 cs_packed_decoder_count_events (const CsPackedDecoder *self);
gboolean cs_packed_decoder_is_damaged (const CsPackedDecoder *self, guint64 *lost);
gssize cs_packed_decoder_read_at (CsPackedDecoder *self, const CsEventFile *file, int fd, guint block,
                                  guint32 offset, guint64 ts, guint32 tid, struct trace_event *events, gsize n);

gboolean cs_packed_parse_block (const guint8 *bytes, gboolean swapped, CsPackedBlock *block);
guint cs_packed_find_block (const CsEventFile *file, guint64 record);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsPackedDecoder, cs_packed_decoder_free)

G_END_DECLS
