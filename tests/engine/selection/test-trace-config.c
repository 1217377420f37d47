/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "selection/cs-trace-config.h"

static CsTraceConfig *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  CsTraceConfig *config = cs_trace_config_parse (text, -1, "trace.config", &error);

  g_assert_no_error (error);
  return config;
}

static void
assert_text (const CsTraceConfig *config, const char *wanted)
{
  g_autofree char *text = cs_trace_config_to_text (config);

  g_assert_cmpstr (text, ==, wanted);
}

/* One line each, and what it says. */
static const struct
{
  const char *text;
  CsDirectiveKind kind;
  const char *value;
  int depth;
  gint64 min_ns;
} lines[] = {
  { "include src/network/          # only this subsystem", CS_DIRECTIVE_INCLUDE, "src/network/" },
  { "exclude src/network/crc.c     # except the chatty helper", CS_DIRECTIVE_EXCLUDE, "src/network/crc.c" },
  { "exclude-func log_printf       # and this one, by name", CS_DIRECTIVE_EXCLUDE_FUNC, "log_printf" },
  { "include-func handle_request   # or: one entry point + everything it calls", CS_DIRECTIVE_INCLUDE_FUNC,
    "handle_request", CS_DEPTH_FULL },
  { "include-func main 0", CS_DIRECTIVE_INCLUDE_FUNC, "main", 0 },
  { "include-func\tmain\t12\t# x", CS_DIRECTIVE_INCLUDE_FUNC, "main", 12 },
  { "  include \t my dir/a b.c  ", CS_DIRECTIVE_INCLUDE, "my dir/a b.c" },
  { "include a#b", CS_DIRECTIVE_INCLUDE, "a#b" },
  { "include a\t#b", CS_DIRECTIVE_INCLUDE, "a" },
  { "include a \"b\" c", CS_DIRECTIVE_INCLUDE, "a \"b\" c" },
  { "include \"a #b\" # c", CS_DIRECTIVE_INCLUDE, "a #b" },
  { "include \" a \"", CS_DIRECTIVE_INCLUDE, " a " },
  { "include \"a\\\"b\\\\*\\*\"", CS_DIRECTIVE_INCLUDE, "a\"b\\*\\*" },
  { "include grüße/ä.c", CS_DIRECTIVE_INCLUDE, "grüße/ä.c" },
  { "include a\r\n", CS_DIRECTIVE_INCLUDE, "a" },
  { "\xef\xbb\xbfinclude a", CS_DIRECTIVE_INCLUDE, "a" },
  { "include-func operator new 2", CS_DIRECTIVE_INCLUDE_FUNC, "operator new", 2 },
  { "include-func f<int, long> 2", CS_DIRECTIVE_INCLUDE_FUNC, "f<int, long>", 2 },
  { "include-func ns::C::operator< 2", CS_DIRECTIVE_INCLUDE_FUNC, "ns::C::operator<", 2 },
  { "include-func operator 2", CS_DIRECTIVE_INCLUDE_FUNC, "operator", 2 },
  { "include-func my_operator 2", CS_DIRECTIVE_INCLUDE_FUNC, "my_operator", 2 },
  { "include-func cooperator<int, long> 2", CS_DIRECTIVE_INCLUDE_FUNC, "cooperator<int, long>", 2 },
  { "exclude-func C::operator bool # x", CS_DIRECTIVE_EXCLUDE_FUNC, "C::operator bool" },
  { "exclude-func C::operator()<int>", CS_DIRECTIVE_EXCLUDE_FUNC, "C::operator()<int>" },
  { "exclude-func C::operator()", CS_DIRECTIVE_EXCLUDE_FUNC, "C::operator()" },
  { "include-func \"a b\" 3 # c", CS_DIRECTIVE_INCLUDE_FUNC, "a b", 3 },
  { "exclude-func {anonymous}::f", CS_DIRECTIVE_EXCLUDE_FUNC, "{anonymous}::f" },
  { "counter cycles,instructions , r01C2", CS_DIRECTIVE_COUNTER, "cycles,instructions , r01C2" },
  { "counter ref-cycles,task-clock #x", CS_DIRECTIVE_COUNTER, "ref-cycles,task-clock" },
  { "counter-func hot", CS_DIRECTIVE_COUNTER_FUNC, "hot", 0 },
  { "counter-func hot 4", CS_DIRECTIVE_COUNTER_FUNC, "hot", 4 },
  { "counter-file src/*.c", CS_DIRECTIVE_COUNTER_FILE, "src/*.c" },
  { "counter-min auto", CS_DIRECTIVE_COUNTER_MIN, "auto", 0, -1 },
  { "counter-min 0", CS_DIRECTIVE_COUNTER_MIN, "0", 0, 0 },
  { "counter-min 1500", CS_DIRECTIVE_COUNTER_MIN, "1500", 0, 1500 },
  { "counter-min 500ns # x", CS_DIRECTIVE_COUNTER_MIN, "500ns", 0, 500 },
  { "counter-min 2us", CS_DIRECTIVE_COUNTER_MIN, "2us", 0, 2000 },
  { "counter-min 2µs", CS_DIRECTIVE_COUNTER_MIN, "2µs", 0, 2000 },
  { "counter-min 2μs", CS_DIRECTIVE_COUNTER_MIN, "2μs", 0, 2000 },
  { "counter-min 3ms", CS_DIRECTIVE_COUNTER_MIN, "3ms", 0, 3000000 },
};

