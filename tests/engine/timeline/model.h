/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "trace.h"

/* A recording that is written record by record, and beside it what has to be shown of it, by the
 * rules alone: all calls of each thread, in lists, found by walking through them. */

typedef struct
{
  guint64 address, caller, ts; /* as recorded */
  gint64 start, end; /* ns; cut where contexts switch */
  guint64 begin, behind; /* numbers of the thread's records */
  guint depth;
  gboolean open;
  gboolean continued; /* begins where its context went on */
  int parent; /* in calls; -1: none */
} ModelCall;

typedef struct
{
  gint64 ns;
  guint64 ts, position, func, caller;
  guint64 lost; /* before it */
  gboolean gap; /* the first behind a gap */
} ModelEvent;

typedef struct
{
  guint tid, seq;
  gint64 first, last; /* ns */
  GArray *calls;  /* (element-type ModelCall), in the order in which they begin */
  GArray *events; /* (element-type ModelEvent): enters and exits */
  guint64 n_records; /* since the first event, and what leaves are short of 128 */
  guint file, block; /* that its last record went into */
  guint64 lost;
  GHashTable *contexts; /* id → GArray of open ModelFrame */
  guint64 context;
  gboolean gap, dead;
} ModelThread;

typedef struct
{
  char *folder;
  gboolean stream, swapped, ticks;
  guint block;        /* records of a block of packed files; 0: they aren't packed */
  guint kept;         /* of the only file's records; the others are in a tail */
  guint seq;          /* of the files that are written */
  guint64 lost;
  gboolean starts;
  gboolean marked; /* has markers that change stacks */
  GHashTable *files;  /* by tid; in a stream all have the same */
  GPtrArray *threads; /* (element-type ModelThread) */
} Model;

void put_bytes (const char *path, gconstpointer bytes, gsize size);

Model *model_new (gboolean stream, gboolean swapped, gboolean ticks, guint block);
void model_free (Model *self);
void model_add (Model *self, guint tid, guint8 kind, guint64 ts, guint64 func, guint64 caller);
void model_add_raw (Model *self, guint tid, guint8 kind, guint64 ts, guint64 func, guint64 caller);
void model_next_file (Model *self, guint64 lost, gboolean starts);
void model_finish (Model *self);
guint model_depth (Model *self, guint tid);
gboolean model_get_top (Model *self, guint tid, guint64 *func, guint64 *caller);
gint64 model_ns (const Model *self, guint64 ts);
