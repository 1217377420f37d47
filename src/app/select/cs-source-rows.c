/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "select/cs-shown-rows.h"
#include "select/cs-source-row-private.h"
#include "select/cs-splice.h"

#define SLICE_US 4000 /* of the main loop at a time */
#define STEP 12       /* rows that new contents show at a time, so that a list needn't make all its widgets at once */
#define STEPS_END 252 /* then all of them; a list makes widgets for about 200 */

struct _CsSourceRows
{
  GObject parent_instance;

  CsChooser *chooser;
  char *scope; /* (nullable): path that is shown; NULL: the files that are chosen */
  gboolean scope_is_folder;
  char *filter; /* (nullable) */
  CsShownRows *rows;
  CsShownRows *old_rows; /* (nullable): while a change is told */
  GHashTable *live, *old_live;
  GPtrArray *held; /* (nullable): CsSourceRow, while a change is told */
  CsSplice splice;
  guint shown; /* rows that are shown at most */

  CsShownRows *found; /* (nullable): while a filter is applied */
  guint next_file;
  GHashTable *stale; /* files whose functions came while a filter was applied */
  gboolean again;    /* it is the same filter */
  guint filter_source, step_source;
};

enum
{
  FILTERED,
  RESTARTED,
  N_ROWS_SIGNALS
};

static guint rows_signals[N_ROWS_SIGNALS];

static guint64
make_key (guint32 file, guint32 nth)
{
  return ((guint64) file << 32) | nth;
}

static GType
source_rows_get_item_type (GListModel *model)
{
  return CS_TYPE_SOURCE_ROW;
}

static guint
source_rows_get_n_items (GListModel *model)
{
  CsSourceRows *self = CS_SOURCE_ROWS (model);

  return MIN (self->splice.changing ? cs_splice_get_n (&self->splice) : cs_shown_rows_get_n (self->rows), self->shown);
}

static CsSourceRow *
make_row (guint32 file, guint32 nth)
{
  CsSourceRow *row = g_object_new (CS_TYPE_SOURCE_ROW, NULL);

  row->file = file;
  row->nth = nth;
  row->key = make_key (file, nth);
  return row;
}

/* Registers a row that somebody holds. */
static void
register_row (CsSourceRow *row, GHashTable *live)
{
  g_clear_pointer (&row->live, g_hash_table_unref);
  row->live = g_hash_table_ref (live);
  g_hash_table_insert (live, &row->key, row);
}

/* An old row that is asked for while a change is told. */
static CsSourceRow *
get_old_row (CsSourceRows *self, guint position)
{
  CsSourceRow *row;
  guint32 file, nth;
  guint64 key;
  guint after;

  cs_shown_rows_locate (self->old_rows, position, &file, &nth);
  key = make_key (file, nth);
  row = g_hash_table_lookup (self->old_live, &key);
  if (row != NULL)
    return g_object_ref (row);
  row = make_row (file, nth);
  after = cs_shown_rows_find (self->rows, file, nth);
  register_row (row, self->old_live);
  if (after != CS_SPLICE_GONE)
    register_row (row, self->live);
  g_ptr_array_add (self->held, g_object_ref (row));
  cs_splice_hold (&self->splice, position, after);
  return row;
}

static gpointer
source_rows_get_item (GListModel *model, guint position)
{
  CsSourceRows *self = CS_SOURCE_ROWS (model);
  CsSourceRow *row;
  guint32 file, nth;
  guint64 key;

  if (position >= source_rows_get_n_items (model))
    return NULL;
  if (self->splice.changing && !cs_splice_locate (&self->splice, position, &position))
    return get_old_row (self, position);
  cs_shown_rows_locate (self->rows, position, &file, &nth);
  key = make_key (file, nth);
  row = g_hash_table_lookup (self->live, &key);
  if (row != NULL)
    return g_object_ref (row);
  row = make_row (file, nth);
  register_row (row, self->live);
  return row;
}

