/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <string.h>

#include "symbols/cs-bytes.h"
#include "symbols/cs-dwarf-private.h"

/* libdwarf 0.1 changed signatures that 20210528 had; they meet here. */
#ifdef DW_LIBDWARF_VERSION_MAJOR

static int
open_path (const char  *path,
           Dwarf_Debug *dbg,
           Dwarf_Error *error)
{
  return dwarf_init_path (path, NULL, 0, DW_GROUPNUMBER_ANY, NULL, NULL, dbg, error);
}

static void
close_dbg (Dwarf_Debug dbg)
{
  dwarf_finish (dbg);
}

static void
free_range_list (Dwarf_Debug   dbg,
                 Dwarf_Ranges *ranges,
                 Dwarf_Signed  count)
{
  dwarf_dealloc_ranges (dbg, ranges, count);
}

#else

static int
open_path (const char  *path,
           Dwarf_Debug *dbg,
           Dwarf_Error *error)
{
  return dwarf_init_path (path, NULL, 0, DW_DLC_READ, DW_GROUPNUMBER_ANY, NULL, NULL, dbg, NULL, 0,
                          NULL, error);
}

static void
close_dbg (Dwarf_Debug dbg)
{
  Dwarf_Error error = NULL;

  dwarf_finish (dbg, &error);
}

static void
free_range_list (Dwarf_Debug   dbg,
                 Dwarf_Ranges *ranges,
                 Dwarf_Signed  count)
{
  dwarf_ranges_dealloc (dbg, ranges, count);
}

#endif

/* Whether a libdwarf call found something.  An error is remembered, the first
 * one for the notice, and freed. */
gboolean
cs_dwarf_ok (CsDwarf     *self,
             int          result,
             Dwarf_Error *error)
{
  if (result == DW_DLV_ERROR && *error != NULL)
    {
      if (self->problem == NULL)
        self->problem = g_strdup (dwarf_errmsg (*error));
      dwarf_dealloc_error (self->dbg, *error);
      *error = NULL;
    }
  return result == DW_DLV_OK;
}

/* An attribute and its form; 0: the DIE doesn't have it. */
static Dwarf_Half
get_attribute (CsDwarf         *self,
               Dwarf_Die        die,
               Dwarf_Half       number,
               Dwarf_Attribute *attribute)
{
  Dwarf_Error error = NULL;
  Dwarf_Half form = 0;

  if (!cs_dwarf_ok (self, dwarf_attr (die, number, attribute, &error), &error))
    return 0;
  if (!cs_dwarf_ok (self, dwarf_whatform (*attribute, &form, &error), &error))
    {
      dwarf_dealloc_attribute (*attribute);
      return 0;
    }
  return form;
}

/* Whether an attribute lies in a file of its own that several programs share. */
static gboolean
is_elsewhere (Dwarf_Half form)
{
  return form == DW_FORM_GNU_ref_alt || form == DW_FORM_GNU_strp_alt || form == DW_FORM_strp_sup ||
         form == DW_FORM_ref_sup4 || form == DW_FORM_ref_sup8;
}

const char *
cs_dwarf_read_text (CsDwarf    *self,
                    Dwarf_Die   die,
                    Dwarf_Half  number)
{
  Dwarf_Attribute attribute;
  Dwarf_Half form = get_attribute (self, die, number, &attribute);
  Dwarf_Error error = NULL;
  char *text = NULL;

  if (form == 0)
    return NULL;
  if (is_elsewhere (form) ||
      !cs_dwarf_ok (self, dwarf_formstring (attribute, &text, &error), &error))
    text = NULL;
  dwarf_dealloc_attribute (attribute);
  return text;
}

gboolean
cs_dwarf_read_reference (CsDwarf    *self,
                         Dwarf_Die   die,
                         Dwarf_Half  number,
                         Dwarf_Off  *offset)
{
  Dwarf_Attribute attribute;
  Dwarf_Half form = get_attribute (self, die, number, &attribute);
  Dwarf_Error error = NULL;
  gboolean found;

  if (form == 0)
    return FALSE;
  found = !is_elsewhere (form) && form != DW_FORM_ref_sig8 &&
          cs_dwarf_ok (self, dwarf_global_formref (attribute, offset, &error), &error);
  dwarf_dealloc_attribute (attribute);
  return found;
}

