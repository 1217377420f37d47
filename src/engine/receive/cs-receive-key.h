/* SPDX-License-Identifier: MIT */
#pragma once

#include "receive/cs-receive-error.h"

G_BEGIN_DECLS

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
