/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "tables/cs-function-columns.h"
#include "shared/cs-format.h"

static const CsColumn columns[CS_N_COLUMNS] = {
  [CS_COLUMN_FUNCTION] = { "function", N_("Function"), N_("The function’s name, its place, and its share of all self time"),
                           "function", CS_COLUMN_TEXT, TRUE, FALSE },
  [CS_COLUMN_CALLS] = { "calls", N_("Calls"), N_("Calls that ended, in all threads together"), "calls", CS_COLUMN_COUNT,
                        TRUE, FALSE },
  [CS_COLUMN_SELF] = { "self", N_("Self"), N_("Time in the function itself, without the recorded functions that it calls"),
                       "self_ns", CS_COLUMN_TIME, TRUE, FALSE },
  [CS_COLUMN_SELF_SHARE] = { "self-share", N_("% Self"), N_("Self time as a share of that of all functions"), "self_share",
                             CS_COLUMN_SHARE, FALSE, FALSE },
  [CS_COLUMN_INCLUSIVE] = { "inclusive", N_("Inclusive"),
                            N_("Time from enter to exit of every call; recursive calls count each"), "incl_ns",
                            CS_COLUMN_TIME, TRUE, FALSE },
  [CS_COLUMN_TOTAL] = { "total", N_("Total"), N_("Time from enter to exit of outermost calls alone"), "total_ns",
                        CS_COLUMN_TIME, FALSE, TRUE },
  [CS_COLUMN_MEAN] = { "mean", N_("Mean"), N_("Mean duration of a call"), "mean_ns", CS_COLUMN_MEAN_TIME, FALSE, FALSE },
  [CS_COLUMN_MIN] = { "min", N_("Min"), N_("Duration of the shortest call"), "min_ns", CS_COLUMN_TIME, FALSE, FALSE },
  [CS_COLUMN_P50] = { "p50", N_("p50"), N_("Half of the calls took at most this long"), "p50_ns", CS_COLUMN_TIME, TRUE,
                      FALSE },
  [CS_COLUMN_P90] = { "p90", N_("p90"), N_("90 % of the calls took at most this long"), "p90_ns", CS_COLUMN_TIME, FALSE,
                      FALSE },
  [CS_COLUMN_P99] = { "p99", N_("p99"), N_("99 % of the calls took at most this long"), "p99_ns", CS_COLUMN_TIME, TRUE,
                      FALSE },
  [CS_COLUMN_P999] = { "p999", N_("p99.9"), N_("99.9 % of the calls took at most this long"), "p999_ns", CS_COLUMN_TIME,
                       FALSE, FALSE },
  [CS_COLUMN_MAX] = { "max", N_("Max"), N_("Duration of the longest call"), "max_ns", CS_COLUMN_TIME, TRUE, FALSE },
  [CS_COLUMN_DEVIATION] = { "deviation", N_("σ"), N_("Standard deviation of the calls’ durations"), "stddev_ns",
                            CS_COLUMN_MEAN_TIME, FALSE, TRUE },
  [CS_COLUMN_THREADS] = { "threads", N_("Threads"), N_("Threads that called the function"), "threads", CS_COLUMN_COUNT,
                          FALSE, FALSE },
  [CS_COLUMN_CALLERS] = { "callers", N_("Callers"), N_("Functions that call it"), "callers", CS_COLUMN_COUNT, FALSE, TRUE },
  [CS_COLUMN_CALLEES] = { "callees", N_("Callees"), N_("Functions that it calls"), "callees", CS_COLUMN_COUNT, FALSE, TRUE },
  [CS_COLUMN_HOOK_SHARE] = { "hook-share", N_("Hooks"),
                             N_("Share of the self time that recording itself took; over 30 % the time tells little"),
                             "hook_share", CS_COLUMN_SHARE, FALSE, TRUE },
  [CS_COLUMN_CHOSEN] = { "chosen", N_("Chosen"), N_("Whether the function was chosen to be recorded"), "chosen",
                         CS_COLUMN_CHOICE, FALSE, FALSE },
  [CS_COLUMN_REPAIRED] = { "repaired", N_("Repaired"), N_("Calls whose exit wasn’t recorded, and that were closed without"),
                           "repaired", CS_COLUMN_COUNT, FALSE, TRUE },
  [CS_COLUMN_OPEN] = { "open", N_("Open"), N_("Calls that hadn’t ended when recording did; not among the calls"), "open",
                       CS_COLUMN_COUNT, FALSE, TRUE },
  [CS_COLUMN_CLIPPED] = { "clipped", N_("Clipped"),
                          N_("Calls that are partly outside of the time range; not among the calls"), "clipped",
                          CS_COLUMN_COUNT, FALSE, TRUE },
  [CS_COLUMN_MODULE] = { "module", N_("Module"), N_("The program or library that the function is in"), "module",
                         CS_COLUMN_TEXT, FALSE, FALSE },
  [CS_COLUMN_LOCATION] = { "location", N_("Location"), N_("The function’s source file and line"), "location",
                           CS_COLUMN_TEXT, FALSE, FALSE },
};

