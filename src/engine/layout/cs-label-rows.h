/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A label beside a line, or over a place. */
typedef struct
{
  double anchor; /* pixels: where the line is */
  double width;  /* pixels */
  double side;   /* which part of it lies left of the line, if there is room: 0, ½ or 1 */
  double x;      /* where it is put */
  guint row;     /* and in which row, 0: the first */
} CsLabel;

guint cs_labels_place (CsLabel *labels, guint n, double width, double gap);

G_END_DECLS
