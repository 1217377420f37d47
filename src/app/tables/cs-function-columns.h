/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"
#include "selection/cs-selection-file.h"

G_BEGIN_DECLS

/* What is told of a function, a column each. */
typedef enum
{
  CS_COLUMN_FUNCTION,
  CS_COLUMN_CALLS,
  CS_COLUMN_SELF,
  CS_COLUMN_SELF_SHARE,
  CS_COLUMN_INCLUSIVE,
  CS_COLUMN_TOTAL,
  CS_COLUMN_MEAN,
  CS_COLUMN_MIN,
  CS_COLUMN_P50,
  CS_COLUMN_P90,
  CS_COLUMN_P99,
  CS_COLUMN_P999,
  CS_COLUMN_MAX,
  CS_COLUMN_DEVIATION,
  CS_COLUMN_THREADS,
  CS_COLUMN_CALLERS,
  CS_COLUMN_CALLEES,
  CS_COLUMN_HOOK_SHARE,
  CS_COLUMN_CHOSEN,
  CS_COLUMN_REPAIRED,
  CS_COLUMN_OPEN,
  CS_COLUMN_CLIPPED,
  CS_COLUMN_MODULE,
  CS_COLUMN_LOCATION,
  CS_N_COLUMNS,
} CsColumnId;

typedef enum
{
  CS_COLUMN_TEXT,
  CS_COLUMN_COUNT,
  CS_COLUMN_TIME,      /* whole ns */
  CS_COLUMN_MEAN_TIME, /* ns with a fraction */
  CS_COLUMN_SHARE,     /* 0 to 1 */
  CS_COLUMN_CHOICE,    /* CsChoice */
} CsColumnKind;

typedef struct
{
  const char *id;          /* in settings and actions */
  const char *title;       /* not yet translated */
  const char *description; /* the same: a sentence */
  const char *field;       /* its name in CSV */
  CsColumnKind kind;
  gboolean shown;          /* at first */
  gboolean of_events;      /* a summary doesn't tell */
} CsColumn;

/* Hooks that take more than this of a function's time make the number doubtful. */
#define CS_HOOK_SHARE_LIMIT 0.3

/* A value as it is ordered: 0 is not known, which is less than all others. */
#define CS_VALUE_UNKNOWN G_GUINT64_CONSTANT (0)

const CsColumn *cs_column_get (CsColumnId id);
gboolean cs_column_find (const char *name, CsColumnId *id);

guint64 cs_value_new (guint64 number);
guint64 cs_value_new_double (double number);
guint64 cs_value_get (guint64 value);
double cs_value_get_double (guint64 value);

guint64 cs_column_make_value (CsColumnId id, CsProfile *profile, const CsFunction *function, guint64 child_calls,
                              CsChoice choice);
char *cs_column_dup_cell (CsColumnId id, guint64 value);
char *cs_column_dup_exact (CsColumnId id, guint64 value);
char *cs_column_dup_plain (CsColumnId id, guint64 value);

char *cs_location_dup_place (const CsLocation *location);
char *cs_location_dup_file (const CsLocation *location);
char *cs_location_dup_module (const CsLocation *location);

G_END_DECLS