/**
 * cs_column_get:
 * @id: a column
 *
 * Returns: what there is to know of it
 */
const CsColumn *
cs_column_get (CsColumnId id)
{
  return &columns[id];
}

/**
 * cs_column_find:
 * @name: a column's name in settings
 * @id: (out): the column
 *
 * Returns: whether there is one
 */
gboolean
cs_column_find (const char *name, CsColumnId *id)
{
  for (guint i = 0; i < CS_N_COLUMNS; i++)
    if (g_str_equal (columns[i].id, name))
      {
        *id = (CsColumnId) i;
        return TRUE;
      }
  return FALSE;
}

/**
 * cs_value_new:
 * @number: a count, or ns
 *
 * Returns: the same as a value: greater numbers have greater values
 */
guint64
cs_value_new (guint64 number)
{
  return number < G_MAXUINT64 ? number + 1 : number;
}

/**
 * cs_value_new_double:
 * @number: a number; negative: not known
 *
 * Returns: the same as a value: the bits of numbers that aren't negative have the numbers' order
 */
guint64
cs_value_new_double (double number)
{
  guint64 bits;

  if (!(number >= 0))
    return CS_VALUE_UNKNOWN;
  /* Of the two zeros only this one is less than all others. */
  number += 0.0;
  memcpy (&bits, &number, sizeof bits);
  return bits + 1;
}

/**
 * cs_value_get:
 * @value: of cs_value_new(), and known
 *
 * Returns: its number
 */
guint64
cs_value_get (guint64 value)
{
  return value - 1;
}

/**
 * cs_value_get_double:
 * @value: of cs_value_new_double(), and known
 *
 * Returns: its number
 */
double
cs_value_get_double (guint64 value)
{
  guint64 bits = value - 1;
  double number;

  memcpy (&number, &bits, sizeof number);
  return number;
}

static guint64
make_percentile (const CsFunction *function, guint per_mille)
{
  return function->recorded > 0 ? cs_value_new (cs_histogram_percentile (&function->histogram, function->recorded,
                                                                         per_mille, function->min, function->max))
                                : CS_VALUE_UNKNOWN;
}

/* A hook's cost is measured between enter and exit of a call that does nothing: a call has that much in its self time,
 * and as much again for each call that it makes. */
static guint64
make_hook_share (CsProfile *profile, const CsFunction *function, guint64 child_calls)
{
  double hooks = (double) cs_profile_get_totals (profile)->hook_ns;

  if (!(hooks > 0) || function->self == 0)
    return CS_VALUE_UNKNOWN;
  hooks *= (double) function->calls + (double) child_calls;
  return cs_value_new_double (MIN (hooks / (double) function->self, 1));
}

static guint64
make_choice (CsChoice choice)
{
  switch (choice)
    {
    case CS_CHOICE_NO:
      return cs_value_new (0);
    case CS_CHOICE_YES:
      return cs_value_new (1);
    case CS_CHOICE_UNKNOWN:
    default:
      return CS_VALUE_UNKNOWN;
    }
}

