/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "layout/cs-ruler.h"

#define SECOND G_GINT64_CONSTANT (1000000000)
#define HOUR (3600 * SECOND)

/* Reads a label back: "2 min 05.5 s" and "−3 h" in ns, exactly. */
static gint64
read_label (const char *label)
{
  static const struct { const char *name; gint64 ns; } units[] = {
    { "h", HOUR }, { "min", 60 * SECOND }, { "s", SECOND }, { "ms", 1000000 }, { "µs", 1000 }, { "ns", 1 }
  };
  gboolean negative = g_str_has_prefix (label, "−");
  g_auto (GStrv) parts = g_strsplit (label + (negative ? strlen ("−") : *label == '+' ? 1 : 0), " ", -1);
  gint64 sum = 0;

  g_assert_cmpuint (g_strv_length (parts) % 2, ==, 0);
  for (guint i = 0; parts[i] != NULL; i += 2)
    {
      char *end = NULL;
      gint64 whole = g_ascii_strtoll (parts[i], &end, 10), unit = 0;

      for (guint j = 0; j < G_N_ELEMENTS (units); j++)
        if (g_str_equal (parts[i + 1], units[j].name))
          unit = units[j].ns;
      g_assert_cmpint (unit, >, 0);
      sum += whole * unit;
      if (*end == '.')
        for (end++; *end != '\0'; end++)
          {
            unit /= 10;
            g_assert_cmpint (unit, >, 0);
            sum += (*end - '0') * unit;
          }
      g_assert_cmpint (*end, ==, '\0');
    }
  return negative ? -sum : sum;
}

static gboolean
is_step (guint64 step)
{
  static const guint sixties[] = { 1, 2, 5, 10, 20, 30 };

  for (guint i = 0; i < G_N_ELEMENTS (sixties); i++)
    if (step == (guint64) SECOND * sixties[i] || step == (guint64) SECOND * 60 * sixties[i])
      return TRUE;
  if (step >= HOUR && step % HOUR == 0)
    step /= HOUR;
  else if (step >= SECOND)
    return FALSE;
  while (step % 10 == 0)
    step /= 10;
  return step == 1 || step == 2 || step == 5;
}

static void
check_ruler (const CsTimelineWindow *window, gint64 origin, double min_pixels)
{
  g_autoptr (CsRuler) ruler = cs_ruler_new (window, origin, min_pixels);
  g_autoptr (GHashTable) labels = g_hash_table_new (g_str_hash, g_str_equal);
  double least = window->span / window->pixels;
  guint n_major = 0;
  gint64 base = ruler->base[0] != '\0' ? read_label (ruler->base) : 0;

  g_assert_true (is_step (ruler->step));
  g_assert_true (is_step (ruler->minor_step));
  g_assert_cmpuint (ruler->step % ruler->minor_step, ==, 0);
  for (guint i = 0; i < ruler->n_ticks; i++)
    {
      const CsRulerTick *tick = &ruler->ticks[i];
      double x = cs_timeline_window_get_x (window, tick->time);

      g_assert_cmpfloat (x, >=, -1e-6 * window->pixels);
      g_assert_cmpfloat (x, <=, (1 + 1e-6) * window->pixels);
      if (i > 0)
        g_assert_cmpuint ((guint64) tick->time - (guint64) tick[-1].time, ==, ruler->minor_step);
      g_assert_cmpint (tick->major, ==, (tick->time - origin) % (gint64) ruler->step == 0);
      g_assert_cmpint (tick->major, ==, tick->label[0] != '\0');
      if (!tick->major)
        continue;
      n_major++;
      g_assert_true (g_utf8_validate (tick->label, -1, NULL));
      g_assert_cmpint (base + read_label (tick->label), ==, tick->time - origin);
      g_assert_true (g_hash_table_add (labels, (gpointer) tick->label));
    }
  g_assert_cmpfloat ((double) n_major, <=, window->pixels / min_pixels + 1);
  /* None is missing at the ends, and labels are not needlessly far from each other. */
  if (ruler->n_ticks > 0)
    {
      double gap = (double) ruler->minor_step / least;

      g_assert_cmpfloat (cs_timeline_window_get_x (window, ruler->ticks[0].time), <, gap * (1 + 1e-9));
      g_assert_cmpfloat (cs_timeline_window_get_x (window, ruler->ticks[ruler->n_ticks - 1].time), >,
                         window->pixels - gap * (1 + 1e-9));
    }
  if (ruler->step > 1 && (double) ruler->step < (double) G_MAXINT64 / 4)
    g_assert_cmpfloat ((double) ruler->step / least, <, min_pixels * 3);
  g_assert_cmpfloat ((double) ruler->step / least, >=, min_pixels * (1 - 1e-9));
}

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint round = 0; round < 20000; round++)
    {
      double bits = g_rand_double_range (rand, 3.4, 62);
      CsTimelineWindow window = { .span = exp2 (bits), .pixels = g_rand_double_range (rand, 200, 4000) };
      gint64 origin = (gint64) g_rand_int (rand) << g_rand_int_range (rand, 0, 20);
      gint64 from = (gint64) exp2 (g_rand_double_range (rand, 0, bits > 61 ? 40 : 61));

      window.start = origin + (g_rand_int_range (rand, 0, 8) == 0 ? -from : from);
      window.fraction = g_rand_boolean (rand) ? g_rand_double (rand) : 0;
      check_ruler (&window, origin, g_rand_double_range (rand, 40, 150));
    }
}

