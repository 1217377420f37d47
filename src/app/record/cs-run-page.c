/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "record/cs-run-page.h"
#include "shared/cs-gtk-compat.h"
#include "shared/cs-input.h"

/* Programs in the menu. */
#define MOST_PROGRAMS 50

typedef enum
{
  ROW_TEXT,
  ROW_LINES,
  ROW_WORDS,
  ROW_FLAG,
} RowKind;

/* A row of the page. */
typedef struct
{
  CsSetting setting;
  RowKind kind;
  const char *title;
  const char *subtitle;        /* (nullable); of flags and words */
  const char *const *words;    /* (nullable): how the setting's words are shown */
} RowInfo;

struct _CsRunPage
{
  AdwBin parent_instance;

  CsRunSettings *settings; /* (nullable) */
  GtkWidget *rows[CS_N_SETTINGS];     /* (nullable) */
  GtkWidget *inputs[CS_N_SETTINGS];   /* (nullable): what the person changes */
  GtkWidget *problems[CS_N_SETTINGS]; /* (nullable): rows that say what is wrong */
  GtkWidget *problem_labels[CS_N_SETTINGS];
  GtkWidget *programs;     /* menu button */
  AdwExpanderRow *build_row;
  gboolean loading;
};

G_DEFINE_FINAL_TYPE (CsRunPage, cs_run_page, ADW_TYPE_BIN)

static const char *const input_words[] = { N_("None"), N_("Typed here"), NULL };
static const char *const mode_words[] = { N_("Every call"), N_("Sums only"), NULL };
static const char *const format_words[] = { N_("Packed"), N_("32-byte records"), NULL };
static const char *const full_words[] = { N_("Stop"), N_("Keep the end"), NULL };
static const char *const clock_words[] = { N_("The best there is"), N_("Monotonic"), N_("Raw monotonic"),
                                           N_("Time-stamp counter"), NULL };
static const char *const system_words[] = { N_("What the project has"), "Make", "CMake", "Meson", "Autotools", NULL };

static const RowInfo program_rows[] = {
  { CS_SETTING_COMMAND, ROW_TEXT, N_("Command and arguments"), NULL, NULL },
  { CS_SETTING_WORKING_FOLDER, ROW_TEXT, N_("Working folder (the project’s)"), NULL, NULL },
  { CS_SETTING_INPUT, ROW_WORDS, N_("Input"), N_("What the program reads"), input_words },
  { CS_SETTING_ENVIRONMENT, ROW_LINES, N_("Environment, a NAME=VALUE a line"), NULL, NULL },
};

static const RowInfo recording_rows[] = {
  { CS_SETTING_MODE, ROW_WORDS, N_("Record"), NULL, mode_words },
  { CS_SETTING_MAX_MB, ROW_TEXT, N_("Budget in MB (0: no limit)"), NULL, NULL },
  { CS_SETTING_FULL, ROW_WORDS, N_("When it is used up"), N_("Recording stops, or the oldest part makes room"), full_words },
  { CS_SETTING_FORMAT, ROW_WORDS, N_("Files"), N_("Packed ones take about 3 bytes an event"), format_words },
  { CS_SETTING_MAX_EVENTS, ROW_TEXT, N_("Most events (no limit)"), NULL, NULL },
  { CS_SETTING_THREADS, ROW_TEXT, N_("Threads by name, as in worker*,main (all)"), NULL, NULL },
  { CS_SETTING_CLOCK, ROW_WORDS, N_("Clock"), NULL, clock_words },
  { CS_SETTING_TIMEOUT, ROW_TEXT, N_("Stop after so many seconds (never)"), NULL, NULL },
};

static const RowInfo build_rows[] = {
  { CS_SETTING_SYSTEM, ROW_WORDS, N_("Build system"), NULL, system_words },
  { CS_SETTING_COMPILER, ROW_TEXT, N_("C compiler (the project’s)"), NULL, NULL },
  { CS_SETTING_CXX_COMPILER, ROW_TEXT, N_("C++ compiler (the one that belongs to it)"), NULL, NULL },
  { CS_SETTING_ARGUMENTS, ROW_TEXT, N_("Arguments for make, cmake, meson setup or configure"), NULL, NULL },
  { CS_SETTING_BUILD_FOLDER, ROW_TEXT, N_("Build folder (build-instr in the project)"), NULL, NULL },
  { CS_SETTING_JOBS, ROW_TEXT, N_("Compilers at once (one a processor)"), NULL, NULL },
  { CS_SETTING_CLEAN, ROW_FLAG, N_("Begin anew"), N_("The next build only"), NULL },
  { CS_SETTING_NO_INLINE, ROW_FLAG, N_("Inline nothing that is chosen"), N_("Every call is seen; this costs time"), NULL },
  { CS_SETTING_AFTER_INLINING, ROW_FLAG, N_("Hooks after inlining"), N_("clang only: none in what is inlined"), NULL },
  { CS_SETTING_WIDEN, ROW_FLAG, N_("Whole files"), N_("clang only: take a file wholly of which functions are chosen"), NULL },
};

