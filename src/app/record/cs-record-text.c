/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "record/cs-record-text.h"

/**
 * cs_record_format_elapsed:
 * @us: how long something takes
 *
 * Returns: (transfer full): that for a clock that runs: "7.3 s", "2:05", "1:02:03"
 */
char *
cs_record_format_elapsed (gint64 us)
{
  gint64 s = us / G_USEC_PER_SEC;
  int seconds = (int) (s % 60), minutes = (int) (s / 60 % 60);

  if (s < 60)
    return g_strdup_printf (_("%.1f s"), (double) us / G_USEC_PER_SEC);
  return s < 3600 ? g_strdup_printf ("%d:%02d", minutes, seconds)
                  : g_strdup_printf ("%" G_GINT64_FORMAT ":%02d:%02d", s / 3600, minutes, seconds);
}

/**
 * cs_record_format_rate:
 * @per_second: events a second
 *
 * Returns: (transfer full): that with three digits: "870/s", "1.24 M/s"
 */
char *
cs_record_format_rate (double per_second)
{
  static const struct { double size; const char *unit; } units[] = { { 1e9, " G" }, { 1e6, " M" }, { 1e3, " k" } };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      double value = per_second / units[i].size;

      if (value >= 0.9995)
        return g_strdup_printf (value < 9.995 ? "%.2f%s/s" : value < 99.95 ? "%.1f%s/s" : "%.0f%s/s", value, units[i].unit);
    }
  return g_strdup_printf ("%.0f/s", per_second);
}
