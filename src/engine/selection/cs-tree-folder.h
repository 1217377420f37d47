/* SPDX-License-Identifier: MIT */
#pragma once

#include <dirent.h>
#include <gio/gio.h>

#include "selection/cs-ignore.h"
#include "selection/cs-source-tree.h"

G_BEGIN_DECLS

/* A folder of a source tree as it was read. It never changes. */
typedef struct
{
  gatomicrefcount references;
  char *path;         /* relative to the root; "": the root itself */
  guint64 device;     /* with the inode: which folder it was */
  guint64 inode;
  GPtrArray *files;   /* (element-type CsSourceFile), boxes with counted references */
  GStrv folders;      /* paths of those to go into */
  CsIgnore *ignore;   /* (nullable): rules for what lies inside */
  gboolean is_skipped; /* a folder of a build, nothing of which counts */
  char *warning;      /* (nullable): why it couldn't be read */
} CsTreeFolder;

/* Where folders are read. */
typedef struct
{
  char *path;          /* without links */
  int fd;
  CsIgnore *ignore;    /* (nullable): rules from outside */
} CsTreeRoot;

void cs_tree_set_folder_error (const char *path, GError **error);
CsTreeRoot *cs_tree_root_new (const char *path, GError **error);
void cs_tree_root_free (CsTreeRoot *self);
CsTreeFolder *cs_tree_folder_read (const CsTreeRoot *root, const char *path, CsIgnore *outer);
void cs_tree_folder_unref (CsTreeFolder *self);
CsTreeFolder *cs_tree_folder_ref (CsTreeFolder *self);
gboolean cs_tree_entry_is_folder (int fd, const struct dirent *entry);
gboolean cs_tree_folder_is_there (const CsTreeFolder *self, const CsTreeRoot *root);
CsIgnore *cs_tree_find_outer (const CsTreeRoot *root, const char *path, GHashTable *folders);
GPtrArray *cs_tree_new_files (void);
GHashTable *cs_tree_new_table (void);
gboolean cs_tree_scan (const CsTreeRoot *root, const char *path, GHashTable *folders, GCancellable *cancellable,
                       GError **error);
GPtrArray *cs_tree_list_files (GHashTable *folders);
GHashTable *cs_tree_refresh (const CsTreeRoot *root, GHashTable *folders, const char *const *paths,
                             GCancellable *cancellable, GError **error);
void cs_tree_compare (GPtrArray *before, GPtrArray *after, GPtrArray *added, GPtrArray *removed, GPtrArray *modified);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsTreeRoot, cs_tree_root_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsTreeFolder, cs_tree_folder_unref)

G_END_DECLS
