/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recordings-fixture.h"
#include "trace.h"

#define S G_GINT64_CONSTANT (1000000)

static CsRecordingInfo *
load (const char *folder)
{
  g_autoptr (GError) error = NULL;
  CsRecordingInfo *info = cs_recordings_load (folder, &error);

  g_assert_no_error (error);
  return info;
}

static GPtrArray *
list (Fixture *self, gboolean *more)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *found = cs_recordings_list (self->project, more, NULL, &error);

  g_assert_no_error (error);
  return found;
}

static const CsRecordingInfo *
find (GPtrArray *found, const char *name)
{
  for (guint i = 0; i < found->len; i++)
    {
      const CsRecordingInfo *info = found->pdata[i];
      g_autofree char *base = g_path_get_basename (info->folder);

      if (g_str_equal (base, name))
        return info;
    }
  return NULL;
}

static void
test_create (Fixture *self, gconstpointer data)
{
  const char *const environment[] = { "TRACE_THREADS=a*,b", "OTHER=1", "TRACE_DIR=/elsewhere", "TRACE_ODD=x;\\y\n\xff", NULL };
  const CsRunOptions options = { .command = command, .max_mb = 7, .mode = "summary", .environment = environment,
                                 .working_folder = "/some where" };
  g_autofree char *config = g_build_filename (self->project, "trace.config", NULL);
  const CsRecordingStart start = { .options = &options, .config_path = config, .name = "first; try", .note = "line 1\nline 2\\n" };
  g_autoptr (CsRecordingInfo) made = NULL;
  g_autoptr (CsRecordingInfo) info = NULL;
  g_autoptr (CsRecordingInfo) copy = NULL;
  g_autofree char *title = NULL;
  g_autofree char *base = NULL;
  gint64 before = g_get_real_time ();
  g_autoptr (GRegex) pattern = g_regex_new ("^\\d{8}-\\d{6}-prog$", 0, 0, NULL);
  struct stat st;

  g_assert_true (g_file_set_contents (config, "abc", 3, NULL));
  made = cs_recordings_create (self->project, &start, NULL);
  g_assert_nonnull (made);
  g_assert_true (g_str_has_prefix (made->folder, self->recordings));
  base = g_path_get_basename (made->folder);
  g_assert_true (g_regex_match (pattern, base, 0, NULL));
  g_assert_cmpint (g_stat (made->folder, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 0777, ==, 0700);

  copy = load (made->folder);
  info = cs_recording_info_copy (copy);
  g_clear_pointer (&copy, cs_recording_info_free);
  g_assert_null (info->problem);
  g_assert_cmpstr (info->folder, ==, made->folder);
  g_assert_cmpstr (info->name, ==, "first; try");
  g_assert_cmpstr (info->note, ==, "line 1\nline 2\\n");
  g_assert_true (g_strv_equal ((const char *const *) info->command, command));
  g_assert_cmpstr (info->working_folder, ==, "/some where");
  g_assert_true (g_strv_contains ((const char *const *) info->environment, "TRACE_ODD=x;\\y\n\xff"));
  g_assert_true (g_strv_contains ((const char *const *) info->environment, "TRACE_MODE=summary"));
  g_assert_true (g_strv_contains ((const char *const *) info->environment, "TRACE_MAX_MB=7"));
  g_assert_true (g_strv_contains ((const char *const *) info->environment, "TRACE_THREADS=a*,b"));
  for (guint i = 0; info->environment[i] != NULL; i++)
    {
      g_assert_true (g_str_has_prefix (info->environment[i], "TRACE_"));
      g_assert_false (g_str_has_prefix (info->environment[i], "TRACE_DIR"));
    }
  /* sha256sum of "abc" */
  g_assert_cmpstr (info->config_hash, ==, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  g_assert_cmpstr (info->host, ==, g_get_host_name ());
  g_assert_nonnull (strstr (info->versions, "callsight " CS_VERSION));
  g_assert_cmpint (info->started_us, >=, before);
  g_assert_cmpint (info->started_us, <=, g_get_real_time ());
  g_assert_cmpint (info->ended_us, ==, 0);
  g_assert_false (info->has_summary);
  title = cs_recording_info_get_title (info);
  g_assert_cmpstr (title, ==, "first; try");
}

/* As many in the same second as one likes. */
static void
test_same_second (Fixture *self, gconstpointer data)
{
  g_autoptr (GHashTable) folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) found = NULL;

  for (guint i = 0; i < 30; i++)
    {
      g_autoptr (CsRecordingInfo) info = create (self, NULL);

      g_assert_true (g_hash_table_add (folders, g_strdup (info->folder)));
    }
  found = list (self, NULL);
  g_assert_cmpuint (found->len, ==, 30);
  for (guint i = 1; i < found->len; i++)
    g_assert_cmpint (((CsRecordingInfo *) found->pdata[i - 1])->started_us, >=, ((CsRecordingInfo *) found->pdata[i])->started_us);
}

/* Names of programs that are no names of folders. */
static void
test_program_names (Fixture *self, gconstpointer data)
{
  static const struct
  {
    const char *program, *suffix;
  } cases[] = {
    { "/bin/a b/../c;d", "-c_d" }, { "..", "-program" }, { "/", "-program" }, { "\xff\n", "-program" },
    { "", "-program" }, { "äx", "-__x" },
    { "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "xxxx" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const words[] = { cases[i].program, NULL };
      const CsRunOptions options = { .command = words, .max_mb = -1 };
      const CsRecordingStart start = { .options = &options };
      g_autoptr (CsRecordingInfo) info = cs_recordings_create (self->project, &start, NULL);
      g_autofree char *parent = NULL;

      g_assert_nonnull (info);
      parent = g_path_get_dirname (info->folder);
      g_assert_cmpstr (parent, ==, self->recordings);
      g_assert_nonnull (strstr (info->folder, cases[i].suffix));
    }
}

static void
test_changes (Fixture *self, gconstpointer data)
{
  g_autoptr (CsRecordingInfo) made = create (self, NULL);
  g_autoptr (CsRecordingInfo) info = NULL;
  const CsRunResult ended = { .exit_status = -1, .signal = 11, .started_us = 1000 * S + 5, .elapsed_us = 3 * S };
  const CsRecordingSummary summary = { 1, 2, G_MAXUINT64, 4, 5, 6 };
  g_autofree char *title = cs_recording_info_get_title (made);
  g_autofree char *ini = g_build_filename (made->folder, "recording.ini", NULL);
  g_autofree char *text = NULL;
  g_autofree char *more = NULL;

  g_assert_cmpstr (title, ==, "prog");
  g_assert_true (g_file_get_contents (ini, &text, NULL, NULL));
  more = g_strconcat (text, "# mine\nother=kept\n", NULL);
  g_assert_true (g_file_set_contents (ini, more, -1, NULL));

  g_assert_true (cs_recordings_change (made->folder, &(CsRecordingChange){ .name = "ä\nname" }, NULL));
  g_assert_true (cs_recordings_change (made->folder, &(CsRecordingChange){ .note = "note" }, NULL));
  g_assert_true (cs_recordings_change (made->folder, &(CsRecordingChange){ .ended = &ended }, NULL));
  g_assert_true (cs_recordings_change (made->folder, &(CsRecordingChange){ .summary = &summary }, NULL));
  info = load (made->folder);
  g_assert_cmpstr (info->name, ==, "ä\nname");
  g_assert_cmpstr (info->note, ==, "note");
  g_assert_cmpint (info->started_us, ==, 1000 * S + 5);
  g_assert_cmpint (info->ended_us, ==, 1003 * S + 5);
  g_assert_cmpstr (info->ending, ==, "was ended by signal 11 (Segmentation fault)");
  g_assert_true (info->has_summary);
  g_assert_cmpint (memcmp (&info->summary, &summary, sizeof summary), ==, 0);
  g_assert_true (g_strv_equal ((const char *const *) info->command, command));
  g_free (title);
  title = cs_recording_info_get_title (info);
  g_assert_cmpstr (title, ==, "ä name");

  g_assert_true (cs_recordings_change (made->folder, &(CsRecordingChange){ .name = "", .note = "" }, NULL));
  g_clear_pointer (&info, cs_recording_info_free);
  info = load (made->folder);
  g_assert_null (info->name);
  g_assert_null (info->note);
  g_assert_true (info->has_summary);
  g_free (text);
  g_assert_true (g_file_get_contents (ini, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "# mine\nother=kept\n"));
}

typedef struct
{
  const char *folder;
  gboolean notes;
} Changer;

static gpointer
change_often (gpointer data)
{
  const Changer *self = data;

  for (guint i = 1; i <= 50; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i);
      const CsRecordingChange change = { .name = self->notes ? NULL : text, .note = self->notes ? text : NULL };

      g_assert_true (cs_recordings_change (self->folder, &change, NULL));
    }
  return NULL;
}

/* None of two at once is lost. */
static void
test_changes_at_once (Fixture *self, gconstpointer data)
{
  g_autoptr (CsRecordingInfo) made = create (self, NULL);
  g_autoptr (CsRecordingInfo) info = NULL;
  Changer one = { made->folder, FALSE }, other = { made->folder, TRUE };
  GThread *threads[] = { g_thread_new ("names", change_often, &one), g_thread_new ("notes", change_often, &other) };

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  info = load (made->folder);
  g_assert_cmpstr (info->name, ==, "50");
  g_assert_cmpstr (info->note, ==, "50");
}

static void
test_too_long (Fixture *self, gconstpointer data)
{
  g_autoptr (CsRecordingInfo) made = create (self, "short");
  g_autoptr (CsRecordingInfo) info = NULL;
  g_autofree char *text = g_strnfill (10000, 'x');
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  CsRunOptions options = { .max_mb = -1 };
  const CsRecordingStart start = { .options = &options };
  guint n;

  g_assert_false (cs_recordings_change (made->folder, &(CsRecordingChange){ .note = text }, NULL));
  g_assert_false (cs_recordings_change (made->folder, &(CsRecordingChange){ .name = text }, NULL));
  g_clear_pointer (&made, cs_recording_info_free);

  /* A command of megabytes is cut, and listed. */
  for (guint i = 0; i < 300; i++)
    g_ptr_array_add (words, text);
  g_ptr_array_insert (words, 0, (gpointer) "prog");
  g_ptr_array_add (words, NULL);
  options.command = (const char *const *) words->pdata;
  made = cs_recordings_create (self->project, &start, NULL);
  info = load (made->folder);
  g_assert_null (info->problem);
  n = g_strv_length (info->command);
  g_assert_cmpuint (n, >=, 2);
  g_assert_cmpuint (n, <, 10);
  g_assert_cmpstr (info->command[0], ==, "prog");
  g_assert_cmpstr (info->command[n - 1], ==, "…");
}

static void
test_empty_list (Fixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) found = list (self, NULL);
  g_autoptr (GPtrArray) found_inside = NULL;
  g_autofree char *callsight = g_path_get_dirname (self->recordings);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (found->len, ==, 0);
  g_assert_cmpint (g_mkdir (callsight, 0700), ==, 0);
  found_inside = list (self, NULL);
  g_assert_cmpuint (found_inside->len, ==, 0);
  g_assert_null (cs_recordings_list ("/nonexistent", NULL, NULL, &error));
  g_assert_error (error, CS_RECORDINGS_ERROR, CS_RECORDINGS_ERROR_FOLDER);
}

