/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/cs-save-file.h"
#include "layout/cs-palette.h"
#include "report/cs-flame-export.h"
#include "report/cs-picture.h"
#include "report/cs-report-calls.h"

#define WIDTH 1200
#define LEAST_WIDTH 200
#define HEAD 64
#define NARROW 1.0    /* pixels: what is narrower is drawn together with its neighbours */
#define MOST_RECTS 20000

typedef struct
{
  const CsFlameExport *options;
  CsReportWriter *writer;
  CsReportNames names;
  CsFlameWindow window;
  GArray *rects; /* CsFlameRect, in the order in which they are drawn */
  double width, top;
  guint n_rows;
  guint64 total;     /* ns */
  guint64 n_narrow;  /* frames in blocks */
} Export;

/* A rectangle's part of the window, ns from its start. */
static void
clip (const Export *self, const CsFlameRect *rect, guint64 *from, guint64 *to)
{
  *from = MAX (rect->start, self->window.x0) - self->window.x0;
  *to = MIN (rect->start + rect->width, self->window.x1);
  *to = MAX (*to, self->window.x0 + *from) - self->window.x0;
}

static int
compare_rects (gconstpointer a, gconstpointer b, gpointer data)
{
  const CsFlameRect *x = a, *y = b;
  guint64 from_x, from_y, to;

  clip (data, x, &from_x, &to);
  clip (data, y, &from_y, &to);
  if (from_x != from_y)
    return from_x < from_y ? -1 : 1;
  return x->depth < y->depth ? -1 : x->depth > y->depth;
}

/* What is drawn: nothing without width. Callers come before what they call, and the left before the right. */
static void
find_rects (Export *self)
{
  CsFlameLayout *layout = self->options->layout;
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (CsFlameRect));

  self->window = (CsFlameWindow){ .depth1 = cs_flame_layout_get_n_rows (layout), .pixels = self->width,
                                  .min_pixels = NARROW, .max_rects = MOST_RECTS };
  cs_flame_layout_focus (layout, self->options->focus, &self->window);
  cs_flame_layout_query (layout, &self->window, all);
  for (guint i = 0; i < all->len; i++)
    {
      const CsFlameRect *rect = &g_array_index (all, CsFlameRect, i);
      guint64 from, to;

      clip (self, rect, &from, &to);
      if (from == to)
        continue;
      g_array_append_val (self->rects, *rect);
      self->n_rows = MAX (self->n_rows, rect->depth + 1);
    }
  g_array_sort_with_data (self->rects, compare_rects, self);
}

/* Whether one of the frames stands out. */
static gboolean
is_found (const Export *self, const CsFlameRect *rect)
{
  const guint32 *found = self->options->found;
  guint low = 0, high = self->options->n_found;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (found[middle] < rect->node)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->options->n_found && found[low] < rect->node + rect->n;
}

static void
put_share (Export *self, const char *what, guint64 time)
{
  guint hundredths = self->total > 0 ? (guint) ((double) time * 10000 / (double) self->total + 0.5) : 0;

  cs_report_writer_puts (self->writer, what);
  cs_report_writer_put_duration (self->writer, time, 0);
  cs_report_writer_printf (self->writer, " (%u.%02u %%)", hundredths / 100, hundredths % 100);
}

/* What is said of a frame where the caller doesn't say it. */
static void
put_frame_text (Export *self, guint32 index, const char *name)
{
  const CsLocation *location = NULL;
  CsFlameNode node;

  cs_flame_layout_get_node (self->options->layout, index, &node);
  cs_picture_put_text (self->writer, name);
  if (index != 0 && self->options->profile != NULL)
    location = cs_report_names_get_location (&self->names, node.function);
  if (location != NULL && location->file != NULL)
    {
      cs_report_writer_puts (self->writer, "\n");
      cs_picture_put_text (self->writer, location->file);
      if (location->line > 0)
        cs_report_writer_printf (self->writer, ":%u", location->line);
    }
  put_share (self, "\ntime ", node.width);
  put_share (self, "\nself ", node.self);
  if (node.calls > 0)
    cs_report_writer_printf (self->writer, "\n%" G_GUINT64_FORMAT " call%s", node.calls, node.calls == 1 ? "" : "s");
}

