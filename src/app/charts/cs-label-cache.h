/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Shaped labels of a chart that paints many, the same ones again and again. It forgets those that weren't asked for in the
 * last frames, and all when the widget's font changes. */
typedef struct _CsLabelCache CsLabelCache;

CsLabelCache *cs_label_cache_new (GtkWidget *widget, double scale); /* scale: of the font's size */
void cs_label_cache_free (CsLabelCache *self);
void cs_label_cache_clear (CsLabelCache *self);
/* A frame begins; what was shaped since the last begin is told. */
guint cs_label_cache_begin_frame (CsLabelCache *self);
/* The label as it fits into so many pixels, ellipsized at its end; NULL: nothing useful fits. (transfer none), until the
 * next frame begins */
PangoLayout *cs_label_cache_get (CsLabelCache *self, const char *text, double max_width, int *width, int *height);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsLabelCache, cs_label_cache_free)

G_END_DECLS
