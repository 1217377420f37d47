/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "trace.h"

G_BEGIN_DECLS

/* What there was in sequences of records. */
typedef enum
{
  IN_ENTERS,
  IN_EXITS,
  IN_MARKERS,
  IN_COUNTERS,
  IN_OTHER_KINDS,
  IN_PADDED,
  IN_NO_FUNCTION,
  IN_HIGH_ADDRESSES,
  IN_DT_0,
  IN_DT_MOST,       /* 0x7EFE: what a first word takes */
  IN_DT_OVER,       /* 0x7EFF */
  IN_DT_EXIT,       /* 0xFFFF: what an explicit exit takes */
  IN_DT_EXIT_OVER,  /* 0x10000 */
  IN_DT_LATER,      /* 2^32 - 1: what LATER takes */
  IN_DT_LATER_OVER, /* 2^32 */
  IN_DT_BACK,
  IN_OPEN_1024,     /* calls that were open at once */
  IN_OPEN_1048576,
  IN_UNMATCHED,     /* exits of functions that were not open */
  IN_OTHER_SITE,    /* exits whose call site is not that of their enter */
  IN_FAR,           /* exits of calls that were not the innermost */
  IN_THREADS,       /* changes of the thread */
  IN_N,
} In;

extern const char *const in_names[IN_N];

/* Makes sequences of records. */
typedef struct
{
  guint64 state;
  GArray *records; /* (element-type struct trace_event) */
  guint64 counts[IN_N];
} Sequences;

void sequences_init (Sequences *self, guint64 seed);
void sequences_clear (Sequences *self);
guint64 sequences_random (Sequences *self);
guint sequences_below (Sequences *self, guint n);
guint sequences_length (Sequences *self, guint most);
void sequences_make (Sequences *self, guint n);
void sequences_make_sites (Sequences *self, guint n);
void sequences_make_deep (Sequences *self, guint n);

G_END_DECLS
