/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "symbols/cs-name-collapse.h"

/* Stands for the arguments of a template. */
#define ARGUMENTS "<…>"

/* The brackets of a name, matched from left to right. */
typedef struct
{
  const char *name;
  GArray *open;      /* (element-type guint) places of brackets that aren't closed yet */
  guint n_open[128]; /* how many of them are of each kind */
  guint *ends;       /* by place of a bracket that has an end: place of that; 0: something else, as < that compares */
  gboolean unquoted; /* a quote without an end was met: what follows are no quotes */
} Brackets;

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$' || (guchar) c >= 0x80;
}

/* The length of the operator at @p, which follows the word "operator". */
static gsize
operator_length (const char *p)
{
  static const char *const operators[] = {
    "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "()", "[]", "+=", "-=", "*=", "/=", "%=", "^=",
    "&=",  "|=",  "==",  "!=",  "&&", "||", "++", "--", "<",  ">",  "+",  "-",  "*",  "/",  "%",  "^",  "&",
    "|",   "~",   "!",   "=",   ",",
  };

  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (g_str_has_prefix (p, operators[i]))
      return strlen (operators[i]);
  return 0;
}

/* The place behind a quoted text; behind the quote alone if it has no end. */
static guint
take_quoted (Brackets *self, guint place)
{
  const char *name = self->name;

  for (guint i = place + 1; !self->unquoted && name[i] != '\0'; i++)
    {
      if (name[i] == '\\' && name[i + 1] != '\0')
        i++;
      else if (name[i] == name[place])
        return i + 1;
    }
  self->unquoted = TRUE;
  return place + 1;
}

static void
open_bracket (Brackets *self, guint place)
{
  g_array_append_val (self->open, place);
  self->n_open[(guchar) self->name[place]]++;
}

static guint
last_open (const Brackets *self)
{
  return g_array_index (self->open, guint, self->open->len - 1);
}

static void
close_last (Brackets *self)
{
  self->n_open[(guchar) self->name[last_open (self)]]--;
  g_array_set_size (self->open, self->open->len - 1);
}

/* Of a round, square or curly one: whatever < were opened in it were comparisons. */
static void
close_bracket (Brackets *self, char opening, guint place)
{
  if (self->n_open[(guchar) opening] == 0)
    return;
  while (self->name[last_open (self)] != opening)
    {
      self->ends[last_open (self)] = 0;
      close_last (self);
    }
  self->ends[last_open (self)] = place;
  close_last (self);
}

/* A > that closes what was opened last; otherwise it is a comparison or an arrow. */
static void
close_angle (Brackets *self, guint place)
{
  guint start;

  if (self->open->len == 0 || (place > 0 && self->name[place - 1] == '-'))
    return;
  start = last_open (self);
  if (self->name[start] != '<')
    return;
  close_last (self);
  if (self->ends[start] != 0)
    self->ends[start] = place;
}

/* A template's < follows its name. One that begins a name, as in <lambda()> or in
 * <T as Trait>::f, has an end too but stays. */
static void
open_angle (Brackets *self, guint place, gboolean after_operator)
{
  char before = place > 0 ? self->name[place - 1] : '\0';
  char after = self->name[place + 1];

  if (after_operator || is_word (before) || (before != '\0' && strchr ("]}'\"", before) != NULL))
    self->ends[place] = G_MAXUINT;
  else if (!is_word (after) && after != '<' && after != '&')
    return;
  open_bracket (self, place);
}

/* Whether the word "operator" begins at @place. */
static gboolean
is_operator (const Brackets *self, guint place)
{
  return g_str_has_prefix (self->name + place, "operator") && (place == 0 || !is_word (self->name[place - 1]));
}

/* Takes "operator", its sign, and the < of its template arguments. */
static guint
take_operator (Brackets *self, guint place)
{
  gsize sign = operator_length (self->name + place + strlen ("operator"));

  place += strlen ("operator") + sign;
  if (sign > 0 && self->name[place] == ' ' && self->name[place + 1] == '<')
    place++;
  if (sign > 0 && self->name[place] == '<')
    open_angle (self, place++, TRUE);
  return place;
}

static void
match (Brackets *self)
{
  const char *name = self->name;

  for (guint i = 0; name[i] != '\0';)
    {
      if (is_operator (self, i))
        {
          i = take_operator (self, i);
          continue;
        }
      switch (name[i])
        {
        case '"':
        case '\'':
          i = take_quoted (self, i);
          continue;
        case '(':
        case '[':
        case '{':
          open_bracket (self, i);
          break;
        case ')':
          close_bracket (self, '(', i);
          break;
        case ']':
          close_bracket (self, '[', i);
          break;
        case '}':
          close_bracket (self, '{', i);
          break;
        case '<':
          open_angle (self, i, FALSE);
          break;
        case '>':
          close_angle (self, i);
          break;
        default:
          break;
        }
      i++;
    }
  /* What has no end is no template. */
  for (guint i = 0; i < self->open->len; i++)
    self->ends[g_array_index (self->open, guint, i)] = 0;
}

/**
 * cs_name_collapse:
 * @name: a function's name as C++ writes it; any text will do
 * @depth: how many levels of template arguments to keep; %CS_NAME_WHOLE: all
 *
 * Shortens a name: the arguments of templates that lie deeper in other templates' arguments
 * become `<…>`. With a depth of 0 `std::map<int, std::set<int> >::find(int)` is
 * `std::map<…>::find(int)`, with 1 it is `std::map<int, std::set<…> >::find(int)`. Operators,
 * comparisons in parentheses and quoted text are no templates.
 *
 * Returns: (transfer full): the name to show
 */
