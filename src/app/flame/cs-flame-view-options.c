/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "flame/cs-flame-view-private.h"
#include "shared/cs-settings.h"

const char *const cs_flame_kinds[] = { "tree", "callers", NULL };
const char *const cs_flame_orders[] = { "name", "time", "first-call", NULL };
const char *const cs_flame_shapes[] = { "icicle", "flame", NULL };
const char *const cs_flame_threads[] = { "merged", "each", NULL };

/* Options and their buttons. */
void
cs_flame_view_show_options (CsFlameView *self)
{
  gtk_menu_button_set_label (self->kind_button, cs_flame_get_option_title ("kind", cs_flame_kinds[self->choice.kind]));
  gtk_menu_button_set_label (self->order_button, cs_flame_get_option_title ("order", cs_flame_orders[self->choice.order]));
  gtk_menu_button_set_label (self->shape_button, cs_flame_get_option_title ("shape", cs_flame_shapes[self->flame]));
}

static guint
load_option (const char *key, const char *const *values)
{
  g_autofree char *value = g_settings_get_string (cs_settings_get (), key);

  for (guint i = 0; values[i] != NULL; i++)
    if (g_str_equal (values[i], value))
      return i;
  return 0;
}

void
cs_flame_view_load_options (CsFlameView *self)
{
  self->choice.kind = load_option ("flame-kind", cs_flame_kinds);
  self->choice.order = load_option ("flame-order", cs_flame_orders);
  self->choice.collapse = g_settings_get_boolean (cs_settings_get (), "flame-collapse");
  self->choice.by_thread = load_option ("flame-threads", cs_flame_threads) == 1;
  self->flame = load_option ("flame-shape", cs_flame_shapes) == 1;
  cs_flame_chart_set_flame (self->chart, self->flame);
}

/**
 * cs_flame_view_get_session:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): what it shows
 */
CsSession *
cs_flame_view_get_session (CsFlameView *self)
{
  return self->session;
}

/**
 * cs_flame_view_get_node:
 * @self: a view
 *
 * Returns: the frame that its actions are about; %CS_FLAME_NONE: none
 */
guint32
cs_flame_view_get_node (CsFlameView *self)
{
  if (self->picture == NULL)
    return CS_FLAME_NONE;
  return self->table_shown ? cs_flame_table_get_selected (self->table) : cs_flame_chart_get_cursor (self->chart);
}

/**
 * cs_flame_view_get_choice:
 * @self: a view
 *
 * Returns: (transfer none): how calls are laid out
 */
const CsFlameChoice *
cs_flame_view_get_choice (CsFlameView *self)
{
  return &self->choice;
}

/**
 * cs_flame_view_set_choice:
 * @self: a view
 * @choice: how to lay calls out; new windows begin with it
 */
void
cs_flame_view_set_choice (CsFlameView *self, const CsFlameChoice *choice)
{
  const CsFlameChoice old = self->choice;

  if (cs_flame_choice_equal (choice, &old))
    return;
  self->choice = *choice;
  if (choice->kind != old.kind)
    {
      g_array_set_size (self->callers, 0);
      g_settings_set_string (cs_settings_get (), "flame-kind", cs_flame_kinds[choice->kind]);
    }
  /* What another window chose last is left as it is. */
  if (choice->order != old.order)
    g_settings_set_string (cs_settings_get (), "flame-order", cs_flame_orders[choice->order]);
  if (choice->by_thread != old.by_thread)
    g_settings_set_string (cs_settings_get (), "flame-threads", cs_flame_threads[choice->by_thread]);
  if (choice->collapse != old.collapse)
    g_settings_set_boolean (cs_settings_get (), "flame-collapse", choice->collapse);
  cs_flame_view_show_options (self);
  cs_flame_view_update_actions (self);
  cs_flame_view_make_picture (self);
}

/**
 * cs_flame_view_get_flame:
 * @self: a view
 *
 * Returns: whether the outermost calls are at the bottom
 */
