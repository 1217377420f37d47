/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "selection/cs-chooser.h"

G_BEGIN_DECLS

#define CS_FUNCTION_ROW_HEADING G_MAXUINT32

/* A function, or the heading above those of a file. Signal: changed, when what is chosen may be something else. */
#define CS_TYPE_FUNCTION_ROW (cs_function_row_get_type ())
G_DECLARE_FINAL_TYPE (CsFunctionRow, cs_function_row, CS, FUNCTION_ROW, GObject)

guint cs_function_row_get_file (CsFunctionRow *self);
guint cs_function_row_get_nth (CsFunctionRow *self);
gboolean cs_function_row_is_heading (CsFunctionRow *self);

/* The functions of a chooser's files, file by file, as far as a filter shows them: a GListModel of #CsFunctionRow, which
 * are made when they are looked at. Signals: filtered, when a filter has been applied; restarted, when all rows are
 * others and the first ones are to be seen. */
#define CS_TYPE_FUNCTION_ROWS (cs_function_rows_get_type ())
G_DECLARE_FINAL_TYPE (CsFunctionRows, cs_function_rows, CS, FUNCTION_ROWS, GObject)

CsFunctionRows *cs_function_rows_new (CsChooser *chooser);
void cs_function_rows_set_scope (CsFunctionRows *self, const char *path, gboolean is_folder);
void cs_function_rows_set_filter (CsFunctionRows *self, const char *text);
gboolean cs_function_rows_get_filtering (CsFunctionRows *self);
guint cs_function_rows_get_n_functions (CsFunctionRows *self);
guint32 *cs_function_rows_dup_functions (CsFunctionRows *self, gsize *n);
gboolean cs_function_rows_find (CsFunctionRows *self, guint file, guint nth, guint *position);
void cs_function_rows_touch (CsFunctionRows *self);

G_END_DECLS
