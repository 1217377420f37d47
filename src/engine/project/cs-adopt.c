/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "project/cs-adopt.h"
#include "project/cs-data-folder.h"
#include "selection/cs-trace-config.h"

/* In a project's callsight/: the files that were copied there, each behind its SHA-256. */
#define MANIFEST "files.sha256"
/* Its first line, a comment for sha256sum: what init was told. */
#define SYSTEM_LINE "# build system: "

G_DEFINE_QUARK (cs-adopt-error-quark, cs_adopt_error)

/* A file to copy. */
typedef struct
{
  char *name;
  char *text;
  gsize size;
  char *hash;
  CsAdoptAction action;
} Copy;

typedef struct
{
  char *target;        /* the project's callsight/ */
  GHashTable *manifest; /* name → hash of what was copied before */
  GPtrArray *copies;   /* (element-type Copy) */
  CsBuildSystem system; /* the one that the copies are for */
  gboolean has_system;  /* the manifest names it */
} Adoption;

static void
copy_free (gpointer data)
{
  Copy *copy = data;

  g_free (copy->name);
  g_free (copy->text);
  g_free (copy->hash);
  g_free (copy);
}

static void
adoption_clear (Adoption *self)
{
  g_clear_pointer (&self->target, g_free);
  g_clear_pointer (&self->manifest, g_hash_table_unref);
  g_clear_pointer (&self->copies, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Adoption, adoption_clear)

/**
 * cs_adopt_result_free:
 * @self: (transfer full): what was done
 */
void
cs_adopt_result_free (CsAdoptResult *self)
{
  g_ptr_array_unref (self->changed);
  g_free (self);
}

static gboolean
fail (GError **error, CsAdoptError code, const char *path, const char *why)
{
  g_set_error (error, CS_ADOPT_ERROR, (int) code, "%s: %s", path, why);
  return FALSE;
}

/* Lines as sha256sum writes them. */
static gboolean
load_manifest (Adoption *self)
{
  g_autofree char *path = g_build_filename (self->target, MANIFEST, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  self->manifest = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || !g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  lines = g_strsplit (text, "\n", -1);
  self->has_system = g_str_has_prefix (text, SYSTEM_LINE) &&
                     cs_build_system_from_name (lines[0] + strlen (SYSTEM_LINE), &self->system);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '#' && strlen (lines[i]) > 66 && strchr (lines[i] + 66, '/') == NULL)
      g_hash_table_insert (self->manifest, g_strdup (lines[i] + 66), g_strndup (lines[i], 64));
  return TRUE;
}

static gboolean
save_manifest (Adoption *self, GError **error)
{
  g_autofree char *path = g_build_filename (self->target, MANIFEST, NULL);
  GString *text = g_string_new (NULL);
  gboolean ok;

  g_string_append_printf (text, SYSTEM_LINE "%s\n", cs_build_system_get_name (self->system));
  for (guint i = 0; i < self->copies->len; i++)
    {
      const Copy *copy = self->copies->pdata[i];

      g_string_append_printf (text, "%s  %s\n", copy->hash, copy->name);
    }
  ok = g_file_set_contents (path, text->str, (gssize) text->len, error);
  g_string_free (text, TRUE);
  return ok;
}

static char *
hash_file (const char *path)
{
  g_autofree char *text = NULL;
  gsize size = 0;

  return g_file_test (path, G_FILE_TEST_IS_REGULAR) && g_file_get_contents (path, &text, &size, NULL)
             ? g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) text, size) : NULL;
}

/* Whether callsight/ is ours, or there is none: without a manifest it may hold only what callsight-cli makes. */
static gboolean
check_target (Adoption *self, gboolean has_manifest, GError **error)
{
  static const char *const own[] = { "selection", "recordings", NULL };
  g_autoptr (GDir) dir = NULL;
  g_autofree char *why = NULL;
  const char *name;
  struct stat st;

  if (g_lstat (self->target, &st) != 0)
    return TRUE;
  if (!S_ISDIR (st.st_mode))
    return fail (error, CS_ADOPT_ERROR_FOLDER, self->target,
                 "it is there and no folder, but the runtime is to be copied to it — rename it");
  dir = g_dir_open (self->target, 0, error);
  if (dir == NULL)
    return FALSE;
  while (!has_manifest && (name = g_dir_read_name (dir)) != NULL)
    if (!g_strv_contains (own, name))
      {
        why = g_strdup_printf ("holds files that callsight-cli init didn't put there (%s) — rename the folder; nothing was "
                               "changed", name);
        return fail (error, CS_ADOPT_ERROR_FOLDER, self->target, why);
      }
  return TRUE;
}

