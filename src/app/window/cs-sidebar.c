/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-sidebar.h"
#include "cs-views.h"

struct _CsSidebar
{
  AdwBin parent_instance;

  GtkListBox *views;
  CsRecordingsList *recordings;

  CsSession *session; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (CsSidebar, cs_sidebar, ADW_TYPE_BIN)

static const CsViewInfo *
get_info (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "view");
}

static void
set_header (GtkListBoxRow *row, GtkListBoxRow *before, gpointer user_data)
{
  const CsViewInfo *info = get_info (row);
  GtkWidget *label;

  if (before != NULL && get_info (before)->needs == info->needs)
    {
      gtk_list_box_row_set_header (row, NULL);
      return;
    }
  label = gtk_label_new (info->needs == CS_VIEW_NEEDS_PROJECT ? _("Project") : _("Recording"));
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "sidebar-heading");
  gtk_list_box_row_set_header (row, label);
}

static void
update (CsSidebar *self)
{
  gboolean has_project = cs_session_get_project (self->session) != NULL;
  gboolean has_recording = cs_session_get_state (self->session) != CS_SESSION_EMPTY;
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->views, i)) != NULL; i++)
    gtk_widget_set_sensitive (GTK_WIDGET (row),
                              get_info (row)->needs == CS_VIEW_NEEDS_PROJECT ? has_project : has_recording);
}

static void
on_row_activated (CsSidebar *self, GtkListBoxRow *row)
{
  cs_session_show_view (self->session, get_info (row)->name);
}

static void
cs_sidebar_dispose (GObject *object)
{
  g_clear_object (&CS_SIDEBAR (object)->session);

  G_OBJECT_CLASS (cs_sidebar_parent_class)->dispose (object);
}

static void
cs_sidebar_class_init (CsSidebarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (CS_TYPE_RECORDINGS_LIST);
  G_OBJECT_CLASS (klass)->dispose = cs_sidebar_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/window/cs-sidebar.ui");
  gtk_widget_class_bind_template_child (widget_class, CsSidebar, views);
  gtk_widget_class_bind_template_child (widget_class, CsSidebar, recordings);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
}

static void
cs_sidebar_init (CsSidebar *self)
{
  const CsViewInfo *views;
  guint n;

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_list_box_set_header_func (self->views, set_header, NULL, NULL);
  views = cs_views_get (&n);
  for (guint i = 0; i < n; i++)
    {
      GtkWidget *label, *row;

      if (views[i].title == NULL)
        continue;
      label = gtk_label_new (_(views[i].title));
      row = gtk_list_box_row_new ();

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
      g_object_set_data (G_OBJECT (row), "view", (gpointer) &views[i]);
      gtk_list_box_append (self->views, row);
    }
}

/**
 * cs_sidebar_set_session:
 * @self: a sidebar
 * @session: the window's; told once
 */
void
cs_sidebar_set_session (CsSidebar *self, CsSession *session)
{
  g_return_if_fail (CS_IS_SIDEBAR (self));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  cs_recordings_list_set_session (self->recordings, session);
  g_signal_connect_object (session, "notify::project", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::state", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

/**
 * cs_sidebar_get_recordings:
 * @self: a sidebar
 *
 * Returns: (transfer none): its list of the project's recordings
 */
CsRecordingsList *
cs_sidebar_get_recordings (CsSidebar *self)
{
  return self->recordings;
}

/**
 * cs_sidebar_set_view:
 * @self: a sidebar
 * @name: of the view that is shown
 *
 * Marks it.
 */
void
cs_sidebar_set_view (CsSidebar *self, const char *name)
{
  GtkListBoxRow *row;

  gtk_list_box_unselect_all (self->views);
  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->views, i)) != NULL; i++)
    if (g_str_equal (get_info (row)->name, name))
      gtk_list_box_select_row (self->views, row);
}
