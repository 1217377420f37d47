/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-preferences.h"
#include "shared/cs-editor.h"
#include "shared/cs-function-name.h"
#include "shared/cs-input.h"
#include "shared/cs-settings.h"

struct _CsPreferences
{
  AdwPreferencesWindow parent_instance;

  AdwComboRow *color_scheme;
  AdwComboRow *color_by;
  GtkSwitch *show_parameters;
  GtkSwitch *show_namespaces;
  AdwComboRow *templates;
  GtkSpinButton *template_depth;
  AdwActionRow *template_depth_row;
  GtkLabel *example;
  AdwEntryRow *editor_command;
  GtkLabel *editor_problem;
  GtkRevealer *editor_problem_revealer;
  GtkSwitch *notify;
  AdwComboRow *run_mode;
  AdwComboRow *run_format;
  GtkSpinButton *run_budget_mb;
  AdwComboRow *run_policy;
  GtkSpinButton *run_timeout;
  AdwComboRow *run_clock;
};

G_DEFINE_FINAL_TYPE (CsPreferences, cs_preferences, ADW_TYPE_PREFERENCES_WINDOW)

/* The values of keys in the order of the rows of their lists. */
static const char *const color_schemes[] = { "system", "light", "dark", NULL };
static const char *const color_bys[] = { "function", "module", NULL };
static const char *const run_modes[] = { "events", "summary", NULL };
static const char *const run_formats[] = { "packed", "records", NULL };
static const char *const run_policies[] = { "stop", "wrap", NULL };
static const char *const run_clocks[] = { "auto", "mono", "raw", "tsc", NULL };

static gboolean
choice_to_row (GValue *value, GVariant *variant, gpointer user_data)
{
  const char *const *choices = user_data;

  for (guint i = 0; choices[i] != NULL; i++)
    if (g_str_equal (choices[i], g_variant_get_string (variant, NULL)))
      {
        g_value_set_uint (value, i);
        return TRUE;
      }
  return FALSE;
}

static GVariant *
row_to_choice (const GValue *value, const GVariantType *type, gpointer user_data)
{
  const char *const *choices = user_data;
  guint row = g_value_get_uint (value);

  return row < g_strv_length ((char **) choices) ? g_variant_new_string (choices[row]) : NULL;
}

static void
bind_choice (const char *key, AdwComboRow *row, const char *const *choices)
{
  g_settings_bind_with_mapping (cs_settings_get (), key, row, "selected", G_SETTINGS_BIND_DEFAULT, choice_to_row,
                                row_to_choice, (gpointer) choices, NULL);
}

static void
bind (const char *key, gpointer widget, const char *property)
{
  g_settings_bind (cs_settings_get (), key, widget, property, G_SETTINGS_BIND_DEFAULT);
}

static gboolean
number_to_value (GValue *value, GVariant *variant, gpointer user_data)
{
  g_value_set_double (value, g_variant_get_uint32 (variant));
  return TRUE;
}

static GVariant *
value_to_number (const GValue *value, const GVariantType *type, gpointer user_data)
{
  return g_variant_new_uint32 ((guint32) g_value_get_double (value));
}

static void
bind_number (const char *key, GtkSpinButton *button)
{
  g_settings_bind_with_mapping (cs_settings_get (), key, button, "value", G_SETTINGS_BIND_DEFAULT, number_to_value,
                                value_to_number, NULL, NULL);
}

static void
show_example (CsPreferences *self)
{
  g_autofree char *name = cs_function_name_shorten ("store::Index<std::map<int, std::vector<char> > >::find(int) const");

  gtk_label_set_text (self->example, name);
}

/* How many levels are shown, where not all are. */
static void
show_template_depth (CsPreferences *self)
{
  int depth = g_settings_get_int (cs_settings_get (), "template-depth");

  adw_combo_row_set_selected (self->templates, depth < 0 ? 0 : 1);
  gtk_widget_set_visible (GTK_WIDGET (self->template_depth_row), depth >= 0);
  if (depth >= 0)
    gtk_spin_button_set_value (self->template_depth, depth);
  show_example (self);
}

static void
on_templates_changed (CsPreferences *self)
{
  int depth = g_settings_get_int (cs_settings_get (), "template-depth");

  if (adw_combo_row_get_selected (self->templates) == 0)
    g_settings_set_int (cs_settings_get (), "template-depth", -1);
  else if (depth < 0)
    g_settings_set_int (cs_settings_get (), "template-depth", 1);
}

