/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "select/cs-select-summary.h"
#include "project/cs-hook-check.h"
#include "shared/cs-format.h"

#define DIFF_DELAY_MS 80  /* what is typed meanwhile is shown at once */
#define MOST_LINES 400    /* of a difference that are shown */
#define MOST_WARNINGS 200

struct _CsSelectSummary
{
  AdwBin parent_instance;

  GtkOrientable *box, *end_box;
  GtkLabel *summary;
  GtkWidget *expander;
  GtkLabel *first_warning;
  GtkListBox *warnings;
  GtkLabel *inlined;
  GtkLabel *rate;
  GtkLabel *scanner;
  GtkWidget *diff_box;
  GtkTextBuffer *diff;
  GtkWidget *buttons;
  GtkTextTag *added, *removed, *context;

  CsChooser *chooser;      /* (nullable) */
  GCancellable *looking;   /* (nullable): at the last build */
  guint diff_source, warnings_source;
};

G_DEFINE_FINAL_TYPE (CsSelectSummary, cs_select_summary, ADW_TYPE_BIN)

static void
show_counts (CsSelectSummary *self)
{
  const CsSelectionCounts *counts = cs_chooser_get_counts (self->chooser);
  g_autofree char *sources = NULL;
  g_autofree char *chosen = NULL;
  g_autofree char *excluded = NULL;
  g_autofree char *functions = NULL;
  g_autofree char *functions_chosen = NULL;
  g_autofree char *files_text = NULL;
  g_autofree char *text = NULL;

  if (counts == NULL)
    {
      gtk_label_set_text (self->summary, "");
      return;
    }
  sources = cs_format_count (counts->sources);
  chosen = cs_format_count (counts->sources_chosen);
  excluded = cs_format_count (counts->sources - counts->sources_chosen);
  functions = cs_format_count (counts->functions);
  functions_chosen = cs_format_count (counts->functions_chosen);
  files_text = g_strdup_printf (ngettext ("%s source: %s instrumented, %s excluded", "%s sources: %s instrumented, %s excluded",
                                          counts->sources),
                                sources, chosen, excluded);
  /* Functions are counted once all are known. */
  if (cs_chooser_get_state (self->chooser) == CS_CHOOSER_READY)
    text = g_strdup_printf (_("%s · %s of %s functions chosen"), files_text, functions_chosen, functions);
  else
    text = g_strdup (files_text);
  gtk_label_set_text (self->summary, text);
}

static void
add_warning (CsSelectSummary *self, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GtkWidget *label = gtk_label_new (valid);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_list_box_append (self->warnings, label);
}

static void
show_warnings (CsSelectSummary *self)
{
  g_auto (GStrv) warnings = cs_chooser_dup_warnings (self->chooser);
  const char *const *overmatch = cs_chooser_get_overmatch (self->chooser);
  guint n_warnings = g_strv_length (warnings), n = n_warnings + g_strv_length ((char **) overmatch);
  const char *first = n_warnings > 0 ? warnings[0] : n > 0 ? overmatch[0] : NULL;
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->warnings))) != NULL)
    gtk_list_box_remove (self->warnings, row);
  for (guint i = 0; i < MIN (n, MOST_WARNINGS); i++)
    add_warning (self, i < n_warnings ? warnings[i] : overmatch[i - n_warnings]);
  if (n > MOST_WARNINGS)
    {
      g_autofree char *more = g_strdup_printf (_("And %u more."), n - MOST_WARNINGS);

      add_warning (self, more);
    }
  gtk_widget_set_visible (self->expander, n > 0);
  if (first != NULL)
    {
      g_autofree char *valid = g_utf8_make_valid (first, -1);
      g_autofree char *text = n > 1 ? g_strdup_printf (ngettext ("⚠ %s (and %u more)", "⚠ %s (and %u more)", n - 1), valid, n - 1)
                                    : g_strdup_printf ("⚠ %s", valid);

      gtk_label_set_text (self->first_warning, text);
      gtk_widget_set_tooltip_text (GTK_WIDGET (self->first_warning), valid);
    }
}

static gboolean
show_warnings_later (gpointer user_data)
{
  CsSelectSummary *self = user_data;

  self->warnings_source = 0;
  show_warnings (self);
  return G_SOURCE_REMOVE;
}

static void
show_scanner (CsSelectSummary *self)
{
  const char *scanner = cs_chooser_get_scanner (self->chooser);
  g_autofree char *text = scanner != NULL ? g_strdup_printf (_("Functions found by %s"), scanner) : NULL;

  gtk_label_set_text (self->scanner, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->scanner), text != NULL);
}

