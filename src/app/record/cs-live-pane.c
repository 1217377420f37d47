/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "record/cs-live-pane.h"
#include "charts/cs-sparkline.h"
#include "record/cs-record-text.h"
#include "shared/cs-format.h"

/* Functions that are shown. */
#define MOST_FUNCTIONS 30
/* Values of the events a second, one about each second. */
#define MOST_RATES 60

/* A function of the list. */
#define CS_TYPE_LIVE_ROW (cs_live_row_get_type ())
G_DECLARE_FINAL_TYPE (CsLiveRow, cs_live_row, CS, LIVE_ROW, GObject)

struct _CsLiveRow
{
  GObject parent_instance;

  char *name;
  char *texts[3]; /* share, self, calls */
};

G_DEFINE_FINAL_TYPE (CsLiveRow, cs_live_row, G_TYPE_OBJECT)

struct _CsLivePane
{
  AdwBin parent_instance;

  GtkStack *pages;
  GtkSpinner *spinner;
  GtkWidget *show_live;
  GtkLabel *summary;
  GtkLabel *elapsed;
  GtkLabel *events;
  AdwBin *sparkline_place;
  CsSparkline *sparkline;
  GtkWidget *budget_box;
  GtkLabel *budget_text;
  GtkLevelBar *budget;
  GtkStack *functions_pages;
  GtkLabel *functions_text;
  GtkColumnView *functions;
  CsLogView *log_view;
  GtkWidget *input_box;
  GtkEntry *input;

  CsRecordTask *task; /* (nullable) */
  GListStore *rows;   /* (element-type CsLiveRow) */
  guint timer;
};

G_DEFINE_FINAL_TYPE (CsLivePane, cs_live_pane, ADW_TYPE_BIN)

static void
cs_live_row_finalize (GObject *object)
{
  CsLiveRow *self = CS_LIVE_ROW (object);

  g_free (self->name);
  for (guint i = 0; i < G_N_ELEMENTS (self->texts); i++)
    g_free (self->texts[i]);

  G_OBJECT_CLASS (cs_live_row_parent_class)->finalize (object);
}

static void
cs_live_row_class_init (CsLiveRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_live_row_finalize;
}

static void
cs_live_row_init (CsLiveRow *self)
{
}

static CsLiveRow *
make_row (const CsFunction *function, guint64 self_ns)
{
  CsLiveRow *row = g_object_new (CS_TYPE_LIVE_ROW, NULL);

  row->name = g_utf8_make_valid (function->location.name, -1);
  row->texts[0] = g_strdup_printf ("%.1f %%", self_ns > 0 ? 100.0 * (double) function->self / (double) self_ns : 0);
  row->texts[1] = cs_format_duration (function->self);
  row->texts[2] = cs_format_count (function->calls + function->open);
  return row;
}

static int
compare_self (gconstpointer a, gconstpointer b)
{
  const CsFunction *x = *(const CsFunction *const *) a;
  const CsFunction *y = *(const CsFunction *const *) b;

  return x->self > y->self ? -1 : x->self < y->self;
}

static void
show_functions (CsLivePane *self, CsProfile *profile)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  const CsFunction *functions = NULL;
  guint n = 0;

  if (profile != NULL)
    functions = cs_profile_get_functions (profile, &n);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (sorted, (gpointer) &functions[i]);
  g_ptr_array_sort (sorted, compare_self);
  for (guint i = 0; i < MIN (n, MOST_FUNCTIONS); i++)
    g_ptr_array_add (rows, make_row (sorted->pdata[i], cs_profile_get_totals (profile)->self));
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)), rows->pdata, rows->len);
  gtk_stack_set_visible_child_name (self->functions_pages, n > 0 ? "functions" : "waiting");
}

static gboolean
show_elapsed (gpointer data)
{
  CsLivePane *self = data;
  g_autofree char *text = cs_record_format_elapsed (cs_record_task_get_elapsed_us (self->task));

  gtk_label_set_text (self->elapsed, text);
  return G_SOURCE_CONTINUE;
}

static void
show_budget (CsLivePane *self, const CsRecordNumbers *numbers)
{
  double mb = (double) numbers->bytes / (1 << 20);
  g_autofree char *text = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->budget), numbers->budget > 0);
  if (numbers->budget > 0)
    {
      text = g_strdup_printf (_("%.1f of %" G_GINT64_FORMAT " MB"), mb, numbers->budget >> 20);
      gtk_level_bar_set_value (self->budget, MIN (1, (double) numbers->bytes / (double) numbers->budget));
    }
  else
    text = g_strdup_printf (_("%.1f MB"), mb);
  gtk_label_set_text (self->budget_text, text);
}

