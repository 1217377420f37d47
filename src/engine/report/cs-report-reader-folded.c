/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/cs-report-reader-private.h"
#include "report/cs-report.h"

static gboolean
fail (guint line, const char *why, GError **error)
{
  g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_INPUT,
               "it does not begin as JSON does, and as folded call paths line %u %s", line, why);
  return FALSE;
}

/* A line: frames, a space, and ns in decimal. */
static gboolean
parse_line (CsReportFile *self, char *line, guint number, GError **error)
{
  char *space = strrchr (line, ' ');
  guint64 ns;
  CsReportPath path;

  if (space == NULL || space == line || !g_ascii_isdigit (space[1]))
    return fail (number, "does not end in a space and a number", error);
  if (!g_ascii_string_to_unsigned (space + 1, 10, 0, G_MAXINT64, &ns, NULL))
    return fail (number, "ends in what is no whole number, or too large", error);
  *space = '\0';
  path = (CsReportPath){ cs_report_file_add_string (self, line), (gint64) ns };
  g_array_append_val (self->paths, path);
  return TRUE;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (((const CsReportPath *) a)->path, ((const CsReportPath *) b)->path);
}

/* Functions with the same name make the same path. */
static gboolean
merge_paths (CsReportFile *self, GError **error)
{
  CsReportPath *paths = (CsReportPath *) (gpointer) self->paths->data;
  guint n = 0;

  g_array_sort (self->paths, compare_paths);
  for (guint i = 0; i < self->paths->len; i++)
    {
      if (n == 0 || strcmp (paths[n - 1].path, paths[i].path) != 0)
        paths[n++] = paths[i];
      else if (__builtin_add_overflow (paths[n - 1].self, paths[i].self, &paths[n - 1].self))
        {
          g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_INPUT, "the times of one call path add up to more than "
                       "292 years");
          return FALSE;
        }
    }
  g_array_set_size (self->paths, n);
  return TRUE;
}

/* A row a function: the time of the paths that end in it. */
static gboolean
make_rows (CsReportFile *self, GError **error)
{
  g_autoptr (GHashTable) indices = g_hash_table_new (g_str_hash, g_str_equal);
  const guint keys[] = { cs_report_file_add_key (self, "self_ms"), cs_report_file_add_key (self, "self_ns") };

  for (guint i = 0; i < self->paths->len; i++)
    {
      const CsReportPath *path = &g_array_index (self->paths, CsReportPath, i);
      const char *semicolon = strrchr (path->path, ';');
      const char *function = semicolon != NULL ? semicolon + 1 : path->path;
      guint index = GPOINTER_TO_UINT (g_hash_table_lookup (indices, function));
      CsReportValue *values;

      if (index == 0)
        {
          CsReportRow row = { .function = function, .first_value = self->values->len, .n_values = G_N_ELEMENTS (keys) };

          g_array_append_val (self->rows, row);
          index = self->rows->len;
          g_hash_table_insert (indices, (gpointer) function, GUINT_TO_POINTER (index));
          g_array_set_size (self->values, self->values->len + G_N_ELEMENTS (keys));
        }
      values = &g_array_index (self->values, CsReportValue,
                               g_array_index (self->rows, CsReportRow, index - 1).first_value);
      for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
        {
          values[k].key = keys[k];
          if (__builtin_add_overflow (values[k].integer, path->self, &values[k].integer))
            {
              g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_INPUT, "the times of \"%s\" add up to more than 292 years",
                           function);
              return FALSE;
            }
          values[k].number = (double) values[k].integer;
        }
    }
  self->n_functions = self->rows->len;
  return TRUE;
}

/**
 * cs_report_file_parse_folded:
 * @self: an empty report
 * @text: UTF-8
 * @length: its bytes
 * @error: where to say what is wrong, and in which line
 *
 * Reads a line a call path: frames with semicolons between them, a space, and its own time in ns.
 *
 * Returns: whether it could be read
 */
gboolean
cs_report_file_parse_folded (CsReportFile *self, const char *text, gsize length, GError **error)
{
  const char *end = text + length;
  guint number = 0;

  self->folded = TRUE;
  while (text < end)
    {
      const char *newline = memchr (text, '\n', (gsize) (end - text));
      const char *stop = newline != NULL ? newline : end;
      g_autofree char *line = g_strndup (text, (gsize) (stop - text));

      number++;
      g_strchomp (line);
      if (*line != '\0' && !parse_line (self, line, number, error))
        return FALSE;
      text = newline != NULL ? newline + 1 : end;
    }
  return merge_paths (self, error) && make_rows (self, error);
}
