/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "layout/cs-palette.h"
#include "report/cs-picture.h"
#include "report/cs-report-resources.h"

#define GLYPH 7.3      /* width of a character of 12 px */
#define SANS_GLYPH 7.0 /* the same of 13 px sans serif, rather too much */
#define LEAST_WIDTH 0.1

/* Text of XML: valid UTF-8 without what XML 1.0 can't hold. @max: longest, in columns; 0: any length. */
static void
put_text (CsReportWriter *writer, const char *text, guint max)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  guint column = 0;

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      column += g_unichar_iswide (c) ? 2 : 1;
      if (max > 0 && (column > max || (column == max && *g_utf8_next_char (p) != '\0')))
        {
          cs_report_writer_puts (writer, "…");
          return;
        }
      if (c == '<')
        cs_report_writer_puts (writer, "&lt;");
      else if (c == '>')
        cs_report_writer_puts (writer, "&gt;");
      else if (c == '&')
        cs_report_writer_puts (writer, "&amp;");
      else if (c == '"')
        cs_report_writer_puts (writer, "&quot;");
      else if (g_unichar_iscntrl (c) || c == 0xFFFE || c == 0xFFFF)
        cs_report_writer_puts (writer, "?");
      else
        cs_report_writer_put_bytes (writer, p, (gsize) (g_utf8_next_char (p) - p));
    }
}

/* ` name="length"`, to hundredths of a pixel, whatever the locale. */
static void
put_length (CsReportWriter *writer, const char *name, double pixels)
{
  gint64 hundredths = (gint64) (CLAMP (pixels, -1e9, 1e9) * 100 + (pixels < 0 ? -0.5 : 0.5));
  guint64 size = (guint64) ABS (hundredths);

  cs_report_writer_printf (writer, " %s=\"%s%" G_GUINT64_FORMAT, name, hundredths < 0 ? "-" : "", size / 100);
  if (size % 100 != 0)
    cs_report_writer_printf (writer, ".%02u", (guint) (size % 100));
  cs_report_writer_puts (writer, "\"");
}

