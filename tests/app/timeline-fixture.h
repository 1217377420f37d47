/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib/gstdio.h>

#include "profile/cs-profile.h"
#include "test-display.h"
#include "timeline/cs-timeline-chart-private.h"
#include "trace.h"

enum { MAIN = 0x1000, LEFT = 0x2000, RIGHT = 0x3000, INNER = 0x4000, TINY = 0x5000, OPEN = 0x6000 };

#define T0 G_GINT64_CONSTANT (1000000)

/* A folder of event files that are being written. */
typedef struct
{
  char *path;
  GByteArray *file; /* of the thread that is being written */
  guint pid, tid;
} Recording;

static inline void
begin_recording (Recording *self)
{
  *self = (Recording){ .path = g_dir_make_tmp ("callsight-test-XXXXXX", NULL) };
}

static inline void
end_thread (Recording *self)
{
  g_autofree char *name = g_strdup_printf ("trace.%u.%u.0.bin", self->pid, self->tid);
  g_autofree char *path = g_build_filename (self->path, name, NULL);

  if (self->file == NULL)
    return;
  g_assert_true (g_file_set_contents (path, (const char *) self->file->data, self->file->len, NULL));
  g_clear_pointer (&self->file, g_byte_array_unref);
}

static inline void
begin_thread (Recording *self, guint pid, guint tid)
{
  const struct trace_header header = { TRACE_MAGIC, TRACE_VERSION, TRACE_EVENT_SIZE, TRACE_HEADER_SIZE, .pid = pid };

  end_thread (self);
  self->pid = pid;
  self->tid = tid;
  self->file = g_byte_array_new ();
  g_byte_array_append (self->file, (const guint8 *) &header, sizeof header);
}

static inline void
add_event (Recording *self, gint64 ns, guint64 address, guint8 kind)
{
  const struct trace_event event = { .ts = (guint64) (T0 + ns), .func = address, .caller = 0x1004, .tid = self->tid,
                                     .kind = kind };

  g_byte_array_append (self->file, (const guint8 *) &event, sizeof event);
}

static inline void
enter (Recording *self, gint64 ns, guint64 address)
{
  add_event (self, ns, address, TRACE_KIND_ENTER);
}

static inline void
leave (Recording *self, gint64 ns, guint64 address)
{
  add_event (self, ns, address, TRACE_KIND_EXIT);
}

static inline void
add_call (Recording *self, gint64 from, gint64 to, guint64 address)
{
  enter (self, from, address);
  leave (self, to, address);
}

