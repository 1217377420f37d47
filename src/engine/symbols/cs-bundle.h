/* SPDX-License-Identifier: MIT */
#pragma once

#include "symbols/cs-binary.h"

G_BEGIN_DECLS

/* Where files lie, by their paths or build ids, that debug information is split into. */
#define CS_BUNDLE_DEBUG_FOLDER "debug"

#define CS_BUNDLE_FILE "bundle" /* the manifest's name in a bundle's folder */
#define CS_BUNDLE_FIRST_LINE "CALLSIGHT-BUNDLE "
#define CS_BUNDLE_VERSION 1

/* The files that a recording needs for its names, in one folder with it, as its manifest tells. */
typedef struct _CsBundle CsBundle;

/* A program or library in a bundle. */
typedef struct
{
  char *build_id;   /* NULL: none */
  char *recorded;   /* where it was loaded from */
  char *path;       /* where it lies now */
  char *debug_path; /* of its separate debug file; NULL: none */
} CsBundleModule;

gboolean cs_bundle_is_one (const char *folder);
CsBundle *cs_bundle_open (const char *folder, GError **error);
void cs_bundle_free (CsBundle *self);
const CsBundleModule *cs_bundle_find_module (const CsBundle *self, const char *recorded, const char *build_id);
const char *cs_bundle_find_source (const CsBundle *self, const char *source);
const char *cs_bundle_get_executable (const CsBundle *self);
char *cs_bundle_escape (const char *path, gboolean last);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsBundle, cs_bundle_free)

G_END_DECLS
