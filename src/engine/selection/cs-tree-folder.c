/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "selection/cs-tree-folder.h"

/* Folders that hold no sources of the project: of version control, dependencies and builds. Those whose name begins
 * with a dot are never gone into. */
static const char *const skipped_names[] = {
  "CVS", "_darcs", "node_modules", "venv", "__pycache__", "build", "_build", "CMakeFiles", NULL,
};
static const char *const skipped_prefixes[] = { "build-", "cmake-build-", NULL };

/**
 * cs_source_path_is_source:
 * @path: a path
 * @is_header: (out) (optional): whether it is a header's
 *
 * Returns: whether it is that of a C or C++ file, as its name ends
 */
gboolean
cs_source_path_is_source (const char *path, gboolean *is_header)
{
  static const char *const sources[] = { "c", "cc", "cpp", "cxx", "c++", "C", NULL };
  static const char *const headers[] = { "h", "hh", "hpp", "hxx", "h++", "H", "inl", "tcc", "ipp", NULL };
  const char *slash = strrchr (path, '/');
  const char *name = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr (name, '.');
  gboolean header;

  if (dot == NULL || dot == name)
    return FALSE;
  header = g_strv_contains (headers, dot + 1);
  if (is_header != NULL)
    *is_header = header;
  return header || g_strv_contains (sources, dot + 1);
}

static gboolean
is_skipped (const char *name)
{
  if (g_strv_contains (skipped_names, name))
    return TRUE;
  for (guint i = 0; skipped_prefixes[i] != NULL; i++)
    if (g_str_has_prefix (name, skipped_prefixes[i]))
      return TRUE;
  return FALSE;
}

static void
file_clear (gpointer data)
{
  g_free (((CsSourceFile *) data)->path);
}

static void
file_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, file_clear);
}

/**
 * cs_tree_new_files:
 *
 * Returns: (transfer full) (element-type CsSourceFile): no files; each that is added gives it a reference
 */
GPtrArray *
cs_tree_new_files (void)
{
  return g_ptr_array_new_with_free_func (file_unref);
}

/**
 * cs_tree_set_folder_error:
 * @path: a folder
 * @error: where to say, by errno, why it can't be read
 */
void
cs_tree_set_folder_error (const char *path, GError **error)
{
  int number = errno;

  g_set_error (error, CS_SOURCE_TREE_ERROR, CS_SOURCE_TREE_ERROR_FOLDER, "%s: %s — name the folder of the project", path,
               number == ENOTDIR ? "it is no folder" : number == ENOENT ? "there is no such folder" : g_strerror (number));
}

/**
 * cs_tree_root_new:
 * @path: a folder
 * @error: where to say why it can't be read
 *
 * Returns: (transfer full) (nullable): what folders below are read with, or %NULL with %CS_SOURCE_TREE_ERROR_FOLDER
 */