/* A constant or an offset into another section. */
gboolean
cs_dwarf_read_number (CsDwarf    *self,
                      Dwarf_Die   die,
                      Dwarf_Half  number,
                      guint64    *value)
{
  Dwarf_Attribute attribute;
  Dwarf_Half form = get_attribute (self, die, number, &attribute);
  Dwarf_Error error = NULL;
  Dwarf_Unsigned got = 0;
  gboolean found;

  if (form == 0)
    return FALSE;
  if (form == DW_FORM_sec_offset)
    found = cs_dwarf_ok (self, dwarf_global_formref (attribute, &got, &error), &error);
  else
    found = cs_dwarf_ok (self, dwarf_formudata (attribute, &got, &error), &error);
  dwarf_dealloc_attribute (attribute);
  *value = got;
  return found;
}

/* Where ranges are collected. */
typedef struct
{
  CsDwarf *self;
  GArray *ranges;
  guint32 value;
  gboolean any;
  guint64 start;
  guint64 size;
} RangeSink;

/* Code that the linker dropped keeps its DIE with an address outside of the
 * file's code, or 0. */
static void
sink_range (RangeSink *sink,
            guint64    low,
            guint64    high)
{
  if (!cs_ranges_touch (sink->self->code, low, high))
    return;
  cs_ranges_add (sink->ranges, low, high, sink->value);
  if (!sink->any)
    {
      sink->start = low;
      sink->size = high - low;
    }
  sink->any = TRUE;
}

static void
read_old_range_list (RangeSink         *sink,
                     const CsDwarfUnit *unit,
                     Dwarf_Die          die,
                     guint64            offset)
{
  CsDwarf *self = sink->self;
  Dwarf_Error error = NULL;
  Dwarf_Ranges *list = NULL;
  Dwarf_Signed count = 0;
  Dwarf_Unsigned bytes = 0;
  Dwarf_Off real = 0;
  guint64 base = unit->base;

  if (!cs_dwarf_ok (self, dwarf_get_ranges_b (self->dbg, offset, die, &real, &list, &count, &bytes,
                                              &error), &error))
    return;
  for (Dwarf_Signed i = 0; i < count && list[i].dwr_type != DW_RANGES_END; i++)
    if (list[i].dwr_type == DW_RANGES_ADDRESS_SELECTION)
      base = list[i].dwr_addr2;
    else
      sink_range (sink, base + list[i].dwr_addr1, base + list[i].dwr_addr2);
  free_range_list (self->dbg, list, count);
}

static void
read_new_range_list (RangeSink       *sink,
                     Dwarf_Attribute  attribute,
                     Dwarf_Half       form,
                     guint64          offset)
{
  CsDwarf *self = sink->self;
  Dwarf_Error error = NULL;
  Dwarf_Rnglists_Head head = NULL;
  Dwarf_Unsigned count = 0;
  Dwarf_Unsigned where = 0;

  if (!cs_dwarf_ok (self, dwarf_rnglists_get_rle_head (attribute, form, offset, &head, &count,
                                                       &where, &error), &error))
    return;
  for (Dwarf_Unsigned i = 0; i < count; i++)
    {
      unsigned length = 0;
      unsigned kind = 0;
      Dwarf_Unsigned raw1, raw2;
      Dwarf_Unsigned low = 0;
      Dwarf_Unsigned high = 0;
      Dwarf_Bool unavailable = FALSE;

      if (!cs_dwarf_ok (self, dwarf_get_rnglists_entry_fields_a (head, i, &length, &kind, &raw1, &raw2,
                                                                 &unavailable, &low, &high, &error),
                        &error) ||
          kind == DW_RLE_end_of_list)
        break;
      if (!unavailable && kind != DW_RLE_base_address && kind != DW_RLE_base_addressx)
        sink_range (sink, low, high);
    }
  dwarf_dealloc_rnglists_head (head);
}

/* Adds the code of a DIE to @ranges.  start and size are set to the first
 * range: of a function that was split that is the part with its entry. */