char *
cs_name_collapse (const char *name, guint depth)
{
  gsize length = strlen (name);
  g_autoptr (GArray) open = NULL;
  g_autofree guint *ends = NULL;
  g_autofree guint *closing = NULL; /* (nullable) */
  Brackets brackets = { .name = name };
  GString *shown;
  guint level = 0;

  g_return_val_if_fail (length < G_MAXUINT, g_strdup (name));

  if (depth == CS_NAME_WHOLE || strchr (name, '<') == NULL)
    return g_strdup (name);
  brackets.open = open = g_array_new (FALSE, FALSE, sizeof (guint));
  brackets.ends = ends = g_new0 (guint, length + 1);
  match (&brackets);

  shown = g_string_sized_new (length);
  closing = g_new (guint, depth < length ? depth + 1 : length + 1);
  for (guint i = 0; i < length; i++)
    {
      gboolean template = name[i] == '<' && ends[i] != 0;

      if (template && level == depth)
        {
          g_string_append (shown, ARGUMENTS);
          i = ends[i];
          continue;
        }
      if (template)
        closing[level++] = ends[i];
      else if (level > 0 && closing[level - 1] == i)
        level--;
      g_string_append_c (shown, name[i]);
    }
  return g_string_free (shown, FALSE);
}

/* Words that may follow the parameters. */
static gsize
qualifiers_length (const char *p)
{
  static const char *const qualifiers[] = { " const", " volatile", " &&", " &", " noexcept" };
  gsize length = 0;

  for (guint i = 0; i < G_N_ELEMENTS (qualifiers); i++)
    if (g_str_has_prefix (p + length, qualifiers[i]))
      length += strlen (qualifiers[i]);
  return length;
}

/* What of a name is kept, while it is read from left to right. */
typedef struct
{
  const Brackets *brackets;
  gboolean parameters, namespaces;
  GString *shown;
  gsize start;  /* in `shown`: of the name without what it returns */
  gsize last;   /* in `shown`: of its last part */
  gboolean template; /* the last that was taken are a template's arguments */
} Strip;

/* Takes all that is in a pair of brackets. */
static guint
take_brackets (Strip *self, guint place)
{
  const char *name = self->brackets->name;
  guint end = self->brackets->ends[place] + 1;
  gboolean anonymous = g_str_has_prefix (name + place, "(anonymous ");

  if (name[place] != '(' || anonymous || self->parameters || self->shown->len == self->start)
    {
      self->template = name[place] == '<';
      g_string_append_len (self->shown, name + place, end - place);
      return end;
    }
  /* Only of templates it is told what they return. */
  if (self->template && self->start > 0)
    {
      g_string_erase (self->shown, 0, (gssize) self->start);
      self->last -= self->start;
      self->start = 0;
    }
  return end + (guint) qualifiers_length (name + end);
}

static guint
take_character (Strip *self, guint place)
{
  const char *name = self->brackets->name;

  self->template = FALSE;
  if (is_operator (self->brackets, place))
    {
      gsize length = strlen ("operator");
      gsize sign = operator_length (name + place + length);

      /* Of a conversion, and of new and delete, all words up to the parameters belong to it. */
      if (sign == 0)
        sign = strcspn (name + place + length, "(");
      g_string_append_len (self->shown, name + place, (gssize) (length + sign));
      return place + (guint) (length + sign);
    }
  if (name[place] == ':' && name[place + 1] == ':')
    {
      g_string_append (self->shown, "::");
      if (!self->namespaces)
        g_string_truncate (self->shown, self->last);
      self->last = self->shown->len;
      return place + 2;
    }
  g_string_append_c (self->shown, name[place]);
  if (name[place] == ' ' && name[place + 1] != '[' && name[place + 1] != '<' && name[place + 1] != '\0')
    self->start = self->last = self->shown->len;
  return place + 1;
}

/**
 * cs_name_strip:
 * @name: a function's name as C++ writes it; any text will do
 * @parameters: whether its parameters are kept
 * @namespaces: whether the namespaces and classes around it are kept
 *
 * Shortens a name: `ns::S::f(int) const` is `ns::S::f` without parameters and `f(int) const` without namespaces. Template
 * arguments and parameters that are kept stay as they are. What a template returns goes with its parameters.
 *
 * Returns: (transfer full): the name to show; never empty, unless @name is
 */
char *
cs_name_strip (const char *name, gboolean parameters, gboolean namespaces)
{
  gsize length = strlen (name);
  g_autoptr (GArray) open = NULL;
  g_autofree guint *ends = NULL;
  Brackets brackets = { .name = name };
  Strip strip = { .brackets = &brackets, .parameters = parameters, .namespaces = namespaces };

  g_return_val_if_fail (length < G_MAXUINT, g_strdup (name));

  if (strpbrk (name, ":(") == NULL)
    return g_strdup (name);
  brackets.open = open = g_array_new (FALSE, FALSE, sizeof (guint));
  brackets.ends = ends = g_new0 (guint, length + 1);
  match (&brackets);
  strip.shown = g_string_sized_new (length);
  for (guint i = 0; i < length;)
    i = ends[i] != 0 && ends[i] != G_MAXUINT ? take_brackets (&strip, i) : take_character (&strip, i);
  if (strip.shown->len == 0)
    g_string_append (strip.shown, name);
  return g_string_free (strip.shown, FALSE);
}
