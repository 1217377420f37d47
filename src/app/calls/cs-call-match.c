/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "calls/cs-call-match.h"
#include "tables/cs-search-texts.h"

typedef enum
{
  UNKNOWN,
  MISSES,
  MATCHES,
} Answer;

struct _CsCallMatch
{
  CsProfile *profile;
  const CsFunction *functions;
  guint n;
  guint process;
  char *needle;     /* casefolded */
  GRegex *regex;    /* (nullable) */
  guint8 *answers;  /* Answer, by function */
};

/**
 * cs_call_match_new:
 * @profile: a profile
 * @process: index of the process whose addresses are asked for
 * @search: what functions have in their name, place or module; not empty
 * @regex: whether it is a regular expression
 * @error: where to say what is wrong with it
 *
 * Returns: (transfer full) (nullable): the search
 */
CsCallMatch *
cs_call_match_new (CsProfile *profile, guint process, const char *search, gboolean regex, GError **error)
{
  CsCallMatch *self;
  GRegex *compiled = NULL;

  if (regex)
    {
      compiled = cs_search_make_regex (search, error);
      if (compiled == NULL)
        return NULL;
    }
  self = g_new0 (CsCallMatch, 1);
  self->profile = g_object_ref (profile);
  self->functions = cs_profile_get_functions (profile, &self->n);
  self->process = process;
  self->needle = g_utf8_casefold (search, -1);
  self->regex = compiled;
  self->answers = g_new0 (guint8, self->n + 1);
  return self;
}

/**
 * cs_call_match_free:
 * @self: (transfer full): a search
 */
void
cs_call_match_free (CsCallMatch *self)
{
  g_object_unref (self->profile);
  g_free (self->needle);
  g_clear_pointer (&self->regex, g_regex_unref);
  g_free (self->answers);
  g_free (self);
}

/**
 * cs_call_match_function:
 * @self: a search
 * @function: index in the profile
 *
 * Returns: whether it finds the function
 */
gboolean
cs_call_match_function (CsCallMatch *self, guint function)
{
  if (function >= self->n)
    return FALSE;
  if (self->answers[function] == UNKNOWN)
    self->answers[function] = cs_search_matches (&self->functions[function].location, self->needle, self->regex) ? MATCHES
                                                                                                                 : MISSES;
  return self->answers[function] == MATCHES;
}

/**
 * cs_call_match_call:
 * @address: of a function, as recorded
 * @ts: when it was called, as recorded
 * @match: a search
 *
 * A CsCallLogMatch.
 *
 * Returns: whether the search finds the function
 */
gboolean
cs_call_match_call (guint64 address, guint64 ts, gpointer match)
{
  CsCallMatch *self = match;

  return cs_call_match_function (self, cs_profile_find_function (self->profile, self->process, address, ts));
}