static void
source_rows_init_list_model (GListModelInterface *iface)
{
  iface->get_item_type = source_rows_get_item_type;
  iface->get_n_items = source_rows_get_n_items;
  iface->get_item = source_rows_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (CsSourceRows, cs_source_rows, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, source_rows_init_list_model))

/* Which files the scope is about: from the first one on. */
static guint
get_scope (CsSourceRows *self, guint *first)
{
  guint n = cs_chooser_get_n_files (self->chooser);

  *first = 0;
  if (self->scope == NULL)
    return n;
  if (!self->scope_is_folder)
    {
      *first = cs_chooser_find_file (self->chooser, self->scope);
      return *first != CS_CHOOSER_NONE ? 1 : 0;
    }
  for (guint i = 0; i < cs_chooser_get_n_folders (self->chooser); i++)
    {
      const CsChooserFolder *folder = cs_chooser_get_folder (self->chooser, i);

      if (!g_str_equal (folder->path, self->scope))
        continue;
      *first = folder->first_file;
      return folder->n_files;
    }
  return 0;
}

/* Counts rows anew: those of the files that are to be shown. */
static void
set_starts (CsSourceRows *self, CsShownRows *rows)
{
  guint first, n = get_scope (self, &first);
  guint32 sum = 0;

  for (guint i = 0; i < rows->n_files; i++)
    {
      rows->starts[i] = sum;
      if (i < first || i - first >= n || rows->counts[i] == 0)
        continue;
      if (self->scope == NULL)
        {
          CsChooserCounts counts;

          cs_chooser_get_file_counts (self->chooser, i, &counts);
          if (!counts.is_known || counts.choice == CS_FILE_NOT_CHOSEN)
            continue;
        }
      sum += rows->counts[i] + 1;
    }
  rows->starts[rows->n_files] = sum;
}

static gboolean
is_match (const CsSourceRows *self, const CsSourceFunction *function)
{
  g_autofree char *qualified = NULL;

  if (strcasestr (function->name, self->filter) != NULL)
    return TRUE;
  if (function->scope == NULL)
    return FALSE;
  qualified = cs_function_dup_qualified_name (function);
  return strcasestr (qualified, self->filter) != NULL;
}

/* Lets the functions of a file through the filter. */
static void
match_file (CsSourceRows *self, CsShownRows *rows, guint file)
{
  guint n;
  const CsSourceFunction *functions = cs_chooser_get_functions (self->chooser, file, &n);
  gboolean all;

  if (rows->firsts == NULL)
    {
      rows->counts[file] = functions != NULL ? n : 0;
      return;
    }
  all = functions != NULL && strcasestr (cs_chooser_get_file (self->chooser, file)->path, self->filter) != NULL;
  rows->firsts[file] = rows->matches->len;
  for (guint i = 0; functions != NULL && i < n; i++)
    if (all || is_match (self, &functions[i]))
      g_array_append_val (rows->matches, i);
  rows->counts[file] = rows->matches->len - rows->firsts[file];
}

static gboolean
show_more (gpointer user_data)
{
  CsSourceRows *self = user_data;
  guint n = cs_shown_rows_get_n (self->rows);
  guint before = MIN (n, self->shown);

  self->shown = self->shown + STEP > STEPS_END ? G_MAXUINT : self->shown + STEP;
  if (before < n)
    g_list_model_items_changed (G_LIST_MODEL (self), before, 0, MIN (n, self->shown) - before);
  if (self->shown < G_MAXUINT)
    return G_SOURCE_CONTINUE;
  self->step_source = 0;
  return G_SOURCE_REMOVE;
}

/* Shows rows from the first one on. */
static void
restart (CsSourceRows *self, CsShownRows *rows)
{
  guint before = source_rows_get_n_items (G_LIST_MODEL (self));

  cs_shown_rows_free (self->rows);
  self->rows = rows;
  g_hash_table_unref (self->live);
  self->live = g_hash_table_new (g_int64_hash, g_int64_equal);
  self->shown = STEP;
  if (self->step_source == 0)
    /* After what was added has been painted. */
    self->step_source = g_idle_add (show_more, self);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, before, MIN (cs_shown_rows_get_n (rows), self->shown));
  g_signal_emit (self, rows_signals[RESTARTED], 0);
}

