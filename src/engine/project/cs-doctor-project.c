/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>
#include <sys/stat.h>

#include "project/cs-build-log.h"
#include "project/cs-doctor-private.h"
#include "selection/cs-selection.h"
#include "symbols/cs-binary.h"
#include "symbols/cs-hooks.h"

static void
look_at_selection (CsDoctor *self, const CsTraceConfig *config)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CsSelection) selection = cs_selection_new_sync (config, self->folder, self->cancellable, &error);
  const CsSelectionCounts *counts;

  if (selection == NULL)
    {
      cs_doctor_problem (self, "selection", "change trace.config, or the folder that is looked at", "%s", error->message);
      return;
    }
  counts = cs_selection_get_counts (selection);
  if (counts->functions_chosen == 0)
    cs_doctor_problem (self, "selection", "callsight-cli scan shows what each rule does",
                       "trace.config chooses none of the %u function%s in %u source%s", counts->functions,
                       counts->functions == 1 ? "" : "s", counts->sources, counts->sources == 1 ? "" : "s");
  else
    cs_doctor_ok (self, "selection", "%u of %u function%s, in %u of %u source%s", counts->functions_chosen,
                  counts->functions, counts->functions == 1 ? "" : "s", counts->sources_chosen, counts->sources,
                  counts->sources == 1 ? "" : "s");
}

static void
look_at_config (CsDoctor *self)
{
  g_autoptr (CsTraceConfig) config = NULL;
  g_autoptr (GError) error = NULL;
  struct stat st;

  if (stat (self->config, &st) != 0)
    {
      if (self->config_named)
        cs_doctor_problem (self, "trace.config", "name another with --config", "%s isn't there", self->config);
      else
        cs_doctor_warn (self, "trace.config", "callsight-cli init makes one",
                        "%s isn't there: everything would be chosen", self->config);
      return;
    }
  config = cs_trace_config_load (self->config, &error);
  if (config == NULL)
    {
      cs_doctor_problem (self, "trace.config", "correct that line", "%s", error->message);
      return;
    }
  cs_doctor_ok (self, "trace.config", "%s can be read", self->config);
  look_at_selection (self, config);
}

/* Programs that were built with hooks: those in the log of the instrumented build, and *.instr where Make puts them. */
static GPtrArray *
find_programs (CsDoctor *self)
{
  const char *const folders[] = { ".", "bin", "build" };
  g_autoptr (GPtrArray) programs = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *log_path = g_build_filename (self->folder, "build-instr", "callsight", "log", NULL);
  g_autoptr (CsBuildLog) log = cs_build_log_load (log_path, NULL);

  for (guint i = 0; log != NULL && i < log->links->len; i++)
    {
      const CsBuildLink *link = g_ptr_array_index (log->links, i);

      if (link->kind != CS_BUILD_LINK_WITHOUT_HOOKS && g_file_test (link->output, G_FILE_TEST_IS_REGULAR))
        g_ptr_array_add (programs, g_strdup (link->output));
    }
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = g_canonicalize_filename (folders[i], self->folder);
      g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
      const char *name;

      while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
        if (g_str_has_suffix (name, ".instr"))
          g_ptr_array_add (programs, g_build_filename (path, name, NULL));
    }
  return g_steal_pointer (&programs);
}

static void
look_at_symbols (CsDoctor *self)
{
  g_autoptr (GPtrArray) programs = find_programs (self);
  guint without_runtime = 0, plain = 0;
  const char *first = NULL;

  for (guint i = 0; i < programs->len; i++)
    {
      const char *path = g_ptr_array_index (programs, i);
      g_autoptr (CsBinary) binary = cs_binary_open (path, NULL);

      without_runtime += cs_hooks_find (path) == CS_HOOKS_WITHOUT_RUNTIME && !g_str_has_suffix (path, ".so");
      if (binary != NULL && !cs_binary_has_debug_info (binary))
        {
          first = first != NULL ? first : path;
          plain++;
        }
    }
  if (programs->len == 0)
    cs_doctor_ok (self, "symbols", "nothing is built with hooks yet");
  else if (plain > 0)
    cs_doctor_warn (self, "symbols", "compile with -g", "%u of %u program%s with hooks ha%s no debug information, so no "
                    "lines (%s)", plain, programs->len, programs->len == 1 ? "" : "s", plain == 1 ? "s" : "ve", first);
  else
    cs_doctor_ok (self, "symbols", "%u program%s with hooks%s with debug information", programs->len,
                  programs->len == 1 ? "" : "s", programs->len == 1 ? "," : ", all");
  if (without_runtime > 0)
    cs_doctor_warn (self, "runtime linked", "start with callsight-cli run, which lends it, or link trace.c",
                    without_runtime == 1 ? "%u program with hooks lacks the runtime" : "%u programs with hooks lack the runtime",
                    without_runtime);
}

/* The config, what it chooses, and what was built. */
void
cs_doctor_look_at_project (CsDoctor *self)
{
  look_at_config (self);
  look_at_symbols (self);
}
