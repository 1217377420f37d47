/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <elf.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/cs-event-file.h"
#include "capture/cs-io.h"
#include "project/cs-build-mirror.h"
#include "project/cs-folder.h"
#include "selection/cs-source-tree.h"

#define NS_PER_S G_GINT64_CONSTANT (1000000000)

/* A file or link of the project, and what its copy got. */
typedef struct
{
  char *path; /* relative to the root */
  gint64 mtime_ns;
  guint64 size;
  guint64 inode;
  gint64 copy_mtime_ns;
  mode_t mode;
} Entry;

typedef struct
{
  const char *root;
  const char *mirror;
  struct stat mirror_stat;
  GHashTable *known;   /* path → Entry: what was copied before */
  GHashTable *entries; /* path → Entry: what is to be there */
  GPtrArray *order;    /* (element-type Entry): the same, as they were found */
  GPtrArray *folders;  /* (element-type char*) */
  GPtrArray *libraries; /* (element-type Entry): which may have been built */
  gint64 newest_ns;    /* last change of a source */
  gint64 now_ns;       /* what becomes older in the project gets one time, as none of it was made of another */
  CsMirrorCounts *counts;
  GCancellable *cancellable;
  GError **error;
} Mirror;

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_free (entry->path);
  g_free (entry);
}

static gboolean
set_error (Mirror *self, const char *path, const char *what)
{
  int number = errno;

  g_set_error (self->error, G_IO_ERROR, g_io_error_from_errno (number), "%s: %s (%s)", path, what,
               g_strerror (number));
  return FALSE;
}

static gint64
get_mtime (const struct stat *st)
{
  return st->st_mtim.tv_sec * NS_PER_S + st->st_mtim.tv_nsec;
}

/* Whether a path of the list stays in the mirror. */
static gboolean
is_inside (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);

  return *path != '\0' && *path != '/' && !g_strv_contains ((const char *const *) parts, "..");
}

/* The list of what was copied: a line each, `mtime size inode mtime-of-copy path`. */
static void
load_list (Mirror *self, const char *path)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || !g_file_get_contents (path, &text, NULL, NULL))
    return;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", 5);
      Entry *entry;

      if (g_strv_length (words) < 5)
        continue;
      entry = g_new0 (Entry, 1);
      entry->mtime_ns = g_ascii_strtoll (words[0], NULL, 10);
      entry->size = g_ascii_strtoull (words[1], NULL, 10);
      entry->inode = g_ascii_strtoull (words[2], NULL, 10);
      entry->copy_mtime_ns = g_ascii_strtoll (words[3], NULL, 10);
      entry->path = g_strcompress (words[4]);
      if (is_inside (entry->path))
        g_hash_table_replace (self->known, entry->path, entry);
      else
        entry_free (entry);
    }
}

static gboolean
save_list (Mirror *self, const char *path)
{
  GString *text = g_string_new (NULL);
  gboolean ok;

  for (guint i = 0; i < self->order->len; i++)
    {
      const Entry *entry = self->order->pdata[i];
      g_autofree char *escaped = g_strescape (entry->path, NULL);

      g_string_append_printf (text, "%" G_GINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " %s\n",
                              entry->mtime_ns, entry->size, entry->inode, entry->copy_mtime_ns, escaped);
    }
  ok = g_file_set_contents (path, text->str, (gssize) text->len, self->error);
  g_string_free (text, TRUE);
  return ok;
}

static gboolean
has (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_access (path, F_OK) == 0;
}

/* A folder that a build, a version control system or libtool made. */
static gboolean
is_folder_left_out (Mirror *self, const char *path, const char *name, const struct stat *st)
{
  static const char *const names[] = { ".git", ".hg", ".svn", ".bzr", ".jj", "CVS", "_darcs", ".libs", NULL };

  return g_strv_contains (names, name) ||
         (st->st_dev == self->mirror_stat.st_dev && st->st_ino == self->mirror_stat.st_ino) ||
         has (path, "CMakeCache.txt") || has (path, "meson-private") || has (path, CS_BUILD_MARKER);
}

