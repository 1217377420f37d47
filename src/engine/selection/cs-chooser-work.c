/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-chooser-private.h"
#include "selection/cs-config-edit-private.h"

/* A text, and what it is to choose of. */
typedef struct
{
  guint64 version;
  char *text, *good_text, *name;
  gboolean needs_fallback;
  ChooserSources *sources; /* (nullable) */
  CsFunctionIndex *index;  /* (nullable) */
  CsCallGraph *graph;      /* (nullable) */

  /* Afterwards. */
  ChooserChoice *choice;   /* (nullable) */
  char *error;             /* (nullable): why the text can't be used */
  gboolean waits_for_functions, waits_for_graph;
} Choosing;

/* A tick, and where it is made. */
typedef struct
{
  guint64 version;
  ChooserEdit *edit;
  ChooserChoice *choice;
  CsCallGraph *graph; /* (nullable) */

  /* Afterwards. */
  char *text;         /* (nullable) */
  ChooserChoice *after; /* (nullable): what it chooses */
  char *warning;      /* (nullable) */
  char *error;        /* (nullable) */
} Editing;

static void
edit_clear (gpointer data)
{
  ChooserEdit *edit = data;

  chooser_sources_unref (edit->sources);
  g_clear_pointer (&edit->index, cs_function_index_unref);
  g_free (edit->numbers);
}

static void
edit_release (gpointer edit)
{
  g_atomic_rc_box_release_full (edit, edit_clear);
}

/**
 * chooser_get_graph:
 * @self: a chooser
 * @index: (nullable): functions
 *
 * Returns: (transfer none) (nullable): what calls them, if that is known
 */
CsCallGraph *
chooser_get_graph (CsChooser *self, CsFunctionIndex *index)
{
  return index != NULL && self->graph_index == index ? self->graph : NULL;
}

/* Those that the next choice is made of. */
static ChooserSources *
get_sources (CsChooser *self)
{
  return self->next_sources != NULL ? self->next_sources : self->sources;
}

static CsFunctionIndex *
get_index (CsChooser *self)
{
  return self->next_sources != NULL ? self->next_index : self->index;
}

static void
make_graph (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  CsCallGraph *graph = cs_call_graph_new_sync (data, cancellable, &error);

  if (graph != NULL)
    g_task_return_pointer (task, graph, (GDestroyNotify) cs_call_graph_unref);
  else
    g_task_return_error (task, error);
}

static void
on_graph (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsChooser) self = chooser_take_link (user_data);
  CsCallGraph *graph;

  if (self == NULL)
    return;
  graph = g_task_propagate_pointer (G_TASK (result), NULL);
  if (graph == NULL)
    return;
  if (g_task_get_task_data (G_TASK (result)) != self->graph_index || self->graph != NULL)
    {
      chooser_free_later (graph, (GDestroyNotify) cs_call_graph_unref);
      return;
    }
  self->graph = graph;
  if (self->waits_for_graph)
    self->version++;
  chooser_pump (self);
}

/**
 * chooser_need_graph:
 * @self: a chooser
 *
 * Begins to find calls, if there are functions and that isn't done yet.
 */
void
chooser_need_graph (CsChooser *self)
{
  CsFunctionIndex *index = get_index (self);
  g_autoptr (GTask) task = NULL;

  if (index == NULL || self->graph_index == index)
    return;
  if (self->graph != NULL)
    chooser_free_later (g_steal_pointer (&self->graph), (GDestroyNotify) cs_call_graph_unref);
  g_clear_pointer (&self->graph_index, cs_function_index_unref);
  self->graph_index = cs_function_index_ref (index);
  task = chooser_task_new (self, on_graph);
  g_task_set_task_data (task, cs_function_index_ref (index), (GDestroyNotify) cs_function_index_unref);
  g_task_run_in_thread (task, make_graph);
}

static void
choosing_free (gpointer data)
{
  Choosing *job = data;

  g_free (job->text);
  g_free (job->good_text);
  g_free (job->name);
  g_free (job->error);
  g_clear_pointer (&job->sources, chooser_sources_unref);
  g_clear_pointer (&job->index, cs_function_index_unref);
  g_clear_pointer (&job->graph, cs_call_graph_unref);
  g_clear_pointer (&job->choice, chooser_choice_unref);
  g_free (job);
}

