/* SPDX-License-Identifier: MIT */
#pragma once

#include <gelf.h>
#include <glib.h>

G_BEGIN_DECLS

/* A function of an ELF symbol table. */
typedef struct
{
  guint64 start;    /* link address of its code; cs_ranges_count_begun() finds it here */
  guint64 end;      /* address after it; where the file gives no size: up to the next */
  guint64 reach;    /* largest end of this symbol and all sorted before it */
  guint64 size;     /* bytes as the file says, 0: it doesn't */
  const char *name; /* belongs to the CsElf, like file */
  const char *file; /* of a static function: its source's file name, NULL: not known */
  guint rank;       /* which of several names of one address to prefer: the lowest */
} CsElfSymbol;

typedef struct _CsElfSection CsElfSection;

/* What is read of an ELF file through libelf. */
typedef struct
{
  char *path;
  int fd;
  guint64 file_size;
  Elf *elf;
  GElf_Ehdr header;
  gboolean big_endian;

  char *build_id;  /* lower-case hex digits, NULL: none */
  char *debuglink; /* file name of the separate debug file, NULL: none */
  guint32 debuglink_crc;
  char *shared_name; /* path of a file that it shares debug information with, NULL: none */
  char *shared_build_id;

  GArray *code;    /* CsRange of the executable sections, by section number */
  GArray *symbols; /* CsElfSymbol, by start */
  gboolean has_symtab;
  gboolean has_debug_info;
  gboolean has_zstd;          /* debug sections compressed with zstd */
  GArray *sections;           /* CsElfSection: debug sections */
  GMutex mutex;               /* of their bytes */
  gboolean is_separate_debug; /* a .debug file: its code sections have no bytes */

  guint64 opd_start; /* function descriptors of ELFv1 PowerPC */
  guint64 opd_size;
  const guint8 *opd_bytes;
  GHashTable *opd_relocations; /* address of a descriptor → code address */
} CsElf;

CsElf *cs_elf_open (const char *path, GError **error);
CsElf *cs_elf_open_part (const char *path, GError **error);
void cs_elf_free (CsElf *self);
void cs_elf_close_file (CsElf *self);
const guint8 *cs_elf_get_section (CsElf *self, const char *name, gsize *size);
void cs_elf_note_section (CsElf *self, const char *name, const GElf_Shdr *header);
gboolean cs_elf_is_zstd (const CsElf *self, const GElf_Shdr *header);
void cs_elf_load_sections (CsElf *self, const char *const *names, guint n);
gboolean cs_elf_has_unreadable_zstd (CsElf *self);
gboolean cs_elf_load_symbols (CsElf *self, const CsElf *descriptors);
guint64 cs_elf_get_code_address (const CsElf *self, guint64 address);
CsElfSymbol *cs_elf_find_symbol (const CsElf *self, guint64 address);
CsElfSymbol *cs_elf_find_symbol_at (const CsElf *self, guint64 start);
guint64 cs_elf_get_symbol_address (const CsElf *self, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsElf, cs_elf_free)

G_END_DECLS