/* What callsight-cli writes for the normal build, of which the mirror has its own, and recordings. */
static gboolean
is_own_file (const char *relative, const char *name)
{
  static const char *const names[] = { "callsight/selection", "callsight/selection.lock", "callsight/selection.told",
                                       "callsight/selection.new", "callsight/log", "callsight/hooks",
                                       "callsight/mirror", "callsight/recordings", CS_BUILD_MARKER, NULL };
  CsTraceNameParts parts;

  return g_strv_contains (names, relative) || cs_trace_name_parse (name, &parts) != CS_TRACE_NAME_OTHER;
}

static gboolean
is_library_name (const char *name)
{
  const char *so = strstr (name, ".so");

  return g_str_has_suffix (name, ".a") || (so != NULL && (so[3] == '\0' || so[3] == '.'));
}

typedef enum
{
  KIND_COPY,
  KIND_OBJECT,
  KIND_PROGRAM,
  KIND_LIBRARY,
} Kind;

/* What a regular file is, by its name and its first bytes. */
static Kind
get_kind (const char *path, const char *name, const struct stat *st)
{
  static const char *const suffixes[] = { ".o", ".lo", ".la", ".gcno", ".gcda", ".gch", ".pch" };
  guint8 head[EI_NIDENT + 2] = { 0 };
  cs_autofd fd = -1;
  guint type;

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (name, suffixes[i]))
      return KIND_OBJECT;
  if (g_str_has_suffix (name, ".a"))
    return KIND_LIBRARY;
  fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0 || cs_pread_full (fd, head, sizeof head, 0) != sizeof head)
    return KIND_COPY;
  if (g_str_has_suffix (name, ".obj"))
    return memchr (head, 0, sizeof head) != NULL ? KIND_OBJECT : KIND_COPY; /* the other kind is a text */
  if (memcmp (head, ELFMAG, SELFMAG) != 0)
    return KIND_COPY;
  type = head[EI_DATA] == ELFDATA2MSB ? (guint) head[EI_NIDENT] << 8 | head[EI_NIDENT + 1]
                                      : (guint) head[EI_NIDENT + 1] << 8 | head[EI_NIDENT];
  if (type == ET_REL)
    return KIND_OBJECT;
  if (is_library_name (name))
    return KIND_LIBRARY;
  return (type == ET_EXEC || type == ET_DYN) && (st->st_mode & S_IXUSR) != 0 ? KIND_PROGRAM : KIND_COPY;
}

static gboolean
is_same_entry (const Entry *a, const Entry *b)
{
  return a->mtime_ns == b->mtime_ns && a->size == b->size && a->inode == b->inode;
}

static void
count_built (Mirror *self, const char *path)
{
  self->counts->built++;
  if (self->counts->example == NULL)
    self->counts->example = g_strdup (path);
}

static void
take_entry (Mirror *self, Entry *entry)
{
  g_hash_table_insert (self->entries, entry->path, entry);
  g_ptr_array_add (self->order, entry);
}

static void
visit_file (Mirror *self, const char *path, const char *relative, const char *name, const struct stat *st)
{
  Entry *entry = g_new0 (Entry, 1);
  const Entry *before = g_hash_table_lookup (self->known, relative);
  Kind kind = KIND_COPY;

  entry->path = g_strdup (relative);
  entry->mtime_ns = get_mtime (st);
  entry->size = (guint64) st->st_size;
  entry->inode = st->st_ino;
  entry->mode = st->st_mode;
  if (S_ISREG (st->st_mode) && cs_source_path_is_source (relative, NULL))
    self->newest_ns = MAX (self->newest_ns, entry->mtime_ns);
  else if (S_ISLNK (st->st_mode) && is_library_name (name))
    kind = KIND_LIBRARY;
  else if (S_ISREG (st->st_mode) && (before == NULL || !is_same_entry (before, entry) || is_library_name (name)))
    kind = get_kind (path, name, st);
  if (kind == KIND_COPY)
    take_entry (self, entry);
  else if (kind == KIND_LIBRARY)
    g_ptr_array_add (self->libraries, entry);
  else
    {
      if (kind == KIND_PROGRAM)
        count_built (self, relative);
      entry_free (entry);
    }
}

