/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/cs-report-writer.h"

G_BEGIN_DECLS

/* An SVG file of rectangles with labels and titles, readable as it is, light or dark as the viewer prefers.
 * Lengths are in pixels. Texts may be anything; they come out valid. */

#define CS_PICTURE_MARGIN 16
#define CS_PICTURE_ROW 20  /* of rectangles with labels */
#define CS_PICTURE_LINE 18 /* of text */
#define CS_PICTURE_PLAIN G_MAXUINT       /* grey: what is no function */
#define CS_PICTURE_OWN (G_MAXUINT - 1) /* the rectangle's */

typedef enum
{
  CS_PICTURE_UPWARDS = 1 << 0,  /* for the script: what is around a rectangle is below it */
  CS_PICTURE_SEARCHED = 1 << 1, /* what isn't CS_PICTURE_HIT is pale */
} CsPictureOptions;

typedef enum
{
  CS_PICTURE_SOFT = 1 << 0, /* pale */
  CS_PICTURE_HIT = 1 << 1,  /* stands out */
} CsPictureFlags;

typedef struct
{
  double x, y, width, height;
  guint colour;        /* less than CS_PALETTE_N_FUNCTIONS, or one of these */
  guint32 light, dark; /* CS_PICTURE_OWN: 0xRRGGBB on a light and on a dark background */
  const char *label; /* (nullable): shown as far as there is room */
  CsPictureFlags flags;
  /* For the script that zooms: where it begins and how long it is, in any unit, and how many are
   * around it. It has to come behind these, and behind what is at their left. */
  gboolean zooms;
  guint64 from, length;
  guint depth;
} CsPictureRect;

typedef enum
{
  CS_PICTURE_HEAD,
  CS_PICTURE_NOTE,
  CS_PICTURE_SOFT_NOTE,
  CS_PICTURE_INFO, /* a soft note that tells, with the script, what the pointer is at */
  CS_PICTURE_LABEL, /* as rectangles have */
} CsPictureStyle;

void cs_picture_begin (CsReportWriter *writer, const char *title, double width, double height,
                       CsPictureOptions options);
void cs_picture_add_rect (CsReportWriter *writer, const CsPictureRect *rect, const char *title);
void cs_picture_begin_rect (CsReportWriter *writer, const CsPictureRect *rect);
void cs_picture_end_rect (CsReportWriter *writer, const CsPictureRect *rect);
void cs_picture_begin_text (CsReportWriter *writer, double x, double y, CsPictureStyle style);
void cs_picture_end_text (CsReportWriter *writer);
void cs_picture_add_text (CsReportWriter *writer, double x, double y, CsPictureStyle style, const char *text,
                          double width);
void cs_picture_add_notice (CsReportWriter *writer, double x, double y, const char *notice, double width);
void cs_picture_add_line (CsReportWriter *writer, double x0, double y0, double x1, double y1);
void cs_picture_put_text (CsReportWriter *writer, const char *text);
void cs_picture_end (CsReportWriter *writer, gboolean script);

G_END_DECLS
