/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "selection/cs-chooser.h"

G_BEGIN_DECLS

/* A plain editor of a chooser's text, which stays in step with it. */
#define CS_TYPE_CONFIG_EDITOR (cs_config_editor_get_type ())
G_DECLARE_FINAL_TYPE (CsConfigEditor, cs_config_editor, CS, CONFIG_EDITOR, AdwBin)

void cs_config_editor_set_chooser (CsConfigEditor *self, CsChooser *chooser);
GtkTextView *cs_config_editor_get_text_view (CsConfigEditor *self);

G_END_DECLS
