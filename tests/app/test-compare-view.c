/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "charts/cs-chart-colors.h"
#include "compare-fixture.h"
#include "compare/cs-compare-export.h"
#include "report/cs-report.h"

/* All that the table shows, with all digits: one line a row, as "name base new delta status". */
static char *
dup_table (Fixture *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < get_n (self); i++)
    {
      g_autoptr (CsDeltaItem) item = g_list_model_get_item (G_LIST_MODEL (self->model), i);

      for (CsDeltaColumn column = CS_DELTA_FUNCTION; column <= CS_DELTA_STATUS; column++)
        {
          g_autofree char *cell = column == CS_DELTA_FUNCTION ? cs_delta_item_dup_name (item)
                                                              : cs_delta_item_dup_exact (item, column);

          if (column != CS_DELTA_PERCENT)
            g_string_append_printf (text, "%s%s", column > 0 ? " " : "", cell);
        }
      g_string_append (text, "\n");
    }
  return g_string_free (text, FALSE);
}

/* The same from what callsight-cli prints, in the same order: by the rise. */
static char *
dup_cli_table (const char *base, const char *open, const char *key, const char *threshold, gboolean real)
{
  const char *const argv[] = { "diff", base, open, "--format", "json", "--key", key, "--threshold", threshold, NULL };
  g_autofree char *output = run_cli (argv);
  g_autoptr (JsonParser) parser = json_parser_new ();
  GString *text = g_string_new (NULL);
  JsonArray *rows;

  g_assert_true (json_parser_load_from_data (parser, output, -1, NULL));
  rows = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "rows");
  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      static const char *const members[] = { "base", "new", "delta" };
      JsonObject *row = json_array_get_object_element (rows, i);

      if (g_str_equal (json_object_get_string_member (row, "status"), "unchanged"))
        continue;
      g_string_append (text, json_object_get_string_member (row, "function"));
      for (guint j = 0; j < G_N_ELEMENTS (members); j++)
        {
          JsonNode *node = json_object_get_member (row, members[j]);
          char buffer[G_ASCII_DTOSTR_BUF_SIZE];

          if (JSON_NODE_HOLDS_NULL (node))
            g_string_append (text, " –");
          else if (g_str_has_suffix (key, "_ms"))
            g_string_append_printf (text, " %s", g_ascii_formatd (buffer, sizeof buffer, "%.6f", json_node_get_double (node)));
          else if (real)
            g_string_append_printf (text, " %s", g_ascii_dtostr (buffer, sizeof buffer, json_node_get_double (node)));
          else
            g_string_append_printf (text, " %" G_GINT64_FORMAT, json_node_get_int (node));
        }
      g_string_append_printf (text, " %s\n", json_object_get_string_member (row, "status"));
    }
  return g_string_free (text, FALSE);
}

static void
test_numbers (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  static const struct { const char *key, *threshold; } cases[] = {
    { "self_ms", "0" }, { "self_ms", "0.0001" }, { "incl_ms", "0" }, { "total_ms", "0" }, { "calls", "0" }, { "calls", "2" },
    { "mean_ns", "0" }, { "p50_ns", "0" }, { "p50_ns", "100" }, { "p99_ns", "0" }, { "max_ns", "0" },
  };
  g_autofree char *base = write_report (self->base, "json");
  g_autofree char *open = write_report (self->open, "json");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *wanted = dup_cli_table (base, open, cases[i].key, cases[i].threshold,
                                               g_str_equal (cases[i].key, "mean_ns"));
      g_autofree char *table = NULL;

      cs_compare_view_set_key (self->view, cases[i].key);
      cs_compare_view_set_threshold (self->view, cases[i].threshold);
      settle (self);
      g_assert_cmpstr (cs_compare_view_get_key (self->view), ==, cases[i].key);
      table = dup_table (self);
      g_assert_cmpstr (table, ==, wanted);
    }
  g_unlink (base);
  g_unlink (open);
}

