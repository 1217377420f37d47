/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "select/cs-subtree-popover.h"
#include "shared/cs-format.h"

#define MOST_FUNCTIONS 200 /* that are listed */

struct _CsSubtreePopover
{
  GtkPopover parent_instance;

  GtkLabel *title;
  GtkCheckButton *full;
  GtkSpinButton *depth;
  GtkLabel *summary;
  GtkLabel *functions;
  GtkWidget *follow;

  CsChooser *chooser;        /* (nullable) */
  char *name;
  guint32 function;
  GCancellable *cancellable; /* (nullable): of the preview that is being made */
  gboolean setting;
};

G_DEFINE_FINAL_TYPE (CsSubtreePopover, cs_subtree_popover, GTK_TYPE_POPOVER)

static int
get_depth (CsSubtreePopover *self)
{
  return gtk_check_button_get_active (self->full) ? CS_DEPTH_FULL : gtk_spin_button_get_value_as_int (self->depth);
}

/* The functions, by depth, each with its file. */
static char *
list_functions (CsSubtreePopover *self, const CsSubtree *subtree)
{
  CsFunctionIndex *index = cs_chooser_get_index (self->chooser);
  GString *text = g_string_new (NULL);
  const CsSourceFunction *functions;
  GPtrArray *files;
  gsize n;

  if (index == NULL)
    return g_string_free (text, FALSE);
  functions = cs_function_index_get_functions (index, &n);
  files = cs_function_index_get_files (index);
  for (gsize i = 0; i < MIN (subtree->n_reached, MOST_FUNCTIONS); i++)
    {
      const CsSourceFunction *function;
      const CsSourceFile *file;
      g_autofree char *name = NULL;

      if (subtree->reached[i].function >= n)
        continue;
      function = &functions[subtree->reached[i].function];
      file = g_ptr_array_index (files, function->file);
      name = cs_function_dup_qualified_name (function);
      g_string_append_printf (text, "%s%*s%s  %s:%u", text->len > 0 ? "\n" : "",
                              2 * (int) MIN (subtree->reached[i].depth, 6), "", name, file->path, function->line);
    }
  if (subtree->n_reached > MOST_FUNCTIONS)
    g_string_append (text, "\n…");
  return g_string_free (text, FALSE);
}

static void
on_preview (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsSubtreePopover) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CsSubtree) subtree = cs_chooser_preview_subtree_finish (CS_CHOOSER (source), result, &error);
  g_autofree char *text = NULL;
  g_autofree char *valid = NULL;
  g_autofree char *n_functions = NULL;
  g_autofree char *n_files = NULL;
  g_autofree char *functions_text = NULL;
  g_autofree char *files_text = NULL;
  g_autofree char *summary = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->chooser == NULL)
    return;
  g_clear_object (&self->cancellable);
  gtk_widget_set_sensitive (self->follow, subtree != NULL);
  if (subtree == NULL)
    {
      g_autofree char *message = g_utf8_make_valid (error->message, -1);

      gtk_label_set_text (self->summary, message);
      gtk_label_set_text (self->functions, "");
      return;
    }
  n_functions = cs_format_count (subtree->n_reached);
  n_files = cs_format_count (subtree->n_files);
  functions_text = g_strdup_printf (ngettext ("%s function", "%s functions", subtree->n_reached), n_functions);
  files_text = g_strdup_printf (ngettext ("%s file", "%s files", subtree->n_files), n_files);
  /* Translators: "3 functions in 2 files". */
  summary = g_strdup_printf (_("%s in %s"), functions_text, files_text);
  gtk_label_set_text (self->summary, summary);
  text = list_functions (self, subtree);
  valid = g_utf8_make_valid (text, -1);
  gtk_label_set_text (self->functions, valid);
}