static void
test_lines (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (CsTraceConfig) config = parse (lines[i].text);
      const CsDirective *directive;
      gsize count;

      directive = cs_trace_config_get_directives (config, &count);
      g_assert_cmpuint (count, ==, 1);
      g_assert_cmpstr (cs_directive_kind_get_name (directive->kind), ==, cs_directive_kind_get_name (lines[i].kind));
      g_assert_cmpstr (directive->value, ==, lines[i].value);
      g_assert_cmpuint (directive->line, ==, 1);
      g_assert_cmpint (directive->min_ns, ==, lines[i].min_ns);
      if (lines[i].kind == CS_DIRECTIVE_INCLUDE_FUNC || lines[i].kind == CS_DIRECTIVE_COUNTER_FUNC)
        g_assert_cmpint (directive->depth, ==, lines[i].depth);
      if (directive->pattern != NULL)
        g_assert_cmpstr (cs_pattern_get_text (directive->pattern), ==, lines[i].value);
      g_assert_true ((directive->pattern != NULL)
                     == (lines[i].kind == CS_DIRECTIVE_INCLUDE || lines[i].kind == CS_DIRECTIVE_EXCLUDE
                         || lines[i].kind == CS_DIRECTIVE_COUNTER_FILE));
      g_assert_true (cs_trace_config_has (config, lines[i].kind));
      assert_text (config, lines[i].text);
    }
}

