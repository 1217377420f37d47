/* SPDX-License-Identifier: MIT */
#pragma once

#include "calls/cs-call-log-model.h"
#include "calls/cs-place-table.h"
#include "calls/cs-thread-picker.h"
#include "session/cs-session.h"

G_BEGIN_DECLS

/* The log of one thread: its calls in order. Signal "changed": what is selected or shown is something else. */
#define CS_TYPE_CALL_LOG_PAGE (cs_call_log_page_get_type ())
G_DECLARE_FINAL_TYPE (CsCallLogPage, cs_call_log_page, CS, CALL_LOG_PAGE, AdwBin)

void cs_call_log_page_set_session (CsCallLogPage *self, CsSession *session);
CsCallLogModel *cs_call_log_page_get_model (CsCallLogPage *self);
CsPlaceTable *cs_call_log_page_get_table (CsCallLogPage *self);
CsThreadPicker *cs_call_log_page_get_picker (CsCallLogPage *self);
guint cs_call_log_page_get_track (CsCallLogPage *self);
void cs_call_log_page_set_track (CsCallLogPage *self, guint track);

gboolean cs_call_log_page_is_call (CsCallLogPage *self, guint position);
guint cs_call_log_page_get_function (CsCallLogPage *self, guint position);
void cs_call_log_page_show_in_timeline (CsCallLogPage *self, guint position);
void cs_call_log_page_fold (CsCallLogPage *self, gboolean expand);
void cs_call_log_page_expand_below (CsCallLogPage *self);
void cs_call_log_page_select_parent (CsCallLogPage *self);
void cs_call_log_page_find (CsCallLogPage *self, gboolean backwards);
char *cs_call_log_page_dup_stack (CsCallLogPage *self);

G_END_DECLS
