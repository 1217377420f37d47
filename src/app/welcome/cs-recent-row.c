/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "welcome/cs-recent-row.h"
#include "welcome/cs-recents.h"

struct _CsRecentRow
{
  GtkListBoxRow parent_instance;

  GtkImage *icon;
  GtkLabel *title;
  GtkLabel *place;
  GtkLabel *detail;
  GtkButton *remove;

  CsRecent *recent;
};

G_DEFINE_FINAL_TYPE (CsRecentRow, cs_recent_row, GTK_TYPE_LIST_BOX_ROW)

static void
show (CsRecentRow *self)
{
  gboolean missing = cs_recent_is_missing (self->recent);
  const char *title = cs_recent_get_title (self->recent);
  const char *detail = cs_recent_get_detail (self->recent);
  g_autofree char *place = cs_recent_dup_place (self->recent);
  g_autofree char *description = g_strdup_printf ("%s, %s", place, detail);

  gtk_label_set_text (self->title, title);
  gtk_label_set_text (self->place, place);
  gtk_label_set_text (self->detail, detail);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), place);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), !missing);
  if (missing)
    {
      gtk_widget_add_css_class (GTK_WIDGET (self), "missing");
      gtk_button_set_label (self->remove, _("Remove"));
      gtk_widget_remove_css_class (GTK_WIDGET (self->remove), "circular");
    }
  else
    {
      gtk_widget_remove_css_class (GTK_WIDGET (self), "missing");
      gtk_button_set_icon_name (self->remove, "window-close-symbolic");
      gtk_widget_add_css_class (GTK_WIDGET (self->remove), "circular");
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

/* The next row gets the focus that this one had. */
static void
remove_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  CsRecentRow *self = CS_RECENT_ROW (widget);
  g_autoptr (CsRecent) recent = g_object_ref (self->recent);
  GtkWidget *next = gtk_widget_get_next_sibling (widget);

  if (next == NULL)
    next = gtk_widget_get_prev_sibling (widget);
  if (next != NULL)
    gtk_widget_grab_focus (next);
  cs_recents_remove (cs_recents_get_default (), recent);
}

static void
cs_recent_row_dispose (GObject *object)
{
  g_clear_object (&CS_RECENT_ROW (object)->recent);

  G_OBJECT_CLASS (cs_recent_row_parent_class)->dispose (object);
}

static void
cs_recent_row_class_init (CsRecentRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_recent_row_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/welcome/cs-recent-row.ui");
  gtk_widget_class_bind_template_child (widget_class, CsRecentRow, icon);
  gtk_widget_class_bind_template_child (widget_class, CsRecentRow, title);
  gtk_widget_class_bind_template_child (widget_class, CsRecentRow, place);
  gtk_widget_class_bind_template_child (widget_class, CsRecentRow, detail);
  gtk_widget_class_bind_template_child (widget_class, CsRecentRow, remove);
  gtk_widget_class_install_action (widget_class, "recent.remove", NULL, remove_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "recent.remove", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_Delete, 0, "recent.remove", NULL);
}

static void
cs_recent_row_init (CsRecentRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * cs_recent_row_new:
 * @recent: something that was opened
 *
 * Returns: a row of it
 */
GtkWidget *
cs_recent_row_new (CsRecent *recent)
{
  CsRecentRow *self = g_object_new (CS_TYPE_RECENT_ROW, NULL);

  self->recent = g_object_ref (recent);
  gtk_image_set_from_icon_name (self->icon, cs_recent_get_kind (recent) == CS_RECENT_PROJECT ? "folder-symbolic"
                                                                                             : "media-record-symbolic");
  g_signal_connect_object (recent, "notify::detail", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  show (self);
  return GTK_WIDGET (self);
}

/**
 * cs_recent_row_get_recent:
 * @self: a row
 *
 * Returns: (transfer none): what it is of
 */
CsRecent *
cs_recent_row_get_recent (CsRecentRow *self)
{
  return self->recent;
}
