/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/cs-report-reader.h"
#include "report/cs-report.h"
#include "test-recording.h"

/* Nested calls of which some are open, repaired or unmatched. */
static CsProfile *
make_profile (gboolean faults)
{
  GByteArray *bytes = test_recording_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (faults);
  guint64 stack[20], ns = 1;
  guint depth = 0;
  g_autofree char *folder = NULL;
  g_autoptr (CsRecording) recording = NULL;
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  const CsProfileOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  CsProfile *profile;

  for (guint i = 0; i < 3000; i++)
    {
      ns += (guint64) g_rand_int_range (rand, 0, 1000000);
      if (depth < G_N_ELEMENTS (stack) && (depth == 0 || g_rand_boolean (rand)))
        {
          stack[depth] = 0x1000 + 16 * (guint64) g_rand_int_range (rand, 0, 30);
          test_recording_add (bytes, ns, stack[depth++], TRACE_KIND_ENTER);
        }
      else if (faults && g_rand_int_range (rand, 0, 10) == 0)
        test_recording_add (bytes, ns, 0x1000 + 16 * (guint64) g_rand_int_range (rand, 0, 40), TRACE_KIND_EXIT);
      else
        test_recording_add (bytes, ns, stack[--depth], TRACE_KIND_EXIT);
    }
  folder = test_recording_write (bytes);
  recording = cs_recording_open ((const char *[]){ folder, NULL }, NULL, &error);
  g_assert_no_error (error);
  profile = cs_profile_new (recording, symbolizer, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  test_recording_remove (folder);
  return profile;
}

/* What is read of a report that was written to a file. */
static CsReportFile *
write_and_read (CsProfile *profile, CsReportFormat format)
{
  const CsReportOptions options = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (GFileIOStream) stream = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_file_new_tmp ("callsight-test-XXXXXX", &stream, NULL);
  CsReportFile *report;

  g_assert_true (cs_report_write (profile, format, &options, g_io_stream_get_output_stream (G_IO_STREAM (stream)), NULL, &error));
  g_assert_true (g_io_stream_close (G_IO_STREAM (stream), NULL, NULL));
  path = g_file_get_path (file);
  report = cs_report_file_read (path, NULL, &error);
  g_assert_no_error (error);
  g_unlink (path);
  return report;
}

static void
assert_same_rows (const CsReportFile *got, const CsReportFile *expected)
{
  g_assert_cmpuint (got->rows->len, ==, expected->rows->len);
  g_assert_cmpuint (got->rows->len, >, 10);
  g_assert_cmpuint (got->n_functions, ==, expected->n_functions);
  g_assert_cmpstr (got->program, ==, expected->program);
  g_assert_cmpstr (got->mode, ==, expected->mode);
  g_assert_cmpuint (got->keys->len, ==, expected->keys->len);
  for (guint i = 0; i < got->rows->len; i++)
    {
      const CsReportRow *x = &g_array_index (got->rows, CsReportRow, i), *y = &g_array_index (expected->rows, CsReportRow, i);

      g_assert_cmpstr (x->function, ==, y->function);
      g_assert_cmpstr (x->file, ==, y->file);
      g_assert_cmpuint (x->line, ==, y->line);
      g_assert_cmpstr (x->module, ==, y->module);
      g_assert_cmpuint (x->n_values, ==, y->n_values);
      for (guint j = 0; j < y->n_values; j++)
        {
          const CsReportValue *wanted = &g_array_index (expected->values, CsReportValue, y->first_value + j), *value;
          guint key;

          g_assert_true (cs_report_file_find_key (got, g_ptr_array_index (expected->keys, wanted->key), &key));
          value = cs_report_file_get_value (got, x, key);
          g_assert_nonnull (value);
          g_assert_cmpint (value->real, ==, wanted->real);
          g_assert_cmpint (value->integer, ==, wanted->integer);
          g_assert_cmpmem (&value->number, sizeof value->number, &wanted->number, sizeof wanted->number);
        }
    }
}

/* A profile compares as its reports do. */
static void
test_profile (void)
{
  for (guint faults = 0; faults < 2; faults++)
    {
      g_autoptr (CsProfile) profile = make_profile (faults);
      g_autoptr (CsReportFile) direct = cs_report_file_new_from_profile (profile, "direct");
      g_autoptr (CsReportFile) read = write_and_read (profile, CS_REPORT_JSON);

      assert_same_rows (direct, read);
      g_assert_true (g_strv_equal ((const char *const *) direct->notices, (const char *const *) read->notices));
      for (guint i = 0; i < direct->rows->len; i++)
        {
          guint n, function = g_array_index (direct->functions, guint, i);

          g_assert_cmpstr (g_array_index (direct->rows, CsReportRow, i).function, ==,
                           cs_profile_get_functions (profile, &n)[function].location.name);
        }
    }
}

static void
test_folded (void)
{
  for (guint faults = 0; faults < 2; faults++)
    {
      g_autoptr (CsProfile) profile = make_profile (faults);
      g_autoptr (GCancellable) cancelled = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (CsReportFile) direct = cs_report_file_new_folded_from_profile (profile, "direct", NULL, &error);
      g_autoptr (CsReportFile) read = write_and_read (profile, CS_REPORT_FOLDED);

      g_assert_no_error (error);
      assert_same_rows (direct, read);
      g_assert_cmpuint (direct->paths->len, ==, read->paths->len);
      for (guint i = 0; i < direct->paths->len; i++)
        {
          g_assert_cmpstr (g_array_index (direct->paths, CsReportPath, i).path, ==,
                           g_array_index (read->paths, CsReportPath, i).path);
          g_assert_cmpint (g_array_index (direct->paths, CsReportPath, i).self, ==,
                           g_array_index (read->paths, CsReportPath, i).self);
        }
      g_cancellable_cancel (cancelled);
      g_assert_null (cs_report_file_new_folded_from_profile (profile, "direct", cancelled, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report-file/profile", test_profile);
  g_test_add_func ("/report-file/folded", test_folded);
  return g_test_run ();
}
