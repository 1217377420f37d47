/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "tables/cs-menu-lines.h"

/**
 * cs_menu_lines_make:
 * @lines: (array length=n): lines of menus
 * @n: how many
 * @use: the bit of the menu that is wanted
 *
 * Returns: (transfer full): the menu with those of its lines
 */
GMenuModel *
cs_menu_lines_make (const CsMenuLine *lines, guint n, guint use)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) section = g_menu_new ();

  for (guint i = 0; i < n; i++)
    {
      if (lines[i].uses != 0 && (lines[i].uses & use) == 0)
        continue;
      if (lines[i].label != NULL)
        {
          g_menu_append (section, _(lines[i].label), lines[i].action);
          continue;
        }
      g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
      g_object_unref (section);
      section = g_menu_new ();
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  return G_MENU_MODEL (menu);
}