static gboolean
is_runtime_file (const char *name)
{
  return g_str_equal (name, "trace.c") || g_str_equal (name, "callsight-cc.c") ||
         ((g_str_has_prefix (name, "trace") || g_str_has_prefix (name, "cc_")) && g_str_has_suffix (name, ".h"));
}

static int
compare_copies (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(const Copy *const *) a)->name, (*(const Copy *const *) b)->name);
}

static gboolean
add_folder (Adoption *self, const char *folder, gboolean runtime, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, error);
  const char *name;

  if (dir == NULL)
    return FALSE;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      Copy *copy;

      if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || (runtime && !is_runtime_file (name)))
        continue;
      copy = g_new0 (Copy, 1);
      copy->name = g_strdup (name);
      g_ptr_array_add (self->copies, copy);
      if (!g_file_get_contents (path, &copy->text, &copy->size, error))
        return FALSE;
      copy->hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) copy->text, copy->size);
    }
  return TRUE;
}

static gboolean
gather (Adoption *self, CsBuildSystem system, GError **error)
{
  static const char missing[] = "can't be found — install Callsight completely";
  g_autofree char *runtime = cs_data_folder_find ("runtime");
  g_autofree char *integrations = cs_data_folder_find ("integrations");
  g_autofree char *wiring = NULL;

  self->copies = g_ptr_array_new_with_free_func (copy_free);
  self->system = system;
  if (runtime == NULL)
    return fail (error, CS_ADOPT_ERROR_FILES, "the runtime's sources", missing);
  if (!add_folder (self, runtime, TRUE, error))
    return FALSE;
  if (system != CS_BUILD_SYSTEM_NONE && system != CS_BUILD_SYSTEM_AUTOTOOLS)
    {
      if (integrations == NULL)
        return fail (error, CS_ADOPT_ERROR_FILES, "the files for build systems", missing);
      wiring = g_build_filename (integrations, cs_build_system_get_name (system), NULL);
      if (!add_folder (self, wiring, FALSE, error))
        return FALSE;
    }
  g_ptr_array_sort (self->copies, compare_copies);
  return TRUE;
}

static CsAdoptAction
choose_action (Adoption *self, const Copy *copy, gboolean force)
{
  g_autofree char *path = g_build_filename (self->target, copy->name, NULL);
  g_autofree char *hash = hash_file (path);
  const char *before = g_hash_table_lookup (self->manifest, copy->name);

  if (hash == NULL)
    return CS_ADOPT_WRITE;
  if (g_str_equal (hash, copy->hash))
    return CS_ADOPT_SAME;
  if (force || g_strcmp0 (hash, before) == 0)
    return CS_ADOPT_UPDATE;
  return g_strcmp0 (before, copy->hash) == 0 ? CS_ADOPT_KEEP : CS_ADOPT_CONFLICT;
}

static void
choose_actions (Adoption *self, gboolean force)
{
  for (guint i = 0; i < self->copies->len; i++)
    {
      Copy *copy = self->copies->pdata[i];

      copy->action = choose_action (self, copy, force);
    }
}

/* Decides what to do before anything is done. */
static gboolean
plan (Adoption *self, gboolean force, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *list = NULL;
  g_autofree char *why = NULL;

  choose_actions (self, force);
  for (guint i = 0; i < self->copies->len; i++)
    {
      const Copy *copy = self->copies->pdata[i];

      if (copy->action == CS_ADOPT_CONFLICT)
        g_ptr_array_add (names, copy->name);
    }
  if (names->len == 0)
    return TRUE;
  g_ptr_array_add (names, NULL);
  list = g_strjoinv (", ", (char **) names->pdata);
  why = g_strdup_printf ("%s: changed here, and there are newer versions — keep your changes elsewhere and replace the files "
                         "with --force; nothing was changed", list);
  return fail (error, CS_ADOPT_ERROR_CHANGED, self->target, why);
}

