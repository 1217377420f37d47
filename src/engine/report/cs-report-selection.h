/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/cs-report-chosen.h"

G_BEGIN_DECLS

gboolean cs_report_selection_find (CsProfile *profile, const char *path, CsReportChosen **chosen, GPtrArray **notices,
                                   GError **error);

G_END_DECLS
