/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "profile/cs-call-place.h"
#include "shared/cs-format.h"
#include "shared/cs-settings.h"
#include "timeline/cs-timeline-view-private.h"

static void cs_timeline_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsTimelineView, cs_timeline_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_timeline_view_init_view))

void
cs_timeline_view_show_busy (CsTimelineView *self)
{
  gtk_spinner_set_spinning (self->spinner, cs_timeline_view_get_busy (self));
}

void
cs_timeline_view_update_actions (CsTimelineView *self)
{
  cs_timeline_actions_update (self, self->actions);
  gtk_widget_set_visible (self->follow_button, self->session != NULL
                                                   && (cs_session_is_reading (self->session)
                                                       || cs_timeline_chart_get_follow (self->chart)));
}

/* Other calls are in sight. */
static void
on_seen (CsTimelineView *self)
{
  cs_timeline_view_show_found (self);
  if (cs_timeline_chart_get_sharp (self->chart))
    cs_timeline_view_show_status (self);
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
  cs_timeline_view_update_actions (self);
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
  CsProfile *profile = cs_timeline_view_get_profile (self);
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (CsTimelineMark));
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  guint n = 0;
  const CsCut *cuts = profile != NULL ? cs_profile_get_cuts (profile, &n) : NULL;

  for (guint i = 0; i < n; i++)
    {
      CsTimelineMark mark = { .track = find_thread (profile, cuts[i].serial), .kind = get_mark_kind (cuts[i].kind) };

      /* A thread without calls has no track; the bar above the view tells of it. */
      if (mark.track == G_MAXUINT)
        continue;
      mark.from = cuts[i].from != G_MININT64 ? cuts[i].from : cs_profile_get_totals (profile)->first;
      mark.to = cuts[i].to != G_MAXINT64 ? cuts[i].to : mark.from;
      g_ptr_array_add (texts, cs_cut_dup_text (&cuts[i]));
      mark.text = g_ptr_array_index (texts, texts->len - 1);
      g_array_append_val (marks, mark);
    }
  cs_timeline_chart_set_marks (self->chart, (const CsTimelineMark *) (gconstpointer) marks->data, marks->len);
}

/* The recording, or more of it. */
static void
on_recording_changed (CsTimelineView *self)
{
  CsTimeline *timeline = cs_session_get_timeline (self->session);
  CsProfile *whole = cs_session_get_whole_profile (self->session);
  CsProfile *profile = timeline == NULL ? NULL : whole != NULL ? whole : cs_session_get_profile (self->session);
  gboolean first = self->names == NULL;

  if (timeline != cs_timeline_view_get_timeline (self) || profile != cs_timeline_view_get_profile (self))
    {
      cs_timeline_view_cancel (&self->finding);
      cs_timeline_view_cancel (&self->listing);
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
      cs_timeline_view_forget_point (self);
      cs_timeline_tracks_set_names (self->tracks, self->names);
      cs_timeline_longer_set_names (self->longer, self->names);
      cs_timeline_table_set_calls (self->table, NULL, NULL);
      show_marks (self);
      cs_timeline_view_sync_filter (self);
      cs_timeline_view_sync_search (self);
      cs_timeline_view_sync_function (self);
      cs_timeline_view_show_details (self);
      show_tracks (self);
      if (first && cs_session_get_call (self->session) != NULL)
        cs_timeline_view_follow_session_call (self);
    }
  show_page (self);
  cs_timeline_view_show_status (self);
  cs_timeline_view_update_actions (self);
}

static void
on_window_changed (CsTimelineView *self)
{
  cs_timeline_view_tell_window (self);
  cs_timeline_view_fill_table (self);
  cs_timeline_view_update_actions (self);
}

static void
on_tracks_changed (CsTimelineView *self)
{
  show_tracks (self);
  cs_timeline_view_fill_table (self);
}

/* Menus */
static void
on_menu_closed_idle (gpointer data)
{
  g_autoptr (CsTimelineView) self = data;

  if (self->actions != NULL && (self->menu == NULL || !gtk_widget_get_visible (self->menu)))
    cs_timeline_view_forget_point (self);
}

static void
on_menu_closed (CsTimelineView *self)
{
  /* What was chosen in it is done first. */
  g_idle_add_once (on_menu_closed_idle, g_object_ref (self));
  cs_timeline_view_return_focus (self);
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
  cs_timeline_view_update_actions (self);
  menu = cs_timeline_make_menu (point);
  if (menu != NULL)
    popup_menu (self, menu, x, y);
}

static void
on_follow (CsTimelineView *self)
{
  cs_timeline_view_update_actions (self);
}

