/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <libdwarf/dwarf.h>

#include "symbols/cs-line-program.h"

/* The line-number programs of DWARF 2 to 5, section 6.2 of the standard. */

typedef struct
{
  CsElf *elf;
  CsBytes bytes;
  guint offset_size;
  guint version;
  guint8 least_length;
  guint8 most_operations;
  gint8 line_base;
  guint8 line_range;
  guint8 opcode_base;
  const guint8 *opcode_lengths;
  GPtrArray *folders; /* numbered as the program does */
} LineHeader;

static const char *
read_from_section (LineHeader *header,
                   const char *section,
                   guint64     offset)
{
  CsBytes bytes = { 0 };
  gsize size = 0;
  const guint8 *data = cs_elf_get_section (header->elf, section, &size);

  if (data == NULL || offset >= size)
    return NULL;
  bytes.at = data + offset;
  bytes.end = data + size;
  return cs_bytes_string (&bytes);
}

/* One field of a folder or file of version 5.  Returns a text, or sets number. */
static const char *
read_field (LineHeader *header,
            guint64     form,
            guint64    *number)
{
  CsBytes *bytes = &header->bytes;

  switch (form)
    {
    case DW_FORM_string:
      return cs_bytes_string (bytes);
    case DW_FORM_line_strp:
      return read_from_section (header, "debug_line_str", cs_bytes_number (bytes, header->offset_size));
    case DW_FORM_strp:
      return read_from_section (header, "debug_str", cs_bytes_number (bytes, header->offset_size));
    case DW_FORM_udata:
      *number = cs_bytes_uleb (bytes);
      break;
    case DW_FORM_data1:
      *number = cs_bytes_u8 (bytes);
      break;
    case DW_FORM_data2:
      *number = cs_bytes_number (bytes, 2);
      break;
    case DW_FORM_data4:
      *number = cs_bytes_number (bytes, 4);
      break;
    case DW_FORM_data8:
      *number = cs_bytes_number (bytes, 8);
      break;
    case DW_FORM_data16:
      cs_bytes_skip (bytes, 16);
      break;
    case DW_FORM_block:
      cs_bytes_skip (bytes, cs_bytes_uleb (bytes));
      break;
    default:
      bytes->bad = TRUE;
      break;
    }
  return NULL;
}

static const char *
get_folder (const LineHeader *header,
            guint64           number)
{
  return number < header->folders->len ? g_ptr_array_index (header->folders, number) : NULL;
}

/* A table of version 5, which first says what its entries are made of. */
static void
read_table (LineHeader *header,
            GArray     *files)
{
  CsBytes *bytes = &header->bytes;
  guint64 kinds[256];
  guint64 forms[256];
  guint fields = cs_bytes_u8 (bytes);
  guint64 count;

  for (guint i = 0; i < fields; i++)
    {
      kinds[i] = cs_bytes_uleb (bytes);
      forms[i] = cs_bytes_uleb (bytes);
    }
  count = cs_bytes_uleb (bytes);
  for (guint64 n = 0; n < count && !bytes->bad && fields > 0; n++)
    {
      CsLineFile file = { 0 };
      guint64 folder = 0;

      for (guint i = 0; i < fields; i++)
        {
          guint64 number = 0;
          const char *text = read_field (header, forms[i], &number);

          if (kinds[i] == DW_LNCT_path)
            file.name = text;
          else if (kinds[i] == DW_LNCT_directory_index)
            folder = number;
        }
      if (files != NULL)
        {
          file.folder = get_folder (header, folder);
          g_array_append_val (files, file);
        }
      else
        g_ptr_array_add (header->folders, (gpointer) file.name);
    }
}

/* Versions 2 to 4: a file's name is followed by three numbers. */
static void
read_old_file (LineHeader *header,
               const char *name,
               GArray     *files)
{
  CsLineFile file = { name, get_folder (header, cs_bytes_uleb (&header->bytes)) };

  cs_bytes_uleb (&header->bytes);
  cs_bytes_uleb (&header->bytes);
  g_array_append_val (files, file);
}

static void
read_old_tables (LineHeader *header,
                 GArray     *files)
{
  CsBytes *bytes = &header->bytes;
  const char *text;

  /* Folder 0 is the compilation folder. */
  g_ptr_array_add (header->folders, NULL);
  while ((text = cs_bytes_string (bytes)) != NULL && text[0] != '\0')
    g_ptr_array_add (header->folders, (gpointer) text);
  while ((text = cs_bytes_string (bytes)) != NULL && text[0] != '\0')
    read_old_file (header, text, files);
}