/* What is wrong, and how the message begins and goes on. */
static const struct
{
  const char *text;
  const char *message;
  const char *advice;
} bad[] = {
  { "inculde a", "trace.config:1: 'inculde' is no directive", "use include, exclude" },
  { "# x\n\ninclude-func f x", "trace.config:3: include-func: DEPTH must be a whole number from 0 on, not 'x'", "" },
  { "include-func f -1", "trace.config:1: include-func: DEPTH must be", "-1" },
  { "include-func f 1.5", "trace.config:1: include-func: DEPTH must be", "1.5" },
  { "include-func f 99999999999", "trace.config:1: include-func: DEPTH must be", "" },
  { "counter-func f g", "trace.config:1: counter-func: DEPTH must be", "" },
  { "include-func f 1 2", "trace.config:1: include-func: '2' is more than it takes", "a line for each" },
  { "exclude-func a b", "trace.config:1: exclude-func: 'b' is more than it takes", "a line for each" },
  { "exclude-func f(int)", "trace.config:1: exclude-func: 'f(int)' has a parenthesis", "without parameters" },
  { "exclude-func C::operator()(int)", "trace.config:1: exclude-func: 'C::operator()(int)' has a parenthesis", "" },
  { "exclude-func main()", "trace.config:1: exclude-func: 'main()' has a parenthesis", "" },
  { "exclude-func \"\"", "trace.config:1: exclude-func: NAME is empty", "" },
  { "include", "trace.config:1: include: there is nothing behind it", "a path" },
  { "include   # all", "trace.config:1: include: there is nothing behind it", "a path" },
  { "counter", "trace.config:1: counter: there is nothing behind it", "events" },
  { "include \"a", "trace.config:1: include: a '\"' has no second one", "" },
  { "include \"a\"b", "trace.config:1: include: something follows the closing", "" },
  { "include \"a\" b", "trace.config:1: include: 'b' is more", "" },
  { "include \"\"", "trace.config:1: include: '': the pattern is empty", "" },
  { "include ok\r\ninclude [a\r\n", "trace.config:2: include: '[a': '[' has no ']'", "" },
  { "counter-file a\\", "trace.config:1: counter-file: 'a\\'", "" },
  { "include a\001b", "trace.config:1: there is a control character, 0x01", "" },
  { "include a\rinclude b\n", "trace.config:1: there is a control character, 0x0d", "" },
  { "counter cycels", "trace.config:1: counter: 'cycels' is no event", "cycles, instructions" },
  { "counter cycles,", "trace.config:1: counter: '' is no event", "" },
  { "counter cycles instructions", "trace.config:1: counter: 'cycles instructions' is no event", "" },
  { "counter rXYZ", "trace.config:1: counter: 'rXYZ' is no event", "" },
  { "counter r", "trace.config:1: counter: 'r' is no event", "" },
  { "counter r11112222333344445", "trace.config:1: counter: 'r11112222333344445' is no event", "" },
  { "counter cycles,cycles", "trace.config:1: counter: cycles is named twice", "" },
  { "counter cycles,r1,r2,r3", "trace.config:1: counter: 4 events are more than the 3", "take some out" },
  { "counter cycles,r1\ncounter r2\n\ncounter r3", "trace.config:4: counter: with those before, 4 events are more", "" },
  { "counter cycles\ncounter cycles", "trace.config:2: counter: line 1 names cycles already", "" },
  { "counter-min 5x", "trace.config:1: counter-min: '5x' is no duration", "500ns" },
  { "counter-min -5", "trace.config:1: counter-min: '-5' is no duration", "" },
  { "counter-min 1.5us", "trace.config:1: counter-min: '1.5us' is no duration", "" },
  { "counter-min ns", "trace.config:1: counter-min: 'ns' is no duration", "" },
  { "counter-min 99999999999999999ms", "trace.config:1: counter-min: '99999999999999999ms' is no duration", "" },
  { "counter-min 0\ncounter-min auto", "trace.config:2: counter-min: line 1 has one already", "" },
  { "Include a", "trace.config:1: 'Include' is no directive", "" },
  { "include# a", "trace.config:1: 'include#' is no directive", "" },
};

static void
test_bad (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CsTraceConfig) config = cs_trace_config_parse (bad[i].text, -1, "trace.config", &error);

      g_assert_null (config);
      g_assert_error (error, CS_TRACE_CONFIG_ERROR, CS_TRACE_CONFIG_ERROR_SYNTAX);
      if (!g_str_has_prefix (error->message, bad[i].message) || strstr (error->message, bad[i].advice) == NULL
          || strstr (error->message, " — ") == NULL)
        g_error ("'%s': '%s', not '%s'", bad[i].text, error->message, bad[i].message);
    }
}

