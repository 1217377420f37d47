/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/cs-io.h"
#include "capture/cs-recording.h"

struct _CsRecording
{
  GObject parent_instance;

  GPtrArray *files;         /* (element-type CsEventFile), every readable one, in order */
  GPtrArray *processes;     /* (element-type CsProcess) */
  GPtrArray *tracks;        /* (element-type CsThreadTrack) */
  GPtrArray *process_files; /* (element-type GPtrArray of CsProcessSection), owner of sections */
  GHashTable *sections;     /* (pid, start) → CsProcessSection of process_files */
  GHashTable *known_files;  /* (device, inode) of files */
  CsNotices *notices;
  guint64 n_bytes;
};

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

static void
thread_track_free (gpointer data)
{
  CsThreadTrack *self = data;

  g_ptr_array_unref (self->files);
  g_free (self);
}

static void
cs_recording_finalize (GObject *object)
{
  CsRecording *self = CS_RECORDING (object);

  g_ptr_array_unref (self->tracks);
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
  self->process_files = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  self->sections = g_hash_table_new_full (pair_hash, pair_equal, g_free, NULL);
  self->known_files = g_hash_table_new_full (pair_hash, pair_equal, g_free, NULL);
  self->notices = cs_notices_new ();
}

/* What was seen while looking through the paths, for the sentence when there is nothing. */
typedef struct
{
  guint n_event_files;
  guint n_summaries;
  guint n_tails;
  GError *first_error; /* why the first unreadable event file was skipped */
} Scan;

static void
scan_clear (Scan *scan)
{
  g_clear_error (&scan->first_error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scan, scan_clear)

static void
add_event_file (CsRecording *self, const char *path, Scan *scan)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CsEventFile) file = cs_event_file_open (path, &error);

  scan->n_event_files++;
  if (file == NULL)
    {
      cs_notices_add_detail (self->notices, CS_NOTICE_UNREADABLE, "%s — skipped", error->message);
      if (scan->first_error == NULL)
        scan->first_error = g_steal_pointer (&error);
      return;
    }
  if (!g_hash_table_add (self->known_files, pair_new (file->device, file->inode)))
    return;
  if (file->rest > 0)
    cs_notices_add_detail (self->notices, CS_NOTICE_PARTIAL,
                           "%s ends in the middle of a record: the last %u bytes are left out",
                           file->name, file->rest);
  self->n_bytes += file->n_events * TRACE_EVENT_SIZE;
  g_ptr_array_add (self->files, g_steal_pointer (&file));
}

static void
add_process_file (CsRecording *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *sections = cs_process_file_read (path, &error);

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

  switch (cs_trace_name_parse (name, &parts))
    {
    case CS_TRACE_NAME_EVENTS:
    case CS_TRACE_NAME_STREAM:
      add_event_file (self, path, scan);
      break;
    case CS_TRACE_NAME_PROCESS:
      add_process_file (self, path);
      break;
    case CS_TRACE_NAME_SUMMARY:
      scan->n_summaries++;
      break;
    case CS_TRACE_NAME_TAIL:
      scan->n_tails++;
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
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  if (dir == NULL)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ,
                   "%s: the folder can't be opened (%s) — run as the user who recorded it", path,
                   g_strerror (errno));
      return FALSE;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      add_path (self, file, FALSE, scan);
    }
  return TRUE;
}

/* A single event file brings the process file that lies beside it. */
static void
add_file_with_process (CsRecording *self, const char *path, Scan *scan)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *process_name = NULL;
  g_autofree char *process_path = NULL;
  CsTraceNameParts parts;

  add_path (self, path, TRUE, scan);
  if (cs_trace_name_parse (name, &parts) != CS_TRACE_NAME_EVENTS)
    return;
  process_name = g_strdup_printf ("trace.%u.process", parts.pid);
  process_path = g_build_filename (folder, process_name, NULL);
  if (g_file_test (process_path, G_FILE_TEST_IS_REGULAR))
    add_process_file (self, process_path);
}

