/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "select/cs-file-tree.h"
#include "select/cs-source-rows.h"
#include "select-fixture.h"

#define N_FILES 40
#define N_FUNCTIONS 12 /* of each */
#define SEEN 200       /* rows that a list has widgets for */

/* Follows a list model by its signals, as a list does: what it is told of is all that it looks at. It has items for some
 * rows, and asks for those that it lacks as soon as it is told of a change. */
typedef struct
{
  GListModel *model;
  guint first;     /* row that is seen */
  GPtrArray *rows; /* (element-type GObject) (nullable): NULL: nobody has looked yet */
} Follower;

static void
unref_item (gpointer item)
{
  if (item != NULL)
    g_object_unref (item);
}

static void
follower_look (Follower *self)
{
  for (guint i = self->first; i < MIN (self->rows->len, self->first + SEEN); i++)
    if (self->rows->pdata[i] == NULL)
      {
        self->rows->pdata[i] = g_list_model_get_item (self->model, i);
        g_assert_nonnull (self->rows->pdata[i]);
      }
}

static void
follower_on_items_changed (GListModel *model, guint position, guint removed, guint added, Follower *self)
{
  g_assert_cmpuint (position + removed, <=, self->rows->len);
  if (removed > 0)
    g_ptr_array_remove_range (self->rows, position, removed);
  for (guint i = 0; i < added; i++)
    g_ptr_array_insert (self->rows, (int) position, NULL);
  g_assert_cmpuint (self->rows->len, ==, g_list_model_get_n_items (model));
  g_assert_null (g_list_model_get_item (model, self->rows->len));
  follower_look (self);
}

static void
follower_start (Follower *self, GListModel *model)
{
  self->model = model;
  self->rows = g_ptr_array_new_with_free_func (unref_item);
  g_ptr_array_set_size (self->rows, (int) g_list_model_get_n_items (model));
  g_signal_connect (model, "items-changed", G_CALLBACK (follower_on_items_changed), self);
  follower_look (self);
}

static void
follower_stop (Follower *self)
{
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  self->model = NULL;
}

/* What it has is what the model holds. */
static void
follower_check (Follower *self)
{
  g_assert_cmpuint (self->rows->len, ==, g_list_model_get_n_items (self->model));
  for (guint i = 0; i < self->rows->len; i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (self->model, i);

      g_assert_nonnull (item);
      if (self->rows->pdata[i] != NULL)
        g_assert_true (self->rows->pdata[i] == item);
    }
}

static char *
make_file (guint file)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < N_FUNCTIONS; i++)
    g_string_append_printf (text, "int\nf%02u_%02u (void)\n{\n  return 1;\n}\n", file, i);
  return g_string_free (text, FALSE);
}

static char *
make_project (void)
{
  char *folder = fixture_new_folder ();

  for (guint i = 0; i < N_FILES; i++)
    {
      g_autofree char *name = g_strdup_printf ("part%u/file%02u.c", i / 10, i);
      g_autofree char *text = make_file (i);

      fixture_write (folder, name, text);
    }
  return folder;
}

static gboolean
is_settled (CsChooser *chooser)
{
  return cs_chooser_get_state (chooser) == CS_CHOOSER_READY && !cs_chooser_get_choosing (chooser)
         && !cs_chooser_get_editing (chooser);
}

static void
drain (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    continue;
}

static CsChooser *
open_chooser (const char *folder)
{
  CsChooser *chooser = cs_chooser_new (folder, NULL);

  cs_chooser_load (chooser);
  WAIT_FOR (is_settled (chooser));
  return chooser;
}

static void
check_functions (Follower *follower, CsChooser *chooser)
{
  follower_check (follower);
  for (guint i = follower->first; i < MIN (follower->rows->len, follower->first + SEEN); i++)
    {
      CsSourceRow *row = follower->rows->pdata[i];
      guint file = cs_source_row_get_file (row), n;

      g_assert_cmpuint (file, <, cs_chooser_get_n_files (chooser));
      cs_chooser_get_functions (chooser, file, &n);
      g_assert_true (cs_source_row_is_heading (row) || cs_source_row_get_nth (row) < n);
    }
}

