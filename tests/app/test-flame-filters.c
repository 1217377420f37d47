/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "flame-view-fixture.h"
#include "report/cs-report.h"

/* Whether a label or, where `tooltip', a tooltip has the text in it. */
static gboolean
says (GtkWidget *widget, const char *text, gboolean tooltip)
{
  const char *said = tooltip ? gtk_widget_get_tooltip_text (widget) : NULL;

  if (!tooltip && GTK_IS_LABEL (widget))
    said = gtk_label_get_text (GTK_LABEL (widget));
  if (said != NULL && strstr (said, text) != NULL)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (says (child, text, tooltip))
      return TRUE;
  return FALSE;
}

/* Filters are told by chips, and not by a warning as well. */
static void
test_filter_notices (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  GtkWidget *window;
  guint first;

  open_flame (&fixture, write_recording ());
  window = GTK_WIDGET (fixture.base.window);
  g_assert_false (says (window, "over an edge of that time", TRUE));
  cs_session_set_range (fixture.base.session, TRUE, 550, 583);
  settle (&fixture);
  g_assert_cmpuint (cs_profile_get_filter_notices (cs_session_get_profile (fixture.base.session), &first), ==, 2);
  g_assert_true (says (window, "550 ns – 583 ns", FALSE));
  g_assert_true (says (window, "over an edge of that time", TRUE));
  g_assert_false (says (window, "this is a part of the recording", FALSE));
  g_assert_false (says (window, "over an edge of that time", FALSE));
  close_flame (&fixture);
}

static void
assert_found (FlameFixture *fixture, guint64 time, const char *nodes)
{
  guint64 found_time;
  guint n;
  const guint32 *found = cs_flame_search_get_found (fixture->search, &n);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? " " : "", found[i]);
  g_assert_cmpstr (text->str, ==, nodes);
  g_assert_true (cs_flame_search_get_time (fixture->search, &found_time));
  g_assert_cmpuint (found_time, ==, time);
}

static GtkWidget *
find_entry (GtkWidget *widget)
{
  GtkWidget *found = GTK_IS_SEARCH_ENTRY (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_entry (child);
  return found;
}

static void
get_place (GtkWidget *widget, GtkWidget *within, graphene_rect_t *place)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
  gtk_test_widget_wait_for_draw (widget);
  g_assert_true (gtk_widget_compute_bounds (widget, within, place));
}

/* What one types moves nothing. */
static void
test_search_place (void)
{
  SKIP_WITHOUT_DISPLAY ();
  static const char *const texts[] = { "0x", "0x4000", "nothing of that name", "0x[45", "" };
  FlameFixture fixture;
  GtkWidget *view, *entry;
  graphene_rect_t first, now;
  int least;

  open_flame (&fixture, write_recording ());
  view = GTK_WIDGET (fixture.view);
  entry = find_entry (view);
  get_place (entry, view, &first);
  g_assert_cmpfloat (first.size.width, >, 150);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      cs_session_set_search (fixture.base.session, texts[i], FALSE);
      settle (&fixture);
      cs_flame_search_step (fixture.search, FALSE);
      get_place (entry, view, &now);
      g_test_message ("%s: %g %g", texts[i], now.origin.x, now.size.width);
      g_assert_true (graphene_rect_equal (&first, &now));
      gtk_widget_measure (view, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      g_test_message ("least %d of %d", least, gtk_widget_get_width (view));
      g_assert_cmpint (least, <=, 360);
    }
  close_flame (&fixture);
}

