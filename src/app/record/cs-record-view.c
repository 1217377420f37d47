/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "record/cs-record-view.h"

struct _CsRecordView
{
  AdwBin parent_instance;

  CsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
};

static void cs_record_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsRecordView, cs_record_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_record_view_init_view))

static void
build_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
}

static void
record_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
}

static void
stop_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
}

static void
set_session (CsView *view, CsSession *session)
{
  CS_RECORD_VIEW (view)->session = g_object_ref (session);
}

static GActionGroup *
get_actions (CsView *view)
{
  return G_ACTION_GROUP (CS_RECORD_VIEW (view)->actions);
}

static void
cs_record_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "record";
  iface->set_session = set_session;
  iface->get_actions = get_actions;
}

static void
cs_record_view_dispose (GObject *object)
{
  CsRecordView *self = CS_RECORD_VIEW (object);

  g_clear_object (&self->session);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (cs_record_view_parent_class)->dispose (object);
}

static void
cs_record_view_class_init (CsRecordViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_record_view_dispose;
  gtk_widget_class_set_template_from_resource (GTK_WIDGET_CLASS (klass),
                                               "/io/github/callsight/Callsight/record/cs-record-view.ui");
}

static void
cs_record_view_init (CsRecordView *self)
{
  static const GActionEntry entries[] = {
    { .name = "build", .activate = build_action },
    { .name = "record", .activate = record_action },
    { .name = "stop", .activate = stop_action },
  };

  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), "build")), FALSE);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), "record")), FALSE);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), "stop")), FALSE);
}
