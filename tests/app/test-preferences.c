/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "shared/cs-function-name.h"
#include "shared/cs-settings.h"
#include "test-display.h"
#include "window/cs-preferences.h"

static gpointer
get (CsPreferences *window, const char *name)
{
  gpointer child = gtk_widget_get_template_child (GTK_WIDGET (window), CS_TYPE_PREFERENCES, name);

  g_assert_nonnull (child);
  return child;
}

static void
assert_text (const char *key, const char *value)
{
  g_autofree char *text = g_settings_get_string (cs_settings_get (), key);

  g_assert_cmpstr (text, ==, value);
}

/* Every number has a range. */
static void
test_schema (void)
{
  GSettings *settings = cs_settings_get ();
  g_autoptr (GSettingsSchema) schema = NULL;
  g_auto (GStrv) keys = NULL;

  g_object_get (settings, "settings-schema", &schema, NULL);
  keys = g_settings_schema_list_keys (schema);
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autoptr (GSettingsSchemaKey) key = g_settings_schema_get_key (schema, keys[i]);
      g_autoptr (GVariant) range = g_settings_schema_key_get_range (key);
      const char *kind;

      g_test_message ("%s", keys[i]);
      g_variant_get_child (range, 0, "&s", &kind);
      if (!g_variant_type_equal (g_settings_schema_key_get_value_type (key), G_VARIANT_TYPE_BOOLEAN)
          && !g_variant_type_equal (g_settings_schema_key_get_value_type (key), G_VARIANT_TYPE_STRING)
          && !g_variant_type_is_container (g_settings_schema_key_get_value_type (key)))
        g_assert_cmpstr (kind, ==, "range");
    }
}

static void
assert_choices (CsPreferences *window, const char *row, const char *key, const char *const *values)
{
  AdwComboRow *combo = get (window, row);

  g_assert_cmpuint (g_list_model_get_n_items (adw_combo_row_get_model (combo)), ==, g_strv_length ((char **) values));
  for (guint i = 0; values[i] != NULL; i++)
    {
      adw_combo_row_set_selected (combo, i);
      assert_text (key, values[i]);
    }
  /* And the other way. */
  g_settings_set_string (cs_settings_get (), key, values[0]);
  g_assert_cmpuint (adw_combo_row_get_selected (combo), ==, 0);
  g_settings_reset (cs_settings_get (), key);
}

