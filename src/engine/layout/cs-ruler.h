/* SPDX-License-Identifier: MIT */
#pragma once

#include "layout/cs-timeline-window.h"

G_BEGIN_DECLS

#define CS_RULER_LABEL_SIZE 64

typedef struct
{
  gint64 time; /* ns, on the window's clock */
  gboolean major;
  char label[CS_RULER_LABEL_SIZE]; /* a minor tick's is empty */
} CsRulerTick;

typedef struct
{
  guint64 step, minor_step; /* ns between major ticks, and between any */
  /* Not empty: the time that labels, as in "+600 ns", count from. It is to be shown once, at the left. */
  char base[CS_RULER_LABEL_SIZE];
  guint n_ticks;
  CsRulerTick *ticks;
} CsRuler;

CsRuler *cs_ruler_new (const CsTimelineWindow *window, gint64 origin, double min_pixels);
void cs_ruler_free (CsRuler *self);
char *cs_ruler_format_duration (guint64 ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsRuler, cs_ruler_free)

G_END_DECLS
