/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "flame/cs-flame-save.h"
#include "flame/cs-flame-texts.h"
#include "flame/cs-flame-view-private.h"
#include "hotspots-fixture.h"
#include "report/cs-report.h"
#include "session/cs-session-private.h"
#include "shared/cs-settings.h"

/* What write_recording() is as a tree, in ns:
 *
 *   main 598 (self 250)                                             last 2 (self 1)
 *   fives 275, threes 30, outer 30 (self 9), twice 12 (self 4), lost 1     inner 1
 *                         inner 21           twice 8
 */
enum { N_NODES = 11 };

typedef struct
{
  Fixture base;
  CsFlameView *view;
  CsFlameChart *chart;
  CsFlameSearch *search;
} FlameFixture;

static void
settle (FlameFixture *fixture)
{
  gboolean busy;

  do
    {
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_object_get (fixture->base.session, "busy", &busy, NULL);
      if (busy || cs_flame_view_get_busy (fixture->view))
        g_main_context_iteration (NULL, TRUE);
    }
  while (busy || cs_flame_view_get_busy (fixture->view) || g_main_context_pending (NULL));
}

static void
act (FlameFixture *fixture, const char *detailed)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_action_parse_detailed_name (detailed, &name, &target, &error));
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (fixture->base.window), name, target));
  settle (fixture);
}

static void
reset_settings (void)
{
  static const char *const keys[] = { "flame-kind", "flame-order", "flame-shape", "flame-threads", "flame-collapse", "color-by" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_settings_reset (cs_settings_get (), keys[i]);
}

static void
open_flame (FlameFixture *fixture, char *folder)
{
  reset_settings ();
  open_recording (&fixture->base, folder);
  gtk_widget_activate_action (GTK_WIDGET (fixture->base.window), "win.view", "s", "flame-graph");
  fixture->view = CS_FLAME_VIEW (cs_window_get_view (fixture->base.window, "flame-graph"));
  fixture->chart = cs_flame_view_get_chart (fixture->view);
  fixture->search = cs_flame_view_get_search (fixture->view);
  settle (fixture);
}

static void
close_flame (FlameFixture *fixture)
{
  close_recording (&fixture->base);
  reset_settings ();
}

static CsFlameLayout *
get_layout (FlameFixture *fixture)
{
  return cs_flame_picture_get_layout (cs_flame_view_get_picture (fixture->view));
}

/* All frames in their order, each as the last part of its function's address, its depth in the picture being that of the
 * group it stands in. */
static char *
dup_frames (FlameFixture *fixture)
{
  GString *text = g_string_new (NULL);
  guint32 depth = 1;

  for (guint32 i = 1; i < cs_flame_layout_get_n_nodes (get_layout (fixture)); i++)
    {
      CsFlameNode node;
      const CsFunction *function = cs_flame_picture_get_function (cs_flame_view_get_picture (fixture->view), i);

      cs_flame_layout_get_node (get_layout (fixture), i, &node);
      g_string_append (text, i == 1 ? "" : node.depth > depth ? " / " : " ");
      if (function != NULL)
        g_string_append_printf (text, "%" G_GINT64_MODIFIER "x", function->location.address >> 12);
      else
        g_string_append_c (text, '-'); /* a thread */
      g_string_append_printf (text, ":%" G_GUINT64_FORMAT, node.width);
      depth = node.depth;
    }
  return g_string_free (text, FALSE);
}

static void
assert_frames (FlameFixture *fixture, const char *expected)
{
  g_autofree char *frames = dup_frames (fixture);

  g_assert_cmpstr (frames, ==, expected);
  g_assert_true (cs_flame_chart_get_layout (fixture->chart) == get_layout (fixture));
}

/* The widest frame of a function. */
static guint32
get_frame (FlameFixture *fixture, guint64 address)
{
  return cs_flame_picture_find_widest (cs_flame_view_get_picture (fixture->view), find (&fixture->base, address));
}

static void
assert_focus_node (FlameFixture *fixture, guint32 node, const char *crumbs)
{
  g_autofree char *text = cs_flame_crumbs_dup_text (cs_flame_view_get_crumbs (fixture->view));

  g_assert_cmpuint (cs_flame_chart_get_focus (fixture->chart), ==, node);
  g_assert_cmpstr (text, ==, crumbs);
}

static void
assert_focus (FlameFixture *fixture, guint64 address, const char *crumbs)
{
  assert_focus_node (fixture, address != 0 ? get_frame (fixture, address) : 0, crumbs);
}

static void
test_options (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  CsFlameView *second;
  g_autofree char *kind = NULL;
  g_autofree char *order = NULL;

  open_flame (&fixture, write_recording ());
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "chart");
  assert_frames (&fixture, "1:598 8:2 / 3:275 2:30 4:30 6:12 7:1 5:1 / 5:21 6:8");
  act (&fixture, "flame-graph.order::name");
  assert_frames (&fixture, "1:598 8:2 / 2:30 3:275 4:30 6:12 7:1 5:1 / 5:21 6:8");
  act (&fixture, "flame-graph.order::first-call");
  assert_frames (&fixture, "1:598 8:2 / 2:30 3:275 4:30 6:12 7:1 5:1 / 5:21 6:8");
  act (&fixture, "flame-graph.collapse");
  assert_frames (&fixture, "1:598 8:2 / 2:30 3:275 4:30 6:12 7:1 5:1 / 5:21");
  act (&fixture, "flame-graph.order::time");
  act (&fixture, "flame-graph.kind::callers");
  assert_frames (&fixture, "3:275 1:250 2:30 5:22 6:12 4:9 7:1 8:1 / 1:275 1:30 4:21 8:1 1:12 1:9 1:1 / 1:21");
  act (&fixture, "flame-graph.collapse");
  act (&fixture, "flame-graph.kind::tree");
  assert_frames (&fixture, "1:598 8:2 / 3:275 2:30 4:30 6:12 7:1 5:1 / 5:21 6:8");
  /* Another window begins with what was chosen last; this one stays as it is. */
  g_settings_set_string (cs_settings_get (), "flame-order", "name"); /* in another window */
  act (&fixture, "flame-graph.shape::flame");
  act (&fixture, "flame-graph.kind::callers");
  order = g_settings_get_string (cs_settings_get (), "flame-order");
  g_assert_cmpstr (order, ==, "name");
  second = g_object_ref_sink (g_object_new (CS_TYPE_FLAME_VIEW, NULL));
  g_action_group_get_action_state (cs_view_get_actions (CS_VIEW (second)), "kind");
  g_variant_get (g_action_group_get_action_state (cs_view_get_actions (CS_VIEW (second)), "kind"), "s", &kind);
  g_assert_cmpstr (kind, ==, "callers");
  g_object_unref (second);
  close_flame (&fixture);
}

