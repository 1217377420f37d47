/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "selection/cs-function-name.h"
#include "selection/cs-line-text.h"
#include "selection/cs-selection-file.h"

/* Spellings of one function, as demanglers, gcc and scans write it. */
static const struct
{
  const char *name;
  const char *reduced;
  const char *enclosing;
} names[] = {
  { "main", "main", NULL },
  { "parse.constprop.0", "parse", NULL },
  { "parse.part.0.cold", "parse", NULL },
  { "parse.isra.0.constprop.1", "parse", NULL },
  { "inner.0", "inner", NULL },
  { "net::Ring<int>::push(int)", "net::Ring::push", NULL },
  { "net::Ring<>::push", "net::Ring::push", NULL },
  { "net::Ring<std::vector<int, std::allocator<int> > >::push(int) const", "net::Ring::push", NULL },
  { "net::parse(char const*, ...) [clone .constprop.0]", "net::parse", NULL },
  { "ns::Ring::~Ring()", "ns::Ring::~Ring", NULL },
  { "(anonymous namespace)::f(int)", "{anonymous}::f", NULL },
  { "ns::(anonymous namespace)::C::m() const &", "ns::{anonymous}::C::m", NULL },
  { "{anonymous}::f", "{anonymous}::f", NULL },
  { "int gt<int>(int)", "gt", NULL },
  { "gt<int>", "gt", NULL },
  { "unsigned long ns::gt<unsigned long, 3>(std::pair<int, long>)", "ns::gt", NULL },
  { "std::vector<int> ns::make<int>(int)", "ns::make", NULL },
  { "decltype ((x)+(y)) ns::sum<int, int>(int, int)", "ns::sum", NULL },
  { "decltype(auto) g<int>(int)", "g", NULL },
  { "auto g<int>(int) requires C<int>", "g", NULL },
  { "void (*pick<int>(int))(int)", "pick", NULL },
  { "char const* const& name<int>(int)", "name", NULL },
  { "get[abi:cxx11]()", "get", NULL },
  { "S::get[abi:cxx11]() const", "S::get", NULL },
  { "f(bool, std::enable_if<((1)>(2)), int>::type)", "f", NULL },
  { "box<((3)>(2))>::get()", "box::get", NULL },
  { "box<&ns::operator<, 3>::get()", "box::get", NULL },
  { "box<&S::operator->>::get()", "box::get", NULL },
  { "box<int (*)(int)>::get()", "box::get", NULL },

  { "operator<(T const&, T const&)", "operator<", NULL },
  { "ns::S::operator<<(int)", "ns::S::operator<<", NULL },
  { "ns::S::operator<=>(ns::S const&) const", "ns::S::operator<=>", NULL },
  { "bool operator< <int>(box<int>, box<int>)", "operator<", NULL },
  { "std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char)", "std::operator<<", NULL },
  { "bool operator><int>(box<int>)", "operator>", NULL },
  { "bool operator<<int>(box<int>)", "operator<", NULL },
  { "bool operator<<<int>(box<int>)", "operator<<", NULL },
  { "bool operator>=<int>(box<int>)", "operator>=", NULL },
  { "auto operator<=><int>(box<int>)", "operator<=>", NULL },
  { "box<int>& operator>>=<int>(box<int>&)", "operator>>=", NULL },
  { "ptr<int>::operator->() const", "ptr::operator->", NULL },
  { "ptr<int>::operator->*<box<int> >(box<int>)", "ptr::operator->*", NULL },
  { "int call<int>::operator()<long>(long)", "call::operator()", NULL },
  { "call::operator()(int)::Local::m(int)", "call::operator()::Local::m", "call::operator()" },
  { "int call::operator[]<long>(long)", "call::operator[]", NULL },
  { "S::operator std::vector<int>()", "S::operatorstd::vector", NULL },
  { "S::operator bool() const", "S::operatorbool", NULL },
  { "S::operator bool", "S::operatorbool", NULL },
  { "S::operator char const*() const", "S::operatorcharconst*", NULL },
  { "operator new[](unsigned long)", "operatornew[]", NULL },
  { "operator\"\" _x(char const*)", "operator\"\"_x", NULL },
  { "operator \"\" _x", "operator\"\"_x", NULL },
  { "operator ==", "operator==", NULL },
  { "my_operator<int>(int)", "my_operator", NULL },
  { "operators(int)", "operators", NULL },

  { "main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()", "main" },
  { "f<int>(int)::{lambda(std::vector<int>)#2}::operator()(int) const",
    "f::{lambda(std::vector<int>)#2}::operator()", "f" },
  { "auto f(int)::{lambda(auto:1, ...)#1}::operator()<int>(int) const", "f::{lambda(auto:1,...)#1}::operator()",
    "f" },
  { "ns::f(int) const::Local::m(int)", "ns::f::Local::m", "ns::f" },
  { "f(int)::{lambda()#1}::operator()() const::{lambda()#1}::_FUN()",
    "f::{lambda()#1}::operator()::{lambda()#1}::_FUN", "f" },

  /* Nothing that is lost. */
  { "", "", NULL },
  { "(", "(", NULL },
  { "<", "<", NULL },
  { ")", ")", NULL },
  { "f(", "f", NULL },
  { "f<", "f", NULL },
  { "\xff\xfe", "\xff\xfe", NULL },
};

