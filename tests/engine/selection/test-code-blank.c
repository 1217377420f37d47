/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-code-blank.h"

/* Before and after; '~' is what became blank and the blanks beside it. */
static const struct
{
  const char *name, *before, *after;
} cases[] = {
  { "nothing", "", "" },
  { "code", "int f (void)\n{\n\treturn 1;\n}\n", "int f (void)\n{\n\treturn 1;\n}\n" },
  { "comment", "a/* b\n c */d", "a~\n~d" },
  { "comment-not-nested", "/* /* */a", "~a" },
  { "comment-not-closed", "a/* b\nc", "a~\n~" },
  { "comment-shortest", "/*/a*/b", "~b" },
  { "comment-and-quote", "/* ' */a", "~a" },
  { "line-comment", "a// b\nc", "a~\nc" },
  { "line-comment-continued", "// a \\\nb\nc", "~\n~\nc" },
  { "division", "a / b /c", "a / b /c" },
  { "string", "f(\"a(b\")", "f(~)" },
  { "string-escaped", "f(\"\\\"b\\\\\")c", "f(~)c" },
  { "string-in-comment-marks", "\"/*\"a\"*/\"", "~a~" },
  { "string-not-closed", "\"a\nb", "~\nb" },
  { "string-continued", "\"a\\\nb\"c", "~\n~c" },
  { "string-continued-crlf", "\"a\\\r\nb\"c", "~\r\n~c" },
  { "string-prefix", "f(L\"(\", u8\"(\", U\"(\")", "f(~,~,~)" },
  { "string-at-the-end", "a\"", "a~" },
  { "backslash-at-the-end", "\"\\", "~" },
  { "character", "f('(','\\'',L'\\\\')", "f(~,~,~)" },
  { "character-quote", "'\"'a\"'\"", "~a~" },
  { "character-not-closed", "don't\nf()", "don~\nf()" },
  { "raw", "R\"(a\"b)\"c", "~c" },
  { "raw-delimiter", "R\"x(a)\"b)y\")x\"c", "~c" },
  { "raw-prefix", "u8R\"(\\)\"c", "~c" },
  { "raw-lines", "R\"(\n\"\n)\"c", "~\n~\n~c" },
  { "raw-not-closed", "R\"(a\"\nb", "~\n~" },
  { "raw-in-a-longer-name", "FOOR\"(a\"b", "FOOR~b" },
  { "raw-bad-delimiter", "R\"a b\"c", "~c" },
  { "raw-long-delimiter", "R\"0123456789abcdef(\")0123456789abcdef\"c", "~c" },
  { "raw-too-long-delimiter", "R\"0123456789abcdefg(\"c", "~c" },
  { "digits", "x=1'000'000;y='a'", "x=1'000'000;y=~" },
  { "digits-hex", "0xdead'beef+f('x')", "0xdead'beef+f(~)" },
  { "digits-fraction", ".5'0+'a'", ".5'0+~" },
  { "digits-in-a-name", "a1'b'", "a1~" },
  { "directive", "#define f(x) g(x)\na", "~\na" },
  { "directive-indented", "  # include <a'b>\na", "~\na" },
  { "directive-continued", "#define f \\\n g()\\\r\n h()\na", "~\n~\r\n~\na" },
  { "directive-with-a-comment", "#if x /* a\nb */ && y\nc", "~\n~\nc" },
  { "directive-behind-a-comment", "/* a\n*/ #define b\nc", "~\n~\nc" },
  { "directive-with-a-string", "#define a \"/*\"\nb", "~\nb" },
  { "directive-with-an-apostrophe", "#error don't\nb", "~\nb" },
  { "not-a-directive", "a #b\n", "a #b\n" },
  { "dead", "#if 0\ndon't {\n#endif\na", "~\n~\n~\na" },
  { "dead-else", "#if 0\na\n#else\nb\n#endif\nc", "~\n~\n~\nb\n~\nc" },
  { "dead-elif", "#if 0\na\n# elif X\nb\n#endif\nc", "~\n~\n~\nb\n~\nc" },
  { "dead-nested", "#if 0\n#ifdef X\na\n#else\nb\n#endif\nc\n#endif\nd", "~\n~\n~\n~\n~\n~\n~\n~\nd" },
  { "dead-comment", "#if 0\n/*\n#endif\n*/a\n#endif\nb", "~\n~\n~\n~\n~\nb" },
  { "dead-to-the-end", "#if 0\na", "~\n~" },
  { "alive", "#if 01\na\n#endif\n#if 0x1\nb\n#endif", "~\na\n~\n~\nb\n~" },
  { "attribute", "__attribute__((format (printf, 1, 2))) void f ();", "~void f ();" },
  { "attribute-short", "a __attribute ( (x) ) b", "a~b" },
  { "attribute-lines", "__attribute__ ((a,\n  b)) c", "~\n~c" },
  { "attribute-with-a-string", "__attribute__((section(\")\"))) a", "~a" },
  { "attribute-not-closed", "__attribute__((a; f ();", "__attribute__((a; f ();" },
  { "attribute-alone", "__attribute__; x", "__attribute__; x" },
  { "attribute-in-a-name", "my__attribute__((f)) x", "my__attribute__((f)) x" },
  { "declspec", "__declspec(dllexport) int f();", "~int f();" },
  { "standard-attribute", "[[nodiscard]] int a[f()][2];", "~int a[f()][2];" },
  { "standard-attribute-with-brackets", "[[x(a[0])]] b[c[0]];", "~b[c[0]];" },
  { "standard-attribute-not-closed", "[[a; b(); ]]", "[[a; b(); ]]" },
};

