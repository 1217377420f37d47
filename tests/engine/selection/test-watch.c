/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "selection/cs-tree-folder.h"

#define PATIENCE_S 30

/* What the signals told, and in which thread. */
typedef struct
{
  char *root;
  CsSourceTree *tree;
  GHashTable *added, *removed, *modified;
  guint n_signals;
  GThread *thread;
} Watched;

static void
take_all (GHashTable *set, char **paths)
{
  for (guint i = 0; paths[i] != NULL; i++)
    g_hash_table_add (set, g_strdup (paths[i]));
}

static void
on_changed (CsSourceTree *tree, char **added, char **removed, char **modified, Watched *watched)
{
  g_assert_true (g_thread_self () == watched->thread);
  take_all (watched->added, added);
  take_all (watched->removed, removed);
  take_all (watched->modified, modified);
  watched->n_signals++;
}

static void
run (const char *root, const char *command)
{
  const char *const argv[] = { "sh", "-ec", command, NULL };
  int status;

  g_assert_true (g_spawn_sync (root, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
}

static void
set_up (Watched *watched, const char *command)
{
  GError *error = NULL;

  memset (watched, 0, sizeof *watched);
  watched->root = g_dir_make_tmp ("callsight-watch-XXXXXX", NULL);
  watched->thread = g_thread_self ();
  run (watched->root, command);
  watched->tree = cs_source_tree_new_sync (watched->root, NULL, &error);
  g_assert_no_error (error);
  watched->added = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  watched->removed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  watched->modified = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_signal_connect (watched->tree, "changed", G_CALLBACK (on_changed), watched);
  cs_source_tree_set_watching (watched->tree, TRUE);
}

static void
tear_down (Watched *watched)
{
  cs_source_tree_set_watching (watched->tree, FALSE);
  g_assert_finalize_object (watched->tree);
  run (watched->root, "rm -rf \"$PWD\"");
  g_hash_table_unref (watched->added);
  g_hash_table_unref (watched->removed);
  g_hash_table_unref (watched->modified);
  g_free (watched->root);
}

static char *
list (CsSourceTree *tree)
{
  g_autoptr (GPtrArray) files = cs_source_tree_ref_files (tree);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < files->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", ((const CsSourceFile *) g_ptr_array_index (files, i))->path);
  return g_string_free (text, FALSE);
}

/* Runs the main loop until the files are these. */
static void
wait_for (Watched *watched, const char *wanted)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;

  for (;;)
    {
      g_autofree char *files = list (watched->tree);

      if (strcmp (files, wanted) == 0)
        return;
      if (g_get_monotonic_time () > end)
        g_error ("files are '%s', not '%s'", files, wanted);
      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (2000);
    }
}

static gboolean
tells (GHashTable *set, const char *paths)
{
  g_auto (GStrv) wanted = g_strsplit (paths, " ", -1);
  gboolean told = g_hash_table_size (set) == (*paths == '\0' ? 0 : g_strv_length (wanted));

  for (guint i = 0; told && *paths != '\0' && wanted[i] != NULL; i++)
    told = g_hash_table_contains (set, wanted[i]);
  g_hash_table_remove_all (set);
  return told;
}

static void
assert_told (Watched *watched, const char *added, const char *removed, const char *modified)
{
  g_assert_true (tells (watched->added, added));
  g_assert_true (tells (watched->removed, removed));
  g_assert_true (tells (watched->modified, modified));
}

static void
test_files (void)
{
  g_autoptr (GPtrArray) first = NULL;
  gint64 end;
  Watched watched;

  set_up (&watched, "mkdir src; echo 1 >src/a.c; echo 1 >b.h");
  /* Before anything is watched: */
  run (watched.root, "echo 1 >src/early.c");
  first = cs_source_tree_ref_files (watched.tree);
  wait_for (&watched, "b.h src/a.c src/early.c");
  assert_told (&watched, "src/early.c", "", "");
  g_assert_cmpuint (first->len, ==, 2);

  run (watched.root, "echo 1 >src/new.c; echo 1 >src/notes.txt");
  wait_for (&watched, "b.h src/a.c src/early.c src/new.c");
  assert_told (&watched, "src/new.c", "", "");
  run (watched.root, "mv src/new.c src/moved.c");
  wait_for (&watched, "b.h src/a.c src/early.c src/moved.c");
  assert_told (&watched, "src/moved.c", "src/new.c", "");
  run (watched.root, "rm src/moved.c b.h");
  wait_for (&watched, "src/a.c src/early.c");
  assert_told (&watched, "", "src/moved.c b.h", "");

  run (watched.root, "echo more >>src/a.c");
  end = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;
  while (g_hash_table_size (watched.modified) == 0 && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  assert_told (&watched, "", "", "src/a.c");

  /* As editors save: a new file that takes the old one's name. */
  run (watched.root, "echo other >src/.a.tmp; mv src/.a.tmp src/a.c");
  while (g_hash_table_size (watched.modified) == 0 && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  assert_told (&watched, "", "", "src/a.c");
  tear_down (&watched);
}

static void
test_folders (void)
{
  Watched watched;

  set_up (&watched, "echo 1 >a.c");
  run (watched.root, "mkdir -p x/y/z; echo 1 >x/y/z/b.c");
  wait_for (&watched, "a.c x/y/z/b.c");
  run (watched.root, "echo 1 >x/y/c.c; mkdir build; echo 1 >build/d.c");
  wait_for (&watched, "a.c x/y/c.c x/y/z/b.c");
  run (watched.root, "echo 1 >x/y/z/d.c");
  wait_for (&watched, "a.c x/y/c.c x/y/z/b.c x/y/z/d.c");
  run (watched.root, "mv x/y w");
  wait_for (&watched, "a.c w/c.c w/z/b.c w/z/d.c");
  run (watched.root, "echo 1 >w/z/e.c");
  wait_for (&watched, "a.c w/c.c w/z/b.c w/z/d.c w/z/e.c");
  /* A folder that takes another one's place. */
  run (watched.root, "mkdir x/n; echo 1 >x/n/n.c; mv w old; mv x/n w; rm -r old");
  wait_for (&watched, "a.c w/n.c");
  run (watched.root, "echo 1 >w/o.c");
  wait_for (&watched, "a.c w/n.c w/o.c");
  run (watched.root, "rm -r w x");
  wait_for (&watched, "a.c");
  /* What turns out to be a folder of a build. */
  run (watched.root, "mkdir out; echo 1 >out/p.c");
  wait_for (&watched, "a.c out/p.c");
  run (watched.root, "echo 1 >out/CMakeCache.txt");
  wait_for (&watched, "a.c");
  tear_down (&watched);
}

static void
test_rules (void)
{
  Watched watched;

  set_up (&watched, "echo 'gen*.c' >.gitignore; mkdir -p x/y; echo 1 >a.c; echo 1 >gen1.c; echo 1 >x/y/b.c");
  run (watched.root, "echo 1 >gen2.c; echo 1 >x/y/gen3.c; echo 1 >x/y/seen.c");
  wait_for (&watched, "a.c x/y/b.c x/y/seen.c");
  assert_told (&watched, "x/y/seen.c", "", "");
  run (watched.root, "echo '!gen3.c' >x/.gitignore");
  wait_for (&watched, "a.c x/y/b.c x/y/gen3.c x/y/seen.c");
  run (watched.root, "echo y/ >>x/.gitignore");
  wait_for (&watched, "a.c");
  run (watched.root, "rm x/.gitignore .gitignore");
  wait_for (&watched, "a.c gen1.c gen2.c x/y/b.c x/y/gen3.c x/y/seen.c");
  run (watched.root, "echo 1 >x/y/last.c");
  wait_for (&watched, "a.c gen1.c gen2.c x/y/b.c x/y/gen3.c x/y/last.c x/y/seen.c");
  tear_down (&watched);
}

/* Nothing is told of what doesn't matter. */
static void
test_quiet (void)
{
  Watched watched;

  set_up (&watched, "mkdir src; echo 1 >src/a.c");
  wait_for (&watched, "src/a.c");
  run (watched.root, "for i in 1 2 3 4 5; do echo $i >src/x.o; echo $i >src/log; done; mkdir src/build; touch src/build/b.c");
  run (watched.root, "echo 1 >src/b.c");
  wait_for (&watched, "src/a.c src/b.c");
  assert_told (&watched, "src/b.c", "", "");
  g_assert_cmpuint (watched.n_signals, ==, 1);
  tear_down (&watched);
}

/* A folder that another one has taken the place of, without a word from its own watch. */
static void
test_replaced (void)
{
  g_autofree char *path = g_dir_make_tmp ("callsight-watch-XXXXXX", NULL);
  g_autoptr (CsTreeRoot) root = cs_tree_root_new (path, NULL);
  g_autoptr (GHashTable) before = cs_tree_new_table ();
  g_autoptr (GHashTable) after = NULL;
  g_autoptr (GPtrArray) files = NULL;
  const char *const changed[] = { "", "not/there", NULL };

  run (path, "mkdir -p a/x b/y other/y; echo 1 >a/x/1.c; echo 1 >b/y/2.c; echo 1 >other/y/3.c");
  g_assert_true (cs_tree_scan (root, "", before, NULL, NULL));
  run (path, "rm -r b; mv other b; echo 1 >a/x/unseen.c");
  after = cs_tree_refresh (root, before, changed, NULL, NULL);
  files = cs_tree_list_files (after);
  g_assert_cmpuint (files->len, ==, 2);
  g_assert_cmpstr (((const CsSourceFile *) files->pdata[0])->path, ==, "a/x/1.c");
  g_assert_cmpstr (((const CsSourceFile *) files->pdata[1])->path, ==, "b/y/3.c");
  g_assert_true (g_hash_table_lookup (before, "a/x") == g_hash_table_lookup (after, "a/x"));
  run (path, "rm -rf \"$PWD\"");
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static void
test_async (void)
{
  g_autofree char *root = g_dir_make_tmp ("callsight-watch-XXXXXX", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (CsSourceTree) tree = NULL;
  GAsyncResult *result = NULL;
  g_autofree char *files = NULL;
  GError *error = NULL;

  run (root, "echo 1 >a.c");
  cs_source_tree_new_async (root, NULL, on_read, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  tree = cs_source_tree_new_finish (result, &error);
  g_clear_object (&result);
  g_assert_no_error (error);
  files = list (tree);
  g_assert_cmpstr (files, ==, "a.c");
  g_assert_true (g_str_has_suffix (cs_source_tree_get_root (tree), strrchr (root, '/')));

  g_cancellable_cancel (cancellable);
  cs_source_tree_new_async (root, cancellable, on_read, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (cs_source_tree_new_finish (result, &error));
  g_clear_object (&result);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  /* Let go of while it is being read again. */
  cs_source_tree_set_watching (tree, TRUE);
  for (guint i = 0; i < 200; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (2000);
    }
  run (root, "echo 1 >b.c");
  g_clear_object (&tree);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  run (root, "rm -rf \"$PWD\"");
}

/* In a user namespace, which has a limit of its own. */
static void
test_limit (void)
{
  g_auto (GStrv) warnings = NULL;
  Watched watched;

  if (g_getenv ("CALLSIGHT_LIMITED") == NULL)
    {
      g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
      g_autofree char *command = g_strdup_printf ("echo 5 >/proc/sys/user/max_inotify_watches && CALLSIGHT_LIMITED=1 exec "
                                                  "'%s' -p /watch/limit", self);
      const char *const argv[] = { "unshare", "--user", "--map-root-user", "sh", "-ec", command, NULL };
      g_autofree char *out = NULL;
      int status;

      if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out, NULL,
                         &status, NULL) || strstr (out, "1..") == NULL)
        g_test_skip ("no user namespace can be made here");
      else
        g_assert_cmpint (status, ==, 0);
      return;
    }
  set_up (&watched, "for i in 1 2 3 4 5 6 7 8 9; do mkdir d$i; echo 1 >d$i/a.c; done");
  while (watched.n_signals == 0)
    g_main_context_iteration (NULL, TRUE);
  assert_told (&watched, "", "", "");
  warnings = cs_source_tree_dup_warnings (watched.tree);
  g_assert_cmpuint (g_strv_length (warnings), ==, 1);
  g_assert_nonnull (strstr (warnings[0], "fs.inotify.max_user_watches"));
  tear_down (&watched);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/watch/files", test_files);
  g_test_add_func ("/watch/folders", test_folders);
  g_test_add_func ("/watch/rules", test_rules);
  g_test_add_func ("/watch/quiet", test_quiet);
  g_test_add_func ("/watch/replaced", test_replaced);
  g_test_add_func ("/watch/async", test_async);
  g_test_add_func ("/watch/limit", test_limit);
  return g_test_run ();
}
