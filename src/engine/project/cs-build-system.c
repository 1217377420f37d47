/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "project/cs-build-system.h"

static const char *const names[] = {
  [CS_BUILD_SYSTEM_NONE] = "none",         [CS_BUILD_SYSTEM_MAKE] = "make",
  [CS_BUILD_SYSTEM_CMAKE] = "cmake",       [CS_BUILD_SYSTEM_MESON] = "meson",
  [CS_BUILD_SYSTEM_AUTOTOOLS] = "autotools",
};

static gboolean
has_file (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

/* Whether a Makefile was written by cmake or configure rather than a person. */
static gboolean
is_generated (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = NULL;
  g_autofree char *head = NULL;
  gsize length = 0;

  if (has_file (folder, "Makefile.in") || has_file (folder, "Makefile.am"))
    return TRUE;
  if (!g_file_get_contents (path, &text, &length, NULL))
    return FALSE;
  head = g_strndup (text, MIN (length, 400));
  return strstr (head, "CMAKE generated file") != NULL || strstr (head, "enerated by automake") != NULL ||
         strstr (head, "enerated automatically by configure") != NULL ||
         strstr (head, "enerated from Makefile.in by configure") != NULL;
}

static void
add (CsBuildSystems *found, CsBuildSystem system, const char *file)
{
  for (guint i = 0; i < found->count; i++)
    if (found->systems[i] == system)
      return;
  found->systems[found->count] = system;
  found->files[found->count++] = file;
}

/**
 * cs_build_systems_find:
 * @folder: a project's folder
 * @found: (out): the build systems it has files of; a Makefile that was generated doesn't count
 *
 * Looks for what builds a project. What the files say isn't read.
 */
void
cs_build_systems_find (const char *folder, CsBuildSystems *found)
{
  static const char *const makefiles[] = { "GNUmakefile", "makefile", "Makefile" };

  memset (found, 0, sizeof *found);
  if (has_file (folder, "CMakeLists.txt"))
    add (found, CS_BUILD_SYSTEM_CMAKE, "CMakeLists.txt");
  if (has_file (folder, "meson.build"))
    add (found, CS_BUILD_SYSTEM_MESON, "meson.build");
  if (has_file (folder, "configure"))
    add (found, CS_BUILD_SYSTEM_AUTOTOOLS, "configure");
  else if (has_file (folder, "configure.ac"))
    add (found, CS_BUILD_SYSTEM_AUTOTOOLS, "configure.ac");
  for (guint i = 0; i < G_N_ELEMENTS (makefiles); i++)
    if (has_file (folder, makefiles[i]) && !is_generated (folder, makefiles[i]))
      add (found, CS_BUILD_SYSTEM_MAKE, makefiles[i]);
}

/**
 * cs_build_systems_has:
 * @self: what was found
 * @system: a build system
 *
 * Returns: whether it is among them
 */
gboolean
cs_build_systems_has (const CsBuildSystems *self, CsBuildSystem system)
{
  for (guint i = 0; i < self->count; i++)
    if (self->systems[i] == system)
      return TRUE;
  return FALSE;
}

/**
 * cs_build_systems_describe:
 * @self: more than one build system
 * @option: the option that chooses one, `--system`
 *
 * Returns: (transfer full): a part of a sentence that says which there are and how to choose
 */
char *
cs_build_systems_describe (const CsBuildSystems *self, const char *option)
{
  GString *text = g_string_new ("has ");

  for (guint i = 0; i < self->count; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : i + 1 < self->count ? ", " : " and ", self->files[i]);
  g_string_append (text, " — choose with ");
  for (guint i = 0; i < self->count; i++)
    g_string_append_printf (text, "%s%s %s", i == 0 ? "" : " or ", option, names[self->systems[i]]);
  return g_string_free (text, FALSE);
}

/**
 * cs_build_system_from_name:
 * @name: `make`, `cmake`, `meson`, `autotools` or `none`
 * @system: (out): the build system
 *
 * Returns: whether there is one of that name
 */
gboolean
cs_build_system_from_name (const char *name, CsBuildSystem *system)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i], name))
      {
        *system = (CsBuildSystem) i;
        return TRUE;
      }
  return FALSE;
}

/**
 * cs_build_system_get_name:
 * @system: a build system
 *
 * Returns: (transfer none): its name, as in options
 */
const char *
cs_build_system_get_name (CsBuildSystem system)
{
  return names[system];
}

/* The last place of @word in a file name where it is a word of its own. */
static char *
find_word (char *name, const char *word)
{
  for (char *p = g_strrstr (name, word); p != NULL; p = g_strrstr_len (name, p - name, word))
    {
      char after = p[strlen (word)];

      if ((p == name || !g_ascii_isalnum (p[-1])) && !g_ascii_isalnum (after))
        return p;
    }
  return NULL;
}

/**
 * cs_build_system_derive_cxx:
 * @compiler: a C compiler: `gcc-12`, `/opt/x/bin/arm-linux-gnueabihf-gcc`
 *
 * Returns: (transfer full) (nullable): the C++ compiler of the same set, if its name tells and it is installed
 */
char *
cs_build_system_derive_cxx (const char *compiler)
{
  static const char *const pairs[][2] = { { "clang", "clang++" }, { "gcc", "g++" }, { "cc", "c++" } };
  g_autofree char *base = g_path_get_basename (compiler);

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      char *word = find_word (base, pairs[i][0]);
      g_autofree char *name = NULL;
      g_autofree char *found = NULL;

      if (word == NULL)
        continue;
      name = g_strdup_printf ("%.*s%.*s%s%s", (int) (strlen (compiler) - strlen (base)), compiler, (int) (word - base),
                              base, pairs[i][1], word + strlen (pairs[i][0]));
      found = g_find_program_in_path (name);
      return found != NULL ? g_steal_pointer (&name) : NULL;
    }
  return NULL;
}
