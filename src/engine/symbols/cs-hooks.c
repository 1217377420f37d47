/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <limits.h>
#include <unistd.h>

#include "symbols/cs-elf.h"
#include "symbols/cs-hooks.h"

static CsHooks
find_in_table (const CsElf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
  Elf_Data *data = elf_getdata (section, NULL);
  gsize n = header->sh_entsize > 0 ? header->sh_size / header->sh_entsize : 0;

  for (gsize i = 0; data != NULL && i < n && i <= G_MAXINT; i++)
    {
      GElf_Sym symbol;
      const char *name;

      if (gelf_getsym (data, (int) i, &symbol) == NULL)
        break;
      name = elf_strptr (elf->elf, header->sh_link, symbol.st_name);
      if (name != NULL && g_str_equal (name, CS_HOOK_ENTER))
        return symbol.st_shndx == SHN_UNDEF ? CS_HOOKS_WITHOUT_RUNTIME : CS_HOOKS_WITH_RUNTIME;
    }
  return CS_HOOKS_NONE;
}

/**
 * cs_hooks_find:
 * @path: a program
 *
 * Looks in the dynamic symbol table for the hook: an executable that holds the runtime
 * exports it, since libc defines the same name, and one that lacks the runtime imports it.
 *
 * Returns: whether the program calls hooks, and whether it brings the runtime
 */
CsHooks
cs_hooks_find (const char *path)
{
  g_autoptr (CsElf) elf = cs_elf_open (path, NULL);
  Elf_Scn *section = NULL;

  if (elf == NULL)
    return CS_HOOKS_UNKNOWN;
  while ((section = elf_nextscn (elf->elf, section)) != NULL)
    {
      GElf_Shdr header;

      if (gelf_getshdr (section, &header) != NULL && header.sh_type == SHT_DYNSYM)
        return find_in_table (elf, section, &header);
    }
  return CS_HOOKS_UNKNOWN;
}

/**
 * cs_hooks_find_loader:
 * @path: a program
 *
 * Returns: (transfer full) (nullable): the program that loads its libraries; %NULL: it is static,
 *   or no ELF file
 */
char *
cs_hooks_find_loader (const char *path)
{
  g_autoptr (CsElf) elf = cs_elf_open (path, NULL);
  gsize n = 0;

  if (elf == NULL || elf_getphdrnum (elf->elf, &n) != 0)
    return NULL;
  for (gsize i = 0; i < n && i <= G_MAXINT; i++)
    {
      GElf_Phdr header;
      char name[PATH_MAX];

      /* elf_rawfile() would make libelf forget what it has allocated. */
      if (gelf_getphdr (elf->elf, (int) i, &header) != NULL && header.p_type == PT_INTERP && header.p_filesz < sizeof name &&
          pread (elf->fd, name, header.p_filesz, (off_t) header.p_offset) == (gssize) header.p_filesz)
        return g_strndup (name, header.p_filesz);
    }
  return NULL;
}
