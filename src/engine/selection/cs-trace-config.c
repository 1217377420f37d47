/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "selection/cs-trace-config-private.h"

#define MAX_SIZE CS_TRACE_CONFIG_MAX_SIZE
#define MAX_EVENTS 3       /* that one file may name */
#define TOO_LONG "it would be longer than 1 MiB — take something out"
#define BOM "\xef\xbb\xbf"

typedef struct
{
  char *text;         /* with its line ending */
  gsize length;       /* without it */
  CsConfigLine parsed;
} Line;

struct _CsTraceConfig
{
  char *name;
  gboolean has_bom;
  gsize size;         /* bytes of its text */
  GPtrArray *lines;   /* (element-type Line) */
  GArray *directives; /* (element-type CsDirective), in the order of the lines */
};

G_DEFINE_QUARK (cs-trace-config-error-quark, cs_trace_config_error)

static void
line_free (gpointer data)
{
  Line *line = data;

  cs_config_line_clear (&line->parsed);
  g_free (line->text);
  g_free (line);
}

/* Counts lines anew. */
static void
list_directives (CsTraceConfig *self)
{
  g_array_set_size (self->directives, 0);
  for (guint i = 0; i < self->lines->len; i++)
    {
      const CsConfigLine *parsed = &((const Line *) g_ptr_array_index (self->lines, i))->parsed;
      CsDirective directive = { parsed->kind, parsed->value, parsed->pattern, parsed->depth, parsed->min_ns, i + 1 };

      if (parsed->value != NULL)
        g_array_append_val (self->directives, directive);
    }
}

/* What a line may not say because of the others. */
static gboolean
check_others (CsTraceConfig *self, const CsConfigLine *parsed, char **reason)
{
  guint n_events = 0;

  if (parsed->value == NULL || (parsed->kind != CS_DIRECTIVE_COUNTER && parsed->kind != CS_DIRECTIVE_COUNTER_MIN))
    return TRUE;
  if (parsed->kind == CS_DIRECTIVE_COUNTER)
    n_events = cs_counter_events_count (parsed->value);
  for (guint i = 0; i < self->lines->len; i++)
    {
      const CsConfigLine *other = &((const Line *) g_ptr_array_index (self->lines, i))->parsed;
      g_autofree char *same = NULL;

      if (other->value == NULL || other->kind != parsed->kind)
        continue;
      if (parsed->kind == CS_DIRECTIVE_COUNTER_MIN)
        {
          *reason = g_strdup_printf ("counter-min: line %u has one already — keep one of them", i + 1);
          return FALSE;
        }
      same = cs_counter_events_find_same (parsed->value, other->value);
      n_events += cs_counter_events_count (other->value);
      if (same != NULL)
        *reason = g_strdup_printf ("counter: line %u names %s already — name it once", i + 1, same);
      else if (n_events > MAX_EVENTS)
        *reason = g_strdup_printf ("counter: with those before, %u events are more than the %d that can be counted — take "
                                   "some out", n_events, MAX_EVENTS);
      if (*reason != NULL)
        return FALSE;
    }
  return TRUE;
}

static gboolean
append_line (CsTraceConfig *self, const char *text, gsize length, gsize with_ending, GError **error)
{
  g_autofree char *reason = NULL;
  CsConfigLine parsed;
  Line *line;

  if (!cs_config_line_parse (&parsed, text, length, &reason) || !check_others (self, &parsed, &reason))
    {
      cs_config_line_clear (&parsed);
      g_set_error (error, CS_TRACE_CONFIG_ERROR, CS_TRACE_CONFIG_ERROR_SYNTAX, "%s:%u: %s", self->name,
                   self->lines->len + 1, reason);
      return FALSE;
    }
  line = g_new (Line, 1);
  line->text = g_strndup (text, with_ending);
  line->length = length;
  line->parsed = parsed;
  g_ptr_array_add (self->lines, line);
  return TRUE;
}

static CsTraceConfig *
new_named (const char *name)
{
  CsTraceConfig *self = g_new0 (CsTraceConfig, 1);

  self->name = g_strdup (name);
  self->lines = g_ptr_array_new_with_free_func (line_free);
  self->directives = g_array_new (FALSE, FALSE, sizeof (CsDirective));
  return self;
}

/**
 * cs_trace_config_new:
 *
 * Returns: (transfer full): one that says nothing, by the name of "trace.config"
 */
CsTraceConfig *
cs_trace_config_new (void)
{
  return new_named ("trace.config");
}

