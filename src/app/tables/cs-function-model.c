/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "tables/cs-function-model.h"
#include "tables/cs-row-portions.h"
#include "tables/cs-search-texts.h"

/* So many functions are arranged at once; more in a thread, so that no frame waits. */
#define MOST_AT_ONCE 2000

#define MOST_IN_SIGHT 16

struct _CsFunctionModel
{
  GObject parent_instance;

  CsProfile *profile;           /* (nullable): of which rows are wanted */
  GBytes *choices;              /* (nullable) */
  CsSortKey keys[CS_MOST_SORT_KEYS];
  guint n_keys;
  char *search;
  GRegex *regex;         /* (nullable) */
  GCancellable *working; /* (nullable): ends what arranges anew */
  gboolean stale;        /* other rows are wanted than there are */

  CsHotspotRows *rows; /* (nullable): that are shown */
  GArray *order;        /* (element-type guint32): the functions that are shown */
  guint32 *positions;   /* by function: where it is shown; G_MAXUINT32: nowhere */
  CsRowPortions shown;  /* CsFunctionItems */
};

enum
{
  PROP_BUSY = 1,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

enum
{
  CHANGING,
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void cs_function_model_init_model (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsFunctionModel, cs_function_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, cs_function_model_init_model))

static GType
get_item_type (GListModel *model)
{
  return CS_TYPE_FUNCTION_ITEM;
}

static guint
get_n_items (GListModel *model)
{
  return CS_FUNCTION_MODEL (model)->shown.n_shown;
}

/* An item gets the function that is where it is. */
static void
update_item (CsFunctionModel *self, CsFunctionItem *item, guint position)
{
  if (cs_function_item_set_function (item, self->rows, g_array_index (self->order, guint32, position)))
    cs_row_portions_mark (&self->shown, position);
}

static gpointer
get_item (GListModel *model, guint position)
{
  CsFunctionModel *self = CS_FUNCTION_MODEL (model);
  CsFunctionItem *item;

  if (position >= self->shown.n_shown)
    return NULL;
  item = g_hash_table_lookup (self->shown.items, GUINT_TO_POINTER (position));
  if (item != NULL)
    {
      update_item (self, item, position);
      return g_object_ref (item);
    }
  item = cs_function_item_new (self->rows, g_array_index (self->order, guint32, position));
  cs_row_portions_add (&self->shown, position, item);
  return item;
}

static void
cs_function_model_init_model (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

/* What is to be made, all of it copied: it may happen in a thread. */
typedef struct
{
  CsProfile *profile;
  GBytes *choices;              /* (nullable) */
  CsHotspotRows *rows;         /* (nullable): to be made */
  CsSortKey keys[CS_MOST_SORT_KEYS];
  guint n_keys;
  char *search;
  GRegex *regex; /* (nullable) */
  GArray *order;
  guint32 *positions;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_object_unref (work->profile);
  g_clear_pointer (&work->choices, g_bytes_unref);
  g_clear_pointer (&work->rows, cs_hotspot_rows_unref);
  g_free (work->search);
  g_clear_pointer (&work->regex, g_regex_unref);
  g_clear_pointer (&work->order, g_array_unref);
  g_free (work->positions);
  g_free (work);
}

static Work *
work_new (CsFunctionModel *self)
{
  Work *work = g_new0 (Work, 1);

  work->profile = g_object_ref (self->profile);
  work->choices = self->choices != NULL ? g_bytes_ref (self->choices) : NULL;
  if (!self->stale)
    work->rows = cs_hotspot_rows_ref (self->rows);
  memcpy (work->keys, self->keys, sizeof work->keys);
  work->n_keys = self->n_keys;
  work->search = g_strdup (self->search);
  work->regex = self->regex != NULL ? g_regex_ref (self->regex) : NULL;
  return work;
}

static void
do_work (Work *work, GCancellable *cancellable)
{
  guint n;

  if (work->rows == NULL)
    work->rows = cs_hotspot_rows_new (work->profile, work->choices, cancellable);
  if (work->rows != NULL)
    work->order = cs_hotspot_rows_arrange (work->rows, work->keys, work->n_keys, work->search, work->regex, cancellable);
  if (work->order == NULL)
    return;
  n = cs_hotspot_rows_get_n (work->rows);
  work->positions = g_new (guint32, n + 1);
  for (guint i = 0; i < n; i++)
    work->positions[i] = G_MAXUINT32;
  for (guint i = 0; i < work->order->len; i++)
    work->positions[g_array_index (work->order, guint32, i)] = i;
}

static void
run_work (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  do_work (data, cancellable);
  g_task_return_boolean (task, TRUE);
}

static void
notify_busy (CsFunctionModel *self, gboolean was_busy)
{
  if (was_busy != cs_function_model_get_busy (self))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void
on_complete (gpointer data)
{
  notify_busy (data, TRUE);
}

static void
update_items (CsFunctionModel *self)
{
  GHashTableIter iter;
  gpointer key, item;

  g_hash_table_iter_init (&iter, self->shown.items);
  while (g_hash_table_iter_next (&iter, &key, &item))
    if (GPOINTER_TO_UINT (key) < self->shown.n_shown)
      update_item (self, item, GPOINTER_TO_UINT (key));
}

static void
show (CsFunctionModel *self, CsHotspotRows *rows, GArray *order, guint32 *positions)
{
  g_signal_emit (self, signals[CHANGING], 0);
  if (rows != NULL)
    cs_hotspot_rows_ref (rows);
  g_clear_pointer (&self->rows, cs_hotspot_rows_unref);
  self->rows = rows;
  self->stale = FALSE;
  g_array_unref (self->order);
  self->order = order;
  g_free (self->positions);
  self->positions = positions;
  cs_row_portions_set_n (&self->shown, order->len);
  update_items (self);
  cs_row_portions_tell (&self->shown);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
show_work (CsFunctionModel *self, Work *work)
{
  if (work->order != NULL)
    show (self, work->rows, g_steal_pointer (&work->order), g_steal_pointer (&work->positions));
}

static void
stop (CsFunctionModel *self)
{
  if (self->working == NULL)
    return;
  g_cancellable_cancel (self->working);
  g_clear_object (&self->working);
}

static void
on_worked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsFunctionModel *self = CS_FUNCTION_MODEL (source);
  GTask *task = G_TASK (result);
  gboolean was_busy = cs_function_model_get_busy (self);

  /* Something else is wanted by now. */
  if (g_task_get_cancellable (task) != self->working)
    return;
  g_clear_object (&self->working);
  show_work (self, g_task_get_task_data (task));
  notify_busy (self, was_busy);
}

static void
update (CsFunctionModel *self)
{
  g_autoptr (GTask) task = NULL;
  gboolean was_busy = cs_function_model_get_busy (self);
  guint n = 0;

  stop (self);
  if (self->profile != NULL)
    cs_profile_get_functions (self->profile, &n);
  if (self->profile == NULL)
    show (self, NULL, g_array_new (FALSE, FALSE, sizeof (guint32)), NULL);
  else if (n <= MOST_AT_ONCE)
    {
      Work *work = work_new (self);

      do_work (work, NULL);
      show_work (self, work);
      work_free (work);
    }
  else
    {
      self->working = g_cancellable_new ();
      task = g_task_new (self, self->working, on_worked, NULL);
      g_task_set_task_data (task, work_new (self), work_free);
      g_task_run_in_thread (task, run_work);
    }
  notify_busy (self, was_busy);
}

static void
cs_function_model_dispose (GObject *object)
{
  CsFunctionModel *self = CS_FUNCTION_MODEL (object);

  stop (self);
  cs_row_portions_stop (&self->shown);
  g_clear_object (&self->profile);

  G_OBJECT_CLASS (cs_function_model_parent_class)->dispose (object);
}

static void
cs_function_model_finalize (GObject *object)
{
  CsFunctionModel *self = CS_FUNCTION_MODEL (object);

  g_clear_pointer (&self->rows, cs_hotspot_rows_unref);
  g_array_unref (self->order);
  cs_row_portions_clear (&self->shown);
  g_free (self->positions);
  g_clear_pointer (&self->choices, g_bytes_unref);
  g_free (self->search);
  g_clear_pointer (&self->regex, g_regex_unref);

  G_OBJECT_CLASS (cs_function_model_parent_class)->finalize (object);
}

static void
cs_function_model_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_BUSY)
    g_value_set_boolean (value, cs_function_model_get_busy (CS_FUNCTION_MODEL (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
cs_function_model_class_init (CsFunctionModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = cs_function_model_dispose;
  object_class->finalize = cs_function_model_finalize;
  object_class->get_property = cs_function_model_get_property;
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[CHANGING] = g_signal_new ("changing", CS_TYPE_FUNCTION_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 0);
  signals[CHANGED] = g_signal_new ("changed", CS_TYPE_FUNCTION_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
cs_function_model_init (CsFunctionModel *self)
{
  self->search = g_strdup ("");
  self->order = g_array_new (FALSE, FALSE, sizeof (guint32));
  cs_row_portions_init (&self->shown, self, MOST_IN_SIGHT, on_complete);
}

/**
 * cs_function_model_new:
 *
 * Returns: (transfer full): a model without functions
 */
CsFunctionModel *
cs_function_model_new (void)
{
  return g_object_new (CS_TYPE_FUNCTION_MODEL, NULL);
}

/**
 * cs_function_model_set_profile:
 * @self: a model
 * @profile: (nullable): whose functions to show
 * @choices: (nullable): a CsChoice for each of them, a byte each: whether it was chosen
 *
 * Few functions are there when this returns, many a little later; until then the old ones stay.
 */
void
cs_function_model_set_profile (CsFunctionModel *self, CsProfile *profile, GBytes *choices)
{
  g_return_if_fail (CS_IS_FUNCTION_MODEL (self));

  g_set_object (&self->profile, profile);
  g_clear_pointer (&self->choices, g_bytes_unref);
  self->choices = choices != NULL ? g_bytes_ref (choices) : NULL;
  self->stale = TRUE;
  update (self);
}

/**
 * cs_function_model_set_keys:
 * @self: a model
 * @keys: (array length=n_keys): what to order by, the first one first
 * @n_keys: how many there are, at most %CS_MOST_SORT_KEYS
 */
void
cs_function_model_set_keys (CsFunctionModel *self, const CsSortKey *keys, guint n_keys)
{
  g_return_if_fail (CS_IS_FUNCTION_MODEL (self));
  g_return_if_fail (n_keys <= CS_MOST_SORT_KEYS);

  memcpy (self->keys, keys, n_keys * sizeof *keys);
  self->n_keys = n_keys;
  update (self);
}

/**
 * cs_function_model_set_search:
 * @self: a model
 * @search: what shown functions have in their name, place or module; empty: all are shown
 * @regex: whether it is a regular expression
 * @error: where to say what is wrong with it
 *
 * Returns: whether it can be searched for; if not, what is shown stays
 */
gboolean
cs_function_model_set_search (CsFunctionModel *self, const char *search, gboolean regex, GError **error)
{
  GRegex *compiled = NULL;

  g_return_val_if_fail (CS_IS_FUNCTION_MODEL (self), FALSE);

  if (regex && *search != '\0')
    {
      compiled = cs_search_make_regex (search, error);
      if (compiled == NULL)
        return FALSE;
    }
  else if (compiled == self->regex && g_str_equal (search, self->search))
    return TRUE;
  g_clear_pointer (&self->regex, g_regex_unref);
  self->regex = compiled;
  g_free (self->search);
  self->search = g_strdup (search);
  update (self);
  return TRUE;
}

/**
 * cs_function_model_get_rows:
 * @self: a model
 *
 * Returns: (transfer none) (nullable): the functions, those that aren't found among them
 */
CsHotspotRows *
cs_function_model_get_rows (CsFunctionModel *self)
{
  return self->rows;
}

/**
 * cs_function_model_get_n_all:
 * @self: a model
 *
 * Returns: how many functions there are without the search
 */
guint
cs_function_model_get_n_all (CsFunctionModel *self)
{
  return self->rows != NULL ? cs_hotspot_rows_get_n (self->rows) : 0;
}

/**
 * cs_function_model_get_n_found:
 * @self: a model
 *
 * Returns: how many functions the search finds; the list may have fewer as yet
 */
guint
cs_function_model_get_n_found (CsFunctionModel *self)
{
  return self->order->len;
}

/**
 * cs_function_model_get_busy:
 * @self: a model
 *
 * Returns: whether what was asked for last isn't shown yet
 */
gboolean
cs_function_model_get_busy (CsFunctionModel *self)
{
  return self->working != NULL || self->shown.later != 0;
}

/**
 * cs_function_model_get_function:
 * @self: a model
 * @position: of a shown function
 *
 * Returns: its index in the profile
 */
guint
cs_function_model_get_function (CsFunctionModel *self, guint position)
{
  g_return_val_if_fail (position < self->order->len, G_MAXUINT);

  return g_array_index (self->order, guint32, position);
}

/**
 * cs_function_model_find:
 * @self: a model
 * @function: index in the profile
 *
 * Returns: where it is shown; %G_MAXUINT: it isn't
 */
guint
cs_function_model_find (CsFunctionModel *self, guint function)
{
  return function < cs_function_model_get_n_all (self) ? self->positions[function] : G_MAXUINT;
}

/**
 * cs_function_model_follow:
 * @self: a model
 * @adjustment: how far what shows it is scrolled
 *
 * When other functions are shown, those in sight come first.
 */
void
cs_function_model_follow (CsFunctionModel *self, GtkAdjustment *adjustment)
{
  cs_row_portions_follow (&self->shown, adjustment);
}

/**
 * cs_function_model_retell:
 * @self: a model
 *
 * Has all rows shown anew.
 */
void
cs_function_model_retell (CsFunctionModel *self)
{
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, self->shown.items);
  while (g_hash_table_iter_next (&iter, NULL, &item))
    g_signal_emit_by_name (item, "changed");
}
