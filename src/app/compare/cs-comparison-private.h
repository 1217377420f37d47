/* SPDX-License-Identifier: MIT */
#pragma once

#include "compare/cs-comparison.h"

G_BEGIN_DECLS

struct _CsComparison
{
  GObject parent_instance;

  CsJobs *jobs;          /* (nullable): closed */
  char *path, *title;    /* (nullable): of the base */
  char *project;         /* (nullable): its folder */
  CsCompareBase *base;   /* (nullable) */
  CsProfile *profile;    /* (nullable) */
  char *new_title;       /* (nullable) */
  char *key;
  double threshold;
  CsFlameShape shape;
  CsFlameOptions options;

  CsCompareSides *sides; /* (nullable) */
  CsDeltaRows *rows;     /* (nullable) */
  CsFlameDiff *flame;    /* (nullable) */
  CsCompareSides *flame_sides; /* (nullable): whose it is */
  char *error;           /* (nullable) */

  GCancellable *reading, *pairing, *comparing, *laying; /* (nullable): ends what is under way */
  CsJob *job;            /* (nullable): of the reading */
  guint timer;
  double progress;
};

void cs_comparison_set_error (CsComparison *self, const char *text);
void cs_comparison_bring_together (CsComparison *self);

/* cs-comparison-base.c */
void cs_comparison_read_base (CsComparison *self);
void cs_comparison_finish_job (CsComparison *self);

G_END_DECLS
