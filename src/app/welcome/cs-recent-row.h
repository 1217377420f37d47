/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "welcome/cs-recent.h"

G_BEGIN_DECLS

/* A project or a recording that was opened. Its action `recent.remove` forgets it. */
#define CS_TYPE_RECENT_ROW (cs_recent_row_get_type ())
G_DECLARE_FINAL_TYPE (CsRecentRow, cs_recent_row, CS, RECENT_ROW, GtkListBoxRow)

GtkWidget *cs_recent_row_new (CsRecent *recent);
CsRecent *cs_recent_row_get_recent (CsRecentRow *self);

G_END_DECLS
