/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "report/cs-json-text.h"
#include "report/cs-report-reader-private.h"
#include "report/cs-report.h"

#define NS_PER_MS 1000000.0

typedef enum
{
  STRING,
  NUMBER,
  BOOLEAN,
  OBJECT,
  ARRAY,
} Kind;

static const char *const kind_names[] = {
  [STRING] = "a string", [NUMBER] = "a number", [BOOLEAN] = "true or false", [OBJECT] = "an object", [ARRAY] = "an array",
};

static gboolean
is_kind (JsonNode *node, Kind kind)
{
  switch (kind)
    {
    case STRING:
      return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING;
    case NUMBER:
      return JSON_NODE_HOLDS_VALUE (node) &&
             (json_node_get_value_type (node) == G_TYPE_INT64 || json_node_get_value_type (node) == G_TYPE_DOUBLE);
    case BOOLEAN:
      return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_BOOLEAN;
    case OBJECT:
      return JSON_NODE_HOLDS_OBJECT (node);
    case ARRAY:
    default:
      return JSON_NODE_HOLDS_ARRAY (node);
    }
}

static const char *
describe (JsonNode *node)
{
  if (node == NULL)
    return "is missing";
  for (guint kind = 0; kind < G_N_ELEMENTS (kind_names); kind++)
    if (is_kind (node, (Kind) kind))
      return kind_names[kind];
  return "null";
}

static gboolean
fail_kind (const char *where, const char *field, JsonNode *node, Kind kind, GError **error)
{
  g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_INPUT, "%s%s %s%s, where %s is needed", where, field,
               node != NULL ? "is " : "", describe (node), kind_names[kind]);
  return FALSE;
}

/* where: "row 3, " or "". The member, NULL where it isn't there or null and needn't be; FALSE, and an
 * error, where it must be or is something else. */
static gboolean
get (JsonObject *object, const char *where, const char *field, Kind kind, gboolean needed, JsonNode **node, GError **error)
{
  *node = json_object_get_member (object, field);
  if (*node != NULL && JSON_NODE_HOLDS_NULL (*node) && !needed)
    *node = NULL;
  if (*node != NULL ? is_kind (*node, kind) : !needed)
    return TRUE;
  return fail_kind (where, field, *node, kind, error);
}

static gboolean
get_string (JsonObject *object, const char *where, const char *field, gboolean needed, const char **text, GError **error)
{
  JsonNode *node;

  if (!get (object, where, field, STRING, needed, &node, error))
    return FALSE;
  *text = node != NULL ? json_node_get_string (node) : NULL;
  return TRUE;
}

/* Adds a number to the last row. */
static gboolean
add_value (CsReportFile *self, const char *where, const char *key, JsonNode *node, GError **error)
{
  gboolean integer = json_node_get_value_type (node) == G_TYPE_INT64;
  double number = integer ? (double) json_node_get_int (node) : json_node_get_double (node);
  CsReportValue value = { .number = number };
  const char *why = NULL;

  if (g_str_has_suffix (key, "_ms"))
    {
      /* With six decimals a double tells ns apart up to 49 days. */
      number = round (number * NS_PER_MS);
      value.number = number;
      value.integer = number < (double) G_MAXINT64 ? (gint64) number : 0;
    }
  else if (integer)
    value.integer = json_node_get_int (node);
  else
    value.real = TRUE;

  if (!isfinite (number) || number >= (double) G_MAXINT64)
    why = "is too large a number";
  else if (number < 0)
    why = "is negative, which none is";
  if (why != NULL)
    {
      g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_INPUT, "%s%s %s", where, key, why);
      return FALSE;
    }
  value.key = cs_report_file_add_key (self, key);
  g_array_append_val (self->values, value);
  return TRUE;
}

/* Fields that must be numbers if they are there. Of others, those that are numbers are taken. */
static gboolean
must_be_number (const char *field)
{
  static const char *const names[] = { "calls", "open", "repaired", "threads", NULL };

  return g_str_has_suffix (field, "_ms") || g_str_has_suffix (field, "_ns") || g_strv_contains (names, field);
}

/* Of calls that have one: 0 says that there was none to measure. */
static gboolean
is_duration (const char *field)
{
  static const char *const names[] = { "min_ns", "max_ns", "max_ms", "mean_ns", "stddev_ns", "p50_ns", "p90_ns", "p99_ns",
                                       "p999_ns", NULL };

  return g_strv_contains (names, field);
}

