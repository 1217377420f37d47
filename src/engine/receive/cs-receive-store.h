/* SPDX-License-Identifier: MIT */
#pragma once

#include "receive/cs-receive-hello.h"

G_BEGIN_DECLS

/* Where recordings go, and how much room they may take: what all connections share. */
typedef struct
{
  guint64 segment_bytes;    /* of a file, at most */
  guint64 connection_bytes; /* of a folder, at most */
  guint64 total_bytes;      /* of all folders of this receiver, at most; 0: no matter */
  guint64 least_free;       /* bytes of the file system that stay free */
} CsReceiveLimits;

typedef struct _CsReceiveStore CsReceiveStore;

CsReceiveStore *cs_receive_store_new (const char *folder, const CsReceiveLimits *limits);
CsReceiveStore *cs_receive_store_ref (CsReceiveStore *self);
void cs_receive_store_unref (CsReceiveStore *self);
const CsReceiveLimits *cs_receive_store_get_limits (const CsReceiveStore *self);
gboolean cs_receive_store_prepare (CsReceiveStore *self, GError **error);
char *cs_receive_store_make_folder (CsReceiveStore *self, const char *device, int *fd, GError **error);
guint64 cs_receive_store_take (CsReceiveStore *self, guint64 bytes, guint64 unit);
void cs_receive_store_note (CsReceiveStore *self, gint64 bytes);
gboolean cs_receive_store_is_low (CsReceiveStore *self, int fd, guint64 bytes, guint64 *free_bytes);
gpointer cs_receive_store_recall (CsReceiveStore *self, const char *identity);
void cs_receive_store_remember (CsReceiveStore *self, const char *identity, gpointer writer, GDestroyNotify destroy);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsReceiveStore, cs_receive_store_unref)

G_END_DECLS
