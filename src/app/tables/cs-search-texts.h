/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"

G_BEGIN_DECLS

/* What is searched of the rows of a table. Once filled it doesn't change, and may be asked by several threads. */
typedef struct _CsSearchTexts CsSearchTexts;

CsSearchTexts *cs_search_texts_new (guint n);
void cs_search_texts_free (CsSearchTexts *self);
void cs_search_texts_set (CsSearchTexts *self, guint row, const char *text);
const char *cs_search_texts_keep (CsSearchTexts *self, const char *text);
GArray *cs_search_texts_find (const CsSearchTexts *self, const char *search, GRegex *regex, GCancellable *cancellable);

char *cs_search_dup_text (const CsLocation *location);
gboolean cs_search_matches (const CsLocation *location, const char *needle, GRegex *regex);
void cs_search_rank (const char *const *texts, guint n, guint64 *ranks);
GRegex *cs_search_make_regex (const char *pattern, GError **error);
const char *cs_search_get_hint (const char *search, gboolean regex);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsSearchTexts, cs_search_texts_free)

G_END_DECLS
