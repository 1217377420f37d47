/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Strings that are looked for all at once. It never changes. */
typedef struct _CsSubstrings CsSubstrings;

/* Gets the number of a needle; returns whether to go on. */
typedef gboolean (*CsSubstringsFunc) (gsize needle, gpointer user_data);

CsSubstrings *cs_substrings_new (const char *const *needles, gsize n_needles);
void cs_substrings_free (CsSubstrings *self);
void cs_substrings_each (const CsSubstrings *self, const char *text, CsSubstringsFunc func, gpointer user_data);
gssize *cs_substrings_find (const char *const *needles, gsize n_needles, const char *const *texts, gsize n_texts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsSubstrings, cs_substrings_free)

G_END_DECLS
