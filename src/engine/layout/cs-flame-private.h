/* SPDX-License-Identifier: MIT */
#pragma once

#include "layout/cs-flame-layout.h"
#include "layout/cs-pyramid.h"

G_BEGIN_DECLS

/* A tree before it is laid out: node 0 is the root, parents come before their children. */
typedef struct
{
  guint64 self, calls;
  gint64 first;
  guint32 parent;
  guint32 function;
  guint32 source;
  guint32 depth;
  guint32 flags;
} CsFlameTreeNode;

typedef struct
{
  CsFlameTreeNode *nodes;
  guint32 n, allocated;
} CsFlameTree;

/* The frames row by row, each row from the left, so that a row is a range of indices, as
 * are a frame's children. */
struct _CsFlameLayout
{
  gatomicrefcount refs;
  guint32 n;
  guint64 *start, *width, *calls;
  guint64 *before;      /* sum of the widths of all frames before, modulo 2^64; n + 1 */
  guint32 *function, *parent, *source;
  guint32 *first_child; /* n + 1 */
  guint8 *flags;
  guint32 *rows;        /* the first frame of each; n_rows + 1 */
  guint32 n_rows;
  guint32 n_functions;
  CsPyramid widths;
  gboolean folded;
};

CsFlameLayout *cs_flame_layout_new_from_tree (const CsFlameTree *tree, CsFlameOrder order, const CsFunction *functions,
                                              guint n_functions);
guint32 cs_flame_tree_add (CsFlameTree *self, guint32 parent, guint32 function);
void cs_flame_tree_clear (CsFlameTree *self);
void cs_flame_tree_from_calls (CsFlameTree *self, const CsFlameOptions *options, const CsCallNode *nodes,
                               guint32 n_nodes, guint32 n_functions);
void cs_flame_tree_from_callees (CsFlameTree *self, const CsFlameTree *callees, guint32 n_functions,
                                 guint32 max_nodes);
void cs_flame_tree_from_threads (CsFlameTree *self, const CsFlameTree *callees, guint32 n_functions,
                                 guint32 max_nodes);

G_END_DECLS
