/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-recording.h"
#include "profile/cs-histogram.h"

G_BEGIN_DECLS

typedef struct _CsPassFilter CsPassFilter;

/* No function has this address: the root of a call tree, and the bottom of a stack. */
#define CS_PASS_NO_ADDRESS G_MAXUINT64

/* A function, call site or call-tree node of one process while its events are read. The
 * address is the run-time one or, where modules lay there in turn, a tagged one that says which
 * (cs_pass_counts_tag_address()). */
typedef struct
{
  unsigned __int128 squares; /* sum of squared durations, ns², of recorded exits */
  guint64 address;
  guint64 min, max; /* ns, of recorded exits */
  guint64 floor;    /* ns: shorter calls are not among the slowest, nor the longest */
  struct _CsPassSlowCall *slowest; /* longest first; room for counts' n_slowest */
  guint32 n_slowest;
  guint last_thread; /* the thread that called it last, by serial number */
  gboolean chosen;   /* by the filter */
  CsHistogram histogram; /* of recorded exits */
} CsPassFunction;

/* One of the longest calls of a function, with its exit recorded. */
typedef struct _CsPassSlowCall
{
  guint64 duration; /* ns */
  gint64 start;     /* ns */
  guint32 node;
  guint32 tid;
  guint32 thread; /* serial number */
} CsPassSlowCall;

typedef struct
{
  guint64 function; /* address */
  guint64 caller;   /* return address */
  guint64 inside;   /* address of the function that the called one was inlined into, or CS_PASS_NO_ADDRESS */
  guint64 calls, open, clipped; /* as in CsPassNode and its rest */
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
  guint64 clipped;    /* begun before a time range or not ended in it; not in calls */
  guint64 unrecorded; /* ns, of what is in incl, of calls without recorded exit */
  guint32 parent;
  gboolean inside; /* a function that the filter chose, or below one */
} CsPassNodeRest;

typedef struct
{
  /* Below, index + 1; 0: free. Above, what can be compared without touching the element: of a node
   * its parent, of others a part of the hash. */
  guint64 *slots;
  guint32 mask;
  guint32 n;
} CsPassTable;

/* What ids of sites in packed blocks stand for; of one dictionary at a time. */
typedef struct
{
  guint64 chain; /* its number; 0: there is none */
  guint32 n;          /* ids that there are */
  guint32 *functions; /* index by id; CS_PASS_UNKNOWN: not known yet, or no id */
  guint32 *sites;     /* number of the call site, plus one, by id; 0: not known yet; NULL: they aren't counted */
} CsPassIds;

/* Indices that no function has: of an id's, and of the root's and threads'. */
#define CS_PASS_UNKNOWN G_MAXUINT32
#define CS_PASS_NO_FUNCTION (G_MAXUINT32 - 1)

/* What was counted in one process by one worker; the sums of several are the profile. */
typedef struct
{
  const CsProcess *process; /* (nullable) */
  CsPassFunction *functions;
  CsPassSite *sites;
  CsPassNode *nodes; /* aligned to 64 bytes */
  CsPassNodeRest *node_rests;
  guint32 functions_size, sites_size, nodes_size; /* allocated; used: the tables' n */
  CsPassTable function_table, site_table, node_table;
  CsPassFilter *filter; /* (nullable) */
  guint n_slowest;      /* how many of a function's longest calls are kept */
  gboolean sites_counted; /* call sites are counted */
  gboolean tagged;      /* addresses have to be tagged, modules having taken turns */
  CsPassIds ids;        /* cs_pass_counts_map_ids() */
  GArray *tags;         /* (module, address) of tagged addresses */
  GHashTable *tag_index; /* (module, address) → tag + 1 */
} CsPassCounts;

CsPassCounts *cs_pass_counts_new (const CsProcess *process, CsPassFilter *filter, guint n_slowest);
CsPassCounts *cs_pass_counts_dup (const CsPassCounts *self);
void cs_pass_counts_free (CsPassCounts *self);
gboolean cs_pass_counts_find_function (const CsPassCounts *self, guint64 address, guint32 *index);
guint32 cs_pass_counts_add_function (CsPassCounts *self, guint64 address);
guint32 cs_pass_counts_add_site (CsPassCounts *self, guint64 function, guint64 caller, guint64 inside);
guint32 cs_pass_counts_add_node (CsPassCounts *self, guint32 parent, guint64 address);
guint32 cs_pass_counts_add_thread (CsPassCounts *self, guint serial);
void cs_pass_counts_map_ids (CsPassCounts *self, guint64 chain, guint32 n);
void cs_pass_counts_note_slow (CsPassCounts *self, CsPassFunction *function, const CsPassSlowCall *call);
guint64 cs_pass_counts_tag_address (CsPassCounts *self, guint64 address, guint64 ts);
guint64 cs_pass_counts_untag (const CsPassCounts *self, guint64 tagged, const CsModule **module);
const CsModule *cs_pass_counts_find_module (const CsPassCounts *self, guint64 tagged, guint64 *address);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsPassCounts, cs_pass_counts_free)

G_END_DECLS
