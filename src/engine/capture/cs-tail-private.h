/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-tail.h"

G_BEGIN_DECLS

gboolean cs_tail_read_packed (CsEventFile *self, int fd, guint32 capacity, guint64 used, guint64 *got, GError **error);
gboolean cs_tail_find_packed (CsEventFile *self, CsEventFile *segment, guint64 *n_there);

G_END_DECLS
