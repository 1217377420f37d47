/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recordings-fixture.h"
#include "symbols/cs-bundle.h"
#include "trace.h"

/* The programs that were recorded stay with the recording when a build replaces them, and go with it. */
static void
test_programs (Fixture *self, gconstpointer data)
{
  g_autoptr (CsRecordingInfo) info = create (self, NULL);
  g_autofree char *base = g_path_get_basename (info->folder);
  g_autofree char *prog = g_build_filename (self->project, "a prog", NULL);
  g_autofree char *other = g_build_filename (self->project, "libother.so", NULL);
  g_autofree char *text = g_strdup_printf ("CALLSIGHT-PROCESS 1\npid 1\nstart-monotonic-ns 5\n"
                                           "module 5 1000 1000 2000 abcdef01 %s\n"
                                           "module 5 3000 3000 4000 - %s\n"
                                           "module 5 5000 5000 6000 77aa /usr/lib/libc.so\n"
                                           "module 5 7000 7000 8000 77ab %s/gone\n", prog, other, self->project);
  g_autoptr (CsBundle) bundle = NULL;
  struct stat st, kept;

  g_assert_true (g_file_set_contents (prog, "\177ELFfirst", -1, NULL));
  g_assert_true (g_file_set_contents (other, "\177ELFsecond", -1, NULL));
  g_assert_cmpint (g_stat (prog, &st), ==, 0);
  g_free (write_in (self, base, "trace.1.process", text, -1));
  cs_recordings_keep_programs (info->folder);
  cs_recordings_keep_programs (info->folder); /* a second time changes nothing */
  bundle = cs_bundle_open (info->folder, NULL);
  g_assert_nonnull (bundle);
  g_assert_null (cs_bundle_find_module (bundle, "/usr/lib/libc.so", "77aa"));
  for (guint i = 0; i < 2; i++)
    {
      const CsBundleModule *module = cs_bundle_find_module (bundle, i == 0 ? prog : other, i == 0 ? "abcdef01" : NULL);
      g_autofree char *bytes = NULL;

      g_assert_nonnull (module);
      g_assert_cmpint (g_unlink (i == 0 ? prog : other), ==, 0);
      g_assert_true (g_file_get_contents (module->path, &bytes, NULL, NULL));
      g_assert_cmpstr (bytes, ==, i == 0 ? "\177ELFfirst" : "\177ELFsecond");
      g_assert_cmpint (g_stat (module->path, &kept), ==, 0);
      /* It takes no room of its own where its build id tells which one it is. */
      g_assert_true ((kept.st_ino == st.st_ino) == (i == 0));
    }
  g_assert_true (cs_recordings_delete (info->folder, NULL));
  g_assert_false (g_file_test (info->folder, G_FILE_TEST_EXISTS));
}

