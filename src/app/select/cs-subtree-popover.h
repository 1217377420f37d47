/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "selection/cs-chooser.h"

G_BEGIN_DECLS

/* What tracing a function's subtree would choose, for a depth. */
#define CS_TYPE_SUBTREE_POPOVER (cs_subtree_popover_get_type ())
G_DECLARE_FINAL_TYPE (CsSubtreePopover, cs_subtree_popover, CS, SUBTREE_POPOVER, GtkPopover)

GtkWidget *cs_subtree_popover_new (void);
void cs_subtree_popover_show (CsSubtreePopover *self, CsChooser *chooser, const char *name, guint32 function, int depth);
const char *cs_subtree_popover_get_summary (CsSubtreePopover *self);

G_END_DECLS
