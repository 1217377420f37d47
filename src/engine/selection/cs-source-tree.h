/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define CS_SOURCE_TREE_ERROR (cs_source_tree_error_quark ())

typedef enum
{
  CS_SOURCE_TREE_ERROR_FOLDER, /* it isn't there, no folder, or can't be read */
} CsSourceTreeError;

GQuark cs_source_tree_error_quark (void);

/* A C or C++ file of a project. */
typedef struct
{
  char *path;       /* relative to the root, without "./" */
  gint64 mtime_ns;  /* last change, ns since the epoch */
  guint64 size;     /* bytes */
  guint64 inode;
  gboolean is_header;
} CsSourceFile;

#define CS_TYPE_SOURCE_TREE (cs_source_tree_get_type ())
G_DECLARE_FINAL_TYPE (CsSourceTree, cs_source_tree, CS, SOURCE_TREE, GObject)

gboolean cs_source_tree_check_folder (const char *path, GError **error);
CsSourceTree *cs_source_tree_new_sync (const char *root, GCancellable *cancellable, GError **error);
void cs_source_tree_new_async (const char *root, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data);
CsSourceTree *cs_source_tree_new_finish (GAsyncResult *result, GError **error);
const char *cs_source_tree_get_root (CsSourceTree *self);
GPtrArray *cs_source_tree_ref_files (CsSourceTree *self);
char **cs_source_tree_dup_warnings (CsSourceTree *self);
void cs_source_tree_set_watching (CsSourceTree *self, gboolean watching);
gboolean cs_source_path_is_source (const char *path, gboolean *is_header);

G_END_DECLS
