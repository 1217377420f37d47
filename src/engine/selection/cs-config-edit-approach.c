/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-config-edit-private.h"

/* Each round mends what the lines of the one before did besides. */
#define MOST_ROUNDS 8
/* A rule for names that takes so many functions that aren't wanted isn't taken apart. */
#define MOST_APART 32
/* A file with more functions isn't excluded function by function. */
#define MOST_SINGLE 8

/* What a round has to do. */
typedef struct
{
  guint8 *include, *exclude, *open; /* by file: to be included, to be excluded, excluded by a line that must go */
  GArray *names_on, *names_off, *names_open; /* functions */
  gboolean changed;
} Round;

static gboolean
count_rule (guint directive, gpointer data)
{
  ((guint *) data)[directive]++;
  return TRUE;
}

/* Of each include line how many files it matches, and of how many of these nothing is wanted because they are switched. */
static void
count_matched (const CsConfigEdit *self, guint *matched, guint *off)
{
  for (guint i = 0; i < self->before->files->len; i++)
    {
      const CsSourceFile *file = self->before->files->pdata[i];
      g_autofree char *absolute = g_build_filename (self->before->root, file->path, NULL);
      const SelectionPlace place = { file->path, absolute };

      cs_selection_rules_each (self->now->rules, CS_DIRECTIVE_INCLUDE, absolute, &place, count_rule, matched);
      if (self->switched[i] != 0 && cs_config_edit_get_wanted (self, i) == CS_FILE_NOT_CHOSEN)
        cs_selection_rules_each (self->now->rules, CS_DIRECTIVE_INCLUDE, absolute, &place, count_rule, off);
    }
}

static gboolean
is_switched_off (const CsConfigEdit *self, guint32 function)
{
  return self->want[function] == 0 &&
         (self->named[function] || self->switched[cs_config_edit_get_function (self, function)->file]);
}

/* Whether an include-func line chooses nothing but what is switched off. */
static gboolean
is_over (const CsConfigEdit *self, const CsDirective *rule)
{
  g_autoptr (GArray) seeds = cs_selection_find_seeds (self->before->index, rule->value);
  g_autofree CsReached *reached = NULL;
  const guint32 *numbers = (const guint32 *) (gpointer) seeds->data;
  gsize n = 0;

  for (guint i = 0; i < seeds->len; i++)
    if (!is_switched_off (self, numbers[i]))
      return FALSE;
  if (rule->depth == 0)
    return TRUE;
  reached = cs_call_graph_expand (self->graph, numbers, seeds->len, rule->depth, &n);
  for (gsize i = 0; i < n; i++)
    if (!is_switched_off (self, reached[i].function))
      return FALSE;
  return TRUE;
}

/* Takes out lines that choose nothing but what is switched off. The last one stays: without it everything would be
 * chosen. */
static gboolean
remove_opposites (CsConfigEdit *self, GError **error)
{
  g_autofree guint *matched = NULL;
  g_autofree guint *off = NULL;
  const CsDirective *rules;
  gsize n_rules, n_including = 0;
  gboolean any = FALSE;

  if (!cs_config_edit_choose (self, error))
    return FALSE;
  rules = cs_trace_config_get_directives (self->config, &n_rules);
  for (gsize i = 0; i < n_rules; i++)
    n_including += rules[i].kind == CS_DIRECTIVE_INCLUDE || rules[i].kind == CS_DIRECTIVE_INCLUDE_FUNC;
  if (n_including < 2)
    return TRUE;
  matched = g_new0 (guint, n_rules);
  off = g_new0 (guint, n_rules);
  count_matched (self, matched, off);
  for (gsize i = n_rules; i > 0 && n_including > 1; i--)
    {
      gboolean over = FALSE;

      /* Lines behind it are gone, those before it aren't. */
      rules = cs_trace_config_get_directives (self->config, &n_rules);
      if (rules[i - 1].kind == CS_DIRECTIVE_INCLUDE)
        over = matched[i - 1] > 0 && matched[i - 1] == off[i - 1];
      else if (rules[i - 1].kind == CS_DIRECTIVE_INCLUDE_FUNC && self->before->index != NULL)
        over = is_over (self, &rules[i - 1]);
      if (!over)
        continue;
      cs_config_edit_take_out (self, i - 1);
      n_including--;
      any = TRUE;
    }
  if (any)
    g_clear_pointer (&self->now, cs_selection_unref);
  return TRUE;
}

