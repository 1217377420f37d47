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

static void
on_mapped (GtkWidget *view, GtkSearchBar *bar)
{
  g_signal_handlers_disconnect_by_func (view, on_mapped, bar);
  gtk_search_bar_set_search_mode (bar, TRUE);
  gtk_widget_grab_focus (view);
}

/**
 * cs_view_reveal_search:
 * @self: a view
 * @bar: its search bar
 *
 * Shows what is searched for elsewhere. A bar takes the keyboard when it is revealed, so that of a view that isn't shown
 * waits until it is.
 */
void
cs_view_reveal_search (CsView *self, GtkSearchBar *bar)
{
  if (gtk_search_bar_get_search_mode (bar))
    return;
  g_signal_handlers_disconnect_by_func (self, on_mapped, bar);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    gtk_search_bar_set_search_mode (bar, TRUE);
  else
    g_signal_connect_object (self, "map", G_CALLBACK (on_mapped), bar, G_CONNECT_AFTER);
}
