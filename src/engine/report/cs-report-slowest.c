/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/cs-report-object.h"
#include "report/cs-report-private.h"
#include "report/cs-report-slowest.h"

/* Of a deeper path the text shows so many of its outermost and innermost functions. */
#define PATH_HEAD 4
#define PATH_TAIL 8

typedef struct
{
  const CsSlowCall *call;
  guint function;
} Row;

/* The functions of a path, outermost first. */
static guint *
dup_path (const CsCallNode *nodes, guint32 node, guint *n)
{
  guint *path;
  guint i = 0;

  for (guint32 at = node; at != 0; at = nodes[at].parent)
    i++;
  *n = i;
  path = g_new (guint, i + 1);
  for (guint32 at = node; at != 0; at = nodes[at].parent)
    path[--i] = nodes[at].function;
  return path;
}

static void
put_path (CsReportWriter *writer, CsProfile *profile, guint32 node)
{
  guint n_functions, n_nodes, n;
  const CsFunction *functions = cs_profile_get_functions (profile, &n_functions);
  g_autofree guint *path = dup_path (cs_profile_get_tree (profile, &n_nodes), node, &n);

  for (guint i = 0; i < n; i++)
    {
      if (i == PATH_HEAD && n > PATH_HEAD + PATH_TAIL)
        {
          cs_report_writer_printf (writer, " > … %u more …", n - PATH_HEAD - PATH_TAIL);
          i = n - PATH_TAIL;
        }
      cs_report_writer_puts (writer, i > 0 ? " > " : "");
      cs_report_writer_put_plain (writer, functions[path[i]].location.name, ';');
    }
}

/**
 * cs_report_put_slow_call:
 * @writer: where to
 * @profile: a profile
 * @call: one of its slow calls
 *
 * Writes a row of the text: duration, start, thread, path.
 */
void
cs_report_put_slow_call (CsReportWriter *writer, CsProfile *profile, const CsSlowCall *call)
{
  guint n;
  const CsThreadRow *thread = &cs_profile_get_threads (profile, &n)[call->thread];
  guint64 start = cs_profile_span (cs_profile_get_totals (profile)->origin, call->start);
  g_autofree char *seconds = g_strdup_printf ("%" G_GUINT64_FORMAT ".%09u", start / 1000000000, (guint) (start % 1000000000));

  cs_report_put_ms (writer, call->duration, 13);
  cs_report_writer_printf (writer, " %16s %10u  ", seconds, thread->tid);
  cs_report_writer_put_plain (writer, thread->name != NULL ? thread->name : "-", ';');
  cs_report_writer_puts (writer, "  ");
  put_path (writer, profile, call->node);
  cs_report_writer_puts (writer, "\n");
}

/**
 * cs_report_put_slow_call_json:
 * @writer: where to
 * @profile: a profile
 * @call: one of its slow calls
 *
 * Writes an object.
 */
void
cs_report_put_slow_call_json (CsReportWriter *writer, CsProfile *profile, const CsSlowCall *call)
{
  guint n_threads, n_functions, n_nodes, n;
  const CsThreadRow *thread = &cs_profile_get_threads (profile, &n_threads)[call->thread];
  const CsFunction *functions = cs_profile_get_functions (profile, &n_functions);
  g_autofree guint *path = dup_path (cs_profile_get_tree (profile, &n_nodes), call->node, &n);
  g_autofree const char **names = g_new0 (const char *, n + 1);
  CsReportObject row = cs_report_object_begin (writer);

  for (guint i = 0; i < n; i++)
    names[i] = functions[path[i]].location.name;
  cs_report_object_string (&row, "function", functions[path[n - 1]].location.name);
  cs_report_object_string (&row, "module", functions[path[n - 1]].location.module);
  cs_report_object_number (&row, "duration_ns", call->duration);
  cs_report_object_number (&row, "start_ns", cs_profile_span (cs_profile_get_totals (profile)->origin, call->start));
  cs_report_object_number (&row, "pid", thread->pid);
  cs_report_object_number (&row, "tid", thread->tid);
  cs_report_object_string (&row, "thread", thread->name);
  cs_report_object_strings (&row, "path", names);
  cs_report_writer_puts (writer, "}");
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const Row *x = a, *y = b;

  if (x->call->duration != y->call->duration)
    return x->call->duration < y->call->duration ? 1 : -1;
  if (x->call->start != y->call->start)
    return x->call->start < y->call->start ? -1 : 1;
  return x->function < y->function ? -1 : x->function > y->function;
}

/* The longest calls of all functions that are wanted. */
static GArray *
collect (CsProfile *profile, const CsReportOptions *options)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (Row));
  guint n_functions;
  const CsFunction *functions = cs_profile_get_functions (profile, &n_functions);

  for (guint i = 0; i < n_functions; i++)
    {
      guint n;
      const CsSlowCall *calls = cs_profile_get_slowest (profile, i, &n);

      if (options->function != NULL && !cs_function_name_matches (options->function, functions[i].location.name))
        continue;
      for (guint j = 0; j < n; j++)
        {
          const Row row = { &calls[j], i };

          g_array_append_val (rows, row);
        }
    }
  g_array_sort (rows, compare_rows);
  if (options->top > 0 && rows->len > options->top)
    g_array_set_size (rows, options->top);
  return rows;
}

/**
 * cs_report_write_slowest:
 * @profile: what to report, with as many slow calls of each function as the options want
 * @options: how many, of which functions, and whether as JSON
 * @writer: where to
 *
 * Writes the longest single calls: when, in which thread, by which path.
 *
 * Returns: whether it wasn't cancelled
 */
gboolean
cs_report_write_slowest (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer)
{
  g_autoptr (GArray) rows = collect (profile, options);

  if (options->json)
    {
      CsReportObject top = cs_report_object_begin (writer);

      cs_report_object_string (&top, "report", "slowest");
      cs_report_object_strings (&top, "notices", cs_report_get_notices (profile, options));
      cs_report_object_key (&top, "calls");
      cs_report_writer_puts (writer, "[");
    }
  else
    {
      cs_report_put_notices (writer, profile, options);
      cs_report_writer_puts (writer, "== SLOWEST CALLS ==\n");
      cs_report_writer_puts (writer, "  duration_ms          start_s        tid  thread  path\n");
    }
  for (guint i = 0; i < rows->len; i++)
    {
      const CsSlowCall *call = g_array_index (rows, Row, i).call;

      if (options->json)
        {
          cs_report_writer_puts (writer, i > 0 ? ",\n" : "\n");
          cs_report_put_slow_call_json (writer, profile, call);
        }
      else
        cs_report_put_slow_call (writer, profile, call);
    }
  if (options->json)
    cs_report_writer_puts (writer, "\n]}\n");
  else if (rows->len == 0)
    {
      cs_report_writer_puts (writer, "no call whose exit is recorded");
      if (options->function != NULL)
        {
          cs_report_writer_puts (writer, " of a function of that name: ");
          cs_report_writer_put_plain (writer, options->function, ';');
        }
      cs_report_writer_puts (writer, "\n");
    }
  return TRUE;
}
