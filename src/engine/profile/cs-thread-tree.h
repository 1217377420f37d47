/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"

G_BEGIN_DECLS

/* The call tree of a profile thread by thread: below the root a node for each thread that has calls, in
 * the order of cs_profile_get_threads(), whose `function' is CS_CALL_NODE_THREAD + the thread's row, with no
 * calls, no self time and the sum of its calls' times as `incl'; below that, the thread's own call tree.
 * Immutable. */
typedef struct _CsThreadTree CsThreadTree;

CsThreadTree *cs_thread_tree_new (CsProfile *profile, guint64 *bytes_done, GCancellable *cancellable, GError **error);
void cs_thread_tree_new_async (CsProfile *profile, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data);
CsThreadTree *cs_thread_tree_new_finish (GAsyncResult *result, GError **error);
CsThreadTree *cs_thread_tree_ref (CsThreadTree *self);
void cs_thread_tree_unref (CsThreadTree *self);
const CsCallNode *cs_thread_tree_get_nodes (CsThreadTree *self, guint *n);

char *cs_profile_dup_thread_label (CsProfile *profile, guint thread);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsThreadTree, cs_thread_tree_unref)

G_END_DECLS
