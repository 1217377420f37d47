/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "project/cs-build-private.h"

/* CMake hands links to a launcher from this version on. */
#define CMAKE_LINK_MAJOR 3
#define CMAKE_LINK_MINOR 21

static const char *
get_make (void)
{
  g_autofree char *make = g_find_program_in_path ("make");

  return make == NULL ? "gmake" : "make";
}

static gboolean
check_tool (const char *tool, const char *package, GError **error)
{
  g_autofree char *path = g_find_program_in_path (tool);

  return path != NULL ||
         cs_build_fail (error, CS_BUILD_ERROR_INPUT, "%s: there is no such program in PATH — install %s", tool, package);
}

/**
 * cs_build_check_tools:
 * @self: a build of which the system is known
 * @error: where to say what is missing
 *
 * Returns: whether the tools of the build system are there
 */
gboolean
cs_build_check_tools (Build *self, GError **error)
{
  g_autofree char *configure = g_build_filename (self->root, "configure", NULL);

  switch (self->system)
    {
    case CS_BUILD_SYSTEM_CMAKE:
      return check_tool ("cmake", "the package cmake", error);
    case CS_BUILD_SYSTEM_MESON:
      return check_tool ("meson", "the package meson", error) && check_tool ("ninja", "the package ninja-build", error);
    case CS_BUILD_SYSTEM_AUTOTOOLS:
      if (!g_file_test (configure, G_FILE_TEST_IS_REGULAR))
        return cs_build_fail (error, CS_BUILD_ERROR_INPUT,
                              "%s: there is no configure script yet — run autoreconf -i there first", self->root);
      return check_tool (get_make (), "the package make", error);
    case CS_BUILD_SYSTEM_MAKE:
    case CS_BUILD_SYSTEM_NONE:
    default:
      return check_tool (get_make (), "the package make", error);
    }
}

/* Whether a configure script is autoconf's, which can build in another folder. */
static gboolean
is_autoconf (const Build *self)
{
  g_autofree char *path = g_build_filename (self->root, "configure", NULL);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && strstr (text, "enerated by GNU Autoconf") != NULL;
}

/**
 * cs_build_needs_mirror:
 * @self: a build of which the system is known
 *
 * Returns: whether it builds in the folder of its sources, so that they must be copied: make does, and a configure script
 *   that isn't autoconf's, that was run there, or that can't name the folder from another one
 */
gboolean
cs_build_needs_mirror (const Build *self)
{
  static const char unsafe[] = " \t\n\"#$&'`\\;()<>|*?[";
  g_autofree char *status = g_build_filename (self->root, "config.status", NULL);

  return self->system == CS_BUILD_SYSTEM_MAKE ||
         (self->system == CS_BUILD_SYSTEM_AUTOTOOLS &&
          (g_file_test (status, G_FILE_TEST_EXISTS) || strpbrk (self->root, unsafe) != NULL || !is_autoconf (self)));
}

static gboolean
is_variable (const char *argument)
{
  const char *equals = strchr (argument, '=');

  if (equals == NULL || equals == argument || *argument == '-')
    return FALSE;
  for (const char *p = argument; p < equals; p++)
    if (!g_ascii_isalnum (*p) && *p != '_' && !(strchr (":+?", *p) != NULL && p + 1 == equals))
      return FALSE;
  return TRUE;
}

/* The value of the last argument that begins so: `CC=`. */
static const char *
find_argument (const Build *self, const char *start)
{
  const char *value = NULL;

  for (const char *const *p = self->options->arguments; p != NULL && *p != NULL; p++)
    if (g_str_has_prefix (*p, start))
      value = *p + strlen (start);
  return value;
}

/* Whether we set this variable ourselves. */
static gboolean
is_compiler_variable (const char *argument)
{
  return is_variable (argument) && (g_str_has_prefix (argument, "CC=") || g_str_has_prefix (argument, "CXX="));
}

