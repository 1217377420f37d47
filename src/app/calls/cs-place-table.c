/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "calls/cs-place-table.h"
#include "shared/cs-format.h"
#include "tables/cs-number-cell.h"
#include "tables/cs-table-copy.h"
#include "tables/cs-table-header.h"
#include "tables/cs-table-menu.h"

/* Longer texts are cut before they are laid out. */
#define MOST_CHARS 200

/* On a GtkListItem: what it is a cell of. */
#define CELLS "callsight-cells"

/* A column of a table, for its cells. */
typedef struct
{
  CsPlaceTable *table;
  guint column;
} Cells;

struct _CsPlaceTable
{
  AdwBin parent_instance;

  CsPlaces *places;
  const CsPlaceColumn *columns;
  guint n_columns;
  Cells *cells;
  const CsPlaceTableSource *source;
  gpointer owner; /* (nullable) */
  GtkColumnView *view;
  GtkMultiSelection *selection;
  gboolean selecting;
  guint showing_columns; /* idle source; 0: none */
};

enum
{
  ACTIVATED,
  MENU,
  TITLE_CLICKED,
  SELECTION_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsPlaceTable, cs_place_table, ADW_TYPE_BIN)

/**
 * cs_place_dup_cut:
 * @text: a text that may be of any length
 *
 * Returns: (transfer full): as much of it as a cell may be given
 */
char *
cs_place_dup_cut (const char *text)
{
  g_autofree char *begin = NULL;

  if (g_utf8_strlen (text, -1) <= MOST_CHARS)
    return g_strdup (text);
  begin = g_utf8_substring (text, 0, MOST_CHARS);
  return g_strconcat (begin, "…", NULL);
}

/* Texts that few ask for are made when they are asked for. */
static gboolean
on_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  Cells *cells = data;
  guint position = cs_table_menu_find_position (widget);
  g_autofree char *text = NULL;
  g_autofree char *shown = NULL;

  if (position == GTK_INVALID_LIST_POSITION || cells->table->owner == NULL)
    return FALSE;
  text = cells->table->source->dup_tooltip (cells->table->owner, position, cells->column);
  shown = cs_format_tooltip (text);
  gtk_tooltip_set_text (tooltip, shown);
  return text != NULL && *text != '\0';
}

static void
setup_cell (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  Cells *cells = data;
  CsPlaceTable *self = cells->table;
  const CsPlaceColumn *column = &self->columns[cells->column];
  GtkWidget *child;

  if (cells->column == 0)
    child = self->source->make_first (self->owner);
  else
    {
      child = gtk_label_new (NULL);
      gtk_label_set_xalign (GTK_LABEL (child), column->number ? 1 : 0);
      gtk_label_set_width_chars (GTK_LABEL (child), column->chars);
      gtk_label_set_ellipsize (GTK_LABEL (child), column->number ? PANGO_ELLIPSIZE_NONE
                                                  : column->name ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_START);
      if (column->number || column->name)
        gtk_widget_add_css_class (child, column->number ? "numeric" : "name");
    }
  g_object_set_data (G_OBJECT (child), CS_TABLE_LIST_ITEM, list_item);
  gtk_widget_set_has_tooltip (child, TRUE);
  g_signal_connect (child, "query-tooltip", G_CALLBACK (on_query_tooltip), cells);
  gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, _(column->title), -1);
  gtk_list_item_set_child (list_item, child);
}

/* The list's own row has the focus, and is read out. */
static void
tell_row (CsPlaceTable *self, GtkWidget *row, guint position)
{
  g_autofree char *label = self->source->dup_label (self->owner, position);
  gboolean expanded;

  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  if (self->source->get_expanded == NULL)
    return;
  if (self->source->get_expanded (self->owner, position, &expanded))
    gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_EXPANDED, expanded, -1);
  else
    gtk_accessible_reset_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_EXPANDED);
}

