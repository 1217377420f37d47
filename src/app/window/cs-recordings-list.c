/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-recordings-list.h"
#include "cs-recording-row.h"
#include "shared/cs-gtk-compat.h"
#include "shared/cs-text-popover.h"
#include "shared/cs-trash.h"

/* Rows that are made at first, and each time that more are wanted: they take a third of a millisecond each. */
#define ROWS 40
#define MORE_ROWS 100

struct _CsRecordingsList
{
  AdwBin parent_instance;

  GtkLabel *message;
  GtkListBox *box;
  GtkWidget *more;
  GMenuModel *menu;

  CsSession *session;          /* (nullable) */
  CsRecordingsModel *model;    /* (nullable): of the project */
  GtkSliceListModel *slice;    /* (nullable): the first of them, of which there are rows where there are many */
  GListModel *shown;           /* (nullable): what there are rows of: one of both */
  CsRecordingItem *current;    /* (nullable): what actions are about */
  char *edited;                /* (nullable): folder of the recording whose text is being edited */
  GtkWidget *popover;          /* (nullable) */
  GSimpleActionGroup *actions;
};

G_DEFINE_FINAL_TYPE (CsRecordingsList, cs_recordings_list, ADW_TYPE_BIN)

static const char *
get_open_folder (CsRecordingsList *self)
{
  const char *const *paths = self->session != NULL ? cs_session_get_paths (self->session) : NULL;

  return paths != NULL && paths[1] == NULL ? paths[0] : NULL;
}

static gboolean
is_open (CsRecordingsList *self, CsRecordingItem *item)
{
  return g_strcmp0 (get_open_folder (self), cs_recording_item_get_folder (item)) == 0;
}

static void
enable (CsRecordingsList *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void
update_actions (CsRecordingsList *self)
{
  static const char *const about_current[] = { "open", "rename", "note", "trash", "show-folder" };

  for (guint i = 0; i < G_N_ELEMENTS (about_current); i++)
    enable (self, about_current[i], self->current != NULL);
  enable (self, "compare", self->current != NULL && cs_session_get_state (self->session) == CS_SESSION_READY
                             && !is_open (self, self->current));
}

static void
set_current (CsRecordingsList *self, CsRecordingItem *item)
{
  g_set_object (&self->current, item);
  update_actions (self);
}

static GtkWidget *
find_row (CsRecordingsList *self, CsRecordingItem *item)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->box, i)) != NULL; i++)
    if (cs_recording_row_get_item (CS_RECORDING_ROW (row)) == item)
      return GTK_WIDGET (row);
  return NULL;
}

static void
mark_open (CsRecordingsList *self)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->box, i)) != NULL; i++)
    cs_recording_row_set_open (CS_RECORDING_ROW (row), is_open (self, cs_recording_row_get_item (CS_RECORDING_ROW (row))));
  update_actions (self);
}

static void
show_message (CsRecordingsList *self)
{
  const char *text = "";
  guint n = self->model != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->model)) : 0;
  guint shown = self->slice != NULL ? gtk_slice_list_model_get_size (self->slice) : 0;

  if (self->model != NULL && cs_recordings_model_get_error (self->model) != NULL)
    text = cs_recordings_model_get_error (self->model);
  else if (n == 0)
    text = _("None yet. What you record stays in callsight/recordings in the project.");
  gtk_label_set_text (self->message, text);
  gtk_widget_set_visible (GTK_WIDGET (self->message), *text != '\0');
  gtk_widget_set_visible (self->more, n > shown);
}

static GtkWidget *make_row (gpointer item, gpointer user_data);

/* A slice changes wholly behind what changes in it, so that rows there lose the focus: it is for long lists only. */
static void
bind (CsRecordingsList *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->model));
  gboolean whole = n > 0 && n <= gtk_slice_list_model_get_size (self->slice);
  GListModel *wanted = whole ? G_LIST_MODEL (self->model) : G_LIST_MODEL (self->slice);

  if (self->shown == wanted)
    return;
  self->shown = wanted;
  gtk_list_box_bind_model (self->box, wanted, make_row, self, NULL);
}

static void
on_items_changed (CsRecordingsList *self)
{
  bind (self);
  if (self->current != NULL
      && cs_recordings_model_find (self->model, cs_recording_item_get_folder (self->current)) != self->current)
    set_current (self, NULL);
  mark_open (self);
  show_message (self);
}

static void
on_more (CsRecordingsList *self)
{
  gtk_slice_list_model_set_size (self->slice, gtk_slice_list_model_get_size (self->slice) + MORE_ROWS);
  bind (self);
  mark_open (self);
  show_message (self);
}

