/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "selection/cs-function-name.h"
#include "selection/cs-line-text.h"
#include "selection/cs-selection-file-private.h"

#define MAGIC "CALLSIGHT-SELECTION "
#define VERSION "1"
/* Ten times what a large kernel's tree takes. */
#define LARGEST_FILE (512 * 1024 * 1024)
#define REFRESH "make it anew with callsight-cli scan DIR --write FILE, or build"

/* A file that is being read. */
typedef struct
{
  CsSelectionFile *file;
  const char *path;
  guint line; /* from 1 */
  gboolean in_files;
  GError **error;
} Parser;

G_GNUC_PRINTF (2, 3)
static gboolean
refuse (Parser *self, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (self->error, CS_SELECTION_ERROR, CS_SELECTION_ERROR_FILE,
               "%s:%u: %s — " REFRESH, self->path, self->line, what);
  return FALSE;
}

/* Takes a whole number and the blank behind it. */
static gboolean
take_number (char **text, guint64 *number)
{
  char *end = *text + strspn (*text, "0123456789");
  char *stop;

  if (end == *text || *end != ' ')
    return FALSE;
  errno = 0;
  *number = g_ascii_strtoull (*text, &stop, 10);
  if (errno != 0 || stop != end)
    return FALSE;
  *text = end + 1;
  return TRUE;
}

static gboolean
take_stamp (char **text, gint64 *mtime_ns, guint64 *size)
{
  gboolean before_1970 = **text == '-';
  guint64 mtime;

  *text += before_1970;
  if (!take_number (text, &mtime) || mtime > G_MAXINT64 || !take_number (text, size))
    return FALSE;
  *mtime_ns = before_1970 ? -(gint64) mtime : (gint64) mtime;
  return TRUE;
}

/* Takes one of two words. */
static gboolean
take_word (Parser *self, const char *key, const char *value, const char *no, const char *yes, gboolean *is_yes)
{
  *is_yes = g_str_equal (value, yes);
  if (*is_yes || g_str_equal (value, no))
    return TRUE;
  return refuse (self, "%s must be %s or %s", key, no, yes);
}

static gboolean
read_head_line (Parser *self, char *line)
{
  CsSelectionFile *file = self->file;
  CsSelectionFileOptions *options = &file->options;
  char *value = strchr (line, ' ');

  if (g_str_equal (line, "files"))
    {
      self->in_files = TRUE;
      return file->root != NULL && file->config != NULL ? TRUE : refuse (self, "root or config is missing");
    }
  if (value == NULL)
    return TRUE;
  *value++ = '\0';
  if (g_str_equal (line, "config") && !take_stamp (&value, &file->config_mtime_ns, &file->config_size))
    return refuse (self, "config must be time, size and path");
  if (!cs_line_text_read (value))
    return refuse (self, "an escape that there is not");

  if (g_str_equal (line, "root"))
    {
      if (!g_path_is_absolute (value))
        return refuse (self, "root must be an absolute path");
      file->root = value;
    }
  else if (g_str_equal (line, "config"))
    file->config = value;
  else if (g_str_equal (line, "runtime"))
    options->runtime = value;
  else if (g_str_equal (line, "command"))
    options->command = value;
  else if (g_str_equal (line, "mirror"))
    g_ptr_array_add (file->mirrors, value);
  else if (g_str_equal (line, "exclude-func"))
    g_ptr_array_add (file->exclude_funcs, value);
  else if (g_str_equal (line, "hooks"))
    return take_word (self, line, value, "before-inlining", "after-inlining", &options->after_inlining);
  else if (g_str_equal (line, "functions"))
    return take_word (self, line, value, "refuse", "widen", &options->widen);
  else if (g_str_equal (line, "inlining"))
    return take_word (self, line, value, "yes", "no", &options->no_inline);
  return TRUE;
}

