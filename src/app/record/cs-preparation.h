/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "record/cs-run-settings.h"
#include "session/cs-session.h"

G_BEGIN_DECLS

/* What is asked and looked up before a project is built or a program of it is recorded. Emits "ended" once, with
 * whether to go on; not any more once it was cancelled. */
#define CS_TYPE_PREPARATION (cs_preparation_get_type ())
G_DECLARE_FINAL_TYPE (CsPreparation, cs_preparation, CS, PREPARATION, GObject)

CsPreparation *cs_preparation_new (CsSession *session, CsRunSettings *settings);
void cs_preparation_begin_build (CsPreparation *self, GtkWindow *window);
void cs_preparation_begin_record (CsPreparation *self, GtkWindow *window);
void cs_preparation_cancel (CsPreparation *self);
gboolean cs_preparation_get_adopt (CsPreparation *self);

G_END_DECLS