/* Chooses by one text. Returns whether it can be used, which may have to wait. */
static gboolean
choose_by (Choosing *job, const char *text, GError **error)
{
  g_autoptr (CsTraceConfig) config = cs_trace_config_parse (text, -1, job->name, error);
  CsSelection *selection;

  if (config == NULL)
    return FALSE;
  job->waits_for_functions = job->index == NULL && cs_selection_needs_functions (config);
  job->waits_for_graph = job->graph == NULL && cs_selection_needs_graph (config);
  if (job->sources == NULL || job->waits_for_functions || (job->waits_for_graph && job->index != NULL))
    return TRUE;
  if (job->index != NULL)
    selection = cs_selection_new (config, job->index, job->graph, error);
  else
    selection = cs_selection_new_of_list (config, job->sources->root, job->sources->files);
  if (selection == NULL)
    return FALSE;
  job->choice = chooser_choice_new (job->sources, selection);
  return TRUE;
}

static void
choose_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Choosing *job = data;
  g_autoptr (GError) error = NULL;

  if (!choose_by (job, job->text, &error))
    {
      job->error = g_utf8_make_valid (error->message, -1);
      job->waits_for_functions = job->waits_for_graph = FALSE;
      if (job->needs_fallback && job->good_text != NULL)
        choose_by (job, job->good_text, NULL);
    }
  g_task_return_boolean (task, TRUE);
}

static void
take_choice (CsChooser *self, Choosing *job)
{
  ChooserChoice *old = self->choice;
  gboolean is_new = job->choice != NULL;

  if (is_new)
    {
      self->choice = g_steal_pointer (&job->choice);
      if (old != NULL)
        chooser_free_later (old, (GDestroyNotify) chooser_choice_unref);
    }
  /* Without a choice of them, new functions wait only for the calls that are being found. */
  if (self->next_sources != NULL && (self->choice == NULL || self->choice->sources == self->next_sources ||
                                     !self->waits_for_graph))
    chooser_adopt_next (self);
  if ((is_new || self->choice != old) && self->link->chooser != NULL)
    chooser_emit_selection_changed (self);
}

static void
on_chosen (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsChooser) self = chooser_take_link (user_data);
  Choosing *job = g_task_get_task_data (G_TASK (result));

  if (self == NULL)
    return;
  self->is_working = FALSE;
  if (job->version == self->version)
    {
      self->chosen_version = job->version;
      self->waits_for_functions = job->waits_for_functions;
      self->waits_for_graph = job->waits_for_graph;
      chooser_set_text_error (self, job->error);
      if (job->error == NULL)
        {
          g_free (self->good_text);
          self->good_text = g_strdup (job->text);
        }
      if (job->waits_for_graph)
        chooser_need_graph (self);
      take_choice (self, job);
    }
  if (job->choice != NULL)
    chooser_free_later (g_steal_pointer (&job->choice), (GDestroyNotify) chooser_choice_unref);
  chooser_pump (self);
}

static void
start_choosing (CsChooser *self)
{
  g_autoptr (GTask) task = chooser_task_new (self, on_chosen);
  Choosing *job = g_new0 (Choosing, 1);
  ChooserSources *sources = get_sources (self);
  CsFunctionIndex *index = get_index (self);
  CsCallGraph *graph = chooser_get_graph (self, index);

  job->version = self->version;
  job->text = g_strdup (self->text);
  job->good_text = g_strdup (self->good_text);
  job->name = g_strdup (self->config_name);
  job->sources = sources != NULL ? chooser_sources_ref (sources) : NULL;
  job->index = index != NULL ? cs_function_index_ref (index) : NULL;
  job->graph = graph != NULL ? cs_call_graph_ref (graph) : NULL;
  job->needs_fallback = self->choice == NULL || self->choice->sources != sources ||
                        cs_selection_get_index (self->choice->selection) != index;
  self->is_working = TRUE;
  g_task_set_task_data (task, job, choosing_free);
  g_task_run_in_thread (task, choose_in_thread);
}

