/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "symbols/cs-addr2line.h"
#include "symbols/cs-bundle.h"
#include "symbols/cs-name-collapse.h"
#include "symbols/cs-source-map.h"

/* Names as the demanglers of GCC's and LLVM's C++ runtimes write them. */
static const struct
{
  const char *name;
  const char *shown[3]; /* with 0, 1 and 2 levels; NULL: as the name is */
} names[] = {
  { "main", { NULL, NULL, NULL } },
  { "", { NULL, NULL, NULL } },
  { "std::vector<int>::push_back(int&&)", { "std::vector<…>::push_back(int&&)", NULL, NULL } },
  { "std::map<int, std::set<int, std::less<int> > >::find(int const&)",
    { "std::map<…>::find(int const&)", "std::map<int, std::set<…> >::find(int const&)",
      "std::map<int, std::set<int, std::less<…> > >::find(int const&)" } },
  { "std::map<int, std::set<int, std::less<int>>>::find(int)",
    { "std::map<…>::find(int)", "std::map<int, std::set<…>>::find(int)",
      "std::map<int, std::set<int, std::less<…>>>::find(int)" } },
  { "void f<std::pair<int, int> >(std::pair<int, int>)",
    { "void f<…>(std::pair<…>)", "void f<std::pair<…> >(std::pair<int, int>)", NULL } },
  { "a<>::b<>()", { "a<…>::b<…>()", NULL, NULL } },

  /* Operators. */
  { "operator<(T const&, T const&)", { NULL, NULL, NULL } },
  { "ns::S::operator<<(int)", { NULL, NULL, NULL } },
  { "ns::S::operator<=>(ns::S const&) const", { NULL, NULL, NULL } },
  { "bool operator< <int>(box<int>, box<int>)", { "bool operator< <…>(box<…>, box<…>)", NULL, NULL } },
  { "std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char)",
    { "std::ostream& std::operator<< <…>(std::ostream&, char)",
      "std::ostream& std::operator<< <std::char_traits<…> >(std::ostream&, char)", NULL } },
  { "bool operator><int>(box<int>)", { "bool operator><…>(box<…>)", NULL, NULL } },
  { "bool operator>=<int>(box<int>)", { "bool operator>=<…>(box<…>)", NULL, NULL } },
  { "auto operator<=><int>(box<int>)", { "auto operator<=><…>(box<…>)", NULL, NULL } },
  { "box<int>& operator>>=<int>(box<int>&)", { "box<…>& operator>>=<…>(box<…>&)", NULL, NULL } },
  { "ptr<int>::operator->() const", { "ptr<…>::operator->() const", NULL, NULL } },
  { "ptr<int>::operator->*<box<int> >(box<int>)",
    { "ptr<…>::operator->*<…>(box<…>)", "ptr<int>::operator->*<box<…> >(box<int>)", NULL } },
  { "int call<int>::operator()<long>(long)", { "int call<…>::operator()<…>(long)", NULL, NULL } },
  { "int call::operator[]<long>(long)", { "int call::operator[]<…>(long)", NULL, NULL } },
  { "int operator+<(E)1>(T)", { "int operator+<…>(T)", NULL, NULL } },
  { "S::operator std::vector<int>()", { "S::operator std::vector<…>()", NULL, NULL } },
  { "S::operator bool()", { NULL, NULL, NULL } },
  { "my_operator<int>(int)", { "my_operator<…>(int)", NULL, NULL } },
  { "operators<int>(int)", { "operators<…>(int)", NULL, NULL } },
  { "operator\"\" _x<(char)60>()", { "operator\"\" _x<…>()", NULL, NULL } },

  /* Lambdas and other things without a name. */
  { "main::{lambda(int)#1}::operator()(int) const", { NULL, NULL, NULL } },
  { "f<int>(int)::{lambda(std::vector<int>)#2}::operator()(std::vector<int>) const",
    { "f<…>(int)::{lambda(std::vector<…>)#2}::operator()(std::vector<…>) const", NULL, NULL } },
  { "auto main::{lambda(auto:1)#1}::operator()<int>(int) const",
    { "auto main::{lambda(auto:1)#1}::operator()<…>(int) const", NULL, NULL } },
  { "run<main::{lambda()#1}>(main::{lambda()#1})", { "run<…>(main::{lambda()#1})", NULL, NULL } },
  { "f()::'lambda'(int)::operator()<long>(long) const", { "f()::'lambda'(int)::operator()<…>(long) const", NULL, NULL } },
  { "(anonymous namespace)::g<int>(int)", { "(anonymous namespace)::g<…>(int)", NULL, NULL } },
  { "<lambda(std::vector<int>)>::operator()() const", { "<lambda(std::vector<…>)>::operator()() const", NULL, NULL } },
  { "<T as Trait<int>>::f", { "<T as Trait<…>>::f", NULL, NULL } },
  { "f[abi:cxx11]<int>(int)", { "f[abi:cxx11]<…>(int)", NULL, NULL } },

  /* Comparisons and shifts in arguments. */
  { "A<((1)<(2))>::f()", { "A<…>::f()", NULL, NULL } },
  { "A<((2)>(1))>::f()", { "A<…>::f()", NULL, NULL } },
  { "A<(2 > 1)>::f()", { "A<…>::f()", NULL, NULL } },
  { "A<(1 < 2), B<int> >::f()", { "A<…>::f()", "A<(1 < 2), B<…> >::f()", NULL } },
  { "A<((1)>>(2)), B<int> >::f()", { "A<…>::f()", "A<((1)>>(2)), B<…> >::f()", NULL } },
  { "decltype (({parm#1}->f)()) g<int>(int*)", { "decltype (({parm#1}->f)()) g<…>(int*)", NULL, NULL } },
  { "A<&(B<int>::f)>::g()", { "A<…>::g()", "A<&(B<…>::f)>::g()", NULL } },
  { "f<int (*)(std::vector<int>)>(int (*)(std::vector<int>))",
    { "f<…>(int (*)(std::vector<…>))", "f<int (*)(std::vector<…>)>(int (*)(std::vector<int>))", NULL } },

  /* Quoted text. */
  { "A<S{\"a>b<(c\"}, B<int> >::f()", { "A<…>::f()", "A<S{\"a>b<(c\"}, B<…> >::f()", NULL } },
  { "A<'>', B<int> >::f()", { "A<…>::f()", "A<'>', B<…> >::f()", NULL } },
  { "A<'\\'', B<int> >::f()", { "A<…>::f()", "A<'\\'', B<…> >::f()", NULL } },

  /* What is no whole name. */
  { "<", { NULL, NULL, NULL } },
  { ">", { NULL, NULL, NULL } },
  { "a<b", { NULL, NULL, NULL } },
  { "a>b<c", { NULL, NULL, NULL } },
  { "f(a<b)", { NULL, NULL, NULL } },
  { "a<b)>c", { "a<…>c", NULL, NULL } },
  { "f(a<b)<c>", { NULL, NULL, NULL } },
  { "a<\"b>", { "a<…>", NULL, NULL } },
  { "operator", { NULL, NULL, NULL } },
  { "operator<", { NULL, NULL, NULL } },
  { "operator< <", { NULL, NULL, NULL } },
  { "\xff<\xfe>", { "\xff<…>", NULL, NULL } },
};

