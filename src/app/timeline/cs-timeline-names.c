/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "timeline/cs-timeline-names.h"
#include "layout/cs-flame-layout.h"
#include "layout/cs-palette.h"
#include "profile/cs-call-search.h"
#include "report/cs-picture.h"
#include "shared/cs-format.h"
#include "shared/cs-function-name.h"
#include "shared/cs-settings.h"
#include "tables/cs-function-columns.h"

struct _CsTimelineNames
{
  gatomicrefcount count;
  CsTimeline *timeline;
  CsProfile *profile; /* (nullable): before there is one, functions are addresses */
  gint64 origin;      /* ns, from which times are told */
  gboolean by_module; /* a module has a colour, and not a function */
};

/**
 * cs_timeline_names_new:
 * @timeline: the index of time of a recording
 * @profile: (nullable): of all of it
 * @origin: ns from which times are told
 *
 * Returns: (transfer full): names
 */
CsTimelineNames *
cs_timeline_names_new (CsTimeline *timeline, CsProfile *profile, gint64 origin)
{
  CsTimelineNames *self = g_new0 (CsTimelineNames, 1);

  g_atomic_ref_count_init (&self->count);
  self->timeline = cs_timeline_ref (timeline);
  g_set_object (&self->profile, profile);
  self->origin = origin;
  cs_timeline_names_follow_settings (self);
  return self;
}

/**
 * cs_timeline_names_follow_settings:
 * @self: names
 *
 * What has a colour is as the preferences say from now on.
 */
void
cs_timeline_names_follow_settings (CsTimelineNames *self)
{
  g_autofree char *by = g_settings_get_string (cs_settings_get (), "color-by");

  self->by_module = g_str_equal (by, "module");
}

/**
 * cs_timeline_names_ref:
 * @self: names
 *
 * Returns: (transfer full): the same
 */
CsTimelineNames *
cs_timeline_names_ref (CsTimelineNames *self)
{
  g_atomic_ref_count_inc (&self->count);
  return self;
}

/**
 * cs_timeline_names_unref:
 * @self: (transfer full): names
 */
void
cs_timeline_names_unref (CsTimelineNames *self)
{
  if (!g_atomic_ref_count_dec (&self->count))
    return;
  cs_timeline_unref (self->timeline);
  g_clear_object (&self->profile);
  g_free (self);
}

/**
 * cs_timeline_names_get_timeline:
 * @self: names
 *
 * Returns: (transfer none): the index of time whose calls they name
 */
CsTimeline *
cs_timeline_names_get_timeline (CsTimelineNames *self)
{
  return self->timeline;
}

/**
 * cs_timeline_names_get_profile:
 * @self: names
 *
 * Returns: (transfer none) (nullable): the profile that they come from
 */
CsProfile *
cs_timeline_names_get_profile (CsTimelineNames *self)
{
  return self->profile;
}

/**
 * cs_timeline_names_get_origin:
 * @self: names
 *
 * Returns: ns from which times are told
 */
gint64
cs_timeline_names_get_origin (CsTimelineNames *self)
{
  return self->origin;
}

/**
 * cs_timeline_names_get_function:
 * @self: names
 * @call: a call
 *
 * Returns: the function's index in the profile, or %G_MAXUINT
 */
guint
cs_timeline_names_get_function (CsTimelineNames *self, const CsTimelineCall *call)
{
  return self->profile != NULL ? cs_call_search_get_function (self->profile, self->timeline, call) : G_MAXUINT;
}

static const CsLocation *
get_location (CsTimelineNames *self, guint function)
{
  return &cs_profile_get_functions (self->profile, &(guint){ 0 })[function].location;
}

static const char *
get_colored (CsTimelineNames *self, guint function)
{
  const CsLocation *location = get_location (self, function);

  return self->by_module ? location->module : location->name;
}

/**
 * cs_timeline_names_get_colour:
 * @self: names
 * @call: a call or a block
 *
 * Returns: the number of its colour in the palette; CS_PICTURE_PLAIN: of a block, or a function that isn't known
 */
