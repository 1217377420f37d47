/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <time.h>

#include "hotspots-fixture.h"
#include "tables/cs-function-copy.h"

/* What was counted by hand; -1: not known. */
typedef struct
{
  guint64 address;
  double numbers[CS_N_COLUMNS];
} Row;

#define NONE (-1.0)

/* calls self self% incl total mean min p50 p90 p99 p99.9 max σ threads callers callees hooks chosen repaired open clipped */
static const Row expected[] = {
  { THREES, { 0, 10, 30, 0, 30, 30, 3, 3, 3, 3, 3, 3, 3, 0, 1, 1, 0, NONE, NONE, 0, 0, 0 } },
  { FIVES, { 0, 10, 275, 0, 275, 275, 27.5, 5, 25, 45, 50, 50, 50, 14.361406616345072, 1, 1, 0, NONE, NONE, 0, 0, 0 } },
  { OUTER, { 0, 3, 9, 0, 30, 30, 10, 10, 10, 10, 10, 10, 10, 0, 1, 1, 1, NONE, NONE, 0, 0, 0 } },
  { INNER, { 0, 4, 22, 0, 22, 22, 5.5, 1, 7, 7, 7, 7, 7, 2.598076211353316, 1, 2, 0, NONE, NONE, 0, 0, 0 } },
  { TWICE, { 0, 4, 12, 0, 20, 12, 5, 4, 4, 6, 6, 6, 6, 1, 1, 2, 1, NONE, NONE, 0, 0, 0 } },
  { LOST, { 0, 1, 1, 0, 1, 1, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 1, 1, 0, NONE, NONE, 1, 0, 0 } },
};

static double
get_number (CsFunctionItem *item, CsColumnId column)
{
  guint64 value = cs_function_item_get_value (item, column);
  CsColumnKind kind = cs_column_get (column)->kind;

  if (value == CS_VALUE_UNKNOWN)
    return NONE;
  return kind == CS_COLUMN_MEAN_TIME || kind == CS_COLUMN_SHARE ? cs_value_get_double (value) : (double) cs_value_get (value);
}

static void
test_values (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;

  open_recording (&fixture, write_recording ());
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    for (guint column = CS_COLUMN_CALLS; column <= CS_COLUMN_CLIPPED; column++)
      {
        guint position = cs_function_model_find (fixture.model, find (&fixture, expected[i].address));
        g_autoptr (CsFunctionItem) item = g_list_model_get_item (G_LIST_MODEL (fixture.model), position);
        double number = get_number (item, column);

        if (column == CS_COLUMN_SELF_SHARE)
          number -= expected[i].numbers[CS_COLUMN_SELF]
                    / (double) cs_profile_get_totals (cs_session_get_profile (fixture.session))->self;
        g_test_message ("0x%" G_GINT64_MODIFIER "x %s", expected[i].address, cs_column_get (column)->id);
        g_assert_cmpfloat_with_epsilon (number, expected[i].numbers[column], 1e-9);
      }
  close_recording (&fixture);
}

/* What a column orders by, straight from the profile. */
static double
get_key (const CsFunction *function, CsColumnId column)
{
  switch ((guint) column)
    {
    case CS_COLUMN_CALLS: return (double) function->calls;
    case CS_COLUMN_SELF:
    case CS_COLUMN_SELF_SHARE: return (double) function->self;
    case CS_COLUMN_INCLUSIVE: return (double) function->incl;
    case CS_COLUMN_TOTAL: return (double) function->total;
    case CS_COLUMN_MEAN: return function->recorded > 0 ? function->mean : -1;
    case CS_COLUMN_MIN: return function->recorded > 0 ? (double) function->min : -1;
    case CS_COLUMN_MAX: return function->recorded > 0 ? (double) function->max : -1;
    case CS_COLUMN_DEVIATION: return function->recorded > 0 ? function->deviation : -1;
    case CS_COLUMN_P50:
    case CS_COLUMN_P90:
    case CS_COLUMN_P99:
    case CS_COLUMN_P999:
      for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
        if (expected[i].address == function->location.address)
          return expected[i].numbers[column];
      return function->recorded > 0 ? (double) function->max : -1;
    case CS_COLUMN_THREADS: return function->n_threads;
    case CS_COLUMN_CALLERS: return function->n_callers;
    case CS_COLUMN_CALLEES: return function->n_callees;
    case CS_COLUMN_REPAIRED: return (double) function->repaired;
    case CS_COLUMN_OPEN: return (double) function->open;
    case CS_COLUMN_CLIPPED: return (double) function->clipped;
    case CS_COLUMN_FUNCTION: return (double) function->location.address;
    default: return 0; /* not known of any */
    }
}

