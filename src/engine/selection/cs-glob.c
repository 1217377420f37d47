/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-glob.h"
#include "selection/cs-pattern.h"

/* A glob is an automaton without branches: state i says that i tokens have matched. All states are bits of a few
 * words, and a character moves them together (shift-and), so that a match costs characters × words, whatever
 * stars there are. A star is a state that stays, and a "**" between slashes one that comes back behind each slash. */

#define MAX_WORDS (CS_GLOB_MAX / 64 + 1)
#define N_ASCII 128
#define NOT_UTF8 0x110000 /* and the byte: what no character is */

typedef struct
{
  gunichar first;
  gunichar last;
} Range;

typedef enum
{
  TOKEN_CHARACTER,
  TOKEN_ANY,
  TOKEN_CLASS,
} TokenKind;

typedef struct
{
  TokenKind kind;
  gboolean negated;
  gunichar character;
  guint first_range; /* of a class, in the glob's ranges */
  guint n_ranges;
} Token;

struct _CsGlob
{
  CsGlobKind kind;
  gboolean anchored;    /* matches from the text's beginning only */
  gboolean folder_only; /* PATTERN: what matched must have something below it */
  GArray *tokens;       /* (element-type Token) */
  GArray *ranges;       /* (element-type Range) */
  guint words;
  guint64 *takes;  /* words for each ASCII character: the tokens that take it */
  guint64 *wide;   /* tokens that may take other characters */
  guint64 *stays;  /* states behind which * was */
  guint64 *passes; /* the same for one that crosses slashes */
  guint64 *returns; /* states that come back behind each slash */
  char *needle;    /* (nullable): bytes that a text must have somewhere */
  gsize needle_length;
  gsize rarest;    /* offset of the needle's byte that few paths have */
};

typedef struct
{
  CsGlob *glob;
  const char *text;
  const char *p;
  const char *end;
  GString *run; /* characters that follow each other */
  guint64 stays[MAX_WORDS], passes[MAX_WORDS], returns[MAX_WORDS];
} Parser;

static gunichar
next_character (const char *p, const char *end, CsGlobKind kind, gsize *size)
{
  guint8 byte = (guint8) *p;
  gunichar c;

  *size = 1;
  if (byte < N_ASCII)
    return byte;
  if (kind == CS_GLOB_GIT)
    return NOT_UTF8 + byte;
  c = g_utf8_get_char_validated (p, end - p);
  if (c == (gunichar) -1 || c == (gunichar) -2)
    return NOT_UTF8 + byte;
  *size = (gsize) g_utf8_skip[byte];
  return c;
}

static void
set_bit (guint64 *words, guint bit)
{
  words[bit / 64] |= G_GUINT64_CONSTANT (1) << (bit % 64);
}

static gboolean
get_bit (const guint64 *words, guint bit)
{
  return (words[bit / 64] >> (bit % 64)) & 1;
}

/* How rare a byte is in paths: its place among the common ones. */
static gsize
get_rarity (char byte)
{
  static const char common[] = "/.esrtcainolpdmhugf_b-vwk1023456789yxqjz";
  const char *place = strchr (common, byte);

  return place != NULL ? (gsize) (place - common) : sizeof common;
}

/* Keeps the run if it is the longest. */
static void
end_run (Parser *parser)
{
  CsGlob *glob = parser->glob;

  if (parser->run->len > glob->needle_length)
    {
      g_free (glob->needle);
      glob->needle_length = parser->run->len;
      glob->needle = g_strndup (parser->run->str, parser->run->len);
      glob->rarest = 0;
      for (gsize i = 1; i < glob->needle_length; i++)
        if (get_rarity (glob->needle[i]) > get_rarity (glob->needle[glob->rarest]))
          glob->rarest = i;
    }
  g_string_truncate (parser->run, 0);
}

static void
add_character (Parser *parser, gsize size)
{
  gsize unused;
  Token token = { TOKEN_CHARACTER };

  token.character = next_character (parser->p, parser->end, parser->glob->kind, &unused);
  g_array_append_val (parser->glob->tokens, token);
  g_string_append_len (parser->run, parser->p, (gssize) size);
  parser->p += size;
}

static void
add_any (Parser *parser)
{
  Token token = { TOKEN_ANY };

  end_run (parser);
  g_array_append_val (parser->glob->tokens, token);
}

static void
add_range (CsGlob *glob, gunichar first, gunichar last)
{
  Range range = { first, last };

  g_array_append_val (glob->ranges, range);
}

