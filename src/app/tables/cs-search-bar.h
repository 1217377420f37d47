/* SPDX-License-Identifier: MIT */
#pragma once

#include "session/cs-view.h"

G_BEGIN_DECLS

/* The entry of a view's search, which searches for the same as all views of the session. */
void cs_search_bar_show (CsView *view, GtkSearchBar *bar, GtkWidget *entry, GtkToggleButton *regex, CsSession *session);
void cs_search_bar_take (GtkWidget *entry, GtkToggleButton *regex, CsSession *session);
void cs_search_bar_show_error (GtkWidget *entry, GtkLabel *label, const char *text);

G_END_DECLS
