/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "tables/cs-number-cell.h"
#include "timeline/cs-timeline-table.h"
#include "shared/cs-format.h"

struct _CsTimelineRow
{
  GObject parent_instance;

  CsTimelineNames *names;
  CsTimelineCall call;
  gboolean compact;
};

G_DEFINE_FINAL_TYPE (CsTimelineRow, cs_timeline_row, G_TYPE_OBJECT)

static void
cs_timeline_row_finalize (GObject *object)
{
  g_clear_pointer (&CS_TIMELINE_ROW (object)->names, cs_timeline_names_unref);

  G_OBJECT_CLASS (cs_timeline_row_parent_class)->finalize (object);
}

static void
cs_timeline_row_class_init (CsTimelineRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_timeline_row_finalize;
}

static void
cs_timeline_row_init (CsTimelineRow *self)
{
}

/**
 * cs_timeline_row_get_call:
 * @self: an item
 *
 * Returns: (transfer none): its call
 */
const CsTimelineCall *
cs_timeline_row_get_call (CsTimelineRow *self)
{
  return &self->call;
}

struct _CsTimelineTable
{
  AdwBin parent_instance;

  GtkColumnView *view;
  GListStore *store; /* (element-type CsTimelineRow) */
  GtkSortListModel *sorted;
  GtkColumnViewColumn *columns[CS_TIMELINE_N_COLUMNS];
  gboolean compact;
};

G_DEFINE_FINAL_TYPE (CsTimelineTable, cs_timeline_table, ADW_TYPE_BIN)

enum { ACTIVATED, N_SIGNALS };
static guint signals[N_SIGNALS];

static const struct
{
  const char *title; /* not yet translated */
  gboolean number;
  int width;
} columns[CS_TIMELINE_N_COLUMNS] = {
  [CS_TIMELINE_COLUMN_FUNCTION] = { N_("Function"), FALSE, -1 },
  [CS_TIMELINE_COLUMN_THREAD] = { N_("Thread"), FALSE, 110 },
  [CS_TIMELINE_COLUMN_START] = { N_("Start"), TRUE, 150 },
  [CS_TIMELINE_COLUMN_DURATION] = { N_("Duration"), TRUE, 100 },
  [CS_TIMELINE_COLUMN_DEPTH] = { N_("Depth"), TRUE, 70 },
};

static char *
dup_text (CsTimelineRow *item, CsTimelineColumn column)
{
  const CsTimelineSpan *span = &item->call.span;

  switch (column)
    {
    case CS_TIMELINE_COLUMN_FUNCTION:
      return cs_timeline_names_dup_function (item->names, &item->call);
    case CS_TIMELINE_COLUMN_THREAD:
      return cs_timeline_names_dup_thread (item->names, item->call.track);
    case CS_TIMELINE_COLUMN_START:
      return cs_timeline_names_dup_start (item->names, span->start, item->compact);
    case CS_TIMELINE_COLUMN_DURATION:
      return cs_format_duration (cs_profile_span (span->start, span->end));
    case CS_TIMELINE_COLUMN_DEPTH:
    case CS_TIMELINE_N_COLUMNS:
    default:
      return g_strdup_printf ("%u", span->depth + 1);
    }
}

static int
compare_numbers (guint64 a, guint64 b)
{
  return a < b ? -1 : a > b;
}

/* What is the same stays as it was. */
static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  CsTimelineRow *x = (CsTimelineRow *) a, *y = (CsTimelineRow *) b;
  const CsTimelineSpan *one = &x->call.span, *other = &y->call.span;
  CsTimelineColumn column = GPOINTER_TO_UINT (data);

  switch (column)
    {
    case CS_TIMELINE_COLUMN_START:
      return one->start < other->start ? -1 : one->start > other->start;
    case CS_TIMELINE_COLUMN_DURATION:
      return compare_numbers (cs_profile_span (one->start, one->end), cs_profile_span (other->start, other->end));
    case CS_TIMELINE_COLUMN_DEPTH:
      return compare_numbers (one->depth, other->depth);
    case CS_TIMELINE_COLUMN_FUNCTION:
    case CS_TIMELINE_COLUMN_THREAD:
    case CS_TIMELINE_N_COLUMNS:
    default:
      {
        g_autofree char *text = dup_text (x, column);
        g_autofree char *other_text = dup_text (y, column);

        return g_utf8_collate (text, other_text);
      }
    }
}

static void
set_up_cell (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  CsTimelineColumn column = GPOINTER_TO_UINT (data);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), columns[column].number ? 1 : 0);
  if (columns[column].number)
    gtk_widget_add_css_class (label, "numeric");
  else
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (column == CS_TIMELINE_COLUMN_FUNCTION)
    gtk_widget_add_css_class (label, "name");
  gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  _(columns[column].title), -1);
  gtk_list_item_set_child (list_item, label);
}

static void
bind_cell (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  CsTimelineColumn column = GPOINTER_TO_UINT (data);
  GtkWidget *label = gtk_list_item_get_child (list_item);
  g_autofree char *text = dup_text (gtk_list_item_get_item (list_item), column);

  if (columns[column].number)
    cs_number_cell_show (label, text);
  else
    gtk_label_set_text (GTK_LABEL (label), text);
}

static void
on_activate (CsTimelineTable *self, guint position)
{
  g_autoptr (CsTimelineRow) item = g_list_model_get_item (G_LIST_MODEL (self->sorted), position);

  if (item != NULL)
    g_signal_emit (self, signals[ACTIVATED], 0, &item->call);
}

static void
cs_timeline_table_dispose (GObject *object)
{
  CsTimelineTable *self = CS_TIMELINE_TABLE (object);

  g_clear_object (&self->store);
  g_clear_object (&self->sorted);

  G_OBJECT_CLASS (cs_timeline_table_parent_class)->dispose (object);
}

