/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "tables/cs-function-item.h"

G_BEGIN_DECLS

GtkListItemFactory *cs_function_cells_new (CsColumnId column);

G_END_DECLS
