/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "record/cs-log-view.h"
#include "shared/cs-format.h"

/* Between two looks at the log. */
#define LOOK_MS 25
/* Bytes that are shown at a look, so that a frame isn't late. */
#define MOST_AT_ONCE (12 * 1024)
/* What a program writes is read before it is shown, or showing would hold the program up. So that something is seen
 * of one that writes all the time, every so many looks show a little all the same. */
#define LOOKS_WITHOUT 20
#define LITTLE_AT_ONCE (4 * 1024)
/* More matches aren't counted. */
#define MOST_MATCHES 5000
/* Of an idle source: behind what GtkTextView lays out in its own. */
#define AFTER_LAYOUT (GDK_PRIORITY_REDRAW + 10)

/* A place in the buffer: a line and bytes of it. */
typedef struct
{
  int line, from, to;
} Match;

struct _CsLogView
{
  GtkWidget parent_instance;

  GtkSearchBar *search_bar;
  GtkSearchEntry *search_entry;
  GtkLabel *count;
  GtkLabel *dropped;
  GtkScrolledWindow *scrolled;
  GtkTextView *text;

  CsLog *log;          /* (nullable) */
  GtkTextBuffer *buffer;
  GtkTextTag *plain_tag, *error_tag, *warning_tag, *match_tag;
  guint64 first_line;  /* number of the buffer's first line */
  guint n_tagged;      /* problems whose lines are tagged */
  GArray *matches;     /* (element-type Match): of the search */
  gboolean is_searched; /* they are those of what is shown */
  guint64 place_line;  /* where the search is: a line of the log, and in `place` bytes of it. Not the selection: that
                        * goes when an entry has one */
  Match place;
  gboolean sticks;     /* follows the end */
  guint scrolling;     /* source that scrolls to the end */
  guint n_looks;       /* since something was shown */
  guint timer;
  guint idle;
};

enum
{
  DRAINED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsLogView, cs_log_view, GTK_TYPE_WIDGET)

static void
show_dropped (CsLogView *self)
{
  g_autofree char *lines = cs_format_count (self->first_line);
  g_autofree char *text = g_strdup_printf (_("%s earlier lines aren’t kept"), lines);

  gtk_label_set_text (self->dropped, text);
  gtk_widget_set_visible (GTK_WIDGET (self->dropped), self->first_line > 0);
}

/* Forgets the first lines when there are too many. */
static void
bound (CsLogView *self)
{
  int lines = gtk_text_buffer_get_line_count (self->buffer);
  int most = CS_LOG_MOST_LINES;
  GtkTextIter start, end;

  if (gtk_text_buffer_get_char_count (self->buffer) > CS_LOG_MOST_BYTES)
    most = lines * 3 / 4;
  if (lines <= most)
    return;
  /* Some more at once, since this isn't cheap. */
  most = most * 9 / 10;
  gtk_text_buffer_get_start_iter (self->buffer, &start);
  gtk_text_buffer_get_iter_at_line (self->buffer, &end, lines - most);
  gtk_text_buffer_delete (self->buffer, &start, &end);
  self->first_line += (guint64) (lines - most);
  show_dropped (self);
}

static gboolean
get_match (CsLogView *self, guint i, GtkTextIter *start, GtkTextIter *end)
{
  const Match *match = &g_array_index (self->matches, Match, i);

  return gtk_text_buffer_get_iter_at_line_index (self->buffer, start, match->line, match->from)
         && gtk_text_buffer_get_iter_at_line_index (self->buffer, end, match->line, match->to);
}

static gboolean
get_line (CsLogView *self, guint64 line, GtkTextIter *start, GtkTextIter *end)
{
  if (line < self->first_line || line - self->first_line >= (guint64) gtk_text_buffer_get_line_count (self->buffer))
    return FALSE;
  gtk_text_buffer_get_iter_at_line (self->buffer, start, (int) (line - self->first_line));
  *end = *start;
  if (!gtk_text_iter_ends_line (end))
    gtk_text_iter_forward_to_line_end (end);
  return TRUE;
}

static void
tag_problems (CsLogView *self)
{
  GListModel *problems = cs_log_get_problems (self->log);
  guint n = g_list_model_get_n_items (problems);

  for (; self->n_tagged < n; self->n_tagged++)
    {
      g_autoptr (CsBuildProblem) problem = g_list_model_get_item (problems, self->n_tagged);
      guint64 line = cs_build_problem_get_log_line (problem);
      GtkTextIter start, end;

      /* Those in what isn't shown yet come later. */
      if (line >= self->first_line + (guint64) gtk_text_buffer_get_line_count (self->buffer) - 1)
        return;
      if (get_line (self, line, &start, &end))
        gtk_text_buffer_apply_tag (self->buffer,
                                   cs_build_problem_get_severity (problem) == CS_BUILD_SEVERITY_ERROR ? self->error_tag
                                                                                                     : self->warning_tag,
                                   &start, &end);
    }
}

