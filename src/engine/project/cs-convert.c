/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/cs-io.h"
#include "capture/cs-tail.h"
#include "capture/cs-trace-folder.h"
#include "project/cs-bundle-writer.h"
#include "project/cs-convert-private.h"
#include "project/cs-folder.h"
#include "project/cs-output-file.h"
#include "symbols/cs-bundle.h"

G_DEFINE_QUARK (cs-convert-error-quark, cs_convert_error)

static const char *const format_names[] = { [CS_CONVERT_RECORDS] = "records", [CS_CONVERT_PACKED] = "packed" };

/**
 * cs_convert_result_free:
 * @self: (transfer full): what was done
 */
void
cs_convert_result_free (CsConvertResult *self)
{
  g_strfreev (self->notices);
  g_free (self);
}

/**
 * cs_convert_format_parse:
 * @name: `records` or `packed`
 * @format: (out): what it stands for
 * @error: where to say that there is no such format
 *
 * Returns: whether there is
 */
gboolean
cs_convert_format_parse (const char *name, CsConvertFormat *format, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (format_names); i++)
    if (g_str_equal (name, format_names[i]))
      {
        *format = i;
        return TRUE;
      }
  g_set_error (error, CS_CONVERT_ERROR, CS_CONVERT_ERROR_FORMAT, "--to %s: no such format — use records or packed",
               name);
  return FALSE;
}

/**
 * cs_convert_get_default_target:
 * @folder: a trace directory
 * @format: what it will be converted to
 *
 * Returns: (transfer full): the folder beside it with the format's name behind its own
 */
char *
cs_convert_get_default_target (const char *folder, CsConvertFormat format)
{
  g_autofree char *base = g_path_get_basename (folder);
  g_autofree char *stem = NULL;

  if (g_str_equal (base, ".") || g_str_equal (base, ".."))
    stem = g_canonicalize_filename (folder, NULL);
  else
    {
      gsize n = strlen (folder);

      while (n > 1 && folder[n - 1] == '/')
        n--;
      stem = g_strndup (folder, n);
    }
  return g_strconcat (stem, ".", format_names[format], NULL);
}

/* --- what the folder holds ---------------------------------------------------------------- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
list (const char *folder, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (dir == NULL)
    {
      g_set_error (error, CS_CONVERT_ERROR, CS_CONVERT_ERROR_SOURCE, errno == ENOENT || errno == ENOTDIR
                   ? "“%s”: no such folder (%s) — give the trace directory of a recording"
                   : "%s: the folder can't be opened (%s) — run as the user who recorded it",
                   folder, g_strerror (errno));
      return NULL;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  return g_steal_pointer (&names);
}

/* Whether a thread has a tail, and so was killed or runs: a file of it that was begun, no more, is no
 * surprise then. */
static gboolean
has_tail (const CsConversion *self, const CsTraceNameParts *parts)
{
  for (guint i = 0; i < self->files->len; i++)
    {
      const CsEventFile *file = g_ptr_array_index (self->files, i);

      if (file->tail && file->parts.pid == parts->pid && file->parts.tid == parts->tid)
        return TRUE;
    }
  return FALSE;
}

/**
 * cs_conversion_set_size:
 * @self: a conversion
 * @name: of an event file or tail that is not written anew
 * @size: how many bytes of it to copy
 */
void
cs_conversion_set_size (CsConversion *self, const char *name, guint64 size)
{
  g_hash_table_insert (self->sizes, g_strdup (name), g_memdup2 (&size, sizeof size));
}

/* Whether a file has been seen under another name: events count once. */
static gboolean
is_seen (CsConversion *self, guint64 device, guint64 inode, const char *name)
{
  g_autofree char *key = g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, device, inode);
  const char *other = g_hash_table_lookup (self->inodes, key);

  if (other == NULL)
    g_hash_table_insert (self->inodes, g_steal_pointer (&key), g_strdup (name));
  if (other == NULL || g_str_equal (other, name))
    return FALSE;
  cs_notices_add_detail (self->notices, CS_NOTICE_UNREADABLE, "%s is the same file as %s: left out", name, other);
  return TRUE;
}

