/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "compare/cs-delta-flame.h"
#include "shared/cs-format.h"
#include "shared/cs-function-name.h"

struct _CsDeltaFlame
{
  AdwBin parent_instance;

  CsFlameChart *chart;
  CsFlameDiff *diff;     /* (nullable) */
  CsCompareSides *sides; /* (nullable): that it is of */
  gboolean normalised;
  gboolean moving;       /* the cursor is moved by others */
  guint32 *widest;       /* (nullable): for each number, its widest frame; made when it is asked for */
};

enum { SELECTED, FOCUS_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsDeltaFlame, cs_delta_flame, ADW_TYPE_BIN)

/* Of the recording that gives the shape. */
static CsProfile *
get_profile (CsDeltaFlame *self)
{
  return cs_flame_diff_get_shape (self->diff) == CS_FLAME_SHAPE_NEW ? self->sides->profile : self->sides->base->profile;
}

/* The function of a frame; NULL: the root. */
static const CsFunction *
get_function (CsDeltaFlame *self, guint32 node)
{
  guint32 function = cs_flame_layout_get_function (cs_flame_diff_get_layout (self->diff), node);
  guint n;

  return function != CS_FLAME_NONE ? &cs_profile_get_functions (get_profile (self), &n)[function] : NULL;
}

static guint
get_number (CsDeltaFlame *self, guint32 node)
{
  const guint *numbers = cs_flame_diff_get_shape (self->diff) == CS_FLAME_SHAPE_NEW ? self->sides->new_numbers
                                                                                    : self->sides->base_numbers;
  guint32 function = cs_flame_layout_get_function (cs_flame_diff_get_layout (self->diff), node);

  return function != CS_FLAME_NONE ? numbers[function] : G_MAXUINT;
}

static char *
dup_name (CsDeltaFlame *self, guint32 node)
{
  const CsFunction *function = get_function (self, node);

  return function != NULL ? cs_function_name_shorten (function->location.name) : g_strdup (_("All calls"));
}

/* A number with a sign that is a minus in print, too. */
static char *
dup_signed (double number, guint decimals, const char *unit)
{
  char text[64];

  g_snprintf (text, sizeof text, "%.*f", (int) decimals, fabs (number));
  return cs_format_isolate (g_strconcat (number > 0 ? "+" : number < 0 ? "−" : "±", text, unit, NULL));
}

static double
get_share (guint64 part, guint64 whole)
{
  return whole > 0 ? (double) part / (double) whole : 0;
}

/* What is compared: times, or shares of all time. */
static void
get_values (CsDeltaFlame *self, const CsFlameDelta *delta, double *before, double *after)
{
  guint64 base_total, new_total;

  *before = (double) delta->base;
  *after = (double) delta->new;
  if (!self->normalised)
    return;
  cs_flame_diff_get_totals (self->diff, &base_total, &new_total);
  *before = get_share (delta->base, base_total);
  *after = get_share (delta->new, new_total);
}

/* "+12.0 %", or in words where there is no such number. */
static char *
dup_change (CsDeltaFlame *self, const CsFlameDelta *delta)
{
  double before, after;

  if (!delta->in_base || !delta->in_new)
    return g_strdup (delta->folded ? "?" : !delta->in_base ? _("new") : _("gone"));
  get_values (self, delta, &before, &after);
  return cs_format_isolate (cs_delta_format_change (before, after));
}

/* The sign comes first, since the end of a label is what is cut off. */
static char *
dup_label (guint32 node, gpointer data)
{
  CsDeltaFlame *self = data;
  g_autofree char *name = dup_name (self, node);
  g_autofree char *change = NULL;
  double before, after;
  CsFlameDelta delta;

  cs_flame_diff_get_delta (self->diff, node, &delta);
  get_values (self, &delta, &before, &after);
  change = dup_change (self, &delta);
  if (fabs (after - before) < before * 0.0005)
    return g_strdup_printf ("= %s", name);
  return g_strdup_printf ("%s %s  %s", after > before ? "+" : after < before ? "−" : "=", name, change);
}