static char *
dup_titles (Fixture *self)
{
  GListModel *columns = gtk_column_view_get_columns (cs_delta_table_get_view (cs_compare_view_get_table (self->view)));
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      g_string_append_printf (text, "%s|", gtk_column_view_column_get_title (column));
    }
  return g_string_free (text, FALSE);
}

/* By construction: `slower' went from 20 + 21 + 22 to 200 + 201 + 202 ns. */
static void
test_table (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *by_delta = dup_table (self);
  g_autofree char *titles = NULL;
  g_autofree char *turned = NULL;
  g_autofree char *by_name = NULL;

  g_assert_cmpstr (by_delta, ==, "0x3000 0.000063 0.000603 0.000540 changed\n"
                                 "0x5000 – 0.000030 0.000030 new\n"
                                 "0x4000 0.000050 – -0.000050 gone\n");
  g_assert_cmpstr (cs_compare_view_get_totals (self->view), ==,
                   "Total self time: 700 ns, was 180 ns (+288.9 %) · 1 new, 1 gone, 2 unchanged");
  titles = dup_titles (self);
  g_assert_cmpstr (titles, ==, "Function|Base (ms)|New (ms)|Delta (ms) ▾|Change|Status|");
  act (self, "reverse");
  turned = dup_table (self);
  g_assert_true (g_str_has_prefix (turned, "0x4000"));
  change (self, "sort", g_variant_new_string ("function"));
  change (self, "hide-unchanged", g_variant_new_boolean (FALSE));
  by_name = dup_table (self);
  g_assert_cmpstr (by_name, ==, "0x1000 0.000027 0.000027 0.000000 unchanged\n"
                                "0x2000 0.000040 0.000040 0.000000 unchanged\n"
                                "0x3000 0.000063 0.000603 0.000540 changed\n"
                                "0x4000 0.000050 – -0.000050 gone\n"
                                "0x5000 – 0.000030 0.000030 new\n");
  cs_session_set_search (self->session, "0X3", FALSE);
  g_assert_cmpuint (get_n (self), ==, 1);
  cs_session_set_search (self->session, "0x[12]", TRUE);
  g_assert_cmpuint (get_n (self), ==, 2);
  cs_session_set_search (self->session, "(", TRUE);
  g_assert_cmpuint (get_n (self), ==, 2);
  cs_session_set_search (self->session, "", FALSE);
  g_assert_cmpuint (get_n (self), ==, 5);
}

/* What is no number changes nothing, and is marked. */
static void
test_threshold (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  cs_compare_view_set_threshold (self->view, "0.0001");
  settle (self);
  g_assert_cmpuint (get_n (self), ==, 1);
  cs_compare_view_set_threshold (self->view, "0.0001x");
  settle (self);
  g_assert_cmpuint (get_n (self), ==, 1);
  cs_compare_view_set_threshold (self->view, "-1");
  settle (self);
  g_assert_cmpuint (get_n (self), ==, 1);
  cs_compare_view_set_threshold (self->view, "");
  settle (self);
  g_assert_cmpuint (get_n (self), ==, 3);
  /* Another unit: the old one would mean something else. */
  cs_compare_view_set_threshold (self->view, "0.0001");
  cs_compare_view_set_key (self->view, "calls");
  settle (self);
  g_assert_cmpuint (get_n (self), ==, 2);
}

static guint64
get_cursor (Fixture *self)
{
  CsDeltaFlame *flame = cs_compare_view_get_flame (self->view);
  CsFlameChart *chart = cs_delta_flame_get_chart (flame);
  guint32 node = cs_flame_chart_get_cursor (chart);
  CsCompareSides *sides = cs_comparison_get_flame_sides (self->comparison);
  CsProfile *profile = cs_flame_diff_get_shape (cs_delta_flame_get_diff (flame)) == CS_FLAME_SHAPE_NEW ? sides->profile
                                                                                                      : sides->base->profile;
  guint n;

  if (node == CS_FLAME_NONE)
    return 0;
  return cs_profile_get_functions (profile, &n)[cs_flame_layout_get_function (cs_flame_chart_get_layout (chart), node)]
      .location.address;
}