/* The arguments that change what a Makefile says, not what is made of it. */
static void
add_settings (const Build *self, GPtrArray *command)
{
  static const char *const pairs[] = { "-C", "-f", "-I", "-E", NULL };

  for (const char *const *p = self->options->arguments; p != NULL && *p != NULL; p++)
    if (g_strv_contains (pairs, *p) && p[1] != NULL)
      {
        g_ptr_array_add (command, (gpointer) *p++);
        g_ptr_array_add (command, (gpointer) *p);
      }
    else if (g_str_has_prefix (*p, "-f") || g_str_has_prefix (*p, "-C") || g_str_has_prefix (*p, "--file") ||
             g_str_has_prefix (*p, "--directory") || (is_variable (*p) && !is_compiler_variable (*p)))
      g_ptr_array_add (command, (gpointer) *p);
}

static void
take_answer (const char *line, const char *key, char **value)
{
  if (!g_str_has_prefix (line, key))
    return;
  g_free (*value);
  *value = g_strstrip (g_strdup (line + strlen (key)));
  if (**value == '\0')
    g_clear_pointer (value, g_free);
}

/* Asks make what CC and CXX are once it has read all Makefiles: what is set there counts, and so does the environment
 * where they say so. */
static gboolean
ask_make (Build *self, GError **error)
{
  g_autoptr (GPtrArray) command = g_ptr_array_new ();
  g_autoptr (GError) local = NULL;
  g_autofree char *answer = NULL;
  g_auto (GStrv) lines = NULL;

  g_ptr_array_add (command, (gpointer) get_make ());
  g_ptr_array_add (command, (gpointer) "--no-print-directory");
  g_ptr_array_add (command, (gpointer) "-ns");
  g_ptr_array_add (command, (gpointer) "--eval=callsight-compilers: ; @: "
                                       "$(info callsight-compiler-cc $(CC))$(info callsight-compiler-cxx $(CXX))");
  add_settings (self, command);
  g_ptr_array_add (command, (gpointer) "callsight-compilers");
  g_ptr_array_add (command, NULL);
  answer = cs_child_ask ((const char *const *) command->pdata, self->folder, (const char *const *) self->environment,
                         self->cancellable, &local);
  if (answer == NULL)
    {
      if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        g_propagate_error (error, g_steal_pointer (&local));
      else
        cs_build_fail (error, CS_BUILD_ERROR_FAILED, "make can't tell which compiler the Makefile uses: %s",
                       local->message);
      return FALSE;
    }
  lines = g_strsplit (answer, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      take_answer (lines[i], "callsight-compiler-cc ", &self->cc);
      take_answer (lines[i], "callsight-compiler-cxx ", &self->cxx);
    }
  return TRUE;
}

/* Takes the launcher away that somebody put there already. */
static void
drop_launcher (char **command)
{
  g_auto (GStrv) words = g_strsplit (*command != NULL ? *command : "", " ", 2);
  g_autofree char *name = words[0] != NULL ? g_path_get_basename (words[0]) : NULL;

  if (words[0] == NULL || words[1] == NULL || !g_str_equal (name, "callsight-cc"))
    return;
  g_free (*command);
  *command = g_strstrip (g_strdup (words[1]));
}

/* A compiler that is given, or in the environment, or the first that is installed. */
static char *
choose_compiler (const char *given, const char *variable, const char *const *installed)
{
  const char *value = given != NULL ? given : g_getenv (variable);

  if (value != NULL && *value != '\0')
    return g_strdup (value);
  for (; *installed != NULL; installed++)
    {
      g_autofree char *path = g_find_program_in_path (*installed);

      if (path != NULL)
        return g_strdup (*installed);
    }
  return NULL;
}

/* Whether the first word of a command is a program. */
static gboolean
check_compiler (const char *option, const char *command, GError **error)
{
  g_auto (GStrv) words = NULL;
  g_autofree char *path = NULL;

  if (!g_shell_parse_argv (command, NULL, &words, NULL))
    return cs_build_fail (error, CS_BUILD_ERROR_INPUT, "%s %s: its quotes don't match — give the command as in a shell",
                          option, command);
  path = g_find_program_in_path (words[0]);
  return path != NULL || cs_build_fail (error, CS_BUILD_ERROR_INPUT,
                                        "%s %s: there is no such program in PATH — install it or give its path", option,
                                        command);
}

