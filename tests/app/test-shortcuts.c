/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "test-display.h"
#include "window/cs-application.h"
#include "window/cs-recordings-list.h"
#include "window/cs-shortcuts.h"
#include "window/cs-window.h"

/* Actions without a key of their own: widgets handle their keys, or they are in a menu with others. Those with a
 * parameter that the table doesn't tell never have one. */
static const char *const without_key[] = {
  "app.about",
  "win.cancel-reading", /* the button of the page has the focus */
  "win.set-up-project",
  "recordings.open",
  "recordings.compare",
  "recordings.rename",
  "recordings.note",
  "recordings.show-folder",
  "recordings.trash",
  "select.undo",
  "select.redo",
  "record.show-build",
  "record.show-run", /* the button of a message */
  "hotspots.column-*",
  "hotspots.copy",
  "hotspots.copy-name",
  "hotspots.exclude",
  "hotspots.focus",
  "hotspots.reset-columns",
  "hotspots.undo-exclude",
  "timeline.*", /* letters, which entries need: the view handles them */
  "compare.cancel", /* the buttons of the page have the focus */
  "compare.retry",
  "compare.collapse",
  "compare.copy",
  "compare.copy-csv",
  "compare.copy-name",
  "compare.export",
  "compare.flame",
  "compare.log-counts",
  "compare.open-editor",
  "compare.shares",
  "compare.show-longest",
  "compare.zoom",
  "flame-graph.clear-filters", /* the button of the page has the focus */
  "flame-graph.copy-name",
  "flame-graph.copy-stack",
  "flame-graph.exclude",
  "flame-graph.filter-function",
  "flame-graph.find-next",
  "flame-graph.find-previous",
  "flame-graph.filter-thread",
  "flame-graph.focus",
  "flame-graph.hide-module",
  "flame-graph.only-function",
  "flame-graph.only-module",
  "flame-graph.open-editor",
  "flame-graph.select-function",
  "flame-graph.undo-exclude",
  "flame-graph.up",
  "calls.copy",
  "calls.copy-csv",
  "calls.expand-below",
  "calls.find-next",
  "calls.find-previous",
  "calls.open-editor",
  "calls.parent",
  "calls.show-hotspots", /* the button of the page has the focus */
  "calls.show-in-timeline",
  NULL,
};

static const char *const views[] = { "welcome", "select", "record", "hotspots", "flame-graph", "timeline",
                                     "calls", "compare" };

static guint n_complaints;

/* All are told before a test fails. */
static G_GNUC_PRINTF (1, 2) void
complain (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_printerr ("%s\n", text);
  n_complaints++;
}

static void
assert_no_complaints (void)
{
  guint n = n_complaints;

  n_complaints = 0;
  g_assert_cmpuint (n, ==, 0);
}

