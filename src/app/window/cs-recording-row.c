/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cs-recording-row.h"

struct _CsRecordingRow
{
  GtkListBoxRow parent_instance;

  GtkLabel *title;
  GtkLabel *when;
  GtkLabel *detail;
  GtkLabel *note;

  CsRecordingItem *item;
};

enum
{
  MENU_REQUESTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsRecordingRow, cs_recording_row, GTK_TYPE_LIST_BOX_ROW)

static char *
dup_tooltip (CsRecordingItem *item, const char *detail, const char *size)
{
  const CsRecordingInfo *info = cs_recording_item_get_info (item);
  g_autofree char *folder = g_filename_display_name (info->folder);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  if (info->command != NULL)
    {
      g_autofree char *command = g_strjoinv (" ", info->command);

      g_ptr_array_add (lines, g_utf8_make_valid (command, -1));
    }
  g_ptr_array_add (lines, *size != '\0' ? g_strdup_printf ("%s · %s", detail, size) : g_strdup (detail));
  if (info->ending != NULL)
    {
      g_autofree char *ending = g_utf8_make_valid (info->ending, -1);

      g_ptr_array_add (lines, g_strdup_printf (_("The program %s"), ending));
    }
  if (info->note != NULL && *info->note != '\0')
    g_ptr_array_add (lines, g_utf8_make_valid (info->note, -1));
  g_ptr_array_add (lines, g_steal_pointer (&folder));
  if (info->problem != NULL)
    g_ptr_array_add (lines, g_utf8_make_valid (info->problem, -1));
  g_ptr_array_add (lines, NULL);
  return g_strjoinv ("\n", (char **) lines->pdata);
}

static void
show (CsRecordingRow *self)
{
  const CsRecordingInfo *info = cs_recording_item_get_info (self->item);
  g_autofree char *title = cs_recording_item_dup_title (self->item);
  g_autofree char *when = cs_recording_item_dup_when (self->item);
  g_autofree char *detail = cs_recording_item_dup_detail (self->item);
  g_autofree char *size = cs_recording_item_dup_size (self->item);
  g_autofree char *note = g_utf8_make_valid (info->note != NULL ? info->note : "", -1);
  g_autofree char *tooltip = dup_tooltip (self->item, detail, size);
  g_autofree char *last = NULL;
  g_autofree char *description = g_strjoin (", ", when, detail, size, note, NULL);

  gtk_label_set_text (self->title, title);
  gtk_label_set_text (self->when, when);
  gtk_label_set_text (self->detail, detail);
  g_strdelimit (note, "\r\n", ' ');
  last = *size != '\0' && *note != '\0' ? g_strconcat (size, " · ", note, NULL) : g_strconcat (size, note, NULL);
  gtk_label_set_text (self->note, last);
  gtk_widget_set_visible (GTK_WIDGET (self->note), *last != '\0');
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

static void
request_menu (CsRecordingRow *self, double x, double y)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  g_signal_emit (self, signals[MENU_REQUESTED], 0, x, y);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, CsRecordingRow *self)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  request_menu (self, x, y);
}

static void
on_long_pressed (GtkGestureLongPress *gesture, double x, double y, CsRecordingRow *self)
{
  request_menu (self, x, y);
}

static void
menu_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  request_menu (CS_RECORDING_ROW (widget), gtk_widget_get_width (widget) / 2.0, gtk_widget_get_height (widget));
}

static void
cs_recording_row_dispose (GObject *object)
{
  g_clear_object (&CS_RECORDING_ROW (object)->item);

  G_OBJECT_CLASS (cs_recording_row_parent_class)->dispose (object);
}

static void
cs_recording_row_class_init (CsRecordingRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_recording_row_dispose;
  signals[MENU_REQUESTED] = g_signal_new ("menu-requested", CS_TYPE_RECORDING_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/window/cs-recording-row.ui");
  gtk_widget_class_bind_template_child (widget_class, CsRecordingRow, title);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingRow, when);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingRow, detail);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingRow, note);
  gtk_widget_class_bind_template_callback (widget_class, on_pressed);
  gtk_widget_class_bind_template_callback (widget_class, on_long_pressed);
  gtk_widget_class_install_action (widget_class, "recording-row.menu", NULL, menu_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "recording-row.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "recording-row.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F2, 0, "recordings.rename", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F2, GDK_SHIFT_MASK, "recordings.note", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "recordings.trash", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_Delete, 0, "recordings.trash", NULL);
}

static void
cs_recording_row_init (CsRecordingRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * cs_recording_row_new:
 * @item: a recording
 *
 * Returns: a row of it
 */
GtkWidget *
cs_recording_row_new (CsRecordingItem *item)
{
  CsRecordingRow *self = g_object_new (CS_TYPE_RECORDING_ROW, NULL);

  self->item = g_object_ref (item);
  g_signal_connect_object (item, "changed", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  show (self);
  return GTK_WIDGET (self);
}

/**
 * cs_recording_row_get_item:
 * @self: a row
 *
 * Returns: (transfer none): the recording that it is of
 */
CsRecordingItem *
cs_recording_row_get_item (CsRecordingRow *self)
{
  return self->item;
}

/**
 * cs_recording_row_set_open:
 * @self: a row
 * @open: whether the window shows this recording
 */
void
cs_recording_row_set_open (CsRecordingRow *self, gboolean open)
{
  if (open)
    gtk_widget_add_css_class (GTK_WIDGET (self), "open");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "open");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_SELECTED, open, -1);
}
