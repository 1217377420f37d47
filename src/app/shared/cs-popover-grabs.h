/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void cs_popover_grabs_release (void);

G_END_DECLS
