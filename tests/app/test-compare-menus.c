/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "compare-fixture.h"

static GtkSelectionModel *
get_selection (Fixture *self)
{
  return gtk_column_view_get_model (cs_delta_table_get_view (cs_compare_view_get_table (self->view)));
}

static void
select_row (Fixture *self, guint64 address, gboolean alone)
{
  gtk_selection_model_select_item (get_selection (self), cs_delta_model_find (self->model, get_number (self, address)), alone);
}

static gboolean
is_enabled (Fixture *self, const char *name)
{
  return g_action_group_get_action_enabled (cs_view_get_actions (CS_VIEW (self->view)), name);
}

static void
on_text (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

/* What an action puts on the clipboard. */
static char *
dup_copied (Fixture *self, const char *action)
{
  char *text = NULL;

  act (self, action);
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (self->view)), NULL, on_text, &text);
  while (text == NULL)
    g_main_context_iteration (NULL, TRUE);
  return text;
}

static GtkWidget *
find_menu (GtkWidget *parent)
{
  for (GtkWidget *child = gtk_widget_get_first_child (parent); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER_MENU (child))
      return child;
  return NULL;
}

static guint
count_items (GMenuModel *menu)
{
  guint n = 0;

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);

      n += section != NULL ? (guint) g_menu_model_get_n_items (section) : 1;
    }
  return n;
}

/* The rows are copied as callsight-cli prints them: all of them in the same order, or a part. */
static void
test_copy (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *base = write_report (self->base, "json");
  g_autofree char *open = write_report (self->open, "json");
  const char *const argv[] = { "diff", base, open, "--format", "csv", NULL };
  g_autofree char *wanted = run_cli (argv);
  g_autofree char *all = NULL;
  g_autofree char *some = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  change (self, "hide-unchanged", g_variant_new_boolean (FALSE));
  gtk_selection_model_select_all (get_selection (self));
  all = dup_copied (self, "copy-csv");
  g_assert_cmpstr (all, ==, wanted);

  select_row (self, FRESH, TRUE);
  select_row (self, GONE, FALSE);
  some = dup_copied (self, "copy-csv");
  lines = g_strsplit (some, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 4);
  g_assert_true (g_str_has_prefix (lines[1], "0x5000,,,,new,,"));
  g_assert_true (g_str_has_prefix (lines[2], "0x4000,,,,gone,"));
  g_assert_cmpstr (lines[3], ==, "");
  for (guint i = 0; i < 3; i++)
    g_assert_nonnull (strstr (wanted, lines[i]));

  text = dup_copied (self, "copy");
  g_assert_true (g_str_has_prefix (text, "Function"));
  g_assert_nonnull (strstr (text, "0x5000"));
  g_assert_nonnull (strstr (text, "0x4000"));
  g_assert_null (strstr (text, "0x3000"));
  g_unlink (base);
  g_unlink (open);
}

/* With several rows selected things are about the first one that was. */
static void
test_several (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  CsDeltaTable *table = cs_compare_view_get_table (self->view);

  select_row (self, FRESH, TRUE);
  select_row (self, GONE, FALSE);
  g_assert_cmpuint (cs_delta_table_get_selected (table), ==, get_number (self, FRESH));
  select_row (self, SLOWER, FALSE);
  g_assert_cmpuint (cs_delta_table_get_selected (table), ==, get_number (self, FRESH));
  gtk_selection_model_unselect_item (get_selection (self), cs_delta_model_find (self->model, get_number (self, FRESH)));
  g_assert_cmpuint (cs_delta_table_get_selected (table), ==, get_number (self, SLOWER));
  gtk_selection_model_unselect_all (get_selection (self));
  g_assert_cmpuint (cs_delta_table_get_selected (table), ==, G_MAXUINT);
}

