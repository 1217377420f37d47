/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-unsaved.h"
#include "shared/cs-gtk-compat.h"

#define ASKING "callsight-asks-unsaved"

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWindow) window = user_data;
  g_autoptr (GError) error = NULL;

  if (cs_chooser_save_finish (CS_CHOOSER (source), result, &error))
    gtk_window_destroy (window);
  else
    cs_session_tell (g_object_get_data (G_OBJECT (window), ASKING), error->message);
  g_object_set_data (G_OBJECT (window), ASKING, NULL);
}

static gboolean
destroy (gpointer window)
{
  gtk_window_destroy (window);
  return G_SOURCE_REMOVE;
}

static void
on_answered (const char *answer, gpointer user_data)
{
  GtkWindow *window = user_data;
  CsSession *session = g_object_get_data (G_OBJECT (window), ASKING);
  CsProject *project = session != NULL ? cs_session_get_project (session) : NULL;

  if (g_str_equal (answer, "save") && project != NULL)
    {
      cs_chooser_save_async (cs_project_get_chooser (project), NULL, on_saved, g_object_ref (window));
      return;
    }
  g_object_set_data (G_OBJECT (window), ASKING, NULL);
  /* The dialog that answers goes with the window, and is still busy. */
  if (g_str_equal (answer, "discard"))
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, destroy, g_object_ref (window), g_object_unref);
}

/**
 * cs_unsaved_ask:
 * @window: a window that is to be closed
 * @session: what it shows
 *
 * Asks, where trace.config has changes that aren't saved, what is to become of them; then the window goes, or stays.
 *
 * Returns: whether it asks
 */
gboolean
cs_unsaved_ask (GtkWindow *window, CsSession *session)
{
  static const CsAnswer answers[] = { { "cancel", N_("Cancel"), ADW_RESPONSE_DEFAULT },
                                      { "discard", N_("Discard"), ADW_RESPONSE_DESTRUCTIVE },
                                      { "save", N_("Save"), ADW_RESPONSE_SUGGESTED } };
  CsAnswer shown[G_N_ELEMENTS (answers)];
  CsProject *project = cs_session_get_project (session);

  if (project == NULL || !cs_chooser_get_dirty (cs_project_get_chooser (project)))
    return FALSE;
  if (g_object_get_data (G_OBJECT (window), ASKING) != NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    shown[i] = (CsAnswer){ answers[i].id, _(answers[i].label), answers[i].appearance };
  g_object_set_data_full (G_OBJECT (window), ASKING, g_object_ref (session), g_object_unref);
  cs_compat_ask (window, _("Save the Changed Selection?"), _("What was ticked since it was saved last is lost otherwise."),
                 NULL, shown, G_N_ELEMENTS (shown), on_answered, window);
  return TRUE;
}