static gboolean
cs_timeline_table_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (CS_TIMELINE_TABLE (widget)->view));
}

static void
cs_timeline_table_class_init (CsTimelineTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_timeline_table_dispose;
  GTK_WIDGET_CLASS (klass)->grab_focus = cs_timeline_table_grab_focus;
  signals[ACTIVATED] = g_signal_new ("activated", CS_TYPE_TIMELINE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
cs_timeline_table_init (CsTimelineTable *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->store = g_list_store_new (CS_TYPE_TIMELINE_ROW);
  self->sorted = gtk_sort_list_model_new (g_object_ref (G_LIST_MODEL (self->store)), NULL);
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (
      GTK_SELECTION_MODEL (gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->sorted))))));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "timeline-calls");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Calls"), -1);
  for (guint i = 0; i < CS_TIMELINE_N_COLUMNS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      GtkSorter *sorter = GTK_SORTER (gtk_custom_sorter_new (compare, GUINT_TO_POINTER (i), NULL));

      g_signal_connect (factory, "setup", G_CALLBACK (set_up_cell), GUINT_TO_POINTER (i));
      g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), GUINT_TO_POINTER (i));
      self->columns[i] = gtk_column_view_column_new (_(columns[i].title), factory);
      gtk_column_view_column_set_sorter (self->columns[i], sorter);
      g_object_unref (sorter);
      gtk_column_view_column_set_resizable (self->columns[i], TRUE);
      gtk_column_view_column_set_expand (self->columns[i], i == CS_TIMELINE_COLUMN_FUNCTION);
      if (columns[i].width > 0)
        gtk_column_view_column_set_fixed_width (self->columns[i], columns[i].width);
      gtk_column_view_append_column (self->view, self->columns[i]);
      g_object_unref (self->columns[i]);
    }
  gtk_sort_list_model_set_sorter (self->sorted, gtk_column_view_get_sorter (self->view));
  g_signal_connect_object (self->view, "activate", G_CALLBACK (on_activate), self, G_CONNECT_SWAPPED);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->view));
  adw_bin_set_child (ADW_BIN (self), scrolled);
}

/**
 * cs_timeline_table_new:
 *
 * Returns: (transfer floating): a table without calls
 */
GtkWidget *
cs_timeline_table_new (void)
{
  return g_object_new (CS_TYPE_TIMELINE_TABLE, NULL);
}

/**
 * cs_timeline_table_set_column_shown:
 * @self: a table
 * @column: one of its columns
 * @shown: whether it is shown
 */
void
cs_timeline_table_set_column_shown (CsTimelineTable *self, CsTimelineColumn column, gboolean shown)
{
  gtk_column_view_column_set_visible (self->columns[column], shown);
}

/**
 * cs_timeline_table_set_compact:
 * @self: a table without calls
 *
 * Leaves most of the width to the functions: starts are told to the microsecond. A click goes to a call.
 */
void
cs_timeline_table_set_compact (CsTimelineTable *self)
{
  self->compact = TRUE;
  gtk_column_view_set_single_click_activate (self->view, TRUE);
  gtk_column_view_column_set_fixed_width (self->columns[CS_TIMELINE_COLUMN_THREAD], 90);
  gtk_column_view_column_set_fixed_width (self->columns[CS_TIMELINE_COLUMN_START], 120);
  gtk_column_view_column_set_fixed_width (self->columns[CS_TIMELINE_COLUMN_DURATION], 90);
}

/**
 * cs_timeline_table_sort:
 * @self: a table
 * @column: what it is ordered by from now on
 * @order: which way
 */
void
cs_timeline_table_sort (CsTimelineTable *self, CsTimelineColumn column, GtkSortType order)
{
  gtk_column_view_sort_by_column (self->view, self->columns[column], order);
}

/**
 * cs_timeline_table_set_calls:
 * @self: a table
 * @names: (nullable): what they are called
 * @calls: (element-type CsTimelineCall) (nullable): what it lists
 */
void
cs_timeline_table_set_calls (CsTimelineTable *self, CsTimelineNames *names, const GArray *calls)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; calls != NULL && names != NULL && i < calls->len; i++)
    {
      CsTimelineRow *item = g_object_new (CS_TYPE_TIMELINE_ROW, NULL);

      item->names = cs_timeline_names_ref (names);
      item->compact = self->compact;
      item->call = g_array_index (calls, CsTimelineCall, i);
      g_ptr_array_add (items, item);
    }
  g_list_store_splice (self->store, 0, g_list_model_get_n_items (G_LIST_MODEL (self->store)), items->pdata, items->len);
}

/**
 * cs_timeline_table_get_model:
 * @self: a table
 *
 * Returns: (transfer none): its calls, CsTimelineRows in the order of the rows
 */
GListModel *
cs_timeline_table_get_model (CsTimelineTable *self)
{
  return G_LIST_MODEL (self->sorted);
}

/**
 * cs_timeline_table_get_view:
 * @self: a table
 *
 * Returns: (transfer none): the list that shows them
 */
GtkColumnView *
cs_timeline_table_get_view (CsTimelineTable *self)
{
  return self->view;
}

/**
 * cs_timeline_table_dup_text:
 * @self: a table
 * @position: of a row
 * @column: a column
 *
 * Returns: (transfer full) (nullable): what stands there
 */
char *
cs_timeline_table_dup_text (CsTimelineTable *self, guint position, CsTimelineColumn column)
{
  g_autoptr (CsTimelineRow) item = g_list_model_get_item (G_LIST_MODEL (self->sorted), position);

  return item != NULL ? dup_text (item, column) : NULL;
}
