/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "calls-fixture.h"
#include "report/cs-report-private.h"

static void
test_fold (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  CsCallLogRow row;

  open_recording (&fixture, make_small ());
  /* One outermost call is open at once. */
  assert_rows (&fixture, "1000 .2000×5 .4000");
  cs_call_log_model_get_row (fixture.model, 1, &row);
  g_assert_true (row.expandable);
  g_assert_true (row.has_self);
  /* 7 ns a step between its calls, and what these take: 3, 4 and 5 ns more a step. */
  g_assert_cmpuint (row.self, ==, 5 * 7);
  g_assert_cmpuint (row.entry->total, ==, 5 * 7 + 6 + 9 + 12 + 15 + 18);
  g_assert_cmpuint (row.entry->min, ==, 7 + 6);
  g_assert_cmpuint (row.entry->max, ==, 7 + 18);
  cs_call_log_model_get_row (fixture.model, 2, &row);
  g_assert_cmpuint (row.entry->repaired, ==, 1);
  g_assert_cmpuint (row.self, ==, 10);

  g_assert_true (cs_call_log_model_set_expanded (fixture.model, 1, TRUE));
  settle (&fixture);
  assert_rows (&fixture, "1000 .2000×5 ..2000 ..2000 ..2000 ..2000 ..2000 .4000");
  g_assert_true (cs_call_log_model_set_expanded (fixture.model, 3, TRUE));
  settle (&fixture);
  assert_rows (&fixture, "1000 .2000×5 ..2000 ..2000 ...3000×3 ..2000 ..2000 ..2000 .4000");
  cs_call_log_model_get_row (fixture.model, 3, &row);
  g_assert_true (row.member);
  g_assert_cmpuint (row.entry->depth, ==, 1);
  /* What was open in a row is so when it is opened again. */
  g_assert_true (cs_call_log_model_set_expanded (fixture.model, 1, FALSE));
  settle (&fixture);
  assert_rows (&fixture, "1000 .2000×5 .4000");
  g_assert_true (cs_call_log_model_set_expanded (fixture.model, 1, TRUE));
  settle (&fixture);
  assert_rows (&fixture, "1000 .2000×5 ..2000 ..2000 ...3000×3 ..2000 ..2000 ..2000 .4000");
  cs_call_log_model_collapse_all (fixture.model);
  settle (&fixture);
  assert_rows (&fixture, "1000");
  cs_call_log_model_expand_below (fixture.model, 0);
  settle (&fixture);
  assert_rows (&fixture, "1000 .2000×5 ..2000 ..2000 ..2000 ..2000 ..2000 .4000 ..3000");
  close_recording (&fixture);
}

/* By keys alone. */
static void
test_keys (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  g_autofree char *stack = NULL;

  open_recording (&fixture, make_small ());
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (fixture.view)));
  select_row (&fixture, 1);
  press (&fixture, GDK_KEY_Right, 0);
  assert_rows (&fixture, "1000 .2000×5 ..2000 ..2000 ..2000 ..2000 ..2000 .4000");
  g_assert_cmpuint (get_current (&fixture), ==, 1);
  press (&fixture, GDK_KEY_Right, 0);
  g_assert_cmpuint (get_current (&fixture), ==, 2);
  press (&fixture, GDK_KEY_Right, 0);
  press (&fixture, GDK_KEY_Right, 0);
  assert_rows (&fixture, "1000 .2000×5 ..2000 ...3000×3 ..2000 ..2000 ..2000 ..2000 .4000");
  g_assert_cmpuint (get_current (&fixture), ==, 3);
  stack = cs_call_log_page_dup_stack (fixture.log);
  g_assert_cmpstr (stack, ==, "#0 0x3000\n#1 0x2000\n#2 0x1000\n");
  press (&fixture, GDK_KEY_Left, 0);
  g_assert_cmpuint (get_current (&fixture), ==, 2);
  press (&fixture, GDK_KEY_Left, 0);
  press (&fixture, GDK_KEY_BackSpace, 0);
  g_assert_cmpuint (get_current (&fixture), ==, 1);
  press (&fixture, GDK_KEY_Left, 0);
  assert_rows (&fixture, "1000 .2000×5 .4000");
  press (&fixture, GDK_KEY_Right, GDK_SHIFT_MASK);
  assert_rows (&fixture, "1000 .2000×5 ..2000 ...3000×3 ..2000 ...3000×3 ..2000 ...3000×3 ..2000 ...3000×3 ..2000 ...3000×3 .4000");
  /* From right to left the other way round. */
  gtk_widget_set_direction (GTK_WIDGET (fixture.log), GTK_TEXT_DIR_RTL);
  press (&fixture, GDK_KEY_Right, 0);
  assert_rows (&fixture, "1000 .2000×5 .4000");
  /* The list keeps these for itself. */
  g_assert_false (press (&fixture, GDK_KEY_Down, 0));
  close_recording (&fixture);
}

