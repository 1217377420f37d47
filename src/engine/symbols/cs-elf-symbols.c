/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <string.h>

#include "symbols/cs-elf.h"
#include "symbols/cs-ranges.h"

#ifndef EF_PPC64_ABI
#define EF_PPC64_ABI 3
#endif

/* Function symbols of AArch64, Arm and RISC-V that only tell code from data. */
static gboolean
is_mapping_symbol (const char *name)
{
  return name[0] == '$' && name[1] != '\0' && strchr ("axtd", name[1]) != NULL &&
         (name[2] == '\0' || name[2] == '.' || name[1] == 'x');
}

static guint
get_rank (const GElf_Sym *symbol,
          const char     *name)
{
  guint rank = 0;

  if (GELF_ST_TYPE (symbol->st_info) == STT_NOTYPE)
    rank += 8;
  if (symbol->st_size == 0)
    rank += 4;
  if (GELF_ST_BIND (symbol->st_info) == STB_WEAK)
    rank += 1;
  else if (GELF_ST_BIND (symbol->st_info) == STB_LOCAL)
    rank += 2;
  /* An old version that is kept for programs linked long ago. */
  if (strchr (name, '@') != NULL)
    rank += 16;
  return rank;
}

/* By start; among names of one address the best first. */
static int
compare_symbols (gconstpointer a,
                 gconstpointer b)
{
  const CsElfSymbol *one = a;
  const CsElfSymbol *two = b;

  if (one->start != two->start)
    return one->start < two->start ? -1 : 1;
  if (one->rank != two->rank)
    return one->rank < two->rank ? -1 : 1;
  if (one->size != two->size)
    return one->size > two->size ? -1 : 1;
  return strcmp (one->name, two->name);
}

static void
read_table (CsElf       *self,
            const CsElf *descriptors,
            Elf_Scn     *scn,
            GElf_Shdr   *section)
{
  Elf_Data *data = elf_getdata (scn, NULL);
  const char *file = NULL;
  gsize count = data != NULL && section->sh_entsize > 0 ? data->d_size / section->sh_entsize : 0;

  for (gsize i = 0; i < count && i < G_MAXINT; i++)
    {
      GElf_Sym symbol;
      CsElfSymbol entry = { 0 };
      int type;

      if (gelf_getsym (data, (int) i, &symbol) == NULL)
        break;
      type = GELF_ST_TYPE (symbol.st_info);
      /* The static symbols of a source follow its name. */
      if (type == STT_FILE)
        file = elf_strptr (self->elf, section->sh_link, symbol.st_name);
      if (symbol.st_shndx == SHN_UNDEF ||
          (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE))
        continue;
      entry.name = elf_strptr (self->elf, section->sh_link, symbol.st_name);
      if (entry.name == NULL || entry.name[0] == '\0')
        continue;
      if (type == STT_NOTYPE &&
          (is_mapping_symbol (entry.name) || g_str_has_prefix (entry.name, ".L")))
        continue;
      entry.start = cs_elf_get_code_address (descriptors, symbol.st_value);
      /* An end label lies behind the last byte of its section. */
      if (!cs_ranges_contain (self->code, entry.start))
        continue;
      entry.size = symbol.st_size;
      if (GELF_ST_BIND (symbol.st_info) == STB_LOCAL && file != NULL && file[0] != '\0')
        entry.file = file;
      entry.rank = get_rank (&symbol, entry.name);
      g_array_append_val (self->symbols, entry);
    }
}

/* Sizes where the file gives none, and the running maximum of the ends. */
static void
finish_symbols (CsElf *self)
{
  GArray *symbols = self->symbols;
  guint64 next = G_MAXUINT64;
  guint64 reach = 0;

  g_array_sort (symbols, compare_symbols);
  for (guint i = symbols->len; i > 0; i--)
    {
      CsElfSymbol *symbol = &g_array_index (symbols, CsElfSymbol, i - 1);

      if (i < symbols->len && symbol[1].start > symbol->start)
        next = symbol[1].start;
      symbol->end = symbol->start + symbol->size;
      if (symbol->size == 0 || symbol->end < symbol->start)
        {
          const CsRange *code = cs_ranges_find (self->code, symbol->start);

          symbol->end = code != NULL ? MIN (next, code->high) : symbol->start;
        }
    }
  for (guint i = 0; i < symbols->len; i++)
    {
      CsElfSymbol *symbol = &g_array_index (symbols, CsElfSymbol, i);

      reach = MAX (reach, symbol->end);
      symbol->reach = reach;
    }
}

/* The function descriptors of ELFv1, and the relocations that fill them in a
 * position-independent file. */
