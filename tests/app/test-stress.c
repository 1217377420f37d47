/* SPDX-License-Identifier: MIT */
/* Opens, filters, closes and reopens recordings while results of what came before are still under way. Whatever
 * arrives late: what is shown is of the recording that is open, and in the end it is what was asked for last. */
#include "config.h"

#include "flame/cs-flame-view.h"
#include "tables/cs-hotspots-view.h"
#include "test-display.h"
#include "test-recording.h"
#include "timeline/cs-timeline-view.h"
#include "window/cs-window.h"

#define N_STEPS 300
#define N_RECORDINGS 3

static const char *const views[] = { "hotspots", "flame-graph", "timeline", "calls", "compare" };

typedef struct
{
  CsWindow *window;
  CsSession *session;
  char *folders[N_RECORDINGS];
  guint open; /* which was asked for last; G_MAXUINT: none */
  GRand *rand;
} Fixture;

/* Calls of functions that no other recording has: three deep, the first one `n' times. */
static char *
write_recording (guint which, guint n)
{
  GByteArray *recording = test_recording_new ();
  guint64 ts = 100;

  for (guint i = 0; i < n; i++)
    for (guint kind = 0; kind < 2; kind++)
      for (guint depth = 0; depth < 3; depth++)
        test_recording_add (recording, ts += 3 + which, (which + 1) * 0x10000 + (kind == 0 ? depth : 2 - depth) * 0x100,
                            (guint8) kind);
  return test_recording_write (recording);
}

static void
set_up (Fixture *self)
{
  static const guint sizes[N_RECORDINGS] = { 3000, 100000, 20 };

  for (guint i = 0; i < N_RECORDINGS; i++)
    self->folders[i] = write_recording (i, sizes[i]);
  self->rand = g_rand_new_with_seed (7);
  self->window = cs_window_new (NULL);
  self->session = g_object_ref (cs_window_get_session (self->window));
  self->open = G_MAXUINT;
  gtk_window_present (GTK_WINDOW (self->window));
}

static void
tear_down (Fixture *self)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (self->session);
  for (guint i = 0; i < N_RECORDINGS; i++)
    {
      test_recording_remove (self->folders[i]);
      g_free (self->folders[i]);
    }
  g_rand_free (self->rand);
}

static guint
pick (Fixture *self, guint n)
{
  return (guint) g_rand_int_range (self->rand, 0, (gint32) n);
}

/* All functions of a profile are the open recording's. */
static void
check_profile (Fixture *self, CsProfile *profile)
{
  const CsFunction *functions;
  guint n;

  g_assert_cmpuint (self->open, <, N_RECORDINGS);
  functions = cs_profile_get_functions (profile, &n);
  for (guint i = 0; i < n; i++)
    g_assert_cmphex (functions[i].location.address >> 16, ==, self->open + 1);
}

/* What views show is of the recording that was opened last, or nothing. */
static void
check_shown (Fixture *self)
{
  CsFlameView *flame = CS_FLAME_VIEW (cs_window_get_view (self->window, "flame-graph"));
  CsTimelineView *timeline = CS_TIMELINE_VIEW (cs_window_get_view (self->window, "timeline"));
  CsFlamePicture *picture = cs_flame_view_get_picture (flame);
  CsTimeline *index = cs_timeline_chart_get_timeline (cs_timeline_view_get_chart (timeline));

  if (cs_session_get_profile (self->session) != NULL)
    check_profile (self, cs_session_get_profile (self->session));
  if (picture != NULL && cs_session_get_profile (self->session) != NULL)
    check_profile (self, cs_flame_picture_get_profile (picture));
  if (cs_session_get_profile (self->session) == NULL)
    g_assert_null (index);
  if (index != NULL)
    g_assert_true (index == cs_session_get_timeline (self->session));
}

static void
iterate (Fixture *self, guint ms)
{
  gint64 end = g_get_monotonic_time () + ms * 1000;

  do
    {
      while (g_main_context_iteration (NULL, FALSE))
        ;
      check_shown (self);
      if (ms > 0)
        g_usleep (500);
    }
  while (g_get_monotonic_time () < end);
}

static void
open_one (Fixture *self)
{
  const char *paths[] = { NULL, NULL };

  self->open = pick (self, N_RECORDINGS);
  paths[0] = self->folders[self->open];
  cs_session_open_recording (self->session, paths);
}

