/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  CS_TOKEN_END,
  CS_TOKEN_NAME,   /* keywords too */
  CS_TOKEN_NUMBER,
  CS_TOKEN_STRING, /* also a character */
  CS_TOKEN_SYMBOL, /* one character, or "::", "->" */
  CS_TOKEN_IF,     /* a condition of the preprocessor, of which it isn't known whether it holds */
  CS_TOKEN_ELSE,
  CS_TOKEN_ENDIF,

  /* Made of tokens by who reads them. */
  CS_TOKEN_GROUP,   /* (…) */
  CS_TOKEN_BRACKET, /* […] */
  CS_TOKEN_BLOCK,   /* {…} */
} CsTokenKind;

typedef struct
{
  CsTokenKind kind;
  char symbol;       /* ':' for "::" and '-' for "->" too */
  const char *start; /* in the text */
  guint32 length;
  guint32 line;      /* of its beginning */
} CsToken;

/* Deeper conditions than this are passed over. */
#define CS_LEXER_DEEPEST 256

/* C or C++ text, token by token, without comments, directives and what is known not to be compiled. */
typedef struct
{
  const char *text, *at, *end;
  guint32 line;
  gboolean cplusplus;
  gboolean fresh;    /* nothing but white space since the line began */
  guint depth;       /* of conditions */
  guint8 conditions[CS_LEXER_DEEPEST];
} CsLexer;

void cs_lexer_init (CsLexer *self, const char *text, gsize length, gboolean cplusplus);
void cs_lexer_next (CsLexer *self, CsToken *token);
void cs_lexer_next_brace (CsLexer *self, CsToken *token);
gboolean cs_token_is (const CsToken *token, const char *text);
gboolean cs_token_is_first_in_line (const CsToken *token, const CsLexer *lexer);

G_END_DECLS
