/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-call-graph.h"
#include "selection/cs-trace-config.h"

G_BEGIN_DECLS

#define CS_SELECTION_ERROR (cs_selection_error_quark ())

typedef enum
{
  CS_SELECTION_ERROR_SEED,     /* include-func or counter-func names no function of the sources */
  CS_SELECTION_ERROR_COMPILER, /* the compiler can't do what the rules ask for */
  CS_SELECTION_ERROR_SIZE,     /* more options than a compiler takes */
  CS_SELECTION_ERROR_FILE,     /* a selection file can't be read or written */
} CsSelectionError;

GQuark cs_selection_error_quark (void);

typedef enum
{
  CS_FILE_NOT_CHOSEN,
  CS_FILE_PARTLY_CHOSEN, /* some functions of it */
  CS_FILE_CHOSEN,
} CsFileChoice;

/* What a trace.config chooses of a source tree. It never changes. */
typedef struct _CsSelection CsSelection;

/* How many of what. */
typedef struct
{
  guint sources, sources_chosen;     /* files that aren't headers; chosen wholly or partly */
  guint headers, headers_chosen;
  guint functions, functions_chosen; /* of all files, headers included */
  guint subtree, subtree_files;      /* reached from include-func, before exclude rules; in so many files */
} CsSelectionCounts;

/* What a selection file says besides which functions (docs/formats.md, Selection). */
typedef struct
{
  gboolean after_inlining;
  gboolean widen;       /* a compiler that chooses by file takes partly chosen files wholly */
  gboolean no_inline;
  const char *runtime;  /* (nullable): folder of trace.c */
  const char *command;  /* (nullable): the callsight-cli that refreshes the file */
  const char *const *mirrors; /* (nullable): folders that hold a copy of the root */
} CsSelectionFileOptions;

CsSelection *cs_selection_new (const CsTraceConfig *config, CsFunctionIndex *index, CsCallGraph *graph,
                               GError **error);
CsSelection *cs_selection_new_sync (const CsTraceConfig *config, const char *root, GCancellable *cancellable,
                                    GError **error);
CsSelection *cs_selection_new_of_files (const CsTraceConfig *config, CsSourceTree *tree);
CsSelection *cs_selection_new_of_list (const CsTraceConfig *config, const char *root, GPtrArray *files);
CsSelection *cs_selection_new_like (const CsSelection *other, const CsTraceConfig *config, CsCallGraph *graph,
                                    GError **error);
gboolean cs_selection_needs_functions (const CsTraceConfig *config);
gboolean cs_selection_needs_graph (const CsTraceConfig *config);
CsSelection *cs_selection_ref (CsSelection *self);
void cs_selection_unref (CsSelection *self);
CsFunctionIndex *cs_selection_get_index (const CsSelection *self);
GPtrArray *cs_selection_get_files (const CsSelection *self);
const char *cs_selection_get_root (const CsSelection *self);
const CsTraceConfig *cs_selection_get_config (const CsSelection *self);
gboolean cs_selection_match_path (const CsSelection *self, const char *path);
CsFileChoice cs_selection_get_file (const CsSelection *self, guint file);
gboolean cs_selection_has_function (const CsSelection *self, guint32 function);
gboolean cs_selection_has_counter (const CsSelection *self, guint32 function);
void cs_selection_get_reached (const CsSelection *self, gsize directive, guint *functions, guint *files);
const CsSelectionCounts *cs_selection_get_counts (const CsSelection *self);
const char *const *cs_selection_get_warnings (const CsSelection *self);
GPtrArray *cs_selection_list_overmatch (const CsSelection *self);
gboolean cs_selection_write (const CsSelection *self, const char *config_path, const char *path,
                             const CsSelectionFileOptions *options, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsSelection, cs_selection_unref)

G_END_DECLS
