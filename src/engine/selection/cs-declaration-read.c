/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "selection/cs-declaration-private.h"

/* Braces in one declaration, as of members that are initialised. */
#define MOST_BLOCKS 64

static const CsToken *
get_token (const DeclarationParts *parts, guint part)
{
  return &parts->from->tokens[parts->parts[part].first];
}

static gboolean
part_is (const DeclarationParts *parts, guint part, const char *word)
{
  return parts->parts[part].kind == PART_WORD && cs_token_is (get_token (parts, part), word);
}

static int
find_word (const DeclarationParts *parts, const char *word)
{
  for (guint i = 0; i < parts->n; i++)
    if (part_is (parts, i, word))
      return (int) i;
  return -1;
}

static gboolean
is_upper (const CsToken *token)
{
  gboolean letter = FALSE;

  for (guint32 i = 0; i < token->length; i++)
    {
      if (g_ascii_islower (token->start[i]))
        return FALSE;
      letter |= g_ascii_isupper (token->start[i]);
    }
  return letter && token->length > 1;
}

static gboolean
is_word_like (const DeclarationParts *parts, guint part)
{
  return parts->parts[part].kind == PART_WORD || parts->parts[part].kind == PART_OPERATOR;
}

static gboolean
is_tilde (const DeclarationParts *parts, guint part)
{
  return parts->parts[part].kind == PART_OTHER && is_symbol (get_token (parts, part), '~');
}

/* The first part of a name that ends with @part: its scope, or "~". */
static guint
find_name_start (const DeclarationParts *parts, guint part)
{
  guint first = part;

  if (first > 0 && is_tilde (parts, first - 1))
    first--;
  while (first > 0 && parts->parts[first - 1].kind == PART_SCOPE)
    {
      first--;
      if (first > 0 && parts->parts[first - 1].kind == PART_WORD &&
          !cs_declaration_is_specifier (get_token (parts, first - 1)) &&
          !cs_declaration_is_built_in_type (get_token (parts, first - 1)))
        first--;
      else
        break;
    }
  return first;
}

/* How likely a word before parentheses is a function's name; 0 is not at all. */
static guint
rate (const DeclarationParts *parts, guint part, const char *class_name)
{
  const CsToken *token = get_token (parts, part);
  guint first = find_name_start (parts, part);
  gboolean is_reserved = token->length > 2 && memcmp (token->start, "__", 2) == 0;
  gboolean typed;

  if (parts->parts[part].kind == PART_OPERATOR || (part > 0 && is_tilde (parts, part - 1)))
    return 6;
  if (cs_declaration_is_keyword (token) || cs_declaration_is_specifier (token) || cs_declaration_is_built_in_type (token))
    return 0;
  if (class_name != NULL && first == part && cs_token_is (token, class_name))
    return 6;
  if (part >= 2 && first + 2 <= part && parts->parts[part - 2].kind == PART_WORD &&
      get_token (parts, part - 2)->length == token->length &&
      memcmp (get_token (parts, part - 2)->start, token->start, token->length) == 0)
    return 6; /* X::X */
  typed = first > 0 && (parts->parts[first - 1].kind == PART_POINTER || parts->parts[first - 1].kind == PART_TYPE ||
                        (parts->parts[first - 1].kind == PART_WORD &&
                         !cs_declaration_is_specifier (get_token (parts, first - 1)) &&
                         !cs_declaration_is_keyword (get_token (parts, first - 1))));
  if (typed)
    return (is_upper (token) || is_reserved) && first == part ? 4 : 5;
  return is_upper (token) ? 1 : is_reserved ? 2 : 3;
}

static int
find_class (const DeclarationParts *parts)
{
  static const char *const words[] = { "class", "struct", "union", NULL };

  for (guint i = 0; i < parts->n; i++)
    if (parts->parts[i].kind == PART_WORD && cs_declaration_is_one_of (get_token (parts, i), words))
      return (int) i;
  return -1;
}

/* The part before parentheses that is the function's name, or -1. */
static int
find_function (const DeclarationParts *parts, const char *class_name, guint *best_rating)
{
  int best = -1;

  *best_rating = 0;
  for (guint i = 0; i + 1 < parts->n; i++)
    {
      guint rating;

      /* What follows are initialisers, or the bases of a class. */
      if (parts->parts[i].kind == PART_COLON && (best >= 0 || find_class (parts) >= 0))
        break;
      if (!is_word_like (parts, i) || parts->parts[i + 1].kind != PART_GROUP)
        continue;
      rating = rate (parts, i, class_name);
      /* int ATTRIBUTE (x) f (void), EXPORT (int) f (void): a name right behind parentheses. */
      if (rating == 3 && best >= 0 && i == (guint) best + 2 && *best_rating <= 4 && *best_rating != 3 &&
          is_upper (get_token (parts, (guint) best)))
        rating = 5;
      if (rating > *best_rating)
        {
          best = (int) i;
          *best_rating = rating;
        }
    }
  return best;
}

