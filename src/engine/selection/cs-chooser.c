/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-chooser-private.h"

enum
{
  FILES_CHANGED,
  FUNCTIONS_CHANGED,
  SELECTION_CHANGED,
  TOLD,
  N_SIGNALS
};

static GParamSpec *properties[CHOOSER_N_PROPERTIES];
static guint signals[N_SIGNALS];

G_DEFINE_QUARK (cs-chooser-error-quark, cs_chooser_error)
G_DEFINE_FINAL_TYPE (CsChooser, cs_chooser, G_TYPE_OBJECT)

/**
 * chooser_notify:
 * @self: a chooser
 * @property: what has changed
 */
void
chooser_notify (CsChooser *self, ChooserProperty property)
{
  if (!self->is_closed)
    g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

/**
 * chooser_emit_files_changed:
 * @self: a chooser
 */
void
chooser_emit_files_changed (CsChooser *self)
{
  if (!self->is_closed)
    g_signal_emit (self, signals[FILES_CHANGED], 0);
}

/**
 * chooser_emit_functions_changed:
 * @self: a chooser
 * @files: (nullable): as in CsChooser::functions-changed
 * @n_files: how many
 */
void
chooser_emit_functions_changed (CsChooser *self, const guint32 *files, guint n_files)
{
  if (!self->is_closed)
    g_signal_emit (self, signals[FUNCTIONS_CHANGED], 0, files, n_files);
}

/**
 * chooser_emit_selection_changed:
 * @self: a chooser
 */
void
chooser_emit_selection_changed (CsChooser *self)
{
  if (!self->is_closed)
    g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

/**
 * chooser_tell:
 * @self: a chooser
 * @sentence: what to tell the person
 */
void
chooser_tell (CsChooser *self, const char *sentence)
{
  if (!self->is_closed)
    g_signal_emit (self, signals[TOLD], 0, sentence);
}

/* Something that takes long to free. */
typedef struct
{
  gpointer data;
  GDestroyNotify destroy;
} Waste;

static void
free_waste (gpointer data)
{
  Waste *waste = data;

  if (waste->data != NULL)
    waste->destroy (waste->data);
  g_free (waste);
}

static void
free_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Waste *waste = data;

  waste->destroy (g_steal_pointer (&waste->data));
  g_task_return_boolean (task, TRUE);
}

/**
 * chooser_free_later:
 * @data: (transfer full): something large
 * @destroy: how to free it
 *
 * Frees it in a thread, so that the main loop goes on.
 */
void
chooser_free_later (gpointer data, GDestroyNotify destroy)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
  Waste *waste = g_new (Waste, 1);

  *waste = (Waste){ data, destroy };
  g_task_set_task_data (task, waste, free_waste);
  g_task_run_in_thread (task, free_in_thread);
}

/**
 * chooser_task_new:
 * @self: a chooser
 * @callback: gets a link for chooser_take_link(), and is called in any case
 *
 * Returns: (transfer full): a task for a thread, which doesn't keep the chooser
 */
GTask *
chooser_task_new (CsChooser *self, GAsyncReadyCallback callback)
{
  GTask *task;

  g_main_context_push_thread_default (self->context);
  task = g_task_new (NULL, self->cancellable, callback, g_atomic_rc_box_acquire (self->link));
  g_main_context_pop_thread_default (self->context);
  return task;
}

/**
 * chooser_take_link:
 * @link: (transfer full): what a callback of a task was given
 *
 * Returns: (transfer full) (nullable): the chooser; %NULL: it is closed
 */
CsChooser *
chooser_take_link (gpointer link)
{
  CsChooser *self = ((ChooserLink *) link)->chooser;

  if (self != NULL)
    g_object_ref (self);
  g_atomic_rc_box_release (link);
  return self;
}

static void
cs_chooser_dispose (GObject *object)
{
  cs_chooser_close (CS_CHOOSER (object));
  G_OBJECT_CLASS (cs_chooser_parent_class)->dispose (object);
}

static void
cs_chooser_finalize (GObject *object)
{
  CsChooser *self = CS_CHOOSER (object);

  g_atomic_rc_box_release (self->link);
  g_clear_object (&self->cancellable);
  g_main_context_unref (self->context);
  g_ptr_array_unref (self->waiters);
  g_free (self->folder);
  g_free (self->config_path);
  g_free (self->config_name);
  g_free (self->ctags);
  g_free (self->cache_folder);
  g_free (self->error);
  g_free (self->text);
  g_free (self->file_text);
  g_free (self->base_text);
  g_free (self->outside_text);
  g_free (self->load_error);
  g_free (self->text_error);
  g_free (self->good_text);
  G_OBJECT_CLASS (cs_chooser_parent_class)->finalize (object);
}

