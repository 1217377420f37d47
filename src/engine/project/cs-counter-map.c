/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <linux/perf_event.h>
#include <string.h>

#include "project/cs-counter-map.h"
#include "selection/cs-function-name.h"
#include "symbols/cs-bundle.h"
#include "symbols/cs-code-hooks.h"
#include "symbols/cs-demangle.h"

/* Names that a warning lists before it counts the others. */
#define MOST_LISTED 5

G_DEFINE_QUARK (cs-counter-map-error-quark, cs_counter_map_error)

static const struct
{
  const char *name;
  guint type;
  guint64 config;
} events[] = {
  { "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
  { "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
  { "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES },
  { "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
  { "branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
  { "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
  { "bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES },
  { "stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
  { "stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
  { "ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES },
  { "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
  { "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
  { "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
  { "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
};

struct _CsCounterMap
{
  CsBinary *binary;
  char *exe;          /* absolute */
  GString *events;    /* the lines of the file */
  gint64 min_ns;      /* -1: auto */
  GArray *functions;  /* CsCounterFunction, by address */
  GStringChunk *names;
  GStrvBuilder *told;
  char **warnings;
};

/* Functions of the sources that are looked for. */
typedef struct
{
  CsCounterMap *map;
  const CsSelection *selection;
  CsFunctionIndex *index;
  GPtrArray *files;   /* (element-type CsSourceFile) */
  GHashTable *wanted; /* reduced name → GArray of guint32, functions that are to be counted and have it */
  GHashTable *found;  /* function + 1: it has code in the program */
  GPtrArray *unhooked; /* (element-type utf8): names of those that have code and no hooks */
} Search;

static gboolean
read_events (CsCounterMap *self, const char *list)
{
  g_auto (GStrv) names = g_strsplit (list, ",", -1);

  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *name = g_strstrip (names[i]);
      guint64 raw;

      for (guint k = 0; k < G_N_ELEMENTS (events); k++)
        if (g_str_equal (events[k].name, name))
          g_string_append_printf (self->events, "event %s %u %" G_GUINT64_FORMAT "\n", name, events[k].type,
                                  events[k].config);
      if (name[0] == 'r' && g_ascii_string_to_unsigned (name + 1, 16, 0, G_MAXUINT64, &raw, NULL))
        g_string_append_printf (self->events, "event %s %u %" G_GUINT64_FORMAT "\n", name, (guint) PERF_TYPE_RAW, raw);
    }
  return self->events->len > 0;
}

static gboolean
read_config (CsCounterMap *self, const CsTraceConfig *config, GError **error)
{
  const char *name = cs_trace_config_get_name (config);
  gsize n;
  const CsDirective *directives = cs_trace_config_get_directives (config, &n);

  for (gsize i = 0; i < n; i++)
    {
      if (directives[i].kind == CS_DIRECTIVE_COUNTER)
        read_events (self, directives[i].value);
      else if (directives[i].kind == CS_DIRECTIVE_COUNTER_MIN)
        self->min_ns = directives[i].min_ns;
    }
  if (self->events->len == 0)
    g_set_error (error, CS_COUNTER_MAP_ERROR, CS_COUNTER_MAP_ERROR_CONFIG,
                 "%s: it names no events — add a line such as: counter cycles,instructions", name);
  else if (!cs_trace_config_has (config, CS_DIRECTIVE_COUNTER_FUNC) &&
           !cs_trace_config_has (config, CS_DIRECTIVE_COUNTER_FILE))
    g_set_error (error, CS_COUNTER_MAP_ERROR, CS_COUNTER_MAP_ERROR_CONFIG,
                 "%s: it names no functions to count in — add a line counter-func NAME, or counter-file PATTERN", name);
  else
    return TRUE;
  return FALSE;
}

static char *
reduce (const CsSourceFunction *function)
{
  g_autofree char *name = cs_function_dup_qualified_name (function);

  return cs_function_name_reduce (name, NULL);
}

static void
find_wanted (Search *self)
{
  gsize n;
  const CsSourceFunction *functions = cs_function_index_get_functions (self->index, &n);

  for (guint32 i = 0; i < n; i++)
    {
      g_autofree char *name = NULL;
      GArray *same;

      if (!cs_selection_has_counter (self->selection, i))
        continue;
      name = reduce (&functions[i]);
      same = g_hash_table_lookup (self->wanted, name);
      if (same == NULL)
        {
          same = g_array_new (FALSE, FALSE, sizeof (guint32));
          g_hash_table_insert (self->wanted, g_steal_pointer (&name), same);
        }
      g_array_append_val (same, i);
    }
}

/* Whether a path, as debug information or a symbol table has it, may be that of a file of the project. */
static gboolean
is_path_of (const char *path, const char *file)
{
  g_autofree char *straight = g_canonicalize_filename (path, "/");
  g_autofree char *base = NULL;
  g_autofree char *tail = NULL;

  if (strchr (path, '/') == NULL)
    {
      base = g_path_get_basename (file);
      return g_str_equal (base, path);
    }
  tail = g_strconcat ("/", file, NULL);
  return g_str_has_suffix (straight, tail);
}

/* Which of the functions of that name the symbol is: by its file, and of overloads by the line; -1: none. */
static gint64
match (const Search *self, const GArray *same, const CsSymbol *symbol)
{
  gsize n;
  const CsSourceFunction *functions = cs_function_index_get_functions (self->index, &n);
  gint64 found = -1;

  for (guint i = 0; i < same->len; i++)
    {
      guint32 number = g_array_index (same, guint32, i);
      const CsSourceFunction *function = &functions[number];
      const CsSourceFile *file = g_ptr_array_index (self->files, function->file);

      if (symbol->file != NULL && !is_path_of (symbol->file, file->path))
        continue;
      if (symbol->line >= function->line && symbol->line <= function->end)
        return number;
      found = number;
    }
  return found;
}

/* Overloads that aren't to be counted have the same name: the line says which one it is. */
static gboolean
is_another (const Search *self, guint32 number, const CsSymbol *symbol)
{
  gsize n, first, count;
  const CsSourceFunction *functions = cs_function_index_get_functions (self->index, &n);
  const CsSourceFunction *function = &functions[number];

  if (symbol->line == 0 || (symbol->line >= function->line && symbol->line <= function->end))
    return FALSE;
  cs_function_index_get_of_file (self->index, function->file, &first, &count);
  for (gsize i = first; i < first + count; i++)
    if (i != number && symbol->line >= functions[i].line && symbol->line <= functions[i].end &&
        g_str_equal (functions[i].name, function->name))
      return TRUE;
  return FALSE;
}

static void
look_at (Search *self, const CsCodeHooks *hooks, guint i, const CsCodeFunction *code)
{
  char *demangled = cs_demangle (code->name);
  const char *shown = demangled != NULL ? demangled : code->name;
  g_autofree char *name = cs_function_name_reduce (shown, NULL);
  const GArray *same = g_hash_table_lookup (self->wanted, name);
  CsSymbol symbol = { 0 };
  gint64 number = -1;

  /* Clones (name.part.0) call the hook with the address of the function that they are made of. */
  if (same != NULL && strchr (code->name, '.') == NULL)
    {
      cs_binary_lookup (self->map->binary, code->start, &symbol);
      number = match (self, same, &symbol);
    }
  if (number >= 0 && !is_another (self, (guint32) number, &symbol))
    {
      gsize n;
      const CsSourceFunction *function = &cs_function_index_get_functions (self->index, &n)[number];
      CsCounterFunction counted = { .address = code->start, .name = g_string_chunk_insert (self->map->names, shown),
                                    .line = function->line };

      counted.file = ((CsSourceFile *) g_ptr_array_index (self->files, function->file))->path;
      counted.file = g_string_chunk_insert (self->map->names, counted.file);
      g_hash_table_add (self->found, GUINT_TO_POINTER ((guint) number + 1));
      if (cs_code_hooks_has_hook (hooks, i))
        g_array_append_val (self->map->functions, counted);
      else
        g_ptr_array_add (self->unhooked, g_strdup (shown));
    }
  free (demangled);
}

/* "a, b and 3 more" */
static char *
list_names (GPtrArray *names)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < MIN (names->len, MOST_LISTED); i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : ", ", (char *) g_ptr_array_index (names, i));
  if (names->len > MOST_LISTED)
    g_string_append_printf (text, " and %u more", names->len - MOST_LISTED);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
warn (CsCounterMap *self, GPtrArray *names, const char *what)
{
  g_autofree char *list = list_names (names);
  g_autofree char *text = g_strdup_printf ("%s: %s", what, list);

  if (names->len > 0)
    g_strv_builder_add (self->told, text);
}

static void
tell_missing (Search *self, gboolean known)
{
  g_autoptr (GPtrArray) missing = g_ptr_array_new_with_free_func (g_free);
  gsize n;
  const CsSourceFunction *functions = cs_function_index_get_functions (self->index, &n);

  for (guint32 i = 0; i < n; i++)
    if (cs_selection_has_counter (self->selection, i) && !g_hash_table_contains (self->found, GUINT_TO_POINTER (i + 1)))
      g_ptr_array_add (missing, cs_function_dup_qualified_name (&functions[i]));
  warn (self->map, self->unhooked, "not counted, since only functions with hooks can be (include them in trace.config and "
                                   "build again)");
  warn (self->map, missing, "not counted, since the program has no code of them (inlined, not linked, or built of other "
                            "sources)");
  if (!known)
    g_strv_builder_add (self->map->told, "whether functions carry hooks isn't known of this processor's code: all are taken");
}

static void
search (CsCounterMap *self, const CsSelection *selection)
{
  g_autoptr (CsCodeHooks) hooks = cs_code_hooks_new (self->binary);
  g_autoptr (GHashTable) wanted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  g_autoptr (GHashTable) found = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) unhooked = g_ptr_array_new_with_free_func (g_free);
  Search search = { .map = self, .selection = selection, .index = cs_selection_get_index (selection), .wanted = wanted,
                    .found = found, .unhooked = unhooked };
  guint n;
  const CsCodeFunction *functions = cs_code_hooks_get_functions (hooks, &n);

  search.files = cs_function_index_get_files (search.index);
  find_wanted (&search);
  for (guint i = 0; i < n; i++)
    look_at (&search, hooks, i, &functions[i]);
  tell_missing (&search, cs_code_hooks_is_known (hooks));
}

/**
 * cs_counter_map_new:
 * @config: what is to be counted, and where
 * @selection: what it chooses, made with an index
 * @exe: the program, as it was built
 * @error: where to say why there is no map: %CS_COUNTER_MAP_ERROR
 *
 * Looks in the program's symbol table and debug information for the functions that the counter rules take. Only
 * those are in the map that carry hooks, since counters are read in hooks; cs_counter_map_get_warnings() names the
 * others.
 *
 * Returns: (transfer full) (nullable): the map
 */
CsCounterMap *
cs_counter_map_new (const CsTraceConfig *config, const CsSelection *selection, const char *exe, GError **error)
{
  g_autoptr (CsCounterMap) self = g_new0 (CsCounterMap, 1);
  g_autoptr (GError) local = NULL;

  self->events = g_string_new (NULL);
  self->min_ns = -1;
  self->exe = g_canonicalize_filename (exe, NULL);
  self->functions = g_array_new (FALSE, FALSE, sizeof (CsCounterFunction));
  self->names = g_string_chunk_new (4096);
  self->told = g_strv_builder_new ();
  if (!read_config (self, config, error))
    return NULL;
  self->binary = cs_binary_open (exe, &local);
  if (self->binary == NULL)
    {
      g_set_error (error, CS_COUNTER_MAP_ERROR, CS_COUNTER_MAP_ERROR_BINARY, "%s — name the instrumented program with --exe",
                   local->message);
      return NULL;
    }
  search (self, selection);
  self->warnings = g_strv_builder_end (self->told);
  if (self->functions->len == 0)
    {
      g_set_error (error, CS_COUNTER_MAP_ERROR, CS_COUNTER_MAP_ERROR_NONE, "%s: nothing can be counted in it: %s", exe,
                   self->warnings[0] != NULL ? self->warnings[0]
                                             : "the counter rules take no function of the sources");
      return NULL;
    }
  return g_steal_pointer (&self);
}

/**
 * cs_counter_map_free:
 * @self: (transfer full): a map
 */
void
cs_counter_map_free (CsCounterMap *self)
{
  g_clear_pointer (&self->binary, cs_binary_unref);
  g_string_free (self->events, TRUE);
  g_array_unref (self->functions);
  g_string_chunk_free (self->names);
  g_strv_builder_unref (self->told);
  g_strfreev (self->warnings);
  g_free (self->exe);
  g_free (self);
}

/**
 * cs_counter_map_get_functions:
 * @self: a map
 * @n: (out): how many
 *
 * Returns: (transfer none) (array length=n): what is counted, by address
 */
const CsCounterFunction *
cs_counter_map_get_functions (const CsCounterMap *self, guint *n)
{
  *n = self->functions->len;
  return (const CsCounterFunction *) (gpointer) self->functions->data;
}

/**
 * cs_counter_map_get_warnings:
 * @self: a map
 *
 * Returns: (transfer none) (array zero-terminated=1): a sentence for what can't be counted
 */
const char *const *
cs_counter_map_get_warnings (const CsCounterMap *self)
{
  return (const char *const *) self->warnings;
}

/**
 * cs_counter_map_to_text:
 * @self: a map
 *
 * Returns: (transfer full): the file that the runtime reads
 */
char *
cs_counter_map_to_text (const CsCounterMap *self)
{
  g_autoptr (GString) text = g_string_new ("CALLSIGHT-COUNTERS 1\n");
  const char *build_id = cs_binary_get_build_id (self->binary);
  g_autofree char *exe = cs_bundle_escape (self->exe, TRUE);

  g_string_append_printf (text, "build-id %s\nexe %s\n", build_id != NULL ? build_id : "-", exe);
  if (self->min_ns < 0)
    g_string_append (text, "min auto\n");
  else
    g_string_append_printf (text, "min %" G_GINT64_FORMAT "\n", self->min_ns);
  g_string_append (text, self->events->str);
  for (guint i = 0; i < self->functions->len; i++)
    {
      const CsCounterFunction *function = &g_array_index (self->functions, CsCounterFunction, i);

      g_string_append_printf (text, "%016" G_GINT64_MODIFIER "x %s\n", function->address, function->name);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
