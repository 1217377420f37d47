/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "project/cs-adopt.h"
#include "welcome/cs-adopt-dialog.h"

struct _CsAdoptDialog
{
  AdwWindow parent_instance;

  AdwWindowTitle *title;
  GtkWidget *set_up;
  GtkSpinner *spinner;
  GtkLabel *problem;
  AdwComboRow *system;
  AdwActionRow *replace_row;
  GtkSwitch *replace;
  AdwPreferencesGroup *files_group;
  GtkWidget *wiring_group;
  GtkLabel *wiring;

  CsSession *session;
  CsProject *project;
  GPtrArray *rows;        /* (element-type GtkWidget) of the files */
  GPtrArray *files;       /* (nullable) (element-type CsAdoptFile): what would be done */
  GCancellable *looking;  /* (nullable) */
  gboolean finding; /* which build system there is */
  gboolean writing;
};

G_DEFINE_FINAL_TYPE (CsAdoptDialog, cs_adopt_dialog, ADW_TYPE_WINDOW)

static void
show_problem (CsAdoptDialog *self, const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->problem), valid != NULL);
  gtk_label_set_text (self->problem, valid != NULL ? valid : "");
}

/* The names in callsight/ of the files that something happens to. */
static char *
list_names (CsAdoptDialog *self, CsAdoptAction action, guint *n)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; self->files != NULL && i < self->files->len; i++)
    {
      const CsAdoptFile *file = self->files->pdata[i];

      if (file->action == action && g_str_has_prefix (file->path, "callsight/"))
        g_ptr_array_add (names, g_filename_display_basename (file->path));
    }
  *n = names->len;
  g_ptr_array_add (names, NULL);
  return g_strjoinv ("  ", (char **) names->pdata);
}

static void
add_row (CsAdoptDialog *self, const char *title, const char *subtitle)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_preferences_group_add (self->files_group, row);
  g_ptr_array_add (self->rows, row);
}

static void
add_names (CsAdoptDialog *self, CsAdoptAction action, const char *title)
{
  guint n;
  g_autofree char *names = list_names (self, action, &n);

  if (n > 0)
    add_row (self, title, names);
}

static gboolean
has_config (CsAdoptDialog *self)
{
  for (guint i = 0; i < self->files->len; i++)
    {
      const CsAdoptFile *file = self->files->pdata[i];

      if (g_str_equal (file->path, "trace.config"))
        return file->action != CS_ADOPT_WRITE;
    }
  return FALSE;
}

static void
show_files (CsAdoptDialog *self)
{
  gboolean replace = gtk_switch_get_active (self->replace);

  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (self->files_group, self->rows->pdata[i]);
  g_ptr_array_set_size (self->rows, 0);
  gtk_widget_set_visible (GTK_WIDGET (self->files_group), self->files != NULL);
  if (self->files == NULL)
    return;
  add_names (self, CS_ADOPT_WRITE, _("New in callsight/"));
  add_names (self, CS_ADOPT_UPDATE, _("Brought up to date in callsight/"));
  add_names (self, CS_ADOPT_KEEP, replace ? _("Replaced in callsight/") : _("Changed by somebody, and stays so, in callsight/"));
  add_names (self, CS_ADOPT_CONFLICT, replace ? _("Replaced in callsight/")
                                              : _("Changed by somebody, while there are newer ones, in callsight/"));
  add_names (self, CS_ADOPT_SAME, _("Stays as it is in callsight/"));
  add_row (self, _("trace.config"), has_config (self) ? _("Is there, and stays as it is")
                                                      : _("New: everything is traced until you choose"));
}

static void
show_wiring (CsAdoptDialog *self)
{
  g_autofree char *wiring = cs_adopt_describe_wiring ((CsBuildSystem) adw_combo_row_get_selected (self->system));

  gtk_widget_set_visible (self->wiring_group, wiring != NULL);
  gtk_label_set_text (self->wiring, wiring != NULL ? g_strchomp (wiring) : "");
}

