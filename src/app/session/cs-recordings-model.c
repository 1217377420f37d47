/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "cs-recordings-model.h"

/* A program that writes changes a folder many times; the list follows once it was quiet for so long. */
#define QUIET_MS 250

struct _CsRecordingsModel
{
  GObject parent_instance;

  char *project;
  GPtrArray *items;       /* (element-type CsRecordingItem) */
  GFileMonitor *monitor;  /* (nullable) */
  guint timer;            /* 0: none */
  GCancellable *listing;  /* (nullable) */
  gboolean again;         /* something changed while it was listed */
  gboolean closed;
  char *error;            /* (nullable) */
  char *running;          /* (nullable) (type filename): the recording that is made now */
  gboolean more;
};

typedef enum
{
  PROP_ERROR = 1,
  PROP_MORE,
} CsRecordingsModelProperty;

static GParamSpec *properties[PROP_MORE + 1];

static void cs_recordings_model_init_list_model (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsRecordingsModel, cs_recordings_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, cs_recordings_model_init_list_model))

static GType
get_item_type (GListModel *list)
{
  return CS_TYPE_RECORDING_ITEM;
}

static guint
get_n_items (GListModel *list)
{
  return CS_RECORDINGS_MODEL (list)->items->len;
}

static gpointer
get_item (GListModel *list, guint position)
{
  CsRecordingsModel *self = CS_RECORDINGS_MODEL (list);

  return position < self->items->len ? g_object_ref (self->items->pdata[position]) : NULL;
}

static void
cs_recordings_model_init_list_model (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
cs_recordings_model_dispose (GObject *object)
{
  cs_recordings_model_close (CS_RECORDINGS_MODEL (object));

  G_OBJECT_CLASS (cs_recordings_model_parent_class)->dispose (object);
}

static void
cs_recordings_model_finalize (GObject *object)
{
  CsRecordingsModel *self = CS_RECORDINGS_MODEL (object);

  g_free (self->project);
  g_free (self->error);
  g_free (self->running);
  g_ptr_array_unref (self->items);

  G_OBJECT_CLASS (cs_recordings_model_parent_class)->finalize (object);
}

static void
cs_recordings_model_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  CsRecordingsModel *self = CS_RECORDINGS_MODEL (object);

  switch ((CsRecordingsModelProperty) id)
    {
    case PROP_ERROR:
      g_value_set_string (value, self->error);
      break;
    case PROP_MORE:
      g_value_set_boolean (value, self->more);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
cs_recordings_model_class_init (CsRecordingsModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = cs_recordings_model_dispose;
  object_class->finalize = cs_recordings_model_finalize;
  object_class->get_property = cs_recordings_model_get_property;
  properties[PROP_ERROR] = g_param_spec_string ("error", NULL, NULL, NULL, flags);
  properties[PROP_MORE] = g_param_spec_boolean ("more", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
cs_recordings_model_init (CsRecordingsModel *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
}

static gboolean
is_same (const CsRecordingInfo *a, const CsRecordingInfo *b)
{
  return g_strcmp0 (a->name, b->name) == 0 && g_strcmp0 (a->note, b->note) == 0 && a->started_us == b->started_us
         && a->ended_us == b->ended_us && g_strcmp0 (a->ending, b->ending) == 0 && a->has_summary == b->has_summary
         && g_strcmp0 (a->problem, b->problem) == 0
         && (!a->has_summary || memcmp (&a->summary, &b->summary, sizeof a->summary) == 0);
}

/* The item of a recording that was there before, or a new one. */
static CsRecordingItem *
make_item (GHashTable *before, const CsRecordingInfo *info)
{
  CsRecordingItem *item = g_hash_table_lookup (before, info->folder);

  return item != NULL ? g_object_ref (item) : cs_recording_item_new (info);
}

static void
mark_running (CsRecordingsModel *self)
{
  for (guint i = 0; i < self->items->len; i++)
    cs_recording_item_set_running (self->items->pdata[i],
                                   g_strcmp0 (cs_recording_item_get_folder (self->items->pdata[i]), self->running) == 0);
}

/* Rows of what stays stay, with the focus and the menus in them. */
static void
take (CsRecordingsModel *self, GPtrArray *infos)
{
  g_autoptr (GHashTable) before = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  guint start = 0, end = 0, n = self->items->len;

  for (guint i = 0; i < n; i++)
    g_hash_table_insert (before, (gpointer) cs_recording_item_get_folder (self->items->pdata[i]), self->items->pdata[i]);
  for (guint i = 0; i < infos->len; i++)
    g_ptr_array_add (items, make_item (before, infos->pdata[i]));
  while (start < n && start < items->len && self->items->pdata[start] == items->pdata[start])
    start++;
  while (end < n - start && end < items->len - start
         && self->items->pdata[n - 1 - end] == items->pdata[items->len - 1 - end])
    end++;
  g_ptr_array_unref (self->items);
  self->items = g_steal_pointer (&items);
  if (n - start - end > 0 || self->items->len - start - end > 0)
    g_list_model_items_changed (G_LIST_MODEL (self), start, n - start - end, self->items->len - start - end);
  for (guint i = 0; i < infos->len; i++)
    if (!is_same (cs_recording_item_get_info (self->items->pdata[i]), infos->pdata[i]))
      cs_recording_item_set_info (self->items->pdata[i], infos->pdata[i]);
  mark_running (self);
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsRecordingsModel) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean more = FALSE;
  g_autoptr (GPtrArray) infos = cs_recordings_list_finish (result, &more, &error);

  g_clear_object (&self->listing);
  if (self->closed)
    return;
  g_free (self->error);
  self->error = error != NULL ? g_utf8_make_valid (error->message, -1) : NULL;
  if (infos != NULL)
    take (self, infos);
  self->more = more;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ERROR]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MORE]);
  if (self->again)
    cs_recordings_model_refresh (self);
}

