/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "symbols/cs-binary.h"
#include "symbols/cs-bytes.h"
#include "symbols/cs-elf.h"
#include "symbols/cs-object-hooks.h"

#define HOOK "__cyg_profile_func_enter"

/*
 * Compilers put hooks in before they inline: a function's code may hold the hooks of others. Whose
 * a hook is tells its first argument, the function's address. It needn't be followed through
 * registers: because hooks take a function's address, the compiler keeps its own code, also of one that is inlined
 * everywhere, and there the address of the function itself is loaded. So a function is hooked if its own code
 * refers to the hook and to its own start, other than by a call.
 *
 * Relocations tell both. What the assembler resolved itself, addresses within a section, is read from the
 * instructions that compilers use for it. On machines of which these aren't known, and where nothing
 * tells of any address, a function that calls the hook counts as hooked.
 */

typedef struct
{
  guint64 offset;
  guint64 symbol;
  gint64 addend;
  guint32 type;
} Relocation;

typedef struct
{
  const guint8 *bytes; /* of code; NULL: other sections */
  gsize size;
  GArray *relocations; /* (nullable): Relocation, by offset once sorted */
  gboolean is_code;
} Section;

typedef struct
{
  guint32 section;
  guint64 start, end; /* in the section; end 0: not told */
  const char *name;
  gboolean is_static;
  gboolean calls_hook;
  gboolean loads_own; /* its own address */
  gboolean loads_any; /* that of a function of this object */
} Function;

typedef struct
{
  CsElf *elf;
  Elf_Data *symbols;     /* NULL: none */
  Elf_Data *extended;    /* section numbers that don't fit into a symbol; NULL: none */
  guint32 strings;       /* section of their names */
  Section *sections;
  gsize n_sections;
  GArray *functions;     /* Function, by section and start */
  gboolean is_lto;
} Reader;

struct _CsObjectHooks
{
  GStringChunk *names;
  GArray *functions; /* CsObjectFunction */
  gboolean is_known;
};

static gboolean
get_symbol (const Reader *self, guint64 index, GElf_Sym *symbol, guint32 *section)
{
  Elf32_Word extended = 0;

  if (self->symbols == NULL || index > G_MAXINT ||
      gelf_getsymshndx (self->symbols, self->extended, (int) index, symbol, &extended) == NULL)
    return FALSE;
  *section = symbol->st_shndx == SHN_XINDEX ? extended : symbol->st_shndx >= SHN_LORESERVE ? 0 : symbol->st_shndx;
  return TRUE;
}

/* Whether a relocation is that of a call or branch. */
static gboolean
is_call (guint16 machine, guint32 type)
{
  switch (machine)
    {
    case EM_X86_64:
      return type == R_X86_64_PLT32;
    case EM_386:
      return type == R_386_PC32 || type == R_386_PLT32;
    case EM_AARCH64:
      return type == R_AARCH64_CALL26 || type == R_AARCH64_JUMP26 || type == R_AARCH64_CONDBR19;
    case EM_ARM:
      return type == R_ARM_PC24 || type == R_ARM_PLT32 || type == R_ARM_CALL || type == R_ARM_JUMP24 ||
             type == R_ARM_THM_PC22 || type == R_ARM_THM_JUMP24 || type == R_ARM_THM_JUMP19;
    case EM_PPC:
      return type == R_PPC_REL24 || type == R_PPC_PLTREL24 || type == R_PPC_LOCAL24PC || type == R_PPC_REL14;
    case EM_PPC64:
      return type == R_PPC64_REL24 || type == R_PPC64_REL14;
    case EM_S390:
      return type == R_390_PLT32DBL || type == R_390_PLT16DBL;
    case EM_RISCV:
      return type == R_RISCV_CALL || type == R_RISCV_CALL_PLT || type == R_RISCV_JAL || type == R_RISCV_BRANCH;
    case EM_MIPS:
      return type == R_MIPS_26 || type == R_MIPS_CALL16 || type == R_MIPS_JALR || type == R_MIPS_PC16;
    default:
      return FALSE;
    }
}

