/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/cs-fields.h"
#include "capture/cs-io.h"
#include "capture/cs-summary-file.h"

#define MAX_RECORD_SIZE 744

/* How often a record of a table is read in which calls are counted meanwhile. */
#define MAX_TRIES 200

/* Sizes by version; version 2 appends hardware counters to header and record. */
static const struct { guint header, record; } sizes[] = {
  { 0, 0 }, { TRACE_SUMMARY_HEADER_SIZE, TRACE_SUMMARY_RECORD_SIZE }, { 192, MAX_RECORD_SIZE }
};

#define IN_HEADER(field) offsetof (struct trace_summary_header, field)
#define IN_RECORD(field) offsetof (struct trace_summary_record, field)

static gboolean
check_header (CsSummaryFile *self, guint64 size, GError **error)
{
  const struct trace_header *header = &self->header;

  if (header->version == 0 || header->version >= G_N_ELEMENTS (sizes))
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_VERSION,
                   "%s is of version %u, this program reads summaries of version 1 and 2", self->name,
                   header->version);
      return FALSE;
    }
  if (self->record_size != sizes[header->version].record)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_VERSION,
                   "%s has records of %u bytes, this program reads records of %u in version %u",
                   self->name, self->record_size, sizes[header->version].record, header->version);
      return FALSE;
    }
  if (header->header_size < sizes[header->version].header || header->header_size > size)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_FORMAT,
                   "%s is damaged: a header of %u bytes in a file of %" G_GUINT64_FORMAT, self->name,
                   header->header_size, size);
      return FALSE;
    }
  return TRUE;
}

static void
take_header (CsSummaryFile *self, const guint8 *bytes)
{
  gboolean swapped = cs_field_u32 (bytes, IN_HEADER (version), FALSE) > 0xFFFF;

  self->swapped = swapped;
  self->record_size = cs_field_u32 (bytes, IN_HEADER (record_size), swapped);
  self->header = (struct trace_header){ .version = cs_field_u32 (bytes, IN_HEADER (version), swapped),
                                        .header_size = cs_field_u32 (bytes, IN_HEADER (header_size), swapped),
                                        .flags = cs_field_u32 (bytes, IN_HEADER (flags), swapped),
                                        .load_bias = cs_field_u64 (bytes, IN_HEADER (load_bias), swapped),
                                        .tick_hz = cs_field_u64 (bytes, IN_HEADER (tick_hz), swapped),
                                        .t0_ticks = cs_field_u64 (bytes, IN_HEADER (t0_ticks), swapped),
                                        .t0_ns = cs_field_u64 (bytes, IN_HEADER (t0_ns), swapped),
                                        .hook_ns = cs_field_u64 (bytes, IN_HEADER (hook_ns), swapped),
                                        .pid = cs_field_u32 (bytes, IN_HEADER (pid), swapped) };
  self->tid = cs_field_u32 (bytes, IN_HEADER (tid), swapped);
  self->told = cs_field_u64 (bytes, IN_HEADER (records), swapped);
  self->span = cs_field_u64 (bytes, IN_HEADER (span), swapped);
  self->truncated = cs_field_u64 (bytes, IN_HEADER (truncated), swapped);
}

static gboolean
parse_header (CsSummaryFile *self, const guint8 *bytes, gsize got, guint64 size, GError **error)
{
  guint64 whole;

  static const guint8 zero[TRACE_MAGIC_SIZE];

  if (cs_summary_file_is_table (self) && (got < TRACE_MAGIC_SIZE || memcmp (bytes, zero, sizeof zero) == 0))
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_NOT_FOUND, "%s holds nothing yet", self->name);
      return FALSE;
    }
  if (size == 0)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_SHORT, "%s is empty", self->name);
      return FALSE;
    }
  if (got < TRACE_SUMMARY_HEADER_SIZE)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_SHORT,
                   "%s ends after %" G_GUINT64_FORMAT " bytes, inside its header", self->name, size);
      return FALSE;
    }
  if (memcmp (bytes, TRACE_SUMMARY_MAGIC, TRACE_MAGIC_SIZE) != 0)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_FORMAT,
                   "%s is no summary file: it doesn't begin with %s", self->name, TRACE_SUMMARY_MAGIC);
      return FALSE;
    }
  take_header (self, bytes);
  if (!check_header (self, size, error))
    return FALSE;
  whole = (size - self->header.header_size) / self->record_size;
  self->n_records = MIN (whole, self->told);
  return TRUE;
}

