/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "calls/cs-calls-view.h"

struct _CsCallsView
{
  AdwBin parent_instance;

  GSimpleActionGroup *actions;
  CsSession *session; /* (nullable) */
};

static void cs_calls_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsCallsView, cs_calls_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_calls_view_init_view))

static void
cs_calls_view_dispose (GObject *object)
{
  CsCallsView *self = CS_CALLS_VIEW (object);

  g_clear_object (&self->session);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (cs_calls_view_parent_class)->dispose (object);
}

static void
cs_calls_view_class_init (CsCallsViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_calls_view_dispose;
}

static void
cs_calls_view_init (CsCallsView *self)
{
  self->actions = g_simple_action_group_new ();
}

static void
set_session (CsView *view, CsSession *session)
{
  CsCallsView *self = CS_CALLS_VIEW (view);

  self->session = g_object_ref (session);
}

static GActionGroup *
get_actions (CsView *view)
{
  return G_ACTION_GROUP (CS_CALLS_VIEW (view)->actions);
}

static void
cs_calls_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "calls";
  iface->set_session = set_session;
  iface->get_actions = get_actions;
}