/**
 * cs_column_make_value:
 * @id: a column that isn't of text
 * @profile: a profile
 * @function: one of its functions
 * @child_calls: how many calls it makes
 * @choice: whether it was chosen
 *
 * Returns: what the function has in the column
 */
guint64
cs_column_make_value (CsColumnId id, CsProfile *profile, const CsFunction *function, guint64 child_calls,
                      CsChoice choice)
{
  guint64 all = cs_profile_get_totals (profile)->self;
  gboolean recorded = function->recorded > 0;

  if (columns[id].of_events && cs_profile_get_mode (profile) == CS_PROFILE_SUMMARY)
    return CS_VALUE_UNKNOWN;
  switch (id)
    {
    case CS_COLUMN_CALLS:
      return cs_value_new (function->calls);
    case CS_COLUMN_SELF:
      return cs_value_new (function->self);
    case CS_COLUMN_SELF_SHARE:
      return all > 0 ? cs_value_new_double ((double) function->self / (double) all) : CS_VALUE_UNKNOWN;
    case CS_COLUMN_INCLUSIVE:
      return cs_value_new (function->incl);
    case CS_COLUMN_TOTAL:
      return cs_value_new (function->total);
    case CS_COLUMN_MEAN:
      return recorded ? cs_value_new_double (function->mean) : CS_VALUE_UNKNOWN;
    case CS_COLUMN_MIN:
      return recorded ? cs_value_new (function->min) : CS_VALUE_UNKNOWN;
    case CS_COLUMN_P50:
      return make_percentile (function, 500);
    case CS_COLUMN_P90:
      return make_percentile (function, 900);
    case CS_COLUMN_P99:
      return make_percentile (function, 990);
    case CS_COLUMN_P999:
      return make_percentile (function, 999);
    case CS_COLUMN_MAX:
      return recorded ? cs_value_new (function->max) : CS_VALUE_UNKNOWN;
    case CS_COLUMN_DEVIATION:
      return recorded ? cs_value_new_double (function->deviation) : CS_VALUE_UNKNOWN;
    case CS_COLUMN_THREADS:
      return cs_value_new (function->n_threads);
    case CS_COLUMN_CALLERS:
      return cs_value_new (function->n_callers);
    case CS_COLUMN_CALLEES:
      return cs_value_new (function->n_callees);
    case CS_COLUMN_HOOK_SHARE:
      return make_hook_share (profile, function, child_calls);
    case CS_COLUMN_CHOSEN:
      return make_choice (choice);
    case CS_COLUMN_REPAIRED:
      return cs_value_new (function->repaired);
    case CS_COLUMN_OPEN:
      return cs_value_new (function->open);
    case CS_COLUMN_CLIPPED:
      return cs_value_new (function->clipped);
    case CS_COLUMN_FUNCTION:
    case CS_COLUMN_MODULE:
    case CS_COLUMN_LOCATION:
    case CS_N_COLUMNS:
    default:
      g_return_val_if_reached (CS_VALUE_UNKNOWN);
    }
}

/* With three significant digits: 71.3 % */
static char *
format_share (double share)
{
  double percent = 100 * share;

  return g_strdup_printf (percent < 9.995 ? "%.2f %%" : percent < 99.95 ? "%.1f %%" : "%.0f %%", percent);
}

/**
 * cs_column_dup_cell:
 * @id: a column that isn't of text
 * @value: a value of it
 *
 * Returns: (transfer full): the value as a cell shows it
 */
char *
cs_column_dup_cell (CsColumnId id, guint64 value)
{
  if (value == CS_VALUE_UNKNOWN)
    return g_strdup ("–");
  switch (columns[id].kind)
    {
    case CS_COLUMN_TIME:
      return cs_format_duration (cs_value_get (value));
    case CS_COLUMN_MEAN_TIME:
      return cs_format_duration ((guint64) (cs_value_get_double (value) + 0.5));
    case CS_COLUMN_SHARE:
      return format_share (cs_value_get_double (value));
    case CS_COLUMN_CHOICE:
      return g_strdup (cs_value_get (value) != 0 ? _("yes") : _("no"));
    case CS_COLUMN_COUNT:
    case CS_COLUMN_TEXT:
    default:
      return cs_format_count (cs_value_get (value));
    }
}

