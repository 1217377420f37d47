/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "flame/cs-flame-status.h"
#include "flame/cs-flame-texts.h"
#include "flame/cs-flame-toolbar.h"
#include "flame/cs-flame-view-private.h"
#include "shared/cs-settings.h"

/* What takes less isn't said to take time. */
#define SPINNER_MS 300

static void cs_flame_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsFlameView, cs_flame_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_flame_view_init_view))

void
cs_flame_view_update_actions (CsFlameView *self)
{
  cs_flame_actions_update (self, self->actions);
}

static CsFlameLayout *
get_layout (CsFlameView *self)
{
  return cs_flame_picture_get_layout (self->picture);
}

/* How much time is on view, or will be when the chart has moved: a table has all of the focus. */
static guint64
get_shown (CsFlameView *self)
{
  CsFlameNode focus;
  CsFlamePlace place;

  cs_flame_layout_get_node (get_layout (self), cs_flame_view_get_focus (self), &focus);
  if (self->table_shown)
    return focus.width;
  cs_flame_chart_get_place (self->chart, &place);
  return (guint64) round ((double) focus.width * place.width);
}

/* The line below the chart. */
void
cs_flame_view_show_status (CsFlameView *self)
{
  g_autofree char *text = NULL;
  guint64 found;
  gboolean searched = cs_flame_search_get_time (self->search, &found);

  if (self->picture != NULL)
    text = cs_flame_status_dup_text (self->picture, get_shown (self), searched ? &found : NULL,
                                     self->choice.by_thread && !cs_flame_picture_get_choice (self->picture)->by_thread);
  gtk_label_set_text (self->status, text != NULL ? text : "");
}

static gboolean
on_status_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  CsFlameView *self = CS_FLAME_VIEW (widget);

  self->status_tick = 0;
  cs_flame_view_show_status (self);
  return G_SOURCE_REMOVE;
}

/* It may move while it is given its size, and more than once a frame. */
static void
on_window_changed (CsFlameView *self)
{
  if (self->status_tick == 0)
    self->status_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_status_tick, NULL, NULL);
}

/* What is said where there is nothing to see. */
static void
show_nothing (CsFlameView *self, const CsFlameNothing *nothing)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  adw_status_page_set_title (self->nothing, _(nothing->title));
  adw_status_page_set_description (self->nothing, _(nothing->description));
  gtk_widget_set_visible (GTK_WIDGET (self->nothing_button), nothing->action != NULL);
  gtk_stack_set_visible_child_name (self->stack, "nothing");
  if (nothing->action == NULL)
    return;
  gtk_button_set_label (self->nothing_button, _(nothing->label));
  /* At no time the one's name and the other's target. */
  g_action_parse_detailed_name (nothing->action, &name, &target, NULL);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->nothing_button), NULL);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (self->nothing_button), target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->nothing_button), name);
}

void
cs_flame_view_show_page (CsFlameView *self)
{
  const CsFlameNothing *nothing = self->session != NULL
                                      ? cs_flame_status_find_nothing (self->session, self->picture, self->table_shown) : NULL;

  if (nothing != NULL)
    show_nothing (self, nothing);
  else
    gtk_stack_set_visible_child_name (self->stack, self->table_shown ? "table" : "chart");
}

/* The table is filled while it is shown. */
void
cs_flame_view_show_table (CsFlameView *self)
{
  if (self->table_shown)
    cs_flame_table_set_picture (self->table, self->picture, cs_flame_view_get_focus (self));
  else
    cs_flame_table_set_picture (self->table, NULL, 0);
}

/* Another part of the recording is shown soon. */
static void
on_filter_changed (CsFlameView *self)
{
  self->other = TRUE;
  cs_flame_view_show_focus (self);
}

static void
on_marks_changed (CsFlameView *self)
{
  self->other = TRUE;
  cs_flame_view_make_picture (self);
}

static void
on_path_changed (CsFlameView *self)
{
  guint n;

  if (self->going || self->picture == NULL || cs_flame_picture_get_choice (self->picture)->kind != CS_FLAME_CALL_TREE)
    return;
  cs_session_get_path (self->session, &n);
  if (n == 0)
    self->thread = CS_FLAME_NO_THREAD;
  cs_flame_view_sync_focus (self, TRUE);
}