static void
test_rows (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  CsDeltaTable *table = cs_compare_view_get_table (self->view);
  g_autofree char *name = NULL;
  const CsSessionCall *call;

  /* What is gone can't be shown elsewhere. */
  select_row (self, GONE, TRUE);
  g_assert_false (is_enabled (self, "show"));
  g_assert_false (is_enabled (self, "show-longest"));
  g_assert_false (is_enabled (self, "open-editor"));
  name = dup_copied (self, "copy-name");
  g_assert_cmpstr (name, ==, "0x4000");

  select_row (self, SLOWER, TRUE);
  g_signal_emit_by_name (table, "menu", 10.0, 10.0);
  g_assert_nonnull (find_menu (GTK_WIDGET (table)));
  g_assert_cmpuint (count_items (gtk_popover_menu_get_menu_model (GTK_POPOVER_MENU (find_menu (GTK_WIDGET (table))))), ==, 7);
  gtk_popover_popdown (GTK_POPOVER (find_menu (GTK_WIDGET (table))));
  g_assert_true (is_enabled (self, "show"));
  g_action_group_activate_action (cs_view_get_actions (CS_VIEW (self->view)), "show", g_variant_new_string ("hotspots"));
  g_assert_cmpuint (cs_session_get_function (self->session), ==, get_session_function (self, SLOWER));

  /* Its longest call in the open recording took 202 ns. */
  g_assert_true (is_enabled (self, "show-longest"));
  act (self, "show-longest");
  call = cs_session_get_call (self->session);
  g_assert_nonnull (call);
  g_assert_cmpint (call->end - call->start, ==, 202);
}

static void
test_frames (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  CsDeltaFlame *flame = cs_compare_view_get_flame (self->view);
  CsFlameChart *chart = cs_delta_flame_get_chart (flame);

  /* Nothing can be done with all calls, or where no frame is. */
  g_signal_emit_by_name (chart, "menu-requested", 0, 10.0, 10.0);
  g_signal_emit_by_name (chart, "menu-requested", CS_FLAME_NONE, 10.0, 10.0);
  g_assert_null (find_menu (GTK_WIDGET (flame)));
  g_signal_emit_by_name (chart, "menu-requested", 1, 10.0, 10.0);
  g_assert_nonnull (find_menu (GTK_WIDGET (flame)));
  g_assert_cmpuint (count_items (gtk_popover_menu_get_menu_model (GTK_POPOVER_MENU (find_menu (GTK_WIDGET (flame))))), ==, 6);
  gtk_popover_popdown (GTK_POPOVER (find_menu (GTK_WIDGET (flame))));
  g_assert_cmpuint (cs_delta_table_get_selected (cs_compare_view_get_table (self->view)), ==, get_number (self, MAIN));
  g_assert_cmpuint (cs_flame_chart_get_focus (chart), ==, 0);
  act (self, "zoom");
  g_assert_cmpuint (cs_flame_chart_get_focus (chart), ==, 1);
}

/* Choices are remembered; a number that a base doesn't have is none of them. */
static void
test_choices (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *folded = NULL;
  g_autofree char *key = NULL;
  CsWindow *window;
  CsCompareView *view;
  GActionGroup *actions;
  g_autoptr (GVariant) shape = NULL;
  g_autoptr (GVariant) normalised = NULL;

  cs_compare_view_set_key (self->view, "p99_ns");
  cs_compare_view_set_threshold (self->view, "1000000000");
  settle (self);
  g_assert_cmpuint (get_n (self), ==, 0);
  change (self, "shape", g_variant_new_string ("base"));
  change (self, "normalised", g_variant_new_boolean (TRUE));
  settle (self);

  window = cs_window_new (NULL);
  cs_session_show_view (cs_window_get_session (window), "compare");
  view = CS_COMPARE_VIEW (cs_window_get_view (window, "compare"));
  actions = cs_view_get_actions (CS_VIEW (view));
  shape = g_action_group_get_action_state (actions, "shape");
  normalised = g_action_group_get_action_state (actions, "normalised");
  g_assert_cmpstr (cs_compare_view_get_key (view), ==, "p99_ns");
  g_assert_cmpstr (g_variant_get_string (shape, NULL), ==, "base");
  g_assert_true (g_variant_get_boolean (normalised));
  gtk_window_destroy (GTK_WINDOW (window));

  /* Folded stacks have the time that functions took themselves, and the threshold was in another unit. */
  folded = write_report (self->base, "folded");
  cs_session_set_base (self->session, folded);
  settle (self);
  g_assert_cmpint (cs_comparison_get_state (self->comparison), ==, CS_COMPARISON_READY);
  g_assert_cmpstr (cs_compare_view_get_key (self->view), ==, "self_ms");
  g_assert_cmpuint (get_n (self), >, 0);
  key = g_settings_get_string (cs_settings_get (), "compare-key");
  g_assert_cmpstr (key, ==, "p99_ns");
  g_unlink (folded);
}

