/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "calls/cs-thread-picker.h"
#include "profile/cs-pass-filter.h"
#include "shared/cs-format.h"

struct _CsThreadPicker
{
  AdwBin parent_instance;

  GtkDropDown *list;
  GtkStringList *names;
  GArray *tracks;       /* (element-type guint): numbers of the threads in the list */
  CsTimeline *timeline; /* (nullable): whose they are */
  guint track;          /* G_MAXUINT: none */
  gboolean setting;
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsThreadPicker, cs_thread_picker, ADW_TYPE_BIN)

static const CsProcess *
get_process (CsTimeline *timeline, const CsTimelineTrackInfo *info)
{
  return g_ptr_array_index (cs_recording_get_processes (cs_timeline_get_recording (timeline)), info->process);
}

static char *
dup_name (CsTimeline *timeline, const CsTimelineTrackInfo *info)
{
  GPtrArray *processes = cs_recording_get_processes (cs_timeline_get_recording (timeline));
  const CsProcess *process = get_process (timeline, info);
  const char *name = cs_process_get_thread_name (process, info->tid, info->seq);
  g_autofree char *valid = g_utf8_make_valid (name != NULL ? name : _("Thread"), -1);
  g_autofree char *n = cs_format_count (info->n_events);
  g_autofree char *of = processes->len > 1 ? g_strdup_printf (_(" · process %u"), process->pid) : g_strdup ("");

  return g_strdup_printf (ngettext ("%s (%u)%s · %s event", "%s (%u)%s · %s events", info->n_events), valid, info->tid, of, n);
}

static gboolean
is_taken (CsTimeline *timeline, const CsTimelineTrackInfo *info, CsPassFilter *filter)
{
  const CsProcess *process = get_process (timeline, info);

  return filter == NULL || ((filter->pid == 0 || filter->pid == process->pid)
                            && cs_pass_filter_takes_thread (filter, process, info->tid, info->seq));
}

static void
list_threads (CsThreadPicker *self, CsTimeline *timeline, CsPassFilter *filter)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  g_array_set_size (self->tracks, 0);
  for (guint i = 0; timeline != NULL && i < cs_timeline_get_n_tracks (timeline); i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (timeline, i);

      if (!is_taken (timeline, info, filter))
        continue;
      g_array_append_val (self->tracks, i);
      g_ptr_array_add (names, dup_name (timeline, info));
    }
  g_ptr_array_add (names, NULL);
  gtk_string_list_splice (self->names, 0, g_list_model_get_n_items (G_LIST_MODEL (self->names)),
                          (const char *const *) names->pdata);
}

/* The thread that was shown, in another index of the same recording. */
static guint
find_same (CsThreadPicker *self, CsTimeline *timeline)
{
  const CsTimelineTrackInfo *old;

  if (self->timeline == NULL || timeline == NULL || self->track == G_MAXUINT
      || cs_timeline_get_recording (self->timeline) != cs_timeline_get_recording (timeline))
    return G_MAXUINT;
  old = cs_timeline_get_track_info (self->timeline, self->track);
  for (guint i = 0; i < cs_timeline_get_n_tracks (timeline); i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (timeline, i);

      if (info->process == old->process && info->tid == old->tid && info->seq == old->seq)
        return i;
    }
  return G_MAXUINT;
}

/* The thread to begin with: the program's first, or what has the most events. */
static guint
choose (CsThreadPicker *self, CsTimeline *timeline, guint wanted)
{
  guint best = G_MAXUINT;
  guint64 most = 0;

  for (guint i = 0; i < self->tracks->len; i++)
    {
      guint track = g_array_index (self->tracks, guint, i);
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (timeline, track);

      if (track == wanted)
        return track;
      if (info->tid == get_process (timeline, info)->pid && info->n_events > 0 && most < G_MAXUINT64)
        {
          best = track;
          most = G_MAXUINT64;
        }
      else if (best == G_MAXUINT || info->n_events > most)
        {
          best = track;
          most = info->n_events;
        }
    }
  return best;
}

