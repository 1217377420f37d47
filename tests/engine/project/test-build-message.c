/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "project/cs-build-message.h"

typedef struct
{
  char *project;
  GString *lines;    /* each line as it is shown, with a newline; "+" before the rest of a line that was cut */
  GString *messages; /* a line each: severity|file, relative to the project|line|column|link|text */
  guint64 number, offset;
} Fixture;

static void
take_line (const CsBuildLine *line, const CsBuildMessage *message, gpointer data)
{
  Fixture *self = data;

  g_assert_cmpuint (line->number, ==, self->number);
  g_assert_cmpuint (line->offset, ==, self->offset);
  g_assert_cmpuint (line->length, ==, strlen (line->text));
  g_assert_true (g_utf8_validate (line->text, -1, NULL));
  g_assert_null (strpbrk (line->text, "\n\r\033"));
  self->number++;
  self->offset += line->length + 1;
  g_string_append_printf (self->lines, "%s%s\n", line->continued ? "+" : "", line->text);
  if (message == NULL)
    return;
  g_assert_cmpuint (message->link_start, <=, message->link_end);
  g_assert_cmpuint (message->link_end, <=, line->length);
  g_assert_true ((message->file != NULL) == (message->link_end > message->link_start));
  g_string_append_printf (self->messages, "%c|%s|%u|%u|%.*s|%s\n", "NWE"[message->severity],
                          message->file == NULL ? "-" : g_str_has_prefix (message->file, self->project)
                                                            ? message->file + strlen (self->project) + 1 : message->file,
                          message->line, message->column, (int) (message->link_end - message->link_start),
                          line->text + message->link_start, message->text);
}

static void
make_file (Fixture *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->project, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "", 0, NULL));
}

static const char *const files[] = { "a.c", "main.c", "src/a.c", "src/deep/b.c", "src/b.h", "with space.c", "ümlaut.c", "Makefile", "CMakeLists.txt",
                                     "sub/CMakeLists.txt", "meson.build", "sub/meson.build", "configure.s",
                                     "build/a.c", "build/src/a.c", "build/generated.c" };