static void
expect (gint64 start, double span, const char *base, const char *labels)
{
  CsTimelineWindow window = { .start = start + 77, .span = span, .pixels = 1000 };
  g_autoptr (CsRuler) ruler = cs_ruler_new (&window, 77, 100);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < ruler->n_ticks; i++)
    if (ruler->ticks[i].major)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", ruler->ticks[i].label);
  g_assert_cmpstr (text->str, ==, labels);
  g_assert_cmpstr (ruler->base, ==, base);
}

static void
test_labels (void)
{
  expect (0, 10, "", "0 ns, 1 ns, 2 ns, 3 ns, 4 ns, 5 ns, 6 ns, 7 ns, 8 ns, 9 ns, 10 ns");
  expect (0, 4000, "", "0 µs, 0.5 µs, 1.0 µs, 1.5 µs, 2.0 µs, 2.5 µs, 3.0 µs, 3.5 µs, 4.0 µs");
  expect (2609500000, 4100000, "", "2.6095 s, 2.6100 s, 2.6105 s, 2.6110 s, 2.6115 s, 2.6120 s, 2.6125 s, 2.6130 s, 2.6135 s");
  expect (12345678000, 500, "12.345678 s", "+0 ns, +50 ns, +100 ns, +150 ns, +200 ns, +250 ns, +300 ns, +350 ns, +400 ns, +450 ns, +500 ns");
  expect (12345678950, 45, "12.345678 s", "+950 ns, +955 ns, +960 ns, +965 ns, +970 ns, +975 ns, +980 ns, +985 ns, +990 ns, +995 ns");
  expect (HOUR, 9e10, "", "1 h 00 min 00 s, 1 h 00 min 10 s, 1 h 00 min 20 s, 1 h 00 min 30 s, 1 h 00 min 40 s, 1 h 00 min 50 s, "
          "1 h 01 min 00 s, 1 h 01 min 10 s, 1 h 01 min 20 s, 1 h 01 min 30 s");
  expect (59 * SECOND, 4e9, "", "59.0 s, 59.5 s, 1 min 00.0 s, 1 min 00.5 s, 1 min 01.0 s, 1 min 01.5 s, 1 min 02.0 s, 1 min 02.5 s, 1 min 03.0 s");
  expect (65 * SECOND, 4e5, "1 min 05.000 s", "+0 µs, +50 µs, +100 µs, +150 µs, +200 µs, +250 µs, +300 µs, +350 µs, +400 µs");
  expect (-SECOND, 2e9, "", "−1.0 s, −0.8 s, −0.6 s, −0.4 s, −0.2 s, 0 s, 0.2 s, 0.4 s, 0.6 s, 0.8 s, 1.0 s");
  expect (0, 9e10, "", "0 s, 10 s, 20 s, 30 s, 40 s, 50 s, 1 min 00 s, 1 min 10 s, 1 min 20 s, 1 min 30 s");
  expect (0, 100.0 * (double) HOUR, "", "0 h, 10 h, 20 h, 30 h, 40 h, 50 h, 60 h, 70 h, 80 h, 90 h, 100 h");
}

