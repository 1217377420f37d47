/* SPDX-License-Identifier: MIT */
#pragma once

#include "session/cs-view.h"

G_BEGIN_DECLS

typedef enum
{
  CS_VIEW_NEEDS_NOTHING,
  CS_VIEW_NEEDS_PROJECT,
  CS_VIEW_NEEDS_RECORDING,
} CsViewNeeds;

/* A view of the window. */
typedef struct
{
  const char *name;
  const char *title;        /* in the sidebar, not yet translated; NULL: it isn't listed there */
  CsViewNeeds needs;        /* to be shown */
  GType (*get_type) (void); /* of its widget */
} CsViewInfo;

const CsViewInfo *cs_views_get (guint *n);
const CsViewInfo *cs_views_find (const char *name);

G_END_DECLS
