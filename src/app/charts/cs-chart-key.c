/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "charts/cs-chart-key.h"

/**
 * cs_chart_key_simplify:
 * @keyval: a key
 *
 * Returns: the key that does the same in a chart: of the keypad's keys those beside it, and one for each of enlarging,
 *   making smaller and choosing
 */
guint
cs_chart_key_simplify (guint keyval)
{
  static const struct { guint key, same; } keys[] = {
    { GDK_KEY_KP_Left, GDK_KEY_Left },
    { GDK_KEY_KP_Right, GDK_KEY_Right },
    { GDK_KEY_KP_Up, GDK_KEY_Up },
    { GDK_KEY_KP_Down, GDK_KEY_Down },
    { GDK_KEY_KP_Home, GDK_KEY_Home },
    { GDK_KEY_KP_End, GDK_KEY_End },
    { GDK_KEY_KP_Page_Up, GDK_KEY_Page_Up },
    { GDK_KEY_KP_Page_Down, GDK_KEY_Page_Down },
    { GDK_KEY_KP_Add, GDK_KEY_plus },
    { GDK_KEY_equal, GDK_KEY_plus }, /* + without Shift on many keyboards */
    { GDK_KEY_KP_Subtract, GDK_KEY_minus },
    { GDK_KEY_underscore, GDK_KEY_minus },
    { GDK_KEY_KP_0, GDK_KEY_0 },
    { GDK_KEY_KP_Insert, GDK_KEY_0 },
    { GDK_KEY_KP_Enter, GDK_KEY_Return },
    { GDK_KEY_ISO_Enter, GDK_KEY_Return },
    { GDK_KEY_KP_Space, GDK_KEY_space },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].key == keyval)
      return keys[i].same;
  return keyval;
}
