/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <unistd.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/cs-event-reader.h"
#include "capture/cs-fields.h"
#include "capture/cs-packer.h"
#include "capture/cs-tail.h"
#include "project/cs-convert-private.h"
#include "project/cs-output-file.h"

/* A tail gets no larger a buffer than the runtime's, unless it needs one. */
#define MOST_CAPACITY (TRACE_BLOCK_MOST + 512)

/* A file of a track. */
typedef struct Item Item;

struct Item
{
  CsEventFile *file;
  const Item *segment; /* (nullable): of a tail: that it was joined to */
  gboolean fits;    /* of a tail with a segment: its buffer belongs there */
  guint64 distance; /* of a tail: so many bytes beyond its segment's end, or its file's beginning, does it begin */
  gboolean convert; /* it is written anew, not copied */
  gboolean same;    /* of one that is: it is of the wanted format, but the copy has to be of the moment that it was read at */
  gboolean begun;
  guint64 expected; /* index, plus one, of the next enter or exit; 0: it isn't known */
};

/* A track that is being written. */
typedef struct
{
  CsConversion *conversion;
  Item *items;
  guint n_items;
  guint at;               /* number of the item that is being written */
  CsPacker *packer;       /* of the track's byte order */
  gboolean packer_swapped;
  CsOutputFile *segment;  /* (nullable): the last event file, to which a tail may add */
  GByteArray *records;    /* of a tail */
  struct trace_event *swapped;
  gsize n_swapped;
} Output;

static void
output_clear (Output *self)
{
  g_clear_pointer (&self->packer, cs_packer_free);
  g_clear_pointer (&self->segment, cs_output_file_free);
  g_byte_array_unref (self->records);
  g_free (self->swapped);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Output, output_clear)

static void
put_32 (guint8 *header, gsize offset, guint32 value, gboolean swapped)
{
  if (swapped)
    value = GUINT32_SWAP_LE_BE (value);
  memcpy (header + offset, &value, sizeof value);
}

static void
put_64 (guint8 *header, gsize offset, guint64 value, gboolean swapped)
{
  if (swapped)
    value = GUINT64_SWAP_LE_BE (value);
  memcpy (header + offset, &value, sizeof value);
}

/* The header of a file as it is, whatever lies behind the fields that are known, but for the format. */
static guint8 *
make_header (const Output *self, const CsEventFile *file)
{
  gboolean packed = self->conversion->format == CS_CONVERT_PACKED;
  guint8 *header = g_memdup2 (g_hash_table_lookup (self->conversion->headers, file), file->header.header_size);

  put_32 (header, offsetof (struct trace_header, version), packed ? TRACE_PACKED_VERSION : TRACE_VERSION, file->swapped);
  put_32 (header, offsetof (struct trace_header, event_size), packed ? TRACE_PACKED_EVENT_SIZE : TRACE_EVENT_SIZE,
          file->swapped);
  return header;
}

static gboolean
close_segment (Output *self, GError **error)
{
  g_autoptr (CsOutputFile) segment = g_steal_pointer (&self->segment);

  if (segment == NULL)
    return TRUE;
  self->conversion->result->bytes_after += cs_output_file_get_size (segment);
  return cs_output_file_close (segment, error);
}

