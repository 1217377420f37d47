/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-window-title.h"
#include "shared/cs-format.h"

static char *
describe_profile (CsProfile *profile)
{
  const CsProfileTotals *totals = cs_profile_get_totals (profile);
  g_autofree char *span = cs_format_duration (cs_profile_span (totals->first, totals->last));
  g_autofree char *count = cs_format_count (totals->events);
  g_autofree char *events = g_strdup_printf (ngettext ("%s event", "%s events", (gulong) totals->events), count);
  g_autofree char *threads = NULL;
  g_autofree char *functions = NULL;
  guint n_threads, n_functions;

  cs_profile_get_threads (profile, &n_threads);
  cs_profile_get_functions (profile, &n_functions);
  threads = g_strdup_printf (ngettext ("%u thread", "%u threads", n_threads), n_threads);
  functions = g_strdup_printf (ngettext ("%u function", "%u functions", n_functions), n_functions);
  return g_strjoin (" · ", span, events, threads, functions, NULL);
}

/**
 * cs_window_title_show:
 * @title: a window's
 * @session: the window's
 * @of_recording: whether its recording is looked at, not its project
 *
 * Says what the window is about.
 */
void
cs_window_title_show (AdwWindowTitle *title, CsSession *session, gboolean of_recording)
{
  CsProject *project = cs_session_get_project (session);
  CsProfile *profile = cs_session_get_profile (session);
  const char *const *paths = cs_session_get_paths (session);
  g_autofree char *name = NULL;
  g_autofree char *subtitle = NULL;

  if (project != NULL)
    name = g_strdup (cs_project_get_name (project));
  else if (paths != NULL)
    name = g_filename_display_basename (paths[0]);
  else
    name = g_strdup ("Callsight");
  if (profile != NULL && of_recording)
    subtitle = describe_profile (profile);
  else if (project != NULL)
    subtitle = g_filename_display_name (cs_project_get_folder (project));
  adw_window_title_set_title (title, name);
  adw_window_title_set_subtitle (title, subtitle != NULL ? subtitle : "");
}
