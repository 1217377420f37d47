/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define CS_GLOB_MAX 4096 /* bytes of a glob's text */

/* Whose rules a glob follows. */
typedef enum
{
  CS_GLOB_PATTERN, /* trace.config: any run of a path's parts; ** crosses everywhere; UTF-8 */
  CS_GLOB_GIT,     /* .gitignore: the whole text; ** is one only between slashes; bytes */
} CsGlobKind;

/* A compiled glob. */
typedef struct _CsGlob CsGlob;

CsGlob *cs_glob_new (const char *text, gsize length, CsGlobKind kind, GError **error);
gboolean cs_glob_match (const CsGlob *self, const char *path, gsize length);
char *cs_glob_dup_needle (const CsGlob *self);
void cs_glob_free (CsGlob *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsGlob, cs_glob_free)

G_END_DECLS