/* What is added to an address because an instruction counts from its end or start, a relocation from the field. */
static gint64
get_bias (guint16 machine, guint32 type)
{
  if (machine == EM_X86_64)
    return type == R_X86_64_PC32 || type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX ||
               type == R_X86_64_REX_GOTPCRELX
             ? 4
             : 0;
  return machine == EM_S390 && (type == R_390_PC32DBL || type == R_390_GOTENT) ? -2 : 0;
}

/* Whether all ways are known in which code loads an address. */
static gboolean
is_readable (guint16 machine)
{
  return machine == EM_X86_64 || machine == EM_386 || machine == EM_AARCH64 || machine == EM_ARM || machine == EM_PPC ||
         machine == EM_PPC64 || machine == EM_RISCV || machine == EM_S390;
}

/* The address in a REL relocation's field, where it is one of 32 bits. */
static gint64
read_addend (const Reader *self, const Section *section, const Relocation *relocation)
{
  gboolean whole = (self->elf->header.e_machine == EM_386 &&
                    (relocation->type == R_386_32 || relocation->type == R_386_GOTOFF)) ||
                   (self->elf->header.e_machine == EM_ARM &&
                    (relocation->type == R_ARM_ABS32 || relocation->type == R_ARM_GOTOFF));
  CsBytes bytes;

  if (!whole || section->bytes == NULL || relocation->offset > section->size ||
      section->size - relocation->offset < 4)
    return 0;
  bytes = (CsBytes){ section->bytes + relocation->offset, section->bytes + relocation->offset + 4,
                     self->elf->big_endian, FALSE };
  return (gint64) cs_bytes_number (&bytes, 4);
}

static int
compare_relocations (gconstpointer a, gconstpointer b)
{
  const Relocation *one = a;
  const Relocation *two = b;

  return one->offset < two->offset ? -1 : one->offset > two->offset;
}

static void
read_relocations (Reader *self, Elf_Scn *scn, const GElf_Shdr *header)
{
  Elf_Data *data = elf_getdata (scn, NULL);
  gsize n = data != NULL && header->sh_entsize > 0 ? data->d_size / header->sh_entsize : 0;
  Section *section;

  if (header->sh_info == 0 || header->sh_info >= self->n_sections)
    return;
  section = &self->sections[header->sh_info];
  if (section->relocations == NULL)
    section->relocations = g_array_new (FALSE, FALSE, sizeof (Relocation));
  for (gsize i = 0; i < n && i <= G_MAXINT; i++)
    {
      Relocation relocation;
      GElf_Rela rela = { 0 };
      GElf_Rel rel;

      if (header->sh_type == SHT_RELA)
        {
          if (gelf_getrela (data, (int) i, &rela) == NULL)
            break;
        }
      else if (gelf_getrel (data, (int) i, &rel) != NULL)
        {
          rela.r_offset = rel.r_offset;
          rela.r_info = rel.r_info;
        }
      else
        break;
      relocation = (Relocation){ rela.r_offset, GELF_R_SYM (rela.r_info), rela.r_addend,
                                 (guint32) GELF_R_TYPE (rela.r_info) };
      if (header->sh_type == SHT_REL)
        relocation.addend = read_addend (self, section, &relocation);
      g_array_append_val (section->relocations, relocation);
    }
}

