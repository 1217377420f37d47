/* SPDX-License-Identifier: MIT */
#pragma once

#include "flame/cs-flame-picture.h"
#include "session/cs-session.h"

G_BEGIN_DECLS

/* Why there is nothing to see, and what can be done; not yet translated. */
typedef struct
{
  const char *title, *description;
  const char *label, *action; /* of a button; NULL: there is none */
} CsFlameNothing;

char *cs_flame_status_dup_text (CsFlamePicture *picture, guint64 shown, const guint64 *found, gboolean threads_missing);
const CsFlameNothing *cs_flame_status_find_nothing (CsSession *session, CsFlamePicture *picture, gboolean as_table);

G_END_DECLS