static gboolean
begin_item (Output *self, GError **error)
{
  Item *item = &self->items[self->at];
  CsEventFile *file = item->file;
  struct stat st;

  item->begun = TRUE;
  if (item->same)
    self->conversion->result->n_copied++;
  else
    {
      self->conversion->result->n_converted++;
      if (stat (file->path, &st) == 0)
        self->conversion->result->bytes_before += (guint64) st.st_size;
    }
  g_byte_array_set_size (self->records, 0);
  if (self->conversion->format == CS_CONVERT_PACKED)
    {
      if (self->packer != NULL && self->packer_swapped != file->swapped)
        g_clear_pointer (&self->packer, cs_packer_free);
      if (self->packer == NULL)
        self->packer = cs_packer_new (TRACE_BLOCK_MOST, file->swapped);
      self->packer_swapped = file->swapped;
      cs_packer_begin (self->packer, file->header.first_index);
    }
  if (!file->tail)
    {
      g_autofree guint8 *header = make_header (self, file);

      if (!close_segment (self, error))
        return FALSE;
      self->segment = cs_output_file_new (self->conversion->target, file->name, error);
      return self->segment != NULL && cs_output_file_write (self->segment, header, file->header.header_size, error);
    }
  if (item->segment != NULL && item->segment->convert && !item->segment->begun)
    item->segment = NULL; /* it is gone */
  return item->segment != NULL && item->segment->convert ? TRUE : close_segment (self, error);
}

/* Writes the block that the packer has filled. */
static gboolean
write_block (Output *self, GError **error)
{
  const Item *item = &self->items[self->at];
  CsPackerBlock block;

  cs_packer_take (self->packer, &block);
  if (block.records == 0)
    return TRUE;
  if (self->segment != NULL)
    return cs_output_file_write (self->segment, block.bytes, block.size, error);
  g_set_error (error, CS_CONVERT_ERROR, CS_CONVERT_ERROR_SOURCE,
               "%s holds more than fits into a packed block, and the event file that could take it is not there",
               item->file->name);
  return FALSE;
}

static gboolean
pack (Output *self, const struct trace_event *events, gsize n, GError **error)
{
  for (gsize i = 0; i < n; i++)
    if (!cs_packer_add (self->packer, &events[i]) &&
        (!write_block (self, error) || !cs_packer_add (self->packer, &events[i])))
      return FALSE;
  return TRUE;
}

static gboolean
write_records (Output *self, const struct trace_event *events, gsize n, GError **error)
{
  const CsEventFile *file = self->items[self->at].file;

  if (file->swapped)
    {
      if (self->n_swapped < n)
        {
          self->swapped = g_renew (struct trace_event, self->swapped, n);
          self->n_swapped = n;
        }
      if (n > 0)
        memcpy (self->swapped, events, n * sizeof *events);
      cs_events_swap (self->swapped, n);
      events = self->swapped;
    }
  if (!file->tail)
    return cs_output_file_write (self->segment, events, n * sizeof *events, error);
  g_byte_array_append (self->records, (const guint8 *) events, (guint) (n * sizeof *events));
  return TRUE;
}

/* Tells readers of records that some are missing before these. */
static gboolean
write_gap (Output *self, const CsEventBlock *block, guint64 lost, GError **error)
{
  const struct trace_event gap = { .ts = block->n > 0 ? block->events[0].ts : 0,
                                   .func = TRACE_MARK_GAP,
                                   .caller = lost * TRACE_EVENT_SIZE,
                                   .tid = block->n > 0 ? block->events[0].tid : block->file->parts.tid,
                                   .kind = TRACE_KIND_MARKER };

  return write_records (self, &gap, 1, error);
}

/* Writes records, of which a packed block may tell that they are not the next ones. */
static gboolean
unpack (Output *self, const CsEventBlock *block, GError **error)
{
  Item *item = &self->items[self->at];
  gboolean known = block->index != 0 && item->expected != 0;
  guint64 lost = known && block->index > item->expected ? block->index - item->expected : 0;

  if ((block->damaged || lost > 0) && !write_gap (self, block, known ? lost : block->lost, error))
    return FALSE;
  if (block->index != 0)
    item->expected = block->index;
  for (gsize i = 0; item->expected != 0 && i < block->n; i++)
    item->expected += block->events[i].kind <= TRACE_KIND_EXIT;
  return write_records (self, block->events, block->n, error);
}

static gboolean
write_events (Output *self, const CsEventBlock *block, GError **error)
{
  Item *item = &self->items[self->at];

  if (block->first)
    item->expected = item->file->header.first_index;
  self->conversion->result->n_records += item->same ? 0 : block->n;
  return self->conversion->format == CS_CONVERT_PACKED ? pack (self, block->events, block->n, error)
                                                       : unpack (self, block, error);
}