static void
test_path (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  const guint *path;
  guint n;

  open_flame (&fixture, write_recording ());
  assert_focus (&fixture, 0, "all threads");
  /* A frame that is clicked is the session's, and can be gone back from. */
  g_signal_emit_by_name (fixture.chart, "focus-requested", get_frame (&fixture, INNER));
  settle (&fixture);
  path = cs_session_get_path (fixture.base.session, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (path[0], ==, find (&fixture.base, MAIN));
  g_assert_cmpuint (path[1], ==, find (&fixture.base, OUTER));
  g_assert_cmpuint (path[2], ==, find (&fixture.base, INNER));
  assert_focus (&fixture, INNER, "all threads › 0x1000 › 0x4000 › 0x5000");
  g_signal_emit_by_name (fixture.chart, "step-out");
  settle (&fixture);
  assert_focus (&fixture, OUTER, "all threads › 0x1000 › 0x4000");
  act (&fixture, "flame-graph.up-to(uint32 0)");
  assert_focus (&fixture, 0, "all threads");
  act (&fixture, "win.back");
  assert_focus (&fixture, OUTER, "all threads › 0x1000 › 0x4000");
  act (&fixture, "win.back");
  assert_focus (&fixture, INNER, "all threads › 0x1000 › 0x4000 › 0x5000");
  act (&fixture, "win.forward");
  assert_focus (&fixture, OUTER, "all threads › 0x1000 › 0x4000");
  /* It is found again in another layout and in another profile. */
  act (&fixture, "flame-graph.order::name");
  assert_focus (&fixture, OUTER, "all threads › 0x1000 › 0x4000");
  cs_session_set_range (fixture.base.session, TRUE, 550, 583);
  settle (&fixture);
  assert_focus (&fixture, OUTER, "all threads › 0x1000 › 0x4000");
  assert_frames (&fixture, "1:33 / 4:30 / 5:21");
  act (&fixture, "win.back");
  /* In a tree of callers the focus is the view's own. */
  act (&fixture, "flame-graph.kind::callers");
  assert_focus (&fixture, 0, "all threads");
  g_signal_emit_by_name (fixture.chart, "focus-requested", get_frame (&fixture, INNER));
  settle (&fixture);
  assert_focus (&fixture, INNER, "all threads › 0x5000");
  cs_session_get_path (fixture.base.session, &n);
  g_assert_cmpuint (n, ==, 2);
  act (&fixture, "flame-graph.order::time");
  assert_focus (&fixture, INNER, "all threads › 0x5000");
  cs_session_set_range (fixture.base.session, TRUE, 550, 583);
  settle (&fixture);
  assert_focus (&fixture, INNER, "all threads › 0x5000");
  act (&fixture, "win.back");
  assert_focus (&fixture, INNER, "all threads › 0x5000");
  g_signal_emit_by_name (fixture.chart, "step-out");
  assert_focus (&fixture, 0, "all threads");
  act (&fixture, "flame-graph.kind::tree");
  assert_focus (&fixture, OUTER, "all threads › 0x1000 › 0x4000");
  close_flame (&fixture);
}

static gboolean
has_text (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_child_visible (widget)
      && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_visible (child) && has_text (child, text))
      return TRUE;
  return FALSE;
}

