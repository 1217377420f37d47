/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/cs-io.h"
#include "capture/cs-recording.h"

/* Whether the content of a file with one of our names is ours too. */
static gboolean
has_our_magic (int folder, const char *name, CsTraceName kind)
{
  cs_autofd fd = openat (folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  static const char zero[32];
  char start[32] = { 0 };
  struct stat st;
  gssize got;

  if (fd < 0 || fstat (fd, &st) != 0 || !S_ISREG (st.st_mode))
    return FALSE;
  got = cs_pread_full (fd, start, sizeof start - 1, 0);
  if (kind == CS_TRACE_NAME_PROCESS)
    return got == 0 || g_str_has_prefix (start, "CALLSIGHT-PROCESS ");
  if ((kind == CS_TRACE_NAME_TAIL || kind == CS_TRACE_NAME_SUMMARY_TAIL) && got > 0 &&
      memcmp (start, zero, (gsize) got) == 0)
    return TRUE; /* of a process that was killed before it wrote anything there */
  return got == 0 || g_str_has_prefix (start, TRACE_MAGIC) || g_str_has_prefix (start, TRACE_SUMMARY_MAGIC);
}

/**
 * cs_recording_clear_folder:
 * @path: a trace directory; one that isn't there is clear
 * @error: where to say what could not be removed
 *
 * Removes a stale recording: only regular files with one of our names that are empty or
 * begin with our magic, and nothing in subfolders.
 *
 * Returns: how many files were removed; on error %G_MAXUINT
 */
guint
cs_recording_clear_folder (const char *path, GError **error)
{
  g_autoptr (GDir) dir = NULL;
  cs_autofd folder = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const char *name;
  guint n = 0;

  if (folder < 0 && errno == ENOENT)
    return 0;
  dir = folder >= 0 ? g_dir_open (path, 0, NULL) : NULL;
  if (dir == NULL)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ,
                   "%s: can't be used as trace directory (%s) — name another one with --dir", path,
                   g_strerror (errno));
      return G_MAXUINT;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      CsTraceNameParts parts;
      CsTraceName kind = cs_trace_name_parse (name, &parts);

      if (kind == CS_TRACE_NAME_OTHER || !has_our_magic (folder, name, kind))
        continue;
      if (unlinkat (folder, name, 0) != 0)
        {
          g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ,
                       "%s/%s: the stale recording can't be removed (%s) — name another folder with --dir",
                       path, name, g_strerror (errno));
          return G_MAXUINT;
        }
      n++;
    }
  return n;
}