static char *
dup_name (Export *self, guint32 index)
{
  const CsFlameExport *options = self->options;
  CsFlameNode node;

  if (index == 0)
    return g_strdup (options->root != NULL ? options->root : "all");
  if (options->dup_name != NULL)
    return options->dup_name (index, options->data);
  cs_flame_layout_get_node (options->layout, index, &node);
  return g_strdup (cs_report_names_get (&self->names, node.function));
}

static void
set_colour (Export *self, guint32 index, const char *name, CsPictureRect *rect)
{
  const CsFlameExport *options = self->options;
  CsFlameNode node;

  cs_flame_layout_get_node (options->layout, index, &node);
  rect->colour = CS_PICTURE_PLAIN;
  if (index != 0 && options->get_colour != NULL)
    {
      rect->colour = CS_PICTURE_OWN;
      rect->light = options->get_colour (index, FALSE, options->data);
      rect->dark = options->get_colour (index, TRUE, options->data);
    }
  else if (index != 0 && !cs_call_node_is_thread (node.function))
    rect->colour = cs_flame_colour_index (name, CS_PALETTE_N_FUNCTIONS);
}

static void
put_frame (Export *self, const CsFlameRect *frame, CsPictureRect *rect)
{
  const CsFlameExport *options = self->options;
  g_autofree char *name = dup_name (self, frame->node);
  g_autofree char *text = NULL;

  rect->label = name;
  set_colour (self, frame->node, name, rect);
  if (options->dup_text != NULL && frame->node != 0)
    {
      text = options->dup_text (frame->node, options->data);
      cs_picture_add_rect (self->writer, rect, text);
      return;
    }
  cs_picture_begin_rect (self->writer, rect);
  put_frame_text (self, frame->node, name);
  cs_picture_end_rect (self->writer, rect);
}

static void
put_block (Export *self, const CsFlameRect *block, CsPictureRect *rect)
{
  g_autofree char *label = g_strdup_printf ("×%u", block->n);

  rect->colour = CS_PICTURE_PLAIN;
  rect->label = label;
  cs_picture_begin_rect (self->writer, rect);
  cs_report_writer_printf (self->writer, "%u narrow frames", block->n);
  put_share (self, "\ntime ", block->time);
  cs_picture_end_rect (self->writer, rect);
  self->n_narrow += block->n;
}

static void
put_rect (Export *self, const CsFlameRect *frame)
{
  double scale = self->window.x1 > self->window.x0 ? self->width / (double) (self->window.x1 - self->window.x0) : 0;
  guint row = self->options->upwards ? self->n_rows - 1 - frame->depth : frame->depth;
  CsPictureRect rect = { .y = self->top + row * CS_PICTURE_ROW, .height = CS_PICTURE_ROW - 1, .zooms = TRUE,
                         .depth = frame->depth };
  CsFlameNode focus;
  guint64 to;

  clip (self, frame, &rect.from, &to);
  rect.length = to - rect.from;
  rect.x = CS_PICTURE_MARGIN + (double) rect.from * scale;
  rect.width = (double) rect.length * scale;
  cs_flame_layout_get_node (self->options->layout, self->options->focus, &focus);
  if (frame->depth < focus.depth)
    rect.flags |= CS_PICTURE_SOFT;
  if (is_found (self, frame))
    rect.flags |= CS_PICTURE_HIT;
  if (frame->n > 1)
    put_block (self, frame, &rect);
  else
    put_frame (self, frame, &rect);
}

/* Title, notes and notices. Returns the height that they take. */
static double
put_head (Export *self, gboolean measure)
{
  const CsFlameExport *options = self->options;
  guint64 shown = self->window.x1 - self->window.x0;
  double y = 50;

  if (!measure)
    {
      cs_picture_add_text (self->writer, CS_PICTURE_MARGIN, 30, CS_PICTURE_HEAD, options->title, self->width * 0.55);
      cs_picture_begin_text (self->writer, CS_PICTURE_MARGIN, y, CS_PICTURE_INFO);
      if (shown == self->total)
        cs_report_writer_put_duration (self->writer, self->total, 0);
      else
        {
          put_share (self, "", shown);
          cs_report_writer_puts (self->writer, " of ");
          cs_report_writer_put_duration (self->writer, self->total, 0);
        }
      cs_picture_end_text (self->writer);
    }
  for (guint i = 0; options->notes != NULL && options->notes[i] != NULL; i++)
    {
      y += CS_PICTURE_LINE;
      if (!measure)
        cs_picture_add_text (self->writer, CS_PICTURE_MARGIN, y, CS_PICTURE_SOFT_NOTE, options->notes[i], self->width);
    }
  for (guint i = 0; options->notices != NULL && options->notices[i] != NULL; i++)
    {
      y += CS_PICTURE_LINE;
      if (!measure)
        cs_picture_add_notice (self->writer, CS_PICTURE_MARGIN, y, options->notices[i], self->width);
    }
  return y + HEAD - 50;
}

