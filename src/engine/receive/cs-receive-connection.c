/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "capture/cs-fields.h"
#include "receive/cs-receive-connection.h"
#include "receive/cs-receive-job.h"

#define RANDOM_AT CS_RECEIVE_HELLO_SIZE
#define TEXT_LEN_AT (RANDOM_AT + CS_RECEIVE_RANDOM_SIZE)
#define TEXT_AT (TEXT_LEN_AT + 4)
/* Reads of one connection before others have their turn. */
#define READS_A_TURN 16
/* Room that a chunk takes at first; it grows as its bytes come. */
#define FIRST_ROOM 65536u
/* What a connection may have waiting to be written. */
#define QUEUE_BYTES (16u << 20)
#define QUEUE_CHUNKS 256
/* How long a chunk may stand still while others wait for memory. */
#define STILL_US (5 * G_USEC_PER_SEC)
/* How long what is under way is waited for when the receiver ends. */
#define DRAIN_US (2 * G_USEC_PER_SEC)
/* Nothing is, where so long nothing came. */
#define CALM_US (G_USEC_PER_SEC / 4)

typedef enum
{
  HELLO, /* the 64 bytes that both versions begin with */
  NONCE, /* version 3: random bytes and the length of the text */
  TEXT,
  PROOF, /* that the device has the key */
  OPENING,
  HEAD,  /* of a chunk */
  BODY,
  LEAVING, /* nothing more is read */
} State;

struct _CsReceiveConnection
{
  const CsReceiveShared *shared;
  GSocketConnection *stream;
  GSocket *socket;
  GSource *source; /* NULL: nothing is read now */
  char *peer;
  State state;
  CsReceiveHello hello;
  guint8 said[TEXT_AT + CS_RECEIVE_TEXT_MOST + CS_RECEIVE_RANDOM_SIZE]; /* by the device, then the receiver's random bytes */
  gsize n_said;
  guint8 proof[CS_RECEIVE_PROOF_SIZE];
  guint8 head[CS_RECEIVE_HEAD_SIZE];

  guint8 *target; /* where to read to */
  gsize need, got;
  CsReceiveChunk chunk; /* that comes in */
  guint32 capacity;     /* of its bytes, so far */
  GQueue queue;         /* (element-type CsReceiveChunk): that came */
  guint64 queued;       /* bytes in it and in the job */
  gboolean waits;       /* for room */

  CsReceiveJob *job;       /* NULL: none runs */
  CsReceiveWriter *writer; /* NULL while a job runs */
  CsReceiveStats stats;
  char *folder;            /* NULL: there is no recording */

  char *why;         /* it is left; NULL: the device ended */
  gboolean violated; /* a rule */
  gboolean ending;   /* it is about to be freed */
  gint64 began, last; /* monotonic µs: the connection, its last byte */
  gint64 window;      /* since when a chunk's speed is measured */
  guint64 window_bytes;
  gint64 drain_until; /* 0: the receiver goes on */
};

static void go_on (CsReceiveConnection *self);
static void set_reading (CsReceiveConnection *self, gboolean reading);

static void G_GNUC_PRINTF (3, 4)
tell (CsReceiveConnection *self, CsReceiverMessage kind, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  self->shared->tell (self->shared->receiver, kind, text);
}

static char *
dup_peer (GSocketConnection *stream)
{
  g_autoptr (GSocketAddress) address = g_socket_connection_get_remote_address (stream, NULL);

  if (!G_IS_INET_SOCKET_ADDRESS (address))
    return g_strdup ("somebody");
  return g_socket_connectable_to_string (G_SOCKET_CONNECTABLE (address));
}

/* --- the end ------------------------------------------------------------------- */

static void
tell_end (CsReceiveConnection *self)
{
  g_autofree char *text = NULL;

  if (self->folder == NULL)
    {
      if (self->why != NULL)
        tell (self, CS_RECEIVER_REFUSED, "%s: refused: %s", self->peer, self->why);
      return;
    }
  text = cs_receive_stats_dup_end (&self->stats, self->folder);
  tell (self, self->violated ? CS_RECEIVER_REFUSED : CS_RECEIVER_ENDED, "%s: %s %s%s%s: %s", self->peer, self->hello.device,
        self->violated ? "was cut off" : "ended", self->why != NULL ? ": " : "", self->why != NULL ? self->why : "", text);
}

static gboolean
on_end (gpointer data)
{
  CsReceiveConnection *self = data;

  tell_end (self);
  self->shared->ended (self->shared->receiver, self);
  return G_SOURCE_REMOVE;
}

