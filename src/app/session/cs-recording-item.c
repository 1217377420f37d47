/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-recording-item.h"
#include "shared/cs-format.h"
#include "shared/cs-when.h"

struct _CsRecordingItem
{
  GObject parent_instance;

  CsRecordingInfo *info;
  gboolean running; /* this program records it now */
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsRecordingItem, cs_recording_item, G_TYPE_OBJECT)

static void
cs_recording_item_finalize (GObject *object)
{
  g_clear_pointer (&CS_RECORDING_ITEM (object)->info, cs_recording_info_free);

  G_OBJECT_CLASS (cs_recording_item_parent_class)->finalize (object);
}

static void
cs_recording_item_class_init (CsRecordingItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_recording_item_finalize;
  signals[CHANGED] = g_signal_new ("changed", CS_TYPE_RECORDING_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
cs_recording_item_init (CsRecordingItem *self)
{
}

/**
 * cs_recording_item_new:
 * @info: what is said of a recording; copied
 *
 * Returns: (transfer full): the recording
 */
CsRecordingItem *
cs_recording_item_new (const CsRecordingInfo *info)
{
  CsRecordingItem *self = g_object_new (CS_TYPE_RECORDING_ITEM, NULL);

  self->info = cs_recording_info_copy (info);
  return self;
}

/**
 * cs_recording_item_set_info:
 * @self: a recording
 * @info: what is said of it now; copied. Its folder is the same
 */
void
cs_recording_item_set_info (CsRecordingItem *self, const CsRecordingInfo *info)
{
  g_return_if_fail (CS_IS_RECORDING_ITEM (self));

  cs_recording_info_free (self->info);
  self->info = cs_recording_info_copy (info);
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * cs_recording_item_set_running:
 * @self: a recording
 * @running: whether this program records it now
 */
void
cs_recording_item_set_running (CsRecordingItem *self, gboolean running)
{
  g_return_if_fail (CS_IS_RECORDING_ITEM (self));

  if (self->running == running)
    return;
  self->running = running;
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * cs_recording_item_get_info:
 * @self: a recording
 *
 * Returns: (transfer none): what is said of it; until it changes
 */
const CsRecordingInfo *
cs_recording_item_get_info (CsRecordingItem *self)
{
  return self->info;
}

/**
 * cs_recording_item_get_folder:
 * @self: a recording
 *
 * Returns: (transfer none) (type filename): its absolute path
 */
const char *
cs_recording_item_get_folder (CsRecordingItem *self)
{
  return self->info->folder;
}

/**
 * cs_recording_item_dup_title:
 * @self: a recording
 *
 * Returns: (transfer full): what to call it
 */
char *
cs_recording_item_dup_title (CsRecordingItem *self)
{
  return cs_recording_info_get_title (self->info);
}

/**
 * cs_recording_item_dup_detail:
 * @self: a recording
 *
 * Returns: (transfer full): how much there is in it, or that this isn't known
 */
char *
cs_recording_item_dup_detail (CsRecordingItem *self)
{
  const CsRecordingSummary *summary = &self->info->summary;
  g_autofree char *span = NULL;
  g_autofree char *calls = NULL;
  g_autofree char *threads = NULL;

  if (self->running)
    return g_strdup (_("Being recorded"));
  if (!self->info->has_summary)
    return self->info->ended_us == 0 && self->info->started_us > 0 && self->info->command != NULL
               ? g_strdup (_("Its end wasn’t seen")) : g_strdup (_("Not read yet"));
  span = cs_format_duration (summary->length_ns);
  calls = cs_format_count_short (summary->calls);
  threads = g_strdup_printf (ngettext ("%u thread", "%u threads", (gulong) summary->threads), (guint) summary->threads);
  return g_strdup_printf (summary->calls == 1 ? _("%s · %s call · %s") : _("%s · %s calls · %s"), span, calls, threads);
}

/**
 * cs_recording_item_dup_size:
 * @self: a recording
 *
 * Returns: (transfer full): the size of its files; "" where that isn't known
 */
char *
cs_recording_item_dup_size (CsRecordingItem *self)
{
  return self->info->has_summary ? g_format_size (self->info->summary.bytes) : g_strdup ("");
}

/**
 * cs_recording_item_dup_when:
 * @self: a recording
 *
 * Returns: (transfer full): when it was begun
 */
char *
cs_recording_item_dup_when (CsRecordingItem *self)
{
  return cs_when_format (self->info->started_us, g_get_real_time ());
}
