/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-chooser-private.h"

/* What reading folders and files gave. */
typedef struct
{
  CsSourceTree *tree;
  ChooserSources *sources;
  char **warnings;
  char *error;            /* (nullable): why there are none */
  CsFunctionIndex *index; /* (nullable) */
} Read;

/* What a thread reads. */
typedef struct
{
  char *folder;
  CsScanOptions options;
  CsSourceTree *tree;      /* (nullable): NULL: the folder is listed first */
  ChooserSources *sources; /* (nullable): of which functions are looked for */
  gboolean with_functions;
} Reading;

/* Something to tell from the thread that scans. */
typedef struct
{
  ChooserLink *link;
  ChooserSources *sources; /* that the numbers of files are of */
  CsFoundFunctions *found;
  double progress;
} News;

/* What the thread that scans tells with. */
typedef struct
{
  ChooserLink *link;
  ChooserSources *sources;
  GMainContext *context;
  double progress;
} Teller;

/**
 * chooser_sources_ref:
 * @self: sources
 *
 * Returns: (transfer full): them, once more
 */
ChooserSources *
chooser_sources_ref (ChooserSources *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * chooser_sources_unref:
 * @self: (transfer full): sources
 */
void
chooser_sources_unref (ChooserSources *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->root);
  g_ptr_array_unref (self->files);
  g_free (self->folders);
  g_free (self->own_files);
  g_free (self->file_folders);
  g_string_chunk_free (self->texts);
  g_free (self);
}

static const char *
get_path (const ChooserSources *self, guint file)
{
  return ((const CsSourceFile *) self->files->pdata[file])->path;
}

/**
 * chooser_sources_find:
 * @self: sources
 * @path: a file
 *
 * Returns: its number, or %CS_CHOOSER_NONE
 */
guint
chooser_sources_find (const ChooserSources *self, const char *path)
{
  guint first = 0, end = self->files->len;

  while (first < end)
    {
      guint middle = first + (end - first) / 2;
      int order = strcmp (get_path (self, middle), path);

      if (order == 0)
        return middle;
      if (order < 0)
        first = middle + 1;
      else
        end = middle;
    }
  return CS_CHOOSER_NONE;
}

/* How many bytes of the paths are of the folder itself, with the slash. */
static gsize
get_prefix (const CsChooserFolder *folder)
{
  return *folder->path != '\0' ? strlen (folder->path) + 1 : 0;
}

/* Adds the folders right in one, which follow each other, and lists the files right in it. */
static void
list_folder (ChooserSources *self, GArray *folders, guint number, GArray *own_files)
{
  CsChooserFolder folder = g_array_index (folders, CsChooserFolder, number);
  gsize prefix = get_prefix (&folder);

  folder.first_folder = folders->len;
  folder.first_own = own_files->len;
  for (guint32 i = folder.first_file, next; i < folder.first_file + folder.n_files; i = next)
    {
      const char *path = get_path (self, i), *slash = strchr (path + prefix, '/');
      CsChooserFolder inner = { .parent = number, .first_file = i };

      next = i + 1;
      if (slash == NULL)
        {
          g_array_append_val (own_files, i);
          self->file_folders[i] = number;
          continue;
        }
      while (next < folder.first_file + folder.n_files &&
             strncmp (get_path (self, next), path, (gsize) (slash - path) + 1) == 0)
        next++;
      inner.n_files = next - i;
      inner.path = g_string_chunk_insert_len (self->texts, path, slash - path);
      inner.name = inner.path + prefix;
      g_array_append_val (folders, inner);
    }
  folder.n_folders = folders->len - folder.first_folder;
  folder.n_own = own_files->len - folder.first_own;
  g_array_index (folders, CsChooserFolder, number) = folder;
}