static const char *const strange[] = { "link-ini", "fifo-ini", "folder-ini", "huge-ini", "traces-only" };

/* Folders whose recording.ini is no file that can be read, and one without. */
static void
make_strange (Fixture *self)
{
  g_autofree char *huge = g_strnfill (300 << 10, '#');
  char *ini[G_N_ELEMENTS (strange)];

  for (guint i = 0; i < G_N_ELEMENTS (strange); i++)
    {
      g_autofree char *folder = g_build_filename (self->recordings, strange[i], NULL);

      g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
      ini[i] = g_build_filename (folder, "recording.ini", NULL);
    }
  g_assert_cmpint (symlink ("../bare/recording.ini", ini[0]), ==, 0);
  g_assert_cmpint (mkfifo (ini[1], 0600), ==, 0);
  g_assert_cmpint (g_mkdir (ini[2], 0700), ==, 0);
  g_assert_true (g_file_set_contents (ini[3], huge, 300 << 10, NULL));
  g_free (write_in (self, strange[4], "trace.1.1.0.bin", "", 0));
  for (guint i = 0; i < G_N_ELEMENTS (strange); i++)
    g_free (ini[i]);
}

/* Each is listed with a sentence, or isn't a recording; none does harm. */
static void
test_hostile_list (Fixture *self, gconstpointer data)
{
  static const struct
  {
    const char *folder;
    const char *text; /* of recording.ini */
    gssize size;
    gboolean broken;
  } cases[] = {
    { "empty-ini", "", 0, TRUE },
    { "garbage", "\xff\xfe\0\1 nonsense", 12, TRUE },
    { "no-group", "name=x\n", -1, TRUE },
    { "other-group", "[Other]\nname=x\n", -1, TRUE },
    { "nul", "[Recording]\nname=a\0b\n", 21, TRUE },
    { "bare", "[Recording]\n", -1, FALSE },
    { "bad-values", "[Recording]\nstarted=yesterday\nended=99999-01-01\nname=\xff\xff\ncommand=;;\\\nenvironment=\xff\n[Summary]\ncalls=-1\nbytes=many\n", -1, FALSE },
    { "duplicates", "[Recording]\nname=1\n[Recording]\nname=2\n", -1, FALSE },
  };
  g_autofree char *path = NULL;
  g_autoptr (GPtrArray) found = NULL;
  const CsRecordingInfo *info;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_free (write_in (self, cases[i].folder, "recording.ini", cases[i].text, cases[i].size));
  make_strange (self);
  /* No recordings: a file, links, hidden ones, and folders with other things. */
  g_free (write_in (self, "other-things", "notes.txt", "x", 1));
  g_free (write_in (self, ".hidden", "recording.ini", "[Recording]\n", -1));
  g_free (write_in (self, "", "file", "x", 1));
  path = g_build_filename (self->recordings, "link", NULL);
  g_assert_cmpint (symlink ("bare", path), ==, 0);

  found = list (self, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      info = find (found, cases[i].folder);
      g_assert_nonnull (info);
      g_assert_cmpint (info->problem != NULL, ==, cases[i].broken);
      g_assert_cmpint (info->started_us, >, 0);
      g_assert_false (info->has_summary);
    }
  for (guint i = 0; i < G_N_ELEMENTS (strange); i++)
    {
      g_autofree char *title = NULL;

      info = find (found, strange[i]);
      g_assert_nonnull (info);
      g_assert_nonnull (info->problem);
      title = cs_recording_info_get_title (info);
      g_assert_cmpstr (title, ==, strange[i]);
    }
  g_assert_cmpuint (found->len, ==, G_N_ELEMENTS (cases) + G_N_ELEMENTS (strange));
  g_assert_cmpstr (find (found, "duplicates")->name, ==, "2");
  g_assert_null (find (found, "bad-values")->name);

  /* A broken one can be named. */
  g_free (path);
  path = g_build_filename (self->recordings, "link-ini", NULL);
  g_assert_true (cs_recordings_change (path, &(CsRecordingChange){ .name = "mended" }, NULL));
  g_assert_null (find (found, "bare")->name);
  g_ptr_array_unref (found);
  found = list (self, NULL);
  g_assert_cmpstr (find (found, "link-ini")->name, ==, "mended");
  g_assert_null (find (found, "bare")->name);
}

