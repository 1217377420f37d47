/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-config-edit.h"
#include "selection/cs-selection-private.h"

G_BEGIN_DECLS

/* A config on its way to choosing what is wanted. */
typedef struct
{
  CsSelection *before;       /* what was chosen first */
  CsCallGraph *graph;        /* (nullable) */
  CsTraceConfig *config;     /* as it is now */
  CsSelection *now;          /* (nullable): what that chooses; NULL: lines were changed since */

  guint8 *want;              /* by function: whether it is to be chosen */
  guint8 *want_file;         /* by file: the same of one without functions that are known */
  guint8 *switched;          /* by file: it is to be switched wholly, or one line can do that along with others */
  guint8 *named;             /* by function: it is to be switched */

  gboolean keep_lines;       /* don't begin with taking out what says the opposite */
  gboolean by_name;          /* a function that no exclude-func line can tell from wanted ones is left out of include-func lines */
  gboolean by_include;       /* where no line says what to include, say it instead of excluding the rest */
  GHashTable *forced;        /* (element-type utf8): values of lines that take more than is wanted, and stay */
  char *problem;             /* (nullable): why a line can't be written */
} CsConfigEdit;

/* A pattern for some files that lie side by side. */
typedef struct
{
  char *pattern;
  guint first, end; /* files */
  gboolean is_folder;
} CsConfigCover;

/* cs-config-edit.c */
CsConfigEdit *cs_config_edit_new (CsSelection *selection, CsCallGraph *graph);
void cs_config_edit_free (CsConfigEdit *self);
void cs_config_edit_want_chosen (CsConfigEdit *self, const CsSelection *selection);
gsize cs_config_edit_count_including (const CsTraceConfig *config);
CsSelection *cs_config_edit_find_best (CsConfigEdit *first, char **warning, GError **error);
CsTraceConfig *cs_config_edit_take_config (CsSelection *selection, char **warning, char *told);
CsSelection *cs_config_edit_switch_files (CsSelection *selection, CsCallGraph *graph, const guint32 *files, gsize n_files,
                                          gboolean on, char **warning, GError **error);

/* cs-config-edit-functions.c */
CsSelection *cs_config_edit_give (CsSelection *selection, CsCallGraph *graph, const guint32 *functions, gsize n_functions,
                                  CsFunctionAction action, int depth, char **warning, GError **error);

/* cs-config-edit-lines.c, cs-config-edit-cover.c, cs-config-edit-approach.c */
const CsSourceFunction *cs_config_edit_get_function (const CsConfigEdit *self, guint32 function);
void cs_config_edit_get_of_file (const CsConfigEdit *self, guint file, gsize *first, gsize *end);
CsFileChoice cs_config_edit_get_wanted (const CsConfigEdit *self, guint file);
gboolean cs_config_edit_fits (const CsConfigEdit *self, guint file);
GArray *cs_config_edit_cover (const CsConfigEdit *self, const guint8 *files, gboolean wanted, GHashTable *avoid);
gboolean cs_config_edit_add_line (CsConfigEdit *self, CsDirectiveKind kind, const char *value, int depth);
char *cs_config_edit_name_function (const CsConfigEdit *self, guint32 function);
char *cs_config_edit_name_excluded (const CsConfigEdit *self, guint32 function);
void cs_config_edit_take_out (CsConfigEdit *self, gsize directive);
gboolean cs_config_edit_choose (CsConfigEdit *self, GError **error);
gboolean cs_config_edit_approach (CsConfigEdit *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsConfigEdit, cs_config_edit_free)

G_END_DECLS