static void
change_focus (Fixture *self)
{
  CsProfile *profile = cs_session_get_profile (self->session);
  guint path[2], n;

  if (profile == NULL)
    return;
  cs_profile_get_functions (profile, &n);
  if (n < 2)
    return;
  path[0] = pick (self, n);
  path[1] = pick (self, n);
  switch (pick (self, 4))
    {
    case 0:
      cs_session_set_function (self->session, path[0]);
      break;
    case 1:
      cs_session_set_path (self->session, path, 1 + pick (self, 2));
      break;
    case 2:
      cs_session_set_mark (self->session, path[0], FALSE, pick (self, 4));
      break;
    default:
      cs_session_clear_marks (self->session);
      break;
    }
}

static void
change_filter (Fixture *self)
{
  CsProfileFilter filter = { .relative = TRUE };

  if (pick (self, 4) > 0)
    {
      filter.has_from = filter.has_to = TRUE;
      filter.from = pick (self, 20000);
      filter.to = filter.from + 1 + pick (self, 20000);
    }
  else if (pick (self, 2) > 0)
    filter.thread = (char *) "7";
  cs_session_set_filter (self->session, &filter);
}

static void
take_step (Fixture *self)
{
  switch (pick (self, 12))
    {
    case 0:
    case 1:
      open_one (self);
      break;
    case 2:
      self->open = G_MAXUINT;
      cs_session_close_recording (self->session);
      break;
    case 3:
      if (self->open != G_MAXUINT)
        cs_session_reload (self->session);
      break;
    case 4:
    case 5:
    case 6:
      change_filter (self);
      break;
    case 7:
      cs_session_set_search (self->session, pick (self, 2) > 0 ? "0x1" : "", pick (self, 2) > 0);
      break;
    case 8:
      if (pick (self, 2) > 0)
        cs_session_back (self->session);
      else
        cs_session_forward (self->session);
      break;
    case 9:
      change_focus (self);
      break;
    default:
      cs_session_show_view (self->session, views[pick (self, G_N_ELEMENTS (views))]);
      break;
    }
}

static gboolean
is_waiting (Fixture *self)
{
  gboolean busy;

  g_object_get (self->session, "busy", &busy, NULL);
  return busy || cs_session_get_state (self->session) == CS_SESSION_READING
         || cs_flame_view_get_busy (CS_FLAME_VIEW (cs_window_get_view (self->window, "flame-graph")));
}

/* In the end each view has what was asked for last. */
static void
check_end (Fixture *self)
{
  CsFlameView *flame = CS_FLAME_VIEW (cs_window_get_view (self->window, "flame-graph"));
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  CsProfile *profile;

  cs_session_clear_marks (self->session);
  cs_session_show_view (self->session, "flame-graph");
  do
    {
      iterate (self, 20);
      g_assert_cmpint (g_get_monotonic_time (), <, end);
    }
  while (is_waiting (self));
  iterate (self, 50);
  profile = cs_session_get_profile (self->session);
  g_assert_nonnull (profile);
  check_profile (self, profile);
  if (cs_profile_get_totals (profile)->self > 0)
    {
      g_assert_true (cs_flame_picture_get_profile (cs_flame_view_get_picture (flame)) == profile);
      g_assert_cmpuint (cs_flame_layout_get_total (cs_flame_chart_get_layout (cs_flame_view_get_chart (flame))), ==,
                        cs_profile_get_totals (profile)->self);
    }
}

static void
test_under_way (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;

  set_up (&fixture);
  for (guint i = 0; i < N_STEPS; i++)
    {
      take_step (&fixture);
      /* Often the next step comes before the loop could do anything. */
      if (pick (&fixture, 3) > 0)
        iterate (&fixture, pick (&fixture, 3) > 0 ? pick (&fixture, 6) : pick (&fixture, 60));
    }
  open_one (&fixture);
  check_end (&fixture);
  tear_down (&fixture);
}

/* A window that goes while everything is being read leaves nothing behind that comes to it. */
static void
test_closed (void)
{
  SKIP_WITHOUT_DISPLAY ();

  for (guint i = 0; i < 5; i++)
    {
      Fixture fixture;

      set_up (&fixture);
      cs_session_show_view (fixture.session, views[i]);
      open_one (&fixture);
      iterate (&fixture, 4 * i);
      tear_down (&fixture);
    }
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/stress/under-way", test_under_way);
  g_test_add_func ("/app/stress/closed", test_closed);
  return g_test_run ();
}
