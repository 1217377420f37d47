/* SPDX-License-Identifier: MIT */
#pragma once

#include "timeline/cs-timeline-focus.h"
#include "timeline/cs-timeline-private.h"
#include "timeline/cs-timeline-track-list.h"

G_BEGIN_DECLS

/* For the files that the view is made of. */
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
  gboolean nearing;           /* it is zoomed to where it can't be seen otherwise */
  gboolean listed_more;       /* the table doesn't have all */
  CsTimelinePoint point;      /* of the menu */
  gboolean syncing;           /* widgets and session are made the same */
};

static inline void
cs_timeline_view_cancel (GCancellable **cancellable)
{
  if (*cancellable != NULL)
    g_cancellable_cancel (*cancellable);
  g_clear_object (cancellable);
}

static inline gboolean
cs_timeline_view_is_current (GCancellable *cancellable, GAsyncResult *result)
{
  return cancellable != NULL && g_task_get_cancellable (G_TASK (result)) == cancellable;
}

static inline CsTimeline *
cs_timeline_view_get_timeline (CsTimelineView *self)
{
  return self->names != NULL ? cs_timeline_names_get_timeline (self->names) : NULL;
}

static inline CsProfile *
cs_timeline_view_get_profile (CsTimelineView *self)
{
  return self->names != NULL ? cs_timeline_names_get_profile (self->names) : NULL;
}

/* cs-timeline-view.c */
void cs_timeline_view_show_busy (CsTimelineView *self);
void cs_timeline_view_update_actions (CsTimelineView *self);

/* cs-timeline-view-bar.c */
void cs_timeline_view_show_status (CsTimelineView *self);
void cs_timeline_view_set_up_focus (CsTimelineView *self);
void cs_timeline_view_return_focus (CsTimelineView *self);

/* cs-timeline-view-calls.c */
void cs_timeline_view_show_details (CsTimelineView *self);
void cs_timeline_view_follow_session_call (CsTimelineView *self);
void cs_timeline_view_follow_chart_call (CsTimelineView *self);
void cs_timeline_view_make_room (CsTimelineView *self);
void cs_timeline_view_fill_table (CsTimelineView *self);
void cs_timeline_view_leave_table (CsTimelineView *self, const CsTimelineCall *call);
void cs_timeline_view_leave_longer (CsTimelineView *self, const CsTimelineCall *call);
void cs_timeline_view_forget_point (CsTimelineView *self);

/* cs-timeline-view-search.c */
void cs_timeline_view_show_found (CsTimelineView *self);
void cs_timeline_view_sync_search (CsTimelineView *self);
void cs_timeline_view_sync_function (CsTimelineView *self);
void cs_timeline_view_sync_filter (CsTimelineView *self);
void cs_timeline_view_tell_window (CsTimelineView *self);
void cs_timeline_view_follow_range (CsTimelineView *self);
void cs_timeline_view_follow_entry (CsTimelineView *self);
void cs_timeline_view_search_next (CsTimelineView *self);
void cs_timeline_view_search_previous (CsTimelineView *self);

G_END_DECLS
