/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "charts/cs-chart-colors.h"
#include "timeline/cs-timeline.h"

G_BEGIN_DECLS

#define CS_TIMELINE_NO_FUNCTION G_MAXUINT

/* What a chart says of what it shows. All is asked in the main thread, for what is seen. Any of them may be %NULL: the chart
 * then writes addresses and numbers. Texts are made valid UTF-8 and short enough by the chart. */
typedef struct
{
  /* Which function that is: any number that tells it from others, as an index in a profile; CS_TIMELINE_NO_FUNCTION where it
   * isn't known. Asked for each call of each picture, so it has to be quick (a look into a hash table). */
  guint (*get_function) (guint process, guint64 address, guint64 ts, gpointer data);
  /* Its name, as written in its calls. Kept until cs_timeline_chart_texts_changed(). */
  char *(*dup_label) (guint function, gpointer data);
  void (*get_color) (guint function, const CsChartColors *colors, GdkRGBA *color, gpointer data);
  /* (nullable result): lines below those that a call's tooltip and readout have by themselves: function, duration, start,
   * depth, thread. No block is asked for. */
  char *(*dup_more) (const CsTimelineCall *call, gpointer data);
  char *(*dup_track_title) (guint track, gpointer data);    /* a thread's name */
  char *(*dup_track_subtitle) (guint track, gpointer data); /* (nullable result): below it, "tid 21724" */
  char *(*dup_process_title) (guint process, gpointer data);
} CsTimelineChartTexts;

/* How a thread is shown. All zero: as it comes. */
typedef struct
{
  gint order;          /* among the threads of its process, or among pinned ones; equal ones as in the index */
  guint32 depth_limit; /* rows at most; 0: all */
  gboolean full;       /* all its rows in spite of that: its header has "+88 rows", which changes it */
  gboolean collapsed;  /* to its outermost calls */
  gboolean pinned;     /* above all processes, and it stays there when one scrolls */
  gboolean hidden;
} CsTimelineTrackSettings;

/* Where the recording was not all there. */
typedef enum
{
  CS_TIMELINE_MARK_NOTICE,  /* anything else that is to be said of a time */
  CS_TIMELINE_MARK_STOPPED, /* recording ended while the program ran: a line */
  CS_TIMELINE_MARK_WRAPPED, /* older events were overwritten: a zone or a line */
  CS_TIMELINE_MARK_DROPPED, /* events were lost: a zone or a line */
  CS_TIMELINE_MARK_OFF,     /* recording was switched off: a zone */
} CsTimelineMarkKind;

typedef struct
{
  guint track;     /* G_MAXUINT: of all threads */
  gint64 from, to; /* ns; not from < to: a moment */
  CsTimelineMarkKind kind;
  const char *text; /* a sentence, in its tooltip */
} CsTimelineMark;

/* What is at a place of the chart. */
typedef enum
{
  CS_TIMELINE_AREA_NONE,   /* nothing: below the last track, or the corner beside the ruler */
  CS_TIMELINE_AREA_RULER,
  CS_TIMELINE_AREA_PROCESS, /* a process's header row, over all the width */
  CS_TIMELINE_AREA_HEADER,  /* a thread's header at the start side */
  CS_TIMELINE_AREA_TRACK,   /* rows of a thread, or the gap below them */
} CsTimelineArea;

typedef struct
{
  CsTimelineArea area;
  guint process;     /* PROCESS, HEADER, TRACK; else G_MAXUINT */
  guint track;       /* HEADER, TRACK; else G_MAXUINT */
  guint32 depth;     /* TRACK; G_MAXUINT32: the gap below the rows */
  gint64 ns;         /* RULER, TRACK, NONE: the time there */
  gboolean has_span; /* `span' is there: a call, or a block (address 0, n_events / 2 calls) */
  CsTimelineSpan span;
} CsTimelinePoint;

