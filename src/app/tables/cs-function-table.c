/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "tables/cs-function-cells.h"
#include "tables/cs-function-table.h"
#include "tables/cs-table-header.h"
#include "tables/cs-table-menu.h"
#include "tables/cs-table-layout.h"

/* Settings are written when nothing has changed for so long: a width changes with each pixel of a drag. */
#define SAVE_AFTER_MS 500

struct _CsFunctionTable
{
  AdwBin parent_instance;

  GtkColumnView *view;
  CsFunctionModel *model;
  GtkMultiSelection *selection;
  GtkColumnViewColumn *columns[CS_N_COLUMNS];
  CsTableLayout layout; /* as the person wants it; order and widths are those that were loaded or saved last */
  gboolean summary;     /* columns that only events fill are left out */

  GArray *kept;    /* (element-type guint) (nullable): functions selected before a change */
  CsProfile *kept_of; /* (nullable): that they are of; only compared */
  gboolean keeping; /* the selection is put back, and hasn't changed */
  guint save_timer;
  gboolean loading; /* settings are applied, and not to be written */
};

enum
{
  SELECTION_CHANGED,
  SORT_CHANGED,
  COLUMNS_CHANGED,
  ACTIVATED,
  MENU,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsFunctionTable, cs_function_table, ADW_TYPE_BIN)

static CsColumnId
get_id (CsFunctionTable *self, GtkColumnViewColumn *column)
{
  for (guint i = 0; i < CS_N_COLUMNS; i++)
    if (self->columns[i] == column)
      return (CsColumnId) i;
  return CS_N_COLUMNS;
}

static guint
find_key (CsFunctionTable *self, CsColumnId column)
{
  for (guint i = 0; i < self->layout.n_keys; i++)
    if (self->layout.keys[i].column == column)
      return i;
  return G_MAXUINT;
}

/* Titles say how the table is ordered: an arrow and, where there are several keys, their numbers. */
static void
show_keys (CsFunctionTable *self)
{
  static const char *const numbers[CS_MOST_SORT_KEYS] = { "¹", "²", "³", "⁴" };
  GListModel *columns = gtk_column_view_get_columns (self->view);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      CsColumnId id = get_id (self, column);
      const CsColumn *info = cs_column_get (id);
      guint key = find_key (self, id);
      GtkAccessibleSort sort = GTK_ACCESSIBLE_SORT_NONE;
      g_autofree char *title = NULL;

      if (key != G_MAXUINT)
        {
          sort = self->layout.keys[key].descending ? GTK_ACCESSIBLE_SORT_DESCENDING : GTK_ACCESSIBLE_SORT_ASCENDING;
          title = g_strconcat (_(info->title), self->layout.keys[key].descending ? " ▾" : " ▴",
                               self->layout.n_keys > 1 ? numbers[key] : "", NULL);
        }
      gtk_column_view_column_set_title (column, title != NULL ? title : _(info->title));
      cs_table_header_dress (self->view, i, _(info->description), info->kind != CS_COLUMN_TEXT, sort);
    }
}

static void
show_columns (CsFunctionTable *self)
{
  for (guint i = 0; i < CS_N_COLUMNS; i++)
    gtk_column_view_column_set_visible (self->columns[i],
                                        self->layout.shown[i] && !(self->summary && cs_column_get (i)->of_events));
}

static void
save (CsFunctionTable *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);

  g_clear_handle_id (&self->save_timer, g_source_remove);
  for (guint i = 0; i < CS_N_COLUMNS; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      self->layout.columns[i] = get_id (self, column);
      self->layout.widths[self->layout.columns[i]] = gtk_column_view_column_get_fixed_width (column);
    }
  cs_table_layout_save (&self->layout);
}

static gboolean
on_save_timer (gpointer data)
{
  CsFunctionTable *self = data;

  self->save_timer = 0;
  save (self);
  return G_SOURCE_REMOVE;
}

