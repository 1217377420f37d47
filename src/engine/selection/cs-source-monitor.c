/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "selection/cs-source-monitor.h"

#define MAX_WATCHES 16384
#define COLLECT_MS 300
#define BURST_US 4000 /* that folders are taken on at a time */

typedef struct
{
  CsSourceMonitor *owner;
  GFileMonitor *monitor;
  char *path;
  guint64 device;
  guint64 inode;
} Watch;

struct _CsSourceMonitor
{
  char *root;
  GMainContext *context; /* of the thread that watches */
  GHashTable *watches;   /* (element-type utf8 Watch), by path */
  GPtrArray *waiting;    /* (element-type CsTreeFolder): to be watched */
  GHashTable *changed;   /* (element-type utf8 utf8): a set of paths */
  GSource *timer;        /* (nullable): runs while changes are collected */
  GSource *adder;        /* (nullable): runs while folders wait */
  gboolean is_busy;      /* changes were told, and the answer isn't there yet */
  char *problem;         /* (nullable) */
  CsSourceMonitorFunc func;
  gpointer user_data;
};

static void
watch_free (gpointer data)
{
  Watch *watch = data;

  if (watch->monitor != NULL)
    {
      g_signal_handlers_disconnect_by_data (watch->monitor, watch);
      g_file_monitor_cancel (watch->monitor);
      g_object_unref (watch->monitor);
    }
  g_free (watch->path);
  g_free (watch);
}

static gboolean
end_some (gpointer monitors)
{
  gint64 end = g_get_monotonic_time () + BURST_US;
  GPtrArray *rest = monitors;

  while (rest->len > 0 && g_get_monotonic_time () < end)
    {
      g_autoptr (GFileMonitor) monitor = g_ptr_array_steal_index (rest, rest->len - 1);

      g_file_monitor_cancel (monitor);
    }
  return rest->len > 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* Ends all watches, of which nothing is heard any more. There may be thousands: that goes on for a while. */
static void
end_watches (CsSourceMonitor *self)
{
  g_autoptr (GPtrArray) rest = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GSource) source = g_idle_source_new ();
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->watches);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Watch *watch = value;

      if (watch->monitor == NULL)
        continue;
      g_signal_handlers_disconnect_by_data (watch->monitor, watch);
      g_ptr_array_add (rest, g_steal_pointer (&watch->monitor));
    }
  g_source_set_callback (source, end_some, g_ptr_array_ref (rest), (GDestroyNotify) g_ptr_array_unref);
  g_source_attach (source, self->context);
}

static void
clear_source (GSource **source)
{
  if (*source == NULL)
    return;
  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

/* Runs func in the context of the thread that watches. */
static GSource *
add_source (CsSourceMonitor *self, GSource *source, GSourceFunc func)
{
  g_source_set_callback (source, func, self, NULL);
  g_source_attach (source, self->context);
  return source;
}

static gboolean
on_time (gpointer data)
{
  CsSourceMonitor *self = data;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) paths = NULL;
  GHashTableIter iter;
  gpointer path;

  clear_source (&self->timer);
  g_hash_table_iter_init (&iter, self->changed);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    g_strv_builder_add (builder, path);
  paths = g_strv_builder_end (builder);
  g_hash_table_remove_all (self->changed);
  self->is_busy = TRUE;
  g_main_context_push_thread_default (self->context);
  self->func ((const char *const *) paths, self->user_data);
  g_main_context_pop_thread_default (self->context);
  return G_SOURCE_REMOVE;
}

/* The time runs from the first change on, so that a build that never rests can't hold it up. */
static void
start_timer (CsSourceMonitor *self)
{
  if (self->timer == NULL && !self->is_busy && g_hash_table_size (self->changed) > 0)
    self->timer = add_source (self, g_timeout_source_new (COLLECT_MS), on_time);
}

static void
add_change (CsSourceMonitor *self, const char *path)
{
  if (!g_hash_table_contains (self->changed, path))
    g_hash_table_add (self->changed, g_strdup (path));
  start_timer (self);
}

static void
on_changed (GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event, gpointer data)
{
  Watch *watch = data;
  g_autofree char *name = g_file_get_basename (file);

  /* What objects and logs are filled with is of no interest. */
  if ((event == G_FILE_MONITOR_EVENT_CHANGED || event == G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT)
      && !cs_source_path_is_source (name, NULL) && strcmp (name, ".gitignore") != 0)
    return;
  add_change (watch->owner, watch->path);
}

static void
set_problem (CsSourceMonitor *self, const char *why)
{
  if (self->problem == NULL)
    self->problem = g_strdup_printf ("Not all folders are watched for changes (%s) — read the project again after changes",
                                     why);
}

/* A GFileMonitor doesn't tell that it got no watch; one of our own does. */
static void
try_limit (CsSourceMonitor *self)
{
  int fd = inotify_init1 (IN_CLOEXEC);

  if (fd < 0 && errno == EMFILE)
    set_problem (self, "the limit fs.inotify.max_user_instances is reached");
  else if (fd >= 0 && inotify_add_watch (fd, self->root, IN_CREATE) < 0 && errno == ENOSPC)
    set_problem (self, "the limit fs.inotify.max_user_watches is reached");
  if (fd >= 0)
    close (fd);
}

