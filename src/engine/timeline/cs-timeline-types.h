/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Part of what fills a row of a track within a window: one call that is wide enough to be
 * drawn by itself, or a block of what is too narrow. Where a thread switches between contexts, a
 * row shows the one that runs: a call is several spans, each from one switch to the next. */
typedef struct
{
  gint64 start, end;  /* ns, CLOCK_MONOTONIC; may lie outside the window */
  guint64 address;    /* of the function, as recorded; 0: a block */
  guint64 caller;     /* the call's return address, as recorded */
  guint64 ts;         /* of the call's enter event, as recorded: with `address' and the process it
                         tells the function also where modules took turns */
  guint64 n_events;   /* a block's: enters and exits in it, at any depth; 0: a call */
  guint64 position;   /* in its track, of the record that a call or block begins with: tells calls
                         apart that begin at the same time */
  guint32 depth;      /* 0: outermost */
  gboolean open;      /* the call has no end: its track ended first */
} CsTimelineSpan;

G_END_DECLS
