/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "select/cs-functions-pane.h"
#include "select/cs-choice-row.h"
#include "shared/cs-format.h"

struct _CsFunctionsPane
{
  AdwBin parent_instance;

  GtkOrientable *bar;
  GtkWidget *files_button;
  GtkWidget *title;
  GtkSearchEntry *search_entry;
  GtkDropDown *depth;
  GtkWidget *scope_bar;
  GtkLabel *scope_label;
  GtkStack *stack;
  GtkLabel *nothing;
  GtkListView *list;
  GMenuModel *row_menu;
  GtkWidget *menu; /* (nullable): made once it is needed */
  GtkWidget *preview; /* (nullable): made once it is needed */
  GSimpleActionGroup *actions;

  CsChooser *chooser;            /* (nullable) */
  CsSourceRows *rows;          /* (nullable) */
  GtkSingleSelection *selection; /* (nullable) */
  CsSourceRow *menu_row;       /* (nullable): what the menu is about */
  const CsLastRun *last_run;     /* (nullable) (unowned) */
};

enum
{
  OPEN_REQUESTED,
  SHOWN_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsFunctionsPane, cs_functions_pane, ADW_TYPE_BIN)

static const CsSourceFunction *
get_function (CsFunctionsPane *self, CsSourceRow *row)
{
  const CsSourceFunction *functions;
  guint file = cs_source_row_get_file (row), n;

  if (self->chooser == NULL || file >= cs_chooser_get_n_files (self->chooser) || cs_source_row_is_heading (row))
    return NULL;
  functions = cs_chooser_get_functions (self->chooser, file, &n);
  return functions != NULL && cs_source_row_get_nth (row) < n ? &functions[cs_source_row_get_nth (row)] : NULL;
}

static const char *
get_action_title (CsFunctionAction action)
{
  switch (action)
    {
    case CS_FUNCTION_TRACE:
      return _("trace");
    case CS_FUNCTION_SUBTREE:
      return _("subtree");
    case CS_FUNCTION_EXCLUDE:
      return _("exclude");
    case CS_FUNCTION_COUNT:
      return _("count");
    case CS_FUNCTION_OFF:
    default:
      return _("off");
    }
}

static void
show_heading (CsFunctionsPane *self, CsChoiceRow *widget, CsSourceRow *row)
{
  guint file = cs_source_row_get_file (row);
  CsChoiceRowContent content = { 0 };
  g_autofree char *path = NULL;

  if (file < cs_chooser_get_n_files (self->chooser))
    path = g_utf8_make_valid (cs_chooser_get_file (self->chooser, file)->path, -1);
  content.heading = TRUE;
  content.name = path != NULL ? path : "";
  content.label = content.name;
  content.tooltip = content.name;
  content.cells[0] = _("calls");
  content.cells[1] = _("median");
  cs_choice_row_set_content (widget, &content);
}

/* Calls and median of the last run. */
static const CsLastRunCalls *
format_cells (CsFunctionsPane *self, CsSourceRow *row, char **calls, char **median)
{
  guint32 number = cs_chooser_get_function_number (self->chooser, cs_source_row_get_file (row),
                                                   cs_source_row_get_nth (row));
  const CsLastRunCalls *last = NULL;

  if (self->last_run != NULL && number != CS_CHOOSER_NONE)
    last = cs_last_run_get (self->last_run, number);
  *calls = last != NULL ? cs_format_count (last->calls) : g_strdup ("–");
  *median = last != NULL && last->has_median ? cs_format_duration (last->median) : g_strdup ("–");
  return last;
}

