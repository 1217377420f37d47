/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-declaration.h"
#include "selection/cs-heuristic-scan.h"

#define DEEPEST_SCOPE 64
#define DEEPEST_CONDITION 128
#define LONGEST_SCOPE 4096
#define LONGEST_SIGNATURE 1000
#define MOST_UNNAMED 4096
/* Beginnings of a function in branches of one condition. */
#define MOST_TWINS 8

typedef enum
{
  AT_DECLARATION,
  IN_FUNCTION,
  IN_BLOCK,
} Where;

typedef struct
{
  CsOpens opens;
  const char *name;     /* (nullable): "a::b" */
  gboolean is_template; /* it, or a class around it */
} Scope;

/* Where the text stands, as far as branches of a condition may differ in it. */
typedef struct
{
  Where where;
  guint scopes;
  guint braces;         /* in a function or block */
  guint tokens;
  guint parentheses, inner_braces;
  CsToken group;
} Place;

typedef struct
{
  Place before, chosen;
  gboolean has_chosen;
} Condition;

typedef struct
{
  CsLexer lexer;
  CsScanFile *file;
  gboolean cplusplus;
  gboolean resync;      /* a brace in the first column ends a function */
  gboolean unbalanced;

  Place at;
  Scope scopes[DEEPEST_SCOPE];
  GString *scope;       /* the names of those that are open */
  GStringChunk *names;
  GHashTable *unnamed;  /* a class in an unnamed namespace, as it is named outside → with that */
  Condition conditions[DEEPEST_CONDITION];
  guint depth;          /* of conditions */
  guint too_deep;       /* scopes that have no place */
  guint unended;        /* entries from here on may have no end yet */

  CsDeclaration declaration;
  CsDeclared declared;
  CsSourceFunction twins[MOST_TWINS];
  guint n_twins;
} Scan;

static void
clear_twins (Scan *scan)
{
  for (guint i = 0; i < scan->n_twins; i++)
    {
      g_free ((char *) scan->twins[i].name);
      g_free ((char *) scan->twins[i].scope);
      g_free ((char *) scan->twins[i].signature);
    }
  scan->n_twins = 0;
}

static void
begin_declaration (Scan *scan)
{
  cs_declaration_clear (&scan->declaration);
  clear_twins (scan);
}

/* The parameters on one line. */
static char *
dup_signature (const CsToken *parameters)
{
  g_autoptr (GString) signature = NULL;
  gboolean space = FALSE;

  if (parameters == NULL || parameters->length > LONGEST_SIGNATURE)
    return NULL;
  signature = g_string_sized_new (parameters->length);
  for (guint32 i = 0; i < parameters->length; i++)
    {
      char c = parameters->start[i];
      const char *rest = parameters->start + i;
      const char *end = NULL;

      if (c == '/' && i + 1 < parameters->length && (rest[1] == '*' || rest[1] == '/'))
        {
          end = g_strstr_len (rest + 2, parameters->length - i - 2, rest[1] == '*' ? "*/" : "\n");
          if (end == NULL)
            break;
          i = (guint32) (end - parameters->start) + (rest[1] == '*');
          c = ' ';
        }
      if (g_ascii_isspace (c))
        {
          space = TRUE;
          continue;
        }
      if (space && signature->len > 1 && c != ')')
        g_string_append_c (signature, ' ');
      space = FALSE;
      g_string_append_c (signature, c);
    }
  return g_utf8_validate (signature->str, (gssize) signature->len, NULL)
             ? g_string_free (g_steal_pointer (&signature), FALSE)
             : NULL;
}

/* A class in an unnamed namespace is named without it. */
static void
note_unnamed (Scan *scan)
{
  g_auto (GStrv) parts = NULL;
  g_autofree char *outside = NULL;

  if (strstr (scan->scope->str, "{anonymous}::") == NULL || scan->scope->len > LONGEST_SCOPE ||
      g_hash_table_size (scan->unnamed) >= MOST_UNNAMED)
    return;
  parts = g_strsplit (scan->scope->str, "{anonymous}::", -1);
  outside = g_strjoinv (NULL, parts);
  g_hash_table_insert (scan->unnamed, g_steal_pointer (&outside), g_strdup (scan->scope->str));
}

/* The scope of a function that is defined outside of its class. */
static void
find_unnamed (const Scan *scan, GString *scope)
{
  const char *known = g_hash_table_lookup (scan->unnamed, scope->str);

  if (known != NULL)
    g_string_assign (scope, known);
}

