/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline-view-fixture.h"

static void
test_range (void)
{
  ViewFixture fixture = { 0 };
  const CsProfileFilter *filter;
  gint64 from, to;

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  /* From the session. */
  g_assert_false (cs_timeline_chart_get_range (fixture.chart, &from, &to));
  g_assert_false (is_enabled (&fixture, "zoom-range"));
  cs_session_set_range (fixture.session, TRUE, 1500, 4700);
  wait_until_still (&fixture);
  g_assert_true (cs_timeline_chart_get_range (fixture.chart, &from, &to));
  g_assert_cmpint (from, ==, T0 + 1500);
  g_assert_cmpint (to, ==, T0 + 4700);
  act (&fixture, "zoom-range");
  cs_timeline_chart_get_window (fixture.chart, &from, &to);
  g_assert_cmpint (from, ==, T0 + 1500);
  g_assert_cmpint (to, ==, T0 + 4700);
  g_assert_true (cs_session_get_visible (fixture.session, &from, &to));
  g_assert_cmpint (from, ==, 1500);
  g_assert_cmpint (to, ==, 4700);
  act (&fixture, "clear-range");
  g_assert_false (cs_timeline_chart_get_range (fixture.chart, &from, &to));
  /* To the session: by the keys of the chart, and of a call. */
  send_to (&fixture, 11, WORK, 2000, 2300);
  g_assert_true (cs_timeline_chart_press_key (fixture.chart, GDK_KEY_bracketleft, 0));
  g_assert_true (cs_timeline_chart_press_key (fixture.chart, GDK_KEY_bracketright, 0));
  wait_until_still (&fixture);
  filter = cs_session_get_filter (fixture.session);
  g_assert_true (filter->has_from && filter->has_to && filter->relative);
  g_assert_cmpint (filter->from, ==, 2000);
  g_assert_true (cs_timeline_chart_get_range (fixture.chart, &from, &to));
  g_assert_cmpint (filter->to, ==, to - T0);
  send_to (&fixture, 12, WORK, 3500, 3700);
  act (&fixture, "select-call-range");
  filter = cs_session_get_filter (fixture.session);
  g_assert_cmpint (filter->from, ==, 3500);
  g_assert_cmpint (filter->to, ==, 3701);
  cs_session_back (fixture.session);
  wait_until_still (&fixture);
  g_assert_true (cs_timeline_chart_get_range (fixture.chart, &from, &to));
  g_assert_cmpint (from, ==, T0 + 2000);
  /* Elsewhere nothing of the time is in sight; nor is it a part where everything is. */
  act (&fixture, "fit");
  g_assert_false (cs_session_get_visible (fixture.session, &from, &to));
  act (&fixture, "zoom-in");
  g_assert_true (cs_session_get_visible (fixture.session, &from, &to));
  gtk_widget_activate_action (GTK_WIDGET (fixture.window), "win.view", "s", "hotspots");
  wait_until_still (&fixture);
  g_assert_false (cs_session_get_visible (fixture.session, &from, &to));
  close_view (&fixture);
}

/* WORK's calls of both threads take turns. */
static void
test_next (void)
{
  ViewFixture fixture = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  g_assert_false (is_enabled (&fixture, "next-call"));
  send_to (&fixture, 11, WORK, 0, 100);
  for (gint64 i = 0; i < N_CALLS; i++)
    {
      assert_selected (&fixture, 11, WORK, 1000 * i);
      act (&fixture, "next-call");
      assert_selected (&fixture, 12, WORK, 1000 * i + 500);
      act (&fixture, "next-call");
    }
  /* There is none behind the last one. */
  assert_selected (&fixture, 12, WORK, 8500);
  act (&fixture, "previous-call");
  assert_selected (&fixture, 11, WORK, 8000);
  act (&fixture, "previous-in-thread");
  assert_selected (&fixture, 11, WORK, 7000);
  act (&fixture, "next-in-thread");
  assert_selected (&fixture, 11, WORK, 8000);
  /* Threads that aren't shown are passed over. */
  cs_timeline_tracks_set_hidden (fixture.tracks, find_track (&fixture, 12), TRUE);
  act (&fixture, "previous-call");
  assert_selected (&fixture, 11, WORK, 7000);
  /* All views know. */
  g_assert_cmpint (cs_session_get_call (fixture.session)->start, ==, T0 + 7000);
  g_assert_cmpint (cs_session_get_call (fixture.session)->end, ==, T0 + 7800);
  g_assert_cmpuint (cs_session_get_call (fixture.session)->tid, ==, 11);
  act (&fixture, "clear-call");
  g_assert_null (cs_timeline_chart_get_call (fixture.chart));
  g_assert_null (cs_session_get_call (fixture.session));
  close_view (&fixture);
}

