/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"
#include "report/cs-report-writer.h"

G_BEGIN_DECLS

void cs_report_put_slow_call (CsReportWriter *writer, CsProfile *profile, const CsSlowCall *call);
void cs_report_put_slow_call_json (CsReportWriter *writer, CsProfile *profile, const CsSlowCall *call);

G_END_DECLS
