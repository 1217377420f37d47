/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-function-name.h"

#define ANONYMOUS "{anonymous}"

/* A name that is read from left to right. */
typedef struct
{
  const char *at;
  GString *out;       /* what is left of it */
  gsize start;        /* where the name begins in it: behind a return type */
  gboolean type;      /* in the type of a conversion operator: blanks end nothing */
  gssize enclosing;   /* length of out where the outermost function around it ends; -1: none */
} Reader;

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$' || c == '~' || (guchar) c >= 0x80;
}

/* Behind the bracket that closes the one at @p; the end of the text if there is none. */
static const char *
skip_round (const char *p)
{
  gsize depth = 0;

  for (; *p != '\0'; p++)
    {
      if (strchr ("([{", *p) != NULL)
        depth++;
      else if (strchr (")]}", *p) != NULL && --depth == 0)
        return p + 1;
    }
  return p;
}

/* The length of the sign that follows the word "operator"; 0: there is none. */
static gsize
sign_length (const char *p)
{
  static const char *const signs[] = {
    "<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "<=", ">=", "->", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=",
    "==",  "!=",  "&&",  "||",  "++", "--", "<",  ">",  "+",  "-",  "*",  "/",  "%",  "^",  "&",  "|",  "~",  "!",  "=",
    ",",
  };

  /* Template arguments may follow < without a blank. */
  if (g_str_has_prefix (p, "<<") && is_word (p[2]))
    return 1;
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (g_str_has_prefix (p, signs[i]))
      return strlen (signs[i]);
  return 0;
}

/* Behind template arguments. What is compared in them stands in round brackets. */
static const char *
skip_angle (const char *p)
{
  gsize depth = 0;

  while (*p != '\0')
    {
      if (g_str_has_prefix (p, "operator") && !is_word (p[-1]) && !is_word (p[8]))
        {
          p += 8;
          p += strspn (p, " ");
          p += sign_length (p);
          continue;
        }
      if (*p == '(' || *p == '{' || *p == '[')
        {
          p = skip_round (p);
          continue;
        }
      if (*p == '<')
        depth++;
      else if (*p == '>' && p[-1] != '-' && --depth == 0)
        return p + 1;
      p++;
    }
  return p;
}

/* Behind what may follow parameters. */
static const char *
skip_qualifiers (const char *p)
{
  static const char *const words[] = { "const", "volatile", "noexcept", "&&", "&" };

  for (;;)
    {
      const char *word = p + strspn (p, " ");
      guint i = 0;

      while (i < G_N_ELEMENTS (words) && !g_str_has_prefix (word, words[i]))
        i++;
      if (i == G_N_ELEMENTS (words) || is_word (word[strlen (words[i])]))
        return p;
      p = word + strlen (words[i]);
    }
}

/* Takes "operator" and its sign, or what it converts to. */
static void
read_operator (Reader *self)
{
  const char *sign;
  gsize n;

  g_string_append (self->out, "operator");
  self->at += strlen ("operator");
  sign = self->at + strspn (self->at, " ");
  n = sign_length (sign);
  if (n == 0)
    {
      self->type = TRUE;
      return;
    }
  g_string_append_len (self->out, sign, (gssize) n);
  self->at = sign + n;
  if (*(self->at + strspn (self->at, " ")) == '<')
    self->at = skip_angle (self->at + strspn (self->at, " "));
}

/* Parameters. Returns FALSE where the name ends with them. */
static gboolean
read_parameters (Reader *self)
{
  const char *next;

  /* A function that returns a pointer to a function: `void (*f<int>())(int)`. */
  if (self->out->len == self->start)
    {
      self->at++;
      return TRUE;
    }
  self->at = next = skip_qualifiers (skip_round (self->at));
  self->type = FALSE;
  if (g_str_has_prefix (next, "::"))
    {
      if (self->enclosing < 0)
        self->enclosing = (gssize) self->out->len;
      return TRUE;
    }
  /* `decltype (x) f<int>()`: what follows is the name. */
  next += strspn (next, " ");
  return next > self->at && *next != '[' && *next != '\0' && !g_str_has_prefix (next, "requires ");
}

