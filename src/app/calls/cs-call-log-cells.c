/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "calls/cs-call-log-cells.h"
#include "shared/cs-format.h"

#define INDENT 16 /* pixels a level */

const CsPlaceColumn cs_call_log_columns[CS_CALL_LOG_N_COLUMNS] = {
  { N_("Call"), N_("Function that was called; calls that follow each other are one row"), "function", FALSE, 24 },
  { N_("Calls"), N_("How many calls the row stands for"), "calls", TRUE, 6 },
  { N_("Start"), N_("When the call began, from the recording’s start"), "start_ns", TRUE, 13 },
  { N_("Duration"), N_("How long the call took, or all calls of the row together"), "duration_ns", TRUE, 8 },
  { N_("Self"), N_("Of this, the time outside of the calls in it"), "self_ns", TRUE, 8, 560 },
  { N_("Longest"), N_("How long the longest call of the row took"), "longest_ns", TRUE, 8, 720 },
  { N_("Depth"), N_("How many calls it is in, itself included"), "depth", TRUE, 5, 720 },
};

/**
 * cs_call_log_dup_time:
 * @ns: a time, from the recording's start
 *
 * Returns: (transfer full): the time in seconds, to the nanosecond
 */
char *
cs_call_log_dup_time (gint64 ns)
{
  guint64 size = ns < 0 ? -(guint64) ns : (guint64) ns;

  return g_strdup_printf ("%s%" G_GUINT64_FORMAT ".%09u s", ns < 0 ? "−" : "", size / 1000000000,
                          (guint) (size % 1000000000));
}

/* Adds "12 repaired", or "repaired" of a single call. */
static void
add_mark (GString *text, guint64 n, guint64 all, const char *word)
{
  g_autofree char *number = NULL;

  if (n == 0)
    return;
  if (text->len > 0)
    g_string_append (text, " · ");
  if (all > 1)
    {
      number = cs_format_count (n);
      g_string_append_printf (text, "%s ", number);
    }
  g_string_append (text, word);
}

/**
 * cs_call_log_dup_marks:
 * @row: a row
 *
 * Returns: (transfer full): what is special of its calls; empty: nothing
 */
char *
cs_call_log_dup_marks (const CsCallLogRow *row)
{
  GString *text = g_string_new (NULL);
  const CsCallLogEntry *entry = row->entry;

  if (entry != NULL && entry->kind == CS_CALL_LOG_CALLS)
    {
      add_mark (text, entry->repaired, entry->n, _("repaired"));
      add_mark (text, entry->open, entry->n, _("open"));
      add_mark (text, entry->clipped, entry->n, _("clipped"));
      add_mark (text, entry->continued, entry->n, _("continued"));
    }
  return g_string_free (text, FALSE);
}

static gboolean
is_calls (const CsCallLogRow *row)
{
  return row->kind == CS_CALL_LOG_ROW_LINE && row->entry->kind == CS_CALL_LOG_CALLS;
}

/**
 * cs_call_log_dup_cell:
 * @row: a row
 * @origin: the recording's start, ns
 * @column: a column other than the first
 *
 * Returns: (transfer full): what the row has there, for people
 */
char *
cs_call_log_dup_cell (const CsCallLogRow *row, gint64 origin, CsCallLogColumn column)
{
  const CsCallLogEntry *entry = row->entry;

  if (row->kind != CS_CALL_LOG_ROW_LINE)
    return g_strdup ("");
  switch ((guint) column)
    {
    case CS_CALL_LOG_COLUMN_CALLS:
      if (!is_calls (row))
        break;
      if (entry->unfinished)
        {
          g_autofree char *n = cs_format_count (entry->n);

          return g_strdup_printf ("≥ %s", n);
        }
      return entry->n > 1 ? cs_format_count (entry->n) : g_strdup ("");
    case CS_CALL_LOG_COLUMN_START:
      return cs_call_log_dup_time (entry->start - origin);
    case CS_CALL_LOG_COLUMN_DURATION:
      return cs_format_duration (entry->total);
    case CS_CALL_LOG_COLUMN_SELF:
      if (!is_calls (row))
        break;
      return row->has_self ? cs_format_duration (row->self) : g_strdup ("…");
    case CS_CALL_LOG_COLUMN_LONGEST:
      return is_calls (row) && entry->n > 1 ? cs_format_duration (entry->max) : g_strdup ("");
    case CS_CALL_LOG_COLUMN_DEPTH:
      return is_calls (row) ? g_strdup_printf ("%u", entry->depth + 1) : g_strdup ("");
    default:
      break;
    }
  return g_strdup ("");
}

