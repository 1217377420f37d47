/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gtk/gtk.h>

#include "cs-format.h"

/**
 * cs_format_duration:
 * @ns: a duration
 *
 * Returns: (transfer full): the duration for people, with three significant digits and its
 *   unit: 8 ns, 3.84 µs, 529 ms, 12.3 s
 */
char *
cs_format_duration (guint64 ns)
{
  static const struct { guint64 ns; const char *name; } units[] = {
    { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "µs" }
  };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      double value = (double) ns / (double) units[i].ns;

      /* What rounds up to 1000 of the smaller unit is 1 of this one. */
      if (value < 0.9995)
        continue;
      return g_strdup_printf (value < 9.995 ? "%.2f %s" : value < 99.95 ? "%.1f %s" : "%.0f %s", value,
                              units[i].name);
    }
  return g_strdup_printf ("%" G_GUINT64_FORMAT " ns", ns);
}

/**
 * cs_format_count:
 * @number: how many
 *
 * Returns: (transfer full): the number with the locale's thousands separators
 */
char *
cs_format_count (guint64 number)
{
  return g_strdup_printf ("%'" G_GUINT64_FORMAT, number);
}

/**
 * cs_format_count_short:
 * @number: how many
 *
 * Returns: (transfer full): the number for people, with three significant digits at most: 358,
 *   2.1 M, 41.2 M
 */
char *
cs_format_count_short (guint64 number)
{
  static const struct { double size; const char *name; } units[] = {
    { 1e18, "E" }, { 1e15, "P" }, { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" }
  };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      double value = (double) number / units[i].size;

      /* What rounds up to 1000 of the smaller unit is 1 of this one. */
      if (value < 0.9995 || number < 1000)
        continue;
      return g_strdup_printf ("%.3g %s", value >= 999.5 ? 999 : value, units[i].name);
    }
  return g_strdup_printf ("%" G_GUINT64_FORMAT, number);
}

/**
 * cs_format_share:
 * @part: how many
 * @whole: of how many
 *
 * Returns: (transfer full): the part in per cent with one decimal, which says all and none only where that is
 *   exact: 0.9 %, less than 0.1 %, 99.9 %, 100 %
 */
char *
cs_format_share (guint64 part, guint64 whole)
{
  double share = whole > 0 ? 100.0 * (double) part / (double) whole : 0;

  if (part == 0 || whole == 0)
    return g_strdup ("0 %");
  if (part >= whole)
    return g_strdup ("100 %");
  if (share < 0.05)
    return g_strdup_printf ("<%.1f %%", 0.1);
  return g_strdup_printf ("%.1f %%", MIN (share, 99.9));
}

/**
 * cs_format_isolate:
 * @text: (transfer full): a number with its sign or unit
 *
 * Where people read from the right, signs and units would be put on a number's other side by the words beside it.
 *
 * Returns: (transfer full): the text as it is put into a label, a unit that is read from the left
 */
char *
cs_format_isolate (char *text)
{
  char *isolated;

  if (gtk_widget_get_default_direction () != GTK_TEXT_DIR_RTL)
    return text;
  isolated = g_strconcat ("\u2066", text, "\u2069", NULL);
  g_free (text);
  return isolated;
}
