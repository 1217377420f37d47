/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Part of what fills a row of a track within a window: one call that is wide enough to be
 * drawn by itself, or a block of what is too narrow. */
typedef struct
{
  gint64 start, end;  /* ns, CLOCK_MONOTONIC; may lie outside the window */
  guint64 address;    /* of the function, as recorded; 0: a block */
  guint64 ts;         /* of the call's enter event, as recorded: with `address' and the process it
                         tells the function also where modules took turns */
  guint64 n_events;   /* a block's: enters and exits in it, at any depth; 0: a call */
  guint32 depth;      /* 0: outermost */
  gboolean open;      /* the call has no end: its track ended first */
} CsTimelineSpan;

G_END_DECLS
