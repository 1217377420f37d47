/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "receive/cs-receive-store.h"

/* Folders of the same device and second. */
#define TWINS_MOST 10000
/* Bytes that are written before it is asked again how much room there is. */
#define ASK_BYTES (1 << 20)
/* Streams that ended and may go on. */
#define PAST_MOST 256
/* Of the total, what is kept for the markers that say that it is used up. */
#define TOTAL_REST 65536

struct _CsReceiveStore
{
  gatomicrefcount refs;
  char *folder;
  CsReceiveLimits limits;
  GMutex lock;
  guint64 written;   /* under the lock, as all below */
  guint64 unasked;   /* bytes since it was asked how much room there is */
  gboolean low;      /* there was too little, or nobody asked yet */
  GHashTable *past;  /* identity → Past */
  guint64 n_past;    /* that ever were */
};

typedef struct
{
  gpointer writer;
  GDestroyNotify destroy;
  guint64 number; /* the least was remembered first */
} Past;

static void
past_free (gpointer data)
{
  Past *self = data;

  if (self->writer != NULL)
    self->destroy (self->writer);
  g_free (self);
}

/**
 * cs_receive_store_new:
 * @folder: where folders of recordings are made; it need not be there yet
 * @limits: how much room they may take
 *
 * Returns: (transfer full): the store; any thread may use it
 */
CsReceiveStore *
cs_receive_store_new (const char *folder, const CsReceiveLimits *limits)
{
  CsReceiveStore *self = g_new0 (CsReceiveStore, 1);

  g_atomic_ref_count_init (&self->refs);
  self->folder = g_strdup (folder);
  self->limits = *limits;
  self->low = TRUE; /* ask at once */
  g_mutex_init (&self->lock);
  self->past = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, past_free);
  return self;
}

/**
 * cs_receive_store_ref:
 * @self: a store
 *
 * Returns: (transfer full): the same
 */