static void
test_collapse (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *whole = cs_name_collapse (names[i].name, CS_NAME_WHOLE);
      g_autofree char *deep = cs_name_collapse (names[i].name, 100);

      g_assert_cmpstr (whole, ==, names[i].name);
      g_assert_cmpstr (deep, ==, names[i].name);
      for (guint depth = 0; depth < G_N_ELEMENTS (names[i].shown); depth++)
        {
          g_autofree char *shown = cs_name_collapse (names[i].name, depth);
          const char *wanted = names[i].shown[depth] != NULL ? names[i].shown[depth] : names[i].name;

          g_assert_cmpstr (shown, ==, wanted);
        }
    }
}

/* Names with what they are without parameters, without namespaces, and without both. */
static const struct
{
  const char *name, *no_parameters, *no_namespaces, *bare;
} stripped[] = {
  { "main", "main", "main", "main" },
  { "", "", "", "" },
  { "ns::S::f(int) const", "ns::S::f", "f(int) const", "f" },
  { "(anonymous namespace)::f(ns::T)", "(anonymous namespace)::f", "f(ns::T)", "f" },
  { "std::map<int, ns::T>::find(int const&)", "std::map<int, ns::T>::find", "find(int const&)", "find" },
  { "void ns::f<std::pair<int, int> >(std::pair<int, int>)", "ns::f<std::pair<int, int> >",
    "void f<std::pair<int, int> >(std::pair<int, int>)", "f<std::pair<int, int> >" },
  { "ns::S::operator()(int) const", "ns::S::operator()", "operator()(int) const", "operator()" },
  { "ns::S::operator<<(int)", "ns::S::operator<<", "operator<<(int)", "operator<<" },
  { "ns::S::operator std::string() const", "ns::S::operator std::string", "operator std::string() const",
    "operator std::string" },
  { "operator new(unsigned long)", "operator new", "operator new(unsigned long)", "operator new" },
  { "run()::{lambda(int)#1}::operator()(int) const", "run::{lambda(int)#1}::operator()", "operator()(int) const",
    "operator()" },
  { "ns::f(int) [clone .cold]", "ns::f [clone .cold]", "f(int) [clone .cold]", "f [clone .cold]" },
  { "ns::~S()", "ns::~S", "~S()", "~S" },
  { "(", "(", "(", "(" },
  { "(int)", "(int)", "(int)", "(int)" },
};

