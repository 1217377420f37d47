/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>

#include "cs-application.h"
#include "cs-preferences.h"
#include "cs-shortcuts.h"
#include "cs-window.h"

struct _CsApplication
{
  AdwApplication parent_instance;
};

G_DEFINE_FINAL_TYPE (CsApplication, cs_application, ADW_TYPE_APPLICATION)

/* What helps with a report of a fault. */
static char *
describe_versions (void)
{
  g_autofree char *system = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);

  return g_strdup_printf ("Callsight %s\nGTK %u.%u.%u\nlibadwaita %u.%u.%u\nGLib %u.%u.%u\n%s\n", CS_VERSION,
                          gtk_get_major_version (), gtk_get_minor_version (), gtk_get_micro_version (),
                          adw_get_major_version (), adw_get_minor_version (), adw_get_micro_version (), glib_major_version,
                          glib_minor_version, glib_micro_version, system != NULL ? system : "");
}

static void
on_about (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_autofree char *versions = describe_versions ();
  GtkWidget *window = adw_about_window_new ();

  g_object_set (window,
                "transient-for", gtk_application_get_active_window (GTK_APPLICATION (user_data)),
                "modal", TRUE,
                "application-name", "Callsight",
                "application-icon", "io.github.callsight.Callsight",
                "developer-name", _("The Callsight authors"),
                "version", CS_VERSION,
                "comments", _("Where did the time go in the C and C++ code that you chose? Callsight traces the functions "
                              "that you tick in a project, call by call, and shows where the time went: no sampling, no "
                              "patched sources, and no terminal."),
                "copyright", _("© 2026 The Callsight authors"),
                "license-type", GTK_LICENSE_MIT_X11,
                "debug-info", versions,
                "debug-info-filename", "callsight.txt",
                NULL);
  gtk_window_present (GTK_WINDOW (window));
}

static void
on_preferences (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (user_data));

  gtk_window_present (GTK_WINDOW (cs_preferences_new (active)));
}

static gpointer
take_reference (gconstpointer window, gpointer data)
{
  return g_object_ref ((gpointer) window);
}

/* Dialogs among them go with their windows. */
static void
end_windows (GtkApplication *application, void (*end_window) (GtkWindow *window))
{
  GList *windows = g_list_copy_deep (gtk_application_get_windows (application), take_reference, NULL);

  for (GList *list = windows; list != NULL; list = list->next)
    end_window (list->data);
  g_list_free_full (windows, g_object_unref);
}

static void
on_quit (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  /* A window may have something to ask first. */
  end_windows (GTK_APPLICATION (user_data), gtk_window_close);
}

/* Ends what runs with the windows; a second signal doesn't wait for that. */
static gboolean
on_terminate (gpointer data)
{
  end_windows (GTK_APPLICATION (data), gtk_window_destroy);
  return G_SOURCE_REMOVE;
}

static void
on_new_window (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  gtk_window_present (GTK_WINDOW (cs_window_new (GTK_APPLICATION (user_data))));
}

static void
cs_application_activate (GApplication *application)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));

  if (window == NULL)
    window = GTK_WINDOW (cs_window_new (GTK_APPLICATION (application)));
  gtk_window_present (window);
}

/* A window in which nothing is open yet. */
static CsWindow *
find_empty_window (GtkApplication *application)
{
  for (GList *list = gtk_application_get_windows (application); list != NULL; list = list->next)
    if (CS_IS_WINDOW (list->data))
      {
        CsSession *session = cs_window_get_session (list->data);

        if (cs_session_get_project (session) == NULL && cs_session_get_state (session) == CS_SESSION_EMPTY)
          return list->data;
      }
  return cs_window_new (application);
}

/* The window whose project a folder is, or NULL. */
static CsWindow *
find_window_of (GtkApplication *application, GFile *folder)
{
  for (GList *list = gtk_application_get_windows (application); list != NULL; list = list->next)
    if (CS_IS_WINDOW (list->data))
      {
        CsProject *project = cs_session_get_project (cs_window_get_session (list->data));
        g_autoptr (GFile) open = project != NULL ? g_file_new_for_path (cs_project_get_folder (project)) : NULL;

        if (open != NULL && g_file_equal (open, folder))
          return list->data;
      }
  return NULL;
}

static void
open_files (GtkApplication *application, GFile **files, guint n)
{
  CsWindow *window;

  if (n == 0)
    return;
  window = find_window_of (application, files[0]);
  if (window != NULL)
    {
      gtk_window_present (GTK_WINDOW (window));
      return;
    }
  window = find_empty_window (application);
  cs_window_open_files (window, files, n);
  gtk_window_present (GTK_WINDOW (window));
}

/* Folders have a window each; files are those of one recording. */
static void
cs_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  g_autoptr (GPtrArray) single = g_ptr_array_new ();

  for (int i = 0; i < n_files; i++)
    if (g_file_query_file_type (files[i], G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_REGULAR)
      g_ptr_array_add (single, files[i]);
    else
      open_files (GTK_APPLICATION (application), &files[i], 1);
  open_files (GTK_APPLICATION (application), (GFile **) single->pdata, single->len);
}

static void
cs_application_startup (GApplication *application)
{
  static const GActionEntry actions[] = {
    { .name = "about", .activate = on_about },
    { .name = "new-window", .activate = on_new_window },
    { .name = "preferences", .activate = on_preferences },
    { .name = "quit", .activate = on_quit },
  };
  GtkApplication *app = GTK_APPLICATION (application);

  G_APPLICATION_CLASS (cs_application_parent_class)->startup (application);

  g_action_map_add_action_entries (G_ACTION_MAP (app), actions, G_N_ELEMENTS (actions), app);
  cs_shortcuts_apply (app);
  g_unix_signal_add (SIGTERM, on_terminate, app);
  g_unix_signal_add (SIGHUP, on_terminate, app);
  g_unix_signal_add (SIGINT, on_terminate, app);
  cs_preferences_follow_color_scheme ();
}

static void
cs_application_class_init (CsApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  application_class->activate = cs_application_activate;
  application_class->open = cs_application_open;
  application_class->startup = cs_application_startup;
}

static void
cs_application_init (CsApplication *self)
{
}

/**
 * cs_application_new:
 *
 * Returns: (transfer full): the desktop application, which opens a window for each trace
 *   directory or event file that it is given
 */
CsApplication *
cs_application_new (void)
{
  return g_object_new (CS_TYPE_APPLICATION,
                       "application-id", "io.github.callsight.Callsight",
                       "resource-base-path", "/io/github/callsight/Callsight",
                       "flags", G_APPLICATION_HANDLES_OPEN,
                       NULL);
}
