/* SPDX-License-Identifier: MIT */
#pragma once

#include "cs-recordings-model.h"
#include "selection/cs-chooser.h"

G_BEGIN_DECLS

/* A project folder that is open. Properties: folder, name, adopted, recordings. */
#define CS_TYPE_PROJECT (cs_project_get_type ())
G_DECLARE_FINAL_TYPE (CsProject, cs_project, CS, PROJECT, GObject)

CsProject *cs_project_new (const char *folder);
const char *cs_project_get_folder (CsProject *self);
const char *cs_project_get_name (CsProject *self);
CsChooser *cs_project_get_chooser (CsProject *self);
CsRecordingsModel *cs_project_get_recordings (CsProject *self);
gboolean cs_project_is_adopted (CsProject *self);
void cs_project_look (CsProject *self);
void cs_project_take_adoption (CsProject *self);

G_END_DECLS