/* Takes what has a name in brackets, `{lambda(int)#1}`. */
static void
read_bracketed (Reader *self)
{
  const char *end = *self->at == '{' ? skip_round (self->at) : skip_angle (self->at);

  if (self->enclosing < 0 && g_str_has_prefix (self->at + 1, "lambda") && self->out->len > self->start + 2)
    self->enclosing = (gssize) self->out->len - 2;
  for (; self->at < end; self->at++)
    if (*self->at != ' ')
      g_string_append_c (self->out, *self->at);
}

static gboolean
is_keyword (const Reader *self, const char *word, char before)
{
  return g_str_has_prefix (self->at, word) && !is_word (before) && !is_word (self->at[strlen (word)]);
}

/* Takes what begins at the place; FALSE at the name's end. */
static gboolean
read_part (Reader *self)
{
  char c = *self->at;
  char before = self->out->len > self->start ? self->out->str[self->out->len - 1] : '\0';

  if (c == '\0' || c == ')' || g_str_has_prefix (self->at, " [clone"))
    return FALSE;
  if (g_str_has_prefix (self->at, "(anonymous namespace)"))
    {
      g_string_append (self->out, ANONYMOUS);
      self->at += strlen ("(anonymous namespace)");
    }
  else if (is_keyword (self, "operator", before))
    read_operator (self);
  else if (is_keyword (self, "decltype", before) && self->out->len == self->start)
    {
      self->at += strlen ("decltype");
      self->at += strspn (self->at, " ");
      if (*self->at == '(')
        self->at = skip_round (self->at);
    }
  else if (c == '(')
    return read_parameters (self);
  else if (c == '<' && before != '\0' && before != ':')
    self->at = skip_angle (self->at);
  else if (c == '[' && (!self->type || g_str_has_prefix (self->at, "[abi:")))
    self->at = skip_round (self->at);
  else if (c == '{' || c == '<')
    read_bracketed (self);
  else if (c == ' ')
    {
      if (!self->type)
        {
          self->start = self->out->len;
          self->enclosing = -1;
        }
      self->at++;
    }
  else if ((c == '*' || c == '&') && self->out->len == self->start)
    self->at++;
  else
    g_string_append_c (self->out, *self->at++);
  return TRUE;
}

/* The suffix of a function that a compiler made of another one: `.constprop.0`. No identifier has a dot. */
static void
cut_suffix (GString *out)
{
  const char *bracket = strrchr (out->str, '}');
  char *dot = strchr (bracket != NULL ? bracket : out->str, '.');

  if (dot != NULL && dot > out->str)
    g_string_truncate (out, (gsize) (dot - out->str));
}

/**
 * cs_function_name_reduce:
 * @name: a function as a report, gcc or a scan spells it; any text will do
 * @enclosing: (out) (optional) (nullable) (transfer full): the reduced name of the outermost function
 *   in which it is local (a lambda, a class in a function); %NULL: none
 *
 * Takes away what spellings differ in, so that equal results mean the same function of a file:
 * return type, parameters and what follows them, template arguments, blanks, and compilers'
 * suffixes. Unnamed namespaces become `{anonymous}`. `ns::box<int>::get(int) const [clone .isra.0]`
 * is `ns::box::get`. Overloads and a template's instances can't be told apart any more.
 *
 * Returns: (transfer full): the name, or @name where nothing would be left of it
 */
char *
cs_function_name_reduce (const char *name, char **enclosing)
{
  g_autoptr (GString) out = g_string_sized_new (strlen (name));
  Reader reader = { .at = name, .out = out, .enclosing = -1 };

  while (read_part (&reader))
    ;
  if (enclosing != NULL)
    *enclosing = reader.enclosing > (gssize) reader.start
                   ? g_strndup (out->str + reader.start, (gsize) reader.enclosing - reader.start)
                   : NULL;
  g_string_erase (out, 0, (gssize) reader.start);
  cut_suffix (out);
  return g_strdup (out->len > 0 ? out->str : name);
}