gboolean
cs_dwarf_read_ranges (CsDwarf           *self,
                      const CsDwarfUnit *unit,
                      Dwarf_Die          die,
                      GArray            *ranges,
                      guint32            value,
                      guint64           *start,
                      guint64           *size)
{
  RangeSink sink = { self, ranges, value, FALSE, 0, 0 };
  Dwarf_Error error = NULL;
  Dwarf_Attribute attribute;
  Dwarf_Half form;
  Dwarf_Addr low = 0;
  Dwarf_Addr high = 0;
  enum Dwarf_Form_Class class = DW_FORM_CLASS_UNKNOWN;

  if (cs_dwarf_ok (self, dwarf_highpc_b (die, &high, &form, &class, &error), &error))
    {
      if (cs_dwarf_ok (self, dwarf_lowpc (die, &low, &error), &error))
        sink_range (&sink, low, class == DW_FORM_CLASS_CONSTANT ? low + high : high);
    }
  else if ((form = get_attribute (self, die, DW_AT_ranges, &attribute)) != 0)
    {
      Dwarf_Unsigned offset = 0;
      int result = form == DW_FORM_rnglistx || form == DW_FORM_data4 || form == DW_FORM_data8
                     ? dwarf_formudata (attribute, &offset, &error)
                     : dwarf_global_formref (attribute, &offset, &error);

      if (cs_dwarf_ok (self, result, &error))
        {
          if (unit->version >= 5)
            read_new_range_list (&sink, attribute, form, offset);
          else
            read_old_range_list (&sink, unit, die, offset);
        }
      dwarf_dealloc_attribute (attribute);
    }
  *start = sink.start;
  *size = sink.size;
  return sink.any;
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

static void
add_unit (CsDwarf   *self,
          Dwarf_Die  die,
          guint16    version)
{
  CsDwarfUnit unit = { .die = die, .version = version };
  Dwarf_Error error = NULL;
  Dwarf_Half tag = 0;
  Dwarf_Addr low = 0;
  guint64 language = 0;
  guint64 start, size;
  guint32 index = self->units->len;

  if (!cs_dwarf_ok (self, dwarf_tag (die, &tag, &error), &error) ||
      (tag != DW_TAG_compile_unit && tag != DW_TAG_skeleton_unit))
    {
      dwarf_dealloc_die (die);
      return;
    }
  if (cs_dwarf_ok (self, dwarf_lowpc (die, &low, &error), &error))
    unit.base = low;
  unit.has_stmt_list = cs_dwarf_read_number (self, die, DW_AT_stmt_list, &unit.stmt_list);
  unit.comp_dir = cs_dwarf_read_text (self, die, DW_AT_comp_dir);
  cs_dwarf_read_number (self, die, DW_AT_language, &language);
  unit.mangles = language_mangles (language);
  unit.gnu = g_str_has_prefix (cs_dwarf_read_text (self, die, DW_AT_producer) ?: "", "GNU ");
  self->split |= cs_dwarf_read_text (self, die, DW_AT_dwo_name) != NULL ||
                 cs_dwarf_read_text (self, die, DW_AT_GNU_dwo_name) != NULL;
  if (!cs_dwarf_read_ranges (self, &unit, die, self->unit_ranges, ~index, &start, &size))
    {
      Dwarf_Bool has_low = FALSE;
      Dwarf_Bool has_ranges = FALSE;

      /* All of its code was dropped, or it has none. */
      if (dwarf_hasattr (die, DW_AT_ranges, &has_ranges, &error) == DW_DLV_OK &&
          dwarf_hasattr (die, DW_AT_high_pc, &has_low, &error) == DW_DLV_OK &&
          !has_low && !has_ranges)
        g_array_append_val (self->unranged, index);
    }
  g_array_append_val (self->units, unit);
}

static void
read_units (CsDwarf *self)
{
  for (;;)
    {
      Dwarf_Unsigned header_length, type_offset, next;
      Dwarf_Off abbreviations;
      Dwarf_Half version = 0, address_size, offset_size, extension_size, unit_type = 0;
      Dwarf_Sig8 signature;
      Dwarf_Error error = NULL;
      Dwarf_Die die = NULL;

      if (!cs_dwarf_ok (self, dwarf_next_cu_header_d (self->dbg, TRUE, &header_length, &version,
                                                      &abbreviations, &address_size, &offset_size,
                                                      &extension_size, &signature, &type_offset,
                                                      &next, &unit_type, &error), &error))
        break;
      if (!cs_dwarf_ok (self, dwarf_siblingof_b (self->dbg, NULL, TRUE, &die, &error), &error))
        continue;
      if (unit_type == DW_UT_type || unit_type == DW_UT_partial)
        dwarf_dealloc_die (die);
      else
        add_unit (self, die, version);
    }
  cs_ranges_sort (self->unit_ranges);
}

/* Whether the headers of .debug_rnglists make sense: libdwarf 20210528 frees
 * one twice when it doesn't like it. */
static gboolean
check_range_lists (CsElf *elf)
{
  gsize size = 0;
  const guint8 *data = cs_elf_get_section (elf, "debug_rnglists", &size);
  CsBytes all = { data, data + size, elf->big_endian, FALSE };

  while (data != NULL && cs_bytes_left (&all) > 0)
    {
      guint offset_size = 4;
      guint64 length = cs_bytes_number (&all, 4);
      guint64 address_size, count;
      CsBytes list;

      if (length == 0xffffffff)
        {
          offset_size = 8;
          length = cs_bytes_number (&all, 8);
        }
      if (all.bad || length > cs_bytes_left (&all))
        return FALSE;
      list = all;
      list.end = list.at + length;
      cs_bytes_skip (&all, length);
      if (cs_bytes_number (&list, 2) != 5)
        return FALSE;
      address_size = cs_bytes_u8 (&list);
      if ((address_size != 4 && address_size != 8) || cs_bytes_u8 (&list) != 0)
        return FALSE;
      count = cs_bytes_number (&list, 4);
      if (list.bad || count > cs_bytes_left (&list) / offset_size)
        return FALSE;
    }
  return TRUE;
}

static void
unit_clear (gpointer data)
{
  CsDwarfUnit *unit = data;

  cs_dwarf_unit_clear_functions (unit);
  dwarf_dealloc_die (unit->die);
}

/**
 * cs_dwarf_open:
 * @elf: the file that has it; must stay open as long as the result
 * @code: the executable sections as a sorted set of ranges; must outlive the result
 * @problem: (out) (transfer full) (nullable): why it failed, in libdwarf's words
 *
 * Opens the DWARF information (versions 2 to 5) of a file and reads what its
 * units say of themselves; functions and lines are read unit by unit as
 * look-ups need them.
 *
 * Returns: (nullable) (transfer full): the information, %NULL when there is
 *   none or nothing of it can be read
 */
CsDwarf *
cs_dwarf_open (CsElf        *elf,
               const GArray *code,
               char        **problem)
{
  CsDwarf *self = g_new0 (CsDwarf, 1);
  Dwarf_Error error = NULL;

  self->elf = elf;
  self->code = code;
  self->units = g_array_new (FALSE, FALSE, sizeof (CsDwarfUnit));
  g_array_set_clear_func (self->units, unit_clear);
  self->unit_ranges = cs_ranges_new ();
  self->unranged = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->line_tables = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                             (GDestroyNotify) cs_line_table_free);
  self->strings = g_string_chunk_new (4096);
  if (!check_range_lists (elf))
    self->problem = g_strdup ("its lists of ranges are damaged");
  else if (cs_dwarf_ok (self, open_path (elf->path, &self->dbg, &error), &error))
    read_units (self);
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
  if (self->dbg != NULL)
    close_dbg (self->dbg);
  g_free (self->problem);
  g_free (self);
}

/**
 * cs_dwarf_get_problem:
 * @self: DWARF information
 *
 * Returns: (nullable): the first thing libdwarf could not read so far, in its words
 */
const char *
cs_dwarf_get_problem (const CsDwarf *self)
{
  return self->problem;
}

/**
 * cs_dwarf_is_split:
 * @self: DWARF information
 *
 * Returns: %TRUE if functions are described in separate `.dwo` files, which
 *   aren't read
 */
gboolean
cs_dwarf_is_split (const CsDwarf *self)
{
  return self->split;
}
