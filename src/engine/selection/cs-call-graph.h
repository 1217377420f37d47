/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-function-index.h"

G_BEGIN_DECLS

/* Which functions of an index call which, as far as the text tells. Functions are numbered as in the index. */
typedef struct _CsCallGraph CsCallGraph;

/* A function that was reached, and over how many calls at least. */
typedef struct
{
  guint32 function;
  guint32 depth;
} CsReached;

CsCallGraph *cs_call_graph_new_sync (CsFunctionIndex *index, GCancellable *cancellable, GError **error);
CsCallGraph *cs_call_graph_ref (CsCallGraph *self);
void cs_call_graph_unref (CsCallGraph *self);
const char *const *cs_call_graph_get_warnings (CsCallGraph *self);
const guint32 *cs_call_graph_get_callees (CsCallGraph *self, guint32 function, gsize *count);
gboolean cs_call_graph_add_edge (CsCallGraph *self, guint32 caller, guint32 callee);
CsReached *cs_call_graph_expand (CsCallGraph *self, const guint32 *seeds, gsize n_seeds, int depth, gsize *count);
CsReached *cs_call_graph_expand_text (CsCallGraph *self, const guint32 *seeds, gsize n_seeds, int depth,
                                      gsize *count);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsCallGraph, cs_call_graph_unref)

G_END_DECLS
