/* SPDX-License-Identifier: MIT */
/* A project in an empty home folder, and recordings in it. */
#pragma once

#include <glib/gstdio.h>

#include "project/cs-folder.h"
#include "project/cs-recordings.h"

typedef struct
{
  char *project;
  char *recordings;
} Fixture;

static const char *const command[] = { "./bin/prog", "--fast", "a b;c", NULL };

static void
set_up (Fixture *self, gconstpointer data)
{
  /* In the home folder, which the trash is of, too. */
  self->project = g_build_filename (g_get_home_dir (), "project-XXXXXX", NULL);
  g_assert_nonnull (g_mkdtemp (self->project));
  self->recordings = cs_recordings_get_folder (self->project);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  cs_folder_remove (self->project);
  g_free (self->project);
  g_free (self->recordings);
}

static CsRecordingInfo *
create (Fixture *self, const char *name)
{
  const CsRunOptions options = { .command = command, .folder = "unused", .max_mb = -1 };
  const CsRecordingStart start = { .options = &options, .name = name };
  g_autoptr (GError) error = NULL;
  CsRecordingInfo *info = cs_recordings_create (self->project, &start, &error);

  g_assert_no_error (error);
  return info;
}

/* Writes a file in a folder of recordings, and the folder; its path. */
static char *
write_in (Fixture *self, const char *folder, const char *name, const void *bytes, gssize size)
{
  g_autofree char *path = g_build_filename (self->recordings, folder, NULL);
  g_autofree char *file = g_build_filename (path, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  g_assert_true (g_file_set_contents_full (file, bytes, size, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  return g_steal_pointer (&path);
}

static void
keep (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static void
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)

/* Runs the tests that `add' adds. */
static int
run_tests (int argc, char **argv, void (*add) (void))
{
  g_autofree char *home = g_dir_make_tmp ("callsight-home-XXXXXX", NULL);
  int status;

  g_setenv ("HOME", home, TRUE);
  g_unsetenv ("XDG_DATA_HOME");
  g_test_init (&argc, &argv, NULL);
  add ();
  status = g_test_run ();
  cs_folder_remove (home);
  return status;
}
