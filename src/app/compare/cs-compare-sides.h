/* SPDX-License-Identifier: MIT */
#pragma once

#include "layout/cs-flame-diff.h"
#include "report/cs-diff.h"

G_BEGIN_DECLS

/* What a recording is compared with. It never changes; g_atomic_rc_box_acquire() and cs_compare_base_release(). */
typedef struct
{
  char *path;
  char *title;          /* what to call it; UTF-8 */
  CsProfile *profile;   /* (nullable): of a recording; %NULL: it is a report's file */
  CsReportFile *report;
} CsCompareBase;

CsCompareBase *cs_compare_base_read (const char *path, const char *title, const char *project, guint64 *bytes_done,
                                     guint64 *bytes, GCancellable *cancellable, GError **error);
void cs_compare_base_release (CsCompareBase *self);

/* Two recordings side by side. A function has one number on both. It never changes; the same. */
typedef struct
{
  CsCompareBase *base;
  CsProfile *profile;    /* what is compared with it */
  CsReportFile *report;  /* of that */
  CsDiffPairs *pairs;
  guint *base_numbers;   /* (nullable): of each function of the base's profile */
  guint *new_numbers;
  guint *base_functions; /* for each number: the first function that has it; G_MAXUINT: none */
  guint *new_functions;
} CsCompareSides;

CsCompareSides *cs_compare_sides_new (CsCompareBase *base, CsProfile *profile, const char *title);
void cs_compare_sides_release (CsCompareSides *self);
const CsFunction *cs_compare_sides_get_base_function (const CsCompareSides *self, guint number);
const CsFunction *cs_compare_sides_get_new_function (const CsCompareSides *self, guint number);
gboolean cs_compare_sides_has_key (const CsCompareSides *self, const char *key);
const char *cs_compare_sides_get_flame_obstacle (const CsCompareSides *self);
CsFlameDiff *cs_compare_sides_lay_out (const CsCompareSides *self, const CsFlameOptions *options, CsFlameShape shape,
                                       GCancellable *cancellable);

/* A comparison with what tables need of each row. The same. */
typedef struct
{
  CsCompareSides *sides;
  CsDiff *diff;
  guint n;
  guint *numbers; /* of each row's function */
  guint *ranks;   /* where each row is by name */
} CsDeltaRows;

CsDeltaRows *cs_delta_rows_new (CsCompareSides *sides, const char *key, double threshold, GError **error);
void cs_delta_rows_release (CsDeltaRows *self);
const CsDiffRow *cs_delta_rows_get (const CsDeltaRows *self, guint row);
const CsReportRow *cs_delta_rows_get_function (const CsDeltaRows *self, guint row);
guint cs_delta_rows_find (const CsDeltaRows *self, guint number);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsCompareBase, cs_compare_base_release)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsCompareSides, cs_compare_sides_release)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsDeltaRows, cs_delta_rows_release)

G_END_DECLS
