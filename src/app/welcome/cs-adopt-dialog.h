/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "session/cs-session.h"

G_BEGIN_DECLS

/* Shows what setting a project up for tracing writes, and does it. */
#define CS_TYPE_ADOPT_DIALOG (cs_adopt_dialog_get_type ())
G_DECLARE_FINAL_TYPE (CsAdoptDialog, cs_adopt_dialog, CS, ADOPT_DIALOG, AdwWindow)

CsAdoptDialog *cs_adopt_dialog_new (GtkWindow *parent, CsSession *session);
gboolean cs_adopt_dialog_is_busy (CsAdoptDialog *self);

G_END_DECLS