static void
set_up (Fixture *self, gconstpointer data)
{
  self->project = g_dir_make_tmp ("callsight-log-XXXXXX", NULL);
  self->lines = g_string_new (NULL);
  self->messages = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    make_file (self, files[i]);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  static const char *const folders[] = { "src/deep", "src", "sub", "build/src", "build" };

  for (guint i = 0; i < G_N_ELEMENTS (files) + G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = g_build_filename (self->project, i < G_N_ELEMENTS (files) ? files[i] : folders[i - G_N_ELEMENTS (files)], NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (self->project), ==, 0);
  g_free (self->project);
  g_string_free (self->lines, TRUE);
  g_string_free (self->messages, TRUE);
}

static CsBuildMessages *
new_messages (Fixture *self)
{
  g_autofree char *build = g_build_filename (self->project, "build", NULL);

  g_string_truncate (self->lines, 0);
  g_string_truncate (self->messages, 0);
  self->number = self->offset = 0;
  return cs_build_messages_new (self->project, build, take_line, self);
}

/* Reads a log in pieces of so many bytes; "@" is the project folder. */
static void
read_log (Fixture *self, const char *log, gsize piece)
{
  g_autoptr (CsBuildMessages) messages = new_messages (self);
  g_auto (GStrv) parts = g_strsplit (log, "@", -1);
  g_autofree char *text = g_strjoinv (self->project, parts);
  gsize size = strlen (text);

  for (gsize i = 0; i < size; i += piece)
    cs_build_messages_push (messages, text + i, MIN (piece, size - i), FALSE);
  cs_build_messages_end (messages);
}

static const struct
{
  const char *log, *messages;
} cases[] = {
  /* gcc and clang */
  { "src/a.c:12:5: error: expected ‘;’ before ‘}’ token\n", "E|src/a.c|12|5|src/a.c:12:5|expected ‘;’ before ‘}’ token\n" },
  { "src/a.c:12: warning: no column\n", "W|src/a.c|12|0|src/a.c:12|no column\n" },
  { "@/src/a.c:1:10: fatal error: x.h: No such file or directory\n", "E|src/a.c|1|10|@/src/a.c:1:10|x.h: No such file or directory\n" },
  { "./src/../src/a.c:3:4: note: here\n", "N|src/a.c|3|4|./src/../src/a.c:3:4|here\n" },
  { "with space.c:7:1: warning: unused variable ‘x’ [-Wunused-variable]\n", "W|with space.c|7|1|with space.c:7:1|unused variable ‘x’ [-Wunused-variable]\n" },
  { "ümlaut.c:2:3: error: ä\n", "E|ümlaut.c|2|3|ümlaut.c:2:3|ä\n" },
  { "src/a.c: In function ‘main’:\nsrc/a.c:4:3: sorry, unimplemented: that\n", "E|src/a.c|4|3|src/a.c:4:3|that\n" },
  { "src/a.c:4:3: internal compiler error: Segmentation fault\n", "E|src/a.c|4|3|src/a.c:4:3|Segmentation fault\n" },
  { "In file included from src/b.h:3,\n                 from src/a.c:1:\n",
    "N|src/b.h|3|0|src/b.h:3|In file included from src/b.h:3,\nN|src/a.c|1|0|src/a.c:1|from src/a.c:1:\n" },
  { "src/a.c:9:2:   required from here\n", "N|src/a.c|9|2|src/a.c:9:2|required from here\n" },
  { "src/a.c:9:2: Fehler: »x« nicht deklariert\nsrc/a.c:9:2: Warnung: ja\nsrc/a.c:9:2: erreur : « x »\n",
    "E|src/a.c|9|2|src/a.c:9:2|»x« nicht deklariert\nW|src/a.c|9|2|src/a.c:9:2|ja\nE|src/a.c|9|2|src/a.c:9:2|« x »\n" },
  { "cc1: error: unrecognized command-line option ‘-Wx’\nclang: error: no such file or directory: 'x.c'\n",
    "E|-|0|0||unrecognized command-line option ‘-Wx’\nE|-|0|0||no such file or directory: 'x.c'\n" },
  { "configure.s: Assembler messages:\nconfigure.s:3: Error: no such instruction: `foo'\n", "E|configure.s|3|0|configure.s:3|no such instruction: `foo'\n" },
  { "gone.c:3:1: error: lost\n", "E|gone.c|3|1|gone.c:3:1|lost\n" },
  { "build/generated.c:3:1: error: made\n", "E|build/generated.c|3|1|build/generated.c:3:1|made\n" },
  { "@/build/src/a.c:3:1: error: a copy\n", "E|src/a.c|3|1|@/build/src/a.c:3:1|a copy\n" },
  { "generated.c:3:1: error: made\n", "E|build/generated.c|3|1|generated.c:3:1|made\n" },
  /* what is none */
  { "gcc -c -DX=1:2 src/a.c\n12:30:45: up\n[12:30:45] src/a.c\nhttp://x:80:90: y\n2 errors generated.\nerrors: none\n    5 | int x: 3;\nprog: a.c:12: main: Assertion `0' failed.\n"
    "ninja: Entering directory `build'\n[1/2] Compiling C object a.o\n[2/2] Linking target error\n\n::::\n:1:1: error\na:b\n", "" },
  /* ld and lld */
  { "/usr/bin/ld: /tmp/ccx.o: in function `main':\n@/src/a.c:12: undefined reference to `foo'\n", "E|src/a.c|12|0|@/src/a.c:12|undefined reference to `foo'\n" },
  { "/usr/bin/ld: src/a.c:12: undefined reference to `foo'\n", "E|src/a.c|12|0|src/a.c:12|undefined reference to `foo'\n" },
  { "a.c:(.text+0x5): undefined reference to `foo'\n", "E|a.c|0|0|a.c:(.text+0x5)|undefined reference to `foo'\n" },
  { "/usr/bin/ld: b.o:src/deep/b.c:3: multiple definition of `x'; a.o:src/a.c:1: first defined here\n",
    "E|src/deep/b.c|3|0|src/deep/b.c:3|multiple definition of `x'; a.o:src/a.c:1: first defined here\n" },
  { "aarch64-linux-gnu-ld: libx.a(b.o):src/deep/b.c:(.text+0x3): undefined reference to `y'\n",
    "E|src/deep/b.c|0|0|src/deep/b.c:(.text+0x3)|undefined reference to `y'\n" },
  { "/usr/bin/ld: cannot find -lnothing: No such file or directory\ncollect2: error: ld returned 1 exit status\n",
    "E|-|0|0||cannot find -lnothing: No such file or directory\nE|-|0|0||ld returned 1 exit status\n" },
  { "/usr/bin/ld: warning: x.o: missing .note.GNU-stack section implies executable stack\n", "W|-|0|0||x.o: missing .note.GNU-stack section implies executable stack\n" },
  { "/usr/bin/ld: a.o: undefined reference to symbol 'sin@@GLIBC_2.2.5'\n", "E|-|0|0||undefined reference to symbol 'sin@@GLIBC_2.2.5'\n" },
  { "ld.lld: error: undefined symbol: foo\n>>> referenced by a.c:5 (src/a.c:5)\n>>>               /tmp/a.o:(main)\n",
    "E|-|0|0||undefined symbol: foo\nN|a.c|5|0|a.c:5|>>> referenced by a.c:5 (src/a.c:5)\n" },
  /* make */
  { "make: *** [Makefile:3: x.o] Error 2\n", "E|Makefile|3|0|Makefile:3|[Makefile:3: x.o] Error 2\n" },
  { "make[1]: [Makefile:7: clean] Error 1 (ignored)\n", "W|Makefile|7|0|Makefile:7|[Makefile:7: clean] Error 1 (ignored)\n" },
  { "Makefile:3: *** missing separator.  Stop.\n", "E|Makefile|3|0|Makefile:3|missing separator.  Stop.\n" },
  { "Makefile:4: warning: overriding recipe for target 'x'\n", "W|Makefile|4|0|Makefile:4|overriding recipe for target 'x'\n" },
  { "gmake: *** No rule to make target 'x', needed by 'y'.  Stop.\n", "E|-|0|0||No rule to make target 'x', needed by 'y'.  Stop.\n" },
  { "make: *** [x] Terminated\nmake: *** Deleting file 'x'\n", "E|-|0|0||[x] Terminated\nE|-|0|0||Deleting file 'x'\n" },
  { "make: warning:  Clock skew detected.  Your build may be incomplete.\n", "W|-|0|0||Clock skew detected.  Your build may be incomplete.\n" },
  { "ninja: error: loading 'build.ninja': No such file or directory\n", "E|-|0|0||loading 'build.ninja': No such file or directory\n" },
  /* folders that make tells, nested and of two at once */
  { "make[1]: Entering directory '@/src'\na.c:1:1: error: x\nmake[2]: Entering directory '@/src/deep'\nb.c:1:1: error: y\n../b.h:2:1: error: z\n"
    "make[2]: Leaving directory '@/src/deep'\nmake[1]: Leaving directory '@/src'\n",
    "E|src/a.c|1|1|a.c:1:1|x\nE|src/deep/b.c|1|1|b.c:1:1|y\nE|src/b.h|2|1|../b.h:2:1|z\n" },
  { "make[1]: Entering directory `@/src'\na.c:1:1: error: x\nmake[1]: Leaving directory `@/src'\na.c:1:1: error: again\n",
    "E|src/a.c|1|1|a.c:1:1|x\nE|a.c|1|1|a.c:1:1|again\n" },
  { "make[1]: Entering directory '@/src'\nmake[1]: Entering directory '@/src/deep'\nb.c:1:1: error: y\na.c:1:1: error: x\n",
    "E|src/deep/b.c|1|1|b.c:1:1|y\nE|src/a.c|1|1|a.c:1:1|x\n" },
  { "make[1]: Entering directory '@/src'\nmake[1]: Leaving directory '@/src'\nmake[1]: Entering directory '@/sub'\n"
    "make[1]: Leaving directory '@/sub'\na.c:1:1: error: x\nb.h:1:1: error: y\n",
    "E|a.c|1|1|a.c:1:1|x\nE|src/b.h|1|1|b.h:1:1|y\n" },
  { "make[1]: Verzeichnis „@/src“ wird betreten\na.c:1:1: error: x\n", "E|src/a.c|1|1|a.c:1:1|x\n" },
  { "ninja: Entering directory `src/deep'\nb.c:1:1: error: y\n", "E|src/deep/b.c|1|1|b.c:1:1|y\n" },
  { "make[1]: Entering directory '@/build/src'\na.c:1:1: error: of a copy\n", "E|src/a.c|1|1|a.c:1:1|of a copy\n" },
  /* CMake */
  { "CMake Error at CMakeLists.txt:12 (message):\n  it is so\n\n\n-- Configuring incomplete\n", "E|CMakeLists.txt|12|0|CMakeLists.txt:12|it is so\n" },
  { "CMake Warning (dev) at sub/CMakeLists.txt:3 (project):\n  Policy\n", "W|sub/CMakeLists.txt|3|0|sub/CMakeLists.txt:3|Policy\n" },
  { "CMake Deprecation Warning at CMakeLists.txt:1 (cmake_minimum_required):\n  Old\n", "W|CMakeLists.txt|1|0|CMakeLists.txt:1|Old\n" },
  { "CMake Error in sub/CMakeLists.txt:\n  A logical block\n", "E|sub/CMakeLists.txt|0|0|sub/CMakeLists.txt|A logical block\n" },
  { "CMake Error at CMakeLists.txt:5 (add_library):\n  Cannot find source file:\n\n    win32/zlib1.rc\n\n  Tried extensions .c\n  .h\n\n\n",
    "E|CMakeLists.txt|5|0|CMakeLists.txt:5|Cannot find source file: win32/zlib1.rc\n" },
  { "CMake Warning at CMakeLists.txt:1 (x):\n  Compatibility will be removed from a future version of\n  CMake.\n\n  Update\n-- Done\n",
    "W|CMakeLists.txt|1|0|CMakeLists.txt:1|Compatibility will be removed from a future version of CMake.\n" },
  { "CMake Error: The source directory \"/x\" does not exist.\n", "E|-|0|0||The source directory \"/x\" does not exist.\n" },
  { "CMake Error at CMakeLists.txt:2 (x):\nCMake Error at CMakeLists.txt:4 (y):", "E|CMakeLists.txt|2|0|CMakeLists.txt:2|CMake Error at CMakeLists.txt:4 (y):\n"
    "E|CMakeLists.txt|4|0|CMakeLists.txt:4|CMake Error at CMakeLists.txt:4 (y):\n" },
  /* Meson and configure */
  { "meson.build:3:0: ERROR: Unknown function \"foo\".\n", "E|meson.build|3|0|meson.build:3:0|Unknown function \"foo\".\n" },
  { "../sub/meson.build:3: WARNING: old\n", "W|sub/meson.build|3|0|../sub/meson.build:3|old\n" },
  { "ERROR: Neither directory contains a build file meson.build.\n", "E|-|0|0||Neither directory contains a build file meson.build.\n" },
  { "configure: error: C compiler cannot create executables\n", "E|-|0|0||C compiler cannot create executables\n" },
  { "configure: WARNING: strange\n", "W|-|0|0||strange\n" },
};

/* Every case as a whole, byte by byte, and in pieces. */
static void
test_formats (Fixture *self, gconstpointer data)
{
  static const gsize pieces[] = { 100000, 1, 7 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint j = 0; j < G_N_ELEMENTS (pieces); j++)
      {
        g_auto (GStrv) parts = g_strsplit (cases[i].messages, "@", -1);
        g_autofree char *wanted = g_strjoinv (self->project, parts);

        read_log (self, cases[i].log, pieces[j]);
        g_assert_cmpstr (self->messages->str, ==, wanted);
      }
}

/* With colours and links, as compilers write to a terminal. */
static void
test_escapes (Fixture *self, gconstpointer data)
{
  static const char log[] = "\033[01m\033[Ksrc/a.c:2:5:\033[m\033[K \033[01;31m\033[Kerror: \033[m\033[K"
                            "no \033]8;;https://example.org/\aw\033]8;;\a \033]0;title\033\\ok\033(\r\n"
                            "\033[31mplain\033[0m\033\n\033[12;34\nnext\033]8;;lost\nlast";

  for (gsize piece = 1; piece < 40; piece++)
    {
      read_log (self, log, piece);
      g_assert_cmpstr (self->messages->str, ==, "E|src/a.c|2|5|src/a.c:2:5|no w ok\n");
      g_assert_cmpstr (self->lines->str, ==, "src/a.c:2:5: error: no w ok\nplain\n\nnext\nlast\n");
    }
}

static void
test_odd_bytes (Fixture *self, gconstpointer data)
{
  static const char log[] = "a\0b\x01\x7f\tc\n\xff\xfe src/a.c\nsrc/a.c:1:1: error: \xc3(\xe2\x82\n10%\r50%\r100%\r\n\r\n\n\xe2\x82";

  for (gsize piece = 1; piece < sizeof log; piece++)
    {
      g_autoptr (CsBuildMessages) messages = new_messages (self);

      for (gsize i = 0; i < sizeof log - 1; i += piece)
        cs_build_messages_push (messages, log + i, MIN (piece, sizeof log - 1 - i), TRUE);
      cs_build_messages_end (messages);
      g_assert_cmpstr (self->lines->str, ==, "ab\tc\n\ufffd\ufffd src/a.c\nsrc/a.c:1:1: error: \ufffd(\ufffd\ufffd\n100%\n\n\n\ufffd\ufffd\n");
      g_assert_cmpstr (self->messages->str, ==, "E|src/a.c|1|1|src/a.c:1:1|\ufffd(\ufffd\ufffd\n");
      g_assert_cmpuint (cs_build_messages_get_count (messages, CS_BUILD_SEVERITY_ERROR), ==, 1);
      g_assert_cmpuint (cs_build_messages_get_count (messages, CS_BUILD_SEVERITY_WARNING), ==, 0);
    }
}

/* A line without an end comes in pieces, cut between characters; none of them is a message but the first. */
static void
test_endless_line (Fixture *self, gconstpointer data)
{
  g_autoptr (CsBuildMessages) messages = new_messages (self);
  g_autoptr (GString) text = g_string_new ("src/a.c:1:1: error: ");
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) joined = g_string_new (NULL);

  while (text->len < 10 * CS_BUILD_LINE_MOST)
    g_string_append (text, "€ src/a.c:1:1: error: x");
  cs_build_messages_push (messages, text->str, text->len, FALSE);
  g_assert_cmpuint (self->number, >=, 9);
  cs_build_messages_end (messages);
  cs_build_messages_push (messages, "src/a.c:2:1: error: y\n", 22, FALSE);
  lines = g_strsplit (self->lines->str, "\n", -1);
  for (guint i = 0; lines[i] != NULL && !g_str_has_prefix (lines[i], "src/a.c:2"); i++)
    {
      g_assert_cmpuint (strlen (lines[i]), <=, CS_BUILD_LINE_MOST + 1);
      g_assert_null (strstr (lines[i], "\ufffd"));
      g_assert_true (i == 0 || *lines[i] == '+');
      g_string_append (joined, lines[i] + (i > 0));
    }
  g_assert_cmpstr (joined->str, ==, text->str);
  g_assert_cmpuint (cs_build_messages_get_count (messages, CS_BUILD_SEVERITY_ERROR), ==, 2);
}

