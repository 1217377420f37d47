/* SPDX-License-Identifier: MIT */
#pragma once

#include "layout/cs-flame-layout.h"

G_BEGIN_DECLS

/* One of the two call trees that are compared. */
typedef struct
{
  const CsCallNode *nodes;
  guint n_nodes;           /* 0: an empty one's too */
  const CsFunction *functions;
  guint n_functions;
  const guint *numbers;    /* of each function: the same functions have the same one on both sides */
} CsFlameSide;

/* A frame in both trees: that with the same functions from the outermost call to it. Times in ns. */
typedef struct
{
  guint64 base, new;           /* inclusive: what is as wide */
  guint64 base_self, new_self;
  guint64 base_calls, new_calls;
  guint64 hidden; /* of the side that doesn't give the shape: inclusive time of frames right below this
                     one that the shape doesn't have */
  gboolean in_base, in_new;    /* whether there is such a frame */
  gboolean folded;             /* the other side has it, if at all, in a frame with its narrow callers */
} CsFlameDelta;

typedef enum
{
  CS_FLAME_SHAPE_NEW,
  CS_FLAME_SHAPE_BASE, /* so that what is gone is seen */
} CsFlameShape;

typedef struct _CsFlameDiff CsFlameDiff;

CsFlameDiff *cs_flame_diff_new (const CsFlameOptions *options, const CsFlameSide *base, const CsFlameSide *other,
                                guint n_numbers, CsFlameShape shape, GCancellable *cancellable);
CsFlameDiff *cs_flame_diff_ref (CsFlameDiff *self);
void cs_flame_diff_unref (CsFlameDiff *self);

CsFlameLayout *cs_flame_diff_get_layout (CsFlameDiff *self);
CsFlameShape cs_flame_diff_get_shape (CsFlameDiff *self);
void cs_flame_diff_get_totals (CsFlameDiff *self, guint64 *base, guint64 *other);
void cs_flame_diff_get_delta (CsFlameDiff *self, guint32 node, CsFlameDelta *delta);
double cs_flame_diff_get_change (CsFlameDiff *self, guint32 node, gboolean normalised);

double cs_flame_delta_get_share_change (const CsFlameDelta *delta, guint64 base_total, guint64 new_total);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsFlameDiff, cs_flame_diff_unref)

G_END_DECLS
