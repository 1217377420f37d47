/* SPDX-License-Identifier: MIT */
#pragma once

#include "project/cs-run.h"

G_BEGIN_DECLS

/* What is known before a program is started. */
typedef struct
{
  char *binary;       /* the file that the command names */
  char **environment;
  char *sentence;     /* (nullable): to be told */
} CsRunPlan;

CsRunOptions *cs_run_options_copy (const CsRunOptions *options);
void cs_run_options_free (CsRunOptions *self);

CsRunPlan *cs_run_plan_new (const CsRunOptions *options, GError **error);
GSubprocess *cs_run_plan_spawn (const CsRunPlan *self, const CsRunOptions *options, pid_t *pid, GError **error);
void cs_run_plan_free (CsRunPlan *self);

/* One pipe out of the program. */
typedef struct _CsRunReader CsRunReader;

CsRunReader *cs_run_reader_new (GInputStream *pipe, gboolean is_error, const CsRunOptions *options,
                                GSourceFunc on_end, gpointer data, GMainContext *context);
void cs_run_reader_finish (CsRunReader *self);
void cs_run_reader_free (CsRunReader *self);

/* The pipe into it. */
typedef struct _CsRunWriter CsRunWriter;

CsRunWriter *cs_run_writer_new (GMainContext *context);
void cs_run_writer_set_pipe (CsRunWriter *self, GOutputStream *pipe);
gboolean cs_run_writer_push (CsRunWriter *self, const char *bytes, gsize size, GError **error);
void cs_run_writer_end (CsRunWriter *self);
void cs_run_writer_free (CsRunWriter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsRunPlan, cs_run_plan_free)

G_END_DECLS