/* The newest thousand of many. */
static void
test_many (Fixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) found = NULL;
  gboolean more = FALSE;

  for (guint i = 0; i < 1010; i++)
    {
      g_autofree char *name = g_strdup_printf ("20200101-%06u-prog", i);
      g_autofree char *text = g_strdup_printf ("[Recording]\nstarted=2020-01-01T00:%02u:%02uZ\n", i / 60, i % 60);

      g_free (write_in (self, name, "recording.ini", text, -1));
    }
  found = list (self, &more);
  g_assert_true (more);
  g_assert_cmpuint (found->len, ==, 1000);
  for (guint i = 0; i < found->len; i++)
    g_assert_cmpint (((CsRecordingInfo *) found->pdata[i])->started_us, ==, (G_GINT64_CONSTANT (1577836800) + 1009 - i) * S);
}

/* A project that came with links in the place of our folders: nothing is read or written through them. */
static void
test_links_above (Fixture *self, gconstpointer data)
{
  const CsRunOptions options = { .command = command, .max_mb = -1 };
  const CsRecordingStart start = { .options = &options };
  g_autofree char *callsight = g_path_get_dirname (self->recordings);
  g_autofree char *elsewhere = g_build_filename (self->project, "elsewhere", NULL);
  g_autofree char *inside = g_build_filename (elsewhere, "recordings", NULL);

  g_assert_cmpint (g_mkdir_with_parents (inside, 0700), ==, 0);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GError) list_error = NULL;
      g_autoptr (GDir) dir = NULL;

      if (i == 0)
        g_assert_cmpint (symlink ("elsewhere", callsight), ==, 0);
      else if (i == 1)
        {
          g_unlink (callsight);
          g_mkdir (callsight, 0700);
          g_assert_cmpint (symlink ("../elsewhere/recordings", self->recordings), ==, 0);
        }
      else
        {
          g_unlink (self->recordings);
          g_assert_true (g_file_set_contents (self->recordings, "", 0, NULL));
        }
      g_assert_null (cs_recordings_create (self->project, &start, &error));
      g_assert_error (error, CS_RECORDINGS_ERROR, CS_RECORDINGS_ERROR_FOLDER);
      g_assert_null (cs_recordings_list (self->project, NULL, NULL, &list_error));
      g_assert_error (list_error, CS_RECORDINGS_ERROR, CS_RECORDINGS_ERROR_FOLDER);
      dir = g_dir_open (inside, 0, NULL);
      g_assert_null (g_dir_read_name (dir));
    }
}

