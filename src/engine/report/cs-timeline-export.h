/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/cs-picture.h"

G_BEGIN_DECLS

/* A thread's row of headers and calls. */
typedef struct
{
  const char *heading;  /* (nullable): a line above it, as for the first of a process */
  const char *title;
  const char *subtitle; /* (nullable): below the title */
  guint32 first_depth;  /* no call is less deep: its first row */
} CsTimelineExportTrack;

/* A call, or a block of calls. */
typedef struct
{
  guint track;  /* index in the tracks */
  guint32 depth;
  gint64 start, end;   /* ns; may lie outside the window */
  guint colour;        /* as a CsPictureRect has */
  guint32 light, dark;
  const char *label;   /* (nullable) */
  const char *text;    /* (nullable): of the tooltip, in lines; NULL: the label */
  CsPictureFlags flags;
} CsTimelineExportSpan;

/* Where the recording was not all there, or what is selected. */
typedef struct
{
  guint track;     /* index in the tracks; G_MAXUINT: of all */
  gint64 from, to; /* ns; not from < to: a moment */
  const char *text;
} CsTimelineExportMark;

/* A part of a timeline as it is shown. Times are ns of one clock. */
typedef struct
{
  double width;  /* of the picture, pixels; 0: 1200 */
  const char *title;
  const char *const *notes;   /* (nullable): lines below the title */
  const char *const *notices; /* (nullable): what has to be known before any number is believed */
  gint64 from, to;            /* the window */
  gint64 origin;              /* from which times are told */
  const CsTimelineExportTrack *tracks;
  guint n_tracks;
  const CsTimelineExportSpan *spans;
  guint n_spans;
  const CsTimelineExportMark *marks;
  guint n_marks;
} CsTimelineExport;

gboolean cs_timeline_export_svg (const CsTimelineExport *self, GOutputStream *stream, GCancellable *cancellable,
                                 GError **error);
void cs_timeline_export_save_async (const CsTimelineExport *self, const char *path, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);
gboolean cs_timeline_export_save_finish (GAsyncResult *result, GError **error);

G_END_DECLS
