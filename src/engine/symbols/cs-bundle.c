/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/cs-bundle.h"

#define LARGEST_MANIFEST (64 * 1024 * 1024)

struct _CsBundle
{
  char *folder;
  char *executable;    /* (nullable) */
  GPtrArray *modules;  /* (element-type CsBundleModule) */
  GHashTable *sources; /* path as the debug information has it → where it lies now */
};

static void
module_free (gpointer data)
{
  CsBundleModule *module = data;

  g_free (module->build_id);
  g_free (module->recorded);
  g_free (module->path);
  g_free (module->debug_path);
  g_free (module);
}

/**
 * cs_bundle_escape:
 * @path: a path
 * @last: whether it is the last on its line, and may hold spaces
 *
 * Writes control characters, quotes and backslashes as C does; bytes above 127 stay.
 *
 * Returns: (transfer full): the path as a manifest has it
 */
char *
cs_bundle_escape (const char *path, gboolean last)
{
  g_autoptr (GString) text = NULL;
  g_autofree char *escaped = NULL;
  char bytes[129];

  for (guint i = 0; i < 128; i++)
    bytes[i] = (char) (128 + i);
  bytes[128] = '\0';
  escaped = g_strescape (path, bytes);
  text = g_string_new (escaped);
  if (!last)
    g_string_replace (text, " ", "\\040", 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Undoes cs_bundle_escape(); NULL where that didn't write it. */
static char *
unescape (const char *text)
{
  gsize length = strlen (text), slashes = 0;

  while (slashes < length && text[length - 1 - slashes] == '\\')
    slashes++;
  return length > 0 && slashes % 2 == 0 ? g_strcompress (text) : NULL;
}

/* A file of the bundle: in its folder or below, wherever the manifest wants to lead. */
static char *
take_file (const CsBundle *self, char **line)
{
  char *end = strchrnul (*line, ' ');
  g_autofree char *word = g_strndup (*line, (gsize) (end - *line));
  g_autofree char *name = unescape (word);
  g_auto (GStrv) parts = NULL;

  *line = *end == ' ' ? end + 1 : end;
  if (name == NULL || g_path_is_absolute (name))
    return NULL;
  parts = g_strsplit (name, "/", -1);
  if (g_strv_contains ((const char *const *) parts, ".."))
    return NULL;
  return g_build_filename (self->folder, name, NULL);
}

static void
take_module (CsBundle *self, char *line)
{
  char *end = strchrnul (line, ' ');
  g_autofree char *build_id = g_strndup (line, (gsize) (end - line));
  g_autofree char *path = NULL;
  g_autofree char *recorded = NULL;
  CsBundleModule *module;

  line = *end == ' ' ? end + 1 : end;
  path = take_file (self, &line);
  recorded = unescape (line);
  if (path == NULL || recorded == NULL)
    return;
  module = g_new0 (CsBundleModule, 1);
  module->build_id = g_str_equal (build_id, "-") ? NULL : g_ascii_strdown (build_id, -1);
  module->path = g_steal_pointer (&path);
  module->recorded = g_steal_pointer (&recorded);
  g_ptr_array_add (self->modules, module);
}

static void
take_source (CsBundle *self, char *line)
{
  g_autofree char *path = take_file (self, &line);
  g_autofree char *source = unescape (line);

  if (path != NULL && source != NULL)
    g_hash_table_insert (self->sources, g_steal_pointer (&source), g_steal_pointer (&path));
}

static void
take_line (CsBundle *self, char *line)
{
  if (g_str_has_prefix (line, "module "))
    take_module (self, line + strlen ("module "));
  else if (g_str_has_prefix (line, "source "))
    take_source (self, line + strlen ("source "));
  else if (g_str_has_prefix (line, "exe "))
    {
      line += strlen ("exe ");
      g_free (self->executable);
      self->executable = take_file (self, &line);
    }
  else if (g_str_has_prefix (line, "debug ") && self->modules->len > 0)
    {
      CsBundleModule *module = g_ptr_array_index (self->modules, self->modules->len - 1);

      line += strlen ("debug ");
      g_free (module->debug_path);
      module->debug_path = take_file (self, &line);
    }
}

/**
 * cs_bundle_is_one:
 * @folder: a folder
 *
 * Returns: whether it holds the manifest of a bundle
 */
gboolean
cs_bundle_is_one (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, CS_BUNDLE_FILE, NULL);
  char start[sizeof CS_BUNDLE_FIRST_LINE] = { 0 };
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  gboolean found;

  if (fd < 0)
    return FALSE;
  found = pread (fd, start, sizeof start - 1, 0) > 0 && g_str_equal (start, CS_BUNDLE_FIRST_LINE);
  close (fd);
  return found;
}

/**
 * cs_bundle_open:
 * @folder: a folder with a manifest
 * @error: where to say why it can't be used
 *
 * Reads the manifest, docs/formats.md. Lines that it doesn't know are ignored, and so are files
 * outside the folder.
 *
 * Returns: (transfer full) (nullable): what the bundle holds, or %NULL with %CS_SYMBOLS_ERROR
 */
CsBundle *
cs_bundle_open (const char *folder, GError **error)
{
  g_autofree char *path = g_build_filename (folder, CS_BUNDLE_FILE, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) local = NULL;
  struct stat st;
  CsBundle *self;
  guint64 version;

  if (stat (path, &st) == 0 && st.st_size > LARGEST_MANIFEST)
    {
      g_set_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_FORMAT,
                   "%s is larger than a manifest may be (%d MiB): it is not used", path, LARGEST_MANIFEST >> 20);
      return NULL;
    }
  if (!g_file_get_contents (path, &text, NULL, &local))
    {
      g_set_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_OPEN, "%s can't be read (%s): it is not used", path,
                   local->message);
      return NULL;
    }
  lines = g_strsplit (text, "\n", -1);
  if (!g_str_has_prefix (lines[0], CS_BUNDLE_FIRST_LINE) ||
      !g_ascii_string_to_unsigned (lines[0] + strlen (CS_BUNDLE_FIRST_LINE), 10, 1, G_MAXUINT, &version, NULL))
    {
      g_set_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_FORMAT,
                   "%s is damaged: it doesn't begin with " CS_BUNDLE_FIRST_LINE "and a version: it is not used", path);
      return NULL;
    }
  if (version != CS_BUNDLE_VERSION)
    {
      g_set_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_FORMAT,
                   "%s is of version %" G_GUINT64_FORMAT ", which this Callsight doesn't read: it is not used — take a newer one",
                   path, version);
      return NULL;
    }
  self = g_new0 (CsBundle, 1);
  self->folder = g_canonicalize_filename (folder, NULL);
  self->modules = g_ptr_array_new_with_free_func (module_free);
  self->sources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 1; lines[i] != NULL && lines[i + 1] != NULL; i++)
    take_line (self, lines[i]);
  return self;
}

