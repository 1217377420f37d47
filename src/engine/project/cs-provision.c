/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/cs-io.h"
#include "project/cs-provision.h"
#include "selection/cs-ctags.h"
#include "symbols/cs-elf.h"
#include "symbols/cs-fetch.h"

#define MAX_BYTES (G_GUINT64_CONSTANT (64) << 20)
#define TIMEOUT_S 60
#define MAX_S 900
#define BLOCK (64 * 1024)

G_DEFINE_QUARK (cs-provision-error-quark, cs_provision_error)

/* Words of os-release's ID or ID_LIKE, and what installs a ctags there. */
static const struct
{
  const char *ids;
  const char *command;
} distributions[] = {
  { "debian ubuntu", "sudo apt install universal-ctags" },
  { "fedora rhel centos", "sudo dnf install ctags" },
  { "arch", "sudo pacman -S ctags" },
  { "opensuse suse", "sudo zypper install ctags" },
  { "alpine", "sudo apk add ctags" },
  { "gentoo", "sudo emerge dev-util/ctags" },
  { "void", "sudo xbps-install ctags" },
  { "nixos", "nix profile install nixpkgs#universal-ctags" },
};

/**
 * cs_provision_dup_scanner:
 * @error: where to say why no ctags serves the scan
 *
 * Returns: (transfer full) (nullable): which one does: version and path; %NULL: the built-in scan has to
 */
char *
cs_provision_dup_scanner (GError **error)
{
  const CsScanOptions options = { 0 };
  g_autoptr (CsCtagsProgram) program = cs_ctags_find (&options, error);

  return program != NULL ? g_strdup_printf ("Universal Ctags %s (%s)", program->version, program->path) : NULL;
}

/**
 * cs_provision_get_install_command:
 * @id: (nullable): ID of os-release
 * @id_like: (nullable): ID_LIKE of os-release: other distributions, separated by spaces, the nearest first
 *
 * Returns: (transfer none) (nullable): the command that installs Universal Ctags there; %NULL: not known
 */
