/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "symbols/cs-binary.h"
#include "symbols/cs-demangle.h"
#include "symbols/cs-ranges.h"

static char *folder;

static char *
in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

/* Runs a command line in the test's folder; NULL: it isn't there or failed. */
static char *run (const char *format, ...) G_GNUC_PRINTF (1, 2);

static char *
run (const char *format,
     ...)
{
  g_autofree char *command = NULL;
  g_autofree char *line = NULL;
  g_autofree char *quoted = g_shell_quote (folder);
  char *output = NULL;
  const char *argv[] = { "/bin/sh", "-c", NULL, NULL };
  int status = 0;
  va_list args;

  va_start (args, format);
  command = g_strdup_vprintf (format, args);
  va_end (args);
  line = g_strdup_printf ("cd %s && LC_ALL=C %s", quoted, command);
  argv[2] = line;
  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &output, NULL,
                     &status, NULL) ||
      status != 0)
    g_clear_pointer (&output, g_free);
  return output;
}

/* A program of two sources that each have a static function of one name. */
static gboolean
build (const char *name,
       const char *flags)
{
  static const char *const one =
    "int other (int);\nextern volatile int sink;\nvolatile int sink;\n"
    "static __attribute__ ((noinline)) int twin (int x) { sink += x; return x + 1; }\n"
    "int _Z_is_no_prefix_of_mine (void) { return 3; }\n"
    "int i (int x) { return x; }\n"
    "int main (int argc, char **argv)\n{\n  return twin (argc) + other (argc) + i (1);\n}\n";
  static const char *const two =
    "extern volatile int sink;\n\n\n"
    "static __attribute__ ((noinline)) int twin (int x)\n{\n  sink -= x;\n  return x - 1;\n}\n"
    "int _ZN5outer5innerEi (int x) { return x; }\n"
    "int other (int x)\n{\n  return twin (x) + _ZN5outer5innerEi (x);\n}\n";
  g_autofree char *first = in_folder ("one.c");
  g_autofree char *second = in_folder ("two.c");
  g_autofree char *output = NULL;

  g_assert_true (g_file_set_contents (first, one, -1, NULL));
  g_assert_true (g_file_set_contents (second, two, -1, NULL));
  output = run ("cc -O0 -o %s %s one.c two.c", name, flags);
  return output != NULL;
}

/* The link addresses of a symbol, from nm. */
static GArray *
find_addresses (const char *name,
                const char *symbol)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autofree char *output = run ("nm %s", name);
  g_auto (GStrv) lines = g_strsplit (output != NULL ? output : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], " ", 3);
      guint64 address;

      if (g_strv_length (fields) != 3 || strcmp (fields[2], symbol) != 0)
        continue;
      address = g_ascii_strtoull (fields[0], NULL, 16);
      g_array_append_val (found, address);
    }
  return found;
}

static guint64
find_address (const char *name,
              const char *symbol)
{
  g_autoptr (GArray) found = find_addresses (name, symbol);

  g_assert_cmpuint (found->len, ==, 1);
  return g_array_index (found, guint64, 0);
}

static CsBinary *
open_built (const char *name)
{
  g_autofree char *path = in_folder (name);
  g_autoptr (GError) error = NULL;
  CsBinary *binary = cs_binary_open (path, &error);

  g_assert_no_error (error);
  g_assert_nonnull (binary);
  g_assert_cmpstr (cs_binary_get_path (binary), ==, path);
  return binary;
}

#define need_compiler(name, flags) \
  if (!build (name, flags)) \
    { \
      g_test_skip ("no C compiler"); \
      return; \
    }

static void
test_refused (void)
{
  static const struct
  {
    const char *name;
    const char *content;
    gssize size;
    int code;
    const char *said;
  } cases[] = {
    { "missing", NULL, 0, CS_SYMBOLS_ERROR_OPEN, "No such file" },
    { "empty", "", 0, CS_SYMBOLS_ERROR_FORMAT, "not an ELF" },
    { "text", "#!/bin/sh\necho hello\n", -1, CS_SYMBOLS_ERROR_FORMAT, "not an ELF" },
    { "magic", "\177ELF", 4, CS_SYMBOLS_ERROR_FORMAT, "cut short" },
    { "zeros", "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
               "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 64, CS_SYMBOLS_ERROR_FORMAT, "neither" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = in_folder (cases[i].name);
      g_autoptr (GError) error = NULL;

      if (cases[i].content != NULL)
        g_assert_true (g_file_set_contents (path, cases[i].content, cases[i].size, NULL));
      g_assert_null (cs_binary_open (path, &error));
      g_assert_error (error, CS_SYMBOLS_ERROR, cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].said));
      g_assert_nonnull (strstr (error->message, path));
    }
}

