/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline/cs-timeline-save.h"
#include "tables/cs-export-job.h"
#include "tables/cs-export-question.h"
#include "timeline/cs-timeline-picture.h"
#include "timeline/cs-timeline-private.h"

/* There is nothing to choose from: the menu has both. */
static const CsExportKind picture_kind = { .extension = "svg" }, image_kind = { .extension = "png" };

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
    cs_export_job_save_image (job, GTK_WIDGET (cs_timeline_view_get_chart (view)));
  else
    save_picture (view, job);
}

static void
on_chosen (gpointer view, const CsExportKind *kind, const char *path)
{
  if (cs_timeline_view_get_names (view) != NULL)
    cs_timeline_save_start (view, kind == &image_kind, path);
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
  cs_export_question_ask_place (GTK_WIDGET (view), cs_timeline_view_get_session (view), image ? &image_kind : &picture_kind,
                                on_chosen);
}