static void
editing_free (gpointer data)
{
  Editing *job = data;

  edit_release (job->edit);
  chooser_choice_unref (job->choice);
  g_clear_pointer (&job->graph, cs_call_graph_unref);
  g_clear_pointer (&job->after, chooser_choice_unref);
  g_free (job->text);
  g_free (job->warning);
  g_free (job->error);
  g_free (job);
}

/* The number that a function of before has now. */
static guint32
find_function (const Editing *job, guint32 before)
{
  CsFunctionIndex *index = cs_selection_get_index (job->choice->selection);
  const CsSourceFunction *functions, *old;
  gsize total, first, count, old_first, old_count, nth = 0, seen = 0;
  guint file;

  old = cs_function_index_get_functions (job->edit->index, &total);
  if (before >= total)
    return CS_CHOOSER_NONE;
  file = chooser_sources_find (job->choice->sources,
                               ((const CsSourceFile *) job->edit->sources->files->pdata[old[before].file])->path);
  if (file == CS_CHOOSER_NONE)
    return CS_CHOOSER_NONE;
  /* Of several by one name in the file, the one in the same place among them. */
  cs_function_index_get_of_file (job->edit->index, old[before].file, &old_first, &old_count);
  for (gsize i = old_first; i < before; i++)
    nth += g_str_equal (old[i].name, old[before].name) && g_strcmp0 (old[i].scope, old[before].scope) == 0;
  functions = cs_function_index_get_functions (index, &total);
  cs_function_index_get_of_file (index, file, &first, &count);
  for (gsize i = first; i < first + count; i++)
    if (g_str_equal (functions[i].name, old[before].name) && g_strcmp0 (functions[i].scope, old[before].scope) == 0 &&
        seen++ == nth)
      return (guint32) i;
  return CS_CHOOSER_NONE;
}

/* The numbers of what is to be switched, as they are now. */
static GArray *
translate (const Editing *job)
{
  const ChooserEdit *edit = job->edit;
  const CsSelection *selection = job->choice->selection;
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (gsize i = 0; i < edit->n; i++)
    {
      guint32 number = edit->numbers[i];

      if (edit->kind == CHOOSER_EDIT_FILES)
        {
          if (edit->sources != job->choice->sources)
            number = chooser_sources_find (job->choice->sources,
                                           ((const CsSourceFile *) edit->sources->files->pdata[number])->path);
        }
      else if (edit->index != cs_selection_get_index (selection))
        number = find_function (job, number);
      if (number == CS_CHOOSER_NONE)
        continue;
      if (edit->kind == CHOOSER_EDIT_TICKS &&
          cs_selection_has_function (selection, number) == (edit->action == CS_FUNCTION_TRACE))
        continue;
      g_array_append_val (numbers, number);
    }
  return numbers;
}

static void
edit_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Editing *job = data;
  const ChooserEdit *edit = job->edit;
  g_autoptr (GArray) numbers = translate (job);
  CsSelection *after = NULL;
  g_autoptr (GError) error = NULL;

  if (numbers->len == 0 && edit->kind != CHOOSER_EDIT_TICKS)
    job->error = g_strdup ("What was ticked isn't in the sources any more");
  else if (numbers->len > 0)
    {
      if (edit->kind == CHOOSER_EDIT_FILES)
        after = cs_config_edit_switch_files (job->choice->selection, job->graph,
                                             (const guint32 *) (gpointer) numbers->data, numbers->len,
                                             edit->action == CS_FUNCTION_TRACE, &job->warning, &error);
      else
        after = cs_config_edit_give (job->choice->selection, job->graph, (const guint32 *) (gpointer) numbers->data,
                                     numbers->len, edit->action, edit->depth, &job->warning, &error);
      if (after != NULL)
        {
          job->text = cs_trace_config_to_text (cs_selection_get_config (after));
          job->after = chooser_choice_new (job->choice->sources, after);
        }
      else
        job->error = g_strdup (error->message);
    }
  g_task_return_boolean (task, TRUE);
}

