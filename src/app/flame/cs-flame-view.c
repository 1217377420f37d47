/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "flame/cs-flame-view.h"

struct _CsFlameView
{
  AdwBin parent_instance;

  GSimpleActionGroup *actions;
  CsSession *session; /* (nullable) */
};

static void cs_flame_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsFlameView, cs_flame_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_flame_view_init_view))

static void
cs_flame_view_dispose (GObject *object)
{
  CsFlameView *self = CS_FLAME_VIEW (object);

  g_clear_object (&self->session);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (cs_flame_view_parent_class)->dispose (object);
}

static void
cs_flame_view_class_init (CsFlameViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_flame_view_dispose;
}

static void
cs_flame_view_init (CsFlameView *self)
{
  self->actions = g_simple_action_group_new ();
}

static void
set_session (CsView *view, CsSession *session)
{
  CsFlameView *self = CS_FLAME_VIEW (view);

  self->session = g_object_ref (session);
}

static GActionGroup *
get_actions (CsView *view)
{
  return G_ACTION_GROUP (CS_FLAME_VIEW (view)->actions);
}

static void
cs_flame_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "flame-graph";
  iface->set_session = set_session;
  iface->get_actions = get_actions;
}
