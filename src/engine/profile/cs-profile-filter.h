/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What of a recording a profile is about; zeroed: all of it. */
typedef struct
{
  gboolean has_from, has_to;
  gint64 from, to;   /* ns: what happened from `from' on and before `to' */
  gboolean relative; /* they count from the recording's first event; otherwise CLOCK_MONOTONIC */
  guint pid;         /* 0: all processes */
  char *thread;      /* (nullable): glob for the names of threads, or a tid */
  char *function;    /* (nullable): glob for the names of functions: only their calls, and what is
                        called in these */
} CsProfileFilter;

gboolean cs_profile_filter_is_empty (const CsProfileFilter *self);
void cs_profile_filter_copy (CsProfileFilter *self, const CsProfileFilter *other);
void cs_profile_filter_clear (CsProfileFilter *self);
gboolean cs_profile_filter_parse_time (const char *text, gint64 *ns);

gboolean cs_function_name_matches (const char *glob, const char *name);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CsProfileFilter, cs_profile_filter_clear)

G_END_DECLS
