/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cs-project.h"

struct _CsProject
{
  GObject parent_instance;

  char *folder; /* absolute */
  char *name;
  gboolean adopted;
  CsChooser *chooser;
  CsRecordingsModel *recordings;
};

typedef enum
{
  PROP_FOLDER = 1,
  PROP_NAME,
  PROP_ADOPTED,
  PROP_RECORDINGS,
} CsProjectProperty;

static GParamSpec *properties[PROP_RECORDINGS + 1];

G_DEFINE_FINAL_TYPE (CsProject, cs_project, G_TYPE_OBJECT)

static void
cs_project_dispose (GObject *object)
{
  CsProject *self = CS_PROJECT (object);

  if (self->chooser != NULL)
    cs_chooser_close (self->chooser);
  g_clear_object (&self->chooser);
  if (self->recordings != NULL)
    cs_recordings_model_close (self->recordings);
  g_clear_object (&self->recordings);

  G_OBJECT_CLASS (cs_project_parent_class)->dispose (object);
}

static void
cs_project_finalize (GObject *object)
{
  CsProject *self = CS_PROJECT (object);

  g_free (self->folder);
  g_free (self->name);

  G_OBJECT_CLASS (cs_project_parent_class)->finalize (object);
}

static void
cs_project_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  CsProject *self = CS_PROJECT (object);

  switch ((CsProjectProperty) id)
    {
    case PROP_FOLDER:
      g_value_set_string (value, self->folder);
      break;
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_ADOPTED:
      g_value_set_boolean (value, self->adopted);
      break;
    case PROP_RECORDINGS:
      g_value_set_object (value, self->recordings);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
cs_project_class_init (CsProjectClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = cs_project_dispose;
  object_class->finalize = cs_project_finalize;
  object_class->get_property = cs_project_get_property;
  properties[PROP_FOLDER] = g_param_spec_string ("folder", NULL, NULL, NULL, flags);
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);
  properties[PROP_ADOPTED] = g_param_spec_boolean ("adopted", NULL, NULL, FALSE, flags);
  properties[PROP_RECORDINGS] = g_param_spec_object ("recordings", NULL, NULL, CS_TYPE_RECORDINGS_MODEL, flags);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
cs_project_init (CsProject *self)
{
}

/**
 * cs_project_new:
 * @folder: absolute path of a project's folder
 *
 * Returns: (transfer full): the project; its sources are listed and scanned once cs_chooser_load() is called
 */
CsProject *
cs_project_new (const char *folder)
{
  CsProject *self = g_object_new (CS_TYPE_PROJECT, NULL);
  g_autofree char *name = g_path_get_basename (folder);

  self->folder = g_canonicalize_filename (folder, NULL);
  self->name = g_utf8_make_valid (name, -1);
  self->chooser = cs_chooser_new (self->folder, NULL);
  self->recordings = cs_recordings_model_new (self->folder);
  cs_project_look (self);
  return self;
}

/**
 * cs_project_get_folder:
 * @self: a project
 *
 * Returns: (transfer none): its absolute path
 */
const char *
cs_project_get_folder (CsProject *self)
{
  return self->folder;
}

/**
 * cs_project_get_name:
 * @self: a project
 *
 * Returns: (transfer none): its folder's name, as text
 */
const char *
cs_project_get_name (CsProject *self)
{
  return self->name;
}

/**
 * cs_project_get_chooser:
 * @self: a project
 *
 * Returns: (transfer none): its sources, its trace.config and what that chooses
 */
CsChooser *
cs_project_get_chooser (CsProject *self)
{
  return self->chooser;
}

/**
 * cs_project_get_recordings:
 * @self: a project
 *
 * Returns: (transfer none): its recordings
 */
CsRecordingsModel *
cs_project_get_recordings (CsProject *self)
{
  return self->recordings;
}

/**
 * cs_project_is_adopted:
 * @self: a project
 *
 * Returns: whether it had the runtime and a trace.config when it was last looked at
 */
gboolean
cs_project_is_adopted (CsProject *self)
{
  return self->adopted;
}

/**
 * cs_project_look:
 * @self: a project
 *
 * Looks again whether it is adopted.
 */
void
cs_project_look (CsProject *self)
{
  g_autofree char *runtime = g_build_filename (self->folder, "callsight", "trace.c", NULL);
  g_autofree char *config = g_build_filename (self->folder, "trace.config", NULL);
  gboolean adopted = g_file_test (runtime, G_FILE_TEST_IS_REGULAR) && g_file_test (config, G_FILE_TEST_EXISTS);

  if (adopted == self->adopted)
    return;
  self->adopted = adopted;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ADOPTED]);
}

/**
 * cs_project_take_adoption:
 * @self: a project into which Callsight's files were put just now
 *
 * Shows it as adopted, with the trace.config that was written, unless the person has changed what was there before. To
 * wait until that is noticed would let the next change look like a conflict.
 */
void
cs_project_take_adoption (CsProject *self)
{
  g_return_if_fail (CS_IS_PROJECT (self));

  cs_project_look (self);
  if (!cs_chooser_get_dirty (self->chooser))
    cs_chooser_reload (self->chooser);
}
