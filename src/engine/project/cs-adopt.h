/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "project/cs-build-system.h"

G_BEGIN_DECLS

#define CS_ADOPT_ERROR (cs_adopt_error_quark ())

typedef enum
{
  CS_ADOPT_ERROR_FOLDER, /* it can't be written, or its callsight/ is somebody else's */
  CS_ADOPT_ERROR_FILES,  /* the files to copy aren't installed */
  CS_ADOPT_ERROR_CHANGED, /* what would be replaced was changed by somebody */
} CsAdoptError;

GQuark cs_adopt_error_quark (void);

/* What copying the runtime and the wiring into a project did. Names are those of files in its callsight/. */
typedef struct
{
  guint written;       /* files that are new */
  guint updated;       /* that were of another version */
  guint same;
  GPtrArray *changed;  /* (element-type filename): that somebody changed, and that stay so */
  gboolean has_config; /* a trace.config was there */
} CsAdoptResult;

/* What happens to a file. */
typedef enum
{
  CS_ADOPT_WRITE,
  CS_ADOPT_UPDATE,   /* it is of another version */
  CS_ADOPT_SAME,
  CS_ADOPT_KEEP,     /* somebody changed it, and we have nothing new */
  CS_ADOPT_CONFLICT, /* both did: nothing is done, unless it is to be replaced */
} CsAdoptAction;

typedef struct
{
  char *path; /* relative to the project's folder */
  CsAdoptAction action;
} CsAdoptFile;

CsAdoptResult *cs_adopt_sync (const char *folder, CsBuildSystem system, gboolean force, GError **error);
GPtrArray *cs_adopt_list (const char *folder, CsBuildSystem system, GError **error);
gboolean cs_adopt_find_system (const char *folder, CsBuildSystem *system);
char *cs_adopt_describe_wiring (CsBuildSystem system);
void cs_adopt_result_free (CsAdoptResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsAdoptResult, cs_adopt_result_free)

G_END_DECLS