static void
show_diff (CsSelectSummary *self)
{
  g_autoptr (GPtrArray) lines = cs_chooser_dup_diff (self->chooser, 1);
  GtkTextIter end;

  gtk_text_buffer_set_text (self->diff, "", 0);
  for (guint i = 0; i < MIN (lines->len, MOST_LINES); i++)
    {
      const CsConfigDiffLine *line = lines->pdata[i];
      GtkTextTag *tag = line->sign == '+' ? self->added : line->sign == '-' ? self->removed : self->context;
      g_autofree char *text = NULL;

      if (line->sign == '@')
        text = g_strdup ("⋯");
      else
        text = g_strdup_printf ("%s %s", line->sign == '-' ? "−" : line->sign == '+' ? "+" : " ", line->text);
      gtk_text_buffer_get_end_iter (self->diff, &end);
      if (i > 0)
        gtk_text_buffer_insert (self->diff, &end, "\n", 1);
      gtk_text_buffer_insert_with_tags (self->diff, &end, text, -1, tag, NULL);
    }
  if (lines->len > MOST_LINES)
    {
      gtk_text_buffer_get_end_iter (self->diff, &end);
      gtk_text_buffer_insert (self->diff, &end, "\n…", -1);
    }
  gtk_widget_set_visible (self->diff_box, lines->len > 0);
}

static gboolean
show_diff_later (gpointer user_data)
{
  CsSelectSummary *self = user_data;

  self->diff_source = 0;
  show_diff (self);
  return G_SOURCE_REMOVE;
}

static void
on_text_changed (CsSelectSummary *self)
{
  if (self->diff_source == 0)
    self->diff_source = g_timeout_add (DIFF_DELAY_MS, show_diff_later, self);
}

static void
on_selection_changed (CsSelectSummary *self)
{
  show_counts (self);
  if (self->warnings_source == 0)
    self->warnings_source = g_idle_add (show_warnings_later, self);
}

static void
on_functions_changed (CsSelectSummary *self, const guint32 *files, guint n)
{
  if (files == NULL)
    on_selection_changed (self);
}

static void
set_tag_color (CsSelectSummary *self, GtkTextTag *tag, const char *name, const char *otherwise)
{
  GdkRGBA color;

  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (self)), name, &color))
    gdk_rgba_parse (&color, otherwise);
  g_object_set (tag, "foreground-rgba", &color, NULL);
}

static void
show_style (CsSelectSummary *self)
{
  set_tag_color (self, self->added, "success_color", "#1b8553");
  set_tag_color (self, self->removed, "error_color", "#c01c28");
}

/* What became of the chosen functions in the last build. */
static void
load_hooks (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  CsHookCheck *check = cs_hook_check_load (data, &error);

  if (check != NULL)
    g_task_return_pointer (task, check, (GDestroyNotify) cs_hook_check_free);
  else
    g_task_return_error (task, error);
}

static void
on_hooks_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsSelectSummary) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CsHookCheck) check = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *text = NULL;
  g_autofree char *names = NULL;
  gsize n = 0;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (check != NULL)
    cs_hook_check_get (check, CS_HOOK_FATE_INLINED, &n);
  gtk_widget_set_visible (GTK_WIDGET (self->inlined), n > 0);
  if (n == 0)
    return;
  text = g_strdup_printf (_("Chosen, but inlined in the last build: %" G_GSIZE_FORMAT), n);
  names = cs_hook_check_dup_line (check, CS_HOOK_FATE_INLINED, 20);
  gtk_label_set_text (self->inlined, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->inlined), names);
}

static void
clear_chooser (CsSelectSummary *self)
{
  g_clear_handle_id (&self->diff_source, g_source_remove);
  g_clear_handle_id (&self->warnings_source, g_source_remove);
  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  if (self->chooser != NULL)
    g_signal_handlers_disconnect_by_data (self->chooser, self);
  g_clear_object (&self->chooser);
}

static void
cs_select_summary_dispose (GObject *object)
{
  clear_chooser (CS_SELECT_SUMMARY (object));

  G_OBJECT_CLASS (cs_select_summary_parent_class)->dispose (object);
}

static void
cs_select_summary_class_init (CsSelectSummaryClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_select_summary_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/callsight/Callsight/select/cs-select-summary.ui");
  gtk_widget_class_bind_template_child (widget_class, CsSelectSummary, box);
  gtk_widget_class_bind_template_child (widget_class, CsSelectSummary, end_box);
  gtk_widget_class_bind_template_child (widget_class, CsSelectSummary, summary);
  gtk_widget_class_bind_template_child (widget_class, CsSelectSummary, expander);
  gtk_widget_class_bind_template_child (widget_class, CsSelectSummary, first_warning);
  gtk_widget_class_bind_template_child (widget_class, CsSelectSummary, warnings);
  gtk_widget_class_bind_template_child (widget_class, CsSelectSummary, inlined);
  gtk_widget_class_bind_template_child (widget_class, CsSelectSummary, rate);
  gtk_widget_class_bind_template_child (widget_class, CsSelectSummary, scanner);
  gtk_widget_class_bind_template_child (widget_class, CsSelectSummary, diff_box);
  gtk_widget_class_bind_template_child (widget_class, CsSelectSummary, diff);
  gtk_widget_class_bind_template_child (widget_class, CsSelectSummary, buttons);
}

