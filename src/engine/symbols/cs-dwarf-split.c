/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "symbols/cs-debug-file.h"
#include "symbols/cs-dwarf-private.h"

/* Units whose functions a compiler wrote into files of their own (-gsplit-dwarf): `.dwo` files,
 * or a package of them all, a `.dwp` file beside the program, whose index tells by id which part
 * of each section is a unit's (section 7.3.5 of DWARF 5; version 2 is GNU's for DWARF 4). */

struct _CsDwarfPackage
{
  CsDwarfFile *file;
  CsBytes index; /* the slots and what follows */
  guint version;
  guint32 n_sections, n_units, n_slots;
};

void
cs_dwarf_package_free (CsDwarfPackage *package)
{
  if (package == NULL)
    return;
  cs_dwarf_file_free (package->file);
  g_free (package);
}

static gboolean
read_index (CsDwarfPackage *package)
{
  gsize size = 0;
  const guint8 *data = cs_elf_get_section (package->file->elf, "debug_cu_index", &size);
  CsBytes bytes = { data, data + size, package->file->big_endian, FALSE };
  CsBytes version = bytes;
  guint64 left;

  if (data == NULL)
    return FALSE;
  package->version = (guint) cs_bytes_number (&bytes, 4);
  if (package->version != 2)
    package->version = (guint) cs_bytes_number (&version, 2);
  package->n_sections = (guint32) cs_bytes_number (&bytes, 4);
  package->n_units = (guint32) cs_bytes_number (&bytes, 4);
  package->n_slots = (guint32) cs_bytes_number (&bytes, 4);
  package->index = bytes;
  left = cs_bytes_left (&bytes);
  return !bytes.bad && (package->version == 2 || package->version == 5) && package->n_sections <= 16 &&
         (package->n_slots & (package->n_slots - 1)) == 0 && package->n_slots <= left / 12 &&
         package->n_units <= (left - 12ull * package->n_slots) / (8 * MAX (package->n_sections, 1));
}

static guint64
read_at (const CsDwarfPackage *package, guint64 offset, guint size)
{
  CsBytes bytes = package->index;

  cs_bytes_skip (&bytes, offset);
  return cs_bytes_number (&bytes, size);
}

/* The row of a unit, from 1; 0: it isn't there. The slots are a hash table with open addressing. */
static guint32
find_row (const CsDwarfPackage *package, guint64 id)
{
  const guint32 mask = package->n_slots - 1;
  guint32 slot = (guint32) id & mask;

  for (guint32 i = 0; i < package->n_slots; i++)
    {
      guint32 row = (guint32) read_at (package, 8ull * package->n_slots + 4ull * slot, 4);

      if (row == 0 || row > package->n_units)
        return 0;
      if (read_at (package, 8ull * slot, 8) == id)
        return row;
      slot = (slot + ((guint32) (id >> 32 & mask) | 1)) & mask;
    }
  return 0;
}

/* Bases that hold in a file of split units, whose sections have one table a unit. */
static void
set_split_bases (CsDieUnit *unit, guint64 texts, guint64 lists)
{
  unit->text_base = texts + (unit->version < 5 ? 0 : unit->offset_size == 8 ? 16 : 8);
  unit->lists_base = lists + (unit->offset_size == 8 ? 20 : 12);
}

static CsDieUnit *
find_in_package (CsDwarf *self, const CsDwarfPackage *package, guint64 id)
{
  guint32 row = find_row (package, id);
  guint64 table = 12ull * package->n_slots;
  guint64 offsets[DW_SECT_RNGLISTS + 1] = { 0 };
  CsDieUnit *found, *unit;

  if (row == 0)
    return NULL;
  for (guint32 i = 0; i < package->n_sections; i++)
    {
      guint64 kind = read_at (package, table + 4ull * i, 4);

      if (kind < G_N_ELEMENTS (offsets))
        offsets[kind] = read_at (package, table + 4ull * package->n_sections * row + 4ull * i, 4);
    }
  found = cs_dwarf_file_find_unit (package->file, offsets[DW_SECT_INFO]);
  if (found == NULL || found->offset != offsets[DW_SECT_INFO])
    return NULL;
  unit = g_memdup2 (found, sizeof *found);
  unit->abbrevs = NULL; /* of another offset */
  g_ptr_array_add (self->split_units, unit);
  unit->abbrev_offset += offsets[DW_SECT_ABBREV];
  /* In version 2 section 8 is another. */
  unit->lines_offset = offsets[DW_SECT_LINE];
  set_split_bases (unit, offsets[DW_SECT_STR_OFFSETS], unit->version >= 5 ? offsets[DW_SECT_RNGLISTS] : 0);
  return unit;
}

static void
find_package (CsDwarf *self)
{
  g_autoptr (CsElf) elf = cs_debug_file_find_package (self->program, self->file->elf, self->places);

  self->package_sought = TRUE;
  if (elf == NULL)
    return;
  self->package = g_new0 (CsDwarfPackage, 1);
  self->package->file = cs_dwarf_file_new (g_steal_pointer (&elf), TRUE, TRUE);
  if (!read_index (self->package))
    {
      if (self->problem == NULL)
        self->problem = g_strdup ("its .dwp file has no index that can be read");
      g_clear_pointer (&self->package, cs_dwarf_package_free);
    }
}

