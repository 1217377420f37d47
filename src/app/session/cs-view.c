/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cs-view.h"

G_DEFINE_INTERFACE (CsView, cs_view, GTK_TYPE_WIDGET)

static void
cs_view_default_init (CsViewInterface *iface)
{
}

/**
 * cs_view_set_session:
 * @self: a view
 * @session: what it shows; told once, before the view is seen
 */
void
cs_view_set_session (CsView *self, CsSession *session)
{
  g_return_if_fail (CS_IS_VIEW (self));
  g_return_if_fail (CS_IS_SESSION (session));

  CS_VIEW_GET_IFACE (self)->set_session (self, session);
}

/**
 * cs_view_get_action_prefix:
 * @self: a view
 *
 * Returns: (transfer none): the prefix under which the window offers its actions
 */
const char *
cs_view_get_action_prefix (CsView *self)
{
  return CS_VIEW_GET_IFACE (self)->action_prefix;
}

/**
 * cs_view_get_actions:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): its actions, which work wherever in the window the focus is
 */
GActionGroup *
cs_view_get_actions (CsView *self)
{
  CsViewInterface *iface = CS_VIEW_GET_IFACE (self);

  return iface->get_actions != NULL ? iface->get_actions (self) : NULL;
}

/**
 * cs_view_can_search:
 * @self: a view
 *
 * Returns: whether there is something to search in it
 */
gboolean
cs_view_can_search (CsView *self)
{
  return CS_VIEW_GET_IFACE (self)->start_search != NULL;
}

/**
 * cs_view_start_search:
 * @self: a view
 *
 * Moves the focus to the view's search entry.
 */
void
cs_view_start_search (CsView *self)
{
  CsViewInterface *iface = CS_VIEW_GET_IFACE (self);

  if (iface->start_search != NULL)
    iface->start_search (self);
}

/**
 * cs_view_can_go_to_match:
 * @self: a view
 *
 * Returns: whether one goes from match to match of its search
 */
gboolean
cs_view_can_go_to_match (CsView *self)
{
  return CS_VIEW_GET_IFACE (self)->go_to_match != NULL;
}

/**
 * cs_view_go_to_match:
 * @self: a view
 * @backwards: whether the match before is wanted
 *
 * Goes to the next match of the view's search.
 */
void
cs_view_go_to_match (CsView *self, gboolean backwards)
{
  CsViewInterface *iface = CS_VIEW_GET_IFACE (self);

  if (iface->go_to_match != NULL)
    iface->go_to_match (self, backwards);
}

/**
 * cs_view_reveal_search:
 * @self: a view
 * @bar: its search bar, or one in it
 *
 * Shows what is searched where it wasn't this view that began it: unlike gtk_search_bar_set_search_mode() it leaves the focus
 * where it is, in the entry of another view.
 */
void
cs_view_reveal_search (CsView *self, GtkSearchBar *bar)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  gtk_search_bar_set_search_mode (bar, TRUE);
  if (focus != NULL && gtk_root_get_focus (root) != focus)
    gtk_root_set_focus (root, focus);
}
