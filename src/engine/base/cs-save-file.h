/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A file that takes its place when it is whole; until then, what is there stays as it is. */
typedef struct _CsSaveFile CsSaveFile;

CsSaveFile *cs_save_file_open (const char *path, GError **error);
GOutputStream *cs_save_file_get_stream (CsSaveFile *self);
gboolean cs_save_file_commit (CsSaveFile *self, GError **error);
void cs_save_file_free (CsSaveFile *self);

gboolean cs_save_file_write (const char *path, GBytes *bytes, GCancellable *cancellable, GError **error);
void cs_save_file_write_async (const char *path, GBytes *bytes, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data);
gboolean cs_save_file_write_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsSaveFile, cs_save_file_free)

G_END_DECLS
