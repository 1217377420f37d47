/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "symbols/cs-die.h"

/* Bytes of a value whose size the form gives, -1: it varies. */
static int
get_form_size (const CsDieUnit *unit, guint16 form)
{
  switch (form)
    {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const:
      return 0;
    case DW_FORM_data1:
    case DW_FORM_ref1:
    case DW_FORM_flag:
    case DW_FORM_strx1:
    case DW_FORM_addrx1:
      return 1;
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2:
      return 2;
    case DW_FORM_strx3:
    case DW_FORM_addrx3:
      return 3;
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4:
    case DW_FORM_ref_sup4:
      return 4;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sig8:
    case DW_FORM_ref_sup8:
      return 8;
    case DW_FORM_data16:
      return 16;
    case DW_FORM_addr:
      return unit->address_size;
    case DW_FORM_ref_addr:
      return unit->version < 3 ? unit->address_size : unit->offset_size;
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_strp_sup:
    case DW_FORM_sec_offset:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
      return unit->offset_size;
    default:
      return -1;
    }
}

static int
compare_abbrevs (gconstpointer a, gconstpointer b)
{
  const CsAbbrev *one = a;
  const CsAbbrev *two = b;

  return one->code < two->code ? -1 : one->code > two->code;
}

static void
measure (CsAbbrev *abbrev, const CsAttribute *attribute)
{
  int size = attribute->size;

  if (attribute->name == DW_AT_sibling && abbrev->size >= 0 && size > 0)
    {
      abbrev->sibling = abbrev->size;
      abbrev->sibling_form = attribute->form;
    }
  if (size < 0 || abbrev->size < 0 || abbrev->size > 0xffff)
    abbrev->size = -1;
  else
    abbrev->size += size;
}

static CsAbbrevs *
read_abbrevs (const CsDieUnit *unit)
{
  CsDwarfFile *file = unit->file;
  CsBytes bytes = cs_dwarf_file_get_bytes (file, CS_DWARF_ABBREV, unit->abbrev_offset);
  const guint8 *start = bytes.at;
  CsAbbrevs *table = g_new0 (CsAbbrevs, 1);
  gboolean sorted = TRUE;

  table->abbrevs = g_array_sized_new (FALSE, FALSE, sizeof (CsAbbrev), 128);
  table->attributes = g_array_sized_new (FALSE, FALSE, sizeof (CsAttribute), 1024);
  while (!bytes.bad && file->abbrev_bytes / CS_DWARF_MOST_TIMES <= file->sections[CS_DWARF_ABBREV].size)
    {
      CsAbbrev abbrev = { .code = cs_bytes_uleb (&bytes), .sibling = -1, .first = table->attributes->len };

      if (abbrev.code == 0)
        break;
      abbrev.tag = (guint16) cs_bytes_uleb (&bytes);
      abbrev.has_children = cs_bytes_u8 (&bytes) != 0;
      while (!bytes.bad)
        {
          CsAttribute attribute = { 0 };

          attribute.name = (guint16) cs_bytes_uleb (&bytes);
          attribute.form = (guint16) cs_bytes_uleb (&bytes);
          if (attribute.form == DW_FORM_implicit_const)
            attribute.implicit = cs_bytes_sleb (&bytes);
          if (attribute.name == 0 && attribute.form == 0)
            break;
          attribute.size = (gint8) get_form_size (unit, attribute.form);
          measure (&abbrev, &attribute);
          g_array_append_val (table->attributes, attribute);
        }
      abbrev.count = table->attributes->len - abbrev.first;
      if (table->abbrevs->len > 0 &&
          g_array_index (table->abbrevs, CsAbbrev, table->abbrevs->len - 1).code > abbrev.code)
        sorted = FALSE;
      g_array_append_val (table->abbrevs, abbrev);
    }
  file->abbrev_bytes += (gsize) (bytes.at - start);
  if (!sorted)
    g_array_sort (table->abbrevs, compare_abbrevs);
  return table;
}

/**
 * cs_die_unit_load:
 * @unit: a unit
 *
 * Reads its abbreviations, which cs_die_read() needs. May be called by several threads.
 *
 * Returns: whether it has any
 */
