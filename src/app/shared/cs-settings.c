/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cs-settings.h"

/* Programs in the build folder, two folders below it, take the schema that lies there. */
static GSettingsSchema *
find_schema (void)
{
  GSettingsSchemaSource *installed = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchemaSource) built = NULL;
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : g_strdup (".");
  g_autofree char *data = g_build_filename (folder, "..", "..", "data", NULL);

  built = g_settings_schema_source_new_from_directory (data, installed, TRUE, NULL);
  if (built == NULL)
    return installed != NULL ? g_settings_schema_source_lookup (installed, CS_SETTINGS_ID, TRUE) : NULL;
  return g_settings_schema_source_lookup (built, CS_SETTINGS_ID, TRUE);
}

/**
 * cs_settings_get:
 *
 * The person's preferences, by the schema of the build folder that the program lies in, or else by the one that is
 * installed. For the main thread.
 *
 * Returns: (transfer none) (nullable): the preferences; NULL: the schema isn't anywhere, and the program can't start
 */
GSettings *
cs_settings_get (void)
{
  static GSettings *settings;
  g_autoptr (GSettingsSchema) schema = NULL;

  if (settings != NULL)
    return settings;
  schema = find_schema ();
  if (schema != NULL)
    settings = g_settings_new_full (schema, NULL, NULL);
  return settings;
}