static void
append_token (GString *string, const CsToken *token)
{
  if (string->len + token->length < CS_DECLARATION_LONGEST_NAME)
    g_string_append_len (string, token->start, token->length);
}

/* operator+, operator(), operator new[], operator const char*. */
static void
write_operator (const DeclarationParts *parts, const DeclarationPart *part, GString *name)
{
  for (guint i = part->first; i <= part->last; i++)
    {
      const CsToken *token = &parts->from->tokens[i];
      const CsToken *before = i > part->first ? token - 1 : NULL;

      /* Arguments of a type are written in many ways. */
      if (i > part->first + 1 && is_symbol (token, '<') && before->kind == CS_TOKEN_NAME)
        break;
      if (before != NULL && before->kind == CS_TOKEN_NAME && token->kind == CS_TOKEN_NAME)
        g_string_append_c (name, ' ');
      if (token->kind == CS_TOKEN_GROUP)
        g_string_append (name, "()");
      else if (token->kind == CS_TOKEN_BRACKET)
        g_string_append (name, "[]");
      else
        append_token (name, token);
    }
}

static void
write_name (const DeclarationParts *parts, guint part, CsDeclared *declared)
{
  guint first = find_name_start (parts, part);
  const DeclarationPart *last = &parts->parts[part];
  guint arguments = 0;

  g_string_truncate (declared->name, 0);
  g_string_truncate (declared->scope, 0);
  for (guint i = first; i < part; i++)
    {
      if (parts->parts[i].kind == PART_WORD)
        {
          if (declared->scope->len > 0)
            g_string_append (declared->scope, "::");
          append_token (declared->scope, get_token (parts, i));
          arguments += parts->parts[i].angled;
        }
      else if (is_tilde (parts, i))
        g_string_append_c (declared->name, '~');
    }
  if (last->kind == PART_OPERATOR)
    write_operator (parts, last, declared->name);
  else
    append_token (declared->name, get_token (parts, part));
  declared->line = get_token (parts, part)->line;
  declared->scope_template = arguments > 0;
  declared->is_template = parts->templates > arguments;
}

/* int (f) (int), int (*f (int)) (int): the name is in the first parentheses. */
static gboolean
take_inner_name (const DeclarationParts *parts, guint group, CsDeclared *declared)
{
  const CsToken *token = get_token (parts, group);
  CsLexer lexer;
  CsToken inner, next;

  cs_lexer_init (&lexer, token->start + 1, token->length - 2, parts->cplusplus);
  do
    cs_lexer_next (&lexer, &inner);
  while (is_symbol (&inner, '*') || is_symbol (&inner, '('));
  if (inner.kind != CS_TOKEN_NAME)
    return FALSE;
  cs_lexer_next (&lexer, &next);
  if (next.kind != CS_TOKEN_END && !is_symbol (&next, '(') && !is_symbol (&next, ')'))
    return FALSE;
  g_string_truncate (declared->name, 0);
  g_string_truncate (declared->scope, 0);
  append_token (declared->name, &inner);
  declared->line = token->line + inner.line - 1;
  return TRUE;
}

static gboolean
read_function (const DeclarationParts *parts, const char *class_name, CsDeclared *declared)
{
  guint rating;
  int part = find_function (parts, class_name, &rating);
  guint group;

  declared->parameters = NULL;
  if (part >= 0)
    {
      write_name (parts, (guint) part, declared);
      group = (guint) part + 1;
      declared->parameters = get_token (parts, group);
      declared->typed = rating >= 4;
      if (rating < 6 && group + 1 < parts->n && parts->parts[group + 1].kind == PART_GROUP)
        take_inner_name (parts, group, declared);
      return declared->name->len > 0;
    }
  for (guint i = 0; i + 1 < parts->n; i++)
    if (parts->parts[i].kind == PART_GROUP && parts->parts[i + 1].kind == PART_GROUP && i > 0 &&
        take_inner_name (parts, i, declared))
      {
        declared->parameters = get_token (parts, i + 1);
        declared->typed = TRUE;
        declared->is_template = parts->templates > 0;
        return TRUE;
      }
  return FALSE;
}

/* class EXPORT ns::Name<int> final : public Base */
static void
read_class (const DeclarationParts *parts, guint keyword, CsDeclared *declared)
{
  guint name = 0;

  for (guint i = keyword + 1; i < parts->n && parts->parts[i].kind != PART_COLON; i++)
    if (parts->parts[i].kind == PART_WORD && !part_is (parts, i, "final"))
      name = i;
  declared->opens = CS_OPENS_CLASS;
  g_string_truncate (declared->name, 0);
  g_string_truncate (declared->scope, 0);
  if (name > 0)
    write_name (parts, name, declared);
  declared->is_template = parts->templates > 0 || declared->scope_template ||
                          (name > 0 && parts->parts[name].angled);
}

