/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cs-application.h"
#include "cs-window.h"

struct _CsApplication
{
  AdwApplication parent_instance;
};

G_DEFINE_FINAL_TYPE (CsApplication, cs_application, ADW_TYPE_APPLICATION)

static void
on_about (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  adw_show_about_window (gtk_application_get_active_window (GTK_APPLICATION (user_data)),
                         "application-name", "Callsight",
                         "application-icon", "utilities-system-monitor",
                         "version", CS_VERSION,
                         "comments", "Where did the time go in the C and C++ code that you chose?",
                         "license-type", GTK_LICENSE_MIT_X11,
                         NULL);
}

static void
on_quit (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GList *windows;

  /* Closing a window stops what it reads. */
  while ((windows = gtk_application_get_windows (GTK_APPLICATION (user_data))) != NULL)
    gtk_window_destroy (windows->data);
}

static void
cs_application_activate (GApplication *application)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));

  if (window == NULL)
    window = GTK_WINDOW (cs_window_new (GTK_APPLICATION (application)));
  gtk_window_present (window);
}

static void
cs_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  for (int i = 0; i < n_files; i++)
    {
      CsWindow *window = cs_window_new (GTK_APPLICATION (application));

      cs_window_open (window, files[i]);
      gtk_window_present (GTK_WINDOW (window));
    }
}

static void
cs_application_startup (GApplication *application)
{
  static const GActionEntry actions[] = { { .name = "about", .activate = on_about },
                                          { .name = "quit", .activate = on_quit } };
  GtkApplication *app = GTK_APPLICATION (application);

  G_APPLICATION_CLASS (cs_application_parent_class)->startup (application);

  g_action_map_add_action_entries (G_ACTION_MAP (app), actions, G_N_ELEMENTS (actions), app);
  gtk_application_set_accels_for_action (app, "app.quit", (const char *const[]){ "<Control>q", NULL });
  gtk_application_set_accels_for_action (app, "win.open", (const char *const[]){ "<Control>o", NULL });
  gtk_application_set_accels_for_action (app, "win.search", (const char *const[]){ "<Control>f", NULL });
  gtk_application_set_accels_for_action (app, "win.reload", (const char *const[]){ "<Control>r", "F5", NULL });
  gtk_application_set_accels_for_action (app, "window.close", (const char *const[]){ "<Control>w", NULL });
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
