/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cs-jobs.h"

struct _CsJob
{
  GObject parent_instance;

  CsJobs *jobs; /* (nullable): what lists it, until it is finished or they are gone */
  char *title;
  char *detail; /* (nullable) */
  double progress;
  GCancellable *cancellable; /* (nullable): NULL: it can't be stopped */
};

struct _CsJobs
{
  GObject parent_instance;

  GPtrArray *jobs; /* (element-type CsJob) */
};

typedef enum
{
  PROP_TITLE = 1,
  PROP_DETAIL,
  PROP_PROGRESS,
  PROP_CANCELLABLE,
} CsJobProperty;

static GParamSpec *properties[PROP_CANCELLABLE + 1];

G_DEFINE_FINAL_TYPE (CsJob, cs_job, G_TYPE_OBJECT)

static GType
cs_jobs_get_item_type (GListModel *model)
{
  return CS_TYPE_JOB;
}

static guint
cs_jobs_get_n_items (GListModel *model)
{
  return CS_JOBS (model)->jobs->len;
}

static gpointer
cs_jobs_get_item (GListModel *model, guint position)
{
  CsJobs *self = CS_JOBS (model);

  return position < self->jobs->len ? g_object_ref (self->jobs->pdata[position]) : NULL;
}

static void
cs_jobs_init_list_model (GListModelInterface *iface)
{
  iface->get_item_type = cs_jobs_get_item_type;
  iface->get_n_items = cs_jobs_get_n_items;
  iface->get_item = cs_jobs_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (CsJobs, cs_jobs, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, cs_jobs_init_list_model))

static void
cs_job_finalize (GObject *object)
{
  CsJob *self = CS_JOB (object);

  g_free (self->title);
  g_free (self->detail);
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (cs_job_parent_class)->finalize (object);
}

static void
cs_job_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  CsJob *self = CS_JOB (object);

  switch ((CsJobProperty) id)
    {
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_DETAIL:
      g_value_set_string (value, self->detail);
      break;
    case PROP_PROGRESS:
      g_value_set_double (value, self->progress);
      break;
    case PROP_CANCELLABLE:
      g_value_set_object (value, self->cancellable);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
cs_job_class_init (CsJobClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = cs_job_finalize;
  object_class->get_property = cs_job_get_property;
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  properties[PROP_DETAIL] = g_param_spec_string ("detail", NULL, NULL, NULL, flags);
  properties[PROP_PROGRESS] = g_param_spec_double ("progress", NULL, NULL, -1, 1, -1, flags);
  properties[PROP_CANCELLABLE] = g_param_spec_object ("cancellable", NULL, NULL, G_TYPE_CANCELLABLE, flags);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
cs_job_init (CsJob *self)
{
  self->progress = -1;
}

/**
 * cs_job_get_title:
 * @self: a job
 *
 * Returns: (transfer none): what is done
 */
const char *
cs_job_get_title (CsJob *self)
{
  return self->title;
}

/**
 * cs_job_get_detail:
 * @self: a job
 *
 * Returns: (transfer none) (nullable): what is being done now
 */
const char *
cs_job_get_detail (CsJob *self)
{
  return self->detail;
}

/**
 * cs_job_get_progress:
 * @self: a job
 *
 * Returns: how much is done, 0 to 1; negative: not known
 */
double
cs_job_get_progress (CsJob *self)
{
  return self->progress;
}

/**
 * cs_job_get_cancellable:
 * @self: a job
 *
 * Returns: (transfer none) (nullable): what ends it early; NULL: it can't be stopped
 */
GCancellable *
cs_job_get_cancellable (CsJob *self)
{
  return self->cancellable;
}

/**
 * cs_job_set_detail:
 * @self: a job
 * @detail: (nullable): what is being done now; any bytes
 */
void
cs_job_set_detail (CsJob *self, const char *detail)
{
  g_autofree char *valid = detail != NULL ? g_utf8_make_valid (detail, -1) : NULL;

  if (g_strcmp0 (self->detail, valid) == 0)
    return;
  g_free (self->detail);
  self->detail = g_steal_pointer (&valid);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DETAIL]);
}

/**
 * cs_job_set_progress:
 * @self: a job
 * @progress: how much of it is done, 0 to 1; negative: not known
 */
void
cs_job_set_progress (CsJob *self, double progress)
{
  g_return_if_fail (CS_IS_JOB (self));

  self->progress = progress < 0 ? -1 : MIN (progress, 1);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROGRESS]);
}

/**
 * cs_job_finish:
 * @self: a job
 *
 * Takes it off its list; more than once does no harm.
 */
void
cs_job_finish (CsJob *self)
{
  CsJobs *jobs = self->jobs;
  guint position;

  g_return_if_fail (CS_IS_JOB (self));

  self->jobs = NULL;
  if (jobs == NULL || !g_ptr_array_find (jobs->jobs, self, &position))
    return;
  g_ptr_array_remove_index (jobs->jobs, position);
  g_list_model_items_changed (G_LIST_MODEL (jobs), position, 1, 0);
}

static void
cs_jobs_dispose (GObject *object)
{
  CsJobs *self = CS_JOBS (object);

  for (guint i = 0; i < self->jobs->len; i++)
    CS_JOB (self->jobs->pdata[i])->jobs = NULL;
  g_ptr_array_set_size (self->jobs, 0);

  G_OBJECT_CLASS (cs_jobs_parent_class)->dispose (object);
}

static void
cs_jobs_finalize (GObject *object)
{
  g_ptr_array_unref (CS_JOBS (object)->jobs);

  G_OBJECT_CLASS (cs_jobs_parent_class)->finalize (object);
}

static void
cs_jobs_class_init (CsJobsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_jobs_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_jobs_finalize;
}

static void
cs_jobs_init (CsJobs *self)
{
  self->jobs = g_ptr_array_new_with_free_func (g_object_unref);
}

/**
 * cs_jobs_new:
 *
 * Returns: (transfer full): an empty list of jobs
 */
CsJobs *
cs_jobs_new (void)
{
  return g_object_new (CS_TYPE_JOBS, NULL);
}

/**
 * cs_jobs_begin:
 * @self: a list of jobs
 * @title: what is done, as "Reading the recording"
 * @cancellable: (nullable): what ends it early; NULL: it can't be stopped
 *
 * Returns: (transfer full): a job, which is listed until cs_job_finish()
 */
CsJob *
cs_jobs_begin (CsJobs *self, const char *title, GCancellable *cancellable)
{
  CsJob *job = g_object_new (CS_TYPE_JOB, NULL);

  g_return_val_if_fail (CS_IS_JOBS (self), job);

  job->jobs = self;
  job->title = g_utf8_make_valid (title, -1);
  g_set_object (&job->cancellable, cancellable);
  g_ptr_array_add (self->jobs, g_object_ref (job));
  g_list_model_items_changed (G_LIST_MODEL (self), self->jobs->len - 1, 0, 1);
  return job;
}

/**
 * cs_jobs_cancel_all:
 * @self: a list of jobs
 *
 * Asks everything that runs to stop.
 */
void
cs_jobs_cancel_all (CsJobs *self)
{
  g_autoptr (GPtrArray) cancellables = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_if_fail (CS_IS_JOBS (self));

  /* What is cancelled may finish at once. */
  for (guint i = 0; i < self->jobs->len; i++)
    if (CS_JOB (self->jobs->pdata[i])->cancellable != NULL)
      g_ptr_array_add (cancellables, g_object_ref (CS_JOB (self->jobs->pdata[i])->cancellable));
  for (guint i = 0; i < cancellables->len; i++)
    g_cancellable_cancel (cancellables->pdata[i]);
}