static void
put_foot (Export *self, double y)
{
  if (self->n_narrow == 0)
    return;
  cs_picture_begin_text (self->writer, CS_PICTURE_MARGIN, y, CS_PICTURE_SOFT_NOTE);
  cs_report_writer_printf (self->writer,
                           "%" G_GUINT64_FORMAT " frames are too narrow: they are drawn together with others, and not searched",
                           self->n_narrow);
  cs_picture_end_text (self->writer);
}

/**
 * cs_flame_export_svg:
 * @self: what is shown
 * @stream: where to
 * @cancellable: (nullable): to give up early
 * @error: where to say why it isn't whole
 *
 * Writes the focused frame with all that is below it and, as wide as the picture, its callers. Frames narrower
 * than a pixel are drawn together, as they are on the screen. The file needs no other; its script zooms and
 * searches as that of the report does. Nothing is translated.
 *
 * Returns: whether all was written
 */
gboolean
cs_flame_export_svg (const CsFlameExport *self, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  g_autoptr (CsReportWriter) writer = cs_report_writer_new (stream, cancellable);
  g_autoptr (GArray) rects = g_array_new (FALSE, FALSE, sizeof (CsFlameRect));
  double picture = MAX (self->width > 0 ? self->width : WIDTH, LEAST_WIDTH);
  Export export = { .options = self, .writer = writer, .rects = rects, .width = picture - 2 * CS_PICTURE_MARGIN,
                    .total = cs_flame_layout_get_total (self->layout) };
  double bottom;

  g_return_val_if_fail (self->focus < cs_flame_layout_get_n_nodes (self->layout), FALSE);

  if (self->profile != NULL)
    cs_report_names_init (&export.names, self->profile);
  find_rects (&export);
  export.top = put_head (&export, TRUE);
  bottom = export.top + export.n_rows * CS_PICTURE_ROW;
  cs_picture_begin (writer, self->title, picture, bottom + 2 * CS_PICTURE_LINE,
                    (self->upwards ? CS_PICTURE_UPWARDS : 0) | (self->n_found > 0 ? CS_PICTURE_SEARCHED : 0));
  put_head (&export, FALSE);
  for (guint i = 0; i < rects->len && !cs_report_writer_should_stop (writer); i++)
    put_rect (&export, &g_array_index (rects, CsFlameRect, i));
  put_foot (&export, bottom + CS_PICTURE_LINE);
  cs_picture_end (writer, rects->len > 0);
  if (self->profile != NULL)
    cs_report_names_clear (&export.names);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  return cs_report_writer_finish (writer, error);
}

typedef struct
{
  guint64 self; /* ns */
  guint32 node;
} Stack;

static int
compare_stacks (gconstpointer a, gconstpointer b)
{
  const Stack *x = a, *y = b;

  if (x->self != y->self)
    return x->self < y->self ? 1 : -1;
  return x->node < y->node ? -1 : x->node > y->node;
}

/* The frames at and below the focus that have time of their own, most first. */
static GArray *
find_stacks (const CsFlameExport *self)
{
  GArray *stacks = g_array_new (FALSE, TRUE, sizeof (Stack));
  CsFlameNode focus, node;

  cs_flame_layout_get_node (self->layout, self->focus, &focus);
  for (guint32 i = self->focus; i < cs_flame_layout_get_n_nodes (self->layout); i++)
    {
      cs_flame_layout_get_node (self->layout, i, &node);
      if (node.self > 0 && node.depth >= focus.depth && node.start >= focus.start &&
          node.start + node.width <= focus.start + focus.width)
        {
          const Stack stack = { .self = node.self, .node = i };

          g_array_append_val (stacks, stack);
        }
    }
  g_array_sort (stacks, compare_stacks);
  return stacks;
}