static void
show_problem (CsRunPage *self, CsSetting setting)
{
  g_autofree char *problem = cs_run_settings_check (self->settings, setting);
  /* Before anything is built no program is expected. */
  gboolean shown = problem != NULL
                   && !(setting == CS_SETTING_COMMAND && *cs_run_settings_get (self->settings, setting) == '\0');

  if (self->problems[setting] == NULL)
    return;
  gtk_label_set_text (GTK_LABEL (self->problem_labels[setting]), shown ? problem : "");
  gtk_widget_set_visible (self->problems[setting], shown);
  cs_input_set_wrong (self->inputs[setting], self->rows[setting], shown);
}

static char *
get_lines (GtkWidget *view)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
}

static CsSetting
get_setting (gpointer input)
{
  return (CsSetting) GPOINTER_TO_UINT (g_object_get_data (input, "setting"));
}

static void
take (CsRunPage *self, gpointer input, const char *text)
{
  if (!self->loading && self->settings != NULL)
    cs_run_settings_set (self->settings, get_setting (input), text);
}

static void
on_text_changed (CsRunPage *self, GtkEditable *input)
{
  take (self, input, gtk_editable_get_text (input));
}

static void
on_lines_changed (CsRunPage *self, GtkTextBuffer *buffer)
{
  g_autofree char *text = get_lines (self->inputs[get_setting (buffer)]);

  take (self, buffer, text);
}

static void
on_word_changed (CsRunPage *self, GParamSpec *spec, AdwComboRow *input)
{
  guint selected = adw_combo_row_get_selected (input);

  if (selected != GTK_INVALID_LIST_POSITION)
    take (self, input, cs_setting_get_words (get_setting (input))[selected]);
}

static void
on_flag_changed (CsRunPage *self, GParamSpec *spec, GtkSwitch *input)
{
  take (self, input, gtk_switch_get_active (input) ? "yes" : "no");
}

/* Shows a setting as it is. */
static void
load (CsRunPage *self, CsSetting setting)
{
  GtkWidget *input = self->inputs[setting];
  const char *text = cs_run_settings_get (self->settings, setting);
  const char *const *words = cs_setting_get_words (setting);

  if (input == NULL)
    return;
  self->loading = TRUE;
  if (ADW_IS_COMBO_ROW (input))
    {
      for (guint i = 0; words[i] != NULL; i++)
        if (g_str_equal (words[i], text))
          adw_combo_row_set_selected (ADW_COMBO_ROW (input), i);
    }
  else if (GTK_IS_SWITCH (input))
    gtk_switch_set_active (GTK_SWITCH (input), g_str_equal (text, "yes"));
  else if (GTK_IS_TEXT_VIEW (input))
    {
      g_autofree char *before = get_lines (input);

      if (!g_str_equal (before, text))
        gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (input)), text, -1);
    }
  else if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (input)), text))
    gtk_editable_set_text (GTK_EDITABLE (input), text);
  self->loading = FALSE;
  show_problem (self, setting);
}

/* The programs that the last build made. */
static void
load_programs (CsRunPage *self)
{
  g_auto (GStrv) programs = g_strsplit (cs_run_settings_get (self->settings, CS_SETTING_PROGRAMS), "\n", -1);
  g_autoptr (GMenu) menu = g_menu_new ();
  guint n = 0;

  for (guint i = 0; programs[i] != NULL && n < MOST_PROGRAMS; i++)
    {
      g_autofree char *name = *programs[i] != '\0' ? g_filename_display_basename (programs[i]) : NULL;
      g_autoptr (GMenuItem) item = NULL;
      g_auto (GStrv) parts = NULL;
      g_autofree char *label = NULL;

      if (name == NULL)
        continue;
      /* An underline is no mnemonic. */
      parts = g_strsplit (name, "_", -1);
      label = g_strjoinv ("__", parts);
      item = g_menu_item_new (label, NULL);
      g_menu_item_set_action_and_target (item, "record.use-program", "s", programs[i]);
      g_menu_append_item (menu, item);
      n++;
    }
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->programs), G_MENU_MODEL (menu));
  gtk_widget_set_visible (self->programs, n > 0);
}

