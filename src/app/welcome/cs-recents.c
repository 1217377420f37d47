/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <gtk/gtk.h>

#include "welcome/cs-recent-private.h"
#include "welcome/cs-recents.h"

/* Of each kind. */
#define MOST_RECENTS 20
/* A larger file isn't ours. */
#define LARGEST_FILE (1 << 20)

struct _CsRecents
{
  GObject parent_instance;

  char *path;       /* of the file */
  GPtrArray *items; /* (element-type CsRecent) */
  gboolean loaded;
  gboolean saving;
  gboolean changed; /* since it was saved last */
  guint n_looking;
};

static void cs_recents_init_list_model (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsRecents, cs_recents, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, cs_recents_init_list_model))

static GType
get_item_type (GListModel *list)
{
  return CS_TYPE_RECENT;
}

static guint
get_n_items (GListModel *list)
{
  return CS_RECENTS (list)->items->len;
}

static gpointer
get_item (GListModel *list, guint position)
{
  CsRecents *self = CS_RECENTS (list);

  return position < self->items->len ? g_object_ref (self->items->pdata[position]) : NULL;
}

static void
cs_recents_init_list_model (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
cs_recents_finalize (GObject *object)
{
  CsRecents *self = CS_RECENTS (object);

  g_free (self->path);
  g_ptr_array_unref (self->items);

  G_OBJECT_CLASS (cs_recents_parent_class)->finalize (object);
}

static void
cs_recents_class_init (CsRecentsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_recents_finalize;
}

static void
cs_recents_init (CsRecents *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
}

static void
look_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  cs_recent_look_do (data);
  g_task_return_boolean (task, TRUE);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsRecents *self = CS_RECENTS (source);
  g_autoptr (CsRecent) recent = user_data;

  self->n_looking--;
  cs_recent_take_look (recent, g_task_get_task_data (G_TASK (result)));
}

static void
look_at (CsRecents *self, CsRecent *recent)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, on_looked, g_object_ref (recent));

  g_task_set_task_data (task, cs_recent_look_new (recent), cs_recent_look_free);
  self->n_looking++;
  g_task_run_in_thread (task, look_in_thread);
}

/* The file: a group each, in their order. */

static char *
to_text (CsRecents *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();

  for (guint i = 0; i < self->items->len; i++)
    {
      g_autofree char *group = g_strdup_printf ("%u", i);

      cs_recent_save (self->items->pdata[i], file, group);
    }
  return g_key_file_to_data (file, NULL, NULL);
}

static void
load_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) groups = NULL;
  GStatBuf st;

  if (g_stat (data, &st) == 0 && S_ISREG (st.st_mode) && st.st_size <= LARGEST_FILE
      && g_key_file_load_from_file (file, data, G_KEY_FILE_NONE, NULL))
    groups = g_key_file_get_groups (file, NULL);
  for (guint i = 0; groups != NULL && groups[i] != NULL; i++)
    {
      CsRecent *recent = cs_recent_load (file, groups[i]);

      if (recent != NULL)
        g_ptr_array_add (items, recent);
    }
  g_task_return_pointer (task, g_steal_pointer (&items), (GDestroyNotify) g_ptr_array_unref);
}

typedef struct
{
  char *path;
  char *text;
} Save;

static void
save_free (gpointer data)
{
  Save *save = data;

  g_free (save->path);
  g_free (save->text);
  g_free (save);
}

/* Where it can't be kept, nothing is lost but the list. */
static void
save_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Save *save = data;
  g_autofree char *folder = g_path_get_dirname (save->path);

  if (g_mkdir_with_parents (folder, 0700) == 0)
    g_file_set_contents_full (save->path, save->text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
  g_task_return_boolean (task, TRUE);
}

static void save (CsRecents *self);

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsRecents *self = CS_RECENTS (source);

  self->saving = FALSE;
  if (self->changed)
    save (self);
}

static void
save (CsRecents *self)
{
  g_autoptr (GTask) task = NULL;
  Save *snapshot;

  self->changed = TRUE;
  if (self->saving || !self->loaded)
    return;
  self->changed = FALSE;
  self->saving = TRUE;
  snapshot = g_new0 (Save, 1);
  snapshot->path = g_strdup (self->path);
  snapshot->text = to_text (self);
  task = g_task_new (self, NULL, on_saved, NULL);
  g_task_set_task_data (task, snapshot, save_free);
  g_task_run_in_thread (task, save_in_thread);
}

