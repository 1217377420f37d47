/* SPDX-License-Identifier: MIT */
#pragma once

#include "cs-session.h"

G_BEGIN_DECLS

void cs_newest_recording_follow (CsSession *session);

G_END_DECLS
