/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-pass-counts.h"
#include "profile/cs-profile.h"

G_BEGIN_DECLS

gboolean cs_profile_node_counts (const CsPassCounts *counts, guint32 node);
guint32 *cs_profile_merge_nodes (CsPassCounts *all, const CsPassCounts *counts, const guint *functions);
void cs_profile_merge_node (CsPassCounts *all, guint32 node, const CsPassCounts *counts, guint32 from);
CsCallNode *cs_profile_build_nodes (const CsPassCounts *all);
guint32 *cs_profile_sort_nodes (CsCallNode **nodes, guint32 n);
guint32 cs_profile_next_node (const CsCallNode *nodes, guint32 node, guint32 *on_path);

G_END_DECLS
