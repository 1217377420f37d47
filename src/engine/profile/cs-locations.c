/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "profile/cs-locations.h"

typedef struct
{
  guint module; /* index + 1, 0: none */
  guint process; /* index + 1 where there is no module, otherwise 0 */
  guint64 address;
} Key;

struct _CsLocations
{
  CsSymbolizer *symbolizer;
  GStringChunk *strings;
  GPtrArray *modules;  /* CsModuleFile */
  GHashTable *by_file; /* CsModuleFile of modules → module index + 1 */
  GHashTable *by_image; /* what stands for a file in a process → module index + 1 */
  GArray *keys;        /* Key, by location */
  GHashTable *by_key;  /* Key → location + 1 */
  gboolean nameless_process;
};

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;
  guint64 hash = (key->address ^ ((guint64) key->module << 40) ^ ((guint64) key->process << 52)) *
                 G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);

  return (guint) (hash >> 32);
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const Key *x = a, *y = b;

  return x->address == y->address && x->module == y->module && x->process == y->process;
}

/**
 * cs_locations_new:
 * @symbolizer: what names addresses
 * @strings: where names are kept
 *
 * Returns: (transfer full): no locations yet
 */
CsLocations *
cs_locations_new (CsSymbolizer *symbolizer, GStringChunk *strings)
{
  CsLocations *self = g_new0 (CsLocations, 1);

  self->symbolizer = g_object_ref (symbolizer);
  self->strings = strings;
  self->modules = g_ptr_array_new_with_free_func (g_free);
  self->by_file = g_hash_table_new (cs_module_file_hash, cs_module_file_equal);
  self->by_image = g_hash_table_new (NULL, NULL);
  self->keys = g_array_new (FALSE, FALSE, sizeof (Key));
  self->by_key = g_hash_table_new_full (key_hash, key_equal, g_free, NULL);
  return self;
}

/**
 * cs_locations_free:
 * @self: (transfer full): locations
 */
void
cs_locations_free (CsLocations *self)
{
  g_hash_table_unref (self->by_key);
  g_hash_table_unref (self->by_image);
  g_hash_table_unref (self->by_file);
  g_array_unref (self->keys);
  g_ptr_array_unref (self->modules);
  g_object_unref (self->symbolizer);
  g_free (self);
}

/* Index + 1 of a file. */
static guint
add_file (CsLocations *self, const CsModuleFile *file)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_file, file));

  if (index == 0)
    {
      CsModuleFile *own = g_new0 (CsModuleFile, 1);

      own->executable = file->executable;
      own->path = g_string_chunk_insert_const (self->strings, file->path);
      if (file->build_id != NULL)
        own->build_id = g_string_chunk_insert_const (self->strings, file->build_id);
      g_ptr_array_add (self->modules, own);
      index = self->modules->len;
      g_hash_table_insert (self->by_file, own, GUINT_TO_POINTER (index));
    }
  return index;
}

/**
 * cs_locations_get_file:
 * @counts: the counts of a process
 * @symbolizer: what will read the file
 * @address: an address in it, as the counts have it
 * @file: (out): the file that it came from
 * @image: (out): what stands for the file in this process
 * @link_address: (out): the address there
 * @bias: (out): what was taken off
 *
 * Without a process file there is one module, the executable that the symbolizer was
 * given, at the bias of the event files.
 *
 * Returns: whether a file is known
 */
gboolean
cs_locations_get_file (const CsPassCounts *counts, CsSymbolizer *symbolizer, guint64 address,
                       CsModuleFile *file, gconstpointer *image, guint64 *link_address, guint64 *bias)
{
  const CsProcess *process = counts->process;
  const CsModule *module = cs_pass_counts_find_module (counts, address, link_address);
  const char *executable = cs_symbolizer_get_executable (symbolizer);

  if (module != NULL)
    {
      *file = (CsModuleFile){ .path = module->path, .build_id = module->build_id,
                              .executable = cs_process_section_is_executable (process->section, module) };
      *image = module;
      *bias = module->bias;
    }
  else if (process->section == NULL && executable != NULL)
    {
      *file = (CsModuleFile){ .path = executable, .executable = TRUE };
      *image = process;
      *bias = process->load_bias;
    }
  else
    return FALSE;
  *link_address -= *bias;
  return TRUE;
}

/**
 * cs_locations_intern:
 * @self: locations
 * @counts: the counts of a process
 * @address: an address in it, as the counts have it
 *
 * Returns: the location's number, new or known
 */
guint
cs_locations_intern (CsLocations *self, const CsPassCounts *counts, guint64 address)
{
  Key key = { 0 };
  CsModuleFile file;
  gconstpointer image;
  guint64 bias;
  gpointer known;

  if (cs_locations_get_file (counts, self->symbolizer, address, &file, &image, &key.address, &bias))
    {
      key.module = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_image, image));
      if (key.module == 0)
        {
          key.module = add_file (self, &file);
          g_hash_table_insert (self->by_image, (gpointer) image, GUINT_TO_POINTER (key.module));
        }
    }
  else
    {
      key.process = counts->process->index + 1;
      self->nameless_process |= counts->process->section == NULL;
    }

  known = g_hash_table_lookup (self->by_key, &key);
  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  g_array_append_val (self->keys, key);
  g_hash_table_insert (self->by_key, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (self->keys->len));
  return self->keys->len - 1;
}

