/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "calls/cs-call-log-cells.h"
#include "calls/cs-call-log-page-private.h"
#include "shared/cs-format.h"
#include "shared/cs-function-name.h"
#include "tables/cs-function-columns.h"
#include "tables/cs-table-menu.h"

/**
 * cs_call_log_page_get_row_function:
 * @self: a page
 * @row: one of its rows
 * @index: (out) (optional): the function's index in the profile of the whole recording; %G_MAXUINT: none
 *
 * Returns: (transfer none) (nullable): the function that is called there
 */
const CsFunction *
cs_call_log_page_get_row_function (CsCallLogPage *self, const CsCallLogRow *row, guint *index)
{
  guint n, function = G_MAXUINT;
  const CsFunction *functions;

  if (index != NULL)
    *index = G_MAXUINT;
  if (self->profile == NULL || row->kind != CS_CALL_LOG_ROW_LINE || row->entry->kind != CS_CALL_LOG_CALLS)
    return NULL;
  functions = cs_profile_get_functions (self->profile, &n);
  function = cs_profile_find_function (self->profile, self->process, row->entry->address, row->entry->ts);
  if (index != NULL)
    *index = function;
  return function < n ? &functions[function] : NULL;
}

static char *
dup_whole_name (CsCallLogPage *self, const CsCallLogRow *row)
{
  const CsFunction *function = cs_call_log_page_get_row_function (self, row, NULL);

  if (function != NULL)
    return g_utf8_make_valid (function->location.name, -1);
  return row->entry != NULL ? g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", row->entry->address) : g_strdup ("");
}

static char *
dup_short_name (CsCallLogPage *self, const CsCallLogRow *row)
{
  g_autofree char *whole = dup_whole_name (self, row);
  g_autofree char *name = cs_function_name_shorten (whole);

  return cs_place_dup_cut (name);
}

/* What the table asks. */
static char *
dup_cell (gpointer owner, guint position, guint column)
{
  CsCallLogPage *self = owner;
  CsCallLogRow row;

  cs_call_log_model_get_row (self->model, position, &row);
  return cs_call_log_dup_cell (&row, self->origin, column);
}

static char *
dup_tooltip (gpointer owner, guint position, guint column)
{
  CsCallLogPage *self = owner;
  g_autofree char *name = NULL;
  const CsFunction *function;
  CsCallLogRow row;
  char *text;

  cs_call_log_model_get_row (self->model, position, &row);
  name = dup_whole_name (self, &row);
  text = cs_call_log_dup_tooltip (&row, self->origin, name, column);
  function = cs_call_log_page_get_row_function (self, &row, NULL);
  if (column == CS_CALL_LOG_COLUMN_CALL && function != NULL && text != NULL)
    {
      g_autofree char *place = cs_location_dup_place (&function->location);
      g_autofree char *rest = g_steal_pointer (&text);

      text = *place != '\0' ? g_strdup_printf ("%s\n%s", rest, place) : g_steal_pointer (&rest);
    }
  return text;
}

static char *
dup_exact (gpointer owner, guint position, guint column)
{
  CsCallLogPage *self = owner;
  g_autofree char *name = NULL;
  CsCallLogRow row;

  cs_call_log_model_get_row (self->model, position, &row);
  name = dup_whole_name (self, &row);
  return cs_call_log_dup_exact (&row, self->origin, name, column);
}

static char *
dup_label (gpointer owner, guint position)
{
  CsCallLogPage *self = owner;
  g_autofree char *name = NULL, *text = NULL, *duration = NULL, *marks = NULL, *n = NULL;
  CsCallLogRow row;

  cs_call_log_model_get_row (self->model, position, &row);
  name = dup_short_name (self, &row);
  text = cs_call_log_dup_name (&row, name);
  if (row.kind != CS_CALL_LOG_ROW_LINE)
    return g_steal_pointer (&text);
  duration = cs_format_duration (row.entry->total);
  if (row.entry->kind != CS_CALL_LOG_CALLS)
    return g_strdup_printf ("%s, %s", text, duration);
  marks = cs_call_log_dup_marks (&row);
  n = cs_format_count (row.entry->n);
  return g_strdup_printf (row.entry->n > 1 ? _("%s, %s calls, %s, depth %u%s%s") : _("%s, %s call, %s, depth %u%s%s"), text, n,
                          duration, row.entry->depth + 1, *marks != '\0' ? ", " : "", marks);
}

static void
on_arrow_clicked (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  CsCallLogPage *self = data;
  guint position = cs_table_menu_find_position (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)));
  CsCallLogRow row;

  cs_call_log_model_get_row (self->model, position, &row);
  if (position == GTK_INVALID_LIST_POSITION || !row.expandable)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  cs_call_log_model_set_expanded (self->model, position, !row.expanded);
}

static GtkWidget *
make_first (gpointer owner)
{
  return cs_call_log_cell_new (G_CALLBACK (on_arrow_clicked), owner);
}

static void
show_first (gpointer owner, GtkWidget *cell, guint position)
{
  CsCallLogPage *self = owner;
  g_autofree char *name = NULL;
  CsCallLogRow row;
  guint function;

  cs_call_log_model_get_row (self->model, position, &row);
  name = dup_short_name (self, &row);
  cs_call_log_page_get_row_function (self, &row, &function);
  cs_call_log_cell_show (cell, &row, name, self->match != NULL && cs_call_match_function (self->match, function));
}

static gboolean
get_expanded (gpointer owner, guint position, gboolean *expanded)
{
  CsCallLogPage *self = owner;
  CsCallLogRow row;

  cs_call_log_model_get_row (self->model, position, &row);
  *expanded = row.expanded;
  return row.expandable;
}

const CsPlaceTableSource cs_call_log_page_source = { dup_cell,   dup_tooltip, dup_exact,   dup_label,
                                                     make_first, show_first,  get_expanded };

/**
 * cs_call_log_page_dup_stack:
 * @self: a page
 *
 * Returns: (transfer full): the functions of the current row and of all that it stands in, innermost first, a line each
 */
char *
cs_call_log_page_dup_stack (CsCallLogPage *self)
{
  GString *text = g_string_new (NULL);
  guint position = cs_place_table_get_current (self->table);
  gboolean member = FALSE;

  for (guint i = 0; position < cs_call_log_model_get_n (self->model); position = cs_call_log_model_get_parent (self->model, position))
    {
      g_autofree char *name = NULL, *place = NULL;
      const CsFunction *function;
      CsCallLogRow row;

      cs_call_log_model_get_row (self->model, position, &row);
      /* A call and the line with all such calls are the same. */
      if (!member && cs_call_log_page_is_call (self, position))
        {
          function = cs_call_log_page_get_row_function (self, &row, NULL);
          name = dup_whole_name (self, &row);
          place = function != NULL ? cs_location_dup_place (&function->location) : g_strdup ("");
          g_string_append_printf (text, *place != '\0' ? "#%u %s (%s)\n" : "#%u %s\n", i++, name, place);
        }
      member = row.member;
    }
  return g_string_free (text, FALSE);
}