static gboolean
is_in_class (const Scan *scan)
{
  return scan->at.scopes > 0 && scan->scopes[scan->at.scopes - 1].opens == CS_OPENS_CLASS;
}

static void
append_scope (GString *scope, const char *name)
{
  if (name == NULL || name[0] == '\0' || scope->len > LONGEST_SCOPE)
    return;
  if (scope->len > 0)
    g_string_append (scope, "::");
  g_string_append (scope, name);
}

/* The text of the open scopes; without classes where only namespaces count. */
static void
write_scope (const Scan *scan, gboolean classes, GString *scope)
{
  g_string_truncate (scope, 0);
  for (guint i = 0; i < scan->at.scopes && (classes || scan->scopes[i].opens != CS_OPENS_CLASS); i++)
    append_scope (scope, scan->scopes[i].name);
}

static CsSourceFunction
make_function (Scan *scan)
{
  const CsDeclared *declared = &scan->declared;
  g_autoptr (GString) scope = g_string_new (scan->scope->str);
  CsSourceFunction function = { .line = declared->line, .signature = dup_signature (declared->parameters) };

  if (declared->is_friend)
    write_scope (scan, FALSE, scope);
  append_scope (scope, declared->scope->str);
  if (declared->scope->len > 0)
    find_unnamed (scan, scope);
  function.name = g_strdup (declared->name->str);
  if (!scan->cplusplus)
    function.flags = declared->is_static ? CS_FUNCTION_STATIC : 0;
  else
    {
      function.scope = scope->len > 0 ? g_strdup (scope->str) : NULL;
      function.flags = CS_FUNCTION_CPLUSPLUS;
      if (function.scope != NULL && declared->scope->len == 0 && (declared->is_friend || !is_in_class (scan)))
        function.flags |= CS_FUNCTION_NAMESPACE;
      if ((declared->is_static && !is_in_class (scan)) || strstr (scope->str, "{anonymous}") != NULL)
        function.flags |= CS_FUNCTION_STATIC;
      if (declared->is_template)
        function.flags |= CS_FUNCTION_TEMPLATE;
      if (declared->scope_template || (scan->at.scopes > 0 && scan->scopes[scan->at.scopes - 1].is_template))
        function.flags |= CS_FUNCTION_SCOPE_TEMPLATE;
    }
  return function;
}

static void
read_declaration (Scan *scan)
{
  g_autofree char *class_name = NULL;

  if (is_in_class (scan))
    {
      const char *last = g_strrstr (scan->scope->str, "::");

      class_name = g_strdup (last != NULL ? last + 2 : scan->scope->str);
    }
  cs_declaration_read (&scan->declaration, scan->cplusplus, class_name, &scan->declared);
}

/* C++ may add functions to a class that has a name. */
static void
note_class (Scan *scan, gboolean is_template)
{
  const CsDeclared *declared = &scan->declared;
  g_autoptr (GString) scope = NULL;
  CsSourceFunction named = { .name = declared->name->str, .line = declared->line, .flags = CS_FUNCTION_CPLUSPLUS };

  if (!scan->cplusplus || declared->name->len == 0)
    return;
  scope = g_string_new (scan->scope->str);
  append_scope (scope, declared->scope->str);
  named.scope = scope->str;
  if (is_template)
    named.flags |= CS_FUNCTION_SCOPE_TEMPLATE;
  cs_scan_file_add_class (scan->file, &named);
}

static void
open_scope (Scan *scan)
{
  const CsDeclared *declared = &scan->declared;
  Scope scope = { .opens = declared->opens };

  if (scan->at.scopes == DEEPEST_SCOPE)
    {
      scan->at.where = IN_BLOCK;
      scan->at.braces = 1;
      return;
    }
  scope.is_template = (declared->opens == CS_OPENS_CLASS && declared->is_template) ||
                      (scan->at.scopes > 0 && scan->scopes[scan->at.scopes - 1].is_template);
  if (declared->opens == CS_OPENS_CLASS)
    note_class (scan, scope.is_template);
  if (declared->opens != CS_OPENS_LINKAGE)
    {
      const char *unnamed = declared->opens == CS_OPENS_CLASS ? "<unnamed struct>" : "{anonymous}";
      g_autoptr (GString) name = g_string_new (NULL);

      if (declared->opens == CS_OPENS_CLASS)
        append_scope (name, declared->scope->str);
      append_scope (name, declared->name->len > 0 ? declared->name->str : unnamed);
      scope.name = g_string_chunk_insert_const (scan->names, name->str);
      append_scope (scan->scope, scope.name);
    }
  scan->scopes[scan->at.scopes++] = scope;
  if (declared->opens == CS_OPENS_CLASS)
    note_unnamed (scan);
  begin_declaration (scan);
}

