/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gfiledescriptorbased.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "project/cs-run-private.h"

/* What a pipe holds, where the system lets it: so much is there at once when the pause between two looks is over. */
#define PIPE_BYTES (1 << 20)
/* Between two looks at a pipe that was found empty: many short writes become one piece. */
#define PAUSE_US 10000
/* What is kept of input that the program doesn't read. */
#define INPUT_MOST (1 << 20)

struct _CsRunReader
{
  GSource *source;      /* NULL: at the end */
  gpointer tag;         /* of the descriptor in it; NULL: during a pause */
  GInputStream *pipe;
  int fd;
  gboolean is_error;
  gint64 left;          /* bytes that are still read; negative: all */
  const CsRunOptions *options;
  GSourceFunc on_end;
  gpointer data;
  char *buffer;
};

typedef struct
{
  GSource source;
  CsRunReader *reader;
} ReaderSource;

static int
take_descriptor (gpointer stream)
{
  int fd = g_file_descriptor_based_get_fd (G_FILE_DESCRIPTOR_BASED (stream));

  g_unix_set_fd_nonblocking (fd, TRUE, NULL);
  return fd;
}

static void
stop_reading (CsRunReader *self)
{
  if (self->source == NULL)
    return;
  g_source_destroy (self->source);
  g_clear_pointer (&self->source, g_source_unref);
  g_input_stream_close (self->pipe, NULL, NULL);
}

static void
look_later (CsRunReader *self)
{
  g_source_remove_unix_fd (self->source, self->tag);
  self->tag = NULL;
  g_source_set_ready_time (self->source, g_get_monotonic_time () + PAUSE_US);
}

static void
look_now (CsRunReader *self)
{
  if (self->tag == NULL)
    self->tag = g_source_add_unix_fd (self->source, self->fd, G_IO_IN | G_IO_HUP | G_IO_ERR);
  g_source_set_ready_time (self->source, -1);
}

/* One piece a turn of the main loop. */
static gboolean
reader_dispatch (GSource *source, GSourceFunc callback, gpointer data)
{
  CsRunReader *self = ((ReaderSource *) source)->reader;
  gsize most = self->left >= 0 ? MIN ((gsize) self->left, CS_RUN_OUTPUT_MOST) : CS_RUN_OUTPUT_MOST;
  gssize n;

  if (self->tag == NULL)
    look_now (self);
  n = most > 0 ? read (self->fd, self->buffer, most) : 0;
  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return G_SOURCE_CONTINUE;
  if (n > 0)
    {
      self->left -= self->left > 0 ? n : 0;
      if (self->left == 0)
        g_source_set_ready_time (self->source, 0);
      else if ((gsize) n < most)
        look_later (self);
      self->options->output (self->buffer, (gsize) n, self->is_error, self->options->user_data);
      return G_SOURCE_CONTINUE;
    }
  stop_reading (self);
  self->on_end (self->data);
  return G_SOURCE_REMOVE;
}

/**
 * cs_run_reader_new:
 * @pipe: what the program writes to
 * @is_error: whether that is its standard error
 * @options: whose `output` gets it; must outlive the reader
 * @on_end: called when nothing more will come
 * @data: for @on_end
 * @context: where both are called
 *
 * Reads the pipe whenever nothing more urgent is to be done. The pipe is all there is of a buffer.
 *
 * Returns: (transfer full): a reader
 */
CsRunReader *
cs_run_reader_new (GInputStream *pipe, gboolean is_error, const CsRunOptions *options, GSourceFunc on_end,
                   gpointer data, GMainContext *context)
{
  static GSourceFuncs functions = { .dispatch = reader_dispatch };
  CsRunReader *self = g_new0 (CsRunReader, 1);

  self->pipe = g_object_ref (pipe);
  self->fd = take_descriptor (pipe);
  self->is_error = is_error;
  self->left = -1;
  self->options = options;
  self->on_end = on_end;
  self->data = data;
  self->buffer = g_malloc (CS_RUN_OUTPUT_MOST);
  fcntl (self->fd, F_SETPIPE_SZ, PIPE_BYTES);
  self->source = g_source_new (&functions, sizeof (ReaderSource));
  ((ReaderSource *) self->source)->reader = self;
  g_source_set_priority (self->source, G_PRIORITY_DEFAULT_IDLE);
  g_source_set_static_name (self->source, "output of a run");
  look_now (self);
  g_source_attach (self->source, context);
  return self;
}

/**
 * cs_run_reader_finish:
 * @self: a reader
 *
 * The program has ended: what is in the pipe now is all that it wrote, even where others hold the pipe open.
 */
void
cs_run_reader_finish (CsRunReader *self)
{
  int size = 0;

  if (self->source == NULL)
    return;
  self->left = ioctl (self->fd, FIONREAD, &size) == 0 && size > 0 ? size : 0;
  look_now (self);
  if (self->left == 0)
    g_source_set_ready_time (self->source, 0);
}

/**
 * cs_run_reader_free:
 * @self: (transfer full): a reader
 */
void
cs_run_reader_free (CsRunReader *self)
{
  stop_reading (self);
  g_object_unref (self->pipe);
  g_free (self->buffer);
  g_free (self);
}

