/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "project/cs-bundle-writer.h"
#include "project/cs-folder.h"
#include "symbols/cs-bundle.h"
#include "symbols/cs-dwarf.h"

/* A file that debug information calls a source, and that is larger, is none. */
#define LARGEST_SOURCE (16 * 1024 * 1024)

G_DEFINE_QUARK (cs-bundle-error-quark, cs_bundle_error)

typedef struct
{
  CsProfile *profile;
  CsSymbolizer *symbolizer;
  const char *const *paths;
  const char *folder; /* where the bundle is being made */
  GCancellable *cancellable;
  guint64 *bytes_done; /* (nullable) */
  GString *manifest;
  GHashTable *names; /* of the event files that are in it → where they came from */
  GHashTable *known; /* (element-type utf8) modules and sources that were dealt with */
  CsBundleContent *content;
} Writer;

/**
 * cs_bundle_content_free:
 * @self: (transfer full): what a bundle holds
 */
void
cs_bundle_content_free (CsBundleContent *self)
{
  g_ptr_array_unref (self->missing);
  g_free (self);
}

/* Whether there is nothing in a folder; FALSE too if it can't be read. */
static gboolean
is_empty (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);

  return dir != NULL && g_dir_read_name (dir) == NULL;
}

/**
 * cs_bundle_check_target:
 * @out: where a bundle shall be
 * @error: where to say why it can't
 *
 * Returns: whether nothing is there, or an empty folder; otherwise with %CS_BUNDLE_ERROR_TARGET
 */
gboolean
cs_bundle_check_target (const char *out, GError **error)
{
  g_autofree char *real = g_canonicalize_filename (out, NULL);
  g_autofree char *parent = g_path_get_dirname (real);
  struct stat st;

  if (g_lstat (real, &st) == 0 && !(S_ISDIR (st.st_mode) && is_empty (real)))
    g_set_error (error, CS_BUNDLE_ERROR, CS_BUNDLE_ERROR_TARGET,
                 "%s: something is there already — name a new or an empty folder", out);
  else if (!g_file_test (parent, G_FILE_TEST_IS_DIR))
    g_set_error (error, CS_BUNDLE_ERROR, CS_BUNDLE_ERROR_TARGET,
                 "%s: the folder around it, %s, isn't there — make it first", out, parent);
  else
    return TRUE;
  return FALSE;
}

static void
count_bytes (goffset done, goffset total, gpointer data)
{
  const Writer *self = data;

  if (self->bytes_done != NULL)
    __atomic_store_n (self->bytes_done, self->content->n_bytes + (guint64) done, __ATOMIC_RELAXED);
}

/* Copies what a file holds, without its owner and mode. */
static gboolean
copy (Writer *self, const char *from, const char *name, GError **error)
{
  g_autofree char *to = g_build_filename (self->folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (to);
  g_autoptr (GFile) source = g_file_new_for_path (from);
  g_autoptr (GFile) target = g_file_new_for_path (to);
  struct stat st;

  if (g_mkdir_with_parents (parent, 0700) != 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", parent, g_strerror (errno));
      return FALSE;
    }
  if (!g_file_copy (source, target, G_FILE_COPY_TARGET_DEFAULT_PERMS, self->cancellable, count_bytes, self, error))
    return FALSE;
  if (g_stat (to, &st) == 0)
    self->content->n_bytes += (guint64) st.st_size;
  return TRUE;
}

static gboolean
copy_trace (Writer *self, const char *path, gboolean named, gboolean tails, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *real = NULL;
  const char *known;
  g_autoptr (GError) local = NULL;
  CsTraceNameParts parts;
  CsTraceName kind = cs_trace_name_parse (name, &parts);
  gboolean is_tail = kind == CS_TRACE_NAME_TAIL || kind == CS_TRACE_NAME_SUMMARY_TAIL;

  if (is_tail != tails || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return TRUE;
  if (kind == CS_TRACE_NAME_OTHER)
    {
      if (named)
        g_set_error (error, CS_BUNDLE_ERROR, CS_BUNDLE_ERROR_SOURCE,
                     "%s: a bundle knows event files by their names — call it trace.<pid>.<tid>.<seq>.bin", path);
      return !named;
    }
  real = g_canonicalize_filename (path, NULL);
  known = g_hash_table_lookup (self->names, name);
  if (known != NULL)
    {
      if (g_str_equal (known, real))
        return TRUE;
      g_set_error (error, CS_BUNDLE_ERROR, CS_BUNDLE_ERROR_SOURCE,
                   "%s: another folder of the recording has a file of that name — bundle the folders one by one", path);
      return FALSE;
    }
  g_hash_table_insert (self->names, g_strdup (name), g_steal_pointer (&real));
  if (copy (self, path, name, &local))
    self->content->n_traces++;
  else if (!g_error_matches (local, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)) /* a living process removes files */
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  return TRUE;
}

static gboolean
copy_folder (Writer *self, const char *path, gboolean tails, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, error);
  const char *name;

  if (dir == NULL)
    return FALSE;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      if (!copy_trace (self, file, FALSE, tails, error))
        return FALSE;
    }
  return TRUE;
}

