/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "record/cs-log.h"

/* A line is cut behind so many bytes: text views are slow with long ones. */
#define MOST_IN_LINE 1024

/* Where in an escape sequence the output is. */
typedef enum
{
  TERMINAL_TEXT,
  TERMINAL_ESCAPE,  /* behind ESC */
  TERMINAL_CONTROL, /* behind ESC [ */
  TERMINAL_STRING,  /* behind ESC ] and the like, until BEL or ESC \ */
  TERMINAL_CHARSET, /* behind ESC (: one more byte */
} Terminal;

struct _CsLog
{
  GObject parent_instance;

  GMutex mutex;         /* of what is below */
  GString *text;        /* not taken yet */
  guint64 lines_before; /* lines that end before it */
  guint64 lines;        /* that end in it */
  gboolean dropped;     /* what lies before it isn't all taken */
  gsize column;         /* bytes since the last line began */
  Terminal terminal;
  gboolean after_return; /* the last byte was a carriage return */
  char partial[4];      /* begin of a character */
  guint n_partial;
  GPtrArray *found;     /* (element-type CsBuildProblem): not in the list yet */
  guint64 n_found[CS_BUILD_SEVERITY_ERROR + 1];

  GListStore *problems; /* of the main thread */
};

G_DEFINE_FINAL_TYPE (CsLog, cs_log, G_TYPE_OBJECT)

static void
cs_log_finalize (GObject *object)
{
  CsLog *self = CS_LOG (object);

  g_string_free (self->text, TRUE);
  g_ptr_array_unref (self->found);
  g_object_unref (self->problems);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (cs_log_parent_class)->finalize (object);
}

static void
cs_log_class_init (CsLogClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_log_finalize;
}

static void
cs_log_init (CsLog *self)
{
  g_mutex_init (&self->mutex);
  self->text = g_string_new (NULL);
  self->found = g_ptr_array_new_with_free_func (g_object_unref);
  self->problems = g_list_store_new (CS_TYPE_BUILD_PROBLEM);
}

/* Forgets the first half when there is too much, up to the end of a line. */
static void
bound (CsLog *self)
{
  const char *from = self->text->str;
  const char *end = from + self->text->len;
  const char *p;

  if (self->text->len <= CS_LOG_MOST_BYTES && self->lines <= CS_LOG_MOST_LINES)
    return;
  for (p = from; (gsize) (end - p) > CS_LOG_MOST_BYTES / 2 || self->lines > CS_LOG_MOST_LINES / 2;)
    {
      const char *newline = memchr (p, '\n', (gsize) (end - p));

      if (newline == NULL)
        break;
      p = newline + 1;
      self->lines--;
      self->lines_before++;
    }
  g_string_erase (self->text, 0, p - from);
  self->dropped = TRUE;
}

static void
end_line (CsLog *self)
{
  g_string_append_c (self->text, '\n');
  self->lines++;
  self->column = 0;
}

/* Valid text without line ends. */
static void
add_valid (CsLog *self, const char *text, gsize size)
{
  while (size > 0)
    {
      gsize n = MIN (size, MOST_IN_LINE - self->column);

      /* Not within a character. */
      while (n < size && n > 0 && ((guchar) text[n] & 0xc0) == 0x80)
        n--;
      g_string_append_len (self->text, text, (gssize) n);
      self->column += n;
      text += n;
      size -= n;
      if (size > 0)
        end_line (self);
    }
}

static void
add_bytes (CsLog *self, const char *bytes, gsize size)
{
  g_autofree char *valid = NULL;

  if (g_utf8_validate_len (bytes, size, NULL))
    {
      add_valid (self, bytes, size);
      return;
    }
  valid = g_utf8_make_valid (bytes, (gssize) size);
  add_valid (self, valid, strlen (valid));
}

/**
 * cs_log_new:
 *
 * Returns: (transfer full): an empty log
 */
CsLog *
cs_log_new (void)
{
  return g_object_new (CS_TYPE_LOG, NULL);
}

/**
 * cs_log_add_text:
 * @self: a log
 * @text: a line of our own, any bytes
 *
 * May be called in any thread.
 */