static void
save_later (CsFunctionTable *self)
{
  if (self->loading)
    return;
  g_clear_handle_id (&self->save_timer, g_source_remove);
  self->save_timer = g_timeout_add (SAVE_AFTER_MS, on_save_timer, self);
}

/* Puts the columns where the layout has them. */
static void
apply_layout (CsFunctionTable *self)
{
  self->loading = TRUE;
  for (guint i = 0; i < CS_N_COLUMNS; i++)
    {
      CsColumnId id = self->layout.columns[i];

      gtk_column_view_column_set_fixed_width (self->columns[id], self->layout.widths[id]);
      gtk_column_view_insert_column (self->view, i, self->columns[id]);
    }
  show_columns (self);
  show_keys (self);
  self->loading = FALSE;
}

/* The person's order of columns, and widths. */
static void
on_columns_moved (CsFunctionTable *self)
{
  if (self->loading)
    return;
  show_keys (self);
  save_later (self);
}

static void
add_columns (CsFunctionTable *self)
{
  for (guint i = 0; i < CS_N_COLUMNS; i++)
    {
      const CsColumn *info = cs_column_get (i);
      GtkColumnViewColumn *column = gtk_column_view_column_new (_(info->title), cs_function_cells_new (i));

      self->columns[i] = column; /* the view's */
      gtk_column_view_column_set_resizable (column, TRUE);
      gtk_column_view_column_set_expand (column, i == CS_COLUMN_FUNCTION);
      gtk_column_view_append_column (self->view, column);
      g_signal_connect_object (column, "notify::fixed-width", G_CALLBACK (save_later), self, G_CONNECT_SWAPPED);
      g_object_unref (column);
    }
  g_signal_connect_object (gtk_column_view_get_columns (self->view), "items-changed", G_CALLBACK (on_columns_moved), self,
                           G_CONNECT_SWAPPED);
}

static void
on_header_released (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  CsFunctionTable *self = data;
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  guint position = cs_table_header_find (self->view, x, y);
  g_autoptr (GtkColumnViewColumn) column = NULL;

  if (position == G_MAXUINT)
    return;
  column = g_list_model_get_item (gtk_column_view_get_columns (self->view), position);
  if (column != NULL)
    cs_function_table_sort (self, get_id (self, column), (state & (GDK_CONTROL_MASK | GDK_SHIFT_MASK)) != 0);
}

static void
on_activate (CsFunctionTable *self, guint position)
{
  g_signal_emit (self, signals[ACTIVATED], 0, cs_function_model_get_function (self->model, position));
}

static void
on_selection_changed (CsFunctionTable *self)
{
  if (self->keeping)
    return;
  /* The person's choice. */
  g_clear_pointer (&self->kept, g_array_unref);
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

static CsProfile *
get_profile (CsFunctionTable *self)
{
  CsHotspotRows *rows = cs_function_model_get_rows (self->model);

  return rows != NULL ? cs_hotspot_rows_get_profile (rows) : NULL;
}

/* What is selected stays so, wherever it goes. */
static void
on_changing (CsFunctionTable *self)
{
  if (self->kept == NULL)
    self->kept = cs_function_table_dup_selected (self);
  self->kept_of = get_profile (self);
  self->keeping = TRUE;
  /* The list would look for each selected item among all. */
  gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (self->selection));
}

/* What came into the list by now of what was selected before. Returns: how many */
static guint
select_kept (CsFunctionTable *self)
{
  g_autoptr (GtkBitset) selected = gtk_bitset_new_empty ();
  g_autoptr (GtkBitset) all = gtk_bitset_new_range (0, g_list_model_get_n_items (G_LIST_MODEL (self->model)));

  for (guint i = 0; self->kept_of == get_profile (self) && i < self->kept->len; i++)
    {
      guint position = cs_function_model_find (self->model, g_array_index (self->kept, guint, i));

      if (position < g_list_model_get_n_items (G_LIST_MODEL (self->model)))
        gtk_bitset_add (selected, position);
    }
  self->keeping = TRUE;
  gtk_selection_model_set_selection (GTK_SELECTION_MODEL (self->selection), selected, all);
  self->keeping = FALSE;
  return (guint) gtk_bitset_get_size (selected);
}

