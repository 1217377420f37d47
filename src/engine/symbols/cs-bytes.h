/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* A reader of a section that never passes its end: behind it everything reads
 * as 0 and bad is set. */
typedef struct
{
  const guint8 *at;
  const guint8 *end;
  gboolean big_endian;
  gboolean bad;
} CsBytes;

static inline gsize
cs_bytes_left (const CsBytes *self)
{
  return (gsize) (self->end - self->at);
}

static inline void
cs_bytes_skip (CsBytes *self,
               guint64  count)
{
  if (count > cs_bytes_left (self))
    {
      self->bad = TRUE;
      count = cs_bytes_left (self);
    }
  self->at += count;
}

static inline guint8
cs_bytes_u8 (CsBytes *self)
{
  if (self->at < self->end)
    return *self->at++;
  self->bad = TRUE;
  return 0;
}

/* An unsigned number of at most 8 bytes. */
static inline guint64
cs_bytes_number (CsBytes *self,
                 guint    size)
{
  guint64 value = 0;

  if (size > 8 || size > cs_bytes_left (self))
    {
      cs_bytes_skip (self, size);
      self->bad = TRUE;
      return 0;
    }
  if (self->big_endian)
    for (guint i = 0; i < size; i++)
      value = value << 8 | self->at[i];
  else if (size == 4)
    {
      guint32 word;

      memcpy (&word, self->at, 4);
      value = GUINT32_FROM_LE (word);
    }
  else
    for (guint i = size; i > 0; i--)
      value = value << 8 | self->at[i - 1];
  self->at += size;
  return value;
}

static inline guint64
cs_bytes_uleb (CsBytes *self)
{
  guint64 value = 0;
  guint shift = 0;
  guint8 byte;

  if (self->at < self->end && *self->at < 0x80)
    return *self->at++;
  do
    {
      byte = cs_bytes_u8 (self);
      if (shift < 64)
        value |= (guint64) (byte & 0x7f) << shift;
      shift += 7;
    }
  while (byte & 0x80);
  return value;
}

static inline gint64
cs_bytes_sleb (CsBytes *self)
{
  guint64 value = 0;
  guint shift = 0;
  guint8 byte;

  do
    {
      byte = cs_bytes_u8 (self);
      if (shift < 64)
        value |= (guint64) (byte & 0x7f) << shift;
      shift += 7;
    }
  while (byte & 0x80);
  if (shift < 64 && (byte & 0x40))
    value |= ~G_GUINT64_CONSTANT (0) << shift;
  return (gint64) value;
}

/* A string that ends with a zero byte; NULL: it doesn't end. */
static inline const char *
cs_bytes_string (CsBytes *self)
{
  const guint8 *start = self->at;
  const guint8 *zero = cs_bytes_left (self) > 0 ? memchr (start, 0, cs_bytes_left (self)) : NULL;

  if (zero == NULL)
    {
      self->bad = TRUE;
      self->at = self->end;
      return NULL;
    }
  self->at = zero + 1;
  return (const char *) start;
}

G_END_DECLS