/* What was looked for before another call was chosen doesn't take its place. */
static void
test_late (void)
{
  ViewFixture fixture = { 0 };
  CsTimelineCall other;
  const guint *path;
  guint n;

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  send_to (&fixture, 12, PART, 5510, 5530);
  other = *cs_timeline_chart_get_call (fixture.chart);
  send_to (&fixture, 11, MAIN, 0, 10000);
  send_to (&fixture, 12, PART, 510, 530);
  gtk_widget_activate_action (GTK_WIDGET (fixture.window), "timeline.previous-in-thread", NULL);
  gtk_widget_activate_action (GTK_WIDGET (fixture.window), "timeline.next-call", NULL);
  cs_timeline_view_show_call (fixture.view, &other);
  wait_until_still (&fixture);
  assert_selected (&fixture, 12, PART, 5510);
  /* Nor does one go to the flame graph for a call that was left. */
  gtk_widget_activate_action (GTK_WIDGET (fixture.window), "timeline.show-flame-graph", NULL);
  cs_timeline_chart_press_key (fixture.chart, GDK_KEY_Escape, 0);
  wait_until_still (&fixture);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (fixture.view)));
  cs_timeline_view_show_call (fixture.view, &other);
  wait_until_still (&fixture);
  gtk_widget_activate_action (GTK_WIDGET (fixture.window), "timeline.show-flame-graph", NULL);
  while (gtk_widget_get_mapped (GTK_WIDGET (fixture.view)))
    g_main_context_iteration (NULL, TRUE);
  path = cs_session_get_path (fixture.session, &n);
  g_assert_nonnull (path);
  g_assert_cmpuint (n, ==, 2);
  close_view (&fixture);
}

/* Of a call that another view sends one to enough is seen, also where its thread was hidden. */
static void
test_call (void)
{
  ViewFixture fixture = { 0 };
  gint64 from, to;

  SKIP_WITHOUT_DISPLAY ();
  write_work (&fixture.recording);
  begin_thread (&fixture.recording, 7, 14);
  add_call (&fixture.recording, 0, G_GINT64_CONSTANT (60000000000), SLEEP);
  end_thread (&fixture.recording);
  open_view (&fixture);
  cs_timeline_tracks_set_hidden (fixture.tracks, find_track (&fixture, 12), TRUE);
  send_to (&fixture, 12, PART, 4510, 4530);
  assert_selected (&fixture, 12, PART, 4510);
  g_assert_true (cs_timeline_tracks_get_shown (fixture.tracks, find_track (&fixture, 12)));
  cs_timeline_chart_get_window (fixture.chart, &from, &to);
  g_assert_cmpint (from, <, T0 + 4510);
  g_assert_cmpint (to, >, T0 + 4530);
  g_assert_cmpint (to - from, <, 1000);
  /* A long one is shown whole. */
  send_to (&fixture, 13, SLEEP, 3000, 8000);
  cs_timeline_chart_get_window (fixture.chart, &from, &to);
  g_assert_cmpint (from, <=, T0 + 3000);
  g_assert_cmpint (to, >=, T0 + 8000);
  g_assert_cmpint (to - from, <, 10000);
  /* One that isn't there changes nothing. */
  send_to (&fixture, 13, SLEEP, 3001, 8000);
  assert_selected (&fixture, 13, SLEEP, 3000);
  send_to (&fixture, 99, SLEEP, 3000, 8000);
  assert_selected (&fixture, 13, SLEEP, 3000);
  close_view (&fixture);
}