/* Takes the text that a tick makes, and what it chooses. */
static void
take_edit (CsChooser *self, Editing *job)
{
  guint64 version = self->version + 1;

  /* Nothing else begins before it is known that this is chosen. */
  self->is_working = TRUE;
  chooser_set_text_step (self, job->text);
  self->is_working = FALSE;
  if (self->is_closed || self->version != version)
    return;
  self->chosen_version = version;
  g_free (self->good_text);
  self->good_text = g_strdup (job->text);
  chooser_free_later (self->choice, (GDestroyNotify) chooser_choice_unref);
  self->choice = g_steal_pointer (&job->after);
  chooser_emit_selection_changed (self);
}

static void
on_edited (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsChooser) self = chooser_take_link (user_data);
  Editing *job = g_task_get_task_data (G_TASK (result));

  if (self == NULL)
    return;
  self->is_working = FALSE;
  /* Otherwise it is tried again with what is there now. */
  if (job->version == self->version)
    {
      edit_release (g_queue_pop_head (&self->edits));
      if (job->text != NULL && !g_str_equal (job->text, self->text))
        take_edit (self, job);
      if (job->error != NULL || job->warning != NULL)
        chooser_tell (self, job->error != NULL ? job->error : job->warning);
    }
  if (job->after != NULL)
    chooser_free_later (g_steal_pointer (&job->after), (GDestroyNotify) chooser_choice_unref);
  chooser_pump (self);
}

static void
drop_edits (CsChooser *self, const char *why)
{
  g_autofree char *sentence = g_strdup (why);

  g_queue_clear_full (&self->edits, edit_release);
  if (sentence != NULL)
    chooser_tell (self, sentence);
}

/* Begins the next tick, if everything that it needs is there. */
static void
start_editing (CsChooser *self)
{
  ChooserEdit *edit = g_queue_peek_head (&self->edits);
  CsFunctionIndex *index = self->choice != NULL ? cs_selection_get_index (self->choice->selection) : NULL;
  g_autoptr (GTask) task = NULL;
  Editing *job;

  if (self->load_error != NULL || self->text_error != NULL || self->state == CS_CHOOSER_FAILED)
    {
      drop_edits (self, self->load_error != NULL   ? self->load_error
                        : self->text_error != NULL ? self->text_error
                                                   : self->error);
      return;
    }
  if (self->choice == NULL || self->next_sources != NULL || self->waits_for_functions || self->waits_for_graph ||
      (edit->kind != CHOOSER_EDIT_FILES && index == NULL))
    return;
  if (edit->action == CS_FUNCTION_SUBTREE && edit->depth != 0 && chooser_get_graph (self, index) == NULL)
    {
      chooser_need_graph (self);
      return;
    }
  job = g_new0 (Editing, 1);
  job->version = self->version;
  job->edit = g_atomic_rc_box_acquire (edit);
  job->choice = chooser_choice_ref (self->choice);
  job->graph = chooser_get_graph (self, index) != NULL ? cs_call_graph_ref (chooser_get_graph (self, index)) : NULL;
  self->is_working = TRUE;
  task = chooser_task_new (self, on_edited);
  g_task_set_task_data (task, job, editing_free);
  g_task_run_in_thread (task, edit_in_thread);
}

/**
 * chooser_add_edit:
 * @self: a chooser
 * @kind: what is ticked
 * @numbers: (array length=n): files or functions
 * @n: how many
 * @action: what they are to be: of files and ticks trace or off
 * @depth: of %CS_FUNCTION_SUBTREE
 *
 * Does so when it is its turn.
 */
void
chooser_add_edit (CsChooser *self, ChooserEditKind kind, const guint32 *numbers, gsize n, CsFunctionAction action, int depth)
{
  ChooserEdit *edit;

  if (self->is_closed || self->sources == NULL || n == 0 || (kind != CHOOSER_EDIT_FILES && self->index == NULL))
    return;
  edit = g_atomic_rc_box_new0 (ChooserEdit);
  edit->kind = kind;
  edit->sources = chooser_sources_ref (self->sources);
  edit->index = self->index != NULL ? cs_function_index_ref (self->index) : NULL;
  edit->numbers = g_memdup2 (numbers, n * sizeof *numbers);
  edit->n = n;
  edit->action = action;
  edit->depth = depth < 0 ? CS_DEPTH_FULL : depth;
  g_queue_push_tail (&self->edits, edit);
  chooser_pump (self);
}

