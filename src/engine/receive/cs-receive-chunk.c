/* SPDX-License-Identifier: MIT */
#include "config.h"

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "capture/cs-fields.h"
#include "receive/cs-receive-chunk.h"
#include "trace.h"

static gsize
bound (gsize raw)
{
#ifdef HAVE_ZSTD
  return ZSTD_compressBound (raw);
#else
  return raw;
#endif
}

/**
 * cs_receive_chunk_get_stored_most:
 *
 * Returns: the bytes of the largest chunk as it travels
 */
guint32
cs_receive_chunk_get_stored_most (void)
{
  return (guint32) bound (CS_RECEIVE_RAW_MOST);
}

/**
 * cs_receive_chunk_is_supported:
 * @error: where to say why not
 *
 * Returns: whether this build can unpack chunks
 */
gboolean
cs_receive_chunk_is_supported (GError **error)
{
#ifdef HAVE_ZSTD
  return TRUE;
#else
  g_set_error (error, CS_RECEIVE_ERROR, CS_RECEIVE_ERROR_UNSUPPORTED,
               "this build has no libzstd, so that it can't receive — build it again with libzstd installed");
  return FALSE;
#endif
}

/* How large a chunk of that type may be, and whether its size is one that it can have. */
static gboolean
check_raw (const CsReceiveChunk *self, guint version, GError **error)
{
  guint32 position = version >= 3 ? CS_RECEIVE_POSITION_SIZE : 0;

  switch (self->type)
    {
    case CS_RECEIVE_DROPS:
      return self->raw_len == sizeof (guint64) || cs_receive_refuse (error, "a number of dropped events has 8 bytes, this one %u", self->raw_len);
    case CS_RECEIVE_PROCESS:
      return self->raw_len <= CS_RECEIVE_TEXT_PART ||
             cs_receive_refuse (error, "process text comes in at most %u bytes, this had %u", CS_RECEIVE_TEXT_PART, self->raw_len);
    case CS_RECEIVE_PACKED:
    case CS_RECEIVE_PACKED_STORED:
      return (self->raw_len >= position && self->raw_len % 2 == 0) ||
             cs_receive_refuse (error, "blocks have a position and an even number of bytes, these had %u", self->raw_len);
    case CS_RECEIVE_EVENTS:
    default:
      return (self->raw_len >= position && (self->raw_len - position) % TRACE_EVENT_SIZE == 0) ||
             cs_receive_refuse (error, "events have %u bytes each, %u bytes are no such number", TRACE_EVENT_SIZE, self->raw_len);
    }
}

/**
 * cs_receive_chunk_parse:
 * @self: (out): the chunk, of which only its size is known
 * @head: (array fixed-size=12): what it begins with
 * @version: of the protocol
 * @swapped: whether the device's byte order is not this machine's
 * @error: where to say which rule it breaks
 *
 * Nothing may be allocated for a chunk before it has passed this.
 *
 * Returns: whether a chunk can be like that
 */
gboolean
cs_receive_chunk_parse (CsReceiveChunk *self, const guint8 *head, guint version, gboolean swapped, GError **error)
{
  *self = (CsReceiveChunk){ .type = cs_field_u32 (head, 0, swapped),
                            .raw_len = cs_field_u32 (head, 4, swapped),
                            .stored_len = cs_field_u32 (head, 8, swapped) };
  if (self->type == 2 || self->type > CS_RECEIVE_PACKED_STORED || (version < 3 && self->type > CS_RECEIVE_DROPS))
    return cs_receive_refuse (error, "version %u has no chunks of type %u", version, self->type);
  if (self->raw_len > CS_RECEIVE_RAW_MOST)
    return cs_receive_refuse (error, "a chunk has at most %u bytes, this one would have %u", CS_RECEIVE_RAW_MOST, self->raw_len);
  if (!check_raw (self, version, error))
    return FALSE;
  if (self->type == CS_RECEIVE_PACKED_STORED && self->stored_len != self->raw_len)
    return cs_receive_refuse (error, "a stored chunk travels as it is, in %u bytes, not in %u", self->raw_len, self->stored_len);
  if (self->stored_len > bound (self->raw_len))
    return cs_receive_refuse (error, "%u bytes take at most %" G_GSIZE_FORMAT " bytes to send, not %u", self->raw_len,
                              bound (self->raw_len), self->stored_len);
  return TRUE;
}

