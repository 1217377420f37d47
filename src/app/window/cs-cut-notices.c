/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-cut-notices.h"

/* Cuts of one kind that lie nearer to each other than this part of the recording are told as one. */
#define NEAR 400

/* Where a cut is marked: at its beginning or, where all before it is missing, at its end. */
static gint64
get_place (const CsCut *cut)
{
  return cut->from != G_MININT64 ? cut->from : cut->to;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const CsCut *left = a, *right = b;

  if (left->kind != right->kind)
    return (int) left->kind - (int) right->kind;
  return (get_place (left) > get_place (right)) - (get_place (left) < get_place (right));
}

static void
add (CsOverview *overview, const CsCut *sum, guint n, gint64 place, const CsProfileTotals *totals)
{
  g_autofree char *text = cs_cut_dup_text (sum);
  g_autofree char *threads = g_strdup_printf (ngettext ("%s (%u thread)", "%s (%u threads)", n), text, n);

  place = CLAMP (place, totals->first, totals->last);
  cs_overview_add_notice (overview, cs_profile_span (totals->origin, place), sum->kind == CS_CUT_STOPPED ? text : threads);
}

/**
 * cs_cut_notices_show:
 * @profile: (nullable): of a whole recording
 * @overview: a strip of its time
 *
 * Marks where threads weren't recorded. The same at about the same time on several threads is one mark.
 */
void
cs_cut_notices_show (CsProfile *profile, CsOverview *overview)
{
  g_autoptr (GArray) cuts = g_array_new (FALSE, FALSE, sizeof (CsCut));
  const CsProfileTotals *totals;
  const CsCut *all;
  guint64 near;
  guint n;

  cs_overview_clear_notices (overview);
  if (profile == NULL)
    return;
  totals = cs_profile_get_totals (profile);
  near = cs_profile_span (totals->first, totals->last) / NEAR;
  all = cs_profile_get_cuts (profile, &n);
  g_array_append_vals (cuts, all, n);
  g_array_sort (cuts, compare);
  for (guint i = 0, end; i < n; i = end)
    {
      CsCut sum = g_array_index (cuts, CsCut, i);
      gint64 place = get_place (&sum);

      for (end = i + 1; end < n; end++)
        {
          const CsCut *other = &g_array_index (cuts, CsCut, end);

          if (other->kind != sum.kind || cs_profile_span (place, get_place (other)) > near)
            break;
          sum.n += other->n;
        }
      sum.times = 1;
      add (overview, &sum, end - i, place, totals);
    }
}
