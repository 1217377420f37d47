/* SPDX-License-Identifier: MIT */
#pragma once

#include "flame/cs-flame-view.h"

G_BEGIN_DECLS

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
GMenuModel *cs_flame_make_kind_menu (CsSession *session);
GMenuModel *cs_flame_make_order_menu (void);
GMenuModel *cs_flame_make_shape_menu (void);
GMenuModel *cs_flame_make_frame_menu (CsFlameView *self);
const char *cs_flame_get_option_title (const char *action, const char *value);

G_END_DECLS