/* Sections first: relocations need their bytes. */
static void
read_sections (Reader *self)
{
  gsize names = 0;

  elf_getshdrstrndx (self->elf->elf, &names);
  for (gsize i = 1; i < self->n_sections; i++)
    {
      Elf_Scn *scn = elf_getscn (self->elf->elf, i);
      const char *name;
      Elf_Data *data;
      GElf_Shdr header;

      if (scn == NULL || gelf_getshdr (scn, &header) == NULL)
        continue;
      name = elf_strptr (self->elf->elf, names, header.sh_name);
      if (name != NULL && g_str_has_prefix (name, ".gnu.lto_"))
        self->is_lto = TRUE;
      if (header.sh_type == SHT_SYMTAB && self->symbols == NULL)
        {
          self->symbols = elf_getdata (scn, NULL);
          self->strings = header.sh_link;
        }
      else if (header.sh_type == SHT_SYMTAB_SHNDX)
        self->extended = elf_getdata (scn, NULL);
      if (header.sh_type != SHT_PROGBITS || !(header.sh_flags & SHF_EXECINSTR))
        continue;
      self->sections[i].is_code = TRUE;
      data = elf_getdata (scn, NULL);
      if (data != NULL && data->d_buf != NULL)
        {
          self->sections[i].bytes = data->d_buf;
          self->sections[i].size = data->d_size;
        }
    }
  for (gsize i = 1; i < self->n_sections; i++)
    {
      Elf_Scn *scn = elf_getscn (self->elf->elf, i);
      GElf_Shdr header, target;

      if (scn == NULL || gelf_getshdr (scn, &header) == NULL ||
          (header.sh_type != SHT_REL && header.sh_type != SHT_RELA))
        continue;
      /* Not those of debug information. */
      if (gelf_getshdr (elf_getscn (self->elf->elf, header.sh_info), &target) != NULL &&
          (target.sh_flags & SHF_ALLOC))
        read_relocations (self, scn, &header);
    }
  for (gsize i = 1; i < self->n_sections; i++)
    if (self->sections[i].relocations != NULL)
      g_array_sort (self->sections[i].relocations, compare_relocations);
}

static const Relocation *
find_relocation (const Section *section, guint64 offset)
{
  Relocation key = { .offset = offset };
  const GArray *all = section->relocations;

  return all == NULL || all->len == 0
           ? NULL
           : bsearch (&key, all->data, all->len, sizeof (Relocation), compare_relocations);
}

/* The place in code that an address is of. What lies in other sections (descriptors of functions,
 * tables of addresses) is the address that a relocation puts there. */
static gboolean
find_code (const Reader *self, guint32 *section, guint64 *offset)
{
  for (guint hops = 0; hops < 4; hops++)
    {
      const Relocation *relocation;
      GElf_Sym symbol;

      if (*section == 0 || *section >= self->n_sections)
        return FALSE;
      if (self->sections[*section].is_code)
        {
          if (self->elf->header.e_machine == EM_ARM)
            *offset &= ~G_GUINT64_CONSTANT (1);
          return TRUE;
        }
      relocation = find_relocation (&self->sections[*section], *offset);
      if (relocation == NULL || !get_symbol (self, relocation->symbol, &symbol, section))
        return FALSE;
      *offset = symbol.st_value + (guint64) relocation->addend;
    }
  return FALSE;
}

static gboolean
find_target (const Reader *self, const Relocation *relocation, guint32 *section, guint64 *offset)
{
  GElf_Sym symbol;
  int type;

  if (!get_symbol (self, relocation->symbol, &symbol, section))
    return FALSE;
  *offset = symbol.st_value;
  type = GELF_ST_TYPE (symbol.st_info);
  if (type != STT_FUNC && type != STT_GNU_IFUNC)
    *offset += (guint64) (relocation->addend + get_bias (self->elf->header.e_machine, relocation->type));
  return find_code (self, section, offset);
}

static int
compare_functions (gconstpointer a, gconstpointer b)
{
  const Function *one = a;
  const Function *two = b;

  if (one->section != two->section)
    return one->section < two->section ? -1 : 1;
  return one->start < two->start ? -1 : one->start > two->start;
}

static void
read_functions (Reader *self)
{
  gsize size = gelf_fsize (self->elf->elf, ELF_T_SYM, 1, EV_CURRENT);
  gsize n = self->symbols != NULL && size > 0 ? self->symbols->d_size / size : 0;

  for (gsize i = 0; i < n; i++)
    {
      Function function = { 0 };
      GElf_Sym symbol;
      int type;

      if (!get_symbol (self, i, &symbol, &function.section))
        break;
      type = GELF_ST_TYPE (symbol.st_info);
      function.start = symbol.st_value;
      function.name = elf_strptr (self->elf->elf, self->strings, symbol.st_name);
      if ((type != STT_FUNC && type != STT_GNU_IFUNC) || function.name == NULL || function.name[0] == '\0' ||
          !find_code (self, &function.section, &function.start))
        continue;
      function.end = function.start + symbol.st_size;
      function.is_static = GELF_ST_BIND (symbol.st_info) == STB_LOCAL;
      g_array_append_val (self->functions, function);
    }
  g_array_sort (self->functions, compare_functions);
}