static ChooserSources *
sources_new (const char *root, GPtrArray *files)
{
  ChooserSources *self = g_new0 (ChooserSources, 1);
  g_autoptr (GArray) folders = g_array_new (FALSE, FALSE, sizeof (CsChooserFolder));
  g_autoptr (GArray) own_files = g_array_new (FALSE, FALSE, sizeof (guint32));
  const CsChooserFolder top = { .path = "", .name = "", .parent = CS_CHOOSER_NONE, .n_files = files->len };

  g_atomic_ref_count_init (&self->references);
  self->root = g_strdup (root);
  self->files = g_ptr_array_ref (files);
  self->texts = g_string_chunk_new (4096);
  self->file_folders = g_new0 (guint32, files->len + 1);
  g_array_append_val (folders, top);
  for (guint i = 0; i < folders->len; i++)
    list_folder (self, folders, i, own_files);
  self->n_folders = folders->len;
  self->folders = (CsChooserFolder *) (gpointer) g_array_free (g_steal_pointer (&folders), FALSE);
  self->own_files = (guint32 *) (gpointer) g_array_free (g_steal_pointer (&own_files), FALSE);
  return self;
}

static ChooserPartial *
partial_new (const ChooserSources *sources)
{
  ChooserPartial *self = g_new0 (ChooserPartial, 1);

  self->batches = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_found_functions_unref);
  self->files = g_new0 (const CsFoundFile *, sources->files->len + 1);
  self->folder_functions = g_new0 (guint32, sources->n_folders + 1);
  self->folder_scanned = g_new0 (guint32, sources->n_folders + 1);
  return self;
}

/**
 * chooser_partial_free:
 * @self: (transfer full): functions
 */
void
chooser_partial_free (ChooserPartial *self)
{
  g_ptr_array_unref (self->batches);
  g_free (self->files);
  g_free (self->folder_functions);
  g_free (self->folder_scanned);
  g_free (self);
}

static void
read_free (gpointer data)
{
  Read *read = data;

  g_clear_object (&read->tree);
  g_clear_pointer (&read->sources, chooser_sources_unref);
  g_clear_pointer (&read->index, cs_function_index_unref);
  g_strfreev (read->warnings);
  g_free (read->error);
  g_free (read);
}

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_free (reading->folder);
  g_clear_object (&reading->tree);
  g_clear_pointer (&reading->sources, chooser_sources_unref);
  if (reading->options.user_data != NULL)
    {
      Teller *teller = reading->options.user_data;

      g_atomic_rc_box_release (teller->link);
      chooser_sources_unref (teller->sources);
      g_main_context_unref (teller->context);
      g_free (teller);
    }
  g_free ((char *) reading->options.ctags);
  g_free ((char *) reading->options.cache_folder);
  g_free (reading);
}

static void
set_state (CsChooser *self, CsChooserState state, const char *error)
{
  if (g_strcmp0 (error, self->error) != 0)
    {
      g_free (self->error);
      self->error = g_strdup (error);
      chooser_notify (self, CHOOSER_PROP_ERROR);
    }
  if (state != self->state)
    {
      self->state = state;
      chooser_notify (self, CHOOSER_PROP_STATE);
    }
}

static void
set_progress (CsChooser *self, double progress)
{
  if (progress > self->progress || progress <= 0)
    {
      self->progress = progress;
      chooser_notify (self, CHOOSER_PROP_PROGRESS);
    }
}

/* Takes the functions of some files. */
static void
take_found (CsChooser *self, CsFoundFunctions *found)
{
  ChooserPartial *partial = self->partial;
  g_autofree guint32 *numbers = NULL;
  const CsFoundFile *files;
  gsize n;

  files = cs_found_functions_get_files (found, &n);
  numbers = g_new (guint32, n + 1);
  g_ptr_array_add (partial->batches, cs_found_functions_ref (found));
  for (gsize i = 0; i < n; i++)
    {
      numbers[i] = files[i].file;
      partial->files[files[i].file] = &files[i];
      for (guint32 folder = self->sources->file_folders[files[i].file]; folder != CS_CHOOSER_NONE;
           folder = self->sources->folders[folder].parent)
        {
          partial->folder_functions[folder] += files[i].count;
          partial->folder_scanned[folder]++;
        }
    }
  if (n > 0)
    chooser_emit_functions_changed (self, numbers, (guint) n);
}

