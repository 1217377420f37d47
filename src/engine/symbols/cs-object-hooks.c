/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "symbols/cs-binary.h"
#include "symbols/cs-bytes.h"
#include "symbols/cs-hooks.h"
#include "symbols/cs-object-hooks-private.h"
#include "symbols/cs-object-hooks.h"

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

struct _CsObjectHooks
{
  GStringChunk *names;
  GArray *functions; /* CsObjectFunction */
  gboolean is_known;
};

static gboolean
get_symbol (const CsObjectReader *self, guint64 index, GElf_Sym *symbol, guint32 *section)
{
  Elf32_Word extended = 0;

  if (self->symbols == NULL || index > G_MAXINT ||
      gelf_getsymshndx (self->symbols, self->extended, (int) index, symbol, &extended) == NULL)
    return FALSE;
  *section = symbol->st_shndx == SHN_XINDEX ? extended : symbol->st_shndx >= SHN_LORESERVE ? 0 : symbol->st_shndx;
  return TRUE;
}

/* The address in a REL relocation's field, where it is one of 32 bits. */
static gint64
read_addend (const CsObjectReader *self, const CsObjectSection *section, const CsObjectRelocation *relocation)
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
  const CsObjectRelocation *one = a;
  const CsObjectRelocation *two = b;

  return one->offset < two->offset ? -1 : one->offset > two->offset;
}

static void
read_relocations (CsObjectReader *self, Elf_Scn *scn, const GElf_Shdr *header)
{
  Elf_Data *data = elf_getdata (scn, NULL);
  gsize n = data != NULL && header->sh_entsize > 0 ? data->d_size / header->sh_entsize : 0;
  CsObjectSection *section;

  if (header->sh_info == 0 || header->sh_info >= self->n_sections)
    return;
  section = &self->sections[header->sh_info];
  if (section->relocations == NULL)
    section->relocations = g_array_new (FALSE, FALSE, sizeof (CsObjectRelocation));
  for (gsize i = 0; i < n && i <= G_MAXINT; i++)
    {
      CsObjectRelocation relocation;
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
      relocation = (CsObjectRelocation){ rela.r_offset, GELF_R_SYM (rela.r_info), rela.r_addend,
                                 (guint32) GELF_R_TYPE (rela.r_info) };
      if (header->sh_type == SHT_REL)
        relocation.addend = read_addend (self, section, &relocation);
      g_array_append_val (section->relocations, relocation);
    }
}

/* Sections first: relocations need their bytes. */
static void
read_sections (CsObjectReader *self)
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

static const CsObjectRelocation *
find_relocation (const CsObjectSection *section, guint64 offset)
{
  CsObjectRelocation key = { .offset = offset };
  const GArray *all = section->relocations;

  return all == NULL || all->len == 0
           ? NULL
           : bsearch (&key, all->data, all->len, sizeof (CsObjectRelocation), compare_relocations);
}

/* The place in code that an address is of. What lies in other sections (descriptors of functions,
 * tables of addresses) is the address that a relocation puts there. */