/* Index behind the last function that begins at or before a place. */
static guint
count_begun (const Reader *self, guint32 section, guint64 offset)
{
  guint low = 0, high = self->functions->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Function *function = &g_array_index (self->functions, Function, middle);

      if (function->section < section || (function->section == section && function->start <= offset))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* The functions whose code a place is in: several where a function has several names.
 * Returns how many, up to and with the one at index *last. */
static guint
find_functions (const Reader *self, guint32 section, guint64 offset, guint *last)
{
  guint end = count_begun (self, section, offset);
  const Function *function;
  guint n = 0;

  if (end == 0)
    return 0;
  *last = end - 1;
  function = &g_array_index (self->functions, Function, *last);
  if (function->section != section || (function->end > function->start && offset >= function->end))
    return 0;
  while (n < end && compare_functions (&g_array_index (self->functions, Function, *last - n), function) == 0)
    n++;
  return n;
}

static void
note_hook (Reader *self, guint32 section, guint64 offset)
{
  guint last;
  guint n = find_functions (self, section, offset, &last);

  for (guint i = 0; i < n; i++)
    g_array_index (self->functions, Function, last - i).calls_hook = TRUE;
}

/* The address of a place is loaded at another one. */
static void
note_load (Reader *self, guint32 section, guint64 offset, guint32 to_section, guint64 to)
{
  guint last, target;
  guint n = find_functions (self, section, offset, &last);

  if (n == 0 || find_functions (self, to_section, to, &target) == 0 ||
      g_array_index (self->functions, Function, target).start != to)
    return;
  for (guint i = 0; i < n; i++)
    {
      Function *function = &g_array_index (self->functions, Function, last - i);

      function->loads_any = TRUE;
      function->loads_own |= function->section == to_section && function->start == to;
    }
}

/* Calls may have the type of an address, where an old assembler wrote it or one is the same as the other. */
static gboolean
is_called (const Reader *self, const Section *section, const Relocation *relocation)
{
  guint64 offset = relocation->offset;
  const guint8 *bytes = section->bytes;

  if (is_call (self->elf->header.e_machine, relocation->type))
    return TRUE;
  if (bytes == NULL || offset < 2 || offset > section->size)
    return FALSE;
  if (self->elf->header.e_machine == EM_X86_64 && relocation->type == R_X86_64_PC32)
    return bytes[offset - 1] == 0xe8 || bytes[offset - 1] == 0xe9;
  if (self->elf->header.e_machine == EM_S390 && relocation->type == R_390_PC32DBL)
    return bytes[offset - 2] == 0xc0 && (bytes[offset - 1] & 0xf) != 0;
  return FALSE;
}

static void
look_at_relocations (Reader *self, guint32 section)
{
  const GArray *all = self->sections[section].relocations;

  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      const Relocation *relocation = &g_array_index (all, Relocation, i);
      guint32 to_section;
      guint64 to;
      GElf_Sym symbol;
      const char *name;

      if (!get_symbol (self, relocation->symbol, &symbol, &to_section))
        continue;
      name = to_section == 0 ? elf_strptr (self->elf->elf, self->strings, symbol.st_name) : NULL;
      if (name != NULL && g_str_equal (name, HOOK))
        note_hook (self, section, relocation->offset);
      else if (!is_called (self, &self->sections[section], relocation) &&
               find_target (self, relocation, &to_section, &to))
        note_load (self, section, relocation->offset, to_section, to);
    }
}

static guint32
read_32 (const guint8 *bytes, gboolean big_endian)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return big_endian ? GUINT32_FROM_BE (value) : GUINT32_FROM_LE (value);
}

/* lea disp32(%rip), register */
static void
look_at_x86_64 (Reader *self, guint32 section, const guint8 *bytes, gsize size)
{
  for (gsize i = 0; i + 7 <= size; i++)
    if ((bytes[i] & 0xfb) == 0x48 && bytes[i + 1] == 0x8d && (bytes[i + 2] & 0xc7) == 0x05)
      note_load (self, section, i, section, i + 7 + (guint64) (gint32) read_32 (bytes + i + 3, FALSE));
}