/* Keeps the header of a file that may be written anew: the file may be gone then. */
static gboolean
keep_header (CsConversion *self, const CsEventFile *file, GError **error)
{
  cs_autofd fd = open (file->path, O_RDONLY | O_CLOEXEC);
  g_autofree guint8 *header = g_try_malloc (file->header.header_size);
  gssize got = fd >= 0 && header != NULL ? cs_pread_full (fd, header, file->header.header_size, 0) : -1;

  if (got == (gssize) file->header.header_size)
    {
      g_hash_table_insert (self->headers, (gpointer) file, g_steal_pointer (&header));
      return TRUE;
    }
  g_set_error (error, CS_CAPTURE_ERROR, fd < 0 && errno == ENOENT ? CS_CAPTURE_ERROR_NOT_FOUND : CS_CAPTURE_ERROR_READ,
               "%s can't be read (%s)", file->name, got < 0 ? g_strerror (errno) : "it became shorter");
  return FALSE;
}

/* Opens an event file or tail to which nothing is added while it is read. */
static CsEventFile *
try_file (CsConversion *self, const char *path, gboolean tail, GError **error)
{
  g_autoptr (CsEventFile) file = tail ? cs_tail_open (path, self->notices, error) : cs_event_file_open_cancellable (path, self->cancellable, error);

  if (file == NULL)
    return NULL;
  if (file->error != 0)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ, "%s can't be read to its end (%s)", file->name,
                   g_strerror (file->error));
      return NULL;
    }
  if ((tail || file->packed != (self->format == CS_CONVERT_PACKED)) && !keep_header (self, file, error))
    return NULL;
  return g_steal_pointer (&file);
}

/* Opens an event file or tail. What is none, or damaged, will be copied as it is; what is gone meanwhile, or
 * was begun, no more, is left out. */
