/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "record/cs-log.h"

G_BEGIN_DECLS

/* Shows a log as it grows, and searches in it. Emits "drained" when it shows all there is. */
#define CS_TYPE_LOG_VIEW (cs_log_view_get_type ())
G_DECLARE_FINAL_TYPE (CsLogView, cs_log_view, CS, LOG_VIEW, GtkWidget)

void cs_log_view_set_log (CsLogView *self, CsLog *log);
void cs_log_view_set_label (CsLogView *self, const char *label);
void cs_log_view_start_search (CsLogView *self);
void cs_log_view_find_next (CsLogView *self, gboolean backwards);
void cs_log_view_show_line (CsLogView *self, guint64 line);
GtkTextBuffer *cs_log_view_get_buffer (CsLogView *self);
const char *cs_log_view_get_count (CsLogView *self);
void cs_log_view_set_search (CsLogView *self, const char *text);

G_END_DECLS
