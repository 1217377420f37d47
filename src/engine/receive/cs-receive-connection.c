/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "capture/cs-fields.h"
#include "receive/cs-receive-connection-private.h"

/* Reads of one connection before others have their turn. */
#define READS_A_TURN 16
/* Room that a chunk takes at first; it grows as its bytes come. */
#define FIRST_ROOM 65536u
/* What a connection may have waiting to be written. */
#define QUEUE_BYTES (16u << 20)
#define QUEUE_CHUNKS 256

static void set_reading (CsReceiveConnection *self, gboolean reading);

/**
 * cs_receive_connection_tell:
 * @self: a connection
 * @kind: what the line tells
 * @format: a line
 * @...: for @format
 */
void
cs_receive_connection_tell (CsReceiveConnection *self, CsReceiverMessage kind, const char *format, ...)
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
        cs_receive_connection_tell (self, CS_RECEIVER_REFUSED, "%s: refused: %s", self->peer, self->why);
      return;
    }
  text = cs_receive_stats_dup_end (&self->stats, self->folder);
  cs_receive_connection_tell (self, self->violated ? CS_RECEIVER_REFUSED : CS_RECEIVER_ENDED, "%s: %s %s%s%s: %s", self->peer, self->hello.device,
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

/**
 * cs_receive_connection_leave:
 * @self: a connection
 * @why: (transfer full) (nullable): why it is left; %NULL: the device ended it
 *
 * Reads no more; what came is still written.
 */
void
cs_receive_connection_leave (CsReceiveConnection *self, char *why)
{
  if (self->state == AT_LEAVING)
    {
      g_free (why);
      return;
    }
  set_reading (self, FALSE);
  drop_chunk (self);
  self->state = AT_LEAVING;
  self->why = why;
  cs_receive_connection_go_on (self);
}

static void
violate (CsReceiveConnection *self, const GError *error)
{
  self->violated = TRUE;
  cs_receive_connection_leave (self, g_strdup (error->message));
}

/* --- work in other threads --------------------------------------------------------- */

/**
 * cs_receive_connection_drop_queue:
 * @self: a connection
 *
 * Forgets what came and is not being written yet.
 */
void
cs_receive_connection_drop_queue (CsReceiveConnection *self)
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
expect (CsReceiveConnection *self, CsReceiveState state, guint8 *target, gsize need)
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
    cs_receive_connection_leave (self, g_strdup ("it doesn't take an answer"));
  else if (accepted)
    {
      g_autofree char *process = self->hello.pid != 0 ? g_strdup_printf (", process %u", self->hello.pid) : g_strdup ("");

      expect (self, AT_HEAD, self->head, CS_RECEIVE_HEAD_SIZE);
      self->last = g_get_monotonic_time ();
      cs_receive_connection_tell (self, CS_RECEIVER_CONNECTED, "%s: %s%s (version %u) %s %s", self->peer, self->hello.device, process, self->hello.version,
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
  if (self->state == AT_OPENING)
    take_opened (self, job);
  if (stopped == 0 && self->stats.stopped != 0 && !job->closing)
    {
      g_autofree char *reason = cs_receive_stats_dup_stop (&self->stats, self->folder);

      cs_receive_connection_tell (self, CS_RECEIVER_NOTICE, "%s: %s: %s: nothing more of this stream is written", self->peer, self->hello.device, reason);
    }
  if (job->error != NULL)
    {
      cs_receive_connection_drop_queue (self);
      if (self->state == AT_LEAVING)
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
    cs_receive_connection_go_on (self);
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

/**
 * cs_receive_connection_go_on:
 * @self: a connection
 *
 * Has the next thing done that can be.
 */
void
cs_receive_connection_go_on (CsReceiveConnection *self)
{
  if (self->job == NULL && !self->ending)
    {
      if (self->state == AT_OPENING && self->shared->must_wait (self->shared->receiver, self))
        return;
      if (self->state == AT_OPENING || !g_queue_is_empty (&self->queue))
        start_job (self, FALSE);
      else if (self->state == AT_LEAVING && self->writer != NULL)
        start_job (self, TRUE);
      else if (self->state == AT_LEAVING)
        end_soon (self);
    }
  set_reading (self, self->state != AT_OPENING && self->state != AT_LEAVING && !self->waits && self->queued < QUEUE_BYTES &&
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
    cs_receive_connection_leave (self, g_strdup_printf ("the system gives no random bytes: %s", g_strerror (errno)));
  else if (!say (self, bytes, n))
    cs_receive_connection_leave (self, g_strdup ("it doesn't take an answer"));
  else if (self->shared->key != NULL)
    expect (self, AT_PROOF, self->proof, CS_RECEIVE_PROOF_SIZE);
  else
    self->state = AT_OPENING;
}

static void
check_proof (CsReceiveConnection *self)
{
  guint8 right[CS_RECEIVE_PROOF_SIZE];
  const guint8 refused = 0;

  cs_receive_key_prove (self->shared->key, "callsight-client-3", self->said, self->n_said, right);
  if (cs_receive_proof_is_same (right, self->proof))
    {
      self->state = AT_OPENING;
      return;
    }
  say (self, &refused, 1);
  cs_receive_connection_leave (self, g_strdup ("it doesn't know the key"));
}

static void
take_hello (CsReceiveConnection *self)
{
  g_autoptr (GError) error = NULL;

  if (!cs_receive_hello_parse (&self->hello, self->said, &error))
    violate (self, error);
  else if (self->hello.version == 2 && self->shared->key != NULL)
    cs_receive_connection_leave (self, g_strdup ("version 2 of the protocol knows no key, and this receiver wants one"));
  else if (self->hello.version == 2)
    {
      g_autofree char *host = g_strndup (self->peer, (gsize) (strrchr (self->peer, ':') != NULL ? strrchr (self->peer, ':') - self->peer : 64));

      cs_receive_hello_name (&self->hello, host);
      self->state = AT_OPENING;
    }
  else
    {
      self->state = AT_NONCE;
      self->need = CS_RECEIVE_TEXT_AT;
    }
}

static void
take_nonce (CsReceiveConnection *self)
{
  guint32 n = cs_field_u32 (self->said, CS_RECEIVE_TEXT_LEN_AT, self->hello.swapped);

  if (n > CS_RECEIVE_TEXT_MOST)
    {
      cs_receive_connection_leave (self, g_strdup_printf ("a device's text has at most %d bytes, this one %u", CS_RECEIVE_TEXT_MOST, n));
      return;
    }
  self->state = AT_TEXT;
  self->need = CS_RECEIVE_TEXT_AT + n;
}

static void
take_text (CsReceiveConnection *self)
{
  self->n_said = self->got;
  cs_receive_hello_take_text (&self->hello, (const char *) self->said + CS_RECEIVE_TEXT_AT, self->n_said - CS_RECEIVE_TEXT_AT);
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
  expect (self, AT_HEAD, self->head, CS_RECEIVE_HEAD_SIZE);
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
  expect (self, AT_BODY, NULL, self->chunk.stored_len);
  grow (self);
  if (self->need == 0 && self->state == AT_BODY)
    take_body (self);
}

/* What was expected is there. */
static void
advance (CsReceiveConnection *self)
{
  switch (self->state)
    {
    case AT_HELLO:
      take_hello (self);
      break;
    case AT_NONCE:
      take_nonce (self);
      break;
    case AT_TEXT:
      break;
    case AT_PROOF:
      check_proof (self);
      break;
    case AT_HEAD:
      take_head (self);
      break;
    case AT_BODY:
      take_body (self);
      break;
    case AT_OPENING:
    case AT_LEAVING:
    default:
      break;
    }
  if (self->state == AT_TEXT && self->got == self->need)
    take_text (self);
}

static void
take_end (CsReceiveConnection *self)
{
  if (self->state < AT_OPENING)
    cs_receive_connection_leave (self, g_strdup ("it went away in the handshake"));
  else if (self->state == AT_BODY)
    cs_receive_connection_leave (self, g_strdup_printf ("the connection ended inside a chunk, after %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " bytes",
                                  self->got, self->need));
  else if (self->got > 0)
    cs_receive_connection_leave (self, g_strdup ("the connection ended inside the head of a chunk"));
  else
    cs_receive_connection_leave (self, NULL);
}

/* Takes what came by one read. Returns whether there may be more. */
static gboolean
read_some (CsReceiveConnection *self)
{
  g_autoptr (GError) error = NULL;
  gsize most = (self->state == AT_BODY ? self->capacity : self->need) - self->got;
  gssize n = g_socket_receive_with_blocking (self->socket, (char *) self->target + self->got, most, FALSE, NULL, &error);

  if (n < 0 && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
    return FALSE;
  if (n < 0)
    cs_receive_connection_leave (self, g_strdup_printf ("the connection was lost: %s", error->message));
  else if (n == 0)
    take_end (self);
  if (n <= 0)
    return FALSE;
  self->last = g_get_monotonic_time ();
  if (self->state >= AT_HEAD && self->got == 0 && self->state != AT_BODY)
    {
      self->window = self->last;
      self->window_bytes = 0;
    }
  self->got += (gsize) n;
  self->window_bytes += (guint64) n;
  if (self->state == AT_HELLO && !cs_receive_hello_may_begin (self->said, self->got, &error))
    violate (self, error);
  else if (self->got == self->need)
    advance (self);
  else if (self->state == AT_BODY && self->got == self->capacity)
    grow (self);
  return TRUE;
}

/**
 * cs_receive_connection_read:
 * @socket: the connection's
 * @condition: not looked at
 * @data: a #CsReceiveConnection
 *
 * Reads what is there, but no more than so often before others have their turn.
 *
 * Returns: %G_SOURCE_CONTINUE
 */
gboolean
cs_receive_connection_read (GSocket *socket, GIOCondition condition, gpointer data)
{
  CsReceiveConnection *self = data;

  for (guint i = 0; i < READS_A_TURN && self->source != NULL; i++)
    {
      if (!read_some (self))
        break;
      cs_receive_connection_go_on (self);
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
  g_source_set_callback (self->source, G_SOURCE_FUNC (cs_receive_connection_read), self, NULL);
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
  expect (self, AT_HELLO, self->said, CS_RECEIVE_HELLO_SIZE);
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

  if (!self->waits || self->state != AT_BODY)
    return;
  grow (self);
  cs_receive_connection_go_on (self);
}
