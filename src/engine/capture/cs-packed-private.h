/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-packed.h"

G_BEGIN_DECLS

/* Words of a block, and what decoding them needs to know. */
typedef struct
{
  const guint8 *block; /* what offsets count from */
  const guint8 *p;     /* the next record */
  const guint8 *end;
  const struct trace_definition *definitions; /* by id, less one */
  guint32 n_definitions;
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

gsize cs_packed_words_take (CsPackedWords *self, struct trace_event *events, gsize n, guint32 *offsets);
guint64 cs_packed_sum_time (const guint8 *p, const guint8 *end, guint64 base, gboolean swapped);
gboolean cs_packed_is_right (const guint8 *block, gboolean swapped);

G_END_DECLS