/* Notes what must change of one file. */
static void
look_at_file (CsConfigEdit *self, Round *round, guint file, const SelectionPlace *place)
{
  gboolean all = !cs_trace_config_has (self->config, CS_DIRECTIVE_INCLUDE) &&
                 !cs_trace_config_has (self->config, CS_DIRECTIVE_INCLUDE_FUNC);
  gboolean included = all || cs_selection_rules_match (self->now->rules, CS_DIRECTIVE_INCLUDE, place->absolute, place);
  gboolean excluded = cs_selection_rules_match (self->now->rules, CS_DIRECTIVE_EXCLUDE, place->absolute, place);
  gboolean whole = cs_config_edit_fits (self, file);
  gboolean nothing = cs_config_edit_get_wanted (self, file) == CS_FILE_NOT_CHOSEN;
  gsize first, end;

  cs_config_edit_get_of_file (self, file, &first, &end);
  if (first == end)
    {
      gboolean chosen = self->now->file_choices[file] != CS_FILE_NOT_CHOSEN;

      if (chosen != (self->want_file[file] != 0))
        *(chosen ? &round->exclude[file] : excluded ? &round->open[file] : &round->include[file]) = 1;
      return;
    }
  for (gsize i = first; i < end; i++)
    {
      gboolean chosen = (self->now->functions[i] & SELECTION_CHOSEN) != 0;
      guint32 function = (guint32) i;

      if (chosen == (self->want[i] != 0))
        continue;
      if (chosen && nothing)
        round->exclude[file] = 1;
      else if (chosen)
        g_array_append_val (round->names_off, function);
      else if (excluded)
        round->open[file] = 1;
      else if (included || (self->now->functions[i] & SELECTION_SUBTREE) != 0)
        g_array_append_val (round->names_open, function);
      else if (whole)
        round->include[file] = 1;
      else
        g_array_append_val (round->names_on, function);
    }
}

static gboolean
is_as_wanted (const CsConfigEdit *self, guint file)
{
  gsize first, end;

  cs_config_edit_get_of_file (self, file, &first, &end);
  if (first == end)
    return (self->now->file_choices[file] != CS_FILE_NOT_CHOSEN) == (self->want_file[file] != 0);
  for (gsize i = first; i < end; i++)
    if (((self->now->functions[i] & SELECTION_CHOSEN) != 0) != (self->want[i] != 0))
      return FALSE;
  return TRUE;
}

static gboolean
has_file (const guint8 *files, guint n)
{
  return memchr (files, 1, n) != NULL;
}

/* Takes out the lines that exclude wanted files; of the other files that they match, one line may speak for many. */
static void
open_files (CsConfigEdit *self, Round *round)
{
  GPtrArray *files = self->before->files;
  const CsDirective *rules;
  gsize n_rules;

  rules = cs_trace_config_get_directives (self->config, &n_rules);
  for (gsize i = n_rules; has_file (round->open, files->len) && i > 0; i--)
    {
      gboolean takes = FALSE;

      rules = cs_trace_config_get_directives (self->config, &n_rules);
      if (rules[i - 1].kind != CS_DIRECTIVE_EXCLUDE || g_hash_table_contains (self->forced, rules[i - 1].value))
        continue;
      for (guint file = 0; file < files->len && !takes; file++)
        takes = round->open[file] != 0 &&
                cs_selection_rule_match (self->before, &rules[i - 1], ((const CsSourceFile *) files->pdata[file])->path);
      if (!takes)
        continue;
      round->changed = TRUE;
      if (self->by_include)
        {
          cs_config_edit_take_out (self, i - 1);
          continue;
        }
      for (guint file = 0; file < files->len; file++)
        if (self->switched[file] == 0 && cs_config_edit_get_wanted (self, file) == CS_FILE_NOT_CHOSEN &&
            cs_selection_rule_match (self->before, &rules[i - 1], ((const CsSourceFile *) files->pdata[file])->path))
          self->switched[file] = 1;
      cs_config_edit_take_out (self, i - 1);
    }
}