void
cs_log_add_text (CsLog *self, const char *text)
{
  g_mutex_lock (&self->mutex);
  if (self->column > 0)
    end_line (self);
  for (;;)
    {
      gsize n = strcspn (text, "\n");

      add_bytes (self, text, n);
      end_line (self);
      if (text[n] == '\0' || text[n + 1] == '\0')
        break;
      text += n + 1;
    }
  bound (self);
  g_mutex_unlock (&self->mutex);
}

/* What make says of an error that a tool told before. */
static gboolean
is_follow_up (CsLog *self, const CsBuildLine *line, const CsBuildMessage *message)
{
  return message->severity == CS_BUILD_SEVERITY_ERROR && self->n_found[CS_BUILD_SEVERITY_ERROR] > 0
         && strstr (line->text, ": *** ") != NULL;
}

/**
 * cs_log_add_line:
 * @self: a log
 * @line: a line of a build
 * @message: (nullable): what it says of a place
 *
 * May be called in any thread. Errors and warnings become problems.
 */
void
cs_log_add_line (CsLog *self, const CsBuildLine *line, const CsBuildMessage *message)
{
  g_mutex_lock (&self->mutex);
  if (message != NULL && !is_follow_up (self, line, message))
    {
      gboolean is_problem = message->severity >= CS_BUILD_SEVERITY_WARNING;

      /* Warnings leave room for errors. */
      if (is_problem && self->n_found[message->severity] < CS_LOG_MOST_PROBLEMS / 2)
        g_ptr_array_add (self->found, cs_build_problem_new (message, self->lines_before + self->lines));
      self->n_found[message->severity]++;
    }
  add_bytes (self, line->text, line->length);
  end_line (self);
  bound (self);
  g_mutex_unlock (&self->mutex);
}

static gboolean
is_shown (guchar c)
{
  return (c >= ' ' && c != 0x7f) || c == '\t';
}

/* The length of the begin of a character at the end of some bytes. */
static gsize
count_unfinished (const char *bytes, gsize size)
{
  for (gsize n = 1; n <= MIN (size, 3); n++)
    {
      guchar c = (guchar) bytes[size - n];

      if ((c & 0xc0) == 0x80)
        continue;
      return (c >= 0xf0 ? 4U : c >= 0xe0 ? 3U : c >= 0xc0 ? 2U : 1U) > n ? n : 0;
    }
  return 0;
}

/* A run of bytes that are shown; a character may be cut at its end. */
static void
add_shown (CsLog *self, const char *bytes, gsize size, gboolean is_cut)
{
  g_autoptr (GString) joined = NULL;
  gsize n_unfinished;

  if (self->n_partial > 0)
    {
      joined = g_string_new_len (self->partial, self->n_partial);
      g_string_append_len (joined, bytes, (gssize) size);
      bytes = joined->str;
      size = joined->len;
      self->n_partial = 0;
    }
  n_unfinished = is_cut ? count_unfinished (bytes, size) : 0;
  memcpy (self->partial, bytes + size - n_unfinished, n_unfinished);
  self->n_partial = (guint) n_unfinished;
  add_bytes (self, bytes, size - n_unfinished);
}

/* A byte that isn't shown, or that belongs to an escape sequence. */
static void
take_control (CsLog *self, guchar c)
{
  if (self->n_partial > 0)
    add_shown (self, "", 0, FALSE);
  switch (self->terminal)
    {
    case TERMINAL_TEXT:
      if (c == '\n')
        end_line (self);
      else if (c == 0x1b)
        self->terminal = TERMINAL_ESCAPE;
      break;
    case TERMINAL_ESCAPE:
      self->terminal = c == '['                                            ? TERMINAL_CONTROL
                       : c == ']' || c == 'P' || c == '_' || c == '^' || c == 'X' ? TERMINAL_STRING
                       : c == '(' || c == ')' || c == '*' || c == '+' || c == '#' ? TERMINAL_CHARSET
                                                                           : TERMINAL_TEXT;
      break;
    case TERMINAL_CONTROL:
      if (c >= 0x40 || c < ' ')
        self->terminal = TERMINAL_TEXT;
      break;
    case TERMINAL_STRING:
      if (c == 0x07 || c == '\n')
        self->terminal = TERMINAL_TEXT;
      else if (c == 0x1b)
        self->terminal = TERMINAL_ESCAPE; /* and the backslash behind it ends that */
      break;
    case TERMINAL_CHARSET:
    default:
      self->terminal = TERMINAL_TEXT;
    }
}

