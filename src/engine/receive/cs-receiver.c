/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>
#include <sys/resource.h>

#include "receive/cs-receive-chunk.h"
#include "receive/cs-receive-connection.h"
#include "receive/cs-receive-job.h"
#include "receive/cs-receiver.h"

/* How often it is looked whether somebody takes too long. */
#define TICK_MS 100
/* Threads that unpack and write; each has a chunk's worth of memory. */
#define THREADS_LEAST 2
#define THREADS_MOST 8
/* Descriptors: of a connection, the socket, the folder, a segment, a process file; and others. */
#define FILES_EACH 4
#define FILES_BESIDES 64
#define BACKLOG 128

struct _CsReceiver
{
  GObject parent_instance;

  CsReceiverOptions options;
  char *folder;
  CsReceiveKey *key;
  GSocketService *service;
  GPtrArray *addresses; /* (element-type utf8), with a last NULL */
  gboolean reachable;   /* from other machines */
  CsReceiveShared shared;
  GPtrArray *connections; /* (element-type CsReceiveConnection) */
  guint most;             /* of them */
  GSource *tick;
  GTask *stopping;        /* NULL: not yet */
  GCancellable *cancellable; /* of the stop */
  guint turned_away;      /* since it was told */
  gint64 told_turned_away;
};

enum
{
  MESSAGE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsReceiver, cs_receiver, G_TYPE_OBJECT)

static void
tell (gpointer receiver, CsReceiverMessage kind, const char *text)
{
  g_signal_emit (receiver, signals[MESSAGE], 0, (guint) kind, text);
}

/* Ends the stop where nobody is left. */
static void
check_stopped (CsReceiver *self)
{
  g_autoptr (GTask) task = NULL;

  if (self->stopping == NULL || self->connections->len > 0)
    return;
  task = g_steal_pointer (&self->stopping);
  g_clear_object (&self->cancellable);
  g_source_destroy (self->tick);
  g_clear_pointer (&self->tick, g_source_unref);
  g_task_return_boolean (task, TRUE);
}

/* Whether another connection of the same stream has to end first. */
static gboolean
must_wait (gpointer receiver, CsReceiveConnection *connection)
{
  CsReceiver *self = receiver;
  gboolean waits = FALSE;

  for (guint i = 0; i < self->connections->len; i++)
    waits |= cs_receive_connection_makes_way (g_ptr_array_index (self->connections, i), connection);
  return waits;
}

static void
on_connection_ended (gpointer receiver, CsReceiveConnection *connection)
{
  CsReceiver *self = receiver;

  g_ptr_array_remove_fast (self->connections, connection);
  for (guint i = 0; i < self->connections->len; i++)
    cs_receive_connection_try_open (g_ptr_array_index (self->connections, i));
  check_stopped (self);
}

static void
tell_turned_away (CsReceiver *self, gint64 now)
{
  g_autofree char *text = NULL;

  if (self->turned_away == 0 || now - self->told_turned_away < G_USEC_PER_SEC)
    return;
  text = g_strdup_printf ("refused: %u connections, as there are %u already", self->turned_away, self->most);
  self->turned_away = 0;
  self->told_turned_away = now;
  tell (self, CS_RECEIVER_REFUSED, text);
}

