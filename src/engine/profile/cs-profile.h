/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-recording.h"
#include "profile/cs-cuts.h"
#include "profile/cs-histogram.h"
#include "profile/cs-profile-filter.h"
#include "symbols/cs-symbolizer.h"
#include "timeline/cs-timeline.h"

G_BEGIN_DECLS

#define CS_TYPE_PROFILE (cs_profile_get_type ())
G_DECLARE_FINAL_TYPE (CsProfile, cs_profile, CS, PROFILE, GObject)

typedef struct _CsLandings CsLandings;
typedef struct _CsPassFilter CsPassFilter;

/* An address with its name. Strings belong to the profile. */
typedef struct
{
  const char *module; /* path of the ELF file; NULL: not known */
  guint64 address;    /* link address; without a module the run-time address */
  const char *name;   /* never NULL: where there is no symbol, module+0xoffset or 0xaddress */
  const char *file;   /* as the debug information says, relative to the unit's folder where it
                         lies in it, or where the source map puts it; NULL: not known */
  const char *source; /* the same, absolute, as the debug information says; NULL: not known */
  guint line;         /* 0: not known */
  const char *inlined_into; /* of a call in inlined code: the functions around it, innermost first;
                               NULL: none */
} CsLocation;

/* One function, summed over all threads. Times in ns. */
typedef struct
{
  CsLocation location;
  guint64 calls;    /* whose exit was recorded, or that were repaired */
  guint64 repaired; /* of these, the ones closed without their exit */
  guint64 open;     /* open at the end of their thread's recording; not in calls */
  guint64 clipped;  /* begun before the time range or not ended in it; not in calls */
  guint64 incl;     /* every call's whole span, recursive ones each */
  guint64 self;     /* incl without instrumented callees */
  guint64 total;    /* outermost calls only; 0 in a summary, which doesn't tell */
  guint64 recorded; /* exits: what min, max and the histogram describe */
  guint64 min, max; /* 0 without recorded exits */
  guint64 sum;      /* their durations' sum */
  double mean, deviation; /* of these; the latter of the whole population. Negative: not known */
  guint n_threads;
  guint n_callers, n_callees; /* functions, itself among them where it calls itself */
  guint first_slowest, n_slowest; /* in the profile's slowest calls */
  CsHistogram histogram;
} CsFunction;

/* A node of the call tree. Node 0 is the root, with no function; parents come before their
 * children. Links are indices, 0: none. */
typedef struct
{
  guint32 parent;
  guint32 first_child;
  guint32 next_sibling;
  guint32 function; /* index; of a tree by thread (cs-thread-tree.h), CS_CALL_NODE_THREAD + row of
                       cs_profile_get_threads(): the node is not a call but what a thread's are under */
  guint64 calls, repaired, open, clipped;
  guint64 incl, self; /* ns */
  gint64 first_ns;    /* start of the first call, CLOCK_MONOTONIC */
} CsCallNode;

/* No profile has as many functions or threads. G_MAXUINT32 is neither. */
#define CS_CALL_NODE_THREAD (1u << 31)

typedef struct
{
  guint callee;        /* function index */
  CsLocation location; /* of the call, the instruction before the return address; its name is
                          the function that the call lies in; of inlined calls the function itself */
  gboolean inlined;    /* the callee was inlined into that function: which line calls isn't known */
  guint64 calls, open, clipped;
  guint64 incl; /* ns */
} CsCallSite;

/* One of the longest calls of a function, with its exit recorded. */
typedef struct
{
  guint64 duration; /* ns */
  gint64 start;     /* ns, CLOCK_MONOTONIC */
  guint thread;     /* row */
  guint32 node;     /* of the call tree: its path */
} CsSlowCall;

/* All calls of one function by another. */
typedef struct
{
  guint caller; /* index of a function; G_MAXUINT: none, the outermost calls of threads */
  guint callee;
  guint64 calls;
  guint64 incl, self; /* ns, of these calls */
} CsCallEdge;

typedef struct
{
  guint process; /* index in the recording */
  guint pid;
  guint tid;
  guint64 seq;      /* of its first file */
  guint serial;     /* unique in the profile */
  const char *name; /* (nullable) */
  guint64 enters, exits;
  guint64 unmatched, repaired, open, clipped, clamped;
  guint64 lost;       /* enters and exits known to be missing */
  gint64 first, last; /* ns, CLOCK_MONOTONIC; first > last: no events */
  guint64 self;       /* ns in which it had a frame open: the sum of self over its calls */
} CsThreadRow;

typedef struct
{
  guint64 events; /* enters and exits */
  guint64 unmatched, repaired, open, clipped, clamped, lost;
  gint64 first, last; /* ns, CLOCK_MONOTONIC; first > last: no events */
  gint64 origin;      /* ns: the recording's first event, from which reports count; of a part it is that
                         of the whole */
  guint64 self;       /* ns, over all threads */
  guint64 hook_ns;    /* the largest that a process measured */
} CsProfileTotals;

