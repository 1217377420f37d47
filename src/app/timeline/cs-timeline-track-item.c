/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "timeline/cs-timeline-tracks-private.h"

G_DEFINE_FINAL_TYPE (CsTrackItem, cs_track_item, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
cs_track_item_finalize (GObject *object)
{
  CsTrackItem *self = CS_TRACK_ITEM (object);

  g_free (self->title);
  g_free (self->subtitle);
  g_free (self->searched);
  g_free (self->key);

  G_OBJECT_CLASS (cs_track_item_parent_class)->finalize (object);
}

static void
cs_track_item_class_init (CsTrackItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_track_item_finalize;
  signals[CHANGED] = g_signal_new ("changed", CS_TYPE_TRACK_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 0);
}

static void
cs_track_item_init (CsTrackItem *self)
{
}

/* The order of the list: pinned threads, then each process with its own, as the person put them. Those that nobody moved are
 * ordered by name, sort-2 before sort-10, behind the main thread. */
int
cs_track_item_compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const CsTrackItem *x = a, *y = b;
  int result;

  if (x->settings.pinned != y->settings.pinned)
    return x->settings.pinned ? -1 : 1;
  if (!x->settings.pinned && x->process != y->process)
    return x->process < y->process ? -1 : 1;
  if (x->settings.order != y->settings.order)
    return x->settings.order < y->settings.order ? -1 : 1;
  if (x->is_main != y->is_main)
    return x->is_main ? -1 : 1;
  result = strcmp (x->key, y->key);
  if (result != 0)
    return result;
  return x->track < y->track ? -1 : x->track > y->track;
}

/**
 * cs_track_item_get_track:
 * @self: a thread
 *
 * Returns: its number in the index of time
 */
guint
cs_track_item_get_track (CsTrackItem *self)
{
  return self->track;
}

/**
 * cs_track_item_get_title:
 * @self: a thread
 *
 * Returns: its name
 */
const char *
cs_track_item_get_title (CsTrackItem *self)
{
  return self->title;
}

/**
 * cs_track_item_get_subtitle:
 * @self: a thread
 *
 * Returns: its id and process
 */
const char *
cs_track_item_get_subtitle (CsTrackItem *self)
{
  return self->subtitle;
}

/**
 * cs_track_item_get_hidden:
 * @self: a thread
 *
 * Returns: whether the person hid it
 */
gboolean
cs_track_item_get_hidden (CsTrackItem *self)
{
  return self->settings.hidden;
}

/**
 * cs_track_item_get_pinned:
 * @self: a thread
 *
 * Returns: whether it stays above all others
 */
gboolean
cs_track_item_get_pinned (CsTrackItem *self)
{
  return self->settings.pinned;
}

/**
 * cs_track_item_get_left_out:
 * @self: a thread
 *
 * Returns: whether a filter leaves it out
 */
gboolean
cs_track_item_get_left_out (CsTrackItem *self)
{
  return self->left_out;
}

/**
 * cs_track_item_matches:
 * @self: a thread
 * @text: what a person looks for
 *
 * Returns: whether its name, id or process has that, in any case
 */
gboolean
cs_track_item_matches (CsTrackItem *self, const char *text)
{
  g_autofree char *needle = g_utf8_casefold (text, -1);

  return strstr (self->searched, needle) != NULL;
}

/* Its settings, or whether it is left out, are others now. */
void
cs_track_item_changed (CsTrackItem *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}
