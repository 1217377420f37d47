/* SPDX-License-Identifier: MIT */
#pragma once

#include "cs-session.h"
#include "profile/cs-live.h"

G_BEGIN_DECLS

/* A function, whatever index it has in a profile. */
typedef struct
{
  const char *module; /* (nullable): interned */
  guint64 address;
} CsSessionFunction;

struct _CsSession
{
  GObject parent_instance;

  CsJobs *jobs;
  CsProject *project; /* (nullable) */

  char **paths;            /* (nullable): of the recording */
  CsSessionState state;
  char *error;             /* (nullable): why there is no recording */
  CsRecording *recording;  /* (nullable) */
  CsSymbolizer *symbolizer; /* (nullable) */
  CsProfile *whole;        /* (nullable): of all of the recording */
  CsProfile *profile;      /* (nullable): of what the filter lets through, or of what has been read so far */
  double progress;         /* how much of the recording has been read, 0 to 1 */
  GCancellable *reading;   /* (nullable): ends what reads the recording */
  GCancellable *filtering; /* (nullable): ends what makes the filtered profile */
  CsProfile *filtered;     /* (nullable): the whole one that it is made from */
  CsJob *job;              /* (nullable): of the reading */
  CsJob *filter_job;       /* (nullable) */
  CsLive *live;            /* (nullable): of a recording that grows */
  GCancellable *looking;   /* (nullable): ends a look at whether, and how, it has grown */
  guint look_timer;
  gint64 look_us, look_cost_us; /* when the last look began, and what it took */
  gint64 least_look_us;    /* between two looks */
  guint partial_us;        /* as in CsProfileOptions */
  gboolean growing, follow;
  gboolean was_growing;    /* when it was opened */
  gboolean filter_again;   /* the filter changed while it was applied */

  CsProfileFilter filter;
  gboolean has_focus;
  CsSessionFunction focus; /* the function in focus, also where the profile doesn't have it */
  guint function; /* its index in the profile; G_MAXUINT: none */
  GArray *path;  /* (element-type CsSessionFunction): of the frame that the flame graph is zoomed to */
  GArray *found_path; /* (element-type guint) (nullable): these in the profile, once they were looked for */
  GArray *marks; /* (element-type CsSessionMark) */
  CsSessionCall call;
  gboolean has_call;
  gint64 visible_from, visible_to; /* ns from the recording's start; the same: nobody shows a part */
  char *base; /* (nullable): path of what the recording is compared with */
  char *search;
  gboolean regex;

  GPtrArray *back, *forward; /* (element-type CsSessionStep) */
  gboolean stepping;         /* a step is taken, and none is added */
};

typedef enum
{
  PROP_PROJECT = 1,
  PROP_STATE,
  PROP_ERROR,
  PROP_RECORDING,
  PROP_PROFILE,
  PROP_TIMELINE,
  PROP_FILTER,
  PROP_FUNCTION,
  PROP_PATH,
  PROP_MARKS,
  PROP_CALL,
  PROP_VISIBLE,
  PROP_BASE,
  PROP_SEARCH,
  PROP_REGEX,
  PROP_CAN_BACK,
  PROP_CAN_FORWARD,
  PROP_BUSY,
  PROP_PROGRESS,
  PROP_GROWING,
  PROP_FOLLOW,
} CsSessionProperty;

void cs_session_notify (CsSession *self, CsSessionProperty property);
void cs_session_set_state (CsSession *self, CsSessionState state);
void cs_session_set_progress (CsSession *self, double progress);

/* cs-session-reading.c */
void cs_session_stop_reading (CsSession *self);
void cs_session_forget_recording (CsSession *self);
void cs_session_update_profile (CsSession *self);
void cs_session_init_options (CsProfileOptions *options);
void cs_session_take_whole (CsSession *self, CsProfile *profile);

/* cs-session-follow.c */
void cs_session_begin_following (CsSession *self);
void cs_session_stop_following (CsSession *self);

/* cs-session-focus.c */
void cs_session_init_focus (CsSession *self);
void cs_session_free_focus (CsSession *self);
void cs_session_forget_focus (CsSession *self);
void cs_session_put_function (CsSession *self, gboolean has_focus, CsSessionFunction focus);
void cs_session_find_focus (CsSession *self);
void cs_session_put_path (CsSession *self, const GArray *path);
void cs_session_put_marks (CsSession *self, const GArray *marks);

/* cs-session-steps.c */
void cs_session_step_free (gpointer data);
void cs_session_notify_steps (CsSession *self);
void cs_session_add_step (CsSession *self);

G_END_DECLS