static void
assert_selected (Fixture *self, guint64 address, guint64 base_calls, guint64 new_calls)
{
  const CsHistogramPair *pair = cs_histogram_pair_chart_get_layout (cs_compare_view_get_histogram (self->view));

  g_assert_cmpuint (cs_delta_table_get_selected (cs_compare_view_get_table (self->view)), ==, get_number (self, address));
  g_assert_cmpuint (pair->calls[0], ==, base_calls);
  g_assert_cmpuint (pair->calls[1], ==, new_calls);
}

static void
test_selection (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  CsDeltaTable *table = cs_compare_view_get_table (self->view);
  CsFlameChart *chart = cs_delta_flame_get_chart (cs_compare_view_get_flame (self->view));
  GtkSelectionModel *selection = gtk_column_view_get_model (cs_delta_table_get_view (table));
  guint32 root_child;

  /* What rose most comes first. */
  assert_selected (self, SLOWER, 3, 3);
  g_assert_cmpuint (get_cursor (self), ==, SLOWER);

  /* A row. */
  gtk_selection_model_select_item (selection, cs_delta_model_find (self->model, get_number (self, FRESH)), TRUE);
  assert_selected (self, FRESH, 0, 1);
  g_assert_cmpuint (get_cursor (self), ==, FRESH);
  g_assert_cmpuint (cs_session_get_function (self->session), ==, get_session_function (self, FRESH));

  /* Another view. */
  cs_session_set_function (self->session, get_session_function (self, STEADY));
  assert_selected (self, STEADY, 4, 4);
  g_assert_cmpuint (get_cursor (self), ==, STEADY);

  /* A frame: the only one right below the root is main's. */
  root_child = 1;
  cs_flame_chart_set_cursor (chart, root_child);
  assert_selected (self, MAIN, 1, 1);
  g_assert_cmpuint (cs_session_get_function (self->session), ==, get_session_function (self, MAIN));

  /* What is gone has no frame here, and is no function of the open recording. */
  gtk_selection_model_select_item (selection, cs_delta_model_find (self->model, get_number (self, GONE)), TRUE);
  assert_selected (self, GONE, 1, 0);
  g_assert_cmpuint (get_cursor (self), ==, 0);
  g_assert_cmpuint (cs_session_get_function (self->session), ==, get_session_function (self, MAIN));
  change (self, "shape", g_variant_new_string ("base"));
  settle (self);
  g_assert_cmpint (cs_flame_diff_get_shape (cs_delta_flame_get_diff (cs_compare_view_get_flame (self->view))), ==,
                   CS_FLAME_SHAPE_BASE);
  g_assert_cmpuint (get_cursor (self), ==, GONE);
  /* It stays selected while the table is ordered and searched anew. */
  act (self, "reverse");
  assert_selected (self, GONE, 1, 0);
  g_assert_true (gtk_selection_model_is_selected (selection, cs_delta_model_find (self->model, get_number (self, GONE))));
}

