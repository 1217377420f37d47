/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/cs-debug-file.h"

#define DEBUG_ROOT "/usr/lib/debug"
#define BUILD_ID_FOLDER ".build-id"

/* The checksum of .gnu_debuglink: CRC-32 as in IEEE 802.3, of the whole file. */
static gboolean
get_crc (int      fd,
         guint32 *sum)
{
  static guint32 steps[256];
  static gsize once;
  guint32 crc = 0xffffffff;
  guint8 buffer[16384];
  gint64 offset = 0;
  gssize got;

  if (g_once_init_enter (&once))
    {
      for (guint32 i = 0; i < 256; i++)
        {
          guint32 step = i;

          for (int bit = 0; bit < 8; bit++)
            step = step >> 1 ^ (step & 1 ? 0xedb88320 : 0);
          steps[i] = step;
        }
      g_once_init_leave (&once, 1);
    }
  while ((got = pread (fd, buffer, sizeof buffer, offset)) > 0)
    {
      for (gssize i = 0; i < got; i++)
        crc = steps[(crc ^ buffer[i]) & 0xff] ^ crc >> 8;
      offset += got;
    }
  *sum = crc ^ 0xffffffff;
  return got == 0;
}

/**
 * cs_debug_file_open:
 * @program: a program or library without debug information of its own
 * @path: what may be its separate debug file
 *
 * It must be the program's by build id, or by checksum where the program has
 * no build id.
 *
 * Returns: (nullable) (transfer full): the file, %NULL if it isn't that
 */
CsElf *
cs_debug_file_open (const CsElf *program,
                    const char  *path)
{
  g_autoptr (CsElf) file = cs_elf_open (path, NULL);
  guint32 crc;

  if (file == NULL || !file->has_debug_info || file->header.e_machine != program->header.e_machine)
    return NULL;
  if (program->build_id != NULL && file->build_id != NULL)
    return g_str_equal (program->build_id, file->build_id) ? g_steal_pointer (&file) : NULL;
  if (program->debuglink != NULL && get_crc (file->fd, &crc) && crc == program->debuglink_crc)
    return g_steal_pointer (&file);
  return NULL;
}

/* Folders that hold debug files, in the order of the search; the first @n_named are the person's. */
static GPtrArray *
get_roots (const CsDebugPlaces *places,
           guint               *n_named)
{
  GPtrArray *roots = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; places != NULL && places->debug_dirs != NULL && i < places->debug_dirs->len; i++)
    g_ptr_array_add (roots, g_strdup (g_ptr_array_index (places->debug_dirs, i)));
  *n_named = roots->len;
  if (places != NULL && places->sysroot != NULL)
    g_ptr_array_add (roots, g_build_filename (places->sysroot, DEBUG_ROOT, NULL));
  g_ptr_array_add (roots, g_strdup (DEBUG_ROOT));
  return roots;
}

static char *
get_build_id_path (const char *root,
                   const char *build_id)
{
  g_autofree char *name = NULL;

  if (build_id == NULL || strlen (build_id) <= 2)
    return NULL;
  name = g_strdup_printf ("%.2s/%s.debug", build_id, build_id + 2);
  return g_build_filename (root, BUILD_ID_FOLDER, name, NULL);
}

static char *
get_folder (const char *path)
{
  g_autofree char *real = realpath (path, NULL);

  return g_path_get_dirname (real != NULL ? real : path);
}

/* A folder as the machine that the program ran on has it. */
static const char *
inside_sysroot (const char          *folder,
                const CsDebugPlaces *places)
{
  g_autofree char *root = places != NULL && places->sysroot != NULL ? realpath (places->sysroot, NULL) : NULL;
  gsize length = root != NULL ? strlen (root) : 0;

  if (length > 1 && strncmp (folder, root, length) == 0 && (folder[length] == '/' || folder[length] == '\0'))
    return folder + length;
  return folder;
}

