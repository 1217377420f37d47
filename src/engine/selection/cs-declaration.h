/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-code-lexer.h"

G_BEGIN_DECLS

/* What is longer than this declares no function that a person wrote. */
#define CS_DECLARATION_LONGEST 512
#define CS_DECLARATION_LONGEST_NAME 1024

/* What stands before a brace, or might: tokens with parentheses as one. */
typedef struct
{
  CsToken tokens[CS_DECLARATION_LONGEST];
  guint n;
  guint blocks;         /* of @tokens */
  guint angles;         /* that are open behind "template" */
  gboolean overflowed;  /* tokens were left out */
  gboolean has_equal;
} CsDeclaration;

/* What a brace begins. */
typedef enum
{
  CS_OPENS_NOTHING,     /* nothing that is known; a declaration begins behind it */
  CS_OPENS_BLOCK,       /* nothing with functions in it; the declaration goes on behind it */
  CS_OPENS_LINKAGE,     /* extern "C" */
  CS_OPENS_NAMESPACE,
  CS_OPENS_CLASS,
  CS_OPENS_FUNCTION,
  CS_OPENS_HANDLER,     /* catch, of the function before */
} CsOpens;

typedef struct
{
  CsOpens opens;
  GString *name;           /* of a function or class, or "a::b" of a namespace; empty: it has none */
  GString *scope;          /* what stands before the name, without arguments of templates */
  guint32 line;            /* of a function's name */
  const CsToken *parameters;
  gboolean typed;          /* a function has a type, or needs none */
  gboolean is_static;
  gboolean is_friend;
  gboolean is_template;    /* of its own */
  gboolean scope_template; /* what stands before the name has arguments */
} CsDeclared;

void cs_declaration_push (CsDeclaration *self, const CsToken *token);
void cs_declaration_clear (CsDeclaration *self);
gboolean cs_declaration_end_default (CsDeclaration *self);
gboolean cs_declaration_goes_on (CsDeclaration *self);
void cs_declaration_read (const CsDeclaration *self, gboolean cplusplus, const char *class_name, CsDeclared *declared);

G_END_DECLS
