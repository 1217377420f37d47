/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "select/cs-config-editor.h"

struct _CsConfigEditor
{
  AdwBin parent_instance;

  GtkTextView *text_view;
  GtkTextBuffer *buffer;
  GtkWidget *error_bar;
  GtkLabel *error_label;
  GtkTextTag *error_tag;

  CsChooser *chooser; /* (nullable) */
  gboolean setting;   /* the buffer gets the chooser's text */
};

G_DEFINE_FINAL_TYPE (CsConfigEditor, cs_config_editor, ADW_TYPE_BIN)

static char *
dup_buffer_text (CsConfigEditor *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  return gtk_text_buffer_get_text (self->buffer, &start, &end, TRUE);
}

/* Replaces what differs, so that the cursor and what is seen stay where they are. */
static void
set_buffer_text (CsConfigEditor *self, const char *before, const char *after)
{
  gsize n_before = strlen (before), n_after = strlen (after), head = 0, tail = 0;
  GtkTextIter start, end;

  while (head < n_before && head < n_after && before[head] == after[head])
    head++;
  while (head > 0 && ((guchar) before[head] & 0xc0) == 0x80)
    head--;
  while (tail < n_before - head && tail < n_after - head && before[n_before - 1 - tail] == after[n_after - 1 - tail])
    tail++;
  while (tail > 0 && ((guchar) before[n_before - tail] & 0xc0) == 0x80)
    tail--;
  gtk_text_buffer_get_iter_at_offset (self->buffer, &start, (int) g_utf8_strlen (before, (gssize) head));
  gtk_text_buffer_get_iter_at_offset (self->buffer, &end, (int) g_utf8_strlen (before, (gssize) (n_before - tail)));
  self->setting = TRUE;
  gtk_text_buffer_begin_user_action (self->buffer);
  gtk_text_buffer_delete (self->buffer, &start, &end);
  gtk_text_buffer_insert (self->buffer, &start, after + head, (int) (n_after - tail - head));
  gtk_text_buffer_end_user_action (self->buffer);
  self->setting = FALSE;
}

static void
on_text_changed (CsConfigEditor *self)
{
  const char *text = cs_chooser_get_text (self->chooser);
  g_autofree char *before = dup_buffer_text (self);
  g_autofree char *valid = NULL;
  gboolean is_valid = g_utf8_validate (text, -1, NULL);

  /* What can't be shown as it is can't be edited here either. */
  if (!is_valid)
    valid = g_utf8_make_valid (text, -1);
  gtk_text_view_set_editable (self->text_view, is_valid);
  if (!g_str_equal (before, is_valid ? text : valid))
    set_buffer_text (self, before, is_valid ? text : valid);
}

static void
on_error_changed (CsConfigEditor *self)
{
  const char *error = cs_chooser_get_text_error (self->chooser);
  guint line = cs_chooser_get_text_error_line (self->chooser);
  g_autofree char *valid = g_utf8_make_valid (error != NULL ? error : "", -1);
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  gtk_text_buffer_remove_tag (self->buffer, self->error_tag, &start, &end);
  if (error != NULL && line > 0 && gtk_text_buffer_get_iter_at_line (self->buffer, &start, (int) line - 1))
    {
      end = start;
      gtk_text_iter_forward_line (&end);
      gtk_text_buffer_apply_tag (self->buffer, self->error_tag, &start, &end);
    }
  gtk_label_set_text (self->error_label, valid);
  gtk_widget_set_visible (self->error_bar, error != NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->text_view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, valid, -1);
}

static void
on_typed (CsConfigEditor *self)
{
  g_autofree char *text = NULL;

  if (self->setting || self->chooser == NULL)
    return;
  text = dup_buffer_text (self);
  cs_chooser_set_text (self->chooser, text);
}

static void
show_style (CsConfigEditor *self)
{
  GdkRGBA color;

  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (self)), "error_bg_color", &color))
    gdk_rgba_parse (&color, "#c01c28");
  color.alpha = .3f;
  g_object_set (self->error_tag, "paragraph-background-rgba", &color, "underline", PANGO_UNDERLINE_ERROR, NULL);
}

static void
cs_config_editor_dispose (GObject *object)
{
  CsConfigEditor *self = CS_CONFIG_EDITOR (object);

  g_clear_object (&self->chooser);

  G_OBJECT_CLASS (cs_config_editor_parent_class)->dispose (object);
}

static void
cs_config_editor_class_init (CsConfigEditorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_config_editor_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/callsight/Callsight/select/cs-config-editor.ui");
  gtk_widget_class_bind_template_child (widget_class, CsConfigEditor, text_view);
  gtk_widget_class_bind_template_child (widget_class, CsConfigEditor, buffer);
  gtk_widget_class_bind_template_child (widget_class, CsConfigEditor, error_bar);
  gtk_widget_class_bind_template_child (widget_class, CsConfigEditor, error_label);
  gtk_widget_class_bind_template_callback (widget_class, on_typed);
}

static void
cs_config_editor_init (CsConfigEditor *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->error_tag = gtk_text_buffer_create_tag (self->buffer, "error", NULL);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (show_style), self,
                           G_CONNECT_SWAPPED);
  show_style (self);
}

/**
 * cs_config_editor_set_chooser:
 * @self: an editor
 * @chooser: (nullable): whose text it edits
 */
void
cs_config_editor_set_chooser (CsConfigEditor *self, CsChooser *chooser)
{
  if (self->chooser != NULL)
    {
      g_signal_handlers_disconnect_by_func (self->chooser, on_text_changed, self);
      g_signal_handlers_disconnect_by_func (self->chooser, on_error_changed, self);
    }
  g_set_object (&self->chooser, chooser);
  if (chooser == NULL)
    return;
  g_signal_connect_object (chooser, "notify::text", G_CALLBACK (on_text_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chooser, "notify::text-error", G_CALLBACK (on_error_changed), self, G_CONNECT_SWAPPED);
  on_text_changed (self);
  on_error_changed (self);
}

/**
 * cs_config_editor_get_text_view:
 * @self: an editor
 *
 * Returns: (transfer none): where the text is typed
 */
GtkTextView *
cs_config_editor_get_text_view (CsConfigEditor *self)
{
  return self->text_view;
}
