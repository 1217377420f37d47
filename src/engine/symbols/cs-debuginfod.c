/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <libsoup/soup.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/cs-debuginfod.h"
#include "symbols/cs-elf.h"

#define MAX_BYTES (G_GUINT64_CONSTANT (2) << 30)
#define TIMEOUT_S 90
#define MAX_S 3600
/* A server that sends less than this in the timeout is given up, as the debuginfod client does. */
#define LEAST_BYTES (100 * 1024)
#define BLOCK (64 * 1024)

typedef struct
{
  char *url;         /* without slashes at its end */
  gboolean given_up; /* it can't be reached, or is too slow */
} Server;

struct _CsDebuginfod
{
  GArray *servers; /* (element-type Server) in the order to ask */
  GCancellable *cancellable; /* (nullable) */
  guint64 max_bytes;
  guint64 timeout_s; /* for LEAST_BYTES */
  guint64 max_s;     /* for a file */
  guint64 n_bytes; /* fetched so far; atomic */
  char *cache;
  GHashTable *known;  /* "build id kind" → path, or NULL */
  GPtrArray *missing; /* (element-type utf8) what no server has */
  GPtrArray *notices; /* (element-type utf8) */
};

static void
server_clear (gpointer data)
{
  g_free (((Server *) data)->url);
}

/* A setting of the debuginfod client. */
static guint64
get_setting (const char *name, guint64 most, guint64 fallback)
{
  const char *text = g_getenv (name);
  guint64 number;

  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT64, &number, NULL))
    return fallback;
  return MIN (number, most);
}

/* Where the debuginfod client keeps its files. */
static char *
find_cache (void)
{
  const char *set = g_getenv ("DEBUGINFOD_CACHE_PATH");

  return set != NULL && *set != '\0' ? g_strdup (set)
                                     : g_build_filename (g_get_user_cache_dir (), "debuginfod_client", NULL);
}

static void
add_servers (CsDebuginfod *self, const char *urls)
{
  g_auto (GStrv) words = g_strsplit_set (urls != NULL ? urls : "", " \t\n", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      Server server = { 0 };
      gsize length = strlen (words[i]);

      /* Other words are settings of the client. */
      if (!g_str_has_prefix (words[i], "http://") && !g_str_has_prefix (words[i], "https://"))
        continue;
      while (words[i][length - 1] == '/')
        length--;
      server.url = g_strndup (words[i], length);
      g_array_append_val (self->servers, server);
    }
}

/**
 * cs_debuginfod_new:
 * @urls: (nullable): servers, as in DEBUGINFOD_URLS: http and https, separated by spaces
 * @error: where to say that there are none
 *
 * Files come into the cache of the debuginfod client (DEBUGINFOD_CACHE_PATH, or
 * debuginfod_client in the user's cache folder), and are taken from there. A file may have 2 GiB
 * (or DEBUGINFOD_MAXSIZE bytes) and take an hour (DEBUGINFOD_MAXTIME seconds); a server that
 * sends less than 100 KiB in 90 s (DEBUGINFOD_TIMEOUT) is given up. Nothing is asked before
 * cs_debuginfod_find(). To be used by one thread at a time.
 *
 * Returns: (transfer full) (nullable): a client, or %NULL with %CS_SYMBOLS_ERROR_OPEN
 */
CsDebuginfod *
cs_debuginfod_new (const char *urls, GError **error)
{
  g_autoptr (CsDebuginfod) self = g_new0 (CsDebuginfod, 1);

  self->servers = g_array_new (FALSE, FALSE, sizeof (Server));
  g_array_set_clear_func (self->servers, server_clear);
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->missing = g_ptr_array_new_with_free_func (g_free);
  self->notices = g_ptr_array_new_with_free_func (g_free);
  self->cache = find_cache ();
  self->max_bytes = get_setting ("DEBUGINFOD_MAXSIZE", MAX_BYTES, MAX_BYTES);
  self->timeout_s = get_setting ("DEBUGINFOD_TIMEOUT", MAX_S, TIMEOUT_S);
  self->max_s = get_setting ("DEBUGINFOD_MAXTIME", MAX_S, MAX_S);
  add_servers (self, urls);
  if (self->servers->len == 0)
    {
      g_set_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_OPEN,
                   "DEBUGINFOD_URLS names no server — set it to one, as in https://debuginfod.debian.net");
      return NULL;
    }
  return g_steal_pointer (&self);
}

