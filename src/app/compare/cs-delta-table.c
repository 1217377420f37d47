/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "compare/cs-delta-copy.h"
#include "compare/cs-delta-table.h"
#include "shared/cs-format.h"
#include "tables/cs-number-cell.h"
#include "tables/cs-table-header.h"
#include "tables/cs-table-menu.h"

struct _CsDeltaTable
{
  AdwBin parent_instance;

  GtkColumnView *view;
  GtkWidget *scrolled;
  GtkLabel *nothing; /* why there are no rows */
  CsDeltaModel *model;
  GtkMultiSelection *selection;
  GtkColumnViewColumn *columns[CS_DELTA_N_COLUMNS];
  guint number;    /* of the function that things are about; G_MAXUINT: none */
  gboolean moving; /* the rows change, and what is selected with them */
  guint scrolling; /* tick callback; 0: none */
  guint frames;    /* that it waited for */
};

enum { SELECTED, ACTIVATED, SORT_CHANGED, MENU, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsDeltaTable, cs_delta_table, ADW_TYPE_BIN)

/* Of the columns of numbers the unit comes from the key. */
static const struct
{
  const char *title, *description;
  gboolean number;
} infos[CS_DELTA_N_COLUMNS] = {
  [CS_DELTA_FUNCTION] = { N_("Function"), N_("As the open recording has it, or else the base"), FALSE },
  [CS_DELTA_BASE] = { N_("Base"), N_("What it was"), TRUE },
  [CS_DELTA_NEW] = { N_("New"), N_("What it is in the open recording"), TRUE },
  [CS_DELTA_CHANGE] = { N_("Delta"), N_("New − base"), TRUE },
  [CS_DELTA_PERCENT] = { N_("Change"), N_("Delta in percent of the base"), TRUE },
  [CS_DELTA_STATUS] = { N_("Status"), N_("New: the base doesn’t have the function; gone: the open recording doesn’t"), FALSE },
};

/* Of the numbers that are shown. */
static const char *
get_unit (CsDeltaTable *self)
{
  const CsDeltaRows *rows = cs_delta_model_get_rows (self->model);

  if (rows == NULL)
    return "";
  return g_str_has_suffix (rows->diff->key, "_ms") ? "ms" : g_str_has_suffix (rows->diff->key, "_ns") ? "ns" : "";
}

static void
show_titles (CsDeltaTable *self)
{
  CsDeltaColumn sorted;
  gboolean descending;
  const char *unit = get_unit (self);

  cs_delta_model_get_sort (self->model, &sorted, &descending);
  for (guint i = 0; i < CS_DELTA_N_COLUMNS; i++)
    {
      gboolean has_unit = *unit != '\0' && infos[i].number && i != CS_DELTA_PERCENT;
      g_autofree char *title = g_strconcat (_(infos[i].title), has_unit ? " (" : "", has_unit ? unit : "",
                                            has_unit ? ")" : "", i != sorted ? "" : descending ? " ▾" : " ▴", NULL);
      GtkAccessibleSort sort = i != sorted ? GTK_ACCESSIBLE_SORT_NONE
                               : descending ? GTK_ACCESSIBLE_SORT_DESCENDING : GTK_ACCESSIBLE_SORT_ASCENDING;

      gtk_column_view_column_set_title (self->columns[i], title);
      cs_table_header_dress (self->view, i, _(infos[i].description), infos[i].number, sort);
    }
}

static CsDeltaColumn
get_column (gpointer data)
{
  return (CsDeltaColumn) GPOINTER_TO_UINT (data);
}

static gboolean
on_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  CsDeltaItem *item = gtk_list_item_get_item (g_object_get_data (G_OBJECT (widget), CS_TABLE_LIST_ITEM));
  g_autofree char *text = item != NULL ? cs_delta_item_dup_exact (item, get_column (data)) : NULL;
  g_autofree char *shown = NULL;

  shown = cs_format_tooltip (text);
  gtk_tooltip_set_text (tooltip, shown);
  return text != NULL && *text != '\0';
}

static GtkWidget *
make_label (gboolean number)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), number ? 1 : 0);
  if (number)
    gtk_widget_add_css_class (label, "numeric");
  return label;
}

