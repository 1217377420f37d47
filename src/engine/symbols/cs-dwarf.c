/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <string.h>

#include "symbols/cs-debug-file.h"
#include "symbols/cs-dwarf-private.h"

/* Remembers the first thing that could not be read, for the notice. */
void
cs_dwarf_set_problem (CsDwarf *self, const char *problem)
{
  g_mutex_lock (&self->mutex);
  if (self->problem == NULL)
    self->problem = g_strdup (problem);
  g_mutex_unlock (&self->mutex);
}

/* Languages whose DW_AT_name is the symbol's name. */
static gboolean
language_mangles (guint64 language)
{
  switch (language)
    {
    case DW_LANG_C:
    case DW_LANG_C89:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case DW_LANG_UPC:
    case DW_LANG_Cobol74:
    case DW_LANG_Cobol85:
    case DW_LANG_Fortran77:
    case DW_LANG_Pascal83:
    case DW_LANG_PLI:
      return FALSE;
    default:
      return TRUE;
    }
}

/* What the entries of a unit mean depends on who wrote them. */
static void
set_language (CsDwarfUnit *unit, const CsDieUnit *die, const CsDieValue *language, const CsDieValue *producer)
{
  unit->mangles = language_mangles (language->number);
  unit->gnu = g_str_has_prefix (cs_die_value_get_text (die, producer) ?: "", "GNU ");
}

/* Of a split unit only the entry in its own file says so. */
void
cs_dwarf_unit_read_language (CsDwarfUnit *unit, CsDieUnit *die)
{
  CsDie root;
  CsDieValue language, producer;

  if (!cs_die_read (die, die->dies, &root) || root.abbrev == NULL)
    return;
  cs_die_get_value (&root, DW_AT_language, &language);
  cs_die_get_value (&root, DW_AT_producer, &producer);
  set_language (unit, die, &language, &producer);
}

/* What the first entry of a unit says of the unit. */
typedef struct
{
  CsDieExtent extent;
  CsDieValue language, producer, comp_dir, dwo_name, stmt_list;
} UnitRoot;

static void
take_attribute (CsDwarfUnit *unit, UnitRoot *root, guint16 name, const CsDieValue *value)
{
  CsDieUnit *die = unit->die;

  switch (name)
    {
    case DW_AT_low_pc:
      root->extent.low = *value;
      break;
    case DW_AT_high_pc:
      root->extent.high = *value;
      break;
    case DW_AT_ranges:
      root->extent.ranges = *value;
      break;
    case DW_AT_language:
      root->language = *value;
      break;
    case DW_AT_producer:
      root->producer = *value;
      break;
    case DW_AT_comp_dir:
      root->comp_dir = *value;
      break;
    case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name:
      root->dwo_name = *value;
      break;
    case DW_AT_stmt_list:
      root->stmt_list = *value;
      break;
    case DW_AT_GNU_dwo_id:
      unit->dwo_id = value->number;
      break;
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base:
      die->address_base = value->number;
      break;
    case DW_AT_str_offsets_base:
      die->text_base = value->number;
      break;
    case DW_AT_rnglists_base:
      die->lists_base = value->number;
      break;
    case DW_AT_GNU_ranges_base:
      unit->split_ranges_base = value->number;
      break;
    default:
      break;
    }
}

/* The values need the unit's bases, which are among them. */
static void
resolve_root (CsDwarfUnit *unit, const UnitRoot *root)
{
  CsDieUnit *die = unit->die;
  guint64 low;

  if (cs_die_value_get_address (die, &root->extent.low, &low))
    die->base = low;
  unit->has_stmt_list = root->stmt_list.form != 0;
  unit->stmt_list = root->stmt_list.number;
  unit->comp_dir = cs_die_value_get_text (die, &root->comp_dir);
  unit->dwo_name = cs_die_value_get_text (die, &root->dwo_name);
  set_language (unit, die, &root->language, &root->producer);
}

static void
add_unit (CsDwarf *self, CsDieUnit *die)
{
  CsDwarfUnit unit = { .die = die, .dwo_id = die->dwo_id };
  UnitRoot values = { 0 };
  CsDie root;
  CsDieReader reader;
  CsDieValue value;
  guint16 name;
  guint64 start, size;
  guint32 index = self->units->len;

  if (!cs_die_unit_load (die) || !cs_die_read (die, die->dies, &root) || root.abbrev == NULL)
    {
      cs_dwarf_set_problem (self, "the abbreviations of a unit are missing");
      return;
    }
  if (root.abbrev->tag != DW_TAG_compile_unit && root.abbrev->tag != DW_TAG_skeleton_unit &&
      root.abbrev->tag != DW_TAG_partial_unit)
    return;
  cs_die_reader_init (&reader, &root);
  while (cs_die_reader_next (&reader, &name, &value))
    take_attribute (&unit, &values, name, &value);
  resolve_root (&unit, &values);
  /* A partial unit has no code: its entries are what other units refer to. */
  if (root.abbrev->tag == DW_TAG_partial_unit)
    return;
  if (!cs_dwarf_read_extent (self, die, &values.extent, self->unit_ranges, ~index, &start, &size) &&
      values.extent.high.form == 0 && values.extent.ranges.form == 0)
    g_array_append_val (self->unranged, index);
  g_array_append_val (self->units, unit);
}