/* Selects one function alone once its row has come. */
static void
keep_alone (CsFunctionTable *self, guint function)
{
  g_clear_pointer (&self->kept, g_array_unref);
  self->kept = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (self->kept, function);
  self->kept_of = get_profile (self);
  self->keeping = TRUE;
  gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (self->selection));
  self->keeping = FALSE;
}

static void
on_busy_changed (CsFunctionTable *self)
{
  if (cs_function_model_get_busy (self->model) || self->kept == NULL)
    return;
  select_kept (self);
  g_clear_pointer (&self->kept, g_array_unref);
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

static void
on_changed (CsFunctionTable *self)
{
  guint wanted = self->kept->len, n = select_kept (self);

  if (!cs_function_model_get_busy (self->model))
    g_clear_pointer (&self->kept, g_array_unref);
  if (n != wanted)
    g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

static void
cs_function_table_dispose (GObject *object)
{
  CsFunctionTable *self = CS_FUNCTION_TABLE (object);

  if (self->save_timer != 0)
    save (self);
  /* The view takes its columns away. */
  self->loading = TRUE;
  if (self->view != NULL)
    gtk_column_view_set_model (self->view, NULL);
  self->view = NULL;
  g_clear_object (&self->selection);
  g_clear_object (&self->model);
  g_clear_pointer (&self->kept, g_array_unref);

  G_OBJECT_CLASS (cs_function_table_parent_class)->dispose (object);
}

/* In the row that is selected. */
static gboolean
cs_function_table_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (CS_FUNCTION_TABLE (widget)->view));
}

