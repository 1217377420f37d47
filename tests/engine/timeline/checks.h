/* SPDX-License-Identifier: MIT */
#pragma once

#include "model.h"
#include "timeline/cs-timeline.h"

/* What a random recording has, and how often, of 1,000 records. */
typedef struct
{
  const char *name;
  guint n_records, n_threads;
  gboolean stream, swapped, ticks;
  gint run; /* records in a row of one thread, at most */
  gint deep; /* how much more often calls begin than end, % */
  gint step; /* ns between records, at most */
  gint wrong, contexts, off, depth, clamped, counters, gap, start, file;
  guint block; /* records of a block of packed files; 0: they aren't packed */
  guint tail;  /* so many records aren't flushed */
} Recipe;

extern const Recipe recipes[]; /* the last has no name */

Model *make_random (const Recipe *recipe, GRand *rand);
void assert_same (const ModelThread *thread, const CsTimelineSpan *span);
void check_all (CsTimeline *timeline, const Model *model, GRand *rand, guint n_windows);