static gboolean
add_values (CsReportFile *self, JsonObject *object, const char *where, GError **error)
{
  static const char *const needed[] = { "calls", "incl_ms", "self_ms" };
  JsonObjectIter iter;
  const char *field;
  JsonNode *node, *calls, *repaired;
  gboolean measured;

  for (guint i = 0; i < G_N_ELEMENTS (needed); i++)
    if (!get (object, where, needed[i], NUMBER, TRUE, &node, error))
      return FALSE;
  if (!get (object, where, "calls", NUMBER, TRUE, &calls, error) ||
      !get (object, where, "repaired", NUMBER, FALSE, &repaired, error))
    return FALSE;
  measured = json_node_get_double (calls) > (repaired != NULL ? json_node_get_double (repaired) : 0);
  json_object_iter_init (&iter, object);
  while (json_object_iter_next (&iter, &field, &node))
    {
      if (must_be_number (field) && !get (object, where, field, NUMBER, FALSE, &node, error))
        return FALSE;
      if (!measured && is_duration (field))
        continue;
      if (node != NULL && is_kind (node, NUMBER) && !add_value (self, where, field, node, error))
        return FALSE;
    }
  return TRUE;
}

/* "counters": {EVENT: {"calls", "total", "self", "per_call"}}: keys EVENT, EVENT_self and EVENT_per_call. */
static gboolean
add_counters (CsReportFile *self, JsonObject *object, const char *where, GError **error)
{
  static const struct { const char *field, *suffix; } fields[] = {
    { "total", "" }, { "self", "_self" }, { "per_call", "_per_call" }
  };
  JsonObjectIter iter;
  const char *event;
  JsonNode *node;

  if (!get (object, where, "counters", OBJECT, FALSE, &node, error))
    return FALSE;
  if (node == NULL)
    return TRUE;
  json_object_iter_init (&iter, json_node_get_object (node));
  while (json_object_iter_next (&iter, &event, &node))
    {
      g_autofree char *inside = g_strdup_printf ("%scounters, %s, ", where, event);
      JsonObject *counter = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;

      if (counter == NULL)
        {
          g_autofree char *name = g_strconcat ("counters, ", event, NULL);

          return fail_kind (where, name, node, OBJECT, error);
        }
      for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
        {
          g_autofree char *key = g_strconcat (event, fields[i].suffix, NULL);

          if (!get (counter, inside, fields[i].field, NUMBER, i == 0, &node, error) ||
              (node != NULL && !json_object_has_member (object, key) && !add_value (self, where, key, node, error)))
            return FALSE;
        }
    }
  return TRUE;
}

/* FILE:LINE. The reference implementation writes ??:0 and ??:? where addr2line knows none. */
static void
set_location (CsReportFile *self, CsReportRow *row, const char *location)
{
  const char *colon;
  g_autofree char *file = NULL;
  guint64 line;

  if (location == NULL || *location == '\0' || g_str_has_prefix (location, "??"))
    return;
  colon = strrchr (location, ':');
  if (colon != NULL && (g_str_equal (colon, ":?") || g_ascii_string_to_unsigned (colon + 1, 10, 0, G_MAXUINT, &line, NULL)))
    {
      file = g_strndup (location, (gsize) (colon - location));
      row->line = g_str_equal (colon, ":?") ? 0 : (guint) line;
    }
  row->file = cs_report_file_add_string (self, file != NULL ? file : location);
}

static gboolean
add_row (CsReportFile *self, JsonObject *object, guint number, GError **error)
{
  g_autofree char *where = g_strdup_printf ("row %u, ", number);
  const char *function, *location, *module;
  CsReportRow row = { .first_value = self->values->len };

  if (!get_string (object, where, "function", TRUE, &function, error) ||
      !get_string (object, where, "location", FALSE, &location, error) ||
      !get_string (object, where, "module", FALSE, &module, error) ||
      !add_values (self, object, where, error) || !add_counters (self, object, where, error))
    return FALSE;
  row.function = cs_report_file_add_string (self, function);
  row.module = module != NULL && *module != '\0' ? cs_report_file_add_string (self, module) : NULL;
  set_location (self, &row, location);
  row.n_values = self->values->len - row.first_value;
  g_array_append_val (self->rows, row);
  return TRUE;
}

static gboolean
read_notices (CsReportFile *self, JsonObject *object, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  JsonNode *node;

  if (!get (object, "", "notices", ARRAY, FALSE, &node, error))
    return FALSE;
  if (node != NULL)
    {
      JsonArray *notices = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (notices); i++)
        {
          JsonNode *notice = json_array_get_element (notices, i);

          if (!is_kind (notice, STRING))
            return fail_kind ("", "one of notices", notice, STRING, error);
          g_strv_builder_add (builder, json_node_get_string (notice));
        }
    }
  self->notices = g_strv_builder_end (builder);
  return TRUE;
}

