/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "cs-recording-compare.h"
#include "report/cs-diff.h"
#include "report/cs-report.h"
#include "symbols/cs-symbol-cache.h"

/* A comparison while it is made. */
typedef struct
{
  CsSession *session; /* this and what follows is for the main thread */
  CsJob *job;
  GtkWindow *parent;  /* (nullable); weak */
  CsProfile *profile; /* of the open recording */
  char *folder, *title;
  char *open_title;
} Comparison;

static void
comparison_free (gpointer data)
{
  Comparison *self = data;

  g_object_unref (self->profile);
  g_free (self->folder);
  g_free (self->title);
  g_free (self->open_title);
  g_free (self);
}

/* A profile as the report that comparisons read. */
static CsReportFile *
make_report (CsProfile *profile, const char *title, GCancellable *cancellable, GError **error)
{
  const CsReportOptions options = { .sort = CS_SORT_SELF };
  g_autofree char *path = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (GFileOutputStream) stream = NULL;
  CsReportFile *report = NULL;
  int fd = g_file_open_tmp ("callsight-XXXXXX.json", &path, error);

  if (fd < 0)
    return NULL;
  g_close (fd, NULL);
  file = g_file_new_for_path (path);
  stream = g_file_replace (file, NULL, FALSE, G_FILE_CREATE_PRIVATE, cancellable, error);
  if (stream != NULL && cs_report_write (profile, CS_REPORT_JSON, &options, G_OUTPUT_STREAM (stream), cancellable, error)
      && g_output_stream_close (G_OUTPUT_STREAM (stream), cancellable, error))
    report = cs_report_file_read (path, cancellable, error);
  g_unlink (path);
  if (report != NULL)
    {
      g_free (report->name);
      report->name = g_strdup (title);
    }
  return report;
}

static CsProfile *
read_profile (Comparison *self, GCancellable *cancellable, GError **error)
{
  const char *const paths[] = { self->folder, NULL };
  const CsProfileOptions options = { 0 };
  g_autoptr (CsRecording) recording = cs_recording_open (paths, cancellable, error);
  g_autoptr (CsSymbolizer) symbolizer = NULL;
  g_autofree char *cache = cs_symbol_cache_get_default_folder ();

  if (recording == NULL)
    return NULL;
  symbolizer = cs_symbolizer_new ();
  cs_symbolizer_set_cache (symbolizer, cache);
  return cs_profile_new (recording, symbolizer, &options, NULL, cancellable, error);
}

static void
compare_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Comparison *self = data;
  const CsDiffOptions options = { .fail_over = -1 };
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (CsProfile) profile = NULL;
  g_autoptr (CsReportFile) base = NULL;
  g_autoptr (CsReportFile) other = NULL;
  g_autoptr (CsDiff) diff = NULL;
  GError *error = NULL;

  if ((profile = read_profile (self, cancellable, &error)) != NULL
      && (base = make_report (profile, self->title, cancellable, &error)) != NULL
      && (other = make_report (self->profile, self->open_title, cancellable, &error)) != NULL
      && (diff = cs_diff_new (base, other, &options, &error)) != NULL
      && cs_diff_write (diff, CS_DIFF_TEXT, FALSE, stream, cancellable, &error)
      && g_output_stream_write_all (stream, "", 1, NULL, cancellable, &error)
      && g_output_stream_close (stream, cancellable, &error))
    g_task_return_pointer (task, g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream)), g_free);
  else
    g_task_return_error (task, error);
}

static void
copy (GtkTextBuffer *buffer)
{
  g_autofree char *text = NULL;

  g_object_get (buffer, "text", &text, NULL);
  gdk_clipboard_set_text (gdk_display_get_clipboard (gdk_display_get_default ()), text);
}

static void
show_text (Comparison *self, const char *text)
{
  GtkWidget *window = adw_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *button = gtk_button_new_from_icon_name ("edit-copy-symbolic");
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *view = gtk_text_view_new ();
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GtkEventController *escape = gtk_shortcut_controller_new ();
  g_autofree char *subtitle = g_strdup_printf ("%s → %s", self->title, self->open_title);

  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (escape),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_named_action_new ("window.close")));
  gtk_text_buffer_set_text (buffer, valid, -1);
  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 12);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Comparison"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_tooltip_text (button, _("Copy"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Copy"), -1);
  g_signal_connect_object (button, "clicked", G_CALLBACK (copy), buffer, G_CONNECT_SWAPPED);
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), adw_window_title_new (_("Comparison"), subtitle));
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), button);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), scrolled);
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_set_title (GTK_WINDOW (window), _("Comparison"));
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 560);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_set_transient_for (GTK_WINDOW (window), self->parent);
  gtk_widget_add_controller (window, escape);
  gtk_window_present (GTK_WINDOW (window));
}

static void
on_compared (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Comparison *self = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_task_propagate_pointer (G_TASK (result), &error);

  if (text != NULL && self->parent != NULL)
    show_text (self, text);
  else if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    cs_session_tell (self->session, error->message);
  cs_job_finish (self->job);
  g_clear_object (&self->job);
  g_clear_object (&self->session);
  g_clear_weak_pointer (&self->parent);
}

/**
 * cs_recording_compare:
 * @session: with an open recording
 * @folder: of another recording
 * @title: what to call that
 * @parent: the window that it belongs to
 *
 * Compares in the background, function by function, and shows the differences: what changed from the other to the open
 * one.
 */
void
cs_recording_compare (CsSession *session, const char *folder, const char *title, GtkWindow *parent)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, on_compared, NULL);
  g_autofree char *name = g_strdup_printf (_("Comparing with “%s”"), title);
  CsProject *project = cs_session_get_project (session);
  const char *path = cs_session_get_paths (session)[0];
  CsRecordingItem *open = project != NULL ? cs_recordings_model_find (cs_project_get_recordings (project), path) : NULL;
  Comparison *self;

  g_return_if_fail (cs_session_get_whole_profile (session) != NULL);

  self = g_new0 (Comparison, 1);
  self->session = g_object_ref (session);
  self->job = cs_jobs_begin (cs_session_get_jobs (session), name, cancellable);
  self->profile = g_object_ref (cs_session_get_whole_profile (session));
  self->folder = g_strdup (folder);
  self->title = g_strdup (title);
  self->open_title = open != NULL ? cs_recording_item_dup_title (open) : g_filename_display_basename (path);
  g_set_weak_pointer (&self->parent, parent);
  g_task_set_task_data (task, self, comparison_free);
  g_task_run_in_thread (task, compare_in_thread);
}
