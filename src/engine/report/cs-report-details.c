/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/cs-report-object.h"
#include "report/cs-report-private.h"
#include "report/cs-report-slowest.h"

#define BAR_WIDTH 40
#define MOST_SIMILAR 3 /* names that are suggested in place of an unknown one */

/* The calls of one octave of durations: from `from' on and below twice that. */
typedef struct
{
  guint64 from, to; /* ns; to: not included, but of the last, where it is the largest number */
  guint64 calls;
} Octave;

static GArray *
collect_octaves (const CsFunction *function)
{
  GArray *octaves = g_array_new (FALSE, FALSE, sizeof (Octave));

  /* The first one of a histogram is linear and has all of the lower ones. */
  for (guint i = 0; i < 64; i++)
    {
      Octave octave = { .from = i > 0 ? G_GUINT64_CONSTANT (1) << (i - 1) : 0,
                        .to = i < 63 ? G_GUINT64_CONSTANT (1) << i : G_MAXUINT64 };

      octave.calls = cs_histogram_count (&function->histogram, octave.from, octave.to);
      if (octave.calls > 0 || octaves->len > 0)
        g_array_append_val (octaves, octave);
    }
  while (octaves->len > 0 && g_array_index (octaves, Octave, octaves->len - 1).calls == 0)
    g_array_set_size (octaves, octaves->len - 1);
  return octaves;
}

static void
put_histogram (CsReportWriter *writer, const CsFunction *function)
{
  g_autoptr (GArray) octaves = collect_octaves (function);
  guint64 most = 1;

  cs_report_writer_puts (writer, "      from        to     calls       %\n");
  for (guint i = 0; i < octaves->len; i++)
    most = MAX (most, g_array_index (octaves, Octave, i).calls);
  for (guint i = 0; i < octaves->len; i++)
    {
      const Octave *octave = &g_array_index (octaves, Octave, i);
      guint width = (guint) ((double) octave->calls / (double) most * BAR_WIDTH + 0.5);

      cs_report_writer_put_duration (writer, octave->from, 10);
      cs_report_writer_put_duration (writer, octave->to, 10);
      cs_report_writer_printf (writer, "%10" G_GUINT64_FORMAT "%8.2f  ", octave->calls,
                               100.0 * (double) octave->calls / (double) function->recorded);
      for (guint j = 0; j < MAX (width, octave->calls > 0); j++)
        cs_report_writer_puts (writer, "▇");
      cs_report_writer_puts (writer, "\n");
    }
}

static void
put_neighbours (CsReportWriter *writer, CsProfile *profile, const char *what, guint function, gboolean callers)
{
  guint n_functions, n;
  const CsFunction *functions = cs_profile_get_functions (profile, &n_functions);
  g_autofree CsCallEdge *edges = callers ? cs_profile_dup_callers (profile, function, &n)
                                         : cs_profile_dup_callees (profile, function, &n);

  cs_report_writer_printf (writer, "%s:%s\n", what, n == 0 ? " none" : "");
  for (guint i = 0; i < n; i++)
    {
      guint other = callers ? edges[i].caller : edges[i].callee;

      cs_report_writer_printf (writer, "%10" G_GUINT64_FORMAT, edges[i].calls);
      cs_report_put_ms (writer, edges[i].incl, 13);
      cs_report_put_ms (writer, edges[i].self, 13);
      cs_report_writer_puts (writer, "  ");
      cs_report_writer_put_plain (writer, other != G_MAXUINT ? functions[other].location.name : "(threads)", ';');
      cs_report_writer_puts (writer, "\n");
    }
}

static void
put_percentile (CsReportWriter *writer, const char *name, const CsFunction *function, guint per_mille)
{
  cs_report_writer_printf (writer, "  %s ", name);
  cs_report_writer_put_duration (writer,
                                 cs_histogram_percentile (&function->histogram, function->recorded, per_mille,
                                                          function->min, function->max),
                                 0);
}

static void
put_durations (CsReportWriter *writer, const CsFunction *function)
{
  cs_report_writer_puts (writer, "min ");
  cs_report_writer_put_duration (writer, function->min, 0);
  cs_report_writer_puts (writer, "  mean ");
  cs_report_writer_put_duration (writer, (guint64) (function->mean + 0.5), 0);
  if (function->deviation >= 0)
    {
      cs_report_writer_puts (writer, " ± ");
      cs_report_writer_put_duration (writer, (guint64) (function->deviation + 0.5), 0);
    }
  put_percentile (writer, "p50", function, 500);
  put_percentile (writer, "p90", function, 900);
  put_percentile (writer, "p99", function, 990);
  put_percentile (writer, "p99.9", function, 999);
  cs_report_writer_puts (writer, "  max ");
  cs_report_writer_put_duration (writer, function->max, 0);
  cs_report_writer_puts (writer, "\n");
}