/* Rows that go make room for others that nobody had looked at before. */
static void
test_functions_go (gconstpointer first)
{
  g_autofree char *folder = make_project ();
  g_autoptr (CsChooser) chooser = open_chooser (folder);
  g_autoptr (CsSourceRows) rows = cs_source_rows_new (chooser);
  Follower follower = { .first = GPOINTER_TO_UINT (first) };
  GRand *random = g_rand_new_with_seed (7);

  WAIT_FOR (!cs_source_rows_get_filtering (rows) && g_list_model_get_n_items (G_LIST_MODEL (rows)) == N_FILES * (N_FUNCTIONS + 1));
  follower_start (&follower, G_LIST_MODEL (rows));
  for (guint i = 0; i < 30; i++)
    {
      guint32 file = (guint32) g_rand_int_range (random, 0, N_FILES);

      cs_chooser_set_files (chooser, &file, 1, g_rand_boolean (random));
      WAIT_FOR (is_settled (chooser));
      drain ();
      check_functions (&follower, chooser);
    }
  cs_chooser_set_folder (chooser, CS_CHOOSER_ROOT, FALSE);
  WAIT_FOR (is_settled (chooser));
  drain ();
  g_assert_cmpuint (follower.rows->len, ==, 0);
  follower_stop (&follower);
  g_rand_free (random);
  cs_chooser_close (chooser);
  fixture_remove (folder);
}

/* Filters, and functions that come while their files are scanned. */
static void
test_functions_come (void)
{
  g_autofree char *folder = make_project ();
  g_autoptr (CsChooser) chooser = cs_chooser_new (folder, NULL);
  g_autoptr (CsSourceRows) rows = cs_source_rows_new (chooser);
  Follower follower = { 0 };

  follower_start (&follower, G_LIST_MODEL (rows));
  cs_chooser_load (chooser);
  WAIT_FOR (is_settled (chooser) && !cs_source_rows_get_filtering (rows)
            && g_list_model_get_n_items (G_LIST_MODEL (rows)) == N_FILES * (N_FUNCTIONS + 1));
  check_functions (&follower, chooser);
  cs_source_rows_set_filter (rows, "_07");
  WAIT_FOR (!cs_source_rows_get_filtering (rows));
  drain ();
  check_functions (&follower, chooser);
  g_assert_cmpuint (follower.rows->len, ==, N_FILES * 2);
  cs_source_rows_set_filter (rows, "");
  cs_source_rows_set_scope (rows, "part2", TRUE);
  WAIT_FOR (!cs_source_rows_get_filtering (rows));
  drain ();
  check_functions (&follower, chooser);
  g_assert_cmpuint (follower.rows->len, ==, 10 * (N_FUNCTIONS + 1));
  follower_stop (&follower);
  cs_chooser_close (chooser);
  fixture_remove (folder);
}

/* A list of the tree's rows, of which each has the file or folder that it shows. */
typedef struct
{
  CsFileTree *tree;
  Follower follower;
  GHashTable *items; /* (element-type GtkTreeListRow CsFileItem) */
} TreeList;

static void
tree_list_look (TreeList *self)
{
  for (guint i = self->follower.first; i < MIN (self->follower.rows->len, self->follower.first + SEEN); i++)
    {
      GtkTreeListRow *row = self->follower.rows->pdata[i];

      if (row != NULL && !g_hash_table_contains (self->items, row))
        g_hash_table_insert (self->items, g_object_ref (row), gtk_tree_list_row_get_item (row));
    }
}

static void
tree_list_detach (TreeList *self)
{
  if (self->follower.model != NULL)
    g_signal_handlers_disconnect_by_func (self->follower.model, tree_list_look, self);
  follower_stop (&self->follower);
  g_hash_table_remove_all (self->items);
}

static void
tree_list_attach (TreeList *self)
{
  follower_start (&self->follower, G_LIST_MODEL (cs_file_tree_get_rows (self->tree)));
  g_signal_connect_swapped (self->follower.model, "items-changed", G_CALLBACK (tree_list_look), self);
  tree_list_look (self);
}

