/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"
#include "selection/cs-selection-file.h"

G_BEGIN_DECLS

/* Which functions of a profile were chosen to be recorded. */
typedef struct _CsReportChosen CsReportChosen;

CsReportChosen *cs_report_chosen_new (CsProfile *profile, const CsSelectionFile *selection, const char *path);
void cs_report_chosen_free (CsReportChosen *self);
CsChoice cs_report_chosen_get (const CsReportChosen *self, const CsFunction *function);
char *cs_report_chosen_dup_notice (const CsReportChosen *self, guint most);
char *cs_report_chosen_find_file (CsProfile *profile);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsReportChosen, cs_report_chosen_free)

G_END_DECLS