/* One number has one form in the table, the graph and the sum. */
static void
test_change (void)
{
  static const struct { double before, after; const char *text; } cases[] = {
    { 0, 0, "±0 %" }, { 0, 5, "from 0" }, { 7, 7, "±0 %" }, { 100, 167.3, "+67.3 %" }, { 8, 5, "−37.5 %" }, { 5, 0, "−100.0 %" },
    { 10, 109, "+990.0 %" }, { 10, 318, "×31.8" }, { 1, 2000000, "×2 M" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = cs_delta_format_change (cases[i].before, cases[i].after);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* A row that is selected as the rows come, in a list that is too low for all of them, is scrolled to once it has a place. */
static void
test_scroll (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  CsDeltaTable *table = g_object_new (CS_TYPE_DELTA_TABLE, NULL);
  CsDeltaModel *model = cs_delta_table_get_model (table);
  CsDeltaRows *rows = cs_comparison_get_rows (self->comparison);
  GtkWidget *window = gtk_window_new ();
  GtkAdjustment *adjustment;
  guint last;

  gtk_window_set_default_size (GTK_WINDOW (window), 600, 120);
  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (table));
  cs_delta_model_set_hide_unchanged (model, FALSE);
  cs_delta_table_set_rows (table, rows);
  last = cs_delta_model_get_number (model, g_list_model_get_n_items (G_LIST_MODEL (model)) - 1);
  gtk_window_present (GTK_WINDOW (window));
  test_wait_frames (window);
  adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (cs_delta_table_get_view (table)));
  g_assert_cmpfloat (gtk_adjustment_get_upper (adjustment), >, 2 * gtk_adjustment_get_page_size (adjustment));
  for (guint i = 0; i < 3; i++)
    {
      cs_delta_table_set_rows (table, NULL);
      if (i == 1)
        test_wait_frames (window);
      cs_delta_table_set_rows (table, rows);
      cs_delta_table_select (table, last);
      if (i == 2)
        gtk_widget_set_visible (GTK_WIDGET (table), FALSE);
      test_wait_frames (window);
      gtk_widget_set_visible (GTK_WIDGET (table), TRUE);
      test_wait_frames (window);
      g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), >, 0);
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_flame (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  CsDeltaFlame *flame = cs_compare_view_get_flame (self->view);
  CsFlameDiff *diff = cs_delta_flame_get_diff (flame);
  guint64 base, other;
  g_autofree char *label = NULL;
  g_autofree char *plain = NULL;
  g_autofree char *text = NULL;
  CsFlameDelta root;

  cs_flame_diff_get_totals (diff, &base, &other);
  g_assert_cmpuint (base, ==, 180);
  g_assert_cmpuint (other, ==, 700);
  cs_flame_diff_get_delta (diff, 1, &root);
  g_assert_cmpuint (root.hidden, ==, 50);
  text = cs_delta_flame_dup_text (flame, 1);
  g_assert_nonnull (strstr (text, "inclusive: 180 ns → 700 ns (+520 ns)"));
  g_assert_nonnull (strstr (text, "in calls that only the base has: 50 ns"));
  plain = cs_delta_flame_dup_label (flame, 1);
  g_assert_cmpstr (plain, ==, "+ 0x1000  +288.9 %");
  change (self, "normalised", g_variant_new_boolean (TRUE));
  label = cs_delta_flame_dup_label (flame, 1);
  g_assert_cmpstr (label, ==, "= 0x1000"); /* 100 % of both */

  change (self, "kind", g_variant_new_string ("callers"));
  settle (self);
  g_assert_true (cs_delta_flame_get_diff (flame) != diff);
  cs_flame_diff_get_totals (cs_delta_flame_get_diff (flame), &base, &other);
  g_assert_cmpuint (base, ==, 180);
  g_assert_cmpuint (other, ==, 700);
  /* Keys: Enter zooms, Escape goes back. */
  cs_flame_chart_set_cursor (cs_delta_flame_get_chart (flame), 2);
  g_assert_true (cs_flame_chart_press_key (cs_delta_flame_get_chart (flame), GDK_KEY_Return, 0));
  g_assert_cmpuint (cs_flame_chart_get_focus (cs_delta_flame_get_chart (flame)), ==, 2);
  act (self, "reset-zoom");
  g_assert_cmpuint (cs_flame_chart_get_focus (cs_delta_flame_get_chart (flame)), ==, 0);
}

/* The filter is the new side's alone, and it is said so. */
static void
test_filter (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *table = NULL;

  g_assert_null (strstr (cs_compare_view_get_subtitle (self->view), "All of"));
  cs_session_set_range (self->session, TRUE, 0, 20);
  while (cs_profile_filter_is_empty (cs_profile_get_filter (cs_session_get_profile (self->session))) || is_under_way (self))
    g_main_context_iteration (NULL, TRUE);
  change (self, "hide-unchanged", g_variant_new_boolean (FALSE));
  change (self, "sort", g_variant_new_string ("function"));
  table = dup_table (self);
  /* steady: 0 – 10 and 15 – 20; main the rest. */
  g_assert_cmpstr (table, ==, "0x1000 0.000027 0.000005 -0.000022 changed\n"
                              "0x2000 0.000040 0.000015 -0.000025 changed\n"
                              "0x3000 0.000063 – -0.000063 gone\n"
                              "0x4000 0.000050 – -0.000050 gone\n");
  g_assert_true (g_str_has_prefix (cs_compare_view_get_subtitle (self->view), "All of “"));
  g_assert_nonnull (strstr (cs_compare_view_get_subtitle (self->view), "0 ns – 20 ns of “"));
}

static void
test_swap (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *table = NULL;

  act (self, "swap");
  settle (self);
  g_assert_cmpstr (cs_session_get_paths (self->session)[0], ==, self->base);
  g_assert_cmpstr (cs_session_get_base (self->session), ==, self->open);
  table = dup_table (self);
  g_assert_cmpstr (table, ==, "0x4000 – 0.000050 0.000050 new\n"
                              "0x5000 0.000030 – -0.000030 gone\n"
                              "0x3000 0.000603 0.000063 -0.000540 changed\n");
}

static void
test_reports (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  static const char *const formats[] = { "json", "folded" };
  g_autofree char *recorded = dup_table (self);
  GActionGroup *actions = cs_view_get_actions (CS_VIEW (self->view));

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *path = write_report (self->base, formats[i]);
      g_autofree char *table = NULL;

      cs_session_set_base (self->session, path);
      settle (self);
      g_assert_cmpint (cs_comparison_get_state (self->comparison), ==, CS_COMPARISON_READY);
      table = dup_table (self);
      g_assert_cmpstr (table, ==, recorded);
      g_assert_null (cs_delta_flame_get_diff (cs_compare_view_get_flame (self->view)));
      g_assert_nonnull (cs_compare_sides_get_flame_obstacle (cs_comparison_get_sides (self->comparison)));
      g_assert_false (g_action_group_get_action_enabled (actions, "swap"));
      g_assert_false (g_action_group_get_action_enabled (actions, "shape"));
      g_unlink (path);
    }
  /* A folded one knows times alone. */
  g_assert_false (cs_compare_sides_has_key (cs_comparison_get_sides (self->comparison), "calls"));
  cs_compare_view_set_key (self->view, "calls");
  g_assert_cmpstr (cs_compare_view_get_key (self->view), ==, "self_ms");
}

