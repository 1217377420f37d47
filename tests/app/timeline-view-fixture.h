/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>
#include "timeline-fixture.h"
#include "timeline/cs-timeline-private.h"
#include "timeline/cs-timeline-save.h"
#include "timeline/cs-timeline-view.h"
#include "window/cs-window.h"

enum { WORK = 0x2000, PART = 0x3000, SLEEP = 0x4000, N_CALLS = 9 };

/* Three threads of a process, known to the ns:
 *   main 0–10,000: WORK nine times, at 1,000 i for 100 (i + 1)
 *   helper: WORK nine times, at 500 + 1,000 i for 50 (i + 1), in each PART from 10 on for 20
 *   sleeper: SLEEP 3,000–8,000 */
static inline void
write_work (Recording *self)
{
  begin_recording (self);
  begin_thread (self, 7, 11);
  enter (self, 0, MAIN);
  for (gint64 i = 0; i < N_CALLS; i++)
    add_call (self, 1000 * i, 1000 * i + 100 * (i + 1), WORK);
  leave (self, 10000, MAIN);
  begin_thread (self, 7, 12);
  for (gint64 i = 0; i < N_CALLS; i++)
    {
      enter (self, 500 + 1000 * i, WORK);
      add_call (self, 510 + 1000 * i, 530 + 1000 * i, PART);
      leave (self, 500 + 1000 * i + 50 * (i + 1), WORK);
    }
  begin_thread (self, 7, 13);
  add_call (self, 3000, 8000, SLEEP);
  end_thread (self);
}

typedef struct
{
  CsWindow *window;
  CsSession *session;
  CsTimelineView *view;
  CsTimelineChart *chart;
  CsTimelineTracks *tracks;
  Recording recording;
} ViewFixture;

/* Until nothing is read, looked for or moves. */
static inline void
wait_until_still (ViewFixture *fixture)
{
  CsTimelineChart *chart = fixture->chart;
  gboolean busy;

  do
    {
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_object_get (fixture->session, "busy", &busy, NULL);
      busy |= cs_timeline_view_get_busy (fixture->view) || cs_timeline_longer_get_busy (cs_timeline_view_get_longer (fixture->view))
              || chart->animating || (gtk_widget_get_mapped (GTK_WIDGET (chart)) && (chart->asking || chart->rows_changed));
      if (busy)
        g_main_context_iteration (NULL, TRUE);
    }
  while (busy || g_main_context_pending (NULL));
}

static inline gboolean
is_reading (ViewFixture *fixture)
{
  CsSessionState state = cs_session_get_state (fixture->session);

  return state != CS_SESSION_READY && state != CS_SESSION_FAILED;
}

/* What is in the folder is read, and the timeline shown. */
static inline void
open_view (ViewFixture *fixture)
{
  g_autoptr (GFile) file = g_file_new_for_path (fixture->recording.path);

  fixture->window = cs_window_new (NULL);
  fixture->session = cs_window_get_session (fixture->window);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1200, 800);
  gtk_window_present (GTK_WINDOW (fixture->window));
  cs_window_open_files (fixture->window, &file, 1);
  while (is_reading (fixture))
    g_main_context_iteration (NULL, TRUE);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.view", "s", "timeline");
  fixture->view = CS_TIMELINE_VIEW (cs_window_get_view (fixture->window, "timeline"));
  fixture->chart = cs_timeline_view_get_chart (fixture->view);
  fixture->tracks = cs_timeline_view_get_tracks (fixture->view);
  while (!gtk_widget_get_mapped (GTK_WIDGET (fixture->view)))
    g_main_context_iteration (NULL, TRUE);
  wait_until_still (fixture);
}

static inline void
open_work (ViewFixture *fixture)
{
  write_work (&fixture->recording);
  open_view (fixture);
}

static inline void
close_view (ViewFixture *fixture)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  remove_folder (fixture->recording.path);
  g_free (fixture->recording.path);
}

static inline gboolean
is_enabled (ViewFixture *fixture, const char *name)
{
  return g_action_group_get_action_enabled (cs_view_get_actions (CS_VIEW (fixture->view)), name);
}

static inline void
act (ViewFixture *fixture, const char *name)
{
  g_autofree char *full = g_strconcat ("timeline.", name, NULL);

  g_assert_true (is_enabled (fixture, name));
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (fixture->window), full, NULL));
  wait_until_still (fixture);
}

/* Sends one to a call as other views do. */
static inline void
send_to (ViewFixture *fixture, guint tid, guint64 address, gint64 start, gint64 end)
{
  const CsSessionCall call = { .tid = tid, .start = T0 + start, .end = T0 + end, .address = address,
                               .depth = G_MAXUINT32 };

  cs_session_set_call (fixture->session, &call);
  wait_until_still (fixture);
}

static inline void
assert_selected (ViewFixture *fixture, guint tid, guint64 address, gint64 start)
{
  const CsTimelineCall *call = cs_timeline_chart_get_call (fixture->chart);

  g_assert_nonnull (call);
  g_assert_cmpuint (cs_timeline_get_track_info (cs_session_get_timeline (fixture->session), call->track)->tid, ==, tid);
  g_assert_cmphex (call->span.address, ==, address);
  g_assert_cmpint (call->span.start, ==, T0 + start);
}

static inline guint
find_track (ViewFixture *fixture, guint tid)
{
  CsTimeline *timeline = cs_session_get_timeline (fixture->session);

  for (guint i = 0; i < cs_timeline_get_n_tracks (timeline); i++)
    if (cs_timeline_get_track_info (timeline, i)->tid == tid)
      return i;
  g_assert_not_reached ();
}

/* The threads from the top. */
static inline char *
dup_shown (ViewFixture *fixture)
{
  CsTimeline *timeline = cs_session_get_timeline (fixture->session);
  GString *text = g_string_new (NULL);
  guint n;
  g_autofree guint *order = cs_timeline_chart_dup_order (fixture->chart, &n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? " " : "", cs_timeline_get_track_info (timeline, order[i])->tid);
  return g_string_free (text, FALSE);
}

static inline void
assert_shown (ViewFixture *fixture, const char *expected)
{
  g_autofree char *shown = NULL;

  wait_until_still (fixture);
  shown = dup_shown (fixture);
  g_assert_cmpstr (shown, ==, expected);
}

static inline void
assert_text_has (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("“%s” doesn’t have “%s”", text, part);
}
