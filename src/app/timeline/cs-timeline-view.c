/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-format.h"
#include "cs-settings.h"
#include "profile/cs-call-place.h"
#include "profile/cs-call-search.h"
#include "timeline/cs-timeline-focus.h"
#include "timeline/cs-timeline-private.h"
#include "timeline/cs-timeline-track-list.h"

struct _CsTimelineView
{
  AdwBin parent_instance;

  GtkSearchBar *search_bar;
  GtkSearchEntry *search_entry;
  GtkToggleButton *regex_button;
  GtkLabel *found_label;
  GtkStack *stack;
  CsTimelineChart *chart;
  CsTimelineTable *table;
  AdwStatusPage *nothing;
  GtkWidget *hotspots_button;
  GtkRevealer *details_revealer;
  CsTimelineDetails *details;
  GtkWidget *toolbar;
  GtkLabel *status;
  GtkSpinner *spinner;
  GtkWidget *follow_button;
  GtkMenuButton *tracks_button;
  GtkMenuButton *longer_button;
  GtkMenuButton *menu_button;
  GtkPopover *tracks_popover;
  GtkPopover *longer_popover;
  CsTimelineTrackList *track_list;
  CsTimelineLonger *longer;
  GtkWidget *menu; /* (nullable): of what was clicked */

  GSimpleActionGroup *actions;
  CsSession *session;         /* (nullable) */
  CsTimelineNames *names;     /* (nullable): of what is shown */
  CsTimelineTracks *tracks;
  CsTimelineFocus *search;    /* (nullable): what is searched */
  CsTimelineFocus *highlight; /* (nullable): the function in focus */
  gboolean highlighting;      /* the person wants to see that one's calls stand out */
  GCancellable *counting;     /* (nullable): how much the search matches */
  GCancellable *finding;      /* (nullable): a call to go to */
  GCancellable *listing;      /* (nullable): the table's calls */
  gboolean backwards;         /* the call that is being found is an earlier one */
  gboolean listed_more;       /* the table doesn't have all */
  CsTimelinePoint point;      /* of the menu */
  GArray *marks;              /* (element-type CsTimelineMark): where calls weren't recorded */
  GPtrArray *mark_texts;
  gboolean syncing;           /* widgets and session are made the same */
};

static void cs_timeline_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsTimelineView, cs_timeline_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_timeline_view_init_view))

/* Calls shorter than this many pixels are zoomed to when one is sent to them; then they fill this part of the width. */
#define LEAST_PIXELS 12
#define CONTEXT 12

/* Rows of the table. */
#define MOST_LISTED 5000

static void
cancel (GCancellable **cancellable)
{
  if (*cancellable != NULL)
    g_cancellable_cancel (*cancellable);
  g_clear_object (cancellable);
}

static gboolean
is_current (GCancellable *cancellable, GAsyncResult *result)
{
  return cancellable != NULL && g_task_get_cancellable (G_TASK (result)) == cancellable;
}

static void
show_busy (CsTimelineView *self)
{
  gtk_spinner_set_spinning (self->spinner, cs_timeline_view_get_busy (self));
}

static CsTimeline *
get_timeline (CsTimelineView *self)
{
  return self->names != NULL ? cs_timeline_names_get_timeline (self->names) : NULL;
}

static CsProfile *
get_profile (CsTimelineView *self)
{
  return self->names != NULL ? cs_timeline_names_get_profile (self->names) : NULL;
}

static void
update_actions (CsTimelineView *self)
{
  cs_timeline_actions_update (self, self->actions);
  gtk_widget_set_visible (self->follow_button, self->session != NULL
                                                   && (cs_session_is_reading (self->session)
                                                       || cs_timeline_chart_get_follow (self->chart)));
}

/* The line below the chart. */
static char *
dup_measure (CsTimelineView *self)
{
  gint64 from, to;
  g_autofree char *duration = NULL;

  if (!cs_timeline_chart_get_measure (self->chart, &from, &to))
    return NULL;
  duration = cs_format_duration (cs_profile_span (from, to));
  return g_strdup_printf (_("Measured: %s"), duration);
}

static char *
dup_blocks (CsTimelineView *self)
{
  g_autoptr (GArray) visible = cs_timeline_chart_dup_visible (self->chart);
  guint64 blocks = 0, calls = 0;
  g_autofree char *n = NULL;

  for (guint i = 0; i < visible->len; i++)
    {
      if (g_array_index (visible, CsTimelineCall, i).span.address == 0)
        blocks++;
      else
        calls++;
    }
  n = cs_format_count (blocks > 0 ? blocks : calls);
  if (blocks > 0)
    return g_strdup_printf (ngettext ("×%s folded block holds every call; zoom in to open it",
                                      "×%s folded blocks hold every call; zoom in to open them", blocks), n);
  return g_strdup_printf (ngettext ("%s call in sight", "%s calls in sight", calls), n);
}