/* Includes files. What a pattern matches besides may be excluded by one line again. */
static void
include_files (CsConfigEdit *self, Round *round)
{
  g_autoptr (GHashTable) none = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) covers = NULL;
  g_autoptr (CsTraceConfig) added = NULL;
  SelectionRules *rules;

  if (!has_file (round->include, self->before->files->len))
    return;
  added = cs_trace_config_new ();
  covers = cs_config_edit_cover (self, round->include, TRUE, none);
  for (guint i = 0; i < covers->len; i++)
    {
      const char *pattern = g_array_index (covers, CsConfigCover, i).pattern;

      round->changed |= cs_config_edit_add_line (self, CS_DIRECTIVE_INCLUDE, pattern, 0);
      cs_trace_config_add (added, CS_DIRECTIVE_INCLUDE, pattern, 0, NULL);
    }
  rules = cs_selection_rules_new (added);
  for (guint i = 0; i < self->before->files->len; i++)
    {
      const CsSourceFile *file = self->before->files->pdata[i];
      g_autofree char *absolute = g_build_filename (self->before->root, file->path, NULL);
      const SelectionPlace place = { file->path, absolute };

      if (cs_config_edit_get_wanted (self, i) == CS_FILE_NOT_CHOSEN &&
          cs_selection_rules_match (rules, CS_DIRECTIVE_INCLUDE, absolute, &place))
        self->switched[i] = 1;
    }
  cs_selection_rules_free (rules);
}

/* Which of some values would take, as lines of a kind, something that is wanted. */
static guint8 *
find_bad (CsConfigEdit *self, CsDirectiveKind kind, GPtrArray *values)
{
  g_autoptr (CsTraceConfig) tried = cs_trace_config_new ();
  g_autofree guint *places = g_new (guint, values->len + 1);
  g_autofree guint *hits = g_new0 (guint, values->len + 1);
  g_autoptr (GString) printed = g_string_new (NULL);
  guint8 *bad = g_new0 (guint8, values->len + 1);
  SelectionRules *rules;
  guint n = 0;

  for (guint i = 0; i < values->len; i++)
    if (cs_trace_config_add (tried, kind, values->pdata[i], 0, NULL))
      places[n++] = i;
  rules = cs_selection_rules_new (tried);
  for (guint i = 0; i < self->before->files->len; i++)
    {
      const CsSourceFile *file = self->before->files->pdata[i];
      gsize first, end;

      if (cs_config_edit_get_wanted (self, i) == CS_FILE_NOT_CHOSEN)
        continue;
      if (kind == CS_DIRECTIVE_EXCLUDE)
        {
          g_autofree char *absolute = g_build_filename (self->before->root, file->path, NULL);
          const SelectionPlace place = { file->path, absolute };

          cs_selection_rules_each (rules, kind, absolute, &place, count_rule, hits);
          continue;
        }
      cs_config_edit_get_of_file (self, i, &first, &end);
      for (gsize j = first; j < end; j++)
        if (self->want[j] != 0)
          {
            g_string_truncate (printed, 0);
            cs_selection_append_printed (printed, cs_config_edit_get_function (self, (guint32) j));
            cs_selection_rules_each (rules, kind, printed->str, NULL, count_rule, hits);
          }
    }
  cs_selection_rules_free (rules);
  for (guint i = 0; i < n; i++)
    bad[places[i]] = hits[i] > 0;
  return bad;
}