/* A function that was chosen elsewhere. */
static void
on_function_changed (CsFlameView *self)
{
  guint function = cs_session_get_function (self->session);
  guint32 node;

  if (!cs_flame_view_is_current (self) || function == G_MAXUINT)
    return;
  node = cs_flame_picture_find_widest (self->picture, function);
  if (node == CS_FLAME_NONE)
    return;
  cs_flame_chart_set_cursor (self->chart, node);
  cs_flame_table_select (self->table, node);
  cs_flame_view_update_actions (self);
}

static void
show_found (CsFlameView *self)
{
  guint n;
  const guint32 *found = cs_flame_search_get_found (self->search, &n);

  if (self->picture != NULL)
    cs_flame_chart_set_found (self->chart, found, n);
}

static void
on_found_changed (CsFlameView *self)
{
  const char *error = cs_flame_search_get_error (self->search);
  const char *text = error != NULL ? error : cs_flame_search_get_hint (self->search);

  gtk_label_set_text (self->search_error, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->search_error), text != NULL);
  if (error != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self->search_error), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->search_error), "error");
  show_found (self);
  cs_flame_view_show_status (self);
  cs_flame_view_update_actions (self);
}

/* Hands the picture to the chart, with names and colours as they are to be now. */
static void
show_picture (CsFlameView *self)
{
  if (self->picture != NULL)
    cs_flame_chart_set_layout (self->chart, get_layout (self), cs_flame_texts_get_table (), cs_flame_texts_new (self->picture),
                               (GDestroyNotify) cs_flame_texts_free);
  else
    cs_flame_chart_set_layout (self->chart, NULL, NULL, NULL, NULL);
}

/* What is under the cursor, and the focus as far as it is the view's own, are the same functions and thread in another
 * picture. Returns: what is under the cursor */
static guint32
keep_place (CsFlameView *self, CsFlamePicture *old, guint32 cursor)
{
  g_autoptr (GArray) path = NULL;
  guint32 node;
  guint thread;
  CsFlameNode frame;
  CsProfile *profile = cs_flame_picture_get_profile (self->picture);

  self->thread = cs_flame_picture_translate_thread (old, profile, self->thread);
  if (!cs_flame_picture_translate (old, profile, self->callers))
    g_array_set_size (self->callers, 0);
  if (cursor == CS_FLAME_NONE || cs_flame_picture_get_choice (old)->kind != cs_flame_picture_get_choice (self->picture)->kind)
    return CS_FLAME_NONE;
  path = cs_flame_picture_dup_functions (old, cursor);
  if (path->len == 0 || !cs_flame_picture_translate (old, profile, path))
    return CS_FLAME_NONE;
  thread = cs_flame_picture_translate_thread (old, profile, cs_flame_picture_get_thread (old, cursor));
  node = cs_flame_picture_find_path (self->picture, thread, (const guint *) (gpointer) path->data, path->len);
  cs_flame_layout_get_node (get_layout (self), node, &frame);
  if (frame.depth != path->len + cs_flame_picture_get_choice (self->picture)->by_thread)
    return CS_FLAME_NONE;
  cs_flame_chart_set_cursor (self->chart, node);
  return node;
}

/* Where it shows more of the same, what is on view stays. */
static void
take_picture (CsFlameView *self, CsFlamePicture *picture)
{
  g_autoptr (CsFlamePicture) old = self->picture;
  guint32 cursor = cs_flame_view_get_node (self), depth = cs_flame_view_get_focus_depth (self);
  gboolean more = picture != NULL && old != NULL && !self->other
                  && cs_flame_choice_equal (cs_flame_picture_get_choice (picture), cs_flame_picture_get_choice (old));
  CsFlamePlace place;

  cs_flame_chart_get_place (self->chart, &place);
  self->picture = picture;
  self->other = FALSE;
  show_picture (self);
  cs_flame_view_show_page (self);
  if (picture != NULL && old != NULL)
    cursor = keep_place (self, old, cursor);
  else
    {
      self->thread = CS_FLAME_NO_THREAD;
      g_array_set_size (self->callers, 0);
    }
  cs_flame_view_sync_focus (self, FALSE);
  if (more && cs_flame_view_get_focus_depth (self) == depth)
    cs_flame_chart_set_place (self->chart, &place);
  cs_flame_view_show_focus (self);
  if (picture != NULL && old != NULL)
    cs_flame_table_select (self->table, cursor);
  cs_flame_search_set_picture (self->search, picture, picture != NULL && old != NULL ? cursor : CS_FLAME_NONE);
  if (picture != NULL && cs_flame_chart_get_cursor (self->chart) == CS_FLAME_NONE)
    on_function_changed (self);
}