static void
show_status (CsTimelineView *self)
{
  gboolean table = cs_timeline_view_get_table_shown (self);
  g_autofree char *measure = dup_measure (self);
  g_autofree char *text = NULL;
  g_autofree char *n = NULL;
  guint n_rows = g_list_model_get_n_items (cs_timeline_table_get_model (self->table));

  n = cs_format_count (n_rows);
  if (self->names == NULL)
    text = g_strdup ("");
  else if (table && self->listed_more)
    text = g_strdup_printf (_("The longest %s calls in sight; zoom in for the others"), n);
  else if (table)
    text = g_strdup_printf (ngettext ("%s call in sight", "%s calls in sight", n_rows), n);
  else
    text = measure != NULL ? g_steal_pointer (&measure) : dup_blocks (self);
  gtk_label_set_text (self->status, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->status), text);
}

/* What stands out: what is searched or else the function in focus. */
static CsTimelineFocus *
get_focus (CsTimelineView *self)
{
  return self->search != NULL ? self->search : self->highlighting ? self->highlight : NULL;
}

static void
show_found (CsTimelineView *self)
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
  cs_timeline_chart_set_found (self->chart, (const CsTimelineCall *) (gconstpointer) found->data, found->len);
}

/* Another picture is painted. */
static void
on_sharp (CsTimelineView *self)
{
  if (cs_timeline_chart_get_sharp (self->chart))
    {
      show_found (self);
      show_status (self);
    }
  show_busy (self);
}

static void
show_tracks (CsTimelineView *self)
{
  guint n = g_list_model_get_n_items (cs_timeline_tracks_get_model (self->tracks));
  guint shown = cs_timeline_tracks_get_n_shown (self->tracks);
  g_autofree char *n_all = cs_format_count (n);
  g_autofree char *n_shown = cs_format_count (shown);
  g_autofree char *text = shown < n ? g_strdup_printf (ngettext ("%s of %s thread", "%s of %s threads", n), n_shown, n_all)
                                    : g_strdup_printf (ngettext ("%s thread", "%s threads", n), n_all);

  gtk_menu_button_set_label (self->tracks_button, text);
  update_actions (self);
}

/* What can't be shown is said. */
static void
show_nothing (CsTimelineView *self, const char *title, const char *description, gboolean hotspots)
{
  if (title == NULL)
    {
      if (g_str_equal (cs_timeline_view_get_page (self), "nothing"))
        gtk_stack_set_visible_child_name (self->stack, "chart");
      return;
    }
  adw_status_page_set_title (self->nothing, title);
  adw_status_page_set_description (self->nothing, description);
  gtk_widget_set_visible (self->hotspots_button, hotspots);
  gtk_stack_set_visible_child_name (self->stack, "nothing");
}

static void
show_page (CsTimelineView *self)
{
  CsProfile *profile = self->session != NULL ? cs_session_get_profile (self->session) : NULL;
  gint64 first, last;

  if (profile != NULL && cs_profile_get_mode (profile) == CS_PROFILE_SUMMARY)
    show_nothing (self, _("No Timeline"),
                  _("The program counted its calls itself: the recording says how many there were and how long they took, not when."),
                  TRUE);
  else if (self->names == NULL && profile != NULL && !cs_session_is_reading (self->session))
    show_nothing (self, _("No Timeline"),
                  _("The recording has no index of time. Read it again with F5."), TRUE);
  else if (self->names == NULL)
    show_nothing (self, _("No Timeline Yet"), _("The recording is being read."), FALSE);
  else if (!cs_timeline_chart_get_extent (self->chart, &first, &last))
    show_nothing (self, _("No Calls"), _("No function was called while the program was recorded."), FALSE);
  else
    show_nothing (self, NULL, NULL, FALSE);
  gtk_widget_set_visible (self->toolbar, !g_str_equal (cs_timeline_view_get_page (self), "nothing"));
}

/* Where calls weren't recorded. */
static CsTimelineMarkKind
get_mark_kind (CsCutKind kind)
{
  switch (kind)
    {
    case CS_CUT_STOPPED:
      return CS_TIMELINE_MARK_STOPPED;
    case CS_CUT_WRAPPED:
      return CS_TIMELINE_MARK_WRAPPED;
    case CS_CUT_LOST:
      return CS_TIMELINE_MARK_DROPPED;
    case CS_CUT_OFF:
    default:
      return CS_TIMELINE_MARK_OFF;
    }
}

static guint
find_thread (CsProfile *profile, guint serial)
{
  guint n;
  const CsThreadRow *threads = cs_profile_get_threads (profile, &n);

  for (guint i = 0; i < n; i++)
    if (threads[i].serial == serial)
      return cs_call_find_track (cs_profile_get_timeline (profile), threads[i].process, threads[i].tid, threads[i].seq);
  return G_MAXUINT;
}

static void
show_marks (CsTimelineView *self)
{
  CsProfile *profile = get_profile (self);
  guint n = 0;
  const CsCut *cuts = profile != NULL ? cs_profile_get_cuts (profile, &n) : NULL;

  g_array_set_size (self->marks, 0);
  g_ptr_array_set_size (self->mark_texts, 0);
  for (guint i = 0; i < n; i++)
    {
      CsTimelineMark mark = { .track = find_thread (profile, cuts[i].serial), .kind = get_mark_kind (cuts[i].kind) };

      mark.from = cuts[i].from != G_MININT64 ? cuts[i].from : cs_profile_get_totals (profile)->first;
      mark.to = cuts[i].to != G_MAXINT64 ? cuts[i].to : mark.from;
      g_ptr_array_add (self->mark_texts, cs_cut_dup_text (&cuts[i]));
      mark.text = g_ptr_array_index (self->mark_texts, self->mark_texts->len - 1);
      g_array_append_val (self->marks, mark);
    }
  cs_timeline_chart_set_marks (self->chart, (const CsTimelineMark *) (gconstpointer) self->marks->data, self->marks->len);
}

