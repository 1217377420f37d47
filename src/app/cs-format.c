/* SPDX-License-Identifier: MIT */
#include "config.h"

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
