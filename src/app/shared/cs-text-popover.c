/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-text-popover.h"

typedef struct
{
  GtkPopover *popover;
  GtkWidget *field;
  CsTextEntered entered;
  gpointer user_data;
} Input;

static void
input_free (gpointer data, GClosure *closure)
{
  g_free (data);
}

static void
accept (Input *input)
{
  g_autofree char *text = NULL;

  if (GTK_IS_EDITABLE (input->field))
    text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (input->field)));
  else
    g_object_get (gtk_text_view_get_buffer (GTK_TEXT_VIEW (input->field)), "text", &text, NULL);
  input->entered (g_strstrip (text), input->user_data);
  gtk_popover_popdown (input->popover);
}

/* Enter makes a line in a field of several; Control+Enter accepts what is in it. */
static gboolean
on_key_pressed (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, Input *input)
{
  if ((key != GDK_KEY_Return && key != GDK_KEY_KP_Enter) || (state & GDK_CONTROL_MASK) == 0)
    return FALSE;
  accept (input);
  return TRUE;
}

static GtkWidget *
make_lines (const char *text, Input *input, GtkWidget **frame)
{
  GtkWidget *view = gtk_text_view_new ();
  GtkWidget *window = gtk_scrolled_window_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), text, -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (window), view);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (window), 90);
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (window), TRUE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key_pressed), input);
  gtk_widget_add_controller (view, keys);
  *frame = window;
  return view;
}

static GtkWidget *
make_line (const char *text, Input *input)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (accept), input);
  return entry;
}

/**
 * cs_text_popover_new:
 * @title: what is asked for
 * @text: (nullable): what it is now
 * @lines: whether it may be several
 * @entered: called once the person has accepted a text, without blanks at its ends
 * @user_data: for @entered; lives as long as the popover
 *
 * Returns: a popover with a field for a text
 */
GtkWidget *
cs_text_popover_new (const char *title, const char *text, gboolean lines, CsTextEntered entered, gpointer user_data)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *label = gtk_label_new (title);
  GtkWidget *button = gtk_button_new_with_label (_("Apply"));
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  Input *input = g_new0 (Input, 1);
  GtkWidget *frame = NULL;

  input->popover = GTK_POPOVER (popover);
  input->entered = entered;
  input->user_data = user_data;
  input->field = lines ? make_lines (valid, input, &frame) : make_line (valid, input);
  gtk_widget_set_size_request (frame != NULL ? frame : input->field, 260, -1);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (input->field), GTK_ACCESSIBLE_RELATION_LABELLED_BY, label, NULL, -1);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_add_css_class (button, "suggested-action");
  gtk_widget_set_halign (button, GTK_ALIGN_END);
  g_signal_connect_data (button, "clicked", G_CALLBACK (accept), input, input_free, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), frame != NULL ? frame : input->field);
  gtk_box_append (GTK_BOX (box), button);
  gtk_widget_add_css_class (box, "text-popover");
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  return popover;
}