/* A line as long as a file may be is refused in time that is in proportion to its length. */
static void
test_long_lines (void)
{
  static const struct
  {
    const char *begin, *piece, *message;
  } cases[] = {
    { "include-func f<", " a", "trace.config:1: include-func: NAME is longer than 4095 bytes" },
    { "exclude-func ", "a", "trace.config:1: exclude-func: NAME is longer than 4095 bytes" },
    { "counter-func \"", "a ", "trace.config:1: counter-func: a '\"' has no second one" },
    { "counter ", "cycles,", "trace.config:1: counter: 14979" },
    { "include ", "**/", "trace.config:1: include: '**/**/" },
    { "", "#a", NULL },
    { "counter-min 1", "0", "trace.config:1: counter-min: '100000" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new (cases[i].begin);
      g_autoptr (CsTraceConfig) config = NULL;
      g_autoptr (GError) error = NULL;

      while (text->len + strlen (cases[i].piece) < 1 << 20)
        g_string_append (text, cases[i].piece);
      config = cs_trace_config_parse (text->str, -1, "trace.config", &error);
      if (cases[i].message == NULL)
        g_assert_no_error (error);
      else
        {
          g_assert_error (error, CS_TRACE_CONFIG_ERROR, CS_TRACE_CONFIG_ERROR_SYNTAX);
          g_assert_true (g_str_has_prefix (error->message, cases[i].message));
          g_assert_cmpuint (strlen (error->message), <, 500);
        }
    }
}

/* A hundred thousand events, all different. */
static void
test_many_events (void)
{
  g_autoptr (GString) text = g_string_new ("counter r0");
  g_autoptr (CsTraceConfig) config = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 1; i < 150000; i++)
    g_string_append_printf (text, ",r%x", i);
  config = cs_trace_config_parse (text->str, -1, "trace.config", &error);
  g_assert_error (error, CS_TRACE_CONFIG_ERROR, CS_TRACE_CONFIG_ERROR_SYNTAX);
  g_assert_true (g_str_has_prefix (error->message, "trace.config:1: counter: 150000 events are more than the 3"));
}

