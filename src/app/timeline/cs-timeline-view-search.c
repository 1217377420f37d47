/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "shared/cs-format.h"
#include "shared/cs-input.h"
#include "tables/cs-search-bar.h"
#include "tables/cs-search-texts.h"
#include "timeline/cs-timeline-view-private.h"

/* What stands out: what is searched or else the function in focus. */
static CsTimelineFocus *
get_focus (CsTimelineView *self)
{
  return self->search != NULL ? self->search : self->highlighting ? self->highlight : NULL;
}

void
cs_timeline_view_show_found (CsTimelineView *self)
{
  CsTimelineFocus *focus = get_focus (self);
  g_autoptr (GArray) visible = NULL;
  g_autoptr (GArray) found = NULL;

  if (focus == NULL)
    {
      cs_timeline_chart_set_found (self->chart, NULL, 0);
      return;
    }
  visible = cs_timeline_chart_dup_visible (self->chart);
  found = cs_timeline_focus_filter (focus, visible);
  /* Where no call of what is searched is in sight, all are pale: they may be in blocks, or elsewhere. The function in focus is
   * followed from view to view and leaves the others as they are then. */
  if (found->len > 0)
    cs_timeline_chart_set_found (self->chart, (const CsTimelineCall *) (gconstpointer) found->data, found->len);
  else
    cs_timeline_chart_set_found (self->chart, focus == self->search ? &(const CsTimelineCall){ 0 } : NULL, 0);
}

/* Search */
static void
show_search_error (CsTimelineView *self, const char *text)
{
  if (text != NULL)
    gtk_label_set_text (self->found_label, text);
  cs_input_set_wrong (GTK_WIDGET (self->search_entry), GTK_WIDGET (self->search_entry), text != NULL);
}

static void
on_counted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsTimelineView) self = user_data;
  CsTimelineMatches matches;
  gboolean known = cs_timeline_focus_count_finish (result, &matches, NULL);
  g_autofree char *functions = NULL;
  g_autofree char *calls = NULL;
  g_autofree char *n_functions = NULL;
  g_autofree char *n_calls = NULL;
  g_autofree char *text = NULL;
  const char *hint;

  if (!cs_timeline_view_is_current (self->counting, result))
    return;
  g_clear_object (&self->counting);
  cs_timeline_view_show_busy (self);
  if (!known)
    return;
  n_functions = cs_format_count (matches.n_functions);
  n_calls = cs_format_count (matches.n_calls);
  functions = g_strdup_printf (ngettext ("%s function", "%s functions", matches.n_functions), n_functions);
  calls = g_strdup_printf (ngettext ("%s call", "%s calls", matches.n_calls), n_calls);
  text = g_strdup_printf (_("%s · %s"), functions, calls);
  hint = cs_search_get_hint (cs_session_get_search (self->session), cs_session_get_regex (self->session));
  gtk_label_set_text (self->found_label, matches.n_functions > 0 ? text : hint != NULL ? hint : _("No function matches"));
}

/* What the session says is searched. */
void
cs_timeline_view_sync_search (CsTimelineView *self)
{
  const char *text = cs_session_get_search (self->session);
  gboolean regex = cs_session_get_regex (self->session);
  g_autoptr (GError) error = NULL;

  self->syncing = TRUE;
  cs_search_bar_show (CS_VIEW (self), self->search_bar, GTK_WIDGET (self->search_entry), self->regex_button, self->session);
  self->syncing = FALSE;
  cs_timeline_view_cancel (&self->counting);
  g_clear_pointer (&self->search, cs_timeline_focus_unref);
  gtk_label_set_text (self->found_label, "");
  if (*text != '\0' && cs_timeline_view_get_profile (self) != NULL)
    self->search = cs_timeline_focus_new_search (self->names, text, regex, &error);
  show_search_error (self, error != NULL ? error->message : NULL);
  if (self->search != NULL)
    {
      self->counting = g_cancellable_new ();
      cs_timeline_focus_count_async (self->search, self->counting, on_counted, g_object_ref (self));
    }
  cs_timeline_view_show_busy (self);
  cs_timeline_view_show_found (self);
  cs_timeline_view_update_actions (self);
}

