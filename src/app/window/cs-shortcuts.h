/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Something that a person can do with the keyboard. */
typedef struct
{
  const char *group;  /* as the help overlay names it */
  const char *title;  /* (nullable): NULL: not in the help overlay */
  const char *action; /* (nullable): detailed name; NULL: the widget in focus handles the keys itself */
  const char *keys;   /* accelerators, separated by spaces */
} CsShortcut;

const CsShortcut *cs_shortcuts_get (guint *n);
void cs_shortcuts_apply (GtkApplication *application);
GtkShortcutsWindow *cs_shortcuts_make_window (const char *view);

G_END_DECLS
