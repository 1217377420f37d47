/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>

#include "cli-lines.h"
#include "cli.h"

/* Lines that wait to be printed; beyond that they are counted. */
#define WAITING_MOST 10000
/* How long the end waits for somebody to read. */
#define END_US (2 * G_USEC_PER_SEC)

typedef struct
{
  gboolean is_notice;
  char *text;
} Line;

struct _CliLines
{
  GMutex lock;
  GCond changed;
  GQueue lines; /* (element-type Line) */
  guint left_out;
  gboolean ending, ended;
};

static void
print_line (Line *line)
{
  if (line->is_notice)
    cli_notice (line->text);
  else
    {
      fputs (line->text, stdout);
      fputc ('\n', stdout);
      fflush (stdout);
    }
  g_free (line->text);
  g_free (line);
}

/* The next line; NULL at the end. */
static Line *
take (CliLines *self)
{
  Line *line;

  g_mutex_lock (&self->lock);
  while (self->lines.length == 0 && self->left_out == 0 && !self->ending)
    g_cond_wait (&self->changed, &self->lock);
  line = g_queue_pop_head (&self->lines);
  if (line == NULL && self->left_out > 0)
    {
      line = g_new0 (Line, 1);
      line->is_notice = TRUE;
      line->text = g_strdup_printf ("%u lines are left out here: nobody read them in time", self->left_out);
      self->left_out = 0;
    }
  self->ended = line == NULL;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  return line;
}

static gpointer
print_lines (gpointer data)
{
  Line *line;

  while ((line = take (data)) != NULL)
    print_line (line);
  return NULL;
}

/**
 * cli_lines_new:
 *
 * Returns: (transfer full): what prints lines; cli_lines_end() frees it
 */
CliLines *
cli_lines_new (void)
{
  CliLines *self = g_new0 (CliLines, 1);

  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_queue_init (&self->lines);
  g_thread_unref (g_thread_new ("lines", print_lines, self));
  return self;
}

/**
 * cli_lines_add:
 * @self: what prints lines
 * @is_notice: whether it goes to standard error, as notices do
 * @text: a line without its end
 *
 * Never waits.
 */
void
cli_lines_add (CliLines *self, gboolean is_notice, const char *text)
{
  g_mutex_lock (&self->lock);
  if (self->lines.length >= WAITING_MOST)
    self->left_out++;
  else
    {
      Line *line = g_new0 (Line, 1);

      line->is_notice = is_notice;
      line->text = g_strdup (text);
      g_queue_push_tail (&self->lines, line);
    }
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/**
 * cli_lines_end:
 * @self: (transfer full): what prints lines
 *
 * Waits until all lines are printed, but not for long where nobody reads them; then the thread may still print one when
 * the program ends.
 */
void
cli_lines_end (CliLines *self)
{
  gint64 until = g_get_monotonic_time () + END_US;
  gboolean ended;

  g_mutex_lock (&self->lock);
  self->ending = TRUE;
  g_cond_broadcast (&self->changed);
  while (!self->ended && g_cond_wait_until (&self->changed, &self->lock, until))
    continue;
  ended = self->ended;
  g_mutex_unlock (&self->lock);
  if (!ended)
    return; /* the thread still has it */
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}