static void
test_names (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *enclosing = NULL;
      g_autofree char *reduced = cs_function_name_reduce (names[i].name, &enclosing);

      g_assert_cmpstr (reduced, ==, names[i].reduced);
      g_assert_cmpstr (enclosing, ==, names[i].enclosing);
    }
}

/* Any text comes back, in time that is in proportion to its length. */
static void
test_names_odd (void)
{
  static const char *const pieces[] = { "<",        ">", "<<", "->",       "(",         ")",          "{",  "}",
                                        "[",        "]", ",",  " ",        "a",         "operator",   "::", "operator<",
                                        "decltype", "*", "&",  "{lambda(", " requires ", "[abi:x]", ".",  " [clone" };
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint round = 0; round < 10000; round++)
    {
      g_autoptr (GString) name = g_string_new (NULL);
      g_autofree char *enclosing = NULL;
      g_autofree char *reduced = NULL;
      guint n = g_rand_int_range (random, 0, 24);

      for (guint i = 0; i < n; i++)
        g_string_append (name, pieces[g_rand_int_range (random, 0, G_N_ELEMENTS (pieces))]);
      reduced = cs_function_name_reduce (name->str, &enclosing);
      g_assert_cmpuint (strlen (reduced), <=, name->len + strlen ("{anonymous}"));
      g_assert_true (enclosing == NULL || g_str_has_prefix (reduced, enclosing) || strchr (enclosing, '.') != NULL);
    }
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr (GString) name = g_string_new (NULL);
      g_autofree char *reduced = NULL;

      while (name->len < 256 * 1024)
        g_string_append (name, pieces[i]);
      reduced = cs_function_name_reduce (name->str, NULL);
      g_assert_cmpuint (strlen (reduced), <=, name->len);
    }
}

static char *folder;