/* What happened between the reading of a folder and its watch isn't told: it is read once more. */
static void
add_watch (CsSourceMonitor *self, const CsTreeFolder *folder)
{
  g_autofree char *path = g_build_filename (self->root, folder->path, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  Watch *watch;

  if (g_hash_table_contains (self->watches, folder->path))
    return;
  if (g_hash_table_size (self->watches) >= MAX_WATCHES)
    {
      set_problem (self, "there are more than " G_STRINGIFY (MAX_WATCHES));
      return;
    }
  watch = g_new0 (Watch, 1);
  watch->owner = self;
  watch->path = g_strdup (folder->path);
  watch->device = folder->device;
  watch->inode = folder->inode;
  watch->monitor = g_file_monitor_directory (file, G_FILE_MONITOR_NONE, NULL, &error);
  g_hash_table_insert (self->watches, watch->path, watch);
  if (watch->monitor == NULL)
    {
      set_problem (self, error->message);
      return;
    }
  g_file_monitor_set_rate_limit (watch->monitor, COLLECT_MS);
  g_signal_connect (watch->monitor, "changed", G_CALLBACK (on_changed), watch);
  add_change (self, folder->path);
}

static gboolean
on_idle (gpointer data)
{
  CsSourceMonitor *self = data;
  gint64 end = g_get_monotonic_time () + BURST_US;

  g_main_context_push_thread_default (self->context);
  while (self->waiting->len > 0 && g_get_monotonic_time () < end)
    {
      add_watch (self, g_ptr_array_index (self->waiting, self->waiting->len - 1));
      g_ptr_array_set_size (self->waiting, (int) self->waiting->len - 1);
    }
  g_main_context_pop_thread_default (self->context);
  if (self->waiting->len > 0)
    return G_SOURCE_CONTINUE;
  try_limit (self);
  clear_source (&self->adder);
  return G_SOURCE_REMOVE;
}

/**
 * cs_source_monitor_new:
 * @root: absolute path of a source tree
 * @func: what to call with folders in which something may have changed, as paths from the root
 * @user_data: for @func
 *
 * After a call changes are collected, and told when cs_source_monitor_go_on() has been called.
 *
 * Returns: (transfer full): a monitor of no folders yet, which calls in the calling thread's main context
 */
CsSourceMonitor *
cs_source_monitor_new (const char *root, CsSourceMonitorFunc func, gpointer user_data)
{
  CsSourceMonitor *self = g_new0 (CsSourceMonitor, 1);

  self->root = g_strdup (root);
  self->context = g_main_context_ref_thread_default ();
  self->watches = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, watch_free);
  self->waiting = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_tree_folder_unref);
  self->changed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->func = func;
  self->user_data = user_data;
  return self;
}

static gboolean
is_over (gpointer key, gpointer value, gpointer data)
{
  const Watch *watch = value;
  const CsTreeFolder *folder = g_hash_table_lookup (data, key);

  return folder == NULL || folder->is_skipped || folder->device != watch->device || folder->inode != watch->inode;
}

/**
 * cs_source_monitor_set_folders:
 * @self: a monitor
 * @folders: (element-type utf8 CsTreeFolder): the folders to watch from now on
 */
void
cs_source_monitor_set_folders (CsSourceMonitor *self, GHashTable *folders)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_foreach_remove (self->watches, is_over, folders);
  g_ptr_array_set_size (self->waiting, 0);
  g_hash_table_iter_init (&iter, folders);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      CsTreeFolder *folder = value;

      if (!folder->is_skipped && !g_hash_table_contains (self->watches, folder->path))
        g_ptr_array_add (self->waiting, cs_tree_folder_ref (folder));
    }
  if (self->waiting->len > 0 && self->adder == NULL)
    self->adder = add_source (self, g_idle_source_new (), on_idle);
}

/**
 * cs_source_monitor_go_on:
 * @self: a monitor that has told of changes
 *
 * Lets it tell of more.
 */
void
cs_source_monitor_go_on (CsSourceMonitor *self)
{
  self->is_busy = FALSE;
  start_timer (self);
}

/**
 * cs_source_monitor_get_problem:
 * @self: a monitor
 *
 * Returns: (nullable): a sentence on why it doesn't see everything
 */
const char *
cs_source_monitor_get_problem (const CsSourceMonitor *self)
{
  return self->problem;
}

/**
 * cs_source_monitor_free:
 * @self: (transfer full): a monitor
 */
void
cs_source_monitor_free (CsSourceMonitor *self)
{
  clear_source (&self->timer);
  clear_source (&self->adder);
  end_watches (self);
  g_hash_table_unref (self->watches);
  g_ptr_array_unref (self->waiting);
  g_hash_table_unref (self->changed);
  g_main_context_unref (self->context);
  g_free (self->problem);
  g_free (self->root);
  g_free (self);
}
