/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-heuristic-scan.h"
#include "selection/cs-scan-run.h"

/* How long ctags may take for a file, ms, unless the options say otherwise. */
#define TIMEOUT_MS (30 * 1000)
/* So many files are asked for before the first is taken, so that ctags never waits. */
#define WINDOW 8
/* After so many failures without a file in between that worked, ctags isn't asked any more. */
#define MOST_FAILURES 3
#define MOST_WORKERS 64
#define PROGRESS_US (50 * 1000)

/* The files of one language, in the order in which they are scanned. */
typedef struct
{
  GArray *files; /* (element-type guint) */
  guint next;
} Queue;

typedef struct
{
  CsScanRun *run;
  GCancellable *cancellable;
  gboolean headers_are_cplusplus;
  guint timeout_ms;

  GMutex mutex; /* for all below */
  GCond changed;
  Queue queues[2]; /* C, C++ */
  gsize done, total;
  guint workers;
} Scan;

/* One thread, and the ctags that it asks. */
typedef struct
{
  Scan *scan;
  gboolean cplusplus;
  CsCtags *ctags;    /* (nullable) */
  GArray *window;    /* (element-type guint) files that were asked for */
  guint failures;
} Worker;

static CsSourceFile *
get_file (Scan *scan, guint file)
{
  return g_ptr_array_index (scan->run->files, file);
}

static char *
read_file (Scan *scan, guint file, gsize *length)
{
  g_autofree char *path = g_build_filename (scan->run->root, get_file (scan, file)->path, NULL);
  g_autoptr (GError) error = NULL;
  char *text = cs_scan_read_file (path, length, &error);

  if (text == NULL)
    {
      g_mutex_lock (&scan->mutex);
      g_ptr_array_add (scan->run->unread, g_strdup_printf ("%s: %s", get_file (scan, file)->path, error->message));
      g_mutex_unlock (&scan->mutex);
    }
  return text;
}

static void
finish_file (Scan *scan, guint file, CsScanFile *result)
{
  cs_scan_file_finish (result);
  g_mutex_lock (&scan->mutex);
  scan->run->results[file] = result;
  scan->done++;
  g_cond_signal (&scan->changed);
  g_mutex_unlock (&scan->mutex);
}

static void
scan_built_in (Worker *worker, guint file)
{
  CsScanFile *result = cs_scan_file_new ();
  gsize length = 0;
  g_autofree char *text = read_file (worker->scan, file, &length);

  if (text != NULL)
    cs_heuristic_scan (text, length, worker->cplusplus, result);
  finish_file (worker->scan, file, result);
}

static gboolean
has_given_up (Scan *scan)
{
  gboolean gave_up;

  g_mutex_lock (&scan->mutex);
  gave_up = scan->run->program == NULL || scan->run->gave_up;
  g_mutex_unlock (&scan->mutex);
  return gave_up;
}

static void
note_problem (Scan *scan, const char *path, const char *message, gboolean give_up)
{
  g_mutex_lock (&scan->mutex);
  if (scan->run->problem == NULL)
    scan->run->problem = path != NULL ? g_strdup_printf ("%s: %s", path, message) : g_strdup (message);
  scan->run->gave_up |= give_up;
  g_mutex_unlock (&scan->mutex);
}

static void
count_built_in (Scan *scan)
{
  g_mutex_lock (&scan->mutex);
  scan->run->n_built_in++;
  g_mutex_unlock (&scan->mutex);
}

/* The next file of the worker's language. */
static gboolean
take_next (Worker *worker, guint *file)
{
  Scan *scan = worker->scan;
  Queue *queue = &scan->queues[worker->cplusplus];
  gboolean found;

  g_mutex_lock (&scan->mutex);
  found = queue->next < queue->files->len;
  if (found)
    *file = g_array_index (queue->files, guint, queue->next++);
  g_mutex_unlock (&scan->mutex);
  return found;
}

