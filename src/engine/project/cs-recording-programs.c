/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "capture/cs-event-file.h"
#include "capture/cs-process-file.h"
#include "project/cs-recordings-private.h"
#include "symbols/cs-bundle.h"

/* Without a build id nothing tells whether a file was written over, so that it is copied; not if it is larger. */
#define COPY_MOST (G_GINT64_CONSTANT (256) << 20)

/* What a package brought: the next build leaves it alone. */
static gboolean
is_of_system (const char *path)
{
  static const char *const folders[] = { "/usr/", "/lib/", "/lib32/", "/lib64/", "/bin/", "/sbin/", "/opt/", "/nix/", "/gnu/" };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    if (g_str_has_prefix (path, folders[i]))
      return TRUE;
  return !g_path_is_absolute (path);
}

static gboolean
copy_file (const char *from, const char *to)
{
  g_autoptr (GFile) source = g_file_new_for_path (from);
  g_autoptr (GFile) target = g_file_new_for_path (to);

  return g_file_copy (source, target, G_FILE_COPY_NONE, NULL, NULL, NULL, NULL);
}

/* The linker makes a new file each time, so that another link to this one keeps it, and takes no room as long as it isn't
 * replaced. Were it written over nevertheless, its build id would tell. */
static gboolean
keep_file (const CsModule *module, const char *to)
{
  struct stat st;

  if (g_stat (module->path, &st) != 0 || !S_ISREG (st.st_mode))
    return FALSE;
  return (module->build_id != NULL && link (module->path, to) == 0) ||
         (st.st_size <= COPY_MOST && copy_file (module->path, to));
}

/* Keeps what one image of a process had loaded, and notes it in the manifest. */
static void
keep_section (const CsProcessSection *section, const char *folder, GHashTable *kept, GString *manifest)
{
  for (guint i = 0; i < section->modules->len && g_hash_table_size (kept) < CS_RECORDING_MODULES_MOST; i++)
    {
      const CsModule *module = section->modules->pdata[i];
      g_autofree char *name = NULL;
      g_autofree char *to = NULL;
      g_autofree char *escaped = NULL;

      if (is_of_system (module->path) || g_hash_table_contains (kept, module->path))
        continue;
      name = g_strdup_printf (CS_RECORDING_MODULES "/%u", g_hash_table_size (kept));
      to = g_build_filename (folder, name, NULL);
      if (!keep_file (module, to))
        continue;
      g_hash_table_add (kept, g_strdup (module->path));
      escaped = cs_bundle_escape (module->path, TRUE);
      g_string_append_printf (manifest, "module %s %s %s\n", module->build_id != NULL ? module->build_id : "-", name, escaped);
    }
}

/**
 * cs_recordings_keep_programs:
 * @folder: a recording's folder, after the program ended
 *
 * Keeps the programs and libraries that were recorded with the recording, which becomes a bundle: the next build replaces
 * them, and without them it would lose its names. What belongs to the system is left where it is. What can't be kept
 * isn't: then the names last until the next build. May be called in any thread.
 */
void
cs_recordings_keep_programs (const char *folder)
{
  g_autofree char *modules = g_build_filename (folder, CS_RECORDING_MODULES, NULL);
  g_autofree char *path = g_build_filename (folder, CS_BUNDLE_FILE, NULL);
  g_autoptr (GHashTable) kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) manifest = g_string_new (NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  if (dir == NULL || g_mkdir (modules, 0700) != 0)
    return;
  g_string_append_printf (manifest, CS_BUNDLE_FIRST_LINE "%d\n", CS_BUNDLE_VERSION);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *process = g_build_filename (folder, name, NULL);
      CsTraceNameParts parts;
      g_autoptr (GPtrArray) sections = NULL;

      if (cs_trace_name_parse (name, &parts) == CS_TRACE_NAME_PROCESS)
        sections = cs_process_file_read (process, NULL);
      for (guint i = 0; sections != NULL && i < sections->len; i++)
        keep_section (sections->pdata[i], folder, kept, manifest);
    }
  if (g_hash_table_size (kept) == 0)
    g_rmdir (modules);
  else
    g_file_set_contents (path, manifest->str, (gssize) manifest->len, NULL);
}
