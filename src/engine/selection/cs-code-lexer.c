/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-code-lexer.h"

/* How far back a number with separators, 1'000'000, is looked for. */
#define LONGEST_NUMBER 64
#define LONGEST_RAW_DELIMITER 16

/* What is known of a condition. */
enum
{
  CONDITION_OPEN,  /* nothing: both branches are read */
  CONDITION_HOLDS, /* the branch that is read; the others are passed over */
};

/**
 * cs_lexer_init:
 * @self: (out caller-allocates): a lexer
 * @text: C or C++, with a NUL behind it
 * @length: its bytes
 * @cplusplus: which of the two: what is for the other one isn't read
 */
void
cs_lexer_init (CsLexer *self, const char *text, gsize length, gboolean cplusplus)
{
  self->text = self->at = text;
  self->end = text + length;
  self->line = 1;
  self->cplusplus = cplusplus;
  self->fresh = TRUE;
  self->depth = 0;
  if (length >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    self->at += 3;
}

static gboolean
is_name_start (char c)
{
  return g_ascii_isalpha (c) || c == '_' || c == '$' || (guchar) c >= 0x80;
}

static gboolean
is_name (char c)
{
  return is_name_start (c) || g_ascii_isdigit (c);
}

/* The length of a backslash with the end of a line, 0 if there is none. */
static guint
get_splice (const CsLexer *self, const char *at)
{
  if (*at != '\\' || self->end - at < 2)
    return 0;
  if (at[1] == '\n')
    return 2;
  return at[1] == '\r' && self->end - at > 2 && at[2] == '\n' ? 3 : 0;
}

/* Behind the slash and star. */
static void
skip_comment (CsLexer *self)
{
  while (self->at < self->end)
    {
      if (*self->at == '\n')
        self->line++;
      if (*self->at == '*' && self->at + 1 < self->end && self->at[1] == '/')
        {
          self->at += 2;
          return;
        }
      self->at++;
    }
}

/* To the end of the line, which may go on in the next one. */
static void
skip_line_comment (CsLexer *self)
{
  while (self->at < self->end && *self->at != '\n')
    {
      guint splice = get_splice (self, self->at);

      if (splice > 0)
        self->line++;
      self->at += MAX (splice, 1);
    }
}

/* Whether a comment lies here; it is passed. */
static gboolean
take_comment (CsLexer *self)
{
  if (*self->at != '/' || self->end - self->at < 2)
    return FALSE;
  if (self->at[1] == '*')
    {
      self->at += 2;
      skip_comment (self);
      return TRUE;
    }
  if (self->at[1] != '/')
    return FALSE;
  skip_line_comment (self);
  return TRUE;
}

/* Behind the first quote. A string that has no end ends with its line. */
static void
skip_string (CsLexer *self, char quote)
{
  while (self->at < self->end && *self->at != quote && *self->at != '\n')
    {
      if (*self->at == '\\' && self->at + 1 < self->end)
        {
          guint splice = get_splice (self, self->at);

          if (splice > 0)
            self->line++;
          self->at += MAX (splice, 2);
        }
      else
        self->at++;
    }
  if (self->at < self->end && *self->at == quote)
    self->at++;
}

/* At the quote of R"…(…)…". */
static gboolean
take_raw_string (CsLexer *self)
{
  char close[LONGEST_RAW_DELIMITER + 3];
  const char *open = self->at + 1;
  const char *end;
  gsize length = 0;

  while (length <= LONGEST_RAW_DELIMITER && open + length < self->end && open[length] != '(')
    {
      if (g_ascii_isspace (open[length]) || open[length] == ')' || open[length] == '"')
        return FALSE;
      length++;
    }
  if (length > LONGEST_RAW_DELIMITER || open + length >= self->end)
    return FALSE;
  close[0] = ')';
  memcpy (close + 1, open, length);
  close[length + 1] = '"';
  end = memmem (open + length, (gsize) (self->end - open) - length, close, length + 2);
  end = end != NULL ? end + length + 2 : self->end;
  for (; self->at < end; self->at++)
    if (*self->at == '\n')
      self->line++;
  return TRUE;
}

/* At a quote: passes what it begins. */
static void
take_string (CsLexer *self)
{
  const char *at = self->at;
  const char *start = at;

  while (start > self->text && at - start < LONGEST_NUMBER && (is_name (start[-1]) || start[-1] == '\''))
    start--;
  if (*at == '"' && start < at && at[-1] == 'R' && at - start <= 3 && take_raw_string (self))
    return;
  self->at++;
  if (*at == '\'' && start < at && g_ascii_isdigit (*start))
    return; /* 1'000 */
  skip_string (self, *at);
}

/* Passes the rest of a directive. */
static void
skip_directive (CsLexer *self)
{
  while (self->at < self->end && *self->at != '\n')
    {
      guint splice = get_splice (self, self->at);

      if (splice > 0)
        {
          self->line++;
          self->at += splice;
        }
      else if (*self->at == '"')
        {
          self->at++;
          skip_string (self, '"');
        }
      else if (!take_comment (self))
        self->at++;
    }
}

static void
skip_blanks (CsLexer *self)
{
  while (self->at < self->end && (*self->at == ' ' || *self->at == '\t'))
    self->at++;
}

static gsize
read_word (CsLexer *self, const char **word)
{
  *word = self->at;
  while (self->at < self->end && is_name (*self->at))
    self->at++;
  return (gsize) (self->at - *word);
}

static gboolean
word_is (const char *word, gsize length, const char *text)
{
  return length == strlen (text) && memcmp (word, text, length) == 0;
}

/* What an #if says that can be known: 1, -1 if it doesn't hold, 0 if that isn't known. */
static int
read_condition (CsLexer *self, const char *directive, gsize length)
{
  char compact[32];
  gsize n = 0;
  const char *at;
  int holds = self->cplusplus ? 1 : -1;

  for (at = self->at; at < self->end && *at != '\n' && *at != '\\' && n < sizeof compact - 1; at++)
    {
      if (*at == '/' && at + 1 < self->end && (at[1] == '*' || at[1] == '/'))
        break;
      if (!g_ascii_isspace (*at) && *at != '(' && *at != ')')
        compact[n++] = *at;
    }
  compact[n] = '\0';
  if (word_is (directive, length, "ifdef"))
    return strcmp (compact, "__cplusplus") == 0 ? holds : 0;
  if (word_is (directive, length, "ifndef"))
    return strcmp (compact, "__cplusplus") == 0 ? -holds : 0;
  if (strcmp (compact, "0") == 0)
    return -1;
  if (strcmp (compact, "1") == 0)
    return 1;
  if (strcmp (compact, "defined__cplusplus") == 0)
    return holds;
  return strcmp (compact, "!defined__cplusplus") == 0 ? -holds : 0;
}

/* Whether a directive begins here; its name is read. */
static gboolean
read_directive (CsLexer *self, const char **word, gsize *length)
{
  if (self->at == self->end || *self->at != '#')
    return FALSE;
  self->at++;
  skip_blanks (self);
  *length = read_word (self, word);
  return TRUE;
}

static gboolean
is_if (const char *word, gsize length)
{
  return word_is (word, length, "if") || word_is (word, length, "ifdef") || word_is (word, length, "ifndef");
}

/* Passes lines up to the #else, #elif (only if @all is %FALSE) or #endif of this condition, and that. */
static gboolean
skip_branch (CsLexer *self, gboolean all, gboolean *again)
{
  guint depth = 0;

  *again = FALSE;
  while (self->at < self->end)
    {
      const char *word;
      gsize length;

      while (self->at < self->end && g_ascii_isspace (*self->at))
        if (*self->at++ == '\n')
          self->line++;
      if (self->at < self->end && take_comment (self))
        continue;
      if (read_directive (self, &word, &length))
        {
          if (is_if (word, length))
            depth++;
          else if (word_is (word, length, "endif") && depth-- == 0)
            return FALSE;
          else if (depth == 0 && !all && g_str_has_prefix (word, "el"))
            {
              *again = !word_is (word, length, "else");
              return TRUE;
            }
        }
      /* No comment that goes over lines is lost, and no apostrophe of plain text matters. */
      while (self->at < self->end && *self->at != '\n' && !take_comment (self))
        if (*self->at++ == '"')
          skip_string (self, '"');
    }
  return FALSE;
}

static void
begin_condition (CsLexer *self, int known, CsToken *token)
{
  gboolean again = TRUE;

  while (known < 0 && again)
    {
      if (!skip_branch (self, FALSE, &again))
        return;
      known = again ? read_condition (self, "elif", 4) : 1;
    }
  if (self->depth < CS_LEXER_DEEPEST)
    self->conditions[self->depth] = known > 0 ? CONDITION_HOLDS : CONDITION_OPEN;
  self->depth++;
  if (known == 0)
    token->kind = CS_TOKEN_IF;
}

static guint8
get_condition (const CsLexer *self)
{
  return self->depth > 0 && self->depth <= CS_LEXER_DEEPEST ? self->conditions[self->depth - 1] : CONDITION_HOLDS;
}

/* At a #. Conditions of which nothing is known are told. */
static void
take_directive (CsLexer *self, CsToken *token)
{
  const char *word = self->at;
  gsize length = 0;
  gboolean again;

  read_directive (self, &word, &length);
  if (is_if (word, length))
    begin_condition (self, read_condition (self, word, length), token);
  else if (word_is (word, length, "endif"))
    {
      if (self->depth > 0)
        {
          if (get_condition (self) == CONDITION_OPEN)
            token->kind = CS_TOKEN_ENDIF;
          self->depth--;
        }
    }
  else if (self->depth > 0 && (word_is (word, length, "else") || (length >= 4 && memcmp (word, "elif", 4) == 0)))
    {
      if (get_condition (self) == CONDITION_OPEN)
        token->kind = CS_TOKEN_ELSE;
      else if (self->depth <= CS_LEXER_DEEPEST)
        {
          skip_branch (self, TRUE, &again);
          self->depth--;
        }
    }
  skip_directive (self);
}

/* Passes what is no token. Returns whether @token is one: a condition, or the end. */
static gboolean
skip_space (CsLexer *self, CsToken *token)
{
  for (;;)
    {
      guint splice;

      if (self->at == self->end)
        {
          token->kind = CS_TOKEN_END;
          token->line = self->line;
          return TRUE;
        }
      if (*self->at == '\n')
        {
          self->line++;
          self->at++;
          self->fresh = TRUE;
        }
      else if (g_ascii_isspace (*self->at) || *self->at == '\0')
        self->at++;
      else if ((splice = get_splice (self, self->at)) > 0)
        {
          self->line++;
          self->at += splice;
        }
      else if (*self->at == '#' && self->fresh)
        {
          token->kind = CS_TOKEN_END;
          token->start = self->at;
          token->line = self->line;
          take_directive (self, token);
          if (token->kind != CS_TOKEN_END)
            return TRUE;
        }
      else if (!take_comment (self))
        return FALSE;
    }
}

/**
 * cs_lexer_next:
 * @self: a lexer
 * @token: (out): the next token
 */
void
cs_lexer_next (CsLexer *self, CsToken *token)
{
  if (skip_space (self, token))
    return;
  self->fresh = FALSE;
  token->start = self->at;
  token->line = self->line;
  token->symbol = '\0';
  if (is_name_start (*self->at))
    {
      token->kind = CS_TOKEN_NAME;
      while (self->at < self->end && is_name (*self->at))
        self->at++;
      /* What stands before a string, u8 or L, belongs to it. */
      if (self->at < self->end && (*self->at == '"' || *self->at == '\'') && self->at - token->start <= 3 &&
          strchr ("uULR", *token->start) != NULL)
        {
          token->kind = CS_TOKEN_STRING;
          take_string (self);
        }
    }
  else if (g_ascii_isdigit (*self->at))
    {
      token->kind = CS_TOKEN_NUMBER;
      while (self->at < self->end &&
             (is_name (*self->at) || *self->at == '.' ||
              (*self->at == '\'' && self->at + 1 < self->end && g_ascii_isalnum (self->at[1]))))
        self->at++;
    }
  else if (*self->at == '"' || *self->at == '\'')
    {
      token->kind = CS_TOKEN_STRING;
      take_string (self);
    }
  else
    {
      token->kind = CS_TOKEN_SYMBOL;
      token->symbol = *self->at++;
      if (self->at < self->end && ((token->symbol == ':' && *self->at == ':') ||
                                   (token->symbol == '-' && *self->at == '>')))
        self->at++;
    }
  token->length = (guint32) (self->at - token->start);
}

/**
 * cs_lexer_next_brace:
 * @self: a lexer
 * @token: (out): the next brace, condition, or the end
 *
 * Passes all else, as fast as it can.
 */
void
cs_lexer_next_brace (CsLexer *self, CsToken *token)
{
  for (;;)
    {
      char c;

      if (self->fresh && skip_space (self, token))
        return;
      self->fresh = FALSE;
      while (self->at < self->end && (c = *self->at) != '{' && c != '}' && c != '"' && c != '\'' && c != '/' && c != '\n')
        self->at++;
      if (self->at == self->end)
        {
          token->kind = CS_TOKEN_END;
          token->line = self->line;
          return;
        }
      if (*self->at == '\n')
        {
          /* A line that goes on begins no directive. */
          self->fresh = !(self->at > self->text && self->at[-1] == '\\');
          self->line++;
          self->at++;
        }
      else if (*self->at == '/')
        {
          if (!take_comment (self))
            self->at++;
        }
      else if (*self->at == '"' || *self->at == '\'')
        take_string (self);
      else
        {
          token->kind = CS_TOKEN_SYMBOL;
          token->symbol = *self->at;
          token->start = self->at++;
          token->length = 1;
          token->line = self->line;
          return;
        }
    }
}

/**
 * cs_token_is:
 * @token: a token
 * @text: a name
 *
 * Returns: whether it is that name
 */
gboolean
cs_token_is (const CsToken *token, const char *text)
{
  return token->kind == CS_TOKEN_NAME && word_is (token->start, token->length, text);
}

/**
 * cs_token_is_first_in_line:
 * @token: a token
 * @lexer: where it comes from
 *
 * Returns: whether it stands in the first column
 */
gboolean
cs_token_is_first_in_line (const CsToken *token, const CsLexer *lexer)
{
  return token->start == lexer->text || token->start[-1] == '\n';
}
