/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "flame/cs-flame-table.h"
#include "flame/cs-flame-texts.h"
#include "shared/cs-format.h"
#include "tables/cs-number-cell.h"
#include "tables/cs-table-header.h"

struct _CsFlameRow
{
  GObject parent_instance;

  CsFlamePicture *picture;
  guint32 node;  /* CS_FLAME_NONE: none */
  char *remark;  /* (nullable) */
};

G_DEFINE_FINAL_TYPE (CsFlameRow, cs_flame_row, G_TYPE_OBJECT)

static void
cs_flame_row_finalize (GObject *object)
{
  CsFlameRow *self = CS_FLAME_ROW (object);

  cs_flame_picture_unref (self->picture);
  g_free (self->remark);

  G_OBJECT_CLASS (cs_flame_row_parent_class)->finalize (object);
}

static void
cs_flame_row_class_init (CsFlameRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_flame_row_finalize;
}

static void
cs_flame_row_init (CsFlameRow *self)
{
}

/**
 * cs_flame_row_get_node:
 * @self: a row
 *
 * Returns: its frame; %CS_FLAME_NONE: it is about none
 */
guint32
cs_flame_row_get_node (CsFlameRow *self)
{
  return self->node;
}

/**
 * cs_flame_row_get_remark:
 * @self: a row
 *
 * Returns: (transfer none) (nullable): what it says in place of a frame
 */
const char *
cs_flame_row_get_remark (CsFlameRow *self)
{
  return self->remark;
}

struct _CsFlameTable
{
  AdwBin parent_instance;

  GtkColumnView *view;
  GListStore *rows; /* of CsFlameRow */
  GtkSingleSelection *selection;

  CsFlamePicture *picture; /* (nullable) */
  guint32 focus;
  guint32 wanted;        /* to be selected once it is listed; CS_FLAME_NONE: none */
  GCancellable *listing; /* (nullable): ends what makes the list */
};

enum
{
  ACTIVATED,
  SELECTED,
  MENU_REQUESTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsFlameTable, cs_flame_table, ADW_TYPE_BIN)

#define ITEM "callsight-item" /* of a cell's label: its GtkListItem */

typedef enum
{
  COLUMN_FUNCTION,
  COLUMN_DEPTH,
  COLUMN_SELF,
  COLUMN_INCLUSIVE,
  COLUMN_SHARE,
  COLUMN_CALLS,
  N_COLUMNS,
} Column;

static const struct
{
  const char *title, *description; /* not yet translated */
} columns[N_COLUMNS] = {
  { N_("Function"), N_("What was called, or a thread") },
  { N_("Depth"), N_("The frame’s row in the graph") },
  { N_("Self"), N_("Time of the frame that is no other frame’s below it") },
  { N_("Inclusive"), N_("Time of the frame and of those below it: its width in the graph") },
  { N_("Share"), N_("Its width as a part of the whole graph’s") },
  { N_("Calls"), N_("How often it was called by this path") },
};

static char *
dup_cell (CsFlameRow *row, Column column)
{
  CsFlameLayout *layout = cs_flame_picture_get_layout (row->picture);
  CsFlameNode frame;

  if (row->node == CS_FLAME_NONE)
    return g_strdup (column == COLUMN_FUNCTION ? row->remark : "");
  cs_flame_layout_get_node (layout, row->node, &frame);
  switch ((guint) column)
    {
    case COLUMN_DEPTH:
      return cs_format_count (frame.depth);
    case COLUMN_SELF:
      return cs_format_duration (frame.self);
    case COLUMN_INCLUSIVE:
      return cs_format_duration (frame.width);
    case COLUMN_SHARE:
      return cs_format_share (frame.width, cs_flame_layout_get_total (layout));
    case COLUMN_CALLS:
      return cs_format_count (frame.calls);
    case COLUMN_FUNCTION:
    default:
      return cs_flame_texts_dup_name (row->picture, row->node);
    }
}

