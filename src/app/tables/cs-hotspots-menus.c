/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "tables/cs-hotspots-private.h"
#include "tables/cs-menu-lines.h"

/* Columns in the menus. */
static const struct
{
  const char *title; /* not yet translated */
  CsColumnId first, last;
} groups[] = {
  { N_("Calls and Time"), CS_COLUMN_CALLS, CS_COLUMN_TOTAL },
  { N_("Duration of a Call"), CS_COLUMN_MEAN, CS_COLUMN_DEVIATION },
  { N_("Threads, Callers and Callees"), CS_COLUMN_THREADS, CS_COLUMN_CALLEES },
  { N_("Quality of the Recording"), CS_COLUMN_HOOK_SHARE, CS_COLUMN_CLIPPED },
  { N_("Place"), CS_COLUMN_MODULE, CS_COLUMN_LOCATION },
};

static GMenu *
make_group (guint group, const char *action)
{
  GMenu *menu = g_menu_new ();

  for (guint i = groups[group].first; i <= groups[group].last; i++)
    {
      g_autofree char *name = g_strconcat (action, cs_column_get (i)->id, NULL);

      g_menu_append (menu, _(cs_column_get (i)->title), name);
    }
  return menu;
}

static GMenu *
make_sort_menu (const char *action)
{
  GMenu *menu = g_menu_new ();
  g_autofree char *by_name = g_strconcat (action, cs_column_get (CS_COLUMN_FUNCTION)->id, NULL);

  g_menu_append (menu, _(cs_column_get (CS_COLUMN_FUNCTION)->title), by_name);
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      g_autoptr (GMenu) section = make_group (i, action);

      g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
    }
  return menu;
}

/**
 * cs_hotspots_make_columns_menu:
 *
 * Returns: (transfer full): the menu of columns and of what the table is ordered by
 */
GMenuModel *
cs_hotspots_make_columns_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) order = g_menu_new ();
  g_autoptr (GMenu) columns = g_menu_new ();
  g_autoptr (GMenu) rest = g_menu_new ();
  g_autoptr (GMenu) sort = make_sort_menu ("hotspots.sort::");
  g_autoptr (GMenu) sort_also = make_sort_menu ("hotspots.sort-also::");

  g_menu_append_submenu (order, _("_Order By"), G_MENU_MODEL (sort));
  g_menu_append_submenu (order, _("_Then By"), G_MENU_MODEL (sort_also));
  g_menu_append (order, _("_Reverse Order"), "hotspots.reverse");
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      g_autoptr (GMenu) group = make_group (i, "hotspots." CS_HOTSPOTS_COLUMN_ACTION);

      g_menu_append_submenu (columns, _(groups[i].title), G_MENU_MODEL (group));
    }
  g_menu_append (rest, _("Reset _Columns and Order"), "hotspots.reset-columns");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (order));
  g_menu_append_section (menu, _("Columns"), G_MENU_MODEL (columns));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (rest));
  return G_MENU_MODEL (menu);
}

/**
 * cs_hotspots_make_row_menu:
 *
 * Returns: (transfer full): the menu of a row
 */
GMenuModel *
cs_hotspots_make_row_menu (void)
{
  static const CsMenuLine items[] = {
    { N_("Show _Details"), "hotspots.focus" },
    { N_("Open in _Editor"), "hotspots.open-editor" },
    { N_("_Filter to This Function"), "hotspots.filter-function" },
    { N_("E_xclude from Recording"), "hotspots.exclude" },
    { NULL, NULL },
    { N_("Copy _Name"), "hotspots.copy-name" },
    { N_("_Copy Rows"), "hotspots.copy" },
    { N_("Copy Rows as C_SV"), "hotspots.copy-csv" },
  };

  return cs_menu_lines_make (items, G_N_ELEMENTS (items), 0);
}