gboolean
cs_die_unit_load (CsDieUnit *unit)
{
  CsDwarfFile *file = unit->file;
  CsAbbrevs *table = g_atomic_pointer_get (&unit->abbrevs);

  if (table == NULL)
    {
      /* Sizes of values differ with the unit's address and offset size. */
      gint64 key = (gint64) (unit->abbrev_offset << 8 | (guint64) (unit->version < 3) << 7 |
                             (guint64) unit->offset_size << 3 | (unit->address_size & 7u));

      g_mutex_lock (&file->mutex);
      table = g_hash_table_lookup (file->abbrevs, &key);
      if (table == NULL)
        {
          table = read_abbrevs (unit);
          g_hash_table_insert (file->abbrevs, g_memdup2 (&key, sizeof key), table);
        }
      g_mutex_unlock (&file->mutex);
      g_atomic_pointer_set (&unit->abbrevs, table);
    }
  return table->abbrevs->len > 0;
}

static const CsAbbrev *
find_abbrev (const CsAbbrevs *table, guint64 code)
{
  const CsAbbrev *abbrevs = &g_array_index (table->abbrevs, CsAbbrev, 0);
  guint low = 0;
  guint high = table->abbrevs->len;

  if (code <= high && abbrevs[code - 1].code == code)
    return &abbrevs[code - 1];
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (abbrevs[middle].code < code)
        low = middle + 1;
      else
        high = middle;
    }
  return low < table->abbrevs->len && abbrevs[low].code == code ? &abbrevs[low] : NULL;
}

static inline CsBytes
get_bytes (const CsDieUnit *unit, const guint8 *at)
{
  return (CsBytes){ at, unit->end, unit->file->big_endian, FALSE };
}

/**
 * cs_die_read:
 * @unit: a unit, loaded
 * @at: where an entry begins
 * @die: (out): the entry
 *
 * Returns: %FALSE at the end of the unit, or where it is damaged
 */
gboolean
cs_die_read (CsDieUnit *unit, const guint8 *at, CsDie *die)
{
  CsBytes bytes = get_bytes (unit, at);
  guint64 code;

  if (at >= unit->end)
    return FALSE;
  code = cs_bytes_uleb (&bytes);
  *die = (CsDie){ unit, at, bytes.at, NULL };
  if (code == 0)
    return !bytes.bad;
  die->abbrev = find_abbrev (unit->abbrevs, code);
  return die->abbrev != NULL;
}

static void
read_value (const CsDieUnit *unit, CsBytes *bytes, const CsAttribute *attribute, CsDieValue *value)
{
  guint16 form = attribute->form;
  int size = attribute->size;

  if (form == DW_FORM_indirect)
    {
      form = (guint16) cs_bytes_uleb (bytes);
      size = get_form_size (unit, form);
    }
  *value = (CsDieValue){ .form = form };
  if (size > 0 && size <= 8)
    {
      value->number = cs_bytes_number (bytes, (guint) size);
      return;
    }
  switch (form)
    {
    case DW_FORM_flag_present:
      value->number = 1;
      break;
    case DW_FORM_implicit_const:
      value->number = (guint64) attribute->implicit;
      break;
    case DW_FORM_sdata:
      value->number = (guint64) cs_bytes_sleb (bytes);
      break;
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_loclistx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index:
      value->number = cs_bytes_uleb (bytes);
      break;
    case DW_FORM_string:
      value->text = cs_bytes_string (bytes);
      break;
    case DW_FORM_data16:
      cs_bytes_skip (bytes, 16);
      break;
    case DW_FORM_block1:
      cs_bytes_skip (bytes, cs_bytes_u8 (bytes));
      break;
    case DW_FORM_block2:
      cs_bytes_skip (bytes, cs_bytes_number (bytes, 2));
      break;
    case DW_FORM_block4:
      cs_bytes_skip (bytes, cs_bytes_number (bytes, 4));
      break;
    case DW_FORM_block:
    case DW_FORM_exprloc:
      cs_bytes_skip (bytes, cs_bytes_uleb (bytes));
      break;
    default:
      /* Of an unknown size: what follows can't be read. */
      bytes->bad = TRUE;
      break;
    }
}