/* larl register, halfwords */
static void
look_at_s390 (Reader *self, guint32 section, const guint8 *bytes, gsize size)
{
  for (gsize i = 0; i + 6 <= size; i += 2)
    if (bytes[i] == 0xc0 && (bytes[i + 1] & 0x0f) == 0)
      note_load (self, section, i, section, i + 2 * (guint64) (gint32) read_32 (bytes + i + 2, TRUE));
}

/* auipc register, upper 20 bits; addi register, register, lower 12 bits */
static void
look_at_riscv (Reader *self, guint32 section, const guint8 *bytes, gsize size)
{
  for (gsize i = 0; i + 8 <= size; i += 2)
    {
      guint32 upper = read_32 (bytes + i, FALSE), lower = read_32 (bytes + i + 4, FALSE);

      if ((upper & 0x7f) == 0x17 && (lower & 0x707f) == 0x13 && (lower >> 15 & 31) == (upper >> 7 & 31))
        note_load (self, section, i, section,
                   i + (guint64) (gint32) (upper & 0xfffff000) + (guint64) ((gint32) lower >> 20));
    }
}

/* ldr register, [pc, words]: a word in the code; add register, pc, register */
static void
look_at_arm (Reader *self, guint32 section, const guint8 *bytes, gsize size)
{
  gboolean big_endian = self->elf->big_endian;
  guint64 words[16] = { 0 }; /* by register, what was loaded last; bit 32: something */

  for (gsize i = 0; i + 4 <= size; i += 4)
    {
      guint32 code = read_32 (bytes + i, big_endian);
      gsize place = i + 8 + (code & 0xfff);

      if ((code & 0x0fff0000) == 0x059f0000 && place + 4 <= size)
        words[code >> 12 & 15] = read_32 (bytes + place, big_endian) | G_GUINT64_CONSTANT (1) << 32;
      else if ((code & 0x0fff0ff0) == 0x008f0000 && words[code & 15] != 0)
        note_load (self, section, i, section, (guint32) (i + 8 + (guint32) words[code & 15]));
    }
}

/* The section that 32-bit PowerPC keeps addresses in for position-independent code; 0: none. */
static guint32
find_got2 (const Reader *self)
{
  gsize names = 0;

  elf_getshdrstrndx (self->elf->elf, &names);
  for (gsize i = 1; i < self->n_sections; i++)
    {
      GElf_Shdr header;
      const char *name = gelf_getshdr (elf_getscn (self->elf->elf, i), &header) != NULL
                           ? elf_strptr (self->elf->elf, names, header.sh_name)
                           : NULL;

      if (name != NULL && g_str_equal (name, ".got2"))
        return (guint32) i;
    }
  return 0;
}

/* lwz register, place in .got2 - 0x8000 (base) */
static void
look_at_ppc (Reader *self, guint32 section, const guint8 *bytes, gsize size)
{
  guint32 got2 = find_got2 (self);

  for (gsize i = 0; got2 != 0 && i + 4 <= size; i += 4)
    {
      guint32 code = read_32 (bytes + i, self->elf->big_endian);
      guint64 to = (code & 0xffff) ^ 0x8000;
      guint32 to_section = got2;

      if (code >> 26 == 32 && (code >> 16 & 31) != 1 && find_code (self, &to_section, &to))
        note_load (self, section, i, to_section, to);
    }
}

/* Addresses that no relocation tells of. */
static void
look_at_code (Reader *self, guint32 section)
{
  const Section *code = &self->sections[section];

  switch (self->elf->header.e_machine)
    {
    case EM_X86_64:
      look_at_x86_64 (self, section, code->bytes, code->size);
      break;
    case EM_S390:
      look_at_s390 (self, section, code->bytes, code->size);
      break;
    case EM_RISCV:
      look_at_riscv (self, section, code->bytes, code->size);
      break;
    case EM_ARM:
      look_at_arm (self, section, code->bytes, code->size);
      break;
    case EM_PPC:
      look_at_ppc (self, section, code->bytes, code->size);
      break;
    default:
      break;
    }
}

static gboolean
is_hooked (const Reader *self, const Function *function)
{
  return function->calls_hook &&
         (function->loads_own || !function->loads_any || !is_readable (self->elf->header.e_machine));
}

