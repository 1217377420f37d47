/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-selection.h"

G_BEGIN_DECLS

/* What a function calls, and what these call in turn. */
typedef struct
{
  char *name;          /* as given */
  int depth;           /* calls that are followed; CS_DEPTH_FULL: all */
  gsize n_seeds;       /* functions of that name */
  CsReached *reached;  /* what the lines choose, by depth and then as in the index */
  gsize n_reached;
  gsize n_files;       /* in which these lie */
  gsize n_by_name;     /* of these, what no call leads to: a line names it along with another */
  CsTraceConfig *lines; /* include-func lines that choose the same without edges that were added */
} CsSubtree;

CsSubtree *cs_subtree_new (CsFunctionIndex *index, CsCallGraph *graph, const char *name, int depth, GError **error);
void cs_subtree_free (CsSubtree *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsSubtree, cs_subtree_free)

G_END_DECLS