static char *
show (const char *before, const char *after)
{
  GString *shown = g_string_new (NULL);

  for (gsize i = 0; before[i] != '\0';)
    {
      gsize end = i;
      gboolean blanked = FALSE;

      for (; after[end] == ' '; end++)
        blanked |= before[end] != ' ';
      if (blanked)
        g_string_append_c (shown, '~');
      else
        g_string_append_len (shown, after + i, (gssize) (MAX (end, i + 1) - i));
      i = MAX (end, i + 1);
    }
  return g_string_free (shown, FALSE);
}

static void
check (gconstpointer data)
{
  const char *before = cases[GPOINTER_TO_SIZE (data)].before;
  g_autofree char *text = g_strdup (before);
  g_autofree char *shown = NULL;

  cs_code_blank (text, strlen (text));
  g_assert_cmpuint (strlen (text), ==, strlen (before));
  shown = show (before, text);
  g_assert_cmpstr (shown, ==, cases[GPOINTER_TO_SIZE (data)].after);
}

/* Any bytes: none is written that isn't there, and the ends of lines stay. */
static void
check_hostile (void)
{
  static const char *const parts[] = { "\"", "'", "\\", "\n", "\r\n", "/*", "*/", "//", "#", "#if 0\n", "#endif\n", "R\"",
                                       "(", ")", "x", "__attribute__((", "[[", "]]", "{", ";", "1'", "L", "\xff" };
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint round = 0; round < 20000; round++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *copy = NULL;
      char *exact;

      for (guint n = (guint) g_rand_int_range (random, 1, 12); n > 0; n--)
        {
          const char *part = parts[g_rand_int_range (random, 0, G_N_ELEMENTS (parts))];

          g_string_append (text, part);
          if (g_rand_int_range (random, 0, 16) == 0)
            g_string_append_c (text, '\0');
        }
      copy = g_memdup2 (text->str, text->len);
      /* Without a byte behind it, so that valgrind and the sanitizers see a read too many. */
      exact = g_memdup2 (text->str, text->len);
      cs_code_blank (exact, text->len);
      for (gsize i = 0; i < text->len; i++)
        g_assert_true (exact[i] == copy[i] || (exact[i] == ' ' && copy[i] != '\n' && copy[i] != '\r'));
      g_free (exact);
    }
}

/* What grows faster than the text shows here: a step for each pair of bytes would take days. */
static void
check_long (void)
{
  static const char *const parts[] = { "(", "{", "[[", "__attribute__((", "__attribute__((x", "R\"", "R\"a(", "\"", "'",
                                       "/*", "#if 0\n", "\\\n", "1'", "a'" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      while (text->len < 1 << 20)
        g_string_append (text, parts[i]);
      cs_code_blank (text->str, text->len);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/code-blank/", cases[i].name, NULL);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), check);
    }
  g_test_add_func ("/code-blank/hostile", check_hostile);
  g_test_add_func ("/code-blank/long", check_long);
  return g_test_run ();
}
