/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tables/cs-hotspot-rows.h"
#include "tables/cs-search-texts.h"

/* Whether it was given up is looked at once in so many functions. */
#define CHECK_EVERY 256

struct _CsHotspotRows
{
  gatomicrefcount count;
  CsProfile *profile;
  const CsFunction *functions;
  guint n;
  guint64 *values[CS_N_COLUMNS]; /* by column, then function: what it is ordered by */
  CsSearchTexts *texts; /* by function: name, place and module, a line each */
};

/* Names, files and modules: what is searched, and their order. */
static void
add_texts (CsHotspotRows *self)
{
  g_autofree const char **names = g_new (const char *, self->n + 1);
  g_autofree const char **files = g_new (const char *, self->n + 1);
  g_autofree const char **modules = g_new (const char *, self->n + 1);

  for (guint i = 0; i < self->n; i++)
    {
      const CsLocation *location = &self->functions[i].location;
      g_autofree char *name = g_utf8_make_valid (location->name, -1);
      g_autofree char *file = g_utf8_make_valid (location->file != NULL ? location->file : "", -1);
      g_autofree char *module = cs_location_dup_module (location);
      g_autofree char *text = cs_search_dup_text (location);

      names[i] = cs_search_texts_keep (self->texts, name);
      files[i] = cs_search_texts_keep (self->texts, file);
      modules[i] = cs_search_texts_keep (self->texts, module);
      cs_search_texts_set (self->texts, i, text);
    }
  cs_search_rank (names, self->n, self->values[CS_COLUMN_FUNCTION]);
  cs_search_rank (modules, self->n, self->values[CS_COLUMN_MODULE]);
  cs_search_rank (files, self->n, self->values[CS_COLUMN_LOCATION]);
  for (guint i = 0; i < self->n; i++)
    self->values[CS_COLUMN_LOCATION][i] = self->values[CS_COLUMN_LOCATION][i] << 32 | self->functions[i].location.line;
}

/* How many calls each function makes. */
static guint64 *
count_children (CsHotspotRows *self)
{
  guint n_edges;
  const CsCallEdge *edges = cs_profile_get_edges (self->profile, &n_edges);
  guint64 *calls = g_new0 (guint64, self->n + 1);

  for (guint i = 0; i < n_edges; i++)
    if (edges[i].caller < self->n)
      calls[edges[i].caller] += edges[i].calls;
  return calls;
}

/**
 * cs_hotspot_rows_new:
 * @profile: a profile
 * @choices: (nullable): a CsChoice for each function, a byte each: whether it was chosen
 * @cancellable: (nullable): to give up early
 *
 * Makes all that a table shows of a profile. Takes a while where there are many functions.
 *
 * Returns: (transfer full) (nullable): the rows; %NULL: it was cancelled
 */