static void
test_search (void)
{
  ViewFixture fixture = { 0 };
  GtkWidget *focus;

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  /* Other views show what is searched, too, and leave the focus where one types. */
  cs_view_start_search (CS_VIEW (fixture.view));
  focus = gtk_root_get_focus (GTK_ROOT (fixture.window));
  g_assert_true (gtk_widget_is_ancestor (focus, GTK_WIDGET (fixture.view)));
  cs_session_set_search (fixture.session, "x", FALSE);
  wait_until_still (&fixture);
  g_assert_true (gtk_root_get_focus (GTK_ROOT (fixture.window)) == focus);
  cs_session_set_search (fixture.session, "", FALSE);
  g_assert_false (is_enabled (&fixture, "next-match"));
  cs_session_set_search (fixture.session, "0X3000", FALSE);
  wait_until_still (&fixture);
  g_assert_cmpstr (cs_timeline_view_get_found (fixture.view), ==, "1 function · 9 calls");
  for (gint64 i = 0; i < N_CALLS; i++)
    {
      act (&fixture, "next-match");
      assert_selected (&fixture, 12, PART, 1000 * i + 510);
    }
  act (&fixture, "previous-match");
  assert_selected (&fixture, 12, PART, 7510);
  /* The window's keys, wherever the focus is. */
  gtk_widget_activate_action (GTK_WIDGET (fixture.window), "win.next-match", NULL);
  wait_until_still (&fixture);
  assert_selected (&fixture, 12, PART, 8510);
  gtk_widget_activate_action (GTK_WIDGET (fixture.window), "win.previous-match", NULL);
  wait_until_still (&fixture);
  assert_selected (&fixture, 12, PART, 7510);
  /* Of two functions. */
  cs_session_set_search (fixture.session, "0x[13]000", TRUE);
  wait_until_still (&fixture);
  g_assert_cmpstr (cs_timeline_view_get_found (fixture.view), ==, "2 functions · 10 calls");
  send_to (&fixture, 12, PART, 510, 530);
  act (&fixture, "previous-match");
  assert_selected (&fixture, 11, MAIN, 0);
  act (&fixture, "next-match");
  assert_selected (&fixture, 12, PART, 510);
  /* What a pan brings into view stands out, too, though nothing has to be read for it. */
  cs_session_set_search (fixture.session, "0x3000", FALSE);
  cs_timeline_chart_set_window (fixture.chart, T0 + 1000, T0 + 2000, FALSE);
  wait_until_still (&fixture);
  g_assert_cmpuint (fixture.chart->found->len, ==, 1);
  cs_timeline_chart_pan (fixture.chart, cs_timeline_chart_get_axis_width (fixture.chart), 0, FALSE);
  g_assert_true (cs_timeline_chart_get_sharp (fixture.chart));
  wait_until_still (&fixture);
  g_assert_cmpuint (fixture.chart->found->len, ==, 1);
  g_assert_cmpint (g_array_index (fixture.chart->found, CsTimelineCall, 0).span.start, ==, T0 + 2510);
  /* All is pale where nothing of it is in sight, and as it was without a search. */
  cs_timeline_chart_set_window (fixture.chart, T0 + 2700, T0 + 2900, FALSE);
  wait_until_still (&fixture);
  g_assert_cmpuint (fixture.chart->found->len, ==, 0);
  g_assert_nonnull (fixture.chart->found_index);
  cs_session_set_search (fixture.session, "", FALSE);
  wait_until_still (&fixture);
  g_assert_null (fixture.chart->found_index);
  cs_session_set_search (fixture.session, "[", TRUE);
  wait_until_still (&fixture);
  assert_text_has (cs_timeline_view_get_found (fixture.view), "Not a regular expression");
  g_assert_false (is_enabled (&fixture, "next-match"));
  cs_session_set_search (fixture.session, "nowhere", FALSE);
  wait_until_still (&fixture);
  g_assert_cmpstr (cs_timeline_view_get_found (fixture.view), ==, "No function matches");
  close_view (&fixture);
}

