/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A line of a menu; one without a label begins a new part. */
typedef struct
{
  const char *label;  /* not yet translated */
  const char *action;
  guint uses;         /* bits: the menus that it is in; 0: all */
} CsMenuLine;

GMenuModel *cs_menu_lines_make (const CsMenuLine *lines, guint n, guint use);

G_END_DECLS
