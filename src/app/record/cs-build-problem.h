/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "project/cs-build-message.h"

G_BEGIN_DECLS

/* An error or a warning of a build. It never changes. */
#define CS_TYPE_BUILD_PROBLEM (cs_build_problem_get_type ())
G_DECLARE_FINAL_TYPE (CsBuildProblem, cs_build_problem, CS, BUILD_PROBLEM, GObject)

CsBuildProblem *cs_build_problem_new (const CsBuildMessage *message, guint64 log_line);
CsBuildSeverity cs_build_problem_get_severity (CsBuildProblem *self);
const char *cs_build_problem_get_file (CsBuildProblem *self);
guint cs_build_problem_get_line (CsBuildProblem *self);
const char *cs_build_problem_get_text (CsBuildProblem *self);
guint64 cs_build_problem_get_log_line (CsBuildProblem *self);
char *cs_build_problem_dup_place (CsBuildProblem *self, const char *folder);

G_END_DECLS
