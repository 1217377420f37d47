/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>

#include "session/cs-session.h"
#include "test-recording.h"

/* `main' (0x1000) calls `leaf' (0x2000) n times, 3 ns each, 10 ns apart, as in test-window.c. */
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

static gboolean
is_busy (CsSession *session)
{
  gboolean busy;

  g_object_get (session, "busy", &busy, NULL);
  return busy;
}

static void
wait (CsSession *session)
{
  while (is_busy (session))
    g_main_context_iteration (NULL, TRUE);
}

static CsSession *
open_session (const char *folder)
{
  CsSession *session = cs_session_new ();

  g_assert_cmpint (cs_session_get_state (session), ==, CS_SESSION_EMPTY);
  cs_session_open_recording (session, (const char *const[]){ folder, NULL });
  g_assert_cmpint (cs_session_get_state (session), ==, CS_SESSION_READING);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (cs_session_get_jobs (session))), ==, 1);
  wait (session);
  g_assert_cmpint (cs_session_get_state (session), ==, CS_SESSION_READY);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (cs_session_get_jobs (session))), ==, 0);
  return session;
}

static const CsFunction *
find (CsSession *session, guint64 address, guint *index)
{
  guint n;
  const CsFunction *functions = cs_profile_get_functions (cs_session_get_profile (session), &n);

  for (guint i = 0; i < n; i++)
    if (functions[i].location.address == address)
      {
        if (index != NULL)
          *index = i;
        return &functions[i];
      }
  return NULL;
}

static gboolean
get_flag (CsSession *session, const char *name)
{
  gboolean flag;

  g_object_get (session, name, &flag, NULL);
  return flag;
}

/* A range of time is exact, and can be gone back from and forward to. */
static void
test_range (void)
{
  g_autofree char *folder = write_recording (1000);
  g_autoptr (CsSession) session = open_session (folder);
  CsProfile *whole = cs_session_get_profile (session);
  guint leaf;

  g_assert_true (whole == cs_session_get_whole_profile (session));
  g_assert_nonnull (cs_session_get_timeline (session));
  g_assert_cmpuint (find (session, 0x2000, &leaf)->calls, ==, 1000);
  g_assert_false (get_flag (session, "can-back"));
  cs_session_set_function (session, leaf);

  cs_session_set_range (session, TRUE, 100, 200);
  g_assert_true (cs_session_get_profile (session) == whole);
  wait (session);
  g_assert_true (cs_session_get_profile (session) != whole);
  g_assert_cmpuint (find (session, 0x2000, &leaf)->calls, ==, 10);
  /* The function in focus is the same one, wherever it is in the new profile. */
  g_assert_cmpuint (cs_session_get_function (session), ==, leaf);
  g_assert_true (get_flag (session, "can-back"));

  cs_session_back (session);
  wait (session);
  g_assert_true (cs_session_get_profile (session) == whole);
  g_assert_false (cs_session_get_filter (session)->has_from);
  g_assert_true (get_flag (session, "can-forward"));
  cs_session_forward (session);
  wait (session);
  g_assert_cmpuint (find (session, 0x2000, NULL)->calls, ==, 10);
  g_assert_cmpint (cs_session_get_filter (session)->from, ==, 100);
  g_assert_cmpint (cs_session_get_filter (session)->to, ==, 200);
  test_recording_remove (folder);
}

