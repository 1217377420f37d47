/* SPDX-License-Identifier: MIT */
#pragma once

#include "timeline/cs-timeline-names.h"

G_BEGIN_DECLS

/* The functions that a search means, found as they are asked for; and their calls, from one to the next. */
typedef struct _CsTimelineSearchText CsTimelineSearchText;

CsTimelineSearchText *cs_timeline_search_text_new (CsTimelineNames *names, const char *text, gboolean regex, guint function,
                                                   GError **error);
void cs_timeline_search_text_free (CsTimelineSearchText *self);

gboolean cs_timeline_search_text_takes (CsTimelineSearchText *self, const CsTimelineCall *call);
GArray *cs_timeline_search_text_filter (CsTimelineSearchText *self, const GArray *calls);

/* How much there is of it. */
typedef struct
{
  guint n_functions;
  guint64 n_calls;
} CsTimelineMatches;

void cs_timeline_search_text_count_async (CsTimelineSearchText *self, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
gboolean cs_timeline_search_text_count_finish (GAsyncResult *result, CsTimelineMatches *matches, GError **error);
void cs_timeline_search_text_next_async (CsTimelineSearchText *self, const CsTimelineCall *from, gboolean backwards,
                                         const gboolean *shown, GCancellable *cancellable,
                                         GAsyncReadyCallback callback, gpointer user_data);
gboolean cs_timeline_search_text_next_finish (GAsyncResult *result, CsTimelineCall *call, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsTimelineSearchText, cs_timeline_search_text_free)

G_END_DECLS
