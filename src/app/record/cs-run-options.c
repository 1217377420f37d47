/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "record/cs-run-settings.h"

static guint64
get_number (CsRunSettings *self, CsSetting setting)
{
  return g_ascii_strtoull (cs_run_settings_get (self, setting), NULL, 10);
}

static const char *
get_text (CsRunSettings *self, CsSetting setting)
{
  const char *text = cs_run_settings_get (self, setting);

  return *text != '\0' ? text : NULL;
}

/* A relative program is the project's, whatever the working folder. */
static char **
make_command (CsRunSettings *self)
{
  char **words = NULL;
  g_autofree char *path = NULL;

  if (!g_shell_parse_argv (cs_run_settings_get (self, CS_SETTING_COMMAND), NULL, &words, NULL))
    return g_new0 (char *, 1);
  if (g_path_is_absolute (words[0]) || strchr (words[0], '/') == NULL)
    return words;
  path = g_canonicalize_filename (words[0], cs_run_settings_get_project (self));
  if (get_text (self, CS_SETTING_WORKING_FOLDER) == NULL || g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_free (words[0]);
      words[0] = g_steal_pointer (&path);
    }
  return words;
}

static char **
make_environment (CsRunSettings *self)
{
  g_auto (GStrv) lines = g_strsplit (cs_run_settings_get (self, CS_SETTING_ENVIRONMENT), "\n", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; lines[i] != NULL; i++)
    if (*g_strstrip (lines[i]) != '\0')
      g_strv_builder_add (builder, lines[i]);
  return g_strv_builder_end (builder);
}

/**
 * cs_run_settings_make_run:
 * @self: settings that cs_run_settings_check_run() finds right
 *
 * Returns: (transfer full): how to run the program, without a folder for the recording. Free with
 *   cs_run_settings_free_run()
 */
CsRunOptions *
cs_run_settings_make_run (CsRunSettings *self)
{
  CsRunOptions *options = g_new0 (CsRunOptions, 1);

  options->command = (const char *const *) make_command (self);
  options->working_folder = g_canonicalize_filename (cs_run_settings_get (self, CS_SETTING_WORKING_FOLDER),
                                                     cs_run_settings_get_project (self));
  options->environment = (const char *const *) make_environment (self);
  options->input = g_str_equal (cs_run_settings_get (self, CS_SETTING_INPUT), "typed") ? CS_RUN_INPUT_PIPE : CS_RUN_INPUT_NONE;
  options->mode = g_strdup (cs_run_settings_get (self, CS_SETTING_MODE));
  options->format = g_strdup (cs_run_settings_get (self, CS_SETTING_FORMAT));
  options->max_mb = get_text (self, CS_SETTING_MAX_MB) != NULL ? (gint64) get_number (self, CS_SETTING_MAX_MB) : -1;
  options->full = g_strdup (cs_run_settings_get (self, CS_SETTING_FULL));
  options->max_events = get_number (self, CS_SETTING_MAX_EVENTS);
  options->threads = g_strdup (get_text (self, CS_SETTING_THREADS));
  options->clock = g_strdup (cs_run_settings_get (self, CS_SETTING_CLOCK));
  options->timeout_s = (guint) get_number (self, CS_SETTING_TIMEOUT);
  return options;
}

/**
 * cs_run_settings_free_run:
 * @options: (transfer full): what cs_run_settings_make_run() made; a folder in it is freed, too
 */
void
cs_run_settings_free_run (CsRunOptions *options)
{
  g_strfreev ((char **) options->command);
  g_strfreev ((char **) options->environment);
  g_free ((char *) options->folder);
  g_free ((char *) options->working_folder);
  g_free ((char *) options->mode);
  g_free ((char *) options->format);
  g_free ((char *) options->full);
  g_free ((char *) options->threads);
  g_free ((char *) options->clock);
  g_free (options);
}

/**
 * cs_run_settings_make_build:
 * @self: settings that cs_run_settings_check_build() finds right
 *
 * Returns: (transfer full): how to build, without a selection and a config. Free with cs_run_settings_free_build()
 */
CsBuildOptions *
cs_run_settings_make_build (CsRunSettings *self)
{
  CsBuildOptions *options = g_new0 (CsBuildOptions, 1);
  const char *folder = get_text (self, CS_SETTING_BUILD_FOLDER);
  char **arguments = NULL;

  if (!cs_build_system_from_name (cs_run_settings_get (self, CS_SETTING_SYSTEM), &options->system))
    options->system = CS_BUILD_SYSTEM_NONE;
  options->compiler = g_strdup (get_text (self, CS_SETTING_COMPILER));
  options->cxx_compiler = g_strdup (get_text (self, CS_SETTING_CXX_COMPILER));
  if (g_shell_parse_argv (cs_run_settings_get (self, CS_SETTING_ARGUMENTS), NULL, &arguments, NULL))
    options->arguments = (const char *const *) arguments;
  options->build_folder = g_canonicalize_filename (folder != NULL ? folder : "build-instr",
                                                   cs_run_settings_get_project (self));
  options->jobs = (guint) get_number (self, CS_SETTING_JOBS);
  options->clean = cs_run_settings_get_flag (self, CS_SETTING_CLEAN);
  options->after_inlining = cs_run_settings_get_flag (self, CS_SETTING_AFTER_INLINING);
  options->widen = cs_run_settings_get_flag (self, CS_SETTING_WIDEN);
  options->no_inline = cs_run_settings_get_flag (self, CS_SETTING_NO_INLINE);
  return options;
}

/**
 * cs_run_settings_free_build:
 * @options: (transfer full): what cs_run_settings_make_build() made
 */
void
cs_run_settings_free_build (CsBuildOptions *options)
{
  g_free ((char *) options->compiler);
  g_free ((char *) options->cxx_compiler);
  g_free ((char *) options->build_folder);
  g_strfreev ((char **) options->arguments);
  g_free (options);
}