/* Whether a ":]" ends what begins as [:alpha:] does; otherwise '[' is a member of the class. */
static gboolean
is_named_class (const Parser *parser)
{
  const char *close;

  if (parser->end - parser->p < 4 || parser->p[0] != '[' || parser->p[1] != ':')
    return FALSE;
  close = memchr (parser->p + 2, ']', (gsize) (parser->end - parser->p) - 2);
  return close != NULL && close > parser->p + 2 && close[-1] == ':';
}

/* [:alpha:] and so on, as they are in the C locale. */
static gboolean
add_named_class (Parser *parser)
{
  static const struct
  {
    const char *name;
    Range ranges[4];
  } classes[] = {
    { "alnum", { { '0', '9' }, { 'A', 'Z' }, { 'a', 'z' } } },
    { "alpha", { { 'A', 'Z' }, { 'a', 'z' } } },
    { "blank", { { ' ', ' ' }, { '\t', '\t' } } },
    { "cntrl", { { 1, 31 }, { 127, 127 } } },
    { "digit", { { '0', '9' } } },
    { "graph", { { 33, 126 } } },
    { "lower", { { 'a', 'z' } } },
    { "print", { { 32, 126 } } },
    { "punct", { { 33, 47 }, { 58, 64 }, { 91, 96 }, { 123, 126 } } },
    { "space", { { ' ', ' ' }, { '\t', '\r' } } },
    { "upper", { { 'A', 'Z' } } },
    { "xdigit", { { '0', '9' }, { 'A', 'F' }, { 'a', 'f' } } },
  };
  const char *name = parser->p + 2;
  gsize length = (gsize) ((const char *) memchr (name, ']', (gsize) (parser->end - name)) - name) - 1;

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (strlen (classes[i].name) == length && memcmp (classes[i].name, name, length) == 0)
      {
        for (guint j = 0; j < G_N_ELEMENTS (classes[i].ranges) && classes[i].ranges[j].last != 0; j++)
          add_range (parser->glob, classes[i].ranges[j].first, classes[i].ranges[j].last);
        parser->p = name + length + 2;
        return TRUE;
      }
  return FALSE;
}

/* One end of a range, maybe escaped. */
static gboolean
take_member (Parser *parser, gunichar *character)
{
  gsize size;

  if (*parser->p == '\\')
    parser->p++;
  if (parser->p == parser->end)
    return FALSE;
  *character = next_character (parser->p, parser->end, parser->glob->kind, &size);
  parser->p += size;
  return TRUE;
}

/* What lies between [ and ]; a folder's end ends no class. */
static gboolean
parse_class (Parser *parser)
{
  CsGlob *glob = parser->glob;
  Token token = { TOKEN_CLASS };
  gboolean first = TRUE;

  end_run (parser);
  token.first_range = glob->ranges->len;
  parser->p++;
  if (parser->p < parser->end && (*parser->p == '!' || *parser->p == '^'))
    {
      token.negated = TRUE;
      parser->p++;
    }
  for (;; first = FALSE)
    {
      gunichar from, to;

      if (parser->p == parser->end || (glob->kind == CS_GLOB_PATTERN && *parser->p == '/'))
        return FALSE;
      if (*parser->p == ']' && !first)
        break;
      if (is_named_class (parser))
        {
          if (!add_named_class (parser))
            return FALSE;
          continue;
        }
      if (!take_member (parser, &from))
        return FALSE;
      to = from;
      if (parser->end - parser->p >= 2 && parser->p[0] == '-' && parser->p[1] != ']')
        {
          parser->p++;
          if ((glob->kind == CS_GLOB_PATTERN && *parser->p == '/') || !take_member (parser, &to))
            return FALSE;
        }
      if (from <= to)
        add_range (glob, from, to);
      else if (glob->kind == CS_GLOB_GIT) /* git compares with the first before it sees the range */
        add_range (glob, from, from);
    }
  parser->p++;
  token.n_ranges = glob->ranges->len - token.first_range;
  g_array_append_val (glob->tokens, token);
  return TRUE;
}

static void
parse_stars (Parser *parser)
{
  CsGlob *glob = parser->glob;
  const char *first = parser->p;
  gboolean alone;

  while (parser->p < parser->end && *parser->p == '*')
    parser->p++;
  end_run (parser);
  alone = (first == parser->text || first[-1] == '/') && (parser->p == parser->end || *parser->p == '/');
  if (parser->p - first == 1)
    set_bit (parser->stays, glob->tokens->len);
  else if (alone && parser->p < parser->end)
    {
      set_bit (parser->returns, glob->tokens->len);
      parser->p++;
    }
  else if (alone)
    {
      add_any (parser);
      set_bit (parser->passes, glob->tokens->len);
    }
  else
    set_bit (glob->kind == CS_GLOB_PATTERN ? parser->passes : parser->stays, glob->tokens->len);
}