static void
count_requests (CsSession *session, const char *name, gpointer n)
{
  *(guint *) n += g_str_equal (name, "timeline");
}

/* A call goes to the timeline, and comes from there. */
static void
test_calls (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  const CsSessionCall *shown;
  CsSessionCall call;
  CsCallLogRow row;
  guint n = 0;

  open_recording (&fixture, make_small ());
  g_signal_connect (fixture.session, "view-requested", G_CALLBACK (count_requests), &n);
  select_row (&fixture, 2);
  g_action_group_activate_action (cs_view_get_actions (CS_VIEW (fixture.view)), "show-in-timeline", NULL);
  g_assert_cmpuint (n, ==, 1);
  shown = cs_session_get_call (fixture.session);
  g_assert_nonnull (shown);
  g_assert_cmphex (shown->address, ==, RARE);
  g_assert_cmpuint (shown->depth, ==, 1);
  g_assert_cmpuint (shown->tid, ==, 7);
  cs_session_show_view (fixture.session, "calls");
  settle (&fixture);

  /* The second leaf of the third step: all that it is in opens. */
  call = (CsSessionCall){ .process = 0, .tid = 7, .seq = 0, .start = 1000 + 2 * 10 + 13 + 16 + 10 + 2 + 3 + 2, .address = LEAF,
                          .depth = G_MAXUINT32 };
  call.start = 1000;
  for (guint i = 0; i < 2; i++)
    call.start += 10 + 7 + 3 * i + 6;
  call.start += 10 + 2 + 3 + 2;
  cs_session_set_call (fixture.session, &call);
  settle (&fixture);
  assert_rows (&fixture, "1000 .2000×5 ..2000 ..2000 ..2000 ...3000×3 ....3000 ....3000 ....3000 ..2000 ..2000 .4000");
  g_assert_cmpuint (get_current (&fixture), ==, 7);
  cs_call_log_model_get_row (fixture.model, 7, &row);
  g_assert_cmpint (row.entry->start, ==, call.start);

  /* One of another thread. */
  call = (CsSessionCall){ .process = 0, .tid = 8, .seq = 0, .start = 1500, .address = LEAF, .depth = 0 };
  cs_session_set_call (fixture.session, &call);
  settle (&fixture);
  assert_rows (&fixture, "3000");
  g_assert_cmpuint (get_current (&fixture), ==, 0);
  close_recording (&fixture);
}

/* A call of which the thread, the start and the end are known, as the slowest calls of a function are. */
static void
test_call_by_time (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  Recording *recording = recording_new ();
  CsSessionCall call = { .tid = 7, .start = 110, .end = 115, .depth = G_MAXUINT32 };
  CsCallLogRow row;

  /* Three begin at once in the second call. */
  add (recording, 7, 1, MAIN, TRACE_KIND_ENTER);
  for (guint64 t = 10; t <= 210; t += 100)
    {
      add (recording, 7, t, RARE, TRACE_KIND_ENTER);
      add (recording, 7, t, STEP, TRACE_KIND_ENTER);
      add (recording, 7, t, LEAF, TRACE_KIND_ENTER);
      add (recording, 7, t + 2, LEAF, TRACE_KIND_EXIT);
      add (recording, 7, t + 5, STEP, TRACE_KIND_EXIT);
      add (recording, 7, t + 9, RARE, TRACE_KIND_EXIT);
    }
  add (recording, 7, 300, MAIN, TRACE_KIND_EXIT);
  open_recording (&fixture, recording);
  cs_session_set_call (fixture.session, &call);
  settle (&fixture);
  assert_rows (&fixture, "1000 .4000×3 ..4000 ..4000 ...2000 ..4000");
  g_assert_cmpuint (get_current (&fixture), ==, 4);
  cs_call_log_model_get_row (fixture.model, 4, &row);
  g_assert_cmpint (row.entry->start, ==, call.start);
  g_assert_cmphex (row.entry->address, ==, STEP);
  close_recording (&fixture);
}