static void
show_cell (Cells *cells, GtkListItem *list_item)
{
  CsPlaceTable *self = cells->table;
  CsPlace *place = gtk_list_item_get_item (list_item);
  GtkWidget *child = gtk_list_item_get_child (list_item);
  guint position;

  if (self->owner == NULL || place == NULL)
    return;
  position = cs_place_get_position (place);
  if (cells->column == 0)
    {
      GtkWidget *cell = gtk_widget_get_parent (child), *row = cell != NULL ? gtk_widget_get_parent (cell) : NULL;

      self->source->show_first (self->owner, child, position);
      if (row != NULL)
        tell_row (self, row, position);
    }
  else
    {
      g_autofree char *text = self->source->dup_cell (self->owner, position, cells->column);

      if (self->columns[cells->column].number)
        cs_number_cell_show (child, text);
      else
        gtk_label_set_text (GTK_LABEL (child), text);
    }
}

static void
on_place_changed (CsPlace *place, GtkListItem *list_item)
{
  show_cell (g_object_get_data (G_OBJECT (list_item), CELLS), list_item);
}

static void
bind_cell (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  g_object_set_data (G_OBJECT (list_item), CELLS, data);
  show_cell (data, list_item);
  g_signal_connect (gtk_list_item_get_item (list_item), "changed", G_CALLBACK (on_place_changed), list_item);
}

static void
unbind_cell (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item), on_place_changed, list_item);
}

static void
add_columns (CsPlaceTable *self)
{
  self->cells = g_new0 (Cells, self->n_columns);
  for (guint i = 0; i < self->n_columns; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      GtkColumnViewColumn *column;

      self->cells[i] = (Cells){ self, i };
      g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), &self->cells[i]);
      g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), &self->cells[i]);
      g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cell), NULL);
      column = gtk_column_view_column_new (_(self->columns[i].title), factory);
      gtk_column_view_column_set_resizable (column, TRUE);
      gtk_column_view_column_set_expand (column, i == 0);
      gtk_column_view_append_column (self->view, column);
      g_object_unref (column);
    }
  for (guint i = 0; i < self->n_columns; i++)
    cs_table_header_dress (self->view, i, _(self->columns[i].description), self->columns[i].number, GTK_ACCESSIBLE_SORT_NONE);
}

static void
on_header_released (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  CsPlaceTable *self = data;
  guint column = cs_table_header_find (self->view, x, y);

  if (column < self->n_columns)
    g_signal_emit (self, signals[TITLE_CLICKED], 0, column);
}

static void
on_activate (CsPlaceTable *self, guint position)
{
  g_signal_emit (self, signals[ACTIVATED], 0, position);
}

static void
on_selection_changed (CsPlaceTable *self)
{
  if (!self->selecting)
    g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

static gboolean
show_columns (gpointer data)
{
  CsPlaceTable *self = data;
  int width = gtk_widget_get_width (GTK_WIDGET (self));

  self->showing_columns = 0;
  for (guint i = 0; i < self->n_columns; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (gtk_column_view_get_columns (self->view), i);

      gtk_column_view_column_set_visible (column, width >= self->columns[i].least);
    }
  return G_SOURCE_REMOVE;
}

/* Where there is little room, names need it most. Columns don't come and go while they are given their places. */
static void
on_width_changed (CsPlaceTable *self)
{
  if (self->showing_columns == 0)
    self->showing_columns = g_idle_add_full (G_PRIORITY_DEFAULT, show_columns, self, NULL);
}

static void
cs_place_table_dispose (GObject *object)
{
  CsPlaceTable *self = CS_PLACE_TABLE (object);

  g_clear_handle_id (&self->showing_columns, g_source_remove);
  self->owner = NULL;
  if (self->view != NULL)
    gtk_column_view_set_model (self->view, NULL);
  self->view = NULL;
  g_clear_object (&self->selection);
  g_clear_object (&self->places);

  G_OBJECT_CLASS (cs_place_table_parent_class)->dispose (object);
}

static void
cs_place_table_finalize (GObject *object)
{
  g_free (CS_PLACE_TABLE (object)->cells);

  G_OBJECT_CLASS (cs_place_table_parent_class)->finalize (object);
}

/* In the row that is selected. */
static gboolean
cs_place_table_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (CS_PLACE_TABLE (widget)->view));
}

