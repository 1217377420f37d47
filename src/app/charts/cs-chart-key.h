/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

guint cs_chart_key_simplify (guint keyval);

G_END_DECLS
