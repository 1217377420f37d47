/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "calls-fixture.h"
#include "tables/cs-table-menu.h"

/* The list's own widget of a row. */
static GtkWidget *
find_row (Fixture *fixture, guint position)
{
  GtkColumnView *view = cs_place_table_get_view (cs_call_log_page_get_table (fixture->log));
  GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (view));

  for (GtkWidget *row = gtk_widget_get_first_child (list); row != NULL; row = gtk_widget_get_next_sibling (row))
    if (cs_table_menu_find_position (row) == position)
      return row;
  g_assert_not_reached ();
}

static void
assert_state (Fixture *fixture, guint position, gboolean has, gboolean expanded)
{
  GtkAccessible *row = GTK_ACCESSIBLE (find_row (fixture, position));

  g_assert_cmpint (gtk_test_accessible_has_state (row, GTK_ACCESSIBLE_STATE_EXPANDED), ==, has);
  if (has)
    gtk_test_accessible_assert_state (row, GTK_ACCESSIBLE_STATE_EXPANDED, expanded);
}

/* Rows say whether they are folded, if there is something in them. */
static void
test_expanded (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;

  open_recording (&fixture, make_small ());
  assert_rows (&fixture, "1000 .2000×5 .4000");
  cs_call_log_model_set_expanded (fixture.model, 2, TRUE);
  settle (&fixture);
  assert_rows (&fixture, "1000 .2000×5 .4000 ..3000");
  assert_state (&fixture, 0, TRUE, TRUE);
  assert_state (&fixture, 1, TRUE, FALSE);
  assert_state (&fixture, 2, TRUE, TRUE);
  assert_state (&fixture, 3, FALSE, FALSE);
  cs_call_log_model_set_expanded (fixture.model, 1, TRUE);
  settle (&fixture);
  assert_state (&fixture, 1, TRUE, TRUE);
  assert_state (&fixture, 3, TRUE, FALSE);
  cs_call_log_model_set_expanded (fixture.model, 1, FALSE);
  settle (&fixture);
  assert_state (&fixture, 1, TRUE, FALSE);
  assert_state (&fixture, 3, FALSE, FALSE);
  close_recording (&fixture);
}

/* Where the selected row is folded away, the row that it is in is selected. */
static void
test_folded_away (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;

  open_recording (&fixture, make_small ());
  cs_call_log_model_expand_below (fixture.model, 1);
  settle (&fixture);
  select_row (&fixture, 3);
  cs_call_log_model_set_expanded (fixture.model, 1, FALSE);
  settle (&fixture);
  g_assert_cmpuint (get_current (&fixture), ==, 1);
  cs_call_log_model_set_expanded (fixture.model, 1, TRUE);
  settle (&fixture);
  select_row (&fixture, 3);
  g_action_group_activate_action (cs_view_get_actions (CS_VIEW (fixture.view)), "collapse-all", NULL);
  settle (&fixture);
  g_assert_cmpuint (get_current (&fixture), ==, 0);
  close_recording (&fixture);
}

/* Where more rows are asked for the first of them is selected. */
static void
test_more (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  Recording *recording = recording_new ();
  CsCallLogRow row;
  guint64 t = 0;
  guint n;

  for (guint i = 0; i < 1200; i++)
    {
      add (recording, 7, t++, i % 2 == 0 ? STEP : LEAF, TRACE_KIND_ENTER);
      add (recording, 7, t++, i % 2 == 0 ? STEP : LEAF, TRACE_KIND_EXIT);
    }
  open_recording (&fixture, recording);
  for (n = cs_call_log_model_get_n (fixture.model); n < 1200; n = cs_call_log_model_get_n (fixture.model))
    {
      cs_call_log_model_get_row (fixture.model, n - 1, &row);
      g_assert_cmpint (row.kind, ==, CS_CALL_LOG_ROW_REST);
      cs_places_complete (cs_call_log_model_get_places (fixture.model));
      select_row (&fixture, n - 1);
      cs_call_log_model_load (fixture.model, n - 1);
      settle (&fixture);
      g_assert_cmpuint (get_current (&fixture), ==, n - 1);
      cs_call_log_model_get_row (fixture.model, n - 1, &row);
      g_assert_cmpint (row.kind, ==, CS_CALL_LOG_ROW_LINE);
      g_assert_cmpint (row.entry->start, ==, 2 * (n - 1));
    }
  g_assert_cmpuint (n, ==, 1200);
  close_recording (&fixture);
}

static GtkWidget *
find_entry (GtkWidget *widget)
{
  GtkWidget *entry = GTK_IS_SEARCH_ENTRY (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); entry == NULL && child != NULL;
       child = gtk_widget_get_next_sibling (child))
    entry = find_entry (child);
  return entry;
}

/* Both pages say what is wrong with a regular expression, and show what they did before. */
static void
test_wrong_regex (void)
{
  SKIP_WITHOUT_DISPLAY ();
  static const char *const pages[] = { "log", "sites" };
  Fixture fixture;
  GtkWidget *entry;

  open_recording (&fixture, make_small ());
  entry = find_entry (GTK_WIDGET (fixture.view));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      cs_calls_view_show_page (fixture.view, pages[i]);
      cs_session_set_search (fixture.session, "(", TRUE);
      settle (&fixture);
      g_assert_true (gtk_widget_has_css_class (entry, "error"));
      gtk_test_accessible_assert_state (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID, GTK_ACCESSIBLE_INVALID_TRUE);
      assert_rows (&fixture, "1000 .2000×5 .4000");
      cs_session_set_search (fixture.session, "(2000)", TRUE);
      settle (&fixture);
      g_assert_false (gtk_widget_has_css_class (entry, "error"));
    }
  close_recording (&fixture);
}

int
main (int argc, char *argv[])
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/calls-rows/expanded", test_expanded);
  g_test_add_func ("/calls-rows/folded-away", test_folded_away);
  g_test_add_func ("/calls-rows/more", test_more);
  g_test_add_func ("/calls-rows/wrong-regex", test_wrong_regex);
  return g_test_run ();
}
