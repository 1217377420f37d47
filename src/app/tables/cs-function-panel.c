/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "tables/cs-function-panel.h"
#include "charts/cs-histogram-chart.h"
#include "shared/cs-format.h"
#include "shared/cs-function-name.h"
#include "tables/cs-call-rows.h"
#include "tables/cs-function-edges.h"
#include "tables/cs-panel-rows.h"

#define MOST_CALLS 50 /* that are listed of a range */
#define MOST_EDGES 50
#define MOST_SITES 3  /* of a caller or callee */
#define MOST_SLOWEST 10

/* On a row of a list. */
#define FUNCTION "callsight-function" /* index + 1 */

struct _CsFunctionPanel
{
  AdwBin parent_instance;

  GtkStack *stack;
  GtkScrolledWindow *scrolled;
  GtkWidget *content;
  GtkLabel *title;
  GtkWidget *place_button;
  GtkLabel *place;
  GtkLabel *remark;
  GtkWidget *exclude_button;
  GtkGrid *numbers;
  GtkWidget *histogram_section;
  GtkLabel *histogram_heading;
  CsHistogramChart *histogram;
  GtkLabel *range_label;
  GtkSpinner *range_spinner;
  GtkWidget *range_scrolled;
  GtkListBox *range_calls;
  GtkWidget *slowest_section;
  GtkListBox *slowest;
  GtkWidget *callers_section;
  GtkListBox *callers;
  GtkWidget *callees_section;
  GtkListBox *callees;

  CsSession *session;      /* (nullable) */
  CsHotspotRows *rows;    /* (nullable) */
  guint function;          /* index in the profile; G_MAXUINT: none */
  GCancellable *searching; /* (nullable): ends the search for a range's calls */
};

enum
{
  FUNCTION_CHOSEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsFunctionPanel, cs_function_panel, ADW_TYPE_BIN)

static void
clear_grid (GtkGrid *grid)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (grid))) != NULL)
    gtk_grid_remove (grid, child);
}

static void
append_edges (CsFunctionPanel *self, GtkListBox *list, gboolean callees)
{
  CsProfile *profile = cs_hotspot_rows_get_profile (self->rows);
  g_autoptr (GArray) edges = cs_function_edges_list (profile, self->function, callees);

  cs_panel_rows_clear (list);
  for (guint i = 0; i < MIN (edges->len, MOST_EDGES); i++)
    {
      const CsFunctionEdge *edge = &g_array_index (edges, CsFunctionEdge, i);
      gboolean recorded = edge->function < cs_hotspot_rows_get_n (self->rows);
      g_autofree char *whole = recorded ? cs_hotspot_rows_dup_text (self->rows, edge->function, CS_COLUMN_FUNCTION)
                                        : g_strdup (_("not recorded"));
      g_autofree char *name = recorded ? cs_function_name_shorten (whole) : g_strdup (whole);
      g_autofree char *share = cs_format_share (edge->part, edge->whole);
      g_autofree char *sites = cs_function_edge_dup_sites (edge, MOST_SITES);
      g_autofree char *calls = cs_format_count (edge->calls);
      g_autofree char *incl = cs_format_count (edge->incl);
      g_autofree char *tooltip = g_strdup_printf (ngettext ("%s\n%s call, %s ns inclusive", "%s\n%s calls, %s ns inclusive",
                                                            (gulong) MIN (edge->calls, G_MAXINT)), whole, calls, incl);
      GtkWidget *row = cs_panel_rows_append (list, name, recorded ? "name" : "dim-label", share, sites, tooltip);

      if (recorded)
        g_object_set_data (G_OBJECT (row), FUNCTION, GUINT_TO_POINTER (edge->function + 1));
      gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), recorded);
    }
  if (edges->len > MOST_EDGES)
    {
      g_autofree char *more = g_strdup_printf (_("and %u more"), edges->len - MOST_EDGES);

      cs_panel_rows_append_remark (list, more);
    }
  if (edges->len == 0)
    cs_panel_rows_append_remark (list, callees ? _("It calls no recorded function.") : _("No recorded function calls it."));
}

static void
append_slowest (CsFunctionPanel *self)
{
  CsProfile *profile = cs_hotspot_rows_get_profile (self->rows);
  guint n, n_threads;
  const CsSlowCall *calls = cs_profile_get_slowest (profile, self->function, &n);
  const CsThreadRow *threads = cs_profile_get_threads (profile, &n_threads);

  cs_panel_rows_clear (self->slowest);
  for (guint i = 0; i < MIN (n, MOST_SLOWEST); i++)
    {
      const CsThreadRow *thread = &threads[calls[i].thread];
      const CsFoundCall call = { calls[i].duration, calls[i].start, thread->process, thread->tid, thread->seq, thread->name };

      cs_call_rows_append (self->slowest, profile, &call);
    }
  if (n == 0)
    cs_panel_rows_append_remark (self->slowest, _("No call of it ended while it was recorded."));
}