guint
cs_timeline_names_get_colour (CsTimelineNames *self, const CsTimelineCall *call)
{
  guint function = call->span.address != 0 ? cs_timeline_names_get_function (self, call) : G_MAXUINT;

  return function != G_MAXUINT ? cs_flame_colour_index (get_colored (self, function), CS_PALETTE_N_FUNCTIONS)
                                : CS_PICTURE_PLAIN;
}

/**
 * cs_timeline_names_dup_function:
 * @self: names
 * @call: a call
 *
 * Returns: (transfer full): the function's name as the preferences want it, or its address
 */
char *
cs_timeline_names_dup_function (CsTimelineNames *self, const CsTimelineCall *call)
{
  guint function = cs_timeline_names_get_function (self, call);
  g_autofree char *name = NULL;

  if (function == G_MAXUINT)
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", call->span.address);
  name = cs_function_name_shorten (get_location (self, function)->name);
  return g_utf8_make_valid (name, -1);
}

/**
 * cs_timeline_names_dup_rank:
 * @self: names
 * @call: a call
 *
 * Returns: (transfer full) (nullable): how long the call took beside its function's others: "the slowest of 358,383"
 */
char *
cs_timeline_names_dup_rank (CsTimelineNames *self, const CsTimelineCall *call)
{
  guint function = cs_timeline_names_get_function (self, call);
  g_autofree char *n = NULL;
  g_autofree char *share = NULL;
  CsCallRank rank;

  if (call->span.open)
    return g_strdup (_("not ended when the recording did"));
  if (function == G_MAXUINT)
    return NULL;
  cs_call_rank (self->profile, function, cs_profile_span (call->span.start, call->span.end), &rank);
  if (rank.n == 0)
    return NULL;
  n = cs_format_count (rank.n);
  if (rank.n == 1)
    return g_strdup (_("the only one"));
  if (rank.place == 1)
    return g_strdup_printf (_("the slowest of %s"), n);
  if (rank.place > 1)
    return g_strdup_printf (_("number %u of %s, slowest first"), (guint) rank.place, n);
  if (rank.shorter == 0)
    return g_strdup_printf (_("among the fastest of %s"), n);
  share = cs_format_share (rank.shorter, rank.n);
  return g_strdup_printf (_("longer than %s of %s"), share, n);
}

/* A thread's name, as far as the recording tells it. */
static const char *
get_thread_name (CsTimelineNames *self, guint track)
{
  const CsTimelineTrackInfo *info = cs_timeline_get_track_info (self->timeline, track);
  GPtrArray *processes = cs_recording_get_processes (cs_timeline_get_recording (self->timeline));

  return cs_process_get_thread_name (g_ptr_array_index (processes, info->process), info->tid, info->seq);
}

/**
 * cs_timeline_names_dup_thread:
 * @self: names
 * @track: number of a thread in the index
 *
 * Returns: (transfer full): its name, or its id
 */
char *
cs_timeline_names_dup_thread (CsTimelineNames *self, guint track)
{
  const char *name = get_thread_name (self, track);

  if (name != NULL && *name != '\0')
    return g_utf8_make_valid (name, -1);
  return g_strdup_printf (_("Thread %u"), cs_timeline_get_track_info (self->timeline, track)->tid);
}

/**
 * cs_timeline_names_dup_thread_subtitle:
 * @self: names
 * @track: number of a thread in the index
 *
 * Returns: (transfer full) (nullable): what stands below its name
 */
char *
cs_timeline_names_dup_thread_subtitle (CsTimelineNames *self, guint track)
{
  const char *name = get_thread_name (self, track);

  if (name == NULL || *name == '\0')
    return NULL;
  return g_strdup_printf (_("tid %u"), cs_timeline_get_track_info (self->timeline, track)->tid);
}

/**
 * cs_timeline_names_dup_process:
 * @self: names
 * @process: index of a process in the recording
 *
 * Returns: (transfer full): the program's name and the process's id
 */