/* Times are rounded in the cells. */
static char *
dup_exact (CsFlameRow *row, Column column)
{
  CsFlameNode frame;
  g_autofree char *ns = NULL;

  if (row->node == CS_FLAME_NONE)
    return NULL;
  cs_flame_layout_get_node (cs_flame_picture_get_layout (row->picture), row->node, &frame);
  if (column == COLUMN_FUNCTION)
    {
      const CsFunction *function = cs_flame_picture_get_function (row->picture, row->node);

      return function != NULL ? g_utf8_make_valid (function->location.name, -1) : NULL;
    }
  if (column != COLUMN_SELF && column != COLUMN_INCLUSIVE)
    return NULL;
  ns = cs_format_count (column == COLUMN_SELF ? frame.self : frame.width);
  return g_strdup_printf (_("%s ns"), ns);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  Column column = GPOINTER_TO_UINT (data);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column == COLUMN_FUNCTION ? 0 : 1);
  if (column == COLUMN_FUNCTION)
    {
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_widget_add_css_class (label, "name");
    }
  else
    gtk_widget_add_css_class (label, "numeric");
  g_object_set_data (G_OBJECT (label), ITEM, item);
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  Column column = GPOINTER_TO_UINT (data);
  CsFlameRow *row = gtk_list_item_get_item (item);
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *text = dup_cell (row, column);
  g_autofree char *exact = dup_exact (row, column);

  if (column == COLUMN_FUNCTION)
    gtk_label_set_text (GTK_LABEL (label), text);
  else
    cs_number_cell_show (label, text);
  gtk_widget_set_tooltip_text (label, exact);
  if (row->node == CS_FLAME_NONE)
    gtk_widget_add_css_class (label, "dim-label");
  else
    gtk_widget_remove_css_class (label, "dim-label");
  if (column == COLUMN_FUNCTION)
    {
      GtkWidget *cell = gtk_widget_get_parent (label);
      g_autofree char *sentence = row->node != CS_FLAME_NONE ? cs_flame_texts_dup_sentence (row->picture, row->node)
                                                             : g_strdup (row->remark);

      /* The row's name. */
      gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (cell)), GTK_ACCESSIBLE_PROPERTY_LABEL, sentence, -1);
    }
}

static void
on_activated (GtkColumnView *view, guint position, CsFlameTable *self)
{
  g_autoptr (CsFlameRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), position);

  if (row != NULL && row->node != CS_FLAME_NONE)
    g_signal_emit (self, signals[ACTIVATED], 0, row->node);
}

static void
on_selected (CsFlameTable *self)
{
  guint32 node = cs_flame_table_get_selected (self);

  if (node != CS_FLAME_NONE)
    g_signal_emit (self, signals[SELECTED], 0, node);
}

/* The row of a cell, or of what is in it. */
static guint
get_position (GtkWidget *widget)
{
  for (; widget != NULL && !GTK_IS_COLUMN_VIEW (widget); widget = gtk_widget_get_parent (widget))
    {
      GtkWidget *child = gtk_widget_get_first_child (widget);
      GtkListItem *item = g_object_get_data (G_OBJECT (widget), ITEM);

      if (item == NULL && child != NULL)
        item = g_object_get_data (G_OBJECT (child), ITEM);
      if (item != NULL)
        return gtk_list_item_get_position (item);
    }
  return GTK_INVALID_LIST_POSITION;
}

static void
on_right_pressed (GtkGestureClick *gesture, int n_press, double x, double y, CsFlameTable *self)
{
  guint position = get_position (gtk_widget_pick (GTK_WIDGET (self->view), x, y, GTK_PICK_DEFAULT));
  double at_x, at_y;

  if (position == GTK_INVALID_LIST_POSITION)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_single_selection_set_selected (self->selection, position);
  gtk_widget_translate_coordinates (GTK_WIDGET (self->view), GTK_WIDGET (self), x, y, &at_x, &at_y);
  if (cs_flame_table_get_selected (self) != CS_FLAME_NONE)
    g_signal_emit (self, signals[MENU_REQUESTED], 0, at_x, at_y);
}

