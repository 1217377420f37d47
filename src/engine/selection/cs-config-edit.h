/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-selection.h"

G_BEGIN_DECLS

/* What a config does with a function, as a person sets it. */
typedef enum
{
  CS_FUNCTION_OFF,     /* not chosen, and no exclude-func line is why: its file isn't, or is excluded */
  CS_FUNCTION_TRACE,   /* chosen */
  CS_FUNCTION_SUBTREE, /* chosen; an include-func line names it and follows its calls */
  CS_FUNCTION_EXCLUDE, /* not chosen, because an exclude-func line takes its name */
  CS_FUNCTION_COUNT,   /* chosen; a counter-func line names it */
} CsFunctionAction;

/* A line that differs between two texts, or one beside it that doesn't. */
typedef struct
{
  char sign;       /* '+': only in the new text; '-': only in the old one; ' ': in both; '@': lines are left out here */
  guint old_line;  /* from 1; 0 of '+' and '@' */
  guint new_line;  /* from 1; 0 of '-' and '@' */
  char *text;      /* without its end, valid UTF-8; "" of '@' */
} CsConfigDiffLine;

CsTraceConfig *cs_config_edit_set_files (CsSelection *selection, CsCallGraph *graph, const guint32 *files, gsize n_files,
                                         gboolean on, char **warning, GError **error);
CsTraceConfig *cs_config_edit_set_functions (CsSelection *selection, CsCallGraph *graph, const guint32 *functions,
                                             gsize n_functions, CsFunctionAction action, int depth, char **warning,
                                             GError **error);
guint8 *cs_config_edit_list_actions (const CsSelection *selection);
CsFunctionAction cs_config_edit_get_action (const CsSelection *selection, guint32 function, int *depth);
const char *cs_function_action_get_name (CsFunctionAction action);
GPtrArray *cs_config_diff (const char *before, const char *after, guint context);
void cs_config_diff_line_free (CsConfigDiffLine *line);

G_END_DECLS