/* Where there is little room the columns that matter least leave it to the names. */
static void
test_narrow (void)
{
  SKIP_WITHOUT_DISPLAY ();
  static const struct { int width; guint n; } cases[] = { { 640, 5 }, { 480, 4 }, { 1200, 7 } };
  Fixture fixture;
  GListModel *columns;

  open_recording (&fixture, make_small ());
  columns = gtk_column_view_get_columns (cs_place_table_get_view (cs_call_log_page_get_table (fixture.log)));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gint64 end = g_get_monotonic_time () + 10 * G_TIME_SPAN_SECOND;
      guint n;

      gtk_window_set_default_size (GTK_WINDOW (fixture.window), cases[i].width, 700);
      do
        {
          g_main_context_iteration (NULL, FALSE);
          n = 0;
          for (guint j = 0; j < g_list_model_get_n_items (columns); j++)
            {
              g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, j);

              n += gtk_column_view_column_get_visible (column);
            }
        }
      while (n != cases[i].n && g_get_monotonic_time () < end);
      g_assert_cmpuint (n, ==, cases[i].n);
    }
  close_recording (&fixture);
}

/* A range shows what lies in it; filters leave threads out. */
static void
test_filter (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  CsProfileFilter filter = { .thread = (char *) "8" };
  CsCallLogRow row;
  guint64 sum = 0;

  open_recording (&fixture, make_small ());
  select_row (&fixture, 1);
  cs_session_set_range (fixture.session, TRUE, 15, 40);
  while (!cs_profile_get_filter (cs_session_get_profile (fixture.session))->has_from)
    g_main_context_iteration (NULL, TRUE);
  settle (&fixture);
  assert_rows (&fixture, "1000 .2000×2");
  cs_call_log_model_get_row (fixture.model, 0, &row);
  g_assert_cmpuint (row.entry->clipped, ==, 1);
  g_assert_cmpuint (row.entry->total, ==, 25);
  for (guint i = 0; i < 2; i++)
    {
      cs_call_log_model_get_row (fixture.model, i, &row);
      sum += row.self;
    }
  g_assert_cmpuint (sum, <=, cs_profile_get_totals (cs_session_get_profile (fixture.session))->self);
  g_assert_cmpuint (cs_profile_get_totals (cs_session_get_profile (fixture.session))->self, ==, 25);

  cs_session_set_filter (fixture.session, &filter);
  while (cs_profile_get_filter (cs_session_get_profile (fixture.session))->thread == NULL)
    g_main_context_iteration (NULL, TRUE);
  settle (&fixture);
  assert_rows (&fixture, "3000");
  g_assert_cmpuint (cs_thread_picker_get_n (cs_call_log_page_get_picker (fixture.log)), ==, 1);
  close_recording (&fixture);
}

static void
test_search (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  GActionGroup *actions;

  open_recording (&fixture, make_small ());
  actions = cs_view_get_actions (CS_VIEW (fixture.view));
  g_assert_false (g_action_group_get_action_enabled (actions, "find-next"));
  cs_session_set_search (fixture.session, "3000", FALSE);
  g_assert_true (g_action_group_get_action_enabled (actions, "find-next"));
  g_action_group_activate_action (actions, "find-next", NULL);
  settle (&fixture);
  assert_rows (&fixture, "1000 .2000×5 ..2000 ...3000×3 ..2000 ..2000 ..2000 ..2000 .4000");
  g_assert_cmpuint (get_current (&fixture), ==, 3);
  /* Not one by one through what is folded. */
  g_action_group_activate_action (actions, "find-next", NULL);
  settle (&fixture);
  assert_rows (&fixture, "1000 .2000×5 ..2000 ...3000×3 ..2000 ...3000×3 ..2000 ..2000 ..2000 .4000");
  g_assert_cmpuint (get_current (&fixture), ==, 5);
  g_action_group_activate_action (actions, "find-previous", NULL);
  settle (&fixture);
  g_assert_cmpuint (get_current (&fixture), ==, 3);
  g_action_group_activate_action (actions, "find-previous", NULL);
  settle (&fixture);
  g_assert_cmpuint (get_current (&fixture), ==, 3);
  cs_session_set_search (fixture.session, "4000", FALSE);
  g_action_group_activate_action (actions, "find-next", NULL);
  settle (&fixture);
  g_assert_cmpuint (get_current (&fixture), ==, cs_call_log_model_get_n (fixture.model) - 1);
  close_recording (&fixture);
}