static void
count_call (guint *n)
{
  ++*n;
}

/* What isn't known of a call that one is sent to is told to the other views when it has been found, once. */
static void
test_complete (void)
{
  ViewFixture fixture = { 0 };
  CsSessionCall call = { .tid = 12, .start = T0 + 4500, .end = T0 + 4750, .depth = G_MAXUINT32 };
  const CsTimelineCall *selected;
  guint n = 0;

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  g_signal_connect_swapped (fixture.session, "notify::call", G_CALLBACK (count_call), &n);
  cs_session_set_call (fixture.session, &call);
  wait_until_still (&fixture);
  assert_selected (&fixture, 12, WORK, 4500);
  selected = cs_timeline_chart_get_call (fixture.chart);
  g_assert_cmpuint (n, ==, 2);
  call = *cs_session_get_call (fixture.session);
  g_assert_cmphex (call.address, ==, WORK);
  g_assert_cmpuint (call.depth, ==, 0);
  g_assert_cmpuint (call.position, ==, selected->span.position);
  g_assert_cmpint (call.start, ==, T0 + 4500);
  g_assert_cmpint (call.end, ==, T0 + 4750);
  g_assert_cmpuint (call.tid, ==, 12);
  /* Of one that is known nothing more is told. */
  cs_session_set_call (fixture.session, &call);
  wait_until_still (&fixture);
  g_assert_cmpuint (n, ==, 3);
  close_view (&fixture);
}

/* A filter that the timeline doesn't apply is told of as long as it is there. */
static void
test_function_filter (void)
{
  ViewFixture fixture = { 0 };
  char function[] = "0x3000";
  const CsProfileFilter filter = { .function = function }, none = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  g_assert_null (strstr (cs_timeline_view_get_status (fixture.view), "filter"));
  cs_session_set_filter (fixture.session, &filter);
  wait_until_still (&fixture);
  assert_text_has (cs_timeline_view_get_status (fixture.view), "“In 0x3000” applies to other views, not here · Grey blocks hold");
  cs_session_set_filter (fixture.session, &none);
  wait_until_still (&fixture);
  g_assert_cmpstr (cs_timeline_view_get_status (fixture.view), ==, "Grey blocks hold calls too short to draw — zoom in");
  close_view (&fixture);
}

/* A match that is less than a pixel wide is zoomed to. */
static void
test_near (void)
{
  ViewFixture fixture = { 0 };
  gint64 from, to;

  SKIP_WITHOUT_DISPLAY ();
  write_work (&fixture.recording);
  begin_thread (&fixture.recording, 7, 14);
  add_call (&fixture.recording, 0, G_GINT64_CONSTANT (60000000000), SLEEP);
  end_thread (&fixture.recording);
  open_view (&fixture);
  cs_session_set_search (fixture.session, "0x3000", FALSE);
  wait_until_still (&fixture);
  act (&fixture, "next-match");
  assert_selected (&fixture, 12, PART, 510);
  cs_timeline_chart_get_window (fixture.chart, &from, &to);
  g_assert_cmpint (from, <, T0 + 510);
  g_assert_cmpint (to, >, T0 + 530);
  g_assert_cmpfloat (20 * cs_timeline_chart_get_axis_width (fixture.chart) / (double) (to - from), >=, 20);
  /* The next one is as wide already. */
  {
    gint64 span = to - from;

    act (&fixture, "next-match");
    assert_selected (&fixture, 12, PART, 1510);
    cs_timeline_chart_get_window (fixture.chart, &from, &to);
    g_assert_cmpint (ABS (to - from - span), <=, 2);
  }
  close_view (&fixture);
}

