/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-format.h"
#include "cs-window.h"
#include "symbols/cs-symbol-cache.h"
#include "tables/cs-hotspots-view.h"

struct _CsWindow
{
  AdwApplicationWindow parent_instance;

  AdwWindowTitle *title;
  GtkStack *pages;
  GtkProgressBar *progress;
  AdwStatusPage *error_page;
  GtkBox *notices;
  CsHotspotsView *hotspots;

  GFile *file;               /* (nullable): what is open */
  GCancellable *cancellable; /* (nullable): ends what is being read */
  GtkFileChooserNative *chooser; /* (nullable): while it is shown */
};

G_DEFINE_FINAL_TYPE (CsWindow, cs_window, ADW_TYPE_APPLICATION_WINDOW)

static void
show_page (CsWindow *self, const char *name)
{
  gtk_stack_set_visible_child_name (self->pages, name);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.search", g_str_equal (name, "report"));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.reload", self->file != NULL);
}

/* Whether a result belongs to what the window reads now, and not to something it gave up. */
static gboolean
is_current (CsWindow *self, GTask *task)
{
  return self->cancellable != NULL && g_task_get_cancellable (task) == self->cancellable;
}

static void
show_error (CsWindow *self, const GError *error)
{
  g_autofree char *text = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  /* The description is markup. */
  text = g_markup_escape_text (error->message, -1);
  adw_status_page_set_description (self->error_page, text);
  show_page (self, "error");
}

static void
show_notices (CsWindow *self, const char *const *texts)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->notices))) != NULL)
    gtk_box_remove (self->notices, child);
  for (guint i = 0; texts[i] != NULL; i++)
    {
      g_autofree char *valid = g_utf8_make_valid (texts[i], -1);
      GtkWidget *label = gtk_label_new (valid);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_selectable (GTK_LABEL (label), TRUE);
      gtk_box_append (self->notices, label);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->notices), texts[0] != NULL);
}

static void
show_profile (CsWindow *self, CsProfile *profile)
{
  const CsProfileTotals *totals = cs_profile_get_totals (profile);
  g_autofree char *span = cs_format_duration (cs_profile_span (totals->first, totals->last));
  g_autofree char *events = cs_format_count (totals->events);
  g_autofree char *subtitle = NULL;
  guint n_threads, n_functions;

  cs_profile_get_threads (profile, &n_threads);
  cs_profile_get_functions (profile, &n_functions);
  subtitle = g_strdup_printf (_("%s · %s events · %u threads · %u functions"), span, events, n_threads, n_functions);
  adw_window_title_set_subtitle (self->title, subtitle);
  show_notices (self, cs_profile_get_notices (profile));
  cs_hotspots_view_set_profile (self->hotspots, profile);
  show_page (self, "report");
}

static void
on_progress (goffset current, goffset total, gpointer user_data)
{
  CsWindow *self = user_data;

  if (total > 0)
    gtk_progress_bar_set_fraction (self->progress, CLAMP ((double) current / (double) total, 0, 1));
}

static void
on_profiled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CsProfile) profile = cs_profile_new_finish (result, &error);

  if (!is_current (self, G_TASK (result)))
    return;
  if (profile != NULL)
    show_profile (self, profile);
  else
    show_error (self, error);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CsRecording) recording = cs_recording_open_finish (result, &error);
  g_autoptr (CsSymbolizer) symbolizer = NULL;
  g_autofree char *cache = cs_symbol_cache_get_default_folder ();
  const CsProfileOptions options = { 0 };

  if (!is_current (self, G_TASK (result)))
    return;
  if (recording == NULL)
    {
      show_error (self, error);
      return;
    }
  symbolizer = cs_symbolizer_new ();
  cs_symbolizer_set_cache (symbolizer, cache);
  /* The window outlives the progress: the callback holds it. */
  cs_profile_new_async (recording, symbolizer, &options, self->cancellable, on_progress, self, on_profiled,
                        g_object_ref (self));
}

