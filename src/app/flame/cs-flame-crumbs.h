/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* What the action that a crumb does is given: how many functions of the path stay. */
#define CS_FLAME_CRUMBS_ACTION "flame-graph.up-to"

/* The path from all calls to what a flame graph shows. A long one is shortened in the middle. */
#define CS_TYPE_FLAME_CRUMBS (cs_flame_crumbs_get_type ())
G_DECLARE_FINAL_TYPE (CsFlameCrumbs, cs_flame_crumbs, CS, FLAME_CRUMBS, AdwBin)

typedef char *(*CsFlameCrumbName) (guint i, gpointer data); /* 0: of all calls; then of the path's functions */

void cs_flame_crumbs_set (CsFlameCrumbs *self, guint n, CsFlameCrumbName dup_name, gpointer data);
char *cs_flame_crumbs_dup_text (CsFlameCrumbs *self);

G_END_DECLS
