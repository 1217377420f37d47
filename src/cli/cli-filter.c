/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli.h"

/**
 * cli_filter_clear:
 * @self: options as given
 */
void
cli_filter_clear (CliFilter *self)
{
  g_free (self->from);
  g_free (self->to);
  g_free (self->thread);
  g_free (self->function);
}

static gboolean
parse_time (const char *option, const char *text, gboolean *given, gint64 *ns)
{
  *given = text != NULL;
  if (text == NULL || cs_profile_filter_parse_time (text, ns))
    return TRUE;
  cli_error ("%s %s: not a time — give seconds after the recording's start, or a number with ns, us, ms, s, min or h",
             option, text);
  return FALSE;
}

/**
 * cli_filter_check:
 * @self: options as given
 * @filter: (out caller-allocates): what they mean; to be cleared by the caller
 *
 * Returns: whether they are right; if not, the person has been told
 */
gboolean
cli_filter_check (const CliFilter *self, CsProfileFilter *filter)
{
  filter->relative = TRUE;
  if (!parse_time ("--from", self->from, &filter->has_from, &filter->from) ||
      !parse_time ("--to", self->to, &filter->has_to, &filter->to))
    return FALSE;
  if (filter->has_to && filter->to <= (filter->has_from ? filter->from : 0))
    {
      cli_error ("--to %s: ends no later than it begins — give a time after that of --from", self->to);
      return FALSE;
    }
  if (!cli_check_name ("--thread", self->thread) || !cli_check_name ("--function", self->function))
    return FALSE;
  if (self->pid < 0)
    {
      cli_error ("--pid %d: not the id of a process", self->pid);
      return FALSE;
    }
  filter->pid = (guint) self->pid;
  filter->thread = g_strdup (self->thread);
  filter->function = g_strdup (self->function);
  return TRUE;
}
