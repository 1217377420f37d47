/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Which files of a folder are a cache's, and how many of them stay. */
typedef struct
{
  const char *suffix;      /* is in their names */
  const char *magic;       /* (nullable): 8 bytes that they begin with */
  guint64 most_bytes;      /* of all of them together */
  guint most_files;
  gint64 longest_unused_s; /* since the last change */
} CsCacheLimits;

void cs_cache_folder_prune (const char *folder, const CsCacheLimits *limits);

G_END_DECLS
