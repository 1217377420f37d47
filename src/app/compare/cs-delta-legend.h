/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What the colours of a differential flame graph mean. */
#define CS_TYPE_DELTA_LEGEND (cs_delta_legend_get_type ())
G_DECLARE_FINAL_TYPE (CsDeltaLegend, cs_delta_legend, CS, DELTA_LEGEND, GtkWidget)

G_END_DECLS
