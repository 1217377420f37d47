/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a path is that somebody opens. */
typedef enum
{
  CS_PATH_KIND_NOTHING,    /* nothing that can be opened */
  CS_PATH_KIND_PROJECT,    /* a folder with a build system, sources or a trace.config */
  CS_PATH_KIND_FOLDER,     /* a folder in which none of these was found */
  CS_PATH_KIND_RECORDING,  /* a trace directory, or a bundle */
  CS_PATH_KIND_TRACE_FILE, /* a file of a recording that can be read by itself */
} CsPathKind;

CsPathKind cs_path_kind_find (const char *path, char **sentence);
void cs_path_kind_find_async (const char *path, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
CsPathKind cs_path_kind_find_finish (GAsyncResult *result, char **sentence);

G_END_DECLS
