/* SPDX-License-Identifier: MIT */
#pragma once

#include "project/cs-build.h"
#include "project/cs-run.h"

G_BEGIN_DECLS

/* What a person sets for a project's builds and runs; each is a text. */
typedef enum
{
  CS_SETTING_COMMAND,        /* program and arguments, as for a shell */
  CS_SETTING_WORKING_FOLDER, /* empty: the project's */
  CS_SETTING_ENVIRONMENT,    /* lines NAME=VALUE */
  CS_SETTING_INPUT,          /* "none" or "typed" */
  CS_SETTING_MODE,           /* "events" or "summary" */
  CS_SETTING_FORMAT,         /* "packed" or "records" */
  CS_SETTING_MAX_MB,         /* empty: what the runtime takes; 0: no limit */
  CS_SETTING_FULL,           /* "stop" or "wrap" */
  CS_SETTING_MAX_EVENTS,     /* empty: no limit */
  CS_SETTING_THREADS,        /* globs with commas between them; empty: all */
  CS_SETTING_CLOCK,          /* "auto", "mono", "raw" or "tsc" */
  CS_SETTING_TIMEOUT,        /* seconds; empty or 0: none */

  CS_SETTING_SYSTEM,         /* "auto", "make", … */
  CS_SETTING_COMPILER,       /* empty: the project's */
  CS_SETTING_CXX_COMPILER,
  CS_SETTING_ARGUMENTS,      /* for the build tool, as for a shell */
  CS_SETTING_BUILD_FOLDER,   /* empty: build-instr in the project */
  CS_SETTING_JOBS,           /* empty: one a processor */
  CS_SETTING_CLEAN,          /* these: "yes" or "no" */
  CS_SETTING_AFTER_INLINING,
  CS_SETTING_WIDEN,
  CS_SETTING_NO_INLINE,

  CS_SETTING_PROGRAMS,       /* what the last build made, a path a line */
  CS_SETTING_TRUSTED,        /* "yes": the person knows of the callsight/ that came with the project */
  CS_N_SETTINGS,
} CsSetting;

/* They are kept in the person's state folder, never in the project. Emits "changed" with the setting. */
#define CS_TYPE_RUN_SETTINGS (cs_run_settings_get_type ())
G_DECLARE_FINAL_TYPE (CsRunSettings, cs_run_settings, CS, RUN_SETTINGS, GObject)

CsRunSettings *cs_run_settings_new (const char *project, GSettings *preferences);
CsRunSettings *cs_run_settings_share (const char *project, GSettings *preferences);
const char *cs_run_settings_get_project (CsRunSettings *self);
const char *cs_run_settings_get (CsRunSettings *self, CsSetting setting);
gboolean cs_run_settings_get_flag (CsRunSettings *self, CsSetting setting);
void cs_run_settings_set (CsRunSettings *self, CsSetting setting, const char *text);
void cs_run_settings_set_flag (CsRunSettings *self, CsSetting setting, gboolean on);
const char *const *cs_setting_get_words (CsSetting setting);
char *cs_run_settings_check (CsRunSettings *self, CsSetting setting);
char *cs_run_settings_check_run (CsRunSettings *self);
char *cs_run_settings_check_build (CsRunSettings *self);
gboolean cs_run_settings_save (CsRunSettings *self, GError **error);

void cs_run_settings_use_program (CsRunSettings *self, const char *program);
void cs_run_settings_set_programs (CsRunSettings *self, const char *const *programs);

CsRunOptions *cs_run_settings_make_run (CsRunSettings *self);
void cs_run_settings_free_run (CsRunOptions *options);
CsBuildOptions *cs_run_settings_make_build (CsRunSettings *self);
void cs_run_settings_free_build (CsBuildOptions *options);

G_END_DECLS
