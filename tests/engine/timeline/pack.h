/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "trace.h"

/* Packs records into blocks, by the drawing in docs/formats.md alone. What it may choose, such as how
 * time is told or when frames are forgotten, it chooses at random. */
typedef struct _Packer Packer;

Packer *packer_new (gboolean swapped, guint32 seed);
void packer_free (Packer *self);
void packer_add_block (Packer *self, GByteArray *file, const struct trace_event *records, gsize n, guint64 index,
                       gboolean anew);
void packer_add_tail (Packer *self, GByteArray *file, const struct trace_event *records, gsize n, guint64 index,
                      gsize *capacity, gsize *used);
