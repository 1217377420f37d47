/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "project/cs-adopt.h"
#include "welcome/cs-adopt-bar.h"

struct _CsAdoptBar
{
  AdwBin parent_instance;

  GtkRevealer *revealer;
  GtkLabel *text;
  GtkButton *button;

  CsSession *session;     /* (nullable) */
  CsProject *project;     /* (nullable): the one that is listened to */
  GCancellable *looking;  /* (nullable): ends the look at the project's files */
};

G_DEFINE_FINAL_TYPE (CsAdoptBar, cs_adopt_bar, ADW_TYPE_BIN)

static void
show (CsAdoptBar *self, const char *text, const char *label)
{
  gtk_revealer_set_reveal_child (self->revealer, text != NULL);
  if (text == NULL)
    return;
  gtk_label_set_text (self->text, text);
  gtk_button_set_label (self->button, label);
}

/* The names of files that somebody changed. */
static char *
list_changed (GPtrArray *files)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      const CsAdoptFile *file = files->pdata[i];

      if (file->action == CS_ADOPT_KEEP || file->action == CS_ADOPT_CONFLICT)
        g_ptr_array_add (names, g_filename_display_basename (file->path));
    }
  if (names->len == 0)
    return NULL;
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (char **) names->pdata);
}

/* files.sha256 is written every time and tells nothing. */
static gboolean
is_other_version (GPtrArray *files)
{
  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      const CsAdoptFile *file = files->pdata[i];

      if ((file->action == CS_ADOPT_WRITE || file->action == CS_ADOPT_UPDATE)
          && !g_str_equal (file->path, "callsight/files.sha256"))
        return TRUE;
    }
  return FALSE;
}

static void
look_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  CsBuildSystem system = CS_BUILD_SYSTEM_NONE;
  GError *error = NULL;
  GPtrArray *files;

  cs_adopt_find_system (data, &system);
  files = cs_adopt_list (data, system, &error);
  if (files != NULL)
    g_task_return_pointer (task, files, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsAdoptBar *self = CS_ADOPT_BAR (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) files = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *changed = list_changed (files);

  if (g_task_get_cancellable (G_TASK (result)) != self->looking)
    return;
  g_clear_object (&self->looking);
  if (error != NULL && error->domain == CS_ADOPT_ERROR && error->code == CS_ADOPT_ERROR_FOLDER)
    show (self, _("The folder callsight/ of this project isn’t one that Callsight made: look into it before you build"),
          _("Details…"));
  else if (changed != NULL)
    {
      g_autofree char *text = g_strdup_printf (_("Files in callsight/ were changed by somebody: %s — look at them before you "
                                                 "build"), changed);

      show (self, text, _("Details…"));
    }
  else if (is_other_version (files))
    show (self, _("callsight/ in this project is of another version than this Callsight"), _("Update…"));
  else
    show (self, NULL, NULL);
}

/* What a project came with is shown before anything of it is built. */
static void
update (CsAdoptBar *self)
{
  g_autoptr (GTask) task = NULL;

  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  if (self->project == NULL)
    {
      show (self, NULL, NULL);
      return;
    }
  if (!cs_project_is_adopted (self->project))
    {
      show (self, _("This project isn’t set up for tracing yet. That adds a folder and a file to it, and changes nothing else."),
            _("Set Up…"));
      return;
    }
  self->looking = g_cancellable_new ();
  task = g_task_new (self, self->looking, on_looked, NULL);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, g_strdup (cs_project_get_folder (self->project)), g_free);
  g_task_run_in_thread (task, look_in_thread);
}

static void
on_project_changed (CsAdoptBar *self)
{
  CsProject *project = cs_session_get_project (self->session);

  if (self->project != NULL)
    g_signal_handlers_disconnect_by_func (self->project, update, self);
  g_set_object (&self->project, project);
  if (project != NULL)
    g_signal_connect_object (project, "notify::adopted", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

static void
cs_adopt_bar_dispose (GObject *object)
{
  CsAdoptBar *self = CS_ADOPT_BAR (object);

  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  g_clear_object (&self->project);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (cs_adopt_bar_parent_class)->dispose (object);
}

static void
cs_adopt_bar_class_init (CsAdoptBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_adopt_bar_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/welcome/cs-adopt-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, CsAdoptBar, revealer);
  gtk_widget_class_bind_template_child (widget_class, CsAdoptBar, text);
  gtk_widget_class_bind_template_child (widget_class, CsAdoptBar, button);
}

static void
cs_adopt_bar_init (CsAdoptBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * cs_adopt_bar_set_session:
 * @self: a bar
 * @session: the window's; told once
 */
void
cs_adopt_bar_set_session (CsAdoptBar *self, CsSession *session)
{
  g_return_if_fail (CS_IS_ADOPT_BAR (self));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::project", G_CALLBACK (on_project_changed), self, G_CONNECT_SWAPPED);
  on_project_changed (self);
}

/**
 * cs_adopt_bar_is_busy:
 * @self: a bar
 *
 * Returns: whether it still looks at the project's files
 */
gboolean
cs_adopt_bar_is_busy (CsAdoptBar *self)
{
  return self->looking != NULL;
}
