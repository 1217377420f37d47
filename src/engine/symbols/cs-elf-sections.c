/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "symbols/cs-bytes.h"
#include "symbols/cs-elf.h"

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

/* zlib makes at most 1,032 bytes of one. */
#define ZLIB_MOST 1040

/* A section that is kept once it was read. */
struct _CsElfSection
{
  char *name; /* without the dot and the z of .zdebug */
  guint64 offset, stored;
  gboolean compressed; /* SHF_COMPRESSED */
  gboolean gnu;        /* .zdebug_… */
  gboolean loaded;
  guint8 *data; /* NULL: can't be read */
  gsize size;
};

static void
section_clear (gpointer data)
{
  CsElfSection *section = data;

  g_free (section->name);
  g_free (section->data);
}

/**
 * cs_elf_note_section:
 * @self: an ELF file
 * @name: the name of a section
 * @header: its header
 *
 * Remembers where a section lies, if it is one that cs_elf_get_section() gives.
 */
void
cs_elf_note_section (CsElf *self, const char *name, const GElf_Shdr *header)
{
  CsElfSection section = { .offset = header->sh_offset, .stored = header->sh_size };

  if (self->sections == NULL)
    {
      self->sections = g_array_new (FALSE, FALSE, sizeof (CsElfSection));
      g_array_set_clear_func (self->sections, section_clear);
    }
  section.gnu = g_str_has_prefix (name, ".zdebug_");
  if (header->sh_type == SHT_NOBITS ||
      !(section.gnu || g_str_has_prefix (name, ".debug_")))
    return;
  section.name = g_strdup (name + (section.gnu ? 2 : 1));
  section.compressed = (header->sh_flags & SHF_COMPRESSED) != 0;
  g_array_append_val (self->sections, section);
}

static gboolean
read_all (int fd, guint8 *data, gsize size, guint64 offset)
{
  while (size > 0)
    {
      gssize got = pread (fd, data, size, (off_t) offset);

      if (got <= 0)
        return FALSE;
      data += got;
      offset += (guint64) got;
      size -= (gsize) got;
    }
  return TRUE;
}

static gboolean
inflate_zlib (const guint8 *from, gsize size, guint8 *to, gsize to_size)
{
  z_stream stream = { .next_in = (guint8 *) from, .next_out = to };
  int result;

  if (inflateInit (&stream) != Z_OK)
    return FALSE;
  do
    {
      /* Its counts have 32 bits. */
      stream.avail_in = (uInt) MIN (size - (gsize) (stream.next_in - from), 1u << 30);
      stream.avail_out = (uInt) MIN (to_size - (gsize) (stream.next_out - to), 1u << 30);
      result = inflate (&stream, Z_NO_FLUSH);
    }
  while (result == Z_OK && (gsize) (stream.next_out - to) < to_size);
  inflateEnd (&stream);
  return (gsize) (stream.next_out - to) == to_size;
}

static gboolean
inflate_zstd (const guint8 *from, gsize size, guint8 *to, gsize to_size)
{
#ifdef HAVE_ZSTD
  return ZSTD_decompress (to, to_size, from, size) == to_size;
#else
  return FALSE;
#endif
}

/* The header of a compressed section; moves behind it. */
static gboolean
read_compression (const CsElf *self, const CsElfSection *section, CsBytes *bytes, guint *type, guint64 *size)
{
  *type = ELFCOMPRESS_ZLIB;
  if (section->gnu)
    {
      CsBytes number;

      if (cs_bytes_left (bytes) < 12 || memcmp (bytes->at, "ZLIB", 4) != 0)
        return FALSE;
      cs_bytes_skip (bytes, 4);
      number = *bytes;
      number.big_endian = TRUE;
      *size = cs_bytes_number (&number, 8);
      cs_bytes_skip (bytes, 8);
    }
  else
    {
      guint width = self->header.e_ident[EI_CLASS] == ELFCLASS32 ? 4 : 8;

      *type = (guint) cs_bytes_number (bytes, 4);
      if (width == 8)
        cs_bytes_skip (bytes, 4);
      *size = cs_bytes_number (bytes, width);
      cs_bytes_skip (bytes, width);
    }
  return !bytes->bad;
}

/* Makes the bytes of a compressed section of what is stored. */
static void
make_bytes (const CsElf *self, CsElfSection *section, guint8 *stored)
{
  CsBytes bytes = { stored, stored + section->stored, self->big_endian, FALSE };
  guint8 *data = NULL;
  guint64 size = 0;
  guint type;

  if (read_compression (self, section, &bytes, &type, &size) && size > 0 &&
      (type != ELFCOMPRESS_ZLIB || size / ZLIB_MOST <= cs_bytes_left (&bytes)))
    data = g_try_malloc (size);
  if (data == NULL)
    return;
  if (type == ELFCOMPRESS_ZLIB   ? inflate_zlib (bytes.at, cs_bytes_left (&bytes), data, size)
      : type == ELFCOMPRESS_ZSTD ? inflate_zstd (bytes.at, cs_bytes_left (&bytes), data, size)
                                 : FALSE)
    {
      section->data = data;
      section->size = size;
    }
  else
    g_free (data);
}