static void
test_sort (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;

  open_recording (&fixture, write_recording ());
  assert_order (&fixture, "3000 1000 2000 5000 6000 4000 7000 8000");
  for (guint column = 0; column < CS_N_COLUMNS; column++)
    for (guint descending = 0; descending < 2; descending++)
      {
        const CsSortKey key = { column, descending };

        cs_function_table_set_keys (fixture.table, &key, 1);
        g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture.model)), ==, 8);
        for (guint i = 1; i < 8; i++)
          {
            const CsFunction *before = get_row (&fixture, i - 1), *after = get_row (&fixture, i);
            double x = get_key (before, column), y = get_key (after, column);

            g_test_message ("%s %s", cs_column_get (column)->id, descending ? "descending" : "ascending");
            if (descending)
              g_assert_cmpfloat (x, >=, y);
            else
              g_assert_cmpfloat (x, <=, y);
            /* What is the same goes by name. */
            if (x <= y && x >= y)
              g_assert_cmpstr (before->location.name, <, after->location.name);
          }
      }
  close_recording (&fixture);
}

static void
test_keys (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  guint n;
  const CsSortKey *keys;
  g_autofree char *order = NULL;

  open_recording (&fixture, write_recording ());
  /* The first time from the most down, the second time the other way around. */
  cs_function_table_sort (fixture.table, CS_COLUMN_CALLS, FALSE);
  assert_order (&fixture, "2000 3000 5000 6000 4000 1000 7000 8000");
  cs_function_table_sort (fixture.table, CS_COLUMN_SELF, TRUE);
  assert_order (&fixture, "3000 2000 5000 6000 4000 1000 7000 8000");
  cs_function_table_sort (fixture.table, CS_COLUMN_SELF, TRUE);
  assert_order (&fixture, "2000 3000 6000 5000 4000 7000 1000 8000");
  cs_function_table_sort (fixture.table, CS_COLUMN_CALLS, TRUE);
  assert_order (&fixture, "8000 7000 1000 4000 6000 5000 2000 3000");
  keys = cs_function_table_get_keys (fixture.table, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (keys[0].column, ==, CS_COLUMN_CALLS);
  g_assert_false (keys[0].descending);
  order = cs_function_table_dup_order (fixture.table);
  g_assert_cmpstr (order, ==, "Calls ▴, Self ▴");
  /* Another one by itself forgets them. */
  cs_function_table_sort (fixture.table, CS_COLUMN_FUNCTION, FALSE);
  cs_function_table_get_keys (fixture.table, &n);
  g_assert_cmpuint (n, ==, 1);
  assert_order (&fixture, "1000 2000 3000 4000 5000 6000 7000 8000");
  close_recording (&fixture);
}

static GtkWidget *
get_child (GtkWidget *widget, guint i)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  while (i-- > 0)
    child = gtk_widget_get_next_sibling (child);
  return child;
}