static const char *
get_resource (const char *path, gsize *n)
{
  g_autoptr (GBytes) bytes = g_resource_lookup_data (cs_report_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  return g_bytes_get_data (bytes, n); /* static */
}

static void
put_palette (CsReportWriter *writer, gboolean dark)
{
  cs_report_writer_printf (writer, "svg.flame .f text { fill: #%06x }\n", cs_palette_get_function_label (dark));
  for (guint i = 0; i < CS_PALETTE_N_FUNCTIONS; i++)
    cs_report_writer_printf (writer, ".c%u { fill: #%06x }%s", i, cs_palette_get_function (i, dark),
                             i % 4 == 3 ? "\n" : " ");
}

static void
put_style (CsReportWriter *writer)
{
  gsize n;
  const char *style = get_resource ("/callsight/report/flame.css", &n);

  cs_report_writer_puts (writer, "<style><![CDATA[\n");
  cs_report_writer_put_bytes (writer, style, n);
  put_palette (writer, FALSE);
  cs_report_writer_puts (writer, "@media (prefers-color-scheme: dark) {\n");
  put_palette (writer, TRUE);
  cs_report_writer_puts (writer, "}\n]]></style>\n");
}

/**
 * cs_picture_begin:
 * @writer: where to
 * @title: what the picture is of
 * @width: of the picture
 * @height: of it
 * @options: more of it
 */
void
cs_picture_begin (CsReportWriter *writer, const char *title, double width, double height, CsPictureOptions options)
{
  cs_report_writer_puts (writer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                 "<svg xmlns=\"http://www.w3.org/2000/svg\"");
  cs_report_writer_puts (writer, options & CS_PICTURE_SEARCHED ? " class=\"flame searched\"" : " class=\"flame\"");
  put_length (writer, "width", width);
  put_length (writer, "height", height);
  cs_report_writer_puts (writer, options & CS_PICTURE_UPWARDS ? " data-up=\"1\"" : "");
  cs_report_writer_puts (writer, " role=\"group\" aria-label=\"");
  put_text (writer, title, 0);
  cs_report_writer_puts (writer, "\">\n<title>");
  put_text (writer, title, 0);
  cs_report_writer_puts (writer, "</title>\n");
  put_style (writer);
  cs_report_writer_puts (writer, "<rect class=\"page\"");
  put_length (writer, "width", width);
  put_length (writer, "height", height);
  cs_report_writer_puts (writer, "/>\n");
}

/**
 * cs_picture_begin_rect:
 * @writer: where to
 * @rect: a rectangle
 *
 * What is put before cs_picture_end_rect() is its title, which viewers show when the pointer is at it: the first
 * line its name, which the script searches.
 */
void
cs_picture_begin_rect (CsReportWriter *writer, const CsPictureRect *rect)
{
  cs_report_writer_printf (writer, "<g class=\"f%s%s\"", rect->flags & CS_PICTURE_SOFT ? " above" : "",
                           rect->flags & CS_PICTURE_HIT ? " hit" : "");
  if (rect->zooms)
    cs_report_writer_printf (writer, " data-x=\"%" G_GUINT64_FORMAT "\" data-w=\"%" G_GUINT64_FORMAT "\" data-d=\"%u\"",
                             rect->from, rect->length, rect->depth);
  cs_report_writer_puts (writer, "><title>");
}

/**
 * cs_picture_end_rect:
 * @writer: where to
 * @rect: the rectangle that was begun
 */
void
cs_picture_end_rect (CsReportWriter *writer, const CsPictureRect *rect)
{
  double room = (rect->width - 8) / GLYPH;

  if (rect->colour == CS_PICTURE_PLAIN)
    cs_report_writer_puts (writer, "</title><rect class=\"root\"");
  else if (rect->colour == CS_PICTURE_OWN)
    cs_report_writer_printf (writer, "</title><rect class=\"own\" fill=\"#%06x\" style=\"--dark: #%06x\"", rect->light, rect->dark);
  else
    cs_report_writer_printf (writer, "</title><rect class=\"c%u\"", rect->colour);
  put_length (writer, "x", rect->x);
  put_length (writer, "y", rect->y);
  put_length (writer, "width", MAX (rect->width, LEAST_WIDTH));
  put_length (writer, "height", rect->height);
  cs_report_writer_puts (writer, " rx=\"2\"/>");
  if (rect->label != NULL && room >= 3 && rect->height >= 14)
    {
      cs_report_writer_puts (writer, "<text");
      put_length (writer, "x", rect->x + 4);
      put_length (writer, "y", rect->y + rect->height / 2 + 4.5);
      cs_report_writer_puts (writer, ">");
      put_text (writer, rect->label, (guint) MIN (room, G_MAXINT));
      cs_report_writer_puts (writer, "</text>");
    }
  cs_report_writer_puts (writer, "</g>\n");
}

/**
 * cs_picture_add_rect:
 * @writer: where to
 * @rect: a rectangle
 * @title: (nullable): its title, lines and all; %NULL: its label
 */
void
cs_picture_add_rect (CsReportWriter *writer, const CsPictureRect *rect, const char *title)
{
  g_auto (GStrv) lines = g_strsplit (title != NULL ? title : rect->label != NULL ? rect->label : "", "\n", -1);

  cs_picture_begin_rect (writer, rect);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      cs_report_writer_puts (writer, i > 0 ? "\n" : "");
      put_text (writer, lines[i], 0);
    }
  cs_picture_end_rect (writer, rect);
}

/**
 * cs_picture_begin_text:
 * @writer: where to
 * @x: where the text begins
 * @y: of its base line
 * @style: what it looks like
 *
 * What is put before cs_picture_end_text() is the text.
 */