static void sync_search (CsTimelineView *self);
static void sync_function (CsTimelineView *self);
static void sync_filter (CsTimelineView *self);
static void show_call (CsTimelineView *self);
static void on_session_call (CsTimelineView *self);

/* The recording, or more of it. */
static void
on_recording_changed (CsTimelineView *self)
{
  CsTimeline *timeline = cs_session_get_timeline (self->session);
  CsProfile *whole = cs_session_get_whole_profile (self->session);
  CsProfile *profile = timeline == NULL ? NULL : whole != NULL ? whole : cs_session_get_profile (self->session);
  gboolean first = self->names == NULL;

  if (timeline != get_timeline (self) || profile != get_profile (self))
    {
      cancel (&self->finding);
      cancel (&self->listing);
      g_clear_pointer (&self->search, cs_timeline_focus_unref);
      g_clear_pointer (&self->highlight, cs_timeline_focus_unref);
      g_clear_pointer (&self->names, cs_timeline_names_unref);
      if (timeline != NULL)
        self->names = cs_timeline_names_new (timeline, profile, cs_session_get_start (self->session));
      self->syncing = TRUE;
      if (self->names != NULL)
        cs_timeline_names_give (self->names, self->chart);
      cs_timeline_chart_set_timeline (self->chart, timeline);
      cs_timeline_chart_set_origin (self->chart, cs_session_get_start (self->session));
      self->syncing = FALSE;
      cs_timeline_tracks_set_names (self->tracks, self->names);
      cs_timeline_longer_set_names (self->longer, self->names);
      cs_timeline_table_set_calls (self->table, NULL, NULL);
      show_marks (self);
      sync_filter (self);
      sync_search (self);
      sync_function (self);
      show_call (self);
      show_tracks (self);
      if (first && cs_session_get_call (self->session) != NULL)
        on_session_call (self);
    }
  show_page (self);
  show_status (self);
  update_actions (self);
}

/* The strip with details. */
static void
show_call (CsTimelineView *self)
{
  const CsTimelineCall *call = self->names != NULL ? cs_timeline_chart_get_call (self->chart) : NULL;
  guint function = call != NULL ? cs_timeline_names_get_function (self->names, call) : G_MAXUINT;
  g_autofree char *name = call != NULL ? cs_timeline_names_dup_function (self->names, call) : NULL;

  if (call != NULL)
    cs_timeline_details_set_call (self->details, self->names, call);
  gtk_revealer_set_reveal_child (self->details_revealer, call != NULL);
  cs_timeline_longer_set_function (self->longer, function, name);
  update_actions (self);
}

/* The strip takes room from the chart. */
static void
on_details_revealed (CsTimelineView *self)
{
  const CsTimelineCall *call = self->names != NULL ? cs_timeline_chart_get_call (self->chart) : NULL;

  if (call != NULL && gtk_revealer_get_child_revealed (self->details_revealer))
    cs_timeline_chart_scroll_to (self->chart, call->track, call->span.depth);
}

static void
tell_call (CsTimelineView *self)
{
  const CsTimelineCall *call = cs_timeline_chart_get_call (self->chart);
  const CsTimelineTrackInfo *info;
  CsSessionCall told;

  self->syncing = TRUE;
  if (call == NULL)
    cs_session_set_call (self->session, NULL);
  else
    {
      info = cs_timeline_get_track_info (get_timeline (self), call->track);
      told = (CsSessionCall){ .process = info->process, .tid = info->tid, .seq = info->seq, .start = call->span.start,
                              .end = call->span.end, .address = call->span.address, .position = call->span.position,
                              .depth = call->span.depth };
      cs_session_set_call (self->session, &told);
    }
  self->syncing = FALSE;
}

/* What isn't about a menu's place is about the selected call. */
static void
forget_point (CsTimelineView *self)
{
  self->point = (CsTimelinePoint){ .process = G_MAXUINT, .track = G_MAXUINT };
  update_actions (self);
}

static void
on_call_selected (CsTimelineView *self)
{
  forget_point (self);
  if (!self->syncing)
    {
      cancel (&self->finding);
      show_busy (self);
      tell_call (self);
    }
  show_call (self);
}

/* So near that the call can be seen. */
static void
zoom_to (CsTimelineView *self, const CsTimelineCall *call)
{
  guint64 length = cs_profile_span (call->span.start, call->span.end);
  double width = MAX (gtk_widget_get_width (GTK_WIDGET (self->chart)), 400);
  gint64 from, to, margin;

  cs_timeline_chart_get_window (self->chart, &from, &to);
  if ((double) length > (double) cs_profile_span (from, to))
    cs_timeline_chart_fit_call (self->chart, call, TRUE);
  else if ((double) length * width < LEAST_PIXELS * (double) cs_profile_span (from, to))
    {
      margin = (gint64) MAX (length, 1) * CONTEXT / 2;
      cs_timeline_chart_set_window (self->chart, call->span.start - margin, call->span.end + margin, TRUE);
    }
}

