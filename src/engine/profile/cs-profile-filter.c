/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fnmatch.h>
#include <string.h>

#include "profile/cs-profile-filter.h"

/**
 * cs_profile_filter_is_empty:
 * @self: a filter
 *
 * Returns: whether it leaves nothing out
 */
gboolean
cs_profile_filter_is_empty (const CsProfileFilter *self)
{
  return !self->has_from && !self->has_to && self->pid == 0 && self->thread == NULL && self->function == NULL;
}

/**
 * cs_profile_filter_copy:
 * @self: (out): a filter
 * @other: another
 *
 * Makes @self the same as @other, with strings of its own.
 */
void
cs_profile_filter_copy (CsProfileFilter *self, const CsProfileFilter *other)
{
  *self = *other;
  self->thread = g_strdup (other->thread);
  self->function = g_strdup (other->function);
}

/**
 * cs_profile_filter_clear:
 * @self: a filter, which leaves nothing out afterwards
 */
void
cs_profile_filter_clear (CsProfileFilter *self)
{
  g_free (self->thread);
  g_free (self->function);
  *self = (CsProfileFilter){ 0 };
}

/**
 * cs_profile_filter_parse_time:
 * @text: a decimal number and its unit, ns, us, µs, ms, s, min or h; without one, seconds
 * @ns: (out): the time, ns
 *
 * Returns: whether @text is a time of at most 292 years, down to whole ns
 */
gboolean
cs_profile_filter_parse_time (const char *text, gint64 *ns)
{
  static const struct { const char *name; guint64 ns; } units[] = {
    { "", G_GUINT64_CONSTANT (1000000000) },   { "s", G_GUINT64_CONSTANT (1000000000) },
    { "ms", 1000000 }, { "us", 1000 }, { "µs", 1000 }, { "ns", 1 },
    { "min", G_GUINT64_CONSTANT (60000000000) }, { "h", G_GUINT64_CONSTANT (3600000000000) },
  };
  unsigned __int128 value = 0, scale = 1;
  gboolean fraction = FALSE;
  guint digits = 0;

  for (; g_ascii_isdigit (*text) || (*text == '.' && !fraction); text++)
    {
      if (*text == '.')
        {
          fraction = TRUE;
          continue;
        }
      if (++digits > 24)
        return FALSE;
      value = value * 10 + (guint) (*text - '0');
      scale *= fraction ? 10 : 1;
    }
  while (*text == ' ')
    text++;
  for (guint i = 0; digits > 0 && i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (text, units[i].name))
      {
        unsigned __int128 exact = value * units[i].ns;

        if (exact % scale != 0 || exact / scale > G_MAXINT64)
          return FALSE;
        *ns = (gint64) (exact / scale);
        return TRUE;
      }
  return FALSE;
}

/* Without what follows the name of a C++ function. */
static gboolean
matches_before_arguments (const char *pattern, const char *name)
{
  const char *end = strrchr (name, ')');
  g_autofree char *bare = NULL;
  int depth = 0;

  while (end != NULL && end > name)
    {
      depth += *end == ')' ? 1 : *end == '(' ? -1 : 0;
      if (depth == 0)
        break;
      end--;
    }
  if (end == NULL || end == name)
    return FALSE;
  bare = g_strndup (name, (gsize) (end - name));
  return fnmatch (pattern, bare, 0) == 0;
}

/**
 * cs_function_name_matches:
 * @glob: a pattern with *, ? and […]
 * @name: a function's name
 *
 * Returns: whether the name matches, with or without the arguments of a C++ function
 */
gboolean
cs_function_name_matches (const char *glob, const char *name)
{
  return fnmatch (glob, name, 0) == 0 || matches_before_arguments (glob, name);
}
