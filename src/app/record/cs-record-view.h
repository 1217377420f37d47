/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "cs-view.h"

G_BEGIN_DECLS

#define CS_TYPE_RECORD_VIEW (cs_record_view_get_type ())
G_DECLARE_FINAL_TYPE (CsRecordView, cs_record_view, CS, RECORD_VIEW, AdwBin)

G_END_DECLS