/* Tries the names that a program's debug file may have in a folder. */
static CsElf *
try_names (const CsElf *program,
           const char  *root,
           const char  *folder,
           gboolean     any_name)
{
  g_autofree char *base = g_path_get_basename (program->path);
  g_autofree char *with_suffix = g_strconcat (base, ".debug", NULL);
  const char *link = program->debuglink != NULL && strchr (program->debuglink, '/') == NULL ? program->debuglink : NULL;
  const char *names[] = { link, any_name ? with_suffix : NULL, any_name ? base : NULL };
  CsElf *found = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names) && found == NULL; i++)
    if (names[i] != NULL)
      {
        g_autofree char *path = g_build_filename (root, folder, names[i], NULL);

        found = cs_debug_file_open (program, path);
      }
  return found;
}

/**
 * cs_debug_file_find:
 * @program: a program or library without debug information of its own
 * @places: (nullable): where to look besides
 *
 * Looks for its separate debug file where GDB does: by build id under
 * `/usr/lib/debug/.build-id`, and by the name in `.gnu_debuglink` beside the
 * program, in `.debug` beside it, and under `/usr/lib/debug`. The folders that
 * the person named come first: there it may lie by build id, under the program's
 * path, or by its name alone, and be called as in `.gnu_debuglink`, as the program,
 * or as the program with `.debug` behind.
 *
 * Returns: (nullable) (transfer full): the file, checked to belong to @program
 */
CsElf *
cs_debug_file_find (const CsElf         *program,
                    const CsDebugPlaces *places)
{
  guint n_named;
  g_autoptr (GPtrArray) roots = get_roots (places, &n_named);
  g_autofree char *folder = get_folder (program->path);
  const char *inside = inside_sysroot (folder, places);
  CsElf *found = NULL;

  for (guint i = 0; i < roots->len && found == NULL; i++)
    {
      const char *root = g_ptr_array_index (roots, i);
      g_autofree char *by_id = get_build_id_path (root, program->build_id);

      found = by_id != NULL ? cs_debug_file_open (program, by_id) : NULL;
      if (found == NULL && i < n_named)
        found = try_names (program, root, inside, TRUE);
      if (found == NULL && i < n_named)
        found = try_names (program, root, ".", TRUE);
    }
  if (found == NULL)
    found = try_names (program, folder, ".", FALSE);
  if (found == NULL)
    found = try_names (program, folder, ".debug", FALSE);
  for (guint i = n_named; i < roots->len && found == NULL; i++)
    found = try_names (program, g_ptr_array_index (roots, i), inside, FALSE);
  return found;
}

/**
 * cs_debug_file_find_package:
 * @program: the path of a program
 * @debug: the file that has its debug information
 * @places: (nullable): where to look besides
 *
 * Looks for the package of its `.dwo` files: `NAME.dwp` beside either file, and by its name
 * in the folders that the person named. Nothing tells yet whether it is the program's.
 *
 * Returns: (nullable) (transfer full): it
 */
CsElf *
cs_debug_file_find_package (const char          *program,
                            const CsElf         *debug,
                            const CsDebugPlaces *places)
{
  guint n_named;
  g_autoptr (GPtrArray) roots = get_roots (places, &n_named);
  g_autofree char *real = realpath (program, NULL);
  g_autofree char *base = g_path_get_basename (program);
  const char *beside[] = { program, real, debug->path };

  for (guint i = 0; i < G_N_ELEMENTS (beside) + n_named; i++)
    {
      gboolean named = i >= G_N_ELEMENTS (beside);
      const char *stem = named ? base : beside[i];
      g_autofree char *name = stem != NULL ? g_strconcat (stem, ".dwp", NULL) : NULL;
      g_autofree char *path = NULL;
      CsElf *elf;

      if (name == NULL)
        continue;
      path = named ? g_build_filename (g_ptr_array_index (roots, i - G_N_ELEMENTS (beside)), name, NULL)
                   : g_steal_pointer (&name);
      elf = cs_elf_open_part (path, NULL);
      if (elf != NULL)
        return elf;
    }
  return NULL;
}