static char *
path_of (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
write_bytes (const char *name, const char *text, gssize length)
{
  g_autofree char *path = path_of (name);
  g_autoptr (GError) error = NULL;

  g_file_set_contents_full (path, text, length, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error);
  g_assert_no_error (error);
}

static CsSelectionFile *
load_text (const char *text)
{
  g_autofree char *path = path_of ("selection");
  g_autoptr (GError) error = NULL;
  CsSelectionFile *file;

  write_bytes ("selection", text, -1);
  file = cs_selection_file_load (path, &error);
  g_assert_no_error (error);
  g_assert_nonnull (file);
  return file;
}

#define HEAD                                                                                                         \
  "CALLSIGHT-SELECTION 1\n"                                                                                          \
  "root /home/me/project\n"                                                                                          \
  "config 1764440000000000000 412 /home/me/project/trace.config\n"

#define EXAMPLE                                                                                                      \
  HEAD "runtime /home/me/project/callsight\n"                                                                        \
       "command /usr/bin/callsight-cli\n"                                                                            \
       "mirror /home/me/project/build-instr\n"                                                                       \
       "hooks before-inlining\n"                                                                                     \
       "functions refuse\n"                                                                                          \
       "inlining yes\n"                                                                                              \
       "headers 1\n"                                                                                                 \
       "exclude-func log_printf\n"                                                                                   \
       "files\n"                                                                                                     \
       "- 1764430000000000000 812 include/log.h\n"                                                                   \
       "\t-log_level\n"                                                                                              \
       "- 0 0 lib/util.c\n"                                                                                          \
       "+ 0 0 odd\\tna\\x22me\\\\\\n.c\n"                                                                            \
       "\t+odd\n"                                                                                                    \
       "% 1764430000000000000 3391 src/net/parse.c\n"                                                                \
       "\t+parse_header\n"                                                                                           \
       "\t-parse_line\n"                                                                                             \
       "+ 1764430000000000000 9120 src/net/ring.cpp\n"                                                               \
       "\t+net::Ring::push\n"                                                                                        \
       "\t+net::Ring<>::pop\n"                                                                                       \
       "\t+{anonymous}::grow\n"                                                                                      \
       "- 1764430000000000000 99 src/util.c\n"

static void
test_read (void)
{
  g_autoptr (CsSelectionFile) file = load_text (EXAMPLE);
  const CsSelectionFileOptions *options = cs_selection_file_get_options (file);
  const CsSelectionFileEntry *entries;
  gsize n;

  g_assert_cmpstr (cs_selection_file_get_root (file), ==, "/home/me/project");
  g_assert_cmpstr (cs_selection_file_get_config (file), ==, "/home/me/project/trace.config");
  g_assert_cmpstr (options->runtime, ==, "/home/me/project/callsight");
  g_assert_cmpstr (options->command, ==, "/usr/bin/callsight-cli");
  g_assert_cmpstr (options->mirrors[0], ==, "/home/me/project/build-instr");
  g_assert_null (options->mirrors[1]);
  g_assert_false (options->after_inlining || options->widen || options->no_inline);

  entries = cs_selection_file_get_entries (file, &n);
  g_assert_cmpuint (n, ==, 6);
  g_assert_cmpstr (entries[2].path, ==, "odd\tna\"me\\\n.c");
  g_assert_cmpuint (entries[3].choice, ==, CS_FILE_PARTLY_CHOSEN);
  g_assert_cmpuint (entries[3].n_functions, ==, 2);
  g_assert_cmpstr (entries[3].functions[1].name, ==, "parse_line");
  g_assert_false (entries[3].functions[1].chosen);
  g_assert_cmpint (entries[4].mtime_ns, ==, 1764430000000000000);
  g_assert_cmpuint (entries[4].size, ==, 9120);
  g_assert_cmpuint (entries[5].n_functions, ==, 0);
}

static void
test_read_other (void)
{
  g_autoptr (CsSelectionFile) file = load_text (HEAD "hooks after-inlining\nfunctions widen\ninlining no\n"
                                                     "later words of any kind\nalone\nfiles\n");
  const CsSelectionFileOptions *options = cs_selection_file_get_options (file);
  gsize n;

  g_assert_true (options->after_inlining && options->widen && options->no_inline);
  g_assert_null (options->runtime);
  g_assert_null (options->mirrors[0]);
  cs_selection_file_get_entries (file, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpuint (cs_selection_file_get_choice (file, "a.c", "f"), ==, CS_CHOICE_UNKNOWN);
  g_assert_true (cs_selection_file_is_stale (file));
}

/* Files may be older than the epoch. */
static void
test_read_before_1970 (void)
{
  g_autoptr (CsSelectionFile) file = load_text ("CALLSIGHT-SELECTION 1\nroot /p\nconfig -1500000000 3 /p/trace.config\n"
                                                "files\n% -1 7 a.c\n\t+f\n");
  const CsSelectionFileEntry *entries;
  gsize n;

  entries = cs_selection_file_get_entries (file, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (entries[0].mtime_ns, ==, -1);
  g_assert_cmpuint (entries[0].size, ==, 7);
}

/* Each byte but NUL comes back, and the line stays one. */
static void
test_line_text (void)
{
  static const char *const wrong[] = { "a\\", "\\q", "\\x", "\\x1", "\\x1g", "\\x00", "a\\x0" };
  g_autoptr (GString) line = g_string_new ("key ");
  char bytes[256];

  for (guint i = 0; i < 255; i++)
    bytes[i] = (char) (i + 1);
  bytes[255] = '\0';
  cs_line_text_append (line, bytes);
  g_assert_true (g_str_has_prefix (line->str, "key \\x01\\x02"));
  for (const char *p = line->str; *p != '\0'; p++)
    g_assert_true ((guchar) *p >= ' ' && *p != '\177');
  g_assert_true (cs_line_text_read (line->str + 4));
  g_assert_cmpstr (line->str + 4, ==, bytes);
  g_string_assign (line, "");
  cs_line_text_append (line, "");
  cs_line_text_append (line, "src/plain.c");
  cs_line_text_append (line, "\n\\");
  g_assert_cmpstr (line->str, ==, "src/plain.c\\n\\\\");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *text = g_strdup (wrong[i]);

      g_assert_false (cs_line_text_read (text));
    }
}

static void
test_choice (void)
{
  static const struct
  {
    const char *path, *function;
    CsChoice choice;
  } cases[] = {
    { "/home/me/project/src/net/parse.c", "parse_header", CS_CHOICE_YES },
    { "/home/me/project/src/net/parse.c", "parse_line.part.0", CS_CHOICE_NO },
    { "/home/me/project/src/net/../net/./parse.c", "parse_line", CS_CHOICE_NO },
    { "/home/me/project/build-instr/src/net/parse.c", "parse_line", CS_CHOICE_NO },
    { "src/net/parse.c", "parse_line", CS_CHOICE_NO },
    { "../src/net/parse.c", "parse_header", CS_CHOICE_YES },
    { "./parse.c", "parse_header", CS_CHOICE_YES },
    { "net/parse.c", "parse_line", CS_CHOICE_NO },
    { "/srv/other/src/net/parse.c", "parse_header", CS_CHOICE_YES },
    { "/srv/other/net/parse.c", "parse_header", CS_CHOICE_YES },
    { "/srv/other/other/parse.c", "parse_header", CS_CHOICE_UNKNOWN },
    { "/home/me/project/other/parse.c", "parse_header", CS_CHOICE_UNKNOWN },
    { "/home/me/project/src/net/parse.c", "made_by_macro", CS_CHOICE_UNKNOWN },
    { "/home/me/project/src/net/ring.cpp", "made_by_macro", CS_CHOICE_YES },
    { "/home/me/project/src/util.c", "anything", CS_CHOICE_NO },
    { "util.c", "anything", CS_CHOICE_UNKNOWN }, /* there are two */
    { "/srv/other/src/util.c", "anything", CS_CHOICE_NO },
    { "/srv/other/util.c", "anything", CS_CHOICE_UNKNOWN },
    { "til.c", "anything", CS_CHOICE_UNKNOWN },
    { "/usr/include/log.h", "log_level", CS_CHOICE_NO },
    { "/usr/share/log.h", "log_level", CS_CHOICE_UNKNOWN },
    { "src/net/ring.cpp", "net::Ring<int>::pop() [clone .isra.0]", CS_CHOICE_YES },
    { "src/net/ring.cpp", "(anonymous namespace)::grow(int)", CS_CHOICE_YES },
    { "src/net/parse.c", "parse_header(int)::{lambda(int)#1}::operator()(int) const", CS_CHOICE_YES },
    { "src/net/parse.c", "parse_line(int)::Local::get()", CS_CHOICE_NO },
    { "/home/me/project", "f", CS_CHOICE_UNKNOWN },
    { "/home/me/projects/src/util.c", "f", CS_CHOICE_NO },
    { "", "f", CS_CHOICE_UNKNOWN },
    { "/", "", CS_CHOICE_UNKNOWN },
    { "..", "", CS_CHOICE_UNKNOWN },
  };
  g_autoptr (CsSelectionFile) file = load_text (EXAMPLE);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      CsChoice choice = cs_selection_file_get_choice (file, cases[i].path, cases[i].function);

      if (choice != cases[i].choice)
        g_error ("%s in %s: %u, not %u", cases[i].function, cases[i].path, choice, cases[i].choice);
    }
}

/* Equal names of one file: overloads, and classes told apart by template arguments alone. */
static void
test_choice_equal (void)
{
  g_autoptr (CsSelectionFile) file = load_text (HEAD "files\n% 0 0 a.cc\n\t-f<int>\n\t+f\n\t-g\n\t-g<int>\n");

  g_assert_cmpuint (cs_selection_file_get_choice (file, "a.cc", "f(int)"), ==, CS_CHOICE_YES);
  g_assert_cmpuint (cs_selection_file_get_choice (file, "a.cc", "int g<int>(int)"), ==, CS_CHOICE_NO);
}

static gint64
stamp_of (const char *name, guint64 *size)
{
  g_autofree char *path = path_of (name);
  struct stat info;

  g_assert_cmpint (stat (path, &info), ==, 0);
  *size = (guint64) info.st_size;
  return (gint64) info.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + info.st_mtim.tv_nsec;
}

static void
set_mtime (const char *name, gint64 seconds)
{
  g_autofree char *path = path_of (name);
  struct timespec times[2] = { { seconds, 5 }, { seconds, 5 } };

  g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
}

static void
test_stale (void)
{
  g_autoptr (CsSelectionFile) file = NULL;
  g_autofree char *text = NULL;
  guint64 config, partly;
  gint64 config_ns, partly_ns;

  write_bytes ("trace.config", "exclude-func f\n", -1);
  write_bytes ("partly.c", "int f; ", -1);
  write_bytes ("whole.c", "int g;", -1);
  config_ns = stamp_of ("trace.config", &config);
  partly_ns = stamp_of ("partly.c", &partly);
  text = g_strdup_printf ("CALLSIGHT-SELECTION 1\nroot %s\nconfig %" G_GINT64_FORMAT " %" G_GUINT64_FORMAT
                          " %s/trace.config\nfiles\n%% %" G_GINT64_FORMAT " %" G_GUINT64_FORMAT " partly.c\n\t-f\n"
                          "%% 0 0 untold.c\n+ 1 1 whole.c\n\t+g\n",
                          folder, config_ns, config, folder, partly_ns, partly);
  file = load_text (text);
  g_assert_false (cs_selection_file_is_stale (file));

  set_mtime ("trace.config", 1000);
  g_assert_true (cs_selection_file_is_stale (file));
  set_mtime ("trace.config", config_ns / 1000000000);
  g_assert_true (cs_selection_file_is_stale (file)); /* the same second isn't enough */

  g_clear_pointer (&file, cs_selection_file_free);
  g_clear_pointer (&text, g_free);
  text = g_strdup_printf ("CALLSIGHT-SELECTION 1\nroot %s\nconfig 1000000000005 %" G_GUINT64_FORMAT
                          " %s/trace.config\nfiles\n%% 2000000000005 %" G_GUINT64_FORMAT " partly.c\n",
                          folder, config, folder, partly);
  set_mtime ("trace.config", 1000);
  set_mtime ("partly.c", 2000);
  file = load_text (text);
  g_assert_false (cs_selection_file_is_stale (file));
  write_bytes ("partly.c", "int f;  ", -1);
  set_mtime ("partly.c", 2000);
  g_assert_true (cs_selection_file_is_stale (file)); /* the same time, another size */
}

static const struct
{
  const char *before, *after;
  const char *differing; /* separated by blanks */
  gboolean all;
} comparisons[] = {
  { HEAD "files\n", HEAD "files\n", "", FALSE },
  { HEAD "files\n+ 1 1 a.c\n\t+f\n", HEAD "files\n+ 2 9 a.c\n\t+f\n", "", FALSE },
  { HEAD "files\n+ 1 1 a.c\n\t+f\n- 1 1 b.c\n- 1 1 c.c\n",
    HEAD "files\n- 1 1 a.c\n+ 1 1 b.c\n\t+g\n- 1 1 c.c\n", "a.c b.c", FALSE },
  { HEAD "files\n% 1 1 a.c\n\t+f\n\t-g\n", HEAD "files\n% 1 1 a.c\n\t-f\n\t+g\n", "a.c", FALSE },
  { HEAD "files\n% 1 1 a.c\n\t+f\n\t-g\n", HEAD "files\n% 1 1 a.c\n\t+f\n\t-h\n", "a.c", FALSE },
  { HEAD "files\n+ 1 1 a.c\n\t+f\n", HEAD "files\n% 1 1 a.c\n\t+f\n", "a.c", FALSE },
  /* Files that are new or gone. */
  { HEAD "files\n- 1 1 b.c\n", HEAD "files\n- 1 1 a.c\n- 1 1 b.c\n+ 1 1 c.c\n\t+f\n", "c.c", FALSE },
  { HEAD "files\n- 1 1 a.c\n+ 1 1 b.c\n\t+f\n", HEAD "files\n", "b.c", FALSE },
  { HEAD "files\n", HEAD "files\n- 1 1 a.h\n", "", FALSE },
  { HEAD "files\n", HEAD "files\n+ 1 1 a.h\n\t+f\n", "", TRUE },
  /* Headers. */
  { HEAD "files\n- 1 1 a.h\n\t-f\n", HEAD "files\n+ 1 1 a.h\n\t+f\n", "", TRUE },
  { HEAD "files\n- 1 1 a.h\n\t-f\n", HEAD "files\n+ 2 1 a.h\n\t+f\n", "", TRUE },
  { HEAD "files\n% 1 1 a.hpp\n\t-f\n\t+g\n", HEAD "files\n% 1 1 a.hpp\n\t+f\n\t-g\n", "", TRUE },
  { HEAD "files\n- 1 1 a.h\n\t-f\n", HEAD "files\n- 2 1 a.h\n\t-f\n\t-g\n", "", FALSE },
  { HEAD "files\n+ 1 1 a.h\n\t+f\n", HEAD "files\n+ 1 2 a.h\n\t+f\n\t+g\n", "", FALSE },
  { HEAD "files\n+ 0 0 a.h\n\t+f\n", HEAD "files\n+ 1 2 a.h\n\t+f\n\t+g\n", "", TRUE },
  /* Heads. */
  { HEAD "files\n", HEAD "hooks after-inlining\nfiles\n", "", TRUE },
  { HEAD "hooks before-inlining\nfiles\n", HEAD "files\n", "", FALSE },
  { HEAD "files\n", HEAD "functions widen\nfiles\n", "", TRUE },
  { HEAD "files\n", HEAD "inlining no\nfiles\n", "", TRUE },
  { HEAD "files\n", HEAD "exclude-func f\nfiles\n", "", TRUE },
  { HEAD "exclude-func g\nfiles\n", HEAD "exclude-func f\nfiles\n", "", TRUE },
  { HEAD "runtime /a\nfiles\n", HEAD "runtime /b\nfiles\n", "", TRUE },
  { HEAD "command /a\nmirror /x\nheaders 2\nfiles\n", HEAD "command /b\nmirror /y\nfiles\n", "", FALSE },
};

static void
test_compare (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (comparisons); i++)
    {
      g_autoptr (CsSelectionFile) before = load_text (comparisons[i].before);
      g_autoptr (CsSelectionFile) after = load_text (comparisons[i].after);
      g_autoptr (GPtrArray) paths = NULL;
      g_autofree char *joined = NULL;
      gboolean all = TRUE;

      paths = cs_selection_file_compare (before, after, &all);
      g_ptr_array_add (paths, NULL);
      joined = g_strjoinv (" ", (char **) paths->pdata);
      g_test_message ("comparison %u", i);
      g_assert_cmpstr (joined, ==, comparisons[i].differing);
      g_assert_cmpint (all, ==, comparisons[i].all);
    }
}