/**
 * cs_trace_config_parse:
 * @text: (array length=length): what docs/trace-config.md tells of
 * @length: its bytes, or -1 if it ends with a NUL
 * @name: what messages call it
 * @error: where to say what is wrong
 *
 * Returns: (transfer full) (nullable): the config, or %NULL with %CS_TRACE_CONFIG_ERROR_SYNTAX
 */
CsTraceConfig *
cs_trace_config_parse (const char *text, gssize length, const char *name, GError **error)
{
  g_autoptr (CsTraceConfig) self = new_named (name);
  gsize size = length < 0 ? strlen (text) : (gsize) length;
  const char *end = text + size, *nul;

  if (size > MAX_SIZE)
    {
      g_set_error (error, CS_TRACE_CONFIG_ERROR, CS_TRACE_CONFIG_ERROR_SYNTAX,
                   "%s: it is longer than 1 MiB — name a file of rules", name);
      return NULL;
    }
  nul = memchr (text, '\0', size);
  if (nul != NULL)
    {
      guint line = 1;

      for (const char *p = text; p < nul; p++)
        line += *p == '\n';
      g_set_error (error, CS_TRACE_CONFIG_ERROR, CS_TRACE_CONFIG_ERROR_SYNTAX,
                   "%s:%u: there is a NUL byte — write it as plain text (UTF-8)", name, line);
      return NULL;
    }
  self->size = size;
  self->has_bom = size >= 3 && memcmp (text, BOM, 3) == 0;
  for (const char *p = text + (self->has_bom ? 3 : 0), *next; p < end; p = next)
    {
      const char *newline = memchr (p, '\n', (gsize) (end - p));
      gsize line_length = (gsize) ((newline != NULL ? newline : end) - p);

      next = newline != NULL ? newline + 1 : end;
      if (newline != NULL && line_length > 0 && newline[-1] == '\r')
        line_length--;
      if (!append_line (self, p, line_length, (gsize) (next - p), error))
        return NULL;
    }
  list_directives (self);
  return g_steal_pointer (&self);
}

/* Reads until size bytes are there or the file ends; -1 with errno. */
static gssize
read_full (int fd, char *text, gsize size)
{
  gsize done = 0;

  while (done < size)
    {
      gssize n = read (fd, text + done, size - done);

      if (n < 0 && errno != EINTR)
        return -1;
      if (n == 0)
        break;
      done += (gsize) MAX (n, 0);
    }
  return (gssize) done;
}

static gboolean
set_file_error (GError **error, const char *path, const char *what, const char *why)
{
  g_set_error (error, CS_TRACE_CONFIG_ERROR, CS_TRACE_CONFIG_ERROR_FILE, "%s: %s (%s) — name another file", path, what, why);
  return FALSE;
}

/**
 * cs_trace_config_read_file:
 * @path: a file
 * @length: (out): its bytes; of one that is too long for a config a little more than a config may have
 * @error: where to say why it can't be read, with %CS_TRACE_CONFIG_ERROR_FILE
 *
 * Returns: (transfer full) (nullable): what is in it, with a NUL behind
 */
char *
cs_trace_config_read_file (const char *path, gsize *length, GError **error)
{
  g_autofree char *text = g_malloc (MAX_SIZE + 2);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat st;
  gssize size;

  *length = 0;
  if (fd < 0)
    {
      set_file_error (error, path, "it can't be read", g_strerror (errno));
      return NULL;
    }
  if (fstat (fd, &st) != 0 || !S_ISREG (st.st_mode))
    {
      set_file_error (error, path, "it can't be read", S_ISDIR (st.st_mode) ? "it is a folder" : "it is no regular file");
      close (fd);
      return NULL;
    }
  size = read_full (fd, text, MAX_SIZE + 1);
  if (size < 0)
    set_file_error (error, path, "it can't be read", g_strerror (errno));
  close (fd);
  if (size < 0)
    return NULL;
  text[size] = '\0';
  *length = (gsize) size;
  return g_realloc (g_steal_pointer (&text), (gsize) size + 1);
}

/**
 * cs_trace_config_load:
 * @path: a file
 * @error: where to say what is wrong
 *
 * Returns: (transfer full) (nullable): the config in it, by the name of @path
 */
CsTraceConfig *
cs_trace_config_load (const char *path, GError **error)
{
  gsize length;
  g_autofree char *text = cs_trace_config_read_file (path, &length, error);

  return text != NULL ? cs_trace_config_parse (text, (gssize) length, path, error) : NULL;
}

/**
 * cs_trace_config_copy:
 * @self: a config
 *
 * Returns: (transfer full): another one that says the same
 */
