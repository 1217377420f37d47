/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-jobs-button.h"

struct _CsJobsButton
{
  AdwBin parent_instance;

  GtkMenuButton *button;
  GtkSpinner *spinner;
  GtkLabel *label;
  GtkListBox *list;

  CsJobs *jobs; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (CsJobsButton, cs_jobs_button, ADW_TYPE_BIN)

static void
show_progress (CsJob *job, GParamSpec *pspec, GtkProgressBar *bar)
{
  double progress = cs_job_get_progress (job);

  gtk_widget_set_visible (GTK_WIDGET (bar), progress >= 0);
  gtk_progress_bar_set_fraction (bar, MAX (progress, 0));
}

static void
show_detail (CsJob *job, GParamSpec *pspec, GtkLabel *label)
{
  const char *detail = cs_job_get_detail (job);

  gtk_widget_set_visible (GTK_WIDGET (label), detail != NULL);
  gtk_label_set_text (label, detail != NULL ? detail : "");
}

static void
on_cancel (GtkButton *button, CsJob *job)
{
  gtk_widget_set_sensitive (GTK_WIDGET (button), FALSE);
  g_cancellable_cancel (cs_job_get_cancellable (job));
}

static GtkWidget *
make_row (gpointer item, gpointer user_data)
{
  CsJob *job = item;
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *text = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *title = gtk_label_new (cs_job_get_title (job));
  GtkWidget *detail = gtk_label_new (NULL);
  GtkWidget *bar = gtk_progress_bar_new ();

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (detail), 0);
  gtk_label_set_ellipsize (GTK_LABEL (detail), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (detail, "dim-label");
  gtk_widget_add_css_class (detail, "caption");
  gtk_widget_set_hexpand (text, TRUE);
  gtk_widget_set_valign (text, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (text), title);
  gtk_box_append (GTK_BOX (text), bar);
  gtk_box_append (GTK_BOX (text), detail);
  gtk_box_append (GTK_BOX (row), text);
  g_signal_connect_object (job, "notify::progress", G_CALLBACK (show_progress), bar, 0);
  g_signal_connect_object (job, "notify::detail", G_CALLBACK (show_detail), detail, 0);
  show_progress (job, NULL, GTK_PROGRESS_BAR (bar));
  show_detail (job, NULL, GTK_LABEL (detail));
  if (cs_job_get_cancellable (job) != NULL)
    {
      GtkWidget *button = gtk_button_new_from_icon_name ("process-stop-symbolic");
      g_autofree char *name = g_strdup_printf (_("Cancel: %s"), cs_job_get_title (job));

      gtk_widget_set_tooltip_text (button, _("Cancel"));
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
      gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
      gtk_widget_add_css_class (button, "flat");
      g_signal_connect_object (button, "clicked", G_CALLBACK (on_cancel), job, 0);
      gtk_box_append (GTK_BOX (row), button);
    }
  return row;
}

static void
on_jobs_changed (CsJobsButton *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->jobs));
  g_autofree char *text = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self), n > 0);
  gtk_spinner_set_spinning (self->spinner, n > 0);
  if (n == 1)
    {
      g_autoptr (CsJob) job = g_list_model_get_item (G_LIST_MODEL (self->jobs), 0);

      text = g_strdup (cs_job_get_title (job));
    }
  else
    text = g_strdup_printf (ngettext ("%u job", "%u jobs", n), n);
  gtk_label_set_text (self->label, text);
  if (n == 0)
    gtk_menu_button_popdown (self->button);
}

static void
cs_jobs_button_dispose (GObject *object)
{
  CsJobsButton *self = CS_JOBS_BUTTON (object);

  if (self->list != NULL)
    gtk_list_box_bind_model (self->list, NULL, NULL, NULL, NULL);
  g_clear_object (&self->jobs);

  G_OBJECT_CLASS (cs_jobs_button_parent_class)->dispose (object);
}

static void
cs_jobs_button_class_init (CsJobsButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_jobs_button_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/window/cs-jobs-button.ui");
  gtk_widget_class_bind_template_child (widget_class, CsJobsButton, button);
  gtk_widget_class_bind_template_child (widget_class, CsJobsButton, spinner);
  gtk_widget_class_bind_template_child (widget_class, CsJobsButton, label);
  gtk_widget_class_bind_template_child (widget_class, CsJobsButton, list);
}

static void
cs_jobs_button_init (CsJobsButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * cs_jobs_button_set_jobs:
 * @self: a button
 * @jobs: what it shows; told once
 */
void
cs_jobs_button_set_jobs (CsJobsButton *self, CsJobs *jobs)
{
  g_return_if_fail (CS_IS_JOBS_BUTTON (self));
  g_return_if_fail (self->jobs == NULL);

  self->jobs = g_object_ref (jobs);
  gtk_list_box_bind_model (self->list, G_LIST_MODEL (jobs), make_row, self, NULL);
  g_signal_connect_object (jobs, "items-changed", G_CALLBACK (on_jobs_changed), self, G_CONNECT_SWAPPED);
  on_jobs_changed (self);
}
