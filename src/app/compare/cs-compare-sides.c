/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "compare/cs-compare-sides.h"
#include "project/cs-path-kind.h"
#include "symbols/cs-symbol-cache.h"

static void
base_clear (gpointer data)
{
  CsCompareBase *self = data;

  g_clear_object (&self->profile);
  g_clear_pointer (&self->report, cs_report_file_free);
  g_free (self->path);
  g_free (self->title);
}

/**
 * cs_compare_base_release:
 * @self: (transfer full): a base
 */
void
cs_compare_base_release (CsCompareBase *self)
{
  g_atomic_rc_box_release_full (self, base_clear);
}

static CsProfile *
read_profile (const char *path, const char *project, guint64 *bytes_done, guint64 *bytes, GCancellable *cancellable, GError **error)
{
  const char *const paths[] = { path, NULL };
  const CsProfileOptions options = { 0 };
  g_autoptr (CsRecording) recording = cs_recording_open (paths, cancellable, error);
  g_autoptr (CsSymbolizer) symbolizer = NULL;
  g_autofree char *cache = cs_symbol_cache_get_default_folder ();

  if (recording == NULL)
    return NULL;
  __atomic_store_n (bytes, cs_recording_get_n_bytes (recording), __ATOMIC_RELAXED);
  symbolizer = cs_symbolizer_new ();
  cs_symbolizer_set_cache (symbolizer, cache);
  cs_symbolizer_add_project (symbolizer, project);
  return cs_profile_new (recording, symbolizer, &options, bytes_done, cancellable, error);
}

/* A folder or a file of events; what is anything else is read as a report, which says what is wrong with it. */
static gboolean
is_recording (const char *path)
{
  g_autofree char *sentence = NULL;
  CsPathKind kind;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return TRUE;
  kind = cs_path_kind_find (path, &sentence);
  return kind == CS_PATH_KIND_RECORDING || kind == CS_PATH_KIND_TRACE_FILE;
}

/**
 * cs_compare_base_read:
 * @path: of a recording, or of a report as JSON or folded
 * @title: what to call it; UTF-8
 * @project: (nullable) (type filename): the folder from which sources of a recording are named
 * @bytes_done: counts what is read, atomically
 * @bytes: set, atomically, to how much there is to read, once it is known
 * @cancellable: (nullable): to give up early
 * @error: where to say why it can't be read, and what to do
 *
 * Reads what a recording is compared with. Blocks.
 *
 * Returns: (transfer full) (nullable): the base
 */
CsCompareBase *
cs_compare_base_read (const char *path, const char *title, const char *project, guint64 *bytes_done, guint64 *bytes,
                      GCancellable *cancellable, GError **error)
{
  g_autoptr (CsCompareBase) self = g_atomic_rc_box_new0 (CsCompareBase);

  self->path = g_strdup (path);
  self->title = g_strdup (title);
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_autofree char *name = g_filename_display_name (path);

      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("%s isn’t there any more — choose another recording"), name);
      return NULL;
    }
  if (!is_recording (path))
    {
      self->report = cs_report_file_read (path, cancellable, error);
      return self->report != NULL ? g_steal_pointer (&self) : NULL;
    }
  self->profile = read_profile (path, project, bytes_done, bytes, cancellable, error);
  if (self->profile == NULL)
    return NULL;
  self->report = cs_report_file_new_from_profile (self->profile, title);
  return g_steal_pointer (&self);
}

static void
sides_clear (gpointer data)
{
  CsCompareSides *self = data;

  g_clear_pointer (&self->pairs, cs_diff_pairs_free);
  g_clear_pointer (&self->report, cs_report_file_free);
  g_clear_object (&self->profile);
  g_clear_pointer (&self->base, cs_compare_base_release);
  g_free (self->base_numbers);
  g_free (self->new_numbers);
  g_free (self->base_functions);
  g_free (self->new_functions);
}

/**
 * cs_compare_sides_release:
 * @self: (transfer full): two sides
 */
void
cs_compare_sides_release (CsCompareSides *self)
{
  g_atomic_rc_box_release_full (self, sides_clear);
}

/* Of the rows of a report, and of the functions of the profile that it was made of. */
static guint *
number_functions (const CsReportFile *report, const guint *rows, guint *functions)
{
  guint *numbers = g_new (guint, (gsize) report->rows->len + 1);

  for (guint i = 0; i < report->rows->len; i++)
    {
      guint function = g_array_index (report->functions, guint, i);

      numbers[function] = rows[i];
      functions[rows[i]] = MIN (functions[rows[i]], function);
    }
  return numbers;
}

