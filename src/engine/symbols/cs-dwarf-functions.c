/* SPDX-License-Identifier: MIT */

#include "config.h"

#include "symbols/cs-dwarf-private.h"

/* How much of a tree of DIEs is looked at. */
typedef enum
{
  SCAN_OUTER,   /* functions in namespaces; what lies in functions and types is passed over */
  SCAN_WHOLE,   /* functions anywhere: in types, and types in functions */
  SCAN_INLINED, /* what was inlined into one function */
} ScanKind;

typedef struct
{
  CsDwarf *self;
  CsDwarfUnit *unit;
  CsDieUnit *dies;
  GArray *ranges;
  ScanKind kind;
  guint32 holder; /* what the entry is inlined into */
} Scan;

static void
entry_clear (gpointer data)
{
  CsDwarfEntry *entry = data;

  g_clear_pointer (&entry->inlined, g_array_unref);
}

/* Whether an entry becomes one of the functions. */
static gboolean
take_entry (Scan        *scan,
            const CsDie *die)
{
  CsDwarfEntry entry = { .die = die->at, .holder = scan->holder, .is_inlined = scan->kind == SCAN_INLINED };

  if (!cs_dwarf_read_ranges (scan->self, die, scan->ranges, scan->unit->functions->len,
                             &entry.start, &entry.size))
    return FALSE;
  g_array_append_val (scan->unit->functions, entry);
  return TRUE;
}

/* Takes what a DIE stands for; returns whether its children matter. */
static gboolean
take_die (Scan        *scan,
          const CsDie *die,
          gboolean    *taken)
{
  *taken = FALSE;
  switch (die->abbrev->tag)
    {
    case DW_TAG_subprogram:
      if (scan->kind != SCAN_INLINED)
        take_entry (scan, die);
      return scan->kind == SCAN_WHOLE;

    case DW_TAG_inlined_subroutine:
      if (scan->kind == SCAN_INLINED)
        *taken = take_entry (scan, die);
      return scan->kind != SCAN_OUTER;

    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_with_stmt:
      return scan->kind != SCAN_OUTER;

    case DW_TAG_namespace:
    case DW_TAG_module:
      return scan->kind != SCAN_INLINED;

    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_interface_type:
      return scan->kind == SCAN_WHOLE;

    default:
      return FALSE;
    }
}

/* Looks at the children of an entry, and at theirs where they matter, forwards only. */
static void
scan_children (Scan        *scan,
               const CsDie *parent)
{
  guint32 holders[CS_DWARF_DEEPEST];
  const guint8 *at = cs_die_get_end (parent);
  guint depth = 0;
  CsDie die;

  if (!parent->abbrev->has_children)
    return;
  while (at != NULL && cs_die_read (scan->dies, at, &die))
    {
      gboolean taken;

      if (die.abbrev == NULL)
        {
          at = die.values;
          if (depth == 0)
            return;
          scan->holder = holders[--depth];
        }
      else if (take_die (scan, &die, &taken) && die.abbrev->has_children && depth < CS_DWARF_DEEPEST)
        {
          holders[depth++] = scan->holder;
          if (taken)
            scan->holder = scan->unit->functions->len - 1;
          at = cs_die_get_end (&die);
        }
      else
        at = cs_die_skip (&die);
    }
}

void
cs_dwarf_unit_clear_functions (CsDwarfUnit *unit)
{
  g_clear_pointer (&unit->functions, g_array_unref);
  g_clear_pointer (&unit->ranges, g_array_unref);
}

static void
read_functions (CsDwarf     *self,
                CsDwarfUnit *unit,
                ScanKind     kind)
{
  CsDieUnit *dies = cs_dwarf_unit_get_dies (self, unit);
  Scan scan = { self, unit, dies, NULL, kind, 0 };
  CsDie root;

  cs_dwarf_unit_clear_functions (unit);
  unit->functions = g_array_new (FALSE, FALSE, sizeof (CsDwarfEntry));
  g_array_set_clear_func (unit->functions, entry_clear);
  unit->ranges = scan.ranges = cs_ranges_new ();
  unit->read_whole = kind == SCAN_WHOLE;
  if (dies != NULL && cs_die_read (dies, dies->dies, &root) && root.abbrev != NULL)
    scan_children (&scan, &root);
  cs_ranges_sort (unit->ranges);
}

