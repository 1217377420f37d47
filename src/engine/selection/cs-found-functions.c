/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "selection/cs-scan-run.h"

struct _CsFoundFunctions
{
  gatomicrefcount references;
  GPtrArray *scans;            /* (element-type CsScanFile): they hold the texts */
  CsSourceFunction *functions; /* of all files */
  CsFoundFile *files;
  guint n_files;
};

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;

  return x < y ? -1 : x > y;
}

/**
 * cs_found_functions_new:
 * @scans: what was found, by file
 * @files: (array length=n_files): numbers of files that are scanned; they are sorted
 * @n_files: how many
 *
 * Returns: (transfer full): their functions
 */
CsFoundFunctions *
cs_found_functions_new (CsScanFile *const *scans, guint *files, guint n_files)
{
  CsFoundFunctions *self = g_new0 (CsFoundFunctions, 1);
  gsize n = 0;

  g_atomic_ref_count_init (&self->references);
  self->scans = g_ptr_array_new_full (n_files, (GDestroyNotify) cs_scan_file_free);
  self->files = g_new (CsFoundFile, n_files);
  self->n_files = n_files;
  qsort (files, n_files, sizeof *files, compare_numbers);
  for (guint i = 0; i < n_files; i++)
    n += scans[files[i]]->entries->len;
  self->functions = g_new (CsSourceFunction, MAX (n, 1));
  n = 0;
  for (guint i = 0; i < n_files; i++)
    {
      CsScanFile *scan = scans[files[i]];

      g_ptr_array_add (self->scans, cs_scan_file_ref (scan));
      cs_scan_file_list (scan, files[i], self->functions + n);
      self->files[i] = (CsFoundFile){ files[i], scan->entries->len, self->functions + n };
      n += scan->entries->len;
    }
  return self;
}

/**
 * cs_found_functions_ref:
 * @self: functions
 *
 * Returns: (transfer full): them, once more
 */
CsFoundFunctions *
cs_found_functions_ref (CsFoundFunctions *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * cs_found_functions_unref:
 * @self: (transfer full): functions
 */
void
cs_found_functions_unref (CsFoundFunctions *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_ptr_array_unref (self->scans);
  g_free (self->functions);
  g_free (self->files);
  g_free (self);
}

/**
 * cs_found_functions_get_files:
 * @self: functions
 * @count: (out): of how many files
 *
 * Returns: (array length=count) (transfer none): the files, by their numbers
 */
const CsFoundFile *
cs_found_functions_get_files (const CsFoundFunctions *self, gsize *count)
{
  *count = self->n_files;
  return self->files;
}
