/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-pattern.h"

/* Paths that a pattern matches, and ones that it doesn't. */
static const struct
{
  const char *pattern;
  const char *yes[8];
  const char *no[8];
} rules[] = {
  /* Exact paths, and what ends with them. */
  { "src/utils/rng.c", { "src/utils/rng.c", "../project/src/utils/rng.c", "/home/me/src/utils/rng.c", "./src/utils/rng.c" },
    { "src/utils/rng.cpp", "xsrc/utils/rng.c", "utils/rng.c", "src/utils", "src/utils/xrng.c", "src/Utils/rng.c" } },
  { "rng.c", { "rng.c", "src/rng.c", "../rng.c", "/rng.c" }, { "xrng.c", "src/xrng.c", "rng.cc", "rng" } },
  { "a", { "a", "a/b", "x/a/b/c.c", "/a/x" }, { "b", "ab", "ab/c", "b/ba" } },

  /* Folders. */
  { "src/sort", { "src/sort/a.c", "src/sort/deep/a.c", "lib/src/sort/a.c", "src/sort", "src/sort/" },
    { "src/sorted/a.c", "src/sort.c", "sort/a.c", "src/a/sort/a.c" } },
  { "src/sort/", { "src/sort/a.c", "src/sort/deep/a.c", "../src/sort/a.c", "src/sort/" },
    { "src/sort", "src/sort.c", "x/src/sort" } },
  { "sort/", { "sort/a.c", "src/sort/a.c" }, { "sort", "src/sort", "sort.c" } },

  /* * and ? stay within a part. */
  { "*.c", { "a.c", "src/a.c", ".c", "x.c/y.h", "../a.c" }, { "a.cc", "a.c.h", "c", "xc" } },
  { "src/*.c", { "src/a.c", "x/src/a.c", "src/.c" }, { "src/x/a.c", "a.c", "src/a.h" } },
  { "src/net*", { "src/network/x.c", "src/net.c", "src/net/deep/er/x.c", "lib/src/net.c" },
    { "src/ne", "src/x/net.c", "net.c" } },
  { "src/*/a.c", { "src/x/a.c", "y/src/x/a.c" }, { "src/a.c", "src/x/y/a.c" } },
  { "*", { "a", "a/b", "../a", "/a" }, { "" } },
  { "a*b*c", { "abc", "aXbXc", "abbc", "x/abcbc/y" }, { "ab", "acb", "a/b/c", "abcd" } },
  { "a?c", { "abc", "x/a.c", "a.c/y" }, { "ac", "abbc", "a/c" } },
  { "???", { "abc", "x/abc" }, { "ab", "abcd" } },
  { "*/", { "a/b", "x/y/z" }, { "a" } },
  { "*test*/*.c", { "test/a.c", "x/mytests/b.c" }, { "test.c", "test/x/a.c" } },

  /* ** crosses. */
  { "**/a.c", { "a.c", "x/a.c", "x/y/a.c", "/x/a.c" }, { "xa.c", "a.cc" } },
  { "src/**/a.c", { "src/a.c", "src/x/a.c", "src/x/y/a.c", "lib/src/x/a.c" }, { "a.c", "xsrc/a.c", "src/xa.c", "srca.c" } },
  { "src/**", { "src/a.c", "src/x/y.c", "lib/src/a.c" }, { "src", "x/src", "srcs/a.c" } },
  { "**", { "a", "a/b/c" }, { "" } },
  { "**/", { "a/b" }, { "a" } },
  { "src/**/x/**/a.c", { "src/x/a.c", "src/1/x/2/a.c", "src/1/2/x/a.c" }, { "src/a.c", "src/xx/a.c" } },
  { "**/**/**/a", { "a", "x/y/z/a" }, { "b", "x/y" } },
  { "src/**.c", { "src/a.c", "src/x/y/a.c" }, { "src/a.h", "a.c" } },
  { "s**c", { "sc", "sabc", "s/x/c", "x/s1/2c/y" }, { "s", "x/sd" } },
  { "a/**b", { "a/b", "a/x/y/cb", "a/xb/z" }, { "ab", "a/c" } },
  { "src/***/a.c", { "src/a.c", "src/x/y/a.c" }, { "a.c" } },

  /* Classes. */
  { "[abc].c", { "a.c", "x/c.c" }, { "d.c", "ab.c", ".c" } },
  { "[a-c]x", { "ax", "bx", "cx/y" }, { "dx", "-x", "Ax" } },
  { "[!a-c]x", { "dx", "-x", "äx" }, { "ax", "x", "/x" } },
  { "[^a]x", { "bx", "^x" }, { "ax" } },
  { "[]a]x", { "]x", "ax" }, { "bx" } },
  { "[!]a]x", { "bx" }, { "]x", "ax" } },
  { "[a-]x", { "ax", "-x" }, { "bx" } },
  { "[\\]\\-]x", { "]x", "-x" }, { "\\x", "ax" } },
  { "[z-a]x", { NULL }, { "zx", "ax", "-x" } },
  { "[[:digit:]a]x", { "1x", "ax" }, { "dx", ":x" } },
  { "a[!b]c", { "axc" }, { "a/c", "abc" } },
  { "a]b", { "a]b" }, { "ab" } },

  /* Escapes. */
  { "a\\*b", { "a*b", "x/a*b/c" }, { "axb", "a\\*b" } },
  { "a\\?b", { "a?b" }, { "axb" } },
  { "\\[a]", { "[a]" }, { "a" } },
  { "a\\\\b", { "a\\b" }, { "ab", "a\\\\b" } },
  { "\\a\\.c", { "a.c" }, { "\\a.c" } },
  { "\\#x", { "#x" }, { "x" } },

  /* Blanks and what is no ASCII. */
  { "my dir/a file.c", { "my dir/a file.c", "x/my dir/a file.c" }, { "dir/a file.c", "my dir/a" } },
  { "my dir", { "my dir/x.c" }, { "my/x.c", "dir/x.c" } },
  { " ", { " ", "x/ /y" }, { "  ", "x" } },
  { "grüße/ä.c", { "grüße/ä.c", "x/grüße/ä.c" }, { "grusse/a.c", "grüße/ö.c" } },
  { "gr?n.c", { "grün.c", "gran.c", "gr漢n.c", "gr\xfcn.c" }, { "grn.c", "grüün.c" } },
  { "[ä-ü]x", { "äx", "öx", "üx" }, { "ax", "\xc3x", "ßßx" } },
  { "[!ä]x", { "öx", "ax", "\xff" "x" }, { "äx" } },
  { "a\xff" "b", { "a\xff" "b" }, { "ab", "a\xfe" "b", "aÿb" } },
  { "?\xff?", { "a\xff" "b", "\xfe\xff\xfd" }, { "\xff", "a\xff" } },
  { "*\xc3", { "a\xc3" }, { "aä" } },
  { "漢/**/字.c", { "漢/字.c", "漢/x/字.c" }, { "漢字.c" } },

  /* . and .. */
  { "./src/a.c", { "src/a.c", "x/src/a.c" }, { "a.c" } },
  { "././src//a.c", { "src/a.c" }, { "a.c" } },
  { "src/./a.c", { "src/a.c", "src/./a.c", "src//a.c" }, { "src/x/a.c" } },
  { "src/../lib/a.c", { "lib/a.c", "x/lib/a.c" }, { "src/a.c", "src/lib" } },
  { "../common/", { "../common/x.c", "../../common/x.c" }, { "common/x.c", "src/common/x.c", "../common" } },
  { "lib/a.c", { "src/../lib/a.c", "../lib/a.c", "lib/x/../a.c", "src/x/../../lib/a.c" }, { "lib/../a.c", "../a.c" } },
  { "x", { "../x", "x/.", "x/y/.." }, { "x/..", ".." } },
  { ".", { "a.c", "src/a.c", "..a/b" }, { "../a.c", "/a.c", ".." } },
  { "./", { "a.c", "src/a.c" }, { "../a.c", "/a.c" } },
  { "src/..", { "a.c" }, { "../a.c" } },
  { "**/../a", { NULL }, { "a", "x/a" } },
  { "..a", { "..a", "..a/b" }, { "../a", "a" } },
  { ".hidden/", { ".hidden/a.c", "x/.hidden/a.c" }, { "hidden/a.c" } },
  { "...", { ".../a" }, { "../a" } },

  /* Absolute ones. */
  { "/home/me/a.c", { "/home/me/a.c", "//home/./me/a.c", "/home/you/../me/a.c", "/../home/me/a.c" },
    { "home/me/a.c", "/x/home/me/a.c", "/home/me/a.cc" } },
  { "/usr", { "/usr/include/stdio.h", "/usr" }, { "usr/x", "/x/usr/y", "/usr2/x" } },
  { "/usr/", { "/usr/include/stdio.h", "/usr/" }, { "/usr", "/usr2/x" } },
  { "/*/me", { "/home/me/a.c" }, { "/me", "/home/x/me", "home/me" } },
  { "/**/me", { "/me/x", "/home/me/a.c", "/home/x/me" }, { "home/me", "me" } },
  { "/", { "/a", "/a/b" }, { "a", "a/b", "/" } },
};