/* What the last frame took, for benches. */
typedef struct
{
  guint n_rects, n_labels, n_shaped; /* painted; labels that had to be shaped anew */
  guint n_spans;                     /* of the answer that was painted */
  gint64 us;                         /* processor time of the main thread: layout and snapshot */
  gint64 take_us;                    /* the same, for the answer that was painted, when it came */
  gint64 query_us;                   /* of the worker, for that answer, of the clock on the wall */
} CsTimelineChartStats;

/* A recording's threads over time, with nested calls. It knows no session; times are ns of CLOCK_MONOTONIC, as in CsTimeline,
 * tracks are indices in the timeline. What the owner sets emits no signal; what the person does, does.
 *
 * Signals:
 *   "call-selected": another call is in focus, or none: cs_timeline_chart_get_call(). A block isn't selected; a double click
 *     on one fits its time
 *   "call-activated": a double click or Enter on the selected call; the chart fits the window to it already
 *   "range-changed": the person selected another range on the ruler or with [ and ], or none: cs_timeline_chart_get_range().
 *     Emitted when a drag has ended
 *   "measure-changed": the measured stretch is another one: cs_timeline_chart_get_measure()
 *   "window-changed": it shows another time, whoever did it; during an animation, of each step
 *   "tracks-changed": the person collapsed or opened a thread or a process with its triangle, or wants all rows of a thread
 *     or no longer, as when keys go to a call in a row that wasn't shown
 *   "seen-changed": other calls may be in sight than before, cs_timeline_chart_dup_visible(): the window, how far one has
 *     scrolled, the rows or the answer are others. Emitted when there is nothing more urgent, once for many changes
 *   "menu-requested" (point: CsTimelinePoint*, x: double, y: double): what is there, and where a popover is to point to. The
 *     call at the point was selected before
 *   "notify::follow": following began or ended, whoever did it
 *   "notify::measuring": likewise
 *   "notify::sharp": whether what is painted is the answer to what is asked; FALSE while a worker reads */
#define CS_TYPE_TIMELINE_CHART (cs_timeline_chart_get_type ())
G_DECLARE_FINAL_TYPE (CsTimelineChart, cs_timeline_chart, CS, TIMELINE_CHART, GtkWidget)

GtkWidget *cs_timeline_chart_new (void);

/* What is shown. A newer timeline of the same recording (with a process of it: it grew, or more of it was read) keeps the window,
 * the range, the selected call, found calls and the threads' settings, which are matched by process, tid and first file; with
 * any other timeline all of these are reset and the window has everything. */
void cs_timeline_chart_set_timeline (CsTimelineChart *self, CsTimeline *timeline); /* (nullable) */
CsTimeline *cs_timeline_chart_get_timeline (CsTimelineChart *self);
void cs_timeline_chart_set_texts (CsTimelineChart *self, const CsTimelineChartTexts *texts, gpointer data,
                                  GDestroyNotify destroy);
void cs_timeline_chart_texts_changed (CsTimelineChart *self); /* they say something else now */
void cs_timeline_chart_set_origin (CsTimelineChart *self, gint64 ns); /* times are told from there; default: the first event */
gint64 cs_timeline_chart_get_origin (CsTimelineChart *self);
const char *cs_timeline_chart_get_error (CsTimelineChart *self); /* (nullable): why not all can be shown; it is also painted */

/* Threads. */
void cs_timeline_chart_set_track (CsTimelineChart *self, guint track, const CsTimelineTrackSettings *settings);
void cs_timeline_chart_get_track (CsTimelineChart *self, guint track, CsTimelineTrackSettings *settings);
void cs_timeline_chart_set_process_collapsed (CsTimelineChart *self, guint process, gboolean collapsed);
gboolean cs_timeline_chart_get_process_collapsed (CsTimelineChart *self, guint process);
void cs_timeline_chart_scroll_to (CsTimelineChart *self, guint track, guint32 depth); /* as little as needed */
guint *cs_timeline_chart_dup_order (CsTimelineChart *self, guint *n); /* tracks from the top, without hidden ones */