/* The same while only the first rows are shown. */
static void
update_first (CsSourceRows *self, CsShownRows *rows)
{
  guint before = source_rows_get_n_items (G_LIST_MODEL (self)), after, same = 0;

  for (guint i = 0; i < rows->n_files && rows->starts[i] == self->rows->starts[i]; i++)
    {
      same = rows->starts[i];
      if (rows->counts[i] != self->rows->counts[i] || rows->firsts != NULL)
        break;
    }
  cs_shown_rows_free (self->rows);
  self->rows = rows;
  after = source_rows_get_n_items (G_LIST_MODEL (self));
  same = MIN (same, MIN (before, after));
  if (before != same || after != same)
    g_list_model_items_changed (G_LIST_MODEL (self), same, before - same, after - same);
}

/* Goes over to other rows of the same files, and keeps what is seen where it is. */
static void
update (CsSourceRows *self, CsShownRows *rows)
{
  g_autoptr (GArray) items = NULL;
  GHashTableIter iter;
  gpointer value;

  if (cs_shown_rows_get_n (self->rows) == 0 || rows->n_files != self->rows->n_files)
    {
      restart (self, rows);
      return;
    }
  if (self->shown != G_MAXUINT)
    {
      update_first (self, rows);
      return;
    }
  items = g_array_new (FALSE, FALSE, sizeof (CsSpliceItem));
  self->held = g_ptr_array_new_with_free_func (g_object_unref);
  self->old_rows = self->rows;
  self->old_live = self->live;
  self->rows = rows;
  self->live = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_hash_table_iter_init (&iter, self->old_live);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_ptr_array_add (self->held, g_object_ref (value));
  for (guint i = 0; i < self->held->len; i++)
    {
      CsSourceRow *row = self->held->pdata[i];
      CsSpliceItem place = { cs_shown_rows_find (self->old_rows, row->file, row->nth), cs_shown_rows_find (rows, row->file, row->nth) };

      if (place.after != CS_SPLICE_GONE)
        register_row (row, self->live);
      if (place.before != CS_SPLICE_GONE)
        g_array_append_val (items, place);
    }
  cs_splice_begin (&self->splice, cs_shown_rows_get_n (self->old_rows), cs_shown_rows_get_n (rows));
  cs_splice_run (&self->splice, G_LIST_MODEL (self), items);
  g_clear_pointer (&self->old_rows, cs_shown_rows_free);
  g_clear_pointer (&self->old_live, g_hash_table_unref);
  g_clear_pointer (&self->held, g_ptr_array_unref);
}

static void
finish_filter (CsSourceRows *self)
{
  CsShownRows *rows = g_steal_pointer (&self->found);
  GHashTableIter iter;
  gpointer file;

  g_hash_table_iter_init (&iter, self->stale);
  while (g_hash_table_iter_next (&iter, &file, NULL))
    match_file (self, rows, GPOINTER_TO_UINT (file));
  g_hash_table_remove_all (self->stale);
  set_starts (self, rows);
  if (self->again)
    update (self, rows);
  else
    restart (self, rows);
  g_signal_emit (self, rows_signals[FILTERED], 0);
}

static gboolean
filter_slice (gpointer user_data)
{
  CsSourceRows *self = user_data;
  gint64 end = g_get_monotonic_time () + SLICE_US;

  for (; self->next_file < self->found->n_files; self->next_file++)
    {
      if (self->next_file % 32 == 31 && g_get_monotonic_time () > end)
        return G_SOURCE_CONTINUE;
      match_file (self, self->found, self->next_file);
    }
  self->filter_source = 0;
  finish_filter (self);
  return G_SOURCE_REMOVE;
}

