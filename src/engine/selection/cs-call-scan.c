/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-call-scan.h"
#include "selection/cs-code-blank.h"

/* Bytes of template arguments that are looked over. */
#define ANGLE_MAX 256

/* What came before, in place of a character. */
#define WORD 'a'     /* a name or a type */
#define KEYWORD 'k'  /* a word behind which an expression or a statement begins */
#define NUMBER '0'

typedef struct
{
  CsCallResolver *resolver;
  const char *end;
  gboolean initialisers; /* of a constructor, whose names are members and classes */
  guint depth;           /* of parentheses, in initialisers */

  char before;
  const char *word; /* the last one */
  gsize word_length;
  int run;         /* names since the statement began; -1: something else came */
  gboolean block;  /* the last '{' began statements */
  gboolean global; /* "::" came, and nothing before it */
  gboolean of_this;
} Scan;

static gboolean
is_one_of (const char *word, gsize length, const char *const *words)
{
  for (; *words != NULL; words++)
    if (**words == *word && strlen (*words) == length && memcmp (word, *words, length) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_word (const char *word, gsize length, const char *wanted)
{
  return strlen (wanted) == length && memcmp (word, wanted, length) == 0;
}

/* Words behind which no name is declared. */
static gboolean
is_keyword (const char *word, gsize length)
{
  static const char *const words[] = {
    "return", "else", "case", "do", "new", "delete", "throw", "goto", "try", "and", "or", "not", "sizeof", "typeid",
    "co_return", "co_await", "co_yield", "bitand", "bitor", "xor", "compl", "__extension__", NULL
  };

  return is_one_of (word, length, words);
}

static gboolean
is_control (const char *word, gsize length)
{
  static const char *const words[] = { "if", "while", "for", "switch", "catch", NULL };

  return is_one_of (word, length, words);
}

/* Words behind which a type's name comes. */
static gboolean
is_tag (const char *word, gsize length)
{
  static const char *const words[] = { "struct", "union", "enum", "class", "namespace", "typename", "goto", NULL };

  return is_one_of (word, length, words);
}

static const char *
skip_blanks (const char *p, const char *end)
{
  while (p < end && g_ascii_isspace (*p))
    p++;
  return p;
}

static const char *
skip_word (const char *p, const char *end)
{
  while (p < end && cs_call_is_word (*p))
    p++;
  return p;
}

/* Behind what may be template arguments; NULL: they aren't. */
static const char *
skip_angles (const char *p, const char *end)
{
  guint depth = 0;

  end = MIN (end, p + ANGLE_MAX);
  for (; p < end; p++)
    if (*p == '<')
      depth++;
    else if (*p == '>')
      {
        if (p[-1] == '-')
          return NULL;
        if (--depth == 0)
          return p + 1;
      }
    else if (*p == '&' && p + 1 < end && p[1] == '&' && (p + 2 >= end || strchr (">,", p[2]) == NULL))
      return NULL;
    else if (!cs_call_is_word (*p) && !g_ascii_isspace (*p) && strchr (":,*&()[].", *p) == NULL)
      return NULL;
  return NULL;
}

static guint32
find_name (const Scan *self, const char *word, gsize length)
{
  return cs_call_strings_find (&self->resolver->symbols->name_strings, word, length);
}

static void
hide (const Scan *self, const char *word, gsize length)
{
  guint32 name = find_name (self, word, length);

  if (name != CS_CALL_NONE)
    self->resolver->hidden[name] = self->resolver->caller + 1;
}

/* A name with its qualifiers and template arguments. */
typedef struct
{
  CsCallRef ref;
  const char *word;
  gsize length;
  const char *angle; /* (nullable): where the last one's template arguments begin */
  const char *end;   /* behind all of it */
  const char *next;  /* what comes then */
  gboolean too_long;
} Chain;

static void
add_qualifier (Chain *chain)
{
  CsCallRef *ref = &chain->ref;
  gsize gap = ref->qualifier_length > 0 ? 2 : 0;

  if (ref->qualifier_length + gap + chain->length >= sizeof ref->qualifier)
    {
      chain->too_long = TRUE;
      return;
    }
  memcpy (ref->qualifier + ref->qualifier_length, "::", gap);
  memcpy (ref->qualifier + ref->qualifier_length + gap, chain->word, chain->length);
  ref->qualifier_length += gap + chain->length;
  ref->qualifier[ref->qualifier_length] = '\0';
}

static void
read_chain (const Scan *self, const char *p, Chain *chain)
{
  const char *end = self->end;

  chain->ref.qualifier_length = 0;
  chain->ref.qualifier[0] = '\0';
  chain->too_long = FALSE;
  for (;;)
    {
      const char *behind;

      chain->word = p;
      chain->end = skip_word (p, end);
      chain->length = (gsize) (chain->end - p);
      chain->next = skip_blanks (chain->end, end);
      chain->angle = NULL;
      if (!self->resolver->cplusplus || is_keyword (chain->word, chain->length))
        return;
      if (chain->next < end && *chain->next == '<' && (behind = skip_angles (chain->next, end)) != NULL)
        {
          const char *next = skip_blanks (behind, end);

          if (next < end && (cs_call_is_word_start (*next) || strchr ("({:&*", *next) != NULL))
            {
              chain->angle = chain->next;
              chain->end = behind;
              chain->next = next;
            }
        }
      if (end - chain->next < 3 || chain->next[0] != ':' || chain->next[1] != ':')
        return;
      p = skip_blanks (chain->next + 2, end);
      if (end - p > 9 && memcmp (p, "template", 8) == 0 && g_ascii_isspace (p[8]))
        p = skip_blanks (p + 8, end);
      if (p == end || !cs_call_is_word_start (*p))
        return;
      add_qualifier (chain);
    }
}

static void
add (const Scan *self, Chain *chain, CsCallForm form)
{
  if (chain->too_long)
    return;
  chain->ref.name = find_name (self, chain->word, chain->length);
  if (chain->ref.name == CS_CALL_NONE ||
      (form == CS_CALL_CONSTRUCT && !self->resolver->symbols->names[chain->ref.name].is_class))
    return;
  chain->ref.form = form;
  chain->ref.global = self->global;
  cs_call_resolver_add (self->resolver, &chain->ref);
}

/* make_unique<C> (…) makes a C. */
static void
add_made (const Scan *self, const Chain *chain)
{
  static const char *const makers[] = { "make_unique", "make_shared", NULL };
  const char *p;
  Chain made;

  if (chain->angle == NULL || !is_one_of (chain->word, chain->length, makers))
    return;
  p = skip_blanks (chain->angle + 1, self->end);
  if (p == self->end || !cs_call_is_word_start (*p))
    return;
  read_chain (self, p, &made);
  add (self, &made, CS_CALL_CONSTRUCT);
}

/* "type (*name) (…)" declares a variable. */
static void
hide_pointer (const Scan *self, const char *open)
{
  const char *p = skip_blanks (open + 1, self->end), *word;
  gsize length;

  if (p == self->end || *p != '*')
    return;
  word = skip_blanks (p + 1, self->end);
  p = skip_word (word, self->end);
  length = (gsize) (p - word);
  p = skip_blanks (p, self->end);
  if (length == 0 || p == self->end || *p != ')')
    return;
  p = skip_blanks (p + 1, self->end);
  if (p < self->end && *p == '(')
    hide (self, word, length);
}

static void
take_parenthesis (Scan *self, Chain *chain, gboolean declared)
{
  if (!is_control (chain->word, chain->length))
    hide_pointer (self, chain->next);
  if (self->before == '.')
    add (self, chain, self->of_this ? CS_CALL_OF_THIS : CS_CALL_MEMBER);
  else if (self->initialisers && self->depth == 0)
    add (self, chain, CS_CALL_CONSTRUCT);
  else if (!declared)
    {
      add (self, chain, CS_CALL_PLAIN);
      add_made (self, chain);
    }
}

static const char *
take_word (Scan *self, const char *p)
{
  gboolean cplusplus = self->resolver->cplusplus;
  gboolean tag = self->before == WORD && is_tag (self->word, self->word_length);
  gboolean declared = self->before == WORD || (strchr ("*&", self->before) != NULL && self->run >= 1);
  gboolean made = self->before == KEYWORD && is_word (self->word, self->word_length, "new");
  Chain chain;
  char next;

  read_chain (self, p, &chain);
  if (is_keyword (chain.word, chain.length))
    {
      self->before = KEYWORD;
      self->run = 0;
    }
  else
    {
      next = chain.next < self->end ? *chain.next : '\0';
      if (made)
        add (self, &chain, CS_CALL_CONSTRUCT);
      else if (next == '(')
        take_parenthesis (self, &chain, declared);
      else if (cplusplus && self->before != '.' && !tag &&
               ((cs_call_is_word_start (next)) || (next == '{' && !declared)))
        add (self, &chain, CS_CALL_CONSTRUCT);
      else if (declared && !tag && next != '\0' && strchr ("=;[,:", next) != NULL)
        hide (self, chain.word, chain.length);
      self->before = WORD;
      self->run += self->run >= 0;
    }
  self->word = chain.word;
  self->word_length = chain.length;
  self->global = FALSE;
  self->of_this = FALSE;
  return chain.end;
}

static gboolean
begins_block (const Scan *self)
{
  static const char *const words[] = { "const", "noexcept", "override", "final", "mutable", NULL };

  switch (self->before)
    {
    case '\0':
    case ')':
    case ';':
    case '}':
    case ':':
    case KEYWORD:
      return TRUE;
    case '{':
      return self->block;
    case WORD:
      return is_one_of (self->word, self->word_length, words);
    default:
      return FALSE;
    }
}

static const char *
take_other (Scan *self, const char *p)
{
  gboolean two = p + 1 < self->end;
  gboolean was_word = self->before == WORD || self->before == '>' || self->before == ')';

  if (g_ascii_isdigit (*p))
    {
      while (p < self->end && (cs_call_is_word (*p) || *p == '.' || *p == '\''))
        p++;
      self->before = NUMBER;
      self->run = -1;
      return p;
    }
  if (*p == '.' || (*p == '-' && two && p[1] == '>'))
    {
      self->of_this = self->before == WORD && is_word (self->word, self->word_length, "this");
      self->before = '.';
      self->run = -1;
      return p + (*p == '.' ? 1 : 2);
    }
  if (*p == ':' && two && p[1] == ':')
    {
      self->global = !was_word;
      self->before = was_word ? self->before : self->run == 0 ? ';' : ',';
      return p + 2;
    }
  if (*p == ';' || *p == '}')
    self->run = 0;
  else if (*p == '{')
    {
      self->block = begins_block (self);
      self->run = self->block ? 0 : -1;
    }
  else if ((*p != '*' && *p != '&') || self->run < 1)
    self->run = -1;
  self->depth += *p == '(' || *p == '{';
  self->depth -= (*p == ')' || *p == '}') && self->depth > 0;
  self->before = *p;
  return p + 1;
}

static void
scan_part (CsCallResolver *resolver, const char *from, const char *to, gboolean initialisers)
{
  Scan self = { .resolver = resolver, .end = to, .initialisers = initialisers };

  for (const char *p = from; p < to;)
    if (g_ascii_isspace (*p))
      p++;
    else if (cs_call_is_word_start (*p))
      p = take_word (&self, p);
    else
      p = take_other (&self, p);
}

/* A parameter hides the function of its name. */
static void
hide_parameters (CsCallResolver *resolver, const char *from, const char *to)
{
  static const char *const types[] = { "const", "volatile", "struct", "union", "enum", "class", "typename", NULL };
  Scan self = { .resolver = resolver, .end = to };
  char before = '(';
  const char *last = NULL;
  gsize last_length = 0;

  for (const char *p = from; p < to;)
    if (cs_call_is_word_start (*p))
      {
        const char *end = skip_word (p, to), *next = skip_blanks (end, to);
        gboolean named = before == WORD ? !is_one_of (last, last_length, types)
                                        : before == '*' || before == '&' || before == '>' || !resolver->cplusplus;

        if (named && (next == to || strchr (",)[=", *next) != NULL))
          hide (&self, p, (gsize) (end - p));
        last = p;
        last_length = (gsize) (end - p);
        before = WORD;
        p = end;
      }
    else
      {
        if (!g_ascii_isspace (*p))
          before = *p;
        p++;
      }
}

/* The code of a function from @at on, or a part of it. */
static void
scan_body (CsCallResolver *resolver, const char *text, const CsCallBody *body, gsize at, gsize to)
{
  if (at >= to)
    return;
  cs_call_resolver_set_caller (resolver, body->function);
  /* Another function's part came between, and these are by caller. */
  if (body->parameters != 0)
    hide_parameters (resolver, text + body->parameters, text + body->parameters_end - 1);
  if (at < body->body && to > body->body)
    {
      scan_part (resolver, text + at, text + body->body, TRUE);
      at = body->body;
    }
  scan_part (resolver, text + at, text + to, FALSE);
}

typedef struct
{
  const CsCallBody *body;
  gsize at; /* how far it is scanned */
} Open;

/**
 * cs_call_scan:
 * @resolver: where edges are collected
 * @file: a file of the index
 * @text: (inout): what is in it; is blanked
 * @length: its bytes
 *
 * Finds the calls in all functions of a file. What lies in several functions, one around the other, is the innermost's.
 */
void
cs_call_scan (CsCallResolver *resolver, guint32 file, char *text, gsize length)
{
  const CsCallSymbols *symbols = resolver->symbols;
  g_autoptr (GArray) bodies = NULL;
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Open));
  gsize first, count;

  cs_function_index_get_of_file (symbols->index, file, &first, &count);
  cs_code_blank (text, length);
  bodies = cs_call_bodies_new (symbols->functions, first, count, text, length);
  for (guint i = 0; i <= bodies->len; i++)
    {
      const CsCallBody *body = i < bodies->len ? &g_array_index (bodies, CsCallBody, i) : NULL;

      while (open->len > 0)
        {
          Open *top = &g_array_index (open, Open, open->len - 1);
          gsize to = body != NULL ? MIN (body->start, top->body->end) : top->body->end;

          scan_body (resolver, text, top->body, top->at, to);
          if (body != NULL && top->body->end > body->start)
            {
              top->at = MAX (top->at, body->end);
              break;
            }
          /* What is around it goes on behind it. */
          if (open->len > 1)
            {
              Open *around = &g_array_index (open, Open, open->len - 2);

              around->at = MAX (around->at, top->body->end);
            }
          g_array_set_size (open, open->len - 1);
        }
      if (body != NULL)
        {
          Open next = { body, body->start };

          g_array_append_val (open, next);
        }
    }
}