/* Ends the connection, but not within what it was called by. */
static void
end_soon (CsReceiveConnection *self)
{
  if (!self->ending)
    cs_receive_call_soon (self->shared->context, on_end, self);
  self->ending = TRUE;
}

static void
drop_chunk (CsReceiveConnection *self)
{
  cs_receive_room_leave (self->shared->room, self);
  self->waits = FALSE;
  if (self->chunk.stored != NULL)
    cs_receive_room_give (self->shared->room, self, self->capacity);
  g_clear_pointer (&self->chunk.stored, g_free);
  self->capacity = 0;
}

/* Reads no more; what came is still written. */
static void
leave (CsReceiveConnection *self, char *why)
{
  if (self->state == LEAVING)
    {
      g_free (why);
      return;
    }
  set_reading (self, FALSE);
  drop_chunk (self);
  self->state = LEAVING;
  self->why = why;
  go_on (self);
}

static void
violate (CsReceiveConnection *self, const GError *error)
{
  self->violated = TRUE;
  leave (self, g_strdup (error->message));
}

/* --- work in other threads --------------------------------------------------------- */

static void
drop_queue (CsReceiveConnection *self)
{
  guint64 bytes = 0;
  CsReceiveChunk *chunk;

  while ((chunk = g_queue_pop_head (&self->queue)) != NULL)
    {
      bytes += chunk->stored_len;
      cs_receive_chunk_free (chunk);
    }
  self->queued -= bytes;
  cs_receive_room_give (self->shared->room, self, bytes);
}

static gboolean
say (const CsReceiveConnection *self, const guint8 *bytes, gsize n)
{
  return g_socket_send_with_blocking (self->socket, (const char *) bytes, n, FALSE, NULL, NULL) == (gssize) n;
}

static void
expect (CsReceiveConnection *self, State state, guint8 *target, gsize need)
{
  self->state = state;
  self->target = target;
  self->need = need;
  self->got = 0;
}

/* The folder is there, or not. */
static void
take_opened (CsReceiveConnection *self, const CsReceiveJob *job)
{
  const guint8 accepted = job->error == NULL;

  if (self->hello.version >= 3 && !say (self, &accepted, 1))
    leave (self, g_strdup ("it doesn't take an answer"));
  else if (accepted)
    {
      g_autofree char *process = self->hello.pid != 0 ? g_strdup_printf (", process %u", self->hello.pid) : g_strdup ("");

      expect (self, HEAD, self->head, CS_RECEIVE_HEAD_SIZE);
      self->last = g_get_monotonic_time ();
      tell (self, CS_RECEIVER_CONNECTED, "%s: %s%s (version %u) %s %s", self->peer, self->hello.device, process, self->hello.version,
            job->continued ? "goes on in" : "sends to", self->folder);
    }
}

static gboolean
on_job_done (gpointer data)
{
  CsReceiveConnection *self = data;
  CsReceiveJob *job = g_steal_pointer (&self->job);
  guint stopped = self->stats.stopped;

  self->writer = job->writer;
  self->queued -= job->stored;
  if (job->folder != NULL)
    {
      self->stats = job->stats;
      g_free (self->folder);
      self->folder = g_steal_pointer (&job->folder);
    }
  if (self->state == OPENING)
    take_opened (self, job);
  if (stopped == 0 && self->stats.stopped != 0 && !job->closing)
    {
      g_autofree char *reason = cs_receive_stats_dup_stop (&self->stats, self->folder);

      tell (self, CS_RECEIVER_NOTICE, "%s: %s: %s: nothing more of this stream is written", self->peer, self->hello.device, reason);
    }
  if (job->error != NULL)
    {
      drop_queue (self);
      if (self->state == LEAVING)
        {
          self->violated = TRUE;
          g_free (self->why);
          self->why = g_strdup (job->error->message);
        }
      else
        violate (self, job->error);
    }
  cs_receive_room_give (self->shared->room, self, job->stored);
  if (job->closing)
    end_soon (self);
  else
    go_on (self);
  cs_receive_job_free (job);
  return G_SOURCE_REMOVE;
}

