/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define CS_RECEIVE_ERROR (cs_receive_error_quark ())

typedef enum
{
  CS_RECEIVE_ERROR_KEY,         /* a key can't be read, made or used */
  CS_RECEIVE_ERROR_LISTEN,      /* nothing can be received at that address */
  CS_RECEIVE_ERROR_FOLDER,      /* where recordings go nothing can be written */
  CS_RECEIVE_ERROR_PROTOCOL,    /* a device said what the protocol doesn't allow */
  CS_RECEIVE_ERROR_UNSUPPORTED, /* this build can't receive */
} CsReceiveError;

GQuark cs_receive_error_quark (void);

gboolean cs_receive_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