static void
test_search (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  guint64 time;
  GtkWidget *view, *entry;

  open_flame (&fixture, write_recording ());
  view = GTK_WIDGET (fixture.view);
  g_assert_false (cs_flame_search_get_time (fixture.search, &time));
  /* Enter needn't wait for what is found. */
  entry = find_entry (GTK_WIDGET (fixture.search));
  gtk_editable_set_text (GTK_EDITABLE (entry), "0x5000");
  g_signal_emit_by_name (entry, "activate");
  settle (&fixture);
  assert_found (&fixture, 22, "8 9");
  g_assert_cmpuint (cs_flame_chart_get_cursor (fixture.chart), ==, 8);
  g_assert_true (has_text (view, "1 of 2"));
  cs_session_set_search (fixture.base.session, "", FALSE);
  cs_session_set_search (fixture.base.session, "0x5000", FALSE);
  settle (&fixture);
  g_assert_true (has_text (view, "3.7 %")); /* 22 of 600 */
  g_assert_true (has_text (view, "2"));
  /* Time counts once where one match is inside another: outer 30 with inner in it, and the other inner 1. */
  cs_session_set_search (fixture.base.session, "0x[45]000$", TRUE);
  settle (&fixture);
  assert_found (&fixture, 31, "5 8 9");
  g_assert_true (has_text (view, "5.2 %"));
  act (&fixture, "flame-graph.find-next");
  g_assert_cmpuint (cs_flame_chart_get_cursor (fixture.chart), ==, 5);
  g_assert_true (has_text (view, "1 of 3"));
  act (&fixture, "flame-graph.find-previous");
  g_assert_cmpuint (cs_flame_chart_get_cursor (fixture.chart), ==, 9);
  g_assert_true (has_text (view, "3 of 3"));
  act (&fixture, "flame-graph.find-next");
  g_assert_cmpuint (cs_flame_chart_get_cursor (fixture.chart), ==, 5);
  /* A pattern that means nothing is said to; what was found stays. */
  cs_session_set_search (fixture.base.session, "0x[45", TRUE);
  settle (&fixture);
  g_assert_nonnull (strstr (cs_flame_search_get_error (fixture.search), "Not a regular expression"));
  g_assert_true (has_text (view, cs_flame_search_get_error (fixture.search)));
  assert_found (&fixture, 31, "5 8 9");
  cs_session_set_search (fixture.base.session, "0x[45", FALSE);
  settle (&fixture);
  g_assert_null (cs_flame_search_get_error (fixture.search));
  assert_found (&fixture, 0, "");
  g_assert_true (has_text (view, "no match"));
  g_assert_null (cs_flame_search_get_hint (fixture.search)); /* nor is it one */
  /* What was meant as one is said to be none yet. */
  cs_session_set_search (fixture.base.session, "0x[45]000$", FALSE);
  settle (&fixture);
  g_assert_true (has_text (view, "no match"));
  g_assert_true (has_text (view, "No match — as a regular expression? Press .*"));
  cs_session_set_search (fixture.base.session, "0x[45]000$", TRUE);
  settle (&fixture);
  g_assert_false (has_text (view, "No match — as a regular expression? Press .*"));
  cs_session_set_search (fixture.base.session, "nothing", FALSE);
  settle (&fixture);
  g_assert_null (cs_flame_search_get_hint (fixture.search));
  /* The search goes on in another layout. */
  cs_session_set_search (fixture.base.session, "0x4000", FALSE);
  settle (&fixture);
  assert_found (&fixture, 30, "5");
  act (&fixture, "flame-graph.kind::callers");
  assert_found (&fixture, 30, "6 11"); /* outer by itself 9, and as the caller of inner 21 */
  cs_session_set_search (fixture.base.session, "", FALSE);
  settle (&fixture);
  g_assert_false (cs_flame_search_get_time (fixture.search, &time));
  close_flame (&fixture);
}

/* The n-th chip; what is behind them is the button that takes all back. */
static GtkWidget *
get_chip (GtkWidget *widget, const char *css_class, guint *n)
{
  if (gtk_widget_has_css_class (widget, css_class) && (*n)-- == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = get_chip (child, css_class, n);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
click_chip (FlameFixture *fixture, guint n)
{
  GtkWidget *chip = get_chip (GTK_WIDGET (fixture->view), "chip", &n);

  g_assert_nonnull (chip);
  g_signal_emit_by_name (chip, "clicked");
  settle (fixture);
}

static void
test_marks (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  guint n;

  open_flame (&fixture, write_recording ());
  set_cursor (&fixture, OUTER);
  act (&fixture, "flame-graph.hide-function");
  assert_frames (&fixture, "1:598 8:2 / 3:275 2:30 5:21 6:12 7:1 5:1 / 6:8");
  g_assert_true (has_text (GTK_WIDGET (fixture.view), "Without 0x4000"));
  set_cursor (&fixture, TWICE);
  act (&fixture, "flame-graph.only-function");
  assert_frames (&fixture, "1:12 / 6:12 / 6:8");
  g_assert_true (has_text (GTK_WIDGET (fixture.view), "Only 0x6000"));
  /* Each can be taken back, also where nothing of its function is left by a filter. */
  cs_session_set_range (fixture.base.session, TRUE, 0, 40);
  settle (&fixture);
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "nothing");
  g_assert_true (has_text (GTK_WIDGET (fixture.view), "All Is Hidden"));
  click_chip (&fixture, 1);
  assert_frames (&fixture, "1:40 / 2:30");
  act (&fixture, "win.back");
  act (&fixture, "win.back");
  assert_frames (&fixture, "1:12 / 6:12 / 6:8");
  act (&fixture, "flame-graph.show-all");
  cs_session_get_marks (fixture.base.session, &n);
  g_assert_cmpuint (n, ==, 0);
  assert_frames (&fixture, "1:598 8:2 / 3:275 2:30 4:30 6:12 7:1 5:1 / 5:21 6:8");
  /* Everything is in one module, which is none. */
  set_cursor (&fixture, MAIN);
  act (&fixture, "flame-graph.hide-module");
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "nothing");
  g_assert_true (has_text (GTK_WIDGET (fixture.view), "Show All"));
  act (&fixture, "flame-graph.show-all");
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "chart");
  close_flame (&fixture);
}