static void
test_summary (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *summary = write_summary ();
  const char *const paths[] = { summary, NULL };
  g_autofree char *table = NULL;

  cs_session_set_base (self->session, summary);
  settle (self);
  table = dup_table (self);
  g_assert_nonnull (strstr (table, "0x2000 0.000006 0.000040 0.000034 changed\n"));
  g_assert_null (cs_delta_flame_get_diff (cs_compare_view_get_flame (self->view)));
  g_assert_nonnull (strstr (cs_compare_sides_get_flame_obstacle (cs_comparison_get_sides (self->comparison)), "base"));
  cs_session_set_base (self->session, self->base);
  cs_session_open_recording (self->session, paths);
  settle (self);
  g_assert_cmpint (cs_comparison_get_state (self->comparison), ==, CS_COMPARISON_READY);
  g_assert_null (cs_delta_flame_get_diff (cs_compare_view_get_flame (self->view)));
  g_assert_nonnull (strstr (cs_compare_sides_get_flame_obstacle (cs_comparison_get_sides (self->comparison)), "This recording"));
  remove_summary (summary);
}

static void
test_vanished (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *other = write_recording (5, 0, 0);
  g_autofree char *moved = g_strconcat (other, "-moved", NULL);

  g_assert_cmpint (g_rename (other, moved), ==, 0);
  cs_session_set_base (self->session, other);
  settle (self);
  g_assert_cmpint (cs_comparison_get_state (self->comparison), ==, CS_COMPARISON_FAILED);
  g_assert_nonnull (strstr (cs_comparison_get_error (self->comparison), "isn’t there any more"));
  g_assert_cmpuint (get_n (self), ==, 0);
  g_assert_cmpint (g_rename (moved, other), ==, 0);
  act (self, "retry");
  settle (self);
  g_assert_cmpint (cs_comparison_get_state (self->comparison), ==, CS_COMPARISON_READY);
  g_assert_cmpuint (get_n (self), ==, 2);
  test_recording_remove (other);
}

