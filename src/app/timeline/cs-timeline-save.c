/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "timeline/cs-timeline-save.h"
#include "charts/cs-chart-image.h"
#include "shared/cs-gtk-compat.h"
#include "tables/cs-export-job.h"
#include "timeline/cs-timeline-picture.h"
#include "timeline/cs-timeline-private.h"

#define IMAGE_SCALE 2 /* pixels of an image a pixel of the screen */

static void
on_image_saved (GObject *source, GAsyncResult *result, gpointer job)
{
  g_autoptr (GError) error = NULL;

  cs_chart_image_save_finish (result, &error);
  cs_export_job_end (job, error);
}

static void
on_picture_saved (GObject *source, GAsyncResult *result, gpointer job)
{
  g_autoptr (GError) error = NULL;

  cs_timeline_picture_save_finish (result, &error);
  cs_export_job_end (job, error);
}

static void
save_picture (CsTimelineView *view, CsExportJob *job)
{
  CsTimelineNames *names = cs_timeline_view_get_names (view);
  CsProfile *profile = cs_timeline_names_get_profile (names);
  g_autofree char *title = cs_export_job_dup_name (cs_timeline_view_get_session (view), NULL);

  cs_timeline_picture_save_async (cs_timeline_view_get_chart (view), names, title, NULL,
                                  profile != NULL ? cs_profile_get_notices (profile) : NULL, cs_export_job_get_path (job),
                                  cs_export_job_get_cancellable (job), on_picture_saved, job);
}

/**
 * cs_timeline_save_start:
 * @view: a view with a recording
 * @image: whether to write an image as it is on the screen, rather than SVG
 * @path: the file to write; it stays as it is until all is written
 *
 * Writes what is shown in the background, as one of the session's jobs.
 */
void
cs_timeline_save_start (CsTimelineView *view, gboolean image, const char *path)
{
  CsExportJob *job;

  g_return_if_fail (cs_timeline_view_get_names (view) != NULL);

  job = cs_export_job_begin (cs_timeline_view_get_session (view), path);
  if (image)
    cs_chart_image_save_async (GTK_WIDGET (cs_timeline_view_get_chart (view)), IMAGE_SCALE, path,
                               cs_export_job_get_cancellable (job), on_image_saved, job);
  else
    save_picture (view, job);
}

static void
save_to (GListModel *files, CsTimelineView *view, gboolean image)
{
  g_autoptr (GFile) file = g_list_model_get_item (files, 0);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (path == NULL)
    cs_session_tell (cs_timeline_view_get_session (view), _("That place is not on this machine — choose another one"));
  else if (cs_timeline_view_get_names (view) != NULL)
    cs_timeline_save_start (view, image, path);
}

static void
on_picture_chosen (GListModel *files, gpointer view)
{
  save_to (files, view, FALSE);
}

static void
on_image_chosen (GListModel *files, gpointer view)
{
  save_to (files, view, TRUE);
}

/**
 * cs_timeline_save_ask:
 * @view: a view with a recording
 * @image: whether to write an image as it is on the screen, rather than SVG
 *
 * Asks for the file.
 */
void
cs_timeline_save_ask (CsTimelineView *view, gboolean image)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (view));
  g_autofree char *name = cs_export_job_dup_name (cs_timeline_view_get_session (view), image ? "png" : "svg");

  cs_compat_choose_save (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, _("Export"), name,
                         image ? on_image_chosen : on_picture_chosen, view);
}
