/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-recording.h"
#include "profile/cs-histogram.h"
#include "symbols/cs-symbolizer.h"

G_BEGIN_DECLS

typedef struct _CsLandings CsLandings;

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
  guint64 incl;     /* every call's whole span, recursive ones each */
  guint64 self;     /* incl without instrumented callees */
  guint64 total;    /* outermost calls only; 0 in a summary, which doesn't tell */
  guint64 recorded; /* exits: what min, max and the histogram describe */
  guint64 min, max; /* 0 without recorded exits */
  guint n_threads;
  CsHistogram histogram;
} CsFunction;

/* A node of the call tree. Node 0 is the root, with no function; parents come before their
 * children. Links are indices, 0: none. */
typedef struct
{
  guint32 parent;
  guint32 first_child;
  guint32 next_sibling;
  guint32 function; /* index */
  guint64 calls, repaired, open;
  guint64 incl, self; /* ns */
  gint64 first_ns;    /* start of the first call, CLOCK_MONOTONIC */
} CsCallNode;

typedef struct
{
  guint callee;        /* function index */
  CsLocation location; /* of the call, the instruction before the return address; its name is
                          the function that the call lies in */
  guint64 calls, open;
  guint64 incl; /* ns */
} CsCallSite;

typedef struct
{
  guint process; /* index in the recording */
  guint pid;
  guint tid;
  guint64 seq;      /* of its first file */
  const char *name; /* (nullable) */
  guint64 enters, exits;
  guint64 unmatched, repaired, open, clamped;
  guint64 lost;       /* enters and exits known to be missing */
  gint64 first, last; /* ns, CLOCK_MONOTONIC; first > last: no events */
  guint64 self;       /* ns in which it had a frame open: the sum of self over its calls */
} CsThreadRow;

typedef struct
{
  guint64 events; /* enters and exits */
  guint64 unmatched, repaired, open, clamped, lost;
  gint64 first, last; /* ns, CLOCK_MONOTONIC; first > last: no events */
  guint64 self;       /* ns, over all threads */
  guint64 hook_ns;    /* the largest that a process measured */
} CsProfileTotals;

/* What a profile was made from. */
typedef enum
{
  CS_PROFILE_EVENTS,
  CS_PROFILE_SUMMARY, /* totals by function that the threads counted themselves: no call tree, no
                         call sites, no `total`, nothing repaired or open */
} CsProfileMode;

/* What a profile is to hold beyond what every one does. */
typedef struct
{
  gboolean call_sites; /* they are named too, if need be from libraries' debug files */
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

#define CS_TYPE_PROFILE (cs_profile_get_type ())
G_DECLARE_FINAL_TYPE (CsProfile, cs_profile, CS, PROFILE, GObject)

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
const CsProfileTotals *cs_profile_get_totals (CsProfile *self);
const CsFunction *cs_profile_get_functions (CsProfile *self, guint *n);
const CsCallNode *cs_profile_get_tree (CsProfile *self, guint *n);
const CsCallSite *cs_profile_get_call_sites (CsProfile *self, guint *n);
const CsThreadRow *cs_profile_get_threads (CsProfile *self, guint *n);
const char *const *cs_profile_get_notices (CsProfile *self);
const CsClock *cs_profile_get_clocks (CsProfile *self);
CsLandings *cs_profile_get_landings (CsProfile *self);
guint cs_profile_get_function_index (CsProfile *self, guint process, guint64 address);

G_END_DECLS
