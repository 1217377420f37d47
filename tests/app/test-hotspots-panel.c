/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "hotspots-fixture.h"
#include "tables/cs-calls-finder.h"
#include "tables/cs-function-edges.h"

static void
test_edges (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  g_autoptr (GArray) callers = NULL;
  g_autoptr (GArray) callees = NULL;
  const CsFunctionEdge *edge;

  open_recording (&fixture, write_recording ());
  /* `inner' is called 3 times by `outer', and once by `last'. */
  callers = cs_function_edges_list (cs_session_get_profile (fixture.session), find (&fixture, INNER), FALSE);
  g_assert_cmpuint (callers->len, ==, 2);
  edge = &g_array_index (callers, CsFunctionEdge, 0);
  g_assert_cmpuint (edge->function, ==, find (&fixture, OUTER));
  g_assert_cmpuint (edge->calls, ==, 3);
  g_assert_cmpuint (edge->incl, ==, 21);
  g_assert_cmpuint (edge->part, ==, 3);
  g_assert_cmpuint (edge->whole, ==, 4);
  callees = cs_function_edges_list (cs_session_get_profile (fixture.session), find (&fixture, OUTER), TRUE);
  g_assert_cmpuint (callees->len, ==, 1);
  edge = &g_array_index (callees, CsFunctionEdge, 0);
  g_assert_cmpuint (edge->function, ==, find (&fixture, INNER));
  g_assert_cmpuint (edge->part, ==, 21);
  g_assert_cmpuint (edge->whole, ==, 30);
  close_recording (&fixture);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static CsFoundCalls *
find_calls (Fixture *fixture, guint64 address, guint64 from, guint64 to, guint limit)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  CsFoundCalls *found;

  cs_calls_find_async (cs_session_get_profile (fixture->session), find (fixture, address), from, to, limit, NULL,
                       keep_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  found = cs_calls_find_finish (result, &error);
  g_assert_no_error (error);
  return found;
}

static void
append_texts (GtkWidget *widget, GString *text)
{
  if (!gtk_widget_get_visible (widget))
    return;
  if (GTK_IS_LABEL (widget))
    g_string_append_printf (text, "%s|", gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    append_texts (child, text);
}

static char *
dup_panel (Fixture *fixture)
{
  GString *text = g_string_new (NULL);

  append_texts (GTK_WIDGET (cs_hotspots_view_get_panel (fixture->view)), text);
  return g_string_free (text, FALSE);
}

/* Shares are told as exactly as elsewhere, and one call is one. */
static void
test_edge_rows (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  GtkListBox *callers;
  g_autofree char *text = NULL;

  open_recording (&fixture, write_recording ());
  cs_function_table_select (fixture.table, find (&fixture, INNER));
  text = dup_panel (&fixture);
  g_assert_nonnull (strstr (text, "|75.0 %|"));
  g_assert_nonnull (strstr (text, "|25.0 %|"));
  callers = GTK_LIST_BOX (gtk_widget_get_template_child (GTK_WIDGET (cs_hotspots_view_get_panel (fixture.view)),
                                                         CS_TYPE_FUNCTION_PANEL, "callers"));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (GTK_WIDGET (gtk_list_box_get_row_at_index (callers, 0))), "\n3 calls, 21 ns"));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (GTK_WIDGET (gtk_list_box_get_row_at_index (callers, 1))), "\n1 call, "));
  close_recording (&fixture);
}

static gboolean
has_no_range (Fixture *fixture)
{
  g_autofree char *text = dup_panel (fixture);

  return strstr (text, "|8 calls between 10 ns and 46 ns|45 ns   thread 7|at 0.000 s|40 ns   thread 7|") == NULL;
}

static void
test_range (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  /* Of 5, 10 … 50 ns. */
  static const struct { guint64 from, to; guint n; guint64 longest; } cases[] = {
    { 0, G_MAXUINT64, 10, 50 }, { 5, 6, 1, 5 }, { 6, 10, 0, 0 }, { 10, 46, 8, 45 }, { 50, 51, 1, 50 }, { 51, 1000, 0, 0 },
  };

  open_recording (&fixture, write_recording ());
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (CsFoundCalls) found = find_calls (&fixture, FIVES, cases[i].from, cases[i].to, 3);

      g_assert_cmpuint (found->n, ==, cases[i].n);
      g_assert_cmpuint (found->calls->len, ==, MIN (cases[i].n, 3));
      g_assert_cmpuint (cs_histogram_count (&cs_hotspot_rows_get_function (cs_function_model_get_rows (fixture.model),
                                                                          find (&fixture, FIVES))->histogram,
                                            cases[i].from, cases[i].to),
                        ==, cases[i].n);
      for (guint j = 0; j < found->calls->len; j++)
        {
          const CsFoundCall *call = &g_array_index (found->calls, CsFoundCall, j);

          g_assert_cmpuint (call->duration, ==, cases[i].longest - 5 * j);
          /* The i-th begins at 40 + 51 · (i − 1). */
          g_assert_cmpint (call->start, ==, 40 + 51 * ((gint64) call->duration / 5 - 1));
          g_assert_cmpuint (call->tid, ==, 7);
        }
    }
  /* The panel finds them, and what is wanted no more is dropped. */
  cs_function_panel_set_range (cs_hotspots_view_get_panel (fixture.view), 5, 11);
  cs_function_panel_set_range (cs_hotspots_view_get_panel (fixture.view), 10, 46);
  iterate_while (has_no_range, &fixture);
  close_recording (&fixture);
}