static const struct
{
  const char *text;
  gssize length; /* 0: up to the NUL */
  const char *message; /* what the message holds */
} wrong[] = {
  { "", 0, "selection:1: this is no selection file" },
  { "\n", 0, "selection:1: this is no selection file" },
  { "CALLSIGHT-SELECTION 2\n", 0, "selection:1: a selection file of another version" },
  { "CALLSIGHT-SELECTION 1", 0, "selection:1: the file is cut short" },
  { "CALLSIGHT-SELECTION 1\n", 0, "selection:2: the file is cut short" },
  { HEAD, 0, "selection:4: the file is cut short" },
  { "CALLSIGHT-SELECTION 1\nroot /a\nfiles\n", 0, "selection:3: root or config is missing" },
  { "CALLSIGHT-SELECTION 1\nroot a\n", 0, "selection:2: root must be an absolute path" },
  { "CALLSIGHT-SELECTION 1\nconfig 1 x\n", 0, "selection:2: config must be time, size and path" },
  { "CALLSIGHT-SELECTION 1\nconfig 1 99999999999999999999 x\n", 0, "selection:2: config must be" },
  { "CALLSIGHT-SELECTION 1\nconfig 9999999999999999999 1 x\n", 0, "selection:2: config must be" },
  { "CALLSIGHT-SELECTION 1\nconfig --1 1 x\n", 0, "selection:2: config must be" },
  { HEAD "hooks between\n", 0, "selection:4: hooks must be before-inlining or after-inlining" },
  { HEAD "mirror /a\\q\n", 0, "selection:4: an escape that there is not" },
  { HEAD "mirror /a\\\n", 0, "selection:4: an escape that there is not" },
  { HEAD "mirror /a\\x4\n", 0, "selection:4: an escape that there is not" },
  { HEAD "mirror /a\\x00\n", 0, "selection:4: an escape that there is not" },
  { HEAD "mirror /a\0b\nfiles\n", sizeof HEAD + 18, "selection:4: a NUL byte" },
  { HEAD "files\n\t+f\n", 0, "selection:5: a function before any file" },
  { HEAD "files\n+ 1 1 a.c\n\t*f\n", 0, "selection:6: no function's line" },
  { HEAD "files\n+ 1 1 a.c\n\t+\n", 0, "selection:6: no function's line" },
  { HEAD "files\n+ 1 1 a.c\n\t\n", 0, "selection:6: no function's line" },
  { HEAD "files\n+ 1 1 a.c\n\n", 0, "selection:6: no file's line" },
  { HEAD "files\n+ 1 1 \n", 0, "selection:5: no file's line" },
  { HEAD "files\n+ 1 1\n", 0, "selection:5: no file's line" },
  { HEAD "files\n? 1 1 a.c\n", 0, "selection:5: no file's line" },
  { HEAD "files\n+1 1 a.c\n", 0, "selection:5: no file's line" },
  { HEAD "files\n+ 1 1 b.c\n+ 1 1 a.c\n", 0, "selection:6: files must be in the order of their paths" },
  { HEAD "files\n+ 1 1 a.c\n+ 1 1 a.c\n", 0, "selection:6: files must be in the order of their paths" },
  { HEAD "files\n+ 1 1 a.c\n\t+f", 0, "selection:6: the file is cut short" },
};