static char *
dup_times (const char *what, guint64 base, guint64 other)
{
  g_autofree char *before = cs_format_isolate (cs_format_duration (base));
  g_autofree char *after = cs_format_isolate (cs_format_duration (other));
  g_autofree char *time = cs_format_duration (other > base ? other - base : base - other);
  g_autofree char *delta = cs_format_isolate (g_strconcat (other > base ? "+" : other < base ? "−" : "±", time, NULL));

  return g_strdup_printf (_("%s: %s → %s (%s)"), what, before, after, delta);
}

static char *
dup_text (guint32 node, gpointer data)
{
  CsDeltaFlame *self = data;
  const CsFunction *function = get_function (self, node);
  GString *text = g_string_new (NULL);
  guint64 base_total, new_total;
  CsFlameDelta delta;

  cs_flame_diff_get_delta (self->diff, node, &delta);
  cs_flame_diff_get_totals (self->diff, &base_total, &new_total);
  {
    g_autofree char *name = g_utf8_make_valid (function != NULL ? function->location.name : _("All calls"), -1);
    g_autofree char *change = dup_change (self, &delta);
    g_autofree char *inclusive = dup_times (_("inclusive"), delta.base, delta.new);
    g_autofree char *self_time = dup_times (_("self"), delta.base_self, delta.new_self);
    g_autofree char *before = cs_format_isolate (cs_format_share (delta.base, base_total));
    g_autofree char *after = cs_format_isolate (cs_format_share (delta.new, new_total));
    g_autofree char *points = dup_signed (cs_flame_delta_get_share_change (&delta, base_total, new_total) * 100, 2, "");
    g_autofree char *base_calls = cs_format_isolate (cs_format_count (delta.base_calls));
    g_autofree char *new_calls = cs_format_isolate (cs_format_count (delta.new_calls));

    g_string_append_printf (text, "%s\n%s", name, change);
    if (delta.folded)
      g_string_append (text, _("\nIt may be a part of a frame that has its narrow callers"));
    else if (!delta.in_base)
      g_string_append (text, _(": the base has no such path"));
    else if (!delta.in_new)
      g_string_append (text, _(": the open recording has no such path"));
    else
      g_string_append (text, self->normalised ? _(" of its share") : _(" of its time"));
    g_string_append_printf (text, _("\n%s\n%s\nshare: %s → %s (%s points)"), inclusive, self_time, before, after, points);
    if (function != NULL)
      g_string_append_printf (text, _("\ncalls: %s → %s"), base_calls, new_calls);
    if (delta.hidden > 0)
      {
        g_autofree char *hidden = cs_format_isolate (cs_format_duration (delta.hidden));

        g_string_append_printf (text, cs_flame_diff_get_shape (self->diff) == CS_FLAME_SHAPE_NEW
                                          ? _("\nin calls that only the base has: %s")
                                          : _("\nin calls that only the open recording has: %s"), hidden);
      }
  }
  return g_string_free (text, FALSE);
}

static char *
dup_sentence (guint32 node, gpointer data)
{
  CsDeltaFlame *self = data;
  g_autofree char *name = dup_name (self, node);
  g_autofree char *change = NULL;
  g_autofree char *inclusive = NULL;
  g_autofree char *own = NULL;
  CsFlameDelta delta;

  cs_flame_diff_get_delta (self->diff, node, &delta);
  change = dup_change (self, &delta);
  inclusive = dup_times (_("inclusive"), delta.base, delta.new);
  own = dup_times (_("self"), delta.base_self, delta.new_self);
  return g_strdup_printf (_("%s: %s, %s, %s"), name, change, inclusive, own);
}

static void
get_color (guint32 node, const CsChartColors *colors, GdkRGBA *color, gpointer data)
{
  CsDeltaFlame *self = data;

  cs_chart_colors_get_change (colors, cs_flame_diff_get_change (self->diff, node, self->normalised), color);
}

static void
on_focus_requested (CsDeltaFlame *self, guint node)
{
  cs_delta_flame_focus (self, node);
  g_signal_emit (self, signals[FOCUS_CHANGED], 0);
}

static void
on_step_out (CsDeltaFlame *self)
{
  CsFlameNode frame;

  if (self->diff == NULL)
    return;
  cs_flame_layout_get_node (cs_flame_diff_get_layout (self->diff), cs_flame_chart_get_focus (self->chart), &frame);
  on_focus_requested (self, frame.parent);
}

