/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "select/cs-files-pane.h"
#include "select/cs-choice-row.h"
#include "select/cs-file-choice.h"

#define ROW_HEIGHT 30 /* about */
#define STEP 16       /* rows that are shown at a time, so that a list needn't make all its widgets at once */
#define STEPS_END 256 /* then all of them */

struct _CsFilesPane
{
  AdwBin parent_instance;

  GtkWidget *title;
  GtkSearchEntry *search_entry;
  GtkWidget *functions_button;
  GtkStack *stack;
  GtkListView *list;
  GMenuModel *row_menu;
  GtkWidget *menu; /* (nullable): made once it is needed */
  GSimpleActionGroup *actions;

  CsChooser *chooser;            /* (nullable) */
  CsFileTree *tree;              /* (nullable) */
  GtkSingleSelection *selection; /* (nullable) */
  CsFileItem *menu_item;         /* (nullable): what the menu is about */
  GtkSliceListModel *slice;      /* (nullable): the rows as far as they are shown */
  guint step_source;
  GtkTreeListRow *top;           /* (nullable): what was seen first, while the list is detached */
};

enum
{
  SCOPE_CHANGED,
  SHOWN_CHANGED,
  OPEN_REQUESTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsFilesPane, cs_files_pane, ADW_TYPE_BIN)

/* What a row is bound to. */
static CsFileItem *
get_item (CsChoiceRow *row)
{
  return g_object_get_data (G_OBJECT (row), "item");
}

static void
show_row (CsFilesPane *self, CsChoiceRow *row)
{
  cs_file_choice_show (self->chooser, get_item (row), row);
}

static gboolean
is_filtered (CsFilesPane *self)
{
  return *gtk_editable_get_text (GTK_EDITABLE (self->search_entry)) != '\0';
}

static void
toggle (CsFilesPane *self, CsChoiceRow *row)
{
  CsFileItem *item = get_item (row);

  if (item == NULL || self->chooser == NULL)
    return;
  cs_file_choice_set (self->chooser, self->tree, item, !cs_file_choice_is_on (self->chooser, self->tree, item));
  /* Until the selection is another one, the box shows what is. */
  show_row (self, row);
}

static void
on_row_toggled (CsChoiceRow *row, CsFilesPane *self)
{
  toggle (self, row);
}

static void
set_expanded (CsFilesPane *self, GtkTreeListRow *row, gboolean expanded)
{
  if (self->tree != NULL)
    cs_file_tree_set_expanded (self->tree, row, expanded);
}

static void
on_arrow_clicked (CsChoiceRow *row, CsFilesPane *self)
{
  GtkTreeListRow *tree_row = gtk_list_item_get_item (cs_choice_row_get_list_item (row));

  set_expanded (self, tree_row, !gtk_tree_list_row_get_expanded (tree_row));
}

static void
show_menu (CsFilesPane *self, CsChoiceRow *row, double x, double y)
{
  double list_x, list_y;

  g_set_object (&self->menu_item, get_item (row));
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), "open")),
                               !cs_file_item_is_folder (self->menu_item));
  if (self->menu == NULL)
    {
      self->menu = gtk_popover_menu_new_from_model (self->row_menu);
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
      gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
    }
  gtk_widget_translate_coordinates (GTK_WIDGET (row), GTK_WIDGET (self), x, y, &list_x, &list_y);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle){ (int) list_x, (int) list_y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
on_menu_requested (CsChoiceRow *row, double x, double y, CsFilesPane *self)
{
  show_menu (self, row, x, y);
}

static void
on_setup (CsFilesPane *self, GtkListItem *list_item)
{
  GtkWidget *row = cs_choice_row_new ();

  g_signal_connect_object (row, "toggled", G_CALLBACK (on_row_toggled), self, 0);
  g_signal_connect_object (row, "arrow-clicked", G_CALLBACK (on_arrow_clicked), self, 0);
  g_signal_connect_object (row, "menu-requested", G_CALLBACK (on_menu_requested), self, 0);
  g_object_set_data (G_OBJECT (row), "pane", self);
  gtk_list_item_set_child (list_item, row);
}

static void
on_item_changed (CsChoiceRow *row)
{
  show_row (g_object_get_data (G_OBJECT (row), "pane"), row);
}

static void
on_bind (CsFilesPane *self, GtkListItem *list_item)
{
  CsChoiceRow *row = CS_CHOICE_ROW (gtk_list_item_get_child (list_item));
  GtkTreeListRow *tree_row = gtk_list_item_get_item (list_item);
  g_autoptr (CsFileItem) item = gtk_tree_list_row_get_item (tree_row);

  cs_choice_row_set_list_item (row, list_item);
  /* The tree's row doesn't hold it. */
  g_object_set_data_full (G_OBJECT (row), "item", g_object_ref (item), g_object_unref);
  g_signal_connect_object (item, "changed", G_CALLBACK (on_item_changed), row, G_CONNECT_SWAPPED);
  g_signal_connect_object (tree_row, "notify::expanded", G_CALLBACK (on_item_changed), row, G_CONNECT_SWAPPED);
  show_row (self, row);
}

static void
on_unbind (CsFilesPane *self, GtkListItem *list_item)
{
  CsChoiceRow *row = CS_CHOICE_ROW (gtk_list_item_get_child (list_item));
  CsFileItem *item = get_item (row);

  g_signal_handlers_disconnect_by_func (item, on_item_changed, row);
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item), on_item_changed, row);
  g_object_set_data (G_OBJECT (row), "item", NULL);
  cs_choice_row_set_list_item (row, NULL);
}