/**
 * chooser_is_choosing:
 * @self: a chooser
 *
 * Returns: CsChooser:choosing
 */
gboolean
chooser_is_choosing (CsChooser *self)
{
  return !self->is_closed && self->load_error == NULL && self->state != CS_CHOOSER_FAILED &&
         (!self->is_text_loaded || self->chosen_version != self->version || self->waits_for_functions ||
          self->waits_for_graph);
}

/**
 * chooser_pump:
 * @self: a chooser
 *
 * Begins whatever there is to do and can be done with what is there. To be called after each change.
 */
void
chooser_pump (CsChooser *self)
{
  gboolean is_choosing, is_editing;

  if (self->is_closed)
    return;
  if (!self->is_working && self->is_text_loaded)
    {
      if (self->chosen_version != self->version && self->load_error == NULL)
        start_choosing (self);
      else if (!g_queue_is_empty (&self->edits))
        start_editing (self);
    }
  if (!self->is_closed)
    chooser_serve (self);
  is_choosing = chooser_is_choosing (self);
  is_editing = !g_queue_is_empty (&self->edits);
  if (is_choosing != self->was_choosing)
    {
      self->was_choosing = is_choosing;
      chooser_notify (self, CHOOSER_PROP_CHOOSING);
    }
  if (is_editing != self->was_editing)
    {
      self->was_editing = is_editing;
      chooser_notify (self, CHOOSER_PROP_EDITING);
    }
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
  g_return_if_fail (CS_IS_CHOOSER (self) && (files != NULL || n_files == 0));
  for (gsize i = 0; i < n_files; i++)
    g_return_if_fail (files[i] < cs_chooser_get_n_files (self));

  chooser_add_edit (self, CHOOSER_EDIT_FILES, files, n_files, on ? CS_FUNCTION_TRACE : CS_FUNCTION_OFF, 0);
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
  const CsChooserFolder *place;
  g_autofree guint32 *files = NULL;

  g_return_if_fail (CS_IS_CHOOSER (self) && folder < cs_chooser_get_n_folders (self));

  place = cs_chooser_get_folder (self, folder);
  files = g_new (guint32, place->n_files + 1);
  for (guint32 i = 0; i < place->n_files; i++)
    files[i] = place->first_file + i;
  cs_chooser_set_files (self, files, place->n_files, on);
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
  g_return_if_fail (CS_IS_CHOOSER (self) && (functions != NULL || n_functions == 0));

  chooser_add_edit (self, CHOOSER_EDIT_FUNCTIONS, functions, n_functions, action, depth);
}

/**
 * cs_chooser_tick_functions:
 * @self: a chooser
 * @functions: (array length=n_functions): numbers of functions, of cs_chooser_get_function_number()
 * @n_functions: how many
 * @on: whether they are to be chosen
 *
 * As cs_chooser_set_functions() with %CS_FUNCTION_TRACE or %CS_FUNCTION_OFF, but those that are chosen already, or
 * aren't, stay as they are: one with a subtree keeps it. For boxes, and for All and None.
 */
void
cs_chooser_tick_functions (CsChooser *self, const guint32 *functions, gsize n_functions, gboolean on)
{
  g_return_if_fail (CS_IS_CHOOSER (self) && (functions != NULL || n_functions == 0));

  chooser_add_edit (self, CHOOSER_EDIT_TICKS, functions, n_functions, on ? CS_FUNCTION_TRACE : CS_FUNCTION_OFF, 0);
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
  g_return_val_if_fail (CS_IS_CHOOSER (self), FALSE);

  return !g_queue_is_empty (&self->edits);
}

/**
 * chooser_close_work:
 * @self: a chooser
 *
 * Forgets the ticks.
 */
void
chooser_close_work (CsChooser *self)
{
  g_queue_clear_full (&self->edits, edit_release);
}