/* The key's action, where the view has it. */
static const char *
find_key (GtkWidget *widget, guint keyval, GdkModifierType state)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      for (guint j = 0; GTK_IS_SHORTCUT_CONTROLLER (controller) && j < g_list_model_get_n_items (G_LIST_MODEL (controller)); j++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), j);
          GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

          if (GTK_IS_KEYVAL_TRIGGER (trigger) && gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) == keyval
              && gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) == state)
            return gtk_named_action_get_action_name (GTK_NAMED_ACTION (gtk_shortcut_get_action (shortcut)));
        }
    }
  return NULL;
}

static gpointer
find_widget (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      gpointer found = find_widget (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* The nearest widget above that has the key. */
static const char *
find_key_from (GtkWidget *widget, guint keyval)
{
  for (; widget != NULL && !GTK_IS_WINDOW (widget); widget = gtk_widget_get_parent (widget))
    {
      const char *action = find_key (widget, keyval, 0);

      if (action != NULL)
        return action;
    }
  return NULL;
}

static void
test_keys (void)
{
  ViewFixture fixture = { 0 };
  GtkWidget *entry;

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  g_assert_cmpstr (find_key_from (GTK_WIDGET (fixture.chart), GDK_KEY_period), ==, "timeline.next-call");
  g_assert_cmpstr (find_key_from (GTK_WIDGET (fixture.chart), GDK_KEY_comma), ==, "timeline.previous-call");
  g_assert_cmpstr (find_key_from (GTK_WIDGET (fixture.chart), GDK_KEY_p), ==, "timeline.pin-thread");
  /* Entries aren't inside what has these keys. */
  entry = find_widget (GTK_WIDGET (fixture.view), GTK_TYPE_SEARCH_ENTRY);
  g_assert_nonnull (entry);
  g_assert_null (find_key_from (entry, GDK_KEY_period));
  g_assert_null (find_key_from (find_widget (GTK_WIDGET (cs_timeline_view_get_longer (fixture.view)), GTK_TYPE_ENTRY),
                                GDK_KEY_period));
  /* By the keys of the chart alone: into the first call, along its row, zoomed to, left again. */
  gtk_widget_grab_focus (GTK_WIDGET (fixture.view));
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (fixture.chart)));
  g_assert_true (cs_timeline_chart_press_key (fixture.chart, GDK_KEY_Down, 0));
  while (cs_timeline_chart_get_call (fixture.chart) == NULL)
    g_main_context_iteration (NULL, TRUE);
  assert_selected (&fixture, 11, MAIN, 0);
  act (&fixture, "pin-thread");
  g_assert_true (cs_track_item_get_pinned (cs_timeline_tracks_get_item (fixture.tracks, find_track (&fixture, 11))));
  act (&fixture, "hide-thread");
  assert_shown (&fixture, "12 13");
  close_view (&fixture);
}

/* The button of the bar with the text. */
static GtkWidget *
find_button (GtkWidget *widget, const char *label)
{
  if (GTK_IS_LABEL (widget) && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), label))
    return gtk_widget_get_ancestor (widget, GTK_TYPE_BUTTON);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_button (child, label);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* Using the bar leaves the keys to the chart. */
static void
test_focus (void)
{
  static const char *const labels[] = { "Measure", "Longer Than…", "3 threads" };
  ViewFixture fixture = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      GtkWidget *button = find_button (GTK_WIDGET (fixture.view), labels[i]);

      g_assert_nonnull (button);
      g_assert_false (gtk_widget_get_focus_on_click (button));
      g_assert_cmpstr (find_key_from (button, GDK_KEY_period), ==, "timeline.next-call");
    }
  gtk_widget_grab_focus (GTK_WIDGET (fixture.view));
  cs_timeline_view_popup_longer (fixture.view);
  wait_until_still (&fixture);
  g_assert_true (GTK_IS_TEXT (gtk_root_get_focus (GTK_ROOT (fixture.window))));
  g_assert_nonnull (gtk_widget_get_ancestor (gtk_root_get_focus (GTK_ROOT (fixture.window)), CS_TYPE_TIMELINE_LONGER));
  gtk_popover_popdown (GTK_POPOVER (gtk_widget_get_ancestor (GTK_WIDGET (cs_timeline_view_get_longer (fixture.view)),
                                                            GTK_TYPE_POPOVER)));
  while (!gtk_widget_has_focus (GTK_WIDGET (fixture.chart)))
    g_main_context_iteration (NULL, TRUE);
  /* The strip with a call's details goes away with the focus in it. */
  send_to (&fixture, 12, PART, 4510, 4530);
  gtk_widget_child_focus (GTK_WIDGET (cs_timeline_view_get_details (fixture.view)), GTK_DIR_TAB_FORWARD);
  g_assert_false (gtk_widget_has_focus (GTK_WIDGET (fixture.chart)));
  act (&fixture, "clear-call");
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (fixture.chart)));
  close_view (&fixture);
}