static void
start_job (CsReceiveConnection *self, gboolean closing)
{
  CsReceiveJob *job = g_new0 (CsReceiveJob, 1);
  CsReceiveChunk *chunk;

  job->store = self->shared->store;
  job->hello = &self->hello;
  job->writer = g_steal_pointer (&self->writer);
  g_queue_init (&job->chunks);
  while ((chunk = g_queue_pop_head (&self->queue)) != NULL)
    g_queue_push_tail (&job->chunks, chunk);
  job->closing = closing;
  job->forget = self->violated;
  job->done = on_job_done;
  job->data = self;
  job->context = self->shared->context;
  self->job = job;
  g_thread_pool_push (self->shared->workers, job, NULL);
}

/* Has the next thing done that can be. */
static void
go_on (CsReceiveConnection *self)
{
  if (self->job == NULL && !self->ending)
    {
      if (self->state == OPENING || !g_queue_is_empty (&self->queue))
        start_job (self, FALSE);
      else if (self->state == LEAVING && self->writer != NULL)
        start_job (self, TRUE);
      else if (self->state == LEAVING)
        end_soon (self);
    }
  set_reading (self, self->state != OPENING && self->state != LEAVING && !self->waits && self->queued < QUEUE_BYTES &&
                         self->queue.length < QUEUE_CHUNKS);
}

/* --- the handshake ----------------------------------------------------------------- */

/* Answers a device of version 3 that has said all. */
static void
answer (CsReceiveConnection *self)
{
  guint8 bytes[CS_RECEIVE_ANSWER_MOST];
  gsize n = cs_receive_answer_make (self->shared->key, self->said, &self->n_said, bytes);

  if (n == 0)
    leave (self, g_strdup_printf ("the system gives no random bytes: %s", g_strerror (errno)));
  else if (!say (self, bytes, n))
    leave (self, g_strdup ("it doesn't take an answer"));
  else if (self->shared->key != NULL)
    expect (self, PROOF, self->proof, CS_RECEIVE_PROOF_SIZE);
  else
    self->state = OPENING;
}

static void
check_proof (CsReceiveConnection *self)
{
  guint8 right[CS_RECEIVE_PROOF_SIZE];
  const guint8 refused = 0;

  cs_receive_key_prove (self->shared->key, "callsight-client-3", self->said, self->n_said, right);
  if (cs_receive_proof_is_same (right, self->proof))
    {
      self->state = OPENING;
      return;
    }
  say (self, &refused, 1);
  leave (self, g_strdup ("it doesn't know the key"));
}

static void
take_hello (CsReceiveConnection *self)
{
  g_autoptr (GError) error = NULL;

  if (!cs_receive_hello_parse (&self->hello, self->said, &error))
    violate (self, error);
  else if (self->hello.version == 2 && self->shared->key != NULL)
    leave (self, g_strdup ("version 2 of the protocol knows no key, and this receiver wants one"));
  else if (self->hello.version == 2)
    {
      g_autofree char *host = g_strndup (self->peer, (gsize) (strrchr (self->peer, ':') != NULL ? strrchr (self->peer, ':') - self->peer : 64));

      cs_receive_hello_name (&self->hello, host);
      self->state = OPENING;
    }
  else
    {
      self->state = NONCE;
      self->need = TEXT_AT;
    }
}

static void
take_nonce (CsReceiveConnection *self)
{
  guint32 n = cs_field_u32 (self->said, TEXT_LEN_AT, self->hello.swapped);

  if (n > CS_RECEIVE_TEXT_MOST)
    {
      leave (self, g_strdup_printf ("a device's text has at most %d bytes, this one %u", CS_RECEIVE_TEXT_MOST, n));
      return;
    }
  self->state = TEXT;
  self->need = TEXT_AT + n;
}

static void
take_text (CsReceiveConnection *self)
{
  self->n_said = self->got;
  cs_receive_hello_take_text (&self->hello, (const char *) self->said + TEXT_AT, self->n_said - TEXT_AT);
  answer (self);
}

/* --- chunks ----------------------------------------------------------------------- */

/* Makes room for more of the chunk; or waits for it. */
static void
grow (CsReceiveConnection *self)
{
  guint32 capacity = MIN (self->chunk.stored_len, MAX (FIRST_ROOM, self->capacity * 2));

  if (!cs_receive_room_take (self->shared->room, self, capacity - self->capacity))
    {
      self->waits = TRUE;
      return;
    }
  self->waits = FALSE;
  self->capacity = capacity;
  self->chunk.stored = g_realloc (self->chunk.stored, MAX (capacity, 1));
  self->target = self->chunk.stored;
}

