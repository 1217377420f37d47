/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define CS_PATTERN_ERROR (cs_pattern_error_quark ())

typedef enum
{
  CS_PATTERN_ERROR_SYNTAX, /* the text is no pattern */
} CsPatternError;

GQuark cs_pattern_error_quark (void);

/* A rule of trace.config for paths: glob, exact path or folder. */
typedef struct _CsPattern CsPattern;

CsPattern *cs_pattern_new (const char *text, GError **error);
gboolean cs_pattern_match (const CsPattern *self, const char *path);
char *cs_pattern_dup_needle (const CsPattern *self);
char *cs_pattern_escape (const char *path, gsize length, gboolean is_folder);
const char *cs_pattern_get_text (const CsPattern *self);
void cs_pattern_free (CsPattern *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsPattern, cs_pattern_free)

G_END_DECLS
