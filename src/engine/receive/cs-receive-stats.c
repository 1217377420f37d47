/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "receive/cs-receive-writer.h"
#include "trace.h"

/**
 * cs_receive_stats_dup_sums:
 * @self: what became of a stream
 *
 * Returns: (transfer full): how much came and what is missing
 */
char *
cs_receive_stats_dup_sums (const CsReceiveStats *self)
{
  g_autofree char *size = g_format_size (self->bytes);
  g_autofree char *gaps = self->gaps == 0   ? g_strdup ("no gaps")
                          : self->gaps == 1 ? g_strdup_printf ("1 gap of %" G_GUINT64_FORMAT " bytes", self->gap_bytes)
                                            : g_strdup_printf ("%" G_GUINT64_FORMAT " gaps of %" G_GUINT64_FORMAT " bytes in all",
                                                               self->gaps, self->gap_bytes);

  return g_strdup_printf ("%" G_GUINT64_FORMAT " events (%s), %" G_GUINT64_FORMAT " dropped by the device, %s", self->events, size,
                          self->dropped, gaps);
}

/**
 * cs_receive_stats_dup_stop:
 * @self: what became of a stream of which nothing more is written
 * @folder: its folder
 *
 * Returns: (transfer full): why
 */
char *
cs_receive_stats_dup_stop (const CsReceiveStats *self, const char *folder)
{
  g_autofree char *size = g_format_size_full (self->stopped_at, G_FORMAT_SIZE_IEC_UNITS);

  if (self->gone)
    return g_strdup_printf ("the folder %s was removed", folder);
  if (self->stopped == TRACE_MARK_BUDGET)
    return g_strdup_printf ("the budget of %s is used up", size);
  if (self->stopped == TRACE_MARK_NOSPACE)
    return g_strdup_printf ("only %s are free on the disk", size);
  return g_strdup_printf ("%s can't be written: %s", folder, g_strerror ((int) self->stopped_at));
}

/**
 * cs_receive_stats_dup_end:
 * @self: what became of a stream
 * @folder: its folder
 *
 * Returns: (transfer full): all that is to be told when it has ended
 */
char *
cs_receive_stats_dup_end (const CsReceiveStats *self, const char *folder)
{
  g_autofree char *sums = cs_receive_stats_dup_sums (self);
  g_autofree char *reason = self->stopped != 0 ? cs_receive_stats_dup_stop (self, folder) : NULL;
  g_autofree char *stop = reason != NULL ? g_strdup_printf ("; %" G_GUINT64_FORMAT " bytes were not written, as %s", self->discarded, reason)
                                         : g_strdup ("");

  return g_strdup_printf ("%s%s — %s", sums, stop, folder);
}