static void
test_table (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CsPattern) pattern = cs_pattern_new (rules[i].pattern, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (cs_pattern_get_text (pattern), ==, rules[i].pattern);
      for (guint j = 0; j < G_N_ELEMENTS (rules[i].yes) && rules[i].yes[j] != NULL; j++)
        if (!cs_pattern_match (pattern, rules[i].yes[j]))
          g_error ("'%s' doesn't match '%s'", rules[i].pattern, rules[i].yes[j]);
      for (guint j = 0; j < G_N_ELEMENTS (rules[i].no) && rules[i].no[j] != NULL; j++)
        if (cs_pattern_match (pattern, rules[i].no[j]))
          g_error ("'%s' matches '%s'", rules[i].pattern, rules[i].no[j]);
    }
}

static void
test_bad (void)
{
  static const char *const bad[] = { "", "[", "a[", "src/[ab", "[a/b]", "[]", "[!]", "[a-/]", "[[:nothing:]]", "[[:alpha:]",
                                     "a\\", "a\\/b", "[\\", "[a-\\" };
  g_autofree char *long_one = g_strnfill (5000, 'a');

  for (guint i = 0; i <= G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CsPattern) pattern = cs_pattern_new (i < G_N_ELEMENTS (bad) ? bad[i] : long_one, &error);

      if (pattern != NULL)
        g_error ("'%s' is a pattern", bad[i]);
      g_assert_error (error, CS_PATTERN_ERROR, CS_PATTERN_ERROR_SYNTAX);
      g_assert_nonnull (strstr (error->message, " — "));
    }
}

