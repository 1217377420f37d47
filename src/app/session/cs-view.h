/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "cs-session.h"

G_BEGIN_DECLS

#define CS_TYPE_VIEW (cs_view_get_type ())
G_DECLARE_INTERFACE (CsView, cs_view, CS, VIEW, GtkWidget)

struct _CsViewInterface
{
  GTypeInterface parent;

  const char *action_prefix; /* of its actions: "select" for select.save */

  void (*set_session) (CsView *self, CsSession *session);
  GActionGroup *(*get_actions) (CsView *self); /* (transfer none) (nullable) */
  void (*start_search) (CsView *self);         /* (nullable): there is nothing to search */
  void (*go_to_match) (CsView *self, gboolean backwards); /* (nullable): one doesn't go from match to match in it */
};

void cs_view_set_session (CsView *self, CsSession *session);
const char *cs_view_get_action_prefix (CsView *self);
GActionGroup *cs_view_get_actions (CsView *self);
gboolean cs_view_can_search (CsView *self);
void cs_view_start_search (CsView *self);
gboolean cs_view_can_go_to_match (CsView *self);
void cs_view_go_to_match (CsView *self, gboolean backwards);
void cs_view_reveal_search (CsView *self, GtkSearchBar *bar);

G_END_DECLS
