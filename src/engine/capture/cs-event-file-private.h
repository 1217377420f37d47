/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-event-file.h"

G_BEGIN_DECLS

CsEventFile *cs_event_file_new (const char *path);
gboolean cs_event_file_load (CsEventFile *self, int fd, guint64 *size, GError **error);
gboolean cs_event_file_measure (CsEventFile *self, int fd, guint64 size, GCancellable *cancellable);
gboolean cs_event_file_is_anchor (const CsEventFile *self, guint64 ticks, guint64 ns);

G_END_DECLS
