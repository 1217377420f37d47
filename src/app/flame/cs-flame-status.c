/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "flame/cs-flame-status.h"
#include "shared/cs-format.h"

/**
 * cs_flame_status_dup_text:
 * @picture: a picture
 * @shown: how much of its time is on view, ns
 * @found: (nullable): time with a function on the stack that matches the search, ns; %NULL: nothing is searched for
 * @threads_missing: whether threads are to be shown one by one, and can't be yet
 *
 * Returns: (transfer full): how much is shown
 */
char *
cs_flame_status_dup_text (CsFlamePicture *picture, guint64 shown, const guint64 *found, gboolean threads_missing)
{
  CsFlameLayout *layout = cs_flame_picture_get_layout (picture);
  guint64 all = cs_flame_layout_get_total (layout);
  guint32 n = cs_flame_layout_get_n_nodes (layout) - 1;
  GString *text = g_string_new (NULL);
  g_autofree char *total = cs_format_isolate (cs_format_duration (all));
  g_autofree char *frames = cs_format_isolate (cs_format_count (n));

  if (shown < all)
    {
      g_autofree char *part = cs_format_isolate (cs_format_duration (shown));
      g_autofree char *share = cs_format_isolate (cs_format_share (shown, all));

      g_string_append_printf (text, _("%s of %s (%s)"), part, total, share);
    }
  else
    g_string_append (text, total);
  g_string_append_printf (text, ngettext (" · %s frame", " · %s frames", n), frames);
  g_string_append_printf (text, _(" · %u deep"), cs_flame_layout_get_n_rows (layout) - 1);
  if (found != NULL)
    {
      g_autofree char *share = cs_format_isolate (cs_format_share (*found, all));

      g_string_append_printf (text, _(" · %s matches"), share);
    }
  if (cs_flame_layout_is_folded (layout))
    g_string_append (text, _(" · callers with little time are left out"));
  if (threads_missing)
    g_string_append (text, _(" · threads are added up until all is read"));
  return g_string_free (text, FALSE);
}

/**
 * cs_flame_status_find_nothing:
 * @session: a session
 * @picture: (nullable): what there is to show
 * @as_table: whether it is shown as a table, in which frames without time are seen
 *
 * Returns: (transfer none) (nullable): what to say in its place; %NULL: it is to be shown, or comes yet
 */
const CsFlameNothing *
cs_flame_status_find_nothing (CsSession *session, CsFlamePicture *picture, gboolean as_table)
{
  static const CsFlameNothing summary = { N_("No Call Paths"), N_("A summary has the totals of functions, but doesn’t tell who called them."),
                                          N_("Show Hotspots"), "win.view::hotspots" };
  static const CsFlameNothing hidden = { N_("All Is Hidden"), N_("Nothing is left of what is hidden or shown alone."), N_("Show All"),
                                         "flame-graph.show-all" };
  static const CsFlameNothing filtered = { N_("No Calls"), N_("What the filters show of the recording holds no calls."),
                                           N_("Remove Filters"), "flame-graph.clear-filters" };
  static const CsFlameNothing empty = { N_("No Calls"), N_("The recording holds no calls."), NULL, NULL };
  static const CsFlameNothing no_time = { N_("No Time"), N_("The calls took less than the clock can tell. The table lists them."),
                                          N_("Show as Table"), "flame-graph.table" };
  CsProfile *profile = cs_session_get_profile (session);
  guint n_marks;

  if (profile != NULL && cs_profile_get_mode (profile) == CS_PROFILE_SUMMARY)
    return &summary;
  if (picture == NULL)
    return NULL;
  cs_session_get_marks (session, &n_marks);
  if (cs_flame_layout_get_n_nodes (cs_flame_picture_get_layout (picture)) == 1)
    return n_marks > 0 ? &hidden : !cs_profile_filter_is_empty (cs_session_get_filter (session)) ? &filtered : &empty;
  return cs_flame_layout_get_total (cs_flame_picture_get_layout (picture)) == 0 && !as_table ? &no_time : NULL;
}
