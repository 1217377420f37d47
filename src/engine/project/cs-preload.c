/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "project/cs-preload.h"
#include "symbols/cs-hooks.h"

#define RUNTIME_LIBRARY "libcallsight-runtime.so"

/**
 * cs_preload_find_library:
 *
 * Returns: (transfer full) (nullable): the runtime as a library: where it is installed, or in
 *   the folder that this program was built in
 */
char *
cs_preload_find_library (void)
{
  g_autofree char *installed = g_build_filename (CS_LIBDIR, RUNTIME_LIBRARY, NULL);
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = self != NULL ? g_path_get_dirname (self) : NULL;
  g_autofree char *relative = folder != NULL ? g_build_filename (folder, "../../runtime", RUNTIME_LIBRARY, NULL) : NULL;
  g_autofree char *built = relative != NULL ? g_canonicalize_filename (relative, NULL) : NULL;

  if (built != NULL && g_file_test (built, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&built);
  if (g_file_test (installed, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&installed);
  return NULL;
}

/* The loader's list of what it would load for a program, itself, a line each:
 * `name => path (address)` or `path (address)`. Nothing of the program is run. */
static char *
list_libraries (const char *loader, const char *binary)
{
  g_autofree char *path = g_canonicalize_filename (binary, NULL);
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *list = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL, loader,
                              "--list", path, NULL);
  if (process == NULL || !g_subprocess_communicate_utf8 (process, NULL, NULL, &list, NULL, NULL))
    return NULL;
  return g_steal_pointer (&list);
}

/* The path in a line of that list. */
static char *
take_path (const char *line)
{
  const char *start = strchr (line, '/');
  const char *end = strrchr (line, '(');

  if (start == NULL || end == NULL || end <= start)
    return NULL;
  return g_strchomp (g_strndup (start, (gsize) (end - start)));
}

/* libc's own hooks do nothing. */
static gboolean
is_libc (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  return g_str_has_prefix (name, "libc.") || g_str_has_prefix (name, "libc-") || g_str_has_prefix (name, "ld-musl");
}

/**
 * cs_preload_is_needed:
 * @binary: a program
 *
 * Looks at the program, and where it holds no hooks at the libraries that its loader finds for
 * it. What it loads later can't be known.
 *
 * Returns: whether there are hooks, and nobody but libc defines them
 */
gboolean
cs_preload_is_needed (const char *binary)
{
  CsHooks own = cs_hooks_find (binary);
  g_autofree char *loader = own == CS_HOOKS_NONE ? cs_hooks_find_loader (binary) : NULL;
  g_autofree char *list = loader != NULL ? list_libraries (loader, binary) : NULL;
  g_auto (GStrv) lines = g_strsplit (list != NULL ? list : "", "\n", -1);
  gboolean needed = own == CS_HOOKS_WITHOUT_RUNTIME;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *path = take_path (lines[i]);
      CsHooks hooks = path != NULL && !is_libc (path) ? cs_hooks_find (path) : CS_HOOKS_UNKNOWN;

      if (hooks == CS_HOOKS_WITH_RUNTIME)
        return FALSE;
      needed |= hooks == CS_HOOKS_WITHOUT_RUNTIME;
    }
  return needed;
}
