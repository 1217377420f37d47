/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/cs-binary.h"
#include "symbols/cs-elf.h"
#include "symbols/cs-ranges.h"

static gboolean
refuse (const CsElf *self,
        GError     **error,
        const char  *what)
{
  g_set_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_FORMAT, "%s %s", self->path, what);
  return FALSE;
}

static gboolean
refuse_short (const CsElf *self,
              GError     **error,
              const char  *what)
{
  g_set_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_FORMAT,
               "%s is cut short: its %s lies beyond the end of the file (%" G_GUINT64_FORMAT
               " bytes); copy it again",
               self->path, what, self->file_size);
  return FALSE;
}

/* Whether count entries of size bytes at offset lie within the file. */
static gboolean
fits (const CsElf *self,
      guint64      offset,
      guint64      size,
      guint64      count)
{
  if (count == 0 || size == 0)
    return TRUE;
  return offset <= self->file_size && (self->file_size - offset) / size >= count;
}

static gboolean
check_header (CsElf   *self,
              gboolean linked,
              GError **error)
{
  unsigned char ident[EI_NIDENT];
  gssize got = pread (self->fd, ident, sizeof ident, 0);
  guint64 least;

  if (got < 0)
    {
      g_set_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_OPEN, "Can't read %s: %s",
                   self->path, g_strerror (errno));
      return FALSE;
    }
  if (got < SELFMAG || memcmp (ident, ELFMAG, SELFMAG) != 0)
    return refuse (self, error, "is not an ELF program or library");
  least = got > EI_CLASS && ident[EI_CLASS] == ELFCLASS32 ? sizeof (Elf32_Ehdr) : sizeof (Elf64_Ehdr);
  if (self->file_size < least)
    return refuse_short (self, error, "header");

  self->elf = elf_begin (self->fd, ELF_C_READ, NULL);
  if (self->elf == NULL || elf_kind (self->elf) != ELF_K_ELF ||
      gelf_getehdr (self->elf, &self->header) == NULL)
    return refuse (self, error, "is a damaged ELF file");
  self->big_endian = self->header.e_ident[EI_DATA] == ELFDATA2MSB;

  if (linked && self->header.e_type != ET_EXEC && self->header.e_type != ET_DYN)
    return refuse (self, error, self->header.e_type == ET_REL
                                  ? "is an object file; name the program or library it was linked into"
                                  : "is an ELF file, but neither a program nor a shared library");
  return TRUE;
}

/* libelf trims what a truncated file lacks; a reader must hear of it instead. */
static gboolean
check_extent (CsElf   *self,
              GError **error)
{
  size_t sections = 0;
  size_t segments = 0;

  if (!fits (self, self->header.e_phoff, self->header.e_phentsize, self->header.e_phnum))
    return refuse_short (self, error, "table of segments");
  if (self->header.e_shoff != 0 &&
      !fits (self, self->header.e_shoff, MAX (self->header.e_shentsize, 1), MAX (self->header.e_shnum, 1)))
    return refuse_short (self, error, "table of sections");
  if (elf_getphdrnum (self->elf, &segments) != 0 || elf_getshdrnum (self->elf, &sections) != 0)
    return refuse (self, error, "is a damaged ELF file");

  for (size_t i = 1; i < sections; i++)
    {
      GElf_Shdr section;

      if (gelf_getshdr (elf_getscn (self->elf, i), &section) == NULL)
        return refuse (self, error, "is a damaged ELF file");
      if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL &&
          !fits (self, section.sh_offset, 1, section.sh_size))
        return refuse_short (self, error, "last part");
    }
  /* Without sections the segments tell; a debug file's segments are hollow. */
  for (size_t i = 0; sections == 0 && i < segments; i++)
    {
      GElf_Phdr segment;

      if (gelf_getphdr (self->elf, i, &segment) == NULL)
        return refuse (self, error, "is a damaged ELF file");
      if (!fits (self, segment.p_offset, 1, segment.p_filesz))
        return refuse_short (self, error, "last segment");
    }
  return TRUE;
}