/* The same time has the same tick, wherever the window begins. */
static void
test_no_drift (void)
{
  CsTimelineWindow window = { .span = 777777, .pixels = 1000 };
  guint64 step = 0;

  for (gint64 start = 0; start < ((gint64) 1 << 62); start = start * 3 + 1)
    {
      g_autoptr (CsRuler) ruler = NULL;

      window.start = start;
      ruler = cs_ruler_new (&window, 0, 80);
      if (step == 0)
        step = ruler->step;
      g_assert_cmpuint (ruler->step, ==, step);
      for (guint i = 0; i < ruler->n_ticks; i++)
        g_assert_cmpint (ruler->ticks[i].time % (gint64) ruler->minor_step, ==, 0);
    }
}

static void
test_extremes (void)
{
  static const gint64 starts[] = { G_MININT64, G_MININT64 + 1, -1, 0, G_MAXINT64 - 20, G_MAXINT64 };
  static const double spans[] = { 10, 1e9, 0x1p62, 0x1p64 };

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    for (guint j = 0; j < G_N_ELEMENTS (spans); j++)
      for (guint k = 0; k < G_N_ELEMENTS (starts); k++)
        {
          CsTimelineWindow window = { .start = starts[i], .fraction = 0.5, .span = spans[j], .pixels = 1000 };
          g_autoptr (CsRuler) ruler = cs_ruler_new (&window, starts[k], 100);

          g_assert_cmpuint (ruler->n_ticks, <=, 252);
        }
}

static void
test_durations (void)
{
  static const struct { guint64 ns; const char *text; } rows[] = {
    { 0, "0 ns" }, { 8, "8 ns" }, { 1000, "1 µs" }, { 352704, "352.704 µs" }, { 999999, "999.999 µs" },
    { 1500000, "1.5 ms" }, { 1000000001, "1.000000001 s" }, { 60000000000, "1 min" },
    { 125500000000, "2 min 05.5 s" }, { 3 * HOUR, "3 h" }, { 3 * HOUR + 1, "3 h 00 min 00.000000001 s" },
    { 3 * HOUR + 60 * SECOND, "3 h 01 min" }, { G_MAXUINT64, "5124095 h 34 min 33.709551615 s" },
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = cs_ruler_format_duration (rows[i].ns);

      g_assert_cmpstr (text, ==, rows[i].text);
    }
  for (guint i = 0; i < 10000; i++)
    {
      guint64 ns = (((guint64) g_rand_int (rand) << 32) | g_rand_int (rand)) >> g_rand_int_range (rand, 1, 64);
      g_autofree char *text = cs_ruler_format_duration (ns);

      g_assert_cmpint (read_label (text), ==, (gint64) ns);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/ruler/random", test_random);
  g_test_add_func ("/layout/ruler/labels", test_labels);
  g_test_add_func ("/layout/ruler/no-drift", test_no_drift);
  g_test_add_func ("/layout/ruler/extremes", test_extremes);
  g_test_add_func ("/layout/ruler/durations", test_durations);
  return g_test_run ();
}