static void
show_function (CsFunctionsPane *self, CsChoiceRow *widget, CsSourceRow *row, const CsSourceFunction *function)
{
  guint file = cs_source_row_get_file (row), nth = cs_source_row_get_nth (row);
  g_autofree char *qualified = cs_function_dup_qualified_name (function);
  g_autofree char *name = g_utf8_make_valid (qualified, -1);
  g_autofree char *path = g_utf8_make_valid (cs_chooser_get_file (self->chooser, file)->path, -1);
  g_autofree char *suffix = g_strdup_printf (" \u200e:%u", function->line);
  g_autofree char *signature = g_utf8_make_valid (function->signature != NULL ? function->signature : "", -1);
  g_autofree char *calls = NULL;
  g_autofree char *calls_text = NULL;
  g_autofree char *median = NULL;
  g_autofree char *action_text = NULL;
  g_autofree char *tooltip = NULL;
  g_autofree char *label = NULL;
  g_autofree char *box_label = NULL;
  CsChoiceRowContent content = { 0 };
  const CsLastRunCalls *last;
  CsFunctionAction action;
  gboolean chosen;
  int depth;
  gboolean known = cs_chooser_get_function (self->chooser, file, nth, &chosen, &action, &depth);
  gboolean ready = known && cs_chooser_get_text_error (self->chooser) == NULL
                   && cs_chooser_get_function_number (self->chooser, file, nth) != CS_CHOOSER_NONE;

  last = format_cells (self, row, &calls, &median);
  if (last != NULL)
    calls_text = g_strdup_printf (ngettext ("%s call", "%s calls", last->calls), calls);
  else
    calls_text = g_strdup (_("not recorded"));
  if (action == CS_FUNCTION_SUBTREE && depth != CS_DEPTH_FULL)
    action_text = g_strdup_printf ("%s %d ▾", get_action_title (action), depth);
  else
    action_text = g_strdup_printf ("%s ▾", get_action_title (action));
  tooltip = g_strdup_printf ("%s%s\n%s:%u", name, signature, path, function->line);
  label = g_strdup_printf (_("%s, %s line %u, %s, %s, %s"), name, path, function->line,
                           chosen ? _("chosen") : _("not chosen"), get_action_title (action), calls_text);
  box_label = g_strdup_printf (_("Trace %s"), name);
  content.monospace = TRUE;
  content.dim = !chosen;
  content.box = chosen ? CS_BOX_ON : CS_BOX_OFF;
  content.box_sensitive = ready;
  content.name = name;
  content.suffix = suffix;
  content.badge = (function->flags & CS_FUNCTION_STATIC) != 0 ? "static" : NULL;
  content.cells[0] = calls;
  content.cells[1] = median;
  content.action = known ? action_text : NULL;
  content.tooltip = tooltip;
  content.label = label;
  content.box_label = box_label;
  cs_choice_row_set_content (widget, &content);
}

static CsSourceRow *
get_row (CsChoiceRow *widget)
{
  GtkListItem *list_item = cs_choice_row_get_list_item (widget);

  return list_item != NULL ? gtk_list_item_get_item (list_item) : NULL;
}

static void
show_row (CsFunctionsPane *self, CsChoiceRow *widget)
{
  CsSourceRow *row = get_row (widget);
  const CsSourceFunction *function = get_function (self, row);

  if (function != NULL)
    show_function (self, widget, row, function);
  else if (self->chooser != NULL)
    show_heading (self, widget, row);
}

static void
set_action (CsFunctionsPane *self, CsSourceRow *row, CsFunctionAction action, int depth)
{
  guint32 number;

  if (get_function (self, row) == NULL)
    return;
  number = cs_chooser_get_function_number (self->chooser, cs_source_row_get_file (row), cs_source_row_get_nth (row));
  if (number != CS_CHOOSER_NONE)
    cs_chooser_set_functions (self->chooser, &number, 1, action, depth);
}

static int
get_depth (CsFunctionsPane *self)
{
  guint selected = gtk_drop_down_get_selected (self->depth);

  return selected == 0 || selected == GTK_INVALID_LIST_POSITION ? CS_DEPTH_FULL : (int) selected;
}

static void
toggle (CsFunctionsPane *self, CsChoiceRow *widget)
{
  CsSourceRow *row = get_row (widget);
  gboolean chosen;

  if (row == NULL || get_function (self, row) == NULL)
    return;
  cs_chooser_get_function (self->chooser, cs_source_row_get_file (row), cs_source_row_get_nth (row), &chosen, NULL,
                           NULL);
  set_action (self, row, chosen ? CS_FUNCTION_OFF : CS_FUNCTION_TRACE, 0);
  /* Until the selection is another one, the box shows what is. */
  show_row (self, widget);
}

static void
on_row_toggled (CsChoiceRow *widget, CsFunctionsPane *self)
{
  toggle (self, widget);
}

static void
set_menu_row (CsFunctionsPane *self, CsSourceRow *row)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), "action");
  CsFunctionAction what;
  gboolean known = cs_chooser_get_function (self->chooser, cs_source_row_get_file (row), cs_source_row_get_nth (row),
                                            NULL, &what, NULL);

  g_set_object (&self->menu_row, row);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), known && cs_chooser_get_text_error (self->chooser) == NULL);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (cs_function_action_get_name (what)));
}

