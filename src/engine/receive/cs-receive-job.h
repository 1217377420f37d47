/* SPDX-License-Identifier: MIT */
#pragma once

#include "receive/cs-receive-writer.h"

G_BEGIN_DECLS

/* Work on a connection that takes time: one at a time, in whatever thread. */
typedef struct
{
  CsReceiveStore *store;
  const CsReceiveHello *hello;
  CsReceiveWriter *writer; /* NULL: to be opened first */
  GQueue chunks;           /* (element-type CsReceiveChunk): to be written, in order */
  gboolean closing;        /* and then the writer is closed */
  gboolean forget;         /* and the stream may not go on in its folder */

  GSourceFunc done;        /* called in the main thread */
  gpointer data;
  GMainContext *context;

  GError *error;           /* why not all was done */
  CsReceiveStats stats;
  char *folder;
  gboolean continued;
  guint64 stored;          /* bytes of the chunks, which are freed */
} CsReceiveJob;

void cs_receive_call_soon (GMainContext *context, GSourceFunc function, gpointer data);
void cs_receive_job_run (gpointer job, gpointer unused);
void cs_receive_job_free (CsReceiveJob *self);
void cs_receive_chunk_free (CsReceiveChunk *chunk);

G_END_DECLS
