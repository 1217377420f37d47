/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "selection/cs-scan-file.h"

/* A larger file is no source that a person wrote. */
#define LARGEST_SOURCE (64 * 1024 * 1024)
/* Names of one file, bytes: more come of a text that was made to take memory. */
#define LARGEST_TEXTS (64 * 1024 * 1024)
/* So many functions of one line are compared with those of another scan. */
#define MOST_IN_LINE 64
#define MISLED (-2)

/**
 * cs_scan_file_new:
 *
 * Returns: (transfer full): nothing found yet
 */
CsScanFile *
cs_scan_file_new (void)
{
  CsScanFile *self = g_new0 (CsScanFile, 1);

  g_atomic_ref_count_init (&self->references);
  self->entries = g_array_new (FALSE, FALSE, sizeof (CsScanEntry));
  self->classes = g_array_new (FALSE, FALSE, sizeof (CsScanEntry));
  self->texts = g_string_new (NULL);
  g_string_append_c (self->texts, '\0');
  return self;
}

/**
 * cs_scan_file_ref:
 * @self: what was found, which doesn't change any more
 *
 * Returns: (transfer full): it, once more
 */
CsScanFile *
cs_scan_file_ref (CsScanFile *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * cs_scan_file_clear:
 * @self: what was found
 *
 * Forgets it.
 */
void
cs_scan_file_clear (CsScanFile *self)
{
  g_array_set_size (self->entries, 0);
  g_array_set_size (self->classes, 0);
  g_string_truncate (self->texts, 1);
  self->doubtful = self->fell_back = self->unread = FALSE;
}

/**
 * cs_scan_file_free:
 * @self: (transfer full) (nullable): what was found
 */
void
cs_scan_file_free (CsScanFile *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->references))
    return;
  g_array_unref (self->entries);
  g_array_unref (self->classes);
  g_string_free (self->texts, TRUE);
  g_free (self);
}

/**
 * cs_scan_file_list:
 * @self: what was found, finished
 * @file: the number of the file
 * @functions: (out caller-allocates): where to put the functions, one for each entry; their texts stay in @self
 */
void
cs_scan_file_list (const CsScanFile *self, guint file, CsSourceFunction *functions)
{
  const char *texts = self->texts->str;

  for (guint i = 0; i < self->entries->len; i++)
    {
      const CsScanEntry *entry = &g_array_index (self->entries, CsScanEntry, i);

      functions[i] = (CsSourceFunction){
        .name = texts + entry->name,
        .scope = entry->scope != 0 ? texts + entry->scope : NULL,
        .signature = entry->signature != 0 ? texts + entry->signature : NULL,
        .file = file,
        .line = entry->line,
        .end = entry->end,
        .flags = entry->flags,
      };
    }
}

static guint32
add_text (CsScanFile *self, const char *text)
{
  guint32 offset = (guint32) self->texts->len;

  if (text == NULL || text[0] == '\0')
    return 0;
  g_string_append_len (self->texts, text, (gssize) strlen (text) + 1);
  return offset;
}

/**
 * cs_scan_file_add:
 * @self: what was found so far
 * @function: a definition; its texts are copied, its file is not looked at
 *
 * Where a file's texts take more memory than any real one's, nothing is added any more.
 */
void
cs_scan_file_add (CsScanFile *self, const CsSourceFunction *function)
{
  CsScanEntry entry = { .line = function->line, .end = function->end, .flags = function->flags };
  guint32 last = self->entries->len > 0 ? g_array_index (self->entries, CsScanEntry, self->entries->len - 1).scope : 0;

  if (self->texts->len > LARGEST_TEXTS)
    return;
  entry.name = add_text (self, function->name);
  /* Methods of a class come one after the other. */
  entry.scope = last != 0 && g_strcmp0 (self->texts->str + last, function->scope) == 0 ? last
                                                                                     : add_text (self, function->scope);
  entry.signature = add_text (self, function->signature);
  g_array_append_val (self->entries, entry);
}

/**
 * cs_scan_file_add_class:
 * @self: what was found so far
 * @named: a class: its name, the scope around it, its line, and whether it has parameters
 *
 * Notes a class, to which C++ may add functions that nobody wrote.
 */