/**
 * cs_debuginfod_free:
 * @self: (transfer full): a client
 */
void
cs_debuginfod_free (CsDebuginfod *self)
{
  g_array_unref (self->servers);
  g_clear_object (&self->cancellable);
  g_hash_table_unref (self->known);
  g_ptr_array_unref (self->missing);
  g_ptr_array_unref (self->notices);
  g_free (self->cache);
  g_free (self);
}

/**
 * cs_debuginfod_set_cancellable:
 * @self: a client
 * @cancellable: (nullable): to fetch no more
 */
void
cs_debuginfod_set_cancellable (CsDebuginfod *self, GCancellable *cancellable)
{
  g_set_object (&self->cancellable, cancellable);
}

/**
 * cs_debuginfod_get_n_bytes:
 * @self: a client
 *
 * May be called by any thread.
 *
 * Returns: how many bytes were fetched so far
 */
guint64
cs_debuginfod_get_n_bytes (CsDebuginfod *self)
{
  return __atomic_load_n (&self->n_bytes, __ATOMIC_RELAXED);
}

/* One file on its way. */
typedef struct
{
  CsDebuginfod *client;
  GMainContext *context;
  GCancellable *stop; /* cancelled when too little comes, or with the client's */
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

  if (g_cancellable_is_cancelled (fetch->client->cancellable))
    g_cancellable_cancel (fetch->stop);
  if (fetch->got - fetch->got_before >= LEAST_BYTES)
    {
      fetch->since = now;
      fetch->got_before = fetch->got;
    }
  if (now - fetch->since >= (gint64) fetch->client->timeout_s * G_USEC_PER_SEC ||
      now - fetch->start >= (gint64) fetch->client->max_s * G_USEC_PER_SEC)
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
  __atomic_fetch_add (&fetch->client->n_bytes, length, __ATOMIC_RELAXED);
  if (fetch->got > fetch->client->max_bytes)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "it is larger than %" G_GUINT64_FORMAT " bytes",
                   fetch->client->max_bytes);
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
  else if (told && (guint64) soup_message_headers_get_content_length (headers) > fetch->client->max_bytes)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "it is larger than %" G_GUINT64_FORMAT " bytes",
                 fetch->client->max_bytes);
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

/* Fetches a file. In a main context of its own, so that no other's callbacks run meanwhile. */
static gboolean
fetch_file (CsDebuginfod *self, const char *url, int fd, GError **error)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GCancellable) stop = g_cancellable_new ();
  g_autoptr (GSource) timer = g_timeout_source_new (100);
  const gint64 now = g_get_monotonic_time ();
  Fetch fetch = { .client = self, .context = context, .stop = stop, .start = now, .since = now };
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

/* Whether a file is whole and has a build id. */
static gboolean
check_file (const char *path, const char *build_id, GError **error)
{
  g_autoptr (CsElf) elf = cs_elf_open (path, NULL);

  if (elf == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "it sent no ELF file, or a part of one");
  else if (g_strcmp0 (elf->build_id, build_id) != 0)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "it sent a file with another build id");
  else
    return TRUE;
  return FALSE;
}

/* Fetches a file beside its place in the cache, and moves it there when it is found to be right. */
static gboolean
fetch_into (CsDebuginfod *self, const char *url, const char *path, const char *build_id, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *temporary = g_strconcat (path, ".XXXXXX", NULL);
  gboolean complete;
  int fd;

  if (g_mkdir_with_parents (folder, 0700) != 0 || (fd = g_mkstemp_full (temporary, O_WRONLY | O_CLOEXEC, 0400)) < 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s can't be written (%s)", folder, g_strerror (errno));
      return FALSE;
    }
  complete = fetch_file (self, url, fd, error);
  close (fd);
  complete = complete && check_file (temporary, build_id, error);
  if (complete && g_rename (temporary, path) != 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s can't be written (%s)", path, g_strerror (errno));
      complete = FALSE;
    }
  if (!complete)
    {
      g_unlink (temporary);
      g_rmdir (folder); /* where nothing else is in it */
    }
  return complete;
}