void
cs_die_reader_init (CsDieReader *self, const CsDie *die)
{
  self->unit = die->unit;
  self->bytes = get_bytes (die->unit, die->values);
  self->next = &g_array_index (die->unit->abbrevs->attributes, CsAttribute, die->abbrev->first);
  self->left = die->abbrev->count;
}

gboolean
cs_die_reader_next (CsDieReader *self, guint16 *name, CsDieValue *value)
{
  if (self->left == 0)
    return FALSE;
  read_value (self->unit, &self->bytes, self->next, value);
  *name = self->next->name;
  self->next++;
  self->left--;
  return !self->bytes.bad;
}

/**
 * cs_die_get_value:
 * @die: an entry
 * @name: an attribute
 * @value: (out): its value
 *
 * Returns: whether the entry has it
 */
gboolean
cs_die_get_value (const CsDie *die, guint16 name, CsDieValue *value)
{
  CsDieReader reader;
  guint16 found;

  cs_die_reader_init (&reader, die);
  while (cs_die_reader_next (&reader, &found, value))
    if (found == name)
      return TRUE;
  *value = (CsDieValue){ 0 };
  return FALSE;
}

/**
 * cs_die_get_end:
 * @die: an entry
 *
 * Returns: (nullable): the byte after its values, where its first child lies or what follows it;
 *   %NULL: it is damaged
 */
const guint8 *
cs_die_get_end (const CsDie *die)
{
  CsDieReader reader;
  CsDieValue value;

  if (die->abbrev == NULL)
    return die->values;
  if (die->abbrev->size >= 0)
    return die->abbrev->size <= die->unit->end - die->values ? die->values + die->abbrev->size : NULL;
  cs_die_reader_init (&reader, die);
  /* Only where a value ends matters. */
  for (; reader.left > 0; reader.left--, reader.next++)
    if (reader.next->size >= 0)
      cs_bytes_skip (&reader.bytes, (guint64) reader.next->size);
    else
      read_value (die->unit, &reader.bytes, reader.next, &value);
  return reader.bytes.bad ? NULL : reader.bytes.at;
}

/**
 * cs_die_skip:
 * @die: an entry that is not the end of a list
 *
 * Returns: (nullable): the byte after it and all its children; %NULL: it is damaged
 */
const guint8 *
cs_die_skip (const CsDie *die)
{
  const guint8 *at = cs_die_get_end (die);
  const CsAbbrev *abbrev = die->abbrev;
  guint depth = 1;
  CsDie inner;

  if (at == NULL || !abbrev->has_children)
    return at;
  if (abbrev->sibling >= 0)
    {
      CsBytes bytes = get_bytes (die->unit, die->values + abbrev->sibling);
      CsDieValue value = { .form = abbrev->sibling_form };
      CsDie next;

      value.number = cs_bytes_number (&bytes, (guint) get_form_size (die->unit, abbrev->sibling_form));
      /* Forwards only: a damaged file's siblings could run in circles. */
      if (cs_die_value_get_reference (die->unit, &value, &next) && next.unit == die->unit && next.at >= at)
        return next.at;
    }
  while (depth > 0)
    {
      if (!cs_die_read (die->unit, at, &inner) || (at = cs_die_get_end (&inner)) == NULL)
        return NULL;
      if (inner.abbrev == NULL)
        depth--;
      else if (inner.abbrev->has_children)
        depth++;
    }
  return at;
}

static const char *
get_text_at (const CsDwarfFile *file, CsDwarfSection section, guint64 offset)
{
  CsBytes bytes = cs_dwarf_file_get_bytes (file, section, offset);

  return cs_bytes_string (&bytes);
}

/**
 * cs_die_value_get_text:
 * @unit: the unit it is from
 * @value: a value
 *
 * Returns: (nullable) (transfer none): its text, %NULL where it is none or damaged
 */
