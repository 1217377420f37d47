/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "record/cs-build-pane.h"
#include "record/cs-live-pane.h"
#include "record/cs-run-page.h"
#include "session/cs-view.h"

G_BEGIN_DECLS

#define CS_TYPE_RECORD_VIEW (cs_record_view_get_type ())
G_DECLARE_FINAL_TYPE (CsRecordView, cs_record_view, CS, RECORD_VIEW, AdwBin)

CsRunSettings *cs_record_view_get_settings (CsRecordView *self);
CsRunPage *cs_record_view_get_run_page (CsRecordView *self);
CsBuildPane *cs_record_view_get_build_pane (CsRecordView *self);
CsLivePane *cs_record_view_get_live_pane (CsRecordView *self);
const char *cs_record_view_get_page (CsRecordView *self);

G_END_DECLS
