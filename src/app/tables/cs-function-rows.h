/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "tables/cs-function-columns.h"

G_BEGIN_DECLS

/* A column that rows are ordered by. */
typedef struct
{
  CsColumnId column;
  gboolean descending;
} CsSortKey;

/* More keys than this say nothing to anyone. */
#define CS_MOST_SORT_KEYS 4

/* All that a table shows of a profile's functions, made once. Never changes; may be asked by several threads. */
typedef struct _CsFunctionRows CsFunctionRows;

CsFunctionRows *cs_function_rows_new (CsProfile *profile, GBytes *choices, GCancellable *cancellable);
CsFunctionRows *cs_function_rows_ref (CsFunctionRows *self);
void cs_function_rows_unref (CsFunctionRows *self);

CsProfile *cs_function_rows_get_profile (CsFunctionRows *self);
guint cs_function_rows_get_n (CsFunctionRows *self);
const CsFunction *cs_function_rows_get_function (CsFunctionRows *self, guint function);
guint64 cs_function_rows_get_value (CsFunctionRows *self, guint function, CsColumnId column);
char *cs_function_rows_dup_text (CsFunctionRows *self, guint function, CsColumnId column);

GRegex *cs_function_rows_make_regex (const char *pattern, GError **error);
GArray *cs_function_rows_arrange (CsFunctionRows *self, const CsSortKey *keys, guint n_keys, const char *search,
                                  GRegex *regex, GCancellable *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsFunctionRows, cs_function_rows_unref)

G_END_DECLS
