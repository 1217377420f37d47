/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-call-scan.h"

/**
 * cs_call_resolver_init:
 * @self: (out): a resolver
 * @symbols: what calls can mean; outlives @self
 */
void
cs_call_resolver_init (CsCallResolver *self, const CsCallSymbols *symbols)
{
  *self = (CsCallResolver){ .symbols = symbols, .path = g_string_new (NULL) };
  self->edges = g_array_new (FALSE, FALSE, sizeof (CsCallEdgeFound));
  self->found = g_new0 (guint32, symbols->n_functions + symbols->n_groups + 1);
  self->seen[0] = g_new0 (guint32, symbols->name_strings.n + 1);
  self->seen[1] = g_new0 (guint32, symbols->name_strings.n + 1);
  self->hidden = g_new0 (guint32, symbols->name_strings.n + 1);
}

/**
 * cs_call_resolver_clear:
 * @self: a resolver
 *
 * Frees what it holds, the edges too.
 */
void
cs_call_resolver_clear (CsCallResolver *self)
{
  g_clear_pointer (&self->edges, g_array_unref);
  g_clear_pointer (&self->found, g_free);
  g_clear_pointer (&self->seen[0], g_free);
  g_clear_pointer (&self->seen[1], g_free);
  g_clear_pointer (&self->hidden, g_free);
  if (self->path != NULL)
    g_string_free (g_steal_pointer (&self->path), TRUE);
}

/**
 * cs_call_resolver_set_caller:
 * @self: a resolver
 * @caller: the function whose calls come next
 */
void
cs_call_resolver_set_caller (CsCallResolver *self, guint32 caller)
{
  self->caller = caller;
  self->cplusplus = (self->symbols->functions[caller].flags & CS_FUNCTION_CPLUSPLUS) != 0;
}

static void
add_edge (CsCallResolver *self, guint32 callee)
{
  CsCallEdgeFound edge = { self->caller, callee };

  if (self->found[callee] == self->caller + 1)
    return;
  self->found[callee] = self->caller + 1;
  g_array_append_val (self->edges, edge);
}

static void
add_shared (CsCallResolver *self, guint32 first, guint32 count, guint32 group)
{
  if (group != CS_CALL_NONE)
    {
      add_edge (self, self->symbols->n_functions + group);
      return;
    }
  for (guint32 i = first; i < first + count; i++)
    add_edge (self, self->symbols->shared[i]);
}

/* The functions of that name and scope that only the caller's file can call. */
static gboolean
add_own_local (CsCallResolver *self, guint32 name, guint32 scope)
{
  const CsCallSymbols *symbols = self->symbols;
  guint32 count, first = cs_call_symbols_own_local (symbols, name, symbols->functions[self->caller].file, &count);
  gboolean any = FALSE;

  for (guint32 i = first; i < first + count; i++)
    if (symbols->found_in[symbols->local[i]] == scope)
      {
        add_edge (self, symbols->local[i]);
        any = TRUE;
      }
  return any;
}

/* Of functions without a scope those of the caller's own file, if there are any, are the ones that are meant. */
static gboolean
add_own_shared (CsCallResolver *self, const CsCallSymbol *symbol)
{
  const CsCallSymbols *symbols = self->symbols;
  guint32 low, end = symbol->first + symbol->count;
  gsize first, count;
  gboolean any = FALSE;

  cs_function_index_get_of_file (symbols->index, symbols->functions[self->caller].file, &first, &count);
  low = cs_call_symbols_find_from (symbols->shared, symbol->first, symbol->count, first);
  for (; low < end && symbols->shared[low] < first + count; low++)
    {
      add_edge (self, symbols->shared[low]);
      any = TRUE;
    }
  return any;
}

/* Returns whether there are any. */
static gboolean
add_symbol (CsCallResolver *self, guint32 name, guint32 scope)
{
  const CsCallSymbol *symbol = cs_call_symbols_find (self->symbols, name, scope);
  gboolean own = add_own_local (self, name, scope);

  if (scope == 0 && symbol != NULL && add_own_shared (self, symbol))
    own = TRUE;
  if (symbol == NULL || (scope == 0 && own))
    return own;
  add_shared (self, symbol->first, symbol->count, symbol->group);
  return TRUE;
}

/* Every function of that name that has a scope. */
static void
add_members (CsCallResolver *self, guint32 name)
{
  const CsCallSymbols *symbols = self->symbols;
  const CsCallName *of = &symbols->names[name];
  guint32 count, first = cs_call_symbols_own_local (symbols, name, symbols->functions[self->caller].file, &count);

  add_shared (self, of->first_member, of->n_members, of->group);
  for (guint32 i = first; i < first + count; i++)
    if (symbols->found_in[symbols->local[i]] != 0)
      add_edge (self, symbols->local[i]);
}