void
cs_scan_file_add_class (CsScanFile *self, const CsSourceFunction *named)
{
  CsScanEntry entry = { .line = named->line, .flags = named->flags };

  if (self->texts->len > LARGEST_TEXTS)
    return;
  entry.name = add_text (self, named->name);
  entry.scope = add_text (self, named->scope);
  g_array_append_val (self->classes, entry);
}

static int
compare_entries (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const CsScanEntry *one = a;
  const CsScanEntry *two = b;
  const char *texts = user_data;

  if (one->line != two->line)
    return one->line < two->line ? -1 : 1;
  if (one->name != two->name)
    {
      int order = strcmp (texts + one->name, texts + two->name);

      if (order != 0)
        return order;
    }
  return strcmp (texts + one->scope, texts + two->scope);
}

/**
 * cs_scan_file_finish:
 * @self: all that was found in a file
 *
 * Puts it into the order of lines, each definition once.
 */
void
cs_scan_file_finish (CsScanFile *self)
{
  guint kept = 0;

  g_array_sort_with_data (self->entries, compare_entries, self->texts->str);
  for (guint i = 0; i < self->entries->len; i++)
    {
      const CsScanEntry *entry = &g_array_index (self->entries, CsScanEntry, i);

      if (kept == 0 || compare_entries (&g_array_index (self->entries, CsScanEntry, kept - 1), entry,
                                        self->texts->str) != 0)
        g_array_index (self->entries, CsScanEntry, kept++) = *entry;
    }
  g_array_set_size (self->entries, kept);
}

static CsScanEntry *
get_entry (const CsScanFile *self, guint i)
{
  return &g_array_index (self->entries, CsScanEntry, i);
}

static const char *
get_text (const CsScanFile *self, guint32 offset)
{
  return self->texts->str + offset;
}

/* Whether two scans mean one name: ctags takes letters beyond ASCII for the end of a name, and what stands behind the last
 * of them for all of it. */
static gboolean
is_same_name (const char *a, const char *b)
{
  gsize length_a = strlen (a), length_b = strlen (b);
  const char *longer = length_a > length_b ? a : b;
  gsize more = length_a > length_b ? length_a - length_b : length_b - length_a;

  if (more == 0)
    return strcmp (a, b) == 0;
  return (guchar) longer[more - 1] >= 0x80 && strcmp (longer + more, longer == a ? b : a) == 0;
}

/* For each entry of @self the one of @other with its name and line, or -1. Both are in order. */
static int *
match (const CsScanFile *self, const CsScanFile *other)
{
  int *matches = g_new (int, MAX (self->entries->len, 1));
  guint from = 0;

  for (guint i = 0; i < self->entries->len; i++)
    {
      const CsScanEntry *entry = get_entry (self, i);

      matches[i] = -1;
      while (from < other->entries->len && get_entry (other, from)->line < entry->line)
        from++;
      for (guint j = from; j < other->entries->len && get_entry (other, j)->line == entry->line && j - from < MOST_IN_LINE; j++)
        if (is_same_name (get_text (other, get_entry (other, j)->name), get_text (self, entry->name)))
          matches[i] = (int) j;
    }
  return matches;
}

static void
add_entry (CsScanFile *self, const CsScanFile *other, const CsScanEntry *entry)
{
  const CsSourceFunction function = {
    .name = get_text (other, entry->name),
    .scope = get_text (other, entry->scope),
    .signature = get_text (other, entry->signature),
    .line = entry->line,
    .end = entry->end,
    .flags = entry->flags,
  };

  cs_scan_file_add (self, &function);
}

/* Takes what the built-in scan knows better of a function that both found. */
static void
amend (CsScanFile *self, CsScanEntry *entry, const CsScanFile *built_in, const CsScanEntry *better)
{
  if (entry->end == 0)
    entry->end = better->end;
  if (entry->signature == 0)
    entry->signature = add_text (self, get_text (built_in, better->signature));
  if (strlen (get_text (built_in, better->name)) > strlen (get_text (self, entry->name)))
    entry->name = add_text (self, get_text (built_in, better->name));
  if (built_in->doubtful || (entry->flags & CS_FUNCTION_CPLUSPLUS) == 0)
    return;
  entry->flags = better->flags;
  if (strcmp (get_text (self, entry->scope), get_text (built_in, better->scope)) != 0)
    entry->scope = add_text (self, get_text (built_in, better->scope));
}