/**
 * cs_call_log_dup_name:
 * @row: a row
 * @name: of its function
 *
 * Returns: (transfer full): what stands in the first column
 */
char *
cs_call_log_dup_name (const CsCallLogRow *row, const char *name)
{
  g_autofree char *n = NULL;

  if (row->kind == CS_CALL_LOG_ROW_WAIT)
    return g_strdup (_("Reading…"));
  if (row->kind == CS_CALL_LOG_ROW_REST)
    return g_strdup (_("More calls: press Enter to show them"));
  if (row->entry->kind == CS_CALL_LOG_OFF)
    return g_strdup (_("Recording was off"));
  if (row->entry->kind == CS_CALL_LOG_LOST)
    {
      n = cs_format_count (row->entry->n);
      return g_strdup_printf (ngettext ("%s event was lost", "%s events were lost", row->entry->n), n);
    }
  return g_strdup (name);
}

/**
 * cs_call_log_dup_exact:
 * @row: a row
 * @origin: the recording's start, ns
 * @name: of its function
 * @column: a column
 *
 * Returns: (transfer full): what the row has there, times in ns; empty where nothing is known
 */
char *
cs_call_log_dup_exact (const CsCallLogRow *row, gint64 origin, const char *name, CsCallLogColumn column)
{
  const CsCallLogEntry *entry = row->entry;

  if (column == CS_CALL_LOG_COLUMN_CALL)
    return cs_call_log_dup_name (row, name);
  if (row->kind != CS_CALL_LOG_ROW_LINE || (!is_calls (row) && column != CS_CALL_LOG_COLUMN_START && column != CS_CALL_LOG_COLUMN_DURATION))
    return g_strdup ("");
  switch ((guint) column)
    {
    case CS_CALL_LOG_COLUMN_CALLS:
      return g_strdup_printf ("%" G_GUINT64_FORMAT, entry->n);
    case CS_CALL_LOG_COLUMN_START:
      return g_strdup_printf ("%" G_GINT64_FORMAT, entry->start - origin);
    case CS_CALL_LOG_COLUMN_DURATION:
      return g_strdup_printf ("%" G_GUINT64_FORMAT, entry->total);
    case CS_CALL_LOG_COLUMN_SELF:
      return row->has_self ? g_strdup_printf ("%" G_GUINT64_FORMAT, row->self) : g_strdup ("");
    case CS_CALL_LOG_COLUMN_LONGEST:
      return g_strdup_printf ("%" G_GUINT64_FORMAT, entry->max);
    case CS_CALL_LOG_COLUMN_DEPTH:
    default:
      return g_strdup_printf ("%u", entry->depth + 1);
    }
}

/* What the marks mean. */
static void
explain (GString *text, const CsCallLogEntry *entry)
{
  if (entry->repaired > 0)
    g_string_append_printf (text, "\n%s", _("Repaired: no exit was recorded; the call ends where it can’t have gone on."));
  if (entry->open > 0)
    g_string_append_printf (text, "\n%s", _("Open: the recording ended first."));
  if (entry->clipped > 0)
    g_string_append_printf (text, "\n%s", _("Clipped: only what lies in the selected range is counted."));
  if (entry->continued > 0)
    g_string_append_printf (text, "\n%s", _("Continued: the thread had run something else meanwhile."));
}

/**
 * cs_call_log_dup_tooltip:
 * @row: a row
 * @origin: the recording's start, ns
 * @name: of its function, the whole of it
 * @column: a column
 *
 * Returns: (transfer full) (nullable): what more there is to say
 */