static void
look (Reader *self)
{
  for (guint32 i = 1; i < self->n_sections; i++)
    if (self->sections[i].is_code && self->sections[i].bytes != NULL)
      {
        look_at_relocations (self, i);
        look_at_code (self, i);
      }
}

static CsObjectHooks *
make_result (const Reader *reader)
{
  CsObjectHooks *self = g_new0 (CsObjectHooks, 1);

  self->names = g_string_chunk_new (4096);
  self->functions = g_array_new (FALSE, FALSE, sizeof (CsObjectFunction));
  self->is_known = TRUE;
  for (guint i = 0; reader != NULL && i < reader->functions->len; i++)
    {
      const Function *function = &g_array_index (reader->functions, Function, i);
      CsObjectFunction shown = { g_string_chunk_insert (self->names, function->name), is_hooked (reader, function),
                                 function->is_static };

      g_array_append_val (self->functions, shown);
    }
  if (reader == NULL || (reader->is_lto && reader->functions->len == 0))
    self->is_known = FALSE;
  return self;
}

/* Clang's objects for link-time optimization are no ELF files. */
static gboolean
is_bitcode (const char *path)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  char start[4];
  gboolean is = fd >= 0 && read (fd, start, sizeof start) == sizeof start && memcmp (start, "BC\xc0\xde", 4) == 0;

  if (fd >= 0)
    close (fd);
  return is;
}

/**
 * cs_object_hooks_read:
 * @path: a relocatable object file of any architecture
 * @error: return location for a #GError, of CS_SYMBOLS_ERROR
 *
 * Finds the functions that were compiled with -finstrument-functions. A function that was inlined
 * everywhere counts too: since hooks take its address, the object has its own code. A function
 * without hooks that takes its own address for another purpose and has hooks of others inlined counts as hooked; so
 * does, on machines other than x86, Arm, PowerPC, RISC-V and s390x, any that has hooks inlined.
 *
 * Returns: (transfer full) (nullable): the functions, or %NULL with @error set
 */
CsObjectHooks *
cs_object_hooks_read (const char *path, GError **error)
{
  g_autoptr (CsElf) elf = NULL;
  CsObjectHooks *self;
  Reader reader = { 0 };

  g_return_val_if_fail (path != NULL, NULL);

  if (is_bitcode (path))
    return make_result (NULL);
  elf = cs_elf_open_part (path, error);
  if (elf == NULL)
    return NULL;
  if (elf->header.e_type != ET_REL || elf_getshdrnum (elf->elf, &reader.n_sections) != 0)
    {
      g_set_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_FORMAT, "%s is no object file", path);
      return NULL;
    }
  reader.elf = elf;
  reader.sections = g_new0 (Section, reader.n_sections + 1);
  reader.functions = g_array_new (FALSE, FALSE, sizeof (Function));
  read_sections (&reader);
  read_functions (&reader);
  look (&reader);
  self = make_result (&reader);

  for (gsize i = 0; i < reader.n_sections; i++)
    g_clear_pointer (&reader.sections[i].relocations, g_array_unref);
  g_free (reader.sections);
  g_array_unref (reader.functions);
  return self;
}

/**
 * cs_object_hooks_free:
 * @self: (transfer full) (nullable): what cs_object_hooks_read() gave
 */
void
cs_object_hooks_free (CsObjectHooks *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->functions);
  g_string_chunk_free (self->names);
  g_free (self);
}

/**
 * cs_object_hooks_is_known:
 * @self: an object's functions
 *
 * Returns: whether the object has machine code that tells; one for link-time optimization alone hasn't
 */
gboolean
cs_object_hooks_is_known (const CsObjectHooks *self)
{
  return self->is_known;
}

/**
 * cs_object_hooks_get_functions:
 * @self: an object's functions
 * @n: (out): how many
 *
 * Returns: (array length=n) (transfer none): all functions of which the object has code
 */
const CsObjectFunction *
cs_object_hooks_get_functions (const CsObjectHooks *self, guint *n)
{
  *n = self->functions->len;
  return (const CsObjectFunction *) self->functions->data;
}