static void
on_template_depth_changed (CsPreferences *self)
{
  if (adw_combo_row_get_selected (self->templates) == 1)
    g_settings_set_int (cs_settings_get (), "template-depth", gtk_spin_button_get_value_as_int (self->template_depth));
}

static void
show_editor_problem (CsPreferences *self, const char *problem)
{
  GtkWidget *row = GTK_WIDGET (self->editor_command);

  gtk_revealer_set_reveal_child (self->editor_problem_revealer, problem != NULL);
  if (problem != NULL)
    gtk_label_set_text (self->editor_problem, problem);
  cs_input_set_wrong (row, row, problem != NULL);
}

/* Only a command that can be run is kept. */
static void
on_editor_applied (CsPreferences *self)
{
  const char *command = gtk_editable_get_text (GTK_EDITABLE (self->editor_command));
  g_autoptr (GError) error = NULL;

  if (cs_editor_check (command, &error))
    g_settings_set_string (cs_settings_get (), "editor-command", command);
  show_editor_problem (self, error != NULL ? error->message : NULL);
}

static void
on_editor_changed (CsPreferences *self)
{
  show_editor_problem (self, NULL);
}

static void
cs_preferences_class_init (CsPreferencesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/window/cs-preferences.ui");
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, color_scheme);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, color_by);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, show_parameters);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, show_namespaces);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, templates);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, template_depth);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, template_depth_row);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, example);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, editor_command);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, editor_problem);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, editor_problem_revealer);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, notify);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, run_mode);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, run_format);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, run_budget_mb);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, run_policy);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, run_timeout);
  gtk_widget_class_bind_template_child (widget_class, CsPreferences, run_clock);
  gtk_widget_class_bind_template_callback (widget_class, on_templates_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_template_depth_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_editor_applied);
  gtk_widget_class_bind_template_callback (widget_class, on_editor_changed);
}

static void
cs_preferences_init (CsPreferences *self)
{
  GSettings *settings = cs_settings_get ();
  g_autofree char *command = g_settings_get_string (settings, "editor-command");

  gtk_widget_init_template (GTK_WIDGET (self));
  bind_choice ("color-scheme", self->color_scheme, color_schemes);
  bind_choice ("color-by", self->color_by, color_bys);
  bind ("show-parameters", self->show_parameters, "active");
  bind ("show-namespaces", self->show_namespaces, "active");
  bind ("notify", self->notify, "active");
  bind_choice ("run-mode", self->run_mode, run_modes);
  bind_choice ("run-format", self->run_format, run_formats);
  bind_number ("run-budget-mb", self->run_budget_mb);
  bind_choice ("run-policy", self->run_policy, run_policies);
  bind_number ("run-timeout", self->run_timeout);
  bind_choice ("run-clock", self->run_clock, run_clocks);
  gtk_editable_set_text (GTK_EDITABLE (self->editor_command), command);
  show_editor_problem (self, NULL);

  g_signal_connect_object (settings, "changed::template-depth", G_CALLBACK (show_template_depth), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "changed::show-parameters", G_CALLBACK (show_example), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "changed::show-namespaces", G_CALLBACK (show_example), self, G_CONNECT_SWAPPED);
  show_template_depth (self);
}

/**
 * cs_preferences_new:
 * @parent: (nullable): the window that it belongs to
 *
 * Returns: a window with the preferences, each of which counts as soon as it is changed
 */
CsPreferences *
cs_preferences_new (GtkWindow *parent)
{
  return g_object_new (CS_TYPE_PREFERENCES, "transient-for", parent, NULL);
}

static void
apply_color_scheme (GSettings *settings)
{
  g_autofree char *name = g_settings_get_string (settings, "color-scheme");
  AdwColorScheme scheme = g_str_equal (name, "light")  ? ADW_COLOR_SCHEME_FORCE_LIGHT
                          : g_str_equal (name, "dark") ? ADW_COLOR_SCHEME_FORCE_DARK
                                                       : ADW_COLOR_SCHEME_DEFAULT;

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), scheme);
}

/**
 * cs_preferences_follow_color_scheme:
 *
 * Makes all windows light or dark as the preferences say, from now on. Once, when the program starts.
 */
void
cs_preferences_follow_color_scheme (void)
{
  GSettings *settings = cs_settings_get ();

  g_signal_connect (settings, "changed::color-scheme", G_CALLBACK (apply_color_scheme), NULL);
  apply_color_scheme (settings);
}