CsHotspotRows *
cs_hotspot_rows_new (CsProfile *profile, GBytes *choices, GCancellable *cancellable)
{
  CsHotspotRows *self = g_new0 (CsHotspotRows, 1);
  g_autofree guint64 *children = NULL;
  const guint8 *chosen = choices != NULL ? g_bytes_get_data (choices, NULL) : NULL;

  g_atomic_ref_count_init (&self->count);
  self->profile = g_object_ref (profile);
  self->functions = cs_profile_get_functions (profile, &self->n);
  self->texts = cs_search_texts_new (self->n);
  for (guint i = 0; i < CS_N_COLUMNS; i++)
    self->values[i] = g_new0 (guint64, self->n + 1);
  add_texts (self);
  children = count_children (self);
  for (guint i = 0; i < self->n; i++)
    {
      if (i % CHECK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
        {
          cs_hotspot_rows_unref (self);
          return NULL;
        }
      for (guint column = 0; column < CS_N_COLUMNS; column++)
        if (cs_column_get (column)->kind != CS_COLUMN_TEXT)
          self->values[column][i] = cs_column_make_value (column, profile, &self->functions[i], children[i],
                                                              chosen != NULL ? chosen[i] : CS_CHOICE_UNKNOWN);
    }
  return self;
}

/**
 * cs_hotspot_rows_ref:
 * @self: rows
 *
 * Returns: (transfer full): the same
 */
CsHotspotRows *
cs_hotspot_rows_ref (CsHotspotRows *self)
{
  g_atomic_ref_count_inc (&self->count);
  return self;
}

/**
 * cs_hotspot_rows_unref:
 * @self: (transfer full): rows
 */
void
cs_hotspot_rows_unref (CsHotspotRows *self)
{
  if (!g_atomic_ref_count_dec (&self->count))
    return;
  for (guint i = 0; i < CS_N_COLUMNS; i++)
    g_free (self->values[i]);
  cs_search_texts_free (self->texts);
  g_object_unref (self->profile);
  g_free (self);
}

/**
 * cs_hotspot_rows_get_profile:
 * @self: rows
 *
 * Returns: (transfer none): the profile that they are of
 */
CsProfile *
cs_hotspot_rows_get_profile (CsHotspotRows *self)
{
  return self->profile;
}

/**
 * cs_hotspot_rows_get_n:
 * @self: rows
 *
 * Returns: how many functions there are
 */
guint
cs_hotspot_rows_get_n (CsHotspotRows *self)
{
  return self->n;
}

/**
 * cs_hotspot_rows_get_function:
 * @self: rows
 * @function: index in the profile
 *
 * Returns: (transfer none): the function
 */
const CsFunction *
cs_hotspot_rows_get_function (CsHotspotRows *self, guint function)
{
  return &self->functions[function];
}

/**
 * cs_hotspot_rows_get_value:
 * @self: rows
 * @function: index in the profile
 * @column: a column
 *
 * Returns: what the function has there, as a value; of a column of text its place in the order of all
 */
guint64
cs_hotspot_rows_get_value (CsHotspotRows *self, guint function, CsColumnId column)
{
  return self->values[column][function];
}

/**
 * cs_hotspot_rows_dup_text:
 * @self: rows
 * @function: index in the profile
 * @column: a column of text
 *
 * Returns: (transfer full): what the function has there, as valid UTF-8
 */
char *
cs_hotspot_rows_dup_text (CsHotspotRows *self, guint function, CsColumnId column)
{
  const CsLocation *location = &self->functions[function].location;

  switch ((guint) column)
    {
    case CS_COLUMN_MODULE:
      return location->module != NULL ? g_utf8_make_valid (location->module, -1) : g_strdup ("");
    case CS_COLUMN_LOCATION:
      return cs_location_dup_file (location);
    default:
      return g_utf8_make_valid (location->name, -1);
    }
}

typedef struct
{
  const CsHotspotRows *rows;
  const CsSortKey *keys;
  guint n_keys;
} Order;

static int
compare_functions (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;
  guint64 left, right;

  for (guint i = 0; i < order->n_keys; i++)
    {
      const guint64 *values = order->rows->values[order->keys[i].column];

      left = values[x];
      right = values[y];
      if (left != right)
        return (left < right) != order->keys[i].descending ? -1 : 1;
    }
  left = order->rows->values[CS_COLUMN_FUNCTION][x];
  right = order->rows->values[CS_COLUMN_FUNCTION][y];
  if (left != right)
    return left < right ? -1 : 1;
  return x < y ? -1 : x > y;
}

/**
 * cs_hotspot_rows_arrange:
 * @self: rows
 * @keys: (array length=n_keys): what to order by, the first one first
 * @n_keys: how many there are; what is the same in all is ordered by name
 * @search: text that name, place or module contain, in any case; empty: all functions
 * @regex: (nullable): what they match instead
 * @cancellable: (nullable): to give up early
 *
 * Returns: (transfer full) (element-type guint32) (nullable): the functions that are found, in order; %NULL: it was
 *   cancelled
 */
GArray *
cs_hotspot_rows_arrange (CsHotspotRows *self, const CsSortKey *keys, guint n_keys, const char *search, GRegex *regex,
                          GCancellable *cancellable)
{
  GArray *order = cs_search_texts_find (self->texts, search, regex, cancellable);
  Order data = { self, keys, n_keys };

  if (order != NULL)
    g_array_sort_with_data (order, compare_functions, &data);
  return order;
}