static void
take_build_id (CsElf    *self,
               Elf_Data *notes)
{
  size_t offset = 0;
  size_t next;
  GElf_Nhdr note;
  size_t name;
  size_t bytes;

  while (notes != NULL && self->build_id == NULL &&
         (next = gelf_getnote (notes, offset, &note, &name, &bytes)) > 0)
    {
      const guint8 *data = notes->d_buf;

      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
          memcmp (data + name, "GNU", 4) == 0 && note.n_descsz > 0 && note.n_descsz <= 64)
        {
          GString *hex = g_string_new (NULL);

          for (guint i = 0; i < note.n_descsz; i++)
            g_string_append_printf (hex, "%02x", data[bytes + i]);
          self->build_id = g_string_free (hex, FALSE);
        }
      offset = next;
    }
}

static void
take_debuglink (CsElf    *self,
                Elf_Data *data)
{
  const char *name = data != NULL ? data->d_buf : NULL;
  gsize length = name != NULL ? strnlen (name, data->d_size) : 0;
  gsize crc = (length + 4) & ~(gsize) 3;

  if (length == 0 || crc + 4 > data->d_size || self->debuglink != NULL)
    return;
  self->debuglink = g_strdup (name);
  memcpy (&self->debuglink_crc, name + crc, 4);
  self->debuglink_crc = self->big_endian ? GUINT32_FROM_BE (self->debuglink_crc)
                                         : GUINT32_FROM_LE (self->debuglink_crc);
}

/* The name of the file that several share, and behind its zero byte its build id. */
static void
take_shared_name (CsElf    *self,
                  Elf_Data *data)
{
  const char *name = data != NULL ? data->d_buf : NULL;
  gsize length = name != NULL ? strnlen (name, data->d_size) : 0;
  GString *hex;

  if (length == 0 || length + 1 >= data->d_size || self->shared_name != NULL)
    return;
  self->shared_name = g_strdup (name);
  hex = g_string_new (NULL);
  for (gsize i = length + 1; i < data->d_size && i < length + 65; i++)
    g_string_append_printf (hex, "%02x", (guint8) name[i]);
  self->shared_build_id = g_string_free (hex, FALSE);
}

static void
read_sections (CsElf *self)
{
  size_t names = 0;
  Elf_Scn *scn = NULL;
  gboolean code_has_bytes = FALSE;

  if (elf_getshdrstrndx (self->elf, &names) != 0)
    names = 0;
  while ((scn = elf_nextscn (self->elf, scn)) != NULL)
    {
      GElf_Shdr section;
      const char *name;

      if (gelf_getshdr (scn, &section) == NULL)
        continue;
      name = names != 0 ? elf_strptr (self->elf, names, section.sh_name) : NULL;
      if (name == NULL)
        name = "";
      cs_elf_note_section (self, name, &section);
      if ((section.sh_flags & SHF_ALLOC) && (section.sh_flags & SHF_EXECINSTR))
        {
          cs_ranges_add (self->code, section.sh_addr, section.sh_addr + section.sh_size,
                         (guint32) elf_ndxscn (scn));
          code_has_bytes |= section.sh_type != SHT_NOBITS;
        }
      if (section.sh_type == SHT_SYMTAB)
        self->has_symtab = TRUE;
      else if (section.sh_type == SHT_NOTE)
        take_build_id (self, elf_getdata (scn, NULL));
      else if (strcmp (name, ".gnu_debuglink") == 0)
        take_debuglink (self, elf_getdata (scn, NULL));
      else if (strcmp (name, ".gnu_debugaltlink") == 0)
        take_shared_name (self, elf_getdata (scn, NULL));
      else if (strcmp (name, ".debug_info") == 0 || strcmp (name, ".zdebug_info") == 0 ||
               strcmp (name, ".debug_info.dwo") == 0 || strcmp (name, ".zdebug_info.dwo") == 0)
        {
          self->has_debug_info = section.sh_type != SHT_NOBITS && section.sh_size > 0;
          self->has_zstd = cs_elf_is_zstd (self, &section);
        }
    }
  self->is_separate_debug = self->code->len > 0 && !code_has_bytes;
}

