/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "tables/cs-menu-lines.h"
#include "timeline/cs-timeline-private.h"

static const CsMenuLine call_lines[] = {
  { N_("_Zoom to It"), "timeline.zoom-call" },
  { N_("_Select Its Time"), "timeline.select-call-range" },
  { N_("_Next Call of This Function"), "timeline.next-call" },
  { N_("_Previous Call of This Function"), "timeline.previous-call" },
  { NULL, NULL },
  { N_("Show in _Flame Graph"), "timeline.show-flame-graph" },
  { N_("Show in _Calls"), "timeline.show-calls" },
  { N_("Show in _Hotspots"), "timeline.show-hotspots" },
  { N_("Open in _Editor"), "timeline.open-editor" },
  { NULL, NULL },
  { N_("_Filter to This Thread"), "timeline.filter-thread" },
  { N_("H_ide This Thread"), "timeline.hide-thread" },
  { N_("Pi_n This Thread"), "timeline.pin-thread" },
  { NULL, NULL },
  { N_("C_opy"), "timeline.copy" },
  { N_("Copy Na_me"), "timeline.copy-name" },
};

static const CsMenuLine block_lines[] = {
  { N_("_Zoom to It"), "timeline.zoom-point" },
  { NULL, NULL },
  { N_("_Filter to This Thread"), "timeline.filter-thread" },
  { N_("H_ide This Thread"), "timeline.hide-thread" },
  { N_("Pi_n This Thread"), "timeline.pin-thread" },
};

static const CsMenuLine track_lines[] = {
  { N_("_Collapse"), "timeline.collapse-thread" },
  { N_("All _Rows"), "timeline.full-thread" },
  { N_("Pi_n above All Threads"), "timeline.pin-thread" },
  { N_("Move _Up"), "timeline.thread-up" },
  { N_("Move _Down"), "timeline.thread-down" },
  { NULL, NULL },
  { N_("H_ide"), "timeline.hide-thread" },
  { N_("Hide All _Others"), "timeline.hide-others" },
  { N_("_Show All Threads"), "timeline.show-all-threads" },
  { NULL, NULL },
  { N_("_Filter to This Thread"), "timeline.filter-thread" },
  { N_("Filter to This _Process"), "timeline.filter-process" },
};

static const CsMenuLine process_lines[] = {
  { N_("Filter to This _Process"), "timeline.filter-process" },
  { N_("_Collapse All Threads"), "timeline.collapse-all" },
  { N_("_Expand All Threads"), "timeline.expand-all" },
  { N_("_Show All Threads"), "timeline.show-all-threads" },
};

static const CsMenuLine ruler_lines[] = {
  { N_("_Zoom to the Selected Range"), "timeline.zoom-range" },
  { N_("_Select What Is in Sight"), "timeline.select-window" },
  { N_("_Clear the Selected Range"), "timeline.clear-range" },
  { NULL, NULL },
  { N_("Show _Everything"), "timeline.fit" },
};

static const CsMenuLine view_lines[] = {
  { N_("Show as _Table"), "timeline.table" },
  { N_("_Highlight the Function in Focus"), "timeline.highlight" },
  { NULL, NULL },
  { N_("_Zoom to the Selected Range"), "timeline.zoom-range" },
  { N_("_Select What Is in Sight"), "timeline.select-window" },
  { N_("_Clear the Selected Range"), "timeline.clear-range" },
  { NULL, NULL },
  { N_("_Collapse All Threads"), "timeline.collapse-all" },
  { N_("_Expand All Threads"), "timeline.expand-all" },
  { N_("Show A_ll Threads"), "timeline.show-all-threads" },
  { NULL, NULL },
  { N_("Save as _Picture (SVG)…"), "timeline.export-picture" },
  { N_("Save as _Image (PNG)…"), "timeline.export-image" },
};

/**
 * cs_timeline_make_menu:
 * @point: a place of the chart
 *
 * Returns: (transfer full): the menu of what is there
 */
GMenuModel *
cs_timeline_make_menu (const CsTimelinePoint *point)
{
  switch (point->area)
    {
    case CS_TIMELINE_AREA_TRACK:
      if (!point->has_span)
        return cs_menu_lines_make (track_lines, G_N_ELEMENTS (track_lines), 0);
      if (point->span.address == 0)
        return cs_menu_lines_make (block_lines, G_N_ELEMENTS (block_lines), 0);
      return cs_menu_lines_make (call_lines, G_N_ELEMENTS (call_lines), 0);
    case CS_TIMELINE_AREA_HEADER:
      return cs_menu_lines_make (track_lines, G_N_ELEMENTS (track_lines), 0);
    case CS_TIMELINE_AREA_PROCESS:
      return cs_menu_lines_make (process_lines, G_N_ELEMENTS (process_lines), 0);
    case CS_TIMELINE_AREA_RULER:
      return cs_menu_lines_make (ruler_lines, G_N_ELEMENTS (ruler_lines), 0);
    case CS_TIMELINE_AREA_NONE:
    default:
      return cs_menu_lines_make (view_lines, G_N_ELEMENTS (view_lines), 0);
    }
}

/**
 * cs_timeline_make_view_menu:
 *
 * Returns: (transfer full): the menu of the view
 */
GMenuModel *
cs_timeline_make_view_menu (void)
{
  return cs_menu_lines_make (view_lines, G_N_ELEMENTS (view_lines), 0);
}

/**
 * cs_timeline_make_shortcuts:
 *
 * Returns: (transfer full): the keys of the view. They are letters, which entries need for themselves: the view gets what no
 *   widget in it took
 */
GtkEventController *
cs_timeline_make_shortcuts (void)
{
  static const struct { const char *key, *action; } keys[] = {
    { "period", "timeline.next-call" },
    { "comma", "timeline.previous-call" },
    { "greater", "timeline.next-in-thread" },
    { "less", "timeline.previous-in-thread" },
    { "n", "timeline.next-match" },
    { "<Shift>n", "timeline.previous-match" },
    { "z", "timeline.zoom-call" },
    { "r", "timeline.select-call-range" },
    { "p", "timeline.pin-thread" },
    { "h", "timeline.hide-thread" },
    { "<Shift>h", "timeline.show-all-threads" },
    { "c", "timeline.collapse-thread" },
    { "x", "timeline.full-thread" },
    { "l", "timeline.longer" },
    { "t", "timeline.tracks" },
    { "<Shift>t", "timeline.table" },
    { "g", "timeline.show-flame-graph" },
    { "e", "timeline.open-editor" },
    { "<Control>c", "timeline.copy" },
  };
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller),
                                          gtk_shortcut_new (gtk_shortcut_trigger_parse_string (keys[i].key),
                                                            gtk_named_action_new (keys[i].action)));
  return controller;
}
