/* SPDX-License-Identifier: MIT */
#pragma once

#include "receive/cs-receive-key.h"
#include "receive/cs-receive-store.h"

G_BEGIN_DECLS

#define CS_RECEIVE_CONNECTIONS_MOST 512
#define CS_RECEIVE_MEMORY_MOST (256u << 20) /* bytes of all chunks in memory */

/* What a line tells. */
typedef enum
{
  CS_RECEIVER_CONNECTED, /* a device began to send */
  CS_RECEIVER_ENDED,     /* its stream ended */
  CS_RECEIVER_REFUSED,   /* somebody was turned away, or cut off, and why */
  CS_RECEIVER_NOTICE,    /* something else that makes a recording less than it could be */
  CS_RECEIVER_PROGRESS,  /* how much came so far */
} CsReceiverMessage;

typedef struct
{
  const char *folder; /* where a folder is made for each stream */
  CsReceiveLimits limits;
  guint handshake_ms; /* for all of the handshake */
  guint slow_ms;      /* in such a time at least slow_bytes of a chunk come */
  guint slow_bytes;
  guint idle_ms;      /* so long a device may have nothing to say */
} CsReceiverOptions;

#define CS_TYPE_RECEIVER (cs_receiver_get_type ())
G_DECLARE_FINAL_TYPE (CsReceiver, cs_receiver, CS, RECEIVER, GObject)

void cs_receiver_options_init (CsReceiverOptions *options);
CsReceiver *cs_receiver_new (const CsReceiverOptions *options, const CsReceiveKey *key);
void cs_receiver_listen_async (CsReceiver *self, const char *host, guint16 port, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data);
gboolean cs_receiver_listen_finish (CsReceiver *self, GAsyncResult *result, GError **error);
const char *const *cs_receiver_get_addresses (CsReceiver *self);
gboolean cs_receiver_is_reachable (CsReceiver *self);
void cs_receiver_tell_progress (CsReceiver *self);
void cs_receiver_stop_async (CsReceiver *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean cs_receiver_stop_finish (CsReceiver *self, GAsyncResult *result, GError **error);

G_END_DECLS