static void
stop_making (CsFlameView *self)
{
  if (self->making != NULL)
    g_cancellable_cancel (self->making);
  g_clear_object (&self->making);
  self->make_again = FALSE;
  if (self->job != NULL)
    cs_job_finish (self->job);
  g_clear_object (&self->job);
  g_clear_handle_id (&self->spinner_timer, g_source_remove);
  gtk_spinner_set_spinning (self->spinner, FALSE);
}

static gboolean
on_spinner_timer (gpointer data)
{
  CsFlameView *self = data;

  self->spinner_timer = 0;
  gtk_spinner_set_spinning (self->spinner, TRUE);
  return G_SOURCE_REMOVE;
}

static void
on_made (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsFlameView) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CsFlamePicture) picture = cs_flame_picture_new_finish (result, &error);
  gboolean again;

  /* Another one is wanted by now. */
  if (g_task_get_cancellable (G_TASK (result)) != self->making)
    return;
  again = self->make_again;
  stop_making (self);
  if (picture != NULL)
    {
      take_picture (self, g_steal_pointer (&picture));
      if (again)
        cs_flame_view_make_picture (self);
      return;
    }
  /* Only threads are read from the recording again, which can fail or be stopped. What is preferred stays that. */
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    cs_session_tell (self->session, error->message);
  if (self->choice.by_thread)
    {
      self->choice.by_thread = FALSE;
      cs_flame_view_update_actions (self);
      cs_flame_view_make_picture (self);
    }
}

/* Whether the recording has been read to its end. */
static gboolean
has_all (CsFlameView *self)
{
  return cs_session_get_state (self->session) == CS_SESSION_READY && !cs_session_get_growing (self->session);
}

/* What was shown before stays until the next picture is there. */
void
cs_flame_view_make_picture (CsFlameView *self)
{
  CsProfile *profile = self->session != NULL ? cs_session_get_profile (self->session) : NULL;
  CsThreadTree *threads = NULL;
  CsFlameChoice choice = self->choice;

  stop_making (self);
  if (profile == NULL || cs_profile_get_mode (profile) == CS_PROFILE_SUMMARY)
    {
      take_picture (self, NULL);
      return;
    }
  self->making = g_cancellable_new ();
  self->spinner_timer = g_timeout_add (SPINNER_MS, on_spinner_timer, self);
  if (cs_flame_view_is_current (self))
    threads = cs_flame_picture_get_threads (self->picture);
  /* The calls of each thread are read from the whole recording. */
  choice.by_thread &= has_all (self);
  if (choice.by_thread && threads == NULL)
    self->job = cs_jobs_begin (cs_session_get_jobs (self->session), _("Reading the calls of each thread"), self->making);
  cs_flame_picture_new_async (profile, &choice, cs_session_dup_function_marks (self->session), threads, self->making,
                              on_made, g_object_ref (self));
}

static void
make_menus (CsFlameView *self)
{
  g_autoptr (GMenuModel) kind = cs_flame_make_kind_menu (self->threads);
  g_autoptr (GMenuModel) order = cs_flame_make_order_menu ();
  g_autoptr (GMenuModel) shape = cs_flame_make_shape_menu ();
  g_autoptr (GMenu) all = g_menu_new ();

  g_menu_append_section (all, NULL, kind);
  g_menu_append_section (all, NULL, order);
  g_menu_append_section (all, NULL, shape);
  gtk_menu_button_set_menu_model (self->kind_button, kind);
  gtk_menu_button_set_menu_model (self->order_button, order);
  gtk_menu_button_set_menu_model (self->shape_button, shape);
  gtk_menu_button_set_menu_model (self->options_button, G_MENU_MODEL (all));
}

static void
on_profile_changed (CsFlameView *self)
{
  cs_flame_fill_threads_menu (self->threads, cs_session_get_whole_profile (self->session));
  /* While it is read or grows there may be more of it before a picture of the last part is made. */
  if (self->making != NULL && cs_session_get_profile (self->session) != NULL
      && (cs_session_is_reading (self->session) || cs_session_get_growing (self->session)))
    self->make_again = TRUE;
  else
    cs_flame_view_make_picture (self);
  cs_flame_view_show_page (self);
}

