/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/cs-debuginfod.h"
#include "symbols/cs-elf.h"
#include "symbols/cs-fetch.h"

#define MAX_BYTES (G_GUINT64_CONSTANT (2) << 30)
#define TIMEOUT_S 90
#define MAX_S 3600

typedef struct
{
  char *url;         /* without slashes at its end */
  gboolean given_up; /* it can't be reached, or is too slow */
} Server;

struct _CsDebuginfod
{
  GArray *servers; /* (element-type Server) in the order to ask */
  GCancellable *cancellable; /* (nullable) */
  CsFetchLimits limits;
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
  self->limits.max_bytes = get_setting ("DEBUGINFOD_MAXSIZE", MAX_BYTES, MAX_BYTES);
  self->limits.timeout_s = get_setting ("DEBUGINFOD_TIMEOUT", MAX_S, TIMEOUT_S);
  self->limits.max_s = get_setting ("DEBUGINFOD_MAXTIME", MAX_S, MAX_S);
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
  complete = cs_fetch (url, fd, &self->limits, &self->n_bytes, self->cancellable, error);
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