static gboolean
on_quiet (gpointer user_data)
{
  CsRecordingsModel *self = user_data;

  self->timer = 0;
  cs_recordings_model_refresh (self);
  return G_SOURCE_REMOVE;
}

static void
on_folder_changed (CsRecordingsModel *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  self->timer = g_timeout_add (QUIET_MS, on_quiet, self);
}

/**
 * cs_recordings_model_new:
 * @project: absolute path of a project's folder
 *
 * Returns: (transfer full): its recordings, which come as soon as the folder is read
 */
CsRecordingsModel *
cs_recordings_model_new (const char *project)
{
  CsRecordingsModel *self = g_object_new (CS_TYPE_RECORDINGS_MODEL, NULL);
  g_autofree char *path = cs_recordings_get_folder (project);
  g_autoptr (GFile) folder = g_file_new_for_path (path);

  self->project = g_strdup (project);
  self->monitor = g_file_monitor_directory (folder, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_object (self->monitor, "changed", G_CALLBACK (on_folder_changed), self, G_CONNECT_SWAPPED);
  cs_recordings_model_refresh (self);
  return self;
}

/**
 * cs_recordings_model_close:
 * @self: a project's recordings
 *
 * Ends what it does; the list stays as it is.
 */
void
cs_recordings_model_close (CsRecordingsModel *self)
{
  g_return_if_fail (CS_IS_RECORDINGS_MODEL (self));

  self->closed = TRUE;
  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->listing != NULL)
    g_cancellable_cancel (self->listing);
  if (self->monitor != NULL)
    g_file_monitor_cancel (self->monitor);
  g_clear_object (&self->monitor);
}

/**
 * cs_recordings_model_refresh:
 * @self: a project's recordings
 *
 * Reads the folder again, in the background.
 */
void
cs_recordings_model_refresh (CsRecordingsModel *self)
{
  g_return_if_fail (CS_IS_RECORDINGS_MODEL (self));

  if (self->closed)
    return;
  self->again = self->listing != NULL;
  if (self->again)
    return;
  self->listing = g_cancellable_new ();
  cs_recordings_list_async (self->project, self->listing, on_listed, g_object_ref (self));
}

/**
 * cs_recordings_model_is_busy:
 * @self: a project's recordings
 *
 * Returns: whether the folder is being read, or going to be
 */
gboolean
cs_recordings_model_is_busy (CsRecordingsModel *self)
{
  return self->listing != NULL || self->timer != 0;
}

/**
 * cs_recordings_model_get_error:
 * @self: a project's recordings
 *
 * Returns: (transfer none) (nullable): why the folder can't be read
 */
const char *
cs_recordings_model_get_error (CsRecordingsModel *self)
{
  return self->error;
}

/**
 * cs_recordings_model_get_more:
 * @self: a project's recordings
 *
 * Returns: whether there are older ones that aren't in the list
 */
gboolean
cs_recordings_model_get_more (CsRecordingsModel *self)
{
  return self->more;
}

/**
 * cs_recordings_model_set_running:
 * @self: recordings
 * @folder: (nullable) (type filename): the one that this program makes now, listed or not yet; %NULL: none
 */
void
cs_recordings_model_set_running (CsRecordingsModel *self, const char *folder)
{
  g_return_if_fail (CS_IS_RECORDINGS_MODEL (self));

  g_free (self->running);
  self->running = g_strdup (folder);
  mark_running (self);
}

/**
 * cs_recordings_model_find:
 * @self: a project's recordings
 * @folder: a path
 *
 * Returns: (transfer none) (nullable): the recording in that folder
 */
CsRecordingItem *
cs_recordings_model_find (CsRecordingsModel *self, const char *folder)
{
  for (guint i = 0; i < self->items->len; i++)
    if (g_str_equal (cs_recording_item_get_folder (self->items->pdata[i]), folder))
      return self->items->pdata[i];
  return NULL;
}
