/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-trace-config.h"

G_BEGIN_DECLS

/* A line that was taken apart. */
typedef struct
{
  CsDirectiveKind kind;
  char *value; /* (nullable): NULL: blank or a comment */
  CsPattern *pattern;
  int depth;
  gint64 min_ns;
  gsize comment; /* where a comment behind it begins; 0: there is none */
} CsConfigLine;

gboolean cs_config_line_parse (CsConfigLine *line, const char *text, gsize length, char **reason);
void cs_config_line_clear (CsConfigLine *line);
char *cs_config_line_compose (CsDirectiveKind kind, const char *value, int depth);
guint cs_counter_events_count (const char *events);
char *cs_counter_events_find_same (const char *events, const char *others);

G_END_DECLS
