/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A new file that is written from its beginning to its end. */
typedef struct _CsOutputFile CsOutputFile;

CsOutputFile *cs_output_file_new (int folder, const char *name, GError **error);
gboolean cs_output_file_write (CsOutputFile *self, gconstpointer bytes, gsize size, GError **error);
gboolean cs_output_file_write_zeros (CsOutputFile *self, gsize size, GError **error);
gboolean cs_output_file_copy (CsOutputFile *self, int from, guint64 size, GCancellable *cancellable, GError **error);
guint64 cs_output_file_get_size (const CsOutputFile *self);
gboolean cs_output_file_close (CsOutputFile *self, GError **error);
void cs_output_file_free (CsOutputFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsOutputFile, cs_output_file_free)

G_END_DECLS