/* Two outputs, of which each is cut within its lines. */
static void
test_two_streams (Fixture *self, gconstpointer data)
{
  g_autoptr (CsBuildMessages) messages = new_messages (self);
  static const char *const pieces[] = { "src/a.", "mak", "c:1:1: err", "e[1]: *** x\n", "or: o", "", "ne\n", "CMake Error at CMakeLists.txt:1 (x):\n", "shown\n", "  told\n" };

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    cs_build_messages_push (messages, pieces[i], strlen (pieces[i]), i % 2 == 1);
  cs_build_messages_end (messages);
  g_assert_cmpstr (self->messages->str, ==, "E|-|0|0||x\nE|src/a.c|1|1|src/a.c:1:1|one\nE|CMakeLists.txt|1|0|CMakeLists.txt:1|told\n");
  g_assert_cmpstr (self->lines->str, ==, "make[1]: *** x\nsrc/a.c:1:1: error: one\nshown\nCMake Error at CMakeLists.txt:1 (x):\n  told\n");
}

/* Anything: no crash, and nothing is lost of printable text. */
static void
test_noise (Fixture *self, gconstpointer data)
{
  static const char *const words[] = { "src/a.c", ":", "1", ": ", "error", "\n", "make", "[1]", "***", " ", "'", "`", "Entering directory ", "/", "CMake Error", " at ",
                                       "(", ")", ":(.", "): ", "ld", ".o", "\033[", "\033]", "\r", "\xff", "99999999999", "from ", "In file included from ", "«", "»" };

  for (guint round = 0; round < 300; round++)
    {
      g_autoptr (CsBuildMessages) messages = new_messages (self);

      for (guint i = 0; i < 300; i++)
        {
          const char *word = words[g_test_rand_int_range (0, G_N_ELEMENTS (words))];

          cs_build_messages_push (messages, word, strlen (word), g_test_rand_bit ());
        }
      cs_build_messages_end (messages);
    }
}

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/build-message/formats", test_formats);
  ADD ("/build-message/escapes", test_escapes);
  ADD ("/build-message/odd-bytes", test_odd_bytes);
  ADD ("/build-message/endless-line", test_endless_line);
  ADD ("/build-message/two-streams", test_two_streams);
  ADD ("/build-message/noise", test_noise);
  return g_test_run ();
}
