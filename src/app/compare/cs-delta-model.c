/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "compare/cs-delta-model.h"

/* What is shown, and in which order. */
typedef struct
{
  CsDeltaRows *rows; /* (nullable) */
  CsDeltaColumn column;
  gboolean descending, hide_unchanged;
  char *search;      /* folded; empty: all */
  GRegex *regex;     /* (nullable): in its place */
} Arrangement;

/* More rows than these are arranged in a thread. */
#define MOST_AT_ONCE 20000

struct _CsDeltaModel
{
  GObject parent_instance;

  Arrangement wanted;
  CsDeltaRows *rows;       /* (nullable): whose rows are shown; those that are wanted, once they are arranged */
  GArray *order;           /* (element-type guint): rows that are shown */
  GCancellable *arranging; /* (nullable): ends what is under way */
};

static GType
cs_delta_model_get_item_type (GListModel *model)
{
  return CS_TYPE_DELTA_ITEM;
}

static guint
cs_delta_model_get_n_items (GListModel *model)
{
  return CS_DELTA_MODEL (model)->order->len;
}

static gpointer
cs_delta_model_get_item (GListModel *model, guint position)
{
  CsDeltaModel *self = CS_DELTA_MODEL (model);

  if (position >= self->order->len)
    return NULL;
  return cs_delta_item_new (self->rows, g_array_index (self->order, guint, position));
}

static void
cs_delta_model_init_list_model (GListModelInterface *iface)
{
  iface->get_item_type = cs_delta_model_get_item_type;
  iface->get_n_items = cs_delta_model_get_n_items;
  iface->get_item = cs_delta_model_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (CsDeltaModel, cs_delta_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, cs_delta_model_init_list_model))

static void
arrangement_clear (Arrangement *self)
{
  g_clear_pointer (&self->rows, cs_delta_rows_release);
  g_clear_pointer (&self->regex, g_regex_unref);
  g_clear_pointer (&self->search, g_free);
}

static void
arrangement_free (gpointer data)
{
  arrangement_clear (data);
  g_free (data);
}

static Arrangement *
arrangement_copy (const Arrangement *self)
{
  Arrangement *copy = g_memdup2 (self, sizeof *self);

  copy->rows = g_atomic_rc_box_acquire (self->rows);
  copy->search = g_strdup (self->search);
  copy->regex = self->regex != NULL ? g_regex_ref (self->regex) : NULL;
  return copy;
}

static void
cs_delta_model_finalize (GObject *object)
{
  CsDeltaModel *self = CS_DELTA_MODEL (object);

  g_clear_object (&self->arranging);
  g_clear_pointer (&self->rows, cs_delta_rows_release);
  g_array_unref (self->order);
  arrangement_clear (&self->wanted);
  G_OBJECT_CLASS (cs_delta_model_parent_class)->finalize (object);
}

static void
cs_delta_model_class_init (CsDeltaModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_delta_model_finalize;
}

static void
cs_delta_model_init (CsDeltaModel *self)
{
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  self->wanted.column = CS_DELTA_CHANGE;
  self->wanted.descending = TRUE;
  self->wanted.hide_unchanged = TRUE;
  self->wanted.search = g_strdup ("");
}

static int
compare_doubles (double a, double b)
{
  return (a > b) - (a < b);
}

static int
compare_numbers (const CsDeltaRows *rows, CsDiffNumber a, CsDiffNumber b)
{
  if (rows->diff->unit == CS_DIFF_REAL)
    return compare_doubles (a.real, b.real);
  return (a.integer > b.integer) - (a.integer < b.integer);
}

/* Whether the row has a number there; those without one are last, however the table is ordered. */
static gboolean
has_number (const CsDiffRow *row, CsDeltaColumn column)
{
  switch (column)
    {
    case CS_DELTA_BASE:
      return row->has_base;
    case CS_DELTA_NEW:
      return row->has_new;
    case CS_DELTA_CHANGE:
      return row->status != CS_DIFF_UNKNOWN;
    case CS_DELTA_PERCENT:
      return row->status == CS_DIFF_CHANGED || row->status == CS_DIFF_UNCHANGED;
    case CS_DELTA_FUNCTION:
    case CS_DELTA_STATUS:
    default:
      return TRUE;
    }
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const Arrangement *self = data;
  const CsDeltaRows *rows = self->rows;
  guint i = *(const guint *) a, j = *(const guint *) b;
  const CsDiffRow *x = cs_delta_rows_get (rows, i), *y = cs_delta_rows_get (rows, j);
  int order = 0;

  if (has_number (x, self->column) != has_number (y, self->column))
    return has_number (x, self->column) ? -1 : 1;
  if (has_number (x, self->column))
    switch (self->column)
      {
      case CS_DELTA_BASE:
        order = compare_numbers (rows, x->base_value, y->base_value);
        break;
      case CS_DELTA_NEW:
        order = compare_numbers (rows, x->new_value, y->new_value);
        break;
      case CS_DELTA_CHANGE:
        order = compare_numbers (rows, x->delta, y->delta);
        break;
      case CS_DELTA_PERCENT:
        order = compare_doubles (x->percent, y->percent);
        break;
      case CS_DELTA_STATUS:
        order = (x->status > y->status) - (x->status < y->status);
        break;
      case CS_DELTA_FUNCTION:
      default:
        order = (rows->ranks[i] > rows->ranks[j]) - (rows->ranks[i] < rows->ranks[j]);
      }
  if (order != 0)
    return self->descending ? -order : order;
  return rows->ranks[i] < rows->ranks[j] ? -1 : rows->ranks[i] > rows->ranks[j];
}

