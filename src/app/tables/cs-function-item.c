/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tables/cs-function-item.h"

struct _CsFunctionItem
{
  GObject parent_instance;

  CsProfile *profile; /* owner of function */
  const CsFunction *function;
};

G_DEFINE_FINAL_TYPE (CsFunctionItem, cs_function_item, G_TYPE_OBJECT)

static void
cs_function_item_finalize (GObject *object)
{
  CsFunctionItem *self = CS_FUNCTION_ITEM (object);

  g_clear_object (&self->profile);

  G_OBJECT_CLASS (cs_function_item_parent_class)->finalize (object);
}

static void
cs_function_item_class_init (CsFunctionItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_function_item_finalize;
}

static void
cs_function_item_init (CsFunctionItem *self)
{
}

/**
 * cs_function_item_new:
 * @profile: a profile
 * @function: one of its functions
 *
 * Returns: (transfer full): the function as an item of a list model
 */
CsFunctionItem *
cs_function_item_new (CsProfile *profile, const CsFunction *function)
{
  CsFunctionItem *self = g_object_new (CS_TYPE_FUNCTION_ITEM, NULL);

  self->profile = g_object_ref (profile);
  self->function = function;
  return self;
}

/**
 * cs_function_item_get_function:
 * @self: an item
 *
 * Returns: (transfer none): its function
 */
const CsFunction *
cs_function_item_get_function (CsFunctionItem *self)
{
  return self->function;
}

/**
 * cs_function_item_get_share:
 * @self: an item
 *
 * Returns: the function's part of all self time, 0 to 1
 */
double
cs_function_item_get_share (CsFunctionItem *self)
{
  guint64 all = cs_profile_get_totals (self->profile)->self;

  return all > 0 ? (double) self->function->self / (double) all : 0;
}

/**
 * cs_function_item_dup_place:
 * @self: an item
 *
 * Returns: (transfer full): where the function is, file:line or its module's name
 */
char *
cs_function_item_dup_place (CsFunctionItem *self)
{
  const CsLocation *location = &self->function->location;

  if (location->file != NULL && location->line > 0)
    return g_strdup_printf ("%s:%u", location->file, location->line);
  if (location->file != NULL)
    return g_strdup (location->file);
  return location->module != NULL ? g_path_get_basename (location->module) : g_strdup ("");
}
