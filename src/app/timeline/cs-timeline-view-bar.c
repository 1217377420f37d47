/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "shared/cs-format.h"
#include "timeline/cs-timeline-view-private.h"

/* The line below the chart. */
static char *
dup_measure (CsTimelineView *self)
{
  gint64 from, to;
  g_autofree char *duration = NULL;

  if (!cs_timeline_chart_get_measure (self->chart, &from, &to))
    return NULL;
  duration = cs_format_duration (cs_profile_span (from, to));
  return g_strdup_printf (_("Measured: %s"), duration);
}

/* How much is in sight is known when it has been read. */
static char *
dup_seen (CsTimelineView *self)
{
  g_autoptr (GArray) visible = NULL;
  g_autofree char *n = NULL;

  if (!cs_timeline_chart_get_sharp (self->chart))
    return g_strdup ("");
  visible = cs_timeline_chart_dup_visible (self->chart);
  for (guint i = 0; i < visible->len; i++)
    if (g_array_index (visible, CsTimelineCall, i).span.n_events > 0)
      return g_strdup (_("Grey blocks hold calls too short to draw — zoom in"));
  n = cs_format_count (visible->len);
  return g_strdup_printf (ngettext ("%s call in sight", "%s calls in sight", visible->len), n);
}

/* What a filter would leave out elsewhere, and isn't left out here. */
static char *
dup_not_applied (CsTimelineView *self)
{
  const CsProfileFilter *filter = self->session != NULL ? cs_session_get_filter (self->session) : NULL;

  if (filter == NULL || filter->function == NULL)
    return NULL;
  return g_strdup_printf (_("The filter “In %s” applies to other views, not here"), filter->function);
}

void
cs_timeline_view_show_status (CsTimelineView *self)
{
  gboolean table = cs_timeline_view_get_table_shown (self);
  g_autofree char *measure = dup_measure (self);
  g_autofree char *not_applied = dup_not_applied (self);
  g_autofree char *text = NULL;
  g_autofree char *n = NULL;
  guint n_rows = g_list_model_get_n_items (cs_timeline_table_get_model (self->table));

  n = cs_format_count (n_rows);
  if (self->names == NULL)
    text = g_strdup ("");
  else if (table && self->listing != NULL)
    text = g_strdup (_("Searching…"));
  else if (table && self->listed_more)
    text = g_strdup_printf (_("The longest %s calls in sight; zoom in for the others"), n);
  else if (table)
    text = g_strdup_printf (ngettext ("%s call in sight", "%s calls in sight", n_rows), n);
  else
    text = measure != NULL ? g_steal_pointer (&measure) : dup_seen (self);
  if (self->names != NULL && not_applied != NULL)
    {
      g_autofree char *seen = g_steal_pointer (&text);

      text = *seen != '\0' ? g_strdup_printf (_("%s · %s"), not_applied, seen) : g_steal_pointer (&not_applied);
    }
  gtk_label_set_text (self->status, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->status), text);
}

/* The keys of the view. */
static gboolean
on_key (CsTimelineView *self, guint keyval, guint keycode, GdkModifierType state)
{
  /* Space, Return and arrows are the focused widget's. */
  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0 || !g_unichar_isgraph (gdk_keyval_to_unicode (keyval))
      || !g_str_equal (cs_timeline_view_get_page (self), "chart"))
    return FALSE;
  return cs_timeline_chart_press_key (self->chart, keyval, state);
}

/* The keys of the chart and the view work on a widget beside the chart, too. */
static void
add_keys (CsTimelineView *self, GtkWidget *widget)
{
  GtkEventController *key = gtk_event_controller_key_new ();

  g_signal_connect_object (key, "key-pressed", G_CALLBACK (on_key), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (widget, key);
  gtk_widget_add_controller (widget, cs_timeline_make_shortcuts ());
}

/* A click leaves the focus where it is. */
static void
keep_focus (GtkWidget *widget)
{
  if (GTK_IS_BUTTON (widget))
    gtk_widget_set_focus_on_click (widget, FALSE);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_POPOVER (child))
      keep_focus (child);
}

static void
return_focus_idle (gpointer data)
{
  g_autoptr (CsTimelineView) self = data;
  GtkWidget *widget = GTK_WIDGET (self);
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (self->actions == NULL || root == NULL || !gtk_widget_get_mapped (widget))
    return;
  if (focus == NULL || !gtk_widget_get_mapped (focus) || focus == self->toolbar
      || gtk_widget_is_ancestor (focus, self->toolbar))
    gtk_widget_grab_focus (widget);
}

/* What was used is gone or done: keys are the chart's again. When that is known where the focus goes. */
void
cs_timeline_view_return_focus (CsTimelineView *self)
{
  g_idle_add_once (return_focus_idle, g_object_ref (self));
}

void
cs_timeline_view_set_up_focus (CsTimelineView *self)
{
  GtkPopover *const popovers[] = { self->tracks_popover, self->longer_popover,
                                   gtk_menu_button_get_popover (self->menu_button) };
  GtkWidget *details = GTK_WIDGET (self->details);

  keep_focus (self->toolbar);
  keep_focus (details);
  keep_focus (GTK_WIDGET (self->search_bar));
  add_keys (self, details);
  /* Entries in popovers need letters for themselves: keys aren't those of what a popover is in. */
  for (GtkWidget *child = gtk_widget_get_first_child (self->toolbar); child != NULL; child = gtk_widget_get_next_sibling (child))
    add_keys (self, GTK_IS_MENU_BUTTON (child) ? gtk_widget_get_first_child (child) : child);
  for (guint i = 0; i < G_N_ELEMENTS (popovers); i++)
    g_signal_connect_object (popovers[i], "closed", G_CALLBACK (cs_timeline_view_return_focus), self, G_CONNECT_SWAPPED);
}