static void
show_numbers (CsFunctionPanel *self)
{
  static const CsColumnId shown[] = {
    CS_COLUMN_CALLS, CS_COLUMN_THREADS, CS_COLUMN_SELF, CS_COLUMN_SELF_SHARE, CS_COLUMN_INCLUSIVE, CS_COLUMN_TOTAL,
    CS_COLUMN_MEAN, CS_COLUMN_DEVIATION, CS_COLUMN_MIN, CS_COLUMN_MAX, CS_COLUMN_P50, CS_COLUMN_P90, CS_COLUMN_P99,
    CS_COLUMN_P999, CS_COLUMN_OPEN, CS_COLUMN_REPAIRED, CS_COLUMN_CLIPPED, CS_COLUMN_HOOK_SHARE,
  };
  guint place = 0;

  clear_grid (self->numbers);
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    {
      const CsColumn *column = cs_column_get (shown[i]);
      guint64 value = cs_hotspot_rows_get_value (self->rows, self->function, shown[i]);
      g_autofree char *cell = cs_column_dup_cell (shown[i], value);
      g_autofree char *exact = cs_column_dup_exact (shown[i], value);
      GtkWidget *name, *number;

      /* These are 0 of nearly all functions, and don't matter then. */
      if (shown[i] >= CS_COLUMN_HOOK_SHARE && (value == CS_VALUE_UNKNOWN || cs_value_get (value) == 0))
        continue;
      name = cs_panel_rows_make_label (_(column->title), 0, "dim-label");
      number = cs_panel_rows_make_label (cell, 1, "numeric");
      gtk_widget_set_tooltip_text (name, _(column->description));
      gtk_widget_set_tooltip_text (number, exact);
      gtk_accessible_update_relation (GTK_ACCESSIBLE (number), GTK_ACCESSIBLE_RELATION_LABELLED_BY, name, NULL, -1);
      gtk_accessible_update_property (GTK_ACCESSIBLE (number), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, exact, -1);
      gtk_widget_set_hexpand (number, TRUE);
      gtk_grid_attach (self->numbers, name, (int) (2 * (place % 2)), (int) (place / 2), 1, 1);
      gtk_grid_attach (self->numbers, number, (int) (2 * (place % 2) + 1), (int) (place / 2), 1, 1);
      place++;
    }
}

static void
stop_searching (CsFunctionPanel *self)
{
  if (self->searching != NULL)
    g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
  gtk_spinner_set_spinning (self->range_spinner, FALSE);
}

static void
show_range_count (CsFunctionPanel *self, guint64 n, guint listed, guint64 from, guint64 to)
{
  g_autofree char *count = cs_format_count (n);
  g_autofree char *low = cs_format_duration (from);
  g_autofree char *high = cs_format_duration (to);
  g_autofree char *text = NULL;

  if (listed > 0 && listed < n)
    text = g_strdup_printf (ngettext ("%s call between %s and %s; the %u longest:",
                                      "%s calls between %s and %s; the %u longest:", (gulong) MIN (n, G_MAXINT)),
                            count, low, high, listed);
  else
    text = g_strdup_printf (ngettext ("%s call between %s and %s", "%s calls between %s and %s", (gulong) MIN (n, G_MAXINT)),
                            count, low, high);
  gtk_label_set_text (self->range_label, text);
}

static void
on_calls_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsFunctionPanel) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CsFoundCalls) found = cs_calls_find_finish (result, &error);
  guint64 from, to;

  /* Another range is wanted by now. */
  if (g_task_get_cancellable (G_TASK (result)) != self->searching || self->rows == NULL)
    return;
  stop_searching (self);
  cs_panel_rows_clear (self->range_calls);
  gtk_widget_set_visible (self->range_scrolled, found != NULL && found->n > 0);
  if (found == NULL)
    {
      gtk_label_set_text (self->range_label, error->message);
      return;
    }
  for (guint i = 0; i < found->calls->len; i++)
    cs_call_rows_append (self->range_calls, cs_hotspot_rows_get_profile (self->rows), &g_array_index (found->calls, CsFoundCall, i));
  cs_range_chart_get_range (CS_RANGE_CHART (self->histogram), &from, &to);
  show_range_count (self, found->n, found->calls->len, from, to);
}

