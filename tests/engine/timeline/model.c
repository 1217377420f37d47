/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "model.h"
#include "pack.h"

typedef struct
{
  ModelCall call;
  int place; /* in calls; -1: not shown */
} ModelFrame;

static void
free_frames (gpointer data)
{
  g_array_unref (data);
}

static GArray *
context_frames (ModelThread *thread, guint64 id)
{
  GArray *frames = g_hash_table_lookup (thread->contexts, &id);

  if (frames == NULL)
    {
      frames = g_array_new (FALSE, TRUE, sizeof (ModelFrame));
      g_hash_table_insert (thread->contexts, g_memdup2 (&id, sizeof id), frames);
    }
  return frames;
}

static ModelThread *
thread_new (guint tid, guint seq)
{
  ModelThread *self = g_new0 (ModelThread, 1);

  self->tid = tid;
  self->seq = seq;
  self->first = G_MAXINT64;
  self->last = G_MININT64;
  self->calls = g_array_new (FALSE, TRUE, sizeof (ModelCall));
  self->events = g_array_new (FALSE, TRUE, sizeof (ModelEvent));
  self->contexts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_frames);
  return self;
}

static void
thread_free (gpointer data)
{
  ModelThread *self = data;

  g_array_unref (self->calls);
  g_array_unref (self->events);
  g_hash_table_unref (self->contexts);
  g_free (self);
}

/* The calls of the running context are shown from here on. */
static void
show (ModelThread *thread, gint64 ns)
{
  GArray *frames = context_frames (thread, thread->context);
  int parent = -1;

  for (guint i = 0; i < frames->len; i++)
    {
      ModelFrame *frame = &g_array_index (frames, ModelFrame, i);

      if (frame->place < 0)
        {
          ModelCall call = frame->call;

          call.start = ns;
          call.begin = thread->n_records;
          call.parent = parent;
          g_array_append_val (thread->calls, call);
          frame->place = (int) thread->calls->len - 1;
          frame->call.continued = TRUE;
        }
      parent = frame->place;
    }
}

/* Those from a depth on are shown no longer. */
static void
hide (ModelThread *thread, guint depth, gint64 ns, gboolean open)
{
  GArray *frames = context_frames (thread, thread->context);

  for (guint i = depth; i < frames->len; i++)
    {
      ModelFrame *frame = &g_array_index (frames, ModelFrame, i);
      ModelCall *call = &g_array_index (thread->calls, ModelCall, frame->place);

      call->end = ns;
      call->behind = thread->n_records;
      call->open = open;
      frame->place = -1;
    }
}

static void
pop_to (ModelThread *thread, guint depth, gint64 ns)
{
  GArray *frames = context_frames (thread, thread->context);

  hide (thread, depth, ns, FALSE);
  g_array_set_size (frames, MIN (depth, frames->len));
}

static void
close_all (ModelThread *thread, gint64 ns)
{
  GHashTableIter iter;
  gpointer frames;

  pop_to (thread, 0, ns);
  g_hash_table_iter_init (&iter, thread->contexts);
  while (g_hash_table_iter_next (&iter, NULL, &frames))
    g_array_set_size (frames, 0);
}

static void
end_thread (ModelThread *thread)
{
  hide (thread, 0, thread->last, TRUE);
  thread->dead = TRUE;
}

static ModelThread *
find_thread (Model *self, guint tid)
{
  ModelThread *thread;

  for (guint i = self->threads->len; i-- > 0;)
    {
      thread = g_ptr_array_index (self->threads, i);
      if (thread->tid == tid && !thread->dead)
        return thread;
    }
  thread = thread_new (tid, self->seq);
  g_ptr_array_add (self->threads, thread);
  return thread;
}

guint
model_depth (Model *self, guint tid)
{
  ModelThread *thread = find_thread (self, tid);

  return context_frames (thread, thread->context)->len;
}

/* Function and call site of a thread's innermost call. */
gboolean
model_get_top (Model *self, guint tid, guint64 *func, guint64 *caller)
{
  ModelThread *thread = find_thread (self, tid);
  GArray *frames = context_frames (thread, thread->context);

  if (frames->len == 0)
    return FALSE;
  *func = g_array_index (frames, ModelFrame, frames->len - 1).call.address;
  *caller = g_array_index (frames, ModelFrame, frames->len - 1).call.caller;
  return TRUE;
}

gint64
model_ns (const Model *self, guint64 ts)
{
  return (gint64) (self->ticks ? ts * 2 : ts);
}

