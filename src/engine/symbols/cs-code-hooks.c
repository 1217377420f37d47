/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "symbols/cs-binary-private.h"
#include "symbols/cs-code-hooks.h"
#include "symbols/cs-hooks.h"

/*
 * A function is hooked if its own code calls the hook and loads the function's own address, which is the hook's first
 * argument: code may hold the hooks of functions that were inlined, too. In linked x86-64 code both are 32-bit numbers
 * that lead from behind themselves to another address, and so are looked for at every byte: that others than
 * instructions' operands lead exactly there is as good as impossible.
 */

typedef struct
{
  guint64 start;
  gsize size;
  const guint8 *bytes;
} Code;

struct _CsCodeHooks
{
  CsBinary *binary;
  GArray *functions; /* CsCodeFunction, by start */
  GArray *code;      /* Code */
  GArray *hooks;     /* guint64: where the hook is, in this file or as a slot */
  GHashTable *slots; /* address of a word that the loader fills → address of the function here, 0: elsewhere */
  gboolean is_known;
};

static void
add_functions (CsCodeHooks *self, const CsElf *elf)
{
  for (guint i = 0; i < elf->symbols->len; i++)
    {
      const CsElfSymbol *symbol = &g_array_index (elf->symbols, CsElfSymbol, i);
      const CsCodeFunction function = { symbol->start, symbol->end, symbol->name };
      const CsCodeFunction *last = self->functions->len > 0
                                       ? &g_array_index (self->functions, CsCodeFunction, self->functions->len - 1)
                                       : NULL;

      if (g_str_equal (symbol->name, CS_HOOK_ENTER))
        g_array_append_val (self->hooks, symbol->start);
      /* Of several names of one address the first is the best. */
      if (last == NULL || last->start != symbol->start)
        g_array_append_val (self->functions, function);
    }
}

/* Which functions the loader puts where. */
static void
read_relocations (CsCodeHooks *self, const CsElf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
  Elf_Data *relocations = elf_getdata (section, NULL);
  Elf_Scn *table = elf_getscn (elf->elf, header->sh_link);
  Elf_Data *symbols = table != NULL ? elf_getdata (table, NULL) : NULL;
  GElf_Shdr table_header;
  GElf_Rela relocation;
  GElf_Sym symbol;

  if (relocations == NULL || symbols == NULL || gelf_getshdr (table, &table_header) == NULL)
    return;
  for (int i = 0; gelf_getrela (relocations, i, &relocation) != NULL; i++)
    {
      guint64 type = GELF_R_TYPE (relocation.r_info);
      guint64 number = GELF_R_SYM (relocation.r_info);
      const char *name;

      if ((type != R_X86_64_GLOB_DAT && type != R_X86_64_JUMP_SLOT) || number > G_MAXINT ||
          gelf_getsym (symbols, (int) number, &symbol) == NULL)
        continue;
      name = elf_strptr (elf->elf, table_header.sh_link, symbol.st_name);
      if (name != NULL && g_str_equal (name, CS_HOOK_ENTER))
        g_array_append_val (self->hooks, relocation.r_offset);
      else if (symbol.st_shndx != SHN_UNDEF)
        g_hash_table_insert (self->slots, g_memdup2 (&relocation.r_offset, sizeof (guint64)),
                             g_memdup2 (&symbol.st_value, sizeof (guint64)));
    }
}

static void
read_sections (CsCodeHooks *self, const CsElf *elf)
{
  Elf_Scn *section = NULL;

  while ((section = elf_nextscn (elf->elf, section)) != NULL)
    {
      GElf_Shdr header;
      Elf_Data *data;

      if (gelf_getshdr (section, &header) == NULL)
        continue;
      if (header.sh_type == SHT_RELA && (header.sh_flags & SHF_ALLOC) != 0)
        read_relocations (self, elf, section, &header);
      if (header.sh_type == SHT_PROGBITS && (header.sh_flags & SHF_EXECINSTR) != 0 &&
          (data = elf_rawdata (section, NULL)) != NULL && data->d_buf != NULL)
        {
          Code code = { header.sh_addr, data->d_size, data->d_buf };

          g_array_append_val (self->code, code);
        }
    }
}

/**
 * cs_code_hooks_new:
 * @binary: a program or shared library
 *
 * Returns: (transfer full): its functions, those of the symbol table
 */
CsCodeHooks *
cs_code_hooks_new (CsBinary *binary)
{
  CsCodeHooks *self = g_new0 (CsCodeHooks, 1);
  const CsElf *elf = binary->elf;

  self->binary = cs_binary_ref (binary);
  self->functions = g_array_new (FALSE, FALSE, sizeof (CsCodeFunction));
  self->code = g_array_new (FALSE, FALSE, sizeof (Code));
  self->hooks = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->slots = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  add_functions (self, cs_binary_load_symbols (binary));
  self->is_known = elf->header.e_machine == EM_X86_64;
  if (self->is_known)
    read_sections (self, elf);
  return self;
}