static void
test_choices (void)
{
  SKIP_WITHOUT_DISPLAY ();
  CsPreferences *window = cs_preferences_new (NULL);

  gtk_window_present (GTK_WINDOW (window));
  assert_choices (window, "color_scheme", "color-scheme", (const char *const[]) { "system", "light", "dark", NULL });
  assert_choices (window, "color_by", "color-by", (const char *const[]) { "function", "module", NULL });
  assert_choices (window, "run_mode", "run-mode", (const char *const[]) { "events", "summary", NULL });
  assert_choices (window, "run_format", "run-format", (const char *const[]) { "packed", "records", NULL });
  assert_choices (window, "run_policy", "run-policy", (const char *const[]) { "stop", "wrap", NULL });
  assert_choices (window, "run_clock", "run-clock", (const char *const[]) { "auto", "mono", "raw", "tsc", NULL });
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_numbers (void)
{
  SKIP_WITHOUT_DISPLAY ();
  CsPreferences *window = cs_preferences_new (NULL);
  GtkSpinButton *budget = get (window, "run_budget_mb");
  GtkSpinButton *timeout = get (window, "run_timeout");

  g_assert_cmpint (gtk_spin_button_get_value_as_int (budget), ==, 512);
  gtk_spin_button_set_value (budget, 64);
  g_assert_cmpuint (g_settings_get_uint (cs_settings_get (), "run-budget-mb"), ==, 64);
  /* Larger than what the schema takes. */
  gtk_spin_button_set_value (budget, 1e12);
  g_assert_cmpuint (g_settings_get_uint (cs_settings_get (), "run-budget-mb"), ==, 1048576);
  gtk_spin_button_set_value (timeout, 3);
  g_assert_cmpuint (g_settings_get_uint (cs_settings_get (), "run-timeout"), ==, 3);
  gtk_spin_button_set_value (timeout, -3);
  g_assert_cmpuint (g_settings_get_uint (cs_settings_get (), "run-timeout"), ==, 0);
  g_settings_reset (cs_settings_get (), "run-budget-mb");
  g_settings_reset (cs_settings_get (), "run-timeout");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The colour scheme counts at once. */
static void
test_color_scheme (void)
{
  SKIP_WITHOUT_DISPLAY ();
  AdwStyleManager *manager = adw_style_manager_get_default ();

  cs_preferences_follow_color_scheme ();
  g_assert_false (adw_style_manager_get_dark (manager));
  g_settings_set_string (cs_settings_get (), "color-scheme", "dark");
  g_assert_true (adw_style_manager_get_dark (manager));
  g_settings_set_string (cs_settings_get (), "color-scheme", "light");
  g_assert_false (adw_style_manager_get_dark (manager));
  g_settings_reset (cs_settings_get (), "color-scheme");
  g_assert_cmpint (adw_style_manager_get_color_scheme (manager), ==, ADW_COLOR_SCHEME_DEFAULT);
}

static void
enter (CsPreferences *window, const char *command)
{
  AdwEntryRow *row = get (window, "editor_command");

  gtk_editable_set_text (GTK_EDITABLE (row), command);
  g_signal_emit_by_name (row, "apply");
}

/* A command that can't be run isn't kept, and is said to be wrong until it is changed. */
static void
test_editor (void)
{
  SKIP_WITHOUT_DISPLAY ();
  CsPreferences *window = cs_preferences_new (NULL);
  GtkWidget *row = get (window, "editor_command");
  GtkLabel *problem = get (window, "editor_problem");
  GtkRevealer *revealer = get (window, "editor_problem_revealer");

  gtk_window_present (GTK_WINDOW (window));
  enter (window, "sh {file}");
  assert_text ("editor-command", "sh {file}");
  g_assert_false (gtk_revealer_get_reveal_child (revealer));

  enter (window, "no-such-editor {file}");
  assert_text ("editor-command", "sh {file}");
  g_assert_true (gtk_revealer_get_reveal_child (revealer));
  g_assert_nonnull (g_strrstr (gtk_label_get_text (problem), "no-such-editor"));
  g_assert_true (gtk_widget_has_css_class (row, "error"));
  gtk_test_accessible_assert_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_INVALID, GTK_ACCESSIBLE_INVALID_TRUE);

  gtk_editable_set_text (GTK_EDITABLE (row), "sh");
  g_assert_false (gtk_revealer_get_reveal_child (revealer));
  g_assert_false (gtk_widget_has_css_class (row, "error"));
  enter (window, "");
  assert_text ("editor-command", "");
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_names (void)
{
  SKIP_WITHOUT_DISPLAY ();
  CsPreferences *window = cs_preferences_new (NULL);
  GSettings *settings = cs_settings_get ();
  AdwComboRow *templates = get (window, "templates");
  GtkWidget *depth_row = get (window, "template_depth_row");
  GtkSpinButton *depth = get (window, "template_depth");
  GtkLabel *example = get (window, "example");
  g_autofree char *whole = g_strdup (gtk_label_get_text (example));
  g_autofree char *name = NULL;

  g_assert_false (gtk_widget_get_visible (depth_row));
  adw_combo_row_set_selected (templates, 1);
  g_assert_cmpint (g_settings_get_int (settings, "template-depth"), ==, 1);
  g_assert_true (gtk_widget_get_visible (depth_row));
  gtk_spin_button_set_value (depth, 0);
  g_assert_cmpint (g_settings_get_int (settings, "template-depth"), ==, 0);
  g_assert_cmpstr (gtk_label_get_text (example), ==, "store::Index<…>::find(int) const");
  gtk_switch_set_active (get (window, "show_parameters"), FALSE);
  g_assert_cmpstr (gtk_label_get_text (example), ==, "store::Index<…>::find");
  gtk_switch_set_active (get (window, "show_namespaces"), FALSE);
  g_assert_cmpstr (gtk_label_get_text (example), ==, "find");
  name = cs_function_name_shorten ("ns::f(int)");
  g_assert_cmpstr (name, ==, "f");
  adw_combo_row_set_selected (templates, 0);
  g_assert_cmpint (g_settings_get_int (settings, "template-depth"), ==, -1);
  g_assert_false (gtk_widget_get_visible (depth_row));
  g_settings_reset (settings, "show-parameters");
  g_settings_reset (settings, "show-namespaces");
  g_assert_cmpstr (gtk_label_get_text (example), ==, whole);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/preferences/schema", test_schema);
  g_test_add_func ("/app/preferences/choices", test_choices);
  g_test_add_func ("/app/preferences/numbers", test_numbers);
  g_test_add_func ("/app/preferences/color-scheme", test_color_scheme);
  g_test_add_func ("/app/preferences/editor", test_editor);
  g_test_add_func ("/app/preferences/names", test_names);
  return g_test_run ();
}
