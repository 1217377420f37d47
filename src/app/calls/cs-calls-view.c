/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "calls/cs-calls-view.h"
#include "shared/cs-function-name.h"
#include "tables/cs-search-bar.h"
#include "tables/cs-search-texts.h"
#include "tables/cs-table-menu.h"

struct _CsCallsView
{
  AdwBin parent_instance;

  GtkStack *stack;
  GtkStack *pages;
  GtkSearchBar *search_bar;
  GtkSearchEntry *search_entry;
  GtkToggleButton *regex_button;
  GtkLabel *search_error;
  CsCallLogPage *log;
  CsSitePage *sites;
  GtkWidget *menus[2]; /* (nullable elements): of the log and of sites */

  GSimpleActionGroup *actions;
  CsSession *session; /* (nullable) */
  gboolean syncing;   /* entry and session are made the same */
};

static void cs_calls_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsCallsView, cs_calls_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_calls_view_init_view))

/* What is wrong with what is searched for, on whichever page. */
static void
show_search_error (CsCallsView *self)
{
  const char *search = cs_session_get_search (self->session);
  g_autoptr (GError) error = NULL;
  g_autoptr (GRegex) regex = NULL;

  if (*search != '\0' && cs_session_get_regex (self->session))
    regex = cs_search_make_regex (search, &error);
  cs_search_bar_show_error (GTK_WIDGET (self->search_entry), self->search_error, error != NULL ? error->message : NULL);
}

static void
update_actions (CsCallsView *self)
{
  if (self->actions == NULL)
    return;
  cs_calls_actions_update (self, self->actions);
}

/* What the session says is searched. */
static void
apply_search (CsCallsView *self)
{
  self->syncing = TRUE;
  cs_search_bar_show (CS_VIEW (self), self->search_bar, GTK_WIDGET (self->search_entry), self->regex_button, self->session);
  self->syncing = FALSE;
  show_search_error (self);
  update_actions (self);
}

static void
on_search_changed (CsCallsView *self)
{
  if (self->session != NULL && !self->syncing)
    cs_search_bar_take (GTK_WIDGET (self->search_entry), self->regex_button, self->session);
}

/* Enter in the entry goes on to what was found. */
static void
on_search_activate (CsCallsView *self)
{
  on_search_changed (self);
  if (cs_calls_view_get_shows_sites (self))
    gtk_widget_child_focus (GTK_WIDGET (cs_place_table_get_view (cs_site_page_get_table (self->sites))), GTK_DIR_TAB_FORWARD);
  else
    cs_call_log_page_find (self->log, FALSE);
}

static void
popup_menu (CsCallsView *self, gboolean sites, double x, double y)
{
  CsPlaceTable *table = sites ? cs_site_page_get_table (self->sites) : cs_call_log_page_get_table (self->log);
  GtkWidget **menu = &self->menus[sites];

  if (*menu == NULL)
    {
      g_autoptr (GMenuModel) model = cs_calls_make_menu (sites);

      *menu = cs_table_menu_new (model, GTK_WIDGET (table));
    }
  cs_table_menu_popup (*menu, x, y);
}

static void
on_log_menu (CsCallsView *self, double x, double y)
{
  popup_menu (self, FALSE, x, y);
}

static void
on_sites_menu (CsCallsView *self, double x, double y)
{
  popup_menu (self, TRUE, x, y);
}

static void
on_names_changed (CsCallsView *self)
{
  cs_place_table_retell (cs_call_log_page_get_table (self->log));
  cs_place_table_retell (cs_site_page_get_table (self->sites));
}

static void
on_profile_changed (CsCallsView *self)
{
  CsProfile *profile = cs_session_get_profile (self->session);

  gtk_stack_set_visible_child_name (self->stack,
                                    profile != NULL && cs_profile_get_mode (profile) == CS_PROFILE_SUMMARY ? "summary" : "calls");
  update_actions (self);
}

/* Somebody else shows a call: it is to be seen when one comes here. */
static void
on_call_changed (CsCallsView *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) && cs_session_get_call (self->session) != NULL)
    cs_calls_view_show_page (self, "log");
}

static void
cs_calls_view_dispose (GObject *object)
{
  CsCallsView *self = CS_CALLS_VIEW (object);

  g_clear_pointer (&self->menus[0], gtk_widget_unparent);
  g_clear_pointer (&self->menus[1], gtk_widget_unparent);
  g_clear_object (&self->session);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (cs_calls_view_parent_class)->dispose (object);
}

