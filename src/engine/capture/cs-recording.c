/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>

#include "capture/cs-recording-private.h"
#include "capture/cs-tail.h"
#include "capture/cs-trace-folder.h"

G_DEFINE_FINAL_TYPE (CsRecording, cs_recording, G_TYPE_OBJECT)

/* A key of two numbers. */
typedef struct
{
  guint64 a, b;
} Pair;

static guint
pair_hash (gconstpointer data)
{
  const Pair *pair = data;

  return (guint) (((pair->a ^ (pair->b << 32 | pair->b >> 32)) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15)) >> 32);
}

static gboolean
pair_equal (gconstpointer x, gconstpointer y)
{
  const Pair *a = x, *b = y;

  return a->a == b->a && a->b == b->b;
}

static gpointer
pair_new (guint64 a, guint64 b)
{
  Pair pair = { a, b };

  return g_memdup2 (&pair, sizeof pair);
}

/**
 * cs_recording_add_known_file:
 * @self: a recording
 * @device: the device of a file that is named or lies in a folder that is
 * @inode: its inode
 *
 * Returns: whether it is seen for the first time: it may be named in several ways
 */
gboolean
cs_recording_add_known_file (CsRecording *self, guint64 device, guint64 inode)
{
  return g_hash_table_add (self->known_files, pair_new (device, inode));
}

static void
thread_track_free (gpointer data)
{
  CsThreadTrack *self = data;

  g_ptr_array_unref (self->files);
  g_free (self);
}

static void
thread_summary_free (gpointer data)
{
  CsThreadSummary *self = data;

  cs_summary_file_free (self->file);
  g_free (self);
}

static void
cs_recording_finalize (GObject *object)
{
  CsRecording *self = CS_RECORDING (object);

  g_ptr_array_unref (self->tracks);
  g_ptr_array_unref (self->summaries);
  g_ptr_array_unref (self->processes);
  g_ptr_array_unref (self->files);
  g_hash_table_unref (self->sections);
  g_hash_table_unref (self->known_files);
  g_ptr_array_unref (self->process_files);
  cs_notices_free (self->notices);

  G_OBJECT_CLASS (cs_recording_parent_class)->finalize (object);
}

static void
cs_recording_class_init (CsRecordingClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_recording_finalize;
}

static void
cs_recording_init (CsRecording *self)
{
  self->files = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_event_file_free);
  self->processes = g_ptr_array_new_with_free_func (g_free);
  self->tracks = g_ptr_array_new_with_free_func (thread_track_free);
  self->summaries = g_ptr_array_new_with_free_func (thread_summary_free);
  self->process_files = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  self->sections = g_hash_table_new_full (pair_hash, pair_equal, g_free, NULL);
  self->known_files = g_hash_table_new_full (pair_hash, pair_equal, g_free, NULL);
  self->notices = cs_notices_new ();
}

/* What was seen while looking through the paths. */
typedef struct
{
  gboolean tails; /* only they are looked for */
  GCancellable *cancellable; /* (nullable) */
  guint n_event_files;
  GPtrArray *summary_paths; /* (element-type filename) */
  GError *first_error; /* why the first unreadable file was skipped */
} Scan;

static void
scan_clear (Scan *scan)
{
  g_ptr_array_unref (scan->summary_paths);
  g_clear_error (&scan->first_error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scan, scan_clear)

/**
 * cs_recording_skip_file:
 * @self: a recording
 * @error: why a file is left out
 * @first_error: (inout): why the first one was
 *
 * Says so.
 */
void
cs_recording_skip_file (CsRecording *self, const GError *error, GError **first_error)
{
  cs_notices_add_detail (self->notices, CS_NOTICE_UNREADABLE, "%s — skipped", error->message);
  if (*first_error == NULL)
    *first_error = g_error_copy (error);
}

/* Whether a thread has a tail in the folder of one of its files, and so was killed or runs. */
static gboolean
has_tail (CsRecording *self, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  CsTraceNameParts parts;

  cs_trace_name_parse (name, &parts);
  for (guint i = 0; i < self->files->len; i++)
    {
      const CsEventFile *file = g_ptr_array_index (self->files, i);

      if (file->tail && file->parts.pid == parts.pid && file->parts.tid == parts.tid &&
          g_str_equal (file->folder, folder))
        return TRUE;
    }
  return FALSE;
}

static void
add_event_file (CsRecording *self, const char *path, Scan *scan)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CsEventFile) file =
      scan->tails ? cs_tail_open (path, self->notices, &error)
                  : cs_event_file_open_cancellable (path, scan->cancellable, &error);

  /* Of a process that was killed there may be tails in which nothing was written yet; one that
   * still runs removes tails of threads that end, and its oldest segments. */
  if (g_error_matches (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_NOT_FOUND) ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (g_error_matches (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_SHORT) && has_tail (self, path))
    return; /* it was begun, no more: what it was for is in the tail */
  scan->n_event_files++;
  if (file == NULL)
    cs_recording_skip_file (self, error, &scan->first_error);
  else if (cs_recording_add_known_file (self, file->device, file->inode))
    g_ptr_array_add (self->files, g_steal_pointer (&file));
}

