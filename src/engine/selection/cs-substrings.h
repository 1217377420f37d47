/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gssize *cs_substrings_find (const char *const *needles, gsize n_needles, const char *const *texts, gsize n_texts);

G_END_DECLS
