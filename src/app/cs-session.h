/* SPDX-License-Identifier: MIT */
#pragma once

#include "cs-jobs.h"
#include "cs-project.h"
#include "profile/cs-profile.h"

G_BEGIN_DECLS

typedef enum
{
  CS_SESSION_EMPTY,   /* no recording */
  CS_SESSION_READING, /* it is being read for the first time */
  CS_SESSION_READY,   /* there is a profile */
  CS_SESSION_FAILED,  /* it can't be read: the property "error" says why */
} CsSessionState;

#define CS_TYPE_SESSION_STATE (cs_session_state_get_type ())
GType cs_session_state_get_type (void);

/* What a window's views share. Properties that they listen to: project, state, error, recording, profile, timeline,
 * filter, function, search, regex, can-back, can-forward, busy. */
#define CS_TYPE_SESSION (cs_session_get_type ())
G_DECLARE_FINAL_TYPE (CsSession, cs_session, CS, SESSION, GObject)

CsSession *cs_session_new (void);
CsJobs *cs_session_get_jobs (CsSession *self);

/* Project. */
void cs_session_open_project (CsSession *self, const char *folder);
CsProject *cs_session_get_project (CsSession *self);

/* Recording. */
void cs_session_open_recording (CsSession *self, const char *const *paths);
void cs_session_reload (CsSession *self);
void cs_session_cancel_reading (CsSession *self);
void cs_session_close_recording (CsSession *self);
CsSessionState cs_session_get_state (CsSession *self);
const char *cs_session_get_error (CsSession *self);
const char *const *cs_session_get_paths (CsSession *self);
CsRecording *cs_session_get_recording (CsSession *self);
CsProfile *cs_session_get_profile (CsSession *self);
CsProfile *cs_session_get_whole_profile (CsSession *self);
CsTimeline *cs_session_get_timeline (CsSession *self);
gint64 cs_session_get_start (CsSession *self);

/* What of it is shown. */
const CsProfileFilter *cs_session_get_filter (CsSession *self);
void cs_session_set_filter (CsSession *self, const CsProfileFilter *filter);
void cs_session_set_range (CsSession *self, gboolean has_range, gint64 from, gint64 to);
guint cs_session_get_function (CsSession *self);
void cs_session_set_function (CsSession *self, guint function);
const char *cs_session_get_search (CsSession *self);
gboolean cs_session_get_regex (CsSession *self);
void cs_session_set_search (CsSession *self, const char *search, gboolean regex);
void cs_session_back (CsSession *self);
void cs_session_forward (CsSession *self);

/* What the window does for views. */
void cs_session_tell (CsSession *self, const char *text);
void cs_session_tell_with_action (CsSession *self, const char *text, const char *label, const char *detailed_action);
void cs_session_show_view (CsSession *self, const char *name);

G_END_DECLS
