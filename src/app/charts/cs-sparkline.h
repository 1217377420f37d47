/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The last values of something that is measured again and again, as a line: events per second over the last minute. */
#define CS_TYPE_SPARKLINE (cs_sparkline_get_type ())
G_DECLARE_FINAL_TYPE (CsSparkline, cs_sparkline, CS, SPARKLINE, GtkWidget)

GtkWidget *cs_sparkline_new (guint n_values, const char *unit);
void cs_sparkline_push (CsSparkline *self, double value);
void cs_sparkline_clear (CsSparkline *self);
double cs_sparkline_get_value (CsSparkline *self);
double cs_sparkline_get_peak (CsSparkline *self);
guint cs_sparkline_get_n_values (CsSparkline *self);
char *cs_sparkline_dup_text (CsSparkline *self);

G_END_DECLS