/* One line may include many of the files that are chosen, and something must be included. */
static void
include_others (CsConfigEdit *self, Round *round, guint file)
{
  gboolean none = !cs_trace_config_has (self->config, CS_DIRECTIVE_INCLUDE) &&
                  !cs_trace_config_has (self->config, CS_DIRECTIVE_INCLUDE_FUNC);

  for (guint i = 0; i < self->before->files->len; i++)
    if (i != file && self->now->file_choices[i] != CS_FILE_NOT_CHOSEN && cs_config_edit_fits (self, i))
      {
        self->switched[i] = 1;
        round->include[i] |= none;
      }
  if (none)
    include_files (self, round);
}

/* Takes out the include lines for a file, and says of its functions which are wanted. The other files of these lines are
 * included again in the next round. */
static void
include_by_name (CsConfigEdit *self, Round *round, guint file)
{
  GPtrArray *files = self->before->files;
  const CsDirective *rules;
  gsize first, end, n_rules;

  cs_config_edit_get_of_file (self, file, &first, &end);
  for (gsize i = first; i < end; i++)
    if (self->want[i] != 0)
      {
        g_autofree char *name = cs_config_edit_name_function (self, (guint32) i);

        round->changed |= cs_config_edit_add_line (self, CS_DIRECTIVE_INCLUDE_FUNC, name, 0);
      }
  rules = cs_trace_config_get_directives (self->config, &n_rules);
  for (gsize i = n_rules; i > 0; i--)
    {
      rules = cs_trace_config_get_directives (self->config, &n_rules);
      if (rules[i - 1].kind != CS_DIRECTIVE_INCLUDE ||
          !cs_selection_rule_match (self->before, &rules[i - 1], ((const CsSourceFile *) files->pdata[file])->path))
        continue;
      cs_config_edit_take_out (self, i - 1);
      round->changed = TRUE;
    }
  include_others (self, round, file);
}

/* Excludes functions by their names. A name that takes wanted functions, too, is used if that function is to be switched. */
static void
exclude_names (CsConfigEdit *self, Round *round, const GArray *functions)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);
  g_autofree guint8 *bad = NULL;

  for (guint i = 0; i < functions->len; i++)
    g_ptr_array_add (values, cs_config_edit_name_excluded (self, g_array_index (functions, guint32, i)));
  if (values->len == 0)
    return;
  bad = find_bad (self, CS_DIRECTIVE_EXCLUDE_FUNC, values);
  for (guint i = 0; i < functions->len; i++)
    {
      guint32 function = g_array_index (functions, guint32, i);
      guint file = cs_config_edit_get_function (self, function)->file;

      if (bad[i] && self->by_name)
        {
          include_by_name (self, round, file);
          /* What it takes out must be included again first. */
          return;
        }
      if (bad[i] && !self->named[function] && !self->switched[file])
        continue;
      if (bad[i])
        g_hash_table_add (self->forced, g_strdup (values->pdata[i]));
      round->changed |= cs_config_edit_add_line (self, CS_DIRECTIVE_EXCLUDE_FUNC, values->pdata[i], 0);
    }
}

/* Excludes one file by the names of its functions, if these take nothing else. */
static gboolean
exclude_file_by_names (CsConfigEdit *self, Round *round, guint file)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);
  g_autofree guint8 *bad = NULL;
  gsize first, end;

  cs_config_edit_get_of_file (self, file, &first, &end);
  for (gsize i = first; i < end && values->len <= MOST_SINGLE; i++)
    if ((self->now->functions[i] & SELECTION_CHOSEN) != 0)
      g_ptr_array_add (values, cs_config_edit_name_excluded (self, (guint32) i));
  if (values->len == 0 || values->len > MOST_SINGLE)
    return FALSE;
  bad = find_bad (self, CS_DIRECTIVE_EXCLUDE_FUNC, values);
  if (has_file (bad, values->len))
    return FALSE;
  for (guint i = 0; i < values->len; i++)
    round->changed |= cs_config_edit_add_line (self, CS_DIRECTIVE_EXCLUDE_FUNC, values->pdata[i], 0);
  return TRUE;
}