static void
update_range (CsFunctionPanel *self)
{
  guint64 from, to;

  stop_searching (self);
  gtk_widget_set_visible (self->range_scrolled, FALSE);
  if (!cs_range_chart_get_range (CS_RANGE_CHART (self->histogram), &from, &to))
    {
      gtk_label_set_text (self->range_label, _("Drag over a part of it to see those calls."));
      return;
    }
  show_range_count (self, cs_histogram_chart_count (self->histogram, from, to), 0, from, to);
  self->searching = g_cancellable_new ();
  gtk_spinner_set_spinning (self->range_spinner, TRUE);
  cs_calls_find_async (cs_hotspot_rows_get_profile (self->rows), self->function, from, to, MOST_CALLS, self->searching,
                       on_calls_found, g_object_ref (self));
}

static void
on_range_dragging (CsFunctionPanel *self, guint64 from, guint64 to)
{
  if (from < to)
    show_range_count (self, cs_histogram_chart_count (self->histogram, from, to), 0, from, to);
}

static void
on_function_activated (CsFunctionPanel *self, GtkListBoxRow *row)
{
  guint function = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), FUNCTION));

  if (function > 0)
    g_signal_emit (self, signals[FUNCTION_CHOSEN], 0, function - 1);
}

static void
on_call_activated (CsFunctionPanel *self, GtkListBoxRow *row)
{
  const CsSessionCall *call = cs_call_rows_get (row);

  if (call == NULL || self->session == NULL)
    return;
  cs_session_set_call (self->session, call);
  cs_session_show_view (self->session, "timeline");
}

static void
show_title (CsFunctionPanel *self)
{
  const CsFunction *function = cs_hotspot_rows_get_function (self->rows, self->function);
  g_autofree char *whole = cs_hotspot_rows_dup_text (self->rows, self->function, CS_COLUMN_FUNCTION);
  g_autofree char *name = cs_function_name_shorten (whole);
  g_autofree char *place = cs_location_dup_place (&function->location);
  guint64 chosen = cs_hotspot_rows_get_value (self->rows, self->function, CS_COLUMN_CHOSEN);
  guint64 hooks = cs_hotspot_rows_get_value (self->rows, self->function, CS_COLUMN_HOOK_SHARE);
  GString *remark = g_string_new (NULL);

  gtk_label_set_text (self->title, name);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), whole);
  gtk_label_set_text (self->place, place);
  gtk_widget_set_visible (self->place_button, *place != '\0');
  if (chosen != CS_VALUE_UNKNOWN && cs_value_get (chosen) == 0)
    g_string_append (remark, _("It wasn’t chosen to be recorded, but is."));
  if (hooks != CS_VALUE_UNKNOWN && cs_value_get_double (hooks) > CS_HOOK_SHARE_LIMIT)
    g_string_append_printf (remark, _("%s⚠ %.0f %% of its self time went into recording it."), remark->len > 0 ? "\n" : "",
                            100 * cs_value_get_double (hooks));
  if (cs_profile_get_mode (cs_hotspot_rows_get_profile (self->rows)) == CS_PROFILE_SUMMARY)
    g_string_append_printf (remark, _("%sThis recording is a summary: it holds totals, and no single calls, callers or callees. "
                                      "Record in the mode “events” to see them."), remark->len > 0 ? "\n" : "");
  gtk_label_set_text (self->remark, remark->str);
  gtk_widget_set_visible (GTK_WIDGET (self->remark), remark->len > 0);
  g_string_free (remark, TRUE);
}

static void
show_function (CsFunctionPanel *self)
{
  const CsFunction *function = cs_hotspot_rows_get_function (self->rows, self->function);
  gboolean events = cs_profile_get_mode (cs_hotspot_rows_get_profile (self->rows)) == CS_PROFILE_EVENTS;
  g_autofree char *count = cs_format_count (function->recorded);
  g_autofree char *heading = g_strdup_printf (ngettext ("%s Call by Duration", "%s Calls by Duration",
                                                        (gulong) MIN (function->recorded, G_MAXINT)), count);

  show_title (self);
  show_numbers (self);
  gtk_label_set_text (self->histogram_heading, heading);
  gtk_widget_set_visible (self->histogram_section, function->recorded > 0);
  cs_histogram_chart_set_function (self->histogram, function);
  cs_range_chart_set_range (CS_RANGE_CHART (self->histogram), 0, 0);
  gtk_label_set_text (self->range_label, events ? _("Drag over a part of it to see those calls.") : "");
  gtk_widget_set_sensitive (GTK_WIDGET (self->histogram), events);
  gtk_widget_set_visible (self->range_scrolled, FALSE);
  gtk_widget_set_visible (self->slowest_section, events);
  gtk_widget_set_visible (self->callers_section, events);
  gtk_widget_set_visible (self->callees_section, events);
  if (!events)
    return;
  append_slowest (self);
  append_edges (self, self->callers, FALSE);
  append_edges (self, self->callees, TRUE);
}

