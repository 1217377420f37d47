/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "welcome/cs-welcome-view.h"

struct _CsWelcomeView
{
  AdwBin parent_instance;

  CsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
};

static void cs_welcome_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsWelcomeView, cs_welcome_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_welcome_view_init_view))

static void
set_session (CsView *view, CsSession *session)
{
  CS_WELCOME_VIEW (view)->session = g_object_ref (session);
}

static GActionGroup *
get_actions (CsView *view)
{
  return G_ACTION_GROUP (CS_WELCOME_VIEW (view)->actions);
}

static void
cs_welcome_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "welcome";
  iface->set_session = set_session;
  iface->get_actions = get_actions;
}

static void
cs_welcome_view_dispose (GObject *object)
{
  CsWelcomeView *self = CS_WELCOME_VIEW (object);

  g_clear_object (&self->session);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (cs_welcome_view_parent_class)->dispose (object);
}

static void
cs_welcome_view_class_init (CsWelcomeViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_welcome_view_dispose;
  gtk_widget_class_set_template_from_resource (GTK_WIDGET_CLASS (klass),
                                               "/io/github/callsight/Callsight/welcome/cs-welcome-view.ui");
}

static void
cs_welcome_view_init (CsWelcomeView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = g_simple_action_group_new ();
}
