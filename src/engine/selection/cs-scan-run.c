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
/* The functions of so many files are told of at a time. */
#define MOST_FOUND 4096

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
  GArray *finished; /* (element-type guint): files to tell of */
} Scan;

/* A file that ctags was asked for, and what the built-in scan found in it meanwhile. */
typedef struct
{
  guint file;
  CsScanFile *built_in;
} Asked;

/* One thread, and the ctags that it asks. */
typedef struct
{
  Scan *scan;
  gboolean cplusplus;
  CsCtags *ctags;    /* (nullable) */
  GQueue window;     /* (element-type Asked) files that were asked for */
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

/* Takes @result. */
static void
finish_file (Scan *scan, guint file, CsScanFile *result)
{
  cs_scan_file_finish (result);
  g_mutex_lock (&scan->mutex);
  scan->run->results[file] = result;
  scan->done++;
  if (scan->run->options->found != NULL)
    g_array_append_val (scan->finished, file);
  g_cond_signal (&scan->changed);
  g_mutex_unlock (&scan->mutex);
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
count_built_in (Scan *scan, CsScanFile *built_in)
{
  built_in->fell_back = TRUE;
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

/* A header of a tree without C++ is looked at: it may be of a C++ library all the same. */
static gboolean
put_off (Worker *worker, guint file, const char *text, gsize length)
{
  Scan *scan = worker->scan;

  if (worker->cplusplus || !get_file (scan, file)->is_header || !cs_scan_looks_like_cplusplus (text, length))
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
  if (scan->run->options->polite)
    cs_ctags_be_polite (worker->ctags);
  for (GList *link = worker->window.head; link != NULL; link = link->next)
    cs_ctags_ask (worker->ctags, get_file (scan, ((Asked *) link->data)->file)->path);
  return TRUE;
}

/* Asks for a file, or scans it, if ctags can't be asked. */
static void
begin_file (Worker *worker, guint file)
{
  Scan *scan = worker->scan;
  const char *path = get_file (scan, file)->path;
  gsize length = 0;
  g_autofree char *text = read_file (scan, file, &length);
  gboolean can_ask = cs_ctags_can_ask (path);
  CsScanFile *built_in;
  Asked *asked;

  if (text != NULL && put_off (worker, file, text, length))
    return;
  built_in = cs_scan_file_new ();
  built_in->unread = text == NULL;
  if (text == NULL || !can_ask || !start (worker))
    {
      if (text != NULL)
        cs_heuristic_scan (text, length, worker->cplusplus, built_in);
      if (text != NULL && scan->run->program != NULL)
        count_built_in (scan, built_in);
      finish_file (scan, file, built_in);
      return;
    }
  cs_ctags_ask (worker->ctags, path);
  cs_heuristic_scan (text, length, worker->cplusplus, built_in);
  asked = g_new (Asked, 1);
  *asked = (Asked){ file, built_in };
  g_queue_push_tail (&worker->window, asked);
}

/* Takes what ctags says of the file that it was asked for first. */
static void
take_first (Worker *worker)
{
  Scan *scan = worker->scan;
  g_autofree Asked *asked = g_queue_pop_head (&worker->window);
  g_autoptr (CsScanFile) built_in = asked->built_in;
  g_autoptr (CsScanFile) result = cs_scan_file_new ();
  const char *path = get_file (scan, asked->file)->path;
  g_autoptr (GError) error = NULL;

  if (worker->ctags != NULL && cs_ctags_take (worker->ctags, path, result, &error))
    {
      worker->failures = 0;
      cs_scan_file_finish (result);
      cs_scan_file_reconcile (result, built_in);
      finish_file (scan, asked->file, g_steal_pointer (&result));
      return;
    }
  g_clear_pointer (&worker->ctags, cs_ctags_free);
  if (g_cancellable_is_cancelled (scan->cancellable))
    return;
  if (error != NULL)
    note_problem (scan, path, error->message, ++worker->failures >= MOST_FAILURES);
  count_built_in (scan, built_in);
  finish_file (scan, asked->file, g_steal_pointer (&built_in));
  if (worker->window.length > 0)
    start (worker);
}

static void
scan_language (Worker *worker, gboolean cplusplus)
{
  Scan *scan = worker->scan;
  Asked *asked;

  worker->cplusplus = cplusplus;
  while (!g_cancellable_is_cancelled (scan->cancellable))
    {
      guint file;

      if (worker->window.length < WINDOW && take_next (worker, &file))
        begin_file (worker, file);
      else if (worker->window.length > 0)
        take_first (worker);
      else
        break;
    }
  while ((asked = g_queue_pop_head (&worker->window)) != NULL)
    {
      cs_scan_file_free (asked->built_in);
      g_free (asked);
    }
  g_clear_pointer (&worker->ctags, cs_ctags_free);
}

static gpointer
work (gpointer data)
{
  Worker worker = { .scan = data };

  scan_language (&worker, FALSE);
  scan_language (&worker, TRUE);
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

/**
 * cs_scan_has_cplusplus:
 * @files: (element-type CsSourceFile): all files of a tree
 *
 * A header of a tree with C++ in it may be C++ in ways that can't be told from its words; one that is C reads the
 * same as C++, but for parameters in K&R style.
 *
 * Returns: whether there is C++, and so `.h` is
 */
gboolean
cs_scan_has_cplusplus (GPtrArray *files)
{
  for (guint i = 0; i < files->len; i++)
    if (cs_scan_path_is_cplusplus (((CsSourceFile *) g_ptr_array_index (files, i))->path, FALSE))
      return TRUE;
  return FALSE;
}

static void
fill_queues (Scan *scan)
{
  GPtrArray *files = scan->run->files;

  scan->headers_are_cplusplus = cs_scan_has_cplusplus (files);
  for (guint i = 0; i < files->len; i++)
    if (scan->run->results[i] == NULL)
      g_array_append_val (
          scan->queues[cs_scan_path_is_cplusplus (get_file (scan, i)->path, scan->headers_are_cplusplus)].files, i);
  scan->total = scan->queues[0].files->len + scan->queues[1].files->len;
}

/* Tells of the functions of files. */
static void
tell_found (Scan *scan, GArray *files)
{
  const CsScanOptions *options = scan->run->options;

  for (guint i = 0; i < files->len; i += MOST_FOUND)
    {
      g_autoptr (CsFoundFunctions) found = cs_found_functions_new (scan->run->results, &g_array_index (files, guint, i),
                                                                   MIN (files->len - i, MOST_FOUND));

      options->found (found, options->user_data);
    }
}

/* Tells of what was known before anything is scanned. */
static void
tell_known (Scan *scan)
{
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < scan->run->files->len; i++)
    if (scan->run->results[i] != NULL)
      g_array_append_val (files, i);
  tell_found (scan, files);
}

/* Tells how far the workers are. Called with the mutex, which it gives away meanwhile. */
static void
tell_progress (Scan *scan)
{
  const CsScanOptions *options = scan->run->options;
  gsize before = scan->run->files->len - scan->total, done = scan->done;
  g_autoptr (GArray) finished = g_steal_pointer (&scan->finished);

  scan->finished = g_array_new (FALSE, FALSE, sizeof (guint));
  g_mutex_unlock (&scan->mutex);
  if (options->progress != NULL)
    options->progress (before + done, before + scan->total, options->user_data);
  if (options->found != NULL)
    tell_found (scan, finished);
  g_mutex_lock (&scan->mutex);
}

/* Waits for the workers, and tells how far they are. */
static void
wait_for_workers (Scan *scan)
{
  gint64 told = 0;
  gsize told_done = 0;

  g_mutex_lock (&scan->mutex);
  while (scan->workers > 0)
    {
      gint64 now = g_get_monotonic_time ();

      if (scan->done > told_done && now - told >= PROGRESS_US)
        {
          told = now;
          told_done = scan->done;
          tell_progress (scan);
          continue;
        }
      g_cond_wait_until (&scan->changed, &scan->mutex, now + PROGRESS_US);
    }
  tell_progress (scan);
  g_mutex_unlock (&scan->mutex);
}

/**
 * cs_scan_run:
 * @run: what to scan
 * @cancellable: (nullable): to stop
 * @error: where to say that it was stopped
 *
 * Scans files with some ctags at a time, and, while these work, with the built-in scan: that sees where ctags was
 * misled, and serves where ctags doesn't.
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
  scan.finished = g_array_new (FALSE, FALSE, sizeof (guint));
  if (run->options->found != NULL)
    tell_known (&scan);
  scan.workers = (guint) CLAMP (MIN (workers, scan.total), 1, MOST_WORKERS);
  for (guint i = 0, n = scan.workers; i < n; i++)
    g_ptr_array_add (threads, g_thread_new ("scan", work, &scan));
  wait_for_workers (&scan);
  for (guint i = 0; i < threads->len; i++)
    g_thread_join (g_ptr_array_index (threads, i));
  for (guint i = 0; i < 2; i++)
    g_array_unref (scan.queues[i].files);
  g_array_unref (scan.finished);
  g_cond_clear (&scan.changed);
  g_mutex_clear (&scan.mutex);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}