static gboolean
read_function (Parser *self, char *line)
{
  CsSelectionFile *file = self->file;
  CsSelectionFileFunction function = { .chosen = line[1] == '+' };

  if ((line[1] != '+' && line[1] != '-') || line[2] == '\0' || !cs_line_text_read (line + 2))
    return refuse (self, "no function's line: a tab, + or -, and a name");
  if (file->entries->len == 0)
    return refuse (self, "a function before any file");
  function.name = line + 2;
  g_array_append_val (file->functions, function);
  g_array_index (file->entries, CsSelectionFileEntry, file->entries->len - 1).n_functions++;
  return TRUE;
}

static gboolean
read_entry (Parser *self, char *line)
{
  CsSelectionFile *file = self->file;
  CsSelectionFileEntry entry = { NULL };
  char *rest = line + 2;

  switch (line[0])
    {
    case '\t':
      return read_function (self, line);
    case '+':
      entry.choice = CS_FILE_CHOSEN;
      break;
    case '%':
      entry.choice = CS_FILE_PARTLY_CHOSEN;
      break;
    case '-':
      entry.choice = CS_FILE_NOT_CHOSEN;
      break;
    default:
      return refuse (self, "no file's line: +, %% or -, time, size and path");
    }
  if (line[1] != ' ' || !take_stamp (&rest, &entry.mtime_ns, &entry.size) || *rest == '\0' || !cs_line_text_read (rest))
    return refuse (self, "no file's line: +, %% or -, time, size and path");
  entry.path = rest;
  if (file->entries->len > 0 &&
      strcmp (g_array_index (file->entries, CsSelectionFileEntry, file->entries->len - 1).path, rest) >= 0)
    return refuse (self, "files must be in the order of their paths, each once");
  if (file->entries->len == G_MAXUINT32)
    return refuse (self, "too many files");
  g_array_append_val (file->entries, entry);
  return TRUE;
}

/* Where all lie is known once all are read. */
static void
connect_functions (CsSelectionFile *self)
{
  gsize first = 0;

  for (guint i = 0; i < self->entries->len; i++)
    {
      CsSelectionFileEntry *entry = &g_array_index (self->entries, CsSelectionFileEntry, i);

      if (entry->n_functions > 0)
        entry->functions = &g_array_index (self->functions, CsSelectionFileFunction, first);
      first += entry->n_functions;
    }
}

static const char *
basename_of (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash != NULL ? slash + 1 : path;
}

static void
index_entries (CsSelectionFile *self)
{
  self->by_basename = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_array_unref);
  for (guint i = 0; i < self->entries->len; i++)
    {
      const char *name = basename_of (g_array_index (self->entries, CsSelectionFileEntry, i).path);
      GArray *same = g_hash_table_lookup (self->by_basename, name);

      if (same == NULL)
        {
          same = g_array_new (FALSE, FALSE, sizeof (guint));
          g_hash_table_insert (self->by_basename, (gpointer) name, same);
        }
      g_array_append_val (same, i);
    }
}

static gboolean
parse (Parser *self, gsize size)
{
  char *text = self->file->text;
  char *end = text + size;

  self->line = 1;
  if (!g_str_has_prefix (text, MAGIC))
    return refuse (self, "this is no selection file");
  for (char *next; text < end; text = next, self->line++)
    {
      char *newline = memchr (text, '\n', (gsize) (end - text));

      if (newline == NULL)
        return refuse (self, "the file is cut short");
      *newline = '\0';
      next = newline + 1;
      if (strlen (text) != (gsize) (newline - text))
        return refuse (self, "a NUL byte");
      if (self->line == 1)
        {
          if (!g_str_equal (text + strlen (MAGIC), VERSION))
            return refuse (self, "a selection file of another version");
        }
      else if (!(self->in_files ? read_entry : read_head_line) (self, text))
        return FALSE;
    }
  return self->in_files ? TRUE : refuse (self, "the file is cut short");
}

