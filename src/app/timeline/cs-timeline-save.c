/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "timeline/cs-timeline-save.h"
#include "charts/cs-chart-image.h"
#include "shared/cs-gtk-compat.h"
#include "timeline/cs-timeline-picture.h"
#include "timeline/cs-timeline-private.h"

#define IMAGE_SCALE 2 /* pixels of an image a pixel of the screen */

/* A file that is being written. */
typedef struct
{
  CsSession *session;
  CsJob *job;
  char *path;
  gboolean image;
} Save;

static void
save_free (Save *self)
{
  cs_job_finish (self->job);
  g_object_unref (self->job);
  g_object_unref (self->session);
  g_free (self->path);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Save, save_free)

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Save) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (self->image ? cs_chart_image_save_finish (result, &error) : cs_timeline_picture_save_finish (result, &error))
    text = g_strdup_printf (_("Exported to %s"), self->path);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    text = g_strdup_printf (_("Export stopped — %s is as it was"), self->path);
  else
    text = g_strdup_printf (_("Not exported: %s — choose another place"), error->message);
  cs_session_tell (self->session, text);
}

static char *
dup_base (CsSession *session)
{
  const char *const *paths = cs_session_get_paths (session);
  g_autofree char *name = g_path_get_basename (paths != NULL ? paths[0] : "recording");

  return g_utf8_make_valid (name, -1);
}

static void
save_picture (CsTimelineView *view, Save *save)
{
  CsTimelineNames *names = cs_timeline_view_get_names (view);
  CsProfile *profile = cs_timeline_names_get_profile (names);
  g_autofree char *title = dup_base (save->session);

  cs_timeline_picture_save_async (cs_timeline_view_get_chart (view), names, title, NULL,
                                  profile != NULL ? cs_profile_get_notices (profile) : NULL, save->path,
                                  cs_job_get_cancellable (save->job), on_saved, save);
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
  CsSession *session = cs_timeline_view_get_session (view);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *title = g_strdup_printf (_("Exporting %s"), base);
  Save *save;

  g_return_if_fail (cs_timeline_view_get_names (view) != NULL);

  save = g_new0 (Save, 1);
  save->session = g_object_ref (session);
  save->job = cs_jobs_begin (cs_session_get_jobs (session), title, cancellable);
  save->path = g_strdup (path);
  save->image = image;
  if (image)
    cs_chart_image_save_async (GTK_WIDGET (cs_timeline_view_get_chart (view)), IMAGE_SCALE, path, cancellable, on_saved,
                               save);
  else
    save_picture (view, save);
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
  g_autofree char *base = dup_base (cs_timeline_view_get_session (view));
  g_autofree char *name = g_strconcat (base, image ? ".png" : ".svg", NULL);

  cs_compat_choose_save (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, _("Export"), name,
                         image ? on_image_chosen : on_picture_chosen, view);
}
