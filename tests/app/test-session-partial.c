/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <unistd.h>

#include "session/cs-session-private.h"
#include "test-recording.h"

/* A session while its recording is being read, and while it is being written. */

#define N_CALLS 400000u

/* `main' (0x1000) calls `leaf' (0x2000) n times. */
static char *
write_recording (guint n)
{
  GByteArray *recording = test_recording_new ();

  test_recording_add (recording, 0, 0x1000, TRACE_KIND_ENTER);
  for (guint i = 0; i < 2 * n; i++)
    test_recording_add (recording, 10 * (i / 2) + (i % 2 ? 3 : 0), 0x2000, i % 2);
  test_recording_add (recording, 10 * n, 0x1000, TRACE_KIND_EXIT);
  return test_recording_write (recording);
}

static CsSession *
session_new (void)
{
  CsSession *session = cs_session_new ();

  session->partial_us = 1;
  session->least_look_us = 20000;
  return session;
}

static void
open_folder (CsSession *session, const char *folder)
{
  cs_session_open_recording (session, (const char *const[]){ folder, NULL });
}

/* Iterates until there is a part of the recording, or all. Returns whether it is a part that is being read. */
static gboolean
wait_for_part (CsSession *session)
{
  while (cs_session_get_state (session) < CS_SESSION_PARTIAL)
    g_main_context_iteration (NULL, TRUE);
  return cs_session_get_state (session) == CS_SESSION_PARTIAL && cs_session_is_reading (session);
}

/* Opens the recording until there is a part of it to see: how fast it is read is the machine's matter. */
static void
open_part (CsSession *session, const char *folder)
{
  guint i = 0;

  do
    {
      g_assert_cmpuint (i++, <, 200);
      open_folder (session, folder);
    }
  while (!wait_for_part (session));
}

static void
wait (CsSession *session)
{
  gboolean busy;

  do
    {
      g_object_get (session, "busy", &busy, NULL);
      if (busy)
        g_main_context_iteration (NULL, TRUE);
    }
  while (busy);
}

static guint
find (CsSession *session, guint64 address)
{
  return cs_session_find_function (cs_session_get_profile (session), NULL, address);
}

static guint64
count_calls (CsSession *session, guint64 address)
{
  guint n;
  const CsFunction *functions = cs_profile_get_functions (cs_session_get_profile (session), &n);
  guint i = find (session, address);

  return i < n ? functions[i].calls : 0;
}

static void
on_profile (CsSession *session, GParamSpec *pspec, gpointer user_data)
{
  CsProfile *profile = cs_session_get_profile (session);
  double *done = user_data;

  if (profile == NULL)
    {
      *done = 0;
      return;
    }
  g_assert_cmpfloat (cs_profile_get_done (profile), >=, *done);
  *done = cs_profile_get_done (profile);
}

static void
test_part (void)
{
  g_autofree char *folder = write_recording (N_CALLS);
  CsSession *session = session_new ();
  double done = 0;

  g_signal_connect (session, "notify::profile", G_CALLBACK (on_profile), &done);
  open_part (session, folder);
  g_assert_null (cs_session_get_whole_profile (session));
  g_assert_true (cs_profile_is_partial (cs_session_get_profile (session)));
  g_assert_nonnull (cs_session_get_timeline (session));
  g_assert_cmpuint (count_calls (session, 0x2000), <, N_CALLS);
  /* What is in focus stays, and the filter waits. */
  cs_session_set_function (session, find (session, 0x2000));
  cs_session_set_range (session, TRUE, 0, 1000);
  g_assert_null (cs_session_get_whole_profile (session));
  wait (session);
  g_assert_cmpint (cs_session_get_state (session), ==, CS_SESSION_READY);
  g_assert_cmpfloat (cs_session_get_progress (session), >=, 1);
  g_assert_false (cs_profile_is_partial (cs_session_get_whole_profile (session)));
  g_assert_cmpuint (count_calls (session, 0x2000), ==, 100);
  g_assert_cmpuint (cs_session_get_function (session), ==, find (session, 0x2000));
  cs_session_set_range (session, FALSE, 0, 0);
  wait (session);
  g_assert_cmpuint (count_calls (session, 0x2000), ==, N_CALLS);
  g_object_unref (session);
  test_recording_remove (folder);
}

static void
on_message (CsSession *session, const char *text, const char *label, const char *action, GString *messages)
{
  g_string_append_printf (messages, "%s\n", text);
}

