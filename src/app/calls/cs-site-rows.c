/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "calls/cs-site-rows.h"
#include "shared/cs-format.h"
#include "tables/cs-function-columns.h"
#include "tables/cs-search-texts.h"

/* Sites after which it is looked whether somebody gave up. */
#define CHECK_EVERY 1024

struct _CsSiteRows
{
  gatomicrefcount refs;
  CsProfile *profile;
  const CsFunction *functions;
  const CsCallSite *sites;
  guint n;
  guint64 *values[CS_SITE_N_COLUMNS]; /* by site: a number that orders as the column does */
  gboolean has[CS_SITE_N_COLUMNS];    /* some site has something there */
  CsSearchTexts *texts;               /* by site: callee, caller and place, a line each */
  guint *callers;                     /* by site: index of a function; G_MAXUINT: it wasn't recorded */
};

const CsPlaceColumn cs_site_columns[CS_SITE_N_COLUMNS] = {
  { N_("Callee"), N_("Function that is called"), "callee", FALSE, 16 },
  { N_("Caller"), N_("Function that the call is made in"), "caller", FALSE, 16, .name = TRUE },
  { N_("Call Site"), N_("File and line of the call"), "location", FALSE, 14 },
  { N_("Calls"), N_("Calls that are made here"), "calls", TRUE, 7 },
  { N_("Share"), N_("Share of all calls of the callee"), "share", TRUE, 6 },
  { N_("Inclusive"), N_("Time in these calls, with all that they call"), "incl_ns", TRUE, 8 },
  { N_("Mean"), N_("The same of a call, in the mean"), "mean_ns", TRUE, 8 },
  { N_("Open"), N_("Calls that the recording’s end left open; not among the calls"), "open", TRUE, 5 },
  { N_("Clipped"), N_("Calls that reach out of the selected range; not among the calls"), "clipped", TRUE, 5 },
};