static gboolean visit_folder (Mirror *self, const char *relative);

/* What is neither file, link nor folder isn't copied. */
static gboolean
visit (Mirror *self, const char *relative, const char *name)
{
  g_autofree char *path = g_build_filename (self->root, relative, NULL);
  struct stat st;

  if (g_lstat (path, &st) != 0 || is_own_file (relative, name))
    return TRUE;
  if (S_ISDIR (st.st_mode))
    {
      if (is_folder_left_out (self, path, name, &st))
        return TRUE;
      g_ptr_array_add (self->folders, g_strdup (relative));
      return visit_folder (self, relative);
    }
  if (g_str_equal (relative, "callsight"))
    self->counts->left_callsight = TRUE;
  else if (S_ISREG (st.st_mode) || S_ISLNK (st.st_mode))
    visit_file (self, path, relative, name, &st);
  return TRUE;
}

/* Finds what is to be in the mirror. */
static gboolean
visit_folder (Mirror *self, const char *relative)
{
  g_autofree char *folder = g_build_filename (self->root, relative, NULL);
  g_autoptr (GError) local = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &local);
  const char *name;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, self->error))
    return FALSE;
  if (dir == NULL && *relative == '\0')
    {
      g_propagate_error (self->error, g_steal_pointer (&local));
      return FALSE;
    }
  self->counts->unreadable += dir == NULL;
  if (dir == NULL)
    return TRUE;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inside = *relative != '\0' ? g_build_filename (relative, name, NULL) : g_strdup (name);

      if (!visit (self, inside, name))
        return FALSE;
    }
  return TRUE;
}

/* A library that is newer than every source was built here; an older one came with the project. A link is as old as what it
 * leads to. */
static void
choose_libraries (Mirror *self)
{
  for (guint i = 0; i < self->libraries->len; i++)
    {
      Entry *entry = self->libraries->pdata[i];
      g_autofree char *path = g_build_filename (self->root, entry->path, NULL);
      struct stat st;

      if (g_stat (path, &st) == 0 && get_mtime (&st) > self->newest_ns)
        {
          count_built (self, entry->path);
          entry_free (entry);
        }
      else
        take_entry (self, entry);
    }
  g_ptr_array_set_size (self->libraries, 0);
}

/* What a link in the mirror must say so that it leads to the copy of what it led to, or to the thing itself where that
 * lies outside. */
static char *
translate_link (Mirror *self, const char *path, const char *target)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *absolute = g_canonicalize_filename (target, folder);
  gsize length = strlen (self->root);
  gboolean inside = strncmp (absolute, self->root, length) == 0 && (absolute[length] == '/' || absolute[length] == '\0');

  if (inside && !g_path_is_absolute (target))
    return g_strdup (target);
  if (!inside && self->counts->leads_out == NULL && g_file_test (absolute, G_FILE_TEST_IS_DIR))
    self->counts->leads_out = g_strdup (path + length + 1);
  return inside ? g_strconcat (self->mirror, absolute + length, NULL) : g_steal_pointer (&absolute);
}

static gboolean
copy_bytes (int from, int to)
{
  char buffer[65536];
  gssize n;

  while ((n = copy_file_range (from, NULL, to, NULL, 1 << 30, 0)) > 0)
    ;
  if (n == 0)
    return TRUE;
  if (lseek (to, 0, SEEK_CUR) != 0)
    return FALSE;
  while ((n = read (from, buffer, sizeof buffer)) > 0)
    for (gssize done = 0, m; done < n; done += m)
      if ((m = write (to, buffer + done, (gsize) (n - done))) < 0)
        return FALSE;
  return n == 0;
}