/* Filters all functions anew, in the background. */
static void
start_filter (CsSourceRows *self, gboolean again)
{
  self->again = again && (self->filter_source == 0 || self->again);
  g_clear_handle_id (&self->filter_source, g_source_remove);
  g_clear_pointer (&self->found, cs_shown_rows_free);
  g_hash_table_remove_all (self->stale);
  self->next_file = 0;
  self->found = cs_shown_rows_new (cs_chooser_get_n_files (self->chooser), self->filter != NULL, NULL);
  self->filter_source = g_idle_add (filter_slice, self);
}

static void
on_files_changed (CsSourceRows *self)
{
  restart (self, cs_shown_rows_new (cs_chooser_get_n_files (self->chooser), self->filter != NULL, NULL));
  start_filter (self, FALSE);
}

static void
on_functions_changed (CsSourceRows *self, const guint32 *files, guint n)
{
  CsShownRows *rows;

  if (files == NULL)
    {
      start_filter (self, TRUE);
      return;
    }
  if (self->filter_source != 0)
    {
      for (guint i = 0; i < n; i++)
        if (files[i] < self->next_file)
          g_hash_table_add (self->stale, GUINT_TO_POINTER (files[i]));
      return;
    }
  rows = cs_shown_rows_copy (self->rows);
  for (guint i = 0; i < n; i++)
    if (files[i] < rows->n_files)
      match_file (self, rows, files[i]);
  set_starts (self, rows);
  update (self, rows);
}

static void
on_selection_changed (CsSourceRows *self)
{
  if (self->scope == NULL && self->filter_source == 0)
    {
      CsShownRows *rows = cs_shown_rows_copy (self->rows);

      set_starts (self, rows);
      update (self, rows);
    }
  cs_source_rows_touch (self);
}

static void
cs_source_rows_dispose (GObject *object)
{
  CsSourceRows *self = CS_SOURCE_ROWS (object);

  g_clear_handle_id (&self->filter_source, g_source_remove);
  g_clear_handle_id (&self->step_source, g_source_remove);
  g_clear_object (&self->chooser);

  G_OBJECT_CLASS (cs_source_rows_parent_class)->dispose (object);
}

static void
cs_source_rows_finalize (GObject *object)
{
  CsSourceRows *self = CS_SOURCE_ROWS (object);

  g_clear_pointer (&self->rows, cs_shown_rows_free);
  g_clear_pointer (&self->found, cs_shown_rows_free);
  g_hash_table_unref (self->live);
  g_hash_table_unref (self->stale);
  g_free (self->scope);
  g_free (self->filter);

  G_OBJECT_CLASS (cs_source_rows_parent_class)->finalize (object);
}

static void
cs_source_rows_class_init (CsSourceRowsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_source_rows_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_source_rows_finalize;
  rows_signals[FILTERED] = g_signal_new ("filtered", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 0);
  rows_signals[RESTARTED] = g_signal_new ("restarted", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 0);
}

static void
cs_source_rows_init (CsSourceRows *self)
{
  self->live = g_hash_table_new (g_int64_hash, g_int64_equal);
  self->stale = g_hash_table_new (NULL, NULL);
  self->shown = G_MAXUINT;
}

/**
 * cs_source_rows_new:
 * @chooser: whose functions it shows
 *
 * Returns: (transfer full): the functions of the files that are chosen
 */