static void
setup_cell (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  CsDeltaColumn column = get_column (data);
  GtkWidget *child = make_label (infos[column].number);

  if (column == CS_DELTA_FUNCTION)
    {
      GtkWidget *name = child, *place = make_label (FALSE);

      child = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
      gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
      gtk_label_set_width_chars (GTK_LABEL (name), 16);
      gtk_label_set_ellipsize (GTK_LABEL (place), PANGO_ELLIPSIZE_START);
      gtk_widget_add_css_class (name, "name");
      gtk_widget_add_css_class (place, "location");
      gtk_widget_add_css_class (place, "dim-label");
      gtk_box_append (GTK_BOX (child), name);
      gtk_box_append (GTK_BOX (child), place);
    }
  g_object_set_data (G_OBJECT (child), CS_TABLE_LIST_ITEM, list_item);
  gtk_widget_set_has_tooltip (child, TRUE);
  g_signal_connect (child, "query-tooltip", G_CALLBACK (on_query_tooltip), data);
  gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, _(infos[column].title), -1);
  gtk_list_item_set_child (list_item, child);
}

/* A row is read out with what matters most; its cells tell the rest. */
static void
name_row (GtkWidget *child, CsDeltaItem *item, const char *name)
{
  GtkWidget *cell = gtk_widget_get_parent (child);
  GtkWidget *row = cell != NULL ? gtk_widget_get_parent (cell) : NULL;
  g_autofree char *delta = cs_delta_item_dup_cell (item, CS_DELTA_CHANGE);
  g_autofree char *status = cs_delta_item_dup_cell (item, CS_DELTA_STATUS);
  g_autofree char *text = g_strdup_printf (_("%s: %s, %s"), name, status, delta);

  if (row != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

/* Colour only repeats what the sign says. */
static void
color_cell (GtkWidget *label, CsDeltaItem *item)
{
  const CsDeltaRows *rows = cs_delta_item_get_rows (item);
  const CsDiffRow *row = cs_delta_rows_get (rows, cs_delta_item_get_row (item));
  gboolean real = rows->diff->unit == CS_DIFF_REAL;
  gboolean rose = real ? row->delta.real > 0 : row->delta.integer > 0;
  gboolean fell = real ? row->delta.real < 0 : row->delta.integer < 0;

  gtk_widget_remove_css_class (label, "rose");
  gtk_widget_remove_css_class (label, "fell");
  if (row->status != CS_DIFF_UNKNOWN && (rose || fell))
    gtk_widget_add_css_class (label, rose ? "rose" : "fell");
}

static void
bind_cell (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  CsDeltaColumn column = get_column (data);
  CsDeltaItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *child = gtk_list_item_get_child (list_item);
  g_autofree char *text = cs_delta_item_dup_cell (item, column);

  if (column == CS_DELTA_FUNCTION)
    {
      GtkWidget *name = gtk_widget_get_first_child (child);
      g_autofree char *place = cs_delta_item_dup_place (item);

      gtk_label_set_text (GTK_LABEL (name), text);
      gtk_label_set_text (GTK_LABEL (gtk_widget_get_next_sibling (name)), place);
      name_row (child, item, text);
      return;
    }
  if (column == CS_DELTA_STATUS)
    gtk_label_set_text (GTK_LABEL (child), text);
  else
    cs_number_cell_show (child, text);
  if (column == CS_DELTA_CHANGE || column == CS_DELTA_PERCENT)
    color_cell (child, item);
}

static void
add_columns (CsDeltaTable *self)
{
  for (guint i = 0; i < CS_DELTA_N_COLUMNS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      GtkColumnViewColumn *column;

      g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), GUINT_TO_POINTER (i));
      g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), GUINT_TO_POINTER (i));
      column = gtk_column_view_column_new (_(infos[i].title), factory);
      self->columns[i] = column; /* the view's */
      gtk_column_view_column_set_resizable (column, TRUE);
      gtk_column_view_column_set_expand (column, i == CS_DELTA_FUNCTION);
      gtk_column_view_append_column (self->view, column);
      g_object_unref (column);
    }
}

static void
on_header_released (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  CsDeltaTable *self = data;
  guint position = cs_table_header_find (self->view, x, y);
  g_autoptr (GtkColumnViewColumn) clicked = NULL;
  CsDeltaColumn sorted;
  gboolean descending;

  if (position == G_MAXUINT)
    return;
  clicked = g_list_model_get_item (gtk_column_view_get_columns (self->view), position);
  cs_delta_model_get_sort (self->model, &sorted, &descending);
  for (guint i = 0; i < CS_DELTA_N_COLUMNS; i++)
    if (self->columns[i] == clicked)
      cs_delta_table_sort (self, i, i == sorted ? !descending : infos[i].number);
}

/* Things are about the first that was selected as long as it is: others are for copies. */
static void
on_selection_changed (CsDeltaTable *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  guint number = G_MAXUINT;

  if (self->moving)
    return;
  if (!gtk_bitset_is_empty (selected))
    number = cs_delta_model_get_number (self->model, gtk_bitset_get_minimum (selected));
  if (self->number != G_MAXUINT && gtk_bitset_get_size (selected) > 1)
    {
      guint position = cs_delta_model_find (self->model, self->number);

      number = position != G_MAXUINT && gtk_bitset_contains (selected, position) ? self->number : number;
    }
  if (number == self->number)
    return;
  self->number = number;
  if (number != G_MAXUINT)
    g_signal_emit (self, signals[SELECTED], 0, number);
}