static char *
write_report (CsProfile *profile, CsReportFormat format)
{
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  const CsReportOptions options = { 0 };

  g_assert_true (cs_report_write (profile, format, &options, memory, NULL, NULL));
  g_output_stream_close (memory, NULL, NULL);
  return g_strndup (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (memory)),
                    g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (memory)));
}

/* The sum of the inclusive times of the outermost calls in a text report of the call tree, ns: of the rows whose function
 * isn't indented. */
static guint64
sum_roots (const char *report)
{
  g_auto (GStrv) lines = g_strsplit (report, "\n", -1);
  guint64 sum = 0;

  for (guint i = 1; lines[i] != NULL; i++)
    {
      unsigned long calls, ms, us, self_ms, self_us, whole, part;
      int end = 0;

      if (sscanf (lines[i], "%lu %lu.%lu %lu.%lu %lu.%lu%n", &calls, &ms, &us, &self_ms, &self_us, &whole, &part, &end) == 7
          && lines[i][end + 2] != ' ')
        sum += 1000 * (1000 * (guint64) ms + us);
    }
  return sum;
}

/* Two threads, in whole µs, since reports round: `main' 2,000 with 5 × `leaf' of 100, twice, and `other' 700. */
static char *
write_threads (void)
{
  char *folder;
  g_autofree char *path = NULL;
  GByteArray *recording = test_recording_new ();

  for (guint64 i = 0; i < 2; i++)
    {
      test_recording_add (recording, i * 3000000, MAIN, TRACE_KIND_ENTER);
      for (guint64 j = 0; j < 5; j++)
        {
          test_recording_add (recording, i * 3000000 + j * 300000, THREES, TRACE_KIND_ENTER);
          test_recording_add (recording, i * 3000000 + j * 300000 + 100000, THREES, TRACE_KIND_EXIT);
        }
      test_recording_add (recording, i * 3000000 + 2000000, MAIN, TRACE_KIND_EXIT);
    }
  folder = test_recording_write (recording);
  recording = test_recording_new ();
  test_recording_add (recording, 1000, FIVES, TRACE_KIND_ENTER);
  test_recording_add (recording, 701000, FIVES, TRACE_KIND_EXIT);
  for (guint i = 0; i < 2; i++)
    ((struct trace_event *) (gpointer) (recording->data + sizeof (struct trace_header)))[i].tid = 8;
  path = g_build_filename (folder, "trace.7.8.0.bin", NULL);
  g_assert_true (g_file_set_contents (path, (const char *) recording->data, (gssize) recording->len, NULL));
  g_byte_array_unref (recording);
  return folder;
}

static void
close_threads (FlameFixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->base.folder, "trace.7.8.0.bin", NULL);

  g_unlink (path);
  close_flame (fixture);
}

/* The roots of the flame graph are as wide as the outermost calls of all threads took, which is what reports say. */
static void
test_sum (void)
{
  SKIP_WITHOUT_DISPLAY ();
  const guint64 total = 4700000;
  FlameFixture fixture;
  CsFlameNode root, child;
  CsProfile *profile;
  guint n_nodes;
  const CsCallNode *nodes;
  guint64 widths = 0, roots = 0;
  g_autofree char *json = NULL;
  g_autofree char *tree = NULL;

  open_flame (&fixture, write_threads ());
  profile = cs_session_get_profile (fixture.base.session);
  cs_flame_layout_get_node (get_layout (&fixture), 0, &root);
  for (guint i = 0; i < root.n_children; i++)
    {
      cs_flame_layout_get_node (get_layout (&fixture), root.first_child + i, &child);
      widths += child.width;
    }
  nodes = cs_profile_get_tree (profile, &n_nodes);
  for (guint32 i = nodes[0].first_child; i != 0; i = nodes[i].next_sibling)
    roots += nodes[i].incl;
  g_assert_cmpuint (widths, ==, total);
  g_assert_cmpuint (roots, ==, total);
  g_assert_cmpuint (root.width, ==, total);
  json = write_report (profile, CS_REPORT_JSON);
  tree = write_report (profile, CS_REPORT_TREE);
  g_assert_cmpuint (g_ascii_strtoull (strstr (json, "\"self_ns\":") + strlen ("\"self_ns\":"), NULL, 10), ==, total);
  g_assert_cmpuint (sum_roots (tree), ==, total);
  g_assert_true (has_text (GTK_WIDGET (fixture.view), "4.70 ms · 3 frames · 2 deep"));
  close_threads (&fixture);
}

