/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "symbols/cs-dwarf-private.h"

/* Where the ranges of an entry are collected. */
typedef struct
{
  CsDwarf *self;
  GArray *ranges;
  guint32 value;
  gboolean any;
  guint64 start;
  guint64 size;
} RangeSink;

/* Code that the linker dropped keeps its entry, with an address outside of the file's code: 0 in
 * most cases, from where a large function reaches into the code of others. */
static void
sink_range (RangeSink *sink, guint64 low, guint64 high)
{
  if (low >= high || !cs_ranges_contain (sink->self->code, low))
    return;
  cs_ranges_add (sink->ranges, low, high, sink->value);
  if (!sink->any)
    {
      sink->start = low;
      sink->size = high - low;
    }
  sink->any = TRUE;
}

/* Whether one more range of a list may be read. */
static gboolean
may_read_on (RangeSink *sink, const CsDieUnit *unit)
{
  CsDwarfFile *file = unit->file;
  guint64 size = (guint64) file->sections[CS_DWARF_INFO].size + file->sections[CS_DWARF_RNGLISTS].size +
                 unit->address_file->sections[CS_DWARF_RANGES].size;

  if (__atomic_fetch_add (&file->n_ranges, 1, __ATOMIC_RELAXED) / CS_DWARF_MOST_TIMES <= size)
    return TRUE;
  cs_dwarf_set_problem (sink->self, "too many of its entries share a list of ranges");
  return FALSE;
}

/* A list of .debug_ranges, versions 2 to 4. */
static void
read_old_list (RangeSink *sink, const CsDieUnit *unit, guint64 offset)
{
  CsBytes bytes = cs_dwarf_file_get_bytes (unit->address_file, CS_DWARF_RANGES, offset);
  guint64 largest = unit->address_size == 4 ? G_MAXUINT32 : G_MAXUINT64;
  guint64 base = unit->base;

  while (cs_bytes_left (&bytes) > 0 && may_read_on (sink, unit))
    {
      guint64 low = cs_bytes_number (&bytes, unit->address_size);
      guint64 high = cs_bytes_number (&bytes, unit->address_size);

      if (bytes.bad || (low == 0 && high == 0))
        return;
      if (low == largest)
        base = high;
      else
        sink_range (sink, base + low, base + high);
    }
}

/* A list of .debug_rnglists, section 2.17.3 of version 5. */
static void
read_new_list (RangeSink *sink, const CsDieUnit *unit, guint64 offset)
{
  CsBytes bytes = cs_dwarf_file_get_bytes (unit->file, CS_DWARF_RNGLISTS, offset);
  guint64 base = unit->base;

  while (cs_bytes_left (&bytes) > 0 && may_read_on (sink, unit))
    {
      guint8 kind = cs_bytes_u8 (&bytes);
      guint64 low = 0;
      guint64 high = 0;
      gboolean known = TRUE;

      switch (kind)
        {
        case DW_RLE_base_addressx:
          known = cs_die_unit_get_address (unit, cs_bytes_uleb (&bytes), &base);
          break;
        case DW_RLE_base_address:
          base = cs_bytes_number (&bytes, unit->address_size);
          break;
        case DW_RLE_startx_endx:
          known = cs_die_unit_get_address (unit, cs_bytes_uleb (&bytes), &low);
          known &= cs_die_unit_get_address (unit, cs_bytes_uleb (&bytes), &high);
          break;
        case DW_RLE_startx_length:
          known = cs_die_unit_get_address (unit, cs_bytes_uleb (&bytes), &low);
          high = low + cs_bytes_uleb (&bytes);
          break;
        case DW_RLE_offset_pair:
          low = base + cs_bytes_uleb (&bytes);
          high = base + cs_bytes_uleb (&bytes);
          break;
        case DW_RLE_start_end:
          low = cs_bytes_number (&bytes, unit->address_size);
          high = cs_bytes_number (&bytes, unit->address_size);
          break;
        case DW_RLE_start_length:
          low = cs_bytes_number (&bytes, unit->address_size);
          high = low + cs_bytes_uleb (&bytes);
          break;
        case DW_RLE_end_of_list:
        default:
          return;
        }
      if (bytes.bad)
        return;
      if (known)
        sink_range (sink, low, high);
    }
}

static void
read_list (RangeSink *sink, const CsDieUnit *unit, const CsDieValue *value)
{
  guint64 offset = value->number;

  if (unit->version < 5)
    {
      read_old_list (sink, unit, offset + unit->ranges_base);
      return;
    }
  if (value->form == DW_FORM_rnglistx)
    {
      CsBytes bytes;

      if (offset > G_MAXUINT32)
        return;
      bytes = cs_dwarf_file_get_bytes (unit->file, CS_DWARF_RNGLISTS,
                                       unit->lists_base + offset * unit->offset_size);
      offset = unit->lists_base + cs_bytes_number (&bytes, unit->offset_size);
      if (bytes.bad)
        return;
    }
  read_new_list (sink, unit, offset);
}

/* Adds the code of an entry to @ranges.  start and size are set to the first
 * range: of a function that was split that is the part with its entry. */
gboolean
cs_dwarf_read_extent (CsDwarf *self, const CsDieUnit *unit, const CsDieExtent *extent, GArray *ranges,
                      guint32 value, guint64 *start, guint64 *size)
{
  RangeSink sink = { self, ranges, value, FALSE, 0, 0 };
  guint64 low, high;

  if (extent->high.form != 0)
    {
      if (cs_die_value_get_address (unit, &extent->low, &low))
        {
          if (cs_die_value_is_constant (&extent->high))
            sink_range (&sink, low, low + extent->high.number);
          else if (cs_die_value_get_address (unit, &extent->high, &high))
            sink_range (&sink, low, high);
        }
    }
  else if (extent->ranges.form != 0)
    read_list (&sink, unit, &extent->ranges);
  *start = sink.start;
  *size = sink.size;
  return sink.any;
}

gboolean
cs_dwarf_read_ranges (CsDwarf *self, const CsDie *die, GArray *ranges, guint32 value, guint64 *start,
                      guint64 *size)
{
  CsDieExtent extent = { 0 };
  CsDieReader reader;
  CsDieValue read;
  guint16 name;

  cs_die_reader_init (&reader, die);
  while (cs_die_reader_next (&reader, &name, &read))
    {
      if (name == DW_AT_low_pc)
        extent.low = read;
      else if (name == DW_AT_high_pc)
        extent.high = read;
      else if (name == DW_AT_ranges)
        extent.ranges = read;
    }
  return cs_dwarf_read_extent (self, die->unit, &extent, ranges, value, start, size);
}