static void
put_function (CsReportWriter *writer, CsProfile *profile, guint index)
{
  guint n;
  const CsFunction *function = &cs_profile_get_functions (profile, &n)[index];
  gboolean events = cs_profile_get_mode (profile) == CS_PROFILE_EVENTS;
  const CsSlowCall *slowest;

  cs_report_writer_puts (writer, "\n== ");
  cs_report_writer_put_plain (writer, function->location.name, ';');
  cs_report_put_location (writer, &function->location);
  cs_report_writer_puts (writer, " ==\n");
  cs_report_writer_printf (writer, "%" G_GUINT64_FORMAT " call%s by %u thread%s, %" G_GUINT64_FORMAT " with %s exit recorded:\n",
                           function->calls, function->calls == 1 ? "" : "s", function->n_threads,
                           function->n_threads == 1 ? "" : "s", function->recorded,
                           function->recorded == 1 ? "its" : "their");
  if (function->recorded > 0)
    {
      put_durations (writer, function);
      put_histogram (writer, function);
    }
  if (!events)
    return;
  put_neighbours (writer, profile, "callers: calls, incl_ms, self_ms", index, TRUE);
  put_neighbours (writer, profile, "callees: calls, incl_ms, self_ms", index, FALSE);
  slowest = cs_profile_get_slowest (profile, index, &n);
  if (n > 0)
    cs_report_writer_puts (writer, "slowest calls: duration_ms, start_s, tid, thread, path\n");
  for (guint i = 0; i < n; i++)
    cs_report_put_slow_call (writer, profile, &slowest[i]);
}

/* How many characters two names begin with in common, whatever their case. */
static gsize
count_common (const char *a, const char *b)
{
  gsize n = 0;

  while (a[n] != '\0' && g_ascii_tolower (a[n]) == g_ascii_tolower (b[n]))
    n++;
  return n;
}

/* Adds names that are like the one in lower case, until they are MOST_SIMILAR. */
static void
add_similar (GPtrArray *names, const CsFunction *const *rows, guint n, const char *wanted, gboolean anywhere)
{
  gsize enough = MAX (strlen (wanted) / 2, 3);

  for (guint i = 0; i < n && names->len < MOST_SIMILAR; i++)
    {
      const char *name = rows[i]->location.name;
      g_autofree char *lower = anywhere ? g_ascii_strdown (name, -1) : NULL;

      if (anywhere ? strstr (lower, wanted) != NULL : count_common (wanted, name) >= enough)
        g_ptr_array_add (names, g_strdup (name));
    }
}

/* The names that a person may have meant: those that have the text in them, otherwise those that begin like
 * it; the ones with most self time. */
static char *
list_similar (CsProfile *profile, const char *text)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *wanted = g_ascii_strdown (text, -1);
  guint n;
  g_autofree const CsFunction **rows = cs_report_dup_rows (profile, CS_SORT_SELF, &n);

  if (*wanted != '\0')
    add_similar (names, rows, n, wanted, TRUE);
  if (names->len == 0)
    add_similar (names, rows, n, wanted, FALSE);
  if (names->len == 0)
    return NULL;
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (char **) names->pdata);
}

/**
 * cs_report_check_function:
 * @profile: a profile
 * @function: glob for functions' names
 * @error: where to say that there is none of them, and which ones have names like it
 *
 * Returns: whether a function of the profile has such a name
 */
gboolean
cs_report_check_function (CsProfile *profile, const char *function, GError **error)
{
  guint n;
  const CsFunction *functions = cs_profile_get_functions (profile, &n);
  g_autofree char *text = NULL;
  g_autofree char *list = NULL;

  for (guint i = 0; i < n; i++)
    if (cs_function_name_matches (function, functions[i].location.name))
      return TRUE;
  text = g_strdelimit (g_strdup (function), "*?[]", ' ');
  list = list_similar (profile, g_strstrip (text));
  if (list != NULL)
    g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_INPUT, "no function named %s was called — did you mean %s?",
                 function, list);
  else
    g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_INPUT,
                 "no function named %s was called — analyze --top 0 lists all that were", function);
  return FALSE;
}

