/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "receive/cs-receive-room.h"

/* Owners take more as bytes of their chunks come. When all have begun chunks and none has room to end one, they would
 * wait for each other: so some room is kept back, and one owner at a time may use it until its chunk is done. */
struct _CsReceiveRoom
{
  guint64 most, used;
  guint64 rest, rest_used;
  gpointer rest_owner; /* NULL: nobody */
  GQueue waiting;      /* owners, the first one longest */
  CsReceiveRoomFunc wake;
};

/**
 * cs_receive_room_new:
 * @most: bytes for all
 * @rest: bytes for one who can't go on without
 * @wake: called for who waits when there may be room
 *
 * Returns: (transfer full): the room
 */
CsReceiveRoom *
cs_receive_room_new (guint64 most, guint64 rest, CsReceiveRoomFunc wake)
{
  CsReceiveRoom *self = g_new0 (CsReceiveRoom, 1);

  self->most = most;
  self->rest = rest;
  self->wake = wake;
  g_queue_init (&self->waiting);
  return self;
}

/**
 * cs_receive_room_free:
 * @self: (transfer full): a room in which nobody has anything
 */
void
cs_receive_room_free (CsReceiveRoom *self)
{
  g_queue_clear (&self->waiting);
  g_free (self);
}

/**
 * cs_receive_room_take:
 * @self: the room
 * @owner: who takes it
 * @bytes: how much
 *
 * Where there is none, the owner is woken when there may be.
 *
 * Returns: whether the owner has it now
 */
gboolean
cs_receive_room_take (CsReceiveRoom *self, gpointer owner, guint64 bytes)
{
  if (self->used + bytes <= self->most)
    {
      self->used += bytes;
      return TRUE;
    }
  if ((self->rest_owner == NULL || self->rest_owner == owner) && self->rest_used + bytes <= self->rest)
    {
      self->rest_owner = owner;
      self->rest_used += bytes;
      return TRUE;
    }
  if (g_queue_find (&self->waiting, owner) == NULL)
    g_queue_push_tail (&self->waiting, owner);
  return FALSE;
}

/**
 * cs_receive_room_give:
 * @self: the room
 * @owner: who gives it back
 * @bytes: how much of what it took
 */
void
cs_receive_room_give (CsReceiveRoom *self, gpointer owner, guint64 bytes)
{
  GQueue waiting = G_QUEUE_INIT;
  gpointer one;

  if (owner == self->rest_owner)
    {
      guint64 n = MIN (bytes, self->rest_used);

      self->rest_used -= n;
      bytes -= n;
      if (self->rest_used == 0)
        self->rest_owner = NULL;
    }
  self->used -= bytes;
  /* Those who still find none queue up again, in the same order. */
  while ((one = g_queue_pop_head (&self->waiting)) != NULL)
    g_queue_push_tail (&waiting, one);
  while ((one = g_queue_pop_head (&waiting)) != NULL)
    self->wake (one);
}

/**
 * cs_receive_room_leave:
 * @self: the room
 * @owner: who waits no more
 */
void
cs_receive_room_leave (CsReceiveRoom *self, gpointer owner)
{
  g_queue_remove_all (&self->waiting, owner);
}

/**
 * cs_receive_room_is_awaited:
 * @self: the room
 *
 * Returns: whether somebody waits
 */
gboolean
cs_receive_room_is_awaited (const CsReceiveRoom *self)
{
  return self->waiting.length > 0;
}