static void
test_wrong (void)
{
  g_autofree char *path = path_of ("selection");

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      write_bytes ("selection", wrong[i].text, wrong[i].length != 0 ? wrong[i].length : -1);
      g_assert_null (cs_selection_file_load (path, &error));
      g_assert_nonnull (error);
      g_assert_cmpint (error->code, ==, CS_SELECTION_ERROR_FILE);
      if (strstr (error->message, wrong[i].message) == NULL)
        g_error ("“%s” doesn't say “%s”", error->message, wrong[i].message);
    }
}

static void
test_no_file (void)
{
  static const char *const paths[] = { "/nowhere/selection", "/dev/null", "/dev/zero", "/" };
  g_autofree char *pipe = path_of ("pipe");

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (cs_selection_file_load (paths[i], &error));
      g_assert_nonnull (strstr (error->message, paths[i]));
    }
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_null (cs_selection_file_load (pipe, NULL));
}

/* Any change of a byte gives a file or a message. */
static void
test_damaged (void)
{
  g_autofree char *path = path_of ("selection");
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autofree char *text = g_malloc (sizeof EXAMPLE);

  for (guint round = 0; round < 1000; round++)
    {
      g_autoptr (CsSelectionFile) file = NULL;
      g_autoptr (GError) error = NULL;
      gsize length = (gsize) g_rand_int_range (random, 0, sizeof EXAMPLE);

      memcpy (text, EXAMPLE, sizeof EXAMPLE);
      for (guint i = 0; i < 2; i++)
        text[g_rand_int_range (random, 0, sizeof EXAMPLE - 1)] =
          "\t\n \\+-%x0"[g_rand_int_range (random, 0, 10)];
      write_bytes ("selection", text, (gssize) (round % 2 == 0 ? length : sizeof EXAMPLE - 1));
      file = cs_selection_file_load (path, &error);
      g_assert_true ((file == NULL) == (error != NULL));
      if (file != NULL)
        cs_selection_file_get_choice (file, "src/net/ring.cpp", "net::Ring::push");
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("callsight-XXXXXX", NULL);
  g_assert_nonnull (folder);
  g_test_add_func ("/selection-file/names", test_names);
  g_test_add_func ("/selection-file/names/odd", test_names_odd);
  g_test_add_func ("/selection-file/read", test_read);
  g_test_add_func ("/selection-file/read/other", test_read_other);
  g_test_add_func ("/selection-file/read/before-1970", test_read_before_1970);
  g_test_add_func ("/selection-file/line-text", test_line_text);
  g_test_add_func ("/selection-file/choice", test_choice);
  g_test_add_func ("/selection-file/choice/equal", test_choice_equal);
  g_test_add_func ("/selection-file/stale", test_stale);
  g_test_add_func ("/selection-file/compare", test_compare);
  g_test_add_func ("/selection-file/wrong", test_wrong);
  g_test_add_func ("/selection-file/no-file", test_no_file);
  g_test_add_func ("/selection-file/damaged", test_damaged);
  status = g_test_run ();

  for (guint i = 0; i < 6; i++)
    {
      static const char *const left[] = { "selection", "trace.config", "partly.c", "whole.c", "pipe", "" };
      g_autofree char *path = path_of (left[i]);

      g_remove (path);
    }
  g_free (folder);
  return status;
}
