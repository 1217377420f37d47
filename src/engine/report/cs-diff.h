/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/cs-report-reader.h"

G_BEGIN_DECLS

typedef enum
{
  CS_DIFF_TEXT,
  CS_DIFF_JSON,
  CS_DIFF_FOLDED,
  CS_DIFF_CSV,
} CsDiffFormat;

typedef enum
{
  CS_DIFF_UNCHANGED,
  CS_DIFF_CHANGED,
  CS_DIFF_NEW,     /* the base doesn't have the function */
  CS_DIFF_GONE,    /* the new report doesn't */
  CS_DIFF_UNKNOWN, /* both have the function, one of them without this number */
} CsDiffStatus;

/* What the numbers are. */
typedef enum
{
  CS_DIFF_COUNT, /* whole numbers */
  CS_DIFF_MS,    /* whole ns, written as ms */
  CS_DIFF_REAL,  /* others */
} CsDiffUnit;

typedef union
{
  gint64 integer; /* CS_DIFF_COUNT and CS_DIFF_MS */
  double real;    /* CS_DIFF_REAL */
} CsDiffNumber;

/* One function in both reports. Strings belong to the reports. */
typedef struct
{
  const CsReportRow *base; /* (nullable) */
  const CsReportRow *new;  /* (nullable); one of both there is */
  CsDiffStatus status;
  gboolean has_base, has_new;       /* whether there is a number */
  CsDiffNumber base_value, new_value; /* 0 where there is none */
  CsDiffNumber delta;               /* new - base */
  double percent;                   /* of the base: infinite if that is 0; NAN where both aren't known */
} CsDiffRow;

typedef struct
{
  const char *key;    /* NULL: self_ms */
  double threshold;   /* smaller changes don't matter; in the key's unit */
  double fail_over;   /* percent; negative: no limit */
} CsDiffOptions;

/* Two reports side by side. */
typedef struct
{
  const CsReportFile *base, *new;
  char *key;
  CsDiffUnit unit;
  double threshold, fail_over;
  GArray *rows;       /* of CsDiffRow, the greatest rise first */
  gboolean additive;  /* the sums mean something */
  CsDiffNumber base_total, new_total;
  guint n_unchanged;
  guint n_below;      /* changes below the threshold */
  guint n_new, n_gone; /* of the others */
  const CsDiffRow *worst; /* (nullable): that rose by most percent, of those not below the threshold that
                             both reports have */
  gboolean failed;    /* by more than fail_over */
  char **notices;     /* what to beware of */
} CsDiff;

/* Which functions of two reports are the same. A function has one number in both; those that nothing tells apart
 * share one. */
typedef struct
{
  guint n;
  guint *base, *new; /* of each row of the reports, less than n */
} CsDiffPairs;

gboolean cs_diff_format_parse (const char *name, CsDiffFormat *format, GError **error);
CsDiff *cs_diff_new (const CsReportFile *base, const CsReportFile *other, const CsDiffOptions *options, GError **error);
CsDiff *cs_diff_new_with_pairs (const CsReportFile *base, const CsReportFile *other, const CsDiffPairs *pairs,
                                const CsDiffOptions *options, GError **error);
void cs_diff_free (CsDiff *self);
CsDiffPairs *cs_diff_pairs_new (const CsReportFile *base, const CsReportFile *other);
void cs_diff_pairs_free (CsDiffPairs *self);
const char *cs_diff_status_get_name (CsDiffStatus status);
gboolean cs_diff_row_is_shown (const CsDiff *self, const CsDiffRow *row);
char *cs_diff_format_exact (const CsDiff *diff, CsDiffNumber number);
char *cs_diff_format_short (const CsDiff *diff, CsDiffNumber number, gboolean sign);
gboolean cs_diff_write (const CsDiff *self, CsDiffFormat format, gboolean coloured, GOutputStream *stream,
                        GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsDiff, cs_diff_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsDiffPairs, cs_diff_pairs_free)

G_END_DECLS
