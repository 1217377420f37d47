/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 max_bytes; /* of a file */
  guint64 timeout_s; /* in which 100 KiB, or the rest, must come */
  guint64 max_s;     /* for a file */
} CsFetchLimits;

gboolean cs_fetch (const char *url, int fd, const CsFetchLimits *limits, guint64 *n_bytes, GCancellable *cancellable,
                   GError **error);

G_END_DECLS