static void
show_menu (CsFunctionsPane *self, CsChoiceRow *widget, double x, double y)
{
  CsSourceRow *row = get_row (widget);
  double pane_x, pane_y;

  if (row == NULL || get_function (self, row) == NULL)
    return;
  set_menu_row (self, row);
  if (self->menu == NULL)
    {
      self->menu = gtk_popover_menu_new_from_model (self->row_menu);
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
    }
  gtk_widget_translate_coordinates (GTK_WIDGET (widget), GTK_WIDGET (self), x, y, &pane_x, &pane_y);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle){ (int) pane_x, (int) pane_y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
on_menu_requested (CsChoiceRow *widget, double x, double y, CsFunctionsPane *self)
{
  show_menu (self, widget, x, y);
}

static void
on_action_clicked (CsChoiceRow *widget, CsFunctionsPane *self)
{
  GtkWidget *button = cs_choice_row_get_action_button (widget);
  double x, y;

  gtk_widget_translate_coordinates (button, GTK_WIDGET (widget), gtk_widget_get_width (button) / 2,
                                    gtk_widget_get_height (button), &x, &y);
  show_menu (self, widget, x, y);
}

static void
on_setup (CsFunctionsPane *self, GtkListItem *list_item)
{
  GtkWidget *widget = cs_choice_row_new ();

  g_signal_connect_object (widget, "toggled", G_CALLBACK (on_row_toggled), self, 0);
  g_signal_connect_object (widget, "action-clicked", G_CALLBACK (on_action_clicked), self, 0);
  g_signal_connect_object (widget, "menu-requested", G_CALLBACK (on_menu_requested), self, 0);
  g_object_set_data (G_OBJECT (widget), "pane", self);
  gtk_list_item_set_child (list_item, widget);
}

static void
on_row_changed (CsChoiceRow *widget)
{
  show_row (g_object_get_data (G_OBJECT (widget), "pane"), widget);
}

static void
on_bind (CsFunctionsPane *self, GtkListItem *list_item)
{
  CsChoiceRow *widget = CS_CHOICE_ROW (gtk_list_item_get_child (list_item));
  CsSourceRow *row = gtk_list_item_get_item (list_item);

  gtk_list_item_set_selectable (list_item, !cs_source_row_is_heading (row));
  gtk_list_item_set_activatable (list_item, !cs_source_row_is_heading (row));
  cs_choice_row_set_list_item (widget, list_item);
  g_signal_connect_object (row, "changed", G_CALLBACK (on_row_changed), widget, G_CONNECT_SWAPPED);
  show_row (self, widget);
}

static void
on_unbind (CsFunctionsPane *self, GtkListItem *list_item)
{
  CsChoiceRow *widget = CS_CHOICE_ROW (gtk_list_item_get_child (list_item));

  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item), on_row_changed, widget);
  cs_choice_row_set_list_item (widget, NULL);
}

static void
open_row (CsFunctionsPane *self, CsSourceRow *row)
{
  const CsSourceFunction *function = get_function (self, row);

  if (function != NULL)
    g_signal_emit (self, signals[OPEN_REQUESTED], 0,
                   cs_chooser_get_file (self->chooser, cs_source_row_get_file (row))->path, function->line);
}

/* Enter or a double click. */
static void
on_row_activated (CsFunctionsPane *self, guint position)
{
  g_autoptr (CsSourceRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (row != NULL)
    open_row (self, row);
}

static gboolean
on_key (CsFunctionsPane *self, guint key, guint code, GdkModifierType modifiers)
{
  CsChoiceRow *widget = cs_choice_row_find_focused (GTK_WIDGET (self->list));

  modifiers &= gtk_accelerator_get_default_mod_mask ();
  if (widget == NULL)
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_Menu || (key == GDK_KEY_F10 && modifiers == GDK_SHIFT_MASK))
    {
      show_menu (self, widget, 40, gtk_widget_get_height (GTK_WIDGET (widget)));
      return GDK_EVENT_STOP;
    }
  if (modifiers != 0 || (key != GDK_KEY_space && key != GDK_KEY_KP_Space))
    return GDK_EVENT_PROPAGATE;
  toggle (self, widget);
  return GDK_EVENT_STOP;
}

static void
change_action (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  CsFunctionsPane *self = user_data;
  const char *name = g_variant_get_string (value, NULL);

  for (CsFunctionAction what = CS_FUNCTION_TRACE; self->menu_row != NULL && what <= CS_FUNCTION_COUNT; what++)
    if (g_str_equal (cs_function_action_get_name (what), name))
      set_action (self, self->menu_row, what, what == CS_FUNCTION_SUBTREE ? get_depth (self) : 0);
}