static void
on_setting_changed (CsRunPage *self, guint setting)
{
  if (setting == CS_SETTING_PROGRAMS)
    load_programs (self);
  else
    load (self, setting);
}

static void
on_folder_chosen (GListModel *files, gpointer user_data)
{
  CsRunPage *self = user_data;
  g_autoptr (GFile) file = g_list_model_get_item (files, 0);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  g_autofree char *valid = path != NULL ? g_utf8_make_valid (path, -1) : NULL;

  if (valid != NULL && self->settings != NULL)
    cs_run_settings_set (self->settings, CS_SETTING_WORKING_FOLDER, valid);
}

static void
on_choose_folder (CsRunPage *self)
{
  cs_compat_choose_folder (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), _("Choose the Working Folder"),
                           on_folder_chosen, self);
}

static void
add_suffix (CsRunPage *self, CsSetting setting, GtkWidget *row)
{
  GtkWidget *button;
  const char *name;

  if (setting == CS_SETTING_COMMAND)
    {
      self->programs = button = gtk_menu_button_new ();
      gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "pan-down-symbolic");
      name = _("Programs That Were Built");
    }
  else if (setting == CS_SETTING_WORKING_FOLDER)
    {
      button = gtk_button_new_from_icon_name ("folder-open-symbolic");
      name = _("Choose a Folder");
      g_signal_connect_object (button, "clicked", G_CALLBACK (on_choose_folder), self, G_CONNECT_SWAPPED);
    }
  else
    return;
  gtk_widget_set_tooltip_text (button, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  adw_entry_row_add_suffix (ADW_ENTRY_ROW (row), button);
}

static GtkWidget *
make_text_row (CsRunPage *self, const RowInfo *info)
{
  GtkWidget *row = adw_entry_row_new ();

  self->inputs[info->setting] = row;
  g_signal_connect_object (row, "changed", G_CALLBACK (on_text_changed), self, G_CONNECT_SWAPPED);
  add_suffix (self, info->setting, row);
  return row;
}

static GtkWidget *
make_lines_row (CsRunPage *self, const RowInfo *info)
{
  GtkWidget *row = adw_preferences_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *title = gtk_label_new (_(info->title));
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *view = gtk_text_view_new ();
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_add_css_class (title, "caption");
  gtk_widget_add_css_class (title, "dim-label");
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 6);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 6);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 6);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 6);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Environment"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), 54);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 160);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_widget_add_css_class (scrolled, "frame");
  gtk_widget_add_css_class (box, "record-lines");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  self->inputs[info->setting] = view;
  g_object_set_data (G_OBJECT (buffer), "setting", GUINT_TO_POINTER (info->setting));
  g_signal_connect_object (buffer, "changed", G_CALLBACK (on_lines_changed), self, G_CONNECT_SWAPPED);
  return row;
}

static GtkWidget *
make_words_row (CsRunPage *self, const RowInfo *info)
{
  GtkWidget *row = adw_combo_row_new ();
  GtkStringList *list = gtk_string_list_new (NULL);

  for (guint i = 0; info->words[i] != NULL; i++)
    gtk_string_list_append (list, _(info->words[i]));
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (list));
  g_object_unref (list);
  if (info->subtitle != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), _(info->subtitle));
  self->inputs[info->setting] = row;
  g_signal_connect_object (row, "notify::selected", G_CALLBACK (on_word_changed), self, G_CONNECT_SWAPPED);
  return row;
}

static GtkWidget *
make_flag_row (CsRunPage *self, const RowInfo *info)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *input = gtk_switch_new ();

  gtk_widget_set_valign (input, GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), input);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), input);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), _(info->subtitle));
  self->inputs[info->setting] = input;
  g_signal_connect_object (input, "notify::active", G_CALLBACK (on_flag_changed), self, G_CONNECT_SWAPPED);
  return row;
}