static gboolean
give_up (gpointer data)
{
  g_printerr ("nothing ever said: %s\n", (const char *) data);
  g_assert_not_reached ();
}

/* The next frame tells. */
static void
wait_for_text (FlameFixture *fixture, const char *text)
{
  guint timer = g_timeout_add_seconds (20, give_up, (gpointer) text);

  while (!has_text (GTK_WIDGET (fixture->view), text))
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
}

/* The line below tells how much is on view, however one came there. */
static void
test_status (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;

  open_flame (&fixture, write_recording ());
  wait_for_text (&fixture, "600 ns · 10 frames · 3 deep");
  cs_flame_chart_zoom (fixture.chart, -1, 2, FALSE);
  wait_for_text (&fixture, "300 ns of 600 ns (50.0 %) · 10 frames · 3 deep");
  cs_flame_chart_pan (fixture.chart, 40, 0);
  cs_flame_chart_zoom (fixture.chart, -1, 2, TRUE);
  wait_for_text (&fixture, "150 ns of 600 ns (25.0 %) · 10 frames · 3 deep");
  /* A table lists all of the focus. */
  act (&fixture, "flame-graph.table");
  wait_for_text (&fixture, "600 ns · 10 frames · 3 deep");
  act (&fixture, "flame-graph.table");
  cs_flame_chart_fit (fixture.chart, FALSE);
  wait_for_text (&fixture, "600 ns · 10 frames · 3 deep");
  g_signal_emit_by_name (fixture.chart, "focus-requested", get_frame (&fixture, OUTER));
  wait_for_text (&fixture, "30 ns of 600 ns (5.0 %) · 10 frames · 3 deep");
  close_flame (&fixture);
}

static void
set_cursor (FlameFixture *fixture, guint64 address)
{
  cs_flame_chart_set_cursor (fixture->chart, get_frame (fixture, address));
}

/* What the tooltip and the readout say of a frame. */
static void
test_texts (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  CsFlameTexts *texts;
  g_autofree char *text = NULL;
  g_autofree char *mirrored = NULL;

  open_flame (&fixture, write_recording ());
  texts = cs_flame_texts_new (cs_flame_view_get_picture (fixture.view));
  text = cs_flame_texts_get_table ()->dup_text (get_frame (&fixture, OUTER), texts);
  g_assert_cmpstr (text, ==, "0x4000\nSelf: 9 ns (1.5 %)\nInclusive: 30 ns (5.0 %)\nCalls: 3\n"
                             "Function in all: 30 ns, p50 10 ns, p99 10 ns, max 10 ns");
  /* Read from the right, a number and its unit stay one piece. */
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  mirrored = cs_flame_texts_get_table ()->dup_text (get_frame (&fixture, OUTER), texts);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
  g_assert_nonnull (strstr (mirrored, "\nSelf: \u20669 ns\u2069 (\u20661.5 %\u2069)\n"));
  cs_flame_texts_free (texts);
  close_flame (&fixture);
}

/* Where there is no frame the menu has what can be done without one. */
static void
test_menus (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  GtkWidget *view;

  open_flame (&fixture, write_recording ());
  view = GTK_WIDGET (fixture.view);
  g_signal_emit_by_name (fixture.chart, "menu-requested", CS_FLAME_NONE, 1.0, 1.0);
  wait_for_text (&fixture, "Export…");
  g_assert_true (has_text (view, "Show as Table"));
  g_assert_false (has_text (view, "Show All Again"));
  g_assert_false (has_text (view, "Copy Name"));
  set_cursor (&fixture, LOST);
  act (&fixture, "flame-graph.hide-function");
  g_signal_emit_by_name (fixture.chart, "menu-requested", CS_FLAME_NONE, 1.0, 1.0);
  wait_for_text (&fixture, "Show All Again");
  g_assert_false (has_text (view, "Copy Name"));
  g_signal_emit_by_name (fixture.chart, "menu-requested", get_frame (&fixture, OUTER), 1.0, 1.0);
  wait_for_text (&fixture, "Copy Name");
  close_flame (&fixture);
}

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