/* Most units need only their outer functions read; one with functions inside
 * of types or of other functions is read again as a whole when an address
 * asks for one of these. */
static const CsRange *
find_in_unit (CsDwarf     *self,
              CsDwarfUnit *unit,
              guint64      address)
{
  const CsRange *range;

  if (unit->functions == NULL)
    read_functions (self, unit, SCAN_OUTER);
  range = cs_ranges_find (unit->ranges, address);
  if (range == NULL && !unit->read_whole)
    {
      read_functions (self, unit, SCAN_WHOLE);
      range = cs_ranges_find (unit->ranges, address);
    }
  return range;
}

static CsDwarfUnit *
find_unit_and_function (CsDwarf *self,
                        guint64  address,
                        guint32 *function)
{
  const CsRange *range = cs_ranges_find (self->unit_ranges, address);
  CsDwarfUnit *unit;

  if (range != NULL)
    {
      unit = &g_array_index (self->units, CsDwarfUnit, ~range->value);
      range = find_in_unit (self, unit, address);
      if (range != NULL)
        {
          *function = range->value;
          return unit;
        }
    }
  for (guint i = 0; i < self->unranged->len; i++)
    {
      unit = &g_array_index (self->units, CsDwarfUnit, g_array_index (self->unranged, guint32, i));
      range = find_in_unit (self, unit, address);
      if (range != NULL)
        {
          *function = range->value;
          return unit;
        }
    }
  return NULL;
}

/* The names of a DIE, or of what it is a copy or the definition of. */
static void
read_names (CsDwarfUnit  *unit,
            CsDwarfEntry *entry)
{
  CsDie die = { .unit = unit->dwo_name != NULL ? unit->split : unit->die, .at = entry->die };

  entry->has_names = TRUE;
  for (guint hops = 0; hops < 16 && entry->linkage_name == NULL; hops++)
    {
      CsDieUnit *in = die.unit;
      CsDieReader reader;
      CsDieValue value, next = { 0 };
      guint16 name;

      if (!cs_die_read (in, die.at, &die) || die.abbrev == NULL)
        return;
      cs_die_reader_init (&reader, &die);
      while (cs_die_reader_next (&reader, &name, &value))
        {
          if (name == DW_AT_linkage_name || name == DW_AT_MIPS_linkage_name)
            entry->linkage_name = cs_die_value_get_text (in, &value);
          else if (name == DW_AT_name && entry->name == NULL)
            entry->name = cs_die_value_get_text (in, &value);
          else if (name == DW_AT_abstract_origin || (name == DW_AT_specification && next.form == 0))
            next = value;
        }
      if (next.form == 0 || !cs_die_value_get_reference (in, &next, &die))
        return;
    }
}

static void
describe (CsDwarfUnit     *unit,
          guint32          index,
          CsDwarfFunction *function)
{
  CsDwarfEntry *entry = &g_array_index (unit->functions, CsDwarfEntry, index);

  if (!entry->has_names)
    read_names (unit, entry);
  function->linkage_name = entry->linkage_name;
  function->name = entry->name;
  function->start = entry->start;
  function->size = entry->size;
  function->mangles = unit->mangles;
  function->inlined = FALSE;
}

/* Reads what was inlined into a function. */
static const GArray *
get_inlined (CsDwarf     *self,
             CsDwarfUnit *unit,
             guint32      index)
{
  CsDwarfEntry *entry = &g_array_index (unit->functions, CsDwarfEntry, index);
  CsDieUnit *dies = cs_dwarf_unit_get_dies (self, unit);
  Scan scan = { self, unit, dies, NULL, SCAN_INLINED, index };
  CsDie die;

  if (entry->inlined != NULL)
    return entry->inlined;
  entry->inlined = scan.ranges = cs_ranges_new ();
  /* Adds to functions, so entry is no longer valid behind it. */
  if (cs_die_read (dies, entry->die, &die) && die.abbrev != NULL)
    scan_children (&scan, &die);
  cs_ranges_sort (scan.ranges);
  return scan.ranges;
}

/* Reads all that look-ups of some addresses of a unit need. Units may be prepared by
 * several threads at once, each by one. */