static CsProcess *
add_process (CsRecording *self, const CsEventFile *file)
{
  const struct trace_header *header = &file->header;
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

/* Distributes the sorted files over processes and tracks. */
static void
group_files (CsRecording *self)
{
  const CsEventFile *previous = NULL;
  CsProcess *process = NULL;
  CsThreadTrack *track = NULL;

  g_ptr_array_sort (self->files, compare_files);
  for (guint i = 0; i < self->files->len; i++)
    {
      CsEventFile *file = g_ptr_array_index (self->files, i);

      if (previous == NULL || cs_event_file_compare_process (previous, file) != 0)
        {
          process = add_process (self, file);
          track = NULL;
        }
      if (track == NULL || cs_event_file_compare_track (previous, file) != 0)
        track = add_track (self, process, file);
      g_ptr_array_add (track->files, file);
      previous = file;
    }
}

/* The closing anchor is the last record that a process writes, but threads that still run
 * then may add a few: so many records at the end of each file are searched for it. */
#define ANCHOR_SEARCH_RECORDS 256

static void
find_anchors (CsRecording *self, CsProcess *process, guint64 max_records)
{
  for (guint i = 0; i < self->tracks->len; i++)
    {
      const CsThreadTrack *track = g_ptr_array_index (self->tracks, i);
      guint64 ticks, ns;

      if (track->process != process)
        continue;
      for (guint j = 0; j < track->files->len; j++)
        if (cs_event_file_find_anchor (g_ptr_array_index (track->files, j), max_records, &ticks, &ns) &&
            ns > process->anchor_ns)
          {
            process->anchor_ticks = ticks;
            process->anchor_ns = ns;
          }
    }
}

static gboolean
set_rate (CsProcess *process)
{
  if (process->anchor_ns != 0)
    return cs_clock_init_ticks (&process->clock, process->t0_ticks, process->t0_ns,
                                process->anchor_ns - process->t0_ns,
                                process->anchor_ticks - process->t0_ticks);
  return cs_clock_init_ticks (&process->clock, process->t0_ticks, process->t0_ns, G_USEC_PER_SEC * 1000,
                              process->tick_hz);
}

/* Chooses the rate of a process: its latest anchor, or the coarse rate of its header. */
static gboolean
set_clock (CsRecording *self, CsProcess *process)
{
  if (!process->ticks)
    {
      cs_clock_init_ns (&process->clock);
      return TRUE;
    }
  find_anchors (self, process, ANCHOR_SEARCH_RECORDS);
  if (set_rate (process))
    return TRUE;
  find_anchors (self, process, G_MAXUINT64);
  return set_rate (process);
}

/* Takes a process out whose times nothing can tell. */
static void
drop_process (CsRecording *self, CsProcess *process)
{
  for (guint i = self->tracks->len; i-- > 0;)
    {
      CsThreadTrack *track = g_ptr_array_index (self->tracks, i);

      if (track->process == process)
        g_ptr_array_remove_index (self->tracks, i);
    }
  g_ptr_array_remove (self->processes, process);
}

static gboolean
set_clocks (CsRecording *self, GError **error)
{
  g_autoptr (GError) first = NULL;

  for (guint i = 0; i < self->processes->len;)
    {
      CsProcess *process = g_ptr_array_index (self->processes, i);
      g_autoptr (GError) local = NULL;

      if (set_clock (self, process))
        {
          process->index = i++;
          continue;
        }
      local = g_error_new (CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_CLOCK,
                           "process %u was recorded in raw ticks, and nothing in the recording says how "
                           "long a tick is — record it again with TRACE_CLOCK=mono",
                           process->pid);
      cs_notices_add_detail (self->notices, CS_NOTICE_UNREADABLE, "%s", local->message);
      if (first == NULL)
        first = g_steal_pointer (&local);
      drop_process (self, process);
    }
  if (self->processes->len > 0)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&first));
  return FALSE;
}