/* Makes sure that the call's row is there. */
static gboolean
show_row (CsTimelineView *self, const CsTimelineCall *call)
{
  CsTrackItem *item = cs_timeline_tracks_get_item (self->tracks, call->track);
  guint limit = cs_timeline_tracks_get_depth_limit (self->tracks);

  if (item == NULL)
    return FALSE;
  cs_timeline_tracks_set_hidden (self->tracks, call->track, FALSE);
  if (call->span.depth > 0)
    cs_timeline_tracks_set_collapsed (self->tracks, call->track, FALSE);
  if (limit > 0 && call->span.depth >= limit)
    cs_timeline_tracks_set_depth_limit (self->tracks, call->span.depth + 1);
  if (cs_track_item_get_left_out (item))
    cs_session_tell (self->session, _("A filter leaves the call’s thread out — remove it to see the call"));
  return TRUE;
}

static void
select_call (CsTimelineView *self, const CsTimelineCall *call, gboolean zoom)
{
  const CsTimelineCall copy = *call;

  if (!show_row (self, &copy))
    return;
  cs_timeline_view_set_table_shown (self, FALSE);
  self->syncing = TRUE;
  if (zoom)
    zoom_to (self, &copy);
  cs_timeline_chart_set_call (self->chart, &copy, TRUE);
  self->syncing = FALSE;
  show_call (self);
}

/**
 * cs_timeline_view_show_call:
 * @self: a view
 * @call: a call of the timeline
 *
 * Selects the call, near enough to see it, here and in all views.
 */
void
cs_timeline_view_show_call (CsTimelineView *self, const CsTimelineCall *call)
{
  select_call (self, call, TRUE);
  tell_call (self);
}

static void
on_located (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsTimelineView) self = user_data;
  g_autoptr (GError) error = NULL;
  CsTimelineCall call;
  gboolean found = cs_call_locate_finish (result, &call, &error);

  if (!is_current (self->finding, result))
    return;
  g_clear_object (&self->finding);
  show_busy (self);
  if (found)
    select_call (self, &call, TRUE);
  else
    cs_session_tell (self->session, error != NULL ? error->message : _("The call isn’t in what has been read"));
}

/* Another view sends one to a call. */
static void
on_session_call (CsTimelineView *self)
{
  const CsSessionCall *call = cs_session_get_call (self->session);
  CsCallPlace place;

  if (self->syncing)
    return;
  cancel (&self->finding);
  if (call == NULL || self->names == NULL)
    {
      self->syncing = TRUE;
      cs_timeline_chart_set_call (self->chart, NULL, FALSE);
      self->syncing = FALSE;
      show_call (self);
      return;
    }
  place = (CsCallPlace){ call->process, call->tid, call->seq, call->start, call->end, call->address, call->position,
                         call->depth };
  self->finding = g_cancellable_new ();
  show_busy (self);
  cs_call_locate_async (get_timeline (self), &place, self->finding, on_located, g_object_ref (self));
}

/* From call to call */
static void
on_next_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsTimelineView) self = user_data;
  g_autoptr (GError) error = NULL;
  CsTimelineCall call;
  gboolean found = cs_timeline_focus_next_finish (result, &call, &error);

  if (!is_current (self->finding, result))
    return;
  g_clear_object (&self->finding);
  show_busy (self);
  if (found)
    {
      select_call (self, &call, FALSE);
      tell_call (self);
    }
  else
    cs_session_tell (self->session, error != NULL       ? error->message
                                    : self->backwards   ? _("No earlier call on the threads that are shown")
                                                        : _("No later call on the threads that are shown"));
}

static void
go_on (CsTimelineView *self, CsTimelineFocus *focus, gboolean backwards, guint track)
{
  guint n = cs_timeline_get_n_tracks (get_timeline (self));
  g_autofree gboolean *tracks = g_new0 (gboolean, n + 1);
  const CsTimelineCall *call = cs_timeline_chart_get_call (self->chart);
  CsTimelineCall from = { 0 };
  gint64 start, end;

  for (guint i = 0; i < n; i++)
    tracks[i] = track == G_MAXUINT ? cs_timeline_tracks_get_shown (self->tracks, i) : i == track;
  cs_timeline_chart_get_window (self->chart, &start, &end);
  from.span.start = backwards ? end : start - 1;
  if (call != NULL)
    from = *call;
  cancel (&self->finding);
  self->finding = g_cancellable_new ();
  self->backwards = backwards;
  show_busy (self);
  cs_timeline_focus_next_async (focus, &from, backwards, tracks, self->finding, on_next_found, g_object_ref (self));
}

/**
 * cs_timeline_view_go_to_next:
 * @self: a view in which a call is selected
 * @backwards: whether to go to an earlier one
 * @same_thread: whether to stay in its thread
 *
 * Goes to the next call of the same function.
 */
void
cs_timeline_view_go_to_next (CsTimelineView *self, gboolean backwards, gboolean same_thread)
{
  const CsTimelineCall *call = self->names != NULL ? cs_timeline_chart_get_call (self->chart) : NULL;
  guint function = call != NULL ? cs_timeline_names_get_function (self->names, call) : G_MAXUINT;
  g_autoptr (CsTimelineFocus) focus = NULL;

  if (function == G_MAXUINT)
    return;
  focus = cs_timeline_focus_new_function (self->names, function);
  go_on (self, focus, backwards, same_thread ? call->track : G_MAXUINT);
}

