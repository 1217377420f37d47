/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "session/cs-jobs.h"

G_BEGIN_DECLS

/* The header bar's button that shows what goes on; invisible while there is nothing. */
#define CS_TYPE_JOBS_BUTTON (cs_jobs_button_get_type ())
G_DECLARE_FINAL_TYPE (CsJobsButton, cs_jobs_button, CS, JOBS_BUTTON, AdwBin)

void cs_jobs_button_set_jobs (CsJobsButton *self, CsJobs *jobs);

G_END_DECLS