static gboolean
copy_file (Mirror *self, const Entry *entry, const char *path, const char *temporary)
{
  const struct timespec times[2] = { { .tv_nsec = UTIME_OMIT },
                                     { .tv_sec = entry->copy_mtime_ns / NS_PER_S,
                                       .tv_nsec = entry->copy_mtime_ns % NS_PER_S } };
  cs_autofd from = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  cs_autofd to = -1;

  if (from < 0)
    return set_error (self, path, "can't be read");
  g_unlink (temporary);
  to = open (temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (to < 0 || !copy_bytes (from, to) || fchmod (to, entry->mode & 0777) != 0 || futimens (to, times) != 0)
    return set_error (self, temporary, "can't be written");
  return TRUE;
}

static gboolean
copy_link (Mirror *self, const char *path, const char *temporary)
{
  g_autofree char *target = g_file_read_link (path, self->error);
  g_autofree char *text = target != NULL ? translate_link (self, path, target) : NULL;

  if (text == NULL)
    return FALSE;
  g_unlink (temporary);
  return symlink (text, temporary) == 0 || set_error (self, temporary, "can't be made");
}

static gboolean
has_same_bytes (const char *a, const char *b)
{
  g_autofree char *bytes_a = NULL;
  g_autofree char *bytes_b = NULL;
  gsize size_a, size_b;

  return g_file_get_contents (a, &bytes_a, &size_a, NULL) && g_file_get_contents (b, &bytes_b, &size_b, NULL) &&
         size_a == size_b && memcmp (bytes_a, bytes_b, size_a) == 0;
}

static gboolean
put_entry (Mirror *self, Entry *entry)
{
  const Entry *before = g_hash_table_lookup (self->known, entry->path);
  g_autofree char *path = g_build_filename (self->root, entry->path, NULL);
  g_autofree char *copy = g_build_filename (self->mirror, entry->path, NULL);
  g_autofree char *temporary = g_strconcat (copy, ".callsight-new", NULL);
  struct stat st;
  gboolean exists = g_lstat (copy, &st) == 0;

  /* The normal build can't read it either. */
  if (S_ISREG (entry->mode) && g_access (path, R_OK) != 0)
    {
      self->counts->unreadable++;
      return TRUE;
    }
  entry->copy_mtime_ns = entry->mtime_ns;
  if (before != NULL && exists && is_same_entry (before, entry))
    {
      entry->copy_mtime_ns = before->copy_mtime_ns;
      self->counts->kept++;
      return TRUE;
    }
  if (before == NULL && exists && S_ISREG (st.st_mode) && S_ISREG (entry->mode) && has_same_bytes (path, copy))
    {
      /* A build made it on both sides. */
      self->counts->kept++;
      return TRUE;
    }
  /* What it was made of would look newer, although it isn't. */
  if ((before != NULL && entry->mtime_ns < before->mtime_ns) || (before == NULL && exists))
    entry->copy_mtime_ns = self->now_ns;
  if (!(S_ISLNK (entry->mode) ? copy_link (self, path, temporary) : copy_file (self, entry, path, temporary)))
    {
      g_unlink (temporary);
      return FALSE;
    }
  if (exists && S_ISDIR (st.st_mode))
    cs_folder_remove (copy);
  if (g_rename (temporary, copy) != 0)
    return set_error (self, copy, "can't be written");
  self->counts->copied++;
  if (g_str_equal (entry->path, "config.status"))
    self->counts->is_reconfigured = TRUE;
  return TRUE;
}

/* Whether the build has made something else of a copy. A source may have got a newer time from us. */
static gboolean
is_changed_copy (const Entry *entry, const struct stat *st)
{
  if (!S_ISREG (st->st_mode) || get_mtime (st) == entry->copy_mtime_ns)
    return FALSE;
  return !cs_source_path_is_source (entry->path, NULL) || (guint64) st->st_size != entry->size;
}

/* Takes away copies of what is gone, unless the build has made something else of them. */
static void
remove_vanished (Mirror *self)
{
  GHashTableIter iter;
  Entry *entry;

  g_hash_table_iter_init (&iter, self->known);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &entry))
    {
      g_autofree char *copy = g_build_filename (self->mirror, entry->path, NULL);
      struct stat st;

      if (g_hash_table_contains (self->entries, entry->path) || g_lstat (copy, &st) != 0 || S_ISDIR (st.st_mode) ||
          is_changed_copy (entry, &st))
        continue;
      if (g_unlink (copy) == 0)
        self->counts->removed++;
      for (char *slash; (slash = strrchr (copy, '/')) != NULL && (gsize) (slash - copy) > strlen (self->mirror);)
        {
          g_autofree char *original = NULL;

          *slash = '\0';
          original = g_build_filename (self->root, copy + strlen (self->mirror) + 1, NULL);
          if (g_file_test (original, G_FILE_TEST_IS_DIR) || g_rmdir (copy) != 0)
            break;
        }
    }
}

