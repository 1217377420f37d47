/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-locations.h"
#include "profile/cs-profile.h"
#include "profile/cs-track-pass.h"

G_BEGIN_DECLS

typedef struct _CsPartial CsPartial;

/* What a profile holds; see cs-profile.h. */
typedef struct
{
  double done; /* what part of the recording has been read; 1: all */
  CsProfileTotals totals;
  CsFunction *functions;
  CsCallNode *nodes;
  CsCallSite *sites;
  CsThreadRow *threads;
  CsSlowCall *slowest; /* by function */
  CsCallEdge *edges;   /* by callee and caller */
  guint n_functions, n_nodes, n_sites, n_threads, n_slowest, n_edges;
  CsProfileFilter filter;
  CsPassFilter *pass_filter; /* (nullable) */
  GArray *cuts; /* (element-type CsCut) */
  char **notices;
  GStringChunk *strings;
  GHashTable *index; /* FunctionKey → function index + 1 */
  CsClock *clocks;   /* by process index */
  CsLandings *landings;
  GHashTable *files; /* (nullable): what an index of time calls event files, while one is made */
  CsTimeline *timeline; /* (nullable) */
  gboolean by_thread;   /* what passes count is to be a call tree a thread */
  gboolean *anchored; /* by process index: whether its clock's rate comes from an anchor */
} CsProfileData;

gboolean cs_profile_data_build (CsProfileData *data, CsRecording *recording, CsSymbolizer *symbolizer,
                                const CsProfileOptions *options, guint64 *bytes_done,
                                GCancellable *cancellable, GError **error);
gboolean cs_profile_data_sum (CsProfileData *data, CsRecording *recording, CsSymbolizer *symbolizer,
                              const CsProfileOptions *options, GPtrArray *passes,
                              GCancellable *cancellable, GError **error);
guint cs_profile_find_counted (CsProfile *self, const CsPassCounts *counts, guint64 address);
CsProfile *cs_profile_new_take (CsRecording *recording, CsProfileData *data);
gboolean cs_profile_data_build_summary (CsProfileData *data, CsRecording *recording, CsSymbolizer *symbolizer,
                                        const CsProfileOptions *options, guint64 *bytes_done, GCancellable *cancellable, GError **error);
void cs_profile_data_init (CsProfileData *data, CsRecording *recording, const CsProfileFilter *filter);
void cs_profile_data_build_edges (CsProfileData *data);
void cs_profile_data_clear (CsProfileData *data);
void cs_profile_data_note (CsProfileData *data, guint process, const CsModule *module, guint64 address, guint index);
guint cs_profile_data_find (const CsProfileData *data, guint process, const CsModule *module, guint64 address);
GArray *cs_profile_data_dup_addresses (const CsProfileData *data, guint index);

void cs_profile_add_notices (CsNotices *notices, CsRecording *recording, GPtrArray *passes,
                             const CsProfileData *data);
void cs_profile_add_summary_notices (CsNotices *notices, CsRecording *recording,
                                     const CsProfileData *data, guint n_unclear);
guint cs_profile_count_filter_notices (const CsProfileData *data);
char **cs_profile_finish_notices (CsNotices *notices, CsSymbolizer *symbolizer, CsLocations *locations);
int cs_profile_compare_functions (const CsFunction *a, const CsFunction *b);
int cs_profile_compare_threads (gconstpointer a, gconstpointer b);
gboolean cs_profile_run_passes (CsRecording *recording, const CsProfileData *data, const CsProfileOptions *options,
                                CsPartial *partial, GPtrArray *passes, guint *next_serial, guint64 *bytes_done,
                                GCancellable *cancellable);
void cs_partial_add_unread (const CsProfileData *data, CsRecording *recording, GArray *rows);

G_END_DECLS