/**
 * cs_build_find_compilers:
 * @self: a build; a mirror is there if it needs one
 * @error: where to say what can't be used
 *
 * Finds the compilers that the project is built with: those that were given, or what its build system would take.
 *
 * Returns: whether they are known
 */
gboolean
cs_build_find_compilers (Build *self, GError **error)
{
  const CsBuildOptions *options = self->options;
  const gboolean cmake = self->system == CS_BUILD_SYSTEM_CMAKE;
  const char *cc = options->compiler != NULL ? options->compiler
                                             : find_argument (self, cmake ? "-DCMAKE_C_COMPILER=" : "CC=");
  const char *cxx = options->cxx_compiler != NULL ? options->cxx_compiler
                                                  : find_argument (self, cmake ? "-DCMAKE_CXX_COMPILER=" : "CXX=");
  const gboolean gcc_first = self->system == CS_BUILD_SYSTEM_AUTOTOOLS;
  g_auto (GStrv) words = NULL;
  g_autofree char *derived = NULL;

  if (cc != NULL && !check_compiler ("--compiler", cc, error))
    return FALSE;
  if (cxx != NULL && !check_compiler ("--cxx-compiler", cxx, error))
    return FALSE;
  if (self->system == CS_BUILD_SYSTEM_MAKE && (cc == NULL || cxx == NULL) && !ask_make (self, error))
    return FALSE;
  if (cc != NULL && cxx == NULL && g_shell_parse_argv (cc, NULL, &words, NULL))
    cxx = derived = cs_build_system_derive_cxx (words[g_strv_length (words) - 1]);
  if (cc != NULL || self->cc == NULL)
    {
      g_free (self->cc);
      self->cc = choose_compiler (cc, "CC", gcc_first ? (const char *const[]){ "gcc", "cc", "clang", NULL }
                                                      : (const char *const[]){ "cc", "gcc", "clang", NULL });
    }
  if (cxx != NULL || self->cxx == NULL)
    {
      g_free (self->cxx);
      self->cxx = choose_compiler (cxx, "CXX", gcc_first ? (const char *const[]){ "g++", "c++", "clang++", NULL }
                                                         : (const char *const[]){ "c++", "g++", "clang++", NULL });
    }
  drop_launcher (&self->cc);
  drop_launcher (&self->cxx);
  return self->cc != NULL || cs_build_fail (error, CS_BUILD_ERROR_INPUT,
                                            "there is no C compiler in PATH — install gcc, or name one with --compiler");
}

/* The launcher in front of a compiler, as one text for a shell. */
static char *
join_launcher (const Build *self, const char *compiler)
{
  static const char plain[] = "/._-+";
  g_autofree char *quoted = NULL;

  for (const char *p = self->launcher; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && strchr (plain, *p) == NULL)
      {
        quoted = g_shell_quote (self->launcher);
        break;
      }
  return g_strdup_printf ("%s %s", quoted != NULL ? quoted : self->launcher, compiler);
}

static void
set_compilers (const Build *self, char ***environment, gboolean with_launcher)
{
  g_autofree char *cc = with_launcher ? join_launcher (self, self->cc) : g_strdup (self->cc);
  g_autofree char *cxx = self->cxx == NULL ? NULL : with_launcher ? join_launcher (self, self->cxx) : g_strdup (self->cxx);

  *environment = g_environ_setenv (*environment, "CC", cc, TRUE);
  if (cxx != NULL)
    *environment = g_environ_setenv (*environment, "CXX", cxx, TRUE);
}

/* A NAME=VALUE for make: `$` stands for itself. */
static char *
make_variable (const Build *self, const char *name, const char *compiler)
{
  g_autofree char *value = join_launcher (self, compiler);
  g_auto (GStrv) parts = g_strsplit (value, "$", -1);
  g_autofree char *escaped = g_strjoinv ("$$", parts);

  return g_strdup_printf ("%s=%s", name, escaped);
}