/* Enter or a double click opens a folder, or a file in the editor. */
static void
on_row_activated (CsFilesPane *self, guint position)
{
  g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
  g_autoptr (CsFileItem) item = row != NULL ? gtk_tree_list_row_get_item (row) : NULL;

  if (item == NULL)
    return;
  if (cs_file_item_is_folder (item))
    set_expanded (self, row, !gtk_tree_list_row_get_expanded (row));
  else
    g_signal_emit (self, signals[OPEN_REQUESTED], 0, cs_file_item_get_path (item), 0);
}

static void
go_to (CsFilesPane *self, guint position)
{
  gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", position);
  gtk_single_selection_set_selected (self->selection, position);
}

/* Opens or closes; an open one's first child, or a closed one's folder, is gone to. */
static gboolean
step_sideways (CsFilesPane *self, CsChoiceRow *row, gboolean inwards)
{
  GtkTreeListRow *tree_row = gtk_list_item_get_item (cs_choice_row_get_list_item (row));
  gboolean is_folder = cs_file_item_is_folder (get_item (row));

  if (inwards)
    {
      if (is_folder && !gtk_tree_list_row_get_expanded (tree_row))
        set_expanded (self, tree_row, TRUE);
      else if (is_folder)
        gtk_widget_child_focus (GTK_WIDGET (self->list), GTK_DIR_DOWN);
      return is_folder;
    }
  if (is_folder && gtk_tree_list_row_get_expanded (tree_row))
    set_expanded (self, tree_row, FALSE);
  else
    {
      g_autoptr (GtkTreeListRow) above = gtk_tree_list_row_get_parent (tree_row);

      if (above != NULL)
        go_to (self, gtk_tree_list_row_get_position (above));
    }
  return TRUE;
}

static gboolean
on_key (CsFilesPane *self, guint key, guint code, GdkModifierType modifiers)
{
  CsChoiceRow *row = cs_choice_row_find_focused (GTK_WIDGET (self->list));
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;

  modifiers &= gtk_accelerator_get_default_mod_mask ();
  if (row == NULL || cs_choice_row_get_list_item (row) == NULL)
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_Menu || (key == GDK_KEY_F10 && modifiers == GDK_SHIFT_MASK))
    {
      show_menu (self, row, 20, gtk_widget_get_height (GTK_WIDGET (row)));
      return GDK_EVENT_STOP;
    }
  if (modifiers != 0)
    return GDK_EVENT_PROPAGATE;
  switch (key)
    {
    case GDK_KEY_space:
    case GDK_KEY_KP_Space:
      toggle (self, row);
      return GDK_EVENT_STOP;
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      return step_sideways (self, row, mirrored);
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      return step_sideways (self, row, !mirrored);
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

static void
tick_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsFilesPane *self = user_data;

  if (self->menu_item != NULL)
    cs_file_choice_set (self->chooser, self->tree, self->menu_item, g_variant_get_boolean (parameter));
}

static void
open_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsFilesPane *self = user_data;

  if (self->menu_item != NULL)
    g_signal_emit (self, signals[OPEN_REQUESTED], 0, cs_file_item_get_path (self->menu_item), 0);
}