/* The patterns for files to exclude, without folders whose patterns match wanted files, too. */
static GArray *
cover_excluded (CsConfigEdit *self, Round *round, guint8 **bad)
{
  g_autoptr (GHashTable) avoid = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (;;)
    {
      GArray *covers = cs_config_edit_cover (self, round->exclude, FALSE, avoid);
      g_autoptr (GPtrArray) values = g_ptr_array_new ();
      gboolean again = FALSE;

      for (guint i = 0; i < covers->len; i++)
        g_ptr_array_add (values, g_array_index (covers, CsConfigCover, i).pattern);
      *bad = find_bad (self, CS_DIRECTIVE_EXCLUDE, values);
      for (guint i = 0; i < covers->len; i++)
        {
          const CsConfigCover *cover = &g_array_index (covers, CsConfigCover, i);
          const char *path = ((const CsSourceFile *) self->before->files->pdata[cover->first])->path;
          gsize length = 0;

          if (!(*bad)[i] || !cover->is_folder)
            continue;
          /* As many slashes as the pattern has. */
          for (const char *p = cover->pattern; (p = strchr (p, '/')) != NULL; p++)
            length = (gsize) (strchr (path + length, '/') - path) + 1;
          again |= g_hash_table_add (avoid, g_strndup (path, length));
        }
      if (!again)
        return covers;
      g_array_unref (covers);
      g_clear_pointer (bad, g_free);
    }
}

static void
exclude_files (CsConfigEdit *self, Round *round)
{
  g_autoptr (GArray) covers = NULL;
  g_autofree guint8 *bad = NULL;

  if (!has_file (round->exclude, self->before->files->len))
    return;
  covers = cover_excluded (self, round, &bad);
  for (guint i = 0; i < covers->len; i++)
    {
      const CsConfigCover *cover = &g_array_index (covers, CsConfigCover, i);

      if (bad[i] && self->before->index != NULL && exclude_file_by_names (self, round, cover->first))
        continue;
      if (bad[i] && self->by_name)
        {
          include_by_name (self, round, cover->first);
          return;
        }
      if (bad[i] && !self->switched[cover->first])
        continue;
      if (bad[i])
        g_hash_table_add (self->forced, g_strdup (cover->pattern));
      round->changed |= cs_config_edit_add_line (self, CS_DIRECTIVE_EXCLUDE, cover->pattern, 0);
    }
}

static void
include_names (CsConfigEdit *self, Round *round)
{
  for (guint i = 0; i < round->names_on->len; i++)
    {
      g_autofree char *name = cs_config_edit_name_function (self, g_array_index (round->names_on, guint32, i));

      round->changed |= cs_config_edit_add_line (self, CS_DIRECTIVE_INCLUDE_FUNC, name, 0);
    }
}

/* Of each exclude-func line how many wanted functions it takes that are missing, and how many that aren't wanted. */
static void
count_taken (const CsConfigEdit *self, const Round *round, guint *missing, guint *unwanted)
{
  g_autoptr (GString) printed = g_string_new (NULL);
  gsize total;

  cs_function_index_get_functions (self->before->index, &total);
  for (gsize i = 0; i < total; i++)
    {
      guint file = cs_config_edit_get_function (self, (guint32) i)->file;

      if (self->want[i] != 0 || self->now->file_choices[file] == CS_FILE_NOT_CHOSEN)
        continue;
      g_string_truncate (printed, 0);
      cs_selection_append_printed (printed, cs_config_edit_get_function (self, (guint32) i));
      cs_selection_rules_each (self->now->rules, CS_DIRECTIVE_EXCLUDE_FUNC, printed->str, NULL, count_rule, unwanted);
    }
  for (guint i = 0; i < round->names_open->len; i++)
    {
      g_string_truncate (printed, 0);
      cs_selection_append_printed (printed,
                                   cs_config_edit_get_function (self, g_array_index (round->names_open, guint32, i)));
      cs_selection_rules_each (self->now->rules, CS_DIRECTIVE_EXCLUDE_FUNC, printed->str, NULL, count_rule, missing);
    }
}

