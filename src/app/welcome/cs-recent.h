/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  CS_RECENT_PROJECT,
  CS_RECENT_RECORDING,
} CsRecentKind;

/* Something that was opened. Its property `detail` notifies once it was looked at what there is now. */
#define CS_TYPE_RECENT (cs_recent_get_type ())
G_DECLARE_FINAL_TYPE (CsRecent, cs_recent, CS, RECENT, GObject)

CsRecentKind cs_recent_get_kind (CsRecent *self);
const char *const *cs_recent_get_paths (CsRecent *self);
const char *cs_recent_get_title (CsRecent *self);
char *cs_recent_dup_place (CsRecent *self);
const char *cs_recent_get_detail (CsRecent *self);
gboolean cs_recent_is_missing (CsRecent *self);

G_END_DECLS