/* The focus stays on its function past a profile that doesn't have it, also where that is made later than the step. */
static void
test_focus_returns (void)
{
  g_autofree char *folder = write_recording (1000);
  g_autoptr (CsSession) session = open_session (folder);
  guint leaf = 0, all = 0;

  find (session, 0x2000, &leaf);
  cs_session_set_function (session, leaf);
  cs_session_set_range (session, TRUE, 100, 200);
  wait (session);
  /* Nothing but `main' runs there. */
  cs_session_set_range (session, TRUE, 204, 208);
  wait (session);
  g_assert_null (find (session, 0x2000, NULL));
  g_assert_cmpuint (cs_session_get_function (session), ==, G_MAXUINT);
  cs_session_back (session);
  wait (session);
  g_assert_nonnull (find (session, 0x2000, &leaf));
  g_assert_cmpuint (cs_session_get_function (session), ==, leaf);

  cs_session_forward (session);
  wait (session);
  cs_session_set_range (session, FALSE, 0, 0);
  wait (session);
  g_assert_nonnull (find (session, 0x2000, &all));
  g_assert_cmpuint (cs_session_get_function (session), ==, all);
  /* To none, which is a step. */
  cs_session_set_function (session, G_MAXUINT);
  g_assert_cmpuint (cs_session_get_function (session), ==, G_MAXUINT);
  cs_session_back (session);
  g_assert_cmpuint (cs_session_get_function (session), ==, all);
  cs_session_reload (session);
  g_assert_cmpuint (cs_session_get_function (session), ==, G_MAXUINT);
  wait (session);
  g_assert_cmpuint (cs_session_get_function (session), ==, G_MAXUINT);
  test_recording_remove (folder);
}

static void
on_project (guint *n)
{
  ++*n;
}

/* A project that is open already stays, with what isn't saved. */
static void
test_same_project (void)
{
  g_autofree char *folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  g_autofree char *again = g_strconcat (folder, "/./", NULL);
  g_autofree char *other = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  g_autoptr (CsSession) session = cs_session_new ();
  g_autoptr (CsProject) project = NULL;
  guint n = 0;

  g_signal_connect_swapped (session, "notify::project", G_CALLBACK (on_project), &n);
  cs_session_open_project (session, folder);
  project = g_object_ref (cs_session_get_project (session));
  cs_session_open_project (session, again);
  g_assert_true (cs_session_get_project (session) == project);
  g_assert_cmpuint (n, ==, 1);
  cs_session_open_project (session, other);
  g_assert_true (cs_session_get_project (session) != project);
  cs_session_open_project (session, NULL);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_assert_cmpint (g_rmdir (other), ==, 0);
}

/* Of many ranges that follow each other quickly the last one counts. */
static void
test_superseded (void)
{
  g_autofree char *folder = write_recording (100000);
  g_autoptr (CsSession) session = open_session (folder);

  for (gint64 i = 1; i <= 50; i++)
    cs_session_set_range (session, TRUE, 0, 10 * i);
  wait (session);
  g_assert_cmpuint (find (session, 0x2000, NULL)->calls, ==, 50);
  cs_session_set_range (session, TRUE, 0, 1000);
  cs_session_set_range (session, FALSE, 0, 0);
  wait (session);
  g_assert_cmpuint (find (session, 0x2000, NULL)->calls, ==, 100000);
  test_recording_remove (folder);
}

static void
on_message (CsSession *session, const char *text, const char *label, const char *action, GPtrArray *texts)
{
  g_ptr_array_add (texts, g_strdup (text));
}

/* A filter that is still at work when another recording is opened has no say in that one. */
static void
test_filter_of_another (void)
{
  g_autofree char *folder = write_recording (100000), *other = write_recording (1000);
  g_autoptr (CsSession) session = open_session (folder);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  g_signal_connect (session, "message", G_CALLBACK (on_message), texts);
  for (guint i = 0; i < 10; i++)
    {
      cs_session_set_range (session, TRUE, 0, 500000);
      for (guint j = 0; j < i; j++)
        g_main_context_iteration (NULL, FALSE);
      cs_session_open_recording (session, (const char *const[]){ other, NULL });
      wait (session);
      g_assert_cmpuint (find (session, 0x2000, NULL)->calls, ==, 1000);
      cs_session_set_range (session, TRUE, 0, 100);
      wait (session);
      g_assert_cmpuint (find (session, 0x2000, NULL)->calls, ==, 10);
      cs_session_open_recording (session, (const char *const[]){ folder, NULL });
      wait (session);
      g_assert_cmpuint (find (session, 0x2000, NULL)->calls, ==, 100000);
    }
  g_assert_cmpuint (texts->len, ==, 0);
  test_recording_remove (folder);
  test_recording_remove (other);
}