void
cs_dwarf_unit_prepare (CsDwarf       *self,
                       CsDwarfUnit   *unit,
                       const guint64 *addresses,
                       guint          n)
{
  /* One that isn't found has the whole unit read, which makes what was read before void. */
  for (guint i = 0; i < n && !unit->read_whole; i++)
    find_in_unit (self, unit, addresses[i]);
  for (guint i = 0; i < n; i++)
    {
      const CsRange *range = cs_ranges_find (unit->ranges, addresses[i]);
      CsDwarfFunction function;

      if (range == NULL)
        continue;
      describe (unit, range->value, &function);
      range = cs_ranges_find (get_inlined (self, unit, range->value), addresses[i]);
      if (range != NULL)
        describe (unit, range->value, &function);
    }
  cs_dwarf_unit_get_lines (self, unit);
}

/* Where a copy was called. */
static void
read_call (CsDwarf      *self,
           CsDwarfUnit  *unit,
           guint32       index,
           CsDwarfFrame *frame)
{
  const CsDwarfEntry *entry = &g_array_index (unit->functions, CsDwarfEntry, index);
  CsDie die;
  CsDieReader reader;
  CsDieValue value;
  guint16 name;

  if (!cs_die_read (cs_dwarf_unit_get_dies (self, unit), entry->die, &die) || die.abbrev == NULL)
    return;
  cs_die_reader_init (&reader, &die);
  while (cs_die_reader_next (&reader, &name, &value))
    if (name == DW_AT_call_file)
      frame->call_file = cs_dwarf_unit_get_file (self, unit, value.number);
    else if (name == DW_AT_call_line && value.number <= G_MAXUINT)
      frame->call_line = (guint) value.number;
}

/**
 * cs_dwarf_find_function:
 * @self: DWARF information
 * @address: a link address
 * @function: (out): what is told about the function that holds it
 * @frames: an array of #CsDwarfFrame, to which the functions are added that were
 *   inlined there, innermost first
 *
 * Finds the function in the machine's sense, to which inlined code belongs that it absorbed,
 * and in @frames those of the source.
 *
 * Returns: %TRUE if a DIE says which function it is
 */
gboolean
cs_dwarf_find_function (CsDwarf         *self,
                        guint64          address,
                        CsDwarfFunction *function,
                        GArray          *frames)
{
  guint32 index;
  CsDwarfUnit *unit = find_unit_and_function (self, address, &index);
  const CsRange *range;
  guint32 copy;

  if (unit == NULL)
    return FALSE;
  describe (unit, index, function);
  range = cs_ranges_find (get_inlined (self, unit, index), address);
  for (copy = range != NULL ? range->value : index; copy != index;
       copy = g_array_index (unit->functions, CsDwarfEntry, copy).holder)
    {
      CsDwarfFrame frame = { 0 };

      describe (unit, copy, &frame.function);
      frame.function.inlined = TRUE;
      read_call (self, unit, copy, &frame);
      g_array_append_val (frames, frame);
    }
  return TRUE;
}

/* The DIE that all copies of a function refer to. */
static const guint8 *
get_origin (CsDwarfUnit  *unit,
            CsDwarfEntry *entry)
{
  CsDieUnit *dies = unit->dwo_name != NULL ? unit->split : unit->die;
  CsDie die, origin;
  CsDieValue value;

  if (entry->origin != NULL)
    return entry->origin;
  entry->origin = entry->die;
  if (cs_die_read (dies, entry->die, &die) && die.abbrev != NULL &&
      cs_die_get_value (&die, DW_AT_abstract_origin, &value) &&
      cs_die_value_get_reference (dies, &value, &origin))
    entry->origin = origin.at;
  return entry->origin;
}

/* What a copy is one of: the function of the unit that has the same origin, or its name. */
static void
add_inlined (CsDwarfUnit *unit,
             guint32      index,
             GArray      *list)
{
  CsDwarfEntry *copy = &g_array_index (unit->functions, CsDwarfEntry, index);
  const guint8 *origin = get_origin (unit, copy);
  CsDwarfInlined inlined = { 0 };

  for (guint i = 0; i < unit->functions->len && inlined.start == 0; i++)
    {
      CsDwarfEntry *entry = &g_array_index (unit->functions, CsDwarfEntry, i);

      if (!entry->is_inlined && get_origin (unit, entry) == origin)
        inlined.start = entry->start;
    }
  if (!copy->has_names)
    read_names (unit, copy);
  inlined.linkage_name = copy->linkage_name;
  g_array_append_val (list, inlined);
}

