/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"

G_BEGIN_DECLS

#define CS_BUNDLE_ERROR (cs_bundle_error_quark ())

typedef enum
{
  CS_BUNDLE_ERROR_TARGET, /* the folder can't be made, or something is in it */
  CS_BUNDLE_ERROR_SOURCE, /* a file of the recording can't go into a bundle */
} CsBundleError;

GQuark cs_bundle_error_quark (void);

/* What a bundle holds. */
typedef struct
{
  guint n_traces, n_modules, n_debug_files, n_sources;
  guint64 n_bytes;
  GPtrArray *missing; /* (element-type utf8) modules and sources that aren't in it, and why */
} CsBundleContent;

void cs_bundle_content_free (CsBundleContent *self);

gboolean cs_bundle_check_target (const char *out, GError **error);
CsBundleContent *cs_bundle_write (CsProfile *profile, CsSymbolizer *symbolizer, const char *const *paths,
                                  const char *out, guint64 *bytes_done, GCancellable *cancellable, GError **error);
void cs_bundle_write_async (CsProfile *profile, CsSymbolizer *symbolizer, const char *const *paths, const char *out,
                            guint64 *bytes_done, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
CsBundleContent *cs_bundle_write_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsBundleContent, cs_bundle_content_free)

G_END_DECLS
