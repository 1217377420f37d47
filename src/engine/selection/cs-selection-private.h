/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-selection.h"

G_BEGIN_DECLS

/* What is known of a function. */
enum
{
  SELECTION_CHOSEN = 1 << 0,
  SELECTION_SUBTREE = 1 << 1, /* reached from an include-func rule */
  SELECTION_COUNTED = 1 << 2, /* a counter rule takes it */
};

/* What a rule with a function's name reaches. */
typedef struct
{
  guint functions, files;
} SelectionReached;

/* A path in each of the ways in which patterns see it. */
typedef struct
{
  const char *path;     /* relative to the root, if it is near */
  const char *absolute;
} SelectionPlace;

typedef struct _SelectionRules SelectionRules;

/* Gets the number of a directive; returns whether to go on. */
typedef gboolean (*SelectionRuleFunc) (guint directive, gpointer user_data);

struct _CsSelection
{
  gatomicrefcount ref_count;
  CsTraceConfig *config;
  SelectionRules *rules;  /* its rules for files and names */
  CsFunctionIndex *index; /* (nullable): only the files are known */
  char *root;
  GPtrArray *files;       /* of CsSourceFile */
  guint8 *file_choices;   /* CsFileChoice each */
  guint8 *functions;      /* of the index: SELECTION_… */
  SelectionReached *reached; /* of each directive */
  CsSelectionCounts counts;
  GPtrArray *warnings;    /* of char *, NULL at the end */
};

char *cs_selection_dup_printed (const char *name);
gboolean cs_selection_is_conversion (const CsSourceFunction *function);
void cs_selection_append_printed (GString *text, const CsSourceFunction *function);
void cs_selection_append_variants (GPtrArray *texts, const CsSourceFunction *function);
gboolean cs_selection_is_name_excluded (const CsSelection *self, const char *printed);
gboolean cs_selection_match (const CsDirective *rule, const SelectionPlace *place);
gboolean cs_selection_rule_match (const CsSelection *self, const CsDirective *rule, const char *path);

/* cs-selection-rules.c */
SelectionRules *cs_selection_rules_new (const CsTraceConfig *config);
void cs_selection_rules_free (SelectionRules *self);
void cs_selection_rules_each (const SelectionRules *self, CsDirectiveKind kind, const char *text, const SelectionPlace *place,
                              SelectionRuleFunc func, gpointer user_data);
gboolean cs_selection_rules_match (const SelectionRules *self, CsDirectiveKind kind, const char *text,
                                   const SelectionPlace *place);

/* cs-selection-seeds.c */
GArray *cs_selection_find_seeds (CsFunctionIndex *index, const char *name);
gboolean cs_selection_is_seed (CsFunctionIndex *index, guint32 function, const char *name);
char *cs_selection_propose (CsFunctionIndex *index, const char *name);
void cs_selection_set_seed_error (CsFunctionIndex *index, const CsTraceConfig *config, const CsDirective *rule,
                                  GError **error);

/* cs-selection-warnings.c */
void cs_selection_warn (CsSelection *self);

G_END_DECLS