/**
 * cs_compare_sides_new:
 * @base: what was
 * @profile: what is
 * @title: what to call that; UTF-8
 *
 * Finds which functions are the same. Takes a while where there are many.
 *
 * Returns: (transfer full): both
 */
CsCompareSides *
cs_compare_sides_new (CsCompareBase *base, CsProfile *profile, const char *title)
{
  CsCompareSides *self = g_atomic_rc_box_new0 (CsCompareSides);

  self->base = g_atomic_rc_box_acquire (base);
  self->profile = g_object_ref (profile);
  self->report = cs_report_file_new_from_profile (profile, title);
  self->pairs = cs_diff_pairs_new (base->report, self->report);
  self->base_functions = g_new (guint, (gsize) self->pairs->n + 1);
  self->new_functions = g_new (guint, (gsize) self->pairs->n + 1);
  memset (self->base_functions, 0xff, sizeof (guint) * self->pairs->n);
  memset (self->new_functions, 0xff, sizeof (guint) * self->pairs->n);
  if (base->profile != NULL)
    self->base_numbers = number_functions (base->report, self->pairs->base, self->base_functions);
  self->new_numbers = number_functions (self->report, self->pairs->new, self->new_functions);
  return self;
}

static const CsFunction *
get_function (CsProfile *profile, const guint *functions, guint number, guint n_numbers)
{
  guint n;

  if (profile == NULL || number >= n_numbers || functions[number] == G_MAXUINT)
    return NULL;
  return &cs_profile_get_functions (profile, &n)[functions[number]];
}

/**
 * cs_compare_sides_get_base_function:
 * @self: two sides
 * @number: of a function; one that is too large is none's
 *
 * Returns: (transfer none) (nullable): the function in the base; %NULL also where that is a report's file
 */
const CsFunction *
cs_compare_sides_get_base_function (const CsCompareSides *self, guint number)
{
  return get_function (self->base->profile, self->base_functions, number, self->pairs->n);
}

/**
 * cs_compare_sides_get_new_function:
 * @self: two sides
 * @number: of a function; one that is too large is none's
 *
 * Returns: (transfer none) (nullable): the function in the new recording
 */
const CsFunction *
cs_compare_sides_get_new_function (const CsCompareSides *self, guint number)
{
  return get_function (self->profile, self->new_functions, number, self->pairs->n);
}

/**
 * cs_compare_sides_has_key:
 * @self: two sides
 * @key: name of a number
 *
 * Returns: whether both sides have it, so that it can be compared
 */
gboolean
cs_compare_sides_has_key (const CsCompareSides *self, const char *key)
{
  guint index;

  return cs_report_file_find_key (self->base->report, key, &index) && cs_report_file_find_key (self->report, key, &index);
}

/**
 * cs_compare_sides_get_flame_obstacle:
 * @self: two sides
 *
 * Returns: (transfer none) (nullable): a sentence on why their call trees can't be compared; %NULL: they can
 */
const char *
cs_compare_sides_get_flame_obstacle (const CsCompareSides *self)
{
  if (self->base->profile == NULL)
    return _("The base is a report’s file, and that has no call paths. Choose the recording that it was made of to see a "
             "flame graph of both.");
  if (cs_profile_get_mode (self->base->profile) == CS_PROFILE_SUMMARY)
    return _("The base was recorded as a summary, and that has no call paths. Record it again with all events to see a "
             "flame graph of both.");
  if (cs_profile_get_mode (self->profile) == CS_PROFILE_SUMMARY)
    return _("This recording is a summary, and that has no call paths. Record it again with all events to see a flame "
             "graph of both.");
  return NULL;
}

/**
 * cs_compare_sides_lay_out:
 * @self: two sides without an obstacle
 * @options: of the flame graph
 * @shape: whose frames it has
 * @cancellable: (nullable): to give up early
 *
 * Returns: (transfer full) (nullable): the call trees of both; %NULL: cancelled
 */
