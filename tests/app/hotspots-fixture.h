/* SPDX-License-Identifier: MIT */
#pragma once

#include "tables/cs-hotspots-view.h"
#include "test-display.h"
#include "test-recording.h"
#include "window/cs-window.h"

enum { MAIN = 0x1000, THREES = 0x2000, FIVES = 0x3000, OUTER = 0x4000, INNER = 0x5000, TWICE = 0x6000, LOST = 0x7000,
       LAST = 0x8000 };

/* A recording that is known to the nanosecond: `main' calls
 *   10 × `threes' of 3 ns,
 *   10 × `fives' of 5, 10 … 50 ns,
 *    3 × `outer' of 10 ns, in which `inner' takes 7,
 *    2 × `twice' of 6 ns, in which it calls itself for 4,
 *    1 × `lost', whose exit is missing,
 * and `last' is open at the end. */
static inline char *
write_recording (void)
{
  GByteArray *recording = test_recording_new ();
  guint64 t = 0;

  test_recording_add (recording, t, MAIN, TRACE_KIND_ENTER);
  for (guint i = 0; i < 10; i++, t += 4)
    {
      test_recording_add (recording, t, THREES, TRACE_KIND_ENTER);
      test_recording_add (recording, t + 3, THREES, TRACE_KIND_EXIT);
    }
  for (guint i = 1; i <= 10; i++, t += 51)
    {
      test_recording_add (recording, t, FIVES, TRACE_KIND_ENTER);
      test_recording_add (recording, t + 5 * i, FIVES, TRACE_KIND_EXIT);
    }
  for (guint i = 0; i < 3; i++, t += 11)
    {
      test_recording_add (recording, t, OUTER, TRACE_KIND_ENTER);
      test_recording_add (recording, t + 2, INNER, TRACE_KIND_ENTER);
      test_recording_add (recording, t + 9, INNER, TRACE_KIND_EXIT);
      test_recording_add (recording, t + 10, OUTER, TRACE_KIND_EXIT);
    }
  for (guint i = 0; i < 2; i++, t += 7)
    {
      test_recording_add (recording, t, TWICE, TRACE_KIND_ENTER);
      test_recording_add (recording, t + 1, TWICE, TRACE_KIND_ENTER);
      test_recording_add (recording, t + 5, TWICE, TRACE_KIND_EXIT);
      test_recording_add (recording, t + 6, TWICE, TRACE_KIND_EXIT);
    }
  test_recording_add (recording, t, LOST, TRACE_KIND_ENTER);
  test_recording_add (recording, t + 1, MAIN, TRACE_KIND_EXIT);
  test_recording_add (recording, t + 2, LAST, TRACE_KIND_ENTER);
  test_recording_add (recording, t + 3, INNER, TRACE_KIND_ENTER);
  test_recording_add (recording, t + 4, INNER, TRACE_KIND_EXIT);
  return test_recording_write (recording);
}

typedef struct
{
  char *folder;
  CsWindow *window;
  CsSession *session;
  CsHotspotsView *view;
  CsFunctionTable *table;
  CsFunctionModel *model;
} Fixture;

static inline void
iterate_while (gboolean (*condition) (Fixture *), Fixture *fixture)
{
  while (condition (fixture))
    g_main_context_iteration (NULL, TRUE);
}

static inline gboolean
is_reading (Fixture *fixture)
{
  CsSessionState state = cs_session_get_state (fixture->session);

  return state < CS_SESSION_READY || cs_function_model_get_busy (fixture->model);
}

static inline void
open_recording (Fixture *fixture, char *folder)
{
  g_autoptr (GFile) file = g_file_new_for_path (folder);

  fixture->folder = folder;
  fixture->window = cs_window_new (NULL);
  fixture->session = cs_window_get_session (fixture->window);
  fixture->view = CS_HOTSPOTS_VIEW (cs_window_get_view (fixture->window, "hotspots"));
  fixture->table = cs_hotspots_view_get_table (fixture->view);
  fixture->model = cs_function_table_get_model (fixture->table);
  cs_function_table_reset (fixture->table);
  gtk_window_present (GTK_WINDOW (fixture->window));
  cs_window_open_files (fixture->window, &file, 1);
  iterate_while (is_reading, fixture);
  g_assert_cmpint (cs_session_get_state (fixture->session), ==, CS_SESSION_READY);
}

static inline void
close_recording (Fixture *fixture)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  test_recording_remove (fixture->folder);
  g_free (fixture->folder);
}

static inline const CsFunction *
get_row (Fixture *fixture, guint position)
{
  g_autoptr (CsFunctionItem) item = g_list_model_get_item (G_LIST_MODEL (fixture->model), position);

  return cs_function_item_get_function (item);
}

static inline guint
find (Fixture *fixture, guint64 address)
{
  guint n;
  const CsFunction *functions = cs_profile_get_functions (cs_session_get_profile (fixture->session), &n);

  for (guint i = 0; i < n; i++)
    if (functions[i].location.address == address)
      return i;
  g_assert_not_reached ();
}

/* All addresses, as the table has them. */
static inline char *
dup_order (Fixture *fixture)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (fixture->model)); i++)
    g_string_append_printf (text, "%s%" G_GINT64_MODIFIER "x", i > 0 ? " " : "", get_row (fixture, i)->location.address);
  return g_string_free (text, FALSE);
}

static inline void
assert_order (Fixture *fixture, const char *expected)
{
  g_autofree char *order = dup_order (fixture);

  g_assert_cmpstr (order, ==, expected);
}