const char *
cs_die_value_get_text (const CsDieUnit *unit, const CsDieValue *value)
{
  CsBytes bytes;

  switch (value->form)
    {
    case DW_FORM_string:
      return value->text;
    case DW_FORM_strp:
      return get_text_at (unit->file, CS_DWARF_STR, value->number);
    case DW_FORM_line_strp:
      return get_text_at (unit->file, CS_DWARF_LINE_STR, value->number);
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_strp_alt:
      return unit->file->shared != NULL ? get_text_at (unit->file->shared, CS_DWARF_STR, value->number) : NULL;
    case DW_FORM_strx:
    case DW_FORM_strx1:
    case DW_FORM_strx2:
    case DW_FORM_strx3:
    case DW_FORM_strx4:
    case DW_FORM_GNU_str_index:
      if (value->number > G_MAXUINT32)
        return NULL;
      bytes = cs_dwarf_file_get_bytes (unit->file, CS_DWARF_STR_OFFSETS,
                                       unit->text_base + value->number * unit->offset_size);
      if (cs_bytes_left (&bytes) < unit->offset_size)
        return NULL;
      return get_text_at (unit->file, CS_DWARF_STR, cs_bytes_number (&bytes, unit->offset_size));
    default:
      return NULL;
    }
}

/* An address from .debug_addr. */
gboolean
cs_die_unit_get_address (const CsDieUnit *unit, guint64 index, guint64 *address)
{
  CsBytes bytes;

  if (index > G_MAXUINT32)
    return FALSE;
  bytes = cs_dwarf_file_get_bytes (unit->address_file, CS_DWARF_ADDR, unit->address_base + index * unit->address_size);
  *address = cs_bytes_number (&bytes, unit->address_size);
  return !bytes.bad;
}

/**
 * cs_die_value_get_address:
 * @unit: the unit it is from
 * @value: a value
 * @address: (out): a link address
 *
 * Returns: whether it is an address
 */
gboolean
cs_die_value_get_address (const CsDieUnit *unit, const CsDieValue *value, guint64 *address)
{
  switch (value->form)
    {
    case DW_FORM_addr:
      *address = value->number;
      return TRUE;
    case DW_FORM_addrx:
    case DW_FORM_addrx1:
    case DW_FORM_addrx2:
    case DW_FORM_addrx3:
    case DW_FORM_addrx4:
    case DW_FORM_GNU_addr_index:
      return cs_die_unit_get_address (unit, value->number, address);
    default:
      return FALSE;
    }
}

gboolean
cs_die_value_is_constant (const CsDieValue *value)
{
  switch (value->form)
    {
    case DW_FORM_data1:
    case DW_FORM_data2:
    case DW_FORM_data4:
    case DW_FORM_data8:
    case DW_FORM_udata:
    case DW_FORM_sdata:
    case DW_FORM_implicit_const:
      return TRUE;
    default:
      return FALSE;
    }
}

/**
 * cs_die_value_get_reference:
 * @unit: the unit it is from
 * @value: a value
 * @die: (out): the entry that it refers to, with its unit and place alone: cs_die_read() reads it
 *
 * Returns: whether it refers to an entry of this file, or of the one it shares with others
 */
gboolean
cs_die_value_get_reference (const CsDieUnit *unit, const CsDieValue *value, CsDie *die)
{
  const CsDwarfFile *file = unit->file;
  const guint8 *info = file->sections[CS_DWARF_INFO].data;
  guint64 offset = value->number;

  *die = (CsDie){ 0 };
  switch (value->form)
    {
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
    case DW_FORM_ref_udata:
      if (offset >= (guint64) (unit->end - info) - unit->offset)
        return FALSE;
      die->unit = (CsDieUnit *) unit;
      die->at = info + unit->offset + offset;
      return die->at >= unit->dies;
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_ref_sup4:
    case DW_FORM_ref_sup8:
      file = file->shared;
      break;
    case DW_FORM_ref_addr:
      break;
    default:
      return FALSE;
    }
  die->unit = file != NULL ? cs_dwarf_file_find_unit (file, offset) : NULL;
  if (die->unit == NULL || !cs_die_unit_load (die->unit))
    return FALSE;
  die->at = file->sections[CS_DWARF_INFO].data + offset;
  return die->at >= die->unit->dies;
}
