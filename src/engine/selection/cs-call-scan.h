/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-call-symbols.h"

G_BEGIN_DECLS

/* More bytes of a qualifier than this are none that a person wrote. */
#define CS_CALL_QUALIFIER_MAX 256

typedef struct
{
  guint32 caller, callee; /* callee: a function, or n_functions + a group */
} CsCallEdgeFound;

/* How a call is written. */
typedef enum
{
  CS_CALL_PLAIN,     /* f (…) */
  CS_CALL_MEMBER,    /* o.f (…), p->f (…) */
  CS_CALL_OF_THIS,   /* this->f (…) */
  CS_CALL_CONSTRUCT, /* C c (…), new C, C { … } */
} CsCallForm;

typedef struct
{
  guint32 name;
  CsCallForm form;
  gboolean global;  /* begins with "::" */
  char qualifier[CS_CALL_QUALIFIER_MAX];
  gsize qualifier_length; /* 0: none */
} CsCallRef;

/* Where edges are collected, by one thread. */
typedef struct
{
  const CsCallSymbols *symbols;
  GArray *edges;
  guint32 caller;
  gboolean cplusplus;
  guint32 *found;  /* by callee: the caller for which there is an edge, + 1 */
  guint32 *seen[2]; /* by name: the caller for which it is resolved as plain or member call, + 1 */
  guint32 *hidden; /* by name: the caller in which it is a variable, + 1 */
  GString *path;
} CsCallResolver;

void cs_call_resolver_init (CsCallResolver *self, const CsCallSymbols *symbols);
void cs_call_resolver_clear (CsCallResolver *self);
void cs_call_resolver_set_caller (CsCallResolver *self, guint32 caller);
void cs_call_resolver_add (CsCallResolver *self, const CsCallRef *ref);

/* Where a function's code lies in its file. */
typedef struct
{
  guint32 function;
  gsize parameters;      /* behind the parenthesis; 0: not found */
  gsize parameters_end;
  gsize start;           /* behind the parameters: of initialisers, or the body */
  gsize body;            /* the brace */
  gsize end;
} CsCallBody;

GArray *cs_call_bodies_new (const CsSourceFunction *functions, gsize first, gsize count, const char *text, gsize length);

void cs_call_scan (CsCallResolver *resolver, guint32 file, char *text, gsize length);

static inline gboolean
cs_call_is_word_start (char c)
{
  return g_ascii_isalpha (c) || c == '_' || c == '$' || (guchar) c >= 0x80;
}

static inline gboolean
cs_call_is_word (char c)
{
  return cs_call_is_word_start (c) || g_ascii_isdigit (c);
}

G_END_DECLS
