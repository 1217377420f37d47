/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-call-symbols.h"

#define ANONYMOUS "{anonymous}"
/* Bytes of a scope; a longer one is none that a person wrote. */
#define SCOPE_MAX 1000

/* While the tables are made: a function and where it goes. */
typedef struct
{
  guint32 name, scope, function;
  gboolean local;
} Entry;

/* FNV-1a. */
static guint32
hash_text (const char *text, gsize length)
{
  guint32 hash = 2166136261u;

  for (gsize i = 0; i < length; i++)
    hash = (hash ^ (guchar) text[i]) * 16777619u;
  return hash ^ hash >> 15;
}

static guint32 *
find_slot (const CsCallStrings *self, const char *text, gsize length, guint32 hash)
{
  guint32 i = hash & self->mask;

  for (;; i = (i + 1) & self->mask)
    {
      const CsCallString *string;

      if (self->slots[i] == 0)
        return &self->slots[i];
      string = &self->strings[self->slots[i] - 1];
      if (string->hash == hash && string->length == length && memcmp (string->text, text, length) == 0)
        return &self->slots[i];
    }
}

/**
 * cs_call_strings_find:
 * @self: strings
 * @text: not terminated
 * @length: its bytes
 *
 * Returns: its number; %CS_CALL_NONE: it isn't one of them
 */
guint32
cs_call_strings_find (const CsCallStrings *self, const char *text, gsize length)
{
  return self->n == 0 ? CS_CALL_NONE : *find_slot (self, text, length, hash_text (text, length)) - 1;
}

static void
strings_grow (CsCallStrings *self)
{
  guint32 size = self->slots == NULL ? 64 : (self->mask + 1) * 2;

  g_free (self->slots);
  self->slots = g_new0 (guint32, size);
  self->mask = size - 1;
  self->strings = g_renew (CsCallString, self->strings, size / 2);
  for (guint32 i = 0; i < self->n; i++)
    {
      const CsCallString *string = &self->strings[i];

      *find_slot (self, string->text, string->length, string->hash) = i + 1;
    }
}

/* The number of a string. Where it is new and @chunk isn't NULL a copy is kept. */
static guint32
strings_add (CsCallStrings *self, const char *text, gsize length, GStringChunk *chunk)
{
  guint32 hash = hash_text (text, length);
  guint32 *slot;

  if (self->slots == NULL || self->n == (self->mask + 1) / 2)
    strings_grow (self);
  slot = find_slot (self, text, length, hash);
  if (*slot == 0)
    {
      self->strings[self->n] = (CsCallString){
        .text = chunk != NULL ? g_string_chunk_insert_len (chunk, text, (gssize) length) : text,
        .length = (guint32) length,
        .hash = hash,
      };
      *slot = ++self->n;
    }
  return *slot - 1;
}

/* A scope without unnamed namespaces and template arguments, which calls needn't have. Returns whether there was an
 * unnamed namespace. */
static gboolean
normalise_scope (const char *scope, GString *into)
{
  gboolean anonymous = FALSE;
  const char *p = scope;

  g_string_truncate (into, 0);
  while (*p != '\0')
    {
      gsize start = into->len;
      guint depth = 0;

      if (start > 0)
        g_string_append (into, "::");
      for (; *p != '\0' && (depth > 0 || strncmp (p, "::", 2) != 0); p++)
        {
          depth -= *p == '>' && depth > 0;
          if (depth == 0 && *p != '<' && *p != '>' && *p != ' ')
            g_string_append_c (into, *p);
          depth += *p == '<';
        }
      if (strcmp (into->str + start + (start > 0 ? 2 : 0), ANONYMOUS) == 0)
        {
          anonymous = TRUE;
          g_string_truncate (into, start);
        }
      if (*p != '\0')
        p += 2;
    }
  return anonymous;
}

/* A scope and those around it. */
static guint32
add_scope (CsCallSymbols *self, const char *text, gsize length)
{
  guint32 n = self->scope_strings.n;
  guint32 scope = strings_add (&self->scope_strings, text, length, self->texts);
  const char *last = text;

  if (scope < n)
    return scope;
  for (const char *p = text; p + 1 < text + length; p++)
    if (p[0] == ':' && p[1] == ':')
      last = p + 2;
  if ((scope & (scope - 1)) == 0)
    self->scopes = g_renew (CsCallScope, self->scopes, scope == 0 ? 1 : (gsize) scope * 2);
  self->scopes[scope] = (CsCallScope){ .next = CS_CALL_NONE };
  self->scopes[scope].last = strings_add (&self->components, last, (gsize) (text + length - last), self->texts);
  if (scope > 0)
    {
      guint32 parent = add_scope (self, text, last == text ? 0 : (gsize) (last - 2 - text));

      self->scopes[scope].parent = parent;
    }
  return scope;
}

