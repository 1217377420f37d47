/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "record/cs-run-settings.h"

#define GROUP_RUN "run"
#define GROUP_BUILD "build"
/* Changes are written so many ms after the last one. */
#define SAVE_AFTER_MS 500

typedef char *(*Check) (CsRunSettings *self, const char *text);

typedef struct
{
  const char *group;
  const char *key;             /* in the file */
  const char *initial;
  const char *preference;      /* (nullable): of the schema, for `initial` */
  const char *const *words;    /* (nullable): what it may be */
  Check check;                 /* (nullable) */
} Kind;

struct _CsRunSettings
{
  GObject parent_instance;

  char *project;
  char *path; /* of the file */
  GSettings *preferences; /* (nullable) */
  char *texts[CS_N_SETTINGS];
  gboolean changed[CS_N_SETTINGS]; /* and not written yet */
  guint timer;
};

/* Those that are in use, by the paths of their files. */
static GHashTable *in_use;

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsRunSettings, cs_run_settings, G_TYPE_OBJECT)

static const char quote_sentence[] = N_("A quote isn’t closed — close it, or put a backslash before it");

static char *
check_command (CsRunSettings *self, const char *text)
{
  g_auto (GStrv) words = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_shell_parse_argv (text, NULL, &words, &error))
    return g_error_matches (error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING)
               ? g_strdup (_("No program is named — build the project, or name one"))
               : g_strdup (_(quote_sentence));
  return *words[0] == '\0' ? g_strdup (_("The program’s name is empty")) : NULL;
}

static char *
check_folder (CsRunSettings *self, const char *text)
{
  g_autofree char *path = NULL;

  if (*text == '\0')
    return NULL;
  path = g_canonicalize_filename (text, self->project);
  return g_file_test (path, G_FILE_TEST_IS_DIR) ? NULL : g_strdup (_("There is no such folder — name another one"));
}

static gboolean
is_name (const char *text, gsize length)
{
  if (length == 0 || g_ascii_isdigit (*text))
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (text[i]) && text[i] != '_')
      return FALSE;
  return TRUE;
}

static char *
check_environment (CsRunSettings *self, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *equals = strchr (lines[i], '=');

      if (*g_strstrip (lines[i]) == '\0')
        continue;
      equals = strchr (lines[i], '=');
      if (equals == NULL || !is_name (lines[i], (gsize) (equals - lines[i])))
        return g_strdup_printf (_("Line %u isn’t NAME=VALUE"), i + 1);
    }
  return NULL;
}

static char *
check_number (const char *text, guint64 least, guint64 most, const char *sentence)
{
  guint64 value;

  return *text == '\0' || g_ascii_string_to_unsigned (text, 10, least, most, &value, NULL) ? NULL : g_strdup (sentence);
}

static char *
check_max_mb (CsRunSettings *self, const char *text)
{
  return check_number (text, 0, 1 << 24, _("This takes megabytes as a whole number; 0 means no limit"));
}

static char *
check_max_events (CsRunSettings *self, const char *text)
{
  return check_number (text, 1, G_MAXINT64, _("This takes a whole number from 1 on; nothing means no limit"));
}

static char *
check_timeout (CsRunSettings *self, const char *text)
{
  return check_number (text, 0, 4000000, _("This takes seconds as a whole number; nothing or 0 means no limit"));
}

static char *
check_jobs (CsRunSettings *self, const char *text)
{
  return check_number (text, 1, 4096, _("This takes a whole number from 1 to 4096; nothing means one a processor"));
}

