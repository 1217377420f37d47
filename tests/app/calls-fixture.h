/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib/gstdio.h>

#include "calls/cs-call-log-cells.h"
#include "calls/cs-calls-view.h"
#include "test-display.h"
#include "test-recording.h"
#include "window/cs-window.h"

enum { MAIN = 0x1000, STEP = 0x2000, LEAF = 0x3000, RARE = 0x4000, DEEP = 0x5000 };

/* A folder with event files of threads, written record by record. */
typedef struct
{
  char *folder;
  GHashTable *files; /* tid → GByteArray */
} Recording;

static inline Recording *
recording_new (void)
{
  Recording *self = g_new0 (Recording, 1);

  self->folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  self->files = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_byte_array_unref);
  return self;
}

static guint64 unit = 1; /* ns */

static inline void
add_at (Recording *self, guint tid, guint64 ts, guint64 func, guint64 caller, guint8 kind)
{
  const struct trace_event event = { .ts = ts * unit, .func = func, .caller = caller, .tid = tid, .kind = kind };
  GByteArray *file = g_hash_table_lookup (self->files, GUINT_TO_POINTER (tid));

  if (file == NULL)
    {
      file = test_recording_new ();
      g_hash_table_insert (self->files, GUINT_TO_POINTER (tid), file);
    }
  g_byte_array_append (file, (const guint8 *) &event, sizeof event);
}

static inline void
add (Recording *self, guint tid, guint64 ts, guint64 func, guint8 kind)
{
  add_at (self, tid, ts, func, func + 0x10, kind);
}

static inline void
write_files (Recording *self)
{
  GHashTableIter iter;
  gpointer tid, bytes;

  g_hash_table_iter_init (&iter, self->files);
  while (g_hash_table_iter_next (&iter, &tid, &bytes))
    {
      g_autofree char *path = g_strdup_printf ("%s/trace.7.%u.0.bin", self->folder, GPOINTER_TO_UINT (tid));
      FILE *file = fopen (path, "w");

      g_assert_nonnull (file);
      g_assert_cmpuint (fwrite (((GByteArray *) bytes)->data, 1, ((GByteArray *) bytes)->len, file), ==, ((GByteArray *) bytes)->len);
      g_assert_cmpint (fclose (file), ==, 0);
    }
}

static inline void
recording_free (Recording *self)
{
  GHashTableIter iter;
  gpointer tid;

  g_hash_table_iter_init (&iter, self->files);
  while (g_hash_table_iter_next (&iter, &tid, NULL))
    {
      g_autofree char *path = g_strdup_printf ("%s/trace.7.%u.0.bin", self->folder, GPOINTER_TO_UINT (tid));

      g_unlink (path);
    }
  g_hash_table_unref (self->files);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self);
}

typedef struct
{
  Recording *recording;
  CsWindow *window;
  CsSession *session;
  CsCallsView *view;
  CsCallLogPage *log;
  CsCallLogModel *model;
  CsSitePage *sites;
} Fixture;

static inline gboolean
is_busy (Fixture *fixture)
{
  return cs_call_log_model_get_busy (fixture->model) || !cs_places_is_complete (cs_call_log_model_get_places (fixture->model))
         || cs_site_page_get_busy (fixture->sites) || cs_session_get_state (fixture->session) != CS_SESSION_READY
         || !gtk_widget_get_mapped (GTK_WIDGET (fixture->view));
}

static inline void
settle (Fixture *fixture)
{
  do
    g_main_context_iteration (NULL, TRUE);
  while (is_busy (fixture) || g_main_context_pending (NULL));
}

static inline void
open_recording (Fixture *fixture, Recording *recording)
{
  g_autoptr (GFile) file = g_file_new_for_path (recording->folder);

  write_files (recording);
  fixture->recording = recording;
  fixture->window = cs_window_new (NULL);
  fixture->session = cs_window_get_session (fixture->window);
  fixture->view = CS_CALLS_VIEW (cs_window_get_view (fixture->window, "calls"));
  fixture->log = cs_calls_view_get_log (fixture->view);
  fixture->model = cs_call_log_page_get_model (fixture->log);
  fixture->sites = cs_calls_view_get_sites (fixture->view);
  gtk_window_present (GTK_WINDOW (fixture->window));
  cs_window_open_files (fixture->window, &file, 1);
  while (cs_session_get_state (fixture->session) != CS_SESSION_READY)
    g_main_context_iteration (NULL, TRUE);
  cs_session_show_view (fixture->session, "calls");
  settle (fixture);
}

