/* SPDX-License-Identifier: MIT */
#pragma once

#include "project/cs-build-system.h"
#include "project/cs-child.h"
#include "project/cs-hook-check.h"
#include "selection/cs-selection.h"

G_BEGIN_DECLS

#define CS_BUILD_ERROR (cs_build_error_quark ())

typedef enum
{
  CS_BUILD_ERROR_INPUT,  /* it can't begin: no build system, a tool is missing, a folder isn't ours */
  CS_BUILD_ERROR_FAILED, /* a build tool failed, or what it made can't record */
} CsBuildError;

GQuark cs_build_error_quark (void);

/* What is built, and how. */
typedef struct
{
  CsSelection *selection;
  const char *config_path;       /* the trace.config that it was made of */
  const char *build_folder;      /* (nullable): NULL: build-instr in the project */
  CsBuildSystem system;          /* CS_BUILD_SYSTEM_NONE: what the project has */
  const char *compiler;          /* (nullable): NULL: what the project takes without us */
  const char *cxx_compiler;      /* (nullable) */
  const char *const *arguments;  /* (nullable): for make, cmake, meson setup or configure */
  guint jobs;                    /* 0: one a processor */
  gboolean after_inlining;
  gboolean widen;
  gboolean no_inline;
  gboolean clean;                /* begin anew */
  const char *command;           /* (nullable): the callsight-cli that refreshes the selection */

  CsChildOutput output;          /* (nullable): what tools write; NULL: where this process writes */
  void (*tell) (const char *sentence, gpointer user_data); /* (nullable): what is being done */
  gpointer user_data;
} CsBuildOptions;

/* What a build made. Paths are absolute. */
typedef struct
{
  char *folder;
  guint units, units_hooked;     /* sources that were compiled; those with options for hooks */
  GPtrArray *programs;           /* (element-type filename): with hooks and the runtime */
  GPtrArray *without_runtime;    /* (element-type filename): programs with hooks, but without the runtime */
  guint programs_plain;          /* without hooks */
  guint libraries;               /* shared ones with hooks */
  guint outside;                 /* objects and linked files that lie outside the folder */
  char *outside_example;         /* (nullable): one of them */
  CsHookCheck *hooks;            /* (nullable): what became of the functions that are chosen; NULL: it can't be told */
} CsBuildResult;

CsBuildResult *cs_build_sync (const CsBuildOptions *options, GCancellable *cancellable, GError **error);
void cs_build_async (const CsBuildOptions *options, GCancellable *cancellable, GAsyncReadyCallback callback,
                     gpointer user_data);
CsBuildResult *cs_build_finish (GAsyncResult *result, GError **error);
void cs_build_result_free (CsBuildResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsBuildResult, cs_build_result_free)

G_END_DECLS