/**
 * cs_timeline_view_go_to_match:
 * @self: a view
 * @backwards: whether to go to an earlier one
 *
 * Goes to the next call of a function that is searched or in focus.
 */
void
cs_timeline_view_go_to_match (CsTimelineView *self, gboolean backwards)
{
  CsTimelineFocus *focus = self->search != NULL ? self->search : self->highlight;

  if (focus != NULL && self->names != NULL)
    go_on (self, focus, backwards, G_MAXUINT);
}

/**
 * cs_timeline_view_has_matches:
 * @self: a view
 *
 * Returns: whether there is something to go to
 */
gboolean
cs_timeline_view_has_matches (CsTimelineView *self)
{
  return self->names != NULL && (self->search != NULL || self->highlight != NULL);
}

/* Search */
static void
show_search_error (CsTimelineView *self, const char *text)
{
  if (text != NULL)
    gtk_label_set_text (self->found_label, text);
  if (text != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self->search_entry), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->search_entry), "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->search_entry), GTK_ACCESSIBLE_STATE_INVALID,
                               text != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
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

  if (!is_current (self->counting, result))
    return;
  g_clear_object (&self->counting);
  show_busy (self);
  if (!known)
    return;
  n_functions = cs_format_count (matches.n_functions);
  n_calls = cs_format_count (matches.n_calls);
  functions = g_strdup_printf (ngettext ("%s function", "%s functions", matches.n_functions), n_functions);
  calls = g_strdup_printf (ngettext ("%s call", "%s calls", matches.n_calls), n_calls);
  text = g_strdup_printf (_("%s · %s"), functions, calls);
  gtk_label_set_text (self->found_label, matches.n_functions > 0 ? text : _("No function matches"));
}

/* What the session says is searched. */
static void
sync_search (CsTimelineView *self)
{
  const char *text = cs_session_get_search (self->session);
  gboolean regex = cs_session_get_regex (self->session);
  g_autoptr (GError) error = NULL;

  self->syncing = TRUE;
  if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (self->search_entry)), text))
    gtk_editable_set_text (GTK_EDITABLE (self->search_entry), text);
  gtk_toggle_button_set_active (self->regex_button, regex);
  if (*text != '\0')
    cs_view_reveal_search (CS_VIEW (self), self->search_bar);
  self->syncing = FALSE;
  cancel (&self->counting);
  g_clear_pointer (&self->search, cs_timeline_focus_unref);
  gtk_label_set_text (self->found_label, "");
  if (*text != '\0' && get_profile (self) != NULL)
    self->search = cs_timeline_focus_new_search (self->names, text, regex, &error);
  show_search_error (self, error != NULL ? error->message : NULL);
  if (self->search != NULL)
    {
      self->counting = g_cancellable_new ();
      cs_timeline_focus_count_async (self->search, self->counting, on_counted, g_object_ref (self));
    }
  show_busy (self);
  show_found (self);
  update_actions (self);
}

static void
on_search_changed (CsTimelineView *self)
{
  if (self->session != NULL && !self->syncing)
    cs_session_set_search (self->session, gtk_editable_get_text (GTK_EDITABLE (self->search_entry)),
                           gtk_toggle_button_get_active (self->regex_button));
}

static void
on_search_next (CsTimelineView *self)
{
  on_search_changed (self);
  cs_timeline_view_go_to_match (self, FALSE);
}

static void
on_search_previous (CsTimelineView *self)
{
  on_search_changed (self);
  cs_timeline_view_go_to_match (self, TRUE);
}

/* The function in focus, whose index may be another one in the profile of everything. */
static void
sync_function (CsTimelineView *self)
{
  CsProfile *profile = cs_session_get_profile (self->session);
  guint function = cs_session_get_function (self->session);

  g_clear_pointer (&self->highlight, cs_timeline_focus_unref);
  if (function != G_MAXUINT && profile != NULL && get_profile (self) != NULL)
    {
      const CsLocation *location = &cs_profile_get_functions (profile, &(guint){ 0 })[function].location;
      guint index = cs_session_find_function (get_profile (self), location->module, location->address);

      if (index != G_MAXUINT)
        self->highlight = cs_timeline_focus_new_function (self->names, index);
    }
  show_found (self);
  update_actions (self);
}

/* Filters */
static void
sync_filter (CsTimelineView *self)
{
  const CsProfileFilter *filter = cs_session_get_filter (self->session);
  gint64 first, last, from, to;
  gint64 base = filter->relative ? cs_session_get_start (self->session) : 0;

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
  update_actions (self);
}

static void
on_range_changed (CsTimelineView *self)
{
  gint64 start = cs_session_get_start (self->session), from, to;
  gboolean has_range = cs_timeline_chart_get_range (self->chart, &from, &to);

  if (!self->syncing)
    cs_session_set_range (self->session, has_range, from - start, to - start);
}

/* The overview marks what is seen. */
static void
tell_window (CsTimelineView *self)
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

