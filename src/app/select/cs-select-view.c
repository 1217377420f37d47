/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "select/cs-select-view.h"

struct _CsSelectView
{
  AdwBin parent_instance;

  CsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
};

static void cs_select_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsSelectView, cs_select_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_select_view_init_view))

static void
set_session (CsView *view, CsSession *session)
{
  CS_SELECT_VIEW (view)->session = g_object_ref (session);
}

static GActionGroup *
get_actions (CsView *view)
{
  return G_ACTION_GROUP (CS_SELECT_VIEW (view)->actions);
}

static void
cs_select_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "select";
  iface->set_session = set_session;
  iface->get_actions = get_actions;
}

static void
cs_select_view_dispose (GObject *object)
{
  CsSelectView *self = CS_SELECT_VIEW (object);

  g_clear_object (&self->session);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (cs_select_view_parent_class)->dispose (object);
}

static void
cs_select_view_class_init (CsSelectViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_select_view_dispose;
  gtk_widget_class_set_template_from_resource (GTK_WIDGET_CLASS (klass),
                                               "/io/github/callsight/Callsight/select/cs-select-view.ui");
}

static void
cs_select_view_init (CsSelectView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = g_simple_action_group_new ();
}