/* What isn't a report, and what has no calls. */
static void
test_bad (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *text = g_strconcat (self->base, ".txt", NULL);
  g_autofree char *empty = test_recording_write (test_recording_new ());

  g_assert_true (g_file_set_contents (text, "this is <b>no</b> report", -1, NULL));
  cs_session_set_base (self->session, text);
  settle (self);
  g_assert_cmpint (cs_comparison_get_state (self->comparison), ==, CS_COMPARISON_FAILED);
  cs_session_set_base (self->session, empty);
  settle (self);
  g_assert_cmpint (cs_comparison_get_state (self->comparison), ==, CS_COMPARISON_FAILED);
  g_assert_nonnull (strstr (cs_comparison_get_error (self->comparison), "holds no calls"));
  cs_session_set_base (self->session, self->base);
  settle (self);
  g_assert_cmpint (cs_comparison_get_state (self->comparison), ==, CS_COMPARISON_READY);
  g_unlink (text);
  test_recording_remove (empty);
}

static void
on_rows_changed (CsComparison *comparison, GPtrArray *seen)
{
  CsDeltaRows *rows = cs_comparison_get_rows (comparison);

  if (rows != NULL)
    g_ptr_array_add (seen, g_strdup (rows->sides->base->path));
}

/* Of many bases only the last one is shown, and of many keys the last. */
static void
test_superseded (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autoptr (GPtrArray) seen = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *other = write_recording (5, 0, 0);
  const char *const keys[] = { "calls", "p50_ns", "max_ns", "incl_ms" };
  CsJobs *jobs = cs_session_get_jobs (self->session);

  g_signal_connect (self->comparison, "rows-changed", G_CALLBACK (on_rows_changed), seen);
  for (guint i = 0; i < 20; i++)
    cs_session_set_base (self->session, i % 2 == 0 ? other : self->base);
  cs_session_set_base (self->session, other);
  settle (self);
  g_assert_cmpuint (seen->len, ==, 1);
  g_assert_cmpstr (seen->pdata[0], ==, other);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    cs_compare_view_set_key (self->view, keys[i]);
  settle (self);
  g_assert_cmpuint (seen->len, ==, 2);
  g_assert_cmpstr (cs_comparison_get_rows (self->comparison)->diff->key, ==, "incl_ms");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (jobs)), ==, 0);

  /* Cancelled by the person. */
  cs_session_set_base (self->session, self->base);
  act (self, "cancel");
  settle (self);
  g_assert_cmpint (cs_comparison_get_state (self->comparison), ==, CS_COMPARISON_FAILED);
  g_assert_nonnull (strstr (cs_comparison_get_error (self->comparison), "was stopped"));
  act (self, "retry");
  settle (self);
  g_assert_cmpint (cs_comparison_get_state (self->comparison), ==, CS_COMPARISON_READY);
  g_signal_handlers_disconnect_by_data (self->comparison, seen);
  test_recording_remove (other);
}

static gboolean
is_exporting (Fixture *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (cs_session_get_jobs (self->session))) > 0;
}

