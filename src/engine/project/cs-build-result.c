/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <elf.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/cs-io.h"
#include "project/cs-build-log.h"
#include "project/cs-build-private.h"
#include "selection/cs-selection-file.h"
#include "symbols/cs-hooks.h"

static gboolean
is_below (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  return strncmp (path, folder, length) == 0 && path[length] == '/';
}

/* Whether a file lies in the build folder, also where links are on the way to it. */
static gboolean
lies_in (const Build *self, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  char *real = realpath (folder, NULL);
  gboolean inside = real != NULL && (g_str_equal (real, self->folder) || is_below (real, self->folder));

  free (real);
  return inside;
}

/* A source's path as the selection has it; NULL where it lies elsewhere. */
static const char *
get_relative (const Build *self, const char *path)
{
  if (self->mirrored && is_below (path, self->folder))
    return path + strlen (self->folder) + 1;
  return is_below (path, self->root) ? path + strlen (self->root) + 1 : NULL;
}

static void
remove_twin (const char *folder, const char *stem)
{
  g_autofree char *path = g_strdup_printf ("%s/%s.lo", folder, stem);

  g_unlink (path);
}

/* Removes an object, and what tells libtool that it is there. */
static gboolean
remove_object (const char *object)
{
  g_autofree char *folder = g_path_get_dirname (object);
  g_autofree char *parent = g_path_get_dirname (folder);
  g_autofree char *stem = g_path_get_basename (object);
  char *dot = strrchr (stem, '.');

  if (g_unlink (object) != 0)
    return FALSE;
  if (dot != NULL)
    *dot = '\0';
  remove_twin (g_str_has_suffix (folder, "/.libs") ? parent : folder, stem);
  return TRUE;
}

/* Removes the objects of sources of which the selection has changed, so that the build tool makes them again. Makefiles
 * that know a library's sources and not its objects are told by the time of the copied source. */
static gboolean
remove_objects (Build *self, GPtrArray *changed, gboolean all, GError **error)
{
  g_autoptr (GHashTable) paths = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *path = g_build_filename (self->own, "log", NULL);
  g_autoptr (CsBuildLog) log = cs_build_log_load (path, error);
  guint removed = 0, outside = 0;

  if (log == NULL)
    return FALSE;
  for (guint i = 0; i < changed->len; i++)
    g_hash_table_add (paths, changed->pdata[i]);
  for (guint i = 0; i < log->units->len; i++)
    {
      const CsBuildUnit *unit = log->units->pdata[i];
      const char *relative = get_relative (self, unit->source);

      if (!all && (relative == NULL || !g_hash_table_contains (paths, relative)))
        continue;
      if (lies_in (self, unit->object))
        removed += remove_object (unit->object);
      else
        outside += g_file_test (unit->object, G_FILE_TEST_EXISTS);
      if (self->mirrored && is_below (unit->source, self->folder))
        utimensat (AT_FDCWD, unit->source, NULL, 0);
    }
  if (removed > 0)
    cs_build_tell (self, "the selection has changed: %u object%s made again", removed, removed == 1 ? " is" : "s are");
  if (outside > 0)
    cs_build_tell (self, outside == 1 ? "%u object lies outside %s and stays as it is — remove it by hand"
                                      : "%u objects lie outside %s and stay as they are — remove them by hand",
                   outside, self->folder);
  return TRUE;
}

/**
 * cs_build_update_selection:
 * @self: a build
 * @error: where to say what can't be read or written
 *
 * Writes the selection into the build folder. Where there was another one, what was made with it is made again.
 *
 * Returns: whether it is there
 */
gboolean
cs_build_update_selection (Build *self, GError **error)
{
  const CsBuildOptions *options = self->options;
  const char *const mirrors[] = { self->mirrored ? self->folder : NULL, NULL };
  const CsSelectionFileOptions head = { .after_inlining = options->after_inlining, .widen = options->widen,
                                        .no_inline = options->no_inline, .runtime = self->runtime,
                                        .command = options->command, .mirrors = mirrors };
  g_autofree char *path = g_build_filename (self->own, "selection", NULL);
  g_autofree char *new_path = g_strconcat (path, ".new", NULL);
  g_autofree char *log = g_build_filename (self->own, "log", NULL);
  g_autoptr (CsSelectionFile) before = NULL;
  g_autoptr (CsSelectionFile) after = NULL;

  if (!cs_build_log_shorten (log, error) ||
      !cs_selection_write (options->selection, options->config_path, new_path, &head, error))
    return FALSE;
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_autoptr (GPtrArray) changed = g_ptr_array_new ();
      gboolean all = TRUE;

      after = cs_selection_file_load (new_path, error);
      if (after == NULL)
        return FALSE;
      before = cs_selection_file_load (path, NULL);
      if (before != NULL)
        {
          g_ptr_array_unref (changed);
          changed = cs_selection_file_compare (before, after, &all);
        }
      if (!remove_objects (self, changed, all, error))
        return FALSE;
    }
  return g_rename (new_path, path) == 0 || cs_build_fail (error, CS_BUILD_ERROR_FAILED, "%s: can't be written", path);
}

typedef enum
{
  OUTPUT_GONE, /* or no ELF file */
  OUTPUT_PROGRAM,
  OUTPUT_LIBRARY,
} OutputKind;