static void
open_function (Scan *scan)
{
  CsSourceFunction function = make_function (scan);

  for (guint i = 0; i < scan->n_twins; i++)
    cs_scan_file_add (scan->file, &scan->twins[i]);
  cs_scan_file_add (scan->file, &function);
  g_free ((char *) function.name);
  g_free ((char *) function.scope);
  g_free ((char *) function.signature);
  begin_declaration (scan);
}

static void
end_functions (Scan *scan, guint32 line)
{
  for (; scan->unended < scan->file->entries->len; scan->unended++)
    {
      CsScanEntry *entry = &g_array_index (scan->file->entries, CsScanEntry, scan->unended);

      if (entry->end == 0)
        entry->end = MAX (line, entry->line);
    }
}

/* "~Ring () = default;" defines a function that the compiler writes. */
static void
take_defaulted (Scan *scan, guint32 line)
{
  if (scan->cplusplus && cs_declaration_end_default (&scan->declaration))
    {
      read_declaration (scan);
      if (scan->declared.opens == CS_OPENS_FUNCTION)
        {
          open_function (scan);
          end_functions (scan, line);
        }
    }
  begin_declaration (scan);
}

/* A brace where declarations stand. */
static void
open_brace (Scan *scan)
{
  read_declaration (scan);
  switch (scan->declared.opens)
    {
    case CS_OPENS_LINKAGE:
    case CS_OPENS_NAMESPACE:
    case CS_OPENS_CLASS:
      open_scope (scan);
      break;
    case CS_OPENS_FUNCTION:
      open_function (scan);
      scan->at.where = IN_FUNCTION;
      scan->at.braces = 1;
      break;
    case CS_OPENS_HANDLER:
      /* The last function goes on. */
      if (scan->file->entries->len > 0)
        {
          scan->unended = scan->file->entries->len - 1;
          g_array_index (scan->file->entries, CsScanEntry, scan->unended).end = 0;
        }
      scan->at.where = IN_FUNCTION;
      scan->at.braces = 1;
      begin_declaration (scan);
      break;
    case CS_OPENS_NOTHING:
      begin_declaration (scan);
      scan->at.where = IN_BLOCK;
      scan->at.braces = 1;
      break;
    case CS_OPENS_BLOCK:
    default:
      scan->at.where = IN_BLOCK;
      scan->at.braces = 1;
      break;
    }
}

/* The last brace of a function or block. */
static void
close_body (Scan *scan, const CsToken *token)
{
  const CsToken block = { .kind = CS_TOKEN_BLOCK, .start = token->start, .length = 1, .line = token->line };

  if (scan->at.where == IN_FUNCTION)
    {
      end_functions (scan, token->line);
      begin_declaration (scan);
    }
  else if (scan->declaration.n > 0)
    cs_declaration_push (&scan->declaration, &block);
  scan->at.where = AT_DECLARATION;
  scan->at.braces = 0;
}

static void
close_scope (Scan *scan, const CsToken *token)
{
  const CsToken block = { .kind = CS_TOKEN_BLOCK, .start = token->start, .length = 1, .line = token->line };
  const Scope *scope;

  begin_declaration (scan);
  if (scan->at.scopes == 0)
    {
      scan->unbalanced = TRUE;
      return;
    }
  scope = &scan->scopes[--scan->at.scopes];
  write_scope (scan, TRUE, scan->scope);
  if (scope->opens == CS_OPENS_CLASS)
    cs_declaration_push (&scan->declaration, &block);
}

static gboolean
is_access (const CsDeclaration *declaration)
{
  static const char *const words[] = { "public", "private", "protected", "signals", "Q_SIGNALS" };

  if (declaration->n == 0 || declaration->n > 2)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (cs_token_is (&declaration->tokens[0], words[i]))
      return TRUE;
  return FALSE;
}

