/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "flame/cs-flame-texts.h"
#include "shared/cs-format.h"
#include "shared/cs-function-name.h"
#include "shared/cs-settings.h"
#include "tables/cs-function-columns.h"

/* Of a frame's label: one more than is shown, so that it is seen that there is more. */
#define LABEL_CHARS 201

struct _CsFlameTexts
{
  CsFlamePicture *picture;
  GHashTable *labels; /* by function index + 1 */
  gboolean by_module; /* a module has a colour, and not a function */
  guint8 *colors;     /* by function: its colour's number + 1; 0: not known yet */
};

/**
 * cs_flame_texts_is_by_module:
 *
 * Returns: whether each module has a colour of its own now, and not each function
 */
gboolean
cs_flame_texts_is_by_module (void)
{
  g_autofree char *by = g_settings_get_string (cs_settings_get (), "color-by");

  return g_str_equal (by, "module");
}

/**
 * cs_flame_texts_new:
 * @picture: a picture
 *
 * Names and colours are those that the preferences want now.
 *
 * Returns: (transfer full): what is said of its frames
 */
CsFlameTexts *
cs_flame_texts_new (CsFlamePicture *picture)
{
  CsFlameTexts *self = g_new0 (CsFlameTexts, 1);
  guint n;

  cs_profile_get_functions (cs_flame_picture_get_profile (picture), &n);
  self->colors = g_new0 (guint8, MAX (n, 1));
  self->picture = cs_flame_picture_ref (picture);
  self->labels = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->by_module = cs_flame_texts_is_by_module ();
  return self;
}

/**
 * cs_flame_texts_free:
 * @self: (transfer full): texts
 */
void
cs_flame_texts_free (CsFlameTexts *self)
{
  cs_flame_picture_unref (self->picture);
  g_hash_table_unref (self->labels);
  g_free (self->colors);
  g_free (self);
}

/**
 * cs_flame_texts_dup_name:
 * @picture: a picture
 * @node: a frame
 *
 * Returns: (transfer full): the name of its function as the preferences want it, or of its thread
 */
char *
cs_flame_texts_dup_name (CsFlamePicture *picture, guint32 node)
{
  const CsFunction *function = cs_flame_picture_get_function (picture, node);
  g_autofree char *valid = NULL;

  if (function == NULL)
    {
      guint thread = cs_flame_picture_get_thread (picture, node);
      g_autofree char *label = thread != CS_FLAME_NO_THREAD
                                   ? cs_profile_dup_thread_label (cs_flame_picture_get_profile (picture), thread)
                                   : g_strdup (_("all threads"));

      return g_utf8_make_valid (label, -1);
    }
  valid = g_utf8_make_valid (function->location.name, -1);
  return cs_function_name_shorten (valid);
}

static char *
dup_label (guint32 node, gpointer data)
{
  CsFlameTexts *self = data;
  gpointer key = GUINT_TO_POINTER (cs_flame_layout_get_function (cs_flame_picture_get_layout (self->picture), node) + 1);
  const char *label = g_hash_table_lookup (self->labels, key);

  if (label == NULL)
    {
      g_autofree char *name = cs_flame_texts_dup_name (self->picture, node);
      char *made = g_utf8_strlen (name, -1) > LABEL_CHARS ? g_utf8_substring (name, 0, LABEL_CHARS)
                                                          : g_steal_pointer (&name);

      g_hash_table_insert (self->labels, key, made);
      label = made;
    }
  return g_strdup (label);
}

static void
append_time (GString *text, const char *what, guint64 ns, guint64 whole)
{
  g_autofree char *time = cs_format_isolate (cs_format_duration (ns));
  g_autofree char *share = cs_format_isolate (cs_format_share (ns, whole));

  /* Translators: what it is ("Self"), a duration, and its share of all */
  g_string_append_printf (text, _("\n%s: %s (%s)"), what, time, share);
}

static char *
dup_percentile (const CsFunction *function, guint per_mille)
{
  return cs_format_isolate (cs_format_duration (cs_histogram_percentile (&function->histogram, function->recorded, per_mille,
                                                                         function->min, function->max)));
}

/* What all frames of the function have together. */
static void
append_function (GString *text, const CsFunction *function)
{
  g_autofree char *total = cs_format_isolate (cs_format_duration (function->total));

  g_string_append_printf (text, _("\nFunction in all: %s"), total);
  if (function->recorded > 0)
    {
      g_autofree char *p50 = dup_percentile (function, 500);
      g_autofree char *p99 = dup_percentile (function, 990);
      g_autofree char *max = cs_format_isolate (cs_format_duration (function->max));

      g_string_append_printf (text, _(", p50 %s, p99 %s, max %s"), p50, p99, max);
    }
}