static inline CsTimeline *
read_timeline (const char *path)
{
  const char *const paths[] = { path, NULL };
  const CsProfileOptions options = { .timeline = TRUE, .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (CsRecording) recording = cs_recording_open (paths, NULL, &error);
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (CsProfile) profile = NULL;

  g_assert_no_error (error);
  profile = cs_profile_new (recording, symbolizer, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  return cs_timeline_ref (cs_profile_get_timeline (profile));
}

static inline void
remove_folder (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  /* What is removed while a folder is read may hide others. */
  while ((name = g_dir_read_name (folder)) != NULL)
    g_ptr_array_add (files, g_build_filename (path, name, NULL));
  for (guint i = 0; i < files->len; i++)
    g_assert_cmpint (g_unlink (g_ptr_array_index (files, i)), ==, 0);
  g_assert_cmpint (g_rmdir (path), ==, 0);
}

/* Two threads, known to the ns, in 120 µs:
 *   11: MAIN 0–120 µs, in it LEFT 10–40 and RIGHT 60–100, in that INNER 70–80 and 1,000 × TINY from 82 on, each 10 ns after
 *       the one before and 5 ns long
 *   12: OPEN from 20 µs on, without an end; in it INNER 30–110 µs */
static inline void
write_known (Recording *self)
{
  begin_recording (self);
  begin_thread (self, 7, 11);
  enter (self, 0, MAIN);
  add_call (self, 10000, 40000, LEFT);
  enter (self, 60000, RIGHT);
  add_call (self, 70000, 80000, INNER);
  for (guint i = 0; i < 1000; i++)
    add_call (self, 82000 + 10 * i, 82005 + 10 * i, TINY);
  leave (self, 100000, RIGHT);
  leave (self, 120000, MAIN);
  begin_thread (self, 7, 12);
  enter (self, 20000, OPEN);
  add_call (self, 30000, 110000, INNER);
  end_thread (self);
}

/* A chart in a window, and what it told. */
typedef struct
{
  GtkWidget *window;
  CsTimelineChart *chart;
  Recording recording;
  guint n_selected, n_activated, n_range, n_measure, n_window, n_tracks, n_menu;
  CsTimelinePoint point;
} Fixture;

static inline void
count (guint *n)
{
  ++*n;
}

static inline void
on_menu (CsTimelineChart *chart, CsTimelinePoint *point, double x, double y, Fixture *fixture)
{
  fixture->n_menu++;
  fixture->point = *point;
}

static inline gboolean
set_true (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static inline void
wait_for_ms (guint ms)
{
  gboolean done = FALSE;

  g_timeout_add (ms, set_true, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

/* Until nothing moves or is being read. */
static inline void
settle (Fixture *fixture)
{
  do
    while (fixture->chart->animating || fixture->chart->asking || fixture->chart->walking || fixture->chart->rows_changed)
      g_main_context_iteration (NULL, TRUE);
  while (g_main_context_iteration (NULL, FALSE));
}

static inline void
open_chart (Fixture *fixture, int width, int height)
{
  GtkWidget *widget = cs_timeline_chart_new ();

  fixture->window = gtk_window_new ();
  fixture->chart = CS_TIMELINE_CHART (widget);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), width, height);
  gtk_window_set_decorated (GTK_WINDOW (fixture->window), FALSE);
  gtk_window_set_child (GTK_WINDOW (fixture->window), widget);
  g_signal_connect_swapped (widget, "call-selected", G_CALLBACK (count), &fixture->n_selected);
  g_signal_connect_swapped (widget, "call-activated", G_CALLBACK (count), &fixture->n_activated);
  g_signal_connect_swapped (widget, "range-changed", G_CALLBACK (count), &fixture->n_range);
  g_signal_connect_swapped (widget, "measure-changed", G_CALLBACK (count), &fixture->n_measure);
  g_signal_connect_swapped (widget, "window-changed", G_CALLBACK (count), &fixture->n_window);
  g_signal_connect_swapped (widget, "tracks-changed", G_CALLBACK (count), &fixture->n_tracks);
  g_signal_connect (widget, "menu-requested", G_CALLBACK (on_menu), fixture);
  gtk_window_present (GTK_WINDOW (fixture->window));
  while (gtk_widget_get_width (widget) == 0 || !gtk_widget_get_mapped (widget))
    g_main_context_iteration (NULL, TRUE);
}

/* Reads what was written and shows it. */
static inline void
show_recording (Fixture *fixture)
{
  g_autoptr (CsTimeline) timeline = NULL;

  end_thread (&fixture->recording);
  timeline = read_timeline (fixture->recording.path);
  cs_timeline_chart_set_timeline (fixture->chart, timeline);
  settle (fixture);
}

static inline void
open_known (Fixture *fixture)
{
  write_known (&fixture->recording);
  open_chart (fixture, 1000, 500);
  show_recording (fixture);
}

static inline void
close_chart (Fixture *fixture)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  if (fixture->recording.path != NULL && g_file_test (fixture->recording.path, G_FILE_TEST_IS_DIR))
    remove_folder (fixture->recording.path);
  g_free (fixture->recording.path);
}

/* What is painted. */
static inline GskRenderNode *
paint (Fixture *fixture)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();

  GTK_WIDGET_GET_CLASS (fixture->chart)->snapshot (GTK_WIDGET (fixture->chart), snapshot);
  return gtk_snapshot_free_to_node (snapshot);
}

/* A rectangle or a text that is painted. */
typedef struct
{
  GskRenderNodeType type;
  graphene_rect_t bounds; /* in the widget */
  GdkRGBA color;
} Painted;

static inline void
walk_nodes (GskRenderNode *node, float dx, float dy, GArray *painted)
{
  Painted own = { .type = gsk_render_node_get_node_type (node) };

  switch ((guint) own.type)
    {
    case GSK_CONTAINER_NODE:
      for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
        walk_nodes (gsk_container_node_get_child (node, i), dx, dy, painted);
      return;
    case GSK_CLIP_NODE:
      walk_nodes (gsk_clip_node_get_child (node), dx, dy, painted);
      return;
    case GSK_ROUNDED_CLIP_NODE:
      walk_nodes (gsk_rounded_clip_node_get_child (node), dx, dy, painted);
      return;
    case GSK_TRANSFORM_NODE:
      {
        float x, y;

        gsk_transform_to_translate (gsk_transform_node_get_transform (node), &x, &y);
        walk_nodes (gsk_transform_node_get_child (node), dx + x, dy + y, painted);
        return;
      }
    case GSK_COLOR_NODE:
      own.color = *gsk_color_node_get_color (node);
      break;
    case GSK_TEXT_NODE:
      own.color = *gsk_text_node_get_color (node);
      break;
    default:
      break;
    }
  gsk_render_node_get_bounds (node, &own.bounds);
  graphene_rect_offset (&own.bounds, dx, dy);
  g_array_append_val (painted, own);
}

static inline GArray *
list_painted (Fixture *fixture)
{
  GArray *painted = g_array_new (FALSE, FALSE, sizeof (Painted));
  GskRenderNode *node = paint (fixture);

  if (node != NULL)
    {
      walk_nodes (node, 0, 0, painted);
      gsk_render_node_unref (node);
    }
  return painted;
}

static inline guint
count_painted (GArray *painted, GskRenderNodeType type)
{
  guint n = 0;

  for (guint i = 0; i < painted->len; i++)
    n += g_array_index (painted, Painted, i).type == type;
  return n;
}

/* The rectangles as high as a row whose upper edge is there, by x. */
static inline GArray *
find_row (Fixture *fixture, GArray *painted, double y)
{
  GArray *row = g_array_new (FALSE, FALSE, sizeof (Painted));

  for (guint i = 0; i < painted->len; i++)
    {
      const Painted *at = &g_array_index (painted, Painted, i);

      if (at->type == GSK_COLOR_NODE && ABS (at->bounds.origin.y - y) < 0.5 &&
          ABS (at->bounds.size.height - (fixture->chart->row_height - 1)) < 0.5)
        g_array_append_val (row, *at);
    }
  return row;
}

/* Where a track's row is in the widget. */
static inline double
get_row_y (Fixture *fixture, guint track, guint32 depth)
{
  double y;

  g_assert_true (cs_timeline_rows_get_y (cs_timeline_chart_get_rows (fixture->chart), track, depth, &y));
  return y + fixture->chart->ruler_height - gtk_adjustment_get_value (fixture->chart->adjustment);
}

/* Where a time since T0 is in the widget. */
static inline double
get_time_x (Fixture *fixture, gint64 ns)
{
  double width = gtk_widget_get_width (GTK_WIDGET (fixture->chart)), axis = cs_timeline_chart_get_axis_width (fixture->chart);
  double start = width - fixture->chart->scrollbar_width - axis;
  gint64 from, to;
  double x;

  cs_timeline_chart_get_window (fixture->chart, &from, &to);
  x = start + (double) (T0 + ns - from) * axis / (double) (to - from);
  return gtk_widget_get_direction (GTK_WIDGET (fixture->chart)) == GTK_TEXT_DIR_RTL ? width - x : x;
}

/* A place within a row, at a time. */
static inline void
hit (Fixture *fixture, gint64 ns, guint track, guint32 depth, CsTimelinePoint *point)
{
  cs_timeline_chart_hit (fixture->chart, get_time_x (fixture, ns), get_row_y (fixture, track, depth) + 5, point);
}

static inline void
click (Fixture *fixture, double x, double y, guint n_press)
{
  cs_timeline_chart_press (fixture->chart, x, y, 0);
  cs_timeline_chart_release (fixture->chart, x, y, n_press);
}

static inline void
drag (Fixture *fixture, double x0, double y0, double x1, double y1, GdkModifierType state)
{
  cs_timeline_chart_press (fixture->chart, x0, y0, state);
  cs_timeline_chart_drag_to (fixture->chart, (x0 + x1) / 2, (y0 + y1) / 2);
  cs_timeline_chart_release (fixture->chart, x1, y1, 1);
}

static inline void
press_key (Fixture *fixture, guint keyval, GdkModifierType state)
{
  g_assert_true (cs_timeline_chart_press_key (fixture->chart, keyval, state));
  settle (fixture);
}

static inline void
assert_call (Fixture *fixture, guint track, guint64 address, gint64 start)
{
  const CsTimelineCall *call = cs_timeline_chart_get_call (fixture->chart);

  g_assert_nonnull (call);
  g_assert_cmpuint (call->track, ==, track);
  g_assert_cmphex (call->span.address, ==, address);
  g_assert_cmpint (call->span.start, ==, T0 + start);
}

static inline void
assert_window (Fixture *fixture, gint64 from, gint64 to)
{
  gint64 window_from, window_to;

  cs_timeline_chart_get_window (fixture->chart, &window_from, &window_to);
  g_assert_cmpint (window_from, ==, T0 + from);
  g_assert_cmpint (window_to, ==, T0 + to);
}

/* GTK's macro takes a literal as a part of a format. */
static inline void
assert_text (Fixture *fixture, GtkAccessibleProperty property, const char *text)
{
  gtk_test_accessible_assert_property (fixture->chart, property, text);
}