/* The program, where all processes ran the same. */
static gboolean
read_program (CsReportFile *self, JsonObject *object, GError **error)
{
  JsonArray *processes;
  JsonNode *node;

  if (!get (object, "", "processes", ARRAY, FALSE, &node, error))
    return FALSE;
  processes = node != NULL ? json_node_get_array (node) : NULL;
  for (guint i = 0; processes != NULL && i < json_array_get_length (processes); i++)
    {
      g_autofree char *where = g_strdup_printf ("processes, %u, ", i + 1);
      const char *exe;

      node = json_array_get_element (processes, i);
      if (!JSON_NODE_HOLDS_OBJECT (node))
        return fail_kind ("", "one of processes", node, OBJECT, error);
      if (!get_string (json_node_get_object (node), where, "exe", FALSE, &exe, error))
        return FALSE;
      if (exe == NULL || (self->program != NULL && !g_str_equal (self->program, exe)))
        {
          g_clear_pointer (&self->program, g_free);
          break;
        }
      g_free (self->program);
      self->program = g_strdup (exe);
    }
  return TRUE;
}

/* What is not in the rows. */
static gboolean
read_head (CsReportFile *self, JsonObject *object, GError **error)
{
  static const char *const numbers[] = { "events", "threads", "span_ms", "unmatched_exits", "unclosed_enters" };
  const char *mode;
  JsonNode *node;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!get (object, "", numbers[i], NUMBER, FALSE, &node, error))
      return FALSE;
  if (!get (object, "", "functions", NUMBER, FALSE, &node, error))
    return FALSE;
  self->n_functions = node != NULL ? (guint64) CLAMP (json_node_get_double (node), 0, G_MAXUINT32) : 0;
  if (!get (object, "", "overhead_subtracted", BOOLEAN, FALSE, &node, error))
    return FALSE;
  self->overhead_subtracted = node != NULL && json_node_get_boolean (node);
  if (!get_string (object, "", "mode", FALSE, &mode, error))
    return FALSE;
  self->mode = g_strdup (mode);
  return read_notices (self, object, error) && read_program (self, object, error);
}

static JsonObject *
parse_object (JsonParser *parser, const char *text, gsize length, const char *where, GError **error)
{
  g_autoptr (GError) reason = NULL;
  JsonNode *root;

  if (!json_parser_load_from_data (parser, text, (gssize) length, &reason))
    {
      const char *place = strstr (reason->message, ": ");

      /* Lines are counted from the piece's beginning, and say nothing. */
      g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_INPUT, "%s%s", where,
                   reason->message[0] == '<' && place != NULL ? place + 2 : reason->message);
      return NULL;
    }
  root = json_parser_get_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    return json_node_get_object (root);
  g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_INPUT, "%sit is no object", where);
  return NULL;
}

/**
 * cs_report_file_parse_json:
 * @self: an empty report
 * @text: UTF-8
 * @length: its bytes
 * @cancellable: (nullable): to give up early
 * @error: where to say what is wrong, in which row and field
 *
 * Reads the object that docs/formats.md describes, a row at a time.
 *
 * Returns: whether it is one
 */
gboolean
cs_report_file_parse_json (CsReportFile *self, const char *text, gsize length, GCancellable *cancellable, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GArray) slices = g_array_new (FALSE, FALSE, sizeof (CsJsonSlice));
  g_autoptr (GString) rest = g_string_new (NULL);
  JsonObject *object;

  if (!cs_json_text_check (text, length, "rows", slices, rest, error))
    return FALSE;
  object = parse_object (parser, rest->str, rest->len, "", error);
  if (object == NULL || !read_head (self, object, error))
    return FALSE;
  for (guint i = 0; i < slices->len; i++)
    {
      const CsJsonSlice *slice = &g_array_index (slices, CsJsonSlice, i);
      g_autofree char *where = g_strdup_printf ("row %u: ", i + 1);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      object = parse_object (parser, text + slice->start, slice->end - slice->start, where, error);
      if (object == NULL || !add_row (self, object, i + 1, error))
        return FALSE;
    }
  if (slices->len == 0)
    {
      g_set_error_literal (error, CS_REPORT_ERROR, CS_REPORT_ERROR_INPUT, "it has no rows");
      return FALSE;
    }
  return TRUE;
}