struct _CsRunWriter
{
  GMainContext *context;
  GOutputStream *pipe; /* (nullable): before the program is started, and at the end */
  int fd;
  GSource *source;     /* NULL: nothing waits */
  GByteArray *queue;
  gsize done;          /* bytes of it that the pipe has */
  gboolean ending;
  gboolean broken;
};

static void
close_pipe (CsRunWriter *self)
{
  if (self->source != NULL)
    g_source_destroy (self->source);
  g_clear_pointer (&self->source, g_source_unref);
  if (self->pipe != NULL)
    g_output_stream_close (self->pipe, NULL, NULL);
  g_clear_object (&self->pipe);
}

/* write() that is told of a closed pipe, not ended by it. */
static gssize
write_quietly (int fd, const void *bytes, gsize size)
{
  const struct timespec none = { 0 };
  sigset_t pipe, old, pending;
  gssize n;
  int number;

  sigemptyset (&pipe);
  sigaddset (&pipe, SIGPIPE);
  sigpending (&pending);
  pthread_sigmask (SIG_BLOCK, &pipe, &old);
  n = write (fd, bytes, size);
  number = errno;
  if (n < 0 && number == EPIPE && !sigismember (&pending, SIGPIPE))
    sigtimedwait (&pipe, NULL, &none);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  errno = number;
  return n;
}

static gboolean on_writable (int fd, GIOCondition condition, gpointer data);

static void
flush (CsRunWriter *self)
{
  while (self->pipe != NULL && self->done < self->queue->len)
    {
      gssize n = write_quietly (self->fd, self->queue->data + self->done, self->queue->len - self->done);

      if (n > 0)
        self->done += (gsize) n;
      else if (n < 0 && errno == EAGAIN)
        break;
      else if (n < 0 && errno != EINTR)
        {
          self->broken = TRUE;
          self->done = self->queue->len;
          close_pipe (self);
        }
    }
  if (self->done > 0)
    g_byte_array_remove_range (self->queue, 0, (guint) self->done);
  self->done = 0;
  if (self->pipe == NULL)
    return;
  if (self->queue->len == 0 && self->ending)
    close_pipe (self);
  else if (self->queue->len > 0 && self->source == NULL)
    {
      self->source = g_unix_fd_source_new (self->fd, G_IO_OUT | G_IO_ERR);
      g_source_set_callback (self->source, G_SOURCE_FUNC (on_writable), self, NULL);
      g_source_attach (self->source, self->context);
    }
  else if (self->queue->len == 0 && self->source != NULL)
    {
      g_source_destroy (self->source);
      g_clear_pointer (&self->source, g_source_unref);
    }
}

static gboolean
on_writable (int fd, GIOCondition condition, gpointer data)
{
  flush (data);
  return G_SOURCE_CONTINUE;
}

/**
 * cs_run_writer_new:
 * @context: where it waits for the program to read
 *
 * Returns: (transfer full): what keeps input for a program until it has a pipe
 */
CsRunWriter *
cs_run_writer_new (GMainContext *context)
{
  CsRunWriter *self = g_new0 (CsRunWriter, 1);

  self->context = g_main_context_ref (context);
  self->queue = g_byte_array_new ();
  return self;
}

/**
 * cs_run_writer_set_pipe:
 * @self: a writer
 * @pipe: what the program reads from
 *
 * Writes what was kept, and what comes.
 */
void
cs_run_writer_set_pipe (CsRunWriter *self, GOutputStream *pipe)
{
  self->pipe = g_object_ref (pipe);
  self->fd = take_descriptor (pipe);
  flush (self);
}

/**
 * cs_run_writer_push:
 * @self: a writer
 * @bytes: what to write
 * @size: how many bytes
 * @error: where to say why they can't be written
 *
 * Returns: whether they are written or kept
 */
gboolean
cs_run_writer_push (CsRunWriter *self, const char *bytes, gsize size, GError **error)
{
  const char *why = NULL;

  if (self->broken)
    why = "the program doesn't read its input any more";
  else if (self->ending)
    why = "the program's input is closed";
  else if (size > INPUT_MOST - MIN (self->queue->len, INPUT_MOST))
    why = "the program doesn't read what was typed before — wait, or stop it";
  if (why != NULL)
    {
      g_set_error_literal (error, CS_RUN_ERROR, CS_RUN_ERROR_INPUT, why);
      return FALSE;
    }
  g_byte_array_append (self->queue, (const guint8 *) bytes, (guint) size);
  flush (self);
  return TRUE;
}

/**
 * cs_run_writer_end:
 * @self: a writer
 *
 * Closes the pipe behind what is kept.
 */
void
cs_run_writer_end (CsRunWriter *self)
{
  self->ending = TRUE;
  flush (self);
}

/**
 * cs_run_writer_free:
 * @self: (transfer full): a writer
 */
void
cs_run_writer_free (CsRunWriter *self)
{
  close_pipe (self);
  g_byte_array_unref (self->queue);
  g_main_context_unref (self->context);
  g_free (self);
}