/* What dwz moved out of several files into one of its own. */
static void
open_shared_file (CsDwarf *self)
{
  CsElf *elf = cs_debug_file_find_shared (self->file->elf, self->places);

  if (elf == NULL)
    return;
  self->file->shared = cs_dwarf_file_new (elf, TRUE, FALSE);
}

static void
unit_clear (gpointer data)
{
  CsDwarfUnit *unit = data;

  cs_dwarf_unit_clear_functions (unit);
  g_clear_pointer (&unit->files, cs_line_table_free);
}

static CsDwarf *
dwarf_new (CsElf *elf, const char *program, const CsDebugPlaces *places, const GArray *code)
{
  CsDwarf *self = g_new0 (CsDwarf, 1);

  self->file = cs_dwarf_file_new (elf, FALSE, FALSE);
  self->places = places;
  self->program = program;
  self->code = code;
  self->units = g_array_new (FALSE, FALSE, sizeof (CsDwarfUnit));
  g_array_set_clear_func (self->units, unit_clear);
  self->unit_ranges = cs_ranges_new ();
  self->unranged = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->line_tables = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                             (GDestroyNotify) cs_line_table_free);
  self->strings = g_string_chunk_new (4096);
  self->split_files = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_dwarf_file_free);
  self->split_units = g_ptr_array_new_with_free_func (g_free);
  g_mutex_init (&self->mutex);
  return self;
}

/**
 * cs_dwarf_open:
 * @elf: the file that has it; must stay open as long as the result
 * @program: the path of the program whose code it describes
 * @places: (nullable): where files may lie that belong to it; must outlive the result
 * @code: the executable sections as a sorted set of ranges; must outlive the result
 * @problem: (out) (transfer full) (nullable): why it failed
 *
 * Opens the DWARF information (versions 2 to 5) of a file and reads what its
 * units say of themselves; functions and lines are read unit by unit as
 * look-ups need them.
 *
 * Returns: (nullable) (transfer full): the information, %NULL when there is
 *   none or nothing of it can be read
 */
CsDwarf *
cs_dwarf_open (CsElf *elf, const char *program, const CsDebugPlaces *places, const GArray *code, char **problem)
{
  CsDwarf *self = dwarf_new (elf, program, places, code);

  open_shared_file (self);
  for (guint i = 0; i < self->file->units->len; i++)
    {
      CsDieUnit *unit = g_ptr_array_index (self->file->units, i);

      if (unit->type == DW_UT_compile || unit->type == DW_UT_skeleton || unit->type == DW_UT_partial)
        add_unit (self, unit);
    }
  cs_ranges_sort (self->unit_ranges);
  if (self->file->damaged)
    cs_dwarf_set_problem (self, "its chain of units is damaged");
  if (elf->shared_name != NULL && self->file->shared == NULL)
    cs_dwarf_set_problem (self, "the file of what it shares with others, named in .gnu_debugaltlink, is missing");
  if (self->units->len == 0)
    {
      *problem = g_steal_pointer (&self->problem);
      cs_dwarf_free (self);
      return NULL;
    }
  return self;
}

/**
 * cs_dwarf_free:
 * @self: (transfer full): DWARF information
 *
 * Closes the file; the strings that look-ups returned go with it.
 */
void
cs_dwarf_free (CsDwarf *self)
{
  g_array_unref (self->units);
  g_array_unref (self->unit_ranges);
  g_array_unref (self->unranged);
  g_hash_table_unref (self->line_tables);
  g_string_chunk_free (self->strings);
  g_ptr_array_unref (self->split_units);
  g_ptr_array_unref (self->split_files);
  cs_dwarf_package_free (self->package);
  cs_dwarf_file_free (self->file);
  g_mutex_clear (&self->mutex);
  g_free (self->first_missing);
  g_free (self->problem);
  g_free (self);
}

/**
 * cs_dwarf_get_problem:
 * @self: DWARF information
 *
 * Returns: (nullable): the first thing that could not be read so far
 */