/* A header of a tree without C++ sources is looked at: it may be of a C++ library all the same. */
static gboolean
put_off (Worker *worker, guint file)
{
  Scan *scan = worker->scan;
  g_autofree char *text = NULL;
  gsize length = 0;

  if (worker->cplusplus || !get_file (scan, file)->is_header)
    return FALSE;
  text = read_file (scan, file, &length);
  if (text == NULL || !cs_scan_looks_like_cplusplus (text, length))
    return FALSE;
  g_mutex_lock (&scan->mutex);
  g_array_append_val (scan->queues[1].files, file);
  g_mutex_unlock (&scan->mutex);
  return TRUE;
}

/* Starts ctags where it isn't there, and asks again for what it was asked for. */
static gboolean
start (Worker *worker)
{
  Scan *scan = worker->scan;
  g_autoptr (GError) error = NULL;

  if (worker->ctags != NULL)
    return TRUE;
  if (has_given_up (scan))
    return FALSE;
  worker->ctags = cs_ctags_new (scan->run->program, scan->run->root, worker->cplusplus, scan->timeout_ms,
                                scan->cancellable, &error);
  if (worker->ctags == NULL)
    {
      note_problem (scan, NULL, error->message, TRUE);
      return FALSE;
    }
  for (guint i = 0; i < worker->window->len; i++)
    cs_ctags_ask (worker->ctags, get_file (scan, g_array_index (worker->window, guint, i))->path);
  return TRUE;
}

static void
fill_window (Worker *worker)
{
  Scan *scan = worker->scan;
  guint file;

  while (worker->window->len < WINDOW && !g_cancellable_is_cancelled (scan->cancellable) && take_next (worker, &file))
    {
      if (put_off (worker, file))
        continue;
      if (!cs_ctags_can_ask (get_file (scan, file)->path))
        {
          if (scan->run->program != NULL)
            count_built_in (scan);
          scan_built_in (worker, file);
        }
      else if (!start (worker))
        scan_built_in (worker, file);
      else
        {
          g_array_append_val (worker->window, file);
          cs_ctags_ask (worker->ctags, get_file (scan, file)->path);
        }
    }
}

/* Takes what ctags says of the file that it was asked for first. */
static void
take_first (Worker *worker)
{
  Scan *scan = worker->scan;
  guint file = g_array_index (worker->window, guint, 0);
  CsScanFile *result = cs_scan_file_new ();
  g_autoptr (GError) error = NULL;

  g_array_remove_index (worker->window, 0);
  if (cs_ctags_take (worker->ctags, get_file (scan, file)->path, result, &error))
    {
      worker->failures = 0;
      finish_file (scan, file, result);
      return;
    }
  cs_scan_file_free (result);
  g_clear_pointer (&worker->ctags, cs_ctags_free);
  if (g_cancellable_is_cancelled (scan->cancellable))
    return;
  note_problem (scan, get_file (scan, file)->path, error->message, ++worker->failures >= MOST_FAILURES);
  count_built_in (scan);
  scan_built_in (worker, file);
}

static void
scan_language (Worker *worker, gboolean cplusplus)
{
  Scan *scan = worker->scan;

  worker->cplusplus = cplusplus;
  while (fill_window (worker), worker->window->len > 0 && !g_cancellable_is_cancelled (scan->cancellable))
    {
      if (start (worker))
        take_first (worker);
      else
        {
          for (guint i = 0; i < worker->window->len; i++)
            {
              count_built_in (scan);
              scan_built_in (worker, g_array_index (worker->window, guint, i));
            }
          g_array_set_size (worker->window, 0);
        }
    }
  g_array_set_size (worker->window, 0);
  g_clear_pointer (&worker->ctags, cs_ctags_free);
}

static gpointer
work (gpointer data)
{
  Worker worker = { .scan = data, .window = g_array_new (FALSE, FALSE, sizeof (guint)) };

  scan_language (&worker, FALSE);
  scan_language (&worker, TRUE);
  g_array_unref (worker.window);
  g_mutex_lock (&worker.scan->mutex);
  worker.scan->workers--;
  g_cond_signal (&worker.scan->changed);
  g_mutex_unlock (&worker.scan->mutex);
  return NULL;
}