/* In parentheses or brackets. */
static void
take_inner_token (Scan *scan, const CsToken *token)
{
  const char open = *scan->at.group.start;

  if (token->kind != CS_TOKEN_SYMBOL)
    return;
  if (token->symbol == '{')
    scan->at.inner_braces++;
  else if (scan->at.inner_braces > 0)
    scan->at.inner_braces -= token->symbol == '}';
  else if (token->symbol == ';' || token->symbol == '}')
    {
      /* They have no end. */
      scan->at.parentheses = 0;
      begin_declaration (scan);
      if (token->symbol == '}')
        close_scope (scan, token);
    }
  else if (token->symbol == open)
    scan->at.parentheses++;
  else if (token->symbol == (open == '(' ? ')' : ']') && --scan->at.parentheses == 0)
    {
      CsToken group = scan->at.group;

      group.length = (guint32) (token->start + 1 - group.start);
      cs_declaration_push (&scan->declaration, &group);
    }
}

static void
take_symbol (Scan *scan, const CsToken *token)
{
  switch (token->symbol)
    {
    case '{':
      open_brace (scan);
      return;
    case '}':
      close_scope (scan, token);
      return;
    case '(':
    case '[':
      scan->at.group = *token;
      scan->at.group.kind = token->symbol == '(' ? CS_TOKEN_GROUP : CS_TOKEN_BRACKET;
      scan->at.parentheses = 1;
      scan->at.inner_braces = 0;
      return;
    case ';':
      if (!scan->cplusplus && cs_declaration_goes_on (&scan->declaration))
        cs_declaration_push (&scan->declaration, token);
      else
        take_defaulted (scan, token->line);
      return;
    case ':':
      if (token->length == 1 && is_access (&scan->declaration))
        {
          begin_declaration (scan);
          return;
        }
      break;
    default:
      break;
    }
  cs_declaration_push (&scan->declaration, token);
}

static guint
get_depth (const Place *place)
{
  return place->scopes + place->braces;
}

static void
go_to (Scan *scan, const Place *place)
{
  gboolean others = scan->at.scopes != place->scopes;

  scan->at = *place;
  scan->declaration.n = MIN (scan->declaration.n, place->tokens);
  if (others)
    write_scope (scan, TRUE, scan->scope);
}

/* What a branch has begun may be another form of the same function. */
static void
keep_twin (Scan *scan)
{
  const Condition *condition = &scan->conditions[scan->depth - 1];

  if (scan->at.where != AT_DECLARATION || scan->at.parentheses > 0 || scan->n_twins == MOST_TWINS ||
      scan->at.scopes != condition->before.scopes || scan->declaration.n <= condition->before.tokens)
    return;
  read_declaration (scan);
  if (scan->declared.opens == CS_OPENS_FUNCTION && scan->declared.typed)
    scan->twins[scan->n_twins++] = make_function (scan);
}

/* Each branch of a condition begins where the first did; behind it the text stands where the branch ended that changed
 * more. */
static void
take_condition (Scan *scan, CsTokenKind kind)
{
  Condition *condition;

  scan->at.tokens = scan->declaration.n;
  if (kind == CS_TOKEN_IF)
    {
      if (scan->depth < DEEPEST_CONDITION)
        scan->conditions[scan->depth] = (Condition){ .before = scan->at };
      scan->depth++;
      return;
    }
  if (scan->depth == 0)
    return;
  if (scan->depth > DEEPEST_CONDITION)
    {
      scan->depth -= kind == CS_TOKEN_ENDIF;
      return;
    }
  condition = &scan->conditions[scan->depth - 1];
  if (kind == CS_TOKEN_ELSE)
    {
      guint before = get_depth (&condition->before);

      if (!condition->has_chosen ||
          ABS ((int) get_depth (&scan->at) - (int) before) > ABS ((int) get_depth (&condition->chosen) - (int) before))
        condition->chosen = scan->at;
      condition->has_chosen = TRUE;
      keep_twin (scan);
      go_to (scan, &condition->before);
      return;
    }
  scan->depth--;
  if (condition->has_chosen)
    {
      int before = (int) get_depth (&condition->before);

      if (ABS ((int) get_depth (&condition->chosen) - before) > ABS ((int) get_depth (&scan->at) - before))
        go_to (scan, &condition->chosen);
    }
}

/* In a function or block, where braces alone matter. */
static void
take_brace (Scan *scan, const CsToken *token)
{
  gboolean first = scan->resync && scan->at.where == IN_FUNCTION && cs_token_is_first_in_line (token, &scan->lexer);

  if (token->symbol == '{')
    scan->at.braces++;
  else if (--scan->at.braces == 0 || first)
    close_body (scan, token);
}