const char *
cs_dwarf_get_problem (const CsDwarf *self)
{
  return self->problem;
}

/**
 * cs_dwarf_get_missing:
 * @self: DWARF information
 * @first: (out) (transfer none) (nullable): the name of the first of them, by name
 *
 * Returns: how many `.dwo` files were looked for and not found so far
 */
guint
cs_dwarf_get_missing (const CsDwarf *self, const char **first)
{
  *first = self->first_missing;
  return self->missing;
}

/* Addresses of one unit. */
typedef struct
{
  guint32 unit;
  guint64 address;
} UnitAddress;

typedef struct
{
  CsDwarf *self;
  GArray *addresses; /* guint64, by unit */
  GArray *jobs;      /* Job */
  int next;
} Preparation;

typedef struct
{
  guint32 unit;
  guint first, n; /* in addresses */
} Job;

static int
compare_unit_addresses (gconstpointer a, gconstpointer b)
{
  const UnitAddress *one = a;
  const UnitAddress *two = b;

  if (one->unit != two->unit)
    return one->unit < two->unit ? -1 : 1;
  return one->address < two->address ? -1 : one->address > two->address;
}

static gpointer
do_jobs (gpointer data)
{
  Preparation *preparation = data;
  CsDwarf *self = preparation->self;
  guint i;

  while ((i = (guint) g_atomic_int_add (&preparation->next, 1)) < preparation->jobs->len)
    {
      const Job *job = &g_array_index (preparation->jobs, Job, i);

      cs_dwarf_unit_prepare (self, &g_array_index (self->units, CsDwarfUnit, job->unit),
                             &g_array_index (preparation->addresses, guint64, job->first), job->n);
    }
  return NULL;
}

/* The largest units first, so that none is left to one thread in the end. */
static int
compare_jobs (gconstpointer a, gconstpointer b, gpointer data)
{
  const CsDwarf *self = data;
  const CsDieUnit *one = g_array_index (self->units, CsDwarfUnit, ((const Job *) a)->unit).die;
  const CsDieUnit *two = g_array_index (self->units, CsDwarfUnit, ((const Job *) b)->unit).die;
  gssize difference = (two->end - two->dies) - (one->end - one->dies);

  return difference < 0 ? -1 : difference > 0;
}

static void
find_jobs (Preparation *preparation, const guint64 *addresses, guint n)
{
  CsDwarf *self = preparation->self;
  g_autoptr (GArray) sorted = g_array_sized_new (FALSE, FALSE, sizeof (UnitAddress), n);

  for (guint i = 0; i < n; i++)
    {
      const CsRange *range = cs_ranges_find (self->unit_ranges, addresses[i]);
      UnitAddress one = { range != NULL ? ~range->value : 0, addresses[i] };

      if (range != NULL)
        g_array_append_val (sorted, one);
    }
  g_array_sort (sorted, compare_unit_addresses);
  for (guint i = 0; i < sorted->len; i++)
    {
      const UnitAddress *one = &g_array_index (sorted, UnitAddress, i);
      Job *last = preparation->jobs->len > 0
                    ? &g_array_index (preparation->jobs, Job, preparation->jobs->len - 1) : NULL;
      Job job = { one->unit, i, 1 };

      g_array_append_val (preparation->addresses, one->address);
      if (last != NULL && last->unit == one->unit)
        last->n++;
      else
        g_array_append_val (preparation->jobs, job);
    }
  g_array_sort_with_data (preparation->jobs, compare_jobs, self);
}

/**
 * cs_dwarf_prepare:
 * @self: DWARF information
 * @addresses: (array length=n): link addresses
 * @n: how many
 *
 * Reads all that look-ups of these addresses will need, on all processors.
 */
void
cs_dwarf_prepare (CsDwarf *self, const guint64 *addresses, guint n)
{
  Preparation preparation = { self, g_array_new (FALSE, FALSE, sizeof (guint64)),
                              g_array_new (FALSE, FALSE, sizeof (Job)), 0 };
  GThread *threads[15];
  guint n_threads;

  find_jobs (&preparation, addresses, n);
  n_threads = MIN (g_get_num_processors (), preparation.jobs->len);
  n_threads = n_threads > 0 ? MIN (n_threads - 1, G_N_ELEMENTS (threads)) : 0;
  for (guint i = 0; i < n_threads; i++)
    threads[i] = g_thread_new ("symbols", do_jobs, &preparation);
  do_jobs (&preparation);
  for (guint i = 0; i < n_threads; i++)
    g_thread_join (threads[i]);
  g_array_unref (preparation.addresses);
  g_array_unref (preparation.jobs);
}