static void
take_body (CsReceiveConnection *self)
{
  g_queue_push_tail (&self->queue, g_memdup2 (&self->chunk, sizeof self->chunk));
  self->queued += self->chunk.stored_len;
  self->chunk.stored = NULL;
  self->capacity = 0;
  expect (self, HEAD, self->head, CS_RECEIVE_HEAD_SIZE);
}

static void
take_head (CsReceiveConnection *self)
{
  g_autoptr (GError) error = NULL;

  if (!cs_receive_chunk_parse (&self->chunk, self->head, self->hello.version, self->hello.swapped, &error))
    {
      violate (self, error);
      return;
    }
  expect (self, BODY, NULL, self->chunk.stored_len);
  grow (self);
  if (self->need == 0 && self->state == BODY)
    take_body (self);
}

/* What was expected is there. */
static void
advance (CsReceiveConnection *self)
{
  switch (self->state)
    {
    case HELLO:
      take_hello (self);
      break;
    case NONCE:
      take_nonce (self);
      break;
    case TEXT:
      break;
    case PROOF:
      check_proof (self);
      break;
    case HEAD:
      take_head (self);
      break;
    case BODY:
      take_body (self);
      break;
    case OPENING:
    case LEAVING:
    default:
      break;
    }
  if (self->state == TEXT && self->got == self->need)
    take_text (self);
}

static void
take_end (CsReceiveConnection *self)
{
  if (self->state < OPENING)
    leave (self, g_strdup ("it went away in the handshake"));
  else if (self->state == BODY)
    leave (self, g_strdup_printf ("the connection ended inside a chunk, after %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " bytes",
                                  self->got, self->need));
  else if (self->got > 0)
    leave (self, g_strdup ("the connection ended inside the head of a chunk"));
  else
    leave (self, NULL);
}

