/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "flame/cs-flame-save.h"
#include "flame/cs-flame-chips.h"
#include "flame/cs-flame-texts.h"
#include "flame/cs-flame-view-private.h"
#include "report/cs-flame-export.h"
#include "shared/cs-format.h"
#include "tables/cs-export-job.h"
#include "tables/cs-export-question.h"

static const char *const names[CS_FLAME_SAVE_N] = { "svg", "png", "folded" };

static const CsExportKind kinds[CS_FLAME_SAVE_N] = {
  { N_("Picture (SVG)"), N_("To look at in a browser, where it can be zoomed and searched"), "svg" },
  { N_("Image (PNG)"), N_("What the window shows, for documents and messages"), "png" },
  { N_("Folded stacks"), N_("Each stack with its time, for flame graph tools"), "folded" },
};

/**
 * cs_flame_save_parse:
 * @name: svg, png or folded
 * @format: (out): the format of that name
 *
 * Returns: whether there is one
 */
gboolean
cs_flame_save_parse (const char *name, CsFlameSaveFormat *format)
{
  for (guint i = 0; i < CS_FLAME_SAVE_N; i++)
    if (g_str_equal (names[i], name))
      {
        *format = i;
        return TRUE;
      }
  return FALSE;
}

static void
on_frames_saved (GObject *source, GAsyncResult *result, gpointer job)
{
  g_autoptr (GError) error = NULL;

  cs_flame_export_save_finish (result, &error);
  cs_export_job_end (job, error);
}

/* What is said below the title: all that makes it another picture than that of the whole recording. */
static GPtrArray *
list_notes (CsFlameView *view)
{
  CsSession *session = cs_flame_view_get_session (view);
  const CsProfileFilter *filter = cs_session_get_filter (session);
  const CsFlameChoice *choice = cs_flame_view_get_choice (view);
  GPtrArray *notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) marks = cs_flame_chips_list_texts (session);

  if (choice->kind == CS_FLAME_CALLERS)
    g_ptr_array_add (notes, g_strdup (_("Bottom-up: callers of a function lie below it")));
  if (choice->collapse)
    g_ptr_array_add (notes, g_strdup (_("Recursion is collapsed")));
  if (filter->has_from || filter->has_to)
    {
      g_autofree char *from = cs_format_duration (filter->has_from ? (guint64) MAX (filter->from, 0) : 0);
      g_autofree char *to = filter->has_to ? cs_format_duration ((guint64) MAX (filter->to, 0)) : g_strdup (_("end"));

      g_ptr_array_add (notes, g_strdup_printf ("%s – %s", from, to));
    }
  if (filter->thread != NULL)
    g_ptr_array_add (notes, g_strdup_printf (_("Thread %s"), filter->thread));
  if (filter->pid != 0)
    g_ptr_array_add (notes, g_strdup_printf (_("Process %u"), filter->pid));
  if (filter->function != NULL)
    g_ptr_array_add (notes, g_strdup_printf (_("In %s"), filter->function));
  for (guint i = 0; i < marks->len; i++)
    g_ptr_array_add (notes, g_strdup (marks->pdata[i]));
  if (*cs_session_get_search (session) != '\0')
    g_ptr_array_add (notes, g_strdup_printf (_("Found: %s"), cs_session_get_search (session)));
  for (guint i = 0; i < notes->len; i++)
    {
      char *valid = g_utf8_make_valid (notes->pdata[i], -1);

      g_free (notes->pdata[i]);
      notes->pdata[i] = valid;
    }
  g_ptr_array_add (notes, NULL);
  return notes;
}

static char *
dup_name (guint32 node, gpointer data)
{
  return cs_flame_texts_dup_name (data, node);
}

