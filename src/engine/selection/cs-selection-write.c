/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "selection/cs-implied-names.h"
#include "selection/cs-line-text.h"
#include "selection/cs-selection-private.h"

static void
append_line (GString *text, const char *key, const char *value)
{
  g_string_append (text, key);
  cs_line_text_append (text, value);
  g_string_append_c (text, '\n');
}

static void
append_config (GString *text, const char *config_path)
{
  g_autofree char *absolute = g_canonicalize_filename (config_path, NULL);
  GStatBuf st;

  if (g_stat (absolute, &st) != 0)
    memset (&st, 0, sizeof st);
  g_string_append_printf (text, "config %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " ",
                          (gint64) st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec, (gint64) st.st_size);
  append_line (text, "", absolute);
}

static void
append_head (GString *text, const CsSelection *self, const char *config_path, const CsSelectionFileOptions *options)
{
  const CsDirective *rules;
  guint headers = 0;
  gsize n_rules;

  g_string_append (text, "CALLSIGHT-SELECTION 1\n");
  append_line (text, "root ", self->root);
  if (config_path != NULL)
    append_config (text, config_path);
  if (options->runtime != NULL)
    append_line (text, "runtime ", options->runtime);
  if (options->command != NULL)
    append_line (text, "command ", options->command);
  for (gsize i = 0; options->mirrors != NULL && options->mirrors[i] != NULL; i++)
    append_line (text, "mirror ", options->mirrors[i]);
  append_line (text, "hooks ", options->after_inlining ? "after-inlining" : "before-inlining");
  append_line (text, "functions ", options->widen ? "widen" : "refuse");
  append_line (text, "inlining ", options->no_inline ? "no" : "yes");
  for (guint i = 0; i < self->files->len; i++)
    {
      gsize first, count;

      cs_function_index_get_of_file (self->index, i, &first, &count);
      headers += ((CsSourceFile *) self->files->pdata[i])->is_header && count > 0 &&
                 self->file_choices[i] != CS_FILE_NOT_CHOSEN;
    }
  g_string_append_printf (text, "headers %u\n", headers);
  rules = cs_trace_config_get_directives (self->config, &n_rules);
  for (gsize i = 0; i < n_rules; i++)
    if (rules[i].kind == CS_DIRECTIVE_EXCLUDE_FUNC)
      {
        g_autofree char *printed = cs_selection_dup_printed (rules[i].value);

        append_line (text, "exclude-func ", printed);
      }
}

/* A function with parameters of its own has their arguments behind its name. */
static void
append_function (GString *text, const char *key, const char *printed, gboolean is_template)
{
  g_autofree char *name = is_template ? g_strconcat (printed, "<>", NULL) : NULL;

  append_line (text, key, name != NULL ? name : printed);
}

/* What takes a conversion of which it isn't known how gcc prints its type: all of its class. */
static void
append_conversions (GString *text, const CsSourceFunction *function)
{
  const CsSourceFunction any = { .name = "operator ", .scope = function->scope, .flags = function->flags };
  g_autoptr (GPtrArray) printed = g_ptr_array_new_with_free_func (g_free);

  cs_selection_append_variants (printed, &any);
  for (guint i = 0; i < printed->len; i++)
    append_line (text, "\t-", printed->pdata[i]);
}

