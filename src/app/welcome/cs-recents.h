/* SPDX-License-Identifier: MIT */
#pragma once

#include "session/cs-session.h"
#include "welcome/cs-recent.h"

G_BEGIN_DECLS

/* What was opened, the latest first: a GListModel of CsRecent, kept in a file. */
#define CS_TYPE_RECENTS (cs_recents_get_type ())
G_DECLARE_FINAL_TYPE (CsRecents, cs_recents, CS, RECENTS, GObject)

/* What an analysis knew of a recording. */
typedef struct
{
  const char *program; /* (nullable) */
  guint64 length_ns, calls;
} CsRecentFacts;

CsRecents *cs_recents_new (const char *path);
CsRecents *cs_recents_get_default (void);
gboolean cs_recents_is_loaded (CsRecents *self);
gboolean cs_recents_is_busy (CsRecents *self);
void cs_recents_add_project (CsRecents *self, const char *folder);
void cs_recents_add_recording (CsRecents *self, const char *const *paths, const CsRecentFacts *facts);
void cs_recents_remove (CsRecents *self, CsRecent *recent);
void cs_recents_look (CsRecents *self);
void cs_recents_follow (CsRecents *self, CsSession *session);

G_END_DECLS
