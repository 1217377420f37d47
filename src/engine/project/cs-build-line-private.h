/* SPDX-License-Identifier: MIT */
#pragma once

#include "project/cs-build-message.h"

G_BEGIN_DECLS

/* What one line says by itself. Offsets are bytes of it. */
typedef struct
{
  gboolean is_message;
  gboolean text_follows; /* the next line is what it says */
  CsBuildSeverity severity;
  guint file_start, file_end; /* the same: no file is told */
  guint line, column;
  guint link_end;             /* of the place; it begins with the file */
  guint text_start;
  gboolean is_guess;          /* a message only if there is such a file */
  gboolean may_be_tool;       /* what stands for the file may be a tool's name */
} CsBuildSaying;

/* What make and ninja say of the folder that they work in. */
typedef enum
{
  CS_BUILD_MOVE_NONE,
  CS_BUILD_MOVE_ENTER,
  CS_BUILD_MOVE_LEAVE,
} CsBuildMove;

void cs_build_line_read (const char *line, CsBuildSaying *saying);
CsBuildMove cs_build_line_read_move (const char *line, char **folder);

G_END_DECLS