/* A command as one would type it. */
static char *
show_command (const char *const *command)
{
  GString *line = g_string_new (NULL);

  for (; *command != NULL; command++)
    {
      g_autofree char *quoted = strpbrk (*command, " \t\n\"'$\\*?;&|<>()`#~") != NULL ? g_shell_quote (*command) : NULL;

      g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", quoted != NULL ? quoted : *command);
    }
  return g_string_free (line, FALSE);
}

static gboolean
run_tool (const Build *self, const char *const *command, const char *folder, char **environment, const char *name,
          GError **error)
{
  const CsChildOptions child = { .command = command, .folder = folder,
                                 .environment = (const char *const *) environment, .output = self->options->output,
                                 .user_data = self->options->user_data };
  g_autofree char *line = show_command (command);
  int status = 0;

  cs_build_tell (self, "%s", line);
  if (!cs_child_run (&child, &status, self->cancellable, error))
    return FALSE;
  return status == 0 || cs_build_fail (error, CS_BUILD_ERROR_FAILED, "%s failed with status %d — see the messages above",
                                       name, status);
}

static gboolean
cmake_links_through_launcher (const Build *self)
{
  const char *const command[] = { "cmake", "--version", NULL };
  g_autofree char *answer = cs_child_ask (command, NULL, NULL, self->cancellable, NULL);
  int major = 0, minor = 0;

  return answer == NULL || sscanf (answer, "cmake version %d.%d", &major, &minor) != 2 || major > CMAKE_LINK_MAJOR ||
         (major == CMAKE_LINK_MAJOR && minor >= CMAKE_LINK_MINOR);
}

/* Whether somebody says which kind of build CMake is to make. */
static gboolean
has_build_type (const Build *self)
{
  g_autofree char *path = g_build_filename (self->root, "CMakeLists.txt", NULL);
  g_autofree char *text = NULL;

  for (const char *const *p = self->options->arguments; p != NULL && *p != NULL; p++)
    if (strstr (*p, "CMAKE_BUILD_TYPE") != NULL || g_str_has_prefix (*p, "--preset"))
      return TRUE;
  return g_getenv ("CMAKE_BUILD_TYPE") != NULL ||
         (g_file_get_contents (path, &text, NULL, NULL) && strstr (text, "CMAKE_BUILD_TYPE") != NULL);
}

static void
add_arguments (const Build *self, GPtrArray *command)
{
  for (const char *const *p = self->options->arguments; p != NULL && *p != NULL; p++)
    if (!is_compiler_variable (*p))
      g_ptr_array_add (command, g_strdup (*p));
  g_ptr_array_add (command, NULL);
}

static void
add_words (GPtrArray *command, const char *const *words)
{
  for (; *words != NULL; words++)
    g_ptr_array_add (command, g_strdup (*words));
}

static gboolean
configure_cmake (const Build *self, char **environment, GError **error)
{
  static const char *const languages[] = { "C", "CXX" };
  g_autoptr (GPtrArray) command = g_ptr_array_new_with_free_func (g_free);

  add_words (command, (const char *const[]){ "cmake", "-S", self->root, "-B", self->folder, NULL });
  for (guint i = 0; i < G_N_ELEMENTS (languages); i++)
    {
      g_ptr_array_add (command, g_strdup_printf ("-DCMAKE_%s_COMPILER_LAUNCHER=%s", languages[i], self->launcher));
      g_ptr_array_add (command, g_strdup_printf ("-DCMAKE_%s_LINKER_LAUNCHER=%s", languages[i], self->launcher));
    }
  if (!has_build_type (self))
    {
      cs_build_tell (self, "the project sets no CMAKE_BUILD_TYPE: RelWithDebInfo is taken, so that reports know lines");
      g_ptr_array_add (command, g_strdup ("-DCMAKE_BUILD_TYPE=RelWithDebInfo"));
    }
  if (!cmake_links_through_launcher (self))
    cs_build_tell (self, "this CMake is older than %d.%d: it links without the runtime, which callsight-cli run lends",
                   CMAKE_LINK_MAJOR, CMAKE_LINK_MINOR);
  add_arguments (self, command);
  return run_tool (self, (const char *const *) command->pdata, self->root, environment, "cmake", error);
}

