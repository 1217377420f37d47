/* SPDX-License-Identifier: MIT */

#include "config.h"

#include "symbols/cs-dwarf-private.h"

/* A run of addresses of one file and line, up to the next row. */
typedef struct
{
  guint32 offset; /* from the sequence's first address */
  guint32 line;
  guint32 file;
} LineRow;

/* Rows with rising addresses, one stretch of code. */
typedef struct
{
  guint64 low;
  guint32 first; /* row */
  guint32 count;
} LineSequence;

typedef struct
{
  const char *name;
  const char *folder;
  const char *path; /* both and the compilation folder, NULL: not put together yet */
} LineFile;

struct _CsLineTable
{
  const char *comp_dir;
  guint32 first_file; /* number of the first of files */
  GArray *files;      /* LineFile */
  GArray *rows;       /* LineRow */
  GArray *sequences;  /* LineSequence */
  GArray *ranges;     /* CsRange, value: index into sequences */
};

void
cs_line_table_free (CsLineTable *table)
{
  g_array_unref (table->files);
  g_array_unref (table->rows);
  g_array_unref (table->sequences);
  g_array_unref (table->ranges);
  g_free (table);
}

/* DWARF 5 counts folders and files from 0, with the compilation folder and
 * the unit's own file first; the versions before from 1. */
static void
read_files (CsDwarf            *self,
            CsLineTable        *table,
            Dwarf_Line_Context  context,
            guint64             version)
{
  Dwarf_Error error = NULL;
  Dwarf_Signed base = 0;
  Dwarf_Signed count = 0;
  Dwarf_Signed end = 0;
  Dwarf_Signed folders = 0;

  if (!cs_dwarf_ok (self, dwarf_srclines_files_indexes (context, &base, &count, &end, &error), &error))
    return;
  if (!cs_dwarf_ok (self, dwarf_srclines_include_dir_count (context, &folders, &error), &error))
    folders = 0;
  table->first_file = (guint32) base;
  for (Dwarf_Signed i = base; i < end; i++)
    {
      LineFile file = { 0 };
      Dwarf_Unsigned folder = 0;
      Dwarf_Unsigned time, length;
      Dwarf_Form_Data16 *md5 = NULL;

      if (!cs_dwarf_ok (self, dwarf_srclines_files_data_b (context, i, &file.name, &folder, &time,
                                                           &length, &md5, &error), &error))
        file.name = NULL;
      else if (version >= 5 ? folder < (Dwarf_Unsigned) folders
                            : folder > 0 && folder <= (Dwarf_Unsigned) folders)
        if (!cs_dwarf_ok (self, dwarf_srclines_include_dir_data (context, (Dwarf_Signed) folder,
                                                                 &file.folder, &error), &error))
          file.folder = NULL;
      g_array_append_val (table->files, file);
    }
}

static int
compare_rows (gconstpointer a,
              gconstpointer b)
{
  const LineRow *one = a;
  const LineRow *two = b;

  return one->offset < two->offset ? -1 : one->offset > two->offset;
}

/* The rows of one sequence are complete: of several rows of one address the
 * last counts, and a row that repeats the file and line before it says nothing. */
static void
finish_sequence (CsDwarf     *self,
                 CsLineTable *table,
                 guint64      low,
                 guint64      high,
                 guint        first,
                 gboolean     in_order)
{
  LineSequence sequence = { low, first, 0 };
  LineRow *rows = &g_array_index (table->rows, LineRow, 0);
  guint kept = first;

  if (!cs_ranges_touch (self->code, low, high))
    {
      g_array_set_size (table->rows, first);
      return;
    }
  if (!in_order)
    g_qsort_with_data (rows + first, (int) (table->rows->len - first), sizeof (LineRow),
                       (GCompareDataFunc) (void (*) (void)) compare_rows, NULL);
  for (guint i = first; i < table->rows->len; i++)
    {
      if (i + 1 < table->rows->len && rows[i + 1].offset == rows[i].offset)
        continue;
      if (kept > first && rows[kept - 1].line == rows[i].line && rows[kept - 1].file == rows[i].file)
        continue;
      rows[kept++] = rows[i];
    }
  g_array_set_size (table->rows, kept);
  sequence.count = kept - first;
  cs_ranges_add (table->ranges, low, high, table->sequences->len);
  g_array_append_val (table->sequences, sequence);
}

static void
read_rows (CsDwarf      *self,
           CsLineTable  *table,
           Dwarf_Line   *lines,
           Dwarf_Signed  count)
{
  guint first = 0;
  guint64 low = 0;
  guint64 last = 0;
  gboolean in_order = TRUE;

  for (Dwarf_Signed i = 0; i < count; i++)
    {
      Dwarf_Error error = NULL;
      Dwarf_Addr address = 0;
      Dwarf_Unsigned number = 0;
      Dwarf_Unsigned file = 0;
      Dwarf_Bool end = FALSE;

      if (!cs_dwarf_ok (self, dwarf_lineaddr (lines[i], &address, &error), &error) ||
          !cs_dwarf_ok (self, dwarf_lineendsequence (lines[i], &end, &error), &error))
        return;
      if (end)
        {
          if (table->rows->len > first)
            finish_sequence (self, table, low, address, first, in_order);
          first = table->rows->len;
          in_order = TRUE;
          continue;
        }
      if (!cs_dwarf_ok (self, dwarf_lineno (lines[i], &number, &error), &error) ||
          !cs_dwarf_ok (self, dwarf_line_srcfileno (lines[i], &file, &error), &error))
        return;
      if (table->rows->len == first)
        low = last = address;
      if (address >= low && address - low <= G_MAXUINT32)
        {
          LineRow row = { (guint32) (address - low), (guint32) number, (guint32) file };

          in_order &= address >= last;
          last = address;
          g_array_append_val (table->rows, row);
        }
    }
}