/**
 * cs_column_dup_exact:
 * @id: a column that isn't of text
 * @value: a value of it
 *
 * Returns: (transfer full): the value with all its digits and its unit
 */
char *
cs_column_dup_exact (CsColumnId id, guint64 value)
{
  g_autofree char *count = NULL;
  double number;

  if (value == CS_VALUE_UNKNOWN)
    return g_strdup (_("not known"));
  switch (columns[id].kind)
    {
    case CS_COLUMN_TIME:
      count = cs_format_count (cs_value_get (value));
      return g_strdup_printf (_("%s ns"), count);
    case CS_COLUMN_MEAN_TIME:
      return g_strdup_printf (_("%'.3f ns"), cs_value_get_double (value));
    case CS_COLUMN_SHARE:
      number = cs_value_get_double (value);
      if (id == CS_COLUMN_HOOK_SHARE && number > CS_HOOK_SHARE_LIMIT)
        return g_strdup_printf (_("%.4f %% of the self time went into recording: it tells little"), 100 * number);
      return g_strdup_printf ("%.4f %%", 100 * number);
    case CS_COLUMN_CHOICE:
      return g_strdup (cs_value_get (value) != 0 ? _("It was chosen to be recorded")
                                                 : _("It wasn’t chosen to be recorded, but is"));
    case CS_COLUMN_COUNT:
    case CS_COLUMN_TEXT:
    default:
      return cs_format_count (cs_value_get (value));
    }
}

/**
 * cs_column_dup_plain:
 * @id: a column that isn't of text
 * @value: a value of it
 *
 * Returns: (transfer full): the value for programs, in no locale; times in ns; empty where it isn't known
 */
char *
cs_column_dup_plain (CsColumnId id, guint64 value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (value == CS_VALUE_UNKNOWN)
    return g_strdup ("");
  switch (columns[id].kind)
    {
    case CS_COLUMN_MEAN_TIME:
      return g_strdup (g_ascii_formatd (text, sizeof text, "%.3f", cs_value_get_double (value)));
    case CS_COLUMN_SHARE:
      return g_strdup (g_ascii_formatd (text, sizeof text, "%.6f", cs_value_get_double (value)));
    case CS_COLUMN_CHOICE:
      return g_strdup (cs_value_get (value) != 0 ? "true" : "false");
    case CS_COLUMN_TIME:
    case CS_COLUMN_COUNT:
    case CS_COLUMN_TEXT:
    default:
      return g_strdup_printf ("%" G_GUINT64_FORMAT, cs_value_get (value));
    }
}

/**
 * cs_location_dup_file:
 * @location: a location
 *
 * Returns: (transfer full): its file and line, as text; empty where they aren't known
 */
char *
cs_location_dup_file (const CsLocation *location)
{
  g_autofree char *file = location->file != NULL ? g_utf8_make_valid (location->file, -1) : NULL;

  if (file == NULL)
    return g_strdup ("");
  return location->line > 0 ? g_strdup_printf ("%s:%u", file, location->line) : g_steal_pointer (&file);
}

/**
 * cs_location_dup_module:
 * @location: a location
 *
 * Returns: (transfer full): its module's name, as text; empty where it isn't known
 */
char *
cs_location_dup_module (const CsLocation *location)
{
  g_autofree char *name = location->module != NULL ? g_path_get_basename (location->module) : g_strdup ("");

  return g_utf8_make_valid (name, -1);
}

/**
 * cs_location_dup_place:
 * @location: a location
 *
 * Returns: (transfer full): its file and line or else its module, as text
 */
char *
cs_location_dup_place (const CsLocation *location)
{
  return location->file != NULL ? cs_location_dup_file (location) : cs_location_dup_module (location);
}