static gboolean
has_text (const Arrangement *self, const char *text)
{
  g_autofree char *folded = NULL;

  if (text == NULL)
    return FALSE;
  if (self->regex != NULL)
    return g_regex_match (self->regex, text, 0, NULL);
  folded = g_utf8_casefold (text, -1);
  return strstr (folded, self->search) != NULL;
}

static gboolean
is_found (const Arrangement *self, const char *name, const char *file, const char *module)
{
  return *self->search == '\0' || has_text (self, name) || has_text (self, file) || has_text (self, module);
}

static gboolean
is_shown (const Arrangement *self, guint row)
{
  const CsDiffRow *both = cs_delta_rows_get (self->rows, row);
  const CsReportRow *function = cs_delta_rows_get_function (self->rows, row);

  if ((both->status == CS_DIFF_UNCHANGED && self->hide_unchanged) || !cs_diff_row_is_shown (self->rows->diff, both))
    return FALSE;
  return is_found (self, function->function, function->file, function->module);
}

static GArray *
arrange (Arrangement *self)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->rows->n; i++)
    if (is_shown (self, i))
      g_array_append_val (order, i);
  g_array_sort_with_data (order, compare_rows, self);
  return order;
}

static void
run_arranging (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  if (!g_task_return_error_if_cancelled (task))
    g_task_return_pointer (task, arrange (data), (GDestroyNotify) g_array_unref);
}

/* Shows rows in an order, which is taken. */
static void
take (CsDeltaModel *self, CsDeltaRows *rows, GArray *order)
{
  guint before = self->order->len;

  if (self->rows != rows)
    {
      g_clear_pointer (&self->rows, cs_delta_rows_release);
      self->rows = rows != NULL ? g_atomic_rc_box_acquire (rows) : NULL;
    }
  g_array_unref (self->order);
  self->order = order;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, before, order->len);
}

static void
on_arranged (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsDeltaModel *self = CS_DELTA_MODEL (source);
  const Arrangement *arrangement = g_task_get_task_data (G_TASK (result));
  gboolean current = g_task_get_cancellable (G_TASK (result)) == self->arranging;
  GArray *order = g_task_propagate_pointer (G_TASK (result), NULL);

  if (current && order != NULL)
    {
      g_clear_object (&self->arranging);
      take (self, arrangement->rows, order);
    }
  else if (order != NULL)
    g_array_unref (order);
}

/* What is shown stays until the new order is there; where that is soon, it comes at once. */
static void
update (CsDeltaModel *self)
{
  g_autoptr (GTask) task = NULL;

  if (self->arranging != NULL)
    g_cancellable_cancel (self->arranging);
  g_clear_object (&self->arranging);
  if (self->wanted.rows == NULL)
    take (self, NULL, g_array_new (FALSE, FALSE, sizeof (guint)));
  else if (self->wanted.rows->n <= MOST_AT_ONCE)
    take (self, self->wanted.rows, arrange (&self->wanted));
  else
    {
      self->arranging = g_cancellable_new ();
      task = g_task_new (self, self->arranging, on_arranged, NULL);
      g_task_set_task_data (task, arrangement_copy (&self->wanted), arrangement_free);
      g_task_run_in_thread (task, run_arranging);
    }
}

/**
 * cs_delta_model_new:
 *
 * Returns: (transfer full): a model without rows; greatest rises come first, what hasn't changed is hidden
 */
CsDeltaModel *
cs_delta_model_new (void)
{
  return g_object_new (CS_TYPE_DELTA_MODEL, NULL);
}

/**
 * cs_delta_model_set_rows:
 * @self: a model
 * @rows: (nullable): what is shown
 *
 * Many rows are arranged in a thread, and come later.
 */
void
cs_delta_model_set_rows (CsDeltaModel *self, CsDeltaRows *rows)
{
  if (self->wanted.rows == rows)
    return;
  g_clear_pointer (&self->wanted.rows, cs_delta_rows_release);
  self->wanted.rows = rows != NULL ? g_atomic_rc_box_acquire (rows) : NULL;
  update (self);
}

/**
 * cs_delta_model_get_rows:
 * @self: a model
 *
 * Returns: (transfer none) (nullable): the comparison, with what isn't shown of it
 */
CsDeltaRows *
cs_delta_model_get_rows (CsDeltaModel *self)
{
  return self->wanted.rows;
}

/**
 * cs_delta_model_set_sort:
 * @self: a model
 * @column: what it is ordered by
 * @descending: whether the greatest comes first
 */
