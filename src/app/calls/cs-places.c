/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "calls/cs-places.h"
#include "tables/cs-row-portions.h"

#define MOST_IN_SIGHT 32

struct _CsPlace
{
  GObject parent_instance;

  guint position;
};

struct _CsPlaces
{
  GObject parent_instance;

  CsRowPortions rows;
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
cs_place_class_init (CsPlaceClass *klass)
{
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

static GType
get_item_type (GListModel *model)
{
  return CS_TYPE_PLACE;
}

static guint
get_n_items (GListModel *model)
{
  return CS_PLACES (model)->rows.n_shown;
}

static gpointer
get_item (GListModel *model, guint position)
{
  CsPlaces *self = CS_PLACES (model);
  CsPlace *place;

  if (position >= self->rows.n_shown)
    return NULL;
  place = g_hash_table_lookup (self->rows.items, GUINT_TO_POINTER (position));
  if (place != NULL)
    return g_object_ref (place);
  place = g_object_new (CS_TYPE_PLACE, NULL);
  place->position = position;
  cs_row_portions_add (&self->rows, position, place);
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
  cs_row_portions_stop (&CS_PLACES (object)->rows);

  G_OBJECT_CLASS (cs_places_parent_class)->dispose (object);
}

static void
cs_places_finalize (GObject *object)
{
  cs_row_portions_clear (&CS_PLACES (object)->rows);

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
  cs_row_portions_init (&self->rows, self, MOST_IN_SIGHT, NULL);
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
  gpointer position;

  g_return_if_fail (CS_IS_PLACES (self));

  cs_row_portions_set_n (&self->rows, n);
  g_hash_table_iter_init (&iter, self->rows.items);
  while (g_hash_table_iter_next (&iter, &position, NULL))
    if (GPOINTER_TO_UINT (position) >= first)
      cs_row_portions_mark (&self->rows, GPOINTER_TO_UINT (position));
  cs_row_portions_tell (&self->rows);
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
  cs_row_portions_finish (&self->rows);
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
  return self->rows.later == 0;
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
  return self->rows.n;
}

/**
 * cs_places_follow:
 * @self: a list
 * @adjustment: how far what shows it is scrolled
 *
 * When something else is in places, those in sight come first.
 */
void
cs_places_follow (CsPlaces *self, GtkAdjustment *adjustment)
{
  cs_row_portions_follow (&self->rows, adjustment);
}
