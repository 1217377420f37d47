/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "record/cs-build-pane.h"
#include "record/cs-record-text.h"

struct _CsBuildPane
{
  AdwBin parent_instance;

  GtkStack *pages;
  GtkSpinner *spinner;
  GtkImage *icon;
  GtkLabel *summary;
  GtkLabel *details;
  GtkLabel *elapsed;
  GtkWidget *problems_box;
  GtkListView *problems;
  CsLogView *log_view;

  CsBuildTask *task; /* (nullable) */
  char *folder;      /* (nullable) (type filename): the project's */
  GtkSingleSelection *selection;
  gboolean ended;    /* and all of the log is shown */
  guint timer;
};

enum
{
  OPEN_PROBLEM,
  SHOWN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsBuildPane, cs_build_pane, ADW_TYPE_BIN)

static void
setup_problem (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *icon = gtk_image_new ();
  GtkWidget *text = gtk_label_new (NULL);
  GtkWidget *place = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (text), 0);
  gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (text, TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (place), PANGO_ELLIPSIZE_START);
  gtk_widget_add_css_class (place, "dim-label");
  gtk_widget_add_css_class (place, "numeric");
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), text);
  gtk_box_append (GTK_BOX (box), place);
  gtk_list_item_set_child (item, box);
}

static void
bind_problem (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  CsBuildPane *self = data;
  CsBuildProblem *problem = gtk_list_item_get_item (item);
  gboolean is_error = cs_build_problem_get_severity (problem) == CS_BUILD_SEVERITY_ERROR;
  g_autofree char *place = cs_build_problem_dup_place (problem, self->folder);
  GtkWidget *icon = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  GtkWidget *text = gtk_widget_get_next_sibling (icon);
  GtkWidget *label = gtk_widget_get_next_sibling (text);

  gtk_image_set_from_icon_name (GTK_IMAGE (icon), is_error ? "dialog-error-symbolic" : "dialog-warning-symbolic");
  gtk_widget_set_css_classes (icon, (const char *[]){ is_error ? "error" : "warning", NULL });
  gtk_accessible_update_property (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  is_error ? _("Error") : _("Warning"), -1);
  gtk_label_set_text (GTK_LABEL (text), cs_build_problem_get_text (problem));
  gtk_widget_set_tooltip_text (text, cs_build_problem_get_text (problem));
  gtk_label_set_text (GTK_LABEL (label), place);
}

static void
show_selected (CsBuildPane *self)
{
  CsBuildProblem *problem = cs_build_pane_get_selected (self);

  if (problem != NULL)
    cs_log_view_show_line (self->log_view, cs_build_problem_get_log_line (problem));
}

static void
on_activate (CsBuildPane *self, guint position)
{
  g_autoptr (CsBuildProblem) problem = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (problem != NULL)
    g_signal_emit (self, signals[OPEN_PROBLEM], 0, problem);
}

static void
on_problems_changed (CsBuildPane *self)
{
  gtk_widget_set_visible (self->problems_box, g_list_model_get_n_items (G_LIST_MODEL (self->selection)) > 0);
}

static gboolean
show_elapsed (gpointer data)
{
  CsBuildPane *self = data;
  g_autofree char *text = cs_record_format_elapsed (cs_build_task_get_elapsed_us (self->task));

  gtk_label_set_text (self->elapsed, text);
  return G_SOURCE_CONTINUE;
}

static void
select_first_error (CsBuildPane *self)
{
  GListModel *model = G_LIST_MODEL (self->selection);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (CsBuildProblem) problem = g_list_model_get_item (model, i);

      if (cs_build_problem_get_severity (problem) == CS_BUILD_SEVERITY_ERROR)
        {
          gtk_single_selection_set_selected (self->selection, i);
          gtk_widget_activate_action (GTK_WIDGET (self->problems), "list.scroll-to-item", "u", i);
          show_selected (self);
          return;
        }
    }
}

static void
show_state (CsBuildPane *self)
{
  gboolean running = cs_build_task_is_running (self->task);
  const CsBuildResult *result = cs_build_task_get_result (self->task);
  gboolean good = result != NULL && result->units_hooked > 0 && result->without_runtime->len == 0;
  g_autofree char *summary = running ? g_strdup (_("Building…")) : cs_build_task_dup_summary (self->task);
  g_auto (GStrv) details = running ? g_new0 (char *, 1) : cs_build_task_dup_details (self->task);
  g_autofree char *text = g_strjoinv ("\n", details);

  gtk_widget_set_visible (GTK_WIDGET (self->spinner), running);
  gtk_spinner_set_spinning (self->spinner, running);
  gtk_widget_set_visible (GTK_WIDGET (self->icon), !running);
  gtk_image_set_from_icon_name (self->icon, good             ? "object-select-symbolic"
                                            : result != NULL ? "dialog-warning-symbolic"
                                                             : "dialog-error-symbolic");
  gtk_widget_set_css_classes (GTK_WIDGET (self->icon),
                              (const char *[]){ good ? "success" : result != NULL ? "warning" : "error", NULL });
  gtk_label_set_text (self->summary, summary);
  gtk_label_set_text (self->details, text);
  gtk_widget_set_visible (GTK_WIDGET (self->details), *text != '\0');
  show_elapsed (self);
}

