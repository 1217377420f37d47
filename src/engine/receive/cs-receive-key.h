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

/* What a receiver and its devices both know. */
typedef struct _CsReceiveKey CsReceiveKey;

#define CS_RECEIVE_PROOF_SIZE 32

CsReceiveKey *cs_receive_key_new (const char *bytes, gsize size, GError **error);
CsReceiveKey *cs_receive_key_read (const char *path, gboolean *others_may_read, GError **error);
gboolean cs_receive_key_make (const char *path, GError **error);
CsReceiveKey *cs_receive_key_copy (const CsReceiveKey *self);
void cs_receive_key_free (CsReceiveKey *self);

void cs_receive_key_prove (const CsReceiveKey *self, const char *who, const guint8 *said, gsize n_said, guint8 *proof);
gboolean cs_receive_proof_is_same (const guint8 *a, const guint8 *b);
gboolean cs_receive_fill_random (guint8 *bytes, gsize size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsReceiveKey, cs_receive_key_free)

G_END_DECLS
