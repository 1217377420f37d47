/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The last thing that the launcher said of an object and a source in it. */
typedef struct
{
  char *object;   /* absolute */
  char *source;   /* absolute */
  guint64 hash;   /* over the options that were added; 0: none, and no hooks */
} CsBuildUnit;

typedef enum
{
  CS_BUILD_LINK_WITHOUT_HOOKS = 0,
  CS_BUILD_LINK_WITH_RUNTIME = 1,
  CS_BUILD_LINK_WITHOUT_RUNTIME = 2,
} CsBuildLinkKind;

/* The same of what was linked. */
typedef struct
{
  char *output; /* absolute */
  CsBuildLinkKind kind;
} CsBuildLink;

/* What the compiler launcher did in a build, in the order in which it was first said. */
typedef struct
{
  GPtrArray *units; /* (element-type CsBuildUnit) */
  GPtrArray *links; /* (element-type CsBuildLink) */
} CsBuildLog;

CsBuildLog *cs_build_log_load (const char *path, GError **error);
gboolean cs_build_log_shorten (const char *path, GError **error);
void cs_build_log_free (CsBuildLog *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsBuildLog, cs_build_log_free)

G_END_DECLS
