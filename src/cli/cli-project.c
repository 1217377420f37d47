/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli-project.h"
#include "cli-text.h"
#include "cli.h"

/* A line on a terminal tells what takes longer than this. */
#define TELL_AFTER_US (G_USEC_PER_SEC / 2)

typedef struct
{
  CliProject *project;
  CliProjectPart part;
  gsize done, total; /* files; of the scan */
  gint64 start;      /* monotonic µs */
  gboolean shown;
  GError *error;
} Work;

static void
count_files (gsize done, gsize total, gpointer user_data)
{
  Work *work = user_data;

  __atomic_store_n (&work->done, done, __ATOMIC_RELAXED);
  __atomic_store_n (&work->total, total, __ATOMIC_RELAXED);
}

static gboolean
show (gpointer data)
{
  Work *work = data;
  gsize total = __atomic_load_n (&work->total, __ATOMIC_RELAXED);

  if (g_get_monotonic_time () - work->start < TELL_AFTER_US)
    return G_SOURCE_CONTINUE;
  if (total == 0)
    fputs ("\rlooking for sources…", stderr);
  else
    fprintf (stderr, "\rscanning… %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " files",
             __atomic_load_n (&work->done, __ATOMIC_RELAXED), total);
  fflush (stderr);
  work->shown = TRUE;
  return G_SOURCE_CONTINUE;
}

/* In a thread, so that signals end it and progress is shown. */
static void
read_sources (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work *work = data;
  CliProject *project = work->project;
  const CsScanOptions scan = { .progress = count_files, .user_data = work };

  if (project->tree == NULL)
    project->tree = cs_source_tree_new_sync (project->folder, cancellable, &work->error);
  if (work->error == NULL && work->part >= CLI_PROJECT_FUNCTIONS && project->index == NULL)
    project->index = cs_function_index_new_sync (project->tree, &scan, cancellable, &work->error);
  if (work->error == NULL && work->part >= CLI_PROJECT_GRAPH && project->graph == NULL)
    project->graph = cs_call_graph_new_sync (project->index, cancellable, &work->error);
  g_task_return_boolean (task, work->error == NULL);
}

static void
tell_warnings (const CliProject *self, const char *const *warnings)
{
  for (; !self->quiet && *warnings != NULL; warnings++)
    cli_notice (*warnings);
}

/* What is missing in that which wasn't there before. */
static void
tell_news (const CliProject *self, const CliProject *before)
{
  if (before->tree == NULL)
    {
      g_auto (GStrv) warnings = cs_source_tree_dup_warnings (self->tree);
      g_autoptr (GPtrArray) files = cs_source_tree_ref_files (self->tree);

      if (files->len == 0 && !self->quiet)
        {
          g_autofree char *folder = cli_dup_printable (self->folder);
          g_autofree char *text = g_strdup_printf ("%s: there are no C or C++ sources in it", folder);

          cli_notice (text);
        }
      tell_warnings (self, (const char *const *) warnings);
    }
  if (before->index == NULL && self->index != NULL)
    tell_warnings (self, cs_function_index_get_warnings (self->index));
  if (before->graph == NULL && self->graph != NULL)
    tell_warnings (self, cs_call_graph_get_warnings (self->graph));
}

static gboolean
load_sources (CliProject *self, const char *command, CliProjectPart part)
{
  Work work = { .project = self, .part = part, .start = g_get_monotonic_time () };
  guint timer = !self->quiet && isatty (STDERR_FILENO) ? g_timeout_add (100, show, &work) : 0;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GTask) task = NULL;
  const CliProject before = *self;
  CliInterrupt interrupt;

  cli_interrupt_begin (&interrupt);
  task = g_task_new (NULL, interrupt.cancellable, cli_keep_result, &result);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, &work, NULL);
  g_task_run_in_thread (task, read_sources);
  cli_wait (&result);
  g_clear_handle_id (&timer, g_source_remove);
  if (work.shown)
    fputs ("\r\033[K", stderr);
  cli_interrupt_end (&interrupt, work.error);
  if (work.error == NULL)
    {
      tell_news (self, &before);
      return TRUE;
    }
  cli_error ("%s: %s", command, work.error->message);
  g_clear_error (&work.error);
  return FALSE;
}

static gboolean
load_config (CliProject *self, const char *command)
{
  gboolean optional = self->config_optional && self->config_path == NULL;
  g_autoptr (GError) error = NULL;
  struct stat st;

  if (self->folder != NULL && !cs_source_tree_check_folder (self->folder, &error))
    {
      cli_error ("%s: %s", command, error->message);
      return FALSE;
    }
  if (self->config_path == NULL)
    self->config_path = self->folder == NULL || g_str_equal (self->folder, ".")
                          ? g_strdup ("trace.config")
                          : g_build_filename (self->folder, "trace.config", NULL);
  if (stat (self->config_path, &st) != 0 && errno == ENOENT)
    {
      if (optional)
        {
          self->config = cs_trace_config_new ();
          return TRUE;
        }
      cli_error ("%s: %s: no such file — make one with callsight-cli init %s, or name another with --config", command,
                 self->config_path, self->folder != NULL ? self->folder : ".");
      return FALSE;
    }
  self->config = cs_trace_config_load (self->config_path, &error);
  if (self->config == NULL)
    cli_error ("%s", error->message);
  return self->config != NULL;
}

/**
 * cli_project_load:
 * @self: folder and config as given; what is read stays there
 * @command: the subcommand's name, for messages
 * @part: what is needed
 *
 * Reads what has not been read before, with a progress line where it takes long, and tells on standard error what is
 * missing in it, unless @self is quiet. A signal ends the program.
 *
 * Returns: whether all is there; if not, the person has been told, and the exit status is %CLI_BAD_INPUT
 */
gboolean
cli_project_load (CliProject *self, const char *command, CliProjectPart part)
{
  if (self->config == NULL && !load_config (self, command))
    return FALSE;
  if (self->folder == NULL)
    self->folder = g_path_get_dirname (self->config_path);
  return part == CLI_PROJECT_CONFIG || load_sources (self, command, part);
}

/**
 * cli_project_choose:
 * @self: a project
 * @command: the subcommand's name, for messages
 *
 * Reads what has not been read before of functions, and of the call graph if a rule needs it.
 *
 * Returns: (transfer full) (nullable): what the config chooses; %NULL when the person has been told why there is
 *   nothing, and the exit status is %CLI_BAD_INPUT
 */
CsSelection *
cli_project_choose (CliProject *self, const char *command)
{
  g_autoptr (GError) error = NULL;
  CsSelection *selection;

  if (!cli_project_load (self, command, CLI_PROJECT_CONFIG) ||
      !cli_project_load (self, command,
                         cs_selection_needs_graph (self->config) ? CLI_PROJECT_GRAPH : CLI_PROJECT_FUNCTIONS))
    return NULL;
  selection = cs_selection_new (self->config, self->index, self->graph, &error);
  if (selection == NULL)
    cli_error ("%s", error->message);
  return selection;
}

/**
 * cli_project_clear:
 * @self: a project
 *
 * Frees what it holds.
 */
void
cli_project_clear (CliProject *self)
{
  g_clear_pointer (&self->folder, g_free);
  g_clear_pointer (&self->config_path, g_free);
  g_clear_pointer (&self->config, cs_trace_config_free);
  g_clear_object (&self->tree);
  g_clear_pointer (&self->index, cs_function_index_unref);
  g_clear_pointer (&self->graph, cs_call_graph_unref);
}
