/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What each file of a cache begins with, in the byte order of the machine that wrote it. */
typedef struct
{
  char magic[8];
  guint32 order, version;
  guint64 checksum;  /* of what lies behind it */
  guint64 file_size;
} CsCacheHeader;

G_STATIC_ASSERT (sizeof (CsCacheHeader) == 32);

/* What the files of one cache have in common. */
typedef struct
{
  const char *magic; /* 8 bytes */
  guint32 version;
  guint64 largest;   /* bytes: a file that would be larger isn't written, nor read */
} CsCacheFormat;

guint8 *cs_cache_file_read (const char *path, const CsCacheFormat *format, gsize header_size, gsize *size);
void cs_cache_header_init (CsCacheHeader *self, const CsCacheFormat *format, guint64 file_size);
gboolean cs_cache_file_write (const char *path, GByteArray *bytes);

G_END_DECLS
