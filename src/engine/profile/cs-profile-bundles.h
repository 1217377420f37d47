/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-recording.h"
#include "symbols/cs-symbolizer.h"

G_BEGIN_DECLS

void cs_profile_use_bundles (CsRecording *recording, CsSymbolizer *symbolizer);

G_END_DECLS