/**
 * cs_log_add_output:
 * @self: a log
 * @bytes: what a program wrote, cut anywhere
 * @size: how many bytes
 *
 * May be called in any thread. What steers a terminal is left out. A line that the program writes again, behind a
 * carriage return, is a line of its own.
 */
void
cs_log_add_output (CsLog *self, const char *bytes, gsize size)
{
  const char *end = bytes + size;

  g_mutex_lock (&self->mutex);
  while (bytes < end)
    {
      const char *from = bytes;

      while (self->terminal == TERMINAL_TEXT && bytes < end && is_shown ((guchar) *bytes))
        bytes++;
      if (bytes > from)
        {
          if (self->after_return && self->column > 0)
            end_line (self);
          self->after_return = FALSE;
          add_shown (self, from, (gsize) (bytes - from), bytes == end);
        }
      if (bytes < end)
        {
          self->after_return = *bytes == '\r';
          take_control (self, (guchar) *bytes++);
        }
      if (self->text->len > 2 * CS_LOG_MOST_BYTES)
        bound (self);
    }
  bound (self);
  g_mutex_unlock (&self->mutex);
}

/* Moves what was found to the list. */
static void
list_problems (CsLog *self)
{
  g_autoptr (GPtrArray) found = NULL;

  g_mutex_lock (&self->mutex);
  if (self->found->len > 0)
    {
      found = self->found;
      self->found = g_ptr_array_new_with_free_func (g_object_unref);
    }
  g_mutex_unlock (&self->mutex);
  if (found != NULL)
    g_list_store_splice (self->problems, g_list_model_get_n_items (G_LIST_MODEL (self->problems)), 0, found->pdata,
                         found->len);
}

/**
 * cs_log_take:
 * @self: a log
 * @most: take about so many bytes
 * @piece: (out): what comes next, whole lines as a rule; its text is to be freed
 *
 * Problems are listed before it returns. For the main thread.
 *
 * Returns: whether there is something
 */
gboolean
cs_log_take (CsLog *self, gsize most, CsLogPiece *piece)
{
  gsize size;

  list_problems (self);
  g_mutex_lock (&self->mutex);
  size = self->text->len;
  if (size > most)
    {
      const char *newline = memchr (self->text->str + most, '\n', size - most);

      size = newline != NULL ? (gsize) (newline + 1 - self->text->str) : size;
    }
  *piece = (CsLogPiece){ .restarts = self->dropped, .first_line = self->lines_before };
  if (size > 0)
    {
      piece->text = g_strndup (self->text->str, size);
      for (const char *p = piece->text; (p = strchr (p, '\n')) != NULL; p++)
        {
          self->lines_before++;
          self->lines--;
        }
      g_string_erase (self->text, 0, (gssize) size);
      self->dropped = FALSE;
    }
  g_mutex_unlock (&self->mutex);
  return size > 0;
}

/**
 * cs_log_is_taken:
 * @self: a log
 *
 * Returns: whether there is nothing to take now
 */
gboolean
cs_log_is_taken (CsLog *self)
{
  gboolean taken;

  g_mutex_lock (&self->mutex);
  taken = self->text->len == 0 && self->found->len == 0;
  g_mutex_unlock (&self->mutex);
  return taken;
}

/**
 * cs_log_get_problems:
 * @self: a log
 *
 * Returns: (transfer none): the errors and warnings in what was taken, #CsBuildProblem
 */
GListModel *
cs_log_get_problems (CsLog *self)
{
  return G_LIST_MODEL (self->problems);
}

/**
 * cs_log_get_n_problems:
 * @self: a log
 * @severity: of which kind
 *
 * Returns: how many there were, listed or not
 */
guint64
cs_log_get_n_problems (CsLog *self, CsBuildSeverity severity)
{
  guint64 n;

  g_mutex_lock (&self->mutex);
  n = self->n_found[severity];
  g_mutex_unlock (&self->mutex);
  return n;
}