/* Where whole records or blocks end in an event file. */
static guint64
get_end (const CsEventFile *file)
{
  if (!file->packed)
    return file->events_offset + file->n_events * TRACE_EVENT_SIZE;
  if (file->n_blocks == 0)
    return file->events_offset;
  return file->blocks[file->n_blocks - 1].offset + file->blocks[file->n_blocks - 1].bytes;
}

/* Where, in the event file that was written, the buffer of a tail belongs. */
static guint64
get_tail_offset (const Output *self, const Item *item)
{
  guint64 distance = item->distance;

  if (item->segment == NULL)
    return item->file->window_offset;
  if (!item->fits)
    return 0;
  if (self->conversion->format == CS_CONVERT_RECORDS)
    distance = (distance + TRACE_EVENT_SIZE - 1) / TRACE_EVENT_SIZE * TRACE_EVENT_SIZE;
  return (item->segment->convert ? cs_output_file_get_size (self->segment) : get_end (item->segment->file)) + distance;
}

/* The header of a tail, for a buffer of which so many bytes are needed and used. */
static guint8 *
make_tail_header (const Output *self, const Item *item, guint32 needed, guint64 used, guint32 *capacity)
{
  const CsEventFile *file = item->file;
  gboolean swapped = file->swapped;
  guint8 *header = make_header (self, file);

  *capacity = MIN (cs_field_u32 (header, offsetof (struct trace_tail, capacity), swapped), MOST_CAPACITY);
  *capacity = MAX (*capacity, needed);
  put_32 (header, offsetof (struct trace_header, flags), file->header.flags, swapped);
  put_64 (header, offsetof (struct trace_header, first_index), file->header.first_index, swapped);
  put_32 (header, offsetof (struct trace_tail, tail_seq), (guint32) file->parts.seq, swapped);
  put_32 (header, offsetof (struct trace_tail, capacity), *capacity, swapped);
  put_64 (header, offsetof (struct trace_tail, offset), get_tail_offset (self, item), swapped);
  put_64 (header, offsetof (struct trace_tail, used), used, swapped);
  put_64 (header, offsetof (struct trace_tail, anchor_ticks), file->anchor_ticks, swapped);
  put_64 (header, offsetof (struct trace_tail, anchor_ns), file->anchor_ns, swapped);
  if (file->anchor_ns != 0) /* no flush was under way when it was read */
    put_32 (header, offsetof (struct trace_tail, generation), 2, swapped);
  return header;
}

/* The beginning of a buffer and its end, with nothing between them. */
static gboolean
write_buffer (Output *self, const Item *item, const guint8 *begin, guint32 used, const guint8 *end, guint32 end_size,
              GError **error)
{
  guint32 capacity;
  g_autofree guint8 *header = make_tail_header (self, item, used + end_size, used, &capacity);
  g_autoptr (CsOutputFile) output = cs_output_file_new (self->conversion->target, item->file->name, error);

  if (output == NULL || !cs_output_file_write (output, header, item->file->header.header_size, error) ||
      !cs_output_file_write (output, begin, used, error) ||
      !cs_output_file_write_zeros (output, capacity - used - end_size, error) ||
      !cs_output_file_write (output, end, end_size, error))
    return FALSE;
  if (!item->same)
    self->conversion->result->bytes_after += cs_output_file_get_size (output);
  return cs_output_file_close (output, error);
}

