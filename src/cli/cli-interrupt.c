/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib-unix.h>
#include <signal.h>

#include "cli.h"

static gboolean
interrupt (CliInterrupt *self, int number)
{
  self->number = number;
  g_cancellable_cancel (self->cancellable);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_interrupt (gpointer data)
{
  return interrupt (data, SIGINT);
}

static gboolean
on_terminate (gpointer data)
{
  return interrupt (data, SIGTERM);
}

static gboolean
on_hangup (gpointer data)
{
  return interrupt (data, SIGHUP);
}

/**
 * cli_interrupt_begin:
 * @self: (out): what signals do from now on; stays where it is
 *
 * Signals that are meant to end the program end its work, so that nothing half-written is left.
 */
void
cli_interrupt_begin (CliInterrupt *self)
{
  *self = (CliInterrupt){ .cancellable = g_cancellable_new () };
  self->sources[0] = g_unix_signal_add (SIGINT, on_interrupt, self);
  self->sources[1] = g_unix_signal_add (SIGTERM, on_terminate, self);
  self->sources[2] = g_unix_signal_add (SIGHUP, on_hangup, self);
}

/**
 * cli_interrupt_end:
 * @self: what signals do
 * @error: (nullable): why the work ended
 *
 * If a signal ended the work, ends as a program does that the signal was meant for.
 */
void
cli_interrupt_end (CliInterrupt *self, const GError *error)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->sources); i++)
    g_source_remove (self->sources[i]);
  g_clear_object (&self->cancellable);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      signal (self->number, SIG_DFL);
      raise (self->number);
    }
}