static void
preview_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsFunctionsPane *self = user_data;
  const CsSourceFunction *function = self->menu_row != NULL ? get_function (self, self->menu_row) : NULL;
  g_autofree char *name = NULL;
  GdkRectangle place;

  if (function == NULL)
    return;
  if (self->preview == NULL)
    {
      self->preview = cs_subtree_popover_new ();
      gtk_widget_set_parent (self->preview, GTK_WIDGET (self));
    }
  name = cs_function_dup_qualified_name (function);
  if (self->menu != NULL && gtk_popover_get_pointing_to (GTK_POPOVER (self->menu), &place))
    gtk_popover_set_pointing_to (GTK_POPOVER (self->preview), &place);
  cs_subtree_popover_show (CS_SUBTREE_POPOVER (self->preview), self->chooser, name,
                           cs_chooser_get_function_number (self->chooser, cs_source_row_get_file (self->menu_row),
                                                           cs_source_row_get_nth (self->menu_row)),
                           get_depth (self));
}

static void
open_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsFunctionsPane *self = user_data;

  if (self->menu_row != NULL)
    open_row (self, self->menu_row);
}

static void
copy_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsFunctionsPane *self = user_data;
  const CsSourceFunction *function = self->menu_row != NULL ? get_function (self, self->menu_row) : NULL;
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;

  if (function == NULL)
    return;
  name = cs_function_dup_qualified_name (function);
  text = g_utf8_make_valid (name, -1);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static const GActionEntry actions[] = {
  { .name = "action", .parameter_type = "s", .state = "'off'", .change_state = change_action },
  { .name = "preview", .activate = preview_action },
  { .name = "open", .activate = open_action },
  { .name = "copy", .activate = copy_action },
};

static void
show_state (CsFunctionsPane *self)
{
  const char *text = NULL;
  gboolean filtered = *gtk_editable_get_text (GTK_EDITABLE (self->search_entry)) != '\0';

  if (self->rows == NULL)
    return;
  if (filtered)
    text = _("No function shown here has this in its name or its file’s path.");
  else if (cs_chooser_get_state (self->chooser) == CS_CHOOSER_SCANNING)
    text = _("Functions appear as their files are scanned.");
  else if (gtk_widget_get_visible (self->scope_bar))
    text = _("There are no functions in it.");
  else
    text = _("No file is chosen. Tick files on the left, or select one to see its functions.");
  gtk_label_set_text (self->nothing, text);
  gtk_stack_set_visible_child_name (self->stack,
                                    g_list_model_get_n_items (G_LIST_MODEL (self->rows)) > 0 ? "list" : "none");
}

static void
on_search_changed (CsFunctionsPane *self)
{
  if (self->rows != NULL)
    cs_source_rows_set_filter (self->rows, gtk_editable_get_text (GTK_EDITABLE (self->search_entry)));
}

static void
on_stop_search (CsFunctionsPane *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search_entry), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

static void
on_search_activated (CsFunctionsPane *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

static void
on_restarted (CsFunctionsPane *self)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (self->rows)) > 0)
    gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", 0);
}

static void
on_filtered (CsFunctionsPane *self)
{
  show_state (self);
  g_signal_emit (self, signals[SHOWN_CHANGED], 0);
}

static void
clear_chooser (CsFunctionsPane *self)
{
  if (self->list != NULL)
    gtk_list_view_set_model (self->list, NULL);
  g_clear_object (&self->selection);
  if (self->rows != NULL)
    g_object_run_dispose (G_OBJECT (self->rows));
  g_clear_object (&self->rows);
  g_clear_object (&self->chooser);
  g_clear_object (&self->menu_row);
  self->last_run = NULL;
}

static void
cs_functions_pane_dispose (GObject *object)
{
  CsFunctionsPane *self = CS_FUNCTIONS_PANE (object);

  clear_chooser (self);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->preview, gtk_widget_unparent);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (cs_functions_pane_parent_class)->dispose (object);
}

static void
cs_functions_pane_class_init (CsFunctionsPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_functions_pane_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/callsight/Callsight/select/cs-functions-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, CsFunctionsPane, files_button);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionsPane, bar);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionsPane, title);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionsPane, search_entry);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionsPane, depth);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionsPane, scope_bar);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionsPane, scope_label);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionsPane, stack);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionsPane, nothing);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionsPane, list);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionsPane, row_menu);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_stop_search);
  gtk_widget_class_bind_template_callback (widget_class, on_search_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);

  signals[OPEN_REQUESTED] = g_signal_new ("open-requested", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_UINT);
  signals[SHOWN_CHANGED] = g_signal_new ("shown-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
}

