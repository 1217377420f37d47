/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>

#include "capture/cs-event-file.h"
#include "capture/cs-trace-folder.h"

static GPtrArray *
list (const char *path, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (dir == NULL)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ,
                   "%s: the folder can't be opened (%s) — run as the user who recorded it", path,
                   g_strerror (errno));
      return NULL;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  return g_steal_pointer (&names);
}

static gint64
thread_key (const CsTraceNameParts *parts)
{
  return (gint64) ((guint64) parts->pid << 32 | parts->tid);
}

/* The number of each thread's last segment: thread_key() → number. */
static GHashTable *
find_last_segments (const GPtrArray *names)
{
  GHashTable *last = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint i = 0; i < names->len; i++)
    {
      CsTraceNameParts parts;
      gint64 key;

      if (cs_trace_name_parse (g_ptr_array_index (names, i), &parts) != CS_TRACE_NAME_EVENTS)
        continue;
      key = thread_key (&parts);
      if (parts.seq >= GPOINTER_TO_UINT (g_hash_table_lookup (last, &key)))
        g_hash_table_insert (last, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER ((guint) parts.seq));
    }
  return last;
}

static gboolean
is_later_segment (GHashTable *last, const char *name)
{
  CsTraceNameParts parts;
  gpointer seq;
  gint64 key;

  if (cs_trace_name_parse (name, &parts) != CS_TRACE_NAME_EVENTS)
    return FALSE;
  key = thread_key (&parts);
  return !g_hash_table_lookup_extended (last, &key, NULL, &seq) || parts.seq > GPOINTER_TO_UINT (seq);
}

/**
 * cs_trace_folder_list:
 * @path: a folder
 * @error: where to say why it can't be opened
 *
 * A folder to which a process writes meanwhile may be listed with a new segment but without the
 * one before it. So it is listed twice: up to those that were seen the first time, all of a
 * thread's segments are there the second time.
 *
 * Returns: (transfer full) (nullable) (element-type filename): names of what is in it, but for later segments
 */
GPtrArray *
cs_trace_folder_list (const char *path, GError **error)
{
  g_autoptr (GPtrArray) first = list (path, error);
  g_autoptr (GPtrArray) names = first != NULL ? list (path, error) : NULL;
  g_autoptr (GHashTable) last = NULL;

  if (names == NULL)
    return NULL;
  last = find_last_segments (first);
  for (guint i = names->len; i-- > 0;)
    if (is_later_segment (last, g_ptr_array_index (names, i)))
      g_ptr_array_remove_index (names, i);
  return g_steal_pointer (&names);
}
