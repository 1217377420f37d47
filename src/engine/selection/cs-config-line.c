/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-trace-config-private.h"

#define MAX_EVENTS 3 /* of one line, as of a whole file */
#define MOST_COMPARED 64 /* of more events it is said only that they are too many */
#define MAX_NAME 4095 /* bytes of a function's name, as of a pattern */

static const char *const kind_names[] = {
  [CS_DIRECTIVE_INCLUDE] = "include",
  [CS_DIRECTIVE_EXCLUDE] = "exclude",
  [CS_DIRECTIVE_INCLUDE_FUNC] = "include-func",
  [CS_DIRECTIVE_EXCLUDE_FUNC] = "exclude-func",
  [CS_DIRECTIVE_COUNTER] = "counter",
  [CS_DIRECTIVE_COUNTER_FUNC] = "counter-func",
  [CS_DIRECTIVE_COUNTER_FILE] = "counter-file",
  [CS_DIRECTIVE_COUNTER_MIN] = "counter-min",
};

static const char *const event_names[] = {
  "cycles", "instructions", "cache-references", "cache-misses", "branch-instructions", "branch-misses", "bus-cycles",
  "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles", "task-clock", "page-faults", "context-switches",
  "cpu-migrations", NULL,
};

/* A line from some place on. */
typedef struct
{
  const char *p;
  const char *end;
  char **reason; /* where to say what is wrong */
} Rest;

/**
 * cs_directive_kind_get_name:
 * @kind: a directive
 *
 * Returns: its first word
 */
const char *
cs_directive_kind_get_name (CsDirectiveKind kind)
{
  g_return_val_if_fail ((guint) kind < G_N_ELEMENTS (kind_names), NULL);
  return kind_names[kind];
}

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

static void
skip_blanks (Rest *rest)
{
  while (rest->p < rest->end && is_blank (*rest->p))
    rest->p++;
}

/* Behind blanks: nothing more that counts. */
static gboolean
is_over (const Rest *rest)
{
  return rest->p == rest->end || *rest->p == '#';
}

/* As much of a text as a message has room for. */
static char *
dup_shown (const char *text, gsize length)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) length);
  glong characters = g_utf8_strlen (valid, -1);
  g_autofree char *shown = g_utf8_substring (valid, 0, MIN (characters, 60));

  return g_strconcat (shown, characters > 60 ? "…" : "", NULL);
}

G_GNUC_PRINTF (2, 3)
static gboolean
fail (Rest *rest, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  *rest->reason = g_strdup_vprintf (format, args);
  va_end (args);
  return FALSE;
}

/* What lies between quotes; a backslash lets the next character be one. */
static char *
take_quoted (Rest *rest)
{
  g_autoptr (GString) value = g_string_new (NULL);

  for (rest->p++; rest->p < rest->end && *rest->p != '"'; rest->p++)
    {
      if (*rest->p == '\\' && rest->p + 1 < rest->end && (rest->p[1] == '"' || rest->p[1] == '\\'))
        rest->p++;
      g_string_append_c (value, *rest->p);
    }
  if (rest->p == rest->end)
    {
      fail (rest, "a '\"' has no second one — close the quotes");
      return NULL;
    }
  rest->p++;
  if (rest->p < rest->end && !is_blank (*rest->p))
    {
      fail (rest, "something follows the closing '\"' at once — write \\\" for a quote within quotes");
      return NULL;
    }
  skip_blanks (rest);
  return g_string_free (g_steal_pointer (&value), FALSE);
}

/* The rest of the line up to a comment. */
static char *
take_line (Rest *rest)
{
  const char *from = rest->p, *to;

  while (rest->p < rest->end && !(*rest->p == '#' && is_blank (rest->p[-1])))
    rest->p++;
  for (to = rest->p; to > from && is_blank (to[-1]); to--)
    continue;
  return g_strndup (from, (gsize) (to - from));
}

static char *
take_word (Rest *rest)
{
  const char *from = rest->p;

  while (rest->p < rest->end && !is_blank (*rest->p))
    rest->p++;
  return g_strndup (from, (gsize) (rest->p - from));
}