static GtkWidget *
make_row (CsRunPage *self, const RowInfo *info)
{
  static GtkWidget *(*const makers[]) (CsRunPage *, const RowInfo *)
      = { [ROW_TEXT] = make_text_row, [ROW_LINES] = make_lines_row, [ROW_WORDS] = make_words_row, [ROW_FLAG] = make_flag_row };
  GtkWidget *row = makers[info->kind](self, info);

  if (info->kind != ROW_LINES)
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _(info->title));
  g_object_set_data (G_OBJECT (self->inputs[info->setting]), "setting", GUINT_TO_POINTER (info->setting));
  self->rows[info->setting] = row;
  return row;
}

/* The row below a text that says what is wrong with it. */
static GtkWidget *
make_problem_row (CsRunPage *self, const RowInfo *info)
{
  GtkWidget *row = adw_preferences_row_new ();
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "error");
  gtk_widget_add_css_class (label, "record-problem");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_widget_set_visible (row, FALSE);
  self->problems[info->setting] = row;
  self->problem_labels[info->setting] = label;
  return row;
}

static AdwPreferencesGroup *
add_group (CsRunPage *self, AdwPreferencesPage *page, const char *title, const RowInfo *rows, guint n)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  for (guint i = 0; i < n; i++)
    {
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), make_row (self, &rows[i]));
      if (rows[i].kind == ROW_TEXT || rows[i].kind == ROW_LINES)
        adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), make_problem_row (self, &rows[i]));
    }
  adw_preferences_page_add (page, ADW_PREFERENCES_GROUP (group));
  return ADW_PREFERENCES_GROUP (group);
}

static void
add_build_group (CsRunPage *self, AdwPreferencesPage *page)
{
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *expander = adw_expander_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (expander), _("Build Options"));
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (expander), _("Build system, compiler, arguments, inlining"));
  for (guint i = 0; i < G_N_ELEMENTS (build_rows); i++)
    {
      adw_expander_row_add_row (ADW_EXPANDER_ROW (expander), make_row (self, &build_rows[i]));
      if (build_rows[i].kind == ROW_TEXT)
        adw_expander_row_add_row (ADW_EXPANDER_ROW (expander), make_problem_row (self, &build_rows[i]));
    }
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), expander);
  adw_preferences_page_add (page, ADW_PREFERENCES_GROUP (group));
  self->build_row = ADW_EXPANDER_ROW (expander);
}

static void
cs_run_page_dispose (GObject *object)
{
  CsRunPage *self = CS_RUN_PAGE (object);

  cs_run_page_set_settings (self, NULL);

  G_OBJECT_CLASS (cs_run_page_parent_class)->dispose (object);
}

static void
cs_run_page_class_init (CsRunPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_run_page_dispose;
}

static void
cs_run_page_init (CsRunPage *self)
{
  AdwPreferencesPage *page = ADW_PREFERENCES_PAGE (adw_preferences_page_new ());

  self->loading = TRUE;
  add_group (self, page, _("Program"), program_rows, G_N_ELEMENTS (program_rows));
  add_group (self, page, _("Recording"), recording_rows, G_N_ELEMENTS (recording_rows));
  add_build_group (self, page);
  self->loading = FALSE;
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (page));
}

/**
 * cs_run_page_set_settings:
 * @self: a page
 * @settings: (nullable): what it shows and changes
 */
void
cs_run_page_set_settings (CsRunPage *self, CsRunSettings *settings)
{
  g_return_if_fail (CS_IS_RUN_PAGE (self));

  if (self->settings != NULL)
    g_signal_handlers_disconnect_by_data (self->settings, self);
  g_set_object (&self->settings, settings);
  if (settings == NULL)
    return;
  g_signal_connect_object (settings, "changed", G_CALLBACK (on_setting_changed), self, G_CONNECT_SWAPPED);
  for (guint i = 0; i < CS_N_SETTINGS; i++)
    load (self, i);
  load_programs (self);
}

/**
 * cs_run_page_get_row:
 * @self: a page
 * @setting: a setting
 *
 * Returns: (transfer none) (nullable): where it is changed
 */
GtkWidget *
cs_run_page_get_row (CsRunPage *self, CsSetting setting)
{
  return self->rows[setting];
}

/**
 * cs_run_page_get_problem:
 * @self: a page
 * @setting: a setting that is a text
 *
 * Returns: (transfer none): what is said to be wrong with it; empty: nothing
 */
const char *
cs_run_page_get_problem (CsRunPage *self, CsSetting setting)
{
  return gtk_label_get_text (GTK_LABEL (self->problem_labels[setting]));
}
