/* SPDX-License-Identifier: MIT */
#pragma once

#include "flame/cs-flame-chips.h"
#include "flame/cs-flame-view.h"

G_BEGIN_DECLS

struct _CsFlameView
{
  AdwBin parent_instance;

  CsFlameCrumbs *crumbs;
  CsFlameSearch *search;
  AdwSqueezer *squeezer;
  GtkWidget *wide_options;
  GtkMenuButton *kind_button;
  GtkMenuButton *order_button;
  GtkMenuButton *shape_button;
  GtkMenuButton *options_button;
  GtkLabel *search_error;
  CsFlameChips *chips;
  GtkStack *stack;
  CsFlameChart *chart;
  CsFlameTable *table;
  AdwStatusPage *nothing;
  GtkButton *nothing_button;
  GtkLabel *status;
  GtkSpinner *spinner;
  GtkWidget *frame_menu; /* (nullable): of a frame */
  GtkWidget *chart_menu; /* (nullable): where there is none */

  GSimpleActionGroup *actions;
  CsSession *session;      /* (nullable) */
  GMenu *threads;          /* of the menus */
  CsFlamePicture *picture; /* (nullable): what is shown */
  CsFlameChoice choice;
  gboolean flame;          /* the outermost calls are at the bottom */
  gboolean table_shown;
  GArray *callers;         /* (element-type guint): path of the focus in a tree of callers, which is the view's own */
  guint thread;            /* the focus is in this one's calls: row; CS_FLAME_NO_THREAD: of any */
  gboolean going;          /* to a frame: its path changes now */
  gboolean other;          /* what is to be shown isn't what the picture shows and more */
  GCancellable *making;    /* (nullable): ends what makes the next picture */
  gboolean make_again;     /* more of the recording was read meanwhile */
  CsJob *job;              /* (nullable): that reads the recording for it */
  guint spinner_timer;
  guint status_tick;       /* the status is told anew with the next frame */
};

/* cs-flame-view.c */
void cs_flame_view_show_page (CsFlameView *self);
void cs_flame_view_show_table (CsFlameView *self);
void cs_flame_view_make_picture (CsFlameView *self);
void cs_flame_view_show_status (CsFlameView *self);
void cs_flame_view_update_actions (CsFlameView *self);

/* cs-flame-view-focus.c */
gboolean cs_flame_view_is_current (CsFlameView *self);
guint32 cs_flame_view_get_focus (CsFlameView *self);
guint32 cs_flame_view_get_focus_depth (CsFlameView *self);
void cs_flame_view_show_crumbs (CsFlameView *self);
void cs_flame_view_show_focus (CsFlameView *self);
void cs_flame_view_sync_focus (CsFlameView *self, gboolean animate);

/* cs-flame-view-options.c */
void cs_flame_view_load_options (CsFlameView *self);
void cs_flame_view_show_options (CsFlameView *self);

/* What the view's actions work with. */
CsSession *cs_flame_view_get_session (CsFlameView *self);
guint32 cs_flame_view_get_node (CsFlameView *self);
void cs_flame_view_go (CsFlameView *self, guint32 node);
void cs_flame_view_go_up_to (CsFlameView *self, guint depth);
const CsFlameChoice *cs_flame_view_get_choice (CsFlameView *self);
void cs_flame_view_set_choice (CsFlameView *self, const CsFlameChoice *choice);
gboolean cs_flame_view_get_flame (CsFlameView *self);
void cs_flame_view_set_flame (CsFlameView *self, gboolean flame);
gboolean cs_flame_view_get_table_shown (CsFlameView *self);
void cs_flame_view_set_table_shown (CsFlameView *self, gboolean shown);
void cs_flame_view_popup_options (CsFlameView *self);

/* Values of an option as settings and actions name them; ended by NULL. */
extern const char *const cs_flame_kinds[];  /* by CsFlameKind */
extern const char *const cs_flame_orders[]; /* by CsFlameOrder */
extern const char *const cs_flame_shapes[]; /* icicle, flame */
extern const char *const cs_flame_threads[]; /* merged, each */

/* Actions and menus. */
GSimpleActionGroup *cs_flame_actions_new (CsFlameView *self);
void cs_flame_actions_update (CsFlameView *self, GSimpleActionGroup *actions);
void cs_flame_fill_threads_menu (GMenu *menu, CsProfile *profile);
GMenuModel *cs_flame_make_kind_menu (GMenu *list);
GMenuModel *cs_flame_make_order_menu (void);
GMenuModel *cs_flame_make_shape_menu (void);
GMenuModel *cs_flame_make_frame_menu (CsFlameView *self);
GMenuModel *cs_flame_make_chart_menu (void);
const char *cs_flame_get_option_title (const char *action, const char *value);

G_END_DECLS
