/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-profile-bundles.h"

/**
 * cs_profile_use_bundles:
 * @recording: what was captured
 * @symbolizer: what will name its addresses
 *
 * Lets @symbolizer look into the folders of the recording that are bundles.
 */
void
cs_profile_use_bundles (CsRecording *recording, CsSymbolizer *symbolizer)
{
  GPtrArray *tracks = cs_recording_get_tracks (recording);
  GPtrArray *summaries = cs_recording_get_summaries (recording);
  g_autoptr (GHashTable) folders = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer folder;

  for (guint i = 0; i < tracks->len; i++)
    {
      const GPtrArray *files = ((const CsThreadTrack *) g_ptr_array_index (tracks, i))->files;

      for (guint j = 0; j < files->len; j++)
        g_hash_table_add (folders, ((CsEventFile *) g_ptr_array_index (files, j))->folder);
    }
  for (guint i = 0; i < summaries->len; i++)
    g_hash_table_add (folders, ((const CsThreadSummary *) g_ptr_array_index (summaries, i))->file->folder);
  g_hash_table_iter_init (&iter, folders);
  while (g_hash_table_iter_next (&iter, &folder, NULL))
    cs_symbolizer_add_bundle (symbolizer, folder);
}
