/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-ctags-line.h"

/* Deeper values than this are nothing that ctags writes. */
#define DEEPEST 16
#define LARGEST_LINE 100000000u

/* A line that is being read; what lies before @at may have been rewritten. */
typedef struct
{
  char *at, *end;
} Cursor;

static void
skip_space (Cursor *cursor)
{
  while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\t'))
    cursor->at++;
}

static gboolean
take (Cursor *cursor, char c)
{
  skip_space (cursor);
  if (cursor->at == cursor->end || *cursor->at != c)
    return FALSE;
  cursor->at++;
  return TRUE;
}

static gboolean
read_hex (Cursor *cursor, gunichar *code)
{
  *code = 0;
  if (cursor->end - cursor->at < 4)
    return FALSE;
  for (guint i = 0; i < 4; i++)
    {
      int digit = g_ascii_xdigit_value (*cursor->at++);

      if (digit < 0)
        return FALSE;
      *code = *code << 4 | (gunichar) digit;
    }
  return TRUE;
}

/* Behind "\u". The UTF-8 of a code is never longer than its escape. */
static gboolean
read_code (Cursor *cursor, char **to)
{
  gunichar code, low;

  if (!read_hex (cursor, &code))
    return FALSE;
  if (code >= 0xd800 && code < 0xdc00)
    {
      if (cursor->end - cursor->at < 6 || cursor->at[0] != '\\' || cursor->at[1] != 'u')
        return FALSE;
      cursor->at += 2;
      if (!read_hex (cursor, &low) || low < 0xdc00 || low >= 0xe000)
        return FALSE;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
  if (code == 0 || (code >= 0xd800 && code < 0xe000))
    return FALSE;
  *to += g_unichar_to_utf8 (code, *to);
  return TRUE;
}

/* Reads a string where it lies; a NUL comes in place of the quote. */
static gboolean
read_string (Cursor *cursor, const char **text)
{
  static const char escapes[] = "\"\\/bfnrt";
  static const char meanings[] = "\"\\/\b\f\n\r\t";
  char *to;

  if (!take (cursor, '"'))
    return FALSE;
  *text = to = cursor->at;
  while (cursor->at < cursor->end && *cursor->at != '"' && *cursor->at != '\\')
    cursor->at++;
  to = cursor->at;
  while (cursor->at < cursor->end && *cursor->at != '"')
    {
      char c = *cursor->at++;
      const char *escape;

      if (c != '\\')
        {
          *to++ = c;
          continue;
        }
      c = cursor->at < cursor->end ? *cursor->at++ : '\0';
      if (c == 'u')
        {
          if (!read_code (cursor, &to))
            return FALSE;
          continue;
        }
      escape = c != '\0' ? strchr (escapes, c) : NULL;
      if (escape == NULL)
        return FALSE;
      *to++ = meanings[escape - escapes];
    }
  if (cursor->at == cursor->end)
    return FALSE;
  cursor->at++;
  *to = '\0';
  return TRUE;
}

/* Passes a value that isn't a string. */
static gboolean
skip_value (Cursor *cursor)
{
  const char *text;
  guint depth = 0;

  do
    {
      skip_space (cursor);
      if (cursor->at == cursor->end)
        return FALSE;
      if (*cursor->at == '"')
        {
          if (!read_string (cursor, &text))
            return FALSE;
          continue;
        }
      if (*cursor->at == '[' || *cursor->at == '{')
        depth++;
      else if (*cursor->at == ']' || *cursor->at == '}')
        {
          if (depth == 0)
            return FALSE;
          depth--;
        }
      else if (depth == 0)
        {
          const char *start = cursor->at;

          while (cursor->at < cursor->end && (g_ascii_isalnum (*cursor->at) || strchr ("+-.", *cursor->at) != NULL))
            cursor->at++;
          return cursor->at > start;
        }
      cursor->at++;
    }
  while (depth > 0 && depth < DEEPEST);
  return depth == 0;
}

static gboolean
read_number (Cursor *cursor, guint32 *number)
{
  const char *start;

  skip_space (cursor);
  start = cursor->at;
  *number = 0;
  for (; cursor->at < cursor->end && g_ascii_isdigit (*cursor->at); cursor->at++)
    {
      *number = *number * 10 + (guint32) (*cursor->at - '0');
      if (*number > LARGEST_LINE)
        return FALSE;
    }
  return cursor->at > start;
}

static gboolean
read_field (Cursor *cursor, CsCtagsLine *line, const char **type, gboolean *fatal)
{
  const struct
  {
    const char *key;
    const char **text;
    guint32 *number;
  } fields[] = {
    { "_type", type, NULL },
    { "name", &line->name, NULL },
    { "path", &line->path, NULL },
    { "line", NULL, &line->line },
    { "kind", &line->kind, NULL },
    { "signature", &line->signature, NULL },
    { "scope", &line->scope, NULL },
    { "scopeKind", &line->scope_kind, NULL },
    { "end", NULL, &line->end },
    { "properties", &line->properties, NULL },
  };
  const char *key, *text;

  if (!read_string (cursor, &key) || !take (cursor, ':'))
    return FALSE;
  skip_space (cursor);
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (strcmp (key, fields[i].key) == 0)
      return fields[i].text != NULL ? read_string (cursor, fields[i].text) : read_number (cursor, fields[i].number);
  if (strcmp (key, "template") == 0)
    line->has_template = TRUE;
  if (strcmp (key, "fatal") == 0)
    *fatal = cursor->at < cursor->end && *cursor->at == 't';
  if (cursor->at < cursor->end && *cursor->at == '"')
    return read_string (cursor, &text);
  return skip_value (cursor);
}

/**
 * cs_ctags_line_parse:
 * @text: a line of Universal Ctags' JSON output without its end; it is written over
 * @length: its bytes
 * @line: (out): what it says; texts lie in @text
 *
 * Reads the few fields that are needed, in the place where they are: 0.5 µs a line. json-glib, which makes objects of
 * all of them, takes 7 to 8 µs: docs/internals.md tells what that would cost a scan.
 *
 * Returns: what kind of line it is
 */
CsCtagsLineType
cs_ctags_line_parse (char *text, gsize length, CsCtagsLine *line)
{
  Cursor cursor = { text, text + length };
  const char *type = NULL;
  gboolean fatal = FALSE;

  memset (line, 0, sizeof *line);
  if (memchr (text, '\0', length) != NULL || !take (&cursor, '{'))
    return CS_CTAGS_LINE_BAD;
  do
    {
      if (!read_field (&cursor, line, &type, &fatal))
        return CS_CTAGS_LINE_BAD;
    }
  while (take (&cursor, ','));
  if (!take (&cursor, '}'))
    return CS_CTAGS_LINE_BAD;
  skip_space (&cursor);
  if (type == NULL || (cursor.at < cursor.end && *cursor.at != '\r'))
    return CS_CTAGS_LINE_BAD;
  if (strcmp (type, "tag") == 0)
    return line->name != NULL && line->kind != NULL && line->line > 0 ? CS_CTAGS_LINE_TAG : CS_CTAGS_LINE_BAD;
  if (strcmp (type, "completed") == 0)
    return CS_CTAGS_LINE_COMPLETED;
  if (strcmp (type, "program") == 0)
    return CS_CTAGS_LINE_PROGRAM;
  return fatal ? CS_CTAGS_LINE_FATAL : CS_CTAGS_LINE_OTHER;
}