static void
link_scopes (CsCallSymbols *self)
{
  self->first_with = g_new (guint32, self->components.n);
  memset (self->first_with, 0xff, self->components.n * sizeof *self->first_with);
  for (guint32 scope = self->scope_strings.n - 1; scope > 0; scope--)
    {
      guint32 last = self->scopes[scope].last;

      self->scopes[scope].next = self->first_with[last];
      self->first_with[last] = scope;
    }
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *x = a, *y = b;

  if (x->name != y->name)
    return x->name < y->name ? -1 : 1;
  if (x->local != y->local)
    return x->local ? 1 : -1;
  if (!x->local && x->scope != y->scope)
    return x->scope < y->scope ? -1 : 1;
  return x->function < y->function ? -1 : x->function > y->function;
}

/* Whether a name is that of the class which its scope ends with. */
static gboolean
is_of_class (const CsCallSymbols *self, const char *name, guint32 scope)
{
  const CsCallString *last = &self->components.strings[self->scopes[scope].last];

  return scope != 0 && strlen (name) == last->length && memcmp (name, last->text, last->length) == 0;
}

static Entry *
make_entries (CsCallSymbols *self)
{
  Entry *entries = g_new (Entry, MAX (self->n_functions, 1));
  GPtrArray *files = cs_function_index_get_files (self->index);
  g_autoptr (GString) scope = g_string_new (NULL);
  g_autoptr (GHashTable) known = g_hash_table_new (g_direct_hash, g_direct_equal);

  add_scope (self, "", 0);
  for (guint32 i = 0; i < self->n_functions; i++)
    {
      const CsSourceFunction *function = &self->functions[i];
      const CsSourceFile *file = g_ptr_array_index (files, function->file);
      gboolean anonymous = function->scope != NULL && normalise_scope (function->scope, scope);
      guint32 written =
          function->scope != NULL && scope->len <= SCOPE_MAX ? add_scope (self, scope->str, scope->len) : 0;
      const char *name = function->name[0] == '~' ? function->name + 1 : function->name;

      self->scope_of[i] = written;
      entries[i] = (Entry){
        .name = strings_add (&self->name_strings, function->name, strlen (function->name), NULL),
        .scope = written,
        .function = i,
        .local = (anonymous || function->flags & CS_FUNCTION_STATIC) && !file->is_header,
      };
      if (is_of_class (self, name, written))
        {
          guint32 of_class = strings_add (&self->name_strings, name, strlen (name), NULL);

          entries[i].scope = self->scopes[written].parent;
          g_hash_table_add (known, GUINT_TO_POINTER (of_class + 1));
        }
      self->found_in[i] = entries[i].scope;
    }
  self->names = g_new0 (CsCallName, MAX (self->name_strings.n, 1));
  for (guint32 i = 0; i < self->name_strings.n; i++)
    {
      self->names[i].is_class = g_hash_table_contains (known, GUINT_TO_POINTER (i + 1));
      self->names[i].destructor = CS_CALL_NONE;
      self->names[i].group = CS_CALL_NONE;
    }
  return entries;
}

static void
link_destructors (CsCallSymbols *self)
{
  for (guint32 i = 0; i < self->name_strings.n; i++)
    {
      const CsCallString *string = &self->name_strings.strings[i];
      guint32 of_class;

      if (string->length < 2 || string->text[0] != '~')
        continue;
      of_class = cs_call_strings_find (&self->name_strings, string->text + 1, string->length - 1);
      if (of_class != CS_CALL_NONE)
        self->names[of_class].destructor = i;
    }
}

static guint32
add_group (CsCallSymbols *self, guint32 first, guint32 count)
{
  if (count <= CS_CALL_GROUP_MIN)
    return CS_CALL_NONE;
  if ((self->n_groups & (self->n_groups - 1)) == 0)
    self->groups = g_realloc_n (self->groups, MAX (1, (gsize) self->n_groups * 2), sizeof *self->groups);
  self->groups[self->n_groups].first = first;
  self->groups[self->n_groups].count = count;
  return self->n_groups++;
}

