/* SPDX-License-Identifier: MIT */
#pragma once

#include "compare/cs-compare-view.h"
#include "session/cs-recordings-model.h"

G_BEGIN_DECLS

struct _CsCompareView
{
  AdwBin parent_instance;

  GtkSearchBar *search_bar;
  GtkSearchEntry *search_entry;
  GtkToggleButton *regex_button;
  GtkLabel *search_error;
  GtkDropDown *bases;
  GtkLabel *subtitle;
  GtkSpinner *spinner;
  GtkStack *stack;
  AdwStatusPage *status;
  GtkProgressBar *progress;
  GtkWidget *cancel_button, *open_button, *retry_button;
  GtkPaned *paned;
  GtkStack *flame_stack;
  CsDeltaFlame *flame;
  AdwStatusPage *obstacle;
  GtkDropDown *keys;
  GtkEntry *threshold;
  GtkLabel *unit;
  CsDeltaTable *table;
  GtkLabel *notices, *totals;
  GtkLabel *function_name, *histogram_text;
  CsHistogramPairChart *histogram;
  GtkWidget *table_menu, *flame_menu; /* (nullable) */

  GSimpleActionGroup *actions;
  CsSession *session;       /* (nullable) */
  CsRecordingsModel *recordings; /* (nullable): of the session's project */
  CsComparison *comparison; /* (nullable) */
  GListStore *choices;
  GArray *shown_keys;       /* (element-type guint): places in the table of keys, of what the drop-down has */
  guint key;                /* the place of what was chosen */
  guint key_idle;           /* a source: what was typed is about to be applied */
  guint number;             /* of the function that is selected; G_MAXUINT: none */
  gboolean syncing;         /* widgets are told what is so */
  gboolean chosen;          /* the base by a person, rather than by the view */
};

CsCompareSides *cs_compare_view_get_sides (CsCompareView *self);
guint cs_compare_view_get_number (CsCompareView *self);

/* cs-compare-actions.c */
GSimpleActionGroup *cs_compare_actions_new (CsCompareView *self);
void cs_compare_actions_update_flame (CsCompareView *self);
void cs_compare_actions_load (CsCompareView *self, GSimpleActionGroup *actions);
void cs_compare_actions_update (CsCompareView *self, GSimpleActionGroup *actions);

/* cs-compare-menus.c */
void cs_compare_view_add_menus (CsCompareView *self);
void cs_compare_view_remove_menus (CsCompareView *self);

/* cs-compare-status.c */
const char *cs_compare_view_get_open_path (CsCompareView *self);
char *cs_compare_view_dup_new_title (CsCompareView *self);
void cs_compare_view_show_subtitle (CsCompareView *self);
void cs_compare_view_show_status_page (CsCompareView *self, CsComparisonState state);

/* cs-compare-keys.c */
void cs_compare_view_show_keys (CsCompareView *self, const CsCompareSides *sides);
void cs_compare_view_apply_key (CsCompareView *self);
void cs_compare_view_load_key (CsCompareView *self);
void cs_compare_view_on_key_changed (CsCompareView *self);
void cs_compare_view_on_threshold_changed (CsCompareView *self);
char *cs_compare_key_dup_totals (const CsDiff *diff);

G_END_DECLS
