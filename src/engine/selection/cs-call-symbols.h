/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-function-index.h"

G_BEGIN_DECLS

#define CS_CALL_NONE G_MAXUINT32
/* More callees of one name than this are a node of their own, which all callers share. */
#define CS_CALL_GROUP_MIN 8

/* Strings by number. They belong to others. */
typedef struct
{
  const char *text;
  guint32 length;
  guint32 hash;
} CsCallString;

typedef struct
{
  CsCallString *strings;
  guint32 n;
  guint32 *slots; /* number + 1; 0: free */
  guint32 mask;
} CsCallStrings;

/* All functions of one name and one scope that other files can call: a part of `shared`. */
typedef struct
{
  guint32 scope;
  guint32 first, count;
  guint32 group; /* CS_CALL_NONE: few */
} CsCallSymbol;

typedef struct
{
  guint32 first_symbol, n_symbols;  /* in the order of their scopes, which begins with no scope */
  guint32 first_local, n_local;     /* in `local`: those that only their file can call */
  guint32 first_member, n_members;  /* in `shared`: those in a scope */
  guint32 group;                    /* of the members; CS_CALL_NONE: few */
  guint32 destructor;               /* of a class of this name: another name; CS_CALL_NONE: none */
  gboolean is_class;                /* has a constructor or a destructor */
} CsCallName;

typedef struct
{
  guint32 parent; /* scope; that of 0, the outermost, is 0 */
  guint32 last;   /* of its last component: a string of `components` */
  guint32 next;   /* another scope with the same last component; CS_CALL_NONE: none */
} CsCallScope;

/* What the calls of a source can mean: the functions of an index by name and scope. It never changes. */
typedef struct
{
  CsFunctionIndex *index;
  const CsSourceFunction *functions;
  guint32 n_functions;

  CsCallStrings name_strings;
  CsCallName *names;
  CsCallSymbol *symbols;
  guint32 n_symbols;
  guint32 *shared; /* functions, by name, scope and number */
  guint32 *local;  /* by name and number */

  CsCallStrings scope_strings; /* without unnamed namespaces and template arguments; 0: "" */
  CsCallScope *scopes;
  guint32 *scope_of;            /* by function: as it is written */
  guint32 *found_in;            /* by function: where its name is looked up; of what makes or ends an object,
                                   where its class is */
  CsCallStrings components;
  guint32 *first_with;          /* by component: the first scope that ends so */
  GStringChunk *texts;

  struct
  {
    guint32 first, count; /* in `shared` */
  } *groups;
  guint32 n_groups;
} CsCallSymbols;

CsCallSymbols *cs_call_symbols_new (CsFunctionIndex *index);
void cs_call_symbols_free (CsCallSymbols *self);
guint32 cs_call_strings_find (const CsCallStrings *self, const char *text, gsize length);
const CsCallSymbol *cs_call_symbols_find (const CsCallSymbols *self, guint32 name, guint32 scope);
guint32 cs_call_symbols_find_from (const guint32 *functions, guint32 first, guint32 count, gsize least);
guint32 cs_call_symbols_own_local (const CsCallSymbols *self, guint32 name, guint32 file, guint32 *count);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsCallSymbols, cs_call_symbols_free)

G_END_DECLS
