/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  CS_BUILD_SEVERITY_NOTE,
  CS_BUILD_SEVERITY_WARNING,
  CS_BUILD_SEVERITY_ERROR,
} CsBuildSeverity;

/* What a tool says of a place. Valid while the function that gets it runs. */
typedef struct
{
  CsBuildSeverity severity;
  const char *file; /* (nullable): absolute, unless nothing tells where it is; NULL: no place is told, as by make */
  guint line;       /* from 1; 0: not told */
  guint column;     /* from 1, as the tool counts; 0: not told */
  const char *text; /* what it says, without place and severity */
  guint link_start, link_end; /* bytes of the line that name the place; the same: none do */
} CsBuildMessage;

/* A line of a build log, as it is shown: UTF-8 without escape sequences and control characters. Valid while the function that gets it runs. */
typedef struct
{
  const char *text; /* without its end */
  gsize length;     /* bytes */
  guint64 number;   /* from 0 */
  guint64 offset;   /* bytes of all lines before it, a newline each */
  gboolean is_error; /* it came from standard error */
  gboolean continued; /* the line before it was cut, since it was too long: this is its rest */
} CsBuildLine;

typedef void (*CsBuildLineFunc) (const CsBuildLine *line, const CsBuildMessage *message, gpointer user_data);

/* Reads a build log as it comes. */
typedef struct _CsBuildMessages CsBuildMessages;

/* Bytes after which a line is cut. */
#define CS_BUILD_LINE_MOST 16384

CsBuildMessages *cs_build_messages_new (const char *project, const char *build_folder, CsBuildLineFunc function, gpointer user_data);
void cs_build_messages_push (CsBuildMessages *self, const char *bytes, gsize size, gboolean is_error);
void cs_build_messages_end (CsBuildMessages *self);
guint64 cs_build_messages_get_count (const CsBuildMessages *self, CsBuildSeverity severity);
void cs_build_messages_free (CsBuildMessages *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsBuildMessages, cs_build_messages_free)

G_END_DECLS