/* Asks the servers in turn. What one of them has not, the next may have. */
static gboolean
ask_servers (CsDebuginfod *self, const char *build_id, const char *kind, const char *path, const char *what)
{
  gboolean asked = FALSE;

  for (guint i = 0; i < self->servers->len && !g_cancellable_is_cancelled (self->cancellable); i++)
    {
      Server *server = &g_array_index (self->servers, Server, i);
      g_autofree char *url = g_strdup_printf ("%s/buildid/%s/%s", server->url, build_id, kind);
      g_autoptr (GError) error = NULL;

      if (server->given_up)
        continue;
      if (fetch_into (self, url, path, build_id, &error))
        return TRUE;
      if (g_cancellable_is_cancelled (self->cancellable))
        break;
      asked = TRUE;
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
        continue;
      /* A wrong file says nothing of the next one. */
      server->given_up = !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA) &&
                         !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE) &&
                         !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
      g_ptr_array_add (self->notices,
                       g_strdup_printf ("%s gave no %s of %s: %s%s", server->url, kind, what, error->message,
                                        server->given_up ? " — it isn't asked again" : ""));
      asked = FALSE;
    }
  if (asked && !g_ptr_array_find_with_equal_func (self->missing, what, g_str_equal, NULL))
    g_ptr_array_add (self->missing, g_strdup (what));
  return FALSE;
}

static gboolean
is_build_id (const char *text)
{
  gsize length = strspn (text, "0123456789abcdef");

  return length >= 4 && length <= 256 && text[length] == '\0';
}

/**
 * cs_debuginfod_find:
 * @self: a client
 * @build_id: of a build, lower-case hex digits
 * @kind: what of it
 * @what: its name, for notices
 *
 * Looks into the cache, then asks the servers. What comes is checked: a whole ELF file with
 * that build id. Blocks until it is there, or can't be had.
 *
 * Returns: (transfer full) (nullable): path of the file; %NULL: the notices say why
 */
char *
cs_debuginfod_find (CsDebuginfod *self, const char *build_id, CsDebuginfodKind kind, const char *what)
{
  const char *name = kind == CS_DEBUGINFOD_DEBUGINFO ? "debuginfo" : "executable";
  g_autofree char *key = g_strdup_printf ("%s %s", build_id, name);
  g_autofree char *path = NULL;
  gpointer known;

  if (!is_build_id (build_id))
    return NULL;
  if (g_hash_table_lookup_extended (self->known, key, NULL, &known))
    return g_strdup (known);
  path = g_build_filename (self->cache, build_id, name, NULL);
  /* The client keeps an empty file where servers had none. */
  if (!check_file (path, build_id, NULL) && !ask_servers (self, build_id, name, path, what))
    g_clear_pointer (&path, g_free);
  g_hash_table_insert (self->known, g_steal_pointer (&key), g_strdup (path));
  return g_steal_pointer (&path);
}

/**
 * cs_debuginfod_dup_notices:
 * @self: a client
 *
 * Returns: (transfer full) (array zero-terminated=1): a sentence for each thing that went wrong
 */
char **
cs_debuginfod_dup_notices (CsDebuginfod *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < self->notices->len; i++)
    g_strv_builder_add (builder, g_ptr_array_index (self->notices, i));
  if (self->missing->len > 0)
    {
      g_autoptr (GString) names = g_string_new (g_ptr_array_index (self->missing, 0));
      g_autofree char *text = NULL;

      for (guint i = 1; i < MIN (self->missing->len, 4); i++)
        g_string_append_printf (names, ", %s", (char *) g_ptr_array_index (self->missing, i));
      if (self->missing->len > 4)
        g_string_append_printf (names, " and %u more", self->missing->len - 4);
      text = g_strdup_printf ("The debuginfod servers have nothing of %s", names->str);
      g_strv_builder_add (builder, text);
    }
  return g_strv_builder_end (builder);
}
