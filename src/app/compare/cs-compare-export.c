/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/cs-save-file.h"
#include "compare/cs-compare-export.h"
#include "tables/cs-export-job.h"

/* A file that is being written. */
typedef struct
{
  CsExportJob *job;
  CsDeltaRows *rows;
  CsDiffFormat format;
} Export;

static void
export_free (Export *self)
{
  cs_delta_rows_release (self->rows);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Export, export_free)

/**
 * cs_compare_export_get_extension:
 * @format: a format
 *
 * Returns: (transfer none): what names of such files end in
 */
const char *
cs_compare_export_get_extension (CsDiffFormat format)
{
  static const char *const extensions[] = {
    [CS_DIFF_TEXT] = "diff.txt", [CS_DIFF_JSON] = "diff.json", [CS_DIFF_FOLDED] = "diff.folded", [CS_DIFF_CSV] = "diff.csv",
  };

  return extensions[format];
}

static gboolean
has_paths (CsProfile *profile)
{
  return profile != NULL && cs_profile_get_mode (profile) == CS_PROFILE_EVENTS;
}

/* Of call paths where both sides have some, otherwise of functions. */
static gboolean
write_folded (CsDeltaRows *rows, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  const CsCompareSides *sides = rows->sides;
  const CsDiffOptions options = { .fail_over = -1 };
  g_autoptr (CsReportFile) own_base = NULL;
  g_autoptr (CsReportFile) other = NULL;
  g_autoptr (CsDiff) diff = NULL;
  const CsReportFile *base = sides->base->report;

  if (!has_paths (sides->profile) || !(base->folded || has_paths (sides->base->profile)))
    return cs_diff_write (rows->diff, CS_DIFF_FOLDED, FALSE, stream, cancellable, error);
  if (!base->folded)
    {
      own_base = cs_report_file_new_folded_from_profile (sides->base->profile, base->name, cancellable, error);
      if (own_base == NULL)
        return FALSE;
      base = own_base;
    }
  other = cs_report_file_new_folded_from_profile (sides->profile, sides->report->name, cancellable, error);
  if (other == NULL)
    return FALSE;
  diff = cs_diff_new (base, other, &options, error);
  return diff != NULL && cs_diff_write (diff, CS_DIFF_FOLDED, FALSE, stream, cancellable, error);
}

static void
run_export (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Export *self = data;
  GError *error = NULL;
  g_autoptr (CsSaveFile) file = cs_save_file_open (cs_export_job_get_path (self->job), &error);
  GOutputStream *stream = file != NULL ? cs_save_file_get_stream (file) : NULL;

  if (file != NULL
      && (self->format == CS_DIFF_FOLDED ? write_folded (self->rows, stream, cancellable, &error)
                                         : cs_diff_write (self->rows->diff, self->format, FALSE, stream, cancellable, &error))
      && !g_cancellable_set_error_if_cancelled (cancellable, &error) && cs_save_file_commit (file, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Export) self = user_data;
  g_autoptr (GError) error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  cs_export_job_end (self->job, error);
}

/**
 * cs_compare_export_start:
 * @session: whose jobs it is one of, and whom the end is told
 * @rows: a comparison
 * @format: how to write it
 * @path: the file to write; it stays as it is until all is written
 *
 * Writes what callsight-cli diff does, in the background.
 */
void
cs_compare_export_start (CsSession *session, CsDeltaRows *rows, CsDiffFormat format, const char *path)
{
  g_autoptr (GTask) task = NULL;
  Export *self = g_new0 (Export, 1);

  self->job = cs_export_job_begin (session, path);
  self->rows = g_atomic_rc_box_acquire (rows);
  self->format = format;
  /* What is cancelled after it took its place isn't said to be gone. */
  task = g_task_new (NULL, cs_export_job_get_cancellable (self->job), on_written, self);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, self, NULL);
  g_task_run_in_thread (task, run_export);
}
