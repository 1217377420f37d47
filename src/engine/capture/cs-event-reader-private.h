/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-event-reader.h"

G_BEGIN_DECLS

void cs_event_damage_add (GPtrArray *damage, const CsEventFile *file, guint n_blocks, guint64 lost, gboolean unknown);

G_END_DECLS
