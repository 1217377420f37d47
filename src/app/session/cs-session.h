/* SPDX-License-Identifier: MIT */
#pragma once

#include "cs-jobs.h"
#include "cs-project.h"
#include "layout/cs-flame-layout.h"
#include "profile/cs-profile.h"

G_BEGIN_DECLS

typedef enum
{
  CS_SESSION_EMPTY,   /* no recording */
  CS_SESSION_READING, /* it is being read for the first time, and there is nothing of it yet */
  CS_SESSION_PARTIAL, /* there is a profile of a part of it: it is still being read, or reading was stopped */
  CS_SESSION_READY,   /* there is a profile */
  CS_SESSION_FAILED,  /* it can't be read: the property "error" says why */
} CsSessionState;

#define CS_TYPE_SESSION_STATE (cs_session_state_get_type ())
GType cs_session_state_get_type (void);

/* A single call, and where it is. */
typedef struct
{
  guint process;     /* index in the recording */
  guint tid;
  guint64 seq;       /* of the thread's first file */
  gint64 start, end; /* ns, CLOCK_MONOTONIC */
  guint64 address;   /* of the function, as recorded; 0: not known */
  guint64 position;  /* as in CsTimelineSpan; 0: not known */
  guint32 depth;     /* 0: outermost; G_MAXUINT32: not known */
} CsSessionCall;

/* A function, or a whole module, that flame graphs treat in a special way. */
typedef struct
{
  const char *module;  /* (nullable): interned */
  guint64 address;     /* link address of the function */
  gboolean whole;      /* all functions of the module: there is no address */
  CsFlameMark mark;
} CsSessionMark;

/* What a window's views share. Properties that they listen to: project, state, error, recording, profile, timeline,
 * filter, function, path, marks, call, visible, base, search, regex, can-back, can-forward, busy, progress,
 * growing, follow. */
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
gboolean cs_session_is_reading (CsSession *self);
double cs_session_get_progress (CsSession *self);
gboolean cs_session_get_growing (CsSession *self);
gboolean cs_session_get_follow (CsSession *self);
void cs_session_set_follow (CsSession *self, gboolean follow);
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
const guint *cs_session_get_path (CsSession *self, guint *n);
void cs_session_set_path (CsSession *self, const guint *functions, guint n);
const CsSessionMark *cs_session_get_marks (CsSession *self, guint *n);
void cs_session_set_mark (CsSession *self, guint function, gboolean whole_module, CsFlameMark mark);
void cs_session_remove_mark (CsSession *self, guint mark);
void cs_session_clear_marks (CsSession *self);
guint8 *cs_session_dup_function_marks (CsSession *self);
const CsSessionCall *cs_session_get_call (CsSession *self);
void cs_session_set_call (CsSession *self, const CsSessionCall *call);
gboolean cs_session_get_visible (CsSession *self, gint64 *from, gint64 *to);
void cs_session_set_visible (CsSession *self, gint64 from, gint64 to);
const char *cs_session_get_base (CsSession *self);
void cs_session_set_base (CsSession *self, const char *path);
const char *cs_session_get_search (CsSession *self);
gboolean cs_session_get_regex (CsSession *self);
void cs_session_set_search (CsSession *self, const char *search, gboolean regex);
void cs_session_back (CsSession *self);
void cs_session_forward (CsSession *self);

/* A function in another profile. */
guint cs_session_find_function (CsProfile *profile, const char *module, guint64 address);

/* What the window does for views. */
void cs_session_tell (CsSession *self, const char *text);
void cs_session_tell_with_action (CsSession *self, const char *text, const char *label, const char *detailed_action);
void cs_session_show_view (CsSession *self, const char *name);

G_END_DECLS
