/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "selection/cs-scan-file.h"

/* A larger file is no source that a person wrote. */
#define LARGEST_SOURCE (64 * 1024 * 1024)

/**
 * cs_scan_file_new:
 *
 * Returns: (transfer full): nothing found yet
 */
CsScanFile *
cs_scan_file_new (void)
{
  CsScanFile *self = g_new0 (CsScanFile, 1);

  self->entries = g_array_new (FALSE, FALSE, sizeof (CsScanEntry));
  self->texts = g_string_new (NULL);
  g_string_append_c (self->texts, '\0');
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
  g_string_truncate (self->texts, 1);
}

/**
 * cs_scan_file_free:
 * @self: (transfer full) (nullable): what was found
 */
void
cs_scan_file_free (CsScanFile *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->entries);
  g_string_free (self->texts, TRUE);
  g_free (self);
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
 */
void
cs_scan_file_add (CsScanFile *self, const CsSourceFunction *function)
{
  CsScanEntry entry = { .line = function->line, .end = function->end, .flags = function->flags };
  guint32 last = self->entries->len > 0 ? g_array_index (self->entries, CsScanEntry, self->entries->len - 1).scope : 0;

  if (self->texts->len > G_MAXUINT32 / 2)
    return;
  entry.name = add_text (self, function->name);
  /* Methods of a class come one after the other. */
  entry.scope = last != 0 && g_strcmp0 (self->texts->str + last, function->scope) == 0 ? last
                                                                                     : add_text (self, function->scope);
  entry.signature = add_text (self, function->signature);
  g_array_append_val (self->entries, entry);
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
