/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a child process says, as it comes: not text, and not by lines. */
typedef void (*CsChildOutput) (const char *bytes, gsize size, gboolean is_error, gpointer user_data);

/* A program that is run to its end. */
typedef struct
{
  const char *const *command;     /* program and arguments */
  const char *folder;             /* (nullable): working directory */
  const char *const *environment; /* (nullable): as from g_get_environ() */
  CsChildOutput output;           /* (nullable): NULL: the child writes where this process does */
  gpointer user_data;
} CsChildOptions;

gboolean cs_child_run (const CsChildOptions *options, int *status, GCancellable *cancellable, GError **error);
char *cs_child_ask (const char *const *command, const char *folder, const char *const *environment,
                    GCancellable *cancellable, GError **error);

G_END_DECLS
