/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "selection/cs-chooser.h"

G_BEGIN_DECLS

#define CS_SOURCE_ROW_HEADING G_MAXUINT32

/* A function, or the heading above those of a file. Signal: changed, when what is chosen may be something else. */
#define CS_TYPE_SOURCE_ROW (cs_source_row_get_type ())
G_DECLARE_FINAL_TYPE (CsSourceRow, cs_source_row, CS, SOURCE_ROW, GObject)

guint cs_source_row_get_file (CsSourceRow *self);
guint cs_source_row_get_nth (CsSourceRow *self);
gboolean cs_source_row_is_heading (CsSourceRow *self);

/* The functions of a chooser's files, file by file, as far as a filter shows them: a GListModel of #CsSourceRow, which
 * are made when they are looked at. Signals: filtered, when a filter has been applied; restarted, when all rows are
 * others and the first ones are to be seen. */
#define CS_TYPE_SOURCE_ROWS (cs_source_rows_get_type ())
G_DECLARE_FINAL_TYPE (CsSourceRows, cs_source_rows, CS, SOURCE_ROWS, GObject)

CsSourceRows *cs_source_rows_new (CsChooser *chooser);
void cs_source_rows_set_scope (CsSourceRows *self, const char *path, gboolean is_folder);
void cs_source_rows_set_filter (CsSourceRows *self, const char *text);
gboolean cs_source_rows_get_filtering (CsSourceRows *self);
guint cs_source_rows_get_n_functions (CsSourceRows *self);
guint32 *cs_source_rows_dup_functions (CsSourceRows *self, gsize *n);
gboolean cs_source_rows_find (CsSourceRows *self, guint file, guint nth, guint *position);
void cs_source_rows_touch (CsSourceRows *self);

G_END_DECLS