static void
cs_function_panel_dispose (GObject *object)
{
  CsFunctionPanel *self = CS_FUNCTION_PANEL (object);

  if (self->searching != NULL)
    g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
  if (self->slowest != NULL)
    cs_panel_rows_clear (self->slowest);
  if (self->range_calls != NULL)
    cs_panel_rows_clear (self->range_calls);
  self->slowest = self->range_calls = NULL;
  g_clear_object (&self->session);
  g_clear_pointer (&self->rows, cs_hotspot_rows_unref);

  G_OBJECT_CLASS (cs_function_panel_parent_class)->dispose (object);
}

static void
cs_function_panel_class_init (CsFunctionPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_function_panel_dispose;
  g_type_ensure (CS_TYPE_HISTOGRAM_CHART);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/callsight/Callsight/tables/cs-function-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, stack);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, scrolled);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, content);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, title);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, place_button);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, place);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, remark);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, exclude_button);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, numbers);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, histogram_section);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, histogram_heading);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, histogram);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, range_label);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, range_spinner);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, range_scrolled);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, range_calls);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, slowest_section);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, slowest);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, callers_section);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, callers);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, callees_section);
  gtk_widget_class_bind_template_child (widget_class, CsFunctionPanel, callees);
  signals[FUNCTION_CHOSEN] = g_signal_new ("function-chosen", CS_TYPE_FUNCTION_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                           NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
cs_function_panel_init (CsFunctionPanel *self)
{
  self->function = G_MAXUINT;
  gtk_widget_init_template (GTK_WIDGET (self));
  cs_call_rows_add_menu (self->slowest);
  cs_call_rows_add_menu (self->range_calls);
  g_signal_connect_object (self->histogram, "range-changed", G_CALLBACK (update_range), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->histogram, "range-dragging", G_CALLBACK (on_range_dragging), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->callers, "row-activated", G_CALLBACK (on_function_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->callees, "row-activated", G_CALLBACK (on_function_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->slowest, "row-activated", G_CALLBACK (on_call_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->range_calls, "row-activated", G_CALLBACK (on_call_activated), self, G_CONNECT_SWAPPED);
}

/**
 * cs_function_panel_set_session:
 * @self: a panel
 * @session: what its calls' time ranges are set in
 */
void
cs_function_panel_set_session (CsFunctionPanel *self, CsSession *session)
{
  g_return_if_fail (CS_IS_FUNCTION_PANEL (self));

  g_set_object (&self->session, session);
}

/**
 * cs_function_panel_set_function:
 * @self: a panel
 * @rows: (nullable): the functions of a profile
 * @function: index of the one to show; %G_MAXUINT: none
 */
void
cs_function_panel_set_function (CsFunctionPanel *self, CsHotspotRows *rows, guint function)
{
  gboolean shown = rows != NULL && function < cs_hotspot_rows_get_n (rows);

  g_return_if_fail (CS_IS_FUNCTION_PANEL (self));

  if (rows == self->rows && function == self->function)
    return;
  stop_searching (self);
  if (rows != NULL)
    cs_hotspot_rows_ref (rows);
  g_clear_pointer (&self->rows, cs_hotspot_rows_unref);
  self->rows = rows;
  self->function = shown ? function : G_MAXUINT;
  gtk_stack_set_visible_child_name (self->stack, shown ? "function" : "empty");
  if (shown)
    {
      show_function (self);
      gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scrolled), 0);
    }
}

/**
 * cs_function_panel_get_function:
 * @self: a panel
 *
 * Returns: index in the profile of the function that it shows; %G_MAXUINT: none
 */
guint
cs_function_panel_get_function (CsFunctionPanel *self)
{
  return self->function;
}

/**
 * cs_function_panel_set_range:
 * @self: a panel that shows a function
 * @from: ns: the shortest duration
 * @to: ns: the one above the longest
 *
 * Lists the calls that took so long, as if they were selected in the histogram.
 */
void
cs_function_panel_set_range (CsFunctionPanel *self, guint64 from, guint64 to)
{
  g_return_if_fail (CS_IS_FUNCTION_PANEL (self));

  cs_range_chart_set_range (CS_RANGE_CHART (self->histogram), from, to);
  if (self->function != G_MAXUINT)
    update_range (self);
}

/**
 * cs_function_panel_set_exclude_reason:
 * @self: a panel
 * @reason: (nullable): why the function can't be excluded; %NULL: it can
 */
void
cs_function_panel_set_exclude_reason (CsFunctionPanel *self, const char *reason)
{
  const char *text = reason != NULL ? reason : _("Leave the function out of what is recorded");

  g_return_if_fail (CS_IS_FUNCTION_PANEL (self));

  if (g_strcmp0 (gtk_widget_get_tooltip_text (self->exclude_button), text) == 0)
    return;
  gtk_widget_set_tooltip_text (self->exclude_button, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->exclude_button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}