static gint64
take_time (Model *self, ModelThread *thread, guint64 ts)
{
  thread->last = MAX (thread->last, model_ns (self, ts));
  return thread->last;
}

static void
take_call (Model *self, ModelThread *thread, guint8 kind, guint64 ts, guint64 func, guint64 caller)
{
  gint64 ns = take_time (self, thread, ts);
  const ModelEvent event = { ns, ts, thread->n_records, func, caller, thread->lost, thread->gap };
  GArray *frames;
  guint i;

  thread->first = MIN (thread->first, ns);
  g_array_append_val (thread->events, event);
  if (thread->gap)
    close_all (thread, ns);
  thread->gap = FALSE;
  frames = context_frames (thread, thread->context);
  if (kind == TRACE_KIND_ENTER)
    {
      ModelFrame frame = { .call = { .address = func, .caller = caller, .ts = ts, .depth = frames->len },
                           .place = -1 };

      g_array_append_val (frames, frame);
      show (thread, ns);
      return;
    }
  for (i = frames->len; i > 0; i--)
    if (g_array_index (frames, ModelFrame, i - 1).call.address == func)
      break;
  if (i > 0)
    pop_to (thread, i - 1, ns);
}

static void
take_marker (Model *self, ModelThread *thread, guint64 ts, guint64 code, guint64 payload)
{
  gint64 ns;

  if (code == TRACE_MARK_GAP)
    for (guint i = 0; i < self->threads->len; i++)
      ((ModelThread *) g_ptr_array_index (self->threads, i))->gap = TRUE;
  if ((code != TRACE_MARK_OFF && code != TRACE_MARK_DEPTH && code != TRACE_MARK_CONTEXT))
    return;
  ns = thread->last != G_MININT64 ? take_time (self, thread, ts) : model_ns (self, ts);
  if (code == TRACE_MARK_OFF)
    close_all (thread, ns);
  else if (code == TRACE_MARK_DEPTH)
    pop_to (thread, (guint) payload, ns);
  else if (payload != thread->context)
    {
      hide (thread, 0, ns, FALSE);
      thread->context = payload;
      show (thread, ns);
    }
}

/* Writes a file over what it was; waits for no disk. */
void
put_bytes (const char *path, gconstpointer bytes, gsize size)
{
  FILE *file = fopen (path, "w");

  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (bytes, 1, size, file), ==, size);
  g_assert_cmpint (fclose (file), ==, 0);
}

/* A file that is being written. */
typedef struct
{
  GArray *records; /* (element-type struct trace_event) */
  guint64 first_index;
  guint64 index; /* of the first enter or exit in the thread's capture, plus one; 0: a stream's */
  gboolean starts;
} File;

static void
free_file (gpointer data)
{
  File *self = data;

  g_array_unref (self->records);
  g_free (self);
}

static gboolean
has_open_calls (ModelThread *thread)
{
  GHashTableIter iter;
  gpointer frames;

  g_hash_table_iter_init (&iter, thread->contexts);
  while (g_hash_table_iter_next (&iter, NULL, &frames))
    if (((GArray *) frames)->len > 0)
      return TRUE;
  return FALSE;
}

/* The file that a thread's records go into. Its header may say that events are missing before it, or
 * that a new thread begins. */
static File *
get_file (Model *self, guint tid)
{
  guint key = self->stream ? 0 : tid;
  File *file = g_hash_table_lookup (self->files, GUINT_TO_POINTER (key));
  ModelThread *thread;

  if (file != NULL)
    return file;
  file = g_new0 (File, 1);
  file->records = g_array_new (FALSE, FALSE, sizeof (struct trace_event));
  g_hash_table_insert (self->files, GUINT_TO_POINTER (key), file);
  if (self->stream)
    return file;
  thread = find_thread (self, tid);
  thread->n_records = (thread->n_records + 127) / 128 * 128; /* records of one file only share a leaf */
  file->starts = self->starts;
  if (self->starts && (thread->events->len > 0 || thread->seq != self->seq))
    {
      end_thread (thread);
      thread = find_thread (self, tid);
    }
  thread->lost += self->lost;
  if (self->lost > 0)
    thread->gap = has_open_calls (thread);
  /* Where a number is left out, the index says that no events were. */
  file->index = thread->events->len + thread->lost + 1;
  if (self->lost > 0 || thread->file + 1 != self->seq)
    file->first_index = file->index;
  return file;
}

