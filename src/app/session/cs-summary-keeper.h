/* SPDX-License-Identifier: MIT */
#pragma once

#include "cs-session.h"

G_BEGIN_DECLS

void cs_summary_keeper_follow (CsSession *session);

G_END_DECLS
