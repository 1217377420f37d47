/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "receive/cs-receive-connection-private.h"

/* How long a chunk may stand still while others wait for memory. */
#define STILL_US (5 * G_USEC_PER_SEC)
/* How long what is under way is waited for when the receiver ends. */
#define DRAIN_US (2 * G_USEC_PER_SEC)
/* Nothing is, where so long nothing came. */
#define CALM_US (G_USEC_PER_SEC / 4)
/* After so long a connection may be one that the device knows no more. */
#define SILENT_US (2 * G_USEC_PER_SEC)

/* Whether a chunk comes in too slowly. */
static gboolean
is_slow (CsReceiveConnection *self, gint64 now)
{
  const CsReceiverOptions *options = self->shared->options;

  if (self->source == NULL || (self->state == AT_HEAD && self->got == 0) || now - self->window < (gint64) options->slow_ms * 1000)
    return FALSE;
  if (self->window_bytes < options->slow_bytes)
    return TRUE;
  self->window = now;
  self->window_bytes = 0;
  return FALSE;
}

/**
 * cs_receive_connection_check_time:
 * @self: a connection
 * @now: monotonic µs
 *
 * Ends it where it takes too long for what it does.
 */
void
cs_receive_connection_check_time (CsReceiveConnection *self, gint64 now)
{
  const CsReceiverOptions *options = self->shared->options;

  if (self->state == AT_LEAVING || self->state == AT_OPENING)
    return;
  if (self->drain_until != 0 && self->source != NULL)
    cs_receive_connection_read (self->socket, G_IO_IN, self);
  if (self->drain_until != 0 &&
      (now > self->drain_until || (self->source != NULL && self->state == AT_HEAD && self->got == 0 && now - self->last > CALM_US)))
    cs_receive_connection_leave (self, g_strdup ("the receiver was stopped"));
  else if (self->state < AT_OPENING && now - self->began > (gint64) options->handshake_ms * 1000)
    cs_receive_connection_leave (self, g_strdup_printf ("its handshake took longer than %g seconds", options->handshake_ms / 1000.0));
  else if (self->state < AT_OPENING)
    return;
  else if (is_slow (self, now))
    cs_receive_connection_leave (self, g_strdup_printf ("it sent less than %u bytes in %g seconds", options->slow_bytes, options->slow_ms / 1000.0));
  else if (self->source != NULL && self->state == AT_BODY && now - self->last > STILL_US && cs_receive_room_is_awaited (self->shared->room))
    cs_receive_connection_leave (self, g_strdup ("it stood still inside a chunk while others waited for memory"));
  else if (self->source != NULL && self->state == AT_HEAD && self->got == 0 && now - self->last > (gint64) options->idle_ms * 1000)
    cs_receive_connection_leave (self, g_strdup_printf ("it had nothing to say for %g seconds", options->idle_ms / 1000.0));
}

/**
 * cs_receive_connection_drain:
 * @self: a connection
 *
 * Takes what has come, and what is on its way in the next moments, and ends.
 */
void
cs_receive_connection_drain (CsReceiveConnection *self)
{
  self->drain_until = g_get_monotonic_time () + DRAIN_US;
  if (self->state < AT_OPENING)
    cs_receive_connection_leave (self, g_strdup ("the receiver was stopped"));
}

/**
 * cs_receive_connection_cut:
 * @self: a connection
 *
 * Ends it at once; what wasn't written yet is lost.
 */
void
cs_receive_connection_cut (CsReceiveConnection *self)
{
  cs_receive_connection_drop_queue (self);
  cs_receive_connection_leave (self, g_strdup ("the receiver was stopped at once"));
}

/**
 * cs_receive_connection_tell_progress:
 * @self: a connection
 *
 * Tells how much came so far, if it is a stream.
 */
void
cs_receive_connection_tell_progress (CsReceiveConnection *self)
{
  g_autofree char *sums = cs_receive_stats_dup_sums (&self->stats);

  if (self->folder != NULL)
    cs_receive_connection_tell (self, CS_RECEIVER_PROGRESS, "%s: %s: %s so far", self->peer, self->hello.device, sums);
}

/**
 * cs_receive_connection_makes_way:
 * @self: a connection
 * @other: another, whose device has said all of its handshake
 *
 * A device whose link broke connects again, and the receiver may not know yet that the first connection is dead: if it
 * is of the same stream and silent, it ends.
 *
 * Returns: whether @other has to wait for the end of this one, as both are of the same stream
 */
gboolean
cs_receive_connection_makes_way (CsReceiveConnection *self, const CsReceiveConnection *other)
{
  g_autofree char *identity = self != other && self->state > AT_OPENING ? cs_receive_hello_dup_identity (&self->hello) : NULL;
  g_autofree char *wanted = identity != NULL ? cs_receive_hello_dup_identity (&other->hello) : NULL;

  if (identity == NULL || g_strcmp0 (identity, wanted) != 0)
    return FALSE;
  if (self->state != AT_LEAVING && self->source != NULL && g_get_monotonic_time () - self->last > SILENT_US)
    cs_receive_connection_leave (self, g_strdup ("the device connected again"));
  return self->state == AT_LEAVING;
}

/**
 * cs_receive_connection_try_open:
 * @self: a connection
 *
 * Another one ended: if this one waited for that, it goes on.
 */
void
cs_receive_connection_try_open (CsReceiveConnection *self)
{
  if (self->state == AT_OPENING)
    cs_receive_connection_go_on (self);
}
