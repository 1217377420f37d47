/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-pattern.h"

G_BEGIN_DECLS

#define CS_TRACE_CONFIG_ERROR (cs_trace_config_error_quark ())

typedef enum
{
  CS_TRACE_CONFIG_ERROR_SYNTAX, /* the message names file, line and directive */
  CS_TRACE_CONFIG_ERROR_FILE,   /* the file can't be read or written */
} CsTraceConfigError;

GQuark cs_trace_config_error_quark (void);

typedef enum
{
  CS_DIRECTIVE_INCLUDE,
  CS_DIRECTIVE_EXCLUDE,
  CS_DIRECTIVE_INCLUDE_FUNC,
  CS_DIRECTIVE_EXCLUDE_FUNC,
  CS_DIRECTIVE_COUNTER,
  CS_DIRECTIVE_COUNTER_FUNC,
  CS_DIRECTIVE_COUNTER_FILE,
  CS_DIRECTIVE_COUNTER_MIN,
} CsDirectiveKind;

#define CS_DEPTH_FULL (-1)
#define CS_TRACE_CONFIG_MAX_SIZE (1 << 20) /* bytes of a file */

/* One line that says something. */
typedef struct
{
  CsDirectiveKind kind;
  const char *value;        /* pattern, function name, events, or duration, as written, without quotes around it */
  const CsPattern *pattern; /* include, exclude, counter-file */
  int depth;                /* include-func, counter-func: calls to follow; CS_DEPTH_FULL: all */
  gint64 min_ns;            /* counter-min: ns; -1: auto */
  guint line;               /* from 1 */
} CsDirective;

/* A trace.config: what it says, and its text with comments and order. */
typedef struct _CsTraceConfig CsTraceConfig;

CsTraceConfig *cs_trace_config_new (void);
CsTraceConfig *cs_trace_config_parse (const char *text, gssize length, const char *name, GError **error);
char *cs_trace_config_read_file (const char *path, gsize *length, GError **error);
CsTraceConfig *cs_trace_config_load (const char *path, GError **error);
CsTraceConfig *cs_trace_config_copy (const CsTraceConfig *self);
gboolean cs_trace_config_save (const CsTraceConfig *self, const char *path, GError **error);
const char *cs_trace_config_get_name (const CsTraceConfig *self);
const CsDirective *cs_trace_config_get_directives (const CsTraceConfig *self, gsize *count);
gboolean cs_trace_config_has (const CsTraceConfig *self, CsDirectiveKind kind);
gboolean cs_trace_config_add (CsTraceConfig *self, CsDirectiveKind kind, const char *value, int depth, GError **error);
void cs_trace_config_remove (CsTraceConfig *self, gsize directive);
void cs_trace_config_take_out (CsTraceConfig *self, gsize directive);
gboolean cs_trace_config_replace (CsTraceConfig *self, gsize directive, CsDirectiveKind kind, const char *value, int depth,
                                  GError **error);
gboolean cs_trace_config_put_back (CsTraceConfig *self, CsDirectiveKind kind, const char *value, int depth);
char *cs_trace_config_to_text (const CsTraceConfig *self);
const char *cs_trace_config_starter_text (void);
const char *cs_directive_kind_get_name (CsDirectiveKind kind);
void cs_trace_config_free (CsTraceConfig *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsTraceConfig, cs_trace_config_free)

G_END_DECLS
