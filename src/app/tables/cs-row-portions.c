/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tables/cs-row-portions.h"

#define ROWS_AT_ONCE 16
#define ROWS_WITH_WIDGETS 256

/**
 * cs_row_portions_init:
 * @self: a place for them
 * @model: (type GListModel): whose rows they are
 * @n_seen: so many rows in sight are told at once that something else is there
 * @complete: (nullable): called with the model when all was told
 */
void
cs_row_portions_init (CsRowPortions *self, gpointer model, guint n_seen, void (*complete) (gpointer data))
{
  *self = (CsRowPortions){ .model = model, .n_seen = n_seen, .complete = complete };
  self->items = g_hash_table_new (NULL, NULL);
  self->untold = g_hash_table_new (NULL, NULL);
}

/**
 * cs_row_portions_stop:
 * @self: rows
 *
 * Tells no more later.
 */
void
cs_row_portions_stop (CsRowPortions *self)
{
  g_clear_handle_id (&self->later, g_source_remove);
}

/**
 * cs_row_portions_clear:
 * @self: rows
 *
 * Frees what it keeps, when the model goes.
 */
void
cs_row_portions_clear (CsRowPortions *self)
{
  g_hash_table_unref (self->items);
  g_hash_table_unref (self->untold);
}

/* A row that nobody uses any more. */
typedef struct
{
  CsRowPortions *rows;
  GListModel *model; /* keeps them */
  gpointer position;
} Use;

static void
on_item_gone (gpointer data, GObject *item)
{
  Use *use = data;

  if (g_hash_table_lookup (use->rows->items, use->position) == (gpointer) item)
    {
      g_hash_table_remove (use->rows->items, use->position);
      g_hash_table_remove (use->rows->untold, use->position);
    }
  g_object_unref (use->model);
  g_free (use);
}

/**
 * cs_row_portions_add:
 * @self: rows
 * @position: of a row that isn't in use
 * @item: (type GObject): what stands for it as long as somebody uses it
 */
void
cs_row_portions_add (CsRowPortions *self, guint position, gpointer item)
{
  Use *use = g_new (Use, 1);

  *use = (Use){ self, g_object_ref (self->model), GUINT_TO_POINTER (position) };
  g_object_weak_ref (item, on_item_gone, use);
  g_hash_table_insert (self->items, use->position, item);
}

/* Tells the list of more or fewer rows at the end. */
static void
set_n_shown (CsRowPortions *self, guint n)
{
  guint old = self->n_shown;

  self->n_shown = n;
  if (n > old)
    g_list_model_items_changed (self->model, old, 0, n - old);
  else if (n < old)
    g_list_model_items_changed (self->model, n, old - n, 0);
}

/**
 * cs_row_portions_set_n:
 * @self: rows
 * @n: how many there are to be
 *
 * Where they are fewer, the list is told so at once; of more it learns from cs_row_portions_tell().
 */
void
cs_row_portions_set_n (CsRowPortions *self, guint n)
{
  self->n = n;
  if (self->n_shown > n)
    set_n_shown (self, n);
}

/**
 * cs_row_portions_mark:
 * @self: rows
 * @position: of a row that is in use
 *
 * Something else is there, which cs_row_portions_tell() tells.
 */
void
cs_row_portions_mark (CsRowPortions *self, guint position)
{
  g_hash_table_add (self->untold, GUINT_TO_POINTER (position));
}

static void
tell (CsRowPortions *self, gpointer position)
{
  if (g_hash_table_remove (self->untold, position))
    g_signal_emit_by_name (g_hash_table_lookup (self->items, position), "changed");
}

static int
compare_positions (gconstpointer a, gconstpointer b)
{
  guint x = GPOINTER_TO_UINT (*(const gpointer *) a), y = GPOINTER_TO_UINT (*(const gpointer *) b);

  return x < y ? -1 : x > y;
}

/* What isn't in sight, a part at a time. Returns: whether there is more */
static gboolean
tell_others (CsRowPortions *self, guint most)
{
  guint n_untold, n = 0;
  g_autofree gpointer *positions = g_hash_table_get_keys_as_array (self->untold, &n_untold);

  if (n_untold > 0)
    qsort (positions, n_untold, sizeof *positions, compare_positions);
  for (guint i = 0; i < n_untold && GPOINTER_TO_UINT (positions[i]) < self->n_shown; i++)
    {
      if (!g_hash_table_contains (self->untold, positions[i]))
        continue;
      if (n++ == most)
        return TRUE;
      tell (self, positions[i]);
    }
  return FALSE;
}

static gboolean
on_later (gpointer data)
{
  CsRowPortions *self = data;

  if (tell_others (self, ROWS_AT_ONCE))
    return G_SOURCE_CONTINUE;
  if (self->n_shown < self->n)
    set_n_shown (self, self->n_shown < ROWS_WITH_WIDGETS ? MIN (self->n_shown + ROWS_AT_ONCE, self->n) : self->n);
  if (self->n_shown < self->n)
    return G_SOURCE_CONTINUE;
  self->later = 0;
  if (self->complete != NULL)
    self->complete (self->model);
  return G_SOURCE_REMOVE;
}

/**
 * cs_row_portions_tell:
 * @self: rows
 *
 * Tells what is in sight of what was marked, and all else shortly after.
 */
void
cs_row_portions_tell (CsRowPortions *self)
{
  for (guint i = self->seen; i < MIN (self->seen + self->n_seen, self->n_shown); i++)
    tell (self, GUINT_TO_POINTER (i));
  if (self->n_shown < ROWS_AT_ONCE)
    set_n_shown (self, MIN (ROWS_AT_ONCE, self->n));
  else if (self->n_shown >= ROWS_WITH_WIDGETS)
    set_n_shown (self, self->n);
  /* After what is drawn. */
  if (self->later == 0)
    self->later = g_idle_add (on_later, self);
}

/**
 * cs_row_portions_finish:
 * @self: rows
 *
 * Tells at once of all that is there.
 */
void
cs_row_portions_finish (CsRowPortions *self)
{
  tell_others (self, G_MAXUINT);
  set_n_shown (self, self->n);
  cs_row_portions_stop (self);
}

/**
 * cs_row_portions_follow:
 * @self: rows
 * @adjustment: how far their list is scrolled
 *
 * From now on those that are there come first.
 */
void
cs_row_portions_follow (CsRowPortions *self, GtkAdjustment *adjustment)
{
  double upper = gtk_adjustment_get_upper (adjustment);

  /* Rows are about as high as each other. */
  if (upper > 0)
    self->seen = (guint) (gtk_adjustment_get_value (adjustment) / upper * self->n_shown);
}
