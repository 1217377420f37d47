/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "selection/cs-chooser-private.h"

/* A file that is being written is read when it rests. */
#define CHECK_MS 150

/* A file to be read, and what it held. */
typedef struct
{
  char *path;
  char *text;     /* (nullable): NULL: there is none */
  char *error;    /* (nullable): why it can't be used */
  gboolean first; /* nothing was loaded before */
  gboolean take;  /* the person wants it whatever is here */
  guint n_saved;  /* as of the chooser when it began */
} Loading;

/* A text to be written. */
typedef struct
{
  char *path, *name, *text;
  char *known;    /* (nullable): what the file must still hold; NULL: there must be none */

  gboolean is_outside;
  char *found;    /* (nullable): what it holds instead */
} Saving;

static void
loading_free (gpointer data)
{
  Loading *job = data;

  g_free (job->path);
  g_free (job->text);
  g_free (job->error);
  g_free (job);
}

static void
saving_free (gpointer data)
{
  Saving *job = data;

  g_free (job->path);
  g_free (job->name);
  g_free (job->text);
  g_free (job->known);
  g_free (job->found);
  g_free (job);
}

static gboolean
is_missing (const char *path)
{
  return access (path, F_OK) != 0 && errno == ENOENT;
}

static guint
find_line (const char *text, const char *end)
{
  guint line = 1;

  for (const char *p = text; p < end; p++)
    line += *p == '\n';
  return line;
}

/* The text of a config, or NULL without an error if it isn't there. With an error it is what can be shown of it. */
static char *
read_config (const char *path, char **error)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autoptr (GError) problem = NULL;
  g_autofree char *text = NULL;
  const char *end;
  gsize length;

  *error = NULL;
  if (is_missing (path))
    return NULL;
  text = cs_trace_config_read_file (path, &length, &problem);
  if (text == NULL)
    {
      *error = g_strdup (problem->message);
      return NULL;
    }
  if (strlen (text) < length || length > CS_TRACE_CONFIG_MAX_SIZE)
    {
      g_autoptr (CsTraceConfig) none = cs_trace_config_parse (text, (gssize) length, name, &problem);

      *error = g_strdup (problem->message);
      return NULL;
    }
  if (g_utf8_validate (text, (gssize) length, &end))
    return g_steal_pointer (&text);
  *error = g_strdup_printf ("%s:%u: there are bytes that are no UTF-8 — save it as UTF-8 with another editor", name,
                            find_line (text, end));
  return g_utf8_make_valid (text, (gssize) length);
}

static void
load_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Loading *job = data;

  job->text = read_config (job->path, &job->error);
  g_task_return_boolean (task, TRUE);
}

static void on_loaded (GObject *source, GAsyncResult *result, gpointer user_data);

static void
start_loading (CsChooser *self, gboolean first, gboolean take)
{
  g_autoptr (GTask) task = chooser_task_new (self, on_loaded);
  Loading *job = g_new0 (Loading, 1);

  job->path = g_strdup (self->config_path);
  job->first = first;
  job->take = take;
  job->n_saved = self->n_saved;
  g_task_set_task_data (task, job, loading_free);
  g_task_run_in_thread (task, load_in_thread);
}

static gboolean
on_time_to_check (gpointer user_data)
{
  CsChooser *self = user_data;

  self->check_source = 0;
  start_loading (self, FALSE, FALSE);
  return G_SOURCE_REMOVE;
}

static void
on_file_changed (GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event, gpointer user_data)
{
  CsChooser *self = user_data;
  GSource *source;

  if (self->check_source != 0 || !self->is_text_loaded)
    return;
  source = g_timeout_source_new (CHECK_MS);
  g_source_set_callback (source, on_time_to_check, self, NULL);
  self->check_source = g_source_attach (source, self->context);
  g_source_unref (source);
}