/* Reads a process file, once however many of its process's event files are named. */
static void
add_process_file (CsRecording *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *sections;
  GStatBuf st;

  if (g_stat (path, &st) == 0 && !cs_recording_add_known_file (self, st.st_dev, st.st_ino))
    return;
  sections = cs_process_file_read (path, &error);
  if (sections == NULL)
    {
      cs_notices_add_detail (self->notices, CS_NOTICE_UNREADABLE, "%s — skipped", error->message);
      return;
    }
  g_ptr_array_add (self->process_files, sections);
  for (guint i = 0; i < sections->len; i++)
    {
      CsProcessSection *section = g_ptr_array_index (sections, i);

      g_hash_table_insert (self->sections, pair_new (section->pid, section->start_ns), section);
    }
}

static void
add_path (CsRecording *self, const char *path, gboolean named, Scan *scan)
{
  g_autofree char *name = g_path_get_basename (path);
  CsTraceNameParts parts;

  if ((cs_trace_name_parse (name, &parts) == CS_TRACE_NAME_TAIL) != scan->tails)
    return;
  switch (parts.kind)
    {
    case CS_TRACE_NAME_EVENTS:
    case CS_TRACE_NAME_STREAM:
    case CS_TRACE_NAME_TAIL:
      add_event_file (self, path, scan);
      break;
    case CS_TRACE_NAME_PROCESS:
      add_process_file (self, path);
      break;
    case CS_TRACE_NAME_SUMMARY:
    case CS_TRACE_NAME_SUMMARY_TAIL:
      g_ptr_array_add (scan->summary_paths, g_strdup (path));
      break;
    case CS_TRACE_NAME_OTHER:
    default:
      if (named)
        add_event_file (self, path, scan);
      break;
    }
}

static gboolean
add_folder (CsRecording *self, const char *path, Scan *scan, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) names = cs_trace_folder_list (path, error);

  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      g_autofree char *file = g_build_filename (path, g_ptr_array_index (names, i), NULL);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      add_path (self, file, FALSE, scan);
    }
  return names != NULL;
}

/* A single file brings the process file that lies beside it. */
static void
add_file_with_process (CsRecording *self, const char *path, Scan *scan)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *process_name = NULL;
  g_autofree char *process_path = NULL;
  CsTraceNameParts parts;

  add_path (self, path, TRUE, scan);
  cs_trace_name_parse (name, &parts);
  if (scan->tails || parts.kind == CS_TRACE_NAME_OTHER || parts.kind == CS_TRACE_NAME_STREAM)
    return;
  process_name = g_strdup_printf ("trace.%u.process", parts.pid);
  process_path = g_build_filename (folder, process_name, NULL);
  if (g_file_test (process_path, G_FILE_TEST_IS_REGULAR))
    add_process_file (self, process_path);
}

/**
 * cs_recording_add_process:
 * @self: a recording whose process files were read
 * @header: what the first of a process's files tells of it
 *
 * Returns: (transfer none): the process
 */
CsProcess *
cs_recording_add_process (CsRecording *self, const struct trace_header *header)
{
  CsProcess *process = g_new0 (CsProcess, 1);
  Pair key = { header->pid, header->t0_ns };

  process->index = self->processes->len;
  process->pid = header->pid;
  process->t0_ticks = header->t0_ticks;
  process->t0_ns = header->t0_ns;
  process->tick_hz = header->tick_hz;
  process->load_bias = header->load_bias;
  process->hook_ns = header->hook_ns;
  process->ticks = (header->flags & TRACE_FLAG_TICKS) != 0;
  process->section = header->t0_ns != 0 ? g_hash_table_lookup (self->sections, &key) : NULL;
  g_ptr_array_add (self->processes, process);
  return process;
}