/* Adds a record. In a marker, func is its code and caller the payload. */
void
model_add (Model *self, guint tid, guint8 kind, guint64 ts, guint64 func, guint64 caller)
{
  struct trace_event event = { .ts = ts, .func = func, .caller = caller, .tid = tid, .kind = kind };
  File *file = get_file (self, tid);
  guint block = file->records->len >= self->kept ? G_MAXUINT : self->block > 0 ? file->records->len / self->block : 0;
  ModelThread *thread = find_thread (self, tid);

  g_array_append_val (file->records, event);
  /* Records of one file and block only share a leaf. */
  if (block != thread->block || (self->stream && thread->file != self->seq))
    thread->n_records = (thread->n_records + 127) / 128 * 128;
  thread->file = self->seq;
  thread->block = block;
  if (kind == TRACE_KIND_MARKER && func == TRACE_MARK_THREAD_START)
    {
      if (thread->events->len + thread->lost > 0 || thread->seq != self->seq)
        {
          end_thread (thread);
          find_thread (self, tid);
        }
      return;
    }
  if (kind <= TRACE_KIND_EXIT)
    take_call (self, thread, kind, ts, func, caller);
  else if (kind == TRACE_KIND_MARKER)
    take_marker (self, thread, ts, func, caller);
  thread->n_records += thread->events->len > 0;
}

/* Adds a record to the files only: what many of them make is known without a model. */
void
model_add_raw (Model *self, guint tid, guint8 kind, guint64 ts, guint64 func, guint64 caller)
{
  const struct trace_event event = { .ts = ts, .func = func, .caller = caller, .tid = tid, .kind = kind };

  g_array_append_val (get_file (self, tid)->records, event);
}

static void
append_records (const Model *self, GByteArray *bytes, const struct trace_event *records, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      struct trace_event event = records[i];

      if (self->swapped)
        {
          event.ts = GUINT64_SWAP_LE_BE (event.ts);
          event.func = GUINT64_SWAP_LE_BE (event.func);
          event.caller = GUINT64_SWAP_LE_BE (event.caller);
          event.tid = GUINT32_SWAP_LE_BE (event.tid);
        }
      g_byte_array_append (bytes, (const guint8 *) &event, sizeof event);
    }
}

/* Some blocks share a dictionary. Whether a block tells its index makes no difference. */
static void
append_blocks (const Model *self, GByteArray *bytes, Packer *packer, const struct trace_event *records, gsize n,
               guint64 index)
{
  for (gsize i = 0, block = 0, size; i < n; i += size, block++)
    {
      size = MIN (self->block, n - i);
      packer_add_block (packer, bytes, records + i, size, block % 2 ? index : 0, block % 4 == 0);
      for (gsize j = 0; index > 0 && j < size; j++)
        index += records[i + j].kind <= TRACE_KIND_EXIT;
    }
}

static void
append_header (const Model *self, GByteArray *bytes, const File *file)
{
  struct trace_header header = { TRACE_MAGIC, TRACE_VERSION, TRACE_EVENT_SIZE, TRACE_HEADER_SIZE, .pid = 7,
                                 .seq = self->seq, .first_index = file->first_index };

  if (self->block > 0)
    {
      header.version = TRACE_PACKED_VERSION;
      header.event_size = TRACE_PACKED_EVENT_SIZE;
    }
  if (self->ticks)
    {
      header.flags = TRACE_FLAG_TICKS;
      header.tick_hz = 500000000;
    }
  if (file->starts)
    header.flags |= TRACE_FLAG_THREAD_START;
  if (self->swapped)
    {
      header.version = GUINT32_SWAP_LE_BE (header.version);
      header.event_size = GUINT32_SWAP_LE_BE (header.event_size);
      header.header_size = GUINT32_SWAP_LE_BE (header.header_size);
      header.flags = GUINT32_SWAP_LE_BE (header.flags);
      header.tick_hz = GUINT64_SWAP_LE_BE (header.tick_hz);
      header.pid = GUINT32_SWAP_LE_BE (header.pid);
      header.seq = GUINT32_SWAP_LE_BE (header.seq);
      header.first_index = GUINT64_SWAP_LE_BE (header.first_index);
    }
  g_byte_array_append (bytes, (const guint8 *) &header, sizeof header);
}

static Packer *
start_packer (const Model *self, guint tid)
{
  return packer_new (self->swapped, tid + self->seq);
}

/* Writes what the only thread hadn't flushed: the records that aren't in its file. Where these end inside
 * of a block, the block was written by others while the thread went on with it: the tail has all of it. */
