/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-when.h"

/**
 * cs_when_format:
 * @time_us: a moment, as g_get_real_time() tells it
 * @now_us: the same of now
 *
 * Returns: (transfer full): the moment for people, in local time, as short as it is clear: “Today 14:02”, “Yesterday 9:30”,
 *   “12 Nov 14:02”, “12 Nov 2025”
 */
char *
cs_when_format (gint64 time_us, gint64 now_us)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (time_us / G_USEC_PER_SEC);
  g_autoptr (GDateTime) utc_now = g_date_time_new_from_unix_utc (now_us / G_USEC_PER_SEC);
  g_autoptr (GDateTime) moment = utc != NULL ? g_date_time_to_local (utc) : NULL;
  g_autoptr (GDateTime) now = utc_now != NULL ? g_date_time_to_local (utc_now) : NULL;
  GDate day, today;

  if (moment == NULL || now == NULL)
    return g_strdup (_("Some time"));
  g_date_clear (&day, 1);
  g_date_clear (&today, 1);
  g_date_set_dmy (&day, (GDateDay) g_date_time_get_day_of_month (moment), (GDateMonth) g_date_time_get_month (moment),
                  (GDateYear) g_date_time_get_year (moment));
  g_date_set_dmy (&today, (GDateDay) g_date_time_get_day_of_month (now), (GDateMonth) g_date_time_get_month (now),
                  (GDateYear) g_date_time_get_year (now));
  switch (g_date_days_between (&day, &today))
    {
    case 0:
      return g_date_time_format (moment, _("Today %-H:%M"));
    case 1:
      return g_date_time_format (moment, _("Yesterday %-H:%M"));
    default:
      return g_date_time_format (moment, g_date_get_year (&day) == g_date_get_year (&today) ? _("%-d %b %-H:%M")
                                                                                           : _("%-d %b %Y"));
    }
}