/* Threads wait until all is read. */
static void
on_state_changed (CsFlameView *self)
{
  if (self->choice.by_thread && has_all (self))
    cs_flame_view_make_picture (self);
}

/* Preferences of names and colours. */
static void
on_looks_changed (CsFlameView *self)
{
  guint32 cursor = cs_flame_chart_get_cursor (self->chart);

  if (self->picture != NULL)
    {
      guint32 focus = cs_flame_view_get_focus (self);
      CsFlamePlace place;

      cs_flame_chart_get_place (self->chart, &place);
      show_picture (self);
      cs_flame_chart_set_focus (self->chart, focus, FALSE);
      cs_flame_chart_set_cursor (self->chart, cursor);
      cs_flame_chart_set_place (self->chart, &place);
      show_found (self);
      cs_flame_view_show_crumbs (self);
      cs_flame_table_retell (self->table);
    }
  cs_flame_view_update_actions (self);
}

static void
on_focus_requested (CsFlameView *self, guint node)
{
  cs_flame_view_go (self, node);
}

/* A frame without callers is a step below the root. */
static void
on_step_out (CsFlameView *self)
{
  CsFlameNode frame;

  if (self->picture == NULL || cs_flame_view_get_focus (self) == 0)
    return;
  cs_flame_layout_get_node (get_layout (self), cs_flame_view_get_focus (self), &frame);
  cs_flame_view_go (self, frame.parent);
}

static void
on_match_chosen (CsFlameView *self, guint node)
{
  cs_flame_chart_set_cursor (self->chart, node);
  cs_flame_table_select (self->table, node);
  cs_flame_view_update_actions (self);
}

static void
on_row_selected (CsFlameView *self, guint node)
{
  cs_flame_view_update_actions (self);
}

static GtkWidget *
make_popover (CsFlameView *self, GMenuModel *menu)
{
  GtkWidget *popover = gtk_popover_menu_new_from_model (menu);

  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  gtk_widget_set_parent (popover, GTK_WIDGET (self));
  return popover;
}

static void
popup_menu (CsFlameView *self, GtkWidget *from, double x, double y)
{
  gboolean frame = cs_flame_view_get_node (self) != CS_FLAME_NONE;
  GtkWidget **menu = frame ? &self->frame_menu : &self->chart_menu;
  double view_x = x, view_y = y;

  cs_flame_view_update_actions (self);
  if (*menu == NULL)
    {
      g_autoptr (GMenuModel) model = frame ? cs_flame_make_frame_menu (self) : cs_flame_make_chart_menu ();

      *menu = make_popover (self, model);
    }
  gtk_widget_translate_coordinates (from, GTK_WIDGET (self), x, y, &view_x, &view_y);
  gtk_popover_set_pointing_to (GTK_POPOVER (*menu), &(GdkRectangle){ (int) view_x, (int) view_y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (*menu));
}

static void
on_menu_requested (CsFlameView *self, guint node, double x, double y)
{
  cs_flame_chart_set_cursor (self->chart, node);
  popup_menu (self, GTK_WIDGET (self->chart), x, y);
}

static void
on_row_menu_requested (CsFlameView *self, double x, double y)
{
  popup_menu (self, GTK_WIDGET (self->table), x, y);
}

/* What can be excluded depends on what is known of the sources. */
static void
on_project_changed (CsFlameView *self)
{
  CsProject *project = cs_session_get_project (self->session);

  if (project != NULL)
    g_signal_connect_object (cs_project_get_chooser (project), "notify", G_CALLBACK (cs_flame_view_update_actions), self,
                             G_CONNECT_SWAPPED);
  cs_flame_view_update_actions (self);
}

static void
cs_flame_view_dispose (GObject *object)
{
  CsFlameView *self = CS_FLAME_VIEW (object);

  if (self->spinner != NULL)
    stop_making (self);
  g_clear_pointer (&self->frame_menu, gtk_widget_unparent);
  g_clear_pointer (&self->chart_menu, gtk_widget_unparent);
  g_clear_pointer (&self->picture, cs_flame_picture_unref);
  g_clear_pointer (&self->callers, g_array_unref);
  g_clear_object (&self->session);
  g_clear_object (&self->threads);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (cs_flame_view_parent_class)->dispose (object);
}

static gboolean
cs_flame_view_grab_focus (GtkWidget *widget)
{
  GtkWidget *page = gtk_stack_get_visible_child (CS_FLAME_VIEW (widget)->stack);

  return gtk_widget_grab_focus (page);
}

static void
cs_flame_view_class_init (CsFlameViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_flame_view_dispose;
  widget_class->grab_focus = cs_flame_view_grab_focus;
  g_type_ensure (CS_TYPE_FLAME_CHART);
  g_type_ensure (CS_TYPE_FLAME_CHIPS);
  g_type_ensure (CS_TYPE_FLAME_CRUMBS);
  g_type_ensure (CS_TYPE_FLAME_SEARCH);
  g_type_ensure (CS_TYPE_FLAME_TABLE);
  g_type_ensure (CS_TYPE_FLAME_TOOLBAR);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/flame/cs-flame-view.ui");
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, crumbs);
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, search);
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, squeezer);
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, wide_options);
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, kind_button);
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, order_button);
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, shape_button);
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, options_button);
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, search_error);
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, chips);
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, stack);
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, chart);
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, table);
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, nothing);
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, nothing_button);
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, status);
  gtk_widget_class_bind_template_child (widget_class, CsFlameView, spinner);
  gtk_widget_class_bind_template_callback (widget_class, on_found_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_match_chosen);
  gtk_widget_class_bind_template_callback (widget_class, on_focus_requested);
  gtk_widget_class_bind_template_callback (widget_class, on_step_out);
  gtk_widget_class_bind_template_callback (widget_class, on_menu_requested);
  gtk_widget_class_bind_template_callback (widget_class, on_row_menu_requested);
  gtk_widget_class_bind_template_callback (widget_class, on_row_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_window_changed);
  gtk_widget_class_bind_template_callback (widget_class, cs_flame_view_update_actions);
}

