/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A place in a list. What is there, its list's owner knows. Signal "changed": it is something else. */
#define CS_TYPE_PLACE (cs_place_get_type ())
G_DECLARE_FINAL_TYPE (CsPlace, cs_place, CS, PLACE, GObject)

guint cs_place_get_position (CsPlace *self);

/* A GListModel of places, of which there may be millions: they are made when they are asked for, and stay when other
 * things come there, since widgets of a row cost far more than its text. */
#define CS_TYPE_PLACES (cs_places_get_type ())
G_DECLARE_FINAL_TYPE (CsPlaces, cs_places, CS, PLACES, GObject)

CsPlaces *cs_places_new (void);
void cs_places_update (CsPlaces *self, guint n, guint first);
void cs_places_complete (CsPlaces *self);
gboolean cs_places_is_complete (CsPlaces *self);
guint cs_places_get_n (CsPlaces *self);
void cs_places_follow (CsPlaces *self, GtkAdjustment *adjustment);

G_END_DECLS