static gboolean
set_nothing_error (const Scan *scan, const char *const *paths, GError **error)
{
  if (scan->first_error != NULL && scan->n_event_files == 1)
    g_set_error (error, CS_CAPTURE_ERROR, scan->first_error->code, "%s: there is nothing to read — %s",
                 paths[0], scan->first_error->message);
  else if (scan->first_error != NULL)
    g_set_error (error, CS_CAPTURE_ERROR, scan->first_error->code,
                 "%s: none of its %u event files can be read — %s", paths[0], scan->n_event_files,
                 scan->first_error->message);
  else if (scan->n_summaries > 0)
    g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_VERSION,
                 "%s: holds summary files only, which this version doesn't read — record with "
                 "TRACE_MODE=events",
                 paths[0]);
  else
    g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_NOT_FOUND,
                 "%s: no recording there (no trace.*.bin) — run the instrumented program with "
                 "TRACE_ENABLE=1, or use callsight-cli run",
                 paths[0]);
  return FALSE;
}

static gboolean
load (CsRecording *self, const char *const *paths, GCancellable *cancellable, GError **error)
{
  g_auto (Scan) scan = { 0 };

  for (guint i = 0; paths[i] != NULL; i++)
    {
      if (g_file_test (paths[i], G_FILE_TEST_IS_DIR))
        {
          if (!add_folder (self, paths[i], &scan, cancellable, error))
            return FALSE;
        }
      else if (g_file_test (paths[i], G_FILE_TEST_EXISTS))
        add_file_with_process (self, paths[i], &scan);
      else
        {
          g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_NOT_FOUND,
                       "“%s”: no such file or folder — give the trace directory of a recording", paths[i]);
          return FALSE;
        }
    }
  if (self->files->len == 0)
    return set_nothing_error (&scan, paths, error);
  if (scan.n_summaries > 0)
    cs_notices_add (self->notices, CS_NOTICE_UNREADABLE,
                    "%u summary files are left out: this version reads event files only", scan.n_summaries);

  if (scan.n_tails > 0)
    cs_notices_add (self->notices, CS_NOTICE_LOST,
                    "%u tail files are left out, the last events of threads that didn't end cleanly: this "
                    "version doesn't read them",
                    scan.n_tails);
  group_files (self);
  return set_clocks (self, error);
}

/**
 * cs_recording_open:
 * @paths: (array zero-terminated=1): trace directories or event files
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

/* Whether the content of a file with one of our names is ours too. */
static gboolean
has_our_magic (int folder, const char *name, CsTraceName kind)
{
  cs_autofd fd = openat (folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  char start[32] = { 0 };
  struct stat st;
  gssize got;

  if (fd < 0 || fstat (fd, &st) != 0 || !S_ISREG (st.st_mode))
    return FALSE;
  got = cs_pread_full (fd, start, sizeof start - 1, 0);
  if (kind == CS_TRACE_NAME_PROCESS)
    return got == 0 || g_str_has_prefix (start, "CALLSIGHT-PROCESS ");
  return got == 0 || g_str_has_prefix (start, TRACE_MAGIC) || g_str_has_prefix (start, "MLSUMRY");
}

/**
 * cs_recording_clear_folder:
 * @path: a trace directory; one that isn't there is clear
 * @error: where to say what could not be removed
 *
 * Removes a stale recording: only regular files with one of our names that are empty or
 * begin with our magic, and nothing in subfolders.
 *
 * Returns: how many files were removed; on error %G_MAXUINT
 */
guint
cs_recording_clear_folder (const char *path, GError **error)
{
  g_autoptr (GDir) dir = NULL;
  cs_autofd folder = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const char *name;
  guint n = 0;

  if (folder < 0 && errno == ENOENT)
    return 0;
  dir = folder >= 0 ? g_dir_open (path, 0, NULL) : NULL;
  if (dir == NULL)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ,
                   "%s: can't be used as trace directory (%s) — name another one with --dir", path,
                   g_strerror (errno));
      return G_MAXUINT;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      CsTraceNameParts parts;
      CsTraceName kind = cs_trace_name_parse (name, &parts);

      if (kind == CS_TRACE_NAME_OTHER || !has_our_magic (folder, name, kind))
        continue;
      if (unlinkat (folder, name, 0) != 0)
        {
          g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ,
                       "%s/%s: the stale recording can't be removed (%s) — name another folder with --dir",
                       path, name, g_strerror (errno));
          return G_MAXUINT;
        }
      n++;
    }
  return n;
}