static gboolean
carry_out (Adoption *self, CsAdoptResult *result, GError **error)
{
  for (guint i = 0; i < self->copies->len; i++)
    {
      const Copy *copy = self->copies->pdata[i];
      g_autofree char *path = g_build_filename (self->target, copy->name, NULL);

      result->written += copy->action == CS_ADOPT_WRITE;
      result->updated += copy->action == CS_ADOPT_UPDATE;
      result->same += copy->action == CS_ADOPT_SAME;
      if (copy->action == CS_ADOPT_KEEP)
        g_ptr_array_add (result->changed, g_strdup (copy->name));
      if ((copy->action == CS_ADOPT_WRITE || copy->action == CS_ADOPT_UPDATE) &&
          !g_file_set_contents (path, copy->text, (gssize) copy->size, error))
        return FALSE;
    }
  return TRUE;
}

/* Removes what an earlier version, or one for another build system, copied, if nobody changed it. */
static void
remove_old (Adoption *self)
{
  GHashTableIter iter;
  const char *name, *before;

  for (guint i = 0; i < self->copies->len; i++)
    g_hash_table_remove (self->manifest, ((const Copy *) self->copies->pdata[i])->name);
  g_hash_table_iter_init (&iter, self->manifest);
  while (g_hash_table_iter_next (&iter, (gpointer *) &name, (gpointer *) &before))
    {
      g_autofree char *path = g_build_filename (self->target, name, NULL);
      g_autofree char *hash = hash_file (path);

      if (g_strcmp0 (hash, before) == 0)
        g_unlink (path);
    }
}

/**
 * cs_adopt_sync:
 * @folder: a project's folder
 * @system: its build system, of which the wiring is copied
 * @force: replace also what somebody changed
 * @error: where to say why nothing was done: %CS_ADOPT_ERROR or a file's error
 *
 * Copies the runtime, the compiler launcher's source and the wiring for a build system into the project's callsight/, and
 * writes a trace.config if there is none. Done again, it brings the files up to date. A folder of that name
 * with other files in it stays as it is, and so does a file that somebody changed.
 *
 * Returns: (transfer full) (nullable): what was done
 */
CsAdoptResult *
cs_adopt_sync (const char *folder, CsBuildSystem system, gboolean force, GError **error)
{
  g_auto (Adoption) self = { .target = g_build_filename (folder, "callsight", NULL) };
  g_autoptr (CsAdoptResult) result = g_new0 (CsAdoptResult, 1);
  g_autofree char *config_path = g_build_filename (folder, "trace.config", NULL);
  gboolean has_manifest = load_manifest (&self);

  result->changed = g_ptr_array_new_with_free_func (g_free);
  if (!check_target (&self, has_manifest, error) || !gather (&self, system, error) || !plan (&self, force, error))
    return NULL;
  if (g_mkdir (self.target, 0777) != 0 && errno != EEXIST)
    {
      g_autofree char *why = g_strdup_printf ("can't be made (%s) — use a project folder that you may write to",
                                              g_strerror (errno));

      fail (error, CS_ADOPT_ERROR_FOLDER, self.target, why);
      return NULL;
    }
  /* Before the first files, so that these are ours if the run is interrupted; behind newer ones, so that the old are. */
  if ((!has_manifest && !save_manifest (&self, error)) || !carry_out (&self, result, error) ||
      (has_manifest && !save_manifest (&self, error)))
    return NULL;
  remove_old (&self);
  result->has_config = g_file_test (config_path, G_FILE_TEST_EXISTS) || g_file_test (config_path, G_FILE_TEST_IS_SYMLINK);
  if (!result->has_config && !g_file_set_contents (config_path, cs_trace_config_starter_text (), -1, error))
    return NULL;
  return g_steal_pointer (&result);
}

static void
adopt_file_free (gpointer data)
{
  CsAdoptFile *file = data;

  g_free (file->path);
  g_free (file);
}

static void
add_file (GPtrArray *files, CsAdoptAction action, const char *first, const char *second)
{
  CsAdoptFile *file = g_new (CsAdoptFile, 1);

  file->path = g_build_filename (first, second, NULL);
  file->action = action;
  g_ptr_array_add (files, file);
}

/**
 * cs_adopt_list:
 * @folder: a project's folder
 * @system: its build system
 * @error: where to say why nothing could be done: %CS_ADOPT_ERROR or a file's error
 *
 * Tells what cs_adopt_sync() would do, without doing it. May be called in any thread.
 *
 * Returns: (transfer full) (nullable) (element-type CsAdoptFile): all files that it would write or look at
 */
