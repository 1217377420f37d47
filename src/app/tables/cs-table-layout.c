/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tables/cs-table-layout.h"
#include "shared/cs-settings.h"

#define COLUMNS_KEY "hotspots-columns"
#define SORT_KEY "hotspots-sort"
#define MAX_WIDTH 4096 /* pixels */

/**
 * cs_table_layout_init:
 * @self: (out): a layout
 *
 * Makes it what it is at first: ordered by self time.
 */
void
cs_table_layout_init (CsTableLayout *self)
{
  for (guint i = 0; i < CS_N_COLUMNS; i++)
    {
      self->columns[i] = i;
      self->shown[i] = cs_column_get (i)->shown;
      self->widths[i] = -1;
    }
  self->keys[0] = (CsSortKey){ CS_COLUMN_SELF, TRUE };
  self->n_keys = 1;
}

static void
load_columns (CsTableLayout *self)
{
  g_autoptr (GVariant) setting = g_settings_get_value (cs_settings_get (), COLUMNS_KEY);
  gboolean seen[CS_N_COLUMNS] = { FALSE };
  GVariantIter iter;
  const char *name;
  gboolean shown;
  int width;
  guint n = 0;

  g_variant_iter_init (&iter, setting);
  while (g_variant_iter_next (&iter, "(&sbi)", &name, &shown, &width))
    {
      CsColumnId id;

      if (!cs_column_find (name, &id) || seen[id])
        continue;
      seen[id] = TRUE;
      self->shown[id] = shown || id == CS_COLUMN_FUNCTION;
      self->widths[id] = width > 0 ? MIN (width, MAX_WIDTH) : -1;
      self->columns[n++] = id;
    }
  /* Columns that the setting doesn't know of. */
  for (guint i = 0; i < CS_N_COLUMNS; i++)
    if (!seen[i])
      self->columns[n++] = i;
}

static void
load_keys (CsTableLayout *self)
{
  g_autoptr (GVariant) setting = g_settings_get_value (cs_settings_get (), SORT_KEY);
  gboolean seen[CS_N_COLUMNS] = { FALSE };
  GVariantIter iter;
  const char *name;
  gboolean descending;
  guint n = 0;

  g_variant_iter_init (&iter, setting);
  while (n < CS_MOST_SORT_KEYS && g_variant_iter_next (&iter, "(&sb)", &name, &descending))
    {
      CsColumnId id;

      if (!cs_column_find (name, &id) || seen[id])
        continue;
      seen[id] = TRUE;
      self->keys[n++] = (CsSortKey){ id, descending };
    }
  if (n > 0)
    self->n_keys = n;
}

/**
 * cs_table_layout_load:
 * @self: (out): a layout
 *
 * Makes it what it was when it was saved last. What isn't understood in the settings is left out.
 */
void
cs_table_layout_load (CsTableLayout *self)
{
  cs_table_layout_init (self);
  load_columns (self);
  load_keys (self);
}

/**
 * cs_table_layout_save:
 * @self: a layout
 *
 * Keeps it for the next time.
 */
void
cs_table_layout_save (const CsTableLayout *self)
{
  GVariantBuilder columns, keys;

  g_variant_builder_init (&columns, G_VARIANT_TYPE ("a(sbi)"));
  for (guint i = 0; i < CS_N_COLUMNS; i++)
    {
      CsColumnId id = self->columns[i];

      g_variant_builder_add (&columns, "(sbi)", cs_column_get (id)->id, self->shown[id], self->widths[id]);
    }
  g_variant_builder_init (&keys, G_VARIANT_TYPE ("a(sb)"));
  for (guint i = 0; i < self->n_keys; i++)
    g_variant_builder_add (&keys, "(sb)", cs_column_get (self->keys[i].column)->id, self->keys[i].descending);
  g_settings_set_value (cs_settings_get (), COLUMNS_KEY, g_variant_builder_end (&columns));
  g_settings_set_value (cs_settings_get (), SORT_KEY, g_variant_builder_end (&keys));
}