static void
on_cursor_changed (CsDeltaFlame *self)
{
  guint32 node = cs_flame_chart_get_cursor (self->chart);
  guint number;

  if (self->moving || self->diff == NULL || node == CS_FLAME_NONE)
    return;
  number = get_number (self, node);
  if (number != G_MAXUINT)
    g_signal_emit (self, signals[SELECTED], 0, number);
}

static gboolean
cs_delta_flame_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (CS_DELTA_FLAME (widget)->chart));
}

static void
cs_delta_flame_dispose (GObject *object)
{
  CsDeltaFlame *self = CS_DELTA_FLAME (object);

  if (self->chart != NULL)
    cs_flame_chart_set_layout (self->chart, NULL, NULL, NULL, NULL);
  self->chart = NULL;
  g_clear_pointer (&self->diff, cs_flame_diff_unref);
  g_clear_pointer (&self->sides, cs_compare_sides_release);
  g_clear_pointer (&self->widest, g_free);
  G_OBJECT_CLASS (cs_delta_flame_parent_class)->dispose (object);
}

static void
cs_delta_flame_class_init (CsDeltaFlameClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_delta_flame_dispose;
  GTK_WIDGET_CLASS (klass)->grab_focus = cs_delta_flame_grab_focus;
  signals[SELECTED] = g_signal_new ("selected", CS_TYPE_DELTA_FLAME, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                    G_TYPE_UINT);
  signals[FOCUS_CHANGED] = g_signal_new ("focus-changed", CS_TYPE_DELTA_FLAME, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 0);
}

static void
cs_delta_flame_init (CsDeltaFlame *self)
{
  GtkWidget *chart = cs_flame_chart_new ();

  self->chart = CS_FLAME_CHART (chart);
  gtk_widget_set_vexpand (chart, TRUE);
  adw_bin_set_child (ADW_BIN (self), chart);
  g_signal_connect_object (chart, "focus-requested", G_CALLBACK (on_focus_requested), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chart, "step-out", G_CALLBACK (on_step_out), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chart, "cursor-changed", G_CALLBACK (on_cursor_changed), self, G_CONNECT_SWAPPED);
}

/**
 * cs_delta_flame_get_chart:
 * @self: a flame graph
 *
 * Returns: (transfer none): what is painted
 */
CsFlameChart *
cs_delta_flame_get_chart (CsDeltaFlame *self)
{
  return self->chart;
}

/**
 * cs_delta_flame_get_diff:
 * @self: a flame graph
 *
 * Returns: (transfer none) (nullable): what is shown
 */
CsFlameDiff *
cs_delta_flame_get_diff (CsDeltaFlame *self)
{
  return self->diff;
}

/**
 * cs_delta_flame_set_diff:
 * @self: a flame graph
 * @diff: (nullable): what is shown
 * @sides: (nullable): the recordings that it is of
 */
void
cs_delta_flame_set_diff (CsDeltaFlame *self, CsFlameDiff *diff, CsCompareSides *sides)
{
  static const CsFlameChartTexts texts = { dup_label, dup_text, dup_sentence, get_color };
  CsFlameDiff *old = self->diff;
  CsCompareSides *old_sides = self->sides;

  if (old == diff)
    return;
  self->moving = TRUE;
  g_clear_pointer (&self->widest, g_free);
  cs_flame_chart_set_layout (self->chart, NULL, NULL, NULL, NULL);
  self->diff = diff != NULL ? cs_flame_diff_ref (diff) : NULL;
  self->sides = diff != NULL ? g_atomic_rc_box_acquire (sides) : NULL;
  if (diff != NULL)
    cs_flame_chart_set_layout (self->chart, cs_flame_diff_get_layout (diff), &texts, self, NULL);
  self->moving = FALSE;
  g_clear_pointer (&old, cs_flame_diff_unref);
  g_clear_pointer (&old_sides, cs_compare_sides_release);
}

/**
 * cs_delta_flame_retell:
 * @self: a flame graph
 *
 * Names are to be shown otherwise.
 */
void
cs_delta_flame_retell (CsDeltaFlame *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self->chart));
}