/* A module's colour. */
static guint32
get_color (guint32 node, gboolean dark, gpointer data)
{
  const CsFunction *function = cs_flame_picture_get_function (data, node);
  const GdkRGBA *color;
  CsChartColors colors;

  cs_chart_colors_set_style (&colors, dark, FALSE);
  color = cs_chart_colors_get_function (&colors, function != NULL ? function->location.module : NULL);
  return (guint32) lroundf (color->red * 255) << 16 | (guint32) lroundf (color->green * 255) << 8
         | (guint32) lroundf (color->blue * 255);
}

static void
save_frames (CsFlameView *view, gboolean folded, CsExportJob *job)
{
  CsFlamePicture *picture = cs_flame_view_get_picture (view);
  CsSession *session = cs_flame_view_get_session (view);
  g_autoptr (GPtrArray) notes = list_notes (view);
  g_autofree char *title = cs_export_job_dup_name (session, NULL);
  CsFlameExport export = {
    .layout = cs_flame_picture_get_layout (picture),
    .profile = cs_flame_picture_get_profile (picture),
    .focus = cs_flame_chart_get_focus (cs_flame_view_get_chart (view)),
    .upwards = cs_flame_view_get_flame (view),
    .width = gtk_widget_get_width (GTK_WIDGET (cs_flame_view_get_chart (view))),
    .title = title,
    .notes = (const char *const *) notes->pdata,
    .notices = cs_profile_get_notices (cs_flame_picture_get_profile (picture)),
    .data = picture,
  };

  export.found = cs_flame_search_get_found (cs_flame_view_get_search (view), &export.n_found);
  if (!folded)
    {
      export.dup_name = dup_name;
      if (cs_flame_texts_is_by_module ())
        export.get_colour = get_color;
    }
  cs_flame_export_save_async (&export, folded, cs_export_job_get_path (job), cs_export_job_get_cancellable (job), on_frames_saved, job);
}

/**
 * cs_flame_save_start:
 * @view: a view with a picture
 * @format: how to write it
 * @path: the file to write; it stays as it is until all is written
 *
 * Writes what is shown in the background, as one of the session's jobs.
 */
void
cs_flame_save_start (CsFlameView *view, CsFlameSaveFormat format, const char *path)
{
  CsExportJob *job;

  g_return_if_fail (cs_flame_view_get_picture (view) != NULL);

  job = cs_export_job_begin (cs_flame_view_get_session (view), path);
  if (format == CS_FLAME_SAVE_PNG)
    {
      CsFlameChart *chart = cs_flame_view_get_chart (view);

      cs_flame_chart_set_plain (chart, TRUE);
      cs_export_job_save_image (job, GTK_WIDGET (chart));
      cs_flame_chart_set_plain (chart, FALSE);
    }
  else
    save_frames (view, format == CS_FLAME_SAVE_FOLDED, job);
}

static void
on_chosen (gpointer view, const CsExportKind *kind, const char *path)
{
  if (cs_flame_view_get_picture (view) != NULL)
    cs_flame_save_start (view, (CsFlameSaveFormat) (kind - kinds), path);
}

/**
 * cs_flame_save_ask_place:
 * @view: a view with a picture
 * @format: how to write it
 *
 * Asks for the file.
 */
void
cs_flame_save_ask_place (CsFlameView *view, CsFlameSaveFormat format)
{
  cs_export_question_ask_place (GTK_WIDGET (view), cs_flame_view_get_session (view), &kinds[format], on_chosen);
}

/**
 * cs_flame_save_ask:
 * @view: a view with a picture
 *
 * Asks for the format, and then for the file.
 */
void
cs_flame_save_ask (CsFlameView *view)
{
  GPtrArray *all = g_ptr_array_new ();

  for (guint i = 0; i < CS_FLAME_SAVE_N; i++)
    g_ptr_array_add (all, (gpointer) &kinds[i]);
  cs_export_question_ask (GTK_WIDGET (view), cs_flame_view_get_session (view), _("Export the Flame Graph"),
                          _("What is shown is written: the frame that is zoomed to and all below it."), all, on_chosen);
}