static void
cs_place_table_class_init (CsPlaceTableClass *klass)
{
  GType type = CS_TYPE_PLACE_TABLE;

  G_OBJECT_CLASS (klass)->dispose = cs_place_table_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_place_table_finalize;
  GTK_WIDGET_CLASS (klass)->grab_focus = cs_place_table_grab_focus;
  signals[ACTIVATED] = g_signal_new ("activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[MENU] = g_signal_new ("menu", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE,
                                G_TYPE_DOUBLE);
  signals[TITLE_CLICKED] = g_signal_new ("title-clicked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                         G_TYPE_UINT);
  signals[SELECTION_CHANGED] = g_signal_new ("selection-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                             G_TYPE_NONE, 0);
}

static void
cs_place_table_init (CsPlaceTable *self)
{
}

/**
 * cs_place_table_new:
 * @places: a list
 * @label: what the table is called
 * @columns: (array length=n_columns): its columns; stays the caller's
 * @n_columns: how many there are
 * @source: what tells what is where; stays the caller's
 * @owner: for its functions
 *
 * Returns: (transfer floating): a table
 */
CsPlaceTable *
cs_place_table_new (CsPlaces *places, const char *label, const CsPlaceColumn *columns, guint n_columns,
                   const CsPlaceTableSource *source, gpointer owner)
{
  CsPlaceTable *self = g_object_new (CS_TYPE_PLACE_TABLE, NULL);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *view = gtk_column_view_new (NULL);

  self->places = g_object_ref (places);
  self->columns = columns;
  self->n_columns = n_columns;
  self->source = source;
  self->owner = owner;
  self->view = GTK_COLUMN_VIEW (view);
  self->selection = gtk_multi_selection_new (g_object_ref (G_LIST_MODEL (places)));
  gtk_widget_add_css_class (view, "calls");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  add_columns (self);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  adw_bin_set_child (ADW_BIN (self), scrolled);
  cs_table_header_add_click (self->view, G_CALLBACK (on_header_released), self);
  cs_table_menu_add (self->view, GTK_WIDGET (self));
  cs_table_menu_add_key (self->view, "<Control>c", "calls.copy");
  g_signal_connect_object (view, "activate", G_CALLBACK (on_activate), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection, "selection-changed", G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scrolled)), "notify::page-size",
                           G_CALLBACK (on_width_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled)), "value-changed",
                           G_CALLBACK (cs_places_follow), self->places, G_CONNECT_SWAPPED);
  return self;
}

/**
 * cs_place_table_forget_owner:
 * @self: a table
 *
 * Its owner goes: it asks nothing any more.
 */
void
cs_place_table_forget_owner (CsPlaceTable *self)
{
  self->owner = NULL;
}

/**
 * cs_place_table_get_view:
 * @self: a table
 *
 * Returns: (transfer none): its widget
 */
GtkColumnView *
cs_place_table_get_view (CsPlaceTable *self)
{
  return self->view;
}

/**
 * cs_place_table_set_sort:
 * @self: a table
 * @column: what it is ordered by
 * @descending: whether the largest come first
 *
 * Titles say so.
 */
