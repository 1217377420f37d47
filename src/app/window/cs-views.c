/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-views.h"
#include "calls/cs-calls-view.h"
#include "compare/cs-compare-view.h"
#include "flame/cs-flame-view.h"
#include "record/cs-record-view.h"
#include "select/cs-select-view.h"
#include "tables/cs-hotspots-view.h"
#include "timeline/cs-timeline-view.h"
#include "welcome/cs-welcome-view.h"

/* In the order in which the sidebar lists them. */
static const CsViewInfo views[] = {
  { "welcome", NULL, CS_VIEW_NEEDS_NOTHING, cs_welcome_view_get_type },
  { "select", N_("Select"), CS_VIEW_NEEDS_PROJECT, cs_select_view_get_type },
  { "record", N_("Record"), CS_VIEW_NEEDS_PROJECT, cs_record_view_get_type },
  { "hotspots", N_("Hotspots"), CS_VIEW_NEEDS_RECORDING, cs_hotspots_view_get_type },
  { "flame-graph", N_("Flame Graph"), CS_VIEW_NEEDS_RECORDING, cs_flame_view_get_type },
  { "timeline", N_("Timeline"), CS_VIEW_NEEDS_RECORDING, cs_timeline_view_get_type },
  { "calls", N_("Calls"), CS_VIEW_NEEDS_RECORDING, cs_calls_view_get_type },
  { "compare", N_("Compare"), CS_VIEW_NEEDS_RECORDING, cs_compare_view_get_type },
};

/**
 * cs_views_get:
 * @n: (out): how many there are
 *
 * Returns: (transfer none): all views
 */
const CsViewInfo *
cs_views_get (guint *n)
{
  *n = G_N_ELEMENTS (views);
  return views;
}

/**
 * cs_views_find:
 * @name: a view's name
 *
 * Returns: (transfer none) (nullable): the view
 */
const CsViewInfo *
cs_views_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    if (g_str_equal (views[i].name, name))
      return &views[i];
  return NULL;
}