CsSourceRows *
cs_source_rows_new (CsChooser *chooser)
{
  CsSourceRows *self = g_object_new (CS_TYPE_SOURCE_ROWS, NULL);

  self->chooser = g_object_ref (chooser);
  self->rows = cs_shown_rows_new (cs_chooser_get_n_files (chooser), FALSE, NULL);
  g_signal_connect_object (chooser, "files-changed", G_CALLBACK (on_files_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chooser, "functions-changed", G_CALLBACK (on_functions_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chooser, "selection-changed", G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
  /* Without a text that can be used nothing can be ticked. */
  g_signal_connect_object (chooser, "notify::text-error", G_CALLBACK (cs_source_rows_touch), self, G_CONNECT_SWAPPED);
  start_filter (self, FALSE);
  return self;
}

/**
 * cs_source_rows_set_scope:
 * @self: rows
 * @path: (nullable): a file or folder, relative to the root; %NULL: all files that are chosen
 * @is_folder: whether @path is a folder
 *
 * Shows the functions of this alone, chosen or not.
 */
void
cs_source_rows_set_scope (CsSourceRows *self, const char *path, gboolean is_folder)
{
  CsShownRows *rows;

  if (g_strcmp0 (self->scope, path) == 0 && self->scope_is_folder == is_folder)
    return;
  g_free (self->scope);
  self->scope = g_strdup (path);
  self->scope_is_folder = is_folder;
  self->again = FALSE;
  if (self->filter_source != 0)
    return;
  rows = cs_shown_rows_copy (self->rows);
  set_starts (self, rows);
  restart (self, rows);
}

/**
 * cs_source_rows_set_filter:
 * @self: rows
 * @text: what the names of shown functions or the paths of their files contain, capitals or not; "" for all
 *
 * Filters in the background; CsSourceRows::filtered tells when it is done.
 */
void
cs_source_rows_set_filter (CsSourceRows *self, const char *text)
{
  if (g_strcmp0 (self->filter != NULL ? self->filter : "", text) == 0)
    return;
  g_free (self->filter);
  self->filter = *text != '\0' ? g_strdup (text) : NULL;
  start_filter (self, FALSE);
}

/**
 * cs_source_rows_get_filtering:
 * @self: rows
 *
 * Returns: whether a filter is being applied
 */
gboolean
cs_source_rows_get_filtering (CsSourceRows *self)
{
  return self->filter_source != 0;
}

/**
 * cs_source_rows_get_n_functions:
 * @self: rows
 *
 * Returns: how many functions there are in the rows, headings left out
 */
guint
cs_source_rows_get_n_functions (CsSourceRows *self)
{
  guint n = 0;

  for (guint i = 0; i < self->rows->n_files; i++)
    if (self->rows->starts[i + 1] > self->rows->starts[i])
      n += self->rows->counts[i];
  return n;
}

/**
 * cs_source_rows_dup_functions:
 * @self: rows
 * @n: (out): how many there are
 *
 * Returns: (transfer full) (array length=n): the numbers of all functions in the rows; none before functions have numbers
 */
guint32 *
cs_source_rows_dup_functions (CsSourceRows *self, gsize *n)
{
  GArray *functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  const CsShownRows *rows = self->rows;
  guint32 *data;

  for (guint i = 0; i < rows->n_files; i++)
    for (guint k = 0; rows->starts[i + 1] > rows->starts[i] && k < rows->counts[i]; k++)
      {
        guint nth = rows->firsts != NULL ? g_array_index (rows->matches, guint32, rows->firsts[i] + k) : k;
        guint32 number = cs_chooser_get_function_number (self->chooser, i, nth);

        if (number != CS_CHOOSER_NONE)
          g_array_append_val (functions, number);
      }
  data = g_array_steal (functions, n);
  g_array_unref (functions);
  return data;
}

/**
 * cs_source_rows_find:
 * @self: rows
 * @file: number of a file
 * @nth: which of its functions; %CS_SOURCE_ROW_HEADING: its heading
 * @position: (out): its row
 *
 * Returns: whether it is shown
 */
gboolean
cs_source_rows_find (CsSourceRows *self, guint file, guint nth, guint *position)
{
  *position = cs_shown_rows_find (self->rows, file, nth);
  return *position != CS_SPLICE_GONE && *position < self->shown;
}

/**
 * cs_source_rows_touch:
 * @self: rows
 *
 * Lets the rows that somebody looks at be shown anew.
 */
void
cs_source_rows_touch (CsSourceRows *self)
{
  g_autoptr (GPtrArray) held = g_ptr_array_new_with_free_func (g_object_unref);
  GHashTableIter iter;
  gpointer row;

  g_hash_table_iter_init (&iter, self->live);
  while (g_hash_table_iter_next (&iter, NULL, &row))
    g_ptr_array_add (held, g_object_ref (row));
  for (guint i = 0; i < held->len; i++)
    cs_source_row_emit_changed (held->pdata[i]);
}
