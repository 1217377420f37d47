/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "selection/cs-declaration-private.h"

/* Declarations of K&R parameters. */
#define MOST_PARAMETERS 64

/* Whether a "=" is one of operator==, operator+=. */
static gboolean
is_in_operator (const CsDeclaration *self)
{
  for (guint i = self->n; i > 0 && i + 3 > self->n; i--)
    {
      if (cs_token_is (&self->tokens[i - 1], "operator"))
        return TRUE;
      if (self->tokens[i - 1].kind != CS_TOKEN_SYMBOL)
        return FALSE;
    }
  return FALSE;
}

/**
 * cs_declaration_push:
 * @self: a declaration
 * @token: what comes next
 */
void
cs_declaration_push (CsDeclaration *self, const CsToken *token)
{
  const CsToken *before = self->n > 0 ? &self->tokens[self->n - 1] : NULL;

  if (is_symbol (token, '<') && (self->angles > 0 || (before != NULL && cs_token_is (before, "template"))))
    self->angles++;
  else if (is_symbol (token, '>') && self->angles > 0 && !is_in_comparison (token))
    self->angles--;
  else if (is_symbol (token, '=') && self->angles == 0 && before != NULL && !is_in_comparison (token) &&
           !is_in_operator (self))
    self->has_equal = TRUE;
  if (token->kind == CS_TOKEN_BLOCK)
    self->blocks++;
  if (self->n < CS_DECLARATION_LONGEST)
    self->tokens[self->n++] = *token;
  else
    self->overflowed = TRUE;
}

/**
 * cs_declaration_clear:
 * @self: a declaration
 *
 * Begins the next one.
 */
void
cs_declaration_clear (CsDeclaration *self)
{
  self->n = self->blocks = self->angles = 0;
  self->overflowed = self->has_equal = FALSE;
}

/**
 * cs_declaration_end_default:
 * @self: a declaration whose end was reached
 *
 * Takes "= default" from its end.
 *
 * Returns: whether it was there
 */
gboolean
cs_declaration_end_default (CsDeclaration *self)
{
  if (self->n < 3 || self->overflowed || !cs_token_is (&self->tokens[self->n - 1], "default") ||
      !is_symbol (&self->tokens[self->n - 2], '='))
    return FALSE;
  self->n -= 2;
  self->has_equal = FALSE;
  return TRUE;
}

/* Whether a name of @segment is one of those in parentheses, which are names alone. */
static gboolean
declares_one_of (const CsToken *group, const CsToken *segment, guint n)
{
  CsLexer lexer;
  CsToken token;
  gboolean found = FALSE;

  cs_lexer_init (&lexer, group->start + 1, group->length - 2, FALSE);
  for (guint i = 0; i < MOST_PARAMETERS; i++)
    {
      cs_lexer_next (&lexer, &token);
      if (token.kind != CS_TOKEN_NAME)
        return FALSE;
      for (guint j = 1; j < n && !found; j++)
        found = (segment[j].kind == CS_TOKEN_NAME && segment[j].length == token.length &&
                 memcmp (segment[j].start, token.start, token.length) == 0) ||
                (segment[j].kind == CS_TOKEN_GROUP &&
                 g_strstr_len (segment[j].start, segment[j].length, "*") != NULL);
      cs_lexer_next (&lexer, &token);
      if (token.kind == CS_TOKEN_END)
        return found;
      if (!is_symbol (&token, ','))
        return FALSE;
    }
  return FALSE;
}

/**
 * cs_declaration_goes_on:
 * @self: what stands before a semicolon
 *
 * Returns: whether that may be the declaration of a K&R function's parameter
 */
gboolean
cs_declaration_goes_on (CsDeclaration *self)
{
  guint group, first;

  if (self->has_equal || self->overflowed)
    return FALSE;
  for (group = 1; group < self->n && self->tokens[group].kind != CS_TOKEN_GROUP; group++)
    ;
  if (group >= self->n || self->tokens[group - 1].kind != CS_TOKEN_NAME || self->tokens[group].length > 4096)
    return FALSE;
  for (first = self->n; first > group + 1 && !is_symbol (&self->tokens[first - 1], ';'); first--)
    ;
  return self->n - first >= 2 && self->tokens[first].kind == CS_TOKEN_NAME &&
         declares_one_of (&self->tokens[group], &self->tokens[first], self->n - first);
}
