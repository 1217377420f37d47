/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "charts/cs-chart-image.h"
#include "tables/cs-export-job.h"

#define IMAGE_SCALE 2 /* pixels of an image a pixel of the screen */

struct _CsExportJob
{
  CsSession *session;
  CsJob *job;
  char *path;
};

/**
 * cs_export_job_dup_name:
 * @session: a session with a recording
 * @extension: (nullable): what the name ends in, without a dot
 *
 * Returns: (transfer full): a name for a file about the recording, as text
 */
char *
cs_export_job_dup_name (CsSession *session, const char *extension)
{
  const char *const *paths = cs_session_get_paths (session);
  g_autofree char *name = g_path_get_basename (paths != NULL ? paths[0] : "recording");
  g_autofree char *valid = g_utf8_make_valid (name, -1);

  return extension != NULL ? g_strconcat (valid, ".", extension, NULL) : g_steal_pointer (&valid);
}

/**
 * cs_export_job_begin:
 * @session: whose job it is, and whom the end is told
 * @path: the file that is to be written
 *
 * Returns: (transfer full): the job; cs_export_job_end() frees it
 */
CsExportJob *
cs_export_job_begin (CsSession *session, const char *path)
{
  CsExportJob *self = g_new0 (CsExportJob, 1);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *base = g_filename_display_basename (path);
  g_autofree char *title = g_strdup_printf (_("Exporting %s"), base);

  self->session = g_object_ref (session);
  self->job = cs_jobs_begin (cs_session_get_jobs (session), title, cancellable);
  self->path = g_strdup (path);
  return self;
}

/**
 * cs_export_job_get_path:
 * @self: a job
 *
 * Returns: (transfer none): the file that is written
 */
const char *
cs_export_job_get_path (CsExportJob *self)
{
  return self->path;
}

/**
 * cs_export_job_get_cancellable:
 * @self: a job
 *
 * Returns: (transfer none): what stops it
 */
GCancellable *
cs_export_job_get_cancellable (CsExportJob *self)
{
  return cs_job_get_cancellable (self->job);
}

/**
 * cs_export_job_set_progress:
 * @self: a job
 * @progress: the part of it that is done
 */
void
cs_export_job_set_progress (CsExportJob *self, double progress)
{
  cs_job_set_progress (self->job, progress);
}

/**
 * cs_export_job_end:
 * @self: (transfer full): a job
 * @error: (nullable): why the file wasn't written
 *
 * Tells how it went.
 */
void
cs_export_job_end (CsExportJob *self, const GError *error)
{
  g_autofree char *name = g_filename_display_name (self->path);
  g_autofree char *reason = error != NULL ? g_utf8_make_valid (error->message, -1) : NULL;
  g_autofree char *text = NULL;

  if (error == NULL)
    text = g_strdup_printf (_("Exported to %s"), name);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    text = g_strdup_printf (_("Export stopped — %s is as it was"), name);
  else
    text = g_strdup_printf (_("Not exported: %s — choose another place"), reason);
  cs_session_tell (self->session, text);
  cs_job_finish (self->job);
  g_object_unref (self->job);
  g_object_unref (self->session);
  g_free (self->path);
  g_free (self);
}

static void
on_image_saved (GObject *source, GAsyncResult *result, gpointer job)
{
  g_autoptr (GError) error = NULL;

  cs_chart_image_save_finish (result, &error);
  cs_export_job_end (job, error);
}

/**
 * cs_export_job_save_image:
 * @self: (transfer full): a job
 * @widget: what paints the image
 *
 * Does the job: the widget is painted at once, and written later.
 */
void
cs_export_job_save_image (CsExportJob *self, GtkWidget *widget)
{
  cs_chart_image_save_async (widget, IMAGE_SCALE, self->path, cs_export_job_get_cancellable (self), on_image_saved, self);
}