static void
tree_list_check (TreeList *self, CsChooser *chooser)
{
  follower_check (&self->follower);
  for (guint i = self->follower.first; i < MIN (self->follower.rows->len, self->follower.first + SEEN); i++)
    {
      CsFileItem *shown = g_hash_table_lookup (self->items, self->follower.rows->pdata[i]);
      g_autoptr (CsFileItem) item = gtk_tree_list_row_get_item (self->follower.rows->pdata[i]);
      guint number = cs_file_item_get_number (shown);

      g_assert_true (shown == item);
      g_assert_cmpuint (number, !=, CS_CHOOSER_NONE);
      if (cs_file_item_is_folder (shown))
        g_assert_cmpstr (cs_chooser_get_folder (chooser, number)->path, ==, cs_file_item_get_path (shown));
      else
        g_assert_cmpstr (cs_chooser_get_file (chooser, number)->path, ==, cs_file_item_get_path (shown));
    }
}

static void
expand_all (CsFileTree *tree)
{
  GListModel *rows = G_LIST_MODEL (cs_file_tree_get_rows (tree));

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (rows, i);

      cs_file_tree_set_expanded (tree, row, TRUE);
    }
}

/* Files that come and go where nobody looks move others into sight. */
static void
test_files_go (gconstpointer first)
{
  g_autofree char *folder = fixture_new_folder ();
  g_autoptr (CsChooser) chooser = NULL;
  g_autoptr (CsFileTree) tree = NULL;
  TreeList list = { .follower.first = GPOINTER_TO_UINT (first) };

  for (guint i = 0; i < 330; i++)
    {
      g_autofree char *name = g_strdup_printf ("part%u/file%03u.c", i / 110, i);

      fixture_write (folder, name, "int\nf (void)\n{\n  return 1;\n}\n");
    }
  chooser = open_chooser (folder);
  tree = cs_file_tree_new (chooser);
  drain ();
  expand_all (tree);
  list.tree = tree;
  list.items = g_hash_table_new_full (NULL, NULL, g_object_unref, g_object_unref);
  g_signal_connect_swapped (tree, "detach", G_CALLBACK (tree_list_detach), &list);
  g_signal_connect_swapped (tree, "attach", G_CALLBACK (tree_list_attach), &list);
  tree_list_attach (&list);
  g_assert_cmpuint (list.follower.rows->len, ==, 333);
  tree_list_check (&list, chooser);

  /* One goes that has a widget, others come above and below. */
  for (guint round = 0; round < 4; round++)
    {
      guint before = cs_chooser_get_n_files (chooser);
      g_autofree char *gone = g_strdup_printf ("%s/part%u/file%03u.c", folder, round % 3, round % 3 * 110 + 20 + round);
      g_autofree char *more = g_strdup_printf ("part%u/file%03u_more.c", 2 - round % 3, (2 - round % 3) * 110 + 5);
      g_autofree char *most = g_strdup_printf ("part%u/file%03u_more.c", 2 - round % 3, (2 - round % 3) * 110 + 6);

      if (round != 2)
        g_assert_no_errno (g_unlink (gone));
      if (round != 0)
        {
          fixture_write (folder, more, "int\ng (void)\n{\n  return 1;\n}\n");
          fixture_write (folder, most, "int\ng (void)\n{\n  return 1;\n}\n");
        }
      WAIT_FOR (cs_chooser_get_n_files (chooser) == before + (round != 0 ? 2 : 0) - (round != 2 ? 1 : 0)
                && is_settled (chooser));
      drain ();
      tree_list_check (&list, chooser);
    }
  cs_file_tree_set_filter (tree, "more");
  WAIT_FOR (!cs_file_tree_get_filtering (tree));
  drain ();
  tree_list_check (&list, chooser);
  cs_file_tree_set_filter (tree, "");
  WAIT_FOR (!cs_file_tree_get_filtering (tree));
  drain ();
  tree_list_check (&list, chooser);
  tree_list_detach (&list);
  g_signal_handlers_disconnect_by_data (tree, &list);
  g_hash_table_unref (list.items);
  cs_chooser_close (chooser);
  fixture_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/app/select/models/functions-go", GUINT_TO_POINTER (0), test_functions_go);
  g_test_add_data_func ("/app/select/models/functions-go-scrolled", GUINT_TO_POINTER (100), test_functions_go);
  g_test_add_func ("/app/select/models/functions-come", test_functions_come);
  g_test_add_data_func ("/app/select/models/files-go", GUINT_TO_POINTER (0), test_files_go);
  g_test_add_data_func ("/app/select/models/files-go-scrolled", GUINT_TO_POINTER (100), test_files_go);
  return g_test_run ();
}
