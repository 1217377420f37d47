/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/cs-event-file.h"
#include "capture/cs-process-file.h"

/* docs/formats.md, section 4. */
#define FIRST_LINE "CALLSIGHT-PROCESS "
#define MAX_LINE (16 * 1024)
#define MAX_FILE (64 * 1024 * 1024)

/* Undoes the escapes of paths and names: \n, \\ and \xNN; other backslashes stay. */
static char *
unescape (const char *text)
{
  GString *plain = g_string_sized_new (strlen (text));

  for (const char *p = text; *p != '\0'; p++)
    {
      if (p[0] == '\\' && p[1] == 'x' && g_ascii_isxdigit (p[2]) && g_ascii_isxdigit (p[3]))
        {
          char c = (char) (g_ascii_xdigit_value (p[2]) * 16 + g_ascii_xdigit_value (p[3]));

          if (c != '\0')
            g_string_append_c (plain, c);
          p += 3;
        }
      else if (p[0] == '\\' && (p[1] == '\\' || p[1] == 'n'))
        g_string_append_c (plain, *++p == 'n' ? '\n' : '\\');
      else
        g_string_append_c (plain, *p);
    }
  return g_string_free (plain, FALSE);
}

static void
thread_name_free (gpointer data)
{
  CsThreadName *self = data;

  g_free (self->name);
  g_free (self);
}

static void
section_free (gpointer data)
{
  CsProcessSection *self = data;

  g_free (self->exe);
  g_clear_pointer (&self->map, cs_module_map_free);
  g_ptr_array_unref (self->modules);
  g_ptr_array_unref (self->threads);
  g_array_unref (self->marks);
  g_array_unref (self->clocks);
  g_hash_table_unref (self->loaded);
  g_free (self);
}

static CsProcessSection *
section_new (void)
{
  CsProcessSection *self = g_new0 (CsProcessSection, 1);

  self->modules = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_module_free);
  self->threads = g_ptr_array_new_with_free_func (thread_name_free);
  self->marks = g_array_new (FALSE, FALSE, sizeof (CsProcessMark));
  self->clocks = g_array_new (FALSE, FALSE, 2 * sizeof (guint64));
  self->loaded = g_hash_table_new (g_int64_hash, g_int64_equal);
  return self;
}

/* Takes the next word of *line as a number; FALSE (and *line somewhere) when it is none. */
static gboolean
take_number (char **line, guint base, guint64 *number)
{
  char *word = *line;
  char *end = strchrnul (word, ' ');
  g_autofree char *copy = g_strndup (word, (gsize) (end - word));

  *line = *end == ' ' ? end + 1 : end;
  return g_ascii_string_to_unsigned (copy, base, 0, G_MAXUINT64, number, NULL);
}

static char *
take_word (char **line)
{
  char *word = *line;
  char *end = strchrnul (word, ' ');

  *line = *end == ' ' ? end + 1 : end;
  return g_strndup (word, (gsize) (end - word));
}

static void
parse_module (CsProcessSection *section, char *line)
{
  guint64 since, bias, start, end;
  g_autofree char *build_id = NULL;
  CsModule *module;

  if (!take_number (&line, 10, &since) || !take_number (&line, 16, &bias) ||
      !take_number (&line, 16, &start) || !take_number (&line, 16, &end))
    return;
  build_id = take_word (&line);
  if (*line == '\0' || end <= start)
    return;

  module = g_new0 (CsModule, 1);
  module->since_ns = since;
  module->gone_ns = G_MAXUINT64;
  module->bias = bias;
  module->start = start;
  module->end = end;
  module->path = unescape (line);
  if (!g_str_equal (build_id, "-"))
    module->build_id = g_ascii_strdown (build_id, -1);
  g_ptr_array_add (section->modules, module);
  g_hash_table_replace (section->loaded, &module->start, module);
}

static void
parse_module_gone (CsProcessSection *section, char *line)
{
  guint64 when, start;
  CsModule *module;

  if (!take_number (&line, 10, &when) || !take_number (&line, 16, &start))
    return;
  module = g_hash_table_lookup (section->loaded, &start);
  if (module == NULL)
    return;
  module->gone_ns = MAX (when, module->since_ns);
  g_hash_table_remove (section->loaded, &start);
}

static void
parse_thread (CsProcessSection *section, char *line)
{
  guint64 tid, seq;
  CsThreadName *thread;

  if (!take_number (&line, 10, &tid) || !take_number (&line, 10, &seq) || tid > G_MAXUINT32)
    return;
  thread = g_new0 (CsThreadName, 1);
  thread->tid = (guint) tid;
  thread->seq = seq;
  thread->name = unescape (line);
  g_ptr_array_add (section->threads, thread);
}

static void
parse_mark (CsProcessSection *section, char *line)
{
  CsProcessMark mark;
  guint64 tid;

  if (!take_number (&line, 10, &tid) || !take_number (&line, 10, &mark.code) ||
      !take_number (&line, 10, &mark.payload) || tid > G_MAXUINT32)
    return;
  mark.tid = (guint) tid;
  g_array_append_val (section->marks, mark);
}

static void
parse_clock (CsProcessSection *section, char *line)
{
  guint64 pair[2];

  if (take_number (&line, 10, &pair[0]) && take_number (&line, 10, &pair[1]))
    g_array_append_val (section->clocks, pair);
}