static OutputKind
get_output_kind (const char *path)
{
  guint8 head[EI_NIDENT + 2];
  cs_autofd fd = open (path, O_RDONLY | O_CLOEXEC);
  g_autofree char *loader = NULL;
  guint type;

  if (fd < 0 || cs_pread_full (fd, head, sizeof head, 0) != sizeof head || memcmp (head, ELFMAG, SELFMAG) != 0)
    return OUTPUT_GONE;
  type = head[EI_DATA] == ELFDATA2MSB ? (guint) head[EI_NIDENT] << 8 | head[EI_NIDENT + 1]
                                      : (guint) head[EI_NIDENT + 1] << 8 | head[EI_NIDENT];
  if (type == ET_EXEC)
    return OUTPUT_PROGRAM;
  if (type != ET_DYN)
    return OUTPUT_GONE;
  loader = cs_hooks_find_loader (path);
  return loader != NULL ? OUTPUT_PROGRAM : OUTPUT_LIBRARY;
}

/* What a person runs: libtool keeps programs in .libs/ and puts a script in their place. */
static char *
get_runnable (const char *program)
{
  g_autofree char *folder = g_path_get_dirname (program);
  g_autofree char *name = g_path_get_basename (program);
  g_autofree char *parent = g_path_get_dirname (folder);
  g_autofree char *script = g_build_filename (parent, g_str_has_prefix (name, "lt-") ? name + 3 : name, NULL);

  if (g_str_has_suffix (folder, "/.libs") && g_file_test (script, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&script);
  return g_strdup (program);
}

static void
note_place (const Build *self, CsBuildResult *result, const char *path)
{
  if (lies_in (self, path) || result->outside++ > 0)
    return;
  result->outside_example = g_strdup (path);
}

static void
take_link (const Build *self, CsBuildResult *result, const CsBuildLink *link)
{
  OutputKind kind = get_output_kind (link->output);

  if (kind != OUTPUT_GONE)
    note_place (self, result, link->output);
  if (kind == OUTPUT_LIBRARY)
    result->libraries += cs_hooks_find (link->output) == CS_HOOKS_WITHOUT_RUNTIME;
  else if (kind == OUTPUT_PROGRAM && link->kind == CS_BUILD_LINK_WITH_RUNTIME)
    g_ptr_array_add (result->programs, get_runnable (link->output));
  else if (kind == OUTPUT_PROGRAM && link->kind == CS_BUILD_LINK_WITHOUT_RUNTIME)
    g_ptr_array_add (result->without_runtime, g_strdup (link->output));
  else if (kind == OUTPUT_PROGRAM)
    result->programs_plain++;
}

/* Compares hooks with the selection, and keeps that for reports. */
static gboolean
check_hooks (Build *self, CsBuildResult *result, const char *log, GError **error)
{
  g_autofree char *selection = g_build_filename (self->own, "selection", NULL);
  g_autofree char *path = g_build_filename (self->own, "hooks", NULL);
  g_autoptr (GError) local = NULL;

  result->hooks = cs_hook_check_new (log, selection, self->cancellable, &local);
  if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (result->hooks == NULL)
    g_unlink (path); /* it is of another build */
  return result->hooks == NULL || cs_hook_check_save (result->hooks, path, error);
}

/**
 * cs_build_read_result:
 * @self: a build that has ended
 * @error: where to say what it lacks
 *
 * Reads from the launcher's log what was made. What isn't there any more doesn't count.
 *
 * Returns: (transfer full) (nullable): what was made
 */
CsBuildResult *
cs_build_read_result (Build *self, GError **error)
{
  g_autofree char *path = g_build_filename (self->own, "log", NULL);
  g_autoptr (CsBuildLog) log = cs_build_log_load (path, error);
  g_autoptr (CsBuildResult) result = g_new0 (CsBuildResult, 1);
  g_autoptr (GHashTable) sources = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) hooked = g_hash_table_new (g_str_hash, g_str_equal);

  result->folder = g_strdup (self->folder);
  result->programs = g_ptr_array_new_with_free_func (g_free);
  result->without_runtime = g_ptr_array_new_with_free_func (g_free);
  if (log == NULL)
    return NULL;
  for (guint i = 0; i < log->units->len; i++)
    {
      const CsBuildUnit *unit = log->units->pdata[i];

      if (!g_file_test (unit->object, G_FILE_TEST_EXISTS) || !g_file_test (unit->source, G_FILE_TEST_EXISTS))
        continue;
      g_hash_table_add (sources, unit->source);
      note_place (self, result, unit->object);
      if (unit->hash != 0)
        g_hash_table_add (hooked, unit->source);
    }
  result->units = g_hash_table_size (sources);
  result->units_hooked = g_hash_table_size (hooked);
  for (guint i = 0; i < log->links->len; i++)
    take_link (self, result, log->links->pdata[i]);
  if (result->units == 0)
    {
      cs_build_fail (error, CS_BUILD_ERROR_FAILED,
                     "%s: nothing was compiled through callsight-cc: the build starts compilers in a way of its own, or its "
                     "compiles failed, see above — put the launcher in front of them by hand: callsight-cc gcc …, or "
                     "begin anew with --clean if callsight/log was removed there", self->folder);
      return NULL;
    }
  return check_hooks (self, result, path, error) ? g_steal_pointer (&result) : NULL;
}