static GtkWidget *
find_entry (GtkWidget *widget)
{
  if (GTK_IS_SEARCH_ENTRY (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *entry = find_entry (child);

      if (entry != NULL)
        return entry;
    }
  return NULL;
}

/* What is typed is searched, Enter goes on to it, and the entry keeps the focus. */
static void
test_entry (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  GtkWidget *entry, *focus;

  open_recording (&fixture, make_small ());
  entry = find_entry (GTK_WIDGET (fixture.view));
  cs_view_start_search (CS_VIEW (fixture.view));
  gtk_editable_set_text (GTK_EDITABLE (entry), "3000");
  while (*cs_session_get_search (fixture.session) == '\0')
    g_main_context_iteration (NULL, TRUE);
  settle (&fixture);
  focus = gtk_root_get_focus (GTK_ROOT (fixture.window));
  g_assert_true (focus != NULL && gtk_widget_is_ancestor (focus, entry));
  g_signal_emit_by_name (entry, "activate");
  settle (&fixture);
  g_assert_cmpuint (get_current (&fixture), ==, 3);
  focus = gtk_root_get_focus (GTK_ROOT (fixture.window));
  g_assert_true (focus != NULL && gtk_widget_is_ancestor (focus, entry));
  close_recording (&fixture);
}

/* A million calls in one: a page of lines at a time, and one line where they are the same. */
static void
test_many (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  Recording *recording = recording_new ();
  const guint n = 200000;
  guint64 t = 0;
  CsSessionCall call = { .tid = 7, .address = LEAF, .depth = 1 };
  CsCallLogRow row;
  guint position;

  add (recording, 7, t, MAIN, TRACE_KIND_ENTER);
  for (guint i = 0; i < n; i++)
    {
      add (recording, 7, ++t, i % 2 == 0 ? STEP : LEAF, TRACE_KIND_ENTER);
      if (i == n / 2 + 1)
        call.start = (gint64) t;
      add (recording, 7, ++t, i % 2 == 0 ? STEP : LEAF, TRACE_KIND_EXIT);
    }
  for (guint i = 0; i < n; i++)
    {
      add (recording, 7, ++t, RARE, TRACE_KIND_ENTER);
      add (recording, 7, ++t, RARE, TRACE_KIND_EXIT);
    }
  add (recording, 7, ++t, MAIN, TRACE_KIND_EXIT);
  open_recording (&fixture, recording);
  g_assert_cmpuint (cs_call_log_model_get_n (fixture.model), ==, 502);
  cs_call_log_model_get_row (fixture.model, 501, &row);
  g_assert_cmpint (row.kind, ==, CS_CALL_LOG_ROW_REST);
  cs_call_log_model_load (fixture.model, 501);
  settle (&fixture);
  g_assert_cmpuint (cs_call_log_model_get_n (fixture.model), ==, 1002);

  /* In the middle: what lies between isn't read. */
  cs_session_set_call (fixture.session, &call);
  settle (&fixture);
  position = get_current (&fixture);
  cs_call_log_model_get_row (fixture.model, position, &row);
  g_assert_cmpint (row.entry->start, ==, call.start);
  g_assert_cmpuint (cs_call_log_model_get_n (fixture.model), <, 2500);
  cs_call_log_model_get_row (fixture.model, position - 1, &row);
  g_assert_cmpint (row.kind, ==, CS_CALL_LOG_ROW_REST);
  cs_call_log_model_load (fixture.model, position - 1);
  settle (&fixture);
  g_assert_cmpuint (get_current (&fixture), ==, position + 500);

  /* The last line has as many. */
  call.address = RARE;
  call.start = (gint64) (t - 2);
  cs_session_set_call (fixture.session, &call);
  settle (&fixture);
  cs_call_log_model_get_row (fixture.model, get_current (&fixture), &row);
  g_assert_cmpint (row.entry->start, ==, call.start);
  close_recording (&fixture);
}

/* A stack of 100,000 calls. */
static void
test_deep (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  Recording *recording = recording_new ();
  const guint depth = 100000;
  CsSessionCall call = { .tid = 7, .address = LEAF, .start = depth, .depth = depth };
  CsCallLogRow row;
  guint position;

  for (guint i = 0; i < depth; i++)
    add (recording, 7, i, DEEP, TRACE_KIND_ENTER);
  add (recording, 7, depth, LEAF, TRACE_KIND_ENTER);
  add (recording, 7, depth + 1, LEAF, TRACE_KIND_EXIT);
  for (guint i = 0; i < depth; i++)
    add (recording, 7, depth + 2 + i, DEEP, TRACE_KIND_EXIT);
  open_recording (&fixture, recording);
  cs_session_set_call (fixture.session, &call);
  settle (&fixture);
  g_assert_cmpuint (cs_call_log_model_get_n (fixture.model), ==, depth + 1);
  position = get_current (&fixture);
  g_assert_cmpuint (position, ==, depth);
  cs_call_log_model_get_row (fixture.model, position, &row);
  g_assert_cmphex (row.entry->address, ==, LEAF);
  g_assert_cmpuint (row.entry->depth, ==, depth);
  cs_call_log_model_get_row (fixture.model, 1000, &row);
  g_assert_true (row.has_self);
  g_assert_cmpuint (row.self, ==, 2);
  g_assert_cmpuint (row.entry->total, ==, 2 * (depth - 1000) + 1);
  cs_call_log_model_collapse_all (fixture.model);
  settle (&fixture);
  g_assert_cmpuint (cs_call_log_model_get_n (fixture.model), ==, 1);
  /* Bounded. */
  cs_call_log_model_expand_below (fixture.model, 0);
  settle (&fixture);
  g_assert_cmpuint (cs_call_log_model_get_n (fixture.model), <=, 4000);
  close_recording (&fixture);
}

static void
test_threads (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  Recording *recording = recording_new ();
  const guint n = 5000;
  CsSessionCall call = { .tid = 4321, .address = LEAF, .start = 4321, .depth = 0 };

  for (guint i = 0; i < n; i++)
    {
      add (recording, 7 + i, 7 + i, LEAF, TRACE_KIND_ENTER);
      add (recording, 7 + i, 8 + i, LEAF, TRACE_KIND_EXIT);
    }
  open_recording (&fixture, recording);
  g_assert_cmpuint (cs_thread_picker_get_n (cs_call_log_page_get_picker (fixture.log)), ==, n);
  cs_session_set_call (fixture.session, &call);
  settle (&fixture);
  assert_rows (&fixture, "3000");
  g_assert_cmpuint (cs_timeline_get_track_info (cs_session_get_timeline (fixture.session),
                                                cs_call_log_page_get_track (fixture.log))->tid, ==, 4321);
  gtk_drop_down_set_selected (cs_thread_picker_get_list (cs_call_log_page_get_picker (fixture.log)), 2);
  settle (&fixture);
  g_assert_cmpuint (cs_call_log_page_get_track (fixture.log), ==, 2);
  close_recording (&fixture);
}

static void
show_sites (Fixture *fixture)
{
  cs_calls_view_show_page (fixture->view, "sites");
  settle (fixture);
}

/* The text report's rows of call sites, without the names around them. */
static GPtrArray *
list_report (CsProfile *profile)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (CsReportWriter) writer = cs_report_writer_new (stream, NULL);
  const CsReportOptions options = { .top = 0 };
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_free);
  gboolean table = FALSE;

  g_assert_true (cs_report_write_callers (profile, &options, writer));
  g_assert_true (cs_report_writer_finish (writer, NULL));
  g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL);
  text = g_strdup (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (stream)));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (table && *lines[i] != '\0')
        g_ptr_array_add (rows, g_strdup (lines[i]));
      table |= strstr (lines[i], "callee <- caller") != NULL;
    }
  return rows;
}

