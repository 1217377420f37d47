/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "calls/cs-places.h"

/* A list makes the widgets of some 200 rows, those that aren't seen too. So many come at a time, until it has them. */
#define ROWS_AT_ONCE 16
#define ROWS_WITH_WIDGETS 256

struct _CsPlace
{
  GObject parent_instance;

  CsPlaces *places;
  guint position;
  gboolean untold; /* what shows it doesn't know yet that something else is there */
};

struct _CsPlaces
{
  GObject parent_instance;

  guint n;           /* there are to be */
  guint n_shown;     /* of these, those that the list has been told of */
  GHashTable *items; /* position → CsPlace that is in use; not owned */
  guint seen;        /* the first position that is in sight, about */
  guint later;       /* source that tells more */
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsPlace, cs_place, G_TYPE_OBJECT)

static void cs_places_init_model (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsPlaces, cs_places, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, cs_places_init_model))

static void
cs_place_finalize (GObject *object)
{
  CsPlace *self = CS_PLACE (object);

  g_hash_table_remove (self->places->items, GUINT_TO_POINTER (self->position));
  g_object_unref (self->places);

  G_OBJECT_CLASS (cs_place_parent_class)->finalize (object);
}

static void
cs_place_class_init (CsPlaceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_place_finalize;
  signals[CHANGED] = g_signal_new ("changed", CS_TYPE_PLACE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
cs_place_init (CsPlace *self)
{
}

/**
 * cs_place_get_position:
 * @self: a place
 *
 * Returns: its position in its list
 */
guint
cs_place_get_position (CsPlace *self)
{
  return self->position;
}

static void
tell (CsPlace *self)
{
  if (!self->untold)
    return;
  self->untold = FALSE;
  g_signal_emit (self, signals[CHANGED], 0);
}

static GType
get_item_type (GListModel *model)
{
  return CS_TYPE_PLACE;
}

static guint
get_n_items (GListModel *model)
{
  return CS_PLACES (model)->n_shown;
}

static gpointer
get_item (GListModel *model, guint position)
{
  CsPlaces *self = CS_PLACES (model);
  CsPlace *place;

  if (position >= self->n_shown)
    return NULL;
  place = g_hash_table_lookup (self->items, GUINT_TO_POINTER (position));
  if (place != NULL)
    return g_object_ref (place);
  place = g_object_new (CS_TYPE_PLACE, NULL);
  place->places = g_object_ref (self);
  place->position = position;
  g_hash_table_insert (self->items, GUINT_TO_POINTER (position), place);
  return place;
}

static void
cs_places_init_model (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
cs_places_dispose (GObject *object)
{
  g_clear_handle_id (&CS_PLACES (object)->later, g_source_remove);

  G_OBJECT_CLASS (cs_places_parent_class)->dispose (object);
}

static void
cs_places_finalize (GObject *object)
{
  g_hash_table_unref (CS_PLACES (object)->items);

  G_OBJECT_CLASS (cs_places_parent_class)->finalize (object);
}

static void
cs_places_class_init (CsPlacesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_places_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_places_finalize;
}

static void
cs_places_init (CsPlaces *self)
{
  self->items = g_hash_table_new (NULL, NULL);
}

/**
 * cs_places_new:
 *
 * Returns: (transfer full): a list without places
 */
CsPlaces *
cs_places_new (void)
{
  return g_object_new (CS_TYPE_PLACES, NULL);
}

/* Tells the list of more or fewer rows at the end. */
static void
set_n_shown (CsPlaces *self, guint n)
{
  guint old = self->n_shown;

  self->n_shown = n;
  if (n > old)
    g_list_model_items_changed (G_LIST_MODEL (self), old, 0, n - old);
  else if (n < old)
    g_list_model_items_changed (G_LIST_MODEL (self), n, old - n, 0);
}

static int
compare_positions (gconstpointer a, gconstpointer b)
{
  guint x = GPOINTER_TO_UINT (*(const gpointer *) a), y = GPOINTER_TO_UINT (*(const gpointer *) b);

  return x < y ? -1 : x > y;
}

/* What isn't in sight, a part at a time. Returns: whether there is more */
static gboolean
tell_others (CsPlaces *self, guint most)
{
  guint n_items, n = 0;
  g_autofree gpointer *positions = g_hash_table_get_keys_as_array (self->items, &n_items);

  if (n_items > 0)
    qsort (positions, n_items, sizeof *positions, compare_positions);
  for (guint i = 0; i < n_items; i++)
    {
      CsPlace *place = g_hash_table_lookup (self->items, positions[i]);

      if (place == NULL || place->position >= self->n_shown || !place->untold)
        continue;
      if (n++ == most)
        return TRUE;
      tell (place);
    }
  return FALSE;
}

static gboolean
on_later (gpointer data)
{
  CsPlaces *self = data;

  if (tell_others (self, ROWS_AT_ONCE))
    return G_SOURCE_CONTINUE;
  if (self->n_shown < self->n)
    set_n_shown (self, self->n_shown < ROWS_WITH_WIDGETS ? MIN (self->n_shown + ROWS_AT_ONCE, self->n) : self->n);
  if (self->n_shown < self->n)
    return G_SOURCE_CONTINUE;
  self->later = 0;
  return G_SOURCE_REMOVE;
}

/**
 * cs_places_update:
 * @self: a list
 * @n: how many places there are to be
 * @first: the first one at which something else is
 *
 * Places in sight are told at once, all others shortly after.
 */
void
cs_places_update (CsPlaces *self, guint n, guint first)
{
  GHashTableIter iter;
  gpointer place;

  g_return_if_fail (CS_IS_PLACES (self));

  self->n = n;
  if (self->n_shown > n)
    set_n_shown (self, n);
  g_hash_table_iter_init (&iter, self->items);
  while (g_hash_table_iter_next (&iter, NULL, &place))
    ((CsPlace *) place)->untold |= ((CsPlace *) place)->position >= first;
  for (guint i = self->seen; i < MIN (self->seen + 2 * ROWS_AT_ONCE, self->n_shown); i++)
    {
      place = g_hash_table_lookup (self->items, GUINT_TO_POINTER (i));
      if (place != NULL)
        tell (place);
    }
  if (self->n_shown < ROWS_AT_ONCE)
    set_n_shown (self, MIN (ROWS_AT_ONCE, n));
  else if (self->n_shown >= ROWS_WITH_WIDGETS)
    set_n_shown (self, n);
  if (self->later == 0)
    self->later = g_idle_add (on_later, self);
}

/**
 * cs_places_complete:
 * @self: a list
 *
 * Tells at once of all that is there.
 */
void
cs_places_complete (CsPlaces *self)
{
  tell_others (self, G_MAXUINT);
  set_n_shown (self, self->n);
  g_clear_handle_id (&self->later, g_source_remove);
}

/**
 * cs_places_is_complete:
 * @self: a list
 *
 * Returns: whether all that is there is shown
 */
gboolean
cs_places_is_complete (CsPlaces *self)
{
  return self->later == 0;
}

/**
 * cs_places_get_n:
 * @self: a list
 *
 * Returns: how many places there are to be; the list may have fewer as yet
 */
guint
cs_places_get_n (CsPlaces *self)
{
  return self->n;
}

/**
 * cs_places_set_seen:
 * @self: a list
 * @position: the first one that is in sight, about
 */
void
cs_places_set_seen (CsPlaces *self, guint position)
{
  self->seen = position;
}
