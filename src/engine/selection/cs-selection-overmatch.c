/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-selection-private.h"
#include "selection/cs-substrings.h"

/* More files aren't told of one by one. */
#define MOST_TOLD 20

/* What gcc could be told to leave a function out: any part of the printed name that isn't the arguments of a template. */
typedef struct
{
  char *whole;  /* or what stands behind the arguments: ">::pop" */
  char *before; /* (nullable): "Ring<" */
} Entry;

static void
clear_entry (gpointer data)
{
  Entry *entry = data;

  g_free (entry->whole);
  g_free (entry->before);
}

static Entry
make_entry (const CsSourceFunction *function, const char *printed)
{
  gboolean is_conversion = cs_selection_is_conversion (function);
  g_autofree char *own = cs_selection_dup_printed (is_conversion ? "operator " : function->name);

  if (function->scope != NULL && (function->flags & CS_FUNCTION_SCOPE_TEMPLATE) != 0)
    return (Entry){ g_strconcat (">::", own, NULL), g_strconcat (function->scope, "<", NULL) };
  if (is_conversion && function->scope != NULL)
    return (Entry){ g_strconcat (function->scope, "::", own, NULL), NULL };
  return (Entry){ g_strdup (printed), NULL };
}

/* The functions of a file: those that are to be left out, and what they must not take with them. */
static void
split_functions (const CsSelection *self, guint file, GArray *entries, GPtrArray *names, GPtrArray *chosen)
{
  g_autoptr (GString) printed = g_string_new (NULL);
  const CsSourceFunction *functions;
  gsize first, count, total;

  functions = cs_function_index_get_functions (self->index, &total);
  cs_function_index_get_of_file (self->index, file, &first, &count);
  for (gsize i = first; i < first + count; i++)
    {
      Entry entry;

      g_string_truncate (printed, 0);
      cs_selection_append_printed (printed, &functions[i]);
      if ((self->functions[i] & SELECTION_CHOSEN) != 0)
        {
          g_ptr_array_add (chosen, g_strdup (printed->str));
          continue;
        }
      /* What a rule names is left out whatever else that takes. */
      if (cs_selection_is_name_excluded (self, printed->str))
        continue;
      entry = make_entry (&functions[i], printed->str);
      g_array_append_val (entries, entry);
      g_ptr_array_add (names, g_strdup (printed->str));
    }
}

/* Tells of one file in which functions can't be left out. */
static char *
check_file (const CsSelection *self, guint file)
{
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) chosen = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) needles = g_ptr_array_new ();
  g_autofree gssize *found = NULL;
  const char *path = ((CsSourceFile *) self->files->pdata[file])->path;
  const char *first_name = NULL, *first_inside = NULL;
  guint n_hooked = 0;

  g_array_set_clear_func (entries, clear_entry);
  split_functions (self, file, entries, names, chosen);
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);

      g_ptr_array_add (needles, entry->whole);
      g_ptr_array_add (needles, entry->before != NULL ? entry->before : entry->whole);
    }
  found = cs_substrings_find ((const char *const *) needles->pdata, needles->len, (const char *const *) chosen->pdata,
                              chosen->len);
  for (guint i = 0; i < entries->len; i++)
    if (found[2 * i] >= 0 && found[2 * i + 1] >= 0 && n_hooked++ == 0)
      {
        first_name = names->pdata[i];
        first_inside = chosen->pdata[found[2 * i]];
      }
  if (n_hooked == 0)
    return NULL;
  if (n_hooked == 1)
    return g_strdup_printf ("%s: %s isn't chosen, but gcc hooks it: to leave it out would take %s, too, which is chosen",
                            path, first_name, first_inside);
  return g_strdup_printf ("%s: %s and %u more aren't chosen, but gcc hooks them: to leave %s out would take %s, too, which "
                          "is chosen",
                          path, first_name, n_hooked - 1, first_name, first_inside);
}

/**
 * cs_selection_list_overmatch:
 * @self: a selection with an index
 *
 * Finds the functions that aren't chosen and that gcc can't be kept from hooking: it leaves out what contains a name, and
 * theirs is part of a chosen one in the same file. A launcher's compile of a unit may find more, with what headers
 * define.
 *
 * Returns: (transfer full) (element-type utf8): a sentence for each file that has any
 */
GPtrArray *
cs_selection_list_overmatch (const CsSelection *self)
{
  GPtrArray *warnings = g_ptr_array_new_with_free_func (g_free);
  guint n_files = 0;

  g_return_val_if_fail (self->index != NULL, warnings);
  for (guint i = 0; i < self->files->len; i++)
    {
      char *text = self->file_choices[i] == CS_FILE_PARTLY_CHOSEN ? check_file (self, i) : NULL;

      if (text == NULL)
        continue;
      if (n_files++ < MOST_TOLD)
        g_ptr_array_add (warnings, text);
      else
        g_free (text);
    }
  if (n_files > MOST_TOLD)
    g_ptr_array_add (warnings, g_strdup_printf ("in %u more file%s gcc hooks functions that aren't chosen, since their "
                                                "names are part of chosen ones",
                                                n_files - MOST_TOLD, n_files - MOST_TOLD == 1 ? "" : "s"));
  return warnings;
}
