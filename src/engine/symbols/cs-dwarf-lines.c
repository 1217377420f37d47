/* SPDX-License-Identifier: MIT */

#include "config.h"

#include "symbols/cs-dwarf-private.h"
#include "symbols/cs-line-program.h"

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

struct _CsLineTable
{
  GMutex mutex;
  gboolean loaded;
  const char *comp_dir;
  guint32 first_file; /* number of the first of files */
  GArray *files;      /* CsLineFile */
  const char **paths; /* of files, NULL: not put together yet */
  GArray *rows;       /* LineRow */
  GArray *sequences;  /* LineSequence */
  GArray *ranges;     /* CsRange, value: index into sequences */
};

void
cs_line_table_free (CsLineTable *table)
{
  g_mutex_clear (&table->mutex);
  g_array_unref (table->files);
  g_array_unref (table->rows);
  g_array_unref (table->sequences);
  g_array_unref (table->ranges);
  g_free (table->paths);
  g_free (table);
}

static int
compare_rows (gconstpointer a,
              gconstpointer b,
              gpointer      unused)
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

  if (low >= high || !cs_ranges_contain (self->code, low))
    {
      g_array_set_size (table->rows, first);
      return;
    }
  if (!in_order)
    g_qsort_with_data (rows + first, (int) (table->rows->len - first), sizeof (LineRow), compare_rows, NULL);
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

/* A sequence that is being read. */
typedef struct
{
  CsDwarf *self;
  CsLineTable *table;
  guint first;
  guint64 low;
  guint64 last;
  guint64 n; /* rows, those that aren't kept too */
  gboolean in_order;
} RowSink;

static void
take_row (const CsLineState *state,
          gpointer           user_data)
{
  RowSink *sink = user_data;
  GArray *rows = sink->table->rows;

  sink->n++;
  if (state->end)
    {
      if (rows->len > sink->first)
        finish_sequence (sink->self, sink->table, sink->low, state->address, sink->first,
                         sink->in_order);
      sink->first = rows->len;
      sink->in_order = TRUE;
      return;
    }
  if (rows->len == sink->first)
    sink->low = sink->last = state->address;
  if (state->address >= sink->low && state->address - sink->low <= G_MAXUINT32)
    {
      LineRow row = { (guint32) (state->address - sink->low), state->line, state->file };

      sink->in_order &= state->address >= sink->last;
      sink->last = state->address;
      g_array_append_val (rows, row);
    }
}

static CsLineTable *
line_table_new (const CsDwarfUnit *unit)
{
  CsLineTable *table = g_new0 (CsLineTable, 1);

  g_mutex_init (&table->mutex);
  table->comp_dir = unit->comp_dir;
  table->files = g_array_new (FALSE, FALSE, sizeof (CsLineFile));
  table->rows = g_array_new (FALSE, FALSE, sizeof (LineRow));
  table->sequences = g_array_new (FALSE, FALSE, sizeof (LineSequence));
  table->ranges = cs_ranges_new ();
  return table;
}

static void
load (CsDwarf     *self,
      CsLineTable *table,
      guint64      offset)
{
  RowSink sink = { .self = self, .table = table, .in_order = TRUE };
  gsize size;

  cs_elf_get_section (self->file->elf, "debug_line", &size);
  /* A row or file takes a byte or more. */
  if (__atomic_load_n (&self->n_lines, __ATOMIC_RELAXED) / CS_DWARF_MOST_TIMES > size)
    cs_dwarf_set_problem (self, "its line tables lie within each other");
  else if (!cs_line_program_read (self->file->elf, "debug_line", offset, table->files, &table->first_file, take_row,
                                  &sink))
    cs_dwarf_set_problem (self, "a line table is damaged");
  __atomic_add_fetch (&self->n_lines, sink.n + table->files->len, __ATOMIC_RELAXED);
  /* Rows of a sequence without an end. */
  g_array_set_size (table->rows, sink.first);
  table->paths = g_new0 (const char *, table->files->len);
  cs_ranges_sort (table->ranges);
}

