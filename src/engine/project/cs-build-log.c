/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "project/cs-build-log.h"
#include "selection/cs-line-text.h"

/* Bytes from which on a log is worth shortening. */
#define LONG_LOG (1 << 20)

static void
unit_free (gpointer data)
{
  CsBuildUnit *unit = data;

  g_free (unit->object);
  g_free (unit->source);
  g_free (unit);
}

static void
link_free (gpointer data)
{
  CsBuildLink *link = data;

  g_free (link->output);
  g_free (link);
}

/* A path, from which `..` on the way is taken; NULL: none is written so. */
static char *
take_path (const char *text, gsize length)
{
  g_autofree char *path = g_strndup (text, length);

  return cs_line_text_read (path) ? g_canonicalize_filename (path, "/") : NULL;
}

static void
take_unit (CsBuildLog *self, GHashTable *known, const char *rest, const char *end)
{
  char *after_hash;
  guint64 hash = g_ascii_strtoull (rest, &after_hash, 16);
  const char *tab = memchr (rest, '\t', (gsize) (end - rest));
  g_autofree char *key = g_strndup (rest, (gsize) (end - rest));
  CsBuildUnit *unit;

  if (after_hash == rest || *after_hash != ' ' || tab == NULL || tab < after_hash)
    return;
  /* One command that compiles and links names the program for each of its sources. */
  unit = g_hash_table_lookup (known, key + (after_hash - rest));
  if (unit == NULL)
    {
      unit = g_new0 (CsBuildUnit, 1);
      unit->object = take_path (after_hash + 1, (gsize) (tab - after_hash - 1));
      unit->source = take_path (tab + 1, (gsize) (end - tab - 1));
      if (unit->object == NULL || unit->source == NULL)
        {
          unit_free (unit);
          return;
        }
      g_ptr_array_add (self->units, unit);
      g_hash_table_insert (known, g_strdup (key + (after_hash - rest)), unit);
    }
  unit->hash = hash;
}

static void
take_link (CsBuildLog *self, GHashTable *known, const char *rest, const char *end)
{
  g_autofree char *output = NULL;
  CsBuildLink *link;

  if (end - rest < 3 || rest[0] < '0' || rest[0] > '2' || rest[1] != ' ')
    return;
  output = take_path (rest + 2, (gsize) (end - rest - 2));
  if (output == NULL)
    return;
  link = g_hash_table_lookup (known, output);
  if (link == NULL)
    {
      link = g_new0 (CsBuildLink, 1);
      link->output = g_steal_pointer (&output);
      g_ptr_array_add (self->links, link);
      g_hash_table_insert (known, link->output, link);
    }
  link->kind = (CsBuildLinkKind) (rest[0] - '0');
}

/**
 * cs_build_log_load:
 * @path: a log that the compiler launcher writes (docs/formats.md, Selection)
 * @error: where to say why it can't be read
 *
 * Of each object and source, and of each linked file, the last line counts. Lines that it doesn't know, or that are cut off, are passed.
 *
 * Returns: (transfer full) (nullable): what it says; nothing where there is no log
 */
CsBuildLog *
cs_build_log_load (const char *path, GError **error)
{
  g_autoptr (CsBuildLog) self = g_new0 (CsBuildLog, 1);
  g_autoptr (GHashTable) units = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) outputs = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) local = NULL;
  g_autofree char *text = NULL;
  gsize size = 0;

  self->units = g_ptr_array_new_with_free_func (unit_free);
  self->links = g_ptr_array_new_with_free_func (link_free);
  if (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "%s: it is no regular file — remove it", path);
      return NULL;
    }
  if (!g_file_get_contents (path, &text, &size, &local))
    {
      if (g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        return g_steal_pointer (&self);
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  for (const char *p = text, *end; p < text + size && (end = memchr (p, '\n', size - (gsize) (p - text))) != NULL;
       p = end + 1)
    {
      if (g_str_has_prefix (p, "compile "))
        take_unit (self, units, p + strlen ("compile "), end);
      else if (g_str_has_prefix (p, "link "))
        take_link (self, outputs, p + strlen ("link "), end);
    }
  return g_steal_pointer (&self);
}

/**
 * cs_build_log_shorten:
 * @path: a log that nobody writes to now
 * @error: where to say why it can't be read or written
 *
 * Leaves of a long log the lines that count.
 *
 * Returns: whether it is as long as it has to be, or there is none
 */
gboolean
cs_build_log_shorten (const char *path, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GString *out;
  struct stat st;
  gboolean ok;

  if (g_stat (path, &st) != 0 || st.st_size < LONG_LOG)
    return TRUE;
  if (!g_file_get_contents (path, &text, NULL, error))
    return FALSE;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = g_strv_length (lines); i-- > 0;)
    {
      const char *space = strchr (lines[i], ' ');
      const char *rest = space != NULL ? strchr (space + 1, ' ') : NULL;

      /* An output is never a unit's object and source: those have a tab. */
      if (rest != NULL && g_hash_table_add (seen, (gpointer) rest))
        g_ptr_array_add (kept, lines[i]);
    }
  out = g_string_new (NULL);
  for (guint i = kept->len; i-- > 0;)
    g_string_append_printf (out, "%s\n", (const char *) kept->pdata[i]);
  ok = g_file_set_contents (path, out->str, (gssize) out->len, error);
  g_string_free (out, TRUE);
  return ok;
}

/**
 * cs_build_log_free:
 * @self: (transfer full): a log that was read
 */
void
cs_build_log_free (CsBuildLog *self)
{
  g_ptr_array_unref (self->units);
  g_ptr_array_unref (self->links);
  g_free (self);
}