static void
append_ellipsizes (GtkWidget *widget, GString *text)
{
  static const char *const names[] = { "none", "start", "middle", "end" };

  if (GTK_IS_LABEL (widget))
    g_string_append_printf (text, "%s ", names[gtk_label_get_ellipsize (GTK_LABEL (widget))]);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    append_ellipsizes (child, text);
}

/* Of a function's name the beginning is seen, of a place the end. */
static void
test_sites_names (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  GtkWidget *list;
  g_autoptr (GString) text = g_string_new (NULL);

  open_recording (&fixture, make_small ());
  show_sites (&fixture);
  list = gtk_widget_get_last_child (GTK_WIDGET (cs_place_table_get_view (cs_site_page_get_table (fixture.sites))));
  while (gtk_widget_get_first_child (list) == NULL)
    g_main_context_iteration (NULL, TRUE);
  append_ellipsizes (gtk_widget_get_first_child (list), text);
  g_assert_true (g_str_has_prefix (text->str, "end end start none "));
  close_recording (&fixture);
}

/* Each row is one of the text report's, with its numbers. */
static void
test_sites (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  g_autoptr (GPtrArray) report = NULL;

  /* Down to what the report shows. */
  unit = 1000;
  open_recording (&fixture, make_small ());
  unit = 1;
  show_sites (&fixture);
  report = list_report (cs_session_get_profile (fixture.session));
  g_assert_cmpuint (cs_site_page_get_n (fixture.sites), ==, report->len);
  g_assert_cmpuint (report->len, ==, 4);
  for (guint i = 0; i < report->len; i++)
    {
      const CsCallSite *site = cs_site_page_get_site (fixture.sites, i);
      guint64 calls, incl;
      double ms;

      g_assert_cmpint (sscanf (report->pdata[i], "%" G_GUINT64_FORMAT " %lf", &calls, &ms), ==, 2);
      incl = (guint64) (ms * 1e6 + 0.5);
      g_assert_cmpuint (site->calls, ==, calls);
      g_assert_cmpuint (site->incl, ==, incl);
    }
  close_recording (&fixture);
}