/* Doubles that aren't negative order as their bits do. */
static guint64
from_double (double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static double
to_double (guint64 bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

static char *
dup_callee (const CsSiteRows *self, guint site)
{
  return g_utf8_make_valid (self->functions[self->sites[site].callee].location.name, -1);
}

static char *
dup_caller (const CsSiteRows *self, guint site)
{
  const CsLocation *location = &self->sites[site].location;
  g_autofree char *name = g_utf8_make_valid (location->name, -1);
  g_autofree char *around = location->inlined_into != NULL ? g_utf8_make_valid (location->inlined_into, -1) : NULL;

  if (self->sites[site].inlined)
    return g_strdup_printf (_("%s, inlined there"), name);
  return around != NULL ? g_strdup_printf (_("%s, inlined into %s"), name, around) : g_steal_pointer (&name);
}

static void
fill_numbers (CsSiteRows *self, guint i)
{
  const CsCallSite *site = &self->sites[i];
  guint64 all = self->functions[site->callee].calls, n = site->calls + site->open + site->clipped;

  self->values[CS_SITE_COLUMN_CALLS][i] = site->calls;
  self->values[CS_SITE_COLUMN_SHARE][i] = from_double (all > 0 ? (double) site->calls / (double) all : 0);
  self->values[CS_SITE_COLUMN_INCLUSIVE][i] = site->incl;
  self->values[CS_SITE_COLUMN_MEAN][i] = from_double (n > 0 ? (double) site->incl / (double) n : 0);
  self->values[CS_SITE_COLUMN_OPEN][i] = site->open;
  self->values[CS_SITE_COLUMN_CLIPPED][i] = site->clipped;
  self->has[CS_SITE_COLUMN_OPEN] |= site->open > 0;
  self->has[CS_SITE_COLUMN_CLIPPED] |= site->clipped > 0;
}

/* Static functions may share a name: that of the site's file is meant, if there is one. */
static guint
find_caller (const CsSiteRows *self, const CsLocation *site, guint first, const guint *next)
{
  guint found = G_MAXUINT;

  for (guint i = first; i != G_MAXUINT; i = next[i])
    {
      const CsLocation *location = &self->functions[i].location;

      if (g_strcmp0 (location->module, site->module) != 0)
        continue;
      if (g_strcmp0 (location->file, site->file) == 0)
        return i;
      found = found == G_MAXUINT ? i : found;
    }
  return found;
}

/* Functions are looked up by name; those with the same one are a list. */
static void
find_callers (CsSiteRows *self)
{
  g_autoptr (GHashTable) firsts = g_hash_table_new (g_str_hash, g_str_equal);
  guint n;
  const CsFunction *functions = cs_profile_get_functions (self->profile, &n);
  g_autofree guint *next = g_new (guint, (gsize) n + 1);

  for (guint i = n; i-- > 0;)
    {
      next[i] = GPOINTER_TO_UINT (g_hash_table_lookup (firsts, functions[i].location.name)) - 1;
      g_hash_table_insert (firsts, (gpointer) functions[i].location.name, GUINT_TO_POINTER (i + 1));
    }
  for (guint i = 0; i < self->n; i++)
    {
      const CsLocation *location = &self->sites[i].location;

      self->callers[i] = find_caller (self, location, GPOINTER_TO_UINT (g_hash_table_lookup (firsts, location->name)) - 1, next);
    }
}

static gboolean
fill (CsSiteRows *self, GCancellable *cancellable)
{
  g_autofree const char **callees = g_new (const char *, self->n + 1);
  g_autofree const char **callers = g_new (const char *, self->n + 1);
  g_autofree const char **files = g_new (const char *, self->n + 1);

  for (guint i = 0; i < self->n; i++)
    {
      g_autofree char *callee = dup_callee (self, i);
      g_autofree char *caller = dup_caller (self, i);
      g_autofree char *place = cs_location_dup_place (&self->sites[i].location);
      g_autofree char *file = self->sites[i].location.file != NULL ? g_utf8_make_valid (self->sites[i].location.file, -1)
                                                                   : g_strdup (place);
      g_autofree char *text = g_strconcat (callee, "\n", caller, "\n", place, NULL);

      if (i % CHECK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
        return FALSE;
      callees[i] = cs_search_texts_keep (self->texts, callee);
      callers[i] = cs_search_texts_keep (self->texts, caller);
      files[i] = cs_search_texts_keep (self->texts, file);
      cs_search_texts_set (self->texts, i, text);
      fill_numbers (self, i);
    }
  find_callers (self);
  cs_search_rank (callees, self->n, self->values[CS_SITE_COLUMN_CALLEE]);
  cs_search_rank (callers, self->n, self->values[CS_SITE_COLUMN_CALLER]);
  cs_search_rank (files, self->n, self->values[CS_SITE_COLUMN_PLACE]);
  for (guint i = 0; i < self->n; i++)
    self->values[CS_SITE_COLUMN_PLACE][i] = self->values[CS_SITE_COLUMN_PLACE][i] << 32 | self->sites[i].location.line;
  return TRUE;
}

/**
 * cs_site_rows_new:
 * @profile: a profile
 * @cancellable: (nullable): to give up early
 *
 * Returns: (transfer full) (nullable): its call sites; %NULL: it was cancelled
 */
CsSiteRows *
cs_site_rows_new (CsProfile *profile, GCancellable *cancellable)
{
  CsSiteRows *self = g_new0 (CsSiteRows, 1);
  guint n;

  g_atomic_ref_count_init (&self->refs);
  self->profile = g_object_ref (profile);
  self->functions = cs_profile_get_functions (profile, &n);
  self->sites = cs_profile_get_call_sites (profile, &self->n);
  self->texts = cs_search_texts_new (self->n);
  self->callers = g_new (guint, (gsize) self->n + 1);
  for (guint i = 0; i < CS_SITE_N_COLUMNS; i++)
    self->values[i] = g_new0 (guint64, self->n + 1);
  if (fill (self, cancellable))
    return self;
  cs_site_rows_unref (self);
  return NULL;
}

/**
 * cs_site_rows_ref:
 * @self: call sites
 *
 * Returns: (transfer full): the same
 */
CsSiteRows *
cs_site_rows_ref (CsSiteRows *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cs_site_rows_unref:
 * @self: (transfer full): call sites
 */
void
cs_site_rows_unref (CsSiteRows *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_object_unref (self->profile);
  for (guint i = 0; i < CS_SITE_N_COLUMNS; i++)
    g_free (self->values[i]);
  cs_search_texts_free (self->texts);
  g_free (self->callers);
  g_free (self);
}

/**
 * cs_site_rows_get_profile:
 * @self: call sites
 *
 * Returns: (transfer none): whose they are
 */
CsProfile *
cs_site_rows_get_profile (CsSiteRows *self)
{
  return self->profile;
}

/**
 * cs_site_rows_get_n:
 * @self: call sites
 *
 * Returns: how many there are
 */
guint
cs_site_rows_get_n (CsSiteRows *self)
{
  return self->n;
}

/**
 * cs_site_rows_get_site:
 * @self: call sites
 * @site: number of one
 *
 * Returns: (transfer none): the site
 */
const CsCallSite *
cs_site_rows_get_site (CsSiteRows *self, guint site)
{
  return &self->sites[site];
}

/**
 * cs_site_rows_get_caller:
 * @self: call sites
 * @site: one of these
 *
 * Returns: index in the profile of the function that calls there; %G_MAXUINT: it wasn't recorded
 */
guint
cs_site_rows_get_caller (CsSiteRows *self, const CsCallSite *site)
{
  return self->callers[site - self->sites];
}

/**
 * cs_site_rows_has:
 * @self: call sites
 * @column: a column
 *
 * Returns: whether there is something in it
 */
gboolean
cs_site_rows_has (CsSiteRows *self, CsSiteColumn column)
{
  return (column != CS_SITE_COLUMN_OPEN && column != CS_SITE_COLUMN_CLIPPED) || self->has[column];
}

/**
 * cs_site_rows_dup_text:
 * @self: call sites
 * @site: number of one
 * @column: one of the first three columns
 *
 * Returns: (transfer full): the whole text
 */
char *
cs_site_rows_dup_text (CsSiteRows *self, guint site, CsSiteColumn column)
{
  if (column == CS_SITE_COLUMN_CALLEE)
    return dup_callee (self, site);
  if (column == CS_SITE_COLUMN_CALLER)
    return dup_caller (self, site);
  return cs_location_dup_place (&self->sites[site].location);
}

/**
 * cs_site_rows_dup_cell:
 * @self: call sites
 * @site: number of one
 * @column: a column
 *
 * Returns: (transfer full): what the site has there, for people
 */
char *
cs_site_rows_dup_cell (CsSiteRows *self, guint site, CsSiteColumn column)
{
  guint64 value = self->values[column][site];

  switch ((guint) column)
    {
    case CS_SITE_COLUMN_CALLS:
    case CS_SITE_COLUMN_OPEN:
    case CS_SITE_COLUMN_CLIPPED:
      return cs_format_count (value);
    case CS_SITE_COLUMN_SHARE:
      return cs_format_share (self->sites[site].calls, MAX (1, self->functions[self->sites[site].callee].calls));
    case CS_SITE_COLUMN_INCLUSIVE:
      return cs_format_duration (value);
    case CS_SITE_COLUMN_MEAN:
      return cs_format_duration ((guint64) (to_double (value) + 0.5));
    default:
      return cs_site_rows_dup_text (self, site, column);
    }
}

/**
 * cs_site_rows_dup_exact:
 * @self: call sites
 * @site: number of one
 * @column: a column
 *
 * Returns: (transfer full): what the site has there, with times in ns
 */
char *
cs_site_rows_dup_exact (CsSiteRows *self, guint site, CsSiteColumn column)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (column <= CS_SITE_COLUMN_PLACE)
    return cs_site_rows_dup_text (self, site, column);
  if (column == CS_SITE_COLUMN_SHARE || column == CS_SITE_COLUMN_MEAN)
    return g_strdup (g_ascii_formatd (number, sizeof number, column == CS_SITE_COLUMN_SHARE ? "%.6f" : "%.3f",
                                      to_double (self->values[column][site])));
  return g_strdup_printf ("%" G_GUINT64_FORMAT, self->values[column][site]);
}

typedef struct
{
  const guint64 *values;
  gboolean descending;
} Order;

static int
compare_sites (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  if (order->values[x] != order->values[y])
    return (order->values[x] < order->values[y]) != order->descending ? -1 : 1;
  return x < y ? -1 : x > y;
}

/**
 * cs_site_rows_arrange:
 * @self: call sites
 * @column: what to order by
 * @descending: whether the largest come first
 * @search: what sites have in callee, caller or place; empty: all are taken
 * @regex: (nullable): what they match instead
 * @cancellable: (nullable): to give up early
 *
 * Returns: (transfer full) (element-type guint32) (nullable): the sites that are found, in order; %NULL: it was cancelled
 */
GArray *
cs_site_rows_arrange (CsSiteRows *self, CsSiteColumn column, gboolean descending, const char *search, GRegex *regex,
                      GCancellable *cancellable)
{
  GArray *order = cs_search_texts_find (self->texts, search, regex, cancellable);
  Order data = { self->values[column], descending };

  if (order != NULL)
    g_array_sort_with_data (order, compare_sites, &data);
  return order;
}