static gboolean
parse (Parser *parser, GError **error)
{
  while (parser->p < parser->end)
    {
      const char *p = parser->p;
      gsize size = 1;

      switch (*p)
        {
        case '*':
          parse_stars (parser);
          break;
        case '?':
          add_any (parser);
          parser->p++;
          break;
        case '[':
          if (!parse_class (parser))
            {
              g_set_error (error, CS_PATTERN_ERROR, CS_PATTERN_ERROR_SYNTAX,
                           "'[' has no ']' behind it in the same part of the path, or an unknown [:class:] — close it, "
                           "or write \\[ for the character");
              return FALSE;
            }
          break;
        case '\\':
          parser->p++;
          if (parser->p == parser->end || (parser->glob->kind == CS_GLOB_PATTERN && *parser->p == '/'))
            {
              g_set_error (error, CS_PATTERN_ERROR, CS_PATTERN_ERROR_SYNTAX,
                           "'\\' has nothing behind it that it could escape — write \\\\ for the character");
              return FALSE;
            }
          G_GNUC_FALLTHROUGH;
        default:
          next_character (parser->p, parser->end, parser->glob->kind, &size);
          add_character (parser, size);
        }
    }
  end_run (parser);
  return TRUE;
}

static gboolean
token_takes (const CsGlob *self, const Token *token, gunichar c)
{
  if (token->kind == TOKEN_CHARACTER)
    return token->character == c;
  if (c == '/')
    return FALSE;
  if (token->kind == TOKEN_ANY)
    return TRUE;
  for (guint i = 0; i < token->n_ranges; i++)
    {
      const Range *range = &g_array_index (self->ranges, Range, token->first_range + i);

      if (range->first <= c && c <= range->last)
        return !token->negated;
    }
  return token->negated;
}

/* Makes the masks out of the tokens. */
static void
compile (CsGlob *self, const Parser *parser)
{
  guint n = self->tokens->len;

  self->words = n / 64 + 1;
  self->takes = g_new0 (guint64, (gsize) self->words * N_ASCII);
  self->wide = g_new0 (guint64, self->words);
  self->stays = g_memdup2 (parser->stays, self->words * sizeof (guint64));
  self->passes = g_memdup2 (parser->passes, self->words * sizeof (guint64));
  self->returns = g_memdup2 (parser->returns, self->words * sizeof (guint64));
  for (guint i = 0; i < n; i++)
    {
      const Token *token = &g_array_index (self->tokens, Token, i);

      if (token->kind != TOKEN_CHARACTER || token->character >= N_ASCII)
        set_bit (self->wide, i);
      if (token->kind == TOKEN_CHARACTER && token->character < N_ASCII)
        set_bit (self->takes + (gsize) token->character * self->words, i);
      else
        for (gunichar c = 1; c < N_ASCII; c++)
          if (token_takes (self, token, c))
            set_bit (self->takes + (gsize) c * self->words, i);
    }
}

/**
 * cs_glob_new:
 * @text: (array length=length): a glob, with "/" between the parts of the path
 * @length: its bytes
 * @kind: whose rules it follows
 * @error: where to say what is wrong with it
 *
 * `*` and `?` take any characters and any one but "/", `[a-z]` one of a class, `[!a-z]` one that is not in it; `**`
 * between slashes takes any number of parts; `\` takes away what the next character means.
 * Of %CS_GLOB_PATTERN a glob that begins with "/" matches from the path's beginning, others any run of a path's parts
 * that begins and ends at a slash or an end; one that ends with "/" is a folder that the path is in.
 *
 * Returns: (transfer full) (nullable): the glob
 */
CsGlob *
cs_glob_new (const char *text, gsize length, CsGlobKind kind, GError **error)
{
  g_autoptr (CsGlob) self = g_new0 (CsGlob, 1);
  Parser parser = { .glob = self };
  g_autoptr (GString) run = g_string_new (NULL);

  self->kind = kind;
  self->tokens = g_array_new (FALSE, FALSE, sizeof (Token));
  self->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  if (length >= CS_GLOB_MAX)
    {
      g_set_error (error, CS_PATTERN_ERROR, CS_PATTERN_ERROR_SYNTAX, "it is longer than %d bytes — shorten it",
                   CS_GLOB_MAX - 1);
      return NULL;
    }
  if (kind == CS_GLOB_PATTERN && length > 1 && text[length - 1] == '/')
    {
      self->folder_only = TRUE;
      length--;
    }
  self->anchored = kind == CS_GLOB_GIT || (length > 0 && text[0] == '/');
  parser.text = parser.p = text;
  parser.end = text + length;
  parser.run = run;
  if (!parse (&parser, error))
    return NULL;
  compile (self, &parser);
  return g_steal_pointer (&self);
}

