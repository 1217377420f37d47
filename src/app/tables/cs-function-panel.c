/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "charts/cs-histogram-chart.h"
#include "cs-format.h"
#include "cs-function-name.h"
#include "tables/cs-calls-finder.h"
#include "tables/cs-function-edges.h"
#include "tables/cs-function-panel.h"

#define MOST_CALLS 50 /* that are listed of a range */
#define MOST_EDGES 50
#define MOST_SITES 3  /* of a caller or callee */
#define MOST_SLOWEST 10

/* On a row of a list. */
#define FUNCTION "callsight-function" /* index + 1 */
#define MENU "callsight-menu"         /* a popover that is open */
#define CALL "callsight-call"         /* CallRow */

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

/* A single call that a row is about. */
typedef struct
{
  guint64 from, to; /* ns from the recording's start */
  guint tid;
} CallRow;

enum
{
  FUNCTION_CHOSEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsFunctionPanel, cs_function_panel, ADW_TYPE_BIN)

static void
clear_list (GtkListBox *list)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (list, 0)) != NULL)
    {
      GtkWidget *menu = g_object_get_data (G_OBJECT (row), MENU);

      if (menu != NULL)
        gtk_widget_unparent (menu);
      gtk_list_box_remove (list, GTK_WIDGET (row));
    }
}

static void
clear_grid (GtkGrid *grid)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (grid))) != NULL)
    gtk_grid_remove (grid, child);
}

static GtkWidget *
make_label (const char *text, float xalign, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

/* A row that leads somewhere: what it is about, its number, and a line below. */
static GtkWidget *
append_row (GtkListBox *list, const char *name, const char *css_class, const char *number, const char *below,
            const char *tooltip)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *grid = gtk_grid_new ();
  GtkWidget *first = make_label (name, 0, css_class);

  gtk_label_set_ellipsize (GTK_LABEL (first), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (first, TRUE);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_attach (GTK_GRID (grid), first, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), make_label (number, 1, "numeric"), 1, 0, 1, 1);
  if (below != NULL && *below != '\0')
    {
      GtkWidget *second = make_label (below, 0, "location");

      gtk_widget_add_css_class (second, "dim-label");
      gtk_label_set_ellipsize (GTK_LABEL (second), PANGO_ELLIPSIZE_END);
      gtk_grid_attach (GTK_GRID (grid), second, 0, 1, 2, 1);
    }
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), grid);
  gtk_widget_set_tooltip_text (row, tooltip);
  gtk_list_box_append (list, row);
  return row;
}

static void
append_remark (GtkListBox *list, const char *text)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *label = make_label (text, 0, "dim-label");

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_list_box_append (list, row);
}

static void
append_edges (CsFunctionPanel *self, GtkListBox *list, gboolean callees)
{
  CsProfile *profile = cs_hotspot_rows_get_profile (self->rows);
  g_autoptr (GArray) edges = cs_function_edges_list (profile, self->function, callees);

  clear_list (list);
  for (guint i = 0; i < MIN (edges->len, MOST_EDGES); i++)
    {
      const CsFunctionEdge *edge = &g_array_index (edges, CsFunctionEdge, i);
      gboolean recorded = edge->function < cs_hotspot_rows_get_n (self->rows);
      g_autofree char *whole = recorded ? cs_hotspot_rows_dup_text (self->rows, edge->function, CS_COLUMN_FUNCTION)
                                        : g_strdup (_("not recorded"));
      g_autofree char *name = recorded ? cs_function_name_shorten (whole) : g_strdup (whole);
      g_autofree char *share = g_strdup_printf ("%.0f %%", 100 * edge->share);
      g_autofree char *sites = cs_function_edge_dup_sites (edge, MOST_SITES);
      g_autofree char *calls = cs_format_count (edge->calls);
      g_autofree char *incl = cs_format_count (edge->incl);
      g_autofree char *tooltip = g_strdup_printf (_("%s\n%s calls, %s ns inclusive"), whole, calls, incl);
      GtkWidget *row = append_row (list, name, recorded ? "name" : "dim-label", share, sites, tooltip);

      if (recorded)
        g_object_set_data (G_OBJECT (row), FUNCTION, GUINT_TO_POINTER (edge->function + 1));
      gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), recorded);
    }
  if (edges->len > MOST_EDGES)
    {
      g_autofree char *more = g_strdup_printf (_("and %u more"), edges->len - MOST_EDGES);

      append_remark (list, more);
    }
  if (edges->len == 0)
    append_remark (list, callees ? _("It calls no recorded function.") : _("No recorded function calls it."));
}

