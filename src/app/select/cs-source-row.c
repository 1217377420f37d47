/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "select/cs-source-row-private.h"

static guint changed;

G_DEFINE_FINAL_TYPE (CsSourceRow, cs_source_row, G_TYPE_OBJECT)

static void
cs_source_row_finalize (GObject *object)
{
  CsSourceRow *self = CS_SOURCE_ROW (object);

  if (self->live != NULL && g_hash_table_lookup (self->live, &self->key) == self)
    g_hash_table_remove (self->live, &self->key);
  g_clear_pointer (&self->live, g_hash_table_unref);

  G_OBJECT_CLASS (cs_source_row_parent_class)->finalize (object);
}

static void
cs_source_row_class_init (CsSourceRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_source_row_finalize;
  changed = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 0);
}

static void
cs_source_row_init (CsSourceRow *self)
{
  self->file = CS_CHOOSER_NONE;
}

/**
 * cs_source_row_get_file:
 * @self: a row
 *
 * Returns: the number of its file; %CS_CHOOSER_NONE: it isn't there any more
 */
guint
cs_source_row_get_file (CsSourceRow *self)
{
  return self->file;
}

/**
 * cs_source_row_get_nth:
 * @self: a row
 *
 * Returns: which function of its file it is; %CS_SOURCE_ROW_HEADING: none
 */
guint
cs_source_row_get_nth (CsSourceRow *self)
{
  return self->nth;
}

/**
 * cs_source_row_is_heading:
 * @self: a row
 *
 * Returns: whether it is the heading of a file
 */
gboolean
cs_source_row_is_heading (CsSourceRow *self)
{
  return self->nth == CS_SOURCE_ROW_HEADING;
}

/**
 * cs_source_row_emit_changed:
 * @self: a row
 *
 * Lets it be shown anew.
 */
void
cs_source_row_emit_changed (CsSourceRow *self)
{
  g_signal_emit (self, changed, 0);
}