static void
append_file (GString *text, const CsSelection *self, guint file, GPtrArray *printed)
{
  const CsSourceFile *source = self->files->pdata[file];
  CsFileChoice choice = (CsFileChoice) self->file_choices[file];
  const CsSourceFunction *functions;
  gsize first, count, total;

  g_string_append_printf (text, "%c %" G_GINT64_FORMAT " %" G_GUINT64_FORMAT " ",
                          choice == CS_FILE_CHOSEN ? '+' : choice == CS_FILE_PARTLY_CHOSEN ? '%' : '-',
                          source->mtime_ns, source->size);
  append_line (text, "", source->path);
  if (choice == CS_FILE_NOT_CHOSEN && !source->is_header)
    return;
  functions = cs_function_index_get_functions (self->index, &total);
  cs_function_index_get_of_file (self->index, file, &first, &count);
  for (gsize i = first; i < first + count; i++)
    {
      const char *choice_key = (self->functions[i] & SELECTION_CHOSEN) != 0 ? "\t+" : "\t-";

      g_ptr_array_set_size (printed, 0);
      cs_selection_append_variants (printed, &functions[i]);
      for (guint k = 0; k < printed->len; k++)
        append_function (text, choice_key, printed->pdata[k], (functions[i].flags & CS_FUNCTION_TEMPLATE) != 0);
      if (choice == CS_FILE_PARTLY_CHOSEN && (self->functions[i] & SELECTION_CHOSEN) == 0 &&
          cs_selection_is_conversion (&functions[i]))
        append_conversions (text, &functions[i]);
    }
  if (choice == CS_FILE_PARTLY_CHOSEN)
    {
      g_autoptr (GPtrArray) implied = cs_implied_names (self->index, file);

      for (guint i = 0; i < implied->len; i++)
        append_line (text, "\t-", implied->pdata[i]);
    }
}

static int
compare_paths (gconstpointer a, gconstpointer b, gpointer files)
{
  const CsSourceFile *left = ((GPtrArray *) files)->pdata[*(const guint *) a];
  const CsSourceFile *right = ((GPtrArray *) files)->pdata[*(const guint *) b];

  return strcmp (left->path, right->path);
}

static void
append_files (GString *text, const CsSelection *self)
{
  g_autofree guint *order = g_new (guint, self->files->len + 1);
  g_autoptr (GPtrArray) printed = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < self->files->len; i++)
    order[i] = i;
  g_qsort_with_data (order, (int) self->files->len, sizeof *order, compare_paths, self->files);
  g_string_append (text, "files\n");
  for (guint i = 0; i < self->files->len; i++)
    append_file (text, self, order[i], printed);
}

static gboolean
is_content (const char *path, const GString *text)
{
  g_autofree char *content = NULL;
  GStatBuf st;
  gsize length;

  return g_stat (path, &st) == 0 && (gsize) st.st_size == text->len &&
         g_file_get_contents (path, &content, &length, NULL) && length == text->len &&
         memcmp (content, text->str, length) == 0;
}

/**
 * cs_selection_write:
 * @self: a selection with an index
 * @config_path: (nullable): the file that its config was read from
 * @path: the file to write; folders that are missing are made
 * @options: what the file says besides
 * @error: where to say why it can't be written
 *
 * Writes the selection file of docs/formats.md, which the compiler launcher reads. A new file is put into its place
 * when it is whole; one that says the same already stays as it is, so that nothing is built again for it.
 *
 * Returns: whether the file is there
 */
gboolean
cs_selection_write (const CsSelection *self, const char *config_path, const char *path,
                    const CsSelectionFileOptions *options, GError **error)
{
  g_autoptr (GString) text = NULL;
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) local = NULL;

  g_return_val_if_fail (self->index != NULL, FALSE);
  text = g_string_sized_new (64 * (self->counts.functions + self->files->len) + 4096);
  append_head (text, self, config_path, options);
  append_files (text, self);
  if (is_content (path, text))
    return TRUE;
  if (g_mkdir_with_parents (folder, 0777) != 0)
    {
      g_set_error (error, CS_SELECTION_ERROR, CS_SELECTION_ERROR_FILE,
                   "%s: the folder can't be made (%s) — name another file", folder, g_strerror (errno));
      return FALSE;
    }
  if (g_file_set_contents_full (path, text->str, (gssize) text->len, G_FILE_SET_CONTENTS_CONSISTENT, 0666, &local))
    return TRUE;
  g_set_error (error, CS_SELECTION_ERROR, CS_SELECTION_ERROR_FILE, "%s: can't be written (%s) — name another file",
               path, local->message);
  return FALSE;
}