static CsThreadTrack *
add_track (CsRecording *self, CsProcess *process, const CsEventFile *file)
{
  CsThreadTrack *track = g_new0 (CsThreadTrack, 1);

  track->process = process;
  track->tid = file->parts.tid;
  track->files = g_ptr_array_new ();
  g_ptr_array_add (self->tracks, track);
  return track;
}

static int
compare_files (gconstpointer a, gconstpointer b)
{
  return cs_event_file_compare (*(CsEventFile *const *) a, *(CsEventFile *const *) b);
}

/* What there is to read, now that tails have completed their segments. */
static void
count_bytes (CsRecording *self)
{
  for (guint i = 0; i < self->files->len; i++)
    {
      const CsEventFile *file = g_ptr_array_index (self->files, i);

      cs_event_file_add_notices (file, self->notices);
      self->n_bytes += cs_event_file_get_n_bytes (file);
    }
}

/* Distributes the sorted files over processes and tracks. */
static void
group_files (CsRecording *self)
{
  const CsEventFile *previous = NULL;
  CsProcess *process = NULL;
  CsThreadTrack *track = NULL;

  g_ptr_array_sort (self->files, compare_files);
  cs_recording_join_tails (self);
  for (guint i = 0; i < self->files->len; i++)
    {
      CsEventFile *file = g_ptr_array_index (self->files, i);

      if (previous == NULL || cs_event_file_compare_process (previous, file) != 0)
        {
          process = cs_recording_add_process (self, &file->header);
          track = NULL;
        }
      if (track == NULL || cs_event_file_compare_track (previous, file) != 0)
        track = add_track (self, process, file);
      else
        cs_recording_check_numbers (self, previous, file);
      g_ptr_array_add (track->files, file);
      previous = file;
    }
}

static gboolean
set_nothing_error (const Scan *scan, const char *const *paths, GError **error)
{
  if (scan->first_error != NULL && scan->n_event_files == 1)
    g_set_error (error, CS_CAPTURE_ERROR, scan->first_error->code, "%s: there is nothing to read — %s",
                 paths[0], scan->first_error->message);
  else if (scan->first_error != NULL)
    g_set_error (error, CS_CAPTURE_ERROR, scan->first_error->code,
                 "%s: none of its %u event files can be read — %s", paths[0],
                 scan->n_event_files + scan->summary_paths->len, scan->first_error->message);
  else
    g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_NOT_FOUND,
                 "%s: no recording there (no trace.*.bin) — run the instrumented program with "
                 "TRACE_ENABLE=1, or use callsight-cli run",
                 paths[0]);
  return FALSE;
}

