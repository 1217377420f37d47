/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "timeline/cs-timeline-details.h"
#include "profile/cs-call-place.h"
#include "shared/cs-format.h"
#include "tables/cs-function-columns.h"

struct _CsTimelineDetails
{
  AdwBin parent_instance;

  GtkLabel *function;
  GtkLabel *duration;
  GtkLabel *facts;
  GtkButton *place;
  GtkLabel *place_label;

  CsTimelineNames *names; /* (nullable) */
  CsTimelineCall call;
  char *parent;           /* (nullable): the caller's name, once it is known */
  GCancellable *asking;   /* (nullable): for the caller */
};

G_DEFINE_FINAL_TYPE (CsTimelineDetails, cs_timeline_details, ADW_TYPE_BIN)

static void
stop_asking (CsTimelineDetails *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
}

static void
show_facts (CsTimelineDetails *self)
{
  g_autofree char *thread = cs_timeline_names_dup_thread (self->names, self->call.track);
  g_autofree char *start = cs_timeline_names_dup_start (self->names, self->call.span.start, FALSE);
  g_autofree char *facts = g_strdup_printf (_("%s · starts %s · depth %u"), thread, start, self->call.span.depth + 1);
  g_autofree char *all = self->parent != NULL ? g_strdup_printf (_("%s · in %s"), facts, self->parent) : g_strdup (facts);

  gtk_label_set_text (self->facts, all);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->facts), all);
}

static void
on_caller (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsTimelineDetails) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) callers = cs_call_get_callers_finish (result, &error);
  CsTimelineCall caller = { .track = self->call.track };

  if (self->asking == NULL || g_task_get_cancellable (G_TASK (result)) != self->asking)
    return;
  g_clear_object (&self->asking);
  if (callers == NULL || callers->len == 0)
    return;
  caller.span = g_array_index (callers, CsTimelineSpan, 0);
  self->parent = cs_timeline_names_dup_function (self->names, &caller);
  show_facts (self);
}

static void
show_place (CsTimelineDetails *self)
{
  guint function = cs_timeline_names_get_function (self->names, &self->call);
  const CsLocation *location;
  g_autofree char *place = NULL;

  if (function != G_MAXUINT)
    {
      location = &cs_profile_get_functions (cs_timeline_names_get_profile (self->names), &(guint){ 0 })[function].location;
      place = cs_location_dup_place (location);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->place), place != NULL && *place != '\0');
  gtk_label_set_text (self->place_label, place != NULL ? place : "");
}

/**
 * cs_timeline_details_set_call:
 * @self: a strip
 * @names: (nullable): what its call, thread and so on are called
 * @call: (nullable): which one it tells of
 */
void
cs_timeline_details_set_call (CsTimelineDetails *self, CsTimelineNames *names, const CsTimelineCall *call)
{
  g_autofree char *function = NULL;
  g_autofree char *duration = NULL;
  g_autofree char *rank = NULL;
  g_autofree char *text = NULL;

  stop_asking (self);
  g_clear_pointer (&self->parent, g_free);
  g_clear_pointer (&self->names, cs_timeline_names_unref);
  if (names == NULL || call == NULL)
    return;
  self->names = cs_timeline_names_ref (names);
  self->call = *call;
  function = cs_timeline_names_dup_function (names, call);
  duration = cs_format_duration (cs_profile_span (call->span.start, call->span.end));
  rank = cs_timeline_names_dup_rank (names, call);
  text = rank != NULL ? g_strdup_printf (_("%s — %s"), duration, rank) : g_strdup (duration);
  gtk_label_set_text (self->function, function);
  gtk_label_set_text (self->duration, text);
  show_place (self);
  show_facts (self);
  if (call->span.depth == 0)
    return;
  self->asking = g_cancellable_new ();
  cs_call_get_callers_async (cs_timeline_names_get_timeline (names), call, 1, self->asking, on_caller, g_object_ref (self));
}

/**
 * cs_timeline_details_dup_text:
 * @self: a strip
 *
 * Returns: (transfer full): all that it says, a line each for the function, its duration, and the rest
 */
char *
cs_timeline_details_dup_text (CsTimelineDetails *self)
{
  return g_strjoin ("\n", gtk_label_get_text (self->function), gtk_label_get_text (self->duration),
                    gtk_label_get_text (self->facts), NULL);
}

static void
cs_timeline_details_dispose (GObject *object)
{
  CsTimelineDetails *self = CS_TIMELINE_DETAILS (object);

  stop_asking (self);
  g_clear_pointer (&self->parent, g_free);
  g_clear_pointer (&self->names, cs_timeline_names_unref);

  G_OBJECT_CLASS (cs_timeline_details_parent_class)->dispose (object);
}

static void
cs_timeline_details_class_init (CsTimelineDetailsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_timeline_details_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/callsight/Callsight/timeline/cs-timeline-details.ui");
  gtk_widget_class_bind_template_child (widget_class, CsTimelineDetails, function);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineDetails, duration);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineDetails, facts);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineDetails, place);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineDetails, place_label);
}

static void
cs_timeline_details_init (CsTimelineDetails *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