/**
 * cs_debug_file_try_dwo:
 * @program: the path of a program
 * @comp_dir: (nullable): the folder that a unit of it was compiled in
 * @name: the name of the file that has the unit's functions
 * @places: (nullable): where to look besides
 * @take: tells whether a path has the right file
 * @user_data: for @take
 *
 * Tries where a `.dwo` file may lie: where the compiler wrote it, beside the program, and in
 * the folders that the person named.
 *
 * Returns: whether @take took one
 */
gboolean
cs_debug_file_try_dwo (const char          *program,
                       const char          *comp_dir,
                       const char          *name,
                       const CsDebugPlaces *places,
                       CsDebugFileFunc      take,
                       gpointer             user_data)
{
  guint n_named;
  g_autoptr (GPtrArray) roots = get_roots (places, &n_named);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *base = g_path_get_basename (name);
  g_autofree char *folder = get_folder (program);
  g_autofree char *built = g_path_is_absolute (name) || comp_dir == NULL ? g_strdup (name)
                                                                         : g_build_filename (comp_dir, name, NULL);

  if (g_path_is_absolute (built))
    {
      if (places != NULL && places->sysroot != NULL)
        g_ptr_array_add (paths, g_build_filename (places->sysroot, built, NULL));
      g_ptr_array_add (paths, g_strdup (built));
    }
  if (!g_path_is_absolute (name))
    g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_add (paths, g_build_filename (folder, base, NULL));
  for (guint i = 0; i < n_named; i++)
    {
      g_ptr_array_add (paths, g_build_filename (g_ptr_array_index (roots, i), built, NULL));
      g_ptr_array_add (paths, g_build_filename (g_ptr_array_index (roots, i), base, NULL));
    }
  for (guint i = 0; i < paths->len; i++)
    if (take (g_ptr_array_index (paths, i), user_data))
      return TRUE;
  return FALSE;
}

/**
 * cs_debug_file_find_shared:
 * @debug: a file with debug information
 * @places: (nullable): where to look besides
 *
 * Looks for the file into which dwz moved what @debug shares with others, by the name and
 * the build id in `.gnu_debugaltlink`.
 *
 * Returns: (nullable) (transfer full): it, checked to be the one that is meant
 */
CsElf *
cs_debug_file_find_shared (const CsElf         *debug,
                           const CsDebugPlaces *places)
{
  guint n_named;
  g_autoptr (GPtrArray) roots = get_roots (places, &n_named);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = NULL;
  g_autofree char *base = NULL;

  if (debug->shared_name == NULL)
    return NULL;
  folder = get_folder (debug->path);
  base = g_path_get_basename (debug->shared_name);
  if (!g_path_is_absolute (debug->shared_name))
    g_ptr_array_add (paths, g_build_filename (folder, debug->shared_name, NULL));
  else
    {
      if (places != NULL && places->sysroot != NULL)
        g_ptr_array_add (paths, g_build_filename (places->sysroot, debug->shared_name, NULL));
      g_ptr_array_add (paths, g_strdup (debug->shared_name));
    }
  for (guint i = 0; i < roots->len; i++)
    {
      char *by_id = get_build_id_path (g_ptr_array_index (roots, i), debug->shared_build_id);

      if (by_id != NULL)
        g_ptr_array_add (paths, by_id);
      g_ptr_array_add (paths, g_build_filename (g_ptr_array_index (roots, i), ".dwz", base, NULL));
      g_ptr_array_add (paths, g_build_filename (g_ptr_array_index (roots, i), base, NULL));
    }
  for (guint i = 0; i < paths->len; i++)
    {
      CsElf *elf = cs_elf_open_part (g_ptr_array_index (paths, i), NULL);

      if (elf != NULL && g_strcmp0 (elf->build_id, debug->shared_build_id) == 0)
        return elf;
      g_clear_pointer (&elf, cs_elf_free);
    }
  return NULL;
}