static void
find_wide (const CsGlob *self, gunichar c, guint64 *takes)
{
  memset (takes, 0, self->words * sizeof (guint64));
  for (guint i = 0; i < self->tokens->len; i++)
    if (get_bit (self->wide, i) && token_takes (self, &g_array_index (self->tokens, Token, i), c))
      set_bit (takes, i);
}

/* words is the glob's; as a constant it makes plain arithmetic of the loops. */
static inline gboolean
match_words (const CsGlob *self, const char *path, gsize length, const guint words)
{
  guint64 state[MAX_WORDS], seen[MAX_WORDS], wide[MAX_WORDS];
  const char *end = path + length;
  gboolean comes_back = !self->anchored;
  gsize size;

  for (guint w = 0; w < words; w++)
    state[w] = seen[w] = 0;
  state[0] = self->anchored || *path != '/';
  seen[0] = (self->returns[0] & state[0]) | (guint64) comes_back;
  comes_back |= seen[0] != 0;
  for (const char *p = path; p < end; p += size)
    {
      gunichar c = next_character (p, end, self->kind, &size);
      const guint64 *takes = self->takes + (gsize) c * words;
      guint64 carry = 0, alive = 0;

      if (c == '/' && self->kind == CS_GLOB_PATTERN && get_bit (state, self->tokens->len))
        return TRUE;
      if (c >= N_ASCII)
        {
          find_wide (self, c, wide);
          takes = wide;
        }
      for (guint w = 0; w < words; w++)
        {
          guint64 moved = state[w] & takes[w];
          guint64 next = (moved << 1) | carry | (state[w] & self->passes[w]);

          carry = moved >> 63;
          next |= c == '/' ? seen[w] : state[w] & self->stays[w];
          seen[w] |= next & self->returns[w];
          comes_back |= seen[w] != 0;
          state[w] = next;
          alive |= next;
        }
      if (alive != 0)
        continue;
      /* Nothing goes on before the next slash. */
      if (!comes_back || (p = memchr (p + size, '/', (gsize) (end - p) - size)) == NULL)
        return FALSE;
      size = 0;
    }
  return !self->folder_only && end[-1] != '/' && get_bit (state, self->tokens->len);
}

/* For a few bytes in a few dozen, this is a third of what memmem() takes. */
static gboolean
has_needle (const CsGlob *self, const char *path, gsize length)
{
  const char *p = path + self->rarest;
  const char *end = path + length - (self->needle_length - 1 - self->rarest);

  if (length < self->needle_length)
    return FALSE;
  for (; (p = memchr (p, self->needle[self->rarest], (gsize) (end - p))) != NULL; p++)
    if (memcmp (p - self->rarest, self->needle, self->needle_length) == 0)
      return TRUE;
  return FALSE;
}

/**
 * cs_glob_match:
 * @self: a glob
 * @path: (array length=length): a path without "//", "./" and, but at its beginning, "../"
 * @length: its bytes
 *
 * A path that ends with "/" is a folder's.
 *
 * Returns: whether it matches
 */
gboolean
cs_glob_match (const CsGlob *self, const char *path, gsize length)
{
  if (length == 0 || (self->needle != NULL && !has_needle (self, path, length)))
    return FALSE;
  return self->words == 1 ? match_words (self, path, length, 1) : match_words (self, path, length, self->words);
}

/**
 * cs_glob_dup_needle:
 * @self: a glob
 *
 * Returns: (transfer full) (nullable): what every path has somewhere that it matches; %NULL: nothing
 */
char *
cs_glob_dup_needle (const CsGlob *self)
{
  return self->needle != NULL ? g_strndup (self->needle, self->needle_length) : NULL;
}

/**
 * cs_glob_free:
 * @self: (transfer full): a glob
 */
void
cs_glob_free (CsGlob *self)
{
  g_array_unref (self->tokens);
  g_array_unref (self->ranges);
  g_free (self->takes);
  g_free (self->wide);
  g_free (self->stays);
  g_free (self->passes);
  g_free (self->returns);
  g_free (self->needle);
  g_free (self);
}
