/* SPDX-License-Identifier: MIT */
#pragma once

#include "charts/cs-activity.h"
#include "charts/cs-overview.h"

G_BEGIN_DECLS

/* Pixels. */
#define CS_OVERVIEW_ROW 4 /* of a thread; there is one between rows */
#define CS_OVERVIEW_NOTICE 9

typedef struct
{
  guint64 ns;
  char *text;
} CsOverviewNotice;

struct _CsOverview
{
  CsRangeChart parent_instance;

  CsActivity *activity;
  char *message;   /* (nullable): what is said where there is nothing to show */
  GArray *notices; /* (element-type CsOverviewNotice): in order */

  guint64 visible_from, visible_to; /* ns: what a view below shows; the same: nothing is told of it */

  graphene_rect_t plot;
  double caption;      /* height of a label */
  double strip;        /* height of what all threads have together */
};

/* cs-overview.c */
double cs_overview_get_x (CsRangeChart *chart, guint64 value);
gboolean cs_overview_has_axis (CsOverview *self);
char *cs_overview_format_time (CsOverview *self, guint64 ns);
char *cs_overview_dup_message (CsOverview *self);

/* cs-overview-paint.c */
void cs_overview_paint (CsRangeChart *chart, GtkSnapshot *snapshot, const CsChartColors *colors);

G_END_DECLS
