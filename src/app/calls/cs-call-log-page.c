/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "calls/cs-call-log-cells.h"
#include "calls/cs-call-log-page-private.h"
#include "profile/cs-pass-filter.h"
#include "shared/cs-format.h"

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsCallLogPage, cs_call_log_page, ADW_TYPE_BIN)

static void
tell_changed (CsCallLogPage *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Whether the thread has nothing to show, and why. */
static void
show_state (CsCallLogPage *self)
{
  CsCallLogRow first;
  gboolean empty = cs_call_log_model_get_n (self->model) == 0;
  g_autofree char *n = cs_format_count (cs_call_log_model_get_n (self->model));

  cs_call_log_model_get_row (self->model, 0, &first);
  gtk_spinner_set_spinning (self->spinner, cs_call_log_model_get_busy (self->model));
  gtk_stack_set_visible_child_name (self->stack, self->track == G_MAXUINT || empty ? "nothing" : "table");
  if (self->track == G_MAXUINT)
    {
      adw_status_page_set_title (self->nothing, _("No Threads"));
      adw_status_page_set_description (self->nothing, _("What is shown of the recording holds no calls. Remove a filter to see more."));
    }
  else if (empty)
    {
      adw_status_page_set_title (self->nothing, _("No Calls"));
      adw_status_page_set_description (self->nothing,
                                       self->t0 != G_MININT64 || self->t1 != G_MAXINT64
                                         ? _("The thread made no calls in the selected range. Remove the range to see more.")
                                         : _("The thread made no calls that were recorded."));
    }
  g_object_set (self->status, "label", "", NULL);
  if (!empty)
    {
      g_autofree char *text = g_strdup_printf (ngettext ("%s row", "%s rows", cs_call_log_model_get_n (self->model)), n);

      gtk_label_set_text (self->status, text);
    }
}

static void
reveal_wanted (CsCallLogPage *self)
{
  if (!self->wants || self->stale || cs_call_log_model_get_source (self->model) == NULL)
    return;
  self->wants = FALSE;
  cs_call_log_model_reveal (self->model, &self->wanted, self->folds);
  self->telling = !self->quiet;
  self->quiet = FALSE;
}

/* Has the model show the thread. */
static void
show_track (CsCallLogPage *self)
{
  CsTimeline *timeline = self->timeline;
  CsCallLogSource source = { timeline, 0, self->t0, self->t1 };

  self->track = source.track = cs_thread_picker_get_track (self->picker);
  g_clear_pointer (&self->match, cs_call_match_free);
  if (timeline == NULL || self->track == G_MAXUINT)
    cs_call_log_model_set_source (self->model, NULL);
  else
    {
      const char *search = cs_session_get_search (self->session);

      self->process = cs_timeline_get_track_info (timeline, self->track)->process;
      if (*search != '\0')
        self->match = cs_call_match_new (self->profile, self->process, search, cs_session_get_regex (self->session), NULL);
      cs_call_log_model_set_source (self->model, &source);
    }
  show_state (self);
  tell_changed (self);
}

/* What was selected is to be shown of what comes, too. */
static void
want_current (CsCallLogPage *self, CsTimeline *timeline)
{
  CsCallLogRow row;
  guint position = cs_place_table_get_current (self->table);

  if (self->wants || position == GTK_INVALID_LIST_POSITION || !cs_call_log_page_is_call (self, position))
    return;
  cs_call_log_model_get_row (self->model, position, &row);
  self->wanted = (CsTimelineSpan){ .start = row.entry->start, .address = row.entry->address, .depth = row.entry->depth,
                                   .position = timeline == self->timeline ? row.entry->position : G_MAXUINT64 };
  self->wants = self->quiet = TRUE;
  self->folds = row.entry->n > 1;
}

/* Another recording, or another part of it. */
static void
update (CsCallLogPage *self)
{
  CsTimeline *timeline = cs_session_get_timeline (self->session);
  CsProfile *profile = cs_session_get_profile (self->session), *whole = cs_session_get_whole_profile (self->session);
  CsPassFilter *filter = profile != NULL ? cs_profile_get_pass_filter (profile) : NULL;

  self->stale = FALSE;
  if (self->recording == cs_session_get_recording (self->session))
    want_current (self, timeline);
  g_clear_pointer (&self->match, cs_call_match_free);
  g_set_object (&self->recording, cs_session_get_recording (self->session));
  g_set_object (&self->profile, (whole != NULL ? whole : profile));
  self->origin = cs_session_get_start (self->session);
  self->t0 = filter != NULL ? filter->from : G_MININT64;
  self->t1 = filter != NULL ? filter->to : G_MAXINT64;
  cs_thread_picker_set_timeline (self->picker, timeline, filter);
  if (timeline != NULL)
    cs_timeline_ref (timeline);
  g_clear_pointer (&self->timeline, cs_timeline_unref);
  self->timeline = timeline;
  show_track (self);
  if (self->wanted_track == G_MAXUINT)
    reveal_wanted (self);
}

static void
update_soon (CsCallLogPage *self)
{
  CsProfile *profile = cs_session_get_profile (self->session);

  /* While a recording is read what is shown of it stays as it is. */
  if (profile != NULL && self->timeline != NULL && cs_session_is_reading (self->session)
      && self->recording == cs_session_get_recording (self->session))
    return;
  self->stale = TRUE;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)) || profile == NULL)
    update (self);
}