/* Takes what came by one read. Returns whether there may be more. */
static gboolean
read_some (CsReceiveConnection *self)
{
  g_autoptr (GError) error = NULL;
  gsize most = (self->state == BODY ? self->capacity : self->need) - self->got;
  gssize n = g_socket_receive_with_blocking (self->socket, (char *) self->target + self->got, most, FALSE, NULL, &error);

  if (n < 0 && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
    return FALSE;
  if (n < 0)
    leave (self, g_strdup_printf ("the connection was lost: %s", error->message));
  else if (n == 0)
    take_end (self);
  if (n <= 0)
    return FALSE;
  self->last = g_get_monotonic_time ();
  if (self->state >= HEAD && self->got == 0 && self->state != BODY)
    {
      self->window = self->last;
      self->window_bytes = 0;
    }
  self->got += (gsize) n;
  self->window_bytes += (guint64) n;
  if (self->state == HELLO && !cs_receive_hello_may_begin (self->said, self->got, &error))
    violate (self, error);
  else if (self->got == self->need)
    advance (self);
  else if (self->state == BODY && self->got == self->capacity)
    grow (self);
  return TRUE;
}

/* Reads what is there, but no more than so often before others have their turn. */
static gboolean
on_readable (GSocket *socket, GIOCondition condition, gpointer data)
{
  CsReceiveConnection *self = data;

  for (guint i = 0; i < READS_A_TURN && self->source != NULL; i++)
    {
      if (!read_some (self))
        break;
      go_on (self);
    }
  return G_SOURCE_CONTINUE;
}

static void
set_reading (CsReceiveConnection *self, gboolean reading)
{
  if (reading == (self->source != NULL))
    return;
  if (!reading)
    {
      g_source_destroy (self->source);
      g_clear_pointer (&self->source, g_source_unref);
      return;
    }
  /* Where it stood still that was the receiver's doing. */
  self->last = self->window = g_get_monotonic_time ();
  self->window_bytes = 0;
  self->source = g_socket_create_source (self->socket, G_IO_IN, NULL);
  g_source_set_callback (self->source, G_SOURCE_FUNC (on_readable), self, NULL);
  g_source_attach (self->source, self->shared->context);
}

/* --- for the receiver --------------------------------------------------------------- */

/**
 * cs_receive_connection_new:
 * @shared: what the connections share; outlives this one
 * @stream: somebody who connected
 * @connections: (element-type CsReceiveConnection): is added to these
 *
 * Begins to listen to what they say.
 */
void
cs_receive_connection_new (const CsReceiveShared *shared, GSocketConnection *stream, GPtrArray *connections)
{
  CsReceiveConnection *self = g_new0 (CsReceiveConnection, 1);

  self->shared = shared;
  self->stream = g_object_ref (stream);
  self->socket = g_socket_connection_get_socket (stream);
  self->peer = dup_peer (stream);
  self->began = g_get_monotonic_time ();
  g_queue_init (&self->queue);
  g_socket_set_blocking (self->socket, FALSE);
  g_socket_set_keepalive (self->socket, TRUE);
  g_ptr_array_add (connections, self);
  expect (self, HELLO, self->said, CS_RECEIVE_HELLO_SIZE);
  set_reading (self, TRUE);
}

/**
 * cs_receive_connection_free:
 * @self: (transfer full): a connection that ended
 */
void
cs_receive_connection_free (CsReceiveConnection *self)
{
  set_reading (self, FALSE);
  g_io_stream_close (G_IO_STREAM (self->stream), NULL, NULL);
  g_object_unref (self->stream);
  cs_receive_hello_clear (&self->hello);
  g_free (self->peer);
  g_free (self->folder);
  g_free (self->why);
  g_free (self);
}

/* Whether a chunk comes in too slowly. */
static gboolean
is_slow (CsReceiveConnection *self, gint64 now)
{
  const CsReceiverOptions *options = self->shared->options;

  if (self->source == NULL || (self->state == HEAD && self->got == 0) || now - self->window < (gint64) options->slow_ms * 1000)
    return FALSE;
  if (self->window_bytes < options->slow_bytes)
    return TRUE;
  self->window = now;
  self->window_bytes = 0;
  return FALSE;
}

/**
 * cs_receive_connection_check_time:
 * @self: a connection
 * @now: monotonic µs
 *
 * Ends it where it takes too long for what it does.
 */
void
cs_receive_connection_check_time (CsReceiveConnection *self, gint64 now)
{
  const CsReceiverOptions *options = self->shared->options;

  if (self->state == LEAVING || self->state == OPENING)
    return;
  if (self->drain_until != 0 && self->source != NULL)
    on_readable (self->socket, G_IO_IN, self);
  if (self->drain_until != 0 &&
      (now > self->drain_until || (self->source != NULL && self->state == HEAD && self->got == 0 && now - self->last > CALM_US)))
    leave (self, g_strdup ("the receiver was stopped"));
  else if (self->state < OPENING && now - self->began > (gint64) options->handshake_ms * 1000)
    leave (self, g_strdup_printf ("its handshake took longer than %g seconds", options->handshake_ms / 1000.0));
  else if (self->state < OPENING)
    return;
  else if (is_slow (self, now))
    leave (self, g_strdup_printf ("it sent less than %u bytes in %g seconds", options->slow_bytes, options->slow_ms / 1000.0));
  else if (self->source != NULL && self->state == BODY && now - self->last > STILL_US && cs_receive_room_is_awaited (self->shared->room))
    leave (self, g_strdup ("it stood still inside a chunk while others waited for memory"));
  else if (self->source != NULL && self->state == HEAD && self->got == 0 && now - self->last > (gint64) options->idle_ms * 1000)
    leave (self, g_strdup_printf ("it had nothing to say for %g seconds", options->idle_ms / 1000.0));
}

/**
 * cs_receive_connection_drain:
 * @self: a connection
 *
 * Takes what has come, and what is on its way in the next moments, and ends.
 */
void
cs_receive_connection_drain (CsReceiveConnection *self)
{
  self->drain_until = g_get_monotonic_time () + DRAIN_US;
  if (self->state < OPENING)
    leave (self, g_strdup ("the receiver was stopped"));
}

/**
 * cs_receive_connection_cut:
 * @self: a connection
 *
 * Ends it at once; what wasn't written yet is lost.
 */
void
cs_receive_connection_cut (CsReceiveConnection *self)
{
  drop_queue (self);
  leave (self, g_strdup ("the receiver was stopped at once"));
}

/**
 * cs_receive_connection_tell_progress:
 * @self: a connection
 *
 * Tells how much came so far, if it is a stream.
 */
void
cs_receive_connection_tell_progress (CsReceiveConnection *self)
{
  g_autofree char *sums = cs_receive_stats_dup_sums (&self->stats);

  if (self->folder != NULL)
    tell (self, CS_RECEIVER_PROGRESS, "%s: %s: %s so far", self->peer, self->hello.device, sums);
}

/**
 * cs_receive_connection_wake:
 * @connection: a #CsReceiveConnection
 *
 * There may be room for its chunk.
 */
void
cs_receive_connection_wake (gpointer connection)
{
  CsReceiveConnection *self = connection;

  if (!self->waits || self->state != BODY)
    return;
  grow (self);
  go_on (self);
}