/* The list. */

static guint
find (CsRecents *self, CsRecentKind kind, const char *path)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      const CsRecent *recent = self->items->pdata[i];

      if (recent->kind == kind && g_str_equal (recent->paths[0], path))
        return i;
    }
  return G_MAXUINT;
}

static void
remove_at (CsRecents *self, guint position)
{
  g_ptr_array_remove_index (self->items, position);
  g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 0);
}

static void
remove_surplus (CsRecents *self, CsRecentKind kind)
{
  guint n = 0;

  for (guint i = 0; i < self->items->len; i++)
    if (((const CsRecent *) self->items->pdata[i])->kind == kind && ++n > MOST_RECENTS)
      remove_at (self, i--);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsRecents *self = CS_RECENTS (source);
  g_autoptr (GPtrArray) items = g_task_propagate_pointer (G_TASK (result), NULL);
  guint before = self->items->len;

  self->loaded = TRUE;
  /* What was opened meanwhile comes first. */
  for (guint i = 0; i < items->len; i++)
    {
      CsRecent *recent = items->pdata[i];

      if (find (self, recent->kind, recent->paths[0]) == G_MAXUINT)
        g_ptr_array_add (self->items, g_object_ref (recent));
    }
  if (self->items->len > before)
    g_list_model_items_changed (G_LIST_MODEL (self), before, 0, self->items->len - before);
  remove_surplus (self, CS_RECENT_PROJECT);
  remove_surplus (self, CS_RECENT_RECORDING);
  for (guint i = before; i < self->items->len; i++)
    look_at (self, self->items->pdata[i]);
  if (self->changed)
    save (self);
}

/**
 * cs_recents_new:
 * @path: of the file in which they are kept; it needn't exist
 *
 * Returns: (transfer full): what was opened, which comes as soon as the file is read
 */
CsRecents *
cs_recents_new (const char *path)
{
  CsRecents *self = g_object_new (CS_TYPE_RECENTS, NULL);
  g_autoptr (GTask) task = g_task_new (self, NULL, on_loaded, NULL);

  self->path = g_strdup (path);
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, load_in_thread);
  return self;
}

/**
 * cs_recents_get_default:
 *
 * Returns: (transfer none): what the person opened
 */
CsRecents *
cs_recents_get_default (void)
{
  static CsRecents *recents;

  if (recents == NULL)
    {
      g_autofree char *path = g_build_filename (g_get_user_state_dir (), "callsight", "recent.ini", NULL);

      recents = cs_recents_new (path);
    }
  return recents;
}

/**
 * cs_recents_is_loaded:
 * @self: what was opened
 *
 * Returns: whether its file has been read
 */
gboolean
cs_recents_is_loaded (CsRecents *self)
{
  return self->loaded;
}

/**
 * cs_recents_is_busy:
 * @self: what was opened
 *
 * Returns: whether something is being read, looked at or written
 */
gboolean
cs_recents_is_busy (CsRecents *self)
{
  return !self->loaded || self->saving || self->n_looking > 0;
}

/* The desktop's privacy settings may say that nothing is to be remembered. */
static gboolean
may_remember (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  gboolean enabled = TRUE;

  if (settings != NULL)
    g_object_get (settings, "gtk-recent-files-enabled", &enabled, NULL);
  return enabled;
}

static void
add (CsRecents *self, CsRecent *recent)
{
  guint before = find (self, recent->kind, recent->paths[0]);

  if (before != G_MAXUINT)
    remove_at (self, before);
  g_ptr_array_insert (self->items, 0, g_object_ref (recent));
  g_list_model_items_changed (G_LIST_MODEL (self), 0, 0, 1);
  remove_surplus (self, recent->kind);
  look_at (self, recent);
  save (self);
}

/**
 * cs_recents_add_project:
 * @self: what was opened
 * @folder: absolute path of a project's folder
 *
 * Puts it in front, unless nothing is to be remembered.
 */
