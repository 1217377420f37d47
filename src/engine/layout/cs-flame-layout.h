/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "profile/cs-profile.h"

G_BEGIN_DECLS

typedef enum
{
  CS_FLAME_CALL_TREE, /* below a frame: what it called */
  CS_FLAME_CALLERS,   /* bottom-up: a function's self time; below a frame: who called it */
} CsFlameKind;

/* How siblings are ordered, from the left. */
typedef enum
{
  CS_FLAME_BY_NAME,
  CS_FLAME_BY_TIME,       /* the widest first */
  CS_FLAME_BY_FIRST_CALL,
} CsFlameOrder;

/* What is done with a function's frames. */
typedef enum
{
  CS_FLAME_KEEP,
  CS_FLAME_HIDE, /* left out of every stack: its self time becomes its caller's, what it called is
                    called by its caller */
  CS_FLAME_CUT,  /* removed with everything below it: its inclusive time is nobody's */
  CS_FLAME_ONLY, /* where a function has this mark, what is not below a frame of such a one is
                    removed; the frames above stay, with the time that is left */
} CsFlameMark;

typedef struct
{
  CsFlameKind kind;
  CsFlameOrder order;
  gboolean collapse;   /* recursion */
  const guint8 *marks; /* (nullable): a CsFlameMark for each function */
  guint max_nodes;     /* of a callers' tree; 0: CS_FLAME_MAX_NODES */
} CsFlameOptions;

#define CS_FLAME_MAX_NODES (1u << 21)
#define CS_FLAME_NONE G_MAXUINT32

typedef enum
{
  CS_FLAME_CONTEXT = 1 << 0, /* above a frame that is marked CS_FLAME_ONLY */
  CS_FLAME_FOLDED = 1 << 1,  /* it has callers that are too narrow to be laid out; their time
                                counts as this frame's own */
} CsFlameFlags;

/* A frame. Times in ns. */
typedef struct
{
  guint64 start, width; /* Σ width of its children + self = width */
  guint64 self;
  guint64 calls;        /* summed over what was merged into it */
  guint32 function;     /* index; CS_FLAME_NONE: the root; of a tree by thread, CS_CALL_NODE_THREAD + row:
                           a thread's frame, in the row below the root's */
  guint32 source;       /* the first node of the call tree that it was made of */
  guint32 parent;       /* the root's: itself */
  guint32 first_child, n_children; /* children are consecutive, from the left */
  guint32 depth;        /* the root's: 0 */
  CsFlameFlags flags;
} CsFlameNode;

/* What a viewport shows. */
typedef struct
{
  guint64 x0, x1;        /* ns */
  guint32 depth0, depth1; /* from the first to before the last */
  double pixels;         /* that x0 to x1 takes */
  double min_pixels;     /* what is narrower is merged */
  guint max_rects;       /* 0: no bound */
} CsFlameWindow;

/* One frame, or a block of neighbours that are too narrow. */
typedef struct
{
  guint64 start, width; /* ns; may reach out of the window */
  guint64 time;         /* sum of the frames' widths: a block has gaps, none of them wider than a
                           narrow frame */
  guint32 node;         /* a block's first */
  guint32 n;            /* frames; 1: not a block */
  guint32 depth;
} CsFlameRect;

typedef gboolean (*CsFlameMatch) (guint function, gpointer data);

typedef struct _CsFlameLayout CsFlameLayout;

CsFlameLayout *cs_flame_layout_new (const CsFlameOptions *options, const CsCallNode *nodes, guint n_nodes,
                                    const CsFunction *functions, guint n_functions,
                                    GCancellable *cancellable);
CsFlameLayout *cs_flame_layout_ref (CsFlameLayout *self);
void cs_flame_layout_unref (CsFlameLayout *self);

guint64 cs_flame_layout_get_total (CsFlameLayout *self);
guint32 cs_flame_layout_get_n_nodes (CsFlameLayout *self);
guint32 cs_flame_layout_get_n_rows (CsFlameLayout *self);
gboolean cs_flame_layout_is_folded (CsFlameLayout *self);
void cs_flame_layout_get_node (CsFlameLayout *self, guint32 node, CsFlameNode *out);
guint32 cs_flame_layout_get_function (CsFlameLayout *self, guint32 node);
CsFlameFlags cs_flame_layout_get_flags (CsFlameLayout *self, guint32 node);

void cs_flame_layout_query (CsFlameLayout *self, const CsFlameWindow *window, GArray *rects);
guint32 cs_flame_layout_hit (CsFlameLayout *self, guint64 x, guint32 depth);
void cs_flame_layout_focus (CsFlameLayout *self, guint32 node, CsFlameWindow *window);
void cs_flame_layout_get_path (CsFlameLayout *self, guint32 node, GArray *path);
guint32 cs_flame_layout_find_path (CsFlameLayout *self, const guint32 *functions, guint n);
guint64 cs_flame_layout_search (CsFlameLayout *self, CsFlameMatch match, gpointer data, GArray *found);

void cs_flame_mark_module (guint8 *marks, const CsFunction *functions, guint n_functions,
                           const char *module, CsFlameMark mark);
guint cs_flame_colour_index (const char *name, guint n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsFlameLayout, cs_flame_layout_unref)

G_END_DECLS
