/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-format.h"
#include "cs-view.h"
#include "tables/cs-function-item.h"
#include "tables/cs-hotspots-view.h"

struct _CsHotspotsView
{
  AdwBin parent_instance;

  GtkColumnView *table;
  GtkSearchBar *search_bar;
  GtkSearchEntry *search_entry;

  GListStore *functions;     /* CsFunctionItem */
  GtkCustomFilter *filter;
  GtkFilterListModel *found; /* those that the search finds */
  GtkSortListModel *sorted;

  CsSession *session; /* (nullable) */
};

static void cs_hotspots_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsHotspotsView, cs_hotspots_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_hotspots_view_init_view))

/* What a numeric column shows of a function. */
typedef struct
{
  const char *title;
  guint64 (*get) (const CsFunction *function);
  char *(*format) (guint64 value);
  gboolean of_recorded; /* means nothing where no call returned */
} Column;

static guint64
get_calls (const CsFunction *function)
{
  return function->calls;
}

static guint64
get_self (const CsFunction *function)
{
  return function->self;
}

static guint64
get_total (const CsFunction *function)
{
  return function->total;
}

static guint64
get_median (const CsFunction *function)
{
  return cs_histogram_percentile (&function->histogram, function->recorded, 500, function->min, function->max);
}

static guint64
get_p99 (const CsFunction *function)
{
  return cs_histogram_percentile (&function->histogram, function->recorded, 990, function->min, function->max);
}

static guint64
get_max (const CsFunction *function)
{
  return function->max;
}

static const Column columns[] = {
  { N_("Calls"), get_calls, cs_format_count, FALSE }, { N_("Self"), get_self, cs_format_duration, FALSE },
  { N_("Total"), get_total, cs_format_duration, FALSE }, { N_("p50"), get_median, cs_format_duration, TRUE },
  { N_("p99"), get_p99, cs_format_duration, TRUE }, { N_("Max"), get_max, cs_format_duration, TRUE },
};

static int
compare_names (gconstpointer a, gconstpointer b, gpointer unused)
{
  const CsFunction *x = cs_function_item_get_function ((CsFunctionItem *) a);
  const CsFunction *y = cs_function_item_get_function ((CsFunctionItem *) b);

  return g_utf8_collate (x->location.name, y->location.name);
}

static int
compare_values (gconstpointer a, gconstpointer b, gpointer data)
{
  const Column *column = data;
  guint64 x = column->get (cs_function_item_get_function ((CsFunctionItem *) a));
  guint64 y = column->get (cs_function_item_get_function ((CsFunctionItem *) b));

  return x < y ? GTK_ORDERING_SMALLER : x > y ? GTK_ORDERING_LARGER : GTK_ORDERING_EQUAL;
}

static void
setup_name (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *name = gtk_label_new (NULL);
  GtkWidget *place = gtk_label_new (NULL);
  GtkWidget *bar = gtk_level_bar_new ();

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (name, "name");
  gtk_label_set_xalign (GTK_LABEL (place), 0);
  gtk_label_set_ellipsize (GTK_LABEL (place), PANGO_ELLIPSIZE_START);
  gtk_widget_add_css_class (place, "location");
  gtk_widget_add_css_class (place, "dim-label");
  /* One colour: these offsets mean battery levels. */
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (bar), GTK_LEVEL_BAR_OFFSET_LOW);
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (bar), GTK_LEVEL_BAR_OFFSET_HIGH);
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (bar), GTK_LEVEL_BAR_OFFSET_FULL);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), place);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_list_item_set_child (list_item, box);
}

static void
bind_name (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  CsFunctionItem *item = gtk_list_item_get_item (list_item);
  const char *text = cs_function_item_get_function (item)->location.name;
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *place = cs_function_item_dup_place (item);
  g_autofree char *valid_place = g_utf8_make_valid (place, -1);
  GtkWidget *box = gtk_list_item_get_child (list_item);
  GtkWidget *name = gtk_widget_get_first_child (box);
  GtkWidget *label = gtk_widget_get_next_sibling (name);

  gtk_label_set_text (GTK_LABEL (name), valid);
  gtk_widget_set_tooltip_text (name, valid);
  gtk_label_set_text (GTK_LABEL (label), valid_place);
  gtk_level_bar_set_value (GTK_LEVEL_BAR (gtk_widget_get_next_sibling (label)), cs_function_item_get_share (item));
}

static void
setup_value (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (list_item, label);
}

static void
bind_value (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  const Column *column = data;
  const CsFunction *function = cs_function_item_get_function (gtk_list_item_get_item (list_item));
  g_autofree char *text = column->of_recorded && function->recorded == 0
                              ? g_strdup ("–")
                              : column->format (column->get (function));

  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (list_item)), text);
}

static GtkColumnViewColumn *
add_column (CsHotspotsView *self, const char *title, GtkListItemFactory *factory, GtkSorter *sorter)
{
  g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (title, factory);

  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  g_object_unref (sorter);
  gtk_column_view_append_column (self->table, column);
  return column;
}

