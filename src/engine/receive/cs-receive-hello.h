/* SPDX-License-Identifier: MIT */
#pragma once

#include "receive/cs-receive-key.h"

G_BEGIN_DECLS

/* Bytes of the handshake: docs/formats.md, "Wire protocol". */
#define CS_RECEIVE_HELLO_SIZE 64
#define CS_RECEIVE_RANDOM_SIZE 32
#define CS_RECEIVE_TEXT_MOST 4096

/* What a device says of itself and of its process before it sends events. */
typedef struct
{
  guint32 version; /* of the protocol, 2 or 3 */
  gboolean swapped; /* the device's byte order is not this machine's */
  guint32 flags;   /* TRACE_FLAG_*; that of the byte order is right whatever was said */
  guint64 load_bias, tick_hz, t0_ticks, t0_ns, hook_ns;
  guint32 pid;     /* 0: not told */
  char *device;    /* its name as part of a file's; never empty */
  char *ring;      /* the same of the ring; may be empty */
} CsReceiveHello;

/* Of what the receiver says to version 3. */
#define CS_RECEIVE_ANSWER_MOST (1 + CS_RECEIVE_RANDOM_SIZE + CS_RECEIVE_PROOF_SIZE)

gsize cs_receive_answer_make (const CsReceiveKey *key, guint8 *said, gsize *n_said, guint8 *answer);
gboolean cs_receive_hello_may_begin (const guint8 *bytes, gsize n, GError **error);
gboolean cs_receive_hello_parse (CsReceiveHello *self, const guint8 *bytes, GError **error);
void cs_receive_hello_take_text (CsReceiveHello *self, const char *text, gsize n);
void cs_receive_hello_name (CsReceiveHello *self, const char *name);
char *cs_receive_hello_dup_identity (const CsReceiveHello *self);
void cs_receive_hello_copy (CsReceiveHello *self, const CsReceiveHello *from);
void cs_receive_hello_clear (CsReceiveHello *self);

G_END_DECLS
