/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "welcome/cs-recent-row.h"
#include "welcome/cs-recents.h"
#include "welcome/cs-welcome-view.h"

struct _CsWelcomeView
{
  AdwBin parent_instance;

  GtkWidget *open_folder;
  GtkWidget *hint;
  GtkFlowBox *columns;
  GtkWidget *projects_child;
  GtkWidget *recordings_child;
  GtkListBox *projects;
  GtkListBox *recordings;

  GListModel *lists[2]; /* by kind */
};

static void cs_welcome_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsWelcomeView, cs_welcome_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_welcome_view_init_view))

static void
set_session (CsView *view, CsSession *session)
{
  cs_recents_follow (cs_recents_get_default (), session);
}

static void
cs_welcome_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "welcome";
  iface->set_session = set_session;
}

static void
update (CsWelcomeView *self)
{
  gboolean has_projects = g_list_model_get_n_items (self->lists[CS_RECENT_PROJECT]) > 0;
  gboolean has_recordings = g_list_model_get_n_items (self->lists[CS_RECENT_RECORDING]) > 0;

  gtk_widget_set_visible (self->projects_child, has_projects);
  gtk_widget_set_visible (self->recordings_child, has_recordings);
  gtk_widget_set_visible (GTK_WIDGET (self->columns), has_projects || has_recordings);
  gtk_widget_set_visible (self->hint, !has_projects && !has_recordings);
  gtk_flow_box_set_max_children_per_line (self->columns, has_projects && has_recordings ? 2 : 1);
}

/* What is there may have changed while something else was shown. */
static void
cs_welcome_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (cs_welcome_view_parent_class)->map (widget);

  if (cs_recents_is_loaded (cs_recents_get_default ()))
    cs_recents_look (cs_recents_get_default ());
}

static void
on_row_activated (CsWelcomeView *self, GtkListBoxRow *row)
{
  CsRecent *recent = cs_recent_row_get_recent (CS_RECENT_ROW (row));

  gtk_widget_activate_action (GTK_WIDGET (self), "win.open-paths", "^aay", cs_recent_get_paths (recent));
}

static gboolean
is_of_kind (gpointer item, gpointer user_data)
{
  return cs_recent_get_kind (item) == GPOINTER_TO_UINT (user_data);
}

static GtkWidget *
make_row (gpointer item, gpointer user_data)
{
  return cs_recent_row_new (item);
}

static void
bind_list (CsWelcomeView *self, CsRecentKind kind, GtkListBox *box)
{
  GtkFilter *filter = GTK_FILTER (gtk_custom_filter_new (is_of_kind, GUINT_TO_POINTER (kind), NULL));

  self->lists[kind] = G_LIST_MODEL (gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (cs_recents_get_default ())),
                                                               filter));
  gtk_list_box_bind_model (box, self->lists[kind], make_row, NULL, NULL);
  g_signal_connect_object (self->lists[kind], "items-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}

static gboolean
cs_welcome_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (CS_WELCOME_VIEW (widget)->open_folder);
}

static void
cs_welcome_view_dispose (GObject *object)
{
  CsWelcomeView *self = CS_WELCOME_VIEW (object);

  g_clear_object (&self->lists[CS_RECENT_PROJECT]);
  g_clear_object (&self->lists[CS_RECENT_RECORDING]);

  G_OBJECT_CLASS (cs_welcome_view_parent_class)->dispose (object);
}

static void
cs_welcome_view_class_init (CsWelcomeViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_welcome_view_dispose;
  widget_class->map = cs_welcome_view_map;
  widget_class->grab_focus = cs_welcome_view_grab_focus;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/callsight/Callsight/welcome/cs-welcome-view.ui");
  gtk_widget_class_bind_template_child (widget_class, CsWelcomeView, open_folder);
  gtk_widget_class_bind_template_child (widget_class, CsWelcomeView, hint);
  gtk_widget_class_bind_template_child (widget_class, CsWelcomeView, columns);
  gtk_widget_class_bind_template_child (widget_class, CsWelcomeView, projects_child);
  gtk_widget_class_bind_template_child (widget_class, CsWelcomeView, recordings_child);
  gtk_widget_class_bind_template_child (widget_class, CsWelcomeView, projects);
  gtk_widget_class_bind_template_child (widget_class, CsWelcomeView, recordings);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
}

static void
cs_welcome_view_init (CsWelcomeView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  bind_list (self, CS_RECENT_PROJECT, self->projects);
  bind_list (self, CS_RECENT_RECORDING, self->recordings);
  update (self);
}
