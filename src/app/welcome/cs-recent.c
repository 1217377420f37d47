/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "project/cs-recordings.h"
#include "shared/cs-format.h"
#include "shared/cs-when.h"
#include "welcome/cs-recent-private.h"

typedef enum
{
  PROP_DETAIL = 1,
} CsRecentProperty;

static GParamSpec *properties[PROP_DETAIL + 1];

G_DEFINE_FINAL_TYPE (CsRecent, cs_recent, G_TYPE_OBJECT)

static void
cs_recent_finalize (GObject *object)
{
  CsRecent *self = CS_RECENT (object);

  g_strfreev (self->paths);
  g_free (self->program);
  g_free (self->title);
  g_free (self->detail);

  G_OBJECT_CLASS (cs_recent_parent_class)->finalize (object);
}

static void
cs_recent_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  switch ((CsRecentProperty) id)
    {
    case PROP_DETAIL:
      g_value_set_string (value, CS_RECENT (object)->detail);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
cs_recent_class_init (CsRecentClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = cs_recent_finalize;
  object_class->get_property = cs_recent_get_property;
  properties[PROP_DETAIL] = g_param_spec_string ("detail", NULL, NULL, "",
                                                               G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
cs_recent_init (CsRecent *self)
{
}

/**
 * cs_recent_new:
 * @kind: what it is
 * @paths: (array zero-terminated=1): of the folder or the files, absolute
 *
 * Returns: (transfer full): something that was opened
 */
CsRecent *
cs_recent_new (CsRecentKind kind, const char *const *paths)
{
  CsRecent *self = g_object_new (CS_TYPE_RECENT, NULL);
  g_autofree char *name = g_path_get_basename (paths[0]);

  self->kind = kind;
  self->paths = g_strdupv ((char **) paths);
  self->title = g_utf8_make_valid (name, -1);
  self->detail = g_strdup ("");
  return self;
}

/**
 * cs_recent_get_kind:
 * @self: something that was opened
 *
 * Returns: what it is
 */
CsRecentKind
cs_recent_get_kind (CsRecent *self)
{
  return self->kind;
}

/**
 * cs_recent_get_paths:
 * @self: something that was opened
 *
 * Returns: (transfer none) (array zero-terminated=1): a folder, or the files of a recording; absolute
 */
const char *const *
cs_recent_get_paths (CsRecent *self)
{
  return (const char *const *) self->paths;
}

/**
 * cs_recent_get_title:
 * @self: something that was opened
 *
 * Returns: (transfer none): its name
 */
const char *
cs_recent_get_title (CsRecent *self)
{
  return self->title;
}

/**
 * cs_recent_dup_place:
 * @self: something that was opened
 *
 * Returns: (transfer full): its path as text, with ~ for the home folder
 */
char *
cs_recent_dup_place (CsRecent *self)
{
  g_autofree char *shown = g_filename_display_name (self->paths[0]);
  g_autofree char *home = g_filename_display_name (g_get_home_dir ());
  gsize length = strlen (home);

  return length > 1 && g_str_has_prefix (shown, home) && (shown[length] == '/' || shown[length] == '\0')
             ? g_strconcat ("~", shown + length, NULL) : g_steal_pointer (&shown);
}

/**
 * cs_recent_get_detail:
 * @self: something that was opened
 *
 * Returns: (transfer none): what there is in it; "" before it was looked at
 */
const char *
cs_recent_get_detail (CsRecent *self)
{
  return self->detail;
}

/**
 * cs_recent_is_missing:
 * @self: something that was opened
 *
 * Returns: whether it wasn't there any more when it was looked at
 */
gboolean
cs_recent_is_missing (CsRecent *self)
{
  return self->missing;
}

/**
 * cs_recent_look_free:
 * @data: (transfer full): a #CsRecentLook
 */
void
cs_recent_look_free (gpointer data)
{
  CsRecentLook *look = data;

  g_free (look->path);
  g_free (look->program);
  g_free (look->title);
  g_free (look->detail);
  g_free (look);
}

static void
look_at_project (CsRecentLook *look)
{
  gboolean more = FALSE;
  g_autoptr (GPtrArray) recordings = NULL;

  look->missing = !g_file_test (look->path, G_FILE_TEST_IS_DIR);
  if (look->missing)
    return;
  recordings = cs_recordings_list (look->path, &more, NULL, NULL);
  if (recordings == NULL || recordings->len == 0)
    look->detail = g_strdup (_("No recordings"));
  else
    {
      const CsRecordingInfo *last = recordings->pdata[0];
      g_autofree char *when = cs_when_format (last->started_us, g_get_real_time ());
      g_autofree char *count = NULL;

      if (more)
        count = g_strdup_printf (_("More than %u recordings"), recordings->len);
      else
        count = g_strdup_printf (ngettext ("%u recording", "%u recordings", recordings->len), recordings->len);
      look->detail = g_strdup_printf ("%s · %s", count, when);
    }
}

static void
look_at_recording (CsRecentLook *look)
{
  g_autoptr (CsRecordingInfo) info = NULL;
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);

  look->missing = !g_file_test (look->path, G_FILE_TEST_EXISTS);
  if (look->missing)
    return;
  if (g_file_test (look->path, G_FILE_TEST_IS_DIR))
    info = cs_recordings_load (look->path, NULL);
  if (info != NULL && info->has_summary)
    {
      look->has_facts = TRUE;
      look->length_ns = info->summary.length_ns;
      look->calls = info->summary.calls;
    }
  if (info != NULL && info->command != NULL && info->command[0] != NULL)
    {
      g_free (look->program);
      look->program = g_path_get_basename (info->command[0]);
    }
  if (info != NULL && info->name != NULL && *info->name != '\0')
    look->title = cs_recording_info_get_title (info);
  if (look->program != NULL)
    g_ptr_array_add (parts, g_utf8_make_valid (look->program, -1));
  if (look->has_facts)
    {
      g_autofree char *calls = cs_format_count_short (look->calls);

      g_ptr_array_add (parts, cs_format_duration (look->length_ns));
      g_ptr_array_add (parts, g_strdup_printf (look->calls == 1 ? _("%s call") : _("%s calls"), calls));
    }
  g_ptr_array_add (parts, NULL);
  look->detail = g_strjoinv (" · ", (char **) parts->pdata);
}

/**
 * cs_recent_look_new:
 * @self: something that was opened
 *
 * Returns: (transfer full): what cs_recent_look_do() needs
 */
CsRecentLook *
cs_recent_look_new (CsRecent *self)
{
  CsRecentLook *look = g_new0 (CsRecentLook, 1);

  look->kind = self->kind;
  look->path = g_strdup (self->paths[0]);
  look->program = g_strdup (self->program);
  look->length_ns = self->length_ns;
  look->calls = self->calls;
  look->has_facts = self->has_facts;
  return look;
}

/**
 * cs_recent_look_do:
 * @look: what is to be looked at
 *
 * Looks what there is. Takes time; for a thread.
 */
void
cs_recent_look_do (CsRecentLook *look)
{
  if (look->kind == CS_RECENT_PROJECT)
    look_at_project (look);
  else
    look_at_recording (look);
  if (look->missing)
    look->detail = g_strdup (_("Isn’t there any more"));
}

/**
 * cs_recent_take_look:
 * @self: something that was opened
 * @look: what there is in it; its texts are taken out
 */
void
cs_recent_take_look (CsRecent *self, CsRecentLook *look)
{
  self->missing = look->missing;
  g_free (self->detail);
  self->detail = g_steal_pointer (&look->detail);
  if (look->title != NULL)
    {
      g_free (self->title);
      self->title = g_steal_pointer (&look->title);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DETAIL]);
}

/**
 * cs_recent_save:
 * @self: something that was opened
 * @file: where it is kept
 * @group: a name of its own
 */
void
cs_recent_save (CsRecent *self, GKeyFile *file, const char *group)
{
  g_autoptr (GPtrArray) escaped = g_ptr_array_new_with_free_func (g_free);

  /* Paths aren't always UTF-8. */
  for (guint i = 0; self->paths[i] != NULL; i++)
    g_ptr_array_add (escaped, g_uri_escape_string (self->paths[i], "/", FALSE));
  g_key_file_set_string (file, group, "kind", self->kind == CS_RECENT_PROJECT ? "project" : "recording");
  g_key_file_set_string_list (file, group, "paths", (const char *const *) escaped->pdata, escaped->len);
  if (self->program != NULL)
    g_key_file_set_string (file, group, "program", self->program);
  if (self->has_facts)
    {
      g_key_file_set_uint64 (file, group, "length", self->length_ns);
      g_key_file_set_uint64 (file, group, "calls", self->calls);
    }
}

/**
 * cs_recent_load:
 * @file: where they are kept
 * @group: one of its groups
 *
 * Returns: (transfer full) (nullable): what the group tells of; NULL: nothing that can be opened
 */
CsRecent *
cs_recent_load (GKeyFile *file, const char *group)
{
  g_autofree char *kind = g_key_file_get_string (file, group, "kind", NULL);
  g_auto (GStrv) escaped = g_key_file_get_string_list (file, group, "paths", NULL, NULL);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *program = NULL;
  CsRecent *recent;

  for (guint i = 0; escaped != NULL && escaped[i] != NULL && i < CS_RECENT_MOST_PATHS; i++)
    {
      char *path = g_uri_unescape_string (escaped[i], NULL);

      if (path != NULL && g_path_is_absolute (path))
        g_ptr_array_add (paths, path);
      else
        g_free (path);
    }
  if (paths->len == 0)
    return NULL;
  g_ptr_array_add (paths, NULL);
  recent = cs_recent_new (g_strcmp0 (kind, "project") == 0 ? CS_RECENT_PROJECT : CS_RECENT_RECORDING,
                          (const char *const *) paths->pdata);
  program = g_key_file_get_string (file, group, "program", NULL);
  recent->program = program != NULL && *program != '\0' ? g_steal_pointer (&program) : NULL;
  recent->has_facts = g_key_file_has_key (file, group, "length", NULL) && g_key_file_has_key (file, group, "calls", NULL);
  recent->length_ns = g_key_file_get_uint64 (file, group, "length", NULL);
  recent->calls = g_key_file_get_uint64 (file, group, "calls", NULL);
  return recent;
}
