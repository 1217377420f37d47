/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-event-file-private.h"
#include "capture/cs-packed.h"

G_BEGIN_DECLS

gboolean cs_packed_scan (CsEventFile *file, int fd, guint64 size, GCancellable *cancellable);
gboolean cs_packed_is_right (const guint8 *block, gsize size, gboolean swapped);
gboolean cs_packed_check_block (const CsEventFile *file, int fd, guint block);
void cs_packed_take_definitions (const guint8 *end, guint n, gboolean swapped, struct trace_definition *to);
CsPackedResult cs_packed_read_definitions (const CsEventFile *file, int fd, guint block, struct trace_definition *to);
gboolean cs_packed_find_anchor (const CsEventFile *file, int fd, guint block, guint64 *ticks, guint64 *ns);

gsize cs_packed_words_take (CsPackedWords *self, struct trace_event *events, gsize n, guint32 *offsets);
gboolean cs_packed_words_skip_rest (CsPackedWords *self);
gsize cs_packed_record_size (guint16 word);
gsize cs_packed_measure (const guint8 *words, gsize size, gboolean swapped, guint32 *n_records, guint32 *n_events);
guint64 cs_packed_sum_time (const guint8 *p, const guint8 *end, guint64 base, gboolean swapped);
gboolean cs_packed_find_clock (const CsEventFile *file, const guint8 *words, gsize size, guint64 *ticks, guint64 *ns);

G_END_DECLS