static void
on_drained (CsBuildPane *self)
{
  if (self->task == NULL || self->ended || cs_build_task_is_running (self->task))
    return;
  self->ended = TRUE;
  if (cs_build_task_get_result (self->task) == NULL)
    select_first_error (self);
  g_signal_emit (self, signals[SHOWN], 0);
}

static void
on_ended (CsBuildPane *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  show_state (self);
}

static void
cs_build_pane_dispose (GObject *object)
{
  CsBuildPane *self = CS_BUILD_PANE (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->task != NULL)
    g_signal_handlers_disconnect_by_data (self->task, self);
  g_clear_object (&self->task);
  g_clear_object (&self->selection);

  G_OBJECT_CLASS (cs_build_pane_parent_class)->dispose (object);
}

static void
cs_build_pane_finalize (GObject *object)
{
  g_free (CS_BUILD_PANE (object)->folder);

  G_OBJECT_CLASS (cs_build_pane_parent_class)->finalize (object);
}

static void
cs_build_pane_class_init (CsBuildPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (CS_TYPE_LOG_VIEW);
  G_OBJECT_CLASS (klass)->dispose = cs_build_pane_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_build_pane_finalize;
  signals[OPEN_PROBLEM] = g_signal_new ("open-problem", CS_TYPE_BUILD_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 1, CS_TYPE_BUILD_PROBLEM);
  signals[SHOWN] = g_signal_new ("shown", CS_TYPE_BUILD_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/record/cs-build-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, CsBuildPane, pages);
  gtk_widget_class_bind_template_child (widget_class, CsBuildPane, spinner);
  gtk_widget_class_bind_template_child (widget_class, CsBuildPane, icon);
  gtk_widget_class_bind_template_child (widget_class, CsBuildPane, summary);
  gtk_widget_class_bind_template_child (widget_class, CsBuildPane, details);
  gtk_widget_class_bind_template_child (widget_class, CsBuildPane, elapsed);
  gtk_widget_class_bind_template_child (widget_class, CsBuildPane, problems_box);
  gtk_widget_class_bind_template_child (widget_class, CsBuildPane, problems);
  gtk_widget_class_bind_template_child (widget_class, CsBuildPane, log_view);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
}

static void
cs_build_pane_init (CsBuildPane *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_problem), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_problem), self);
  gtk_list_view_set_factory (self->problems, factory);
  g_object_unref (factory);
  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_list_view_set_model (self->problems, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_object (self->selection, "items-changed", G_CALLBACK (on_problems_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (show_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->log_view, "drained", G_CALLBACK (on_drained), self, G_CONNECT_SWAPPED);
  cs_log_view_set_label (self->log_view, _("Build log"));
}

/**
 * cs_build_pane_set_task:
 * @self: a pane
 * @task: (nullable): the build that it shows
 * @folder: (nullable) (type filename): the project's folder
 */
void
cs_build_pane_set_task (CsBuildPane *self, CsBuildTask *task, const char *folder)
{
  g_return_if_fail (CS_IS_BUILD_PANE (self));

  if (self->task != NULL)
    g_signal_handlers_disconnect_by_data (self->task, self);
  g_clear_handle_id (&self->timer, g_source_remove);
  g_set_object (&self->task, task);
  g_free (self->folder);
  self->folder = g_strdup (folder);
  self->ended = FALSE;
  cs_log_view_set_log (self->log_view, task != NULL ? cs_build_task_get_log (task) : NULL);
  gtk_single_selection_set_model (self->selection, task != NULL ? cs_log_get_problems (cs_build_task_get_log (task)) : NULL);
  on_problems_changed (self);
  gtk_stack_set_visible_child_name (self->pages, task != NULL ? "build" : "nothing");
  if (task == NULL)
    return;
  g_signal_connect_object (task, "ended", G_CALLBACK (on_ended), self, G_CONNECT_SWAPPED);
  if (cs_build_task_is_running (task))
    self->timer = g_timeout_add (200, show_elapsed, self);
  show_state (self);
}

/**
 * cs_build_pane_get_log_view:
 * @self: a pane
 *
 * Returns: (transfer none): what shows the log
 */
CsLogView *
cs_build_pane_get_log_view (CsBuildPane *self)
{
  return self->log_view;
}

/**
 * cs_build_pane_step:
 * @self: a pane
 * @backwards: whether the problem before is wanted
 *
 * Selects the next problem, behind the last one the first, and shows it in the log.
 */
void
cs_build_pane_step (CsBuildPane *self, gboolean backwards)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  guint selected = gtk_single_selection_get_selected (self->selection);

  if (n == 0)
    return;
  if (selected == GTK_INVALID_LIST_POSITION)
    selected = backwards ? n - 1 : 0;
  else
    selected = (selected + (backwards ? n - 1 : 1)) % n;
  gtk_single_selection_set_selected (self->selection, selected);
  gtk_widget_activate_action (GTK_WIDGET (self->problems), "list.scroll-to-item", "u", selected);
}

/**
 * cs_build_pane_get_selected:
 * @self: a pane
 *
 * Returns: (transfer none) (nullable): the problem that is selected
 */
CsBuildProblem *
cs_build_pane_get_selected (CsBuildPane *self)
{
  return gtk_single_selection_get_selected_item (self->selection);
}

/**
 * cs_build_pane_get_summary:
 * @self: a pane
 *
 * Returns: (transfer none): how it says the build went
 */
const char *
cs_build_pane_get_summary (CsBuildPane *self)
{
  return gtk_label_get_text (self->summary);
}