static gboolean
open_file (CsConversion *self, const char *path, const CsTraceNameParts *parts, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  struct stat st = { 0 };
  gboolean known = stat (path, &st) == 0;
  g_autoptr (GError) local = NULL;
  g_autoptr (CsEventFile) file = try_file (self, path, parts->kind == CS_TRACE_NAME_TAIL, &local);

  if (file != NULL)
    {
      if (!is_seen (self, file->device, file->inode, name))
        g_ptr_array_add (self->files, g_steal_pointer (&file));
      return TRUE;
    }
  if (g_error_matches (local, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (g_error_matches (local, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_NOT_FOUND) ||
      (g_error_matches (local, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_SHORT) && has_tail (self, parts)))
    return TRUE;
  cs_notices_add_detail (self->notices, CS_NOTICE_UNREADABLE, "%s — %s", local->message,
                         known && S_ISREG (st.st_mode) ? "copied as it is" : "left out");
  cs_conversion_set_size (self, name, (guint64) st.st_size);
  return TRUE;
}

static int
compare_files (gconstpointer a, gconstpointer b)
{
  return cs_event_file_compare (*(CsEventFile *const *) a, *(CsEventFile *const *) b);
}

/* Says once a process that what it does from now on is missing. */
static void
note_living (CsConversion *self)
{
  g_autoptr (GHashTable) told = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->files->len; i++)
    {
      const CsEventFile *file = g_ptr_array_index (self->files, i);

      if (file->tail && !g_hash_table_contains (told, GUINT_TO_POINTER (file->header.pid)) && cs_tail_is_alive (file))
        {
          g_hash_table_add (told, GUINT_TO_POINTER (file->header.pid));
          cs_notices_add_detail (self->notices, CS_NOTICE_STOPPED,
                                 "process %u still runs: what it records from now on is not in the copy",
                                 file->header.pid);
        }
    }
}

/* Tails first: what a living process flushes meanwhile is then in both, not in neither. */
static gboolean
open_files (CsConversion *self, const char *folder, GError **error)
{
  for (guint tails = 2; tails-- > 0;)
    {
      g_autoptr (GPtrArray) names = cs_trace_folder_list (folder, error);

      if (names == NULL)
        return FALSE;
      g_ptr_array_sort (names, compare_names);
      for (guint i = 0; i < names->len; i++)
        {
          const char *name = g_ptr_array_index (names, i);
          g_autofree char *path = g_build_filename (folder, name, NULL);
          CsTraceNameParts parts;
          CsTraceName kind = cs_trace_name_parse (name, &parts);

          if (g_cancellable_set_error_if_cancelled (self->cancellable, error) ||
              ((tails ? kind == CS_TRACE_NAME_TAIL : kind == CS_TRACE_NAME_EVENTS || kind == CS_TRACE_NAME_STREAM) &&
               !open_file (self, path, &parts, error)))
            return FALSE;
        }
      if (tails)
        note_living (self);
    }
  g_ptr_array_sort (self->files, compare_files);
  return TRUE;
}

/* --- files that are copied ---------------------------------------------------------------- */

/* Copies a regular file. What is no such file, or is gone meanwhile, is left out. */
static gboolean
copy_file (CsConversion *self, int from, int to, const char *name, int flags, guint64 size, GError **error)
{
  cs_autofd fd = openat (from, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
  g_autoptr (CsOutputFile) output = NULL;
  struct stat st;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (fd < 0 && (errno == ENOENT || errno == ELOOP))
    return TRUE;
  if (fd < 0 || fstat (fd, &st) != 0)
    {
      g_set_error (error, CS_CONVERT_ERROR, CS_CONVERT_ERROR_SOURCE, "%s can't be opened: %s", name, g_strerror (errno));
      return FALSE;
    }
  if (!S_ISREG (st.st_mode) || (to == self->target && is_seen (self, st.st_dev, st.st_ino, name)))
    return TRUE;
  size = MIN (size, (guint64) st.st_size);
  output = cs_output_file_new (to, name, error);
  if (output == NULL || !cs_output_file_copy (output, fd, size, self->cancellable, error) ||
      !cs_output_file_close (output, error))
    return FALSE;
  self->result->n_copied++;
  if (self->bytes_done != NULL)
    __atomic_fetch_add (self->bytes_done, size, __ATOMIC_RELAXED);
  return TRUE;
}

/* Copies a folder with what is in it, if it is there. */
static gboolean
copy_folder (CsConversion *self, int from, int to, const char *path, const char *name, GError **error)
{
  cs_autofd source = openat (from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  cs_autofd target = -1;
  g_autofree char *whole = g_build_filename (path, name, NULL);
  g_autoptr (GPtrArray) names = NULL;

  if (source < 0)
    return TRUE;
  if (mkdirat (to, name, 0700) != 0 || (target = openat (to, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) < 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s can't be made (%s)", name, g_strerror (errno));
      return FALSE;
    }
  names = list (whole, error);
  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      const char *inside = g_ptr_array_index (names, i);
      struct stat st;

      if (fstatat (source, inside, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
          !(S_ISDIR (st.st_mode) ? copy_folder (self, source, target, whole, inside, error)
                                 : copy_file (self, source, target, inside, O_NOFOLLOW, G_MAXUINT64, error)))
        return FALSE;
    }
  return names != NULL;
}

static gboolean
is_bundle (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, CS_BUNDLE_FILE, NULL);
  cs_autofd fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  char start[sizeof CS_BUNDLE_FIRST_LINE] = { 0 };

  return fd >= 0 && cs_pread_full (fd, start, sizeof start - 1, 0) > 0 && g_str_equal (start, CS_BUNDLE_FIRST_LINE);
}

/* Copies what belongs to the recording and was not converted: files of other kinds, the address map
 * of counters, what was noted of the recording, and what a bundle holds. */
static gboolean
copy_others (CsConversion *self, const char *folder, GError **error)
{
  static const char *const beside[] = { "callsight.counters", "recording.ini", NULL };
  static const char *const of_bundle[] = { "modules", CS_BUNDLE_DEBUG_FOLDER, "sources" };
  cs_autofd source = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_autoptr (GPtrArray) names = list (folder, error);
  gboolean bundle = is_bundle (folder);

  if (names == NULL)
    return FALSE;
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      const guint64 *size = g_hash_table_lookup (self->sizes, name);
      CsTraceNameParts parts;
      CsTraceName kind = cs_trace_name_parse (name, &parts);
      gboolean wanted = g_strv_contains (beside, name) || (bundle && g_str_equal (name, CS_BUNDLE_FILE));

      if (kind == CS_TRACE_NAME_EVENTS || kind == CS_TRACE_NAME_STREAM || kind == CS_TRACE_NAME_TAIL)
        wanted = size != NULL;
      else if (kind != CS_TRACE_NAME_OTHER)
        wanted = TRUE;
      if (wanted && !copy_file (self, source, self->target, name, 0, size != NULL ? *size : G_MAXUINT64, error))
        return FALSE;
    }
  for (guint i = 0; bundle && i < G_N_ELEMENTS (of_bundle); i++)
    if (!copy_folder (self, source, self->target, folder, of_bundle[i], error))
      return FALSE;
  return TRUE;
}

/* --- the whole ---------------------------------------------------------------------------- */

/* Whether a recording is there at all. */
static gboolean
check_source (const CsConversion *self, const char *folder, GError **error)
{
  g_autoptr (GPtrArray) names = list (folder, error);

  if (names == NULL)
    return FALSE;
  for (guint i = 0; i < names->len; i++)
    {
      CsTraceNameParts parts;
      CsTraceName kind = cs_trace_name_parse (g_ptr_array_index (names, i), &parts);

      if (kind != CS_TRACE_NAME_OTHER && kind != CS_TRACE_NAME_PROCESS)
        return TRUE;
    }
  g_set_error (error, CS_CONVERT_ERROR, CS_CONVERT_ERROR_SOURCE,
               "%s: no recording there (no trace.*.bin) — give the trace directory of one", folder);
  return FALSE;
}

/* Whether the copy is to be made neither in the recording's folder nor where something is. */
static gboolean
check_target (const char *folder, const char *out, GError **error)
{
  g_autofree char *whole = g_canonicalize_filename (out, NULL);
  g_autofree char *parent = g_path_get_dirname (whole);
  char *source = realpath (folder, NULL), *around = realpath (parent, NULL);
  gsize n = source != NULL ? strlen (source) : 0;
  gboolean inside = source != NULL && around != NULL && strncmp (around, source, n) == 0 &&
                    (around[n] == '\0' || around[n] == '/' || g_str_equal (source, "/"));

  free (source);
  free (around);
  if (inside)
    {
      g_set_error (error, CS_CONVERT_ERROR, CS_CONVERT_ERROR_TARGET,
                   "%s: it lies in the recording's own folder, which stays as it is — name one elsewhere with --out", out);
      return FALSE;
    }
  return cs_bundle_check_target (out, error);
}

/* Whether there is something that isn't of the wanted format. */
static gboolean
check_need (const CsConversion *self, const char *folder, GError **error)
{
  gboolean packed = self->format == CS_CONVERT_PACKED;
  guint n_old = 0;

  for (guint i = 0; i < self->files->len; i++)
    {
      const CsEventFile *file = g_ptr_array_index (self->files, i);

      if (file->header.version == 1)
        n_old++;
      else if (file->packed != packed)
        return TRUE;
    }
  if (self->files->len == 0)
    g_set_error (error, CS_CONVERT_ERROR, CS_CONVERT_ERROR_SOURCE,
                 "%s: there are no event files that could be converted — give the trace directory of events", folder);
  else if (packed && n_old == self->files->len)
    g_set_error (error, CS_CONVERT_ERROR, CS_CONVERT_ERROR_SOURCE,
                 "%s: its event files are of version 1, which can't be packed — use it as it is", folder);
  else
    g_set_error (error, CS_CONVERT_ERROR, CS_CONVERT_ERROR_DONE, "%s: %s already, no copy was made — use it as it is", folder,
                 packed ? "it is packed" : "its events are records");
  return FALSE;
}

static gboolean
fill (CsConversion *self, const char *folder, GError **error)
{
  return cs_conversion_write_tracks (self, error) && copy_others (self, folder, error);
}

/* Makes of what went wrong a sentence that says what there is to do. */
static void
explain (const char *folder, const char *out, GError **error)
{
  if (error == NULL || g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if ((*error)->domain == G_IO_ERROR)
    {
      g_autoptr (GError) local = g_steal_pointer (error);

      g_set_error (error, CS_CONVERT_ERROR, CS_CONVERT_ERROR_WRITE,
                   "%s: %s — nothing is left of it; name a folder with room for it with --out", out, local->message);
    }
  else
    {
      g_autoptr (GError) local = g_steal_pointer (error);

      g_set_error (error, CS_CONVERT_ERROR, CS_CONVERT_ERROR_SOURCE,
                   "%s: %s — %s was not made; see that all of the recording can be read", folder, local->message, out);
    }
}

/* Makes the copy beside its place and moves it there. */
static gboolean
make (CsConversion *self, const char *folder, const char *out, GError **error)
{
  g_autofree char *real = g_canonicalize_filename (out, NULL);
  g_autofree char *temporary = g_strconcat (real, ".XXXXXX", NULL);
  cs_autofd target = -1;

  if (g_mkdtemp (temporary) == NULL)
    {
      g_set_error (error, CS_CONVERT_ERROR, CS_CONVERT_ERROR_TARGET,
                   "%s: the folder can't be made (%s) — name another one with --out", out, g_strerror (errno));
      return FALSE;
    }
  self->target = target = open (temporary, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  /* What cancels it after this comes too late. */
  if (!fill (self, folder, error) || g_cancellable_set_error_if_cancelled (self->cancellable, error))
    {
      explain (folder, out, error);
      cs_folder_remove (temporary);
      return FALSE;
    }
  if (g_rename (temporary, real) != 0)
    {
      g_set_error (error, CS_CONVERT_ERROR, CS_CONVERT_ERROR_TARGET,
                   "%s: the copy can't be put there (%s) — name another folder with --out", out, g_strerror (errno));
      cs_folder_remove (temporary);
      return FALSE;
    }
  return TRUE;
}

/**
 * cs_convert:
 * @folder: a trace directory
 * @format: what its event files are to be
 * @out: a folder that isn't there yet, or is empty; not in @folder
 * @bytes_done: (nullable): counts the bytes read, atomically, for a progress display
 * @cancellable: (nullable): to give up early; nothing is left then, unless the copy was whole already
 * @error: where to say why there is no copy
 *
 * Makes a copy of a recording in which event files and tails are of the other format. Each becomes a file
 * of its name with its header, but for version and event_size, and its records, in the producer's byte
 * order; of a tail those that its event file hasn't. Where blocks are damaged a marker 263 stands for what is lost. What is no event
 * file, or one of version 1, is copied as it is, so is one that can't be understood. A file counts once, under
 * whatever names it is there. Of a process that runs the copy has what was there at one moment. The copy is made
 * beside @out and moved there when it is whole. Blocks; see cs_convert_async().
 *
 * Returns: (transfer full) (nullable): what was done; %NULL with %CS_CONVERT_ERROR
 */
CsConvertResult *
cs_convert (const char *folder, CsConvertFormat format, const char *out, guint64 *bytes_done, GCancellable *cancellable,
            GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_event_file_free);
  g_autoptr (GHashTable) headers = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) sizes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) inodes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (CsNotices) notices = cs_notices_new ();
  g_autoptr (CsConvertResult) result = g_new0 (CsConvertResult, 1);
  CsConversion conversion = { .format = format, .target = -1, .files = files, .headers = headers, .sizes = sizes,
                              .inodes = inodes, .notices = notices, .result = result, .bytes_done = bytes_done, .cancellable = cancellable };

  g_return_val_if_fail (folder != NULL && out != NULL, NULL);

  if (!check_source (&conversion, folder, error) || !check_target (folder, out, error))
    return NULL;
  if (!open_files (&conversion, folder, error))
    {
      explain (folder, out, error);
      return NULL;
    }
  if (!check_need (&conversion, folder, error) || !make (&conversion, folder, out, error))
    return NULL;
  result->notices = cs_notices_dup_texts (notices);
  return g_steal_pointer (&result);
}

typedef struct
{
  char *folder;
  CsConvertFormat format;
  char *out;
  guint64 *bytes_done;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->folder);
  g_free (job->out);
  g_free (job);
}