static gpointer
find_widget (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      gpointer found = find_widget (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
needs_no_key (const char *name)
{
  for (guint i = 0; without_key[i] != NULL; i++)
    if (g_pattern_match_simple (without_key[i], name))
      return TRUE;
  return FALSE;
}

/* Those with a parameter are true. */
static void
add_group (GHashTable *names, const char *prefix, GActionGroup *group)
{
  g_auto (GStrv) actions = g_action_group_list_actions (group);

  for (guint i = 0; actions[i] != NULL; i++)
    g_hash_table_insert (names, g_strdup_printf ("%s.%s", prefix, actions[i]),
                         GINT_TO_POINTER (g_action_group_get_action_parameter_type (group, actions[i]) != NULL));
}

/* The names of all actions that there are. */
static GHashTable *
list_actions (GApplication *application, CsWindow *window)
{
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  CsRecordingsList *list = find_widget (GTK_WIDGET (window), CS_TYPE_RECORDINGS_LIST);

  add_group (names, "app", G_ACTION_GROUP (application));
  add_group (names, "win", G_ACTION_GROUP (window));
  add_group (names, "recordings", cs_recordings_list_get_actions (list));
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      CsView *view = cs_window_get_view (window, views[i]);

      if (cs_view_get_actions (view) != NULL)
        add_group (names, cs_view_get_action_prefix (view), cs_view_get_actions (view));
    }
  return names;
}

static char *
dup_name (const CsShortcut *shortcut)
{
  char *name = NULL;
  GVariant *target = NULL;

  g_assert_true (g_action_parse_detailed_name (shortcut->action, &name, &target, NULL));
  g_clear_pointer (&target, g_variant_unref);
  return name;
}

/* A window of a program that is started as always. */
static CsWindow *
start (GApplication **application)
{
  g_autoptr (GError) error = NULL;

  *application = G_APPLICATION (cs_application_new ());
  g_application_set_flags (*application, g_application_get_flags (*application) | G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (*application, NULL, &error));
  return cs_window_new (GTK_APPLICATION (*application));
}

static void
stop (GApplication *application, CsWindow *window)
{
  gtk_window_destroy (GTK_WINDOW (window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (application);
}

static void
test_actions (void)
{
  SKIP_WITHOUT_DISPLAY ();
  GApplication *application;
  CsWindow *window = start (&application);
  g_autoptr (GHashTable) there = list_actions (application, window);
  g_autoptr (GHashTable) told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  const char *name;
  gpointer has_parameter;
  guint n;
  const CsShortcut *shortcuts = cs_shortcuts_get (&n);

  for (guint i = 0; i < n; i++)
    {
      char *action = shortcuts[i].action != NULL ? dup_name (&shortcuts[i]) : NULL;

      if (action == NULL)
        continue;
      /* GTK's own. */
      if (!g_str_has_prefix (action, "window.") && !g_hash_table_contains (there, action))
        complain ("%s is in the table of shortcuts and nowhere else", action);
      g_hash_table_add (told, action);
    }
  g_hash_table_iter_init (&iter, there);
  while (g_hash_table_iter_next (&iter, (gpointer *) &name, &has_parameter))
    if (!GPOINTER_TO_INT (has_parameter) && g_hash_table_contains (told, name) == needs_no_key (name))
      complain ("%s has to have a key in the table of shortcuts, or to be named here", name);
  for (guint i = 0; without_key[i] != NULL; i++)
    if (strchr (without_key[i], '*') == NULL && !g_hash_table_contains (there, without_key[i]))
      complain ("%s isn't there any more", without_key[i]);
  stop (application, window);
  assert_no_complaints ();
}

/* Keys as GTK writes them, so that two spellings of one are the same. */
static char **
split_keys (const CsShortcut *shortcut)
{
  char **keys = g_strsplit (shortcut->keys, " ", -1);

  for (guint i = 0; keys[i] != NULL; i++)
    {
      GdkModifierType modifiers;
      guint key;

      if (!gtk_accelerator_parse (keys[i], &key, &modifiers) || key == 0)
        complain ("%s: no key: %s", shortcut->title, keys[i]);
      g_free (keys[i]);
      keys[i] = gtk_accelerator_name (key, modifiers);
    }
  g_assert_nonnull (keys[0]);
  return keys;
}

/* A key means one thing: those of actions work everywhere, and what a widget takes is one thing in its group. */
static void
test_unique (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autoptr (GHashTable) everywhere = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) grouped = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n;
  const CsShortcut *shortcuts = cs_shortcuts_get (&n);

  for (guint i = 0; i < n; i++)
    {
      g_auto (GStrv) keys = split_keys (&shortcuts[i]);

      for (guint j = 0; shortcuts[i].action != NULL && keys[j] != NULL; j++)
        if (!g_hash_table_add (everywhere, g_strdup (keys[j])))
          complain ("%s: %s is taken", shortcuts[i].action, keys[j]);
    }
  for (guint i = 0; i < n; i++)
    {
      g_auto (GStrv) keys = split_keys (&shortcuts[i]);

      for (guint j = 0; shortcuts[i].action == NULL && keys[j] != NULL; j++)
        if (g_hash_table_contains (everywhere, keys[j])
            || !g_hash_table_add (grouped, g_strdup_printf ("%s %s", shortcuts[i].group, keys[j])))
          complain ("%s: %s is taken", shortcuts[i].title, keys[j]);
    }
  assert_no_complaints ();
}

static void
test_applied (void)
{
  SKIP_WITHOUT_DISPLAY ();
  GApplication *application;
  CsWindow *window = start (&application);
  guint n;
  const CsShortcut *shortcuts = cs_shortcuts_get (&n);

  for (guint i = 0; i < n; i++)
    {
      g_auto (GStrv) keys = split_keys (&shortcuts[i]);
      g_auto (GStrv) set = NULL;

      if (shortcuts[i].action == NULL)
        continue;
      set = gtk_application_get_accels_for_action (GTK_APPLICATION (application), shortcuts[i].action);
      g_assert_cmpstrv (set, keys);
    }
  stop (application, window);
}

static void
collect (GtkWidget *widget, GType type, GPtrArray *found)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    collect (child, type, found);
}

/* All stand in the help overlay, in their groups. */
static void
test_overlay (void)
{
  SKIP_WITHOUT_DISPLAY ();
  GApplication *application;
  CsWindow *window = start (&application);
  g_autoptr (GHashTable) shown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) groups = g_ptr_array_new ();
  GtkShortcutsWindow *overlay = cs_shortcuts_make_window (NULL);
  guint n, n_shown = 0, n_told = 0;
  const CsShortcut *shortcuts = cs_shortcuts_get (&n);

  gtk_window_set_transient_for (GTK_WINDOW (overlay), GTK_WINDOW (window));
  gtk_window_present (GTK_WINDOW (overlay));
  collect (GTK_WIDGET (overlay), GTK_TYPE_SHORTCUTS_GROUP, groups);
  for (guint i = 0; i < groups->len; i++)
    {
      g_autofree char *title = NULL;
      g_autoptr (GPtrArray) rows = g_ptr_array_new ();

      g_object_get (groups->pdata[i], "title", &title, NULL);
      collect (groups->pdata[i], GTK_TYPE_SHORTCUTS_SHORTCUT, rows);
      for (guint j = 0; j < rows->len; j++)
        {
          g_autofree char *text = NULL;
          g_autofree char *keys = NULL;

          g_object_get (rows->pdata[j], "title", &text, "accelerator", &keys, NULL);
          /* A list of groups may hold the same more than once. */
          n_shown += g_hash_table_add (shown, g_strdup_printf ("%s|%s|%s", title, text, keys));
        }
    }
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *wanted = g_strdup_printf ("%s|%s|%s", shortcuts[i].group, shortcuts[i].title, shortcuts[i].keys);

      if (shortcuts[i].title == NULL)
        continue;
      n_told++;
      if (!g_hash_table_contains (shown, wanted))
        complain ("%s isn't in the help overlay", wanted);
    }
  assert_no_complaints ();
  g_assert_cmpuint (n_shown, ==, n_told);
  gtk_window_destroy (GTK_WINDOW (overlay));
  g_object_unref (overlay);
  stop (application, window);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/shortcuts/actions", test_actions);
  g_test_add_func ("/app/shortcuts/unique", test_unique);
  g_test_add_func ("/app/shortcuts/applied", test_applied);
  g_test_add_func ("/app/shortcuts/overlay", test_overlay);
  return g_test_run ();
}