static void
test_bytes (void)
{
  g_autofree char *large = g_strnfill ((1 << 20) + 1, '#');
  g_autoptr (CsTraceConfig) fits = cs_trace_config_parse (large, 1 << 20, "large", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (fits);
  g_assert_false (cs_trace_config_add (fits, CS_DIRECTIVE_INCLUDE, "a", 0, &error));
  g_assert_error (error, CS_TRACE_CONFIG_ERROR, CS_TRACE_CONFIG_ERROR_SYNTAX);
  g_clear_error (&error);
  g_assert_null (cs_trace_config_parse (large, -1, "large", &error));
  g_assert_true (g_str_has_prefix (error->message, "large: it is longer than 1 MiB"));
  g_clear_error (&error);
  g_assert_null (cs_trace_config_parse ("a\n#\0\n", 5, "nul", &error));
  g_assert_true (g_str_has_prefix (error->message, "nul:2: there is a NUL byte"));
}

static const char sample[] = "\xef\xbb\xbf# What to trace\r\n"
                             "\r\n"
                             "  include src/ # mine\r\n"
                             "\t\r\n"
                             "# not these\r\n"
                             "exclude src/a.c\n"
                             "exclude \"src/b #1.c\"\r\n"
                             "#end";

static void
test_edit (void)
{
  g_autoptr (CsTraceConfig) config = parse (sample);
  g_autoptr (CsTraceConfig) copy = cs_trace_config_copy (config);
  const CsDirective *directives;
  gsize count;

  assert_text (config, sample);
  assert_text (copy, sample);
  g_assert_true (cs_trace_config_add (config, CS_DIRECTIVE_INCLUDE, "lib/ #x", 0, NULL));
  g_assert_true (cs_trace_config_add (config, CS_DIRECTIVE_EXCLUDE, "lib/b.c", 0, NULL));
  g_assert_true (cs_trace_config_add (config, CS_DIRECTIVE_INCLUDE_FUNC, "main", 3, NULL));
  assert_text (config, "\xef\xbb\xbf# What to trace\r\n"
                       "\r\n"
                       "  include src/ # mine\r\n"
                       "  include \"lib/ #x\"\r\n"
                       "\t\r\n"
                       "# not these\r\n"
                       "exclude src/a.c\n"
                       "exclude \"src/b #1.c\"\r\n"
                       "exclude lib/b.c\r\n"
                       "#end\r\n"
                       "include-func main 3");
  directives = cs_trace_config_get_directives (config, &count);
  g_assert_cmpuint (count, ==, 6);
  g_assert_cmpstr (directives[4].value, ==, "lib/b.c");
  g_assert_cmpuint (directives[4].line, ==, 9);
  cs_trace_config_remove (config, 2);
  cs_trace_config_remove (config, 0);
  cs_trace_config_remove (config, 3);
  assert_text (config, "\xef\xbb\xbf# What to trace\r\n"
                       "\r\n"
                       "  include \"lib/ #x\"\r\n"
                       "\t\r\n"
                       "# not these\r\n"
                       "exclude \"src/b #1.c\"\r\n"
                       "exclude lib/b.c\r\n"
                       "#end\r\n");
  assert_text (copy, sample);
}

static void
test_add (void)
{
  static const struct
  {
    CsDirectiveKind kind;
    const char *value;
    int depth;
    gboolean taken;
  } values[] = {
    { CS_DIRECTIVE_INCLUDE, "a.c", 0, TRUE },
    { CS_DIRECTIVE_INCLUDE, " a ", 0, TRUE },
    { CS_DIRECTIVE_INCLUDE, "#a", 0, TRUE },
    { CS_DIRECTIVE_INCLUDE, "a # b \\\" \\\\", 0, TRUE },
    { CS_DIRECTIVE_INCLUDE, "\"a\"", 0, TRUE },
    { CS_DIRECTIVE_INCLUDE, "a\"b", 0, TRUE },
    { CS_DIRECTIVE_INCLUDE, "a\xff", 0, TRUE },
    { CS_DIRECTIVE_INCLUDE, "a\tb", 0, TRUE },
    { CS_DIRECTIVE_INCLUDE, "", 0, FALSE },
    { CS_DIRECTIVE_INCLUDE, "a\nb", 0, FALSE },
    { CS_DIRECTIVE_INCLUDE, "a\r", 0, FALSE },
    { CS_DIRECTIVE_INCLUDE, "a\x1b", 0, FALSE },
    { CS_DIRECTIVE_INCLUDE, "[a", 0, FALSE },
    { CS_DIRECTIVE_INCLUDE_FUNC, "f", CS_DEPTH_FULL, TRUE },
    { CS_DIRECTIVE_INCLUDE_FUNC, "f", 0, TRUE },
    { CS_DIRECTIVE_INCLUDE_FUNC, "f", -2, FALSE },
    { CS_DIRECTIVE_INCLUDE_FUNC, "operator new", 2, TRUE },
    { CS_DIRECTIVE_INCLUDE_FUNC, "f 2", CS_DEPTH_FULL, TRUE },
    { CS_DIRECTIVE_INCLUDE_FUNC, "f(int)", CS_DEPTH_FULL, FALSE },
    { CS_DIRECTIVE_EXCLUDE_FUNC, "a b", 0, TRUE },
    { CS_DIRECTIVE_EXCLUDE_FUNC, "operator\"\"_x", 0, TRUE },
    { CS_DIRECTIVE_COUNTER_FUNC, "f", 0, TRUE },
    { CS_DIRECTIVE_COUNTER_FUNC, "f", 3, TRUE },
    { CS_DIRECTIVE_COUNTER_FUNC, "f", CS_DEPTH_FULL, FALSE },
    { CS_DIRECTIVE_COUNTER, "cycles,r1", 0, TRUE },
    { CS_DIRECTIVE_COUNTER, "cycles,r1 # x", 0, FALSE },
    { CS_DIRECTIVE_COUNTER, "cycles ", 0, FALSE },
    { CS_DIRECTIVE_COUNTER_MIN, "20us", 0, TRUE },
    { CS_DIRECTIVE_COUNTER_MIN, "20", 0, TRUE },
    { CS_DIRECTIVE_COUNTER_MIN, "20 #", 0, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autoptr (CsTraceConfig) config = cs_trace_config_new ();
      g_autoptr (CsTraceConfig) again = NULL;
      g_autoptr (GError) error = NULL;
      gboolean taken = cs_trace_config_add (config, values[i].kind, values[i].value, values[i].depth, &error);
      g_autofree char *text = cs_trace_config_to_text (config);
      const CsDirective *directive;
      gsize count;

      if (taken != values[i].taken)
        g_error ("'%s': %s", values[i].value, taken ? "taken" : error->message);
      g_assert_true (taken == (error == NULL));
      again = parse (text);
      directive = cs_trace_config_get_directives (again, &count);
      g_assert_cmpuint (count, ==, taken);
      if (!taken)
        {
          g_assert_cmpstr (text, ==, "");
          continue;
        }
      g_assert_cmpint ((int) directive->kind, ==, (int) values[i].kind);
      g_assert_cmpstr (directive->value, ==, values[i].value);
      if (directive->kind == CS_DIRECTIVE_INCLUDE_FUNC || directive->kind == CS_DIRECTIVE_COUNTER_FUNC)
        g_assert_cmpint (directive->depth, ==, values[i].depth);
      if (directive->kind == CS_DIRECTIVE_COUNTER_MIN)
        g_assert_false (cs_trace_config_add (config, values[i].kind, "0", 0, NULL));
    }
}

/* Random texts of the pieces that matter, and random changes of those that are right. */
static void
test_fuzz (void)
{
  static const char *const pieces[] = {
    "include ", "exclude ", "include-func ", "exclude-func ", "counter ", "counter-func ", "counter-file ", "counter-min ",
    "\n", "\r\n", "\n", "\r", "#", " #", "\"", "\\", "\\\"", " ", "\t", "a", "src/", "**", "*", "[", "]", "..", "ä", "\xff", "f",
    "1", "-1", "cycles", ",", "r1f", "auto", "5us", "0", "<", ">", "operator", "\xef\xbb\xbf", "\001",
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (20260101);
  guint parsed = 0;

  for (guint round = 0; round < 30000; round++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (CsTraceConfig) config = NULL;
      guint n = (guint) g_rand_int_range (rand, 0, 14);

      for (guint i = 0; i < n; i++)
        g_string_append (text, pieces[g_rand_int_range (rand, 0, G_N_ELEMENTS (pieces))]);
      config = cs_trace_config_parse (text->str, (gssize) text->len, "f", NULL);
      if (config == NULL)
        continue;
      parsed++;
      assert_text (config, text->str);
      for (guint i = 0; i < 4; i++)
        {
          g_autofree char *before = cs_trace_config_to_text (config);
          g_autoptr (CsTraceConfig) again = NULL;
          g_autofree char *after = NULL;
          gsize count;

          cs_trace_config_get_directives (config, &count);
          if (count > 0 && g_rand_boolean (rand))
            cs_trace_config_remove (config, (gsize) g_rand_int_range (rand, 0, (int) count));
          else
            {
              g_autoptr (GString) value = g_string_new (NULL);

              for (guint j = (guint) g_rand_int_range (rand, 1, 4); j > 0; j--)
                g_string_append (value, pieces[g_rand_int_range (rand, 8, G_N_ELEMENTS (pieces))]);
              if (!cs_trace_config_add (config, (CsDirectiveKind) g_rand_int_range (rand, 0, 8), value->str,
                                        g_rand_int_range (rand, -1, 3), NULL))
                {
                  assert_text (config, before);
                  continue;
                }
            }
          after = cs_trace_config_to_text (config);
          again = parse (after);
          assert_text (again, after);
          g_assert_cmpuint (strlen (after), !=, strlen (before));
        }
    }
  g_assert_cmpuint (parsed, >, 1000);
}

static void
test_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("callsight-config-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "trace.config", NULL);
  g_autofree char *link = g_build_filename (folder, "link", NULL);
  g_autofree char *read = NULL;
  g_autoptr (CsTraceConfig) config = parse (sample);
  g_autoptr (CsTraceConfig) loaded = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = NULL;
  guint n_files = 0;
  struct stat st;

  g_assert_null (cs_trace_config_load (path, &error));
  g_assert_error (error, CS_TRACE_CONFIG_ERROR, CS_TRACE_CONFIG_ERROR_FILE);
  g_clear_error (&error);
  g_assert_null (cs_trace_config_load (folder, &error));
  g_assert_error (error, CS_TRACE_CONFIG_ERROR, CS_TRACE_CONFIG_ERROR_FILE);
  g_clear_error (&error);
  g_assert_true (cs_trace_config_save (config, path, NULL));
  g_assert_cmpint (g_chmod (path, 0640), ==, 0);
  g_assert_cmpint (symlink ("trace.config", link), ==, 0);
  g_assert_true (cs_trace_config_add (config, CS_DIRECTIVE_EXCLUDE, "z", 0, NULL));
  g_assert_true (cs_trace_config_save (config, link, NULL));
  g_assert_cmpint (lstat (link, &st), ==, 0);
  g_assert_true (S_ISLNK (st.st_mode));
  g_assert_cmpint (stat (path, &st), ==, 0);
  g_assert_cmpuint (st.st_mode & 07777, ==, 0640);
  g_assert_true (g_file_get_contents (path, &read, NULL, NULL));
  assert_text (config, read);
  loaded = cs_trace_config_load (path, NULL);
  assert_text (loaded, read);
  g_assert_cmpstr (cs_trace_config_get_name (loaded), ==, path);
  g_assert_false (cs_trace_config_save (config, folder, &error));
  g_assert_error (error, CS_TRACE_CONFIG_ERROR, CS_TRACE_CONFIG_ERROR_FILE);
  dir = g_dir_open (folder, 0, NULL);
  while (g_dir_read_name (dir) != NULL)
    n_files++;
  g_assert_cmpuint (n_files, ==, 2);
  g_unlink (path);
  g_unlink (link);
  g_rmdir (folder);
}

/* The starter says nothing, and its examples can be used as they are. */
static void
test_starter (void)
{
  g_autoptr (CsTraceConfig) config = parse (cs_trace_config_starter_text ());
  g_autoptr (GRegex) example = g_regex_new ("^#(?=[a-z])", G_REGEX_MULTILINE, 0, NULL);
  g_autofree char *used = g_regex_replace (example, cs_trace_config_starter_text (), -1, 0, "", 0, NULL);
  g_autoptr (CsTraceConfig) full = parse (used);
  gsize count;

  cs_trace_config_get_directives (config, &count);
  g_assert_cmpuint (count, ==, 0);
  for (guint kind = 0; kind <= CS_DIRECTIVE_COUNTER_MIN; kind++)
    g_assert_true (cs_trace_config_has (full, (CsDirectiveKind) kind));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-config/lines", test_lines);
  g_test_add_func ("/trace-config/bad", test_bad);
  g_test_add_func ("/trace-config/bytes", test_bytes);
  g_test_add_func ("/trace-config/long-lines", test_long_lines);
  g_test_add_func ("/trace-config/many-events", test_many_events);
  g_test_add_func ("/trace-config/edit", test_edit);
  g_test_add_func ("/trace-config/add", test_add);
  g_test_add_func ("/trace-config/fuzz", test_fuzz);
  g_test_add_func ("/trace-config/file", test_file);
  g_test_add_func ("/trace-config/starter", test_starter);
  return g_test_run ();
}