static void
test_strip (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (stripped); i++)
    {
      g_autofree char *whole = cs_name_strip (stripped[i].name, TRUE, TRUE);
      g_autofree char *no_parameters = cs_name_strip (stripped[i].name, FALSE, TRUE);
      g_autofree char *no_namespaces = cs_name_strip (stripped[i].name, TRUE, FALSE);
      g_autofree char *bare = cs_name_strip (stripped[i].name, FALSE, FALSE);

      g_assert_cmpstr (whole, ==, stripped[i].name);
      g_assert_cmpstr (no_parameters, ==, stripped[i].no_parameters);
      g_assert_cmpstr (no_namespaces, ==, stripped[i].no_namespaces);
      g_assert_cmpstr (bare, ==, stripped[i].bare);
    }
}

/* Any text comes back with only whole arguments replaced: put back in the order of their places,
 * they make the text again. */
static void
test_collapse_odd (void)
{
  static const char *const pieces[] = { "<", ">", "<<", "->", "(", ")", "{", "}", "[", "]", "\"", "'", "\\", ",", " ",
                                        "a", "operator", "operator<", "operator()", "::", "…", "\xff", "0x" };
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint round = 0; round < 20000; round++)
    {
      g_autoptr (GString) name = g_string_new (NULL);
      guint n = g_rand_int_range (random, 0, 24);

      for (guint i = 0; i < n; i++)
        g_string_append (name, pieces[g_rand_int_range (random, 0, G_N_ELEMENTS (pieces))]);
      for (guint flags = 0; flags < 4; flags++)
        {
          g_autofree char *shown = cs_name_strip (name->str, flags & 1, flags >> 1);

          g_assert_cmpint (*shown != '\0', ==, name->len > 0);
          if (flags == 3)
            g_assert_cmpstr (shown, ==, name->str);
        }
      for (guint depth = 0; depth < 4; depth++)
        {
          g_autofree char *shown = cs_name_collapse (name->str, depth);
          g_auto (GStrv) kept = g_strsplit (shown, "<…>", -1);
          const char *rest = name->str;

          if (kept[0] == NULL)
            continue;
          g_assert_true (g_str_has_prefix (rest, kept[0]));
          g_assert_true (g_str_has_suffix (rest, kept[g_strv_length (kept) - 1]));
          for (guint i = 0; kept[i] != NULL; i++)
            {
              rest = strstr (rest, kept[i]);
              g_assert_nonnull (rest);
              rest += strlen (kept[i]);
            }
        }
    }
}

