/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>
#include "flame/cs-flame-save.h"
#include "flame/cs-flame-texts.h"
#include "flame/cs-flame-view-private.h"
#include "hotspots-fixture.h"
#include "session/cs-session-private.h"
#include "shared/cs-settings.h"

/* What write_recording() is as a tree, in ns:
 *
 *   main 598 (self 250)                                             last 2 (self 1)
 *   fives 275, threes 30, outer 30 (self 9), twice 12 (self 4), lost 1     inner 1
 *                         inner 21           twice 8
 */
enum { N_NODES = 11 };

typedef struct
{
  Fixture base;
  CsFlameView *view;
  CsFlameChart *chart;
  CsFlameSearch *search;
} FlameFixture;

static inline void
settle (FlameFixture *fixture)
{
  gboolean busy;

  do
    {
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_object_get (fixture->base.session, "busy", &busy, NULL);
      if (busy || cs_flame_view_get_busy (fixture->view))
        g_main_context_iteration (NULL, TRUE);
    }
  while (busy || cs_flame_view_get_busy (fixture->view) || g_main_context_pending (NULL));
}

static inline void
act (FlameFixture *fixture, const char *detailed)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_action_parse_detailed_name (detailed, &name, &target, &error));
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (fixture->base.window), name, target));
  settle (fixture);
}

static inline void
reset_settings (void)
{
  static const char *const keys[] = { "flame-kind", "flame-order", "flame-shape", "flame-threads", "flame-collapse", "color-by" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_settings_reset (cs_settings_get (), keys[i]);
}

static inline void
open_flame (FlameFixture *fixture, char *folder)
{
  reset_settings ();
  open_recording (&fixture->base, folder);
  gtk_widget_activate_action (GTK_WIDGET (fixture->base.window), "win.view", "s", "flame-graph");
  fixture->view = CS_FLAME_VIEW (cs_window_get_view (fixture->base.window, "flame-graph"));
  fixture->chart = cs_flame_view_get_chart (fixture->view);
  fixture->search = cs_flame_view_get_search (fixture->view);
  settle (fixture);
}

static inline void
close_flame (FlameFixture *fixture)
{
  close_recording (&fixture->base);
  reset_settings ();
}

static inline CsFlameLayout *
get_layout (FlameFixture *fixture)
{
  return cs_flame_picture_get_layout (cs_flame_view_get_picture (fixture->view));
}

/* All frames in their order, each as the last part of its function's address, its depth in the picture being that of the
 * group it stands in. */
static inline char *
dup_frames (FlameFixture *fixture)
{
  GString *text = g_string_new (NULL);
  guint32 depth = 1;

  for (guint32 i = 1; i < cs_flame_layout_get_n_nodes (get_layout (fixture)); i++)
    {
      CsFlameNode node;
      const CsFunction *function = cs_flame_picture_get_function (cs_flame_view_get_picture (fixture->view), i);

      cs_flame_layout_get_node (get_layout (fixture), i, &node);
      g_string_append (text, i == 1 ? "" : node.depth > depth ? " / " : " ");
      if (function != NULL)
        g_string_append_printf (text, "%" G_GINT64_MODIFIER "x", function->location.address >> 12);
      else
        g_string_append_c (text, '-'); /* a thread */
      g_string_append_printf (text, ":%" G_GUINT64_FORMAT, node.width);
      depth = node.depth;
    }
  return g_string_free (text, FALSE);
}

static inline void
assert_frames (FlameFixture *fixture, const char *expected)
{
  g_autofree char *frames = dup_frames (fixture);

  g_assert_cmpstr (frames, ==, expected);
  g_assert_true (cs_flame_chart_get_layout (fixture->chart) == get_layout (fixture));
}

/* The widest frame of a function. */
static inline guint32
get_frame (FlameFixture *fixture, guint64 address)
{
  return cs_flame_picture_find_widest (cs_flame_view_get_picture (fixture->view), find (&fixture->base, address));
}

static inline void
assert_focus_node (FlameFixture *fixture, guint32 node, const char *crumbs)
{
  g_autofree char *text = cs_flame_crumbs_dup_text (cs_flame_view_get_crumbs (fixture->view));

  g_assert_cmpuint (cs_flame_chart_get_focus (fixture->chart), ==, node);
  g_assert_cmpstr (text, ==, crumbs);
}

static inline void
assert_focus (FlameFixture *fixture, guint64 address, const char *crumbs)
{
  assert_focus_node (fixture, address != 0 ? get_frame (fixture, address) : 0, crumbs);
}

static inline gboolean
has_text (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_child_visible (widget)
      && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_visible (child) && has_text (child, text))
      return TRUE;
  return FALSE;
}

static inline gboolean
give_up (gpointer data)
{
  g_printerr ("nothing ever said: %s\n", (const char *) data);
  g_assert_not_reached ();
}

/* The next frame tells. */
static inline void
wait_for_text (FlameFixture *fixture, const char *text)
{
  guint timer = g_timeout_add_seconds (20, give_up, (gpointer) text);

  while (!has_text (GTK_WIDGET (fixture->view), text))
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
}

static inline void
set_cursor (FlameFixture *fixture, guint64 address)
{
  cs_flame_chart_set_cursor (fixture->chart, get_frame (fixture, address));
}

/* `main' calls itself `depth' deep. */
static inline char *
write_deep (guint depth)
{
  GByteArray *recording = test_recording_new ();

  for (guint i = 0; i < depth; i++)
    test_recording_add (recording, i, MAIN + 16 * (guint64) i, TRACE_KIND_ENTER);
  for (guint i = depth; i-- > 0;)
    test_recording_add (recording, 2 * (guint64) depth - i, MAIN + 16 * (guint64) i, TRACE_KIND_EXIT);
  return test_recording_write (recording);
}

static inline guint
get_n_rows (FlameFixture *fixture)
{
  return g_list_model_get_n_items (cs_flame_table_get_model (cs_flame_view_get_table (fixture->view)));
}