static void
close_popover (CsRecordingsList *self)
{
  g_clear_pointer (&self->popover, gtk_widget_unparent);
}

/* A popover must outlive the click that closes it. */
static gboolean
unparent (gpointer user_data)
{
  GtkWidget *popover = user_data;

  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

static void
on_popover_closed (GtkWidget *popover, CsRecordingsList *self)
{
  GtkWidget *row = self->current != NULL ? find_row (self, self->current) : NULL;

  if (self->popover != popover)
    return;
  self->popover = NULL;
  if (row != NULL)
    gtk_widget_grab_focus (row);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, unparent, g_object_ref (popover), g_object_unref);
}

/* Shows a popover at a place of the row of the current recording. */
static void
show_popover (CsRecordingsList *self, GtkWidget *popover, double x, double y, double width, double height)
{
  GtkWidget *row = find_row (self, self->current);
  double left = 0, top = 0;

  if (self->popover != NULL)
    gtk_popover_popdown (GTK_POPOVER (self->popover));
  close_popover (self);
  if (row == NULL || !gtk_widget_translate_coordinates (row, GTK_WIDGET (self), x, y, &left, &top))
    {
      g_object_ref_sink (popover);
      g_object_unref (popover);
      return;
    }
  self->popover = popover;
  gtk_widget_set_parent (popover, GTK_WIDGET (self));
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle) { (int) left, (int) top, (int) width, (int) height });
  g_signal_connect_object (popover, "closed", G_CALLBACK (on_popover_closed), self, 0);
  gtk_popover_popup (GTK_POPOVER (popover));
}

static void
on_menu_requested (CsRecordingRow *row, double x, double y, CsRecordingsList *self)
{
  GtkWidget *popover = gtk_popover_menu_new_from_model (self->menu);

  set_current (self, cs_recording_row_get_item (row));
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_popover_set_position (GTK_POPOVER (popover), GTK_POS_BOTTOM);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  show_popover (self, popover, x, y, 1, 1);
}

static void
on_row_focused (GtkEventControllerFocus *controller, CsRecordingsList *self)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller));

  set_current (self, cs_recording_row_get_item (CS_RECORDING_ROW (row)));
}

static GtkWidget *
make_row (gpointer item, gpointer user_data)
{
  CsRecordingsList *self = user_data;
  GtkWidget *row = cs_recording_row_new (item);
  GtkEventController *focus = gtk_event_controller_focus_new ();

  g_signal_connect_object (focus, "enter", G_CALLBACK (on_row_focused), self, 0);
  gtk_widget_add_controller (row, focus);
  g_signal_connect_object (row, "menu-requested", G_CALLBACK (on_menu_requested), self, 0);
  return row;
}

static void
open_current (CsRecordingsList *self)
{
  const char *const paths[] = { cs_recording_item_get_folder (self->current), NULL };

  if (!is_open (self, self->current) || cs_session_get_state (self->session) == CS_SESSION_FAILED)
    cs_session_open_recording (self->session, paths);
  cs_session_show_view (self->session, "hotspots");
}

static void
on_row_activated (CsRecordingsList *self, GtkListBoxRow *row)
{
  set_current (self, cs_recording_row_get_item (CS_RECORDING_ROW (row)));
  open_current (self);
}

static void
open_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  open_current (user_data);
}

static void
compare_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsRecordingsList *self = user_data;

  cs_session_set_base (self->session, cs_recording_item_get_folder (self->current));
  cs_session_show_view (self->session, "compare");
}

/* What is changed is told by the folder's monitor, but not everywhere. */
static void
on_changed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsRecordingsList) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!cs_recordings_change_finish (result, &error) && self->session != NULL)
    cs_session_tell (self->session, error->message);
  if (self->model != NULL)
    cs_recordings_model_refresh (self->model);
}

static void
on_name_entered (const char *text, gpointer user_data)
{
  CsRecordingsList *self = user_data;
  const CsRecordingChange change = { .name = text };

  cs_recordings_change_async (self->edited, &change, NULL, on_changed, g_object_ref (self));
}

static void
on_note_entered (const char *text, gpointer user_data)
{
  CsRecordingsList *self = user_data;
  const CsRecordingChange change = { .note = text };

  cs_recordings_change_async (self->edited, &change, NULL, on_changed, g_object_ref (self));
}

static void
show_text_popover (CsRecordingsList *self, GtkWidget *popover)
{
  GtkWidget *row = find_row (self, self->current);

  /* Rows may change while it is being typed. */
  g_free (self->edited);
  self->edited = g_strdup (cs_recording_item_get_folder (self->current));
  show_popover (self, popover, 0, 0, row != NULL ? gtk_widget_get_width (row) : 1,
                row != NULL ? gtk_widget_get_height (row) : 1);
}

