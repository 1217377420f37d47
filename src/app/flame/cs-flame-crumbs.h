/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What the action that a crumb does is given: how many functions of the path stay. */
#define CS_FLAME_CRUMBS_ACTION "flame-graph.up-to"

/* The path from all calls to what a flame graph shows. Where it is too long for the room that there is, those in the
 * middle are in a menu. */
#define CS_TYPE_FLAME_CRUMBS (cs_flame_crumbs_get_type ())
G_DECLARE_FINAL_TYPE (CsFlameCrumbs, cs_flame_crumbs, CS, FLAME_CRUMBS, GtkWidget)

typedef char *(*CsFlameCrumbName) (guint i, gpointer data); /* 0: of all calls; then of the path's functions */

void cs_flame_crumbs_set (CsFlameCrumbs *self, guint n, CsFlameCrumbName dup_name, gpointer data);
char *cs_flame_crumbs_dup_text (CsFlameCrumbs *self);

G_END_DECLS