void
cs_timeline_view_follow_entry (CsTimelineView *self)
{
  if (self->session != NULL && !self->syncing)
    cs_search_bar_take (GTK_WIDGET (self->search_entry), self->regex_button, self->session);
}

void
cs_timeline_view_search_next (CsTimelineView *self)
{
  cs_timeline_view_follow_entry (self);
  cs_timeline_view_go_to_match (self, FALSE);
}

void
cs_timeline_view_search_previous (CsTimelineView *self)
{
  cs_timeline_view_follow_entry (self);
  cs_timeline_view_go_to_match (self, TRUE);
}

/* The function in focus, whose index may be another one in the profile of everything. */
void
cs_timeline_view_sync_function (CsTimelineView *self)
{
  CsProfile *profile = cs_session_get_profile (self->session);
  guint function = cs_session_get_function (self->session);

  g_clear_pointer (&self->highlight, cs_timeline_focus_unref);
  if (function != G_MAXUINT && profile != NULL && cs_timeline_view_get_profile (self) != NULL)
    {
      const CsLocation *location = &cs_profile_get_functions (profile, &(guint){ 0 })[function].location;
      guint index = cs_session_find_function (cs_timeline_view_get_profile (self), location->module, location->address);

      if (index != G_MAXUINT)
        self->highlight = cs_timeline_focus_new_function (self->names, index);
    }
  cs_timeline_view_show_found (self);
  cs_timeline_view_update_actions (self);
}

/* Filters */
void
cs_timeline_view_sync_filter (CsTimelineView *self)
{
  const CsProfileFilter *filter = cs_session_get_filter (self->session);
  gint64 first, last, from, to;
  gint64 base = filter->relative ? cs_session_get_start (self->session) : 0;

  cs_timeline_view_show_status (self);
  if (self->names == NULL || !cs_timeline_chart_get_extent (self->chart, &first, &last))
    return;
  from = filter->has_from ? base + filter->from : first;
  to = filter->has_to ? base + filter->to : last + 1;
  self->syncing = TRUE;
  cs_timeline_chart_set_range (self->chart, filter->has_from || filter->has_to, from, to);
  self->syncing = FALSE;
  cs_timeline_tracks_set_filter (self->tracks, filter);
  cs_timeline_tracks_set_range (self->tracks, filter->has_from || filter->has_to, from, to);
  cs_timeline_longer_set_range (self->longer, filter->has_from || filter->has_to, from, to);
  cs_timeline_view_update_actions (self);
}

void
cs_timeline_view_follow_range (CsTimelineView *self)
{
  gint64 start = cs_session_get_start (self->session), from, to;
  gboolean has_range = cs_timeline_chart_get_range (self->chart, &from, &to);

  if (!self->syncing)
    cs_session_set_range (self->session, has_range, from - start, to - start);
}

/* The overview marks what is seen. */
void
cs_timeline_view_tell_window (CsTimelineView *self)
{
  gint64 first, last, from, to, start;

  if (self->session == NULL)
    return;
  start = cs_session_get_start (self->session);
  cs_timeline_chart_get_window (self->chart, &from, &to);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || self->names == NULL
      || !cs_timeline_chart_get_extent (self->chart, &first, &last) || (from <= first && to >= last))
    cs_session_set_visible (self->session, 0, 0);
  else
    cs_session_set_visible (self->session, from - start, to - start);
}

/**
 * cs_timeline_view_set_highlighting:
 * @self: a view
 * @highlighting: whether calls of the function in focus stand out
 */
void
cs_timeline_view_set_highlighting (CsTimelineView *self, gboolean highlighting)
{
  self->highlighting = highlighting;
  cs_timeline_view_show_found (self);
  cs_timeline_view_update_actions (self);
}

/**
 * cs_timeline_view_get_highlighting:
 * @self: a view
 *
 * Returns: whether calls of the function in focus stand out
 */
gboolean
cs_timeline_view_get_highlighting (CsTimelineView *self)
{
  return self->highlighting;
}
