/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-selection-private.h"
#include "selection/cs-substrings.h"

/* Rules that look for something in a text. What each needs to find there is looked for of all rules at once, so that ten
 * thousand rules and as many files take no time of their product. */
typedef struct
{
  CsSubstrings *needles;
  GArray *by_needle; /* of guint: the directive of each needle */
  GArray *others;    /* of guint: directives that may match any text */
} RuleSet;

struct _SelectionRules
{
  const CsDirective *directives; /* of the config */
  RuleSet sets[CS_DIRECTIVE_COUNTER_MIN + 1];
};

static void
rule_set_init (RuleSet *set, const CsDirective *directives, gsize n, CsDirectiveKind kind)
{
  g_autoptr (GPtrArray) needles = g_ptr_array_new_with_free_func (g_free);

  set->by_needle = g_array_new (FALSE, FALSE, sizeof (guint));
  set->others = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < n; i++)
    {
      char *needle;

      if (directives[i].kind != kind)
        continue;
      needle = directives[i].pattern != NULL ? cs_pattern_dup_needle (directives[i].pattern)
                                             : cs_selection_dup_printed (directives[i].value);
      g_array_append_val (needle != NULL ? set->by_needle : set->others, i);
      if (needle != NULL)
        g_ptr_array_add (needles, needle);
    }
  set->needles = cs_substrings_new ((const char *const *) needles->pdata, needles->len);
}

/**
 * cs_selection_rules_new:
 * @config: rules, which must outlive what is returned
 *
 * Returns: (transfer full): the same, for many files and functions
 */
SelectionRules *
cs_selection_rules_new (const CsTraceConfig *config)
{
  SelectionRules *self = g_new0 (SelectionRules, 1);
  gsize n;

  self->directives = cs_trace_config_get_directives (config, &n);
  for (guint kind = 0; kind < G_N_ELEMENTS (self->sets); kind++)
    rule_set_init (&self->sets[kind], self->directives, n, (CsDirectiveKind) kind);
  return self;
}

/**
 * cs_selection_rules_free:
 * @self: (transfer full): rules
 */
void
cs_selection_rules_free (SelectionRules *self)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (self->sets); kind++)
    {
      cs_substrings_free (self->sets[kind].needles);
      g_array_unref (self->sets[kind].by_needle);
      g_array_unref (self->sets[kind].others);
    }
  g_free (self);
}

typedef struct
{
  const SelectionRules *rules;
  const RuleSet *set;
  const SelectionPlace *place;
  SelectionRuleFunc func;
  gpointer user_data;
  gboolean stopped;
} Visit;

/* Returns whether to go on. */
static gboolean
visit_rule (Visit *visit, guint directive)
{
  const CsDirective *rule = &visit->rules->directives[directive];

  if (visit->place == NULL || cs_selection_match (rule, visit->place))
    visit->stopped = !visit->func (directive, visit->user_data);
  return !visit->stopped;
}

static gboolean
visit_needle (gsize needle, gpointer user_data)
{
  Visit *visit = user_data;

  return visit_rule (visit, g_array_index (visit->set->by_needle, guint, needle));
}

/**
 * cs_selection_rules_each:
 * @self: rules
 * @kind: which of them: those for files or exclude-func
 * @text: for files the absolute path, which must end with the one in @place; for exclude-func a name as gcc prints it
 * @place: (nullable): for files what patterns are compared with
 * @func: called with the number of each rule that matches; returns whether to go on
 * @user_data: for @func
 */
void
cs_selection_rules_each (const SelectionRules *self, CsDirectiveKind kind, const char *text, const SelectionPlace *place,
                         SelectionRuleFunc func, gpointer user_data)
{
  Visit visit = { self, &self->sets[kind], place, func, user_data, FALSE };

  for (guint i = 0; i < visit.set->others->len; i++)
    if (!visit_rule (&visit, g_array_index (visit.set->others, guint, i)))
      return;
  cs_substrings_each (visit.set->needles, text, visit_needle, &visit);
}

static gboolean
stop (guint directive, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return FALSE;
}

/**
 * cs_selection_rules_match:
 * @self: rules
 * @kind: which of them: those for files or exclude-func
 * @text: as for cs_selection_rules_each()
 * @place: (nullable): as there
 *
 * Returns: whether one of them matches
 */
gboolean
cs_selection_rules_match (const SelectionRules *self, CsDirectiveKind kind, const char *text, const SelectionPlace *place)
{
  gboolean found = FALSE;

  cs_selection_rules_each (self, kind, text, place, stop, &found);
  return found;
}
