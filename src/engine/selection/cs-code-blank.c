/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-code-blank.h"

/* The longest delimiter of a raw string. */
#define RAW_DELIMITER_MAX 16

typedef struct
{
  char *end;
  gboolean line_start; /* nothing but blanks before on this line */
  gboolean directive;  /* in a line that begins with '#' */
  gsize dead;          /* 1: in a part behind "#if 0"; more: in conditions inside it */
} Blanker;

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$' || (guchar) c >= 0x80;
}

static char *
blank (char *from, char *to)
{
  for (; from < to; from++)
    if (*from != '\n' && *from != '\r')
      *from = ' ';
  return to;
}

/* Behind a backslash at @p and what it takes with it: a character, or the end of a line. */
static char *
skip_escape (char *p, const char *end)
{
  p += MIN (2, end - p);
  if (p[-1] == '\r' && p < end && *p == '\n')
    p++;
  return p;
}

static gboolean
is_continuation (const char *p, const char *end)
{
  return *p == '\\' && p + 1 < end && (p[1] == '\n' || (p[1] == '\r' && p + 2 < end && p[2] == '\n'));
}

static char *
skip_block_comment (char *p, char *end)
{
  char *close = memmem (p + 2, (gsize) (end - p - 2), "*/", 2);

  return close != NULL ? close + 2 : end;
}

static char *
skip_line_comment (char *p, char *end)
{
  while (p < end && *p != '\n')
    p = is_continuation (p, end) ? skip_escape (p, end) : p + 1;
  return p;
}

/* A string or character that isn't closed ends with its line. */
static char *
skip_quoted (char *p, char *end)
{
  char quote = *p++;

  while (p < end && *p != quote && *p != '\n')
    p = *p == '\\' ? skip_escape (p, end) : p + 1;
  return p < end && *p == quote ? p + 1 : p;
}

/* @p: the quote in R"x(…)x" */
static char *
skip_raw (char *p, char *end)
{
  char close[RAW_DELIMITER_MAX + 2] = ")";
  gsize n = 1;
  char *found;

  for (char *q = p + 1;; q++)
    {
      if (q == end || n > RAW_DELIMITER_MAX + 1 || strchr (" )\\\t\v\f\r\n\"", *q) != NULL)
        return skip_quoted (p, end);
      if (*q == '(')
        break;
      if (n <= RAW_DELIMITER_MAX)
        close[n] = *q;
      n++;
    }
  close[n] = '"';
  found = memmem (p + 1, (gsize) (end - p - 1), close, n + 1);
  return found != NULL ? found + n + 1 : end;
}

/* A number: what is in it, like the apostrophes of C++14, begins nothing else. */
static char *
skip_number (char *p, const char *end)
{
  while (p < end && (is_word (*p) || *p == '.' || (*p == '\'' && p + 1 < end && is_word (p[1]))))
    p++;
  return p;
}

static gboolean
is_one_of (const char *word, gsize length, const char *const *words)
{
  for (; *words != NULL; words++)
    if (strlen (*words) == length && memcmp (word, *words, length) == 0)
      return TRUE;
  return FALSE;
}

/* A name, and the string or character that it is the prefix of. */
static char *
skip_word (Blanker *self, char *p)
{
  static const char *const raw[] = { "R", "LR", "uR", "UR", "u8R", NULL };
  static const char *const plain[] = { "L", "u", "U", "u8", NULL };
  char *start = p;
  gsize length;

  while (p < self->end && is_word (*p))
    p++;
  length = (gsize) (p - start);
  if (p < self->end && *p == '"' && is_one_of (start, length, raw))
    return blank (start, self->dead > 0 ? skip_quoted (p, self->end) : skip_raw (p, self->end));
  if (p < self->end && (*p == '"' || *p == '\'') && is_one_of (start, length, plain))
    return blank (start, skip_quoted (p, self->end));
  return self->directive || self->dead > 0 ? blank (start, p) : p;
}