/* The track that a session's call is on. */
static guint
find_track (CsTimeline *timeline, const CsSessionCall *call)
{
  guint found = G_MAXUINT;

  for (guint i = 0; i < cs_timeline_get_n_tracks (timeline); i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (timeline, i);

      if (info->process != call->process || info->tid != call->tid)
        continue;
      if (info->seq == call->seq)
        return i;
      found = found == G_MAXUINT ? i : found;
    }
  return found;
}

/* Shows the call that is wanted, on its thread. */
static void
go_to_wanted (CsCallLogPage *self)
{
  if (self->stale)
    update (self);
  if (self->wants && self->wanted_track != G_MAXUINT)
    cs_call_log_page_set_track (self, self->wanted_track);
  self->wanted_track = G_MAXUINT;
  reveal_wanted (self);
}

static void
show_call (CsCallLogPage *self)
{
  const CsSessionCall *call = cs_session_get_call (self->session);
  CsTimeline *timeline = cs_session_get_timeline (self->session);
  guint track;

  if (self->setting || call == NULL || timeline == NULL)
    return;
  if (self->timeline != timeline)
    self->stale = TRUE;
  track = find_track (timeline, call);
  if (track == G_MAXUINT)
    return;
  self->wanted = (CsTimelineSpan){ .start = call->start, .end = call->end, .address = call->address, .depth = call->depth,
                                   .position = call->position != 0 && call->depth != G_MAXUINT32 ? call->position
                                                                                                 : G_MAXUINT64 };
  self->wanted_track = track;
  self->wants = TRUE;
  self->quiet = self->folds = FALSE;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    go_to_wanted (self);
}

static void
on_search_changed (CsCallLogPage *self)
{
  const char *search = cs_session_get_search (self->session);

  g_clear_pointer (&self->match, cs_call_match_free);
  if (*search != '\0' && self->track != G_MAXUINT && self->profile != NULL)
    self->match = cs_call_match_new (self->profile, self->process, search, cs_session_get_regex (self->session), NULL);
  cs_place_table_retell (self->table);
  tell_changed (self);
}

static void
on_changing (CsCallLogPage *self)
{
  g_autoptr (GtkBitset) selected = cs_place_table_dup_selected (self->table);

  cs_call_log_model_keep (self->model, selected);
}

