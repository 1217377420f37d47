/* SPDX-License-Identifier: MIT */
#pragma once

#include "symbols/cs-bytes.h"
#include "symbols/cs-elf.h"

G_BEGIN_DECLS

typedef struct
{
  const char *name;
  const char *folder; /* NULL: the compilation folder */
} CsLineFile;

typedef struct
{
  guint64 address;
  guint32 file;
  guint32 line;
  gboolean end; /* no code from here on */
} CsLineState;

typedef void (*CsLineFunc) (const CsLineState *row,
                            gpointer           user_data);

gboolean cs_line_program_read (CsElf *elf, const char *section, guint64 offset, GArray *files,
                               guint32 *first_file, CsLineFunc row, gpointer user_data);

G_END_DECLS
