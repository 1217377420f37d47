/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "flame/cs-flame-texts.h"
#include "flame/cs-flame-view-private.h"

static CsFlameLayout *
get_layout (CsFlameView *self)
{
  return cs_flame_picture_get_layout (self->picture);
}

/* Whether indices of functions in the picture are those of the session. */
gboolean
cs_flame_view_is_current (CsFlameView *self)
{
  return self->picture != NULL && cs_flame_picture_get_profile (self->picture) == cs_session_get_profile (self->session);
}

/* The frame that it is zoomed to. */
guint32
cs_flame_view_get_focus (CsFlameView *self)
{
  return self->picture != NULL ? cs_flame_chart_get_focus (self->chart) : 0;
}

/* Breadcrumbs */
typedef struct
{
  CsFlameView *view;
  GArray *path; /* frames from the root */
} CrumbNames;

static char *
dup_crumb_name (guint i, gpointer data)
{
  const CrumbNames *names = data;
  const char *thread = cs_session_get_filter (names->view->session)->thread;

  if (i > 0)
    return cs_flame_texts_dup_name (names->view->picture, g_array_index (names->path, guint32, i));
  return thread != NULL ? g_strdup_printf (_("thread %s"), thread) : g_strdup (_("all threads"));
}

void
cs_flame_view_show_crumbs (CsFlameView *self)
{
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));
  CrumbNames names = { self, path };

  gtk_widget_set_visible (GTK_WIDGET (self->crumbs), self->picture != NULL);
  if (self->picture == NULL)
    return;
  cs_flame_layout_get_path (get_layout (self), cs_flame_view_get_focus (self), path);
  cs_flame_crumbs_set (self->crumbs, path->len - 1, dup_crumb_name, &names);
}

/* What follows from the focus. */
void
cs_flame_view_show_focus (CsFlameView *self)
{
  cs_flame_view_show_crumbs (self);
  cs_flame_view_show_status (self);
  cs_flame_view_show_table (self);
  cs_flame_view_update_actions (self);
}

/* The frame that the session, or a tree of callers the view, is zoomed to. */
void
cs_flame_view_sync_focus (CsFlameView *self, gboolean animate)
{
  const guint *path;
  guint n;

  if (!cs_flame_view_is_current (self))
    return;
  if (cs_flame_picture_get_choice (self->picture)->kind == CS_FLAME_CALL_TREE)
    path = cs_session_get_path (self->session, &n);
  else
    {
      path = (const guint *) (gpointer) self->callers->data;
      n = self->callers->len;
    }
  cs_flame_chart_set_focus (self->chart, cs_flame_picture_find_path (self->picture, self->thread, path, n), animate);
  cs_flame_view_show_focus (self);
}

guint32
cs_flame_view_get_focus_depth (CsFlameView *self)
{
  CsFlameNode frame = { 0 };

  if (self->picture != NULL)
    cs_flame_layout_get_node (get_layout (self), cs_flame_view_get_focus (self), &frame);
  return frame.depth;
}

/**
 * cs_flame_view_go:
 * @self: a view
 * @node: a frame of its picture; 0: all
 *
 * Zooms to the frame: as a step of the session, or of a tree of callers in this view alone.
 */
void
cs_flame_view_go (CsFlameView *self, guint32 node)
{
  g_autoptr (GArray) path = NULL;
  CsProfile *profile = self->picture != NULL ? cs_session_get_profile (self->session) : NULL;

  if (profile == NULL || node >= cs_flame_layout_get_n_nodes (get_layout (self)))
    return;
  path = cs_flame_picture_dup_functions (self->picture, node);
  self->thread = cs_flame_picture_get_thread (self->picture, node);
  if (cs_flame_picture_get_choice (self->picture)->kind == CS_FLAME_CALL_TREE)
    {
      /* The session may know the functions by other numbers, while a picture of more is being made. */
      if (!cs_flame_picture_translate (self->picture, profile, path))
        return;
      self->going = TRUE;
      cs_session_set_path (self->session, (const guint *) (gpointer) path->data, path->len);
      self->going = FALSE;
    }
  else
    {
      g_array_set_size (self->callers, 0);
      g_array_append_vals (self->callers, path->data, path->len);
    }
  cs_flame_chart_set_focus (self->chart, node, TRUE);
  cs_flame_view_show_focus (self);
}

/**
 * cs_flame_view_go_up_to:
 * @self: a view
 * @depth: how many functions of the path stay
 */
void
cs_flame_view_go_up_to (CsFlameView *self, guint depth)
{
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (self->picture == NULL)
    return;
  cs_flame_layout_get_path (get_layout (self), cs_flame_view_get_focus (self), path);
  if (depth < path->len)
    cs_flame_view_go (self, g_array_index (path, guint32, depth));
}
