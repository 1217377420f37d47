/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-live-files.h"

/* A file as it was the last time. */
typedef struct
{
  guint number;
  gpointer owner;
  gboolean tail;
  guint64 n_events;
  const CsEventFile *file; /* of the last recording; NULL: not there any more */
} Known;

struct _CsLiveFiles
{
  GHashTable *by_key;  /* text → Known */
  GHashTable *numbers; /* CsEventFile → number */
  guint n;             /* numbers that were given */
  gboolean shorter;    /* some were, the last time */
};

/**
 * cs_live_files_new:
 *
 * Returns: (transfer full): no files yet
 */
CsLiveFiles *
cs_live_files_new (void)
{
  CsLiveFiles *self = g_new0 (CsLiveFiles, 1);

  self->by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->numbers = g_hash_table_new (NULL, NULL);
  return self;
}

/**
 * cs_live_files_free:
 * @self: (transfer full): files
 */
void
cs_live_files_free (CsLiveFiles *self)
{
  g_hash_table_unref (self->by_key);
  g_hash_table_unref (self->numbers);
  g_free (self);
}

static Known *
find (CsLiveFiles *self, const CsEventFile *file)
{
  g_autofree char *key = g_strdup_printf ("%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %d", file->path, file->device,
                                          file->inode, file->tail);
  Known *known = g_hash_table_lookup (self->by_key, key);

  if (known != NULL)
    return known;
  known = g_new0 (Known, 1);
  known->number = self->n++;
  known->tail = file->tail;
  g_hash_table_insert (self->by_key, g_steal_pointer (&key), known);
  return known;
}

/* Forgets files that aren't there any more. Returns: (transfer container): whose they were, and whose are shorter */
static GPtrArray *
find_lost (CsLiveFiles *self)
{
  GPtrArray *lost = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;

  self->shorter = FALSE;
  g_hash_table_iter_init (&iter, self->by_key);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Known *known = value;
      gboolean gone = known->file == NULL;
      gboolean shorter = !gone && !known->tail && known->file->n_events < known->n_events;

      /* What is read of tails isn't kept. */
      self->shorter |= shorter;
      if (!known->tail && (gone || shorter) && !g_ptr_array_find (lost, known->owner, NULL))
        g_ptr_array_add (lost, known->owner);
      if (gone)
        g_hash_table_iter_remove (&iter);
      else
        known->n_events = known->file->n_events;
    }
  return lost;
}

/**
 * cs_live_files_take:
 * @self: files
 * @recording: what there is of them now
 * @owners: what stands for each of the recording's processes, by index
 *
 * Files that are new get numbers.
 *
 * Returns: (transfer container): the owners some of whose files are gone, or shorter than they were: what was read of
 *   them can't be looked at any more
 */
GPtrArray *
cs_live_files_take (CsLiveFiles *self, CsRecording *recording, const GPtrArray *owners)
{
  GPtrArray *tracks = cs_recording_get_tracks (recording);
  GHashTableIter iter;
  gpointer value;

  g_hash_table_remove_all (self->numbers);
  g_hash_table_iter_init (&iter, self->by_key);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    ((Known *) value)->file = NULL;
  for (guint i = 0; i < tracks->len; i++)
    {
      const CsThreadTrack *track = g_ptr_array_index (tracks, i);

      for (guint j = 0; j < track->files->len; j++)
        {
          CsEventFile *file = g_ptr_array_index (track->files, j);
          Known *known = find (self, file);

          known->file = file;
          known->owner = owners->pdata[track->process->index];
          g_hash_table_insert (self->numbers, file, GUINT_TO_POINTER (known->number));
        }
    }
  return find_lost (self);
}

/**
 * cs_live_files_get_shorter:
 * @self: files
 *
 * Returns: whether some were shorter than the time before
 */
gboolean
cs_live_files_get_shorter (CsLiveFiles *self)
{
  return self->shorter;
}

/**
 * cs_live_files_get_numbers:
 * @self: files
 *
 * Returns: (transfer none) (element-type CsEventFile guint): the numbers of the files of the last recording
 */
GHashTable *
cs_live_files_get_numbers (CsLiveFiles *self)
{
  return self->numbers;
}

/**
 * cs_live_files_list:
 * @self: files
 *
 * Returns: (transfer container) (element-type CsEventFile) (nullable elements): the files of the last recording by
 *   their numbers; %NULL where they are gone
 */
GPtrArray *
cs_live_files_list (CsLiveFiles *self)
{
  GPtrArray *files = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer file, number;

  g_ptr_array_set_size (files, (gint) self->n);
  g_hash_table_iter_init (&iter, self->numbers);
  while (g_hash_table_iter_next (&iter, &file, &number))
    files->pdata[GPOINTER_TO_UINT (number)] = file;
  return files;
}