static void
write_tail (const Model *self, guint tid, const File *file, guint segment_size)
{
  const struct trace_event *records = (const struct trace_event *) (gconstpointer) file->records->data;
  g_autofree char *path = g_build_filename (self->folder, "trace.7.7.0.tail", NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new (), buffer = g_byte_array_new ();
  struct trace_tail header = { 0 };
  gsize capacity, used;
  guint start = self->block > 0 ? self->kept / self->block * self->block : self->kept;

  append_header (self, bytes, file);
  if (self->block > 0)
    {
      Packer *packer = start_packer (self, tid);

      append_blocks (self, bytes, packer, records, start, file->index);
      segment_size = bytes->len;
      packer_add_tail (packer, buffer, records + start, file->records->len - start, 0, &capacity, &used);
      packer_free (packer);
    }
  else
    {
      append_records (self, buffer, records + start, file->records->len - start);
      capacity = used = buffer->len;
    }
  memcpy (&header.header, bytes->data, sizeof header.header);
  header.header.header_size = self->swapped ? GUINT32_SWAP_LE_BE (sizeof header) : sizeof header;
  header.capacity = self->swapped ? GUINT32_SWAP_LE_BE ((guint32) capacity) : (guint32) capacity;
  header.offset = self->swapped ? GUINT64_SWAP_LE_BE (segment_size) : segment_size;
  header.used = self->swapped ? GUINT64_SWAP_LE_BE (used) : used;
  g_byte_array_set_size (bytes, 0);
  g_byte_array_append (bytes, (const guint8 *) &header, sizeof header);
  g_byte_array_append (bytes, buffer->data, buffer->len);
  put_bytes (path, bytes->data, bytes->len);
}

static void
write_file (const Model *self, guint tid, const File *file)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *name = self->stream ? g_strdup_printf ("trace.stream.dev.%u.bin", self->seq)
                                       : g_strdup_printf ("trace.7.%u.%u.bin", tid, self->seq);
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  const struct trace_event *records = (const struct trace_event *) (gconstpointer) file->records->data;
  guint n = MIN (self->kept, file->records->len);
  Packer *packer = start_packer (self, tid);

  append_header (self, bytes, file);
  if (self->block > 0)
    append_blocks (self, bytes, packer, records, n, file->index);
  else
    append_records (self, bytes, records, n);
  put_bytes (path, bytes->data, bytes->len);
  if (n < file->records->len)
    write_tail (self, tid, file, bytes->len);
  packer_free (packer);
}

/* Writes what was added. What is added from now on goes into the next files. lost: so many events of
 * each thread are missing before them; starts: they are of new threads. */
void
model_next_file (Model *self, guint64 lost, gboolean starts)
{
  GHashTableIter iter;
  gpointer tid, file;

  g_hash_table_iter_init (&iter, self->files);
  while (g_hash_table_iter_next (&iter, &tid, &file))
    write_file (self, GPOINTER_TO_UINT (tid), file);
  g_hash_table_remove_all (self->files);
  self->seq++;
  self->lost = lost;
  self->starts = starts;
}

static int
compare_threads (gconstpointer a, gconstpointer b)
{
  const ModelThread *x = *(ModelThread *const *) a, *y = *(ModelThread *const *) b;

  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  return x->tid != y->tid ? (x->tid < y->tid ? -1 : 1) : (int) x->seq - (int) y->seq;
}

/* Writes what was added last, and ends the threads. They are then in the order of a profile. */
void
model_finish (Model *self)
{
  model_next_file (self, 0, FALSE);
  for (guint i = self->threads->len; i-- > 0;)
    {
      ModelThread *thread = g_ptr_array_index (self->threads, i);

      if (!thread->dead)
        end_thread (thread);
      if (thread->events->len + thread->lost == 0)
        g_ptr_array_remove_index (self->threads, i);
    }
  g_ptr_array_sort (self->threads, compare_threads);
}

Model *
model_new (gboolean stream, gboolean swapped, gboolean ticks, guint block)
{
  Model *self = g_new0 (Model, 1);

  self->folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  self->stream = stream;
  self->swapped = swapped;
  self->ticks = ticks;
  self->block = block;
  self->kept = G_MAXUINT;
  self->files = g_hash_table_new_full (NULL, NULL, NULL, free_file);
  self->threads = g_ptr_array_new_with_free_func (thread_free);
  return self;
}

/* Frees the model and removes its files. */
void
model_free (Model *self)
{
  g_autoptr (GDir) dir = g_dir_open (self->folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (self->folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (self->folder);
  g_hash_table_unref (self->files);
  g_ptr_array_unref (self->threads);
  g_free (self->folder);
  g_free (self);
}