/* `main' calls itself `depth' deep. */
static char *
write_deep (guint depth)
{
  GByteArray *recording = test_recording_new ();

  for (guint i = 0; i < depth; i++)
    test_recording_add (recording, i, MAIN + 16 * (guint64) i, TRACE_KIND_ENTER);
  for (guint i = depth; i-- > 0;)
    test_recording_add (recording, 2 * (guint64) depth - i, MAIN + 16 * (guint64) i, TRACE_KIND_EXIT);
  return test_recording_write (recording);
}

/* A long path is shortened in the middle. */
static void
test_deep (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  guint32 last;

  open_flame (&fixture, write_deep (1000));
  last = cs_flame_layout_get_n_nodes (get_layout (&fixture)) - 1;
  g_assert_cmpuint (last, ==, 1000);
  g_signal_emit_by_name (fixture.chart, "focus-requested", last);
  settle (&fixture);
  {
    g_autofree char *text = cs_flame_crumbs_dup_text (cs_flame_view_get_crumbs (fixture.view));

    g_assert_cmpstr (text, ==, "all threads › … › 0x4e40 › 0x4e50 › 0x4e60 › 0x4e70");
  }
  act (&fixture, "flame-graph.up-to(uint32 2)");
  assert_focus (&fixture, MAIN + 16, "all threads › 0x1000 › 0x1010");
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

static void
on_text_read (GObject *clipboard, GAsyncResult *result, gpointer user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

static void
assert_clipboard (FlameFixture *fixture, const char *expected)
{
  g_autofree char *text = NULL;

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (fixture->view)), NULL, on_text_read, &text);
  while (text == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (text, ==, expected);
}

static void
assert_view (FlameFixture *fixture, const char *name)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (fixture->base.window), "view");

  g_assert_cmpstr (g_variant_get_string (state, NULL), ==, name);
}

static void
test_actions (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  GActionGroup *actions;
  const CsSessionCall *call;
  guint n;

  open_flame (&fixture, write_recording ());
  actions = cs_view_get_actions (CS_VIEW (fixture.view));
  cs_flame_chart_set_cursor (fixture.chart, CS_FLAME_NONE);
  settle (&fixture);
  g_assert_false (g_action_group_get_action_enabled (actions, "hide-function"));
  g_assert_false (g_action_group_get_action_enabled (actions, "show-timeline"));
  g_assert_false (g_action_group_get_action_enabled (actions, "find-next"));
  g_assert_false (g_action_group_get_action_enabled (actions, "show-all"));
  set_cursor (&fixture, INNER);
  settle (&fixture);
  g_assert_true (g_action_group_get_action_enabled (actions, "hide-function"));
  g_assert_false (g_action_group_get_action_enabled (actions, "open-editor")); /* no sources */
  g_assert_false (g_action_group_get_action_enabled (actions, "exclude"));     /* no project */
  act (&fixture, "flame-graph.copy-name");
  assert_clipboard (&fixture, "0x5000");
  act (&fixture, "flame-graph.copy-stack");
  assert_clipboard (&fixture, "0x1000\n0x4000\n0x5000");
  act (&fixture, "flame-graph.focus");
  cs_session_get_path (fixture.base.session, &n);
  g_assert_cmpuint (n, ==, 3);
  act (&fixture, "flame-graph.up");
  cs_session_get_path (fixture.base.session, &n);
  g_assert_cmpuint (n, ==, 2);
  act (&fixture, "flame-graph.select-function");
  g_assert_cmpuint (cs_session_get_function (fixture.base.session), ==, find (&fixture.base, INNER));
  assert_view (&fixture, "flame-graph");
  /* The first of the longest calls of the path. */
  act (&fixture, "flame-graph.show-timeline");
  while (cs_session_get_call (fixture.base.session) == NULL)
    g_main_context_iteration (NULL, TRUE);
  call = cs_session_get_call (fixture.base.session);
  g_assert_cmpuint (call->tid, ==, 7);
  g_assert_cmpint (call->end - call->start, ==, 7);
  g_assert_cmpuint (call->address, ==, INNER);
  g_assert_cmpuint (call->depth, ==, 2);
  assert_view (&fixture, "timeline");
  act (&fixture, "flame-graph.show-hotspots");
  assert_view (&fixture, "hotspots");
  act (&fixture, "win.view::flame-graph");
  act (&fixture, "flame-graph.filter-function");
  g_assert_cmpstr (cs_session_get_filter (fixture.base.session)->function, ==, "0x5000");
  assert_frames (&fixture, "5:22");
  close_flame (&fixture);
}