/* A file without a table of sections still has segments. */
static void
read_segments (CsElf *self)
{
  size_t segments = 0;

  elf_getphdrnum (self->elf, &segments);
  for (size_t i = 0; i < segments; i++)
    {
      GElf_Phdr segment;

      if (gelf_getphdr (self->elf, i, &segment) == NULL)
        continue;
      if (segment.p_type == PT_NOTE && self->build_id == NULL && !self->is_separate_debug &&
          fits (self, segment.p_offset, 1, segment.p_filesz))
        take_build_id (self, elf_getdata_rawchunk (self->elf, segment.p_offset, segment.p_filesz,
                                                   segment.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR));
      if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) && self->header.e_shnum == 0)
        cs_ranges_add (self->code, segment.p_vaddr, segment.p_vaddr + segment.p_memsz, 0);
    }
}

static CsElf *
open_file (const char *path,
           gboolean    linked,
           GError    **error)
{
  g_autoptr (CsElf) self = g_new0 (CsElf, 1);
  struct stat status;

  elf_version (EV_CURRENT);
  self->path = g_strdup (path);
  self->code = cs_ranges_new ();
  self->symbols = g_array_new (FALSE, FALSE, sizeof (CsElfSymbol));
  g_mutex_init (&self->mutex);
  /* O_NONBLOCK: a FIFO must not hang the reader. */
  self->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (self->fd < 0 || fstat (self->fd, &status) != 0)
    {
      g_set_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_OPEN, "Can't open %s: %s", path,
                   g_strerror (errno));
      return NULL;
    }
  if (!S_ISREG (status.st_mode))
    {
      g_set_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_OPEN,
                   "Can't open %s: it is not a regular file", path);
      return NULL;
    }
  self->file_size = (guint64) status.st_size;
  if (!check_header (self, linked, error) || !check_extent (self, error))
    return NULL;

  read_sections (self);
  read_segments (self);
  cs_ranges_sort (self->code);
  return g_steal_pointer (&self);
}

/**
 * cs_elf_open:
 * @path: path of a linked program, shared library or separate debug file
 * @error: return location for an error
 *
 * Opens an ELF file of either word size and byte order and reads its headers.
 *
 * Returns: (transfer full): the file, or %NULL with %CS_SYMBOLS_ERROR_OPEN
 *   when it can't be read, %CS_SYMBOLS_ERROR_FORMAT when it isn't a whole,
 *   linked ELF file
 */
CsElf *
cs_elf_open (const char *path,
             GError    **error)
{
  return open_file (path, TRUE, error);
}

/**
 * cs_elf_open_part:
 * @path: path of a `.dwo` or `.dwp` file
 * @error: return location for an error
 *
 * Opens a file that holds debug information of a program and was not linked.
 *
 * Returns: (transfer full): the file, or %NULL as cs_elf_open()
 */
CsElf *
cs_elf_open_part (const char *path,
                  GError    **error)
{
  return open_file (path, FALSE, error);
}

/**
 * cs_elf_close_file:
 * @self: an ELF file
 *
 * Gives the file descriptor back; what was read stays.
 */
void
cs_elf_close_file (CsElf *self)
{
  if (self->fd < 0)
    return;
  elf_cntl (self->elf, ELF_C_FDDONE);
  close (self->fd);
  self->fd = -1;
}

/**
 * cs_elf_free:
 * @self: (transfer full): an ELF file
 *
 * Closes the file.
 */
void
cs_elf_free (CsElf *self)
{
  if (self->elf != NULL)
    elf_end (self->elf);
  if (self->fd >= 0)
    close (self->fd);
  g_clear_pointer (&self->opd_relocations, g_hash_table_unref);
  g_array_unref (self->code);
  g_array_unref (self->symbols);
  g_clear_pointer (&self->sections, g_array_unref);
  g_mutex_clear (&self->mutex);
  g_free (self->shared_name);
  g_free (self->shared_build_id);
  g_free (self->debuglink);
  g_free (self->build_id);
  g_free (self->path);
  g_free (self);
}
