/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "flame/cs-flame-save.h"
#include "charts/cs-chart-image.h"
#include "flame/cs-flame-chips.h"
#include "flame/cs-flame-texts.h"
#include "flame/cs-flame-view-private.h"
#include "report/cs-flame-export.h"
#include "shared/cs-format.h"
#include "shared/cs-gtk-compat.h"
#include "tables/cs-export-job.h"

#define IMAGE_SCALE 2 /* pixels of an image a pixel of the screen */

static const struct
{
  const char *name;
  const char *title; /* not yet translated */
  const char *use;   /* the same: what it is good for */
  const char *extension;
} formats[CS_FLAME_SAVE_N] = {
  { "svg", N_("Picture (SVG)"), N_("To look at in a browser, where it can be zoomed and searched"), "svg" },
  { "png", N_("Image (PNG)"), N_("What the window shows, for documents and messages"), "png" },
  { "folded", N_("Folded stacks"), N_("Each stack with its time, for flame graph tools"), "folded" },
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
    if (g_str_equal (formats[i].name, name))
      {
        *format = i;
        return TRUE;
      }
  return FALSE;
}

static void
on_image_saved (GObject *source, GAsyncResult *result, gpointer job)
{
  g_autoptr (GError) error = NULL;

  cs_chart_image_save_finish (result, &error);
  cs_export_job_end (job, error);
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

      /* It is painted at once, and only written later. */
      cs_flame_chart_set_plain (chart, TRUE);
      cs_chart_image_save_async (GTK_WIDGET (chart), IMAGE_SCALE, path, cs_export_job_get_cancellable (job), on_image_saved, job);
      cs_flame_chart_set_plain (chart, FALSE);
    }
  else
    save_frames (view, format == CS_FLAME_SAVE_FOLDED, job);
}

/* First the format, then the place. */
static void
on_place_chosen (GListModel *files, gpointer user_data)
{
  CsFlameView *view = user_data;
  CsFlameSaveFormat format = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (view), "callsight-save-format"));
  g_autoptr (GFile) file = g_list_model_get_item (files, 0);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (path == NULL)
    cs_session_tell (cs_flame_view_get_session (view), _("That place is not on this machine — choose another one"));
  else if (cs_flame_view_get_picture (view) != NULL)
    cs_flame_save_start (view, format, path);
}

static GtkWindow *
get_window (CsFlameView *view)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (view));

  return GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
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
  g_autofree char *name = cs_export_job_dup_name (cs_flame_view_get_session (view), formats[format].extension);

  g_object_set_data (G_OBJECT (view), "callsight-save-format", GUINT_TO_POINTER (format));
  cs_compat_choose_save (get_window (view), _("Export"), name, on_place_chosen, view);
}

typedef struct
{
  CsFlameView *view;
  GtkDropDown *formats;
} Question;

static void
on_answered (const char *answer, gpointer user_data)
{
  const Question *question = user_data;

  if (g_str_equal (answer, "export") && cs_flame_view_get_picture (question->view) != NULL)
    cs_flame_save_ask_place (question->view, gtk_drop_down_get_selected (question->formats));
}

static void
show_use (GtkDropDown *list, GParamSpec *pspec, GtkLabel *label)
{
  gtk_label_set_text (label, _(formats[gtk_drop_down_get_selected (list)].use));
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
  const CsAnswer answers[] = {
    { "cancel", _("Cancel"), ADW_RESPONSE_DEFAULT },
    { "export", _("Export…"), ADW_RESPONSE_SUGGESTED },
  };
  Question *question = g_new0 (Question, 1);
  GtkStringList *titles = gtk_string_list_new (NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *use = gtk_label_new (NULL);

  for (guint i = 0; i < CS_FLAME_SAVE_N; i++)
    gtk_string_list_append (titles, _(formats[i].title));
  question->view = view;
  question->formats = GTK_DROP_DOWN (gtk_drop_down_new (G_LIST_MODEL (titles), NULL));
  gtk_accessible_update_property (GTK_ACCESSIBLE (question->formats), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Format"), -1);
  g_object_set_data_full (G_OBJECT (question->formats), "callsight-question", question, g_free);
  gtk_label_set_wrap (GTK_LABEL (use), TRUE);
  gtk_widget_add_css_class (use, "dim-label");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (question->formats));
  gtk_box_append (GTK_BOX (box), use);
  g_signal_connect (question->formats, "notify::selected", G_CALLBACK (show_use), use);
  show_use (question->formats, NULL, GTK_LABEL (use));
  cs_compat_ask (get_window (view), _("Export the Flame Graph"), _("What is shown is written: the frame that is zoomed to and all below it."),
                 box, answers, G_N_ELEMENTS (answers), on_answered, question);
}