static void
on_activate (CsDeltaTable *self, guint position)
{
  guint number = cs_delta_model_get_number (self->model, position);

  if (number != G_MAXUINT)
    g_signal_emit (self, signals[ACTIVATED], 0, number);
}

/*
 * Scrolled to without taking the focus. Rows are about as high as each other. Rows that are new have no place before the first
 * frame with them: until then the list can't be scrolled.
 */
static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  CsDeltaTable *self = data;
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled));
  double page = gtk_adjustment_get_page_size (adjustment), upper = gtk_adjustment_get_upper (adjustment);
  double value = gtk_adjustment_get_value (adjustment);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->model)), position;
  double row = upper / MAX (n, 1), y;

  if (gtk_widget_get_mapped (GTK_WIDGET (self->view)) && self->frames++ == 0)
    return G_SOURCE_CONTINUE;
  self->scrolling = 0;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self->view)))
    return G_SOURCE_REMOVE;
  position = self->number != G_MAXUINT ? cs_delta_model_find (self->model, self->number) : G_MAXUINT;
  y = row * position;
  if (position < n && (y < value || y + row > value + page))
    gtk_adjustment_set_value (adjustment, y - (page - row) / 2);
  return G_SOURCE_REMOVE;
}

/* Soon, or once the list is seen. */
static void
scroll_to_selected (CsDeltaTable *self)
{
  self->frames = 0;
  if (self->scrolling == 0 && gtk_widget_get_mapped (GTK_WIDGET (self->view)))
    self->scrolling = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_frame, self, NULL);
}

/* Puts the selection on the selected function, wherever its row went. */
static void
show_selected (CsDeltaTable *self)
{
  guint position = self->number != G_MAXUINT ? cs_delta_model_find (self->model, self->number) : G_MAXUINT;

  self->moving = TRUE;
  if (position != G_MAXUINT)
    gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), position, TRUE);
  else
    gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (self->selection));
  self->moving = FALSE;
  if (position != G_MAXUINT)
    scroll_to_selected (self);
}

/* Says why there are no rows, and what to do. */
static void
show_nothing (CsDeltaTable *self)
{
  CsDeltaRows *rows = cs_delta_model_get_rows (self->model);
  const char *text = "";

  if (rows != NULL && g_list_model_get_n_items (G_LIST_MODEL (self->model)) == 0)
    text = cs_delta_model_is_searching (self->model) ? _("No function that is shown has what is searched for.")
           : rows->diff->n_below > 0 ? _("No change is as large as the threshold.")
                                     : _("Nothing changed. Turn Hide Unchanged off to see all functions.");
  gtk_label_set_text (self->nothing, text);
  gtk_widget_set_visible (GTK_WIDGET (self->nothing), *text != '\0');
}

/* The model changes as a whole. */
static void
on_items_changed (CsDeltaTable *self)
{
  show_nothing (self);
  show_selected (self);
  show_titles (self);
}

static void
on_items_changing (CsDeltaTable *self)
{
  self->moving = TRUE;
}

static gboolean
cs_delta_table_grab_focus (GtkWidget *widget)
{
  return gtk_widget_child_focus (GTK_WIDGET (CS_DELTA_TABLE (widget)->view), GTK_DIR_TAB_FORWARD);
}

static void
cs_delta_table_dispose (GObject *object)
{
  CsDeltaTable *self = CS_DELTA_TABLE (object);

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  if (self->scrolling != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->scrolling);
  self->scrolling = 0;
  G_OBJECT_CLASS (cs_delta_table_parent_class)->dispose (object);
}