CsTraceConfig *
cs_trace_config_copy (const CsTraceConfig *self)
{
  g_autofree char *text = cs_trace_config_to_text (self);

  return cs_trace_config_parse (text, -1, self->name, NULL);
}

/* Gives a new file the mode of the one that it will replace, and its owner where that may be. */
static gboolean
take_mode (int fd, const char *path)
{
  struct stat st;

  if (stat (path, &st) != 0)
    return TRUE;
  if (S_ISDIR (st.st_mode))
    {
      errno = EISDIR;
      return FALSE;
    }
  return fchmod (fd, st.st_mode & (fchown (fd, st.st_uid, st.st_gid) == 0 ? 07777 : 0777)) == 0;
}

/* Writes all of it to a new file beside the old one, which it replaces. */
static gboolean
replace_file (const char *path, const char *text, GError **error)
{
  g_autofree char *temporary = g_strdup_printf ("%s.XXXXXX", path);
  gsize length = strlen (text), done = 0;
  int fd = g_mkstemp_full (temporary, O_WRONLY | O_CLOEXEC, 0666);
  gboolean written;

  if (fd < 0)
    return set_file_error (error, path, "no file can be made beside it", g_strerror (errno));
  written = take_mode (fd, path);
  while (written && done < length)
    {
      gssize n = write (fd, text + done, length - done);

      if (n > 0)
        done += (gsize) n;
      else if (n == 0 || errno != EINTR)
        written = FALSE;
    }
  written = written && fsync (fd) == 0;
  written = close (fd) == 0 && written;
  if (written && g_rename (temporary, path) == 0)
    return TRUE;
  set_file_error (error, path, "it can't be written", g_strerror (errno));
  g_unlink (temporary);
  return FALSE;
}

/**
 * cs_trace_config_save:
 * @self: a config
 * @path: a file; one that is there is replaced in one step and keeps its mode, and a symbolic link its target's place
 * @error: where to say why it can't be written
 *
 * Returns: whether it was written, otherwise with %CS_TRACE_CONFIG_ERROR_FILE
 */
gboolean
cs_trace_config_save (const CsTraceConfig *self, const char *path, GError **error)
{
  g_autofree char *text = cs_trace_config_to_text (self);
  char *real = realpath (path, NULL);
  gboolean saved = replace_file (real != NULL ? real : path, text, error);

  free (real);
  return saved;
}

/**
 * cs_trace_config_get_name:
 * @self: a config
 *
 * Returns: what messages call it
 */
const char *
cs_trace_config_get_name (const CsTraceConfig *self)
{
  return self->name;
}

/**
 * cs_trace_config_get_directives:
 * @self: a config
 * @count: (out): how many there are
 *
 * Returns: (array length=count) (transfer none): what it says, line by line, until it is changed
 */
const CsDirective *
cs_trace_config_get_directives (const CsTraceConfig *self, gsize *count)
{
  *count = self->directives->len;
  return (const CsDirective *) (void *) self->directives->data;
}

/**
 * cs_trace_config_has:
 * @self: a config
 * @kind: a directive
 *
 * Returns: whether it has one of these
 */
gboolean
cs_trace_config_has (const CsTraceConfig *self, CsDirectiveKind kind)
{
  for (guint i = 0; i < self->directives->len; i++)
    if (g_array_index (self->directives, CsDirective, i).kind == kind)
      return TRUE;
  return FALSE;
}

/* Behind the last directive of a kind; behind all lines if there is none. */
static guint
find_place (const CsTraceConfig *self, CsDirectiveKind kind, gboolean *found)
{
  for (guint i = self->directives->len; i > 0; i--)
    {
      const CsDirective *directive = &g_array_index (self->directives, CsDirective, i - 1);

      *found = directive->kind == kind;
      if (*found)
        return directive->line;
    }
  *found = FALSE;
  return self->lines->len;
}

/* How lines end here: as the nearest one before does, or the first one. */
static const char *
find_ending (const CsTraceConfig *self, guint place)
{
  const Line *line;

  if (self->lines->len == 0)
    return "\n";
  line = g_ptr_array_index (self->lines, place > 0 ? place - 1 : 0);
  if (line->text[line->length] == '\0')
    line = g_ptr_array_index (self->lines, 0);
  return line->text[line->length] != '\0' ? line->text + line->length : "\n";
}

