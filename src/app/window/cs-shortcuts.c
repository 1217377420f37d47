/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-shortcuts.h"

/* In the order in which the help overlay shows them. */
static const CsShortcut shortcuts[] = {
  { N_("General"), N_("Open a folder"), "win.open-folder", "<Control>o" },
  { N_("General"), N_("Open a recording"), "win.open-recording", "<Control><Shift>o" },
  { N_("General"), N_("New window"), "app.new-window", "<Control>n" },
  { N_("General"), N_("Search"), "win.search", "<Control>f" },
  { N_("General"), N_("Next match of the search"), "win.next-match", "F3 <Control>g" },
  { N_("General"), N_("The one before"), "win.previous-match", "<Shift>F3 <Control><Shift>g" },
  { N_("General"), N_("Undo a step of filters, focus and search"), "win.back", "<Alt>Left" },
  { N_("General"), N_("Do it again"), "win.forward", "<Alt>Right" },
  { N_("General"), N_("Show or hide the sidebar"), "win.sidebar", "F9" },
  { N_("General"), N_("Main menu"), "win.menu", "F10" },
  { N_("General"), N_("Preferences"), "app.preferences", "<Control>comma" },
  { N_("General"), N_("Keyboard shortcuts"), "win.show-help-overlay", "<Control>question" },
  { N_("General"), N_("Close the window"), "window.close", "<Control>w" },
  { N_("General"), N_("Quit"), "app.quit", "<Control>q" },

  { N_("Views"), N_("Select"), "win.view::select", "<Alt>1" },
  { N_("Views"), N_("Record"), "win.view::record", "<Alt>2" },
  { N_("Views"), N_("Hotspots"), "win.view::hotspots", "<Alt>3" },
  { N_("Views"), N_("Flame graph"), "win.view::flame-graph", "<Alt>4" },
  { N_("Views"), N_("Timeline"), "win.view::timeline", "<Alt>5" },
  { N_("Views"), N_("Calls"), "win.view::calls", "<Alt>6" },
  { N_("Views"), N_("Compare"), "win.view::compare", "<Alt>7" },

  { N_("Project"), N_("Build"), "record.build", "<Control>b" },
  { N_("Project"), N_("Record"), "record.record", "<Control>r" },
  { N_("Project"), N_("Stop what is built or recorded"), "record.stop", "<Control>period" },
  { N_("Project"), N_("Show what is recorded, and follow it"), "record.show-live", "<Control><Shift>v" },
  { N_("Project"), N_("Run options"), "record.show-options", "<Control><Shift>r" },
  { N_("Project"), N_("Next error or warning of the build"), "record.next-problem", "F8" },
  { N_("Project"), N_("The one before"), "record.previous-problem", "<Shift>F8" },

  { N_("Welcome"), N_("Remove from the list"), NULL, "Delete" },

  { N_("Select"), N_("Save trace.config"), "select.save", "<Control>s" },
  { N_("Select"), N_("Undo"), NULL, "<Control>z" },
  { N_("Select"), N_("Redo"), NULL, "<Control><Shift>z" },
  { N_("Select"), N_("Edit trace.config as text"), "select.edit-text", "<Control>e" },
  { N_("Select"), N_("Tick the row, or take its tick away"), NULL, "space" },
  { N_("Select"), N_("Open and close a folder"), NULL, "Right Left" },
  { N_("Select"), N_("Menu of the row"), NULL, "Menu <Shift>F10" },
  { N_("Select"), N_("Open the row in the editor"), NULL, "Return" },
  { N_("Select"), N_("Tick all files that are shown"), "select.all-files", "<Alt><Shift>a" },
  { N_("Select"), N_("Take the ticks off these"), "select.none-files", "<Alt><Shift>n" },
  { N_("Select"), N_("Tick all functions that are shown"), "select.all-functions", "<Alt><Shift>f" },
  { N_("Select"), N_("Take the ticks off these"), "select.none-functions", "<Alt><Shift>g" },
  { N_("Select"), N_("Show files"), "select.show-files", "<Alt><Shift>Left" },
  { N_("Select"), N_("Show functions"), "select.show-functions", "<Alt><Shift>Right" },
  { N_("Select"), N_("Show the functions of all chosen files"), "select.show-chosen", "<Alt><Shift>c" },
  { N_("Select"), N_("Take a trace.config that was changed outside"), "select.reload", "<Alt><Shift>r" },
  { N_("Select"), N_("Keep the changes made here instead"), "select.keep", "<Alt><Shift>k" },
  { N_("Select"), N_("Read the sources again after an error"), "select.retry", "<Alt><Shift>t" },

  { N_("List of Recordings"), N_("Rename"), NULL, "F2" },
  { N_("List of Recordings"), N_("Edit the note"), NULL, "<Shift>F2" },
  { N_("List of Recordings"), N_("Move to the trash"), NULL, "Delete" },
  { N_("List of Recordings"), N_("Menu"), NULL, "Menu <Shift>F10" },

  { N_("Recording"), N_("Read again"), "win.reload", "F5" },

  { N_("Hotspots"), N_("Show a function in all views"), NULL, "Return" },
  { N_("Hotspots"), N_("Menu of a function"), NULL, "Menu <Shift>F10" },
  { N_("Hotspots"), N_("Show or hide the details"), "hotspots.panel", "<Shift>F9" },
  { N_("Hotspots"), N_("Open in the editor"), "hotspots.open-editor", "<Control>l" },
  { N_("Hotspots"), N_("Show this function’s calls alone"), "hotspots.filter-function", "<Control><Shift>l" },
  { N_("Hotspots"), N_("Exclude from what is recorded"), NULL, "<Control>Delete" },
  { N_("Hotspots"), N_("Copy the selected rows"), NULL, "<Control>c" },
  { N_("Hotspots"), N_("Copy them as CSV"), "hotspots.copy-csv", "<Control><Shift>c" },
  { N_("Hotspots"), N_("Columns and order"), "hotspots.columns", "<Control>k" },
  { N_("Hotspots"), N_("Turn the order around"), "hotspots.reverse", "<Control><Shift>k" },
  { N_("Hotspots"), N_("Export"), "hotspots.export", "<Control><Shift>e" },

  { N_("Calls"), N_("Open and fold a row"), NULL, "Right Left" },
  { N_("Calls"), N_("Open everything in the row"), NULL, "<Shift>Right" },
  { N_("Calls"), N_("Fold all rows"), "calls.collapse-all", "<Alt><Shift>Up" },
  { N_("Calls"), N_("Go to the caller"), NULL, "BackSpace" },
  { N_("Calls"), N_("Show the call in the timeline"), NULL, "Return" },
  { N_("Calls"), N_("Menu of a row"), NULL, "Menu <Shift>F10" },
  { N_("Calls"), N_("Copy the selected rows"), NULL, "<Control>c" },
  { N_("Calls"), N_("Copy the stack"), "calls.copy-stack", "<Alt><Shift>w" },
  { N_("Calls"), N_("Call log"), "calls.page::log", "<Alt><Shift>l" },
  { N_("Calls"), N_("Call sites"), "calls.page::sites", "<Alt><Shift>i" },
  { N_("Flame Graph"), N_("Go to a caller, a callee, a neighbour"), NULL, "Up Down Left Right" },
  { N_("Flame Graph"), N_("Zoom to the frame"), NULL, "Return" },
  { N_("Flame Graph"), N_("Zoom out to its caller"), NULL, "Escape" },
  { N_("Flame Graph"), N_("Closer, farther, all of the focus"), NULL, "plus minus 0" },
  { N_("Flame Graph"), N_("First and last of its caller"), NULL, "Home End" },
  { N_("Flame Graph"), N_("A page of rows"), NULL, "Page_Up Page_Down" },
  { N_("Flame Graph"), N_("Move what is shown"), NULL, "<Shift>Up <Shift>Down <Shift>Left <Shift>Right" },
  { N_("Flame Graph"), N_("Menu of a frame"), NULL, "Menu <Shift>F10" },
  { N_("Flame Graph"), N_("What is shown and how"), "flame-graph.options", "<Alt>o" },
  { N_("Flame Graph"), N_("Collapse recursion"), "flame-graph.collapse", "<Alt>c" },
  { N_("Flame Graph"), N_("Show as a table"), "flame-graph.table", "<Alt>t" },
  { N_("Flame Graph"), N_("Export"), "flame-graph.export", "<Alt>e" },
  { N_("Flame Graph"), N_("Show the function in Hotspots"), "flame-graph.show-hotspots", "<Alt>h" },
  { N_("Flame Graph"), N_("Show its longest call in the timeline"), "flame-graph.show-timeline", "<Alt>l" },
  { N_("Flame Graph"), N_("Hide the function"), "flame-graph.hide-function", "<Alt>Delete" },
  { N_("Flame Graph"), N_("Show all that is hidden"), "flame-graph.show-all", "<Alt><Shift>Delete" },

  { N_("Timeline"), N_("Go to the caller, the first callee, a neighbour"), NULL, "Up Down Left Right" },
  { N_("Timeline"), N_("Go to the thread above or below"), NULL, "Page_Up Page_Down" },
  { N_("Timeline"), N_("Closer, farther"), NULL, "w s plus minus" },
  { N_("Timeline"), N_("Earlier, later"), NULL, "a d" },
  { N_("Timeline"), N_("The first and the last time"), NULL, "Home End" },
  { N_("Timeline"), N_("Show everything"), NULL, "f 0" },
  { N_("Timeline"), N_("Show the whole call"), NULL, "Return z" },
  { N_("Timeline"), N_("Next call of the same function"), NULL, "period" },
  { N_("Timeline"), N_("The one before"), NULL, "comma" },
  { N_("Timeline"), N_("Next call of it on the same thread"), NULL, "greater" },
  { N_("Timeline"), N_("The one before"), NULL, "less" },
  { N_("Timeline"), N_("Next call that the search matches"), NULL, "n" },
  { N_("Timeline"), N_("The one before"), NULL, "<Shift>n" },
  { N_("Timeline"), N_("Begin and end the range at the call"), NULL, "bracketleft bracketright" },
  { N_("Timeline"), N_("Select the call’s time"), NULL, "r" },
  { N_("Timeline"), N_("Measure from the call"), NULL, "m" },
  { N_("Timeline"), N_("Find calls that took long"), NULL, "l" },
  { N_("Timeline"), N_("Choose threads"), NULL, "t" },
  { N_("Timeline"), N_("Pin the thread"), NULL, "p" },
  { N_("Timeline"), N_("Hide the thread"), NULL, "h" },
  { N_("Timeline"), N_("Show all threads"), NULL, "<Shift>h" },
  { N_("Timeline"), N_("Collapse the thread, show all its rows"), NULL, "c x" },
  { N_("Timeline"), N_("Show in the flame graph"), NULL, "g" },
  { N_("Timeline"), N_("Open in the editor"), NULL, "e" },
  { N_("Timeline"), N_("Show as a table"), NULL, "<Shift>t" },
  { N_("Timeline"), N_("Copy"), NULL, "<Control>c" },
  { N_("Timeline"), N_("Menu of a call or thread"), NULL, "Menu <Shift>F10" },
  { N_("Timeline"), N_("Leave what is selected"), NULL, "Escape" },

  { N_("Compare"), N_("Compare with another recording"), "compare.open-base", "<Alt><Shift>v" },
  { N_("Compare"), N_("Compare with a report’s file"), "compare.open-report", "<Alt><Shift>j" },
  { N_("Compare"), N_("Swap both"), "compare.swap", "<Alt><Shift>x" },
  { N_("Compare"), N_("Shape of the other recording"), "compare.turn-shape", "<Alt><Shift>z" },
  { N_("Compare"), N_("Shares rather than times"), "compare.normalised", "<Alt><Shift>m" },
  { N_("Compare"), N_("Show what hasn’t changed, too"), "compare.hide-unchanged", "<Alt><Shift>u" },
  { N_("Compare"), N_("Turn the order around"), "compare.reverse", "<Alt><Shift>y" },
  { N_("Compare"), N_("Show the whole flame graph"), "compare.reset-zoom", "<Alt><Shift>q" },
  { N_("Compare"), N_("Show a function’s frame"), NULL, "Return" },
  { N_("Compare"), N_("Copy the selected rows"), NULL, "<Control>c" },
  { N_("Compare"), N_("Menu of a row or frame"), NULL, "Menu <Shift>F10" },
};