static void
test_not_regular (void)
{
  g_autofree char *fifo = in_folder ("fifo");
  g_autoptr (GError) folder_error = NULL;
  g_autoptr (GError) fifo_error = NULL;

  g_assert_null (cs_binary_open (folder, &folder_error));
  g_assert_error (folder_error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_OPEN);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_null (cs_binary_open (fifo, &fifo_error));
  g_assert_error (fifo_error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_OPEN);
}

static void
test_object_file (void)
{
  g_autofree char *path = in_folder ("one.o");
  g_autofree char *output = NULL;
  g_autoptr (GError) error = NULL;

  need_compiler ("app", "-g");
  output = run ("cc -c -g one.c");
  g_assert_nonnull (output);
  g_assert_null (cs_binary_open (path, &error));
  g_assert_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "object file"));
}

/* A linked file cut at any length is refused, for its table of sections stands last. */
static void
test_truncated (void)
{
  g_autofree char *path = in_folder ("app");
  g_autofree char *cut = in_folder ("cut");
  g_autofree char *content = NULL;
  gsize size = 0;

  need_compiler ("app", "-g");
  g_assert_true (g_file_get_contents (path, &content, &size, NULL));
  for (gsize length = 0; length < size; length += length < 600 ? 1 : 101)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (cut, content, (gssize) length, NULL));
      g_assert_null (cs_binary_open (cut, &error));
      g_assert_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_FORMAT);
      if (length >= 4)
        g_assert_nonnull (strstr (error->message, "cut short"));
    }
}

/* Whatever byte of a program is wrong, opening and looking up end. */
static void
test_damaged (void)
{
  g_autofree char *path = in_folder ("app");
  g_autofree char *bad = in_folder ("bad");
  g_autofree char *content = NULL;
  gsize size = 0;
  guint opened = 0;
  guint64 start;
  g_autoptr (GRand) random = g_rand_new_with_seed (20);

  need_compiler ("app", "-g");
  start = find_address ("app", "main");
  g_assert_true (g_file_get_contents (path, &content, &size, NULL));
  for (guint i = 0; i < 400; i++)
    {
      g_autoptr (CsBinary) binary = NULL;
      gsize where = i < 64 ? i : (gsize) g_rand_int_range (random, 0, (gint32) size);
      char before = content[where];
      CsSymbol symbol;

      content[where] = (char) g_rand_int_range (random, 0, 256);
      g_assert_true (g_file_set_contents (bad, content, (gssize) size, NULL));
      content[where] = before;
      binary = cs_binary_open (bad, NULL);
      if (binary == NULL)
        continue;
      opened++;
      for (guint64 address = start - 200; address < start + 200; address += 7)
        cs_binary_lookup (binary, address, &symbol);
    }
  g_assert_cmpuint (opened, >, 200);
}

static void
test_build_id (void)
{
  g_autoptr (CsBinary) with = NULL;
  g_autoptr (CsBinary) without = NULL;
  g_autofree char *notes = NULL;
  const char *id;

  need_compiler ("app", "-g -Wl,--build-id=sha1");
  notes = run ("readelf -n app");
  g_assert_nonnull (notes);
  id = strstr (notes, "Build ID: ");
  g_assert_nonnull (id);
  id += strlen ("Build ID: ");
  with = open_built ("app");
  g_assert_cmpuint (strlen (cs_binary_get_build_id (with)), ==, 40);
  g_assert_true (g_str_has_prefix (id, cs_binary_get_build_id (with)));
  g_assert_cmpuint (strcspn (id, "\n"), ==, 40);

  g_assert_true (build ("app", "-g -Wl,--build-id=none"));
  without = open_built ("app");
  g_assert_null (cs_binary_get_build_id (without));
}