/* The table */
static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsTimelineView) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean more;
  g_autoptr (GArray) calls = cs_call_search_find_finish (result, &more, &error);
  g_autoptr (GArray) shown = NULL;

  if (!is_current (self->listing, result))
    return;
  g_clear_object (&self->listing);
  show_busy (self);
  if (calls == NULL)
    {
      cs_session_tell (self->session, error->message);
      return;
    }
  shown = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  for (guint i = 0; i < calls->len; i++)
    if (cs_timeline_tracks_get_shown (self->tracks, g_array_index (calls, CsTimelineCall, i).track))
      g_array_append_val (shown, g_array_index (calls, CsTimelineCall, i));
  self->listed_more = more;
  cs_timeline_table_set_calls (self->table, self->names, shown);
  show_status (self);
}

static void
fill_table (CsTimelineView *self)
{
  CsCallSearch search = { .function = G_MAXUINT, .track = G_MAXUINT, .longest = TRUE, .limit = MOST_LISTED };

  cancel (&self->listing);
  if (get_profile (self) == NULL || !cs_timeline_view_get_table_shown (self))
    return;
  cs_timeline_chart_get_window (self->chart, &search.from, &search.to);
  search.open_before = TRUE;
  self->listing = g_cancellable_new ();
  show_busy (self);
  cs_call_search_find_async (get_profile (self), get_timeline (self), &search, self->listing, on_listed,
                             g_object_ref (self));
}

static void
on_table_activated (CsTimelineView *self, const CsTimelineCall *call)
{
  cs_timeline_view_show_call (self, call);
  gtk_widget_grab_focus (GTK_WIDGET (self->chart));
}

static void
on_longer_chosen (CsTimelineView *self, const CsTimelineCall *call)
{
  cs_timeline_view_show_call (self, call);
}

static void
on_window_changed (CsTimelineView *self)
{
  tell_window (self);
  fill_table (self);
  update_actions (self);
}

static void
on_tracks_changed (CsTimelineView *self)
{
  show_tracks (self);
  fill_table (self);
}

/* Menus */
static void
on_menu_closed_idle (gpointer data)
{
  g_autoptr (CsTimelineView) self = data;

  if (self->actions != NULL && (self->menu == NULL || !gtk_widget_get_visible (self->menu)))
    forget_point (self);
}

static void
on_menu_closed (CsTimelineView *self)
{
  /* What was chosen in it is done first. */
  g_idle_add_once (on_menu_closed_idle, g_object_ref (self));
}

static void
popup_menu (CsTimelineView *self, GMenuModel *model, double x, double y)
{
  double at_x = x, at_y = y;
  GdkRectangle at = { 0, 0, 1, 1 };

  g_clear_pointer (&self->menu, gtk_widget_unparent);
  gtk_widget_translate_coordinates (GTK_WIDGET (self->chart), GTK_WIDGET (self), x, y, &at_x, &at_y);
  at.x = (int) at_x;
  at.y = (int) at_y;
  self->menu = gtk_popover_menu_new_from_model (model);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &at);
  g_signal_connect_object (self->menu, "closed", G_CALLBACK (on_menu_closed), self, G_CONNECT_SWAPPED);
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
on_menu (CsTimelineView *self, const CsTimelinePoint *point, double x, double y)
{
  g_autoptr (GMenuModel) menu = NULL;

  self->point = *point;
  update_actions (self);
  menu = cs_timeline_make_menu (point);
  if (menu != NULL)
    popup_menu (self, menu, x, y);
}

static void
on_follow (CsTimelineView *self)
{
  update_actions (self);
}

static void
on_names_changed (CsTimelineView *self)
{
  if (self->names != NULL)
    cs_timeline_names_follow_settings (self->names);
  cs_timeline_chart_texts_changed (self->chart);
  show_call (self);
}

static void
cs_timeline_view_dispose (GObject *object)
{
  CsTimelineView *self = CS_TIMELINE_VIEW (object);

  cancel (&self->counting);
  cancel (&self->finding);
  cancel (&self->listing);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->search, cs_timeline_focus_unref);
  g_clear_pointer (&self->highlight, cs_timeline_focus_unref);
  g_clear_pointer (&self->names, cs_timeline_names_unref);
  g_clear_object (&self->tracks);
  g_clear_object (&self->session);
  g_clear_object (&self->actions);
  g_clear_pointer (&self->marks, g_array_unref);
  g_clear_pointer (&self->mark_texts, g_ptr_array_unref);

  G_OBJECT_CLASS (cs_timeline_view_parent_class)->dispose (object);
}

static gboolean
cs_timeline_view_grab_focus (GtkWidget *widget)
{
  CsTimelineView *self = CS_TIMELINE_VIEW (widget);

  return gtk_widget_grab_focus (cs_timeline_view_get_table_shown (self) ? GTK_WIDGET (self->table)
                                                                        : GTK_WIDGET (self->chart));
}

static void
cs_timeline_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (cs_timeline_view_parent_class)->map (widget);
  tell_window (CS_TIMELINE_VIEW (widget));
}

