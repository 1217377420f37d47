/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib/gstdio.h>

#include "compare/cs-compare-view.h"
#include "shared/cs-settings.h"
#include "test-display.h"
#include "test-recording.h"
#include "window/cs-window.h"

/* Two recordings, and a window that compares them. */

enum { MAIN = 0x1000, STEADY = 0x2000, SLOWER = 0x3000, GONE = 0x4000, FRESH = 0x5000 };

static inline void
add_call (GByteArray *recording, guint64 *t, guint64 function, guint64 duration)
{
  test_recording_add (recording, *t, function, TRACE_KIND_ENTER);
  test_recording_add (recording, *t += duration, function, TRACE_KIND_EXIT);
}

/* `main' calls 4 × `steady' of 10 ns, 3 × `slower' of `slower' ns each and 1 ns more each time, and what else there is. */
static inline char *
write_recording (guint64 slower, guint64 other, guint64 duration)
{
  GByteArray *recording = test_recording_new ();
  guint64 t = 0;

  test_recording_add (recording, t, MAIN, TRACE_KIND_ENTER);
  for (guint i = 0; i < 4; i++, t += 5)
    add_call (recording, &t, STEADY, 10);
  for (guint i = 0; i < 3; i++)
    add_call (recording, &t, SLOWER, slower + i);
  if (other != 0)
    add_call (recording, &t, other, duration);
  test_recording_add (recording, t += 7, MAIN, TRACE_KIND_EXIT);
  return test_recording_write (recording);
}

static inline char *
write_summary (void)
{
  struct trace_summary_header header = { TRACE_SUMMARY_MAGIC, TRACE_SUMMARY_VERSION, TRACE_SUMMARY_RECORD_SIZE,
                                         TRACE_SUMMARY_HEADER_SIZE, .pid = 7, .tid = 7, .records = 1, .span = 100 };
  struct trace_summary_record record = { .func = STEADY, .calls = 1, .incl = 6, .self = 6, .min = 6, .max = 6,
                                         .hist = { [6] = 1 } };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  char *folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "trace.summary.7.7.bin", NULL);

  g_byte_array_append (bytes, (const guint8 *) &header, sizeof header);
  g_byte_array_append (bytes, (const guint8 *) &record, sizeof record);
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, (gssize) bytes->len, NULL));
  return folder;
}

static inline void
remove_summary (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "trace.summary.7.7.bin", NULL);

  g_unlink (path);
  g_rmdir (folder);
}

typedef struct
{
  char *base, *open;
  CsWindow *window;
  CsSession *session;
  CsCompareView *view;
  CsComparison *comparison;
  CsDeltaModel *model;
} Fixture;

static inline gboolean
is_under_way (Fixture *self)
{
  CsSessionState state = cs_session_get_state (self->session);

  return state == CS_SESSION_EMPTY || state == CS_SESSION_READING || cs_comparison_is_busy (self->comparison);
}

static inline void
settle (Fixture *self)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
  while (is_under_way (self))
    g_main_context_iteration (NULL, TRUE);
}

static inline void
set_up (Fixture *self, gconstpointer data)
{
  static const char *const keys[] = { "compare-key", "compare-shape", "compare-normalised" };
  g_autoptr (GFile) file = NULL;

  if (!have_display)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_settings_reset (cs_settings_get (), keys[i]);
  self->base = write_recording (20, GONE, 50);
  self->open = write_recording (200, FRESH, 30);
  file = g_file_new_for_path (self->open);
  self->window = cs_window_new (NULL);
  self->session = cs_window_get_session (self->window);
  gtk_window_present (GTK_WINDOW (self->window));
  cs_window_open_files (self->window, &file, 1);
  cs_session_show_view (self->session, "compare");
  self->view = CS_COMPARE_VIEW (cs_window_get_view (self->window, "compare"));
  self->comparison = cs_compare_view_get_comparison (self->view);
  self->model = cs_delta_table_get_model (cs_compare_view_get_table (self->view));
  settle (self);
  g_assert_cmpint (cs_comparison_get_state (self->comparison), ==, CS_COMPARISON_EMPTY);
  cs_session_set_base (self->session, self->base);
  settle (self);
  g_assert_cmpint (cs_comparison_get_state (self->comparison), ==, CS_COMPARISON_READY);
}

static inline void
tear_down (Fixture *self, gconstpointer data)
{
  if (!have_display)
    return;
  gtk_window_destroy (GTK_WINDOW (self->window));
  test_recording_remove (self->base);
  test_recording_remove (self->open);
  g_free (self->base);
  g_free (self->open);
}

static inline void
act (Fixture *self, const char *name)
{
  g_action_group_activate_action (cs_view_get_actions (CS_VIEW (self->view)), name, NULL);
}

static inline void
change (Fixture *self, const char *name, GVariant *state)
{
  g_action_group_change_action_state (cs_view_get_actions (CS_VIEW (self->view)), name, state);
}

static inline guint
get_n (Fixture *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->model));
}

static inline guint
get_number (Fixture *self, guint64 address)
{
  CsCompareSides *sides = cs_comparison_get_sides (self->comparison);

  for (guint i = 0; i < sides->pairs->n; i++)
    {
      const CsFunction *base = cs_compare_sides_get_base_function (sides, i);
      const CsFunction *other = cs_compare_sides_get_new_function (sides, i);

      if ((base != NULL && base->location.address == address) || (other != NULL && other->location.address == address))
        return i;
    }
  g_assert_not_reached ();
}

static inline guint
get_session_function (Fixture *self, guint64 address)
{
  guint n;
  const CsFunction *functions = cs_profile_get_functions (cs_session_get_profile (self->session), &n);

  for (guint i = 0; i < n; i++)
    if (functions[i].location.address == address)
      return i;
  g_assert_not_reached ();
}

/* What callsight-cli prints; what it warns of is shown where it fails. */
static inline char *
run_cli (const char *const *arguments)
{
  g_autofree char *cli = g_build_filename (g_getenv ("CALLSIGHT_BUILD"), "src", "cli", "callsight-cli", NULL);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GSubprocess) child = NULL;
  g_autofree char *errors = NULL;
  char *output = NULL;

  g_ptr_array_add (argv, cli);
  for (guint i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) arguments[i]);
  g_ptr_array_add (argv, NULL);
  child = g_subprocess_newv ((const char *const *) argv->pdata, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                             NULL);
  g_assert_true (g_subprocess_communicate_utf8 (child, NULL, NULL, &output, &errors, NULL));
  if (!g_subprocess_get_successful (child))
    g_error ("%s failed: %s", arguments[0], errors);
  return output;
}

/* A report as callsight-cli analyze writes it. */
static inline char *
write_report (const char *recording, const char *format)
{
  char *path = g_strconcat (recording, ".", format, NULL);
  const char *const argv[] = { "analyze", "--quiet", "--format", format, "--top", "0", "--out", path, recording, NULL };
  g_autofree G_GNUC_UNUSED char *output = run_cli (argv);

  return path;
}