/**
 * cs_bundle_free:
 * @self: (transfer full): a bundle
 */
void
cs_bundle_free (CsBundle *self)
{
  g_ptr_array_unref (self->modules);
  g_hash_table_unref (self->sources);
  g_free (self->executable);
  g_free (self->folder);
  g_free (self);
}

/**
 * cs_bundle_find_module:
 * @self: a bundle
 * @recorded: where the module was loaded from
 * @build_id: (nullable): its build id, where the recording tells it
 *
 * Returns: (nullable) (transfer none): the module, by its build id or else by its path
 */
const CsBundleModule *
cs_bundle_find_module (const CsBundle *self, const char *recorded, const char *build_id)
{
  const CsBundleModule *found = NULL;

  for (guint i = 0; i < self->modules->len; i++)
    {
      const CsBundleModule *module = g_ptr_array_index (self->modules, i);
      gboolean same_path = g_str_equal (module->recorded, recorded);

      if (build_id != NULL ? g_strcmp0 (module->build_id, build_id) != 0 : !same_path)
        continue;
      if (found == NULL || same_path)
        found = module;
    }
  return found;
}

/**
 * cs_bundle_find_source:
 * @self: a bundle
 * @source: a source file, as the debug information has it
 *
 * Returns: (nullable) (transfer none): path of the file in the bundle
 */
const char *
cs_bundle_find_source (const CsBundle *self, const char *source)
{
  return g_hash_table_lookup (self->sources, source);
}

/**
 * cs_bundle_get_executable:
 * @self: a bundle
 *
 * Returns: (nullable) (transfer none): path of the file that was named as the binary that ran
 */
const char *
cs_bundle_get_executable (const CsBundle *self)
{
  return self->executable;
}
