/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  CS_CUT_STOPPED, /* the recording ended before the program did: budget, disk, a limit */
  CS_CUT_WRAPPED, /* what came before was discarded to keep the end */
  CS_CUT_LOST,    /* events are missing */
  CS_CUT_OFF,     /* recording was switched off */
} CsCutKind;

/* A time in which calls of a thread weren't recorded, though it may have made some. */
typedef struct
{
  CsCutKind kind;
  guint process;   /* index in the recording */
  guint tid;
  guint serial;    /* of the thread, as in CsThreadRow; another thread may have the same tid */
  gint64 from, to; /* ns, CLOCK_MONOTONIC, of the events before and behind it; G_MININT64: there are none before;
                      G_MAXINT64: there are none behind */
  guint64 n;       /* enters and exits that are known to be missing; 0: not known */
  guint times;     /* how often it came; more than one where there are too many to tell each */
  guint reason;    /* of a stop: the marker's code */
} CsCut;

/* A thread that is switched on and off all the time is told of so many times. */
#define CS_MOST_CUTS 4096

guint cs_cuts_add (GArray *cuts, const CsCut *cut);
void cs_cuts_close (GArray *cuts, guint cut, gint64 ns, gboolean wrapped);
void cs_cuts_take (GArray *cuts, const GArray *others);
char *cs_cut_dup_text (const CsCut *self);

G_END_DECLS