static void
rename_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsRecordingsList *self = user_data;
  g_autofree char *title = cs_recording_item_dup_title (self->current);

  show_text_popover (self, cs_text_popover_new (_("Name"), title, FALSE, on_name_entered, self));
}

static void
note_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsRecordingsList *self = user_data;
  const char *note = cs_recording_item_get_info (self->current)->note;

  show_text_popover (self, cs_text_popover_new (_("Note"), note, TRUE, on_note_entered, self));
}

static void
show_folder_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsRecordingsList *self = user_data;
  const char *folder = cs_recording_item_get_folder (self->current);
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = g_filename_to_uri (folder, NULL, &error);

  if (uri == NULL || !g_app_info_launch_default_for_uri (uri, NULL, &error))
    {
      g_autofree char *name = g_filename_display_name (folder);
      g_autofree char *text = g_strdup_printf (_("No application shows folders (%s) — the recording is in %s"), error->message,
                                               name);

      cs_session_tell (self->session, text);
    }
}

/* What goes to the trash, or is deleted. */
typedef struct
{
  CsRecordingsList *list;
  char *folder;
  char *title;
  GtkWindow *question; /* (nullable): that it belongs to, as it may go unanswered */
} Removal;

static void
removal_free (Removal *removal)
{
  g_object_unref (removal->list);
  g_free (removal->folder);
  g_free (removal->title);
  g_free (removal);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Removal, removal_free)

static void
on_gone (Removal *removal)
{
  CsRecordingsList *self = removal->list;

  if (self->session != NULL && g_strcmp0 (get_open_folder (self), removal->folder) == 0)
    cs_session_close_recording (self->session);
  if (self->model != NULL)
    cs_recordings_model_refresh (self->model);
}

static void
on_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Removal) removal = user_data;
  g_autoptr (GError) error = NULL;

  if (!cs_recordings_delete_finish (result, &error) && removal->list->session != NULL)
    cs_session_tell (removal->list->session, error->message);
  on_gone (removal);
}

static void
on_delete_answered (const char *answer, gpointer user_data)
{
  Removal *removal = user_data;

  if (!g_str_equal (answer, "delete"))
    return;
  g_object_steal_data (G_OBJECT (removal->question), "removal");
  removal->question = NULL;
  cs_recordings_delete_async (removal->folder, NULL, on_deleted, removal);
}

/* The only question: this can't be undone. */
static void
ask_to_delete (Removal *removal, const char *why)
{
  static const CsAnswer answers[] = {
    { "cancel", N_("Cancel"), ADW_RESPONSE_DEFAULT },
    { "delete", N_("Delete"), ADW_RESPONSE_DESTRUCTIVE },
  };
  CsAnswer translated[G_N_ELEMENTS (answers)];
  g_autofree char *heading = g_strdup_printf (_("Delete “%s” for Good?"), removal->title);
  g_autofree char *valid = g_utf8_make_valid (why, -1);
  g_autofree char *body = g_strdup_printf (_("It can’t be got back then.\n\n%s"), valid);

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    translated[i] = (CsAnswer) { answers[i].id, _(answers[i].label), answers[i].appearance };
  removal->question = cs_compat_ask (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (removal->list))), heading, body, NULL,
                                     translated, G_N_ELEMENTS (translated), on_delete_answered, removal);
  g_object_set_data_full (G_OBJECT (removal->question), "removal", removal, (GDestroyNotify) removal_free);
}

static void
look_in_trash (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_boolean (task, cs_trash_can_restore (data));
}

static void
on_looked_in_trash (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Removal) removal = user_data;
  g_autofree char *text = g_strdup_printf (_("“%s” is in the trash"), removal->title);
  g_autoptr (GVariant) target = g_variant_ref_sink (g_variant_new_bytestring (removal->folder));
  g_autofree char *undo = g_action_print_detailed_name ("recordings.untrash", target);

  if (removal->list->session == NULL)
    return;
  if (g_task_propagate_boolean (G_TASK (result), NULL))
    cs_session_tell_with_action (removal->list->session, text, _("Undo"), undo);
  else
    cs_session_tell (removal->list->session, text);
}

static void
on_trashed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Removal) removal = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GTask) task = NULL;

  if (!cs_recordings_trash_finish (result, &error))
    {
      if (removal->list->session == NULL)
        return;
      if (!g_error_matches (error, CS_RECORDINGS_ERROR, CS_RECORDINGS_ERROR_NOT_OURS)
          && gtk_widget_get_root (GTK_WIDGET (removal->list)) != NULL
          && removal->list->model != NULL
          && cs_recordings_model_find (removal->list->model, removal->folder) != NULL)
        ask_to_delete (g_steal_pointer (&removal), error->message);
      else
        cs_session_tell (removal->list->session, error->message);
      return;
    }
  on_gone (removal);
  task = g_task_new (NULL, NULL, on_looked_in_trash, removal);
  g_task_set_task_data (task, g_strdup (removal->folder), g_free);
  g_steal_pointer (&removal);
  g_task_run_in_thread (task, look_in_trash);
}