/* Reads a file that is no pipe or device, and not too large. */
static char *
read_file (const char *path, gsize *size, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const char *why = NULL;
  char *text = NULL;
  struct stat info;

  *size = 0;
  if (fd < 0 || fstat (fd, &info) < 0)
    why = g_strerror (errno);
  else if (!S_ISREG (info.st_mode))
    why = "it is no regular file";
  else if (info.st_size > LARGEST_FILE || (text = g_try_malloc ((gsize) info.st_size + 1)) == NULL)
    why = "it is too large";
  while (why == NULL && *size < (gsize) info.st_size)
    {
      gssize n = read (fd, text + *size, (gsize) info.st_size - *size);

      if (n < 0 && errno != EINTR)
        why = g_strerror (errno);
      if (n == 0)
        break;
      *size += n > 0 ? (gsize) n : 0;
    }
  if (fd >= 0)
    close (fd);
  if (why == NULL)
    {
      text[*size] = '\0';
      return text;
    }
  g_set_error (error, CS_SELECTION_ERROR, CS_SELECTION_ERROR_FILE,
               "Can't read the selection file %s: %s — " REFRESH, path, why);
  g_free (text);
  return NULL;
}

/**
 * cs_selection_file_load:
 * @path: a selection file
 * @error: return location for a #GError, of CS_SELECTION_ERROR
 *
 * Reads a selection file (docs/formats.md, Selection). Words of its head that aren't known are
 * left out.
 *
 * Returns: (transfer full) (nullable): what it says, or %NULL with @error set: the file can't be
 *   read or isn't whole
 */
CsSelectionFile *
cs_selection_file_load (const char *path, GError **error)
{
  g_autoptr (CsSelectionFile) self = NULL;
  Parser parser = { .path = path, .error = error };
  gsize size;
  char *text;

  g_return_val_if_fail (path != NULL, NULL);

  text = read_file (path, &size, error);
  if (text == NULL)
    return NULL;
  self = parser.file = g_new0 (CsSelectionFile, 1);
  self->text = text;
  self->mirrors = g_ptr_array_new ();
  self->exclude_funcs = g_ptr_array_new ();
  self->entries = g_array_new (FALSE, FALSE, sizeof (CsSelectionFileEntry));
  self->functions = g_array_new (FALSE, FALSE, sizeof (CsSelectionFileFunction));
  self->reduced = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  g_mutex_init (&self->mutex);
  if (!parse (&parser, size))
    return NULL;
  g_ptr_array_add (self->mirrors, NULL);
  self->options.mirrors = (const char *const *) self->mirrors->pdata;
  connect_functions (self);
  index_entries (self);
  return g_steal_pointer (&self);
}

/**
 * cs_selection_file_free:
 * @self: (transfer full) (nullable): a selection file
 */
void
cs_selection_file_free (CsSelectionFile *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->by_basename, g_hash_table_unref);
  g_hash_table_unref (self->reduced);
  g_ptr_array_unref (self->mirrors);
  g_ptr_array_unref (self->exclude_funcs);
  g_array_unref (self->entries);
  g_array_unref (self->functions);
  g_mutex_clear (&self->mutex);
  g_free (self->text);
  g_free (self);
}

/**
 * cs_selection_file_get_root:
 * @self: a selection file
 *
 * Returns: (transfer none): the folder that its paths are relative to
 */
const char *
cs_selection_file_get_root (const CsSelectionFile *self)
{
  return self->root;
}

/**
 * cs_selection_file_get_config:
 * @self: a selection file
 *
 * Returns: (transfer none): path of the trace.config that it was made of
 */
const char *
cs_selection_file_get_config (const CsSelectionFile *self)
{
  return self->config;
}

/**
 * cs_selection_file_get_options:
 * @self: a selection file
 *
 * Returns: (transfer none): what its head says besides
 */
const CsSelectionFileOptions *
cs_selection_file_get_options (const CsSelectionFile *self)
{
  return &self->options;
}

/**
 * cs_selection_file_get_entries:
 * @self: a selection file
 * @count: (out): how many
 *
 * Returns: (array length=count) (transfer none): its sources and headers, in the order of their
 *   paths' bytes
 */
const CsSelectionFileEntry *
cs_selection_file_get_entries (const CsSelectionFile *self, gsize *count)
{
  *count = self->entries->len;
  return (const CsSelectionFileEntry *) (gconstpointer) self->entries->data;
}

static gint64
to_ns (struct timespec time)
{
  return (gint64) time.tv_sec * G_GINT64_CONSTANT (1000000000) + time.tv_nsec;
}