/* A single call: how long, on which thread, when. */
static void
append_call (CsFunctionPanel *self, GtkListBox *list, const CsFoundCall *call)
{
  gint64 origin = cs_profile_get_totals (cs_hotspot_rows_get_profile (self->rows))->origin;
  guint64 start = cs_profile_span (origin, call->start);
  g_autofree char *duration = cs_format_duration (call->duration);
  g_autofree char *exact = cs_format_count (call->duration);
  g_autofree char *name = call->thread != NULL ? g_utf8_make_valid (call->thread, -1) : g_strdup (_("thread"));
  g_autofree char *at = g_strdup_printf (_("at %.3f s"), (double) start / 1e9);
  g_autofree char *text = g_strdup_printf (_("%s   %s %u"), duration, name, call->tid);
  g_autofree char *tooltip = g_strdup_printf (_("%s ns in thread %s (%u)\nShow only the time of this call"), exact, name,
                                              call->tid);
  GtkWidget *row = append_row (list, text, "numeric", at, NULL, tooltip);
  CallRow *data = g_new (CallRow, 1);

  *data = (CallRow){ start, start + MAX (call->duration, 1), call->tid };
  g_object_set_data_full (G_OBJECT (row), CALL, data, g_free);
}

static void
append_slowest (CsFunctionPanel *self)
{
  CsProfile *profile = cs_hotspot_rows_get_profile (self->rows);
  guint n, n_threads;
  const CsSlowCall *calls = cs_profile_get_slowest (profile, self->function, &n);
  const CsThreadRow *threads = cs_profile_get_threads (profile, &n_threads);

  clear_list (self->slowest);
  for (guint i = 0; i < MIN (n, MOST_SLOWEST); i++)
    {
      const CsThreadRow *thread = &threads[calls[i].thread];
      const CsFoundCall call = { calls[i].duration, calls[i].start, thread->tid, thread->name };

      append_call (self, self->slowest, &call);
    }
  if (n == 0)
    append_remark (self->slowest, _("No call of it ended while it was recorded."));
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
      name = make_label (_(column->title), 0, "dim-label");
      number = make_label (cell, 1, "numeric");
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
  clear_list (self->range_calls);
  gtk_widget_set_visible (self->range_scrolled, found != NULL && found->n > 0);
  if (found == NULL)
    {
      gtk_label_set_text (self->range_label, error->message);
      return;
    }
  for (guint i = 0; i < found->calls->len; i++)
    append_call (self, self->range_calls, &g_array_index (found->calls, CsFoundCall, i));
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
  const CallRow *call = g_object_get_data (G_OBJECT (row), CALL);

  if (call != NULL && self->session != NULL)
    cs_session_set_range (self->session, TRUE, (gint64) call->from, (gint64) call->to);
}

static gboolean
unparent_later (gpointer menu)
{
  if (gtk_widget_get_parent (menu) != NULL)
    {
      g_object_set_data (G_OBJECT (gtk_widget_get_parent (menu)), MENU, NULL);
      gtk_widget_unparent (menu);
    }
  return G_SOURCE_REMOVE;
}

/* What was chosen in it is done after it is closed. */
static void
on_menu_closed (GtkWidget *menu)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, unparent_later, g_object_ref (menu), g_object_unref);
}

/* What else can be done with a call. */
static void
popup_call_menu (GtkListBoxRow *row)
{
  const CallRow *call = g_object_get_data (G_OBJECT (row), CALL);
  GtkWidget *menu;
  g_autoptr (GMenu) model = g_menu_new ();
  g_autoptr (GMenuItem) time = g_menu_item_new (_("Show Only the _Time of This Call"), NULL);
  g_autoptr (GMenuItem) thread = g_menu_item_new (_("Show Only This T_hread"), NULL);
  g_autofree char *tid = g_strdup_printf ("%u", call->tid);

  g_menu_item_set_action_and_target (time, "hotspots.filter-range", "(xx)", (gint64) call->from, (gint64) call->to);
  g_menu_item_set_action_and_target (thread, "hotspots.filter-thread", "s", tid);
  g_menu_append_item (model, time);
  g_menu_append_item (model, thread);
  menu = gtk_popover_menu_new_from_model (G_MENU_MODEL (model));
  gtk_widget_set_parent (menu, GTK_WIDGET (row));
  g_signal_connect (menu, "closed", G_CALLBACK (on_menu_closed), NULL);
  g_object_set_data (G_OBJECT (row), MENU, menu);
  gtk_popover_popup (GTK_POPOVER (menu));
}

static void
on_call_right_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (data, (int) y);

  if (row == NULL || g_object_get_data (G_OBJECT (row), CALL) == NULL)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  popup_call_menu (row);
}

static gboolean
on_call_menu_key (GtkWidget *widget, GVariant *args, gpointer data)
{
  GtkWidget *row = gtk_widget_get_focus_child (widget);

  if (!GTK_IS_LIST_BOX_ROW (row) || g_object_get_data (G_OBJECT (row), CALL) == NULL)
    return FALSE;
  popup_call_menu (GTK_LIST_BOX_ROW (row));
  return TRUE;
}

static void
add_call_menu (GtkListBox *list)
{
  GtkGesture *right = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (right), GDK_BUTTON_SECONDARY);
  g_signal_connect (right, "pressed", G_CALLBACK (on_call_right_pressed), list);
  gtk_widget_add_controller (GTK_WIDGET (list), GTK_EVENT_CONTROLLER (right));
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("Menu|<Shift>F10"),
                                                          gtk_callback_action_new (on_call_menu_key, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (list), keys);
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
    clear_list (self->slowest);
  if (self->range_calls != NULL)
    clear_list (self->range_calls);
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
  add_call_menu (self->slowest);
  add_call_menu (self->range_calls);
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