static void
give_up (CsWindow *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

/**
 * cs_window_open:
 * @self: a window
 * @file: a trace directory or event file
 *
 * Reads a recording in the background and shows it; what the window was reading before is
 * given up.
 */
void
cs_window_open (CsWindow *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *valid = g_utf8_make_valid (name, -1);

  g_return_if_fail (CS_IS_WINDOW (self));
  g_return_if_fail (G_IS_FILE (file));

  give_up (self);
  g_set_object (&self->file, file);
  adw_window_title_set_title (self->title, valid);
  adw_window_title_set_subtitle (self->title, "");
  gtk_window_set_title (GTK_WINDOW (self), valid);
  if (path == NULL)
    {
      g_autofree char *uri = g_file_get_uri (file);
      g_autoptr (GError) error = g_error_new (CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_NOT_FOUND,
                                              _("%s is not on this machine — copy the recording here first"), uri);

      show_error (self, error);
      return;
    }
  self->cancellable = g_cancellable_new ();
  gtk_progress_bar_set_fraction (self->progress, 0);
  show_page (self, "reading");
  cs_recording_open_async ((const char *const[]){ path, NULL }, self->cancellable, on_opened, g_object_ref (self));
}

static void
on_chosen (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  CsWindow *self = user_data;

  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

      if (file != NULL)
        cs_window_open (self, file);
    }
  g_clear_object (&self->chooser);
}

static void
open_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  CsWindow *self = CS_WINDOW (widget);

  if (self->chooser != NULL)
    return;
  self->chooser = gtk_file_chooser_native_new (_("Open a Trace Directory"), GTK_WINDOW (self),
                                               GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, NULL, NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  g_signal_connect (self->chooser, "response", G_CALLBACK (on_chosen), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
search_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  cs_hotspots_view_start_search (CS_WINDOW (widget)->hotspots);
}

static void
reload_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  CsWindow *self = CS_WINDOW (widget);
  g_autoptr (GFile) file = self->file != NULL ? g_object_ref (self->file) : NULL;

  if (file != NULL)
    cs_window_open (self, file);
}

static void
cs_window_dispose (GObject *object)
{
  CsWindow *self = CS_WINDOW (object);

  give_up (self);
  g_clear_object (&self->file);
  if (self->chooser != NULL)
    gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (self->chooser));
  g_clear_object (&self->chooser);

  G_OBJECT_CLASS (cs_window_parent_class)->dispose (object);
}

static void
cs_window_class_init (CsWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (CS_TYPE_HOTSPOTS_VIEW);
  G_OBJECT_CLASS (klass)->dispose = cs_window_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/cs-window.ui");
  gtk_widget_class_bind_template_child (widget_class, CsWindow, title);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, pages);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, progress);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, error_page);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, notices);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, hotspots);
  gtk_widget_class_install_action (widget_class, "win.open", NULL, open_action);
  gtk_widget_class_install_action (widget_class, "win.search", NULL, search_action);
  gtk_widget_class_install_action (widget_class, "win.reload", NULL, reload_action);
}

static void
cs_window_init (CsWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  show_page (self, "empty");
}

/**
 * cs_window_new:
 * @application: (nullable): what it belongs to
 *
 * Returns: a window without a recording
 */
CsWindow *
cs_window_new (GtkApplication *application)
{
  return g_object_new (CS_TYPE_WINDOW, "application", application, NULL);
}

/**
 * cs_window_get_page:
 * @self: a window
 *
 * Returns: (transfer none): what it shows: empty, reading, error or report
 */
const char *
cs_window_get_page (CsWindow *self)
{
  return gtk_stack_get_visible_child_name (self->pages);
}

/**
 * cs_window_get_hotspots:
 * @self: a window
 *
 * Returns: (transfer none): its table of functions
 */
CsHotspotsView *
cs_window_get_hotspots (CsWindow *self)
{
  return self->hotspots;
}