static void
load (const CsElf *self, CsElfSection *section)
{
  guint8 *stored;

  if (section->loaded)
    return;
  section->loaded = TRUE;
  stored = section->stored > 0 ? g_try_malloc (section->stored) : NULL;
  if (stored == NULL || !read_all (self->fd, stored, section->stored, section->offset))
    {
      g_free (stored);
      return;
    }
  /* What isn't smaller than before, old tools leave as it was under the new name. */
  if (section->compressed || (section->gnu && section->stored >= 4 && memcmp (stored, "ZLIB", 4) == 0))
    {
      make_bytes (self, section, stored);
      g_free (stored);
      return;
    }
  section->data = stored;
  section->size = section->stored;
}

static CsElfSection *
find (CsElf *self, const char *name)
{
  for (guint i = 0; self->sections != NULL && i < self->sections->len; i++)
    if (g_str_equal (g_array_index (self->sections, CsElfSection, i).name, name))
      return &g_array_index (self->sections, CsElfSection, i);
  return NULL;
}

/**
 * cs_elf_is_zstd:
 * @self: an ELF file
 * @header: the header of a section
 *
 * Returns: whether the section is compressed with zstd
 */
gboolean
cs_elf_is_zstd (const CsElf *self, const GElf_Shdr *header)
{
  guint8 type[4];
  CsBytes bytes = { type, type + sizeof type, self->big_endian, FALSE };

  return (header->sh_flags & SHF_COMPRESSED) && header->sh_size >= sizeof type &&
         read_all (self->fd, type, sizeof type, header->sh_offset) &&
         cs_bytes_number (&bytes, 4) == ELFCOMPRESS_ZSTD;
}

/**
 * cs_elf_get_section:
 * @self: an ELF file that wasn't closed
 * @name: name of a debug section without the leading dot
 * @size: (out): bytes
 *
 * Reads a section as a whole, uncompressed. May be called by several threads.
 *
 * Returns: (nullable) (transfer none): its bytes, %NULL when there is none or
 *   it can't be uncompressed
 */
const guint8 *
cs_elf_get_section (CsElf *self, const char *name, gsize *size)
{
  CsElfSection *section = find (self, name);

  *size = 0;
  if (section == NULL)
    return NULL;
  g_mutex_lock (&self->mutex);
  load (self, section);
  g_mutex_unlock (&self->mutex);
  *size = section->size;
  return section->data;
}

/* Sections that threads take in turn, the largest first. */
typedef struct
{
  CsElf *elf;
  GPtrArray *sections;
  int next;
} Loading;

static gpointer
load_some (gpointer data)
{
  Loading *loading = data;
  guint i;

  while ((i = (guint) g_atomic_int_add (&loading->next, 1)) < loading->sections->len)
    load (loading->elf, g_ptr_array_index (loading->sections, i));
  return NULL;
}

static int
compare_sizes (gconstpointer a, gconstpointer b)
{
  const CsElfSection *one = *(CsElfSection *const *) a;
  const CsElfSection *two = *(CsElfSection *const *) b;

  return one->stored > two->stored ? -1 : one->stored < two->stored;
}

/**
 * cs_elf_load_sections:
 * @self: an ELF file
 * @names: (array length=n): names of debug sections without the leading dot
 * @n: how many
 *
 * Reads several sections at once, on several processors where they are compressed, so that
 * cs_elf_get_section() finds them. Nothing else may use @self meanwhile.
 */
void
cs_elf_load_sections (CsElf *self, const char *const *names, guint n)
{
  g_autoptr (GPtrArray) sections = g_ptr_array_new ();
  Loading loading = { self, sections, 0 };
  guint64 compressed = 0;
  GThread *threads[8];
  guint n_threads = 0;

  for (guint i = 0; i < n; i++)
    {
      CsElfSection *section = find (self, names[i]);

      if (section == NULL || section->loaded)
        continue;
      g_ptr_array_add (sections, section);
      if (section->compressed || section->gnu)
        compressed += section->stored;
    }
  g_ptr_array_sort (sections, compare_sizes);
  if (compressed > 512 * 1024)
    n_threads = MIN (MIN (g_get_num_processors (), sections->len) - 1, G_N_ELEMENTS (threads));
  for (guint i = 0; i < n_threads; i++)
    threads[i] = g_thread_new ("sections", load_some, &loading);
  load_some (&loading);
  for (guint i = 0; i < n_threads; i++)
    g_thread_join (threads[i]);
}

/**
 * cs_elf_has_unreadable_zstd:
 * @self: an ELF file
 *
 * Returns: whether its debug information is compressed with zstd, and this build can't read that
 */
gboolean
cs_elf_has_unreadable_zstd (CsElf *self)
{
#ifdef HAVE_ZSTD
  return FALSE;
#else
  return self->has_zstd;
#endif
}