static gboolean
cs_calls_view_grab_focus (GtkWidget *widget)
{
  CsCallsView *self = CS_CALLS_VIEW (widget);

  return gtk_widget_grab_focus (gtk_stack_get_visible_child (self->pages));
}

static void
cs_calls_view_class_init (CsCallsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_calls_view_dispose;
  widget_class->grab_focus = cs_calls_view_grab_focus;
  g_type_ensure (CS_TYPE_CALL_LOG_PAGE);
  g_type_ensure (CS_TYPE_SITE_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/calls/cs-calls-view.ui");
  gtk_widget_class_bind_template_child (widget_class, CsCallsView, stack);
  gtk_widget_class_bind_template_child (widget_class, CsCallsView, pages);
  gtk_widget_class_bind_template_child (widget_class, CsCallsView, search_bar);
  gtk_widget_class_bind_template_child (widget_class, CsCallsView, search_entry);
  gtk_widget_class_bind_template_child (widget_class, CsCallsView, regex_button);
  gtk_widget_class_bind_template_child (widget_class, CsCallsView, search_error);
  gtk_widget_class_bind_template_child (widget_class, CsCallsView, log);
  gtk_widget_class_bind_template_child (widget_class, CsCallsView, sites);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_activate);
  gtk_widget_class_bind_template_callback (widget_class, update_actions);
}

static void
cs_calls_view_init (CsCallsView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = cs_calls_actions_new (self);
  gtk_search_bar_connect_entry (self->search_bar, GTK_EDITABLE (self->search_entry));
  g_signal_connect_object (self->log, "changed", G_CALLBACK (update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->sites, "changed", G_CALLBACK (update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (cs_call_log_page_get_table (self->log), "menu", G_CALLBACK (on_log_menu), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (cs_site_page_get_table (self->sites), "menu", G_CALLBACK (on_sites_menu), self, G_CONNECT_SWAPPED);
  cs_function_name_watch (self, G_CALLBACK (on_names_changed));
  update_actions (self);
}

static void
set_session (CsView *view, CsSession *session)
{
  CsCallsView *self = CS_CALLS_VIEW (view);

  self->session = g_object_ref (session);
  cs_call_log_page_set_session (self->log, session);
  cs_site_page_set_session (self->sites, session);
  g_signal_connect_object (session, "notify::profile", G_CALLBACK (on_profile_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::call", G_CALLBACK (on_call_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::search", G_CALLBACK (apply_search), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::regex", G_CALLBACK (apply_search), self, G_CONNECT_SWAPPED);
  on_profile_changed (self);
  apply_search (self);
}

static GActionGroup *
get_actions (CsView *view)
{
  return G_ACTION_GROUP (CS_CALLS_VIEW (view)->actions);
}

static void
start_search (CsView *view)
{
  CsCallsView *self = CS_CALLS_VIEW (view);

  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

static void
go_to_match (CsView *view, gboolean backwards)
{
  g_action_group_activate_action (get_actions (view), backwards ? "find-previous" : "find-next", NULL);
}

static void
cs_calls_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "calls";
  iface->set_session = set_session;
  iface->get_actions = get_actions;
  iface->start_search = start_search;
  iface->go_to_match = go_to_match;
}

/**
 * cs_calls_view_get_session:
 * @self: the view
 *
 * Returns: (transfer none) (nullable): its session
 */
CsSession *
cs_calls_view_get_session (CsCallsView *self)
{
  return self->session;
}

/**
 * cs_calls_view_get_log:
 * @self: the view
 *
 * Returns: (transfer none): its page with the log
 */
CsCallLogPage *
cs_calls_view_get_log (CsCallsView *self)
{
  return self->log;
}

/**
 * cs_calls_view_get_sites:
 * @self: the view
 *
 * Returns: (transfer none): its page with call sites
 */
CsSitePage *
cs_calls_view_get_sites (CsCallsView *self)
{
  return self->sites;
}

/**
 * cs_calls_view_get_shows_sites:
 * @self: the view
 *
 * Returns: whether call sites are shown, and not the log
 */
gboolean
cs_calls_view_get_shows_sites (CsCallsView *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->pages), "sites") == 0;
}

/**
 * cs_calls_view_show_page:
 * @self: the view
 * @name: "log" or "sites"
 */
void
cs_calls_view_show_page (CsCallsView *self, const char *name)
{
  if (g_str_equal (name, "log") || g_str_equal (name, "sites"))
    gtk_stack_set_visible_child_name (self->pages, name);
}