/**
 * cs_dwarf_find_inlining:
 * @self: DWARF information
 * @address: a link address
 * @inlining: (out): what was inlined; cs_dwarf_inlining_clear() frees it
 *
 * Tells which functions' code an address is part of at once.
 *
 * Returns: %TRUE if a DIE says which function holds the address
 */
gboolean
cs_dwarf_find_inlining (CsDwarf         *self,
                        guint64          address,
                        CsDwarfInlining *inlining)
{
  guint32 index, innermost;
  CsDwarfUnit *unit = find_unit_and_function (self, address, &index);
  const GArray *ranges;
  const CsRange *range;
  g_autoptr (GHashTable) origins = g_hash_table_new (NULL, NULL);

  /* The functions themselves may lie in types. */
  if (unit != NULL && !unit->read_whole)
    {
      read_functions (self, unit, SCAN_WHOLE);
      unit = find_unit_and_function (self, address, &index);
    }
  if (unit == NULL)
    return FALSE;

  ranges = get_inlined (self, unit, index);
  range = cs_ranges_find (ranges, address);
  inlining->function = g_array_index (unit->functions, CsDwarfEntry, index).start;
  inlining->gnu = unit->gnu;
  inlining->around = g_array_new (FALSE, FALSE, sizeof (CsDwarfInlined));
  inlining->anywhere = g_array_new (FALSE, FALSE, sizeof (CsDwarfInlined));
  for (innermost = range != NULL ? range->value : index; innermost != index;
       innermost = g_array_index (unit->functions, CsDwarfEntry, innermost).holder)
    {
      g_autoptr (GArray) one = g_array_new (FALSE, FALSE, sizeof (CsDwarfInlined));

      add_inlined (unit, innermost, one);
      g_array_prepend_vals (inlining->around, one->data, 1);
    }
  for (guint i = 0; i < ranges->len; i++)
    {
      guint32 copy = g_array_index (ranges, CsRange, i).value;
      CsDwarfEntry *entry = &g_array_index (unit->functions, CsDwarfEntry, copy);

      get_origin (unit, entry);
      if (g_hash_table_add (origins, (gpointer) entry->origin))
        add_inlined (unit, copy, inlining->anywhere);
    }
  return TRUE;
}

/**
 * cs_dwarf_list_inlined:
 * @self: DWARF information
 * @function: called with the linkage name of each function, or its name where it has none
 * @user_data: for @function
 *
 * Reads all units for the functions that the compiler inlined, whether or not code is left of their copies. A name may
 * come more than once.
 */
void
cs_dwarf_list_inlined (CsDwarf *self, void (*function) (const char *name, gpointer user_data), gpointer user_data)
{
  for (guint u = 0; u < self->units->len; u++)
    {
      CsDwarfUnit *unit = &g_array_index (self->units, CsDwarfUnit, u);
      CsDieUnit *dies = cs_dwarf_unit_get_dies (self, unit);
      const guint8 *at = dies != NULL ? dies->dies : NULL;
      CsDie die;

      while (at != NULL && cs_die_read (dies, at, &die))
        {
          CsDwarfEntry entry = { .die = die.at };
          CsDieValue value;

          at = die.abbrev != NULL ? cs_die_get_end (&die) : die.values;
          if (die.abbrev == NULL || die.abbrev->tag != DW_TAG_subprogram ||
              !cs_die_get_value (&die, DW_AT_inline, &value) ||
              (value.number != DW_INL_inlined && value.number != DW_INL_declared_inlined))
            continue;
          read_names (unit, &entry);
          if (entry.linkage_name != NULL || entry.name != NULL)
            function (entry.linkage_name != NULL ? entry.linkage_name : entry.name, user_data);
        }
    }
}

/**
 * cs_dwarf_inlining_clear:
 * @inlining: what cs_dwarf_find_inlining() found
 */
void
cs_dwarf_inlining_clear (CsDwarfInlining *inlining)
{
  g_clear_pointer (&inlining->around, g_array_unref);
  g_clear_pointer (&inlining->anywhere, g_array_unref);
}