/* Whatever backtracks would take years for these. */
static void
test_bounded (void)
{
  static const char *const parts[] = { "a*", "**/", "*a", "a**", "?*", "[ab]*", "**/a*/" };
  g_autofree char *as = g_strnfill (4000, 'a');
  g_autoptr (GString) folders = g_string_new (NULL);

  for (guint i = 0; i < 2000; i++)
    g_string_append (folders, "a/");
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (CsPattern) pattern = NULL;

      while (text->len < 3000)
        g_string_append (text, parts[i]);
      g_string_append (text, "b.c");
      pattern = cs_pattern_new (text->str, NULL);
      g_assert_nonnull (pattern);
      g_assert_false (cs_pattern_match (pattern, as));
      g_assert_false (cs_pattern_match (pattern, folders->str));
    }
}

/* A state for each of the pattern's characters, in more than one word. */
static void
test_long (void)
{
  for (guint length = 60; length < 700; length += 13)
    {
      g_autoptr (GString) path = g_string_new (NULL);
      g_autoptr (GString) text = g_string_new ("**/");
      g_autoptr (CsPattern) pattern = NULL;

      for (guint i = 0; i < length; i++)
        {
          g_string_append_c (path, (char) ('a' + i * 7 % 26));
          if (i % 9 == 8)
            g_string_append_c (path, '/');
        }
      g_string_append (path, "end.c");
      g_string_append (text, path->str);
      text->str[3] = '?';
      text->str[text->len - 1] = '*';
      pattern = cs_pattern_new (text->str, NULL);
      g_assert_true (cs_pattern_match (pattern, path->str));
      g_string_prepend (path, "some/folder/");
      g_assert_true (cs_pattern_match (pattern, path->str));
      path->str[40]++;
      g_assert_false (cs_pattern_match (pattern, path->str));
    }
}

