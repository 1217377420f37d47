/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "project/cs-folder.h"
#include "project/cs-path-kind.h"
#include "trace.h"

/* A folder of its own a case: files with a "/" at their end are folders, with "->" links. */
static const struct
{
  const char *files[4];
  const char *opened; /* of them; "": the folder */
  CsPathKind kind;
  const char *says;
} cases[] = {
  { { NULL }, "", CS_PATH_KIND_FOLDER, "neither" },
  { { "a.c" }, "", CS_PATH_KIND_PROJECT, NULL },
  { { "sub/deep/er/x.cpp" }, "", CS_PATH_KIND_PROJECT, NULL },
  { { "notes.txt", "sub/readme" }, "", CS_PATH_KIND_FOLDER, "neither" },
  { { "trace.config" }, "", CS_PATH_KIND_PROJECT, NULL },
  { { "Makefile" }, "", CS_PATH_KIND_PROJECT, NULL },
  { { "CMakeLists.txt" }, "", CS_PATH_KIND_PROJECT, NULL },
  { { "trace.1.1.0.bin" }, "", CS_PATH_KIND_RECORDING, NULL },
  { { "trace.summary.1.1.bin" }, "", CS_PATH_KIND_RECORDING, NULL },
  { { "trace.1.1.0.tail" }, "", CS_PATH_KIND_RECORDING, NULL },
  { { "trace.1.1.0.bin", "bundle", "sources/a.c" }, "", CS_PATH_KIND_RECORDING, NULL },
  { { "trace.1.1.0.bin", "a.c", "Makefile" }, "", CS_PATH_KIND_PROJECT, NULL },
  { { "trace.1.1.0.bin", "trace.config" }, "", CS_PATH_KIND_PROJECT, NULL },
  { { "traces/trace.1.1.0.bin" }, "", CS_PATH_KIND_FOLDER, "neither" },
  { { ".git/a.c" }, "", CS_PATH_KIND_FOLDER, "neither" },
  { { "->loop" }, "", CS_PATH_KIND_FOLDER, "neither" },
  { { "trace.1.1.0.bin" }, "trace.1.1.0.bin", CS_PATH_KIND_TRACE_FILE, NULL },
  { { "copy" }, "copy", CS_PATH_KIND_TRACE_FILE, NULL },
  { { "trace.1.process" }, "trace.1.process", CS_PATH_KIND_NOTHING, "part of a recording" },
  { { "trace.1.1.0.tail" }, "trace.1.1.0.tail", CS_PATH_KIND_NOTHING, "part of a recording" },
  { { "a.c" }, "a.c", CS_PATH_KIND_NOTHING, "isn't a file of a recording" },
  { { "empty" }, "empty", CS_PATH_KIND_NOTHING, "empty" },
  { { "a.c" }, "gone", CS_PATH_KIND_NOTHING, "moved or removed" },
  { { "a.c" }, "a.c/x", CS_PATH_KIND_NOTHING, "can't be opened" },
  { { "->gone" }, "link", CS_PATH_KIND_NOTHING, "moved or removed" },
  { { "fifo" }, "fifo", CS_PATH_KIND_NOTHING, "neither a file nor a folder" },
};

static void
make (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *above = g_path_get_dirname (path);
  g_autofree char *link = g_build_filename (folder, "link", NULL);
  gboolean is_trace = strstr (name, ".bin") != NULL || g_str_equal (name, "copy");

  g_assert_cmpint (g_mkdir_with_parents (above, 0700), ==, 0);
  if (g_str_equal (name, "->gone"))
    g_assert_cmpint (symlink ("nowhere", link), ==, 0);
  else if (g_str_equal (name, "->loop"))
    g_assert_cmpint (symlink (".", link), ==, 0);
  else if (g_str_equal (name, "fifo"))
    g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  else
    g_assert_true (g_file_set_contents (path, is_trace ? TRACE_MAGIC : g_str_equal (name, "empty") ? "" : "text", -1, NULL));
}

static void
keep (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static void
test_kinds (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *folder = g_dir_make_tmp ("callsight-kind-XXXXXX", NULL);
      g_autofree char *path = g_build_filename (folder, cases[i].opened, NULL);
      g_autofree char *sentence = NULL;
      g_autofree char *later = NULL;
      g_autoptr (GAsyncResult) result = NULL;

      for (guint j = 0; j < G_N_ELEMENTS (cases[i].files) && cases[i].files[j] != NULL; j++)
        make (folder, cases[i].files[j]);
      g_assert_cmpint (cs_path_kind_find (path, &sentence), ==, cases[i].kind);
      g_assert_cmpint (sentence != NULL, ==, cases[i].says != NULL);
      if (sentence != NULL)
        {
          g_assert_nonnull (strstr (sentence, cases[i].says));
          g_assert_nonnull (strstr (sentence, path));
        }
      cs_path_kind_find_async (path, NULL, keep, &result);
      while (result == NULL)
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpint (cs_path_kind_find_finish (result, &later), ==, cases[i].kind);
      g_assert_cmpstr (later, ==, sentence);
      cs_folder_remove (folder);
    }
}

static void
test_forbidden (void)
{
  g_autofree char *folder = g_dir_make_tmp ("callsight-kind-XXXXXX", NULL);
  g_autofree char *sentence = NULL;

  g_assert_cmpint (g_chmod (folder, 0), ==, 0);
  if (geteuid () == 0)
    g_assert_cmpint (seteuid (65534), ==, 0);
  g_assert_cmpint (cs_path_kind_find (folder, &sentence), ==, CS_PATH_KIND_NOTHING);
  g_assert_cmpint (seteuid (getuid ()), ==, 0);
  g_assert_nonnull (strstr (sentence, "Permission denied"));
  g_rmdir (folder);
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *sentence = NULL;

  g_cancellable_cancel (cancellable);
  cs_path_kind_find_async ("/", cancellable, keep, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (cs_path_kind_find_finish (result, &sentence), ==, CS_PATH_KIND_NOTHING);
  g_assert_null (sentence);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/path-kind/kinds", test_kinds);
  g_test_add_func ("/path-kind/forbidden", test_forbidden);
  g_test_add_func ("/path-kind/cancelled", test_cancelled);
  return g_test_run ();
}
