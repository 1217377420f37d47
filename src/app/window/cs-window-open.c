/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-window-private.h"
#include "project/cs-path-kind.h"
#include "shared/cs-settings.h"

static gboolean
has_unsaved_ticks (CsWindow *self)
{
  CsProject *project = cs_session_get_project (self->session);

  return project != NULL && cs_chooser_get_dirty (cs_project_get_chooser (project));
}

static void
open_in_new_window (CsWindow *self, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  CsWindow *window = cs_window_new (gtk_window_get_application (GTK_WINDOW (self)));

  cs_window_open_files (window, &file, 1);
  gtk_window_present (GTK_WINDOW (window));
}

/* A recording that lies where an app puts them belongs to the project around it. */
static void
open_project_of_recording (CsWindow *self, const char *path)
{
  g_autofree char *recordings = g_path_get_dirname (path);
  g_autofree char *callsight = g_path_get_dirname (recordings);
  g_autofree char *project = g_path_get_dirname (callsight);
  g_autofree char *name = g_path_get_basename (recordings);
  g_autofree char *above = g_path_get_basename (callsight);
  CsProject *open = cs_session_get_project (self->session);

  if (!has_unsaved_ticks (self) && g_str_equal (name, "recordings") && g_str_equal (above, "callsight")
      && (open == NULL || !g_str_equal (cs_project_get_folder (open), project)))
    cs_session_open_project (self->session, project);
}

/* Files that are being looked at, before they are opened. */
typedef struct
{
  CsWindow *window;
  GPtrArray *paths; /* ended by NULL */
  GCancellable *cancellable;
} Opening;

static void
opening_free (Opening *opening)
{
  g_object_unref (opening->window);
  g_ptr_array_unref (opening->paths);
  g_object_unref (opening->cancellable);
  g_free (opening);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Opening, opening_free)

/* The view of a project that was shown last. */
static const char *
get_first_view (void)
{
  g_autofree char *last = g_settings_get_string (cs_settings_get (), "last-view");

  return g_str_equal (last, "record") ? "record" : "select";
}

/* Each project has a window. */
static void
open_others (CsWindow *self, GPtrArray *paths)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 1; paths->pdata[i] != NULL; i++)
    g_ptr_array_add (files, g_file_new_for_path (paths->pdata[i]));
  if (application != NULL && files->len > 0)
    g_application_open (G_APPLICATION (application), (GFile **) files->pdata, (int) files->len, "");
}

static void
on_kind_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Opening) opening = user_data;
  g_autofree char *sentence = NULL;
  CsPathKind kind = cs_path_kind_find_finish (result, &sentence);
  CsWindow *self = opening->window;
  const char *path = opening->paths->pdata[0];

  if (opening->cancellable != self->opening)
    return;
  g_clear_object (&self->opening);
  switch (kind)
    {
    case CS_PATH_KIND_RECORDING:
    case CS_PATH_KIND_TRACE_FILE:
      open_project_of_recording (self, path);
      cs_window_show_view (self, "hotspots");
      cs_session_open_recording (self->session, (const char *const *) opening->paths->pdata);
      cs_window_focus_view (self);
      break;
    case CS_PATH_KIND_PROJECT:
    case CS_PATH_KIND_FOLDER:
      if (has_unsaved_ticks (self) && !g_str_equal (path, cs_project_get_folder (cs_session_get_project (self->session))))
        {
          /* What isn't saved stays where it is. */
          open_in_new_window (self, path);
          open_others (self, opening->paths);
          break;
        }
      cs_session_open_project (self->session, path);
      cs_window_show_view (self, get_first_view ());
      cs_window_focus_view (self);
      open_others (self, opening->paths);
      break;
    case CS_PATH_KIND_NOTHING:
    default:
      cs_window_show_failure (self, sentence);
      break;
    }
}

/**
 * cs_window_open_files:
 * @self: a window
 * @files: a project's folder, a trace directory, or the event files of one recording
 * @n: how many there are
 *
 * Looks in the background at what they are, and opens them; what the window was reading before is given up.
 */
void
cs_window_open_files (CsWindow *self, GFile *const *files, guint n)
{
  g_autoptr (Opening) opening = NULL;

  g_return_if_fail (CS_IS_WINDOW (self));
  g_return_if_fail (n > 0);

  opening = g_new0 (Opening, 1);
  opening->window = g_object_ref (self);
  opening->paths = g_ptr_array_new_with_free_func (g_free);
  opening->cancellable = g_cancellable_new ();
  for (guint i = 0; i < n; i++)
    {
      char *path = g_file_get_path (files[i]);

      if (path == NULL)
        {
          g_autofree char *uri = g_file_get_uri (files[i]);
          g_autofree char *text = g_strdup_printf (_("%s is not on this machine — copy it here first"), uri);

          cs_window_show_failure (self, text);
          return;
        }
      g_ptr_array_add (opening->paths, path);
    }
  g_ptr_array_add (opening->paths, NULL);
  if (self->opening != NULL)
    g_cancellable_cancel (self->opening);
  g_set_object (&self->opening, opening->cancellable);
  cs_path_kind_find_async (opening->paths->pdata[0], opening->cancellable, on_kind_found, opening);
  g_steal_pointer (&opening);
}

/**
 * cs_window_open_list:
 * @self: a window
 * @files: (element-type GFile): as for cs_window_open_files(); none: nothing is opened
 */
void
cs_window_open_list (CsWindow *self, GListModel *files)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    g_ptr_array_add (list, g_list_model_get_item (files, i));
  if (list->len > 0)
    cs_window_open_files (self, (GFile *const *) list->pdata, list->len);
}
