/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  CS_CTAGS_LINE_BAD,       /* nothing that ctags writes */
  CS_CTAGS_LINE_OTHER,     /* to be passed over */
  CS_CTAGS_LINE_PROGRAM,
  CS_CTAGS_LINE_TAG,
  CS_CTAGS_LINE_COMPLETED,
  CS_CTAGS_LINE_FATAL,     /* an error behind which no "completed" comes */
} CsCtagsLineType;

/* What is needed of a line. Texts point into it and are NUL-terminated. */
typedef struct
{
  const char *name, *path, *kind, *signature, *scope, *scope_kind, *properties; /* (nullable) */
  gboolean has_template; /* a template header stands before it */
  guint32 line, end;
} CsCtagsLine;

CsCtagsLineType cs_ctags_line_parse (char *text, gsize length, CsCtagsLine *line);

G_END_DECLS