static gboolean
on_news (gpointer data)
{
  News *news = data;
  g_autoptr (CsChooser) self = news->link->chooser != NULL ? g_object_ref (news->link->chooser) : NULL;

  /* Other files may have been listed before it came. */
  if (self == NULL || self->partial == NULL || self->sources != news->sources)
    return G_SOURCE_REMOVE;
  take_found (self, news->found);
  if (self->link->chooser != NULL)
    set_progress (self, news->progress);
  return G_SOURCE_REMOVE;
}

static void
news_free (gpointer data)
{
  News *news = data;

  g_atomic_rc_box_release (news->link);
  chooser_sources_unref (news->sources);
  cs_found_functions_unref (news->found);
  g_free (news);
}

static void
on_progress (gsize done, gsize total, gpointer user_data)
{
  Teller *teller = user_data;

  teller->progress = total > 0 ? (double) done / (double) total : 1;
}

static void
on_found (CsFoundFunctions *found, gpointer user_data)
{
  Teller *teller = user_data;
  g_autoptr (GSource) source = g_idle_source_new ();
  News *news = g_new (News, 1);

  *news = (News){ g_atomic_rc_box_acquire (teller->link), chooser_sources_ref (teller->sources),
                  cs_found_functions_ref (found), teller->progress };
  g_source_set_callback (source, on_news, news, news_free);
  g_source_attach (source, teller->context);
}

/* Why there is nothing to choose from. */
static char *
explain_nothing (const char *folder)
{
  g_autoptr (GError) error = NULL;

  if (!cs_source_tree_check_folder (folder, &error))
    return g_strdup (error->message);
  return g_strdup_printf ("%s: there are no C or C++ sources in it that count — open the folder that has them, or look at "
                          "what .gitignore leaves out", folder);
}

/* Lists files, and finds their functions if that is asked for. */
static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Reading *reading = data;
  Read *read = g_new0 (Read, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) files = NULL;

  read->tree = reading->tree != NULL ? g_object_ref (reading->tree)
                                     : cs_source_tree_new_sync (reading->folder, cancellable, &error);
  if (read->tree != NULL)
    {
      read->warnings = cs_source_tree_dup_warnings (read->tree);
      if (reading->sources != NULL)
        read->sources = chooser_sources_ref (reading->sources);
      else
        {
          files = cs_source_tree_ref_files (read->tree);
          read->sources = sources_new (cs_source_tree_get_root (read->tree), files);
        }
      if (read->sources->files->len == 0)
        read->error = explain_nothing (reading->folder);
      else if (reading->with_functions)
        read->index = cs_function_index_new_of_files_sync (read->sources->root, read->sources->files, &reading->options,
                                                           cancellable, &error);
    }
  else
    read->error = g_strdup (error->message);
  if (g_task_return_error_if_cancelled (task))
    read_free (read);
  else
    g_task_return_pointer (task, read, read_free);
}

static void on_listed (GObject *source, GAsyncResult *result, gpointer user_data);
static void on_scanned (GObject *source, GAsyncResult *result, gpointer user_data);

static void
start_reading (CsChooser *self, GAsyncReadyCallback callback, ChooserSources *sources, gboolean with_functions,
               gboolean tells)
{
  g_autoptr (GTask) task = chooser_task_new (self, callback);
  Reading *reading = g_new0 (Reading, 1);

  reading->folder = g_strdup (self->folder);
  reading->options = self->options;
  reading->options.ctags = g_strdup (self->ctags);
  reading->options.cache_folder = g_strdup (self->cache_folder);
  reading->tree = self->tree != NULL ? g_object_ref (self->tree) : NULL;
  reading->sources = sources != NULL ? chooser_sources_ref (sources) : NULL;
  reading->with_functions = with_functions;
  reading->options.polite = TRUE;
  if (tells)
    {
      Teller *teller = g_new0 (Teller, 1);

      *teller = (Teller){ g_atomic_rc_box_acquire (self->link), chooser_sources_ref (sources),
                          g_main_context_ref (self->context), 0 };
      reading->options.progress = on_progress;
      reading->options.found = on_found;
      reading->options.user_data = teller;
    }
  self->is_reading = TRUE;
  self->is_stale = FALSE;
  g_task_set_task_data (task, reading, reading_free);
  g_task_run_in_thread (task, read_in_thread);
}