void
cs_delta_model_set_sort (CsDeltaModel *self, CsDeltaColumn column, gboolean descending)
{
  if (self->wanted.column == column && self->wanted.descending == descending)
    return;
  self->wanted.column = column;
  self->wanted.descending = descending;
  update (self);
}

/**
 * cs_delta_model_get_sort:
 * @self: a model
 * @column: (out): what it is ordered by
 * @descending: (out): whether the greatest comes first
 */
void
cs_delta_model_get_sort (CsDeltaModel *self, CsDeltaColumn *column, gboolean *descending)
{
  *column = self->wanted.column;
  *descending = self->wanted.descending;
}

/**
 * cs_delta_model_set_hide_unchanged:
 * @self: a model
 * @hide: whether functions whose number is the same are left out
 */
void
cs_delta_model_set_hide_unchanged (CsDeltaModel *self, gboolean hide)
{
  if (self->wanted.hide_unchanged == hide)
    return;
  self->wanted.hide_unchanged = hide;
  update (self);
}

/**
 * cs_delta_model_set_search:
 * @self: a model
 * @search: what the functions' names, files or modules have; empty: all
 * @regex: whether it is a regular expression
 * @error: where to say what is wrong with it
 *
 * Returns: whether it can be searched for; otherwise everything stays as it is
 */
gboolean
cs_delta_model_set_search (CsDeltaModel *self, const char *search, gboolean regex, GError **error)
{
  g_autoptr (GRegex) compiled = NULL;

  if (regex && *search != '\0')
    {
      compiled = g_regex_new (search, G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, error);
      if (compiled == NULL)
        return FALSE;
    }
  g_free (self->wanted.search);
  self->wanted.search = g_utf8_casefold (search, -1);
  g_clear_pointer (&self->wanted.regex, g_regex_unref);
  self->wanted.regex = g_steal_pointer (&compiled);
  update (self);
  return TRUE;
}

/**
 * cs_delta_model_retell:
 * @self: a model
 *
 * Has all rows shown anew.
 */
void
cs_delta_model_retell (CsDeltaModel *self)
{
  g_list_model_items_changed (G_LIST_MODEL (self), 0, self->order->len, self->order->len);
}

/**
 * cs_delta_model_is_searching:
 * @self: a model
 *
 * Returns: whether anything is searched for
 */
gboolean
cs_delta_model_is_searching (CsDeltaModel *self)
{
  return *self->wanted.search != '\0';
}

/**
 * cs_delta_model_is_found:
 * @self: a model
 * @name: a function's
 * @file: (nullable): its file
 * @module: (nullable): its module
 *
 * Returns: whether the function has what is searched for
 */
gboolean
cs_delta_model_is_found (CsDeltaModel *self, const char *name, const char *file, const char *module)
{
  return is_found (&self->wanted, name, file, module);
}

/**
 * cs_delta_model_is_busy:
 * @self: a model
 *
 * Returns: whether rows are being arranged
 */
gboolean
cs_delta_model_is_busy (CsDeltaModel *self)
{
  return self->arranging != NULL;
}

/* Whether the rows that are shown have the functions' present numbers. */
static gboolean
has_numbers (CsDeltaModel *self)
{
  return self->rows != NULL && self->wanted.rows != NULL && self->rows->sides == self->wanted.rows->sides;
}

/**
 * cs_delta_model_find:
 * @self: a model
 * @number: of a function
 *
 * Returns: its position; %G_MAXUINT: it isn't shown
 */
guint
cs_delta_model_find (CsDeltaModel *self, guint number)
{
  for (guint i = 0; has_numbers (self) && i < self->order->len; i++)
    if (self->rows->numbers[g_array_index (self->order, guint, i)] == number)
      return i;
  return G_MAXUINT;
}

/**
 * cs_delta_model_get_number:
 * @self: a model
 * @position: of a row
 *
 * Returns: its function's number; %G_MAXUINT: there is no such row
 */
guint
cs_delta_model_get_number (CsDeltaModel *self, guint position)
{
  if (!has_numbers (self) || position >= self->order->len)
    return G_MAXUINT;
  return self->rows->numbers[g_array_index (self->order, guint, position)];
}

static const char *const ids[CS_DELTA_N_COLUMNS] = { "function", "base", "new", "delta", "percent", "status" };

/**
 * cs_delta_column_get_id:
 * @column: a column
 *
 * Returns: its name in actions
 */
const char *
cs_delta_column_get_id (CsDeltaColumn column)
{
  return ids[column];
}

/**
 * cs_delta_column_parse:
 * @id: a name
 * @column: (out): the column
 *
 * Returns: whether there is one of that name
 */
gboolean
cs_delta_column_parse (const char *id, CsDeltaColumn *column)
{
  for (guint i = 0; i < CS_DELTA_N_COLUMNS; i++)
    if (g_str_equal (ids[i], id))
      {
        *column = (CsDeltaColumn) i;
        return TRUE;
      }
  return FALSE;
}
