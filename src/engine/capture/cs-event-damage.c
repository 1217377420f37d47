/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "capture/cs-event-reader-private.h"

static void
damage_free (gpointer data)
{
  CsEventDamage *self = data;

  g_free (self->path);
  g_free (self->name);
  g_free (self);
}

/**
 * cs_event_damage_new:
 *
 * Returns: (transfer full) (element-type CsEventDamage): what is damaged of packed files: nothing
 */
GPtrArray *
cs_event_damage_new (void)
{
  return g_ptr_array_new_with_free_func (damage_free);
}

/**
 * cs_event_damage_dup:
 * @damage: (element-type CsEventDamage): what is damaged
 *
 * Returns: (transfer full) (element-type CsEventDamage): a copy
 */
GPtrArray *
cs_event_damage_dup (const GPtrArray *damage)
{
  GPtrArray *copy = cs_event_damage_new ();

  cs_event_damage_add_all (copy, damage);
  return copy;
}

/**
 * cs_event_damage_add:
 * @damage: (element-type CsEventDamage): what is damaged
 * @file: a file
 * @n_blocks: how many blocks of it are, besides those that have been added
 * @lost: enters and exits in them
 * @unknown: whether there are others whose number nothing tells
 */
void
cs_event_damage_add (GPtrArray *damage, const CsEventFile *file, guint n_blocks, guint64 lost, gboolean unknown)
{
  CsEventDamage *one = NULL;

  for (guint i = 0; i < damage->len && one == NULL; i++)
    if (g_str_equal (((CsEventDamage *) damage->pdata[i])->path, file->path))
      one = damage->pdata[i];
  if (one == NULL)
    {
      one = g_new0 (CsEventDamage, 1);
      one->path = g_strdup (file->path);
      one->name = g_strdup (file->name);
      g_ptr_array_add (damage, one);
    }
  one->n_blocks += n_blocks;
  one->lost += lost;
  one->unknown |= unknown;
}

/**
 * cs_event_damage_add_all:
 * @damage: (element-type CsEventDamage): what is damaged
 * @other: (element-type CsEventDamage): what of other files is; it is copied
 */
void
cs_event_damage_add_all (GPtrArray *damage, const GPtrArray *other)
{
  for (guint i = 0; i < other->len; i++)
    {
      CsEventDamage *one = g_memdup2 (other->pdata[i], sizeof *one);

      one->path = g_strdup (one->path);
      one->name = g_strdup (one->name);
      g_ptr_array_add (damage, one);
    }
}

/* By thread or stream, and number. */
static int
compare (gconstpointer a, gconstpointer b)
{
  const CsEventDamage *x = *(CsEventDamage *const *) a, *y = *(CsEventDamage *const *) b;
  CsTraceNameParts p, q;
  int order;

  cs_trace_name_parse (x->name, &p);
  cs_trace_name_parse (y->name, &q);
  order = p.pid != q.pid ? (p.pid < q.pid ? -1 : 1) : 0;
  if (order == 0 && p.tid != q.tid)
    order = p.tid < q.tid ? -1 : 1;
  if (order == 0 && p.seq != q.seq)
    order = p.seq < q.seq ? -1 : 1;
  return order != 0 ? order : strcmp (x->path, y->path);
}

/**
 * cs_event_damage_add_notices:
 * @damage: (element-type CsEventDamage): what is damaged
 * @notices: where to say it, in a sentence a file, in the order of their names' numbers
 */
void
cs_event_damage_add_notices (const GPtrArray *damage, CsNotices *notices)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_sized_new (damage->len);

  for (guint i = 0; i < damage->len; i++)
    g_ptr_array_add (sorted, damage->pdata[i]);
  g_ptr_array_sort (sorted, compare);
  for (guint i = 0; i < sorted->len; i++)
    {
      const CsEventDamage *one = sorted->pdata[i];
      g_autofree char *blocks = one->n_blocks == 1 ? g_strdup_printf ("1 block of %s is damaged", one->name)
                                                   : g_strdup_printf ("%u blocks of %s are damaged", one->n_blocks, one->name);
      g_autofree char *lost = one->lost == 1 ? g_strdup ("1 event is lost")
                                             : g_strdup_printf ("%" G_GUINT64_FORMAT " events are lost", one->lost);

      cs_notices_add_detail (notices, CS_NOTICE_LOST, "%s: %s%s", blocks, lost,
                             one->unknown ? ", and others whose number nothing tells" : "");
    }
}