/* What follows the word "operator" in a C++ name, or NULL. */
static const char *
find_operator (const char *name)
{
  for (const char *p = name; (p = strstr (p, "operator")) != NULL; p++)
    {
      const char *behind = p + strlen ("operator");

      if ((p == name || !(g_ascii_isalnum (p[-1]) || p[-1] == '_')) && !g_ascii_isalnum (*behind) && *behind != '_')
        return behind;
    }
  return NULL;
}

/* Whether a C++ name goes on behind a blank: "operator new", "f<int, long>". */
static gboolean
name_goes_on (const char *name, const Rest *rest)
{
  const char *operator = find_operator (name);
  int open = 0;

  if (is_over (rest))
    return FALSE;
  if (operator != NULL)
    return *operator == '\0' && !g_ascii_isdigit (*rest->p);
  for (; *name != '\0'; name++)
    open += (*name == '<') - (*name == '>');
  return open > 0;
}

static char *
take_name (Rest *rest)
{
  g_autoptr (GString) name = g_string_new (NULL);

  if (rest->p < rest->end && *rest->p == '"')
    return take_quoted (rest);
  do
    {
      g_autofree char *word = take_word (rest);

      if (name->len > 0)
        g_string_append_c (name, ' ');
      g_string_append (name, word);
      skip_blanks (rest);
    }
  while (name->len <= MAX_NAME && name_goes_on (name->str, rest));
  return g_string_free (g_steal_pointer (&name), FALSE);
}

static gboolean
check_name (Rest *rest, const char *name)
{
  const char *operator = find_operator (name);
  gboolean calls = operator != NULL && g_str_has_prefix (operator, "()");

  if (*name == '\0')
    return fail (rest, "NAME is empty — write the name of a function");
  if (strlen (name) > MAX_NAME)
    return fail (rest, "NAME is longer than %d bytes — write the name of a function", MAX_NAME);
  if (strchr (calls ? operator + 2 : name, '(') != NULL)
    {
      g_autofree char *shown = dup_shown (name, strlen (name));

      return fail (rest, "'%s' has a parenthesis — write the name without parameters, and an unnamed namespace as "
                   "{anonymous}", shown);
    }
  return TRUE;
}

static gboolean
parse_depth (Rest *rest, int *depth)
{
  g_autofree char *word = take_word (rest);
  guint64 number;

  if (!g_ascii_string_to_unsigned (word, 10, 0, G_MAXINT, &number, NULL))
    {
      g_autofree char *shown = dup_shown (word, strlen (word));

      return fail (rest, "DEPTH must be a whole number from 0 on, not '%s' — write how many calls to follow, or put a name "
                   "with blanks in quotes", shown);
    }
  *depth = (int) number;
  skip_blanks (rest);
  return TRUE;
}

static gboolean
is_event (const char *name)
{
  gsize digits;

  if (g_strv_contains (event_names, name))
    return TRUE;
  digits = *name == 'r' ? strspn (name + 1, "0123456789abcdefABCDEF") : 0;
  return digits > 0 && digits <= 16 && name[1 + digits] == '\0';
}

static char **
split_events (const char *events)
{
  char **names = g_strsplit (events, ",", -1);

  for (guint i = 0; names[i] != NULL; i++)
    g_strstrip (names[i]);
  return names;
}

/**
 * cs_counter_events_count:
 * @events: what a counter directive names
 *
 * Returns: how many these are
 */
guint
cs_counter_events_count (const char *events)
{
  guint n = 1;

  for (; *events != '\0'; events++)
    n += *events == ',';
  return n;
}

/**
 * cs_counter_events_find_same:
 * @events: what a counter directive names
 * @others: what another one names
 *
 * Returns: (transfer full) (nullable): an event that both name
 */
char *
cs_counter_events_find_same (const char *events, const char *others)
{
  g_auto (GStrv) a = split_events (events);
  g_auto (GStrv) b = split_events (others);

  for (guint i = 0; a[i] != NULL; i++)
    if (g_strv_contains ((const char *const *) b, a[i]))
      return g_strdup (a[i]);
  return NULL;
}

