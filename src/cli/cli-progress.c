/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>
#include <unistd.h>

#include "cli.h"

/* A line on a terminal tells what takes longer than this. */
#define TELL_AFTER_US (G_USEC_PER_SEC / 2)

static gboolean
show (gpointer data)
{
  CliProgress *self = data;

  if (g_get_monotonic_time () - self->start < TELL_AFTER_US)
    return G_SOURCE_CONTINUE;
  fprintf (stderr, "\r%s… %.1f MB", self->what, (double) __atomic_load_n (&self->done, __ATOMIC_RELAXED) / 1e6);
  fflush (stderr);
  self->shown = TRUE;
  return G_SOURCE_CONTINUE;
}

/**
 * cli_progress_begin:
 * @self: (out): what shows how far something is; stays where it is
 * @what: (transfer none): what is being done
 * @quiet: show nothing
 *
 * From now on a line on a terminal tells how many bytes are done.
 */
void
cli_progress_begin (CliProgress *self, const char *what, gboolean quiet)
{
  *self = (CliProgress){ .what = what, .start = g_get_monotonic_time () };
  if (!quiet && isatty (STDERR_FILENO))
    self->timer = g_timeout_add (100, show, self);
}

/**
 * cli_progress_end:
 * @self: what shows how far something is
 *
 * Takes the line away.
 */
void
cli_progress_end (CliProgress *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->shown)
    fputs ("\r\033[K", stderr);
}
