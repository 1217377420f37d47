/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-drop-hint.h"

struct _CsDropHint
{
  AdwBin parent_instance;
};

enum
{
  DROPPED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsDropHint, cs_drop_hint, ADW_TYPE_BIN)

static void
cs_drop_hint_class_init (CsDropHintClass *klass)
{
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "drophint");
  signals[DROPPED] = g_signal_new ("dropped", CS_TYPE_DROP_HINT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                   G_TYPE_LIST_MODEL);
}

static void
cs_drop_hint_init (CsDropHint *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *icon = gtk_image_new_from_icon_name ("document-open-symbolic");
  GtkWidget *label = gtk_label_new (_("Drop to Open"));

  gtk_image_set_pixel_size (GTK_IMAGE (icon), 64);
  gtk_widget_add_css_class (label, "title-1");
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), label);
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  adw_bin_set_child (ADW_BIN (self), box);
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static GdkDragAction
on_enter (GtkDropTarget *target, double x, double y, CsDropHint *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  return GDK_ACTION_COPY;
}

static void
on_leave (GtkDropTarget *target, CsDropHint *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, CsDropHint *self)
{
  const GSList *dropped = g_value_get_boxed (value);
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);

  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  for (const GSList *file = dropped; file != NULL; file = file->next)
    g_list_store_append (files, file->data);
  if (g_list_model_get_n_items (G_LIST_MODEL (files)) == 0)
    return FALSE;
  g_signal_emit (self, signals[DROPPED], 0, files);
  return TRUE;
}

/**
 * cs_drop_hint_put_over:
 * @toasts: a window's
 *
 * Makes a hint that lies over everything there but the toasts, and takes what is dropped there.
 *
 * Returns: (transfer none): the hint
 */
CsDropHint *
cs_drop_hint_put_over (AdwToastOverlay *toasts)
{
  CsDropHint *self = g_object_new (CS_TYPE_DROP_HINT, NULL);
  GtkWidget *overlay = gtk_overlay_new ();
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_autoptr (GtkWidget) content = g_object_ref (adw_toast_overlay_get_child (toasts));

  adw_toast_overlay_set_child (toasts, NULL);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), content);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), GTK_WIDGET (self));
  adw_toast_overlay_set_child (toasts, overlay);
  g_signal_connect_object (target, "enter", G_CALLBACK (on_enter), self, 0);
  g_signal_connect_object (target, "leave", G_CALLBACK (on_leave), self, 0);
  g_signal_connect_object (target, "drop", G_CALLBACK (on_drop), self, 0);
  gtk_widget_add_controller (overlay, GTK_EVENT_CONTROLLER (target));
  return self;
}
