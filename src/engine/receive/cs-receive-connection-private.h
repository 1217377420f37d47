/* SPDX-License-Identifier: MIT */
#pragma once

#include "receive/cs-receive-connection.h"
#include "receive/cs-receive-job.h"

G_BEGIN_DECLS

/* Where the parts of what a device of version 3 says lie. */
#define CS_RECEIVE_RANDOM_AT CS_RECEIVE_HELLO_SIZE
#define CS_RECEIVE_TEXT_LEN_AT (CS_RECEIVE_RANDOM_AT + CS_RECEIVE_RANDOM_SIZE)
#define CS_RECEIVE_TEXT_AT (CS_RECEIVE_TEXT_LEN_AT + 4)

typedef enum
{
  AT_HELLO, /* the 64 bytes that both versions begin with */
  AT_NONCE, /* version 3: random bytes and the length of the text */
  AT_TEXT,
  AT_PROOF, /* that the device has the key */
  AT_OPENING,
  AT_HEAD,  /* of a chunk */
  AT_BODY,
  AT_LEAVING, /* nothing more is read */
} CsReceiveState;

struct _CsReceiveConnection
{
  const CsReceiveShared *shared;
  GSocketConnection *stream;
  GSocket *socket;
  GSource *source; /* NULL: nothing is read now */
  char *peer;
  CsReceiveState state;
  CsReceiveHello hello;
  guint8 said[CS_RECEIVE_TEXT_AT + CS_RECEIVE_TEXT_MOST + CS_RECEIVE_RANDOM_SIZE]; /* by the device, then the receiver's random bytes */
  gsize n_said;
  guint8 proof[CS_RECEIVE_PROOF_SIZE];
  guint8 head[CS_RECEIVE_HEAD_SIZE];

  guint8 *target; /* where to read to */
  gsize need, got;
  CsReceiveChunk chunk; /* that comes in */
  guint32 capacity;     /* of its bytes, so far */
  GQueue queue;         /* (element-type CsReceiveChunk): that came */
  guint64 queued;       /* bytes in it and in the job */
  gboolean waits;       /* for room */

  CsReceiveJob *job;       /* NULL: none runs */
  CsReceiveWriter *writer; /* NULL while a job runs */
  CsReceiveStats stats;
  char *folder;            /* NULL: there is no recording */

  char *why;         /* it is left; NULL: the device ended */
  gboolean violated; /* a rule */
  gboolean ending;   /* it is about to be freed */
  gint64 began, last; /* monotonic µs: the connection, its last byte */
  gint64 window;      /* since when a chunk's speed is measured */
  guint64 window_bytes;
  gint64 drain_until; /* 0: the receiver goes on */
};

void cs_receive_connection_tell (CsReceiveConnection *self, CsReceiverMessage kind, const char *format, ...) G_GNUC_PRINTF (3, 4);
void cs_receive_connection_leave (CsReceiveConnection *self, char *why);
void cs_receive_connection_drop_queue (CsReceiveConnection *self);
void cs_receive_connection_go_on (CsReceiveConnection *self);
gboolean cs_receive_connection_read (GSocket *socket, GIOCondition condition, gpointer data);

G_END_DECLS