char *
cs_call_log_dup_tooltip (const CsCallLogRow *row, gint64 origin, const char *name, CsCallLogColumn column)
{
  const CsCallLogEntry *entry = row->entry;
  GString *text;

  if (row->kind != CS_CALL_LOG_ROW_LINE)
    return NULL;
  if (entry->kind == CS_CALL_LOG_OFF)
    return g_strdup (_("Recording was switched off here: what the thread did meanwhile isn’t known."));
  if (entry->kind == CS_CALL_LOG_LOST)
    return g_strdup (_("Events of the thread are missing here."));
  if (column != CS_CALL_LOG_COLUMN_CALL)
    {
      g_autofree char *exact = cs_call_log_dup_exact (row, origin, name, column);

      if (column >= CS_CALL_LOG_COLUMN_START && column <= CS_CALL_LOG_COLUMN_LONGEST && *exact != '\0')
        return g_strdup_printf (_("%s ns"), exact);
      return g_steal_pointer (&exact);
    }
  text = g_string_new (name);
  if (entry->n > 1)
    {
      g_autofree char *n = cs_format_count (entry->n);
      g_autofree char *min = cs_format_duration (entry->min);
      g_autofree char *mean = cs_format_duration (entry->total / entry->n);
      g_autofree char *max = cs_format_duration (entry->max);

      g_string_append_printf (text, _("\n%s calls: %s to %s, %s in the mean"), n, min, max, mean);
    }
  explain (text, entry);
  return g_string_free (text, FALSE);
}

/**
 * cs_call_log_cell_new:
 * @clicked: called with the cell's arrow when it is clicked
 * @user_data: for @clicked
 *
 * Returns: (transfer floating): a cell of the first column
 */
GtkWidget *
cs_call_log_cell_new (GCallback clicked, gpointer user_data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *arrow = gtk_image_new ();
  GtkWidget *name = gtk_label_new (NULL);
  GtkWidget *tag = gtk_label_new (NULL);
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_widget_set_size_request (arrow, 16, 16);
  g_signal_connect (click, "pressed", clicked, user_data);
  gtk_widget_add_controller (arrow, GTK_EVENT_CONTROLLER (click));
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (name), 12);
  gtk_widget_add_css_class (name, "name");
  gtk_widget_add_css_class (tag, "dim-label");
  gtk_widget_add_css_class (tag, "caption");
  gtk_box_append (GTK_BOX (box), arrow);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), tag);
  return box;
}

static void
set_class (GtkWidget *widget, const char *name, gboolean set)
{
  if (set)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

/**
 * cs_call_log_cell_show:
 * @cell: a cell of the first column
 * @row: what is in it
 * @name: of its function, shortened
 * @found: whether it is what is searched for
 */
void
cs_call_log_cell_show (GtkWidget *cell, const CsCallLogRow *row, const char *name, gboolean found)
{
  GtkWidget *arrow = gtk_widget_get_first_child (cell);
  GtkWidget *label = gtk_widget_get_next_sibling (arrow);
  GtkWidget *tag = gtk_widget_get_next_sibling (label);
  g_autofree char *text = cs_call_log_dup_name (row, name);
  g_autofree char *marks = cs_call_log_dup_marks (row);
  GString *tags = g_string_new (NULL);

  gtk_widget_set_margin_start (cell, (int) MIN (row->level, CS_CALL_LOG_MOST_INDENT) * INDENT);
  if (row->expandable)
    gtk_image_set_from_icon_name (GTK_IMAGE (arrow), row->expanded ? "pan-down-symbolic" : "pan-end-symbolic");
  else
    gtk_image_clear (GTK_IMAGE (arrow));
  gtk_label_set_text (GTK_LABEL (label), text);
  set_class (label, "found", found);
  set_class (label, "remark", !is_calls (row));
  set_class (tag, "warning", *marks != '\0');
  set_class (tag, "dim-label", *marks == '\0');
  if (is_calls (row) && row->entry->n > 1)
    {
      g_autofree char *n = cs_format_count (row->entry->n);

      g_string_append_printf (tags, row->entry->unfinished ? "≥ ×%s" : "×%s", n);
    }
  if (row->level > CS_CALL_LOG_MOST_INDENT && is_calls (row))
    g_string_append_printf (tags, "%s%s %u", tags->len > 0 ? " · " : "", _("depth"), row->entry->depth + 1);
  if (*marks != '\0')
    g_string_append_printf (tags, "%s%s", tags->len > 0 ? " · " : "", marks);
  gtk_label_set_text (GTK_LABEL (tag), tags->str);
  g_string_free (tags, TRUE);
}