const char *
cs_provision_get_install_command (const char *id, const char *id_like)
{
  g_autofree char *all = g_strdup_printf ("%s %s", id != NULL ? id : "", id_like != NULL ? id_like : "");
  g_auto (GStrv) words = g_strsplit (all, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    for (guint k = 0; k < G_N_ELEMENTS (distributions) && *words[i] != '\0'; k++)
      {
        g_auto (GStrv) ids = g_strsplit (distributions[k].ids, " ", -1);

        if (g_strv_contains ((const char *const *) ids, words[i]))
          return distributions[k].command;
      }
  return NULL;
}

static gboolean
fail (GError **error, CsProvisionError code, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
fail (GError **error, CsProvisionError code, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, CS_PROVISION_ERROR, code, message);
  return FALSE;
}

/* Both are given, and are what they should be. */
static gboolean
check_arguments (const char *url, const char *sha256, GError **error)
{
  g_autofree char *scheme = url != NULL ? g_uri_parse_scheme (url) : NULL;

  if (url == NULL)
    return fail (error, CS_PROVISION_ERROR_USAGE, "no address — add --from URL");
  if (sha256 == NULL)
    return fail (error, CS_PROVISION_ERROR_USAGE,
                 "nothing is fetched without its checksum — add --sha256 and the 64 digits that those who made the file "
                 "tell");
  if (strlen (sha256) != 64 || strspn (sha256, "0123456789abcdefABCDEF") != 64)
    return fail (error, CS_PROVISION_ERROR_USAGE, "--sha256 %s: that is no SHA-256 — give its 64 hexadecimal digits",
                 sha256);
  if (scheme == NULL ||
      !(g_str_equal (scheme, "http") || g_str_equal (scheme, "https") || g_str_equal (scheme, "file")))
    return fail (error, CS_PROVISION_ERROR_USAGE, "--from %s: that is no address — use https://…, http://… or file:///…",
                 url);
  return TRUE;
}

static gboolean
copy_local (const char *path, int to, guint64 *n_bytes, GCancellable *cancellable, GError **error)
{
  g_autofree char *block = g_malloc (BLOCK);
  int from = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat st;
  guint64 done = 0;
  gssize n = -1;

  if (from < 0 || fstat (from, &st) != 0)
    fail (error, CS_PROVISION_ERROR_FETCH, "%s: it can't be read (%s) — name the file of a ctags", path, g_strerror (errno));
  else if (!S_ISREG (st.st_mode))
    fail (error, CS_PROVISION_ERROR_FETCH, "%s: it is no file — name the file of a ctags", path);
  else if ((guint64) st.st_size > MAX_BYTES)
    fail (error, CS_PROVISION_ERROR_FETCH, "%s: it is larger than %" G_GUINT64_FORMAT " bytes — name the file of a ctags", path,
          MAX_BYTES);
  else
    while (!g_cancellable_set_error_if_cancelled (cancellable, error) &&
           (n = cs_pread_full (from, block, BLOCK, (off_t) done)) > 0)
      {
        if (done + (guint64) n > MAX_BYTES || write (to, block, (gsize) n) != n)
          {
            fail (error, CS_PROVISION_ERROR_WRITE, "%s: it can't be copied — is the disk full?", path);
            break;
          }
        done += (guint64) n;
        if (n_bytes != NULL)
          __atomic_store_n (n_bytes, done, __ATOMIC_RELAXED);
      }
  if (from >= 0)
    close (from);
  return n == 0;
}

static gboolean
fetch (const char *url, int to, guint64 *n_bytes, GCancellable *cancellable, GError **error)
{
  const CsFetchLimits limits = { MAX_BYTES, TIMEOUT_S, MAX_S };
  g_autofree char *scheme = g_uri_parse_scheme (url);
  g_autoptr (GError) local = NULL;

  if (g_str_equal (scheme, "file"))
    {
      g_autofree char *host = NULL;
      g_autofree char *path = g_filename_from_uri (url, &host, NULL);

      if (path == NULL || (host != NULL && *host != '\0' && !g_str_equal (host, "localhost")))
        return fail (error, CS_PROVISION_ERROR_USAGE, "--from %s: that is no address of a file here — use file:///path",
                     url);
      return copy_local (path, to, n_bytes, cancellable, error);
    }
  if (cs_fetch (url, to, &limits, n_bytes, cancellable, &local))
    return TRUE;
  if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  return fail (error, CS_PROVISION_ERROR_FETCH, "%s: nothing was fetched: %s — check the address and the network", url,
               local->message);
}

/* What was written is what the checksum says. */
static gboolean
check_sum (int fd, const char *url, const char *sha256, GError **error)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guchar *block = g_malloc (BLOCK);
  off_t done = 0;
  gssize n;

  while ((n = cs_pread_full (fd, block, BLOCK, done)) > 0)
    {
      g_checksum_update (sum, block, n);
      done += n;
    }
  if (n < 0)
    return fail (error, CS_PROVISION_ERROR_WRITE, "what was fetched can't be read back (%s)", g_strerror (errno));
  if (g_ascii_strcasecmp (g_checksum_get_string (sum), sha256) != 0)
    return fail (error, CS_PROVISION_ERROR_FETCH,
                 "%s: its SHA-256 is %s, not %s: nothing is installed — check both, the file may have been changed", url,
                 g_checksum_get_string (sum), sha256);
  return TRUE;
}

/* It is a program for this machine, and a ctags that serves. */
static gboolean
check_program (const char *path, const char *url, GError **error)
{
  const CsScanOptions options = { .ctags = path };
  g_autoptr (CsElf) elf = cs_elf_open (path, NULL);
  g_autoptr (CsElf) self = cs_elf_open ("/proc/self/exe", NULL);
  g_autoptr (CsCtagsProgram) program = NULL;
  g_autoptr (GError) local = NULL;

  if (elf == NULL || (elf->header.e_type != ET_EXEC && elf->header.e_type != ET_DYN))
    return fail (error, CS_PROVISION_ERROR_FILE,
                 "%s: it is no program but something else (an archive?) — name the program itself", url);
  if (self != NULL && self->header.e_machine != elf->header.e_machine)
    return fail (error, CS_PROVISION_ERROR_FILE, "%s: it is a program for another processor — fetch the one for this",
                 url);
  g_clear_pointer (&elf, cs_elf_free);
  program = cs_ctags_find (&options, &local);
  if (program == NULL)
    {
      /* The name that it has for now says nothing. */
      const char *why = g_str_has_prefix (local->message, path) ? local->message + strlen (path) : local->message;

      return fail (error, CS_PROVISION_ERROR_FILE, "%s: it doesn't serve:%s%s — Universal Ctags with JSON is needed", url,
                   *why == ' ' || *why == ':' ? "" : " ", *why == ':' ? why + 1 : why);
    }
  return TRUE;
}

