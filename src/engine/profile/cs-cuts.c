/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-cuts.h"
#include "trace.h"

/**
 * cs_cuts_add:
 * @cuts: (element-type CsCut): cuts of a pass
 * @cut: another one. Its end is told later with cs_cuts_close()
 *
 * When there are %CS_MOST_CUTS, it is added to the last one.
 *
 * Returns: its number, from 1 on
 */
guint
cs_cuts_add (GArray *cuts, const CsCut *cut)
{
  CsCut *last;

  if (cuts->len < CS_MOST_CUTS)
    {
      g_array_append_val (cuts, *cut);
      return cuts->len;
    }
  last = &g_array_index (cuts, CsCut, cuts->len - 1);
  last->from = MIN (last->from, cut->from);
  last->n += cut->n;
  last->times += cut->times;
  return cuts->len;
}

/**
 * cs_cuts_close:
 * @cuts: (element-type CsCut): cuts of a pass
 * @cut: number of one
 * @ns: time of the thread's next event
 * @wrapped: whether its process discards what is old: then that is what a thread's first events are missing for
 */
void
cs_cuts_close (GArray *cuts, guint cut, gint64 ns, gboolean wrapped)
{
  CsCut *closed = &g_array_index (cuts, CsCut, cut - 1);

  closed->to = closed->times > 1 && closed->to != G_MAXINT64 ? MAX (closed->to, ns) : ns;
  if (wrapped && closed->kind == CS_CUT_LOST && closed->from == G_MININT64)
    closed->kind = CS_CUT_WRAPPED;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const CsCut *left = a, *right = b;

  if (left->from != right->from)
    return left->from < right->from ? -1 : 1;
  if (left->to != right->to)
    return left->to < right->to ? -1 : 1;
  return (left->serial > right->serial) - (left->serial < right->serial);
}

/**
 * cs_cuts_take:
 * @cuts: (element-type CsCut): in order
 * @others: (element-type CsCut): those of another pass, which are added
 */
void
cs_cuts_take (GArray *cuts, const GArray *others)
{
  if (others->len > 0)
    g_array_append_vals (cuts, others->data, others->len);
  g_array_sort (cuts, compare);
}

static const char *
get_reason (guint reason)
{
  switch (reason)
    {
    case TRACE_MARK_BUDGET:
      return "The recording stopped here: its budget was used up (TRACE_MAX_MB)";
    case TRACE_MARK_NOSPACE:
      return "The recording stopped here: the disk was nearly full (TRACE_MIN_FREE_MB)";
    case TRACE_MARK_MAX_EVENTS:
      return "The recording stopped here: it had as many events as it may have (TRACE_MAX)";
    default:
      return "The recording stopped here: it could not be written";
    }
}

/**
 * cs_cut_dup_text:
 * @self: a cut
 *
 * Returns: (transfer full): a sentence on why nothing is known of its time
 */
char *
cs_cut_dup_text (const CsCut *self)
{
  switch (self->kind)
    {
    case CS_CUT_STOPPED:
      return g_strdup (get_reason (self->reason));
    case CS_CUT_WRAPPED:
      return self->n > 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT " earlier events were discarded to keep the end (TRACE_FULL=wrap)",
                                            self->n)
                         : g_strdup ("Earlier events were discarded to keep the end (TRACE_FULL=wrap)");
    case CS_CUT_LOST:
      return self->n > 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT " events are missing here", self->n)
                         : g_strdup ("Events are missing here; how many is not known");
    case CS_CUT_OFF:
    default:
      return self->times > 1 ? g_strdup_printf ("Recording was switched off here, %u times", self->times)
                             : g_strdup ("Recording was switched off here");
    }
}