/* Once the text is laid out: while it is, it moves what is shown itself. */
static gboolean
on_laid_out (gpointer data)
{
  CsLogView *self = data;
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scrolled);

  if (self->sticks)
    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
  self->scrolling = 0;
  return G_SOURCE_REMOVE;
}

static void
scroll_to_end (CsLogView *self)
{
  if (self->scrolling == 0)
    self->scrolling = g_idle_add_full (AFTER_LAYOUT, on_laid_out, self, NULL);
}

/* The text's height is known later than the text; what is above it takes of its room. */
static void
on_height_changed (CsLogView *self)
{
  if (self->sticks)
    scroll_to_end (self);
}

/* It is somebody who scrolls, unless the text is about to be. */
static void
on_scrolled (CsLogView *self, GtkAdjustment *adjustment)
{
  double left = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment)
                - gtk_adjustment_get_value (adjustment);

  if (self->scrolling == 0 || left < 24)
    self->sticks = left < 24;
}

/* With the wheel one gets away also while much comes. */
static gboolean
on_wheel (CsLogView *self, double dx, double dy)
{
  if (dy < 0)
    self->sticks = FALSE;
  return GDK_EVENT_PROPAGATE;
}

static void
show_more (CsLogView *self, gsize most)
{
  CsLogPiece piece;
  GtkTextIter end;
  gboolean sticks = self->sticks;

  self->n_looks = 0;
  if (cs_log_take (self->log, most, &piece))
    {
      if (piece.restarts)
        {
          gtk_text_buffer_set_text (self->buffer, "", 0);
          self->first_line = piece.first_line;
          show_dropped (self);
        }
      gtk_text_buffer_get_end_iter (self->buffer, &end);
      gtk_text_buffer_insert_with_tags (self->buffer, &end, piece.text, -1, self->plain_tag, NULL);
      g_free (piece.text);
      bound (self);
      self->is_searched = FALSE;
      self->sticks = sticks;
      if (sticks)
        scroll_to_end (self);
    }
  tag_problems (self);
  if (cs_log_is_taken (self->log))
    g_signal_emit (self, signals[DRAINED], 0);
}

static gboolean
on_idle (gpointer data)
{
  CsLogView *self = data;

  self->idle = 0;
  show_more (self, MOST_AT_ONCE);
  return G_SOURCE_REMOVE;
}

static gboolean
on_look (gpointer data)
{
  CsLogView *self = data;

  if (++self->n_looks > LOOKS_WITHOUT)
    show_more (self, LITTLE_AT_ONCE);
  else if (self->idle == 0)
    self->idle = g_idle_add_full (G_PRIORITY_LOW, on_idle, self, NULL);
  return G_SOURCE_CONTINUE;
}

/* Looks for matches in all that is shown. */
static void
search (CsLogView *self)
{
  const char *needle = gtk_editable_get_text (GTK_EDITABLE (self->search_entry));
  g_autofree char *escaped = g_regex_escape_string (needle, -1);
  g_autoptr (GRegex) regex = *needle != '\0' ? g_regex_new (escaped, G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, NULL) : NULL;
  g_autoptr (GMatchInfo) info = NULL;
  g_autofree char *text = NULL;
  GtkTextIter start, end;
  const char *line;
  Match match = { 0 };

  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  gtk_text_buffer_remove_tag (self->buffer, self->match_tag, &start, &end);
  g_array_set_size (self->matches, 0);
  self->is_searched = TRUE;
  if (regex == NULL)
    return;
  line = text = gtk_text_buffer_get_text (self->buffer, &start, &end, TRUE);
  g_regex_match (regex, text, 0, &info);
  for (; g_match_info_matches (info) && self->matches->len < MOST_MATCHES; g_match_info_next (info, NULL))
    {
      const char *newline;
      int from, to;

      g_match_info_fetch_pos (info, 0, &from, &to);
      while ((newline = memchr (line, '\n', (gsize) (text + from - line))) != NULL)
        {
          line = newline + 1;
          match.line++;
        }
      match.from = (int) (text + from - line);
      match.to = (int) (text + to - line);
      g_array_append_val (self->matches, match);
      if (get_match (self, self->matches->len - 1, &start, &end))
        gtk_text_buffer_apply_tag (self->buffer, self->match_tag, &start, &end);
    }
}