static void
show_numbers (CsLivePane *self)
{
  CsRecordNumbers numbers;
  g_autofree char *events = NULL;

  cs_record_task_get_numbers (self->task, &numbers);
  events = cs_format_count (numbers.events);
  gtk_label_set_text (self->events, events);
  show_budget (self, &numbers);
  show_elapsed (self);
}

static void
on_refreshed (CsLivePane *self)
{
  CsRecordNumbers numbers;

  show_numbers (self);
  cs_record_task_get_numbers (self->task, &numbers);
  if (numbers.rate >= 0 && cs_record_task_get_result (self->task) == NULL)
    cs_sparkline_push (self->sparkline, numbers.rate);
  show_functions (self, cs_record_task_get_profile (self->task));
}

static void
show_state (CsLivePane *self)
{
  CsRunState state = cs_record_task_get_state (self->task);
  g_autofree char *text = NULL;

  gtk_spinner_set_spinning (self->spinner, state != CS_RUN_STATE_ENDED);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), state != CS_RUN_STATE_ENDED);
  gtk_widget_set_visible (self->show_live, state != CS_RUN_STATE_ENDED);
  gtk_widget_set_visible (self->input_box,
                          state == CS_RUN_STATE_RUNNING && cs_record_task_takes_input (self->task));
  if (state == CS_RUN_STATE_ENDED)
    {
      g_clear_handle_id (&self->timer, g_source_remove);
      show_elapsed (self);
      text = cs_record_task_dup_summary (self->task);
      gtk_label_set_text (self->functions_text, _("Nothing was recorded"));
    }
  else
    text = g_strdup (state == CS_RUN_STATE_STOPPING  ? _("Stopping: the program is asked to end")
                     : state == CS_RUN_STATE_RUNNING ? _("Recording…")
                                                     : _("Starting…"));
  gtk_label_set_text (self->summary, text);
  /* How it ended may be copied; what passes isn't in the keyboard's way. */
  gtk_label_set_selectable (self->summary, state == CS_RUN_STATE_ENDED);
}

static void
on_input (CsLivePane *self)
{
  g_autoptr (GError) error = NULL;

  if (self->task == NULL)
    return;
  if (cs_record_task_write_input (self->task, gtk_editable_get_text (GTK_EDITABLE (self->input)), &error))
    gtk_editable_set_text (GTK_EDITABLE (self->input), "");
  else if (error != NULL)
    cs_log_add_text (cs_record_task_get_log (self->task), error->message);
}

static void
on_end_input (CsLivePane *self)
{
  cs_live_pane_end_input (self);
}

static void
setup_label (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);
  gboolean is_name = GPOINTER_TO_INT (data) < 0;

  gtk_label_set_xalign (GTK_LABEL (label), is_name ? 0 : 1);
  gtk_widget_add_css_class (label, is_name ? "monospace" : "numeric");
  if (is_name)
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_list_item_set_child (item, label);
}

static void
bind_label (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  CsLiveRow *row = gtk_list_item_get_item (item);
  int column = GPOINTER_TO_INT (data);

  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), column < 0 ? row->name : row->texts[column]);
}

static void
add_column (CsLivePane *self, const char *title, int column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) view_column = NULL;

  g_signal_connect (factory, "setup", G_CALLBACK (setup_label), GINT_TO_POINTER (column));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_label), GINT_TO_POINTER (column));
  view_column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_expand (view_column, column < 0);
  gtk_column_view_append_column (self->functions, view_column);
}

static void
cs_live_pane_dispose (GObject *object)
{
  CsLivePane *self = CS_LIVE_PANE (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->task != NULL)
    g_signal_handlers_disconnect_by_data (self->task, self);
  g_clear_object (&self->task);
  g_clear_object (&self->rows);

  G_OBJECT_CLASS (cs_live_pane_parent_class)->dispose (object);
}

static void
cs_live_pane_class_init (CsLivePaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (CS_TYPE_LOG_VIEW);
  G_OBJECT_CLASS (klass)->dispose = cs_live_pane_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/record/cs-live-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, CsLivePane, pages);
  gtk_widget_class_bind_template_child (widget_class, CsLivePane, spinner);
  gtk_widget_class_bind_template_child (widget_class, CsLivePane, show_live);
  gtk_widget_class_bind_template_child (widget_class, CsLivePane, summary);
  gtk_widget_class_bind_template_child (widget_class, CsLivePane, elapsed);
  gtk_widget_class_bind_template_child (widget_class, CsLivePane, events);
  gtk_widget_class_bind_template_child (widget_class, CsLivePane, sparkline_place);
  gtk_widget_class_bind_template_child (widget_class, CsLivePane, budget_box);
  gtk_widget_class_bind_template_child (widget_class, CsLivePane, budget_text);
  gtk_widget_class_bind_template_child (widget_class, CsLivePane, budget);
  gtk_widget_class_bind_template_child (widget_class, CsLivePane, functions_pages);
  gtk_widget_class_bind_template_child (widget_class, CsLivePane, functions_text);
  gtk_widget_class_bind_template_child (widget_class, CsLivePane, functions);
  gtk_widget_class_bind_template_child (widget_class, CsLivePane, log_view);
  gtk_widget_class_bind_template_child (widget_class, CsLivePane, input_box);
  gtk_widget_class_bind_template_child (widget_class, CsLivePane, input);
  gtk_widget_class_bind_template_callback (widget_class, on_input);
  gtk_widget_class_bind_template_callback (widget_class, on_end_input);
}

