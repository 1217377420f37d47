/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"
#include "selection/cs-call-graph.h"

G_BEGIN_DECLS

/* What became of a recording's calls. */
typedef struct
{
  guint n_functions; /* that it has */
  guint n_missing;   /* of these, the ones that the sources don't define */
  guint n_edges;     /* caller and callee are in the sources */
  guint n_added;     /* of these, the ones that the graph didn't have */
} CsObserved;

GArray *cs_observed_find (CsFunctionIndex *index, const CsLocation *location);
gboolean cs_observed_add (const char *const *paths, CsFunctionIndex *index, CsCallGraph *graph, CsObserved *observed,
                          GCancellable *cancellable, GError **error);

G_END_DECLS