static char *
save (ViewFixture *fixture, gboolean image, gsize *size)
{
  g_autofree char *path = g_build_filename (fixture->recording.path, "picture", NULL);
  char *text = NULL;

  cs_timeline_save_start (fixture->view, image, path);
  while (g_list_model_get_n_items (G_LIST_MODEL (cs_session_get_jobs (fixture->session))) > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (g_file_get_contents (path, &text, size, NULL));
  return text;
}

static guint
count_texts (const char *text, const char *part)
{
  guint n = 0;

  for (const char *at = strstr (text, part); at != NULL; at = strstr (at + 1, part))
    n++;
  return n;
}

static void
test_save (void)
{
  ViewFixture fixture = { 0 };
  const CsTimelineMark marks[] = { { 1, T0 + 5000, T0 + 6000, CS_TIMELINE_MARK_OFF, "was off" },
                                   { 2, T0 + 5000, T0 + 5000, CS_TIMELINE_MARK_STOPPED, "hidden one" } };
  g_autofree char *svg = NULL;
  g_autofree char *png = NULL;
  gsize size;

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  cs_timeline_tracks_set_hidden (fixture.tracks, find_track (&fixture, 13), TRUE);
  cs_timeline_chart_set_window (fixture.chart, T0 + 4900, T0 + 7950, FALSE);
  wait_until_still (&fixture);
  cs_timeline_chart_set_marks (fixture.chart, marks, G_N_ELEMENTS (marks));
  svg = save (&fixture, FALSE, &size);
  g_assert_true (g_str_has_prefix (svg, "<?xml"));
  assert_text_has (svg, ">Thread 11<");
  assert_text_has (svg, ">Thread 12<");
  g_assert_null (strstr (svg, ">Thread 13<"));
  /* MAIN, and WORK and PART three times each thread. */
  g_assert_cmpuint (count_texts (svg, "<title>0x1000"), ==, 1);
  g_assert_cmpuint (count_texts (svg, "<title>0x2000"), ==, 6);
  g_assert_cmpuint (count_texts (svg, "<title>0x3000"), ==, 3);
  /* A cut is in the ruler, and at both ends over the thread; those of hidden threads are left out. */
  g_assert_cmpuint (count_texts (svg, "<title>was off</title>"), ==, 3);
  g_assert_null (strstr (svg, "hidden one"));
  png = save (&fixture, TRUE, &size);
  g_assert_cmpuint (size, >, 1000);
  g_assert_cmpint (memcmp (png, "\x89PNG", 4), ==, 0);
  close_view (&fixture);
}

/* A summary of one function. */
static void
write_summary (Recording *recording)
{
  struct trace_summary_header header = { TRACE_SUMMARY_MAGIC, TRACE_SUMMARY_VERSION, TRACE_SUMMARY_RECORD_SIZE,
                                         TRACE_SUMMARY_HEADER_SIZE, .pid = 7, .tid = 7, .records = 1 };
  struct trace_summary_record record = { .func = MAIN, .calls = 1, .incl = 6, .self = 6, .min = 6, .max = 6, .hist = { [6] = 1 } };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *path = NULL;

  begin_recording (recording);
  path = g_build_filename (recording->path, "trace.summary.7.7.bin", NULL);
  g_byte_array_append (bytes, (const guint8 *) &header, sizeof header);
  g_byte_array_append (bytes, (const guint8 *) &record, sizeof record);
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
}

static void
test_nothing (void)
{
  ViewFixture fixture = { 0 };

  SKIP_WITHOUT_DISPLAY ();
  write_summary (&fixture.recording);
  open_view (&fixture);
  g_assert_cmpstr (cs_timeline_view_get_page (fixture.view), ==, "nothing");
  g_assert_false (is_enabled (&fixture, "fit"));
  g_assert_false (is_enabled (&fixture, "table"));
  g_assert_false (is_enabled (&fixture, "next-call"));
  close_view (&fixture);
  /* No events at all. */
  fixture = (ViewFixture){ 0 };
  begin_recording (&fixture.recording);
  begin_thread (&fixture.recording, 7, 11);
  end_thread (&fixture.recording);
  open_view (&fixture);
  g_assert_cmpstr (cs_timeline_view_get_page (fixture.view), ==, "nothing");
  close_view (&fixture);
  /* A single call of no length. */
  fixture = (ViewFixture){ 0 };
  begin_recording (&fixture.recording);
  begin_thread (&fixture.recording, 7, 11);
  add_call (&fixture.recording, 0, 0, MAIN);
  end_thread (&fixture.recording);
  open_view (&fixture);
  g_assert_cmpstr (cs_timeline_view_get_page (fixture.view), ==, "chart");
  send_to (&fixture, 11, MAIN, 0, 0);
  assert_selected (&fixture, 11, MAIN, 0);
  act (&fixture, "next-call");
  act (&fixture, "zoom-call");
  act (&fixture, "select-call-range");
  close_view (&fixture);
}

/* A recording that is closed while calls are looked for. */
static void
test_close (void)
{
  ViewFixture fixture = { 0 };
  const CsSessionCall call = { .tid = 12, .start = T0 + 510, .end = T0 + 530, .address = PART, .depth = G_MAXUINT32 };

  SKIP_WITHOUT_DISPLAY ();
  open_work (&fixture);
  for (guint i = 0; i < 5; i++)
    {
      cs_session_set_search (fixture.session, i % 2 == 0 ? "0x" : "3", FALSE);
      cs_session_set_call (fixture.session, &call);
      cs_timeline_longer_search (cs_timeline_view_get_longer (fixture.view), "1 ns", FALSE);
      g_main_context_iteration (NULL, FALSE);
      cs_session_close_recording (fixture.session);
      g_assert_null (cs_timeline_chart_get_timeline (fixture.chart));
      g_assert_null (cs_timeline_chart_get_call (fixture.chart));
      cs_session_open_recording (fixture.session, (const char *[]){ fixture.recording.path, NULL });
      while (is_reading (&fixture))
        g_main_context_iteration (NULL, TRUE);
      wait_until_still (&fixture);
      g_assert_null (cs_timeline_chart_get_call (fixture.chart));
      assert_shown (&fixture, "11 12 13");
      gtk_widget_activate_action (GTK_WIDGET (fixture.window), "win.view", "s", "timeline");
    }
  close_view (&fixture);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/timeline-view/range", test_range);
  g_test_add_func ("/app/timeline-view/next", test_next);
  g_test_add_func ("/app/timeline-view/late", test_late);
  g_test_add_func ("/app/timeline-view/call", test_call);
  g_test_add_func ("/app/timeline-view/complete", test_complete);
  g_test_add_func ("/app/timeline-view/function-filter", test_function_filter);
  g_test_add_func ("/app/timeline-view/search", test_search);
  g_test_add_func ("/app/timeline-view/near", test_near);
  g_test_add_func ("/app/timeline-view/keys", test_keys);
  g_test_add_func ("/app/timeline-view/focus", test_focus);
  g_test_add_func ("/app/timeline-view/save", test_save);
  g_test_add_func ("/app/timeline-view/nothing", test_nothing);
  g_test_add_func ("/app/timeline-view/close", test_close);
  return g_test_run ();
}