void
cs_picture_begin_text (CsReportWriter *writer, double x, double y, CsPictureStyle style)
{
  static const char *const classes[] = {
    [CS_PICTURE_HEAD] = "head",           [CS_PICTURE_NOTE] = "note", [CS_PICTURE_SOFT_NOTE] = "note soft",
    [CS_PICTURE_INFO] = "note soft info", [CS_PICTURE_LABEL] = "label",
  };

  cs_report_writer_printf (writer, "<text class=\"%s\"", classes[style]);
  put_length (writer, "x", x);
  put_length (writer, "y", y);
  cs_report_writer_puts (writer, ">");
}

/**
 * cs_picture_end_text:
 * @writer: where to
 */
void
cs_picture_end_text (CsReportWriter *writer)
{
  cs_report_writer_puts (writer, "</text>\n");
}

static guint
get_columns (CsPictureStyle style, double width)
{
  double glyph = style == CS_PICTURE_HEAD ? 1.5 * SANS_GLYPH : style == CS_PICTURE_LABEL ? GLYPH : SANS_GLYPH;

  return (guint) CLAMP (width / glyph, 1, G_MAXINT);
}

/**
 * cs_picture_add_text:
 * @writer: where to
 * @x: where the text begins
 * @y: of its base line
 * @style: what it looks like
 * @text: the text
 * @width: how much room there is
 */
void
cs_picture_add_text (CsReportWriter *writer, double x, double y, CsPictureStyle style, const char *text, double width)
{
  cs_picture_begin_text (writer, x, y, style);
  put_text (writer, text, get_columns (style, width));
  cs_picture_end_text (writer);
}

/**
 * cs_picture_add_notice:
 * @writer: where to
 * @x: where it begins
 * @y: of its base line
 * @notice: what has to be known before any number is believed; whole where the pointer is at it
 * @width: how much room there is
 */
void
cs_picture_add_notice (CsReportWriter *writer, double x, double y, const char *notice, double width)
{
  cs_report_writer_puts (writer, "<g><title>");
  put_text (writer, notice, 0);
  cs_report_writer_puts (writer, "</title>");
  cs_picture_begin_text (writer, x, y, CS_PICTURE_NOTE);
  cs_report_writer_puts (writer, "⚠ ");
  put_text (writer, notice, get_columns (CS_PICTURE_NOTE, width - 2 * SANS_GLYPH));
  cs_report_writer_puts (writer, "</text></g>\n");
}

/**
 * cs_picture_add_line:
 * @writer: where to
 * @x0: where it begins
 * @y0: the same
 * @x1: where it ends
 * @y1: the same
 *
 * A thin line, as of a ruler.
 */
void
cs_picture_add_line (CsReportWriter *writer, double x0, double y0, double x1, double y1)
{
  cs_report_writer_puts (writer, "<line class=\"line\"");
  put_length (writer, "x1", x0);
  put_length (writer, "y1", y0);
  put_length (writer, "x2", x1);
  put_length (writer, "y2", y1);
  cs_report_writer_puts (writer, "/>\n");
}

/**
 * cs_picture_put_text:
 * @writer: where to
 * @text: a part of a title or text
 */
void
cs_picture_put_text (CsReportWriter *writer, const char *text)
{
  put_text (writer, text, 0);
}

/**
 * cs_picture_end:
 * @writer: where to
 * @script: whether to add what zooms and searches: of a picture with a text of CS_PICTURE_INFO whose rectangles
 *   all zoom, and the first is around all others
 */
void
cs_picture_end (CsReportWriter *writer, gboolean script)
{
  gsize n;
  const char *text = get_resource ("/callsight/report/flame.js", &n);

  if (script)
    {
      cs_report_writer_puts (writer, "<script><![CDATA[\n");
      cs_report_writer_put_bytes (writer, text, n);
      cs_report_writer_puts (writer, "]]></script>\n");
    }
  cs_report_writer_puts (writer, "</svg>\n");
}