static void
watch_file (CsChooser *self)
{
  g_autoptr (GFile) file = g_file_new_for_path (self->config_path);

  g_main_context_push_thread_default (self->context);
  self->monitor = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  g_main_context_pop_thread_default (self->context);
  /* Without one a change is noticed when the text is saved. */
  if (self->monitor != NULL)
    g_signal_connect (self->monitor, "changed", G_CALLBACK (on_file_changed), self);
}

static void
update_flags (CsChooser *self)
{
  gboolean is_dirty = self->base_text == NULL || !g_str_equal (self->text, self->base_text);

  if (is_dirty != self->is_dirty)
    {
      self->is_dirty = is_dirty;
      chooser_notify (self, CHOOSER_PROP_DIRTY);
    }
  if (!self->is_closed)
    chooser_notify (self, CHOOSER_PROP_CAN_UNDO);
  if (!self->is_closed)
    chooser_notify (self, CHOOSER_PROP_CAN_REDO);
}

static void
set_changed_outside (CsChooser *self, gboolean is_changed)
{
  if (is_changed == self->is_changed_outside)
    return;
  self->is_changed_outside = is_changed;
  chooser_notify (self, CHOOSER_PROP_CHANGED_OUTSIDE);
}

static void
set_string (char **place, const char *text)
{
  char *copy = g_strdup (text);

  g_free (*place);
  *place = copy;
}

/**
 * chooser_take_text:
 * @self: a chooser
 * @text: (transfer full): what is its text now
 *
 * Tells of it, and chooses by it. Everything else has been set.
 */
void
chooser_take_text (CsChooser *self, char *text)
{
  g_free (self->text);
  self->text = text;
  self->version++;
  chooser_notify (self, CHOOSER_PROP_TEXT);
  if (!self->is_closed)
    update_flags (self);
  chooser_pump (self);
}

/* The line that a message begins with, "name:7: …". */
static guint
get_error_line (CsChooser *self, const char *message)
{
  gsize length = strlen (self->config_name);

  if (message == NULL || strncmp (message, self->config_name, length) != 0 || message[length] != ':')
    return 0;
  return (guint) g_ascii_strtoull (message + length + 1, NULL, 10);
}

/**
 * chooser_set_text_error:
 * @self: a chooser
 * @message: (nullable): why its text can't be used
 */
void
chooser_set_text_error (CsChooser *self, const char *message)
{
  if (g_strcmp0 (message, self->text_error) == 0)
    return;
  set_string (&self->text_error, message);
  self->text_error_line = get_error_line (self, message);
  chooser_notify (self, CHOOSER_PROP_TEXT_ERROR);
}

/* The file can't be used: nothing is edited until it can. */
static void
take_unusable (CsChooser *self, const Loading *job)
{
  set_string (&self->load_error, job->error);
  g_clear_pointer (&self->file_text, g_free);
  set_string (&self->base_text, job->text != NULL ? job->text : "");
  g_clear_pointer (&self->outside_text, g_free);
  chooser_clear_steps (self);
  set_changed_outside (self, FALSE);
  if (self->choice != NULL)
    chooser_free_later (g_steal_pointer (&self->choice), (GDestroyNotify) chooser_choice_unref);
  if (self->next_sources != NULL)
    chooser_adopt_next (self);
  chooser_set_text_error (self, job->error);
  chooser_take_text (self, g_strdup (self->base_text));
  if (!self->is_closed)
    chooser_emit_selection_changed (self);
}

/* What the file holds is what is edited. */
static void
take_file (CsChooser *self, const char *text, gboolean as_step)
{
  const char *base = text != NULL ? text : cs_trace_config_starter_text ();

  g_clear_pointer (&self->load_error, g_free);
  set_string (&self->file_text, text);
  set_string (&self->base_text, base);
  g_clear_pointer (&self->outside_text, g_free);
  set_changed_outside (self, FALSE);
  if (as_step && !g_str_equal (self->text, base))
    chooser_set_text_step (self, base);
  else if (as_step)
    update_flags (self);
  else
    chooser_take_text (self, g_strdup (base));
}