/* Where a function lies. */
typedef struct
{
  guint process;   /* index in the recording */
  guint64 address; /* run-time */
} CsFunctionAddress;

/* What a profile was made from. */
typedef enum
{
  CS_PROFILE_EVENTS,
  CS_PROFILE_SUMMARY, /* totals by function that the threads counted themselves: no call tree, no
                         call sites, no `total`, nothing repaired or open */
} CsProfileMode;

/**
 * CsProfilePartialFunc:
 * @partial: a profile of what has been read so far; see cs_profile_get_done()
 * @user_data: of the options
 *
 * Is told of a profile while its recording is still being read.
 */
typedef void (*CsProfilePartialFunc) (CsProfile *partial, gpointer user_data);

/* What a profile is to hold beyond what every one does. */
typedef struct
{
  gboolean call_sites; /* they are named too, if need be from libraries' debug files */
  guint n_slowest;     /* how many of each function's longest calls */
  CsProfileFilter filter;
  CsTimeline *index;   /* (nullable): the recording's, with which a time range costs what lies in it */
  gboolean timeline;   /* with an index of time, if need be from the cache */
  gboolean no_cache;   /* the index is made anew, and not kept */
  CsProfilePartialFunc partial; /* (nullable): is told now and then of what has been read so far, unless there is a
                                   filter; in a thread of its own. Tracks are read in turns then */
  gpointer partial_data;
  guint partial_us;    /* µs before the first partial profile, and between them at least; 0: what suits a person */
} CsProfileOptions;

/**
 * cs_profile_span:
 * @first: ns
 * @last: ns
 *
 * Returns: the time from @first to @last, ns; 0 where there are no events and @first is later
 */
static inline guint64
cs_profile_span (gint64 first, gint64 last)
{
  return last > first ? (guint64) last - (guint64) first : 0;
}

/**
 * cs_call_node_is_thread:
 * @function: what a node has in place of a function's index
 *
 * Returns: whether it stands for a thread: that of row @function - %CS_CALL_NODE_THREAD
 */
static inline gboolean
cs_call_node_is_thread (guint32 function)
{
  return function >= CS_CALL_NODE_THREAD && function != G_MAXUINT32;
}

#define CS_PROFILE_ERROR (cs_profile_error_quark ())

typedef enum
{
  CS_PROFILE_ERROR_FILTER,  /* the recording doesn't tell what the filter asks for */
  CS_PROFILE_ERROR_CHANGED, /* it changed while it was read */
} CsProfileError;

GQuark cs_profile_error_quark (void);

CsProfile *cs_profile_new (CsRecording *recording, CsSymbolizer *symbolizer,
                           const CsProfileOptions *options, guint64 *bytes_done,
                           GCancellable *cancellable, GError **error);
void cs_profile_new_async (CsRecording *recording, CsSymbolizer *symbolizer,
                           const CsProfileOptions *options, GCancellable *cancellable,
                           GFileProgressCallback progress, gpointer progress_data,
                           GAsyncReadyCallback callback, gpointer user_data);
CsProfile *cs_profile_new_finish (GAsyncResult *result, GError **error);

CsRecording *cs_profile_get_recording (CsProfile *self);
CsProfileMode cs_profile_get_mode (CsProfile *self);
double cs_profile_get_done (CsProfile *self);
gboolean cs_profile_is_partial (CsProfile *self);
gboolean cs_profile_check_whole (CsProfile *self, GError **error);
const CsProfileTotals *cs_profile_get_totals (CsProfile *self);
const CsFunction *cs_profile_get_functions (CsProfile *self, guint *n);
const CsCallNode *cs_profile_get_tree (CsProfile *self, guint *n);
const CsCallSite *cs_profile_get_call_sites (CsProfile *self, guint *n);
const CsSlowCall *cs_profile_get_slowest (CsProfile *self, guint function, guint *n);
const CsCallEdge *cs_profile_get_edges (CsProfile *self, guint *n);
CsCallEdge *cs_profile_dup_callers (CsProfile *self, guint function, guint *n);
CsCallEdge *cs_profile_dup_callees (CsProfile *self, guint function, guint *n);
const CsProfileFilter *cs_profile_get_filter (CsProfile *self);
CsPassFilter *cs_profile_get_pass_filter (CsProfile *self);
const CsThreadRow *cs_profile_get_threads (CsProfile *self, guint *n);
const CsCut *cs_profile_get_cuts (CsProfile *self, guint *n);
const char *const *cs_profile_get_notices (CsProfile *self);
guint cs_profile_get_filter_notices (CsProfile *self, guint *first);
const CsClock *cs_profile_get_clocks (CsProfile *self);
CsLandings *cs_profile_get_landings (CsProfile *self);
CsTimeline *cs_profile_get_timeline (CsProfile *self);
guint cs_profile_get_function_index (CsProfile *self, guint process, guint64 address);
guint cs_profile_find_function (CsProfile *self, guint process, guint64 address, guint64 ts);
GArray *cs_profile_dup_addresses (CsProfile *self, guint function);

G_END_DECLS
