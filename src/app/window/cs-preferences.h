/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define CS_TYPE_PREFERENCES (cs_preferences_get_type ())
G_DECLARE_FINAL_TYPE (CsPreferences, cs_preferences, CS, PREFERENCES, AdwPreferencesWindow)

CsPreferences *cs_preferences_new (GtkWindow *parent);
void cs_preferences_follow_color_scheme (void);

G_END_DECLS
