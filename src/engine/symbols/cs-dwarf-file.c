/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "symbols/cs-die.h"

/**
 * cs_dwarf_file_get_bytes:
 * @self: a file
 * @section: one of its sections
 * @offset: where to begin
 *
 * Returns: the bytes from there to the section's end; none where it begins behind the end
 */
CsBytes
cs_dwarf_file_get_bytes (const CsDwarfFile *self, CsDwarfSection section, guint64 offset)
{
  const guint8 *data = self->sections[section].data;
  gsize size = self->sections[section].size;

  if (data == NULL || offset >= size)
    return (CsBytes){ NULL, NULL, self->big_endian, FALSE };
  return (CsBytes){ data + offset, data + size, self->big_endian, FALSE };
}

/* The header of a unit, all of it but the values that its first entry has. */
static gboolean
read_header (CsDieUnit *unit, CsBytes *bytes)
{
  guint64 length = cs_bytes_number (bytes, 4);
  CsBytes header;

  unit->offset_size = 4;
  if (length == 0xffffffff)
    {
      unit->offset_size = 8;
      length = cs_bytes_number (bytes, 8);
    }
  if (bytes->bad || length > cs_bytes_left (bytes))
    return FALSE;
  unit->end = bytes->at + length;
  header = (CsBytes){ bytes->at, unit->end, bytes->big_endian, FALSE };
  bytes->at = unit->end;

  unit->version = (guint16) cs_bytes_number (&header, 2);
  unit->type = DW_UT_compile;
  if (unit->version >= 5)
    {
      unit->type = cs_bytes_u8 (&header);
      unit->address_size = cs_bytes_u8 (&header);
      unit->abbrev_offset = cs_bytes_number (&header, unit->offset_size);
      if (unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile)
        unit->dwo_id = cs_bytes_number (&header, 8);
      else if (unit->type == DW_UT_type || unit->type == DW_UT_split_type)
        cs_bytes_skip (&header, 8u + unit->offset_size);
    }
  else
    {
      unit->abbrev_offset = cs_bytes_number (&header, unit->offset_size);
      unit->address_size = cs_bytes_u8 (&header);
    }
  unit->dies = header.at;
  /* Where the unit doesn't say otherwise: the first table of the section. */
  if (unit->version >= 5)
    {
      unit->address_base = unit->text_base = unit->offset_size == 8 ? 16 : 8;
      unit->lists_base = unit->offset_size == 8 ? 20 : 12;
    }
  return TRUE;
}

static gboolean
is_known (const CsDieUnit *unit)
{
  return unit->version >= 2 && unit->version <= 5 && (unit->address_size == 4 || unit->address_size == 8) &&
         unit->dies < unit->end;
}

static void
read_units (CsDwarfFile *self)
{
  CsBytes bytes = cs_dwarf_file_get_bytes (self, CS_DWARF_INFO, 0);

  while (cs_bytes_left (&bytes) > 0)
    {
      CsDieUnit unit = { .file = self, .address_file = self };

      unit.offset = (guint64) (bytes.at - self->sections[CS_DWARF_INFO].data);
      if (!read_header (&unit, &bytes))
        {
          self->damaged = TRUE;
          break;
        }
      if (is_known (&unit))
        g_ptr_array_add (self->units, g_memdup2 (&unit, sizeof unit));
      else
        self->damaged = TRUE;
    }
}

static void
abbrevs_unref (gpointer data)
{
  CsAbbrevs *table = data;

  g_array_unref (table->abbrevs);
  g_array_unref (table->attributes);
  g_free (table);
}

/**
 * cs_dwarf_file_new:
 * @elf: the file
 * @owns_elf: whether to free it in the end
 * @dwo: whether to read the sections of a split file, whose names end in `.dwo`
 *
 * Finds the debug sections and the units of a file.
 *
 * Returns: (transfer full): the file, perhaps without units
 */
CsDwarfFile *
cs_dwarf_file_new (CsElf *elf, gboolean owns_elf, gboolean dwo)
{
  /* Last what others read of it. */
  static const char *const names[CS_DWARF_N_SECTIONS + 1] = {
    [CS_DWARF_INFO] = "debug_info",     [CS_DWARF_ABBREV] = "debug_abbrev",
    [CS_DWARF_STR] = "debug_str",       [CS_DWARF_LINE_STR] = "debug_line_str",
    [CS_DWARF_STR_OFFSETS] = "debug_str_offsets", [CS_DWARF_ADDR] = "debug_addr",
    [CS_DWARF_RANGES] = "debug_ranges", [CS_DWARF_RNGLISTS] = "debug_rnglists",
    [CS_DWARF_N_SECTIONS] = "debug_line",
  };
  CsDwarfFile *self = g_new0 (CsDwarfFile, 1);

  self->elf = elf;
  self->owns_elf = owns_elf;
  self->big_endian = elf->big_endian;
  self->units = g_ptr_array_new_with_free_func (g_free);
  self->abbrevs = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, abbrevs_unref);
  g_mutex_init (&self->mutex);
  cs_elf_load_sections (elf, names, G_N_ELEMENTS (names));
  for (guint i = 0; i < CS_DWARF_N_SECTIONS; i++)
    {
      g_autofree char *name = g_strconcat (names[i], dwo ? ".dwo" : NULL, NULL);

      self->sections[i].data = cs_elf_get_section (elf, name, &self->sections[i].size);
    }
  read_units (self);
  return self;
}

/**
 * cs_dwarf_file_free:
 * @self: (transfer full) (nullable): a file
 */
void
cs_dwarf_file_free (CsDwarfFile *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->abbrevs);
  g_ptr_array_unref (self->units);
  cs_dwarf_file_free (self->shared);
  g_mutex_clear (&self->mutex);
  if (self->owns_elf)
    cs_elf_free (self->elf);
  g_free (self);
}

/**
 * cs_dwarf_file_find_unit:
 * @self: a file
 * @offset: in `.debug_info`
 *
 * Returns: (nullable): the unit that holds it
 */
CsDieUnit *
cs_dwarf_file_find_unit (const CsDwarfFile *self, guint64 offset)
{
  guint low = 0;
  guint high = self->units->len;
  CsDieUnit *unit;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      unit = g_ptr_array_index (self->units, middle);
      if (unit->offset <= offset)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return NULL;
  unit = g_ptr_array_index (self->units, low - 1);
  return offset < (guint64) (unit->end - self->sections[CS_DWARF_INFO].data) ? unit : NULL;
}