CsFlameDiff *
cs_compare_sides_lay_out (const CsCompareSides *self, const CsFlameOptions *options, CsFlameShape shape,
                          GCancellable *cancellable)
{
  CsFlameSide base = { .numbers = self->base_numbers }, other = { .numbers = self->new_numbers };

  base.nodes = cs_profile_get_tree (self->base->profile, &base.n_nodes);
  base.functions = cs_profile_get_functions (self->base->profile, &base.n_functions);
  other.nodes = cs_profile_get_tree (self->profile, &other.n_nodes);
  other.functions = cs_profile_get_functions (self->profile, &other.n_functions);
  return cs_flame_diff_new (options, &base, &other, self->pairs->n, shape, cancellable);
}

static void
rows_clear (gpointer data)
{
  CsDeltaRows *self = data;

  g_clear_pointer (&self->diff, cs_diff_free);
  g_clear_pointer (&self->sides, cs_compare_sides_release);
  g_free (self->numbers);
  g_free (self->ranks);
}

/**
 * cs_delta_rows_release:
 * @self: (transfer full): a comparison
 */
void
cs_delta_rows_release (CsDeltaRows *self)
{
  g_atomic_rc_box_release_full (self, rows_clear);
}

static int
compare_names (gconstpointer a, gconstpointer b, gpointer data)
{
  const CsDeltaRows *self = data;
  guint i = *(const guint *) a, j = *(const guint *) b;
  int order = strcmp (cs_delta_rows_get_function (self, i)->function, cs_delta_rows_get_function (self, j)->function);

  return order != 0 ? order : i < j ? -1 : i > j;
}

/**
 * cs_delta_rows_new:
 * @sides: what is compared
 * @key: which of the numbers
 * @threshold: smaller changes don't matter; in the key's unit
 * @error: where to say that a side doesn't have such a number
 *
 * Returns: (transfer full) (nullable): the comparison
 */
CsDeltaRows *
cs_delta_rows_new (CsCompareSides *sides, const char *key, double threshold, GError **error)
{
  const CsDiffOptions options = { .key = key, .threshold = threshold, .fail_over = -1 };
  CsDiff *diff = cs_diff_new_with_pairs (sides->base->report, sides->report, sides->pairs, &options, error);
  g_autofree guint *order = NULL;
  CsDeltaRows *self;

  if (diff == NULL)
    return NULL;
  self = g_atomic_rc_box_new0 (CsDeltaRows);
  self->sides = g_atomic_rc_box_acquire (sides);
  self->diff = diff;
  self->n = diff->rows->len;
  self->numbers = g_new (guint, (gsize) self->n + 1);
  self->ranks = g_new (guint, (gsize) self->n + 1);
  order = g_new (guint, (gsize) self->n + 1);
  for (guint i = 0; i < self->n; i++)
    {
      const CsDiffRow *row = cs_delta_rows_get (self, i);

      order[i] = i;
      if (row->new != NULL)
        self->numbers[i] = sides->pairs->new[row->new - (const CsReportRow *) (gpointer) sides->report->rows->data];
      else
        self->numbers[i] = sides->pairs->base[row->base - (const CsReportRow *) (gpointer) sides->base->report->rows->data];
    }
  g_qsort_with_data (order, (gint) self->n, sizeof *order, compare_names, self);
  for (guint i = 0; i < self->n; i++)
    self->ranks[order[i]] = i;
  return self;
}

/**
 * cs_delta_rows_get:
 * @self: a comparison
 * @row: less than how many there are
 *
 * Returns: (transfer none): the row
 */
const CsDiffRow *
cs_delta_rows_get (const CsDeltaRows *self, guint row)
{
  return &g_array_index (self->diff->rows, CsDiffRow, row);
}

/**
 * cs_delta_rows_get_function:
 * @self: a comparison
 * @row: less than how many there are
 *
 * Returns: (transfer none): the row's function, as the new recording has it, or else the base
 */
const CsReportRow *
cs_delta_rows_get_function (const CsDeltaRows *self, guint row)
{
  const CsDiffRow *both = cs_delta_rows_get (self, row);

  return both->new != NULL ? both->new : both->base;
}

/**
 * cs_delta_rows_find:
 * @self: a comparison
 * @number: of a function
 *
 * Returns: its row; %G_MAXUINT: there is none
 */
guint
cs_delta_rows_find (const CsDeltaRows *self, guint number)
{
  for (guint i = 0; i < self->n; i++)
    if (self->numbers[i] == number)
      return i;
  return G_MAXUINT;
}
