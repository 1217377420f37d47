/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "capture/cs-io.h"
#include "project/cs-adopt.h"
#include "project/cs-build-launcher.h"
#include "project/cs-build-mirror.h"
#include "project/cs-build-private.h"
#include "project/cs-data-folder.h"
#include "project/cs-folder.h"
#include "selection/cs-compiler.h"

#define BUILD_FOLDER "build-instr"
#define GROUP "build"

G_DEFINE_QUARK (cs-build-error-quark, cs_build_error)

/**
 * cs_build_result_free:
 * @self: (transfer full): what a build made
 */
void
cs_build_result_free (CsBuildResult *self)
{
  g_free (self->folder);
  g_free (self->outside_example);
  g_ptr_array_unref (self->programs);
  g_ptr_array_unref (self->without_runtime);
  g_clear_pointer (&self->hooks, cs_hook_check_free);
  g_free (self);
}

/**
 * cs_build_tell:
 * @self: a build
 * @format: printf style: a sentence
 *
 * Tells the person what is being done.
 */
void
cs_build_tell (const Build *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  if (self->options->tell != NULL)
    self->options->tell (text, self->options->user_data);
}

/**
 * cs_build_fail:
 * @error: where to say it
 * @code: what kind of failure it is
 * @format: printf style: what: why — what to do
 *
 * Returns: %FALSE
 */
gboolean
cs_build_fail (GError **error, CsBuildError code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (CS_BUILD_ERROR, (int) code, format, args);
  va_end (args);
  return FALSE;
}

static void
build_clear (Build *self)
{
  g_free (self->folder);
  g_free (self->own);
  g_free (self->marker);
  g_free (self->launcher);
  g_free (self->cc);
  g_free (self->cxx);
  g_free (self->runtime);
  g_strfreev (self->environment);
  if (self->lock >= 0)
    close (self->lock);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Build, build_clear)

/* The build system that an earlier build in this folder took, or that init was told. */
static CsBuildSystem
get_usual_system (const Build *self)
{
  g_autoptr (GKeyFile) state = g_key_file_new ();
  g_autofree char *name = NULL;
  CsBuildSystem system = CS_BUILD_SYSTEM_NONE;

  if (g_file_test (self->marker, G_FILE_TEST_IS_REGULAR) &&
      g_key_file_load_from_file (state, self->marker, G_KEY_FILE_NONE, NULL))
    name = g_key_file_get_string (state, GROUP, "system", NULL);
  if (name == NULL || !cs_build_system_from_name (name, &system))
    cs_adopt_find_system (self->root, &system);
  return system;
}

static gboolean
choose_system (Build *self, GError **error)
{
  CsBuildSystems found;
  g_autofree char *text = NULL;

  self->system = self->options->system;
  cs_build_systems_find (self->root, &found);
  if (self->system != CS_BUILD_SYSTEM_NONE)
    return cs_build_systems_has (&found, self->system) ||
           cs_build_fail (error, CS_BUILD_ERROR_INPUT, "%s: there is nothing here for %s — choose another with --system",
                          self->root, cs_build_system_get_name (self->system));
  if (found.count == 0)
    return cs_build_fail (error, CS_BUILD_ERROR_INPUT,
                          "%s: no Makefile, CMakeLists.txt, meson.build or configure — name the project's folder, or build "
                          "with the launcher by hand: CC=\"callsight-cc gcc\"", self->root);
  self->system = found.count > 1 ? get_usual_system (self) : found.systems[0];
  if (!cs_build_systems_has (&found, self->system))
    {
      text = cs_build_systems_describe (&found, "--system");
      return cs_build_fail (error, CS_BUILD_ERROR_INPUT, "%s: %s", self->root, text);
    }
  if (found.count > 1)
    cs_build_tell (self, "of the build systems here %s is taken, as before — --system takes another",
                   cs_build_system_get_name (self->system));
  return TRUE;
}

static gboolean
is_empty_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);

  return dir != NULL && g_dir_read_name (dir) == NULL;
}

