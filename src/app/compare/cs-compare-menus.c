/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "compare/cs-compare-private.h"
#include "tables/cs-menu-lines.h"
#include "tables/cs-table-menu.h"

static GMenuModel *
make_menu (gboolean rows)
{
enum { ROWS = 1, FRAMES = 2 };
  static const CsMenuLine items[] = {
    { N_("_Zoom to It"), "compare.zoom", FRAMES },
    { NULL, NULL, FRAMES },
    { N_("Show in _Hotspots"), "compare.show::hotspots" },
    { N_("Show in _Flame Graph"), "compare.show::flame-graph" },
    { N_("Show Longest Call in _Timeline"), "compare.show-longest" },
    { N_("Open in _Editor"), "compare.open-editor" },
    { NULL, NULL },
    { N_("Copy _Name"), "compare.copy-name" },
    { N_("_Copy Rows"), "compare.copy", ROWS },
    { N_("Copy Rows as C_SV"), "compare.copy-csv", ROWS },
  };

  return cs_menu_lines_make (items, G_N_ELEMENTS (items), rows ? ROWS : FRAMES);
}

static void
popup_menu (CsCompareView *self, GtkWidget **menu, GtkWidget *parent, double x, double y)
{
  cs_compare_actions_update (self, self->actions);
  if (*menu == NULL)
    {
      g_autoptr (GMenuModel) model = make_menu (parent == GTK_WIDGET (self->table));

      *menu = cs_table_menu_new (model, parent);
    }
  cs_table_menu_popup (*menu, x, y);
}

static void
on_table_menu (CsCompareView *self, double x, double y)
{
  if (self->number != G_MAXUINT)
    popup_menu (self, &self->table_menu, GTK_WIDGET (self->table), x, y);
}

/* The menu is about the frame under the pointer, which is selected; all calls are none's. */
static void
on_frame_menu (CsCompareView *self, guint node, double x, double y)
{
  CsFlameChart *chart = cs_delta_flame_get_chart (self->flame);
  double view_x, view_y;

  if (node == CS_FLAME_NONE || node == 0)
    return;
  cs_flame_chart_set_cursor (chart, node);
  if (gtk_widget_translate_coordinates (GTK_WIDGET (chart), GTK_WIDGET (self->flame), x, y, &view_x, &view_y))
    popup_menu (self, &self->flame_menu, GTK_WIDGET (self->flame), view_x, view_y);
}

/**
 * cs_compare_view_add_menus:
 * @self: a view
 *
 * Gives rows and frames their menus.
 */
void
cs_compare_view_add_menus (CsCompareView *self)
{
  g_signal_connect_object (self->table, "menu", G_CALLBACK (on_table_menu), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (cs_delta_flame_get_chart (self->flame), "menu-requested", G_CALLBACK (on_frame_menu), self,
                           G_CONNECT_SWAPPED);
}

/**
 * cs_compare_view_remove_menus:
 * @self: a view
 *
 * It is disposed of.
 */
void
cs_compare_view_remove_menus (CsCompareView *self)
{
  g_clear_pointer (&self->table_menu, gtk_widget_unparent);
  g_clear_pointer (&self->flame_menu, gtk_widget_unparent);
}
