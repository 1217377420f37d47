/* SPDX-License-Identifier: MIT */
#pragma once

#include "timeline/cs-timeline-names.h"

G_BEGIN_DECLS

/* Functions whose calls stand out: those that a search matches, or a single one. Which they are is found out as calls come
 * into sight. Counted references. */
typedef struct _CsTimelineFocus CsTimelineFocus;

/* How much there is of it. */
typedef struct
{
  guint n_functions;
  guint64 n_calls;
} CsTimelineMatches;

CsTimelineFocus *cs_timeline_focus_new_search (CsTimelineNames *names, const char *text, gboolean regex, GError **error);
CsTimelineFocus *cs_timeline_focus_new_function (CsTimelineNames *names, guint function);
CsTimelineFocus *cs_timeline_focus_ref (CsTimelineFocus *self);
void cs_timeline_focus_unref (CsTimelineFocus *self);

GArray *cs_timeline_focus_filter (CsTimelineFocus *self, const GArray *calls);
void cs_timeline_focus_count_async (CsTimelineFocus *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean cs_timeline_focus_count_finish (GAsyncResult *result, CsTimelineMatches *matches, GError **error);
void cs_timeline_focus_next_async (CsTimelineFocus *self, const CsTimelineCall *from, gboolean backwards,
                                   const gboolean *tracks, GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data);
gboolean cs_timeline_focus_next_finish (GAsyncResult *result, CsTimelineCall *call, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsTimelineFocus, cs_timeline_focus_unref)

G_END_DECLS