/* When a file became another than it was, in ns; 0: it didn't. */
static gint64
find_change (const char *path, gint64 mtime_ns, guint64 size)
{
  struct stat info;

  if (stat (path, &info) < 0)
    return G_MAXINT64;
  return (guint64) info.st_size != size || to_ns (info.st_mtim) != mtime_ns ? to_ns (info.st_ctim) : 0;
}

/**
 * cs_selection_file_find_change:
 * @self: a selection file
 *
 * Looks at the files now: one stat() each for trace.config and the partly chosen ones.
 *
 * Returns: when the last of them became another than the selection was made of, in ns since 1970: %G_MAXINT64 if one
 *   isn't there any more, 0 if all are as they were
 */
gint64
cs_selection_file_find_change (const CsSelectionFile *self)
{
  gint64 last = find_change (self->config, self->config_mtime_ns, self->config_size);

  for (guint i = 0; i < self->entries->len; i++)
    {
      const CsSelectionFileEntry *entry = &g_array_index (self->entries, CsSelectionFileEntry, i);
      g_autofree char *path = NULL;
      gint64 change;

      if (entry->choice != CS_FILE_PARTLY_CHOSEN || (entry->mtime_ns == 0 && entry->size == 0))
        continue;
      path = g_build_filename (self->root, entry->path, NULL);
      change = find_change (path, entry->mtime_ns, entry->size);
      last = MAX (last, change);
    }
  return last;
}

/**
 * cs_selection_file_is_stale:
 * @self: a selection file
 *
 * Returns: whether trace.config or a partly chosen file isn't any more what the selection was made of
 */
gboolean
cs_selection_file_is_stale (const CsSelectionFile *self)
{
  return cs_selection_file_find_change (self) != 0;
}

static int
compare_paths (gconstpointer key, gconstpointer entry)
{
  return strcmp (key, ((const CsSelectionFileEntry *) entry)->path);
}

static const CsSelectionFileEntry *
find_relative (const CsSelectionFile *self, const char *path)
{
  return self->entries->len == 0 ? NULL
                                 : bsearch (path, self->entries->data, self->entries->len,
                                            sizeof (CsSelectionFileEntry), compare_paths);
}

/* The part of a path below a folder; NULL: it isn't. */
static const char *
below (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  while (length > 0 && folder[length - 1] == '/')
    length--;
  return strncmp (path, folder, length) == 0 && path[length] == '/' && path[length + 1] != '\0' ? path + length + 1
                                                                                              : NULL;
}

/* How many last components two paths share. *whole: that is all of one of them. */
static guint
count_shared (const char *a, const char *b, gboolean *whole)
{
  gsize i = strlen (a), j = strlen (b);
  guint shared = 0;

  while (i > 0 && j > 0 && a[i - 1] == b[j - 1])
    {
      i--;
      j--;
      if (a[i] == '/')
        shared++;
    }
  *whole = (i == 0 && (j == 0 || b[j - 1] == '/')) || (j == 0 && i > 0 && a[i - 1] == '/');
  return shared + (*whole ? 1 : 0);
}

/* The one file that shares most last components with a path: all of either, or two at least. */
static const CsSelectionFileEntry *
find_by_end (const CsSelectionFile *self, const char *path)
{
  const GArray *same = g_hash_table_lookup (self->by_basename, basename_of (path));
  const CsSelectionFileEntry *best = NULL;
  guint most = 0;

  for (guint i = 0; same != NULL && i < same->len; i++)
    {
      const CsSelectionFileEntry *entry =
        &g_array_index (self->entries, CsSelectionFileEntry, g_array_index (same, guint, i));
      gboolean whole;
      guint shared = count_shared (entry->path, path, &whole);

      if (shared > most)
        best = whole || shared >= 2 ? entry : NULL;
      else if (shared == most)
        best = NULL;
      most = MAX (most, shared);
    }
  return best;
}

/**
 * cs_selection_file_find:
 * @self: a selection file
 * @path: a source's path, absolute or as debug information spells it
 *
 * Looks for the file below the root and the mirrors; elsewhere for the one whose path ends as
 * @path does, if there is one that shares more last components with it than any other.
 *
 * Returns: (nullable) (transfer none): what the selection says of it; %NULL: it is no file of the selection
 */