gboolean
cs_object_find_code (const CsObjectReader *self, guint32 *section, guint64 *offset)
{
  for (guint hops = 0; hops < 4; hops++)
    {
      const CsObjectRelocation *relocation;
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
find_target (const CsObjectReader *self, const CsObjectRelocation *relocation, guint32 *section, guint64 *offset)
{
  GElf_Sym symbol;
  int type;

  if (!get_symbol (self, relocation->symbol, &symbol, section))
    return FALSE;
  *offset = symbol.st_value;
  type = GELF_ST_TYPE (symbol.st_info);
  /* A place for an address has no name of its own; a variable with addresses in it, as a class's virtual functions are,
   * isn't read when it is named. */
  if (type == STT_OBJECT)
    return FALSE;
  if (type != STT_FUNC && type != STT_GNU_IFUNC)
    *offset += (guint64) (relocation->addend +
                          cs_object_machine_get_bias (self->elf->header.e_machine, relocation->type));
  return cs_object_find_code (self, section, offset);
}

static int
compare_functions (gconstpointer a, gconstpointer b)
{
  const CsObjectCode *one = a;
  const CsObjectCode *two = b;

  if (one->section != two->section)
    return one->section < two->section ? -1 : 1;
  return one->start < two->start ? -1 : one->start > two->start;
}

static void
read_functions (CsObjectReader *self)
{
  gsize size = gelf_fsize (self->elf->elf, ELF_T_SYM, 1, EV_CURRENT);
  gsize n = self->symbols != NULL && size > 0 ? self->symbols->d_size / size : 0;

  for (gsize i = 0; i < n; i++)
    {
      CsObjectCode function = { 0 };
      GElf_Sym symbol;
      int type;

      if (!get_symbol (self, i, &symbol, &function.section))
        break;
      type = GELF_ST_TYPE (symbol.st_info);
      function.start = symbol.st_value;
      function.name = elf_strptr (self->elf->elf, self->strings, symbol.st_name);
      if ((type != STT_FUNC && type != STT_GNU_IFUNC) || function.name == NULL || function.name[0] == '\0' ||
          !cs_object_find_code (self, &function.section, &function.start))
        continue;
      function.end = function.start + symbol.st_size;
      function.is_static = GELF_ST_BIND (symbol.st_info) == STB_LOCAL;
      g_array_append_val (self->functions, function);
    }
  g_array_sort (self->functions, compare_functions);
}

/* Index behind the last function that begins at or before a place. */
static guint
count_begun (const CsObjectReader *self, guint32 section, guint64 offset)
{
  guint low = 0, high = self->functions->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const CsObjectCode *function = &g_array_index (self->functions, CsObjectCode, middle);

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
find_functions (const CsObjectReader *self, guint32 section, guint64 offset, guint *last)
{
  guint end = count_begun (self, section, offset);
  const CsObjectCode *function;
  guint n = 0;

  if (end == 0)
    return 0;
  *last = end - 1;
  function = &g_array_index (self->functions, CsObjectCode, *last);
  if (function->section != section || (function->end > function->start && offset >= function->end))
    return 0;
  while (n < end && compare_functions (&g_array_index (self->functions, CsObjectCode, *last - n), function) == 0)
    n++;
  return n;
}

static void
note_hook (CsObjectReader *self, guint32 section, guint64 offset)
{
  guint last;
  guint n = find_functions (self, section, offset, &last);

  for (guint i = 0; i < n; i++)
    g_array_index (self->functions, CsObjectCode, last - i).calls_hook = TRUE;
}

/* The address of a place is loaded at another one. */
void
cs_object_note_load (CsObjectReader *self, guint32 section, guint64 offset, guint32 to_section, guint64 to)
{
  guint last, target;
  guint n = find_functions (self, section, offset, &last);

  if (n == 0 || find_functions (self, to_section, to, &target) == 0 ||
      g_array_index (self->functions, CsObjectCode, target).start != to)
    return;
  for (guint i = 0; i < n; i++)
    {
      CsObjectCode *function = &g_array_index (self->functions, CsObjectCode, last - i);

      function->loads_any = TRUE;
      function->loads_own |= function->section == to_section && function->start == to;
    }
}

static void
look_at_relocations (CsObjectReader *self, guint32 section)
{
  const GArray *all = self->sections[section].relocations;

  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      const CsObjectRelocation *relocation = &g_array_index (all, CsObjectRelocation, i);
      guint32 to_section;
      guint64 to;
      GElf_Sym symbol;
      const char *name;

      if (!get_symbol (self, relocation->symbol, &symbol, &to_section))
        continue;
      name = to_section == 0 ? elf_strptr (self->elf->elf, self->strings, symbol.st_name) : NULL;
      if (name != NULL && g_str_equal (name, CS_HOOK_ENTER))
        note_hook (self, section, relocation->offset);
      else if (!cs_object_machine_is_call (self, &self->sections[section], relocation) &&
               find_target (self, relocation, &to_section, &to))
        cs_object_note_load (self, section, relocation->offset, to_section, to);
    }
}

static gboolean
is_hooked (const CsObjectReader *self, const CsObjectCode *function)
{
  return function->calls_hook &&
         (function->loads_own || !function->loads_any || !cs_object_machine_is_readable (self->elf->header.e_machine));
}

static void
look (CsObjectReader *self)
{
  for (guint32 i = 1; i < self->n_sections; i++)
    if (self->sections[i].is_code && self->sections[i].bytes != NULL)
      {
        look_at_relocations (self, i);
        cs_object_machine_look_at_code (self, i);
      }
}

static CsObjectHooks *
make_result (const CsObjectReader *reader)
{
  CsObjectHooks *self = g_new0 (CsObjectHooks, 1);

  self->names = g_string_chunk_new (4096);
  self->functions = g_array_new (FALSE, FALSE, sizeof (CsObjectFunction));
  self->is_known = TRUE;
  for (guint i = 0; reader != NULL && i < reader->functions->len; i++)
    {
      const CsObjectCode *function = &g_array_index (reader->functions, CsObjectCode, i);
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
  CsObjectReader reader = { 0 };

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
  reader.sections = g_new0 (CsObjectSection, reader.n_sections + 1);
  reader.functions = g_array_new (FALSE, FALSE, sizeof (CsObjectCode));
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
  return (const CsObjectFunction *) (gconstpointer) self->functions->data;
}