/* What is selected elsewhere has the cursor here. */
static void
test_function (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;

  open_flame (&fixture, write_recording ());
  cs_session_set_function (fixture.base.session, find (&fixture.base, INNER));
  g_assert_cmpuint (cs_flame_chart_get_cursor (fixture.chart), ==, 9); /* of 21 ns, not that of 1 */
  act (&fixture, "flame-graph.kind::callers");
  g_assert_cmpuint (cs_flame_chart_get_cursor (fixture.chart), ==, get_frame (&fixture, INNER));
  close_flame (&fixture);
}

static guint32
get_row_node (FlameFixture *fixture, guint i)
{
  g_autoptr (CsFlameRow) row = g_list_model_get_item (cs_flame_table_get_model (cs_flame_view_get_table (fixture->view)), i);

  g_assert_nonnull (row);
  return cs_flame_row_get_node (row);
}

static guint
get_n_rows (FlameFixture *fixture)
{
  return g_list_model_get_n_items (cs_flame_table_get_model (cs_flame_view_get_table (fixture->view)));
}

static void
test_table (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  CsFlameTable *table;
  static const guint32 expected[] = { 1, 3, 4, 5, 9, 6, 10, 2, 7, 8 }; /* by width, then from the top and the left */

  open_flame (&fixture, write_recording ());
  table = cs_flame_view_get_table (fixture.view);
  g_assert_cmpuint (get_n_rows (&fixture), ==, 0);
  set_cursor (&fixture, OUTER);
  act (&fixture, "flame-graph.table");
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "table");
  g_assert_cmpuint (get_n_rows (&fixture), ==, N_NODES - 1);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpuint (get_row_node (&fixture, i), ==, expected[i]);
  g_assert_cmpuint (cs_flame_table_get_selected (table), ==, get_frame (&fixture, OUTER));
  g_assert_true (has_text (GTK_WIDGET (table), "0x4000"));
  g_assert_true (has_text (GTK_WIDGET (table), "21 ns"));
  g_assert_true (has_text (GTK_WIDGET (table), "5.0 %")); /* 30 of 600 */
  /* Enter zooms; what is listed is at the focus and below. */
  g_signal_emit_by_name (table, "activated", get_frame (&fixture, OUTER));
  settle (&fixture);
  assert_focus (&fixture, OUTER, "all threads › 0x1000 › 0x4000");
  g_assert_cmpuint (get_n_rows (&fixture), ==, 2);
  g_assert_cmpuint (get_row_node (&fixture, 0), ==, 5);
  g_assert_cmpuint (get_row_node (&fixture, 1), ==, 9);
  cs_flame_table_select (table, 9);
  act (&fixture, "flame-graph.table");
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "chart");
  g_assert_cmpuint (cs_flame_chart_get_cursor (fixture.chart), ==, 9);
  g_assert_cmpuint (get_n_rows (&fixture), ==, 0);
  close_flame (&fixture);
}

/* More than anybody reads is counted in a last row. */
static void
test_many_rows (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  g_autoptr (CsFlameRow) last = NULL;

  open_flame (&fixture, write_deep (CS_FLAME_TABLE_MOST + 10));
  act (&fixture, "flame-graph.table");
  g_assert_cmpuint (get_n_rows (&fixture), ==, CS_FLAME_TABLE_MOST + 1);
  g_assert_cmpuint (get_row_node (&fixture, 0), ==, 1);
  g_assert_cmpuint (get_row_node (&fixture, CS_FLAME_TABLE_MOST - 1), ==, CS_FLAME_TABLE_MOST);
  last = g_list_model_get_item (cs_flame_table_get_model (cs_flame_view_get_table (fixture.view)), CS_FLAME_TABLE_MOST);
  g_assert_cmpuint (cs_flame_row_get_node (last), ==, CS_FLAME_NONE);
  g_assert_cmpstr (cs_flame_row_get_remark (last), ==, "and 10 more frames, which took less time");
  act (&fixture, "flame-graph.table");
  close_flame (&fixture);
}