/* Files, or what is in them, are others. */
static void
on_tree_changed (CsSourceTree *tree, char **added, char **removed, char **modified, gpointer user_data)
{
  CsChooser *self = user_data;

  self->is_stale = TRUE;
  if (!self->is_reading)
    chooser_read_sources (self);
}

static void
forget_sources (CsChooser *self)
{
  if (self->partial != NULL)
    chooser_free_later (g_steal_pointer (&self->partial), (GDestroyNotify) chooser_partial_free);
  if (self->index != NULL)
    chooser_free_later (g_steal_pointer (&self->index), (GDestroyNotify) cs_function_index_unref);
  if (self->next_index != NULL)
    chooser_free_later (g_steal_pointer (&self->next_index), (GDestroyNotify) cs_function_index_unref);
  if (self->sources != NULL)
    chooser_free_later (g_steal_pointer (&self->sources), (GDestroyNotify) chooser_sources_unref);
  if (self->next_sources != NULL)
    chooser_free_later (g_steal_pointer (&self->next_sources), (GDestroyNotify) chooser_sources_unref);
  if (self->choice != NULL)
    chooser_free_later (g_steal_pointer (&self->choice), (GDestroyNotify) chooser_choice_unref);
  if (self->graph != NULL)
    chooser_free_later (g_steal_pointer (&self->graph), (GDestroyNotify) cs_call_graph_unref);
  g_clear_pointer (&self->graph_index, cs_function_index_unref);
}

/* There is nothing to choose from, at least not any more. */
static void
fail (CsChooser *self, const char *error)
{
  gboolean had_sources = self->sources != NULL;

  forget_sources (self);
  self->version++;
  set_progress (self, 0);
  set_state (self, CS_CHOOSER_FAILED, error);
  if (had_sources && self->link->chooser != NULL)
    {
      chooser_emit_files_changed (self);
      chooser_emit_selection_changed (self);
    }
  chooser_pump (self);
}

static void
take_tree (CsChooser *self, Read *read)
{
  g_strfreev (self->tree_warnings);
  self->tree_warnings = g_steal_pointer (&read->warnings);
  if (self->tree != NULL || read->tree == NULL)
    return;
  self->tree = g_steal_pointer (&read->tree);
  g_signal_connect (self->tree, "changed", G_CALLBACK (on_tree_changed), self);
  g_main_context_push_thread_default (self->context);
  cs_source_tree_set_watching (self->tree, TRUE);
  g_main_context_pop_thread_default (self->context);
}

/* Returns: (nullable): what was read, once it is over */
static Read *
take_read (CsChooser *self, GAsyncResult *result)
{
  Read *read = g_task_propagate_pointer (G_TASK (result), NULL);

  self->is_reading = FALSE;
  if (read != NULL)
    take_tree (self, read);
  return read;
}

/* The files are listed first: they are shown, and then scanned. */
static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsChooser) self = chooser_take_link (user_data);
  Read *read = self != NULL ? take_read (self, result) : NULL;

  if (read == NULL)
    return;
  if (read->error != NULL)
    fail (self, read->error);
  else
    {
      self->sources = g_steal_pointer (&read->sources);
      self->partial = partial_new (self->sources);
      self->version++;
      start_reading (self, on_scanned, self->sources, TRUE, TRUE);
      set_progress (self, 0);
      set_state (self, CS_CHOOSER_SCANNING, NULL);
      if (self->link->chooser != NULL)
        chooser_emit_files_changed (self);
      chooser_pump (self);
    }
  read_free (read);
}

