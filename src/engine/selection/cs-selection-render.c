/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-selection-render.h"

/* How many files of a folder define functions, and of how many of them all are wanted. */
typedef struct
{
  guint files, wanted;
} Folder;

typedef struct
{
  CsFunctionIndex *index;
  const guint8 *wanted;  /* a byte a function */
  GHashTable *folders;   /* path, "" for the root → Folder */
  CsTraceConfig *config;
  GPtrArray *warnings;
} Render;

static CsFileChoice
get_wanted (const Render *self, guint file)
{
  gsize first, count, n = 0;

  cs_function_index_get_of_file (self->index, file, &first, &count);
  for (gsize i = first; i < first + count; i++)
    n += self->wanted[i] != 0;
  return n == 0 ? CS_FILE_NOT_CHOSEN : n < count ? CS_FILE_PARTLY_CHOSEN : CS_FILE_CHOSEN;
}

static gboolean
has_functions (const Render *self, guint file)
{
  gsize first, count;

  cs_function_index_get_of_file (self->index, file, &first, &count);
  return count > 0;
}

static const char *
get_path (const Render *self, guint file)
{
  return ((CsSourceFile *) cs_function_index_get_files (self->index)->pdata[file])->path;
}

static void
count_folders (Render *self)
{
  GPtrArray *files = cs_function_index_get_files (self->index);

  for (guint i = 0; i < files->len; i++)
    {
      g_autofree char *folder = g_strdup (get_path (self, i));

      if (!has_functions (self, i))
        continue;
      for (gboolean more = TRUE; more;)
        {
          char *slash = strrchr (folder, '/');
          Folder *counts;

          if (slash != NULL)
            *slash = '\0';
          else
            *folder = '\0';
          more = *folder != '\0';
          counts = g_hash_table_lookup (self->folders, folder);
          if (counts == NULL)
            g_hash_table_insert (self->folders, g_strdup (folder), counts = g_new0 (Folder, 1));
          counts->files++;
          counts->wanted += get_wanted (self, i) == CS_FILE_CHOSEN;
        }
    }
}

static gboolean
is_whole (const Render *self, const char *folder)
{
  const Folder *counts = g_hash_table_lookup (self->folders, folder);

  return counts != NULL && counts->files == counts->wanted;
}

static void
add_line (Render *self, CsDirectiveKind kind, const char *value, int depth)
{
  const CsDirective *lines;
  g_autoptr (GError) error = NULL;
  gsize count;

  lines = cs_trace_config_get_directives (self->config, &count);
  for (gsize i = 0; i < count; i++)
    if (lines[i].kind == kind && g_str_equal (lines[i].value, value))
      return;
  if (!cs_trace_config_add (self->config, kind, value, depth, &error))
    g_ptr_array_add (self->warnings, g_strdup (error->message));
}

/* The file, or the outermost folder of which everything is wanted. */
static void
add_whole_file (Render *self, guint file)
{
  const char *path = get_path (self, file);
  gsize length = strlen (path);
  gboolean is_folder = FALSE;
  g_autofree char *pattern = NULL;

  for (const char *slash = strchr (path, '/'); slash != NULL && !is_folder; slash = strchr (slash + 1, '/'))
    {
      g_autofree char *folder = g_strndup (path, (gsize) (slash - path));

      if (is_whole (self, folder))
        {
          length = (gsize) (slash - path);
          is_folder = TRUE;
        }
    }
  pattern = cs_pattern_escape (path, length, is_folder);
  add_line (self, CS_DIRECTIVE_INCLUDE, pattern, 0);
}

static void
add_functions (Render *self, guint file)
{
  const CsSourceFunction *functions;
  gsize first, count, total;

  functions = cs_function_index_get_functions (self->index, &total);
  cs_function_index_get_of_file (self->index, file, &first, &count);
  for (gsize i = first; i < first + count; i++)
    if (self->wanted[i] != 0)
      {
        g_autofree char *name = cs_function_dup_qualified_name (&functions[i]);

        add_line (self, CS_DIRECTIVE_INCLUDE_FUNC, name, 0);
      }
}

/* A pattern matches a path's end, too, and a name each function that has it: files that nothing is wanted of are taken
 * out again, and what else differs is told. */
static gboolean
correct (Render *self, GError **error)
{
  g_autoptr (CsSelection) before = cs_selection_new (self->config, self->index, NULL, error);
  g_autoptr (CsSelection) after = NULL;
  const CsSourceFunction *functions;
  gsize total;

  if (before == NULL)
    return FALSE;
  for (guint i = 0; i < cs_function_index_get_files (self->index)->len; i++)
    if (has_functions (self, i) && cs_selection_get_file (before, i) != CS_FILE_NOT_CHOSEN &&
        get_wanted (self, i) == CS_FILE_NOT_CHOSEN)
      {
        g_autofree char *pattern = cs_pattern_escape (get_path (self, i), strlen (get_path (self, i)), FALSE);

        add_line (self, CS_DIRECTIVE_EXCLUDE, pattern, 0);
      }
  after = cs_selection_new (self->config, self->index, NULL, error);
  if (after == NULL)
    return FALSE;
  functions = cs_function_index_get_functions (self->index, &total);
  for (gsize i = 0; i < total; i++)
    if (cs_selection_has_function (after, (guint32) i) != (self->wanted[i] != 0))
      {
        g_autofree char *name = cs_function_dup_qualified_name (&functions[i]);

        g_ptr_array_add (self->warnings,
                         g_strdup_printf ("%s of %s is %s: no rule tells it from others", name,
                                          get_path (self, functions[i].file),
                                          self->wanted[i] != 0 ? "left out" : "chosen, too"));
      }
  return TRUE;
}

/**
 * cs_selection_render:
 * @index: the functions of the sources
 * @wanted: (array): a byte a function of @index, not 0 if it is to be chosen
 * @warnings: (element-type utf8): where to add what the config chooses otherwise, because rules can't tell it apart
 * @error: where to say what is wrong
 *
 * Writes a trace.config that chooses what is wanted: folders and files of which all is, by include lines, outermost
 * folders first; of other files each function, by an include-func line without what it calls. With everything wanted
 * it has no line. The config is tried: what it would choose besides is excluded where that can be said.
 *
 * Returns: (transfer full) (nullable): a config
 */
CsTraceConfig *
cs_selection_render (CsFunctionIndex *index, const guint8 *wanted, GPtrArray *warnings, GError **error)
{
  g_autoptr (CsTraceConfig) config = cs_trace_config_new ();
  g_autoptr (GHashTable) folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  Render self = { index, wanted, folders, config, warnings };
  GPtrArray *files = cs_function_index_get_files (index);
  gboolean any = FALSE;

  count_folders (&self);
  if (g_hash_table_size (folders) == 0 || is_whole (&self, ""))
    return g_steal_pointer (&config);
  for (guint i = 0; i < files->len; i++)
    {
      CsFileChoice choice = get_wanted (&self, i);

      if (choice == CS_FILE_CHOSEN)
        add_whole_file (&self, i);
      else if (choice == CS_FILE_PARTLY_CHOSEN)
        add_functions (&self, i);
      any |= choice != CS_FILE_NOT_CHOSEN;
    }
  /* Without an include line everything would be chosen. */
  if (!any)
    add_line (&self, CS_DIRECTIVE_EXCLUDE, "**", 0);
  if (!correct (&self, error))
    return NULL;
  return g_steal_pointer (&config);
}