/* Titles say how they order, and rows what they are, to those who don't see them. */
static void
test_accessible (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  GtkWidget *view, *header, *row;

  open_recording (&fixture, write_recording ());
  view = GTK_WIDGET (cs_function_table_get_view (fixture.table));
  header = get_child (view, 0);
  gtk_test_accessible_assert_property (get_child (header, CS_COLUMN_SELF), GTK_ACCESSIBLE_PROPERTY_SORT,
                                       GTK_ACCESSIBLE_SORT_DESCENDING);
  cs_function_table_sort (fixture.table, CS_COLUMN_CALLS, FALSE);
  cs_function_table_sort (fixture.table, CS_COLUMN_SELF, TRUE);
  cs_function_table_sort (fixture.table, CS_COLUMN_SELF, TRUE);
  gtk_test_accessible_assert_property (get_child (header, CS_COLUMN_CALLS), GTK_ACCESSIBLE_PROPERTY_SORT,
                                       GTK_ACCESSIBLE_SORT_DESCENDING);
  gtk_test_accessible_assert_property (get_child (header, CS_COLUMN_SELF), GTK_ACCESSIBLE_PROPERTY_SORT,
                                       GTK_ACCESSIBLE_SORT_ASCENDING);
  gtk_test_accessible_assert_property (get_child (header, CS_COLUMN_MAX), GTK_ACCESSIBLE_PROPERTY_SORT,
                                       GTK_ACCESSIBLE_SORT_NONE);
  row = get_child (get_child (view, 1), 0);
  gtk_test_accessible_assert_property (row, GTK_ACCESSIBLE_PROPERTY_LABEL, "0x2000: 10 calls, self 30 ns");
  close_recording (&fixture);
}

static GtkColumnViewColumn *
get_column (Fixture *fixture, guint position)
{
  return g_list_model_get_item (gtk_column_view_get_columns (cs_function_table_get_view (fixture->table)), position);
}

/* Columns, their order, widths and keys are there again in the next window. */
static void
test_remembered (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  g_autoptr (CsWindow) window = NULL;
  CsFunctionTable *table;
  g_autoptr (GArray) columns = NULL;
  g_autoptr (GtkColumnViewColumn) moved = NULL;
  g_autoptr (GtkColumnViewColumn) first = NULL;
  guint n;
  const CsSortKey *keys;

  open_recording (&fixture, write_recording ());
  cs_function_table_set_shown (fixture.table, CS_COLUMN_P999, TRUE);
  cs_function_table_set_shown (fixture.table, CS_COLUMN_CALLS, FALSE);
  cs_function_table_set_shown (fixture.table, CS_COLUMN_FUNCTION, FALSE);
  moved = get_column (&fixture, CS_COLUMN_P999);
  gtk_column_view_insert_column (cs_function_table_get_view (fixture.table), 0, moved);
  gtk_column_view_column_set_fixed_width (moved, 123);
  cs_function_table_sort (fixture.table, CS_COLUMN_MAX, FALSE);
  cs_function_table_sort (fixture.table, CS_COLUMN_MIN, TRUE);
  close_recording (&fixture);
  while (g_main_context_iteration (NULL, FALSE))
    ;

  window = g_object_ref (cs_window_new (NULL));
  table = cs_hotspots_view_get_table (CS_HOTSPOTS_VIEW (cs_window_get_view (window, "hotspots")));
  columns = cs_function_table_dup_columns (table);
  g_assert_cmpint (g_array_index (columns, CsColumnId, 0), ==, CS_COLUMN_P999);
  g_assert_cmpint (g_array_index (columns, CsColumnId, 1), ==, CS_COLUMN_FUNCTION);
  g_assert_cmpint (g_array_index (columns, CsColumnId, 2), ==, CS_COLUMN_SELF);
  first = g_list_model_get_item (gtk_column_view_get_columns (cs_function_table_get_view (table)), 0);
  g_assert_cmpint (gtk_column_view_column_get_fixed_width (first), ==, 123);
  keys = cs_function_table_get_keys (table, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (keys[0].column, ==, CS_COLUMN_MAX);
  g_assert_cmpint (keys[1].column, ==, CS_COLUMN_MIN);
  cs_function_table_reset (table);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_search (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  g_autoptr (GError) error = NULL;

  open_recording (&fixture, write_recording ());
  cs_session_set_search (fixture.session, "0X2", FALSE);
  assert_order (&fixture, "2000");
  cs_session_set_search (fixture.session, "0x[23]", FALSE);
  assert_order (&fixture, "");
  cs_session_set_search (fixture.session, "0X[23]", TRUE);
  assert_order (&fixture, "3000 2000");
  cs_session_set_search (fixture.session, "^0x.000$", TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture.model)), ==, 8);
  cs_session_set_search (fixture.session, "^0x[56]", TRUE);
  assert_order (&fixture, "5000 6000");
  /* What can't be understood changes nothing but the entry. */
  cs_session_set_search (fixture.session, "0x(", TRUE);
  assert_order (&fixture, "5000 6000");
  g_assert_false (cs_function_model_set_search (fixture.model, "0x(", TRUE, &error));
  g_assert_nonnull (strstr (error->message, "Not a regular expression"));
  cs_session_set_search (fixture.session, "", TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture.model)), ==, 8);
  close_recording (&fixture);
}

