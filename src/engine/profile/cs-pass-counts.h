/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-recording.h"
#include "profile/cs-histogram.h"

G_BEGIN_DECLS

/* No function has this address: the root of a call tree, and the bottom of a stack. */
#define CS_PASS_NO_ADDRESS G_MAXUINT64

/* A function, call site or call-tree node of one process while its events are read. The
 * address is the run-time one or, where modules lay there in turn, a tagged one that says which
 * (cs_pass_counts_tag_address()). */
typedef struct
{
  guint64 address;
  guint64 min, max; /* ns, of recorded exits */
  guint last_thread; /* the thread that called it last, by serial number */
  CsHistogram histogram; /* of recorded exits */
} CsPassFunction;

typedef struct
{
  guint64 function; /* address */
  guint64 caller;   /* return address */
  guint64 calls, open; /* calls as in CsPassNode */
  guint64 incl;     /* ns */
} CsPassSite;

/* One cache line: what every event of the node touches. */
typedef struct
{
  guint64 address;
  guint64 caller;       /* last call site and its index */
  guint32 site;
  guint32 function;
  guint32 first_child;  /* the child that was entered first, the last time; 0: none yet */
  guint32 next_sibling; /* the sibling that was entered after it, the last time */
  guint64 calls;        /* exited and repaired */
  guint64 incl, self;   /* ns */
  gint64 first_ns;      /* start of its first call */
} CsPassNode;

G_STATIC_ASSERT (sizeof (CsPassNode) == 64);

/* The rest of a node. */
typedef struct
{
  guint64 repaired, open;
  guint32 parent;
} CsPassNodeRest;

typedef struct
{
  guint32 *slots; /* index + 1, 0: free */
  guint32 mask;
  guint32 n;
} CsPassTable;

/* What was counted in one process by one worker; the sums of several are the profile. */
typedef struct
{
  const CsProcess *process;
  CsPassFunction *functions;
  CsPassSite *sites;
  CsPassNode *nodes; /* aligned to 64 bytes */
  CsPassNodeRest *node_rests;
  guint32 functions_size, sites_size, nodes_size; /* allocated; used: the tables' n */
  CsPassTable function_table, site_table, node_table;
  gboolean tagged;      /* addresses have to be tagged, modules having taken turns */
  GArray *tags;         /* (module, address) of tagged addresses */
  GHashTable *tag_index; /* (module, address) → tag + 1 */
} CsPassCounts;

CsPassCounts *cs_pass_counts_new (const CsProcess *process);
void cs_pass_counts_free (CsPassCounts *self);
gboolean cs_pass_counts_find_function (const CsPassCounts *self, guint64 address, guint32 *index);
guint32 cs_pass_counts_add_function (CsPassCounts *self, guint64 address);
guint32 cs_pass_counts_add_site (CsPassCounts *self, guint64 function, guint64 caller);
guint32 cs_pass_counts_add_node (CsPassCounts *self, guint32 parent, guint64 address);
guint64 cs_pass_counts_tag_address (CsPassCounts *self, guint64 address, guint64 ts);
const CsModule *cs_pass_counts_find_module (const CsPassCounts *self, guint64 tagged, guint64 *address);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsPassCounts, cs_pass_counts_free)

G_END_DECLS