static void
cs_functions_pane_init (CsFunctionsPane *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), actions, G_N_ELEMENTS (actions), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "function", G_ACTION_GROUP (self->actions));

  cs_choice_list_set_up (self->list, G_CALLBACK (on_setup), G_CALLBACK (on_bind), G_CALLBACK (on_unbind),
                         G_CALLBACK (on_key), self);
}

/**
 * cs_functions_pane_set_chooser:
 * @self: a pane
 * @chooser: (nullable): whose functions it shows
 */
void
cs_functions_pane_set_chooser (CsFunctionsPane *self, CsChooser *chooser)
{
  clear_chooser (self);
  gtk_editable_set_text (GTK_EDITABLE (self->search_entry), "");
  gtk_widget_set_visible (self->scope_bar, FALSE);
  if (chooser == NULL)
    return;
  self->chooser = g_object_ref (chooser);
  self->rows = cs_source_rows_new (chooser);
  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->rows));
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_object (self->rows, "items-changed", G_CALLBACK (show_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->rows, "restarted", G_CALLBACK (on_restarted), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->rows, "filtered", G_CALLBACK (on_filtered), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chooser, "notify::state", G_CALLBACK (show_state), self, G_CONNECT_SWAPPED);
  show_state (self);
}

/**
 * cs_functions_pane_set_last_run:
 * @self: a pane
 * @last_run: (nullable) (transfer none): what was recorded of the functions; stays as long as it is set
 */
void
cs_functions_pane_set_last_run (CsFunctionsPane *self, const CsLastRun *last_run)
{
  self->last_run = last_run;
  if (self->rows != NULL)
    cs_source_rows_touch (self->rows);
}

/**
 * cs_functions_pane_set_scope:
 * @self: a pane
 * @path: (nullable): file or folder whose functions are shown; %NULL: those of all chosen files
 * @is_folder: whether it is a folder
 */
void
cs_functions_pane_set_scope (CsFunctionsPane *self, const char *path, gboolean is_folder)
{
  g_autofree char *valid = path != NULL ? g_utf8_make_valid (path, -1) : NULL;

  if (self->rows == NULL)
    return;
  gtk_label_set_text (self->scope_label, valid != NULL ? valid : "");
  gtk_widget_set_visible (self->scope_bar, path != NULL);
  cs_source_rows_set_scope (self->rows, path, is_folder);
  show_state (self);
}

/**
 * cs_functions_pane_get_rows:
 * @self: a pane
 *
 * Returns: (transfer none) (nullable): what it shows
 */
CsSourceRows *
cs_functions_pane_get_rows (CsFunctionsPane *self)
{
  return self->rows;
}

/**
 * cs_functions_pane_get_list:
 * @self: a pane
 *
 * Returns: (transfer none): its list
 */
GtkListView *
cs_functions_pane_get_list (CsFunctionsPane *self)
{
  return self->list;
}

/**
 * cs_functions_pane_get_preview:
 * @self: a pane
 *
 * Returns: (transfer none) (nullable): the preview of a subtree, once one was asked for
 */
CsSubtreePopover *
cs_functions_pane_get_preview (CsFunctionsPane *self)
{
  return self->preview != NULL ? CS_SUBTREE_POPOVER (self->preview) : NULL;
}

/**
 * cs_functions_pane_set_filter:
 * @self: a pane
 * @text: what the names of shown functions, or the paths of their files, contain
 */
void
cs_functions_pane_set_filter (CsFunctionsPane *self, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search_entry), text);
  on_search_changed (self);
}

/**
 * cs_functions_pane_start_search:
 * @self: a pane
 *
 * Moves the focus to the filter.
 */
void
cs_functions_pane_start_search (CsFunctionsPane *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

/**
 * cs_functions_pane_tick_shown:
 * @self: a pane
 * @on: whether to tick, or to take ticks away
 *
 * Does so with all functions that are shown.
 */
void
cs_functions_pane_tick_shown (CsFunctionsPane *self, gboolean on)
{
  g_autofree guint32 *functions = NULL;
  gsize n;

  if (self->rows == NULL || cs_source_rows_get_filtering (self->rows))
    return;
  functions = cs_source_rows_dup_functions (self->rows, &n);
  if (n > 0)
    cs_chooser_tick_functions (self->chooser, functions, n, on);
}

/**
 * cs_functions_pane_set_folded:
 * @self: a pane
 * @folded: whether it has all the room, and files another page
 */
void
cs_functions_pane_set_folded (CsFunctionsPane *self, gboolean folded)
{
  gtk_orientable_set_orientation (self->bar, folded ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_visible (self->files_button, folded);
  gtk_widget_set_visible (self->title, !folded);
}