CsReceiveStore *
cs_receive_store_ref (CsReceiveStore *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cs_receive_store_unref:
 * @self: (transfer full): a store
 */
void
cs_receive_store_unref (CsReceiveStore *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_hash_table_unref (self->past);
  g_mutex_clear (&self->lock);
  g_free (self->folder);
  g_free (self);
}

/**
 * cs_receive_store_get_limits:
 * @self: a store
 *
 * Returns: (transfer none): how much room recordings may take
 */
const CsReceiveLimits *
cs_receive_store_get_limits (const CsReceiveStore *self)
{
  return &self->limits;
}

/**
 * cs_receive_store_prepare:
 * @self: a store
 * @error: where to say why nothing can be written there
 *
 * Makes the folder in which folders of recordings are made. Blocks.
 *
 * Returns: whether it is there
 */
gboolean
cs_receive_store_prepare (CsReceiveStore *self, GError **error)
{
  if (g_mkdir_with_parents (self->folder, 0700) == 0 && g_access (self->folder, W_OK | X_OK) == 0)
    return TRUE;
  g_set_error (error, CS_RECEIVE_ERROR, CS_RECEIVE_ERROR_FOLDER,
               "%s: recordings can't be written there: %s — name another folder with --out", self->folder, g_strerror (errno));
  return FALSE;
}

/**
 * cs_receive_store_make_folder:
 * @self: a store
 * @device: a name that can be part of a file's
 * @fd: (out): its descriptor
 * @error: where to say why there is none
 *
 * Makes a folder that wasn't there, named by the time and the device. Blocks.
 *
 * Returns: (transfer full) (nullable): its path
 */
char *
cs_receive_store_make_folder (CsReceiveStore *self, const char *device, int *fd, GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%Y%m%d-%H%M%S");
  g_autofree char *path = NULL;

  for (guint i = 1; i <= TWINS_MOST; i++)
    {
      g_autofree char *name = i == 1 ? g_strdup_printf ("%s-%s", time, device) : g_strdup_printf ("%s-%s-%u", time, device, i);

      g_free (path);
      path = g_build_filename (self->folder, name, NULL);
      if (g_mkdir (path, 0700) == 0)
        {
          *fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
          if (*fd >= 0)
            return g_steal_pointer (&path);
          break;
        }
      if (errno != EEXIST)
        break;
    }
  g_set_error (error, CS_RECEIVE_ERROR, CS_RECEIVE_ERROR_FOLDER, "%s can't be made: %s", path, g_strerror (errno));
  return NULL;
}

/**
 * cs_receive_store_take:
 * @self: a store
 * @bytes: that are to be written
 * @unit: so many of them belong together
 *
 * Returns: how many of them the total allows, a multiple of @unit; they are counted
 */
guint64
cs_receive_store_take (CsReceiveStore *self, guint64 bytes, guint64 unit)
{
  guint64 most = self->limits.total_bytes;

  g_mutex_lock (&self->lock);
  if (most > 0)
    {
      guint64 left = most > self->written + TOTAL_REST ? most - self->written - TOTAL_REST : 0;

      if (left < bytes)
        bytes = left / unit * unit;
    }
  self->written += bytes;
  g_mutex_unlock (&self->lock);
  return bytes;
}

/**
 * cs_receive_store_note:
 * @self: a store
 * @bytes: that were written besides, as headers and markers, or less than were taken
 */
void
cs_receive_store_note (CsReceiveStore *self, gint64 bytes)
{
  g_mutex_lock (&self->lock);
  self->written += (guint64) bytes;
  g_mutex_unlock (&self->lock);
}

/**
 * cs_receive_store_is_low:
 * @self: a store
 * @fd: a descriptor on its file system
 * @bytes: that are to be written now
 * @free_bytes: (out): how many are free, where there are too few
 *
 * Returns: whether the file system would have less free room than is to stay
 */
gboolean
cs_receive_store_is_low (CsReceiveStore *self, int fd, guint64 bytes, guint64 *free_bytes)
{
  struct statvfs fs;
  gboolean ask, low = FALSE;

  g_mutex_lock (&self->lock);
  self->unasked += bytes;
  ask = self->low || self->unasked >= ASK_BYTES;
  if (ask)
    self->unasked = 0;
  g_mutex_unlock (&self->lock);
  if (!ask || fstatvfs (fd, &fs) != 0)
    return FALSE;
  *free_bytes = (guint64) fs.f_bavail * fs.f_frsize;
  low = *free_bytes < self->limits.least_free + bytes;
  g_mutex_lock (&self->lock);
  self->low = low;
  g_mutex_unlock (&self->lock);
  return low;
}

/**
 * cs_receive_store_recall:
 * @self: a store
 * @identity: of a stream
 *
 * Returns: (transfer full) (nullable): what was remembered of a stream that ended
 */
gpointer
cs_receive_store_recall (CsReceiveStore *self, const char *identity)
{
  gpointer writer = NULL;
  Past *past;

  g_mutex_lock (&self->lock);
  past = g_hash_table_lookup (self->past, identity);
  if (past != NULL)
    {
      writer = g_steal_pointer (&past->writer);
      g_hash_table_remove (self->past, identity);
    }
  g_mutex_unlock (&self->lock);
  return writer;
}

static void
forget_first (CsReceiveStore *self)
{
  GHashTableIter iter;
  gpointer identity, past, first = NULL;
  guint64 least = G_MAXUINT64;

  g_hash_table_iter_init (&iter, self->past);
  while (g_hash_table_iter_next (&iter, &identity, &past))
    if (((Past *) past)->number < least)
      {
        least = ((Past *) past)->number;
        first = identity;
      }
  g_hash_table_remove (self->past, first);
}

/**
 * cs_receive_store_remember:
 * @self: a store
 * @identity: of a stream that ended
 * @writer: (transfer full): what is to be known if it goes on; has no open files and no store
 * @destroy: frees it
 *
 * Remembers the last few hundred streams.
 */
void
cs_receive_store_remember (CsReceiveStore *self, const char *identity, gpointer writer, GDestroyNotify destroy)
{
  Past *past = g_new0 (Past, 1);

  past->writer = writer;
  past->destroy = destroy;
  g_mutex_lock (&self->lock);
  past->number = self->n_past++;
  if (g_hash_table_size (self->past) >= PAST_MOST && !g_hash_table_contains (self->past, identity))
    forget_first (self);
  g_hash_table_replace (self->past, g_strdup (identity), past);
  g_mutex_unlock (&self->lock);
}
