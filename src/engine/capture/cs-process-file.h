/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "capture/cs-clock.h"
#include "capture/cs-module-map.h"

G_BEGIN_DECLS

typedef struct
{
  guint tid;
  guint64 seq; /* of the thread's first file */
  char *name;
} CsThreadName;

/* What a marker would tell in an event file. */
typedef struct
{
  guint tid;
  guint64 code, payload;
} CsProcessMark;

/* One image of one process, as one section of its process file tells it. */
typedef struct
{
  guint pid;
  guint parent;         /* 0: not told */
  guint64 start_ns;     /* CLOCK_MONOTONIC; equals t0_ns of the section's event files */
  guint64 realtime_ns;  /* the same moment, CLOCK_REALTIME */
  char *exe;            /* NULL: not told */
  gboolean after_inlining; /* hooks were placed after the compiler inlined */
  GPtrArray *modules;   /* (element-type CsModule) in the order of their loading */
  GHashTable *loaded;   /* start → CsModule: those that aren't gone */
  CsModuleMap *map;     /* of the modules; NULL before cs_process_section_set_clock() */
  GArray *clocks;       /* (element-type guint64) pairs: ns, and the timestamp of events then */
  GPtrArray *threads;   /* (element-type CsThreadName) */
  GArray *marks;        /* (element-type CsProcessMark) of a summary's threads */
} CsProcessSection;

GPtrArray *cs_process_file_read (const char *path, GError **error);
GPtrArray *cs_process_file_parse (const char *text, gsize length);
gboolean cs_process_section_is_executable (const CsProcessSection *self, const CsModule *module);
void cs_process_section_set_clock (CsProcessSection *self, const CsClock *clock);

G_END_DECLS