/**
 * cs_scan_file_reconcile:
 * @self: what ctags found in a file, finished
 * @built_in: what the built-in scan found in it, finished
 *
 * Puts together what two scans say. A macro with parentheses and no semicolon makes ctags take the function behind
 * it for the macro's body: a function of ctags that the built-in scan doesn't see gives way to functions that begin
 * inside of it and that ctags doesn't see. Functions that lie in none of ctags' are added. Of what both see, ctags
 * tells the end; the scope and what is a template are the built-in scan's, which knows friends and macros that
 * open a namespace, unless the file's braces don't agree. What ctags alone sees stays.
 */
void
cs_scan_file_reconcile (CsScanFile *self, const CsScanFile *built_in)
{
  g_autofree int *matches = match (self, built_in);
  g_autofree int *matched = match (built_in, self);
  guint n = self->entries->len;
  guint32 covered = 0; /* the last line of ctags' functions so far */
  guint next = 0;
  guint from = 0;

  for (guint i = 0; i < n; i++)
    if (matches[i] >= 0)
      amend (self, get_entry (self, i), built_in, get_entry (built_in, (guint) matches[i]));
  for (guint j = 0; j < built_in->entries->len; j++)
    {
      const CsScanEntry *entry = get_entry (built_in, j);
      gboolean misled = FALSE;
      gboolean twin;

      if (matched[j] >= 0)
        continue;
      /* The functions of ctags that begin before this one, the last of which may hold it. */
      for (; next < n && get_entry (self, next)->line < entry->line; next++)
        {
          covered = MAX (covered, get_entry (self, next)->end);
          from = next;
        }
      if (n > 0 && get_entry (self, from)->line < entry->line && get_entry (self, from)->end >= entry->line &&
          matches[from] < 0)
        {
          misled = TRUE;
          matches[from] = MISLED;
        }
      else if (n > 0 && matches[from] == MISLED && get_entry (self, from)->end >= entry->line)
        misled = TRUE;
      /* Two heads of one body, of which a condition takes one: both are there. Else it is another name for it. */
      twin = n > 0 && matches[from] >= 0 && get_entry (built_in, (guint) matches[from])->end == entry->end;
      if (!misled && !twin && (covered >= entry->line || (next < n && get_entry (self, next)->line <= entry->end)))
        continue;
      add_entry (self, built_in, entry);
    }
  for (guint i = n; i > 0; i--)
    if (matches[i - 1] == MISLED)
      g_array_remove_index (self->entries, i - 1);
  cs_scan_file_finish (self);
}

/**
 * cs_scan_read_file:
 * @path: a source
 * @length: (out): its bytes
 * @error: where to say why it can't be read
 *
 * Reads a regular file that isn't larger than sources are.
 *
 * Returns: (transfer full) (nullable): its text, with a NUL behind it
 */
char *
cs_scan_read_file (const char *path, gsize *length, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  g_autofree char *text = NULL;
  struct stat status;
  gsize size = 0;
  gssize got = 0;

  *length = 0;
  if (fd < 0 || fstat (fd, &status) != 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s", g_strerror (errno));
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  if (!S_ISREG (status.st_mode) || status.st_size > LARGEST_SOURCE)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s",
                   S_ISREG (status.st_mode) ? "it is larger than 64 MiB" : "it is no regular file");
      close (fd);
      return NULL;
    }
  text = g_malloc ((gsize) status.st_size + 1);
  while (size < (gsize) status.st_size && (got = read (fd, text + size, (gsize) status.st_size - size)) > 0)
    size += (gsize) got;
  close (fd);
  if (got < 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s", g_strerror (errno));
      return NULL;
    }
  text[size] = '\0';
  *length = size;
  return g_steal_pointer (&text);
}