static void
cs_timeline_view_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (cs_timeline_view_parent_class)->unmap (widget);
  tell_window (CS_TIMELINE_VIEW (widget));
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, search_bar);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, search_entry);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, regex_button);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, found_label);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, stack);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, chart);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, table);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, nothing);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, hotspots_button);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, details_revealer);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, details);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, toolbar);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, status);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, spinner);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, follow_button);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, tracks_button);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, longer_button);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, menu_button);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, tracks_popover);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, longer_popover);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, track_list);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineView, longer);
}

static void
cs_timeline_view_class_init (CsTimelineViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_timeline_view_dispose;
  widget_class->grab_focus = cs_timeline_view_grab_focus;
  widget_class->map = cs_timeline_view_map;
  widget_class->unmap = cs_timeline_view_unmap;
  g_type_ensure (CS_TYPE_TIMELINE_CHART);
  g_type_ensure (CS_TYPE_TIMELINE_DETAILS);
  g_type_ensure (CS_TYPE_TIMELINE_LONGER);
  g_type_ensure (CS_TYPE_TIMELINE_TABLE);
  g_type_ensure (CS_TYPE_TIMELINE_TRACK_LIST);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/callsight/Callsight/timeline/cs-timeline-view.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_next);
  gtk_widget_class_bind_template_callback (widget_class, on_search_previous);
  gtk_widget_class_bind_template_callback (widget_class, on_table_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_longer_chosen);
  gtk_widget_class_bind_template_callback (widget_class, on_details_revealed);
}