/* Filtering that is stopped is said, and all is shown, as the filter then tells. */
static void
test_stopped_filter (void)
{
  g_autofree char *folder = write_recording (10);
  g_autoptr (CsSession) session = open_session (folder);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  CsProfileFilter filter = { .pid = 7 };
  g_autoptr (CsJob) job = NULL;

  g_signal_connect (session, "message", G_CALLBACK (on_message), texts);
  cs_session_set_filter (session, &filter);
  job = g_list_model_get_item (G_LIST_MODEL (cs_session_get_jobs (session)), 0);
  g_cancellable_cancel (cs_job_get_cancellable (job));
  wait (session);
  g_assert_cmpuint (texts->len, ==, 1);
  g_assert_true (cs_session_get_profile (session) == cs_session_get_whole_profile (session));
  g_assert_true (cs_profile_filter_is_empty (cs_session_get_filter (session)));
  test_recording_remove (folder);
}

static void
test_search_steps (void)
{
  g_autofree char *folder = write_recording (10);
  g_autoptr (CsSession) session = open_session (folder);

  /* What is typed is one step. */
  cs_session_set_search (session, "l", FALSE);
  cs_session_set_search (session, "le", FALSE);
  cs_session_set_search (session, "leaf", FALSE);
  cs_session_back (session);
  g_assert_cmpstr (cs_session_get_search (session), ==, "");
  g_assert_false (get_flag (session, "can-back"));
  cs_session_forward (session);
  g_assert_cmpstr (cs_session_get_search (session), ==, "leaf");
  test_recording_remove (folder);
}

static void
test_errors (void)
{
  g_autoptr (CsSession) session = cs_session_new ();
  g_autofree char *folder = write_recording (10);

  cs_session_open_recording (session, (const char *const[]){ "/no/such/recording", NULL });
  wait (session);
  g_assert_cmpint (cs_session_get_state (session), ==, CS_SESSION_FAILED);
  g_assert_nonnull (strstr (cs_session_get_error (session), "/no/such/recording"));
  g_assert_null (cs_session_get_profile (session));

  cs_session_open_recording (session, (const char *const[]){ folder, NULL });
  cs_session_cancel_reading (session);
  wait (session);
  g_assert_cmpint (cs_session_get_state (session), ==, CS_SESSION_FAILED);
  cs_session_reload (session);
  wait (session);
  g_assert_cmpint (cs_session_get_state (session), ==, CS_SESSION_READY);
  cs_session_close_recording (session);
  g_assert_cmpint (cs_session_get_state (session), ==, CS_SESSION_EMPTY);
  g_assert_null (cs_session_get_profile (session));
  test_recording_remove (folder);
}

/* Gone while it reads. */
static void
test_dropped (void)
{
  g_autofree char *folder = write_recording (200000);
  CsSession *session = cs_session_new ();
  gpointer watched = session;

  cs_session_open_recording (session, (const char *const[]){ folder, NULL });
  g_object_add_weak_pointer (G_OBJECT (session), &watched);
  g_object_run_dispose (G_OBJECT (session));
  g_object_unref (session);
  while (watched != NULL)
    g_main_context_iteration (NULL, TRUE);
  test_recording_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/session/range", test_range);
  g_test_add_func ("/app/session/focus-returns", test_focus_returns);
  g_test_add_func ("/app/session/same-project", test_same_project);
  g_test_add_func ("/app/session/superseded", test_superseded);
  g_test_add_func ("/app/session/filter-of-another", test_filter_of_another);
  g_test_add_func ("/app/session/stopped-filter", test_stopped_filter);
  g_test_add_func ("/app/session/search-steps", test_search_steps);
  g_test_add_func ("/app/session/errors", test_errors);
  g_test_add_func ("/app/session/dropped", test_dropped);
  return g_test_run ();
}