static void
add_columns (CsHotspotsView *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *column;

  g_signal_connect (factory, "setup", G_CALLBACK (setup_name), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_name), NULL);
  column = add_column (self, _("Function"), factory, GTK_SORTER (gtk_custom_sorter_new (compare_names, NULL, NULL)));
  gtk_column_view_column_set_expand (column, TRUE);

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      gpointer data = (gpointer) &columns[i];

      factory = gtk_signal_list_item_factory_new ();
      g_signal_connect (factory, "setup", G_CALLBACK (setup_value), NULL);
      g_signal_connect (factory, "bind", G_CALLBACK (bind_value), data);
      column = add_column (self, _(columns[i].title), factory,
                           GTK_SORTER (gtk_custom_sorter_new (compare_values, data, NULL)));
      if (columns[i].get == get_self)
        gtk_column_view_sort_by_column (self->table, column, GTK_SORT_DESCENDING);
    }
}

static gboolean
matches (gpointer item, gpointer data)
{
  CsHotspotsView *self = data;
  g_autofree char *needle = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->search_entry)), -1);
  g_autofree char *place = cs_function_item_dup_place (item);
  g_autofree char *text = g_strconcat (cs_function_item_get_function (item)->location.name, " ", place, NULL);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *folded = g_utf8_casefold (valid, -1);

  return strstr (folded, needle) != NULL;
}

static void
on_search_changed (CsHotspotsView *self)
{
  gtk_filter_changed (GTK_FILTER (self->filter), GTK_FILTER_CHANGE_DIFFERENT);
}

static void
cs_hotspots_view_dispose (GObject *object)
{
  CsHotspotsView *self = CS_HOTSPOTS_VIEW (object);

  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  g_clear_object (&self->sorted);
  g_clear_object (&self->found);
  g_clear_object (&self->filter);
  g_clear_object (&self->functions);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (cs_hotspots_view_parent_class)->dispose (object);
}

static void
cs_hotspots_view_class_init (CsHotspotsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_hotspots_view_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/callsight/Callsight/tables/cs-hotspots-view.ui");
  gtk_widget_class_bind_template_child (widget_class, CsHotspotsView, table);
  gtk_widget_class_bind_template_child (widget_class, CsHotspotsView, search_bar);
  gtk_widget_class_bind_template_child (widget_class, CsHotspotsView, search_entry);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
}

static void
cs_hotspots_view_init (CsHotspotsView *self)
{
  GtkSingleSelection *selection;

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_search_bar_connect_entry (self->search_bar, GTK_EDITABLE (self->search_entry));

  self->functions = g_list_store_new (CS_TYPE_FUNCTION_ITEM);
  self->filter = gtk_custom_filter_new (matches, self, NULL);
  self->found = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->functions)),
                                           g_object_ref (GTK_FILTER (self->filter)));
  self->sorted = gtk_sort_list_model_new (g_object_ref (G_LIST_MODEL (self->found)),
                                          g_object_ref (gtk_column_view_get_sorter (self->table)));
  selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->sorted)));
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (selection));
  g_object_unref (selection);
  add_columns (self);
}

/**
 * cs_hotspots_view_new:
 *
 * Returns: a table of functions, empty and ordered by self time
 */
CsHotspotsView *
cs_hotspots_view_new (void)
{
  return g_object_new (CS_TYPE_HOTSPOTS_VIEW, NULL);
}

/**
 * cs_hotspots_view_set_profile:
 * @self: a table
 * @profile: (nullable): what it shows
 */
void
cs_hotspots_view_set_profile (CsHotspotsView *self, CsProfile *profile)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  const CsFunction *functions = NULL;
  guint n = 0;

  g_return_if_fail (CS_IS_HOTSPOTS_VIEW (self));

  if (profile != NULL)
    functions = cs_profile_get_functions (profile, &n);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (items, cs_function_item_new (profile, &functions[i]));
  g_list_store_splice (self->functions, 0, g_list_model_get_n_items (G_LIST_MODEL (self->functions)),
                       items->pdata, items->len);
}

static void
on_profile_changed (CsHotspotsView *self)
{
  cs_hotspots_view_set_profile (self, cs_session_get_profile (self->session));
}

static void
set_session (CsView *view, CsSession *session)
{
  CsHotspotsView *self = CS_HOTSPOTS_VIEW (view);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::profile", G_CALLBACK (on_profile_changed), self, G_CONNECT_SWAPPED);
}

static void
start_search (CsView *view)
{
  CsHotspotsView *self = CS_HOTSPOTS_VIEW (view);

  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

static void
cs_hotspots_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "hotspots";
  iface->set_session = set_session;
  iface->start_search = start_search;
}

/**
 * cs_hotspots_view_set_search:
 * @self: a table
 * @text: what the shown functions' names or files contain; empty for all
 */
void
cs_hotspots_view_set_search (CsHotspotsView *self, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search_entry), text);
  on_search_changed (self);
}

/**
 * cs_hotspots_view_get_model:
 * @self: a table
 *
 * Returns: (transfer none): the functions that are shown, in their order
 */
GListModel *
cs_hotspots_view_get_model (CsHotspotsView *self)
{
  return G_LIST_MODEL (self->sorted);
}

/**
 * cs_hotspots_view_get_table:
 * @self: a table
 *
 * Returns: (transfer none): its widget
 */
GtkColumnView *
cs_hotspots_view_get_table (CsHotspotsView *self)
{
  return self->table;
}
