/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What is shown of which file. It doesn't change any more once it is shown. */
typedef struct
{
  guint n_files;
  guint32 *starts;  /* for each file the row of its heading, and the sum; one without rows starts where the next one does */
  guint32 *counts;  /* functions that the filter lets through */
  guint32 *firsts;  /* (nullable): where they begin in matches; NULL: there is no filter, all are shown */
  GArray *matches;  /* (nullable): guint32, which functions of their file; only grows */
} CsShownRows;

CsShownRows *cs_shown_rows_new (guint n_files, gboolean filtered, GArray *matches);
void cs_shown_rows_free (CsShownRows *self);
CsShownRows *cs_shown_rows_copy (const CsShownRows *self);
guint cs_shown_rows_get_n (const CsShownRows *self);
void cs_shown_rows_locate (const CsShownRows *self, guint position, guint32 *file, guint32 *nth);
guint cs_shown_rows_find (const CsShownRows *self, guint32 file, guint32 nth);

G_END_DECLS