static char *
dup_text (guint32 node, gpointer data)
{
  CsFlameTexts *self = data;
  CsFlameLayout *layout = cs_flame_picture_get_layout (self->picture);
  const CsFunction *function = cs_flame_picture_get_function (self->picture, node);
  guint64 total = cs_flame_layout_get_total (layout);
  GString *text = g_string_new (NULL);
  g_autofree char *name = dup_label (node, self);
  g_autofree char *calls = NULL;
  CsFlameNode frame;

  cs_flame_layout_get_node (layout, node, &frame);
  calls = cs_format_isolate (cs_format_count (frame.calls));
  g_string_append (text, name);
  if (function != NULL)
    {
      g_autofree char *place = cs_location_dup_place (&function->location);

      if (*place != '\0')
        g_string_append_printf (text, "\n%s", place);
      append_time (text, _("Self"), frame.self, total);
    }
  append_time (text, function != NULL ? _("Inclusive") : _("Time"), frame.width, total);
  if (function != NULL)
    {
      g_string_append_printf (text, _("\nCalls: %s"), calls);
      append_function (text, function);
    }
  if ((frame.flags & CS_FLAME_FOLDED) != 0)
    g_string_append (text, _("\nCallers with little time are left out"));
  return g_string_free (text, FALSE);
}

/**
 * cs_flame_texts_dup_sentence:
 * @picture: a picture
 * @node: a frame
 *
 * Returns: (transfer full): what it is and how much time it took, for those who don't see it
 */
char *
cs_flame_texts_dup_sentence (CsFlamePicture *picture, guint32 node)
{
  CsFlameLayout *layout = cs_flame_picture_get_layout (picture);
  g_autofree char *name = cs_flame_texts_dup_name (picture, node);
  g_autofree char *self_time = NULL;
  g_autofree char *inclusive = NULL;
  g_autofree char *share = NULL;
  CsFlameNode frame;

  cs_flame_layout_get_node (layout, node, &frame);
  self_time = cs_format_duration (frame.self);
  inclusive = cs_format_duration (frame.width);
  share = cs_format_share (frame.width, cs_flame_layout_get_total (layout));
  if (node == 0)
    return g_strdup_printf (_("%s: %s"), name, inclusive);
  return g_strdup_printf (_("%s: self %s, inclusive %s, %s of all"), name, self_time, inclusive, share);
}

static char *
dup_sentence (guint32 node, gpointer data)
{
  return cs_flame_texts_dup_sentence (((CsFlameTexts *) data)->picture, node);
}

/**
 * cs_flame_texts_dup_stack:
 * @picture: a picture
 * @node: a frame
 *
 * Returns: (transfer full): the whole names of its functions, a line each: from the outermost call, or from the function
 *   itself to its outermost caller
 */
char *
cs_flame_texts_dup_stack (CsFlamePicture *picture, guint32 node)
{
  g_autoptr (GArray) functions = cs_flame_picture_dup_functions (picture, node);
  GString *text = g_string_new (NULL);
  guint n;
  const CsFunction *all = cs_profile_get_functions (cs_flame_picture_get_profile (picture), &n);

  for (guint i = 0; i < functions->len; i++)
    {
      guint function = g_array_index (functions, guint, i);
      g_autofree char *valid = g_utf8_make_valid (function < n ? all[function].location.name : "", -1);

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", valid);
    }
  return g_string_free (text, FALSE);
}

/* Names are long, and there are thousands of frames to paint: each is looked at once. */
static void
get_color (guint32 node, const CsChartColors *colors, GdkRGBA *color, gpointer data)
{
  CsFlameTexts *self = data;
  guint n;
  const CsFunction *functions = cs_profile_get_functions (cs_flame_picture_get_profile (self->picture), &n);
  guint32 function = cs_flame_layout_get_function (cs_flame_picture_get_layout (self->picture), node);

  if (function >= n)
    {
      *color = colors->colors[CS_CHART_TROUGH];
      return;
    }
  if (self->colors[function] == 0)
    {
      const CsLocation *location = &functions[function].location;
      const GdkRGBA *known = cs_chart_colors_get_function (colors, self->by_module ? location->module : location->name);

      self->colors[function] = (guint8) (known - colors->functions + 1);
    }
  *color = colors->functions[self->colors[function] - 1];
}

/**
 * cs_flame_texts_get_table:
 *
 * Returns: (transfer none): what a chart asks texts with; its data are the texts
 */
const CsFlameChartTexts *
cs_flame_texts_get_table (void)
{
  static const CsFlameChartTexts table = { dup_label, dup_text, dup_sentence, get_color };

  return &table;
}
