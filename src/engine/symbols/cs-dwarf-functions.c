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
  GArray *ranges;
  ScanKind kind;
  Dwarf_Off last; /* DIE looked at */
  guint32 holder; /* what the DIE is inlined into */
} Scan;

static void scan_children (Scan *scan, Dwarf_Die parent, guint depth);

static void
entry_clear (gpointer data)
{
  CsDwarfEntry *entry = data;

  g_clear_pointer (&entry->inlined, g_array_unref);
}

static void
take_entry (Scan      *scan,
            Dwarf_Die  die)
{
  CsDwarfEntry entry = { .holder = scan->holder, .is_inlined = scan->kind == SCAN_INLINED };
  Dwarf_Error error = NULL;

  if (cs_dwarf_read_ranges (scan->self, scan->unit, die, scan->ranges, scan->unit->functions->len,
                            &entry.start, &entry.size) &&
      cs_dwarf_ok (scan->self, dwarf_dieoffset (die, &entry.die, &error), &error))
    g_array_append_val (scan->unit->functions, entry);
}

/* Takes what a DIE stands for; returns whether its children matter. */
static gboolean
take_die (Scan      *scan,
          Dwarf_Die  die,
          Dwarf_Half tag)
{
  switch (tag)
    {
    case DW_TAG_subprogram:
      if (scan->kind != SCAN_INLINED)
        take_entry (scan, die);
      return scan->kind == SCAN_WHOLE;

    case DW_TAG_inlined_subroutine:
      if (scan->kind == SCAN_INLINED)
        take_entry (scan, die);
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

static void
scan_children (Scan      *scan,
               Dwarf_Die  parent,
               guint      depth)
{
  CsDwarf *self = scan->self;
  Dwarf_Error error = NULL;
  Dwarf_Die die = NULL;
  Dwarf_Off here = 0;

  if (depth > CS_DWARF_DEEPEST || !cs_dwarf_ok (self, dwarf_child (parent, &die, &error), &error))
    return;
  for (;;)
    {
      Dwarf_Half tag = 0;
      Dwarf_Die next = NULL;
      gboolean more;

      /* Whole files are walked forwards only; a damaged one's siblings could
       * run in circles, or each through all that follows. */
      if (!cs_dwarf_ok (self, dwarf_dieoffset (die, &here, &error), &error) || here <= scan->last)
        break;
      scan->last = here;
      if (cs_dwarf_ok (self, dwarf_tag (die, &tag, &error), &error) && take_die (scan, die, tag))
        {
          guint32 holder = scan->holder;
          guint n = scan->unit->functions->len;

          if (tag == DW_TAG_inlined_subroutine && n > 0 &&
              g_array_index (scan->unit->functions, CsDwarfEntry, n - 1).die == here)
            scan->holder = n - 1;
          scan_children (scan, die, depth + 1);
          scan->holder = holder;
        }
      more = cs_dwarf_ok (self, dwarf_siblingof_b (self->dbg, die, TRUE, &next, &error), &error);
      dwarf_dealloc_die (die);
      die = next;
      if (!more)
        return;
    }
  dwarf_dealloc_die (die);
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
  Scan scan = { self, unit, NULL, kind, 0, 0 };

  cs_dwarf_unit_clear_functions (unit);
  unit->functions = g_array_new (FALSE, FALSE, sizeof (CsDwarfEntry));
  g_array_set_clear_func (unit->functions, entry_clear);
  unit->ranges = scan.ranges = cs_ranges_new ();
  unit->read_whole = kind == SCAN_WHOLE;
  scan_children (&scan, unit->die, 0);
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
read_names (CsDwarf      *self,
            CsDwarfEntry *entry)
{
  Dwarf_Off offset = entry->die;
  gboolean more = TRUE;

  entry->has_names = TRUE;
  for (guint hops = 0; more && hops < 16 && entry->linkage_name == NULL; hops++)
    {
      Dwarf_Die die = NULL;
      Dwarf_Error error = NULL;

      if (!cs_dwarf_ok (self, dwarf_offdie_b (self->dbg, offset, TRUE, &die, &error), &error))
        return;
      entry->linkage_name = cs_dwarf_read_text (self, die, DW_AT_linkage_name);
      if (entry->linkage_name == NULL)
        entry->linkage_name = cs_dwarf_read_text (self, die, DW_AT_MIPS_linkage_name);
      if (entry->name == NULL)
        entry->name = cs_dwarf_read_text (self, die, DW_AT_name);
      more = cs_dwarf_read_reference (self, die, DW_AT_abstract_origin, &offset) ||
             cs_dwarf_read_reference (self, die, DW_AT_specification, &offset);
      dwarf_dealloc_die (die);
    }
}

static void
describe (CsDwarf           *self,
          const CsDwarfUnit *unit,
          guint32            index,
          CsDwarfFunction   *function)
{
  CsDwarfEntry *entry = &g_array_index (unit->functions, CsDwarfEntry, index);

  if (!entry->has_names)
    read_names (self, entry);
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
  Scan scan = { self, unit, NULL, SCAN_INLINED, 0, index };
  Dwarf_Error error = NULL;
  Dwarf_Die die = NULL;

  if (entry->inlined != NULL)
    return entry->inlined;
  entry->inlined = scan.ranges = cs_ranges_new ();
  if (cs_dwarf_ok (self, dwarf_offdie_b (self->dbg, entry->die, TRUE, &die, &error), &error))
    {
      /* Adds to functions, so entry is no longer valid behind it. */
      scan_children (&scan, die, 0);
      dwarf_dealloc_die (die);
    }
  cs_ranges_sort (scan.ranges);
  return scan.ranges;
}

/**
 * cs_dwarf_find_function:
 * @self: DWARF information
 * @address: a link address
 * @function: (out): what is told about the function that holds it
 *
 * Finds the function in the machine's sense: what was inlined belongs to the
 * function that absorbed it.
 *
 * Returns: %TRUE if a DIE says which function it is
 */
gboolean
cs_dwarf_find_function (CsDwarf         *self,
                        guint64          address,
                        CsDwarfFunction *function)
{
  guint32 index;
  const CsDwarfUnit *unit = find_unit_and_function (self, address, &index);

  if (unit == NULL)
    return FALSE;
  describe (self, unit, index, function);
  return TRUE;
}

/**
 * cs_dwarf_find_innermost:
 * @self: DWARF information
 * @address: a link address
 * @function: (out): what is told about the function whose source the address is
 *
 * Finds the function in the source's sense: the innermost inlined one.
 *
 * Returns: %TRUE if a DIE says which function it is
 */
gboolean
cs_dwarf_find_innermost (CsDwarf         *self,
                         guint64          address,
                         CsDwarfFunction *function)
{
  guint32 index;
  CsDwarfUnit *unit = find_unit_and_function (self, address, &index);
  const CsRange *range;

  if (unit == NULL)
    return FALSE;
  range = cs_ranges_find (get_inlined (self, unit, index), address);
  describe (self, unit, range != NULL ? range->value : index, function);
  function->inlined = range != NULL;
  return TRUE;
}

/* The DIE that all copies of a function refer to. */
static Dwarf_Off
get_origin (CsDwarf      *self,
            CsDwarfEntry *entry)
{
  Dwarf_Die die = NULL;
  Dwarf_Error error = NULL;

  if (entry->origin != 0)
    return entry->origin;
  entry->origin = entry->die;
  if (cs_dwarf_ok (self, dwarf_offdie_b (self->dbg, entry->die, TRUE, &die, &error), &error))
    {
      cs_dwarf_read_reference (self, die, DW_AT_abstract_origin, &entry->origin);
      dwarf_dealloc_die (die);
    }
  return entry->origin;
}

/* What a copy is one of: the function of the unit that has the same origin, or its name. */
static void
add_inlined (CsDwarf     *self,
             CsDwarfUnit *unit,
             guint32      index,
             GArray      *list)
{
  CsDwarfEntry *copy = &g_array_index (unit->functions, CsDwarfEntry, index);
  Dwarf_Off origin = get_origin (self, copy);
  CsDwarfInlined inlined = { 0 };

  for (guint i = 0; i < unit->functions->len && inlined.start == 0; i++)
    {
      CsDwarfEntry *entry = &g_array_index (unit->functions, CsDwarfEntry, i);

      if (!entry->is_inlined && get_origin (self, entry) == origin)
        inlined.start = entry->start;
    }
  if (!copy->has_names)
    read_names (self, copy);
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
  g_autoptr (GHashTable) origins = g_hash_table_new (g_int64_hash, g_int64_equal);

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

      add_inlined (self, unit, innermost, one);
      g_array_prepend_vals (inlining->around, one->data, 1);
    }
  for (guint i = 0; i < ranges->len; i++)
    {
      guint32 copy = g_array_index (ranges, CsRange, i).value;
      CsDwarfEntry *entry = &g_array_index (unit->functions, CsDwarfEntry, copy);

      get_origin (self, entry);
      if (g_hash_table_add (origins, &entry->origin))
        add_inlined (self, unit, copy, inlining->anywhere);
    }
  return TRUE;
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