static gboolean
add_all (CsRecording *self, const char *const *paths, Scan *scan, GCancellable *cancellable, GError **error)
{
  for (guint i = 0; paths[i] != NULL; i++)
    {
      if (g_file_test (paths[i], G_FILE_TEST_IS_DIR))
        {
          if (!add_folder (self, paths[i], scan, cancellable, error))
            return FALSE;
        }
      else if (g_file_test (paths[i], G_FILE_TEST_EXISTS))
        add_file_with_process (self, paths[i], scan);
      else
        {
          g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_NOT_FOUND,
                       "“%s”: no such file or folder — give the trace directory of a recording", paths[i]);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
load (CsRecording *self, const char *const *paths, GCancellable *cancellable, GError **error)
{
  g_auto (Scan) scan = { .cancellable = cancellable,
                         .summary_paths = g_ptr_array_new_with_free_func (g_free) };

  /* Tails first: what a living process flushes meanwhile is then in both, not in neither. */
  scan.tails = TRUE;
  if (!add_all (self, paths, &scan, cancellable, error))
    return FALSE;
  scan.tails = FALSE;
  if (!add_all (self, paths, &scan, cancellable, error) || g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (self->files->len == 0)
    cs_recording_open_summaries (self, scan.summary_paths, &scan.first_error);
  else if (scan.summary_paths->len > 0)
    cs_notices_add (self->notices, CS_NOTICE_UNREADABLE,
                    "%u summary files are left out: a report is of events or of summaries, and there are "
                    "event files — name the summary files alone to see them",
                    scan.summary_paths->len);
  if (self->files->len + self->summaries->len == 0)
    return set_nothing_error (&scan, paths, error);
  group_files (self);
  cs_recording_settle_segments (self);
  count_bytes (self);
  return cs_recording_set_clocks (self, error);
}

/**
 * cs_recording_open:
 * @paths: (array zero-terminated=1): trace directories, event files or summary files
 * @cancellable: (nullable): to give up early
 * @error: where to say why there is nothing to read
 *
 * Opens what was captured: reads headers, process files and closing anchors, no more.
 * Unreadable files are named in the notices and skipped. Blocks; see
 * cs_recording_open_async().
 *
 * Returns: (transfer full) (nullable): the recording, or %NULL with %CS_CAPTURE_ERROR
 */
CsRecording *
cs_recording_open (const char *const *paths, GCancellable *cancellable, GError **error)
{
  g_autoptr (CsRecording) self = g_object_new (CS_TYPE_RECORDING, NULL);

  g_return_val_if_fail (paths != NULL && paths[0] != NULL, NULL);

  if (!load (self, paths, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

static void
open_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  CsRecording *self = cs_recording_open (data, cancellable, &error);

  if (self == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, self, g_object_unref);
}

/**
 * cs_recording_open_async:
 * @paths: (array zero-terminated=1): trace directories or event files
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when it is open, or not
 * @user_data: for @callback
 *
 * cs_recording_open() in a thread.
 */
void
cs_recording_open_async (const char *const *paths, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, cs_recording_open_async);
  g_task_set_task_data (task, g_strdupv ((char **) paths), (GDestroyNotify) g_strfreev);
  g_task_run_in_thread (task, open_in_thread);
}

/**
 * cs_recording_open_finish:
 * @result: what the callback got
 * @error: where to say why there is nothing to read
 *
 * Returns: (transfer full) (nullable): the recording
 */
CsRecording *
cs_recording_open_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cs_recording_has_hooks_after_inlining:
 * @self: a recording
 *
 * Returns: whether the runtime of a process knew that its hooks were placed after the compiler had inlined
 */
gboolean
cs_recording_has_hooks_after_inlining (CsRecording *self)
{
  for (guint i = 0; i < self->processes->len; i++)
    {
      const CsProcess *process = g_ptr_array_index (self->processes, i);

      if (process->section != NULL && process->section->after_inlining)
        return TRUE;
    }
  return FALSE;
}

/**
 * cs_recording_get_processes:
 * @self: a recording
 *
 * Returns: (transfer none) (element-type CsProcess): its processes, in the order of their pids
 */
GPtrArray *
cs_recording_get_processes (CsRecording *self)
{
  return self->processes;
}

/**
 * cs_recording_get_tracks:
 * @self: a recording
 *
 * Returns: (transfer none) (element-type CsThreadTrack): what can be read independently
 */
GPtrArray *
cs_recording_get_tracks (CsRecording *self)
{
  return self->tracks;
}

/**
 * cs_recording_get_summaries:
 * @self: a recording
 *
 * A recording is of events or of summaries: where there is one of these, there are no tracks.
 *
 * Returns: (transfer none) (element-type CsThreadSummary): what threads counted in summary
 *   mode, by process and thread
 */
GPtrArray *
cs_recording_get_summaries (CsRecording *self)
{
  return self->summaries;
}

/**
 * cs_recording_get_notices:
 * @self: a recording
 *
 * Returns: (transfer none): what had to be left out
 */
const CsNotices *
cs_recording_get_notices (CsRecording *self)
{
  return self->notices;
}

/**
 * cs_recording_get_n_bytes:
 * @self: a recording
 *
 * Returns: how many bytes of events there are
 */
guint64
cs_recording_get_n_bytes (CsRecording *self)
{
  return self->n_bytes;
}

/**
 * cs_process_get_thread_name:
 * @self: a process
 * @tid: a thread id
 * @seq: the number of the thread's first file that is there
 *
 * A thread is noted with the number of its very first file, which may have been rotated away.
 *
 * Returns: (transfer none) (nullable): the thread's last name
 */
const char *
cs_process_get_thread_name (const CsProcess *self, guint tid, guint64 seq)
{
  const CsThreadName *found = NULL;

  for (guint i = 0; self->section != NULL && i < self->section->threads->len; i++)
    {
      const CsThreadName *thread = g_ptr_array_index (self->section->threads, i);

      if (thread->tid == tid && thread->seq <= seq && (found == NULL || thread->seq >= found->seq))
        found = thread;
    }
  return found != NULL ? found->name : NULL;
}