static void
cancel (CsSubtreePopover *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void
start (CsSubtreePopover *self)
{
  cancel (self);
  if (self->chooser == NULL)
    return;
  self->cancellable = g_cancellable_new ();
  gtk_widget_set_sensitive (self->follow, FALSE);
  gtk_label_set_text (self->summary, _("Following calls…"));
  cs_chooser_preview_subtree_async (self->chooser, self->name, get_depth (self), self->cancellable, on_preview,
                                    g_object_ref (self));
}

static void
on_depth_changed (CsSubtreePopover *self)
{
  if (self->setting)
    return;
  gtk_widget_set_sensitive (GTK_WIDGET (self->depth), !gtk_check_button_get_active (self->full));
  start (self);
}

static void
on_follow_clicked (CsSubtreePopover *self)
{
  if (self->chooser != NULL && self->function != CS_CHOOSER_NONE)
    cs_chooser_set_functions (self->chooser, &self->function, 1, CS_FUNCTION_SUBTREE, get_depth (self));
  gtk_popover_popdown (GTK_POPOVER (self));
}

static void
cs_subtree_popover_closed (GtkPopover *popover)
{
  CsSubtreePopover *self = CS_SUBTREE_POPOVER (popover);

  cancel (self);
  g_clear_object (&self->chooser);
}

static void
cs_subtree_popover_dispose (GObject *object)
{
  CsSubtreePopover *self = CS_SUBTREE_POPOVER (object);

  cancel (self);
  g_clear_object (&self->chooser);

  G_OBJECT_CLASS (cs_subtree_popover_parent_class)->dispose (object);
}

static void
cs_subtree_popover_finalize (GObject *object)
{
  g_free (CS_SUBTREE_POPOVER (object)->name);

  G_OBJECT_CLASS (cs_subtree_popover_parent_class)->finalize (object);
}

static void
cs_subtree_popover_class_init (CsSubtreePopoverClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_subtree_popover_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_subtree_popover_finalize;
  GTK_POPOVER_CLASS (klass)->closed = cs_subtree_popover_closed;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/callsight/Callsight/select/cs-subtree-popover.ui");
  gtk_widget_class_bind_template_child (widget_class, CsSubtreePopover, title);
  gtk_widget_class_bind_template_child (widget_class, CsSubtreePopover, full);
  gtk_widget_class_bind_template_child (widget_class, CsSubtreePopover, depth);
  gtk_widget_class_bind_template_child (widget_class, CsSubtreePopover, summary);
  gtk_widget_class_bind_template_child (widget_class, CsSubtreePopover, functions);
  gtk_widget_class_bind_template_child (widget_class, CsSubtreePopover, follow);
  gtk_widget_class_bind_template_callback (widget_class, on_depth_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_follow_clicked);
}

static void
cs_subtree_popover_init (CsSubtreePopover *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * cs_subtree_popover_new:
 *
 * Returns: a popover
 */
GtkWidget *
cs_subtree_popover_new (void)
{
  return g_object_new (CS_TYPE_SUBTREE_POPOVER, NULL);
}

/**
 * cs_subtree_popover_show:
 * @self: a popover that has its place
 * @chooser: whose function it is about
 * @name: of the function
 * @function: its number
 * @depth: that is shown at first
 *
 * Pops up, and finds what is called.
 */
void
cs_subtree_popover_show (CsSubtreePopover *self, CsChooser *chooser, const char *name, guint32 function, int depth)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);

  g_set_object (&self->chooser, chooser);
  g_free (self->name);
  self->name = g_strdup (name);
  self->function = function;
  gtk_label_set_text (self->title, valid);
  gtk_label_set_text (self->functions, "");
  self->setting = TRUE;
  gtk_check_button_set_active (self->full, depth == CS_DEPTH_FULL);
  gtk_spin_button_set_value (self->depth, MAX (depth, 1));
  self->setting = FALSE;
  on_depth_changed (self);
  gtk_popover_popup (GTK_POPOVER (self));
}

/**
 * cs_subtree_popover_get_summary:
 * @self: a popover
 *
 * Returns: (transfer none): how much the subtree has, or why that isn't known
 */
const char *
cs_subtree_popover_get_summary (CsSubtreePopover *self)
{
  return gtk_label_get_text (self->summary);
}