/* The time that is shown. */
gboolean cs_timeline_chart_get_extent (CsTimelineChart *self, gint64 *first, gint64 *last); /* of all; FALSE: no events */
void cs_timeline_chart_get_window (CsTimelineChart *self, gint64 *from, gint64 *to);
void cs_timeline_chart_set_window (CsTimelineChart *self, gint64 from, gint64 to, gboolean animate);
/* factor > 1: nearer; x: pixels from the time axis's start, negative: the middle */
void cs_timeline_chart_zoom (CsTimelineChart *self, double x, double factor, gboolean animate);
/* pixels; dx > 0: later; dy > 0: lower */
void cs_timeline_chart_pan (CsTimelineChart *self, double dx, double dy, gboolean animate);
void cs_timeline_chart_fit (CsTimelineChart *self, gboolean animate); /* everything */
void cs_timeline_chart_fit_call (CsTimelineChart *self, const CsTimelineCall *call, gboolean animate); /* with a margin */
/* The newest event stays at the end, until the person pans or zooms away from there. */
void cs_timeline_chart_set_follow (CsTimelineChart *self, gboolean follow);
gboolean cs_timeline_chart_get_follow (CsTimelineChart *self);

/* The selected range, whose end is not in it. */
void cs_timeline_chart_set_range (CsTimelineChart *self, gboolean has_range, gint64 from, gint64 to);
gboolean cs_timeline_chart_get_range (CsTimelineChart *self, gint64 *from, gint64 *to);

/* Measuring: while it is on, a drag over tracks measures instead of moving; Ctrl+drag always does. Both ends snap to the
 * starts and ends of calls in the row under the pointer. */
void cs_timeline_chart_set_measuring (CsTimelineChart *self, gboolean measuring);
gboolean cs_timeline_chart_get_measuring (CsTimelineChart *self);
gboolean cs_timeline_chart_get_measure (CsTimelineChart *self, gint64 *from, gint64 *to); /* FALSE: nothing is measured */
void cs_timeline_chart_clear_measure (CsTimelineChart *self);

/* The selected call (nullable), and calls that were found. reveal: it is panned and scrolled to, and zoomed out to where it
 * is too long for the window. */
void cs_timeline_chart_set_call (CsTimelineChart *self, const CsTimelineCall *call, gboolean reveal);
const CsTimelineCall *cs_timeline_chart_get_call (CsTimelineChart *self); /* (nullable) */
void cs_timeline_chart_set_found (CsTimelineChart *self, const CsTimelineCall *calls, guint n); /* all others are paler; NULL: none is */
void cs_timeline_chart_set_marks (CsTimelineChart *self, const CsTimelineMark *marks, guint n); /* copied */
const CsTimelineMark *cs_timeline_chart_get_marks (CsTimelineChart *self, guint *n);

/* What is seen: calls and blocks of the window, track by track from the top, row by row; for a table, or an export. It is what
 * was painted last: see "sharp". */
GArray *cs_timeline_chart_dup_visible (CsTimelineChart *self); /* (element-type CsTimelineCall) (transfer full) */
gboolean cs_timeline_chart_get_sharp (CsTimelineChart *self);
char *cs_timeline_chart_dup_label (CsTimelineChart *self, const CsTimelineCall *call); /* as painted in it; a block's "≈12" */
char *cs_timeline_chart_dup_text (CsTimelineChart *self, const CsTimelineCall *call); /* as its tooltip says */

/* Input. */
gboolean cs_timeline_chart_press_key (CsTimelineChart *self, guint keyval, GdkModifierType state);
void cs_timeline_chart_hit (CsTimelineChart *self, double x, double y, CsTimelinePoint *point);
char *cs_timeline_chart_dup_tooltip (CsTimelineChart *self, double x, double y); /* (nullable) */
const CsTimelineChartStats *cs_timeline_chart_get_stats (CsTimelineChart *self);

G_END_DECLS