/* What is selected stays so, wherever it goes. */
static void
on_rows_changed (CsCallLogPage *self)
{
  g_autoptr (GtkBitset) kept = cs_call_log_model_dup_kept (self->model);
  g_autoptr (GtkBitset) selected = cs_place_table_dup_selected (self->table);

  if (!gtk_bitset_equals (kept, selected))
    cs_place_table_set_selected (self->table, kept);
  show_state (self);
  tell_changed (self);
}

static void
on_revealed (CsCallLogPage *self, guint position)
{
  cs_place_table_select (self->table, position);
  tell_changed (self);
}

static void
on_missed (CsCallLogPage *self, const char *text)
{
  if (text != NULL && self->telling)
    cs_session_tell (self->session, text);
  else if (text == NULL)
    cs_session_tell (self->session, _("No further call of what is searched for in this thread."));
}

static void
on_activated (CsCallLogPage *self, guint position)
{
  CsCallLogRow row;

  cs_call_log_model_get_row (self->model, position, &row);
  if (row.kind == CS_CALL_LOG_ROW_REST)
    cs_call_log_model_load (self->model, position);
  else
    cs_call_log_page_show_in_timeline (self, position);
}

/* Keys that fold and unfold: the list has other uses for them. */
static gboolean
on_key (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, gpointer data)
{
  CsCallLogPage *self = data;
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  gboolean right = key == GDK_KEY_Right || key == GDK_KEY_KP_Right, left = key == GDK_KEY_Left || key == GDK_KEY_KP_Left;

  state &= gtk_accelerator_get_default_mod_mask ();
  if ((right || left) && mirrored)
    {
      right = !right;
      left = !left;
    }
  if (right && state == GDK_SHIFT_MASK)
    cs_call_log_page_expand_below (self);
  else if ((right || left) && state == 0)
    cs_call_log_page_fold (self, right);
  else if (key == GDK_KEY_BackSpace && state == 0)
    cs_call_log_page_select_parent (self);
  else
    return FALSE;
  return TRUE;
}

static void
cs_call_log_page_dispose (GObject *object)
{
  CsCallLogPage *self = CS_CALL_LOG_PAGE (object);

  if (self->table != NULL)
    cs_place_table_forget_owner (self->table);
  self->table = NULL;
  g_clear_object (&self->model);
  g_clear_object (&self->session);
  g_clear_object (&self->profile);
  g_clear_object (&self->recording);
  g_clear_pointer (&self->timeline, cs_timeline_unref);
  g_clear_pointer (&self->match, cs_call_match_free);

  G_OBJECT_CLASS (cs_call_log_page_parent_class)->dispose (object);
}

static void
cs_call_log_page_map (GtkWidget *widget)
{
  CsCallLogPage *self = CS_CALL_LOG_PAGE (widget);

  GTK_WIDGET_CLASS (cs_call_log_page_parent_class)->map (widget);
  if (self->session != NULL)
    go_to_wanted (self);
}

static gboolean
cs_call_log_page_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (CS_CALL_LOG_PAGE (widget)->table));
}

