/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "selection/cs-declaration-private.h"

/**
 * cs_declaration_is_one_of:
 * @token: a token
 * @words: (array zero-terminated=1): words
 *
 * Returns: whether it is one of them
 */
gboolean
cs_declaration_is_one_of (const CsToken *token, const char *const *words)
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

  return cs_declaration_is_one_of (token, words);
}

static gboolean
is_type_of (const CsToken *token)
{
  static const char *const words[] = { "decltype", "typeof", "__typeof__", "__typeof", "_Atomic", "typeof_unqual", NULL };

  return cs_declaration_is_one_of (token, words);
}

/**
 * cs_declaration_is_keyword:
 * @token: a token
 *
 * Returns: whether it is a word that is neither a function's name nor, right before one, its type
 */
gboolean
cs_declaration_is_keyword (const CsToken *token)
{
  static const char *const words[] = {
    "if", "else", "for", "while", "do", "switch", "case", "return", "sizeof", "goto", "default", "catch", "try", "new",
    "delete", "static_assert", "_Static_assert", "alignof", "_Alignof", "defined", "_Generic", "typedef", "using", NULL
  };

  return cs_declaration_is_one_of (token, words);
}

/**
 * cs_declaration_is_specifier:
 * @token: a token
 *
 * Returns: whether it is a word that says something of a function beside its type
 */
gboolean
cs_declaration_is_specifier (const CsToken *token)
{
  static const char *const words[] = { "static", "inline", "extern", "virtual", "constexpr", "consteval", "friend",
                                       "register", "__inline", "__inline__", "__extension__", "_Noreturn", "const",
                                       "volatile", "thread_local", "__restrict", NULL };

  return cs_declaration_is_one_of (token, words) || is_attribute (token);
}

/**
 * cs_declaration_is_built_in_type:
 * @token: a token
 *
 * Returns: whether it is a type of the language, or a part of one
 */
gboolean
cs_declaration_is_built_in_type (const CsToken *token)
{
  static const char *const words[] = { "int", "char", "void", "long", "short", "unsigned", "signed", "float", "double",
                                       "bool", "_Bool", "auto", NULL };

  return cs_declaration_is_one_of (token, words);
}

/* The ">" that ends what begins at token @first, or 0. */
static guint
find_angle (DeclarationParts *parts, guint first)
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
add_part (DeclarationParts *parts, guint kind, guint first, guint last)
{
  parts->parts[parts->n++] = (DeclarationPart){ .kind = kind, .first = first, .last = last };
}

/* At "operator": what it is the name of ends before the parameters. Returns the last token. */
static guint
find_operator_end (DeclarationParts *parts, guint first)
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
read_part (DeclarationParts *parts, guint i)
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

/**
 * cs_declaration_read_parts:
 * @self: what stands before a brace
 * @cplusplus: in which language
 * @first: the first token that matters
 * @parts: (out): what it consists of
 */
void
cs_declaration_read_parts (const CsDeclaration *self, gboolean cplusplus, guint first, DeclarationParts *parts)
{
  parts->from = self;
  parts->cplusplus = cplusplus;
  parts->n = parts->templates = 0;
  parts->no_angle = FALSE;
  for (guint i = first; i < self->n && !(i > first && is_symbol (&self->tokens[i], ';'));)
    i = read_part (parts, i);
}
