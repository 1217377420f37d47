/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gtk/gtk.h>

#include "cs-format.h"

/**
 * cs_format_duration:
 * @ns: a duration
 *
 * Returns: (transfer full): the duration for people, with three significant digits and its
 *   unit: 8 ns, 3.84 µs, 529 ms, 12.3 s
 */
char *
cs_format_duration (guint64 ns)
{
  static const struct { guint64 ns; const char *name; } units[] = {
    { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "µs" }
  };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      double value = (double) ns / (double) units[i].ns;

      /* What rounds up to 1000 of the smaller unit is 1 of this one. */
      if (value < 0.9995)
        continue;
      return g_strdup_printf (value < 9.995 ? "%.2f %s" : value < 99.95 ? "%.1f %s" : "%.0f %s", value,
                              units[i].name);
    }
  return g_strdup_printf ("%" G_GUINT64_FORMAT " ns", ns);
}

/**
 * cs_format_count:
 * @number: how many
 *
 * Returns: (transfer full): the number with the locale's thousands separators
 */
char *
cs_format_count (guint64 number)
{
  return g_strdup_printf ("%'" G_GUINT64_FORMAT, number);
}

/**
 * cs_format_count_short:
 * @number: how many
 *
 * Returns: (transfer full): the number for people, with three significant digits at most: 358,
 *   2.1 M, 41.2 M
 */
char *
cs_format_count_short (guint64 number)
{
  static const struct { double size; const char *name; } units[] = {
    { 1e18, "E" }, { 1e15, "P" }, { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" }
  };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      double value = (double) number / units[i].size;

      /* What rounds up to 1000 of the smaller unit is 1 of this one. */
      if (value < 0.9995 || number < 1000)
        continue;
      return g_strdup_printf ("%.3g %s", value >= 999.5 ? 999 : value, units[i].name);
    }
  return g_strdup_printf ("%" G_GUINT64_FORMAT, number);
}

/**
 * cs_format_share:
 * @part: how many
 * @whole: of how many
 *
 * Returns: (transfer full): the part in per cent with one decimal, which says all and none only where that is
 *   exact: 0.9 %, less than 0.1 %, 99.9 %, 100 %
 */
char *
cs_format_share (guint64 part, guint64 whole)
{
  double share = whole > 0 ? 100.0 * (double) part / (double) whole : 0;

  if (part == 0 || whole == 0)
    return g_strdup ("0 %");
  if (part >= whole)
    return g_strdup ("100 %");
  if (share < 0.05)
    return g_strdup_printf ("<%.1f %%", 0.1);
  return g_strdup_printf ("%.1f %%", MIN (share, 99.9));
}

/**
 * cs_format_isolate:
 * @text: (transfer full): a number with its sign or unit
 *
 * Where people read from the right, signs and units would be put on a number's other side by the words beside it.
 *
 * Returns: (transfer full): the text as it is put into a label, a unit that is read from the left
 */
char *
cs_format_isolate (char *text)
{
  char *isolated;

  if (gtk_widget_get_default_direction () != GTK_TEXT_DIR_RTL)
    return text;
  isolated = g_strconcat ("\u2066", text, "\u2069", NULL);
  g_free (text);
  return isolated;
}

/* Characters in a line of a tooltip, and pieces of what was one line. */
#define TOOLTIP_WIDTH 90
#define TOOLTIP_PIECES 8

/* Where to break a text that is longer than a line: behind a space or comma, or else a part of a C++ name. */
static const char *
find_break (const char *text)
{
  const char *end = g_utf8_offset_to_pointer (text, TOOLTIP_WIDTH);
  const char *p;

  for (p = end; p > text; p--)
    if (p[-1] == ' ' || p[-1] == ',')
      return p;
  for (p = end; p > text + 1; p--)
    if ((p[-1] == ':' && p[-2] == ':') || p[-1] == '<')
      return p;
  return end;
}

/**
 * cs_format_tooltip:
 * @text: (nullable): what a tooltip says, any number of lines
 *
 * GTK breaks no line of a tooltip that has several, and names of C++ functions may be longer than the screen is wide.
 *
 * Returns: (transfer full) (nullable): the text with lines that are short enough, ended with … where there are too many of one
 */
char *
cs_format_tooltip (const char *text)
{
  GString *folded;
  g_auto (GStrv) lines = NULL;

  if (text == NULL)
    return NULL;
  folded = g_string_new (NULL);
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      const char *rest = *line;
      guint pieces = 1;

      if (line > lines)
        g_string_append_c (folded, '\n');
      for (; pieces <= TOOLTIP_PIECES && g_utf8_strlen (rest, -1) > TOOLTIP_WIDTH; pieces++)
        {
          const char *end = find_break (rest);

          g_string_append_len (folded, rest, end - rest);
          g_string_append (folded, pieces < TOOLTIP_PIECES ? "\n" : "…");
          rest = end;
        }
      if (pieces <= TOOLTIP_PIECES)
        g_string_append (folded, rest);
    }
  return g_string_free (folded, FALSE);
}
