/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The file in a build folder that says that callsight-cli made it. */
#define CS_BUILD_MARKER ".callsight-build"

/* What bringing a mirror up to date came to. */
typedef struct
{
  guint copied;             /* files and links that were new or had changed */
  guint kept;               /* that were as before */
  guint removed;            /* that are gone from the project */
  guint built;              /* libraries and programs that were left out, since a build made them */
  guint unreadable;         /* files and folders that were left out */
  char *example;            /* (nullable): one of those that a build made */
  char *leads_out;          /* (nullable): a link to a folder outside the project */
  gboolean left_callsight;  /* `callsight` is no folder, and was left out: the mirror's own is of that name */
  gboolean is_reconfigured; /* config.status is among the copied */
} CsMirrorCounts;

gboolean cs_build_mirror_update (const char *root, const char *mirror, const char *list, CsMirrorCounts *counts,
                                 GCancellable *cancellable, GError **error);
void cs_mirror_counts_clear (CsMirrorCounts *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CsMirrorCounts, cs_mirror_counts_clear)

G_END_DECLS