/* @p: the '#' of a directive. What begins with "#if 0" is no code up to its #else, #elif or #endif. */
static char *
begin_directive (Blanker *self, char *p)
{
  char *word = p + 1, *end, *condition;
  gsize length;

  while (word < self->end && (*word == ' ' || *word == '\t'))
    word++;
  for (end = word; end < self->end && is_word (*end);)
    end++;
  length = (gsize) (end - word);
  for (condition = end; condition < self->end && (*condition == ' ' || *condition == '\t');)
    condition++;
  if (self->dead > 0)
    {
      if (length >= 2 && memcmp (word, "if", 2) == 0)
        self->dead++;
      else if (length == 5 && memcmp (word, "endif", 5) == 0)
        self->dead--;
      else if (length >= 4 && memcmp (word, "el", 2) == 0 && self->dead == 1)
        self->dead = 0;
    }
  else if (length == 2 && memcmp (word, "if", 2) == 0 && condition < self->end && *condition == '0' &&
           (condition + 1 == self->end || g_ascii_isspace (condition[1]) || condition[1] == '/'))
    self->dead = 1;
  self->directive = TRUE;
  return blank (p, end);
}

static char *
step (Blanker *self, char *p)
{
  char next = p + 1 < self->end ? p[1] : '\0';

  if (*p == '/' && next == '*')
    return blank (p, skip_block_comment (p, self->end));
  if (*p == '\n')
    {
      self->directive = FALSE;
      self->line_start = TRUE;
      return p + 1;
    }
  if (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\f' || *p == '\v')
    return p + 1;
  if (*p == '/' && next == '/')
    return blank (p, skip_line_comment (p, self->end));
  if (*p == '#' && self->line_start)
    return begin_directive (self, p);
  self->line_start = FALSE;
  if (is_continuation (p, self->end))
    return blank (p, skip_escape (p, self->end));
  if (*p == '"' || *p == '\'')
    return blank (p, skip_quoted (p, self->end));
  if (g_ascii_isdigit (*p) || (*p == '.' && g_ascii_isdigit (next)))
    {
      char *end = skip_number (p, self->end);

      return self->directive || self->dead > 0 ? blank (p, end) : end;
    }
  if (is_word (*p))
    return skip_word (self, p);
  if (self->directive || self->dead > 0)
    *p = ' ';
  return p + 1;
}

/* Blanks from @start to where the brackets behind it are closed. Returns where to go on; attributes hold no statements,
 * so that what isn't closed before one is none. */
static char *
blank_brackets (char *start, char *open, char *end, char opening, char closing)
{
  gsize depth = 0;

  for (char *p = open; p < end; p++)
    {
      if (*p == ';' || *p == '{' || *p == '}')
        return p;
      if (*p == opening)
        depth++;
      else if (*p == closing && --depth == 0)
        return blank (start, p + 1);
    }
  return end;
}

static void
blank_attributes (char *text, char *end, const char *word)
{
  gsize length = strlen (word);
  char *p = text, *found;

  while ((found = memmem (p, (gsize) (end - p), word, length)) != NULL)
    {
      char *open = found + length;

      p = open;
      if (found > text && is_word (found[-1]))
        continue;
      if (end - open >= 2 && memcmp (open, "__", 2) == 0)
        open += 2;
      while (open < end && g_ascii_isspace (*open))
        open++;
      if (open < end && *open == '(')
        p = blank_brackets (found, open, end, '(', ')');
    }
}

/**
 * cs_code_blank:
 * @text: (inout): a C or C++ source, which need not be valid
 * @length: its bytes
 *
 * Puts spaces in the place of comments, strings, characters, preprocessor lines with their continuations, what lies
 * behind "#if 0", and attributes. Ends of lines stay, so that every byte of the code keeps its offset and line.
 * What isn't closed ends as compilers have it: a string with its line, a comment with the text.
 * Digraphs and trigraphs aren't known. Takes time proportional to @length.
 */
void
cs_code_blank (char *text, gsize length)
{
  Blanker self = { .end = text + length, .line_start = TRUE };
  char *p = text, *found;

  g_return_if_fail (text != NULL || length == 0);
  while (p < self.end)
    p = step (&self, p);
  blank_attributes (text, self.end, "__attribute");
  blank_attributes (text, self.end, "__declspec");
  for (p = text; length > 0 && (found = memmem (p, (gsize) (self.end - p), "[[", 2)) != NULL;)
    p = blank_brackets (found, found, self.end, '[', ']');
}
