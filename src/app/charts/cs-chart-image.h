/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GBytes *cs_chart_image_render (GtkWidget *chart, double scale, GError **error);
void cs_chart_image_save_async (GtkWidget *chart, double scale, const char *path, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data);
gboolean cs_chart_image_save_finish (GAsyncResult *result, GError **error);

G_END_DECLS