/* Fills names and symbols from entries in their order. */
static void
make_symbols (CsCallSymbols *self, const Entry *entries)
{
  guint32 n_shared = 0, n_local = 0;

  for (guint32 i = 0; i < self->n_functions;)
    {
      guint32 first = i;
      CsCallName *name = &self->names[entries[i].name];

      name->first_symbol = self->n_symbols;
      name->first_local = n_local;
      name->first_member = n_shared;
      while (i < self->n_functions && entries[i].name == entries[first].name && !entries[i].local)
        {
          CsCallSymbol *symbol = &self->symbols[self->n_symbols++];

          *symbol = (CsCallSymbol){ .scope = entries[i].scope, .first = n_shared };
          for (; i < self->n_functions && entries[i].name == entries[first].name && !entries[i].local &&
                 entries[i].scope == symbol->scope;
               i++)
            self->shared[n_shared++] = entries[i].function;
          symbol->count = n_shared - symbol->first;
          symbol->group = add_group (self, symbol->first, symbol->count);
          if (symbol->scope == 0)
            name->first_member = n_shared;
        }
      for (; i < self->n_functions && entries[i].name == entries[first].name; i++)
        self->local[n_local++] = entries[i].function;
      name->n_symbols = self->n_symbols - name->first_symbol;
      name->n_local = n_local - name->first_local;
      name->n_members = n_shared - name->first_member;
      name->group = add_group (self, name->first_member, name->n_members);
    }
}

/**
 * cs_call_symbols_new:
 * @index: the functions of a source tree
 *
 * Returns: (transfer full): what calls in its sources can mean
 */
CsCallSymbols *
cs_call_symbols_new (CsFunctionIndex *index)
{
  CsCallSymbols *self = g_new0 (CsCallSymbols, 1);
  g_autofree Entry *entries = NULL;
  gsize n;

  self->index = cs_function_index_ref (index);
  self->functions = cs_function_index_get_functions (index, &n);
  self->n_functions = (guint32) n;
  self->texts = g_string_chunk_new (4096);
  self->scope_of = g_new (guint32, n + 1);
  self->found_in = g_new (guint32, n + 1);
  self->shared = g_new (guint32, n + 1);
  self->local = g_new (guint32, n + 1);
  self->symbols = g_new (CsCallSymbol, n + 1);
  entries = make_entries (self);
  qsort (entries, n, sizeof *entries, compare_entries);
  make_symbols (self, entries);
  link_destructors (self);
  link_scopes (self);
  return self;
}

/**
 * cs_call_symbols_free:
 * @self: (transfer full): symbols
 */
void
cs_call_symbols_free (CsCallSymbols *self)
{
  CsCallStrings *strings[] = { &self->name_strings, &self->scope_strings, &self->components };

  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    {
      g_free (strings[i]->strings);
      g_free (strings[i]->slots);
    }
  g_free (self->names);
  g_free (self->symbols);
  g_free (self->shared);
  g_free (self->local);
  g_free (self->scopes);
  g_free (self->scope_of);
  g_free (self->found_in);
  g_free (self->first_with);
  g_free (self->groups);
  g_string_chunk_free (self->texts);
  cs_function_index_unref (self->index);
  g_free (self);
}

/**
 * cs_call_symbols_find:
 * @self: symbols
 * @name: a name's number
 * @scope: a scope's
 *
 * Returns: (nullable): the functions of that name and scope that other files can call
 */
const CsCallSymbol *
cs_call_symbols_find (const CsCallSymbols *self, guint32 name, guint32 scope)
{
  guint32 low = self->names[name].first_symbol, high = low + self->names[name].n_symbols;

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (self->symbols[middle].scope == scope)
        return &self->symbols[middle];
      if (self->symbols[middle].scope < scope)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

/**
 * cs_call_symbols_find_from:
 * @functions: functions, some of which are in order
 * @first: where these begin
 * @count: how many they are
 * @least: a function
 *
 * Returns: where in @functions the first of them is that is not before @least; behind the last if there is none
 */
guint32
cs_call_symbols_find_from (const guint32 *functions, guint32 first, guint32 count, gsize least)
{
  guint32 low = first, high = first + count;

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (functions[middle] < least)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/**
 * cs_call_symbols_own_local:
 * @self: symbols
 * @name: a name's number
 * @file: a file of the index
 * @count: (out): how many
 *
 * Returns: where in `local` the functions of that name begin that only @file can call
 */
guint32
cs_call_symbols_own_local (const CsCallSymbols *self, guint32 name, guint32 file, guint32 *count)
{
  const CsCallName *of = &self->names[name];
  guint32 low, end = of->first_local + of->n_local;
  gsize first, n;

  cs_function_index_get_of_file (self->index, file, &first, &n);
  low = cs_call_symbols_find_from (self->local, of->first_local, of->n_local, first);
  for (*count = 0; low + *count < end && self->local[low + *count] < first + n;)
    ++*count;
  return low;
}
