/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define CS_PROVISION_ERROR (cs_provision_error_quark ())

typedef enum
{
  CS_PROVISION_ERROR_USAGE, /* no address, or no checksum */
  CS_PROVISION_ERROR_FETCH, /* it can't be had, or is not what the checksum says */
  CS_PROVISION_ERROR_FILE,  /* it is no program that serves */
  CS_PROVISION_ERROR_WRITE, /* it can't be put in its place */
} CsProvisionError;

GQuark cs_provision_error_quark (void);

char *cs_provision_dup_scanner (GError **error);
const char *cs_provision_get_install_command (const char *id, const char *id_like);
char *cs_provision (const char *url, const char *sha256, guint64 *n_bytes, GCancellable *cancellable, GError **error);
void cs_provision_async (const char *url, const char *sha256, guint64 *n_bytes, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data);
char *cs_provision_finish (GAsyncResult *result, GError **error);

G_END_DECLS