char *
cs_timeline_names_dup_process (CsTimelineNames *self, guint process)
{
  GPtrArray *processes = cs_recording_get_processes (cs_timeline_get_recording (self->timeline));
  const CsProcess *of = g_ptr_array_index (processes, process);
  g_autofree char *name = NULL;
  g_autofree char *valid = NULL;

  if (of->section == NULL || of->section->exe == NULL)
    return g_strdup_printf (_("Process %u"), of->pid);
  name = g_path_get_basename (of->section->exe);
  valid = g_utf8_make_valid (name, -1);
  return g_strdup_printf (_("%s · pid %u"), valid, of->pid);
}

/**
 * cs_timeline_names_dup_start:
 * @self: names
 * @ns: a time, CLOCK_MONOTONIC
 * @compact: whether it is told to the microsecond only
 *
 * Returns: (transfer full): the time since the origin to the nanosecond, in seconds with their digits in groups: 2.618 204 113 s
 */
char *
cs_timeline_names_dup_start (CsTimelineNames *self, gint64 ns, gboolean compact)
{
  guint64 since = cs_profile_span (self->origin, ns);
  guint64 rest = since % 1000000000;

  if (compact)
    return g_strdup_printf ("%" G_GUINT64_FORMAT ".%03u %03u s", since / 1000000000, (guint) (rest / 1000000),
                            (guint) (rest / 1000 % 1000));
  return g_strdup_printf ("%" G_GUINT64_FORMAT ".%03u %03u %03u s", since / 1000000000, (guint) (rest / 1000000),
                          (guint) (rest / 1000 % 1000), (guint) (rest % 1000));
}

/* What the chart asks. */
static guint
get_function (guint process, guint64 address, guint64 ts, gpointer data)
{
  CsTimelineNames *self = data;

  return self->profile != NULL ? cs_profile_find_function (self->profile, process, address, ts) : CS_TIMELINE_NO_FUNCTION;
}

static char *
dup_label (guint function, gpointer data)
{
  return cs_function_name_shorten (get_location (data, function)->name);
}

static void
get_color (guint function, const CsChartColors *colors, GdkRGBA *color, gpointer data)
{
  *color = *cs_chart_colors_get_function (colors, get_colored (data, function));
}

static char *
dup_more (const CsTimelineCall *call, gpointer data)
{
  guint function = cs_timeline_names_get_function (data, call);
  g_autofree char *rank = cs_timeline_names_dup_rank (data, call);
  g_autofree char *place = function != G_MAXUINT ? cs_location_dup_place (get_location (data, function)) : NULL;

  if (rank != NULL && place != NULL && *place != '\0')
    return g_strconcat (rank, "\n", place, NULL);
  return rank != NULL ? g_steal_pointer (&rank) : place != NULL && *place != '\0' ? g_steal_pointer (&place) : NULL;
}

static char *
dup_track_title (guint track, gpointer data)
{
  return cs_timeline_names_dup_thread (data, track);
}

static char *
dup_track_subtitle (guint track, gpointer data)
{
  return cs_timeline_names_dup_thread_subtitle (data, track);
}

static char *
dup_process_title (guint process, gpointer data)
{
  return cs_timeline_names_dup_process (data, process);
}

static void
free_names (gpointer data)
{
  cs_timeline_names_unref (data);
}

/**
 * cs_timeline_names_give:
 * @self: names
 * @chart: a chart
 *
 * Makes the chart write these.
 */
void
cs_timeline_names_give (CsTimelineNames *self, CsTimelineChart *chart)
{
  const CsTimelineChartTexts texts = {
    .get_function = get_function,
    .dup_label = dup_label,
    .get_color = get_color,
    .dup_more = dup_more,
    .dup_track_title = dup_track_title,
    .dup_track_subtitle = dup_track_subtitle,
    .dup_process_title = dup_process_title,
  };

  cs_timeline_chart_set_texts (chart, &texts, cs_timeline_names_ref (self), free_names);
}