void
cs_place_table_set_sort (CsPlaceTable *self, guint column, gboolean descending)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);

  for (guint i = 0; i < self->n_columns; i++)
    {
      g_autoptr (GtkColumnViewColumn) shown = g_list_model_get_item (columns, i);
      g_autofree char *title = g_strconcat (_(self->columns[i].title), i != column ? "" : descending ? " ▾" : " ▴", NULL);

      gtk_column_view_column_set_title (shown, title);
      cs_table_header_dress (self->view, i, _(self->columns[i].description), self->columns[i].number,
                             i != column ? GTK_ACCESSIBLE_SORT_NONE
                             : descending ? GTK_ACCESSIBLE_SORT_DESCENDING : GTK_ACCESSIBLE_SORT_ASCENDING);
    }
}

/**
 * cs_place_table_dup_selected:
 * @self: a table
 *
 * Returns: (transfer full): the positions of the rows that are selected
 */
GtkBitset *
cs_place_table_dup_selected (CsPlaceTable *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));

  return gtk_bitset_copy (selected);
}

/**
 * cs_place_table_set_selected:
 * @self: a table
 * @positions: rows to be selected, and no others
 */
void
cs_place_table_set_selected (CsPlaceTable *self, GtkBitset *positions)
{
  g_autoptr (GtkBitset) all = gtk_bitset_new_range (0, g_list_model_get_n_items (G_LIST_MODEL (self->places)));
  g_autoptr (GtkBitset) there = gtk_bitset_copy (positions);

  gtk_bitset_intersect (there, all);
  self->selecting = TRUE;
  gtk_selection_model_set_selection (GTK_SELECTION_MODEL (self->selection), there, all);
  self->selecting = FALSE;
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

/**
 * cs_place_table_get_current:
 * @self: a table
 *
 * Returns: position of the row that things are about: the first that is selected; %GTK_INVALID_LIST_POSITION: none
 */
guint
cs_place_table_get_current (CsPlaceTable *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));

  return gtk_bitset_is_empty (selected) ? GTK_INVALID_LIST_POSITION : gtk_bitset_get_minimum (selected);
}

/**
 * cs_place_table_select:
 * @self: a table
 * @position: of a row
 *
 * Selects it alone, and shows it.
 */
void
cs_place_table_select (CsPlaceTable *self, guint position)
{
  GtkWidget *list;

  if (position >= g_list_model_get_n_items (G_LIST_MODEL (self->places)))
    return;
  list = gtk_widget_get_last_child (GTK_WIDGET (self->view));
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), position, TRUE);
  gtk_widget_activate_action (list, "list.scroll-to-item", "u", position);
  /* The list knows the row that is to have the focus, and leaves it where it is. */
  if (gtk_widget_get_focus_child (list) != NULL)
    gtk_widget_grab_focus (list);
}

/**
 * cs_place_table_retell:
 * @self: a table
 *
 * Has all rows shown anew.
 */
void
cs_place_table_retell (CsPlaceTable *self)
{
  cs_places_update (self->places, cs_places_get_n (self->places), 0);
}

/**
 * cs_place_table_copy:
 * @self: a table
 * @csv: whether to make CSV
 *
 * Returns: (transfer full): the selected rows with exact numbers, as CSV or aligned by spaces
 */
char *
cs_place_table_copy (CsPlaceTable *self, gboolean csv)
{
  g_autoptr (GtkBitset) selected = cs_place_table_dup_selected (self);
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
  g_autofree gboolean *right = g_new0 (gboolean, self->n_columns);
  GtkBitsetIter iter;
  guint position;

  for (guint i = 0; i < self->n_columns; i++)
    {
      right[i] = self->columns[i].number;
      g_ptr_array_add (cells, g_strdup (csv ? self->columns[i].field : _(self->columns[i].title)));
    }
  for (gboolean more = gtk_bitset_iter_init_first (&iter, selected, &position); more;
       more = gtk_bitset_iter_next (&iter, &position))
    for (guint i = 0; i < self->n_columns; i++)
      g_ptr_array_add (cells, self->source->dup_exact (self->owner, position, i));
  return csv ? cs_table_copy_csv (cells, self->n_columns) : cs_table_copy_text (cells, self->n_columns, right);
}