#ifdef HAVE_ZSTD
/* What each thread that unpacks chunks keeps. */
typedef struct
{
  ZSTD_DCtx *context;
  guint8 *bytes;
  gsize size;
} Workbench;

static void
workbench_free (gpointer data)
{
  Workbench *self = data;

  ZSTD_freeDCtx (self->context);
  g_free (self->bytes);
  g_free (self);
}

static GPrivate workbench_key = G_PRIVATE_INIT (workbench_free);

static Workbench *
get_workbench (gsize size)
{
  Workbench *self = g_private_get (&workbench_key);

  if (self == NULL)
    {
      self = g_new0 (Workbench, 1);
      self->context = ZSTD_createDCtx ();
      g_private_set (&workbench_key, self);
    }
  if (self->size < size || self->bytes == NULL)
    {
      g_free (self->bytes);
      self->size = MAX (size, 65536);
      self->bytes = g_malloc (self->size);
    }
  return self;
}

/* A frame that is all of the chunk, and says no other size. */
static gboolean
check_frame (const CsReceiveChunk *self, GError **error)
{
  unsigned long long size;
  gsize frame;

  if (self->stored_len < 4 || GUINT32_FROM_LE (cs_field_u32 (self->stored, 0, FALSE)) != ZSTD_MAGICNUMBER)
    return cs_receive_refuse (error, "a chunk is a zstd frame, this one doesn't begin as such");
  frame = ZSTD_findFrameCompressedSize (self->stored, self->stored_len);
  if (ZSTD_isError (frame))
    return cs_receive_refuse (error, "a zstd frame is damaged or cut off (%s)", ZSTD_getErrorName (frame));
  if (frame != self->stored_len)
    return cs_receive_refuse (error, "a chunk is one zstd frame, behind this one's there were %" G_GSIZE_FORMAT " bytes", self->stored_len - frame);
  size = ZSTD_getFrameContentSize (self->stored, self->stored_len);
  if (size == ZSTD_CONTENTSIZE_ERROR || (size != ZSTD_CONTENTSIZE_UNKNOWN && size != self->raw_len))
    return cs_receive_refuse (error, "a chunk of %u bytes has a zstd frame that says otherwise", self->raw_len);
  return TRUE;
}
#endif

/**
 * cs_receive_chunk_unpack:
 * @self: a chunk with all its bytes
 * @error: where to say which rule it breaks
 *
 * Returns: (transfer none) (nullable) (array): what it holds, `raw_len' bytes; until the next call in this thread, and
 *   until the chunk is freed
 */
const guint8 *
cs_receive_chunk_unpack (const CsReceiveChunk *self, GError **error)
{
#ifdef HAVE_ZSTD
  Workbench *bench;
  gsize got;
#endif

  if (self->type == CS_RECEIVE_PACKED_STORED)
    return self->stored;
#ifdef HAVE_ZSTD
  if (!check_frame (self, error))
    return NULL;
  bench = get_workbench (self->raw_len);
  got = ZSTD_decompressDCtx (bench->context, bench->bytes, self->raw_len, self->stored, self->stored_len);
  if (ZSTD_isError (got))
    {
      cs_receive_refuse (error, "a zstd frame can't be unpacked to %u bytes (%s)", self->raw_len, ZSTD_getErrorName (got));
      return NULL;
    }
  if (got != self->raw_len)
    {
      cs_receive_refuse (error, "a chunk said %u bytes and had %" G_GSIZE_FORMAT, self->raw_len, got);
      return NULL;
    }
  return bench->bytes;
#else
  cs_receive_chunk_is_supported (error);
  return NULL;
#endif
}