/* Cost is in proportion to the length, and nothing recurses. */
static void
test_collapse_large (void)
{
  static const char *const pieces[] = { "a<", "a>", "(a<b", "'\\", "operator<", "a<(", "a<>", "{\"" };

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr (GString) name = g_string_new (NULL);
      g_autofree char *shown = NULL;

      while (name->len < 4 * 1024 * 1024)
        g_string_append (name, pieces[i]);
      shown = cs_name_collapse (name->str, 1000000);
      g_assert_cmpuint (strlen (shown), <=, name->len);
    }
}

static void
test_source_map (void)
{
  static const struct
  {
    const char *rules[3];
    const char *path;
    const char *mapped; /* NULL: no rule is about it */
  } cases[] = {
    { { "/build/app=/home/me/app" }, "/build/app/src/a.c", "/home/me/app/src/a.c" },
    { { "/build/app/=/home/me/app/" }, "/build/app/src/a.c", "/home/me/app/src/a.c" },
    { { "/build/app=/home/me/app" }, "/build/application/a.c", NULL },
    { { "/build/app=/home/me/app" }, "/other/build/app/a.c", NULL },
    { { "/build=/b", "/build/app=/c" }, "/build/app/a.c", "/b/app/a.c" },
    { { "/build/app=/c", "/build=/b" }, "/build/app/a.c", "/c/a.c" },
    { { "/build/a.c=/mine/b.c" }, "/build/a.c", "/mine/b.c" },
    { { "/build=" }, "/build/src/a.c", "src/a.c" },
    { { "/=/root" }, "/src/a.c", "/root/src/a.c" },
    { { "/build=/" }, "/build/src/a.c", "/src/a.c" },
    { { "src=lib" }, "src/a.c", "lib/a.c" },
    { { "/b=/c=d" }, "/b/a.c", "/c=d/a.c" },
    { { NULL }, "/b/a.c", NULL },
  };
  static const char *const wrong[] = { "", "=", "=new", "old", "/build/app" };
  g_autoptr (CsSourceMap) none = cs_source_map_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (CsSourceMap) map = cs_source_map_new ();
      g_autofree char *mapped = NULL;

      for (guint j = 0; j < G_N_ELEMENTS (cases[i].rules) && cases[i].rules[j] != NULL; j++)
        g_assert_true (cs_source_map_add (map, cases[i].rules[j], NULL));
      mapped = cs_source_map_apply (map, cases[i].path);
      g_assert_cmpstr (mapped, ==, cases[i].mapped);
    }
  for (guint i = 0; i < 3; i++)
    {
      static const char *const paths[] = { "/home/a=b/src/a.c", "/home/a=b", "/home/a=bc/a.c" };
      g_autoptr (CsSourceMap) map = cs_source_map_new ();
      g_autofree char *mapped = NULL;

      cs_source_map_add_folder (map, "/home/a=b/");
      mapped = cs_source_map_apply (map, paths[i]);
      g_assert_cmpstr (mapped, ==, i == 0 ? "src/a.c" : NULL);
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (cs_source_map_add (none, wrong[i], &error));
      g_assert_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_FORMAT);
    }
}

