/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "compare/cs-compare-private.h"
#include "shared/cs-format.h"
#include "shared/cs-input.h"
#include "shared/cs-settings.h"

/* What can be compared, as cs-diff names it. */
static const struct
{
  const char *key, *title, *unit;
  const char *total; /* (nullable): of all functions */
} keys[] = {
  { "self_ms", N_("Self Time"), "ms", N_("Total self time") },
  { "incl_ms", N_("Inclusive Time"), "ms", NULL },
  { "total_ms", N_("Total Time"), "ms", NULL },
  { "calls", N_("Calls"), "", N_("Total calls") },
  { "mean_ns", N_("Mean Duration"), "ns", NULL },
  { "p50_ns", N_("p50"), "ns", NULL },
  { "p99_ns", N_("p99"), "ns", NULL },
  { "max_ns", N_("Longest Call"), "ns", NULL },
};

/**
 * cs_compare_view_apply_key:
 * @self: a view
 *
 * Tells the comparison which numbers count, unless what was typed is none.
 */
void
cs_compare_view_apply_key (CsCompareView *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->threshold));
  double threshold = 0;
  char *end = NULL;
  gboolean right = TRUE;

  gtk_label_set_text (self->unit, keys[self->key].unit);
  if (*text != '\0')
    {
      threshold = g_ascii_strtod (text, &end);
      right = end != text && *end == '\0' && isfinite (threshold) && threshold >= 0;
    }
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->threshold), right ? _("Smaller Changes Are Hidden")
                                                                   : _("A number from 0 on: write 10 or 0.5, for instance"));
  cs_input_set_wrong (GTK_WIDGET (self->threshold), GTK_WIDGET (self->threshold), !right);
  if (right && self->comparison != NULL)
    cs_comparison_set_key (self->comparison, keys[self->key].key, threshold);
}

static void
set_key (CsCompareView *self, guint key)
{
  gboolean other_unit = !g_str_equal (keys[self->key].unit, keys[key].unit);

  self->key = key;
  if (other_unit)
    {
      self->syncing = TRUE;
      gtk_editable_set_text (GTK_EDITABLE (self->threshold), "");
      self->syncing = FALSE;
    }
  cs_compare_view_apply_key (self);
}

/**
 * cs_compare_view_show_keys:
 * @self: a view
 * @sides: what is compared
 *
 * Offers the numbers that both sides have. Where the one that was chosen isn't among them it is the first.
 */
void
cs_compare_view_show_keys (CsCompareView *self, const CsCompareSides *sides)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  guint selected = GTK_INVALID_LIST_POSITION;

  g_array_set_size (self->shown_keys, 0);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      if (!cs_compare_sides_has_key (sides, keys[i].key))
        continue;
      if (i == self->key || self->shown_keys->len == 0)
        selected = self->shown_keys->len;
      g_array_append_val (self->shown_keys, i);
      gtk_string_list_append (titles, _(keys[i].title));
    }
  self->syncing = TRUE;
  gtk_drop_down_set_model (self->keys, G_LIST_MODEL (titles));
  gtk_drop_down_set_selected (self->keys, selected);
  self->syncing = FALSE;
  if (self->shown_keys->len > 0 && g_array_index (self->shown_keys, guint, selected) != self->key)
    set_key (self, g_array_index (self->shown_keys, guint, selected));
}

/**
 * cs_compare_view_load_key:
 * @self: a view
 *
 * Begins with the number that was chosen last.
 */
void
cs_compare_view_load_key (CsCompareView *self)
{
  g_autofree char *key = g_settings_get_string (cs_settings_get (), "compare-key");

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (g_str_equal (keys[i].key, key))
      self->key = i;
  cs_compare_view_apply_key (self);
}

/**
 * cs_compare_view_on_key_changed:
 * @self: a view
 *
 * Another number was chosen.
 */
void
cs_compare_view_on_key_changed (CsCompareView *self)
{
  guint selected = gtk_drop_down_get_selected (self->keys);

  if (self->syncing || selected >= self->shown_keys->len)
    return;
  set_key (self, g_array_index (self->shown_keys, guint, selected));
  g_settings_set_string (cs_settings_get (), "compare-key", keys[self->key].key);
}

static gboolean
on_key_idle (gpointer data)
{
  CsCompareView *self = data;

  self->key_idle = 0;
  cs_compare_view_apply_key (self);
  return G_SOURCE_REMOVE;
}

/**
 * cs_compare_view_on_threshold_changed:
 * @self: a view
 *
 * Another threshold is being typed.
 */
void
cs_compare_view_on_threshold_changed (CsCompareView *self)
{
  if (!self->syncing && self->key_idle == 0)
    self->key_idle = g_idle_add_full (G_PRIORITY_DEFAULT, on_key_idle, self, NULL);
}

/**
 * cs_compare_view_get_key:
 * @self: a view
 *
 * Returns: (transfer none): which number was chosen to be compared
 */
const char *
cs_compare_view_get_key (CsCompareView *self)
{
  return keys[self->key].key;
}

/**
 * cs_compare_view_set_key:
 * @self: a view
 * @key: which number to compare; one that it doesn't offer changes nothing
 */
void
cs_compare_view_set_key (CsCompareView *self, const char *key)
{
  for (guint i = 0; i < self->shown_keys->len; i++)
    if (g_str_equal (keys[g_array_index (self->shown_keys, guint, i)].key, key))
      gtk_drop_down_set_selected (self->keys, i);
}

/**
 * cs_compare_view_set_threshold:
 * @self: a view
 * @text: what is typed as the threshold
 */
void
cs_compare_view_set_threshold (CsCompareView *self, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (self->threshold), text);
}

/**
 * cs_compare_key_dup_totals:
 * @diff: a comparison
 *
 * Returns: (transfer full) (nullable): what both sides have together; %NULL: sums of the key mean nothing
 */
char *
cs_compare_key_dup_totals (const CsDiff *diff)
{
  guint64 before = (guint64) diff->base_total.integer, after = (guint64) diff->new_total.integer;
  char *(*format) (guint64 number) = diff->unit == CS_DIFF_MS ? cs_format_duration : cs_format_count;

  for (guint i = 0; diff->additive && i < G_N_ELEMENTS (keys); i++)
    if (keys[i].total != NULL && g_str_equal (keys[i].key, diff->key))
      {
        g_autofree char *base = format (before), *other = format (after);
        g_autofree char *change = cs_delta_format_change ((double) before, (double) after);

        return g_strdup_printf (_("%s: %s, was %s (%s)"), _(keys[i].total), other, base, change);
      }
  return NULL;
}