static gboolean
on_tick (gpointer data)
{
  CsReceiver *self = data;
  gint64 now = g_get_monotonic_time ();

  tell_turned_away (self, now);
  for (guint i = 0; i < self->connections->len; i++)
    if (self->stopping != NULL && g_cancellable_is_cancelled (self->cancellable))
      cs_receive_connection_cut (g_ptr_array_index (self->connections, i));
    else
      cs_receive_connection_check_time (g_ptr_array_index (self->connections, i), now);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_incoming (CsReceiver *self, GSocketConnection *stream, GObject *source, GSocketService *service)
{
  if (self->connections->len >= self->most)
    {
      self->turned_away++;
      g_io_stream_close (G_IO_STREAM (stream), NULL, NULL);
      return TRUE;
    }
  cs_receive_connection_new (&self->shared, stream, self->connections);
  return TRUE;
}

/* As many connections as there are descriptors for. */
static void
raise_files (CsReceiver *self)
{
  const rlim_t wanted = CS_RECEIVE_CONNECTIONS_MOST * FILES_EACH + FILES_BESIDES;
  struct rlimit limit;

  self->most = CS_RECEIVE_CONNECTIONS_MOST;
  if (getrlimit (RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
    return;
  limit.rlim_cur = MIN (wanted, limit.rlim_max);
  if (setrlimit (RLIMIT_NOFILE, &limit) != 0)
    getrlimit (RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < wanted)
    self->most = (guint) MAX (1, ((gint64) limit.rlim_cur - FILES_BESIDES) / FILES_EACH);
}

static void
cs_receiver_finalize (GObject *object)
{
  CsReceiver *self = CS_RECEIVER (object);

  g_clear_object (&self->service);
  if (self->tick != NULL)
    {
      g_source_destroy (self->tick);
      g_source_unref (self->tick);
    }
  g_thread_pool_free (self->shared.workers, FALSE, TRUE);
  g_ptr_array_unref (self->connections);
  cs_receive_room_free (self->shared.room);
  cs_receive_store_unref (self->shared.store);
  cs_receive_key_free (self->key);
  g_ptr_array_unref (self->addresses);
  g_main_context_unref (self->shared.context);
  g_free (self->folder);

  G_OBJECT_CLASS (cs_receiver_parent_class)->finalize (object);
}

static void
cs_receiver_class_init (CsReceiverClass *class)
{
  G_OBJECT_CLASS (class)->finalize = cs_receiver_finalize;

  /**
   * CsReceiver::message:
   * @self: a receiver
   * @kind: a #CsReceiverMessage
   * @text: a line without its end; what devices say of themselves in it is cleaned
   */
  signals[MESSAGE] = g_signal_new ("message", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                   G_TYPE_UINT, G_TYPE_STRING);
}

static void
cs_receiver_init (CsReceiver *self)
{
  self->addresses = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->addresses, NULL);
  self->connections = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_receive_connection_free);
}

/**
 * cs_receiver_options_init:
 * @options: (out): what is right for most
 */
void
cs_receiver_options_init (CsReceiverOptions *options)
{
  *options = (CsReceiverOptions){ .folder = "traces",
                                  .limits = { .segment_bytes = (guint64) 256 << 20,
                                              .connection_bytes = (guint64) 4096 << 20,
                                              .least_free = (guint64) 64 << 20 },
                                  .handshake_ms = 10000,
                                  .slow_ms = 60000,
                                  .slow_bytes = 6000,
                                  .idle_ms = 3600000 };
}

/**
 * cs_receiver_new:
 * @options: where recordings go, and limits
 * @key: (nullable): what devices have to know
 *
 * Receives streams of devices in the main context of this thread.
 *
 * Returns: (transfer full): a receiver that doesn't listen yet; once it listens, it has to be stopped
 */
CsReceiver *
cs_receiver_new (const CsReceiverOptions *options, const CsReceiveKey *key)
{
  CsReceiver *self = g_object_new (CS_TYPE_RECEIVER, NULL);
  gint threads = CLAMP ((gint) g_get_num_processors (), THREADS_LEAST, THREADS_MOST);
  guint64 rest = cs_receive_chunk_get_stored_most ();

  self->options = *options;
  self->options.folder = self->folder = g_strdup (options->folder);
  self->key = cs_receive_key_copy (key);
  self->shared = (CsReceiveShared){
    .options = &self->options,
    .key = self->key,
    .store = cs_receive_store_new (self->folder, &options->limits),
    .room = cs_receive_room_new (CS_RECEIVE_MEMORY_MOST - rest - (guint64) threads * CS_RECEIVE_RAW_MOST, rest, cs_receive_connection_wake),
    .workers = g_thread_pool_new (cs_receive_job_run, NULL, threads, FALSE, NULL),
    .context = g_main_context_ref_thread_default (),
    .tell = tell,
    .must_wait = must_wait,
    .ended = on_connection_ended,
    .receiver = self,
  };
  raise_files (self);
  return self;
}

/* --- listening ------------------------------------------------------------------- */

static gboolean
add_address (CsReceiver *self, GSocketAddress *address, GError **error)
{
  g_autoptr (GSocketAddress) bound = NULL;

  if (!g_socket_listener_add_address (G_SOCKET_LISTENER (self->service), address, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL,
                                      &bound, error))
    return FALSE;
  g_ptr_array_insert (self->addresses, (gint) self->addresses->len - 1, g_socket_connectable_to_string (G_SOCKET_CONNECTABLE (bound)));
  if (!g_inet_address_get_is_loopback (g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (bound))))
    self->reachable = TRUE;
  return TRUE;
}

static void
begin (CsReceiver *self)
{
  g_signal_connect_object (self->service, "incoming", G_CALLBACK (on_incoming), self, G_CONNECT_SWAPPED);
  g_socket_service_start (self->service);
  self->tick = g_timeout_source_new (TICK_MS);
  g_source_set_callback (self->tick, on_tick, self, NULL);
  g_source_attach (self->tick, self->shared.context);
}

