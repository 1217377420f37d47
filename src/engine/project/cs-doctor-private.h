/* SPDX-License-Identifier: MIT */
#pragma once

#include "project/cs-doctor.h"

G_BEGIN_DECLS

/* Looking at things: options with all defaults filled in, and what was found so far. */
typedef struct
{
  char *folder;       /* absolute */
  char *config;       /* absolute */
  char *trace_folder; /* absolute */
  char **compiler;    /* words */
  gboolean config_named;
  GPtrArray *findings; /* (element-type CsFinding) */
  GCancellable *cancellable;
} CsDoctor;

void cs_doctor_ok (CsDoctor *self, const char *check, const char *format, ...) G_GNUC_PRINTF (3, 4);
void cs_doctor_warn (CsDoctor *self, const char *check, const char *advice, const char *format, ...) G_GNUC_PRINTF (4, 5);
void cs_doctor_problem (CsDoctor *self, const char *check, const char *advice, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

void cs_doctor_look_at_compiler (CsDoctor *self);
void cs_doctor_look_at_project (CsDoctor *self);
void cs_doctor_look_at_machine (CsDoctor *self);

G_END_DECLS
