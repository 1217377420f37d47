/* SPDX-License-Identifier: MIT */
#pragma once

#include "project/cs-build.h"

G_BEGIN_DECLS

/* A build that is going on. */
typedef struct
{
  const CsBuildOptions *options;
  GCancellable *cancellable; /* (nullable) */
  const char *root;          /* the project */
  char *folder;              /* what is built in */
  char *own;                 /* folder/callsight: selection, log, state */
  char *marker;              /* folder/CS_BUILD_MARKER: that it is ours, and what it was made with */
  CsBuildSystem system;
  gboolean mirrored;         /* folder holds a copy of root */
  gboolean configured;       /* configure has succeeded with these options */
  char *launcher;
  char *cc, *cxx;            /* (nullable): as the build tool would take them, words for a shell */
  char *runtime;
  char **environment;        /* for build tools */
  int lock;                  /* descriptor of the folder; -1: not locked */
} Build;

void cs_build_tell (const Build *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
gboolean cs_build_fail (GError **error, CsBuildError code, const char *format, ...) G_GNUC_PRINTF (3, 4);

gboolean cs_build_check_tools (Build *self, GError **error);
gboolean cs_build_find_compilers (Build *self, GError **error);
gboolean cs_build_configure (Build *self, GError **error);
gboolean cs_build_compile (Build *self, GError **error);
gboolean cs_build_needs_mirror (const Build *self);
char *cs_build_get_fingerprint (const Build *self);

gboolean cs_build_update_selection (Build *self, GError **error);
CsBuildResult *cs_build_read_result (Build *self, GError **error);

G_END_DECLS