void
cs_recents_add_project (CsRecents *self, const char *folder)
{
  const char *const paths[] = { folder, NULL };
  g_autoptr (CsRecent) recent = NULL;

  g_return_if_fail (CS_IS_RECENTS (self));

  if (!may_remember ())
    return;
  recent = cs_recent_new (CS_RECENT_PROJECT, paths);
  add (self, recent);
}

/**
 * cs_recents_add_recording:
 * @self: what was opened
 * @paths: (array zero-terminated=1): a recording's folder or its files, absolute
 * @facts: (nullable): what is known of it
 *
 * Puts it in front, unless nothing is to be remembered.
 */
void
cs_recents_add_recording (CsRecents *self, const char *const *paths, const CsRecentFacts *facts)
{
  g_autoptr (CsRecent) recent = NULL;

  g_return_if_fail (CS_IS_RECENTS (self));

  if (!may_remember () || paths[0] == NULL || g_strv_length ((char **) paths) > CS_RECENT_MOST_PATHS)
    return;
  recent = cs_recent_new (CS_RECENT_RECORDING, paths);
  if (facts != NULL)
    {
      recent->program = g_strdup (facts->program);
      recent->length_ns = facts->length_ns;
      recent->calls = facts->calls;
      recent->has_facts = TRUE;
    }
  add (self, recent);
}

/**
 * cs_recents_remove:
 * @self: what was opened
 * @recent: one of them
 *
 * Forgets it; what was opened stays as it is.
 */
void
cs_recents_remove (CsRecents *self, CsRecent *recent)
{
  guint position;

  g_return_if_fail (CS_IS_RECENTS (self));

  if (!g_ptr_array_find (self->items, recent, &position))
    return;
  remove_at (self, position);
  save (self);
}

/**
 * cs_recents_look:
 * @self: what was opened
 *
 * Looks again, in the background, what there is in each.
 */
void
cs_recents_look (CsRecents *self)
{
  g_return_if_fail (CS_IS_RECENTS (self));

  for (guint i = 0; i < self->items->len; i++)
    look_at (self, self->items->pdata[i]);
}

/* What a session opens. */

static const char *
find_program (CsRecording *recording)
{
  GPtrArray *processes = cs_recording_get_processes (recording);
  const CsProcess *process = processes->len == 1 ? processes->pdata[0] : NULL;

  return process != NULL && process->section != NULL ? process->section->exe : NULL;
}

static guint64
count_calls (CsProfile *profile)
{
  guint n;
  const CsFunction *functions = cs_profile_get_functions (profile, &n);
  guint64 calls = 0;

  for (guint i = 0; i < n; i++)
    calls += functions[i].calls;
  return calls;
}

static void
on_project_changed (CsRecents *self, GParamSpec *pspec, CsSession *session)
{
  CsProject *project = cs_session_get_project (session);

  if (project != NULL)
    cs_recents_add_project (self, cs_project_get_folder (project));
}

static void
on_state_changed (CsRecents *self, GParamSpec *pspec, CsSession *session)
{
  CsProfile *profile = cs_session_get_whole_profile (session);
  const CsProfileTotals *totals;
  g_autofree char *program = NULL;
  const char *exe;
  CsRecentFacts facts = { 0 };

  if (cs_session_get_state (session) != CS_SESSION_READY)
    return;
  totals = cs_profile_get_totals (profile);
  exe = find_program (cs_session_get_recording (session));
  if (exe != NULL)
    {
      g_autofree char *name = g_path_get_basename (exe);

      program = g_utf8_make_valid (name, -1);
    }
  facts.program = program;
  facts.length_ns = cs_profile_span (totals->first, totals->last);
  facts.calls = count_calls (profile);
  cs_recents_add_recording (self, cs_session_get_paths (session), &facts);
}

/**
 * cs_recents_follow:
 * @self: what was opened
 * @session: a window's
 *
 * From now on, remembers the projects and the recordings that the session opens.
 */
void
cs_recents_follow (CsRecents *self, CsSession *session)
{
  g_return_if_fail (CS_IS_RECENTS (self));

  g_signal_connect_object (session, "notify::project", G_CALLBACK (on_project_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::state", G_CALLBACK (on_state_changed), self, G_CONNECT_SWAPPED);
}