/* Each call that is listed leads to the same one in the timeline. */
static void
test_jump (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  GtkListBox *slowest;
  GtkListBoxRow *row;
  const CsSessionCall *call;

  open_recording (&fixture, write_recording ());
  cs_function_table_select (fixture.table, find (&fixture, FIVES));
  g_assert_null (cs_session_get_call (fixture.session));
  slowest = GTK_LIST_BOX (gtk_widget_get_template_child (GTK_WIDGET (cs_hotspots_view_get_panel (fixture.view)),
                                                         CS_TYPE_FUNCTION_PANEL, "slowest"));
  row = gtk_list_box_get_row_at_index (slowest, 0);
  g_assert_nonnull (row);
  g_signal_emit_by_name (slowest, "row-activated", row);
  call = cs_session_get_call (fixture.session);
  g_assert_nonnull (call);
  /* As in test_range(): the longest. */
  g_assert_cmpint (call->start, ==, 40 + 51 * ((call->end - call->start) / 5 - 1));
  g_assert_cmpint (call->end - call->start, ==,
                   (gint64) cs_hotspot_rows_get_function (cs_function_model_get_rows (fixture.model), find (&fixture, FIVES))->max);
  g_assert_cmpuint (call->tid, ==, 7);
  g_assert_cmpstr (cs_window_get_page (fixture.window), ==, "timeline");
  close_recording (&fixture);
}

static gboolean
is_filtering (Fixture *fixture)
{
  gboolean busy;

  g_object_get (fixture->session, "busy", &busy, NULL);
  return busy;
}

/* The filter shows a function's calls and what is called in them. */
static void
test_filter (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;

  open_recording (&fixture, write_recording ());
  cs_function_table_select (fixture.table, find (&fixture, OUTER));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture.window), "hotspots.filter-function", NULL));
  iterate_while (is_filtering, &fixture);
  assert_order (&fixture, "5000 4000");
  g_assert_cmpuint (get_row (&fixture, 0)->calls, ==, 3);
  cs_session_set_range (fixture.session, TRUE, 0, 1);
  iterate_while (is_filtering, &fixture);
  assert_order (&fixture, "");
  cs_session_back (fixture.session);
  cs_session_back (fixture.session);
  iterate_while (is_filtering, &fixture);
  /* The first of `outer', from 550 to 560, and what is called in it. */
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture.window), "hotspots.filter-range", "(xx)",
                                             (gint64) 550, (gint64) 560));
  iterate_while (is_filtering, &fixture);
  g_assert_cmpuint (get_row (&fixture, cs_function_model_find (fixture.model, find (&fixture, INNER)))->calls, ==, 1);
  cs_session_back (fixture.session);
  iterate_while (is_filtering, &fixture);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture.window), "hotspots.filter-thread", "s", "7"));
  iterate_while (is_filtering, &fixture);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture.model)), ==, 8);
  cs_session_back (fixture.session);
  iterate_while (is_filtering, &fixture);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture.model)), ==, 8);
  close_recording (&fixture);
}

/* A range or another filter leaves the function selected that one looks at. */
static void
test_kept (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;

  open_recording (&fixture, write_recording ());
  g_assert_cmpuint (find (&fixture, THREES), !=, cs_function_model_get_function (fixture.model, 0));
  cs_function_table_select (fixture.table, find (&fixture, THREES));
  cs_session_set_range (fixture.session, TRUE, 0, 540);
  iterate_while (is_filtering, &fixture);
  g_assert_cmpuint (cs_function_panel_get_function (cs_hotspots_view_get_panel (fixture.view)), ==, find (&fixture, THREES));
  /* What the range doesn't have is back with what has it. */
  cs_session_set_range (fixture.session, TRUE, 550, 560);
  iterate_while (is_filtering, &fixture);
  cs_session_set_range (fixture.session, FALSE, 0, 0);
  iterate_while (is_filtering, &fixture);
  g_assert_cmpuint (cs_function_panel_get_function (cs_hotspots_view_get_panel (fixture.view)), !=, G_MAXUINT);
  close_recording (&fixture);
}

static gboolean
get_enabled (Fixture *fixture, const char *action)
{
  return g_action_group_get_action_enabled (cs_view_get_actions (CS_VIEW (fixture->view)), action);
}

static void
test_actions (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;

  open_recording (&fixture, write_recording ());
  g_assert_true (get_enabled (&fixture, "export"));
  g_assert_true (get_enabled (&fixture, "copy"));
  g_assert_true (get_enabled (&fixture, "filter-function"));
  /* There are no sources, and no project. */
  g_assert_false (get_enabled (&fixture, "open-editor"));
  g_assert_false (get_enabled (&fixture, "exclude"));
  cs_session_set_search (fixture.session, "no such function", FALSE);
  g_assert_false (get_enabled (&fixture, "copy"));
  g_assert_true (get_enabled (&fixture, "export"));
  cs_session_set_search (fixture.session, "", FALSE);
  cs_session_close_recording (fixture.session);
  g_assert_false (get_enabled (&fixture, "export"));
  g_assert_false (get_enabled (&fixture, "copy"));
  g_assert_false (get_enabled (&fixture, "focus"));
  close_recording (&fixture);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/hotspots/edges", test_edges);
  g_test_add_func ("/app/hotspots/edge-rows", test_edge_rows);
  g_test_add_func ("/app/hotspots/range", test_range);
  g_test_add_func ("/app/hotspots/jump", test_jump);
  g_test_add_func ("/app/hotspots/filter", test_filter);
  g_test_add_func ("/app/hotspots/kept", test_kept);
  g_test_add_func ("/app/hotspots/actions", test_actions);
  return g_test_run ();
}
