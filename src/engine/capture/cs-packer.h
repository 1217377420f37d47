/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "trace.h"

G_BEGIN_DECLS

/* The least size of a packer's blocks: what the encoder keeps free, and some records. */
#define CS_PACKER_LEAST 1024u

/* A block that is finished, in the producer's byte order. */
typedef struct
{
  const guint8 *bytes; /* header, words, definitions */
  guint size;          /* bytes of these */
  guint words;         /* bytes of words */
  guint32 records;     /* 0: there is nothing to write */
  guint32 sites;
} CsPackerBlock;

/* Packs records into blocks of an event file, with the encoder that programs carry (trace_pack.h). One
 * thread at a time. */
typedef struct _CsPacker CsPacker;

CsPacker *cs_packer_new (guint block_size, gboolean swapped);
void cs_packer_free (CsPacker *self);
void cs_packer_begin (CsPacker *self, guint64 first_index);
gboolean cs_packer_add (CsPacker *self, const struct trace_event *event);
void cs_packer_take (CsPacker *self, CsPackerBlock *block);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsPacker, cs_packer_free)

G_END_DECLS