/* Where the focused row is. */
static gboolean
on_menu_key (GtkWidget *widget, GVariant *args, gpointer data)
{
  CsFlameTable *self = data;
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  double x = gtk_widget_get_width (GTK_WIDGET (self)) / 2.0, y = gtk_widget_get_height (GTK_WIDGET (self)) / 2.0;

  if (cs_flame_table_get_selected (self) == CS_FLAME_NONE)
    return FALSE;
  if (focus != NULL && gtk_widget_is_ancestor (focus, widget))
    gtk_widget_translate_coordinates (focus, GTK_WIDGET (self), gtk_widget_get_width (focus) / 4.0,
                                      gtk_widget_get_height (focus), &x, &y);
  g_signal_emit (self, signals[MENU_REQUESTED], 0, x, y);
  return TRUE;
}

static CsFlameRow *
make_row (CsFlamePicture *picture, guint32 node)
{
  CsFlameRow *row = g_object_new (CS_TYPE_FLAME_ROW, NULL);

  row->picture = cs_flame_picture_ref (picture);
  row->node = node;
  return row;
}

/* What is listed, until it is there. */
typedef struct
{
  CsFlamePicture *picture;
  guint32 focus;
  guint32 n_all;
} Listing;

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  cs_flame_picture_unref (listing->picture);
  g_free (listing);
}

static void
run_listing (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Listing *listing = data;

  g_task_return_pointer (task, cs_flame_picture_list_widest (listing->picture, listing->focus, CS_FLAME_TABLE_MOST,
                                                             &listing->n_all, cancellable),
                         (GDestroyNotify) g_array_unref);
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsFlameTable *self = CS_FLAME_TABLE (source);
  const Listing *listing = g_task_get_task_data (G_TASK (result));
  g_autoptr (GArray) nodes = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  if (nodes == NULL || g_task_get_cancellable (G_TASK (result)) != self->listing)
    return;
  g_clear_object (&self->listing);
  for (guint i = 0; i < nodes->len; i++)
    g_ptr_array_add (rows, make_row (self->picture, g_array_index (nodes, guint32, i)));
  if (listing->n_all > nodes->len)
    {
      CsFlameRow *row = make_row (self->picture, CS_FLAME_NONE);
      g_autofree char *more = cs_format_count (listing->n_all - nodes->len);

      row->remark = g_strdup_printf (_("and %s more frames, which took less time"), more);
      g_ptr_array_add (rows, row);
    }
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)), rows->pdata, rows->len);
  cs_flame_table_select (self, self->wanted);
}

static void
stop (CsFlameTable *self)
{
  if (self->listing != NULL)
    g_cancellable_cancel (self->listing);
  g_clear_object (&self->listing);
}

static void
cs_flame_table_dispose (GObject *object)
{
  CsFlameTable *self = CS_FLAME_TABLE (object);

  stop (self);
  g_clear_pointer (&self->picture, cs_flame_picture_unref);
  g_clear_object (&self->rows);

  G_OBJECT_CLASS (cs_flame_table_parent_class)->dispose (object);
}

static gboolean
cs_flame_table_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (CS_FLAME_TABLE (widget)->view));
}

static void
cs_flame_table_class_init (CsFlameTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_flame_table_dispose;
  GTK_WIDGET_CLASS (klass)->grab_focus = cs_flame_table_grab_focus;
  signals[ACTIVATED] = g_signal_new ("activated", CS_TYPE_FLAME_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                     1, G_TYPE_UINT);
  signals[SELECTED] = g_signal_new ("selected", CS_TYPE_FLAME_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                    G_TYPE_UINT);
  signals[MENU_REQUESTED] = g_signal_new ("menu-requested", CS_TYPE_FLAME_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
add_controllers (CsFlameTable *self)
{
  GtkGesture *right = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (right), GDK_BUTTON_SECONDARY);
  g_signal_connect (right, "pressed", G_CALLBACK (on_right_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (right));
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("Menu|<Shift>F10"),
                                                          gtk_callback_action_new (on_menu_key, self, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
}

static void
cs_flame_table_init (CsFlameTable *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->wanted = CS_FLAME_NONE;
  self->rows = g_list_store_new (CS_TYPE_FLAME_ROW);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->rows)));
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (GTK_SELECTION_MODEL (self->selection)));
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      GtkColumnViewColumn *column = gtk_column_view_column_new (_(columns[i].title), factory);

      g_signal_connect (factory, "setup", G_CALLBACK (on_setup), GUINT_TO_POINTER (i));
      g_signal_connect (factory, "bind", G_CALLBACK (on_bind), GUINT_TO_POINTER (i));
      gtk_column_view_column_set_expand (column, i == COLUMN_FUNCTION);
      gtk_column_view_column_set_resizable (column, TRUE);
      gtk_column_view_append_column (self->view, column);
      g_object_unref (column);
      cs_table_header_dress (self->view, i, _(columns[i].description), i != COLUMN_FUNCTION,
                             i == COLUMN_INCLUSIVE ? GTK_ACCESSIBLE_SORT_DESCENDING : GTK_ACCESSIBLE_SORT_NONE);
    }
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "flame-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Frames of the Flame Graph"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->view));
  adw_bin_set_child (ADW_BIN (self), scrolled);
  add_controllers (self);
  g_signal_connect (self->view, "activate", G_CALLBACK (on_activated), self);
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
}