static char *
check_arguments (CsRunSettings *self, const char *text)
{
  g_auto (GStrv) words = NULL;
  g_autoptr (GError) error = NULL;

  if (*text == '\0' || g_shell_parse_argv (text, NULL, &words, &error)
      || g_error_matches (error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
    return NULL;
  return g_strdup (_(quote_sentence));
}

static char *
check_compiler (CsRunSettings *self, const char *text)
{
  g_auto (GStrv) words = NULL;
  g_autofree char *found = NULL;
  g_autofree char *problem = check_arguments (self, text);

  if (problem != NULL)
    return g_steal_pointer (&problem);
  if (!g_shell_parse_argv (text, NULL, &words, NULL))
    return NULL;
  found = g_find_program_in_path (words[0]);
  return found != NULL ? NULL : g_strdup_printf (_("“%s” isn’t installed — name another compiler"), words[0]);
}

static const char *const inputs[] = { "none", "typed", NULL };
static const char *const modes[] = { "events", "summary", NULL };
static const char *const formats[] = { "packed", "records", NULL };
static const char *const policies[] = { "stop", "wrap", NULL };
static const char *const clocks[] = { "auto", "mono", "raw", "tsc", NULL };
static const char *const systems[] = { "auto", "make", "cmake", "meson", "autotools", NULL };
static const char *const flags[] = { "no", "yes", NULL };

static const Kind kinds[CS_N_SETTINGS] = {
  [CS_SETTING_COMMAND] = { GROUP_RUN, "command", "", NULL, NULL, check_command },
  [CS_SETTING_WORKING_FOLDER] = { GROUP_RUN, "working-folder", "", NULL, NULL, check_folder },
  [CS_SETTING_ENVIRONMENT] = { GROUP_RUN, "environment", "", NULL, NULL, check_environment },
  [CS_SETTING_INPUT] = { GROUP_RUN, "input", "none", NULL, inputs, NULL },
  [CS_SETTING_MODE] = { GROUP_RUN, "mode", "events", "run-mode", modes, NULL },
  [CS_SETTING_FORMAT] = { GROUP_RUN, "format", "packed", "run-format", formats, NULL },
  [CS_SETTING_MAX_MB] = { GROUP_RUN, "max-mb", "512", "run-budget-mb", NULL, check_max_mb },
  [CS_SETTING_FULL] = { GROUP_RUN, "full", "stop", "run-policy", policies, NULL },
  [CS_SETTING_MAX_EVENTS] = { GROUP_RUN, "max-events", "", NULL, NULL, check_max_events },
  [CS_SETTING_THREADS] = { GROUP_RUN, "threads", "", NULL, NULL, NULL },
  [CS_SETTING_CLOCK] = { GROUP_RUN, "clock", "auto", "run-clock", clocks, NULL },
  [CS_SETTING_TIMEOUT] = { GROUP_RUN, "timeout", "", "run-timeout", NULL, check_timeout },
  [CS_SETTING_SYSTEM] = { GROUP_BUILD, "system", "auto", NULL, systems, NULL },
  [CS_SETTING_COMPILER] = { GROUP_BUILD, "compiler", "", NULL, NULL, check_compiler },
  [CS_SETTING_CXX_COMPILER] = { GROUP_BUILD, "cxx-compiler", "", NULL, NULL, check_compiler },
  [CS_SETTING_ARGUMENTS] = { GROUP_BUILD, "arguments", "", NULL, NULL, check_arguments },
  [CS_SETTING_BUILD_FOLDER] = { GROUP_BUILD, "folder", "", NULL, NULL, NULL },
  [CS_SETTING_JOBS] = { GROUP_BUILD, "jobs", "", NULL, NULL, check_jobs },
  [CS_SETTING_CLEAN] = { GROUP_BUILD, NULL, "no", NULL, flags, NULL },
  [CS_SETTING_AFTER_INLINING] = { GROUP_BUILD, "after-inlining", "no", NULL, flags, NULL },
  [CS_SETTING_WIDEN] = { GROUP_BUILD, "widen", "no", NULL, flags, NULL },
  [CS_SETTING_NO_INLINE] = { GROUP_BUILD, "no-inline", "no", NULL, flags, NULL },
  [CS_SETTING_PROGRAMS] = { GROUP_BUILD, "programs", "", NULL, NULL, NULL },
  [CS_SETTING_TRUSTED] = { GROUP_BUILD, "trusted", "no", NULL, flags, NULL },
};

static gboolean
is_possible (const Kind *kind, const char *text)
{
  return kind->words == NULL || g_strv_contains (kind->words, text);
}

/* What a setting is before the person changes it. */
static char *
make_initial (CsRunSettings *self, const Kind *kind)
{
  g_autoptr (GSettingsSchema) schema = NULL;
  g_autoptr (GVariant) value = NULL;

  if (kind->preference == NULL || self->preferences == NULL)
    return g_strdup (kind->initial);
  g_object_get (self->preferences, "settings-schema", &schema, NULL);
  if (!g_settings_schema_has_key (schema, kind->preference))
    return g_strdup (kind->initial);
  value = g_settings_get_value (self->preferences, kind->preference);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return g_variant_dup_string (value, NULL);
  /* No time limit is shown as nothing. */
  return kind->check == check_timeout && g_variant_get_uint32 (value) == 0 ? g_strdup ("") : g_variant_print (value, FALSE);
}

static gboolean
on_save (gpointer data)
{
  CsRunSettings *self = data;

  self->timer = 0;
  cs_run_settings_save (self, NULL);
  return G_SOURCE_REMOVE;
}

static void
cs_run_settings_dispose (GObject *object)
{
  CsRunSettings *self = CS_RUN_SETTINGS (object);

  if (self->timer != 0)
    cs_run_settings_save (self, NULL);
  g_clear_object (&self->preferences);

  G_OBJECT_CLASS (cs_run_settings_parent_class)->dispose (object);
}

static void
cs_run_settings_finalize (GObject *object)
{
  CsRunSettings *self = CS_RUN_SETTINGS (object);

  if (in_use != NULL && self->path != NULL && g_hash_table_lookup (in_use, self->path) == self)
    g_hash_table_remove (in_use, self->path);
  for (guint i = 0; i < CS_N_SETTINGS; i++)
    g_free (self->texts[i]);
  g_free (self->project);
  g_free (self->path);

  G_OBJECT_CLASS (cs_run_settings_parent_class)->finalize (object);
}

static void
cs_run_settings_class_init (CsRunSettingsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_run_settings_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_run_settings_finalize;
  /* A setting, #CsSetting as guint, is another one. */
  signals[CHANGED] = g_signal_new ("changed", CS_TYPE_RUN_SETTINGS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                   1, G_TYPE_UINT);
}

static void
cs_run_settings_init (CsRunSettings *self)
{
}

static char *
find_file (const char *project)
{
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, project, -1);
  g_autofree char *name = g_strdup_printf ("%.32s.ini", hash);

  return g_build_filename (g_get_user_state_dir (), "callsight", "projects", name, NULL);
}

/**
 * cs_run_settings_new:
 * @project: the project's folder
 * @preferences: (nullable): where defaults are; keys that aren't there don't matter
 *
 * Returns: (transfer full): the settings that were used for it last
 */
CsRunSettings *
cs_run_settings_new (const char *project, GSettings *preferences)
{
  CsRunSettings *self = g_object_new (CS_TYPE_RUN_SETTINGS, NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();

  self->project = g_strdup (project);
  g_set_object (&self->preferences, preferences);
  self->path = find_file (project);
  g_key_file_load_from_file (file, self->path, G_KEY_FILE_NONE, NULL);
  for (guint i = 0; i < CS_N_SETTINGS; i++)
    {
      const Kind *kind = &kinds[i];
      g_autofree char *text = kind->key != NULL ? g_key_file_get_string (file, kind->group, kind->key, NULL) : NULL;

      self->texts[i] = text != NULL && is_possible (kind, text) ? g_steal_pointer (&text) : make_initial (self, kind);
    }
  return self;
}

/**
 * cs_run_settings_share:
 * @project: the project's folder
 * @preferences: (nullable): as for cs_run_settings_new()
 *
 * Windows of one project show the same settings. For the main thread.
 *
 * Returns: (transfer full): the settings of the project that are in use, or new ones
 */
CsRunSettings *
cs_run_settings_share (const char *project, GSettings *preferences)
{
  g_autofree char *path = find_file (project);
  CsRunSettings *self;

  if (in_use == NULL)
    in_use = g_hash_table_new (g_str_hash, g_str_equal);
  self = g_hash_table_lookup (in_use, path);
  if (self != NULL)
    return g_object_ref (self);
  self = cs_run_settings_new (project, preferences);
  g_hash_table_insert (in_use, self->path, self);
  return self;
}

/**
 * cs_run_settings_get_project:
 * @self: settings
 *
 * Returns: (transfer none) (type filename): the folder of the project that they are of
 */
const char *
cs_run_settings_get_project (CsRunSettings *self)
{
  return self->project;
}

/**
 * cs_run_settings_get:
 * @self: settings
 * @setting: which one
 *
 * Returns: (transfer none): it, until it changes
 */
const char *
cs_run_settings_get (CsRunSettings *self, CsSetting setting)
{
  return self->texts[setting];
}

/**
 * cs_run_settings_get_flag:
 * @self: settings
 * @setting: one that is "yes" or "no"
 *
 * Returns: whether it is "yes"
 */
gboolean
cs_run_settings_get_flag (CsRunSettings *self, CsSetting setting)
{
  return g_str_equal (self->texts[setting], "yes");
}

/**
 * cs_run_settings_set:
 * @self: settings
 * @setting: which one
 * @text: what it is from now on; need not be right
 */
void
cs_run_settings_set (CsRunSettings *self, CsSetting setting, const char *text)
{
  g_return_if_fail (CS_IS_RUN_SETTINGS (self));
  g_return_if_fail (is_possible (&kinds[setting], text));

  if (g_str_equal (self->texts[setting], text))
    return;
  g_free (self->texts[setting]);
  self->texts[setting] = g_strdup (text);
  self->changed[setting] = TRUE;
  g_clear_handle_id (&self->timer, g_source_remove);
  self->timer = g_timeout_add (SAVE_AFTER_MS, on_save, self);
  g_signal_emit (self, signals[CHANGED], 0, (guint) setting);
}

/**
 * cs_run_settings_set_flag:
 * @self: settings
 * @setting: one that is "yes" or "no"
 * @on: which of these
 */
void
cs_run_settings_set_flag (CsRunSettings *self, CsSetting setting, gboolean on)
{
  cs_run_settings_set (self, setting, on ? "yes" : "no");
}

/**
 * cs_setting_get_words:
 * @setting: a setting
 *
 * Returns: (transfer none) (nullable): what it may be; %NULL: any text
 */
const char *const *
cs_setting_get_words (CsSetting setting)
{
  return kinds[setting].words;
}

/**
 * cs_run_settings_check:
 * @self: settings
 * @setting: which one
 *
 * Returns: (transfer full) (nullable): a sentence that says what is wrong with it
 */
char *
cs_run_settings_check (CsRunSettings *self, CsSetting setting)
{
  return kinds[setting].check != NULL ? kinds[setting].check (self, self->texts[setting]) : NULL;
}

static char *
check_group (CsRunSettings *self, const char *group)
{
  for (guint i = 0; i < CS_N_SETTINGS; i++)
    {
      g_autofree char *problem = g_str_equal (kinds[i].group, group) ? cs_run_settings_check (self, i) : NULL;

      if (problem != NULL)
        return g_steal_pointer (&problem);
    }
  return NULL;
}

/**
 * cs_run_settings_check_run:
 * @self: settings
 *
 * Returns: (transfer full) (nullable): why no program can be run with them
 */
char *
cs_run_settings_check_run (CsRunSettings *self)
{
  return check_group (self, GROUP_RUN);
}

/**
 * cs_run_settings_check_build:
 * @self: settings
 *
 * Returns: (transfer full) (nullable): why nothing can be built with them
 */
char *
cs_run_settings_check_build (CsRunSettings *self)
{
  return check_group (self, GROUP_BUILD);
}

/**
 * cs_run_settings_save:
 * @self: settings
 * @error: where to say why they aren't kept
 *
 * Writes at once what would be written soon: what was changed here. The rest of the file stays.
 *
 * Returns: whether they are kept
 */
gboolean
cs_run_settings_save (CsRunSettings *self, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *folder = g_path_get_dirname (self->path);

  g_clear_handle_id (&self->timer, g_source_remove);
  /* Another process may have changed others meanwhile. */
  g_key_file_load_from_file (file, self->path, G_KEY_FILE_NONE, NULL);
  g_key_file_set_string (file, "project", "folder", self->project);
  for (guint i = 0; i < CS_N_SETTINGS; i++)
    {
      g_autofree char *initial = make_initial (self, &kinds[i]);

      if (kinds[i].key == NULL || !self->changed[i])
        continue;
      /* What is as in the preferences follows them. */
      if (g_str_equal (self->texts[i], initial))
        g_key_file_remove_key (file, kinds[i].group, kinds[i].key, NULL);
      else
        g_key_file_set_string (file, kinds[i].group, kinds[i].key, self->texts[i]);
    }
  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_set_error (error, G_FILE_ERROR, (int) g_file_error_from_errno (errno), "%s: %s", folder, g_strerror (errno));
      return FALSE;
    }
  if (!g_key_file_save_to_file (file, self->path, error))
    return FALSE;
  memset (self->changed, 0, sizeof self->changed);
  return TRUE;
}

/* How a program is named in a command: relative to the project where it lies in it. */
static char *
name_program (CsRunSettings *self, const char *program)
{
  gsize length = strlen (self->project);
  g_autofree char *name = NULL;

  if (strncmp (program, self->project, length) == 0 && program[length] == '/')
    name = g_strconcat (".", program + length, NULL);
  else
    name = g_strdup (program);
  return strcspn (name, " \t\n'\"\\$`*?[]#~=%|&;<>(){}!") == strlen (name) ? g_steal_pointer (&name)
                                                                          : g_shell_quote (name);
}

/**
 * cs_run_settings_use_program:
 * @self: settings
 * @program: (type filename): path of a program
 *
 * Puts it into the command, and leaves the arguments.
 */
void
cs_run_settings_use_program (CsRunSettings *self, const char *program)
{
  g_autofree char *name = name_program (self, program);
  g_autoptr (GString) command = g_string_new (name);
  g_auto (GStrv) words = NULL;

  if (g_shell_parse_argv (self->texts[CS_SETTING_COMMAND], NULL, &words, NULL))
    for (guint i = 1; words[i] != NULL; i++)
      {
        g_autofree char *word = *words[i] != '\0' ? name_program (self, words[i]) : g_strdup ("''");

        g_string_append_printf (command, " %s", word);
      }
  cs_run_settings_set (self, CS_SETTING_COMMAND, command->str);
}

/**
 * cs_run_settings_set_programs:
 * @self: settings
 * @programs: (array zero-terminated=1): paths of what a build made
 *
 * Where no program is named yet, the first one is.
 */
void
cs_run_settings_set_programs (CsRunSettings *self, const char *const *programs)
{
  g_autofree char *list = g_strjoinv ("\n", (char **) programs);
  g_autofree char *valid = g_utf8_make_valid (list, -1);

  cs_run_settings_set (self, CS_SETTING_PROGRAMS, valid);
  if (programs[0] != NULL && *self->texts[CS_SETTING_COMMAND] == '\0')
    cs_run_settings_use_program (self, programs[0]);
}