static void
cs_chooser_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  CsChooser *self = CS_CHOOSER (object);

  switch (id)
    {
    case CHOOSER_PROP_STATE:
      g_value_set_uint (value, cs_chooser_get_state (self));
      break;
    case CHOOSER_PROP_ERROR:
      g_value_set_string (value, cs_chooser_get_error (self));
      break;
    case CHOOSER_PROP_PROGRESS:
      g_value_set_double (value, cs_chooser_get_progress (self));
      break;
    case CHOOSER_PROP_SCANNER:
      g_value_set_string (value, cs_chooser_get_scanner (self));
      break;
    case CHOOSER_PROP_TEXT:
      g_value_set_string (value, cs_chooser_get_text (self));
      break;
    case CHOOSER_PROP_TEXT_ERROR:
      g_value_set_string (value, cs_chooser_get_text_error (self));
      break;
    case CHOOSER_PROP_DIRTY:
      g_value_set_boolean (value, cs_chooser_get_dirty (self));
      break;
    case CHOOSER_PROP_CHANGED_OUTSIDE:
      g_value_set_boolean (value, cs_chooser_get_changed_outside (self));
      break;
    case CHOOSER_PROP_CAN_UNDO:
      g_value_set_boolean (value, cs_chooser_get_can_undo (self));
      break;
    case CHOOSER_PROP_CAN_REDO:
      g_value_set_boolean (value, cs_chooser_get_can_redo (self));
      break;
    case CHOOSER_PROP_CHOOSING:
      g_value_set_boolean (value, cs_chooser_get_choosing (self));
      break;
    case CHOOSER_PROP_EDITING:
      g_value_set_boolean (value, cs_chooser_get_editing (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
add_properties (GObjectClass *class)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  /**
   * CsChooser:state:
   *
   * How far the sources are read, a #CsChooserState.
   */
  properties[CHOOSER_PROP_STATE] = g_param_spec_uint ("state", NULL, NULL, 0, CS_CHOOSER_FAILED, CS_CHOOSER_LISTING, flags);
  /**
   * CsChooser:error:
   *
   * (nullable): why there are no sources: they can't be listed, the folder has none, or it is gone. A sentence with
   * what to do. Without sources the text can be edited all the same.
   */
  properties[CHOOSER_PROP_ERROR] = g_param_spec_string ("error", NULL, NULL, NULL, flags);
  /**
   * CsChooser:progress:
   *
   * Which part of the files is scanned, 0 to 1. Notified at most 20 times a second.
   */
  properties[CHOOSER_PROP_PROGRESS] = g_param_spec_double ("progress", NULL, NULL, 0, 1, 0, flags);
  /**
   * CsChooser:scanner:
   *
   * (nullable): what finds the functions, as in “Universal Ctags 5.9.0” or “built-in scan”, once all are there.
   */
  properties[CHOOSER_PROP_SCANNER] = g_param_spec_string ("scanner", NULL, NULL, NULL, flags);
  /**
   * CsChooser:text:
   *
   * The text of trace.config as it is edited.
   */
  properties[CHOOSER_PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, NULL, flags);
  /**
   * CsChooser:text-error:
   *
   * (nullable): why the text, or the file, can't be used: a sentence with the line. Until it is mended the selection is
   * that of the last text that could be used, and ticks are refused. Its line is cs_chooser_get_text_error_line().
   */
  properties[CHOOSER_PROP_TEXT_ERROR] = g_param_spec_string ("text-error", NULL, NULL, NULL, flags);
  /**
   * CsChooser:dirty:
   *
   * Whether the text isn't what was loaded or saved.
   */
  properties[CHOOSER_PROP_DIRTY] = g_param_spec_boolean ("dirty", NULL, NULL, FALSE, flags);
  /**
   * CsChooser:changed-outside:
   *
   * Whether the file isn't any more what was loaded or saved, or is gone, while the text has changes of its own. Then
   * cs_chooser_reload() or cs_chooser_keep() decides. A file that changes while the text has no changes is loaded at
   * once, as a step that can be undone.
   */
  properties[CHOOSER_PROP_CHANGED_OUTSIDE] = g_param_spec_boolean ("changed-outside", NULL, NULL, FALSE, flags);
  /**
   * CsChooser:can-undo:
   */
  properties[CHOOSER_PROP_CAN_UNDO] = g_param_spec_boolean ("can-undo", NULL, NULL, FALSE, flags);
  /**
   * CsChooser:can-redo:
   */
  properties[CHOOSER_PROP_CAN_REDO] = g_param_spec_boolean ("can-redo", NULL, NULL, FALSE, flags);
  /**
   * CsChooser:choosing:
   *
   * Whether the selection is being computed anew: what accessors tell is that of a text before.
   */
  properties[CHOOSER_PROP_CHOOSING] = g_param_spec_boolean ("choosing", NULL, NULL, FALSE, flags);
  /**
   * CsChooser:editing:
   *
   * Whether ticks wait for their turn, or for the functions that they need.
   */
  properties[CHOOSER_PROP_EDITING] = g_param_spec_boolean ("editing", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (class, CHOOSER_N_PROPERTIES, properties);
}

static void
cs_chooser_class_init (CsChooserClass *klass)
{
  GObjectClass *class = G_OBJECT_CLASS (klass);

  class->dispose = cs_chooser_dispose;
  class->finalize = cs_chooser_finalize;
  class->get_property = cs_chooser_get_property;
  add_properties (class);
  /**
   * CsChooser::files-changed:
   * @self: a chooser
   *
   * The list of files and folders is another one: all numbers, counts and pointers from before are void. Emitted when
   * files are listed first, and when files were added or removed later. Functions come after this.
   */
  signals[FILES_CHANGED] = g_signal_new ("files-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  /**
   * CsChooser::functions-changed:
   * @self: a chooser
   * @files: (nullable): numbers of files (guint32, ascending), or %NULL: all
   * @n_files: how many
   *
   * The functions of these files are known now, and the counts of the folders around them have changed. Emitted for
   * many files at once, at most 20 times a second while sources are scanned; with all when that is over, since then
   * functions have their numbers and the pointers from before are void.
   */
  signals[FUNCTIONS_CHANGED] = g_signal_new ("functions-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                             NULL, NULL, G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_UINT);
  /**
   * CsChooser::selection-changed:
   * @self: a chooser
   *
   * What is chosen, counts, actions and warnings may be others. Numbers and pointers stay.
   */
  signals[SELECTION_CHANGED] = g_signal_new ("selection-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                             NULL, NULL, G_TYPE_NONE, 0);
  /**
   * CsChooser::told:
   * @self: a chooser
   * @sentence: something to tell the person
   *
   * A tick couldn't be done, or does a little more or less than was wanted; or the file was loaded anew.
   */
  signals[TOLD] = g_signal_new ("told", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_STRING);
}

static void
cs_chooser_init (CsChooser *self)
{
  self->link = g_atomic_rc_box_new0 (ChooserLink);
  self->link->chooser = self;
  self->cancellable = g_cancellable_new ();
  self->context = g_main_context_ref_thread_default ();
  self->waiters = g_ptr_array_new ();
  self->text = g_strdup ("");
  self->base_text = g_strdup ("");
  self->typed_at = G_MAXSIZE;
  g_queue_init (&self->edits);
  g_queue_init (&self->undo);
  g_queue_init (&self->redo);
}

/**
 * cs_chooser_new:
 * @folder: a project's folder
 * @config_path: (nullable): its trace.config; %NULL: the file of that name in @folder. One that isn't there counts as an
 *   empty one that says so in comments, and isn't written before cs_chooser_save_async()
 *
 * Everything that it tells comes in the main context of the thread that makes it.
 *
 * Returns: (transfer full): a chooser that reads nothing before cs_chooser_load()
 */
CsChooser *
cs_chooser_new (const char *folder, const char *config_path)
{
  return cs_chooser_new_with_options (folder, config_path, NULL);
}

/**
 * cs_chooser_new_with_options:
 * @folder: as for cs_chooser_new()
 * @config_path: (nullable): as for cs_chooser_new()
 * @options: (nullable): how to scan the sources; its functions aren't called
 *
 * Returns: (transfer full): a chooser
 */
CsChooser *
cs_chooser_new_with_options (const char *folder, const char *config_path, const CsScanOptions *options)
{
  CsChooser *self;

  g_return_val_if_fail (folder != NULL, NULL);

  self = g_object_new (CS_TYPE_CHOOSER, NULL);
  self->folder = g_canonicalize_filename (folder, NULL);
  self->config_path = config_path != NULL ? g_canonicalize_filename (config_path, NULL)
                                          : g_build_filename (self->folder, "trace.config", NULL);
  self->config_name = g_path_get_basename (self->config_path);
  if (options != NULL)
    {
      self->options = *options;
      self->ctags = g_strdup (options->ctags);
      self->cache_folder = g_strdup (options->cache_folder);
      self->options.ctags = self->options.cache_folder = NULL;
      self->options.progress = NULL;
      self->options.found = NULL;
      self->options.user_data = NULL;
    }
  return self;
}

/**
 * cs_chooser_load:
 * @self: a chooser
 *
 * Begins to read the sources and the config, in threads; the text is there when CsChooser:text is notified. Called
 * again, it reads the sources again, as after an error.
 */
void
cs_chooser_load (CsChooser *self)
{
  g_return_if_fail (CS_IS_CHOOSER (self));

  if (self->is_closed)
    return;
  if (!self->is_loaded)
    chooser_load_text (self);
  self->is_loaded = TRUE;
  chooser_list_again (self);
}

/**
 * cs_chooser_close:
 * @self: a chooser
 *
 * Ends all that goes on in threads, and watches nothing any more; what waits for a result gets %G_IO_ERROR_CANCELLED.
 * No signal follows. Disposing of it does the same.
 */
void
cs_chooser_close (CsChooser *self)
{
  g_return_if_fail (CS_IS_CHOOSER (self));

  if (self->is_closed)
    return;
  self->is_closed = TRUE;
  self->link->chooser = NULL;
  g_cancellable_cancel (self->cancellable);
  chooser_close_text (self);
  chooser_close_sources (self);
  chooser_close_work (self);
  chooser_close_waiters (self);
}

/**
 * cs_chooser_get_state:
 * @self: a chooser
 *
 * Returns: CsChooser:state
 */
CsChooserState
cs_chooser_get_state (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), CS_CHOOSER_FAILED);

  return self->state;
}

/**
 * cs_chooser_get_error:
 * @self: a chooser
 *
 * Returns: (nullable): CsChooser:error
 */
const char *
cs_chooser_get_error (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), NULL);

  return self->error;
}

/**
 * cs_chooser_get_progress:
 * @self: a chooser
 *
 * Returns: CsChooser:progress
 */
double
cs_chooser_get_progress (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), 0);

  return self->progress;
}

