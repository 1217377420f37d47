/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "selection/cs-declaration.h"

G_BEGIN_DECLS

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
} DeclarationPart;

typedef struct
{
  const CsDeclaration *from;
  gboolean cplusplus;
  DeclarationPart parts[CS_DECLARATION_LONGEST];
  guint n;
  guint templates;   /* template <…> */
  gboolean no_angle; /* a "<" had no end: no other has */
} DeclarationParts;

static inline gboolean
is_symbol (const CsToken *token, char symbol)
{
  return token->kind == CS_TOKEN_SYMBOL && token->symbol == symbol && token->length == 1;
}

static inline gboolean
is_long_symbol (const CsToken *token, char symbol)
{
  return token->kind == CS_TOKEN_SYMBOL && token->symbol == symbol && token->length == 2;
}

/* Whether a "=" or ">" is part of a comparison: what stands beside it is still there. */
static inline gboolean
is_in_comparison (const CsToken *token)
{
  return token->start[1] == '=' || (token->symbol == '=' && strchr ("<>=!", token->start[-1]) != NULL);
}

void cs_declaration_read_parts (const CsDeclaration *self, gboolean cplusplus, guint first, DeclarationParts *parts);
gboolean cs_declaration_is_one_of (const CsToken *token, const char *const *words);
gboolean cs_declaration_is_keyword (const CsToken *token);
gboolean cs_declaration_is_specifier (const CsToken *token);
gboolean cs_declaration_is_built_in_type (const CsToken *token);

G_END_DECLS
