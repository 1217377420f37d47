/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "record/cs-run-settings.h"

G_BEGIN_DECLS

/* Where a person sets how a project is run and built. */
#define CS_TYPE_RUN_PAGE (cs_run_page_get_type ())
G_DECLARE_FINAL_TYPE (CsRunPage, cs_run_page, CS, RUN_PAGE, AdwBin)

void cs_run_page_set_settings (CsRunPage *self, CsRunSettings *settings);
GtkWidget *cs_run_page_get_row (CsRunPage *self, CsSetting setting);
const char *cs_run_page_get_problem (CsRunPage *self, CsSetting setting);

G_END_DECLS