static void
copy_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsFilesPane *self = user_data;
  g_autofree char *text = NULL;

  if (self->menu_item == NULL)
    return;
  text = g_utf8_make_valid (cs_file_item_get_path (self->menu_item), -1);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static const GActionEntry actions[] = {
  { .name = "tick", .parameter_type = "b", .activate = tick_action },
  { .name = "open", .activate = open_action },
  { .name = "copy", .activate = copy_action },
};

static void
on_search_changed (CsFilesPane *self)
{
  if (self->tree != NULL)
    cs_file_tree_set_filter (self->tree, gtk_editable_get_text (GTK_EDITABLE (self->search_entry)));
}

static void
on_stop_search (CsFilesPane *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search_entry), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

static void
on_search_activated (CsFilesPane *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

static void
on_filtered (CsFilesPane *self)
{
  gtk_stack_set_visible_child_name (self->stack,
                                    is_filtered (self) && cs_file_tree_get_n_shown (self->tree) == 0 ? "none" : "list");
  g_signal_emit (self, signals[SHOWN_CHANGED], 0);
}

/* The row that is the first to be seen. */
static GtkTreeListRow *
find_top_row (CsFilesPane *self)
{
  GtkWidget *child = gtk_widget_pick (GTK_WIDGET (self->list), gtk_widget_get_width (GTK_WIDGET (self->list)) / 2, 4,
                                      GTK_PICK_DEFAULT);
  GtkListItem *list_item;

  while (child != NULL && !CS_IS_CHOICE_ROW (child))
    child = child != GTK_WIDGET (self->list) ? gtk_widget_get_parent (child) : NULL;
  list_item = child != NULL ? cs_choice_row_get_list_item (CS_CHOICE_ROW (child)) : NULL;
  return list_item != NULL ? gtk_list_item_get_item (list_item) : NULL;
}

static void
on_detach (CsFilesPane *self)
{
  g_set_object (&self->top, find_top_row (self));
  gtk_list_view_set_model (self->list, NULL);
}

static void
scroll_to_top_row (CsFilesPane *self)
{
  g_autoptr (GtkTreeListRow) top = g_steal_pointer (&self->top);
  g_autoptr (CsFileItem) item = top != NULL ? gtk_tree_list_row_get_item (top) : NULL;
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection)), position;

  /* It isn't there any more, or all rows can be seen. */
  if (item == NULL || n == 0)
    return;
  position = gtk_tree_list_row_get_position (top);
  if (position > 0)
    position += (guint) (gtk_adjustment_get_page_size (adjustment) / ROW_HEIGHT);
  gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", MIN (position, n - 1));
}

static gboolean
show_more (gpointer user_data)
{
  CsFilesPane *self = user_data;
  guint size = gtk_slice_list_model_get_size (self->slice) + STEP;

  if (size <= STEPS_END)
    {
      gtk_slice_list_model_set_size (self->slice, size);
      return G_SOURCE_CONTINUE;
    }
  self->step_source = 0;
  gtk_slice_list_model_set_size (self->slice, G_MAXUINT);
  scroll_to_top_row (self);
  return G_SOURCE_REMOVE;
}

static void
on_attach (CsFilesPane *self)
{
  gtk_slice_list_model_set_size (self->slice, STEP);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  if (self->step_source == 0)
    self->step_source = g_idle_add (show_more, self);
}

static void
on_selected (CsFilesPane *self)
{
  g_signal_emit (self, signals[SCOPE_CHANGED], 0);
}

static void
clear_chooser (CsFilesPane *self)
{
  if (self->list != NULL)
    gtk_list_view_set_model (self->list, NULL);
  g_clear_handle_id (&self->step_source, g_source_remove);
  g_clear_object (&self->selection);
  g_clear_object (&self->slice);
  g_clear_object (&self->tree);
  g_clear_object (&self->chooser);
  g_clear_object (&self->menu_item);
  g_clear_object (&self->top);
}

static void
cs_files_pane_dispose (GObject *object)
{
  CsFilesPane *self = CS_FILES_PANE (object);

  clear_chooser (self);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (cs_files_pane_parent_class)->dispose (object);
}

static gboolean
cs_files_pane_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (CS_FILES_PANE (widget)->list));
}

