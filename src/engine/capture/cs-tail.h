/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-event-file.h"
#include "capture/cs-notices.h"

G_BEGIN_DECLS

CsEventFile *cs_tail_open (const char *path, CsNotices *notices, GError **error);
gboolean cs_tail_join (CsEventFile *self, CsEventFile *segment, CsNotices *notices);
void cs_tail_settle_segment (CsEventFile *segment);
guint64 cs_tail_count_before (const CsEventFile *self, const CsEventFile *segment);
gboolean cs_tail_is_alive (const CsEventFile *self);
void cs_tail_stand_alone (CsEventFile *self, CsNotices *notices);

G_END_DECLS