static void
save (FlameFixture *fixture, CsFlameSaveFormat format, const char *path, char **contents, gsize *length)
{
  GListModel *jobs = G_LIST_MODEL (cs_session_get_jobs (fixture->base.session));

  cs_flame_save_start (fixture->view, format, path);
  g_assert_cmpuint (g_list_model_get_n_items (jobs), ==, 1);
  while (g_list_model_get_n_items (jobs) > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (g_file_get_contents (path, contents, length, NULL));
  g_unlink (path);
}

/* What is shown is saved: of the frame in focus, without what is hidden. */
static void
test_save (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  g_autofree char *folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "file", NULL);
  g_autofree char *folded = NULL;
  g_autofree char *focused = NULL;
  g_autofree char *svg = NULL;
  g_autofree char *png = NULL;
  g_autofree char *walked = NULL;
  g_auto (GStrv) lines = NULL;
  guint64 sum = 0;
  gsize length, walked_length;

  open_flame (&fixture, write_recording ());
  set_cursor (&fixture, LOST);
  act (&fixture, "flame-graph.hide-function");
  save (&fixture, CS_FLAME_SAVE_FOLDED, path, &folded, &length);
  lines = g_strsplit (folded, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      sum += g_ascii_strtoull (strrchr (lines[i], ' ') + 1, NULL, 10);
  g_assert_cmpuint (sum, ==, 600);
  g_assert_nonnull (strstr (folded, "0x1000;0x4000;0x5000 21\n"));
  g_assert_null (strstr (folded, "0x7000"));
  g_signal_emit_by_name (fixture.chart, "focus-requested", get_frame (&fixture, OUTER));
  settle (&fixture);
  save (&fixture, CS_FLAME_SAVE_FOLDED, path, &focused, &length);
  g_assert_null (strstr (focused, "0x3000"));
  g_assert_nonnull (strstr (focused, "0x1000;0x4000 9\n"));
  cs_session_set_search (fixture.base.session, "0x5000", FALSE);
  settle (&fixture);
  save (&fixture, CS_FLAME_SAVE_SVG, path, &svg, &length);
  g_assert_nonnull (strstr (svg, "<svg"));
  g_assert_nonnull (strstr (svg, "0x5000"));
  g_assert_nonnull (strstr (svg, "Without 0x7000"));
  g_assert_nonnull (strstr (svg, "Found: 0x5000"));
  g_assert_null (strstr (svg, "0x3000"));
  cs_flame_chart_fit (fixture.chart, FALSE);
  cs_flame_chart_set_cursor (fixture.chart, CS_FLAME_NONE);
  save (&fixture, CS_FLAME_SAVE_PNG, path, &png, &length);
  g_assert_cmpuint (length, >, 1000);
  g_assert_cmpmem (png, 8, "\x89PNG\r\n\x1a\n", 8);
  /* Where one is isn't in the picture. */
  set_cursor (&fixture, INNER);
  save (&fixture, CS_FLAME_SAVE_PNG, path, &walked, &walked_length);
  g_assert_cmpmem (walked, walked_length, png, length);
  g_rmdir (folder);
  close_flame (&fixture);
}

/* A summary of one function. */
static char *
write_summary (void)
{
  struct trace_summary_header header = { TRACE_SUMMARY_MAGIC, TRACE_SUMMARY_VERSION, TRACE_SUMMARY_RECORD_SIZE,
                                         TRACE_SUMMARY_HEADER_SIZE, .pid = 7, .tid = 7, .records = 1, .span = 100 };
  struct trace_summary_record record = { .func = MAIN, .calls = 1, .incl = 6, .self = 6, .min = 6, .max = 6, .hist = { [6] = 1 } };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  char *folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "trace.summary.7.7.bin", NULL);

  g_byte_array_append (bytes, (const guint8 *) &header, sizeof header);
  g_byte_array_append (bytes, (const guint8 *) &record, sizeof record);
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, (gssize) bytes->len, NULL));
  return folder;
}

static void
test_summary (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  g_autofree char *path = NULL;

  open_flame (&fixture, write_summary ());
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "nothing");
  g_assert_true (has_text (GTK_WIDGET (fixture.view), "No Call Paths"));
  g_assert_true (has_text (GTK_WIDGET (fixture.view), "Show Hotspots"));
  path = g_build_filename (fixture.base.folder, "trace.summary.7.7.bin", NULL);
  g_unlink (path);
  close_flame (&fixture);
}

/* Where there is nothing to see, it is said why. */
static void
test_nothing (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  GByteArray *instant = test_recording_new ();

  open_flame (&fixture, write_recording ());
  cs_session_set_range (fixture.base.session, TRUE, 650, 700);
  settle (&fixture);
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "nothing");
  g_assert_true (has_text (GTK_WIDGET (fixture.view), "No Calls"));
  act (&fixture, "flame-graph.clear-filters");
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "chart");
  close_flame (&fixture);

  test_recording_add (instant, 5, MAIN, TRACE_KIND_ENTER);
  test_recording_add (instant, 5, MAIN, TRACE_KIND_EXIT);
  open_flame (&fixture, test_recording_write (instant));
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "nothing");
  g_assert_true (has_text (GTK_WIDGET (fixture.view), "No Time"));
  act (&fixture, "flame-graph.table");
  g_assert_cmpstr (cs_flame_view_get_page (fixture.view), ==, "table");
  g_assert_cmpuint (get_n_rows (&fixture), ==, 1);
  close_flame (&fixture);
}