static void
cs_files_pane_class_init (CsFilesPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_files_pane_dispose;
  widget_class->grab_focus = cs_files_pane_grab_focus;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/select/cs-files-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, CsFilesPane, title);
  gtk_widget_class_bind_template_child (widget_class, CsFilesPane, search_entry);
  gtk_widget_class_bind_template_child (widget_class, CsFilesPane, functions_button);
  gtk_widget_class_bind_template_child (widget_class, CsFilesPane, stack);
  gtk_widget_class_bind_template_child (widget_class, CsFilesPane, list);
  gtk_widget_class_bind_template_child (widget_class, CsFilesPane, row_menu);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_stop_search);
  gtk_widget_class_bind_template_callback (widget_class, on_search_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);

  signals[SCOPE_CHANGED] = g_signal_new ("scope-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  signals[SHOWN_CHANGED] = g_signal_new ("shown-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  signals[OPEN_REQUESTED] = g_signal_new ("open-requested", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_UINT);
}

static void
cs_files_pane_init (CsFilesPane *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), actions, G_N_ELEMENTS (actions), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "file", G_ACTION_GROUP (self->actions));

  cs_choice_list_set_up (self->list, G_CALLBACK (on_setup), G_CALLBACK (on_bind), G_CALLBACK (on_unbind),
                         G_CALLBACK (on_key), self);
}

/**
 * cs_files_pane_set_chooser:
 * @self: a pane
 * @chooser: (nullable): whose files it shows
 */
void
cs_files_pane_set_chooser (CsFilesPane *self, CsChooser *chooser)
{
  clear_chooser (self);
  gtk_editable_set_text (GTK_EDITABLE (self->search_entry), "");
  if (chooser == NULL)
    return;
  self->chooser = g_object_ref (chooser);
  self->tree = cs_file_tree_new (chooser);
  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  self->slice = gtk_slice_list_model_new (g_object_ref (G_LIST_MODEL (cs_file_tree_get_rows (self->tree))), 0, G_MAXUINT);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->slice));
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tree, "detach", G_CALLBACK (on_detach), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tree, "attach", G_CALLBACK (on_attach), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tree, "filtered", G_CALLBACK (on_filtered), self, G_CONNECT_SWAPPED);
}

/**
 * cs_files_pane_get_tree:
 * @self: a pane
 *
 * Returns: (transfer none) (nullable): what it shows
 */
CsFileTree *
cs_files_pane_get_tree (CsFilesPane *self)
{
  return self->tree;
}

/**
 * cs_files_pane_get_list:
 * @self: a pane
 *
 * Returns: (transfer none): its list
 */
GtkListView *
cs_files_pane_get_list (CsFilesPane *self)
{
  return self->list;
}

/**
 * cs_files_pane_get_selected:
 * @self: a pane
 *
 * Returns: (transfer full) (nullable): the file or folder that is selected
 */
CsFileItem *
cs_files_pane_get_selected (CsFilesPane *self)
{
  GtkTreeListRow *row = self->selection != NULL ? gtk_single_selection_get_selected_item (self->selection) : NULL;

  return row != NULL ? gtk_tree_list_row_get_item (row) : NULL;
}

/**
 * cs_files_pane_unselect:
 * @self: a pane
 *
 * Selects no row.
 */
void
cs_files_pane_unselect (CsFilesPane *self)
{
  if (self->selection != NULL)
    gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
}

/**
 * cs_files_pane_set_filter:
 * @self: a pane
 * @text: what the paths of shown files contain
 */
void
cs_files_pane_set_filter (CsFilesPane *self, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search_entry), text);
  on_search_changed (self);
}

/**
 * cs_files_pane_start_search:
 * @self: a pane
 *
 * Moves the focus to the filter.
 */
void
cs_files_pane_start_search (CsFilesPane *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

/**
 * cs_files_pane_tick_shown:
 * @self: a pane
 * @on: whether to tick, or to take ticks away
 *
 * Does so with all files that are shown.
 */
void
cs_files_pane_tick_shown (CsFilesPane *self, gboolean on)
{
  /* A filter that isn't applied yet would tick what isn't meant. */
  if (self->tree != NULL && !cs_file_tree_get_filtering (self->tree) && cs_chooser_get_n_files (self->chooser) > 0)
    cs_file_choice_set_folder (self->chooser, self->tree, CS_CHOOSER_ROOT, on);
}

/**
 * cs_files_pane_set_folded:
 * @self: a pane
 * @folded: whether it has all the room, and functions another page
 */
void
cs_files_pane_set_folded (CsFilesPane *self, gboolean folded)
{
  gtk_widget_set_visible (self->functions_button, folded);
  gtk_widget_set_visible (self->title, !folded);
}