/**
 * cs_chooser_get_scanner:
 * @self: a chooser
 *
 * Returns: (nullable): CsChooser:scanner
 */
const char *
cs_chooser_get_scanner (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), NULL);

  return self->index != NULL ? cs_function_index_get_scanner (self->index) : NULL;
}

/**
 * cs_chooser_get_folder_path:
 * @self: a chooser
 *
 * Returns: the project's folder, as an absolute path
 */
const char *
cs_chooser_get_folder_path (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), NULL);

  return self->folder;
}

/**
 * cs_chooser_get_config_path:
 * @self: a chooser
 *
 * Returns: where the config lies or will
 */
const char *
cs_chooser_get_config_path (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), NULL);

  return self->config_path;
}

/**
 * cs_chooser_dup_warnings:
 * @self: a chooser
 *
 * What a person should know: folders that can't be read, how the scan went, what the rules match by mistake. They
 * change with CsChooser::files-changed, CsChooser::functions-changed for all files, and CsChooser::selection-changed.
 *
 * Returns: (transfer full) (array zero-terminated=1): sentences
 */
char **
cs_chooser_dup_warnings (CsChooser *self)
{
  g_autoptr (GStrvBuilder) warnings = g_strv_builder_new ();
  const char *const *some;

  g_return_val_if_fail (CS_IS_CHOOSER (self), NULL);

  if (self->tree_warnings != NULL)
    g_strv_builder_addv (warnings, (const char **) self->tree_warnings);
  if (self->index != NULL)
    for (some = cs_function_index_get_warnings (self->index); *some != NULL; some++)
      g_strv_builder_add (warnings, *some);
  if (self->graph != NULL)
    for (some = cs_call_graph_get_warnings (self->graph); *some != NULL; some++)
      g_strv_builder_add (warnings, *some);
  if (self->choice != NULL)
    for (some = cs_selection_get_warnings (self->choice->selection); *some != NULL; some++)
      g_strv_builder_add (warnings, *some);
  return g_strv_builder_end (warnings);
}

/**
 * cs_chooser_get_text:
 * @self: a chooser
 *
 * Returns: CsChooser:text; "" before the file is loaded
 */
const char *
cs_chooser_get_text (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), "");

  return self->text;
}

/**
 * cs_chooser_get_text_error:
 * @self: a chooser
 *
 * Returns: (nullable): CsChooser:text-error
 */
const char *
cs_chooser_get_text_error (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), NULL);

  return self->text_error;
}

/**
 * cs_chooser_get_text_error_line:
 * @self: a chooser
 *
 * Returns: the line that CsChooser:text-error is about, from 1; 0: none
 */
guint
cs_chooser_get_text_error_line (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), 0);

  return self->text_error != NULL ? self->text_error_line : 0;
}

/**
 * cs_chooser_get_dirty:
 * @self: a chooser
 *
 * Returns: CsChooser:dirty
 */
gboolean
cs_chooser_get_dirty (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), FALSE);

  return self->is_dirty;
}

/**
 * cs_chooser_get_changed_outside:
 * @self: a chooser
 *
 * Returns: CsChooser:changed-outside
 */
gboolean
cs_chooser_get_changed_outside (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), FALSE);

  return self->is_changed_outside;
}
