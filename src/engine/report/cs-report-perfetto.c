/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/cs-report-private.h"
#include "report/cs-report-tracks.h"

/* Perfetto's own format: a protobuf message of packets, read by ui.perfetto.dev and
 * trace_processor. A call is a slice's begin and end on its thread's track. Each track of the
 * recording is a sequence of packets; names are interned where a sequence uses them first. Times
 * count from the first event. */

/* Field numbers of the published messages, by message; and values. */
enum { TRACE_PACKET = 1 };
enum
{
  PACKET_TIMESTAMP = 8,
  PACKET_SEQUENCE = 10,
  PACKET_EVENT = 11,
  PACKET_INTERNED = 12,
  PACKET_FLAGS = 13,
  PACKET_TRACK = 60,
  PACKET_FIRST = 87,
};
enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_PARENT = 5 };
enum { PROCESS_PID = 1, PROCESS_CMDLINE = 2, PROCESS_NAME = 6 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum { EVENT_ANNOTATION = 4, EVENT_TYPE = 9, EVENT_NAME_IID = 10, EVENT_TRACK_UUID = 11 };
enum { TYPE_BEGIN = 1, TYPE_END = 2 };
enum { ANNOTATION_STRING = 6, ANNOTATION_NAME = 10 };
enum { INTERNED_NAMES = 2 };
enum { NAME_IID = 1, NAME_TEXT = 2 };

/* A packet with an event is no longer than this: its length takes one byte. */
#define EVENT_MAX 127

typedef struct
{
  CsReportWriter *writer;
  const CsFunction *functions;
  guint32 *interned; /* by function: the sequence that knows its name */
  gint64 first;      /* ns: time 0 */
  guint32 sequence;
  gboolean begun;    /* the sequence has packets */
  guint64 next_uuid;
  CsReportTracks tracks;
  GString *packet, *inner, *innermost; /* what is put together here */
} Perfetto;

typedef struct
{
  guint64 uuid;
} Lane;

static inline char *
put_varint (char *to, guint64 number)
{
  for (; number >= 0x80; number >>= 7)
    *to++ = (char) (number | 0x80);
  *to++ = (char) number;
  return to;
}

static inline char *
put_varint_field (char *to, guint field, guint64 number)
{
  return put_varint (put_varint (to, field << 3), number);
}

static void
add_varint_field (GString *to, guint field, guint64 number)
{
  char bytes[20];

  g_string_append_len (to, bytes, put_varint_field (bytes, field, number) - bytes);
}

static void
add_bytes_field (GString *to, guint field, const char *bytes, gsize n)
{
  char head[20];

  g_string_append_len (to, head, put_varint (put_varint (head, field << 3 | 2), n) - head);
  g_string_append_len (to, bytes, (gssize) n);
}

/* A string of protobuf is UTF-8. */
static void
add_string_field (GString *to, guint field, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  add_bytes_field (to, field, valid, strlen (valid));
}

static void
put_packet (Perfetto *self, const GString *packet)
{
  char head[20];

  cs_report_writer_put_bytes (self->writer, head,
                              (gsize) (put_varint (put_varint (head, TRACE_PACKET << 3 | 2), packet->len) - head));
  cs_report_writer_put_bytes (self->writer, packet->str, packet->len);
}

/* Begins a packet other than an event's. */
static void
begin_packet (Perfetto *self)
{
  g_string_truncate (self->packet, 0);
  g_string_truncate (self->inner, 0);
  g_string_truncate (self->innermost, 0);
  add_varint_field (self->packet, PACKET_SEQUENCE, self->sequence);
  add_varint_field (self->packet, PACKET_FLAGS, self->begun ? FLAG_NEEDS_STATE : FLAG_CLEARED);
  if (!self->begun)
    add_varint_field (self->packet, PACKET_FIRST, 1);
  self->begun = TRUE;
}

static void
begin_sequence (Perfetto *self)
{
  self->sequence++;
  self->begun = FALSE;
}

static void
put_name (Perfetto *self, guint function)
{
  begin_packet (self);
  add_varint_field (self->innermost, NAME_IID, (guint64) function + 1);
  add_string_field (self->innermost, NAME_TEXT, self->functions[function].location.name);
  add_bytes_field (self->inner, INTERNED_NAMES, self->innermost->str, self->innermost->len);
  add_bytes_field (self->packet, PACKET_INTERNED, self->inner->str, self->inner->len);
  put_packet (self, self->packet);
  self->interned[function] = self->sequence;
}

/* Puts what all events begin with; the event's length, a byte, comes next. */
static inline char *
begin_event (const Perfetto *self, char *to, gint64 ns)
{
  to = put_varint_field (to, PACKET_TIMESTAMP, (guint64) ns - (guint64) self->first);
  to = put_varint_field (to, PACKET_SEQUENCE, self->sequence);
  to = put_varint_field (to, PACKET_FLAGS, FLAG_NEEDS_STATE);
  *to++ = PACKET_EVENT << 3 | 2;
  return to;
}

static gboolean
put_begin (CsCallLane *lane, const CsLaneCall *call, gpointer user_data)
{
  Perfetto *self = user_data;
  const Lane *own = lane->data;
  char *start, *to, *length;

  if (G_UNLIKELY (self->interned[call->function] != self->sequence))
    put_name (self, call->function);
  start = cs_report_writer_reserve (self->writer, EVENT_MAX);
  start[0] = TRACE_PACKET << 3 | 2;
  length = begin_event (self, start + 2, call->start);
  to = put_varint_field (length + 1, EVENT_TYPE, TYPE_BEGIN);
  to = put_varint_field (to, EVENT_NAME_IID, (guint64) call->function + 1);
  to = put_varint_field (to, EVENT_TRACK_UUID, own->uuid);
  *length = (char) (to - length - 1);
  start[1] = (char) (to - start - 2);
  cs_report_writer_advance (self->writer, to);
  return TRUE;
}

static char *
put_annotation (char *to, const char *name, const char *text)
{
  guint n = (guint) strlen (name), m = (guint) strlen (text);

  *to++ = EVENT_ANNOTATION << 3 | 2;
  *to++ = (char) (n + m + 4);
  *to++ = ANNOTATION_NAME << 3 | 2;
  *to++ = (char) n;
  memcpy (to, name, n);
  to += n;
  *to++ = ANNOTATION_STRING << 3 | 2;
  *to++ = (char) m;
  memcpy (to, text, m);
  return to + m;
}

static gboolean
put_end (CsCallLane *lane, const CsLaneCall *call, gpointer user_data)
{
  Perfetto *self = user_data;
  const Lane *own = lane->data;
  char *start = cs_report_writer_reserve (self->writer, EVENT_MAX);
  char *length, *to;

  start[0] = TRACE_PACKET << 3 | 2;
  length = begin_event (self, start + 2, call->end);
  to = put_varint_field (length + 1, EVENT_TYPE, TYPE_END);
  to = put_varint_field (to, EVENT_TRACK_UUID, own->uuid);
  if (G_UNLIKELY (call->how != CS_CALL_EXITED))
    to = put_annotation (to, "end", cs_call_end_get_name (call->how));
  *length = (char) (to - length - 1);
  start[1] = (char) (to - start - 2);
  cs_report_writer_advance (self->writer, to);
  return !cs_report_writer_should_stop (self->writer);
}

/* Puts self->inner. */
static void
put_track (Perfetto *self)
{
  add_bytes_field (self->packet, PACKET_TRACK, self->inner->str, self->inner->len);
  put_packet (self, self->packet);
}

static void
begin_lane (CsCallLane *lane, const CsLaneCall *first, gpointer user_data)
{
  Perfetto *self = user_data;
  g_autofree char *name = cs_report_tracks_dup_name (lane);
  Lane *own = g_new0 (Lane, 1);

  lane->data = own;
  own->uuid = self->next_uuid++;
  begin_packet (self);
  add_varint_field (self->inner, TRACK_UUID, own->uuid);
  add_varint_field (self->inner, TRACK_PARENT, (guint64) lane->process->index + 1);
  add_varint_field (self->innermost, THREAD_PID, self->tracks.processes[lane->process->index].pid);
  add_varint_field (self->innermost, THREAD_TID, cs_report_tracks_get_tid (&self->tracks, lane));
  if (name != NULL)
    add_string_field (self->innermost, THREAD_NAME, name);
  add_bytes_field (self->inner, TRACK_THREAD, self->innermost->str, self->innermost->len);
  put_track (self);
}

static gboolean
end_track (CsCallLane *const *lanes, guint n, gpointer user_data)
{
  Perfetto *self = user_data;

  for (guint i = 0; i < n; i++)
    g_free (lanes[i]->data);
  begin_sequence (self);
  return !cs_report_writer_should_stop (self->writer);
}

/* Their uuids are their indices + 1. */
static void
put_processes (Perfetto *self, GPtrArray *processes)
{
  for (guint i = 0; i < processes->len; i++)
    {
      const CsProcess *process = g_ptr_array_index (processes, i);

      begin_packet (self);
      add_varint_field (self->inner, TRACK_UUID, i + 1);
      add_varint_field (self->innermost, PROCESS_PID, self->tracks.processes[i].pid);
      if (process->section != NULL && process->section->exe != NULL)
        add_string_field (self->innermost, PROCESS_CMDLINE, process->section->exe);
      add_string_field (self->innermost, PROCESS_NAME, self->tracks.processes[i].name);
      add_bytes_field (self->inner, TRACK_PROCESS, self->innermost->str, self->innermost->len);
      put_track (self);
    }
}

static const CsCallVisitor visitor = { .lane = begin_lane, .enter = put_begin, .leave = put_end, .track_done = end_track };

/**
 * cs_report_write_perfetto:
 * @profile: what to report
 * @options: where to count the bytes read
 * @writer: where to
 *
 * Reads the recording a second time and writes each call as it begins and ends.
 *
 * Returns: whether it wasn't cancelled
 */
gboolean
cs_report_write_perfetto (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer)
{
  guint n;
  GPtrArray *processes = cs_recording_get_processes (cs_profile_get_recording (profile));
  g_autoptr (GString) packet = g_string_new (NULL);
  g_autoptr (GString) inner = g_string_new (NULL);
  g_autoptr (GString) innermost = g_string_new (NULL);
  g_autofree guint32 *interned = NULL;
  Perfetto self = { .writer = writer, .functions = cs_profile_get_functions (profile, &n),
                    .first = cs_profile_get_totals (profile)->origin, .next_uuid = (guint64) processes->len + 1,
                    .packet = packet, .inner = inner, .innermost = innermost };
  gboolean complete;

  self.interned = interned = g_new0 (guint32, n + 1);
  cs_report_tracks_init (&self.tracks, profile);
  begin_sequence (&self);
  put_processes (&self, processes);
  begin_sequence (&self);
  complete = cs_report_visit_calls (profile, &visitor, &self, options, writer);
  cs_report_tracks_clear (&self.tracks);
  return complete;
}