/* The folder to build in, without symbolic links on the way to it. */
static char *
resolve_folder (const Build *self)
{
  const char *given = self->options->build_folder;
  g_autofree char *path = given != NULL ? g_canonicalize_filename (given, NULL)
                                        : g_build_filename (self->root, BUILD_FOLDER, NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  char *real_parent = realpath (parent, NULL);
  char *result = real_parent != NULL ? g_build_filename (real_parent, name, NULL) : g_strdup (path);

  free (real_parent);
  return result;
}

/* A folder is used if it isn't there yet, is empty, or was made here before. */
static gboolean
check_folder (Build *self, GError **error)
{
  struct stat st;
  gsize length = strlen (self->folder);

  if (g_lstat (self->folder, &st) != 0)
    return TRUE;
  if (!S_ISDIR (st.st_mode))
    return cs_build_fail (error, CS_BUILD_ERROR_INPUT, "%s: it is there and no folder — name another one with --build-dir",
                          self->folder);
  if (strncmp (self->root, self->folder, length) == 0 && (self->root[length] == '/' || self->root[length] == '\0'))
    return cs_build_fail (error, CS_BUILD_ERROR_INPUT,
                          "%s: the project lies in it, and would be built over — name another folder with --build-dir",
                          self->folder);
  if (!g_file_test (self->marker, G_FILE_TEST_IS_REGULAR) && !is_empty_folder (self->folder))
    return cs_build_fail (error, CS_BUILD_ERROR_INPUT,
                          "%s: holds files that callsight-cli build didn't make — name another folder with --build-dir, or "
                          "remove it", self->folder);
  if (g_lstat (self->own, &st) == 0 && !S_ISDIR (st.st_mode))
    return cs_build_fail (error, CS_BUILD_ERROR_INPUT, "%s: it is there and no folder — remove it", self->own);
  return TRUE;
}

static gboolean
make_folder (Build *self, GError **error)
{
  if (g_mkdir_with_parents (self->own, 0777) != 0)
    return cs_build_fail (error, CS_BUILD_ERROR_INPUT, "%s: can't be made (%s) — name another folder with --build-dir",
                          self->own, g_strerror (errno));
  /* Another user may have built there. */
  if (g_access (self->folder, W_OK | X_OK) == 0 && g_access (self->own, W_OK | X_OK) == 0)
    return TRUE;
  return cs_build_fail (error, CS_BUILD_ERROR_INPUT,
                        "%s: can't be written (%s) — name another folder with --build-dir, or remove it", self->folder,
                        g_strerror (errno));
}

/* Until this process ends, no other builds there. A file system that can't lock lets it. */
static gboolean
lock_folder (Build *self, GError **error)
{
  self->lock = open (self->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return self->lock < 0 || flock (self->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK ||
         cs_build_fail (error, CS_BUILD_ERROR_INPUT,
                        "%s: another callsight-cli builds there just now — wait for it, or name another folder with "
                        "--build-dir", self->folder);
}

/* Says in the build folder that it is ours, what it was made with, and whether that is done. */
static gboolean
save_state (Build *self, const char *fingerprint, gboolean configured, GError **error)
{
  g_autoptr (GKeyFile) state = g_key_file_new ();

  g_key_file_set_comment (state, NULL, NULL, " Made by callsight-cli build, which may remove this folder.", NULL);
  g_key_file_set_string (state, GROUP, "fingerprint", fingerprint);
  g_key_file_set_string (state, GROUP, "system", cs_build_system_get_name (self->system));
  g_key_file_set_boolean (state, GROUP, "configured", configured);
  return g_key_file_save_to_file (state, self->marker, error);
}

/* The fingerprint that the folder was made with. */
static char *
load_state (Build *self)
{
  g_autoptr (GKeyFile) state = g_key_file_new ();

  if (!g_key_file_load_from_file (state, self->marker, G_KEY_FILE_NONE, NULL))
    return NULL;
  self->configured = g_key_file_get_boolean (state, GROUP, "configured", NULL);
  return g_key_file_get_string (state, GROUP, "fingerprint", NULL);
}

static gboolean
begin_anew (Build *self, GError **error)
{
  /* The folder stays ours if this is interrupted; recordings are made again less easily than programs. */
  static const char *const kept[] = { CS_BUILD_MARKER, "traces", NULL };

  self->configured = FALSE;
  if (!save_state (self, "", FALSE, error))
    return FALSE;
  if (!cs_folder_empty (self->folder, kept))
    return cs_build_fail (error, CS_BUILD_ERROR_INPUT, "%s: not all that is in it can be removed — remove it by hand",
                          self->folder);
  return make_folder (self, error);
}

static char **
make_environment (const Build *self)
{
  /* A program of the build that has hooks is not to record. */
  static const char *const unset[] = { "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "TRACE_ENABLE" };
  g_autofree char *selection = g_build_filename (self->own, "selection", NULL);
  g_autofree char *log = g_build_filename (self->own, "log", NULL);
  const char *others = g_getenv ("CCACHE_EXTRAFILES");
  g_autofree char *files = others != NULL ? g_strconcat (others, ":", selection, NULL) : g_strdup (selection);
  char **environment = g_get_environ ();

  for (guint i = 0; i < G_N_ELEMENTS (unset); i++)
    environment = g_environ_unsetenv (environment, unset[i]);
  environment = g_environ_setenv (environment, "CALLSIGHT_SELECTION", selection, TRUE);
  environment = g_environ_setenv (environment, "CALLSIGHT_LOG", log, TRUE);
  return g_environ_setenv (environment, "CCACHE_EXTRAFILES", files, TRUE);
}

/* What a mirror came to, where that is something new. */
static void
tell_mirror (const Build *self, const CsMirrorCounts *counts)
{
  g_autofree char *built = NULL;

  if (counts->copied == 0 && counts->removed == 0)
    return;
  if (counts->built == 1)
    built = g_strdup_printf ("; left out %s, which a build made", counts->example);
  else if (counts->built > 1)
    built = g_strdup_printf ("; left out %u programs and libraries that a build made (%s …)", counts->built, counts->example);
  cs_build_tell (self, "mirror in %s: %u file%s copied, %u as before, %u removed%s", self->folder, counts->copied,
                 counts->copied == 1 ? "" : "s", counts->kept, counts->removed, built != NULL ? built : "");
}

static gboolean
update_mirror (Build *self, GError **error)
{
  g_autofree char *list = g_build_filename (self->own, "mirror", NULL);
  g_auto (CsMirrorCounts) counts = { 0 };

  if (!cs_build_mirror_update (self->root, self->folder, list, &counts, self->cancellable, error))
    return FALSE;
  if (counts.is_reconfigured)
    self->configured = FALSE;
  tell_mirror (self, &counts);
  if (counts.leads_out != NULL)
    cs_build_tell (self, "%s leads to a folder outside the project: what a build writes there is the normal build's, too",
                   counts.leads_out);
  if (counts.left_callsight)
    cs_build_tell (self, "left out callsight, which is no folder: %s has one of that name", self->folder);
  if (counts.unreadable > 0)
    cs_build_tell (self, "left out %u %s that can't be read", counts.unreadable,
                   counts.unreadable == 1 ? "file or folder" : "files and folders");
  return TRUE;
}

/* What a copy of the sources can't keep apart. */
static void
warn_of_makefile (const Build *self)
{
  static const char *const names[] = { "GNUmakefile", "makefile", "Makefile" };
  g_autofree char *below = g_strconcat (self->root, "/", NULL);

  for (guint i = 0; self->system == CS_BUILD_SYSTEM_MAKE && i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (self->root, names[i], NULL);
      g_autofree char *text = NULL;

      if (!g_file_get_contents (path, &text, NULL, NULL))
        continue;
      if (strstr (text, below) != NULL)
        cs_build_tell (self, "%s names %s by its path: what it writes there is the normal build's", names[i], self->root);
      if (strstr (text, "../") != NULL)
        cs_build_tell (self, "%s names ../, which is another folder in the mirror: if that is missed, give a --build-dir "
                       "beside the project", names[i]);
      return;
    }
}

/* The folder of trace.c: the project's own copy, or the installed one. */
static char *
find_runtime (const Build *self)
{
  g_autofree char *own = g_build_filename (self->root, "callsight", NULL);
  g_autofree char *file = g_build_filename (own, "trace.c", NULL);

  return g_file_test (file, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&own) : cs_data_folder_find ("runtime");
}

static gboolean
is_clang (const char *command)
{
  g_auto (GStrv) words = NULL;

  return command != NULL && g_shell_parse_argv (command, NULL, &words, NULL) &&
         cs_compiler_detect ((const char *const *) words) == CS_COMPILER_CLANG;
}

/* clang chooses by file; says so before anything is compiled. */
static gboolean
check_compiler (const Build *self, GError **error)
{
  CsSelection *selection = self->options->selection;
  GPtrArray *files = cs_function_index_get_files (cs_selection_get_index (selection));
  const CsSourceFile *first = NULL;
  g_autofree char *more = NULL;
  guint partly = 0;
  gboolean clang = is_clang (self->cc) || is_clang (self->cxx);

  if (!clang && self->options->after_inlining)
    return cs_build_fail (error, CS_BUILD_ERROR_INPUT,
                          "%s: only clang has hooks after inlining — leave out --after-inlining, or add --compiler clang",
                          self->cc);
  if (!clang || self->options->widen)
    return TRUE;
  for (guint i = 0; i < files->len; i++)
    if (cs_selection_get_file (selection, i) == CS_FILE_PARTLY_CHOSEN)
      {
        partly++;
        if (first == NULL)
          first = files->pdata[i];
      }
  if (partly > 1)
    more = g_strdup_printf (" and %u more file%s", partly - 1, partly == 2 ? "" : "s");
  return partly == 0 ||
         cs_build_fail (error, CS_BUILD_ERROR_INPUT,
                        "%s has no lists of functions, so it chooses whole files, and of %s%s only some functions are "
                        "chosen — add --widen to take %s wholly, or build with gcc",
                        is_clang (self->cc) ? self->cc : self->cxx, first->path, more != NULL ? more : "",
                        partly == 1 ? "this file" : "these files");
}

static gboolean
prepare (Build *self, GError **error)
{
  g_autofree char *before = NULL;
  g_autofree char *now = NULL;

  if (!choose_system (self, error) || !cs_build_check_tools (self, error) || !check_folder (self, error))
    return FALSE;
  self->launcher = cs_build_launcher_find (self->cancellable, error);
  if (self->launcher == NULL)
    return FALSE;
  self->runtime = find_runtime (self);
  self->mirrored = cs_build_needs_mirror (self);
  self->environment = make_environment (self);
  if (!make_folder (self, error) || !lock_folder (self, error) || (self->options->clean && !begin_anew (self, error)))
    return FALSE;
  before = load_state (self);
  if (before == NULL)
    warn_of_makefile (self);
  if ((before == NULL && !save_state (self, "", FALSE, error)) ||
      (self->mirrored && !update_mirror (self, error)) || !cs_build_find_compilers (self, error) ||
      !check_compiler (self, error))
    return FALSE;
  now = cs_build_get_fingerprint (self);
  if (before != NULL && *before != '\0' && !g_str_equal (before, now))
    {
      cs_build_tell (self, "other compilers or arguments than last time: %s is made anew", self->folder);
      if (!begin_anew (self, error) || (self->mirrored && !update_mirror (self, error)))
        return FALSE;
    }
  if (!cs_build_update_selection (self, error))
    return FALSE;
  if (self->configured)
    return TRUE;
  return save_state (self, now, FALSE, error) && cs_build_configure (self, error) &&
         save_state (self, now, TRUE, error);
}

/**
 * cs_build_sync:
 * @options: what to build
 * @cancellable: (nullable): to end the build tool, and what it started
 * @error: where to say what failed: %CS_BUILD_ERROR, or %G_IO_ERROR_CANCELLED
 *
 * Builds a project with hooks in what a selection chooses, beside its normal build, which isn't touched: CMake,
 * Meson and autoconf build in a folder of their own, Make in a copy of the sources. A second build compiles
 * what has changed, in the sources or the selection. May be called in any thread; the callbacks are called there.
 *
 * Returns: (transfer full) (nullable): what was made
 */
CsBuildResult *
cs_build_sync (const CsBuildOptions *options, GCancellable *cancellable, GError **error)
{
  g_auto (Build) self = { .options = options, .cancellable = cancellable, .lock = -1 };

  g_return_val_if_fail (options->selection != NULL && options->config_path != NULL, NULL);

  self.root = cs_function_index_get_root (cs_selection_get_index (options->selection));
  self.folder = resolve_folder (&self);
  self.own = g_build_filename (self.folder, "callsight", NULL);
  self.marker = g_build_filename (self.folder, CS_BUILD_MARKER, NULL);
  if (!prepare (&self, error) || !cs_build_compile (&self, error))
    return NULL;
  return cs_build_read_result (&self, error);
}

static void
build_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  CsBuildResult *result = cs_build_sync (data, cancellable, &error);

  if (result != NULL)
    g_task_return_pointer (task, result, (GDestroyNotify) cs_build_result_free);
  else
    g_task_return_error (task, error);
}

/**
 * cs_build_async:
 * @options: what to build; stays as it is until the callback is called
 * @cancellable: (nullable): to end the build tool, and what it started
 * @callback: (scope async): called when it has ended
 * @user_data: for @callback
 *
 * Does cs_build_sync() in a thread, where the callbacks in @options are called.
 */
void
cs_build_async (const CsBuildOptions *options, GCancellable *cancellable, GAsyncReadyCallback callback,
                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, cs_build_async);
  g_task_set_task_data (task, (gpointer) options, NULL);
  g_task_set_check_cancellable (task, FALSE);
  g_task_run_in_thread (task, build_in_thread);
}

/**
 * cs_build_finish:
 * @result: what the callback got
 * @error: where to say what failed
 *
 * Returns: (transfer full) (nullable): what was made
 */
CsBuildResult *
cs_build_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
