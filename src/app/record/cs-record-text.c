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
