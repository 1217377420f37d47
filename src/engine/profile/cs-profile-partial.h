/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile-builder.h"

G_BEGIN_DECLS

CsPartial *cs_partial_new (CsRecording *recording, CsSymbolizer *symbolizer, const CsProfileData *data,
                           const CsProfileOptions *options, const guint64 *bytes_done);
void cs_partial_free (CsPartial *self);
void cs_partial_start (CsPartial *self, guint n_workers);
void cs_partial_stop (CsPartial *self);

gboolean cs_partial_is_wanted (CsPartial *self, guint worker);
void cs_partial_give (CsPartial *self, guint worker, CsTrackPass *copy);
void cs_partial_note_begun (CsPartial *self);
void cs_partial_note_finished (CsPartial *self, guint worker, const CsTrackPass *pass);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsPartial, cs_partial_free)

G_END_DECLS
