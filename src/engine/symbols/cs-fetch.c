/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <libsoup/soup.h>
#include <unistd.h>

#include "symbols/cs-fetch.h"

/* A server that sends less than this in the timeout is given up, as the debuginfod client does. */
#define LEAST_BYTES (100 * 1024)
#define BLOCK (64 * 1024)

/* One file on its way. */
typedef struct
{
  const CsFetchLimits *limits;
  guint64 *n_bytes;          /* (nullable) */
  GCancellable *cancellable; /* (nullable): the caller's */
  GMainContext *context;
  GCancellable *stop; /* cancelled when too little comes, or with the caller's */
  gint64 start;       /* monotonic µs */
  gint64 since;       /* the same, of the time in which LEAST_BYTES must come */
  guint64 got, got_before;
  gboolean too_slow;
  GAsyncResult *result;
} Fetch;

static gboolean
watch (gpointer data)
{
  Fetch *fetch = data;
  gint64 now = g_get_monotonic_time ();

  if (g_cancellable_is_cancelled (fetch->cancellable))
    g_cancellable_cancel (fetch->stop);
  if (fetch->got - fetch->got_before >= LEAST_BYTES)
    {
      fetch->since = now;
      fetch->got_before = fetch->got;
    }
  if (now - fetch->since >= (gint64) fetch->limits->timeout_s * G_USEC_PER_SEC ||
      now - fetch->start >= (gint64) fetch->limits->max_s * G_USEC_PER_SEC)
    {
      fetch->too_slow = TRUE;
      g_cancellable_cancel (fetch->stop);
    }
  return G_SOURCE_CONTINUE;
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer data)
{
  ((Fetch *) data)->result = g_object_ref (result);
}

static GAsyncResult *
wait_for (Fetch *fetch)
{
  g_clear_object (&fetch->result);
  while (fetch->result == NULL)
    g_main_context_iteration (fetch->context, TRUE);
  return fetch->result;
}

static gboolean
write_all (int fd, const guint8 *bytes, gsize length, GError **error)
{
  while (length > 0)
    {
      gssize written = write (fd, bytes, length);

      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        {
          g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "it can't be stored: %s", g_strerror (errno));
          return FALSE;
        }
      bytes += written;
      length -= (gsize) written;
    }
  return TRUE;
}

static gboolean
take_block (Fetch *fetch, int fd, GBytes *block, GError **error)
{
  gsize length;
  const guint8 *bytes = g_bytes_get_data (block, &length);

  fetch->got += length;
  if (fetch->n_bytes != NULL)
    __atomic_fetch_add (fetch->n_bytes, length, __ATOMIC_RELAXED);
  if (fetch->got > fetch->limits->max_bytes)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "it is larger than %" G_GUINT64_FORMAT " bytes",
                   fetch->limits->max_bytes);
      return FALSE;
    }
  return write_all (fd, bytes, length, error);
}

/* Copies the answer's body. */
static gboolean
read_body (Fetch *fetch, GInputStream *body, int fd, GError **error)
{
  for (;;)
    {
      g_autoptr (GBytes) block = NULL;

      g_input_stream_read_bytes_async (body, BLOCK, G_PRIORITY_DEFAULT, fetch->stop, keep_result, fetch);
      block = g_input_stream_read_bytes_finish (body, wait_for (fetch), error);
      if (block == NULL)
        return FALSE;
      if (g_bytes_get_size (block) == 0)
        return TRUE;
      if (!take_block (fetch, fd, block, error))
        return FALSE;
    }
}

/* G_IO_ERROR_NOT_FOUND: the server answered that it has no such file. */
static gboolean
check_status (Fetch *fetch, SoupMessage *message, GError **error)
{
  guint status = soup_message_get_status (message);
  SoupMessageHeaders *headers = soup_message_get_response_headers (message);
  gboolean told = soup_message_headers_get_encoding (headers) == SOUP_ENCODING_CONTENT_LENGTH;

  if (status == SOUP_STATUS_NOT_FOUND)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "it has no such file");
  else if (status != SOUP_STATUS_OK)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "it answered %u %s", status,
                 soup_message_get_reason_phrase (message));
  else if (told && (guint64) soup_message_headers_get_content_length (headers) > fetch->limits->max_bytes)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "it is larger than %" G_GUINT64_FORMAT " bytes",
                 fetch->limits->max_bytes);
  else
    return TRUE;
  return FALSE;
}

static gboolean
run_fetch (Fetch *fetch, const char *url, int fd, GError **error)
{
  g_autoptr (SoupSession) session = soup_session_new_with_options ("user-agent", "callsight/" CS_VERSION, NULL);
  g_autoptr (SoupMessage) message = soup_message_new (SOUP_METHOD_GET, url);
  g_autoptr (GInputStream) body = NULL;
  gboolean complete;

  if (message == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "it is no address of a server");
      return FALSE;
    }
  soup_session_send_async (session, message, G_PRIORITY_DEFAULT, fetch->stop, keep_result, fetch);
  body = soup_session_send_finish (session, wait_for (fetch), error);
  complete = body != NULL && check_status (fetch, message, error) && read_body (fetch, body, fd, error);
  if (!complete)
    soup_session_abort (session);
  return complete;
}

/**
 * cs_fetch:
 * @url: an http or https address
 * @fd: where to write what comes
 * @limits: what is too large, and too slow
 * @n_bytes: (nullable): the bytes that come are added to it, atomically
 * @cancellable: (nullable): to give up
 * @error: where to say why it can't be had: a sentence that begins with "it", the server, or %G_IO_ERROR_CANCELLED;
 *   %G_IO_ERROR_NOT_FOUND where the server answered that there is no such file
 *
 * Fetches a file. Blocks, in a main context of its own, so that no other's callbacks run meanwhile. Redirects are
 * followed, twenty at most.
 *
 * Returns: whether all has come and was written
 */
gboolean
cs_fetch (const char *url, int fd, const CsFetchLimits *limits, guint64 *n_bytes, GCancellable *cancellable,
          GError **error)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GCancellable) stop = g_cancellable_new ();
  g_autoptr (GSource) timer = g_timeout_source_new (100);
  const gint64 now = g_get_monotonic_time ();
  Fetch fetch = { .limits = limits, .n_bytes = n_bytes, .cancellable = cancellable, .context = context,
                  .stop = stop, .start = now, .since = now };
  g_autoptr (GError) local = NULL;
  gboolean complete;

  g_main_context_push_thread_default (context);
  g_source_set_callback (timer, watch, &fetch, NULL);
  g_source_attach (timer, context);
  complete = run_fetch (&fetch, url, fd, &local);
  g_source_destroy (timer);
  while (g_main_context_iteration (context, FALSE))
    ;
  g_clear_object (&fetch.result);
  g_main_context_pop_thread_default (context);
  if (fetch.too_slow)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "it takes too long");
  else if (!complete)
    g_propagate_error (error, g_steal_pointer (&local));
  return complete && !fetch.too_slow;
}
