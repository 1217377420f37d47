/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-call-scan.h"

/* Bytes between a function's name and its body; more aren't looked at. */
#define PARAMETERS_MAX 4096
#define HEAD_MAX 16384

typedef struct
{
  gsize open, close; /* close: behind the brace */
} Braces;

/* A source, and what is known of it when the first function asks. */
typedef struct
{
  const char *text;
  gsize length;
  gsize *lines; /* offsets; one more behind the last */
  gsize n_lines;
  GArray *braces; /* (nullable): in the order of their offsets */
} Source;

static void
find_lines (Source *self)
{
  gsize size = 256;
  const char *p = self->text, *end = p + self->length, *newline;

  self->lines = g_new (gsize, size);
  self->lines[self->n_lines++] = 0;
  while (p < end && (newline = memchr (p, '\n', (gsize) (end - p))) != NULL)
    {
      p = newline + 1;
      if (self->n_lines + 1 >= size)
        self->lines = g_renew (gsize, self->lines, size *= 2);
      self->lines[self->n_lines++] = (gsize) (p - self->text);
    }
  self->lines[self->n_lines] = self->length;
}

static gsize
start_of_line (const Source *self, guint32 line)
{
  return self->lines[MIN ((gsize) line - 1, self->n_lines)];
}

/* All braces at once: a search for each function's would take longer the less of them are closed. */
static void
find_braces (Source *self)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));

  self->braces = g_array_new (FALSE, FALSE, sizeof (Braces));
  for (gsize i = 0; i < self->length; i++)
    if (self->text[i] == '{')
      {
        Braces braces = { i, 0 };

        g_array_append_val (open, self->braces->len);
        g_array_append_val (self->braces, braces);
      }
    else if (self->text[i] == '}' && open->len > 0)
      {
        g_array_index (self->braces, Braces, g_array_index (open, guint, open->len - 1)).close = i + 1;
        g_array_set_size (open, open->len - 1);
      }
}

/* Behind the brace that closes the one at @open; 0: it isn't closed. */
static gsize
find_close (Source *self, gsize open)
{
  guint low = 0, high;

  if (self->braces == NULL)
    find_braces (self);
  for (high = self->braces->len; low < high;)
    {
      guint middle = low + (high - low) / 2;
      const Braces *braces = &g_array_index (self->braces, Braces, middle);

      if (braces->open == open)
        return braces->close;
      if (braces->open < open)
        low = middle + 1;
      else
        high = middle;
    }
  return 0;
}

static gsize
skip_blanks (const char *text, gsize at, gsize limit)
{
  while (at < limit && g_ascii_isspace (text[at]))
    at++;
  return at;
}

/* The word of a name that can be looked for: of "~C" and "operator+" a part. Returns its length. */
static gsize
name_word (const char *name, const char **word)
{
  gsize n = 0;

  *word = name + (*name == '~');
  while (cs_call_is_word ((*word)[n]))
    n++;
  return n;
}

/* Behind the name, where it is in that line; 0: it isn't. */
static gsize
find_name (const Source *self, const CsSourceFunction *function, gsize from, gsize to)
{
  const char *word;
  gsize n = name_word (function->name, &word), fallback = 0;

  while (n > 0 && from + n <= to)
    {
      const char *found = memmem (self->text + from, to - from, word, n);
      gsize at, behind;

      if (found == NULL)
        break;
      at = (gsize) (found - self->text);
      from = at + n;
      if ((at > 0 && cs_call_is_word (self->text[at - 1])) || (from < self->length && cs_call_is_word (self->text[from])))
        continue;
      behind = skip_blanks (self->text, from, to);
      if (behind < to && (self->text[behind] == '(' || self->text[behind] == '<'))
        return from;
      fallback = from;
    }
  return fallback;
}

/* Behind the parenthesis that closes the one at @at; 0: none does, before a statement ends. */
static gsize
skip_parentheses (const char *text, gsize at, gsize limit)
{
  gsize depth = 0;

  limit = MIN (limit, at + PARAMETERS_MAX);
  for (; at < limit && text[at] != ';'; at++)
    {
      depth += text[at] == '(';
      if (text[at] == ')' && --depth == 0)
        return at + 1;
    }
  return 0;
}

/* The parameters: the first parentheses behind the name, but for those of "operator()". */
static gsize
find_parameters (const Source *self, const CsSourceFunction *function, gsize at, gsize limit, CsCallBody *body)
{
  const char *text = self->text;

  limit = MIN (limit, at + PARAMETERS_MAX);
  if (g_str_has_prefix (function->name, "operator") && strchr (function->name, '(') != NULL)
    while (at < limit && text[at++] != ')')
      ;
  while (at < limit && text[at] != '(' && text[at] != '{' && text[at] != ';')
    at++;
  if (at == limit || text[at] != '(')
    return at;
  body->parameters = at + 1;
  body->parameters_end = skip_parentheses (text, at, limit);
  if (body->parameters_end == 0)
    body->parameters = 0;
  return body->parameters_end != 0 ? body->parameters_end : at;
}