static void
read_descriptors (CsElf *self)
{
  size_t names = 0;
  Elf_Scn *scn = NULL;

  if (self->header.e_machine != EM_PPC64 || (self->header.e_flags & EF_PPC64_ABI) == 2 ||
      self->is_separate_debug || self->opd_bytes != NULL ||
      elf_getshdrstrndx (self->elf, &names) != 0)
    return;
  while ((scn = elf_nextscn (self->elf, scn)) != NULL)
    {
      GElf_Shdr section;
      const char *name;
      Elf_Data *data;

      if (gelf_getshdr (scn, &section) == NULL ||
          (name = elf_strptr (self->elf, names, section.sh_name)) == NULL ||
          strcmp (name, ".opd") != 0 || section.sh_type == SHT_NOBITS ||
          (data = elf_rawdata (scn, NULL)) == NULL || data->d_buf == NULL)
        continue;
      self->opd_start = section.sh_addr;
      self->opd_size = data->d_size;
      self->opd_bytes = data->d_buf;
    }
  if (self->opd_bytes == NULL)
    return;

  self->opd_relocations = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  while ((scn = elf_nextscn (self->elf, scn)) != NULL)
    {
      GElf_Shdr section;
      Elf_Data *data;
      GElf_Rela relocation;

      if (gelf_getshdr (scn, &section) == NULL || section.sh_type != SHT_RELA ||
          !(section.sh_flags & SHF_ALLOC) || (data = elf_getdata (scn, NULL)) == NULL)
        continue;
      for (int i = 0; gelf_getrela (data, i, &relocation) != NULL; i++)
        if (relocation.r_offset - self->opd_start < self->opd_size &&
            GELF_R_TYPE (relocation.r_info) == R_PPC64_RELATIVE)
          g_hash_table_replace (self->opd_relocations,
                                g_memdup2 (&relocation.r_offset, sizeof (guint64)),
                                g_memdup2 (&relocation.r_addend, sizeof (guint64)));
    }
}

/**
 * cs_elf_load_symbols:
 * @self: an ELF file
 * @descriptors: the file that has the bytes of the sections: @self, or the
 *   program whose separate debug file @self is
 *
 * Reads the functions of `.symtab`, or of `.dynsym` where there is none.
 *
 * Returns: %TRUE if there were any
 */
gboolean
cs_elf_load_symbols (CsElf       *self,
                     const CsElf *descriptors)
{
  guint32 wanted = self->has_symtab ? SHT_SYMTAB : SHT_DYNSYM;
  Elf_Scn *scn = NULL;

  read_descriptors (self);
  g_array_set_size (self->symbols, 0);
  while ((scn = elf_nextscn (self->elf, scn)) != NULL)
    {
      GElf_Shdr section;

      if (gelf_getshdr (scn, &section) != NULL && section.sh_type == wanted)
        read_table (self, descriptors, scn, &section);
    }
  finish_symbols (self);
  return self->symbols->len > 0;
}

/**
 * cs_elf_get_code_address:
 * @self: an ELF file
 * @address: a link address as a function pointer or a hook has it
 *
 * Follows what a function pointer may be besides the code's address: on Arm
 * bit 0 says Thumb, on 64-bit big-endian PowerPC (ELFv1) it points to a
 * descriptor in `.opd`, whose first word is the code's address.
 *
 * Returns: the link address of the code
 */
guint64
cs_elf_get_code_address (const CsElf *self,
                         guint64      address)
{
  guint64 offset = address - self->opd_start;
  guint64 code;

  if (self->header.e_machine == EM_ARM)
    return address & ~G_GUINT64_CONSTANT (1);
  if (self->opd_bytes == NULL || offset >= self->opd_size || self->opd_size - offset < 8)
    return address;
  memcpy (&code, self->opd_bytes + offset, 8);
  code = self->big_endian ? GUINT64_FROM_BE (code) : GUINT64_FROM_LE (code);
  if (code == 0)
    {
      const guint64 *addend = g_hash_table_lookup (self->opd_relocations, &address);

      code = addend != NULL ? *addend : address;
    }
  return code;
}

/**
 * cs_elf_find_symbol:
 * @self: an ELF file whose symbols were loaded
 * @address: a link address
 *
 * Returns: (nullable) (transfer none): the function that begins last before
 *   the address and holds it; a global name before weak and local ones
 */
CsElfSymbol *
cs_elf_find_symbol (const CsElf *self,
                    guint64      address)
{
  CsElfSymbol *best = NULL;

  for (guint i = cs_ranges_count_begun (self->symbols, address); i > 0; i--)
    {
      CsElfSymbol *symbol = &g_array_index (self->symbols, CsElfSymbol, i - 1);

      if (symbol->reach <= address || (best != NULL && symbol->start < best->start))
        break;
      if (symbol->end > address)
        best = symbol;
    }
  return best;
}

/**
 * cs_elf_find_symbol_at:
 * @self: an ELF file whose symbols were loaded
 * @start: a link address
 *
 * Returns: (nullable) (transfer none): the preferred function that begins
 *   exactly there
 */
CsElfSymbol *
cs_elf_find_symbol_at (const CsElf *self,
                       guint64      start)
{
  guint i = cs_ranges_count_begun (self->symbols, start);
  CsElfSymbol *found = NULL;

  for (; i > 0; i--)
    {
      CsElfSymbol *symbol = &g_array_index (self->symbols, CsElfSymbol, i - 1);

      if (symbol->start != start)
        break;
      found = symbol;
    }
  return found;
}

/**
 * cs_elf_get_symbol_address:
 * @self: an ELF file whose symbols were loaded
 * @name: a function's name as the linker has it
 *
 * Looks through all symbols.
 *
 * Returns: the link address of its code, 0 where no symbol has the name
 */
guint64
cs_elf_get_symbol_address (const CsElf *self,
                           const char  *name)
{
  for (guint i = 0; i < self->symbols->len; i++)
    {
      const CsElfSymbol *symbol = &g_array_index (self->symbols, CsElfSymbol, i);

      if (g_str_equal (symbol->name, name))
        return symbol->start;
    }
  return 0;
}
