/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-declaration.h"

/* Braces in one declaration, as of members that are initialised. */
#define MOST_BLOCKS 64
/* Declarations of K&R parameters. */
#define MOST_PARAMETERS 64

/* A part of a declaration, as simple as it can be looked at. */
typedef struct
{
  enum
  {
    PART_WORD,
    PART_OPERATOR, /* operator+, operator bool */
    PART_SCOPE,    /* :: */
    PART_GROUP,
    PART_POINTER,  /* * & */
    PART_TYPE,     /* what can only be one: a block, decltype (…) */
    PART_COLON,
    PART_OTHER,
  } kind;
  guint first, last; /* tokens */
  gboolean angled;   /* <…> follows */
} Part;

typedef struct
{
  const CsDeclaration *from;
  gboolean cplusplus;
  Part parts[CS_DECLARATION_LONGEST];
  guint n;
  guint templates;   /* template <…> */
  gboolean no_angle; /* a "<" had no end: no other has */
} Parts;

static gboolean
is_symbol (const CsToken *token, char symbol)
{
  return token->kind == CS_TOKEN_SYMBOL && token->symbol == symbol && token->length == 1;
}

static gboolean
is_long_symbol (const CsToken *token, char symbol)
{
  return token->kind == CS_TOKEN_SYMBOL && token->symbol == symbol && token->length == 2;
}

/* Whether a "=" or ">" is part of a comparison: what stands beside it is still there. */
static gboolean
is_in_comparison (const CsToken *token)
{
  return token->start[1] == '=' || (token->symbol == '=' && strchr ("<>=!", token->start[-1]) != NULL);
}

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

static gboolean
is_one_of (const CsToken *token, const char *const *words)
{
  if (token->kind != CS_TOKEN_NAME)
    return FALSE;
  for (guint i = 0; words[i] != NULL; i++)
    if (cs_token_is (token, words[i]))
      return TRUE;
  return FALSE;
}

/* Words with something in parentheses that isn't parameters. */
static gboolean
is_attribute (const CsToken *token)
{
  static const char *const words[] = { "__attribute__", "__attribute", "__declspec", "alignas", "_Alignas", "__asm__",
                                       "asm", "__asm", "noexcept", "throw", "explicit", "requires", NULL };

  return is_one_of (token, words);
}

static gboolean
is_type_of (const CsToken *token)
{
  static const char *const words[] = { "decltype", "typeof", "__typeof__", "__typeof", "_Atomic", "typeof_unqual", NULL };

  return is_one_of (token, words);
}

/* Words that are neither a function's name nor, right before one, its type. */
static gboolean
is_keyword (const CsToken *token)
{
  static const char *const words[] = {
    "if", "else", "for", "while", "do", "switch", "case", "return", "sizeof", "goto", "default", "catch", "try", "new",
    "delete", "static_assert", "_Static_assert", "alignof", "_Alignof", "defined", "_Generic", "typedef", "using", NULL
  };

  return is_one_of (token, words);
}

static gboolean
is_specifier (const CsToken *token)
{
  static const char *const words[] = { "static", "inline", "extern", "virtual", "constexpr", "consteval", "friend",
                                       "register", "__inline", "__inline__", "__extension__", "_Noreturn", "const",
                                       "volatile", "thread_local", "__restrict", NULL };

  return is_one_of (token, words) || is_attribute (token);
}

static gboolean
is_built_in_type (const CsToken *token)
{
  static const char *const words[] = { "int", "char", "void", "long", "short", "unsigned", "signed", "float", "double",
                                       "bool", "_Bool", "auto", NULL };

  return is_one_of (token, words);
}

/* The ">" that ends what begins at token @first, or 0. */
static guint
find_angle (Parts *parts, guint first)
{
  const CsDeclaration *from = parts->from;
  guint depth = 0;

  if (parts->no_angle || !parts->cplusplus)
    return 0;
  for (guint i = first; i < from->n; i++)
    {
      if (is_symbol (&from->tokens[i], '<'))
        depth++;
      else if (is_symbol (&from->tokens[i], '>') && !is_in_comparison (&from->tokens[i]) && --depth == 0)
        return i;
    }
  parts->no_angle = TRUE;
  return 0;
}