static void
test_delete (Fixture *self, gconstpointer data)
{
  g_autoptr (CsRecordingInfo) info = create (self, NULL);
  g_autofree char *base = g_path_get_basename (info->folder);

  g_free (write_in (self, base, "trace.1.1.0.bin", TRACE_MAGIC "\0x", 10));
  g_free (write_in (self, base, "trace.1.process", "CALLSIGHT-PROCESS 1\n", -1));
  g_free (write_in (self, base, "callsight.counters", "CALLSIGHT-COUNTERS 1\n", -1));
  g_free (write_in (self, base, ".recording.ini.new", "[Recor", 0));
  g_assert_true (cs_recordings_delete (info->folder, NULL));
  g_assert_false (g_file_test (info->folder, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (self->recordings, G_FILE_TEST_IS_DIR));
}

/* What isn't ours by name and content stays, and so does the folder. */
static void
test_delete_foreign (Fixture *self, gconstpointer data)
{
  static const char *const stay[] = { "notes.txt", "trace.2.2.0.bin", "callsight.counters", "sub", "trace.4.4.0.bin", "trace.5.5.0.bin" };
  g_autoptr (CsRecordingInfo) info = create (self, NULL);
  g_autofree char *base = g_path_get_basename (info->folder);
  g_autofree char *inside = g_build_filename (base, "sub", NULL);
  g_autofree char *link = g_build_filename (info->folder, "trace.4.4.0.bin", NULL);
  g_autofree char *folder = g_build_filename (info->folder, "trace.5.5.0.bin", NULL);
  g_autofree char *target = g_build_filename (self->project, "target", NULL);
  g_autofree char *ours = g_build_filename (info->folder, "trace.1.1.0.bin", NULL);
  g_autofree char *below = g_build_filename (info->folder, "sub", "trace.1.1.0.bin", NULL);
  g_autoptr (GError) error = NULL;

  g_free (write_in (self, base, "trace.1.1.0.bin", TRACE_MAGIC "\0x", 10));
  g_free (write_in (self, base, "notes.txt", "mine", -1));
  g_free (write_in (self, base, "trace.2.2.0.bin", "another format", -1));
  g_free (write_in (self, base, "callsight.counters", "mine", -1));
  g_free (write_in (self, inside, "trace.1.1.0.bin", TRACE_MAGIC "\0x", 10));
  g_assert_true (g_file_set_contents (target, TRACE_MAGIC "\0x", 10, NULL));
  g_assert_cmpint (symlink ("../../../target", link), ==, 0);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);

  g_assert_false (cs_recordings_delete (info->folder, &error));
  g_assert_error (error, CS_RECORDINGS_ERROR, CS_RECORDINGS_ERROR_NOT_OURS);
  g_assert_nonnull (strstr (error->message, "6 files"));
  for (guint i = 0; i < G_N_ELEMENTS (stay); i++)
    {
      g_autofree char *path = g_build_filename (info->folder, stay[i], NULL);

      g_assert_true (g_file_test (path, G_FILE_TEST_IS_SYMLINK) || g_file_test (path, G_FILE_TEST_EXISTS));
    }
  g_assert_true (g_file_test (target, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (below, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (ours, G_FILE_TEST_EXISTS));
}

/* A trace directory elsewhere is not a project's recording. */
static void
test_delete_elsewhere (Fixture *self, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (self->project, "traces", NULL);
  g_autofree char *ini = g_build_filename (folder, "recording.ini", NULL);
  g_autoptr (GError) error = NULL;

  g_mkdir (folder, 0700);
  g_assert_true (g_file_set_contents (ini, "[Recording]\n", -1, NULL));
  g_assert_false (cs_recordings_delete (folder, &error));
  g_assert_error (error, CS_RECORDINGS_ERROR, CS_RECORDINGS_ERROR_NOT_OURS);
  g_assert_true (g_file_test (ini, G_FILE_TEST_EXISTS));
}

static gboolean
trash (const char *folder, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  cs_recordings_trash_async (folder, NULL, keep, &result);
  wait_for (&result);
  return cs_recordings_trash_finish (result, error);
}

static void
test_trash (Fixture *self, gconstpointer data)
{
  g_autoptr (CsRecordingInfo) info = create (self, "thrown away");
  g_autofree char *base = g_path_get_basename (info->folder);
  g_autofree char *ini = g_build_filename (g_get_home_dir (), ".local", "share", "Trash", "files", base, "recording.ini", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (trash (info->folder, &error));
  g_assert_no_error (error);
  g_assert_false (g_file_test (info->folder, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (ini, G_FILE_TEST_IS_REGULAR));
  g_assert_false (trash (info->folder, &error));
  g_assert_error (error, CS_RECORDINGS_ERROR, CS_RECORDINGS_ERROR_FOLDER);
}

static void
test_no_trash (void)
{
  g_autofree char *project = g_strdup ("/dev/shm/callsight-XXXXXX");
  const CsRunOptions options = { .command = command, .max_mb = -1 };
  const CsRecordingStart start = { .options = &options };
  g_autoptr (CsRecordingInfo) info = NULL;
  g_autoptr (GError) error = NULL;
  struct stat home, memory;

  if (g_stat (g_get_home_dir (), &home) != 0 || g_stat ("/dev/shm", &memory) != 0 || home.st_dev == memory.st_dev ||
      g_mkdtemp (project) == NULL)
    {
      g_test_skip ("no disk without a trash");
      return;
    }
  info = cs_recordings_create (project, &start, NULL);
  g_assert_false (trash (info->folder, &error));
  g_assert_error (error, CS_RECORDINGS_ERROR, CS_RECORDINGS_ERROR_NO_TRASH);
  g_assert_nonnull (strstr (error->message, "deleted for good"));
  g_assert_true (cs_recordings_delete (info->folder, NULL));
  cs_folder_remove (project);
}

static void
add_tests (void)
{
  ADD ("/recordings/programs", test_programs);
  ADD ("/recordings/delete", test_delete);
  ADD ("/recordings/delete-foreign", test_delete_foreign);
  ADD ("/recordings/delete-elsewhere", test_delete_elsewhere);
  ADD ("/recordings/trash", test_trash);
  g_test_add_func ("/recordings/no-trash", test_no_trash);
}

int
main (int argc, char **argv)
{
  return run_tests (argc, argv, add_tests);
}