/* Fetches, checks and tries it under another name. */
static gboolean
make (const char *temporary, int fd, const char *url, const char *sha256, guint64 *n_bytes, GCancellable *cancellable,
      GError **error)
{
  gboolean good = fetch (url, fd, n_bytes, cancellable, error) && check_sum (fd, url, sha256, error);
  int number;

  /* Not before it is known to be what was asked for. */
  if (good && fchmod (fd, 0755) != 0)
    good = fail (error, CS_PROVISION_ERROR_WRITE, "%s: can't be made a program (%s)", temporary, g_strerror (errno));
  /* A file that is open for writing can't be started. */
  number = close (fd) != 0 ? errno : 0;
  if (good && number != 0)
    good = fail (error, CS_PROVISION_ERROR_WRITE, "%s: can't be written (%s)", temporary, g_strerror (number));
  return good && check_program (temporary, url, error) && !g_cancellable_set_error_if_cancelled (cancellable, error);
}

/**
 * cs_provision:
 * @url: (nullable): where a Universal Ctags is, for this machine: http, https or file
 * @sha256: (nullable): its checksum, 64 hexadecimal digits
 * @n_bytes: (nullable): counts what has come, atomically
 * @cancellable: (nullable): to give up; nothing is left then
 * @error: where to say why nothing was installed
 *
 * Fetches a ctags of at most 64 MiB to where the scan looks for it last, see cs_ctags_get_provisioned_path(). It is
 * run, to see that it serves, and moved to its place only after its checksum was found to be right. Blocks.
 *
 * Returns: (transfer full) (nullable): its path; %NULL with %CS_PROVISION_ERROR, and what was there before stays
 */
char *
cs_provision (const char *url, const char *sha256, guint64 *n_bytes, GCancellable *cancellable, GError **error)
{
  g_autofree char *target = cs_ctags_get_provisioned_path ();
  g_autofree char *folder = g_path_get_dirname (target);
  g_autofree char *temporary = g_build_filename (folder, ".ctags-XXXXXX", NULL);
  gboolean good;
  int fd;

  if (!check_arguments (url, sha256, error))
    return NULL;
  if (g_mkdir_with_parents (folder, 0700) != 0 || (fd = g_mkstemp_full (temporary, O_RDWR | O_CLOEXEC, 0600)) < 0)
    {
      fail (error, CS_PROVISION_ERROR_WRITE, "%s: nothing can be written there (%s) — name another folder in XDG_DATA_HOME",
            folder, g_strerror (errno));
      return NULL;
    }
  good = make (temporary, fd, url, sha256, n_bytes, cancellable, error);
  if (good && g_rename (temporary, target) != 0)
    good = fail (error, CS_PROVISION_ERROR_WRITE, "%s: can't be replaced (%s)", target, g_strerror (errno));
  if (!good)
    {
      g_unlink (temporary);
      return NULL;
    }
  return g_steal_pointer (&target);
}

typedef struct
{
  char *url;
  char *sha256;
  guint64 *n_bytes;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->url);
  g_free (job->sha256);
  g_free (job);
}

static void
run_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;
  char *path = cs_provision (job->url, job->sha256, job->n_bytes, cancellable, &error);

  if (path != NULL)
    g_task_return_pointer (task, path, g_free);
  else
    g_task_return_error (task, error);
}

/**
 * cs_provision_async:
 * @url: (nullable): as for cs_provision()
 * @sha256: (nullable): as for cs_provision()
 * @n_bytes: (nullable): counts what has come, atomically, for a progress display
 * @cancellable: (nullable): to give up
 * @callback: (scope async): called when it is there, or not
 * @user_data: for @callback
 *
 * cs_provision() in a thread.
 */
void
cs_provision_async (const char *url, const char *sha256, guint64 *n_bytes, GCancellable *cancellable,
                    GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->url = g_strdup (url);
  job->sha256 = g_strdup (sha256);
  job->n_bytes = n_bytes;
  g_task_set_source_tag (task, cs_provision_async);
  g_task_set_task_data (task, job, job_free);
  g_task_set_check_cancellable (task, FALSE);
  g_task_run_in_thread (task, run_job);
}

/**
 * cs_provision_finish:
 * @result: what the callback got
 * @error: where to say why nothing was installed
 *
 * Returns: (transfer full) (nullable): path of the ctags
 */
char *
cs_provision_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
