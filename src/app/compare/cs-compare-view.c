/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "compare/cs-compare-view.h"

struct _CsCompareView
{
  AdwBin parent_instance;

  GSimpleActionGroup *actions;
  CsSession *session; /* (nullable) */
};

static void cs_compare_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsCompareView, cs_compare_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_compare_view_init_view))

static void
cs_compare_view_dispose (GObject *object)
{
  CsCompareView *self = CS_COMPARE_VIEW (object);

  g_clear_object (&self->session);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (cs_compare_view_parent_class)->dispose (object);
}

static void
cs_compare_view_class_init (CsCompareViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_compare_view_dispose;
}

static void
cs_compare_view_init (CsCompareView *self)
{
  self->actions = g_simple_action_group_new ();
}

static void
set_session (CsView *view, CsSession *session)
{
  CsCompareView *self = CS_COMPARE_VIEW (view);

  self->session = g_object_ref (session);
}

static GActionGroup *
get_actions (CsView *view)
{
  return G_ACTION_GROUP (CS_COMPARE_VIEW (view)->actions);
}

static void
cs_compare_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "compare";
  iface->set_session = set_session;
  iface->get_actions = get_actions;
}