/* Whether a match lies behind the place that the search is at: 1, before it: -1, or is there: 0. */
static int
compare_place (CsLogView *self, const Match *match)
{
  guint64 line = self->first_line + (guint64) match->line;

  if (line != self->place_line)
    return line > self->place_line ? 1 : -1;
  return match->from >= self->place.to ? 1 : match->to <= self->place.from ? -1 : 0;
}

/* The next match; there are some. */
static guint
find_match (CsLogView *self, gboolean backwards)
{
  guint n = self->matches->len;

  for (guint i = 0; i < n; i++)
    {
      guint current = backwards ? n - 1 - i : i;

      if (compare_place (self, &g_array_index (self->matches, Match, current)) == (backwards ? -1 : 1))
        return current;
    }
  return backwards ? n - 1 : 0;
}

static void
show_count (CsLogView *self, guint current)
{
  guint n = self->matches->len;
  g_autofree char *text = NULL;

  if (*gtk_editable_get_text (GTK_EDITABLE (self->search_entry)) == '\0')
    text = g_strdup ("");
  else if (n == 0)
    text = g_strdup (_("No match"));
  else
    text = g_strdup_printf (n == MOST_MATCHES ? _("%u of %u or more") : _("%u of %u"), current + 1, n);
  gtk_label_set_text (self->count, text);
}

static void
on_search_changed (CsLogView *self)
{
  /* What is typed goes on with the match where it is. */
  self->place.to = self->place.from;
  search (self);
  show_count (self, 0);
  cs_log_view_find_next (self, FALSE);
}

static void
on_next (CsLogView *self)
{
  cs_log_view_find_next (self, FALSE);
}

static void
on_previous (CsLogView *self)
{
  cs_log_view_find_next (self, TRUE);
}

static void
on_search_mode (CsLogView *self)
{
  GtkTextIter start, end;

  if (gtk_search_bar_get_search_mode (self->search_bar))
    return;
  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  gtk_text_buffer_remove_tag (self->buffer, self->match_tag, &start, &end);
}

/* Red and amber that can be read on both backgrounds. */
static void
update_colours (CsLogView *self)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());

  g_object_set (self->error_tag, "foreground", dark ? "#ff8a80" : "#a51d2d", NULL);
  g_object_set (self->warning_tag, "foreground", dark ? "#f8e45c" : "#7a4d00", NULL);
  g_object_set (self->match_tag, "background", dark ? "#63452c" : "#f9f06b", NULL);
}

static void
cs_log_view_map (GtkWidget *widget)
{
  CsLogView *self = CS_LOG_VIEW (widget);

  GTK_WIDGET_CLASS (cs_log_view_parent_class)->map (widget);
  if (self->sticks)
    scroll_to_end (self);
}

static void
cs_log_view_dispose (GObject *object)
{
  CsLogView *self = CS_LOG_VIEW (object);
  GtkWidget *child;

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_handle_id (&self->idle, g_source_remove);
  g_clear_handle_id (&self->scrolling, g_source_remove);
  g_clear_object (&self->log);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);

  G_OBJECT_CLASS (cs_log_view_parent_class)->dispose (object);
}

static void
cs_log_view_finalize (GObject *object)
{
  g_array_unref (CS_LOG_VIEW (object)->matches);

  G_OBJECT_CLASS (cs_log_view_parent_class)->finalize (object);
}

static void
cs_log_view_class_init (CsLogViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_log_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_log_view_finalize;
  widget_class->map = cs_log_view_map;
  signals[DRAINED] = g_signal_new ("drained", CS_TYPE_LOG_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/record/cs-log-view.ui");
  gtk_widget_class_bind_template_child (widget_class, CsLogView, search_bar);
  gtk_widget_class_bind_template_child (widget_class, CsLogView, search_entry);
  gtk_widget_class_bind_template_child (widget_class, CsLogView, count);
  gtk_widget_class_bind_template_child (widget_class, CsLogView, dropped);
  gtk_widget_class_bind_template_child (widget_class, CsLogView, scrolled);
  gtk_widget_class_bind_template_child (widget_class, CsLogView, text);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_next);
  gtk_widget_class_bind_template_callback (widget_class, on_previous);
}

