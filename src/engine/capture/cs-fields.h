/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/**
 * cs_field_u32:
 * @bytes: (array): a header or record
 * @offset: of the field
 * @swapped: whether the producer's byte order is not this machine's
 *
 * Returns: the 32-bit field there, in this machine's byte order
 */
static inline guint32
cs_field_u32 (const guint8 *bytes, gsize offset, gboolean swapped)
{
  guint32 value;

  memcpy (&value, bytes + offset, sizeof value);
  return swapped ? GUINT32_SWAP_LE_BE (value) : value;
}

/**
 * cs_field_u64:
 * @bytes: (array): a header or record
 * @offset: of the field
 * @swapped: whether the producer's byte order is not this machine's
 *
 * Returns: the 64-bit field there, in this machine's byte order
 */
static inline guint64
cs_field_u64 (const guint8 *bytes, gsize offset, gboolean swapped)
{
  guint64 value;

  memcpy (&value, bytes + offset, sizeof value);
  return swapped ? GUINT64_SWAP_LE_BE (value) : value;
}

G_END_DECLS