/* The file was read again. */
static void
take_again (CsChooser *self, const Loading *job)
{
  g_autofree char *sentence = NULL;

  if (job->error == NULL && self->load_error == NULL && !job->take && g_strcmp0 (job->text, self->file_text) == 0)
    {
      /* As it was: what was said of it before doesn't count any more. */
      g_clear_pointer (&self->outside_text, g_free);
      set_changed_outside (self, FALSE);
    }
  else if (self->load_error != NULL || job->take)
    {
      if (job->error != NULL)
        take_unusable (self, job);
      else
        take_file (self, job->text, self->load_error == NULL);
    }
  else if (self->is_dirty || job->error != NULL)
    {
      set_string (&self->outside_text, job->error == NULL ? job->text : NULL);
      set_changed_outside (self, TRUE);
    }
  else if (job->text == NULL)
    {
      sentence = g_strdup_printf ("%s was deleted: its text is kept here until you save or reload it", self->config_name);
      g_clear_pointer (&self->file_text, g_free);
      g_clear_pointer (&self->base_text, g_free);
      update_flags (self);
    }
  else
    {
      sentence = g_strdup_printf ("%s was changed by another program, and is loaded again", self->config_name);
      take_file (self, job->text, TRUE);
    }
  if (sentence != NULL && !self->is_closed)
    chooser_tell (self, sentence);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsChooser) self = chooser_take_link (user_data);
  const Loading *job = g_task_get_task_data (G_TASK (result));

  if (self == NULL)
    return;
  /* What it held before it was saved would count as a change. */
  if (job->n_saved != self->n_saved)
    {
      start_loading (self, job->first, job->take);
      return;
    }
  if (!job->first)
    {
      take_again (self, job);
      return;
    }
  self->is_text_loaded = TRUE;
  if (job->error != NULL)
    take_unusable (self, job);
  else
    take_file (self, job->text, FALSE);
}

/**
 * chooser_load_text:
 * @self: a chooser
 *
 * Begins to load the file, and to watch it.
 */
void
chooser_load_text (CsChooser *self)
{
  watch_file (self);
  start_loading (self, TRUE, FALSE);
}

/**
 * cs_chooser_dup_diff:
 * @self: a chooser
 * @context: lines to show around each difference
 *
 * Returns: (transfer full) (element-type CsConfigDiffLine): what the person changed in the file as it was loaded, or in
 *   what a new file begins with
 */
GPtrArray *
cs_chooser_dup_diff (CsChooser *self, guint context)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), NULL);

  return cs_config_diff (self->load_error != NULL       ? self->text
                         : self->file_text != NULL ? self->file_text
                         : self->base_text != NULL ? self->base_text
                                                   : "",
                         self->text, context);
}

/**
 * cs_chooser_reload:
 * @self: a chooser
 *
 * Takes the file as it is now for the text, as a step that can be undone.
 */
void
cs_chooser_reload (CsChooser *self)
{
  g_return_if_fail (CS_IS_CHOOSER (self));

  if (!self->is_closed && self->is_text_loaded)
    start_loading (self, FALSE, TRUE);
}

/**
 * cs_chooser_keep:
 * @self: a chooser
 *
 * Lets the text stand against a file that was changed outside: what the file is now counts as known, and the next
 * cs_chooser_save_async() replaces it.
 */
void
cs_chooser_keep (CsChooser *self)
{
  g_return_if_fail (CS_IS_CHOOSER (self));

  if (!self->is_changed_outside)
    return;
  set_string (&self->file_text, self->outside_text);
  set_string (&self->base_text, self->outside_text);
  g_clear_pointer (&self->outside_text, g_free);
  set_changed_outside (self, FALSE);
  if (!self->is_closed)
    update_flags (self);
}