CsLineTable *
cs_line_table_new (CsDwarf           *self,
                   const CsDwarfUnit *unit)
{
  CsLineTable *table = g_new0 (CsLineTable, 1);
  Dwarf_Error error = NULL;
  Dwarf_Unsigned version = 0;
  Dwarf_Small tables = 0;
  Dwarf_Line_Context context = NULL;
  Dwarf_Line *lines = NULL;
  Dwarf_Signed count = 0;

  table->comp_dir = unit->comp_dir;
  table->files = g_array_new (FALSE, FALSE, sizeof (LineFile));
  table->rows = g_array_new (FALSE, FALSE, sizeof (LineRow));
  table->sequences = g_array_new (FALSE, FALSE, sizeof (LineSequence));
  table->ranges = cs_ranges_new ();

  if (!cs_dwarf_ok (self, dwarf_srclines_b (unit->die, &version, &tables, &context, &error), &error))
    return table;
  if (tables == 1)
    {
      read_files (self, table, context, version);
      if (cs_dwarf_ok (self, dwarf_srclines_from_linecontext (context, &lines, &count, &error), &error))
        read_rows (self, table, lines, count);
    }
  dwarf_srclines_dealloc_b (context);
  cs_ranges_sort (table->ranges);
  return table;
}

/* Puts a path together the way the standard means it; an absolute part makes
 * those before it void. */
static const char *
get_path (CsDwarf     *self,
          CsLineTable *table,
          guint32      number)
{
  guint32 index = number - table->first_file;
  LineFile *file;
  const char *start;
  const char *folder;
  g_autofree char *path = NULL;

  if (number < table->first_file || index >= table->files->len)
    return NULL;
  file = &g_array_index (table->files, LineFile, index);
  if (file->path != NULL || file->name == NULL)
    return file->path;

  folder = file->folder;
  start = folder == NULL || !g_path_is_absolute (folder) ? table->comp_dir : NULL;
  if (g_path_is_absolute (file->name) || (start == NULL && folder == NULL))
    file->path = g_string_chunk_insert_const (self->strings, file->name);
  else
    {
      path = start == NULL    ? g_strconcat (folder, "/", file->name, NULL)
             : folder == NULL ? g_strconcat (start, "/", file->name, NULL)
                              : g_strconcat (start, "/", folder, "/", file->name, NULL);
      file->path = g_string_chunk_insert_const (self->strings, path);
    }
  return file->path;
}

gboolean
cs_line_table_find (CsDwarf     *self,
                    CsLineTable *table,
                    guint64      address,
                    const char **path,
                    guint       *line)
{
  const CsRange *range = cs_ranges_find (table->ranges, address);
  const LineSequence *sequence;
  const LineRow *rows;
  guint low = 0;
  guint high;

  if (range == NULL)
    return FALSE;
  sequence = &g_array_index (table->sequences, LineSequence, range->value);
  rows = &g_array_index (table->rows, LineRow, sequence->first);
  high = sequence->count;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (rows[middle].offset <= address - sequence->low)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return FALSE;
  *path = get_path (self, table, rows[low - 1].file);
  *line = rows[low - 1].line;
  return TRUE;
}

/* Units may share a table: it is read once. */
static CsLineTable *
get_table (CsDwarf     *self,
           CsDwarfUnit *unit)
{
  if (unit->lines == NULL && unit->has_stmt_list)
    {
      unit->lines = g_hash_table_lookup (self->line_tables, &unit->stmt_list);
      if (unit->lines == NULL)
        {
          unit->lines = cs_line_table_new (self, unit);
          g_hash_table_insert (self->line_tables, g_memdup2 (&unit->stmt_list, sizeof (guint64)),
                               unit->lines);
        }
    }
  return unit->lines;
}

/**
 * cs_dwarf_find_line:
 * @self: DWARF information
 * @address: a link address
 * @file: (out) (nullable) (transfer none): path, absolute where the file says enough
 * @comp_dir: (out) (nullable) (transfer none): the unit's compilation folder
 * @line: (out): line number, 0: code of no line
 *
 * Finds the line-table row that holds an address.
 *
 * Returns: %TRUE if there is one
 */
gboolean
cs_dwarf_find_line (CsDwarf     *self,
                    guint64      address,
                    const char **file,
                    const char **comp_dir,
                    guint       *line)
{
  const CsRange *range = cs_ranges_find (self->unit_ranges, address);
  guint32 first = range != NULL ? range->value : G_MAXUINT32;

  for (guint i = 0; i <= self->unranged->len; i++)
    {
      guint32 index = i == 0 ? first : g_array_index (self->unranged, guint32, i - 1);
      CsDwarfUnit *unit;
      CsLineTable *table;

      if (index == G_MAXUINT32)
        continue;
      unit = &g_array_index (self->units, CsDwarfUnit, index);
      table = get_table (self, unit);
      if (table != NULL && cs_line_table_find (self, table, address, file, line))
        {
          *comp_dir = unit->comp_dir;
          return TRUE;
        }
    }
  return FALSE;
}