static gboolean
check_events (Rest *rest, const char *events)
{
  guint n_names = cs_counter_events_count (events);
  g_auto (GStrv) names = n_names <= MOST_COMPARED ? split_events (events) : NULL;

  for (guint i = 0; names != NULL && i < n_names; i++)
    {
      if (!is_event (names[i]))
        {
          g_autofree char *shown = dup_shown (names[i], strlen (names[i]));
          g_autofree char *known = g_strjoinv (", ", (char **) event_names);

          return fail (rest, "'%s' is no event — use %s, or rNNNN with hexadecimal digits", shown, known);
        }
      for (guint j = 0; j < i; j++)
        if (strcmp (names[i], names[j]) == 0)
          return fail (rest, "%s is named twice — name it once", names[i]);
    }
  if (n_names > MAX_EVENTS)
    return fail (rest, "%u events are more than the %d that can be counted — take some out", n_names, MAX_EVENTS);
  return TRUE;
}

static gboolean
parse_min (Rest *rest, const char *value, gint64 *min_ns)
{
  static const struct
  {
    const char *unit;
    guint64 ns;
  } units[] = { { "", 1 }, { "ns", 1 }, { "us", 1000 }, { "µs", 1000 }, { "μs", 1000 }, { "ms", 1000 * 1000 } };
  gsize digits = strspn (value, "0123456789");
  g_autofree char *number = g_strndup (value, digits);
  g_autofree char *shown = NULL;
  guint64 n;

  if (strcmp (value, "auto") == 0)
    {
      *min_ns = -1;
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (value + digits, units[i].unit) == 0
        && g_ascii_string_to_unsigned (number, 10, 0, G_MAXINT64 / units[i].ns, &n, NULL))
      {
        *min_ns = (gint64) (n * units[i].ns);
        return TRUE;
      }
  shown = dup_shown (value, strlen (value));
  return fail (rest, "'%s' is no duration — write auto, 0, or a whole number of ns, us or ms, such as 500ns", shown);
}

static gboolean
parse_pattern (CsConfigLine *line, Rest *rest)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *shown = NULL;

  line->value = rest->p < rest->end && *rest->p == '"' ? take_quoted (rest) : take_line (rest);
  if (line->value == NULL)
    return FALSE;
  line->pattern = cs_pattern_new (line->value, &error);
  if (line->pattern != NULL)
    return TRUE;
  shown = dup_shown (line->value, strlen (line->value));
  return fail (rest, "'%s': %s", shown, error->message);
}

/* What follows the directive's first word. */
static gboolean
parse_value (CsConfigLine *line, Rest *rest)
{
  switch (line->kind)
    {
    case CS_DIRECTIVE_INCLUDE:
    case CS_DIRECTIVE_EXCLUDE:
    case CS_DIRECTIVE_COUNTER_FILE:
      return parse_pattern (line, rest);
    case CS_DIRECTIVE_INCLUDE_FUNC:
    case CS_DIRECTIVE_COUNTER_FUNC:
    case CS_DIRECTIVE_EXCLUDE_FUNC:
      line->value = take_name (rest);
      if (line->value == NULL || !check_name (rest, line->value))
        return FALSE;
      line->depth = line->kind == CS_DIRECTIVE_INCLUDE_FUNC ? CS_DEPTH_FULL : 0;
      return line->kind == CS_DIRECTIVE_EXCLUDE_FUNC || is_over (rest) || parse_depth (rest, &line->depth);
    case CS_DIRECTIVE_COUNTER:
      line->value = take_line (rest);
      return check_events (rest, line->value);
    case CS_DIRECTIVE_COUNTER_MIN:
      line->value = take_line (rest);
      return parse_min (rest, line->value, &line->min_ns);
    default:
      return FALSE;
    }
}

static const char *
get_wanted (CsDirectiveKind kind)
{
  switch (kind)
    {
    case CS_DIRECTIVE_INCLUDE:
    case CS_DIRECTIVE_EXCLUDE:
    case CS_DIRECTIVE_COUNTER_FILE:
      return "a path, a folder or a glob";
    case CS_DIRECTIVE_COUNTER:
      return "events, separated by commas";
    case CS_DIRECTIVE_COUNTER_MIN:
      return "auto, 0 or a duration such as 500ns";
    case CS_DIRECTIVE_INCLUDE_FUNC:
    case CS_DIRECTIVE_EXCLUDE_FUNC:
    case CS_DIRECTIVE_COUNTER_FUNC:
    default:
      return "the name of a function";
    }
}