static gboolean
make_folders (Mirror *self)
{
  for (guint i = 0; i < self->folders->len; i++)
    {
      g_autofree char *path = g_build_filename (self->mirror, self->folders->pdata[i], NULL);
      struct stat st;

      if (g_lstat (path, &st) == 0 && !S_ISDIR (st.st_mode))
        g_unlink (path);
      if (g_mkdir (path, 0777) != 0 && errno != EEXIST)
        return set_error (self, path, "can't be made");
    }
  return TRUE;
}

static gboolean
copy_all (Mirror *self)
{
  for (guint i = 0; i < self->order->len; i++)
    if (g_cancellable_set_error_if_cancelled (self->cancellable, self->error) ||
        !put_entry (self, self->order->pdata[i]))
      {
        /* Of the rest nothing is known, so that it is copied next time. */
        g_ptr_array_set_size (self->order, (int) i);
        return FALSE;
      }
  return TRUE;
}

static gboolean
update (Mirror *self, const char *list)
{
  gboolean ok;

  load_list (self, list);
  if (!visit_folder (self, ""))
    return FALSE;
  choose_libraries (self);
  remove_vanished (self);
  if (!make_folders (self))
    return FALSE;
  ok = copy_all (self);
  if (!ok)
    self->error = NULL;
  return save_list (self, list) && ok;
}

/**
 * cs_build_mirror_update:
 * @root: a project's folder, without symbolic links
 * @mirror: a folder that is there and holds a copy of it, or nothing yet; may lie in @root
 * @list: file that says what was copied before; is written
 * @counts: (out): what was done
 * @cancellable: (nullable): to give up early
 * @error: where to say what can't be read or written
 *
 * Brings a copy of a project up to date: what is new or has another time, size or inode than when it was copied. Times of
 * change are kept, so that a build tool sees what it would see in the project. What builds made is left out: objects,
 * programs, libraries that are newer than every source, and build folders; so is version control. What a
 * build wrote into the copy stays until its original changes.
 *
 * Returns: whether the copy is complete
 */
gboolean
cs_build_mirror_update (const char *root, const char *mirror, const char *list, CsMirrorCounts *counts,
                        GCancellable *cancellable, GError **error)
{
  Mirror self = { .root = root, .mirror = mirror, .now_ns = g_get_real_time () * 1000, .counts = counts,
                  .cancellable = cancellable, .error = error };
  gboolean ok;

  memset (counts, 0, sizeof *counts);
  if (g_stat (mirror, &self.mirror_stat) != 0)
    return set_error (&self, mirror, "isn't there");
  self.known = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, entry_free);
  self.entries = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, entry_free);
  self.order = g_ptr_array_new ();
  self.folders = g_ptr_array_new_with_free_func (g_free);
  self.libraries = g_ptr_array_new ();
  ok = update (&self, list);
  for (guint i = 0; i < self.libraries->len; i++)
    entry_free (self.libraries->pdata[i]);
  g_hash_table_unref (self.known);
  g_hash_table_unref (self.entries);
  g_ptr_array_unref (self.order);
  g_ptr_array_unref (self.folders);
  g_ptr_array_unref (self.libraries);
  return ok;
}

/**
 * cs_mirror_counts_clear:
 * @self: what an update came to
 */
void
cs_mirror_counts_clear (CsMirrorCounts *self)
{
  g_clear_pointer (&self->example, g_free);
  g_clear_pointer (&self->leads_out, g_free);
}