/* A value of CMake's cache: NAME:TYPE=VALUE. */
static char *
find_cached (const char *cache, const char *name)
{
  g_auto (GStrv) lines = g_strsplit (cache, "\n", -1);
  gsize length = strlen (name);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *equals = strchr (lines[i], '=');

      if (g_str_has_prefix (lines[i], name) && lines[i][length] == ':' && equals != NULL)
        return g_strdup (equals + 1);
    }
  return NULL;
}

/* A project may put a launcher of its own in place of ours, whatever the command line says. Nearly always it is ccache, which
 * can be told what to put in front of the compiler; what it has in store it doesn't compile, so it is switched off. */
static gboolean
check_launchers (Build *self, GError **error)
{
  static const char *const names[] = { "CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER" };
  g_autofree char *path = g_build_filename (self->folder, "CMakeCache.txt", NULL);
  g_autofree char *cache = NULL;
  gboolean has_ccache = FALSE;

  if (!g_file_get_contents (path, &cache, NULL, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *value = find_cached (cache, names[i]);
      g_autofree char *name = value != NULL ? g_path_get_basename (value) : NULL;

      if (value == NULL || g_str_equal (value, self->launcher))
        continue;
      if (!g_str_equal (name, "ccache"))
        return cs_build_fail (error, CS_BUILD_ERROR_FAILED, "the project sets %s itself, to %s — let it keep what is given",
                              names[i], value);
      has_ccache = TRUE;
    }
  if (!has_ccache)
    return TRUE;
  cs_build_tell (self, "the project puts ccache in front of its compilers: here it passes everything on to callsight-cc");
  self->environment = g_environ_setenv (self->environment, "CCACHE_PREFIX", self->launcher, TRUE);
  self->environment = g_environ_setenv (self->environment, "CCACHE_DISABLE", "1", TRUE);
  return TRUE;
}

static gboolean
configure_meson (const Build *self, char **environment, GError **error)
{
  g_autoptr (GPtrArray) command = g_ptr_array_new_with_free_func (g_free);

  add_words (command, (const char *const[]){ "meson", "setup", self->folder, self->root, NULL });
  add_arguments (self, command);
  return run_tool (self, (const char *const *) command->pdata, self->root, environment, "meson setup", error);
}

static gboolean
configure_autotools (const Build *self, char **environment, GError **error)
{
  g_autoptr (GPtrArray) command = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (command, g_strdup ("sh"));
  g_ptr_array_add (command, self->mirrored ? g_strdup ("./configure") : g_build_filename (self->root, "configure", NULL));
  if (is_autoconf (self))
    {
      g_ptr_array_add (command, g_strdup_printf ("CC=%s", g_environ_getenv (environment, "CC")));
      if (self->cxx != NULL)
        g_ptr_array_add (command, g_strdup_printf ("CXX=%s", g_environ_getenv (environment, "CXX")));
    }
  add_arguments (self, command);
  return run_tool (self, (const char *const *) command->pdata, self->folder, environment, "configure", error);
}

/**
 * cs_build_configure:
 * @self: a build that is not configured
 * @error: where to say what failed
 *
 * Lets the build system make its files in the build folder. What it compiles meanwhile, to see how the compiler
 * behaves, isn't logged.
 *
 * Returns: whether they are there
 */
gboolean
cs_build_configure (Build *self, GError **error)
{
  g_auto (GStrv) environment = g_environ_unsetenv (g_strdupv (self->environment), "CALLSIGHT_LOG");

  switch (self->system)
    {
    case CS_BUILD_SYSTEM_CMAKE:
      set_compilers (self, &environment, FALSE);
      return configure_cmake (self, environment, error);
    case CS_BUILD_SYSTEM_MESON:
      set_compilers (self, &environment, TRUE);
      return configure_meson (self, environment, error);
    case CS_BUILD_SYSTEM_AUTOTOOLS:
      set_compilers (self, &environment, TRUE);
      return configure_autotools (self, environment, error);
    case CS_BUILD_SYSTEM_MAKE:
    case CS_BUILD_SYSTEM_NONE:
    default:
      return TRUE;
    }
}

/**
 * cs_build_compile:
 * @self: a configured build
 * @error: where to say what failed
 *
 * Runs the build tool.
 *
 * Returns: whether it succeeded
 */
gboolean
cs_build_compile (Build *self, GError **error)
{
  g_autoptr (GPtrArray) command = g_ptr_array_new_with_free_func (g_free);
  guint jobs = self->options->jobs > 0 ? self->options->jobs : g_get_num_processors ();
  g_autofree char *number = g_strdup_printf ("%u", jobs);
  g_autofree char *option = g_strdup_printf ("-j%u", jobs);
  const char *name = get_make ();

  if (self->system == CS_BUILD_SYSTEM_CMAKE && !check_launchers (self, error))
    return FALSE;
  switch (self->system)
    {
    case CS_BUILD_SYSTEM_CMAKE:
      name = "cmake --build";
      add_words (command, (const char *const[]){ "cmake", "--build", self->folder, "-j", number, NULL });
      g_ptr_array_add (command, NULL);
      break;
    case CS_BUILD_SYSTEM_MESON:
      name = "ninja";
      add_words (command, (const char *const[]){ "ninja", "-C", self->folder, option, NULL });
      g_ptr_array_add (command, NULL);
      break;
    case CS_BUILD_SYSTEM_AUTOTOOLS:
      add_words (command, (const char *const[]){ name, option, NULL });
      g_ptr_array_add (command, NULL);
      break;
    case CS_BUILD_SYSTEM_MAKE:
    case CS_BUILD_SYSTEM_NONE:
    default:
      add_words (command, (const char *const[]){ name, option, NULL });
      g_ptr_array_add (command, make_variable (self, "CC", self->cc));
      if (self->cxx != NULL)
        g_ptr_array_add (command, make_variable (self, "CXX", self->cxx));
      add_arguments (self, command);
      break;
    }
  return run_tool (self, (const char *const *) command->pdata, self->folder, self->environment, name, error);
}

/* Adds what a file is to a text. */
static void
add_identity (GString *text, const char *folder, const char *name)
{
  g_autofree char *path = name != NULL ? g_build_filename (folder, name, NULL) : g_strdup (folder);
  struct stat st;

  if (g_stat (path, &st) == 0 && S_ISREG (st.st_mode))
    g_string_append_printf (text, "\n%s %" G_GINT64_FORMAT ".%09ld %" G_GINT64_FORMAT, name != NULL ? name : path,
                            (gint64) st.st_mtim.tv_sec, st.st_mtim.tv_nsec, (gint64) st.st_size);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The runtime that programs were linked with: its files in the order of their names. */
static void
add_runtime (GString *text, const char *folder)
{
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, "trace"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    add_identity (text, folder, names->pdata[i]);
}

/**
 * cs_build_get_fingerprint:
 * @self: a build of which the compilers are known
 *
 * Returns: (transfer full): a text that differs where a build folder must be made anew: for another compiler, launcher or
 *   runtime, and for other arguments
 */
char *
cs_build_get_fingerprint (const Build *self)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s\n%s\n%s\n%s\n%s\n%d", self->root, cs_build_system_get_name (self->system),
                          self->launcher, self->cc, self->cxx != NULL ? self->cxx : "", self->mirrored);
  for (const char *const *p = self->options->arguments; p != NULL && *p != NULL; p++)
    if (self->system != CS_BUILD_SYSTEM_MAKE || is_variable (*p))
      g_string_append_printf (text, "\n%s", *p);
  add_identity (text, self->launcher, NULL);
  add_runtime (text, self->runtime);
  return g_string_free (text, FALSE);
}