static void
test_cannot_load (Fixture *self, gconstpointer data)
{
  g_autofree char *empty = write_in (self, "empty", "notes", "", 0);
  g_autofree char *link = g_build_filename (self->recordings, "link", NULL);
  g_autofree char *file = g_build_filename (empty, "notes", NULL);
  const char *const paths[] = { "/nonexistent", empty, link, file };

  g_assert_cmpint (symlink ("empty", link), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (cs_recordings_load (paths[i], &error));
      g_assert_error (error, CS_RECORDINGS_ERROR, CS_RECORDINGS_ERROR_FOLDER);
      if (i == 1)
        continue;
      g_assert_false (cs_recordings_change (paths[i], &(CsRecordingChange){ .name = "x" }, NULL));
      g_assert_false (cs_recordings_delete (paths[i], NULL));
    }
  g_assert_true (g_file_test (file, G_FILE_TEST_EXISTS));
}

static void
test_async (Fixture *self, gconstpointer data)
{
  g_autoptr (CsRecordingInfo) made = create (self, NULL);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  gboolean more = TRUE;

  {
    g_autofree char *name = g_strdup ("later");

    cs_recordings_change_async (made->folder, &(CsRecordingChange){ .name = name }, NULL, keep, &result);
    memset (name, '?', 5);
  }
  wait_for (&result);
  g_assert_true (cs_recordings_change_finish (result, NULL));
  g_clear_object (&result);

  cs_recordings_list_async (self->project, NULL, keep, &result);
  wait_for (&result);
  found = cs_recordings_list_finish (result, &more, NULL);
  g_assert_false (more);
  g_assert_cmpuint (found->len, ==, 1);
  g_assert_cmpstr (((CsRecordingInfo *) found->pdata[0])->name, ==, "later");
  g_clear_object (&result);

  g_cancellable_cancel (cancelled);
  cs_recordings_list_async (self->project, cancelled, keep, &result);
  wait_for (&result);
  g_assert_null (cs_recordings_list_finish (result, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_object (&result);

  cs_recordings_delete_async (made->folder, NULL, keep, &result);
  wait_for (&result);
  g_assert_true (cs_recordings_delete_finish (result, NULL));
  g_assert_false (g_file_test (made->folder, G_FILE_TEST_EXISTS));
}

/* What can't be done is told, with a reason. */
static void
test_async_failures (Fixture *self, gconstpointer data)
{
  const char *const gone = "/nonexistent/callsight/recordings/gone";

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;

      if (i == 0)
        cs_recordings_change_async (gone, &(CsRecordingChange){ .name = "x" }, NULL, keep, &result);
      else if (i == 1)
        cs_recordings_list_async ("/nonexistent", NULL, keep, &result);
      else if (i == 2)
        cs_recordings_delete_async (gone, NULL, keep, &result);
      else
        cs_recordings_trash_async (gone, NULL, keep, &result);
      wait_for (&result);
      if (i == 1)
        g_assert_null (cs_recordings_list_finish (result, NULL, &error));
      else
        g_assert_false (i == 0   ? cs_recordings_change_finish (result, &error)
                        : i == 2 ? cs_recordings_delete_finish (result, &error)
                                 : cs_recordings_trash_finish (result, &error));
      g_assert_error (error, CS_RECORDINGS_ERROR, CS_RECORDINGS_ERROR_FOLDER);
    }
}

typedef struct
{
  char *path;
  GFileMonitorEvent event;
  guint count;
} Seen;

static void
on_changed (GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event, gpointer data)
{
  Seen *seen = data;
  g_autofree char *path = g_file_get_path (file);

  if (event == seen->event && g_strcmp0 (path, seen->path) == 0)
    seen->count++;
}

/* One monitor on the folder tells of new ones, changes and removals. */
static void
test_monitor (Fixture *self, gconstpointer data)
{
  g_autoptr (CsRecordingInfo) first = create (self, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (self->recordings);
  g_autoptr (GFileMonitor) monitor = g_file_monitor_directory (file, G_FILE_MONITOR_NONE, NULL, NULL);
  Seen seen = { 0 };

  g_file_monitor_set_rate_limit (monitor, 0);
  g_signal_connect (monitor, "changed", G_CALLBACK (on_changed), &seen);
  seen = (Seen){ first->folder, G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED, 0 };
  g_assert_true (cs_recordings_change (first->folder, &(CsRecordingChange){ .name = "x" }, NULL));
  while (seen.count == 0)
    g_main_context_iteration (NULL, TRUE);
  seen = (Seen){ first->folder, G_FILE_MONITOR_EVENT_DELETED, 0 };
  g_assert_true (cs_recordings_delete (first->folder, NULL));
  while (seen.count == 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
add_tests (void)
{
  ADD ("/recordings/create", test_create);
  ADD ("/recordings/same-second", test_same_second);
  ADD ("/recordings/program-names", test_program_names);
  ADD ("/recordings/changes", test_changes);
  ADD ("/recordings/changes-at-once", test_changes_at_once);
  ADD ("/recordings/too-long", test_too_long);
  ADD ("/recordings/empty-list", test_empty_list);
  ADD ("/recordings/hostile-list", test_hostile_list);
  ADD ("/recordings/many", test_many);
  ADD ("/recordings/links-above", test_links_above);
  ADD ("/recordings/cannot-load", test_cannot_load);
  ADD ("/recordings/async", test_async);
  ADD ("/recordings/async-failures", test_async_failures);
  ADD ("/recordings/monitor", test_monitor);
}

int
main (int argc, char **argv)
{
  return run_tests (argc, argv, add_tests);
}