/* A table without rows says why. */
static void
test_nothing (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  CsDeltaTable *table = cs_compare_view_get_table (self->view);

  g_assert_cmpstr (cs_delta_table_get_nothing (table), ==, "");
  cs_session_set_search (self->session, "no such function", FALSE);
  settle (self);
  g_assert_nonnull (strstr (cs_delta_table_get_nothing (table), "searched for"));
  cs_session_set_search (self->session, "", FALSE);
  cs_compare_view_set_threshold (self->view, "1000000");
  settle (self);
  g_assert_nonnull (strstr (cs_delta_table_get_nothing (table), "threshold"));
  cs_compare_view_set_threshold (self->view, "");
  settle (self);
  g_assert_cmpstr (cs_delta_table_get_nothing (table), ==, "");
  cs_session_set_base (self->session, self->open);
  settle (self);
  g_assert_nonnull (strstr (cs_delta_table_get_nothing (table), "Hide Unchanged"));
  change (self, "hide-unchanged", g_variant_new_boolean (FALSE));
  g_assert_cmpstr (cs_delta_table_get_nothing (table), ==, "");
}

/* How far what can be pressed, chosen or typed into reaches beyond the view. */
static void
find_cut (GtkWidget *widget, GtkWidget *view, double width, GString *cut)
{
  if (!gtk_widget_get_visible (widget) || !gtk_widget_get_child_visible (widget) || GTK_IS_POPOVER (widget))
    return;
  if (GTK_IS_BUTTON (widget) || GTK_IS_DROP_DOWN (widget) || GTK_IS_ENTRY (widget))
    {
      graphene_rect_t place;

      if (gtk_widget_compute_bounds (widget, view, &place) &&
          (place.origin.x < -1 || place.origin.x + place.size.width > width + 1))
        g_string_append_printf (cut, "%s %s at %.0f + %.0f, ", G_OBJECT_TYPE_NAME (widget),
                                GTK_IS_BUTTON (widget) ? gtk_button_get_label (GTK_BUTTON (widget)) : "",
                                (double) place.origin.x, (double) place.size.width);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    find_cut (child, view, width, cut);
}

static char *
dup_cut (Fixture *self, int width)
{
  GString *cut = g_string_new (NULL);
  GtkWidget *view = GTK_WIDGET (self->view);

  gtk_widget_measure (view, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_allocate (view, width, 600, -1, NULL);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (cs_compare_view_get_table (self->view))), >, 0);
  find_cut (gtk_widget_get_first_child (view), view, width, cut);
  return g_string_free (cut, FALSE);
}

/* It fits into a narrow window: durations are shown above the table on demand, bars leave out what explains, and of what
   can be pressed nothing is cut beside the sidebar of a window of 800 pixels. */
static void
test_narrow (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *cut = NULL;
  g_autofree char *cut_wide = NULL;
  int width;

  gtk_widget_measure (GTK_WIDGET (self->view), GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  g_assert_cmpint (width, <=, 420);
  cut_wide = dup_cut (self, 1200);
  g_assert_cmpstr (cut_wide, ==, "");
  cut = dup_cut (self, 530);
  g_assert_cmpstr (cut, ==, "");
}

int
main (int argc, char *argv[])
{
  test_init_display (&argc, &argv);
#define ADD(name) g_test_add ("/compare-menus/" #name, Fixture, NULL, set_up, test_##name, tear_down)
  ADD (copy);
  ADD (several);
  ADD (rows);
  ADD (frames);
  ADD (choices);
  ADD (narrow);
  ADD (nothing);
#undef ADD
  return g_test_run ();
}