static void
test_lookup (void)
{
  g_autoptr (CsBinary) binary = NULL;
  CsSymbol symbol;
  guint64 address;

  need_compiler ("app", "-g");
  binary = open_built ("app");
  g_assert_null (cs_binary_get_notice (binary));
  address = find_address ("app", "other");
  g_assert_true (cs_binary_lookup (binary, address, &symbol));
  g_assert_cmpstr (symbol.name, ==, "other");
  g_assert_cmpstr (symbol.linkage_name, ==, "other");
  g_assert_cmpuint (symbol.start, ==, address);
  g_assert_cmpuint (symbol.size, >, 10);
  g_assert_cmpstr (symbol.comp_dir, ==, folder);
  g_assert_true (g_str_has_prefix (symbol.file, folder));
  g_assert_true (g_str_has_suffix (symbol.file, "/two.c"));
  g_assert_cmpuint (symbol.line, ==, 11);
  g_assert_cmpuint (symbol.n_inlined, ==, 0);

  /* The last byte belongs to it, the next no longer. */
  g_assert_true (cs_binary_lookup (binary, address + symbol.size - 1, &symbol));
  g_assert_cmpstr (symbol.name, ==, "other");
  g_assert_cmpuint (symbol.line, ==, 13);
  if (cs_binary_lookup (binary, address + symbol.size, &symbol))
    g_assert_cmpstr (symbol.name, !=, "other");
}

static void
test_outside (void)
{
  static const guint64 addresses[] = { 0, 1, 0x7fffffffffff, G_MAXUINT64, G_MAXUINT64 - 1 };
  static const char *const kinds[] = { "-g", "", "-s" };

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      g_autoptr (CsBinary) binary = NULL;

      need_compiler ("app", kinds[k]);
      binary = open_built ("app");
      for (guint i = 0; i < G_N_ELEMENTS (addresses); i++)
        {
          CsSymbol symbol;

          memset (&symbol, 1, sizeof symbol);
          g_assert_false (cs_binary_lookup (binary, addresses[i], &symbol));
          g_assert_null (symbol.name);
          g_assert_null (symbol.linkage_name);
          g_assert_null (symbol.file);
          g_assert_cmpuint (symbol.line, ==, 0);
          g_assert_cmpuint (symbol.n_inlined, ==, 0);
        }
    }
}

static void
test_static_twins (void)
{
  static const char *const kinds[] = { "-g", "" };

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      g_autoptr (CsBinary) binary = NULL;
      g_autoptr (GArray) twins = NULL;
      guint seen = 0;

      need_compiler ("app", kinds[k]);
      binary = open_built ("app");
      twins = find_addresses ("app", "twin");
      g_assert_cmpuint (twins->len, ==, 2);
      for (guint i = 0; i < 2; i++)
        {
          CsSymbol symbol;

          g_assert_true (cs_binary_lookup (binary, g_array_index (twins, guint64, i), &symbol));
          g_assert_cmpstr (symbol.name, ==, "twin");
          seen |= g_str_has_suffix (symbol.file, "one.c") ? 1 : g_str_has_suffix (symbol.file, "two.c") ? 2 : 0;
          if (k == 0)
            g_assert_cmpuint (symbol.line, ==, g_str_has_suffix (symbol.file, "one.c") ? 4 : 5);
        }
      g_assert_cmpuint (seen, ==, 3);
    }
}