static void
read_namespace (const DeclarationParts *parts, guint keyword, CsDeclared *declared)
{
  declared->opens = CS_OPENS_NAMESPACE;
  g_string_truncate (declared->name, 0);
  for (guint i = keyword + 1; i < parts->n; i++)
    {
      if (parts->parts[i].kind == PART_WORD && (i == keyword + 1 || parts->parts[i - 1].kind == PART_SCOPE ||
                                                part_is (parts, i - 1, "inline")))
        {
          gboolean word_follows = i + 1 < parts->n && parts->parts[i + 1].kind == PART_WORD &&
                                  !(i + 2 < parts->n && parts->parts[i + 2].kind == PART_GROUP);

          if (part_is (parts, i, "inline"))
            continue;
          /* namespace EXPORT name */
          if (i == keyword + 1 && word_follows && is_upper (get_token (parts, i)))
            {
              keyword++;
              continue;
            }
          if (declared->name->len > 0)
            g_string_append (declared->name, "::");
          append_token (declared->name, get_token (parts, i));
        }
      else if (parts->parts[i].kind != PART_SCOPE)
        break;
    }
}

/* Behind the parameters of a constructor: a member that is initialised with a brace follows. */
static gboolean
is_in_initialisers (const DeclarationParts *parts, const CsDeclared *declared)
{
  gboolean colon = FALSE;

  for (guint i = 0; i < parts->n; i++)
    if (parts->parts[i].kind == PART_COLON && get_token (parts, i) > declared->parameters)
      colon = TRUE;
  return colon && parts->n > 0 && parts->parts[parts->n - 1].kind == PART_WORD;
}

/* Whether the brace is that of "requires" or of "-> decltype (…) {". */
static gboolean
is_requirement (const CsDeclaration *self)
{
  const CsToken *last = self->n > 0 ? &self->tokens[self->n - 1] : NULL;

  return last != NULL && (cs_token_is (last, "requires") ||
                          (last->kind == CS_TOKEN_GROUP && self->n > 1 && cs_token_is (last - 1, "requires") &&
                           self->n > 2 && cs_token_is (last - 2, "requires")));
}

/* The first token that matters: behind the last ";", unless K&R parameters stand before the brace, perhaps with va_dcl
 * behind them. */
static guint
find_first_token (const CsDeclaration *self)
{
  if (self->n > 0 && is_symbol (&self->tokens[self->n - 1], ';'))
    return 0;
  if (self->n > 1 && self->tokens[self->n - 1].kind == CS_TOKEN_NAME && is_symbol (&self->tokens[self->n - 2], ';'))
    return 0;
  for (guint i = self->n; i > 0; i--)
    if (is_symbol (&self->tokens[i - 1], ';'))
      return i;
  return 0;
}

/**
 * cs_declaration_read:
 * @self: what stands before a brace
 * @cplusplus: in which language
 * @class_name: (nullable): the class around it
 * @declared: (inout): what it is; its strings must be there
 *
 * Reads a declaration as a person does who knows no type: a function's name is a word before parentheses, rather one
 * with a type before it than one without, and rather one with small letters than a macro.
 */
void
cs_declaration_read (const CsDeclaration *self, gboolean cplusplus, const char *class_name, CsDeclared *declared)
{
  DeclarationParts parts;
  int keyword, space;
  guint first = find_first_token (self);

  declared->opens = self->has_equal ? CS_OPENS_BLOCK : CS_OPENS_NOTHING;
  declared->is_static = declared->is_friend = declared->is_template = declared->scope_template = FALSE;
  if (self->n > first && cs_token_is (&self->tokens[first], "catch"))
    declared->opens = CS_OPENS_HANDLER;
  if (self->has_equal || self->overflowed || self->blocks > MOST_BLOCKS || declared->opens == CS_OPENS_HANDLER)
    return;
  cs_declaration_read_parts (self, cplusplus, first, &parts);
  if (self->n > first + 1 && self->tokens[self->n - 1].kind == CS_TOKEN_STRING &&
      cs_token_is (&self->tokens[self->n - 2], "extern"))
    {
      declared->opens = CS_OPENS_LINKAGE;
      return;
    }
  space = cplusplus ? find_word (&parts, "namespace") : -1;
  if (space >= 0)
    {
      read_namespace (&parts, (guint) space, declared);
      return;
    }
  keyword = find_class (&parts);
  declared->is_static = find_word (&parts, "static") >= 0;
  declared->is_friend = find_word (&parts, "friend") >= 0;
  if (keyword >= 0 || find_word (&parts, "enum") >= 0 || is_requirement (self))
    declared->opens = CS_OPENS_BLOCK;
  /* struct S f (), and f (s) struct S s; but not class EXPORT () C, nor MACRO () class C. */
  if (read_function (&parts, class_name, declared) &&
      (keyword < 0 || get_token (&parts, (guint) keyword) + 2 < declared->parameters ||
       (get_token (&parts, (guint) keyword) > declared->parameters && is_symbol (&self->tokens[self->n - 1], ';'))))
    declared->opens = cplusplus && (is_in_initialisers (&parts, declared) || is_requirement (self)) ? CS_OPENS_BLOCK
                                                                                                   : CS_OPENS_FUNCTION;
  else if (keyword >= 0 && cplusplus && find_word (&parts, "enum") < 0)
    read_class (&parts, (guint) keyword, declared);
}