/* Programs that answer in odd ways: a shell's script, whether it answers, and the name. */
static void
test_addr2line_answers (void)
{
  static const struct
  {
    const char *script;
    gboolean answers;
    const char *name, *file;
    guint line;
    const char *notice;
  } cases[] = {
    { "read a; read b; echo 0x1000; echo f; echo /a.c:7; echo 0xffffffffffffffff; echo '?\?'; echo '?\?:0'; read c",
      TRUE, "f", "/a.c", 7, NULL },
    { "read a; read b; echo 0x1000; echo in; echo '/a.h:3 (discriminator 2)'; echo out; echo /a.c:9:12; "
      "echo 0xffffffff; echo '?\?'; echo '?\?:0'; read c",
      TRUE, "out", "/a.h", 3, NULL },
    { "read a; read b; echo 0x1000; echo f; echo '/with:colon.c:?'; echo 0xffffffffffffffff; echo _end; echo '?\?:0'",
      TRUE, "f", "/with:colon.c", 0, NULL },
    { "read a; read b; echo 0x1000; echo '?\?'; echo '?\?:?'; echo 0xffffffffffffffff; echo '?\?'; echo '?\?:0'", TRUE, NULL,
      NULL, 0, NULL },
    { "read a; read b; echo 0x1000; echo _Z1fi; echo /a.c:1; echo 0xffffffffffffffff; echo '?\?'; echo '?\?:0'; read c", TRUE,
      "f(int)", "/a.c", 1, NULL },
    { "exit 1", FALSE, NULL, NULL, 0, "ended without an answer" },
    { "echo no such format >&2; exit 1", FALSE, NULL, NULL, 0, "no such format" },
    { "read a; read b; echo 0x2000; echo f; echo /a.c:7; read c", FALSE, NULL, NULL, 0, "begins with" },
    { "echo hello; read a", FALSE, NULL, NULL, 0, "begins with" },
    { "read a; read b; echo 0x1000; echo f; exit 0", FALSE, NULL, NULL, 0, "ended" },
    { "read a; read b; echo 0x1000; echo 0xffffffffffffffff; echo '?\?'; echo '?\?:0'; read c", FALSE, NULL, NULL, 0, "empty" },
    { "echo 0x1000; while :; do echo x; done", FALSE, NULL, NULL, 0, "no end" },
    { "echo 0x1000; exec tr '\\000' x </dev/zero", FALSE, NULL, NULL, 0, "other text" },
    { "while :; do echo x >&2 || exit; done", FALSE, NULL, NULL, 0, "no answer" },
    { "exec sleep 60", FALSE, NULL, NULL, 0, "no answer" },
    { "exec >&-; exec sleep 60", FALSE, NULL, NULL, 0, "ended" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *quoted = g_shell_quote (cases[i].script);
      g_autofree char *command = g_strdup_printf ("sh -c %s sh", quoted);
      g_autoptr (GError) error = NULL;
      g_autoptr (CsAddr2line) addr2line = cs_addr2line_new (command, &error);
      g_autofree char *notice = NULL;
      CsSymbol symbol;

      g_assert_no_error (error);
      cs_addr2line_set_timeout (addr2line, cases[i].notice != NULL && g_str_equal (cases[i].notice, "no answer") ? 300 : 20000);
      g_assert_cmpint (cs_addr2line_lookup (addr2line, "/some/file", 0x1000, &symbol), ==, cases[i].answers);
      g_assert_cmpstr (symbol.name, ==, cases[i].name);
      g_assert_cmpstr (symbol.file, ==, cases[i].file);
      g_assert_cmpuint (symbol.line, ==, cases[i].line);
      notice = cs_addr2line_dup_notice (addr2line);
      g_assert_cmpint (notice != NULL, ==, !cases[i].answers);
      if (notice != NULL && strstr (notice, cases[i].notice) == NULL)
        g_error ("%s: %s", cases[i].script, notice);
    }
}

static void
test_addr2line_commands (void)
{
  static const char *const wrong[] = { "", "  ", "'unclosed", "no-such-program-there", "/no/such/program -x" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (cs_addr2line_new (wrong[i], &error));
      g_assert_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_OPEN);
    }
}