static gboolean
read_header (LineHeader *header,
             GArray     *files)
{
  CsBytes *bytes = &header->bytes;
  guint64 length = cs_bytes_number (bytes, 4);
  const guint8 *program;

  header->offset_size = 4;
  if (length == 0xffffffff)
    {
      header->offset_size = 8;
      length = cs_bytes_number (bytes, 8);
    }
  if (bytes->bad || length > cs_bytes_left (bytes))
    return FALSE;
  bytes->end = bytes->at + length;
  header->version = (guint) cs_bytes_number (bytes, 2);
  if (header->version < 2 || header->version > 5)
    return FALSE;
  if (header->version >= 5)
    {
      /* Sizes of addresses and of segment selectors. */
      cs_bytes_skip (bytes, 2);
    }
  length = cs_bytes_number (bytes, header->offset_size);
  if (bytes->bad || length > cs_bytes_left (bytes))
    return FALSE;
  program = bytes->at + length;

  header->least_length = cs_bytes_u8 (bytes);
  header->most_operations = header->version >= 4 ? cs_bytes_u8 (bytes) : 1;
  cs_bytes_u8 (bytes);
  header->line_base = (gint8) cs_bytes_u8 (bytes);
  header->line_range = cs_bytes_u8 (bytes);
  header->opcode_base = cs_bytes_u8 (bytes);
  header->opcode_lengths = bytes->at;
  if (header->opcode_base == 0 || header->line_range == 0 || header->most_operations == 0)
    return FALSE;
  cs_bytes_skip (bytes, header->opcode_base - 1u);

  if (header->version >= 5)
    {
      read_table (header, NULL);
      read_table (header, files);
    }
  else
    read_old_tables (header, files);
  if (bytes->bad)
    return FALSE;
  bytes->at = program;
  return TRUE;
}

static void
advance (const LineHeader *header,
         CsLineState      *state,
         guint            *operation,
         guint64           count)
{
  if (header->most_operations == 1)
    state->address += count * header->least_length;
  else
    {
      guint64 total = *operation + count;

      state->address += total / header->most_operations * header->least_length;
      *operation = (guint) (total % header->most_operations);
    }
}

static void
run_extended (LineHeader  *header,
              CsLineState *state,
              guint       *operation,
              GArray      *files,
              CsLineFunc   row,
              gpointer     user_data)
{
  CsBytes *bytes = &header->bytes;
  guint64 length = cs_bytes_uleb (bytes);
  const guint8 *next;

  if (length == 0 || length > cs_bytes_left (bytes))
    {
      bytes->bad = TRUE;
      return;
    }
  next = bytes->at + length;
  switch (cs_bytes_u8 (bytes))
    {
    case DW_LNE_end_sequence:
      state->end = TRUE;
      row (state, user_data);
      *state = (CsLineState){ 0, 1, 1, FALSE };
      *operation = 0;
      break;
    case DW_LNE_set_address:
      state->address = cs_bytes_number (bytes, (guint) MIN (length - 1, 8));
      *operation = 0;
      break;
    case DW_LNE_define_file:
      if (header->version < 5)
        {
          const char *name = cs_bytes_string (bytes);

          if (name != NULL)
            read_old_file (header, name, files);
        }
      break;
    default:
      break;
    }
  bytes->at = next;
}

static void
run_program (LineHeader *header,
             GArray     *files,
             CsLineFunc  row,
             gpointer    user_data)
{
  CsBytes *bytes = &header->bytes;
  CsLineState state = { 0, 1, 1, FALSE };
  guint operation = 0;

  while (bytes->at < bytes->end && !bytes->bad)
    {
      guint8 opcode = *bytes->at++;

      if (opcode >= header->opcode_base)
        {
          guint special = (guint) opcode - header->opcode_base;

          advance (header, &state, &operation, special / header->line_range);
          state.line += (guint32) (header->line_base + (int) (special % header->line_range));
          row (&state, user_data);
          continue;
        }
      switch (opcode)
        {
        case 0:
          run_extended (header, &state, &operation, files, row, user_data);
          break;
        case DW_LNS_copy:
          row (&state, user_data);
          break;
        case DW_LNS_advance_pc:
          advance (header, &state, &operation, cs_bytes_uleb (bytes));
          break;
        case DW_LNS_advance_line:
          state.line += (guint32) cs_bytes_sleb (bytes);
          break;
        case DW_LNS_set_file:
          state.file = (guint32) cs_bytes_uleb (bytes);
          break;
        case DW_LNS_const_add_pc:
          advance (header, &state, &operation, (255u - header->opcode_base) / header->line_range);
          break;
        case DW_LNS_fixed_advance_pc:
          state.address += cs_bytes_number (bytes, 2);
          operation = 0;
          break;
        default:
          for (guint i = 0; i < header->opcode_lengths[opcode - 1]; i++)
            cs_bytes_uleb (bytes);
          break;
        }
    }
}

/**
 * cs_line_program_read:
 * @elf: the file
 * @section: `debug_line`, or of a split file `debug_line.dwo`
 * @offset: of the program in it
 * @files: (inout): an array of #CsLineFile, which is filled
 * @first_file: (out): the number of its first element in rows
 * @row: (nullable): called with each row of the table, in the program's order
 * @user_data: for @row
 *
 * Runs a line-number program.  Strings stay with @elf.
 *
 * Returns: %FALSE if it is damaged or of an unknown version; rows before the
 *   damage were reported
 */
gboolean
cs_line_program_read (CsElf     *elf,
                      const char *section,
                      guint64    offset,
                      GArray    *files,
                      guint32   *first_file,
                      CsLineFunc row,
                      gpointer   user_data)
{
  LineHeader header = { .elf = elf };
  g_autoptr (GPtrArray) folders = g_ptr_array_new ();
  gsize size = 0;
  const guint8 *data = cs_elf_get_section (elf, section, &size);

  if (data == NULL || offset >= size)
    return FALSE;
  header.bytes = (CsBytes){ data + offset, data + size, elf->big_endian, FALSE };
  header.folders = folders;
  if (!read_header (&header, files))
    return FALSE;
  *first_file = header.version >= 5 ? 0 : 1;
  if (row != NULL)
    run_program (&header, files, row, user_data);
  return !header.bytes.bad;
}