static void
cs_delta_table_class_init (CsDeltaTableClass *klass)
{
  static const char *const names[] = { "selected", "activated", "sort-changed" };

  G_OBJECT_CLASS (klass)->dispose = cs_delta_table_dispose;
  GTK_WIDGET_CLASS (klass)->grab_focus = cs_delta_table_grab_focus;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const guint n = i != SORT_CHANGED ? 1 : 0;

      signals[i] = g_signal_new (names[i], CS_TYPE_DELTA_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, n,
                                 G_TYPE_UINT);
    }
  signals[MENU] = g_signal_new ("menu", CS_TYPE_DELTA_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
cs_delta_table_init (CsDeltaTable *self)
{
  GtkWidget *overlay = gtk_overlay_new ();

  self->number = G_MAXUINT;
  self->model = cs_delta_model_new ();
  /* Before and after the selection is told. */
  self->nothing = GTK_LABEL (gtk_label_new (NULL));
  g_signal_connect_swapped (self->model, "items-changed", G_CALLBACK (on_items_changing), self);
  self->selection = gtk_multi_selection_new (g_object_ref (G_LIST_MODEL (self->model)));
  g_signal_connect_object (self->selection, "selection-changed", G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (GTK_SELECTION_MODEL (self->selection)));
  g_signal_connect_swapped (self->model, "items-changed", G_CALLBACK (on_items_changed), self);
  gtk_column_view_set_show_row_separators (self->view, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Differences"), -1);
  add_columns (self);
  show_titles (self);
  g_signal_connect_object (self->view, "map", G_CALLBACK (scroll_to_selected), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (on_activate), self, G_CONNECT_SWAPPED);
  cs_table_header_add_click (self->view, G_CALLBACK (on_header_released), self);
  cs_table_menu_add (self->view, GTK_WIDGET (self));
  cs_table_menu_add_key (self->view, "<Control>c", "compare.copy");
  self->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), GTK_WIDGET (self->view));
  gtk_label_set_wrap (self->nothing, TRUE);
  gtk_label_set_justify (self->nothing, GTK_JUSTIFY_CENTER);
  gtk_widget_set_valign (GTK_WIDGET (self->nothing), GTK_ALIGN_CENTER);
  gtk_widget_set_can_target (GTK_WIDGET (self->nothing), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->nothing), "dim-label");
  gtk_overlay_set_child (GTK_OVERLAY (overlay), self->scrolled);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), GTK_WIDGET (self->nothing));
  adw_bin_set_child (ADW_BIN (self), overlay);
  show_nothing (self);
  gtk_widget_add_css_class (GTK_WIDGET (self), "hotspots");
}

/**
 * cs_delta_table_get_model:
 * @self: a table
 *
 * Returns: (transfer none): its rows
 */
CsDeltaModel *
cs_delta_table_get_model (CsDeltaTable *self)
{
  return self->model;
}

/**
 * cs_delta_table_get_view:
 * @self: a table
 *
 * Returns: (transfer none): the list inside
 */
GtkColumnView *
cs_delta_table_get_view (CsDeltaTable *self)
{
  return self->view;
}

/**
 * cs_delta_table_set_rows:
 * @self: a table
 * @rows: (nullable): what is shown
 *
 * Nothing is selected where the functions have other numbers.
 */
void
cs_delta_table_set_rows (CsDeltaTable *self, CsDeltaRows *rows)
{
  CsDeltaRows *old = cs_delta_model_get_rows (self->model);

  if (old == NULL || rows == NULL || old->sides != rows->sides)
    self->number = G_MAXUINT;
  cs_delta_model_set_rows (self->model, rows);
}

/**
 * cs_delta_table_sort:
 * @self: a table
 * @column: what it is ordered by
 * @descending: whether the greatest comes first
 */
void
cs_delta_table_sort (CsDeltaTable *self, CsDeltaColumn column, gboolean descending)
{
  cs_delta_model_set_sort (self->model, column, descending);
  g_signal_emit (self, signals[SORT_CHANGED], 0);
}

/**
 * cs_delta_table_select:
 * @self: a table
 * @number: of a function; %G_MAXUINT: none
 *
 * Selects its row, now or once it is shown. "selected" isn't emitted: that tells what the person did.
 */
void
cs_delta_table_select (CsDeltaTable *self, guint number)
{
  if (self->number == number)
    return;
  self->number = number;
  show_selected (self);
}

/**
 * cs_delta_table_get_selected:
 * @self: a table
 *
 * Returns: number of the selected function; %G_MAXUINT: none
 */
guint
cs_delta_table_get_selected (CsDeltaTable *self)
{
  return self->number;
}

/**
 * cs_delta_table_copy:
 * @self: a table
 * @csv: whether to make CSV
 *
 * Returns: (transfer full): the selected rows with exact numbers, as CSV or aligned by spaces
 */
char *
cs_delta_table_copy (CsDeltaTable *self, gboolean csv)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  GtkBitsetIter iter;
  guint position;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, selected, &position); more;
       more = gtk_bitset_iter_next (&iter, &position))
    g_ptr_array_add (items, g_list_model_get_item (G_LIST_MODEL (self->model), position));
  return csv ? cs_delta_copy_csv (items) : cs_delta_copy_text (items);
}

/**
 * cs_delta_table_get_nothing:
 * @self: a table
 *
 * Returns: (transfer none): why there are no rows; empty where there are
 */
const char *
cs_delta_table_get_nothing (CsDeltaTable *self)
{
  return gtk_label_get_text (self->nothing);
}