/* The id of a split unit: of version 4 its first entry has it. */
static guint64
get_id (CsDieUnit *unit)
{
  CsDie root;
  CsDieValue value;

  if (unit->version >= 5)
    return unit->dwo_id;
  if (cs_die_unit_load (unit) && cs_die_read (unit, unit->dies, &root) && root.abbrev != NULL &&
      cs_die_get_value (&root, DW_AT_GNU_dwo_id, &value))
    return value.number;
  return 0;
}

typedef struct
{
  guint64 id;
  CsDwarfFile *file;
  CsDieUnit *unit;
} Wanted;

/* Whether a .dwo file holds the unit. */
static gboolean
take_dwo (const char *path, gpointer user_data)
{
  Wanted *wanted = user_data;
  CsElf *elf = cs_elf_open_part (path, NULL);

  if (elf == NULL)
    return FALSE;
  wanted->file = cs_dwarf_file_new (elf, TRUE, TRUE);
  for (guint i = 0; i < wanted->file->units->len; i++)
    {
      CsDieUnit *unit = g_ptr_array_index (wanted->file->units, i);

      if (get_id (unit) == wanted->id && unit->type != DW_UT_split_type)
        {
          gsize size;

          wanted->unit = unit;
          /* There may be more such files than a process may have open. */
          cs_elf_get_section (elf, "debug_line.dwo", &size);
          cs_elf_close_file (elf);
          set_split_bases (unit, 0, 0);
          return TRUE;
        }
    }
  g_clear_pointer (&wanted->file, cs_dwarf_file_free);
  return FALSE;
}

static CsDieUnit *
find_split (CsDwarf *self, CsDwarfUnit *unit)
{
  Wanted wanted = { .id = unit->dwo_id };
  CsDieUnit *found = NULL;

  g_mutex_lock (&self->mutex);
  if (!self->package_sought)
    find_package (self);
  if (self->package != NULL)
    found = find_in_package (self, self->package, unit->dwo_id);
  g_mutex_unlock (&self->mutex);
  if (found != NULL)
    return found;

  if (cs_debug_file_try_dwo (self->program, unit->comp_dir, unit->dwo_name, self->places, take_dwo, &wanted))
    {
      g_mutex_lock (&self->mutex);
      g_ptr_array_add (self->split_files, wanted.file);
      g_mutex_unlock (&self->mutex);
      return wanted.unit;
    }
  g_mutex_lock (&self->mutex);
  self->missing++;
  /* Whichever thread comes first, the same one is named. */
  if (self->first_missing == NULL || strcmp (unit->dwo_name, self->first_missing) < 0)
    {
      g_free (self->first_missing);
      self->first_missing = g_strdup (unit->dwo_name);
    }
  g_mutex_unlock (&self->mutex);
  return NULL;
}

/* The unit that has the functions; NULL: it lies in a file that isn't there. */
CsDieUnit *
cs_dwarf_unit_get_dies (CsDwarf *self, CsDwarfUnit *unit)
{
  if (unit->dwo_name == NULL)
    return unit->die;
  if (!unit->split_sought)
    {
      unit->split_sought = TRUE;
      unit->split = find_split (self, unit);
      if (unit->split != NULL)
        {
          unit->split->address_file = unit->die->file;
          unit->split->address_base = unit->die->address_base;
          unit->split->ranges_base = unit->split_ranges_base;
          unit->split->base = unit->die->base;
          if (cs_die_unit_load (unit->split))
            cs_dwarf_unit_read_language (unit, unit->split);
          else
            unit->split = NULL;
        }
    }
  return unit->split;
}

/**
 * cs_dwarf_part_free:
 * @data: (transfer full): a CsDwarfPart
 */
void
cs_dwarf_part_free (gpointer data)
{
  CsDwarfPart *part = data;

  g_free (part->path);
  g_free (part->name);
  g_free (part);
}

static void
add_part (GPtrArray *parts, const CsElf *elf, char *name)
{
  CsDwarfPart *part = g_new (CsDwarfPart, 1);

  part->path = g_strdup (elf->path);
  part->name = name;
  g_ptr_array_add (parts, part);
}

/* Where a .dwo file is looked for below a folder: by the path that it was written to. */
static char *
dup_dwo_name (const CsDwarfUnit *unit)
{
  if (g_path_is_absolute (unit->dwo_name) || unit->comp_dir == NULL)
    return g_strdup (unit->dwo_name);
  return g_build_filename (unit->comp_dir, unit->dwo_name, NULL);
}

/**
 * cs_dwarf_list_parts:
 * @self: debug information
 *
 * Lists the files besides the program's own and its debug file that were of use: a package or
 * `.dwo` files, and what dwz moved out of several programs. Asked for while nobody else uses @self.
 *
 * Returns: (transfer full) (element-type CsDwarfPart): the files
 */
GPtrArray *
cs_dwarf_list_parts (CsDwarf *self)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func (cs_dwarf_part_free);
  const CsElf *own = self->file->elf;

  if (self->package != NULL)
    add_part (parts, self->package->file->elf, NULL);
  if (self->file->shared != NULL && strlen (own->shared_build_id) > 2)
    add_part (parts, self->file->shared->elf,
              g_strdup_printf (".build-id/%.2s/%s.debug", own->shared_build_id, own->shared_build_id + 2));
  for (guint i = 0; i < self->units->len; i++)
    {
      const CsDwarfUnit *unit = &g_array_index (self->units, CsDwarfUnit, i);

      if (unit->split != NULL && g_ptr_array_find (self->split_files, unit->split->file, NULL))
        add_part (parts, unit->split->file->elf, dup_dwo_name (unit));
    }
  return parts;
}
