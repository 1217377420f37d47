/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/cs-diff-private.h"

/* Functions are the same in two reports if their names and modules are. What else the reports tell is
 * used to keep apart those that share both (static functions of several files, say): first those are
 * taken together that agree in everything, then those that agree in less and less. A program is one
 * module whatever its file is called, libraries are told by the names of their files, without the
 * folders. Where a report knows no modules, names and files decide. */

#define WHOLE_FILE G_MAXUINT

/* What functions must agree in, one round after the other. */
typedef struct
{
  enum { PATH, NAME, NO_MODULE } module;
  guint parts; /* of the file's path, from its end: one report may have whole paths, another those in a project */
  gboolean line;
  gboolean alone; /* there must be one such function on both sides, and no other */
} Round;

static const Round rounds[] = {
  { PATH, WHOLE_FILE, TRUE, FALSE },
  { NAME, WHOLE_FILE, TRUE, FALSE },
  { NAME, WHOLE_FILE, FALSE, FALSE },
  { NAME, 3, FALSE, FALSE },
  { NAME, 2, FALSE, FALSE },
  { NAME, 1, FALSE, FALSE },
  { NAME, 0, FALSE, TRUE },
  { NO_MODULE, WHOLE_FILE, TRUE, FALSE },
  { NO_MODULE, WHOLE_FILE, FALSE, FALSE },
  { NO_MODULE, 3, FALSE, FALSE },
  { NO_MODULE, 2, FALSE, FALSE },
  { NO_MODULE, 1, FALSE, FALSE },
  { NO_MODULE, 0, FALSE, TRUE },
};

/* The functions of one side that agree: those without a module apart. */
typedef struct
{
  GQueue named, unnamed; /* of indices + 1 */
} Bucket;

static void
bucket_free (gpointer data)
{
  Bucket *bucket = data;

  g_queue_clear (&bucket->named);
  g_queue_clear (&bucket->unnamed);
  g_free (bucket);
}

/* The end of a path that has this many parts, or all of it where it has no more. */
static const char *
last_parts (const char *path, guint n)
{
  const char *end = path + strlen (path);

  for (const char *c = end; c > path; c--)
    if (c[-1] == '/' && c != end && n-- == 1)
      return c;
  return path;
}

static char *
make_key (const CsReportFile *report, const CsReportRow *row, const Round *round)
{
  const char *module = "";
  const char *file = row->file != NULL && round->parts > 0 ? last_parts (row->file, round->parts) : "";
  guint line = round->line ? row->line : 0;

  if (row->module != NULL && round->module == PATH)
    module = row->module;
  else if (row->module != NULL && round->module == NAME)
    module = report->program != NULL && g_str_equal (report->program, row->module) ? "/" : last_parts (row->module, 1);
  return g_strdup_printf ("%s\n%s\n%s\n%u", row->function, module, file, line);
}

static GHashTable *
make_buckets (const CsReportFile *report, GArray *items, const Round *round)
{
  GHashTable *buckets = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, bucket_free);

  for (guint i = 0; i < items->len; i++)
    {
      const CsDiffItem *item = &g_array_index (items, CsDiffItem, i);
      g_autofree char *key = NULL;
      Bucket *bucket;

      if (item->partner != 0)
        continue;
      key = make_key (report, item->row, round);
      bucket = g_hash_table_lookup (buckets, key);
      if (bucket == NULL)
        {
          bucket = g_new0 (Bucket, 1);
          g_hash_table_insert (buckets, g_steal_pointer (&key), bucket);
        }
      g_queue_push_tail (item->row->module != NULL ? &bucket->named : &bucket->unnamed, GUINT_TO_POINTER (i + 1));
    }
  return buckets;
}

static void
pair (GArray *base_items, GQueue *base, GArray *other_items, GQueue *other)
{
  while (!g_queue_is_empty (base) && !g_queue_is_empty (other))
    {
      guint i = GPOINTER_TO_UINT (g_queue_pop_head (base));
      guint j = GPOINTER_TO_UINT (g_queue_pop_head (other));

      g_array_index (base_items, CsDiffItem, i - 1).partner = j;
      g_array_index (other_items, CsDiffItem, j - 1).partner = i;
    }
}

static void
play (const Round *round, const CsReportFile *base, GArray *base_items, const CsReportFile *other, GArray *other_items)
{
  g_autoptr (GHashTable) base_buckets = make_buckets (base, base_items, round);
  g_autoptr (GHashTable) other_buckets = make_buckets (other, other_items, round);
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, base_buckets);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      Bucket *a = value, *b = g_hash_table_lookup (other_buckets, key);

      if (b == NULL)
        continue;
      if (round->alone && (a->named.length + a->unnamed.length > 1 || b->named.length + b->unnamed.length > 1))
        continue;
      pair (base_items, &a->unnamed, other_items, &b->unnamed);
      if (round->module != NO_MODULE)
        pair (base_items, &a->named, other_items, &b->named);
      else
        {
          pair (base_items, &a->named, other_items, &b->unnamed);
          pair (base_items, &a->unnamed, other_items, &b->named);
        }
    }
}

/**
 * cs_diff_match:
 * @base: a report
 * @base_items: (inout): its functions as CsDiffItem, by line where they share a file
 * @other: another report
 * @other_items: (inout): its functions
 *
 * Finds which functions are the same. A function has at most one partner.
 */
void
cs_diff_match (const CsReportFile *base, GArray *base_items, const CsReportFile *other, GArray *other_items)
{
  for (guint i = 0; i < G_N_ELEMENTS (rounds); i++)
    play (&rounds[i], base, base_items, other, other_items);
}
