/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "record/cs-build-problem.h"

struct _CsBuildProblem
{
  GObject parent_instance;

  CsBuildSeverity severity;
  char *file; /* (nullable) */
  guint line;
  char *text;
  guint64 log_line;
};

G_DEFINE_FINAL_TYPE (CsBuildProblem, cs_build_problem, G_TYPE_OBJECT)

static void
cs_build_problem_finalize (GObject *object)
{
  CsBuildProblem *self = CS_BUILD_PROBLEM (object);

  g_free (self->file);
  g_free (self->text);

  G_OBJECT_CLASS (cs_build_problem_parent_class)->finalize (object);
}

static void
cs_build_problem_class_init (CsBuildProblemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_build_problem_finalize;
}

static void
cs_build_problem_init (CsBuildProblem *self)
{
}

/**
 * cs_build_problem_new:
 * @message: what a tool said
 * @log_line: number of the log's line that says it, from 0
 *
 * Returns: (transfer full): a copy of it
 */
CsBuildProblem *
cs_build_problem_new (const CsBuildMessage *message, guint64 log_line)
{
  CsBuildProblem *self = g_object_new (CS_TYPE_BUILD_PROBLEM, NULL);

  self->severity = message->severity;
  self->file = g_strdup (message->file);
  self->line = message->line;
  self->text = g_utf8_make_valid (message->text, -1);
  self->log_line = log_line;
  return self;
}

/**
 * cs_build_problem_get_severity:
 * @self: a problem
 *
 * Returns: whether it is an error or a warning
 */
CsBuildSeverity
cs_build_problem_get_severity (CsBuildProblem *self)
{
  return self->severity;
}

/**
 * cs_build_problem_get_file:
 * @self: a problem
 *
 * Returns: (transfer none) (nullable) (type filename): the file it is in
 */
const char *
cs_build_problem_get_file (CsBuildProblem *self)
{
  return self->file;
}

/**
 * cs_build_problem_get_line:
 * @self: a problem
 *
 * Returns: the line in that file, from 1; 0: not told
 */
guint
cs_build_problem_get_line (CsBuildProblem *self)
{
  return self->line;
}

/**
 * cs_build_problem_get_text:
 * @self: a problem
 *
 * Returns: (transfer none): what the tool says, UTF-8
 */
const char *
cs_build_problem_get_text (CsBuildProblem *self)
{
  return self->text;
}

/**
 * cs_build_problem_get_log_line:
 * @self: a problem
 *
 * Returns: number of the log's line that says it, from 0
 */
guint64
cs_build_problem_get_log_line (CsBuildProblem *self)
{
  return self->log_line;
}

/**
 * cs_build_problem_dup_place:
 * @self: a problem
 * @folder: (type filename): the project's folder
 *
 * Returns: (transfer full): its place to show, as "src/main.c:12", relative where it lies in the project; empty where
 *   none is told
 */
char *
cs_build_problem_dup_place (CsBuildProblem *self, const char *folder)
{
  const char *path = self->file;
  gsize length = strlen (folder);
  g_autofree char *shown = NULL;

  if (path == NULL)
    return g_strdup ("");
  if (strncmp (path, folder, length) == 0 && path[length] == '/')
    path += length + 1;
  shown = g_filename_display_name (path);
  return self->line > 0 ? g_strdup_printf ("%s:%u", shown, self->line) : g_steal_pointer (&shown);
}