/* What is exported is what callsight-cli diff writes. */
static void
test_export (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  static const struct { CsDiffFormat format; const char *name, *report; } cases[] = {
    { CS_DIFF_TEXT, "text", "json" }, { CS_DIFF_CSV, "csv", "json" }, { CS_DIFF_FOLDED, "folded", "folded" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *base = write_report (self->base, cases[i].report);
      g_autofree char *open = write_report (self->open, cases[i].report);
      g_autofree char *path = g_strconcat (self->open, ".export", NULL);
          const char *const argv[] = { "diff", base, open, "--format", cases[i].name, NULL };
      g_autofree char *wanted = run_cli (argv);
      g_autofree char *written = NULL;

      cs_compare_export_start (self->session, cs_comparison_get_rows (self->comparison), cases[i].format, path);
      while (is_exporting (self))
        g_main_context_iteration (NULL, TRUE);
      g_assert_true (g_file_get_contents (path, &written, NULL, NULL));
      g_assert_cmpstr (written, ==, wanted);
      g_unlink (base);
      g_unlink (open);
      g_unlink (path);
    }
}

/* Both histograms have the same bars, and every call is in one. */
static void
test_histogram (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  CsHistogramPairChart *chart = cs_compare_view_get_histogram (self->view);
  const CsHistogramPair *pair = cs_histogram_pair_chart_get_layout (chart);
  const CsHistogramLayout *base = pair->sides[0], *other = pair->sides[1];
  guint64 calls[2] = { 0, 0 };
  double tallest = 0;

  g_assert_cmpuint (base->bars->len, ==, other->bars->len);
  for (guint i = 0; i < base->bars->len; i++)
    {
      const CsHistogramBar *a = &g_array_index (base->bars, CsHistogramBar, i);
      const CsHistogramBar *b = &g_array_index (other->bars, CsHistogramBar, i);

      g_assert_cmpuint (a->first, ==, b->first);
      g_assert_cmpuint (a->last, ==, b->last);
      for (guint side = 0; side < 2; side++)
        {
          calls[side] += cs_histogram_pair_get_calls (pair, side, i);
          tallest = MAX (tallest, cs_histogram_pair_get_height (pair, side, i));
        }
    }
  g_assert_cmpuint (calls[0], ==, 3);
  g_assert_cmpuint (calls[1], ==, 3);
  g_assert_cmpfloat_with_epsilon (tallest, 1, 1e-9);
  change (self, "shares", g_variant_new_boolean (FALSE));
  change (self, "log-counts", g_variant_new_boolean (TRUE));
  g_assert_false (cs_histogram_pair_chart_get_layout (chart)->shares);
  g_assert_true (cs_histogram_pair_chart_get_layout (chart)->logarithmic);
}

static double
get_luminance (const GdkRGBA *color)
{
  const float channels[] = { color->red, color->green, color->blue };
  static const double weights[] = { 0.2126, 0.7152, 0.0722 };
  double sum = 0;

  for (guint i = 0; i < 3; i++)
    sum += weights[i] * (channels[i] <= 0.04045f ? channels[i] / 12.92 : pow ((channels[i] + 0.055) / 1.055, 2.4));
  return sum;
}

/* Labels are read on every colour, and more is never the colour of less. */
static void
test_colors (void)
{
  for (guint dark = 0; dark < 2; dark++)
    {
      CsChartColors colors;

      cs_chart_colors_set_style (&colors, dark == 1, FALSE);
      for (int i = -100; i <= 100; i++)
        {
          GdkRGBA color, opposite;
          double a, b;

          cs_chart_colors_get_change (&colors, i / 100.0, &color);
          cs_chart_colors_get_change (&colors, -i / 100.0, &opposite);
          a = get_luminance (&color) + 0.05;
          b = get_luminance (&colors.function_label) + 0.05;
          g_assert_cmpfloat (MAX (a, b) / MIN (a, b), >=, 4.5);
          if (i > 0)
            {
              g_assert_cmpfloat (color.red - color.blue, >, 0);
              g_assert_cmpfloat (opposite.red - opposite.blue, <, 0);
            }
        }
    }
}

int
main (int argc, char *argv[])
{
  test_init_display (&argc, &argv);
#define ADD(name) g_test_add ("/compare/" #name, Fixture, NULL, set_up, test_##name, tear_down)
  ADD (table);
  ADD (numbers);
  ADD (threshold);
  ADD (selection);
  ADD (scroll);
  ADD (flame);
  ADD (filter);
  ADD (swap);
  ADD (reports);
  ADD (summary);
  ADD (vanished);
  ADD (bad);
  ADD (superseded);
  ADD (export);
  ADD (histogram);
  g_test_add_func ("/compare/change", test_change);
  g_test_add_func ("/compare/colors", test_colors);
  return g_test_run ();
}