static void
run_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;
  CsConvertResult *result = cs_convert (job->folder, job->format, job->out, job->bytes_done, cancellable, &error);

  if (result == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, result, (GDestroyNotify) cs_convert_result_free);
}

/**
 * cs_convert_async:
 * @folder: a trace directory
 * @format: what its event files are to be
 * @out: a folder that isn't there yet, or is empty; not in @folder
 * @bytes_done: (nullable): counts the bytes read, atomically, for a progress display
 * @cancellable: (nullable): to give up early; nothing is left then
 * @callback: (scope async): called when the copy is there, or not
 * @user_data: for @callback
 *
 * cs_convert() in a thread.
 */
void
cs_convert_async (const char *folder, CsConvertFormat format, const char *out, guint64 *bytes_done,
                  GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->folder = g_strdup (folder);
  job->format = format;
  job->out = g_strdup (out);
  job->bytes_done = bytes_done;
  g_task_set_source_tag (task, cs_convert_async);
  g_task_set_task_data (task, job, job_free);
  g_task_set_return_on_cancel (task, FALSE);
  g_task_set_check_cancellable (task, FALSE);
  g_task_run_in_thread (task, run_job);
}

/**
 * cs_convert_finish:
 * @result: what the callback got
 * @error: where to say why there is no copy
 *
 * Returns: (transfer full) (nullable): what was done
 */
CsConvertResult *
cs_convert_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