static void
add_part (Parts *parts, guint kind, guint first, guint last)
{
  parts->parts[parts->n++] = (Part){ .kind = kind, .first = first, .last = last };
}

/* At "operator": what it is the name of ends before the parameters. Returns the last token. */
static guint
find_operator_end (Parts *parts, guint first)
{
  const CsDeclaration *from = parts->from;
  guint last = first;
  guint next = first + 2;

  while (next < from->n && from->tokens[next].kind == CS_TOKEN_BRACKET)
    next++; /* operator() [[nodiscard]] () */
  if (next < from->n && from->tokens[first + 1].kind == CS_TOKEN_GROUP && from->tokens[next].kind == CS_TOKEN_GROUP)
    return first + 1;
  while (last + 1 < from->n && from->tokens[last + 1].kind != CS_TOKEN_GROUP)
    {
      last++;
      /* operator Function<int (int)> () */
      if (last > first + 1 && is_symbol (&from->tokens[last], '<') && from->tokens[last - 1].kind == CS_TOKEN_NAME)
        last = MAX (find_angle (parts, last), last);
    }
  return last;
}

/* Reads one part at token @i; returns the token behind it. */
static guint
read_part (Parts *parts, guint i)
{
  const CsDeclaration *from = parts->from;
  const CsToken *token = &from->tokens[i];
  gboolean group_follows = i + 1 < from->n && from->tokens[i + 1].kind == CS_TOKEN_GROUP;
  guint last;

  if (parts->cplusplus && cs_token_is (token, "template") && i + 1 < from->n && is_symbol (&from->tokens[i + 1], '<'))
    {
      last = find_angle (parts, i + 1);
      parts->templates++;
      return MAX (last, i) + 1;
    }
  if (parts->cplusplus && cs_token_is (token, "operator"))
    {
      last = find_operator_end (parts, i);
      add_part (parts, PART_OPERATOR, i, last);
      return last + 1;
    }
  if (is_type_of (token) && group_follows)
    {
      add_part (parts, PART_TYPE, i, i + 1);
      return i + 2;
    }
  if (is_attribute (token))
    return i + (group_follows ? 2 : 1);
  if (token->kind == CS_TOKEN_NAME)
    {
      add_part (parts, PART_WORD, i, i);
      last = i + 1 < from->n && is_symbol (&from->tokens[i + 1], '<') ? find_angle (parts, i + 1) : 0;
      parts->parts[parts->n - 1].angled = last != 0;
      return MAX (last, i) + 1;
    }
  if (token->kind == CS_TOKEN_BRACKET)
    return i + 1;
  add_part (parts,
            token->kind == CS_TOKEN_GROUP                                   ? PART_GROUP
            : token->kind == CS_TOKEN_BLOCK                                 ? PART_TYPE
            : is_long_symbol (token, ':')                                   ? PART_SCOPE
            : is_symbol (token, ':')                                        ? PART_COLON
            : is_symbol (token, '*') || is_symbol (token, '&')              ? PART_POINTER
                                                                            : PART_OTHER,
            i, i);
  return i + 1;
}

static const CsToken *
get_token (const Parts *parts, guint part)
{
  return &parts->from->tokens[parts->parts[part].first];
}

static gboolean
part_is (const Parts *parts, guint part, const char *word)
{
  return parts->parts[part].kind == PART_WORD && cs_token_is (get_token (parts, part), word);
}

static int
find_word (const Parts *parts, const char *word)
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
is_word_like (const Parts *parts, guint part)
{
  return parts->parts[part].kind == PART_WORD || parts->parts[part].kind == PART_OPERATOR;
}

static gboolean
is_tilde (const Parts *parts, guint part)
{
  return parts->parts[part].kind == PART_OTHER && is_symbol (get_token (parts, part), '~');
}

/* The first part of a name that ends with @part: its scope, or "~". */
static guint
find_name_start (const Parts *parts, guint part)
{
  guint first = part;

  if (first > 0 && is_tilde (parts, first - 1))
    first--;
  while (first > 0 && parts->parts[first - 1].kind == PART_SCOPE)
    {
      first--;
      if (first > 0 && parts->parts[first - 1].kind == PART_WORD &&
          !is_specifier (get_token (parts, first - 1)) && !is_built_in_type (get_token (parts, first - 1)))
        first--;
      else
        break;
    }
  return first;
}