/* Says what to include where no line does. */
static void
include_wanted (CsConfigEdit *self, Round *round)
{
  for (guint i = 0; i < self->before->files->len; i++)
    if (cs_config_edit_fits (self, i))
      self->switched[i] = round->include[i] = 1;
    else if (cs_config_edit_get_wanted (self, i) == CS_FILE_PARTLY_CHOSEN)
      {
        gsize first, end;

        cs_config_edit_get_of_file (self, i, &first, &end);
        for (guint32 j = (guint32) first; j < end; j++)
          if (self->want[j] != 0)
            g_array_append_val (round->names_on, j);
      }
}

/* Takes out the exclude-func lines that take wanted functions, but for those that take many others. */
static void
open_names (CsConfigEdit *self, Round *round)
{
  g_autofree guint *missing = NULL;
  g_autofree guint *unwanted = NULL;
  const CsDirective *rules;
  gsize n_rules;

  if (round->names_open->len == 0)
    return;
  rules = cs_trace_config_get_directives (self->now->config, &n_rules);
  missing = g_new0 (guint, n_rules + 1);
  unwanted = g_new0 (guint, n_rules + 1);
  count_taken (self, round, missing, unwanted);
  /* Of the lines that were there when it was tried. */
  for (gsize i = n_rules; i > 0; i--)
    {
      const CsDirective *now;
      gsize n_now;

      if (rules[i - 1].kind != CS_DIRECTIVE_EXCLUDE_FUNC || missing[i - 1] == 0 || unwanted[i - 1] > MOST_APART ||
          g_hash_table_contains (self->forced, rules[i - 1].value))
        continue;
      now = cs_trace_config_get_directives (self->config, &n_now);
      for (gsize j = n_now; j > 0; j--)
        if (now[j - 1].kind == CS_DIRECTIVE_EXCLUDE_FUNC && g_str_equal (now[j - 1].value, rules[i - 1].value))
          {
            cs_config_edit_take_out (self, j - 1);
            round->changed = TRUE;
            break;
          }
    }
}

static void
look_at_files (CsConfigEdit *self, Round *round)
{
  for (guint i = 0; i < self->before->files->len; i++)
    if (!is_as_wanted (self, i))
      {
        const CsSourceFile *file = self->before->files->pdata[i];
        g_autofree char *absolute = g_build_filename (self->before->root, file->path, NULL);
        const SelectionPlace place = { file->path, absolute };

        look_at_file (self, round, i, &place);
      }
}

/**
 * cs_config_edit_approach:
 * @self: an edit that says what is wanted
 * @error: where to say why nothing can be chosen
 *
 * Changes lines until the config chooses what is wanted, or no line does any more good.
 *
 * Returns: whether the config could be tried
 */
gboolean
cs_config_edit_approach (CsConfigEdit *self, GError **error)
{
  guint n = self->before->files->len;

  if (!self->keep_lines && !remove_opposites (self, error))
    return FALSE;
  for (guint i = 0; i < MOST_ROUNDS; i++)
    {
      g_autofree guint8 *include = g_new0 (guint8, n + 1);
      g_autofree guint8 *exclude = g_new0 (guint8, n + 1);
      g_autofree guint8 *open = g_new0 (guint8, n + 1);
      g_autoptr (GArray) on = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_autoptr (GArray) off = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (guint32));
      Round round = { include, exclude, open, on, off, names, FALSE };

      if (!cs_config_edit_choose (self, error))
        return FALSE;
      look_at_files (self, &round);
      open_names (self, &round);
      open_files (self, &round);
      if (self->by_include && i == 0)
        include_wanted (self, &round);
      include_files (self, &round);
      include_names (self, &round);
      exclude_files (self, &round);
      exclude_names (self, &round, off);
      if (!round.changed)
        return TRUE;
      g_clear_pointer (&self->now, cs_selection_unref);
    }
  return cs_config_edit_choose (self, error);
}