static gboolean
load_header (CsSummaryFile *self, int fd, GError **error)
{
  guint8 bytes[TRACE_SUMMARY_HEADER_SIZE];
  struct stat st;
  gssize got;

  if (fd < 0 || fstat (fd, &st) != 0)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ, "%s can't be opened: %s",
                   self->name, g_strerror (errno));
      return FALSE;
    }
  if (!S_ISREG (st.st_mode))
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_FORMAT, "%s is not a regular file",
                   self->name);
      return FALSE;
    }
  got = cs_pread_full (fd, bytes, sizeof bytes, 0);
  if (got < 0)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ, "%s can't be read: %s",
                   self->name, g_strerror (errno));
      return FALSE;
    }
  self->device = st.st_dev;
  self->inode = st.st_ino;
  return parse_header (self, bytes, (gsize) got, (guint64) st.st_size, error);
}

/* Opens the file; a table that is gone has become the thread's summary file. */
static int
open_fd (CsSummaryFile *self)
{
  int fd = open (self->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

  if (fd < 0 && errno == ENOENT && cs_summary_file_is_table (self))
    {
      char *stem = g_strndup (self->path, strlen (self->path) - strlen (".tail"));

      g_free (self->path);
      g_free (self->name);
      self->path = g_strconcat (stem, ".bin", NULL);
      self->name = g_path_get_basename (self->path);
      cs_trace_name_parse (self->name, &self->parts);
      fd = open (self->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
      g_free (stem);
    }
  return fd;
}

/**
 * cs_summary_file_open:
 * @path: a summary file, or the table of a thread that didn't end cleanly
 * @error: where to say why it can't be read
 *
 * Reads the header of a summary file of version 1 or 2, of either byte order. The file is
 * not kept open.
 *
 * Returns: (transfer full) (nullable): the file, or %NULL with %CS_CAPTURE_ERROR,
 *   %CS_CAPTURE_ERROR_NOT_FOUND where a table was not begun yet
 */
CsSummaryFile *
cs_summary_file_open (const char *path, GError **error)
{
  g_autoptr (CsSummaryFile) self = g_new0 (CsSummaryFile, 1);
  cs_autofd fd = -1;

  self->path = g_strdup (path);
  self->folder = g_path_get_dirname (path);
  self->name = g_path_get_basename (path);
  cs_trace_name_parse (self->name, &self->parts);
  fd = open_fd (self);
  if (!load_header (self, fd, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * cs_summary_file_free:
 * @self: (transfer full): a summary file
 */
void
cs_summary_file_free (CsSummaryFile *self)
{
  g_free (self->path);
  g_free (self->folder);
  g_free (self->name);
  g_free (self);
}

/**
 * cs_summary_file_is_table:
 * @self: a summary file
 *
 * Returns: whether it is the table that a thread counts in while it runs
 */
gboolean
cs_summary_file_is_table (const CsSummaryFile *self)
{
  return self->parts.kind == CS_TRACE_NAME_SUMMARY_TAIL;
}

/**
 * cs_summary_file_compare:
 * @a: a summary file
 * @b: another
 *
 * Orders files by process, thread and number; a thread's table comes after the file that it
 * becomes at the thread's end.
 *
 * Returns: as strcmp()
 */
int
cs_summary_file_compare (const CsSummaryFile *a, const CsSummaryFile *b)
{
  int order = cs_trace_header_compare_process (&a->header, a->folder, &b->header, b->folder);

  if (order != 0)
    return order;
  if (a->tid != b->tid)
    return a->tid < b->tid ? -1 : 1;
  if (a->parts.seq != b->parts.seq)
    return a->parts.seq < b->parts.seq ? -1 : 1;
  order = strcmp (a->folder, b->folder);
  if (order == 0)
    order = (int) cs_summary_file_is_table (a) - (int) cs_summary_file_is_table (b);
  return order != 0 ? order : strcmp (a->path, b->path);
}

/**
 * cs_summary_file_add_notices:
 * @self: a summary file
 * @notices: where to say that it is cut short, or longer than it says
 */
void
cs_summary_file_add_notices (const CsSummaryFile *self, CsNotices *notices)
{
  struct stat st;
  guint64 size;

  if (self->n_records < self->told)
    cs_notices_add_detail (notices, CS_NOTICE_PARTIAL,
                           "%s is cut short: it holds %" G_GUINT64_FORMAT " of its %" G_GUINT64_FORMAT
                           " functions, the others are missing",
                           self->name, self->n_records, self->told);
  else if (!cs_summary_file_is_table (self) && stat (self->path, &st) == 0)
    {
      size = self->header.header_size + self->told * self->record_size;
      if ((guint64) st.st_size >= size + self->record_size)
        cs_notices_add_detail (notices, CS_NOTICE_PARTIAL,
                               "%s holds %" G_GUINT64_FORMAT
                               " records more than its header says: they are left out",
                               self->name, ((guint64) st.st_size - size) / self->record_size);
    }
}

static void
take_record (const CsSummaryFile *self, const guint8 *bytes, CsSummaryRecord *record)
{
  gboolean swapped = self->swapped;

  record->func = cs_field_u64 (bytes, IN_RECORD (func), swapped);
  record->calls = cs_field_u64 (bytes, IN_RECORD (calls), swapped);
  record->incl = cs_field_u64 (bytes, IN_RECORD (incl), swapped);
  record->self = cs_field_u64 (bytes, IN_RECORD (self), swapped);
  record->min = cs_field_u64 (bytes, IN_RECORD (min), swapped);
  record->max = cs_field_u64 (bytes, IN_RECORD (max), swapped);
  for (guint i = 0; i < CS_SUMMARY_BUCKETS; i++)
    record->buckets[i] = cs_field_u32 (bytes, IN_RECORD (hist) + 4 * i, swapped);
}

static gboolean
read_record (const CsSummaryFile *self, int fd, guint64 i, CsSummaryRecord *record)
{
  guint8 bytes[MAX_RECORD_SIZE];

  if (cs_pread_full (fd, bytes, self->record_size,
                     (off_t) (self->header.header_size + i * self->record_size)) < (gssize) self->record_size)
    return FALSE;
  take_record (self, bytes, record);
  return TRUE;
}

/* The calls in a record's histogram; G_MAXUINT64 where a bucket is full. */
static guint64
count_buckets (const CsSummaryRecord *record)
{
  guint64 calls = 0;

  for (guint i = 0; i < CS_SUMMARY_BUCKETS; i++)
    {
      if (record->buckets[i] == G_MAXUINT32)
        return G_MAXUINT64;
      calls += record->buckets[i];
    }
  return calls;
}

/* Reads a record in which its thread may count meanwhile, or was killed while it did. A call's
 * times come first, then its count in the histogram, then the one in `calls`: so what has both
 * counts is whole, but for the times of one call more. */
static gboolean
read_table_record (const CsSummaryFile *self, int fd, guint64 i, CsSummaryRecord *record)
{
  guint64 calls = G_MAXUINT64, before;
  guint tries = 0;

  do
    {
      before = calls;
      if (!read_record (self, fd, i, record))
        return FALSE;
      calls = count_buckets (record);
    }
  while (calls != before && calls - record->calls > 1 && ++tries < MAX_TRIES);
  if (calls == G_MAXUINT64)
    return TRUE;
  record->calls = calls;
  record->self = MIN (record->self, record->incl);
  return TRUE;
}

/**
 * cs_summary_file_read:
 * @self: a summary file
 * @take: called for each record that stands for a function
 * @user_data: for @take
 * @notices: where to say what could not be read
 *
 * Reads the records, with bounded memory. The table of a thread that still runs may have grown
 * since it was opened, or be replaced by the thread's file: then that is read.
 */
void
cs_summary_file_read (CsSummaryFile *self, CsSummaryFunc take, gpointer user_data, CsNotices *notices)
{
  cs_autofd fd = open_fd (self);
  g_autoptr (GError) error = NULL;

  if (!load_header (self, fd, &error))
    {
      cs_notices_add_detail (notices, CS_NOTICE_UNREADABLE, "%s — skipped", error->message);
      return;
    }
  for (guint64 i = 0; i < self->n_records; i++)
    {
      CsSummaryRecord record;

      if (!(cs_summary_file_is_table (self) ? read_table_record : read_record) (self, fd, i, &record))
        {
          cs_notices_add_detail (notices, CS_NOTICE_PARTIAL, "%s can't be read beyond function %" G_GUINT64_FORMAT,
                                 self->name, i);
          return;
        }
      if (record.func != 0 && record.calls != 0)
        take (&record, user_data);
    }
}

/**
 * cs_summary_bucket_start:
 * @bucket: a bucket of a record's histogram, or %CS_SUMMARY_BUCKETS
 *
 * The inverse of the format's rule: a duration below 8 is its own bucket; above that the two
 * bits below its highest one choose among four.
 *
 * Returns: the shortest duration in it, in the record's unit
 */
guint64
cs_summary_bucket_start (guint bucket)
{
  if (bucket < 8)
    return bucket;
  return (guint64) (4 + (bucket - 8) % 4) << ((bucket - 8) / 4 + 1);
}