/* Puts a line behind others. One that had no end gets one, and then the new line has none. */
static void
insert_line (CsTraceConfig *self, guint place, const char *text, CsConfigLine *parsed)
{
  g_autofree char *ending = g_strdup (find_ending (self, place));
  Line *before = place > 0 ? g_ptr_array_index (self->lines, place - 1) : NULL;
  gboolean unended = before != NULL && before->text[before->length] == '\0';
  Line *line = g_new (Line, 1);

  if (unended)
    {
      char *longer = g_strconcat (before->text, ending, NULL);

      g_free (before->text);
      before->text = longer;
    }
  line->text = g_strconcat (text, unended ? NULL : ending, NULL);
  line->length = strlen (text);
  line->parsed = *parsed;
  self->size += strlen (text) + strlen (ending);
  g_ptr_array_insert (self->lines, (int) place, line);
  list_directives (self);
}

/**
 * cs_trace_config_add:
 * @self: a config
 * @kind: a directive
 * @value: what it is about: a pattern, a function's name, events, or a duration
 * @depth: include-func, counter-func: calls to follow, or %CS_DEPTH_FULL of include-func
 * @error: where to say why that can't be said
 *
 * Adds a line behind the last one of its kind, with quotes if the value needs them, and leaves all others as they are.
 *
 * Returns: whether it was added, otherwise with %CS_TRACE_CONFIG_ERROR_SYNTAX
 */
gboolean
cs_trace_config_add (CsTraceConfig *self, CsDirectiveKind kind, const char *value, int depth, GError **error)
{
  g_autofree char *line = cs_config_line_compose (kind, value, depth);
  g_autofree char *reason = NULL;
  g_autofree char *text = NULL;
  CsConfigLine parsed;
  gboolean found;
  guint place = find_place (self, kind, &found);
  int indent = 0;

  if (cs_config_line_parse (&parsed, line, strlen (line), &reason) && check_others (self, &parsed, &reason)
      && (parsed.value == NULL || parsed.kind != kind || strcmp (parsed.value, value) != 0))
    reason = g_strdup_printf ("%s: '%s' can't be written on a line — take out blanks at its ends",
                              cs_directive_kind_get_name (kind), value);
  if (reason == NULL && self->size + strlen (line) > MAX_SIZE - 80) /* with indentation and line ends */
    reason = g_strdup (TOO_LONG);
  if (reason != NULL)
    {
      cs_config_line_clear (&parsed);
      g_set_error (error, CS_TRACE_CONFIG_ERROR, CS_TRACE_CONFIG_ERROR_SYNTAX, "%s: %s", self->name, reason);
      return FALSE;
    }
  if (found)
    {
      const Line *before = g_ptr_array_index (self->lines, place - 1);

      indent = (int) MIN (strspn (before->text, " \t"), 64);
      text = g_strdup_printf ("%.*s%s", indent, before->text, line);
    }
  insert_line (self, place, text != NULL ? text : line, &parsed);
  return TRUE;
}

/**
 * cs_trace_config_remove:
 * @self: a config
 * @directive: an index into its directives
 *
 * Takes out its line, with a comment on it, and no other.
 */
void
cs_trace_config_remove (CsTraceConfig *self, gsize directive)
{
  guint line;

  g_return_if_fail (directive < self->directives->len);

  line = g_array_index (self->directives, CsDirective, directive).line - 1;
  self->size -= strlen (((const Line *) g_ptr_array_index (self->lines, line))->text);
  g_ptr_array_remove_index (self->lines, line);
  list_directives (self);
}

/* Gives a line other text before its end. */
static void
set_line (CsTraceConfig *self, Line *line, char *text, CsConfigLine *parsed)
{
  char *whole = g_strconcat (text, line->text + line->length, NULL);

  self->size += strlen (whole) - strlen (line->text);
  g_free (line->text);
  line->text = whole;
  line->length = strlen (text);
  cs_config_line_clear (&line->parsed);
  line->parsed = *parsed;
  list_directives (self);
}

/**
 * cs_trace_config_take_out:
 * @self: a config
 * @directive: an index into its directives
 *
 * Takes out its line; one with a comment on it becomes a comment, with everything that was on it, if there is room for
 * that.
 */
void
cs_trace_config_take_out (CsTraceConfig *self, gsize directive)
{
  g_autofree char *text = NULL;
  CsConfigLine none = { 0 };
  Line *line;
  int indent;

  g_return_if_fail (directive < self->directives->len);

  line = g_ptr_array_index (self->lines, g_array_index (self->directives, CsDirective, directive).line - 1);
  if (line->parsed.comment == 0 || self->size >= MAX_SIZE)
    {
      cs_trace_config_remove (self, directive);
      return;
    }
  indent = (int) strspn (line->text, " \t");
  text = g_strdup_printf ("%.*s#%.*s", indent, line->text, (int) line->length - indent, line->text + indent);
  set_line (self, line, text, &none);
}