/* As C++ looks up names: in the scopes around the caller, the innermost first. What none of these has may be
 * inherited, or come from a namespace that is used. */
static void
add_plain (CsCallResolver *self, guint32 name)
{
  const CsCallSymbols *symbols = self->symbols;

  if (!self->cplusplus)
    {
      add_symbol (self, name, 0);
      return;
    }
  for (guint32 scope = symbols->scope_of[self->caller];; scope = symbols->scopes[scope].parent)
    {
      if (add_symbol (self, name, scope))
        return;
      if (scope == 0)
        break;
    }
  add_members (self, name);
}

/* The scope that a qualifier means in the scopes around the caller, if it has that name. */
static gboolean
add_qualified_near (CsCallResolver *self, const CsCallRef *ref, guint32 name, gboolean *known)
{
  const CsCallSymbols *symbols = self->symbols;

  for (guint32 scope = ref->global ? 0 : symbols->scope_of[self->caller];; scope = symbols->scopes[scope].parent)
    {
      const CsCallString *around = &symbols->scope_strings.strings[scope];
      guint32 meant;

      g_string_truncate (self->path, 0);
      if (scope != 0)
        {
          g_string_append_len (self->path, around->text, around->length);
          g_string_append (self->path, "::");
        }
      g_string_append_len (self->path, ref->qualifier, (gssize) ref->qualifier_length);
      meant = cs_call_strings_find (&symbols->scope_strings, self->path->str, self->path->len);
      if (meant != CS_CALL_NONE)
        {
          *known = TRUE;
          if (add_symbol (self, name, meant))
            return TRUE;
        }
      if (scope == 0)
        return FALSE;
    }
}

/* Whether a scope is the qualifier, or ends with it. */
static gboolean
ends_with (const CsCallString *scope, const CsCallRef *ref)
{
  gsize n = ref->qualifier_length;

  return scope->length >= n && memcmp (scope->text + scope->length - n, ref->qualifier, n) == 0 &&
         (scope->length == n || scope->text[scope->length - n - 1] == ':');
}

static void
add_qualified (CsCallResolver *self, const CsCallRef *ref, guint32 name)
{
  const CsCallSymbols *symbols = self->symbols;
  gboolean known = FALSE, any = FALSE;
  gsize last = ref->qualifier_length;
  guint32 component;

  if (add_qualified_near (self, ref, name, &known) || ref->global)
    return;
  while (last > 0 && ref->qualifier[last - 1] != ':')
    last--;
  component = cs_call_strings_find (&symbols->components, ref->qualifier + last, ref->qualifier_length - last);
  if (component == CS_CALL_NONE)
    return;
  for (guint32 scope = symbols->first_with[component]; scope != CS_CALL_NONE; scope = symbols->scopes[scope].next)
    if (ends_with (&symbols->scope_strings.strings[scope], ref))
      {
        known = TRUE;
        if (add_symbol (self, name, scope))
          any = TRUE;
      }
  /* Of a class that the sources define, and inherited. The standard library's isn't. */
  if (known && !any && !(g_str_has_prefix (ref->qualifier, "std") && (ref->qualifier_length == 3 || ref->qualifier[3] == ':')))
    add_members (self, name);
}

static void
add_name (CsCallResolver *self, const CsCallRef *ref, guint32 name)
{
  if (ref->qualifier_length > 0)
    add_qualified (self, ref, name);
  else if (ref->global)
    add_symbol (self, name, 0);
  else
    add_plain (self, name);
}

/**
 * cs_call_resolver_add:
 * @self: a resolver
 * @ref: a call in the caller's code
 *
 * Adds the edges to what the call can mean, if they aren't there.
 */
void
cs_call_resolver_add (CsCallResolver *self, const CsCallRef *ref)
{
  const CsCallName *name = &self->symbols->names[ref->name];
  gboolean plain = ref->form == CS_CALL_PLAIN && ref->qualifier_length == 0 && !ref->global;

  if (plain || ref->form == CS_CALL_MEMBER)
    {
      guint32 *seen = &self->seen[plain ? 0 : 1][ref->name];

      if (*seen == self->caller + 1)
        return;
      *seen = self->caller + 1;
    }
  if (plain && self->hidden[ref->name] == self->caller + 1)
    return;
  if (ref->form == CS_CALL_MEMBER || ref->form == CS_CALL_OF_THIS)
    {
      if (!self->cplusplus)
        return;
      if (ref->qualifier_length > 0)
        add_qualified (self, ref, ref->name);
      else if (ref->form == CS_CALL_MEMBER ||
               !add_symbol (self, ref->name, self->symbols->scope_of[self->caller]))
        add_members (self, ref->name);
      return;
    }
  add_name (self, ref, ref->name);
  /* What makes an object ends it, too. */
  if (self->cplusplus && name->is_class && name->destructor != CS_CALL_NONE)
    add_name (self, ref, name->destructor);
}
