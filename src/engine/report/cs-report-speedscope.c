/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/cs-digits.h"
#include "report/cs-report-private.h"
#include "report/cs-report-spool.h"
#include "report/cs-report-tracks.h"

/* The file format of speedscope: frames are the functions, a thread is an evented profile, whose
 * events open and close frames in order. Times in ns from the first event of the recording. The
 * first thread of a track is written as it is read; others that come mixed with it, those of
 * streams and further stacks, after it. */
typedef struct
{
  CsReportWriter *writer;
  CsReportSpool *spool;
  GString **heads;    /* of events, up to the time: by function and whether it closes; nullable elements */
  gint64 first;       /* ns: time 0 */
  gboolean straight;  /* the track's first lane has begun */
  gboolean separated; /* there is a profile before the next one */
  CsReportTracks tracks;
} Speedscope;

typedef struct
{
  CsSpoolText *text; /* NULL: straight to the writer */
  guint64 end;       /* of its last event so far */
  gboolean separated;
} Lane;

static void
put (Speedscope *self, const Lane *lane, const char *bytes, gsize n)
{
  if (lane->text != NULL)
    cs_report_spool_append (self->spool, lane->text, bytes, n);
  else
    cs_report_writer_put_bytes (self->writer, bytes, n);
}

/* The longest event: its head holds nothing but the function's number. */
#define EVENT_MAX 96

static const GString *
event_head (Speedscope *self, guint function, gboolean closes)
{
  GString **head = &self->heads[2 * (gsize) function + closes];

  if (G_UNLIKELY (*head == NULL))
    {
      *head = g_string_new (NULL);
      g_string_printf (*head, ",\n{\"type\":\"%c\",\"frame\":%u,\"at\":", closes ? 'C' : 'O', function);
    }
  return *head;
}

static inline void
put_event (Speedscope *self, Lane *lane, guint function, gboolean closes, gint64 ns)
{
  const GString *head = event_head (self, function, closes);
  guint comma = lane->separated ? 0 : 1; /* the first event has none before it */
  char event[EVENT_MAX];
  char *start = lane->text != NULL ? event : cs_report_writer_reserve (self->writer, EVENT_MAX);
  char *end = start + head->len - comma;

  lane->end = (guint64) ns - (guint64) self->first;
  lane->separated = TRUE;
  memcpy (start, head->str + comma, head->len - comma);
  end = cs_digits_put (end, lane->end);
  *end++ = '}';
  if (lane->text != NULL)
    cs_report_spool_append (self->spool, lane->text, start, (gsize) (end - start));
  else
    cs_report_writer_advance (self->writer, end);
}

static gboolean
open_frame (CsCallLane *lane, const CsLaneCall *call, gpointer user_data)
{
  put_event (user_data, lane->data, call->function, FALSE, call->start);
  return TRUE;
}

static gboolean
close_frame (CsCallLane *lane, const CsLaneCall *call, gpointer user_data)
{
  Speedscope *self = user_data;

  put_event (self, lane->data, call->function, TRUE, call->end);
  return !cs_report_writer_should_stop (self->writer);
}

static void
begin_lane (CsCallLane *lane, const CsLaneCall *first, gpointer user_data)
{
  Speedscope *self = user_data;
  const CsReportTrackProcess *process = &self->tracks.processes[lane->process->index];
  g_autofree char *thread = cs_report_tracks_dup_name (lane);
  g_autofree char *name = g_strdup_printf ("%s%s%s, pid %u, tid %u", thread != NULL ? thread : "",
                                           thread != NULL ? ", " : "", process->name, lane->process->pid, lane->tid);
  g_autoptr (GString) head = g_string_new (self->separated ? ",\n" : "\n");
  Lane *own = g_new0 (Lane, 1);

  lane->data = own;
  if (self->straight)
    own->text = cs_report_spool_add (self->spool);
  self->straight = self->separated = TRUE;
  g_string_append (head, "{\"type\":\"evented\",\"name\":");
  cs_report_append_json_string (head, name);
  g_string_append_printf (head, ",\"unit\":\"nanoseconds\",\"startValue\":%" G_GUINT64_FORMAT ",\"events\":[",
                          (guint64) first->start - (guint64) self->first);
  put (self, own, head->str, head->len);
}

static gboolean
end_track (CsCallLane *const *lanes, guint n, gpointer user_data)
{
  Speedscope *self = user_data;

  for (guint i = 0; i < n; i++)
    {
      Lane *lane = lanes[i]->data;

      if (lane->text != NULL)
        cs_report_spool_write (self->spool, lane->text, self->writer);
      cs_report_writer_printf (self->writer, "\n],\"endValue\":%" G_GUINT64_FORMAT "}", lane->end);
      g_free (lane);
    }
  self->straight = FALSE;
  return !cs_report_writer_should_stop (self->writer);
}

static void
put_frames (CsReportWriter *writer, const CsFunction *functions, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const CsLocation *location = &functions[i].location;

      cs_report_writer_puts (writer, i > 0 ? ",\n{\"name\":" : "\n{\"name\":");
      cs_report_writer_put_json_string (writer, location->name);
      if (location->file != NULL)
        {
          cs_report_writer_puts (writer, ",\"file\":");
          cs_report_writer_put_json_string (writer, location->file);
          if (location->line > 0)
            cs_report_writer_printf (writer, ",\"line\":%u", location->line);
        }
      cs_report_writer_puts (writer, "}");
    }
}

static const CsCallVisitor visitor = {
  .lane = begin_lane, .enter = open_frame, .leave = close_frame, .track_done = end_track
};

/**
 * cs_report_write_speedscope:
 * @profile: what to report
 * @options: where to count the bytes read
 * @writer: where to
 *
 * Reads the recording a second time and writes each call as it begins and ends.
 *
 * Returns: whether it wasn't cancelled
 */
gboolean
cs_report_write_speedscope (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer)
{
  guint n;
  const CsFunction *functions = cs_profile_get_functions (profile, &n);
  g_autoptr (CsReportSpool) spool = cs_report_spool_new ();
  Speedscope self = { .writer = writer, .spool = spool, .first = cs_profile_get_totals (profile)->origin };
  gboolean complete;

  self.heads = g_new0 (GString *, 2 * (gsize) n + 1);
  cs_report_tracks_init (&self.tracks, profile);
  cs_report_writer_puts (writer, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
                                 "\"exporter\":\"callsight " CS_VERSION "\",\n\"name\":");
  cs_report_writer_put_json_string (writer, self.tracks.n_processes > 0 ? self.tracks.processes[0].name : "callsight");
  cs_report_writer_puts (writer, ",\n\"shared\":{\"frames\":[");
  put_frames (writer, functions, n);
  cs_report_writer_puts (writer, "\n]},\n\"profiles\":[");
  complete = cs_report_visit_calls (profile, &visitor, &self, options, writer);
  cs_report_writer_puts (writer, "\n]}\n");
  for (guint i = 0; i < 2 * n; i++)
    if (self.heads[i] != NULL)
      g_string_free (self.heads[i], TRUE);
  g_free (self.heads);
  cs_report_tracks_clear (&self.tracks);
  return complete;
}
