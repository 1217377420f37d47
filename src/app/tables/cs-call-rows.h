/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "session/cs-session.h"
#include "tables/cs-calls-finder.h"

G_BEGIN_DECLS

void cs_call_rows_append (GtkListBox *list, CsProfile *profile, const CsFoundCall *call);
void cs_call_rows_add_menu (GtkListBox *list);
const CsSessionCall *cs_call_rows_get (GtkListBoxRow *row);

G_END_DECLS