static void
test_sites_order (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  Recording *recording = recording_new ();
  const guint n = 30000;
  guint64 t = 0;
  CsPlaceTable *table;
  const CsCallSite *selected;
  g_autofree char *csv = NULL;

  /* A site for each call, some of which are made several times. */
  add (recording, 7, t, MAIN, TRACE_KIND_ENTER);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j <= i % 7; j++)
      {
        add_at (recording, 7, t += 1, LEAF, 0x100000 + i * 4, TRACE_KIND_ENTER);
        add_at (recording, 7, t += 1 + i % 1000, LEAF, 0x100000 + i * 4, TRACE_KIND_EXIT);
      }
  add (recording, 7, ++t, MAIN, TRACE_KIND_EXIT);
  open_recording (&fixture, recording);
  show_sites (&fixture);
  table = cs_site_page_get_table (fixture.sites);
  g_assert_cmpuint (cs_site_page_get_n (fixture.sites), ==, n + 1);
  cs_place_table_select (table, 5);
  selected = cs_site_page_get_site (fixture.sites, 5);
  for (guint column = 0; column < CS_SITE_N_COLUMNS; column++)
    for (guint descending = 0; descending < 2; descending++)
      {
        cs_site_page_sort (fixture.sites, column, descending);
        settle (&fixture);
        g_assert_cmpuint (cs_site_page_get_n (fixture.sites), ==, n + 1);
        for (guint i = 1; i < n + 1 && (column == CS_SITE_COLUMN_CALLS || column == CS_SITE_COLUMN_INCLUSIVE); i++)
          {
            const CsCallSite *a = cs_site_page_get_site (fixture.sites, i - 1), *b = cs_site_page_get_site (fixture.sites, i);
            guint64 x = column == CS_SITE_COLUMN_CALLS ? a->calls : a->incl;
            guint64 y = column == CS_SITE_COLUMN_CALLS ? b->calls : b->incl;

            g_assert_true (descending ? x >= y : x <= y);
          }
        /* What was selected went along. */
        g_assert_true (cs_site_page_get_site (fixture.sites, cs_place_table_get_current (table)) == selected);
      }
  csv = cs_place_table_copy (table, TRUE);
  g_assert_true (g_str_has_prefix (csv, "callee,caller,location,calls,share,incl_ns,mean_ns,open,clipped\r\n0x3000,"));
  g_signal_emit_by_name (table, "activated", cs_place_table_get_current (table));
  g_assert_cmpuint (cs_session_get_function (fixture.session), ==, selected->callee);
  cs_session_set_search (fixture.session, "nothing has this", FALSE);
  settle (&fixture);
  g_assert_cmpuint (cs_site_page_get_n (fixture.sites), ==, 0);
  cs_session_set_search (fixture.session, "(", TRUE);
  settle (&fixture);
  close_recording (&fixture);
}