const CsSelectionFileEntry *
cs_selection_file_find (const CsSelectionFile *self, const char *path)
{
  g_autofree char *absolute = NULL;
  const CsSelectionFileEntry *entry;
  const char *relative;

  /* What a relative path is relative to isn't known: leading ./ and ../ go. */
  absolute = g_canonicalize_filename (path, "/");
  for (guint i = 0; self->options.mirrors[i] != NULL; i++)
    {
      relative = below (absolute, self->options.mirrors[i]);
      if (relative != NULL && (entry = find_relative (self, relative)) != NULL)
        return entry;
    }
  relative = below (absolute, self->root);
  if (relative != NULL)
    return find_relative (self, relative);
  return find_by_end (self, absolute + 1);
}

/* Reduced names of a file's functions. Of those that can't be told apart one that is chosen decides. */
static GHashTable *
get_reduced (const CsSelectionFile *self, const CsSelectionFileEntry *entry)
{
  GHashTable *names = g_hash_table_lookup (self->reduced, entry);

  if (names != NULL)
    return names;
  names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (gsize i = 0; i < entry->n_functions; i++)
    {
      g_autofree char *name = cs_function_name_reduce (entry->functions[i].name, NULL);
      int choice = entry->functions[i].chosen ? CS_CHOICE_YES : CS_CHOICE_NO;

      choice = MAX (choice, GPOINTER_TO_INT (g_hash_table_lookup (names, name)));
      g_hash_table_insert (names, g_steal_pointer (&name), GINT_TO_POINTER (choice));
    }
  g_hash_table_insert (self->reduced, (gpointer) entry, names);
  return names;
}

/**
 * cs_selection_file_excludes_name:
 * @self: a selection file
 * @name: a function's name with its scope and the arguments of templates
 *
 * The functions that a selection lists have no such arguments: there, exclude-func is accounted for without them.
 *
 * Returns: whether an exclude-func line of the selection names a part of it
 */
gboolean
cs_selection_file_excludes_name (const CsSelectionFile *self, const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, FALSE);

  for (guint i = 0; i < self->exclude_funcs->len; i++)
    if (strstr (name, self->exclude_funcs->pdata[i]) != NULL)
      return TRUE;
  return FALSE;
}

/**
 * cs_selection_file_get_choice:
 * @self: a selection file
 * @path: the source that defines the function, absolute or as debug information spells it
 * @function: its name as reports show it, with or without parameters and template arguments
 *
 * May be called by several threads. A function that the file doesn't list (a lambda, what macros
 * make) is what the function around it is, or its file.
 *
 * Returns: whether the function is chosen; %CS_CHOICE_UNKNOWN: @path is no file of the selection, or
 *   it is partly chosen and the function isn't listed
 */
CsChoice
cs_selection_file_get_choice (const CsSelectionFile *self, const char *path, const char *function)
{
  g_autofree char *enclosing = NULL;
  g_autofree char *name = NULL;
  const CsSelectionFileEntry *entry;
  CsChoice choice;

  g_return_val_if_fail (self != NULL && path != NULL && function != NULL, CS_CHOICE_UNKNOWN);

  entry = cs_selection_file_find (self, path);
  if (entry == NULL)
    return CS_CHOICE_UNKNOWN;
  name = cs_function_name_reduce (function, &enclosing);

  g_mutex_lock ((GMutex *) &self->mutex);
  choice = GPOINTER_TO_INT (g_hash_table_lookup (get_reduced (self, entry), name));
  if (choice == CS_CHOICE_UNKNOWN && enclosing != NULL)
    choice = GPOINTER_TO_INT (g_hash_table_lookup (get_reduced (self, entry), enclosing));
  g_mutex_unlock ((GMutex *) &self->mutex);

  if (choice == CS_CHOICE_UNKNOWN && entry->choice != CS_FILE_PARTLY_CHOSEN)
    choice = entry->choice == CS_FILE_CHOSEN ? CS_CHOICE_YES : CS_CHOICE_NO;
  return choice;
}
