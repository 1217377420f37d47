/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "selection/cs-chooser.h"

struct _CsChooser
{
  GObject parent_instance;

  char *folder, *config_path;
};

enum
{
  PROP_0,
  PROP_STATE,
  PROP_ERROR,
  PROP_PROGRESS,
  PROP_SCANNER,
  PROP_TEXT,
  PROP_TEXT_ERROR,
  PROP_DIRTY,
  PROP_CHANGED_OUTSIDE,
  PROP_CAN_UNDO,
  PROP_CAN_REDO,
  PROP_CHOOSING,
  PROP_EDITING,
  N_PROPERTIES
};

enum
{
  FILES_CHANGED,
  FUNCTIONS_CHANGED,
  SELECTION_CHANGED,
  TOLD,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPERTIES];
static guint signals[N_SIGNALS];

G_DEFINE_QUARK (cs-chooser-error-quark, cs_chooser_error)
G_DEFINE_FINAL_TYPE (CsChooser, cs_chooser, G_TYPE_OBJECT)

static void
cs_chooser_finalize (GObject *object)
{
  CsChooser *self = CS_CHOOSER (object);

  g_free (self->folder);
  g_free (self->config_path);
  G_OBJECT_CLASS (cs_chooser_parent_class)->finalize (object);
}

static void
cs_chooser_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  CsChooser *self = CS_CHOOSER (object);

  switch (id)
    {
    case PROP_STATE:
      g_value_set_uint (value, cs_chooser_get_state (self));
      break;
    case PROP_ERROR:
      g_value_set_string (value, cs_chooser_get_error (self));
      break;
    case PROP_PROGRESS:
      g_value_set_double (value, cs_chooser_get_progress (self));
      break;
    case PROP_SCANNER:
      g_value_set_string (value, cs_chooser_get_scanner (self));
      break;
    case PROP_TEXT:
      g_value_set_string (value, cs_chooser_get_text (self));
      break;
    case PROP_TEXT_ERROR:
      g_value_set_string (value, cs_chooser_get_text_error (self));
      break;
    case PROP_DIRTY:
      g_value_set_boolean (value, cs_chooser_get_dirty (self));
      break;
    case PROP_CHANGED_OUTSIDE:
      g_value_set_boolean (value, cs_chooser_get_changed_outside (self));
      break;
    case PROP_CAN_UNDO:
      g_value_set_boolean (value, cs_chooser_get_can_undo (self));
      break;
    case PROP_CAN_REDO:
      g_value_set_boolean (value, cs_chooser_get_can_redo (self));
      break;
    case PROP_CHOOSING:
      g_value_set_boolean (value, cs_chooser_get_choosing (self));
      break;
    case PROP_EDITING:
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
  properties[PROP_STATE] = g_param_spec_uint ("state", NULL, NULL, 0, CS_CHOOSER_FAILED, CS_CHOOSER_LISTING, flags);
  /**
   * CsChooser:error:
   *
   * (nullable): why there are no sources: they can't be listed, the folder has none, or it is gone. A sentence with
   * what to do. Without sources the text can be edited all the same.
   */
  properties[PROP_ERROR] = g_param_spec_string ("error", NULL, NULL, NULL, flags);
  /**
   * CsChooser:progress:
   *
   * Which part of the files is scanned, 0 to 1. Notified at most 20 times a second.
   */
  properties[PROP_PROGRESS] = g_param_spec_double ("progress", NULL, NULL, 0, 1, 0, flags);
  /**
   * CsChooser:scanner:
   *
   * (nullable): what finds the functions, as in “Universal Ctags 5.9.0” or “built-in scan”, once all are there.
   */
  properties[PROP_SCANNER] = g_param_spec_string ("scanner", NULL, NULL, NULL, flags);
  /**
   * CsChooser:text:
   *
   * The text of trace.config as it is edited.
   */
  properties[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, NULL, flags);
  /**
   * CsChooser:text-error:
   *
   * (nullable): why the text, or the file, can't be used: a sentence with the line. Until it is mended the selection is
   * that of the last text that could be used, and ticks are refused. Its line is cs_chooser_get_text_error_line().
   */
  properties[PROP_TEXT_ERROR] = g_param_spec_string ("text-error", NULL, NULL, NULL, flags);
  /**
   * CsChooser:dirty:
   *
   * Whether the text isn't what was loaded or saved.
   */
  properties[PROP_DIRTY] = g_param_spec_boolean ("dirty", NULL, NULL, FALSE, flags);
  /**
   * CsChooser:changed-outside:
   *
   * Whether the file isn't any more what was loaded or saved, or is gone, while the text has changes of its own. Then
   * cs_chooser_reload() or cs_chooser_keep() decides. A file that changes while the text has no changes is loaded at
   * once, as a step that can be undone.
   */
  properties[PROP_CHANGED_OUTSIDE] = g_param_spec_boolean ("changed-outside", NULL, NULL, FALSE, flags);
  /**
   * CsChooser:can-undo:
   */
  properties[PROP_CAN_UNDO] = g_param_spec_boolean ("can-undo", NULL, NULL, FALSE, flags);
  /**
   * CsChooser:can-redo:
   */
  properties[PROP_CAN_REDO] = g_param_spec_boolean ("can-redo", NULL, NULL, FALSE, flags);
  /**
   * CsChooser:choosing:
   *
   * Whether the selection is being computed anew: what accessors tell is that of a text before.
   */
  properties[PROP_CHOOSING] = g_param_spec_boolean ("choosing", NULL, NULL, FALSE, flags);
  /**
   * CsChooser:editing:
   *
   * Whether ticks wait for their turn, or for the functions that they need.
   */
  properties[PROP_EDITING] = g_param_spec_boolean ("editing", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (class, N_PROPERTIES, properties);
}

static void
cs_chooser_class_init (CsChooserClass *klass)
{
  GObjectClass *class = G_OBJECT_CLASS (klass);

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
  CsChooser *self = g_object_new (CS_TYPE_CHOOSER, NULL);

  self->folder = g_strdup (folder);
  self->config_path = config_path != NULL ? g_strdup (config_path) : g_build_filename (folder, "trace.config", NULL);
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
  return CS_CHOOSER_LISTING;
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
  return NULL;
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
  return 0;
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
  return NULL;
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
  return g_new0 (char *, 1);
}

/**
 * cs_chooser_get_n_files:
 * @self: a chooser
 *
 * Returns: how many files are listed
 */
guint
cs_chooser_get_n_files (CsChooser *self)
{
  return 0;
}

/**
 * cs_chooser_get_file:
 * @self: a chooser
 * @file: number of a file; they are sorted by the bytes of their paths
 *
 * Returns: (transfer none): the file, until CsChooser::files-changed
 */
const CsSourceFile *
cs_chooser_get_file (CsChooser *self, guint file)
{
  return NULL;
}

/**
 * cs_chooser_find_file:
 * @self: a chooser
 * @path: relative to the root
 *
 * Returns: the number of the file, or %CS_CHOOSER_NONE
 */
guint
cs_chooser_find_file (CsChooser *self, const char *path)
{
  return CS_CHOOSER_NONE;
}

/**
 * cs_chooser_get_file_folder:
 * @self: a chooser
 * @file: number of a file
 *
 * Returns: the number of the folder that it is right in
 */
guint
cs_chooser_get_file_folder (CsChooser *self, guint file)
{
  return CS_CHOOSER_ROOT;
}

/**
 * cs_chooser_get_n_folders:
 * @self: a chooser
 *
 * Returns: how many folders there are, the root included; 0 before files are listed
 */
guint
cs_chooser_get_n_folders (CsChooser *self)
{
  return 0;
}

/**
 * cs_chooser_get_folder:
 * @self: a chooser
 * @folder: number of a folder
 *
 * Returns: (transfer none): the folder, until CsChooser::files-changed
 */
const CsChooserFolder *
cs_chooser_get_folder (CsChooser *self, guint folder)
{
  return NULL;
}

/**
 * cs_chooser_get_own_files:
 * @self: a chooser
 * @folder: number of a folder
 * @count: (out): how many files are right in it
 *
 * Returns: (array length=count) (transfer none): their numbers, ascending
 */
const guint32 *
cs_chooser_get_own_files (CsChooser *self, guint folder, guint *count)
{
  *count = 0;
  return NULL;
}

/**
 * cs_chooser_get_functions:
 * @self: a chooser
 * @file: number of a file
 * @count: (out): how many functions it is known to define
 *
 * Works from the moment on that the file is scanned, before others are.
 *
 * Returns: (array length=count) (transfer none) (nullable): them, by line, until CsChooser::functions-changed for all
 *   files or CsChooser::files-changed; %NULL: it isn't scanned yet
 */
const CsSourceFunction *
cs_chooser_get_functions (CsChooser *self, guint file, guint *count)
{
  *count = 0;
  return NULL;
}

/**
 * cs_chooser_get_index:
 * @self: a chooser
 *
 * Returns: (transfer none) (nullable): all functions, once all files are scanned
 */
CsFunctionIndex *
cs_chooser_get_index (CsChooser *self)
{
  return NULL;
}

/**
 * cs_chooser_get_function_number:
 * @self: a chooser
 * @file: number of a file
 * @nth: which of its functions, from 0
 *
 * Returns: the function's number in the index; %CS_CHOOSER_NONE before that is there
 */
guint32
cs_chooser_get_function_number (CsChooser *self, guint file, guint nth)
{
  return CS_CHOOSER_NONE;
}

/**
 * cs_chooser_get_selection:
 * @self: a chooser
 *
 * Returns: (transfer none) (nullable): what the last text that could be used chooses; before all files are scanned of
 *   files alone; %NULL before it is known
 */
CsSelection *
cs_chooser_get_selection (CsChooser *self)
{
  return NULL;
}

/**
 * cs_chooser_get_choosing:
 * @self: a chooser
 *
 * Returns: CsChooser:choosing
 */
gboolean
cs_chooser_get_choosing (CsChooser *self)
{
  return FALSE;
}

/**
 * cs_chooser_get_counts:
 * @self: a chooser
 *
 * Returns: (transfer none) (nullable): those of the selection, for the line that sums it up
 */
const CsSelectionCounts *
cs_chooser_get_counts (CsChooser *self)
{
  return NULL;
}

/**
 * cs_chooser_get_file_counts:
 * @self: a chooser
 * @file: number of a file
 * @counts: (out caller-allocates): how much is chosen of it; computed already
 */
void
cs_chooser_get_file_counts (CsChooser *self, guint file, CsChooserCounts *counts)
{
  *counts = (CsChooserCounts){ 0 };
}

/**
 * cs_chooser_get_folder_counts:
 * @self: a chooser
 * @folder: number of a folder
 * @counts: (out caller-allocates): how much is chosen of all that is below it; computed already
 */
void
cs_chooser_get_folder_counts (CsChooser *self, guint folder, CsChooserCounts *counts)
{
  *counts = (CsChooserCounts){ 0 };
}

/**
 * cs_chooser_get_function:
 * @self: a chooser
 * @file: number of a file
 * @nth: which of its functions, from 0
 * @chosen: (out) (optional): whether it is traced
 * @action: (out) (optional): what the config does with it
 * @depth: (out) (optional): of %CS_FUNCTION_SUBTREE
 *
 * Returns: whether that is known yet; if not, @chosen is %FALSE and @action %CS_FUNCTION_OFF
 */
gboolean
cs_chooser_get_function (CsChooser *self, guint file, guint nth, gboolean *chosen, CsFunctionAction *action, int *depth)
{
  if (chosen != NULL)
    *chosen = FALSE;
  if (action != NULL)
    *action = CS_FUNCTION_OFF;
  if (depth != NULL)
    *depth = 0;
  return FALSE;
}

/**
 * cs_chooser_get_overmatch:
 * @self: a chooser
 *
 * Returns: (transfer none) (array zero-terminated=1): sentences on functions that gcc hooks though they aren't chosen,
 *   since their names are part of chosen ones
 */
const char *const *
cs_chooser_get_overmatch (CsChooser *self)
{
  static const char *const none[] = { NULL };

  return none;
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
  return "";
}

/**
 * cs_chooser_set_text:
 * @self: a chooser
 * @text: what an editor holds now
 *
 * Goes the same way as ticks do. What is typed in one go is one step to undo. CsChooser:text is notified also for the
 * caller; the same text again does nothing. Before the file is loaded it does nothing.
 */
void
cs_chooser_set_text (CsChooser *self, const char *text)
{
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
  return NULL;
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
  return 0;
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
  return FALSE;
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
  return FALSE;
}

/**
 * cs_chooser_get_can_undo:
 * @self: a chooser
 *
 * Returns: CsChooser:can-undo
 */
gboolean
cs_chooser_get_can_undo (CsChooser *self)
{
  return FALSE;
}

/**
 * cs_chooser_get_can_redo:
 * @self: a chooser
 *
 * Returns: CsChooser:can-redo
 */
gboolean
cs_chooser_get_can_redo (CsChooser *self)
{
  return FALSE;
}

/**
 * cs_chooser_undo:
 * @self: a chooser
 *
 * Takes back the last step: a tick, what was typed in one go, or a file that was loaded anew. Without one it does
 * nothing.
 */
void
cs_chooser_undo (CsChooser *self)
{
}

/**
 * cs_chooser_redo:
 * @self: a chooser
 *
 * Does again what was undone last. Without that it does nothing.
 */
void
cs_chooser_redo (CsChooser *self)
{
}

/**
 * cs_chooser_dup_diff:
 * @self: a chooser
 * @context: lines to show around each difference
 *
 * Returns: (transfer full) (element-type CsConfigDiffLine): what saving would change in the file as it was loaded
 */
GPtrArray *
cs_chooser_dup_diff (CsChooser *self, guint context)
{
  return cs_config_diff ("", "", context);
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
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * cs_chooser_set_files:
 * @self: a chooser
 * @files: (array length=n_files): numbers of files
 * @n_files: how many
 * @on: whether all of each is to be chosen, or nothing
 *
 * Ticks files, or takes their ticks away. That is computed in a thread, and then comes as CsChooser:text and
 * CsChooser::selection-changed; CsChooser::told says what is not as wanted. Ticks wait for each other, and are
 * one step to undo each. While files are scanned and the config names functions they wait for these.
 */
void
cs_chooser_set_files (CsChooser *self, const guint32 *files, gsize n_files, gboolean on)
{
}

/**
 * cs_chooser_set_folder:
 * @self: a chooser
 * @folder: number of a folder; %CS_CHOOSER_ROOT: everything
 * @on: whether all below is to be chosen, or nothing
 *
 * As cs_chooser_set_files() with all files below it.
 */
void
cs_chooser_set_folder (CsChooser *self, guint folder, gboolean on)
{
}

/**
 * cs_chooser_set_functions:
 * @self: a chooser
 * @functions: (array length=n_functions): numbers of functions, of cs_chooser_get_function_number()
 * @n_functions: how many
 * @action: what they are to be, as for cs_config_edit_set_functions()
 * @depth: of %CS_FUNCTION_SUBTREE: calls to follow, or %CS_DEPTH_FULL
 *
 * As cs_chooser_set_files() for functions.
 */
void
cs_chooser_set_functions (CsChooser *self, const guint32 *functions, gsize n_functions, CsFunctionAction action, int depth)
{
}

/**
 * cs_chooser_get_editing:
 * @self: a chooser
 *
 * Returns: CsChooser:editing
 */
gboolean
cs_chooser_get_editing (CsChooser *self)
{
  return FALSE;
}

/**
 * cs_chooser_preview_subtree_async:
 * @self: a chooser
 * @name: a function's name, or any trailing part of its qualified name
 * @depth: calls to follow, or %CS_DEPTH_FULL
 * @cancellable: (nullable): to give up, as when another preview is asked for
 * @callback: what to call
 * @user_data: for @callback
 *
 * Finds what a function calls, in a thread. It waits for the functions and for the call graph, which is built for the
 * first one.
 */
void
cs_chooser_preview_subtree_async (CsChooser *self, const char *name, int depth, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
}

/**
 * cs_chooser_preview_subtree_finish:
 * @self: a chooser
 * @result: what the callback was given
 * @error: where to say why there is none
 *
 * Returns: (transfer full) (nullable): the subtree; its functions are numbers of cs_chooser_get_index()
 */
CsSubtree *
cs_chooser_preview_subtree_finish (CsChooser *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cs_chooser_choose_saved_async:
 * @self: a chooser
 * @cancellable: (nullable): to give up
 * @callback: what to call
 * @user_data: for @callback
 *
 * Loads the config from the file as it is then, for a build, and chooses by it. It waits for the functions, and for the
 * call graph if the config asks for calls. A file that isn't there chooses everything.
 */
void
cs_chooser_choose_saved_async (CsChooser *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
}

/**
 * cs_chooser_choose_saved_finish:
 * @self: a chooser
 * @result: what the callback was given
 * @error: where to say what is wrong with the file or the sources
 *
 * Returns: (transfer full) (nullable): what the saved config chooses, with an index
 */
CsSelection *
cs_chooser_choose_saved_finish (CsChooser *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