static void
cs_flame_view_init (CsFlameView *self)
{
  static const char *const looks[] = { "color-by", "template-depth", "show-parameters", "show-namespaces" };

  self->callers = g_array_new (FALSE, FALSE, sizeof (guint));
  self->thread = CS_FLAME_NO_THREAD;
  self->actions = g_simple_action_group_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  g_object_unref (self->actions);
  self->actions = cs_flame_actions_new (self);
  cs_flame_view_load_options (self);
  self->threads = g_menu_new ();
  cs_flame_fill_threads_menu (self->threads, NULL);
  make_menus (self);
  cs_flame_view_show_options (self);
  cs_flame_view_update_actions (self);
  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      g_autofree char *signal = g_strconcat ("changed::", looks[i], NULL);

      g_signal_connect_object (cs_settings_get (), signal, G_CALLBACK (on_looks_changed), self, G_CONNECT_SWAPPED);
    }
}

static void
set_session (CsView *view, CsSession *session)
{
  CsFlameView *self = CS_FLAME_VIEW (view);

  self->session = g_object_ref (session);
  cs_flame_chips_set_session (self->chips, session);
  cs_flame_search_set_session (self->search, session);
  g_signal_connect_object (session, "notify::profile", G_CALLBACK (on_profile_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::state", G_CALLBACK (on_state_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::growing", G_CALLBACK (on_state_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::marks", G_CALLBACK (on_marks_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::path", G_CALLBACK (on_path_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::function", G_CALLBACK (on_function_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::filter", G_CALLBACK (on_filter_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::timeline", G_CALLBACK (cs_flame_view_update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::project", G_CALLBACK (on_project_changed), self, G_CONNECT_SWAPPED);
  on_project_changed (self);
  on_profile_changed (self);
}

static GActionGroup *
get_actions (CsView *view)
{
  return G_ACTION_GROUP (CS_FLAME_VIEW (view)->actions);
}

static void
start_search (CsView *view)
{
  cs_flame_search_start (CS_FLAME_VIEW (view)->search);
}

static void
go_to_match (CsView *view, gboolean backwards)
{
  g_action_group_activate_action (get_actions (view), backwards ? "find-previous" : "find-next", NULL);
}

static void
cs_flame_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "flame-graph";
  iface->set_session = set_session;
  iface->get_actions = get_actions;
  iface->start_search = start_search;
  iface->go_to_match = go_to_match;
}
