/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <locale.h>

#include "layout/cs-ruler.h"

#define SECOND G_GUINT64_CONSTANT (1000000000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)

/* Decimals of a second, and of a second in a longer time, up to which labels are read well. */
#define MAX_DECIMALS 6
#define MAX_DECIMALS_LONG 3

static const struct
{
  guint64 ns;
  guint digits; /* of its ns: decimals that it may have */
  const char *name;
} units[] = {
  { HOUR, 0, "h" }, { MINUTE, 0, "min" }, { SECOND, 9, "s" },
  { 1000000, 6, "ms" }, { 1000, 3, "µs" }, { 1, 0, "ns" },
};

enum { UNIT_HOUR, UNIT_MINUTE, UNIT_SECOND, UNIT_NS = 5 };

/* 1, 2 and 5 of each power of ten ns up to 500 ms; 1, 2, 5, 10, 20, 30 s and as many min; 1, 2 and 5
 * of each power of ten h. Returns: the step of that number; 0: there is no such */
static guint64
get_step (guint i)
{
  static const guint factors[] = { 1, 2, 5, 10, 20, 30 };
  guint64 step = 1;

  if (i >= 27 && i < 33)
    return SECOND * factors[i - 27];
  if (i >= 33 && i < 39)
    return MINUTE * factors[i - 33];
  if (i >= 39)
    {
      i -= 39;
      step = HOUR;
    }
  if (i >= 27 || (step == HOUR && i >= 20)) /* 2,000,000 h nearly fill 63 bits */
    return 0;
  step *= factors[i % 3];
  for (guint k = 0; k < i / 3; k++)
    step *= 10;
  return step;
}

static guint64
choose_step (double least)
{
  guint64 step = 1;

  for (guint i = 0; get_step (i) != 0; i++)
    {
      step = get_step (i);
      if ((double) step >= least)
        break;
    }
  return step;
}

/* Of the steps that divide @step, the smallest that is at least so long. */
static guint64
choose_minor_step (guint64 step, double least)
{
  for (guint i = 0; get_step (i) != 0 && get_step (i) < step; i++)
    if ((double) get_step (i) >= least && step % get_step (i) == 0)
      return get_step (i);
  return step;
}

static guint
choose_unit (guint64 ns)
{
  guint unit = UNIT_HOUR;

  while (unit < UNIT_NS && ns < units[unit].ns)
    unit++;
  return unit;
}

/* How many decimals multiples of a step have. */
static guint
count_decimals (guint unit, guint64 step)
{
  guint decimals = units[unit].digits;

  for (guint64 power = 10; decimals > 0 && step % power == 0; power *= 10)
    decimals--;
  return decimals;
}

/* Appends a number of `unit`, with as many digits before the decimals at least. */
static void
append_number (GString *text, guint unit, guint64 ns, guint min_digits, guint64 step)
{
  guint64 whole = ns / units[unit].ns, rest = ns % units[unit].ns;
  guint decimals = count_decimals (unit, step);

  if (text->len > 0 && g_ascii_isalpha (text->str[text->len - 1]))
    g_string_append_c (text, ' ');
  g_string_append_printf (text, "%0*" G_GUINT64_FORMAT, (int) min_digits, whole);
  if (decimals > 0)
    {
      for (guint i = decimals; i < units[unit].digits; i++)
        rest /= 10;
      g_string_append_printf (text, "%s%0*" G_GUINT64_FORMAT, localeconv ()->decimal_point, (int) decimals, rest);
    }
  g_string_append_printf (text, " %s", units[unit].name);
}

/* Appends a multiple of `step` with the digits that it needs, in `unit`; one of min or h is
 * followed by the smaller ones. */
static void
append_time (GString *text, gboolean negative, guint64 ns, guint unit, guint64 step)
{
  guint min_digits = 1;

  if (ns == 0)
    {
      /* As those beside it, which are below 1 min or 1 h there. */
      while (unit < UNIT_SECOND && step % units[unit].ns != 0)
        unit++;
      g_string_append_printf (text, "0 %s", units[unit].name);
      return;
    }
  if (negative)
    g_string_append (text, "−");
  for (; unit < UNIT_SECOND; unit++)
    {
      if (min_digits == 1 && ns < units[unit].ns)
        continue;
      append_number (text, unit, ns, min_digits, units[unit].ns);
      if (step % units[unit].ns == 0)
        return;
      ns %= units[unit].ns;
      min_digits = 2;
    }
  append_number (text, unit, ns, min_digits, step);
}

static guint64
get_size (gint64 time)
{
  return time < 0 ? -(guint64) time : (guint64) time;
}

static gint64
round_down (gint64 time, guint64 step)
{
  gint64 rest = time % (gint64) step;

  return time - rest - (rest < 0 ? (gint64) step : 0);
}

static gint64
subtract (gint64 time, gint64 origin)
{
  gint64 difference;

  if (__builtin_sub_overflow (time, origin, &difference))
    return time < origin ? G_MININT64 : G_MAXINT64;
  return difference;
}

/* How a ruler's labels are written. */
typedef struct
{
  guint unit;
  guint64 step;
  gint64 base;
  gboolean offset; /* from base */
} Style;