static inline void
close_recording (Fixture *fixture)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  recording_free (fixture->recording);
}

/* All rows, as they are shown: how far in, what, how often. */
static inline char *
dup_rows (Fixture *fixture)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < cs_call_log_model_get_n (fixture->model); i++)
    {
      CsCallLogRow row;

      cs_call_log_model_get_row (fixture->model, i, &row);
      if (i > 0)
        g_string_append_c (text, ' ');
      for (guint j = 0; j < row.level; j++)
        g_string_append_c (text, '.');
      if (row.kind == CS_CALL_LOG_ROW_REST)
        g_string_append (text, "rest");
      else if (row.kind == CS_CALL_LOG_ROW_WAIT)
        g_string_append (text, "wait");
      else if (row.entry->kind == CS_CALL_LOG_OFF)
        g_string_append (text, "off");
      else if (row.entry->kind == CS_CALL_LOG_LOST)
        g_string_append_printf (text, "lost×%u", (guint) row.entry->n);
      else
        {
          g_string_append_printf (text, "%x", (guint) row.entry->address);
          if (row.entry->n > 1)
            g_string_append_printf (text, "×%u", (guint) row.entry->n);
        }
    }
  return g_string_free (text, FALSE);
}

static inline void
assert_rows (Fixture *fixture, const char *expected)
{
  g_autofree char *rows = dup_rows (fixture);

  g_assert_cmpstr (rows, ==, expected);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (cs_call_log_model_get_places (fixture->model))), ==,
                    cs_call_log_model_get_n (fixture->model));
}

static inline guint
get_current (Fixture *fixture)
{
  return cs_place_table_get_current (cs_call_log_page_get_table (fixture->log));
}

static inline void
select_row (Fixture *fixture, guint position)
{
  cs_place_table_select (cs_call_log_page_get_table (fixture->log), position);
}

/* A key, as the table gets it. */
static inline gboolean
press (Fixture *fixture, guint key, GdkModifierType state)
{
  GtkWidget *view = GTK_WIDGET (cs_place_table_get_view (cs_call_log_page_get_table (fixture->log)));
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (view);
  gboolean taken = FALSE;

  for (guint i = 0; !taken && i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
        g_signal_emit_by_name (controller, "key-pressed", key, 0, state, &taken);
    }
  settle (fixture);
  return taken;
}

/* main calls step 5 times, which calls leaf 3 times each, and then rare, which calls leaf; rare has no exit. */
static inline Recording *
make_small (void)
{
  Recording *recording = recording_new ();
  guint64 t = 1000;

  add (recording, 7, t, MAIN, TRACE_KIND_ENTER);
  for (guint i = 0; i < 5; i++)
    {
      add (recording, 7, t += 10, STEP, TRACE_KIND_ENTER);
      for (guint j = 0; j < 3; j++)
        {
          add (recording, 7, t += 2, LEAF, TRACE_KIND_ENTER);
          add (recording, 7, t += 1 + i + j, LEAF, TRACE_KIND_EXIT);
        }
      add (recording, 7, t += 1, STEP, TRACE_KIND_EXIT);
    }
  add (recording, 7, t += 5, RARE, TRACE_KIND_ENTER);
  add (recording, 7, t += 5, LEAF, TRACE_KIND_ENTER);
  add (recording, 7, t += 5, LEAF, TRACE_KIND_EXIT);
  add (recording, 7, t += 5, MAIN, TRACE_KIND_EXIT);
  add (recording, 8, 1500, LEAF, TRACE_KIND_ENTER);
  add (recording, 8, 1600, LEAF, TRACE_KIND_EXIT);
  return recording;
}