/* A single file brings the process file that lies beside it. */
static gboolean
copy_named (Writer *self, const char *path, gboolean tails, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *process_name = NULL;
  g_autofree char *process_path = NULL;
  CsTraceNameParts parts;

  cs_trace_name_parse (name, &parts);
  if (!copy_trace (self, path, TRUE, tails, error))
    return FALSE;
  if (tails || parts.kind == CS_TRACE_NAME_OTHER || parts.kind == CS_TRACE_NAME_STREAM)
    return TRUE;
  process_name = g_strdup_printf ("trace.%u.process", parts.pid);
  process_path = g_build_filename (folder, process_name, NULL);
  return copy_trace (self, process_path, TRUE, FALSE, error);
}

/* Tails first, as they are read: what a living process flushes meanwhile is then in both. */
static gboolean
copy_traces (Writer *self, GError **error)
{
  for (guint tails = 2; tails-- > 0;)
    for (guint i = 0; self->paths[i] != NULL; i++)
      {
        const char *path = self->paths[i];

        if (!(g_file_test (path, G_FILE_TEST_IS_DIR) ? copy_folder (self, path, tails, error)
                                                     : copy_named (self, path, tails, error)))
          return FALSE;
      }
  return TRUE;
}

static void G_GNUC_PRINTF (2, 3)
add_missing (Writer *self, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (self->content->missing, g_strdup_vprintf (format, args));
  va_end (args);
}

/* A name in the bundle for a file that may have others of its name beside it. */
static char *
make_name (const char *kind, guint number, const char *path)
{
  g_autofree char *base = g_path_get_basename (path);

  return g_strdup_printf ("%s/%u/%s", kind, number, base);
}

/* Files with debug information that is neither in the binary nor in its debug file: they lie where
 * a reader of the bundle looks for them. */
static gboolean
copy_parts (Writer *self, CsBinary *binary, const char *name, GError **error)
{
  g_autoptr (GPtrArray) parts = cs_binary_list_parts (binary);

  for (guint i = 0; i < parts->len; i++)
    {
      const CsDwarfPart *part = g_ptr_array_index (parts, i);
      g_autofree char *to = part->name != NULL ? g_build_filename (CS_BUNDLE_DEBUG_FOLDER, part->name, NULL)
                                               : g_strconcat (name, ".dwp", NULL);
      g_autofree char *whole = g_build_filename (self->folder, to, NULL);

      if (strstr (to, "/../") != NULL)
        {
          add_missing (self, "%s: its path leads out of the bundle", part->path);
          continue;
        }
      if (g_file_test (whole, G_FILE_TEST_EXISTS))
        continue;
      if (!copy (self, part->path, to, error))
        return FALSE;
      self->content->n_debug_files++;
    }
  return TRUE;
}

static gboolean
copy_binary (Writer *self, CsBinary *binary, const char *recorded, GError **error)
{
  const char *build_id = cs_binary_get_build_id (binary);
  const char *debug_path = cs_binary_get_debug_path (binary);
  g_autofree char *name = make_name ("modules", self->content->n_modules, recorded);
  g_autofree char *escaped = cs_bundle_escape (name, FALSE);
  g_autofree char *place = cs_bundle_escape (recorded, TRUE);

  if (!copy (self, cs_binary_get_path (binary), name, error))
    return FALSE;
  self->content->n_modules++;
  g_string_append_printf (self->manifest, "module %s %s %s\n", build_id != NULL ? build_id : "-", escaped, place);
  if (debug_path != NULL)
    {
      g_autofree char *debug_name = make_name ("debug", self->content->n_debug_files, debug_path);
      g_autofree char *debug_escaped = cs_bundle_escape (debug_name, FALSE);

      if (!copy (self, debug_path, debug_name, error))
        return FALSE;
      self->content->n_debug_files++;
      g_string_append_printf (self->manifest, "debug %s\n", debug_escaped);
    }
  return copy_parts (self, binary, name, error);
}