static void
cs_function_table_class_init (CsFunctionTableClass *klass)
{
  GType type = CS_TYPE_FUNCTION_TABLE;

  G_OBJECT_CLASS (klass)->dispose = cs_function_table_dispose;
  GTK_WIDGET_CLASS (klass)->grab_focus = cs_function_table_grab_focus;
  signals[SELECTION_CHANGED] = g_signal_new ("selection-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                             G_TYPE_NONE, 0);
  signals[SORT_CHANGED] = g_signal_new ("sort-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[COLUMNS_CHANGED] = g_signal_new ("columns-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ACTIVATED] = g_signal_new ("activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[MENU] = g_signal_new ("menu", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE,
                                G_TYPE_DOUBLE);
}

static void
cs_function_table_init (CsFunctionTable *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *view = gtk_column_view_new (NULL);

  self->view = GTK_COLUMN_VIEW (view);
  self->model = cs_function_model_new ();
  self->selection = gtk_multi_selection_new (g_object_ref (G_LIST_MODEL (self->model)));
  gtk_column_view_set_show_row_separators (self->view, TRUE);
  gtk_widget_add_css_class (view, "hotspots");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Functions"), -1);
  add_columns (self);
  cs_table_layout_load (&self->layout);
  apply_layout (self);
  cs_function_model_set_keys (self->model, self->layout.keys, self->layout.n_keys);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  adw_bin_set_child (ADW_BIN (self), scrolled);
  cs_table_header_add_click (self->view, G_CALLBACK (on_header_released), self);
  cs_table_menu_add (self->view, GTK_WIDGET (self));
  cs_table_menu_add_key (self->view, "<Control>c", "hotspots.copy");
  cs_table_menu_add_key (self->view, "<Control>Delete", "hotspots.exclude");
  g_signal_connect_object (view, "activate", G_CALLBACK (on_activate), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection, "selection-changed", G_CALLBACK (on_selection_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "changing", G_CALLBACK (on_changing), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "notify::busy", G_CALLBACK (on_busy_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled)), "value-changed",
                           G_CALLBACK (cs_function_model_follow), self->model, G_CONNECT_SWAPPED);
}

/**
 * cs_function_table_get_model:
 * @self: a table
 *
 * Returns: (transfer none): the functions that it shows
 */
CsFunctionModel *
cs_function_table_get_model (CsFunctionTable *self)
{
  return self->model;
}

/**
 * cs_function_table_get_view:
 * @self: a table
 *
 * Returns: (transfer none): its widget
 */
GtkColumnView *
cs_function_table_get_view (CsFunctionTable *self)
{
  return self->view;
}

/**
 * cs_function_table_set_header_menu:
 * @self: a table
 * @menu: what a right click on a title opens
 */
void
cs_function_table_set_header_menu (CsFunctionTable *self, GMenuModel *menu)
{
  for (guint i = 0; i < CS_N_COLUMNS; i++)
    gtk_column_view_column_set_header_menu (self->columns[i], menu);
}

/**
 * cs_function_table_set_keys:
 * @self: a table
 * @keys: (array length=n): what to order by, the first one first
 * @n: how many there are, at most %CS_MOST_SORT_KEYS
 */
void
cs_function_table_set_keys (CsFunctionTable *self, const CsSortKey *keys, guint n)
{
  g_return_if_fail (CS_IS_FUNCTION_TABLE (self));
  g_return_if_fail (n <= CS_MOST_SORT_KEYS);

  memmove (self->layout.keys, keys, n * sizeof *keys);
  self->layout.n_keys = n;
  show_keys (self);
  save_later (self);
  cs_function_model_set_keys (self->model, self->layout.keys, self->layout.n_keys);
  g_signal_emit (self, signals[SORT_CHANGED], 0);
}

/**
 * cs_function_table_sort:
 * @self: a table
 * @column: a column
 * @further: whether to keep what it is ordered by, and to order by the column what is the same in that
 *
 * Numbers go from the most down at first, texts from their begin; a second time turns the order around.
 */
void
cs_function_table_sort (CsFunctionTable *self, CsColumnId column, gboolean further)
{
  CsSortKey keys[CS_MOST_SORT_KEYS];
  guint n = self->layout.n_keys, old = find_key (self, column);
  CsSortKey key = { column, cs_column_get (column)->kind != CS_COLUMN_TEXT };

  if (old != G_MAXUINT && (further || self->layout.n_keys == 1))
    key.descending = !self->layout.keys[old].descending;
  memcpy (keys, self->layout.keys, sizeof keys);
  if (!further)
    {
      n = 1;
      keys[0] = key;
    }
  else if (old != G_MAXUINT)
    keys[old] = key;
  else
    {
      /* The last one makes room. */
      n = MIN (n + 1, CS_MOST_SORT_KEYS);
      keys[n - 1] = key;
    }
  cs_function_table_set_keys (self, keys, n);
}

/**
 * cs_function_table_get_keys:
 * @self: a table
 * @n: (out): how many there are
 *
 * Returns: (transfer none) (array length=n): what it is ordered by, the first one first
 */
const CsSortKey *
cs_function_table_get_keys (CsFunctionTable *self, guint *n)
{
  *n = self->layout.n_keys;
  return self->layout.keys;
}

/**
 * cs_function_table_dup_order:
 * @self: a table
 *
 * Returns: (transfer full): what it is ordered by, as text: "Self ▾, Calls ▴"
 */
char *
cs_function_table_dup_order (CsFunctionTable *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->layout.n_keys; i++)
    g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "", _(cs_column_get (self->layout.keys[i].column)->title),
                            self->layout.keys[i].descending ? "▾" : "▴");
  return g_string_free (text, FALSE);
}

/**
 * cs_function_table_get_shown:
 * @self: a table
 * @column: a column
 *
 * Returns: whether the person wants to see it
 */
