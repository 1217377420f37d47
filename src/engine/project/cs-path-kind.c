/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/cs-event-file.h"
#include "capture/cs-io.h"
#include "project/cs-build-system.h"
#include "project/cs-path-kind.h"
#include "selection/cs-source-tree.h"

/* How much is looked at to find a source: names in all, and folders inside each other. */
#define NAMES_MOST 20000
#define DEPTH_MOST 4

/* What a folder was seen to hold. */
typedef struct
{
  gboolean traces;  /* files of a recording */
  gboolean bundle;  /* its manifest */
  gboolean config;  /* trace.config */
  gboolean sources; /* there or below */
  guint names;
} Content;

/* Whether a file begins as one of ours does. */
static gboolean
has_magic (int fd)
{
  char start[32] = { 0 };

  return cs_pread_full (fd, start, sizeof start - 1, 0) > 0 &&
         (g_str_has_prefix (start, TRACE_MAGIC) || g_str_has_prefix (start, TRACE_SUMMARY_MAGIC));
}

/* Whether it can be opened. */
static gboolean
look_inside (int parent, const char *name, guint depth, Content *content)
{
  int fd = openat (parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (depth > 0 ? O_NOFOLLOW : 0));
  DIR *dir = fd >= 0 ? fdopendir (fd) : NULL;
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);
  const struct dirent *entry;

  if (fd >= 0 && dir == NULL)
    close (fd);
  if (dir == NULL)
    return FALSE;
  while (content->names < NAMES_MOST && (entry = readdir (dir)) != NULL)
    {
      CsTraceNameParts parts;
      gboolean is_header;

      content->names++;
      if (*entry->d_name == '.')
        continue;
      if (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN)
        g_ptr_array_add (folders, g_strdup (entry->d_name));
      if (entry->d_type == DT_DIR)
        continue;
      if (cs_source_path_is_source (entry->d_name, &is_header))
        content->sources = TRUE;
      else if (depth == 0)
        {
          content->traces = content->traces || cs_trace_name_parse (entry->d_name, &parts) != CS_TRACE_NAME_OTHER;
          content->bundle = content->bundle || g_str_equal (entry->d_name, "bundle");
          content->config = content->config || g_str_equal (entry->d_name, "trace.config");
        }
    }
  for (guint i = 0; i < folders->len && depth < DEPTH_MOST && !content->sources && !content->traces; i++)
    look_inside (dirfd (dir), folders->pdata[i], depth + 1, content);
  closedir (dir);
  return TRUE;
}

static CsPathKind
find_folder (const char *path, char **sentence)
{
  CsBuildSystems systems = { 0 };
  Content content = { 0 };

  if (!look_inside (AT_FDCWD, path, 0, &content))
    {
      *sentence = g_strdup_printf ("%s: the folder can't be opened (%s) — open it as a user who may", path, g_strerror (errno));
      return CS_PATH_KIND_NOTHING;
    }
  cs_build_systems_find (path, &systems);
  if (content.traces && !content.config && (systems.count == 0 || content.bundle))
    return CS_PATH_KIND_RECORDING;
  if (content.config || systems.count > 0 || content.sources)
    return CS_PATH_KIND_PROJECT;
  *sentence = g_strdup_printf ("%s: neither C or C++ sources nor a recording was found in it — open the folder of a project, "
                               "or the one that a program was recorded to", path);
  return CS_PATH_KIND_FOLDER;
}

static CsPathKind
find_file (const char *path, char **sentence)
{
  g_autofree char *name = g_path_get_basename (path);
  cs_autofd fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  CsTraceNameParts parts;
  CsTraceName kind = cs_trace_name_parse (name, &parts);
  struct stat st;

  if (fd < 0 || fstat (fd, &st) != 0)
    *sentence = g_strdup_printf ("%s: can't be opened (%s) — open it as a user who may", path, g_strerror (errno));
  else if (st.st_size == 0)
    *sentence = g_strdup_printf ("%s: the file is empty", path);
  else if (kind == CS_TRACE_NAME_PROCESS || kind == CS_TRACE_NAME_TAIL || kind == CS_TRACE_NAME_SUMMARY_TAIL)
    *sentence = g_strdup_printf ("%s: is only a part of a recording — open the folder that it lies in", path);
  else if (!has_magic (fd))
    *sentence = g_strdup_printf ("%s: isn't a file of a recording — open the folder of a project or of a recording, or a "
                                 "trace.*.bin", path);
  else
    return CS_PATH_KIND_TRACE_FILE;
  return CS_PATH_KIND_NOTHING;
}

/**
 * cs_path_kind_find:
 * @path: a file or folder
 * @sentence: (out) (transfer full) (nullable): where there is neither a project nor a recording: why, and what to do.
 *   May hold bytes that aren't UTF-8, as @path may
 *
 * Looks at what a person wants to open. May be called in any thread; reads a bounded number of names.
 *
 * Returns: what it is
 */
CsPathKind
cs_path_kind_find (const char *path, char **sentence)
{
  struct stat st;

  *sentence = NULL;
  if (*path == '\0' || stat (path, &st) != 0)
    *sentence = g_strdup_printf ("%s: can't be opened (%s) — it may have been moved or removed", path,
                                 g_strerror (*path != '\0' ? errno : ENOENT));
  else if (S_ISDIR (st.st_mode))
    return find_folder (path, sentence);
  else if (S_ISREG (st.st_mode))
    return find_file (path, sentence);
  else
    *sentence = g_strdup_printf ("%s: is neither a file nor a folder", path);
  return CS_PATH_KIND_NOTHING;
}

/* What another thread found. */
typedef struct
{
  char *path;
  char *sentence; /* (nullable) */
  CsPathKind kind;
} Look;

static void
look_free (gpointer data)
{
  Look *look = data;

  g_free (look->path);
  g_free (look->sentence);
  g_free (look);
}

static void
find_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Look *look = data;

  look->kind = cs_path_kind_find (look->path, &look->sentence);
  g_task_return_boolean (task, TRUE);
}

/**
 * cs_path_kind_find_async:
 * @path: a file or folder
 * @cancellable: (nullable): to drop the answer
 * @callback: (scope async): called with the answer
 * @user_data: for @callback
 *
 * Does what cs_path_kind_find() does in another thread.
 */
void
cs_path_kind_find_async (const char *path, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Look *look = g_new0 (Look, 1);

  look->path = g_strdup (path);
  g_task_set_task_data (task, look, look_free);
  g_task_run_in_thread (task, find_in_thread);
}

/**
 * cs_path_kind_find_finish:
 * @result: what the callback got
 * @sentence: (out) (transfer full) (nullable): as of cs_path_kind_find(); %NULL where it was cancelled
 *
 * Returns: what it is
 */
CsPathKind
cs_path_kind_find_finish (GAsyncResult *result, char **sentence)
{
  Look *look = g_task_get_task_data (G_TASK (result));

  *sentence = NULL;
  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return CS_PATH_KIND_NOTHING;
  *sentence = g_steal_pointer (&look->sentence);
  return look->kind;
}