static void
update (CsAdoptDialog *self)
{
  guint n_kept, n_conflicts;
  g_autofree G_GNUC_UNUSED char *kept = list_names (self, CS_ADOPT_KEEP, &n_kept);
  g_autofree G_GNUC_UNUSED char *conflicts = list_names (self, CS_ADOPT_CONFLICT, &n_conflicts);

  gtk_widget_set_visible (GTK_WIDGET (self->replace_row), n_kept + n_conflicts > 0);
  adw_action_row_set_subtitle (self->replace_row, _("What somebody changed in them is lost"));
  gtk_widget_set_sensitive (self->set_up, self->files != NULL && !self->writing && self->looking == NULL
                                              && (n_conflicts == 0 || gtk_switch_get_active (self->replace)));
  gtk_spinner_set_spinning (self->spinner, self->writing || self->looking != NULL);
  show_files (self);
}

/* A look at what would be done; with the build system that is chosen, or else the one that the project has. */
typedef struct
{
  char *folder;
  gboolean is_chosen;
  CsBuildSystem system;
  CsBuildSystems found;
  GPtrArray *files; /* (nullable) */
} Look;

static void
look_free (gpointer data)
{
  Look *look = data;

  g_free (look->folder);
  g_clear_pointer (&look->files, g_ptr_array_unref);
  g_free (look);
}

static void
look_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Look *look = data;
  GError *error = NULL;

  cs_build_systems_find (look->folder, &look->found);
  if (!look->is_chosen && !cs_adopt_find_system (look->folder, &look->system))
    look->system = look->found.count > 0 ? look->found.systems[0] : CS_BUILD_SYSTEM_NONE;
  look->files = cs_adopt_list (look->folder, look->system, &error);
  if (look->files != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
show_found (CsAdoptDialog *self, const CsBuildSystems *found)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *list = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < found->count; i++)
    g_ptr_array_add (names, (gpointer) found->files[i]);
  g_ptr_array_add (names, NULL);
  list = g_strjoinv (", ", (char **) names->pdata);
  text = found->count > 0 ? g_strdup_printf (_("Found: %s"), list) : g_strdup (_("None was found"));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->system), text);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsAdoptDialog *self = CS_ADOPT_DIALOG (source);
  Look *look = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  if (g_task_get_cancellable (G_TASK (result)) != self->looking)
    return;
  if (!look->is_chosen)
    adw_combo_row_set_selected (self->system, look->system);
  self->finding = FALSE;
  g_clear_object (&self->looking);
  self->files = g_steal_pointer (&look->files);
  show_problem (self, error != NULL ? error->message : NULL);
  show_found (self, &look->found);
  show_wiring (self);
  update (self);
}

static void
look (CsAdoptDialog *self, gboolean is_chosen)
{
  g_autoptr (GTask) task = NULL;
  Look *data = g_new0 (Look, 1);

  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  self->looking = g_cancellable_new ();
  self->finding = !is_chosen;
  data->folder = g_strdup (cs_project_get_folder (self->project));
  data->is_chosen = is_chosen;
  data->system = (CsBuildSystem) adw_combo_row_get_selected (self->system);
  task = g_task_new (self, self->looking, on_looked, NULL);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, data, look_free);
  g_task_run_in_thread (task, look_in_thread);
  update (self);
}

static void
on_system_changed (CsAdoptDialog *self)
{
  /* The one that was found is shown while it is looked at, not chosen. */
  if (self->project != NULL && !self->finding)
    look (self, TRUE);
}

static void
on_copy (CsAdoptDialog *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), gtk_label_get_text (self->wiring));
}

/* The files are written, also when the dialog is closed meanwhile. */
typedef struct
{
  CsSession *session;
  CsProject *project;
  char *folder;
  CsBuildSystem system;
  gboolean replace;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_object_unref (work->session);
  g_object_unref (work->project);
  g_free (work->folder);
  g_free (work);
}

