/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "timeline/cs-timeline-view.h"

struct _CsTimelineView
{
  AdwBin parent_instance;

  GSimpleActionGroup *actions;
  CsSession *session; /* (nullable) */
};

static void cs_timeline_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsTimelineView, cs_timeline_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_timeline_view_init_view))

static void
cs_timeline_view_dispose (GObject *object)
{
  CsTimelineView *self = CS_TIMELINE_VIEW (object);

  g_clear_object (&self->session);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (cs_timeline_view_parent_class)->dispose (object);
}

static void
cs_timeline_view_class_init (CsTimelineViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_timeline_view_dispose;
}

static void
cs_timeline_view_init (CsTimelineView *self)
{
  self->actions = g_simple_action_group_new ();
}

static void
set_session (CsView *view, CsSession *session)
{
  CsTimelineView *self = CS_TIMELINE_VIEW (view);

  self->session = g_object_ref (session);
}

static GActionGroup *
get_actions (CsView *view)
{
  return G_ACTION_GROUP (CS_TIMELINE_VIEW (view)->actions);
}

static void
cs_timeline_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "timeline";
  iface->set_session = set_session;
  iface->get_actions = get_actions;
}