/**
 * cs_scan_path_is_cplusplus:
 * @path: a source or header
 * @headers_are: whether `.h` is C++
 *
 * Returns: whether its name says that it is C++
 */
gboolean
cs_scan_path_is_cplusplus (const char *path, gboolean headers_are)
{
  if (g_str_has_suffix (path, ".c"))
    return FALSE;
  return g_str_has_suffix (path, ".h") ? headers_are : TRUE;
}

static void
fill_queues (Scan *scan)
{
  GPtrArray *files = scan->run->files;

  for (guint i = 0; i < files->len && !scan->headers_are_cplusplus; i++)
    {
      CsSourceFile *file = g_ptr_array_index (files, i);

      scan->headers_are_cplusplus = !file->is_header && cs_scan_path_is_cplusplus (file->path, FALSE);
    }
  for (guint i = 0; i < files->len; i++)
    if (scan->run->results[i] == NULL)
      g_array_append_val (
          scan->queues[cs_scan_path_is_cplusplus (get_file (scan, i)->path, scan->headers_are_cplusplus)].files, i);
  scan->total = scan->queues[0].files->len + scan->queues[1].files->len;
}

/* Waits for the workers, and tells how far they are. */
static void
wait_for_workers (Scan *scan)
{
  const CsScanOptions *options = scan->run->options;
  gsize before = scan->run->files->len - scan->total;
  gint64 told = 0;
  gsize told_done = 0;

  g_mutex_lock (&scan->mutex);
  while (scan->workers > 0)
    {
      gsize done = scan->done;
      gint64 now = g_get_monotonic_time ();

      if (options->progress != NULL && done > told_done && now - told >= PROGRESS_US)
        {
          g_mutex_unlock (&scan->mutex);
          options->progress (before + done, before + scan->total, options->user_data);
          g_mutex_lock (&scan->mutex);
          told = now;
          told_done = done;
          continue;
        }
      g_cond_wait_until (&scan->changed, &scan->mutex, now + PROGRESS_US);
    }
  g_mutex_unlock (&scan->mutex);
  if (options->progress != NULL)
    options->progress (before + scan->done, before + scan->total, options->user_data);
}

/**
 * cs_scan_run:
 * @run: what to scan
 * @cancellable: (nullable): to stop
 * @error: where to say that it was stopped
 *
 * Scans files with some ctags at a time, or with the built-in scan where ctags doesn't serve.
 *
 * Returns: whether all files were scanned
 */
gboolean
cs_scan_run (CsScanRun *run, GCancellable *cancellable, GError **error)
{
  Scan scan = { .run = run, .cancellable = cancellable };
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();
  guint workers = run->options->workers > 0 ? run->options->workers : g_get_num_processors ();

  scan.timeout_ms = run->options->timeout_ms > 0 ? run->options->timeout_ms : TIMEOUT_MS;
  g_mutex_init (&scan.mutex);
  g_cond_init (&scan.changed);
  for (guint i = 0; i < 2; i++)
    scan.queues[i].files = g_array_new (FALSE, FALSE, sizeof (guint));
  fill_queues (&scan);
  scan.workers = (guint) CLAMP (MIN (workers, scan.total), 1, MOST_WORKERS);
  for (guint i = 0, n = scan.workers; i < n; i++)
    g_ptr_array_add (threads, g_thread_new ("scan", work, &scan));
  wait_for_workers (&scan);
  for (guint i = 0; i < threads->len; i++)
    g_thread_join (g_ptr_array_index (threads, i));
  for (guint i = 0; i < 2; i++)
    g_array_unref (scan.queues[i].files);
  g_cond_clear (&scan.changed);
  g_mutex_clear (&scan.mutex);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}