gboolean
cs_flame_view_get_flame (CsFlameView *self)
{
  return self->flame;
}

/**
 * cs_flame_view_set_flame:
 * @self: a view
 * @flame: whether to paint the outermost calls at the bottom; new windows begin with it
 */
void
cs_flame_view_set_flame (CsFlameView *self, gboolean flame)
{
  self->flame = flame;
  g_settings_set_string (cs_settings_get (), "flame-shape", cs_flame_shapes[flame]);
  cs_flame_chart_set_flame (self->chart, flame);
  cs_flame_view_show_options (self);
  cs_flame_view_update_actions (self);
}

/**
 * cs_flame_view_get_table_shown:
 * @self: a view
 *
 * Returns: whether its frames are listed in a table
 */
gboolean
cs_flame_view_get_table_shown (CsFlameView *self)
{
  return self->table_shown;
}

/**
 * cs_flame_view_set_table_shown:
 * @self: a view
 * @shown: whether to list its frames in a table instead of painting them
 */
void
cs_flame_view_set_table_shown (CsFlameView *self, gboolean shown)
{
  guint32 node = cs_flame_view_get_node (self);
  GtkWidget *focus = gtk_widget_get_root (GTK_WIDGET (self)) != NULL
                         ? gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self))) : NULL;
  gboolean had_focus = focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->stack));

  if (self->table_shown == shown)
    return;
  self->table_shown = shown;
  cs_flame_view_show_table (self);
  cs_flame_view_show_status (self);
  if (shown)
    cs_flame_table_select (self->table, node);
  else if (node != CS_FLAME_NONE)
    cs_flame_chart_set_cursor (self->chart, node);
  cs_flame_view_show_page (self);
  if (had_focus)
    gtk_widget_grab_focus (GTK_WIDGET (self));
  cs_flame_view_update_actions (self);
}

/**
 * cs_flame_view_popup_options:
 * @self: a view
 *
 * Opens the menu of what is shown.
 */
void
cs_flame_view_popup_options (CsFlameView *self)
{
  gtk_menu_button_popup (adw_squeezer_get_visible_child (self->squeezer) == self->wide_options ? self->kind_button
                                                                                               : self->options_button);
}

/**
 * cs_flame_view_get_chart:
 * @self: a view
 *
 * Returns: (transfer none): what is painted
 */
CsFlameChart *
cs_flame_view_get_chart (CsFlameView *self)
{
  return self->chart;
}

/**
 * cs_flame_view_get_crumbs:
 * @self: a view
 *
 * Returns: (transfer none): the path to what is shown
 */
CsFlameCrumbs *
cs_flame_view_get_crumbs (CsFlameView *self)
{
  return self->crumbs;
}

/**
 * cs_flame_view_get_search:
 * @self: a view
 *
 * Returns: (transfer none): its search
 */
CsFlameSearch *
cs_flame_view_get_search (CsFlameView *self)
{
  return self->search;
}

/**
 * cs_flame_view_get_table:
 * @self: a view
 *
 * Returns: (transfer none): the table that can be shown in place of the chart
 */
CsFlameTable *
cs_flame_view_get_table (CsFlameView *self)
{
  return self->table;
}

/**
 * cs_flame_view_get_picture:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): what is shown
 */
CsFlamePicture *
cs_flame_view_get_picture (CsFlameView *self)
{
  return self->picture;
}

/**
 * cs_flame_view_get_page:
 * @self: a view
 *
 * Returns: (transfer none): "chart", "table" or "nothing"
 */
const char *
cs_flame_view_get_page (CsFlameView *self)
{
  return gtk_stack_get_visible_child_name (self->stack);
}

/**
 * cs_flame_view_get_busy:
 * @self: a view
 *
 * Returns: whether what is to be shown is still being made
 */
gboolean
cs_flame_view_get_busy (CsFlameView *self)
{
  return self->making != NULL || cs_flame_search_get_busy (self->search) || cs_flame_table_get_busy (self->table);
}