static void
on_names_changed (CsTimelineView *self)
{
  if (self->names != NULL)
    cs_timeline_names_follow_settings (self->names);
  cs_timeline_chart_texts_changed (self->chart);
  cs_timeline_view_show_details (self);
}

static void
cs_timeline_view_dispose (GObject *object)
{
  CsTimelineView *self = CS_TIMELINE_VIEW (object);

  cs_timeline_view_cancel (&self->counting);
  cs_timeline_view_cancel (&self->finding);
  cs_timeline_view_cancel (&self->listing);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->search, cs_timeline_focus_unref);
  g_clear_pointer (&self->highlight, cs_timeline_focus_unref);
  g_clear_pointer (&self->names, cs_timeline_names_unref);
  g_clear_object (&self->tracks);
  g_clear_object (&self->session);
  g_clear_object (&self->actions);

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
  cs_timeline_view_tell_window (CS_TIMELINE_VIEW (widget));
}

static void
cs_timeline_view_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (cs_timeline_view_parent_class)->unmap (widget);
  cs_timeline_view_tell_window (CS_TIMELINE_VIEW (widget));
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
  gtk_widget_class_bind_template_callback (widget_class, cs_timeline_view_follow_entry);
  gtk_widget_class_bind_template_callback (widget_class, cs_timeline_view_search_next);
  gtk_widget_class_bind_template_callback (widget_class, cs_timeline_view_search_previous);
  gtk_widget_class_bind_template_callback (widget_class, cs_timeline_view_leave_table);
  gtk_widget_class_bind_template_callback (widget_class, cs_timeline_view_leave_longer);
  gtk_widget_class_bind_template_callback (widget_class, cs_timeline_view_make_room);
}

static void
follow_chart (CsTimelineView *self)
{
  static const struct { const char *signal; GCallback callback; } handlers[] = {
    { "call-selected", G_CALLBACK (cs_timeline_view_follow_chart_call) },
    { "range-changed", G_CALLBACK (cs_timeline_view_follow_range) },
    { "measure-changed", G_CALLBACK (cs_timeline_view_show_status) },
    { "window-changed", G_CALLBACK (on_window_changed) },
    { "menu-requested", G_CALLBACK (on_menu) },
    { "notify::follow", G_CALLBACK (on_follow) },
    { "notify::measuring", G_CALLBACK (cs_timeline_view_update_actions) },
    { "seen-changed", G_CALLBACK (on_seen) },
    { "notify::sharp", G_CALLBACK (on_seen) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    g_signal_connect_object (self->chart, handlers[i].signal, handlers[i].callback, self, G_CONNECT_SWAPPED);
}

static void
cs_timeline_view_init (CsTimelineView *self)
{
  g_autoptr (GMenuModel) menu = cs_timeline_make_view_menu ();

  self->highlighting = TRUE;
  self->point.process = self->point.track = G_MAXUINT;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->tracks = cs_timeline_tracks_new (self->chart);
  self->actions = cs_timeline_actions_new (self);
  gtk_search_bar_connect_entry (self->search_bar, GTK_EDITABLE (self->search_entry));
  gtk_menu_button_set_menu_model (self->menu_button, menu);
  gtk_widget_add_controller (GTK_WIDGET (self->stack), cs_timeline_make_shortcuts ());
  cs_timeline_track_list_set_tracks (self->track_list, self->tracks);
  follow_chart (self);
  cs_timeline_view_set_up_focus (self);
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
    { "notify::function", G_CALLBACK (cs_timeline_view_sync_function) },
    { "notify::filter", G_CALLBACK (cs_timeline_view_sync_filter) },
    { "notify::search", G_CALLBACK (cs_timeline_view_sync_search) },
    { "notify::regex", G_CALLBACK (cs_timeline_view_sync_search) },
    { "notify::call", G_CALLBACK (cs_timeline_view_follow_session_call) },
    { "notify::busy", G_CALLBACK (cs_timeline_view_update_actions) },
  };
  CsTimelineView *self = CS_TIMELINE_VIEW (view);

  self->session = g_object_ref (session);
  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    g_signal_connect_object (session, handlers[i].signal, handlers[i].callback, self, G_CONNECT_SWAPPED);
  on_recording_changed (self);
  cs_timeline_view_sync_search (self);
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
go_to_match (CsView *view, gboolean backwards)
{
  if (backwards)
    cs_timeline_view_search_previous (CS_TIMELINE_VIEW (view));
  else
    cs_timeline_view_search_next (CS_TIMELINE_VIEW (view));
}

static void
cs_timeline_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "timeline";
  iface->set_session = set_session;
  iface->get_actions = get_actions;
  iface->start_search = start_search;
  iface->go_to_match = go_to_match;
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