/* What is selected stays so when it moves, and comes back into the panel. */
static void
test_selection (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  CsFunctionPanel *panel;

  open_recording (&fixture, write_recording ());
  panel = cs_hotspots_view_get_panel (fixture.view);
  g_assert_cmpuint (cs_function_panel_get_function (panel), ==, find (&fixture, FIVES));
  cs_function_table_select (fixture.table, find (&fixture, TWICE));
  g_assert_cmpuint (cs_function_panel_get_function (panel), ==, find (&fixture, TWICE));
  g_assert_cmpuint (cs_session_get_function (fixture.session), ==, G_MAXUINT);
  cs_function_table_sort (fixture.table, CS_COLUMN_FUNCTION, FALSE);
  {
    g_autoptr (GArray) selected = cs_function_table_dup_selected (fixture.table);

    g_assert_cmpuint (selected->len, ==, 1);
    g_assert_cmpuint (g_array_index (selected, guint, 0), ==, find (&fixture, TWICE));
  }
  /* Other views' focus is shown, too; Alt+Left takes it back. */
  cs_session_set_function (fixture.session, find (&fixture, INNER));
  cs_session_set_function (fixture.session, find (&fixture, OUTER));
  g_assert_cmpuint (cs_function_panel_get_function (panel), ==, find (&fixture, OUTER));
  cs_session_back (fixture.session);
  g_assert_cmpuint (cs_function_panel_get_function (panel), ==, find (&fixture, INNER));
  close_recording (&fixture);
}

static void
test_copy (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  const CsColumnId ids[] = { CS_COLUMN_FUNCTION, CS_COLUMN_CALLS, CS_COLUMN_SELF, CS_COLUMN_MEAN, CS_COLUMN_MIN };
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (CsColumnId));
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree char *text = NULL;
  g_autofree char *csv = NULL;
  guint index;

  open_recording (&fixture, write_recording ());
  g_array_append_vals (columns, ids, G_N_ELEMENTS (ids));
  index = find (&fixture, FIVES);
  g_array_append_val (functions, index);
  index = find (&fixture, LOST);
  g_array_append_val (functions, index);
  text = cs_function_copy_text (cs_function_model_get_rows (fixture.model), functions, columns);
  g_assert_cmpstr (text, ==,
                   "Function  Calls  Self (ns)  Mean (ns)  Min (ns)\n"
                   "0x3000       10        275     27.500         5\n"
                   "0x7000        1          1          –         –\n");
  csv = cs_function_copy_csv (cs_function_model_get_rows (fixture.model), functions, columns);
  g_assert_cmpstr (csv, ==,
                   "function,calls,self_ns,mean_ns,min_ns\r\n"
                   "0x3000,10,275,27.500,5\r\n"
                   "0x7000,1,1,,\r\n");
  close_recording (&fixture);
}

typedef struct
{
  GString *text;
  gboolean done;
} Read;

