/* SPDX-License-Identifier: MIT */
#pragma once

#include "project/cs-build-system.h"
#include "selection/cs-chooser.h"
#include "shared/cs-gtk-compat.h"

G_BEGIN_DECLS

/* Ids of answers; "cancel" is one of every question, unless one of them is a build system's name. */
#define CS_ANSWER_CANCEL "cancel"
#define CS_ANSWER_GO "go"
#define CS_ANSWER_WITHOUT "without"
#define CS_ANSWER_WRAP "wrap"
#define CS_ANSWER_SUMMARY "summary"

gboolean cs_record_has_foreign_folder (const char *project);
GtkWindow *cs_record_ask_trust (GtkWindow *parent, const char *project, CsAnswered answered, gpointer user_data);
GtkWindow *cs_record_ask_system (GtkWindow *parent, const CsBuildSystems *systems, CsAnswered answered, gpointer user_data);
GtkWindow *cs_record_ask_adopt (GtkWindow *parent, gboolean has_config, CsAnswered answered, gpointer user_data);
GtkWindow *cs_record_ask_save (GtkWindow *parent, CsChooser *chooser, CsAnswered answered, gpointer user_data);
GtkWindow *cs_record_ask_rate (GtkWindow *parent, const char *warning, CsAnswered answered, gpointer user_data);

G_END_DECLS