/* Puts a path together the way the standard means it; an absolute part makes
 * those before it void. */
static const char *
get_path (CsDwarf     *self,
          CsLineTable *table,
          guint32      number)
{
  guint32 index = number - table->first_file;
  const CsLineFile *file;
  const char *start;
  g_autofree char *path = NULL;

  if (number < table->first_file || index >= table->files->len)
    return NULL;
  file = &g_array_index (table->files, CsLineFile, index);
  if (table->paths[index] != NULL || file->name == NULL)
    return table->paths[index];

  start = file->folder == NULL || !g_path_is_absolute (file->folder) ? table->comp_dir : NULL;
  if (g_path_is_absolute (file->name) || (start == NULL && file->folder == NULL))
    path = g_strdup (file->name);
  else if (start == NULL || file->folder == NULL)
    path = g_strconcat (start != NULL ? start : file->folder, "/", file->name, NULL);
  else
    path = g_strconcat (start, "/", file->folder, "/", file->name, NULL);
  table->paths[index] = g_string_chunk_insert_const (self->strings, path);
  return table->paths[index];
}

static gboolean
find_row (CsDwarf     *self,
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
CsLineTable *
cs_dwarf_unit_get_lines (CsDwarf     *self,
                         CsDwarfUnit *unit)
{
  CsLineTable *table;

  if (unit->lines != NULL || !unit->has_stmt_list)
    return unit->lines;
  g_mutex_lock (&self->mutex);
  table = g_hash_table_lookup (self->line_tables, &unit->stmt_list);
  if (table == NULL)
    {
      table = line_table_new (unit);
      g_hash_table_insert (self->line_tables, g_memdup2 (&unit->stmt_list, sizeof (guint64)), table);
    }
  g_mutex_unlock (&self->mutex);

  g_mutex_lock (&table->mutex);
  if (!table->loaded)
    load (self, table, unit->stmt_list);
  table->loaded = TRUE;
  g_mutex_unlock (&table->mutex);
  unit->lines = table;
  return table;
}

/* GCC writes the files of a split unit into a table without lines in the split file; where there
 * is none, as clang does it, they are those of the unit's lines. */
static CsLineTable *
get_files (CsDwarf     *self,
           CsDwarfUnit *unit)
{
  CsDie root;
  CsDieValue value;

  if (unit->dwo_name == NULL || unit->split == NULL || unit->files != NULL)
    return unit->files != NULL ? unit->files : cs_dwarf_unit_get_lines (self, unit);
  if (!cs_die_read (unit->split, unit->split->dies, &root) || root.abbrev == NULL ||
      !cs_die_get_value (&root, DW_AT_stmt_list, &value))
    return cs_dwarf_unit_get_lines (self, unit);
  unit->files = line_table_new (unit);
  cs_line_program_read (unit->split->file->elf, "debug_line.dwo", unit->split->lines_offset + value.number,
                        unit->files->files, &unit->files->first_file, NULL, NULL);
  unit->files->paths = g_new0 (const char *, unit->files->files->len);
  return unit->files;
}

/* The path of a file by its number in entries of the unit; not for several threads at once. */
const char *
cs_dwarf_unit_get_file (CsDwarf     *self,
                        CsDwarfUnit *unit,
                        guint64      number)
{
  CsLineTable *table = get_files (self, unit);

  return table != NULL && number <= G_MAXUINT32 ? get_path (self, table, (guint32) number) : NULL;
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
  guint32 first = range != NULL ? ~range->value : G_MAXUINT32;

  for (guint i = 0; i <= self->unranged->len; i++)
    {
      guint32 index = i == 0 ? first : g_array_index (self->unranged, guint32, i - 1);
      CsDwarfUnit *unit;
      CsLineTable *table;

      if (index == G_MAXUINT32)
        continue;
      unit = &g_array_index (self->units, CsDwarfUnit, index);
      table = cs_dwarf_unit_get_lines (self, unit);
      if (table != NULL && find_row (self, table, address, file, line))
        {
          *comp_dir = unit->comp_dir;
          return TRUE;
        }
    }
  return FALSE;
}