static gboolean
copy_module (Writer *self, const CsModuleFile *file, GError **error)
{
  g_autofree char *key = g_strdup_printf ("%s %s", file->build_id != NULL ? file->build_id : "-", file->path);
  CsBinary *binary;

  if (!g_hash_table_add (self->known, g_steal_pointer (&key)))
    return TRUE;
  binary = cs_symbolizer_get_binary (self->symbolizer, file);
  if (binary != NULL)
    return copy_binary (self, binary, file->path, error);
  add_missing (self, g_file_test (file->path, G_FILE_TEST_EXISTS) ? "%s: it is not the file that was recorded"
                                                                  : "%s: there is no such file",
               file->path);
  return TRUE;
}

/* What was named as the binary, where the recording doesn't tell. */
static gboolean
copy_executable (Writer *self, GError **error)
{
  const char *path = cs_symbolizer_get_executable (self->symbolizer);
  g_autofree char *name = NULL;
  g_autofree char *escaped = NULL;
  CsModuleFile file = { .path = path, .executable = TRUE };
  CsBinary *binary = path != NULL ? cs_symbolizer_get_binary (self->symbolizer, &file) : NULL;

  if (binary == NULL)
    return TRUE;
  name = make_name ("modules", self->content->n_modules, path);
  escaped = cs_bundle_escape (name, FALSE);
  if (!copy_binary (self, binary, path, error))
    return FALSE;
  g_string_append_printf (self->manifest, "exe %s\n", escaped);
  return TRUE;
}

static gboolean
copy_modules (Writer *self, GError **error)
{
  GPtrArray *processes = cs_recording_get_processes (cs_profile_get_recording (self->profile));
  gboolean nameless = FALSE;

  for (guint i = 0; i < processes->len; i++)
    {
      const CsProcessSection *section = ((const CsProcess *) g_ptr_array_index (processes, i))->section;

      nameless |= section == NULL;
      for (guint j = 0; section != NULL && j < section->modules->len; j++)
        {
          const CsModule *module = g_ptr_array_index (section->modules, j);
          CsModuleFile file = { .path = module->path, .build_id = module->build_id,
                                .executable = cs_process_section_is_executable (section, module) };

          if (!copy_module (self, &file, error))
            return FALSE;
        }
    }
  return !nameless || copy_executable (self, error);
}

static gboolean
copy_source (Writer *self, const CsLocation *location, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *name = NULL;
  g_autofree char *escaped = NULL;
  g_autofree char *place = NULL;
  struct stat st;

  if (location->source == NULL || !g_hash_table_add (self->known, g_strdup (location->source)))
    return TRUE;
  path = cs_symbolizer_find_source (self->symbolizer, location->source);
  if (path == NULL || g_stat (path, &st) != 0 || !S_ISREG (st.st_mode))
    {
      add_missing (self, "%s: there is no such file", location->source);
      return TRUE;
    }
  if (st.st_size > LARGEST_SOURCE || g_access (path, R_OK) != 0)
    {
      add_missing (self, st.st_size > LARGEST_SOURCE ? "%s: it is too large for a source" : "%s: it can't be read",
                   location->source);
      return TRUE;
    }
  name = make_name ("sources", self->content->n_sources, location->source);
  if (!copy (self, path, name, error))
    return FALSE;
  self->content->n_sources++;
  escaped = cs_bundle_escape (name, FALSE);
  place = cs_bundle_escape (location->source, TRUE);
  g_string_append_printf (self->manifest, "source %s %s\n", escaped, place);
  return TRUE;
}

static gboolean
copy_sources (Writer *self, GError **error)
{
  guint n_functions, n_sites;
  const CsFunction *functions = cs_profile_get_functions (self->profile, &n_functions);
  const CsCallSite *sites = cs_profile_get_call_sites (self->profile, &n_sites);

  for (guint i = 0; i < n_functions; i++)
    if (!copy_source (self, &functions[i].location, error))
      return FALSE;
  for (guint i = 0; i < n_sites; i++)
    if (!copy_source (self, &sites[i].location, error))
      return FALSE;
  return TRUE;
}

static gboolean
fill (Writer *self, GError **error)
{
  g_autofree char *manifest = g_build_filename (self->folder, CS_BUNDLE_FILE, NULL);

  g_string_append_printf (self->manifest, CS_BUNDLE_FIRST_LINE "%d\nmade-by callsight " CS_VERSION "\n",
                          CS_BUNDLE_VERSION);
  return copy_traces (self, error) && copy_modules (self, error) && copy_sources (self, error) &&
         g_file_set_contents (manifest, self->manifest->str, -1, error);
}

