/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/cs-debug-file.h"

#define DEBUG_ROOT "/usr/lib/debug"

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

/**
 * cs_debug_file_find:
 * @program: a program or library without debug information of its own
 *
 * Looks for its separate debug file where GDB does: by build id under
 * `/usr/lib/debug/.build-id`, and by the name in `.gnu_debuglink` beside the
 * program, in `.debug` beside it, and under `/usr/lib/debug`.
 *
 * Returns: (nullable) (transfer full): the file, checked to belong to @program
 */
CsElf *
cs_debug_file_find (const CsElf *program)
{
  g_autofree char *real = NULL;
  g_autofree char *folder = NULL;
  CsElf *found = NULL;

  if (program->build_id != NULL && strlen (program->build_id) > 2)
    {
      g_autofree char *path = g_strdup_printf (DEBUG_ROOT "/.build-id/%.2s/%s.debug",
                                               program->build_id, program->build_id + 2);

      found = cs_debug_file_open (program, path);
    }
  if (found != NULL || program->debuglink == NULL || strchr (program->debuglink, '/') != NULL)
    return found;

  real = realpath (program->path, NULL);
  folder = g_path_get_dirname (real != NULL ? real : program->path);
  for (guint i = 0; i < 3 && found == NULL; i++)
    {
      g_autofree char *path =
        i == 0   ? g_build_filename (folder, program->debuglink, NULL)
        : i == 1 ? g_build_filename (folder, ".debug", program->debuglink, NULL)
                 : g_build_filename (DEBUG_ROOT, folder, program->debuglink, NULL);

      found = cs_debug_file_open (program, path);
    }
  return found;
}