static void
trash_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsRecordingsList *self = user_data;
  Removal *removal = g_new0 (Removal, 1);

  removal->list = g_object_ref (self);
  removal->folder = g_strdup (cs_recording_item_get_folder (self->current));
  removal->title = cs_recording_item_dup_title (self->current);
  cs_recordings_trash_async (removal->folder, NULL, on_trashed, removal);
}

static void
on_restored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsRecordingsList) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!cs_trash_restore_finish (result, &error) && self->session != NULL)
    cs_session_tell (self->session, error->message);
  if (self->model != NULL)
    cs_recordings_model_refresh (self->model);
}

static void
untrash_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_trash_restore_async (g_variant_get_bytestring (parameter), on_restored, g_object_ref (user_data));
}

static const GActionEntry actions[] = {
  { .name = "open", .activate = open_action },
  { .name = "compare", .activate = compare_action },
  { .name = "rename", .activate = rename_action },
  { .name = "note", .activate = note_action },
  { .name = "show-folder", .activate = show_folder_action },
  { .name = "trash", .activate = trash_action },
  { .name = "untrash", .parameter_type = "ay", .activate = untrash_action },
};

static void
on_project_changed (CsRecordingsList *self)
{
  CsProject *project = cs_session_get_project (self->session);

  close_popover (self);
  set_current (self, NULL);
  gtk_list_box_bind_model (self->box, NULL, NULL, NULL, NULL);
  self->shown = NULL;
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->slice);
  g_clear_object (&self->model);
  gtk_widget_set_visible (GTK_WIDGET (self), project != NULL);
  if (project == NULL)
    return;
  self->model = g_object_ref (cs_project_get_recordings (project));
  self->slice = gtk_slice_list_model_new (g_object_ref (G_LIST_MODEL (self->model)), 0, ROWS);
  g_signal_connect_object (self->model, "items-changed", G_CALLBACK (on_items_changed), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->model, "notify::error", G_CALLBACK (show_message), self, G_CONNECT_SWAPPED);
  on_items_changed (self);
}

static void
cs_recordings_list_dispose (GObject *object)
{
  CsRecordingsList *self = CS_RECORDINGS_LIST (object);
  GtkWidget *child, *next;

  /* Closed ones, too, that wait for their end. */
  self->popover = NULL;
  for (child = gtk_widget_get_first_child (GTK_WIDGET (self)); child != NULL; child = next)
    {
      next = gtk_widget_get_next_sibling (child);
      if (GTK_IS_POPOVER (child))
        gtk_widget_unparent (child);
    }
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->slice);
  g_clear_object (&self->model);
  g_clear_pointer (&self->edited, g_free);
  g_clear_object (&self->current);
  g_clear_object (&self->session);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (cs_recordings_list_parent_class)->dispose (object);
}

static void
cs_recordings_list_class_init (CsRecordingsListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_recordings_list_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/window/cs-recordings-list.ui");
  gtk_widget_class_bind_template_child (widget_class, CsRecordingsList, message);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingsList, box);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingsList, more);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingsList, menu);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_more);
}

static void
cs_recordings_list_init (CsRecordingsList *self)
{
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), actions, G_N_ELEMENTS (actions), self);
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * cs_recordings_list_set_session:
 * @self: a list
 * @session: the window's; told once
 */
void
cs_recordings_list_set_session (CsRecordingsList *self, CsSession *session)
{
  g_return_if_fail (CS_IS_RECORDINGS_LIST (self));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::project", G_CALLBACK (on_project_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::state", G_CALLBACK (mark_open), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::busy", G_CALLBACK (mark_open), self, G_CONNECT_SWAPPED);
  on_project_changed (self);
}

/**
 * cs_recordings_list_get_actions:
 * @self: a list
 *
 * Returns: (transfer none): its actions
 */
GActionGroup *
cs_recordings_list_get_actions (CsRecordingsList *self)
{
  return G_ACTION_GROUP (self->actions);
}

/**
 * cs_recordings_list_get_box:
 * @self: a list
 *
 * Returns: (transfer none): its rows, of #CsRecordingRow
 */
GtkListBox *
cs_recordings_list_get_box (CsRecordingsList *self)
{
  return self->box;
}
