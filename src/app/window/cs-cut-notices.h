/* SPDX-License-Identifier: MIT */
#pragma once

#include "charts/cs-overview.h"
#include "profile/cs-profile.h"

G_BEGIN_DECLS

void cs_cut_notices_show (CsProfile *profile, CsOverview *overview);

G_END_DECLS