gboolean
cs_function_table_get_shown (CsFunctionTable *self, CsColumnId column)
{
  return self->layout.shown[column];
}

/**
 * cs_function_table_set_shown:
 * @self: a table
 * @column: a column; that of names is always shown
 * @shown: whether to show it
 */
void
cs_function_table_set_shown (CsFunctionTable *self, CsColumnId column, gboolean shown)
{
  g_return_if_fail (CS_IS_FUNCTION_TABLE (self));

  shown = shown || column == CS_COLUMN_FUNCTION;
  if (self->layout.shown[column] == shown)
    return;
  self->layout.shown[column] = shown;
  show_columns (self);
  save_later (self);
  g_signal_emit (self, signals[COLUMNS_CHANGED], 0);
}

/**
 * cs_function_table_set_summary:
 * @self: a table
 * @summary: whether what it shows is a summary: columns that only events fill are left out
 */
void
cs_function_table_set_summary (CsFunctionTable *self, gboolean summary)
{
  self->summary = summary;
  show_columns (self);
}

/**
 * cs_function_table_dup_columns:
 * @self: a table
 *
 * Returns: (transfer full) (element-type CsColumnId): the visible columns, in order
 */
GArray *
cs_function_table_dup_columns (CsFunctionTable *self)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (CsColumnId));
  GListModel *columns = gtk_column_view_get_columns (self->view);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      CsColumnId id = get_id (self, column);

      if (gtk_column_view_column_get_visible (column))
        g_array_append_val (ids, id);
    }
  return ids;
}

/**
 * cs_function_table_reset:
 * @self: a table
 *
 * Shows the columns as they were at first, and orders by self time.
 */
void
cs_function_table_reset (CsFunctionTable *self)
{
  g_return_if_fail (CS_IS_FUNCTION_TABLE (self));

  cs_table_layout_init (&self->layout);
  apply_layout (self);
  cs_function_table_set_keys (self, self->layout.keys, self->layout.n_keys);
  g_signal_emit (self, signals[COLUMNS_CHANGED], 0);
}

/**
 * cs_function_table_dup_selected:
 * @self: a table
 *
 * Returns: (transfer full) (element-type guint): indices in the profile of the functions that are selected, as they
 *   follow each other in the table
 */
GArray *
cs_function_table_dup_selected (CsFunctionTable *self)
{
  GArray *functions = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  GtkBitsetIter iter;
  guint position;

  for (gboolean valid = gtk_bitset_iter_init_first (&iter, selected, &position); valid;
       valid = gtk_bitset_iter_next (&iter, &position))
    {
      guint function = cs_function_model_get_function (self->model, position);

      g_array_append_val (functions, function);
    }
  return functions;
}

/**
 * cs_function_table_select:
 * @self: a table
 * @function: index in the profile; %G_MAXUINT: none
 *
 * Selects one function alone and shows it, if it isn't filtered out.
 */
void
cs_function_table_select (CsFunctionTable *self, guint function)
{
  guint position = cs_function_model_find (self->model, function);

  if (position == G_MAXUINT)
    gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (self->selection));
  else if (position >= g_list_model_get_n_items (G_LIST_MODEL (self->model)))
    keep_alone (self, function);
  else
    {
      gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), position, TRUE);
      gtk_widget_activate_action (gtk_widget_get_last_child (GTK_WIDGET (self->view)), "list.scroll-to-item", "u", position);
    }
}

/**
 * cs_function_table_reselect:
 * @self: a table, whose functions are those of another profile than before
 * @function: index of the one that was selected
 *
 * Selects its row, and shows the part of the table that is shown.
 */
void
cs_function_table_reselect (CsFunctionTable *self, guint function)
{
  guint position = cs_function_model_find (self->model, function);

  if (position < g_list_model_get_n_items (G_LIST_MODEL (self->model)))
    gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), position, TRUE);
}