static void
on_spliced (GObject *stream, GAsyncResult *result, gpointer user_data)
{
  Read *read = user_data;

  g_output_stream_splice_finish (G_OUTPUT_STREAM (stream), result, NULL);
  read->text = g_string_new_len (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (stream)),
                                 (gssize) g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (stream)));
  read->done = TRUE;
}

static void
on_clipboard_read (GObject *clipboard, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GInputStream) stream = gdk_clipboard_read_finish (GDK_CLIPBOARD (clipboard), result, NULL, NULL);
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();

  g_assert_nonnull (stream);
  g_output_stream_splice_async (memory, stream, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, G_PRIORITY_DEFAULT, NULL, on_spliced,
                                user_data);
}

static char *
read_clipboard (Fixture *fixture, const char *type)
{
  const char *types[] = { type, NULL };
  Read read = { NULL, FALSE };

  gdk_clipboard_read_async (gtk_widget_get_clipboard (GTK_WIDGET (fixture->window)), types, G_PRIORITY_DEFAULT, NULL,
                            on_clipboard_read, &read);
  while (!read.done)
    g_main_context_iteration (NULL, TRUE);
  return g_string_free (read.text, FALSE);
}

static void
test_clipboard (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  g_autofree char *text = NULL;
  g_autofree char *csv = NULL;
  g_autofree char *as_text = NULL;

  open_recording (&fixture, write_recording ());
  cs_function_table_select (fixture.table, find (&fixture, THREES));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture.window), "hotspots.copy", NULL));
  text = read_clipboard (&fixture, "text/plain;charset=utf-8");
  g_assert_cmpstr (text, ==,
                   "Function  Calls  Self (ns)  Inclusive (ns)  p50 (ns)  p99 (ns)  Max (ns)\n"
                   "0x2000       10         30              30         3         3         3\n");
  csv = read_clipboard (&fixture, "text/csv");
  g_assert_cmpstr (csv, ==, "function,calls,self_ns,incl_ns,p50_ns,p99_ns,max_ns\r\n0x2000,10,30,30,3,3,3\r\n");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture.window), "hotspots.copy-csv", NULL));
  as_text = read_clipboard (&fixture, "text/plain;charset=utf-8");
  g_assert_cmpstr (as_text, ==, csv);
  close_recording (&fixture);
}

static gboolean
is_busy (Fixture *fixture)
{
  return cs_function_model_get_busy (fixture->model);
}

/* Rows come into the list little by little: one that is to be selected is, once it is there. */
static void
test_select_late (void)
{
  SKIP_WITHOUT_DISPLAY ();
  GByteArray *recording = test_recording_new ();
  g_autoptr (GArray) selected = NULL;
  Fixture fixture;
  guint last;

  for (guint i = 0; i < 600; i++)
    {
      test_recording_add (recording, 1000 * (guint64) i, 0x100000 + 16 * (guint64) i, TRACE_KIND_ENTER);
      test_recording_add (recording, 1000 * (guint64) i + i, 0x100000 + 16 * (guint64) i, TRACE_KIND_EXIT);
    }
  open_recording (&fixture, test_recording_write (recording));
  iterate_while (is_busy, &fixture);
  last = cs_function_model_get_function (fixture.model, 599);
  cs_session_set_search (fixture.session, "no such function", FALSE);
  cs_session_set_search (fixture.session, "", FALSE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture.model)), <, 599);
  cs_session_set_function (fixture.session, last);
  iterate_while (is_busy, &fixture);
  selected = cs_function_table_dup_selected (fixture.table);
  g_assert_cmpuint (selected->len, ==, 1);
  g_assert_cmpuint (g_array_index (selected, guint, 0), ==, last);
  g_assert_cmpuint (cs_function_panel_get_function (cs_hotspots_view_get_panel (fixture.view)), ==, last);
  close_recording (&fixture);
}

/* The longest time that the main loop didn't turn, and what it worked meanwhile: others may have had the processor. */
typedef struct
{
  gint64 last, longest;           /* µs */
  gint64 last_worked, worked;     /* the same, of the processor's time */
} Watchdog;