static void
cs_call_log_page_class_init (CsCallLogPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_call_log_page_dispose;
  widget_class->map = cs_call_log_page_map;
  widget_class->grab_focus = cs_call_log_page_grab_focus;
  g_type_ensure (CS_TYPE_THREAD_PICKER);
  signals[CHANGED] = g_signal_new ("changed", CS_TYPE_CALL_LOG_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/calls/cs-call-log-page.ui");
  gtk_widget_class_bind_template_child (widget_class, CsCallLogPage, stack);
  gtk_widget_class_bind_template_child (widget_class, CsCallLogPage, picker);
  gtk_widget_class_bind_template_child (widget_class, CsCallLogPage, nothing);
  gtk_widget_class_bind_template_child (widget_class, CsCallLogPage, status);
  gtk_widget_class_bind_template_child (widget_class, CsCallLogPage, spinner);
}

static void
cs_call_log_page_init (CsCallLogPage *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->track = self->wanted_track = G_MAXUINT;
  self->t0 = G_MININT64;
  self->t1 = G_MAXINT64;
  self->model = cs_call_log_model_new ();
  self->table = cs_place_table_new (cs_call_log_model_get_places (self->model), _("Calls of the thread"), cs_call_log_columns,
                                   CS_CALL_LOG_N_COLUMNS, &cs_call_log_page_source, self);
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->table), "table");
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (cs_place_table_get_view (self->table)), keys);
  g_signal_connect_object (self->picker, "changed", G_CALLBACK (show_track), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "activated", G_CALLBACK (on_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "selection-changed", G_CALLBACK (tell_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "changing", G_CALLBACK (on_changing), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "changed", G_CALLBACK (on_rows_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "revealed", G_CALLBACK (on_revealed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "missed", G_CALLBACK (on_missed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "notify::busy", G_CALLBACK (show_state), self, G_CONNECT_SWAPPED);
  show_state (self);
}

/**
 * cs_call_log_page_set_session:
 * @self: a page
 * @session: whose recording to show
 */
void
cs_call_log_page_set_session (CsCallLogPage *self, CsSession *session)
{
  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::profile", G_CALLBACK (update_soon), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::call", G_CALLBACK (show_call), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::search", G_CALLBACK (on_search_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::regex", G_CALLBACK (on_search_changed), self, G_CONNECT_SWAPPED);
  update_soon (self);
  show_call (self);
}

/**
 * cs_call_log_page_get_model:
 * @self: a page
 *
 * Returns: (transfer none): its rows
 */
CsCallLogModel *
cs_call_log_page_get_model (CsCallLogPage *self)
{
  return self->model;
}

/**
 * cs_call_log_page_get_table:
 * @self: a page
 *
 * Returns: (transfer none): its table
 */
CsPlaceTable *
cs_call_log_page_get_table (CsCallLogPage *self)
{
  return self->table;
}

/**
 * cs_call_log_page_get_picker:
 * @self: a page
 *
 * Returns: (transfer none): where threads are chosen
 */
CsThreadPicker *
cs_call_log_page_get_picker (CsCallLogPage *self)
{
  return self->picker;
}

/**
 * cs_call_log_page_get_track:
 * @self: a page
 *
 * Returns: number of the track that is shown; G_MAXUINT: none
 */
guint
cs_call_log_page_get_track (CsCallLogPage *self)
{
  return self->track;
}

/**
 * cs_call_log_page_set_track:
 * @self: a page
 * @track: number of a track that the filter lets through
 *
 * Shows it.
 */
void
cs_call_log_page_set_track (CsCallLogPage *self, guint track)
{
  if (cs_thread_picker_set_track (self->picker, track))
    return;
  self->wants = FALSE;
  cs_session_tell (self->session, _("The call’s thread is filtered out. Remove the filter to see it."));
}

/**
 * cs_call_log_page_is_call:
 * @self: a page
 * @position: of a row
 *
 * Returns: whether calls are there
 */
gboolean
cs_call_log_page_is_call (CsCallLogPage *self, guint position)
{
  CsCallLogRow row;

  cs_call_log_model_get_row (self->model, position, &row);
  return row.kind == CS_CALL_LOG_ROW_LINE && row.entry->kind == CS_CALL_LOG_CALLS;
}

/**
 * cs_call_log_page_get_function:
 * @self: a page
 * @position: of a row
 *
 * Returns: index of its function in the session's profile; G_MAXUINT: it has none
 */
guint
cs_call_log_page_get_function (CsCallLogPage *self, guint position)
{
  CsProfile *profile = self->session != NULL ? cs_session_get_profile (self->session) : NULL;
  CsCallLogRow row;

  cs_call_log_model_get_row (self->model, position, &row);
  if (profile == NULL || row.kind != CS_CALL_LOG_ROW_LINE || row.entry->kind != CS_CALL_LOG_CALLS)
    return G_MAXUINT;
  return cs_profile_find_function (profile, self->process, row.entry->address, row.entry->ts);
}

/**
 * cs_call_log_page_show_in_timeline:
 * @self: a page
 * @position: of a row
 *
 * Shows its call there, or the first one of several.
 */
void
cs_call_log_page_show_in_timeline (CsCallLogPage *self, guint position)
{
  const CsTimelineTrackInfo *info;
  CsCallLogRow row;

  if (!cs_call_log_page_is_call (self, position))
    return;
  cs_call_log_model_get_row (self->model, position, &row);
  info = cs_timeline_get_track_info (self->timeline, self->track);
  {
    const CsSessionCall call = { .process = info->process, .tid = info->tid, .seq = info->seq, .start = row.entry->start,
                                 .end = row.entry->end, .address = row.entry->address, .position = row.entry->position,
                                 .depth = row.entry->depth };

    self->setting = TRUE;
    cs_session_set_call (self->session, &call);
    self->setting = FALSE;
  }
  cs_session_show_view (self->session, "timeline");
}

/**
 * cs_call_log_page_fold:
 * @self: a page
 * @expand: whether to open the current row; otherwise it is closed
 *
 * A row that is that already leads to its first row, or to the one that it stands in.
 */
void
cs_call_log_page_fold (CsCallLogPage *self, gboolean expand)
{
  guint position = cs_place_table_get_current (self->table);
  CsCallLogRow row;

  if (position == GTK_INVALID_LIST_POSITION)
    return;
  cs_call_log_model_get_row (self->model, position, &row);
  if (row.kind == CS_CALL_LOG_ROW_REST && expand)
    cs_call_log_model_load (self->model, position);
  else if (cs_call_log_model_set_expanded (self->model, position, expand))
    return;
  else if (!expand)
    cs_call_log_page_select_parent (self);
  else if (row.expanded)
    cs_place_table_select (self->table, position + 1);
}

/**
 * cs_call_log_page_expand_below:
 * @self: a page
 *
 * Opens the current row and all in it, up to some number of rows.
 */
void
cs_call_log_page_expand_below (CsCallLogPage *self)
{
  cs_call_log_model_expand_below (self->model, cs_place_table_get_current (self->table));
}

/**
 * cs_call_log_page_select_parent:
 * @self: a page
 *
 * Goes to the row that the current one stands in.
 */
void
cs_call_log_page_select_parent (CsCallLogPage *self)
{
  guint parent = cs_call_log_model_get_parent (self->model, cs_place_table_get_current (self->table));

  if (parent != G_MAXUINT)
    cs_place_table_select (self->table, parent);
}

/**
 * cs_call_log_page_find:
 * @self: a page
 * @backwards: whether the call before the current one is wanted
 *
 * Goes to the next call of a function that the session's search finds.
 */
void
cs_call_log_page_find (CsCallLogPage *self, gboolean backwards)
{
  guint position = cs_place_table_get_current (self->table), function;
  const char *search = self->session != NULL ? cs_session_get_search (self->session) : "";
  CsCallMatch *match;
  CsCallLogRow row;

  if (*search == '\0' || self->profile == NULL || self->track == G_MAXUINT)
    return;
  match = cs_call_match_new (self->profile, self->process, search, cs_session_get_regex (self->session), NULL);
  if (match == NULL)
    return;
  cs_call_log_model_get_row (self->model, position, &row);
  cs_call_log_page_get_row_function (self, &row, &function);
  cs_call_log_model_find (self->model, position != GTK_INVALID_LIST_POSITION ? position : G_MAXUINT,
                     cs_call_match_function (match, function) && !row.expanded, backwards, cs_call_match_call, match,
                     (GDestroyNotify) cs_call_match_free);
}

