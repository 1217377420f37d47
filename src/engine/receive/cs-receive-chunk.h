/* SPDX-License-Identifier: MIT */
#pragma once

#include "receive/cs-receive-key.h"

G_BEGIN_DECLS

#define CS_RECEIVE_HEAD_SIZE 12
#define CS_RECEIVE_POSITION_SIZE 8
#define CS_RECEIVE_RAW_MOST (8u << 20)  /* bytes of a chunk that was unpacked */
#define CS_RECEIVE_TEXT_PART (1u << 20) /* the same of one with process text */

typedef enum
{
  CS_RECEIVE_EVENTS = 0,
  CS_RECEIVE_DROPS = 1,
  CS_RECEIVE_PROCESS = 3,
  CS_RECEIVE_PACKED = 4,
  CS_RECEIVE_PACKED_STORED = 5,
} CsReceiveChunkType;

/* A piece of a stream as it travels. */
typedef struct
{
  guint32 type, raw_len, stored_len;
  guint8 *stored;
} CsReceiveChunk;

gboolean cs_receive_chunk_parse (CsReceiveChunk *self, const guint8 *head, guint version, gboolean swapped, GError **error);
const guint8 *cs_receive_chunk_unpack (const CsReceiveChunk *self, GError **error);
guint32 cs_receive_chunk_get_stored_most (void);
gboolean cs_receive_chunk_is_supported (GError **error);

G_END_DECLS
