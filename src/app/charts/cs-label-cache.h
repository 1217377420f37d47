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
/* Not more are shaped in a frame; 0: no bound. */
void cs_label_cache_set_max_shaped (CsLabelCache *self, guint n);
/* Whether labels of this frame are missing, or are shorter than they could be, because of that. */
gboolean cs_label_cache_is_short (CsLabelCache *self);
/* The label as it fits into so many pixels, ellipsized at its end; NULL: nothing useful fits. (transfer none), until the
 * next frame begins */
PangoLayout *cs_label_cache_get (CsLabelCache *self, const char *text, double max_width, int *width, int *height);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsLabelCache, cs_label_cache_free)

G_END_DECLS