/* A packed tail's buffer: the block as it was while it was being filled. */
static gboolean
write_packed_tail (Output *self, const Item *item, GError **error)
{
  CsPackerBlock block;
  guint32 end_size, used;
  g_autofree guint8 *bytes = NULL;

  cs_packer_take (self->packer, &block);
  if (block.records == 0)
    return write_buffer (self, item, NULL, 0, NULL, 0, error);
  end_size = block.sites * (guint32) sizeof (struct trace_definition);
  used = block.size - end_size;
  bytes = g_memdup2 (block.bytes, block.size);
  put_32 (bytes, offsetof (struct trace_block, bytes), 0, FALSE);
  put_32 (bytes, offsetof (struct trace_block, records), 0, FALSE);
  put_32 (bytes, offsetof (struct trace_block, events), 0, FALSE);
  put_32 (bytes, offsetof (struct trace_block, check), 0, FALSE);
  return write_buffer (self, item, bytes, used, bytes + used, end_size, error);
}

static gboolean
end_item (Output *self, GError **error)
{
  const Item *item = &self->items[self->at];

  if (!item->begun)
    return TRUE;
  if (!item->file->tail)
    return self->conversion->format == CS_CONVERT_RECORDS || write_block (self, error);
  if (self->conversion->format == CS_CONVERT_PACKED)
    return write_packed_tail (self, item, error);
  return write_buffer (self, item, self->records->data, self->records->len, NULL, 0, error);
}

/* A file can't be read to its end. */
static gboolean
set_cut (const CsEventBlock *block, GError **error)
{
  g_set_error (error, CS_CONVERT_ERROR, CS_CONVERT_ERROR_SOURCE,
               "%s can't be read beyond record %" G_GUINT64_FORMAT " (%s)", block->file->name,
               block->done + block->n, block->error != 0 ? g_strerror (block->error) : "it became shorter");
  return FALSE;
}

/* A file was passed over, as it couldn't be opened. A process that runs removes its oldest ones. */
static gboolean
check_passed (const Item *item, GError **error)
{
  if (!item->convert || item->begun)
    return TRUE;
  if (access (item->file->path, R_OK) != 0 && errno == ENOENT)
    return TRUE;
  g_set_error (error, CS_CONVERT_ERROR, CS_CONVERT_ERROR_SOURCE, "%s can't be opened any more (%s)", item->file->name,
               g_strerror (errno));
  return FALSE;
}

/* Goes on to the item that a block of records is of. */
static gboolean
go_to (Output *self, const CsEventFile *file, GError **error)
{
  if (self->items[self->at].file == file && self->items[self->at].begun)
    return TRUE;
  if (!end_item (self, error))
    return FALSE;
  for (; self->items[self->at].file != file; self->at++)
    if (!check_passed (&self->items[self->at], error))
      return FALSE;
  return !self->items[self->at].convert || begin_item (self, error);
}

static gboolean
write_track (Output *self, const CsThreadTrack *track, GError **error)
{
  g_autoptr (CsEventReader) reader = cs_event_reader_new ();
  CsConversion *conversion = self->conversion;
  CsEventBlock block;

  cs_event_reader_set_track (reader, track);
  while (cs_event_reader_next (reader, &block, conversion->notices))
    {
      if (g_cancellable_set_error_if_cancelled (conversion->cancellable, error) || !go_to (self, block.file, error) ||
          (self->items[self->at].convert && !write_events (self, &block, error)))
        return FALSE;
      if (block.cut && self->items[self->at].convert)
        return set_cut (&block, error);
      if (conversion->bytes_done != NULL)
        __atomic_fetch_add (conversion->bytes_done, block.bytes, __ATOMIC_RELAXED);
    }
  if (!end_item (self, error) || !close_segment (self, error))
    return FALSE;
  for (guint i = 0; i < self->n_items; i++)
    if (!check_passed (&self->items[i], error))
      return FALSE;
  return TRUE;
}

/* Joins a tail to its segment, which lies before it. */
static void
join (CsConversion *self, Item *items, guint n)
{
  Item *item = &items[n];
  CsEventFile *segment = NULL;

  for (guint i = n; segment == NULL && i-- > 0;)
    if (!items[i].file->tail && items[i].file->parts.seq == item->file->parts.seq)
      {
        item->segment = &items[i];
        segment = items[i].file;
      }
  if (segment == NULL)
    cs_tail_stand_alone (item->file, self->notices);
  else
    {
      guint64 end;

      item->fits = cs_tail_join (item->file, segment, self->notices);
      end = segment->events_offset + cs_event_file_get_n_bytes (segment);
      if (item->file->window_offset > end)
        item->distance = item->file->window_offset - end;
    }
}