/* How likely a word before parentheses is a function's name; 0 is not at all. */
static guint
rate (const Parts *parts, guint part, const char *class_name)
{
  const CsToken *token = get_token (parts, part);
  guint first = find_name_start (parts, part);
  gboolean is_reserved = token->length > 2 && memcmp (token->start, "__", 2) == 0;
  gboolean typed;

  if (parts->parts[part].kind == PART_OPERATOR || (part > 0 && is_tilde (parts, part - 1)))
    return 6;
  if (is_keyword (token) || is_specifier (token) || is_built_in_type (token))
    return 0;
  if (class_name != NULL && first == part && cs_token_is (token, class_name))
    return 6;
  if (part >= 2 && first + 2 <= part && parts->parts[part - 2].kind == PART_WORD &&
      get_token (parts, part - 2)->length == token->length &&
      memcmp (get_token (parts, part - 2)->start, token->start, token->length) == 0)
    return 6; /* X::X */
  typed = first > 0 && (parts->parts[first - 1].kind == PART_POINTER || parts->parts[first - 1].kind == PART_TYPE ||
                        (parts->parts[first - 1].kind == PART_WORD && !is_specifier (get_token (parts, first - 1)) &&
                         !is_keyword (get_token (parts, first - 1))));
  if (typed)
    return (is_upper (token) || is_reserved) && first == part ? 4 : 5;
  return is_upper (token) ? 1 : is_reserved ? 2 : 3;
}

static int
find_class (const Parts *parts)
{
  static const char *const words[] = { "class", "struct", "union", NULL };

  for (guint i = 0; i < parts->n; i++)
    if (parts->parts[i].kind == PART_WORD && is_one_of (get_token (parts, i), words))
      return (int) i;
  return -1;
}

/* The part before parentheses that is the function's name, or -1. */
static int
find_function (const Parts *parts, const char *class_name, guint *best_rating)
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

/* operator+, operator(), operator new, operator const char*: as gcc writes it. */
static void
write_operator (const Parts *parts, const Part *part, GString *name)
{
  for (guint i = part->first; i <= part->last; i++)
    {
      const CsToken *token = &parts->from->tokens[i];
      const CsToken *before = i > part->first ? token - 1 : NULL;

      /* Arguments of a type are written in many ways. */
      if (i > part->first + 1 && is_symbol (token, '<') && before->kind == CS_TOKEN_NAME)
        break;
      if (before != NULL && before->kind == CS_TOKEN_NAME &&
          (token->kind == CS_TOKEN_NAME || token->kind == CS_TOKEN_BRACKET) &&
          !(i == part->first + 1 && token->kind == CS_TOKEN_BRACKET))
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
write_name (const Parts *parts, guint part, CsDeclared *declared)
{
  guint first = find_name_start (parts, part);
  const Part *last = &parts->parts[part];
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
take_inner_name (const Parts *parts, guint group, CsDeclared *declared)
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
read_function (const Parts *parts, const char *class_name, CsDeclared *declared)
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
read_class (const Parts *parts, guint keyword, CsDeclared *declared)
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
read_namespace (const Parts *parts, guint keyword, CsDeclared *declared)
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
is_in_initialisers (const Parts *parts, const CsDeclared *declared)
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
  Parts parts;
  int keyword, space;
  guint first = find_first_token (self);

  parts.from = self;
  parts.cplusplus = cplusplus;
  parts.n = parts.templates = 0;
  parts.no_angle = FALSE;
  declared->opens = self->has_equal ? CS_OPENS_BLOCK : CS_OPENS_NOTHING;
  declared->is_static = declared->is_friend = declared->is_template = declared->scope_template = FALSE;
  if (self->n > first && cs_token_is (&self->tokens[first], "catch"))
    declared->opens = CS_OPENS_HANDLER;
  if (self->has_equal || self->overflowed || self->blocks > MOST_BLOCKS || declared->opens == CS_OPENS_HANDLER)
    return;
  for (guint i = first; i < self->n && !(i > first && is_symbol (&self->tokens[i], ';'));)
    i = read_part (&parts, i);
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