static void
scan_text (Scan *scan, const char *text, gsize length)
{
  CsToken token = { 0 };

  cs_lexer_init (&scan->lexer, text, length, scan->cplusplus);
  for (;;)
    {
      if (scan->at.where == AT_DECLARATION)
        cs_lexer_next (&scan->lexer, &token);
      else
        cs_lexer_next_brace (&scan->lexer, &token);
      if (token.kind == CS_TOKEN_END)
        break;
      if (token.kind == CS_TOKEN_IF || token.kind == CS_TOKEN_ELSE || token.kind == CS_TOKEN_ENDIF)
        take_condition (scan, token.kind);
      else if (scan->at.where != AT_DECLARATION)
        take_brace (scan, &token);
      else if (scan->at.parentheses > 0)
        take_inner_token (scan, &token);
      else if (token.kind == CS_TOKEN_SYMBOL)
        take_symbol (scan, &token);
      else
        cs_declaration_push (&scan->declaration, &token);
    }
  scan->unbalanced |= scan->at.where != AT_DECLARATION || scan->at.scopes > 0 || scan->at.parentheses > 0;
  begin_declaration (scan);
}

static gboolean
scan_once (const char *text, gsize length, gboolean cplusplus, gboolean resync, CsScanFile *file)
{
  Scan *scan = g_new0 (Scan, 1);
  gboolean balanced;

  scan->file = file;
  scan->cplusplus = cplusplus;
  scan->resync = resync;
  scan->scope = g_string_new (NULL);
  scan->names = g_string_chunk_new (1024);
  scan->unnamed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  scan->declared.name = g_string_new (NULL);
  scan->declared.scope = g_string_new (NULL);
  scan_text (scan, text, length);
  balanced = !scan->unbalanced;
  g_string_free (scan->declared.name, TRUE);
  g_string_free (scan->declared.scope, TRUE);
  g_string_free (scan->scope, TRUE);
  g_string_chunk_free (scan->names);
  g_hash_table_unref (scan->unnamed);
  g_free (scan);
  return balanced;
}

/**
 * cs_heuristic_scan:
 * @text: a file, with a NUL behind it
 * @length: its bytes
 * @cplusplus: whether it is C++
 * @file: where to put what it defines
 *
 * Finds functions without knowing types or macros: what stands before a brace where declarations stand is read by
 * cs_declaration_read(). Branches of a condition are read one after the other, each from the same place. Where braces
 * don't agree in the end, the text is read once more, and a closing brace in the first column then ends a function.
 */
void
cs_heuristic_scan (const char *text, gsize length, gboolean cplusplus, CsScanFile *file)
{
  g_autoptr (CsScanFile) again = NULL;

  cs_scan_file_clear (file);
  if (scan_once (text, length, cplusplus, FALSE, file))
    return;
  again = cs_scan_file_new ();
  scan_once (text, length, cplusplus, TRUE, again);
  file->doubtful = again->doubtful = TRUE;
  if (again->entries->len > file->entries->len)
    {
      CsScanFile swap = *file;

      *file = *again;
      *again = swap;
    }
}

/**
 * cs_scan_looks_like_cplusplus:
 * @text: a header, with a NUL behind it
 * @length: its bytes
 *
 * Returns: whether it has what C has not, outside of what is for C++ compilers alone
 */
gboolean
cs_scan_looks_like_cplusplus (const char *text, gsize length)
{
  CsLexer lexer;
  CsToken before = { 0 };
  CsToken token = { 0 };
  gboolean class_name = FALSE;

  for (cs_lexer_init (&lexer, text, length, FALSE);; before = token)
    {
      cs_lexer_next (&lexer, &token);
      if (token.kind == CS_TOKEN_END)
        return FALSE;
      if (token.kind == CS_TOKEN_NAME)
        {
          /* A word of C++ may be a name in C; "class x {" is none. */
          if (cs_token_is (&before, "namespace") || cs_token_is (&before, "typename"))
            return TRUE;
          class_name = cs_token_is (&before, "class");
          continue;
        }
      if (token.kind != CS_TOKEN_SYMBOL)
        continue;
      if ((token.symbol == ':' && token.length == 2) ||
          (token.symbol == '<' && cs_token_is (&before, "template")) ||
          (token.symbol == '{' && cs_token_is (&before, "namespace")) ||
          (token.symbol == ':' && (cs_token_is (&before, "public") || cs_token_is (&before, "private") ||
                                   cs_token_is (&before, "protected"))) ||
          (class_name && before.kind == CS_TOKEN_NAME &&
           (token.symbol == '{' || token.symbol == ';' || token.symbol == ':')))
        return TRUE;
    }
}