static gint64
get_worked (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static gboolean
on_watchdog (gpointer data)
{
  Watchdog *watchdog = data;
  gint64 now = g_get_monotonic_time (), worked = get_worked ();

  watchdog->longest = MAX (watchdog->longest, now - watchdog->last);
  watchdog->worked = MAX (watchdog->worked, worked - watchdog->last_worked);
  watchdog->last = now;
  watchdog->last_worked = worked;
  return G_SOURCE_CONTINUE;
}

static void
tell (Watchdog *watchdog, const char *what)
{
  g_test_message ("longest block while %s: %.1f ms, of which %.1f ms were work", what, (double) watchdog->longest / 1000,
                  (double) watchdog->worked / 1000);
  watchdog->longest = watchdog->worked = 0;
}

static void
turn (guint ms)
{
  gint64 end = g_get_monotonic_time () + 1000 * (gint64) ms;

  while (g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
}

static void
test_many (void)
{
  SKIP_WITHOUT_DISPLAY ();
  const guint n = 100000;
  GByteArray *recording = test_recording_new ();
  Watchdog watchdog = { 0 };
  Fixture fixture;
  g_autofree char *folder = NULL;
  g_autoptr (GFile) file = NULL;
  guint timer;

  for (guint i = 0; i < n; i++)
    {
      test_recording_add (recording, 1000 * (guint64) i, 0x100000 + 16 * (guint64) i, TRACE_KIND_ENTER);
      test_recording_add (recording, 1000 * (guint64) i + i % 997, 0x100000 + 16 * (guint64) i, TRACE_KIND_EXIT);
    }
  folder = test_recording_write (recording);
  file = g_file_new_for_path (folder);
  open_recording (&fixture, write_recording ());
  turn (300);
  watchdog.last = g_get_monotonic_time ();
  watchdog.last_worked = get_worked ();
  timer = g_timeout_add (1, on_watchdog, &watchdog);
  cs_window_open_files (fixture.window, &file, 1);
  do
    g_main_context_iteration (NULL, TRUE);
  while (cs_function_model_get_n_all (fixture.model) != n || cs_function_model_get_busy (fixture.model));
  turn (300);
  tell (&watchdog, "loading 100,000 functions");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture.model)), ==, n);
  for (guint column = 0; column < CS_N_COLUMNS; column += 4)
    {
      cs_function_table_sort (fixture.table, column, FALSE);
      iterate_while (is_busy, &fixture);
      turn (50);
      for (guint i = 1; i < n; i += 1001)
        g_assert_cmpfloat (get_key (get_row (&fixture, i - 1), column) * (column == 0 ? -1 : 1), >=,
                           get_key (get_row (&fixture, i), column) * (column == 0 ? -1 : 1));
    }
  tell (&watchdog, "sorting them");
  cs_session_set_search (fixture.session, "00", FALSE);
  cs_session_set_search (fixture.session, "^0x1.*0$", TRUE);
  iterate_while (is_busy, &fixture);
  turn (100);
  tell (&watchdog, "searching them");
  g_source_remove (timer);
  close_recording (&fixture);
  test_recording_remove (folder);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/hotspots/values", test_values);
  g_test_add_func ("/app/hotspots/sort", test_sort);
  g_test_add_func ("/app/hotspots/keys", test_keys);
  g_test_add_func ("/app/hotspots/accessible", test_accessible);
  g_test_add_func ("/app/hotspots/remembered", test_remembered);
  g_test_add_func ("/app/hotspots/search", test_search);
  g_test_add_func ("/app/hotspots/selection", test_selection);
  g_test_add_func ("/app/hotspots/copy", test_copy);
  g_test_add_func ("/app/hotspots/clipboard", test_clipboard);
  g_test_add_func ("/app/hotspots/select-late", test_select_late);
  g_test_add_func ("/app/hotspots/many", test_many);
  return g_test_run ();
}