static void
follow_chart (CsTimelineView *self)
{
  static const struct { const char *signal; GCallback callback; } handlers[] = {
    { "call-selected", G_CALLBACK (on_call_selected) },
    { "range-changed", G_CALLBACK (on_range_changed) },
    { "measure-changed", G_CALLBACK (show_status) },
    { "window-changed", G_CALLBACK (on_window_changed) },
    { "menu-requested", G_CALLBACK (on_menu) },
    { "notify::follow", G_CALLBACK (on_follow) },
    { "notify::measuring", G_CALLBACK (update_actions) },
    { "notify::sharp", G_CALLBACK (on_sharp) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    g_signal_connect_object (self->chart, handlers[i].signal, handlers[i].callback, self, G_CONNECT_SWAPPED);
}

static void
cs_timeline_view_init (CsTimelineView *self)
{
  g_autoptr (GMenuModel) menu = cs_timeline_make_view_menu ();

  self->highlighting = TRUE;
  self->marks = g_array_new (FALSE, FALSE, sizeof (CsTimelineMark));
  self->mark_texts = g_ptr_array_new_with_free_func (g_free);
  self->point.process = self->point.track = G_MAXUINT;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->tracks = cs_timeline_tracks_new (self->chart);
  self->actions = cs_timeline_actions_new (self);
  gtk_search_bar_connect_entry (self->search_bar, GTK_EDITABLE (self->search_entry));
  gtk_menu_button_set_menu_model (self->menu_button, menu);
  gtk_widget_add_controller (GTK_WIDGET (self->stack), cs_timeline_make_shortcuts ());
  gtk_widget_add_controller (GTK_WIDGET (self->details), cs_timeline_make_shortcuts ());
  cs_timeline_track_list_set_tracks (self->track_list, self->tracks);
  follow_chart (self);
  g_signal_connect_object (self->tracks, "changed", G_CALLBACK (on_tracks_changed), self, G_CONNECT_SWAPPED);
  for (guint i = 0; i < 4; i++)
    {
      static const char *const keys[] = { "template-depth", "show-parameters", "show-namespaces", "color-by" };
      g_autofree char *signal = g_strconcat ("changed::", keys[i], NULL);

      g_signal_connect_object (cs_settings_get (), signal, G_CALLBACK (on_names_changed), self, G_CONNECT_SWAPPED);
    }
}

static void
set_session (CsView *view, CsSession *session)
{
  static const struct { const char *signal; GCallback callback; } handlers[] = {
    { "notify::timeline", G_CALLBACK (on_recording_changed) },
    { "notify::profile", G_CALLBACK (on_recording_changed) },
    { "notify::state", G_CALLBACK (on_recording_changed) },
    { "notify::function", G_CALLBACK (sync_function) },
    { "notify::filter", G_CALLBACK (sync_filter) },
    { "notify::search", G_CALLBACK (sync_search) },
    { "notify::regex", G_CALLBACK (sync_search) },
    { "notify::call", G_CALLBACK (on_session_call) },
    { "notify::busy", G_CALLBACK (update_actions) },
  };
  CsTimelineView *self = CS_TIMELINE_VIEW (view);

  self->session = g_object_ref (session);
  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    g_signal_connect_object (session, handlers[i].signal, handlers[i].callback, self, G_CONNECT_SWAPPED);
  on_recording_changed (self);
  sync_search (self);
}

static GActionGroup *
get_actions (CsView *view)
{
  return G_ACTION_GROUP (CS_TIMELINE_VIEW (view)->actions);
}

static void
start_search (CsView *view)
{
  CsTimelineView *self = CS_TIMELINE_VIEW (view);

  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

static void
cs_timeline_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "timeline";
  iface->set_session = set_session;
  iface->get_actions = get_actions;
  iface->start_search = start_search;
}

/**
 * cs_timeline_view_clear_call:
 * @self: a view
 *
 * No call is in focus any more.
 */
void
cs_timeline_view_clear_call (CsTimelineView *self)
{
  cs_session_set_call (self->session, NULL);
}

/**
 * cs_timeline_view_set_table_shown:
 * @self: a view
 * @shown: whether the calls in sight are listed in a table instead of the chart
 */
void
cs_timeline_view_set_table_shown (CsTimelineView *self, gboolean shown)
{
  gboolean focused = gtk_widget_get_focus_child (GTK_WIDGET (self->stack)) != NULL;

  if (self->names == NULL || shown == cs_timeline_view_get_table_shown (self))
    return;
  gtk_stack_set_visible_child_name (self->stack, shown ? "table" : "chart");
  if (focused)
    gtk_widget_grab_focus (GTK_WIDGET (self));
  fill_table (self);
  show_status (self);
  update_actions (self);
}

/**
 * cs_timeline_view_get_table_shown:
 * @self: a view
 *
 * Returns: whether the calls in sight are listed in a table
 */
gboolean
cs_timeline_view_get_table_shown (CsTimelineView *self)
{
  return g_str_equal (cs_timeline_view_get_page (self), "table");
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
  show_found (self);
  update_actions (self);
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

/**
 * cs_timeline_view_popup_longer:
 * @self: a view
 *
 * Asks how long calls are to be that are looked for.
 */
void
cs_timeline_view_popup_longer (CsTimelineView *self)
{
  gtk_menu_button_popup (self->longer_button);
  gtk_widget_grab_focus (GTK_WIDGET (self->longer));
}

/**
 * cs_timeline_view_popup_tracks:
 * @self: a view
 *
 * Shows the list of threads.
 */
void
cs_timeline_view_popup_tracks (CsTimelineView *self)
{
  gtk_menu_button_popup (self->tracks_button);
  gtk_widget_grab_focus (GTK_WIDGET (self->track_list));
}

/**
 * cs_timeline_view_get_session:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): what it shows
 */
CsSession *
cs_timeline_view_get_session (CsTimelineView *self)
{
  return self->session;
}

/**
 * cs_timeline_view_get_names:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): what calls and threads are called
 */
CsTimelineNames *
cs_timeline_view_get_names (CsTimelineView *self)
{
  return self->names;
}

/**
 * cs_timeline_view_get_marks:
 * @self: a view
 * @n: (out): how many
 *
 * Returns: (transfer none) (array length=n): where calls weren't recorded
 */
const CsTimelineMark *
cs_timeline_view_get_marks (CsTimelineView *self, guint *n)
{
  *n = self->marks->len;
  return (const CsTimelineMark *) (gconstpointer) self->marks->data;
}

/**
 * cs_timeline_view_get_point:
 * @self: a view
 *
 * Returns: (transfer none): what the menu is about
 */
const CsTimelinePoint *
cs_timeline_view_get_point (CsTimelineView *self)
{
  return &self->point;
}

/**
 * cs_timeline_view_get_chart:
 * @self: a view
 *
 * Returns: (transfer none): its chart
 */
CsTimelineChart *
cs_timeline_view_get_chart (CsTimelineView *self)
{
  return self->chart;
}

/**
 * cs_timeline_view_get_tracks:
 * @self: a view
 *
 * Returns: (transfer none): which threads it shows
 */
CsTimelineTracks *
cs_timeline_view_get_tracks (CsTimelineView *self)
{
  return self->tracks;
}

/**
 * cs_timeline_view_get_details:
 * @self: a view
 *
 * Returns: (transfer none): what tells more of the selected call
 */
CsTimelineDetails *
cs_timeline_view_get_details (CsTimelineView *self)
{
  return self->details;
}

/**
 * cs_timeline_view_get_longer:
 * @self: a view
 *
 * Returns: (transfer none): what finds calls that took long
 */
CsTimelineLonger *
cs_timeline_view_get_longer (CsTimelineView *self)
{
  return self->longer;
}

/**
 * cs_timeline_view_get_table:
 * @self: a view
 *
 * Returns: (transfer none): what lists the calls in sight
 */
CsTimelineTable *
cs_timeline_view_get_table (CsTimelineView *self)
{
  return self->table;
}

/**
 * cs_timeline_view_get_page:
 * @self: a view
 *
 * Returns: what is shown: chart, table or nothing
 */
const char *
cs_timeline_view_get_page (CsTimelineView *self)
{
  const char *page = gtk_stack_get_visible_child_name (self->stack);

  return page != NULL ? page : "chart";
}

/**
 * cs_timeline_view_get_status:
 * @self: a view
 *
 * Returns: what the line below the chart says
 */
const char *
cs_timeline_view_get_status (CsTimelineView *self)
{
  return gtk_label_get_text (self->status);
}

/**
 * cs_timeline_view_get_found:
 * @self: a view
 *
 * Returns: how much the search matches, or what is wrong with it
 */
const char *
cs_timeline_view_get_found (CsTimelineView *self)
{
  return gtk_label_get_text (self->found_label);
}

/**
 * cs_timeline_view_get_busy:
 * @self: a view
 *
 * Returns: whether something is still looked for
 */
gboolean
cs_timeline_view_get_busy (CsTimelineView *self)
{
  return self->counting != NULL || self->finding != NULL || self->listing != NULL;
}