/* Layouts that are no longer wanted when they are there are never shown. */
static void
test_superseded (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  GtkWidget *window;
  CsFlamePicture *old;

  open_flame (&fixture, write_deep (400));
  window = GTK_WIDGET (fixture.base.window);
  for (guint i = 0; i < 10; i++)
    {
      old = cs_flame_view_get_picture (fixture.view);
      gtk_widget_activate_action (window, "flame-graph.kind", "s", "callers");
      /* It may be ready by now, but nobody has been told. */
      g_usleep (i * 500);
      gtk_widget_activate_action (window, "flame-graph.order", "s", "name");
      gtk_widget_activate_action (window, "flame-graph.kind", "s", "tree");
      gtk_widget_activate_action (window, "flame-graph.order", "s", i % 2 == 0 ? "first-call" : "time");
      while (cs_flame_view_get_busy (fixture.view))
        {
          CsFlamePicture *picture = cs_flame_view_get_picture (fixture.view);

          g_assert_true (picture == old);
          g_assert_true (cs_flame_chart_get_layout (fixture.chart) == cs_flame_picture_get_layout (old));
          g_main_context_iteration (NULL, TRUE);
          if (cs_flame_view_get_picture (fixture.view) != old)
            break;
        }
      settle (&fixture);
      g_assert_cmpint (cs_flame_picture_get_choice (cs_flame_view_get_picture (fixture.view))->kind, ==, CS_FLAME_CALL_TREE);
      g_assert_cmpint (cs_flame_picture_get_choice (cs_flame_view_get_picture (fixture.view))->order, ==,
                       i % 2 == 0 ? CS_FLAME_BY_FIRST_CALL : CS_FLAME_BY_TIME);
    }
  /* A recording that is closed meanwhile leaves nothing behind. */
  gtk_widget_activate_action (window, "flame-graph.kind", "s", "callers");
  cs_session_close_recording (fixture.base.session);
  settle (&fixture);
  g_assert_null (cs_flame_view_get_picture (fixture.view));
  close_flame (&fixture);
}

/* A recording that is being received: a call of `fives' of 60 µs and one of `threes' of 30 µs, so many times. */
static void
add_to_stream (const char *folder, guint64 from, guint64 to)
{
  g_autofree char *path = g_build_filename (folder, "trace.stream.dev.0.bin", NULL);
  g_autoptr (GByteArray) bytes = from == 0 ? test_recording_new () : g_byte_array_new ();
  FILE *file = fopen (path, "ab");

  for (guint64 i = from; i < to; i++)
    {
      test_recording_add (bytes, i * 100000, FIVES, TRACE_KIND_ENTER);
      test_recording_add (bytes, i * 100000 + 60000, FIVES, TRACE_KIND_EXIT);
      test_recording_add (bytes, i * 100000 + 60000, THREES, TRACE_KIND_ENTER);
      test_recording_add (bytes, i * 100000 + 90000, THREES, TRACE_KIND_EXIT);
    }
  g_assert_cmpuint (fwrite (bytes->data, 1, bytes->len, file), ==, bytes->len);
  fclose (file);
}

static void
wait_for_total (FlameFixture *fixture, guint64 total)
{
  while (cs_flame_layout_get_total (get_layout (fixture)) != total)
    g_main_context_iteration (NULL, TRUE);
  settle (fixture);
}

/* The session has another profile than the picture for now. */
static void
on_profile (CsSession *session, GParamSpec *pspec, FlameFixture *fixture)
{
  GActionGroup *actions = cs_view_get_actions (CS_VIEW (fixture->view));

  g_signal_handlers_disconnect_by_func (session, on_profile, fixture);
  g_assert_true (cs_flame_picture_get_profile (cs_flame_view_get_picture (fixture->view)) != cs_session_get_profile (session));
  g_signal_emit_by_name (fixture->chart, "focus-requested", get_frame (fixture, THREES));
  g_action_group_activate_action (actions, "select-function", NULL);
}