static void
assert_threads (FlameFixture *fixture, const char *expected)
{
  g_autoptr (GMenuModel) list = g_menu_model_get_item_link (G_MENU_MODEL (fixture->view->threads), 1, G_MENU_LINK_SECTION);
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < g_menu_model_get_n_items (list); i++)
    {
      g_autofree char *label = NULL;

      g_menu_model_get_item_attribute (list, i, G_MENU_ATTRIBUTE_LABEL, "s", &label);
      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", label);
    }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_threads (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;

  open_flame (&fixture, write_threads ());
  assert_threads (&fixture, "7, 8");
  assert_frames (&fixture, "1:4000000 3:700000 / 2:1000000");
  act (&fixture, "flame-graph.thread::8");
  assert_frames (&fixture, "3:700000");
  assert_focus (&fixture, 0, "thread 8");
  g_assert_cmpstr (cs_session_get_filter (fixture.base.session)->thread, ==, "8");
  act (&fixture, "flame-graph.thread::");
  assert_frames (&fixture, "1:4000000 3:700000 / 2:1000000");
  close_threads (&fixture);
}

/* Each thread is a frame of its own, with its calls below. */
static void
test_by_thread (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  const guint *path;
  guint n;

  open_flame (&fixture, write_threads ());
  act (&fixture, "flame-graph.threads::each");
  assert_frames (&fixture, "-:4000000 -:700000 / 1:4000000 3:700000 / 2:1000000");
  g_signal_emit_by_name (fixture.chart, "focus-requested", 2);
  settle (&fixture);
  assert_focus_node (&fixture, 2, "all threads › thread, tid 8");
  path = cs_session_get_path (fixture.base.session, &n);
  g_assert_null (path);
  cs_session_set_range (fixture.base.session, TRUE, 0, 500000);
  settle (&fixture);
  assert_frames (&fixture, "-:500000 -:499000 / 1:500000 3:499000 / 2:200000");
  assert_focus_node (&fixture, 2, "all threads › thread, tid 8");
  act (&fixture, "win.back");
  assert_focus_node (&fixture, 2, "all threads › thread, tid 8");
  g_signal_emit_by_name (fixture.chart, "focus-requested", 5);
  settle (&fixture);
  assert_focus_node (&fixture, 5, "all threads › thread, tid 7 › 0x1000 › 0x2000");
  path = cs_session_get_path (fixture.base.session, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (path[0], ==, find (&fixture.base, MAIN));
  act (&fixture, "flame-graph.up");
  act (&fixture, "flame-graph.up");
  assert_focus_node (&fixture, 1, "all threads › thread, tid 7");
  act (&fixture, "flame-graph.up");
  assert_focus_node (&fixture, 0, "all threads");
  act (&fixture, "win.back");
  assert_focus_node (&fixture, 3, "all threads › thread, tid 7 › 0x1000");
  act (&fixture, "flame-graph.kind::callers");
  assert_frames (&fixture, "-:4000000 -:700000 / 1:3000000 2:1000000 3:700000 / 1:1000000");
  act (&fixture, "flame-graph.kind::tree");
  /* The menu of a thread's frame. */
  cs_flame_chart_set_cursor (fixture.chart, 2);
  act (&fixture, "flame-graph.filter-thread");
  assert_frames (&fixture, "-:700000 / 3:700000");
  act (&fixture, "flame-graph.threads::merged");
  assert_frames (&fixture, "3:700000");
  close_threads (&fixture);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/flame-filters/filter-notices", test_filter_notices);
  g_test_add_func ("/app/flame-filters/search", test_search);
  g_test_add_func ("/app/flame-filters/search-place", test_search_place);
  g_test_add_func ("/app/flame-filters/marks", test_marks);
  g_test_add_func ("/app/flame-filters/sum", test_sum);
  g_test_add_func ("/app/flame-filters/threads", test_threads);
  g_test_add_func ("/app/flame-filters/by-thread", test_by_thread);
  return g_test_run ();
}