static void
save_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Saving *job = data;
  g_autoptr (CsTraceConfig) config = NULL;
  g_autofree char *problem = NULL;
  GError *error = NULL;

  config = cs_trace_config_parse (job->text, -1, job->name, &error);
  if (config == NULL)
    {
      g_autoptr (GError) why = error;

      g_task_return_new_error (task, CS_CHOOSER_ERROR, CS_CHOOSER_ERROR_TEXT, "%s", why->message);
      return;
    }
  job->found = read_config (job->path, &problem);
  if (problem != NULL || g_strcmp0 (job->found, job->known) != 0)
    {
      job->is_outside = TRUE;
      if (problem != NULL)
        g_clear_pointer (&job->found, g_free);
      g_task_return_new_error (task, CS_CHOOSER_ERROR, CS_CHOOSER_ERROR_OUTSIDE,
                               "%s was changed by another program — reload it, or keep what is here and save again", job->name);
      return;
    }
  if (g_task_return_error_if_cancelled (task))
    return;
  if (cs_trace_config_save (config, job->path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* The task in the thread is another one than the caller's, whose end must not come there. */
static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  CsChooser *self = g_task_get_source_object (task);
  Saving *job = g_task_get_task_data (G_TASK (result));
  GError *error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    {
      if (!self->is_closed)
        {
          self->n_saved++;
          set_string (&self->file_text, job->text);
          set_string (&self->base_text, job->text);
          g_clear_pointer (&self->outside_text, g_free);
          set_changed_outside (self, FALSE);
          update_flags (self);
        }
      g_task_return_boolean (task, TRUE);
      return;
    }
  if (job->is_outside && !self->is_closed)
    {
      set_string (&self->outside_text, job->found);
      set_changed_outside (self, TRUE);
    }
  g_task_return_error (task, error);
}

/**
 * cs_chooser_save_async:
 * @self: a chooser
 * @cancellable: (nullable): to give up
 * @callback: what to call
 * @user_data: for @callback
 *
 * Writes the text to the file, which is replaced in one step. A file that isn't what was loaded, saved, or kept with
 * cs_chooser_keep() stays: %CS_CHOOSER_ERROR_OUTSIDE, and CsChooser:changed-outside is %TRUE then. A text that can't be
 * parsed isn't written: %CS_CHOOSER_ERROR_TEXT.
 */
void
cs_chooser_save_async (CsChooser *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GTask) inner = NULL;
  Saving *job;

  g_return_if_fail (CS_IS_CHOOSER (self));

  task = g_task_new (self, cancellable, callback, user_data);
  if (self->is_closed || !self->is_text_loaded || self->load_error != NULL)
    {
      g_task_return_new_error (task, CS_CHOOSER_ERROR, CS_CHOOSER_ERROR_TEXT, "%s",
                               self->load_error != NULL ? self->load_error : "there is nothing to save yet");
      return;
    }
  job = g_new0 (Saving, 1);
  job->path = g_strdup (self->config_path);
  job->name = g_strdup (self->config_name);
  job->text = g_strdup (self->text);
  job->known = g_strdup (self->file_text);
  inner = g_task_new (NULL, cancellable, on_saved, g_steal_pointer (&task));
  g_task_set_task_data (inner, job, saving_free);
  g_task_run_in_thread (inner, save_in_thread);
}

/**
 * cs_chooser_save_finish:
 * @self: a chooser
 * @result: what the callback was given
 * @error: where to say why it wasn't written, and what to do
 *
 * Returns: whether the file has the text
 */
gboolean
cs_chooser_save_finish (CsChooser *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * chooser_close_text:
 * @self: a chooser
 *
 * Watches the file no longer.
 */
void
chooser_close_text (CsChooser *self)
{
  if (self->monitor != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->monitor, self);
      g_file_monitor_cancel (self->monitor);
      g_clear_object (&self->monitor);
    }
  if (self->check_source != 0)
    {
      GSource *source = g_main_context_find_source_by_id (self->context, self->check_source);

      if (source != NULL)
        g_source_destroy (source);
      self->check_source = 0;
    }
  chooser_clear_steps (self);
}