/**
 * cs_shortcuts_get:
 * @n: (out): how many there are
 *
 * Returns: (transfer none): all shortcuts
 */
const CsShortcut *
cs_shortcuts_get (guint *n)
{
  *n = G_N_ELEMENTS (shortcuts);
  return shortcuts;
}

/**
 * cs_shortcuts_apply:
 * @application: the program
 *
 * Sets the accelerators of all actions.
 */
void
cs_shortcuts_apply (GtkApplication *application)
{
  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    if (shortcuts[i].action != NULL)
      {
        g_auto (GStrv) keys = g_strsplit (shortcuts[i].keys, " ", -1);

        gtk_application_set_accels_for_action (application, shortcuts[i].action, (const char *const *) keys);
      }
}

/* Parts of the help overlay, each with room for two columns of so many lines: it shows more than one page of a part
 * with warnings (GTK 4.8). Groups that no other part has are in the first. */
#define LINES "14"

static const struct
{
  const char *name, *title;
  const char *groups[4];
  const char *views[3]; /* for which it is shown first */
} sections[] = {
  { "general", N_("General"), { NULL }, { NULL } },
  { "project", N_("Project"), { N_("Project"), N_("List of Recordings"), N_("Welcome"), NULL }, { "record", "welcome", NULL } },
  { "select", N_("Select"), { N_("Select"), NULL }, { "select", NULL } },
  { "hotspots", N_("Hotspots"), { N_("Recording"), N_("Hotspots"), NULL }, { "hotspots", NULL } },
  { "flame-graph", N_("Flame Graph"), { N_("Flame Graph"), NULL }, { "flame-graph", NULL } },
  { "timeline", N_("Timeline"), { N_("Timeline"), NULL }, { "timeline", NULL } },
  { "calls", N_("Calls"), { N_("Calls"), N_("Compare"), NULL }, { "calls", "compare", NULL } },
};

