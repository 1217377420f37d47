/* SPDX-License-Identifier: MIT */
#pragma once

#include "receive/cs-receive-room.h"
#include "receive/cs-receiver.h"

G_BEGIN_DECLS

typedef struct _CsReceiveConnection CsReceiveConnection;

/* What the connections of a receiver share. */
typedef struct
{
  const CsReceiverOptions *options;
  const CsReceiveKey *key; /* (nullable) */
  CsReceiveStore *store;
  CsReceiveRoom *room;
  GThreadPool *workers;
  GMainContext *context;
  void (*tell) (gpointer receiver, CsReceiverMessage kind, const char *text);
  gboolean (*must_wait) (gpointer receiver, CsReceiveConnection *connection); /* before it is written */
  void (*ended) (gpointer receiver, CsReceiveConnection *connection); /* which is freed then */
  gpointer receiver;
} CsReceiveShared;

void cs_receive_connection_new (const CsReceiveShared *shared, GSocketConnection *stream, GPtrArray *connections);
void cs_receive_connection_free (CsReceiveConnection *self);
void cs_receive_connection_check_time (CsReceiveConnection *self, gint64 now);
void cs_receive_connection_drain (CsReceiveConnection *self);
void cs_receive_connection_cut (CsReceiveConnection *self);
void cs_receive_connection_tell_progress (CsReceiveConnection *self);
gboolean cs_receive_connection_makes_way (CsReceiveConnection *self, const CsReceiveConnection *other);
void cs_receive_connection_try_open (CsReceiveConnection *self);
void cs_receive_connection_wake (gpointer connection);

G_END_DECLS