static void
test_notices (void)
{
  static const struct
  {
    const char *flags;
    const char *said;
    gboolean named;
  } cases[] = {
    { "-g", NULL, TRUE },
    { "", "no debug information", TRUE },
    { "-s", "stripped", FALSE },
    { "-s -rdynamic", "stripped", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (CsBinary) binary = NULL;
      CsSymbol symbol;
      guint64 address;

      /* The code lies where it lay with symbols only if the exports are the same. */
      need_compiler ("app", g_str_has_suffix (cases[i].flags, "-rdynamic") ? "-rdynamic" : "");
      address = find_address ("app", "main");
      g_assert_true (build ("app", cases[i].flags));
      binary = open_built ("app");
      if (cases[i].said == NULL)
        g_assert_null (cs_binary_get_notice (binary));
      else
        {
          g_assert_nonnull (strstr (cs_binary_get_notice (binary), cases[i].said));
          g_assert_true (g_str_has_prefix (cs_binary_get_notice (binary), "app "));
        }
      g_assert_cmpint (cs_binary_lookup (binary, address, &symbol), ==, cases[i].named);
      g_assert_cmpstr (symbol.name, ==, cases[i].named ? "main" : NULL);
    }
}

static void
test_demangling (void)
{
  static const char *const untouched[] = { "main", "i", "d", "f", "x", "_start", "Z3foov", "__Z3foov",
                                           "_Z_is_no_prefix_of_mine", "" };
  g_autofree char *function = cs_demangle ("_ZN5outer5innerEi");
  g_autofree char *clone = cs_demangle ("_ZL5twicei.constprop.0");
  g_autoptr (CsBinary) binary = NULL;
  g_autofree char *longest = g_strnfill (200000, '1');
  g_autofree char *mangled = g_strconcat ("_Z", longest, NULL);
  CsSymbol symbol;

  g_assert_null (cs_demangle (NULL));
  g_assert_null (cs_demangle (mangled));
  for (guint i = 0; i < G_N_ELEMENTS (untouched); i++)
    g_assert_null (cs_demangle (untouched[i]));
  g_assert_cmpstr (function, ==, "outer::inner(int)");
  g_assert_cmpstr (clone, ==, "twice(int) [clone .constprop.0]");

  need_compiler ("app", "-g");
  binary = open_built ("app");
  g_assert_true (cs_binary_lookup (binary, find_address ("app", "_ZN5outer5innerEi"), &symbol));
  g_assert_cmpstr (symbol.name, ==, "outer::inner(int)");
  g_assert_cmpstr (symbol.linkage_name, ==, "_ZN5outer5innerEi");
  /* "i" is int for a demangler of types. */
  g_assert_true (cs_binary_lookup (binary, find_address ("app", "i"), &symbol));
  g_assert_cmpstr (symbol.name, ==, "i");
}

static void
test_references (void)
{
  CsBinary *binary;
  CsSymbol symbol;
  const char *name;

  need_compiler ("app", "-g");
  binary = open_built ("app");
  g_assert_true (cs_binary_ref (binary) == binary);
  g_assert_true (cs_binary_lookup (binary, find_address ("app", "main"), &symbol));
  name = symbol.name;
  cs_binary_unref (binary);
  /* The same string each time, and still there. */
  g_assert_true (cs_binary_lookup (binary, find_address ("app", "main"), &symbol));
  g_assert_true (symbol.name == name);
  cs_binary_unref (binary);
}

/* Against a plain search of all ranges. */
static void
test_ranges (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (GArray) ranges = cs_ranges_new ();
      guint count = (guint) g_rand_int_range (random, 0, 40);

      for (guint i = 0; i < count; i++)
        {
          guint64 low = (guint64) g_rand_int_range (random, 0, 100);

          cs_ranges_add (ranges, low, low + (guint64) g_rand_int_range (random, 0, 30), i);
        }
      cs_ranges_sort (ranges);
      for (guint64 address = 0; address < 135; address++)
        {
          const CsRange *found = cs_ranges_find (ranges, address);
          const CsRange *wanted = NULL;

          for (guint i = 0; i < ranges->len; i++)
            {
              const CsRange *range = &g_array_index (ranges, CsRange, i);

              if (address < range->low || address >= range->high)
                continue;
              if (wanted == NULL || range->high - range->low < wanted->high - wanted->low ||
                  (range->high - range->low == wanted->high - wanted->low && range->value > wanted->value))
                wanted = range;
            }
          g_assert_true (found == wanted);
          g_assert_cmpint (cs_ranges_contain (ranges, address), ==, wanted != NULL);
        }
    }
}

int
main (int   argc,
      char *argv[])
{
  g_autofree char *made = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  g_autofree char *quoted = NULL;
  g_autofree char *removed = NULL;
  int result;

  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (made);
  folder = realpath (made, NULL);
  g_test_add_func ("/symbols/refused", test_refused);
  g_test_add_func ("/symbols/not-regular", test_not_regular);
  g_test_add_func ("/symbols/object-file", test_object_file);
  g_test_add_func ("/symbols/truncated", test_truncated);
  g_test_add_func ("/symbols/damaged", test_damaged);
  g_test_add_func ("/symbols/build-id", test_build_id);
  g_test_add_func ("/symbols/lookup", test_lookup);
  g_test_add_func ("/symbols/outside", test_outside);
  g_test_add_func ("/symbols/static-twins", test_static_twins);
  g_test_add_func ("/symbols/notices", test_notices);
  g_test_add_func ("/symbols/demangling", test_demangling);
  g_test_add_func ("/symbols/references", test_references);
  g_test_add_func ("/symbols/ranges", test_ranges);
  result = g_test_run ();

  quoted = g_shell_quote (folder);
  removed = run ("rm -rf -- %s", quoted);
  free (folder);
  return result;
}
