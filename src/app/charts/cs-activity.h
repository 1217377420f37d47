/* SPDX-License-Identifier: MIT */
#pragma once

#include "layout/cs-density.h"
#include "timeline/cs-timeline.h"

G_BEGIN_DECLS

/* How many events a recording has over its time, for as many columns and rows as are asked for: read from an index in a
 * thread, or counted otherwise. "changed" tells that there is another density or error. */
#define CS_TYPE_ACTIVITY (cs_activity_get_type ())
G_DECLARE_FINAL_TYPE (CsActivity, cs_activity, CS, ACTIVITY, GObject)

CsActivity *cs_activity_new (void);
void cs_activity_set_timeline (CsActivity *self, CsTimeline *timeline);
void cs_activity_set_events (CsActivity *self, guint64 span, const guint64 *events, guint n_columns, guint n_tracks);
void cs_activity_request (CsActivity *self, guint n_columns, guint max_rows);
void cs_activity_stop (CsActivity *self);

gint64 cs_activity_get_start (CsActivity *self);
guint64 cs_activity_get_span (CsActivity *self);
guint cs_activity_get_n_tracks (CsActivity *self);
char *cs_activity_dup_track_name (CsActivity *self, guint track);
const CsDensity *cs_activity_get_density (CsActivity *self);
const char *cs_activity_get_error (CsActivity *self);
gboolean cs_activity_is_reading (CsActivity *self);

G_END_DECLS