/**
 * cs_flame_export_folded:
 * @self: what is shown; of a profile
 * @stream: where to
 * @cancellable: (nullable): to give up early
 * @error: where to say why it isn't whole
 *
 * Writes a line for each stack at and below the focused frame, from the outermost frame of the whole: names,
 * divided by semicolons, and its own time, ns. The times' sum is the focused frame's. Bottom-up, a stack
 * begins with the function whose time it is.
 *
 * Returns: whether all was written
 */
gboolean
cs_flame_export_folded (const CsFlameExport *self, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  g_autoptr (CsReportWriter) writer = cs_report_writer_new (stream, cancellable);
  g_auto (CsReportNames) names = { 0 };
  g_autoptr (GArray) stacks = find_stacks (self);
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));
  CsFlameNode node;

  g_return_val_if_fail (CS_IS_PROFILE (self->profile), FALSE);

  cs_report_names_init (&names, self->profile);
  for (guint i = 0; i < stacks->len && !cs_report_writer_should_stop (writer); i++)
    {
      const Stack *stack = &g_array_index (stacks, Stack, i);

      cs_flame_layout_get_path (self->layout, stack->node, path);
      for (guint j = 1; j < path->len; j++)
        {
          cs_flame_layout_get_node (self->layout, g_array_index (path, guint32, j), &node);
          cs_report_writer_puts (writer, j > 1 ? ";" : "");
          cs_report_writer_put_plain (writer, cs_report_names_get (&names, node.function), ':');
        }
      cs_report_writer_puts (writer, path->len > 1 ? " " : "(all) ");
      cs_report_writer_put_number (writer, stack->self);
      cs_report_writer_puts (writer, "\n");
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  return cs_report_writer_finish (writer, error);
}

/* What is saved in a thread: the bytes of an SVG file, or folded stacks. */
typedef struct
{
  char *path;
  GBytes *bytes; /* (nullable) */
  CsFlameExport folded;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->path);
  g_clear_pointer (&job->bytes, g_bytes_unref);
  g_clear_pointer (&job->folded.layout, cs_flame_layout_unref);
  g_clear_object (&job->folded.profile);
  g_free (job);
}

static gboolean
save (const Job *job, GCancellable *cancellable, GError **error)
{
  g_autoptr (CsSaveFile) file = NULL;

  if (job->bytes != NULL)
    return cs_save_file_write (job->path, job->bytes, cancellable, error);
  file = cs_save_file_open (job->path, error);
  return file != NULL && cs_flame_export_folded (&job->folded, cs_save_file_get_stream (file), cancellable, error) &&
         cs_save_file_commit (file, error);
}

static void
save_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (save (data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static GBytes *
make_svg (const CsFlameExport *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();

  if (!cs_flame_export_svg (self, stream, cancellable, error) || !g_output_stream_close (stream, cancellable, error))
    return NULL;
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
}

/**
 * cs_flame_export_save_async:
 * @self: what is shown
 * @folded: as folded stacks; otherwise as SVG, for which what @self calls is called now
 * @path: a file; on an error it is as it was
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when it is saved, or not
 * @user_data: for @callback
 *
 * Saves what is shown.
 */
void
cs_flame_export_save_async (const CsFlameExport *self, gboolean folded, const char *path, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);
  GError *error = NULL;

  g_task_set_source_tag (task, cs_flame_export_save_async);
  g_task_set_check_cancellable (task, FALSE); /* what is there is told of */
  g_task_set_task_data (task, job, job_free);
  job->path = g_strdup (path);
  if (folded)
    job->folded = (CsFlameExport){ .layout = cs_flame_layout_ref (self->layout),
                                   .profile = g_object_ref (self->profile), .focus = self->focus };
  else if ((job->bytes = make_svg (self, cancellable, &error)) == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_task_run_in_thread (task, save_in_thread);
}

/**
 * cs_flame_export_save_finish:
 * @result: what the callback got
 * @error: where to say why it isn't saved
 *
 * Returns: whether it is
 */
gboolean
cs_flame_export_save_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