/* The same as a regular expression: a translation by words, for an engine that is none of ours. */
static char *
translate (const char *pattern)
{
  gboolean folder_only = g_str_has_suffix (pattern, "/");
  g_auto (GStrv) parts = NULL;
  GString *text = g_string_new ("^(?:.*/)?");
  g_autofree char *bare = g_strndup (pattern, strlen (pattern) - folder_only);

  parts = g_strsplit (bare, "/", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      gboolean last = parts[i + 1] == NULL;

      if (strcmp (parts[i], "**") == 0)
        {
          g_string_append (text, last ? "[^/].*" : "(?:[^/]+/)*");
          continue;
        }
      for (const char *p = parts[i]; *p != '\0'; p++)
        if (p[0] == '*' && p[1] == '*')
          {
            g_string_append (text, ".*");
            p++;
          }
        else if (*p == '*')
          g_string_append (text, "[^/]*");
        else if (*p == '?')
          g_string_append (text, "[^/]");
        else if (p[0] == '[' && p[1] == '!')
          {
            g_string_append (text, "[^/");
            p++;
          }
        else
          g_string_append_c (text, *p);
      if (!last)
        g_string_append_c (text, '/');
    }
  g_string_append (text, folder_only ? "/.+$" : "(?:/.*)?$");
  return g_string_free (text, FALSE);
}

static char *
make_random (GRand *rand, const char *const *pieces, int n_pieces, int n_parts)
{
  GString *text = g_string_new (NULL);

  for (int i = g_rand_int_range (rand, 1, n_parts + 1); i > 0; i--)
    {
      for (int j = g_rand_int_range (rand, 1, 4); j > 0; j--)
        g_string_append (text, pieces[g_rand_int_range (rand, 0, n_pieces)]);
      if (i > 1)
        g_string_append_c (text, '/');
    }
  return g_string_free (text, FALSE);
}

static void
test_random (void)
{
  static const char *const names[] = { "a", "b", "ä", "ab", "ba" };
  static const char *const pieces[] = { "a", "b", "ä", "ab", "*", "?", "[ab]", "[!a]", "[ä-ö]", "**", "*" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (20260103);
  guint matches = 0, pairs = 0;

  for (guint i = 0; i < 4000; i++)
    {
      g_autofree char *plain = make_random (rand, pieces, G_N_ELEMENTS (pieces), 4);
      g_autofree char *text = g_strconcat (plain, g_rand_int_range (rand, 0, 5) == 0 ? "/" : NULL, NULL);
      g_autofree char *translated = NULL;
      g_autoptr (CsPattern) pattern = NULL;
      g_autoptr (GRegex) regex = NULL;

      /* Of three stars it can't be told by words which two are meant. */
      if (strstr (text, "***") != NULL)
        continue;
      translated = translate (text);
      pattern = cs_pattern_new (text, NULL);
      regex = g_regex_new (translated, 0, 0, NULL);
      for (guint j = 0; j < 25; j++)
        {
          g_autofree char *path = make_random (rand, names, G_N_ELEMENTS (names), 5);
          gboolean wanted = g_regex_match (regex, path, 0, NULL);

          if (cs_pattern_match (pattern, path) != wanted)
            g_error ("'%s' %s '%s' (%s)", text, wanted ? "doesn't match" : "matches", path, translated);
          matches += wanted;
          pairs++;
        }
    }
  g_assert_cmpuint (matches, >, pairs / 10);
  g_assert_cmpuint (matches, <, pairs * 9 / 10);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pattern/table", test_table);
  g_test_add_func ("/pattern/bad", test_bad);
  g_test_add_func ("/pattern/bounded", test_bounded);
  g_test_add_func ("/pattern/long", test_long);
  g_test_add_func ("/pattern/random", test_random);
  return g_test_run ();
}