/**
 * cs_flame_table_set_picture:
 * @self: a table
 * @picture: (nullable): what it lists
 * @focus: the frame below which frames are listed, itself among them
 *
 * The list is made in the background.
 */
void
cs_flame_table_set_picture (CsFlameTable *self, CsFlamePicture *picture, guint32 focus)
{
  g_autoptr (GTask) task = NULL;
  Listing *listing;

  g_return_if_fail (CS_IS_FLAME_TABLE (self));

  if (picture == self->picture && focus == self->focus)
    return;
  stop (self);
  if (picture != NULL)
    cs_flame_picture_ref (picture);
  g_clear_pointer (&self->picture, cs_flame_picture_unref);
  self->picture = picture;
  self->focus = focus;
  if (picture == NULL)
    {
      g_list_store_remove_all (self->rows);
      return;
    }
  self->listing = g_cancellable_new ();
  task = g_task_new (self, self->listing, on_listed, NULL);
  listing = g_new0 (Listing, 1);
  listing->picture = cs_flame_picture_ref (picture);
  listing->focus = focus;
  g_task_set_task_data (task, listing, listing_free);
  g_task_run_in_thread (task, run_listing);
}

/**
 * cs_flame_table_retell:
 * @self: a table
 *
 * Writes names anew: preferences have changed.
 */
void
cs_flame_table_retell (CsFlameTable *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  guint32 selected = cs_flame_table_get_selected (self);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CsFlameRow) old = g_list_model_get_item (G_LIST_MODEL (self->rows), i);
      CsFlameRow *row = make_row (old->picture, old->node);

      row->remark = g_strdup (old->remark);
      g_ptr_array_add (rows, row);
    }
  g_list_store_splice (self->rows, 0, n, rows->pdata, rows->len);
  cs_flame_table_select (self, selected);
}

/**
 * cs_flame_table_get_model:
 * @self: a table
 *
 * Returns: (transfer none): its rows, of CsFlameRow
 */
GListModel *
cs_flame_table_get_model (CsFlameTable *self)
{
  return G_LIST_MODEL (self->rows);
}

/**
 * cs_flame_table_get_selected:
 * @self: a table
 *
 * Returns: the frame that is selected; %CS_FLAME_NONE: none
 */
guint32
cs_flame_table_get_selected (CsFlameTable *self)
{
  CsFlameRow *row = gtk_single_selection_get_selected_item (self->selection);

  /* Until a picture's list is there, the rows are another one's. */
  return row != NULL && row->picture == self->picture ? row->node : CS_FLAME_NONE;
}

/**
 * cs_flame_table_select:
 * @self: a table
 * @node: a frame; where it isn't listed, nothing changes
 */
void
cs_flame_table_select (CsFlameTable *self, guint32 node)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->rows));

  self->wanted = node;
  if (self->listing != NULL)
    return;
  for (guint i = 0; i < n && node != CS_FLAME_NONE; i++)
    {
      g_autoptr (CsFlameRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), i);

      if (row->node != node)
        continue;
      gtk_single_selection_set_selected (self->selection, i);
      gtk_widget_activate_action (GTK_WIDGET (self->view), "list.scroll-to-item", "u", i);
      return;
    }
}

/**
 * cs_flame_table_get_busy:
 * @self: a table
 *
 * Returns: whether its list is being made
 */
gboolean
cs_flame_table_get_busy (CsFlameTable *self)
{
  return self->listing != NULL;
}