static void
cs_select_summary_init (CsSelectSummary *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->added = gtk_text_buffer_create_tag (self->diff, NULL, NULL);
  self->removed = gtk_text_buffer_create_tag (self->diff, NULL, NULL);
  self->context = gtk_text_buffer_create_tag (self->diff, NULL, NULL);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (show_style), self,
                           G_CONNECT_SWAPPED);
  show_style (self);
}

/**
 * cs_select_summary_set_chooser:
 * @self: a summary
 * @chooser: (nullable): what it is about
 */
void
cs_select_summary_set_chooser (CsSelectSummary *self, CsChooser *chooser)
{
  clear_chooser (self);
  gtk_widget_set_visible (GTK_WIDGET (self->inlined), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->rate), FALSE);
  if (chooser == NULL)
    return;
  self->chooser = g_object_ref (chooser);
  g_signal_connect_object (chooser, "notify::text", G_CALLBACK (on_text_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chooser, "notify::dirty", G_CALLBACK (on_text_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chooser, "notify::state", G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chooser, "notify::scanner", G_CALLBACK (show_scanner), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chooser, "selection-changed", G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chooser, "files-changed", G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chooser, "functions-changed", G_CALLBACK (on_functions_changed), self, G_CONNECT_SWAPPED);
  show_counts (self);
  show_warnings (self);
  show_scanner (self);
  show_diff (self);
  cs_select_summary_look_at_build (self);
}

/**
 * cs_select_summary_look_at_build:
 * @self: a summary
 *
 * Looks, in a thread, at which chosen functions the last build inlined.
 */
void
cs_select_summary_look_at_build (CsSelectSummary *self)
{
  g_autoptr (GTask) task = NULL;

  if (self->chooser == NULL)
    return;
  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  self->looking = g_cancellable_new ();
  task = g_task_new (NULL, self->looking, on_hooks_loaded, g_object_ref (self));
  g_task_set_task_data (task, g_build_filename (cs_chooser_get_folder_path (self->chooser), "build-instr", "callsight",
                                                "hooks", NULL), g_free);
  g_task_run_in_thread (task, load_hooks);
}

/**
 * cs_select_summary_set_rate:
 * @self: a summary
 * @events: a second that the chosen functions would make; 0: not known
 */
void
cs_select_summary_set_rate (CsSelectSummary *self, double events)
{
  g_autofree char *text = NULL;

  if (events >= 50000)
    text = g_strdup_printf (_("About %.1f M events/s at the last run’s rate"), events / 1e6);
  else if (events >= 1000)
    text = g_strdup_printf (_("About %.1f k events/s at the last run’s rate"), events / 1e3);
  else
    text = g_strdup_printf (_("About %.0f events/s at the last run’s rate"), events);
  gtk_label_set_text (self->rate, text);
  gtk_widget_set_visible (GTK_WIDGET (self->rate), events > 0);
}

/**
 * cs_select_summary_set_folded:
 * @self: a summary
 * @folded: whether there is little room beside each other
 */
void
cs_select_summary_set_folded (CsSelectSummary *self, gboolean folded)
{
  GtkOrientation orientation = folded ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL;

  gtk_orientable_set_orientation (self->box, orientation);
  gtk_orientable_set_orientation (self->end_box, orientation);
  g_object_set (self->box, "spacing", folded ? 6 : 18, NULL);
  gtk_widget_set_hexpand (self->buttons, folded);
}

/**
 * cs_select_summary_get_text:
 * @self: a summary
 *
 * Returns: (transfer none): the line that sums it up
 */
const char *
cs_select_summary_get_text (CsSelectSummary *self)
{
  return gtk_label_get_text (self->summary);
}

/**
 * cs_select_summary_dup_diff:
 * @self: a summary
 *
 * Returns: (transfer full): the shown difference
 */
char *
cs_select_summary_dup_diff (CsSelectSummary *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (self->diff, &start, &end);
  return gtk_text_buffer_get_text (self->diff, &start, &end, TRUE);
}

/**
 * cs_select_summary_get_warnings:
 * @self: a summary
 *
 * Returns: (transfer none): the list of warnings
 */
GtkListBox *
cs_select_summary_get_warnings (CsSelectSummary *self)
{
  return self->warnings;
}