static guint
find_position (CsThreadPicker *self, guint track)
{
  for (guint i = 0; i < self->tracks->len; i++)
    if (g_array_index (self->tracks, guint, i) == track)
      return i;
  return GTK_INVALID_LIST_POSITION;
}

static void
on_selected (CsThreadPicker *self)
{
  guint position = gtk_drop_down_get_selected (self->list);

  if (self->setting || position >= self->tracks->len || g_array_index (self->tracks, guint, position) == self->track)
    return;
  self->track = g_array_index (self->tracks, guint, position);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
cs_thread_picker_dispose (GObject *object)
{
  CsThreadPicker *self = CS_THREAD_PICKER (object);

  g_clear_pointer (&self->timeline, cs_timeline_unref);
  g_clear_object (&self->names);

  G_OBJECT_CLASS (cs_thread_picker_parent_class)->dispose (object);
}

static void
cs_thread_picker_finalize (GObject *object)
{
  g_array_unref (CS_THREAD_PICKER (object)->tracks);

  G_OBJECT_CLASS (cs_thread_picker_parent_class)->finalize (object);
}

static void
cs_thread_picker_class_init (CsThreadPickerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_thread_picker_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_thread_picker_finalize;
  signals[CHANGED] = g_signal_new ("changed", CS_TYPE_THREAD_PICKER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
cs_thread_picker_init (CsThreadPicker *self)
{
  GtkWidget *list = gtk_drop_down_new (NULL, gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string"));

  self->list = GTK_DROP_DOWN (list);
  self->track = G_MAXUINT;
  self->tracks = g_array_new (FALSE, FALSE, sizeof (guint));
  self->names = gtk_string_list_new (NULL);
  gtk_drop_down_set_enable_search (self->list, TRUE);
  gtk_drop_down_set_model (self->list, G_LIST_MODEL (self->names));
  gtk_widget_set_tooltip_text (list, _("Thread"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Thread"), -1);
  adw_bin_set_child (ADW_BIN (self), list);
  g_signal_connect_object (list, "notify::selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
}

/**
 * cs_thread_picker_set_timeline:
 * @self: a picker
 * @timeline: (nullable): the index of a recording
 * @filter: (nullable): which of its threads may be chosen
 *
 * The thread that was chosen stays so if it is there; otherwise another one is, without a signal.
 */
void
cs_thread_picker_set_timeline (CsThreadPicker *self, CsTimeline *timeline, CsPassFilter *filter)
{
  guint wanted = find_same (self, timeline);

  self->setting = TRUE;
  list_threads (self, timeline, filter);
  if (timeline != NULL)
    cs_timeline_ref (timeline);
  g_clear_pointer (&self->timeline, cs_timeline_unref);
  self->timeline = timeline;
  self->track = timeline != NULL ? choose (self, timeline, wanted) : G_MAXUINT;
  gtk_drop_down_set_selected (self->list, find_position (self, self->track));
  self->setting = FALSE;
}

/**
 * cs_thread_picker_get_n:
 * @self: a picker
 *
 * Returns: how many threads can be chosen
 */
guint
cs_thread_picker_get_n (CsThreadPicker *self)
{
  return self->tracks->len;
}

/**
 * cs_thread_picker_get_track:
 * @self: a picker
 *
 * Returns: number of the track that is chosen; G_MAXUINT: none
 */
guint
cs_thread_picker_get_track (CsThreadPicker *self)
{
  return self->track;
}

/**
 * cs_thread_picker_set_track:
 * @self: a picker
 * @track: number of a track
 *
 * Returns: whether it can be chosen, and is
 */
gboolean
cs_thread_picker_set_track (CsThreadPicker *self, guint track)
{
  guint position = find_position (self, track);

  if (position == GTK_INVALID_LIST_POSITION)
    return FALSE;
  gtk_drop_down_set_selected (self->list, position);
  return TRUE;
}

/**
 * cs_thread_picker_get_list:
 * @self: a picker
 *
 * Returns: (transfer none): its list
 */
GtkDropDown *
cs_thread_picker_get_list (CsThreadPicker *self)
{
  return self->list;
}