/* All files are scanned, first or again. */
static void
on_scanned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsChooser) self = chooser_take_link (user_data);
  Read *read = self != NULL ? take_read (self, result) : NULL;

  if (read == NULL)
    return;
  if (self->is_stale)
    chooser_read_sources (self);
  if (read->error != NULL)
    {
      fail (self, read->error);
      read_free (read);
      return;
    }
  if (self->next_sources != NULL)
    chooser_free_later (g_steal_pointer (&self->next_sources), (GDestroyNotify) chooser_sources_unref);
  if (self->next_index != NULL)
    chooser_free_later (g_steal_pointer (&self->next_index), (GDestroyNotify) cs_function_index_unref);
  self->next_sources = g_steal_pointer (&read->sources);
  self->next_index = g_steal_pointer (&read->index);
  self->version++;
  /* What is chosen now stays to be seen until it is known what will be. */
  if (self->choice == NULL)
    chooser_adopt_next (self);
  chooser_pump (self);
  chooser_free_later (read, read_free);
}

static gboolean
is_same_list (GPtrArray *a, GPtrArray *b)
{
  gboolean same = a->len == b->len;

  for (guint i = 0; same && i < a->len; i++)
    same = g_str_equal (((const CsSourceFile *) a->pdata[i])->path, ((const CsSourceFile *) b->pdata[i])->path);
  return same;
}

/**
 * chooser_adopt_next:
 * @self: a chooser with files and functions that were read last
 *
 * Makes them those that it tells of. What was chosen of those before isn't known any more.
 */
void
chooser_adopt_next (CsChooser *self)
{
  ChooserSources *old = self->sources;
  gboolean same = old != NULL && is_same_list (old->files, self->next_sources->files);

  if (self->index != NULL)
    chooser_free_later (g_steal_pointer (&self->index), (GDestroyNotify) cs_function_index_unref);
  if (self->partial != NULL)
    chooser_free_later (g_steal_pointer (&self->partial), (GDestroyNotify) chooser_partial_free);
  self->sources = g_steal_pointer (&self->next_sources);
  self->index = g_steal_pointer (&self->next_index);
  if (self->choice != NULL && (self->choice->sources != self->sources ||
                               cs_selection_get_index (self->choice->selection) != self->index))
    chooser_free_later (g_steal_pointer (&self->choice), (GDestroyNotify) chooser_choice_unref);
  set_progress (self, 1);
  set_state (self, CS_CHOOSER_READY, NULL);
  if (!same && self->link->chooser != NULL)
    chooser_emit_files_changed (self);
  if (self->link->chooser != NULL)
    chooser_emit_functions_changed (self, NULL, 0);
  if (self->link->chooser != NULL)
    chooser_notify (self, CHOOSER_PROP_SCANNER);
  if (old != NULL)
    chooser_free_later (old, (GDestroyNotify) chooser_sources_unref);
}

/**
 * chooser_read_sources:
 * @self: a chooser
 *
 * Begins to read folders and files, first or again.
 */
void
chooser_read_sources (CsChooser *self)
{
  if (self->is_reading)
    {
      self->is_stale = TRUE;
      return;
    }
  if (self->sources != NULL)
    start_reading (self, on_scanned, NULL, TRUE, FALSE);
  else
    {
      set_state (self, CS_CHOOSER_LISTING, NULL);
      start_reading (self, on_listed, NULL, FALSE, FALSE);
    }
}

static void
drop_tree (CsChooser *self)
{
  if (self->tree == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->tree, self);
  cs_source_tree_set_watching (self->tree, FALSE);
  chooser_free_later (g_steal_pointer (&self->tree), g_object_unref);
}

/**
 * chooser_list_again:
 * @self: a chooser
 *
 * Begins to read folders and files again, whatever was seen of them: the folder itself may be another one.
 */
void
chooser_list_again (CsChooser *self)
{
  if (!self->is_reading)
    drop_tree (self);
  chooser_read_sources (self);
}

/**
 * chooser_close_sources:
 * @self: a chooser
 *
 * Ends the watching of folders, and forgets all.
 */
void
chooser_close_sources (CsChooser *self)
{
  drop_tree (self);
  forget_sources (self);
  g_clear_pointer (&self->tree_warnings, g_strfreev);
}