/**
 * cs_code_hooks_free:
 * @self: (transfer full): functions
 */
void
cs_code_hooks_free (CsCodeHooks *self)
{
  g_array_unref (self->functions);
  g_array_unref (self->code);
  g_array_unref (self->hooks);
  g_hash_table_unref (self->slots);
  cs_binary_unref (self->binary);
  g_free (self);
}

/**
 * cs_code_hooks_get_functions:
 * @self: functions
 * @n: (out): how many
 *
 * Returns: (transfer none) (array length=n): them, by their addresses, which differ
 */
const CsCodeFunction *
cs_code_hooks_get_functions (const CsCodeHooks *self, guint *n)
{
  *n = self->functions->len;
  return (const CsCodeFunction *) (gpointer) self->functions->data;
}

/**
 * cs_code_hooks_is_known:
 * @self: functions
 *
 * Returns: whether cs_code_hooks_has_hook() can tell: of code for x86-64
 */
gboolean
cs_code_hooks_is_known (const CsCodeHooks *self)
{
  return self->is_known;
}

/* The bytes from an address to another. */
static const guint8 *
find_code (const CsCodeHooks *self, guint64 start, guint64 end)
{
  for (guint i = 0; i < self->code->len; i++)
    {
      const Code *code = &g_array_index (self->code, Code, i);

      if (start >= code->start && start - code->start < code->size && end >= start && end - code->start <= code->size)
        return code->bytes + (start - code->start);
    }
  return NULL;
}

/* The bytes from an address on, as far as there are any. */
static gboolean
copy_code (const CsCodeHooks *self, guint64 address, guint8 *bytes, gsize size)
{
  for (guint i = 0; i < self->code->len; i++)
    {
      const Code *code = &g_array_index (self->code, Code, i);

      if (address >= code->start && address - code->start < code->size)
        {
          memcpy (bytes, code->bytes + (address - code->start), MIN (size, code->size - (address - code->start)));
          return TRUE;
        }
    }
  return FALSE;
}

static guint64
read_operand (const guint8 *p, guint64 behind)
{
  guint32 number;

  memcpy (&number, p, 4);
  return behind + (guint64) (gint64) (gint32) GUINT32_FROM_LE (number);
}

/* Whether the hook is there: itself, its slot, or an entry of the linkage table that jumps to what the slot holds. */
static gboolean
is_hook (const CsCodeHooks *self, guint64 address)
{
  static const guint8 landing[] = { 0xf3, 0x0f, 0x1e, 0xfa };
  guint8 entry[11] = { 0 };
  gsize at = 0;
  guint64 slot = 0;

  if (copy_code (self, address, entry, sizeof entry))
    {
      if (memcmp (entry, landing, sizeof landing) == 0)
        at += sizeof landing;
      if (entry[at] == 0xf2)
        at++;
      if (entry[at] == 0xff && entry[at + 1] == 0x25)
        slot = read_operand (entry + at + 2, address + at + 6);
    }
  for (guint i = 0; i < self->hooks->len; i++)
    {
      guint64 hook = g_array_index (self->hooks, guint64, i);

      if (address == hook || (slot != 0 && slot == hook))
        return TRUE;
    }
  return FALSE;
}

/* Whether the operand behind these bytes is that of a call or jump. */
static gboolean
is_branch (const guint8 *code, gsize at)
{
  return (at >= 1 && (code[at - 1] == 0xe8 || code[at - 1] == 0xe9)) ||
         (at >= 2 && code[at - 2] == 0x0f && (code[at - 1] & 0xf0) == 0x80);
}

/**
 * cs_code_hooks_has_hook:
 * @self: functions
 * @function: number of one
 *
 * Returns: whether its own code calls the entry hook with its own address; %TRUE where that isn't known
 */
gboolean
cs_code_hooks_has_hook (const CsCodeHooks *self, guint function)
{
  const CsCodeFunction *of = &g_array_index (self->functions, CsCodeFunction, function);
  const guint8 *code = find_code (self, of->start, of->end);
  gboolean calls = FALSE, loads = FALSE;

  if (!self->is_known)
    return TRUE;
  if (code == NULL)
    return FALSE;
  for (gsize at = 1; at + 4 <= of->end - of->start && !(calls && loads); at++)
    {
      guint64 address = read_operand (code + at, of->start + at + 4);
      const guint64 *slot;
      guint32 number;

      memcpy (&number, code + at, 4);
      if (code[at - 1] == 0xe8 || (at >= 2 && code[at - 2] == 0xff && code[at - 1] == 0x15))
        calls |= is_hook (self, address);
      if (is_branch (code, at))
        continue;
      slot = g_hash_table_lookup (self->slots, &address);
      loads |= address == of->start || GUINT32_FROM_LE (number) == of->start || (slot != NULL && *slot == of->start);
    }
  return calls && loads;
}