/**
 * cs_trace_config_replace:
 * @self: a config
 * @directive: an index into its directives
 * @kind: what it is to say instead: not counter or counter-min
 * @value: what about
 * @depth: as for cs_trace_config_add()
 * @error: where to say why that can't be said
 *
 * Changes a line, but for its indentation and a comment on it.
 *
 * Returns: whether it was changed, otherwise with %CS_TRACE_CONFIG_ERROR_SYNTAX
 */
gboolean
cs_trace_config_replace (CsTraceConfig *self, gsize directive, CsDirectiveKind kind, const char *value, int depth,
                         GError **error)
{
  g_autofree char *composed = cs_config_line_compose (kind, value, depth);
  g_autofree char *reason = NULL;
  g_autofree char *text = NULL;
  gsize comment, rest;
  CsConfigLine parsed;
  Line *line;

  g_return_val_if_fail (directive < self->directives->len, FALSE);
  g_return_val_if_fail (kind != CS_DIRECTIVE_COUNTER && kind != CS_DIRECTIVE_COUNTER_MIN, FALSE);

  line = g_ptr_array_index (self->lines, g_array_index (self->directives, CsDirective, directive).line - 1);
  comment = line->parsed.comment != 0 ? line->parsed.comment : line->length;
  for (rest = comment; rest > 0 && (line->text[rest - 1] == ' ' || line->text[rest - 1] == '\t'); rest--)
    continue;
  text = g_strdup_printf ("%.*s%s%.*s", (int) strspn (line->text, " \t"), line->text, composed,
                          (int) (line->length - rest), line->text + rest);
  if (cs_config_line_parse (&parsed, text, strlen (text), &reason) && strcmp (parsed.value, value) != 0)
    reason = g_strdup_printf ("%s: '%s' can't be written on a line — take out blanks at its ends",
                              cs_directive_kind_get_name (kind), value);
  if (reason == NULL && self->size - line->length + strlen (text) > MAX_SIZE)
    reason = g_strdup (TOO_LONG);
  if (reason != NULL)
    {
      cs_config_line_clear (&parsed);
      g_set_error (error, CS_TRACE_CONFIG_ERROR, CS_TRACE_CONFIG_ERROR_SYNTAX, "%s: %s", self->name, reason);
      return FALSE;
    }
  set_line (self, line, text, &parsed);
  return TRUE;
}

/**
 * cs_trace_config_put_back:
 * @self: a config
 * @kind: a directive
 * @value: what it is about
 * @depth: as for cs_trace_config_add()
 *
 * Makes a line of rules again what cs_trace_config_take_out() made a comment, if there is one that says this. The
 * examples of cs_trace_config_starter_text() stay.
 *
 * Returns: whether there is
 */
gboolean
cs_trace_config_put_back (CsTraceConfig *self, CsDirectiveKind kind, const char *value, int depth)
{
  for (guint i = 0; i < self->lines->len; i++)
    {
      Line *line = g_ptr_array_index (self->lines, i);
      gsize indent = strspn (line->text, " \t");
      g_autofree char *reason = NULL;
      g_autofree char *text = NULL;
      CsConfigLine parsed;

      if (line->parsed.value != NULL || line->text[indent] != '#')
        continue;
      text = g_strdup_printf ("%.*s%.*s", (int) indent, line->text, (int) (line->length - indent - 1),
                              line->text + indent + 1);
      if (!cs_config_line_parse (&parsed, text, strlen (text), &reason))
        continue;
      if (parsed.value != NULL && parsed.comment != 0 && parsed.kind == kind && strcmp (parsed.value, value) == 0 &&
          parsed.depth == depth && strstr (cs_trace_config_starter_text (), text) == NULL)
        {
          set_line (self, line, text, &parsed);
          return TRUE;
        }
      cs_config_line_clear (&parsed);
    }
  return FALSE;
}

/**
 * cs_trace_config_to_text:
 * @self: a config
 *
 * Returns: (transfer full): its text; of one that wasn't changed, byte for byte what was parsed
 */
char *
cs_trace_config_to_text (const CsTraceConfig *self)
{
  GString *text = g_string_new (self->has_bom ? BOM : NULL);

  for (guint i = 0; i < self->lines->len; i++)
    g_string_append (text, ((const Line *) g_ptr_array_index (self->lines, i))->text);
  return g_string_free (text, FALSE);
}

/**
 * cs_trace_config_free:
 * @self: (transfer full): a config
 */
void
cs_trace_config_free (CsTraceConfig *self)
{
  g_ptr_array_unref (self->lines);
  g_array_unref (self->directives);
  g_free (self->name);
  g_free (self);
}