static gboolean
parse_kind (CsConfigLine *line, Rest *rest)
{
  g_autofree char *word = take_word (rest);
  g_autofree char *shown = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (kind_names); i++)
    if (strcmp (word, kind_names[i]) == 0)
      {
        line->kind = (CsDirectiveKind) i;
        return TRUE;
      }
  shown = dup_shown (word, strlen (word));
  return fail (rest, "'%s' is no directive — use include, exclude, include-func, exclude-func, counter, counter-func, "
               "counter-file or counter-min, or begin a comment with #", shown);
}

/**
 * cs_config_line_parse:
 * @line: (out): what the line says; clear it with cs_config_line_clear()
 * @text: (array length=length): a line without its end
 * @length: its bytes
 * @reason: (out) (nullable): what is wrong; it begins with the directive, once that is known
 *
 * Takes a line apart.
 *
 * Returns: whether it is right; nothing is in @line if not
 */
gboolean
cs_config_line_parse (CsConfigLine *line, const char *text, gsize length, char **reason)
{
  Rest rest = { text, text + length, reason };
  g_autofree char *what = NULL;
  g_autofree char *more = NULL;
  const char *name;

  memset (line, 0, sizeof *line);
  skip_blanks (&rest);
  if (is_over (&rest))
    return TRUE;
  for (const char *p = rest.p; p < rest.end; p++)
    if (((guint8) *p < ' ' && *p != '\t') || *p == 0x7f)
      return fail (&rest, "there is a control character, 0x%02x — take it out", (guint) *p);
  if (!parse_kind (line, &rest))
    return FALSE;
  skip_blanks (&rest);
  name = kind_names[line->kind];
  if (is_over (&rest))
    return fail (&rest, "%s: there is nothing behind it — write %s", name, get_wanted (line->kind));
  if (parse_value (line, &rest))
    {
      if (is_over (&rest))
        {
          line->comment = rest.p < rest.end ? (gsize) (rest.p - text) : 0;
          return TRUE;
        }
      more = dup_shown (rest.p, (gsize) (rest.end - rest.p));
      fail (&rest, "'%s' is more than it takes — use a line for each, or put what has blanks in quotes", more);
    }
  cs_config_line_clear (line);
  what = *reason;
  *reason = g_strdup_printf ("%s: %s", name, what);
  return FALSE;
}

/**
 * cs_config_line_clear:
 * @line: a line
 *
 * Frees what it holds.
 */
void
cs_config_line_clear (CsConfigLine *line)
{
  g_clear_pointer (&line->value, g_free);
  g_clear_pointer (&line->pattern, cs_pattern_free);
}

static gboolean
needs_quotes (CsDirectiveKind kind, const char *value)
{
  gsize length = strlen (value);

  if (kind == CS_DIRECTIVE_COUNTER || kind == CS_DIRECTIVE_COUNTER_MIN)
    return FALSE;
  if (*value == '"' || *value == '#' || is_blank (*value) || (length > 0 && is_blank (value[length - 1])))
    return TRUE;
  if (kind != CS_DIRECTIVE_INCLUDE && kind != CS_DIRECTIVE_EXCLUDE && kind != CS_DIRECTIVE_COUNTER_FILE)
    return strpbrk (value, " \t") != NULL;
  return strstr (value, " #") != NULL || strstr (value, "\t#") != NULL;
}

/**
 * cs_config_line_compose:
 * @kind: a directive
 * @value: what it is about
 * @depth: of a directive with a function's name
 *
 * Returns: (transfer full): the line that says this, without its end, and quoted where it must be
 */
char *
cs_config_line_compose (CsDirectiveKind kind, const char *value, int depth)
{
  GString *line = g_string_new (cs_directive_kind_get_name (kind));

  g_string_append_c (line, ' ');
  if (needs_quotes (kind, value))
    {
      g_string_append_c (line, '"');
      for (; *value != '\0'; value++)
        {
          if (*value == '"' || *value == '\\')
            g_string_append_c (line, '\\');
          g_string_append_c (line, *value);
        }
      g_string_append_c (line, '"');
    }
  else
    g_string_append (line, value);
  if ((kind == CS_DIRECTIVE_INCLUDE_FUNC && depth != CS_DEPTH_FULL) || (kind == CS_DIRECTIVE_COUNTER_FUNC && depth != 0))
    g_string_append_printf (line, " %d", depth);
  return g_string_free (line, FALSE);
}