/**
 * cs_delta_flame_set_normalised:
 * @self: a flame graph
 * @normalised: whether shares of all time are compared rather than times
 */
void
cs_delta_flame_set_normalised (CsDeltaFlame *self, gboolean normalised)
{
  self->normalised = normalised;
  gtk_widget_queue_draw (GTK_WIDGET (self->chart));
}

/* What a search looks at. */
typedef struct
{
  CsDeltaModel *model;
  const CsFunction *functions;
} Search;

static gboolean
is_found (guint function, gpointer data)
{
  const Search *search = data;
  const CsLocation *location = &search->functions[function].location;
  g_autofree char *name = g_utf8_make_valid (location->name, -1);
  g_autofree char *file = location->file != NULL ? g_utf8_make_valid (location->file, -1) : NULL;
  g_autofree char *module = location->module != NULL ? g_utf8_make_valid (location->module, -1) : NULL;

  return cs_delta_model_is_found (search->model, name, file, module);
}

/**
 * cs_delta_flame_set_found:
 * @self: a flame graph
 * @model: what says which functions are found
 *
 * Marks the frames of the functions that are searched for.
 */
void
cs_delta_flame_set_found (CsDeltaFlame *self, CsDeltaModel *model)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));
  Search search = { .model = model };
  guint n;

  if (self->diff != NULL && cs_delta_model_is_searching (model))
    {
      search.functions = cs_profile_get_functions (get_profile (self), &n);
      cs_flame_layout_search (cs_flame_diff_get_layout (self->diff), is_found, &search, found);
    }
  cs_flame_chart_set_found (self->chart, found->len > 0 ? (const guint32 *) (gpointer) found->data : NULL, found->len);
}

static void
find_widest (CsDeltaFlame *self)
{
  CsFlameLayout *layout = cs_flame_diff_get_layout (self->diff);
  g_autofree guint64 *widths = g_new0 (guint64, (gsize) self->sides->pairs->n + 1);

  self->widest = g_new (guint32, (gsize) self->sides->pairs->n + 1);
  for (guint i = 0; i < self->sides->pairs->n; i++)
    self->widest[i] = CS_FLAME_NONE;
  for (guint32 i = 1; i < cs_flame_layout_get_n_nodes (layout); i++)
    {
      guint number = get_number (self, i);
      CsFlameNode frame;

      cs_flame_layout_get_node (layout, i, &frame);
      if (self->widest[number] == CS_FLAME_NONE || frame.width > widths[number])
        {
          self->widest[number] = i;
          widths[number] = frame.width;
        }
    }
}

/**
 * cs_delta_flame_select:
 * @self: a flame graph
 * @number: of a function
 *
 * Moves the cursor to its widest frame, unless it is on one of its frames. "selected" isn't emitted: that tells what the
 * person did.
 */
void
cs_delta_flame_select (CsDeltaFlame *self, guint number)
{
  guint32 cursor = cs_flame_chart_get_cursor (self->chart);

  if (self->diff == NULL || (cursor != CS_FLAME_NONE && get_number (self, cursor) == number))
    return;
  if (self->widest == NULL)
    find_widest (self);
  self->moving = TRUE;
  cs_flame_chart_set_cursor (self->chart, number < self->sides->pairs->n ? self->widest[number] : CS_FLAME_NONE);
  self->moving = FALSE;
}

/**
 * cs_delta_flame_focus:
 * @self: a flame graph
 * @node: a frame of what it shows; 0: the root
 *
 * Zooms to it.
 */
void
cs_delta_flame_focus (CsDeltaFlame *self, guint32 node)
{
  cs_flame_chart_set_focus (self->chart, node, TRUE);
}

/**
 * cs_delta_flame_dup_text:
 * @self: a flame graph that shows something
 * @node: a frame
 *
 * Returns: (transfer full): what its tooltip says
 */
char *
cs_delta_flame_dup_text (CsDeltaFlame *self, guint32 node)
{
  return dup_text (node, self);
}

/**
 * cs_delta_flame_dup_label:
 * @self: a flame graph that shows something
 * @node: a frame
 *
 * Returns: (transfer full): what is written in it
 */
char *
cs_delta_flame_dup_label (CsDeltaFlame *self, guint32 node)
{
  return dup_label (node, self);
}