/* Whether a file is to be converted, and not copied. */
static gboolean
is_other_format (CsConversion *self, const CsEventFile *file)
{
  if (file->header.version == 1)
    {
      if (self->format == CS_CONVERT_PACKED)
        cs_notices_add_detail (self->notices, CS_NOTICE_UNKNOWN,
                               "%s is of version 1, which can't be packed — copied as it is", file->name);
      return FALSE;
    }
  return file->packed != (self->format == CS_CONVERT_PACKED);
}

/* Of a thread that has a tail, and so may still run, gives the last segment time to end in a whole record. */
static void
settle (Item *items, guint n)
{
  CsEventFile *last = NULL;
  gboolean tail = FALSE;

  for (guint i = 0; i < n; i++)
    {
      tail |= items[i].file->tail;
      last = items[i].file->tail ? last : items[i].file;
    }
  if (tail && last != NULL && last->rest > 0)
    cs_tail_settle_segment (last);
}

/* Looks at the files of a track, and says how much is to be copied of those that are not written anew. Returns
 * whether any of them is to be converted. A tail that is of the wanted format already is written anew all the
 * same: it has to go with its segment as that was found. */
static gboolean
prepare (CsConversion *self, Item *items, guint n)
{
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++)
    {
      if (items[i].file->tail)
        join (self, items, i);
      items[i].convert = is_other_format (self, items[i].file);
      if (items[i].segment != NULL)
        items[i].convert = items[i].segment->convert;
      any |= items[i].convert;
      if (items[i].file->tail && !items[i].convert && (items[i].segment == NULL || items[i].fits))
        items[i].convert = items[i].same = TRUE;
    }
  settle (items, n);
  for (guint i = 0; i < n; i++)
    {
      const CsEventFile *file = items[i].file;

      if (!items[i].convert)
        cs_conversion_set_size (self, file->name, file->tail ? G_MAXUINT64 : get_end (file) + file->damaged + file->rest);
      else
        cs_event_file_add_notices (file, self->notices);
    }
  return any;
}

static gboolean
convert_track (CsConversion *self, guint first, guint n, GError **error)
{
  g_autofree Item *items = g_new0 (Item, n);
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  CsThreadTrack track = { .files = files };
  g_auto (Output) output = { .conversion = self, .items = items, .n_items = n, .records = g_byte_array_new () };

  gboolean any;

  for (guint i = 0; i < n; i++)
    items[i].file = g_ptr_array_index (self->files, first + i);
  any = prepare (self, items, n);
  for (guint i = 0; i < n; i++)
    if (any || items[i].convert)
      g_ptr_array_add (files, items[i].file);
  return write_track (&output, &track, error);
}

/**
 * cs_conversion_write_tracks:
 * @self: a conversion whose files are sorted
 * @error: where to say why a file can't be converted
 *
 * Writes the event files and tails that are not of the wanted format, and those tails that are, and notes what is
 * to be copied of the others.
 *
 * Returns: whether all of them are written
 */
gboolean
cs_conversion_write_tracks (CsConversion *self, GError **error)
{
  guint n;

  for (guint i = 0; i < self->files->len; i += n)
    {
      const CsEventFile *first = g_ptr_array_index (self->files, i);

      for (n = 1; i + n < self->files->len; n++)
        {
          const CsEventFile *file = g_ptr_array_index (self->files, i + n);

          if (cs_event_file_compare_process (first, file) != 0 || cs_event_file_compare_track (first, file) != 0)
            break;
        }
      if (!convert_track (self, i, n, error))
        return FALSE;
    }
  return TRUE;
}