/* A source file relative to the folder that its unit was compiled in, where it lies there. */
static const char *
relative_to (const char *file, const char *folder)
{
  gsize length = folder != NULL ? strlen (folder) : 0;

  if (length > 1 && strncmp (file, folder, length) == 0 && file[length] == '/')
    return file + length + 1;
  return file;
}

/* The source map is about whole paths; where none of its rules is, about paths as they are shown. */
static void
name_file (CsLocations *self, const CsSymbol *symbol, CsLocation *out)
{
  const char *shown = relative_to (symbol->file, symbol->comp_dir);
  g_autofree char *mapped = cs_symbolizer_map_source (self->symbolizer, symbol->file);

  if (mapped == NULL && shown != symbol->file)
    mapped = cs_symbolizer_map_source (self->symbolizer, shown);
  out->file = g_string_chunk_insert_const (self->strings, mapped != NULL ? mapped : shown);
  if (g_path_is_absolute (symbol->file))
    out->source = g_string_chunk_insert_const (self->strings, symbol->file);
}

/**
 * cs_location_dup_number:
 * @module: (nullable): path of an ELF file
 * @address: a link address in it, or a run-time address
 *
 * Returns: (transfer full): what stands in place of a name
 */
char *
cs_location_dup_number (const char *module, guint64 address)
{
  g_autofree char *base = module != NULL ? g_path_get_basename (module) : NULL;

  if (base != NULL)
    return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", base, address);
  return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", address);
}

/**
 * cs_locations_prepare:
 * @self: locations
 * @naming: what they are
 * @locations: the number of the first; the others follow, @stride bytes apart
 * @stride: size of what holds each
 * @n: how many
 *
 * Has many locations looked up at once, which takes less time than one by one.
 */
void
cs_locations_prepare (CsLocations *self, CsNaming naming, const guint64 *locations, gsize stride, guint n)
{
  g_autoptr (GPtrArray) modules = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0; i < self->modules->len; i++)
    g_ptr_array_add (modules, g_array_new (FALSE, FALSE, sizeof (guint64)));
  for (guint i = 0; i < n; i++)
    {
      guint64 location = *(const guint64 *) (gconstpointer) ((const guint8 *) locations + i * stride);
      const Key *key = &g_array_index (self->keys, Key, location);

      if (key->module != 0)
        g_array_append_val (g_ptr_array_index (modules, key->module - 1), key->address);
    }
  for (guint i = 0; i < modules->len; i++)
    {
      GArray *addresses = g_ptr_array_index (modules, i);

      if (addresses->len > 0)
        cs_symbolizer_prepare (self->symbolizer, g_ptr_array_index (self->modules, i),
                               (guint64 *) (gpointer) addresses->data, addresses->len, naming == CS_NAME_CALL_SITE);
    }
}

static const char *
insert_shown_name (CsLocations *self, const char *whole)
{
  g_autofree char *shown = cs_symbolizer_dup_shown_name (self->symbolizer, whole);

  return g_string_chunk_insert_const (self->strings, shown);
}

/* Of a call in inlined code: the functions around the innermost, which have no name of their own
 * in the location. */
static const char *
describe_inlining (CsLocations *self, const CsSymbol *symbol)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 1; i <= symbol->n_inlined; i++)
    {
      const char *name = i < symbol->n_inlined ? symbol->inlined[i].name : symbol->name;

      g_string_append_printf (text, "%s%s", i > 1 ? ", " : "",
                              name != NULL ? insert_shown_name (self, name) : "a function without a name");
    }
  return g_string_chunk_insert_const (self->strings, text->str);
}

/**
 * cs_locations_name:
 * @self: locations
 * @location: a location's number
 * @naming: what it is
 * @out: (out): the location with its name
 *
 * Names a location.
 */
void
cs_locations_name (CsLocations *self, guint location, CsNaming naming, CsLocation *out)
{
  const Key *key = &g_array_index (self->keys, Key, location);
  const CsModuleFile *file =
      key->module != 0 ? g_ptr_array_index (self->modules, key->module - 1) : NULL;
  g_autofree char *name = NULL;
  CsSymbol symbol = { 0 };

  *out = (CsLocation){ .address = key->address, .module = file != NULL ? file->path : NULL };
  if (file != NULL && (naming == CS_NAME_CALL_SITE
                           ? cs_symbolizer_lookup_call_site (self->symbolizer, file, key->address, &symbol)
                           : cs_symbolizer_lookup_function (self->symbolizer, file, key->address, &symbol)))
    {
      const char *whole = symbol.name;

      if (naming == CS_NAME_CALL_SITE && symbol.n_inlined > 0 && symbol.inlined[0].name != NULL)
        {
          whole = symbol.inlined[0].name;
          out->inlined_into = describe_inlining (self, &symbol);
        }
      if (whole != NULL)
        out->name = insert_shown_name (self, whole);
      if (symbol.file != NULL)
        name_file (self, &symbol, out);
      out->line = symbol.line;
    }
  if (out->name != NULL)
    return;
  name = cs_location_dup_number (out->module, key->address);
  out->name = g_string_chunk_insert_const (self->strings, name);
}

/**
 * cs_locations_have_nameless_process:
 * @self: locations
 *
 * Returns: whether there were addresses of a process of which no module is known
 */
gboolean
cs_locations_have_nameless_process (CsLocations *self)
{
  return self->nameless_process;
}