static void
test_stopped (void)
{
  g_autofree char *folder = write_recording (N_CALLS);
  CsSession *session = session_new ();
  g_autoptr (GString) messages = g_string_new (NULL);
  CsProfile *profile;

  g_signal_connect (session, "message", G_CALLBACK (on_message), messages);
  do
    {
      open_part (session, folder);
      cs_session_cancel_reading (session);
      while (cs_session_is_reading (session))
        g_main_context_iteration (NULL, TRUE);
    }
  while (cs_session_get_state (session) == CS_SESSION_READY);
  g_assert_cmpint (cs_session_get_state (session), ==, CS_SESSION_PARTIAL);
  profile = cs_session_get_profile (session);
  g_assert_true (cs_profile_is_partial (profile));
  g_assert_true (g_str_has_prefix (cs_profile_get_notices (profile)[0], "only "));
  g_assert_nonnull (strstr (messages->str, "stopped"));
  g_assert_nonnull (cs_session_get_timeline (session));
  /* A filter would need what isn't there. */
  cs_session_set_range (session, TRUE, 0, 1000);
  g_assert_true (cs_profile_filter_is_empty (cs_session_get_filter (session)));
  g_assert_nonnull (strstr (messages->str, "whole recording"));
  cs_session_reload (session);
  g_assert_null (cs_session_get_profile (session));
  wait (session);
  g_assert_cmpint (cs_session_get_state (session), ==, CS_SESSION_READY);
  g_assert_cmpuint (count_calls (session, 0x2000), ==, N_CALLS);
  g_object_unref (session);
  test_recording_remove (folder);
}

/* What is shown is always of the recording that is open. */
static void
check_open (CsSession *session, GParamSpec *pspec, gpointer user_data)
{
  CsProfile *profile = cs_session_get_profile (session);
  CsTimeline *timeline = cs_session_get_timeline (session);
  const char *path = cs_session_get_paths (session) != NULL ? cs_session_get_paths (session)[0] : NULL;
  const CsThreadTrack *track;

  if (profile == NULL)
    return;
  track = g_ptr_array_index (cs_recording_get_tracks (cs_profile_get_recording (profile)), 0);
  g_assert_cmpstr (((const CsEventFile *) g_ptr_array_index (track->files, 0))->folder, ==, path);
  if (timeline != NULL)
    g_assert_true (cs_timeline_get_recording (timeline) == cs_profile_get_recording (profile));
}

static void
test_superseded (void)
{
  g_autofree char *first = write_recording (N_CALLS);
  g_autofree char *second = write_recording (N_CALLS / 4);

  for (guint i = 0; i < 40; i++)
    {
      CsSession *session = session_new ();

      g_signal_connect (session, "notify::profile", G_CALLBACK (check_open), NULL);
      g_signal_connect (session, "notify::timeline", G_CALLBACK (check_open), NULL);
      open_folder (session, first);
      for (guint j = 0; j < i; j++)
        g_main_context_iteration (NULL, FALSE);
      if (i % 3 == 0)
        wait_for_part (session);
      cs_session_set_range (session, TRUE, 0, 500);
      if (i % 2 == 0)
        open_folder (session, second);
      else
        cs_session_close_recording (session);
      if (i % 4 == 0)
        {
          wait (session);
          g_assert_cmpuint (count_calls (session, 0x2000), ==, N_CALLS / 4);
        }
      else if (i % 5 == 0)
        cs_session_close_recording (session);
      g_object_unref (session);
    }
  /* What threads still had to tell is told to nobody. */
  for (guint i = 0; i < 50; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  test_recording_remove (first);
  test_recording_remove (second);
}

/* A stream that is being received. */
typedef struct
{
  char *folder, *path;
  guint n; /* calls that were written */
} Stream;

static void
stream_add (Stream *self, guint n)
{
  g_autoptr (GByteArray) bytes = self->n == 0 ? test_recording_new () : g_byte_array_new ();
  FILE *file = fopen (self->path, "ab");

  for (guint i = 0; i < n; i++, self->n++)
    {
      test_recording_add (bytes, 10 * self->n, 0x2000, TRACE_KIND_ENTER);
      test_recording_add (bytes, 10 * self->n + 3, 0x2000, TRACE_KIND_EXIT);
    }
  g_assert_cmpuint (fwrite (bytes->data, 1, bytes->len, file), ==, bytes->len);
  fclose (file);
  test_stream_set_live (self->path, TRUE);
}

static Stream
stream_new (void)
{
  Stream self = { .folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL) };

  self.path = g_build_filename (self.folder, "trace.stream.dev.0.bin", NULL);
  stream_add (&self, 100);
  return self;
}

static void
stream_remove (Stream *self)
{
  g_unlink (self->path);
  g_rmdir (self->folder);
  g_free (self->path);
  g_free (self->folder);
}

static void
wait_for_calls (CsSession *session, guint64 n)
{
  while (count_calls (session, 0x2000) < n)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (count_calls (session, 0x2000), ==, n);
}

static CsSession *
follow (const Stream *stream, GString *messages)
{
  CsSession *session = session_new ();

  g_signal_connect (session, "message", G_CALLBACK (on_message), messages);
  open_folder (session, stream->folder);
  while (!cs_session_get_growing (session))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (cs_session_get_state (session), ==, CS_SESSION_READY);
  return session;
}