static guint
find_section (const char *group)
{
  for (guint i = 1; i < G_N_ELEMENTS (sections); i++)
    if (g_strv_contains (sections[i].groups, group))
      return i;
  return 0;
}

static gboolean
has_shortcuts (guint section)
{
  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    if (shortcuts[i].title != NULL && find_section (shortcuts[i].group) == section)
      return TRUE;
  return FALSE;
}

static void
add_section (GString *text, guint section)
{
  g_autofree char *title = g_markup_escape_text (_(sections[section].title), -1);
  const char *group = NULL;

  g_string_append_printf (text, "<child><object class=\"GtkShortcutsSection\"><property name=\"section-name\">%s</property>"
                                "<property name=\"title\">%s</property><property name=\"max-height\">" LINES "</property>",
                          sections[section].name, title);
  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    {
      const CsShortcut *shortcut = &shortcuts[i];
      g_autofree char *escaped = NULL;

      if (shortcut->title == NULL || find_section (shortcut->group) != section)
        continue;
      if (g_strcmp0 (group, shortcut->group) != 0)
        {
          g_autofree char *name = g_markup_escape_text (_(shortcut->group), -1);

          g_string_append_printf (text, "%s<child><object class=\"GtkShortcutsGroup\"><property name=\"title\">%s</property>",
                                  group != NULL ? "</object></child>" : "", name);
          group = shortcut->group;
        }
      escaped = g_markup_printf_escaped ("<child><object class=\"GtkShortcutsShortcut\"><property name=\"title\">%s</property>"
                                         "<property name=\"accelerator\">%s</property></object></child>",
                                         _(shortcut->title), shortcut->keys);
      g_string_append (text, escaped);
    }
  g_string_append (text, "</object></child></object></child>");
}

/**
 * cs_shortcuts_make_window:
 * @view: (nullable): the name of the view whose keys are shown first
 *
 * Returns: (transfer full): a window that lists all shortcuts
 */
GtkShortcutsWindow *
cs_shortcuts_make_window (const char *view)
{
  /* Sections can't be filled by calls before GTK 4.14. */
  const char *first = sections[0].name;
  GString *text = g_string_new ("<interface><object class=\"GtkShortcutsWindow\" id=\"window\">"
                                "<property name=\"modal\">True</property>");
  g_autoptr (GtkBuilder) builder = NULL;
  GtkShortcutsWindow *window;

  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    if (has_shortcuts (i))
      add_section (text, i);
  g_string_append (text, "</object></interface>");
  builder = gtk_builder_new_from_string (text->str, (gssize) text->len);
  g_string_free (text, TRUE);
  window = GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "window"));
  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    if (has_shortcuts (i) && g_strv_contains (sections[i].views, view != NULL ? view : ""))
      first = sections[i].name;
  g_object_set (window, "section-name", first, NULL);
  return g_object_ref (window);
}