static void
parse_line (CsProcessSection *section, char *line)
{
  g_autofree char *key = take_word (&line);
  guint64 number;

  if (g_str_equal (key, "module"))
    parse_module (section, line);
  else if (g_str_equal (key, "module-gone"))
    parse_module_gone (section, line);
  else if (g_str_equal (key, "clock"))
    parse_clock (section, line);
  else if (g_str_equal (key, "thread"))
    parse_thread (section, line);
  else if (g_str_equal (key, "mark"))
    parse_mark (section, line);
  else if (g_str_equal (key, "exe"))
    {
      g_free (section->exe);
      section->exe = unescape (line);
    }
  else if (g_str_equal (key, "hooks"))
    section->after_inlining = g_str_equal (line, "after-inlining");
  else if (g_str_equal (key, "pid") && take_number (&line, 10, &number))
    section->pid = (guint) number;
  else if (g_str_equal (key, "parent") && take_number (&line, 10, &number))
    section->parent = (guint) number;
  else if (g_str_equal (key, "start-monotonic-ns") && take_number (&line, 10, &number))
    section->start_ns = number;
  else if (g_str_equal (key, "start-realtime-ns") && take_number (&line, 10, &number))
    section->realtime_ns = number;
}

/**
 * cs_process_file_parse:
 * @text: (array length=length): a process file's content
 * @length: bytes
 *
 * Unknown first words, lines of over 16 KiB and an unterminated last line are ignored.
 *
 * Returns: (transfer full) (element-type CsProcessSection): a section for each image
 */
GPtrArray *
cs_process_file_parse (const char *text, gsize length)
{
  GPtrArray *sections = g_ptr_array_new_with_free_func (section_free);
  const char *end = text + length;
  const char *newline;

  for (; (newline = memchr (text, '\n', (gsize) (end - text))) != NULL; text = newline + 1)
    {
      g_autofree char *line = NULL;

      if (newline - text > MAX_LINE || memchr (text, '\0', (gsize) (newline - text)) != NULL)
        continue;
      line = g_strndup (text, (gsize) (newline - text));
      if (g_str_has_prefix (line, FIRST_LINE))
        g_ptr_array_add (sections, section_new ());
      else if (sections->len > 0)
        parse_line (g_ptr_array_index (sections, sections->len - 1), line);
    }
  return sections;
}

static gint
compare_clocks (gconstpointer a, gconstpointer b)
{
  const guint64 *x = a, *y = b;

  return x[0] < y[0] ? -1 : x[0] > y[0];
}

/* A time of a module as a timestamp of events: as the process file tells, or computed. */
static guint64
find_timestamp (const CsProcessSection *self, const CsClock *clock, guint64 ns)
{
  guint index;

  if (g_array_binary_search (self->clocks, &ns, compare_clocks, &index))
    return ((const guint64 *) (gconstpointer) self->clocks->data)[2 * index + 1];
  return ns == G_MAXUINT64 ? ns : cs_clock_from_ns (clock, ns);
}

/**
 * cs_process_section_set_clock:
 * @self: a section
 * @clock: how timestamps of the section's events become ns
 *
 * Makes the map of the section's modules. Their times are compared with those of events as
 * they were recorded: the rate of ticks is a mean over the run, and may be some microseconds off
 * between its ends.
 */
void
cs_process_section_set_clock (CsProcessSection *self, const CsClock *clock)
{
  g_array_sort (self->clocks, compare_clocks);
  for (guint i = 0; i < self->modules->len; i++)
    {
      CsModule *module = g_ptr_array_index (self->modules, i);

      module->since = find_timestamp (self, clock, module->since_ns);
      module->gone = find_timestamp (self, clock, module->gone_ns);
    }
  g_clear_pointer (&self->map, cs_module_map_free);
  self->map = cs_module_map_new (self->modules);
}

/**
 * cs_process_section_is_executable:
 * @self: a section
 * @module: one of its modules
 *
 * Returns: whether it is the program itself: what the section names so, or else its first module
 */
gboolean
cs_process_section_is_executable (const CsProcessSection *self, const CsModule *module)
{
  if (self->exe != NULL)
    return g_str_equal (self->exe, module->path);
  return module == g_ptr_array_index (self->modules, 0);
}

/**
 * cs_process_file_read:
 * @path: a process file
 * @error: where to say why it can't be read
 *
 * Returns: (transfer full) (element-type CsProcessSection) (nullable): its sections
 */
GPtrArray *
cs_process_file_read (const char *path, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *text = NULL;
  g_autoptr (GError) local = NULL;
  struct stat st;
  gsize length;

  if (g_stat (path, &st) != 0 || !S_ISREG (st.st_mode))
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_FORMAT, "%s is not a regular file", name);
      return NULL;
    }
  if (st.st_size > MAX_FILE)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_FORMAT,
                   "%s is larger than a process file may be (%d MiB)", name, MAX_FILE >> 20);
      return NULL;
    }
  if (!g_file_get_contents (path, &text, &length, &local))
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ, "%s can't be read: %s", name,
                   local->message);
      return NULL;
    }
  if (!g_str_has_prefix (text, FIRST_LINE))
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_FORMAT,
                   "%s is no process file: it doesn't begin with %s", name, FIRST_LINE);
      return NULL;
    }
  return cs_process_file_parse (text, length);
}
