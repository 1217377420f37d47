/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "symbols/cs-object-hooks-private.h"

/* What of an object's code depends on the processor: which relocations are calls, and how code loads addresses. */

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
gint64
cs_object_machine_get_bias (guint16 machine, guint32 type)
{
  if (machine == EM_X86_64)
    return type == R_X86_64_PC32 || type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX ||
               type == R_X86_64_REX_GOTPCRELX
             ? 4
             : 0;
  return machine == EM_S390 && (type == R_390_PC32DBL || type == R_390_GOTENT) ? -2 : 0;
}

/* Whether all ways are known in which code loads an address. */
gboolean
cs_object_machine_is_readable (guint16 machine)
{
  return machine == EM_X86_64 || machine == EM_386 || machine == EM_AARCH64 || machine == EM_ARM || machine == EM_PPC ||
         machine == EM_PPC64 || machine == EM_RISCV || machine == EM_S390;
}

/* Calls may have the type of an address, where an old assembler wrote it or one is the same as the other. */
gboolean
cs_object_machine_is_call (const CsObjectReader *self, const CsObjectSection *section,
                           const CsObjectRelocation *relocation)
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

static guint32
read_32 (const guint8 *bytes, gboolean big_endian)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return big_endian ? GUINT32_FROM_BE (value) : GUINT32_FROM_LE (value);
}

/* lea disp32(%rip), register */
static void
look_at_x86_64 (CsObjectReader *self, guint32 section, const guint8 *bytes, gsize size)
{
  for (gsize i = 0; i + 7 <= size; i++)
    if ((bytes[i] & 0xfb) == 0x48 && bytes[i + 1] == 0x8d && (bytes[i + 2] & 0xc7) == 0x05)
      cs_object_note_load (self, section, i, section, i + 7 + (guint64) (gint32) read_32 (bytes + i + 3, FALSE));
}

/* larl register, halfwords */
static void
look_at_s390 (CsObjectReader *self, guint32 section, const guint8 *bytes, gsize size)
{
  for (gsize i = 0; i + 6 <= size; i += 2)
    if (bytes[i] == 0xc0 && (bytes[i + 1] & 0x0f) == 0)
      cs_object_note_load (self, section, i, section, i + 2 * (guint64) (gint32) read_32 (bytes + i + 2, TRUE));
}

/* auipc register, upper 20 bits; addi register, register, lower 12 bits */
static void
look_at_riscv (CsObjectReader *self, guint32 section, const guint8 *bytes, gsize size)
{
  for (gsize i = 0; i + 8 <= size; i += 2)
    {
      guint32 upper = read_32 (bytes + i, FALSE), lower = read_32 (bytes + i + 4, FALSE);

      if ((upper & 0x7f) == 0x17 && (lower & 0x707f) == 0x13 && (lower >> 15 & 31) == (upper >> 7 & 31))
        cs_object_note_load (self, section, i, section,
                   i + (guint64) (gint32) (upper & 0xfffff000) + (guint64) ((gint32) lower >> 20));
    }
}

/* ldr register, [pc, words]: a word in the code; add register, pc, register */
static void
look_at_arm (CsObjectReader *self, guint32 section, const guint8 *bytes, gsize size)
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
        cs_object_note_load (self, section, i, section, (guint32) (i + 8 + (guint32) words[code & 15]));
    }
}

/* The section that 32-bit PowerPC keeps addresses in for position-independent code; 0: none. */
static guint32
find_got2 (const CsObjectReader *self)
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
look_at_ppc (CsObjectReader *self, guint32 section, const guint8 *bytes, gsize size)
{
  guint32 got2 = find_got2 (self);

  for (gsize i = 0; got2 != 0 && i + 4 <= size; i += 4)
    {
      guint32 code = read_32 (bytes + i, self->elf->big_endian);
      guint64 to = (code & 0xffff) ^ 0x8000;
      guint32 to_section = got2;

      if (code >> 26 == 32 && (code >> 16 & 31) != 1 && cs_object_find_code (self, &to_section, &to))
        cs_object_note_load (self, section, i, to_section, to);
    }
}

/* Addresses that no relocation tells of. */
void
cs_object_machine_look_at_code (CsObjectReader *self, guint32 section)
{
  const CsObjectSection *code = &self->sections[section];

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
