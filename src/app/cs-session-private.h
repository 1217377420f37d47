/* SPDX-License-Identifier: MIT */
#pragma once

#include "cs-session.h"

G_BEGIN_DECLS

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
  CsProfile *profile;      /* (nullable): of what the filter lets through */
  GCancellable *reading;   /* (nullable): ends what reads the recording */
  GCancellable *filtering; /* (nullable): ends what makes the filtered profile */
  CsJob *job;              /* (nullable): of the reading */
  CsJob *filter_job;       /* (nullable) */
  gboolean filter_again;   /* the filter changed while it was applied */

  CsProfileFilter filter;
  guint function; /* index in the profile; G_MAXUINT: none */
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
  PROP_SEARCH,
  PROP_REGEX,
  PROP_CAN_BACK,
  PROP_CAN_FORWARD,
  PROP_BUSY,
} CsSessionProperty;

void cs_session_notify (CsSession *self, CsSessionProperty property);
void cs_session_set_state (CsSession *self, CsSessionState state);

/* cs-session-reading.c */
void cs_session_stop_reading (CsSession *self);
void cs_session_forget_recording (CsSession *self);
void cs_session_update_profile (CsSession *self);

/* cs-session-steps.c */
void cs_session_step_free (gpointer data);
const CsFunction *cs_session_get_focused (CsSession *self);
guint cs_session_find_function (CsProfile *profile, const char *module, guint64 address);
void cs_session_notify_steps (CsSession *self);
void cs_session_add_step (CsSession *self);

G_END_DECLS