/* What a manifest may lead to, and what it may not. */
static void
test_bundle_manifest (void)
{
  static const char manifest[] =
      "CALLSIGHT-BUNDLE 1\n"
      "unknown words are ignored\n"
      "debug of/no/module\n"
      "module aabb modules/0/a\\040b /where it/was\\n\n"
      "debug debug/0/x\n"
      "module - modules/1/c /plain\n"
      "module ccdd /etc/passwd /absolute\n"
      "module ccdd ../../etc/passwd /above\n"
      "module ccdd modules/../../etc/passwd /above\n"
      "module ccdd\n"
      "module\n"
      "source sources/0/a.c /src/a.c\n"
      "source sources/1/odd\\ /src/odd\n"
      "source sources/2/cut /src/cut";
  g_autofree char *folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, CS_BUNDLE_FILE, NULL);
  g_autofree char *inside = g_build_filename (folder, "modules/0/a b", NULL);
  static const char *const bad[] = { "CALLSIGHT-BUNDLE 2\n", "CALLSIGHT-BUNDLE x\n", "CALLSIGHT-BUNDLE \n" };
  const CsBundleModule *module;
  g_autoptr (CsBundle) bundle = NULL;

  g_assert_false (cs_bundle_is_one (folder));
  g_assert_true (g_file_set_contents (path, "some other file\n", -1, NULL));
  g_assert_false (cs_bundle_is_one (folder));
  g_assert_true (g_file_set_contents (path, manifest, -1, NULL));
  g_assert_true (cs_bundle_is_one (folder));
  bundle = cs_bundle_open (folder, NULL);
  g_assert_nonnull (bundle);

  module = cs_bundle_find_module (bundle, "/elsewhere", "aabb");
  g_assert_nonnull (module);
  g_assert_cmpstr (module->recorded, ==, "/where it/was\n");
  g_assert_cmpstr (module->path, ==, inside);
  g_assert_true (g_str_has_suffix (module->debug_path, "/debug/0/x"));
  g_assert_null (cs_bundle_find_module (bundle, "/where it/was\n", "eeff"));
  module = cs_bundle_find_module (bundle, "/plain", NULL);
  g_assert_nonnull (module);
  g_assert_null (module->build_id);
  g_assert_null (cs_bundle_find_module (bundle, "/absolute", "ccdd"));
  g_assert_null (cs_bundle_find_module (bundle, "/above", "ccdd"));
  g_assert_nonnull (cs_bundle_find_source (bundle, "/src/a.c"));
  g_assert_null (cs_bundle_find_source (bundle, "/src/odd"));
  g_assert_null (cs_bundle_find_source (bundle, "/src/cut"));

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (path, bad[i], -1, NULL));
      g_assert_true (cs_bundle_is_one (folder));
      g_assert_null (cs_bundle_open (folder, &error));
      g_assert_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_FORMAT);
    }
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Any path comes back as it was, last on its line or not. */
static void
test_bundle_escapes (void)
{
  static const char *const paths[] = { "plain", "with space", "\"quoted\"", "back\\slash\\", "new\nline", "tab\t", "ü…",
                                       "\xff\x01", "\\040", "%s" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *word = cs_bundle_escape (paths[i], FALSE);
      g_autofree char *last = cs_bundle_escape (paths[i], TRUE);
      g_autofree char *word_back = g_strcompress (word);
      g_autofree char *last_back = g_strcompress (last);

      g_assert_cmpstr (word_back, ==, paths[i]);
      g_assert_cmpstr (last_back, ==, paths[i]);
      g_assert_null (strpbrk (word, " \n"));
      g_assert_null (strchr (last, '\n'));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/names/collapse", test_collapse);
  g_test_add_func ("/names/strip", test_strip);
  g_test_add_func ("/names/collapse-odd", test_collapse_odd);
  g_test_add_func ("/names/collapse-large", test_collapse_large);
  g_test_add_func ("/names/source-map", test_source_map);
  g_test_add_func ("/names/addr2line-answers", test_addr2line_answers);
  g_test_add_func ("/names/addr2line-commands", test_addr2line_commands);
  g_test_add_func ("/names/bundle-manifest", test_bundle_manifest);
  g_test_add_func ("/names/bundle-escapes", test_bundle_escapes);
  return g_test_run ();
}
