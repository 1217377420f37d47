/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How many bytes of chunks may be in memory. In the main thread alone. */
typedef struct _CsReceiveRoom CsReceiveRoom;

/* Tells somebody who waited that there may be room. */
typedef void (*CsReceiveRoomFunc) (gpointer owner);

CsReceiveRoom *cs_receive_room_new (guint64 most, guint64 rest, CsReceiveRoomFunc wake);
void cs_receive_room_free (CsReceiveRoom *self);
gboolean cs_receive_room_take (CsReceiveRoom *self, gpointer owner, guint64 bytes);
void cs_receive_room_give (CsReceiveRoom *self, gpointer owner, guint64 bytes);
void cs_receive_room_leave (CsReceiveRoom *self, gpointer owner);
gboolean cs_receive_room_is_awaited (const CsReceiveRoom *self);

G_END_DECLS