/* Behind "name (…)" and "name {…}", which initialise what the name is of. */
static gsize
skip_initialisers (Source *self, gsize at, gsize limit)
{
  const char *text = self->text;
  char before = ',';

  while (at < limit && text[at] != ';')
    {
      if (text[at] == '{')
        {
          gsize close;

          if (!cs_call_is_word (before) && before != '>')
            return at;
          close = find_close (self, at);
          if (close == 0 || close > limit)
            return at;
          before = '}';
          at = close;
          continue;
        }
      if (text[at] == '(')
        {
          gsize behind = skip_parentheses (text, at, limit);

          if (behind == 0)
            return limit;
          before = ')';
          at = behind;
          continue;
        }
      if (!g_ascii_isspace (text[at]))
        before = text[at];
      at++;
    }
  return at;
}

/* Where the body begins, or what comes before it and calls too. */
static gboolean
find_body (Source *self, gsize at, gsize limit, CsCallBody *body)
{
  const char *text = self->text;

  limit = MIN (limit, at + HEAD_MAX);
  for (; at < limit; at++)
    switch (text[at])
      {
      case '{':
        body->start = body->start != 0 ? body->start : at;
        body->body = at;
        return TRUE;
      case '(':
        {
          gsize behind = skip_parentheses (text, at, limit);

          if (behind == 0)
            return FALSE;
          at = behind - 1;
          break;
        }
      case '=':
      case '}':
        return FALSE;
      case ':':
        if (at + 1 < limit && text[at + 1] == ':')
          {
            at++;
            break;
          }
        body->start = at;
        at = skip_initialisers (self, at + 1, limit) - 1;
        break;
      default:
        break;
      }
  return FALSE;
}

/* Behind the blocks of catch that follow the body of "try". */
static gsize
skip_handlers (Source *self, gsize close)
{
  for (;;)
    {
      gsize at = skip_blanks (self->text, close, self->length), behind;

      if (self->length - at < 5 || memcmp (self->text + at, "catch", 5) != 0)
        return close;
      at = skip_blanks (self->text, at + 5, self->length);
      if (at == self->length || self->text[at] != '(' || (at = skip_parentheses (self->text, at, self->length)) == 0)
        return close;
      at = skip_blanks (self->text, at, self->length);
      if (at == self->length || self->text[at] != '{' || (behind = find_close (self, at)) == 0)
        return close;
      close = behind;
    }
}

static gboolean
locate (Source *self, const CsSourceFunction *function, const CsSourceFunction *next, gsize from, CsCallBody *body)
{
  gsize line = start_of_line (self, function->line), name;
  gboolean end_known = function->end >= function->line && function->end <= self->n_lines;
  gsize limit = end_known ? start_of_line (self, function->end + 1) : self->length;

  if (function->line == 0 || function->line > self->n_lines)
    return FALSE;
  name = find_name (self, function, MAX (line, from), start_of_line (self, function->line + 1));
  if (!find_body (self, name != 0 ? find_parameters (self, function, name, limit, body) : line, limit, body))
    return FALSE;
  body->end = limit;
  /* What begins in the last line, another function has. */
  if (!end_known || (next != NULL && next->line == function->end))
    {
      gsize close = find_close (self, body->body);

      if (close != 0)
        close = skip_handlers (self, close);
      else if (next != NULL && !end_known)
        close = MAX (start_of_line (self, next->line), body->body);
      if (close != 0 && close < limit)
        body->end = close;
    }
  return TRUE;
}

static int
compare_bodies (gconstpointer a, gconstpointer b)
{
  const CsCallBody *x = a, *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->function < y->function ? -1 : x->function > y->function;
}

/**
 * cs_call_bodies_new:
 * @functions: those of an index
 * @first: the first of a file
 * @count: how many it has
 * @text: the file's text, blanked
 * @length: its bytes
 *
 * Returns: (transfer full) (element-type CsCallBody): where their code lies, by where it begins; without those that
 *   aren't found
 */
GArray *
cs_call_bodies_new (const CsSourceFunction *functions, gsize first, gsize count, const char *text, gsize length)
{
  Source source = { .text = text, .length = length };
  GArray *bodies = g_array_new (FALSE, FALSE, sizeof (CsCallBody));
  gsize from = 0;

  find_lines (&source);
  for (gsize i = first; i < first + count; i++)
    {
      const CsSourceFunction *next = i + 1 < first + count ? &functions[i + 1] : NULL;
      CsCallBody body = { .function = (guint32) i };

      if (i > first && functions[i].line != functions[i - 1].line)
        from = 0;
      if (!locate (&source, &functions[i], next, from, &body))
        continue;
      from = body.end;
      g_array_append_val (bodies, body);
    }
  g_array_sort (bodies, compare_bodies);
  g_free (source.lines);
  g_clear_pointer (&source.braces, g_array_unref);
  return bodies;
}