static void
test_names (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *name = g_strnfill (4000, 'n');
  g_autofree char *cut = cs_place_dup_cut (name);
  g_autofree char *same = cs_place_dup_cut ("short");
  const CsCallLogEntry entry = { .n = 12, .address = 1, .repaired = 2, .depth = 90 };
  const CsCallLogRow row = { .entry = &entry, .level = 90 };
  GtkWidget *cell = g_object_ref_sink (cs_call_log_cell_new (G_CALLBACK (settle), NULL));
  GtkWidget *label = gtk_widget_get_next_sibling (gtk_widget_get_first_child (cell));
  GtkWidget *tag = gtk_widget_get_next_sibling (label);

  g_assert_cmpint (g_utf8_strlen (cut, -1), ==, 201);
  g_assert_cmpstr (same, ==, "short");
  cs_call_log_cell_show (cell, &row, cut, TRUE);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (label)), ==, cut);
  /* Where rows stand no further in they say how deep they are. */
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (tag)), ==, "×12 · depth 91 · 2 repaired");
  g_assert_cmpint (gtk_widget_get_margin_start (cell), ==, CS_CALL_LOG_MOST_INDENT * 16);
  g_object_unref (cell);
}

/* Everything is asked for, and nothing waited for. */
static void
test_haste (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;

  for (guint i = 0; i < 3; i++)
    {
      CsSessionCall call = { .tid = 7, .address = RARE, .start = 1150, .depth = 1 };

      open_recording (&fixture, make_small ());
      for (guint j = 0; j < 20; j++)
        {
          cs_call_log_model_expand_below (fixture.model, j % 3);
          cs_session_set_call (fixture.session, &call);
          cs_session_set_search (fixture.session, j % 2 == 0 ? "3000" : "4000", FALSE);
          cs_call_log_page_find (fixture.log, j % 3 == 0);
          cs_session_set_range (fixture.session, j % 2 == 0, j, 100 + j);
          cs_call_log_model_collapse_all (fixture.model);
          if (j % 5 == 0)
            g_main_context_iteration (NULL, FALSE);
        }
      if (i > 0)
        settle (&fixture);
      if (i > 1)
        cs_session_close_recording (fixture.session);
      close_recording (&fixture);
    }
}

int
main (int argc, char *argv[])
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/calls/fold", test_fold);
  g_test_add_func ("/calls/keys", test_keys);
  g_test_add_func ("/calls/calls", test_calls);
  g_test_add_func ("/calls/narrow", test_narrow);
  g_test_add_func ("/calls/call-by-time", test_call_by_time);
  g_test_add_func ("/calls/filter", test_filter);
  g_test_add_func ("/calls/search", test_search);
  g_test_add_func ("/calls/entry", test_entry);
  g_test_add_func ("/calls/many", test_many);
  g_test_add_func ("/calls/deep", test_deep);
  g_test_add_func ("/calls/threads", test_threads);
  g_test_add_func ("/calls/sites", test_sites);
  g_test_add_func ("/calls/sites/names", test_sites_names);
  g_test_add_func ("/calls/sites/order", test_sites_order);
  g_test_add_func ("/calls/names", test_names);
  g_test_add_func ("/calls/haste", test_haste);
  return g_test_run ();
}