/* What is looked at stays where it is while there is more and more of it, and can be clicked at any time. */
static void
test_growing (void)
{
  SKIP_WITHOUT_DISPLAY ();
  FlameFixture fixture;
  CsFlameWindow window;
  GtkPopover *menu;
  GtkWidget *crumb;
  char *folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "trace.stream.dev.0.bin", NULL);

  add_to_stream (folder, 0, 10);
  open_flame (&fixture, folder);
  while (!cs_session_get_growing (fixture.base.session))
    g_main_context_iteration (NULL, TRUE);
  fixture.base.session->least_look_us = 20000;
  settle (&fixture);
  assert_frames (&fixture, "3:600000 2:300000");
  /* `fives' is in focus: the second quarter of it is seen. */
  g_signal_emit_by_name (fixture.chart, "focus-requested", get_frame (&fixture, FIVES));
  cs_session_set_search (fixture.base.session, "0x3000", FALSE);
  settle (&fixture);
  act (&fixture, "flame-graph.find-next");
  cs_flame_chart_fit (fixture.chart, FALSE);
  cs_flame_chart_zoom (fixture.chart, gtk_widget_get_width (GTK_WIDGET (fixture.chart)) / 3.0, 4, FALSE);
  cs_flame_chart_get_window (fixture.chart, &window);
  g_assert_cmpuint (window.x0, ==, 150000);
  g_assert_cmpuint (window.x1, ==, 300000);
  menu = gtk_menu_button_get_popover (fixture.view->kind_button);
  crumb = gtk_widget_get_first_child (GTK_WIDGET (cs_flame_view_get_crumbs (fixture.view)));
  add_to_stream (folder, 10, 30);
  wait_for_total (&fixture, 2700000);
  cs_flame_chart_get_window (fixture.chart, &window);
  g_assert_cmpuint (window.x0, ==, 450000);
  g_assert_cmpuint (window.x1, ==, 900000);
  g_assert_cmpuint (cs_flame_chart_get_cursor (fixture.chart), ==, get_frame (&fixture, FIVES));
  g_assert_cmpuint (cs_flame_search_get_position (fixture.search), ==, 0);
  /* A menu that is open isn't taken away. */
  g_assert_true (gtk_menu_button_get_popover (fixture.view->kind_button) == menu);
  g_assert_true (gtk_widget_get_first_child (GTK_WIDGET (cs_flame_view_get_crumbs (fixture.view))) == crumb);
  cs_session_set_search (fixture.base.session, "0x", FALSE);
  settle (&fixture);
  g_assert_cmpuint (cs_flame_search_get_position (fixture.search), ==, G_MAXUINT);
  /* So does what is selected in the table. */
  act (&fixture, "flame-graph.up");
  act (&fixture, "flame-graph.table");
  cs_flame_table_select (cs_flame_view_get_table (fixture.view), get_frame (&fixture, THREES));
  g_signal_connect (fixture.base.session, "notify::profile", G_CALLBACK (on_profile), &fixture);
  add_to_stream (folder, 30, 40);
  wait_for_total (&fixture, 3600000);
  assert_focus (&fixture, THREES, "all threads › 0x2000");
  g_assert_cmpuint (cs_session_get_function (fixture.base.session), ==, find (&fixture.base, THREES));
  g_assert_cmpuint (cs_flame_table_get_selected (cs_flame_view_get_table (fixture.view)), ==, get_frame (&fixture, THREES));
  act (&fixture, "flame-graph.table");
  /* Another part is shown as a whole. */
  act (&fixture, "flame-graph.up");
  cs_flame_chart_zoom (fixture.chart, 0, 2, FALSE);
  cs_session_set_range (fixture.base.session, TRUE, 0, 200000);
  wait_for_total (&fixture, 180000);
  cs_flame_chart_get_window (fixture.chart, &window);
  g_assert_cmpuint (window.x1 - window.x0, ==, 180000);
  g_unlink (path);
  close_flame (&fixture);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/flame-view/options", test_options);
  g_test_add_func ("/app/flame-view/path", test_path);
  g_test_add_func ("/app/flame-view/status", test_status);
  g_test_add_func ("/app/flame-view/texts", test_texts);
  g_test_add_func ("/app/flame-view/menus", test_menus);
  g_test_add_func ("/app/flame-view/filter-notices", test_filter_notices);
  g_test_add_func ("/app/flame-view/deep", test_deep);
  g_test_add_func ("/app/flame-view/search", test_search);
  g_test_add_func ("/app/flame-view/search-place", test_search_place);
  g_test_add_func ("/app/flame-view/marks", test_marks);
  g_test_add_func ("/app/flame-view/sum", test_sum);
  g_test_add_func ("/app/flame-view/threads", test_threads);
  g_test_add_func ("/app/flame-view/by-thread", test_by_thread);
  g_test_add_func ("/app/flame-view/actions", test_actions);
  g_test_add_func ("/app/flame-view/function", test_function);
  g_test_add_func ("/app/flame-view/table", test_table);
  g_test_add_func ("/app/flame-view/many-rows", test_many_rows);
  g_test_add_func ("/app/flame-view/save", test_save);
  g_test_add_func ("/app/flame-view/summary", test_summary);
  g_test_add_func ("/app/flame-view/nothing", test_nothing);
  g_test_add_func ("/app/flame-view/superseded", test_superseded);
  g_test_add_func ("/app/flame-view/growing", test_growing);
  return g_test_run ();
}