static void
cs_live_pane_init (CsLivePane *self)
{
  GtkSelectionModel *selection;

  gtk_widget_init_template (GTK_WIDGET (self));
  /* One colour: these offsets mean battery levels. */
  gtk_level_bar_remove_offset_value (self->budget, GTK_LEVEL_BAR_OFFSET_LOW);
  gtk_level_bar_remove_offset_value (self->budget, GTK_LEVEL_BAR_OFFSET_HIGH);
  gtk_level_bar_remove_offset_value (self->budget, GTK_LEVEL_BAR_OFFSET_FULL);
  self->sparkline = CS_SPARKLINE (cs_sparkline_new (MOST_RATES, _("events/s")));
  adw_bin_set_child (self->sparkline_place, GTK_WIDGET (self->sparkline));
  self->rows = g_list_store_new (CS_TYPE_LIVE_ROW);
  selection = GTK_SELECTION_MODEL (gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->rows))));
  gtk_column_view_set_model (self->functions, selection);
  g_object_unref (selection);
  add_column (self, _("Function"), -1);
  add_column (self, _("% Self"), 0);
  add_column (self, _("Self"), 1);
  add_column (self, _("Calls"), 2);
  cs_log_view_set_label (self->log_view, _("What the program writes"));
}

/**
 * cs_live_pane_set_task:
 * @self: a pane
 * @task: (nullable): the recording that it shows
 */
void
cs_live_pane_set_task (CsLivePane *self, CsRecordTask *task)
{
  g_return_if_fail (CS_IS_LIVE_PANE (self));

  if (self->task != NULL)
    g_signal_handlers_disconnect_by_data (self->task, self);
  g_clear_handle_id (&self->timer, g_source_remove);
  g_set_object (&self->task, task);
  cs_log_view_set_log (self->log_view, task != NULL ? cs_record_task_get_log (task) : NULL);
  gtk_stack_set_visible_child_name (self->pages, task != NULL ? "run" : "nothing");
  show_functions (self, NULL);
  cs_sparkline_clear (self->sparkline);
  if (task == NULL)
    return;
  gtk_label_set_text (self->functions_text, _("No function with hooks has been called yet"));
  g_signal_connect_object (task, "refreshed", G_CALLBACK (on_refreshed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (task, "notify::state", G_CALLBACK (show_state), self, G_CONNECT_SWAPPED);
  self->timer = g_timeout_add (200, show_elapsed, self);
  show_numbers (self);
  show_state (self);
}

/**
 * cs_live_pane_get_log_view:
 * @self: a pane
 *
 * Returns: (transfer none): what shows the program's output
 */
CsLogView *
cs_live_pane_get_log_view (CsLivePane *self)
{
  return self->log_view;
}

/**
 * cs_live_pane_get_functions:
 * @self: a pane
 *
 * Returns: (transfer none): the functions that it shows
 */
GListModel *
cs_live_pane_get_functions (CsLivePane *self)
{
  return G_LIST_MODEL (self->rows);
}

/**
 * cs_live_pane_get_summary:
 * @self: a pane
 *
 * Returns: (transfer none): what it says of the program's state or end
 */
const char *
cs_live_pane_get_summary (CsLivePane *self)
{
  return gtk_label_get_text (self->summary);
}

/**
 * cs_live_pane_get_input:
 * @self: a pane
 *
 * Returns: (transfer none): where lines for the program are typed
 */
GtkWidget *
cs_live_pane_get_input (CsLivePane *self)
{
  return GTK_WIDGET (self->input);
}

/**
 * cs_live_pane_end_input:
 * @self: a pane
 *
 * Tells the program that there is no more input.
 */
void
cs_live_pane_end_input (CsLivePane *self)
{
  if (self->task != NULL)
    cs_record_task_close_input (self->task);
  gtk_widget_set_visible (self->input_box, FALSE);
}