/**
 * cs_bundle_write:
 * @profile: what was reported, with call sites if their sources are wanted
 * @symbolizer: what named its addresses
 * @paths: (array zero-terminated=1): what the recording was opened by
 * @out: a folder that isn't there yet, or is empty
 * @bytes_done: (nullable): counts the bytes copied, atomically, for a progress display
 * @cancellable: (nullable): to give up early
 * @error: where to say why there is no bundle
 *
 * Copies a recording, the programs and libraries that it names, their debug files and the
 * sources of its functions into one folder, so that it opens elsewhere with names and sources.
 * It is made beside @out and moved there when it is whole. Blocks; see cs_bundle_write_async().
 *
 * Returns: (transfer full) (nullable): what is in it
 */
CsBundleContent *
cs_bundle_write (CsProfile *profile, CsSymbolizer *symbolizer, const char *const *paths, const char *out,
                 guint64 *bytes_done, GCancellable *cancellable, GError **error)
{
  g_autofree char *real = g_canonicalize_filename (out, NULL);
  g_autofree char *folder = g_strconcat (real, ".XXXXXX", NULL);
  g_autoptr (GString) manifest = g_string_new (NULL);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (CsBundleContent) content = g_new0 (CsBundleContent, 1);
  Writer writer = { .profile = profile, .symbolizer = symbolizer, .paths = paths, .folder = folder,
                    .cancellable = cancellable, .bytes_done = bytes_done, .manifest = manifest, .names = names,
                    .known = known, .content = content };

  content->missing = g_ptr_array_new_with_free_func (g_free);
  if (!cs_bundle_check_target (out, error))
    return NULL;
  if (g_mkdtemp (folder) == NULL)
    {
      g_set_error (error, CS_BUNDLE_ERROR, CS_BUNDLE_ERROR_TARGET,
                   "%s: the folder can't be made (%s) — name another one", out, g_strerror (errno));
      return NULL;
    }
  if (!fill (&writer, error))
    {
      g_prefix_error (error, "%s: the bundle could not be made: ", out);
      cs_folder_remove (folder);
      return NULL;
    }
  if (g_rename (folder, real) != 0)
    {
      g_set_error (error, CS_BUNDLE_ERROR, CS_BUNDLE_ERROR_TARGET,
                   "%s: the bundle can't be put there (%s) — name another folder", out, g_strerror (errno));
      cs_folder_remove (folder);
      return NULL;
    }
  return g_steal_pointer (&content);
}

typedef struct
{
  CsProfile *profile;
  CsSymbolizer *symbolizer;
  char **paths;
  char *out;
  guint64 *bytes_done;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->profile);
  g_object_unref (job->symbolizer);
  g_strfreev (job->paths);
  g_free (job->out);
  g_free (job);
}

static void
run_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  CsBundleContent *content = cs_bundle_write (job->profile, job->symbolizer, (const char *const *) job->paths,
                                              job->out, job->bytes_done, cancellable, &error);

  if (content == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, content, (GDestroyNotify) cs_bundle_content_free);
}

/**
 * cs_bundle_write_async:
 * @profile: what was reported
 * @symbolizer: what named its addresses; not to be used by others until @callback is called
 * @paths: (array zero-terminated=1): what the recording was opened by
 * @out: a folder that isn't there yet, or is empty
 * @bytes_done: (nullable): counts the bytes copied, atomically, for a progress display
 * @cancellable: (nullable): to give up early; nothing is left then
 * @callback: (scope async): called when it is there, or not
 * @user_data: for @callback
 *
 * cs_bundle_write() in a thread.
 */
void
cs_bundle_write_async (CsProfile *profile, CsSymbolizer *symbolizer, const char *const *paths, const char *out,
                       guint64 *bytes_done, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->profile = g_object_ref (profile);
  job->symbolizer = g_object_ref (symbolizer);
  job->paths = g_strdupv ((char **) paths);
  job->out = g_strdup (out);
  job->bytes_done = bytes_done;
  g_task_set_source_tag (task, cs_bundle_write_async);
  g_task_set_check_cancellable (task, FALSE); /* what is there is told of */
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run_job);
}

/**
 * cs_bundle_write_finish:
 * @result: what the callback got
 * @error: where to say why there is no bundle
 *
 * Returns: (transfer full) (nullable): what is in it
 */
CsBundleContent *
cs_bundle_write_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