static void
cs_log_view_init (CsLogView *self)
{
  GtkAdjustment *adjustment;
  GtkEventController *wheel = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  gtk_widget_init_template (GTK_WIDGET (self));
  self->sticks = TRUE;
  self->matches = g_array_new (FALSE, FALSE, sizeof (Match));
  self->buffer = gtk_text_view_get_buffer (self->text);
  gtk_text_buffer_set_enable_undo (self->buffer, FALSE);
  self->plain_tag = gtk_text_buffer_create_tag (self->buffer, NULL, "insert-hyphens", FALSE, NULL);
  self->error_tag = gtk_text_buffer_create_tag (self->buffer, NULL, "weight", PANGO_WEIGHT_BOLD, NULL);
  self->warning_tag = gtk_text_buffer_create_tag (self->buffer, NULL, NULL);
  self->match_tag = gtk_text_buffer_create_tag (self->buffer, NULL, NULL);
  update_colours (self);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (update_colours), self,
                           G_CONNECT_SWAPPED);
  adjustment = gtk_scrolled_window_get_vadjustment (self->scrolled);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (on_height_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (on_scrolled), self, G_CONNECT_SWAPPED);
  gtk_event_controller_set_propagation_phase (wheel, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (wheel, "scroll", G_CALLBACK (on_wheel), self);
  gtk_widget_add_controller (GTK_WIDGET (self->scrolled), wheel);
  gtk_search_bar_connect_entry (self->search_bar, GTK_EDITABLE (self->search_entry));
  g_signal_connect_object (self->search_bar, "notify::search-mode-enabled", G_CALLBACK (on_search_mode), self,
                           G_CONNECT_SWAPPED);
}

/**
 * cs_log_view_set_log:
 * @self: a view
 * @log: (nullable): what it shows from now on; nobody else may take from it
 */
void
cs_log_view_set_log (CsLogView *self, CsLog *log)
{
  g_return_if_fail (CS_IS_LOG_VIEW (self));

  if (!g_set_object (&self->log, log))
    return;
  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_handle_id (&self->idle, g_source_remove);
  gtk_text_buffer_set_text (self->buffer, "", 0);
  gtk_label_set_text (self->count, "");
  self->first_line = 0;
  self->n_tagged = 0;
  g_array_set_size (self->matches, 0);
  self->is_searched = FALSE;
  self->place_line = 0;
  self->place = (Match){ 0 };
  self->sticks = TRUE;
  show_dropped (self);
  if (log != NULL)
    self->timer = g_timeout_add (LOOK_MS, on_look, self);
}

/**
 * cs_log_view_set_label:
 * @self: a view
 * @label: what it shows, for those who don't see it
 */
void
cs_log_view_set_label (CsLogView *self, const char *label)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->text), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

/**
 * cs_log_view_start_search:
 * @self: a view
 *
 * Moves the focus to the search entry.
 */
void
cs_log_view_start_search (CsLogView *self)
{
  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

/**
 * cs_log_view_find_next:
 * @self: a view
 * @backwards: whether the match before is wanted
 *
 * Selects the next match, behind the end the first one.
 */
void
cs_log_view_find_next (CsLogView *self, gboolean backwards)
{
  GtkTextIter start, end;
  guint current;

  if (!self->is_searched)
    search (self);
  if (self->matches->len == 0)
    {
      show_count (self, 0);
      return;
    }
  current = find_match (self, backwards);
  if (!get_match (self, current, &start, &end))
    return;
  self->place = g_array_index (self->matches, Match, current);
  self->place_line = self->first_line + (guint64) self->place.line;
  self->sticks = FALSE;
  gtk_text_buffer_select_range (self->buffer, &start, &end);
  gtk_text_view_scroll_to_mark (self->text, gtk_text_buffer_get_insert (self->buffer), 0, TRUE, 0, 0.3);
  show_count (self, current);
}

/**
 * cs_log_view_show_line:
 * @self: a view
 * @line: number of a line of the log, from 0
 *
 * Selects it, if it is still kept.
 */
void
cs_log_view_show_line (CsLogView *self, guint64 line)
{
  GtkTextIter start, end;

  if (!get_line (self, line, &start, &end))
    return;
  self->place_line = line;
  self->place = (Match){ 0 };
  self->sticks = FALSE;
  gtk_text_buffer_select_range (self->buffer, &start, &end);
  gtk_text_view_scroll_to_mark (self->text, gtk_text_buffer_get_insert (self->buffer), 0, TRUE, 0, 0.3);
}

/**
 * cs_log_view_get_buffer:
 * @self: a view
 *
 * Returns: (transfer none): what it shows
 */
GtkTextBuffer *
cs_log_view_get_buffer (CsLogView *self)
{
  return self->buffer;
}

/**
 * cs_log_view_get_count:
 * @self: a view
 *
 * Returns: (transfer none): how many matches it says there are
 */
const char *
cs_log_view_get_count (CsLogView *self)
{
  return gtk_label_get_text (self->count);
}

/**
 * cs_log_view_set_search:
 * @self: a view
 * @text: what to search for; empty: nothing
 */
void
cs_log_view_set_search (CsLogView *self, const char *text)
{
  gtk_search_bar_set_search_mode (self->search_bar, *text != '\0');
  gtk_editable_set_text (GTK_EDITABLE (self->search_entry), text);
  on_search_changed (self);
}