/**
 * cs_report_details_put_text:
 * @profile: a profile
 * @function: glob for functions' names
 * @writer: where to
 *
 * Writes what there is to know of each of these functions: the distribution of its durations, its
 * callers and callees, its slowest calls.
 */
void
cs_report_details_put_text (CsProfile *profile, const char *function, CsReportWriter *writer)
{
  guint n;
  const CsFunction *functions = cs_profile_get_functions (profile, &n);

  for (guint i = 0; i < n; i++)
    if (cs_function_name_matches (function, functions[i].location.name))
      put_function (writer, profile, i);
}

static void
put_neighbours_json (CsReportObject *object, CsProfile *profile, guint function, gboolean callers)
{
  guint n_functions, n;
  const CsFunction *functions = cs_profile_get_functions (profile, &n_functions);
  g_autofree CsCallEdge *edges = callers ? cs_profile_dup_callers (profile, function, &n)
                                         : cs_profile_dup_callees (profile, function, &n);

  cs_report_object_key (object, callers ? "callers" : "callees");
  cs_report_writer_puts (object->writer, "[");
  for (guint i = 0; i < n; i++)
    {
      guint other = callers ? edges[i].caller : edges[i].callee;
      CsReportObject row;

      cs_report_writer_puts (object->writer, i > 0 ? ",\n" : "");
      row = cs_report_object_begin (object->writer);
      cs_report_object_string (&row, "function", other != G_MAXUINT ? functions[other].location.name : NULL);
      cs_report_object_string (&row, "module", other != G_MAXUINT ? functions[other].location.module : NULL);
      cs_report_object_number (&row, "calls", edges[i].calls);
      cs_report_object_number (&row, "incl_ns", edges[i].incl);
      cs_report_object_number (&row, "self_ns", edges[i].self);
      cs_report_writer_puts (object->writer, "}");
    }
  cs_report_writer_puts (object->writer, "]");
}

static void
put_function_json (CsReportWriter *writer, CsProfile *profile, guint index)
{
  guint n;
  const CsFunction *function = &cs_profile_get_functions (profile, &n)[index];
  const CsSlowCall *slowest = cs_profile_get_slowest (profile, index, &n);
  g_autoptr (GArray) octaves = collect_octaves (function);
  CsReportObject row = cs_report_object_begin (writer);

  cs_report_object_string (&row, "function", function->location.name);
  cs_report_object_string (&row, "module", function->location.module);
  cs_report_object_key (&row, "histogram");
  cs_report_writer_puts (writer, "[");
  for (guint i = 0; i < octaves->len; i++)
    {
      const Octave *octave = &g_array_index (octaves, Octave, i);

      cs_report_writer_printf (writer, "%s[%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT "]",
                               i > 0 ? "," : "", octave->from, octave->to, octave->calls);
    }
  cs_report_writer_puts (writer, "]");
  put_neighbours_json (&row, profile, index, TRUE);
  put_neighbours_json (&row, profile, index, FALSE);
  cs_report_object_key (&row, "slowest");
  cs_report_writer_puts (writer, "[");
  for (guint i = 0; i < n; i++)
    {
      cs_report_writer_puts (writer, i > 0 ? ",\n" : "");
      cs_report_put_slow_call_json (writer, profile, &slowest[i]);
    }
  cs_report_writer_puts (writer, "]}");
}

/**
 * cs_report_details_put_json:
 * @profile: a profile
 * @function: glob for functions' names
 * @writer: where to
 *
 * Writes an array with what cs_report_details_put_text() tells. A histogram's elements are arrays
 * of the shortest duration, the one above the longest, and the number of calls.
 */
void
cs_report_details_put_json (CsProfile *profile, const char *function, CsReportWriter *writer)
{
  guint n;
  const CsFunction *functions = cs_profile_get_functions (profile, &n);
  gboolean found = FALSE;

  cs_report_writer_puts (writer, "[");
  for (guint i = 0; i < n; i++)
    if (cs_function_name_matches (function, functions[i].location.name))
      {
        cs_report_writer_puts (writer, found ? ",\n" : "\n");
        put_function_json (writer, profile, i);
        found = TRUE;
      }
  cs_report_writer_puts (writer, "]");
}
