/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/cs-diff-private.h"

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const CsDiffItem *x = a, *y = b;

  if (x->row->line != y->row->line)
    return x->row->line < y->row->line ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

/* The functions of a report as CsDiffItem, by line, those that nothing tells apart as one. For each row, `places` gets
 * which of the items has it. */
static GArray *
collect (const CsReportFile *report, guint *places)
{
  const CsReportRow *rows = (const CsReportRow *) (gpointer) report->rows->data;
  GArray *items = g_array_new (FALSE, TRUE, sizeof (CsDiffItem));
  g_autoptr (GHashTable) indices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree guint *moved = NULL;

  for (guint i = 0; i < report->rows->len; i++)
    {
      const CsReportRow *row = &rows[i];
      CsDiffItem item = { .row = row };
      char *identity = g_strdup_printf ("%s\n%s\n%s\n%u", row->function, row->module != NULL ? row->module : "",
                                        row->file != NULL ? row->file : "", row->line);
      guint index = GPOINTER_TO_UINT (g_hash_table_lookup (indices, identity));

      if (index == 0)
        {
          g_array_append_val (items, item);
          index = items->len;
          g_hash_table_insert (indices, identity, GUINT_TO_POINTER (index));
        }
      else
        g_free (identity);
      places[i] = index - 1;
    }
  g_array_sort (items, compare_lines);
  moved = g_new (guint, (gsize) items->len + 1);
  for (guint i = 0; i < items->len; i++)
    moved[places[g_array_index (items, CsDiffItem, i).row - rows]] = i;
  for (guint i = 0; i < report->rows->len; i++)
    places[i] = moved[places[i]];
  return items;
}

/**
 * cs_diff_pairs_new:
 * @base: what was
 * @other: what is
 *
 * Finds which functions are the same, as cs_diff_new() does.
 *
 * Returns: (transfer full): their numbers
 */
CsDiffPairs *
cs_diff_pairs_new (const CsReportFile *base, const CsReportFile *other)
{
  CsDiffPairs *self = g_new0 (CsDiffPairs, 1);
  g_autoptr (GArray) base_items = NULL;
  g_autoptr (GArray) other_items = NULL;
  g_autofree guint *numbers = NULL;

  self->base = g_new (guint, (gsize) base->rows->len + 1);
  self->new = g_new (guint, (gsize) other->rows->len + 1);
  base_items = collect (base, self->base);
  other_items = collect (other, self->new);
  cs_diff_match (base, base_items, other, other_items);

  /* The base's come first, in the order of its items. */
  self->n = base_items->len;
  numbers = g_new (guint, (gsize) other_items->len + 1);
  for (guint i = 0; i < other_items->len; i++)
    {
      guint partner = g_array_index (other_items, CsDiffItem, i).partner;

      numbers[i] = partner != 0 ? partner - 1 : self->n++;
    }
  for (guint i = 0; i < other->rows->len; i++)
    self->new[i] = numbers[self->new[i]];
  return self;
}

/**
 * cs_diff_pairs_free:
 * @self: (transfer full): pairs
 */
void
cs_diff_pairs_free (CsDiffPairs *self)
{
  g_free (self->base);
  g_free (self->new);
  g_free (self);
}