static gboolean
set_true (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
test_growing (void)
{
  Stream stream = stream_new ();
  g_autoptr (GString) messages = g_string_new (NULL);
  CsSession *session = follow (&stream, messages);
  gboolean passed = FALSE;

  for (guint i = 0; i < 5; i++)
    {
      const CsTimelineTrackInfo *info;

      stream_add (&stream, 1000);
      wait_for_calls (session, stream.n);
      info = cs_timeline_get_track_info (cs_session_get_timeline (session), 0);
      g_assert_cmpuint (info->n_events, ==, 2 * stream.n);
      g_assert_true (cs_session_get_recording (session) == cs_profile_get_recording (cs_session_get_profile (session)));
    }
  /* A filter stays, and is applied to what comes. */
  cs_session_set_range (session, TRUE, 10 * (gint64) (stream.n - 10), 10 * (gint64) (stream.n + 90));
  wait (session);
  g_assert_cmpuint (count_calls (session, 0x2000), ==, 10);
  stream_add (&stream, 1000);
  wait_for_calls (session, 100);
  cs_session_set_range (session, FALSE, 0, 0);
  wait_for_calls (session, stream.n);
  cs_session_set_follow (session, FALSE);
  while (session->looking != NULL)
    g_main_context_iteration (NULL, TRUE);
  stream_add (&stream, 1000);
  g_timeout_add (200, set_true, &passed);
  while (!passed)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (count_calls (session, 0x2000), ==, stream.n - 1000);
  g_assert_true (cs_session_get_growing (session));
  cs_session_set_follow (session, TRUE);
  wait_for_calls (session, stream.n);
  /* Nothing comes any more. */
  test_stream_set_live (stream.path, FALSE);
  while (cs_session_get_growing (session))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (count_calls (session, 0x2000), ==, stream.n);
  g_assert_cmpuint (session->look_timer, ==, 0);
  g_assert_cmpstr (messages->str, ==, "");
  g_object_unref (session);
  stream_remove (&stream);
}

/* Adds what a program writes between the opening of its recording and the end of the pass. */
static void
on_recording (CsSession *session, GParamSpec *pspec, gpointer user_data)
{
  Stream *stream = user_data;

  if (cs_session_get_recording (session) != NULL && stream->n == 100)
    {
      stream_add (stream, 1000);
      /* It has ended by the time that somebody looks again. */
      test_stream_set_live (stream->path, FALSE);
    }
}

static void
test_ended_meanwhile (void)
{
  Stream stream = stream_new ();
  CsSession *session = session_new ();

  g_signal_connect (session, "notify::recording", G_CALLBACK (on_recording), &stream);
  open_folder (session, stream.folder);
  wait (session);
  g_assert_cmpuint (stream.n, ==, 1100);
  wait_for_calls (session, stream.n);
  g_assert_false (cs_session_get_growing (session));
  g_object_unref (session);
  stream_remove (&stream);
}

/* What a look that goes on finds isn't shown any more when it isn't to be followed. */
static void
test_held (void)
{
  Stream stream = stream_new ();
  g_autoptr (GString) messages = g_string_new (NULL);
  CsSession *session = follow (&stream, messages);

  while (session->looking != NULL)
    g_main_context_iteration (NULL, TRUE);
  stream_add (&stream, 1000);
  while (session->looking == NULL)
    g_main_context_iteration (NULL, TRUE);
  cs_session_set_follow (session, FALSE);
  while (session->looking != NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (count_calls (session, 0x2000), ==, 100);
  g_assert_true (cs_session_get_growing (session));
  cs_session_set_follow (session, TRUE);
  wait_for_calls (session, stream.n);
  g_object_unref (session);
  stream_remove (&stream);
}

static void
test_gone (void)
{
  for (guint shorter = 0; shorter < 2; shorter++)
    {
      Stream stream = stream_new ();
      g_autoptr (GString) messages = g_string_new (NULL);
      CsSession *session = follow (&stream, messages);

      /* The first look reads what is there. */
      stream_add (&stream, 10);
      wait_for_calls (session, stream.n);
      if (shorter)
        g_assert_cmpint (truncate (stream.path, 80 + 32 * 20), ==, 0);
      else
        stream_remove (&stream);
      while (cs_session_get_growing (session))
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpuint (count_calls (session, 0x2000), ==, stream.n);
      g_assert_nonnull (strstr (messages->str, "what was read of it stays"));
      g_assert_true (strchr (messages->str, '\n') == messages->str + messages->len - 1);
      g_object_unref (session);
      if (shorter)
        stream_remove (&stream);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/part", test_part);
  g_test_add_func ("/session/stopped", test_stopped);
  g_test_add_func ("/session/superseded", test_superseded);
  g_test_add_func ("/session/growing", test_growing);
  g_test_add_func ("/session/ended-meanwhile", test_ended_meanwhile);
  g_test_add_func ("/session/held", test_held);
  g_test_add_func ("/session/gone", test_gone);
  return g_test_run ();
}
