/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "tables/cs-call-rows.h"
#include "shared/cs-format.h"
#include "tables/cs-panel-rows.h"

#define CALL "callsight-call" /* CallRow, on a row */

/* A single call that a row is about. */
typedef struct
{
  CsSessionCall call;
  guint64 from, to; /* ns from the recording's start; not empty */
} CallRow;

/**
 * cs_call_rows_append:
 * @list: a list
 * @profile: that the call is of
 * @call: a call
 *
 * Adds a row: how long it took, on which thread, when.
 */
void
cs_call_rows_append (GtkListBox *list, CsProfile *profile, const CsFoundCall *call)
{
  gint64 origin = cs_profile_get_totals (profile)->origin;
  guint64 start = cs_profile_span (origin, call->start);
  g_autofree char *duration = cs_format_duration (call->duration);
  g_autofree char *exact = cs_format_count (call->duration);
  g_autofree char *name = call->thread != NULL ? g_utf8_make_valid (call->thread, -1) : g_strdup (_("thread"));
  g_autofree char *at = g_strdup_printf (_("at %.3f s"), (double) start / 1e9);
  g_autofree char *text = g_strdup_printf (_("%s   %s %u"), duration, name, call->tid);
  g_autofree char *tooltip = g_strdup_printf (_("%s ns in thread %s (%u)\nShow it in the timeline"), exact, name,
                                              call->tid);
  GtkWidget *row = cs_panel_rows_append (list, text, "numeric", at, NULL, tooltip);
  CallRow *data = g_new0 (CallRow, 1);

  data->call = (CsSessionCall){ call->process, call->tid, call->seq, call->start, call->start + (gint64) call->duration,
                                .depth = G_MAXUINT32 };
  data->from = start;
  data->to = start + MAX (call->duration, 1);
  g_object_set_data_full (G_OBJECT (row), CALL, data, g_free);
}

static gboolean
unparent_later (gpointer menu)
{
  if (gtk_widget_get_parent (menu) != NULL)
    {
      g_object_set_data (G_OBJECT (gtk_widget_get_parent (menu)), CS_PANEL_ROW_MENU, NULL);
      gtk_widget_unparent (menu);
    }
  return G_SOURCE_REMOVE;
}

/* What was chosen in it is done after it is closed. */
static void
on_menu_closed (GtkWidget *menu)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, unparent_later, g_object_ref (menu), g_object_unref);
}

/* What else can be done with a call. */
static void
popup_call_menu (GtkListBoxRow *row)
{
  const CallRow *call = g_object_get_data (G_OBJECT (row), CALL);
  GtkWidget *menu;
  g_autoptr (GMenu) model = g_menu_new ();
  g_autoptr (GMenuItem) show = g_menu_item_new (_("Show in _Timeline"), NULL);
  g_autoptr (GMenuItem) time = g_menu_item_new (_("Show Only the _Time of This Call"), NULL);
  g_autoptr (GMenuItem) thread = g_menu_item_new (_("Show Only This T_hread"), NULL);
  g_autofree char *tid = g_strdup_printf ("%u", call->call.tid);

  g_menu_item_set_action_and_target (show, "hotspots.show-call", "(uutxx)", call->call.process, call->call.tid,
                                     call->call.seq, call->call.start, call->call.end);
  g_menu_item_set_action_and_target (time, "hotspots.filter-range", "(xx)", (gint64) call->from, (gint64) call->to);
  g_menu_item_set_action_and_target (thread, "hotspots.filter-thread", "s", tid);
  g_menu_append_item (model, show);
  g_menu_append_item (model, time);
  g_menu_append_item (model, thread);
  menu = gtk_popover_menu_new_from_model (G_MENU_MODEL (model));
  gtk_widget_set_parent (menu, GTK_WIDGET (row));
  g_signal_connect (menu, "closed", G_CALLBACK (on_menu_closed), NULL);
  g_object_set_data (G_OBJECT (row), CS_PANEL_ROW_MENU, menu);
  gtk_popover_popup (GTK_POPOVER (menu));
}

static void
on_call_right_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (data, (int) y);

  if (row == NULL || g_object_get_data (G_OBJECT (row), CALL) == NULL)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  popup_call_menu (row);
}

static gboolean
on_call_menu_key (GtkWidget *widget, GVariant *args, gpointer data)
{
  GtkWidget *row = gtk_widget_get_focus_child (widget);

  if (!GTK_IS_LIST_BOX_ROW (row) || g_object_get_data (G_OBJECT (row), CALL) == NULL)
    return FALSE;
  popup_call_menu (GTK_LIST_BOX_ROW (row));
  return TRUE;
}

/**
 * cs_call_rows_add_menu:
 * @list: a list of calls
 *
 * Its rows get a menu.
 */
void
cs_call_rows_add_menu (GtkListBox *list)
{
  GtkGesture *right = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (right), GDK_BUTTON_SECONDARY);
  g_signal_connect (right, "pressed", G_CALLBACK (on_call_right_pressed), list);
  gtk_widget_add_controller (GTK_WIDGET (list), GTK_EVENT_CONTROLLER (right));
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("Menu|<Shift>F10"),
                                                          gtk_callback_action_new (on_call_menu_key, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (list), keys);
}

/**
 * cs_call_rows_get:
 * @row: a row
 *
 * Returns: (transfer none) (nullable): the call that it is about; neither its function's address nor its depth is known
 */
const CsSessionCall *
cs_call_rows_get (GtkListBoxRow *row)
{
  const CallRow *data = g_object_get_data (G_OBJECT (row), CALL);

  return data != NULL ? &data->call : NULL;
}