/* Takes the host's next address; the first that can be listened on is the one. */
static void
on_address (GObject *enumerator, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  CsReceiver *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocketAddress) address = g_socket_address_enumerator_next_finish (G_SOCKET_ADDRESS_ENUMERATOR (enumerator), result, &error);

  if (address != NULL && add_address (self, address, &error))
    {
      begin (self);
      g_task_return_boolean (task, TRUE);
      return;
    }
  if (g_task_return_error_if_cancelled (task))
    return;
  g_task_return_new_error (task, CS_RECEIVE_ERROR, CS_RECEIVE_ERROR_LISTEN, "can't listen on %s: %s — give another --host or --port",
                           (const char *) g_task_get_task_data (task), error != NULL ? error->message : "it has no address");
}

static void
prepare_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (cs_receive_store_prepare (data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_prepared (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  CsReceiver *self = CS_RECEIVER (source);
  g_autoptr (GSocketAddressEnumerator) addresses = NULL;
  g_autoptr (GSocketConnectable) host = NULL;
  GError *error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      g_task_return_error (task, error);
      return;
    }
  self->service = g_socket_service_new ();
  g_socket_service_stop (self->service); /* until there is an address */
  g_socket_listener_set_backlog (G_SOCKET_LISTENER (self->service), BACKLOG);
  host = g_object_ref (g_object_get_data (G_OBJECT (task), "host"));
  addresses = g_socket_connectable_enumerate (host);
  g_socket_address_enumerator_next_async (addresses, g_task_get_cancellable (task), on_address, g_object_ref (task));
}

/**
 * cs_receiver_listen_async:
 * @self: a receiver that doesn't listen
 * @host: an address of this machine, or a name of it
 * @port: of TCP; 0: a free one
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when it listens, or not
 * @user_data: for @callback
 *
 * Makes the folder for recordings and begins to receive.
 */
void
cs_receiver_listen_async (CsReceiver *self, const char *host, guint16 port, GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  g_autoptr (GTask) prepare = NULL;
  GError *error = NULL;

  g_return_if_fail (self->service == NULL);

  g_task_set_source_tag (task, cs_receiver_listen_async);
  g_task_set_task_data (task, g_strdup_printf (strchr (host, ':') != NULL ? "[%s]:%u" : "%s:%u", host, port), g_free);
  g_object_set_data_full (G_OBJECT (task), "host", g_network_address_new (host, port), g_object_unref);
  if (!cs_receive_chunk_is_supported (&error))
    {
      g_task_return_error (task, error);
      return;
    }
  prepare = g_task_new (self, cancellable, on_prepared, g_object_ref (task));
  g_task_set_task_data (prepare, cs_receive_store_ref (self->shared.store), (GDestroyNotify) cs_receive_store_unref);
  g_task_run_in_thread (prepare, prepare_in_thread);
}

/**
 * cs_receiver_listen_finish:
 * @self: a receiver
 * @result: what the callback got
 * @error: where to say why it doesn't listen
 *
 * Returns: whether it listens
 */
gboolean
cs_receiver_listen_finish (CsReceiver *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * cs_receiver_get_addresses:
 * @self: a receiver
 *
 * Returns: (transfer none) (array zero-terminated=1): where it listens, each as address:port
 */
const char *const *
cs_receiver_get_addresses (CsReceiver *self)
{
  return (const char *const *) self->addresses->pdata;
}

/**
 * cs_receiver_is_reachable:
 * @self: a receiver
 *
 * Returns: whether other machines may reach it
 */
gboolean
cs_receiver_is_reachable (CsReceiver *self)
{
  return self->reachable;
}

/**
 * cs_receiver_tell_progress:
 * @self: a receiver
 *
 * Has a message emitted for each stream.
 */
void
cs_receiver_tell_progress (CsReceiver *self)
{
  for (guint i = 0; i < self->connections->len; i++)
    cs_receive_connection_tell_progress (g_ptr_array_index (self->connections, i));
}

/* --- the end --------------------------------------------------------------------- */

/**
 * cs_receiver_stop_async:
 * @self: a receiver that listens
 * @cancellable: (nullable): to end at once
 * @callback: (scope async): called when all is written
 * @user_data: for @callback
 *
 * Receives no more: what has come is written, and files are closed. What was under way when @cancellable was cancelled
 * may be lost.
 */
void
cs_receiver_stop_async (CsReceiver *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (self->tick != NULL && self->stopping == NULL);

  self->stopping = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (self->stopping, cs_receiver_stop_async);
  g_set_object (&self->cancellable, cancellable);
  g_socket_service_stop (self->service);
  g_socket_listener_close (G_SOCKET_LISTENER (self->service));
  for (guint i = 0; i < self->connections->len; i++)
    cs_receive_connection_drain (g_ptr_array_index (self->connections, i));
  check_stopped (self);
}

/**
 * cs_receiver_stop_finish:
 * @self: a receiver
 * @result: what the callback got
 * @error: not set
 *
 * Returns: %TRUE
 */
gboolean
cs_receiver_stop_finish (CsReceiver *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