GPtrArray *
cs_adopt_list (const char *folder, CsBuildSystem system, GError **error)
{
  g_auto (Adoption) self = { .target = g_build_filename (folder, "callsight", NULL) };
  g_autofree char *config_path = g_build_filename (folder, "trace.config", NULL);
  gboolean has_manifest = load_manifest (&self);
  GPtrArray *files;
  GStatBuf st;

  if (!check_target (&self, has_manifest, error) || !gather (&self, system, error))
    return NULL;
  choose_actions (&self, FALSE);
  files = g_ptr_array_new_with_free_func (adopt_file_free);
  for (guint i = 0; i < self.copies->len; i++)
    {
      const Copy *copy = self.copies->pdata[i];

      add_file (files, copy->action, "callsight", copy->name);
    }
  add_file (files, has_manifest ? CS_ADOPT_UPDATE : CS_ADOPT_WRITE, "callsight", MANIFEST);
  add_file (files, g_lstat (config_path, &st) == 0 ? CS_ADOPT_SAME : CS_ADOPT_WRITE, "trace.config", NULL);
  return files;
}

/**
 * cs_adopt_find_system:
 * @folder: a project's folder
 * @system: (out): the build system that cs_adopt_sync() was told, or, where an earlier version did it, of which the
 *   wiring was copied; %CS_BUILD_SYSTEM_NONE: there is no such wiring
 *
 * Returns: whether cs_adopt_sync() was done there; if not, @system stays as it is
 */
gboolean
cs_adopt_find_system (const char *folder, CsBuildSystem *system)
{
  static const struct
  {
    const char *file;
    CsBuildSystem system;
  } wiring[] = { { "Makefile.callsight", CS_BUILD_SYSTEM_MAKE },
                 { "CallSight.cmake", CS_BUILD_SYSTEM_CMAKE },
                 { "meson.build", CS_BUILD_SYSTEM_MESON } };
  g_auto (Adoption) self = { .target = g_build_filename (folder, "callsight", NULL) };

  if (!load_manifest (&self))
    return FALSE;
  *system = self.has_system ? self.system : CS_BUILD_SYSTEM_NONE;
  for (guint i = 0; !self.has_system && i < G_N_ELEMENTS (wiring); i++)
    if (g_hash_table_contains (self.manifest, wiring[i].file))
      *system = wiring[i].system;
  return TRUE;
}

/**
 * cs_adopt_describe_wiring:
 * @system: a build system
 *
 * Returns: (transfer full) (nullable): the lines to paste into its files, and how to build then; %NULL where there is
 *   nothing to paste
 */
char *
cs_adopt_describe_wiring (CsBuildSystem system)
{
  switch (system)
    {
    case CS_BUILD_SYSTEM_MAKE:
      return g_strdup ("In the Makefile, behind SRCS, BUILDDIR, BINDIR and TARGET:\n"
                       "    include callsight/Makefile.callsight\n"
                       "then\n"
                       "    make instrument\n"
                       "    callsight-cli run -- ./$(BINDIR)/$(TARGET).instr\n");
    case CS_BUILD_SYSTEM_CMAKE:
      return g_strdup ("In CMakeLists.txt, behind project(), and behind the target:\n"
                       "    list(APPEND CMAKE_MODULE_PATH \"${CMAKE_SOURCE_DIR}/callsight\")\n"
                       "    include(CallSight)\n"
                       "    callsight_instrument(TARGET)\n"
                       "then\n"
                       "    cmake -B build-callsight -DCALLSIGHT_INSTRUMENT=ON\n"
                       "    cmake --build build-callsight\n");
    case CS_BUILD_SYSTEM_MESON:
      return g_strdup ("In meson_options.txt:\n"
                       "    option('callsight', type: 'boolean', value: false, description: 'Build with hooks')\n"
                       "in meson.build, behind add_project_arguments():\n"
                       "    callsight_sources = files('src/main.c')\n"
                       "    subdir('callsight')\n"
                       "    executable('app', callsight_sources, dependencies: callsight_dep)\n"
                       "then\n"
                       "    meson setup build-callsight -Dcallsight=true\n"
                       "    meson compile -C build-callsight\n");
    case CS_BUILD_SYSTEM_AUTOTOOLS:
    case CS_BUILD_SYSTEM_NONE:
    default:
      return NULL;
    }
}