CsTreeRoot *
cs_tree_root_new (const char *path, GError **error)
{
  g_autoptr (CsTreeRoot) self = g_new0 (CsTreeRoot, 1);
  char *real = realpath (path, NULL);

  self->path = g_strdup (real);
  free (real);
  self->fd = self->path != NULL ? open (self->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (self->fd < 0)
    {
      cs_tree_set_folder_error (path, error);
      return NULL;
    }
  self->ignore = cs_ignore_new_outer (self->path);
  return g_steal_pointer (&self);
}

/**
 * cs_tree_root_free:
 * @self: (transfer full): a root
 */
void
cs_tree_root_free (CsTreeRoot *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_clear_pointer (&self->ignore, cs_ignore_unref);
  g_free (self->path);
  g_free (self);
}

/* What a folder holds that may matter, before rules are asked. */
typedef struct
{
  GPtrArray *files;   /* (element-type utf8): names */
  GPtrArray *folders; /* (element-type utf8): names */
  gboolean has_ignore;
  gboolean is_repository;
  gboolean is_build;
  gboolean is_project; /* has a CMakeLists.txt in it: what is built may be, too */
  gboolean is_runtime; /* has our trace.c in it */
} Entries;

/**
 * cs_tree_entry_is_folder:
 * @fd: descriptor of a folder
 * @entry: what lies in it
 *
 * Returns: whether it is a folder, and no link to one; some file systems don't say so in @entry
 */
gboolean
cs_tree_entry_is_folder (int fd, const struct dirent *entry)
{
  struct stat st;

  if (entry->d_type != DT_UNKNOWN)
    return entry->d_type == DT_DIR;
  return fstatat (fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR (st.st_mode);
}

static void
take_entry (Entries *entries, int fd, const struct dirent *entry)
{
  const char *name = entry->d_name;

  if (*name == '.')
    {
      entries->has_ignore |= strcmp (name, ".gitignore") == 0;
      entries->is_repository |= strcmp (name, ".git") == 0;
      entries->is_build |= strcmp (name, ".callsight-build") == 0;
      return;
    }
  if (cs_source_path_is_source (name, NULL))
    {
      g_ptr_array_add (entries->files, g_strdup (name));
      entries->is_runtime |= strcmp (name, "trace.c") == 0;
    }
  entries->is_build |= strcmp (name, "CMakeCache.txt") == 0;
  entries->is_project |= strcmp (name, "CMakeLists.txt") == 0;
  if (cs_tree_entry_is_folder (fd, entry))
    {
      entries->is_build |= strcmp (name, "meson-private") == 0;
      if (!is_skipped (name))
        g_ptr_array_add (entries->folders, g_strdup (name));
    }
}

static void
add_file (CsTreeFolder *self, int fd, const char *name, const char *path)
{
  struct stat st;
  CsSourceFile *file;

  if (fstatat (fd, name, &st, 0) != 0 || !S_ISREG (st.st_mode))
    return;
  file = g_atomic_rc_box_new0 (CsSourceFile);
  file->path = g_strdup (path);
  file->mtime_ns = (gint64) st.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + st.st_mtim.tv_nsec;
  file->size = (guint64) st.st_size;
  file->inode = (guint64) st.st_ino;
  cs_source_path_is_source (name, &file->is_header);
  g_ptr_array_add (self->files, file);
}

/* Takes what no rule ignores. */
static void
take_entries (CsTreeFolder *self, const CsTreeRoot *root, const Entries *entries, int fd)
{
  g_autoptr (GString) path = g_string_new (root->path);
  g_autoptr (GStrvBuilder) folders = g_strv_builder_new ();
  gsize relative, base;

  if (path->str[path->len - 1] != '/')
    g_string_append_c (path, '/');
  relative = path->len;
  g_string_append (path, self->path);
  if (*self->path != '\0')
    g_string_append_c (path, '/');
  base = path->len;
  for (guint i = 0; i < entries->files->len; i++)
    {
      g_string_truncate (path, base);
      g_string_append (path, g_ptr_array_index (entries->files, i));
      if (!cs_ignore_check (self->ignore, path->str, FALSE))
        add_file (self, fd, path->str + base, path->str + relative);
    }
  for (guint i = 0; i < entries->folders->len; i++)
    {
      g_string_truncate (path, base);
      g_string_append (path, g_ptr_array_index (entries->folders, i));
      if (!cs_ignore_check (self->ignore, path->str, TRUE))
        g_strv_builder_add (folders, path->str + relative);
    }
  self->folders = g_strv_builder_end (folders);
}

/* Whether nothing in it is the project's, by what lies in it. */
static gboolean
is_of_a_build (const CsTreeFolder *self, const Entries *entries)
{
  const char *slash = strrchr (self->path, '/');
  const char *name = slash != NULL ? slash + 1 : self->path;

  if (*self->path == '\0')
    return FALSE;
  return (entries->is_build && !entries->is_project) || (entries->is_runtime && strcmp (name, "callsight") == 0)
         || (strcmp (name, "packagecache") == 0 && g_str_has_suffix (self->path, "subprojects/packagecache"));
}

static void
read_entries (CsTreeFolder *self, const CsTreeRoot *root, CsIgnore *outer, DIR *dir)
{
  g_autofree char *folder = g_build_filename (root->path, self->path, NULL);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (CsIgnore) own = NULL;
  Entries entries = { files, folders };
  const struct dirent *entry;

  for (errno = 0; (entry = readdir (dir)) != NULL; errno = 0)
    take_entry (&entries, dirfd (dir), entry);
  if (errno != 0)
    self->warning = g_strdup_printf ("%s: it can't be read (%s) — its files may be missing", self->path, g_strerror (errno));
  self->is_skipped = is_of_a_build (self, &entries);
  if (self->is_skipped)
    return;
  if (entries.is_repository && *self->path != '\0')
    outer = own = cs_ignore_new_repository (folder);
  if (entries.has_ignore)
    self->ignore = cs_ignore_new_folder (outer, dirfd (dir), folder);
  else
    self->ignore = outer != NULL ? cs_ignore_ref (outer) : NULL;
  take_entries (self, root, &entries, dirfd (dir));
}

/**
 * cs_tree_folder_read:
 * @root: where it lies
 * @path: its path from there; "" for the root
 * @outer: (nullable): the rules of the folder around it
 *
 * Returns: (transfer full) (nullable): what is in it; %NULL if there is no such folder
 */
CsTreeFolder *
cs_tree_folder_read (const CsTreeRoot *root, const char *path, CsIgnore *outer)
{
  int fd = openat (root->fd, *path != '\0' ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  DIR *dir = fd >= 0 ? fdopendir (fd) : NULL;
  int number = errno;
  CsTreeFolder *self;
  struct stat st = { 0 };

  if (fd >= 0)
    fstat (fd, &st);
  if (dir == NULL && fd >= 0)
    close (fd);
  if (dir == NULL && (number == ENOENT || number == ENOTDIR || number == ELOOP))
    return NULL;
  self = g_new0 (CsTreeFolder, 1);
  g_atomic_ref_count_init (&self->references);
  self->path = g_strdup (path);
  self->device = (guint64) st.st_dev;
  self->inode = (guint64) st.st_ino;
  self->files = cs_tree_new_files ();
  if (dir != NULL)
    {
      read_entries (self, root, outer, dir);
      closedir (dir);
    }
  else
    self->warning = g_strdup_printf ("%s: it can't be read (%s) — its files are left out", path, g_strerror (number));
  if (self->folders == NULL)
    self->folders = g_new0 (char *, 1);
  return self;
}

/**
 * cs_tree_folder_ref:
 * @self: a folder
 *
 * Returns: (transfer full): the same
 */
CsTreeFolder *
cs_tree_folder_ref (CsTreeFolder *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * cs_tree_folder_unref:
 * @self: (transfer full): a folder
 */
void
cs_tree_folder_unref (CsTreeFolder *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_ptr_array_unref (self->files);
  g_clear_pointer (&self->ignore, cs_ignore_unref);
  g_strfreev (self->folders);
  g_free (self->warning);
  g_free (self->path);
  g_free (self);
}

/**
 * cs_tree_folder_is_there:
 * @self: a folder as it was read
 * @root: where
 *
 * Returns: whether its path still leads to this folder and no other one
 */
gboolean
cs_tree_folder_is_there (const CsTreeFolder *self, const CsTreeRoot *root)
{
  struct stat st;

  return fstatat (root->fd, *self->path != '\0' ? self->path : ".", &st, AT_SYMLINK_NOFOLLOW) == 0
         && (guint64) st.st_dev == self->device && (guint64) st.st_ino == self->inode;
}