static Style
choose_style (guint64 step, gint64 first, gint64 last)
{
  guint64 size = MAX (get_size (first), get_size (last));
  Style style = { .unit = step >= HOUR ? UNIT_HOUR : choose_unit (size), .step = step };
  guint limit = style.unit < UNIT_SECOND ? MAX_DECIMALS_LONG : MAX_DECIMALS;

  if (style.unit <= UNIT_SECOND && count_decimals (UNIT_SECOND, step) > limit)
    {
      /* Of the step's unit; offsets need no decimals then. */
      guint unit = choose_unit (step);

      style.offset = TRUE;
      style.base = round_down (first, units[unit].ns * 1000);
      style.unit = unit;
    }
  return style;
}

static void
write_label (char *label, const Style *style, gint64 time)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (style->offset)
    g_string_append_printf (text, "+%" G_GUINT64_FORMAT " %s",
                            ((guint64) time - (guint64) style->base) / units[style->unit].ns,
                            units[style->unit].name);
  else
    append_time (text, time < 0, get_size (time), style->unit, style->step);
  g_strlcpy (label, text->str, CS_RULER_LABEL_SIZE);
}

static void
write_base (CsRuler *self, const Style *style)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 size = get_size (style->base);

  append_time (text, style->base < 0, size, MIN (choose_unit (size), UNIT_SECOND), units[style->unit].ns * 1000);
  g_strlcpy (self->base, text->str, sizeof self->base);
}

/**
 * cs_ruler_new:
 * @window: the time to be labelled
 * @origin: the time that labels call 0, ns
 * @min_pixels: how far labels are from each other at least
 *
 * Makes a ruler. Major ticks are multiples of 1, 2 or 5 times a power of ten in ns up to ms and
 * in h; in s and min of 1, 2, 5, 10, 20 or 30. There are at most pixels / @min_pixels + 1 of
 * them. Minor ones divide these evenly, a tenth of @min_pixels apart, and 4 pixels, at least.
 * Times are multiplied in integers, so that ticks stay where they are while the window moves.
 *
 * Labels have one unit and as many digits as it takes to tell them apart: 2.610 s, 2.611 s, or 2
 * min 05.5 s. Where that would be more digits than one reads (more than 6 decimals of a second; 3
 * above a minute), they count from a round time, the ruler's base, that is told once: 12.345678 s
 * and +200 ns, +400 ns.
 *
 * Returns: (transfer full): the ruler, its ticks in order
 */
CsRuler *
cs_ruler_new (const CsTimelineWindow *window, gint64 origin, double min_pixels)
{
  CsRuler *self = g_new0 (CsRuler, 1);
  g_autoptr (GArray) ticks = g_array_new (FALSE, TRUE, sizeof (CsRulerTick));
  double ns_per_pixel = window->span / window->pixels;
  gint64 last = subtract (cs_timeline_window_get_time (window, window->pixels), origin);
  gint64 first = subtract (window->start, origin), time;
  Style style;

  if (window->fraction > 0 && first < G_MAXINT64)
    first++;
  min_pixels = MAX (min_pixels, 4);
  self->step = choose_step (min_pixels * ns_per_pixel);
  self->minor_step = choose_minor_step (self->step, MAX (min_pixels / 10, 4) * ns_per_pixel);
  /* Rounding down stays within 64 bits. */
  first = MAX (first, G_MININT64 + (gint64) MAX (self->minor_step, SECOND));
  style = choose_style (self->step, first, last);

  time = round_down (first, self->minor_step);
  while (time <= last)
    {
      CsRulerTick tick = { .major = time % (gint64) self->step == 0 };

      if (time >= first)
        {
          tick.time = (gint64) ((guint64) time + (guint64) origin);
          if (tick.major)
            write_label (tick.label, &style, time);
          g_array_append_val (ticks, tick);
        }
      if (__builtin_add_overflow (time, (gint64) self->minor_step, &time))
        break;
    }
  if (style.offset)
    write_base (self, &style);
  self->n_ticks = ticks->len;
  self->ticks = (CsRulerTick *) (gpointer) g_array_free (g_steal_pointer (&ticks), FALSE);
  return self;
}

/**
 * cs_ruler_free:
 * @self: (transfer full): a ruler
 */
void
cs_ruler_free (CsRuler *self)
{
  g_free (self->ticks);
  g_free (self);
}

/**
 * cs_ruler_format_duration:
 * @ns: a duration
 *
 * Writes a duration that was measured: exactly, in the unit that fits, without zeros that say
 * nothing.
 *
 * Returns: (transfer full): 8 ns, 352.704 µs, 1.000000001 s, 2 min 05.5 s, 3 h
 */
char *
cs_ruler_format_duration (guint64 ns)
{
  GString *text = g_string_new (NULL);
  guint64 step = HOUR;

  if (ns % HOUR != 0)
    step = MINUTE;
  if (ns % MINUTE != 0)
    for (step = SECOND; ns % step != 0;)
      step /= 10;
  append_time (text, FALSE, ns, choose_unit (ns), step);
  return g_string_free (text, FALSE);
}