static void
write_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Work *work = data;
  GError *error = NULL;
  g_autoptr (CsAdoptResult) result = cs_adopt_sync (work->folder, work->system, work->replace, &error);

  if (result != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsAdoptDialog *self = CS_ADOPT_DIALOG (source);
  const Work *work = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean had_project = cs_project_is_adopted (work->project);
  gboolean is_open = self->project != NULL;
  g_autofree char *text = NULL;

  self->writing = FALSE;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      if (is_open)
        {
          show_problem (self, error->message);
          update (self);
        }
      else
        cs_session_tell (work->session, error->message);
      return;
    }
  cs_project_take_adoption (work->project);
  text = g_strdup_printf (had_project ? _("“%s” is up to date") : _("“%s” is set up: choose what to trace, then build"),
                          cs_project_get_name (work->project));
  cs_session_tell (work->session, text);
  if (had_project)
    g_object_notify (G_OBJECT (work->project), "adopted");
  if (is_open)
    gtk_window_destroy (GTK_WINDOW (self));
}

static void
on_set_up (CsAdoptDialog *self)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, on_written, NULL);
  Work *work = g_new (Work, 1);

  work->session = g_object_ref (self->session);
  work->project = g_object_ref (self->project);
  work->folder = g_strdup (cs_project_get_folder (self->project));
  work->system = (CsBuildSystem) adw_combo_row_get_selected (self->system);
  work->replace = gtk_switch_get_active (self->replace);
  self->writing = TRUE;
  show_problem (self, NULL);
  update (self);
  g_task_set_task_data (task, work, work_free);
  g_task_run_in_thread (task, write_in_thread);
}

static void
cs_adopt_dialog_dispose (GObject *object)
{
  CsAdoptDialog *self = CS_ADOPT_DIALOG (object);

  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_clear_object (&self->session);
  g_clear_object (&self->project);

  G_OBJECT_CLASS (cs_adopt_dialog_parent_class)->dispose (object);
}

static void
cs_adopt_dialog_finalize (GObject *object)
{
  g_ptr_array_unref (CS_ADOPT_DIALOG (object)->rows);

  G_OBJECT_CLASS (cs_adopt_dialog_parent_class)->finalize (object);
}

static void
cs_adopt_dialog_class_init (CsAdoptDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_adopt_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_adopt_dialog_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/welcome/cs-adopt-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, CsAdoptDialog, title);
  gtk_widget_class_bind_template_child (widget_class, CsAdoptDialog, set_up);
  gtk_widget_class_bind_template_child (widget_class, CsAdoptDialog, spinner);
  gtk_widget_class_bind_template_child (widget_class, CsAdoptDialog, problem);
  gtk_widget_class_bind_template_child (widget_class, CsAdoptDialog, system);
  gtk_widget_class_bind_template_child (widget_class, CsAdoptDialog, replace_row);
  gtk_widget_class_bind_template_child (widget_class, CsAdoptDialog, replace);
  gtk_widget_class_bind_template_child (widget_class, CsAdoptDialog, files_group);
  gtk_widget_class_bind_template_child (widget_class, CsAdoptDialog, wiring_group);
  gtk_widget_class_bind_template_child (widget_class, CsAdoptDialog, wiring);
  gtk_widget_class_bind_template_callback (widget_class, on_set_up);
  gtk_widget_class_bind_template_callback (widget_class, on_system_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_copy);
  gtk_widget_class_bind_template_callback (widget_class, update);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
cs_adopt_dialog_init (CsAdoptDialog *self)
{
  self->rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * cs_adopt_dialog_new:
 * @parent: (nullable): the window that it belongs to
 * @session: with the project
 *
 * Returns: a dialog about the session's project
 */
CsAdoptDialog *
cs_adopt_dialog_new (GtkWindow *parent, CsSession *session)
{
  CsAdoptDialog *self = g_object_new (CS_TYPE_ADOPT_DIALOG, "transient-for", parent, NULL);
  g_autofree char *folder = NULL;

  self->session = g_object_ref (session);
  self->project = g_object_ref (cs_session_get_project (session));
  folder = g_filename_display_name (cs_project_get_folder (self->project));
  adw_window_title_set_subtitle (self->title, folder);
  if (cs_project_is_adopted (self->project))
    gtk_button_set_label (GTK_BUTTON (self->set_up), _("Update"));
  show_wiring (self);
  look (self, FALSE);
  return self;
}

/**
 * cs_adopt_dialog_is_busy:
 * @self: a dialog
 *
 * Returns: whether it looks at files or writes them
 */
gboolean
cs_adopt_dialog_is_busy (CsAdoptDialog *self)
{
  return self->looking != NULL || self->writing;
}
